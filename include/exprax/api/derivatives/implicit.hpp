// SPDX-License-Identifier: BSL-1.0
// custom_root, custom_linear_solve: solutions of equations that a function of the user computes; they are differentiated by the equation,
// not through the function (jax.lax.custom_root, jax.lax.custom_linear_solve).
#pragma once

#include <exprax/api/control/control.hpp>
#include <exprax/api/derivatives/vjp.hpp>

namespace exprax {

struct symmetric_t {};
// The matrix of custom_linear_solve is symmetric.
inline constexpr symmetric_t symmetric{};

namespace detail {

template <>
inline constexpr option_word word_of<symmetric_t>{"symmetric"};

// Words in error texts.
template <bool Fits, class Shown>
inline constexpr bool f_returns_what_it_takes = Fits;
template <bool Fits, class Shown>
inline constexpr bool solve_returns_a_solution = Fits;
template <bool Fits, class Shown>
inline constexpr bool tangent_solve_returns_a_solution = Fits;
template <bool Fits, class Shown>
inline constexpr bool matvec_returns_what_it_takes = Fits;
template <bool Fits, class Shown>
inline constexpr bool transpose_solve_returns_a_solution = Fits;

// f as a closed block with inputs of these types, next to others on a tape; returns the tree of its results.
template <class F, class... Args>
constexpr auto close_beside(arena<closed_block>& blocks, handle const& anchor, F const& f, std::tuple<Args...> const& args) {
  block_scope scope(anchor);
  arena<handle> outs;
  auto const made = run_in_block(scope, outs, recorder<F>::of(f), args);
  blocks.push(scope.close(outs));
  return made;
}
// An equation with these blocks (primitives/control/solver_call.hpp). Results: the tree of its results.
template <class Results>
constexpr Results record_solver(prim op, arena<closed_block>& blocks, arena<handle>& arguments) {
  for (closed_block& b : blocks)
    if (!arguments.empty()) join(arguments[0], b.on);
  for (closed_block& b : blocks) follow(b);
  tape* const t = blocks[0].on.on;
  arena<int> operands, par, ids, types;
  for (closed_block const& b : blocks) {
    par.push(b.captures.size()), ids.push(b.id);
    for (int v : b.captures) operands.push(v);
  }
  for (handle const& h : arguments) operands.push(resolve(h).id);
  Results r{};
  for_each_leaf(r, [&](auto const& leaf) { types.push(t->find_static_type(std::remove_cvref_t<decltype(leaf)>::type)); });
  int out = t->record(op, operands, par, types, ids);
  assign_leaves(r, [&](aval const&) { return handle(t, out++); });
  return r;
}

// f^T, of a linear f.
template <class F>
struct transposed_function {
  [[no_unique_address]] F f;
  template <class Y>
  constexpr auto operator()(Y const& y) const {
    return std::get<0>(linear_transpose(f, y)(y));
  }
};
// (b) -> solve(matvec, b).
template <class Solve, class MatVec>
struct solve_with {
  [[no_unique_address]] Solve solve;
  [[no_unique_address]] MatVec matvec;
  template <class B>
  constexpr auto operator()(B const& b) const {
    return solve(matvec, b);
  }
};
// (x, y) -> tangent_solve(f linearized at x, y).
template <class F, class TangentSolve>
struct linearize_and_solve {
  [[no_unique_address]] F f;
  [[no_unique_address]] TangentSolve tangent_solve;
  template <class X, class Y>
  constexpr auto operator()(X const& x, Y const& y) const {
    return tangent_solve(std::get<1>(linearize(f, x)), y);
  }
};

// Whether a solver that returns Results gives what is like Argument; with Aux the first of a pair.
template <class Argument, class Results, bool Aux>
constexpr bool gives_solution() {
  using parts = result_parts<Results, Aux>;
  if constexpr (parts::is_pair) return is_like<Argument, typename parts::value>;
  else return false;
}

// In the place of the transposed functions: there are none.
struct no_transpose {};

template <class MatVec, class VecMat, class Solve, class TransposeSolve, bool Aux, bool Records = false>
struct linear_solver {
  [[no_unique_address]] MatVec matvec;
  [[no_unique_address]] VecMat vecmat;
  [[no_unique_address]] Solve solve;
  [[no_unique_address]] TransposeSolve transpose_solve;

