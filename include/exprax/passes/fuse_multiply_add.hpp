// SPDX-License-Identifier: BSL-1.0
// contract: a float product that is used once, by a sum or a difference, becomes an fma with it; of two such products of
// one sum, the left one. What is dead goes as well. The only pass that changes the bits of results: so that they are the
// same on every compiler, nothing else is fused.
#pragma once

#include <exprax/passes/compactor.hpp>

namespace exprax {
namespace detail {

struct contract_options {
  static constexpr bool contract = true;
};

}  // namespace detail

constexpr program contract(program_ref p) { return detail::compactor<detail::contract_options>(p).run(); }

}  // namespace exprax
