// SPDX-License-Identifier: BSL-1.0
// Functions of neural networks against their formulas in plain double arithmetic, and their jaxprs.
#include <array>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;
namespace nn = ex::nn;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr ex::array<float, 9> points{-20, -3, -1, -0.5f, 0, 0.25f, 1, 4, 30};

template <class A, class F>
void agrees(A const& made, F const& f, double tolerance = 1e-6) {
  for (int i = 0; i < points.size(); ++i) {
    CAPTURE(points(i));
    double const expected = f(static_cast<double>(points(i)));
    CHECK(std::abs(static_cast<double>(made(i)) - expected) <= tolerance * std::max(1.0, std::abs(expected)));
  }
}
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double softplus(double x) { return std::log1p(std::exp(x)); }
double bounded(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

// In constant evaluation; NaN stays.
static_assert(nn::relu(ex::array<float, 3>{-1, 0, 2}) == ex::array<float, 3>{0, 0, 2});
static_assert(nn::one_hot<3>(ex::array<int, 4>{0, 2, 5, -1}) == ex::array<float, 4, 3>{{1, 0, 0}, {0, 0, 1}, {0, 0, 0}, {0, 0, 0}});
static_assert(nn::one_hot<int, 2>(ex::array<int, 3>{0, 1, 1}, ex::axis<0>) == ex::array<int, 2, 3>{{1, 0, 0}, {0, 1, 1}});
static_assert(ex::stop_gradient(points) == points);

static_assert(ex::make_jaxpr([](auto x) { return nn::silu(x); })(ex::f32<3>) == R"({ lambda ; a:f32[3]. let
    b:f32[3] = jit[
      name=silu
      jaxpr={ lambda ; a:f32[3]. let
          c:f32[3] = logistic a
          b:f32[3] = mul a c
        in (b,) }
    ] a
  in (b,) })");
static_assert(ex::make_jaxpr([](auto x) { return nn::relu(x); })(ex::f32<3>) == R"({ lambda ; a:f32[3]. let
    b:f32[3] = custom_jvp_call[
      name=relu
      call_jaxpr={ lambda ; c:f32[3]. let
          d:f32[3] = jit[
            name=relu
            jaxpr={ lambda ; c:f32[3]. let d:f32[3] = max c 0.0:f32[] in (d,) }
          ] c
        in (d,) }
      jvp=jvp
      symbolic_zeros=False
    ] a
  in (b,) })");
static_assert(ex::make_jaxpr([](auto x) { return nn::softmax(x); })(ex::f32<2, 3>) == R"({ lambda ; a:f32[2,3]. let
    b:f32[2] = reduce_max[axes=(1,)] a
    c:f32[2] = max -inf:f32[] b
    d:f32[2,1] = broadcast_in_dim[broadcast_dimensions=(0,)] c
    e:f32[2,1] = stop_gradient d
    f:f32[2,3] = sub a e
    g:f32[2,3] = exp f
    h:f32[2] = reduce_sum[axes=(1,) out_sharding=None] g
    i:f32[2,1] = broadcast_in_dim[broadcast_dimensions=(0,)] h
    j:f32[2,3] = div g i
  in (j,) })");
static_assert(ex::make_jaxpr([](auto x) { return nn::logsumexp(x, ex::axis<1>); })(ex::f32<2, 3>) == R"({ lambda ; a:f32[2,3]. let
    b:f32[2] = reduce_max[axes=(1,)] a
    c:f32[2] = max -inf:f32[] b
    d:bool[2] = is_finite c
    e:f32[2] = broadcast_in_dim 0.0:f32[]
    f:f32[2] = select_n d e c
    g:f32[2] = stop_gradient f
    h:f32[2,1] = broadcast_in_dim[broadcast_dimensions=(0,)] g
    i:f32[2,3] = sub a h
    j:f32[2,3] = exp i
    k:f32[2] = reduce_sum[axes=(1,) out_sharding=None] j
    _:f32[2] = sign k
    l:f32[2] = abs k
    m:f32[2] = log l
    n:f32[2] = add m g
  in (n,) })");
static_assert(ex::make_jaxpr([](auto x) { return nn::logsumexp(x, ex::keepdims); })(ex::f32<3>) == R"({ lambda ; a:f32[3]. let
    b:f32[] = reduce_max[axes=(0,)] a
    c:f32[] = max -inf:f32[] b
    d:f32[1] = broadcast_in_dim c
    e:bool[1] = is_finite d
    f:f32[1] = broadcast_in_dim 0.0:f32[]
    g:f32[1] = select_n e f d
    h:f32[1] = stop_gradient g
    i:f32[3] = sub a h
    j:f32[3] = exp i
    k:f32[] = reduce_sum[axes=(0,) out_sharding=None] j
    l:f32[1] = broadcast_in_dim k
    _:f32[1] = sign l
    m:f32[1] = abs l
    n:f32[1] = log m
    o:f32[1] = add n h
  in (o,) })");

}  // namespace

