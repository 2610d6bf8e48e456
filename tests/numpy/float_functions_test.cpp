// SPDX-License-Identifier: BSL-1.0
// Functions of floats: values from NumPy and mathematics, special values as C99 Annex F has them. Their errors are measured in
// tests/accuracy.
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr float inf = __builtin_inff(), nan = __builtin_nanf("");

// Equal, or both NaN, and zeros of one sign.
template <class T, int N>
constexpr bool same(ex::array<T, N> const& a, ex::array<T, N> const& b) {
  for (int i = 0; i < N; ++i) {
    if (a(i) != a(i) && b(i) != b(i)) continue;
    if (ex::detail::to_bits(a(i)) != ex::detail::to_bits(b(i))) return false;
  }
  return true;
}
template <class T, int N>
constexpr bool close(ex::array<T, N> const& a, ex::array<T, N> const& b) {
  for (int i = 0; i < N; ++i) {
    if (a(i) != a(i) && b(i) != b(i)) continue;
    if (a(i) == b(i) && (a(i) != 0 || ex::detail::to_bits(a(i)) == ex::detail::to_bits(b(i)))) continue;
    T const error = a(i) < b(i) ? b(i) - a(i) : a(i) - b(i), size = b(i) < 0 ? -b(i) : b(i);
    if (!(error <= size * T(1e-6)) || size == 0) return false;
  }
  return true;
}

constexpr ex::array<float, 8> x{-0.0f, 1, -1, 0.5f, inf, -inf, nan, 2};
static_assert(close(ex::exp2(x), {1, 2, 0.5f, 1.4142135f, inf, 0, nan, 4}));
static_assert(close(ex::cbrt(x), {-0.0f, 1, -1, 0.7937005f, inf, -inf, nan, 1.2599211f}));
static_assert(close(ex::tan(x), {-0.0f, 1.5574077f, -1.5574077f, 0.5463025f, nan, nan, nan, -2.1850398f}));
static_assert(close(ex::arcsin(x), {-0.0f, 1.5707964f, -1.5707964f, 0.5235988f, nan, nan, nan, nan}));
static_assert(close(ex::acos(x), {1.5707964f, 0, 3.1415927f, 1.0471976f, nan, nan, nan, nan}));
static_assert(close(ex::arctan(x), {-0.0f, 0.7853982f, -0.7853982f, 0.4636476f, 1.5707964f, -1.5707964f, nan, 1.1071488f}));
static_assert(close(ex::sinh(x), {-0.0f, 1.1752012f, -1.1752012f, 0.5210953f, inf, -inf, nan, 3.6268604f}));
static_assert(close(ex::cosh(x), {1, 1.5430806f, 1.5430806f, 1.127626f, inf, inf, nan, 3.7621956f}));
static_assert(close(ex::asinh(x), {-0.0f, 0.8813736f, -0.8813736f, 0.4812118f, inf, -inf, nan, 1.4436355f}));
static_assert(close(ex::arccosh(x), {nan, 0, nan, nan, inf, nan, nan, 1.316958f}));
static_assert(close(ex::atanh(x), {-0.0f, inf, -inf, 0.5493061f, nan, nan, nan, nan}));
static_assert(close(ex::erf(x), {-0.0f, 0.8427008f, -0.8427008f, 0.5204999f, 1, -1, nan, 0.9953223f}));
static_assert(close(ex::erfc(x), {1, 0.1572992f, 1.8427008f, 0.4795001f, 0, 2, nan, 0.004677735f}));
static_assert(close(ex::erf_inv(x), {-0.0f, inf, -inf, 0.4769363f, nan, nan, nan, nan}));
static_assert(close(ex::lgamma(x), {inf, 0, inf, 0.5723649f, inf, inf, nan, 0}));
static_assert(close(ex::digamma(x), {nan, -0.5772157f, nan, -1.9635100f, inf, nan, nan, 0.4227843f}));
static_assert(close(ex::tgamma(x), {-inf, 1, nan, 1.7724539f, inf, nan, nan, 1}));
static_assert(close(ex::log2(ex::array<float, 4>{8, 0, -1, 0.5f}), {3, -inf, nan, -1}));
static_assert(close(ex::log10(ex::array<float, 3>{1000, 0, inf}), {3, -inf, inf}));
static_assert(ex::exp2(ex::array<std::int32_t, 2>{3, -1}) == ex::array<float, 2>{8, 0.5f});

constexpr ex::array<float, 8> y0{0, -0.0f, 0, -0.0f, 1, -1, inf, -inf}, x0{1, 1, -0.0f, -1, 0, -0.0f, inf, -inf};
static_assert(close(ex::arctan2(y0, x0), {0, -0.0f, 3.1415927f, -3.1415927f, 1.5707964f, -1.5707964f, 0.7853982f, -2.3561945f}));

