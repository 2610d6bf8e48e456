// SPDX-License-Identifier: BSL-1.0
// interpret: runs any program by the reference interpreter (transforms/interpreter.hpp), after its types and composites are lowered.
#pragma once

#include <exprax/legalize/lower_types.hpp>
#include <exprax/transforms/interpreter.hpp>

namespace exprax {

// The outputs of a program for these inputs, each an arena of elements. This function and interpreter::run are templates, so that
// programs that are not interpreted do not instantiate the rules.
template <class Program>
constexpr detail::arena<detail::arena<std::uint64_t>> interpret(Program p, detail::span<std::uint64_t const*> inputs,
                                                                interpreter::print_hook on_print = nullptr, void* to = nullptr) {
  if (needs_lowering(p)) {
    auto const lowered = lower_types(p);
    return interpret(lowered.ref(), inputs, on_print, to);
  }
  interpreter m(p);
  m.on_print(on_print, to);
  auto const& b = p.main();
  for (int k = 0; k < b.n_in; ++k) m.bind(b, k, inputs[k]);
  m.run(b);
  detail::arena<detail::arena<std::uint64_t>> results;
  for (int k = 0; k < b.n_out; ++k) {
    std::ptrdiff_t const n = p.type(p.outs(b)[k]).size();
    detail::arena<std::uint64_t> elements;
    elements.reserve(static_cast<int>(n) + 1);
    for (std::ptrdiff_t i = 0; i < n; ++i) elements.push(m.result(b, k)[i]);
    results.push(elements);
  }
  return results;
}

}  // namespace exprax
