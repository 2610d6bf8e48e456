// SPDX-License-Identifier: BSL-1.0
// frompyfunc(f): a function of scalars as NumPy's ufuncs are (jax.numpy.frompyfunc): u(a, b) broadcasts, and of two arguments there are
// u.outer(a, b), u.reduce(x), u.accumulate(x), u.at(x, i, b) and u.reduceat(x, i), along axis 0 or axis<k>.
#pragma once

#include <exprax/api/control/fori_loop.hpp>
#include <exprax/numpy/core/operators.hpp>
#include <exprax/numpy/functional/vectorize.hpp>
#include <exprax/numpy/indexing/at.hpp>
#include <exprax/numpy/indexing/take.hpp>
#include <exprax/numpy/reductions/reduction_options.hpp>
#include <exprax/numpy/sorting/sorting.hpp>

namespace exprax {

namespace detail {

template <class... Tags>
struct ufunc_tags {
  static constexpr int axis = 0;
  static constexpr bool flat = false, keep = false;
};
template <int Axis, class... Rest>
struct ufunc_tags<axis_t<Axis>, Rest...> : ufunc_tags<Rest...> {
  static constexpr int axis = Axis;
};
template <class... Rest>
struct ufunc_tags<none_t, Rest...> : ufunc_tags<Rest...> {
  static constexpr bool flat = true;
};
template <class... Rest>
struct ufunc_tags<keepdims_t, Rest...> : ufunc_tags<Rest...> {
  static constexpr bool keep = true;
};
template <class First, class... Rest>
struct ufunc_tags<First, Rest...> : ufunc_tags<Rest...> {};
template <class... Rest>
struct reduction_tags<none_t, Rest...> : reduction_tags<Rest...> {};

// Of all elements at once, in the dtype of the first one.
template <class F, class A, class B>
constexpr A combined(A const& a, B const& b) {
  return as_expr<typename A::dtype_type>(vectorize(F{})(a, b));
}
// The rows that are combined: the axis in front, or all elements.
template <class Tags, class X>
constexpr auto rows_of_ufunc(X const& x) {
  if constexpr (Tags::flat) return reshaped<-1>(x);
  else return moveaxis_op<Tags::axis, 0>{}(x);
}
template <class F>
struct ufunc_outer_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    auto const first = as_traced(a);
    auto const wide = [&]<int... I>(std::integer_sequence<int, I...>) {
      if constexpr (sizeof...(I) == 0) return first;
      else return expanded<(rank_in<A> + I)...>(first);
    }(std::make_integer_sequence<int, rank_in<B>>{});
    return vectorize(F{})(wide, as_traced(b));
  }
};
template <class F>
struct ufunc_reduce_body {
  template <operand X, class... O>
  constexpr auto operator()(X const& x, O const&... options) const {
    using tags = ufunc_tags<O...>;
    auto const a = as_expr<strong_t<type_in<X>>>(x);
    auto const rows = rows_of_ufunc<tags>(a);
    using row = std::remove_const_t<decltype(rows(0))>;
    [[maybe_unused]] constexpr int n = std::remove_const_t<decltype(rows)>::extent(0);
    constexpr bool started = has_tag<initial_option, O...>, masked = has_tag<where_option, O...>;
    auto const result = [&] {
      if constexpr (masked) {
        using mask_shape = with_dtype_t<std::remove_const_t<decltype(a)>, bool>;
        mask_shape const given =
            broadcast_shape<shape_in<mask_shape>>(as_expr<bool>(std::get<0>(find_tag<where_option>(options...)).value));
        auto const step = [](auto sum, auto each) {
          auto const next = combined<F>(sum, std::get<0>(each));
          return std::tuple(where(std::get<1>(each), next, sum), none);
        };
        return std::get<0>(scan(step, start<row>(options...), std::tuple(rows, rows_of_ufunc<tags>(given))));
      } else {
        auto const step = [](auto sum, auto each) { return std::tuple(combined<F>(sum, each), none); };
        if constexpr (started) return std::get<0>(scan(step, start<row>(options...), rows));
        else return std::get<0>(scan(step, row(rows(0)), rows(slice<1, n>)));
      }
    }();
    using kept = reduction_tags<std::conditional_t<tags::flat, keepdims_t, axis_t<tags::axis>>>;
    if constexpr (!tags::keep) return result;
    else
      return detail::bind<expr_from<kept_shape<X, reduced_shape<X, kept>>>>(prim::broadcast_in_dim,
                                                                    kept_shape<X, reduced_shape<X, kept>>::of.params, result);
  }

