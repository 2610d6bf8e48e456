// SPDX-License-Identifier: BSL-1.0
// strided_updates: x.at[1:-1:2].set(0.5 * (x[:-2:2] + x[2::2])), an update of every second, third or fourth element of rows that is
// computed from elements as far apart, becomes an update of whole rows, x.at[1:-1].set(where(i % 2 == 0, 0.5 * (x[:-2] + x[2:]), x[1:-1])):
// what is computed between the elements is dropped. Packs then load and store what lies side by side in memory, and the rest of the
// array is copied in the same walk.
#pragma once

#include <exprax/base/target.hpp>
#include <exprax/passes/dce.hpp>
#include <exprax/primitives/indexed/update_slice_family.hpp>
#include <exprax/primitives/movement/affine.hpp>
#include <exprax/primitives/rule_context.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail {

// Which updates are made by whole rows.
class strided_update_finder {
 public:
  constexpr explicit strided_update_finder(program_ref p) : p_(p), def_(definitions_of(p)) {}

  constexpr bool is_found(eqn const& e) const {
    if (!is_strided(p_, e)) return false;
    aval const& update = p_.type(p_.in(e, 1));
    int const axis = update.rank - 1, step = p_.param(e, 2 * update.rank - 1);
    walk w{axis, step, update.dims[axis]};
    return is_computed_between(p_.in(e, 1), w) && w.slices > 0 && (step - 1) * w.cost <= most_work;
  }
  // Whether rows that follow each other are updated with a step.
  static constexpr bool is_strided(program_ref p, eqn const& e) {
    constexpr int most_step = 4;
    int const step = step_along_rows(p, e);
    if (step < 2 || step > most_step) return false;
    aval const& update = p.type(p.in(e, 1));
    for (int i = 0; i + 1 < update.rank; ++i)
      if (p.param(e, update.rank + i) != 1 && update.dims[i] > 1) return false;
    return !is_complex(update.type);
  }
  // The step of an update of a known slice along rows that packs may walk as a whole: neither short nor of short elements. Else 1.
  static constexpr int step_along_rows(program_ref p, eqn const& e) {
    constexpr int shortest_row = 16, shortest_element = 4;
    if (!is_static_update(e.op)) return 1;
    aval const& update = p.type(p.in(e, 1));
    if (update.rank == 0 || size_of(update.type) < shortest_element) return 1;
    int const n = update.dims[update.rank - 1], step = p.param(e, 2 * update.rank - 1);
    return (n - 1) * step + 1 >= shortest_row ? step : 1;
  }
  static constexpr int most_work = 12;  // of what is dropped for each element that is not, in additions
  // The equation that makes v, or null.
  constexpr eqn const* definition(int v) const { return def_[v] < 0 ? nullptr : &p_.eqns[def_[v]]; }
  // Whether v is the same along an axis.
  constexpr bool is_repeated(int v, int axis) const {
    aval const& t = p_.type(v);
    if (t.rank <= axis || t.dims[axis] == 1) return true;
    eqn const* const e = definition(v);
    if (e == nullptr || e->op != prim::broadcast_in_dim) return false;
    aval const& from = p_.type(p_.in(*e, 0));
    for (int i = 0; i < from.rank; ++i)
      if (p_.param(*e, t.rank + i) == axis && from.dims[i] != 1) return false;
    return true;
  }

  // Whether a slice leaves an axis as it is.
  constexpr bool has_whole_axis(eqn const& e, int axis) const { return p_.type(p_.in(e, 0)).dims[axis] == p_.type(e.out).dims[axis]; }

 private:
  struct walk {
    int axis, step, n;
    int slices = 0, cost = 0;
    arena<int> seen{};
  };
  // Whether v can be computed between its elements along the axis too.
  constexpr bool is_computed_between(int v, walk& w) const {
    if (is_repeated(v, w.axis) || position(w.seen, v) >= 0) return true;
    eqn const* const e = definition(v);
    if (e == nullptr || e->n_out != 1 || e->n_blk != 0) return false;
    w.seen.push(v);
    if (e->op == prim::slice) {
      if (has_whole_axis(*e, w.axis)) return is_computed_between(p_.in(*e, 0), w);
      ++w.slices;
      return primitive<prim::slice>::stride({p_, *e}, w.axis) == w.step;
    }
    if (e->op == prim::iota) return p_.param(*e, 1) != w.axis;
    if (!is_elementwise(e->op)) return false;
    w.cost += traits_of(e->op).cost;
    for (int k = 0; k < e->n_in; ++k)
      if (w.cost * (w.step - 1) > most_work || !is_computed_between(p_.in(*e, k), w)) return false;
    return true;
  }

  program_ref p_;
  arena<int> def_;
};

class strided_updates : rule_context {
 public:
  constexpr strided_updates(program_builder& to, program_ref p) : rule_context(to, p), finder_(p) {}

  // Targets without packs gain nothing.
  static constexpr bool is_needed(program_ref p, target const& machine = this_target) {
    int i = 0;
    while (i < p.n.eqns && !strided_update_finder::is_strided(p, p.eqns[i])) ++i;
    if (i == p.n.eqns || machine.register_bytes == 0) return false;
    strided_update_finder const finder(p);
    for (; i < p.n.eqns; ++i)
      if (finder.is_found(p.eqns[i])) return true;
    return false;
  }
  constexpr void run() { copy_.copy_block(from().main_id(), step{*this}); }

