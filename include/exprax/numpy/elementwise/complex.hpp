// SPDX-License-Identifier: BSL-1.0
// Complex numbers (jax.numpy): real, imag, conj, angle, iscomplex, isreal, iscomplexobj, isrealobj; and lax::complex, which makes them of
// two floats.
#pragma once

#include <exprax/numpy/elementwise/arithmetic.hpp>
#include <exprax/numpy/elementwise/elementwise.hpp>

namespace exprax {

namespace detail {

template <class X>
inline constexpr bool has_complex_elements = is_complex(aval_in<X>.type);

struct real_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    if constexpr (has_complex_elements<X>) return detail::bind<expr_like<X, real_part_t<type_in<X>>>>(prim::real, {}, as_traced(x));
    else return expr_type<X>(as_traced(x));
  }
};
struct imag_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    if constexpr (has_complex_elements<X>) return detail::bind<expr_like<X, real_part_t<type_in<X>>>>(prim::imag, {}, as_traced(x));
    else return expr_type<X>(broadcast_shape<shape_in<X>>(literal<type_in<X>>({})));
  }
};
struct conj_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    if constexpr (has_complex_elements<X>) return record_unary<prim::conj>(as_traced(x));
    else return expr_type<X>(as_traced(x));
  }
};
// The squares of magnitudes: real, also of complex numbers.
template <tracer X>
constexpr auto squared_magnitude(X const& x) {
  if constexpr (has_complex_elements<X>) return real_op{}(detail::bind<X>(prim::mul, {}, x, conj_op{}(x)));
  else return detail::bind<X>(prim::mul, {}, x, x);
}
struct phase_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    auto const z = as_expr<inexact_t<type_in<X>>>(x);
    auto const re = real_op{}(z);
    return detail::bind<std::remove_const_t<decltype(re)>>(prim::atan2, {}, imag_op{}(z), re);
  }
};
// Whether the imaginary part is not zero, or is.
template <prim Comparison>
struct imaginary_part_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    auto const im = imag_op{}(x);
    return detail::bind<expr_like<X, bool>>(Comparison, {}, im, lit<real_part_t<type_in<X>>>{});
  }
};
struct complex_op {
  template <operand X, operand Y>
  constexpr auto operator()(X const& re, Y const& im) const {
    using type = promote_t<type_in<X>, type_in<Y>>;
    return record_binary<prim::complex, type, complex_of_t<type>>(re, im);
  }
};

// The complex number whose parts are f of the parts of z.
template <tracer X, class F>
constexpr auto on_each_part(X const& z, F const& f) {
  auto const re = f(real_op{}(z));
  return complex_op{}(re, f(imag_op{}(z)));
}

template <class X, class Y>
inline constexpr bool are_parts = is_floating(aval_in<X>.type) && is_floating(aval_in<Y>.type) && !is_half(aval_in<X>.type) &&
                                  !is_half(aval_in<Y>.type);

}  // namespace detail

// The real part (jax.numpy.real): float32 of complex64, float64 of complex128; other dtypes stay as they are.
inline constexpr struct real_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::real_op>(x);
  }
} real{};
// The imaginary part (jax.numpy.imag): float32 of complex64, float64 of complex128; of other dtypes zeros of the same dtype.
inline constexpr struct imag_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::imag_op>(x);
  }
} imag{};
// conj(x), conjugate(x): the number with the opposite imaginary part (jax.numpy.conj); other dtypes stay as they are.
inline constexpr struct conj_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::conj_op>(x);
  }
} conj{};
inline constexpr struct conjugate_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return conj(x);
  }
} conjugate{};
// The angle from the positive real axis, in [-pi, pi] (jax.numpy.angle): the dtype of the real part, integers become float32.
inline constexpr struct angle_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::phase_op>(x);
  }
} angle{};
// iscomplex(x), isreal(x): whether the imaginary part is not 0, or is 0, as bool (jax.numpy.iscomplex, jax.numpy.isreal).
inline constexpr struct iscomplex_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::imaginary_part_op<prim::ne>>(x);
  }
} iscomplex{};
inline constexpr struct isreal_function {
  template <array_like X>
  constexpr auto operator()(X const& x) const {
    return detail::apply<detail::imaginary_part_op<prim::eq>>(x);
  }
} isreal{};
// Whether the dtype is complex (iscomplexobj), or not (isrealobj): constants of type bool (jax.numpy.iscomplexobj, isrealobj).
inline constexpr struct iscomplexobj_function {
  template <array_like X>
  constexpr bool operator()(X const&) const {
    return is_complex(detail::aval_in<X>.type);
  }
} iscomplexobj{};
inline constexpr struct isrealobj_function {
  template <array_like X>
  constexpr bool operator()(X const&) const {
    return !is_complex(detail::aval_in<X>.type);
  }
} isrealobj{};

namespace lax {

using exprax::conj, exprax::imag, exprax::real;

// Complex numbers of their parts (jax.lax.complex): complex64 of float32, complex128 of float64. Shapes broadcast; other dtypes are
// refused.
inline constexpr struct complex_function {
  template <array_like X, array_like Y>
  constexpr auto operator()(X const& re, Y const& im) const {
    static_assert(detail::are_parts<X, Y>, "exprax: lax::complex: the parts must be float32 or float64: this message names their types");
    return detail::apply<detail::complex_op>(re, im);
  }
} complex{};

}  // namespace lax

}  // namespace exprax
