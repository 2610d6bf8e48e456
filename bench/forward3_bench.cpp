// SPDX-License-Identifier: BSL-1.0
// The scan forward3 at 64 x 32 against the best of three plain C++ loops: in place, by columns, and on transposed copies.
#include <cmath>

#include <exprax/exprax.hpp>

#include "compare.hpp"

namespace ex = exprax;

namespace {

constexpr int height = 64, width = 32;

constexpr auto forward3 = [](auto w) {
  constexpr int rows = decltype(w)::extent(0);
  auto body = [](auto carry, auto w_col) {
    auto conv = ex::convolve(carry * w_col, ex::ones<float, 3>(), ex::mode_valid);
    auto out = ex::zeros_like(w_col).at(ex::slice<1, -1>).set(conv);
    return ex::tuple(out, out);
  };
  auto init = ex::ones<float, rows>();
  auto [last, ys] = ex::scan(body, init, ex::transpose(w));
  return ex::transpose(ex::vstack(init, ys));
};

[[gnu::noinline]] void by_exprax(float* a, float const* w) {
  ex::view<float, height, width + 1> result(a);
  ex::jit(forward3).into(result, ex::view<float const, height, width>(w));
}

// The loops read w[i][j] and write a[i][j]; a column of a is a weighted sum of three neighbours in the column before.
[[gnu::noinline]] void in_place(float* __restrict a, float const* __restrict w) {
  constexpr int row = width + 1;
  for (int i = 0; i < height; ++i) {
    a[i * row] = 1;
    for (int j = 1; j < row; ++j) a[i * row + j] = 0;
  }
  for (int j = 0; j < width; ++j)
    for (int i = 1; i < height - 1; ++i)
      a[i * row + j + 1] = a[(i - 1) * row + j] * w[(i - 1) * width + j] + a[i * row + j] * w[i * width + j] +
                           a[(i + 1) * row + j] * w[(i + 1) * width + j];
}
void step(float* __restrict next, float const* __restrict products) {
  next[0] = next[height - 1] = 0;
  for (int i = 1; i < height - 1; ++i) next[i] = products[i - 1] + products[i] + products[i + 1];
}
[[gnu::noinline]] void by_columns(float* __restrict a, float const* __restrict w) {
  constexpr int row = width + 1;
  float column[height], products[height];
  for (int i = 0; i < height; ++i) a[i * row] = column[i] = 1;
  for (int j = 0; j < width; ++j) {
    for (int i = 0; i < height; ++i) products[i] = column[i] * w[i * width + j];
    step(column, products);
    for (int i = 0; i < height; ++i) a[i * row + j + 1] = column[i];
  }
}
[[gnu::noinline]] void transposed(float* __restrict a, float const* __restrict w) {
  constexpr int row = width + 1;
  float turned[width][height], columns[width + 1][height], products[height];
  for (int i = 0; i < height; ++i)
    for (int j = 0; j < width; ++j) turned[j][i] = w[i * width + j];
  for (int i = 0; i < height; ++i) columns[0][i] = 1;
  for (int j = 0; j < width; ++j) {
    for (int i = 0; i < height; ++i) products[i] = columns[j][i] * turned[j][i];
    step(columns[j + 1], products);
  }
  for (int i = 0; i < height; ++i)
    for (int j = 0; j < row; ++j) a[i * row + j] = columns[j][i];
}

void forward3_64x32(benchmark::State& state) {
  static float w[height * width], ours[height * (width + 1)], peers[3][height * (width + 1)];
  for (int i = 0; i < height * width; ++i) w[i] = std::sin(static_cast<float>(i) * 1.37f);
  auto peer = [&](auto loop, int k) {
    return [=] {
      bench::touch(w);
      loop(peers[k], w);
      bench::touch(peers[k]);
    };
  };
  bench::compare(
      state,
      [&] {
        bench::touch(w);
        by_exprax(ours, w);
        bench::touch(ours);
      },
      peer(in_place, 0), peer(by_columns, 1), peer(transposed, 2));
  for (auto const& p : peers)
    for (int i = 0; i < height * (width + 1); ++i)
      if (!(std::abs(ours[i] - p[i]) <= 1e-4f * (1 + std::abs(p[i])))) state.SkipWithError("the results differ");
}
EXPRAX_COMPARE(forward3_64x32);

}  // namespace
