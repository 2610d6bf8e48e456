// SPDX-License-Identifier: BSL-1.0
// jacfwd(f), jacrev(f), jacobian(f), hessian(f): all derivatives of a function with results of any shape (jax.jacfwd, ...). Forward mode
// costs about as much as f for each element of the arguments, reverse mode for each element of the results.
#pragma once

#include <exprax/api/derivatives/differentiated.hpp>
#include <exprax/transforms/batch.hpp>

namespace exprax {

namespace detail {

// One leaf of the Jacobian: the axes of the result, then those of the argument.
template <class Out, class In>
struct jacobian_of_leaves;
template <class T, int... O, class U, int... I>
struct jacobian_of_leaves<expr<T, O...>, expr<U, I...>> {
  using type = expr<strong_t<T>, O..., I...>;
};
template <class In>
struct jacobian_leaf {
  template <class Out>
  struct of {
    template <class Leaf>
    struct with : jacobian_of_leaves<Out, Leaf> {};
    using type = map_t<In, with>;
  };
};

// Writes Jacobians on a tape.
template <class Program>
class jacobian_writer : rule_context {
 public:
  // n: the outputs that are differentiated, which are the first ones.
  template <class Call>
  constexpr jacobian_writer(Call const& call, int n)
      : rule_context(*call.tape_of(), program_ref{}, infer<equation_ref>),
        body_(program_of<Program>(call)),
        operands_(call.operands),
        n_(n) {}

  arena<int> outputs;

  // The Jacobians of output o by operand k at [o * order.size() + k].
  constexpr arena<int> forward(span<int> order) {
    arena<int> made;
    made.resize(n_ * order.size(), -1);
    for (int i = 0; i < order.size(); ++i) {
      linearized const l = linearize(order.part(i, 1));
      program_ref const p = l.linear.ref();
      if (needs_reverse_mode(p)) to().blame({mistake::forward_mode_of_a_custom_vjp});
      aval const in = operand(order[i]);
      arena<wanted_axis> out_dims;
      for (int v : p.outs(p.main())) out_dims.push(batch_axis(p.type(v).rank));
      arena<int> const columns = on_basis(l, p, in, out_dims);
      for (int o = 0, at = 0; o < n_; ++o)
        if (l.out[o]) made[o * order.size() + i] = shaped(columns[at++], type(outputs[o]), in);
    }
    return made;
  }
  constexpr arena<int> reverse(span<int> order) {
    linearized const l = linearize(order);
    arena<int> made;
    made.resize(n_ * order.size(), -1);
    for (int o = 0, at = 0; o < n_; ++o) {
      if (!l.out[o]) continue;
      aval const out = type(outputs[o]);
      program const pulled = l.template transposed<Program>(at++, 1);
      to().blame(pulled.wrong);
      arena<wanted_axis> out_dims;
      out_dims.resize(pulled.ref().main().n_out, batch_axis(0));
      arena<int> const rows = on_basis(l, pulled.ref(), out, out_dims);
      for (int i = 0; i < order.size(); ++i) made[o * order.size() + i] = shaped(rows[l.tangent_of(order[i])], out, operand(order[i]));
    }
    return made;
  }

 private:
  constexpr aval operand(int k) const { return type(operands_[k]); }
  // With respect to these operands. Sets `outputs`, and the residuals behind them.
  constexpr linearized linearize(span<int> order) {
    linearized l = linearize_program<Program>(body_.ref(), marks_of(order, operands_.size()));
    to().blame(l.primal.wrong);
    outputs = l.write_primal(to(), operands_);
    return l;
  }
  // p on all basis arrays of this shape, as its first input, and the residuals. out: the axis of the basis in each output.
  constexpr arena<int> on_basis(linearized const& l, Program p, aval const& shape, span<wanted_axis> out) {
    arena<batch_axis> in;
    in.resize(p.main().n_in, not_mapped);
    in[0] = 0;
    arena<int> args;
    args.push(basis(shape));
    for (int v : l.residuals(outputs)) args.push(v);
    program const all = batch<Program>(p, in, static_cast<int>(shape.size()), out);
    return exprax::splice(to(), all.ref(), args);
  }
  // Element i is an array of this shape that is 1 at index i, and 0 elsewhere.
  constexpr int basis(aval const& shape) {
    int const n = static_cast<int>(shape.size());
    aval const square(dtype::i32, {n, n});
    int const is_one = elementwise(prim::eq, iota(square, 0), iota(square, 1));
    return reshape(convert(is_one, shape.type), shape.with_axis(0, n));
  }
  constexpr int shaped(int v, aval const& out, aval const& in) {
    aval t = out;
    for (int i = 0; i < in.rank; ++i) t.dims[t.rank++] = in.dims[i];
    return reshape(v, t);
  }

  program body_;
  arena<int> operands_;
  int n_;
};

// Records: true while tracing; calls are then always recorded.
template <class F, class Options, bool Reverse, bool Records = false>
struct jacobian_of_function {
  [[no_unique_address]] F f;

