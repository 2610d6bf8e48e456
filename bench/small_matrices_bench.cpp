// SPDX-License-Identifier: BSL-1.0
// 1,024 products of 6 x 6 floats: one matrix after the other, with the batch as the last axis, and in tiles of 16 matrices, each with the
// batch as the last axis. And 1,024 convolutions of 64 numbers with 3 weights each.
#include <array>
#include <cmath>

#include <Eigen/Dense>

#include <exprax/exprax.hpp>

#include "hand.hpp"

namespace ex = exprax;

namespace {

constexpr int batch = 1024, side = 6, elements = side * side, tile = 16;
constexpr double flops = 2.0 * batch * side * elements;

using hand::floats;
constexpr int lanes = static_cast<int>(floats::size);

// --- 6 x 6 products ---

constexpr auto product = [](auto a, auto b) { return ex::matmul(a, b); };
constexpr auto product_last = ex::vmap(product, ex::in_axes<2, 2>, ex::out_axes<2>);

struct data {
  alignas(64) float a[batch * elements], b[batch * elements];
};
data const& matrices() {
  static data d;
  static bool const filled = [] {
    for (int i = 0; i < batch * elements; ++i) {
      d.a[i] = std::sin(static_cast<float>(i) * 1.37f);
      d.b[i] = std::cos(static_cast<float>(i) * 0.73f);
    }
    return true;
  }();
  bench::touch(&filled);
  return d;
}
alignas(64) float out[8][batch * elements];

// Element (i, j) of matrix m stands at m / Tile * 36 * Tile + (6 i + j) * Tile + m % Tile.
template <int Tile>
void products_serial(float* c, float const* a, float const* b) {
  for (int m = 0; m < batch; ++m) {
    int const at = m / Tile * elements * Tile + m % Tile;
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j) {
        float sum = 0;
        for (int k = 0; k < side; ++k) sum += a[at + (side * i + k) * Tile] * b[at + (side * k + j) * Tile];
        c[at + (side * i + j) * Tile] = sum;
      }
  }
}
// A row of 6 in a pack of 8: what is read beyond the row counts for nothing, and what is written beyond it is written again by the row
// that stands there. The last matrix has nothing behind it.
using octet = xsimd::make_sized_batch<float, 8>::type;
[[gnu::always_inline]] inline void product_by_rows(float* c, float const* a, float const* b) {
  octet rows[side];
  for (int k = 0; k < side; ++k) rows[k] = octet::load_unaligned(b + side * k);
#pragma GCC unroll 6
  for (int i = 0; i < side; ++i) {
    octet sum = octet(a[side * i]) * rows[0];
#pragma GCC unroll 6
    for (int k = 1; k < side; ++k) {
#if defined(__FMA__)
      sum = octet(_mm256_fmadd_ps(octet(a[side * i + k]), rows[k], sum));
#else
      sum = octet(a[side * i + k]) * rows[k] + sum;
#endif
    }
    sum.store_unaligned(c + side * i);
  }
}
// The same with two rows in a pack of 16, which share the rows of b.
[[gnu::always_inline]] inline void product_by_pairs(float* c, float const* a, float const* b) {
#if defined(__AVX512F__)
  __m512i const twice = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 0, 0, 0);
  __m512i const first = _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 6, 6, 6, 6, 6, 6, 0, 0, 0, 0);
  __m512 rows[side], sums[side / 2];
#pragma GCC unroll 6
  for (int k = 0; k < side; ++k) rows[k] = _mm512_permutexvar_ps(twice, _mm512_castps256_ps512(_mm256_loadu_ps(b + side * k)));
#pragma GCC unroll 6
  for (int i = 0; i < side / 2; ++i) {
    __m512 const pair = _mm512_loadu_ps(a + 2 * side * i);
    sums[i] = _mm512_mul_ps(_mm512_permutexvar_ps(first, pair), rows[0]);
#pragma GCC unroll 6
    for (int k = 1; k < side; ++k) {
      __m512i const place = _mm512_add_epi32(first, _mm512_set1_epi32(k));
      sums[i] = _mm512_fmadd_ps(_mm512_permutexvar_ps(place, pair), rows[k], sums[i]);
    }
  }
  for (int i = 0; i < side / 2; ++i) _mm512_storeu_ps(c + 2 * side * i, sums[i]);
#else
  product_by_rows(c, a, b);
