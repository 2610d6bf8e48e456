// SPDX-License-Identifier: BSL-1.0
// Lowers the values that a kernel makes to boxes and steps. Values without a buffer are computed where they are needed. Pads,
// concatenations and updates of known slices cut the iteration space into boxes; in each box every operand is a base and strides.
// Longer than 300 lines: one class, whose cases share the walk over borders.
#pragma once

#include <exprax/plan/data/slots.hpp>
#include <exprax/plan/kernels/array_view.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail::planning {

class box_lowering {
 public:
  // columns: elements of an axis behind those of the loop, which is not walked: they are made one after the other (start_column) in each
  // iteration. 0: there is none.
  constexpr box_lowering(context& c, int rank, int const* dims, int columns = 0)
      : c_(c), rank_(rank), columns_(columns), walk_(++c.visits), column_walk_(walk_) {
    for (int i = 0; i < rank; ++i) {
      dims_[i] = dims[i];
      add_cut(i, 0);
      add_cut(i, dims[i]);
    }
  }

  constexpr void start_column(int column) {
    column_ = column;
    column_walk_ = ++c_.visits;
  }

  // First visits every value that the kernel needs, to find the borders. Long chains of elementwise equations use an explicit stack,
  // because compilers limit the call depth.
  constexpr void find_cuts(int v, index_map const& m) {
    v = c_.resolve(v);
    if (is_done(v)) return note(v, m);
    if (!is_identity(v, m)) {
      for (remembered const& r : memo_)
        if (r.v == v && r.m == m) return;
      memo_.push({v, m, -1});
      return find_cuts_of(v, m);
    }
    arena<int> todo;
    todo.push(v);
    while (!todo.empty()) {
      int const u = todo.back();
      todo.pop();
      if (is_done(u) || is_visited(u)) continue;
      c_.at[u].visit = walk_of(u);
      if (!is_elementwise(u)) {
        find_cuts_of(u, m);
        continue;
      }
      equation_ref const e = c_.def(u);
      for (int k = 0; k < e.n_in(); ++k) {
        int const w = c_.resolve(e.in(k));
        bool const done = is_done(w);
        if (done && !notes_rows_) continue;
        if (!done && reads_same_index(w, u)) todo.push(w);
        else find_cuts(w, pull_broadcast(c_.p.type(w), e.out_type(0), m));
      }
    }
  }

  // To be called before find_cuts: what does it meet that is read from memory, or is not cheap?
  constexpr void note_rows() { notes_rows_ = true; }
  // Whether more values are read once for a whole row, as a broadcast [n, 1], than for each element of it; or what is computed once for a
  // row is not cheap.
  constexpr bool makes_more_for_rows() const { return computes_for_rows_ || reads_for_rows_ > reads_along_rows_; }

  // Whether boxes do not have whole rows along the axis.
  constexpr bool cuts(int axis) const { return cuts_[axis].size() > 2; }
  // Then come the boxes, one by one.
  constexpr int boxes() const {
    int n = 1;
    for (int i = 0; i < rank_; ++i) n *= cuts_[i].size() - 1;
    return n;
  }
  constexpr void start_box(int number) {
    for (int i = rank_ - 1; i >= 0; --i) {
      int const n = cuts_[i].size() - 1, k = number % n;
      number /= n;
      box_.lo[i] = cuts_[i][k];
      box_.extent[i] = cuts_[i][k + 1] - cuts_[i][k];
    }
    box_.n_row = box_.n_step = 0;
    for (int& n : box_.slots) n = 0;
    steps_.clear();
    memo_.clear();
    walk_ = column_walk_ = ++c_.visits;
  }
  constexpr void store(int reg, dtype t, access const& a) {
    steps_.push(store_step(t, reg, c_.out.accesses.push(a)));
  }

