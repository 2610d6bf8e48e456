// SPDX-License-Identifier: BSL-1.0
// The StableHLO of each primitive, in the form of the specification and of stablehlo/tests/print_stablehlo.mlir.
#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;
using ex::f32, ex::i32;

namespace {

// Once, where as_text would make it twice: to count and to fill.
template <class F, class... Args>
constexpr ex::detail::text_buffer text_of(F f, Args const&... args) {
  ex::detail::text_buffer made;
  ex::detail::write_lowered<F, typename decltype(ex::lower(f)(args...))::program, ex::detail::dialect::stablehlo>(made);
  return made;
}
// The operations of @main, each indented by four blanks.
template <class F, class... Args>
constexpr bool lowers(F f, std::string_view expected, Args const&... args) {
  auto const made = text_of(f, args...);
  std::string_view text = made.view();
  std::size_t const from = text.find("    ");
  text = text.substr(from, text.find("    return ") - from);
  return text == expected;
}

// --- Elementwise ---
template <class F>
constexpr bool is_one(F f, std::string_view name) {
  auto const made = text_of(f, f32<3>);
  std::string_view const text = made.view();
  std::size_t const at = text.find("%0 = stablehlo.") + 15, end = text.find(" %arg0 : tensor<3xf32>", at);
  return text.substr(at, end - at) == name && text.find("%1") == std::string_view::npos;
}
static_assert(is_one([](auto x) { return -x; }, "negate"));
static_assert(is_one([](auto x) { return ex::sign(x); }, "sign"));
static_assert(is_one([](auto x) { return ex::floor(x); }, "floor"));
static_assert(is_one([](auto x) { return ex::ceil(x); }, "ceil"));
static_assert(is_one([](auto x) { return ex::abs(x); }, "abs"));
static_assert(is_one([](auto x) { return ex::exp(x); }, "exponential"));
static_assert(is_one([](auto x) { return ex::expm1(x); }, "exponential_minus_one"));
static_assert(is_one([](auto x) { return ex::log(x); }, "log"));
static_assert(is_one([](auto x) { return ex::log1p(x); }, "log_plus_one"));
static_assert(is_one([](auto x) { return ex::sqrt(x); }, "sqrt"));
static_assert(is_one([](auto x) { return ex::rsqrt(x); }, "rsqrt"));
static_assert(is_one([](auto x) { return ex::sin(x); }, "sine"));
static_assert(is_one([](auto x) { return ex::cos(x); }, "cosine"));
static_assert(is_one([](auto x) { return ex::tanh(x); }, "tanh"));
static_assert(is_one([](auto x) { return ex::logistic(x); }, "logistic"));
static_assert(is_one([](auto x) { return ex::lax::round(x); }, "round_nearest_afz"));
static_assert(lowers([](auto x) { return ex::bitcast_convert_type<std::int32_t>(x); }, "    %0 = stablehlo.bitcast_convert %arg0 : (tensor<3xf32>) -> tensor<3xi32>\n", f32<3>));
static_assert(lowers([](auto x) { return ex::reduce_precision<5, 10>(x); }, "    %0 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<3xf32>\n", f32<3>));
static_assert(lowers([](auto x) { return ex::nextafter(x, x); }, "    %0 = chlo.next_after %arg0, %arg0 : tensor<3xf32>, tensor<3xf32> -> tensor<3xf32>\n", f32<3>));
static_assert(is_one([](auto x) { return ex::tan(x); }, "tan"));
static_assert(is_one([](auto x) { return ex::cbrt(x); }, "cbrt"));
static_assert(lowers([](auto x) { return ex::atan2(x, x); }, "    %0 = stablehlo.atan2 %arg0, %arg0 : tensor<3xf32>\n", f32<3>));
static_assert(lowers([](auto x) { return ex::erf_inv(x); }, "    %0 = chlo.erf_inv %arg0 : tensor<3xf32> -> tensor<3xf32>\n", f32<3>));
static_assert(lowers([](auto x) { return ex::lgamma(x); }, "    %0 = chlo.lgamma %arg0 : tensor<3xf32> -> tensor<3xf32>\n", f32<3>));
static_assert(lowers([](auto x) { return ex::square(x); }, "    %0 = chlo.square %arg0 : tensor<3xf32> -> tensor<3xf32>\n", f32<3>));
static_assert(lowers([](auto x) { return ex::square(x); }, "    %0 = stablehlo.multiply %arg0, %arg0 : tensor<3xi32>\n", i32<3>));
static_assert(lowers([](auto x) { return ex::clz(x); }, "    %0 = stablehlo.count_leading_zeros %arg0 : tensor<3xi32>\n", i32<3>));
static_assert(lowers([](auto x) { return x >> x; }, "    %0 = stablehlo.shift_right_arithmetic %arg0, %arg0 : tensor<3xi32>\n", i32<3>));
static_assert(lowers([](auto x) { return ~x; }, "    %0 = stablehlo.not %arg0 : tensor<3xi32>\n", i32<3>));
static_assert(lowers([](auto x) { return ex::isfinite(x); }, "    %0 = stablehlo.is_finite %arg0 : (tensor<3xf32>) -> tensor<3xi1>\n", f32<3>));
static_assert(lowers([](auto x) { return ex::astype<float>(x); }, "    %0 = stablehlo.convert %arg0 : (tensor<3xi32>) -> tensor<3xf32>\n", i32<3>));
static_assert(lowers([](auto x) { return ex::astype<bool>(x); },
                     R"(    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %1 = stablehlo.compare  NE, %arg0, %0,  FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
)",
                     f32<3>));
