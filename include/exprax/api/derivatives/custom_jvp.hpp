// SPDX-License-Identifier: BSL-1.0
// custom_jvp(f): a function with a rule for its derivative in place of that of its equations (jax.custom_jvp).
#pragma once

#include <exprax/api/derivatives/differentiated.hpp>
#include <exprax/api/derivatives/nondiff.hpp>

namespace exprax {

namespace detail {

template <bool Fits, class Shown>
inline constexpr bool returns_value_and_tangent = Fits;

template <bool Fits, class Shown>
inline constexpr bool returns_tangent = Fits;

// A rule of the result too: (tuple of arguments, result, tuple of their tangents) -> tangent of the result.
template <class Rule>
struct rule_of_results {
  [[no_unique_address]] Rule rule;
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    return rule(x...);
  }
};
template <class Rule>
inline constexpr bool has_results = false;
template <class Rule>
inline constexpr bool has_results<rule_of_results<Rule>> = true;

// A rule on all arguments, and the result if it takes that, and then the tangents: as one on tuples.
template <class Rule, std::size_t N>
struct rule_on_tuples {
  [[no_unique_address]] Rule rule;
  template <class... X>
  constexpr auto operator()(X const&... x) const {
    return call(std::tie(x...), std::make_index_sequence<N>{});
  }
  template <class All, std::size_t... I>
  constexpr auto call(All const& all, std::index_sequence<I...>) const {
    auto const at = std::make_tuple(std::get<I>(all)...);
    if constexpr (has_results<Rule>) return rule(at, std::get<N>(all), std::make_tuple(std::get<N + 1 + I>(all)...));
    else return rule(at, std::make_tuple(std::get<N + I>(all)...));
  }
};
// One function of (tangent, result, arguments...) for each argument: the tangent of the result is their sum.
template <class... Partial>
struct sum_of_partials {
  [[no_unique_address]] std::tuple<Partial...> partial;
  template <class... P, class Ans, class... T>
  constexpr auto operator()(std::tuple<P...> const& primals, Ans const& ans, std::tuple<T...> const& tangents) const {
    return sum<0>(ans, primals, tangents);
  }

 private:
  template <std::size_t K, class Ans, class P, class T>
  constexpr auto sum(Ans const& ans, P const& primals, T const& tangents) const {
    auto const one = std::apply([&](auto const&... x) { return std::get<K>(partial)(std::get<K>(tangents), ans, x...); }, primals);
    if constexpr (K + 1 == sizeof...(Partial)) return one;
    else return one + sum<K + 1>(ans, primals, tangents);
  }
};

template <class F, class Rule, bool Records = false>
struct with_custom_jvp {
  [[no_unique_address]] F f;
  [[no_unique_address]] Rule rule;

  template <class... Args>
  constexpr auto operator()(Args const&... args) const {
    if constexpr (check_arguments<Args...>()) {
      if constexpr (!can_be_called<F, to_expr_t<Args>...>) {
        static_assert(can_be_called<F, to_expr_t<Args>...>, EXPRAX_ARGUMENTS("custom_jvp: the function", "these arguments"));
        return after_an_error<Args...>();
      } else if constexpr (Records || in_a_trace<Args...> || !is_stateless<F> || !is_stateless<Rule>) return record(args...);
      else if constexpr (is_free<Args...> && holds_deferred<Args...>)
        return defer<with_custom_jvp>([&] { return record(args...); }, args...);
      else return jit(*this)(args...);
    }
  }
  template <class... Args>
  constexpr auto record(Args const&... args) const {
    auto call = close_call(recorder<F>::of(f), args...);
    using results = typename decltype(call)::results;
    arena<handle> outs;
    block_scope scope(call.on);
    rule_on_tuples<Rule, sizeof...(Args)> const on_tuples{rule};
    using tangents = map_t<results, tangent_leaf>;
    if constexpr (has_results<Rule>) {
      auto const made =
          run_in_block(scope, outs, on_tuples, std::tuple<to_expr_t<Args>..., results, map_t<to_expr_t<Args>, tangent_leaf>...>{});
      using given = typename decltype(made)::type;
      constexpr bool fits = is_like<tangents, given>;
      static_assert(returns_tangent<fits, expected_and_given<tangents, given>>,
                    "exprax: custom_jvp: the rules of defjvps must return what they add to the tangent of the result, of its tree, dtypes "
                    "and shapes: this message names what is expected and what is returned");
    } else {
      using expected = std::tuple<results, tangents>;
      auto const made = run_in_block(scope, outs, on_tuples, std::tuple<to_expr_t<Args>..., map_t<to_expr_t<Args>, tangent_leaf>...>{});
      using given = typename decltype(made)::type;
      constexpr bool fits = is_like<expected, given>;
      static_assert(returns_value_and_tangent<fits, expected_and_given<expected, given>>,
                    "exprax: custom_jvp: the rule must return a tuple of the function's result and its tangent, of the same tree, dtypes "
                    "and shapes: this message names what is expected and what is returned");
    }
    closed_block const of_rule = scope.close(outs);
    call = resolved(call);
    tape* const t = call.tape_of();
    if (call.n_captures > 0 || of_rule.captures.size() > 0) t->blame({mistake::custom_rule_captures});
    int const blocks[] = {call.block, of_rule.id};
    int out = t->record(prim::custom_jvp_call, call.operands, {0}, call.types, blocks);
    t->rename_last(function_name<F>);
    results r{};
    assign_leaves(r, [&](aval const&) { return handle(t, out++); });
    return r;
  }
};
template <class F, class Rule>
struct recorder<with_custom_jvp<F, Rule>> {
  using type = with_custom_jvp<F, Rule, true>;
  static constexpr type of(with_custom_jvp<F, Rule> const& f) { return {f.f, f.rule}; }
};
template <class F, class Rule, bool Records>
inline constexpr std::string_view function_name<with_custom_jvp<F, Rule, Records>> = function_name<F>;

template <class F>
struct without_rule {
  [[no_unique_address]] F f;

