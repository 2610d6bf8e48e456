// SPDX-License-Identifier: BSL-1.0
// The list of all primitives. A new one needs a line here and in all.hpp, a file of its own in a folder here, and a row in the table of laws.
#pragma once

#include <exprax/program/program.hpp>

namespace exprax {

enum class prim : std::uint8_t {
  // elementwise, one operand
  neg, sign, floor, ceil, round, round_nearest_afz, round_nearest_even, abs, exp, exp2, expm1, log, log1p, sqrt, rsqrt, cbrt,
  sin, cos, tan, asin, acos, atan, sinh, cosh, tanh,
  asinh, acosh, atanh, logistic, erf, erfc, erf_inv, lgamma, digamma, tgamma, square, integer_pow, not_,
  population_count, clz, is_finite, convert_element_type, bitcast_convert_type, bitcast, reduce_precision,
  decode_float16, decode_bfloat16, encode_float16, encode_bfloat16,
  real, imag, conj,
  // elementwise, two and three operands
  add, sub, mul, div, rem, pow, atan2, nextafter, complex, max, min, and_, or_, xor_,
  shift_left, shift_right_logical, shift_right_arithmetic, rotate_left, eq, ne, lt, le, gt, ge, select_n, clamp, fma,
  // movement
  broadcast_in_dim, reshape, transpose, squeeze, concatenate, pad, slice, rev, iota,
  dynamic_slice, dynamic_update_slice, gather, scatter, scatter_add, scatter_mul, scatter_min, scatter_max,
  update_slice, update_slice_add, update_slice_mul, update_slice_min, update_slice_max,
  // reductions and contractions
  reduce_sum, reduce_prod, reduce_max, reduce_min, reduce_and, reduce_or, reduce_xor, dot_general, conv_general_dilated,
  // ordering; sort and top_k are expanded to sort_rows and order_rows
  sort_rows, order_rows, nonzero, argmax, argmin, reduce, reduce_window_sum, reduce_window_max, reduce_window_min, reduce_window, sort, top_k,
  // split equals slices; copy and stop_gradient equal their operand
  split, copy, stop_gradient,
  // linear algebra
  cholesky, triangular_solve,
  // running reductions
  cumsum, cumprod, cummax, cummin, cumlogsumexp,
  // random numbers
  random_seed, random_wrap, random_unwrap, random_split, random_fold_in, random_bits, threefry2x32, iota_2x32_shape,
  // collectives
  psum, pmax, pmin, all_gather, all_to_all, ppermute, axis_index,
  // effects
  debug_print,
  // control
  cond, while_, scan, vmap, jit,
};
inline constexpr int prim_count = static_cast<int>(prim::jit) + 1;

}  // namespace exprax
