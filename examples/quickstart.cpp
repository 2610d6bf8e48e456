// SPDX-License-Identifier: BSL-1.0
// A function is printed, batched, compiled and run: a convolution over a batch, a matrix product with relu, and a scan.
#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>

#include <exprax/exprax.hpp>

namespace ex = exprax;

// x: [5], w: [3] -> [3]
constexpr auto convolve = [](auto x, auto w) {
  constexpr int n = decltype(x)::extent(0);
  std::array<ex::expr<float>, n - 2> out;
  for (int i = 1; i < n - 1; ++i) out[i - 1] = ex::dot(ex::dynamic_slice<3>(x, i - 1), w);
  return ex::stack(out);
};

constexpr auto forward_pass = [](auto W, auto X) {
  auto Z = ex::dot(W, X);
  return ex::tuple(Z, ex::maximum(0.0f, Z));
};

// Each column is a convolution of the column before, weighted by a column of w.
constexpr auto forward = [](auto w) {
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

// The largest difference from the same as a plain C++ loop, as part of the largest element.
template <int Height, int Width>
float difference(ex::array<float, Height, Width + 1> const& a, ex::array<float, Height, Width> const& w) {
  ex::array<float, Height, Width + 1> b;
  for (int i = 0; i < Height; ++i) b(i, 0) = 1;
  for (int j = 0; j < Width; ++j)
    for (int i = 1; i < Height - 1; ++i) b(i, j + 1) = b(i - 1, j) * w(i - 1, j) + b(i, j) * w(i, j) + b(i + 1, j) * w(i + 1, j);
  float most = 0, largest = 0;
  for (int i = 0; i < Height; ++i)
    for (int j = 0; j <= Width; ++j) {
      most = std::max(most, std::abs(a(i, j) - b(i, j)));
      largest = std::max(largest, std::abs(b(i, j)));
    }
  return most / largest;
}

int main() {
  // The program is a constant: what prints here was made by the C++ compiler.
  std::cout << ex::make_jaxpr(convolve)(ex::i32<5>, ex::f32<3>) << "\n\n";

  ex::array<int, 2, 5> xs{{0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}};
  ex::array<float, 2, 3> ws{{2, 3, 4}, {2, 3, 4}};
  ex::array<float, 3> w{2, 3, 4};
  auto by_columns = ex::vmap(convolve, ex::in_axes<1, 1>, ex::out_axes<1>);
  std::cout << ex::jit(ex::vmap(convolve))(xs, ws) << "\n\n"
            << ex::jit(by_columns)(ex::transpose(xs), ex::transpose(ws)) << "\n\n"
            << ex::jit(ex::vmap(convolve, ex::in_axes<0, ex::none>))(xs, w) << "\n\n";

  ex::array<float, 2, 3> W{{1, -2, 3}, {4, 5, -6}};
  ex::array<float, 3, 2> X{{1, 0}, {0, 1}, {1, 1}};
  auto [Z, A] = ex::jit(forward_pass)(W, X);
  std::cout << Z << "\n\n" << A << "\n\n";

  constexpr int height = 64, width = 32;
  ex::array<float, height, width> weights;
  for (int i = 0; i < height; ++i)
    for (int j = 0; j < width; ++j) weights(i, j) = std::sin(static_cast<float>(i * width + j) * 1.37f);
  auto a = ex::jit(forward)(weights);
  float const most = difference(a, weights);
  std::cout << "forward at 64 x 32 differs from a plain loop by at most " << most << " of its largest element\n";
  return most < 1e-5f ? 0 : 1;
}
