// SPDX-License-Identifier: BSL-1.0
// ex::lax: scatter_sub and scatter_apply; and the slices, gathers and scatters that mean the same in ex.
#pragma once

#include <exprax/api/control/while_loop.hpp>
#include <exprax/numpy/indexing/dynamic.hpp>
#include <exprax/numpy/indexing/dynamic_in_dim.hpp>
#include <exprax/numpy/indexing/gather.hpp>
#include <exprax/numpy/indexing/take.hpp>
#include <exprax/numpy/reductions/reductions.hpp>

namespace exprax {

namespace detail {

// How often each element is named; f goes over all elements as often as the one that is named most, and only those named count.
template <auto N, class Options, int... Update, operand X, operand I, class F>
constexpr auto scatter_applied(X const& given, I const& indices, F const& f) {
  auto const x = as_traced(given);
  using out = std::remove_const_t<decltype(x)>;
  using counts = with_dtype_t<out, std::int32_t>;
  counts const none = broadcast_shape<shape_in<out>>(literal<std::int32_t>(0));
  auto const named =
      scatter_op<prim::scatter_add, N, Options>{}(none, indices, broadcast_shape<shape_value<Update...>>(literal<std::int32_t>(1)));
  auto const goes_on = [](auto const& state) { return any(greater(std::get<1>(state), 0)); };
  auto const step = [f](auto const& state) {
    auto const& old = std::get<0>(state);
    auto const& left = std::get<1>(state);
    return std::tuple(out(where(greater(left, 0), cast<typename out::dtype_type>(f(old)), old)), counts(subtract(left, 1)));
  };
  return std::get<0>(while_loop(goes_on, step, std::tuple(x, counts(named))));
}
template <auto N, class F, class Options, int... Update>
struct scatter_apply_op {
  template <operand X, operand I>
  constexpr auto operator()(X const& x, I const& indices) const {
    return scatter_applied<N, Options, Update...>(x, indices, F{});
  }
};

}  // namespace detail

namespace lax {

using exprax::dynamic_slice;
using exprax::dynamic_update_slice;
// x less the updates at the windows that they name; shape, dtype, options and errors as of scatter_add (jax.lax.scatter_sub).
template <scatter_dimension_numbers N, array_like X, array_like I, array_like U, class... Options>
constexpr auto scatter_sub(X const& x, I const& indices, U const& update, Options const&... options) {
  EXPRAX_TAKES("lax::scatter_sub", "mode_..., indices_are_sorted, unique_indices", Options...)
  return exprax::scatter_add<N>(x, indices, negative(update), options...);
  else return x;
}
// x with f, a function of a scalar, of each element that an update of shape Update... would reach, once for each time it does:
// scatter_apply<numbers, 3>(x, indices, f). Shape and dtype of x. On arrays f has no captures. Refused: indices that are not integers,
// numbers that do not fit (jax.lax.scatter_apply).
template <scatter_dimension_numbers N, int... Update, array_like X, array_like I, class F, class... Options>
constexpr auto scatter_apply(X const& x, I const& indices, F const& f, Options const&...) {
  EXPRAX_TAKES("lax::scatter_apply", "mode_..., indices_are_sorted, unique_indices", Options...) {
    using update = array<std::int32_t, Update...>;
    constexpr bool fits = detail::scatters<N, prim::scatter_add, X, I, update>;
    static_assert(detail::are_of_integers<I>, "exprax: scatter_apply: the indices must be integers, an index vector along the last axis");
    static_assert(fits, "exprax: scatter_apply: the dimension numbers do not fit the shapes of operand, indices and update");
    using options = detail::index_options<Options...>;
    if constexpr (!fits) return x;
    else if constexpr (detail::is_stateless<F>) return detail::apply<detail::scatter_apply_op<N, F, options, Update...>>(x, indices);
    else return detail::scatter_applied<N, options, Update...>(detail::as_operand(x), detail::as_operand(indices), f);
  } else {
    return x;
  }
}
using exprax::dynamic_index_in_dim;
using exprax::dynamic_slice_in_dim;
using exprax::dynamic_update_index_in_dim;
using exprax::dynamic_update_slice_in_dim;
using exprax::gather;
using exprax::index_in_dim;
using exprax::index_take;
using exprax::scatter;
using exprax::scatter_add;
using exprax::scatter_max;
using exprax::scatter_min;
using exprax::scatter_mul;
using exprax::slice_in_dim;

}  // namespace lax

}  // namespace exprax
