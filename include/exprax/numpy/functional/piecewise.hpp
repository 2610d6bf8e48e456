// SPDX-License-Identifier: BSL-1.0
// Cases by conditions (jax.numpy): select by a list of conditions, and piecewise functions.
#pragma once

#include <exprax/api/vmap/vmap.hpp>
#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/core/dynamic_shapes.hpp>
#include <exprax/numpy/elementwise/select.hpp>
#include <exprax/numpy/shape/shaping.hpp>

namespace exprax {

namespace detail {

// From the last case to the first, which wins.
template <int N>
struct select_list_op {
  template <operand... X>
  constexpr auto operator()(X const&... x) const {
    return choose(std::make_integer_sequence<int, N>{}, std::tuple<X const&...>(x...));
  }

 private:
  // Conditions, choices, the default.
  template <int... I, class Tuple>
  static constexpr auto choose(std::integer_sequence<int, I...>, Tuple const& all) {
    using type = promote_t<type_in<std::tuple_element_t<N + I, Tuple>>..., type_in<std::tuple_element_t<2 * N, Tuple>>>;
    using shape =
        common_as<type, std::remove_cvref_t<std::tuple_element_t<I, Tuple>>..., std::remove_cvref_t<std::tuple_element_t<N + I, Tuple>>...,
                  std::remove_cvref_t<std::tuple_element_t<2 * N, Tuple>>>;
    using out = expr_from<shape>;
    out result = broadcast_shape<shape>(as_expr<type>(std::get<2 * N>(all)));
    ((result = one<out, shape, type>(std::get<N - 1 - I>(all), std::get<2 * N - 1 - I>(all), result)), ...);
    return result;
  }
  template <class Out, class Shape, class T, class C, class X>
  static constexpr Out one(C const& condition, X const& choice, Out const& otherwise) {
    using mask = with_dtype_t<Out, bool>;
    mask const which = broadcast_shape<Shape>(to_bool(condition));
    Out const x = broadcast_shape<Shape>(as_expr<T>(choice));
    return detail::bind<Out>(prim::select_n, {}, which, otherwise, x);
  }
};

template <class E, class V>
constexpr E cast_to_shape(V const& v) {
  return broadcast_shape<shape_in<E>>(v);
}
// The value of a case on one element, or a number.
template <class F, class E>
constexpr E value_of_case(F const& f, E const& x) {
  using type = typename E::dtype_type;
  if constexpr (operand<F>) {
    return cast_to_shape<E>(as_expr<type>(f));
  } else {
    auto const value = f(x);
    return cast_to_shape<E>(as_expr<type>(value));
  }
}
// Of the conditions that hold the last one wins; where none does, the function behind all conditions, or 0.
template <int N, int M>
struct piecewise_op {
  template <class X, class... Rest>
  constexpr expr_type<X> operator()(X const& x, std::tuple<Rest...> const& cases) const {
    using out = expr_type<X>;
    out const at = as_traced(x);
    out result = [&] {
      if constexpr (M > N) return per_element(std::get<N + M - 1>(cases), at);
      else return constant_like<out>(at, typename out::value_type{});
    }();
    [&]<int... I>(std::integer_sequence<int, I...>) {
      ((result = where_holds(std::get<I>(cases), per_element(std::get<N + I>(cases), at), result)), ...);
    }(std::make_integer_sequence<int, N>{});
    return result;
  }

 private:
  template <class F, class E>
  static constexpr E per_element(F const& f, E const& x) {
    if constexpr (operand<F> || E::rank == 0) {
      return value_of_case(f, x);
    } else {
      auto const flat = reshaped<-1>(x);
      auto const values = vmap([f](auto element) { return value_of_case(f, element); })(flat);
      return untyped::as<E>(untyped::reshape(untyped::from(values), {E::type.dims, E::rank}));
    }
  }
  template <class C, class E>
  static constexpr E where_holds(C const& condition, E const& x, E const& otherwise) {
    using mask = with_dtype_t<E, bool>;
    mask const which = broadcast_shape<shape_in<E>>(to_bool(condition));
    return detail::bind<E>(prim::select_n, {}, which, otherwise, x);
  }
};

// The same on arrays: functions are their types, the constants among them inputs behind the conditions.
template <class... F>
constexpr auto constants_among(std::tuple<F...> const& functions) {
  return std::apply(
      [](auto const&... f) {
        return std::tuple_cat([](auto const& one) {
          if constexpr (array_like<std::remove_cvref_t<decltype(one)>>) return std::tuple(one);
          else return std::tuple<>();
        }(f)...);
      },
      functions);
}
template <int N, class... F>
struct piecewise_on_arrays {
  template <class X, class... Inputs>
  constexpr auto operator()(X const& x, Inputs const&... inputs) const {
    return with(x, std::tuple<Inputs...>(inputs...), std::make_integer_sequence<int, N>{},
                std::make_integer_sequence<int, static_cast<int>(sizeof...(F))>{});
  }

