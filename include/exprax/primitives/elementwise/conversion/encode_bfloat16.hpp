// SPDX-License-Identifier: BSL-1.0
// encode_bfloat16: the bits of the bfloat16 nearest to a float or double.
#pragma once

#include <exprax/primitives/elementwise/half_bits.hpp>

namespace exprax {

template <>
struct primitive<prim::encode_bfloat16> : detail::half_encoding<prim::encode_bfloat16> {
  static constexpr std::string_view name = "encode_bfloat16";
  template <class V>
  EXPRAX_INLINE static constexpr auto kernel(V x) {
    return detail::encoded_bfloat16(x);
  }
};

}  // namespace exprax
