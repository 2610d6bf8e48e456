// SPDX-License-Identifier: BSL-1.0
// What a target makes of simple programs: nanoseconds, and as ratios (above 1: ours is faster) a plain C++ loop, which calls the
// C library's functions, and a loop over xsimd's packs. targets.py builds it for one instruction set after the other.
#include <algorithm>
#include <cmath>
#include <vector>

#include <exprax/exprax.hpp>

#include "hand.hpp"

namespace ex = exprax;

namespace {

template <class T>
struct arrays {
  static constexpr int n = 1024;
  alignas(64) T x[n], y[n], z[n], out[n];
  arrays() {
    for (int i = 0; i < n; ++i) x[i] = T(0.03) * static_cast<T>((i * 37 + 11) % 331) + T(0.01), y[i] = T(0.02) * static_cast<T>((i * 53 + 7) % 293) + T(0.25), z[i] = x[i] - y[i];
  }
};

// ours: out from x, y and z as arrays; plain: the same of elements; packs: the same of packs.
template <int N, class T, class Ours, class Plain, class Packs>
void elementwise(benchmark::State& state, Ours, Plain plain, Packs packs) {
  static arrays<T> d;
  auto const by_ours = [] {
    bench::touch(&d);
    ex::view<T, N> out(d.out);
    ex::jit(Ours{}).into(out, ex::view<T const, N>(d.x), ex::view<T const, N>(d.y), ex::view<T const, N>(d.z));
    bench::touch(d.out);
  };
  auto const by_plain = [=] {
    bench::touch(&d);
    for (int i = 0; i < N; ++i) d.out[i] = plain(d.x[i], d.y[i], d.z[i]);
    bench::touch(d.out);
  };
  auto const by_packs = [=] {
    bench::touch(&d);
    constexpr int lanes = static_cast<int>(hand::pack<T>::size);
    for (int i = 0; i < N; i += lanes) packs(hand::load(d.x + i), hand::load(d.y + i), hand::load(d.z + i)).store_unaligned(d.out + i);
    bench::touch(d.out);
  };
  auto const times = bench::medians<-1>(state, by_ours, by_plain, by_packs);
  state.counters["ours_ns"] = times[0] * 1e9;
  state.counters["ns/element"] = times[0] * 1e9 / N;
  state.counters["plain/ours"] = times[1] / times[0];
  state.counters["xsimd/ours"] = times[2] / times[0];
}

void mul_add_1000(benchmark::State& s) {
  auto const f = [](auto x, auto y, auto z) { return x * y + z; };
  elementwise<1000, float>(s, f, f, f);
}
void mul_add_1000_double(benchmark::State& s) {
  auto const f = [](auto x, auto y, auto z) { return x * y + z; };
  elementwise<1000, double>(s, f, f, f);
}
EXPRAX_COMPARE(mul_add_1000);
EXPRAX_COMPARE(mul_add_1000_double);

#define FUNCTION(name, ours, plain)                                                                                                   \
  template <class T>                                                                                                                  \
  void name(benchmark::State& s) {                                                                                                    \
    elementwise<1024, T>(                                                                                                             \
        s, []([[maybe_unused]] auto x, [[maybe_unused]] auto y, [[maybe_unused]] auto z) { return ex::ours; },                        \
        []([[maybe_unused]] auto x, [[maybe_unused]] auto y, [[maybe_unused]] auto z) { return std::plain; },                         \
        []([[maybe_unused]] auto x, [[maybe_unused]] auto y, [[maybe_unused]] auto z) { return xsimd::plain; });                      \
  }                                                                                                                                   \
  EXPRAX_COMPARE(name<float>);                                                                                                        \
  EXPRAX_COMPARE(name<double>);
FUNCTION(exp, exp(z), exp(z))
FUNCTION(log, log(x), log(x))
FUNCTION(sin, sin(z), sin(z))
FUNCTION(cos, cos(z), cos(z))
FUNCTION(tanh, tanh(z), tanh(z))
FUNCTION(pow, pow(x, y), pow(x, y))

// A sum as a plain loop that a compiler may not reorder is a chain; the one to meet has four packs.
void sum_1000(benchmark::State& state) {
  static arrays<float> d;
  static ex::array<float> ours;
  static float plain, packs;
  auto const times = bench::medians<-1>(
      state,
      [] {
        bench::touch(&d);
        ex::jit([](auto x) { return ex::sum(x); }).into(ours, ex::view<float const, 1000>(d.x));
        bench::touch(&ours);
      },
      [] {
        bench::touch(&d);
        float s = 0;
        for (int i = 0; i < 1000; ++i) s += d.x[i];
        plain = s;
        bench::touch(&plain);
      },
      [] {
        bench::touch(&d);
        constexpr int lanes = static_cast<int>(hand::floats::size);
        hand::floats s[4] = {hand::floats(0.0f), hand::floats(0.0f), hand::floats(0.0f), hand::floats(0.0f)};
        int i = 0;
        for (; i + 4 * lanes <= 1000; i += 4 * lanes)
          for (int k = 0; k < 4; ++k) s[k] += hand::load(d.x + i + k * lanes);
        hand::floats const all = (s[0] + s[1]) + (s[2] + s[3]);
        float sum = 0;
        for (int k = 0; k < lanes; ++k) sum += all.get(static_cast<std::size_t>(k));
        for (; i < 1000; ++i) sum += d.x[i];
        packs = sum;
        bench::touch(&packs);
      });
  state.counters["ours_ns"] = times[0] * 1e9;
  state.counters["plain/ours"] = times[1] / times[0];
  state.counters["xsimd/ours"] = times[2] / times[0];
}
EXPRAX_COMPARE(sum_1000);

void softmax_1000(benchmark::State& state) {
  static arrays<float> d;
  auto const times = bench::medians<-1>(
      state,
      [] {
        bench::touch(&d);
        ex::view<float, 1000> out(d.out);
        ex::jit([](auto x) { return ex::nn::softmax(x); }).into(out, ex::view<float const, 1000>(d.x));
        bench::touch(d.out);
      },
      [] {
        bench::touch(&d);
        float most = d.x[0], sum = 0;
        for (int i = 1; i < 1000; ++i) most = std::max(most, d.x[i]);
        for (int i = 0; i < 1000; ++i) sum += d.out[i] = std::exp(d.x[i] - most);
        for (int i = 0; i < 1000; ++i) d.out[i] /= sum;
        bench::touch(d.out);
      });
  state.counters["ours_ns"] = times[0] * 1e9;
  state.counters["plain/ours"] = times[1] / times[0];
}
EXPRAX_COMPARE(softmax_1000);

template <class T>
void dot_64(benchmark::State& state) {
  constexpr int n = 64;
  static ex::array<T, n, n> a, b, c;
  static T plain[n * n];
  for (int i = 0; i < n * n; ++i) a.data()[i] = static_cast<T>(i % 7), b.data()[i] = static_cast<T>(i % 5);
  auto const times = bench::medians<-1>(
      state,
      [] {
        bench::touch(&a);
        ex::jit([](auto x, auto y) { return ex::dot(x, y); }).into(c, a, b);
        bench::touch(&c);
      },
      [] {
        bench::touch(&a);
        for (int i = 0; i < n; ++i) {
          for (int j = 0; j < n; ++j) plain[i * n + j] = 0;
          for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j) plain[i * n + j] += a.data()[i * n + k] * b.data()[k * n + j];
        }
        bench::touch(plain);
      });
  state.counters["ours_ns"] = times[0] * 1e9;
  state.counters["plain/ours"] = times[1] / times[0];
}
EXPRAX_COMPARE(dot_64<float>);
EXPRAX_COMPARE(dot_64<double>);

