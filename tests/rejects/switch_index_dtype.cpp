// SPDX-License-Identifier: BSL-1.0
// rejects: Index type must be an integer
// rejects: is_an_integer<exprax::expr<float>
// within: 11 3
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto choose = [](auto i, auto x) {
  return ex::switch_(i, ex::branches([](auto a) { return a; }, [](auto a) { return -a; }), x);
};

int main() { (void)ex::jit(choose)(ex::array<float>(), ex::array<float>()); }
