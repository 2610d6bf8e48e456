// SPDX-License-Identifier: BSL-1.0
// Inputs of functions and what JAX gives for them: from its tests and its documentation, and values that it was asked for.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <tuple>

#include <exprax/exprax.hpp>

namespace cases {

namespace ex = exprax;

inline constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();

template <class T, int... D>
ex::array<T, D...> from(std::initializer_list<T> elements) {
  ex::array<T, D...> a;
  T* to = a.data();
  for (T x : elements) *to++ = x;
  return a;
}

// reference<"id">: in() and out() are tuples of arrays.
template <ex::detail::fixed_string Id>
struct reference;

// scan as cumsum, forward
template <>
struct reference<"scan_cumsum_fwd"> {
  static auto in() { return std::tuple(from<std::int32_t, 6>({3, 1, 4, 1, 5, 9})); }
  static auto out() { return std::tuple(from<std::int32_t>({23}), from<std::int32_t, 6>({3, 4, 8, 9, 14, 23})); }
};

// scan reverse=True: iterates from the last element to the first, ys are stored at the index of the x that produced them
template <>
struct reference<"scan_cumsum_rev"> {
  static auto in() { return std::tuple(from<std::int32_t, 6>({3, 1, 4, 1, 5, 9})); }
  static auto out() { return std::tuple(from<std::int32_t>({23}), from<std::int32_t, 6>({23, 20, 19, 15, 14, 9})); }
};

// unroll=2 with length 7: never changes values, only the lowering (7 = trips*unroll + remainder)
template <>
struct reference<"scan_unroll_2"> {
  static auto in() { return std::tuple(from<std::int32_t, 7>({3, 1, 4, 1, 5, 9, 2})); }
  static auto out() { return std::tuple(from<std::int32_t>({464}), from<std::int32_t, 7>({-2, 4, 7, 25, 48, 102, 229})); }
};

// reverse with unroll=3, length 7: the remainder block is the FIRST length%unroll elements
template <>
struct reference<"scan_unroll_rev"> {
  static auto in() { return std::tuple(from<std::int32_t, 7>({3, 1, 4, 1, 5, 9, 2})); }
  static auto out() { return std::tuple(from<std::int32_t>({653}), from<std::int32_t, 7>({322, 161, 75, 38, 12, -5, -1})); }
};

// pytree carry (dict+tuple) and pytree xs/ys
template <>
struct reference<"scan_pytree"> {
  static auto in() { return std::tuple(from<float, 3>({1.f, 2.f, 3.f}), from<float, 3>({2.f, 3.f, 4.f})); }
  static auto out() { return std::tuple(from<float>({24.f}), from<std::int32_t>({3}), from<float>({6.f}), from<float, 3>({0.f, 1.f, 3.f}),
                from<float, 3>({2.f, 6.f, 12.f})); }
};

// vmap over init only (xs unbatched)
template <>
struct reference<"scan_vmap_init"> {
  static auto in() { return std::tuple(from<std::int32_t, 2>({0, 10}), from<std::int32_t, 3>({1, 2, 3})); }
  static auto out() { return std::tuple(from<std::int32_t, 2>({6, 16}), from<std::int32_t, 2, 3>({0, 2, 9, 10, 22, 39})); }
};

// nested while_loop; outer_loop(3)==(3,6)
template <>
struct reference<"while_nested3"> {
  static auto in() { return std::tuple(from<std::int32_t>({3})); }
  static auto out() { return std::tuple(from<std::int32_t>({3}), from<std::int32_t>({6})); }
};

// outer_loop(4)==(4,10)
template <>
struct reference<"while_nested4"> {
  static auto in() { return std::tuple(from<std::int32_t>({4})); }
  static auto out() { return std::tuple(from<std::int32_t>({4}), from<std::int32_t>({10})); }
};

// sum of first n with conjunction condition
template <>
struct reference<"while_conj"> {
  static auto in() { return std::tuple(from<float, 10>({1.f, 2.f, 3.f, 4.f, 5.f, 6.f, 7.f, 8.f, 9.f, 1e+01f}), from<std::int32_t>({15})); }
  static auto out() { return std::tuple(from<float>({55.f})); }
};

// vmapped while with different trip counts per lane
template <>
struct reference<"while_vmap_lanes"> {
  static auto in() { return std::tuple(from<std::int32_t, 4>({0, 1, 2, 3})); }
  static auto out() { return std::tuple(from<std::int32_t, 4>({4, 3, 4, 3})); }
};

// batched only through a closed-over cond const (x unbatched gets broadcast)
template <>
struct reference<"while_vmap_condconst"> {
  static auto in() { return std::tuple(from<std::int32_t, 2>({2, 3})); }
  static auto out() { return std::tuple(from<std::int32_t, 2>({2, 4})); }
};

// collatz step counts: strongly divergent lanes
template <>
struct reference<"while_vmap_collatz"> {
  static auto in() { return std::tuple(from<std::int32_t, 5>({1, 2, 7, 27, 97})); }
  static auto out() { return std::tuple(from<std::int32_t, 5>({0, 1, 16, 111, 118})); }
};

// predicate depends only on unbatched counter: while keeps a scalar predicate
template <>
struct reference<"while_vmap_unbatched_pred"> {
  static auto in() { return std::tuple(from<std::int32_t, 3>({0, 1, 2})); }
  static auto out() { return std::tuple(from<std::int32_t, 3>({4, 4, 4}), from<std::int32_t, 3>({4, 5, 6})); }
};

// nested vmaps of fori_loop with traced trip count
template <>
struct reference<"while_vmap_nested_axes"> {
  static auto in() { return std::tuple(from<std::int32_t, 3>({0, 1, 2}), from<std::int32_t, 4>({0, 1, 2, 3})); }
  static auto out() { return std::tuple(from<std::int32_t, 3, 4>({0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5})); }
};

// static trip count, vmapped
template <>
struct reference<"fori_batched"> {
  static auto in() { return std::tuple(from<std::int32_t, 2>({0, 1})); }
  static auto out() { return std::tuple(from<std::int32_t, 2>({10, 11}), from<std::int32_t, 2>({20, 20})); }
};

// start at 3, stop 7
template <>
struct reference<"fori_upper_gt_lower"> {
  static auto in() { return std::tuple<>(); }
  static auto out() { return std::tuple(from<std::int32_t>({3456})); }
};

// True branch
template <>
struct reference<"cond_docs_true"> {
  static auto in() { return std::tuple(from<bool>({true}), from<float, 1>({0.f})); }
  static auto out() { return std::tuple(from<float, 1>({1.f})); }
};

// False branch
template <>
struct reference<"cond_docs_false"> {
  static auto in() { return std::tuple(from<bool>({false}), from<float, 1>({0.f})); }
  static auto out() { return std::tuple(from<float, 1>({-1.f})); }
};

// nested cond
template <>
struct reference<"cond_nested_2"> {
  static auto in() { return std::tuple(from<std::int32_t>({3})); }
  static auto out() { return std::tuple(from<std::int32_t>({9})); }
};

// vmapped cond -> select: division by zero in the not-taken branch must not leak into the value
template <>
struct reference<"cond_vmap_nan_branch"> {
  static auto in() { return std::tuple(from<float, 3>({0.f, 2.f, 4.f})); }
  static auto out() { return std::tuple(from<float, 3>({0.f, 0.5f, 0.25f})); }
};

// switch index 0 is clamped into [0,2]
template <>
struct reference<"switch_clamp_0"> {
  static auto in() { return std::tuple(from<std::int32_t>({0})); }
  static auto out() { return std::tuple(from<std::int32_t>({0}), from<std::int32_t>({0})); }
};

// switch index 1 is clamped into [0,2]
template <>
struct reference<"switch_clamp_1"> {
  static auto in() { return std::tuple(from<std::int32_t>({1})); }
  static auto out() { return std::tuple(from<std::int32_t>({2}), from<std::int32_t>({4})); }
};

// switch index 2 is clamped into [0,2]
template <>
struct reference<"switch_clamp_2"> {
  static auto in() { return std::tuple(from<std::int32_t>({2})); }
  static auto out() { return std::tuple(from<std::int32_t>({2}), from<std::int32_t>({-2})); }
};

// switch index 3 is clamped into [0,2]
template <>
struct reference<"switch_clamp_3"> {
  static auto in() { return std::tuple(from<std::int32_t>({3})); }
  static auto out() { return std::tuple(from<std::int32_t>({3}), from<std::int32_t>({-3})); }
};

// single branch: called directly, index ignored
template <>
struct reference<"switch_one_branch"> {
  static auto in() { return std::tuple(from<std::int32_t>({5}), from<float>({7.f})); }
  static auto out() { return std::tuple(from<float>({-7.f})); }
};

// size 3, data = arange+7
template <>
struct reference<"assoc_add_n3"> {
  static auto in() { return std::tuple(from<std::int32_t, 3>({7, 8, 9})); }
  static auto out() { return std::tuple(from<std::int32_t, 3>({7, 15, 24})); }
};

// reverse=True non-commutative: result[k] = z@y@...@elem_k (operands in REVERSED order, not x@y@z)
template <>
struct reference<"assoc_matmul_rev"> {
  static auto in() { return std::tuple(from<float, 5, 2, 2>({1.f, 1.f, 0.f, 1.f, 1.f, 0.f, 1.f, 1.f, 2.f, 1.f, 1.f, 1.f, 0.f, 1.f, 1.f, 0.f, 1.f,
                2.f, 3.f, 4.f})); }
  static auto out() { return std::tuple(from<float, 5, 2, 2>({8.f, 11.f, 18.f, 25.f, 8.f, 3.f, 18.f, 7.f, 5.f, 3.f, 11.f, 7.f, 2.f, 1.f, 4.f, 3.f,
                1.f, 2.f, 3.f, 4.f})); }
};

// matrix-matrix: vmap(vmap(dot,(0,None)),(None,1),1)
template <>
struct reference<"vmap_mm"> {
  static auto in() { return std::tuple(from<float, 2, 3>({0.f, 1.f, 2.f, 3.f, 4.f, 5.f}), from<float, 3, 2>({0.f, 1.f, 2.f, 3.f, 4.f, 5.f})); }
  static auto out() { return std::tuple(from<float, 2, 2>({1e+01f, 13.f, 28.f, 4e+01f})); }
};

// in_axes=-1: sum of slices
template <>
struct reference<"vmap_neg_in"> {
  static auto in() { return std::tuple(from<float, 3, 4, 5>({0.f, 1.f, 2.f, 3.f, 4.f, 5.f, 6.f, 7.f, 8.f, 9.f, 1e+01f, 11.f, 12.f, 13.f, 14.f, 15.f,
                16.f, 17.f, 18.f, 19.f, 2e+01f, 21.f, 22.f, 23.f, 24.f, 25.f, 26.f, 27.f, 28.f, 29.f, 3e+01f, 31.f, 32.f, 33.f, 34.f, 35.f, 36.f,
                37.f, 38.f, 39.f, 4e+01f, 41.f, 42.f, 43.f, 44.f, 45.f, 46.f, 47.f, 48.f, 49.f, 5e+01f, 51.f, 52.f, 53.f, 54.f, 55.f, 56.f, 57.f,
                58.f, 59.f})); }
  static auto out() { return std::tuple(from<float, 5>({3.3e+02f, 342.f, 354.f, 366.f, 378.f})); }
};

// in_axes=1, out_axes=1
template <>
struct reference<"vmap_convolve_seed_v2"> {
  static auto in() { return std::tuple(from<std::int32_t, 5, 2>({0, 0, 1, 1, 2, 2, 3, 3, 4, 4}), from<float, 3, 2>({2.f, 2.f, 3.f, 3.f, 4.f, 4.f})); }
  static auto out() { return std::tuple(from<float, 3, 2>({11.f, 11.f, 2e+01f, 2e+01f, 29.f, 29.f})); }
};

// x - pmean(x)
template <>
struct reference<"vmap_pmean_center"> {
  static auto in() { return std::tuple(from<float, 3>({1.f, 2.f, 6.f})); }
  static auto out() { return std::tuple(from<float, 3>({-2.f, -1.f, 3.f})); }
};

// ppermute ring shift (under vmap the permutation must cover the whole axis)
template <>
struct reference<"vmap_ppermute"> {
  static auto in() { return std::tuple(from<std::int32_t, 4>({10, 20, 30, 40})); }
  static auto out() { return std::tuple(from<std::int32_t, 4>({40, 10, 20, 30})); }
};

// out_axes=None with sum_match=True sums over the mapped axis
template <>
struct reference<"vmap_sum_match"> {
  static auto in() { return std::tuple(from<float, 3>({0.f, 1.f, 2.f})); }
  static auto out() { return std::tuple(from<float>({6.f})); }
};

// outer product with two vmaps
template <>
struct reference<"vmap_nested_in_none"> {
  static auto in() { return std::tuple(from<std::int32_t, 3>({1, 2, 3}), from<std::int32_t, 2>({4, 5})); }
  static auto out() { return std::tuple(from<std::int32_t, 3, 2>({14, 15, 24, 25, 34, 35})); }
};

// mode=fill fill_value=7
template <>
struct reference<"idx_oob_fill_value"> {
  static auto in() { return std::tuple(from<std::int32_t, 5>({1, 2, 3, 4, 5}), from<std::int32_t, 10>({-10, -6, -5, -4, 0, 3, 4, 5, 6, 100})); }
  static auto out() { return std::tuple(from<std::int32_t, 10>({7, 7, 1, 2, 1, 4, 5, 7, 7, 7})); }
};

// wrap_negative_indices=False, mode=fill
template <>
struct reference<"idx_nowrap_fill"> {
  static auto in() { return std::tuple(from<float, 5>({0.f, 1.f, 2.f, 3.f, 4.f}), from<std::int32_t, 4>({-1, 0, 4, 5})); }
  static auto out() { return std::tuple(from<float, 4>({99.f, 0.f, 4.f, 99.f})); }
};

// mode='clip' update
template <>
struct reference<"at_add_clip"> {
  static auto in() { return std::tuple(from<float, 5>({0.f, 1.f, 2.f, 3.f, 4.f})); }
  static auto out() { return std::tuple(from<float, 5>({0.f, 1.f, 2.f, 3.f, 14.f})); }
};

// 2D
template <>
struct reference<"dyn_slice_2d"> {
  static auto in() { return std::tuple(from<std::int32_t, 3, 4>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}), from<std::int32_t>({1}),
                from<std::int32_t>({1})); }
  static auto out() { return std::tuple(from<std::int32_t, 2, 3>({5, 6, 7, 9, 10, 11})); }
};

