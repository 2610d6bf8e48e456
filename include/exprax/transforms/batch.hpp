// SPDX-License-Identifier: BSL-1.0
// batch (jax.vmap): a program on values with one more axis. Law: row i of the results is the program on row i of the inputs.
// Each primitive's rule chooses the position of the axis, as in jax.interpreters.batching, so that the jaxprs are JAX's. Values
// that do not depend on a batched input stay unbatched.
#pragma once

#include <exprax/primitives/all.hpp>
#include <exprax/primitives/collectives/over_axis.hpp>
#include <exprax/primitives/rule_context.hpp>
#include <exprax/transforms/batch_dependence.hpp>
#include <exprax/types/element.hpp>

namespace exprax {

// The interface of batching rules. A template, so that programs without vmap do not instantiate it.
template <class Program = program_ref>
class batch_context : public rule_context {
 public:
  constexpr batch_context(program_builder& to, Program from, int size, detail::span<int> axis = {})
      : rule_context(to, from), size_(size), axis_(axis), over_axis_(detail::blocks_over_axis(from, axis)) {
    dims_.resize(from.n.values);
    batched_types_.resize(from.n.avals * (max_rank + 1), -1);
  }

  constexpr int size() const { return size_; }
  // Whether the result only runs: rules may then choose another form than JAX's, with the same bits, whose layout costs less.
  bool only_runs = false;
  // The name of the axis (primitives/collectives/axis_names.hpp), or empty.
  constexpr detail::span<int> axis() const { return axis_; }
  constexpr int value(equation_ref const& e, int k) { return copy_[e.in(k)]; }
  // The batch axis of operand k.
  constexpr batch_axis dim(equation_ref const& e, int k) const { return dims_[e.in(k)]; }
  constexpr void set(equation_ref const& e, int k, int v, batch_axis dim) { bind(e.e.out + k, v, dim); }

  // Whether all operands of the current equation, except unbatched scalars, have the same shape and batch axis. apply() then emits
  // the equation unchanged. Most equations of a large program take this path, so it is short.
  constexpr bool operands_agree() const { return agreed_.is_mapped(); }
  constexpr int agreed() const { return agreed_.position(); }
  constexpr void apply(equation_ref const& e) {
    int const *old = from().refs + e.e.in, out = e.e.out, n = e.e.n_in;
    int in[8] = {};
    for (int k = 0; k < n; ++k) in[k] = copy_[old[k]];
    bind(out, to().emit_one(e.e.op, {in, n}, e.params(), batched_type(out, agreed())), agreed_);
  }
  // Emits the equation with other operands and parameters; its one result has the batch axis at dim.
  constexpr void replace(equation_ref const& e, detail::span<int> in, detail::span<int> par, int dim) { become(e.e.op, e, in, par, dim); }
  // Emits another primitive instead.
  constexpr void become(prim op, equation_ref const& e, detail::span<int> in, detail::span<int> par, int dim) {
    bind(e.e.out, to().emit_one(op, in, par, batched_type(e.e.out, dim)), dim);
  }
  // The equation cannot be batched; its result is arbitrary.
  constexpr void fail(equation_ref const& e, mistake what, int first, int second) {
    to().blame({what, first, second});
    set(e, 0, zeros(e.out_type(0)), not_mapped);
  }
  constexpr int copy_name(int name) { return to().add_name(from().names[name].view()); }

  // v, repeated n times along a new axis.
  constexpr int insert(int v, int axis, int n) {
    aval const t = type(v);
    int dims[max_rank];
    for (int i = 0; i < t.rank; ++i) dims[i] = i < axis ? i : i + 1;
    return broadcast(v, t.with_axis(axis, n), {dims, t.rank});
  }
  // Moves the batch axis to the front; an unbatched value is repeated n times.
  constexpr int at_front(int v, batch_axis dim, int n) { return dim.is_mapped() ? move(v, dim.position(), 0) : insert(v, 0, n); }
  constexpr int with_trailing_ones(int v, int rank) {
    aval t = type(v);
    int const old = t.rank;
    if (old == 0 || old == rank) return v;
    int dims[max_rank];
    for (int i = 0; i < old; ++i) dims[i] = i;
    while (t.rank < rank) t.dims[t.rank++] = 1;
    return broadcast(v, t, {dims, old});
  }
  // The value with its axis where it is wanted, if that is a position.
  constexpr int placed(int v, batch_axis dim, wanted_axis want) {
    if (!want.is_given() || dim == want.axis()) return v;
    int const to = want.axis().position();
    return dim.is_mapped() ? move(v, dim.position(), to) : insert(v, to, size_);
  }

