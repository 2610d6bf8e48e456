// SPDX-License-Identifier: BSL-1.0
// expand_composites: replaces composite primitives by the equations that their rule `expand` writes. It runs before passes, planning and
// interpretation; texts and batching see the primitive itself. A rule may write composites again. Blocks that are only for texts are
// dropped. Random keys have become uint64 by then.
#pragma once

#include <exprax/primitives/infer.hpp>
#include <exprax/primitives/traits.hpp>
#include <exprax/transforms/batch.hpp>

namespace exprax {

constexpr bool has_keys(program_ref p) {
  for (int i = 0; i < p.n.avals; ++i)
    if (is_key(p.avals[i].type)) return true;
  return false;
}
constexpr bool has_composites(program_ref p) {
  for (int i = 0; i < p.n.eqns; ++i)
    if (kind_of(p.eqns[i].op) == op_class::composite || is_shown_by_its_block(p.eqns[i])) return true;
  return has_keys(p);
}

namespace detail {

// Not constexpr: the name is the message.
inline void a_composite_writes_an_ill_typed_equation() {}

// The interface of expansion rules. Values named by equations belong to the old program, values as plain ints to the new one. The
// result of an equation that is emitted without an aval has the one that its primitive infers.
class expand_context {
 public:
  constexpr expand_context(program& to, program_ref from) : copy_(to, from) {}

  constexpr int in(equation_ref const& e, int k) { return copy_[e.in(k)]; }
  constexpr arena<int> ins(equation_ref const& e) {
    arena<int> r;
    for (int k = 0; k < e.n_in(); ++k) r.push(in(e, k));
    return r;
  }
  constexpr void set(equation_ref const& e, int k, int v) { copy_.set(e.e.out + k, v); }
  constexpr aval type(int v) const { return to().type(v); }
  constexpr int copy_name(int name) { return copy_.copy_name(name); }

  // --- Equations ---

  constexpr int emit(prim op, span<int> in, span<int> par, span<aval> out, span<int> sub = {}) { return to().emit(op, in, par, out, sub); }
  constexpr int emit(prim op, span<int> in, span<int> par, aval const& out) { return to().emit(op, in, par, {&out, 1}); }
  constexpr int emit(prim op, span<int> in, span<int> par = {}) {
    program& q = to();
    eqn e{op, q.refs.size(), in.size(), 0, 1, q.params.size(), par.size(), 0, 0};
    for (int v : in) q.refs.push(v);
    for (int x : par) q.params.push(x);
    aval out;
    program_ref const p = q.ref();
    if (!infer(equation_ref{p, e}, &out)) a_composite_writes_an_ill_typed_equation();
    q.refs.shrink(e.in);
    q.params.shrink(e.par);
    return q.emit(op, in, par, {&out, 1});
  }
  template <class... V>
  constexpr int elementwise(prim op, V... v) {
    int const in[] = {v...};
    return emit(op, {in, static_cast<int>(sizeof...(v))});
  }

  constexpr int literal(dtype t, std::uint64_t bits) { return to().add_literal(t, bits); }
  constexpr int number(dtype t, int n) { return literal(t, bits_of_int(t, n)); }
  // A floating-point constant in dtype t.
  constexpr int real(dtype t, double x) {
    return literal(t, bits_in(t, [x](auto tag) { return convert_number<typename decltype(tag)::type>(x); }));
  }
  constexpr int full(aval const& shape, int scalar) { return shape.rank == 0 ? scalar : broadcast(scalar, shape, {}); }

  constexpr int broadcast(int v, aval const& shape, span<int> dims) {
    int par[2 * max_rank] = {}, n = 0;
    for (int i = 0; i < shape.rank; ++i) par[n++] = shape.dims[i];
    for (int d : dims) par[n++] = d;
    return emit(prim::broadcast_in_dim, {&v, 1}, {par, n});
  }
  constexpr int reshape(int v, aval const& shape) { return type(v).same_shape(shape) ? v : emit(prim::reshape, {&v, 1}, {shape.dims, shape.rank}); }
  constexpr int transpose(int v, span<int> permutation) {
    bool same = true;
    for (int i = 0; i < permutation.size(); ++i) same = same && permutation[i] == i;
    return same ? v : emit(prim::transpose, {&v, 1}, permutation);
  }
  constexpr int slice(int v, span<int> start, span<int> limit, span<int> step = {}) {
    arena<int> par;
    for (span<int> s : {start, limit, step})
      for (int x : s) par.push(x);
    return emit(prim::slice, {&v, 1}, par);
  }
  // Elements start, start + step, ... before limit of one axis.
  constexpr int slice_axis(int v, int axis, int start, int limit, int step = 1) {
    aval const t = type(v);
    if (start == 0 && limit == t.dims[axis] && step == 1) return v;
    int par[3 * max_rank] = {};
    for (int i = 0; i < t.rank; ++i) {
      par[i] = i == axis ? start : 0;
      par[t.rank + i] = i == axis ? limit : t.dims[i];
      par[2 * t.rank + i] = i == axis ? step : 1;
    }
    return emit(prim::slice, {&v, 1}, {par, (step == 1 ? 2 : 3) * t.rank});
  }
  constexpr int concatenate(span<int> values, int axis) { return values.size() == 1 ? values[0] : emit(prim::concatenate, values, {&axis, 1}); }
  constexpr int pad(int v, int filling, span<int> low, span<int> high, span<int> interior) {
    arena<int> par;
    for (span<int> s : {low, high, interior})
      for (int x : s) par.push(x);
    int const in[] = {v, filling};
    return emit(prim::pad, in, par);
  }
  // 0, 1, 2, ... along an axis; the dtype is the shape's.
  constexpr int iota(aval const& shape, int axis) {
    int par[2 + max_rank] = {static_cast<int>(shape.type), axis};
    for (int i = 0; i < shape.rank; ++i) par[2 + i] = shape.dims[i];
    return emit(prim::iota, {}, {par, 2 + shape.rank});
  }
  constexpr int convert(int v, dtype t) {
    int const par[] = {static_cast<int>(t), 0};
    return type(v).type == t ? v : emit(prim::convert_element_type, {&v, 1}, par);
  }
  constexpr int select(int which, int if_false, int if_true) { return elementwise(prim::select_n, which, if_false, if_true); }
  constexpr int reduce(prim op, int v, span<int> axes) { return emit(op, {&v, 1}, axes); }
  constexpr int rev(int v, span<int> axes) { return emit(prim::rev, {&v, 1}, axes); }

