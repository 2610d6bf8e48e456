// SPDX-License-Identifier: BSL-1.0
// Emitted code of chosen random programs against the interpreter, bit for bit: a few for each test file, since each program is a template.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include <exprax/emit/execute.hpp>
#include <exprax/passes/pipeline.hpp>
#include <exprax/transforms/batch.hpp>
#include "oracle.hpp"

#include <random/chosen.hpp>
#include <random/inputs.hpp>

namespace random_programs {

struct passes_of_the_library {
  static constexpr program optimize(program_ref p, bool in_lanes) {
    if (in_lanes) return exprax::optimize_in_lanes(p);
    return exprax::optimize(p);
  }
  static constexpr program optimize_placed(program_ref p) { return exprax::optimize_placed(p); }
  static constexpr program inline_calls(program_ref p) { return exprax::inline_calls(p); }
  static constexpr program fuse_multiply_add(program_ref p) { return exprax::fuse_multiply_add(p); }
  static constexpr program batch(program_ref p, span<batch_axis> dims, int rows, span<wanted_axis> out_dims) {
    return exprax::batch(p, dims, rows, out_dims);
  }
};
template <int I>
struct prepared_program {
  static constexpr program make() {
    program const p = chosen[I].source();
    return prepared<passes_of_the_library>(p.ref(), chosen[I].what, chosen[I].seed);
  }
};
inline constexpr program_sizes roomy{1000, 600, 60, 2000, 3000, 60, 2000, 20};

template <class P, class In, class Out>
struct random_run;
template <class P, int... I, int... O>
struct random_run<P, std::integer_sequence<int, I...>, std::integer_sequence<int, O...>> {
  template <int K>
  using in_type = element_t<P::ref.type(P::ref.ins(P::ref.main())[K]).type>;
  template <int K>
  using out_type = element_t<P::ref.type(P::ref.outs(P::ref.main())[K]).type>;

  template <class T>
  static std::unique_ptr<T[]> elements(arena<std::uint64_t> const& bits) {
    std::unique_ptr<T[]> p(new T[static_cast<std::size_t>(bits.size()) + 1]());
    for (int i = 0; i < bits.size(); ++i) p[static_cast<std::size_t>(i)] = exprax::detail::from_bits<T>(bits[i]);
    return p;
  }
  template <class T>
  static int differences(T const* got, arena<std::uint64_t> const& expected) {
    int bad = 0;
    for (int i = 0; i < expected.size(); ++i) {
      T const want = exprax::detail::from_bits<T>(expected[i]);
      bool const both_nan = got[i] != got[i] && want != want;
      bad += !both_nan && exprax::detail::to_bits(got[i]) != expected[i];
    }
    return bad;
  }

  static int count(std::uint32_t seed) {
    program_ref const p = P::ref;
    arena<arena<std::uint64_t>> inputs;
    for (int k = 0; k < p.main().n_in; ++k)
      inputs.push(random_elements(p.type(p.ins(p.main())[k]), seed * 31u + static_cast<std::uint32_t>(k)));
    arena<std::uint64_t const*> pointers;
    for (auto const& e : inputs) pointers.push(e.data());
    auto const expected = oracle::interpret(p, pointers);
    auto in = std::tuple(elements<in_type<I>>(inputs[I])...);
    auto out = std::tuple(elements<out_type<O>>(expected[O])...);
    (std::fill_n(std::get<O>(out).get(), expected[O].size(), out_type<O>{}), ...);
    exprax::detail::execute<P>(std::tuple<in_type<I> const*...>(std::get<I>(in).get()...),
                               std::tuple<out_type<O>*...>(std::get<O>(out).get()...));
    return (0 + ... + differences<out_type<O>>(std::get<O>(out).get(), expected[O]));
  }
};

// Programs First, First + 1, ... of those that were chosen.
template <int I>
void check_emitted() {
  using P = frozen_within<prepared_program<I>, roomy>;
  int const program = I;
  CAPTURE(program);
  using run = random_run<P, std::make_integer_sequence<int, P::ref.main().n_in>, std::make_integer_sequence<int, P::ref.main().n_out>>;
  for (std::uint32_t inputs = 1; inputs <= 3; ++inputs) CHECK(run::count(inputs) == 0);
}
template <int First, int... I>
void check_emitted(std::integer_sequence<int, I...>) {
  (check_emitted<First + I>(), ...);
}

}  // namespace random_programs
