// SPDX-License-Identifier: BSL-1.0
// Random programs 121 to 160, emitted.
#include <random/emit_random.hpp>

TEST_CASE("emitted random programs 121 to 160") { random_programs::check_seeds<121>(std::make_integer_sequence<std::uint32_t, 40>{}); }
