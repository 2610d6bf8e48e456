// SPDX-License-Identifier: BSL-1.0
// Loops against the loop written by hand, with carries of one number, of a 3 x 3 matrix, of 64 numbers and of a grid; ours_ns and peer_ns
// are for one turn.
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include <exprax/exprax.hpp>

#include "results.hpp"

namespace ex = exprax;

namespace {

constexpr int turns = 1000, long_array = 10000;

// Times a call and the loop by hand, and divides by the number of turns.
template <class Ours, class Peer>
void compare_turns(benchmark::State& state, int n, Ours ours, Peer peer) {
  bench::compare(state, ours, peer);
  for (char const* name : {"ours_ns", "peer_ns"}) state.counters[name] = state.counters[name].value / n;
}
template <int N, class T>
bool differ(T const* a, T const* b) {
  for (int i = 0; i < N; ++i)
    if (!(std::abs(a[i] - b[i]) <= T(1e-4) * (1 + std::abs(b[i])))) return true;
  return false;
}

// --- One number ---

// Compilers know closed forms for integers.
constexpr auto next = [](auto x) { return x * 0.999f + 1.0f; };
constexpr auto by_fori = [](auto n, auto x) { return ex::fori_loop(0, n, [](auto, auto v) { return next(v); }, x); };
constexpr auto by_while = [](auto n, auto x) {
  auto const going_on = [n](auto s) { return ex::get<0>(s) < n; };
  auto const step = [](auto s) { return ex::tuple(ex::get<0>(s) + 1, next(ex::get<1>(s))); };
  return ex::get<1>(ex::while_loop(going_on, step, ex::tuple(0, x)));
};

template <auto const& F>
[[gnu::noinline]] float ours_scalar(int n, float x) {
  return *ex::jit<F>()(n, ex::array<float>(x)).data();
}
[[gnu::noinline]] float scalar_by_hand(int n, float x) {
  for (int i = 0; i < n; ++i) x = x * 0.999f + 1.0f;
  return x;
}
template <auto const& F>
void scalar_loop(benchmark::State& state) {
  int n = turns;
  float ours = 0, peer = 0, start = 1;
  compare_turns(
      state, n,
      [&] {
        bench::touch(&n);
        bench::touch(&start);
        ours = ours_scalar<F>(n, start);
        bench::touch(&ours);
      },
      [&] {
        bench::touch(&n);
        bench::touch(&start);
        peer = scalar_by_hand(n, start);
        bench::touch(&peer);
      });
  if (differ<1>(&ours, &peer)) state.SkipWithError("the results differ");
}
void fori_loop_scalar(benchmark::State& state) { scalar_loop<by_fori>(state); }
void while_loop_scalar(benchmark::State& state) { scalar_loop<by_while>(state); }
EXPRAX_COMPARE(fori_loop_scalar);
EXPRAX_COMPARE(while_loop_scalar);

// --- Arrays in and out ---

template <class F, class T>
[[gnu::noinline]] void call(F f, T* out, T const* in) {
  f(out, in);
}
// Inputs and outputs of a loop on arrays of T; the two candidates get (out, in) and must agree.
template <int Out, int In, class T, class Ours, class Peer>
void array_loop(benchmark::State& state, int n, T scale, Ours ours, Peer peer) {
  static T in[In], out[2][Out];
  for (int i = 0; i < In; ++i) in[i] = std::sin(static_cast<T>(i) * T(1.37)) * scale;
  auto const run = [](auto f, int k) {
    return [=] {
      bench::touch(in);
      call(f, out[k], in);
      bench::touch(out[k]);
    };
  };
  compare_turns(state, n, run(ours, 0), run(peer, 1));
  if (differ<Out>(out[0], out[1])) state.SkipWithError("the results differ");
}

// Of numbers, or of rows of N columns.
template <int... N>
constexpr auto recurrence = [](auto xs) {
  auto const [last, ys] = ex::scan([](auto c, auto x) { return ex::tuple(c * 0.5f + x, c); }, ex::zeros<float, N...>(), xs);
  return ys;
};
void scan_scalar(benchmark::State& state) {
  constexpr int n = turns;
  array_loop<n, n, float>(
      state, n, 1.0f, [](float* out, float const* in) {
        ex::view<float, n> result(out);
        ex::jit(recurrence<>).into(result, ex::view<float const, n>(in));
      },
      [](float* __restrict out, float const* __restrict in) {
        float c = 0;
        for (int i = 0; i < n; ++i) {
          out[i] = c;
          c = c * 0.5f + in[i];
        }
      });
}
EXPRAX_COMPARE(scan_scalar);
template <int N>
void scan_columns(benchmark::State& state) {
  constexpr int n = 200;
  array_loop<n * N, n * N, float>(
      state, n, 1.0f, [](float* out, float const* in) {
        ex::view<float, n, N> result(out);
        ex::jit(recurrence<N>).into(result, ex::view<float const, n, N>(in));
      },
      [](float* __restrict out, float const* __restrict in) {
        float c[N] = {};
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < N; ++j) {
            out[i * N + j] = c[j];
            c[j] = c[j] * 0.5f + in[i * N + j];
          }
      });
}
EXPRAX_COMPARE(scan_columns<20>);
EXPRAX_COMPARE(scan_columns<50>);
EXPRAX_COMPARE(scan_columns<100>);
EXPRAX_COMPARE(scan_columns<200>);

