// SPDX-License-Identifier: BSL-1.0
// Elements by choice (jax.numpy): choose, by numbers of arrays; compress and extract, by conditions.
#pragma once

#include <exprax/numpy/indexing/nonzero.hpp>
#include <exprax/numpy/indexing/take.hpp>

namespace exprax {

namespace detail {

template <mode_word Mode>
struct choose_op {
  template <operand I, operand... X>
  constexpr auto operator()(I const& which, X const&... choices) const {
    using type = promote_t<type_in<X>...>;
    using shape = common_as<type, I, X...>;
    constexpr int n = static_cast<int>(sizeof...(X));
    auto const inside = [&] {
      auto const i = as_traced(which);
      if constexpr (Mode == mode_word::wrap) return remainder(i, n);
      else return clip(i, 0, n - 1);
    }();
    auto const at = broadcast_shape<shape>(convert_to<std::int32_t>(inside));
    return detail::bind<expr_from<shape>>(prim::select_n, {}, at, expr_from<shape>(broadcast_shape<shape>(as_expr<type>(choices)))...);
  }
};

// The elements of x along an axis where the condition holds; the fill value, or 0, behind them.
template <int Size, class Options>
struct compress_op {
  template <operand C, operand X, operand... Fill>
  constexpr auto operator()(C const& condition, X const& x, Fill const&... fill) const {
    auto const array = as_traced(x);
    if constexpr (Options::has_axis) return along<normal_axis(Options::axis, rank_in<X>)>(condition, array, fill...);
    else return along<0>(condition, reshaped<-1>(array), fill...);
  }

 private:
  template <int Axis, class C, class X, class... Fill>
  static constexpr auto along(C const& condition, X const& x, Fill const&... fill) {
    constexpr int n = X::type.dims[Axis];
    auto const flat = reshaped<-1>(as_traced(condition));
    auto const which = [&] {
      if constexpr (flat.size() > n) return index_read(flat, slice<0, n>);
      else return flat;
    }();
    auto const at = std::get<0>(nonzero_op<Size>{}(which, n));
    using options = index_options<axis_t<Axis>, mode_word_t<mode_word::fill>, wrap_negative_indices_t<false>>;
    if constexpr (sizeof...(Fill) == 0) return take_op<options>{}(x, at, 0);
    else return take_op<options>{}(x, at, fill...);
  }
};

// Conditions of static_asserts: compilers print the types.
template <int Size, class X, class Options>
inline constexpr bool is_a_size_of = [] {
  if constexpr (Size < 0 || !has_taken_axis<X, Options>) return false;
  else return Size <= (Options::has_axis ? aval_in<X>.dims[normal_axis(Options::axis, rank_in<X>)] : aval_in<X>.size());
}();

}  // namespace detail

// At each place the element of choice number `which`. Shapes broadcast; the dtype is the one that the choices promote to. Numbers out of
// range are clamped (mode_clip, the default), or taken modulo (mode_wrap). Refused: numbers that are not integers, no choices, shapes that
// do not broadcast (jax.numpy.choose).
inline constexpr struct choose_function {
  template <array_like I, array_like... X, detail::mode_word Mode = detail::mode_word::clip>
  constexpr auto operator()(I const& which, std::tuple<X...> const& choices, detail::mode_word_t<Mode> = {}) const {
    static_assert(detail::are_of_integers<I>, "exprax: choose: the numbers of choices must be integers");
    static_assert(sizeof...(X) > 0 && detail::broadcasts<I, X...>,
                  "exprax: choose: there must be choices, and all must broadcast together");
    return std::apply([&](auto const&... x) { return detail::apply<detail::choose_op<Mode>>(which, x...); }, choices);
  }
} choose{};
// The elements of x along axis<k>, or of the flattened x, where the condition holds: the first Size of them, then the fill value, or 0.
// [..., n, ...] -> [..., Size, ...] or [Size], dtype of x. Refused: no size, one larger than the axis, a condition that is not a vector
// (jax.numpy.compress).
template <int Size = -1, array_like C, array_like X, class... Options>
constexpr auto compress(C const& condition, X const& x, Options const&... options) {
  EXPRAX_TAKES("compress", "size<n>, axis<k>, fill_value(v)", Options...) {
    using o = detail::index_options<Options...>;
    constexpr int size = detail::result_size<Size, Options...>;
    static_assert(
        detail::is_static_size<size>,
        "exprax: compress: The size argument of jnp.compress must be specified in order to use jnp.compress within JAX transformations: "
        "ex::compress<size>(condition, x, ex::fill_value(v))");
    static_assert(size < 0 || detail::is_a_size_of<size, X, o>,
                  "exprax: compress: size must be positive and not greater than the size of the array axis");
    static_assert(detail::rank_in<C> == 1, "exprax: compress: condition must be a 1D array");
    if constexpr (size >= 0 && detail::is_a_size_of<size, X, o> && detail::rank_in<C> == 1)
      return std::apply([&](auto const&... fill) { return detail::apply<detail::compress_op<size, o>>(condition, x, fill...); },
                        detail::fill_values(options...));
    else return x;  // after the error: nothing that leads to others
  } else {
    return x;
  }
}
// compress of condition and x, both flattened: [Size], dtype of x (jax.numpy.extract).
template <int Size = -1, array_like C, array_like X, class... Options>
constexpr auto extract(C const& condition, X const& x, Options const&... options) {
  EXPRAX_TAKES("extract", "size<n>, fill_value(v)", Options...) return compress<Size>(ravel(condition), ravel(x), options...);
  else return x;
}

}  // namespace exprax
