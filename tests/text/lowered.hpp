// SPDX-License-Identifier: BSL-1.0
// Any program, lowered: its texts are read again by the parsers of the tests, and its module runs on their machine, to be
// compared with the interpreter. Defined once, in lowered.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <exprax/program/program.hpp>

namespace lowered {

// Both texts are well formed, and the types of StableHLO's follow from one another; what is wrong, with the text, is in the message.
void check_texts(exprax::program_ref p);
// What is lowered means what the program means, on these inputs or on some.
void check_meaning(exprax::program_ref p, std::vector<std::vector<std::uint64_t>> const& in);
void check_meaning(exprax::program_ref p);
// All of it, before and after the passes.
void check_all(exprax::program_ref p);

}  // namespace lowered
