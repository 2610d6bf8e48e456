// SPDX-License-Identifier: BSL-1.0
// The bits of elementary functions, at lengths around those of packs.
#include <laws/bits.hpp>

namespace {

namespace ex = exprax;
using laws::hash, laws::input;

constexpr auto elementary = [](auto x) {
  auto const p = ex::abs(x) + 0.125f;
  return ex::tuple(ex::exp(x), ex::log(p), ex::tanh(x), ex::sin(x), ex::cos(x * 16.0f), ex::log1p(p), ex::expm1(x), ex::logistic(x),
                   ex::pow(p, x), ex::rsqrt(p), x / p, ex::floor_divide(x, p), x * x - p);
};

template <int N>
constexpr auto elementary_bits() {
  return hash(ex::jit(elementary)(input<float, N>()));
}
constexpr auto doubles_bits() { return hash(ex::jit(elementary)(input<double, 17>())); }

}  // namespace

TEST_CASE("elementary functions") {
  EXPRAX_BITS(elementary_bits<1>(), 0xb7c2fe71u, 0x04df047fu, 0x7e8f3a59u, 0x7ccb0ac7u, 0x26349554u, 0x5bdffdf8u, 0xd46f5f85u, 0xddf952b4u,
              0xd481c6b4u, 0x54606d37u, 0x5b178b1cu, 0xcaf697cdu, 0x1e2817cdu);
  EXPRAX_BITS(elementary_bits<5>(), 0xe488b43du, 0xc090526du, 0xbbf5c40fu, 0x63e7e36fu, 0x3ad60cc1u, 0xaec11fabu, 0x92759fa3u, 0x85703561u,
              0xfe4feed3u, 0xb131b3e6u, 0xc9e58312u, 0xb5cba46du, 0x5d2cce7du);
  EXPRAX_BITS(elementary_bits<16>(), 0x6a249348u, 0x73f57fa0u, 0x48e163c9u, 0xfd4e3e5bu, 0x37fb01b3u, 0x947f238du, 0x02ba7b07u, 0x06512e4du,
              0xb93ce842u, 0x3739f897u, 0x56a49de8u, 0x7a2ae445u, 0x03ce696fu);
  EXPRAX_BITS(elementary_bits<17>(), 0xe8c59f7cu, 0x52d7988fu, 0xbce953bdu, 0xb44ab87eu, 0xd52e6a0cu, 0xb259a43cu, 0x4ed1940bu, 0x685040c3u,
              0x0ca888c9u, 0xc23a253eu, 0xd9cd7cd1u, 0x92ea824du, 0xbaf5a487u);
  EXPRAX_BITS_AT_RUN_TIME(elementary_bits<64>(), 0x1b044cdbu, 0xf9afa256u, 0xbcba612bu, 0xae9f3cd2u, 0xd6e50de1u, 0x95509b6du, 0x7d1b7c67u,
                          0xe9eb95fbu, 0xdc5cf7a7u, 0x18f2516cu, 0x6e042c5fu, 0xb83537c5u, 0xd41af02bu);
  EXPRAX_BITS_AT_RUN_TIME(elementary_bits<100>(), 0xb85fa375u, 0xed66353au, 0xde30ad6fu, 0x169ef30au, 0x00c1f336u, 0x48afdb50u, 0x364af65bu,
                          0x69c33ccdu, 0xb3c152abu, 0x3c175ec8u, 0x87b400ceu, 0x8fabb865u, 0xce290493u);
  EXPRAX_BITS_AT_RUN_TIME(elementary_bits<1003>(), 0x607e6386u, 0xf03b04f4u, 0xb41557b3u, 0xbd1ba240u, 0xe7ae2f28u, 0x4b29305bu,
                          0x076afd8eu, 0x104050c5u, 0x06e2a201u, 0x0a8bc4fbu, 0x97bbb1afu, 0xa12923ddu, 0x22c316deu);
  EXPRAX_BITS(doubles_bits(), 0x25d8a188u, 0x22cb808au, 0xd9700e16u, 0xdd755a05u, 0x547877ccu, 0x140817c6u, 0x342ec02eu, 0xf1ff97bcu,
              0xaf201122u, 0x4b75f9a0u, 0x3a08eaafu, 0x7c6a824du, 0x21ef1358u);
}
