// SPDX-License-Identifier: BSL-1.0
// Chosen random programs 0 to 5, emitted.
#include <random/emit_random.hpp>

TEST_CASE("emitted random programs 0 to 5") { random_programs::check_emitted<0>(std::make_integer_sequence<int, 6>{}); }
