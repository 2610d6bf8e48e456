// SPDX-License-Identifier: BSL-1.0
// StableHLO of small programs, letter by letter, in the operations that JAX lowers them to.
#include <doctest/doctest.h>

#include <exprax/text/stablehlo/stablehlo.hpp>
#include <exprax/text/stablehlo/stablehlo_lowering.hpp>

#include "build.hpp"

using namespace build;

namespace {

// The module of one function, without its first and last line.
constexpr std::string_view inside(std::string_view module) {
  std::size_t const from = module.find('\n') + 1;
  return module.substr(from, module.size() - from - 2);
}
template <class Make>
constexpr bool lowers(Make make, std::string_view expected) {
  builder b;
  make(b);
  auto const m = detail::stablehlo_lowering(b.p.ref(), "f").take();
  std::string_view const paths[] = {"result[0]", "result[1]", "result[2]"}, path[] = {"result"};
  detail::text_buffer text;
  bool const one = b.p.blocks.back().n_out == 1;
  detail::stablehlo_printer(m, one ? detail::span<std::string_view>(path) : detail::span<std::string_view>(paths)).print(text);
  return inside(text.view()) == expected;
}

// cond: jax.lax.cond(state, lambda x: x + 1, lambda x: x - 1, operand)
static_assert(lowers(
    [](builder& b) {
      b.begin();
      int const state = b.in(b1()), x = b.in(f32({1}));
      int const index = b.op(prim::convert_element_type, {state}, i32(), {static_cast<int>(dtype::i32), 0});
      b.begin();
      int const y = b.in(f32({1}));
      int const less = b.end({y}, {b.op(prim::sub, {y, b.literal(1.0f)}, f32({1}))});
      b.begin();
      int const z = b.in(f32({1}));
      int const more = b.end({z}, {b.op(prim::add, {z, b.literal(1.0f)}, f32({1}))});
      b.end({state, x}, {b.cond({less, more}, {index, x}, {f32({1})})});
    },
    R"(  func.func public @main(%arg0: tensor<i1>, %arg1: tensor<1xf32>) -> (tensor<1xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg0 : (tensor<i1>) -> tensor<i32>
    %1 = "stablehlo.case"(%0) ({
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1xf32>
      %3 = stablehlo.subtract %arg1, %2 : tensor<1xf32>
      stablehlo.return %3 : tensor<1xf32>
    }, {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1xf32>
      %3 = stablehlo.add %arg1, %2 : tensor<1xf32>
      stablehlo.return %3 : tensor<1xf32>
    }) : (tensor<i32>) -> tensor<1xf32>
    return %1 : tensor<1xf32>
  }
)"));

// while: jax.lax.while_loop(lambda x: x < 10, lambda x: x + 1, init)
static_assert(lowers(
    [](builder& b) {
      b.begin();
      int const start = b.in(i32());
      b.begin();
      int const x = b.in(i32());
      int const cond = b.end({x}, {b.op(prim::lt, {x, b.literal(10)}, b1())});
      b.begin();
      int const y = b.in(i32());
      int const body = b.end({y}, {b.op(prim::add, {y, b.literal(1)}, i32())});
      b.end({start}, {b.while_loop(cond, body, {start}, {i32()})});
    },
    R"(  func.func public @main(%arg0: tensor<i32>) -> (tensor<i32> {jax.result_info = "result"}) {
    %0 = stablehlo.while(%iterArg = %arg0) : tensor<i32>
    cond {
      %c = stablehlo.constant dense<10> : tensor<i32>
      %1 = stablehlo.compare  LT, %iterArg, %c,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %c = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.add %iterArg, %c : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }
    return %0 : tensor<i32>
  }
)"));

// fori_loop with traced bounds, of which a batch has two: the loop runs while any row does, and finished rows keep their carry.
static_assert(lowers(
    [](builder& b) {
      b.begin();
      int const start = b.in(i32({2})), stop = b.in(i32({2})), init = b.in(f32({2, 3}));
      b.begin();
      int const i = b.in(i32({2})), n = b.in(i32({2})), x = b.in(f32({2, 3}));
      int const cond = b.end({i, n, x}, {b.op(prim::lt, {i, n}, b1({2}))});
      b.begin();
      int const j = b.in(i32({2})), m = b.in(i32({2})), y = b.in(f32({2, 3}));
      int const body = b.end({j, m, y}, {b.op(prim::add, {j, b.literal(1)}, i32({2})), m, b.op(prim::neg, {y}, f32({2, 3}))});
      b.end({start, stop, init}, {b.while_loop(cond, body, {start, stop, init}, {i32({2}), i32({2}), f32({2, 3})}) + 2});
    },
    R"(  func.func public @main(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>, %arg2: tensor<2x3xf32>) -> (tensor<2x3xf32> {jax.result_info = "result"}) {
    %0:3 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %arg1, %iterArg_1 = %arg2) : tensor<2xi32>, tensor<2xi32>, tensor<2x3xf32>
    cond {
      %1 = stablehlo.compare  LT, %iterArg, %iterArg_0,  SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
      %c = stablehlo.constant dense<false> : tensor<i1>
      %2 = stablehlo.reduce(%1 init: %c) applies stablehlo.or across dimensions = [0] : (tensor<2xi1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %c = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
      %2 = stablehlo.add %iterArg, %1 : tensor<2xi32>
      %3 = stablehlo.negate %iterArg_1 : tensor<2x3xf32>
      %4 = stablehlo.compare  LT, %iterArg, %iterArg_0,  SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
      %5 = stablehlo.select %4, %2, %iterArg : tensor<2xi1>, tensor<2xi32>
      %6 = stablehlo.select %4, %iterArg_0, %iterArg_0 : tensor<2xi1>, tensor<2xi32>
      %7 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<2xi1>) -> tensor<2x3xi1>
      %8 = stablehlo.select %7, %3, %iterArg_1 : tensor<2x3xi1>, tensor<2x3xf32>
      stablehlo.return %5, %6, %8 : tensor<2xi32>, tensor<2xi32>, tensor<2x3xf32>
    }
    return %0#2 : tensor<2x3xf32>
  }
)"));

}  // namespace
