// SPDX-License-Identifier: BSL-1.0
// One iteration of model predictive path integral control, as the controller of Nav2 does it: 2,000 rollouts of 50 steps of a robot
// with two wheels, with noise on its speeds, the cost of each, and the mean of the speeds weighted by a softmax of the costs. The noise
// has the rollouts as its last axis, or the steps (rows). By hand: packs of rollouts; the mean makes the speeds again.
#include <algorithm>
#include <cmath>

#include <exprax/exprax.hpp>

#include "hand.hpp"

namespace ex = exprax;

namespace {

constexpr int rollouts = 2000, steps = 50;
constexpr float dt = 0.05f, slowest = -0.35f, fastest = 0.5f, sharpest = 1.9f, temperature = 0.3f;
constexpr float by_distance = 0.5f, by_angle = 0.4f, by_turn = 0.1f, by_backwards = 2.0f;
constexpr float by_noise_v = 0.015f / 0.04f, by_noise_w = 0.015f / 0.16f;

constexpr auto rollout = [](auto noise_v, auto noise_w, auto v, auto w, auto goal) {
  auto const goal_x = goal(0), goal_y = goal(1);
  auto const step = [=](auto s, auto xs) {
    auto const [x0, y0, yaw0, w0, cost] = s;
    auto const [nv, nw, v_t, w_t] = xs;
    auto const speed = ex::clip(v_t + nv, slowest, fastest), turn = ex::clip(w_t + nw, -sharpest, sharpest);
    auto const yaw = yaw0 + turn * dt, c = ex::cos(yaw), s_ = ex::sin(yaw);
    auto const x = x0 + speed * c * dt, y = y0 + speed * s_ * dt;
    auto const dx = goal_x - x, dy = goal_y - y, distance = ex::sqrt(dx * dx + dy * dy + 1e-6f);
    auto const change = turn - w0;
    auto const more = by_distance * distance + by_angle * (1.0f - (dx * c + dy * s_) / distance) + by_turn * change * change +
                      by_backwards * ex::maximum(-speed, 0.0f) + by_noise_v * v_t * nv + by_noise_w * w_t * nw;
    return ex::tuple(ex::tuple(x, y, yaw, turn, cost + more), ex::tuple(speed, turn));
  };
  auto const zero = ex::zeros<float>();
  auto const [last, speeds] = ex::scan(step, ex::tuple(zero, zero, zero, w(0), zero), ex::tuple(noise_v, noise_w, v, w));
  return ex::tuple(ex::get<4>(last), ex::get<0>(speeds), ex::get<1>(speeds));
};
// Axis is the axis of the rollouts in the noise.
template <int Axis>
struct control {
  constexpr auto operator()(auto noise_v, auto noise_w, auto v, auto w, auto goal) const {
    auto const all = ex::vmap(rollout, ex::in_axes<Axis, Axis, ex::none, ex::none, ex::none>, ex::out_axes<0, Axis, Axis>);
    auto const [costs, speeds, turns] = all(noise_v, noise_w, v, w, goal);
    auto const shares = ex::exp((ex::min(costs) - costs) * (1.0f / temperature));
    auto const weights = shares / ex::sum(shares);
    if constexpr (Axis == 1) return ex::tuple(ex::dot(speeds, weights), ex::dot(turns, weights));
    else return ex::tuple(ex::dot(weights, speeds), ex::dot(weights, turns));
  }
};

struct plan {
  float v[steps], w[steps];
};
constexpr float goal[2] = {1.5f, 0.8f};
constexpr int samples = rollouts * steps;

// Step t of rollout m stands at t * Step + m * Rollout.
template <int Step, int Rollout>
void control_serial(plan& to, plan const& from, float const* noise_v, float const* noise_w) {
  static float costs[rollouts];
  for (int m = 0; m < rollouts; ++m) {
    float x = 0, y = 0, yaw = 0, w0 = from.w[0], cost = 0;
    for (int t = 0; t < steps; ++t) {
      float const nv = noise_v[t * Step + m * Rollout], nw = noise_w[t * Step + m * Rollout];
      float const speed = std::clamp(from.v[t] + nv, slowest, fastest), turn = std::clamp(from.w[t] + nw, -sharpest, sharpest);
      yaw += turn * dt;
      float const c = std::cos(yaw), s = std::sin(yaw);
      x += speed * c * dt;
      y += speed * s * dt;
      float const dx = goal[0] - x, dy = goal[1] - y, distance = std::sqrt(dx * dx + dy * dy + 1e-6f), change = turn - w0;
      cost += by_distance * distance + by_angle * (1.0f - (dx * c + dy * s) / distance) + by_turn * change * change +
              by_backwards * std::max(-speed, 0.0f) + by_noise_v * from.v[t] * nv + by_noise_w * from.w[t] * nw;
      w0 = turn;
    }
    costs[m] = cost;
  }
  float const least = *std::min_element(costs, costs + rollouts);
  float sum = 0;
  for (float& c : costs) sum += c = std::exp((least - c) * (1.0f / temperature));
  to = {};
  for (int m = 0; m < rollouts; ++m)
    for (int t = 0; t < steps; ++t) {
      float const nv = noise_v[t * Step + m * Rollout], nw = noise_w[t * Step + m * Rollout], weight = costs[m] / sum;
      to.v[t] += weight * std::clamp(from.v[t] + nv, slowest, fastest);
      to.w[t] += weight * std::clamp(from.w[t] + nw, -sharpest, sharpest);
    }
}

using hand::floats;
constexpr int lanes = static_cast<int>(floats::size);
inline floats clip(floats x, float low, float high) { return xsimd::min(xsimd::max(x, floats(low)), floats(high)); }

struct state_of_packs {
  floats x, y, yaw, w, cost;
};
[[gnu::always_inline]] inline void step_by_hand(state_of_packs& s, floats nv, floats nw, float v, float w) {
  using hand::fma;
  floats const speed = clip(floats(v) + nv, slowest, fastest), turn = clip(floats(w) + nw, -sharpest, sharpest);
  s.yaw = fma(turn, floats(dt), s.yaw);
  auto const [sine, cosine] = xsimd::sincos(s.yaw);
  floats const way = speed * floats(dt);
  s.x = fma(way, cosine, s.x);
  s.y = fma(way, sine, s.y);
  floats const dx = floats(goal[0]) - s.x, dy = floats(goal[1]) - s.y;
  floats const distance = xsimd::sqrt(fma(dx, dx, fma(dy, dy, floats(1e-6f)))), change = turn - s.w;
  floats const towards = fma(dx, cosine, dy * sine) / distance;
  floats cost = fma(floats(by_distance), distance, floats(by_angle) - floats(by_angle) * towards);
  cost = fma(floats(by_turn) * change, change, cost);
  cost = fma(floats(by_backwards), xsimd::max(-speed, floats(0.0f)), cost);
  cost = fma(floats(by_noise_v * v), nv, cost);
  s.cost = s.cost + fma(floats(by_noise_w * w), nw, cost);
  s.w = turn;
}
// The weights of all rollouts in place of their costs; their sum is 1.
void weights_by_hand(float* costs) {
  floats least = hand::load(costs);
  for (int m = lanes; m < rollouts; m += lanes) least = xsimd::min(least, hand::load(costs + m));
  float lowest[lanes];
  least.store_unaligned(lowest);
  floats const low(*std::min_element(lowest, lowest + lanes));
  floats sum(0.0f);
  for (int m = 0; m < rollouts; m += lanes) {
    floats const share = xsimd::exp((low - hand::load(costs + m)) * floats(1.0f / temperature));
    sum = sum + share;
    share.store_unaligned(costs + m);
  }
  floats const scale(1.0f / xsimd::hadd(sum));
  for (int m = 0; m < rollouts; m += lanes) (hand::load(costs + m) * scale).store_unaligned(costs + m);
}
static_assert(rollouts % lanes == 0);

// The rollouts are the last axis of the noise.
[[gnu::flatten]] void control_by_hand(plan& to, plan const& from, float const* noise_v, float const* noise_w) {
  alignas(64) static float costs[rollouts];
  hand::blocks<lanes>(rollouts, [&](int m) {
    state_of_packs s{floats(0.0f), floats(0.0f), floats(0.0f), floats(from.w[0]), floats(0.0f)};
    for (int t = 0; t < steps; ++t)
      step_by_hand(s, hand::load(noise_v + t * rollouts + m), hand::load(noise_w + t * rollouts + m), from.v[t], from.w[t]);
    s.cost.store_unaligned(costs + m);
  });
  weights_by_hand(costs);
  for (int t = 0; t < steps; ++t) {
    floats v[2] = {floats(0.0f), floats(0.0f)}, w[2] = {floats(0.0f), floats(0.0f)};
    for (int m = 0, k = 0; m < rollouts; m += lanes, k ^= 1) {
      floats const weight = hand::load(costs + m);
      v[k] = hand::fma(weight, clip(floats(from.v[t]) + hand::load(noise_v + t * rollouts + m), slowest, fastest), v[k]);
      w[k] = hand::fma(weight, clip(floats(from.w[t]) + hand::load(noise_w + t * rollouts + m), -sharpest, sharpest), w[k]);
    }
    to.v[t] = xsimd::hadd(v[0] + v[1]);
    to.w[t] = xsimd::hadd(w[0] + w[1]);
  }
}
// The steps are the last axis of the noise: the noise of a pack of rollouts is turned into columns, and the mean runs along the steps.
[[gnu::flatten]] void control_by_hand_rows(plan& to, plan const& from, float const* noise_v, float const* noise_w) {
  alignas(64) static float costs[rollouts];
  hand::blocks<lanes>(rollouts, [&](int m) {
    alignas(64) float columns[2][steps][lanes];
    for (int n = 0; n < 2; ++n)
      hand::blocks<lanes>(steps, [&](int t) {
        floats square[lanes];
        for (int k = 0; k < lanes; ++k) square[k] = hand::load((n == 0 ? noise_v : noise_w) + (m + k) * steps + t);
        hand::transpose(square);
        for (int k = 0; k < lanes; ++k) square[k].store_aligned(columns[n][t + k]);
      });
    state_of_packs s{floats(0.0f), floats(0.0f), floats(0.0f), floats(from.w[0]), floats(0.0f)};
    for (int t = 0; t < steps; ++t) step_by_hand(s, hand::load(columns[0][t]), hand::load(columns[1][t]), from.v[t], from.w[t]);
    s.cost.store_unaligned(costs + m);
  });
  weights_by_hand(costs);
  hand::blocks<lanes>(steps, [&](int t) {
    floats const v0 = hand::load(from.v + t), w0 = hand::load(from.w + t);
    floats v[2] = {floats(0.0f), floats(0.0f)}, w[2] = {floats(0.0f), floats(0.0f)};
    for (int m = 0; m < rollouts; m += 2)
      for (int k = 0; k < 2; ++k) {
        floats const weight(costs[m + k]);
        v[k] = hand::fma(weight, clip(v0 + hand::load(noise_v + (m + k) * steps + t), slowest, fastest), v[k]);
        w[k] = hand::fma(weight, clip(w0 + hand::load(noise_w + (m + k) * steps + t), -sharpest, sharpest), w[k]);
      }
    (v[0] + v[1]).store_unaligned(to.v + t);
    (w[0] + w[1]).store_unaligned(to.w + t);
  });
}

// Noise: sums of four uniform numbers, of the deviations that the controller has.
template <class Noise, class Serial, class Hand, class F>
void mppi(benchmark::State& state, F, Serial serial, Hand by_hand) {
  static float noise_v[samples], noise_w[samples];
  static plan from, to[3];
  std::uint32_t seed = 1;
  auto const noise = [&] {
    float sum = -2;
    for (int k = 0; k < 4; ++k) sum += static_cast<float>((seed = seed * 1664525u + 1013904223u) >> 8) * 0x1p-24f;
    return sum * 1.732f;
  };
  for (int i = 0; i < samples; ++i) {
    noise_v[i] = 0.2f * noise();
    noise_w[i] = 0.4f * noise();
  }
  for (int t = 0; t < steps; ++t) {
    from.v[t] = 0.3f + 0.002f * static_cast<float>(t);
    from.w[t] = 0.2f - 0.004f * static_cast<float>(t);
  }
  auto const exprax = [](plan& to, plan const& from, float const* noise_v, float const* noise_w) {
    using speeds = ex::view<float, steps>;
    using in = ex::view<float const, steps>;
    std::tuple<speeds, speeds> result(speeds(to.v), speeds(to.w));
    ex::jit(F{}).into(result, Noise(noise_v), Noise(noise_w), in(from.v), in(from.w), ex::view<float const, 2>(goal));
  };
  auto const run = [](auto f, int k) { return [f, k] { bench::call([&] { f(to[k], from, noise_v, noise_w); }); }; };
  bench::compare_lanes(state, run(exprax, 0), run(serial, 1), run(by_hand, 2));
  for (int k : {1, 2})
    if (bench::differences(to[0].v, to[k].v, 2 * steps, 1e-4) != 0) state.SkipWithError("the plans differ");
}
void mppi_steps_2000x50(benchmark::State& state) {
  mppi<ex::view<float const, steps, rollouts>>(state, control<1>{}, control_serial<rollouts, 1>, control_by_hand);
}
void mppi_rows_2000x50(benchmark::State& state) {
  mppi<ex::view<float const, rollouts, steps>>(state, control<0>{}, control_serial<1, steps>, control_by_hand_rows);
}
EXPRAX_COMPARE(mppi_steps_2000x50);
EXPRAX_COMPARE(mppi_rows_2000x50);

}  // namespace
