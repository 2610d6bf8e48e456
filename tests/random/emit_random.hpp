// SPDX-License-Identifier: BSL-1.0
// Emitted code of random programs against the interpreter, bit for bit: a run of fixed seeds for each test file, since each
// program is a template.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include <exprax/emit/execute.hpp>
#include <exprax/passes/pipeline.hpp>
#include "oracle.hpp"

#include <random/random_program.hpp>

namespace random_programs {

template <std::uint32_t Seed>
struct optimized_random {
  static constexpr program make() { return optimize(frozen<random_source<Seed>>::ref); }
};

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
    for (int k = 0; k < p.main().n_in; ++k) inputs.push(random_elements(p.type(p.ins(p.main())[k]), seed * 31u + static_cast<std::uint32_t>(k)));
    arena<std::uint64_t const*> pointers;
    for (auto const& e : inputs) pointers.push(e.data());
    auto const expected = oracle::interpret(p, pointers);
    auto in = std::tuple(elements<in_type<I>>(inputs[I])...);
    auto out = std::tuple(elements<out_type<O>>(expected[O])...);
    (std::fill_n(std::get<O>(out).get(), expected[O].size(), out_type<O>{}), ...);
    exprax::detail::execute<P>(std::tuple<in_type<I> const*...>(std::get<I>(in).get()...), std::tuple<out_type<O>*...>(std::get<O>(out).get()...));
    return (0 + ... + differences<out_type<O>>(std::get<O>(out).get(), expected[O]));
  }
};

template <std::uint32_t Seed>
void check_seed() {
  using P = frozen<optimized_random<Seed>>;
  CAPTURE(Seed);
  for (std::uint32_t inputs = 1; inputs <= 3; ++inputs)
    CHECK(random_run<P, std::make_integer_sequence<int, P::ref.main().n_in>, std::make_integer_sequence<int, P::ref.main().n_out>>::count(inputs) == 0);
}

template <std::uint32_t First, std::uint32_t... I>
void check_seeds(std::integer_sequence<std::uint32_t, I...>) {
  (check_seed<First + I>(), ...);
}

}  // namespace random_programs
