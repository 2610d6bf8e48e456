// SPDX-License-Identifier: BSL-1.0
// Errors that only tracing can detect (program/mistake.hpp), for the error texts of api/trace.hpp.
#pragma once

#include <type_traits>

#include <exprax/base/fixed_string.hpp>
#include <exprax/primitives/collectives/axis_names.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail {

// The name of an axis in the remaining collectives, or nothing.
struct axis_label {
  char text[max_axis_name + 1] = {};
  constexpr bool operator==(axis_label const&) const = default;
};
constexpr axis_label unbound_axis(program_ref p) {
  axis_label name;
  for (int i = 0; i < p.n.eqns && name.text[0] == 0; ++i) {
    if (!is_collective(p.eqns[i].op)) continue;
    for_each_axis_entry(axes_of(p, p.eqns[i]), [&](span<int> entry) {
      if (!is_axis_name(entry) || name.text[0] != 0) return;
      for (int k = 0; k < -entry[0]; ++k) name.text[k] = axis_name_letter(entry.data(), k);
    });
  }
  return name;
}

// Whether the program has an equation with an effect.
constexpr bool prints(program_ref p) {
  for (int i = 0; i < p.n.eqns; ++i)
    if (p.eqns[i].n_out == 0 && p.eqns[i].n_blk == 0) return true;
  return false;
}

// What the compiler learns from tracing a function once.
struct trace_summary {
  program_sizes sizes;
  found_mistake wrong;
  axis_label name;
};
constexpr trace_summary summary(program const& p) {
  trace_summary s{p.sizes(), p.wrong, {}};
  if (s.wrong.what == mistake::unbound_axis_name) s.name = unbound_axis(p.ref());
  return s;
}

template <axis_label L>
constexpr auto name_in() {
  constexpr std::size_t size = std::string_view(L.text).size() + 1;
  char text[size] = {};
  for (std::size_t i = 0; i < size; ++i) text[i] = L.text[i];
  return fixed_string<size>(text);
}

// The mistake as a type, which the error text shows.
struct no_mistake;
template <fixed_string Name>
struct unbound_axis_named;
template <int Result, int Axis>
struct result_on_axis;
template <int Mapped, int Expected>
struct axis_of_size;
template <int Mapped, int Permuted>
struct permutation_of;
struct index_twice;
struct nothing_returned;
struct parameter_assigned;
template <fixed_string Primitive>
struct derivative_of;
struct while_loop_in_reverse;
struct captured_by_a_rule;
struct custom_vjp_in_forward_mode;
struct overlapping_products;
struct no_transpose_solve;
template <prim P>
constexpr auto name_of_primitive() {
  char text[primitive<P>::name.size() + 1] = {};
  for (std::size_t i = 0; i < primitive<P>::name.size(); ++i) text[i] = primitive<P>::name[i];
  return fixed_string<primitive<P>::name.size() + 1>(text);
}
template <found_mistake M, axis_label Name>
constexpr auto describe() {
  if constexpr (M.what == mistake::unbound_axis_name) return std::type_identity<unbound_axis_named<name_in<Name>()>>{};
  else if constexpr (M.what == mistake::mapped_output_has_no_axis) return std::type_identity<result_on_axis<M.first, M.second>>{};
  else if constexpr (M.what == mistake::axis_size_differs) return std::type_identity<axis_of_size<M.first, M.second>>{};
  else if constexpr (M.what == mistake::permutation_has_another_size) return std::type_identity<permutation_of<M.first, M.second>>{};
  else if constexpr (M.what == mistake::not_a_permutation) return std::type_identity<index_twice>{};
  else if constexpr (M.what == mistake::returns_nothing) return std::type_identity<nothing_returned>{};
  else if constexpr (M.what == mistake::assigns_to_a_parameter) return std::type_identity<parameter_assigned>{};
  else if constexpr (M.what == mistake::not_differentiable || M.what == mistake::not_transposable)
    return std::type_identity<derivative_of<name_of_primitive<static_cast<prim>(M.first)>()>>{};
  else if constexpr (M.what == mistake::reverse_mode_of_a_while_loop) return std::type_identity<while_loop_in_reverse>{};
  else if constexpr (M.what == mistake::custom_rule_captures) return std::type_identity<captured_by_a_rule>{};
  else if constexpr (M.what == mistake::forward_mode_of_a_custom_vjp) return std::type_identity<custom_vjp_in_forward_mode>{};
  else if constexpr (M.what == mistake::products_of_overlapping_updates) return std::type_identity<overlapping_products>{};
  else if constexpr (M.what == mistake::solve_without_a_transpose) return std::type_identity<no_transpose_solve>{};
  else return std::type_identity<no_mistake>{};
}

// Conditions of static_asserts.
template <class What>
inline constexpr bool binds_all_names = true;
template <fixed_string Name>
inline constexpr bool binds_all_names<unbound_axis_named<Name>> = false;
template <class What>
inline constexpr bool results_have_their_axis = true;
template <int Result, int Axis>
inline constexpr bool results_have_their_axis<result_on_axis<Result, Axis>> = false;
template <class What>
inline constexpr bool has_the_expected_size = true;
template <int Mapped, int Expected>
inline constexpr bool has_the_expected_size<axis_of_size<Mapped, Expected>> = false;
template <class What>
inline constexpr bool permutes_the_axis = true;
template <int Mapped, int Permuted>
inline constexpr bool permutes_the_axis<permutation_of<Mapped, Permuted>> = false;
template <class What>
inline constexpr bool is_permutation_of_all = true;
template <>
inline constexpr bool is_permutation_of_all<index_twice> = false;
template <class What>
inline constexpr bool returns_a_value = true;
template <>
inline constexpr bool returns_a_value<nothing_returned> = false;
template <class What>
inline constexpr bool leaves_its_parameters = true;
template <>
inline constexpr bool leaves_its_parameters<parameter_assigned> = false;

template <class What>
inline constexpr bool has_derivative_rules = true;
template <fixed_string Primitive>
inline constexpr bool has_derivative_rules<derivative_of<Primitive>> = false;
template <class What>
inline constexpr bool runs_backwards = true;
template <>
inline constexpr bool runs_backwards<while_loop_in_reverse> = false;

template <class What>
inline constexpr bool takes_all_as_arguments = true;
template <>
inline constexpr bool takes_all_as_arguments<captured_by_a_rule> = false;

template <class What>
inline constexpr bool runs_forwards = true;
template <>
inline constexpr bool runs_forwards<custom_vjp_in_forward_mode> = false;
template <class What>
inline constexpr bool has_unique_indices = true;
template <>
inline constexpr bool has_unique_indices<overlapping_products> = false;
template <class What>
inline constexpr bool has_a_transpose_solve = true;
template <>
inline constexpr bool has_a_transpose_solve<no_transpose_solve> = false;

}  // namespace exprax::detail
