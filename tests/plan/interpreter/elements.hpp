// SPDX-License-Identifier: BSL-1.0
// Arithmetic for the plan interpreter: each operation is a program of one equation, which the reference interpreter runs, so that there is
// no second definition of what a primitive means.
#pragma once

#include <exprax/primitives/traits.hpp>
#include <exprax/transforms/interpreter.hpp>

namespace plan_interpreter {

using namespace exprax;
using detail::arena;
using detail::span;

// Elements that an equation reads.
struct operand {
  aval type;
  std::uint64_t const* elements = nullptr;
};

// to = op(in...)
constexpr void evaluate(prim op, span<operand> in, span<int> par, aval const& out, std::uint64_t* to) {
  aval types[4] = {};
  value values[4] = {};
  int refs[4] = {};
  int const n = in.size();
  for (int k = 0; k <= n; ++k) {
    types[k] = k < n ? in[k].type : out;
    values[k] = {k, -1};
    refs[k] = k;
  }
  eqn const e{op, 0, n, n, 1, 0, par.size(), 0, 0};
  struct block const main{0, n, n, 1, 0, 1};
  program_ref const p{values, &e, &main, refs, par.data(), types, nullptr, nullptr, {n + 1, 1, 1, n + 1, par.size(), n + 1, 0, 0}};
  interpreter machine(p);
  for (int k = 0; k < n; ++k) machine.bind(main, k, in[k].elements);
  machine.run(main);
  std::uint64_t const* const result = machine.result(main, 0);
  for (std::ptrdiff_t i = 0; i < out.size(); ++i) to[i] = result[i];
}

// n elements of a step of a plan, one by one. select_n has a mask as its first operand.
constexpr void compute(prim op, dtype from, dtype type, int n, std::uint64_t const* a, std::uint64_t const* b, std::uint64_t const* c,
                       std::uint64_t* to) {
  operand in[] = {{aval(from, {n}), a}, {aval(from, {n}), b}, {aval(from, {n}), c}};
  bool const selects = op == prim::select_n;
  if (selects) in[0].type.type = dtype::b1, in[1].type.type = in[2].type.type = type;
  int const to_type = static_cast<int>(type), arity = selects ? 3 : traits_of(op).arity;
  evaluate(op, {in, arity}, {&to_type, op == prim::bitcast}, aval(type, {n}), to);
}
constexpr void convert(dtype from, dtype type, int n, std::uint64_t const* a, std::uint64_t* to) {
  operand const in{aval(from, {n}), a};
  int const par[] = {static_cast<int>(type), 0};
  evaluate(prim::convert_element_type, {&in, 1}, par, aval(type, {n}), to);
}
// first, first + step, ... in dtype t: computed in 32 or 64 bits, and converted.
constexpr void count(dtype t, int n, std::int64_t first, std::int64_t step, std::uint64_t* to) {
  dtype const counted = size_of(t) == 8 ? dtype::i64 : dtype::i32;
  arena<std::uint64_t> numbers;
  std::uint64_t const start = static_cast<std::uint64_t>(first), by = static_cast<std::uint64_t>(step);
  for (int k = 0; k < n; ++k) {
    std::uint64_t const x = start + static_cast<std::uint64_t>(k) * by;
    numbers.push(counted == dtype::i32 ? detail::to_bits(static_cast<std::int32_t>(static_cast<std::uint32_t>(x))) : x);
  }
  convert(counted, t, n, numbers.data(), to);
}

}  // namespace plan_interpreter
