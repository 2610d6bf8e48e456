// SPDX-License-Identifier: BSL-1.0
// ex::lax: control flow, which means the same in ex; and optimization_barrier.
#pragma once

#include <exprax/api/control/cond.hpp>
#include <exprax/api/control/fori_loop.hpp>
#include <exprax/api/control/map.hpp>
#include <exprax/api/control/scan.hpp>
#include <exprax/api/control/switch.hpp>
#include <exprax/api/control/while_loop.hpp>
#include <exprax/numpy/functional/associative_scan.hpp>

namespace exprax {

namespace lax {

// Its operand, or tree of operands: nothing here moves across (jax.lax.optimization_barrier).
inline constexpr struct optimization_barrier_function {
  template <class X>
  constexpr X operator()(X const& x) const {
    return x;
  }
} optimization_barrier{};
using exprax::associative_scan;
using exprax::cond;
using exprax::fori_loop;
using exprax::map;
using exprax::scan;
using exprax::switch_;
using exprax::while_loop;

}  // namespace lax

}  // namespace exprax