// m = m a, and m = m * a + b by elements; a is the start too.
constexpr auto powers = [](auto n, auto a) { return ex::fori_loop(0, n, [a](auto, auto m) { return ex::matmul(m, a); }, a); };
constexpr auto affine = [](auto n, auto a) { return ex::fori_loop(0, n, [a](auto, auto m) { return m * a + a; }, a); };

void fori_loop_3x3_product(benchmark::State& state) {
  array_loop<9, 9, double>(
      state, turns, 0.6, [](double* out, double const* in) {
        int n = turns;
        bench::touch(&n);
        ex::view<double, 3, 3> result(out);
        ex::jit(powers).into(result, n, ex::view<double const, 3, 3>(in));
      },
      [](double* __restrict out, double const* __restrict in) {
        int n = turns;
        bench::touch(&n);
        double m[9];
        for (int k = 0; k < 9; ++k) m[k] = in[k];
        for (int t = 0; t < n; ++t) {
          double next[9];
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) next[3 * i + j] = m[3 * i] * in[j] + m[3 * i + 1] * in[3 + j] + m[3 * i + 2] * in[6 + j];
          for (int k = 0; k < 9; ++k) m[k] = next[k];
        }
        for (int k = 0; k < 9; ++k) out[k] = m[k];
      });
}
template <int N, class T, class View>
void elementwise_loop(benchmark::State& state) {
  array_loop<N, N, T>(
      state, turns, T(0.9), [](T* out, T const* in) {
        int n = turns;
        bench::touch(&n);
        typename View::template of<T> result(out);
        ex::jit(affine).into(result, n, typename View::template of<T const>(in));
      },
      [](T* __restrict out, T const* __restrict in) {
        int n = turns;
        bench::touch(&n);
        T m[N], a[N];
        for (int k = 0; k < N; ++k) m[k] = a[k] = in[k];
        for (int t = 0; t < n; ++t)
          for (int k = 0; k < N; ++k) m[k] = m[k] * a[k] + a[k];
        for (int k = 0; k < N; ++k) out[k] = m[k];
      });
}
template <int... D>
struct view_of {
  template <class T>
  using of = ex::view<T, D...>;
};
void fori_loop_3x3_elements(benchmark::State& state) { elementwise_loop<9, double, view_of<3, 3>>(state); }
void fori_loop_64_elements(benchmark::State& state) { elementwise_loop<64, float, view_of<64>>(state); }
EXPRAX_COMPARE(fori_loop_3x3_product);
EXPRAX_COMPARE(fori_loop_3x3_elements);
EXPRAX_COMPARE(fori_loop_64_elements);

// --- Arrays that are updated in place, running sums ---

