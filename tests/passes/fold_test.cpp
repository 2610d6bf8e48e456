// SPDX-License-Identifier: BSL-1.0
// Every elementwise primitive on literals of every dtype is folded, and to the bits that the interpreter computes.
#include <limits>

#include <doctest/doctest.h>

#include <random/inputs.hpp>
#include <exprax/passes/check.hpp>
#include <exprax/passes/dce.hpp>
#include <exprax/passes/rewrite/simplify.hpp>
#include "oracle.hpp"

namespace {

using namespace random_programs;

// Values at which dtypes differ, for the low bits of a pattern or as numbers.
constexpr int count = 8;
std::uint64_t element(dtype d, int k) {
  return detail::with_element(d, [k](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_floating_point_v<T>) {
      T const of[count] = {T(0), -T(0), T(1), T(-1.5), T(300), T(-3e9), std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN()};
      return detail::to_bits(of[k]);
    } else if constexpr (std::is_same_v<T, bool>) {
      return std::uint64_t(k & 1);
    } else {
      T const lowest = std::is_signed_v<T> ? static_cast<T>(T(1) << (8 * sizeof(T) - 1)) : T(0);
      T const of[count] = {T(0), T(1), static_cast<T>(-1), T(2), T(3), lowest, static_cast<T>(~lowest), static_cast<T>(-3)};
      return detail::to_bits(of[k]);
    }
  });
}

// op on literals; false where it is not well typed.
bool folds(prim op, span<int> par, dtype const* types, int const* ks, int n) {
  program_builder p;
  p.open();
  arena<int> in;
  for (int k = 0; k < n; ++k) in.push(p.add_literal(types[k], element(types[k], ks[k])));
  aval out;
  if (!p.infer_results(infer<equation_ref>, op, in, par, {}, 1, &out) || is_complex(out.type)) return false;  // complex numbers are parts before
  int const v = p.emit_one(op, in, par, out.with_type(out.type));
  p.close({}, {v});
  program const simplified = simplify(p.ref()), q = dce(simplified.ref());
  CAPTURE(static_cast<int>(op));
  CAPTURE(static_cast<int>(types[0]));
  CAPTURE(ks[0]);
  CHECK(check(q.ref()));
  bool const is_folded = q.eqns.empty() && q.ref().is_literal(q.ref().outs(q.ref().main())[0]);
  CHECK(is_folded);
  if (!is_folded) return true;
  auto const expected = oracle::interpret(p.ref(), {})[0][0], made = oracle::interpret(q.ref(), {})[0][0];
  CAPTURE(expected);
  CAPTURE(made);
  CHECK(same_element(out.type, expected, made));
  return true;
}

TEST_CASE("elementwise primitives on literals") {
  int tried = 0;
  for (int o = 0; o < prim_count; ++o) {
    prim const op = static_cast<prim>(o);
    if (!is_elementwise(op) || op == prim::convert_element_type) continue;
    for (int t = 0; t < dtype_count; ++t) {
      dtype const d = static_cast<dtype>(t);
      if (is_half(d) || is_complex(d) || is_key(d)) continue;  // lowered before
      for (int a = 0; a < count; ++a) {
        dtype const types[] = {op == prim::select_n ? dtype::b1 : d, d, d};
        int const one[] = {a};
        if (op == prim::integer_pow) {
          for (int y = -3; y < 6; ++y) tried += folds(op, {y}, types, one, 1);
          continue;
        }
        tried += folds(op, {}, types, one, 1);
        for (int b = 0; b < count; ++b) {
          int const two[] = {a, b};
          tried += folds(op, {}, types, two, 2);
          int const three[] = {a, b, (a + 3 * b) % count};
          tried += folds(op, {}, types, three, 3);
        }
      }
    }
  }
  CHECK(tried > 8000);
}
TEST_CASE("conversions of literals") {
  auto const is_computed = [](int d) { return !is_half(static_cast<dtype>(d)) && !is_complex(static_cast<dtype>(d)) && !is_key(static_cast<dtype>(d)); };
  for (int from = 0; from < dtype_count; ++from)
    for (int to = 0; to < dtype_count; ++to)
      for (int a = 0; a < count && is_computed(from) && is_computed(to); ++a) {
        dtype const d = static_cast<dtype>(from);
        CHECK(folds(prim::convert_element_type, {to, 0}, &d, &a, 1));
      }
}

}  // namespace
