// SPDX-License-Identifier: BSL-1.0
// Complex numbers in compiled code: values of StableHLO's test data (complex<f32>), the special values of C99's Annex G, contractions,
// reductions, movement and control flow against sums by hand.
#include <doctest/doctest.h>
#include <cmath>
#include <complex>
#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

using c64 = ex::complex64;
using c128 = ex::complex128;
constexpr float inf = __builtin_inff(), none_such = __builtin_nanf("");

// Equal up to 4 roundings of the magnitude; NaN stands for any NaN, an infinite value for any with an infinite part of that sign.
template <class T>
bool near(std::complex<T> a, std::complex<T> b, T places = 4) {
  auto const part = [](T x, T y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  if (part(a.real(), b.real()) && part(a.imag(), b.imag())) return true;
  return std::abs(a - b) <= places * std::numeric_limits<T>::epsilon() * std::abs(b);
}
bool same(float a, float b) { return std::isnan(b) ? std::isnan(a) : a == b && std::signbit(a) == std::signbit(b); }
bool same(c64 a, c64 b) { return same(a.real(), b.real()) && same(a.imag(), b.imag()); }
template <int N>
int differing(ex::array<c64, N> const& a, ex::array<c64, N> const& b, float places = 4) {
  int n = 0;
  for (int i = 0; i < N; ++i) n += !near(a(i), b(i), places);
  return n;
}

// The beginnings of the inputs and results of StableHLO's test data.
// exp
const ex::array<c64, 4> exp_in{c64(4.63676786f, 1.44666076f), c64(-1.16725743f, -1.29999256f), c64(0.211227536f, 3.28972197f), c64(0.588070393f, 3.19081759f)};
const ex::array<c64, 4> exp_out{c64(12.7791805f, 102.416023f), c64(0.0832530335f, -0.299877286f), c64(-1.22166669f, -0.182299957f), c64(-1.79832983f, -0.0885942504f)};
// expm1
const ex::array<c64, 4> expm1_in{c64(9.56125927f, -1.59275782f), c64(-9.8131218f, 1.86639714f), c64(-1.2950834f, 4.63663292f), c64(-2.4195652f, 4.32032394f)};
const ex::array<c64, 4> expm1_out{c64(-312.910614f, -14200.2949f), c64(-1.00001597f, 5.23438393e-05f), c64(-1.02072787f, -0.273089498f), c64(-1.03399146f, -0.0822101608f)};
// log
const ex::array<c64, 4> log_in{c64(2.44271159f, -0.830218315f), c64(0.0885504037f, -1.37528133f), c64(4.23733425f, -3.54088235f), c64(5.06437349f, -0.420942962f)};
const ex::array<c64, 4> log_out{c64(0.947767019f, -0.327627093f), c64(0.320726961f, -1.50649798f), c64(1.70874608f, -0.696097553f), c64(1.62567282f, -0.0829278454f)};
// log1p
const ex::array<c64, 4> log1p_in{c64(1.89456487f, -2.24262238f), c64(-4.00510931f, -0.778644919f), c64(2.99680519f, -0.800991774f), c64(2.18134332f, 2.54406977f)};
const ex::array<c64, 4> log1p_out{c64(1.29792058f, -0.659166455f), c64(1.13280332f, -2.88806129f), c64(1.40518415f, -0.197787851f), c64(1.40449762f, 0.674548268f)};
// sqrt
const ex::array<c64, 4> sqrt_in{c64(2.98859811f, 1.87618017f), c64(1.2975353f, -0.39564845f), c64(-7.28439665f, 0.925979674f), c64(-0.578701556f, -0.472859323f)};
const ex::array<c64, 4> sqrt_out{c64(1.80517375f, 0.519667387f), c64(1.15196598f, -0.171727479f), c64(0.171199739f, 2.70438671f), c64(0.290362954f, -0.814255595f)};
// rsqrt
const ex::array<c64, 4> rsqrt_in{c64(4.18345881f, 1.35485923f), c64(-1.27161133f, -0.269720376f), c64(-1.05413258f, 1.42608285f), c64(2.50356483f, 5.66193914f)};
const ex::array<c64, 4> rsqrt_out{c64(0.471037745f, -0.0743738115f), c64(0.0914943069f, 0.872306049f), c64(0.338160455f, -0.670477092f), c64(0.336790115f, -0.219325513f)};
// sin
const ex::array<c64, 4> sin_in{c64(2.04746962f, 2.39488983f), c64(-7.16991377f, 2.9684236f), c64(4.41809797f, 2.44668865f), c64(-1.72714853f, -0.627145648f)};
const ex::array<c64, 4> sin_out{c64(4.91273785f, -2.49505067f), c64(-7.56121492f, 6.13302994f), c64(-5.56816864f, -1.66255331f), c64(-1.18850982f, 0.104185246f)};
// cos
const ex::array<c64, 4> cos_in{c64(1.39976966f, 2.83872867f), c64(4.80053329f, 1.75669897f), c64(3.10558653f, 1.86934841f), c64(2.07597828f, -0.32610628f)};
const ex::array<c64, 4> cos_out{c64(1.45962894f, -8.39348984f), c64(0.262589544f, 2.79942393f), c64(-3.31699586f, -0.113931976f), c64(-0.509929359f, 0.290456116f)};
// tanh
const ex::array<c64, 4> tanh_in{c64(-1.64841795f, -0.230988964f), c64(-2.55907965f, -3.39639711f), c64(-5.8510437f, -0.629906893f), c64(4.0681181f, -2.27635121f)};
const ex::array<c64, 4> tanh_out{c64(-0.935387611f, -0.030894462f), c64(-0.989585042f, -0.00578074856f), c64(-0.999994934f, -1.57589766e-05f), c64(1.00009298f, 0.000578078791f)};
// logistic
const ex::array<c64, 4> logistic_in{c64(2.18196464f, -0.948143542f), c64(0.716183245f, 2.554919f), c64(-0.323274702f, 2.00004196f), c64(5.0370903f, -3.64245033f)};
const ex::array<c64, 4> logistic_out{c64(0.931379497f, -0.0800888985f), c64(1.39576197f, 0.636573195f), c64(0.241616607f, 0.714253187f), c64(1.00571787f, 0.00315339491f)};
// sign
const ex::array<c64, 4> sign_in{c64(-2.0726974f, 4.44509268f), c64(1.93510771f, -2.28442168f), c64(-1.08542109f, 2.52027941f), c64(-1.38627958f, -0.800216436f)};
const ex::array<c64, 4> sign_out{c64(-0.422604322f, 0.906314373f), c64(0.646357834f, -0.763034463f), c64(-0.395550787f, 0.918444037f), c64(-0.866066694f, -0.499928564f)};
const ex::array<c64, 4> mul_lhs{c64(0.477026016f, -1.37933552f), c64(-2.28703332f, 1.08866119f), c64(-0.319881529f, 2.64558053f), c64(-2.23154283f, 3.80425215f)};
const ex::array<c64, 4> mul_rhs{c64(1.95465803f, 2.20060182f), c64(-1.93926799f, -2.65153146f), c64(0.92584008f, -2.37067223f), c64(-1.91813183f, 1.3558296f)};
const ex::array<c64, 4> mul_out{c64(3.96779084f, -1.64638484f), c64(7.32178974f, 3.95293498f), c64(5.97564507f, 3.20771885f), c64(-0.877524197f, -10.322649f)};
const ex::array<c64, 4> pow_lhs{c64(-1.52736306f, 3.69751668f), c64(0.287940204f, -4.45765018f), c64(0.641176522f, -4.55836201f), c64(-3.09655261f, 0.740185499f)};
const ex::array<c64, 4> pow_rhs{c64(3.11140084f, -0.951066792f), c64(-1.14654148f, -3.70071769f), c64(-0.0541514158f, -4.94808292f), c64(2.37093568f, 0.485318154f)};
const ex::array<c64, 4> pow_out{c64(36.3074188f, -481.744019f), c64(-0.000534504186f, 0.000423688849f), c64(0.000284977024f, -0.000719869509f), c64(1.47872674f, 3.50012088f)};
const ex::array<c64, 2> div_lhs{c64(4.82876539f, 1.14962423f), c64(0.816298723f, -3.73786092f)};
const ex::array<c64, 2> div_rhs{c64(-0.69388f, -4.50840855f), c64(-1.38481331f, 3.32134724f)};
const ex::array<c64, 2> div_out{c64(-0.410124958f, 1.00793612f), c64(-1.04603434f, 0.190363556f)};

// In constant evaluation: programs, literals, and arrays of complex numbers.
constexpr ex::array<c64, 3> x{c64(1, 2), c64(3, -4), c64(0, 1)};
constexpr ex::array<c64, 3> y{c64(1, -2), c64(0, 2), c64(2, 2)};
static_assert(x + y == ex::array<c64, 3>{2, c64(3, -2), c64(2, 3)} && ex::array<c64>(c64(1, 2)) * 2.0 == ex::array<c64>(c64(2, 4)));
constexpr auto basics = [](auto x, auto y, auto n) {
  return ex::tuple(x * y, x / y, x * c64(0, 1), 2 * x, ex::abs(x), ex::real(x), ex::imag(x), ex::conj(x), ex::lax::complex(ex::real(x), ex::imag(y)), ex::sum(x), ex::prod(x),
                   ex::mean(y), ex::cumsum(x), ex::cumprod(x), ex::dot(x, y), ex::square(x), x == y, x != x + 0.0f, ex::where(ex::real(x) == 1, x, y), ex::flip(x),
                   ex::astype<c64>(n), ex::astype<int>(x), ex::astype<bool>(ex::astype<c64>(n)), ex::iscomplex(y), ex::imag(n), ex::conj(n), ex::power(x, 3), ex::power(x, -1), ex::vdot(x, y), ex::var(x), ex::linalg::norm(x), ex::allclose(x, x));
};
constexpr auto b = ex::jit(basics)(x, y, ex::array<int, 2>{0, -2});
static_assert(ex::get<0>(b) == ex::array<c64, 3>{5, c64(8, 6), c64(-2, 2)} && ex::get<1>(b) == ex::array<c64, 3>{c64(-0.6f, 0.8f), c64(-2, -1.5f), c64(0.25f, 0.25f)});
static_assert(ex::get<2>(b) == ex::array<c64, 3>{c64(-2, 1), c64(4, 3), -1} && ex::get<3>(b) == ex::array<c64, 3>{c64(2, 4), c64(6, -8), c64(0, 2)});
static_assert(ex::get<4>(b) == ex::array<float, 3>{2.23606801f, 5, 1} && ex::get<5>(b) == ex::array<float, 3>{1, 3, 0} && ex::get<6>(b) == ex::array<float, 3>{2, -4, 1});
static_assert(ex::get<7>(b) == ex::array<c64, 3>{c64(1, -2), c64(3, 4), c64(0, -1)} && ex::get<8>(b) == ex::array<c64, 3>{c64(1, -2), c64(3, 2), c64(0, 2)});
static_assert(ex::get<9>(b)() == c64(4, -1) && ex::get<10>(b)() == c64(-2, 11) && ex::get<11>(b)() == c64(1, 2.0f / 3));
static_assert(ex::get<12>(b) == ex::array<c64, 3>{c64(1, 2), c64(4, -2), c64(4, -1)} && ex::get<13>(b) == ex::array<c64, 3>{c64(1, 2), c64(11, 2), c64(-2, 11)});
static_assert(ex::get<14>(b)() == c64(11, 8) && ex::get<15>(b) == ex::array<c64, 3>{c64(-3, 4), c64(-7, -24), -1});
static_assert(ex::get<16>(b) == ex::array<bool, 3>{false, false, false} && ex::get<17>(b) == ex::array<bool, 3>{false, false, false});
static_assert(ex::get<18>(b) == ex::array<c64, 3>{c64(1, 2), c64(0, 2), c64(2, 2)} && ex::get<19>(b) == ex::array<c64, 3>{c64(0, 1), c64(3, -4), c64(1, 2)});
static_assert(ex::get<20>(b) == ex::array<c64, 2>{0, -2} && ex::get<21>(b) == ex::array<int, 3>{1, 3, 0} && ex::get<22>(b) == ex::array<bool, 2>{false, true});
static_assert(ex::get<23>(b) == ex::array<bool, 3>{true, true, true} && ex::get<24>(b) == ex::array<int, 2>{0, 0} && ex::get<25>(b) == ex::array<int, 2>{0, -2});
static_assert(ex::get<26>(b)(1) == c64(-117, -44) && ex::get<27>(b)(2) == c64(0, -1));
static_assert(ex::get<28>(b)() == c64(-9, 0) && ex::get<29>(b)() > 8.4444f && ex::get<29>(b)() < 8.4445f && ex::get<30>(b)() == 5.56776428f && ex::get<31>(b)());

// Loops and branches carry both parts; batches too.
constexpr auto turn = [](auto z) {
  auto const [last, path] = ex::scan([](auto c, auto s) { return ex::tuple(c * s, c); }, z, x);
  auto const chosen = ex::cond(ex::real(last) > 0, [](auto a) { return a; }, [](auto a) { return -a; }, last);
  auto const grown = ex::while_loop([](auto a) { return ex::abs(a) < 10; }, [](auto a) { return a * c64(1, 1); }, z);
  return ex::tuple(chosen, path, grown);
};
constexpr auto turned = ex::jit(turn)(ex::array<c64>(c64(1, 0)));
static_assert(ex::get<0>(turned) == ex::array<c64>(c64(2, -11)) && ex::get<1>(turned) == ex::array<c64, 3>{1, c64(1, 2), c64(11, 2)});
static_assert(ex::get<2>(turned) == ex::array<c64>(c64(8, -8)));

}  // namespace