  template <class B>
  constexpr auto operator()(B const& b) const {
    if constexpr (check_arguments<B>()) {
      if constexpr (Records || in_a_trace<B> || !is_stateless<linear_solver>) return record(b);
      else if constexpr (is_free<B> && holds_deferred<B>) return defer<linear_solver>([&] { return record(b); }, b);
      else return jit(*this)(b);
    }
  }

 private:
  template <class B>
  constexpr auto record(B const& b) const {
    constexpr bool has_transpose = !std::is_same_v<VecMat, no_transpose>;
    using argument = to_expr_t<B>;
    std::tuple<argument> const types{};
    arena<handle> given = handles_of(lift_tree(b));
    handle const anchor = join_all(given);
    arena<closed_block> blocks;
    auto const product = close_beside(blocks, anchor, matvec, types);
    using applied = typename decltype(product)::type;
    static_assert(matvec_returns_what_it_takes<is_like<argument, applied>, expected_and_given<argument, applied>>,
                  "exprax: custom_linear_solve: matvec() output pytree, dtypes and shapes must match those of b: this message names both");
    if constexpr (has_transpose) static_cast<void>(close_beside(blocks, anchor, vecmat, types));
    auto const solved = close_beside(blocks, anchor, solve_with<Solve, MatVec>{solve, matvec}, types);
    using results = typename decltype(solved)::type;
    static_assert(solve_returns_a_solution<gives_solution<argument, results, Aux>(), expected_and_given<argument, results>>,
                  "exprax: custom_linear_solve: solve() output pytree, dtypes and shapes must match those of b (with has_aux, a tuple of "
                  "that and what else it returns): this message names both");
    if constexpr (has_transpose) {
      auto const transposed = close_beside(blocks, anchor, solve_with<TransposeSolve, VecMat>{transpose_solve, vecmat}, types);
      using of_transpose = typename decltype(transposed)::type;
      static_assert(
          transpose_solve_returns_a_solution<gives_solution<argument, of_transpose, Aux>(), expected_and_given<argument, of_transpose>>,
          "exprax: custom_linear_solve: transpose_solve() output pytree, dtypes and shapes must match those of b: this message names both");
    }
    return record_solver<results>(prim::custom_linear_solve, blocks, given);
  }
};
template <class MatVec, class VecMat, class Solve, class TransposeSolve, bool Aux>
struct recorder<linear_solver<MatVec, VecMat, Solve, TransposeSolve, Aux>> {
  using type = linear_solver<MatVec, VecMat, Solve, TransposeSolve, Aux, true>;
  static constexpr type of(linear_solver<MatVec, VecMat, Solve, TransposeSolve, Aux> const& f) {
    return {f.matvec, f.vecmat, f.solve, f.transpose_solve};
  }
};
// Symmetric: the transposed functions are the functions themselves.
template <bool Symmetric, bool Aux, class MatVec, class Solve, class TransposeSolve>
constexpr auto linear_solver_of(MatVec const& matvec, Solve const& solve, TransposeSolve const& transpose_solve) {
  if constexpr (Symmetric) return linear_solver<MatVec, MatVec, Solve, Solve, Aux>{matvec, matvec, solve, solve};
  else if constexpr (std::is_same_v<TransposeSolve, no_transpose>)
    return linear_solver<MatVec, no_transpose, Solve, no_transpose, Aux>{matvec, {}, solve, {}};
  else return linear_solver<MatVec, transposed_function<MatVec>, Solve, TransposeSolve, Aux>{matvec, {matvec}, solve, transpose_solve};
}

template <class F, class Solve, class TangentSolve, bool Aux, bool Records = false>
struct root_finder {
  [[no_unique_address]] F f;
  [[no_unique_address]] Solve solve;
  [[no_unique_address]] TangentSolve tangent_solve;

  template <class X>
  constexpr auto operator()(X const& guess) const {
    if constexpr (check_arguments<X>()) {
      if constexpr (Records || in_a_trace<X> || !is_stateless<root_finder>) return record(guess);
      else if constexpr (is_free<X> && holds_deferred<X>) return defer<root_finder>([&] { return record(guess); }, guess);
      else return jit(*this)(guess);
    }
  }

