// SPDX-License-Identifier: BSL-1.0
// float16 and bfloat16: all 65,536 patterns, roundings, and how NumPy prints them and complex numbers.
#include <doctest/doctest.h>
#include <cmath>
#include <cstdint>
#include <exprax/types/print.hpp>

namespace ex = exprax;

namespace {

template <class A>
constexpr bool prints(A const& a, std::string_view expected) {
  return ex::array_str(a) == expected;
}

static_assert(sizeof(ex::float16) == 2 && std::is_trivially_copyable_v<ex::float16> && std::is_trivial_v<ex::bfloat16>);
static_assert(ex::float16(1.0f).bits() == 0x3c00 && ex::float16(-2).bits() == 0xc000 && ex::bfloat16(1.0).bits() == 0x3f80);
// Ties go to even: 2049 lies between 2048 and 2050, 2051 between 2050 and 2052.
static_assert(ex::float16(2049) == 2048.0f && ex::float16(2051) == 2052.0f && ex::bfloat16(257) == 256.0f && ex::bfloat16(259) == 260.0f);
// Beyond the largest by half a step: infinite.
static_assert(ex::float16(65519.996f) == 65504.0f && ex::float16(65520.0f).bits() == 0x7c00 && ex::float16(-1e30).bits() == 0xfc00);
static_assert(ex::bfloat16(3.3895314e38f).bits() == 0x7f7f && ex::bfloat16(3.4e38f).bits() == 0x7f80 && ex::bfloat16(1e300).bits() == 0x7f80);
// Subnormal numbers, half of the smallest, and more than that.
static_assert(ex::float16(0x1p-24f).bits() == 1 && ex::float16(0x1p-25f).bits() == 0 && ex::float16(0x1.000002p-25f).bits() == 1);
static_assert(ex::float16(0x1.8p-24f).bits() == 2 && ex::float16(-0x1p-30).bits() == 0x8000 && ex::float16(0x1.ffcp-15f).bits() == 0x400);
static_assert(ex::bfloat16(0x1p-133f).bits() == 1 && ex::bfloat16(0x1p-134).bits() == 0 && ex::bfloat16(0x1.1p-134).bits() == 1);
static_assert(ex::float16(-0.0f).bits() == 0x8000 && ex::float16(__builtin_nanf("")).bits() == 0x7e00 && (ex::float16(0x7.0p9f) == 3584.0f));
// A double is rounded once: to float first, 1 + 2^-11 + 2^-40 would become a tie; the same of a large integer.
static_assert(ex::float16(1 + 0x1p-11 + 0x1p-40).bits() == 0x3c01 && ex::float16(static_cast<float>(1 + 0x1p-11 + 0x1p-40)).bits() == 0x3c00);
static_assert(ex::bfloat16((std::int64_t{0x101} << 54) + 1).bits() == 0x5e81 && ex::bfloat16(std::int64_t{0x101} << 54).bits() == 0x5e80);
static_assert(ex::bfloat16(-(std::int64_t{0x101} << 54) - 1).bits() == 0xde81);

static_assert(prints(ex::array<ex::float16, 3>{0.1, 1, 1000}, "[1.e-01 1.e+00 1.e+03]"));
static_assert(prints(ex::array<ex::float16, 3>{0.1, 1.5, -65}, "[  0.1   1.5 -65. ]"));
static_assert(prints(ex::array<ex::bfloat16, 2>{0.5, 3}, "[0.5 3. ]"));
static_assert(prints(ex::array<ex::float16>(0.1), "0.1"));
using c64 = ex::complex64;
static_assert(prints(ex::array<c64, 2>{c64(1, 2), c64(3, -4.5f)}, "[1.+2.j  3.-4.5j]"));
static_assert(prints(ex::array<ex::complex128>(ex::complex128(1, 2)), "(1+2j)") && prints(ex::array<c64>(c64(0, 2)), "2j"));
static_assert(prints(ex::array<c64>(c64(-0.0f, 2.5f)), "(-0+2.5j)") && prints(ex::array<c64>(c64(0.5f, -0.0f)), "(0.5-0j)"));
static_assert(prints(ex::array<c64, 2>{c64(__builtin_inff(), 2), c64(1, __builtin_nanf(""))}, "[inf +2.j  1.+nanj]"));

// What IEEE 754 says a pattern is.
double value_of(unsigned bits, int exponent_bits, int fraction_bits) {
  int const field = static_cast<int>(bits >> fraction_bits) & ((1 << exponent_bits) - 1), bias = (1 << (exponent_bits - 1)) - 1;
  double const fraction = bits & ((1u << fraction_bits) - 1), sign = bits >> 15 ? -1 : 1;
  if (field == (1 << exponent_bits) - 1) return fraction != 0 ? std::nan("") : sign * INFINITY;
  if (field == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
  return sign * std::ldexp(std::ldexp(1, fraction_bits) + fraction, field - bias - fraction_bits);
}
// Each pattern is its value; a value gives its pattern; between two neighbours the nearer one is taken, in the middle the even.
template <class H>
int mistakes() {
  int n = 0;
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    H const h = H::from_bits(static_cast<std::uint16_t>(bits));
    double const x = value_of(bits, H::exponent_bits, H::fraction_bits);
    if (std::isnan(x)) {
      n += !std::isnan(static_cast<float>(h)) || !std::isnan(static_cast<float>(H(x)));
      continue;
    }
    n += static_cast<double>(h) != x || H(x).bits() != bits || H(static_cast<float>(x)).bits() != bits;
    if (std::isinf(x) || (bits & 0x7fff) == 0) continue;
    double const below = value_of(bits - 1, H::exponent_bits, H::fraction_bits), middle = below + (x - below) / 2;  // below: nearer to 0
    unsigned const even = bits % 2 == 0 ? bits : bits - 1;
    n += H(middle).bits() != even || H(std::nextafter(middle, x)).bits() != bits || H(std::nextafter(middle, 0.0)).bits() != bits - 1;
  }
  return n;
}

}  // namespace

TEST_CASE("every half number") {
  CHECK(mistakes<ex::float16>() == 0);
  CHECK(mistakes<ex::bfloat16>() == 0);
}