// static strided slicing
template <>
struct reference<"rev_slice"> {
  static auto in() { return std::tuple(from<std::int32_t, 5>({0, 1, 2, 3, 4})); }
  static auto out() { return std::tuple(from<std::int32_t, 5>({4, 3, 2, 1, 0}), from<std::int32_t, 3>({0, 2, 4}), from<std::int32_t, 2>({3, 4}),
                from<std::int32_t, 3>({1, 2, 3})); }
};

// x[:10] of a size-5 array is x
template <>
struct reference<"slice_clamp_static"> {
  static auto in() { return std::tuple(from<std::int32_t, 5>({1, 2, 3, 4, 5})); }
  static auto out() { return std::tuple(from<std::int32_t, 5>({1, 2, 3, 4, 5})); }
};

// size=3
template <>
struct reference<"nonzero_exact"> {
  static auto in() { return std::tuple(from<std::int32_t, 6>({0, 5, 0, 6, 0, 7})); }
  static auto out() { return std::tuple(from<std::int32_t, 3>({1, 3, 5})); }
};

// 2D, size=4, fill -1
template <>
struct reference<"nonzero_2d"> {
  static auto in() { return std::tuple(from<std::int32_t, 2, 3>({0, 5, 0, 6, 0, 7})); }
  static auto out() { return std::tuple(from<std::int32_t, 4>({0, 1, 1, -1}), from<std::int32_t, 4>({1, 0, 2, -1})); }
};