  constexpr int value(int v, index_map const& m) {
    v = c_.resolve(v);
    if (!is_identity(v, m)) {
      for (remembered const& r : memo_)
        if (r.v == v && r.m == m) return r.reg;
      int const reg = make(v, m);
      memo_.push({v, m, reg});
      return reg;
    }
    arena<int> todo;
    todo.push(v);
    while (!todo.empty()) {
      int const u = todo.back();
      bool ready = true;
      if (!is_visited(u) && !is_done(u) && is_elementwise(u)) {
        equation_ref const e = c_.def(u);
        for (int k = e.n_in() - 1; k >= 0; --k) {
          int const w = c_.resolve(e.in(k));
          if (is_visited(w) || is_done(w) || !reads_same_index(w, u)) continue;
          todo.push(w);
          ready = false;
        }
      }
      if (!ready) continue;
      todo.pop();
      if (is_visited(u)) continue;
      int const reg = !is_done(u) && is_elementwise(u) ? elementwise(c_.def(u), m, true) : make(u, m);
      c_.at[u].visit = walk_of(u);
      c_.at[u].reg = reg;
    }
    return c_.at[v].reg;
  }

  // Operands that the primitive does not have repeat the first.
  constexpr int compute(prim op, dtype from, dtype to, int a, int b = -1, int c = -1) {
    return steps_.push(compute_step(op, from, to, a, b < 0 ? a : b, c < 0 ? a : c));
  }
  constexpr int literal(dtype t, std::uint64_t bits) { return steps_.push(literal_step(t, bits)); }
  constexpr int load(dtype t, access const& a) { return steps_.push(load_step(t, c_.out.accesses.push(a))); }

  // The access to a value that has a buffer.
  constexpr access access_of(int v, index_map const& m) const { return access_to(c_.at[v].buffer, c_.p.type(v), m); }

  // Appends the box to the plan.
  constexpr void finish() {
    if (rank_ == 0) finish_straight_line(c_.out, box_, steps_);
    else finish_box(c_.out, box_, steps_, rank_ - 1);
    c_.out.boxes.push(box_);
  }
  // Makes of the box, which is the only one and stores every `step`-th element of rows, one that walks whole rows and stores what was there
  // in between: packs load and store what lies side by side. False, and nothing is done: it reads other elements, or computes too much.
  constexpr bool walk_whole_rows(int step, int most_work) {
    int const last = rank_ - 1;
    int cost = 0, loads = 0;
    for (exprax::step const& s : steps_) {
      if (s.kind == step_kind::compute) cost += traits_of(s.op).cost;
      if (s.kind == step_kind::iota && iota_axis(s) == last) return false;
      if (!is_memory(s.kind)) continue;
      access const& a = c_.out.accesses[s.access];
      if (a.n_term > 0 || (a.stride[last] != step && (a.stride[last] != 0 || s.kind == step_kind::store))) return false;
      loads += s.kind == step_kind::load && a.stride[last] == step;
    }
    if (loads == 0 || cost * (step - 1) > most_work) return false;
    for (exprax::step const& s : steps_)
      if (is_memory(s.kind) && c_.out.accesses[s.access].stride[last] == step) c_.out.accesses[s.access].stride[last] = 1;
    box_.extent[last] = dims_[last] = (dims_[last] - 1) * step + 1;
    exprax::step store = steps_.back();
    steps_.pop();
    constexpr dtype t = dtype::u32;
    int const place = compute(prim::and_, t, t, steps_.push(iota_step(t, last, 0, 1)), literal(t, static_cast<std::uint64_t>(step - 1)));
    int const is_stored = compute(prim::eq, t, dtype::b1, place, literal(t, 0));
    store.a = compute(prim::select_n, store.type, store.type, is_stored, load(store.type, c_.out.accesses[store.access]), store.a);
    steps_.push(store);
    return true;
  }
  constexpr int convert(dtype from, dtype to, int reg) { return steps_.push(convert_step(from, to, reg)); }

 private:
  struct remembered {
    int v = 0;
    index_map m;
    int reg = 0;
  };

