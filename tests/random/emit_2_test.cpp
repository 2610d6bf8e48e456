// SPDX-License-Identifier: BSL-1.0
// Random programs 81 to 120, emitted.
#include <random/emit_random.hpp>

TEST_CASE("emitted random programs 81 to 120") { random_programs::check_seeds<81>(std::make_integer_sequence<std::uint32_t, 40>{}); }
