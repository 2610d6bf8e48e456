// SPDX-License-Identifier: BSL-1.0
// Loops, branches and calls, each entry alone and batched.
#include <laws/batch_law.hpp>
#include <laws/emit_law.hpp>

namespace laws {

TEST_CASE("control") { check_rows<emit_law, prim::cond, prim::scan>(); }
TEST_CASE("checkpoint, jit") { check_rows<emit_law, prim::checkpoint, prim::jit>(); }
TEST_CASE("vmap: control") { check_rows<batch_law_of_arrays, prim::cond, prim::scan>(); }
TEST_CASE("vmap: checkpoint, jit") { check_rows<batch_law_of_arrays, prim::checkpoint, prim::jit>(); }

// vmap stands between them; programs show what it expands to, and the laws of batches are its own.
static_assert(static_cast<int>(prim::scan) + 1 == static_cast<int>(prim::vmap) && static_cast<int>(prim::vmap) + 1 == static_cast<int>(prim::checkpoint));

}  // namespace laws