 private:
  static constexpr int constants_before(int k) {
    bool const constant[] = {array_like<F>...};
    int n = 0;
    for (int i = 0; i < k; ++i) n += constant[i];
    return n;
  }
  template <class One, int K, class Inputs>
  static constexpr auto function(Inputs const& inputs) {
    if constexpr (array_like<One>) return std::get<N + constants_before(K)>(inputs);
    else return One{};
  }
  template <class X, class Inputs, int... C, int... K>
  static constexpr auto with(X const& x, Inputs const& inputs, std::integer_sequence<int, C...>, std::integer_sequence<int, K...>) {
    return piecewise_op<N, static_cast<int>(sizeof...(F))>{}(
        x, std::tuple_cat(std::make_tuple(std::get<C>(inputs)...), std::make_tuple(function<F, K>(inputs)...)));
  }
};

}  // namespace detail

// At each place the choice of the first condition that holds, or the default: select(std::tuple(c0, c1), std::tuple(x0, x1), 0). Shapes
// broadcast; the dtype is the one that choices and default promote to. Refused: not as many choices as conditions, none at all, shapes
// that do not broadcast (jax.numpy.select).
template <array_like... C, array_like... X, array_like D = int>
constexpr auto select(std::tuple<C...> const& conditions, std::tuple<X...> const& choices, D const& otherwise = 0) {
  static_assert(sizeof...(C) == sizeof...(X) && sizeof...(C) > 0,
                "exprax: select: condlist must have length equal to choicelist, and not be empty");
  static_assert(detail::broadcasts<C..., X..., D>, EXPRAX_SHAPES("select"));
  return std::apply([](auto const&... all) { return detail::apply<detail::select_list_op<static_cast<int>(sizeof...(C))>>(all...); },
                    std::tuple_cat(conditions, choices, std::tuple<D>(otherwise)));
}
// piecewise(x, std::tuple(c0, c1), std::tuple(f0, f1, f2)): the function of the last condition that holds, at each element; f2, or 0,
// where none does. Functions take one element; numbers stand for constant ones. Shape and dtype of x. Refused: another number of functions
// (jax.numpy.piecewise).
inline constexpr struct piecewise_function {
  template <detail::tracer X, class... C, class... F>
  constexpr auto operator()(X const& x, std::tuple<C...> const& conditions, std::tuple<F...> const& functions) const {
    static_assert(sizeof...(F) == sizeof...(C) || sizeof...(F) == sizeof...(C) + 1,
                  "exprax: piecewise: give as many functions as conditions, or one more");
    return detail::piecewise_op<static_cast<int>(sizeof...(C)), static_cast<int>(sizeof...(F))>{}(x, std::tuple_cat(conditions, functions));
  }
  // The same on arrays: functions have no state.
  template <detail::stored X, array_like... C, class... F>
  constexpr auto operator()(X const& x, std::tuple<C...> const& conditions, std::tuple<F...> const& functions) const {
    static_assert(sizeof...(F) == sizeof...(C) || sizeof...(F) == sizeof...(C) + 1,
                  "exprax: piecewise: give as many functions as conditions, or one more");
    return std::apply(
        [&](auto const&... all) { return jit(detail::piecewise_on_arrays<static_cast<int>(sizeof...(C)), F...>{})(x, all...); },
        std::tuple_cat(conditions, detail::constants_among(functions)));
  }
} piecewise{};

}  // namespace exprax