 private:
  template <class X>
  constexpr auto record(X const& guess) const {
    using argument = to_expr_t<X>;
    std::tuple<argument> const types{};
    arena<handle> given = handles_of(lift_tree(guess));
    handle const anchor = join_all(given);
    arena<closed_block> blocks;
    auto const values = close_beside(blocks, anchor, f, types);
    using value = typename decltype(values)::type;
    static_assert(f_returns_what_it_takes<is_like<argument, value>, expected_and_given<argument, value>>,
                  "exprax: custom_root: f() output pytree, dtypes and shapes must match those of initial_guess: this message names both");
    auto const solved = close_beside(blocks, anchor, solve_with<Solve, F>{solve, f}, types);
    using results = typename decltype(solved)::type;
    static_assert(solve_returns_a_solution<gives_solution<argument, results, Aux>(), expected_and_given<argument, results>>,
                  "exprax: custom_root: solve() output pytree, dtypes and shapes must match those of initial_guess (with has_aux, a tuple "
                  "of that and what else it returns): this message names both");
    linearize_and_solve<F, TangentSolve> const solver{f, tangent_solve};
    auto const tangents = close_beside(blocks, anchor, solver, std::tuple<argument, argument>{});
    using tangent = typename decltype(tangents)::type;
    static_assert(tangent_solve_returns_a_solution<is_like<argument, tangent>, expected_and_given<argument, tangent>>,
                  "exprax: custom_root: tangent_solve() output pytree, dtypes and shapes must match those of initial_guess: this message "
                  "names both");
    return record_solver<results>(prim::custom_root, blocks, given);
  }
};
template <class F, class Solve, class TangentSolve, bool Aux>
struct recorder<root_finder<F, Solve, TangentSolve, Aux>> {
  using type = root_finder<F, Solve, TangentSolve, Aux, true>;
  static constexpr type of(root_finder<F, Solve, TangentSolve, Aux> const& r) { return {r.f, r.solve, r.tangent_solve}; }
};

template <class Option>
inline constexpr bool is_solver_option = std::is_same_v<Option, symmetric_t> || std::is_same_v<Option, has_aux_t>;

}  // namespace detail

// x with f(x) = 0, which solve(f, initial_guess) finds. It is differentiated with respect to what f captures, by the implicit function
// theorem: tangent_solve(g, y) returns z with g(z) = y, for a linear function g, f' at x. Trees; f(x) has the dtypes and shapes of x.
// has_aux: solve returns (x, aux), and so does custom_root. Errors: results of another tree, dtype or shape (jax.lax.custom_root).
template <class F, class X, class Solve, class TangentSolve, class... Options>
constexpr auto custom_root(F f, X const& initial_guess, Solve solve, TangentSolve tangent_solve, Options...) {
  EXPRAX_TAKES("custom_root", "has_aux", Options...)
    return detail::root_finder<F, Solve, TangentSolve, (std::is_same_v<Options, has_aux_t> || ...)>{f, solve, tangent_solve}(initial_guess);
}
// x with matvec(x) = b, which solve(matvec, b) finds, for a linear function matvec. It is differentiated with respect to b and to what
// matvec captures. transpose_solve(vecmat, b): the same for the transposed function, needed for reverse mode. symmetric: matvec is its own
// transposed function. has_aux: the functions return (x, aux), and so does custom_linear_solve. Errors: results of another tree, dtype or
// shape (jax.lax.custom_linear_solve).
template <class MatVec, class B, class Solve, class... Options>
  requires(detail::is_solver_option<Options> && ...)
constexpr auto custom_linear_solve(MatVec matvec, B const& b, Solve solve, Options...) {
  EXPRAX_TAKES("custom_linear_solve", "symmetric, has_aux", Options...)
    return detail::linear_solver_of<(std::is_same_v<Options, symmetric_t> || ...), (std::is_same_v<Options, has_aux_t> || ...)>(
        matvec, solve, detail::no_transpose{})(b);
}
template <class MatVec, class B, class Solve, class TransposeSolve, class... Options>
  requires(!detail::is_solver_option<TransposeSolve>)
constexpr auto custom_linear_solve(MatVec matvec, B const& b, Solve solve, TransposeSolve transpose_solve, Options...) {
  EXPRAX_TAKES("custom_linear_solve", "symmetric, has_aux", Options...)
    return detail::linear_solver_of<(std::is_same_v<Options, symmetric_t> || ...), (std::is_same_v<Options, has_aux_t> || ...)>(
        matvec, solve, transpose_solve)(b);
}

}  // namespace exprax
