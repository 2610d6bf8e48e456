// SPDX-License-Identifier: BSL-1.0
// The labels of convolution axes in both dialects: b01f, o, i.
#pragma once

#include <string_view>

#include <exprax/base/span.hpp>
#include <exprax/base/text_buffer.hpp>

namespace exprax::detail {

// The label of each axis of an operand of a convolution. at: the positions of the axes, those with a letter first, then the spatial ones.
constexpr void write_axis_labels(text_buffer& o, span<int> at, std::string_view letters, std::string_view between) {
  for (int axis = 0; axis < at.size(); ++axis) {
    if (axis > 0) o.write(between);
    for (int k = 0; k < at.size(); ++k) {
      if (at[k] != axis) continue;
      if (k < 2) o.put(letters[static_cast<std::size_t>(k)]);
      else o.integer(k - 2);
    }
  }
}

}  // namespace exprax::detail
