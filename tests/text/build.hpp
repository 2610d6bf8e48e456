// SPDX-License-Identifier: BSL-1.0
// Programs written by hand, for the tests of their text.
#pragma once

#include <exprax/program/builder.hpp>
#include <exprax/text/jaxpr/jaxpr.hpp>

namespace build {

using namespace exprax;

constexpr aval f32(std::initializer_list<int> dims = {}) { return aval(dtype::f32, dims); }
constexpr aval i32(std::initializer_list<int> dims = {}) { return aval(dtype::i32, dims); }
constexpr aval b1(std::initializer_list<int> dims = {}) { return aval(dtype::b1, dims); }

class builder {
 public:
  program_builder p;
  constexpr int literal(float x) { return p.add_literal(dtype::f32, detail::to_bits(x)); }
  constexpr int literal(int x) { return p.add_literal(dtype::i32, detail::to_bits(x)); }
  constexpr int literal(bool x) { return p.add_literal(dtype::b1, detail::to_bits(x)); }
  constexpr int in(aval const& a) { return p.add_value(a); }
  constexpr int op(prim o, std::initializer_list<int> in, aval const& out, std::initializer_list<int> par = {}) {
    return p.emit(o, in, par, {out});
  }
  constexpr void begin() { p.open(); }
  constexpr int end(std::initializer_list<int> in, std::initializer_list<int> out) { return p.close(in, out); }
  constexpr int jit(std::string_view name, int block, std::initializer_list<int> in, std::initializer_list<aval> out) {
    int const n = p.add_name(name);
    return p.emit(prim::jit, in, {n}, out, {block});
  }
  constexpr int scan(int block, std::initializer_list<int> in, std::initializer_list<aval> out, int length, int consts, int carry,
                     bool reverse = false, int unroll = 1) {
    return p.emit(prim::scan, in, {length, consts, carry, reverse, unroll}, out, {block});
  }
  constexpr int cond(std::initializer_list<int> branches, std::initializer_list<int> in, std::initializer_list<aval> out) {
    return p.emit(prim::cond, in, {}, out, branches);
  }
  constexpr int while_loop(int cond, int body, std::initializer_list<int> in, std::initializer_list<aval> out, int cond_consts = 0,
                           int body_consts = 0) {
    return p.emit(prim::while_, in, {cond_consts, body_consts}, out, {cond, body});
  }
};

// Prints what make writes.
template <class Make>
constexpr bool prints(Make make, std::string_view expected) {
  builder b;
  make(b);
  return detail::jaxpr_equals(b.p.ref(), expected);
}

}  // namespace build
