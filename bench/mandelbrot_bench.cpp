// SPDX-License-Identifier: BSL-1.0
// Two while loops of the batch: the Mandelbrot set (768 x 512 points, 256 iterations) and the lengths of Collatz sequences (from 1 to
// 1,000,000). By hand: several packs at once, a mask of the lanes that still run, and a look at it every few turns.
#include <cstdint>

#include <exprax/exprax.hpp>

#include "hand.hpp"

namespace ex = exprax;

namespace {

// --- Mandelbrot ---

constexpr int width = 768, height = 512, most = 256;

constexpr auto escape_time = [](auto cx, auto cy) {
  auto const inside = [](auto s) {
    auto const [x, y, i] = s;
    return (x * x + y * y < 4.0f) & (i < most);
  };
  auto const step = [=](auto s) {
    auto const [x, y, i] = s;
    return ex::tuple(x * x - y * y + cx, 2.0f * x * y + cy, i + 1);
  };
  return ex::get<2>(ex::while_loop(inside, step, ex::tuple(cx, cy, 0)));
};
constexpr auto mandelbrot = ex::vmap(ex::vmap(escape_time, ex::in_axes<0, ex::none>), ex::in_axes<ex::none, 0>);

void mandelbrot_serial(int* out, float const* xs, float const* ys) {
  for (int j = 0; j < height; ++j)
    for (int k = 0; k < width; ++k) {
      float x = xs[k], y = ys[j];
      int i = 0;
      while (x * x + y * y < 4.0f && i < most) {
        float const next = x * x - y * y + xs[k];
        y = 2.0f * x * y + ys[j];
        x = next;
        ++i;
      }
      out[j * width + k] = i;
    }
}

// Rounded as the contracted program is, so the counts are equal.
template <int Packs, int Every>
void mandelbrot_by_hand(int* out, float const* xs, float const* ys) {
  using hand::floats;
  using ints = hand::pack<int>;
  constexpr int lanes = static_cast<int>(floats::size);
  for (int j = 0; j < height; ++j) {
    floats const cy(ys[j]), four(4.0f);
    for (int k = 0; k < width; k += lanes * Packs) {
      floats cx[Packs], x[Packs], y[Packs];
      ints count[Packs];
      xsimd::batch_bool<float> runs[Packs];
      for (int p = 0; p < Packs; ++p) {
        x[p] = cx[p] = hand::load(xs + k + p * lanes);
        y[p] = cy;
        count[p] = ints(0);
        runs[p] = xsimd::batch_bool<float>(true);
      }
      for (int i = 0; i < most; i += Every) {
#pragma GCC unroll 16
        for (int t = 0; t < Every; ++t)
#pragma GCC unroll 8
          for (int p = 0; p < Packs; ++p) {
            floats const yy = y[p] * y[p];
            runs[p] = runs[p] & (hand::fma(x[p], x[p], yy) < four);
            count[p] = xsimd::select(xsimd::bool_cast(runs[p]), count[p] + ints(1), count[p]);
            floats const next = hand::fms(x[p], x[p], yy) + cx[p];
            y[p] = hand::fma(x[p] + x[p], y[p], cy);
            x[p] = next;
          }
        auto some = runs[0];
        for (int p = 1; p < Packs; ++p) some = some | runs[p];
        if (!xsimd::any(some)) break;
      }
      for (int p = 0; p < Packs; ++p) count[p].store_unaligned(out + j * width + k + p * lanes);
    }
  }
}

void mandelbrot_768x512(benchmark::State& state) {
  static float xs[width], ys[height];
  static int ours[height * width], serial[height * width], by_hand[4][height * width];
  for (int k = 0; k < width; ++k) xs[k] = -2.0f + 3.0f * static_cast<float>(k) / width;
  for (int j = 0; j < height; ++j) ys[j] = -1.0f + 2.0f * static_cast<float>(j) / height;
  auto const exprax = [] {
    ex::view<int, height, width> result(ours);
    ex::jit(mandelbrot).into(result, ex::view<float const, width>(xs), ex::view<float const, height>(ys));
  };
  auto const run = [](auto f) { return [f] { bench::call(f); }; };
  bench::compare_lanes(state, run(exprax), run([] { mandelbrot_serial(serial, xs, ys); }),
                       run([] { mandelbrot_by_hand<2, 1>(by_hand[0], xs, ys); }), run([] { mandelbrot_by_hand<2, 4>(by_hand[1], xs, ys); }),
                       run([] { mandelbrot_by_hand<4, 4>(by_hand[2], xs, ys); }),
                       run([] { mandelbrot_by_hand<4, 8>(by_hand[3], xs, ys); }));
  for (auto const& counts : by_hand)
    if (bench::differences(ours, counts, height * width, 0) != 0) state.SkipWithError("the counts differ from the loop by hand");
  // The compiler rounds the serial loop as it likes: points at the border of the set move.
  if (bench::differences(ours, serial, height * width, 0) > height * width / 200) state.SkipWithError("the counts differ");
}
EXPRAX_COMPARE_SLOW(mandelbrot_768x512);

// --- Collatz ---

constexpr int starts = 1000000;

constexpr auto collatz = [](auto n) {
  auto const above_one = [](auto s) { return ex::get<0>(s) != 1; };
  auto const step = [](auto s) {
    auto const [n, i] = s;
    return ex::tuple(ex::where((n & 1) == 0, ex::floor_divide(n, 2), 3 * n + 1), i + 1);
  };
  return ex::get<1>(ex::while_loop(above_one, step, ex::tuple(n, 0)));
};

void collatz_serial(int* out, std::uint64_t const* in) {
  for (int k = 0; k < starts; ++k) {
    int i = 0;
    for (std::uint64_t n = in[k]; n != 1; ++i) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    out[k] = i;
  }
}
template <int Packs, int Every>
void collatz_by_hand(int* out, std::uint64_t const* in) {
  using numbers = hand::pack<std::uint64_t>;
  constexpr int lanes = static_cast<int>(numbers::size), block = lanes * Packs;
  hand::blocks<block>(starts, [=](int k) {
    numbers const one(1);
    numbers n[Packs], count[Packs];
    for (int p = 0; p < Packs; ++p) {
      n[p] = hand::load(in + k + p * lanes);
      count[p] = numbers(0);
    }
    // 1 goes 1, 4, 2, 1: a lane that is done keeps 1.
    for (bool more = true; more;) {
      auto some = n[0] != one;
#pragma GCC unroll 16
      for (int t = 0; t < Every; ++t) {
#pragma GCC unroll 8
        for (int p = 0; p < Packs; ++p) {
          auto const runs = n[p] != one;
          numbers const next = xsimd::select((n[p] & one) == one, n[p] + n[p] + n[p] + one, n[p] >> 1);
          count[p] = xsimd::select(runs, count[p] + one, count[p]);
          n[p] = xsimd::select(runs, next, one);
          some = p == 0 ? runs : some | runs;
        }
      }
      more = xsimd::any(some);
    }
    std::uint64_t counts[block];
    for (int p = 0; p < Packs; ++p) count[p].store_unaligned(counts + p * lanes);
    for (int p = 0; p < block; ++p) out[k + p] = static_cast<int>(counts[p]);
  });
}

void collatz_1000000(benchmark::State& state) {
  static std::uint64_t in[starts];
  static int ours[starts], serial[starts], by_hand[4][starts];
  for (int k = 0; k < starts; ++k) in[k] = static_cast<std::uint64_t>(k + 1);
  auto const exprax = [] {
    ex::view<int, starts> result(ours);
    ex::jit(ex::vmap(collatz)).into(result, ex::view<std::uint64_t const, starts>(in));
  };
  auto const run = [](auto f) { return [f] { bench::call(f); }; };
  bench::compare_lanes(state, run(exprax), run([] { collatz_serial(serial, in); }), run([] { collatz_by_hand<2, 1>(by_hand[0], in); }),
                       run([] { collatz_by_hand<3, 1>(by_hand[1], in); }), run([] { collatz_by_hand<4, 2>(by_hand[2], in); }),
                       run([] { collatz_by_hand<4, 4>(by_hand[3], in); }));
  for (auto const& counts : by_hand)
    if (bench::differences(counts, serial, starts, 0) != 0) state.SkipWithError("the loop by hand differs");
  if (bench::differences(ours, serial, starts, 0) != 0) state.SkipWithError("the lengths differ");
}
EXPRAX_COMPARE_SLOW(collatz_1000000);

}  // namespace
