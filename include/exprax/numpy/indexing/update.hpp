// SPDX-License-Identifier: BSL-1.0
// What an update of x.at(index...) records (numpy/indexing/at.hpp): the value in the shape of the region, the region or the index
// vector, and a scatter.
#pragma once

#include <exprax/numpy/indexing/gather_indices.hpp>
#include <exprax/numpy/indexing/indexing.hpp>
#include <exprax/numpy/shape/joining.hpp>

namespace exprax::detail {

// How a value of the shape of V covers the region that Plan selects in E.
template <class Plan, class V>
struct update_plan {
  static constexpr index_plan const& p = Plan::plan;
  static constexpr bool fits = [] {
    broadcast_result const r = broadcast(aval_in<V>, p.result);
    return r.fits && r.shape.same_shape(p.result);
  }();
  // Axes of the value that meet a newaxis: they have size 1, and go.
  static constexpr axis_set dropped = [] {
    axis_set s;
    for (int k = 0; k < p.n_new; ++k) {
      int const axis = p.newaxis[k] - (p.result.rank - rank_in<V>);
      if (axis >= 0) s.of[s.n++] = axis;
    }
    return s;
  }();
  struct axes {
    static constexpr axis_set value = dropped;
  };
  // The axes of the region that integers do not select.
  struct region {
    static constexpr aval value = p.squeezed;
  };
  // Axes of the value, without those dropped, are the last ones.
  static constexpr param_list params = [] {
    aval const& to = p.squeezed;
    param_list l;
    for (int i = 0; i < to.rank; ++i) l.push(to.dims[i]);
    for (int left = rank_in<V> - dropped.n; left > 0; --left) l.push(to.rank - left);
    return l;
  }();
  static constexpr param_list reversed = [] {
    param_list l;
    for (int k = 0; k < p.n_rev; ++k) {
      int axis = p.rev[k];
      for (int j = 0; j < p.rev[k]; ++j) axis -= p.indexed[j];
      l.push(axis);
    }
    return l;
  }();
};

// v with exactly the shape of the region.
template <class T, class Plan, class V>
constexpr auto to_region(V const& v) {
  using plan = update_plan<Plan, V>;
  using region = typename plan::region;
  auto const s = squeezed<typename plan::axes>(v);
  using from = std::remove_const_t<decltype(s)>;
  using out = with_dtype_t<expr_from<region>, T>;
  if constexpr (region::value.same_shape(from::type) && Plan::plan.n_rev == 0) {
    return s;
  } else {
    auto const b = [&] {
      if constexpr (region::value.same_shape(from::type))
        return s;
      else
        return detail::bind<out>(prim::broadcast_in_dim, plan::params, s);
    }();
    if constexpr (rank_in<V> > 0 && Plan::plan.n_rev > 0)
      return detail::bind<out>(prim::rev, plan::reversed, b);
    else
      return b;
  }
}

// v with dtype T, on the tape of x if it is a number.
template <class T, class E, class V>
constexpr auto update_value(E const& x, V const& v) {
  if constexpr (number<V>) {
    return constant<expr<T>>(expr_access::get(x), element_patterns(cast<T>(v).value).of);
  } else {
    return expr_like<V, T>(cast<T>(v));
  }
}

// x with dtype T again as E has it.
template <class E, class X>
constexpr E restored(X const& x) {
  return cast<typename E::dtype_type>(x);
}

// The index vector of a scatter: one number for each axis that an index or a part selects from.
template <class Plan, class E>
struct scatter_plan {
  static constexpr index_plan const& p = Plan::plan;
  static constexpr param_list axes = [] {
    param_list l;
    for (int a = 0; a < Plan::rank; ++a)
      if (p.indexed[a] || !p.range[a].whole(E::type.dims[a])) l.push(a);
    return l;
  }();
  static constexpr param_list params = [] {
    param_list l;
    l.push(p.squeezed.rank);
    for (int i = 0; i < p.squeezed.rank; ++i) l.push(i);
    l.push(p.n_squeeze);
    for (int k = 0; k < p.n_squeeze; ++k) l.push(p.squeeze[k]);
    l.push(axes.n);
    for (int k = 0; k < axes.n; ++k) l.push(axes.at[k]);
    l.push(1);  // the indices are sorted
    l.push(1);  // and unique
    l.push(static_cast<int>(index_mode::fill_or_drop));
    l.push(0);  // no batching axes, of x and of the indices
    l.push(0);
    return l;
  }();
  static constexpr int count = axes.n;
};

// Of the indices of a scatter the traced ones: wrapped, then as int32.
template <class I>
constexpr int wrapped_source(I const&, int) {
  return 0;
}
template <class T>
constexpr expr<T> wrapped_source(expr<T> const& i, int n) {
  return wrapped(i, n);
}
constexpr handle strong_handle(int) { return {}; }
template <class T>
constexpr handle strong_handle(expr<T> const& i) {
  return expr_access::get(convert_to<std::int32_t>(i));
}

template <prim P, class Plan, class E, class V, class... I>
constexpr E update_dynamic(E const& x, V const& value, I const&... index) {
  using type = promote_t<type_in<E>, type_in<V>>;
  using plan = scatter_plan<Plan, E>;
  constexpr index_plan const& p = Plan::plan;
  int const values[] = {static_value(index)..., 0};
  arena<handle> traced;
  [&]<int... K>(std::integer_sequence<int, K...>) {
    std::tuple const all{wrapped_source(index, Plan::size_for(K))...};
    (traced.push(strong_handle(std::get<K>(all))), ...);
  }(std::make_integer_sequence<int, sizeof...(I)>{});

  arena<handle> parts;
  handle const on = expr_access::get(x);
  int const one[] = {1};
  for (int k = 0; k < plan::count; ++k) {
    int const a = plan::axes.at[k];
    int const known = p.indexed[a] ? values[p.source[a]] : p.range[a].start;
    handle h;
    if (p.traced[a])
      h = traced[p.source[a]];
    else
      h = scalar_handle<std::int32_t>(on, known < 0 ? known + E::type.dims[a] : known);
    parts.push(
        expr_access::get(detail::bind<expr<std::int32_t, 1>>(prim::broadcast_in_dim, one, expr_access::make<expr<std::int32_t>>(h))));
  }
  expr<std::int32_t, plan::count> const indices = [&] {
    if constexpr (plan::count == 1)
      return expr_access::make<expr<std::int32_t, 1>>(parts[0]);
    else
      return bind_list<expr<std::int32_t, plan::count>>(prim::concatenate, axis_params<0>, parts);
  }();
  auto&& target = cast<type>(x);
  auto const v = to_region<type, Plan>(update_value<type>(x, value));
  return restored<E>(detail::bind<expr_like<E, type>>(P, plan::params, target, indices, v));
}

// By arrays of indices, or with a mode: a scatter at general index vectors (jax._src.ops.scatter._scatter_impl).
constexpr scatter_dimension_numbers transposed(gather_dimension_numbers const& n) {
  return {n.offset_dims, n.collapsed_slice_dims, n.start_index_map, n.operand_batching_dims, n.start_indices_batching_dims};
}
template <prim P, class Options, class E, class V, class... I>
constexpr auto update_gathered(E const& x, V const& value, I const&... index) {
  static_assert(has_few_axes<E, I...>, "exprax: what the index selects has more than 8 axes");
  using by = gathered<E, I...>;
  constexpr gather_plan const& g = by::plan;
  if constexpr (!g.valid || g.windows.size() == 0 || E::size() == 0) {
    return x;
  } else {
    using type = promote_t<type_in<E>, type_in<V>>;
    handle const at = index_vectors_for<Options>(x, index...);
    auto&& target = cast<type>(x);
    using target_type = std::remove_cvref_t<decltype(target)>;
    aval const shape = aval(g.result).with_type(dtype_of<type>, is_weak<type>);
    handle v = untyped::broadcast_to(expr_access::get(update_value<type>(x, value)), shape);
    if (g.newaxis.n > 0)
      v = equation(prim::squeeze, v, {g.newaxis.of, g.newaxis.n}, aval(g.windows).with_type(dtype_of<type>, is_weak<type>));
    if (g.reversed.n > 0)
      v = equation(prim::rev, v, {g.reversed.of, g.reversed.n}, aval(g.windows).with_type(dtype_of<type>, is_weak<type>));
    handle const in[] = {expr_access::get(target), at, v};
    long_param_list const params = scatter_params(transposed(g.numbers), primitive_mode(Options::mode, false),
                                                  Options::sorted || !g.advanced, Options::unique || !g.advanced);
    return restored<E>(expr_access::make<target_type>(equation(P, in, params, target_type::type)));
  }
}

}  // namespace exprax::detail
