// SPDX-License-Identifier: BSL-1.0
// A function of the user joined over each window of arrays (jax.lax): reduce_window(operands, inits, f, window_dimensions<...>, ...).
#pragma once

#include <exprax/numpy/reductions/reduce_by.hpp>
#include <exprax/numpy/reductions/window_tags.hpp>

namespace exprax {

namespace detail {

template <class Leaf, class... Tags>
struct windowed_shape {
  static constexpr int rank = Leaf::rank;
  template <template <int...> class Tag>
  using ints = ints_of_tag<Tag, Tags...>;
  template <template <int...> class Tag>
  static constexpr bool fits = !ints<Tag>::given || ints<Tag>::count == rank;
  static constexpr bool ok = ints<window_dimensions_t>::given && fits<window_dimensions_t> && fits<window_strides_t> &&
                             fits<base_dilation_t> && fits<window_dilation_t> &&
                             (!ints<padding_t>::given || ints<padding_t>::count == 2 * rank);
  struct param_values {
    int of[6 * rank + 1] = {};
  };
  static constexpr param_values params = [] {
    param_values p;
    if (!ok) return p;
    for (int i = 0; i < rank; ++i) {
      int const size = ints<window_dimensions_t>::at(i, 1), stride = ints<window_strides_t>::at(i, 1),
                base = ints<base_dilation_t>::at(i, 1), dilation = ints<window_dilation_t>::at(i, 1);
      auto const by_rule =
          padding_by_rule(padding_rule_of<Tags...>::value, dilated_size(Leaf::type.dims[i], base), dilated_size(size, dilation), stride);
      int const all[] = {size, stride,  ints<padding_t>::at(2 * i, by_rule.low), ints<padding_t>::at(2 * i + 1, by_rule.high),
                         base, dilation};
      for (int k = 0; k < 6; ++k) p.of[k * rank + i] = all[k];
    }
    return p;
  }();
  static constexpr aval value = [] {
    aval out = Leaf::type;
    if (ok) window_numbers{{params.of, 6 * rank}}.infer(Leaf::type.with_type(Leaf::type.type), &out);
    return out.with_type(Leaf::type.type);
  }();
  static constexpr bool has_windows = [] {
    aval out;
    return ok && window_numbers{{params.of, 6 * rank}}.infer(Leaf::type, &out);
  }();
};
template <class... Tags>
struct windowed {
  template <class Leaf>
  struct leaf {
    using type = expr_from<windowed_shape<Leaf, Tags...>>;
  };
};
template <class F, class... Tags>
struct reduce_window_of {
  template <class X, class Init>
  constexpr auto operator()(X const& x, Init const& init) const;
};

}  // namespace detail

// f joined over each window (jax.lax.reduce_window). Tags, one number for each axis: window_dimensions<...>; window_strides<...>,
// padding<low, high, ...> or padding_valid (nothing is added), padding_same, padding_same_lower; base_dilation<...>, window_dilation<...>.
// Padding counts as the inits. Refused: what reduce refuses, and other counts of numbers than axes.
template <bool Defers = true, class Operands, class Inits, class F, class... Tags>
constexpr auto reduce_window(Operands const& operands, Inits const& inits, F const& f, Tags... tags) {
  EXPRAX_TAKES("reduce_window", "window_dimensions, window_strides, base_dilation, window_dilation, padding", Tags...) {
    using namespace detail;
    if constexpr (takes_arrays<Operands, Inits> && is_stateless<F>) {
      return jit(reduce_window_of<F, Tags...>{})(operands, inits);
    } else if constexpr (Defers && is_free<Operands, Inits> && is_stateless<F>) {
      return defer<reduce_window_of<F, Tags...>>([&] { return reduce_window<false>(operands, inits, f, tags...); }, operands, inits);
    } else {
      using tree = to_expr_t<Operands>;
      using first = first_leaf_t<tree>;
      using shape = windowed_shape<first, Tags...>;
      static_assert(are_arrays_of_one_shape<tree>, "exprax: reduce_window: the operands must have one shape");
      static_assert(leaf_count<tree> == leaf_count<to_expr_t<Inits>>, "exprax: reduce_window: there must be one init for each operand");
      static_assert(shape::ok,
                    "exprax: reduce_window: window_dimensions, strides and dilations take one number for each axis, padding two");
      static_assert(!shape::ok || shape::has_windows,
                    "exprax: reduce_window: sizes, strides and dilations must be positive, and padding cut off no more than there is");
      if constexpr (are_arrays_of_one_shape<tree> && leaf_count<tree> == leaf_count<to_expr_t<Inits>> && shape::has_windows) {
        using results = map_t<tree, windowed<Tags...>::template leaf>;
        return record_combination<results, prim::reduce_window>({shape::params.of, 6 * first::rank}, f, lift_tree(operands),
                                                                lift_tree(inits));
      } else {
        return operands;
      }
    }
  } else {
    return operands;
  }
}

template <class F, class... Tags>
template <class X, class Init>
constexpr auto detail::reduce_window_of<F, Tags...>::operator()(X const& x, Init const& init) const {
  return reduce_window(x, init, F{}, Tags{}...);
}

}  // namespace exprax
