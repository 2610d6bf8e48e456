// SPDX-License-Identifier: BSL-1.0
// The Mandelbrot set as text: a while loop for one point, mapped over the columns and the rows. The points of a pack run together, and
// each keeps its own count.
#include <algorithm>
#include <iostream>
#include <string>

#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr int width = 78, height = 32, most = 200;

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

int main() {
  ex::array<float, width> xs;
  ex::array<float, height> ys;
  for (int k = 0; k < width; ++k) xs(k) = -2.1f + 2.8f * static_cast<float>(k) / (width - 1);
  for (int j = 0; j < height; ++j) ys(j) = -1.2f + 2.4f * static_cast<float>(j) / (height - 1);

  auto const counts = ex::jit(picture)(xs, ys);
  std::string const shades = " .:-=+*%@#";
  int inside_the_set = 0;
  for (int j = 0; j < height; ++j) {
    for (int k = 0; k < width; ++k) {
      inside_the_set += counts(j, k) == most;
      std::size_t shade = 0;
      for (int n = counts(j, k); n > 1 && shade + 1 < shades.size(); n -= n / 3 + 1) ++shade;
      std::cout << (counts(j, k) == most ? shades.back() : shades[std::min(shade, shades.size() - 2)]);
    }
    std::cout << '\n';
  }
  // The area of the set is about 1.5.
  float const area = static_cast<float>(inside_the_set) * 2.8f / (width - 1) * 2.4f / (height - 1);
  return area > 1.3f && area < 1.7f ? 0 : 1;
}