  constexpr bool is_done(int v) const { return c_.p.is_constant(v) || c_.has_buffer(v); }
  // Whether an elementwise equation reads the operand at its own index. Compares type indices first: most are equal.
  constexpr bool reads_same_index(int operand, int result) const {
    return c_.p.values[operand].type == c_.p.values[result].type || c_.p.type(operand).rank == 0 ||
           c_.p.type(operand).same_shape(c_.p.type(result));
  }
  constexpr bool is_elementwise(int v) const { return exprax::is_elementwise(c_.p.eqns[c_.at[v].def].op); }
  // The mark of what is made for each column, or once for all.
  constexpr int walk_of(int v) const {
    if (columns_ == 0) return walk_;
    aval const& t = c_.p.type(v);
    return t.rank == rank_ + 1 && t.dims[rank_] != 1 ? column_walk_ : walk_;
  }
  constexpr bool is_visited(int v) const { return c_.at[v].visit == (columns_ == 0 ? walk_ : walk_of(v)); }
  // True if the value is read at the index of the loop itself, or has only one element to read.
  constexpr bool is_identity(int v, index_map const& m) const {
    aval const& t = c_.p.type(v);
    if (t.rank == 0) return true;
    if (columns_ > 0 && t.rank == rank_ + 1) {
      if (t.dims[rank_] != 1 && t.dims[rank_] != columns_) return false;
      if (!m.of[rank_].is_fixed() || m.of[rank_].offset != (t.dims[rank_] == 1 ? 0 : column_)) return false;
    } else if (t.rank != rank_) {
      return false;
    }
    for (int i = 0; i < rank_; ++i)
      if (t.dims[i] != dims_[i] || !(m.of[i] == (t.dims[i] == 1 ? axis_map{} : axis_map{i, 0, 1}))) return false;
    return true;
  }
  constexpr void note(int v, index_map const& m) {
    if (!notes_rows_) return;
    bool along_rows = false, along_others = false;
    for (int i = 0; i < m.rank; ++i)
      if (!m.of[i].is_fixed() && c_.p.type(v).dims[i] != 1) (m.of[i].axis == rank_ - 1 ? along_rows : along_others) = true;
    if (!along_others) return;
    if (!is_done(v)) computes_for_rows_ = computes_for_rows_ || !along_rows;
    else ++(along_rows ? reads_along_rows_ : reads_for_rows_);
  }
  constexpr void find_cuts_of(int v, index_map const& m) {
    equation_ref const e = c_.def(v);
    switch (e.e.op) {
      case prim::iota: return;
      case prim::concatenate: {
        int const axis = e.param(0);
        index_map part = m;
        for (int k = 0; k < e.n_in(); ++k) {
          int const n = e.type(k).dims[axis];
          axis_map const& i = part.of[axis];
          cut(i, n);
          if (!i.is_fixed() || (i.offset >= 0 && i.offset < n)) find_cuts(e.in(k), with_unit_axes(part, e.type(k)));
          part.of[axis].offset -= n;
        }
        return;
      }
      case prim::pad: {
        index_map inner = m;
        for (int i = 0; i < m.rank; ++i) {
          inner.of[i].offset -= e.param(i);
          cut(inner.of[i], 0);
          cut(inner.of[i], e.type(0).dims[i]);
        }
        find_cuts(e.in(0), with_unit_axes(inner, e.type(0)));
        return find_cuts(e.in(1), {});
      }
      default: break;
    }
    if (is_static_update(e.e.op)) {
      index_map const inner = into_update(e, m);
      for (int i = 0; i < m.rank; ++i) {
        cut(inner.of[i], 0);
        cut(inner.of[i], e.type(1).dims[i]);
      }
      find_cuts(e.in(0), m);
      return find_cuts(e.in(1), with_unit_axes(inner, e.type(1)));
    }
    if (is_gather(e.e.op))
      return for_gathered_components(c_, e, strides(e.type(0)), m, [&](gathered_component const& k) {
        if (!is_done(k.source.v)) find_cuts(k.source.v, k.source.m);
      });
    if (is_affine_movement(e)) return find_cuts(e.in(0), pull(e, m));
    if (notes_rows_ && traits_of(e.e.op).cost >= cost_of_division) note(v, m);
    for (int k = 0; k < e.n_in(); ++k) find_cuts(e.in(k), pull_broadcast(e.type(k), e.out_type(0), m));
  }

