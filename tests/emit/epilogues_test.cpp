// SPDX-License-Identifier: BSL-1.0
// Products whose results go through a loop in registers (plan/rows/epilogues.hpp): against the reference interpreter, in place, and which
// loops are part of a product.
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

#include <plan/plans_agree.hpp>

namespace ex = exprax;

namespace {

template <int... Dims>
using f32 = ex::expr<float, Dims...>;
template <int... Dims>
using f64 = ex::expr<double, Dims...>;
template <int... Dims>
using i32 = ex::expr<std::int32_t, Dims...>;
template <int... Dims>
using b1 = ex::expr<bool, Dims...>;

using emit_test::differences_of;
using plan_test::plan_for;

constexpr auto layer = [](auto x, auto w, auto b) { return ex::nn::relu(ex::dot(x, w) + b); };
constexpr auto layer_of_columns = [](auto w, auto x, auto b) { return ex::nn::relu(ex::dot(w, x) + b(ex::ellipsis, ex::newaxis)); };
constexpr auto accumulated = [](auto c, auto a, auto b) { return 0.5f * c + 2.0f * ex::dot(a, b); };
constexpr auto chosen = [](auto x, auto w, auto m) { return ex::where(m, ex::dot(x, w), -1.0f); };
constexpr auto lower_half = [](auto x, auto w) { return ex::tril(ex::dot(x, w)); };
constexpr auto rounded = [](auto x, auto w) { return ex::clip(ex::dot(x, w), -100, 100).template astype<std::int8_t>(); };
constexpr auto sign_and_size = [](auto x, auto w) {
  auto const y = ex::dot(x, w);
  return std::tuple{y > 0, ex::abs(y)};
};
constexpr auto by_group = [](auto x, auto w, auto b) { return ex::dot(x, w) + b; };
constexpr auto by_each_matrix = [](auto x, auto w, auto s) { return ex::matmul(x, w) * s; };
constexpr auto convolved = [](auto x, auto w, auto b) {
  return ex::nn::relu(ex::lax::conv(x, w, ex::window_strides<1, 1>, ex::padding_same) + b);
};
constexpr auto sigmoid = [](auto x, auto w) { return ex::nn::sigmoid(ex::dot(x, w)); };
constexpr auto both = [](auto x, auto w) {
  auto const y = ex::dot(x, w);
  return std::tuple{y, y + 1.0f};
};
constexpr auto transposed = [](auto x, auto w) { return ex::transpose(ex::dot(x, w)) + 1.0f; };

// ---- What is part of a product

template <class... Args, class F>
constexpr bool is_one_kernel(F f, int register_bytes = 64) {
  ex::target machine = ex::this_target;
  machine.register_bytes = register_bytes;
  machine.registers = register_bytes == 64 ? 32 : 16;
  ex::plan const p = plan_for<Args...>(f, machine);
  return p.main.count == 1 && p.contracts.size() == 1 && p.contracts[0].has_epilogue() && p.scratch == 0;
}
static_assert(is_one_kernel<f32<64, 32>, f32<32, 48>, f32<48>>(layer) && is_one_kernel<f32<64, 32>, f32<32, 50>, f32<50>>(layer, 32));
static_assert(is_one_kernel<f32<64, 32>, f32<32, 48>, f32<48>>(layer, 0));
static_assert(is_one_kernel<f32<40, 32>, f32<32, 48>, f32<40>>(layer_of_columns));
static_assert(is_one_kernel<f32<64, 32>, f32<32, 48>, b1<64, 48>>(chosen) && is_one_kernel<f32<40, 32>, f32<32, 48>>(lower_half));
static_assert(is_one_kernel<f32<64, 32>, f32<32, 48>>(sign_and_size) && is_one_kernel<f32<64, 32>, f32<32, 48>>(rounded));
static_assert(is_one_kernel<f32<3, 20, 24>, f32<3, 24, 32>, f32<>>(by_each_matrix));
static_assert(is_one_kernel<f32<20, 2, 24>, f32<24, 16>, f32<20, 1, 1>>(by_group));
// An argument that the result may overwrite still may, where no pack of results overlaps another.
static_assert(is_one_kernel<f32<40, 48>, f32<40, 32>, f32<32, 48>>(accumulated));
static_assert(!is_one_kernel<f32<40, 50>, f32<40, 32>, f32<32, 50>>(accumulated));
// Functions would be repeated for each pack of a tile; what else reads the product needs it in memory; columns would be stored apart.
static_assert(!is_one_kernel<f32<64, 32>, f32<32, 48>>(sigmoid));
static_assert(!is_one_kernel<f32<64, 32>, f32<32, 48>>(both));
static_assert(!is_one_kernel<f32<64, 32>, f32<32, 48>>(transposed));

// ---- At compile time

constexpr bool is_right_at_compile_time() {
  ex::array<float, 3, 2> const x{{1, 2}, {-3, 1}, {0, 4}};
  ex::array<float, 2, 4> const w{{1, 0, -1, 2}, {0, 1, 1, -2}};
  ex::array<float, 4> const b{1, -2, 0, 1};
  ex::array<float, 3, 4> const expected{{2, 0, 1, 0}, {0, 0, 4, 0}, {1, 2, 4, 0}};
  return ex::jit(layer)(x, w, b) == expected;
}
static_assert(is_right_at_compile_time());

}  // namespace

