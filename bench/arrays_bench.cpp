// SPDX-License-Identifier: BSL-1.0
// Array programs of the field: Laplace's equation by finite differences, updates of every second element, pooling, the energy of all pairs
// of charges, elementwise chains of 3, 10 and 30 operations, and sums, maxima and dot products from 1,000 to 10 million numbers. Beside
// plain loops, Eigen and xtensor.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <Eigen/Dense>

#include <exprax/exprax.hpp>

#if __has_include(<xtensor/xview.hpp>)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <xtensor/xfixed.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>
#pragma GCC diagnostic pop
#define EXPRAX_BENCH_XTENSOR 1
#endif

#include "results.hpp"

namespace ex = exprax;

namespace {

// --- Laplace's equation on N x N points: 100 Jacobi steps of NumPy's program, and the change of the last one ---

constexpr int steps = 100;
constexpr double w = 0.3, h = 0.2;  // weights of the neighbours along x and y: 2 (w + h) = 1

constexpr auto laplace = [](auto u) {
  auto const step = [](auto, auto last) {
    auto const [v, change] = last;
    auto const inner = w * (v(ex::slice<1, -1>, ex::slice<ex::none, -2>) + v(ex::slice<1, -1>, ex::slice<2, ex::none>)) +
                       h * (v(ex::slice<ex::none, -2>, ex::slice<1, -1>) + v(ex::slice<2, ex::none>, ex::slice<1, -1>));
    auto const next = v.at(ex::slice<1, -1>, ex::slice<1, -1>).set(inner);
    return ex::tuple(next, ex::sqrt(ex::sum(ex::square(next - v))));
  };
  return ex::fori_loop(0, steps, step, ex::tuple(u, ex::float64(0)));
};
template <int N>
void laplace_by_loops(double* u, double* other, double& change) {
  std::copy(u, u + N * N, other);
  for (int k = 0; k < steps; ++k) {
    double sum = 0;
    for (int i = 1; i < N - 1; ++i)
      for (int j = 1; j < N - 1; ++j) {
        double const next =
            w * (u[i * N + j - 1] + u[i * N + j + 1]) + h * (u[(i - 1) * N + j] + u[(i + 1) * N + j]);
        double const d = next - u[i * N + j];
        other[i * N + j] = next, sum += d * d;
      }
    std::swap(u, other), change = std::sqrt(sum);
  }
}
template <int N>
void laplace_by_eigen(double* out, double& change) {
  using grid = Eigen::Map<Eigen::Array<double, N, N, Eigen::RowMajor>>;
  static std::vector<double> before(N * N);
  grid u(out), last(before.data());
  for (int k = 0; k < steps; ++k) {
    last = u;
    u.template block<N - 2, N - 2>(1, 1) = w * (last.template block<N - 2, N - 2>(1, 0) + last.template block<N - 2, N - 2>(1, 2)) +
                                           h * (last.template block<N - 2, N - 2>(0, 1) + last.template block<N - 2, N - 2>(2, 1));
    change = std::sqrt((u - last).square().sum());
  }
}
#if EXPRAX_BENCH_XTENSOR
template <int N>
void laplace_by_xtensor(double* out, double& change) {
  static xt::xtensor_fixed<double, xt::xshape<N, N>> u, last;
  std::copy(out, out + N * N, u.data());
  auto const inner = [] { return xt::range(1, N - 1); };
  auto const below = [] { return xt::range(0, N - 2); };
  auto const above = [] { return xt::range(2, N); };
  for (int k = 0; k < steps; ++k) {
    last = u;
    xt::noalias(xt::view(u, inner(), inner())) = w * (xt::view(last, inner(), below()) + xt::view(last, inner(), above())) +
                                             h * (xt::view(last, below(), inner()) + xt::view(last, above(), inner()));
    double sum = 0;
    for (std::size_t i = 0; i < N * N; ++i) sum += (u.data()[i] - last.data()[i]) * (u.data()[i] - last.data()[i]);
    change = std::sqrt(sum);
  }
  std::copy(u.data(), u.data() + N * N, out);
}
#endif
template <int N>
void laplace_equation(benchmark::State& state) {
  std::vector<double> start(N * N), ours(N * N), loops(N * N), other(N * N), by_eigen(N * N), by_xtensor(N * N);
  for (int j = 0; j < N; ++j) start[static_cast<std::size_t>(j)] = std::sin(0.1 * j);
  double change = 0, change_of_peer = 0;
  bench::compare(
      state,
      [&] {
        ex::array<double> last;
        ex::view<double, N, N> to(ours.data());
        ex::jit(laplace).into(std::tie(to, last), ex::view<double const, N, N>(start.data()));
        change = last.item();
        bench::touch(ours.data());
      },
      [&] { loops = start, laplace_by_loops<N>(loops.data(), other.data(), change_of_peer), bench::touch(loops.data()); },
#if EXPRAX_BENCH_XTENSOR
      [&] { by_xtensor = start, laplace_by_xtensor<N>(by_xtensor.data(), change_of_peer), bench::touch(by_xtensor.data()); },
#endif
      [&] { by_eigen = start, laplace_by_eigen<N>(by_eigen.data(), change_of_peer), bench::touch(by_eigen.data()); });
  for (std::size_t i = 0; i < ours.size(); ++i)
    if (!(std::abs(ours[i] - loops[i]) <= 1e-9)) state.SkipWithError("the results differ");
  if (!(std::abs(change - change_of_peer) <= 1e-9)) state.SkipWithError("the changes differ");
}
EXPRAX_COMPARE(laplace_equation<100>);
EXPRAX_COMPARE(laplace_equation<150>);
EXPRAX_COMPARE_SLOW(laplace_equation<200>);

// --- Updates of every second element, from its neighbours; and the means of windows of 2 x 2 pixels ---

constexpr auto every_second = [](auto u) {
  return u.at(ex::slice<1, -1, 2>).set(0.5f * (u(ex::slice<0, -2, 2>) + u(ex::slice<2, ex::none, 2>)));
};
void update_every_second(benchmark::State& state) {
  constexpr int n = 4097;
  ex::array<float, n> u;
  for (int i = 0; i < n; ++i) u(i) = std::sin(static_cast<float>(i));
  bench::compare_results(
      state, u, u, u, {0, 0}, [&](auto& ours) { ex::jit(every_second).into(ours, u); },
      [&](auto& peer) {
        std::copy(u.begin(), u.end(), peer.data());
        for (int i = 1; i < n - 1; i += 2) peer.data()[i] = 0.5f * (u.data()[i - 1] + u.data()[i + 1]);
      });
}
EXPRAX_COMPARE(update_every_second);

constexpr auto mean_of_windows = [](auto x) { return ex::mean(ex::reshape<128, 2, 128, 2>(x), ex::axis<1, 3>); };
void pooling(benchmark::State& state) {
  constexpr int n = 256;
  ex::array<float, n, n> x;
  for (int i = 0; i < n * n; ++i) x.data()[i] = std::sin(static_cast<float>(i));
  ex::array<float, n / 2, n / 2> const y{};
  bench::compare_results(
      state, x, y, y, {1e-6, 1e-5}, [&](auto& ours) { ex::jit(mean_of_windows).into(ours, x); },
      [&](auto& peer) {
        for (int i = 0; i < n / 2; ++i)
          for (int j = 0; j < n / 2; ++j) {
            float const* const of = x.data() + 2 * i * n + 2 * j;
            peer.data()[i * n / 2 + j] = 0.25f * (of[0] + of[1] + (of[n] + of[n + 1]));
          }
      });
}
EXPRAX_COMPARE(pooling);

// --- Transposes of elements of 1, 2 and 4 bytes ---

template <class T>
void transpose(benchmark::State& state) {
  constexpr int rows = 100, columns = 130;
  ex::array<T, rows, columns> x;
  for (std::ptrdiff_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(i % 101);
  ex::array<T, columns, rows> const y{};
  bench::compare_results(
      state, x, y, y, {0, 0}, [&](auto& ours) { ex::jit([](auto a) { return ex::transpose(a); }).into(ours, x); },
      [&](auto& peer) {
        for (int i = 0; i < columns; ++i)
          for (int j = 0; j < rows; ++j) peer.data()[i * rows + j] = x.data()[j * columns + i];
      });
}
EXPRAX_COMPARE(transpose<std::uint8_t>);
EXPRAX_COMPARE(transpose<std::int16_t>);
EXPRAX_COMPARE(transpose<float>);

// --- The energy of all pairs of N charges ---

constexpr auto energy_by_broadcasting = [](auto p, auto q) {
  auto const d = p(ex::all, ex::none) - p(ex::none);
  auto const r2 = ex::sum(d * d, ex::axis<-1>);
  auto const pairs = ex::where(r2 > 0, ex::outer(q, q) * ex::lax::rsqrt(ex::where(r2 > 0, r2, 1)), 0);
  return ex::sum(pairs) / 2;
};
constexpr auto energy_by_vmap = [](auto p, auto q) {
  auto const one = [](auto pi, auto qi, auto pj, auto qj) {
    auto const d = pi - pj;
    auto const r2 = ex::dot(d, d);
    return ex::where(r2 > 0, qi * qj * ex::lax::rsqrt(ex::where(r2 > 0, r2, 1)), 0);
  };
  auto const of_one = [=](auto pi, auto qi, auto ps, auto qs) {
    return ex::sum(ex::vmap(one, ex::in_axes<ex::none, ex::none, 0, 0>)(pi, qi, ps, qs));
  };
  return ex::sum(ex::vmap(of_one, ex::in_axes<0, 0, ex::none, ex::none>)(p, q, p, q)) / 2;
};
template <int N>
void energy_by_loops(float const* p, float const* q, float& out) {
  float sum = 0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < i; ++j) {
      float const x = p[3 * i] - p[3 * j], y = p[3 * i + 1] - p[3 * j + 1], z = p[3 * i + 2] - p[3 * j + 2];
      sum += q[i] * q[j] / std::sqrt(x * x + y * y + z * z);
    }
  out = sum;
}
template <int N>
void energy_by_eigen(float const* p, float const* q, float& out) {
  using points = Eigen::Array<float, 3, N>;
  Eigen::Map<points const> const at(p);
  Eigen::Map<Eigen::Array<float, 1, N> const> const charges(q);
  static Eigen::Array<float, N, 3> columns;
  columns = at.transpose();
  float sum = 0;
  for (int i = 1; i < N; ++i) {
    auto const x = columns.col(0).head(i) - at(0, i), y = columns.col(1).head(i) - at(1, i), z = columns.col(2).head(i) - at(2, i);
    sum += q[i] * (charges.head(i).transpose() * (x * x + y * y + z * z).rsqrt()).sum();
  }
  out = sum;
}
template <auto const& F, int N>
void pair_energy(benchmark::State& state) {
  std::vector<float> p(3 * N), q(N);
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = std::sin(static_cast<float>(i) * 1.37f);
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = 1 + 0.5f * std::sin(static_cast<float>(i));
  float ours = 0, loops = 0, by_eigen = 0;
  bench::compare(
      state,
      [&] {
        ours = ex::jit<F>()(ex::view<float const, N, 3>(p.data()), ex::view<float const, N>(q.data())).item();
        bench::touch(&ours);
      },
      [&] { energy_by_loops<N>(p.data(), q.data(), loops), bench::touch(&loops); },
      [&] { energy_by_eigen<N>(p.data(), q.data(), by_eigen), bench::touch(&by_eigen); });
  if (!(std::abs(ours - by_eigen) <= 1e-3 * std::abs(by_eigen))) state.SkipWithError("the results differ");
}
EXPRAX_COMPARE(pair_energy<energy_by_broadcasting, 100>);
EXPRAX_COMPARE(pair_energy<energy_by_vmap, 100>);
EXPRAX_COMPARE_SLOW(pair_energy<energy_by_broadcasting, 4096>);
EXPRAX_COMPARE_SLOW(pair_energy<energy_by_vmap, 4096>);

// --- Over sizes ---

using row = Eigen::Map<Eigen::ArrayXf>;
using row_in = Eigen::Map<Eigen::ArrayXf const>;

// One, three or ten times x * a + b and a maximum: 3, 9 and 30 operations (one more for 10).
template <int Turns>
constexpr auto chain(auto x) {
  if constexpr (Turns == 0) return x;
  else return chain<Turns - 1>(ex::maximum(x * 0.9f + 0.1f, -0.5f));
}
template <int Operations>
constexpr auto chain_of = [](auto x) {
  auto const y = chain<Operations / 3>(x);
  if constexpr (Operations % 3 == 1) return y * y;
  else return y;
};
template <int Turns>
void chain_by_loop(float* out, float const* x, int n) {
  for (int i = 0; i < n; ++i) {
    float y = x[i];
    for (int k = 0; k < Turns; ++k) y = std::max(y * 0.9f + 0.1f, -0.5f);
    out[i] = y;
  }
}
template <int Turns>
auto chain_by_eigen(auto const& x) {
  if constexpr (Turns == 0) return x;
  else return chain_by_eigen<Turns - 1>((x * 0.9f + 0.1f).max(-0.5f));
}
template <int Operations, int N>
void elementwise(benchmark::State& state) {
  auto const x = bench::numbers<std::vector<float>>(N, 1.37f);
  std::vector<float> out(N);
  bench::compare(
      state,
      [&] {
        ex::jit<chain_of<Operations>>().into(ex::view<float, N>(out.data()), ex::view<float const, N>(x.data()));
        bench::touch(out.data());
      },
      [&] {
        chain_by_loop<Operations / 3>(out.data(), x.data(), N);
        if (Operations % 3 == 1)
          for (float& y : out) y *= y;
        bench::touch(out.data());
      },
      [&] {
        row to(out.data(), N);
        if constexpr (Operations % 3 == 1) to = chain_by_eigen<Operations / 3>(row_in(x.data(), N)).square();
        else to = chain_by_eigen<Operations / 3>(row_in(x.data(), N));
        bench::touch(out.data());
      });
}
EXPRAX_COMPARE(elementwise<3, 1'000>);
EXPRAX_COMPARE(elementwise<10, 1'000>);
EXPRAX_COMPARE(elementwise<30, 1'000>);
EXPRAX_COMPARE(elementwise<3, 100'000>);
EXPRAX_COMPARE(elementwise<10, 100'000>);
EXPRAX_COMPARE(elementwise<30, 100'000>);
EXPRAX_COMPARE_SLOW(elementwise<3, 10'000'000>);
EXPRAX_COMPARE_SLOW(elementwise<10, 10'000'000>);
EXPRAX_COMPARE_SLOW(elementwise<30, 10'000'000>);

struct sum {
  static constexpr auto ours = [](auto x, auto) { return ex::sum(x); };
  static float peer(row_in const& x, row_in const&) { return x.sum(); }
};
struct max {
  static constexpr auto ours = [](auto x, auto) { return ex::max(x); };
  static float peer(row_in const& x, row_in const&) { return x.maxCoeff<Eigen::PropagateNaN>(); }
};
struct dot {
  static constexpr auto ours = [](auto x, auto y) { return ex::dot(x, y); };
  static float peer(row_in const& x, row_in const& y) { return x.matrix().dot(y.matrix()); }
};
// Four reductions of one array, which is walked once; by Eigen four times.
struct statistics {
  static constexpr auto ours = [](auto x, auto) { return ex::sum(x) + ex::sum(x * x) + (ex::max(x) - ex::min(x)); };
  static float peer(row_in const& x, row_in const&) {
    return x.sum() + x.square().sum() + (x.maxCoeff<Eigen::PropagateNaN>() - x.minCoeff<Eigen::PropagateNaN>());
  }
};
struct cosine {
  static constexpr auto ours = [](auto x, auto y) { return ex::sum(x * y) / ex::sqrt(ex::sum(x * x) * ex::sum(y * y)); };
  static float peer(row_in const& x, row_in const& y) {
    return x.matrix().dot(y.matrix()) / std::sqrt(x.matrix().squaredNorm() * y.matrix().squaredNorm());
  }
};
template <class F, int N>
void reduce(benchmark::State& state) {
  auto const x = bench::numbers<std::vector<float>>(N, 1.37f), y = bench::numbers<std::vector<float>>(N, 0.7f);
  float ours = 0, peer = 0;
  bench::compare(
      state,
      [&] {
        bench::touch(x.data());
        ours = ex::jit(F::ours)(ex::view<float const, N>(x.data()), ex::view<float const, N>(y.data())).item();
        bench::touch(&ours);
      },
      [&] {
        bench::touch(x.data());
        peer = F::peer(row_in(x.data(), N), row_in(y.data(), N));
        bench::touch(&peer);
      });
  if (!(std::abs(ours - peer) <= 1e-4 * N)) state.SkipWithError("the results differ");
}
#define EXPRAX_REDUCE(F)                           \
  EXPRAX_COMPARE(reduce<F, 1'000>);                \
  EXPRAX_COMPARE(reduce<F, 10'000>);               \
  EXPRAX_COMPARE(reduce<F, 100'000>);              \
  EXPRAX_COMPARE(reduce<F, 1'000'000>);            \
  EXPRAX_COMPARE_SLOW(reduce<F, 10'000'000>)
EXPRAX_REDUCE(sum);
EXPRAX_REDUCE(max);
EXPRAX_REDUCE(dot);
EXPRAX_REDUCE(statistics);
EXPRAX_REDUCE(cosine);

}  // namespace
