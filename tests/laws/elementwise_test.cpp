// SPDX-License-Identifier: BSL-1.0
// The laws of single programs, for the elementwise primitives.
#include <laws/emit_law.hpp>

namespace laws {

TEST_CASE("one operand") { check_rows<emit_law, prim::neg, prim::conj>(); }
TEST_CASE("two and three operands") { check_rows<emit_law, prim::add, prim::at_most>(); }

}  // namespace laws
