// SPDX-License-Identifier: BSL-1.0
// grad(f), value_and_grad(f): the gradient of a function with a scalar result (jax.grad, jax.value_and_grad), by reverse mode.
#pragma once

#include <exprax/api/derivatives/differentiated.hpp>

namespace exprax {

namespace detail {

template <bool Ok, class Shown>
inline constexpr bool is_scalar_result = Ok;
template <class Result>
inline constexpr bool is_one_scalar = false;
template <class T>
inline constexpr bool is_one_scalar<expr<T>> = true;
template <class Result, bool Holomorphic>
inline constexpr bool has_gradient = false;
template <class T, bool Holomorphic, int... D>
inline constexpr bool has_gradient<expr<T, D...>, Holomorphic> =
    Holomorphic ? is_complex(dtype_of<strong_t<T>>) : is_floating(dtype_of<strong_t<T>>);

// Value and gradients of a recorded call: values of its tape.
struct gradient_record {
  arena<int> outputs, gradients;

  // Of output 0, with respect to these operands.
  template <class Program, class Call>
  static constexpr gradient_record write(Call const& call, span<int> order) {
    tape* const t = call.tape_of();
    program const body = program_of<Program>(call);
    linearized const l = linearize_program<Program>(body.ref(), marks_of(order, call.operands.size()));
    t->has_dead_blocks = true;
    t->blame(l.primal.wrong);
    gradient_record r;
    arena<int> const made = l.write_primal(*t, call.operands);
    arena<int> cotangents;
    for (int k = 0; k < l.n_outputs; ++k) {
      r.outputs.push(made[k]);
      if (!l.out[k]) continue;
      aval const type = t->type(made[k]);
      cotangents.push(k == 0 ? t->add_literal(type.type, bits_of_int(type.type, 1)) : -1);
    }
    arena<int> const found = l.template write_transpose<Program>(*t, cotangents, made);
    for (int k : order) r.gradients.push(l.in[k] ? found[l.tangent_of(k)] : -1);
    return r;
  }
};

// Value: whether the value is returned, too. Records: true while tracing; calls are then always recorded.
template <class F, class Options, bool Value, bool Records = false>
struct gradient_of_function {
  [[no_unique_address]] F f;

  template <class... Args>
  constexpr auto operator()(Args const&... args) const {
    if constexpr (check_arguments<Args...>()) {
      using chosen = chosen_arguments<typename Options::numbers, to_expr_t<Args>...>;
      static_assert(chosen::in_range, "exprax: grad: argnums must be in [-n, n) for a call with n arguments");
      if constexpr (!chosen::in_range) {
        return after_an_error<Args...>();
      } else {
        using leaves = leaves_t<typename chosen::type>;
        using checked = check_leaves<leaves, Options::allow_int, Options::holomorphic>;
        static_assert(
            is_differentiable<checked::ok, gradient_of<typename chosen::type>>,
            "exprax: grad requires real- or complex-valued inputs (a dtype that is a sub-dtype of np.inexact; with ex::holomorphic complex "
            "ones), but got the ones that this message names: convert them to a float type, or set ex::allow_int");
        if constexpr (!checked::ok) {
          return after_an_error<Args...>();
        } else if constexpr (!can_be_called<F, to_expr_t<Args>...>) {
          static_assert(can_be_called<F, to_expr_t<Args>...>, EXPRAX_ARGUMENTS("grad: the function", "these arguments"));
          return after_an_error<Args...>();
        } else if constexpr (Records || in_a_trace<Args...> || !is_stateless<F>) return record(args...);
        else if constexpr (is_free<Args...> && holds_deferred<Args...>)
          return defer<gradient_of_function>([&] { return record(args...); }, args...);
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
                  "exprax: grad with ex::has_aux: the function must return a pair: the value, and what is returned as it is");
    static_assert(!parts::is_pair || is_scalar_result<is_one_scalar<value>, gradient_of<value>>,
                  "exprax: Gradient only defined for scalar-output functions. Output had the type that this message names");
    static_assert(
        !parts::is_pair || !is_one_scalar<value> || is_differentiable<has_gradient<value, Options::holomorphic>, gradient_of<value>>,
        "exprax: grad requires real-valued outputs (a dtype that is a sub-dtype of np.floating; with ex::holomorphic a complex one), but "
        "got the type that this message names: convert the result to a float type");
    if constexpr (parts::is_pair && is_one_scalar<value> && has_gradient<value, Options::holomorphic>) {
      gradient_record const made = gradient_record::write<program_ref>(call, chosen::operands(call.n_captures));
      tape* const t = call.tape_of();
      map_t<typename chosen::type, gradient_leaf> gradients{};
      int k = 0, o = 0;
      assign_leaves(gradients, [&](aval const& type) { return handle(t, value_or_zeros(t, made.gradients[k++], type)); });
      results outputs{};
      assign_leaves(outputs, [&](aval const&) { return handle(t, made.outputs[o++]); });
      if constexpr (Value) return std::tuple(outputs, gradients);
      else if constexpr (Options::aux) return std::tuple(gradients, std::get<1>(outputs));
      else return gradients;
    } else {
      return none;  // after the error: avoids further ones
    }
  }
};
template <class F, class Options, bool Value>
struct recorder<gradient_of_function<F, Options, Value>> {
  using type = gradient_of_function<F, Options, Value, true>;
  static constexpr type of(gradient_of_function<F, Options, Value> const& f) { return {f.f}; }
};
template <class F, class Options, bool Value, bool Records>
inline constexpr std::string_view function_name<gradient_of_function<F, Options, Value, Records>> = function_name<F>;
template <class F, class Options, bool Value, bool Records, class... Args>
inline constexpr bool can_be_called<gradient_of_function<F, Options, Value, Records>, Args...> = can_be_called<F, Args...>;

}  // namespace detail

// The gradient of f, a function with a scalar floating-point result: a function of the same arguments, whose result has the tree, dtypes
// and shapes of the first argument. Options: argnums<k...>, the arguments with respect to which it is taken (several: a tuple); has_aux: f
// returns (value, aux), the result is (gradient, aux); holomorphic: f is holomorphic, of complex numbers; allow_int: integer arguments have
// gradients of dtype bool, zeros (jax.grad). Errors: a result that is no scalar or no float, an integer argument, while_loop (its number of
// iterations is not known).
template <class F, class... Options>
constexpr auto grad(F f, Options...) {
  EXPRAX_TAKES("grad", "argnums<...>, has_aux, holomorphic, allow_int", Options...)
    return detail::gradient_of_function<F, detail::derivative_options<Options...>, false>{f};
  else return detail::gradient_of_function<F, detail::derivative_options<>, false>{f};
}
// The same with the value: (value, gradient), with has_aux ((value, aux), gradient) (jax.value_and_grad).
template <class F, class... Options>
constexpr auto value_and_grad(F f, Options...) {
  EXPRAX_TAKES("value_and_grad", "argnums<...>, has_aux, holomorphic, allow_int", Options...)
    return detail::gradient_of_function<F, detail::derivative_options<Options...>, true>{f};
  else return detail::gradient_of_function<F, detail::derivative_options<>, true>{f};
}

}  // namespace exprax
