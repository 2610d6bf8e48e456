// SPDX-License-Identifier: BSL-1.0
// One SIMD register of xsimd, as the compiler's vector type that it holds. Operators are the compiler's, functions are xsimd's if they are
// correct in all versions from 8.1 to 14. Only this file includes xsimd (and, through it, intrinsics).
#pragma once

#include <exprax/base/target.hpp>
#include <exprax/math/lane.hpp>

#if EXPRAX_SIMD

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <xsimd/xsimd.hpp>

namespace exprax::simd {

inline constexpr int register_bytes = this_target.register_bytes;
// With AVX-512, masks are bits in mask registers; elsewhere they are vectors of integers, all ones or all zeros.
inline constexpr bool masks_are_bits = this_target.has_mask_registers();

namespace detail {

enum class relation { eq, ne, lt, le, gt, ge };
enum class direction { to_even = 8, down, up, to_zero };  // as x86 encodes them

template <class T, int Bytes>
struct vector_of {
  typedef T type __attribute__((vector_size(Bytes)));
};
// A vector of T of the given number of bytes.
template <class T, int Bytes>
using vec = typename vector_of<T, Bytes>::type;

#if defined(__aarch64__)
// Also with SVE, for which xsimd would use registers of this size, and its masks.
template <class T, int Bytes>
using batch_of = xsimd::batch<T, xsimd::neon64>;
#elif defined(__AVX512F__) && !(defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__))
// xsimd 8.1 would look for registers that its AVX-512CD does not define.
template <class T, int Bytes>
using batch_of = xsimd::batch<T, std::conditional_t<Bytes == 32, xsimd::avx2, xsimd::sse4_2>>;
#else
template <class T, int Bytes>
using batch_of = xsimd::make_sized_batch_t<T, static_cast<std::size_t>(Bytes) / sizeof(T)>;
#endif
template <class T, int Bytes>
EXPRAX_INLINE batch_of<T, Bytes> to_batch(vec<T, Bytes> x) {
  using batch = batch_of<T, Bytes>;
  return batch((typename batch::register_type)x);
}
template <class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> from_batch(batch_of<T, Bytes> x) {
  return (vec<T, Bytes>)x.data;
}

template <class T>
using signed_of = typename integer_of_size<static_cast<int>(sizeof(T)), true>::type;

// Not a constructor of xsimd: without optimization g++ would call it from the functions that run plans.
template <class T, int Bytes, int... Lane>
EXPRAX_INLINE vec<T, Bytes> broadcast_to(T x, std::integer_sequence<int, Lane...>) {
  vec<T, Bytes> const first{x};
  return __builtin_shufflevector(first, first, (Lane * 0)...);
}
template <class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> broadcast(T x) {
  return broadcast_to<T, Bytes>(x, std::make_integer_sequence<int, Bytes / static_cast<int>(sizeof(T))>{});
}

// Count elements from memory into the first lanes; the others are zero. Count may be less than a register holds: then they are loaded as
// one integer, because g++ would put them into a register of zeros in memory, and wait for both stores.
template <class T, int Bytes, int Count>
EXPRAX_INLINE vec<T, Bytes> load_register(T const* p) {
  constexpr int bytes = Count * static_cast<int>(sizeof(T));
  if constexpr (bytes < Bytes && (bytes == 2 || bytes == 4 || bytes == 8)) {
    using whole = typename integer_of_size<bytes, true>::type;
    whole w;
    __builtin_memcpy(&w, p, sizeof w);
    return (vec<T, Bytes>)vec<whole, Bytes>{w};
  } else {
    vec<T, Bytes> x{};
    __builtin_memcpy(&x, p, Count * sizeof(T));
    return x;
  }
}
template <class T, int Bytes, int Count>
EXPRAX_INLINE void store_register(vec<T, Bytes> x, T* p) {
  __builtin_memcpy(p, &x, Count * sizeof(T));
}

// x, which g++ makes here, in the order of the program, and keeps: left alone it loads an operand again at each use, or first all operands
// of a long sum, which do not fit into the registers.
template <class V>
EXPRAX_INLINE V held_register(V x) {
#if defined(__GNUC__) && !defined(__clang__)
#if defined(__AVX512F__)
  asm volatile("" : "+v"(x));
#elif defined(__SSE2__)
  asm volatile("" : "+x"(x));
#elif defined(__aarch64__)
  asm volatile("" : "+w"(x));
#endif
#endif
  return x;
}

// x, which g++ does not load again for each of the instructions of one operation: at an unaligned address that takes longer than the rest.
template <class V>
EXPRAX_INLINE V loaded_register(V x) {
#if defined(__GNUC__) && !defined(__clang__)
#if defined(__AVX512F__)
  asm("" : "+v"(x));
#elif defined(__SSE2__)
  asm("" : "+x"(x));
#endif
#endif
  return x;
}

template <class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> unfused_register(vec<T, Bytes> x) {
#if defined(__GNUC__) && !defined(__clang__)
#if defined(__AVX512F__)
  asm("" : "+v"(x));
#elif defined(__FMA__)
  asm("" : "+x"(x));
#elif defined(__aarch64__) || defined(__ARM_FEATURE_FMA)
  asm("" : "+w"(x));
#endif
#endif
  return x;
}

#if defined(__FMA__) || defined(__aarch64__)
inline constexpr bool has_fma = true;
// Not xsimd::fma, which in 8.1 is a product and a sum on AVX-512.
template <class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> fma_register(vec<T, Bytes> a, vec<T, Bytes> b, vec<T, Bytes> c) {
#if defined(__aarch64__)
  if constexpr (sizeof(T) == 4) return vfmaq_f32(c, a, b);
  else return vfmaq_f64(c, a, b);
#else
  if constexpr (sizeof(T) == 4) {
#if defined(__AVX512F__)
    if constexpr (Bytes == 64) return _mm512_fmadd_ps(a, b, c);
    else
#endif
    if constexpr (Bytes == 32) return _mm256_fmadd_ps(a, b, c);
    else return _mm_fmadd_ps(a, b, c);
  } else {
#if defined(__AVX512F__)
    if constexpr (Bytes == 64) return _mm512_fmadd_pd(a, b, c);
    else
#endif
    if constexpr (Bytes == 32) return _mm256_fmadd_pd(a, b, c);
    else return _mm_fmadd_pd(a, b, c);
  }
#endif
}
#else
inline constexpr bool has_fma = false;
template <class T, int Bytes>
vec<T, Bytes> fma_register(vec<T, Bytes> a, vec<T, Bytes> b, vec<T, Bytes> c);  // never defined
#endif

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
// g++ does not recognize a rotation in two shifts of vectors. The masked form with all lanes, because g++ warns about an uninitialized
// operand in the other.
template <class T>
inline constexpr bool has_rotations = sizeof(T) == 4 || sizeof(T) == 8;
template <class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> rotate_register(vec<T, Bytes> x, vec<T, Bytes> n) {
  if constexpr (sizeof(T) == 4) {
    if constexpr (Bytes == 64) return (vec<T, Bytes>)_mm512_maskz_rolv_epi32(0xffff, (__m512i)x, (__m512i)n);
    else if constexpr (Bytes == 32) return (vec<T, Bytes>)_mm256_maskz_rolv_epi32(0xff, (__m256i)x, (__m256i)n);
    else return (vec<T, Bytes>)_mm_maskz_rolv_epi32(0xff, (__m128i)x, (__m128i)n);
  } else {
    if constexpr (Bytes == 64) return (vec<T, Bytes>)_mm512_maskz_rolv_epi64(0xff, (__m512i)x, (__m512i)n);
    else if constexpr (Bytes == 32) return (vec<T, Bytes>)_mm256_maskz_rolv_epi64(0xff, (__m256i)x, (__m256i)n);
    else return (vec<T, Bytes>)_mm_maskz_rolv_epi64(0xff, (__m128i)x, (__m128i)n);
  }
}
#else
template <class T>
inline constexpr bool has_rotations = false;
template <class T, int Bytes>
vec<T, Bytes> rotate_register(vec<T, Bytes> x, vec<T, Bytes> n);  // never defined
#endif

// Whole AVX-512 registers do not use xsimd: the intrinsics without a mask make g++ 12 warn about an uninitialized operand. Nor does NEON:
// its sqrt of floats is an estimate up to 14.3, and its floor, ceil and trunc lose -0.
template <class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> sqrt_register(vec<T, Bytes> x) {
#if defined(__AVX512F__)
  if constexpr (Bytes == 64 && sizeof(T) == 4) return _mm512_maskz_sqrt_ps(0xffff, x);
  else if constexpr (Bytes == 64) return _mm512_maskz_sqrt_pd(0xff, x);
  else
#endif
#if defined(__aarch64__)
  if constexpr (sizeof(T) == 4) return vsqrtq_f32(x);
  else return vsqrtq_f64(x);
#else
  return from_batch<T, Bytes>(xsimd::sqrt(to_batch<T, Bytes>(x)));
#endif
}
template <direction D, class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> round_register(vec<T, Bytes> x) {
#if defined(__AVX512F__)
  if constexpr (Bytes == 64 && sizeof(T) == 4) return _mm512_maskz_roundscale_ps(0xffff, x, static_cast<int>(D));
  else if constexpr (Bytes == 64) return _mm512_maskz_roundscale_pd(0xff, x, static_cast<int>(D));
  else
#endif
#if defined(__aarch64__)
  if constexpr (sizeof(T) == 4) {
    if constexpr (D == direction::down) return vrndmq_f32(x);
    else if constexpr (D == direction::up) return vrndpq_f32(x);
    else if constexpr (D == direction::to_zero) return vrndq_f32(x);
    else return vrndnq_f32(x);
  } else {
    if constexpr (D == direction::down) return vrndmq_f64(x);
    else if constexpr (D == direction::up) return vrndpq_f64(x);
    else if constexpr (D == direction::to_zero) return vrndq_f64(x);
    else return vrndnq_f64(x);
  }
#else
  if constexpr (D == direction::down) return from_batch<T, Bytes>(xsimd::floor(to_batch<T, Bytes>(x)));
  else if constexpr (D == direction::up) return from_batch<T, Bytes>(xsimd::ceil(to_batch<T, Bytes>(x)));
  else if constexpr (D == direction::to_zero) return from_batch<T, Bytes>(xsimd::trunc(to_batch<T, Bytes>(x)));
  else return from_batch<T, Bytes>(xsimd::nearbyint(to_batch<T, Bytes>(x)));
#endif
}

// x clamped to [low, high]; NaN stays.
template <class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> bounded_register(vec<T, Bytes> x, vec<T, Bytes> low, vec<T, Bytes> high) {
#if defined(__AVX512F__)
  if constexpr (Bytes == 64 && sizeof(T) == 4) return _mm512_maskz_min_ps(0xffff, high, _mm512_maskz_max_ps(0xffff, low, x));
  else if constexpr (Bytes == 64) return _mm512_maskz_min_pd(0xff, high, _mm512_maskz_max_pd(0xff, low, x));
  else
#endif
  // x86 returns the second operand if one is NaN; NEON returns the NaN.
  return from_batch<T, Bytes>(xsimd::min(to_batch<T, Bytes>(high), xsimd::max(to_batch<T, Bytes>(low), to_batch<T, Bytes>(x))));
}

#if !(defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__))
template <class T, int Bytes>
vec<T, Bytes> scale_register(vec<T, Bytes> x, vec<T, Bytes> n);  // never defined
template <class T, int Bytes>
vec<T, Bytes> significand_register(vec<T, Bytes> x);  // never defined
template <class T, int Bytes>
vec<T, Bytes> exponent_register(vec<T, Bytes> x);  // never defined
#endif

// Lanes I... of a and b concatenated; -1 is any value. The result has as many lanes as there are indices.
template <int... I, class A>
EXPRAX_INLINE auto shuffle(A a, A b) {
  return __builtin_shufflevector(a, b, I...);
}
// Lanes First to First + Count - 1 of x, as a shorter vector.
template <int First, class A, int... I>
EXPRAX_INLINE auto part_of(A x, std::integer_sequence<int, I...>) {
  return shuffle<(First + I)...>(x, x);
}
// The same of Count lanes, with unspecified ones after them.
template <int First, int Count, class A, int... I>
EXPRAX_INLINE auto part_of(A x, std::integer_sequence<int, I...>) {
  return shuffle<(I < Count ? First + I : -1)...>(x, x);
}
template <class A, int... I>
EXPRAX_INLINE auto joined(A low, A high, std::integer_sequence<int, I...>) {
  return shuffle<I...>(low, high);
}

}  // namespace detail
}  // namespace exprax::simd

#endif
