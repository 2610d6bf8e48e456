// SPDX-License-Identifier: BSL-1.0
// vmap of random nested programs 33 to 48, emitted.
#include <random/emit_nested.hpp>

TEST_CASE("emitted vmap of random nested programs 33 to 48") {
  random_programs::check_nested_seeds<random_programs::batched_nested, 33>(std::make_integer_sequence<std::uint32_t, 16>{});
}
