// SPDX-License-Identifier: BSL-1.0
// vjp(f, primals...), linearize(f, primals...), linear_transpose(f, primals...): the value of f, and its derivative at that point as a
// function: of cotangents, or of tangents (jax.vjp, jax.linearize, jax.linear_transpose).
#pragma once

#include <exprax/api/derivatives/differentiated.hpp>

namespace exprax {

namespace detail {

// Words in error texts.
template <bool Fits, class Shown>
inline constexpr bool has_the_structure_of_the_result = Fits;
template <bool Fits, class Shown>
inline constexpr bool has_the_structure_of_the_arguments = Fits;

// Whether the derivative of a function from Args to Results takes arguments of these types.
template <class Results, class Cotangents>
constexpr bool takes_cotangents() {
  constexpr bool fits = becomes_like<Results, Cotangents>;
  static_assert(has_the_structure_of_the_result<fits, expected_and_given<Results, Cotangents>>,
                "exprax: vjp: the tree, dtypes and shapes of the argument must be those of the result of the function: this message names "
                "both");
  return fits;
}
template <class Args, class Tangents>
constexpr bool takes_tangents() {
  constexpr bool fits = becomes_like<Args, Tangents>;
  static_assert(has_the_structure_of_the_arguments<fits, expected_and_given<Args, Tangents>>,
                "exprax: linearize: the trees, dtypes and shapes of the arguments must be those of the function: this message names both");
  return fits;
}

// The linear map of a call at a point, in a trace: its program, and the residuals.
struct linear_map {
  linearized at;
  arena<handle> residuals;  // what write_primal returned

  // On a tape that the residuals and `more` are moved to.
  constexpr tape* gather(arena<int>& made, arena<handle>& more) const {
    arena<handle> held = residuals;
    handle const on = join_all(held);
    for (handle& h : more) join(held[0], h);
    for (handle& h : held) made.push((h = resolve(h)).id);
    for (handle& h : more) h = resolve(h);
    return held.empty() ? on.on : held[0].on;
  }
};

template <class Results, class Args, bool Transposed>
struct derivative_at;
// Cotangents of the results → a tuple of cotangents of the arguments.
template <class Results, class... Args>
struct derivative_at<Results, std::tuple<Args...>, true> : linear_map {
  template <class Cotangents>
  constexpr auto operator()(Cotangents const& cotangents) const {
    if constexpr (takes_cotangents<Results, to_expr_t<Cotangents>>())
      return write<program_ref>(handles_of(lift_tangents<Results>(cotangents)));
    else return none;  // after the error: avoids further ones
  }

 private:
  template <class Program>
  constexpr auto write(arena<handle> given) const {
    arena<int> made, cotangents;
    tape* const t = gather(made, given);
    for (int k = 0; k < at.n_outputs; ++k)
      if (at.out[k]) cotangents.push(given[k].id);
    arena<int> const found = at.template write_transpose<Program>(*t, cotangents, made);
    map_t<std::tuple<Args...>, gradient_leaf> results{};
    int k = static_cast<int>(at.in.size()) - (0 + ... + leaf_count<Args>), at_found = 0;
    assign_leaves(results, [&](aval const& type) {
      return handle(t, at.in[k++] ? value_or_zeros(t, found[at_found++], type) : add_zeros(*t, type));
    });
    return results;
  }
};
// Tangents of the arguments → tangents of the results.
template <class Results, class... Args>
struct derivative_at<Results, std::tuple<Args...>, false> : linear_map {
  template <class... Tangents>
  constexpr auto operator()(Tangents const&... tangents) const {
    if constexpr (takes_tangents<std::tuple<Args...>, std::tuple<to_expr_t<Tangents>...>>())
      return write<program_ref>(handles_of(std::tuple(lift_tangents<Args>(tangents)...)));
    else return none;  // after the error: avoids further ones
  }

