// SPDX-License-Identifier: BSL-1.0
// Family of the scatters (jax.lax.scatter, scatter_add, ...): the operand, with some elements replaced by those of an update
// or combined with them. Two forms, told apart by parameter 0:
//
//   static (0): operands x, update. Parameters: 0, start of each axis, step of each axis, size of each axis: the update has
//     these sizes and goes to the elements start + k * step, which lie inside. jax.lax has indices that are constants; here
//     they are parameters and are printed in the words of slice.
//   dynamic (1): operands x, i32 indices [batch..., k], update. Parameters: 1, then three lists, each after its length:
//     update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims; then indices_are_sorted, unique_indices.
//     One index vector for each element of the batch axes, which lead in x, indices and update alike (operand_batching_dims,
//     scatter_indices_batching_dims). A window that does not lie inside is dropped (FILL_OR_DROP).
#pragma once

#include <exprax/primitives/primitive.hpp>
#include <exprax/primitives/walk.hpp>
#include <exprax/types/element.hpp>
#include <exprax/types/lane.hpp>

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
struct scatter_numbers {
  span<int> update_window_dims, inserted_window_dims, operand_dims;
  int n_batch;  // how many axes of x, of indices and of the update run together, in front
  bool sorted, unique;
  constexpr explicit scatter_numbers(equation_ref const& e) {
    span<int> const p = e.params();
    int at = 1;
    update_window_dims = p.part(at + 1, p[at]);
    at += 1 + p[at];
    inserted_window_dims = p.part(at + 1, p[at]);
    at += 1 + p[at];
    operand_dims = p.part(at + 1, p[at]);
    at += 1 + p[at];
    sorted = p[at] != 0;
    unique = p[at + 1] != 0;
    n_batch = e.type(1).rank - 1;
  }
  constexpr bool is_window(int update_axis) const { return contains(update_window_dims.data(), update_window_dims.size(), update_axis); }
  // Axes of x that no axis of a window runs along.
  constexpr bool is_inserted(int axis) const { return axis < n_batch || contains(inserted_window_dims.data(), inserted_window_dims.size(), axis); }
};