static_assert(lowers([](auto x) { return ex::integer_pow<3>(x); },
                     "    %0 = stablehlo.multiply %arg0, %arg0 : tensor<f32>\n    %1 = stablehlo.multiply %0, %arg0 : tensor<f32>\n", f32<>));
static_assert(lowers([](auto x) { return ex::integer_pow<-5>(x); },
                     R"(    %0 = stablehlo.multiply %arg0, %arg0 : tensor<f32>
    %1 = stablehlo.multiply %0, %0 : tensor<f32>
    %2 = stablehlo.multiply %arg0, %1 : tensor<f32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.divide %cst, %2 : tensor<f32>
)",
                     f32<>));
static_assert(lowers([](auto x, auto y) { return ex::pow(x - y, x + y); },
                     R"(    %0 = stablehlo.subtract %arg0, %arg1 : tensor<f32>
    %1 = stablehlo.add %arg0, %arg1 : tensor<f32>
    %2 = stablehlo.power %0, %1 : tensor<f32>
)",
                     f32<>, f32<>));
static_assert(lowers([](auto x, auto y) { return ex::tuple(x * y, x / y, ex::maximum(x, y), ex::minimum(x, y)); },
                     R"(    %0 = stablehlo.multiply %arg0, %arg1 : tensor<f32>
    %1 = stablehlo.divide %arg0, %arg1 : tensor<f32>
    %2 = stablehlo.maximum %arg0, %arg1 : tensor<f32>
    %3 = stablehlo.minimum %arg0, %arg1 : tensor<f32>
)",
                     f32<>, f32<>));
static_assert(lowers([](auto x, auto y) { return ex::tuple(x & y, x | y, x ^ y); },
                     R"(    %0 = stablehlo.and %arg0, %arg1 : tensor<2xi1>
    %1 = stablehlo.or %arg0, %arg1 : tensor<2xi1>
    %2 = stablehlo.xor %arg0, %arg1 : tensor<2xi1>
)",
                     ex::b1<2>, ex::b1<2>));
static_assert(lowers([](auto x, auto y) { return ex::tuple(x == y, x != y, x < y, x <= y, x > y, x >= y); },
                     R"(    %0 = stablehlo.compare  EQ, %arg0, %arg1,  UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    %1 = stablehlo.compare  NE, %arg0, %arg1,  UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    %2 = stablehlo.compare  LT, %arg0, %arg1,  UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    %3 = stablehlo.compare  LE, %arg0, %arg1,  UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    %4 = stablehlo.compare  GT, %arg0, %arg1,  UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    %5 = stablehlo.compare  GE, %arg0, %arg1,  UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
)",
                     ex::u8<>, ex::u8<>));
static_assert(lowers([](auto x) { return ex::detail::bind<decltype(x)>(ex::prim::rem, {}, x, x); },
                     "    %0 = stablehlo.remainder %arg0, %arg0 : tensor<3xf32>\n", f32<3>));
static_assert(lowers([](auto low, auto x, auto high) { return ex::detail::bind<decltype(x)>(ex::prim::clamp, {}, low, x, high); },
                     R"(    %0 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %2 = stablehlo.clamp %0, %arg1, %1 : tensor<3xf32>
)",
                     f32<>, f32<3>, f32<>));
static_assert(lowers([](auto c, auto x, auto y) { return ex::detail::bind<decltype(x)>(ex::prim::select_n, {}, c, x, y); },
                     "    %0 = stablehlo.select %arg0, %arg2, %arg1 : tensor<3xi1>, tensor<3xf32>\n", ex::b1<3>, f32<3>, f32<3>));
// Axes of 1 are broadcast, too.
static_assert(lowers([](auto x, auto y) { return x + y; },
                     R"(    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x3xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<2x3xf32>
    %2 = stablehlo.add %0, %1 : tensor<2x3xf32>
)",
                     f32<2, 1>, f32<1, 3>));

// --- Movement ---
static_assert(lowers([](auto x) { return ex::broadcast_to<4, 5>(x); },
                     "    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<5xf32>) -> tensor<4x5xf32>\n", f32<5>));
