// SPDX-License-Identifier: BSL-1.0
// Differences along axes (jax.numpy): diff, ediff1d.
#pragma once

#include <exprax/base/options.hpp>
#include <exprax/numpy/core/operators.hpp>
#include <exprax/numpy/elementwise/arithmetic.hpp>
#include <exprax/numpy/reductions/reductions.hpp>
#include <exprax/numpy/shape/joining.hpp>
#include <exprax/numpy/sorting/sorting.hpp>

namespace exprax {

namespace detail {

// Elements Start, ... before Limit of one axis; a negative Limit counts from the end.
template <class X, int Axis, int Start, int Limit>
struct range_along {
  static constexpr int n = X::extent(Axis), limit = Limit < 0 ? n + Limit : Limit;
  static constexpr aval value = [] {
    aval a = X::type;
    a.dims[Axis] = limit > Start ? limit - Start : 0;
    return a;
  }();
  static constexpr param_list params = [] {
    param_list l;
    for (int i = 0; i < X::rank; ++i) l.push(i == Axis ? Start : 0);
    for (int i = 0; i < X::rank; ++i) l.push(i == Axis ? Start + value.dims[Axis] : X::type.dims[i]);
    return l;
  }();
};
template <int Axis, int Start, int Limit, tracer X>
constexpr auto part_along(X const& x) {
  using part = range_along<X, Axis, Start, Limit>;
  return detail::bind<expr_from<part>>(prim::slice, part::params, x);
}
template <int Axis, tracer X>
constexpr auto all_but_first(X const& x) {
  constexpr int n = X::extent(Axis);
  return part_along<Axis, (n > 0 ? 1 : 0), n>(x);
}
template <int Axis, tracer X>
constexpr auto all_but_last(X const& x) {
  constexpr int n = X::extent(Axis);
  return part_along<Axis, 0, (n > 0 ? n - 1 : 0)>(x);
}

template <int N, int Axis>
struct diff_body {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    constexpr int axis = normal_axis(Axis, X::rank);
    if constexpr (N == 0) {
      return x;
    } else {
      auto const later = all_but_first<axis>(x), earlier = all_but_last<axis>(x);
      if constexpr (is_bool(X::type.type)) return diff_body<N - 1, Axis>{}(not_equal(later, earlier));
      else return diff_body<N - 1, Axis>{}(later - earlier);
    }
  }
};
template <int N, int Axis>
struct diff_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<diff_body<N, Axis>>("diff", x);
  }
};
// What stands before and behind the elements: a scalar is one more of them everywhere. Inputs: the array, then these.
template <int Axis, class X, class V>
constexpr auto as_end(X const&, V const& v) {
  if constexpr (rank_in<V> == 0)
    return broadcast_shape<shape_in<expr_from<resized_shape<X, Axis, 1>>>>(as_expr<promote_t<type_in<V>, type_in<X>>>(v));
  else return as_expr<type_in<V>>(v);
}
template <int N, int Axis, bool Before, bool Behind>
struct diff_with_ends_body {
  template <tracer X, tracer... V>
  constexpr auto operator()(X const& x, V const&... ends) const {
    constexpr int axis = normal_axis(Axis, X::rank);
    return diff_body<N, Axis>{}(whole<axis>(x, as_end<axis>(x, ends)...));
  }

 private:
  template <int K, class X, class A>
  static constexpr auto whole(X const& x, A const& end) {
    if constexpr (Before) return joined<K>(end, x);
    else return joined<K>(x, end);
  }
  template <int K, class X, class A, class B>
  static constexpr auto whole(X const& x, A const& before, B const& behind) {
    return joined<K>(before, x, behind);
  }
};
template <int N, int Axis, bool Before, bool Behind>
struct diff_with_ends_op {
  template <operand X, operand... V>
  constexpr auto operator()(X const& x, V const&... ends) const {
    return named_call<diff_with_ends_body<N, Axis, Before, Behind>>("diff", x, ends...);
  }
};
// Differences of the flattened array; ends of its dtype.
template <bool Before, bool Behind>
struct ediff1d_body {
  template <tracer X, tracer... V>
  constexpr auto operator()(X const& x, V const&... ends) const {
    auto const flat = reshaped<-1>(x);
    return whole(all_but_first<0>(flat) - all_but_last<0>(flat), reshaped<-1>(as_expr<strong_t<type_in<X>>>(ends))...);
  }

