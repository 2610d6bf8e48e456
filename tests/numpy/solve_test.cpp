// SPDX-License-Identifier: BSL-1.0
// LU factors, systems, inverses, determinants: values by hand, residuals, matrices in lanes.
#include <cmath>
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

using i32 = std::int32_t;

// Each column needs an exchange.
constexpr ex::array<float, 3, 3> a{{0, 2, 1}, {1, 1, 0}, {2, 0, 3}};
constexpr auto factors = ex::lax::lu(a);
static_assert(std::get<0>(factors) == ex::array<float, 3, 3>{{2, 0, 3}, {0, 2, 1}, {0.5f, 0.5f, -2}});
static_assert(std::get<1>(factors) == ex::array<i32, 3>{2, 2, 2});
static_assert(std::get<2>(factors) == ex::array<i32, 3>{2, 0, 1});
static_assert(ex::linalg::det(a) == ex::array<float>(-8));
static_assert(ex::linalg::solve(a, ex::array<float, 3>{7, 3, 11}) == ex::array<float, 3>{1, 2, 3});
static_assert(ex::linalg::inv(ex::array<int, 2, 2>{2, 1, 1, 1}) == ex::array<float, 2, 2>{1, -1, -1, 2});
// Matrices that are not square; a column of zeros.
static_assert(std::get<0>(ex::lax::lu(ex::array<float, 3, 2>{1, 2, 4, 4, 2, 5})) == ex::array<float, 3, 2>{4, 4, 0.5f, 3, 0.25f, 1 / 3.0f});
static_assert(std::get<0>(ex::lax::lu(ex::array<float, 2, 3>{1, 2, 3, 2, 2, 2})) == ex::array<float, 2, 3>{2, 2, 2, 0.5f, 1, 2});
static_assert(std::get<0>(ex::lax::lu(ex::array<float, 2, 2>{0, 1, 0, 2})) == ex::array<float, 2, 2>{0, 1, 0, 2});
static_assert(std::get<2>(ex::linalg::lu(a)) == ex::array<float, 3, 3>{{2, 0, 3}, {0, 2, 1}, {0, 0, -2}});
// Determinants: 0, of nothing, larger ones.
static_assert(std::get<0>(ex::linalg::slogdet(ex::array<float, 2, 2>{1, 2, 2, 4})) == ex::array<float>(0));
static_assert(std::get<1>(ex::linalg::slogdet(ex::array<float, 2, 2>{1, 2, 2, 4})) == ex::array<float>(-std::numeric_limits<float>::infinity()));
static_assert(ex::linalg::det(ex::array<float, 0, 0>{}) == ex::array<float>(1));
static_assert(ex::linalg::det(ex::array<float, 4, 4>{{0, 1, 0, 0}, {1, 0, 0, 0}, {0, 0, 2, 0}, {0, 0, 0, 3}}) == ex::array<float>(-6));
static_assert(ex::linalg::det(ex::array<float, 2, 1, 1>{5, 7}) == ex::array<float, 2>{5, 7});

// 6 x 6 systems under vmap run in lanes, and take no memory.
constexpr auto solve = [](auto m, auto b) { return ex::linalg::solve(m, b); };
constexpr std::string_view plan = ex::lower(ex::vmap(solve))(ex::f32<64, 6, 6>, ex::f32<64, 6>).as_text("plan");
static_assert(plan.find("1 kernel, 0 bytes of scratch") != plan.npos && plan.find("lanes, rows [64]") != plan.npos);

}  // namespace

TEST_CASE("64 systems in lanes") {
  static ex::array<float, 64, 6, 6> m;
  static ex::array<float, 64, 6> b;
  for (int k = 0; k < 64 * 36; ++k) m.data()[k] = static_cast<float>(std::sin(0.7 * k * k + k));
  for (int k = 0; k < 64 * 6; ++k) b.data()[k] = static_cast<float>(std::cos(1.3 * k));
  auto const x = ex::jit(ex::vmap(solve))(m, b);
  ex::array<float, 6, 6> one;
  ex::array<float, 6> right;
  for (int k = 0; k < 64; ++k) {
    for (int i = 0; i < 36; ++i) one.data()[i] = m.data()[36 * k + i];
    for (int i = 0; i < 6; ++i) right.data()[i] = b(k, i);
    auto const y = ex::jit(solve)(one, right);
    for (int i = 0; i < 6; ++i) {
      CHECK(x(k, i) == y(i));
      double sum = 0, size = 0;
      for (int j = 0; j < 6; ++j) {
        sum += double(one(i, j)) * y(j);
        size += std::abs(double(one(i, j)) * y(j));
      }
      CHECK(std::abs(sum - right(i)) < 1e-5 * (1 + size));
    }
  }
}
TEST_CASE("larger than what is unrolled") {
  ex::array<double, 12, 12> m;
  for (int k = 0; k < 144; ++k) m.data()[k] = std::sin(0.7 * k * k + k);
  constexpr auto check = [](auto x) {
    auto [p, l, u] = ex::linalg::lu(x);
    auto inverse = ex::linalg::inv(x);
    return ex::tuple(ex::max(ex::abs(ex::matmul(p, ex::matmul(l, u)) - x)), ex::max(ex::abs(ex::matmul(inverse, x) - ex::eye<double, 12>())),
                     ex::linalg::det(x) * ex::linalg::det(inverse));
  };
  auto const r = ex::jit(check)(m);
  CHECK(std::get<0>(r)() < 1e-14);
  CHECK(std::get<1>(r)() < 1e-11);
  CHECK(std::abs(std::get<2>(r)() - 1) < 1e-11);
}

// NumPy's values.
TEST_CASE("inverses and systems of arrays of more axes") {
  ex::array<double, 4, 2, 2> const a{2, 1, 0, 1, 1, 3, 1, 0, 0, 1, 4, 1, 1, 0, 1, 5};
  ex::array<double, 4> const b{1, 2, 3, 4};
  auto const [inverse, x, moved] = ex::jit([](auto m, auto v) {
    return ex::tuple(ex::linalg::tensorinv<1>(m), ex::linalg::tensorsolve(m, v), ex::linalg::tensorsolve(ex::moveaxis<1, 0>(m), v, ex::axis<0>));
  })(a, b);
  double const inverse_is[] = {0.722222222222222, -0.277777777777778, 0.111111111111111, -0.166666666666667, -0.277777777777778, 0.472222222222222, -0.138888888888889, 0.0833333333333333, 0.111111111111111, -0.138888888888889, 0.305555555555556, -0.0833333333333333, -0.166666666666667, 0.0833333333333333, -0.0833333333333333, 0.25}, x_is[] = {-0.166666666666667, 0.583333333333333, 0.416666666666667, 0.75}, moved_is[] = {-0.166666666666667, 0.416666666666667, 0.583333333333333, 0.75};
  static_assert(decltype(inverse)::extent(0) == 2 && decltype(inverse)::extent(2) == 4);
  for (int i = 0; i < 16; ++i) CHECK(std::abs(inverse.data()[i] - inverse_is[i]) < 1e-14);
  for (int i = 0; i < 4; ++i) CHECK(std::abs(x.data()[i] - x_is[i]) < 1e-14);
  for (int i = 0; i < 4; ++i) CHECK(std::abs(moved.data()[i] - moved_is[i]) < 1e-14);
}
