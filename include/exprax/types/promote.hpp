// SPDX-License-Identifier: BSL-1.0
// Type promotion (jax.numpy.promote_types): JAX's lattice with weak types. Types of 64 bits come only from values that were
// declared with them; apart from those the lattice is the one of x64 off (u32 and i8 meet in i32).
#pragma once

#include <exprax/types/dtype.hpp>

namespace exprax {

struct promotion {
  dtype type;
  bool weak;
  constexpr bool operator==(promotion const&) const = default;
};

namespace detail {

constexpr bool is_64_bit(dtype d) { return size_of(d) == 8; }
constexpr int width_rank(dtype d) { return size_of(d); }
constexpr dtype wider(dtype a, dtype b) { return size_of(a) < size_of(b) ? b : a; }

// Two integers, neither of them weak.
constexpr promotion promote_integers(dtype a, dtype b) {
  if (is_signed_integer(a) == is_signed_integer(b)) return {wider(a, b), false};
  dtype const s = is_signed_integer(a) ? a : b;
  dtype const u = is_signed_integer(a) ? b : a;
  if (u == dtype::u64) return {dtype::f64, true};  // as NumPy: no integer holds both
  if (size_of(s) > size_of(u)) return {s, false};
  constexpr dtype above[] = {dtype::i16, dtype::i32, dtype::i32};
  return {above[static_cast<int>(u) - static_cast<int>(dtype::u8)], false};
}

constexpr int category(dtype d) { return is_bool(d) ? 0 : is_integer(d) ? 1 : 2; }

}  // namespace detail

constexpr promotion promote(promotion a, promotion b) {
  int const ca = detail::category(a.type), cb = detail::category(b.type);
  if (a.weak != b.weak) {
    promotion const weak = a.weak ? a : b;
    promotion const strong = a.weak ? b : a;
    int const cw = detail::category(weak.type), cs = detail::category(strong.type);
    if (cw <= cs) return strong;
    // A weak value of a higher category stays weak; a 64-bit integer calls for a 64-bit float.
    return {cw == 2 && detail::is_64_bit(strong.type) ? dtype::f64 : weak.type, true};
  }
  if (ca != cb) return ca < cb ? b : a;
  if (ca == 0) return a;
  if (ca == 2 || a.weak) return {detail::wider(a.type, b.type), a.weak};
  return detail::promote_integers(a.type, b.type);
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
  static constexpr promotion both = promote(promotion_of<A>, promotion_of<B>);
  using type = typename promoted<typename type_of_dtype<both.type, both.weak>::type, Rest...>::type;
};

// The weak type of a C++ scalar; bool is not weak.
template <class S>
struct literal_type {
  using type = weak<std::int32_t>;
};
template <>
struct literal_type<bool> {
  using type = bool;
};
template <>
struct literal_type<float> {
  using type = weak<float>;
};
template <>
struct literal_type<double> {
  using type = weak<float>;
};

// The one C++ type of a dtype: long long becomes std::int64_t where they differ.
template <class T>
struct canonical {
  using type = element_t<dtype_of<T>>;
};
template <class T>
struct canonical<weak<T>> {
  using type = weak<element_t<dtype_of<T>>>;
};

}  // namespace detail

// The dtype, weak or not, in which values of these types meet.
template <class... T>
using promote_t = typename detail::promoted<T...>::type;
// The type of a C++ scalar in an expression: weak<float>, weak<int> or bool.
template <class S>
using literal_t = typename detail::literal_type<S>::type;
template <class T>
using canonical_t = typename detail::canonical<T>::type;

}  // namespace exprax
