// SPDX-License-Identifier: BSL-1.0
// iteration_space: the axes and steps of a loop or reduction that is already in the plan, to split its axes and to take off the first one.
#pragma once

#include <exprax/plan/analysis/uses.hpp>
#include <exprax/primitives/movement/index_map.hpp>

namespace exprax::detail::planning {

// The elements of a buffer that an access walks, without its first axis: [first, last] from where the row begins.
struct row_of_access {
  std::ptrdiff_t stride;  // from one row to the next
  std::ptrdiff_t first, last;

  constexpr bool is_within_row() const { return stride > 0 && first >= 0 && last < stride; }
};

class iteration_space {
 public:
  static constexpr bool exists(kernel k) { return k.kind == kernel_kind::loop || k.kind == kernel_kind::reduce; }

  constexpr iteration_space(plan& p, kernel k) : p_(p), k_(k) {}

  constexpr int rank() const { return is_loop() ? loop().rank : reduce().rank; }
  constexpr int dim(int axis) const { return is_loop() ? loop().dims[axis] : reduce().dims[axis]; }
  // The axes whose indices are also indices of what the kernel makes, before others.
  constexpr int kept() const { return is_loop() ? loop().rank : reduce().kept; }
  constexpr int first_box() const { return is_loop() ? loop().box : reduce().box; }
  constexpr int boxes() const { return is_loop() ? loop().n_box : 1; }

  template <class F>
  constexpr void for_steps(F f) const {
    for (int b = first_box(); b < first_box() + boxes(); ++b)
      for (int s = p_.boxes[b].step; s < p_.boxes[b].step + p_.boxes[b].n_step; ++s) f(p_.steps[s], p_.boxes[b]);
  }
  // Whether all that the kernel reads and writes stands at fixed places.
  constexpr bool is_static() const {
    bool ok = rank() > 0 && (!is_loop() || loop().n_guard == 0);
    for_steps([&](step const& s, box const&) {
      ok = ok && !is_element(s.kind) && !(is_memory(s.kind) && p_.accesses[s.access].n_term > 0);
    });
    return ok;
  }
  // Whether every box has the whole axis, and nothing counts along it.
  constexpr bool is_whole(int axis) const {
    bool ok = true;
    for (int b = first_box(); is_loop() && b < first_box() + boxes(); ++b)
      ok = ok && p_.boxes[b].lo[axis] == 0 && p_.boxes[b].extent[axis] == dim(axis);
    for_steps([&](step const& s, box const&) { ok = ok && !(s.kind == step_kind::iota && iota_axis(s) == axis); });
    return ok;
  }
  // Whether the first axis can be one of n rows.
  constexpr bool has_rows(int n) const {
    if (kept() == 0 || dim(0) % n != 0 || !is_whole(0)) return false;
    return dim(0) == n || rank() < max_rank;
  }
  constexpr row_of_access row_of(access const& a, box const& b, int n) const {
    int const part = dim(0) / n;
    row_of_access r{a.stride[0] * part, a.base, a.base};
    auto const walk = [&](std::ptrdiff_t stride, int lo, int extent) {
      std::ptrdiff_t const begin = stride * lo, end = stride * (lo + extent - 1);
      r.first += begin < end ? begin : end;
      r.last += begin < end ? end : begin;
    };
    walk(a.stride[0], 0, part);
    for (int i = 1; i < rank(); ++i) walk(a.stride[i], is_loop() ? b.lo[i] : 0, is_loop() ? b.extent[i] : dim(i));
    return r;
  }

  // Makes two axes of one; the second has n elements.
  constexpr void split(int axis, int n) {
    int const r = rank();
    for_steps([&](step& s, box const&) {
      if (s.kind == step_kind::iota && iota_axis(s) > axis) set_iota_axis(s, iota_axis(s) + 1);
      if (!is_memory(s.kind)) return;
      access& a = p_.accesses[s.access];
      for (int i = r; i > axis; --i) a.stride[i] = a.stride[i - 1];
      a.stride[axis] *= n;
    });
    for (int b = first_box(); b < first_box() + boxes(); ++b) {
      box& x = p_.boxes[b];
      insert(x.lo, r, axis, 0, 0);
      insert(x.extent, r, axis, dim(axis) / n, n);
    }
    insert(dims(), r, axis, dim(axis) / n, n);
    set_rank(r + 1);
    if (!is_loop() && axis < reduce().kept) ++reduce().kept;
  }
  // Takes off the first axis. A loop keeps one axis, of one element.
  constexpr void drop_first() {
    int const r = rank();
    bool const last = r == 1;
    for_steps([&](step& s, box const&) {
      if (s.kind == step_kind::iota && iota_axis(s) != no_axis) set_iota_axis(s, iota_axis(s) - 1);
      if (!is_memory(s.kind)) return;
      access& a = p_.accesses[s.access];
      for (int i = 0; i + 1 < r; ++i) a.stride[i] = a.stride[i + 1];
      a.stride[r - 1] = 0;
    });
    for (int b = first_box(); b < first_box() + boxes(); ++b) {
      box& x = p_.boxes[b];
      remove(x.lo, r, last ? 0 : -1);
      remove(x.extent, r, last ? 1 : -1);
    }
    remove(dims(), r, last ? 1 : -1);
    set_rank(last ? 1 : r - 1);
    if (!is_loop()) --reduce().kept;
  }

 private:
  constexpr bool is_loop() const { return k_.kind == kernel_kind::loop; }
  constexpr loop_kernel& loop() const { return p_.loops[k_.index]; }
  constexpr reduce_kernel& reduce() const { return p_.reduces[k_.index]; }
  constexpr int* dims() const { return is_loop() ? loop().dims : reduce().dims; }
  constexpr void set_rank(int n) const { (is_loop() ? loop().rank : reduce().rank) = n; }
  static constexpr void insert(int* list, int n, int axis, int first, int second) {
    for (int i = n; i > axis + 1; --i) list[i] = list[i - 1];
    list[axis] = first;
    list[axis + 1] = second;
  }
  // left: the only element after that, or -1: the others.
  static constexpr void remove(int* list, int n, int left) {
    for (int i = 0; i + 1 < n; ++i) list[i] = list[i + 1];
    if (left >= 0) list[0] = left;
  }

  plan& p_;
  kernel k_;
};

}  // namespace exprax::detail::planning
