// SPDX-License-Identifier: BSL-1.0
// The Mandelbrot set as a picture: a while loop for one point, mapped over the columns and the rows. The points of a pack run together,
// and each keeps its own count.
#include <cmath>
#include <iostream>

#include <exprax/core.hpp>

#include "image.hpp"

namespace ex = exprax;

constexpr int width = 420, height = 360, most = 200;

// cx, cy: [] -> [] the number of turns before the orbit of 0 leaves the circle of radius 2
constexpr auto escape_time = [](auto cx, auto cy) {
  auto const inside = [](auto s) {
    auto const [x, y, i] = s;
    return (x * x + y * y < 4.0f) & (i < most);
  };
  auto const step = [=](auto s) {
    auto const [x, y, i] = s;
    return ex::tuple(x * x - y * y + cx, 2.0f * x * y + cy, i + 1);
  };
  return ex::get<2>(ex::while_loop(inside, step, ex::tuple(0.0f, 0.0f, 0)));
};

// xs: [width], ys: [height] -> [height, width]
constexpr auto row = ex::vmap(escape_time, ex::in_axes<0, ex::none>);
constexpr auto picture = ex::vmap(row, ex::in_axes<ex::none, 0>);

// 0 never leaves, and 1 goes to 2 and stays on the circle.
static_assert(ex::jit(escape_time)(0.0f, 0.0f) == most && ex::jit(escape_time)(1.0f, 0.0f) == 2);

// The set is black; the later a point leaves, the brighter it is.
constexpr auto colours = [](auto counts) {
  auto const t = ex::sqrt(ex::astype<float>(counts) / most);
  auto const rgb = ex::stack(ex::tuple(t, t * t, 0.25f + 0.5f * t), ex::axis<-1>);
  return ex::astype<std::uint8_t>(255.0f * ex::where((counts == most)(ex::all, ex::all, ex::newaxis), 0.0f, rgb));
};

int main() {
  ex::array<float, width> const xs = ex::linspace<width>(-2.1f, 0.7f);
  ex::array<float, height> const ys = ex::linspace<height>(1.2f, -1.2f);
  auto const counts = ex::jit(picture)(xs, ys);
  write_image("mandelbrot", ex::jit(colours)(counts));

  // The area of the set is 1.506.
  float const area = 2.8f * 2.4f * float{ex::mean(counts == most)};
  std::cout << "the area of the set is about " << std::round(10 * area) / 10 << '\n';
}
