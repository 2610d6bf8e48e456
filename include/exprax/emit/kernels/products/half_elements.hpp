// SPDX-License-Identifier: BSL-1.0
// Elements of float16 or bfloat16 in memory, as a pointer to floats: decoded as they are loaded.
#pragma once

#include <exprax/emit/simd/pack.hpp>
#include <exprax/primitives/elementwise/conversion/decode_bfloat16.hpp>
#include <exprax/primitives/elementwise/conversion/decode_float16.hpp>

namespace exprax::detail {

template <dtype D>
struct half_elements {
  using decoding = primitive<D == dtype::f16 ? prim::decode_float16 : prim::decode_bfloat16>;
  std::uint16_t const* bits;

  EXPRAX_INLINE constexpr float operator[](std::ptrdiff_t i) const { return decoding::kernel(simd::lane<std::uint16_t>(bits[i])).value; }
  EXPRAX_INLINE friend constexpr half_elements operator+(half_elements p, std::ptrdiff_t n) { return {p.bits + n}; }
};

// A pack of neighbours, or the first `count` of them; the others are 0.
template <class T, int L>
EXPRAX_INLINE simd::pack<T, L> load_pack(T const* p) {
  return simd::load<T, L>(p);
}
template <class T, int L, dtype D>
EXPRAX_INLINE simd::pack<T, L> load_pack(half_elements<D> p) {
  return half_elements<D>::decoding::kernel(simd::load<std::uint16_t, L>(p.bits));
}
template <class T, int L>
EXPRAX_INLINE simd::pack<T, L> load_first(T const* p, int count) {
  return simd::load_partial<T, L>(p, count, T(0));
}
template <class T, int L, dtype D>
EXPRAX_INLINE simd::pack<T, L> load_first(half_elements<D> p, int count) {
  return half_elements<D>::decoding::kernel(simd::load_partial<std::uint16_t, L>(p.bits, count, std::uint16_t{0}));
}

}  // namespace exprax::detail
