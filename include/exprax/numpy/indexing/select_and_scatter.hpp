// SPDX-License-Identifier: BSL-1.0
// select_and_scatter (StableHLO), select_and_scatter_add and select_and_gather_add (jax.lax, inside): of each window the element that a
// comparison picks, to which a value goes or of which a value comes. As steps over the places of a window, each a strided slice.
#pragma once

#include <exprax/numpy/core/dynamic_shapes.hpp>
#include <exprax/numpy/elementwise/select.hpp>
#include <exprax/numpy/reductions/reduce_window.hpp>

namespace exprax {

namespace detail {

// Windows of X; everything else follows from reduce_window's parameters.
template <class X, class... Tags>
struct picked_windows {
  using shape = windowed_shape<first_leaf_t<to_expr_t<X>>, Tags...>;
  static constexpr int rank = rank_in<X>;
  static constexpr int size(int i) { return shape::params.of[i]; }
  static constexpr int stride(int i) { return shape::params.of[rank + i]; }
  static constexpr int low(int i) { return shape::params.of[2 * rank + i]; }
  static constexpr bool fits = shape::has_windows;
  static constexpr int places = [] {
    int n = 1;
    for (int i = 0; i < rank; ++i) n *= size(i);
    return n;
  }();
  static constexpr aval value = shape::value;
  // Where place k stands in the operand, less stride times the window's number.
  static constexpr int offset(int k, int axis) {
    for (int i = rank - 1; i > axis; --i) k /= size(i);
    return k % size(axis) - low(axis);
  }

  // For each window the element at place k; what lies outside is `outside`.
  static constexpr handle elements_at(handle const& x, int k, handle const& outside) {
    param_list crop, cut;
    aval padded = untyped::type_of(x), out = value.with_type(padded.type);
    for (int i = 0; i < rank; ++i) crop.push(-offset(k, i));
    for (int i = 0; i < rank; ++i) {
      int const reach = offset(k, i) + (value.dims[i] - 1) * stride(i) + 1;
      crop.push(reach - padded.dims[i]);
      padded.dims[i] = reach - offset(k, i);
    }
    for (int i = 0; i < rank; ++i) crop.push(0);
    for (int i = 0; i < rank; ++i) cut.push(0);
    for (int i = 0; i < rank; ++i) cut.push(padded.dims[i]);
    for (int i = 0; i < rank; ++i) cut.push(stride(i));
    handle const all = untyped::record(prim::pad, x, outside, crop, padded);
    return untyped::record(prim::slice, all, cut, out);
  }
  // The other way: a value of each window at place k of the operand, `otherwise` where no window has that place.
  static constexpr handle placed_at(handle const& v, int k, handle const& otherwise) {
    param_list par;
    aval out = aval_in<X>;
    out = out.with_type(untyped::type_of(v).type);
    for (int i = 0; i < rank; ++i) par.push(offset(k, i));
    for (int i = 0; i < rank; ++i) par.push(out.dims[i] - offset(k, i) - ((value.dims[i] - 1) * stride(i) + 1));
    for (int i = 0; i < rank; ++i) par.push(stride(i) - 1);
    return untyped::record(prim::pad, v, otherwise, par, out);
  }

