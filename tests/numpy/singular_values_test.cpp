// SPDX-License-Identifier: BSL-1.0
// Singular values and what is made of them; norms; powers and exponentials of matrices.
#include <cmath>
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;
namespace la = ex::linalg;

namespace {

constexpr ex::array<float, 2, 2> a{1, 2, 3, 4};
static_assert(la::norm(a, la::ord<1>) == ex::array<float>(6));
static_assert(la::norm(a, la::inf) == ex::array<float>(7));
static_assert(la::norm(a, la::minus_inf) == ex::array<float>(3));
static_assert(la::matrix_norm(a, la::ord<-1>) == ex::array<float>(4));
static_assert(la::norm(ex::array<float, 2>{3, 4}) == ex::array<float>(5));
static_assert(la::norm(a, la::inf, ex::axis<1>) == ex::array<float, 2>{2, 4});
static_assert(la::norm(a, la::ord<0>, ex::axis<0>, ex::keepdims) == ex::array<float, 1, 2>{2, 2});
static_assert(la::vector_norm(ex::array<int, 2, 2>{1, 1, 1, 1}) == ex::array<float>(2));
static_assert(la::matrix_power<5>(ex::array<float, 2, 2>{1, 1, 1, 0}) == ex::array<float, 2, 2>{8, 5, 5, 3});
static_assert(la::matrix_power<0>(a) == ex::array<float, 2, 2>{1, 0, 0, 1});
static_assert(la::matrix_power<-2>(ex::array<float, 2, 2>{1, 1, 1, 0}) == ex::array<float, 2, 2>{1, -1, -1, 2});
static_assert(la::multi_dot(ex::array<float, 2>{1, 1}, a, a, ex::array<float, 2>{1, 0}) == ex::array<float>(22));

// 1, 2, 3 is in all rows of the first two.
constexpr ex::array<double, 3, 3> of_rank_2{{1, 2, 3}, {2, 4, 6}, {1, 0, 1}};
constexpr auto parts = [](auto m) {
  auto [u, s, v] = la::svd(m);
  auto inverse = la::pinv(m);
  return ex::tuple(ex::max(ex::abs(ex::matmul(u * s, v) - m)), ex::max(ex::abs(ex::matmul(ex::transpose(u), u) - ex::eye<double, 3>())),
                   ex::max(ex::abs(ex::matmul(v, ex::transpose(v)) - ex::eye<double, 3>())), ex::max(ex::abs(ex::matmul(ex::matmul(m, inverse), m) - m)), s,
                   la::matrix_rank(m));
};
constexpr auto values_and_norms = [](auto m) {
  return ex::tuple(la::svdvals(m), la::norm(m, la::nuc), la::norm(m, la::ord<2>), la::pinv(m, 0.9f), la::matrix_rank(m, 3.5f),
                   ex::get<0>(la::lstsq(m, ex::ones<float, 2>(), 0.9f)), la::matrix_rank(m(0, ex::all)));
};

}  // namespace

TEST_CASE("singular values, with one that is 0") {
  auto const r = ex::jit(parts)(of_rank_2);
  CHECK(std::get<0>(r)() < 1e-14);
  CHECK(std::get<1>(r)() < 1e-14);
  CHECK(std::get<2>(r)() < 1e-14);
  CHECK(std::get<3>(r)() < 1e-14);
  // The squares are the eigenvalues of m m^T: 36 + sqrt(36^2 - 60) and 36 - sqrt(36^2 - 60).
  CHECK(std::abs(std::get<4>(r)(0) - std::sqrt(36 + std::sqrt(1236.0))) < 1e-13);
  CHECK(std::abs(std::get<4>(r)(1) - std::sqrt(36 - std::sqrt(1236.0))) < 1e-13);
  CHECK(std::get<4>(r)(2) < 1e-14);
  CHECK(std::get<5>(r)() == 2);
}
TEST_CASE("a wide matrix, and norms of singular values") {
  // (3, 0, 0), (0, 0, 4).
  auto const r = ex::jit(values_and_norms)(ex::array<float, 2, 3>{{3, 0, 0}, {0, 0, 4}});
  CHECK(std::get<0>(r) == ex::array<float, 2>{4, 3});
  CHECK(std::get<1>(r)() == 7);
  CHECK(std::get<2>(r)() == 4);
  // Of the larger singular value alone.
  CHECK(std::get<3>(r) == ex::array<float, 3, 2>{0, 0, 0, 0, 0, 0.25f});
  CHECK(std::get<4>(r)() == 1);
  CHECK(std::get<5>(r) == ex::array<float, 3>{0, 0, 0.25f});
  CHECK(std::get<6>(r)() == 1);
}
TEST_CASE("the exponential of a rotation") {
  auto const r = ex::jit([](auto m) { return la::expm(m); })(ex::array<float, 2, 2>{0, 20, -20, 0});
  CHECK(std::abs(r(0, 0) - std::cos(20.0)) < 2e-5);
  CHECK(std::abs(r(0, 1) - std::sin(20.0)) < 2e-5);
}
TEST_CASE("least squares: a line through four points") {
  auto const r = ex::jit([](auto x, auto y) { return la::lstsq(x, y); })(ex::array<double, 4, 2>{{0, 1}, {1, 1}, {2, 1}, {3, 1}}, ex::array<double, 4>{-1, 0.2, 0.9, 2.1});
  CHECK(std::abs(std::get<0>(r)(0) - 1) < 1e-13);
  CHECK(std::abs(std::get<0>(r)(1) + 0.95) < 1e-13);
  CHECK(std::abs(std::get<1>(r)(0) - 0.05) < 1e-13);
  CHECK(std::get<2>(r)() == 2);
}