  // --- Blocks ---

  constexpr int input(aval const& type) { return to().add_value(type); }  // of a block that is being written
  constexpr void open() { to().open(); }
  constexpr int close(span<int> in, span<int> out) { return to().close(in, out); }
  // A copy of block k of e, for an equation that replaces e.
  constexpr int copy_block(equation_ref const& e, int k) { return copy_.copy_block(e.p.block_id(e.e, k)); }
  // Inlines block k of e on these operands; results: the values of its outputs.
  constexpr void splice(equation_ref const& e, int k, span<int> operands, int* results) {
    block const& b = e.sub(k);
    for (int i = 0; i < b.n_in; ++i) copy_.set(e.p.ins(b)[i], operands[i]);
    copy_.copy_body(b);
    for (int i = 0; i < b.n_out; ++i) results[i] = copy_[e.p.outs(b)[i]];
  }
  // The same for operands and results with a leading axis of n elements; shared: which operands do not have it.
  constexpr void splice_batched(equation_ref const& e, int k, span<int> operands, int n, int* results, span<int> shared = {}) {
    block const& b = e.sub(k);
    arena<batch_axis> in_dims;
    arena<wanted_axis> out_dims;
    in_dims.resize(b.n_in, 0);
    out_dims.resize(b.n_out, 0);
    for (int i : shared) in_dims[i] = not_mapped;
    program one;
    copy_nested(one, e.p, e.p.block_id(e.e, k));
    program const all = exprax::batch(one.ref(), in_dims, n, out_dims);
    exprax::splice(to(), all.ref(), all.ref().main(), operands, results);
  }

  // The same on operands that all have the same shape.
  constexpr void splice_shaped(equation_ref const& e, int k, span<int> operands, aval const& shape, int* results) {
    block const& b = e.sub(k);
    arena<batch_axis> in_dims;
    arena<wanted_axis> out_dims;
    in_dims.resize(b.n_in, 0);
    out_dims.resize(b.n_out, 0);
    program all;
    copy_nested(all, e.p, e.p.block_id(e.e, k));
    for (int axis = shape.rank - 1; axis >= 0; --axis) all = exprax::batch(all.ref(), in_dims, shape.dims[axis], out_dims);
    exprax::splice(to(), all.ref(), all.ref().main(), operands, results);
  }

 protected:
  constexpr program& to() const { return copy_.to(); }
  block_copier copy_;
};

class composite_expander : public expand_context {
 public:
  // only_random: expands only the random primitives.
  constexpr composite_expander(program& to, program_ref from, bool only_random) : expand_context(to, from), only_random_(only_random) {}
  constexpr void run(int block_id) { walk(block_id); }

 private:
  template <prim P>
  struct rule {
    static constexpr void call(expand_context& c, equation_ref const& e) {
      if constexpr (primitive<P>::traits.kind == op_class::composite) primitive<P>::expand(c, e);
    }
  };
  constexpr int walk(int id) {
    block const& b = copy_.from().blocks[id];
    arena<int> in, out;
    for (int v : copy_.from().ins(b)) {
      in.push(to().add_value(copy_.from().type(v)));
      copy_.set(v, in.back());
    }
    to().open();
    for (eqn const& e : copy_.from().body(b)) step(e);
    for (int v : copy_.from().outs(b)) out.push(copy_[v]);
    return to().close(in, out);
  }
  constexpr void step(eqn const& e) {
    if (only_random_ ? traits_of(e.op).is_random : kind_of(e.op) == op_class::composite)
      return dispatch<rule, void(expand_context&, equation_ref const&)>(e.op, *this, equation_ref{copy_.from(), e});
    if (e.n_blk == 0) return copy_.copy(e);
    if (is_shown_by_its_block(e) && !only_random_) return copy_.copy(e, {});
    arena<int> blocks;
    for (int sub : copy_.from().subs(e)) blocks.push(walk(sub));
    copy_.copy(e, blocks);
  }
  bool only_random_;
};

// Only the dtypes of keys change.
constexpr program with_keys_as_words(program_ref p) {
  program q;
  copy_tables(q, p);
  for (aval& a : q.avals)
    if (is_key(a.type)) a.type = dtype::u64;
  return q;
}

constexpr program expand_random(program_ref p) {
  if (has_keys(p)) {
    program const words = with_keys_as_words(p);
    return expand_random(words.ref());
  }
  program q;
  composite_expander(q, p, true).run(p.main_id());
  return q;
}

}  // namespace detail

constexpr program expand_composites(program_ref p) {
  if (has_keys(p)) {
    program const words = detail::with_keys_as_words(p);
    return expand_composites(words.ref());
  }
  program q;
  detail::composite_expander(q, p, false).run(p.main_id());
  if (has_composites(q.ref())) return expand_composites(q.ref());
  return q;
}

}  // namespace exprax
