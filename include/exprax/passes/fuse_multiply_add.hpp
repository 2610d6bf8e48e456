// SPDX-License-Identifier: BSL-1.0
// fuse_multiply_add: a float product that is used once, by a sum or a difference, becomes an fma with it; if both operands of a sum are
// such products, the left one does. Dead equations are removed. This is the only pass that changes the bits of results. Nothing else is
// fused, so that the bits are the same on every compiler.
#pragma once

#include <exprax/passes/compactor.hpp>

namespace exprax {
namespace detail {

struct fuse_options {
  static constexpr bool fuses = true;
};

}  // namespace detail

constexpr program fuse_multiply_add(program_ref p) { return detail::compactor<detail::fuse_options>(p).run(); }

}  // namespace exprax
