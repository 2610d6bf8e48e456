// SPDX-License-Identifier: BSL-1.0
// plan_printer: the kernels of a plan, in order: the shapes of loops, the number of rows in lanes, the memory that is read and written, how
// many operations that are on how many bytes, and which of arithmetic, memory and latency bounds the time. Then the scratch buffers: what
// a derivative keeps for its backward pass is one that is live from a kernel to a later one.
// For readers of the generated assembly; the format may change.
#pragma once

#include <exprax/plan/planner.hpp>
#include <exprax/text/plan_buffers.hpp>

namespace exprax::detail {

// Tables: plan_storage. p: the program of the plan. A template, so that programs that do not print do not instantiate it.
template <class Tables>
class plan_printer {
 public:
  constexpr plan_printer(Tables const& tables, plan_sizes const& sizes, program_ref p, text_buffer& to)
      : p_(tables), sizes_(sizes), to_(to), words_(tables, to), buffers_(tables, sizes, p) {}

  constexpr void print(std::string_view name) {
    words_.title(name, sizes_);
    to_.put('\n');
    kernels(sizes_.main, 1);
    for (int b = 0; b < sizes_.buffers; ++b) {
      if (!buffers_.is_scratch(b)) continue;
      buffers_.describe(to_, b);
      to_.put('\n');
    }
  }

 private:
  constexpr void kernels(kernel_range r, int indent) {
    for (int i = r.first; i < r.first + r.count; ++i) {
      kernel const k = p_.kernels[i];
      to_.fill(' ', 2 * indent);
      words_.head(k);
      memory(kernel_memory(p_, k));
      words_.work(k);
      to_.put('\n');
      for_nested(p_, k, [&](kernel_range inner) { kernels(inner, indent + 1); });
    }
  }
  constexpr void memory(kernel_memory const& of) {
    if (of.read.empty() && of.written.empty()) return;
    to_.write("; ");
    list(of.read);
    if (!of.read.empty() && !of.written.empty()) to_.put(' ');
    if (!of.written.empty()) to_.write("-> "), list(of.written);
  }
  constexpr void list(arena<int> const& buffers) {
    for (int i = 0; i < buffers.size(); ++i) {
      if (i > 0) to_.put(' ');
      words_.name(buffers[i]);
    }
  }

  Tables const& p_;
  plan_sizes sizes_;
  text_buffer& to_;
  plan_words<Tables> words_;
  plan_buffers<Tables> buffers_;
};

}  // namespace exprax::detail
