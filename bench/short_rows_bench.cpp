// SPDX-License-Identifier: BSL-1.0
// Arrays with short rows, as points in space [n, 3], and what is computed for each row of them: beside plain loops.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include <exprax/exprax.hpp>

#include "results.hpp"

namespace ex = exprax;

namespace {

constexpr int rows = 6000;

// f(x, w): x [rows, N], w [N].
template <int N>
struct scaled {
  static constexpr auto f = [](auto x, auto w) { return x * w + 1; };
  static void plain(float const* x, float const* w, float* y) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < N; ++j) y[i * N + j] = x[i * N + j] * w[j] + 1;
  }
};
template <int N>
struct activated {
  static constexpr auto f = [](auto x, auto w) { return ex::tanh(x + w); };
  static void plain(float const* x, float const* w, float* y) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < N; ++j) y[i * N + j] = std::tanh(x[i * N + j] + w[j]);
  }
};
template <int N>
struct normalized {
  static constexpr auto f = [](auto x, auto) { return x / ex::linalg::norm(x, ex::axis<1>, ex::keepdims); };
  static void plain(float const* x, float const*, float* y) {
    for (int i = 0; i < rows; ++i) {
      float s = 0;
      for (int j = 0; j < N; ++j) s += x[i * N + j] * x[i * N + j];
      s = std::sqrt(s);
      for (int j = 0; j < N; ++j) y[i * N + j] = x[i * N + j] / s;
    }
  }
};
template <int N>
struct squares {
  static constexpr auto f = [](auto x, auto) { return ex::sum(x * x, ex::axis<1>); };
  static void plain(float const* x, float const*, float* y) {
    for (int i = 0; i < rows; ++i) {
      y[i] = 0;
      for (int j = 0; j < N; ++j) y[i] += x[i * N + j] * x[i * N + j];
    }
  }
};
template <int N>
struct largest {
  static constexpr auto f = [](auto x, auto) { return ex::max(x, ex::axis<1>); };
  static void plain(float const* x, float const*, float* y) {
    for (int i = 0; i < rows; ++i) {
      float m = x[i * N];
      for (int j = 1; j < N; ++j) m = std::max(m, x[i * N + j]);
      y[i] = m;
    }
  }
};
template <int N>
struct best {
  static constexpr auto f = [](auto x, auto) { return ex::argmax(x, ex::axis<1>).template astype<float>(); };
  static void plain(float const* x, float const*, float* y) {
    for (int i = 0; i < rows; ++i) {
      int m = 0;
      for (int j = 1; j < N; ++j)
        if (x[i * N + j] > x[i * N + m]) m = j;
      y[i] = static_cast<float>(m);
    }
  }
};
// Products with a vector, and with a small matrix.
template <int N>
struct weighted {
  static constexpr auto f = [](auto x, auto w) { return ex::dot(x, w); };
  static void plain(float const* x, float const* w, float* y) {
    for (int i = 0; i < rows; ++i) {
      float s = 0;
      for (int j = 0; j < N; ++j) s += x[i * N + j] * w[j];
      y[i] = s;
    }
  }
};
template <int N>
struct turned {
  static constexpr auto f = [](auto x, auto w) { return ex::dot(x, ex::outer(w, w)); };
  static void plain(float const* x, float const* w, float* y) {
    float matrix[N * N];
    for (int k = 0; k < N; ++k)
      for (int j = 0; j < N; ++j) matrix[k * N + j] = w[k] * w[j];
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < N; ++j) {
        float s = 0;
        for (int k = 0; k < N; ++k) s += x[i * N + k] * matrix[k * N + j];
        y[i * N + j] = s;
      }
  }
};
// Of columns.
template <int N>
struct stacked {
  static constexpr auto f = [](auto x, auto) { return ex::stack(ex::tuple(x(ex::all, 0) + 1, x(ex::all, 1) * 2), ex::axis<1>); };
  static void plain(float const* x, float const*, float* y) {
    for (int i = 0; i < rows; ++i) y[2 * i] = x[N * i] + 1, y[2 * i + 1] = x[N * i + 1] * 2;
  }
};

