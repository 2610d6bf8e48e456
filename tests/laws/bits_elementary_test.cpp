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
  EXPRAX_BITS(elementary_bits<1>(), 0x7f096d3cu, 0x6f87663bu, 0x7a096833u, 0x4a89a8a1u, 0x23d675b9u, 0x177949b1u, 0x38ebad31u, 0x871f2803u,
              0x537f7fceu, 0x77c85ef8u, 0xcbf2b154u, 0xcaf697cdu, 0x98844e5du);
  EXPRAX_BITS(elementary_bits<5>(), 0x687a8d7au, 0xe600a3ccu, 0x71010351u, 0x55dd8369u, 0x5c5434e4u, 0xb0f842c6u, 0xde1ad5e8u, 0x54ff0dafu,
              0xf4bf37f2u, 0x87f970fcu, 0xd105b7a0u, 0xe3cba46du, 0x6f8e549eu);
  EXPRAX_BITS(elementary_bits<16>(), 0x56b66c78u, 0x54cac1e7u, 0xc7f95bedu, 0x5dde263eu, 0x68cb247fu, 0xeba22d37u, 0x65f73da8u, 0x739f4b90u,
              0xd39c18dcu, 0x2ee78b95u, 0x88bb8da1u, 0x1f2ae445u, 0x46a5665au);
  EXPRAX_BITS(elementary_bits<17>(), 0x110a83ccu, 0x4e613559u, 0x87996ff0u, 0xcd525102u, 0x59e54695u, 0x261adf58u, 0xaf64229cu, 0xc4701469u,
              0x79f0e5c2u, 0xcc7469bfu, 0x67c126e3u, 0x3fea824du, 0xd69b0b69u);
  EXPRAX_BITS_AT_RUN_TIME(elementary_bits<64>(), 0x81747cbdu, 0x08eb6680u, 0xf0a2132cu, 0x708d1df4u, 0x9a1ad916u, 0xa42e4c0eu, 0xc8e44bf4u,
                          0x2b9faefcu, 0x4427a291u, 0x0276b45au, 0x546c668cu, 0xdc3537c5u, 0xe29563d4u);
  EXPRAX_BITS_AT_RUN_TIME(elementary_bits<100>(), 0x5ffb6507u, 0xaa834158u, 0x910a1944u, 0x6a743be4u, 0x3fd9b346u, 0x8ea6aa0eu, 0xfb21aeaeu,
                          0x1d75555du, 0x93985f9au, 0xd98d3b42u, 0x01d3196cu, 0x6babb865u, 0xc046debcu);
  EXPRAX_BITS_AT_RUN_TIME(elementary_bits<1003>(), 0x75ebd322u, 0x579c8697u, 0x9c287ecbu, 0x2a8252b6u, 0x90f8fb70u, 0x852e11eau,
                          0x822573a9u, 0x9e8faa99u, 0xfe4eff2cu, 0x9c2f6383u, 0x81620b01u, 0xa3a923ddu, 0x9d3c0dccu);
  EXPRAX_BITS(doubles_bits(), 0xcf01144au, 0x5e820ad4u, 0xb129a45fu, 0x10204249u, 0x0ecbc582u, 0x0336696bu, 0x561ab8c0u, 0xb531f863u,
              0xf837f2eeu, 0xc4445a65u, 0x83cea234u, 0x5b8a824du, 0xef86a302u);
}
