// SPDX-License-Identifier: BSL-1.0
// What the passes make of nested blocks.
#include <doctest/doctest.h>

#include "passes/passes.hpp"
#include <exprax/passes/dce.hpp>
#include <exprax/passes/pipeline.hpp>

using namespace build;

namespace {

constexpr auto with_dce = [](program_ref p) { return dce(p); };
constexpr auto with_inline = [](program_ref p) { return inline_calls(p); };
constexpr auto with_all = [](program_ref p) { return optimize(p); };

// A function that calls a function that calls a function.
constexpr auto calls = [](builder& b) {
  b.begin();
  int const x = b.in(f32({3}));
  b.begin();
  int const y = b.in(f32({3}));
  b.begin();
  int const z = b.in(f32({3}));
  int const inner = b.end({z}, {b.op(prim::sin, {z}, f32({3}))});
  int const outer = b.end({y}, {b.jit("g", inner, {b.op(prim::cos, {y}, f32({3}))}, {f32({3})})});
  b.end({x}, {b.jit("f", outer, {x}, {f32({3})})});
};

// A loop with a constant that nobody reads, a carry that its body hands on, a carry that nobody needs, and two stacked results
// of which one is used.
constexpr auto loop = [](builder& b) {
  b.begin();
  int const x = b.in(f32({4})), s = b.in(f32()), t = b.in(f32());
  b.begin();
  int const unread = b.in(f32()), kept = b.in(f32()), unneeded = b.in(f32()), carry = b.in(f32()), row = b.in(f32());
  int const next = b.op(prim::add, {carry, row}, f32()), more = b.op(prim::mul, {unneeded, row}, f32());
  int const y = b.op(prim::mul, {kept, row}, f32());
  int const body = b.end({unread, kept, unneeded, carry, row}, {kept, more, next, y, row});
  int const r = b.scan(body, {t, s, s, s, x}, {f32(), f32(), f32(), f32({4}), f32({4})}, 4, 1, 3);
  b.end({x, s, t}, {r + 2, r + 3});
};

// The constant and the start are known.
constexpr auto known = [](builder& b) {
  b.begin();
  int const x = b.in(f32({4}));
  b.begin();
  int const scale = b.in(f32()), zero = b.in(f32()), row = b.in(f32());
  int const y = b.op(prim::mul, {b.op(prim::mul, {row, scale}, f32()), b.literal(3.0f)}, f32());
  int const body = b.end({scale, zero, row}, {b.literal(0.0f), b.op(prim::sub, {y, zero}, f32())});
  int const r = b.scan(body, {b.literal(1.0f), b.literal(0.0f), x}, {f32(), f32({4})}, 4, 1, 1);
  b.end({x}, {r, r + 1});
};

// A loop of two iterations that is unrolled whole, from the last row.
template <int Unroll>
constexpr auto short_loop = [](builder& b) {
  b.begin();
  int const x = b.in(f32({2})), start = b.in(f32());
  b.begin();
  int const carry = b.in(f32()), row = b.in(f32());
  int const next = b.op(prim::add, {carry, row}, f32()), y = b.op(prim::mul, {carry, row}, f32());
  int const body = b.end({carry, row}, {next, y});
  int const r = b.scan(body, {start, x}, {f32(), f32({2})}, 2, 0, 1, true, Unroll);
  b.end({x, start}, {r, r + 1});
};

TEST_CASE("calls are put in their places") {
  EXPRAX_BECOMES(with_inline, calls, R"({ lambda ; a:f32[3]. let b:f32[3] = cos a; c:f32[3] = sin b in (c,) })");
}
TEST_CASE("a loop loses what nobody needs") {
  EXPRAX_BECOMES(with_dce, loop, R"({ lambda ; a:f32[4] b:f32[] c:f32[]. let
    _:f32[] d:f32[] e:f32[4] = scan[
      jaxpr={ lambda ; f:f32[] g:f32[] h:f32[]. let
          i:f32[] = add g h
          j:f32[] = mul f h
        in (f, i, j) }
      length=4
      num_carry=2
      num_consts=0
      reverse=False
      unroll=1
    ] b b a
  in (d, e) })");
}
TEST_CASE("a carry that never changes is a constant of its loop") {
  EXPRAX_BECOMES(with_all, loop, R"({ lambda ; a:f32[4] b:f32[] c:f32[]. let
    d:f32[] e:f32[4] = scan[
      jaxpr={ lambda ; f:f32[] g:f32[] h:f32[]. let
          i:f32[] = add g h
          j:f32[] = mul f h
        in (i, j) }
      length=4
      num_carry=1
      num_consts=1
      reverse=False
      unroll=1
    ] b b a
  in (d, e) })");
  EXPRAX_BECOMES(with_all, known, R"({ lambda ; a:f32[4]. let
    b:f32[4] = scan[
      jaxpr={ lambda ; c:f32[]. let d:f32[] = mul c 3.0:f32[] in (d,) }
      length=4
      num_carry=0
      num_consts=0
      reverse=False
      unroll=1
    ] a
  in (0.0:f32[], b) })");
}

TEST_CASE("a short loop that is unrolled whole is written out, its last row first") {
  constexpr std::string_view written = R"({ lambda ; a:f32[2] b:f32[]. let
    c:f32[1] = slice[limit_indices=(2,) start_indices=(1,) strides=None] a
    d:f32[] = reshape[dimensions=None new_sizes=() sharding=None] c
    e:f32[] = add b d
    f:f32[] = mul b d
    g:f32[1] = broadcast_in_dim f
    h:f32[1] = slice[limit_indices=(1,) start_indices=(0,) strides=None] a
    i:f32[] = reshape[dimensions=None new_sizes=() sharding=None] h
    j:f32[] = add e i
    k:f32[] = mul e i
    l:f32[1] = broadcast_in_dim k
    m:f32[2] = concatenate[dimension=0] l g
  in (j, m) })";
  EXPRAX_BECOMES(with_all, short_loop<2>, written);
  EXPRAX_BECOMES(with_all, short_loop<0>, written);
}

}  // namespace
