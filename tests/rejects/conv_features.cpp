// SPDX-License-Identifier: BSL-1.0
// rejects: lhs feature dimension size divided by feature_group_count must equal the rhs input feature dimension size
#include <exprax/exprax.hpp>

namespace ex = exprax;

int main() {
  ex::array<float, 1, 3, 8, 8> image{};
  ex::array<float, 4, 2, 3, 3> filters{};
  auto const y = ex::conv_general_dilated(image, filters, ex::padding_same);
  return static_cast<int>(y.size());
}
