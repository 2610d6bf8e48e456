// SPDX-License-Identifier: BSL-1.0
// Which kernels several threads share. Each element is computed as by one thread: what is summed in order stays with one thread, except for
// the blocks of long sums, whose partial results are added in order (emit/kernels/reductions/block_sums.hpp).
#pragma once

#include <exprax/plan/analysis/work.hpp>

namespace exprax::detail::planning {

// Tables: plan. A template, so that programs that are planned for one thread do not instantiate it.
template <class Tables>
class shared_kernels {
 public:
  constexpr explicit shared_kernels(Tables& p) : p_(p) {}
  constexpr void choose() { choose(p_.main); }

 private:
  // Simple operations on elements, of which a core does some 40 in a nanosecond: less is not worth the start of a team.
  static constexpr std::int64_t enough_work = 1 << 19;

  constexpr void choose(kernel_range r) {
    for (int i = r.first; i < r.first + r.count; ++i) {
      kernel& k = p_.kernels[i];
      arena<int> own;  // buffers that each thread needs its own of
      // A product of matrices does two operations at once.
      std::int64_t const enough = k.kind == kernel_kind::contract ? 2 * enough_work : enough_work;
      if (kernel_work<Tables>(p_, true).operations(k) >= enough && can_be_shared(k, own)) {
        k.set_own_buffers(p_.tables.push(own.size()));
        for (int b : own) p_.tables.push(b);
      } else {
        for_nested(p_, k, [&](kernel_range nested) { choose(nested); });
      }
    }
  }

  // ---- Whether its parts are independent

  constexpr bool can_be_shared(kernel const k, arena<int>& own) const {
    switch (k.kind) {
      case kernel_kind::loop: {
        loop_kernel const& l = p_.loops[k.index];
        for (int b = l.box; b < l.box + l.n_box; ++b)
          if (l.rank == 0 || !reads_only_where_it_writes(p_.boxes[b], l.rank)) return false;
        return true;
      }
      case kernel_kind::reduce: {
        reduce_kernel const& r = p_.reduces[k.index];
        for (int i = r.reduction; i < r.reduction + r.n_reduction; ++i)
          if (loads(p_.boxes[r.box], p_.accesses[p_.reductions[i].out].buffer)) return false;
        return (r.columns || r.kept > 0 || r.has_many_blocks()) && reads_only_where_it_writes(p_.boxes[r.box], r.rank);
      }
      case kernel_kind::cumulative: {
        cumulative_kernel const& r = p_.cumulatives[k.index];
        return r.rank > 1 && reads_only_where_it_writes(p_.boxes[r.box], r.rank);
      }
      case kernel_kind::contract:
        return p_.contracts[k.index].tiles.method != contract_method::elements && p_.contracts[k.index].walks.out_size > 1;
      case kernel_kind::region: return p_.regions[k.index].row_axes > 0 && has_own_memory(k, p_.regions[k.index], own);
      case kernel_kind::scan: return p_.scans[k.index].n_carry == 0 && has_own_memory(k, p_.scans[k.index], own);
      default: return false;
    }
  }
  constexpr bool loads(box const& b, int buffer) const {
    for (int s = b.step; s < b.step + b.n_step; ++s)
      if (is_load(p_.steps[s].kind) && p_.accesses[p_.steps[s].access].buffer == buffer) return true;
    return false;
  }
  constexpr bool reads_only_where_it_writes(box const& b, int rank) const {
    for (int s = b.step; s < b.step + b.n_step; ++s) {
      step const& x = p_.steps[s];
      if (is_element(x.kind)) return false;
      if (x.kind != step_kind::store) continue;
      for (int o = b.step; o < b.step + b.n_step; ++o) {
        step const& y = p_.steps[o];
        if (o == s || !is_memory(y.kind) || p_.accesses[y.access].buffer != p_.accesses[x.access].buffer) continue;
        if (!same_walk(p_.accesses[x.access], p_.accesses[y.access], rank)) return false;
      }
    }
    return true;
  }
  // ---- Memory of each thread

  // What only the region uses is each thread's own, if it does not belong to rows; else rows have different elements.
  constexpr bool has_own_memory(kernel const k, region_kernel const& r, arena<int>& own) const {
    arena<int> const inside = uses_in(k), everywhere = uses();
    arena<region_step> memory;
    accesses(r.block, memory);
    auto const address = [this](region_step const& s) -> region_address const& { return p_.region_addresses[s.address]; };
    for (region_step const& s : memory) {
      if (s.kind != region_step_kind::store) continue;
      region_address const& to = address(s);
      bool const of_rows = !to.of_lanes && to.row[r.row_axes - 1] != 0;
      if (!of_rows && !is_own(to.buffer, inside, everywhere)) return false;
      if (!of_rows) push_once(own, to.buffer);
      for (region_step const& o : memory)
        if (of_rows && address(o).buffer == to.buffer)
          for (int i = 0; i < r.row_axes; ++i)
            if (address(o).row[i] != to.row[i] || to.row[i] == 0) return false;
    }
    return true;
  }
  constexpr void accesses(int block, arena<region_step>& to) const {
    region_block const& b = p_.region_blocks[block];
    for (int i = b.step; i < b.step + b.n_step; ++i) {
      region_step const& s = p_.region_steps[i];
      if (s.address >= 0) to.push(s);
      for (int j = 0; j < s.n_block; ++j) accesses(p_.tables[s.block + j], to);
    }
  }
  // What only the body of a loop uses is each thread's own. Else it writes rows, the parts of the loop's arrays, and prints nothing.
  constexpr bool has_own_memory(kernel const k, scan_kernel const& s, arena<int>& own) const {
    arena<int> const inside = uses_in(s.body), everywhere = uses();
    for (memory_use const& u : all_uses(p_, s.body)) {
      bool const is_inside = inside[u.buffer] == everywhere[u.buffer];
      switch (p_.buffers[u.buffer].where) {
        case storage_class::scratch:
          if (is_inside) push_once(own, u.buffer);
          else if (u.writes()) return false;
          break;
        case storage_class::bound:
          if (u.writes() && !is_inside) return false;
          break;
        default:
          if (u.writes()) return false;
      }
    }
    return !prints(k);
  }
  constexpr bool prints(kernel const k) const {
    bool found = k.kind == kernel_kind::print;
    for_nested(p_, k, [&](kernel_range r) {
      for (int i = r.first; i < r.first + r.count; ++i) found = found || prints(p_.kernels[i]);
    });
    return found;
  }
  constexpr bool is_own(int b, arena<int> const& inside, arena<int> const& everywhere) const {
    return p_.buffers[b].where == storage_class::scratch && inside[b] == everywhere[b];
  }
  // How often each buffer is used.
  constexpr arena<int> uses() const { return uses_in(p_.main); }
  constexpr arena<int> uses_in(kernel_range r) const {
    arena<int> n;
    n.resize(p_.buffers.size(), 0);
    for (int i = r.first; i < r.first + r.count; ++i) count_uses(p_.kernels[i], n);
    return n;
  }
  constexpr arena<int> uses_in(kernel const k) const {
    arena<int> n;
    n.resize(p_.buffers.size(), 0);
    count_uses(k, n);
    return n;
  }
  constexpr void count_uses(kernel const k, arena<int>& n) const {
    for (memory_use const& u : all_uses(p_, k)) ++n[u.buffer];
  }

  Tables& p_;
};

}  // namespace exprax::detail::planning