// Combine: the primitive that joins old and new, or prim::scatter where the new element replaces the old one.
template <prim P, prim Combine>
struct scatter_family {
  static constexpr op_class kind = op_class::update;
  static constexpr prim combine = Combine;

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
    if (e.n_in() != 3 || e.n_par() < 6 || e.type(1).type != dtype::i32 || e.type(1).rank < 1) return false;
    scatter_numbers const s(e);
    aval const& indices = e.type(1);
    if (indices.dims[s.n_batch] != s.operand_dims.size() || !are_axes(s.operand_dims.data(), s.operand_dims.size(), x.rank)) return false;
    if (!are_axes(s.update_window_dims.data(), s.update_window_dims.size(), update.rank)) return false;
    if (update.rank != s.n_batch + s.update_window_dims.size()) return false;
    for (int i = 0; i < s.n_batch; ++i)
      if (s.is_window(i) || update.dims[i] != x.dims[i] || indices.dims[i] != x.dims[i]) return false;
    int windows = 0;
    for (int i = 0; i < x.rank; ++i) {
      if (s.is_inserted(i)) continue;
      if (windows == s.update_window_dims.size() || update.dims[s.update_window_dims[windows++]] > x.dims[i]) return false;
    }
    return windows == s.update_window_dims.size();
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
    if (!is_static_scatter(e)) return batch_dynamic(c, e);
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
      int_list batch;
      for (int i = 0; i < s.n_batch; ++i) batch.push(i);
      span<int> const lists[] = {s.update_window_dims, s.inserted_window_dims, {batch.of, batch.n}, {batch.of, batch.n}, s.operand_dims};
      return l.set(e, 0, l.scatter(x, l.in(e, 1), update, lists, s.n_batch, s.sorted, s.unique, block));
    }
    // Axes with a step are taken apart: their elements get an index vector each. The others are axes of one window.
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
    int_list batch_dims;
    for (int i = 0; i < s.n_batch; ++i) batch_dims.push(i);
    o.key("dimension_numbers");
    o.text("ScatterDimensionNumbers(update_window_dims=");
    o.tuple(s.update_window_dims);
    o.text(", inserted_window_dims=");
    o.tuple(s.inserted_window_dims);
    o.text(", scatter_dims_to_operand_dims=");
    o.tuple(s.operand_dims);
    o.text(", operand_batching_dims=");
    o.tuple({batch_dims.of, batch_dims.n});
    o.text(", scatter_indices_batching_dims=");
    o.tuple({batch_dims.of, batch_dims.n});
    o.text(")");
    o.key("indices_are_sorted");
    o.boolean(s.sorted);
    o.key("mode");
    o.text("GatherScatterMode.FILL_OR_DROP");
    o.key("unique_indices");
    o.boolean(s.unique);
    o.key("update_consts");
    o.text("()");
    o.key("update_jaxpr");
    if constexpr (Combine == P) o.text("None");
    else o.combiner();
  }

 private:
  // Nothing: the new element replaces the old one.
  static constexpr std::string_view combining_operation() {
    if constexpr (Combine == P) return {};
    else return primitive<Combine>::stablehlo;
  }
  // The box of `from` goes to its places in `to`.
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
    aval const &x = e.type(0), &update = e.type(2);
    strides const x_of(x), update_of(update);
    aval window, batches;
    place to, from, x_batch, update_batch;
    int extent[max_rank] = {};  // of the window along each axis of x
    for (int i = 0; i < x.rank; ++i) {
      extent[i] = 1;
      if (s.is_inserted(i)) continue;
      int const axis = s.update_window_dims[window.rank];
      to.step[window.rank] = x_of[i];
      from.step[window.rank] = update_of[axis];
      extent[i] = window.dims[window.rank++] = update.dims[axis];
    }
    for (int i = 0, at = 0; i < update.rank; ++i)
      if (!s.is_window(i)) {
        x_batch.step[at] = x_of[at];
        update_batch.step[at++] = update_of[i];
        batches.dims[batches.rank++] = update.dims[i];
      }
    int number = 0;  // of the index vector: they follow one another in row-major order
    walk(batches, x_batch, update_batch, [&](std::ptrdiff_t x_at, std::ptrdiff_t update_at) {
      place start = to, source = from;
      start.base = x_at;
      source.base = update_at;
      bool inside = true;
      for (int k = 0; k < s.operand_dims.size(); ++k) {
        int const axis = s.operand_dims[k];
        int const index = from_bits<int>(m.in(e, 1)[number * s.operand_dims.size() + k]);
        inside = inside && index >= 0 && index <= x.dims[axis] - extent[axis];
        start.base += x_of[axis] * index;
      }
      ++number;
      if (inside) join_box(x.type, window, m.out(e, 0), start, m.in(e, 2), source);
    });
  }
  // jax.lax's _scatter_batching_rule: with one index for all rows the batch axis is one more axis of the window.
  template <class Context>
  static constexpr void batch_dynamic(Context& c, equation_ref const& e) {
    scatter_numbers const s(e);
    bool const batched_indices = c.dim(e, 1) >= 0 || s.n_batch > 0;
    int const x = c.at_front(c.value(e, 0), c.dim(e, 0), c.size());
    int const update = c.at_front(c.value(e, 2), c.dim(e, 2), c.size());
    int const indices = batched_indices ? c.at_front(c.value(e, 1), c.dim(e, 1), c.size()) : c.value(e, 1);
    int_list par;
    par.push(1);
    par.push(s.update_window_dims.size() + !batched_indices);
    if (!batched_indices) par.push(0);
    for (int axis : s.update_window_dims) par.push(axis + 1);
    par.push(s.inserted_window_dims.size());
    for (int axis : s.inserted_window_dims) par.push(axis + 1);
    par.push(s.operand_dims.size());
    for (int axis : s.operand_dims) par.push(axis + 1);
    par.push(s.sorted);
    par.push(s.unique);
    int const in[] = {x, indices, update};
    c.replace(e, in, {par.of, par.n}, 0);
  }
};

}  // namespace exprax::detail
