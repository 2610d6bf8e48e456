// SPDX-License-Identifier: BSL-1.0
// cond and while: their meaning by the interpreter, and their batching, against values worked out by hand and JAX's jaxprs.
#include <doctest/doctest.h>

#include "text/build.hpp"
#include "transforms/laws.hpp"
#include <exprax/passes/pipeline.hpp>

using namespace build;

namespace {

// x + 1, x - 1 and -x.
constexpr auto three_ways = [](builder& b, aval const& type) {
  int const index = b.in(i32()), x = b.in(type);
  b.begin();
  int const k = b.in(type), l = b.in(type), m = b.in(type);
  b.begin();
  int const plus = b.end({k}, {b.op(prim::add, {k, b.literal(1.0f)}, type)});
  b.begin();
  int const minus = b.end({l}, {b.op(prim::sub, {l, b.literal(1.0f)}, type)});
  b.begin();
  int const negated = b.end({m}, {b.op(prim::neg, {m}, type)});
  b.end({index, x}, {b.cond({plus, minus, negated}, {index, x}, {type})});
};
constexpr auto switched = [](builder& b) { three_ways(b, f32()); };
constexpr auto switched_rows = [](builder& b) { three_ways(b, f32({2})); };

// Doubles s while it is below the limit, and counts; y is only carried along.
constexpr auto doubling = [](builder& b) {
  int const limit = b.in(i32()), start = b.in(i32()), step = b.in(i32({2}));
  b.begin();
  int const c_limit = b.in(i32()), cs = b.in(i32()), cy = b.in(i32({2})), cn = b.in(i32());
  b.begin();
  int const cond = b.end({c_limit, cs, cy, cn}, {b.op(prim::lt, {cs, c_limit}, b1())});
  int const d_step = b.in(i32({2})), s = b.in(i32()), y = b.in(i32({2})), n = b.in(i32());
  b.begin();
  int const body = b.end({d_step, s, y, n}, {b.op(prim::add, {s, b.op(prim::max, {s, b.literal(1)}, i32())}, i32()), b.op(prim::add, {y, d_step}, i32({2})),
                                             b.op(prim::add, {n, b.literal(1)}, i32())});
  int const zeros = b.op(prim::broadcast_in_dim, {b.literal(0)}, i32({2}), {2});
  int const r = b.while_loop(cond, body, {limit, step, start, zeros, b.literal(0)}, {i32(), i32({2}), i32()}, 1, 1);
  b.end({limit, start, step}, {r, r + 1, r + 2});
};

// A while in a while in a cond: for i < n: for j <= i: s = s * 3 + j, unless n is odd.
constexpr auto triangle = [](builder& b) {
  aval const t = i32();
  int const n = b.in(t), s0 = b.in(t);
  b.begin();
  // operands of the cond: n, s
  int const on = b.in(t), os = b.in(t);
  b.begin();
  int const odd = b.end({on, os}, {b.op(prim::neg, {os}, t)});
  int const en = b.in(t), es = b.in(t);
  b.begin();
  int const cl = b.in(t), ci = b.in(t), cs = b.in(t);
  b.begin();
  int const outer_cond = b.end({cl, ci, cs}, {b.op(prim::lt, {ci, cl}, b1())});
  int const bi = b.in(t), bs = b.in(t);
  b.begin();
  int const di = b.in(t), dj = b.in(t), ds = b.in(t);
  b.begin();
  int const inner_cond = b.end({di, dj, ds}, {b.op(prim::le, {dj, di}, b1())});
  int const fj = b.in(t), fs = b.in(t);
  b.begin();
  int const next = b.op(prim::add, {b.op(prim::mul, {fs, b.literal(3)}, t), fj}, t);
  int const inner_body = b.end({fj, fs}, {b.op(prim::add, {fj, b.literal(1)}, t), next});
  int const inner = b.while_loop(inner_cond, inner_body, {bi, b.literal(0), bs}, {t, t}, 1, 0);
  int const outer_body = b.end({bi, bs}, {b.op(prim::add, {bi, b.literal(1)}, t), inner + 1});
  int const outer = b.while_loop(outer_cond, outer_body, {en, b.literal(0), es}, {t, t}, 1, 0);
  int const even = b.end({en, es}, {outer + 1});
  int const index = b.op(prim::and_, {n, b.literal(1)}, t);
  b.end({n, s0}, {b.cond({even, odd}, {index, n, s0}, {t})});
};

laws::elements bits_of(std::initializer_list<int> x) {
  laws::elements e;
  for (int i : x) e.push_back(detail::to_bits(i));
  return e;
}

// The results after lowering, and after all passes, are those of before.
void passes_keep(program_ref p, laws::generator& g) {
  std::vector<laws::elements> in;
  for (int v : p.ins(p.main())) in.push_back(g.fill(p.type(v)));
  auto const expected = laws::run(p, in);
  program const lowered = lower_while(p), passed = optimize(p);
  REQUIRE(oracle::is_well_formed(lowered.ref()));
  REQUIRE(oracle::is_well_formed(passed.ref()));
  CHECK(!detail::while_lowerer::is_needed(lowered.ref()));
  CHECK(laws::run(lowered.ref(), in) == expected);
  CHECK(laws::run(passed.ref(), in) == expected);
}

}  // namespace

