// SPDX-License-Identifier: BSL-1.0
// What regions of both layouts share (plan/data/region.hpp): the locations of values, addresses, and blocks of steps and moves.
#pragma once

#include <exprax/plan/analysis/body_facts.hpp>

namespace exprax::detail::planning {

// The location of a value while a region runs: in slots, or in memory, or both.
struct location {
  int slots = nowhere;   // run layout: the slot; lane layout: the index of its first element
  bool wide = false;     // has slots for all its elements; else for one, which serves for any shape
  int address = nowhere;
  int view = row_major;  // the index of its strides in memory
  bool changes = false;  // a later update may overwrite the memory
  bool owned = false;    // an update in the region may overwrite the memory

  static constexpr int nowhere = -1, row_major = -1;
  constexpr bool in_slots() const { return slots != nowhere; }
  constexpr bool in_memory() const { return address != nowhere; }
  constexpr bool only_in_memory() const { return !in_slots() && in_memory(); }
};

// The slot of one element. varies: each lane has its own, in the file of wide values; else it is a scalar.
struct element_slot {
  int slot = -1;
  bool varies = false;
};

class region_base {
 protected:
  constexpr region_base(context& c, int most_steps) : c_(c), p_(c.p), out_(c.out), most_steps_(most_steps) {
    where_.resize(p_.n.values);
    same_.resize(p_.n.values, -1);
    wanted_.resize(p_.n.values);
  }

  // The region has something that only kernels can do.
  constexpr location fail() {
    failed_ = true;
    location l;
    l.slots = l.address = 0;
    return l;
  }

  constexpr int resolve(int v) const {
    while (same_[v] >= 0 || c_.at[v].same >= 0) v = same_[v] >= 0 ? same_[v] : c_.at[v].same;
    return v;
  }
  // Binds the inner value to the outer one.
  constexpr void bind(int inner, int outer) {
    outer = resolve(outer);
    if (p_.is_constant(outer)) same_[inner] = outer;
    else where_[inner] = where_[outer];
  }
  // The same for a constant of a loop, which must not overwrite it.
  constexpr void bind_const(int inner, int outer) {
    int const u = resolve(outer);
    bind(inner, u);
    if (!p_.is_constant(u)) where_[inner].owned = false;
  }
  static constexpr location without_memory(location l) {
    l.address = location::nowhere;
    l.view = location::row_major;
    l.owned = l.changes = false;
    return l;
  }

  // ---- Addresses

  constexpr region_address& address(int a) { return out_.region_addresses[a]; }
  constexpr region_address const& address(int a) const { return out_.region_addresses[a]; }
  constexpr int new_address(int buffer) { return out_.region_addresses.push({buffer, 0, out_.region_terms.size(), 0, false, false, {}}); }
  constexpr int moved_address(int a, std::ptrdiff_t by) {
    region_address r = address(a);
    r.base += by;
    return out_.region_addresses.push(r);
  }
  constexpr int with_term(int a, region_term const& t) {
    region_address r = address(a);
    int const first = out_.region_terms.size();
    for (int i = 0; i < r.n_term; ++i) out_.region_terms.push(region_term(out_.region_terms[r.term + i]));
    out_.region_terms.push(t);
    r.term = first;
    ++r.n_term;
    return out_.region_addresses.push(r);
  }
  // i: an index into an axis. It is clamped to [0, limit].
  constexpr int with_index(int a, element_slot i, dtype type, int limit, std::ptrdiff_t stride) {
    return with_term(a, {no_counter, type, i.slot, limit, stride, i.varies, 0, false});
  }
  constexpr int with_guard(int a, bool guarded) {
    if (address(a).guarded == guarded) return a;
    region_address r = address(a);
    r.guarded = guarded;
    return out_.region_addresses.push(r);
  }
  constexpr bool same_place(int a, int b) const {
    region_address const &x = address(a), &y = address(b);
    return a == b || (x.buffer == y.buffer && x.base == y.base && x.n_term == 0 && y.n_term == 0);
  }
  // True if a value is in memory at that address, so that updates in place have reached it.
  constexpr bool stands_at(int v, int place) const {
    v = resolve(v);
    return !p_.is_constant(v) && where_[v].in_memory() && same_place(where_[v].address, place);
  }

