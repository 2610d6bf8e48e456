// SPDX-License-Identifier: BSL-1.0
// Chosen random programs 18 to 23, emitted.
#include <random/emit_random.hpp>

TEST_CASE("emitted random programs 18 to 23") { random_programs::check_emitted<18>(std::make_integer_sequence<int, 6>{}); }
