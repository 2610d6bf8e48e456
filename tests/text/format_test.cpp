// SPDX-License-Identifier: BSL-1.0
// Floats as Python's repr prints them.
#include <doctest/doctest.h>
#include <exprax/base/format.hpp>

using namespace exprax::detail;

constexpr bool prints(double x, std::string_view expected) {
  text_buffer out;
  write_float(out, x);
  return out.view() == expected;
}
static_assert(prints(3, "3.0") && prints(-0.0, "-0.0") && prints(0.5, "0.5") && prints(-2.5, "-2.5"));
static_assert(prints(0.1, "0.1") && prints(0.1f, "0.10000000149011612") && prints(1.0 / 3, "0.3333333333333333"));
static_assert(prints(1e15, "1000000000000000.0") && prints(1e16, "1e+16") && prints(123456789012345680.0, "1.2345678901234568e+17"));
static_assert(prints(1e-4, "0.0001") && prints(1e-5, "1e-05") && prints(1.5e-7, "1.5e-07"));
static_assert(prints(9007199254740993.0, "9007199254740992.0") && prints(1e22, "1e+22") && prints(1e23, "1e+23"));
// The ends of the range, subnormals, and a power of two, below which the gap is half as wide.
static_assert(prints(5e-324, "5e-324") && prints(9.88e-323, "1e-322") && prints(2.2250738585072014e-308, "2.2250738585072014e-308"));
static_assert(prints(1.7976931348623157e308, "1.7976931348623157e+308") && prints(0x1p-44, "5.684341886080802e-14"));
static_assert(prints(1e-45f, "1.401298464324817e-45") && prints(3.4028235e38f, "3.4028234663852886e+38"));
static_assert(prints(__builtin_inf(), "inf") && prints(-__builtin_inf(), "-inf") && prints(__builtin_nan(""), "nan"));

// The two kinds of whole numbers give the same digits.
TEST_CASE("small and big whole numbers agree") {
  std::uint64_t state = 1;
  for (int i = 0; i < 20000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    float_parts b = parts_of(std::bit_cast<double>((state & 0x000f'ffff'ffff'ffff) | (std::uint64_t{1000 + state % 40} << 52)));
    decimal const d = shortest_digits(b), e = generate_digits<big_natural>(b, digit_limit{});
    REQUIRE(std::string_view(d.digits, static_cast<std::size_t>(d.size)) == std::string_view(e.digits, static_cast<std::size_t>(e.size)));
    REQUIRE(d.point == e.point);
  }
}
