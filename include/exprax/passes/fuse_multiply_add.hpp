// SPDX-License-Identifier: BSL-1.0
// fuse_multiply_add: a float product that is used once, by a sum or a difference, becomes an fma with it; of two such products of
// one sum, the left one. What is dead goes as well. The only pass that changes the bits of results: so that they are the
// same on every compiler, nothing else is fused.
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