  template <class... Args>
  constexpr auto operator()(Args const&... args) const {
    if constexpr (check_arguments<Args...>()) {
      using chosen = chosen_arguments<typename Options::numbers, to_expr_t<Args>...>;
      static_assert(chosen::in_range, "exprax: jacobian: argnums must be in [-n, n) for a call with n arguments");
      if constexpr (!chosen::in_range) {
        return after_an_error<Args...>();
      } else {
        using checked = check_leaves<leaves_t<typename chosen::type>, false, Options::holomorphic>;
        static_assert(is_differentiable<checked::ok, gradient_of<typename chosen::type>>,
                      "exprax: jacfwd and jacrev require real- or complex-valued inputs (a dtype that is a sub-dtype of np.inexact; with "
                      "ex::holomorphic complex ones), but got the ones that this message names: convert them to a float type");
        if constexpr (!checked::ok) {
          return after_an_error<Args...>();
        } else if constexpr (!can_be_called<F, to_expr_t<Args>...>) {
          static_assert(can_be_called<F, to_expr_t<Args>...>, EXPRAX_ARGUMENTS("jacobian: the function", "these arguments"));
          return after_an_error<Args...>();
        } else if constexpr (Records || in_a_trace<Args...> || !is_stateless<F>) return record(args...);
        else if constexpr (is_free<Args...> && holds_deferred<Args...>)
          return defer<jacobian_of_function>([&] { return record(args...); }, args...);
        else return jit(*this)(args...);
      }
    }
  }
  template <class... Args>
  constexpr auto record(Args const&... args) const {
    using chosen = chosen_arguments<typename Options::numbers, to_expr_t<Args>...>;
    auto const call = close_call(recorder<F>::of(f), args...);
    using results = typename decltype(call)::results;
    using parts = result_parts<results, Options::aux>;
    using value = typename parts::value;
    static_assert(parts::is_pair,
                  "exprax: jacobian with ex::has_aux: the function must return a pair: the value, and what is returned as it is");
    constexpr bool fits = check_leaves<leaves_t<value>, false, Options::holomorphic>::ok;
    static_assert(is_differentiable<fits, gradient_of<value>>,
                  "exprax: jacfwd and jacrev require results of a float dtype, but got the ones that this message names: convert them");
    if constexpr (parts::is_pair && fits) {
      jacobian_writer<typename decltype(call)::program> w(call, leaf_count<value>);
      tape* const t = call.tape_of();
      t->has_dead_blocks = true;
      arena<int> const order = chosen::operands(call.n_captures);
      arena<int> made;
      if constexpr (Reverse) made = w.reverse(order);
      else made = w.forward(order);
      map_t<value, jacobian_leaf<typename chosen::type>::template of> jacobian{};
      int k = 0, o = 0;
      assign_leaves(jacobian, [&](aval const& type) { return handle(t, value_or_zeros(t, made[k++], type)); });
      results outputs{};
      assign_leaves(outputs, [&](aval const&) { return handle(t, w.outputs[o++]); });
      if constexpr (Options::aux) return std::tuple(jacobian, std::get<1>(outputs));
      else return jacobian;
    } else {
      return none;  // after the error: avoids further ones
    }
  }
};
template <class F, class Options, bool Reverse>
struct recorder<jacobian_of_function<F, Options, Reverse>> {
  using type = jacobian_of_function<F, Options, Reverse, true>;
  static constexpr type of(jacobian_of_function<F, Options, Reverse> const& f) { return {f.f}; }
};
template <class F, class Options, bool Reverse, bool Records>
inline constexpr std::string_view function_name<jacobian_of_function<F, Options, Reverse, Records>> = function_name<F>;
template <class F, class Options, bool Reverse, bool Records, class... Args>
inline constexpr bool can_be_called<jacobian_of_function<F, Options, Reverse, Records>, Args...> = can_be_called<F, Args...>;

}  // namespace detail

// The Jacobian of f, a function of the same arguments: a tree like the result of f, of trees like its first argument, whose leaves have the
// axes of the result and then those of the argument. Options: argnums<k...>, the arguments with respect to which it is taken (several: a
// tuple); has_aux: f returns (value, aux), the result is (jacobian, aux); holomorphic (jax.jacfwd). Errors: arguments or results of other
// dtypes.
template <class F, class... Options>
constexpr auto jacfwd(F f, Options...) {
  EXPRAX_TAKES("jacfwd", "argnums<...>, has_aux, holomorphic", Options...)
    return detail::jacobian_of_function<F, detail::derivative_options<Options...>, false>{f};
  else return detail::jacobian_of_function<F, detail::derivative_options<>, false>{f};
}
// The same by reverse mode: for functions with fewer results than arguments (jax.jacrev). while_loop is an error.
template <class F, class... Options>
constexpr auto jacrev(F f, Options...) {
  EXPRAX_TAKES("jacrev", "argnums<...>, has_aux, holomorphic", Options...)
    return detail::jacobian_of_function<F, detail::derivative_options<Options...>, true>{f};
  else return detail::jacobian_of_function<F, detail::derivative_options<>, true>{f};
}
// jacrev (jax.jacobian).
template <class F, class... Options>
constexpr auto jacobian(F f, Options...) {
  EXPRAX_TAKES("jacobian", "argnums<...>, has_aux, holomorphic", Options...)
    return detail::jacobian_of_function<F, detail::derivative_options<Options...>, true>{f};
  else return detail::jacobian_of_function<F, detail::derivative_options<>, true>{f};
}
// The Hessian of f: jacfwd of jacrev, with the same options (jax.hessian).
template <class F, class... Options>
constexpr auto hessian(F f, Options... options) {
  EXPRAX_TAKES("hessian", "argnums<...>, has_aux, holomorphic", Options...) return jacfwd(jacrev(f, options...), options...);
  else return jacfwd(jacrev(f));
}

}  // namespace exprax
