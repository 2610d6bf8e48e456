// SPDX-License-Identifier: BSL-1.0
// Elements of an array in memory that an iteration of a loop reads where the one before wrote, as in a.at(i).set(f(a(i - 1))): the last
// element that was written is also in a scalar slot, and its offset in another. A load that finds its own offset there takes the slot, so
// that no iteration waits for memory. That the offsets agree is likely, not proven: they are compared at run time.
#pragma once

#include <exprax/plan/data/plan.hpp>
#include <exprax/plan/data/region.hpp>
#include <exprax/plan/regions/scalar_steps.hpp>

namespace exprax::detail::planning {

// The steps of a loop's body in the run layout, in which a step of the body sets each slot at most once, and its moves.
class forwarded_elements {
 public:
  constexpr forwarded_elements(plan const& out, arena<region_step> const& steps, span<region_move> moves)
      : out_(out), steps_(steps), scalars_(steps), moves_(moves) {}

  constexpr bool has_control() const {
    for (region_step const& s : steps_)
      if (s.kind >= region_step_kind::scan) return true;
    return false;
  }
  // Whether step k stores an element of a buffer to which no other step stores.
  constexpr bool is_only_store(int k) const {
    if (steps_[k].kind != region_step_kind::store || steps_[k].n != 1) return false;
    for (int i = 0; i < steps_.size(); ++i)
      if (i != k && steps_[i].kind == region_step_kind::store && buffer(steps_[i]) == buffer(steps_[k])) return false;
    return true;
  }
  // Whether step `load` probably reads the element that step `store` wrote in the iteration before.
  constexpr bool reads_what_was_written(region_step const& load, region_step const& store) const {
    if (load.kind != region_step_kind::load || load.n != 1 || load.type != store.type || buffer(load) != buffer(store)) return false;
    region_address const &x = out_.region_addresses[load.address], &y = out_.region_addresses[store.address];
    if (x.base != y.base || x.n_term != y.n_term || x.n_term == 0) return false;
    for (int i = 0; i < x.n_term; ++i) {
      region_term const &a = out_.region_terms[x.term + i], &b = out_.region_terms[y.term + i];
      if (a.counter != no_counter || b.counter != no_counter || a.stride != b.stride) return false;
      index const now = index_in(a.type, a.slot), written = index_in(b.type, b.slot);
      std::int64_t growth = 0;
      if (!now.has_root_of(written) || !grows_by(now, growth) || now.plus + now.sign * growth != written.plus) return false;
    }
    return true;
  }

 private:
  // sign * the scalar in slot `root` + plus.
  struct index {
    dtype type;
    int root;
    std::int64_t plus = 0;
    int sign = 1;
    constexpr bool has_root_of(index const& other) const { return type == other.type && root == other.root && sign == other.sign; }
  };
  constexpr int buffer(region_step const& s) const { return out_.region_addresses[s.address].buffer; }
  // A selection is what is selected if the condition is false: indices that count from the end are the exception.
  constexpr index index_in(dtype t, int slot, int depth = 0) const {
    index r{t, slot};
    region_step const* const s = scalars_.maker(t, slot);
    if (s == nullptr || depth > 8) return r;
    if (s->kind == region_step_kind::move || (s->kind == region_step_kind::convert && is_integer(s->from)))
      return index_in(s->from, s->a, depth + 1);
    if (s->kind != region_step_kind::compute) return r;
    if (s->op == prim::select_n) return index_in(t, s->b, depth + 1);
    std::int64_t by = 0;
    if ((s->op == prim::add || s->op == prim::sub) && scalars_.is_literal(t, s->b, by)) {
      r = index_in(t, s->a, depth + 1);
      r.plus += s->op == prim::add ? by : -by;
    } else if ((s->op == prim::add || s->op == prim::sub) && scalars_.is_literal(t, s->a, by)) {
      r = index_in(t, s->b, depth + 1);
      if (s->op == prim::sub) r.plus = -r.plus, r.sign = -r.sign;
      r.plus += by;
    }
    return r;
  }
  // Whether the root grows by the same from one iteration to the next.
  constexpr bool grows_by(index const& i, std::int64_t& growth) const {
    if (region_step const* const s = scalars_.maker(i.type, i.root)) {
      growth = s->scale;
      return s->kind == region_step_kind::counter;
    }
    for (region_move const& m : moves_)
      if (m.type == i.type && m.n == 1 && m.to == i.root) {
        index const next = index_in(m.type, m.from);
        growth = next.plus;
        return next.has_root_of({i.type, i.root});
      }
    growth = 0;
    return true;
  }

  plan const& out_;
  arena<region_step> const& steps_;
  scalar_steps scalars_;
  span<region_move> moves_;
};

}  // namespace exprax::detail::planning
