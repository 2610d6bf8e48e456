// SPDX-License-Identifier: BSL-1.0
// The law of vmap, for the elementwise primitives.
#include <laws/batch_law.hpp>

namespace laws {

TEST_CASE("vmap: one operand") { check_rows<elementwise_batch_law, prim::neg, prim::conj>(); }
TEST_CASE("vmap: two and three operands") { check_rows<elementwise_batch_law, prim::add, prim::at_most>(); }

}  // namespace laws
