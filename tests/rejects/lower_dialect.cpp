// SPDX-License-Identifier: BSL-1.0
// rejects: the_dialects_are_stablehlo_and_hlo
// within: 8 4
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto f = [](auto x) { return x + 1; };
constexpr auto text = ex::lower(f)(0).as_text("mhlo");
