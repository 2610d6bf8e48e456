// SPDX-License-Identifier: BSL-1.0
// Family of the scatters (jax.lax.scatter, scatter_add, ...): the operand, with windows at index vectors replaced by those of an update or
// combined with them, see index_vectors.hpp. Operands x, i32 indices [batch..., k], update. Parameters: three lists, each after its length:
// update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims; then indices_are_sorted, unique_indices, the mode (index_mode),
// and two more lists: operand_batching_dims, scatter_indices_batching_dims. Overlapping windows are written in the order of the index
// vectors.
#pragma once

#include <exprax/primitives/indexed/element_update.hpp>
#include <exprax/primitives/indexed/index_vectors.hpp>

namespace exprax::detail {

// The parameters.
struct scatter_numbers : scatter_form {
  bool complete;
  constexpr explicit scatter_numbers(equation_ref const& e) : scatter_numbers(e.params()) {}
  constexpr explicit scatter_numbers(span<int> params) {
    param_reader p(params);
    window = p.list();
    dropped = p.list();
    to = p.list();
    sorted = p.next() != 0;
    unique = p.next() != 0;
    mode = static_cast<index_mode>(p.next());
    x_batching = p.list();
    index_batching = p.list();
    complete = p.complete();
  }
};

// jax.lax's _scatter_batching_rule. e is, or is equivalent to, a scatter of this form. in: the array, the indices and the update in the new
// program; axis: the batch axis of each.
template <class Context>
constexpr void batch_scatter(Context& c, prim op, equation_ref const& e, scatter_form const& n, int const* in, batch_axis const* axis) {
  bool const one_index = !axis[1].is_mapped();
  batch_axis const no_axis, front = 0;
  int const x = c.at_front(in[0], axis[0], c.size()), update = c.at_front(in[2], axis[2], c.size());
  int const moved[] = {x, one_index ? in[1] : c.move(in[1], axis[1].position(), 0), update};
  arena<int> par;
  push_axes(par, n.window, 1, one_index ? front : no_axis);
  push_axes(par, n.dropped, 1);
  push_axes(par, n.to, 1);
  par.push(n.sorted);
  par.push(n.unique);
  par.push(static_cast<int>(n.mode));
  push_axes(par, n.x_batching, 1, one_index ? no_axis : front);
  push_axes(par, n.index_batching, one_index ? 0 : 1, one_index ? no_axis : front);
  c.become(op, e, moved, par, 0);
}

// Combine: the primitive that combines old and new, or prim::scatter where the new element replaces the old one.
template <prim P, prim Combine>
class scatter_family : public element_update<P, Combine> {
  using base = element_update<P, Combine>;
  using base::adds, base::multiplies, base::replaces;

