// SPDX-License-Identifier: BSL-1.0
// What simplify and dce make of carries, scanned operands and stacked results.
#include <doctest/doctest.h>

#include "passes/passes.hpp"
#include <exprax/passes/dce.hpp>
#include <exprax/passes/rewrite/simplify.hpp>

using namespace build;

namespace {

constexpr auto simplified = [](program_ref p) {
  program const q = simplify(p);
  return dce(q.ref());
};

// Rows that the body hands on, results that are the same in every turn, one that is stacked twice, and operands whose rows are all
// the same.
constexpr auto rows = [](builder& b) {
  b.begin();
  int const x = b.in(f32({4})), s = b.in(f32());
  int const same = b.op(prim::broadcast_in_dim, {s}, f32({4}), {4}), same_rows = b.op(prim::broadcast_in_dim, {x}, f32({4, 4}), {4, 4, 1});
  b.begin();
  int const c = b.in(f32()), row = b.in(f32()), again = b.in(f32()), scalar = b.in(f32()), vector = b.in(f32({4}));
  int const y = b.op(prim::mul, {b.op(prim::add, {row, scalar}, f32()), b.op(prim::sub, {again, scalar}, f32())}, f32());
  int const next = b.op(prim::add, {c, y}, f32());
  int const body = b.end({c, row, again, scalar, vector}, {next, row, y, scalar, y, vector});
  int const r = b.scan(body, {s, x, x, same, same_rows}, {f32(), f32({4}), f32({4}), f32({4}), f32({4}), f32({4, 4})}, 4, 0, 1);
  b.end({x, s}, {r, r + 1, r + 2, r + 3, r + 4, r + 5});
};
TEST_CASE("rows that need no loop") {
  EXPRAX_BECOMES(simplified, rows, R"({ lambda ; a:f32[4] b:f32[]. let
    c:f32[4] = broadcast_in_dim b
    d:f32[4,4] = broadcast_in_dim[broadcast_dimensions=(1,)] a
    e:f32[] f:f32[4] = scan[
      jaxpr={ lambda ; g:f32[] h:f32[] i:f32[]. let
          j:f32[] = add i g
          k:f32[] = sub i g
          l:f32[] = mul j k
          m:f32[] = add h l
        in (m, l) }
      length=4
      num_carry=1
      num_consts=1
      reverse=False
      unroll=1
    ] b b a
  in (e, a, f, c, f, d) })");
}

// Turns of a loop over x[n].
template <int N>
constexpr void turns(builder& b) {
  b.begin();
  int const x = b.in(f32({N, 2})), s = b.in(f32());
  b.begin();
  int const c = b.in(f32()), row = b.in(f32({2}));
  int const next = b.op(prim::sin, {c}, f32()), y = b.op(prim::mul, {row, c}, f32({2}));
  int const body = b.end({c, row}, {next, y});
  int const r = b.scan(body, {s, x}, {f32(), f32({N, 2})}, N, 0, 1, true);
  b.end({x, s}, {r, r + 1});
}
TEST_CASE("loops of one turn and of none") {
  EXPRAX_BECOMES(simplified, [](builder& b) { turns<1>(b); }, R"({ lambda ; a:f32[1,2] b:f32[]. let
    c:f32[2] = reshape[dimensions=None new_sizes=(2,) sharding=None] a
    d:f32[] = sin b
    e:f32[2] = mul c b
    f:f32[1,2] = reshape[dimensions=None new_sizes=(1, 2) sharding=None] e
  in (d, f) })");
  EXPRAX_BECOMES(simplified, [](builder& b) { turns<0>(b); }, R"({ lambda ; a:f32[0,2] b:f32[]. let
    c:f32[0,2] = broadcast_in_dim 0.0:f32[]
  in (b, c) })");
}

// The last turn gives a value from outside, which the turns before read.
constexpr auto last = [](builder& b) {
  b.begin();
  int const x = b.in(f32()), s = b.in(f32());
  b.begin();
  int const k = b.in(f32()), c = b.in(f32()), d = b.in(f32());
  int const body = b.end({k, c, d}, {b.op(prim::sin, {k}, f32()), b.op(prim::add, {d, c}, f32())});
  int const r = b.scan(body, {x, s, s}, {f32(), f32()}, 4, 1, 2);
  b.end({x, s}, {r, r + 1});
};
TEST_CASE("a carry that ends as a value from outside") {
  EXPRAX_BECOMES(simplified, last, R"({ lambda ; a:f32[] b:f32[]. let
    c:f32[] = sin a
    _:f32[] d:f32[] = scan[
      jaxpr={ lambda ; e:f32[] f:f32[] g:f32[]. let
          h:f32[] = add g f
        in (e, h) }
      length=4
      num_carry=2
      num_consts=1
      reverse=False
      unroll=1
    ] c b b
  in (c, d) })");
}