static_assert(lowers([](auto x) { return ex::reshape<7, 3>(x); }, "    %0 = stablehlo.reshape %arg0 : (tensor<3x7xf32>) -> tensor<7x3xf32>\n", f32<3, 7>));
static_assert(lowers([](auto x) { return ex::squeeze(x); }, "    %0 = stablehlo.reshape %arg0 : (tensor<1x5xf32>) -> tensor<5xf32>\n", f32<1, 5>));
static_assert(lowers([](auto x) { return ex::transpose(x); },
                     "    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<3x7xf32>) -> tensor<7x3xf32>\n", f32<3, 7>));
static_assert(lowers([](auto x, auto y) { return ex::concatenate(std::tuple(x, y), ex::axis<1>); },
                     "    %0 = stablehlo.concatenate %arg0, %arg1, dim = 1 : (tensor<3x2xf32>, tensor<3x1xf32>) -> tensor<3x3xf32>\n", f32<3, 2>, f32<3, 1>));
static_assert(lowers([](auto x) { return x(ex::slice<1, ex::none, 2>); }, "    %0 = stablehlo.slice %arg0 [1:7:2] : (tensor<7xf32>) -> tensor<3xf32>\n",
                     f32<7>));
static_assert(lowers([](auto x) { return ex::detail::bind<decltype(x)>(ex::prim::rev, {0, 1}, x); },
                     "    %0 = stablehlo.reverse %arg0, dims = [0, 1] : tensor<3x7xf32>\n", f32<3, 7>));
static_assert(lowers([](auto x) { return x + ex::arange<5>(); },
                     "    %0 = stablehlo.iota dim = 0 : tensor<5xi32>\n    %1 = stablehlo.add %arg0, %0 : tensor<5xi32>\n", i32<5>));
constexpr auto pad = [](auto x, auto value) {
  return ex::detail::bind<ex::expr<float, 2, 10>>(ex::prim::pad, {0, 1, 0, -2, 0, 1}, x, value);
};
static_assert(lowers(pad, "    %0 = stablehlo.pad %arg0, %arg1, low = [0, 1], high = [0, -2], interior = [0, 1] : (tensor<2x6xf32>, tensor<f32>) -> tensor<2x10xf32>\n",
                     f32<2, 6>, f32<>));

// --- Indices that are known at run time, updates ---
static_assert(lowers([](auto x, auto i) { return ex::detail::bind<ex::expr<float, 1, 2>>(ex::prim::dynamic_slice, {1, 2}, x, i, i); },
                     "    %0 = stablehlo.dynamic_slice %arg0, %arg1, %arg1, sizes = [1, 2] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>\n",
                     f32<3, 4>, i32<>));
static_assert(lowers([](auto x, auto y, auto i) { return ex::detail::bind<decltype(x)>(ex::prim::dynamic_update_slice, {}, x, y, i); },
                     "    %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2 : (tensor<7xf32>, tensor<3xf32>, tensor<i32>) -> tensor<7xf32>\n", f32<7>,
                     f32<3>, i32<>));
// Windows at batched starts: StableHLO's gather clamps.
static_assert(lowers([](auto x, auto i) { return ex::detail::bind<ex::expr<float, 4, 3>>(ex::prim::gather, {0, 0, 0, 1, 1, 1, 3, 1, 1, 0, 1, 1, 1, 0, 1, 0}, x, i); },
                     R"(    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 3>}> : (tensor<4x7xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
)",
                     f32<4, 7>, i32<4, 1>));
// A box without steps is one window; elements with a step have an index vector each.
static_assert(lowers([](auto x, auto y) { return ex::detail::bind<decltype(x)>(ex::prim::update_slice_add, {1, 1}, x, y); },
                     R"(    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = "stablehlo.scatter"(%arg0, %c, %arg1) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<7xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<7xf32>
)",
                     f32<7>, f32<3>));
static_assert(lowers([](auto x, auto y) { return ex::detail::bind<decltype(x)>(ex::prim::update_slice, {1, 2}, x, y); },
                     R"(    %c = stablehlo.constant dense<[[1], [3], [5]]> : tensor<3x1xi32>
    %0 = "stablehlo.scatter"(%arg0, %c, %arg1) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<7xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<7xf32>
)",
                     f32<7>, f32<3>));

