// SPDX-License-Identifier: BSL-1.0
// Where an array is not zero, for a number of places known in advance (jax.numpy): nonzero<size>(x, fill_value(v)), where<size>(mask),
// flatnonzero<size>, argwhere<size>, and x(mask, size<n>, fill_value(v)). The first `size` places in row-major order; if there are
// fewer, the fill value stands for the others: 0 if none is given, one for all axes, or one for each: fill_value(v, w).
// NaN is not zero, -0.0 is.
#pragma once

#include <exprax/numpy/reductions/cumulative.hpp>
#include <exprax/numpy/shape/transpose.hpp>
#include <exprax/numpy/statistics/bincount.hpp>

namespace exprax {

namespace detail {

// A number on the tape of a value.
template <class Near>
constexpr expr<default_int> int_near(Near const& x, int n) {
  std::uint64_t const bits = to_bits(default_int{n});
  return constant<expr<default_int>>(expr_access::get(x), {&bits, 1});
}
template <class Places, class Missing, class... Fill, int... Axis>
constexpr auto filled_places(Places const& found, Missing const& missing, std::tuple<Fill...> const& values,
                             std::integer_sequence<int, Axis...>) {
  return std::tuple(where(missing, std::get<sizeof...(Fill) == 1 ? 0 : Axis>(values), std::get<Axis>(found))...);
}

// jnp.nonzero of a mask: the bins of the running count say how many elements stand before each place; their running sum is where
// it is. So texts show it; what runs is a loop (primitives/indexed/nonzero.hpp).
template <int Size>
struct places_body {
  template <tracer Mask, operand... Fill>
  constexpr auto operator()(Mask const& mask, Fill const&... fill) const {
    return each_axis(mask, std::make_integer_sequence<int, Mask::rank>{}, fill...);
  }

 private:
  // The place of a flat index along an axis.
  template <class X, int Axis, class Flat>
  static constexpr auto along(Flat const& flat) {
    constexpr int stride = [] {
      int n = 1;
      for (int i = Axis + 1; i < X::rank; ++i) n *= X::type.dims[i];
      return n;
    }();
    auto const rows = named_call<floor_divide_body>("floor_divide", flat, int_near(flat, stride));
    return named_call<remainder_body>("remainder", rows, X::type.dims[Axis]);
  }
  template <class X, int... Axis, class... Fill>
  static constexpr auto each_axis(X const& mask, std::integer_sequence<int, Axis...> all, Fill const&... fill) {
    using places = expr<default_int, Size>;
    auto const running = named_call<cumulative_body<prim::cumsum, running_tags<>>>("cumsum", mask);
    auto const before = binned<Size>(running, 1);
    auto const flat = named_call<cumulative_body<prim::cumsum, running_tags<>>>("cumsum", before);
    std::tuple const found{places(along<X, Axis>(flat))...};
    if constexpr (sizeof...(Fill) == 0) {
      return found;
    } else {
      auto const order = broadcasted_iota_near<default_int, 0, Size>(mask);
      return filled_places(found, greater_equal(order, sum(mask)), std::tuple(fill...), all);
    }
  }
};
// Values that leave the places what they are: default_int.
template <class Fill>
inline constexpr bool fills_places =
    rank_in<Fill> == 0 && is_integer(aval_in<Fill>.type) && std::is_same_v<promote_t<type_in<Fill>, default_int>, default_int>;

template <int Size>
struct nonzero_op {
  template <operand X, operand... Fill>
  constexpr auto operator()(X const& x, Fill const&... fill) const {
    auto const traced = as_traced(x);
    return each_axis(traced, std::make_integer_sequence<int, rank_in<X>>{}, fill...);
  }

