// SPDX-License-Identifier: BSL-1.0
// rejects: the_dialects_are_stablehlo_hlo_plan_and_memory
// within: 8 4
// lines: 26
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto f = [](auto x) { return x + 1; };
auto const text = ex::lower(f)(0).as_text("mhlo");
