// SPDX-License-Identifier: BSL-1.0
// epilogues: a loop of a few elementwise steps over the results of a product, which nothing else reads, takes them from the registers in
// which they were summed. They are never stored.
#pragma once

#include <exprax/plan/analysis/uses.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail::planning {

// Of the main list. After the tiles of products are chosen.
class epilogues {
 public:
  constexpr explicit epilogues(plan& p) : p_(p) {}

  constexpr void run() {
    if (p_.contracts.size() == 0) return;
    kernel* const of = p_.kernels.data();
    int const end = p_.main.first + p_.main.count;
    int n = p_.main.first;
    for (int i = n; i < end; ++i)
      if (n == p_.main.first || !try_join(of[n - 1], of[i])) of[n++] = of[i];
    p_.main.count = n - p_.main.first;
    if (end == p_.kernels.size()) p_.kernels.n = n;
  }

 private:
  // The steps are repeated for each pack of a tile: functions would make it long.
  static constexpr int most_cost = 12 * cost_of_instruction, most_loads = 4;

  constexpr bool try_join(kernel product, kernel loop) {
    if (product.kind != kernel_kind::contract || loop.kind != kernel_kind::loop) return false;
    contract_kernel& k = p_.contracts.begin()[product.index];
    loop_kernel const& l = p_.loops[loop.index];
    if (k.has_epilogue() || p_.buffers[k.out_buffer].where != storage_class::scratch || !gives_packs(k)) return false;
    k.epilogue = loop.index;
    if (walks_results(l, k) && has_few_steps(l, k) && is_used_nowhere_else(k.out_buffer, product, loop)) return true;
    k.epilogue = -1;
    return false;
  }
  // Whether each sum is complete when it is first stored, in the order of memory.
  static constexpr bool gives_packs(contract_kernel const& k) {
    contract_tiles const& t = k.tiles;
    contract_walks const& w = k.walks;
    if (k.group > 0 || k.halves >= 0 || is_bool(k.type) || w.out_size == 0 || w.k_size == 0) return false;
    if (t.method == contract_method::elements) return true;
    if (t.method != contract_method::tiles || t.strip > 0 || w.out[t.column] != 1) return false;
    for (int i = 0; i < w.out_rank; ++i)
      if (i != t.column && w.out[i] % w.dims[t.column] != 0) return false;
    return t.depth == 0 || (!k.blocked && t.depth >= w.k_size);
  }
  // Whether the loop walks all results in the order of memory, and each pack of them lies in one of its rows.
  constexpr bool walks_results(loop_kernel const& l, contract_kernel const& k) const {
    if (l.rank == 0 || l.n_box != 1 || l.n_guard > 0) return false;
    box const& b = p_.boxes[l.box];
    std::ptrdiff_t size = 1;
    for (int i = 0; i < l.rank; ++i) {
      if (b.lo[i] != 0 || b.extent[i] != l.dims[i]) return false;
      size *= l.dims[i];
    }
    if (size != k.walks.out_size || p_.buffers[k.out_buffer].size != size) return false;
    return k.tiles.method != contract_method::tiles || l.dims[l.rank - 1] % k.walks.dims[k.tiles.column] == 0;
  }
  // Whether its steps are few, and read and write packs: the results in order, other arrays where each row is contiguous, or one element.
  // It writes nothing that the product reads, as tiles do so in turn, and reads nothing that it writes, as packs that overlap are made
  // twice.
  constexpr bool has_few_steps(loop_kernel const& l, contract_kernel const& k) const {
    box const& b = p_.boxes[l.box];
    step const* const steps = &p_.steps[b.step];
    int const last = l.rank - 1;
    int cost = 0, loads = 0;
    bool has_results = false;
    for (int i = 0; i < b.n_step; ++i) {
      step const& x = steps[i];
      if (x.kind == step_kind::compute) cost += traits_of(x.op).cost;
      if (x.kind != step_kind::load && x.kind != step_kind::store) {
        if (is_element(x.kind) || x.kind == step_kind::gather) return false;
        continue;
      }
      access const& a = p_.accesses[x.access];
      bool const stores = x.kind == step_kind::store;
      if (a.n_term != 0 || (a.stride[last] != 1 && (a.stride[last] != 0 || stores) && l.dims[last] > 1)) return false;
      if (stores) {
        if (!may_store(l, k, a.buffer)) return false;
      } else if (a.buffer != k.out_buffer) {
        ++loads;
      } else {
        if (!is_in_order(l, a)) return false;
        has_results = true;
      }
    }
    return has_results && cost <= most_cost && loads <= most_loads;
  }
  static constexpr bool is_in_order(loop_kernel const& l, access const& a) {
    std::ptrdiff_t size = 1;
    for (int i = l.rank - 1; i >= 0; --i) {
      if (a.stride[i] != size && l.dims[i] > 1) return false;
      size *= l.dims[i];
    }
    return a.base == 0;
  }
  // An argument that a result could overwrite must stay one. Those of the product could not be overwritten without the loop either.
  constexpr bool may_store(loop_kernel const& l, contract_kernel const& k, int to) const {
    if (to == k.out_buffer || to == k.lhs_buffer || to == k.rhs_buffer) return false;
    box const& b = p_.boxes[l.box];
    step const* const steps = &p_.steps[b.step];
    for (int i = 0; i < b.n_step; ++i) {
      if (steps[i].kind != step_kind::load) continue;
      int const from = p_.accesses[steps[i].access].buffer;
      if (from == to) return false;
      if (from == k.out_buffer || from == k.lhs_buffer || from == k.rhs_buffer) continue;
      if (p_.buffers[from].where != storage_class::input || p_.buffers[from].size != p_.buffers[to].size) continue;
      if (!reads_before_it_writes(p_, k, from, to)) return false;
    }
    return true;
  }
  // Whether only the product and the loop use a buffer.
  constexpr bool is_used_nowhere_else(int buffer, kernel product, kernel loop) const {
    for (int i = p_.main.first; i < p_.main.first + p_.main.count; ++i) {
      kernel const k = p_.kernels[i];
      if ((k.kind == product.kind && k.index == product.index) || (k.kind == loop.kind && k.index == loop.index)) continue;
      for (memory_use const& u : all_uses(p_, k))
        if (u.buffer == buffer) return false;
    }
    return true;
  }

  plan& p_;
};

}  // namespace exprax::detail::planning
