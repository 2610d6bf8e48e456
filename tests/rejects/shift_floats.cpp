// SPDX-License-Identifier: BSL-1.0
// rejects: left_shift \(<<\): does not accept floats
#include <exprax/exprax.hpp>

namespace ex = exprax;

auto const y = ex::array<float, 2>{1, 2} << 1;
