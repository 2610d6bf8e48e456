// SPDX-License-Identifier: BSL-1.0
// The reference interpreter: evaluates a program equation by equation and element by element, without planning, at compile time and at
// run time. It is the oracle of the tests. Programs have no composites (legalize/interpret.hpp). Elements are 64-bit patterns
// (types/bits.hpp), row-major.
#pragma once

#include <cstdint>

#include <exprax/base/arena.hpp>
#include <exprax/primitives/all.hpp>

namespace exprax {

// The interface of evaluation rules. A value keeps its storage for the whole run; inputs of a block point to the elements bound to them.
class interpreter {
  template <prim P>
  struct rule {
    static constexpr void call(interpreter& m, equation_ref const& e) {
      if constexpr (primitive<P>::traits.kind != op_class::composite) primitive<P>::evaluate(m, e);
    }
  };

 public:
  constexpr explicit interpreter(program_ref p) : p_(p) {
    std::ptrdiff_t total = 0;
    for (int v = 0; v < p.n.values; ++v)
      if (!p.is_constant(v)) total += p.type(v).size();
    store_.reserve(static_cast<int>(total) + 1);
    at_.reserve(p.n.values + 1);
    total = 0;
    for (int v = 0; v < p.n.values; ++v) {
      at_.push(p.is_constant(v) ? p.constants + p.values[v].constant : store_.data() + total);
      if (!p.is_constant(v)) total += p.type(v).size();
    }
  }

  constexpr std::uint64_t const* in(equation_ref const& e, int k) const { return at_[e.in(k)]; }
  constexpr std::uint64_t* out(equation_ref const& e, int k) { return store_.data() + (at_[e.e.out + k] - store_.data()); }
  // `struct`, because jax.numpy has a function of that name.
  constexpr void bind(struct block const& b, int k, std::uint64_t const* elements) { at_[p_.ins(b)[k]] = elements; }
  constexpr std::uint64_t const* result(struct block const& b, int k) const { return at_[p_.outs(b)[k]]; }
  // debug_print calls f(to, equation, operands), so that tests can observe it; without f it does nothing.
  using print_hook = void (*)(void* to, equation_ref const& e, std::uint64_t const* const* operands);
  constexpr void on_print(print_hook f, void* to) {
    hook_ = f;
    hook_to_ = to;
  }
  constexpr void print(equation_ref const& e) const {
    if (!hook_) return;
    detail::arena<std::uint64_t const*> operands;
    for (int k = 0; k < e.n_in(); ++k) operands.push(in(e, k));
    hook_(hook_to_, e, operands.data());
  }
  template <class Block>
  constexpr void run(Block const& b) {
    for (auto const& e : p_.body(b)) dispatch<rule, void(interpreter&, equation_ref const&)>(e.op, *this, equation_ref{p_, e});
  }

 private:
  program_ref p_;
  detail::arena<std::uint64_t> store_;
  detail::arena<std::uint64_t const*> at_;
  print_hook hook_ = nullptr;
  void* hook_to_ = nullptr;
};

}  // namespace exprax
