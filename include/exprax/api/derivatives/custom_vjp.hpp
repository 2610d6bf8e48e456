// SPDX-License-Identifier: BSL-1.0
// custom_vjp(f): a function with a rule for reverse mode in place of that of its equations (jax.custom_vjp).
#pragma once

#include <exprax/api/control/control.hpp>
#include <exprax/api/derivatives/custom_jvp.hpp>

namespace exprax {

namespace detail {

template <bool Fits, class Shown>
inline constexpr bool forward_returns_value_and_residuals = Fits;
template <bool Fits, class Shown>
inline constexpr bool backward_returns_cotangents = Fits;

template <class Returned>
struct residuals_of {
  static constexpr bool ok = false;
};
template <class Out, class Residuals>
struct residuals_of<std::tuple<Out, Residuals>> {
  static constexpr bool ok = true;
  using out = Out;
  using type = Residuals;
};

// bwd, with zeros for each cotangent that it returns as none.
template <class Backward, class Expected>
struct with_zeros_for_none {
  Backward const& backward;
  handle on;

  template <class Residuals, class Cotangents>
  constexpr auto operator()(Residuals const& residuals, Cotangents const& cotangents) const {
    return filled(backward(residuals, cotangents));
  }

 private:
  template <class Given>
  constexpr Given filled(Given const& given) const {
    return given;
  }
  template <class... Given>
    requires(sizeof...(Given) == std::tuple_size_v<Expected> && (std::is_same_v<Given, none_t> || ...))
  constexpr auto filled(std::tuple<Given...> const& given) const {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return std::tuple(one<std::tuple_element_t<K, Expected>>(std::get<K>(given))...);
    }(std::index_sequence_for<Given...>{});
  }
  template <class Tree, class Given>
  constexpr auto one(Given const& given) const {
    if constexpr (std::is_same_v<Given, none_t>) {
      Tree zeros{};
      tape* const t = resolve(on).on;
      assign_leaves(zeros, [&](aval const& type) { return handle(t, add_zeros(*t, type)); });
      return zeros;
    } else {
      return given;
    }
  }
};

template <class F, class Forward, class Backward, bool Records = false>
struct with_custom_vjp {
  [[no_unique_address]] F f;
  [[no_unique_address]] Forward forward;
  [[no_unique_address]] Backward backward;

  template <class... Args>
  constexpr auto operator()(Args const&... args) const {
    if constexpr (check_arguments<Args...>()) {
      if constexpr (!can_be_called<F, to_expr_t<Args>...>) {
        static_assert(can_be_called<F, to_expr_t<Args>...>, EXPRAX_ARGUMENTS("custom_vjp: the function", "these arguments"));
        return after_an_error<Args...>();
      } else if constexpr (Records || in_a_trace<Args...> || !is_stateless<with_custom_vjp>) return record(args...);
      else if constexpr (is_free<Args...> && holds_deferred<Args...>)
        return defer<with_custom_vjp>([&] { return record(args...); }, args...);
      else return jit(*this)(args...);
    }
  }
  template <class... Args>
  constexpr auto record(Args const&... args) const {
    auto call = close_call(recorder<F>::of(f), args...);
    using results = typename decltype(call)::results;
    arena<handle> outs;
    block_scope scope(call.on);
    auto const made = run_in_block(scope, outs, forward, std::tuple<to_expr_t<Args>...>{});
    using given = residuals_of<typename decltype(made)::type>;
    constexpr bool has_residuals = [] {
      if constexpr (given::ok) return is_like<results, typename given::out>;
      else return false;
    }();
    static_assert(forward_returns_value_and_residuals<has_residuals, expected_and_given<results, typename decltype(made)::type>>,
                  "exprax: custom_vjp: fwd must return a tuple of the function's result and the residuals for bwd: this message names the "
                  "result of the function and what fwd returns");
    closed_block const of_forward = scope.close(outs);
    if constexpr (has_residuals) return close<results, typename given::type, Args...>(resolved(call), of_forward);
    else return none;  // after the error: avoids further ones
  }

