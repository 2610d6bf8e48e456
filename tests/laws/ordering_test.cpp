// SPDX-License-Identifier: BSL-1.0
// Laws of what orders rows: emitted code is the interpreter's, vmap is the stack of slices.
#include <laws/batch_law.hpp>
#include <laws/emit_law.hpp>

namespace laws {

TEST_CASE("ordering") { check_rows<emit_law, prim::sort, prim::top_k>(); }
TEST_CASE("vmap: ordering") { check_rows<batch_law_of_arrays, prim::sort, prim::top_k>(); }

static_assert(static_cast<int>(prim::top_k) + 1 == static_cast<int>(prim::cholesky));

}  // namespace laws