 private:
  template <class Row, class... O>
  static constexpr Row start(O const&... options) {
    return broadcast_shape<shape_in<Row>>(as_expr<typename Row::dtype_type>(std::get<0>(find_tag<initial_option>(options...)).value));
  }
};
template <class F, class Tags>
struct ufunc_accumulate_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    auto const rows = rows_of_ufunc<Tags>(as_expr<strong_t<type_in<X>>>(x));
    using rows_type = std::remove_const_t<decltype(rows)>;
    if constexpr (rows_type::extent(0) < 2) {
      return back(rows);
    } else {
      auto const first = rows(0);
      auto const step = [](auto sum, auto each) {
        auto const next = combined<F>(sum, each);
        return std::tuple(next, next);
      };
      auto const rest = std::get<1>(scan(step, std::remove_const_t<decltype(first)>(first), rows(slice<1, rows_type::extent(0)>)));
      return back(joined<0>(expanded<0>(first), rest));
    }
  }

 private:
  template <class R>
  static constexpr auto back(R const& r) {
    if constexpr (Tags::flat) return r;
    else return moveaxis_op<0, Tags::axis>{}(r);
  }
};
// One update after the other.
template <class F>
struct ufunc_at_op {
  template <operand X, operand I>
  constexpr auto operator()(X const& x, I const& i) const {
    auto const a = as_traced(x);
    auto const at = as_traced(i);
    return make_at(a, at).set(vectorize(F{})(index_read(a, at)));
  }
  template <operand X, operand I, operand B>
  constexpr auto operator()(X const& x, I const& i, B const& b) const {
    auto const a = as_traced(x);
    auto const at = reshaped<-1>(as_traced(i));
    using rows = std::remove_const_t<decltype(index_read(a, at))>;
    using given = std::remove_const_t<decltype(index_read(a, as_traced(i)))>;
    with_dtype_t<given, type_in<B>> const whole = broadcast_shape<shape_in<given>>(as_traced(b));
    auto const values = untyped::as<with_dtype_t<rows, type_in<B>>>(untyped::reshape(untyped::from(whole), {rows::type.dims, rows::rank}));
    auto const step = [](auto state, auto each) {
      auto const place = std::get<0>(each);
      auto const before = index_read(state, place);
      return std::tuple(make_at(state, place).set(combined<F>(before, std::get<1>(each))), none);
    };
    return std::get<0>(scan(step, expr_type<X>(a), std::tuple(at, values)));
  }
};
// Element k: from row i[k] up to, and without, row i[k + 1]; only row i[k] if that is not before it.
template <class F, class Tags>
struct ufunc_reduceat_op {
  template <operand X, operand I>
  constexpr auto operator()(X const& x, I const& i) const {
    auto const rows = rows_of_ufunc<Tags>(as_expr<strong_t<type_in<X>>>(x));
    auto const from = as_traced(i);
    using rows_type = std::remove_const_t<decltype(rows)>;
    constexpr int n = rows_type::extent(0), m = aval_in<I>.dims[0];
    auto const to = joined<0>(from(slice<1, m>), constant_like<expr<type_in<I>, 1>>(from, n));
    auto const first = index_read(rows, from);
    using result = std::remove_const_t<decltype(first)>;
    auto const step = [from, to](auto state, auto each) {
      auto const row = std::get<0>(each);
      auto const k = std::get<1>(each);
      auto const inside = (from < k) & (k < to);
      auto const mask = [&]<int... A>(std::integer_sequence<int, A...>) {
        if constexpr (sizeof...(A) == 0) return inside;
        else return expanded<(A + 1)...>(inside);
      }(std::make_integer_sequence<int, result::rank - 1>{});
      return std::tuple(result(where(mask, combined<F>(state, row), state)), none);
    };
    auto const r = std::get<0>(scan(step, result(first), std::tuple(rows, broadcasted_iota_near<type_in<I>, 0, n>(rows))));
    return moveaxis_op<0, Tags::axis>{}(r);
  }
};

}  // namespace detail

