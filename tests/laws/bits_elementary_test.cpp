// SPDX-License-Identifier: BSL-1.0
// The bits of elementary functions, at lengths around those of packs.
#include <laws/bits.hpp>

namespace {

namespace ex = exprax;
using laws::bits, laws::hash, laws::input;

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
  EXPRAX_BITS(elementary_bits<5>(), 0x687a8d7au, bits(0xe600a3ccu, 0xcdb21cc5u), 0x71010351u, bits(0x55dd8369u, 0x17c6ae7au),
              bits(0x5c5434e4u, 0xc57b66ceu), 0xb0f842c6u, 0xde1ad5e8u, 0x54ff0dafu, bits(0xf4bf37f2u, 0x1c2a7285u), 0x87f970fcu,
              0xd105b7a0u, 0xe3cba46du, 0x6f8e549eu);
  EXPRAX_BITS(elementary_bits<17>(), 0x110a83ccu, bits(0x4e613559u, 0x3952716bu), 0x87996ff0u, bits(0xcd525102u, 0x5e81cc51u),
              bits(0x59e54695u, 0x43d380bfu), 0x261adf58u, 0xaf64229cu, 0xc4701469u, bits(0x79f0e5c2u, 0x78ab6852u), 0xcc7469bfu,
              0x67c126e3u, 0x3fea824du, bits(0xd69b0b69u, 0x5ce85e85u));
  EXPRAX_BITS_AT_RUN_TIME(elementary_bits<1003>(), bits(0x75ebd322u, 0x16b654e1u), bits(0x579c8697u, 0xc0177337u), 0x9c287ecbu,
                          bits(0x2a8252b6u, 0xc2b4780eu), bits(0x90f8fb70u, 0xf1a98eb8u), bits(0x852e11eau, 0xd14e979au),
                          bits(0x822573a9u, 0xb65baebdu), bits(0x9e8faa99u, 0xc4dd8d7du), bits(0xfe4eff2cu, 0x9136fd42u), 0x9c2f6383u,
                          0x81620b01u, 0xa3a923ddu, bits(0x9d3c0dccu, 0x05cf4770u));
  EXPRAX_BITS(doubles_bits(), 0xcf01144au, 0x5e820ad4u, 0xb129a45fu, 0x10204249u, 0x0ecbc582u, 0x0336696bu, 0x561ab8c0u, 0xb531f863u,
              bits<double>(0xf837f2eeu, 0x5a7f206eu), 0xc4445a65u, 0x83cea234u, 0x5b8a824du, bits<double>(0xef86a302u, 0xfd6f9060u));
}
