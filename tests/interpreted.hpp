// SPDX-License-Identifier: BSL-1.0
// For test programs with EXPRAX_DISABLE_JIT: at run time they share the interpreter of oracle.cpp.
#pragma once

#include <exprax/exprax.hpp>

extern template exprax::detail::arena<exprax::detail::arena<std::uint64_t>> exprax::detail::interpret_at_run_time(
    exprax::program_ref, exprax::detail::span<std::uint64_t const*>);
