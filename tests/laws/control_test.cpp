// SPDX-License-Identifier: BSL-1.0
// Loops, branches and calls, each entry alone and batched.
#include <laws/batch_law.hpp>
#include <laws/emit_law.hpp>

namespace laws {

TEST_CASE("control") { check_rows<emit_law, prim::cond, prim::jit>(); }
TEST_CASE("vmap: control") { check_rows<batch_law_of_arrays, prim::cond, prim::jit>(); }

}  // namespace laws
