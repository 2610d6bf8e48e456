// SPDX-License-Identifier: BSL-1.0
// known_scatters: scatters at index vectors that are known become updates of a known slice. x.at(slice<1, 3>).set(v) is recorded as JAX
// records it, by a scatter whose indices are constants; what runs, and what is differentiated, is the update of a slice. The equations that
// made the indices go, unless something else reads them. Updates of one element are recorded as what runs (element_scatters.hpp).
#pragma once

#include <exprax/primitives/indexed/scatter_family.hpp>
#include <exprax/primitives/indexed/update_slice_family.hpp>
#include <exprax/primitives/rule_context.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax {

namespace detail {

// Numbers that are an affine function of their indices, modulo 2^32.
struct affine_numbers {
  bool known = false;
  std::uint32_t base = 0;
  std::uint32_t step[max_rank] = {};  // along each axis

  constexpr bool is_constant(int rank) const {
    for (int i = 0; i < rank; ++i)
      if (step[i] != 0) return false;
    return known;
  }
};

// Where a scatter writes: the slice of the operand, and the axis of it for each axis of the update.
struct known_slice {
  bool known = false, inside = true;
  bool drops_axes = false;  // of size 1, of the update
  int start[max_rank] = {}, step[max_rank] = {}, size[max_rank] = {}, axis_of[max_rank] = {};
};

class scatter_reader {
 public:
  constexpr explicit scatter_reader(program_ref p) : p_(p), def_(definitions_of(p)) {}
  constexpr int definition(int v) const { return def_[v]; }

  constexpr known_slice slice_of(eqn const& e) const {
    known_slice s;
    aval const &x = p_.type(e.out), &indices = p_.type(p_.in(e, 1)), &update = p_.type(p_.in(e, 2));
    scatter_numbers const n(p_.params_of(e));
    if (n.x_batching.size() > 0 || update.size() == 0) return s;
    int assigned[max_rank];  // the axis of x for each batch axis of the indices
    for (int& a : assigned) a = -1;
    for (int i = 0; i < x.rank; ++i) s.step[i] = s.size[i] = 1;
    for (int q = 0; q < n.to.size(); ++q) {
      int const axis = n.to[q];
      affine_numbers const c = component(p_.in(e, 1), q);
      if (!c.known) return s;
      s.start[axis] = static_cast<int>(c.base);
      int moving = 0;
      for (int b = 0; b + 1 < indices.rank; ++b) {
        if (c.step[b] == 0 || indices.dims[b] == 1) continue;
        int const step = static_cast<int>(c.step[b]);
        if (++moving > 1 || assigned[b] >= 0 || step < 1 || !n.is_dropped(axis)) return s;
        assigned[b] = axis;
        s.step[axis] = step;
        s.size[axis] = indices.dims[b];
      }
    }
    int windows = 0, batches = 0, before = -1;
    int of_window[max_rank] = {};
    for (int i = 0; i < x.rank; ++i)
      if (!n.is_dropped(i)) of_window[windows++] = i;
    windows = 0;
    for (int u = 0; u < update.rank; ++u) {
      int const axis = n.is_window(u) ? of_window[windows++] : assigned[batches++];
      if (axis < 0 && update.dims[u] == 1) {
        s.drops_axes = true;
        continue;
      }
      if (axis <= before) return s;
      if (n.is_window(u)) s.size[axis] = update.dims[u];
      s.axis_of[u] = before = axis;
    }
    for (int i = 0; i < x.rank; ++i)
      s.inside = s.inside && s.start[i] >= 0 && s.start[i] + static_cast<std::int64_t>(s.size[i] - 1) * s.step[i] < x.dims[i];
    // What is dropped is dropped as a whole only if there is one vector.
    s.known = s.inside || (n.mode == index_mode::fill_or_drop && batches == 0);
    return s;
  }

