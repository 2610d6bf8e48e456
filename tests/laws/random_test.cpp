// SPDX-License-Identifier: BSL-1.0
// Laws of random numbers: emitted code is the interpreter's, vmap is the stack of slices.
#include <laws/batch_law.hpp>
#include <laws/emit_law.hpp>

namespace laws {

TEST_CASE("random numbers") { check_rows<emit_law, prim::random_seed, prim::iota_2x32_shape>(); }
TEST_CASE("vmap: random numbers") { check_rows<batch_law_of_arrays, prim::random_seed, prim::iota_2x32_shape>(); }

static_assert(static_cast<int>(prim::cumlogsumexp) + 1 == static_cast<int>(prim::random_seed));

}  // namespace laws
