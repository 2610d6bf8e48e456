// SPDX-License-Identifier: BSL-1.0
// The bits of loops, unrolled and scanned, and of a convolution and its batches.
#include <laws/bits.hpp>

namespace {

namespace ex = exprax;
using laws::bits, laws::hash, laws::input;

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
  auto const r = ex::scan(body, init, ex::transpose(w));
  return ex::transpose(ex::vstack(init, ex::get<1>(r)));
};
constexpr auto convolve = [](auto x, auto w) {
  constexpr int n = decltype(x)::extent(0);
  std::array<ex::expr<float>, n - 2> out;
  for (int i = 1; i < n - 1; ++i) out[i - 1] = ex::dot(ex::dynamic_slice<3>(x, i - 1), w);
  return ex::stack(out);
};

template <int Height, int Width>
constexpr auto forward_bits() {
  auto const w = input<float, Height, Width>();
  return hash(std::tuple(ex::jit(forward)(w), ex::jit(forward2)(w), ex::jit(forward3)(w)));
}
constexpr auto convolve_bits() {
  return hash(std::tuple(
      ex::jit(convolve)(input<float, 19>(), input<float, 3>(1)), ex::jit(ex::vmap(convolve))(input<float, 5, 19>(), input<float, 5, 3>(1)),
      ex::jit(ex::vmap(convolve, ex::in_axes<1, ex::none>, ex::out_axes<1>))(input<float, 19, 17>(), input<float, 3>(1))));
}

}  // namespace

TEST_CASE("loops and convolutions") {
  EXPRAX_BITS((forward_bits<12, 7>()), 0x09be2833u, 0x09be2833u, 0x09be2833u);
  EXPRAX_BITS((forward_bits<20, 17>()), 0xdef924a2u, 0xdef924a2u, 0xdef924a2u);
  EXPRAX_BITS(convolve_bits(), bits(0x159ae5bfu, 0x2757966bu), bits(0xa3821be9u, 0xafbe8123u), bits(0xfa58d179u, 0xf38a8b83u));
}