  // An axis of 1 is always read at index 0.
  static constexpr index_map with_unit_axes(index_map m, aval const& a) {
    for (int i = 0; i < m.rank; ++i)
      if (a.dims[i] == 1 && m.of[i].is_fixed()) m.of[i] = {};
    return m;
  }
  // An update of a known slice: the index in the update (only steps of 1; others are not lowered to boxes).
  static constexpr index_map into_update(equation_ref const& e, index_map m) {
    for (int i = 0; i < m.rank; ++i) m.of[i].offset -= e.param(i);
    return m;
  }

  constexpr void add_cut(int axis, int at) {
    arena<int>& cuts = cuts_[axis];
    int i = cuts.size();
    while (i > 0 && cuts[i - 1] >= at)
      if (cuts[--i] == at) return;
    cuts.push(at);
    for (int k = cuts.size() - 1; k > i; --k) cuts[k] = cuts[k - 1];
    cuts[i] = at;
  }
  // The iteration where the index reaches `border` (or falls below it).
  constexpr void cut(axis_map const& m, int border) {
    if (m.is_fixed() || m.scale == 0) return;
    int const d = border - m.offset;
    int at = 0;
    if (m.scale > 0) at = d >= 0 ? (d + m.scale - 1) / m.scale : 0;
    else at = d <= 0 ? (-d) / -m.scale + 1 : 0;
    if (at > 0 && at < dims_[m.axis]) add_cut(m.axis, at);
  }
  constexpr int index_at(axis_map const& m) const { return m.is_fixed() ? m.offset : m.offset + m.scale * box_.lo[m.axis]; }

  constexpr int make(int v, index_map const& m) {
    aval const& type = c_.p.type(v);
    if (c_.p.is_literal(v)) return literal(type.type, c_.p.bits(v));
    if (c_.has_buffer(v)) return load(type.type, access_of(v, m));
    if (c_.p.is_constant(v)) {
      c_.at[v].buffer = c_.out.add_buffer(type.type, storage_class::constant, c_.p.values[v].constant, type.size());
      return load(type.type, access_of(v, m));
    }
    equation_ref const e = c_.def(v);
    switch (e.e.op) {
      case prim::iota: {
        axis_map const& i = m.of[e.param(1)];
        return steps_.push(iota_step(type.type, i.axis, i.offset, i.scale));
      }
      case prim::concatenate: {
        int const axis = e.param(0);
        index_map part = m;
        for (int k = 0;; ++k) {
          int const n = e.type(k).dims[axis];
          if (index_at(part.of[axis]) < n) return value(e.in(k), with_unit_axes(part, e.type(k)));
          part.of[axis].offset -= n;
        }
      }
      case prim::pad: {
        index_map inner = m;
        for (int i = 0; i < m.rank; ++i) {
          inner.of[i].offset -= e.param(i);
          int const at = index_at(inner.of[i]), step = e.param(2 * m.rank + i) + 1;
          if (at < 0 || at % step != 0 || at / step >= e.type(0).dims[i]) return value(e.in(1), {});
          inner.of[i].offset += at / step - at;  // an interior pad of which one element is left
        }
        return value(e.in(0), with_unit_axes(inner, e.type(0)));
      }
      default: break;
    }
    if (is_static_update(e.e.op)) {
      index_map const inner = into_update(e, m);
      for (int i = 0; i < m.rank; ++i) {
        int const at = index_at(inner.of[i]);
        if (at < 0 || at >= e.type(1).dims[i]) return value(e.in(0), m);
      }
      int const update = value(e.in(1), with_unit_axes(inner, e.type(1)));
      if (replaces_elements(e.e.op)) return update;
      return compute(traits_of(e.e.op).combiner, type.type, type.type, value(e.in(0), m), update);
    }
    if (is_gather(e.e.op)) return gather(e, m);
    if (is_affine_movement(e)) return value(e.in(0), pull(e, m));
    return elementwise(e, m);
  }