template <template <int> class Case, int N>
void compare_rows(benchmark::State& state) {
  ex::array<float, rows, N> x;
  ex::array<float, N> w;
  for (std::ptrdiff_t i = 0; i < x.size(); ++i) x.data()[i] = 0.1f + 0.01f * static_cast<float>(i % 97);
  for (float& e : w) e = 0.5f;
  auto const y = ex::jit(Case<N>::f)(x, w);
  bench::compare_results(
      state, x, y, y, {1e-6, 1e-5}, [&](auto& ours) { ex::jit(Case<N>::f).into(ours, x, w); },
      [&](auto& peer) { Case<N>::plain(x.data(), w.data(), peer.data()); });
}
#define EXPRAX_WIDTHS(name)               \
  EXPRAX_COMPARE(compare_rows<name, 2>);  \
  EXPRAX_COMPARE(compare_rows<name, 3>);  \
  EXPRAX_COMPARE(compare_rows<name, 5>);  \
  EXPRAX_COMPARE(compare_rows<name, 12>)
EXPRAX_WIDTHS(scaled);
EXPRAX_WIDTHS(activated);
EXPRAX_WIDTHS(normalized);
EXPRAX_WIDTHS(squares);
EXPRAX_WIDTHS(largest);
EXPRAX_WIDTHS(best);
EXPRAX_WIDTHS(weighted);
EXPRAX_WIDTHS(turned);
EXPRAX_WIDTHS(stacked);

// Pictures whose three colours lie side by side: bytes to planes of floats, floats to gray, and floats to bytes.
constexpr int pixels = 320 * 240;
constexpr auto to_planes = [](auto x) { return x.template astype<float>().T() * (1 / 255.0f); };
constexpr auto to_gray = [](auto x) { return ex::dot(x, ex::array<float, 3>{0.299f, 0.587f, 0.114f}); };
constexpr auto to_bytes = [](auto x) { return ex::clip(ex::round(x * 255.0f), 0.0f, 255.0f).template astype<std::uint8_t>(); };