#endif
}
template <auto Product>
void products_by_hand(float* c, float const* a, float const* b) {
  for (int m = 0; m < batch - 1; ++m) Product(c + m * elements, a + m * elements, b + m * elements);
  float copy[3][elements + 4] = {};
  constexpr int last = (batch - 1) * elements;
  std::copy_n(a + last, elements, copy[0]);
  std::copy_n(b + last, elements, copy[1]);
  Product(copy[2], copy[0], copy[1]);
  std::copy_n(copy[2], elements, c + last);
}
// The batch in the lanes: Rows rows of a at a time in registers.
template <int Tile, int Rows>
void products_by_lanes(float* c, float const* a, float const* b) {
  for (int m = 0; m < batch; m += lanes) {
    int const at = m / Tile * elements * Tile + m % Tile;
    for (int top = 0; top < side; top += Rows) {
      floats left[Rows][side];
#pragma GCC unroll 6
      for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 6
        for (int k = 0; k < side; ++k) left[i][k] = hand::load(a + at + (side * (top + i) + k) * Tile);
#pragma GCC unroll 6
      for (int j = 0; j < side; ++j) {
        floats sum[Rows];
#pragma GCC unroll 6
        for (int k = 0; k < side; ++k) {
          floats const right = hand::load(b + at + (side * k + j) * Tile);
#pragma GCC unroll 6
          for (int i = 0; i < Rows; ++i) sum[i] = k == 0 ? left[i][0] * right : hand::fma(left[i][k], right, sum[i]);
        }
#pragma GCC unroll 6
        for (int i = 0; i < Rows; ++i) sum[i].store_unaligned(c + at + (side * (top + i) + j) * Tile);
      }
    }
  }
}
// Rows that are far apart meet in the cache: everything is copied, a few packs at a time.
template <int Tile, int Packs>
void products_by_lanes_of_copies(float* c, float const* a, float const* b) {
  constexpr int wide = Packs * lanes;
  static_assert(Tile % wide == 0 && batch % wide == 0);
  alignas(64) float left[elements][wide], right[elements][wide], result[elements][wide];
  for (int m = 0; m < batch; m += wide) {
    int const at = m / Tile * elements * Tile + m % Tile;
    for (int k = 0; k < elements; ++k)
#pragma GCC unroll 4
      for (int p = 0; p < wide; p += lanes) {
        hand::load(a + at + k * Tile + p).store_aligned(left[k] + p);
        hand::load(b + at + k * Tile + p).store_aligned(right[k] + p);
      }
    for (int p = 0; p < wide; p += lanes)
#pragma GCC unroll 6
      for (int j = 0; j < side; ++j) {
        floats column[side];
#pragma GCC unroll 6
        for (int k = 0; k < side; ++k) column[k] = floats::load_aligned(right[side * k + j] + p);
#pragma GCC unroll 6
        for (int i = 0; i < side; ++i) {
          floats sum = floats::load_aligned(left[side * i] + p) * column[0];
#pragma GCC unroll 6
          for (int k = 1; k < side; ++k) sum = hand::fma(floats::load_aligned(left[side * i + k] + p), column[k], sum);
          sum.store_aligned(result[side * i + j] + p);
        }
      }
    for (int k = 0; k < elements; ++k)
#pragma GCC unroll 4
      for (int p = 0; p < wide; p += lanes) floats::load_aligned(result[k] + p).store_unaligned(c + at + k * Tile + p);
  }
}
template <class F>
auto on_matrices(F f, float* c) {
  data const& d = matrices();
  return [f, c, &d] { bench::call([&] { f(c, d.a, d.b); }); };
}
template <class... Results>
void check(benchmark::State& state, Results const*... results) {
  for (float const* r : {results...})
    if (bench::differences(out[0], r, batch * elements, 1e-4) != 0) state.SkipWithError("the results differ");
  state.counters["GFLOP/s"] = flops / state.counters["ours_ns"].value;
}
void products_rows(float* c, float const* a, float const* b) {
  using in = ex::view<float const, batch, side, side>;
  ex::view<float, batch, side, side> result(c);
  ex::jit(ex::vmap(product)).into(result, in(a), in(b));
}
void small_products_rows(benchmark::State& state) {
  bench::compare_lanes(state, on_matrices(products_rows, out[0]), on_matrices(products_serial<1>, out[1]),
                       on_matrices(products_by_hand<product_by_rows>, out[2]), on_matrices(products_by_hand<product_by_pairs>, out[3]));
  check(state, out[1], out[2], out[3]);
}
void small_products_rows_eigen(benchmark::State& state) {
  using matrix = Eigen::Matrix<float, side, side, Eigen::RowMajor>;
  static matrix own[3][batch];
  data const& d = matrices();
  for (int m = 0; m < batch; ++m) {
    own[0][m] = Eigen::Map<matrix const>(d.a + m * elements);
    own[1][m] = Eigen::Map<matrix const>(d.b + m * elements);
  }
  auto const by_maps = [](float* c, float const* a, float const* b) {
    for (int m = 0; m < batch * elements; m += elements)
      Eigen::Map<matrix>(c + m).noalias() = Eigen::Map<matrix const>(a + m) * Eigen::Map<matrix const>(b + m);
  };
  auto const by_lazy_maps = [](float* c, float const* a, float const* b) {
    for (int m = 0; m < batch * elements; m += elements)
      Eigen::Map<matrix>(c + m) = Eigen::Map<matrix const>(a + m).lazyProduct(Eigen::Map<matrix const>(b + m));
  };
  auto const by_matrices = [] {
    for (int m = 0; m < batch; ++m) own[2][m].noalias() = own[0][m] * own[1][m];
  };
  bench::compare(state, on_matrices(products_rows, out[0]), on_matrices(by_maps, out[1]), on_matrices(by_lazy_maps, out[2]),
                 [=] { bench::call(by_matrices); });
  check(state, out[1], out[2], own[2][0].data());
}
template <int Tile, class F>
void lanes_against_hand(benchmark::State& state, F ours) {
  bench::compare_lanes(state, on_matrices(ours, out[0]), on_matrices(products_serial<Tile>, out[1]),
                       on_matrices(products_by_lanes<Tile, 1>, out[2]), on_matrices(products_by_lanes<Tile, 2>, out[3]),
                       on_matrices(products_by_lanes<Tile, 3>, out[4]), on_matrices(products_by_lanes_of_copies<Tile, Tile % (8 * lanes) == 0 ? 8 : 1>, out[5]));
  check(state, out[1], out[2], out[3], out[4], out[5]);
}
void small_products_batch_last(benchmark::State& state) {
  lanes_against_hand<batch>(state, [](float* c, float const* a, float const* b) {
    using in = ex::view<float const, side, side, batch>;
    ex::view<float, side, side, batch> result(c);
    ex::jit(product_last).into(result, in(a), in(b));
  });
}
void small_products_tiles(benchmark::State& state) {
  lanes_against_hand<tile>(state, [](float* c, float const* a, float const* b) {
    using in = ex::view<float const, batch / tile, side, side, tile>;
    ex::view<float, batch / tile, side, side, tile> result(c);
    ex::jit(ex::vmap(product_last)).into(result, in(a), in(b));
  });
}
EXPRAX_COMPARE(small_products_rows);
EXPRAX_COMPARE(small_products_rows_eigen);
EXPRAX_COMPARE(small_products_batch_last);
EXPRAX_COMPARE(small_products_tiles);

