// SPDX-License-Identifier: BSL-1.0
// Laws of parts and copies, and of linear algebra: emitted code is the interpreter's, vmap is the stack of slices.
#include <laws/batch_law.hpp>
#include <laws/emit_law.hpp>

namespace laws {

TEST_CASE("parts, copies, linear algebra") { check_rows<emit_law, prim::split, prim::triangular_solve>(); }
TEST_CASE("vmap: parts and copies") { check_rows<batch_law_of_arrays, prim::split, prim::custom_vjp_call>(); }

static_assert(static_cast<int>(prim::top_k) + 1 == static_cast<int>(prim::split));
static_assert(static_cast<int>(prim::triangular_solve) + 1 == static_cast<int>(prim::cumsum));

}  // namespace laws
