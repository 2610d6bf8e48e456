// SPDX-License-Identifier: BSL-1.0
// Random programs 161 to 200, emitted.
#include <random/emit_random.hpp>

TEST_CASE("emitted random programs 161 to 200") { random_programs::check_seeds<161>(std::make_integer_sequence<std::uint32_t, 40>{}); }