  constexpr strides strides_of(location const& l, aval const& t) const {
    return l.view != location::row_major ? views_[l.view] : strides(t);
  }
  // The same memory, read with these strides as a value of type t.
  constexpr location viewed(int address, strides const& w, aval const& t) {
    location l;
    l.address = address;
    if (!is_row_major(w, t)) l.view = views_.push(w);
    return l;
  }
  static constexpr bool is_row_major(strides const& w, aval const& t) {
    strides const dense(t);
    for (int i = 0; i < t.rank; ++i)
      if (t.dims[i] != 1 && w[i] != dense[i]) return false;
    return true;
  }
  constexpr location in_buffer(int buffer, bool owned = false) {
    location l;
    l.address = new_address(buffer);
    l.owned = l.changes = owned;
    return l;
  }
  constexpr location constant_in_memory(int v) {
    if (c_.at[v].buffer < 0) constants_.push(v);
    return in_buffer(c_.constant_buffer(v));
  }
  // The row for the current iteration of the loop at `depth`; counted from the last one if reversed.
  constexpr location row_of(location const& l, aval const& whole, aval const& row, int depth, bool reverse) {
    strides const of = strides_of(l, whole);
    int const a = reverse ? moved_address(l.address, (whole.dims[0] - 1) * of[0]) : l.address;
    strides rest;
    for (int i = 1; i < whole.rank; ++i) rest.of[i - 1] = of[i];
    location r = viewed(with_term(a, {depth, dtype::i32, -1, 0, reverse ? -of[0] : of[0], false, 0, false}), rest, row);
    r.changes = l.changes;
    return r;
  }

  // ---- Blocks

  constexpr void push(region_step const& s) {
    if (++n_steps_ > most_steps_) failed_ = true;
    if (!failed_) steps_.push(s);
  }
  constexpr bool has_room(int n) const { return n_steps_ + n <= most_steps_; }
  static constexpr region_step step_of(region_step_kind kind, dtype t, int n) {
    region_step s{};
    s.kind = kind;
    s.from = s.type = t;
    s.n = n;
    s.address = -1;
    return s;
  }
  constexpr void push_control(region_step& s, span<int> blocks) {
    s.block = out_.tables.size();
    s.n_block = blocks.size();
    for (int id : blocks) out_.tables.push(id);
    push(s);
  }
  // Makes a block of the steps so far and the moves from `first_move` on.
  constexpr int close_block(int first_move, int result) {
    region_block const b{out_.region_steps.size(), steps_.size(), out_.region_moves.size(), moves_.size() - first_move, result};
    for (region_step const& s : steps_) out_.region_steps.push(s);
    for (int i = first_move; i < moves_.size(); ++i) out_.region_moves.push(moves_[i]);
    moves_.shrink(first_move);
    steps_.clear();
    return out_.region_blocks.push(b);
  }
  // Opens a block, calls f, closes it. Returns its index. f(index of the first move) returns the slot of the block's result, or -1.
  template <class F>
  constexpr int in_block(F f) {
    arena<region_step> around = std::move(steps_);
    steps_ = arena<region_step>();
    int const first_move = moves_.size();
    int const result = f(first_move);
    int const id = close_block(first_move, result);
    steps_ = std::move(around);
    return id;
  }

  // Keeps the region, and returns its index; -1: it failed, and nothing has changed.
  constexpr int finished(plan_sizes const& before) {
    if (!failed_) return out_.regions.push(k_);
    for (int v : constants_) c_.at[v].buffer = -1;
    forget_region(out_, before);
    return -1;
  }

  context& c_;
  program_ref p_;
  plan& out_;
  region_kernel k_;
  arena<location> where_;
  arena<location> wanted_;  // where a result of an enclosing loop or of the region must be written
  arena<int> same_;         // inputs of blocks that are constants
  arena<int> constants_;    // that got a buffer here
  arena<strides> views_;
  arena<region_step> steps_;
  arena<region_move> moves_;
  int divergent_ = 0;  // the number of enclosing loops and branches in which lanes diverge
  bool failed_ = false;

 private:
  int n_steps_ = 0, most_steps_;
};

}  // namespace exprax::detail::planning
