// SPDX-License-Identifier: BSL-1.0
// uniformity: which values of a vmapped block are the same in all lanes. If the condition of a while varies, lanes leave at different
// iterations. A uniform carry stays uniform inside the loop, because all remaining lanes have run the same number of iterations; its
// value after the loop varies.
#pragma once

#include <exprax/primitives/control/dataflow.hpp>

namespace exprax::detail::planning {

struct varies_with_any_operand {
  template <class Dataflow>
  constexpr char operator()(Dataflow const& marks, eqn const& e) const {
    return marks.any_operand(e);
  }
};

class uniformity {
 public:
  constexpr explicit uniformity(program_ref p) : marks_(p) {}

  // varying: for each input of the block, whether it varies.
  constexpr void run(block const& b, span<char> varying) { marks_.through(b, varying); }
  constexpr bool varies(int v) const { return marks_.of(v) != 0; }

 private:
  forward_dataflow<varies_with_any_operand> marks_;
};

}  // namespace exprax::detail::planning
