// SPDX-License-Identifier: BSL-1.0
// Laws of linear algebra: emitted code is the interpreter's.
#include <laws/emit_law.hpp>

namespace laws {

TEST_CASE("linear algebra") { check_rows<emit_law, prim::cholesky, prim::triangular_solve>(); }

static_assert(static_cast<int>(prim::triangular_solve) + 1 == static_cast<int>(prim::cumsum));

}  // namespace laws
