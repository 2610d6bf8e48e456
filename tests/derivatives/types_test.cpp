// SPDX-License-Identifier: BSL-1.0
// Derivatives of complex numbers, by the laws of derivatives/law.hpp and with JAX's conventions, and of float16 and bfloat16.
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "derivatives/law.hpp"

namespace ex = exprax;
using namespace law;

namespace {

using c128 = ex::complex128;
template <int... D>
using complex = ex::expr<c128, D...>;

// The result of a function of one real or complex array in double precision, by the interpreter.
template <class X, class F>
std::vector<double> result(F f, std::vector<double> const& x) {
  return run(of<X>::program(f), {x})[0];
}

}  // namespace

#define LAW(low, high, f, ...) check(#f, low, high, of<__VA_ARGS__>::program([](auto... x) { return ex::f(x...); }))
#define LAW_OF(low, high, result, ...) check(#result, low, high, of<__VA_ARGS__>::program([](auto x) { return result; }))
#define LAW_OF_TWO(low, high, result, ...) check(#result, low, high, of<__VA_ARGS__>::program([](auto x, auto y) { return result; }))

TEST_CASE("elementwise functions of complex numbers") {
  LAW(-2, 2, negative, complex<3>);
  LAW(-2, 2, exp, complex<3>);
  LAW(-1, 1, expm1, complex<3>);
  LAW(0.5, 3, log, complex<3>);
  LAW(-0.5, 3, log1p, complex<3>);
  LAW(-2, 2, sin, complex<3>);
  LAW(-2, 2, cos, complex<3>);
  LAW(-1, 1, tan, complex<3>);
  LAW(-2, 2, sinh, complex<3>);
  LAW(-2, 2, cosh, complex<3>);
  LAW(-1, 1, tanh, complex<3>);
  LAW(0.5, 2, arcsin, complex<3>);
  LAW(0.5, 2, arctan, complex<3>);
  LAW(0.5, 3, sqrt, complex<3>);
  LAW(0.5, 3, lax::rsqrt, complex<3>);
  LAW(0.5, 3, reciprocal, complex<3>);
  LAW(-2, 2, square, complex<3>);
  LAW(-1, 1, lax::logistic, complex<3>);
  LAW(-2, 2, add, complex<3>, f64<2, 3>);
  LAW(-2, 2, subtract, complex<3>, complex<>);
  LAW(-2, 2, multiply, complex<2, 1>, complex<3>);
  LAW(-2, 2, multiply, f64<3>, complex<2, 3>);
  LAW(0.5, 2, divide, complex<3>, complex<2, 3>);
  LAW(0.5, 2, divide, f64<3>, complex<3>);
  LAW(0.5, 2, power, complex<3>, complex<3>);
  LAW_OF(-2, 2, (ex::lax::integer_pow<3>(x)), complex<3>);
  LAW_OF(0.5, 2, (ex::lax::integer_pow<-2>(x)), complex<3>);
}

TEST_CASE("parts of complex numbers") {
  LAW(-2, 2, real, complex<3>);
  LAW(-2, 2, imag, complex<3>);
  LAW(-2, 2, conj, complex<3>);
  LAW(0.5, 2, abs, complex<3>);
  LAW(0.5, 2, angle, complex<3>);
  LAW(-2, 2, lax::complex, f64<3>, f64<3>);
  LAW_OF(-2, 2, (ex::astype<c128>(x) * c128(1, 2)), f64<3>);
  LAW_OF(-2, 2, (ex::real(x) * ex::conj(x) + ex::abs(x * x)), complex<3>);
}