 private:
  template <class X, int... Axis, class... Fill>
  static constexpr auto each_axis(X const& x, std::integer_sequence<int, Axis...> all, Fill const&... fill) {
    if constexpr (X::size() == 0 || Size == 0) {
      expr<default_int, Size> const none = broadcast_shape<shape_value<Size>>(int_near(x, 0));
      std::tuple const places((static_cast<void>(Axis), none)...);
      if constexpr (sizeof...(Fill) == 0 || Size == 0) return places;
      else return filled_places(places, greater_equal(none, int_near(none, 0)), std::tuple(fill...), all);
    } else if constexpr (sizeof...(Fill) == 0) {
      return record(to_bool(x));
    } else if constexpr ((fills_places<Fill> && ...)) {
      std::tuple const values(fill...);
      return record(to_bool(x), as_traced(std::get<sizeof...(Fill) == 1 ? 0 : Axis>(values))...);
    } else {
      return places_body<Size>{}(to_bool(x), fill...);
    }
  }
  template <class Mask, class... Fill>
  static constexpr auto record(Mask const& mask, Fill const&... fill) {
    int const params[] = {Size, Mask::rank, static_cast<int>(dtype_of<default_int>)};
    auto const write = [&](tape* t, arena<int> const& operands, arena<int> const& types, int block) {
      return t->record(prim::nonzero, operands, params, types, {&block, 1});
    };
    return record_with_block(write, places_body<Size>{}, mask, fill...);
  }
};
template <int Size>
struct flatnonzero_op {
  template <operand X, operand... Fill>
  constexpr auto operator()(X const& x, Fill const&... fill) const {
    return std::get<0>(nonzero_op<Size>{}(reshaped<-1>(as_traced(x)), fill...));
  }
};
template <int Size>
struct argwhere_op {
  template <operand X, operand... Fill>
  constexpr auto operator()(X const& x, Fill const&... fill) const {
    if constexpr (rank_in<X> == 0) return filled<default_int, Size, 0>(0);
    else return transpose(vstack(nonzero_op<Size>{}(as_traced(x), fill...)));
  }
};
// The first Size elements of x where the mask is true. The mask has the shape of the first axes of x.
template <int Size>
struct compress_mask_op {
  template <operand X, operand Mask, operand... Fill>
  constexpr auto operator()(X const& x, Mask const& mask, Fill const&... fill) const {
    auto const array = as_traced(x);
    auto const which = as_traced(mask);
    constexpr int n = static_cast<int>(std::remove_const_t<decltype(which)>::size());
    auto const at = std::get<0>(nonzero_op<Size>{}(reshaped<-1>(which), n));
    auto const rows = flattened<rank_in<Mask>>(array, std::make_integer_sequence<int, rank_in<X> - rank_in<Mask>>{});
    if constexpr (sizeof...(Fill) == 0) return read_gathered<index_options<mode_word_t<mode_word::fill>>>(rows, std::tuple(0), at);
    else return read_gathered<index_options<mode_word_t<mode_word::fill>>>(rows, std::tuple(fill...), at);
  }

