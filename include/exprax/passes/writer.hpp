// SPDX-License-Identifier: BSL-1.0
// writer: what every pass does while it reads one program and writes another: values, equations of open blocks, constants.
// Tables are written directly and copied at most once, since constexpr steps are what compilers limit.
#pragma once

#include <exprax/primitives/list.hpp>
#include <exprax/program/program.hpp>

namespace exprax::detail {

class writer {
 public:
  program_ref p;        // what is read
  program q;            // what is written
  arena<int> map;       // for each value of p its value in q, or less than 0; it never grows
  arena<eqn> pending;   // equations of open blocks

  constexpr explicit writer(program_ref from) : p(from) {
    map.resize(p.n.values, -1);
    q.values.reserve(p.n.values);
    q.eqns.reserve(p.n.eqns);
    q.refs.reserve(p.n.refs);
    name* to = q.names.grow(p.n.names);
    for (int i = 0; i < p.n.names; ++i) to[i] = p.names[i];
    copy_types();
  }

  // The number in q of an aval of p. Weakness is a matter of the front end: an optimised program has none.
  constexpr int type(int aval_of_p) const { return type_[aval_of_p]; }
  constexpr int type_of(int value_of_p) const { return type_[p.values[value_of_p].type]; }

  constexpr void open() { open_.push(pending.size()); }
  // The first equation of the innermost open block.
  constexpr int first() const { return open_.back(); }
  constexpr int close(span<int> in, span<int> out) {
    int const begin = open_.back();
    int const n = pending.size() - begin;
    block b{refs(in), in.size(), 0, out.size(), q.eqns.size(), n};
    b.out = refs(out);
    eqn* to = q.eqns.grow(n);
    eqn const* from = pending.data() + begin;
    for (int i = 0; i < n; ++i) to[i] = from[i];
    pending.shrink(begin);
    open_.pop();
    return q.blocks.push(b);
  }

  constexpr int refs(span<int> s) { return append(q.refs, s.data(), s.size()); }
  constexpr int params(span<int> s) { return append(q.params, s.data(), s.size()); }

  // A new constant of n elements.
  constexpr int constant(int type, std::uint64_t const* bits, std::ptrdiff_t n) {
    int const at = q.constants.size();
    std::uint64_t* to = q.constants.grow(n > 0 ? static_cast<int>(n) : 1);
    to[0] = 0;
    for (std::ptrdiff_t i = 0; i < n; ++i) to[i] = bits[i];
    return q.values.push({type, at});
  }

 private:
  static constexpr int append(arena<int>& to, int const* from, int n) {
    int const at = to.size();
    int* const data = to.grow(n);
    for (int i = 0; i < n; ++i) data[i] = from[i];
    return at;
  }
  // Avals keep their numbers; a weak one that has a strong twin takes its number.
  constexpr void copy_types() {
    int const n = p.n.avals;
    type_.resize(n, 0);
    aval* to = q.avals.grow(n);
    for (int i = 0; i < n; ++i) {
      to[i] = p.avals[i];
      to[i].weak = false;
      type_[i] = i;
      if (p.avals[i].weak)
        for (int k = 0; k < n; ++k)
          if (!p.avals[k].weak && p.avals[k].matches(p.avals[i])) type_[i] = k;
    }
  }

  arena<int> type_;
  arena<int> open_;
};

}  // namespace exprax::detail
