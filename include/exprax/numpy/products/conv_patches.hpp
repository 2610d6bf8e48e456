// SPDX-License-Identifier: BSL-1.0
// conv_general_dilated_patches and conv_general_dilated_local (jax.lax): the windows of a convolution as its output features, and a
// convolution with filters of its own at each place.
#pragma once

#include <exprax/numpy/core/dynamic_shapes.hpp>
#include <exprax/numpy/products/conv.hpp>
#include <exprax/numpy/products/dot_general.hpp>

namespace exprax {

namespace detail {

// Filters that each take one element out of the window: one for each place of the window, in the order in which the filter's axes stand.
template <class L, int... Filter>
struct patch_filters {
  template <class... Tags>
  struct of {
    static constexpr int rank = static_cast<int>(sizeof...(Filter)) + 2, places = (1 * ... * Filter);
    static constexpr conv_positions positions = positions_of_tags<rank, Tags...>::make();
    static constexpr bool fits = rank_in<L> == rank && positions.valid() && ((Filter > 0) && ...);
    static constexpr int features = fits ? aval_in<L>.dims[positions.lhs.of[1]] : 0;
    static constexpr aval straight{dtype_of<type_in<L>>, {features * places, 1, Filter...}};
    static constexpr aval value = [] {
      aval a = straight;
      for (int i = 0; fits && i < rank; ++i) a.dims[positions.rhs.of[i]] = straight.dims[i];
      return a;
    }();
  };
};
template <class... Tags>
struct patches_op {
  template <class Filters, operand L>
  static constexpr auto record(L const& lhs) {
    namespace u = untyped;
    auto const x = as_traced(lhs);
    constexpr int n = Filters::places;
    aval const square(dtype::i32, {n, n}), all(dtype_of<type_in<L>>, {Filters::features, n, n});
    handle const near = u::from(x);
    handle const ones = u::convert(u::binary(prim::eq, u::iota(near, square, 0), u::iota(near, square, 1)), all.type);
    int order[max_rank] = {};
    for (int i = 0; i < Filters::rank; ++i) order[Filters::positions.rhs.of[i]] = i;
    aval const& straight = Filters::straight;
    handle const filters = u::transpose(u::reshape(u::broadcast_to(ones, all), {straight.dims, straight.rank}), {order, Filters::rank});
    auto const typed_filters = u::typed<Filters>(filters);
    return exprax::conv_general_dilated(x, typed_filters, feature_group_count<Filters::features>, Tags{}...);
  }
};
template <class Filter, class... Tags>
struct conv_patches_op;
template <int... Filter, class... Tags>
struct conv_patches_op<shape_value<Filter...>, Tags...> {
  template <operand L>
  constexpr auto operator()(L const& lhs) const {
    return patches_op<Tags...>::template record<typename patch_filters<L, Filter...>::template of<Tags...>>(lhs);
  }
};

// The sum over the features of each patch, place by place; the result has its axes where the numbers say.
template <class Filter, class... Tags>
struct conv_local_op {
  template <operand L, operand R>
  constexpr auto operator()(L const& lhs, R const& rhs) const {
    auto const patches = conv_patches_op<Filter, Tags...>{}(lhs);
    using P = std::remove_const_t<decltype(patches)>;
    using result = shape<P, R>;
    static_assert(
        result::fits,
        "exprax: conv_general_dilated_local: the filters must have the spatial sizes of the result, and a filter's elements as features");
    if constexpr (result::fits) {
      handle const product =
          untyped::record(prim::dot_general, untyped::from(patches), untyped::from(as_traced(rhs)), result::params, result::product);
      return untyped::typed<result>(untyped::transpose(product, {result::permutation.of, result::rank}));
    } else {
      return patches;
    }
  }

