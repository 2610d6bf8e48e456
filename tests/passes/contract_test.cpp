// SPDX-License-Identifier: BSL-1.0
// Which products become one equation with a sum.
#include <doctest/doctest.h>

#include "passes/passes.hpp"
#include <exprax/passes/fuse_multiply_add.hpp>

using namespace build;

namespace {

constexpr auto contracted = [](program_ref p) { return fuse_multiply_add(p); };

// A function of x:f32[3], y:f32[3], s:f32[], n:i32[3].
template <class F>
constexpr auto function(F f) {
  return [f](builder& b) {
    b.begin();
    int const x = b.in(f32({3})), y = b.in(f32({3})), s = b.in(f32()), n = b.in(i32({3}));
    b.end({x, y, s, n}, {f(b, x, y, s, n)});
  };
}
constexpr aval t = f32({3});

#define F(...) function([](builder & b, int x, int y, int s, int n) { return (void)x, (void)y, (void)s, (void)n, (__VA_ARGS__); })
#define BECOMES(...)                                 \
  static_assert(build::becomes(contracted, __VA_ARGS__)); \
  CHECK(build::becomes(contracted, __VA_ARGS__))

TEST_CASE("a product that is used once by a sum") {
  BECOMES(F(b.op(prim::add, {b.op(prim::mul, {x, y}, t), y}, t)), R"({ lambda ; a:f32[3] b:f32[3] c:f32[] d:i32[3]. let
    e:f32[3] = fma a b b
  in (e,) })");
  BECOMES(F(b.op(prim::add, {s, b.op(prim::mul, {x, y}, t)}, t)), R"({ lambda ; a:f32[3] b:f32[3] c:f32[] d:i32[3]. let
    e:f32[3] = fma a b c
  in (e,) })");
  BECOMES(F(b.op(prim::add, {x, b.op(prim::mul, {s, s}, f32())}, t)), R"({ lambda ; a:f32[3] b:f32[3] c:f32[] d:i32[3]. let
    e:f32[3] = fma c c a
  in (e,) })");
}
TEST_CASE("differences negate what is exact") {
  BECOMES(F(b.op(prim::sub, {b.op(prim::mul, {x, y}, t), y}, t)), R"({ lambda ; a:f32[3] b:f32[3] c:f32[] d:i32[3]. let
    e:f32[3] = neg b
    f:f32[3] = fma a b e
  in (f,) })");
  BECOMES(F(b.op(prim::sub, {b.op(prim::mul, {x, y}, t), b.literal(2.0f)}, t)), R"({ lambda ; a:f32[3] b:f32[3] c:f32[] d:i32[3]. let
    e:f32[3] = fma a b -2.0:f32[]
  in (e,) })");
  BECOMES(F(b.op(prim::sub, {y, b.op(prim::mul, {x, s}, t)}, t)), R"({ lambda ; a:f32[3] b:f32[3] c:f32[] d:i32[3]. let
    e:f32[] = neg c
    f:f32[3] = fma a e b
  in (f,) })");
  BECOMES(F(b.op(prim::sub, {y, b.op(prim::mul, {x, b.literal(2.0f)}, t)}, t)), R"({ lambda ; a:f32[3] b:f32[3] c:f32[] d:i32[3]. let
    e:f32[3] = fma a -2.0:f32[] b
  in (e,) })");
}
TEST_CASE("of two products the left one") {
  BECOMES(F(b.op(prim::add, {b.op(prim::mul, {x, y}, t), b.op(prim::mul, {x, s}, t)}, t)), R"({ lambda ; a:f32[3] b:f32[3] c:f32[] d:i32[3]. let
    e:f32[3] = mul a c
    f:f32[3] = fma a b e
  in (f,) })");
}
TEST_CASE("what stays") {
  BECOMES(function([](builder& b, int x, int y, int, int) {
            int const m = b.op(prim::mul, {x, y}, t);
            return b.op(prim::add, {b.op(prim::add, {m, y}, t), m}, t);
          }),
          R"({ lambda ; a:f32[3] b:f32[3] c:f32[] d:i32[3]. let
    e:f32[3] = mul a b
    f:f32[3] = add e b
    g:f32[3] = add f e
  in (g,) })");
  BECOMES(F(b.op(prim::add, {b.op(prim::mul, {n, n}, i32({3})), n}, i32({3}))), R"({ lambda ; a:f32[3] b:f32[3] c:f32[] d:i32[3]. let
    e:i32[3] = mul d d
    f:i32[3] = add e d
  in (f,) })");
  BECOMES(F(b.op(prim::max, {b.op(prim::mul, {x, b.op(prim::mul, {x, y}, t)}, t), y}, t)), R"({ lambda ; a:f32[3] b:f32[3] c:f32[] d:i32[3]. let
    e:f32[3] = mul a b
    f:f32[3] = mul a e
    g:f32[3] = max f b
  in (g,) })");
}

}  // namespace
