// SPDX-License-Identifier: BSL-1.0
// tape: the builder that records a trace, and the handles that point into it.
//
// Constant evaluation has no global state, so there is no current tape: each value refers to its tape. Creation functions take no value and
// record on a private tape, which joins the tape of the first value it meets; a joined tape forwards to the other one. The equations of
// open blocks are in one list, in order (program/blocks.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include <exprax/base/failure.hpp>
#include <exprax/program/builder.hpp>

namespace exprax::detail {

struct tape;

// A joined private tape: its interval in the list of equations, how many open blocks enclose it, and how many it brought: those have the
// indices depth, depth + 1, ... in the list of marks.
struct segment {
  tape* from;
  int begin, end;
  int depth, marks;
  constexpr bool brought(int mark) const { return depth <= mark && mark < depth + marks; }
};

// An aval as one integer, by which a tape finds the index of a type in one step; large shapes of many axes have no key. The address is not
// used as a key, because with -fsanitize=null g++ cannot compare addresses of variables in constant evaluation.
inline constexpr std::uint64_t no_type_key = ~std::uint64_t{0};
constexpr std::uint64_t type_key(aval const& a) {
  std::uint64_t key =
      1 | static_cast<std::uint64_t>(a.weak) << 1 | static_cast<std::uint64_t>(a.type) << 2 | static_cast<std::uint64_t>(a.rank) << 8;
  int const width = a.rank == 0 ? 0 : 52 / a.rank;
  for (int i = 0; i < a.rank; ++i) {
    auto const size = static_cast<std::uint64_t>(a.dims[i]);
    if (size >> width != 0) return no_type_key;
    key |= size << (12 + i * width);
  }
  return key;
}
constexpr int type_slot(std::uint64_t key) { return static_cast<int>(key * 0x9E3779B97F4A7C15u >> 60); }

struct tape : program_builder {
  int owners = 0;        // handles, forwards and segments that point here
  tape* into = nullptr;  // the tape that this one joined
  int value_shift = 0;   // added to the indices of its values there,
  int block_shift = 0;   // and of its blocks
  bool bound = false;    // holds the arguments of a trace, and so never joins another tape
  bool has_dead_blocks = false;
  bool names_axes = false;  // has equations over axes with names

  arena<int*> marks;  // where the open blocks begin in the pending equations, outermost first
  arena<segment> segments;

  // The most recent types, one per slot, and their indices.
  std::uint64_t keys[16] = {};
  int key_types[16] = {};

  constexpr tape() = default;
  tape(tape const&) = delete;
  tape& operator=(tape const&) = delete;

  // intern, for a type that will be looked up again.
  constexpr int find_static_type(aval const& a) {
    std::uint64_t const key = type_key(a);
    if (key == no_type_key) return intern(a);
    keys[type_slot(key)] = key;
    return key_types[type_slot(key)] = intern(a);
  }
};

// Releases one reference to t.
constexpr void drop(tape* t) {
  while (t && --t->owners == 0) {
    for (int i = 0; i < t->segments.n; ++i) drop(t->segments.at[i].from);
    tape* const next = t->into;
    delete t;
    t = next;
  }
}

// A traced value of any type: the tape and the index there. Counts as a reference.
struct handle {
  static constexpr int no_value = -1;  // a tape alone

  tape* on = nullptr;
  int id = no_value;

  constexpr handle() = default;
  constexpr handle(tape* t, int i) : on(t), id((++t->owners, i)) {}
  constexpr handle(handle const& o) : on(o.on), id((o.on ? ++o.on->owners : 0, o.id)) {}
  constexpr handle(handle&& o) noexcept : on(o.on), id(o.id) { o.on = nullptr; }
  constexpr handle& operator=(handle o) noexcept {
    tape* const before = on;
    on = o.on, id = o.id;
    o.on = before;
    return *this;
  }
  constexpr ~handle() { drop(on); }

