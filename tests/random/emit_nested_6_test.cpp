// SPDX-License-Identifier: BSL-1.0
// Random nested programs 121 to 140, emitted.
#include <random/emit_nested.hpp>

TEST_CASE("emitted random nested programs 121 to 140") {
  random_programs::check_nested_seeds<random_programs::prepared_nested, 121>(std::make_integer_sequence<std::uint32_t, 20>{});
}
