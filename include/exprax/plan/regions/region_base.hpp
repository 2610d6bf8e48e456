// SPDX-License-Identifier: BSL-1.0
// The common part of regions of both kinds (plan/regions/region.hpp): locations of values, addresses, and blocks of steps and moves.
#pragma once

#include <exprax/plan/analysis/body_facts.hpp>

namespace exprax::detail::planning {

// Location: of a value. It has an address, -1 for none, and says whether the memory is owned.
template <class Location>
class region_base {
 public:
  constexpr region_base(context& c, int most_steps) : c_(c), p_(c.p), out_(c.out), most_steps_(most_steps) {
    where_.resize(p_.n.values);
    same_.resize(p_.n.values, -1);
  }

 protected:
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
  constexpr bool same_place(int a, int b) const {
    region_address const &x = address(a), &y = address(b);
    return a == b || (x.buffer == y.buffer && x.base == y.base && x.n_term == 0 && y.n_term == 0);
  }

  // True if a value is in memory at that address, so that updates in place have reached it.
  constexpr bool stands_at(int v, int place) const {
    v = resolve(v);
    return !p_.is_constant(v) && where_[v].address >= 0 && same_place(where_[v].address, place);
  }

  // ---- Blocks

  constexpr void push(region_step const& s) {
    if (++n_steps_ > most_steps_) failed_ = true;
    if (!failed_) steps_.push(s);
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

  context& c_;
  program_ref p_;
  plan& out_;
  region_kernel k_;
  arena<Location> where_;
  arena<int> same_;       // inputs of blocks that are constants
  arena<int> constants_;  // that got a buffer here
  arena<region_step> steps_;
  arena<region_move> moves_;
  arena<Location> places_of_results_;  // the wanted locations of results of an enclosing loop or of the region
  bool failed_ = false;

 private:
  int n_steps_ = 0, most_steps_;
};

}  // namespace exprax::detail::planning
