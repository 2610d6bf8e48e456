// SPDX-License-Identifier: BSL-1.0
// x.at(index...).set(v), add, subtract, multiply, divide, power, min, max, apply, get: functional updates (jax.numpy.ndarray.at).
// The value broadcasts to what the index selects. Updates out of range are dropped, unless a mode says otherwise. They are scatters, as
// in JAX, and those with known indices are compiled as the update of a slice (legalize/known_scatters.hpp); a mask makes a selection.
//
//   x.at(i).add(v, mode_clip)    x.at(i).get(mode_fill, fill_value(7))    x.at(mask).set(0)
#pragma once

#include <exprax/numpy/core/asarray.hpp>
#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/elementwise/division.hpp>
#include <exprax/numpy/indexing/masked.hpp>
#include <exprax/numpy/indexing/update.hpp>
#include <exprax/numpy/indexing/update_apply.hpp>

namespace exprax::detail {

template <class V, class Region>
inline constexpr bool covers = broadcasts_to<V, Region>;

template <class E, class... I>
class at_ref {
  using plan = indexed<E, I...>;
  static constexpr bool masked = plan::plan.masked, gathers = !masked && is_gathered<E, I...>;

 public:
  constexpr explicit at_ref(E const& x, I const&... index) : x_(x), index_(index...) {
    static_assert(
        masked || are_indices<E, I...>,
        "exprax: an index must be a C++ int, a traced integer scalar, ex::all, ex::slice<...>, ex::newaxis, one ex::ellipsis, or an array "
        "of integers");
    static_assert(masked || has_axes_for<E, I...>, "exprax: too many indices for the array");
    static_assert(!masked || masks_alone<E, I...>,
                  "exprax: at(mask): a mask must stand alone, and have the shape of the array, or of its first axes: else use ex::where");
  }

  template <class... Options>
  constexpr auto get(Options const&... options) const {
    EXPRAX_TAKES("at(...).get", "mode_..., fill_value(v), indices_are_sorted, unique_indices, wrap_negative_indices<b>, size<n>",
                 Options...) {
      using o = index_options<Options...>;
      constexpr bool checked = o::mode == mode_word::fill || o::mode == mode_word::drop || o::mode == mode_word::wrap;
      return std::apply(
          [&](I const&... i) {
            if constexpr (masked && o::size >= 0) return selected_by_mask(x_, i..., options...);
            else if constexpr (masked || !(gathers || checked || !o::wrap)) return index_read(x_, i...);
            else if constexpr (!broadcast_together<E, I...>) return index_read(x_, i...);
            else return read_gathered<o>(x_, fill_values(options...), i...);
          },
          index_);
    }
    else {
      return x_;
    }
  }
  template <array_like V, class... Options>
  [[nodiscard]] constexpr auto set(V const& v, Options...) const {
    EXPRAX_TAKES("at(...).set", "mode_..., indices_are_sorted, unique_indices, wrap_negative_indices<b>", Options...)
      return update<prim::scatter, index_options<Options...>>(as_operand(v));
    else return x_;
  }
  // Numbers in braces: set({1, 2, 3}).
  template <scalar S, std::size_t N, class... Options>
  [[nodiscard]] constexpr auto set(S const (&list)[N], Options... options) const {
    EXPRAX_TAKES("at(...).set", "mode_..., indices_are_sorted, unique_indices, wrap_negative_indices<b>", Options...)
      return set(asarray(list), options...);
    else return x_;
  }
  template <array_like V, class... Options>
  [[nodiscard]] constexpr auto add(V const& v, Options...) const {
    EXPRAX_TAKES("at(...).add", "mode_..., indices_are_sorted, unique_indices, wrap_negative_indices<b>", Options...)
      return update<prim::scatter_add, index_options<Options...>>(as_operand(v));
    else return x_;
  }
  template <array_like V, class... Options>
  [[nodiscard]] constexpr auto subtract(V const& v, Options... options) const {
    EXPRAX_TAKES("at(...).subtract", "mode_..., indices_are_sorted, unique_indices, wrap_negative_indices<b>", Options...)
    return add(negative(v), options...);
    else return x_;
  }
  template <array_like V, class... Options>
  [[nodiscard]] constexpr auto multiply(V const& v, Options...) const {
    EXPRAX_TAKES("at(...).multiply", "mode_..., indices_are_sorted, unique_indices, wrap_negative_indices<b>", Options...)
      return update<prim::scatter_mul, index_options<Options...>>(as_operand(v));
    else return x_;
  }
  template <array_like V, class... Options>
  [[nodiscard]] constexpr auto mul(V const& v, Options... options) const {
    EXPRAX_TAKES("at(...).mul", "mode_..., indices_are_sorted, unique_indices, wrap_negative_indices<b>", Options...)
    return multiply(v, options...);
    else return x_;
  }
  // As JAX: x / ones.at(...).multiply(v), and x to the power of it.
  template <array_like V, class... Options>
  [[nodiscard]] constexpr auto divide(V const& v, Options... options) const {
    EXPRAX_TAKES("at(...).divide", "mode_..., indices_are_sorted, unique_indices, wrap_negative_indices<b>", Options...)
      return exprax::divide(x_, ones().multiply(v, options...));
    else return x_;
  }
  template <array_like V, class... Options>
  [[nodiscard]] constexpr auto power(V const& v, Options... options) const {
    EXPRAX_TAKES("at(...).power", "mode_..., indices_are_sorted, unique_indices, wrap_negative_indices<b>", Options...)
      return exprax::power(x_, ones().multiply(v, options...));
    else return x_;
  }
  template <array_like V, class... Options>
  [[nodiscard]] constexpr auto min(V const& v, Options...) const {
    EXPRAX_TAKES("at(...).min", "mode_..., indices_are_sorted, unique_indices, wrap_negative_indices<b>", Options...)
      return update<prim::scatter_min, index_options<Options...>>(as_operand(v));
    else return x_;
  }
  template <array_like V, class... Options>
  [[nodiscard]] constexpr auto max(V const& v, Options...) const {
    EXPRAX_TAKES("at(...).max", "mode_..., indices_are_sorted, unique_indices, wrap_negative_indices<b>", Options...)
      return update<prim::scatter_max, index_options<Options...>>(as_operand(v));
    else return x_;
  }
  // f(x) where the index selects; as often as an element is selected.
  template <class F, class... Options>
  [[nodiscard]] constexpr auto apply(F const& f, Options...) const {
    EXPRAX_TAKES("at(...).apply", "mode_..., indices_are_sorted, unique_indices, wrap_negative_indices<b>", Options...) {
      return std::apply(
          [&](I const&... i) {
            if constexpr (masked) return select_by_mask<prim::scatter>(x_, i..., expr_like<E, typename E::dtype_type>(f(x_)));
            else return apply_at<index_options<Options...>>(x_, f, i...);
          },
          index_);
    } else {
      return x_;
    }
  }