TEST_CASE("arrays of complex numbers") {
  LAW_OF(-2, 2, ex::transpose(x)(ex::slice<1, 3>), complex<2, 3>);
  LAW_OF(-2, 2, ex::sum(x, ex::axis<0>), complex<2, 3>);
  LAW_OF(-2, 2, ex::prod(x, ex::axis<1>), complex<2, 3>);
  LAW_OF(-2, 2, ex::cumsum(x), complex<4>);
  LAW_OF(-2, 2, ex::cumprod(x), complex<4>);
  LAW_OF_TWO(-2, 2, ex::where(ex::real(x) > 0.0, x * y, y), complex<4>, complex<4>);
  LAW_OF_TWO(-2, 2, (x.at(ex::slice<1, 4>).add(y * y)), complex<5>, complex<3>);
  LAW_OF_TWO(-2, 2, ex::dot(x, y), complex<2, 3>, complex<3, 4>);
  LAW_OF_TWO(-2, 2, ex::matmul(x, y), f64<2, 2, 3>, complex<2, 3, 2>);
  LAW_OF_TWO(-2, 2, ex::vdot(x, y), complex<3>, complex<3>);
  LAW_OF_TWO(-2, 2, (ex::einsum<"ijk,kil->lj">(x, y)), complex<2, 3, 4>, complex<4, 2, 2>);
  LAW_OF(-1, 1, ex::get<0>(ex::scan([](auto c, auto e) { return ex::tuple(c * e + ex::sin(c), ex::none); }, x(0), x)), complex<4>);
}

TEST_CASE("Fourier transforms") {
  LAW_OF(-2, 2, ex::fft::fft(x), complex<8>);
  LAW_OF(-2, 2, ex::fft::ifft(x), complex<6>);
  LAW_OF(-2, 2, ex::fft::fft(x), f64<5>);
  LAW_OF(-2, 2, ex::fft::rfft(x), f64<6>);
  LAW_OF(-2, 2, ex::fft::irfft(x), complex<4>);
  LAW_OF(-2, 2, ex::fft::fft2(x), complex<3, 4>);
}

constexpr ex::array<double, 3, 3> apart{{4, 0, 0}, {0, 1, 0}, {0, 0, -4}};

TEST_CASE("linear algebra of complex numbers") {
  LAW_OF_TWO(-1, 1, (ex::linalg::solve(x + apart, y)), complex<3, 3>, complex<3, 2>);
  LAW_OF(-1, 1, ex::linalg::det(x + apart), complex<3, 3>);
  LAW_OF(-1, 1, ex::linalg::slogdet(x + apart), complex<3, 3>);
  LAW_OF(-1, 1, ex::linalg::inv(x + apart), complex<3, 3>);
  LAW_OF(-1, 1, ex::linalg::lu(x + apart), complex<3, 3>);
  LAW_OF(-1, 1, ex::linalg::qr(x), complex<4, 2>);
  LAW_OF(-1, 1, ex::linalg::cholesky(ex::matmul(x, ex::conj(ex::transpose(x))) + ex::eye<3>()), complex<3, 3>);
  check("triangular_solve", 0.5, 1.5, of<complex<3, 3>, complex<2, 3>>::program([](auto x, auto y) {
          return ex::triangular_solve<ex::triangular{.lower = true, .transpose_a = true, .conjugate_a = true}>(x, y);
        }));
  check("eigvalsh", -1, 1, of<complex<3, 3>>::program([](auto x) { return ex::linalg::eigvalsh(x + apart); }), 1);
  check("svdvals", -1, 1, of<complex<3, 3>>::program([](auto x) { return ex::linalg::svdvals(x + apart * 2.0); }), 1);
}

