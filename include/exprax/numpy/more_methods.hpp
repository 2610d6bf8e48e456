// SPDX-License-Identifier: BSL-1.0
// The functions behind the methods whose headers are not in core.hpp (types/methods.hpp).
#pragma once

#include <exprax/numpy/core/identities.hpp>
#include <exprax/numpy/indexing/choose.hpp>
#include <exprax/numpy/indexing/nonzero.hpp>
#include <exprax/numpy/methods.hpp>
#include <exprax/numpy/shape/repeat.hpp>
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
