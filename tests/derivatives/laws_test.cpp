// SPDX-License-Identifier: BSL-1.0
// Laws of derivatives, for a table of functions in double precision: derivatives/law.hpp.
#include <doctest/doctest.h>

#include <limits>

#include "derivatives/law.hpp"

namespace ex = exprax;
using namespace law;

#define LAW(low, high, f, ...) check(#f, low, high, of<__VA_ARGS__>::program([](auto... x) { return ex::f(x...); }))

TEST_CASE("elementwise functions") {
  LAW(-2, 2, negative, f64<3>);
  LAW(-2, 2, exp, f64<3>);
  LAW(-2, 2, exp2, f64<3>);
  LAW(-1, 1, expm1, f64<3>);
  LAW(0.5, 3, log, f64<3>);
  LAW(-0.5, 3, log1p, f64<3>);
  LAW(-3, 3, sin, f64<3>);
  LAW(-3, 3, cos, f64<3>);
  LAW(-1, 1, tan, f64<3>);
  LAW(-0.9, 0.9, arcsin, f64<3>);
  LAW(-0.9, 0.9, arccos, f64<3>);
  LAW(-3, 3, arctan, f64<3>);
  LAW(-2, 2, sinh, f64<3>);
  LAW(-2, 2, cosh, f64<3>);
  LAW(-2, 2, tanh, f64<3>);
  LAW(-2, 2, arcsinh, f64<3>);
  LAW(1.5, 3, arccosh, f64<3>);
  LAW(-0.8, 0.8, arctanh, f64<3>);
  LAW(0.5, 3, sqrt, f64<3>);
  LAW(0.5, 3, lax::rsqrt, f64<3>);
  LAW(0.5, 3, cbrt, f64<3>);
  LAW(-2, 2, square, f64<3>);
  LAW(-2, 2, lax::logistic, f64<3>);
  LAW(-2, 2, lax::erf, f64<3>);
  LAW(-2, 2, lax::erfc, f64<3>);
  LAW(-0.8, 0.8, lax::erf_inv, f64<3>);
  LAW(-2, 2, abs, f64<3>);
  LAW(-2, 2, floor, f64<3>);
  LAW(-2, 2, sign, f64<3>);
  LAW(-2, 2, rint, f64<3>);
  LAW(-2, 2, add, f64<3>, f64<2, 3>);
  LAW(-2, 2, subtract, f64<3>, f64<>);
  LAW(-2, 2, multiply, f64<2, 1>, f64<3>);
  LAW(0.5, 2, divide, f64<3>, f64<2, 3>);
  LAW(0.5, 2, power, f64<3>, f64<3>);
  LAW(0.5, 2, arctan2, f64<3>, f64<3>);
  LAW(-2, 2, maximum, f64<3>, f64<3>);
  LAW(-2, 2, minimum, f64<3>, f64<>);
  LAW(-2, 2, lax::clamp, f64<>, f64<3>, f64<>);
  LAW(0.5, 2, lax::rem, f64<3>, f64<3>);
  LAW(-2, 2, logaddexp, f64<3>, f64<3>);
}

#define LAW_OF(low, high, result, ...) check(#result, low, high, of<__VA_ARGS__>::program([](auto x, auto... rest) { static_cast<void>(sizeof...(rest)); return result; }))
#define LAW_OF_TWO(low, high, result, ...) check(#result, low, high, of<__VA_ARGS__>::program([](auto x, auto y) { return result; }))

