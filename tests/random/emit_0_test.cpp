// SPDX-License-Identifier: BSL-1.0
// Random programs 1 to 40, emitted.
#include <random/emit_random.hpp>

TEST_CASE("emitted random programs 1 to 40") { random_programs::check_seeds<1>(std::make_integer_sequence<std::uint32_t, 40>{}); }
