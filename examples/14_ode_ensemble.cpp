// SPDX-License-Identifier: BSL-1.0
// An ensemble of ordinary differential equations: epidemics that differ in how many people one infects. One solution is a scan of the steps
// of Runge and Kutta; vmap makes all of them run side by side. The program writes epidemics.gp for gnuplot, which draws epidemics.png.
#include <cmath>
#include <cstdio>
#include <fstream>

#include <exprax/core.hpp>

namespace ex = exprax;

constexpr int runs = 4, steps = 1000;
constexpr float h = 0.1f;

// Susceptible, infected: s' = -r s i, i' = r s i - i. Time is counted in infections.
constexpr auto slope = [](auto y, auto r) {
  auto const s = y(0), i = y(1);
  return ex::stack(ex::tuple(-r * s * i, r * s * i - i));
};

constexpr auto rk4_step = [](auto y, auto r) {
  auto const k1 = slope(y, r);
  auto const k2 = slope(y + h / 2 * k1, r);
  auto const k3 = slope(y + h / 2 * k2, r);
  auto const k4 = slope(y + h * k3, r);
  return y + h / 6 * (k1 + 2.0f * k2 + 2.0f * k3 + k4);
};

// y0: [2], r: [] -> [steps, 2]
constexpr auto solve = [](auto y0, auto r) {
  auto const body = [=](auto y, auto) { return ex::tuple(rk4_step(y, r), y); };
  return ex::get<1>(ex::scan(body, y0, ex::length<steps>));
};

// The part z that is infected in the end solves z = 1 - exp(-r z): by fixed points.
constexpr auto final_size = [](auto r) { return ex::fori_loop(0, 200, [=](auto, auto z) { return 1.0f - ex::exp(-r * z); }, 1.0f); };

void write_plot(char const* path, ex::array<float, runs> const& r, ex::array<float, runs, steps, 2> const& y) {
  std::ofstream file(path);
  file << "set terminal png\nset output 'epidemics.png'\nset xlabel 'time'\nset ylabel 'infected'\nset xrange [0:30]\nplot";
  for (int k = 0; k < runs; ++k) file << (k ? ", " : " ") << "'-' with lines title 'R = " << r(k) << "'";
  file << '\n';
  for (int k = 0; k < runs; ++k) {
    for (int t = 0; t < steps; ++t) file << h * static_cast<float>(t) << ' ' << y(k, t, 1) << '\n';
    file << "e\n";
  }
}

int main() {
  ex::array<float, runs> const r{1.5f, 2, 3, 5};
  ex::array<float, 2> const y0{0.9999f, 0.0001f};
  auto const y = ex::jit(ex::vmap(solve, ex::in_axes<ex::none, 0>))(y0, r);
  auto const sizes = ex::jit(ex::vmap(final_size))(r);
  write_plot("epidemics.gp", r, y);
  for (int k = 0; k < runs; ++k) {
    int peak = 0;
    for (int t = 0; t < steps; ++t) peak = y(k, t, 1) > y(k, peak, 1) ? t : peak;
    // At the peak s = 1 / r, so that i = 1 - (1 + log r) / r.
    std::printf("R = %.1f: %2.0f %% at once, %2.0f %% by theory; %2.0f %% in the end, %2.0f %% by theory\n", r(k), 100 * y(k, peak, 1),
                100 * (1 - (1 + std::log(r(k))) / r(k)), 100 * (1 - y(k, steps - 1, 0)), 100 * sizes(k));
  }
}
