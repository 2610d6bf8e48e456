// SPDX-License-Identifier: BSL-1.0
// The functions behind the methods whose headers are not in core.hpp (types/methods.hpp).
#pragma once

#include <exprax/numpy/core/identities.hpp>
#include <exprax/numpy/elementwise/bitwise.hpp>
#include <exprax/numpy/indexing/choose.hpp>
#include <exprax/numpy/indexing/nonzero.hpp>
#include <exprax/numpy/methods.hpp>
#include <exprax/numpy/shape/repeat.hpp>
#include <exprax/numpy/shape/shaping.hpp>
#include <exprax/numpy/sorting/partition.hpp>
#include <exprax/numpy/sorting/searching.hpp>

namespace exprax::detail {

template <class Self>
inline constexpr auto const& method<"copy", Self> = exprax::copy;
template <class Self>
inline constexpr auto const& method<"choose", Self> = exprax::choose;
template <class Self>
inline constexpr auto const& method<"searchsorted", Self> = exprax::searchsorted;
template <class Self>
inline constexpr auto method<"nonzero", Self> = [](auto const& x, auto const&... options) { return exprax::nonzero(x, options...); };
template <class Self>
inline constexpr auto method<"compress", Self> =
    [](auto const& x, auto const& condition, auto const&... options) { return exprax::compress(condition, x, options...); };

// NumPy's view: where sizes differ, the parts of an element stand in the last axis.
struct view_method {
  template <class X, class T>
  constexpr auto operator()(X const& x, dtype_t<T>) const {
    constexpr aval from = aval_in<X>;
    constexpr int before = size_of(from.type), after = size_of(dtype_of<T>);
    if constexpr (before == after) {
      return exprax::bitcast_convert_type<T>(x);
    } else {
      constexpr int last = from.rank - 1;
      constexpr bool fits = last >= 0 && from.dims[last < 0 ? 0 : last] * before % after == 0;
      static_assert(from.rank > 0, "exprax: view: a dtype of another size needs a last axis: an array of rank 0 has none");
      static_assert(fits || from.rank == 0, "exprax: view: the bytes of the last axis are no multiple of the larger dtype's size");
      if constexpr (fits) return resized<from.dims[last], before, after, T>(x, std::make_index_sequence<static_cast<std::size_t>(last)>{});
    }
  }

 private:
  template <int Last, int Before, int After, class T, class X, std::size_t... I>
  static constexpr auto resized(X const& x, std::index_sequence<I...>) {
    if constexpr (Before > After)
      return exprax::reshape<aval_in<X>.dims[I]..., Last * (Before / After)>(exprax::bitcast_convert_type<T>(x));
    else
      return exprax::bitcast_convert_type<T>(exprax::reshape<aval_in<X>.dims[I]..., Last * Before / After, After / Before>(x));
  }
};
template <class Self>
inline constexpr view_method method<"view", Self>{};

struct repeat_method {
  template <class X, int N, class... Options>
  constexpr auto operator()(X const& x, static_t<N>, Options const&... options) const {
    return exprax::repeat<N>(x, options...);
  }
};
template <class Self>
inline constexpr repeat_method method<"repeat", Self>{};

struct argpartition_method {
  template <class X, int K, int Axis = -1>
  constexpr auto operator()(X const& x, static_t<K>, axis_t<Axis> axis = {}) const {
    return exprax::argpartition<K>(x, axis);
  }
};
template <class Self>
inline constexpr argpartition_method method<"argpartition", Self>{};

}  // namespace exprax::detail
