// SPDX-License-Identifier: BSL-1.0
// decode_bfloat16: the float with the value of a bfloat16 given as bits.
#pragma once

#include <exprax/primitives/elementwise/half_bits.hpp>

namespace exprax {

template <>
struct primitive<prim::decode_bfloat16> : detail::half_decoding<prim::decode_bfloat16> {
  static constexpr std::string_view name = "decode_bfloat16";
  template <class V>
  EXPRAX_INLINE static constexpr auto kernel(V x) {
    return detail::decoded_bfloat16(x);
  }
};

}  // namespace exprax