// A function of scalars, without state, as an object that works on arrays.
template <class F>
struct ufunc {
  // u(a, b): f of the scalars at each place; shapes broadcast.
  template <array_like... X>
  constexpr auto operator()(X const&... x) const {
    return vectorize(F{})(x...);
  }
  // u.outer(a, b): each element of a with each of b, [shape of a, shape of b] (numpy.ufunc.outer).
  template <array_like A, array_like B>
  constexpr auto outer(A const& a, B const& b) const {
    return detail::apply<detail::ufunc_outer_op<F>>(a, b);
  }
  // u.reduce(x): f(f(x[0], x[1]), x[2]) ... along axis 0, axis<k>, or with ex::none of all elements; with keepdims, initial(v) and
  // where_(mask) (numpy.ufunc.reduce). In the dtype of x. Refused: an axis out of range, where_ without initial.
  template <array_like X, class... O>
  constexpr auto reduce(X const& x, O const&... options) const {
    EXPRAX_TAKES("ufunc.reduce", "axis<k>, none, keepdims, initial(v), where_(mask)", O...) {
      using tags = detail::ufunc_tags<O...>;
      static_assert(tags::flat || detail::has_axis_of_rows<X, tags::axis>, "exprax: ufunc.reduce: the axis is out of range for the array");
      static_assert(detail::has_tag<detail::initial_option, O...> || !detail::has_tag<detail::where_option, O...>,
                    "exprax: ufunc.reduce: with where_ it needs a value to start with: ex::initial(v)");
      return detail::apply_with_options<detail::ufunc_reduce_body<F>>(x, options...);
    } else {
      return x;
    }
  }
  // u.accumulate(x): all steps of that, in the shape of x (numpy.ufunc.accumulate). An axis out of range is refused.
  template <array_like X, int Axis = 0>
  constexpr auto accumulate(X const& x, axis_t<Axis> = {}) const {
    static_assert(detail::has_axis_of_rows<X, Axis>, "exprax: ufunc.accumulate: the axis is out of range for the array");
    return detail::apply<detail::ufunc_accumulate_op<F, detail::ufunc_tags<axis_t<Axis>>>>(x);
  }
  // u.at(x, i, b), u.at(x, i): x with f(x[i], b), or f(x[i]), in place of x[i] (numpy.ufunc.at). With b one update after the other, as
  // often as an index occurs.
  template <array_like X, array_like I, array_like... B>
  constexpr auto at(X const& x, I const& i, B const&... b) const {
    return detail::apply<detail::ufunc_at_op<F>>(x, i, b...);
  }
  // u.reduceat(x, i): rows i[k] up to i[k + 1] reduced, only row i[k] where i[k + 1] is not behind it (numpy.ufunc.reduceat). Refused: an
  // axis out of range, an i that is no vector.
  template <array_like X, array_like I, int Axis = 0>
  constexpr auto reduceat(X const& x, I const& i, axis_t<Axis> = {}) const {
    static_assert(detail::has_axis_of_rows<X, Axis>, "exprax: ufunc.reduceat: the axis is out of range for the array");
    static_assert(detail::rank_in<I> == 1, "exprax: ufunc.reduceat: the indices must be a vector");
    return detail::apply<detail::ufunc_reduceat_op<F, detail::ufunc_tags<axis_t<Axis>>>>(x, i);
  }
};
// frompyfunc(f): a function of scalars, without state, as such an object (jax.numpy.frompyfunc).
inline constexpr struct frompyfunc_function {
  template <class F>
  constexpr ufunc<F> operator()(F) const {
    return {};
  }
} frompyfunc{};

}  // namespace exprax
