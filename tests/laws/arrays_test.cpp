// SPDX-License-Identifier: BSL-1.0
// The laws of single programs, for the primitives that are not elementwise.
#include <laws/emit_law.hpp>

namespace laws {

TEST_CASE("movement") { check_rows<emit_law, prim::broadcast_in_dim, prim::iota>(); }
TEST_CASE("dynamic indices and updates") { check_rows<emit_law, prim::dynamic_slice, prim::update_slice_max>(); }
TEST_CASE("reductions and contractions") { check_rows<emit_law, prim::reduce_sum, prim::conv_general_dilated>(); }
TEST_CASE("running reductions") { check_rows<emit_law, prim::cumsum, prim::cumlogsumexp>(); }

// The list and the walks above, together: a primitive after the last walk would be forgotten.
static_assert(static_cast<int>(prim::jit) + 1 == prim_count && static_cast<int>(prim::neg) == 0);
static_assert(static_cast<int>(prim::conj) + 1 == static_cast<int>(prim::add));
static_assert(static_cast<int>(prim::at_most) + 1 == static_cast<int>(prim::broadcast_in_dim));
static_assert(static_cast<int>(prim::iota) + 1 == static_cast<int>(prim::dynamic_slice));
static_assert(static_cast<int>(prim::update_slice_max) + 1 == static_cast<int>(prim::reduce_sum));
static_assert(static_cast<int>(prim::conv_general_dilated) + 1 == static_cast<int>(prim::sort_rows));
// Collectives, next, mean nothing alone: tests/numpy/collectives_test.cpp. debug_print has no results: tests/api/debug_print_test.cpp.
static_assert(static_cast<int>(prim::iota_2x32_shape) + 1 == static_cast<int>(prim::psum));
// custom_lin is in no trace: tests/derivatives/.
static_assert(static_cast<int>(prim::axis_index) + 1 == static_cast<int>(prim::custom_lin));
static_assert(static_cast<int>(prim::custom_lin) + 1 == static_cast<int>(prim::debug_print));
static_assert(static_cast<int>(prim::debug_print) + 1 == static_cast<int>(prim::cond));

}  // namespace laws
