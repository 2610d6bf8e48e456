// SPDX-License-Identifier: BSL-1.0
// decode_float16: the float with the value of a float16 given as bits.
#pragma once

#include <exprax/primitives/elementwise/half_bits.hpp>

namespace exprax {

template <>
struct primitive<prim::decode_float16> : detail::half_decoding<prim::decode_float16> {
  static constexpr std::string_view name = "decode_float16";
  template <class V>
  EXPRAX_INLINE static constexpr auto kernel(V x) {
    return detail::decoded_float16(x);
  }
};

}  // namespace exprax