 private:
  template <class P, class R>
  struct shape {
    static constexpr int rank = rank_in<P>, spatial = rank - 2;
    static constexpr conv_positions at = positions_of_tags<rank, Tags...>::make();
    static constexpr bool fits = [] {
      bool all = rank_in<R> == rank && aval_in<P>.dims[at.out.of[1]] == aval_in<R>.dims[at.rhs.of[1]];
      for (int i = 0; i < spatial; ++i) all = all && aval_in<P>.dims[at.out.of[2 + i]] == aval_in<R>.dims[at.rhs.of[2 + i]];
      return all;
    }();
    static constexpr param_list params = [] {
      param_list l;
      for (int x : {1, at.out.of[1], at.rhs.of[1], spatial}) l.push(x);
      for (int i = 0; i < spatial; ++i) l.push(at.out.of[2 + i]);
      for (int i = 0; i < spatial; ++i) l.push(at.rhs.of[2 + i]);
      l.push(static_cast<int>(dtype_of<type_in<P>>));
      l.push(0);
      return l;
    }();
    static constexpr aval product = [] {
      aval a(dtype_of<type_in<P>>);
      for (int i = 0; i < spatial; ++i) a.dims[a.rank++] = aval_in<P>.dims[at.out.of[2 + i]];
      a.dims[a.rank++] = aval_in<P>.dims[at.out.of[0]];
      a.dims[a.rank++] = aval_in<R>.dims[at.rhs.of[0]];
      return a;
    }();
    struct axes {
      int of[max_rank] = {};
    };
    // Where each axis of the result stands in the product: its spatial axes, the batch, the features.
    static constexpr axes permutation = [] {
      axes p;
      for (int i = 0; i < spatial; ++i) p.of[at.out.of[2 + i]] = i;
      p.of[at.out.of[0]] = spatial;
      p.of[at.out.of[1]] = spatial + 1;
      return p;
    }();
    static constexpr aval value = [] {
      aval a = product;
      for (int i = 0; i < rank; ++i) a.dims[i] = product.dims[permutation.of[i]];
      return a;
    }();
  };
};
template <class L, class Filter, class... Tags>
inline constexpr bool has_patches = false;
template <class L, int... Filter, class... Tags>
inline constexpr bool has_patches<L, shape_value<Filter...>, Tags...> = patch_filters<L, Filter...>::template of<Tags...>::fits;

}  // namespace detail

// The windows that filters of shape Filter... see, as output features, the input features outermost: [N, C, spatial...] -> [N, C * product
// of Filter, spatial...], dtype of lhs: conv_general_dilated_patches<2, 2>(x, window_strides<1, 1>, padding_same). Options of
// conv_general_dilated without groups. Refused: sizes that are not one positive number for each spatial axis, dimension numbers that do
// not fit (jax.lax.conv_general_dilated_patches).
template <int... Filter, array_like L, class... Tags>
constexpr auto conv_general_dilated_patches(L const& lhs, Tags...) {
  EXPRAX_TAKES("conv_general_dilated_patches",
               "window_strides, lhs_dilation, rhs_dilation, conv_dimension_numbers, preferred_element_type, padding", Tags...) {
    using filter = detail::shape_value<Filter...>;
    static_assert(detail::has_patches<L, filter, Tags...>,
                  "exprax: conv_general_dilated_patches: give a positive filter size for each spatial axis, and dimension numbers that "
                  "name each axis");
    if constexpr (detail::has_patches<L, filter, Tags...>) return detail::apply<detail::conv_patches_op<filter, Tags...>>(lhs);
    else return lhs;  // after the error: nothing that leads to others
  }
  else {
    return lhs;
  }
}
// A convolution with filters of its own at each place: rhs has the spatial sizes of the result, and as input features the elements of a
// patch, C * product of Filter. Shape as of conv_general_dilated; dtype of lhs. Options without groups. Refused: filters of other sizes
// (jax.lax.conv_general_dilated_local).
template <int... Filter, array_like L, array_like R, class... Tags>
constexpr auto conv_general_dilated_local(L const& lhs, R const& rhs, Tags...) {
  EXPRAX_TAKES("conv_general_dilated_local",
               "window_strides, lhs_dilation, rhs_dilation, conv_dimension_numbers, preferred_element_type, padding", Tags...) {
    using filter = detail::shape_value<Filter...>;
    static_assert(
        detail::has_patches<L, filter, Tags...>,
        "exprax: conv_general_dilated_local: give a positive filter size for each spatial axis, and dimension numbers that name each axis");
    if constexpr (detail::has_patches<L, filter, Tags...>) return detail::apply<detail::conv_local_op<filter, Tags...>>(lhs, rhs);
    else return lhs;
  }
  else {
    return lhs;
  }
}
// conv_general_dilated with strides, padding and dilations in this order: conv_with_general_padding(lhs, rhs, window_strides<1>,
// padding<0, 0>). Shape, dtype and errors are the same (jax.lax.conv_with_general_padding).
inline constexpr struct conv_with_general_padding_function {
  template <array_like L, array_like R, int... Strides, int... Pads, int... LhsDilation, int... RhsDilation>
  constexpr auto operator()(L const& lhs, R const& rhs, window_strides_t<Strides...> strides, padding_t<Pads...> pads,
                                           lhs_dilation_t<LhsDilation...> of_lhs = {}, rhs_dilation_t<RhsDilation...> of_rhs = {}) const {
    if constexpr (sizeof...(LhsDilation) == 0 && sizeof...(RhsDilation) == 0) return conv_general_dilated(lhs, rhs, strides, pads);
    else if constexpr (sizeof...(RhsDilation) == 0) return conv_general_dilated(lhs, rhs, strides, pads, of_lhs);
    else if constexpr (sizeof...(LhsDilation) == 0) return conv_general_dilated(lhs, rhs, strides, pads, of_rhs);
    else return conv_general_dilated(lhs, rhs, strides, pads, of_lhs, of_rhs);
  }
} conv_with_general_padding{};

namespace lax {
using exprax::conv_general_dilated_local;
using exprax::conv_general_dilated_patches;
using exprax::conv_with_general_padding;
}  // namespace lax

}  // namespace exprax