// --- Reductions and contractions ---
template <class F>
constexpr bool reduces(F f, std::string_view start, std::string_view name) {
  auto const made = text_of(f, f32<2, 3>);
  std::string_view const text = made.view();
  return text.find(start) != std::string_view::npos && text.find(name) != std::string_view::npos &&
         text.find(" across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>\n") != std::string_view::npos;
}
static_assert(reduces([](auto x) { return ex::sum(x, ex::axis<1>); }, "dense<0.000000e+00>", "stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add"));
static_assert(reduces([](auto x) { return ex::prod(x, ex::axis<1>); }, "dense<1.000000e+00>", "applies stablehlo.multiply"));
static_assert(reduces([](auto x) { return ex::max(x, ex::axis<1>); }, "dense<0xFF800000>", "applies stablehlo.maximum"));
static_assert(reduces([](auto x) { return ex::min(x, ex::axis<1>); }, "dense<0x7F800000>", "applies stablehlo.minimum"));
static_assert(lowers([](auto x) { return ex::all(x); },
                     R"(    %c = stablehlo.constant dense<true> : tensor<i1>
    %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.and across dimensions = [0] : (tensor<5xi1>, tensor<i1>) -> tensor<i1>
)",
                     ex::b1<5>));
static_assert(lowers([](auto x) { return ex::any(x); },
                     R"(    %c = stablehlo.constant dense<false> : tensor<i1>
    %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.or across dimensions = [0] : (tensor<5xi1>, tensor<i1>) -> tensor<i1>
)",
                     ex::b1<5>));
static_assert(lowers([](auto x, auto y) { return ex::matmul(x, y); },
                     "    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x5xf32>, "
                     "tensor<5x2xf32>) -> tensor<3x2xf32>\n",
                     f32<3, 5>, f32<5, 2>));
static_assert(lowers(ex::vmap([](auto x, auto y) { return ex::dot(x, y); }),
                     "    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : "
                     "(tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4xf32>\n",
                     f32<4, 5>, f32<4, 5>));
constexpr auto convolution = [](auto x, auto w) {
  return ex::detail::bind<ex::expr<float, 2, 4, 5, 3>>(
      ex::prim::conv_general_dilated, {2, 2, 1, 1, 0, 1, 2, 1, 1, 1, 1, 1, 1, static_cast<int>(ex::dtype::f32)}, x, w);
};
static_assert(lowers(convolution,
                     "    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 1], pad = [[1, 1], "
                     "[0, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, "
                     "precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x10x3xf32>, tensor<4x3x3x3xf32>) -> "
                     "tensor<2x4x5x3xf32>\n",
                     f32<2, 3, 10, 3>, f32<4, 3, 3, 3>));
static_assert(lowers([](auto x) { return ex::detail::bind<decltype(x)>(ex::prim::cummax, {0, 1}, x); },
                     R"(    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{padding = dense<[[0, 4]]> : tensor<1x2xi64>, window_dimensions = array<i64: 5>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
)",
                     f32<5>));

// --- Effects, where they stand ---
constexpr auto printing = [](auto xs) {
  auto const step = [](auto sum, auto x) {
    ex::debug_print("sum \"{}\", x {}\n", sum, x);
    return ex::tuple(sum + x, sum);
  };
  return ex::scan(step, 0.0f, xs);
};
static_assert(text_of(printing, f32<3>).view().find(
                  R"(      stablehlo.custom_call @debug_print(%iterArg_2, %3) {backend_config = "sum \22{}\22, x {}\0A", has_side_effect = true} : (tensor<f32>, tensor<f32>) -> ()
)") != std::string_view::npos);

// --- Constants ---
template <class F>
constexpr bool has_constant(F f, std::string_view dense) {
  return text_of(f, f32<>).view().find(dense) != std::string_view::npos;
}
static_assert(has_constant([](auto x) { return x + 0.1f; }, "dense<1.000000e-01> : tensor<f32>"));
static_assert(has_constant([](auto x) { return x + 0.0204081628f; }, "dense<0.0204081628> : tensor<f32>"));
static_assert(has_constant([](auto x) { return x + 3.14159265f; }, "dense<3.14159274> : tensor<f32>"));
static_assert(has_constant([](auto x) { return x + 1e-7f; }, "dense<1.000000e-07> : tensor<f32>"));
static_assert(has_constant([](auto x) { return x + 1.2345678e-7f; }, "dense<1.23456786E-7> : tensor<f32>"));
static_assert(has_constant([](auto x) { return x + 16777217.0f; }, "dense<0x4B800000> : tensor<f32>"));
static_assert(has_constant([](auto x) { return x - 1e10f; }, "dense<1.000000e+10> : tensor<f32>"));
static_assert(has_constant([](auto x) { return x * -2.5f; }, "dense<-2.500000e+00> : tensor<f32>"));

// --- Results: where each stands in the tree ---
constexpr auto tree = [](auto x) { return ex::tuple(x, ex::tuple(x, x)); };
constexpr std::string_view paths = ex::lower(tree)(f32<>).as_text().str();
static_assert(paths.find("(tensor<f32> {jax.result_info = \"result[0]\"}, tensor<f32> {jax.result_info = \"result[1][0]\"}, tensor<f32> "
                         "{jax.result_info = \"result[1][1]\"})") != std::string_view::npos);

}  // namespace