 private:
  struct step {
    strided_updates& x;
    constexpr void operator()(eqn const& e) const {
      if (x.finder_.is_found(e)) x.copy_.set(e.out, x.update(e));
      else if (e.n_blk > 0 && e.op != prim::vmap) x.copy_.copy(e, *this);
      else x.copy_.copy(e);  // a vmap: in lanes, elements do not lie in memory
    }
  };
  struct made_value {
    int of = 0, made = 0;
  };

  constexpr int update(eqn const& e) {
    equation_ref const q{from(), e};
    updated_slice const s(q);
    int const rank = q.type(0).rank, x = copy_[q.in(0)];
    axis_ = rank - 1;
    step_ = s.step[axis_];
    made_.clear();
    region_ = q.type(1);
    region_.dims[axis_] = s.limit(axis_) - s.start[axis_];
    int par[2 * max_rank];
    for (int i = 0; i < rank; ++i) {
      par[i] = s.start[i];
      par[rank + i] = s.limit(i);
    }
    int const old = emit(prim::slice, {&x, 1}, {par, 2 * rank}, region_);
    int made = between(q.in(1));
    if (!type(made).same_shape(region_)) made = broadcast_to(made, region_);
    if (!replaces_elements(e.op)) made = combined(traits_of(e.op).combiner, region_, {old, made});
    int const in[] = {x, combined(prim::select_n, region_, {is_updated(), old, made})};
    for (int i = 0; i < rank; ++i) par[rank + i] = 1;
    return to().emit_one(prim::update_slice, in, {par, 2 * rank}, copy_.type(e.out));
  }
  constexpr int combined(prim op, aval const& out, std::initializer_list<int> in) { return to().emit_one(op, in, {}, out); }
  // Whether the index along the axis is a multiple of the step: of a power of two by its last bits; of an odd number, if the product with
  // its inverse, which takes a multiple to the quotient and nothing else to a number as small, does not wrap.
  constexpr int is_updated() {
    constexpr dtype t = dtype::u32;
    aval const numbers = region_.with_type(t), truths = region_.with_type(dtype::b1);
    int par[2 + max_rank] = {static_cast<int>(t), axis_};
    for (int i = 0; i < region_.rank; ++i) par[2 + i] = region_.dims[i];
    int const at = emit(prim::iota, {}, {par, 2 + region_.rank}, numbers);
    if (step_ % 2 == 0) return combined(prim::eq, truths, {combined(prim::and_, numbers, {at, number(t, step_ - 1)}), number(t, 0)});
    std::uint32_t const step = static_cast<std::uint32_t>(step_);
    std::uint32_t inverse = step;  // of its last 3 bits; each turn doubles how many
    while (inverse * step != 1) inverse *= 2 - step * inverse;
    return combined(prim::le, truths, {combined(prim::mul, numbers, {at, literal(t, inverse)}), literal(t, ~std::uint32_t{0} / step)});
  }
  // v, computed at all indices along the axis.
  constexpr int between(int v) {
    for (made_value const& m : made_)
      if (m.of == v) return m.made;
    int const made = make(v);
    made_.push({v, made});
    return made;
  }
  constexpr aval widened(aval t) const {
    t.dims[axis_] = region_.dims[axis_];
    return t;
  }
  constexpr int make(int v) {
    aval const t = from().type(v);
    if (t.rank <= axis_ || t.dims[axis_] == 1) return copy_[v];
    eqn const& e = *finder_.definition(v);
    if (e.op == prim::broadcast_in_dim) {
      arena<int> axes;
      for (int i = 0; i < from().type(from().in(e, 0)).rank; ++i) axes.push(from().param(e, t.rank + i));
      return broadcast(copy_[from().in(e, 0)], widened(t), axes);
    }
    if (e.op == prim::iota) {
      int par[2 + max_rank] = {from().param(e, 0), from().param(e, 1)};
      for (int i = 0; i < t.rank; ++i) par[2 + i] = widened(t).dims[i];
      return emit(prim::iota, {}, {par, 2 + t.rank}, widened(t));
    }
    if (e.op == prim::slice) {
      equation_ref const q{from(), e};
      bool const whole = finder_.has_whole_axis(e, axis_);
      int par[3 * max_rank];
      for (int i = 0; i < t.rank; ++i) {
        bool const here = i == axis_;
        par[i] = primitive<prim::slice>::start(q, i);
        par[t.rank + i] = here ? par[i] + region_.dims[i] : primitive<prim::slice>::limit(q, i);
        par[2 * t.rank + i] = here ? 1 : primitive<prim::slice>::stride(q, i);
      }
      int const x = whole ? between(q.in(0)) : copy_[q.in(0)];
      return to().emit_one(prim::slice, {&x, 1}, {par, 3 * t.rank}, widened(t));
    }
    arena<int> in;
    for (int k = 0; k < e.n_in; ++k) in.push(between(from().in(e, k)));
    return emit(e.op, in, from().params_of(e), widened(t));
  }

  strided_update_finder finder_;
  int axis_ = 0, step_ = 1;
  aval region_;
  arena<made_value> made_;
};

// The program with the updates that are made by whole rows.
constexpr program written_by_rows(program_ref p) {
  program_builder q;
  strided_updates(q, p).run();
  program const made = q.finish();
  return dce(made.ref());
}

}  // namespace exprax::detail
