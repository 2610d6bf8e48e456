// SPDX-License-Identifier: BSL-1.0
// Emitted code of loops in branches in loops against the interpreter, bit for bit. Odd seeds go through all passes; even ones only
// have their calls inlined, so that the planner meets what passes would have removed: loops of no turn, constant carries, equal
// branches.
#pragma once

#include <random/emit_random.hpp>
#include <random/nested_program.hpp>

namespace random_programs {

template <std::uint32_t Seed>
struct prepared_nested {
  static constexpr program make() {
    using source = frozen<nested_source<Seed>>;
    if constexpr (Seed % 2 == 1) {
      return optimize(source::ref);
    } else {
      program const inlined = inline_calls(source::ref);
      return contract(inlined.ref());
    }
  }
};

template <std::uint32_t Seed>
void check_nested() {
  using P = frozen<prepared_nested<Seed>>;
  CAPTURE(Seed);
  for (std::uint32_t inputs = 1; inputs <= 3; ++inputs)
    CHECK(random_run<P, std::make_integer_sequence<int, P::ref.main().n_in>, std::make_integer_sequence<int, P::ref.main().n_out>>::count(inputs) == 0);
}
template <std::uint32_t First, std::uint32_t... I>
void check_nested_seeds(std::integer_sequence<std::uint32_t, I...>) {
  (check_nested<First + I>(), ...);
}

}  // namespace random_programs
