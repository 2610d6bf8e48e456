// SPDX-License-Identifier: BSL-1.0
// Nested loops, as first written, with one convolution a column, and as a scan: all three are the same function.
#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr auto forward = [](auto w) {
  constexpr int height = decltype(w)::extent(0), width = decltype(w)::extent(1);
  auto a = ex::zeros<float, height, width + 1>();
  for (int i = 0; i < height; ++i) a = a.at(i, 0).add(1.0f);
  for (int j = 0; j < width; ++j)
    for (int i = 1; i < height - 1; ++i) {
      auto z = a(i - 1, j) * w(i - 1, j) + a(i, j) * w(i, j) + a(i + 1, j) * w(i + 1, j);
      a = a.at(i, j + 1).set(z);
    }
  return a;
};

constexpr auto forward2 = [](auto w) {
  constexpr int height = decltype(w)::extent(0), width = decltype(w)::extent(1);
  auto a = ex::zeros<float, height, width + 1>().at(ex::all, 0).set(1.0f);
  auto kernel = ex::ones<float, 3>();
  for (int j = 0; j < width; ++j) {
    auto conv = ex::convolve(a(ex::all, j) * w(ex::all, j), kernel, ex::mode_valid);
    a = a.at(ex::slice<1, -1>, j + 1).set(conv);
  }
  return a;
};

constexpr auto forward3 = [](auto w) {
  constexpr int height = decltype(w)::extent(0);
  auto body = [](auto carry, auto w_col) {
    auto conv = ex::convolve(carry * w_col, ex::ones<float, 3>(), ex::mode_valid);
    auto out = ex::zeros_like(w_col).at(ex::slice<1, -1>).set(conv);
    return ex::tuple(out, out);
  };
  auto init = ex::ones<float, height>();
  auto [last, ys] = ex::scan(body, init, ex::transpose(w));
  return ex::transpose(ex::vstack(init, ys));
};

template <int Height, int Width>
ex::array<float, Height, Width> weights() {
  ex::array<float, Height, Width> w;
  for (int i = 0; i < Height; ++i)
    for (int j = 0; j < Width; ++j) w(i, j) = std::sin(static_cast<float>(i * Width + j) * 1.37f);
  return w;
}

template <int Height, int Width>
ex::array<float, Height, Width + 1> plain_loop(ex::array<float, Height, Width> const& w) {
  ex::array<float, Height, Width + 1> a;
  for (int i = 0; i < Height; ++i) a(i, 0) = 1;
  for (int j = 0; j < Width; ++j)
    for (int i = 1; i < Height - 1; ++i) a(i, j + 1) = a(i - 1, j) * w(i - 1, j) + a(i, j) * w(i, j) + a(i + 1, j) * w(i + 1, j);
  return a;
}

// The largest difference, as part of the largest element: sums of products are rounded once or twice, so not all bits agree.
template <class A>
float difference(A const& a, A const& b) {
  float most = 0, largest = 0;
  for (std::ptrdiff_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a.data()[i] - b.data()[i]));
    largest = std::max(largest, std::abs(b.data()[i]));
  }
  return most / largest;
}

}  // namespace

TEST_CASE("forward at 64 x 32, three ways") {
  auto const w = weights<64, 32>();
  auto const expected = plain_loop(w);
  CHECK(difference(ex::jit(forward)(w), expected) < 1e-5f);
  CHECK(difference(ex::jit(forward2)(w), expected) < 1e-5f);
  CHECK(difference(ex::jit(forward3)(w), expected) < 1e-5f);
}

TEST_CASE("forward in small sizes: below one pack, and ragged") {
  auto check = [](auto const& w) {
    auto const expected = plain_loop(w);
    CHECK(difference(ex::jit(forward)(w), expected) < 1e-5f);
    CHECK(difference(ex::jit(forward2)(w), expected) < 1e-5f);
    CHECK(difference(ex::jit(forward3)(w), expected) < 1e-5f);
  };
  check(weights<3, 1>());
  check(weights<5, 2>());
  check(weights<19, 7>());
}

TEST_CASE("forward3 batched is forward3 of each") {
  constexpr int n = 3;
  ex::array<float, n, 19, 7> batch;
  for (std::ptrdiff_t i = 0; i < batch.size(); ++i) batch.data()[i] = std::cos(static_cast<float>(i) * 0.73f);
  auto const all = ex::jit(ex::vmap(forward3))(batch);
  for (int k = 0; k < n; ++k) {
    ex::array<float, 19, 7> w;
    for (std::ptrdiff_t i = 0; i < w.size(); ++i) w.data()[i] = batch.data()[k * w.size() + i];
    auto const one = ex::jit(forward3)(w);
    for (std::ptrdiff_t i = 0; i < one.size(); ++i) CHECK(all.data()[k * one.size() + i] == one.data()[i]);
  }
}

// The same kernel in constant evaluation.
namespace {
constexpr auto ones_5x2 = ex::array<float, 5, 2>::full(1.0f);
static_assert(ex::jit(forward)(ones_5x2) == ex::array<float, 5, 3>{{1, 0, 0}, {1, 3, 6}, {1, 3, 9}, {1, 3, 6}, {1, 0, 0}});
static_assert(ex::jit(forward3)(ones_5x2) == ex::jit(forward)(ones_5x2));
static_assert(ex::jit(forward2)(ones_5x2) == ex::jit(forward)(ones_5x2));
}  // namespace
