// SPDX-License-Identifier: BSL-1.0
// Nested blocks while tracing: the bodies of scan, cond, while and jit.
//
// A block is an interval of its tape's list of equations. Opening it sets a mark; closing it moves the interval out and turns the values
// that the body captured into inputs: captured values first, then the requested inputs. The block of a value on a private tape is known
// late: constants made outside a block join the tape inside it, and the mark of a block opened on a private tape may end up above that of a
// block inside it. Both are repaired at close, by moving an interval in front of the mark. A wrong guess changes the order of equations,
// never a value.
#pragma once

#include <exprax/program/tape.hpp>

namespace exprax::detail {

// Moves the equations [begin, end) of a joined tape, and the marks that came with it, in front of an open block.
constexpr void move_out(tape* t, int mark_index, int begin, int end, segment const& moving) {
  int const first = *t->marks.at[mark_index];
  int const length = end - begin, shift = begin - first;
  arena<eqn> moved, passed;
  for (int i = begin; i < end; ++i) moved.push(t->pending.at[i]);
  for (int i = first; i < begin; ++i) passed.push(t->pending.at[i]);
  copy_run(t->pending.at + first, moved.data(), length);
  copy_run(t->pending.at + first + length, passed.data(), shift);
  for (int i = mark_index; i < t->marks.n; ++i) {
    int& m = *t->marks.at[i];
    if (moving.brought(i)) m -= shift;
    else if (m <= begin) m += length;
  }
  for (int i = 0; i < t->segments.n; ++i) {
    segment& s = t->segments.at[i];
    int const by = s.begin >= begin && s.end <= end ? -shift : s.begin >= first && s.end <= begin ? length : 0;
    s.begin += by;
    s.end += by;
  }
}

constexpr void erase_segment(tape* t, int k) {
  tape* const from = t->segments.at[k].from;
  for (int i = k + 1; i < t->segments.n; ++i) t->segments.at[i - 1] = t->segments.at[i];
  --t->segments.n;
  drop(from);
}

// Not constexpr, so that the error shows its name.
inline void blocks_are_closed_out_of_order() {}

struct closed_block {
  handle on;            // any value of the block's tape
  int id = 0;           // id of the block
  arena<int> captures;  // values of that tape, in the order of their inputs
};

class block_scope {
 public:
  // anchor: a value of the enclosing trace.
  constexpr explicit block_scope(handle const& anchor) : keep_(resolve(anchor)), mark_(keep_.on->pending.n) {
    keep_.on->marks.push(&mark_);
  }
  block_scope(block_scope const&) = delete;

  // Adds an input.
  constexpr handle input(aval const& type) {
    keep_ = resolve(keep_);
    inputs_.push(handle(keep_.on, keep_.on->add_value(keep_.on->find_static_type(type))));
    return inputs_.back();
  }

  // Call it after the body has run, when only outs holds results of it. Resolves outs; an output that is an input stays that input.
  constexpr closed_block close(arena<handle>& outs) {
    for (handle& h : outs) join(keep_, h);
    keep_ = resolve(keep_);
    for (handle& h : outs) h = resolve(h);
    for (handle& h : inputs_) h = resolve(h);
    tape* const t = keep_.on;
    bring_outer_blocks_out(t);
    bring_constants_out(t);

    closed_block r{keep_, 0, {}};
    arena<int> results;
    find_captures(t, outs, r.captures, results);
    for (handle const& h : inputs_) new_inputs_.push(h.id);
    r.id = t->close_from(mark_, new_inputs_, results);
    --t->marks.n;
    forget_segments(t);
    return r;
  }

  constexpr arena<handle> const& inputs() const { return inputs_; }
  constexpr void blame(found_mistake const& m) {
    keep_ = resolve(keep_);
    keep_.on->blame(m);
  }

