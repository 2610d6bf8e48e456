// SPDX-License-Identifier: BSL-1.0
// Family of the scatters (jax.lax.scatter, scatter_add, ...): the operand, with some elements replaced by those of an update or combined
// with them. Parameter 0 selects one of two forms:
//
//   static (0): operands x, update. Parameters: 0, start of each axis, step of each axis, size of each axis: the update has
//     these sizes and goes to the elements start + k * step, which are in bounds. jax.lax has indices that are constants; here
//     they are parameters and are printed like those of slice.
//   dynamic (1): windows at index vectors, see primitives/indexed/index_vectors.hpp. Operands x, i32 indices [batch..., k], update.
//     Parameters: 1, then three lists, each after its length: update_window_dims, inserted_window_dims,
//     scatter_dims_to_operand_dims; then indices_are_sorted, unique_indices, the mode (index_mode), and two more lists:
//     operand_batching_dims, scatter_indices_batching_dims. Overlapping windows are written in the order of the index vectors.
#pragma once

#include <exprax/math/lane.hpp>
#include <exprax/primitives/indexed/index_vectors.hpp>

namespace exprax::detail {

constexpr bool is_static_scatter(equation_ref const& e) { return e.param(0) == 0; }

// The parameters of the static form.
struct scatter_region {
  span<int> start, step, size;
  constexpr explicit scatter_region(equation_ref const& e) {
    int const rank = e.type(0).rank;
    start = e.params().part(1, rank);
    step = e.params().part(1 + rank, rank);
    size = e.params().part(1 + 2 * rank, rank);
  }
};

// The parameters of the dynamic form.
struct scatter_form : index_numbers {
  index_mode mode = index_mode::fill_or_drop;
  bool sorted = false, unique = false;
};
struct scatter_numbers : scatter_form {
  bool complete;
  constexpr explicit scatter_numbers(equation_ref const& e) : scatter_numbers(e.params()) {}
  constexpr explicit scatter_numbers(span<int> params) {
    param_reader p(params);
    p.next();
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
constexpr void batch_scatter(Context& c, prim op, equation_ref const& e, scatter_form const& n, int const* in, int const* axis) {
  bool const one_index = axis[1] < 0;
  int const x = c.at_front(in[0], axis[0], c.size()), update = c.at_front(in[2], axis[2], c.size());
  int const moved[] = {x, one_index ? in[1] : c.move(in[1], axis[1], 0), update};
  arena<int> par;
  par.push(1);
  push_axes(par, n.window, 1, one_index ? 0 : -1);
  push_axes(par, n.dropped, 1);
  push_axes(par, n.to, 1);
  par.push(n.sorted);
  par.push(n.unique);
  par.push(static_cast<int>(n.mode));
  push_axes(par, n.x_batching, 1, one_index ? -1 : 0);
  push_axes(par, n.index_batching, one_index ? 0 : 1, one_index ? -1 : 0);
  c.become(op, e, moved, par, 0);
}

// Combine: the primitive that combines old and new, or prim::scatter where the new element replaces the old one.
template <prim P, prim Combine>
struct scatter_family {
  static constexpr prim_traits traits{.kind = op_class::update, .moves_bits = Combine == P, .takes_index_vectors = true, .is_linear = Combine == prim::add, .combiner = Combine};

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() < 2 || e.n_par() < 1) return false;
    *out = e.type(0);
    aval const& x = e.type(0);
    aval const& update = e.type(e.n_in() - 1);
    if (update.type != x.type || (Combine != P && is_bool(x.type))) return false;
    if (is_static_scatter(e)) {
      if (e.n_in() != 2 || e.n_par() != 1 + 3 * x.rank || update.rank != x.rank) return false;
      scatter_region const r(e);
      for (int i = 0; i < x.rank; ++i) {
        if (update.dims[i] != r.size[i] || r.start[i] < 0 || r.step[i] < 1) return false;
        if (r.size[i] > 0 && r.start[i] + (r.size[i] - 1) * r.step[i] >= x.dims[i]) return false;
      }
      return true;
    }
    if (e.n_in() != 3) return false;
    scatter_numbers const s(e);
    aval const& indices = e.type(1);
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
    place const dense(e.type(0));
    copy_box(e.type(0), m.out(e, 0), dense, m.in(e, 0), dense);
    if (!is_static_scatter(e)) return evaluate_dynamic(m, e);
    scatter_region const r(e);
    place to(e.type(0));
    for (int i = 0; i < e.type(0).rank; ++i) {
      to.base += to.step[i] * r.start[i];
      to.step[i] *= r.step[i];
    }
    join_box(e.type(0).type, e.type(1), m.out(e, 0), to, m.in(e, 1), place(e.type(1)));
  }

  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    if (!is_static_scatter(e)) {
      int const in[] = {c.value(e, 0), c.value(e, 1), c.value(e, 2)}, axes[] = {c.dim(e, 0), c.dim(e, 1), c.dim(e, 2)};
      return batch_scatter(c, P, e, scatter_numbers(e), in, axes);
    }
    int const rank = e.type(0).rank, d = c.dim(e, 0) >= 0 ? c.dim(e, 0) : c.dim(e, 1);
    int const in[] = {c.placed(c.value(e, 0), c.dim(e, 0), d), c.placed(c.value(e, 1), c.dim(e, 1), d)};
    int const whole[] = {0, 1, c.size()};
    int_list par;
    par.push(0);
    for (int part = 0; part < 3; ++part) {
      for (int i = 0; i <= rank; ++i) {
        if (i == d) par.push(whole[part]);
        if (i < rank) par.push(e.param(1 + part * rank + i));
      }
    }
    c.replace(e, in, {par.of, par.n}, d);
  }

  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    int const x = l.in(e, 0), update = l.in(e, e.n_in() - 1);
    int const block = l.combiner(combining_operation(), e.type(0).type);
    if (!is_static_scatter(e)) {
      scatter_numbers const s(e);
      span<int> const lists[] = {s.window, s.dropped, s.x_batching, s.index_batching, s.to};
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
      return l.set(e, 0, l.scatter(x, indices, update, lists, e.type(1).rank - 1, s.sorted, s.unique, block));
    }
    // Axes with a step are split up: their elements get an index vector each. The others are axes of one window.
    scatter_region const r(e);
    int const rank = e.type(0).rank;
    int_list window, taken_apart, all;
    aval indices(dtype::i32);
    for (int i = 0; i < rank; ++i) {
      all.push(i);
      if (r.step[i] == 1) window.push(i);
      else {
        taken_apart.push(i);
        indices.dims[indices.rank++] = r.size[i];
      }
    }
    int const vectors = static_cast<int>(indices.size()), at_vector = indices.rank;
    indices.dims[indices.rank++] = rank;
    arena<int> elements;
    for (int k = 0; k < vectors; ++k) {
      int const first = elements.size();
      for (int i = 0; i < rank; ++i) elements.push(r.start[i]);
      for (int j = taken_apart.n - 1, rest = k; j >= 0; --j) {
        int const axis = taken_apart.of[j];
        elements[first + axis] += rest % r.size[axis] * r.step[axis];
        rest /= r.size[axis];
      }
    }
    span<int> const lists[] = {{window.of, window.n}, {taken_apart.of, taken_apart.n}, {}, {}, {all.of, all.n}};
    l.set(e, 0, l.scatter(x, l.table(indices, elements), update, lists, at_vector, true, true, block));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    if (is_static_scatter(e)) {
      scatter_region const r(e);
      int_list limit;
      bool strided = false;
      for (int i = 0; i < r.start.size(); ++i) {
        limit.push(r.size[i] == 0 ? r.start[i] : r.start[i] + (r.size[i] - 1) * r.step[i] + 1);
        strided = strided || r.step[i] != 1;
      }
      o.key("limit_indices");
      o.tuple({limit.of, limit.n});
      o.key("start_indices");
      o.tuple(r.start);
      o.key("strides");
      if (strided) o.tuple(r.step);
      else o.text("None");
      return;
    }
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
    if constexpr (Combine == P) o.text("None");
    else o.combiner();
  }

 private:
  // Empty: the new element replaces the old one.
  static constexpr std::string_view combining_operation() {
    if constexpr (Combine == P) return {};
    else return primitive<Combine>::stablehlo;
  }
  // Combines the box of `from` into its position in `to`.
  static constexpr void join_box(dtype t, aval const& box, std::uint64_t* to, place const& at, std::uint64_t const* from, place const& from_at) {
    if constexpr (Combine == P) {
      copy_box(box, to, at, from, from_at);
    } else {
      with_element(t, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (!std::is_same_v<T, bool>)
          walk(box, at, from_at, [&](std::ptrdiff_t a, std::ptrdiff_t b) {
            to[a] = to_bits(primitive<Combine>::kernel(lane<T>(from_bits<T>(to[a])), lane<T>(from_bits<T>(from[b]))).value);
          });
      });
    }
  }
  template <class Machine>
  static constexpr void evaluate_dynamic(Machine& m, equation_ref const& e) {
    scatter_numbers const s(e);
    index_walk const w(s, e.type(0), e.type(1), e.type(2));
    w.each(m.in(e, 1), s.mode, [&](std::ptrdiff_t x_at, std::ptrdiff_t update_at, bool inside) {
      if (inside) join_box(e.type(0).type, w.window, m.out(e, 0), based_at(x_at, w.x_window), m.in(e, 2), based_at(update_at, w.w_window));
    });
  }
};

}  // namespace exprax::detail
