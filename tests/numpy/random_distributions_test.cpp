// SPDX-License-Identifier: BSL-1.0
// Distributions: the numbers that JAX documents, and the distance between many samples and the distribution of mathematics
// (Kolmogorov and Smirnov).
#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;
namespace rnd = ex::random;

namespace {

constexpr auto key = rnd::key(42);
constexpr auto older = rnd::non_partitionable;
constexpr int n = 3000;

// A table of random weights, made while compiling.
constexpr auto weights = rnd::normal<3>(key);

// The greatest distance of the distributions, times sqrt(n): above 1.95 for one seed in a thousand.
template <class A, class F>
double distance(A const& a, F const& below) {
  std::vector<double> x(a.begin(), a.end());
  std::sort(x.begin(), x.end());
  double most = 0, count = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    double const p = below(x[i]), at = static_cast<double>(i) / count;
    most = std::max({most, p - at, at + 1 / count - p});
  }
  return most * std::sqrt(count);
}
double normal_below(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

}  // namespace

TEST_CASE("normal: JAX's numbers") {
  // docs/random-numbers.md; case prng_np_normal.
  float const expected[] = {-0.02830462f, 0.46713185f, 0.29570296f};
  for (int i = 0; i < 3; ++i) CHECK(weights(i) == doctest::Approx(expected[i]).epsilon(1e-6));
  CHECK(rnd::normal<3>(key) == weights);
  float const in_older[] = {-1.1732335090637207f, -1.5116621255874634f, 0.0705929547548294f, -0.09976384043693542f, 1.0528450012207031f};
  auto const made = rnd::normal<5>(rnd::key(1193674498), older);
  for (int i = 0; i < 5; ++i) CHECK(made(i) == doctest::Approx(in_older[i]).epsilon(1e-5));
}

TEST_CASE("normal: its jaxpr") {
  CHECK(ex::make_jaxpr([](auto k) { return rnd::exponential<3>(k); })(ex::spec<ex::prng_key>) == R"({ lambda ; a:key<fry>[]. let
    b:f32[3] = jit[
      name=_exponential
      jaxpr={ lambda ; a:key<fry>[]. let
          c:f32[3] = jit[
            name=_uniform
            jaxpr={ lambda ; a:key<fry>[] d:f32[] e:f32[]. let
                f:f32[] = convert_element_type[
                  new_dtype=float32
                  weak_type=False
                ] d
                g:f32[] = convert_element_type[
                  new_dtype=float32
                  weak_type=False
                ] e
                h:f32[1] = broadcast_in_dim f
                i:f32[1] = broadcast_in_dim g
                j:u32[3] = random_bits[bit_width=32 shape=(3,)] a
                k:u32[3] = shift_right_logical j 9:u32[]
                l:u32[3] = or k 1065353216:u32[]
                m:f32[3] = bitcast_convert_type[new_dtype=float32] l
                n:f32[3] = sub m 1.0:f32[]
                o:f32[1] = sub i h
                p:f32[3] = mul n o
                q:f32[3] = add p h
                c:f32[3] = max h q
              in (c,) }
          ] a 0.0:f32[] 1.0:f32[]
          r:f32[3] = neg c
          s:f32[3] = log1p r
          b:f32[3] = neg s
        in (b,) }
    ] a
  in (b,) })");
}

TEST_CASE("distributions without parameters") {
  auto const all = ex::jit([](auto k) {
    auto const keys = rnd::split<6>(k);
    return ex::tuple(rnd::normal<n>(keys(0)), rnd::exponential<n>(keys(1)), rnd::gumbel<n>(keys(2)), rnd::laplace<n>(keys(3)), rnd::logistic<n>(keys(4)),
                     rnd::cauchy<n>(keys(5)));
  })(key);
  CHECK(distance(ex::get<0>(all), normal_below) < 1.95);
  CHECK(distance(ex::get<1>(all), [](double x) { return 1 - std::exp(-x); }) < 1.95);
  CHECK(distance(ex::get<2>(all), [](double x) { return std::exp(-std::exp(-x)); }) < 1.95);
  CHECK(distance(ex::get<3>(all), [](double x) { return x < 0 ? std::exp(x) / 2 : 1 - std::exp(-x) / 2; }) < 1.95);
  CHECK(distance(ex::get<4>(all), [](double x) { return 1 / (1 + std::exp(-x)); }) < 1.95);
  CHECK(distance(ex::get<5>(all), [](double x) { return 0.5 + std::atan(x) / 3.141592653589793; }) < 1.95);
}

TEST_CASE("distributions with parameters") {
  auto const all = ex::jit([](auto k) {
    auto const keys = rnd::split<6>(k);
    return ex::tuple(rnd::truncated_normal<n>(keys(0), -1.0f, 2.0f), rnd::rayleigh<n>(keys(1), 2.0f), rnd::weibull_min<n>(keys(2), 3, 1.5f),
                     rnd::pareto<n>(keys(3), 3.0f), rnd::triangular<n>(keys(4), 0, 1, 3), rnd::lognormal<n>(keys(5), 0.5f));
  })(key);
  double const low = normal_below(-1), high = normal_below(2);
  CHECK(distance(ex::get<0>(all), [&](double x) { return (normal_below(x) - low) / (high - low); }) < 1.95);
  CHECK(distance(ex::get<1>(all), [](double x) { return 1 - std::exp(-x * x / 8); }) < 1.95);
  CHECK(distance(ex::get<2>(all), [](double x) { return 1 - std::exp(-std::pow(x / 3, 1.5)); }) < 1.95);
  CHECK(distance(ex::get<3>(all), [](double x) { return 1 - std::pow(x, -3.0); }) < 1.95);
  CHECK(distance(ex::get<4>(all), [](double x) { return x < 1 ? x * x / 3 : 1 - (3 - x) * (3 - x) / 6; }) < 1.95);
  CHECK(distance(ex::get<5>(all), [](double x) { return normal_below(std::log(x) / 0.5); }) < 1.95);
}
