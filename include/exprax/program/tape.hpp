// SPDX-License-Identifier: BSL-1.0
// tape: the record of a trace so far, in the tables of a program, and the handles that point into it.
//
// Constant evaluation has no global state, so there is no current tape: each value refers to its tape. Creation functions take no value and
// record on a private tape, which joins the tape of the first value it meets; a joined tape forwards to the other one. The equations of
// open blocks are in one list, in order (program/blocks.hpp).
//
// Recording is written for few constexpr steps. clang counts statements and calls, so the members of tables are public and several stores
// share one statement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <exprax/base/failure.hpp>
#include <exprax/program/program.hpp>

namespace exprax::detail {

// An arena with public members. T has no default member initializers: an array of it would cost steps per element.
template <class T>
struct table {
  T* at = nullptr;
  int n = 0;
  int room = 0;

  constexpr table() = default;
  table(table const&) = delete;
  table& operator=(table const&) = delete;
  constexpr ~table() { delete[] at; }

  constexpr void make_room(int more) {
    if (n + more > room) reserve(2 * room + more + 14);
  }
  constexpr void reserve(int total) {
    if (total <= room) return;
    T* const to = new T[static_cast<std::size_t>(total)];
    copy_run(to, at, n);
    delete[] at;
    at = to;
    room = total;
  }
  constexpr int push(T const& x) {
    make_room(1);
    at[n] = x;
    return n++;
  }
  constexpr void clear() {
    delete[] at;
    at = nullptr;
    n = room = 0;
  }
  constexpr arena<T> release() { return arena<T>(std::exchange(at, nullptr), std::exchange(n, 0), std::exchange(room, 0)); }
};

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
  std::uint64_t key = 1 | static_cast<std::uint64_t>(a.weak) << 1 | static_cast<std::uint64_t>(a.type) << 2 | static_cast<std::uint64_t>(a.rank) << 8;
  int const width = a.rank == 0 ? 0 : 52 / a.rank;
  for (int i = 0; i < a.rank; ++i) {
    auto const size = static_cast<std::uint64_t>(a.dims[i]);
    if (size >> width != 0) return no_type_key;
    key |= size << (12 + i * width);
  }
  return key;
}
constexpr int type_slot(std::uint64_t key) { return static_cast<int>(key * 0x9E3779B97F4A7C15u >> 60); }

struct tape {
  int refs = 0;          // handles, forwards and segments that point here
  tape* into = nullptr;  // the tape that this one joined
  int value_shift = 0;   // added to the indices of its values there,
  int block_shift = 0;   // and of its blocks
  bool bound = false;    // holds the arguments of a trace, and so never joins another tape
  bool has_dead_blocks = false;
  bool names_axes = false;  // has equations over axes with names
  found_mistake wrong;

  table<value> values;
  table<eqn> eqns;    // of open blocks and outside of all blocks, in order
  table<eqn> closed;  // of closed blocks
  table<block> blocks;
  table<int> links;  // the program's table of references
  table<int> params;
  table<std::uint64_t> constants;
  arena<aval> avals;
  arena<name> names;
  table<int> name_params;  // parameters that are indices of names
  table<int*> marks;       // where the open blocks begin in eqns, outermost first
  table<segment> segments;

  // The most recent types, one per slot, and their indices.
  std::uint64_t keys[16] = {};
  int key_types[16] = {};

  constexpr void blame(found_mistake const& m) {
    if (wrong.what == mistake::none) wrong = m;
  }
  constexpr int find_type(aval const& a) {
    int k = 0;
    while (k < avals.size() && !(avals[k] == a)) ++k;
    if (k == avals.size()) avals.push(a);
    return k;
  }
  // For a type that will be looked up again.
  constexpr int find_static_type(aval const& a) {
    std::uint64_t const key = type_key(a);
    if (key == no_type_key) return find_type(a);
    keys[type_slot(key)] = key;
    return key_types[type_slot(key)] = find_type(a);
  }
  constexpr int add_value(int type) {
    left = 0;
    return values.push({type, no_constant});
  }
  constexpr int add_constant(int type, span<std::uint64_t> bits) {
    int const at = constants.n;
    left = 0;
    constants.make_room(bits.count + 1);
    copy_run(constants.at + at, bits.first, bits.count);
    constants.n += bits.empty() ? 1 : bits.count;
    if (bits.empty()) constants.at[at] = 0;
    return values.push({type, at});
  }
  constexpr aval const& type(int v) const { return avals[values.at[v].type]; }
  constexpr bool is_literal(int v) const { return values.at[v].constant >= 0 && type(v).rank == 0; }

  // For how many more equations there is room, each with a result, a literal, 4 operands and 8 parameters; expr_access::bind checks only
  // this. All other recording functions set it to 0.
  int left = 0;

  constexpr void refill(int needed) {
    auto const less = [](int a, int b) { return a < b ? a : b; };
    left = less(less(less(eqns.room - eqns.n, values.room - values.n), constants.room - constants.n), less((links.room - links.n) / 4, (params.room - params.n) / 8));
    if (left < needed) expect(eqns.n + 16);
    left -= needed;
  }
  // Reserves room for that many more equations.
  constexpr void expect(int equations) {
    left = equations;
    eqns.reserve(eqns.n + left);
    values.reserve(values.n + left);
    constants.reserve(constants.n + left);
    links.reserve(links.n + 4 * left);
    params.reserve(params.n + 8 * left);
  }

