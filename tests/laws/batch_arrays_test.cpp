// SPDX-License-Identifier: BSL-1.0
// The law of vmap, for movement, reductions, contractions and control.
#include <laws/batch_law.hpp>

namespace laws {

TEST_CASE("vmap: movement") { check_rows<batch_law_of_arrays, prim::broadcast_in_dim, prim::iota>(); }
TEST_CASE("vmap: reductions and contractions") { check_rows<batch_law_of_arrays, prim::reduce_sum, prim::conv_general_dilated>(); }
TEST_CASE("vmap: running reductions") { check_rows<batch_law_of_arrays, prim::cumsum, prim::cumlogsumexp>(); }

}  // namespace laws
