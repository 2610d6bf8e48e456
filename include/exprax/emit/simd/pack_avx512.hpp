// SPDX-License-Identifier: BSL-1.0
// AVX-512 operations with mask registers: comparisons, selection, masked memory access. xsimd 8.1 has them only for whole registers, and
// older versions inverted the xor of masks; here a mask is an integer with one bit per lane.
#pragma once

#include <exprax/emit/simd/pack_register.hpp>

#if EXPRAX_SIMD && defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)

namespace exprax::simd::detail {

constexpr int float_predicate(relation r) {
  constexpr int of[] = {_CMP_EQ_OQ, _CMP_NEQ_UQ, _CMP_LT_OQ, _CMP_LE_OQ, _CMP_GT_OQ, _CMP_GE_OQ};
  return of[static_cast<int>(r)];
}
constexpr int integer_predicate(relation r) {
  constexpr int of[] = {_MM_CMPINT_EQ, _MM_CMPINT_NE, _MM_CMPINT_LT, _MM_CMPINT_LE, _MM_CMPINT_NLE, _MM_CMPINT_NLT};
  return of[static_cast<int>(r)];
}

// An integer register as the type of the intrinsics.
template <int Bytes>
using raw = vec<long long, Bytes>;

// As many bits as the register has lanes, at least 8.
template <class T, int Bytes>
using bits_for = typename integer_of_size<(Bytes / sizeof(T) <= 8 ? 1 : Bytes / static_cast<int>(sizeof(T)) / 8), false>::type;

template <relation R, class T, int Bytes>
EXPRAX_INLINE auto compare_register(vec<T, Bytes> a, vec<T, Bytes> b) {
  constexpr int f = float_predicate(R);
  constexpr int i = integer_predicate(R);
  using I [[maybe_unused]] = raw<Bytes>;
  if constexpr (Bytes == 64) {
    if constexpr (std::is_same_v<T, float>) return _mm512_cmp_ps_mask(a, b, f);
    else if constexpr (std::is_same_v<T, double>) return _mm512_cmp_pd_mask(a, b, f);
    else if constexpr (sizeof(T) == 1 && std::is_signed_v<T>) return _mm512_cmp_epi8_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 2 && std::is_signed_v<T>) return _mm512_cmp_epi16_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 4 && std::is_signed_v<T>) return _mm512_cmp_epi32_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 8 && std::is_signed_v<T>) return _mm512_cmp_epi64_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 1 && !std::is_signed_v<T>) return _mm512_cmp_epu8_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 2 && !std::is_signed_v<T>) return _mm512_cmp_epu16_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 4 && !std::is_signed_v<T>) return _mm512_cmp_epu32_mask((I)a, (I)b, i);
    else return _mm512_cmp_epu64_mask((I)a, (I)b, i);
  } else if constexpr (Bytes == 32) {
    if constexpr (std::is_same_v<T, float>) return _mm256_cmp_ps_mask(a, b, f);
    else if constexpr (std::is_same_v<T, double>) return _mm256_cmp_pd_mask(a, b, f);
    else if constexpr (sizeof(T) == 1 && std::is_signed_v<T>) return _mm256_cmp_epi8_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 2 && std::is_signed_v<T>) return _mm256_cmp_epi16_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 4 && std::is_signed_v<T>) return _mm256_cmp_epi32_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 8 && std::is_signed_v<T>) return _mm256_cmp_epi64_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 1 && !std::is_signed_v<T>) return _mm256_cmp_epu8_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 2 && !std::is_signed_v<T>) return _mm256_cmp_epu16_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 4 && !std::is_signed_v<T>) return _mm256_cmp_epu32_mask((I)a, (I)b, i);
    else return _mm256_cmp_epu64_mask((I)a, (I)b, i);
  } else {
    if constexpr (std::is_same_v<T, float>) return _mm_cmp_ps_mask(a, b, f);
    else if constexpr (std::is_same_v<T, double>) return _mm_cmp_pd_mask(a, b, f);
    else if constexpr (sizeof(T) == 1 && std::is_signed_v<T>) return _mm_cmp_epi8_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 2 && std::is_signed_v<T>) return _mm_cmp_epi16_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 4 && std::is_signed_v<T>) return _mm_cmp_epi32_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 8 && std::is_signed_v<T>) return _mm_cmp_epi64_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 1 && !std::is_signed_v<T>) return _mm_cmp_epu8_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 2 && !std::is_signed_v<T>) return _mm_cmp_epu16_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 4 && !std::is_signed_v<T>) return _mm_cmp_epu32_mask((I)a, (I)b, i);
    else return _mm_cmp_epu64_mask((I)a, (I)b, i);
  }
}

