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
      if (needs_reverse_mode(l.linear.ref()) && to().wrong.what == mistake::none) to().wrong = {mistake::forward_mode_of_a_custom_vjp};
      aval const in = operand(order[i]);
      arena<batch_axis> in_dims;
      arena<wanted_axis> out_dims;
      in_dims.resize(l.linear.ref().main().n_in, not_mapped);
      in_dims[0] = 0;
      for (int v : l.linear.ref().outs(l.linear.ref().main())) out_dims.push(batch_axis(l.linear.ref().type(v).rank));
      arena<int> args;
      args.push(basis(in));
      take_residuals(l, args);
      arena<int> const columns = batched(l.linear.ref(), in_dims, static_cast<int>(in.size()), out_dims, args);
      for (int o = 0, at = 0; o < n_; ++o)
        if (l.out[o]) made[o * order.size() + i] = shaped(columns[at++], type(outputs[o]), in);
    }
    return made;
  }
  constexpr arena<int> reverse(span<int> order) {
    linearized const l = linearize(order);
    arena<int> made;
    made.resize(n_ * order.size(), -1);
    for (int o = 0; o < n_; ++o) {
      if (!l.out[o]) continue;
      aval const out = type(outputs[o]);
      program const pulled = transposed(l, o);
      program_ref const p = pulled.ref();
      arena<batch_axis> in_dims;
      arena<wanted_axis> out_dims;
      in_dims.resize(p.main().n_in, not_mapped);
      in_dims[0] = 0;
      out_dims.resize(p.main().n_out, batch_axis(0));
      arena<int> args;
      args.push(basis(out));
      take_residuals(l, args);
      arena<int> const rows = batched(p, in_dims, static_cast<int>(out.size()), out_dims, args);
      for (int i = 0; i < order.size(); ++i) {
        int at = 0;
        for (int k = 0; k < order[i]; ++k) at += l.in[k];
        made[o * order.size() + i] = shaped(rows[at], out, operand(order[i]));
      }
    }
    return made;
  }

 private:
  constexpr aval operand(int k) const { return type(operands_[k]); }
  // With respect to these operands. Sets `outputs` and keeps the residuals.
  constexpr linearized linearize(span<int> order) {
    arena<char> marks;
    marks.resize(operands_.size(), 0);
    for (int k : order) marks[k] = 1;
    linearized l = linearize_program<Program>(body_.ref(), marks);
    if (l.primal.wrong.what != mistake::none && to().wrong.what == mistake::none) to().wrong = l.primal.wrong;
    outputs = l.write_primal(to(), operands_);
    return l;
  }
  constexpr void take_residuals(linearized const& l, arena<int>& args) const {
    for (int k = l.n_outputs; k < outputs.size(); ++k) args.push(outputs[k]);
  }
  // The transposed linear program for the cotangent of output o alone. Inputs: it, the residuals.
  constexpr program transposed(linearized const& l, int o) {
    program_builder made;
    program_ref const p = l.linear.ref();
    arena<int> in, residuals, cotangents, out;
    int at = 0;
    for (int k = 0; k < o; ++k) at += l.out[k];
    in.push(made.add_value(p.type(p.outs(p.main())[at])));
    for (int k = 0; k < p.main().n_out; ++k) cotangents.push(k == at ? in[0] : transpose_context<Program>::no_cotangent);
    int n_tangents = 0;
    for (char marked : l.in) n_tangents += marked;
    for (int k = n_tangents; k < p.main().n_in; ++k) {
      in.push(made.add_value(p.type(p.ins(p.main())[k])));
      residuals.push(in.back());
    }
    made.open();
    arena<int> const found = transpose_program<Program>(made, p, residuals, cotangents);
    rule_context c(made, program_ref{}, infer_);
    for (int k = 0; k < n_tangents; ++k) out.push(found[k] >= 0 ? found[k] : c.zeros(p.type(p.ins(p.main())[k])));
    if (to().wrong.what == mistake::none) to().wrong = made.wrong;
    made.close(in, out);
    return made.finish();
  }
  constexpr arena<int> batched(Program p, span<batch_axis> in, int n, span<wanted_axis> out, span<int> args) {
    program const all = batch<Program>(p, in, n, out);
    return splice(to(), all.ref(), args);
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
        return none;  // after the error: avoids further ones
      } else {
        using checked = check_leaves<leaves_t<typename chosen::type>, false, Options::holomorphic>;
        static_assert(is_differentiable<checked::ok, gradient_of<typename chosen::type>>,
                      "exprax: jacfwd and jacrev require real- or complex-valued inputs (a dtype that is a sub-dtype of np.inexact; with "
                      "ex::holomorphic complex ones), but got the ones that this message names: convert them to a float type");
        if constexpr (!checked::ok) return none;  // after the error: avoids further ones
        else if constexpr (Records || in_a_trace<Args...> || !is_stateless<F>) return record(args...);
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
