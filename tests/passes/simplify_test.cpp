// SPDX-License-Identifier: BSL-1.0
// What simplify makes of small programs: of one rule each, by the jaxpr.
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

// A function of x:f32[2,3], y:f32[2,3], s:f32[], n:i32[3] becomes these equations and results.
template <class F>
constexpr bool becomes(F f, std::string_view expected) {
  return build::becomes(
      simplified,
      [f](builder& b) {
        b.begin();
        int const x = b.in(f32({2, 3})), y = b.in(f32({2, 3})), s = b.in(f32()), n = b.in(i32({3}));
        b.end({x, y, s, n}, {f(b, x, y, s, n)});
      },
      expected);
}
// The result is x, y, s or n (a, b, c, d).
template <class F>
constexpr bool is(char which, F f) {
  char text[] = "{ lambda ; a:f32[2,3] b:f32[2,3] c:f32[] d:i32[3]. let  in (?,) }";
  text[sizeof text - 6] = which;
  return becomes(f, {text, sizeof text - 1});
}
template <class F>
constexpr bool is_equation(F f, std::string_view equation) {
  char text[400] = {};
  int n = 0;
  auto const put = [&](std::string_view s) {
    for (char c : s) text[n++] = c;
  };
  put("{ lambda ; a:f32[2,3] b:f32[2,3] c:f32[] d:i32[3]. let\n    ");
  put(equation);
  put("\n  in (e,) }");
  return becomes(f, {text, static_cast<std::size_t>(n)});
}

constexpr aval x_type = f32({2, 3}), n_type = i32({3}), which(dtype::b1, {3}), n8(dtype::i8, {300});
constexpr float infinity = __builtin_inff();

constexpr int converted(builder& b, int v, dtype t) {
  return b.op(prim::convert_element_type, {v}, aval(t, {2, 3}), {static_cast<int>(t), 0});
}
constexpr int bounded(builder& b, int v, float low, float high) {
  return b.op(prim::min, {b.op(prim::max, {v, b.literal(low)}, x_type), b.literal(high)}, x_type);
}
constexpr int compared(builder& b, prim op, int x, int y, dtype t, int literal) {
  return b.op(op, {converted(b, b.op(prim::lt, {x, y}, b1({2, 3})), t), literal}, b1({2, 3}));
}

#define LAW(...)             \
  static_assert(__VA_ARGS__); \
  CHECK(__VA_ARGS__)
#define F(...) [](builder & b, int x, int y, int s, int n) { return (void)x, (void)y, (void)s, (void)n, (__VA_ARGS__); }