  template <prim P, class Options, class V>
  constexpr auto update(V const& v) const {
    static_assert(
        covers_rows<V>,
        "exprax: at(mask).set, add, ...: the value must be a scalar, or broadcast to the axes that the mask does not have: for a value for "
        "each element use ex::where(mask, v, x)");
    static_assert(joins_indices<Options>,
                  "exprax: the arrays of indices do not broadcast together: counted from the last axis, sizes must be equal or 1");
    static_assert(covers_selection<Options, V>,
                  "exprax: at(...).set, add, ...: the value does not broadcast to the shape that the index selects");
    if constexpr (!covers_rows<V> || !joins_indices<Options> || !covers_selection<Options, V>)
      return x_;  // after the error: nothing that leads to others
    else return std::apply([&](I const&... i) { return updated<P, Options>(v, i...); }, index_);
  }

 private:
  constexpr at_ref ones() const {
    return std::apply([&](I const&... i) { return at_ref(constant_like<E>(x_, static_cast<typename E::value_type>(1)), i...); }, index_);
  }
  // Whether an update with these options is a scatter with general index vectors.
  template <class Options>
  static constexpr bool scatters = !masked && (gathers || !plan::plan.dynamic || !Options::wrap || Options::mode == mode_word::clip ||
                                               Options::mode == mode_word::wrap || Options::mode == mode_word::promise_in_bounds);
  template <class V>
  static constexpr bool covers_rows = [] {
    if constexpr (masked) return covers_a_row<E, V, I...>;
    else return true;
  }();
  template <class Options>
  static constexpr bool joins_indices = [] {
    if constexpr (scatters<Options>) return broadcast_together<E, I...>;
    else return true;
  }();
  template <class Options, class V>
  static constexpr bool covers_selection = [] {
    if constexpr (masked || !joins_indices<Options>) return true;
    else if constexpr (scatters<Options>) return covers<V, typename gathered<E, I...>::result>;
    else return covers<V, typename plan::result>;
  }();
  template <prim P, class Options, class V>
  constexpr auto updated(V const& v, I const&... i) const {
    if constexpr (masked && !masks_alone<E, I...>) return x_;
    else if constexpr (masked) return select_by_mask<P>(x_, i..., v);
    else if constexpr (scatters<Options>) return update_gathered<P, Options>(x_, v, i...);
    else if constexpr (plan::plan.result.size() == 0) return x_;
    else return update_dynamic<P, plan>(x_, v, i...);
  }

  E x_;
  std::tuple<I...> index_;
};

template <class T, int... D, class... I>
constexpr auto make_at(expr<T, D...> const& x, I const&... index) {
  return at_ref<expr<T, D...>, std::remove_cvref_t<decltype(as_index(index))>...>(x, as_index(index)...);
}

}  // namespace exprax::detail