ex::array<std::uint8_t, pixels, 3> picture() {
  ex::array<std::uint8_t, pixels, 3> x;
  for (std::ptrdiff_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<std::uint8_t>(i * 37);
  return x;
}
void planes(benchmark::State& state) {
  auto const x = picture();
  auto const y = ex::jit(to_planes)(x);
  bench::compare_results(
      state, x, y, y, {1e-6, 1e-6}, [&](auto& ours) { ex::jit(to_planes).into(ours, x); },
      [&](auto& peer) {
        for (int c = 0; c < 3; ++c)
          for (int i = 0; i < pixels; ++i) peer.data()[c * pixels + i] = static_cast<float>(x.data()[3 * i + c]) * (1 / 255.0f);
      });
}
EXPRAX_COMPARE(planes);
void gray(benchmark::State& state) {
  ex::array<float, pixels, 3> const x = ex::jit([](auto a) { return a.template astype<float>() / 255; })(picture());
  auto const y = ex::jit(to_gray)(x);
  bench::compare_results(
      state, x, y, y, {1e-6, 1e-5}, [&](auto& ours) { ex::jit(to_gray).into(ours, x); },
      [&](auto& peer) {
        for (int i = 0; i < pixels; ++i) peer.data()[i] = 0.299f * x.data()[3 * i] + 0.587f * x.data()[3 * i + 1] + 0.114f * x.data()[3 * i + 2];
      });
}
EXPRAX_COMPARE(gray);
void bytes(benchmark::State& state) {
  ex::array<float, 3 * pixels> x;
  for (std::ptrdiff_t i = 0; i < x.size(); ++i) x.data()[i] = 1.5f * std::sin(static_cast<float>(i));
  auto const y = ex::jit(to_bytes)(x);
  bench::compare_results(
      state, x, y, y, {0, 0}, [&](auto& ours) { ex::jit(to_bytes).into(ours, x); },
      [&](auto& peer) {
        for (std::ptrdiff_t i = 0; i < x.size(); ++i)
          peer.data()[i] = static_cast<std::uint8_t>(std::min(std::max(std::nearbyint(x.data()[i] * 255.0f), 0.0f), 255.0f));
      });
}
EXPRAX_COMPARE(bytes);

// The nearest of K centres of each point in space.
constexpr auto nearest_centre = [](auto points, auto centres) {
  auto const d = points(ex::all, ex::none) - centres(ex::none);
  return ex::argmin(ex::sum(d * d, ex::axis<-1>), ex::axis<-1>);
};
template <int K, int N>
void nearest(benchmark::State& state) {
  constexpr int points = 4096;
  ex::array<float, points, N> x;
  ex::array<float, K, N> c;
  for (std::ptrdiff_t i = 0; i < x.size(); ++i) x.data()[i] = std::sin(1.37f * static_cast<float>(i));
  for (std::ptrdiff_t i = 0; i < c.size(); ++i) c.data()[i] = std::sin(2.9f * static_cast<float>(i));
  auto const y = ex::jit(nearest_centre)(x, c);
  bench::compare_results(
      state, x, y, y, {0, 0}, [&](auto& ours) { ex::jit(nearest_centre).into(ours, x, c); },
      [&](auto& peer) {
        for (int i = 0; i < points; ++i) {
          float least = 1e30f;
          int at = 0;
          for (int k = 0; k < K; ++k) {
            float d = 0;
            for (int j = 0; j < N; ++j) d += (x(i, j) - c(k, j)) * (x(i, j) - c(k, j));
            if (d < least) least = d, at = k;
          }
          peer.data()[i] = at;
        }
      });
}
EXPRAX_COMPARE(nearest<16, 2>);
EXPRAX_COMPARE(nearest<8, 3>);
EXPRAX_COMPARE(nearest<64, 4>);

// The bits in which eight patterns differ from those of each of 512 rows.
constexpr auto differing_bits = [](auto x, auto w) { return ex::sum(ex::bitwise_count(x ^ w).template astype<int>(), ex::axis<1>); };
void hamming(benchmark::State& state) {
  constexpr int n = 512;
  ex::array<std::uint64_t, n, 8> x;
  ex::array<std::uint64_t, 8> w;
  for (int i = 0; i < 8; ++i) w(i) = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15ull;
  for (std::ptrdiff_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<std::uint64_t>(i) * 0xbf58476d1ce4e5b9ull;
  auto const y = ex::jit(differing_bits)(x, w);
  bench::compare_results(
      state, x, y, y, {0, 0}, [&](auto& ours) { ex::jit(differing_bits).into(ours, x, w); },
      [&](auto& peer) {
        for (int i = 0; i < n; ++i) {
          int bits = 0;
          for (int j = 0; j < 8; ++j) bits += std::popcount(x(i, j) ^ w(j));
          peer.data()[i] = bits;
        }
      });
}
EXPRAX_COMPARE(hamming);

// A sum over both axes, whose rows do not end with blocks of the order of sums; the peer adds each row in eight sums.
constexpr auto distance_to_outer = [](auto x, auto y, auto z) { return ex::sum(ex::abs(ex::outer(x, y) - z)); };
void outer_distance(benchmark::State& state) {
  constexpr int n = 100, m = 130;
  ex::array<float, n> x;
  ex::array<float, m> y;
  ex::array<float, n, m> z;
  for (int i = 0; i < n; ++i) x(i) = std::sin(static_cast<float>(i));
  for (int i = 0; i < m; ++i) y(i) = std::sin(0.3f * static_cast<float>(i));
  for (std::ptrdiff_t i = 0; i < z.size(); ++i) z.data()[i] = std::sin(0.9f * static_cast<float>(i));
  ex::array<float, 1> const r{0};
  bench::compare_results(
      state, z, r, r, {0, 1e-4}, [&](auto& ours) { ours(0) = ex::jit(distance_to_outer)(x, y, z).item(); },
      [&](auto& peer) {
        float sums[8] = {};
        for (int i = 0; i < n; ++i) {
          for (int j = 0; j + 8 <= m; j += 8)
            for (int k = 0; k < 8; ++k) sums[k] += std::abs(x(i) * y(j + k) - z(i, j + k));
          for (int j = m / 8 * 8; j < m; ++j) sums[0] += std::abs(x(i) * y(j) - z(i, j));
        }
        peer(0) = ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
      });
}
EXPRAX_COMPARE(outer_distance);

}  // namespace
