// SPDX-License-Identifier: BSL-1.0
// imag (jax.lax.imag): the imaginary part of complex numbers.
#pragma once

#include <exprax/primitives/elementwise/complex_rules.hpp>

namespace exprax {

template <>
struct primitive<prim::imag> : detail::complex_part<prim::imag> {
  static constexpr std::string_view name = "imag";
  static constexpr std::string_view stablehlo = "imag";
};

}  // namespace exprax