TEST_CASE("gradients of complex numbers") {
  constexpr auto near = [](std::vector<double> const& a, std::complex<double> b) {
    return a.size() == 2 && std::abs(std::complex<double>(a[0], a[1]) - b) < 1e-14 * (1 + std::abs(b));
  };
  std::vector<double> const point{0.75, -1.25};
  std::complex<double> const z(0.75, -1.25), i(0, 1);
  // Of holomorphic functions the complex derivative.
  constexpr auto holomorphic = [](auto f) { return ex::grad(f, ex::holomorphic); };
  CHECK(near(result<complex<>>(holomorphic([](auto x) { return x * x * x; }), point), 3.0 * z * z));
  CHECK(near(result<complex<>>(holomorphic([](auto x) { return ex::sin(x); }), point), std::cos(z)));
  CHECK(near(result<complex<>>(holomorphic([](auto x) { return ex::exp(c128(0, 2) * x); }), point), 2.0 * i * std::exp(2.0 * i * z)));
  CHECK(near(result<complex<>>([](auto x) { return ex::jacfwd([](auto y) { return y / (1.0 + y); }, ex::holomorphic)(x); }, point),
             1.0 / ((1.0 + z) * (1.0 + z))));
  CHECK(near(result<complex<>>([](auto x) { return ex::jacrev([](auto y) { return ex::log(y); }, ex::holomorphic)(x); }, point), 1.0 / z));
  // Of real functions of x + i y: df/dx - i df/dy.
  constexpr auto real = [](auto f) { return ex::grad(f); };
  CHECK(near(result<complex<>>(real([](auto x) { return ex::real(x * ex::conj(x)); }), point), 2.0 * std::conj(z)));
  CHECK(near(result<complex<>>(real([](auto x) { return ex::abs(x); }), point), std::conj(z) / std::abs(z)));
  CHECK(near(result<complex<>>(real([](auto x) { return ex::real(x * x); }), point), 2.0 * z));
  CHECK(near(result<complex<>>(real([](auto x) { return ex::imag(x * x); }), point), -2.0 * i * z));
  CHECK(near(result<complex<>>(real([](auto x) { return ex::real(x) * ex::imag(x); }), point), z.imag() - i * z.real()));
  // |x|^2 at 0.
  CHECK(near(result<complex<>>(real([](auto x) { return ex::square(ex::abs(x)); }), {0, 0}), 0));
}

namespace {

// The gradients of f at -1, -0.25, 0.5, 1.25 in dtype H and in double precision: whether the first has dtype H, and differs from the second
// by less than `steps` units of 1 of H.
template <class H, class F>
void check_half(char const* name, F, double steps = 4) {
  CAPTURE(std::string(name));
  constexpr auto gradient = [](auto x) { return ex::grad(F{})(x); };
  ex::program_ref const p = of<ex::expr<H, 4>>::program(gradient);
  ex::aval const& type = p.type(p.outs(p.main())[0]);
  REQUIRE(type.same_shape(ex::expr<H, 4>::type));
  REQUIRE(type.type == ex::expr<H, 4>::type.type);
  double const epsilon = sizeof(H) == 2 && type.type == ex::dtype::f16 ? 0x1p-10 : 0x1p-7;
  std::vector<double> const x{-1, -0.25, 0.5, 1.25};
  std::vector<std::uint64_t> bits;
  for (double e : x) bits.push_back(H(static_cast<float>(e)).bits());
  std::uint64_t const* const input = bits.data();
  auto const made = ex::interpret(p, {&input, 1});
  auto const expected = result<f64<4>>(gradient, x);
  for (int k = 0; k < 4; ++k) {
    double const got = static_cast<float>(H::from_bits(static_cast<std::uint16_t>(made[0][k]))), right = expected[static_cast<std::size_t>(k)];
    CHECK_MESSAGE(std::abs(got - right) <= steps * epsilon * (1 + std::abs(right)), name, ": ", got, ", in double precision ", right);
  }
}
template <class H>
void check_halves() {
  check_half<H>("exp", [](auto x) { return ex::sum(ex::exp(x)); });
  check_half<H>("tanh", [](auto x) { return ex::sum(ex::tanh(x)); });
  check_half<H>("sum", [](auto x) { return ex::sum(x); }, 0);
  check_half<H>("dot", [](auto x) { return ex::dot(x, ex::flip(x)); });
  check_half<H>("softmax", [](auto x) { return ex::nn::softmax(x)(1); });
  check_half<H>("mean of squares", [](auto x) { return ex::mean(ex::square(x - ex::mean(x))); });
  check_half<H>("max", [](auto x) { return ex::max(x * x); });
  check_half<H>("loop", [](auto x) { return ex::sum(ex::fori_loop(0, 3, [](auto, auto c) { return ex::sin(c); }, x)); });
  check_half<H>("random numbers", [](auto x) {
    return ex::sum(x * ex::astype<typename decltype(x)::dtype_type>(ex::random::uniform<H, 4>(ex::random::key(1))));
  }, 0);
  check_half<H>("conversions", [](auto x) { return ex::sum(ex::astype<H>(ex::exp(ex::astype<float>(x)))); });
}

}  // namespace

TEST_CASE_TEMPLATE("gradients of halves", H, ex::float16, ex::bfloat16) { check_halves<H>(); }