 private:
  // Component q of index vectors.
  constexpr affine_numbers component(int v, int q) const {
    aval const& t = p_.type(v);
    if (t.dims[t.rank - 1] == 1) return numbers(v);
    if (def_[v] < 0) return {};
    eqn const& e = p_.eqns[def_[v]];
    if (e.op != prim::concatenate || p_.param(e, 0) != t.rank - 1 || e.n_in != t.dims[t.rank - 1]) return {};
    return numbers(p_.in(e, q));
  }
  constexpr affine_numbers numbers(int v) const {
    affine_numbers r;
    aval const& t = p_.type(v);
    if (p_.is_literal(v)) {
      r.known = true;
      r.base = from_bits<std::uint32_t>(p_.bits(v));
      return r;
    }
    if (def_[v] < 0) return r;
    eqn const& e = p_.eqns[def_[v]];
    if (e.op == prim::iota) {
      r.known = true;
      r.step[p_.param(e, 1)] = 1;
    } else if (e.op == prim::broadcast_in_dim) {
      affine_numbers const x = numbers(p_.in(e, 0));
      aval const& from = p_.type(p_.in(e, 0));
      r.known = x.known;
      r.base = x.base;
      for (int i = 0; i < from.rank; ++i) r.step[p_.param(e, t.rank + i)] = from.dims[i] == 1 ? 0 : x.step[i];
    } else if (e.op == prim::add || e.op == prim::mul) {
      affine_numbers const x = numbers(p_.in(e, 0)), y = numbers(p_.in(e, 1));
      bool const scales = e.op == prim::mul, by_first = x.is_constant(t.rank);
      r.known = x.known && y.known && (!scales || by_first || y.is_constant(t.rank));
      if (!r.known) return r;
      r.base = scales ? x.base * y.base : x.base + y.base;
      for (int i = 0; i < t.rank; ++i) r.step[i] = !scales ? x.step[i] + y.step[i] : by_first ? x.base * y.step[i] : x.step[i] * y.base;
    }
    return r;
  }

  program_ref p_;
  arena<int> def_;
};

class scatter_rewriter : rule_context {
 public:
  constexpr scatter_rewriter(program_builder& to, program_ref p) : rule_context(to, p), reader_(p) {
    slices_.resize(p.n.eqns);
    unread_.resize(p.n.eqns, false);
    arena<int> uses;
    uses.resize(p.n.values, 0);
    for (int i = 0; i < p.n.eqns; ++i)
      for (int v : p.ins(p.eqns[i])) ++uses[v];
    for (int i = 0; i < p.n.blocks; ++i)
      for (int v : p.outs(p.blocks[i])) ++uses[v];
    for (int i = 0; i < p.n.eqns; ++i) {
      if (!is_scatter(p.eqns[i].op)) continue;
      slices_[i] = reader_.slice_of(p.eqns[i]);
      if (slices_[i].known) forget(uses, p.in(p.eqns[i], 1));
    }
  }
  constexpr void run() { copy_.copy_block(from().main_id(), step{*this}); }

 private:
  struct step {
    scatter_rewriter& x;
    constexpr void operator()(eqn const& e) const {
      int const i = static_cast<int>(&e - x.from().eqns);
      if (x.unread_[i]) return;
      if (x.slices_[i].known)
        x.copy_.set(e.out, x.update(e, x.slices_[i]));
      else if (e.n_blk > 0)
        x.copy_.copy(e, *this);
      else
        x.copy_.copy(e);
    }
  };
  // One use less of v.
  constexpr void forget(arena<int>& uses, int v) {
    if (--uses[v] > 0 || reader_.definition(v) < 0) return;
    eqn const& e = from().eqns[reader_.definition(v)];
    unread_[reader_.definition(v)] = true;
    for (int w : from().ins(e)) forget(uses, w);
  }
  constexpr int update(eqn const& e, known_slice const& s) {
    int const x = copy_[from().in(e, 0)], rank = type(x).rank;
    if (!s.inside) return x;
    int v = copy_[from().in(e, 2)];
    aval region = type(v);
    region.rank = rank;
    for (int i = 0; i < rank; ++i) region.dims[i] = s.size[i];
    if (s.drops_axes)
      v = reshape(v, region);
    else if (!region.same_shape(type(v)))
      v = broadcast(v, region, {s.axis_of, type(v).rank});
    int const in[] = {x, v};
    int par[2 * max_rank];
    for (int i = 0; i < rank; ++i) {
      par[i] = s.start[i];
      par[rank + i] = s.step[i];
    }
    return to().emit_one(update_of_slice(e.op), in, {par, 2 * rank}, copy_.type(e.out));
  }

  scatter_reader reader_;
  arena<known_slice> slices_;  // for each equation
  arena<bool> unread_;         // those whose results only known scatters read
};

}  // namespace detail

constexpr bool has_known_scatters(program_ref p) {
  int i = 0;
  while (i < p.n.eqns && !is_scatter(p.eqns[i].op)) ++i;
  if (i == p.n.eqns) return false;
  detail::scatter_reader const reader(p);
  for (; i < p.n.eqns; ++i)
    if (is_scatter(p.eqns[i].op) && reader.slice_of(p.eqns[i]).known) return true;
  return false;
}
constexpr program known_scatters(program_ref p) {
  program_builder q;
  detail::scatter_rewriter(q, p).run();
  return q.finish();
}

}  // namespace exprax