TEST_CASE("what is neutral vanishes") {
  LAW(is('a', F(b.op(prim::mul, {x, b.literal(1.0f)}, x_type))));
  LAW(is('a', F(b.op(prim::mul, {b.literal(1.0f), x}, x_type))));
  LAW(is('a', F(b.op(prim::div, {x, b.literal(1.0f)}, x_type))));
  LAW(is('a', F(b.op(prim::sub, {x, b.literal(0.0f)}, x_type))));
  LAW(is('a', F(b.op(prim::add, {x, b.literal(-0.0f)}, x_type))));
  LAW(is('d', F(b.op(prim::add, {b.literal(0), n}, n_type))));
  LAW(is('d', F(b.op(prim::sub, {n, b.literal(0)}, n_type))));
  LAW(is('a', F(b.op(prim::max, {x, x}, x_type))));
  LAW(is('a', F(b.op(prim::max, {b.literal(-infinity), x}, x_type))));
  LAW(is_equation(F(b.op(prim::max, {b.literal(2.0f), x}, x_type)), "e:f32[2,3] = at_least a 2.0:f32[]"));
  LAW(is_equation(F(b.op(prim::min, {x, b.literal(0.0f)}, x_type)), "e:f32[2,3] = at_most a 0.0:f32[]"));
  LAW(is_equation(F(b.op(prim::min, {x, b.literal(-0.0f)}, x_type)), "e:f32[2,3] = min a -0.0:f32[]"));
  LAW(is_equation(F(b.op(prim::max, {x, b.literal(std::numeric_limits<float>::quiet_NaN())}, x_type)), "e:f32[2,3] = max a nan:f32[]"));
  LAW(becomes(F(b.op(prim::clamp, {b.literal(0.0f), x, b.literal(6.0f)}, x_type)), R"({ lambda ; a:f32[2,3] b:f32[2,3] c:f32[] d:i32[3]. let
    e:f32[2,3] = at_least a 0.0:f32[]
    f:f32[2,3] = add e 0.0:f32[]
    g:f32[2,3] = at_most f 6.0:f32[]
  in (g,) })"));
  LAW(is('a', F(b.op(prim::min, {x, b.literal(infinity)}, x_type))));
  LAW(is('d', F(b.op(prim::and_, {n, n}, n_type))));
  LAW(is('d', F(b.op(prim::or_, {n, b.literal(0)}, n_type))));
  LAW(is('a', F(b.op(prim::neg, {b.op(prim::neg, {x}, x_type)}, x_type))));
  LAW(is('d', F(b.op(prim::not_, {b.op(prim::not_, {n}, n_type)}, n_type))));
  LAW(is('a', F(b.op(prim::select_n, {b.literal(false), x, y}, x_type))));
  LAW(is('b', F(b.op(prim::select_n, {b.literal(true), x, y}, x_type))));
  LAW(is('a', F(b.op(prim::select_n, {b.op(prim::lt, {x, y}, b1({2, 3})), x, x}, x_type))));
}
TEST_CASE("a bool that is converted to an index chooses between two cases as it is") {
  LAW(becomes(F(b.op(prim::select_n,
                     {b.op(prim::convert_element_type, {b.op(prim::lt, {x, y}, b1({2, 3}))}, i32({2, 3}), {static_cast<int>(dtype::i32), 0}),
                      x, y},
                     x_type)),
              "{ lambda ; a:f32[2,3] b:f32[2,3] c:f32[] d:i32[3]. let\n    e:bool[2,3] = lt a b\n    f:f32[2,3] = select_n e a b\n  in (f,) }"));
}
TEST_CASE("a bool that is compared with 0 or 1") {
  LAW(is_equation(F(compared(b, prim::ne, x, y, dtype::i32, b.literal(0))), "e:bool[2,3] = lt a b"));
  LAW(is_equation(F(compared(b, prim::ge, x, y, dtype::f32, b.literal(1.0f))), "e:bool[2,3] = lt a b"));
  LAW(is_equation(F(compared(b, prim::eq, x, y, dtype::b1, b.literal(true))), "e:bool[2,3] = lt a b"));
  LAW(becomes(F(compared(b, prim::le, x, y, dtype::i32, b.literal(0))), R"({ lambda ; a:f32[2,3] b:f32[2,3] c:f32[] d:i32[3]. let
    e:bool[2,3] = lt a b
    f:bool[2,3] = not e
  in (f,) })"));
  LAW(is_equation(F(compared(b, prim::gt, x, y, dtype::i32, b.literal(1))), "e:bool[2,3] = broadcast_in_dim False:bool[]"));
  LAW(becomes(F(compared(b, prim::gt, x, y, dtype::i32, b.literal(2))), R"({ lambda ; a:f32[2,3] b:f32[2,3] c:f32[] d:i32[3]. let
    e:bool[2,3] = lt a b
    f:i32[2,3] = convert_element_type[new_dtype=int32 weak_type=False] e
    g:bool[2,3] = gt f 2:i32[]
  in (g,) })"));
}
TEST_CASE("a conversion to integers is a bound") {
  LAW(is_equation(F(converted(b, bounded(b, x, 0.0f, 255.0f), dtype::u8)), "e:u8[2,3] = convert_element_type[new_dtype=uint8 weak_type=False] a"));
  LAW(is_equation(F(converted(b, bounded(b, x, -128.0f, 300.0f), dtype::i8)), "e:i8[2,3] = convert_element_type[new_dtype=int8 weak_type=False] a"));
  LAW(is_equation(F(converted(b, bounded(b, x, -0x1p31f, 0x1p31f), dtype::i32)),
                  "e:i32[2,3] = convert_element_type[new_dtype=int32 weak_type=False] a"));
  LAW(becomes(F(converted(b, bounded(b, x, 1.0f, 254.5f), dtype::u8)), R"({ lambda ; a:f32[2,3] b:f32[2,3] c:f32[] d:i32[3]. let
    e:f32[2,3] = at_least a 1.0:f32[]
    f:f32[2,3] = at_most e 254.5:f32[]
    g:u8[2,3] = convert_element_type[new_dtype=uint8 weak_type=False] f
  in (g,) })"));
}
TEST_CASE("a float sum of short integers or conditions is one of integers, if all partial sums are exact") {
  LAW(becomes(F(b.op(prim::reduce_sum, {converted(b, b.op(prim::lt, {x, y}, b1({2, 3})), dtype::f32)}, f32({2}), {1})),
              R"({ lambda ; a:f32[2,3] b:f32[2,3] c:f32[] d:i32[3]. let
    e:bool[2,3] = lt a b
    f:i32[2,3] = convert_element_type[new_dtype=int32 weak_type=False] e
    g:i32[2] = reduce_sum[axes=(1,) out_sharding=None] f
    h:f32[2] = convert_element_type[new_dtype=float32 weak_type=False] g
  in (h,) })"));
  LAW(becomes(F(b.op(prim::reduce_sum, {b.op(prim::convert_element_type, {n}, f32({3}), {static_cast<int>(dtype::f32), 0})}, f32({}), {0})),
              R"({ lambda ; a:f32[2,3] b:f32[2,3] c:f32[] d:i32[3]. let
    e:f32[3] = convert_element_type[new_dtype=float32 weak_type=False] d
    f:f32[] = reduce_sum[axes=(0,) out_sharding=None] e
  in (f,) })"));
}
TEST_CASE("what is not neutral for -0 or NaN stays") {
  LAW(is_equation(F(b.op(prim::add, {x, b.literal(0.0f)}, x_type)), "e:f32[2,3] = add a 0.0:f32[]"));
  LAW(is_equation(F(b.op(prim::sub, {x, b.literal(-0.0f)}, x_type)), "e:f32[2,3] = sub a -0.0:f32[]"));
  LAW(is_equation(F(b.op(prim::mul, {x, b.literal(0.0f)}, x_type)), "e:f32[2,3] = mul a 0.0:f32[]"));
  LAW(is_equation(F(b.op(prim::sub, {x, x}, x_type)), "e:f32[2,3] = sub a a"));
  LAW(is_equation(F(b.op(prim::eq, {x, x}, b1({2, 3}))), "e:bool[2,3] = eq a a"));
}
TEST_CASE("one form of several") {
  LAW(is_equation(F(b.op(prim::add, {x, b.op(prim::neg, {y}, x_type)}, x_type)), "e:f32[2,3] = sub a b"));
  LAW(is_equation(F(b.op(prim::sub, {x, b.op(prim::neg, {y}, x_type)}, x_type)), "e:f32[2,3] = add a b"));
  LAW(is_equation(F(b.op(prim::mul, {x, b.literal(-1.0f)}, x_type)), "e:f32[2,3] = neg a"));
  LAW(is_equation(F(b.op(prim::div, {x, b.literal(4.0f)}, x_type)), "e:f32[2,3] = mul a 0.25:f32[]"));
  LAW(is_equation(F(b.op(prim::div, {x, b.literal(3.0f)}, x_type)), "e:f32[2,3] = div a 3.0:f32[]"));
  LAW(is_equation(F(b.op(prim::abs, {b.op(prim::neg, {x}, x_type)}, x_type)), "e:f32[2,3] = abs a"));
  LAW(is_equation(F(b.op(prim::transpose, {b.op(prim::reshape, {x}, f32({1, 6}), {1, 6})}, f32({6, 1}), {1, 0})),
                  "e:f32[6,1] = reshape[dimensions=None new_sizes=(6, 1) sharding=None] a"));
  LAW(is_equation(F(b.op(prim::squeeze, {b.op(prim::reshape, {x}, f32({1, 6}), {1, 6})}, f32({6}), {0})),
                  "e:f32[6] = reshape[dimensions=None new_sizes=(6,) sharding=None] a"));
  LAW(is_equation(F(b.op(prim::dynamic_slice, {x, b.literal(7), b.literal(-1)}, f32({1, 2}), {1, 2})),
                  "e:f32[1,2] = slice[limit_indices=(2, 2) start_indices=(1, 0) strides=None] a"));
  // At one index vector, a gather and a scatter that move windows inside.
  LAW(is_equation(F(b.op(prim::gather, {x, b.op(prim::concatenate, {b.op(prim::broadcast_in_dim, {b.literal(7)}, i32({1}), {1}),
                                                                    b.op(prim::broadcast_in_dim, {b.literal(-1)}, i32({1}), {1})}, i32({2}), {0})},
                         f32({1, 2}), {0, 0, 0, 1, 1, 1, 2, 2, 0, 1, 0, 2, 0, 1, 0, 0})),
                  "e:f32[1,2] = slice[limit_indices=(2, 2) start_indices=(1, 0) strides=None] a"));
  LAW(becomes(F(b.op(prim::gather, {x, b.op(prim::slice, {n}, i32({1}), {2, 3})}, f32({2}), {2, 0, 0, 1, 1, 2, 1, 1, 0, 1, 1, 1, 1, 0, 0})),
              R"({ lambda ; a:f32[2,3] b:f32[2,3] c:f32[] d:i32[3]. let
    e:i32[1] = slice[limit_indices=(3,) start_indices=(2,) strides=None] d
    f:i32[] = reshape[dimensions=None new_sizes=() sharding=None] e
    g:f32[2,1] = dynamic_slice[slice_sizes=(2, 1)] a 0:i32[] f
    h:f32[2] = reshape[dimensions=None new_sizes=(2,) sharding=None] g
  in (h,) })"));
  LAW(becomes(F(b.op(prim::scatter, {x, b.op(prim::slice, {n}, i32({1}), {2, 3}), s}, x_type, {0, 2, 0, 1, 1, 1, 1, 1, 0, 0, 0})),
              R"({ lambda ; a:f32[2,3] b:f32[2,3] c:f32[] d:i32[3]. let
    e:i32[1] = slice[limit_indices=(3,) start_indices=(2,) strides=None] d
    f:f32[1,1] = broadcast_in_dim c
    g:i32[] = reshape[dimensions=None new_sizes=() sharding=None] e
    h:f32[2,3] = dynamic_update_slice a f 0:i32[] g
  in (h,) })"));
  LAW(becomes(F(b.op(prim::integer_pow, {x}, x_type, {-6})), R"({ lambda ; a:f32[2,3] b:f32[2,3] c:f32[] d:i32[3]. let
    e:f32[2,3] = mul a a
    f:f32[2,3] = mul e e
    g:f32[2,3] = mul e f
    h:f32[2,3] = div 1.0:f32[] g
  in (h,) })"));
}
TEST_CASE("no place is negative") {
  LAW(is_equation(F(b.op(prim::lt, {b.op(prim::max, {n, b.literal(0)}, n_type), b.literal(0)}, which)), "e:bool[3] = broadcast_in_dim False:bool[]"));
  LAW(is_equation(F(b.op(prim::ge, {b.op(prim::rev, {b.op(prim::iota, {}, n_type, {static_cast<int>(dtype::i32), 0, 3})}, n_type, {0}), b.literal(0)}, which)),
                  "e:bool[3] = broadcast_in_dim True:bool[]"));
  LAW(becomes(F(b.op(prim::lt, {b.op(prim::max, {n, b.literal(-1)}, n_type), b.literal(0)}, which)), R"({ lambda ; a:f32[2,3] b:f32[2,3] c:f32[] d:i32[3]. let
    e:i32[3] = max d -1:i32[]
    f:bool[3] = lt e 0:i32[]
  in (f,) })"));
  LAW(becomes(F(b.op(prim::le, {b.op(prim::max, {n, b.literal(0)}, n_type), b.literal(0)}, which)), R"({ lambda ; a:f32[2,3] b:f32[2,3] c:f32[] d:i32[3]. let
    e:i32[3] = max d 0:i32[]
    f:bool[3] = le e 0:i32[]
  in (f,) })"));
  // Short integers start anew.
  LAW(becomes(F(b.op(prim::lt, {b.op(prim::iota, {}, n8, {static_cast<int>(dtype::i8), 0, 300}), b.p.add_literal(dtype::i8, 0)}, n8.with_type(dtype::b1))),
              R"({ lambda ; a:f32[2,3] b:f32[2,3] c:f32[] d:i32[3]. let
    e:i8[300] = iota[dimension=0 dtype=int8 shape=(300,) sharding=None] 
    f:bool[300] = lt e 0:i8[]
  in (f,) })"));
}
TEST_CASE("what is the same everywhere is a scalar") {
  LAW(is_equation(F(b.op(prim::mul, {x, b.op(prim::broadcast_in_dim, {b.literal(2.0f)}, x_type, {2, 3})}, x_type)), "e:f32[2,3] = mul a 2.0:f32[]"));
  LAW(is_equation(F(b.op(prim::add, {b.op(prim::broadcast_in_dim, {s}, x_type, {2, 3}), x}, x_type)), "e:f32[2,3] = add c a"));
  LAW(is_equation(F(b.op(prim::exp, {b.op(prim::broadcast_in_dim, {b.literal(0.0f)}, x_type, {2, 3})}, x_type)),
                  "e:f32[2,3] = broadcast_in_dim 1.0:f32[]"));
  LAW(becomes(F(b.op(prim::add, {b.literal(2.0f), b.op(prim::mul, {b.literal(3.0f), b.literal(0.5f)}, f32())}, f32())),
              "{ lambda ; a:f32[2,3] b:f32[2,3] c:f32[] d:i32[3]. let  in (3.5:f32[],) }"));
}
TEST_CASE("a product that sums nothing is elementwise") {
  constexpr int type = static_cast<int>(dtype::f32);
  LAW(becomes(F(b.op(prim::dot_general, {x, y}, f32({2, 3, 2, 3}), {0, 0, type, 0})), R"({ lambda ; a:f32[2,3] b:f32[2,3] c:f32[] d:i32[3]. let
    e:f32[2,3,2,3] = broadcast_in_dim[broadcast_dimensions=(0, 1)] a
    f:f32[2,3,2,3] = broadcast_in_dim[broadcast_dimensions=(2, 3)] b
    g:f32[2,3,2,3] = mul e f
  in (g,) })"));
  LAW(becomes(F(b.op(prim::dot_general, {x, y}, f32({2, 3, 3}), {0, 1, 0, 0, type, 0})), R"({ lambda ; a:f32[2,3] b:f32[2,3] c:f32[] d:i32[3]. let
    e:f32[2,3,3] = broadcast_in_dim[broadcast_dimensions=(0, 1)] a
    f:f32[2,3,3] = broadcast_in_dim[broadcast_dimensions=(0, 2)] b
    g:f32[2,3,3] = mul e f
  in (g,) })"));
}
TEST_CASE("of equal rows one is multiplied") {
  constexpr int type = static_cast<int>(dtype::f32);
  LAW(becomes(F(b.op(prim::dot_general, {b.op(prim::broadcast_in_dim, {s}, x_type, {2, 3}), y}, f32({2, 2}), {1, 1, 1, 0, type, 0})),
              R"({ lambda ; a:f32[2,3] b:f32[2,3] c:f32[] d:i32[3]. let
    e:f32[3] = broadcast_in_dim c
    f:f32[2] = dot_general[
      dimension_numbers=(([0], [1]), ([], []))
      preferred_element_type=float32
    ] e b
    g:f32[2,2] = broadcast_in_dim[broadcast_dimensions=(1,)] f
  in (g,) })"));
  LAW(becomes(F(b.op(prim::dot_general, {x, b.op(prim::broadcast_in_dim, {y}, f32({2, 4, 3}), {2, 4, 3, 0, 2})}, f32({2, 2, 4}),
                     {1, 1, 2, 0, type, 0})),
              R"({ lambda ; a:f32[2,3] b:f32[2,3] c:f32[] d:i32[3]. let
    e:f32[2,2] = dot_general[
      dimension_numbers=(([1], [1]), ([], []))
      preferred_element_type=float32
    ] a b
    f:f32[2,2,4] = broadcast_in_dim[broadcast_dimensions=(0, 1)] e
  in (f,) })"));
}
TEST_CASE("what is the same along an axis is computed once along it") {
  LAW(becomes(F(b.op(prim::neg, {b.op(prim::broadcast_in_dim, {n}, i32({4, 3, 5}), {4, 3, 5, 1})}, i32({4, 3, 5}))),
              R"({ lambda ; a:f32[2,3] b:f32[2,3] c:f32[] d:i32[3]. let
    e:i32[3] = neg d
    f:i32[4,3,5] = broadcast_in_dim[broadcast_dimensions=(1,)] e
  in (f,) })"));
  // Two operands along two of three axes, an axis of one element and a scalar.
  LAW(becomes(F(b.op(prim::select_n,
                     {b.op(prim::lt, {b.op(prim::broadcast_in_dim, {n}, i32({3, 4, 2}), {3, 4, 2, 0}), b.literal(5)}, aval(dtype::b1, {3, 4, 2})),
                      b.op(prim::broadcast_in_dim, {b.op(prim::reshape, {b.op(prim::slice, {x}, f32({2, 1}), {0, 0, 2, 1})}, f32({1, 2}), {1, 2})},
                           f32({3, 4, 2}), {3, 4, 2, 1, 2}),
                      s},
                     f32({3, 4, 2}))),
              R"({ lambda ; a:f32[2,3] b:f32[2,3] c:f32[] d:i32[3]. let
    e:bool[3] = lt d 5:i32[]
    f:f32[2,1] = slice[limit_indices=(2, 1) start_indices=(0, 0) strides=None] a
    g:bool[3,2] = broadcast_in_dim[broadcast_dimensions=(0,)] e
    h:f32[2] = reshape[dimensions=None new_sizes=(2,) sharding=None] f
    i:f32[3,2] = broadcast_in_dim[broadcast_dimensions=(1,)] h
    j:f32[3,2] = select_n g i c
    k:f32[3,4,2] = broadcast_in_dim[broadcast_dimensions=(0, 2)] j
  in (k,) })"));
  // x differs along both axes.
  LAW(becomes(F(b.op(prim::select_n, {b.op(prim::broadcast_in_dim, {b.op(prim::lt, {n, b.literal(5)}, which)}, aval(dtype::b1, {2, 3}), {2, 3, 1}), x, y}, x_type)),
              R"({ lambda ; a:f32[2,3] b:f32[2,3] c:f32[] d:i32[3]. let
    e:bool[3] = lt d 5:i32[]
    f:bool[2,3] = broadcast_in_dim[broadcast_dimensions=(1,)] e
    g:f32[2,3] = select_n f a b
  in (g,) })"));
}
TEST_CASE("equal equations are one") {
  LAW(is_equation(F(b.op(prim::max, {b.op(prim::mul, {x, y}, x_type), b.op(prim::mul, {y, x}, x_type)}, x_type)), "e:f32[2,3] = mul a b"));
}
TEST_CASE("two movements in a row are one, none is nothing") {
  LAW(is('a', F(b.op(prim::transpose, {b.op(prim::transpose, {x}, f32({3, 2}), {1, 0})}, x_type, {1, 0}))));
  LAW(is('a', F(b.op(prim::rev, {b.op(prim::rev, {x}, x_type, {0})}, x_type, {0}))));
  LAW(is('a', F(b.op(prim::reshape, {b.op(prim::reshape, {x}, f32({6}), {6})}, x_type, {2, 3}))));
  LAW(is('a', F(b.op(prim::slice, {x}, x_type, {0, 0, 2, 3}))));
  LAW(is('a', F(b.op(prim::pad, {x, b.literal(0.0f)}, x_type, {0, 0, 0, 0, 0, 0}))));
  LAW(is('a', F(b.op(prim::concatenate, {x}, x_type, {0}))));
  LAW(is('a', F(b.op(prim::convert_element_type, {b.op(prim::convert_element_type, {x}, aval(dtype::f64, {2, 3}), {10, 0})}, x_type, {9, 0}))));
  LAW(is('b', F(b.op(prim::dynamic_update_slice, {x, y, b.literal(0), b.literal(0)}, x_type))));
  LAW(is('a', F(b.op(prim::slice, {b.op(prim::concatenate, {y, x}, f32({4, 3}), {0})}, x_type, {2, 0, 4, 3}))));
}

}  // namespace