 private:
  template <int Lead, class X, int... K>
  static constexpr auto flattened(X const& x, std::integer_sequence<int, K...>) {
    constexpr int rows = [] {
      int n = 1;
      for (int i = 0; i < Lead; ++i) n *= X::type.dims[i];
      return n;
    }();
    return reshaped<rows, X::type.dims[Lead + K]...>(x);
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X>
inline constexpr bool is_not_a_scalar = rank_in<X> > 0;
// The size in the brackets, nonzero<n>(x), or among the options.
template <int Size, class... Options>
constexpr int size_of_result() {
  static_assert(Size < 0 || index_options<Options...>::size < 0,
                "exprax: the size of the result is given twice: in the brackets, f<n>(x), and as ex::size<n>");
  return Size >= 0 ? Size : index_options<Options...>::size;
}
template <int Size, class... Options>
inline constexpr int result_size = size_of_result<Size, Options...>();
template <class X>
constexpr bool fills_axes_of() {
  return true;
}
template <class X, class First, class... Rest>
constexpr bool fills_axes_of() {
  if constexpr (option_traits<First>::fill) {
    constexpr int n = static_cast<int>(std::tuple_size_v<decltype(First::values)>);
    return n == 1 || n == rank_in<X>;
  } else {
    return fills_axes_of<X, Rest...>();
  }
}
template <class X, class... Options>
inline constexpr bool has_a_fill_value_for_each_axis = fills_axes_of<X, Options...>();

template <class Op, class X, class... Options>
constexpr auto apply_with_fill(X const& x, Options const&... options) {
  return std::apply([&](auto const&... fill) { return apply<Op>(x, fill...); }, fill_values(options...));
}

template <class E, class Mask, class... Options>
constexpr auto selected_by_mask(E const& x, Mask const& mask, Options const&... options) {
  return std::apply([&](auto const&... fill) { return compress_mask_op<index_options<Options...>::size>{}(x, mask, fill...); },
                    fill_values(options...));
}
// x(mask, size<n>, options...).
template <class E, class Mask, class... Options>
constexpr auto read_selected(E const& x, Mask const& mask, Options const&... options) {
  static_assert(
      masks_alone<E, Mask>,
      "exprax: x(mask, ex::size<n>, ex::fill_value(v)): one mask, with the shape of the array or of its first axes, and then a size");
  if constexpr (masks_alone<E, Mask>) {
    EXPRAX_TAKES("x(mask)", "size<n>, fill_value(v)", Options...) {
      constexpr int size = index_options<Options...>::size;
      static_assert(size >= 0,
                    "exprax: x(mask, ex::size<n>, ex::fill_value(v)): the number of elements is not known while compiling: give a size");
      if constexpr (size >= 0) return selected_by_mask(x, mask, options...);
      else return x;  // after the error: nothing that leads to others
    } else {
      return x;
    }
  } else {
    return x;
  }
}

}  // namespace detail

// The indices of the elements that are not zero, in row-major order: a tuple of one default_int[size] for each axis. Refused: no size,
// scalars, a number of fill values other than 1 or the rank (jax.numpy.nonzero).
template <int Size = -1, array_like X, class... Options>
constexpr auto nonzero(X const& x, Options const&... options) {
  EXPRAX_TAKES("nonzero", "size<n>, fill_value(v)", Options...) {
    constexpr int size = detail::result_size<Size, Options...>;
    static_assert(
        detail::is_static_size<size>,
        "exprax: nonzero: The size argument of jnp.nonzero must be statically specified to use jnp.nonzero within JAX transformations: how "
        "many elements are not zero is not known while compiling. Use ex::nonzero<size>(x, ex::fill_value(v))");
    static_assert(detail::is_not_a_scalar<X>, "exprax: Calling nonzero on 0d arrays is not allowed. Use ex::reshape<1>(x)");
    static_assert(detail::has_a_fill_value_for_each_axis<X, Options...>, "exprax: nonzero: give one fill value, or one for each axis");
    if constexpr (size >= 0 && detail::is_not_a_scalar<X> && detail::has_a_fill_value_for_each_axis<X, Options...>)
      return detail::apply_with_fill<detail::nonzero_op<size>>(x, options...);
    else return std::tuple(0, 0);  // after the error: nothing that leads to others
  } else {
    return std::tuple(x, x);
  }
}
// nonzero under another name: where(mask, size<n>). The same results and errors (jax.numpy.where with one argument).
template <array_like X, class... Options>
constexpr auto where_function::operator()(X const& x, Options const&... options) const {
  EXPRAX_TAKES("where", "size<n>, fill_value(v)", Options...) {
    constexpr int size = detail::result_size<-1, Options...>;
    static_assert(
        detail::is_static_size<size>,
        "exprax: where: The size argument of jnp.nonzero must be statically specified to use jnp.nonzero within JAX transformations: how "
        "many elements are true is not known while compiling. Use ex::where(mask, ex::size<n>), or ex::where(mask, x, y)");
    static_assert(detail::is_not_a_scalar<X>, "exprax: Calling nonzero on 0d arrays is not allowed. Use ex::reshape<1>(x)");
    static_assert(detail::has_a_fill_value_for_each_axis<X, Options...>, "exprax: where: give one fill value, or one for each axis");
    if constexpr (size >= 0 && detail::is_not_a_scalar<X> && detail::has_a_fill_value_for_each_axis<X, Options...>)
      return detail::apply_with_fill<detail::nonzero_op<size>>(x, options...);
    else return std::tuple(0, 0);  // after the error: nothing that leads to others
  } else {
    return std::tuple(x, x);
  }
}
// The indices in the flattened array: default_int[size]. Refused: no size (jax.numpy.flatnonzero).
template <int Size = -1, array_like X, class... Options>
constexpr auto flatnonzero(X const& x, Options const&... options) {
  EXPRAX_TAKES("flatnonzero", "size<n>, fill_value(v)", Options...) {
    constexpr int size = detail::result_size<Size, Options...>;
    static_assert(
        detail::is_static_size<size>,
        "exprax: flatnonzero: The size argument of jnp.nonzero must be statically specified to use jnp.nonzero within JAX transformations: "
        "how many elements are not zero is not known while compiling. Use ex::flatnonzero<size>(x, ex::fill_value(v))");
    if constexpr (size >= 0) return detail::apply_with_fill<detail::flatnonzero_op<size>>(x, options...);
    else return x;  // after the error: nothing that leads to others
  } else {
    return x;
  }
}
// One row for each index of nonzero: default_int[size, rank of x]. Refused: no size, a wrong number of fill values (jax.numpy.argwhere).
template <int Size = -1, array_like X, class... Options>
constexpr auto argwhere(X const& x, Options const&... options) {
  EXPRAX_TAKES("argwhere", "size<n>, fill_value(v)", Options...) {
    constexpr int size = detail::result_size<Size, Options...>;
    static_assert(detail::is_static_size<size>,
                  "exprax: argwhere: The size argument of jnp.nonzero must be statically specified to use jnp.nonzero within JAX "
                  "transformations: how many elements are not zero is not known while compiling. Use ex::argwhere<size>(x, "
                  "ex::fill_value(v))");
    static_assert(detail::has_a_fill_value_for_each_axis<X, Options...>, "exprax: argwhere: give one fill value, or one for each axis");
    if constexpr (size >= 0 && detail::has_a_fill_value_for_each_axis<X, Options...>)
      return detail::apply_with_fill<detail::argwhere_op<size>>(x, options...);
    else return x;  // after the error: nothing that leads to others
  } else {
    return x;
  }
}

}  // namespace exprax
