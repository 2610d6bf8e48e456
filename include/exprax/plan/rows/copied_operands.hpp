// SPDX-License-Identifier: BSL-1.0
// copied_operands: what packs would gather from strided memory again for each index of an outer axis, as the points [n, 3] of all pairs, is
// copied before the kernel, once, in the order in which the packs read it.
#pragma once

#include <exprax/base/target.hpp>
#include <exprax/plan/data/make_step.hpp>
#include <exprax/plan/data/slots.hpp>
#include <exprax/plan/rows/iteration_space.hpp>

namespace exprax::detail::planning {

class copied_operands {
 public:
  constexpr copied_operands(plan& p, target const& machine) : p_(p), machine_(machine) {}

  // Whether any kernel reads copies.
  constexpr bool are_needed() const {
    for (loop_kernel const& l : p_.loops)
      if (l.n_box == 1 && reads_copies(p_.boxes[l.box], l.rank, l.dims)) return true;
    for (reduce_kernel const& k : p_.reduces)
      if (reads_copies(p_.boxes[k.box], k.rank, k.dims)) return true;
    return false;
  }
  // Adds the loops that copy operands of a kernel, which reads the copies from now on.
  constexpr void put_before(kernel k, arena<kernel>& to) {
    if (machine_.register_bytes < 16 || !iteration_space::exists(k)) return;
    iteration_space const s(p_, k);
    if (s.boxes() != 1) return;
    int dims[max_rank] = {};
    for (int i = 0; i < s.rank(); ++i) dims[i] = s.dim(i);
    box const b = p_.boxes[s.first_box()];
    arena<copy> copies;
    for (int i = b.step; i < b.step + b.n_step; ++i)
      if (is_copied(p_.steps[i], b, s.rank(), dims))
        p_.steps[i].access = access_to_copy(copies, p_.accesses[p_.steps[i].access], b, s.rank());
    for (int i = 0; i < copies.size(); ++i)
      if (!copies[i].is_done) to.push(loop_of(copies, i, b, s.rank()));
  }

 private:
  // Less is not worth a kernel.
  static constexpr int fewest_repetitions = 8, shortest_row = 16;

  struct copy {
    access from;  // of the kernel
    int buffer;
    bool is_done;  // a loop makes it
  };

  constexpr bool is_stored(box const& b, int buffer) const {
    for (int s = b.step; s < b.step + b.n_step; ++s)
      if (is_store(p_.steps[s].kind) && is_memory(p_.steps[s].kind) && p_.accesses[p_.steps[s].access].buffer == buffer) return true;
    return false;
  }
  constexpr bool is_copied(step const& x, box const& b, int rank, int const* dims) const {
    if (x.kind != step_kind::load || rank < 2) return false;
    access const& a = p_.accesses[x.access];
    std::ptrdiff_t const along = a.stride[rank - 1];
    if (a.n_term > 0 || (along >= -1 && along <= 1)) return false;
    if (b.extent[rank - 1] < shortest_row) return false;
    std::ptrdiff_t repetitions = 1, elements = 1;
    for (int i = 0; i < rank; ++i) {
      if (b.lo[i] != 0 || b.extent[i] != dims[i]) return false;
      (a.stride[i] == 0 ? repetitions : elements) *= dims[i];
    }
    return repetitions >= fewest_repetitions && elements <= p_.buffers[a.buffer].size && !is_stored(b, a.buffer);
  }
  constexpr bool reads_copies(box const& b, int rank, int const* dims) const {
    if (machine_.register_bytes < 16) return false;
    for (int s = b.step; s < b.step + b.n_step; ++s)
      if (is_copied(p_.steps[s], b, rank, dims)) return true;
    return false;
  }

  static constexpr bool is_same(access const& a, access const& b, int rank) {
    bool same = a.buffer == b.buffer && a.base == b.base;
    for (int i = 0; i < rank; ++i) same = same && a.stride[i] == b.stride[i];
    return same;
  }
  // Whether two copies have the same axes.
  static constexpr bool is_alike(access const& a, access const& b, int rank) {
    bool alike = true;
    for (int i = 0; i < rank; ++i) alike = alike && (a.stride[i] == 0) == (b.stride[i] == 0);
    return alike;
  }
  constexpr int access_to_copy(arena<copy>& copies, access const a, box const& b, int rank) {
    access to{};
    std::ptrdiff_t elements = 1;
    for (int i = rank - 1; i >= 0; --i)
      if (a.stride[i] != 0) {
        to.stride[i] = elements;
        elements *= b.extent[i];
      }
    to.buffer = -1;
    for (copy const& c : copies)
      if (is_same(c.from, a, rank)) to.buffer = c.buffer;
    if (to.buffer < 0) {
      to.buffer = p_.add_buffer(p_.buffers[a.buffer].type, storage_class::scratch, 0, elements);
      copies.push({a, to.buffer, false});
    }
    return p_.accesses.push(to);
  }
  // The loop that makes copy `first` and those that have the same axes.
  constexpr kernel loop_of(arena<copy>& copies, int first, box const& b, int rank) {
    access const like = copies[first].from;
    loop_kernel k{};
    for (int i = 0; i < rank; ++i)
      if (like.stride[i] != 0) k.dims[k.rank++] = b.extent[i];
    arena<step> steps;
    for (int c = first; c < copies.size(); ++c) {
      if (copies[c].is_done || !is_alike(copies[c].from, like, rank)) continue;
      copies[c].is_done = true;
      access from{}, to{};
      from.buffer = copies[c].from.buffer;
      from.base = copies[c].from.base;
      to.buffer = copies[c].buffer;
      int axis = 0;
      for (int i = 0; i < rank; ++i)
        if (like.stride[i] != 0) from.stride[axis++] = copies[c].from.stride[i];
      std::ptrdiff_t elements = 1;
      for (int i = k.rank - 1; i >= 0; --i) {
        to.stride[i] = elements;
        elements *= k.dims[i];
      }
      dtype const type = p_.buffers[from.buffer].type;
      int const read = steps.push(load_step(type, p_.accesses.push(from)));
      steps.push(store_step(type, read, p_.accesses.push(to)));
    }
    box copying{};
    for (int i = 0; i < k.rank; ++i) copying.extent[i] = k.dims[i];
    finish_box(p_, copying, steps, k.rank - 1);
    k.box = p_.boxes.push(copying);
    k.n_box = 1;
    return {kernel_kind::loop, p_.loops.push(k), kernel::one_thread};
  }

  plan& p_;
  target machine_;
};

}  // namespace exprax::detail::planning