TEST_CASE("activations") {
  auto const first = ex::jit([](auto x) {
    return ex::tuple(nn::relu6(x), nn::leaky_relu(x), nn::softplus(x), nn::squareplus(x), nn::soft_sign(x), nn::silu(x), nn::mish(x), nn::log_sigmoid(x));
  })(points);
  agrees(ex::get<0>(first), [](double x) { return bounded(x, 0, 6); });
  agrees(ex::get<1>(first), [](double x) { return x < 0 ? 0.01 * x : x; });
  agrees(ex::get<2>(first), softplus);
  agrees(ex::get<3>(first), [](double x) { return (x + std::sqrt(x * x + 4)) / 2; });
  agrees(ex::get<4>(first), [](double x) { return x / (1 + std::abs(x)); });
  agrees(ex::get<5>(first), [](double x) { return x * sigmoid(x); });
  agrees(ex::get<6>(first), [](double x) { return x * std::tanh(softplus(x)); });
  agrees(ex::get<7>(first), [](double x) { return -softplus(-x); });
  auto const second = ex::jit([](auto x) {
    return ex::tuple(nn::elu(x, 0.5f), nn::celu(x, 2.0f), nn::selu(x), nn::hard_tanh(x), nn::hard_silu(x), nn::sparse_plus(x), nn::gelu(x),
                     nn::gelu(x, nn::approximate<false>));
  })(points);
  agrees(ex::get<0>(second), [](double x) { return x > 0 ? x : 0.5 * std::expm1(x); });
  agrees(ex::get<1>(second), [](double x) { return x > 0 ? x : 2 * std::expm1(x / 2); });
  agrees(ex::get<2>(second), [](double x) { return 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * std::expm1(x)); });
  agrees(ex::get<3>(second), [](double x) { return bounded(x, -1, 1); });
  agrees(ex::get<4>(second), [](double x) { return x * bounded(x + 3, 0, 6) / 6; });
  agrees(ex::get<5>(second), [](double x) { return x <= -1 ? 0 : x >= 1 ? x : (x + 1) * (x + 1) / 4; });
  agrees(ex::get<6>(second), [](double x) { return 0.5 * x * (1 + std::tanh(std::sqrt(2 / 3.141592653589793) * (x + 0.044715 * x * x * x))); });
  agrees(ex::get<7>(second), [](double x) { return 0.5 * x * std::erfc(-x / std::sqrt(2.0)); });
}

TEST_CASE("along axes") {
  ex::array<float, 2, 4> const x{{1, 2, -1000, 3}, {-inf, 0, 1000, 1000}};
  auto const [soft, log_soft, standard, gated] = ex::jit([](auto a, auto b) {
    return ex::tuple(nn::softmax(a), nn::log_softmax(a, ex::axis<1>), nn::standardize(b), nn::glu(b, ex::axis<0>));
  })(x, ex::array<float, 4>{1, 2, 3, 6});
  double const e[] = {std::exp(-2.0), std::exp(-1.0), 0, 1}, total = e[0] + e[1] + 1;
  for (int i = 0; i < 4; ++i) {
    CHECK(soft(0, i) == doctest::Approx(e[i] / total));
    if (i != 2) CHECK(log_soft(0, i) == doctest::Approx(std::log(e[i] / total)));
    CHECK(standard(i) == doctest::Approx((std::array{1.0, 2.0, 3.0, 6.0}[static_cast<std::size_t>(i)] - 3) / std::sqrt(3.5 + 1e-5)));
  }
  CHECK((soft(1, 0) == 0 && soft(1, 2) == 0.5f && soft(1, 3) == 0.5f && log_soft(1, 0) == -inf));
  CHECK(gated(1) == doctest::Approx(2 * sigmoid(6)));
}

