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
  return iota<I, L>() < pack<I, L>(static_cast<I>(n));
}

}  // namespace exprax::simd