  // A scan over the batch, for equations that no primitive computes on a whole batch.
  constexpr void map(equation_ref const& e) { map(e, e.params()); }
  constexpr void map(equation_ref const& e, detail::span<int> par);

  // A nested block on batched inputs. in: the axis of each input; want: the wanted axis of each output; out, if not null: the
  // actual one.
  constexpr int batch_block(int id, detail::span<batch_axis> in, detail::span<wanted_axis> want, batch_axis* out = nullptr) {
    block const& b = from().blocks[id];
    detail::arena<int> ins, outs;
    for (int k = 0; k < b.n_in; ++k) {
      int const v = from().ins(b)[k];
      ins.push(to().add_value(in[k].is_mapped() ? from().type(v).with_axis(in[k].position(), size_) : from().type(v)));
      bind(v, ins.back(), in[k]);
    }
    to().open();
    run(b);
    for (int k = 0; k < b.n_out; ++k) outs.push(output(b, k, want.empty() ? wanted_axis{} : want[k], out));
    return to().close(ins, outs);
  }
  // Which operands (carries included) and results of a control equation have the axis.
  constexpr control_marks dependence(equation_ref const& e) {
    if (!analysed_) dependence_ = batch_dependence<Program>(from(), axis_);
    analysed_ = true;
    detail::arena<char> operands;
    for (int k = 0; k < e.n_in(); ++k) operands.push(dim(e, k).is_mapped());
    return dependence_.through(e.e, operands);
  }

  constexpr void bind(int old, int v, batch_axis dim) {
    copy_.set(old, v);
    dims_[old] = dim;
  }
  constexpr void run(block const& b) {
    for (eqn const& e : from().body(b)) step(e);
  }
  constexpr int output(block const& b, int k, wanted_axis want, batch_axis* dim) {
    int const v = from().outs(b)[k], made = copy_[v];
    batch_axis const d = dims_[v];
    if (dim) dim[k] = want.is_given() || want.is_summed() ? want.axis() : d;
    if (!want.is_summed() || !d.is_mapped()) return placed(made, d, want);
    int const along[] = {d.position()};
    return emit(prim::reduce_sum, {&made, 1}, along, from().type(v));
  }