TEST_CASE("logsumexp") {
  ex::array<float, 2, 2> const x{{1, 2}, {1000, -inf}};
  auto const rows = ex::logsumexp(x, ex::axis<1>, ex::keepdims);
  CHECK(rows(0, 0) == doctest::Approx(std::log(std::exp(1.0) + std::exp(2.0))));
  CHECK(rows(1, 0) == 1000);
  CHECK(ex::logsumexp(ex::array<float, 2>{-inf, -inf}) == ex::array<float>(-inf));
  CHECK(ex::logsumexp(ex::array<float, 2>{1, inf}) == ex::array<float>(inf));
  CHECK(ex::logsumexp(ex::array<float, 0>{}) == ex::array<float>(-inf));
  ex::array<float, 2> const b{1, -3};
  auto const [size, sign] = ex::logsumexp(ex::array<float, 2>{2, 1}, b, ex::return_sign);
  CHECK(size == doctest::Approx(std::log(3 * std::exp(1.0) - std::exp(2.0))));
  CHECK(sign == ex::array<float>(-1));
  CHECK(std::isnan(ex::logsumexp(ex::array<float, 2>{2, 1}, b)));
  CHECK(ex::logsumexp(ex::array<float, 2>{2, 1}, b, ex::where_(ex::array<bool, 2>{true, false}), ex::axis<0>) == doctest::Approx(2));
}

// Values: SciPy's softmax and logsumexp of the elements that count.
TEST_CASE("where only some elements count") {
  ex::array<float, 4> const x{5.5f, 1.3f, -4.2f, 0.9f};
  auto const [soft, log_soft, none, standard, mean, sum] = ex::jit([](auto a, auto m) {
    return ex::tuple(nn::softmax(a, ex::where_(m)), nn::log_softmax(a, ex::axis<0>, ex::where_(m)), nn::softmax(a, ex::where_(a > 100)),
                     nn::standardize(a, ex::where_(m)), nn::logmeanexp(a, ex::keepdims, ex::where_(m)), ex::logsumexp(a, ex::where_(m)));
  })(x, ex::array<bool, 4>{true, false, true, true});
  double const e[] = {1, 0, std::exp(-9.7), std::exp(-4.6)}, total = e[0] + e[2] + e[3];
  double const center = 2.2 / 3, variance = (5.5 * 5.5 + 4.2 * 4.2 + 0.9 * 0.9) / 3 - center * center;
  for (int i = 0; i < 4; ++i) {
    CHECK(soft(i) == doctest::Approx(e[i] / total));
    if (i != 1) CHECK(log_soft(i) == doctest::Approx(std::log(e[i] / total)));
    CHECK(standard(i) == doctest::Approx((x(i) - center) / std::sqrt(variance + 1e-5)).epsilon(1e-5));
    CHECK(none(i) == 0);
  }
  CHECK(log_soft(1) == -inf);
  CHECK(sum == doctest::Approx(5.5 + std::log(total)));
  CHECK(mean(0) == doctest::Approx(5.5 + std::log(total / 3)));
  // JAX's testLog1mExp, testStandardizeStableAlgorithm.
  auto const [below, stable] = ex::jit([](auto a, auto b) { return ex::tuple(nn::log1mexp(a), nn::standardize(b, ex::stable)); })(
      ex::array<float, 5>{0, 1, 1e-5f, -1, inf}, ex::array<float, 3>{1000000, 1000001, 1000002});
  CHECK((below(0) == -inf && std::isnan(below(3)) && below(4) == 0));
  CHECK(below(1) == doctest::Approx(-0.45867515));
  CHECK(below(2) == doctest::Approx(std::log(1e-5)).epsilon(1e-4));
  CHECK((stable(0) == doctest::Approx(-1.2247357) && stable(1) == 0 && stable(2) == doctest::Approx(1.2247357)));
}

// NumPy's and SciPy's values; two heads of queries share one of keys.
TEST_CASE("attention") {
  ex::array<float, 2, 2, 1> const q{1, 2, -1, 0.5f};
  ex::array<float, 2, 1, 1> const k{1, 3}, v{10, 20};
  auto const [whole, causal, masked] = ex::jit([](auto a, auto b, auto c, auto m) {
    return ex::tuple(nn::dot_product_attention(a, b, c), nn::dot_product_attention(a, b, c, nn::is_causal), nn::dot_product_attention(a, b, c, ex::none, m));
  })(q, k, v, ex::array<bool, 1, 2, 2>{false, true, true, true});
  float const of_whole[] = {18.807971f, 19.820138f, 11.192029f, 17.310586f}, of_causal[] = {10, 10, 11.192029f, 17.310586f}, of_masked[] = {20, 20, 11.192029f, 17.310586f};
  for (int i = 0; i < 4; ++i) {
    CHECK(whole.data()[i] == doctest::Approx(of_whole[i]));
    CHECK(causal.data()[i] == doctest::Approx(of_causal[i]));
    CHECK(masked.data()[i] == doctest::Approx(of_masked[i]));
  }
}
