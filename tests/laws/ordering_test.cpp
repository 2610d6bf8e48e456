// SPDX-License-Identifier: BSL-1.0
// Laws of what orders and finds elements, of argmax and argmin, and of reductions by functions of the user: emitted code is the
// interpreter's, vmap is the stack of slices.
#include <laws/batch_law.hpp>
#include <laws/emit_law.hpp>

namespace laws {

TEST_CASE("orders, and reductions put together from others") { check_rows<emit_law, prim::nonzero, prim::top_k>(); }
TEST_CASE("vmap: orders, and reductions put together from others") { check_rows<batch_law_of_arrays, prim::nonzero, prim::top_k>(); }
static_assert(static_cast<int>(prim::reduce_argmin) + 1 == static_cast<int>(prim::nonzero));

}  // namespace laws
