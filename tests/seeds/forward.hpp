// SPDX-License-Identifier: BSL-1.0
// One recurrence over the columns of a matrix, written three ways: element by element, one convolution a column, a scan.
#pragma once

#include <algorithm>
#include <cmath>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace seeds {

inline constexpr auto forward = [](auto w) {
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

inline constexpr auto forward2 = [](auto w) {
  constexpr int height = decltype(w)::extent(0), width = decltype(w)::extent(1);
  auto a = ex::zeros<float, height, width + 1>().at(ex::all, 0).set(1.0f);
  auto kernel = ex::ones<float, 3>();
  for (int j = 0; j < width; ++j) {
    auto conv = ex::convolve(a(ex::all, j) * w(ex::all, j), kernel, ex::mode_valid);
    a = a.at(ex::slice<1, -1>, j + 1).set(conv);
  }
  return a;
};

inline constexpr auto forward3 = [](auto w) {
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

}  // namespace seeds
