// SPDX-License-Identifier: BSL-1.0
// The law of vmap, for reads and updates at indices.
#include <laws/batch_law.hpp>

namespace laws {

TEST_CASE("vmap: dynamic indices and updates") { check_rows<batch_law_of_arrays, prim::dynamic_slice, prim::update_slice_max>(); }

}  // namespace laws
