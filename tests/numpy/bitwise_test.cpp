// SPDX-License-Identifier: BSL-1.0
// Shifts, counts of bits, bitcasts, rounding: values from NumPy and JAX, jaxprs in JAX's form.
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr float infinite = __builtin_inff();
constexpr ex::array<std::int8_t, 5> s{1, -128, 127, -1, 5};
constexpr ex::array<std::uint8_t, 4> u{1, 200, 255, 16};
constexpr ex::array<bool, 2> b{true, false};
constexpr ex::array<float, 6> x{2.5f, -2.5f, 0.49999997f, -0.3f, 3.5f, 1e10f};

constexpr auto shifts = [](auto s, auto u, auto b) {
  return std::tuple(s << 1, s >> 1, s >> 9, u << 1, u >> 4, u >> 8, b << 3, ex::lax::shift_right_logical(s, std::int8_t(1)),
                    ex::lax::shift_right_arithmetic(u, std::uint8_t(1)), 1 << s, ex::left_shift(u, s(1)) >> 1);
};
constexpr std::tuple shifts_expected(ex::array<std::int8_t, 5>{2, 0, -2, -2, 10}, ex::array<std::int8_t, 5>{0, -64, 63, -1, 2},
                                     ex::array<std::int8_t, 5>{0, -1, 0, -1, 0}, ex::array<std::uint8_t, 4>{2, 144, 254, 32},
                                     ex::array<std::uint8_t, 4>{0, 12, 15, 1}, ex::array<std::uint8_t, 4>{0, 0, 0, 0}, ex::array<std::int32_t, 2>{8, 0},
                                     ex::array<std::int8_t, 5>{0, 64, 63, 127, 2}, ex::array<std::uint8_t, 4>{0, 228, 255, 8},
                                     ex::array<std::int8_t, 5>{2, 0, 0, 0, 32}, ex::array<std::int16_t, 4>{0, 0, 0, 0});
static_assert(ex::jit(shifts)(s, u, b) == shifts_expected);

constexpr auto shifted_in_place = [](auto x) {
  x <<= 3;
  x >>= x;
  return x;
};
static_assert(ex::jit(shifted_in_place)(ex::array<std::int32_t, 3>{0, 1, -1}) == ex::array<std::int32_t, 3>{0, 0, -1});
static_assert(shifted_in_place(ex::array<std::uint32_t, 2>{0, 1}) == ex::array<std::uint32_t, 2>{0, 0});

constexpr auto counts = [](auto s, auto u, auto b) {
  return std::tuple(ex::bitwise_count(s), ex::bitwise_count(b), ex::population_count(s), ex::clz(u), ex::clz(s));
};
constexpr std::tuple counts_expected(ex::array<std::uint8_t, 5>{1, 1, 7, 1, 2}, ex::array<std::uint8_t, 2>{1, 0}, ex::array<std::int8_t, 5>{1, 1, 7, 8, 2},
                                     ex::array<std::uint8_t, 4>{7, 0, 0, 3}, ex::array<std::int8_t, 5>{7, 0, 1, 0, 5});
static_assert(ex::jit(counts)(s, u, b) == counts_expected);
constexpr auto converted_counts = [](auto x) {
  auto const n = ex::bitwise_count(x);
  return std::tuple(n.template astype<int>(), n.template astype<float>(), n.template astype<bool>().template astype<int>());
};
static_assert(ex::jit(converted_counts)(ex::array<std::uint64_t, 2>{~std::uint64_t{0}, 5}) ==
              std::tuple(ex::array<int, 2>{64, 2}, ex::array<float, 2>{64, 2}, ex::array<int, 2>{1, 1}));

constexpr auto rounded = [](auto x, auto s, auto b) {
  return std::tuple(ex::lax::round(x), ex::round(x), ex::rint(x), ex::trunc(x), ex::round(x, ex::decimals<1>), ex::round(x, ex::decimals<99>), ex::round(s), ex::rint(s), ex::trunc(b),
                    ex::lax::round<ex::lax::rounding_method::to_nearest_even>(x), ex::square(x), ex::square(s));
};
constexpr ex::array<float, 6> to_even{2, -2, 0, -0.0f, 4, 1e10f};
constexpr std::tuple rounded_expected(ex::array<float, 6>{3, -3, 0, -0.0f, 4, 1e10f}, to_even, to_even, ex::array<float, 6>{2, -2, 0, -0.0f, 3, 1e10f},
                                      ex::array<float, 6>{2.5f, -2.5f, 0.5f, -0.3f, 3.5f, 1e10f}, x, s, ex::array<float, 5>{1, -128, 127, -1, 5}, b, to_even,
                                      ex::array<float, 6>{6.25f, 6.25f, 0.24999997f, 0.09f, 12.25f, 1e20f}, ex::array<std::int8_t, 5>{1, 0, 1, 1, 25});
