// SPDX-License-Identifier: BSL-1.0
// x(i, j), x(all, slice<1, -1>), x(newaxis, ellipsis): reads by NumPy's indexing. Integers known while tracing give
// slice + squeeze, traced ones dynamic_slice + squeeze, arrays of integers a gather (numpy/indexing/gather_indices.hpp). Negative integers
// count from the end; one that is still out of range is clamped.
#pragma once

#include <exprax/numpy/indexing/gather_indices.hpp>
#include <exprax/numpy/indexing/index_plan.hpp>
#include <exprax/numpy/shape/shaping.hpp>

namespace exprax::detail {

template <class T>
  requires(is_integer(dtype_of<T>))
struct item_of<expr<T>> {
  static constexpr index_item value{index_kind::traced};
};
template <class T, int... D>
  requires(is_integer(dtype_of<T>) && sizeof...(D) > 0)
struct item_of<expr<T, D...>> {
  static constexpr index_item value{index_kind::array, false, false, 0, 0, 1, expr<T, D...>::type};
};
template <class T, int... D>
  requires(is_bool(dtype_of<T>))
struct item_of<expr<T, D...>> {
  static constexpr index_item value{index_kind::mask, false, false, 0, 0, 1, expr<T, D...>::type};
};
template <class I>
  requires(static_constant<I> && std::integral<typename number_type<I>::type>)
struct item_of<I> {
  static constexpr index_item value{index_kind::integer};
};

// What the types of the indices decide, as an aval and lists of parameters.
template <class E, class... I>
struct indexed {
  static constexpr index_plan plan = [] {
    index_item const items[] = {item_of<I>::value..., index_item{}};
    return plan_index(E::type, items, static_cast<int>(sizeof...(I)));
  }();
  static constexpr int rank = E::rank;
  static constexpr bool whole = [] {
    for (int a = 0; a < rank; ++a)
      if (plan.indexed[a] || !plan.range[a].whole(E::type.dims[a])) return false;
    return true;
  }();

  struct sliced {
    static constexpr aval value = plan.sliced;
  };
  struct squeezed {
    static constexpr aval value = plan.squeezed;
  };
  struct result {
    static constexpr aval value = plan.result;
  };
  static constexpr param_list slice_params = [] {
    param_list l;
    for (int a = 0; a < rank; ++a) l.push(plan.range[a].start);
    for (int a = 0; a < rank; ++a) l.push(plan.range[a].limit);
    for (int a = 0; a < rank && plan.strided; ++a) l.push(plan.range[a].stride);
    return l;
  }();
  static constexpr param_list sizes = [] {
    param_list l;
    for (int a = 0; a < rank; ++a) l.push(plan.sliced.dims[a]);
    return l;
  }();
  static constexpr param_list rev_params = [] {
    param_list l;
    for (int k = 0; k < plan.n_rev; ++k) l.push(plan.rev[k]);
    return l;
  }();
  static constexpr param_list squeeze_params = [] {
    param_list l;
    for (int k = 0; k < plan.n_squeeze; ++k) l.push(plan.squeeze[k]);
    return l;
  }();
  static constexpr param_list expand_params = [] {
    axis_set s;
    for (int k = 0; k < plan.n_new; ++k) s.of[s.n++] = plan.newaxis[k];
    return expand(plan.squeezed, s).params;
  }();

