// SPDX-License-Identifier: BSL-1.0
// Blocks copied from one program into another.
#include <doctest/doctest.h>

#include "text/build.hpp"
#include <exprax/passes/check.hpp>
#include <exprax/primitives/copy.hpp>

using namespace build;

constexpr auto relu = [](builder& b) {
  int const x = b.in(f32({3}));
  b.begin();
  int const y = b.in(f32({3}));
  b.begin();
  int const body = b.end({y}, {b.op(prim::max, {b.literal(0.0f), y}, f32({3}))});
  b.end({x}, {b.jit("relu", body, {x}, {f32({3})})});
};

// The equations of a program between others, its nested blocks with them.
constexpr program spliced() {
  builder from;
  relu(from);
  builder to;
  int const x = to.in(f32({3}));
  to.begin();
  int const y = to.op(prim::neg, {x}, f32({3}));
  int const result = splice(to.p, from.p.ref(), {y})[0];
  to.end({x}, {to.op(prim::add, {result, x}, f32({3}))});
  return to.p.finish();
}
static_assert(check(spliced().ref()));
static_assert(detail::jaxpr_equals(spliced().ref(), R"({ lambda ; a:f32[3]. let
    b:f32[3] = neg a
    c:f32[3] = jit[
      name=relu
      jaxpr={ lambda ; b:f32[3]. let c:f32[3] = max 0.0:f32[] b in (c,) }
    ] b
    d:f32[3] = add c a
  in (d,) })"));

// A block called from another program.
constexpr program called() {
  builder from;
  relu(from);
  builder to;
  int const x = to.in(f32({3}));
  to.begin();
  int const body = block_copier(to.p, from.p.ref()).copy_block(from.p.ref().main_id());
  to.end({x}, {to.jit("outer", body, {x}, {f32({3})})});
  return to.p.finish();
}
static_assert(check(called().ref()));

TEST_CASE("splice at run time") { CHECK(bool(check(spliced().ref()))); }
