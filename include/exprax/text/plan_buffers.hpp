// SPDX-License-Identifier: BSL-1.0
// plan_buffers: the buffers of a plan in words, with their bytes, and when scratch memory is live:
//
//   scratch64: f32[100], 400 bytes, kernels 1 to 3
//
// Kernels are numbered from 1 in the order in which they run, those of a loop's body after the loop.
#pragma once

#include <exprax/plan/analysis/buffer_lives.hpp>
#include <exprax/text/plan_words.hpp>

namespace exprax::detail {

// Tables: plan_storage. p: the program of the plan.
template <class Tables>
class plan_buffers {
 public:
  constexpr plan_buffers(Tables const& tables, plan_sizes const& sizes, program_ref p)
      : tables_(tables), p_(p), lives_(tables, sizes.buffers) {
    lives_.walk(sizes.main);
  }

  constexpr buffer_lives<Tables> const& lives() const { return lives_; }
  // Whether a buffer is scratch memory that some kernel uses.
  constexpr bool is_scratch(int b) const {
    buffer const& x = tables_.buffers[b];
    return x.where == storage_class::scratch && lives_.is_used(b) && x.size > 0;
  }
  constexpr void describe(text_buffer& to, int b) const {
    plan_words<Tables> words(tables_, to);
    words.name(b);
    to.write(": ");
    words.type(p_, b);
    to.write(", ");
    words.bytes(b);
    if (!is_scratch(b)) return;
    int const first = kernel_at(lives_.first(b)), last = kernel_at(lives_.last(b));
    to.write(first == last ? ", kernel " : ", kernels ");
    words.number(first);
    if (first != last) to.write(" to "), words.number(last);
  }

 private:
  // The number of the innermost kernel that runs in a unit of time.
  constexpr int kernel_at(int unit) const {
    int found = 0;
    for (int i = 0; i < lives_.spans().size(); ++i)
      if (lives_.spans()[i].first <= unit && unit <= lives_.spans()[i].last) found = i + 1;
    return found;
  }

  Tables const& tables_;
  program_ref p_;
  buffer_lives<Tables> lives_;
};

}  // namespace exprax::detail