// Each turn reads what the one before wrote: the loop by hand keeps it in a register.
constexpr auto filter = [](auto n, auto x) {
  return ex::fori_loop(1, n, [](auto i, auto a) { return a.at(i).set(a(i - 1) * 0.5f + a(i)); }, x);
};
void fori_loop_at_set_recurrence(benchmark::State& state) {
  array_loop<long_array, long_array, float>(
      state, long_array, 1.0f, [](float* out, float const* in) {
        int n = long_array;
        bench::touch(&n);
        ex::view<float, long_array> result(out);
        ex::jit(filter).into(result, n, ex::view<float const, long_array>(in));
      },
      [](float* __restrict out, float const* __restrict in) {
        int n = long_array;
        bench::touch(&n);
        for (int i = 0; i < long_array; ++i) out[i] = in[i];
        for (int i = 1; i < n; ++i) out[i] = out[i - 1] * 0.5f + out[i];
      });
}
EXPRAX_COMPARE(fori_loop_at_set_recurrence);

// Elements in an order that is known at run time only, as in a table of counts.
constexpr auto scattered = [](auto n, auto x, auto order) {
  return ex::fori_loop(0, n, [order, x](auto i, auto a) { return a.at(order(i)).set(a(order(i)) * 0.5f + x(i)); }, x);
};
int const* order() {
  static int of[long_array];
  for (int i = 0; i < long_array; ++i) of[i] = static_cast<int>(i * 7919L % long_array);
  return of;
}
void fori_loop_at_set(benchmark::State& state) {
  static int const* const places = order();
  array_loop<long_array, long_array, float>(
      state, long_array, 1.0f, [](float* out, float const* in) {
        int n = long_array;
        bench::touch(&n);
        ex::view<float, long_array> result(out);
        ex::jit(scattered).into(result, n, ex::view<float const, long_array>(in), ex::view<int const, long_array>(places));
      },
      [](float* __restrict out, float const* __restrict in) {
        int n = long_array;
        bench::touch(&n);
        for (int i = 0; i < long_array; ++i) out[i] = in[i];
        for (int i = 0; i < n; ++i) out[places[i]] = out[places[i]] * 0.5f + in[i];
      });
}
EXPRAX_COMPARE(fori_loop_at_set);

// --- Equations on a grid: each step reads the neighbours in the array of the step before ---

constexpr int side = 256, steps = 100;
template <class U>
constexpr auto laplacian(U u) {
  auto const c = u(ex::slice<1, -1>, ex::slice<1, -1>);
  return u(ex::slice<0, -2>, ex::slice<1, -1>) + u(ex::slice<2, ex::none>, ex::slice<1, -1>) + u(ex::slice<1, -1>, ex::slice<0, -2>) +
         u(ex::slice<1, -1>, ex::slice<2, ex::none>) - 4.0f * c;
}
constexpr auto by_set = [](auto u) {
  auto const c = u(ex::slice<1, -1>, ex::slice<1, -1>);
  return u.at(ex::slice<1, -1>, ex::slice<1, -1>).set(c + 0.2f * laplacian(u));
};
constexpr auto by_pad = [](auto u) { return u + ex::pad<1>(0.2f * laplacian(u)); };
template <auto const& Step>
constexpr auto heat = [](auto u) { return ex::fori_loop(0, steps, [](auto, auto v) { return Step(v); }, u); };
// The carry holds the last two arrays.
constexpr auto wave = [](auto u) {
  auto const next = [](auto, auto s) {
    auto const v = ex::get<0>(s), before = ex::get<1>(s);
    auto const c = v(ex::slice<1, -1>, ex::slice<1, -1>), old = before(ex::slice<1, -1>, ex::slice<1, -1>);
    return ex::tuple(v.at(ex::slice<1, -1>, ex::slice<1, -1>).set(2.0f * c - old + 0.2f * laplacian(v)), v);
  };
  return ex::get<0>(ex::fori_loop(0, steps, next, ex::tuple(u, u)));
};