 private:
  template <prim P>
  struct rule {
    static constexpr void call(batch_context& c, equation_ref const& e) { primitive<P>::batch(c, e); }
  };
  constexpr void step(eqn const& e) {
    int const* in = from().refs + e.in;
    batch_axis const* dims = dims_.data();
    aval const* first = nullptr;
    bool batched = false;
    agreed_ = not_mapped;
    for (int k = 0; k < e.n_in; ++k) {
      int const v = in[k];
      batch_axis const d = dims[v];
      aval const& type = from().avals[from().values[v].type];
      batched = batched || d.is_mapped();
      if (!d.is_mapped() && type.rank == 0) continue;
      if (!first) {
        first = &type;
        agreed_ = d;
      } else if (!(d == agreed_) || (&type != first && !type.same_shape(*first))) {
        agreed_ = not_mapped;
      }
    }
    if (!batched && !axis_.empty()) batched = is_over_axis(e);
    if (batched) return dispatch<rule, void(batch_context&, equation_ref const&)>(e.op, *this, equation_ref{from(), e});
    if (!axis_.empty() && e.op == prim::convert_element_type && convert_literal(e)) return;
    copy_.copy(e);
    for (int k = 0; k < e.n_out; ++k) dims_[e.out + k] = not_mapped;
  }
  constexpr bool is_over_axis(eqn const& e) const {
    for (int b : from().subs(e))
      if (over_axis_[b]) return true;
    return detail::is_over_axis(from(), e, axis_);
  }
  // psum(1, name) has become a literal; JAX converts it to other dtypes as a literal too.
  constexpr bool convert_literal(eqn const& e) {
    int const v = copy_[from().in(e, 0)];
    if (from().is_constant(from().in(e, 0)) || !is_literal(v) || is_half(type(v).type) || is_complex(type(v).type)) return false;
    aval const& out = from().type(e.out);
    std::uint64_t const bits = detail::with_element(type(v).type, [&](auto source) {
      return detail::bits_in(out.type, [&](auto target) {
        return detail::convert_number<typename decltype(target)::type>(detail::from_bits<typename decltype(source)::type>(literal_bits(v)));
      });
    });
    bind(e.out, literal(out.type, bits, out.weak), not_mapped);
    return true;
  }
  constexpr int batched_type(int old, int dim) {
    int& type = batched_types_[from().values[old].type * (max_rank + 1) + dim];
    if (type < 0) type = to().intern(from().type(old).with_axis(dim, size_));
    return type;
  }
  int size_;
  detail::span<int> axis_;
  detail::arena<char> over_axis_;  // for each block, whether it has equations over the named axis
  batch_axis agreed_;  // of all operands of the current equation
  detail::arena<batch_axis> dims_;
  detail::arena<int> batched_types_;  // for each aval of the old program and each axis: its index in the new one
  batch_dependence<Program> dependence_{program_ref{}};
  bool analysed_ = false;
};

template <class Program>
constexpr void batch_context<Program>::map(equation_ref const& e, detail::span<int> inner_par) {
  detail::arena<int> in, inner_in, inner;
  int n_consts = 0;
  // Literals are read inside the loop; other unbatched operands are its consts.
  for (int pass = 0; pass < 2; ++pass) {
    for (int k = 0; k < e.n_in(); ++k) {
      if (dim(e, k).is_mapped() != (pass == 1) || e.p.is_constant(e.in(k))) continue;
      in.push(pass == 1 ? move(value(e, k), dim(e, k).position(), 0) : value(e, k));
      n_consts += pass == 0;
    }
  }
  int const_at = 0, mapped_at = n_consts;
  for (int k = 0; k < in.size(); ++k) inner_in.push(0);
  for (int k = 0; k < e.n_in(); ++k) {
    if (e.p.is_constant(e.in(k))) {
      inner.push(value(e, k));
      continue;
    }
    int const v = to().add_value(e.type(k));
    inner_in[dim(e, k).is_mapped() ? mapped_at++ : const_at++] = v;
    inner.push(v);
  }
  detail::arena<int> results, blocks;
  detail::arena<aval> one, all;
  for (int k = 0; k < e.n_out(); ++k) {
    one.push(e.out_type(k));
    all.push(e.out_type(k).with_axis(0, size_));
  }
  to().open();
  for (int id : e.p.subs(e.e)) {
    detail::arena<batch_axis> dims;
    dims.resize(e.p.blocks[id].n_in);
    blocks.push(batch_block(id, dims, {}));
  }
  int const result = emit(e.e.op, inner, inner_par, one, blocks);
  for (int k = 0; k < e.n_out(); ++k) results.push(result + k);
  int const body = to().close(inner_in, results);
  int const par[] = {size_, n_consts, 0, 0, 1};
  int const first = emit(prim::scan, in, par, all, {&body, 1});
  for (int k = 0; k < e.n_out(); ++k) set(e, k, first + k, 0);
}

// in_dims: for each input of the main block its axis. axes, if not null, receives the actual axes of the outputs. axis_name: the name of
// the axis, or empty. only_runs: batch_context.
template <class Program>
constexpr program batch(Program in, detail::span<batch_axis> in_dims, int axis_size, detail::span<wanted_axis> out_dims,
                        batch_axis* axes = nullptr, detail::span<int> axis_name = {}, bool only_runs = false) {
  program_builder to;
  batch_context<Program> c(to, in, axis_size, axis_name);
  c.only_runs = only_runs;
  c.batch_block(in.main_id(), in_dims, out_dims, axes);
  return to.finish();
}

}  // namespace exprax
