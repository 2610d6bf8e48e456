// SPDX-License-Identifier: BSL-1.0
// For every entry of the table: the trace has the primitive, the checker accepts it and what the passes make of it, the
// emitted code gives the interpreter's bits, the same bits in constant evaluation, and the jaxpr names the primitive.
#pragma once

#include <string>
#include <string_view>

#include <laws/rows.hpp>

namespace laws {

inline constexpr std::uint32_t constant_seed = 7;

inline void emit_law_holds(subject const& s, prim op, std::string_view name, bits const* at_compile_time) {
  CHECK(oracle::is_well_formed(s.traced));
  CHECK(oracle::is_well_formed(s.compiled));
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    auto const in = inputs_of(s.compiled, seed, seed % 2 == 0);
    auto const expected = s.interpreted(in);
    CHECK(same(s.compiled, s.run(in), expected));
    // Contraction alone may change bits.
    if (!contains(s.compiled, prim::fma)) CHECK(same(s.compiled, run(s.traced, in), expected));
  }

  std::vector<elements> constant = s.run(inputs_of(s.compiled, constant_seed, true));
  for (elements& e : constant)
    for (bits& x : e) x = *at_compile_time++;
  CHECK(same(s.compiled, s.run(inputs_of(s.compiled, constant_seed, true)), constant));

  std::string const jaxpr = oracle::jaxpr(contains(s.traced, op) ? s.traced : s.compiled);
  CAPTURE(jaxpr);
  CHECK(jaxpr.find("{ lambda ; ") == 0);
  CHECK(jaxpr.find(" = " + std::string(name)) != std::string::npos);
}

template <prim P, class Entry>
struct emit_law {
  using traced = typename Entry::traced;
  using compiled = detail::compiled<traced>;
  // fma is made by a pass, some others by expand_composites.
  static_assert(contains(traced::ref, P) || contains(compiled::ref, P),
                "the function of this row does not use the primitive");

  static constexpr auto at_compile_time = emitted<compiled>::results(constant_seed, true);
  static void check() { emit_law_holds(subject_of<traced>(), P, primitive<P>::name, at_compile_time.data()); }
};

}  // namespace laws