// fill_value tuple per axis
template <>
struct reference<"nonzero_2d_fill_tuple"> {
  static auto in() { return std::tuple(from<std::int32_t, 2, 3>({0, 5, 0, 6, 0, 7})); }
  static auto out() { return std::tuple(from<std::int32_t, 4>({0, 1, 1, 2}), from<std::int32_t, 4>({1, 0, 2, 3})); }
};

// NaN counts as nonzero, -0.0 does not
template <>
struct reference<"nonzero_float_nan"> {
  static auto in() { return std::tuple(from<float, 4>({0.f, -0.f, nan, 1.f})); }
  static auto out() { return std::tuple(from<std::int32_t, 3>({2, 3, -1})); }
};

// size=3
template <>
struct reference<"argwhere_size"> {
  static auto in() { return std::tuple(from<std::int32_t, 2, 3>({1, 0, 2, 0, 3, 0})); }
  static auto out() { return std::tuple(from<std::int32_t, 3, 2>({0, 0, 0, 2, 1, 1})); }
};

// size=4,fill=10
template <>
struct reference<"flatnonzero_size"> {
  static auto in() { return std::tuple(from<std::int32_t, 2, 2>({0, 5, 6, 0})); }
  static auto out() { return std::tuple(from<std::int32_t, 4>({1, 2, 10, 10})); }
};

