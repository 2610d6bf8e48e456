// SPDX-License-Identifier: BSL-1.0
// Chosen random programs 6 to 11, emitted.
#include <random/emit_random.hpp>

TEST_CASE("emitted random programs 6 to 11") { random_programs::check_emitted<6>(std::make_integer_sequence<int, 6>{}); }