// By hand: two arrays that change places. g++ -O2 does not vectorize such loops.
#if defined(__clang__)
#define EXPRAX_VECTORIZED
#else
#define EXPRAX_VECTORIZED __attribute__((optimize("O3")))
#endif
EXPRAX_VECTORIZED void heat_step(float* __restrict to, float const* __restrict u) {
  for (int i = 1; i < side - 1; ++i)
    for (int j = 1; j < side - 1; ++j) {
      float const* const c = u + i * side + j;
      to[i * side + j] = *c + 0.2f * (c[-side] + c[side] + c[-1] + c[1] - 4.0f * *c);
    }
}
EXPRAX_VECTORIZED void wave_step(float* __restrict before, float const* __restrict u) {
  for (int i = 1; i < side - 1; ++i)
    for (int j = 1; j < side - 1; ++j) {
      float const* const c = u + i * side + j;
      before[i * side + j] = 2.0f * *c - before[i * side + j] + 0.2f * (c[-side] + c[side] + c[-1] + c[1] - 4.0f * *c);
    }
}
#undef EXPRAX_VECTORIZED

template <auto const& Ours, class Step>
void grid_loop(benchmark::State& state, Step step) {
  static float other[side * side];
  array_loop<side * side, side * side, float>(
      state, steps, 1.0f,
      [](float* out, float const* in) {
        ex::view<float, side, side> result(out);
        ex::jit(Ours).into(result, ex::view<float const, side, side>(in));
      },
      [step](float* out, float const* in) {
        for (int i = 0; i < side * side; ++i) out[i] = other[i] = in[i];
        float *u = out, *v = other;
        for (int t = 0; t < steps; ++t) {
          step(v, u);
          std::swap(u, v);
        }
      });
}
void heat_equation_at_set(benchmark::State& state) { grid_loop<heat<by_set>>(state, heat_step); }
void heat_equation_pad(benchmark::State& state) { grid_loop<heat<by_pad>>(state, heat_step); }
void wave_equation(benchmark::State& state) { grid_loop<wave>(state, wave_step); }
EXPRAX_COMPARE(heat_equation_at_set);
EXPRAX_COMPARE(heat_equation_pad);
EXPRAX_COMPARE(wave_equation);

constexpr auto running_sum = [](auto x) { return ex::cumsum(x); };
template <class T, int N>
void cumsum(benchmark::State& state) {
  std::vector<T> x(N), ours(N), peer(N);
  for (int i = 0; i < N; ++i) x[static_cast<std::size_t>(i)] = static_cast<T>(i % 13);
  ex::view<T, N> result(ours.data());
  bench::compare(
      state,
      [&] {
        bench::touch(x.data());
        ex::jit(running_sum).into(result, ex::view<T const, N>(x.data()));
        bench::touch(ours.data());
      },
      [&] {
        bench::touch(x.data());
        std::inclusive_scan(x.begin(), x.end(), peer.begin());
        bench::touch(peer.data());
      });
  // Long sums of floats are trees of blocks (primitives/reductions/cumulative.hpp).
  T const near = std::is_integral_v<T> ? T(0) : peer.back() / T(1000);
  for (std::size_t i = 0; i < ours.size(); ++i)
    if (ours[i] - peer[i] > near || peer[i] - ours[i] > near) return state.SkipWithError("the results differ");
}
EXPRAX_COMPARE(cumsum<float, 10000>);
EXPRAX_COMPARE(cumsum<float, 1000000>);
EXPRAX_COMPARE(cumsum<int, 1000000>);
EXPRAX_COMPARE(cumsum<double, 1000000>);

// Along the first axis.
constexpr auto running_rows = [](auto x) { return ex::cumsum(x, ex::axis<0>); };
template <int Rows, int Columns>
void cumsum_of_rows(benchmark::State& state) {
  ex::array<float, Rows, Columns> x;
  for (int i = 0; i < Rows * Columns; ++i) x.data()[i] = static_cast<float>(i % 13);
  bench::compare_results(
      state, x, x, x, {0, 0}, [&](auto& ours) { ex::jit(running_rows).into(ours, x); },
      [&](auto& peer) {
        for (int j = 0; j < Columns; ++j) peer(0, j) = x(0, j);
        for (int i = 1; i < Rows; ++i)
          for (int j = 0; j < Columns; ++j) peer(i, j) = peer(i - 1, j) + x(i, j);
      });
}
EXPRAX_COMPARE(cumsum_of_rows<32, 160>);
EXPRAX_COMPARE(cumsum_of_rows<512, 512>);

}  // namespace