TEST_CASE("values of StableHLO's test data") {
  auto const made = ex::jit([](auto exp, auto expm1, auto log, auto log1p, auto sqrt, auto rsqrt, auto sin, auto cos, auto tanh, auto logistic, auto sign) {
    return ex::tuple(ex::exp(exp), ex::expm1(expm1), ex::log(log), ex::log1p(log1p), ex::sqrt(sqrt), ex::rsqrt(rsqrt), ex::sin(sin), ex::cos(cos), ex::tanh(tanh), ex::logistic(logistic), ex::sign(sign));
  })(exp_in, expm1_in, log_in, log1p_in, sqrt_in, rsqrt_in, sin_in, cos_in, tanh_in, logistic_in, sign_in);
  CHECK(differing(ex::get<0>(made), exp_out) == 0);
  CHECK(differing(ex::get<1>(made), expm1_out) == 0);
  CHECK(differing(ex::get<2>(made), log_out, 16) == 0);
  CHECK(differing(ex::get<3>(made), log1p_out) == 0);
  CHECK(differing(ex::get<4>(made), sqrt_out) == 0);
  CHECK(differing(ex::get<5>(made), rsqrt_out) == 0);
  CHECK(differing(ex::get<6>(made), sin_out) == 0);
  CHECK(differing(ex::get<7>(made), cos_out) == 0);
  CHECK(differing(ex::get<8>(made), tanh_out, 16) == 0);
  CHECK(differing(ex::get<9>(made), logistic_out) == 0);
  CHECK(differing(ex::get<10>(made), sign_out) == 0);
  CHECK(differing(ex::jit([](auto x, auto y) { return x * y; })(mul_lhs, mul_rhs), mul_out) == 0);
  CHECK(differing(ex::jit([](auto x, auto y) { return ex::power(x, y); })(pow_lhs, pow_rhs), pow_out, 32) == 0);
  CHECK(differing(ex::jit([](auto x, auto y) { return x / y; })(div_lhs, div_rhs), div_out) == 0);
}

