// SPDX-License-Identifier: BSL-1.0
// What simplify and dce make of a traced function: its jaxpr, and whether its meaning is kept on random inputs, bit for bit.
#pragma once

#include <exprax/exprax.hpp>
#include <exprax/legalize/interpret.hpp>
#include <exprax/passes/check.hpp>
#include <exprax/passes/dce.hpp>
#include <exprax/passes/rewrite/simplify.hpp>
#include <random/inputs.hpp>

namespace traced_passes {

namespace ex = exprax;
using ex::program;
using ex::program_ref;

constexpr bool same_meaning(program_ref p, program_ref q) {
  for (std::uint32_t seed = 1; seed <= 2; ++seed) {
    auto const in = random_programs::random_inputs(p, seed, random_programs::exact);
    ex::detail::arena<std::uint64_t const*> pointers;
    for (auto const& e : in) pointers.push(e.data());
    auto const a = ex::interpret(p, pointers), b = ex::interpret(q, pointers);
    if (a.size() != b.size()) return false;
    for (int k = 0; k < a.size(); ++k)
      for (int i = 0; i < a[k].size(); ++i)
        if (!random_programs::same_element(p.type(p.outs(p.main())[k]).type, a[k][i], b[k][i])) return false;
  }
  return true;
}

// The argument types are those of specs, ex::f32<3> and the like.
template <class F, class... Specs>
constexpr bool becomes(F f, std::string_view expected, Specs... specs) {
  constexpr program_ref p = decltype(ex::make_jaxpr(f)(specs...))::program::ref;
  program const simplified = ex::simplify(p), q = ex::dce(simplified.ref());
  return ex::check(q.ref()) && ex::detail::jaxpr_equals(q.ref(), expected) && same_meaning(p, q.ref());
}

}  // namespace traced_passes
