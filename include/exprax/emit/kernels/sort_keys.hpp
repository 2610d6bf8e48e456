// SPDX-License-Identifier: BSL-1.0
// The integers that an ordering kernel compares, the first ones the least (primitives/sorting/sort_key.hpp), one by one and in packs.
#pragma once

#include <exprax/emit/kernels/environment.hpp>
#include <exprax/emit/simd/pack.hpp>
#include <exprax/primitives/sorting/sort_key.hpp>

namespace exprax::detail {

template <class Plan, int K>
struct ordering_keys {
  static constexpr ordering_kernel k = Plan::storage.orderings[K];
  using T = element_t<k.type>;
  using key = sort_key_t<T>;
  static constexpr bool of_floats = is_floating(k.type);
  static constexpr bool in_packs = sizeof(T) == sizeof(key);  // elements are as wide as their keys
  static constexpr key largest = static_cast<key>(~std::make_unsigned_t<key>{0} >> 1);

  EXPRAX_INLINE static constexpr key key_of(T x) {
    key const r = sort_key(x, k.total);
    return k.descending ? static_cast<key>(~r) : r;
  }
  // Canonical: -0 becomes 0.
  template <bool Canonical, int L>
  EXPRAX_INLINE static simd::pack<key, L> keys_of(simd::pack<T, L> x) {
    using V = simd::pack<key, L>;
    V r;
    if constexpr (!in_packs) {
      r = convert<key>(x);
    } else {
      r = bitcast<key>(x);
      if constexpr (of_floats) {
        r = r ^ ((r >> (8 * int(sizeof(key)) - 1)) & V(largest));
        if constexpr (!k.total) r = select(isnan(x), V(largest), r);
        if constexpr (!k.total && Canonical) r = select(x == simd::pack<T, L>(T(0)), V(key(0)), r);
      } else if constexpr (std::is_unsigned_v<T>) {
        r = r ^ V(static_cast<key>(~largest));
      }
    }
    if constexpr (k.descending) r = ~r;
    return r;
  }
};

}  // namespace exprax::detail
