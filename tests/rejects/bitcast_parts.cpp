// SPDX-License-Identifier: BSL-1.0
// rejects: bitcast_convert_type: for a larger dtype the last axis must hold its parts
#include <exprax/exprax.hpp>

namespace ex = exprax;

auto const y = ex::bitcast_convert_type<double>(ex::array<float, 3>{1, 2, 3});