 private:
  template <class X>
  static constexpr auto whole(X const& x) {
    return x;
  }
  template <class X, class A>
  static constexpr auto whole(X const& x, A const& end) {
    if constexpr (Before) return joined<0>(end, x);
    else return joined<0>(x, end);
  }
  template <class X, class A, class B>
  static constexpr auto whole(X const& x, A const& before, B const& behind) {
    return joined<0>(before, x, behind);
  }
};
template <bool Before, bool Behind>
struct ediff1d_op {
  template <operand X, operand... V>
  constexpr auto operator()(X const& x, V const&... ends) const {
    return named_call<ediff1d_body<Before, Behind>>("ediff1d", x, ends...);
  }
};

template <class V>
struct before_option {
  V value;
};
template <class V>
struct behind_option {
  V value;
};
template <class V>
inline constexpr option_word word_of<before_option<V>>{"prepend(v)", "before", "to_begin(v)"};
template <class V>
inline constexpr option_word word_of<behind_option<V>>{"append_(v)", "behind", "to_end(v)"};
template <int Otherwise, class... O>
inline constexpr int axis_among = Otherwise;
template <int Otherwise, class First, class... Rest>
inline constexpr int axis_among<Otherwise, First, Rest...> = axis_among<Otherwise, Rest...>;
template <int Otherwise, int Axis, class... Rest>
inline constexpr int axis_among<Otherwise, axis_t<Axis>, Rest...> = Axis;
template <class O>
concept end_option = is_of_kind<O, before_option> || is_of_kind<O, behind_option>;
// Op on the array and what stands before and behind it, in this order.
template <template <bool, bool> class Op, class X, class... O>
constexpr auto apply_with_ends(X const& x, O const&... options) {
  return std::apply(
      [&](auto const&... before) {
        return std::apply(
            [&](auto const&... behind) {
              return apply<Op<sizeof...(before) != 0, sizeof...(behind) != 0>>(x, before.value..., behind.value...);
            },
            find_tag<behind_option>(options...));
      },
      find_tag<before_option>(options...));
}
template <int N, int Axis>
struct diff_along {
  template <bool Before, bool Behind>
  using op = diff_with_ends_op<N, Axis, Before, Behind>;
};

}  // namespace detail

// prepend(v), append_(v): of diff, elements before and behind the array. to_begin(v), to_end(v): of ediff1d, elements before and behind the
// differences.
inline constexpr struct prepend_function {
  template <array_like V>
  constexpr detail::before_option<V> operator()(V const& v) const {
    return {v};
  }
} prepend{};
inline constexpr struct append__function {
  template <array_like V>
  constexpr detail::behind_option<V> operator()(V const& v) const {
    return {v};
  }
} append_{};
inline constexpr struct to_begin_function {
  template <array_like V>
  constexpr detail::before_option<V> operator()(V const& v) const {
    return {v};
  }
} to_begin{};
inline constexpr struct to_end_function {
  template <array_like V>
  constexpr detail::behind_option<V> operator()(V const& v) const {
    return {v};
  }
} to_end{};

// diff<N>(x): the N-th differences of neighbours along the last axis, or axis<k>, [..., n] -> [..., n - N] (jax.numpy.diff). The dtype of
// x; of bool whether they differ. prepend(v), append_(v): elements more before and behind, a scalar being one. Refused: a negative N, an
// axis out of range.
template <int N = 1, array_like X, class... O>
constexpr auto diff(X const& x, O const&... options) {
  EXPRAX_TAKES("diff", "axis<k>, prepend(v), append_(v)", O...) {
    constexpr int axis = detail::axis_among<-1, O...>;
    static_assert(N >= 0, "exprax: diff: the order must be non-negative");
    static_assert(detail::has_axis_of_rows<X, axis>,
                  "exprax: diff: the axis is out of range for the array: diff requires input that is at least one dimensional");
    if constexpr (N == 0 || !(detail::end_option<O> || ...)) return detail::apply<detail::diff_op<N, axis>>(x);
    else return detail::apply_with_ends<detail::diff_along<N, axis>::template op>(x, options...);
  } else {
    return x;
  }
}
// The differences of neighbours of the flattened array (jax.numpy.ediff1d), in the dtype of x; with to_begin(v) and to_end(v) before and
// behind them.
inline constexpr struct ediff1d_function {
  template <array_like X, class... O>
  constexpr auto operator()(X const& x, O const&... ends) const {
    EXPRAX_TAKES("ediff1d", "to_begin(v), to_end(v)", O...) return detail::apply_with_ends<detail::ediff1d_op>(x, ends...);
    else return x;
  }
} ediff1d{};

}  // namespace exprax