// masking
template <>
struct reference<"where3"> {
  static auto in() { return std::tuple(from<std::int32_t, 4>({-2, -1, 0, 1})); }
  static auto out() { return std::tuple(from<std::int32_t, 4>({0, 0, 0, 1})); }
};

// batch dims out first, then lhs free, then rhs free
template <>
struct reference<"dot_general_batch_mid"> {
  static auto in() { return std::tuple(from<float, 3, 2, 2>({0.f, 1.f, 2.f, 3.f, 4.f, 5.f, 6.f, 7.f, 8.f, 9.f, 1e+01f, 11.f}), from<float, 3, 3,
                2>({0.f, 1.f, 2.f, 3.f, 4.f, 5.f, 6.f, 7.f, 8.f, 9.f, 1e+01f, 11.f, 12.f, 13.f, 14.f, 15.f, 16.f, 17.f})); }
  static auto out() { return std::tuple(from<float, 2, 2, 3>({4e+01f, 112.f, 184.f, 52.f, 1.6e+02f, 268.f, 61.f, 151.f, 241.f, 79.f, 205.f,
                331.f})); }
};

// lhs_dilation 2
template <>
struct reference<"conv_lhs_dil"> {
  static auto in() { return std::tuple(from<float, 1, 1, 3>({1.f, 2.f, 3.f}), from<float, 1, 1, 2>({1.f, 1.f})); }
  static auto out() { return std::tuple(from<float, 1, 1, 6>({1.f, 1.f, 2.f, 2.f, 3.f, 3.f})); }
};

