// SPDX-License-Identifier: BSL-1.0
// Prices of 131,072 European calls by the formula of Black and Scholes, with the polynomial 26.2.17 of Abramowitz and Stegun for the
// normal distribution, and of 16,384 of them by a binomial tree of 64 steps. By hand: packs of options; the tree stands in an array
// of packs, and a pass over it makes one step or four.
#include <cmath>

#include <exprax/exprax.hpp>

#include "hand.hpp"

namespace ex = exprax;

namespace {

constexpr int many = 131072, some = 16384, steps = 64;

struct market {
  float *price, *strike, *years, *rate, *volatility;
};
market const& options() {
  static float values[5][many];
  static market const m = [] {
    std::uint32_t seed = 1;
    auto const between = [&](float low, float high) {
      seed = seed * 1664525u + 1013904223u;
      return low + (high - low) * static_cast<float>(seed >> 8) * 0x1p-24f;
    };
    for (int k = 0; k < many; ++k) {
      values[0][k] = between(80, 120);
      values[1][k] = between(70, 130);
      values[2][k] = between(0.25f, 3);
      values[3][k] = between(0.005f, 0.05f);
      values[4][k] = between(0.1f, 0.6f);
    }
    return market{values[0], values[1], values[2], values[3], values[4]};
  }();
  return m;
}

// ours, serial and by_hand: f(out, market).
template <int N, class F, class Serial, class... Hand>
void prices(benchmark::State& state, F, Serial serial, Hand... by_hand) {
  static float out[2 + sizeof...(Hand)][N];
  market const& m = options();
  auto const exprax = [&m] {
    using in = ex::view<float const, N>;
    ex::view<float, N> result(out[0]);
    ex::jit(ex::vmap(F{})).into(result, in(m.price), in(m.strike), in(m.years), in(m.rate), in(m.volatility));
  };
  int k = 1;
  auto const run = [&](auto f) { return [f, &m, to = out[k++]] { bench::call([&] { f(to, m); }); }; };
  auto const first = run(serial);
  bench::compare_lanes(state, [&] { bench::call(exprax); }, first, run(by_hand)...);
  for (auto const& prices : out)
    if (bench::differences(prices, out[1], N, 1e-4) != 0) state.SkipWithError("the prices differ");
}

// --- Black and Scholes ---

constexpr auto normal_cdf = [](auto x) {
  auto const size = ex::abs(x);
  auto const k = 1.0f / (1.0f + 0.2316419f * size);
  auto const tail = 0.3989422804f * ex::exp(-0.5f * size * size) *
                    (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return ex::where(x > 0.0f, 1.0f - tail, tail);
};
constexpr auto black_scholes = [](auto price, auto strike, auto years, auto rate, auto volatility) {
  auto const spread = volatility * ex::sqrt(years);
  auto const d1 = (ex::log(price / strike) + (rate + 0.5f * volatility * volatility) * years) / spread;
  auto const d2 = d1 - spread;
  return price * normal_cdf(d1) - strike * ex::exp(-rate * years) * normal_cdf(d2);
};

float normal_cdf_serial(float x) {
  float const size = std::abs(x), k = 1.0f / (1.0f + 0.2316419f * size);
  float const tail = 0.3989422804f * std::exp(-0.5f * size * size) *
                     (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return x > 0.0f ? 1.0f - tail : tail;
}
void black_scholes_serial(float* out, market const& m) {
  for (int i = 0; i < many; ++i) {
    float const spread = m.volatility[i] * std::sqrt(m.years[i]);
    float const d1 = (std::log(m.price[i] / m.strike[i]) + (m.rate[i] + 0.5f * m.volatility[i] * m.volatility[i]) * m.years[i]) / spread;
    float const d2 = d1 - spread;
    out[i] = m.price[i] * normal_cdf_serial(d1) - m.strike[i] * std::exp(-m.rate[i] * m.years[i]) * normal_cdf_serial(d2);
  }
}
using hand::floats;
floats normal_cdf_by_hand(floats x) {
  using hand::fma;
  floats const size = xsimd::abs(x), one(1.0f), k = one / fma(floats(0.2316419f), size, one);
  floats p = fma(k, floats(1.330274429f), floats(-1.821255978f));
  p = fma(k, p, floats(1.781477937f));
  p = fma(k, p, floats(-0.356563782f));
  p = fma(k, p, floats(0.31938153f));
  floats const tail = floats(0.3989422804f) * xsimd::exp(floats(-0.5f) * size * size) * (k * p);
  return xsimd::select(x > floats(0.0f), one - tail, tail);
}
template <int Packs>
[[gnu::flatten]] void black_scholes_by_hand(float* out, market const& m) {
  constexpr int lanes = static_cast<int>(floats::size);
  hand::blocks<lanes * Packs>(many, [&](int at) {
#pragma GCC unroll 4
    for (int p = 0; p < Packs; ++p) {
      int const i = at + p * lanes;
      floats const price = hand::load(m.price + i), strike = hand::load(m.strike + i), years = hand::load(m.years + i);
      floats const rate = hand::load(m.rate + i), volatility = hand::load(m.volatility + i);
      floats const spread = volatility * xsimd::sqrt(years);
      floats const d1 = hand::fma(hand::fma(floats(0.5f) * volatility, volatility, rate), years, xsimd::log(price / strike)) / spread;
      floats const due = strike * xsimd::exp(-rate * years);
      floats const value = hand::fms(price, normal_cdf_by_hand(d1), due * normal_cdf_by_hand(d1 - spread));
      value.store_unaligned(out + i);
    }
  });
}
void black_scholes_131072(benchmark::State& state) {
  prices<many>(state, black_scholes, black_scholes_serial, black_scholes_by_hand<1>, black_scholes_by_hand<2>);
}
EXPRAX_COMPARE(black_scholes_131072);

// --- The binomial tree ---

// What an option is worth at each end of the tree, and the discounted probabilities of a step up and down.
constexpr auto tree = [](auto price, auto strike, auto years, auto rate, auto volatility) {
  auto const dt = years * (1.0f / steps), step = volatility * ex::sqrt(dt);
  auto const u = ex::exp(step), d = 1.0f / u, discount = ex::exp(-rate * dt);
  auto const up = (1.0f - discount * d) / (u - d), down = discount - up;
  auto const ends = ex::maximum(0.0f, price * ex::exp(step * (2.0f * ex::arange<float, steps>() - 1.0f * steps)) - strike);
  return ex::tuple(ends, up, down);
};
// All values move at each step; those above the tree are not read.
constexpr auto binomial_loop = [](auto... option) {
  auto const [ends, up, down] = tree(option...);
  auto const values = ex::fori_loop(
      0, steps - 1, [up = up, down = down](auto, auto v) {
        return v.at(ex::slice<0, -1>).set(down * v(ex::slice<0, -1>) + up * v(ex::slice<1, steps>));
      }, ends);
  return values(0);
};
// Only the triangle: as many equations as the tree has nodes.
constexpr auto binomial_triangle = [](auto... option) {
  auto const [ends, up, down] = tree(option...);
  std::array<ex::expr<float>, steps> v;
  for (int k = 0; k < steps; ++k) v[static_cast<std::size_t>(k)] = ends(k);
  for (std::size_t j = steps - 1; j > 0; --j)
    for (std::size_t k = 0; k < j; ++k) v[k] = down * v[k] + up * v[k + 1];
  return v[0];
};

void binomial_serial(float* out, market const& m) {
  for (int i = 0; i < some; ++i) {
    float const dt = m.years[i] * (1.0f / steps), step = m.volatility[i] * std::sqrt(dt);
    float const u = std::exp(step), d = 1.0f / u, discount = std::exp(-m.rate[i] * dt);
    float const up = (1.0f - discount * d) / (u - d), down = discount - up;
    float v[steps];
    for (int k = 0; k < steps; ++k) v[k] = std::max(0.0f, m.price[i] * std::exp(step * static_cast<float>(2 * k - steps)) - m.strike[i]);
    for (int j = steps - 1; j > 0; --j)
      for (int k = 0; k < j; ++k) v[k] = down * v[k] + up * v[k + 1];
    out[i] = v[0];
  }
}
// Each pass over the array takes Steps steps of the tree at once, in registers; one at a time at the end.
template <int Packs, int Steps>
[[gnu::flatten]] void binomial_by_hand(float* out, market const& m) {
  constexpr int lanes = static_cast<int>(floats::size);
  hand::blocks<lanes * Packs>(some, [&](int at) {
    floats v[steps][Packs], up[Packs], down[Packs];
    for (int p = 0; p < Packs; ++p) {
      int const i = at + p * lanes;
      floats const price = hand::load(m.price + i), strike = hand::load(m.strike + i), years = hand::load(m.years + i);
      floats const rate = hand::load(m.rate + i), volatility = hand::load(m.volatility + i);
      floats const one(1.0f), dt = years * floats(1.0f / steps), step = volatility * xsimd::sqrt(dt);
      floats const u = xsimd::exp(step), d = one / u, discount = xsimd::exp(-rate * dt);
      up[p] = (one - discount * d) / (u - d);
      down[p] = discount - up[p];
      for (int k = 0; k < steps; ++k)
        v[k][p] = xsimd::max(floats(0.0f), hand::fms(price, xsimd::exp(step * floats(static_cast<float>(2 * k - steps))), strike));
    }
    int j = steps - 1;
    for (; j >= Steps; j -= Steps) {
      // behind[s]: the value after s steps that stands before the one that is read now.
      floats behind[Steps][Packs];
      for (int p = 0; p < Packs; ++p) {
        behind[0][p] = v[0][p];
#pragma GCC unroll 8
        for (int s = 1; s < Steps; ++s) {
          floats x = v[s][p];
#pragma GCC unroll 8
          for (int t = 0; t < s; ++t) {
            floats const y = hand::fma(down[p], behind[t][p], up[p] * x);
            behind[t][p] = x;
            x = y;
          }
          behind[s][p] = x;
        }
      }
      for (int k = Steps; k <= j; ++k)
#pragma GCC unroll 4
        for (int p = 0; p < Packs; ++p) {
          floats x = v[k][p];
#pragma GCC unroll 8
          for (int s = 0; s < Steps; ++s) {
            floats const y = hand::fma(down[p], behind[s][p], up[p] * x);
            behind[s][p] = x;
            x = y;
          }
          v[k - Steps][p] = x;
        }
    }
    for (; j > 0; --j)
      for (int k = 0; k < j; ++k)
        for (int p = 0; p < Packs; ++p) v[k][p] = hand::fma(down[p], v[k][p], up[p] * v[k + 1][p]);
    for (int p = 0; p < Packs; ++p) v[0][p].store_unaligned(out + at + p * lanes);
  });
}
template <class F>
void binomial(benchmark::State& state, F f) {
  prices<some>(state, f, binomial_serial, binomial_by_hand<1, 1>, binomial_by_hand<2, 1>, binomial_by_hand<1, 4>, binomial_by_hand<2, 4>);
}
void binomial_loop_16384(benchmark::State& state) { binomial(state, binomial_loop); }
void binomial_triangle_16384(benchmark::State& state) { binomial(state, binomial_triangle); }
EXPRAX_COMPARE_SLOW(binomial_loop_16384);
EXPRAX_COMPARE_SLOW(binomial_triangle_16384);

}  // namespace
