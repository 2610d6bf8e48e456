// SPDX-License-Identifier: BSL-1.0
// Chosen random programs 24 to 31, emitted.
#include <random/emit_random.hpp>

TEST_CASE("emitted random programs 24 to 31") { random_programs::check_emitted<24>(std::make_integer_sequence<int, 8>{}); }