 private:
  template <class Program>
  constexpr auto write(arena<handle> given) const {
    arena<int> made, tangents;
    tape* const t = gather(made, given);
    int const first = static_cast<int>(at.in.size()) - given.size();
    for (int k = 0; k < given.size(); ++k)
      if (at.in[first + k]) tangents.push(given[k].id);
    arena<int> const found = at.write_linear(*t, tangents, made);
    map_t<Results, tangent_leaf> results{};
    int k = 0, at_found = 0;
    assign_leaves(results, [&](aval const& type) { return handle(t, at.out[k++] ? found[at_found++] : add_zeros(*t, type)); });
    return results;
  }
};

template <bool Transposed>
struct linearized_call {
  template <class Program, class F, class... Args>
  static constexpr auto record(F const& f, Args const&... args) {
    auto const call = close_call(recorder<F>::of(f), args...);
    using results = typename decltype(call)::results;
    tape* const t = call.tape_of();
    program const body = program_of<Program>(call);
    arena<char> marks;
    for (int k = 0; k < call.operands.size(); ++k) marks.push(k >= call.n_captures);
    derivative_at<results, std::tuple<to_expr_t<Args>...>, Transposed> derivative;
    derivative.at = linearize_program<Program>(body.ref(), marks, !Transposed);
    t->has_dead_blocks = true;
    t->blame(derivative.at.primal.wrong);
    if (!Transposed && needs_reverse_mode(derivative.at.linear.ref())) t->blame({mistake::forward_mode_of_a_custom_vjp});
    for (int v : derivative.at.write_primal(*t, call.operands)) derivative.residuals.push(handle(t, v));
    results outputs{};
    int o = 0;
    assign_leaves(outputs, [&](aval const&) { return derivative.residuals[o++]; });
    return std::tuple(outputs, derivative);
  }
};

// The derivative of f at arrays: a call evaluates f again.
template <class F, bool Transposed>
struct derivative_of_arrays {
  template <class Args, class... Given>
  constexpr auto operator()(Args const& args, Given const&... given) const {
    return std::apply(
        [&](auto const&... x) { return std::get<1>(linearized_call<Transposed>::template record<program_ref>(F{}, x...))(given...); },
        args);
  }
};
template <class F, bool Transposed, class... Args>
struct derivative_at_arrays {
  std::tuple<Args...> args;
  template <class... Given>
  constexpr auto operator()(Given const&... given) const {
    if constexpr (!takes<std::tuple<to_expr_t<Args>...>, std::tuple<to_expr_t<Given>...>>())
      return none;  // after the error: avoids further ones
    else return jit(derivative_of_arrays<F, Transposed>{})(args, given...);
  }

 private:
  template <class Expected, class GivenTypes>
  static constexpr bool takes() {
    if constexpr (!Transposed) return takes_tangents<Expected, GivenTypes>();
    else if constexpr (std::tuple_size_v<GivenTypes> == 1)
      return takes_cotangents<typename traced_with<F, Args...>::result, std::tuple_element_t<0, GivenTypes>>();
    else return takes_cotangents<typename traced_with<F, Args...>::result, GivenTypes>();
  }
};

template <bool Transposed, class F, class... Args>
constexpr auto linearize_at(F const& f, Args const&... args) {
  if constexpr (check_arguments<Args...>()) {
    if constexpr (!can_be_called<F, to_expr_t<Args>...>) {
      static_assert(can_be_called<F, to_expr_t<Args>...>, EXPRAX_ARGUMENTS("vjp, linearize: the function", "the primals"));
      return std::tuple(after_an_error<Args...>(), after_a_mistake{});
    } else if constexpr (in_a_trace<Args...> || !is_stateless<F>)
      return linearized_call<Transposed>::template record<program_ref>(f, args...);
    else return std::tuple(jit(f)(args...), derivative_at_arrays<F, Transposed, Args...>{{args...}});
  }
}

}  // namespace detail

// (f(primals...), a function): the function takes cotangents, a tree like the result of f, and returns a tuple with those of each argument
// (jax.vjp). Cotangents of integers are bool zeros. Errors: cotangents of another tree, dtype or shape.
template <class F, class... Args>
constexpr auto vjp(F f, Args const&... primals) {
  return detail::linearize_at<true>(f, primals...);
}
// (f(primals...), a function): the function takes a tangent for each argument, and returns those of the results (jax.linearize).
template <class F, class... Args>
constexpr auto linearize(F f, Args const&... primals) {
  return detail::linearize_at<false>(f, primals...);
}
// The transposed map of a linear function: of cotangents, a tree like the result of f; returns a tuple with those of each argument, whose
// dtypes and shapes are those of `primals` (jax.linear_transpose).
template <class F, class... Args>
constexpr auto linear_transpose(F f, Args const&... primals) {
  return std::get<1>(detail::linearize_at<true>(f, primals...));
}

}  // namespace exprax
