// SPDX-License-Identifier: BSL-1.0
// A mask of the first n lanes.
#pragma once

#include <exprax/emit/simd/pack.hpp>

namespace exprax::simd {

// True in lanes 0 to n - 1.
template <class T, int L>
EXPRAX_INLINE constexpr pack<bool, L> first_lanes(int n) {
  using I =
      std::conditional_t<sizeof(T) == 8, std::int64_t,
                         std::conditional_t<sizeof(T) == 4, std::int32_t, std::conditional_t<sizeof(T) == 2, std::int16_t, std::int8_t>>>;
#if EXPRAX_SIMD
  if constexpr (masks_are_bits && L > 1) {
    constexpr int lanes = detail::layout<I, L>::used;
    return pack<bool, L>(detail::mask_storage<L>::template gather<I>([n]<int K>(std::integral_constant<int, K>) EXPRAX_LAMBDA_INLINE {
      return detail::first_bits<lanes>(n - K * lanes);
    }));
  }
#endif
  return iota<I, L>() < pack<I, L>(static_cast<I>(n));
}

}  // namespace exprax::simd
