// SPDX-License-Identifier: BSL-1.0
// Laws of argmax and argmin, and of reductions by functions of the user.
#include <laws/batch_law.hpp>
#include <laws/emit_law.hpp>

namespace laws {

TEST_CASE("reductions put together from others") { check_rows<emit_law, prim::argmax, prim::reduce_window>(); }
TEST_CASE("vmap: reductions put together from others") { check_rows<batch_law_of_arrays, prim::argmax, prim::reduce_window>(); }
static_assert(static_cast<int>(prim::order_rows) + 1 == static_cast<int>(prim::argmax));
static_assert(static_cast<int>(prim::reduce_window) + 1 == static_cast<int>(prim::sort));

}  // namespace laws
