// SPDX-License-Identifier: BSL-1.0
// shape<2, 3>: a shape as a value: what x.shape is, and what zeros(shape<2, 3>) and x.reshape(shape<2, 3>) take. Its sizes are constants
// with types of their own: after auto const [n, m] = x.shape both are template arguments, zeros<n, m>().
#pragma once

#include <exprax/base/format.hpp>
#include <exprax/types/static_int.hpp>

namespace exprax {

namespace detail {

// The sizes as members, so that a structured binding names them.
template <int... Dims>
struct shape_sizes;
template <>
struct shape_sizes<> {};
template <int A>
struct shape_sizes<A> {
  static_t<A> a;
};
template <int A, int B>
struct shape_sizes<A, B> {
  static_t<A> a;
  static_t<B> b;
};
template <int A, int B, int C>
struct shape_sizes<A, B, C> {
  static_t<A> a;
  static_t<B> b;
  static_t<C> c;
};
template <int A, int B, int C, int D>
struct shape_sizes<A, B, C, D> {
  static_t<A> a;
  static_t<B> b;
  static_t<C> c;
  static_t<D> d;
};
template <int A, int B, int C, int D, int E>
struct shape_sizes<A, B, C, D, E> {
  static_t<A> a;
  static_t<B> b;
  static_t<C> c;
  static_t<D> d;
  static_t<E> e;
};
template <int A, int B, int C, int D, int E, int F, int... Rest>
struct shape_sizes<A, B, C, D, E, F, Rest...> {};

template <int... Dims>
inline constexpr int sizes_of[sizeof...(Dims) + 1] = {Dims..., 0};

}  // namespace detail

// Up to rank 5 a structured binding takes it apart.
template <int... Dims>
struct shape_t : detail::shape_sizes<Dims...> {
  // The number of axes.
  static constexpr int size() { return static_cast<int>(sizeof...(Dims)); }
  // The size of an axis; negative axes count from the end.
  constexpr int operator[](int axis) const { return detail::sizes_of<Dims...>[axis < 0 ? axis + size() : axis]; }
  static constexpr int const* begin() { return detail::sizes_of<Dims...>; }
  static constexpr int const* end() { return begin() + size(); }

  template <int... Other>
  friend constexpr bool operator==(shape_t, shape_t<Other...>) {
    return std::is_same_v<shape_t, shape_t<Other...>>;
  }
  // As Python prints a tuple: (2, 3).
  template <detail::stream Stream>
  friend Stream& operator<<(Stream& out, shape_t) {
    detail::text_buffer text;
    detail::write_tuple(text, {begin(), size()});
    out.write(text.data(), text.size());
    return out;
  }
};
template <int... Dims>
inline constexpr shape_t<Dims...> shape{};

}  // namespace exprax