// Lanes of a where the mask is one, else of b.
template <class T, int Bytes, class Mask>
EXPRAX_INLINE vec<T, Bytes> select_register(Mask m, vec<T, Bytes> a, vec<T, Bytes> b) {
  using I [[maybe_unused]] = raw<Bytes>;
  if constexpr (Bytes == 64) {
    if constexpr (std::is_same_v<T, float>) return _mm512_mask_blend_ps(m, b, a);
    else if constexpr (std::is_same_v<T, double>) return _mm512_mask_blend_pd(m, b, a);
    else if constexpr (sizeof(T) == 1) return (vec<T, Bytes>)_mm512_mask_blend_epi8(m, (I)b, (I)a);
    else if constexpr (sizeof(T) == 2) return (vec<T, Bytes>)_mm512_mask_blend_epi16(m, (I)b, (I)a);
    else if constexpr (sizeof(T) == 4) return (vec<T, Bytes>)_mm512_mask_blend_epi32(m, (I)b, (I)a);
    else return (vec<T, Bytes>)_mm512_mask_blend_epi64(m, (I)b, (I)a);
  } else if constexpr (Bytes == 32) {
    if constexpr (std::is_same_v<T, float>) return _mm256_mask_blend_ps(m, b, a);
    else if constexpr (std::is_same_v<T, double>) return _mm256_mask_blend_pd(m, b, a);
    else if constexpr (sizeof(T) == 1) return (vec<T, Bytes>)_mm256_mask_blend_epi8(m, (I)b, (I)a);
    else if constexpr (sizeof(T) == 2) return (vec<T, Bytes>)_mm256_mask_blend_epi16(m, (I)b, (I)a);
    else if constexpr (sizeof(T) == 4) return (vec<T, Bytes>)_mm256_mask_blend_epi32(m, (I)b, (I)a);
    else return (vec<T, Bytes>)_mm256_mask_blend_epi64(m, (I)b, (I)a);
  } else {
    if constexpr (std::is_same_v<T, float>) return _mm_mask_blend_ps(m, b, a);
    else if constexpr (std::is_same_v<T, double>) return _mm_mask_blend_pd(m, b, a);
    else if constexpr (sizeof(T) == 1) return (vec<T, Bytes>)_mm_mask_blend_epi8(m, (I)b, (I)a);
    else if constexpr (sizeof(T) == 2) return (vec<T, Bytes>)_mm_mask_blend_epi16(m, (I)b, (I)a);
    else if constexpr (sizeof(T) == 4) return (vec<T, Bytes>)_mm_mask_blend_epi32(m, (I)b, (I)a);
    else return (vec<T, Bytes>)_mm_mask_blend_epi64(m, (I)b, (I)a);
  }
}