TEST_CASE("special values") {
  auto const all = ex::jit([](auto z) { return ex::tuple(ex::exp(z), ex::log(z), ex::sqrt(z), ex::abs(z), ex::sign(z)); });
  ex::array<c64, 8> const z{0, c64(-0.0f, 0), c64(inf, 0), c64(-inf, inf), c64(none_such, inf), c64(-inf, none_such), c64(3e38f, 3e38f), c64(-4, -0.0f)};
  auto const [e, l, s, a, g] = all(z);
  float const pi = 3.14159274f;
  ex::array<c64, 8> const exps{1, 1, c64(inf, 0), 0, c64(none_such, none_such), 0, c64(inf, inf), c64(0.0183156393f, -0.0f)};
  ex::array<c64, 8> const logs{-inf, c64(-inf, pi), c64(inf, 0), c64(inf, 0.75f * pi), c64(inf, none_such), c64(inf, none_such), c64(89.0f, pi / 4), c64(1.38629436f, -pi)};
  ex::array<c64, 8> const roots{0, 0, c64(inf, 0), c64(inf, inf), c64(inf, inf), c64(none_such, inf), c64(1.90298e19f, 7.88239e18f), c64(0, -2)};
  ex::array<float, 8> const sizes{0, 0, inf, inf, inf, inf, inf, 4};
  for (int i = 0; i < 8; ++i) {
    CAPTURE(i);
    if (i != 6) CHECK(same(e(i), exps(i)));
    if (i == 6) CHECK((near(s(i), roots(i), 64.0f) && std::fabs(l(i).real() - 88.9434f) < 1e-4f));
    else CHECK((near(l(i), logs(i)) && same(s(i), roots(i))));
    CHECK(same(a(i), sizes(i)));
  }
  CHECK((g(0) == c64(0) && g(7) == c64(-1)));

  // Quotients: no overflow on the way; by zero and by infinity as Annex G has them.
  auto const quotient = ex::jit([](auto u, auto v) { return u / v; });
  ex::array<c64, 7> const u{c64(1e38f, 1e38f), c64(1e-38f, 1e-38f), c64(1, 2), c64(inf, 1), c64(1, 1), 0, c64(1, none_such)};
  ex::array<c64, 7> const v{c64(1e38f, 1e38f), c64(1e-38f, -1e-38f), 0, c64(1, 1), c64(inf, -inf), 0, 0};
  auto const q = quotient(u, v);
  CHECK((near(q(0), c64(1)) && near(q(1), c64(0, 1)) && same(q(2), c64(inf, inf)) && std::isinf(q(3).real()) && q(4) == c64(0)));
  CHECK((std::isnan(q(5).real()) && std::isinf(q(6).real())));

  // Magnitudes beyond the square root of the largest number; doubles.
  CHECK(ex::abs(ex::array<c64, 2>{c64(3e30f, 4e30f), c64(3e-30f, 4e-30f)}) == ex::array<float, 2>{5e30f, 5e-30f});
  auto const w = ex::jit([](auto z) { return ex::tuple(ex::exp(z), ex::log(z), ex::sqrt(z), ex::sin(z), ex::tanh(z), ex::angle(z)); })(ex::array<c128>(c128(0.3, -0.7)));
  c128 const p(0.3, -0.7);
  CHECK((near(ex::get<0>(w)(), std::exp(p)) && near(ex::get<1>(w)(), std::log(p)) && near(ex::get<2>(w)(), std::sqrt(p))));
  CHECK((near(ex::get<3>(w)(), std::sin(p)) && near(ex::get<4>(w)(), std::tanh(p)) && std::fabs(ex::get<5>(w)() - std::arg(p)) < 1e-15));
}

