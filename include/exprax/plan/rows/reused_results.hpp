// SPDX-License-Identifier: BSL-1.0
// reused_results: scratch memory that a loop reads where it writes a result for the first time: it stands in the memory of the result.
#pragma once

#include <exprax/plan/analysis/buffer_lives.hpp>
#include <exprax/plan/rows/iteration_space.hpp>

namespace exprax::detail::planning {

class reused_results {
 public:
  constexpr explicit reused_results(plan& p) : p_(p) {}

  // The kernels of the main list.
  constexpr void run() {
    for (int i = p_.main.first; i < p_.main.first + p_.main.count; ++i) {
      if (p_.kernels[i].kind != kernel_kind::loop) continue;
      int scratch = -1, result = -1;
      if (find(i, scratch, result)) replace(scratch, result);
    }
  }

 private:
  // Whether kernels that this class cannot change use a buffer; the first and the last one that use it.
  struct life {
    int first = -1, last = -1;
    bool is_simple = true;
  };
  constexpr life life_of(int buffer) const {
    life r;
    for (int i = p_.main.first; i < p_.main.first + p_.main.count; ++i) {
      bool uses = false;
      for (memory_use const& u : all_uses(p_, p_.kernels[i])) uses = uses || u.buffer == buffer;
      if (!uses) continue;
      if (r.first < 0) r.first = i;
      r.last = i;
      r.is_simple = r.is_simple && iteration_space::exists(p_.kernels[i]) && iteration_space(p_, p_.kernels[i]).is_static();
    }
    return r;
  }
  constexpr bool find(int at, int& scratch, int& result) const {
    loop_kernel const& l = p_.loops[p_.kernels[at].index];
    arena<int> read, written;
    iteration_space const s(p_, p_.kernels[at]);
    if (!s.is_static()) return false;
    s.for_steps([&](step const& x, box const&) {
      if (!is_memory(x.kind)) return;
      int const b = p_.accesses[x.access].buffer;
      storage_class const where = p_.buffers[b].where;
      if (x.kind == step_kind::load && where == storage_class::scratch && position(read, b) < 0) read.push(b);
      if (x.kind == step_kind::store && where == storage_class::output && position(written, b) < 0) written.push(b);
    });
    for (int const o : written) {
      if (life_of(o).first != at) continue;
      for (int const b : read) {
        buffer const &from = p_.buffers[b], &to = p_.buffers[o];
        if (from.type != to.type || from.size != to.size || from.size < smallest || !reads_where_it_writes(p_, l, b, o)) continue;
        life const x = life_of(b);
        if (x.last != at || !x.is_simple) continue;
        scratch = b;
        result = o;
        return true;
      }
    }
    return false;
  }
  // An argument that the result may overwrite now may be overwritten afterwards, else nothing is done.
  constexpr void replace(int scratch, int result) {
    arena<int> changed, overwritten;
    for (int b = 0; b < p_.buffers.size(); ++b)
      if (p_.buffers[b].where == storage_class::input && p_.buffers[b].size == p_.buffers[result].size &&
          is_read_before_written(p_, p_.main, b, result))
        overwritten.push(b);
    for (int a = 0; a < p_.accesses.size(); ++a)
      if (p_.accesses[a].buffer == scratch) p_.accesses[a].buffer = result, changed.push(a);
    for (int const b : overwritten) {
      if (is_read_before_written(p_, p_.main, b, result)) continue;
      for (int const a : changed) p_.accesses[a].buffer = scratch;
      return;
    }
  }
  static constexpr std::ptrdiff_t smallest = 2;

  plan& p_;
};

}  // namespace exprax::detail::planning
