// SPDX-License-Identifier: BSL-1.0
// The table of laws: for each primitive of primitives/list.hpp functions whose traces contain it, with the types of their
// arguments. A primitive without a row does not compile; *_test.cpp hold every row to every law.
#pragma once

#include <limits>

#include <exprax/exprax.hpp>

namespace laws::table {

namespace ex = exprax;
using ex::prim;

// A function without state, and the types of its arguments while it is traced.
template <auto F, class... Args>
struct on {
  using function = std::remove_const_t<decltype(F)>;
  using traced = ex::detail::traced<function, Args...>;
};
template <class... On>
struct entries {};

// A lambda has another type in each program that includes this.
namespace {

template <int... D>
using f32 = ex::expr<float, D...>;
template <int... D>
using f64 = ex::expr<double, D...>;
template <int... D>
using i32 = ex::expr<std::int32_t, D...>;
template <int... D>
using i64 = ex::expr<std::int64_t, D...>;
template <int... D>
using i8 = ex::expr<std::int8_t, D...>;
template <int... D>
using u8 = ex::expr<std::uint8_t, D...>;
template <int... D>
using u32 = ex::expr<std::uint32_t, D...>;
template <int... D>
using b1 = ex::expr<bool, D...>;

template <prim P>
struct row;

// --- Elementwise, one operand ---

constexpr auto negative = [](auto x) { return -x; };
template <>
struct row<prim::neg> : entries<on<negative, f32<5>>, on<negative, i8<3, 7>>> {};
constexpr auto sign = [](auto x) { return ex::sign(x); };
template <>
struct row<prim::sign> : entries<on<sign, f32<3, 7>>, on<sign, i32<5>>> {};
constexpr auto floor = [](auto x) { return ex::floor(x); };
template <>
struct row<prim::floor> : entries<on<floor, f32<5>>> {};
constexpr auto ceil = [](auto x) { return ex::ceil(x); };
template <>
struct row<prim::ceil> : entries<on<ceil, f64<5>>> {};
constexpr auto round = [](auto x) { return ex::lax::round(x); };
constexpr auto rint = [](auto x) { return ex::rint(x); };
template <>
struct row<prim::round> : entries<on<round, f32<3, 7>>, on<rint, f64<5>>> {};
// What round is made of.
template <>
struct row<prim::round_nearest_afz> : entries<on<round, f32<5>>> {};
template <>
struct row<prim::round_nearest_even> : entries<on<rint, f32<5>>> {};
constexpr auto abs = [](auto x) { return ex::abs(x); };
template <>
struct row<prim::abs> : entries<on<abs, f32<3, 7>>, on<abs, i32<5>>> {};
constexpr auto exp = [](auto x) { return ex::exp(x); };
template <>
struct row<prim::exp> : entries<on<exp, f32<5>>, on<exp, f64<3>>> {};
constexpr auto exp2 = [](auto x) { return ex::exp2(x); };
template <>
struct row<prim::exp2> : entries<on<exp2, f32<5>>> {};
constexpr auto expm1 = [](auto x) { return ex::expm1(x); };
template <>
struct row<prim::expm1> : entries<on<expm1, f32<5>>> {};
constexpr auto log = [](auto x) { return ex::log(x); };
template <>
struct row<prim::log> : entries<on<log, f32<5>>, on<log, f64<3>>> {};
constexpr auto log1p = [](auto x) { return ex::log1p(x); };
template <>
struct row<prim::log1p> : entries<on<log1p, f32<5>>> {};
constexpr auto sqrt = [](auto x) { return ex::sqrt(x); };
template <>
struct row<prim::sqrt> : entries<on<sqrt, f32<3, 7>>> {};
constexpr auto rsqrt = [](auto x) { return ex::rsqrt(x); };
template <>
struct row<prim::rsqrt> : entries<on<rsqrt, f32<5>>> {};
constexpr auto cbrt = [](auto x) { return ex::cbrt(x); };
template <>
struct row<prim::cbrt> : entries<on<cbrt, f32<5>>> {};
constexpr auto sin = [](auto x) { return ex::sin(x); };
template <>
struct row<prim::sin> : entries<on<sin, f32<5>>, on<sin, f64<3>>> {};
constexpr auto cos = [](auto x) { return ex::cos(x); };
template <>
struct row<prim::cos> : entries<on<cos, f32<5>>> {};
constexpr auto tan = [](auto x) { return ex::tan(x); };
template <>
struct row<prim::tan> : entries<on<tan, f32<5>>, on<tan, f64<3>>> {};
constexpr auto asin = [](auto x) { return ex::asin(x); };
template <>
struct row<prim::asin> : entries<on<asin, f32<5>>, on<asin, f64<3>>> {};
constexpr auto acos = [](auto x) { return ex::acos(x); };
template <>
struct row<prim::acos> : entries<on<acos, f32<5>>> {};
constexpr auto atan = [](auto x) { return ex::atan(x); };
template <>
struct row<prim::atan> : entries<on<atan, f64<3>>> {};
constexpr auto sinh = [](auto x) { return ex::sinh(x); };
template <>
struct row<prim::sinh> : entries<on<sinh, f32<5>>> {};
constexpr auto cosh = [](auto x) { return ex::cosh(x); };
template <>
struct row<prim::cosh> : entries<on<cosh, f64<3>>> {};
constexpr auto tanh = [](auto x) { return ex::tanh(x); };
template <>
struct row<prim::tanh> : entries<on<tanh, f32<5>>, on<tanh, f64<3>>> {};
constexpr auto asinh = [](auto x) { return ex::asinh(x); };
template <>
struct row<prim::asinh> : entries<on<asinh, f32<5>>> {};
constexpr auto acosh = [](auto x) { return ex::acosh(x); };
template <>
struct row<prim::acosh> : entries<on<acosh, f64<3>>> {};
constexpr auto atanh = [](auto x) { return ex::atanh(x); };
template <>
struct row<prim::atanh> : entries<on<atanh, f32<5>>> {};
constexpr auto logistic = [](auto x) { return ex::logistic(x); };
template <>
struct row<prim::logistic> : entries<on<logistic, f32<5>>> {};
constexpr auto erf = [](auto x) { return ex::erf(x); };
template <>
struct row<prim::erf> : entries<on<erf, f32<5>>, on<erf, f64<3>>> {};
constexpr auto erfc = [](auto x) { return ex::erfc(x); };
template <>
struct row<prim::erfc> : entries<on<erfc, f64<3>>> {};
constexpr auto erf_inv = [](auto x) { return ex::erf_inv(x); };
template <>
struct row<prim::erf_inv> : entries<on<erf_inv, f32<5>>, on<erf_inv, f64<3>>> {};
constexpr auto lgamma = [](auto x) { return ex::lgamma(x); };
template <>
struct row<prim::lgamma> : entries<on<lgamma, f32<5>>, on<lgamma, f64<3>>> {};
constexpr auto digamma = [](auto x) { return ex::digamma(x); };
template <>
struct row<prim::digamma> : entries<on<digamma, f32<5>>> {};
constexpr auto tgamma = [](auto x) { return ex::tgamma(x); };
template <>
struct row<prim::tgamma> : entries<on<tgamma, f32<5>>, on<tgamma, f64<3>>> {};
constexpr auto square = [](auto x) { return ex::square(x); };
template <>
struct row<prim::square> : entries<on<square, f32<5>>, on<square, i32<3, 7>>> {};
constexpr auto cube = [](auto x) { return ex::integer_pow<3>(x); };
constexpr auto inverse_square = [](auto x) { return ex::integer_pow<-2>(x); };
template <>
struct row<prim::integer_pow> : entries<on<cube, i32<5>>, on<inverse_square, f32<5>>> {};
constexpr auto invert = [](auto x) { return ~x; };
template <>
struct row<prim::not_> : entries<on<invert, i32<5>>, on<invert, b1<3, 7>>> {};
constexpr auto population_count = [](auto x) { return ex::population_count(x); };
template <>
struct row<prim::population_count> : entries<on<population_count, i32<5>>, on<population_count, u8<3, 7>>, on<population_count, i64<3>>> {};
constexpr auto clz = [](auto x) { return ex::clz(x); };
template <>
struct row<prim::clz> : entries<on<clz, i32<5>>, on<clz, i8<3, 7>>, on<clz, i64<3>>> {};
constexpr auto isfinite = [](auto x) { return ex::isfinite(x); };
template <>
struct row<prim::is_finite> : entries<on<isfinite, f32<3, 7>>> {};
constexpr auto to_i32 = [](auto x) { return ex::astype<std::int32_t>(x); };
constexpr auto to_f32 = [](auto x) { return ex::astype<float>(x); };
constexpr auto to_bool = [](auto x) { return ex::astype<bool>(x); };
constexpr auto to_u8 = [](auto x) { return ex::astype<std::uint8_t>(x); };
template <>
struct row<prim::convert_element_type>
    : entries<on<to_i32, f32<5>>, on<to_i32, f64<3>>, on<to_f32, i32<5>>, on<to_f32, b1<3, 7>>, on<to_bool, f32<5>>, on<to_u8, f32<5>>,
              on<to_u8, i32<5>>, on<to_f32, u32<5>>, on<to_f32, f64<5>>> {};

constexpr auto bits_as_i32 = [](auto x) { return ex::bitcast_convert_type<std::int32_t>(x); };
constexpr auto bits_as_f32 = [](auto x) { return ex::bitcast_convert_type<float>(x); };
constexpr auto bits_as_u8 = [](auto x) { return ex::bitcast_convert_type<std::uint8_t>(x); };
template <>
struct row<prim::bitcast_convert_type> : entries<on<bits_as_i32, f32<3, 7>>, on<bits_as_u8, f32<5>>, on<bits_as_f32, u8<3, 4>>> {};
template <>
struct row<prim::bitcast> : entries<on<bits_as_i32, f32<5>>, on<bits_as_f32, u32<5>>, on<bits_as_i32, u32<5>>> {};
constexpr auto as_half = [](auto x) { return ex::reduce_precision<5, 10>(x); };
constexpr auto as_short = [](auto x) { return ex::reduce_precision<11, 3>(x); };
template <>
struct row<prim::reduce_precision> : entries<on<as_half, f32<5>>, on<as_short, f64<3>>> {};
constexpr auto through_float16 = [](auto x) { return ex::astype<float>(ex::astype<ex::float16>(x)); };
constexpr auto through_bfloat16 = [](auto x) { return ex::astype<float>(ex::astype<ex::bfloat16>(x)); };
template <>
struct row<prim::decode_float16> : entries<on<through_float16, f32<5>>> {};
template <>
struct row<prim::decode_bfloat16> : entries<on<through_bfloat16, f32<5>>> {};
template <>
struct row<prim::encode_float16> : entries<on<through_float16, f64<3, 7>>> {};
template <>
struct row<prim::encode_bfloat16> : entries<on<through_bfloat16, f64<3, 7>>> {};
constexpr auto complex_parts = [](auto x, auto y) {
  auto const z = ex::lax::complex(x, y);
  return ex::tuple(ex::real(z * z), ex::imag(ex::conj(z) / 3.0f));
};
template <>
struct row<prim::real> : entries<on<complex_parts, f32<5>, f32<5>>> {};
template <>
struct row<prim::imag> : entries<on<complex_parts, f64<3, 7>, f64<3, 7>>> {};
template <>
struct row<prim::conj> : entries<on<complex_parts, f32<3>, f32<3>>> {};
template <>
struct row<prim::complex> : entries<on<complex_parts, f32<2, 3>, f32<2, 3>>> {};

// --- Elementwise, two and three operands ---

constexpr auto add = [](auto x, auto y) { return x + y; };
template <>
struct row<prim::add> : entries<on<add, f32<5>, f32<5>>, on<add, f32<3, 7>, f32<7>>, on<add, i8<5>, i8<5>>> {};
constexpr auto subtract = [](auto x, auto y) { return x - y; };
template <>
struct row<prim::sub> : entries<on<subtract, f32<5>, f32<>>, on<subtract, i32<3, 1>, i32<1, 7>>> {};
constexpr auto multiply = [](auto x, auto y) { return x * y; };
template <>
struct row<prim::mul> : entries<on<multiply, f32<5>, f32<5>>, on<multiply, i32<3, 7>, i32<7>>> {};
constexpr auto divide = [](auto x, auto y) { return x / y; };
constexpr auto floor_divide = [](auto x, auto y) { return ex::floor_divide(x, y); };
template <>
struct row<prim::div> : entries<on<divide, f32<5>, f32<5>>, on<floor_divide, i32<5>, i32<5>>, on<floor_divide, u8<3>, u8<3>>> {};
constexpr auto remainder = [](auto x, auto y) { return x % y; };
template <>
struct row<prim::rem> : entries<on<remainder, f32<5>, f32<5>>, on<remainder, i32<5>, i32<5>>> {};
constexpr auto power = [](auto x, auto y) { return ex::pow(x, y); };
template <>
struct row<prim::pow> : entries<on<power, f32<5>, f32<5>>> {};
constexpr auto atan2 = [](auto y, auto x) { return ex::atan2(y, x); };
template <>
struct row<prim::atan2> : entries<on<atan2, f32<5>, f32<5>>, on<atan2, f64<3>, f64<>>> {};
constexpr auto nextafter = [](auto x, auto y) { return ex::nextafter(x, y); };
template <>
struct row<prim::nextafter> : entries<on<nextafter, f32<5>, f32<5>>, on<nextafter, f64<3>, f64<>>> {};
constexpr auto maximum = [](auto x, auto y) { return ex::maximum(x, y); };
template <>
struct row<prim::max> : entries<on<maximum, f32<5>, f32<5>>, on<maximum, i32<5>, i32<>>> {};
constexpr auto minimum = [](auto x, auto y) { return ex::minimum(x, y); };
template <>
struct row<prim::min> : entries<on<minimum, f32<5>, f32<5>>, on<minimum, u8<5>, u8<5>>> {};
constexpr auto bitwise_and = [](auto x, auto y) { return x & y; };
template <>
struct row<prim::and_> : entries<on<bitwise_and, i32<5>, i32<5>>, on<bitwise_and, b1<3, 7>, b1<7>>> {};
constexpr auto bitwise_or = [](auto x, auto y) { return x | y; };
template <>
struct row<prim::or_> : entries<on<bitwise_or, i32<5>, i32<5>>, on<bitwise_or, b1<3, 7>, b1<7>>> {};
constexpr auto bitwise_xor = [](auto x, auto y) { return x ^ y; };
template <>
struct row<prim::xor_> : entries<on<bitwise_xor, i32<5>, i32<5>>, on<bitwise_xor, b1<5>, b1<5>>> {};
constexpr auto shift_left = [](auto x, auto n) { return x << n; };
template <>
struct row<prim::shift_left> : entries<on<shift_left, i32<5>, i32<5>>, on<shift_left, u8<3, 7>, u8<7>>> {};
constexpr auto shift_right_logical = [](auto x, auto n) { return ex::lax::shift_right_logical(x, n); };
template <>
struct row<prim::shift_right_logical> : entries<on<shift_right_logical, i32<5>, i32<5>>, on<shift_right_logical, i8<5>, i8<>>> {};
constexpr auto shift_right_arithmetic = [](auto x, auto n) { return ex::lax::shift_right_arithmetic(x, n); };
template <>
struct row<prim::shift_right_arithmetic> : entries<on<shift_right_arithmetic, i32<5>, i32<5>>, on<shift_right_arithmetic, u8<5>, u8<5>>> {};
constexpr auto equal = [](auto x, auto y) { return x == y; };
template <>
struct row<prim::eq> : entries<on<equal, f32<5>, f32<5>>, on<equal, i32<3, 7>, i32<7>>> {};
constexpr auto not_equal = [](auto x, auto y) { return x != y; };
template <>
struct row<prim::ne> : entries<on<not_equal, f32<5>, f32<5>>, on<not_equal, b1<5>, b1<5>>> {};
constexpr auto less = [](auto x, auto y) { return x < y; };
template <>
struct row<prim::lt> : entries<on<less, f32<5>, f32<5>>, on<less, i32<5>, i32<5>>> {};
constexpr auto less_equal = [](auto x, auto y) { return x <= y; };
template <>
struct row<prim::le> : entries<on<less_equal, f32<3, 7>, f32<>>> {};
constexpr auto greater = [](auto x, auto y) { return x > y; };
template <>
struct row<prim::gt> : entries<on<greater, f32<5>, f32<5>>, on<greater, u32<5>, u32<5>>> {};
constexpr auto greater_equal = [](auto x, auto y) { return x >= y; };
template <>
struct row<prim::ge> : entries<on<greater_equal, f32<5>, f32<5>>> {};
constexpr auto where = [](auto c, auto x, auto y) { return ex::where(c, x, y); };
constexpr auto one_of_three = [](auto k, auto x) { return ex::select_n(ex::clip(k, 0, 2), x, -x, x + x); };
template <>
struct row<prim::select_n> : entries<on<where, b1<5>, f32<5>, f32<5>>, on<where, b1<>, i32<5>, i32<5>>, on<one_of_three, i32<5>, f32<5>>> {
};
// Recorded by no function of numpy.
constexpr auto clamp = [](auto low, auto x, auto high) { return ex::detail::bind<decltype(x)>(prim::clamp, {}, low, x, high); };
template <>
struct row<prim::clamp> : entries<on<clamp, f32<>, f32<5>, f32<>>, on<clamp, i32<5>, i32<5>, i32<5>>> {};
// Made by the contraction pass.
constexpr auto product_and_sum = [](auto x, auto y, auto z) { return x * y + z; };
constexpr auto product_from_sum = [](auto x, auto y, auto z) { return z - x * y; };
template <>
struct row<prim::fma> : entries<on<product_and_sum, f32<5>, f32<5>, f32<5>>, on<product_from_sum, f32<3, 7>, f32<>, f32<7>>> {};
// Made by simplify.
constexpr auto at_least = [](auto x) { return ex::maximum(x, 0.5f); };
constexpr auto at_least_zero = [](auto x) { return ex::tuple(ex::maximum(0.0f, x), ex::maximum(x, -0.0f)); };
template <>
struct row<prim::at_least> : entries<on<at_least, f32<5>>, on<at_least_zero, f32<3, 7>>, on<at_least_zero, f64<5>>> {};
constexpr auto at_most = [](auto x) { return ex::minimum(x, -0.5f); };
constexpr auto at_most_zero = [](auto x) { return ex::tuple(ex::minimum(0.0f, x), ex::minimum(x, -0.0f)); };
template <>
struct row<prim::at_most> : entries<on<at_most, f32<5>>, on<at_most_zero, f32<3, 7>>, on<at_most_zero, f64<5>>> {};

// --- Movement ---

constexpr auto broadcast_to = [](auto x) { return ex::broadcast_to<4, 5>(x); };
template <>
struct row<prim::broadcast_in_dim> : entries<on<broadcast_to, f32<5>>, on<broadcast_to, i32<4, 1>>> {};
constexpr auto reshape = [](auto x) { return ex::reshape<7, 3>(x); };
template <>
struct row<prim::reshape> : entries<on<reshape, f32<3, 7>>> {};
constexpr auto transpose = [](auto x) { return ex::transpose(x); };
constexpr auto swap_first_axes = [](auto x) { return ex::swapaxes<0, 1>(x); };
template <>
struct row<prim::transpose> : entries<on<transpose, f32<3, 7>>, on<swap_first_axes, i8<2, 3, 4>>> {};
constexpr auto squeeze = [](auto x) { return ex::squeeze(x); };
template <>
struct row<prim::squeeze> : entries<on<squeeze, f32<1, 5, 1>>> {};
constexpr auto concatenate = [](auto x, auto y) { return ex::concatenate(std::tuple(x, y, x), ex::axis<-1>); };
template <>
struct row<prim::concatenate> : entries<on<concatenate, f32<5>, f32<2>>, on<concatenate, i32<3, 2>, i32<3, 1>>> {};
constexpr auto pad = [](auto x) { return ex::pad<2, 1>(x, 3); };
constexpr auto pad_to_one = [](auto x) { return ex::lax::pad<-1, -1, 1>(x, 3.0f); };  // what stands between the elements
template <>
struct row<prim::pad> : entries<on<pad, f32<5>>, on<pad_to_one, f32<2>>> {};
constexpr auto every_second = [](auto x) { return x(ex::slice<1, ex::none, 2>); };
template <>
struct row<prim::slice> : entries<on<every_second, f32<7>>, on<every_second, i32<5, 3>>> {};
constexpr auto flip = [](auto x) { return ex::flip(x); };
template <>
struct row<prim::rev> : entries<on<flip, f32<5>>, on<flip, f32<3, 7>>> {};
constexpr auto add_arange = [](auto x) { return x + ex::arange<5>(); };
template <>
struct row<prim::iota> : entries<on<add_arange, f32<5>>, on<add_arange, i32<3, 5>>> {};

// --- Dynamic indices, updates ---

constexpr auto window = [](auto x, auto i) { return ex::dynamic_slice<3>(x, i); };
constexpr auto element = [](auto x, auto i, auto j) { return x(i, j); };
template <>
struct row<prim::dynamic_slice> : entries<on<window, f32<7>, i32<>>, on<element, f32<3, 5>, i32<>, i32<>>> {};
constexpr auto write_window = [](auto x, auto y, auto i) { return ex::dynamic_update_slice(x, y, i); };
template <>
struct row<prim::dynamic_update_slice> : entries<on<write_window, f32<7>, f32<3>, i32<>>> {};
// What batching makes of dynamic_slice; with a fill value; a window across the axes of the result.
constexpr auto windows = [](auto x, auto i) { return ex::vmap([](auto y, auto k) { return ex::dynamic_slice<3>(y, k); })(x, i); };
constexpr auto elements_of = [](auto x, auto i) {
  return ex::vmap([](auto y, auto k) { return y(k); }, ex::in_axes<ex::none, 0>)(x, i);
};
constexpr auto gather_or_fill = [](auto x, auto i) {
  return ex::detail::bind<f32<2, 3>>(prim::gather, {1, 0x40400000, 0, 0, 0, 1, 3, 1, 1, 1, 0, 1, 0, 0, 0}, x, i);
};
constexpr auto gather_blocks = [](auto x, auto i) {
  return ex::detail::bind<i32<2, 3, 2>>(prim::gather, {0, 0, 0, 0, 0, 2, 2, 2, 0, 2, 0, 2, 1, 0, 0, 0}, x, i);
};
template <>
struct row<prim::gather> : entries<on<windows, f32<4, 7>, i32<4>>, on<elements_of, f64<5>, i32<3>>, on<gather_or_fill, f32<5, 3>, i32<2, 1>>,
                                   on<gather_blocks, i32<4, 3>, i32<3, 2>>> {};
constexpr auto at_set_dynamic = [](auto x, auto y, auto i) { return x.at(i).set(y); };
template <>
struct row<prim::scatter> : entries<on<at_set_dynamic, f32<7>, f32<>, i32<>>, on<at_set_dynamic, f32<3, 5>, f32<5>, i32<>>> {};
constexpr auto at_add_dynamic = [](auto x, auto y, auto i) { return x.at(ex::all, i).add(y); };
template <>
struct row<prim::scatter_add> : entries<on<at_add_dynamic, f32<3, 5>, f32<3>, i32<>>> {};
constexpr auto at_multiply_dynamic = [](auto x, auto y, auto i) { return x.at(i).multiply(y); };
template <>
struct row<prim::scatter_mul> : entries<on<at_multiply_dynamic, i32<5>, i32<>, i32<>>> {};
constexpr auto at_min_dynamic = [](auto x, auto y, auto i) { return x.at(i).min(y); };
template <>
struct row<prim::scatter_min> : entries<on<at_min_dynamic, f32<5>, f32<>, i32<>>, on<at_min_dynamic, b1<5>, b1<>, i32<>>> {};
constexpr auto at_max_dynamic = [](auto x, auto y, auto i) { return x.at(i).max(y); };
template <>
struct row<prim::scatter_max> : entries<on<at_max_dynamic, i32<5>, i32<>, i32<>>> {};
constexpr auto at_set = [](auto x, auto y) { return x.at(ex::slice<1, -1, 2>).set(y); };
template <>
struct row<prim::update_slice> : entries<on<at_set, f32<7>, f32<3>>, on<at_set, i32<5, 2>, i32<>>> {};
constexpr auto at_add = [](auto x, auto y) { return x.at(ex::slice<1, 4>).add(y); };
template <>
struct row<prim::update_slice_add> : entries<on<at_add, f32<7>, f32<3>>> {};
constexpr auto at_multiply = [](auto x, auto y) { return x.at(2).multiply(y); };
template <>
struct row<prim::update_slice_mul> : entries<on<at_multiply, f32<5>, f32<>>> {};
constexpr auto at_min = [](auto x, auto y) { return x.at(ex::all, -1).min(y); };
template <>
struct row<prim::update_slice_min> : entries<on<at_min, f32<3, 5>, f32<3>>> {};
constexpr auto at_max = [](auto x, auto y) { return x.at(ex::slice<0, 3>).max(y); };
template <>
struct row<prim::update_slice_max> : entries<on<at_max, f32<5>, f32<3>>> {};

// --- Reductions and contractions ---

constexpr auto sum = [](auto x) { return ex::sum(x); };
constexpr auto sum_columns = [](auto x) { return ex::sum(x, ex::axis<0>); };
template <>
struct row<prim::reduce_sum> : entries<on<sum, f32<5>>, on<sum_columns, f32<3, 7>>, on<sum, i32<3, 7>>> {};
constexpr auto prod = [](auto x) { return ex::prod(x, ex::axis<-1>); };
template <>
struct row<prim::reduce_prod> : entries<on<prod, f32<3, 7>>, on<prod, i32<5>>> {};
constexpr auto max = [](auto x) { return ex::max(x, ex::axis<0>); };
template <>
struct row<prim::reduce_max> : entries<on<max, f32<5>>, on<max, f32<3, 7>>> {};
constexpr auto min = [](auto x) { return ex::min(x, ex::axis<-1>, ex::keepdims); };
template <>
struct row<prim::reduce_min> : entries<on<min, f32<3, 7>>, on<min, i32<5>>> {};
constexpr auto all = [](auto x) { return ex::all(x, ex::axis<0>); };
template <>
struct row<prim::reduce_and> : entries<on<all, b1<5>>, on<all, b1<3, 7>>> {};
constexpr auto any = [](auto x) { return ex::any(x, ex::axis<-1>); };
constexpr auto odd = [](auto x) { return ex::lax::reduce_xor(x, ex::axis<-1>); };
template <>
struct row<prim::reduce_xor> : entries<on<odd, b1<3, 5>>, on<odd, u8<7>>> {};
template <>
struct row<prim::reduce_or> : entries<on<any, b1<5>>, on<any, b1<3, 7>>> {};
constexpr auto dot = [](auto x, auto y) { return ex::dot(x, y); };
constexpr auto matmul = [](auto x, auto y) { return ex::matmul(x, y); };
template <>
struct row<prim::dot_general> : entries<on<dot, f32<5>, f32<5>>, on<dot, f32<3, 5>, f32<5>>, on<dot, f32<5>, f32<5, 2>>,
                                        on<matmul, f32<3, 5>, f32<5, 2>>, on<matmul, i32<2, 3>, i32<3, 2>>> {};
constexpr auto convolve = [](auto x, auto w) { return ex::convolve(x, w, ex::mode_same); };
template <>
struct row<prim::conv_general_dilated> : entries<on<convolve, f32<7>, f32<3>>> {};

// --- Ordering ---

constexpr auto argmax = [](auto x) { return ex::argmax(x, ex::axis<-1>); };
template <>
struct row<prim::argmax> : entries<on<argmax, f32<5>>, on<argmax, i32<3, 7>>, on<argmax, b1<5>>> {};
constexpr auto argmin = [](auto x) { return ex::argmin(x, ex::axis<0>); };
template <>
struct row<prim::argmin> : entries<on<argmin, f64<3, 7>>, on<argmin, u8<5>>> {};
template <>
struct row<prim::reduce_argmax> : row<prim::argmax> {};
template <>
struct row<prim::reduce_argmin> : row<prim::argmin> {};
constexpr auto weighted = [](auto x) { return ex::reduce(x, 1, [](auto a, auto b) { return a * b + a; }, ex::axis<0>); };
constexpr auto best_pair = [](auto x, auto i) {
  auto const better = [](auto a, auto b) {
    auto const first = (ex::get<0>(a) < ex::get<0>(b)) | ((ex::get<0>(a) == ex::get<0>(b)) & (ex::get<1>(a) < ex::get<1>(b)));
    return ex::tuple(ex::where(first, ex::get<0>(a), ex::get<0>(b)), ex::where(first, ex::get<1>(a), ex::get<1>(b)));
  };
  return ex::reduce(ex::tuple(x, i), ex::tuple(99.0f, 99), better, ex::axis<-1>);
};
template <>
struct row<prim::reduce> : entries<on<weighted, i32<7>>, on<weighted, f32<3, 2>>, on<best_pair, f32<2, 5>, i32<2, 5>>> {};
constexpr auto sums_of_windows = [](auto x) {
  return ex::reduce_window(x, 0, [](auto a, auto b) { return a + b; }, ex::window_dimensions<3>, ex::window_strides<2>, ex::padding<2, 1>, ex::base_dilation<2>);
};
template <>
struct row<prim::reduce_window_sum> : entries<on<sums_of_windows, i32<7>>, on<sums_of_windows, f32<5>>> {};
constexpr auto max_of_windows = [](auto x) {
  return ex::reduce_window(x, -std::numeric_limits<float>::infinity(), [](auto a, auto b) { return ex::maximum(a, b); }, ex::window_dimensions<2, 7>, ex::padding_same);
};
template <>
struct row<prim::reduce_window_max> : entries<on<max_of_windows, f32<3, 7>>> {};
constexpr auto min_of_windows = [](auto x) {
  return ex::reduce_window(x, 127, [](auto a, auto b) { return ex::minimum(a, b); }, ex::window_dimensions<3>, ex::window_dilation<2>);
};
template <>
struct row<prim::reduce_window_min> : entries<on<min_of_windows, i8<7>>> {};
constexpr auto odd_windows = [](auto x) {
  return ex::reduce_window(x, 1, [](auto a, auto b) { return a * b - a; }, ex::window_dimensions<2, 2>, ex::window_strides<1, 2>, ex::padding_same_lower);
};
template <>
struct row<prim::reduce_window> : entries<on<odd_windows, i32<3, 4>>, on<odd_windows, f32<3, 4>>> {};
constexpr auto sort_by_size = [](auto x, auto y) { return ex::lax::sort(ex::tuple(x, y), [](auto a, auto b, auto, auto) { return ex::abs(a) > ex::abs(b); }); };
constexpr auto sort = [](auto x) { return ex::sort(x, ex::axis<0>); };
constexpr auto sort_pairs = [](auto x, auto y) { return ex::lax::sort(ex::tuple(x, y), ex::num_keys<2>); };
template <>
struct row<prim::sort> : entries<on<sort, f32<5>>, on<sort, i32<7, 3>>, on<sort_pairs, f64<7>, u8<7>>, on<sort_by_size, i32<5>, f32<5>>> {};
constexpr auto top_3 = [](auto x) { return ex::top_k<3>(x); };
template <>
struct row<prim::top_k> : entries<on<top_3, f32<14>>, on<top_3, i64<3, 5>>> {};
template <>
struct row<prim::sort_rows> : row<prim::sort> {};
template <>
struct row<prim::order_rows> : row<prim::top_k> {};
constexpr auto few_places = [](auto x) { return ex::nonzero<4>(x, ex::fill_value(-1)); };
constexpr auto filled_places = [](auto x, auto v, auto w) { return ex::nonzero<9>(x > 0, ex::fill_value(v, w)); };
template <>
struct row<prim::nonzero> : entries<on<few_places, b1<19>>, on<filled_places, f32<3, 7>, i32<>, u8<>>> {};

// --- Linear algebra ---

constexpr auto parts = [](auto x) { return ex::split(x, ex::split_at<1, 3>, ex::axis<-1>); };
template <>
struct row<prim::split> : entries<on<parts, f32<5>>, on<parts, i32<3, 7>>> {};
constexpr auto copied = [](auto x) { return ex::copy(x) + x; };
template <>
struct row<prim::copy> : entries<on<copied, f32<5>>, on<copied, i32<3, 7>>> {};
constexpr auto held = [](auto x) { return ex::stop_gradient(x) * x; };
template <>
struct row<prim::stop_gradient> : entries<on<held, f32<5>>, on<held, f64<3, 7>>> {};
constexpr auto slope = [](auto x) { return ex::grad([](auto y) { return ex::sum(y * y); })(x); };
template <>
struct row<prim::add_any> : entries<on<slope, f32<5>>, on<slope, f64<3, 7>>> {};
constexpr auto ramp = [](auto x) { return ex::nn::relu(x); };
constexpr auto doubling = ex::custom_jvp([](auto x) { return ex::exp(x); }).defjvps([](auto t, auto ans, auto) { return t * ans; });
constexpr auto with_rules = [](auto x) { return ex::grad([](auto y) { return ex::sum(doubling(y) * y); })(x) + doubling(x); };
struct sine_of {
  template <class X>
  constexpr X operator()(X const& x) const {
    return ex::sin(x);
  }
};
constexpr auto by_elements = [](auto x) {
  return ex::grad([](auto y) { return ex::sum(ex::detail::function_of_elements<sine_of>{}(y)); })(x);
};
template <>
struct row<prim::custom_jvp_call>
    : entries<on<ramp, f32<5>>, on<ramp, f64<3, 7>>, on<with_rules, f64<3, 7>>, on<by_elements, f64<3, 7>>> {};
constexpr auto with_reverse_rule = ex::custom_vjp([](auto x) { return x * x; }, [](auto x) { return ex::tuple(x * x, x); },
                                                  [](auto x, auto t) { return ex::tuple(x * t); });
constexpr auto ruled = [](auto x) { return with_reverse_rule(x) + x; };
template <>
struct row<prim::custom_vjp_call> : entries<on<ruled, f32<5>>, on<ruled, f64<3, 7>>> {};

constexpr auto under_a_name = [](auto x) { return ex::checkpoint_name(x, "x") * x; };
template <>
struct row<prim::name> : entries<on<under_a_name, f32<5>>, on<under_a_name, f64<3, 7>>> {};
constexpr auto by_quotient = [](auto a, auto b) {
  return ex::custom_linear_solve([=](auto x) { return x * a; }, b, [=](auto, auto y) { return y / a; }, ex::symmetric);
};
template <>
struct row<prim::custom_linear_solve> : entries<on<by_quotient, f32<5>, f32<5>>, on<by_quotient, f64<3, 7>, f64<3, 7>>> {};
constexpr auto root_of_sum = [](auto a) {
  return ex::custom_root([=](auto x) { return x + a; }, a, [=](auto, auto x) { return x - a - x; }, [](auto, auto y) { return y; });
};
template <>
struct row<prim::custom_root> : entries<on<root_of_sum, f32<5>>, on<root_of_sum, f64<3, 7>>> {};

constexpr auto cholesky = [](auto x) { return ex::lax::cholesky<false>(ex::abs(x)); };
template <>
struct row<prim::cholesky> : entries<on<cholesky, f32<2, 2>>> {};
constexpr auto solve_lower = [](auto a, auto b) { return ex::triangular_solve<ex::triangular{.left_side = true, .lower = true}>(a, b); };
template <>
struct row<prim::triangular_solve> : entries<on<solve_lower, f32<2, 2>, f32<2, 1>>> {};

// --- Running reductions ---

constexpr auto cumsum = [](auto x) { return ex::cumsum(x, ex::axis<-1>); };
constexpr auto cumsum_back = [](auto x) { return ex::cumsum(x, ex::axis<0>, ex::reverse); };
// In blocks, which users get along long axes.
template <prim P, int Axis, bool Reverse>
constexpr auto in_blocks = [](auto x) { return ex::detail::bind<decltype(x)>(P, {Axis, Reverse, 1}, x); };
template <>
struct row<prim::cumsum>
    : entries<on<cumsum, f32<5>>, on<cumsum, i32<3, 7>>, on<cumsum_back, f32<3, 7>>, on<in_blocks<prim::cumsum, 1, true>, f32<2, 19>>> {};
constexpr auto cumprod = [](auto x) { return ex::cumprod(x, ex::axis<0>); };
template <>
struct row<prim::cumprod> : entries<on<cumprod, f32<5>>, on<cumprod, i8<3, 7>>> {};
constexpr auto cummax = [](auto x) { return ex::cummax(x, ex::axis<-1>); };
template <>
struct row<prim::cummax> : entries<on<in_blocks<prim::cummax, 0, false>, f32<11, 3>>, on<cummax, f32<3, 7>>, on<cummax, i32<5>>> {};
constexpr auto cummin = [](auto x) { return ex::cummin(x, ex::axis<-1>, ex::reverse); };
template <>
struct row<prim::cummin> : entries<on<cummin, f32<5>>, on<cummin, u8<2, 3, 4>>> {};
constexpr auto cumlogsumexp = [](auto x) { return ex::cumlogsumexp(x); };
template <>
struct row<prim::cumlogsumexp> : entries<on<cumlogsumexp, f32<5>>, on<cumlogsumexp, f64<3, 2>>> {};

// --- Random numbers: of raw keys ---

constexpr auto from_seed = [](auto s) { return ex::random::PRNGKey(s); };
template <>
struct row<prim::random_seed> : entries<on<from_seed, i64<>>> {};
constexpr auto same_words = [](auto k) { return ex::random::key_data(k); };
template <>
struct row<prim::random_wrap> : entries<on<same_words, u32<2>>, on<same_words, u32<3, 2>>> {};
template <>
struct row<prim::random_unwrap> : row<prim::random_wrap> {};
constexpr auto words = [](auto k) { return ex::random::bits<std::uint16_t, 5>(k); };
constexpr auto older_words = [](auto k) { return ex::random::bits<3>(k, ex::random::non_partitionable); };
template <>
struct row<prim::random_bits> : entries<on<words, u32<2>>, on<older_words, u32<2>>> {};
constexpr auto two_keys = [](auto k) { return ex::random::split(k); };
template <>
struct row<prim::random_split> : entries<on<two_keys, u32<2>>> {};
constexpr auto other_key = [](auto k, auto n) { return ex::random::fold_in(k, n); };
template <>
struct row<prim::random_fold_in> : entries<on<other_key, u32<2>, i32<>>> {};
constexpr auto rotated = [](auto x, auto n) { return ex::detail::bind<decltype(x)>(prim::rotate_left, {}, x, n & 31u); };
template <>
struct row<prim::rotate_left> : entries<on<rotated, u32<5>, u32<5>>, on<rotated, u32<3, 7>, u32<>>> {};
constexpr auto hash = [](auto k, auto x) { return ex::random::threefry_2x32(k, x); };
template <>
struct row<prim::threefry2x32> : entries<on<hash, u32<2>, u32<3>>> {};
constexpr auto place = [](auto x) {
  ex::detail::handle const h = ex::detail::resolve(ex::detail::expr_access::get(x));
  int const shape[] = {2, 3}, type = h.on->find_static_type(u32<2, 3>::type), types[] = {type, type};
  return x + ex::detail::expr_access::make<u32<2, 3>>(h.on, h.on->record(prim::iota_2x32_shape, {}, shape, types) + 1);
};
template <>
struct row<prim::iota_2x32_shape> : entries<on<place, u32<3>>> {};

// --- Control ---

constexpr auto one_of_two = [](auto p, auto x) {
  return ex::cond(p, [](auto y) { return y * 2 + y; }, [](auto y) { return y - 1; }, x);
};
// Any index; a result that all branches hand on; a value that they capture.
constexpr auto any_of_three = [](auto i, auto x, auto k) {
  auto const f = [&](auto y) { return ex::tuple(y * k, y); };
  auto const g = [&](auto y) { return ex::tuple(ex::abs(y), y); };
  auto const h = [&](auto y) { return ex::tuple(y + k, y); };
  return ex::switch_(i, ex::branches(f, g, h), x);
};
template <>
struct row<prim::cond> : entries<on<one_of_two, b1<>, f32<5>>, on<one_of_two, i32<>, i32<>>, on<any_of_three, i32<>, f32<3, 2>, f32<>>> {};
// At most six turns, whatever comes.
constexpr auto grow = [](auto x, auto k) {
  auto const small = [](auto s) { return (ex::get<0>(s) < 6) & (ex::sum(ex::get<1>(s)) < 10); };
  auto const next = [&](auto s) { return ex::tuple(ex::get<0>(s) + 1, ex::get<1>(s) + ex::get<1>(s) + k); };
  return ex::while_loop(small, next, ex::tuple(0, x));
};
constexpr auto powers = [](auto x, auto n) {
  return ex::fori_loop(0, ex::clip(n, -1, 5), [&](auto i, auto y) { return y * x + i; }, x);
};
template <>
struct row<prim::while_> : entries<on<grow, f32<>, f32<>>, on<grow, i32<5>, i32<5>>, on<powers, f32<3>, i32<>>> {};
constexpr auto running_sum = [](auto x) {
  auto const step = [](auto total, auto each) { return ex::tuple(total + each, total + each); };
  return ex::scan(step, decltype(ex::sum(x))(ex::zeros<typename decltype(x)::value_type>()), x);
};
constexpr auto recurrence = [](auto x, auto w) {
  auto const step = [w](auto carry, auto each) { return ex::tuple(carry * w + each, carry); };
  return ex::scan(step, ex::zeros_like(w), x);
};
template <>
struct row<prim::scan> : entries<on<running_sum, f32<5>>, on<recurrence, f32<4, 3>, f32<3>>> {};
constexpr auto call = [](auto x) { return ex::jit([](auto y) { return y * 2.0f + y; })(x) - x; };
template <>
struct row<prim::jit> : entries<on<call, f32<5>>> {};
constexpr auto checkpointed = [](auto x) { return ex::checkpoint([](auto y) { return ex::abs(y) * 2.0f + y; })(x) - x; };
template <>
struct row<prim::checkpoint> : entries<on<checkpointed, f32<5>>> {};

}  // namespace

}  // namespace laws::table
