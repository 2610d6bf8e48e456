// SPDX-License-Identifier: BSL-1.0
// How many lanes each box of a plan has at once, on a target. Regions: region_lanes.hpp.
#pragma once

#include <exprax/base/target.hpp>
#include <exprax/plan/data/plan.hpp>
#include <exprax/plan/data/slot_numbers.hpp>
#include <exprax/primitives/reductions/cumulative.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail::planning {

class pack_lengths {
 public:
  constexpr pack_lengths(plan& p, target const& machine) : p_(p), machine_(machine) {}

  constexpr void choose() const {
    bool gathers = false;
    for (dynamic_term const& t : p_.terms) gathers = gathers || t.walk == dynamic_term::in_step;
    for (box& b : p_.boxes) {
      b.lanes = of_box(b);
      b.in_pairs = false;
    }
    for (loop_kernel const& l : p_.loops)
      for (int b = l.box; b < l.box + l.n_box; ++b) {
        if (reads_across_lines(p_.boxes[b], l.rank)) p_.boxes[b].lanes /= 2;
        if (gathers) p_.boxes[b].in_pairs = gathers_in_turn(p_.boxes[b], l.rank);
      }
    for (cumulative_kernel const& k : p_.cumulatives) p_.boxes[k.box].lanes = of_running(k, p_.boxes[k.box]);
  }

 private:
  // The elements of the widest dtype in a register.
  constexpr int of_box(box const& b) const {
    int widest = 1;
    for (int s = b.step; s < b.step + b.n_step; ++s) {
      step const& x = p_.steps[s];
      if (size_of(x.type) > widest) widest = size_of(x.type);
      if (size_of(x.from) > widest) widest = size_of(x.from);
    }
    return machine_.lanes_for(stores_conditions(b, widest) ? 1 : stores_shorter(b, widest));
  }
  // The size of what a box stores, if that is short integers, which are packed from several registers at once, and no masks would have to
  // be converted; or the widest.
  constexpr int stores_shorter(box const& b, int widest) const {
    if (b.n_step == 0 || machine_.has_mask_registers()) return widest;
    step const& last = p_.steps[b.step + b.n_step - 1];
    int const stored = size_of(last.type);
    if (last.kind != step_kind::store || stored > 2 || stored == widest) return widest;
    int slots = 0;
    for (int n : b.slots) slots += n;
    if (slots * widest > machine_.registers * stored) return widest;
    for (int s = b.step; s < b.step + b.n_step; ++s) {
      step const& x = p_.steps[s];
      if (is_bool(x.type) || is_bool(x.from) || x.kind == step_kind::gather) return widest;
      if (is_store(x.kind) && x.type != last.type) return widest;
    }
    return stored;
  }
  // Whether conditions on longer elements are all that a box stores, and masks are vectors: a register of them is stored at once, if the
  // elements fit into the registers.
  constexpr bool stores_conditions(box const& b, int widest) const {
    if (b.n_step == 0 || widest < 4 || machine_.has_mask_registers()) return false;
    if (step const& last = p_.steps[b.step + b.n_step - 1]; last.kind != step_kind::store || last.type != dtype::b1) return false;
    int slots = 0;
    for (int d = 0; d < dtype_count; ++d) slots += static_cast<dtype>(d) == dtype::b1 ? 0 : b.slots[d];
    if (slots * widest > machine_.registers) return false;
    for (int s = b.step; s < b.step + b.n_step; ++s) {
      step const& x = p_.steps[s];
      if (is_store(x.kind) ? x.kind != step_kind::store || x.type != dtype::b1
                           : is_bool(x.type) && (x.kind != step_kind::compute || (!is_bool(x.from) && size_of(x.from) < 4))) return false;
      if (x.kind == step_kind::gather) return false;
    }
    return true;
  }
  // Along the axis: a block at least. More than 32 bytes only for functions: lanes that wait for others are not faster in longer registers.
  constexpr int of_running(cumulative_kernel const& k, box const& b) const {
    constexpr int most_bytes = 32;
    if (machine_.register_bytes == 0 || k.has_columns()) return b.lanes;
    bool has_functions = false;
    for (int s = b.step; s < b.step + b.n_step; ++s)
      has_functions = has_functions || (p_.steps[s].kind == step_kind::compute && traits_of(p_.steps[s].op).cost >= cost_of_function);
    int lanes = b.lanes;
    while (!has_functions && lanes > running_block && lanes * size_of(k.type) > most_bytes) lanes /= 2;
    return lanes < running_block ? running_block : lanes;
  }
  // Whether registers are as long as cache lines and are processed in halves, and much of what a simple loop does is to read neighbours of
  // the element that it writes: a load of a line at another place touches two lines, one of half a line only every second time.
  constexpr bool reads_across_lines(box const& b, int rank) const {
    constexpr int line = 64, fewest_loads = 2, most_cost_of_load = 4;
    if (rank == 0 || machine_.register_bytes < line || !machine_.halves_registers) return false;
    int loads = 0, cost = 0;
    std::ptrdiff_t to = 0;
    for (int s = b.step; s < b.step + b.n_step; ++s)
      if (p_.steps[s].kind == step_kind::store) to = p_.accesses[p_.steps[s].access].base;
    for (int s = b.step; s < b.step + b.n_step; ++s) {
      step const& x = p_.steps[s];
      if (x.kind == step_kind::compute) cost += traits_of(x.op).cost * (is_floating(x.type) ? traits_of(x.op).float_instructions : 1);
      if (x.kind != step_kind::load) continue;
      access const& a = p_.accesses[x.access];
      loads += a.stride[rank - 1] == 1 && a.n_term == 0 && (a.base - to) % b.lanes != 0;
    }
    return loads >= fewest_loads && cost <= most_cost_of_load * loads;
  }
  // Gathers at what others have gathered wait for each other: two packs at once hide half of that.
  constexpr bool gathers_in_turn(box const& b, int rank) const {
    if (rank == 0 || 2 * b.lanes > b.extent[rank - 1] || machine_.register_bytes == 0) return false;
    slot_numbers const index(b.slots);
    arena<char> gathered;  // of each slot: whether what it holds is, or is made of, what was gathered
    gathered.resize(index.size(), 0);
    for (int s = b.step; s < b.step + b.n_step; ++s) {
      step const& x = p_.steps[s];
      bool depends = false;
      for_operands(x, [&](int, dtype t, int slot) { depends = depends || gathered[index(t, slot)]; });
      if (x.kind == step_kind::gather && depends) return true;
      if (is_store(x.kind)) continue;
      bool const gathers = is_load(x.kind) && is_gathered(p_, p_.accesses[x.access]);
      gathered[index(x.type, x.d)] = depends || gathers;
    }
    return false;
  }

  plan& p_;
  target machine_;
};

}  // namespace exprax::detail::planning
