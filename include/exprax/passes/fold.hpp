// SPDX-License-Identifier: BSL-1.0
// Constant folding: an elementwise equation on literals is evaluated by its primitive's own rule, so that the literal has
// the bits that the emitted code would compute.
#pragma once

#include <exprax/primitives/primitive.hpp>
#include <exprax/types/aval.hpp>

namespace exprax::detail {

inline constexpr int max_fold = 8;  // operands

// What evaluate() reads and writes.
struct fold_machine {
  std::uint64_t const* x;
  std::uint64_t* y;
  constexpr std::uint64_t const* in(equation_ref const&, int k) const { return x + k; }
  constexpr std::uint64_t* out(equation_ref const&, int) const { return y; }
};

// A template, so that only programs that are optimised pay for the kernels.
template <class Options>
struct fold_rules {
  template <prim P>
  struct rule {
    static constexpr bool call(fold_machine& m, equation_ref const& e) {
      if constexpr (primitive<P>::kind == op_class::elementwise) {
        primitive<P>::evaluate(m, e);
        return true;
      } else {
        return false;
      }
    }
  };
};

// out = op(x...), for scalars of dtypes d. False: op is not elementwise.
template <class Options>
constexpr bool fold_elementwise(prim op, dtype const* d, std::uint64_t const* x, int n, int const* par, int n_par, dtype result, std::uint64_t* out) {
  value values[max_fold + 1];
  aval avals[max_fold + 1];
  int refs[max_fold + 1];
  for (int k = 0; k < n; ++k) {
    values[k].type = refs[k] = k;
    avals[k] = aval(d[k]);
  }
  values[n].type = n;
  avals[n] = aval(result);
  program_ref p;
  p.values = values;
  p.avals = avals;
  p.refs = refs;
  p.params = par;
  eqn const e{op, 0, n, n, 1, 0, n_par, 0, 0};
  fold_machine m{x, out};
  return dispatch<fold_rules<Options>::template rule, bool(fold_machine&, equation_ref const&)>(op, m, equation_ref{p, e});
}

}  // namespace exprax::detail
