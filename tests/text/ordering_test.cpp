// SPDX-License-Identifier: BSL-1.0
// The texts of sorts, top_k, argmax and reductions of windows: jaxprs as JAX prints them, operations as it lowers them.
#include <string_view>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr auto sorted = [](auto x) { return ex::sort(x, ex::descending); };
static_assert(ex::make_jaxpr(sorted)(ex::f32<5>) == R"({ lambda ; a:f32[5]. let
    b:f32[5] = jit[
      name=sort
      jaxpr={ lambda ; a:f32[5]. let
          c:f32[5] = sort[dimension=0 is_stable=True num_keys=1] a
          b:f32[5] = rev[dimensions=(0,)] c
        in (b,) }
    ] a
  in (b,) })");
constexpr auto pairs = [](auto k, auto v) { return ex::sort_key_val(k, v, ex::axis<0>, ex::unstable); };
static_assert(ex::make_jaxpr(pairs)(ex::f32<3, 2>, ex::i32<3, 2>) == R"({ lambda ; a:f32[3,2] b:i32[3,2]. let
    c:f32[3,2] d:i32[3,2] = sort[dimension=0 is_stable=False num_keys=1] a b
  in (c, d) })");
constexpr auto best = [](auto x) { return std::tuple(ex::top_k<2>(x), ex::argmax(x, ex::axis<0>)); };
static_assert(ex::make_jaxpr(best)(ex::f32<3, 4>) == R"({ lambda ; a:f32[3,4]. let
    b:f32[3,2] c:i32[3,2] = top_k[axis=1 is_stable=True k=2] a
    d:i32[4] = argmax[axes=(0,) index_dtype=int32] a
  in (b, c, d) })");
// Under vmap the axes move.
static_assert(ex::make_jaxpr(ex::vmap(best, ex::in_axes<1>))(ex::f32<3, 5, 4>) == R"({ lambda ; a:f32[3,5,4]. let
    b:f32[3,5,2] c:i32[3,5,2] = top_k[axis=2 is_stable=True k=2] a
    d:i32[5,4] = argmax[axes=(0,) index_dtype=int32] a
    e:f32[5,3,2] = transpose[permutation=(1, 0, 2)] b
    f:i32[5,3,2] = transpose[permutation=(1, 0, 2)] c
  in (e, f, d) })");
constexpr auto largest = [](auto a, auto b) { return ex::maximum(a, b); };
constexpr auto pooled = [](auto x) {
  return std::tuple(ex::reduce_window(x, -std::numeric_limits<float>::infinity(), largest, ex::window_dimensions<2, 2>, ex::window_strides<2, 2>, ex::padding_same),
                    ex::reduce(x, 0, [](auto a, auto b) { return a + b; }, ex::axis<0>));
};
static_assert(ex::make_jaxpr(pooled)(ex::f32<3, 4>) == R"({ lambda ; a:f32[3,4]. let
    b:f32[2,2] = reduce_window_max[
      base_dilation=(1, 1)
      padding=((0, 1), (0, 0))
      window_dilation=(1, 1)
      window_dimensions=(2, 2)
      window_strides=(2, 2)
    ] a
    c:f32[4] = reduce_sum[axes=(0,) out_sharding=None] a
  in (b, c) })");

constexpr auto order = [](auto x) { return std::get<1>(ex::lax::sort(std::tuple(x, x))); };

}  // namespace

TEST_CASE("operations of StableHLO") {
  auto const has = [](std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; };
  auto const of_sort = ex::lower(order)(ex::f32<5>).as_text("stablehlo");
  CHECK(has(of_sort, R"(%0:2 = "stablehlo.sort"(%arg0, %arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<f32>):)"));
  CHECK(has(of_sort, R"( = stablehlo.compare  LT, %4, %8,  TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>)"));
  auto const of_best = ex::lower(best)(ex::f32<3, 4>).as_text("stablehlo");
  CHECK(has(of_best, "chlo.top_k(%arg0, k = 2) : tensor<3x4xf32> -> (tensor<3x2xf32>, tensor<3x2xi32>)"));
  CHECK(has(of_best, "<{dimensions = array<i64: 0>}> ({"));
  auto const of_windows = ex::lower(pooled)(ex::f32<3, 4>).as_text("stablehlo");
  CHECK(has(of_windows, R"("stablehlo.reduce_window"(%arg0, %cst) <{padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>, )"
                        R"(window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({)"));
  auto const hlo = ex::lower(order)(ex::f32<5>).as_text("hlo");
  CHECK(has(hlo, "sort(Arg_0.1, Arg_0.1), dimensions={0}, is_stable=true, to_apply="));
}