TEST_CASE("movement and indexing") {
  LAW_OF(-2, 2, (ex::reshape<3, 2>(x)), f64<2, 3>);
  LAW_OF(-2, 2, ex::transpose(x), f64<2, 3>);
  LAW_OF(-2, 2, (ex::broadcast_to<2, 3>(x)), f64<1, 3>);
  LAW_OF(-2, 2, ex::flip(x), f64<2, 3>);
  LAW_OF(-2, 2, x(ex::slice<1, ex::none, 2>), f64<6>);
  LAW_OF(-2, 2, (ex::roll<1>(x)), f64<5>);
  LAW_OF_TWO(-2, 2, (ex::concatenate(ex::tuple(x, y, x), ex::axis<1>)), f64<2, 3>, f64<2, 1>);
  LAW_OF_TWO(-2, 2, (ex::stack(ex::tuple(x, y))), f64<3>, f64<3>);
  LAW_OF_TWO(-2, 2, ex::where(x > 0.0, x * y, y), f64<4>, f64<4>);
  LAW_OF_TWO(-2, 2, x(y), f64<5>, ex::expr<int>);
  LAW_OF_TWO(-2, 2, ex::take(x, y), f64<5>, ex::expr<int, 4>);
  LAW_OF_TWO(-2, 2, (x.at(y + 3).get(ex::mode_fill, ex::fill_value(7.0))), f64<5>, ex::expr<int, 4>);  // some are out of bounds
  LAW_OF_TWO(-2, 2, (x.at(ex::static_<1>).set(y)), f64<5>, f64<>);
  LAW_OF_TWO(-2, 2, (x.at(ex::slice<1, 4>).add(y * y)), f64<5>, f64<3>);
  check("x.at(i).set(y)", -2, 2, of<f64<5>, f64<3>, ex::expr<int, 3>>::program([](auto x, auto y, auto i) { return x.at(i).set(y) * x; }));
  check("x.at(i).multiply(y)", -2, 2, of<f64<5>, f64<1>, ex::expr<int>>::program([](auto x, auto y, auto i) { return x.at(ex::expand_dims(i, ex::axis<0>)).multiply(y, ex::unique_indices) * x; }));
  check("x.at(i).max(y)", -2, 2, of<f64<5>, f64<3>, ex::expr<int, 3>>::program([](auto x, auto y, auto i) { return x.at(i).max(y) * x; }));
  check("x.at(i).min(y)", -2, 2, of<f64<5, 2>, f64<3, 2>, ex::expr<int, 3>>::program([](auto x, auto y, auto i) { return x.at(i).min(y) * x; }));
  LAW_OF_TWO(-2, 2, (x.at(ex::slice<1, 5, 2>).multiply(y) * x), f64<5>, f64<2>);
  LAW_OF_TWO(-2, 2, (x.at(ex::slice<1, 4>).max(y) * x), f64<5>, f64<3>);
  LAW_OF_TWO(-2, 2, (x.at(ex::static_<1>).min(y)), f64<5>, f64<>);
  check("x.at(i).add(y)", -2, 2, of<f64<5>, f64<3>, ex::expr<int, 3>>::program([](auto x, auto y, auto i) { return x.at(i).add(y) * x; }));
}

TEST_CASE("reductions and products") {
  LAW_OF(-2, 2, ex::sum(x, ex::axis<0>), f64<2, 3>);
  LAW_OF(-2, 2, ex::mean(x), f64<2, 3>);
  LAW_OF(-2, 2, ex::var(x, ex::axis<1>), f64<2, 3>);
  LAW_OF(-2, 2, ex::prod(x, ex::axis<1>), f64<2, 3>);
  LAW_OF(-2, 2, ex::max(x, ex::axis<0>), f64<2, 3>);
  LAW_OF(-2, 2, ex::min(x), f64<2, 3>);
  LAW_OF(-2, 2, ex::cumsum(x, ex::axis<1>), f64<2, 3>);
  LAW_OF(-2, 2, ex::logsumexp(x), f64<4>);
  LAW_OF(-2, 2, ex::cumprod(x, ex::axis<0>), f64<3, 2>);
  LAW_OF(-2, 2, (ex::cummax(x, ex::axis<1>)), f64<2, 4>);
  LAW_OF(-2, 2, (ex::cummin(x, ex::reverse)), f64<4>);
  LAW_OF(-2, 2, (ex::cumlogsumexp(x)), f64<4>);
  LAW_OF(-2, 2, ex::sort(x, ex::axis<0>), f64<4, 2>);
  LAW_OF(-2, 2, ex::median(x), f64<5>);
  LAW_OF(-2, 2, (ex::get<0>(ex::lax::top_k<2>(x))), f64<5>);
  LAW_OF(-2, 2, ex::nn::softmax(x), f64<4>);
  LAW_OF_TWO(-2, 2, ex::dot(x, y), f64<2, 3>, f64<3, 4>);
  LAW_OF_TWO(-2, 2, ex::matmul(x, y), f64<2, 2, 3>, f64<2, 3, 2>);
  LAW_OF_TWO(-2, 2, (ex::einsum<"ijk,kil->lj">(x, y)), f64<2, 3, 4>, f64<4, 2, 2>);
  LAW_OF_TWO(-2, 2, ex::tensordot(x, y), f64<2, 3, 2>, f64<3, 2, 2>);
}