  // rule: (tuple of arguments, tuple of their tangents) → (result, its tangent).
  template <class Rule>
  constexpr auto defjvp(Rule rule) const {
    return with_custom_jvp<F, Rule>{f, rule};
  }
  // One rule for each argument: (its tangent, result, arguments...) → what it adds to the tangent of the result.
  template <class... Partial>
  constexpr auto defjvps(Partial... partial) const {
    return defjvp(rule_of_results<sum_of_partials<Partial...>>{{{partial...}}});
  }
};
// rule: (tuple of arguments, result, tuple of the tangents of the arguments) → the tangent of the result. The function itself gives the
// result, so every derivative of every order takes the rule.
template <class F, class Rule>
constexpr auto custom_jvp_of_results(F f, Rule rule) {
  return with_custom_jvp<F, rule_of_results<Rule>>{f, {rule}};
}

// A function of the elements of real arguments that have one shape, to be called while recording. It needs forward mode alone: by an
// argument its derivative is the tangent along ones, again a function of elements, so there is reverse mode at any order.
template <class F>
struct function_of_elements {
  [[no_unique_address]] F f;
  template <class... Args>
  constexpr auto operator()(Args const&... args) const {
    auto const write = [](tape* t, arena<int> const& operands, arena<int> const& types, int block) {
      int const first = t->record(prim::custom_jvp_call, operands, {0}, types, {&block, 1});
      t->rename_last(function_name<F>);
      return first;
    };
    return record_with_block(write, f, args...);
  }
};

template <class Numbers, class F, class Rule>
struct custom_jvp_of_some {
  [[no_unique_address]] F f;
  [[no_unique_address]] Rule rule;

  template <class... Given>
  constexpr auto operator()(Given const&... given) const {
    using function = with_arguments<F, Numbers, Given...>;
    return with_custom_jvp<function, rule_behind<Rule, Given...>>{{f, {given...}}, {rule, {given...}}};
  }
};
template <class Numbers, class F>
struct some_without_rule {
  [[no_unique_address]] F f;

  // rule: (arguments that are not differentiated..., tuple of the others, tuple of their tangents) → (result, its tangent).
  template <class Rule>
  constexpr auto defjvp(Rule rule) const {
    return function_of_some<Numbers, custom_jvp_of_some<Numbers, F, Rule>>{{f, rule}};
  }
};

}  // namespace detail

// custom_jvp(f).defjvp(rule), or custom_jvp(f, rule): f, whose derivative is given by the rule: rule(ex::tuple(arguments...),
// ex::tuple(tangents...)) returns ex::tuple(result, its tangent). custom_jvp(f).defjvps(rules...): a rule for each argument, rule(tangent,
// result, arguments...), which returns what it adds to the tangent of the result; the result comes from the function with its rules, so
// derivatives of every order take them. Tangents of integers are bools. The rule must be linear in the tangents; reverse mode transposes
// it. Errors: a rule that returns another tree, dtype or shape; captured traced values
// (jax.custom_jvp).
template <class F>
constexpr auto custom_jvp(F f) {
  return detail::without_rule<F>{f};
}
template <class F, class Rule>
constexpr auto custom_jvp(F f, Rule rule) {
  return detail::with_custom_jvp<F, Rule>{f, rule};
}
// With arguments that are not differentiated.
template <class F, int... K>
constexpr auto custom_jvp(F f, nondiff_argnums_t<K...>) {
  return detail::some_without_rule<nondiff_argnums_t<K...>, F>{f};
}

}  // namespace exprax
