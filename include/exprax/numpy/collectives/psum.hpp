// SPDX-License-Identifier: BSL-1.0
// Sums over the axes that vmap has given names (jax.lax.psum, pmean, pmax, pmin), and the index along one (axis_index, axis_size):
//
//   ex::vmap([](auto x) { return x - ex::pmean(x, ex::axis_name<"i">); }, ex::axis_name<"i">)(xs)
//
// They take any pytree. A name that no vmap around the call binds is an error of the compiler. The name of an inner vmap hides the
// same name of an outer one.
#pragma once

#include <exprax/api/vmap/vmap_options.hpp>
#include <exprax/numpy/core/operators.hpp>
#include <exprax/numpy/elementwise/arithmetic.hpp>
#include <exprax/primitives/collectives/axis_names.hpp>

namespace exprax {

namespace detail {

template <fixed_string... Name>
constexpr arena<int> with_axis_names(span<int> params) {
  arena<int> all;
  for (int p : params) all.push(p);
  (push_axis_name(all, Name.view()), ...);
  return all;
}
template <class Out>
constexpr Out over_axes(Out const& x) {
  resolve(expr_access::get(x)).on->names_axes = true;
  return x;
}
// psum, pmax, pmin of a leaf. A C++ number stays weak, as in Python. The largest bool is found as an int.
template <prim P, fixed_string... Name>
struct reduce_over {
  template <class X>
  constexpr auto operator()(X const& x) const {
    auto const v = as_numeric(lift(x));
    using in = std::remove_const_t<decltype(v)>;
    using out = std::conditional_t<scalar<X>, in, with_dtype_t<in, strong_t<typename in::dtype_type>>>;
    arena<int> const axes = with_axis_names<Name...>({});
    auto const total = over_axes(detail::bind<out>(P, axes, v));
    if constexpr (P != prim::psum && std::is_same_v<typename lifted_t<X>::dtype_type, bool>) return convert_to<bool>(total);
    else return total;
  }
  template <class E>
  static constexpr auto as_numeric(E const& e) {
    return convert_to<numeric_t<typename E::dtype_type>>(e);
  }
};
template <fixed_string... Name>
struct mean_over {
  template <class X>
  constexpr auto operator()(X const& x) const {
    auto const total = reduce_over<prim::psum, Name...>{}(x);
    using type = inexact_t<typename std::remove_const_t<decltype(total)>::dtype_type>;
    auto const sum = convert_to<type>(total);
    arena<int> const axes = with_axis_names<Name...>({});
    auto const count = detail::bind<expr<strong_t<type>>>(prim::psum, axes, lit<strong_t<type>>{1});
    return detail::bind<std::remove_const_t<decltype(sum)>>(prim::div, {}, sum, count);
  }
};

// The name of an axis as text, ex::psum(x, "i").
struct takes_no_text {
  template <class X, std::size_t N, class... More>
  constexpr auto operator()(X const& x, char const (&)[N], More const&...) const {
    static_assert(is_axis_name<X>, "exprax: the name of a mapped axis is part of a type: write ex::axis_name<\"i\"> for \"i\"");
    return x;
  }
  template <class X>
  static constexpr bool is_axis_name = false;
};

}  // namespace detail

// The sum over the named axes: shape and dtype of x, bool counts as default_int. psum(1, name) is the size of the axis (jax.lax.psum).
inline constexpr struct psum_function : detail::takes_no_text {
  using takes_no_text::operator();
  template <class X, detail::fixed_string... Name>
  constexpr auto operator()(X const& x, axis_name_t<Name...>) const {
    return detail::map_values(detail::reduce_over<prim::psum, Name...>{}, x);
  }
} psum{};
// The mean over the named axes: shape of x; integers become float32 (x64: float64) (jax.lax.pmean).
inline constexpr struct pmean_function : detail::takes_no_text {
  using takes_no_text::operator();
  template <class X, detail::fixed_string... Name>
  constexpr auto operator()(X const& x, axis_name_t<Name...>) const {
    return detail::map_values(detail::mean_over<Name...>{}, x);
  }
} pmean{};
// The largest and the smallest value over the named axes; NaN if any is NaN. Shape and dtype of x (jax.lax.pmax, pmin).
inline constexpr struct pmax_function : detail::takes_no_text {
  using takes_no_text::operator();
  template <class X, detail::fixed_string... Name>
  constexpr auto operator()(X const& x, axis_name_t<Name...>) const {
    return detail::map_values(detail::reduce_over<prim::pmax, Name...>{}, x);
  }
} pmax{};
inline constexpr struct pmin_function : detail::takes_no_text {
  using takes_no_text::operator();
  template <class X, detail::fixed_string... Name>
  constexpr auto operator()(X const& x, axis_name_t<Name...>) const {
    return detail::map_values(detail::reduce_over<prim::pmin, Name...>{}, x);
  }
} pmin{};

// The index along the named axis, a scalar int32; of several names the row-major index (jax.lax.axis_index).
template <detail::fixed_string Name, detail::fixed_string... More>
constexpr auto axis_index(axis_name_t<Name, More...>);

namespace detail {

template <fixed_string Name>
constexpr expr<std::int32_t> record_axis_index() {
  handle const h = new_tape();
  arena<int> const params = with_axis_names<Name>({});
  int const type = h.on->find_static_type(expr<std::int32_t>::type);
  return over_axes(expr_access::make<expr<std::int32_t>>(h.on, h.on->record(prim::axis_index, {}, params, {&type, 1})));
}
template <fixed_string Name, fixed_string... More>
constexpr auto row_major_index() {
  if constexpr (sizeof...(More) == 0) return 0 + record_axis_index<Name>() * 1;
  else return row_major_index<More...>() + record_axis_index<Name>() * psum(1, axis_name<More...>);
}

template <size_or_name... K>
constexpr auto named_axis_size<K...>::operator()() const {
  return psum(1, axis_name<K.name...>);
}

}  // namespace detail

template <std::size_t N>
constexpr auto axis_index(char const (&name)[N]) {
  return detail::takes_no_text{}(0, name);
}
template <detail::fixed_string Name, detail::fixed_string... More>
constexpr auto axis_index(axis_name_t<Name, More...>) {
  if constexpr (sizeof...(More) == 0) return detail::record_axis_index<Name>();
  else return detail::row_major_index<Name, More...>();
}

}  // namespace exprax