  constexpr aval const& type() const { return on->type(id); }
};

// The same value on the tape that its own tape has joined.
constexpr handle resolve(handle const& h) {
  tape* t = h.on;
  int id = h.id;
  while (t->into) {
    id += t->value_shift;
    t = t->into;
  }
  return {t, id};
}

// The same for the index of a block of h's tape, taken before h is resolved.
constexpr int resolve_block(handle const& h, int id) {
  for (tape const* t = h.on; t->into; t = t->into) id += t->block_shift;
  return id;
}

// Not constexpr, so that the error shows its name.
inline void values_of_two_different_traces_meet() {}
inline void a_traced_value_is_used_before_it_is_assigned() { stop(); }

constexpr void shift_refs(tape& t, int first, int n, int by) {
  for (int k = 0; k < n; ++k) t.refs.at[first + k] += by;
}

// Appends everything that tape f has recorded to tape a.
constexpr void merge(tape* a, tape* f) {
  a->left = f->left = 0;
  int const v = a->values.n, l = a->refs.n, p = a->params.n, b = a->blocks.n, c = a->constants.n, done = a->eqns.n, order = a->pending.n;

  for (int i = 0; i < f->pending.n + f->eqns.n; ++i) {
    eqn const& e = i < f->pending.n ? f->pending.at[i] : f->eqns.at[i - f->pending.n];
    shift_refs(*f, e.in, e.n_in, v);
    shift_refs(*f, e.blk, e.n_blk, b);
  }
  for (block const& x : f->blocks) {
    shift_refs(*f, x.in, x.n_in, v);
    shift_refs(*f, x.out, x.n_out, v);
  }
  for (int at : f->name_params) {
    f->params.at[at] += a->names.n;
    a->name_params.push(at + p);
  }
  a->names.append(f->names);

  int types[64] = {};
  for (int i = 0; i < f->avals.n && i < 64; ++i) types[i] = a->intern(f->avals[i]);
  a->values.make_room(f->values.n);
  for (value const& x : f->values)
    a->values.push({x.type < 64 ? types[x.type] : a->intern(f->avals[x.type]), x.constant < 0 ? -1 : x.constant + c});
  auto const moved = [&](eqn e) {
    e.in += l;
    e.out += v;
    e.par += p;
    e.blk += l;
    return e;
  };
  for (eqn const& e : f->pending) a->pending.push(moved(e));
  for (eqn const& e : f->eqns) a->eqns.push(moved(e));
  for (block x : f->blocks) {
    x.in += l;
    x.out += l;
    x.eqn += done;
    a->blocks.push(x);
  }
  a->refs.append(f->refs);
  a->params.append(f->params);
  a->constants.append(f->constants);

  int const depth = a->marks.n;
  for (int i = 0; i < f->marks.n; ++i) {
    *f->marks.at[i] += order;
    a->marks.push(f->marks.at[i]);
  }
  for (int i = 0; i < f->segments.n; ++i) {
    segment s = f->segments.at[i];
    s.begin += order;
    s.end += order;
    s.depth += depth;
    a->segments.push(s);
  }
  f->segments.clear();

  if (a->marks.n > depth || (depth > 0 && a->pending.n > order)) {  // only open blocks need the origin of equations
    a->segments.push({f, order, a->pending.n, depth, a->marks.n - depth});
    ++f->owners;
  }
  a->has_dead_blocks = a->has_dead_blocks || f->has_dead_blocks;
  a->names_axes = a->names_axes || f->names_axes;
  a->blame(f->wrong);
  f->into = a;
  f->value_shift = v;
  f->block_shift = b;
  ++a->owners;
}

// Moves both values to one tape.
constexpr void join(handle& a, handle& b) {
  if (!a.on || !b.on) a_traced_value_is_used_before_it_is_assigned();
  a = resolve(a);
  b = resolve(b);
  if (a.on == b.on) return;
  if (a.on->bound && b.on->bound) values_of_two_different_traces_meet();
  if (b.on->bound) merge(b.on, a.on);
  else merge(a.on, b.on);
  a = resolve(a);
  b = resolve(b);
}

}  // namespace exprax::detail