// Lanes whose mask is zero are neither read nor written.
template <class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> masked_load(std::uint64_t m, T const* p, vec<T, Bytes> fill) {
  using I [[maybe_unused]] = raw<Bytes>;
  using bits = bits_for<T, Bytes>;
  if constexpr (Bytes == 64) {
    if constexpr (std::is_same_v<T, float>) return _mm512_mask_loadu_ps(fill, static_cast<bits>(m), p);
    else if constexpr (std::is_same_v<T, double>) return _mm512_mask_loadu_pd(fill, static_cast<bits>(m), p);
    else if constexpr (sizeof(T) == 1) return (vec<T, Bytes>)_mm512_mask_loadu_epi8((I)fill, static_cast<bits>(m), p);
    else if constexpr (sizeof(T) == 2) return (vec<T, Bytes>)_mm512_mask_loadu_epi16((I)fill, static_cast<bits>(m), p);
    else if constexpr (sizeof(T) == 4) return (vec<T, Bytes>)_mm512_mask_loadu_epi32((I)fill, static_cast<bits>(m), p);
    else return (vec<T, Bytes>)_mm512_mask_loadu_epi64((I)fill, static_cast<bits>(m), p);
  } else if constexpr (Bytes == 32) {
    if constexpr (std::is_same_v<T, float>) return _mm256_mask_loadu_ps(fill, static_cast<bits>(m), p);
    else if constexpr (std::is_same_v<T, double>) return _mm256_mask_loadu_pd(fill, static_cast<bits>(m), p);
    else if constexpr (sizeof(T) == 1) return (vec<T, Bytes>)_mm256_mask_loadu_epi8((I)fill, static_cast<bits>(m), p);
    else if constexpr (sizeof(T) == 2) return (vec<T, Bytes>)_mm256_mask_loadu_epi16((I)fill, static_cast<bits>(m), p);
    else if constexpr (sizeof(T) == 4) return (vec<T, Bytes>)_mm256_mask_loadu_epi32((I)fill, static_cast<bits>(m), p);
    else return (vec<T, Bytes>)_mm256_mask_loadu_epi64((I)fill, static_cast<bits>(m), p);
  } else {
    if constexpr (std::is_same_v<T, float>) return _mm_mask_loadu_ps(fill, static_cast<bits>(m), p);
    else if constexpr (std::is_same_v<T, double>) return _mm_mask_loadu_pd(fill, static_cast<bits>(m), p);
    else if constexpr (sizeof(T) == 1) return (vec<T, Bytes>)_mm_mask_loadu_epi8((I)fill, static_cast<bits>(m), p);
    else if constexpr (sizeof(T) == 2) return (vec<T, Bytes>)_mm_mask_loadu_epi16((I)fill, static_cast<bits>(m), p);
    else if constexpr (sizeof(T) == 4) return (vec<T, Bytes>)_mm_mask_loadu_epi32((I)fill, static_cast<bits>(m), p);
    else return (vec<T, Bytes>)_mm_mask_loadu_epi64((I)fill, static_cast<bits>(m), p);
  }
}

template <class T, int Bytes>
EXPRAX_INLINE void masked_store(std::uint64_t m, vec<T, Bytes> x, T* p) {
  using I [[maybe_unused]] = raw<Bytes>;
  using bits = bits_for<T, Bytes>;
  if constexpr (Bytes == 64) {
    if constexpr (std::is_same_v<T, float>) _mm512_mask_storeu_ps(p, static_cast<bits>(m), x);
    else if constexpr (std::is_same_v<T, double>) _mm512_mask_storeu_pd(p, static_cast<bits>(m), x);
    else if constexpr (sizeof(T) == 1) _mm512_mask_storeu_epi8(p, static_cast<bits>(m), (I)x);
    else if constexpr (sizeof(T) == 2) _mm512_mask_storeu_epi16(p, static_cast<bits>(m), (I)x);
    else if constexpr (sizeof(T) == 4) _mm512_mask_storeu_epi32(p, static_cast<bits>(m), (I)x);
    else _mm512_mask_storeu_epi64(p, static_cast<bits>(m), (I)x);
  } else if constexpr (Bytes == 32) {
    if constexpr (std::is_same_v<T, float>) _mm256_mask_storeu_ps(p, static_cast<bits>(m), x);
    else if constexpr (std::is_same_v<T, double>) _mm256_mask_storeu_pd(p, static_cast<bits>(m), x);
    else if constexpr (sizeof(T) == 1) _mm256_mask_storeu_epi8(p, static_cast<bits>(m), (I)x);
    else if constexpr (sizeof(T) == 2) _mm256_mask_storeu_epi16(p, static_cast<bits>(m), (I)x);
    else if constexpr (sizeof(T) == 4) _mm256_mask_storeu_epi32(p, static_cast<bits>(m), (I)x);
    else _mm256_mask_storeu_epi64(p, static_cast<bits>(m), (I)x);
  } else {
    if constexpr (std::is_same_v<T, float>) _mm_mask_storeu_ps(p, static_cast<bits>(m), x);
    else if constexpr (std::is_same_v<T, double>) _mm_mask_storeu_pd(p, static_cast<bits>(m), x);
    else if constexpr (sizeof(T) == 1) _mm_mask_storeu_epi8(p, static_cast<bits>(m), (I)x);
    else if constexpr (sizeof(T) == 2) _mm_mask_storeu_epi16(p, static_cast<bits>(m), (I)x);
    else if constexpr (sizeof(T) == 4) _mm_mask_storeu_epi32(p, static_cast<bits>(m), (I)x);
    else _mm_mask_storeu_epi64(p, static_cast<bits>(m), (I)x);
  }
}

