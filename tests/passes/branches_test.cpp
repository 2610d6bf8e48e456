// SPDX-License-Identifier: BSL-1.0
// What simplify and dce make of branches.
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

// One of sin, cos, exp, by a literal.
template <int Index>
constexpr void chosen(builder& b) {
  b.begin();
  int const x = b.in(f32());
  auto const branch = [&](prim op) {
    b.begin();
    int const y = b.in(f32());
    return b.end({y}, {b.op(op, {y}, f32())});
  };
  int const s = branch(prim::sin), c = branch(prim::cos), e = branch(prim::exp);
  b.end({x}, {b.cond({s, c, e}, {b.literal(Index), x}, {f32()})});
}
TEST_CASE("an index that is known") {
  EXPRAX_BECOMES(simplified, [](builder& b) { chosen<1>(b); }, "{ lambda ; a:f32[]. let b:f32[] = cos a in (b,) }");
  EXPRAX_BECOMES(simplified, [](builder& b) { chosen<-5>(b); }, "{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }");
  EXPRAX_BECOMES(simplified, [](builder& b) { chosen<7>(b); }, "{ lambda ; a:f32[]. let b:f32[] = exp a in (b,) }");
}

// Branches that are equal only when both are simplified: 1 * sin(x) and sin(-(-x)).
constexpr auto equal_in_the_end = [](builder& b) {
  b.begin();
  int const i = b.in(i32()), x = b.in(f32());
  b.begin();
  int const y = b.in(f32());
  int const first = b.end({y}, {b.op(prim::mul, {b.op(prim::sin, {y}, f32()), b.literal(1.0f)}, f32())});
  b.begin();
  int const z = b.in(f32());
  int const second = b.end({z}, {b.op(prim::sin, {b.op(prim::neg, {b.op(prim::neg, {z}, f32())}, f32())}, f32())});
  b.end({i, x}, {b.cond({first, second}, {i, x}, {f32()})});
};
// One block twice, with a loop in it.
constexpr auto one_block = [](builder& b) {
  b.begin();
  int const i = b.in(i32()), x = b.in(f32());
  b.begin();
  int const y = b.in(f32());
  b.begin();
  int const c = b.in(f32());
  int const body = b.end({c}, {b.op(prim::sin, {c}, f32())});
  int const block = b.end({y}, {b.scan(body, {y}, {f32()}, 3, 0, 1)});
  b.end({i, x}, {b.cond({block, block}, {i, x}, {f32()})});
};
TEST_CASE("branches that are the same") {
  EXPRAX_BECOMES(simplified, equal_in_the_end, "{ lambda ; a:i32[] b:f32[]. let c:f32[] = sin b in (c,) }");
  EXPRAX_BECOMES(simplified, one_block, R"({ lambda ; a:i32[] b:f32[]. let
    c:f32[] = scan[
      jaxpr={ lambda ; d:f32[]. let e:f32[] = sin d in (e,) }
      length=3
      num_carry=1
      num_consts=0
      reverse=False
      unroll=1
    ] b
  in (c,) })");
}

// Results: what both forward from one operand, one literal, one filled array, one constant array, and what differs.
constexpr auto common = [](builder& b) {
  b.begin();
  int const i = b.in(i32()), x = b.in(f32({2})), s = b.in(f32());
  auto const branch = [&](prim op) {
    std::uint64_t const pattern[] = {detail::to_bits(1.0f), detail::to_bits(2.0f)};
    int const constant = b.p.add_constant(f32({2}), {pattern, 2});
    b.begin();
    int const y = b.in(f32({2})), t = b.in(f32()), unread = b.in(f32());
    int const filled = b.op(prim::broadcast_in_dim, {b.literal(3.0f)}, f32({2}), {2});
    return b.end({y, t, unread}, {y, b.literal(4), filled, constant, b.op(op, {t}, f32())});
  };
  int const one = branch(prim::sin), two = branch(prim::cos);
  int const r = b.cond({one, two}, {i, x, s, s}, {f32({2}), i32(), f32({2}), f32({2}), f32()});
  b.end({i, x, s}, {r, r + 1, r + 2, r + 4});
};
TEST_CASE("results that need no branch") {
  EXPRAX_BECOMES(simplified, common, R"({ lambda ; a:i32[] b:f32[2] c:f32[]. let
    d:f32[] = cond[
      branches=(
        { lambda ; e:f32[]. let f:f32[] = sin e in (f,) }
        { lambda ; g:f32[]. let h:f32[] = cos g in (h,) }
      )
    ] a c
    i:f32[2] = broadcast_in_dim 3.0:f32[]
  in (b, 4:i32[], i, d) })");
}