// The inner loop hands the carry on, so that the outer one does; another walk finds that.
constexpr auto hidden = [](builder& b) {
  b.begin();
  int const s = b.in(f32()), x = b.in(f32({3}));
  b.begin();
  int const c = b.in(f32()), d = b.in(f32()), row = b.in(f32());
  b.begin();
  int const e = b.in(f32()), f = b.in(f32());
  int const inner = b.end({e, f}, {b.op(prim::mul, {e, b.literal(1.0f)}, f32()), b.op(prim::sin, {f}, f32())});
  int const r = b.scan(inner, {c, d}, {f32(), f32()}, 2, 0, 2);
  int const body = b.end({c, d, row}, {r, b.op(prim::add, {b.op(prim::add, {r + 1, row}, f32()), c}, f32())});
  int const q = b.scan(body, {s, s, x}, {f32(), f32()}, 3, 0, 2);
  b.end({s, x}, {q, q + 1});
};
TEST_CASE("a carry that is handed on in the end") {
  EXPRAX_BECOMES(simplified, hidden, R"({ lambda ; a:f32[] b:f32[3]. let
    c:f32[] = scan[
      jaxpr={ lambda ; d:f32[] e:f32[] f:f32[]. let
          g:f32[] = scan[
            jaxpr={ lambda ; h:f32[]. let i:f32[] = sin h in (i,) }
            length=2
            num_carry=1
            num_consts=0
            reverse=False
            unroll=1
          ] e
          j:f32[] = add g f
          k:f32[] = add j d
        in (k,) }
      length=3
      num_carry=1
      num_consts=1
      reverse=False
      unroll=1
    ] a a b
  in (a, c) })");
}

// while: a carry that only computes itself, one that is handed on and read by the condition, constants that nobody reads.
constexpr auto carried = [](builder& b) {
  b.begin();
  int const n = b.in(i32()), x = b.in(f32());
  b.begin();
  int const unread = b.in(f32()), i = b.in(i32()), limit = b.in(i32()), y = b.in(f32()), self = b.in(f32());
  int const cond = b.end({unread, i, limit, y, self}, {b.op(prim::lt, {i, limit}, b1())});
  b.begin();
  int const other = b.in(f32()), j = b.in(i32()), m = b.in(i32()), z = b.in(f32()), own = b.in(f32());
  int const next = b.op(prim::add, {j, b.literal(1)}, i32()), product = b.op(prim::mul, {own, z}, f32());
  int const body = b.end({other, j, m, z, own}, {next, m, b.op(prim::sin, {z}, f32()), product});
  int const r = b.while_loop(cond, body, {x, x, b.literal(0), n, x, x}, {i32(), i32(), f32(), f32()}, 1, 1);
  b.end({n, x}, {r + 1, r + 2});
};
TEST_CASE("the carries of a while") {
  EXPRAX_BECOMES(simplified, carried, R"({ lambda ; a:i32[] b:f32[]. let
    _:i32[] c:f32[] = while[
      body_jaxpr={ lambda ; d:i32[] e:f32[]. let
          f:i32[] = add d 1:i32[]
          g:f32[] = sin e
        in (f, g) }
      body_nconsts=0
      cond_jaxpr={ lambda ; h:i32[] i:i32[] j:f32[]. let
          k:bool[] = lt i h
        in (k,) }
      cond_nconsts=1
    ] a 0:i32[] b
  in (a, c) })");
}

// The condition is false at the start.
constexpr auto never = [](builder& b) {
  b.begin();
  int const x = b.in(f32());
  b.begin();
  int const i = b.in(i32()), y = b.in(f32());
  int const below = b.op(prim::lt, {i, b.literal(3)}, b1()), small = b.op(prim::lt, {y, b.literal(5.0f)}, b1());
  int const cond = b.end({i, y}, {b.op(prim::and_, {below, small}, b1())});
  b.begin();
  int const j = b.in(i32()), z = b.in(f32());
  int const body = b.end({j, z}, {b.op(prim::add, {j, b.literal(1)}, i32()), b.op(prim::sin, {z}, f32())});
  int const r = b.while_loop(cond, body, {b.literal(3), x}, {i32(), f32()});
  b.end({x}, {r, r + 1});
};
TEST_CASE("a while that never runs") { EXPRAX_BECOMES(simplified, never, "{ lambda ; a:f32[]. let  in (3:i32[], a) }"); }

}  // namespace