// axis=1 and reverse
template <>
struct reference<"cumsum_axis"> {
  static auto in() { return std::tuple(from<std::int32_t, 2, 3>({0, 1, 2, 3, 4, 5})); }
  static auto out() { return std::tuple(from<std::int32_t, 2, 3>({0, 1, 3, 3, 7, 12}), from<std::int32_t, 2, 3>({3, 5, 7, 3, 4, 5})); }
};

// 
template <>
struct reference<"cumprod"> {
  static auto in() { return std::tuple(from<std::int32_t, 4>({1, 2, 3, 4})); }
  static auto out() { return std::tuple(from<std::int32_t, 4>({1, 2, 6, 24})); }
};

// NaN propagates from its position on
template <>
struct reference<"cummax_nan"> {
  static auto in() { return std::tuple(from<float, 4>({1.f, nan, 3.f, 2.f})); }
  static auto out() { return std::tuple(from<float, 4>({1.f, nan, nan, nan})); }
};

// 
template <>
struct reference<"sort_key_val"> {
  static auto in() { return std::tuple(from<std::int32_t, 3>({3, 1, 2}), from<float, 3>({3e+01f, 1e+01f, 2e+01f})); }
  static auto out() { return std::tuple(from<std::int32_t, 3>({1, 2, 3}), from<float, 3>({1e+01f, 2e+01f, 3e+01f})); }
};

// NaN propagates
template <>
struct reference<"reduce_max_nan"> {
  static auto in() { return std::tuple(from<float, 3>({1.f, nan, 3.f})); }
  static auto out() { return std::tuple(from<float>({nan}), from<float>({nan}), from<float>({nan})); }
};

// 
template <>
struct reference<"nan_reductions"> {
  static auto in() { return std::tuple(from<float, 3>({1.f, nan, 3.f})); }
  static auto out() { return std::tuple(from<float>({4.f}), from<float>({3.f}), from<float>({1.f})); }
};

// first occurrence
template <>
struct reference<"argmax_ties"> {
  static auto in() { return std::tuple(from<std::int32_t, 5>({2, 7, 7, 1, 1})); }
  static auto out() { return std::tuple(from<std::int32_t>({1}), from<std::int32_t>({3})); }
};

// 
template <>
struct reference<"max_empty_axis"> {
  static auto in() { return std::tuple(from<float, 3>({1.f, 2.f, 3.f})); }
  static auto out() { return std::tuple(from<float>({-1.f})); }
};

// sum of bool is int32
template <>
struct reference<"bool_reduce"> {
  static auto in() { return std::tuple(from<bool, 3>({true, false, true})); }
  static auto out() { return std::tuple(from<bool>({true}), from<bool>({false}), from<std::int32_t>({2})); }
};

// int32 wraparound: 3**21
template <>
struct reference<"int_pow_overflow"> {
  static auto in() { return std::tuple(from<std::int32_t>({3})); }
  static auto out() { return std::tuple(from<std::int32_t>({1870418611})); }
};

// integer_pow with negative y
template <>
struct reference<"pow_neg_exp_static"> {
  static auto in() { return std::tuple(from<float, 2>({2.f, 4.f})); }
  static auto out() { return std::tuple(from<float, 2>({0.25f, 0.0625f})); }
};

// C semantics: truncation; rem takes the sign of the DIVIDEND
template <>
struct reference<"lax_div_rem"> {
  static auto in() { return std::tuple(from<std::int32_t, 4>({7, -7, 7, -7}), from<std::int32_t, 4>({3, 3, -3, -3})); }
  static auto out() { return std::tuple(from<std::int32_t, 4>({2, -2, -2, 2}), from<std::int32_t, 4>({1, -1, 1, -1})); }
};

// wraparound
template <>
struct reference<"int_overflow"> {
  static auto in() { return std::tuple(from<std::int32_t, 2>({2147483647, -2147483647 - 1})); }
  static auto out() { return std::tuple(from<std::int32_t, 2>({-2147483647 - 1, -2147483647}), from<std::int32_t, 2>({-2, 0}), from<std::int32_t,
                2>({-2147483647, -2147483647 - 1})); }
};

// wraparound
template <>
struct reference<"uint_underflow"> {
  static auto in() { return std::tuple(from<std::uint32_t, 1>({0}), from<std::uint8_t, 1>({255})); }
  static auto out() { return std::tuple(from<std::uint32_t, 1>({4294967295u}), from<std::uint8_t, 1>({0})); }
};

// |INT_MIN| = INT_MIN
template <>
struct reference<"abs_intmin"> {
  static auto in() { return std::tuple(from<std::int32_t, 2>({-2147483647 - 1, -5})); }
  static auto out() { return std::tuple(from<std::int32_t, 2>({-2147483647 - 1, 5})); }
};