TEST_CASE("cond runs one block; the index is clamped") {
  builder b;
  switched(b);
  REQUIRE(oracle::is_well_formed(b.p.ref()));
  float const expected[] = {6, 6, 4, -5, -5};
  for (int i = -1; i < 4; ++i) {
    auto const out = laws::run(b.p.ref(), {bits_of({i}), {detail::to_bits(5.0f)}});
    CHECK(out[0][0] == detail::to_bits(expected[i + 1]));
  }
}
TEST_CASE("while") {
  builder b;
  doubling(b);
  REQUIRE(oracle::is_well_formed(b.p.ref()));
  auto const out = laws::run(b.p.ref(), {bits_of({100}), bits_of({0}), bits_of({3, -1})});
  CHECK(out[0] == bits_of({128}));
  CHECK(out[1] == bits_of({24, -8}));
  CHECK(out[2] == bits_of({8}));
  auto const never = laws::run(b.p.ref(), {bits_of({5}), bits_of({7}), bits_of({3, -1})});
  CHECK(never[0] == bits_of({7}));
  CHECK(never[1] == bits_of({0, 0}));
}
TEST_CASE("loops in loops in a branch") {
  builder b;
  triangle(b);
  auto const expected = [](int n, int s) {
    if (n & 1) return -s;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) s = s * 3 + j;
    return s;
  };
  for (int n = -1; n < 5; ++n) CHECK(laws::run(b.p.ref(), {bits_of({n}), bits_of({7})})[0] == bits_of({expected(n, 7)}));
}
// Rows that are done keep what they have.
TEST_CASE("while with a condition for each row") {
  builder b;
  doubling(b);
  batch_axis const dims[] = {not_mapped, 0, not_mapped};
  wanted_axis const want[] = {0, 0, 0};
  program const q = batch(b.p.ref(), dims, 3, want);
  REQUIRE(oracle::is_well_formed(q.ref()));
  auto const out = laws::run(q.ref(), {bits_of({100}), bits_of({0, 200, 60}), bits_of({3, -1})});
  CHECK(out[0] == bits_of({128, 200, 120}));
  CHECK(out[1] == bits_of({24, -8, 0, 0, 3, -1}));
  CHECK(out[2] == bits_of({8, 0, 1}));
}
TEST_CASE("batches and passes") {
  laws::generator g(3);
  auto const holds = [&](auto make) {
    builder b;
    make(b);
    CHECK(laws::batch_law(b.p.ref(), g));
    passes_keep(b.p.ref(), g);
    batch_axis dims[4] = {0, 0, 0, 0};
    wanted_axis const want[4] = {};
    struct block const& main = b.p.ref().main();
    for (int mapped = 0; mapped < main.n_in; ++mapped) {
      for (int k = 0; k < main.n_in; ++k) dims[k] = k == mapped ? batch_axis(0) : not_mapped;
      program const q = batch(b.p.ref(), {dims, main.n_in}, 2, {want, main.n_out});
      CHECK(laws::batch_law(q.ref(), g));
      passes_keep(q.ref(), g);
      for (batch_axis& d : dims) d = 0;
      passes_keep(batch(q.ref(), {dims, main.n_in}, 3, {want, main.n_out}).ref(), g);
    }
  };
  holds(switched);
  holds(switched_rows);
  holds(doubling);
  holds(triangle);
}
