// SPDX-License-Identifier: BSL-1.0
// A fused kernel of ten operations with exp against the same loop written by hand with xsimd. Gathers that are part of the loop or the
// reduction that reads them, against plain loops: sums of rows of a table, sums of elements with weights, a bilinear resize.
#include <algorithm>
#include <cmath>
#include <vector>

#include <exprax/exprax.hpp>
#include <xsimd/xsimd.hpp>

#include "compare.hpp"

namespace ex = exprax;

namespace {

constexpr auto ten = [](auto x, auto y) {
  auto a = x * y + 0.5f;
  auto e = ex::exp(-ex::abs(a));
  auto b = e * x - y;
  auto c = ex::maximum(b, e);
  return c * c + e;
};

using pack = xsimd::batch<float>;

pack ten_by_hand(pack x, pack y) {
  pack const a = x * y + 0.5f;
  pack const e = xsimd::exp(-xsimd::abs(a));
  pack const c = xsimd::max(e * x - y, e);
  return c * c + e;
}
[[gnu::noinline]] void by_hand(float* out, float const* x, float const* y, int n) {
  int const size = static_cast<int>(pack::size);
  int i = 0;
  for (; i + size <= n; i += size) ten_by_hand(pack::load_unaligned(x + i), pack::load_unaligned(y + i)).store_unaligned(out + i);
  if (i < n) {
    i = n - size;
    ten_by_hand(pack::load_unaligned(x + i), pack::load_unaligned(y + i)).store_unaligned(out + i);
  }
}

template <int N>
[[gnu::noinline]] void by_exprax(float* out, float const* x, float const* y) {
  ex::view<float, N> result(out);
  ex::jit(ten).into(result, ex::view<float const, N>(x), ex::view<float const, N>(y));
}

template <int N>
void fused_ten(benchmark::State& state) {
  std::vector<float> x(N), y(N), ours(N), peer(N);
  for (int i = 0; i < N; ++i) {
    x[static_cast<std::size_t>(i)] = std::sin(static_cast<float>(i) * 1.37f) * 3;
    y[static_cast<std::size_t>(i)] = std::cos(static_cast<float>(i) * 0.73f) * 3;
  }
  bench::compare(
      state,
      [&] {
        by_exprax<N>(ours.data(), x.data(), y.data());
        bench::touch(ours.data());
      },
      [&] {
        by_hand(peer.data(), x.data(), y.data(), N);
        bench::touch(peer.data());
      });
  for (std::size_t i = 0; i < N; ++i)
    if (!(std::abs(ours[i] - peer[i]) <= 1e-5f * (1 + std::abs(peer[i])))) state.SkipWithError("the results differ");
}

EXPRAX_COMPARE(fused_ten<1000>);
EXPRAX_COMPARE(fused_ten<1003>);
EXPRAX_COMPARE(fused_ten<1000000>);

template <class F, class G>
void compare_results(benchmark::State& state, std::vector<float>& ours, std::vector<float>& peer, F f, G g) {
  auto const touched = [](auto run, std::vector<float>& out) {
    return [run, &out] {
      run(out.data());
      bench::touch(out.data());
    };
  };
  bench::compare(state, touched(f, ours), touched(g, peer));
  for (std::size_t i = 0; i < ours.size(); ++i)
    if (!(std::abs(ours[i] - peer[i]) <= 1e-3f * (1 + std::abs(peer[i])))) state.SkipWithError("the results differ");
}
std::vector<float> numbers(int n) {
  std::vector<float> x(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = std::sin(static_cast<float>(i) * 1.37f);
  return x;
}
std::vector<int> places(int n, int below) {
  std::vector<int> x(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = static_cast<int>(i * 7919LL % below);
  return x;
}

constexpr auto bag = [](auto t, auto i) { return ex::sum(ex::take(t, i, ex::axis<0>), ex::axis<1>); };
template <int Bags, int Size, int Width>
void embedding_bag(benchmark::State& state) {
  constexpr int rows = 1000;
  std::vector<float> const t = numbers(rows * Width);
  std::vector<int> const i = places(Bags * Size, rows);
  std::vector<float> ours(Bags * Width), peer(Bags * Width);
  compare_results(
      state, ours, peer,
      [&](float* out) {
        ex::view<float, Bags, Width> result(out);
        ex::jit(bag).into(result, ex::view<float const, rows, Width>(t.data()), ex::view<int const, Bags, Size>(i.data()));
      },
      [&](float* out) {
        for (int b = 0; b < Bags; ++b) {
          float sum[Width] = {};
          for (int k = 0; k < Size; ++k)
            for (int c = 0; c < Width; ++c) sum[c] += t.data()[i.data()[b * Size + k] * Width + c];
          std::copy(sum, sum + Width, out + b * Width);
        }
      });
}
EXPRAX_COMPARE(embedding_bag<128, 8, 32>);
EXPRAX_COMPARE(embedding_bag<32, 100, 48>);

constexpr auto sparse = [](auto x, auto i, auto w) { return ex::sum(x(i) * w, ex::axis<1>); };
template <int Rows, int Size>
void sparse_rows(benchmark::State& state) {
  constexpr int n = 1000;
  std::vector<float> const x = numbers(n), w = numbers(Rows * Size);
  std::vector<int> const i = places(Rows * Size, n);
  std::vector<float> ours(Rows), peer(Rows);
  compare_results(
      state, ours, peer,
      [&](float* out) {
        ex::view<float, Rows> result(out);
        ex::jit(sparse).into(result, ex::view<float const, n>(x.data()), ex::view<int const, Rows, Size>(i.data()),
                             ex::view<float const, Rows, Size>(w.data()));
      },
      [&](float* out) {
        for (int r = 0; r < Rows; ++r) {
          float sum = 0;
          for (int k = r * Size; k < (r + 1) * Size; ++k) sum += x.data()[i.data()[k]] * w.data()[k];
          out[r] = sum;
        }
      });
}
EXPRAX_COMPARE(sparse_rows<64, 64>);

// Pixels and weights are computed.
template <int N>
constexpr auto resized = [](auto image) {
  auto const at = ex::clip((ex::arange<2 * N>().template astype<float>() + 0.5f) * 0.5f - 0.5f, 0.0f, static_cast<float>(N - 1));
  auto const i = ex::floor(at).template astype<int>();
  auto const k = ex::minimum(i + 1, N - 1);
  auto const w = at - i.template astype<float>();
  auto const of_rows = w(ex::all, ex::none);
  auto const rows = ex::take(image, i, ex::axis<0>) * (1.0f - of_rows) + ex::take(image, k, ex::axis<0>) * of_rows;
  return ex::take(rows, i, ex::axis<1>) * (1.0f - w) + ex::take(rows, k, ex::axis<1>) * w;
};
template <int N>
void bilinear(benchmark::State& state) {
  std::vector<float> const image = numbers(N * N);
  std::vector<float> ours(4 * N * N), peer(4 * N * N);
  compare_results(
      state, ours, peer,
      [&](float* out) {
        ex::view<float, 2 * N, 2 * N> result(out);
        ex::jit(resized<N>).into(result, ex::view<float const, N, N>(image.data()));
      },
      [&](float* out) {
        auto const place = [](int i) { return std::min(std::max((static_cast<float>(i) + 0.5f) * 0.5f - 0.5f, 0.0f), N - 1.0f); };
        for (int i = 0; i < 2 * N; ++i) {
          int const a = static_cast<int>(place(i)), b = std::min(a + 1, N - 1);
          float const u = place(i) - static_cast<float>(a);
          float row[N];
          for (int j = 0; j < N; ++j) row[j] = image.data()[a * N + j] * (1 - u) + image.data()[b * N + j] * u;
          for (int j = 0; j < 2 * N; ++j) {
            int const c = static_cast<int>(place(j)), d = std::min(c + 1, N - 1);
            float const v = place(j) - static_cast<float>(c);
            out[i * 2 * N + j] = row[c] * (1 - v) + row[d] * v;
          }
        }
      });
}
EXPRAX_COMPARE(bilinear<64>);

}  // namespace