// >> on int32 is arithmetic, on uint32 logical
template <>
struct reference<"shift_ops"> {
  static auto in() { return std::tuple(from<std::int32_t, 2>({-8, 5}), from<std::uint32_t, 2>({4026531840u, 5})); }
  static auto out() { return std::tuple(from<std::int32_t, 2>({-32, 20}), from<std::int32_t, 2>({-4, 2}), from<std::uint32_t, 2>({2013265920, 2}),
                from<std::int32_t, 2>({15, 0})); }
};

// 
template <>
struct reference<"clip_bounds"> {
  static auto in() { return std::tuple(from<std::int32_t, 6>({0, 1, 2, 3, 4, 5})); }
  static auto out() { return std::tuple(from<std::int32_t, 6>({2, 2, 2, 3, 4, 4})); }
};

// truncation toward zero
template <>
struct reference<"f2i_trunc"> {
  static auto in() { return std::tuple(from<float, 4>({1.9f, -1.9f, 0.5f, -0.5f})); }
  static auto out() { return std::tuple(from<std::int32_t, 4>({1, -1, 0, 0})); }
};

// nonzero -> True
template <>
struct reference<"i2bool"> {
  static auto in() { return std::tuple(from<std::int32_t, 3>({0, 2, -1})); }
  static auto out() { return std::tuple(from<bool, 3>({false, true, true})); }
};

// negative edge padding and interior padding
template <>
struct reference<"pad_neg_interior"> {
  static auto in() { return std::tuple(from<float, 3>({1.f, 2.f, 3.f})); }
  static auto out() { return std::tuple(from<float, 6>({9.f, 1.f, 2.f, 3.f, 9.f, 9.f}), from<float, 3>({2.f, 3.f, 0.f}), from<float, 5>({1.f, 0.f,
                2.f, 0.f, 3.f})); }
};

// jnp.add result dtype int16 (x64 disabled)
template <>
struct reference<"promo_u8_i8"> {
  static auto in() { return std::tuple(from<std::uint8_t>({200}), from<std::int8_t>({-1})); }
  static auto out() { return std::tuple(from<std::int16_t>({199})); }
};

// jnp.add result dtype float32 (x64 disabled)
template <>
struct reference<"promo_i8_pyfloat"> {
  static auto in() { return std::tuple(from<std::int8_t>({1})); }
  static auto out() { return std::tuple(from<float>({1.5f})); }
};

// jnp.add result dtype bool (x64 disabled)
template <>
struct reference<"promo_bool_bool"> {
  static auto in() { return std::tuple(from<bool>({true}), from<bool>({true})); }
  static auto out() { return std::tuple(from<bool>({true})); }
};

// 
template <>
struct reference<"tri"> {
  static auto in() { return std::tuple(from<std::int32_t, 3, 3>({1, 2, 3, 4, 5, 6, 7, 8, 9})); }
  static auto out() { return std::tuple(from<std::int32_t, 3, 3>({1, 0, 0, 4, 5, 0, 7, 8, 9}), from<std::int32_t, 3, 3>({0, 2, 3, 0, 0, 6, 0, 0,
                0})); }
};

// left/right
template <>
struct reference<"searchsorted"> {
  static auto in() { return std::tuple(from<std::int32_t, 4>({1, 2, 2, 5}), from<std::int32_t, 3>({0, 2, 6})); }
  static auto out() { return std::tuple(from<std::int32_t, 3>({0, 1, 4}), from<std::int32_t, 3>({0, 3, 4})); }
};

// 
template <>
struct reference<"interp"> {
  static auto in() { return std::tuple(from<float, 4>({-1.f, 0.5f, 1.5f, 9.f}), from<float, 3>({0.f, 1.f, 2.f}), from<float, 3>({0.f, 1e+01f,
                4e+01f})); }
  static auto out() { return std::tuple(from<float, 4>({0.f, 5.f, 25.f, 4e+01f})); }
};

// 
template <>
struct reference<"iota"> {
  static auto in() { return std::tuple<>(); }
  static auto out() { return std::tuple(from<std::int32_t, 3>({0, 1, 2}), from<std::int32_t, 2, 3>({0, 1, 2, 0, 1, 2})); }
};

// out-of-range segment ids dropped
template <>
struct reference<"segment_sum"> {
  static auto in() { return std::tuple(from<float, 5>({1.f, 2.f, 3.f, 4.f, 5.f}), from<std::int32_t, 5>({0, 0, 1, 5, 2})); }
  static auto out() { return std::tuple(from<float, 3>({3.f, 3.f, 5.f})); }
};

