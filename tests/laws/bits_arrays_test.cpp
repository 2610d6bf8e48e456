// SPDX-License-Identifier: BSL-1.0
// The bits of sums and products.
#include <laws/bits.hpp>

namespace {

namespace ex = exprax;
using laws::hash, laws::input;

constexpr auto sums = [](auto x, auto rows, auto columns) {
  return ex::tuple(ex::sum(x), ex::sum(ex::exp(x)), ex::mean(x * x), ex::prod(x / 4.0f + 1.1f), ex::max(ex::sin(x)),
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
  EXPRAX_BITS(sums_bits<1>(), 0xf9a697cdu, 0xb7c2fe71u, 0x17b797cdu, 0x7e42e3dbu, 0x7ccb0ac7u, 0xaa80e6cdu, 0x1b9dadbfu);
  EXPRAX_BITS(sums_bits<5>(), 0x5f6697cdu, 0xe987b85bu, 0x2ecbc0d2u, 0xeec9d431u, 0x9d545080u, 0xe1342070u, 0xc5cf36e2u);
  EXPRAX_BITS(sums_bits<16>(), 0x50a7e59bu, 0xc7499daeu, 0xed228355u, 0xf064c8a3u, 0x9d545080u, 0x771e3733u, 0x4e208332u);
  EXPRAX_BITS(sums_bits<17>(), 0x01d6c411u, 0x3dab0d95u, 0xd14cf670u, 0x3f4a2f42u, 0x9d545080u, 0xd6e44ce7u, 0x6a697b0au);
  EXPRAX_BITS(sums_bits<64>(), 0x35eda287u, 0xdc3ed70bu, 0xd16ab01eu, 0x5d1c1c10u, 0x9d545080u, 0xa8c0c732u, 0xbd24ae46u);
  EXPRAX_BITS(sums_bits<100>(), 0xf86ec411u, 0x68bb307fu, 0xea78bdb1u, 0x7ecf9a7eu, 0x9d545080u, 0x0ea6f3beu, 0x4f3a858fu);
  EXPRAX_BITS_AT_RUN_TIME(sums_bits<1003>(), 0x285bedadu, 0x514c8aedu, 0x9cbf75c2u, 0x917697cdu, 0xc7aa8d15u, 0x48fa325du, 0x18b062aau);
}
TEST_CASE("products") {
  EXPRAX_BITS(products_bits<1>(), 0x17b797cdu, 0xc7d3e6cdu, 0xc470f9edu, 0x78051e42u, 0x797f5026u);
  EXPRAX_BITS(products_bits<5>(), 0x9fe9ca5cu, 0x80788e39u, 0x7e620b59u, 0x6b036234u, 0xa6fa85d3u);
  EXPRAX_BITS(products_bits<16>(), 0xbf228355u, 0x633dafcfu, 0x222acec7u, 0x157f39afu, 0x6fec2fc3u);
  EXPRAX_BITS(products_bits<17>(), 0x0c428355u, 0xd06a8c96u, 0xc5f7f26cu, 0x1fa39f8du, 0x4f02e9c4u);
  EXPRAX_BITS(products_bits<64>(), 0xde6ab01eu, 0x1514300bu, 0xb4560096u, 0xe7fb8b73u, 0x8653fa2au);
  EXPRAX_BITS(products_bits<100>(), 0x1e9c1f55u, 0x9283352du, 0x5a4c2d5eu, 0x3d201485u, 0x7a78fe39u);
  EXPRAX_BITS_AT_RUN_TIME(products_bits<1003>(), 0x72b0c281u, 0x1e09d526u, 0xd5f71490u, 0x8bbdd94cu, 0x07901751u);
}
