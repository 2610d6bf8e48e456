// SPDX-License-Identifier: BSL-1.0
// printoptions: how the text of one array looks (numpy.set_printoptions, without its global state): array_str(x, {.precision = 3}).
#pragma once

namespace exprax {

struct printoptions {
  int precision = 8;      // digits behind the point, at most
  int threshold = 1000;   // elements above which the middle is left out
  int edgeitems = 3;      // what is left then at each end of an axis; at least 1
  int linewidth = 75;     // characters in a line
  bool suppress = false;  // small numbers and large ratios do not cause an exponent
};

}  // namespace exprax
