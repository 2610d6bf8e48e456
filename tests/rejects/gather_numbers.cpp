// SPDX-License-Identifier: BSL-1.0
// rejects: gather: the dimension numbers or slice sizes do not fit
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto rows = [](auto x, auto i) {
  return ex::gather<ex::gather_dimension_numbers{.offset_dims = {0}, .collapsed_slice_dims = {0}, .start_index_map = {0}}>(x, i, ex::slice_sizes<1, 9>);
};

int main() { (void)ex::jit(rows)(ex::array<float, 4, 4>(), ex::array<int, 3, 1>()); }
