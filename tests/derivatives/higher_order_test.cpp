// SPDX-License-Identifier: BSL-1.0
// Derivatives of derivatives of functions with rules: every order takes the rules, in every nesting of forward and reverse mode.
#include <doctest/doctest.h>

#include <cmath>

#include "derivatives/law.hpp"

namespace ex = exprax;
using namespace law;

namespace {

// The rule is not the derivative of the function: f' = 2 f, so f'' = 2 f' = 4 f, f''' = 8 f, where f(x) = x.
constexpr auto doubled = ex::custom_jvp([](auto x) { return x; }).defjvps([](auto t, auto ans, auto) { return 2.0 * t * ans; });
constexpr auto once = ex::grad(doubled);
constexpr auto twice = ex::grad(once);
constexpr ex::array<double> three(3);
static_assert(ex::jit(once)(three) == 6.0);
static_assert(ex::jit(twice)(three) == 12.0);
static_assert(ex::jit(ex::jacfwd(once))(three) == 12.0);
static_assert(ex::jit(ex::grad(ex::jacfwd(doubled)))(three) == 12.0);
static_assert(ex::jit(ex::jacfwd(ex::jacfwd(doubled)))(three) == 12.0);
static_assert(ex::jit(ex::grad(twice))(three) == 24.0);
static_assert(ex::jit(ex::vmap(twice))(ex::array<double, 2>{3, -1}) == ex::array<double, 2>{12, -4});

// A rule that computes the result itself gives that result to the second derivative: f' = 2 x, f'' = 2.
constexpr auto by_argument = ex::custom_jvp([](auto x) { return x; }).defjvp([](auto primals, auto tangents) {
  auto const x = ex::get<0>(primals);
  return ex::tuple(x, 2.0 * x * ex::get<0>(tangents));
});
static_assert(ex::jit(ex::grad(by_argument))(three) == 6.0);
static_assert(ex::jit(ex::grad(ex::grad(by_argument)))(three) == 2.0);

// x halved until it is at most 1, by a loop whose length is not known: f' = f / x.
constexpr auto halved =
    ex::custom_jvp([](auto x) { return ex::while_loop([](auto s) { return s > 1.0; }, [](auto s) { return s / 2.0; }, x); })
        .defjvps([](auto t, auto ans, auto x) { return t * ans / x; });
// x^3 / 16 at 3.
constexpr auto of_halved = [](auto x) { return x * ex::square(halved(x)); };
static_assert(ex::jit(ex::grad(of_halved))(three) == 27.0 / 16);
static_assert(ex::jit(ex::grad(ex::grad(of_halved)))(three) == 18.0 / 16);
static_assert(ex::jit(ex::grad(ex::jit(ex::grad(ex::checkpoint(of_halved)))))(three) == 18.0 / 16);

// The tangent of an integer is a bool.
constexpr auto times_integer = ex::custom_jvp([](auto x, auto n) { return ex::sin(x) * n; })
                                   .defjvps([](auto t, auto, auto x, auto n) { return t * ex::cos(x) * n; },
                                            [](auto, auto ans, auto, auto) { return ex::zeros_like(ans); });
static_assert(ex::isclose(ex::jit(ex::grad(ex::grad([](auto x) { return times_integer(x, 2); })))(three), -2 * 0.14112000805986722));

constexpr ex::array<double, 3, 3> apart{{-2, 0, 0}, {0, 0.5, 0}, {0, 0, 3}};
constexpr auto of_eigen = [](auto a) {
  auto const [w, v] = ex::linalg::eigh(a + ex::transpose(a) + apart);
  return ex::sum(ex::sin(w) * ex::square(v(0)));
};

}  // namespace

