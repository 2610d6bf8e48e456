// SPDX-License-Identifier: BSL-1.0
// Random nested programs 81 to 100, emitted.
#include <random/emit_nested.hpp>

TEST_CASE("emitted random nested programs 81 to 100") {
  random_programs::check_nested_seeds<random_programs::prepared_nested, 81>(std::make_integer_sequence<std::uint32_t, 20>{});
}
