// SPDX-License-Identifier: BSL-1.0
// Products that are stored as the transpose has them that is their only use, and small products of a batch with one matrix.
#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

#include <plan/plans_agree.hpp>

namespace ex = exprax;
using plan_test::agrees;
template <int... D>
using f32 = ex::expr<float, D...>;
template <int... D>
using f64 = ex::expr<double, D...>;
template <int... D>
using i32 = ex::expr<int, D...>;

namespace {

template <class... Args, class F>
constexpr ex::plan_sizes sizes_of(F) {
  return ex::planned<ex::detail::compiled<ex::detail::traced<F, Args...>>>::sizes;
}
template <class... Args, class F>
constexpr bool is_one_kernel(F f) {
  return sizes_of<Args...>(f).kernels == 1 && sizes_of<Args...>(f).scratch == 0;
}

// [batch, i, j] from [i, k] and [batch, k, j]: dot_general has i first.
constexpr auto of_batch = [](auto m, auto x) { return ex::matmul(m, x); };
constexpr auto on_both_sides = [](auto m, auto x) { return ex::matmul(ex::matmul(m, x), m.T()); };
constexpr auto rows_first = [](auto m, auto x) { return ex::swapaxes<0, 1>(ex::einsum<"ik,bkj->ibj">(m, x)); };
// The columns are neighbours in x, and stay one axis in the kernel.
constexpr auto of_neighbours = [](auto m, auto x) { return ex::einsum<"ik,kbj->bij">(m, x); };
constexpr auto last_moves = [](auto m, auto x) { return ex::einsum<"ik,bkj->jbi">(m, x); };
// The product itself is a result too.
constexpr auto both = [](auto m, auto x) {
  auto const y = ex::einsum<"ik,bkj->ibj">(m, x);
  return ex::tuple(y, ex::swapaxes<0, 1>(y));
};
constexpr auto updated = [](auto m, auto x) { return ex::matmul(m, x).at(2).set(m).at(0, 1).add(1); };
constexpr auto in_turn = [](auto m, auto x) { return ex::fori_loop(0, 3, [m](auto, auto v) { return ex::matmul(m, v); }, x); };

static_assert(is_one_kernel<f32<4, 4>, f32<40, 4, 4>>(of_batch));
static_assert(is_one_kernel<f32<30, 20>, f32<10, 20, 17>>(of_batch));
static_assert(is_one_kernel<f32<6, 5>, f32<7, 5, 9>>(rows_first));
static_assert(!is_one_kernel<f32<6, 5>, f32<5, 7, 9>>(of_neighbours));
static_assert(sizes_of<f32<4, 4>, f32<40, 4, 4>>(on_both_sides).kernels == 2);

}  // namespace

TEST_CASE("one matrix times each of a batch") {
  CHECK(agrees<f32<4, 4>, f32<9, 4, 4>>(of_batch));
  CHECK(agrees<f64<4, 4>, f64<5, 4, 4>>(of_batch));
  CHECK(agrees<f32<3, 3>, f32<11, 3, 3>>(of_batch));
  CHECK(agrees<f32<8, 4>, f32<3, 4, 8>>(of_batch));
  CHECK(agrees<i32<4, 4>, i32<6, 4, 4>>(of_batch));
}
TEST_CASE("a product that is stored as its transpose") {
  CHECK(agrees<f32<4, 4>, f32<9, 4, 4>>(on_both_sides));
  CHECK(agrees<f32<6, 5>, f32<7, 5, 9>>(rows_first));
  CHECK(agrees<f32<6, 5>, f32<5, 7, 9>>(of_neighbours));
  CHECK(agrees<f32<6, 5>, f32<7, 5, 9>>(last_moves));
  CHECK(agrees<f32<6, 5>, f32<7, 5, 9>>(both));
  CHECK(agrees<f32<4, 4>, f32<7, 4, 4>>(updated));
  CHECK(agrees<f32<4, 4>, f32<7, 4, 4>>(in_turn));
}