TEST_CASE("convolutions") {
  LAW_OF_TWO(-2, 2, (ex::conv_general_dilated(x, y, ex::window_strides<2, 1>, ex::padding<1, 0, 0, 2>)), f64<2, 2, 5, 4>, f64<3, 2, 3, 2>);
  LAW_OF_TWO(-2, 2, (ex::conv_general_dilated(x, y, ex::window_strides<2>, ex::padding<2, -1>, ex::lhs_dilation<2>, ex::rhs_dilation<3>)), f64<1, 2, 7>, f64<2, 2, 2>);
  LAW_OF_TWO(-2, 2, (ex::conv_general_dilated(x, y, ex::window_strides<1>, ex::padding_same, ex::feature_group_count<2>)), f64<2, 4, 4>, f64<6, 2, 3>);
  LAW_OF_TWO(-2, 2, (ex::conv_general_dilated(x, y, ex::window_strides<1>, ex::padding_valid, ex::batch_group_count<2>)), f64<4, 2, 4>, f64<6, 2, 3>);
  LAW_OF_TWO(-2, 2, (ex::conv_general_dilated(x, y, ex::window_strides<2, 2>, ex::padding_same, ex::conv_dimension_numbers<"NHWC", "HWIO", "NHWC">)), f64<1, 4, 5, 2>, f64<3, 2, 2, 3>);
  LAW_OF_TWO(-2, 2, (ex::convolve(x, y)), f64<5>, f64<3>);
}

constexpr auto larger = [](auto a, auto b) { return ex::maximum(a, b); };
constexpr auto smaller = [](auto a, auto b) { return ex::minimum(a, b); };
constexpr auto added = [](auto a, auto b) { return a + b; };
constexpr double inf = std::numeric_limits<double>::infinity();

TEST_CASE("windows") {
  LAW_OF(-2, 2, (ex::reduce_window(x, 0.0, added, ex::window_dimensions<2, 3>, ex::window_strides<1, 2>, ex::padding<1, 0, 0, 2>)), f64<4, 5>);
  LAW_OF(-2, 2, (ex::reduce_window(x, 0.0, added, ex::window_dimensions<2>, ex::window_strides<2>, ex::base_dilation<2>, ex::window_dilation<3>)), f64<5>);
  LAW_OF(-2, 2, (ex::reduce_window(x, -inf, larger, ex::window_dimensions<2, 3>, ex::window_strides<2, 1>, ex::padding_same)), f64<4, 5>);
  LAW_OF(-2, 2, (ex::reduce_window(x, inf, smaller, ex::window_dimensions<9>, ex::window_strides<1>)), f64<20>);
  LAW_OF(-2, 2, (ex::reduce_window(x, 1.0, [](auto a, auto b) { return a * b; }, ex::window_dimensions<3>, ex::window_strides<1>)), f64<6>);
}

TEST_CASE("linear algebra") {
  LAW_OF(0.5, 1.5, ex::linalg::cholesky(ex::matmul(x, ex::transpose(x)) + ex::eye<3>()), f64<3, 3>);
  LAW_OF_TWO(0.5, 1.5, (ex::linalg::solve(x + 3.0 * ex::eye<3>(), y)), f64<3, 3>, f64<3>);
  LAW_OF(0.5, 1.5, ex::linalg::det(x + 3.0 * ex::eye<3>()), f64<3, 3>);
  LAW_OF(0.5, 1.5, ex::linalg::inv(x + 3.0 * ex::eye<3>()), f64<3, 3>);
  // Large matrices: lu has a rule.
  LAW_OF_TWO(-1, 1, (ex::linalg::solve(x + 6.0 * ex::eye<9>(), y)), f64<9, 9>, f64<9>);
  LAW_OF(-1, 1, ex::linalg::inv(x + 6.0 * ex::eye<9>()), f64<9, 9>);
  LAW_OF(-1, 1, ex::linalg::det(x * 0.25 + ex::eye<9>()), f64<9, 9>);
  LAW_OF(-1, 1, ex::linalg::slogdet(x * 0.25 + ex::eye<9>()), f64<9, 9>);
}

