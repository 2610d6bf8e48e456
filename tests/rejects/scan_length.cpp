// SPDX-License-Identifier: BSL-1.0
// rejects: length<n> that disagrees with the leading axis sizes
// rejects: length_agrees<exprax::length_t<4>, exprax::detail::leading_sizes<3> ?>
// within: 11 3
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto sums = [](auto xs) {
  return ex::scan([](auto c, auto x) { return ex::tuple(c + x, c); }, 0, xs, ex::length<4>);
};

int main() { (void)ex::jit(sums)(ex::array<int, 3>()); }
