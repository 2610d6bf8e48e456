// SPDX-License-Identifier: BSL-1.0
// StableHLO of small functions, letter by letter: what jax.jit(f).lower(...).as_text() prints.
#include <string>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

// The module of one function, without its first and last line.
constexpr std::string_view inside(std::string_view module) {
  std::size_t const from = module.find('\n') + 1;
  return module.substr(from, module.size() - from - 2);
}
// JAX's documentation of ahead-of-time lowering.
constexpr auto f = [](auto x, auto y) { return 2 * x + y; };
static_assert(ex::lower<f>()(3, 4).as_text() == R"(module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<i32>) -> (tensor<i32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<2> : tensor<i32>
    %0 = stablehlo.multiply %c, %arg0 : tensor<i32>
    %1 = stablehlo.add %0, %arg1 : tensor<i32>
    return %1 : tensor<i32>
  }
}
)");
static_assert(ex::lower<f>()(3, 4).as_text("stablehlo") == ex::lower(ex::jit<f>())(3, 4).as_text());
static_assert(ex::lower(f)(3, 4).as_text().str().substr(0, 26) == "module @jit__lambda_ attri");

// scan: rows are read and written by dynamic slices.
constexpr auto g = [](auto xs) { return ex::scan([](auto c, auto x) { return ex::tuple(c + x, x * 2); }, 0, xs, ex::reverse); };
static_assert(inside(ex::lower(g)(ex::i32<4>).as_text().str()) ==
              R"(  func.func public @main(%arg0: tensor<4xi32>) -> (tensor<i32> {jax.result_info = "result[0]"}, tensor<4xi32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1:4 = stablehlo.while(%iterArg = %arg0, %iterArg_2 = %c_1, %iterArg_3 = %c, %iterArg_4 = %0) : tensor<4xi32>, tensor<i32>, tensor<i32>, tensor<4xi32>
    cond {
      %c_5 = stablehlo.constant dense<4> : tensor<i32>
      %2 = stablehlo.compare  LT, %iterArg_2, %c_5,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %c_5 = stablehlo.constant dense<4> : tensor<i32>
      %2 = stablehlo.subtract %c_5, %iterArg_2 : tensor<i32>
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %3 = stablehlo.subtract %2, %c_6 : tensor<i32>
      %4 = stablehlo.dynamic_slice %iterArg, %3, sizes = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
      %5 = stablehlo.reshape %4 : (tensor<1xi32>) -> tensor<i32>
      %6 = stablehlo.add %iterArg_3, %5 : tensor<i32>
      %c_7 = stablehlo.constant dense<2> : tensor<i32>
      %7 = stablehlo.multiply %5, %c_7 : tensor<i32>
      %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<i32>) -> tensor<1xi32>
      %9 = stablehlo.dynamic_update_slice %iterArg_4, %8, %3 : (tensor<4xi32>, tensor<1xi32>, tensor<i32>) -> tensor<4xi32>
      %c_8 = stablehlo.constant dense<1> : tensor<i32>
      %10 = stablehlo.add %iterArg_2, %c_8 : tensor<i32>
      stablehlo.return %iterArg, %10, %6, %9 : tensor<4xi32>, tensor<i32>, tensor<i32>, tensor<4xi32>
    }
    return %1#2, %1#3 : tensor<i32>, tensor<4xi32>
  }
)");

// jit: a private function, once for equal calls; another of the same name gets a number.
constexpr auto twice = [](auto x) { return x + x; };
constexpr auto calls = [](auto x) { return ex::jit<twice>(x) * ex::jit<twice>(x) + ex::sum(ex::jit<twice>(ex::stack(std::array{x, x}))); };
static_assert(inside(ex::lower(calls)(ex::f32<>).as_text().str()) ==
              R"(  func.func public @main(%arg0: tensor<f32>) -> (tensor<f32> {jax.result_info = "result"}) {
    %0 = call @twice(%arg0) : (tensor<f32>) -> tensor<f32>
    %1 = call @twice(%arg0) : (tensor<f32>) -> tensor<f32>
    %2 = stablehlo.multiply %0, %1 : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %4 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %5 = stablehlo.concatenate %3, %4, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %6 = call @twice_0(%5) : (tensor<2xf32>) -> tensor<2xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    %8 = stablehlo.add %2, %7 : tensor<f32>
    return %8 : tensor<f32>
  }
  func.func private @twice(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
  func.func private @twice_0(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
)");

}  // namespace

TEST_CASE("lowered text prints") {
  std::string text;
  struct sink {
    std::string& to;
    void write(char const* s, std::streamsize n) { to.append(s, static_cast<std::size_t>(n)); }
  } out{text};
  out << ex::lower(f)(3, 4).as_text("hlo");
  CHECK(text == ex::lower(f)(3, 4).as_text("hlo").str());
}
