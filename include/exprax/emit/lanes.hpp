// SPDX-License-Identifier: BSL-1.0
// What loops need of packs beyond the lane concept: the first n lanes as a mask, lanes in reverse.
#pragma once

#include <exprax/emit/pack.hpp>

namespace exprax::simd {

// True in lanes 0 to n - 1.
template <class T, int L>
EXPRAX_INLINE constexpr pack<bool, L> first_lanes(int n) {
  using I = std::conditional_t<sizeof(T) == 8, std::int64_t, std::conditional_t<sizeof(T) == 4, std::int32_t, std::conditional_t<sizeof(T) == 2, std::int16_t, std::int8_t>>>;
  return iota<I, L>() < pack<I, L>(static_cast<I>(n));
}

template <class T, int L>
EXPRAX_INLINE constexpr pack<T, L> reverse(pack<T, L> const& v) {
  if constexpr (L == 1) {
    return v;
  } else {
    T lanes[L], turned[L];
    store(v, lanes);
    for (int i = 0; i < L; ++i) turned[i] = lanes[L - 1 - i];
    return load<T, L>(turned);
  }
}

}  // namespace exprax::simd
