// SPDX-License-Identifier: BSL-1.0
// linalg::det and linalg::slogdet (jax.numpy.linalg), from LU factors. Matrices stand in the last two axes.
#pragma once

#include <exprax/numpy/linalg/lu.hpp>

namespace exprax {

namespace detail {

// Sign and logarithm of the determinant; -inf where it is 0.
struct slogdet_of {
  template <class T, int N>
  constexpr auto operator()(expr<T, N, N> const& x) const {
    using part = real_part_t<T>;
    if constexpr (N == 0) {
      return std::tuple(expr<T>(as_expr<T>(1)), expr<part>(as_expr<part>(0)));
    } else {
      auto const factors = lu_within{}(x);
      auto const diagonal = diagonal_body<0, 0, 1>{}(std::get<0>(factors));
      auto const moved = not_equal(std::get<1>(factors), broadcasted_iota_near<std::int32_t, 0, N>(x));
      auto const exchanges = sum(astype<std::int32_t>(moved));
      auto const is_zero = any(equal(diagonal, 0));
      constexpr auto nothing = -std::numeric_limits<strong_t<part>>::infinity();
      if constexpr (is_complex(dtype_of<T>)) {
        auto const sizes = abs(diagonal);
        auto const phase = prod(divide(diagonal, astype<T>(sizes)));
        auto const sign = multiply(phase, subtract(1, multiply(2, astype<T>(mod(exchanges, 2)))));
        return std::tuple(expr<T>(where(is_zero, 0, sign)), expr<part>(where(is_zero, nothing, sum(log(sizes)))));
      } else {
        auto const negatives = sum(astype<std::int32_t>(less(diagonal, 0)));
        auto const odd = mod(add(exchanges, negatives), 2);
        auto const sign = subtract(1, multiply(2, astype<T>(odd)));
        auto const logarithm = sum(log(abs(diagonal)));
        return std::tuple(expr<T>(where(is_zero, 0, sign)), expr<T>(where(is_zero, nothing, logarithm)));
      }
    }
  }
};
struct det_of {
  template <class T, int N>
  constexpr expr<T> operator()(expr<T, N, N> const& x) const {
    if constexpr (N == 0) {
      return as_expr<T>(1);
    } else if constexpr (N == 1) {
      return x(0, 0);
    } else if constexpr (N == 2) {
      return subtract(multiply(x(0, 0), x(1, 1)), multiply(x(0, 1), x(1, 0)));
    } else if constexpr (N == 3) {
      auto const a = multiply(x(0, 0), subtract(multiply(x(1, 1), x(2, 2)), multiply(x(1, 2), x(2, 1))));
      auto const b = multiply(x(0, 1), subtract(multiply(x(1, 0), x(2, 2)), multiply(x(1, 2), x(2, 0))));
      auto const c = multiply(x(0, 2), subtract(multiply(x(1, 0), x(2, 1)), multiply(x(1, 1), x(2, 0))));
      return add(subtract(a, b), c);
    } else {
      // Without lu's rule, which divides by the last pivot: a determinant of 0 has a derivative too.
      auto const factors = lu_body{}(x);
      auto const diagonal = diagonal_body<0, 0, 1>{}(std::get<0>(factors));
      auto const moved = not_equal(std::get<1>(factors), broadcasted_iota_near<std::int32_t, 0, N>(x));
      auto const odd = mod(sum(astype<std::int32_t>(moved)), 2);
      return multiply(prod(diagonal), subtract(1, multiply(2, astype<T>(odd))));
    }
  }
};
template <class Of>
struct named_determinant_op {
  template <operand A>
  constexpr auto operator()(A const& a) const {
    return named_call<each_matrix_op<Of>>(std::is_same_v<Of, det_of> ? "det" : "slogdet", a);
  }
};

}  // namespace detail

namespace linalg {

// The determinant of square matrices: [..., n, n] -> [...]; integers become float32 (x64: float64). Refused: matrices that are not square
// (jax.numpy.linalg.det).
inline constexpr struct det_function {
  template <array_like A>
  constexpr auto operator()(A const& a) const {
    static_assert(detail::is_square<A>, "exprax: linalg.det: the argument must be square matrices");
    if constexpr (detail::is_square<A>) return detail::apply<detail::named_determinant_op<detail::det_of>>(a);
    else return a;  // after the error: nothing that leads to others
  }
} det{};
// (sign, log|det|) of square matrices; (0, -inf) where the determinant is 0. [..., n, n] -> [...] each; of complex matrices the sign is
// complex, the logarithm real; integers become float32 (x64: float64). Refused: matrices that are not square (jax.numpy.linalg.slogdet).
inline constexpr struct slogdet_function {
  template <array_like A>
  constexpr auto operator()(A const& a) const {
    static_assert(detail::is_square<A>, "exprax: linalg.slogdet: the argument must be square matrices");
    if constexpr (detail::is_square<A>)
      return detail::apply<detail::named_determinant_op<detail::slogdet_of>>(a);
    else return a;  // after the error: nothing that leads to others
  }
} slogdet{};

}  // namespace linalg

}  // namespace exprax