TEST_CASE("arrays of complex numbers") {
  // A matrix product, transposed operands, a batch, an update, with sums in the same order by hand.
  ex::array<c64, 5, 7> a;
  ex::array<c64, 7, 3> b;
  for (int i = 0; i < 35; ++i) a.data()[i] = c64(static_cast<float>(i % 5) - 2, static_cast<float>(i % 7) - 3);
  for (int i = 0; i < 21; ++i) b.data()[i] = c64(static_cast<float>(i % 4) - 1, static_cast<float>(i % 3));
  auto const made = ex::jit([](auto a, auto b) {
    auto const rows = ex::vmap([](auto r) { return ex::sum(r * ex::conj(r)); })(a);
    return ex::tuple(ex::matmul(a, b), ex::transpose(a), rows, a.at(1, 2).set(c64(9, 8)).at(0).add(c64(1, 1)), ex::matmul(ex::real(a), b), a.at(2).mul(c64(0, 1)));
  })(a, b);
  bool good = true;
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 3; ++j) {
      c64 sum = 0, half = 0;
      for (int k = 0; k < 7; ++k) sum += a(i, k) * b(k, j), half += a(i, k).real() * b(k, j);
      good = good && ex::get<0>(made)(i, j) == sum && ex::get<4>(made)(i, j) == half;
    }
    c64 norm = 0;
    for (int k = 0; k < 7; ++k) {
      norm += std::norm(a(i, k));
      good = good && ex::get<1>(made)(k, i) == a(i, k);
      good = good && ex::get<3>(made)(i, k) == (i == 1 && k == 2 ? c64(9, 8) : i == 0 ? a(i, k) + c64(1, 1) : a(i, k));
      good = good && ex::get<5>(made)(i, k) == (i == 2 ? a(i, k) * c64(0, 1) : a(i, k));
    }
    good = good && ex::get<2>(made)(i) == norm;
  }
  CHECK(good);
}