TEST_CASE("loops over products, at all widths of rows and targets") {
  CHECK(plan_test::agrees<f32<9, 5>, f32<5, 7>, f32<7>>(layer));
  CHECK(plan_test::agrees<f32<6, 3>, f32<3, 4>, f32<6>>(layer_of_columns));
  CHECK(plan_test::agrees<f32<6, 4>, f32<6, 3>, f32<3, 4>>(accumulated));
  CHECK(plan_test::agrees<i32<7, 9>, i32<9, 12>>(rounded));
  CHECK(differences_of<f32<20, 16>, f32<16, 16>, f32<16>>(layer) == 0);
  CHECK(differences_of<f32<33, 20>, f32<20, 77>, f32<77>>(layer) == 0);
  CHECK(differences_of<f32<70, 40>, f32<40, 130>, f32<130>>(layer) == 0);
  CHECK(differences_of<f64<19, 12>, f64<12, 21>, f64<21>>(layer) == 0);
  CHECK(differences_of<f32<21, 30>, f32<30, 50>, f32<21>>(layer_of_columns) == 0);
  CHECK(differences_of<f32<20, 48>, f32<20, 32>, f32<32, 48>>(accumulated) == 0);
  CHECK(differences_of<f32<20, 32>, f32<32, 45>, b1<20, 45>>(chosen) == 0);
  CHECK(differences_of<f32<37, 18>, f32<18, 41>>(lower_half) == 0);
  CHECK(differences_of<i32<37, 18>, i32<18, 41>>(rounded) == 0);
  CHECK(differences_of<f32<37, 18>, f32<18, 41>>(sign_and_size) == 0);
  CHECK(differences_of<f32<5, 13, 9>, f32<5, 9, 22>, f32<>>(by_each_matrix) == 0);
  CHECK(differences_of<f32<20, 2, 24>, f32<24, 16>, f32<20, 1, 1>>(by_group) == 0);
  CHECK(differences_of<f32<4, 7, 10>, f32<10, 24>, f32<7, 24>>(by_group) == 0);
  CHECK(differences_of<f32<4, 3, 5, 10>, f32<10, 24>, f32<3, 1, 24>>(by_group) == 0);
}
TEST_CASE("loops over products in panels") {
  CHECK(differences_of<f32<40, 300>, f32<300, 300>, f32<300>>(layer) == 0);
  CHECK(differences_of<f32<33, 510>, f32<510, 275>, f32<275>>(layer) == 0);
}
TEST_CASE("plans name the loop") {
  constexpr auto text = ex::lower<layer>()(ex::f32<64, 32>, ex::f32<32, 48>, ex::f32<48>).as_text("plan");
  CHECK(text.str().find("columns [48] sum [32], then ") != std::string_view::npos);
}
TEST_CASE("loops over convolutions") { CHECK(differences_of<f32<2, 3, 9, 20>, f32<4, 3, 3, 3>, f32<4, 1, 1>>(convolved) == 0); }
TEST_CASE("results that overwrite arguments") {
  auto x = ex::array<float, 48, 48>::full(0);
  auto w = x, c = x;
  int k = 0;
  for (float& e : x) e = static_cast<float>((k * 7 + k / 9) % 13 - 6), ++k;
  for (float& e : w) e = static_cast<float>((k * 5 + k / 7) % 11 - 5), ++k;
  for (float& e : c) e = static_cast<float>((k * 3 + k / 5) % 17 - 8), ++k;
  auto const b = ex::array<float, 48>::full(0.5f);
  auto const expected = ex::jit(layer)(x, w, b);
  auto const sum = ex::jit(accumulated)(c, x, w);
  ex::jit(accumulated).into(c, c, x, w);
  CHECK(c == sum);
  auto of_w = w, of_x = x;
  ex::jit(layer).into(of_w, x, of_w, b);
  ex::jit(layer).into(of_x, of_x, w, b);
  CHECK(of_w == expected);
  CHECK(of_x == expected);
  CHECK(ex::jit(accumulated)(std::move(of_x), x, w) == ex::jit(accumulated)(expected, x, w));
}