 private:
  constexpr int index_in(tape* t) const {
    int k = 0;
    while (t->marks.at[k] != &mark_) ++k;
    return k;
  }
  // Blocks whose marks are above ours after a join enclose this block: their equations move in front.
  constexpr void bring_outer_blocks_out(tape* t) {
    int me = index_in(t);
    while (me + 1 < t->marks.n) {
      segment best{nullptr, 0, 0, t->marks.n, 0};
      for (int i = 0; i < t->segments.n; ++i) {
        segment const& s = t->segments.at[i];
        if (s.brought(t->marks.n - 1) && s.depth > me &&
            (s.depth < best.depth || (s.depth == best.depth && s.end - s.begin > best.end - best.begin)))
          best = s;
      }
      if (!best.from) blocks_are_closed_out_of_order();
      arena<int*> around, inside;
      for (int i = me; i < t->marks.n; ++i) (best.brought(i) ? around : inside).push(t->marks.at[i]);
      for (int i = 0; i < t->segments.n; ++i) {
        segment& s = t->segments.at[i];
        if (s.begin >= best.begin && s.end <= best.end && s.depth >= best.depth) s.depth += me - best.depth;
        else if (s.depth > me) s.depth += around.size();
      }
      move_out(t, me, best.begin, best.end, best);
      for (int* m : around) t->marks.at[me++] = m;
      for (int i = 0; i < inside.size(); ++i) t->marks.at[me + i] = inside[i];
    }
  }
  // Constants whose tapes are still referenced were made outside the block.
  constexpr void bring_constants_out(tape* t) {
    int const me = index_in(t);
    for (int k = 0; k < t->segments.n; ++k) {
      segment const s = t->segments.at[k];
      if (s.depth <= me || s.from->owners == 1) continue;
      move_out(t, me, s.begin, s.end, s);
      t->segments.at[k].depth = me;
    }
  }
  constexpr void forget_segments(tape* t) {
    for (int k = 0; k < t->segments.n;) {
      segment& s = t->segments.at[k];
      if (s.end > mark_) s.end = mark_;
      if (s.brought(t->marks.n)) --s.marks;
      if (s.depth > t->marks.n) s.depth = t->marks.n;
      if (s.marks > 0 || (s.depth > 0 && s.begin < s.end)) ++k;
      else erase_segment(t, k);
    }
  }
  // Captured values become inputs of the block; literals are read in place.
  constexpr void find_captures(tape* t, arena<handle>& outs, arena<int>& captures, arena<int>& results) {
    int low = t->values.n;
    for (handle const& h : inputs_) low = h.id < low ? h.id : low;
    for (int i = mark_; i < t->pending.n; ++i) low = t->pending.at[i].out < low ? t->pending.at[i].out : low;
    arena<char> defined;
    defined.resize(t->values.n - low, 0);
    for (handle const& h : inputs_) defined[h.id - low] = 1;
    for (int i = mark_; i < t->pending.n; ++i)
      for (int k = 0; k < t->pending.at[i].n_out; ++k) defined[t->pending.at[i].out + k - low] = 1;
    auto const inner = [&](int v) {
      if ((v >= low && defined[v - low]) || t->is_literal(v)) return v;
      for (int k = 0; k < captures.size(); ++k)
        if (captures[k] == v) return new_inputs_[k];
      captures.push(v);
      new_inputs_.push(t->add_value(t->values.at[v].type));
      return new_inputs_.back();
    };
    for (int i = mark_; i < t->pending.n; ++i)
      for (int k = 0; k < t->pending.at[i].n_in; ++k) t->refs.at[t->pending.at[i].in + k] = inner(t->refs.at[t->pending.at[i].in + k]);
    for (handle& h : outs) {
      results.push(inner(h.id));
      h = handle(t, results.back());
    }
  }

  handle keep_;
  int mark_;
  arena<handle> inputs_;
  arena<int> new_inputs_;
};

// Moves all values to one tape; without values: a new private tape.
constexpr handle join_all(arena<handle>& values) {
  if (values.empty()) return handle(new tape, handle::no_value);
  for (handle& h : values) join(values[0], h);
  for (handle& h : values) h = resolve(h);
  return values[0];
}

}  // namespace exprax::detail
