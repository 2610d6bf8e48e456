// SPDX-License-Identifier: BSL-1.0
// evaluate(x): the elements of a traced value that depends on no argument, such as ex::zeros<float, 3>() outside of a trace, or what a
// jitted function returns for it. The reference interpreter computes them, in constant evaluation too; ex::array<float, 3>(x) does the
// same.
#pragma once

#include <exprax/legalize/interpret.hpp>
#include <exprax/program/blocks.hpp>
#include <exprax/program/expr.hpp>
#include <exprax/transforms/expand_vmap.hpp>
#include <exprax/types/array.hpp>

namespace exprax {

namespace detail {

// Not constexpr, so that the error shows its name.
inline void a_traced_value_that_depends_on_an_argument_has_no_elements() {}

// The contents of a private tape as a program whose output is one of its values. The tape does not change.
constexpr program program_of(handle const& value) {
  program_builder b = *value.on;
  b.close_from(0, {}, {&value.id, 1});
  return b.finish();
}

template <class T, int... D>
constexpr array<strong_t<T>, D...> interpreted(expr<T, D...> const& x) {
  auto const h = resolve(expr_access::get(x));  // types that depend on x: compiled only where it is used
  if (h.on->bound || h.on->marks.n > 0) a_traced_value_that_depends_on_an_argument_has_no_elements();
  auto const recorded = program_of(h);
  auto const flat = expand_vmap(recorded.ref());
  auto const results = interpret(flat.ref(), {});
  array<strong_t<T>, D...> a(uninitialized);
  for (std::ptrdiff_t i = 0; i < a.size(); ++i) a.data()[i] = from_bits<strong_t<T>>(results[0][static_cast<int>(i)]);
  return a;
}
// Not constexpr: compilers would otherwise try to evaluate every call at compile time.
template <class T, int... D>
array<strong_t<T>, D...> interpreted_at_run_time(expr<T, D...> const& x) {
  return interpreted(x);
}
template <class T, int... D>
constexpr array<strong_t<T>, D...> evaluated(expr<T, D...> const& x) {
  if (__builtin_is_constant_evaluated()) return interpreted(x);
  return interpreted_at_run_time(x);
}

}  // namespace detail

template <class T, int... D>
constexpr auto evaluate(expr<T, D...> const& x) {
  return detail::evaluated(x);
}

}  // namespace exprax
