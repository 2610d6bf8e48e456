// SPDX-License-Identifier: BSL-1.0
// The Lorenz system by Runge and Kutta's method of order 4: 4,096 starts, 1,000 steps, as the scan of a batch. By hand: the state of
// one, two and four packs of starts in registers.
#include <exprax/exprax.hpp>

#include "hand.hpp"

namespace ex = exprax;

namespace {

constexpr int starts = 4096, steps = 1000;
constexpr float dt = 0.01f;

constexpr auto flow = [](auto x, auto y, auto z) {
  return ex::tuple(10.0f * (y - x), x * (28.0f - z) - y, x * y - 8.0f / 3.0f * z);
};
constexpr auto rk4 = [](auto s, auto) {
  auto const [x, y, z] = s;
  auto const [a1, b1, c1] = flow(x, y, z);
  auto const [a2, b2, c2] = flow(x + 0.5f * dt * a1, y + 0.5f * dt * b1, z + 0.5f * dt * c1);
  auto const [a3, b3, c3] = flow(x + 0.5f * dt * a2, y + 0.5f * dt * b2, z + 0.5f * dt * c2);
  auto const [a4, b4, c4] = flow(x + dt * a3, y + dt * b3, z + dt * c3);
  return ex::tuple(ex::tuple(x + dt / 6 * (a1 + 2.0f * (a2 + a3) + a4), y + dt / 6 * (b1 + 2.0f * (b2 + b3) + b4),
                             z + dt / 6 * (c1 + 2.0f * (c2 + c3) + c4)),
                   ex::tuple());
};
constexpr auto lorenz = [](auto x, auto y, auto z) { return ex::get<0>(ex::scan(rk4, ex::tuple(x, y, z), ex::length<steps>)); };

struct states {
  float x[starts], y[starts], z[starts];
};

struct point {
  float x, y, z;
};
point flow_serial(float x, float y, float z) { return {10.0f * (y - x), x * (28.0f - z) - y, x * y - 8.0f / 3.0f * z}; }
// Out of line: g++ makes packs of the loop over the starts.
[[gnu::noinline]] point serial_orbit(float x, float y, float z) {
  for (int t = 0; t < steps; ++t) {
    point const p = flow_serial(x, y, z);
    point const q = flow_serial(x + 0.5f * dt * p.x, y + 0.5f * dt * p.y, z + 0.5f * dt * p.z);
    point const r = flow_serial(x + 0.5f * dt * q.x, y + 0.5f * dt * q.y, z + 0.5f * dt * q.z);
    point const s = flow_serial(x + dt * r.x, y + dt * r.y, z + dt * r.z);
    x += dt / 6 * (p.x + 2.0f * (q.x + r.x) + s.x);
    y += dt / 6 * (p.y + 2.0f * (q.y + r.y) + s.y);
    z += dt / 6 * (p.z + 2.0f * (q.z + r.z) + s.z);
  }
  return {x, y, z};
}
void serial(states& to, states const& from) {
  for (int k = 0; k < starts; ++k) {
    point const p = serial_orbit(from.x[k], from.y[k], from.z[k]);
    to.x[k] = p.x;
    to.y[k] = p.y;
    to.z[k] = p.z;
  }
}

// One step, rounded as the contracted program is, so the bits are equal. The last slopes go into the sums as they are made.
using hand::floats;
[[gnu::always_inline]] inline void step_by_hand(floats& x, floats& y, floats& z) {
  using hand::fma, hand::fms;
  floats const half(0.5f * dt), whole(dt), sixth(dt / 6), two(2.0f), ten(10.0f), r28(28.0f), third(8.0f / 3.0f);
  auto const flow = [&](floats x, floats y, floats z, floats& a, floats& b, floats& c) __attribute__((always_inline)) {
    a = ten * (y - x);
    b = fms(x, r28 - z, y);
    c = fms(x, y, third * z);
  };
  floats a1, b1, c1, a2, b2, c2, a3, b3, c3;
  flow(x, y, z, a1, b1, c1);
  flow(fma(half, a1, x), fma(half, b1, y), fma(half, c1, z), a2, b2, c2);
  flow(fma(half, a2, x), fma(half, b2, y), fma(half, c2, z), a3, b3, c3);
  floats const x4 = fma(whole, a3, x), y4 = fma(whole, b3, y), z4 = fma(whole, c3, z);
  x = fma(sixth, fma(ten, y4 - x4, fma(two, a2 + a3, a1)), x);
  y = fma(sixth, fma(two, b2 + b3, b1) + fms(x4, r28 - z4, y4), y);
  z = fma(sixth, fma(two, c2 + c3, c1) + fms(x4, y4, third * z4), z);
}
template <int Packs>
void by_hand(states& to, states const& from) {
  constexpr int lanes = static_cast<int>(floats::size);
  for (int k = 0; k < starts; k += lanes * Packs) {
    floats x[Packs], y[Packs], z[Packs];
    for (int p = 0; p < Packs; ++p) {
      x[p] = hand::load(from.x + k + p * lanes);
      y[p] = hand::load(from.y + k + p * lanes);
      z[p] = hand::load(from.z + k + p * lanes);
    }
    for (int t = 0; t < steps; ++t)
#pragma GCC unroll 8
      for (int p = 0; p < Packs; ++p) step_by_hand(x[p], y[p], z[p]);
    for (int p = 0; p < Packs; ++p) {
      x[p].store_unaligned(to.x + k + p * lanes);
      y[p].store_unaligned(to.y + k + p * lanes);
      z[p].store_unaligned(to.z + k + p * lanes);
    }
  }
}

void lorenz_4096x1000(benchmark::State& state) {
  static states from, to[5];
  for (int k = 0; k < starts; ++k) {
    from.x[k] = 1 + static_cast<float>(k) / 16384;
    from.y[k] = 1;
    from.z[k] = 20 + static_cast<float>(k) / 1024;
  }
  auto const exprax = [] {
    using in = ex::view<float const, starts>;
    using out = ex::view<float, starts>;
    std::tuple<out, out, out> result(out(to[0].x), out(to[0].y), out(to[0].z));
    ex::jit(ex::vmap(lorenz)).into(result, in(from.x), in(from.y), in(from.z));
  };
  auto const run = [](auto f, int k) { return [f, k] { bench::call([&] { f(to[k], from); }); }; };
  bench::compare_lanes(state, [&] { bench::call(exprax); }, run(serial, 1), run(by_hand<1>, 2), run(by_hand<2>, 3), run(by_hand<4>, 4));
  for (int k : {2, 3, 4})
    if (bench::differences(to[0].x, to[k].x, 3 * starts, 0) != 0) state.SkipWithError("the states differ from the loop by hand");
  // The system is chaotic: what the compiler rounds otherwise grows with time.
  if (bench::differences(to[0].x, to[1].x, 3 * starts, 0.05) > starts / 10) state.SkipWithError("the states differ");
}
EXPRAX_COMPARE_SLOW(lorenz_4096x1000);

}  // namespace