  // Records one equation with any number of operands, results and blocks. Returns the index of the first result.
  constexpr int record(prim op, span<int> in, span<int> par, span<int> out_types, span<int> sub = {}) {
    left = 0;
    links.make_room(in.count + sub.count);
    params.make_room(par.count);
    int const out = values.n;
    for (int t : out_types) add_value(t);
    eqns.push({op, links.n, in.count, out, out_types.count, params.n, par.count, links.n + in.count, sub.count});
    copy_run(links.at + links.n, in.first, in.count);
    copy_run(links.at + links.n + in.count, sub.first, sub.count);
    copy_run(params.at + params.n, par.first, par.count);
    links.n += in.count + sub.count;
    params.n += par.count;
    return out;
  }
};

// Releases one reference to t.
constexpr void drop(tape* t) {
  while (t && --t->refs == 0) {
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
  constexpr handle(tape* t, int i) : on(t), id((++t->refs, i)) {}
  constexpr handle(handle const& o) : on(o.on), id((o.on ? ++o.on->refs : 0, o.id)) {}
  constexpr handle(handle&& o) noexcept : on(std::exchange(o.on, nullptr)), id(o.id) {}
  constexpr handle& operator=(handle o) noexcept {
    std::swap(on, o.on);
    std::swap(id, o.id);
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

constexpr void shift_links(tape& t, int first, int n, int by) {
  for (int k = 0; k < n; ++k) t.links.at[first + k] += by;
}

// Appends everything that tape f has recorded to tape a.
constexpr void merge(tape* a, tape* f) {
  a->left = f->left = 0;
  int const v = a->values.n, l = a->links.n, p = a->params.n, b = a->blocks.n, c = a->constants.n, done = a->closed.n, order = a->eqns.n;

  for (int i = 0; i < f->eqns.n + f->closed.n; ++i) {
    eqn const& e = i < f->eqns.n ? f->eqns.at[i] : f->closed.at[i - f->eqns.n];
    shift_links(*f, e.in, e.n_in, v);
    shift_links(*f, e.blk, e.n_blk, b);
  }
  for (int i = 0; i < f->blocks.n; ++i) {
    shift_links(*f, f->blocks.at[i].in, f->blocks.at[i].n_in, v);
    shift_links(*f, f->blocks.at[i].out, f->blocks.at[i].n_out, v);
  }
  for (int i = 0; i < f->name_params.n; ++i) {
    f->params.at[f->name_params.at[i]] += a->names.size();
    a->name_params.push(f->name_params.at[i] + p);
  }
  for (name const& n : f->names) a->names.push(n);

  int types[64] = {};
  for (int i = 0; i < f->avals.size() && i < 64; ++i)
    types[i] = a->find_type(f->avals[i]);
  a->values.make_room(f->values.n);
  for (int i = 0; i < f->values.n; ++i) {
    value const& x = f->values.at[i];
    int const type = x.type < 64 ? types[x.type] : a->find_type(f->avals[x.type]);
    a->values.push({type, x.constant == no_constant ? no_constant : x.constant + c});
  }
  auto const moved = [&](eqn e) {
    e.in += l;
    e.out += v;
    e.par += p;
    e.blk += l;
    return e;
  };
  for (int i = 0; i < f->eqns.n; ++i) a->eqns.push(moved(f->eqns.at[i]));
  for (int i = 0; i < f->closed.n; ++i) a->closed.push(moved(f->closed.at[i]));
  for (int i = 0; i < f->blocks.n; ++i) {
    block x = f->blocks.at[i];
    x.in += l;
    x.out += l;
    x.eqn += done;
    a->blocks.push(x);
  }
  a->links.make_room(f->links.n);
  copy_run(a->links.at + l, f->links.at, f->links.n);
  a->links.n += f->links.n;
  a->params.make_room(f->params.n);
  copy_run(a->params.at + p, f->params.at, f->params.n);
  a->params.n += f->params.n;
  a->constants.make_room(f->constants.n);
  copy_run(a->constants.at + c, f->constants.at, f->constants.n);
  a->constants.n += f->constants.n;

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
  f->values.clear();
  f->eqns.clear();
  f->closed.clear();
  f->blocks.clear();
  f->links.clear();
  f->params.clear();
  f->constants.clear();
  f->marks.clear();
  f->segments.clear();

  if (a->marks.n > depth || (depth > 0 && a->eqns.n > order)) {  // only open blocks need the origin of equations
    a->segments.push({f, order, a->eqns.n, depth, a->marks.n - depth});
    ++f->refs;
  }
  a->has_dead_blocks = a->has_dead_blocks || f->has_dead_blocks;
  a->names_axes = a->names_axes || f->names_axes;
  if (f->wrong.what != mistake::none) a->blame(f->wrong);
  f->into = a;
  f->value_shift = v;
  f->block_shift = b;
  ++a->refs;
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
