// SPDX-License-Identifier: BSL-1.0
// The bits of sums and products.
#include <laws/bits.hpp>

namespace {

namespace ex = exprax;
using laws::bits, laws::hash, laws::input;

constexpr auto sums = [](auto x, auto rows, auto columns) {
  return ex::tuple(ex::sum(x), ex::sum(ex::exp(x)), ex::mean(x * x), ex::prod(x * 0.01f + 1.0f), ex::max(ex::sin(x)),
                   ex::sum(rows, ex::axis<1>), ex::sum(columns * columns, ex::axis<0>));
};
constexpr auto products = [](auto x, auto rows, auto columns) {
  return ex::tuple(ex::dot(x, x), ex::dot(rows, x), ex::dot(x, columns), ex::matmul(rows, columns),
                   ex::convolve(x, ex::array<float, 3>{0.5f, 0.3f, -0.7f}, ex::mode_same));
};

template <int N>
constexpr auto sums_bits() {
  return hash(ex::jit(sums)(input<float, N>(), input<float, 3, N>(1), input<float, N, 3>(2)));
}
template <int N>
constexpr auto products_bits() {
  return hash(ex::jit(products)(input<float, N>(), input<float, 3, N>(1), input<float, N, 3>(2)));
}
}  // namespace

TEST_CASE("sums") {
  EXPRAX_BITS(sums_bits<1>(), 0xc4541702u, 0x7f096d3cu, 0x052c7b82u, 0x614cf9edu, 0x4a89a8a1u, 0x18793a9eu, 0xd67e95c8u);
  EXPRAX_BITS(sums_bits<5>(), 0x7dcea287u, 0x0e9e1bc9u, 0x4de1c1ccu, 0x7bf99f1cu, 0x91ba7639u, 0x1c81c511u, 0x63db8c0cu);
  EXPRAX_BITS(sums_bits<16>(), 0xf77e2913u, 0x47f11db9u, 0x4332ea15u, 0x800a85b6u, 0x05f7d2a4u, 0x378328c5u, 0x05e70f9du);
  EXPRAX_BITS(sums_bits<17>(), 0xc57dafe9u, 0x64d05179u, 0x5a9c6f5eu, 0x57a4b981u, 0xccfdaef1u, 0xc1ef40dfu, 0x910316fdu);
  EXPRAX_BITS(sums_bits<64>(), 0x1f41403au, 0xa27a36ddu, 0x12f09187u, bits(0x8e9e6647u, 0x42997175u), 0x1de070e2u, 0x00256d36u,
              0x38cbfe72u);
  EXPRAX_BITS(sums_bits<100>(), 0x1f41403au, 0x2edf14adu, 0xd3cdeb11u, bits(0xefe67eb1u, 0xd3f55d27u), 0x1de070e2u, 0xd34d8ef9u,
              0x03ad5c10u);
  EXPRAX_BITS_AT_RUN_TIME(sums_bits<1003>(), 0x0c43a1bcu, 0xa9f6f54fu, 0xf6c75431u, bits(0x7a49ea7cu, 0xb22c2d90u), 0x6d4e0beeu,
                          0xd0e10fe3u, 0xd2bec07du);
}
TEST_CASE("products") {
  EXPRAX_BITS(products_bits<1>(), 0x052c7b82u, 0x2fc78a08u, 0xb4aff891u, 0xb3db014bu, 0xd206ca2bu);
  EXPRAX_BITS(products_bits<5>(), 0xdbea0ee6u, 0xb307b21fu, bits(0x890bd724u, 0x3d06e252u), bits(0xff803ca7u, 0xe749aa30u),
              bits(0xcc66aad3u, 0x227cf884u));
  EXPRAX_BITS(products_bits<16>(), 0x1532ea15u, 0x0303e899u, 0x4f4857a1u, 0x284b60c0u,
              bits(0x160aafa4u, 0x000ead86u));
  EXPRAX_BITS(products_bits<17>(), 0x4941db1fu, 0x540f3991u, 0xcab6f6e0u, 0x981bf09du,
              bits(0x339c89edu, 0x542bb820u));
  EXPRAX_BITS(products_bits<64>(), 0x1ff09187u, 0xa9a7201du, bits(0x081f2127u, 0xe21ca6beu), bits(0x4555addfu, 0x596220adu),
              bits(0xedcfb660u, 0x043f845bu));
  EXPRAX_BITS(products_bits<100>(), 0xe229c153u, bits(0x4122ffe2u, 0x9c8fb2bcu), 0x8e362ac7u,
              bits(0x3cd762b9u, 0xaf48963eu), bits(0x0d3d1905u, 0xf7f308b8u));
  EXPRAX_BITS_AT_RUN_TIME(products_bits<1003>(), 0x3403bed5u, bits(0xe12952f5u, 0xe91cb126u), bits(0x1d65402bu, 0xf762c5c2u), bits(0x496b62d2u, 0x0de467c0u),
                          bits(0xb0bc0542u, 0x792493bbu));
}