constexpr ex::array<double, 3, 3> apart{{3, 0, 0}, {0, 0, 0}, {0, 0, -3}};

// Of rank 3: the derivatives of the determinant 0 are the cofactors.
TEST_CASE("determinants of singular matrices") {
  constexpr auto gradient = ex::grad([](auto x) { return ex::linalg::det(x); });
  values const x{{2, 1, 0, 1, 0, 3, 1, -1, 1, 0, 1, 2, 2, 4, 1, 0}};
  std::vector<double> const cofactors{6, -5, 8, -7, 6, -5, 8, -7, 0, 0, 0, 0, -6, 5, -8, 7};
  auto const made = run(of<f64<4, 4>>::program(gradient), x)[0];
  for (std::size_t k = 0; k < 16; ++k) CHECK(std::abs(made[k] - cofactors[k]) < 1e-12);
}

TEST_CASE("factors of matrices") {
  LAW_OF(-1, 1, ex::lax::lu(x + apart), f64<3, 3>);
  LAW_OF(-1, 1, ex::linalg::lu(x), f64<4, 2>);
  LAW_OF(-1, 1, ex::linalg::lu(x), f64<2, 4>);
  LAW_OF(-1, 1, ex::get<0>(ex::linalg::lu_factor(x + apart)), f64<2, 3, 3>);
  LAW_OF(-1, 1, ex::get<0>(ex::lax::lu(x)), f64<10, 9>);
  LAW_OF_TWO(-1, 1, ex::linalg::lu_solve(ex::linalg::lu_factor(x + apart), y), f64<3, 3>, f64<3, 2>);
  LAW_OF(-1, 1, ex::linalg::qr(x + apart * 2.0), f64<3, 3>);
  LAW_OF(-1, 1, ex::linalg::qr(x), f64<4, 2>);
  LAW_OF(-1, 1, ex::linalg::qr(x), f64<2, 4>);
  LAW_OF(-1, 1, ex::linalg::qr(x, ex::linalg::complete), f64<3, 3>);
  LAW_OF(-1, 1, ex::linalg::qr(x, ex::linalg::complete), f64<4, 2>);
  LAW_OF(-1, 1, ex::linalg::qr(x + apart, ex::linalg::r_only), f64<2, 3, 3>);
}

// By rules: the algorithms are loops whose number of iterations is not known.
TEST_CASE("special functions") {
  LAW(0.5, 15, digamma, f64<5>);
  LAW(-3.9, -3.1, digamma, f64<5>);
  check("gammainc", 0.5, 4, of<f64<5>, f64<5>>::program([](auto a, auto x) { return ex::special::gammainc(a, x); }));
  check("gammaincc", 0.5, 4, of<f64<5>, f64<>>::program([](auto a, auto x) { return ex::special::gammaincc(a, x); }));
  check("betainc", 0.2, 0.9, of<f64<5>, f64<5>, f64<5>>::program([](auto a, auto b, auto x) { return ex::special::betainc(a * 4.0, b * 3.0, x); }));
  check("zeta", 1.5, 4, of<f64<5>, f64<5>>::program([](auto x, auto q) { return ex::special::zeta(x, q); }));
  check("polygamma", 0.5, 4, of<f64<5>>::program([](auto x) { return ex::special::polygamma(2, x); }));
}

TEST_CASE("eigenvalues and singular values") {
  check("eigvalsh", -1, 1, of<f64<3, 3>>::program([](auto x) { return ex::linalg::eigvalsh(x + apart); }));
  check("eigh", -1, 1, of<f64<3, 3>>::program([](auto x) { return ex::linalg::eigh(x + apart); }));
  check("svdvals", -1, 1, of<f64<3, 3>>::program([](auto x) { return ex::linalg::svdvals(x + apart * 2.0); }));
  check("svd", -1, 1, of<f64<3, 3>>::program([](auto x) { return ex::linalg::svd(x + apart * 2.0); }));
  check("svd of a tall matrix", -1, 1, of<f64<3, 2>>::program([](auto x) { return ex::linalg::svd(x, ex::linalg::reduced); }));
  check("svd of a wide matrix", -1, 1, of<f64<2, 3>>::program([](auto x) { return ex::linalg::svd(x, ex::linalg::reduced); }));
}