  // For each window the number of the place that `select` picks: the first one inside, and another where select(picked, it) is false.
  template <class E, class F>
  static constexpr handle picked(E const& x, F const& select_first) {
    using window = with_dtype_t<expr_from<shape>, typename E::dtype_type>;
    using flags = with_dtype_t<window, bool>;
    using indices = with_dtype_t<window, std::int32_t>;
    handle const from = untyped::from(x),
                 zero = untyped::from(literal<strong_t<typename E::dtype_type>>(strong_t<typename E::dtype_type>()));
    handle const is_inside = untyped::broadcast_to(untyped::scalar<bool>(from, true), aval_in<X>.with_type(dtype::b1)),
                 no = untyped::scalar<bool>(from, false);
    window best = untyped::as<window>(elements_at(from, 0, zero));
    flags found = untyped::as<flags>(elements_at(is_inside, 0, no));
    indices at = broadcast_shape<shape_in<indices>>(literal<std::int32_t>(0));
    for (int k = 1; k < places; ++k) {
      window const next = untyped::as<window>(elements_at(from, k, zero));
      flags const inside = untyped::as<flags>(elements_at(is_inside, k, no));
      flags const better = inside & (~found | ~select_first(best, next));
      best = where(better, next, best);
      at = where(better, k, at);
      found = found | inside;
    }
    return untyped::from(indices(where(found, at, -1)));
  }
};

template <class F, class G, class... Tags>
struct select_and_scatter_op {
  template <operand X, operand S, operand I>
  constexpr auto operator()(X const& operand_, S const& source, I const& init) const {
    using windows = picked_windows<X, Tags...>;
    using T = strong_t<type_in<X>>;
    auto const x = as_expr<T>(operand_);
    using out = std::remove_cvref_t<decltype(x)>;
    using indices = with_dtype_t<expr_from<typename windows::shape>, std::int32_t>;
    auto const at = untyped::as<indices>(windows::picked(x, F{}));
    auto const values = as_expr<T>(source);
    handle const zero = untyped::from(literal<T>(T())), no = untyped::from(literal<bool>(false));
    out r = broadcast_shape<shape_in<out>>(as_expr<T>(init));
    for (int k = 0; k < windows::places; ++k) {
      auto const here = at == k;
      auto const named = untyped::as<with_dtype_t<out, bool>>(windows::placed_at(untyped::from(here), k, no));
      auto const moved = untyped::as<out>(windows::placed_at(untyped::from(values), k, zero));
      r = where(named, G{}(r, moved), r);
    }
    return r;
  }
};
template <class F, class... Tags>
struct select_and_gather_op {
  template <operand V, operand X>
  constexpr auto operator()(V const& tangents, X const& operand_) const {
    using windows = picked_windows<X, Tags...>;
    using T = strong_t<type_in<V>>;
    auto const x = as_expr<strong_t<type_in<X>>>(operand_);
    using window = with_dtype_t<expr_from<typename windows::shape>, T>;
    auto const at = untyped::as<with_dtype_t<window, std::int32_t>>(windows::picked(x, F{}));
    auto const values = as_expr<T>(tangents);
    handle const zero = untyped::from(literal<T>(T()));
    window r = broadcast_shape<shape_in<window>>(literal<T>(T()));
    for (int k = 0; k < windows::places; ++k)
      r = where(at == k, untyped::as<window>(windows::elements_at(untyped::from(values), k, zero)), r);
    return r;
  }
};
struct sum_of_two {
  constexpr auto operator()(auto const& a, auto const& b) const { return add(a, b); }
};
template <class X, class S, class... Tags>
inline constexpr bool has_a_source_for_each_window =
    !picked_windows<X, Tags...>::fits || picked_windows<X, Tags...>::value.same_shape(aval_in<S>);
template <class X, class... Tags>
inline constexpr bool has_plain_windows = picked_windows<X, Tags...>::fits;

template <class X, class S, class... Tags>
constexpr bool check_selection() {
  static_assert(has_plain_windows<X, Tags...>,
                "exprax: select_and_scatter: window_dimensions, window_strides take one positive number for each axis, padding two");
  static_assert(has_a_source_for_each_window<X, S, Tags...>, "exprax: select_and_scatter: the source must have the shape of the windows");
  return has_plain_windows<X, Tags...> && has_a_source_for_each_window<X, S, Tags...>;
}

}  // namespace detail

namespace lax {

// An array of the shape and dtype of the operand, full of init; the value of source for each window is added, by scatter(old, value), at
// the element of the window that select(a, b) picks: a where it is true, the earlier one of two. The functions have no captures. Options:
// window_dimensions<...>, window_strides<...>, padding<...>, padding_same, padding_valid. Refused: a source that does not have the shape
// of the windows (StableHLO select_and_scatter).
inline constexpr struct select_and_scatter_function {
  template <array_like X, array_like S, array_like I, class F, class G, class... Tags>
  constexpr auto operator()(X const& operand, S const& source, I const& init, F const&, G const&, Tags...) const {
    EXPRAX_TAKES("lax::select_and_scatter", "window_dimensions, window_strides, padding", Tags...) {
      if constexpr (detail::check_selection<X, S, Tags...>())
        return detail::apply<detail::select_and_scatter_op<F, G, Tags...>>(operand, source, init);
      else return operand;  // after the error: nothing that leads to others
    } else {
      return operand;
    }
  }
} select_and_scatter{};
// select_and_scatter with init 0 and a sum: the values of source go to the elements that select picks. Shape and dtype of the operand
// (jax.lax's select_and_scatter_add).
inline constexpr struct select_and_scatter_add_function {
  template <array_like S, array_like X, class F, class... Tags>
  constexpr auto operator()(S const& source, X const& operand, F const& select, Tags... tags) const {
    EXPRAX_TAKES("lax::select_and_scatter_add", "window_dimensions, window_strides, padding", Tags...)
      return select_and_scatter(operand, source, 0, select, detail::sum_of_two{}, tags...);
    else return operand;
  }
} select_and_scatter_add{};
// For each window the value of `tangents` at the element of the operand that select picks. Shape: that of the windows; dtype of the
// tangents. Refused: tangents of another shape than the operand (jax.lax's select_and_gather_add).
inline constexpr struct select_and_gather_add_function {
  template <array_like V, array_like X, class F, class... Tags>
  constexpr auto operator()(V const& tangents, X const& operand, F const&, Tags...) const {
    EXPRAX_TAKES("lax::select_and_gather_add", "window_dimensions, window_strides, padding", Tags...) {
      static_assert(detail::has_plain_windows<X, Tags...> && detail::aval_in<V>.same_shape(detail::aval_in<X>),
                    "exprax: select_and_gather_add: tangents have the shape of the operand; window_dimensions, window_strides take one "
                    "number for each axis, padding two");
      return detail::apply<detail::select_and_gather_op<F, Tags...>>(tangents, operand);
    } else {
      return operand;
    }
  }
} select_and_gather_add{};

}  // namespace lax

}  // namespace exprax
