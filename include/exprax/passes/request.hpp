// SPDX-License-Identifier: BSL-1.0
// request: an equation that a rule wants, and what value numbering and rules ask of each primitive.
#pragma once

#include <exprax/passes/writer.hpp>

namespace exprax::detail {

// An equation with one result that is wanted: types and operands are numbers in the program that is written.
struct request {
  prim op{};
  int type = 0;
  int const* in = nullptr;
  int n_in = 0;
  int const* par = nullptr;
  int n_par = 0;
};

// What value numbering and rules ask of a primitive, for each of them.
struct prim_facts {
  // Rules look at how operands are made: at these.
  prim_set seen = {prim::neg, prim::sign, prim::floor, prim::ceil, prim::abs, prim::not_, prim::convert_element_type, prim::broadcast_in_dim};
  // Elementwise, and no rule knows more unless an operand is a constant, seen, or the same as another.
  prim_set plain = {prim::neg, prim::sign, prim::floor, prim::ceil, prim::round_nearest_afz, prim::round_nearest_even,
                    prim::abs, prim::exp, prim::exp2, prim::expm1, prim::log, prim::log1p, prim::sqrt,
                    prim::rsqrt, prim::sin, prim::cos, prim::tan, prim::asin, prim::acos, prim::atan, prim::sinh, prim::cosh,
                    prim::tanh, prim::asinh, prim::acosh, prim::atanh, prim::logistic, prim::erf, prim::erfc, prim::erf_inv, prim::lgamma,
                    prim::digamma, prim::tgamma, prim::cbrt, prim::not_,
                    prim::population_count, prim::clz, prim::is_finite, prim::nextafter, prim::shift_left, prim::rotate_left, prim::shift_right_logical,
                    prim::shift_right_arithmetic, prim::add, prim::sub, prim::mul,
                    prim::div, prim::rem, prim::pow, prim::atan2, prim::max, prim::min, prim::and_, prim::or_, prim::xor_, prim::eq, prim::ne, prim::lt,
                    prim::le, prim::gt, prim::ge};
};
inline constexpr prim_facts facts;

}  // namespace exprax::detail