// --- Convolutions ---

constexpr int points = 64, taps = 3, results = points - taps + 1;

constexpr auto convolve = [](auto x, auto w) {
  constexpr int n = decltype(x)::extent(0);
  std::array<ex::expr<float>, n - 2> sums;
  for (int i = 1; i < n - 1; ++i) sums[static_cast<std::size_t>(i - 1)] = ex::dot(ex::dynamic_slice<3>(x, i - 1), w);
  return ex::stack(sums);
};

void convolve_serial(float* y, float const* x, float const* w) {
  for (int m = 0; m < batch; ++m)
    for (int i = 0; i < results; ++i) {
      float const* const at = x + m * points + i;
      y[m * results + i] = at[0] * w[m * taps] + at[1] * w[m * taps + 1] + at[2] * w[m * taps + 2];
    }
}
void convolve_by_hand(float* y, float const* x, float const* w) {
  for (int m = 0; m < batch; ++m) {
    floats const w0(w[m * taps]), w1(w[m * taps + 1]), w2(w[m * taps + 2]);
    float const* const row = x + m * points;
    hand::blocks<lanes>(results, [&](int i) {
      floats const sum = hand::fma(hand::load(row + i + 2), w2, hand::fma(hand::load(row + i + 1), w1, hand::load(row + i) * w0));
      sum.store_unaligned(y + m * results + i);
    });
  }
}
void convolve_1024x64(benchmark::State& state) {
  static float x[batch * points], w[batch * taps], y[3][batch * results];
  for (int i = 0; i < batch * points; ++i) x[i] = std::sin(static_cast<float>(i) * 1.37f);
  for (int i = 0; i < batch * taps; ++i) w[i] = std::cos(static_cast<float>(i) * 0.73f);
  auto const exprax = [](float* to, float const* from, float const* weights) {
    ex::view<float, batch, results> result(to);
    ex::jit(ex::vmap(convolve)).into(result, ex::view<float const, batch, points>(from), ex::view<float const, batch, taps>(weights));
  };
  auto const run = [](auto f, int k) { return [f, k] { bench::call([&] { f(y[k], x, w); }); }; };
  bench::compare_lanes(state, run(exprax, 0), run(convolve_serial, 1), run(convolve_by_hand, 2));
  for (int k : {1, 2})
    if (bench::differences(y[0], y[k], batch * results, 1e-5) != 0) state.SkipWithError("the results differ");
}
EXPRAX_COMPARE(convolve_1024x64);

}  // namespace
