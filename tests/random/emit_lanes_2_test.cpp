// SPDX-License-Identifier: BSL-1.0
// Random nested programs 33 to 48 for each row of a vmap, in lanes.
#include <random/emit_nested.hpp>

TEST_CASE("random nested programs 33 to 48 in lanes") {
  random_programs::check_nested_seeds<random_programs::mapped_nested, 33>(std::make_integer_sequence<std::uint32_t, 16>{});
  CHECK(random_programs::not_in_lanes <= 4);
}
