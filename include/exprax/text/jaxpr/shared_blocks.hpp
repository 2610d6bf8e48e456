// SPDX-License-Identifier: BSL-1.0
// shared_blocks: the blocks that JAX prints once, before the program, because the same jaxpr object occurs more than once. jit caches its
// traces, so blocks of jit equations with the same name and equal contents count as one object; so do the update functions of scatter-add
// and similar primitives, which have no block here but are numbered after the blocks.
#pragma once

#include <exprax/primitives/traits.hpp>

namespace exprax::detail {

// Whether a scatter combines elements, and so prints its function.
constexpr bool has_combiner(eqn const& e) { return is_scatter(e.op) && !replaces_elements(e.op); }

class shared_blocks {
 public:
  struct entry {
    int block = 0;
    std::string_view base;
    int suffix = 0;  // appended to the name unless it is the first of that name
  };

  constexpr explicit shared_blocks(program_ref p) : p_(p) {
    int nested = 0;
    for (int i = 0; i < p.n.eqns; ++i) {
      nested += p.eqns[i].n_blk + has_combiner(p.eqns[i]);
      if (has_combiner(p.eqns[i]) && find(function_of(p.eqns[i])) == functions_.size()) functions_.push(function_of(p.eqns[i]));
    }
    if (nested < 2) return;
    unify();
    count();
  }

  constexpr arena<entry> const& entries() const { return entries_; }
  // The representative of all blocks that are equal to b.
  constexpr int representative(int b) const { return same_as_.empty() ? b : same_as_[b]; }
  // What a scatter combines elements with has a number behind those of the blocks.
  struct combining_function {
    prim of;
    dtype type;
    constexpr bool operator==(combining_function const&) const = default;
  };
  constexpr int combiner(eqn const& e) const { return p_.n.blocks + find(function_of(e)); }
  constexpr combining_function const& function(int number) const { return functions_[number - p_.n.blocks]; }
  constexpr int functions() const { return functions_.size(); }

 private:
  // Finds the first equal block for each block of a jit. Inner blocks precede outer ones.
  constexpr void unify() {
    for (int b = 0; b < p_.n.blocks; ++b) same_as_.push(b);
    arena<eqn> seen;  // one jit equation for each distinct block
    for (int i = 0; i < p_.n.eqns; ++i) {
      eqn const& e = p_.eqns[i];
      if (e.op != prim::jit) continue;
      int const b = p_.block_id(e, 0);
      bool found = false;
      for (eqn const& s : seen)
        if (same_name(e, s) && equal(b, p_.block_id(s, 0))) {
          same_as_[b] = p_.block_id(s, 0);
          found = true;
          break;
        }
      if (!found) seen.push(e);
    }
  }
  constexpr std::string_view name_of(eqn const& e) const { return p_.names[p_.param(e, 0)].view(); }
  constexpr bool same_name(eqn const& a, eqn const& b) const { return name_of(a) == name_of(b); }

  constexpr bool equal(int a, int b) {
    if (a == b) return true;
    block const &x = p_.blocks[a], &y = p_.blocks[b];
    if (x.n_in != y.n_in || x.n_out != y.n_out || x.n_eqn != y.n_eqn) return false;
    if (twin_.empty()) twin_.resize(p_.n.values, -1);
    for (int i = 0; i < x.n_in; ++i)
      if (!pair(p_.refs[x.in + i], p_.refs[y.in + i])) return false;
    for (int i = 0; i < x.n_eqn; ++i)
      if (!equal(p_.eqns[x.eqn + i], p_.eqns[y.eqn + i])) return false;
    return equal_values(p_.outs(x), p_.outs(y));
  }
  constexpr bool equal(eqn const& a, eqn const& b) {
    if (a.op != b.op || a.n_out != b.n_out || a.n_par != b.n_par || a.n_blk != b.n_blk) return false;
    if (!equal_values(p_.ins(a), p_.ins(b))) return false;
    if (a.op == prim::jit) {
      if (!same_name(a, b)) return false;
    } else {
      for (int k = 0; k < a.n_par; ++k)
        if (p_.param(a, k) != p_.param(b, k)) return false;
    }
    for (int k = 0; k < a.n_blk; ++k)
      if (same_as_[p_.block_id(a, k)] != same_as_[p_.block_id(b, k)] && !equal(p_.block_id(a, k), p_.block_id(b, k))) return false;
    for (int k = 0; k < a.n_out; ++k)
      if (!pair(a.out + k, b.out + k)) return false;
    return true;
  }
  constexpr bool pair(int v, int w) {
    twin_[v] = w;
    return p_.type(v) == p_.type(w);
  }
  constexpr bool equal_values(span<int> a, span<int> b) const {
    if (a.size() != b.size()) return false;
    for (int k = 0; k < a.size(); ++k) {
      int const v = a[k], w = b[k];
      if (p_.is_constant(v) != p_.is_constant(w)) return false;
      if (!p_.is_constant(v)) {
        if (twin_[v] != w) return false;
      } else if (v != w) {
        if (!p_.is_literal(v) || !p_.is_literal(w) || !(p_.type(v) == p_.type(w)) || p_.bits(v) != p_.bits(w)) return false;
      }
    }
    return true;
  }

  constexpr combining_function function_of(eqn const& e) const { return {traits_of(e.op).combiner, p_.type(p_.in(e, 0)).type}; }
  constexpr int find(combining_function const& f) const {
    int i = 0;
    while (i < functions_.size() && !(functions_[i] == f)) ++i;
    return i;
  }
  // Counts uses of blocks breadth first from the main block, as JAX does; entries are in the order of visits.
  constexpr void count() {
    struct visit {
      int block;
      std::string_view name;
    };
    arena<int> counts;
    counts.resize(p_.n.blocks + functions_.size(), 0);
    arena<visit> queue;
    arena<entry> order;
    queue.push({p_.main_id(), {}});
    for (int at = 0; at < queue.size(); ++at) {
      visit const now = queue[at];
      if (counts[now.block]++ == 0) order.push({now.block, now.name, 0});
      if (now.block >= p_.n.blocks) continue;
      for (eqn const& e : p_.body(p_.blocks[now.block])) {
        std::string_view const name = e.op == prim::jit ? stripped(name_of(e)) : std::string_view("jaxpr");
        for (int b : p_.subs(e)) queue.push({same_as_[b], name});
        if (has_combiner(e)) queue.push({combiner(e), name});
      }
    }
    for (entry e : order) {
      if (counts[e.block] == 1) continue;
      for (entry const& earlier : entries_) e.suffix += earlier.base == e.base;
      entries_.push(e);
    }
  }
  static constexpr std::string_view stripped(std::string_view s) {
    while (!s.empty() && (s.front() == '<' || s.front() == '>')) s.remove_prefix(1);
    while (!s.empty() && (s.back() == '<' || s.back() == '>')) s.remove_suffix(1);
    return s;
  }

  program_ref p_;
  arena<combining_function> functions_;
  arena<int> same_as_;
  arena<int> twin_;
  arena<entry> entries_;
};

}  // namespace exprax::detail
