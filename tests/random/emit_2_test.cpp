// SPDX-License-Identifier: BSL-1.0
// Chosen random programs 12 to 17, emitted.
#include <random/emit_random.hpp>

TEST_CASE("emitted random programs 12 to 17") { random_programs::check_emitted<12>(std::make_integer_sequence<int, 6>{}); }
