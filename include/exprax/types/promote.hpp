// SPDX-License-Identifier: BSL-1.0
// Type promotion (jax.numpy.promote_types): JAX's lattice with weak types, for jax_enable_x64 on and off. With x64 off, 64-bit types come
// only from values declared with them: those keep them, where JAX would truncate to 32 bits.
#pragma once

#include <exprax/base/config.hpp>
#include <exprax/types/dtype.hpp>

namespace exprax {

struct promotion {
  dtype type;
  bool weak;
  constexpr bool operator==(promotion const&) const = default;
};

inline constexpr bool x64_enabled = EXPRAX_ENABLE_X64 != 0;

// Default dtypes of values that are not made from an array: integers, floats, complex numbers.
using default_int = std::conditional_t<x64_enabled, std::int64_t, std::int32_t>;
using default_float = std::conditional_t<x64_enabled, double, float>;
using default_complex = std::complex<default_float>;

namespace detail {

// Whether the dtype, or its parts, have 64 bits.
constexpr bool is_64_bit(dtype d) { return size_of(real_dtype(d)) == 8; }

// Two integer dtypes, neither weak.
constexpr promotion promote_integers(dtype a, dtype b, bool x64) {
  if (is_signed_integer(a) == is_signed_integer(b)) return {size_of(a) < size_of(b) ? b : a, false};
  dtype const s = is_signed_integer(a) ? a : b;
  dtype const u = is_signed_integer(a) ? b : a;
  if (u == dtype::u64) return {dtype::f64, true};  // as NumPy: no integer holds both
  if (size_of(s) > size_of(u)) return {s, false};
  return {u == dtype::u8 ? dtype::i16 : u == dtype::u32 && x64 ? dtype::i64 : dtype::i32, false};
}
// Two float or complex dtypes, both weak or neither.
constexpr dtype promote_inexact(dtype a, dtype b) {
  dtype const p = real_dtype(a), q = real_dtype(b);
  dtype const parts = p == q ? p : size_of(p) < size_of(q) ? q : size_of(q) < size_of(p) ? p : dtype::f32;  // float16 and bfloat16
  return is_complex(a) || is_complex(b) ? complex_dtype(parts) : parts;
}

constexpr int category(dtype d) { return is_bool(d) ? 0 : is_integer(d) ? 1 : is_floating(d) ? 2 : 3; }

}  // namespace detail

constexpr promotion promote(promotion a, promotion b, bool x64 = x64_enabled) {
  int const ca = detail::category(a.type), cb = detail::category(b.type);
  if (a.weak != b.weak) {
    promotion const weak = a.weak ? a : b;
    promotion const strong = a.weak ? b : a;
    int const cw = detail::category(weak.type), cs = detail::category(strong.type);
    if (cw <= cs) return strong;
    if (cw == 3 && cs == 2) return {complex_dtype(strong.type), false};
    // A weak value of a higher category stays weak; a 64-bit integer promotes to a 64-bit float.
    if (cw == 1 || !detail::is_64_bit(strong.type)) return weak;
    return {cw == 2 ? dtype::f64 : dtype::c128, true};
  }
  if (ca >= 2 && cb >= 2) return {detail::promote_inexact(a.type, b.type), a.weak};
  if (ca != cb) return ca < cb ? b : a;
  if (ca == 0) return a;
  if (a.weak) return size_of(a.type) < size_of(b.type) ? b : a;
  return detail::promote_integers(a.type, b.type, x64);
}

namespace detail {

template <class T>
inline constexpr promotion promotion_of = {dtype_of<T>, is_weak<T>};

template <dtype D, bool Weak>
struct type_of_dtype {
  using type = element_t<D>;
};
template <dtype D>
struct type_of_dtype<D, true> {
  using type = weak<element_t<D>>;
};

template <class... T>
struct promoted;
template <class T>
struct promoted<T> {
  using type = T;
};
template <class A, class B, class... Rest>
struct promoted<A, B, Rest...> {
  static_assert(
      dtype_of<A> == dtype_of<B> || (!is_key(dtype_of<A>) && !is_key(dtype_of<B>)),
      "exprax: keys of random numbers (key<fry>) do not compute: make numbers of them with ex::random, or take their words with key_data");
  static constexpr promotion both = promote(promotion_of<A>, promotion_of<B>);
  using type = typename promoted<typename type_of_dtype<both.type, both.weak>::type, Rest...>::type;
};

// The weak type of a C++ number; bool, float16 and bfloat16 are not weak.
template <class S>
struct literal_type {
  using type = weak<default_int>;
};
template <>
struct literal_type<bool> {
  using type = bool;
};
template <std::floating_point S>
struct literal_type<S> {
  using type = weak<default_float>;
};
template <class S>
struct literal_type<std::complex<S>> {
  using type = weak<default_complex>;
};
template <class S>
  requires(is_half_type<S>)
struct literal_type<S> {
  using type = S;
};

// The type of the parts of a complex type, weak if that is.
template <class T>
using real_part_t = typename type_of_dtype<real_dtype(dtype_of<T>), is_weak<T>>::type;
template <class T>
using complex_of_t = typename type_of_dtype<complex_dtype(dtype_of<T>), is_weak<T>>::type;

// The canonical C++ type of a dtype: long long becomes std::int64_t where they differ, int std::int32_t. void, which is no dtype, stays.
template <class T>
struct canonical {
  using type = element_t<dtype_of<T>>;
};
template <>
struct canonical<void> {
  using type = void;
};
template <class T>
struct canonical<weak<T>> {
  using type = weak<element_t<dtype_of<T>>>;
};

}  // namespace detail

// The dtype, weak or not, to which values of these types promote.
template <class... T>
using promote_t = typename detail::promoted<T...>::type;
// The type of a C++ number in an expression: weak<float>, weak<int>, weak<std::complex<float>> or bool.
template <class S>
using literal_t = typename detail::literal_type<S>::type;
template <class T>
using canonical_t = typename detail::canonical<T>::type;

}  // namespace exprax