TEST_CASE("control flow") {
  check("jit", -2, 2, of<f64<3>>::program([](auto x) { return ex::jit([=](auto y) { return ex::sin(y) * x; })(x * 2.0); }));
  check("cond", -2, 2, of<f64<3>, ex::expr<int>>::program([](auto x, auto n) {
          return ex::cond(n > 1, [](auto y) { return ex::sin(y) * y; }, [](auto y) { return ex::exp(y) + ex::sum(y); }, x);
        }));
  check("switch_", -2, 2, of<f64<3>, ex::expr<int>>::program([](auto x, auto n) {
          return ex::switch_(n, ex::branches([](auto y) { return y; }, [](auto y) { return y * y; }, [](auto y) { return ex::tanh(y); }), x);
        }));
  check("scan", -1, 1, of<f64<2, 2>, f64<4, 2>, f64<2>>::program([](auto w, auto xs, auto h) {
          return ex::scan([=](auto c, auto x) { auto next = ex::tanh(ex::dot(w, c) + x); return ex::tuple(next, next * c); }, h, xs);
        }));
  check("reverse scan", -1, 1, of<f64<4>>::program([](auto xs) {
          return ex::scan([](auto c, auto x) { return ex::tuple(c * x, ex::sin(c)); }, 1.0, xs, ex::reverse);
        }));
  check("fori_loop", -1, 1, of<f64<3>>::program([](auto x) { return ex::fori_loop(0, 4, [=](auto i, auto c) { return c * x + i; }, x); }));
  check("nested loops", -1, 1, of<f64<3>, f64<>>::program([](auto x, auto s) {
          return ex::fori_loop(0, 3, [=](auto, auto c) { return ex::get<0>(ex::scan([=](auto d, auto e) { return ex::tuple(d * s + e, ex::none); }, s, c)) * c; }, x);
        }));
  check("cond in scan", -1, 1, of<f64<4>>::program([](auto xs) {
          return ex::scan([](auto c, auto x) {
            return ex::tuple(ex::cond(x > 0.0, [](auto a, auto b) { return a * b; }, [](auto a, auto b) { return ex::sin(a) + b * b; }, c, x), c * c);
          }, 0.5, xs);
        }));
  check("checkpoint", -1, 1, of<f64<3>, f64<3>>::program([](auto x, auto y) {
          auto const f = ex::checkpoint([=](auto z) { return ex::sin(z * ex::exp(z)) * y; });
          return ex::sum(f(f(x)));
        }));
  check("checkpoint of loops and branches", -1, 1, of<f64<3>, f64<>>::program([](auto x, auto s) {
          auto const inner = ex::checkpoint([=](auto c) {
            return ex::fori_loop(0, 3, [=](auto i, auto d) { return ex::cond(i > 0, [=](auto e) { return e * s; }, [](auto e) { return ex::sin(e); }, d); }, c);
          });
          return ex::sum(ex::fori_loop(0, 2, [=](auto, auto c) { return inner(c) * x; }, x));
        }));
  check("checkpoints in a checkpoint, some products stored", -1, 1, of<f64<2>, f64<2, 2>>::program([](auto x, auto w) {
          auto const step = ex::checkpoint([=](auto c) { return ex::tanh(ex::dot(w, ex::sin(c))); }, ex::policy<ex::checkpoint_policies::dots_saveable>);
          return ex::sum(ex::checkpoint([=](auto c) { return step(step(c)); })(x));
        }));
  check("vmap of checkpoint, all stored", -1, 1, of<f64<2, 3>>::program([](auto x) {
          return ex::vmap(ex::checkpoint([](auto r) { return ex::sin(r) * ex::cos(r); }, ex::policy<ex::checkpoint_policies::everything_saveable>))(x);
        }));
  check("vmap", -1, 1, of<f64<3, 2>, f64<2>>::program([](auto x, auto y) { return ex::vmap([=](auto r) { return ex::dot(r, y) * r; })(x); }));
  check("vmap of scan", -1, 1, of<f64<3, 4>>::program([](auto x) {
          return ex::vmap([](auto r) { return ex::get<1>(ex::scan([](auto c, auto e) { return ex::tuple(c * e + 0.5, c * c); }, 1.0, r)); })(x);
        }));
}