  // The size of the axis that an argument selects from.
  static constexpr int size_for(int argument) {
    for (int a = 0; a < rank; ++a)
      if (plan.indexed[a] && plan.source[a] == argument) return E::type.dims[a];
    return 0;
  }
};

// Conditions of static_asserts: compilers print the types of the array and of the indices.
template <class E, class... I>
inline constexpr bool are_indices = indexed<E, I...>::plan.valid && !indexed<E, I...>::plan.two_ellipses;
template <class E, class... I>
inline constexpr bool has_axes_for = !indexed<E, I...>::plan.too_many;

// A static index as 0 <= i < n.
constexpr int clamp_index(int i, int n) {
  int const k = i < 0 ? i + n : i;
  return k < 0 ? 0 : k >= n ? n - 1 : k;
}

// A traced index, wrapped once if it is negative.
template <class T>
constexpr expr<T> wrapped(expr<T> const& i, int n) {
  if constexpr (is_unsigned_integer(dtype_of<T>)) {
    return i;
  } else {
    auto const negative = detail::bind<expr<bool>>(prim::lt, {}, i, lit<T>{});
    auto const from_end = detail::bind<expr<T>>(prim::add, {}, i, lit<T>{static_cast<strong_t<T>>(n)});
    return detail::bind<expr<T>>(prim::select_n, {}, negative, i, from_end);
  }
}
// A start of dynamic_slice. JAX adds the size as int32, so a weak index becomes strong there.
template <class T>
constexpr auto wrapped_start(expr<T> const& i, int n) {
  if constexpr (!is_weak<T> || is_unsigned_integer(dtype_of<T>)) {
    return wrapped(i, n);
  } else {
    using type = strong_t<T>;
    auto const negative = detail::bind<expr<bool>>(prim::lt, {}, i, lit<T>{});
    auto const from_end = detail::bind<expr<type>>(prim::add, {}, convert_to<type>(i), lit<type>{static_cast<type>(n)});
    return detail::bind<expr<type>>(prim::select_n, {}, negative, i, from_end);
  }
}
template <class T>
constexpr handle scalar_handle(handle const& on, T value) {
  return expr_access::get(constant<expr<T>>(on, element_patterns(value).of));
}

// The dtype of a traced index.
template <class I>
inline constexpr dtype index_dtype = dtype::i32;
template <class T>
inline constexpr dtype index_dtype<expr<T>> = dtype_of<T>;

// What a start index is made of: several must have one dtype, so JAX converts all of them before it wraps them.
template <class I>
constexpr auto start_source(bool, I const&) {
  return 0;
}
template <class T>
constexpr auto start_source(std::bool_constant<true>, expr<T> const& i) {
  return convert_to<std::int32_t>(i);
}
template <class T>
constexpr auto start_source(std::bool_constant<false>, expr<T> const& i) {
  return i;
}
template <class T>
constexpr handle start_handle(expr<T> const& i, int n) {
  return expr_access::get(wrapped_start(i, n));
}

// The values of the indices that are known while tracing, by argument.
template <class I>
constexpr int static_value(I const& i) {
  if constexpr (item_of<I>::value.kind == index_kind::integer)
    return static_cast<int>(i);
  else
    return 0;
}

template <class Plan, class E, class... I>
constexpr auto read_dynamic(E const& e, I const&... index) {
  constexpr index_plan const& p = Plan::plan;
  constexpr bool all_int32 = ((item_of<I>::value.kind != index_kind::traced || index_dtype<I> == dtype::i32) && ...);
  constexpr std::bool_constant<(Plan::rank > 1 || !all_int32)> convert;
  std::tuple const sources{start_source(convert, index)...};
  int const values[] = {static_value(index)..., 0};
  arena<handle> operands;
  operands.push(expr_access::get(e));
  // JAX wraps starts that it knows as it wraps the others.
  auto const push_start = [&]<int A>(std::integral_constant<int, A>) {
    constexpr int n = E::type.dims[A];
    if constexpr (p.traced[A]) {
      operands.push(start_handle(std::get<p.source[A]>(sources), n));
    } else {
      int const start = p.indexed[A] ? values[p.source[A]] : p.range[A].start;
      operands.push(index_in_axis(scalar_handle<std::int32_t>(operands[0], start), n, true, false));
    }
  };
  [&]<int... A>(std::integer_sequence<int, A...>) {
    (push_start(std::integral_constant<int, A>{}), ...);
  }(std::make_integer_sequence<int, Plan::rank>{});
  return bind_list<expr_from<typename Plan::sliced>>(prim::dynamic_slice, Plan::sizes, operands);
}

template <class Plan, class E, class... I>
constexpr auto read_static(E const& e, I const&... index) {
  param_list params = Plan::slice_params;
  int const values[] = {static_value(index)..., 0};
  for (int a = 0; a < Plan::rank; ++a)
    if (Plan::plan.indexed[a]) {
      int const i = clamp_index(values[Plan::plan.source[a]], E::type.dims[a]);
      params.at[a] = i;
      params.at[Plan::rank + a] = i + 1;
    }
  return detail::bind<expr_from<typename Plan::sliced>>(prim::slice, params, e);
}

// The part of each axis that the indices select, before axes vanish and appear.
template <class Plan, class E, class... I>
constexpr auto selected(E const& e, I const&... index) {
  if constexpr (Plan::plan.dynamic)
    return read_dynamic<Plan>(e, index...);
  else if constexpr (Plan::whole)
    return e;
  else
    return read_static<Plan>(e, index...);
}
template <class Plan, class E>
constexpr auto reversed(E const& e) {
  if constexpr (Plan::plan.n_rev > 0)
    return detail::bind<E>(prim::rev, Plan::rev_params, e);
  else
    return e;
}
template <class Plan, class E>
constexpr auto without_indexed_axes(E const& e) {
  if constexpr (Plan::plan.n_squeeze > 0)
    return detail::bind<expr_from<typename Plan::squeezed>>(prim::squeeze, Plan::squeeze_params, e);
  else
    return e;
}
template <class Plan, class E>
constexpr auto with_new_axes(E const& e) {
  if constexpr (Plan::plan.n_new > 0)
    return detail::bind<expr_from<typename Plan::result>>(prim::broadcast_in_dim, Plan::expand_params, e);
  else
    return e;
}

// Conditions of static_asserts: compilers print the types of the array and of the indices.
template <class E, class... I>
inline constexpr bool are_concrete = !indexed<E, I...>::plan.masked;
template <class E, class... I>
inline constexpr bool broadcast_together = !indexed<E, I...>::plan.advanced || gathered<E, I...>::plan.broadcasts;
template <class E, class... I>
inline constexpr bool is_gathered =
    indexed<E, I...>::plan.advanced || (indexed<E, I...>::plan.dynamic && indexed<E, I...>::plan.strided);

template <class T, int... D, class... I>
constexpr auto index_read(expr<T, D...> const& e, I const&... index) {
  using E = expr<T, D...>;
  if constexpr ((becomes_an_index<I> || ...)) {
    return index_read(e, as_index(index)...);
  } else if constexpr ((index_option<I> || ...)) {
    return read_selected(e, index...);
  } else {
    static_assert(
        are_concrete<E, I...>,
        "exprax: NonConcreteBooleanIndexError: Array boolean indices must be concrete; how many elements x(mask) selects is not known "
        "while compiling: use ex::where(mask, x, 0), or give a size: x(mask, ex::size<n>, ex::fill_value(v))");
    static_assert(
        are_indices<E, I...>,
        "exprax: an index must be a C++ int, a traced integer scalar, ex::all, ex::slice<...>, ex::newaxis, one ex::ellipsis, or an array "
        "of integers");
    static_assert(has_axes_for<E, I...>, "exprax: too many indices for the array");
    static_assert(broadcast_together<E, I...>,
                  "exprax: the arrays of indices do not broadcast together: counted from the last axis, sizes must be equal or 1");
    using plan = indexed<E, I...>;
    if constexpr (!are_concrete<E, I...> || !are_indices<E, I...> || !has_axes_for<E, I...> || !broadcast_together<E, I...>)
      return e;  // after the error: nothing that leads to others
    else if constexpr (is_gathered<E, I...>)
      return read_gathered<index_options<>>(e, std::tuple<>{}, index...);
    else
      return with_new_axes<plan>(without_indexed_axes<plan>(reversed<plan>(selected<plan>(e, index...))));
  }
}

// One element by C++ ints: the same two equations, in few constexpr steps, as loops that are unrolled while tracing read thousands.
inline constexpr int first_axes[max_rank] = {0, 1, 2, 3, 4, 5, 6, 7};
template <class T, int... D>
using unit_expr = expr<T, (D * 0 + 1)...>;
template <class T, int... D, std::integral... I>
  requires(sizeof...(I) == sizeof...(D) && sizeof...(D) > 0 && !(std::same_as<I, bool> || ...))
constexpr expr<T> index_read(expr<T, D...> const& e, I const&... index) {
  if (((static_cast<int>(index) < 0 || static_cast<int>(index) >= D) || ...))
    return index_read(e, clamp_index(static_cast<int>(index), D)...);
  int const params[] = {static_cast<int>(index)..., static_cast<int>(index) + 1 ...};
  return expr_access::bind_twice<unit_expr<T, D...>, expr<T>>(prim::slice, params, prim::squeeze,
                                                              {first_axes, static_cast<int>(sizeof...(D))}, e);
}

}  // namespace exprax::detail