  // Where a component of the index vectors is not in memory, steps compute the offset of the element.
  constexpr int gather(equation_ref const& e, index_map const& m) {
    aval const& type = e.out_type(0);
    bool computed = false;
    for_gathered_components(c_, e, strides(e.type(0)), m,
                            [&](gathered_component const& k) { computed = computed || !is_done(k.source.v); });
    if (!computed) return load(type.type, gathered_access(c_, e, m));
    gather_numbers const n(e);
    array_view const x = array_view_of(c_, e.in(0));
    int offset = -1, inside = -1;
    std::ptrdiff_t least_step = 1;
    for_gathered_components(c_, e, x.of, m, [&](gathered_component const& k) {
      int i = value(k.source.v, k.source.m);
      if (!is_within(c_, k.source.v, k.limit)) i = in_bounds(i, k, n.mode == index_mode::fill_or_drop, inside);
      least_step = k.step < least_step ? k.step : least_step;
      if (k.step != 1) i = compute(prim::mul, dtype::i32, dtype::i32, i, index_literal(dtype::i32, k.step));
      offset = offset < 0 ? i : compute(prim::add, dtype::i32, dtype::i32, offset, i);
    });
    access a = window_access(e, x, m);
    a.term = c_.out.terms.push(computed_term(a.buffer, least_step));
    a.n_term = 1;
    int const element = steps_.push(gather_step(type.type, c_.out.accesses.push(a), offset));
    return inside < 0 ? element : compute(prim::select_n, type.type, type.type, inside, literal(type.type, n.fill), element);
  }

  constexpr int index_literal(dtype t, std::int64_t i) { return literal(t, static_cast<std::uint32_t>(i)); }
  // The component i of an index vector, moved into bounds. drops: whether it was there joins `inside`, -1 or what holds for others.
  constexpr int in_bounds(int i, gathered_component const& k, bool drops, int& inside) {
    constexpr dtype i32 = dtype::i32, u32 = dtype::u32;
    auto const without_sign = [&](int r) { return compute(prim::bitcast, i32, u32, r); };
    auto const with_sign = [&](int r) { return compute(prim::bitcast, u32, i32, r); };
    // The smaller one of i and i + n as integers without a sign is in bounds if one of them is.
    if (int const n = k.source.from_end; n > 0) {
      int const from_end = compute(prim::add, i32, i32, i, index_literal(i32, n));
      i = with_sign(compute(prim::min, u32, u32, without_sign(i), without_sign(from_end)));
    }
    if (!drops) return compute(prim::min, i32, i32, compute(prim::max, i32, i32, i, index_literal(i32, 0)), index_literal(i32, k.limit));
    int const given = without_sign(i), moved = compute(prim::min, u32, u32, given, index_literal(u32, k.limit));
    int const same = compute(prim::eq, u32, dtype::b1, given, moved);
    inside = inside < 0 ? same : compute(prim::and_, dtype::b1, dtype::b1, inside, same);
    return with_sign(moved);
  }

  // identity: m is the index of the loop.
  constexpr int elementwise(equation_ref const& e, index_map const& m, bool identity = false) {
    aval const& type = e.out_type(0);
    int reg[3] = {-1, -1, -1};
    for (int k = 0; k < e.n_in(); ++k) {
      int const w = c_.resolve(e.in(k));
      if (identity && is_visited(w) && reads_same_index(w, e.e.out)) reg[k] = c_.at[w].reg;
      else reg[k] = value(w, pull_broadcast(e.type(k), type, m));
    }
    if (e.e.op == prim::convert_element_type) {
      if (e.type(0).type == type.type) return reg[0];
      return convert(e.type(0).type, type.type, reg[0]);
    }
    return compute(e.e.op, e.type(e.n_in() - 1).type, type.type, reg[0], reg[1], reg[2]);
  }

  context& c_;
  int rank_ = 0;
  int columns_ = 0, column_ = 0;
  int walk_ = 0, column_walk_ = 0;  // marks of values that are made: once, and for this column
  bool notes_rows_ = false;
  bool computes_for_rows_ = false;
  int reads_for_rows_ = 0, reads_along_rows_ = 0;
  int dims_[max_rank] = {};
  arena<int> cuts_[max_rank];  // the borders of the boxes along each axis, ascending
  box box_{};
  arena<step> steps_;
  arena<remembered> memo_;
};

}  // namespace exprax::detail::planning