 public:
  static constexpr prim_traits traits{.kind = op_class::update,
                                      .moves_bits = replaces,
                                      .takes_index_vectors = true,
                                      .is_linear = adds,
                                      // The operand and the update; the operand alone, where they are multiplied.
                                      .linear_in = replaces || adds ? 5u : multiplies ? 1u : 0,
                                      .combiner = Combine};

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 3) return false;
    *out = e.type(0);
    aval const &x = e.type(0), &indices = e.type(1), &update = e.type(2);
    if (!base::takes(x, update)) return false;
    scatter_numbers const s(e);
    if (!s.complete || !is_index_mode(s.mode) || !s.fit(x, indices, update.rank)) return false;
    int windows = 0, batches = 0;
    for (int i = 0; i < x.rank; ++i)
      if (!s.is_dropped(i) && update.dims[s.window[windows++]] > x.dims[i]) return false;
    for (int i = 0; i < update.rank; ++i)
      if (!s.is_window(i) && update.dims[i] != indices.dims[batches++]) return false;
    return true;
  }

  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    base::copy_operand(m, e);
    scatter_numbers const s(e);
    index_walk const w(s, e.type(0), e.type(1), e.type(2));
    w.each(m.in(e, 1), s.mode, [&](std::ptrdiff_t x_at, std::ptrdiff_t update_at, bool inside) {
      if (inside)
        base::join_box(e.type(0).type, w.window, m.out(e, 0), based_at(x_at, w.x_window), m.in(e, 2), based_at(update_at, w.w_window));
    });
  }

  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const in[] = {c.value(e, 0), c.value(e, 1), c.value(e, 2)};
    batch_axis const axes[] = {c.dim(e, 0), c.dim(e, 1), c.dim(e, 2)};
    batch_scatter(c, P, e, scatter_numbers(e), in, axes);
  }

  // Products of windows that overlap have no derivative with respect to the update, as in JAX. The larger or smaller one, of an element and
  // all updates to it: those that are it share its tangent equally.
  template <class Context>
    requires(!replaces && !adds)
  static constexpr void jvp(Context& c, equation_ref const& e) {
    int const x = c.in(e, 0), indices = c.in(e, 1), update = c.in(e, 2), nothing = c.zeros(e.type(0));
    auto const scattered = [&](prim op, int to, int values) {
      int const in[] = {to, indices, values};
      return c.emit(op, in, e.params());
    };
    if constexpr (multiplies) {
      if (c.has_tangent(e, 0)) c.add_tangent(e, scattered(P, c.tangent(e, 0), update));
      if (!c.has_tangent(e, 2)) return;
      if (!scatter_numbers(e).unique) return c.fail(e, mistake::products_of_overlapping_updates);
      c.add_tangent(e, c.mul(x, scattered(prim::scatter_add, nothing, c.tangent(e, 2))));
    } else {
      int const out = c.out(e), x_is = c.convert(c.elementwise(prim::eq, x, out), e.type(0).type);
      int const update_is = c.convert(c.elementwise(prim::eq, update, read(c, e, out)), e.type(2).type);
      int const number = scattered(prim::scatter_add, x_is, update_is), shares = c.replace_zeros(number);
      if (c.has_tangent(e, 0)) {  // of NaN the tangent of the operand
        int const none = c.elementwise(prim::eq, number, c.number_like(number, 0));
        int const share = c.select(none, c.div(x_is, shares), c.full(e.type(0), c.number_like(x, 1)));
        c.add_tangent(e, c.mul(c.tangent(e, 0), share));
      }
      if (!c.has_tangent(e, 2)) return;
      int const share = c.div(update_is, c.replace_zeros(read(c, e, shares)));
      c.add_tangent(e, scattered(prim::scatter_add, nothing, c.mul(c.tangent(e, 2), share)));
    }
  }
  // Of windows that overlap, the last one replaces the others: only elements that are still there get their cotangent.
  template <class Context>
    requires(replaces || adds || multiplies)
  static constexpr void transpose(Context& c, equation_ref const& e) {
    scatter_numbers const s(e);
    aval const &x = e.type(0), &update = e.type(2);
    int const ct = c.cotangent(e), indices = c.in(e, 1);
    if constexpr (multiplies) {
      int const in[] = {ct, indices, c.in(e, 2)};
      return c.add_cotangent(e, 0, c.emit(P, in, e.params()));
    }
    if (c.is_linear(e, 0)) {
      int const in[] = {ct, indices, c.zeros(update)};
      c.add_cotangent(e, 0, adds ? ct : c.emit(P, in, e.params()));
    }
    if (!c.is_linear(e, 2)) return;
    int const made = read(c, e, ct);
    if (adds || s.unique) return c.add_cotangent(e, 2, made);
    aval const numbers = update.with_type(dtype::i32), flat(dtype::i32, {static_cast<int>(update.size())});
    int const number = c.reshape(c.iota(flat, 0), numbers);
    int const in[] = {c.full(x.with_type(dtype::i32), c.number(dtype::i32, -1)), indices, number};
    int const written = c.elementwise(prim::eq, read(c, e, c.emit(P, in, e.params())), number);
    c.add_cotangent(e, 2, c.select(written, c.zeros(update), made));
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    scatter_numbers const s(e);
    span<int> const lists[] = {s.window, s.dropped, s.x_batching, s.index_batching, s.to};
    int const x = l.in(e, 0), update = l.in(e, 2), block = l.combiner(base::combining_operation(), e.type(0).type);
    int indices = l.in(e, 1);
    if (s.mode == index_mode::clip) {  // jax.lax's _clamp_scatter_indices
      index_walk const w(s, e.type(0), e.type(1), e.type(2));
      int const axis[] = {e.type(1).rank - 1};
      arena<int> limits;
      for (int q = 0; q < w.n_index; ++q) limits.push(w.limit[q]);
      int const bound = l.broadcast_in_dim(l.table(aval(dtype::i32, {w.n_index}), limits), e.type(1), axis);
      int const clamped[] = {l.full(e.type(1), 0), indices, bound};
      indices = l.plain("clamp", clamped, e.type(1));
    }
    l.set(e, 0, l.scatter(x, indices, update, lists, e.type(1).rank - 1, s.sorted, s.unique, block));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    scatter_numbers const s(e);
    o.key("dimension_numbers");
    o.text("ScatterDimensionNumbers(update_window_dims=");
    o.tuple(s.window);
    o.text(", inserted_window_dims=");
    o.tuple(s.dropped);
    o.text(", scatter_dims_to_operand_dims=");
    o.tuple(s.to);
    o.text(", operand_batching_dims=");
    o.tuple(s.x_batching);
    o.text(", scatter_indices_batching_dims=");
    o.tuple(s.index_batching);
    o.text(")");
    o.key("indices_are_sorted");
    o.boolean(s.sorted);
    o.key("mode");
    o.text(name_of(s.mode));
    o.key("unique_indices");
    o.boolean(s.unique);
    o.key("update_consts");
    o.text("()");
    o.key("update_jaxpr");
    if constexpr (replaces) o.text("None");
    else o.combiner();
  }

 private:
  // What the windows of `from`, an array like the operand, hold.
  template <class Context>
  static constexpr int read(Context& c, equation_ref const& e, int from) {
    scatter_numbers const s(e);
    int const rank = e.type(0).rank, in[] = {from, c.in(e, 1)};
    int sizes[max_rank] = {};
    for (int i = 0, at = 0; i < rank; ++i) sizes[i] = s.is_dropped(i) ? 1 : e.type(2).dims[s.window[at++]];
    return c.emit(prim::gather, in, parameters_of(gather_form{{s}, s.mode, 0, s.sorted, s.unique, {sizes, rank}}));
  }
};

}  // namespace exprax::detail