// E=sum_{|ri-rj|<=0.2} qi*qj with nonzero(size=5000,fill_value=-1) and a padded q; blog prints 1035.7422
template <>
struct reference<"seed_nonzero_energy"> {
  static auto in() { return std::tuple(from<float, 100>({0.5488135f, 0.71518934f, 0.60276335f, 0.5448832f, 0.4236548f, 0.6458941f, 0.4375872f,
                0.891773f, 0.96366274f, 0.3834415f, 0.79172504f, 0.5288949f, 0.56804454f, 0.92559665f, 0.071036056f, 0.0871293f, 0.020218397f,
                0.83261985f, 0.77815676f, 0.87001216f, 0.9786183f, 0.7991586f, 0.46147937f, 0.7805292f, 0.11827443f, 0.639921f, 0.14335328f,
                0.9446689f, 0.5218483f, 0.41466194f, 0.2645556f, 0.7742337f, 0.45615032f, 0.56843394f, 0.0187898f, 0.6176355f, 0.6120957f,
                0.616934f, 0.94374806f, 0.6818203f, 0.3595079f, 0.43703195f, 0.6976312f, 0.06022547f, 0.6667667f, 0.67063785f, 0.21038257f,
                0.12892629f, 0.31542835f, 0.36371076f, 0.57019675f, 0.43860152f, 0.9883738f, 0.10204481f, 0.20887676f, 0.16130951f, 0.6531083f,
                0.2532916f, 0.46631077f, 0.2444256f, 0.15896958f, 0.11037514f, 0.6563296f, 0.13818295f, 0.19658236f, 0.36872518f, 0.82099324f,
                0.09710128f, 0.8379449f, 0.09609841f, 0.97645944f, 0.4686512f, 0.9767611f, 0.6048455f, 0.7392636f, 0.039187793f, 0.28280696f,
                0.12019656f, 0.2961402f, 0.11872772f, 0.31798318f, 0.41426298f, 0.064147495f, 0.6924721f, 0.56660146f, 0.2653895f, 0.5232481f,
                0.09394051f, 0.5759465f, 0.9292962f, 0.31856894f, 0.6674104f, 0.13179787f, 0.7163272f, 0.2894061f, 0.18319136f, 0.5865129f,
                0.020107547f, 0.82894003f, 0.004695476f}), from<float, 101>({0.6778165f, 0.27000797f, 0.735194f, 0.96218854f, 0.24875315f,
                0.57615733f, 0.5920419f, 0.5722519f, 0.22308163f, 0.952749f, 0.44712538f, 0.84640867f, 0.6994793f, 0.29743695f, 0.81379783f,
                0.39650574f, 0.8811032f, 0.5812729f, 0.8817354f, 0.6925316f, 0.7252543f, 0.50132436f, 0.95608366f, 0.6439902f, 0.42385504f,
                0.6063932f, 0.019193199f, 0.30157483f, 0.66017354f, 0.2900776f, 0.6180154f, 0.4287687f, 0.13547407f, 0.29828233f, 0.5699649f,
                0.59087276f, 0.57432526f, 0.6532008f, 0.65210325f, 0.43141845f, 0.8965466f, 0.36756188f, 0.43586493f, 0.89192337f, 0.806194f,
                0.7038886f, 0.10022689f, 0.9194826f, 0.7142413f, 0.998847f, 0.1494483f, 0.86812603f, 0.16249293f, 0.6155596f, 0.123819984f,
                0.8480082f, 0.807319f, 0.56910074f, 0.4071833f, 0.069166996f, 0.69742876f, 0.45354268f, 0.7220556f, 0.8663823f, 0.9755215f,
                0.8558034f, 0.011714084f, 0.35997805f, 0.72999054f, 0.17162968f, 0.5210366f, 0.05433799f, 0.19999653f, 0.018521795f, 0.7936977f,
                0.22392468f, 0.34535167f, 0.9280813f, 0.7044144f, 0.03183893f, 0.16469416f, 0.6214784f, 0.5772286f, 0.23789282f, 0.934214f,
                0.6139659f, 0.5356328f, 0.58991f, 0.730122f, 0.311945f, 0.39822108f, 0.20984375f, 0.186193f, 0.9443724f, 0.73955077f, 0.49045882f,
                0.22741462f, 0.25435647f, 0.05802916f, 0.43441662f, 0.f})); }
  static auto out() { return std::tuple(from<float>({1035.7422f})); }
};

// scan + convolve version of the nested loop, height 6 x width 4
template <>
struct reference<"seed_nested_loops"> {
  static auto in() { return std::tuple(from<float, 6, 4>({0.f, 0.0625f, 0.125f, 0.1875f, 0.25f, 0.3125f, 0.375f, 0.f, 0.0625f, 0.125f, 0.1875f,
                0.25f, 0.3125f, 0.375f, 0.f, 0.0625f, 0.125f, 0.1875f, 0.25f, 0.3125f, 0.375f, 0.f, 0.0625f, 0.125f})); }
  static auto out() { return std::tuple(from<float, 4, 6>({0.f, 0.3125f, 0.625f, 0.5f, 0.8125f, 0.f, 0.f, 0.17578125f, 0.36328125f, 0.41796875f,
                0.33984375f, 0.f, 0.f, 0.1340332f, 0.1340332f, 0.15307617f, 0.08496094f, 0.f, 0.f, 0.0335083f, 0.04307556f, 0.069625854f,
                0.036117554f, 0.f})); }
};