// Of three results one is needed, and of three operands the one that it needs; literals are known inside.
constexpr auto partly = [](builder& b) {
  b.begin();
  int const i = b.in(i32()), x = b.in(f32()), y = b.in(f32());
  b.begin();
  int const a0 = b.in(f32()), a1 = b.in(f32()), a2 = b.in(f32());
  int const one = b.end({a0, a1, a2}, {b.op(prim::sin, {a0}, f32()), b.op(prim::mul, {a1, a2}, f32()), b.op(prim::exp, {a0}, f32())});
  b.begin();
  int const b0 = b.in(f32()), b1 = b.in(f32()), b2 = b.in(f32());
  int const two = b.end({b0, b1, b2}, {b.op(prim::cos, {b0}, f32()), b.op(prim::add, {b.op(prim::mul, {b2, b2}, f32()), b1}, f32()), b0});
  int const r = b.cond({one, two}, {i, x, y, b.literal(3.0f)}, {f32(), f32(), f32()});
  b.end({i, x, y}, {r + 1});
};
TEST_CASE("a branch loses what nobody needs") {
  EXPRAX_BECOMES(simplified, partly, R"({ lambda ; a:i32[] b:f32[] c:f32[]. let
    d:f32[] = cond[
      branches=(
        { lambda ; e:f32[]. let f:f32[] = mul e 3.0:f32[] in (f,) }
        { lambda ; g:f32[]. let h:f32[] = add 9.0:f32[] g in (h,) }
      )
    ] a c
  in (d,) })");
}

// Both branches print, one of them in a loop: nothing that they give is needed, and the order stays.
constexpr auto prints = [](builder& b) {
  int const text = b.p.add_name("{}");
  b.begin();
  int const i = b.in(i32()), x = b.in(f32());
  b.begin();
  int const y = b.in(f32());
  b.p.emit(prim::debug_print, {y}, {text}, {});
  int const one = b.end({y}, {b.op(prim::sin, {y}, f32())});
  b.begin();
  int const z = b.in(f32());
  b.begin();
  int const c = b.in(f32());
  b.p.emit(prim::debug_print, {c}, {text}, {});
  int const body = b.end({c}, {b.op(prim::exp, {c}, f32())});
  int const two = b.end({z}, {b.scan(body, {z}, {f32()}, 2, 0, 1)});
  b.cond({one, two}, {i, x}, {f32()});
  b.p.emit(prim::debug_print, {x}, {text}, {});
  b.end({i, x}, {x});
};
// How many equations with this primitive a block and those inside have.
constexpr int count(program_ref p, prim op, struct block const& b) {
  int n = 0;
  for (eqn const& e : p.body(b)) {
    n += e.op == op;
    for (int id : p.subs(e)) n += count(p, op, p.blocks[id]);
  }
  return n;
}
constexpr bool prints_stay() {
  builder b;
  prints(b);
  program const q = simplified(b.p.ref());
  program_ref const r = q.ref();
  if (!check(r) || r.main().n_eqn != 2) return false;
  eqn const &first = r.body(r.main())[0], &second = r.body(r.main())[1];
  return first.op == prim::cond && first.n_out == 0 && second.op == prim::debug_print &&
         count(r, prim::debug_print, r.main()) == 3 && count(r, prim::scan, r.main()) == 1 && count(r, prim::exp, r.main()) == 1 &&
         count(r, prim::sin, r.main()) == 0;
}
TEST_CASE("what prints is never dead") {
  static_assert(prints_stay());
  CHECK(prints_stay());
}

}  // namespace
