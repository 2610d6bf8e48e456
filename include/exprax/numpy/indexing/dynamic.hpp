// SPDX-License-Identifier: BSL-1.0
// Blocks at positions that are known at run time only (jax.lax): dynamic_slice<sizes...>(x, i, ...) and dynamic_update_slice; along
// one axis: numpy/indexing/dynamic_in_dim.hpp. A start is clamped so that the block fits; a negative one counts from the end.
#pragma once

#include <exprax/numpy/indexing/indexing.hpp>

namespace exprax {

namespace detail {

constexpr int clamp_start(int i, int n, int size) {
  int const k = i < 0 ? i + n : i;
  return k < 0 ? 0 : k > n - size ? n - size : k;
}

template <class X, int... Sizes>
struct window_shape {
  static constexpr aval value{aval_in<X>.type, {Sizes...}, aval_in<X>.weak};
  static constexpr int params[sizeof...(Sizes)] = {Sizes...};
  static constexpr bool fits = [] {
    if (static_cast<int>(sizeof...(Sizes)) != rank_in<X>) return false;
    for (int i = 0; i < rank_in<X>; ++i)
      if (value.dims[i] < 0 || value.dims[i] > aval_in<X>.dims[i]) return false;
    return true;
  }();
};

template <class T>
using start_type = std::conditional_t<std::is_same_v<strong_t<T>, std::int32_t>, T, std::int32_t>;

// A known start as an int; what no int holds is as far away as an int can be.
template <class I>
constexpr int near_int(I i) {
  constexpr int most = 0x7fffffff;
  if (i > 0 && static_cast<std::uint64_t>(i) > static_cast<std::uint64_t>(most)) return most;
  if constexpr (std::is_signed_v<I>) return static_cast<std::int64_t>(i) < -most ? -most : static_cast<int>(i);
  else return static_cast<int>(i);
}
// A traced start in an axis of n, as int32, negative ones counted from the end. What int32 does not hold is clamped in its own dtype.
template <class I>
constexpr auto traced_start(I const& i, int n) {
  using type = strong_t<type_in<I>>;
  if constexpr (sizeof(type) == 8 || std::is_same_v<type, std::uint32_t>) {
    using value = lit<type>;
    return convert_to<std::int32_t>(detail::bind<expr<type>>(prim::clamp, {}, value{0}, wrapped(i, n), value{static_cast<type>(n)}));
  } else {
    return wrapped_start(convert_to<start_type<type_in<I>>>(i), n);
  }
}

// The handles of start indices: traced ones wrapped, known ones clamped.
template <class X, class Window, class... I>
constexpr void push_starts(arena<handle>& to, I const&... start) {
  int axis = 0;
  auto const each = [&](auto const& i) {
    int const n = aval_in<X>.dims[axis];
    if constexpr (tracer<decltype(i)>) {
      to.push(expr_access::get(traced_start(i, n)));
    } else {
      to.push(scalar_handle<std::int32_t>(to[0], clamp_start(near_int(i), n, Window::value.dims[axis])));
    }
    ++axis;
  };
  (each(start), ...);
}

template <int... Sizes>
struct dynamic_slice_op {
  template <tracer X, operand... I>
  constexpr auto operator()(X const& x, I const&... start) const {
    using window = window_shape<X, Sizes...>;
    if constexpr ((number<I> && ...)) {
      // Nothing is dynamic.
      int const starts[] = {near_int(start)...};
      param_list params;
      for (int a = 0; a < X::rank; ++a) params.push(clamp_start(starts[a], X::type.dims[a], window::value.dims[a]));
      for (int a = 0; a < X::rank; ++a) params.push(params.at[a] + window::value.dims[a]);
      return detail::bind<expr_from<window>>(prim::slice, params, x);
    } else {
      arena<handle> operands;
      operands.push(expr_access::get(x));
      push_starts<X, window>(operands, start...);
      return bind_list<expr_from<window>>(prim::dynamic_slice, window::params, operands);
    }
  }
};
struct dynamic_update_slice_op {
  template <tracer X, operand U, operand... I>
  constexpr X operator()(X const& x, U const& update, I const&... start) const {
    auto const u = as_expr<type_in<X>>(update);
    arena<handle> operands;
    operands.push(expr_access::get(x));
    push_starts<X, shape_in<U>>(operands, start...);
    arena<handle> all;
    all.push(operands[0]);
    all.push(expr_access::get(u));
    for (int k = 1; k < operands.size(); ++k) all.push(operands[k]);
    return bind_list<X>(prim::dynamic_update_slice, {}, all);
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X, class Window>
inline constexpr bool window_fits = Window::fits;
template <class X, class U>
inline constexpr bool update_fits = [] {
  if (rank_in<U> != rank_in<X>) return false;
  for (int i = 0; i < rank_in<U>; ++i)
    if (aval_in<U>.dims[i] > aval_in<X>.dims[i]) return false;
  return true;
}();
template <class X, class... I>
inline constexpr bool can_start = sizeof...(I) == rank_in<X> && ((rank_in<I> == 0 && is_integer(aval_in<I>.type)) && ...);

}  // namespace detail

// The block of x of the given sizes at the start indices, integer scalars, one for each axis: [n, ...] -> [Sizes...], dtype of x. A
// negative start counts from the end; then the start is clamped so that the block fits. Refused: sizes that are not one for each axis, or
// larger than it; starts that are not one integer scalar for each axis (jax.lax.dynamic_slice, StableHLO dynamic_slice). The starts may be
// a tuple, and the sizes a shape behind it: dynamic_slice(x, tuple(i, j), shape<2, 3>).
template <int... Sizes, array_like X, array_like... I>
constexpr auto dynamic_slice(X const& x, I const&... start) {
  static_assert(detail::window_fits<X, detail::window_shape<X, Sizes...>>,
                "exprax: dynamic_slice: give a size for each axis, none larger than the operand's");
  static_assert(detail::can_start<X, I...>, "exprax: dynamic_slice: give an integer scalar for each axis as its start index");
  return detail::apply<detail::dynamic_slice_op<Sizes...>>(x, start...);
}
template <int... Sizes, array_like X, array_like... I>
constexpr auto dynamic_slice(X const& x, std::tuple<I...> const& start) {
  return std::apply([&](I const&... i) { return dynamic_slice<Sizes...>(x, i...); }, start);
}
template <array_like X, array_like... I, int... Sizes>
constexpr auto dynamic_slice(X const& x, std::tuple<I...> const& start, shape_t<Sizes...>) {
  return dynamic_slice<Sizes...>(x, start);
}
// x with the block at the start indices replaced by `update`; starts as in dynamic_slice. Shape and dtype are those of x; the update is
// converted to this dtype. Refused: an update of another rank, or larger than x along an axis; starts that are not one integer scalar for
// each axis (jax.lax.dynamic_update_slice, StableHLO dynamic_update_slice).
inline constexpr struct dynamic_update_slice_function {
  template <array_like X, array_like U, array_like... I>
  constexpr auto operator()(X const& x, U const& update, I const&... start) const {
    static_assert(detail::update_fits<X, U>,
                  "exprax: dynamic_update_slice: the update must have the rank of the operand, and no larger axis");
    static_assert(detail::can_start<X, I...>, "exprax: dynamic_update_slice: give an integer scalar for each axis as its start index");
    return detail::apply<detail::dynamic_update_slice_op>(x, update, start...);
  }
  template <array_like X, array_like U, array_like... I>
  constexpr auto operator()(X const& x, U const& update, std::tuple<I...> const& start) const {
    return std::apply([&](I const&... i) { return (*this)(x, update, i...); }, start);
  }
} dynamic_update_slice{};

}  // namespace exprax
