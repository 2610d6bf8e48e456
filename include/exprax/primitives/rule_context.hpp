// SPDX-License-Identifier: BSL-1.0
// rule_context: what the contexts of rules share: a program that is read, the builder of the new one, and the equations that most rules
// write. Values named by equations belong to the old program, values as plain ints to the new one.
#pragma once

#include <exprax/primitives/copy.hpp>
#include <exprax/primitives/infer.hpp>

namespace exprax {

class rule_context {
 public:
  // how: infer (primitives/infer.hpp). A template hands it over, so that programs without these rules do not instantiate it.
  constexpr rule_context(program_builder& to, program_ref from, infer_function how = nullptr) : copy_(to, from), infer_(how) {}

  constexpr aval type(int v) const { return to().type(v); }
  constexpr bool is_literal(int v) const { return to().is_literal(v); }
  constexpr std::uint64_t literal_bits(int v) const { return to().bits(v); }
  constexpr int literal(dtype t, std::uint64_t bits, bool weak = false) { return to().add_literal(t, bits, weak); }

  constexpr int emit(prim op, detail::span<int> in, detail::span<int> par, detail::span<aval> out, detail::span<int> sub = {}) {
    return to().emit(op, in, par, out, sub);
  }
  constexpr int emit(prim op, detail::span<int> in, detail::span<int> par, aval const& out) { return to().emit_one(op, in, par, out); }
  // The result is what the primitive infers.
  constexpr int emit(prim op, detail::span<int> in, detail::span<int> par = {}) { return to().emit(infer_, op, in, par); }

  // shape: its dtype is ignored; dims: for each axis of v, the axis of the result.
  constexpr int broadcast(int v, aval const& shape, detail::span<int> dims) {
    int par[2 * max_rank];
    int n = 0;
    for (int i = 0; i < shape.rank; ++i) par[n++] = shape.dims[i];
    for (int d : dims) par[n++] = d;
    aval const t = type(v);
    return emit(prim::broadcast_in_dim, {&v, 1}, {par, n}, shape.with_type(t.type, t.weak));
  }
  constexpr int transpose(int v, detail::span<int> permutation) {
    aval const t = type(v);
    aval out(t.type, t.weak);
    bool same = true;
    for (int axis : permutation) {
      same = same && axis == out.rank;
      out.dims[out.rank++] = t.dims[axis];
    }
    return same ? v : emit(prim::transpose, {&v, 1}, permutation, out);
  }
  constexpr int reshape(int v, aval const& shape) {
    aval const t = type(v);
    return t.same_shape(shape) ? v : emit(prim::reshape, {&v, 1}, {shape.dims, shape.rank}, shape.with_type(t.type, t.weak));
  }

 protected:
  constexpr program_builder& to() const { return copy_.to(); }
  constexpr program_ref const& from() const { return copy_.from(); }
  constexpr name const& name_of(eqn const& e) const { return from().names[from().param(e, 0)]; }

  block_copier copy_;
  infer_function infer_;
};

}  // namespace exprax