static_assert(ex::jit(rounded)(x, s, b) == rounded_expected);

constexpr auto casts = [](auto x) {
  return std::tuple(ex::bitcast_convert_type<std::uint8_t>(x), ex::bitcast_convert_type<float>(ex::bitcast_convert_type<std::uint8_t>(x)),
                    ex::bitcast_convert_type<std::int32_t>(x), ex::bitcast_convert_type<std::int64_t>(x), ex::bitcast_convert_type<double>(x),
                    ex::bitcast_convert_type<std::int16_t>(x(1)));
};
constexpr ex::array<float, 2> pair{1.0f, -2.5f};
constexpr std::tuple casts_expected(ex::array<std::uint8_t, 2, 4>{{0, 0, 0x80, 0x3f}, {0, 0, 0x20, 0xc0}}, pair,
                                    ex::array<std::int32_t, 2>{0x3f800000, static_cast<std::int32_t>(0xc0200000u)},
                                    ex::array<std::int64_t>::full(static_cast<std::int64_t>(0xc02000003f800000u)),
                                    ex::array<double>::full(std::bit_cast<double>(0xc02000003f800000u)),
                                    ex::array<std::int16_t, 2>{0, static_cast<std::int16_t>(0xc020)});
static_assert(ex::jit(casts)(pair) == casts_expected);
static_assert(ex::bitcast_convert_type<bool>(b) == b);
static_assert(ex::vmap([](auto y) { return ex::bitcast_convert_type<std::uint8_t>(y); }, ex::in_axes<-1>)(ex::array<std::int16_t, 1, 2>{{258, 772}}) ==
              ex::array<std::uint8_t, 2, 1, 2>{{{2, 1}}, {{4, 3}}});

// float16 holds 65504 at most, and 2^-14 without loss; the values of StableHLO's test data for float64: e5m10 of 1.2006...
constexpr auto reduced = [](auto x) {
  return std::tuple(ex::reduce_precision<5, 10>(x), ex::reduce_precision<8, 7>(x), ex::reduce_precision<8, 23>(x), ex::reduce_precision<11, 52>(x));
};
constexpr ex::array<float, 7> y{1.0001f, 65519.0f, -65520.0f, 1e-5f, 0x1p-14f, -0.0f, infinite};
constexpr std::tuple reduced_expected(ex::array<float, 7>{1.0f, 65504, -infinite, 0, 0x1p-14f, -0.0f, infinite},
                                      ex::array<float, 7>{1.0f, 65536, -65536, 0x1.5p-17f, 0x1p-14f, -0.0f, infinite}, y, y);
static_assert(ex::jit(reduced)(y) == reduced_expected);
static_assert(ex::reduce_precision<5, 10>(ex::array<double, 1>{std::bit_cast<double>(0x3ff33602fb07417eu)}) ==
              ex::array<double, 1>{std::bit_cast<double>(0x3ff3380000000000u)});
constexpr auto unknown = ex::jit([](auto x) { return std::tuple(ex::reduce_precision<5, 2>(x), ex::reduce_precision<5, 0>(x)); })(
    ex::array<float>::full(__builtin_nanf("")));
static_assert(std::get<0>(unknown)() != std::get<0>(unknown)() && std::get<1>(unknown)() == infinite);

TEST_CASE("the jaxprs are JAX's") {
  auto const f = [](auto x, auto n) {
    return std::tuple(ex::lax::round(x), ex::square(x), n << 2, n >> n, ex::bitcast_convert_type<std::int32_t>(x), ex::reduce_precision<5, 10>(x));
  };
  CHECK(ex::make_jaxpr(f)(x, ex::array<std::uint32_t, 6>{}).str() == R"({ lambda ; a:f32[6] b:u32[6]. let
    c:f32[6] = round[rounding_method=0] a
    d:f32[6] = square a
    e:u32[6] = shift_left b 2:u32[]
    f:u32[6] = shift_right_logical b b
    g:i32[6] = bitcast_convert_type[new_dtype=int32] a
    h:f32[6] = reduce_precision[exponent_bits=5 mantissa_bits=10] a
  in (c, d, e, f, g, h) })");
}

}  // namespace
