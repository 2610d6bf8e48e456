// SPDX-License-Identifier: BSL-1.0
// The wave equation on a square membrane, by finite differences: scan carries two states over the time, and gives a frame after every 20
// steps. The membrane starts in one of its standing waves, which come again after each period, here 160 steps, with the heights of a
// cosine.
#include <cmath>
#include <iostream>
#include <numbers>

#include <exprax/core.hpp>
#include <exprax/numpy.hpp>

#include "image.hpp"

namespace ex = exprax;

constexpr int n = 128, frames = 9, steps_of_a_frame = 20, period = 160;
constexpr double pi = std::numbers::pi;

// The differences of second order inside; the border is held at 0.
constexpr auto laplacian = [](auto u) {
  auto const inner = u(ex::slice<1, -1>, ex::slice<1, -1>);
  auto const around = u(ex::slice<2, ex::none>, ex::slice<1, -1>) + u(ex::slice<0, -2>, ex::slice<1, -1>) +
                      u(ex::slice<1, -1>, ex::slice<2, ex::none>) + u(ex::slice<1, -1>, ex::slice<0, -2>);
  return ex::pad<1>(around - 4.0f * inner);
};

// courant: the square of (speed of the waves) * (time step) / (distance of the points)
constexpr auto simulate = [](auto start, auto courant) {
  auto const step = [=](auto, auto state) {
    auto const [before, now] = state;
    return ex::tuple(now, 2.0f * now - before + courant * laplacian(now));
  };
  auto const frame = [=](auto state, auto) { return ex::tuple(ex::fori_loop(0, steps_of_a_frame, step, state), ex::get<1>(state)); };
  auto const at_rest = ex::tuple(start + 0.5f * courant * laplacian(start), start);  // the step before the first, and the first
  return ex::get<1>(ex::scan(frame, at_rest, ex::length<frames>));
};

// Hills are red, valleys blue.
constexpr auto colours = [](auto u) {
  auto const up = 255.0f * ex::clip(u, 0.0f, 1.0f), down = 255.0f * ex::clip(-u, 0.0f, 1.0f);
  return ex::astype<std::uint8_t>(255.0f - ex::stack(ex::tuple(down, up + down, up), ex::axis<-1>));
};

int main() {
  constexpr int across = 3, along = 2;
  ex::array<float, n, n> start;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) start(i, j) = static_cast<float>(std::sin(across * pi * i / (n - 1)) * std::sin(along * pi * j / (n - 1)));

  // The laplacian of this wave is the wave times -(a + b), and a step turns its angle by 2 pi / period if the number is this.
  double const a = 4 * std::pow(std::sin(across * pi / 2 / (n - 1)), 2), b = 4 * std::pow(std::sin(along * pi / 2 / (n - 1)), 2);
  auto const courant = static_cast<float>(2 * (1 - std::cos(2 * pi / period)) / (a + b));

  auto const movie = ex::jit(simulate)(start, courant);
  auto const pictures = ex::jit(ex::vmap(colours))(movie);
  for (int k = 0; k < frames; ++k) {
    write_image("wave_" + std::to_string(k), pictures(k));
    // The part of the first frame that is in this one.
    auto const height = ex::sum(movie(k) * start) / ex::sum(start * start);
    std::cout << "step " << k * steps_of_a_frame << ": " << std::lround(100 * float{height}) << " % of the first height\n";
  }
}