// key_data(key(seed)) = [seed>>32, seed & 0xffffffff] -> [0,42]
template <>
struct reference<"prng_key"> {
  static auto in() { return std::tuple<>(); }
  static auto out() { return std::tuple(from<std::uint32_t, 2>({0, 42})); }
};

// split(key(42)), partitionable=True (default)
template <>
struct reference<"prng_split2"> {
  static auto in() { return std::tuple<>(); }
  static auto out() { return std::tuple(from<std::uint32_t, 2, 2>({1832780943, 270669613, 64467757, 2916123636u})); }
};

// bits(key(1701),(3,),uint32), partitionable=True
template <>
struct reference<"prng_bits32"> {
  static auto in() { return std::tuple<>(); }
  static auto out() { return std::tuple(from<std::uint32_t, 3>({1111271205, 2679469115u, 974515252})); }
};

// docstring prints [[-0.11 1.8 1.16][0.61 -0.49 0.86][-4.25 2.75 1.99]]
template <>
struct reference<"prng_uniform"> {
  static auto in() { return std::tuple<>(); }
  static auto out() { return std::tuple(from<float, 3, 3>({-0.11290455f, 1.7979717f, 1.162715f, 0.6101608f, -0.49355412f, 0.8586588f, -4.2519054f,
                2.7513337f, 1.9895926f})); }
};

// randint(key(42),(5,),0,10), partitionable=True
template <>
struct reference<"prng_randint"> {
  static auto in() { return std::tuple<>(); }
  static auto out() { return std::tuple(from<std::int32_t, 5>({4, 4, 1, 9, 9})); }
};

// vmap(uniform) over split keys
template <>
struct reference<"prng_vmap_split"> {
  static auto in() { return std::tuple<>(); }
  static auto out() { return std::tuple(from<float, 4>({0.8673705f, 0.6751336f, 0.20599794f, 0.23133409f})); }
};

// known-answer: pi digits
template <>
struct reference<"threefry_kat2"> {
  static auto in() { return std::tuple<>(); }
  static auto out() { return std::tuple(from<std::uint32_t, 2>({3297917596u, 1212020640})); }
};

// jax_threefry_partitionable=False
template <>
struct reference<"prng_np_split4"> {
  static auto in() { return std::tuple<>(); }
  static auto out() { return std::tuple(from<std::uint32_t, 4, 2>({2285895361u, 1501764800, 1518642379, 4090693311u, 433833334, 4221794875u,
                839183663, 3740430601u})); }
};

// jax_threefry_partitionable=False; seed=adler32("uniformthreefry2x32")=1338574713
template <>
struct reference<"prng_np_uniform"> {
  static auto in() { return std::tuple<>(); }
  static auto out() { return std::tuple(from<float, 5>({0.29867148f, 0.07321286f, 0.87335575f, 0.26054883f, 0.41279662f})); }
};

// jax_threefry_partitionable=False; seed=adler32("normalthreefry2x32")=1193674498
template <>
struct reference<"prng_np_normal"> {
  static auto in() { return std::tuple<>(); }
  static auto out() { return std::tuple(from<float, 5>({-1.1732335f, -1.5116621f, 0.070592955f, -0.09976384f, 1.052845f})); }
};

// uint64: (hi=bits1)<<32 | (lo=bits2)
template <>
struct reference<"prng_p_bits64"> {
  static auto in() { return std::tuple<>(); }
  static auto out() { return std::tuple(from<std::uint64_t, 3>({3182764935064573181u, 366096495144982249u, 241365115613244543u})); }
};

// uint16 = low 16 bits of bits1^bits2
template <>
struct reference<"prng_p_bits16"> {
  static auto in() { return std::tuple<>(); }
  static auto out() { return std::tuple(from<std::uint16_t, 3>({42789, 29755, 60468})); }
};

// split to shape (2,2)
template <>
struct reference<"prng_p_split_shape"> {
  static auto in() { return std::tuple<>(); }
  static auto out() { return std::tuple(from<std::uint32_t, 2, 2, 2>({1797259609, 2579123966u, 928981903, 3453687069u, 4146024105u, 2718843009u,
                2467461003u, 3840466878u})); }
};

// key(-1): [0,4294967295] when x64 disabled, [4294967295,4294967295] when enabled
template <>
struct reference<"prng_p_negseed"> {
  static auto in() { return std::tuple<>(); }
  static auto out() { return std::tuple(from<std::uint32_t, 2>({4294967295u, 4294967295u})); }
};

}  // namespace cases
