// SPDX-License-Identifier: BSL-1.0
// Common divisors and multiples of integers (jax.numpy): gcd, lcm. Shapes broadcast, dtypes are promoted.
#pragma once

#include <exprax/api/control/while_loop.hpp>
#include <exprax/numpy/elementwise/division.hpp>
#include <exprax/numpy/reductions/reductions.hpp>

namespace exprax {

namespace detail {

// Euclid's algorithm on all elements together.
struct gcd_goes_on {
  template <class S>
  constexpr auto operator()(S const& s) const {
    return any(not_equal(std::get<1>(s), 0));
  }
};
struct gcd_step {
  template <class S>
  constexpr auto operator()(S const& s) const {
    auto const a = std::get<0>(s), b = std::get<1>(s);
    auto const going = not_equal(b, 0);
    using type = typename decltype(a)::dtype_type;
    auto const rest = record_binary<prim::rem, type, type>(a, b);
    // Of the least integer, which is its own magnitude, the rest is negative.
    if constexpr (is_signed_integer(dtype_of<type>)) return std::tuple(where(going, b, a), where(going, abs(rest), 0));
    else return std::tuple(where(going, b, a), where(going, rest, 0));
  }
};

struct gcd_body {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = promote_t<type_in<A>, type_in<B>>;
    using shape = common_as<type, A, B>;
    auto const x = expr_from<shape>(broadcast_shape<shape>(cast<type>(a)));
    auto const y = expr_from<shape>(broadcast_shape<shape>(cast<type>(b)));
    return std::get<0>(while_loop(gcd_goes_on{}, gcd_step{}, std::tuple(abs(x), abs(y))));
  }
};
struct gcd_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return named_call<gcd_body>("gcd", a, b);
  }
};
struct lcm_body {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = promote_t<type_in<A>, type_in<B>>;
    auto const x = abs(expr_like<A, type>(cast<type>(a)));
    auto const y = abs(expr_like<B, type>(cast<type>(b)));
    auto const d = gcd_op{}(x, y);
    return where(equal(d, 0), 0, multiply(x, floor_divide(y, d)));
  }
};
struct lcm_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return named_call<lcm_body>("lcm", a, b);
  }
};

}  // namespace detail

// The greatest common divisor of |a| and |b| (jax.numpy.gcd); gcd(0, 0) = 0. Only integers are accepted.
inline constexpr struct gcd_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("gcd"));
    static_assert(is_integer(detail::aval_in<A>.type) && is_integer(detail::aval_in<B>.type),
                  "exprax: gcd: needs integer dtypes: convert with astype<int>");
    return detail::apply<detail::gcd_op>(a, b);
  }
} gcd{};
// The least common multiple of |a| and |b| (jax.numpy.lcm); 0 where one is 0. Only integers are accepted.
inline constexpr struct lcm_function {
  template <array_like A, array_like B>
  constexpr auto operator()(A const& a, B const& b) const {
    static_assert(detail::broadcasts<A, B>, EXPRAX_SHAPES("lcm"));
    static_assert(is_integer(detail::aval_in<A>.type) && is_integer(detail::aval_in<B>.type),
                  "exprax: lcm: needs integer dtypes: convert with astype<int>");
    return detail::apply<detail::lcm_op>(a, b);
  }
} lcm{};

}  // namespace exprax