 private:
  template <class Results, class Residuals, class... Args, class Call>
  constexpr auto close(Call call, closed_block of_forward) const {
    arena<handle> outs;
    block_scope scope(call.on);
    using cotangents = map_t<Results, tangent_leaf>;
    using expected = std::tuple<map_t<to_expr_t<Args>, tangent_leaf>...>;
    auto const made = run_in_block(scope, outs, with_zeros_for_none<Backward, expected>{backward, call.on},
                                   std::tuple<Residuals, cotangents>{});
    using given = typename decltype(made)::type;
    constexpr bool fits = is_like<expected, given>;
    static_assert(backward_returns_cotangents<fits, expected_and_given<expected, given>>,
                  "exprax: custom_vjp: Custom VJP bwd rule must produce an output with the same structure as the args tuple of the primal "
                  "function, a tuple of their cotangents: this message names what is expected and what is returned");
    closed_block const of_backward = scope.close(outs);
    if constexpr (fits) {
      call = resolved(call);
      follow(of_forward);
      tape* const t = call.tape_of();
      if (call.n_captures + of_forward.captures.size() + of_backward.captures.size() > 0) t->blame({mistake::custom_rule_captures});
      int const blocks[] = {call.block, of_forward.id, of_backward.id}, par[] = {0, leaf_count<Residuals>};
      int out = t->record(prim::custom_vjp_call, call.operands, par, call.types, blocks);
      t->rename_last(function_name<F>);
      Results r{};
      assign_leaves(r, [&](aval const&) { return handle(t, out++); });
      return r;
    } else {
      return none;  // after the error: avoids further ones
    }
  }
};
template <class F, class Forward, class Backward>
struct recorder<with_custom_vjp<F, Forward, Backward>> {
  using type = with_custom_vjp<F, Forward, Backward, true>;
  static constexpr type of(with_custom_vjp<F, Forward, Backward> const& f) { return {f.f, f.forward, f.backward}; }
};
template <class F, class Forward, class Backward, bool Records>
inline constexpr std::string_view function_name<with_custom_vjp<F, Forward, Backward, Records>> = function_name<F>;

template <class F>
struct without_reverse_rule {
  [[no_unique_address]] F f;

  // fwd: (arguments...) → (result, residuals); bwd: (residuals, cotangent of the result) → a tuple of the cotangents of the arguments.
  template <class Forward, class Backward>
  constexpr auto defvjp(Forward fwd, Backward bwd) const {
    return with_custom_vjp<F, Forward, Backward>{f, fwd, bwd};
  }
};

template <class Numbers, class F, class Forward, class Backward>
struct custom_vjp_of_some {
  [[no_unique_address]] F f;
  [[no_unique_address]] Forward forward;
  [[no_unique_address]] Backward backward;

  template <class... Given>
  constexpr auto operator()(Given const&... given) const {
    using function = with_arguments<F, Numbers, Given...>;
    using fwd = with_arguments<Forward, Numbers, Given...>;
    return with_custom_vjp<function, fwd, rule_behind<Backward, Given...>>{{f, {given...}}, {forward, {given...}}, {backward, {given...}}};
  }
};
template <class Numbers, class F>
struct some_without_reverse_rule {
  [[no_unique_address]] F f;

  // fwd takes all arguments. bwd: (arguments that are not differentiated..., residuals, cotangent) → a tuple of the cotangents of the
  // others.
  template <class Forward, class Backward>
  constexpr auto defvjp(Forward fwd, Backward bwd) const {
    return function_of_some<Numbers, custom_vjp_of_some<Numbers, F, Forward, Backward>>{{f, fwd, bwd}};
  }
};

}  // namespace detail

// custom_vjp(f).defvjp(fwd, bwd), or custom_vjp(f, fwd, bwd): f, whose reverse mode is given by rules: fwd(arguments...) returns
// ex::tuple(result, residuals), a tree of any form; bwd(residuals, cotangent) returns a tuple of the cotangents of the arguments, of which
// none is zeros. Cotangents of integers are bools (jax.custom_vjp). Errors: rules that return other trees, dtypes or shapes; captured
// traced values; forward mode.
template <class F>
constexpr auto custom_vjp(F f) {
  return detail::without_reverse_rule<F>{f};
}
template <class F, class Forward, class Backward>
constexpr auto custom_vjp(F f, Forward fwd, Backward bwd) {
  return detail::with_custom_vjp<F, Forward, Backward>{f, fwd, bwd};
}

// With arguments that are not differentiated.
template <class F, int... K>
constexpr auto custom_vjp(F f, nondiff_argnums_t<K...>) {
  return detail::some_without_reverse_rule<nondiff_argnums_t<K...>, F>{f};
}

}  // namespace exprax
