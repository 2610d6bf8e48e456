// SPDX-License-Identifier: BSL-1.0
// The bits of running sums and their kin.
#include <laws/bits.hpp>

namespace {

namespace ex = exprax;
using laws::bits, laws::hash, laws::input;

constexpr auto running = [](auto x, auto rows, auto columns) {
  auto const add = [](auto a, auto b) { return a + b; };
  return ex::tuple(ex::cumsum(x), ex::cumprod(x * 0.01f + 1.0f, ex::reverse), ex::cummax(ex::sin(x)), ex::cumlogsumexp(x), ex::cumsum(rows, ex::axis<1>, ex::reverse),
                   ex::cumlogsumexp(columns * columns, ex::axis<0>), ex::associative_scan(add, x));
};

// Long rows.
constexpr auto in_blocks = [](auto x) {
  return ex::tuple(ex::cumsum(x), ex::cumsum(ex::exp(x), ex::reverse), ex::cumprod(x * 0.01f + 1.0f), ex::cummin(ex::sin(x), ex::reverse));
};
template <int N>
constexpr auto bits_in_blocks() {
  return hash(ex::jit(in_blocks)(input<float, N>()));
}
template <int N>
constexpr auto running_bits() {
  return hash(ex::jit(running)(input<float, N>(), input<float, 3, N>(1), input<float, N, 3>(2)));
}
}  // namespace

TEST_CASE("running sums") {
  EXPRAX_BITS(running_bits<5>(), 0x717cd02bu, 0x8f16d022u, bits(0x372afa90u, 0xb458eea3u), 0x90d2e0d7u, 0x4668262cu, 0x90555cb8u,
              0x717cd02bu);
  EXPRAX_BITS(running_bits<17>(), 0x831ba720u, 0xc4b1dec9u, bits(0x0612d0c4u, 0x4d0e1d57u), 0x5505a861u, 0x8f3925beu, 0x5b8ab661u,
              0xa6212262u);
  EXPRAX_BITS(running_bits<100>(), 0x23f3d34fu, bits(0x77618892u, 0x3e867ce8u), bits(0xe9daa906u, 0x18614d4du),
              bits(0x20617cdfu, 0x36ced1c0u), 0xf84c1d91u, 0xeea7005fu, 0x4db74442u);
  EXPRAX_BITS(bits_in_blocks<525>(), 0x66caf3e3u, 0x3ad33b85u, bits(0xea6743a6u, 0xd5c92a86u), 0x06b8206eu);
}
