// SPDX-License-Identifier: BSL-1.0
// Random programs 41 to 80, emitted.
#include <random/emit_random.hpp>

TEST_CASE("emitted random programs 41 to 80") { random_programs::check_seeds<41>(std::make_integer_sequence<std::uint32_t, 40>{}); }