static_assert(ex::signbit(x) == ex::array<bool, 8>{true, false, true, false, false, true, false, false});
static_assert(ex::signbit(ex::array<std::int8_t, 2>{-3, 4}) == ex::array<bool, 2>{true, false});
static_assert(same(ex::copysign(x, ex::array<float, 1>{-0.0f}), {-0.0f, -1, -1, -0.5f, -inf, -inf, nan, -2}));
static_assert(ex::isinf(x) == ex::array<bool, 8>{false, false, false, false, true, true, false, false});
static_assert(ex::isposinf(x) == ex::array<bool, 8>{false, false, false, false, true, false, false, false});
static_assert(ex::isneginf(x) == ex::array<bool, 8>{false, false, false, false, false, true, false, false});
static_assert(ex::isinf(ex::array<std::int32_t, 1>{1}) == ex::array<bool, 1>{false});
static_assert(same(ex::nan_to_num(x), {-0.0f, 1, -1, 0.5f, 0x1.fffffep127f, -0x1.fffffep127f, 0, 2}));
static_assert(same(ex::nan_to_num(x, 7, 8, 9), {-0.0f, 1, -1, 0.5f, 8, 9, 7, 2}));
static_assert(same(ex::fabs(ex::array<std::int32_t, 2>{-3, 4}), {3, 4}));
static_assert(same(ex::spacing(ex::array<float, 3>{1, -1, 0}), {0x1p-23f, -0x1p-23f, 0x1p-149f}));

constexpr ex::array<float, 7> parts{8, -0.75f, 0, 0x1p-149f, inf, nan, 3};
constexpr auto fractions = ex::frexp(parts);
static_assert(same(std::get<0>(fractions), {0.5f, -0.75f, 0, 0.5f, inf, nan, 0.75f}));
static_assert(std::get<1>(fractions) == ex::array<std::int32_t, 7>{4, 0, 0, -148, 0, 0, 2});
static_assert(same(ex::ldexp(ex::array<float, 5>{0.5f, 3, -0.0f, inf, 0x1p-149f}, ex::array<std::int32_t, 5>{4, 126, 3, -1, 270}), {8, 0x1.8p127f, -0.0f, inf, 0x1p121f}));
constexpr auto wholes = ex::modf(ex::array<float, 3>{2.75f, -2.75f, -0.5f});
static_assert(same(std::get<0>(wholes), {0.75f, -0.75f, -0.5f}) && same(std::get<1>(wholes), {2, -2, -0.0f}));

static_assert(close(ex::hypot(ex::array<float, 5>{3, 1e30f, 0, inf, nan}, ex::array<float, 5>{4, 1e30f, 0, nan, 1}), {5, 1.4142135e30f, 0, inf, nan}));
static_assert(close(ex::logaddexp(ex::array<float, 4>{0, 1000, -inf, inf}, ex::array<float, 4>{0, 1000, -inf, inf}), {0.6931472f, 1000.6931f, -inf, inf}));
static_assert(close(ex::logaddexp2(ex::array<float, 2>{0, 100}, 0), {1, 100}));
static_assert(close(ex::heaviside(ex::array<float, 4>{-1, 0, 3, nan}, 0.5f), {0, 0.5f, 1, nan}));
static_assert(close(ex::sinc(ex::array<float, 4>{0, 0.5f, inf, 1.5f}), {1, 0.6366198f, 0, -0.2122066f}));
static_assert(same(ex::fmax(ex::array<float, 4>{1, nan, 3, nan}, ex::array<float, 4>{2, 2, nan, nan}), {2, 2, 3, nan}));
static_assert(same(ex::fmin(ex::array<float, 4>{1, nan, 3, nan}, ex::array<float, 4>{2, 2, nan, nan}), {1, 2, 3, nan}));
static_assert(same(ex::fmod(ex::array<float, 4>{-5, 5, 1, -0.0f}, ex::array<float, 4>{3, -3, inf, 2}), {-2, 2, 1, -0.0f}));
static_assert(ex::fmod(ex::array<std::int32_t, 3>{-5, 5, 5}, ex::array<std::int32_t, 3>{3, -3, 0}) == ex::array<std::int32_t, 3>{-2, 2, 0});
static_assert(close(ex::float_power(ex::array<std::int32_t, 2>{2, 3}, -1), {0.5f, 0.33333334f}));
static_assert(close(ex::deg2rad(ex::array<float, 2>{180, 90}), {3.1415927f, 1.5707964f}) && close(ex::degrees(ex::array<float, 2>{3.1415927f, 0}), {180, 0}));
static_assert(ex::gcd(ex::array<std::int32_t, 4>{12, -18, 0, 7}, ex::array<std::int32_t, 1>{6}) == ex::array<std::int32_t, 4>{6, 6, 6, 1});
static_assert(ex::lcm(ex::array<std::int32_t, 4>{12, -18, 0, 7}, ex::array<std::int32_t, 1>{8}) == ex::array<std::int32_t, 4>{24, 72, 0, 56});

}  // namespace
