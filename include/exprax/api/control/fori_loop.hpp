// SPDX-License-Identifier: BSL-1.0
// fori_loop(lower, upper, body_fun, init, unroll<k>): value = body_fun(i, value) for i = lower ... upper - 1; returns the last value
// (jax.lax.fori_loop). Bounds that are C++ integers or constants give a scan, with the carry (i, value); a traced bound gives a while, with
// the carry (i, upper, value).
#pragma once

#include <exprax/api/control/scan.hpp>
#include <exprax/api/control/while_loop.hpp>

namespace exprax {

namespace detail {

template <class X>
concept static_bound = std::is_integral_v<X> || static_constant<X>;

// The dtype of a bound: weak<...> for C++ integers, void if it is not a scalar.
template <class X>
struct bound_type {
  using type = void;
};
template <class T>
struct bound_type<expr<T>> {
  using type = T;
};
template <static_bound X>
struct bound_type<X> {
  using type = weak<std::int32_t>;
};
// Compilers print their arguments with the static_asserts.
template <class Bound>
inline constexpr bool is_an_integer_scalar = is_integer(dtype_of<Bound>);
template <>
inline constexpr bool is_an_integer_scalar<void> = false;
template <class Lower, class Upper>
inline constexpr bool bounds_have_equal_types =
    dtype_of<Lower> == dtype_of<Upper> ||
    (is_signed_integer(dtype_of<Lower>) && is_signed_integer(dtype_of<Upper>) && is_weak<Lower> != is_weak<Upper>);
template <class Unroll, class Lower, class Upper>
inline constexpr bool unrolls_a_known_number_of_iterations =
    std::is_same_v<Unroll, unroll_t<1>> || std::is_same_v<Unroll, unroll_t<false>> || (static_bound<Lower> && static_bound<Upper>);
// The dtype of a bound in the carry: its own, but a C++ integer takes that of the other bound.
template <class Bound, class Other>
using carried_bound = expr<std::conditional_t<dtype_of<Bound> == dtype_of<Other>, Bound, std::conditional_t<is_weak<Bound>, Other, Bound>>>;

template <class T, class X>
constexpr expr<T> bound_as(X const& x) {
  if constexpr (is_expr<X>) return convert_to<T>(x);
  else return literal<T>(convert_number<strong_t<T>>(static_cast<int>(x)));
}
template <class T>
constexpr expr<T> next_iteration(expr<T> const& i) {
  return detail::bind<expr<T>>(prim::add, {}, i, lit<T>{1});
}

template <class F, class I>
struct fori_body {
  template <class Value>
  struct step {
    using type = lifted_tree_t<std::remove_cvref_t<decltype(std::declval<F const&>()(std::declval<I&>(), std::declval<Value&>()))>>;
  };
};
// The body of the scan, and condition and body of the while.
template <class F>
struct fori_scan_body {
  F const& f;
  template <class Carry>
  constexpr auto operator()(Carry& c, none_t) const {
    auto next = next_iteration(std::get<0>(c));
    return std::tuple(std::tuple(next, f(std::get<0>(c), std::get<1>(c))), none);
  }
};
struct fori_cond {
  template <class Carry>
  constexpr expr<bool> operator()(Carry& c) const {
    return detail::bind<expr<bool>>(prim::lt, {}, std::get<0>(c), std::get<1>(c));
  }
};
template <class F>
struct fori_while_body {
  F const& f;
  template <class Carry>
  constexpr auto operator()(Carry& c) const {
    auto next = next_iteration(std::get<0>(c));
    return std::tuple(next, std::get<1>(c), f(std::get<0>(c), std::get<2>(c)));
  }
};

// I, End: the bounds in the carry; Last: the final type of the value. Static bounds give a scan, others a while.
template <class Unroll, class I, class End, class Last, class Lower, class Upper, class F, class Value>
constexpr Last record_fori(Lower const& lower, Upper const& upper, F const& f, Value const& value) {
  using first_type = typename I::dtype_type;
  using end_type = typename End::dtype_type;
  if constexpr (static_bound<Lower> && static_bound<Upper>) {
    int const first = static_cast<int>(lower), end = static_cast<int>(upper), length = end > first ? end - first : 0;
    using results = std::tuple<std::tuple<I, Last>, none_t>;
    auto const begin = std::tuple(bound_as<first_type>(lower), value);
    return std::get<1>(
        std::get<0>(record_scan<results, none_t>({length, false, Unroll::turns(length)}, fori_scan_body<F>{f}, begin, none)));
  } else {
    auto const begin = std::tuple(bound_as<first_type>(lower), bound_as<end_type>(upper), value);
    return std::get<2>(record_while<std::tuple<I, End, Last>>(fori_cond{}, fori_while_body<F>{f}, begin));
  }
}

// fori_loop as a stateless callable, for arrays. The bounds are then traced, and nothing is unrolled.
template <class F>
struct fori_of {
  template <class Lower, class Upper, class Init>
  constexpr auto operator()(Lower const& lower, Upper const& upper, Init const& init) const;
};

template <class Unroll>
inline constexpr bool is_unroll = false;
template <auto K>
inline constexpr bool is_unroll<unroll_t<K>> = true;

}  // namespace detail

template <bool Defers = true, class Lower, class Upper, class F, class Init, class Unroll = unroll_t<1>>
constexpr auto fori_loop(Lower const& lower, Upper const& upper, F const& body_fun, Init const& init, Unroll unroll = {}) {
  using namespace detail;
  static_assert(is_unroll<Unroll>, "exprax: fori_loop: the only option is ex::unroll<k>");
  if constexpr (check_arguments<Lower, Upper, Init>()) {
    using lower_type = typename bound_type<to_expr_t<Lower>>::type;
    using upper_type = typename bound_type<to_expr_t<Upper>>::type;
    constexpr bool integers = is_an_integer_scalar<lower_type> && is_an_integer_scalar<upper_type>;
    static_assert(is_an_integer_scalar<lower_type> && is_an_integer_scalar<upper_type>,
                  "exprax: fori_loop: lower and upper must be integer scalars");
    if constexpr (!integers) {
      return lift_tree(init);  // after the error: avoids further ones
    } else {
      constexpr bool equal = bounds_have_equal_types<lower_type, upper_type>;
      static_assert(bounds_have_equal_types<lower_type, upper_type>,
                    "exprax: lower and upper arguments to fori_loop must have equal types: this message names both");
      constexpr bool arrays = takes_arrays<Lower, Upper, Init> && is_stateless<F>;
      static_assert(arrays || unrolls_a_known_number_of_iterations<Unroll, Lower, Upper>,
                    "exprax: fori_loop: Can only use `unroll` in `fori_loop` if the loop bounds are statically known: C++ integers or "
                    "constants such as ex::static_<n>");
      static_cast<void>(unroll);
      if constexpr (!equal || !(arrays || unrolls_a_known_number_of_iterations<Unroll, Lower, Upper>)) {
        return lift_tree(init);
      } else if constexpr (!can_be_called<F, carried_bound<lower_type, upper_type>, to_expr_t<Init>>) {
        static_assert(can_be_called<F, carried_bound<lower_type, upper_type>, to_expr_t<Init>>,
                      "exprax: fori_loop: body_fun cannot be called with (index, carry): it takes two arguments, whose types this message "
                      "names: write both as auto");
        return lift_tree(init);
      } else {
        using i = carried_bound<lower_type, upper_type>;
        using end = carried_bound<upper_type, lower_type>;
        using carry = fixed_carry<to_expr_t<Init>, fori_body<F, i>::template step>;
        using start = typename carry::type;
        static_assert(carry_keeps_its_structure<start, typename carry::first>,
                      "exprax: fori_loop body function carry input and carry output must have the same pytree structure, but they differ: "
                      "this message names both");
        static_assert(
            carry_keeps_its_type<typename carry::at, typename carry::before, typename carry::after>,
            "exprax: fori_loop body function carry input and carry output must have equal types, but they differ: this message names the "
            "component, its type before and its type after. Revise the body so that dtype and shape stay, or start with the type that it "
            "returns");
        if constexpr (!carry::ok) return lift_tree(init);
        else if constexpr (arrays) return jit(fori_of<F>{})(lower, upper, init);
        else if constexpr (Defers && is_free<Lower, Upper, Init> && is_stateless<F>)
          return defer<fori_of<F>>([&] { return fori_loop<false>(lower, upper, body_fun, init, unroll); }, lower, upper, init);
        else return record_fori<Unroll, i, end, typename carry::last>(lower, upper, body_fun, start_from<start>(lift_tree(init)));
      }
    }
  }
}

template <class F>
template <class Lower, class Upper, class Init>
constexpr auto detail::fori_of<F>::operator()(Lower const& lower, Upper const& upper, Init const& init) const {
  return fori_loop(lower, upper, F{}, init);
}

}  // namespace exprax
