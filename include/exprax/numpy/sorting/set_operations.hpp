// SPDX-License-Identifier: BSL-1.0
// Operations on sets of values, for numbers of results known in advance (jax.numpy): union1d<size>, intersect1d<size>, setdiff1d<size>,
// setxor1d<size>: the values in ascending order, cut off at `size`; where there are fewer the fill value follows: the least of them
// if none is given (setdiff1d: 0). isin tells which elements are in a set. NaNs count as one value.
#pragma once

#include <exprax/numpy/sorting/unique.hpp>

namespace exprax {

namespace detail {

struct inverted_t {};
template <bool Inverted = false>
struct isin_op {
  template <operand X, operand S>
  constexpr auto operator()(X const& x, S const& set) const {
    if constexpr (Inverted) return logical_not(isin_op<false>{}(x, set));
    else return found(x, set);
  }

 private:
  template <class X, class S>
  static constexpr auto found(X const& x, S const& set) {
    auto const values = as_traced(x);
    constexpr int rank = rank_in<X>;
    if constexpr (aval_in<S>.size() == 0) return constant_like<expr_like<X, bool>>(values, false);
    else return any(equal(expanded<rank>(values), reshaped<-1>(as_traced(set))), axis<rank>);
  }
};

enum class set_algebra { union_, intersection, difference, exclusive };
template <set_algebra Word, int Size>
struct set_op {
  template <operand A, operand B, operand... Fill>
  constexpr auto operator()(A const& a, B const& b, Fill const&... fill) const {
    using type = strong_t<promote_t<type_in<A>, type_in<B>>>;
    auto const x = reshaped<-1>(as_expr<type>(a));
    auto const y = reshaped<-1>(as_expr<type>(b));
    constexpr bool of_first = Word == set_algebra::difference || Word == set_algebra::intersection;
    auto const all = [&] {
      if constexpr (of_first) return x;
      else return joined<0>(x, y);
    }();
    if constexpr (all.size() == 0) {
      return unique_op<Size, -1>{}(all, fill...);
    } else {
      auto const runs = runs_of(all);
      auto const mask = [&] {
        if constexpr (Word == set_algebra::union_) return runs.first;
        else if constexpr (Word == set_algebra::intersection) return bitwise_and(runs.first, isin_op<>{}(runs.values, y));
        else if constexpr (Word == set_algebra::difference) return bitwise_and(runs.first, logical_not(isin_op<>{}(runs.values, y)));
        else return bitwise_and(runs.first, not_equal(isin_op<>{}(runs.values, x), isin_op<>{}(runs.values, y)));
      }();
      if constexpr (Word == set_algebra::difference && sizeof...(Fill) == 0) return selected_values<Size>(runs.values, mask, 0);
      else return selected_values<Size>(runs.values, mask, fill...);
    }
  }
};

// The intersection, and where its values stand first in each array; behind them the sizes of these.
template <int Size>
struct intersection_places_op {
  template <operand A, operand B, operand... Fill>
  constexpr auto operator()(A const& a, B const& b, Fill const&... fill) const {
    using type = strong_t<promote_t<type_in<A>, type_in<B>>>;
    auto const x = reshaped<-1>(as_expr<type>(a));
    auto const y = reshaped<-1>(as_expr<type>(b));
    auto const values = set_op<set_algebra::intersection, Size>{}(x, y, fill...);
    if constexpr (x.size() == 0 || y.size() == 0 || Size == 0) {
      using places = expr<default_int, Size>;
      return std::tuple(values, constant_like<places>(x, static_cast<default_int>(x.size())),
                        constant_like<places>(x, static_cast<default_int>(y.size())));
    } else {
      auto const runs = runs_of(x);
      auto const valid =
          less(broadcasted_iota_near<default_int, 0, Size>(values), sum(bitwise_and(runs.first, isin_op<>{}(runs.values, y))));
      auto const place = [&](auto const& in) {
        return where(valid, argmax(equal(expanded<1>(values), in), axis<1>), static_cast<default_int>(in.size()));
      };
      return std::tuple(values, place(x), place(y));
    }
  }
};

// Conditions of static_asserts: compilers print the types.
template <set_algebra Word, int Size, class A, class B, class... Options>
constexpr auto set_operation(A const& a, B const& b, Options const&... options) {
  static_assert(is_static_size<Size>,
                "exprax: union1d, intersect1d, setdiff1d, setxor1d: the size argument must be statically specified: how many values there "
                "are is not known while compiling. Use ex::union1d<size>(a, b, ex::fill_value(v))");
  if constexpr (Size >= 0)
    return std::apply([&](auto const&... fill) { return apply<set_op<Word, Size>>(a, b, fill...); }, fill_values(options...));
  else return a;  // after the error: nothing that leads to others
}

}  // namespace detail

// isin: which elements are not in the set.
inline constexpr detail::inverted_t inverted{};

// Whether each element of x is in the set: bool, of x's shape; with ex::inverted whether it is not. The dtypes are promoted. NaN is in no
// set (jax.numpy.isin).
inline constexpr struct isin_function {
  template <array_like X, array_like S>
  constexpr auto operator()(X const& x, S const& set) const {
    return detail::apply<detail::isin_op<false>>(x, set);
  }
  template <array_like X, array_like S>
  constexpr auto operator()(X const& x, S const& set, detail::inverted_t) const {
    return detail::apply<detail::isin_op<true>>(x, set);
  }
} isin{};
// Sets of the values of a and b, both flattened: those in a or b (union1d), in both (intersect1d), in a only (setdiff1d), in just one of
// them (setxor1d). [size], the promoted dtype. intersect1d with return_indices gives (values, places in a, places in b). Refused: no size
// (jax.numpy.union1d, intersect1d, setdiff1d, setxor1d).
template <int Size = -1, array_like A, array_like B, class... Options>
constexpr auto union1d(A const& a, B const& b, Options const&... options) {
  EXPRAX_TAKES("union1d", "size<n>, fill_value(v)", Options...)
    return detail::set_operation<detail::set_algebra::union_, detail::result_size<Size, Options...>>(a, b, options...);
  else return a;
}
template <int Size = -1, array_like A, array_like B, class... Options>
constexpr auto intersect1d(A const& a, B const& b, Options const&... options) {
  EXPRAX_TAKES("intersect1d", "size<n>, fill_value(v), return_indices", Options...) {
    constexpr int size = detail::result_size<Size, Options...>;
    if constexpr (size >= 0 && detail::asks_for<detail::return_indices_t, Options...>)
      return std::apply([&](auto const&... fill) { return detail::apply<detail::intersection_places_op<size>>(a, b, fill...); },
                        detail::fill_values(options...));
    else return detail::set_operation<detail::set_algebra::intersection, size>(a, b, options...);
  } else {
    return a;
  }
}
template <int Size = -1, array_like A, array_like B, class... Options>
constexpr auto setdiff1d(A const& a, B const& b, Options const&... options) {
  EXPRAX_TAKES("setdiff1d", "size<n>, fill_value(v)", Options...)
    return detail::set_operation<detail::set_algebra::difference, detail::result_size<Size, Options...>>(a, b, options...);
  else return a;
}
template <int Size = -1, array_like A, array_like B, class... Options>
constexpr auto setxor1d(A const& a, B const& b, Options const&... options) {
  EXPRAX_TAKES("setxor1d", "size<n>, fill_value(v)", Options...)
    return detail::set_operation<detail::set_algebra::exclusive, detail::result_size<Size, Options...>>(a, b, options...);
  else return a;
}

}  // namespace exprax