TEST_CASE("functions of eigenvalues in other functions") {
  check("checkpoint", -1, 1, of<f64<3, 3>>::program(ex::checkpoint(of_eigen)));
  check("vmap", -0.5, 0.5, of<f64<2, 3, 3>>::program(ex::vmap(of_eigen)));
  check("scan", -0.5, 0.5, of<f64<2, 3, 3>>::program([](auto xs) {
          return ex::get<0>(ex::scan([](auto c, auto x) { return ex::tuple(of_eigen(x * c), ex::none); }, 1.0, xs));
        }));
  check("branches", -0.5, 0.5, of<f64<3, 3>, f64<>>::program([](auto x, auto y) {
          return ex::cond(y > 2.0, [](auto a, auto b) { return b + ex::sum(a); }, [](auto a, auto b) { return b * of_eigen(a); }, x, y);
        }));
}

TEST_CASE("vmap of second derivatives") {
  auto const slope_along = [](auto a) { return ex::sum(ex::cos(a) * ex::grad(of_eigen)(a)); };
  auto const one = of<f64<3, 3>>::program(ex::grad(slope_along)), all = of<f64<2, 3, 3>>::program(ex::vmap(ex::grad(slope_along)));
  values const x = arguments(all, -1, 1, 5);
  values const rows = run(all, x);
  for (std::size_t r = 0; r < 2; ++r) {
    auto const begin = x[0].begin() + static_cast<std::ptrdiff_t>(9 * r);
    values const row = run(one, {std::vector<double>(begin, begin + 9)});
    for (std::size_t i = 0; i < 9; ++i) CHECK(std::abs(row[0][i] - rows[0][9 * r + i]) < 1e-12);
  }
}

namespace {

void check_close(values const& made, std::vector<double> const& expected) {
  REQUIRE(made.size() == expected.size());
  for (std::size_t k = 0; k < made.size(); ++k) CHECK(std::abs(made[k][0] - expected[k]) < 1e-12 * (1 + std::abs(expected[k])));
}

}  // namespace

namespace {

constexpr auto gamma_by_a = ex::grad([](auto a, auto x) { return ex::special::gammainc(a, x); });
constexpr auto gamma_by_x = ex::grad([](auto a, auto x) { return ex::special::gammainc(a, x); }, ex::argnums<1>);
constexpr auto of_gamma = [](auto a, auto x) {
  return ex::tuple(gamma_by_a(a, x), ex::grad(gamma_by_a)(a, x), ex::grad(gamma_by_a, ex::argnums<1>)(a, x), ex::grad(gamma_by_x)(a, x));
};
constexpr auto beta_by_b = ex::grad([](auto a, auto b) { return ex::special::betainc(a, b, 0.3); }, ex::argnums<1>);
constexpr auto of_beta = [](auto a, auto b) {
  return ex::tuple(beta_by_b(a, b), ex::grad(beta_by_b)(a, b), ex::grad(beta_by_b, ex::argnums<1>)(a, b));
};
constexpr auto of_gamma_number = [](auto x, auto a) {
  auto const number = [=](auto order) { return ex::detail::with_gamma_derivative<false>(x, order); };
  return ex::tuple(ex::grad(number)(a), ex::grad(ex::grad(number))(a));
};

}  // namespace

// By mpmath, to 40 digits. The continued fractions of whole orders end, those of their derivatives do not.
TEST_CASE("incomplete functions of whole orders") {
  check_close(run(of<f64<>, f64<>>::program(of_gamma), {{3}, {9}}),
              {-0.008695466419742526, -0.009743144259834311, 0.006369776034897028, 0.006369776034897028});
  check_close(run(of<f64<>, f64<>>::program(of_beta), {{2.5}, {1}}), {0.07078807211425339, -0.07042446747610297, 0.03716107453889900});
}

// x(a) of one probability P: x' = -P_a / P_x, x'' = -(P_aa + 2 P_ax x' + P_xx x'^2) / P_x.
TEST_CASE("gamma numbers by their order") {
  ex::program_ref const p = of<f64<>, f64<>>::program(of_gamma_number);
  check_close(run(p, {{1}, {2.5}}), {0.6507938596862822, 0.07880599735683168});
  check_close(run(p, {{9}, {3}}), {1.73975541206388, -0.1309198321187343});
}