// Seed 002's convolution, for 64 rows; seed 000's is forward3_bench, seed 004's nonzero_bench, seed 003's loops control_flow_bench.
void convolve_rows(benchmark::State& state) {
  constexpr int rows = 64, n = 64;
  static ex::array<float, rows, n> x;
  static ex::array<float, rows, 3> w;
  static ex::array<float, rows, n - 2> out;
  static float plain[rows][n - 2];
  for (int i = 0; i < rows * n; ++i) x.data()[i] = static_cast<float>(i % 17);
  for (int i = 0; i < rows * 3; ++i) w.data()[i] = static_cast<float>(i % 3);
  auto const times = bench::medians<-1>(
      state,
      [] {
        bench::touch(&x);
        ex::jit(ex::vmap([](auto a, auto b) { return ex::convolve(a, b, ex::mode_valid); })).into(out, x, w);
        bench::touch(&out);
      },
      [] {
        bench::touch(&x);
        for (int r = 0; r < rows; ++r)
          for (int i = 0; i < n - 2; ++i) {
            float const* const a = x.data() + r * n + i;
            float const* const b = w.data() + r * 3;
            plain[r][i] = a[0] * b[2] + a[1] * b[1] + a[2] * b[0];
          }
        bench::touch(plain);
      });
  state.counters["ours_ns"] = times[0] * 1e9;
  state.counters["plain/ours"] = times[1] / times[0];
}
EXPRAX_COMPARE(convolve_rows);

}  // namespace