// Compresses the lanes whose bit is one into the first lanes; the others are zero.
EXPRAX_INLINE vec<std::int32_t, 64> compress_register(unsigned bits, vec<std::int32_t, 64> x) {
  return (vec<std::int32_t, 64>)_mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), (raw<64>)x);
}

// x * 2^n. The masked forms, because g++ 12 warns about an uninitialized operand in the others.
template <class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> scale_register(vec<T, Bytes> x, vec<T, Bytes> n) {
  if constexpr (Bytes == 64) {
    if constexpr (sizeof(T) == 4) return _mm512_maskz_scalef_ps(0xffff, x, n);
    else return _mm512_maskz_scalef_pd(0xff, x, n);
  } else if constexpr (Bytes == 32) {
    if constexpr (sizeof(T) == 4) return _mm256_maskz_scalef_ps(0xff, x, n);
    else return _mm256_maskz_scalef_pd(0xff, x, n);
  } else {
    if constexpr (sizeof(T) == 4) return _mm_maskz_scalef_ps(0xff, x, n);
    else return _mm_maskz_scalef_pd(0xff, x, n);
  }
}
// The significand in [0.75, 1.5), and the exponent of the significand in [1, 2).
template <class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> significand_register(vec<T, Bytes> x) {
  if constexpr (Bytes == 64) {
    if constexpr (sizeof(T) == 4) return _mm512_maskz_getmant_ps(0xffff, x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_zero);
    else return _mm512_maskz_getmant_pd(0xff, x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_zero);
  } else if constexpr (Bytes == 32) {
    if constexpr (sizeof(T) == 4) return _mm256_maskz_getmant_ps(0xff, x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_zero);
    else return _mm256_maskz_getmant_pd(0xff, x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_zero);
  } else {
    if constexpr (sizeof(T) == 4) return _mm_maskz_getmant_ps(0xff, x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_zero);
    else return _mm_maskz_getmant_pd(0xff, x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_zero);
  }
}
template <class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> exponent_register(vec<T, Bytes> x) {
  if constexpr (Bytes == 64) {
    if constexpr (sizeof(T) == 4) return _mm512_maskz_getexp_ps(0xffff, x);
    else return _mm512_maskz_getexp_pd(0xff, x);
  } else if constexpr (Bytes == 32) {
    if constexpr (sizeof(T) == 4) return _mm256_maskz_getexp_ps(0xff, x);
    else return _mm256_maskz_getexp_pd(0xff, x);
  } else {
    if constexpr (sizeof(T) == 4) return _mm_maskz_getexp_ps(0xff, x);
    else return _mm_maskz_getexp_pd(0xff, x);
  }
}

}  // namespace exprax::simd::detail

#endif
