// SPDX-License-Identifier: BSL-1.0
// The errors of the compiler for what only a trace can tell to be wrong (program/mistake.hpp): JAX's sentences.
#pragma once

#include <exprax/base/fixed_string.hpp>
#include <exprax/primitives/axis_names.hpp>

namespace exprax::detail {

constexpr found_mistake unbound_axis(program_ref p) {
  found_mistake m;
  for (int i = 0; i < p.n.eqns && m.what == mistake::none; ++i) {
    if (!is_collective(p.eqns[i].op)) continue;
    for_each_axis_entry(axes_of(p, p.eqns[i]), [&](span<int> entry) {
      if (!is_axis_name(entry) || m.what != mistake::none) return;
      m.what = mistake::unbound_axis_name;
      for (int k = 0; k < -entry[0]; ++k) m.name[k] = axis_name_letter(entry.data(), k);
    });
  }
  return m;
}

constexpr std::size_t name_size(found_mistake const& m) {
  std::size_t n = 0;
  while (m.name[n] != 0) ++n;
  return n;
}
template <class Found>
constexpr auto name_in() {
  char text[name_size(Found::wrong) + 1] = {};
  for (std::size_t i = 0; i < sizeof text; ++i) text[i] = Found::wrong.name[i];
  return fixed_string<sizeof text>(text);
}

// Never true: their arguments stand in the error text.
template <fixed_string Name>
inline constexpr bool a_vmap_binds = false;
template <int Result, int Axis>
inline constexpr bool result_is_not_batched = false;
template <int Mapped, int Expected>
inline constexpr bool axis_has_size = false;
template <int Mapped, int Permuted>
inline constexpr bool permutes_the_axis = false;

// True, or a readable error.
template <class Found>
constexpr bool check_trace() {
  constexpr mistake what = Found::wrong.what;
  constexpr int first [[maybe_unused]] = Found::wrong.first, second [[maybe_unused]] = Found::wrong.second;
  if constexpr (what == mistake::unbound_axis_name) {
    static_assert(a_vmap_binds<name_in<Found>()>,
                  "exprax: unbound axis name: the one that this message shows. A collective (ex::psum, ...) is called outside of ex::vmap(f, "
                  "ex::axis_name<...>) for that name");
  } else if constexpr (what == mistake::mapped_output_has_no_axis) {
    static_assert(result_is_not_batched<first, second>,
                  "exprax: vmap has mapped output but out_axes is none (this message shows the number of the result, and the axis on which it is batched): "
                  "give that result an axis in out_axes");
  } else if constexpr (what == mistake::axis_size_differs) {
    static_assert(axis_has_size<first, second>,
                  "exprax: a collective expects another size of the mapped axis than it has (the axis, what is expected): all_gather and tiled all_to_all "
                  "take it as ex::axis_size<n>; all_to_all requires the size of the mapped axis to equal that of split_axis");
  } else if constexpr (what == mistake::permutation_has_another_size) {
    static_assert(permutes_the_axis<first, second>,
                  "exprax: ppermute: the permutation doesn't match the axis size (the axis, the permutation): under vmap every index has one pair");
  } else if constexpr (what == mistake::not_a_permutation) {
    static_assert(permutes_the_axis<first, second>, "exprax: ppermute, pshuffle: `perm` does not represent a permutation: an index is missing or occurs twice");
  }
  return what == mistake::none;
}

}  // namespace exprax::detail
