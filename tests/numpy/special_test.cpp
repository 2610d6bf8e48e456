// SPDX-License-Identifier: BSL-1.0
// ex::special against SciPy's values, among them 0, infinity, NaN and the limits at them.
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

namespace sp = ex::special;
constexpr double inf = std::numeric_limits<double>::infinity(), unknown = std::numeric_limits<double>::quiet_NaN();

template <class T, int N>
void near(ex::array<T, N> const& got, double const (&want)[N], double tolerance = 4e-6) {
  for (int i = 0; i < N; ++i) {
    double const g = static_cast<double>(got(i)), w = want[i];
    CAPTURE(i);
    CAPTURE(g);
    CAPTURE(w);
    CHECK((g == w || (g != g && w != w) || std::abs(g - w) <= tolerance * (1 + std::abs(w))));
  }
}

constexpr auto of_one = [](auto x) {
  return ex::tuple(sp::logit(x), sp::entr(x), sp::factorial(x), sp::ndtr(x), sp::log_ndtr(x), sp::ndtri(x), sp::i0e(x), sp::i1e(x),
        sp::i1(x));
};
constexpr auto of_two = [](auto x, auto y) {
  return ex::tuple(sp::xlogy(x, y), sp::xlog1py(x, y), sp::rel_entr(x, y), sp::kl_div(x, y), sp::boxcox(x, y), sp::comb(x, y));
};
constexpr auto incomplete = [](auto a, auto x) { return ex::tuple(sp::gammainc(a, x), ex::lax::igammac(a, x)); };
constexpr auto sums = [](auto x, auto q) { return ex::tuple(sp::zeta(x, q), sp::betainc(x, 0.5, ex::abs(q) / 3)); };

}  // namespace

TEST_CASE("functions of one number") {
  auto const r = ex::jit(of_one)(ex::array<float, 11>{float(-9), float(-1), float(-0.5), float(0), float(0.01), float(0.3),
        float(0.75), float(2), float(9), float(inf), float(unknown)});
  near(std::get<0>(r), {unknown, unknown, unknown, -inf, -4.59511995315552, -0.847297787666321, 1.0986123085022, unknown, unknown,
        unknown, unknown});
  near(std::get<1>(r), {-inf, -inf, -inf, 0, 0.046051699668169, 0.361191838979721, 0.215761557221413, -1.3862943649292,
        -19.7750205993652, -inf, unknown});
  near(std::get<2>(r), {0, 0, 0, 1, 0.994325876235962, 0.897470712661743, 0.919062554836273, 2, 362880, inf, unknown});
  near(std::get<3>(r), {1.12858842566116e-19, 0.158655256032944, 0.308537542819977, 0.5, 0.503989338874817, 0.617911398410797,
        0.773372650146484, 0.97724986076355, 1, 1, unknown});
  near(std::get<4>(r), {-43.6281509399414, -1.84102165699005, -1.17591178417206, -0.6931471824646, -0.685200154781342,
        -0.481410145759583, -0.256994277238846, -0.0230129100382328, -1.12858842566116e-19, -0, unknown});
  near(std::get<5>(r), {unknown, unknown, unknown, -inf, -2.32634782791138, -0.524400472640991, 0.674489736557007, unknown, unknown,
        unknown, unknown});
  near(std::get<6>(r), {0.134959518909454, 0.465759605169296, 0.645035266876221, 1, 0.990074574947357, 0.757580637931824,
        0.541165232658386, 0.308508336544037, 0.134959518909454, 0, unknown});
  near(std::get<7>(r), {-0.127224981784821, -0.207910418510437, -0.156420797109604, 0, 0.00495031103491783, 0.112377561628819,
        0.189887791872025, 0.215269282460213, 0.127224981784821, 0, unknown});
  near(std::get<8>(r), {-1030.91467285156, -0.56515908241272, -0.257894307374954, 0, 0.00500006228685379, 0.151693850755692,
        0.401992470026016, 1.59063684940338, 1030.91467285156, unknown, unknown});
}
TEST_CASE("functions of two numbers") {
  auto const r = ex::jit(of_two)(ex::array<float, 9>{float(0), float(0), float(-2), float(-1), float(1), float(2.5), float(3),
        float(0), float(1)}, ex::array<float, 9>{float(-1), float(0), float(1), float(-1), float(2), float(0.25), float(3.5),
        float(unknown), float(-0.5)});
  near(std::get<0>(r), {0, 0, -0, unknown, 0.693147180559945, -3.46573590279973, 3.7582889054861, unknown, unknown});
  near(std::get<1>(r), {0, 0, -1.38629436111989, inf, 1.09861228866811, 0.557858878285524, 4.51223219032882, unknown,
        -0.693147180559945});
  near(std::get<2>(r), {inf, 0, inf, inf, -0.693147180559945, 5.75646273248512, -0.462452039481775, unknown, inf});
  near(std::get<3>(r), {inf, 0, inf, inf, 0.306852819440055, 3.50646273248512, 0.037547960518225, unknown, inf});
  near(std::get<4>(r), {-inf, -inf, unknown, unknown, 0, 1.02973371873174, 13.0758205155313, unknown, 0});
  near(std::get<5>(r), {0, 1, 0, 0, 0, 1.43827360316901, 0, 0, 0});
}
TEST_CASE("sums that end when all elements have their digits") {
  auto const [lower, upper] = ex::jit(incomplete)(ex::array<double, 11>{0, 0, 1, 1, 1, inf, inf, 0.5, 10, 30, 0.5}, ex::array<double,
        11>{0, 2, 0, inf, -1, 1, inf, 3, 3, 29, 0.1});
  near(lower, {unknown, 1, 0, 1, unknown, 0, unknown, 0.98569412156457, 0.00110248813011548, 0.450829114718124, 0.345279153981423},
        1e-13);
  near(upper, {unknown, 0, 1, 0, unknown, 1, unknown, 0.0143058784354296, 0.998897511869885, 0.549170885281876, 0.654720846018577},
        1e-13);
  auto const [zetas, betas] = ex::jit(sums)(ex::array<double, 8>{2, 1, 0.5, 2, 2, 2.5, 3, 20}, ex::array<double, 8>{1, 2, 1, -1, -1.5,
        -0.5, 0.1, 0.5});
  near(zetas, {1.64493406684823, inf, unknown, inf, 9.37924664498912, unknown, 1000.93072868917, 1048576.00030074}, 1e-13);
  near(betas, {0.0474206555843196, 0.422649730810374, 0.391826552030607, 0.0474206555843196, 0.116116523516816, 0.00410471598005332,
        1.17217122177872e-05, 3.73866326629267e-17}, 1e-13);
  near(ex::jit([](auto x) { return sp::polygamma(2, x); })(ex::array<double, 3>{0.5, 10, 1.5}), {-16.8287966442343,
        -0.0110498349708021, -0.82879664423432}, 1e-13);
  near(ex::jit([](auto x) { return sp::multigammaln<3>(x); })(ex::array<float, 2>{2.5f, 7}), {1.88099546161177, 18.7463998434234});
  near(sp::boxcox1p(ex::array<double, 2>{1, 3}, ex::array<double, 2>{0.5, 2}), {0.82842712474619, 7.5}, 1e-13);
  near(ex::lax::bessel_i1e(ex::array<double, 2>{1, -2}), {0.20791041534971, -0.215269289248937}, 1e-13);
}
