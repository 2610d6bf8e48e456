// SPDX-License-Identifier: BSL-1.0
// Runs of programs by the reference interpreter, and which of them are equal, bit for bit.
#pragma once

#include "oracle.hpp"
#include <random/inputs.hpp>

namespace random_programs {

// The elements of all results, and before them what was printed.
struct run {
  arena<std::uint64_t> printed;
  oracle::results results;

  // Notes the dtype and the first element of what is printed.
  static void print(void* to, equation_ref const& e, std::uint64_t const* const* operands) {
    static_cast<run*>(to)->printed.push(static_cast<std::uint64_t>(e.type(0).type));
    static_cast<run*>(to)->printed.push(operands[0][0]);
  }
};
using elements = arena<arena<std::uint64_t>>;
inline arena<std::uint64_t const*> pointers_to(elements const& all) {
  arena<std::uint64_t const*> p;
  for (auto const& e : all) p.push(e.data());
  return p;
}
inline run interpret(program_ref p, elements const& in) {
  run r;
  r.results = oracle::interpret(p, pointers_to(in), run::print, &r);
  return r;
}

inline bool same(program_ref p, oracle::results const& a, oracle::results const& b) {
  if (a.size() != b.size()) return false;
  for (int k = 0; k < a.size(); ++k) {
    if (a[k].size() != b[k].size()) return false;
    for (int i = 0; i < a[k].size(); ++i)
      if (!same_element(p.type(p.outs(p.main())[k]).type, a[k][i], b[k][i])) return false;
  }
  return true;
}
inline bool same(program_ref p, run const& a, run const& b) {
  if (a.printed.size() != b.printed.size()) return false;
  for (int i = 0; i < a.printed.size(); i += 2)
    if (a.printed[i] != b.printed[i] || !same_element(static_cast<dtype>(a.printed[i]), a.printed[i + 1], b.printed[i + 1])) return false;
  return same(p, a.results, b.results);
}

// Whether values may get more axes than they can have, when the vmaps of p are carried out, and composites expanded.
inline bool has_many_axes(program_ref p) {
  int of_vmaps = 0, rank = 0;
  for (int i = 0; i < p.n.eqns; ++i)
    if (p.eqns[i].op == prim::vmap) of_vmaps += p.param(p.eqns[i], 0);
  for (int v = 0; v < p.n.values; ++v)
    if (p.type(v).rank > rank) rank = p.type(v).rank;
  return rank + of_vmaps + 2 > max_rank;
}

}  // namespace random_programs
