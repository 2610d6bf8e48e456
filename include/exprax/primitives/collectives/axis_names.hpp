// SPDX-License-Identifier: BSL-1.0
// Names of mapped axes in the parameters of an equation, as plain ints, so that they are copied with the equation. An entry of a list of
// axes is a positional axis (>= 0), or minus the length of a name followed by its characters, four per int.
#pragma once

#include <string_view>

#include <exprax/primitives/primitive.hpp>

namespace exprax::detail {

inline constexpr int max_axis_name = 24;

constexpr int axis_entry_size(int first) { return first >= 0 ? 1 : 1 + (3 - first) / 4; }

// List: int_list, arena.
template <class List>
constexpr void push_axis_name(List& to, std::string_view name) {
  int const n = static_cast<int>(name.size());
  to.push(-n);
  for (int i = 0; i < n; i += 4) {
    int packed = 0;
    for (int j = i; j < i + 4 && j < n; ++j) packed |= static_cast<unsigned char>(name[static_cast<std::size_t>(j)]) << (8 * (j - i) & 31);
    to.push(packed);
  }
}
constexpr char axis_name_letter(int const* entry, int i) { return static_cast<char>(entry[1 + i / 4] >> (8 * (i % 4)) & 0xff); }

// f(entry, its number of ints) for each entry.
template <class F>
constexpr void for_each_axis_entry(span<int> list, F&& f) {
  for (int k = 0; k < list.size();) {
    int const n = axis_entry_size(list[k]);
    f(list.part(k, n));
    k += n;
  }
}
constexpr bool is_axis_name(span<int> entry) { return entry[0] < 0; }
// Whether both are the same name. An axis without a name is an empty span.
constexpr bool is_same_axis(span<int> entry, span<int> axis) {
  if (axis.empty() || entry.size() != axis.size()) return false;
  for (int i = 0; i < entry.size(); ++i)
    if (entry[i] != axis[i]) return false;
  return true;
}

constexpr bool names_axis(span<int> axes, span<int> axis) {
  bool found = false;
  for_each_axis_entry(axes, [&](span<int> entry) { found = found || is_same_axis(entry, axis); });
  return found;
}

// The list of axes in the parameters of a collective.
constexpr span<int> axes_of(program_ref const& p, eqn const& e) {
  int const at = e.op == prim::all_gather ? 3 : e.op == prim::all_to_all ? 4 : e.op == prim::ppermute ? 1 + p.param(e, 0) : 0;
  return p.params_of(e).part(at, e.n_par - at);
}
template <class Printer>
constexpr void print_axis_name(Printer& o, span<int> entry) {
  char text[max_axis_name] = {};
  for (int i = 0; i < -entry[0]; ++i) text[i] = axis_name_letter(entry.data(), i);
  o.text({text, static_cast<std::size_t>(-entry[0])});
}

}  // namespace exprax::detail
