// SPDX-License-Identifier: BSL-1.0
// vmap of random nested programs 17 to 32, emitted.
#include <random/emit_nested.hpp>

TEST_CASE("emitted vmap of random nested programs 17 to 32") {
  random_programs::check_nested_seeds<random_programs::batched_nested, 17>(std::make_integer_sequence<std::uint32_t, 16>{});
}
