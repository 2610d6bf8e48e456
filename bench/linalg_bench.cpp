// SPDX-License-Identifier: BSL-1.0
// 1,024 systems of 6 x 6 floats, by LU with exchanges of rows and by Cholesky, and one Cholesky factor of 32 x 32, beside Eigen.
#include <cmath>

#include <Eigen/Dense>

#include <exprax/exprax.hpp>

#include "compare.hpp"

namespace ex = exprax;

namespace {

constexpr int batch = 1024, side = 6, elements = side * side;

struct systems {
  alignas(64) float a[batch * elements], b[batch * side];
};
// Symmetric and positive definite.
systems const& data() {
  static systems s;
  static bool const filled = [] {
    for (int m = 0; m < batch; ++m)
      for (int i = 0; i < side; ++i) {
        for (int j = 0; j < side; ++j) s.a[m * elements + i * side + j] = static_cast<float>(std::cos(0.37 * m + i * j) + (i == j ? side + 1 : 0));
        s.b[m * side + i] = static_cast<float>(std::sin(0.73 * (m * side + i)));
      }
    return true;
  }();
  bench::touch(&filled);
  return s;
}
alignas(64) float out[2][batch * side];

constexpr auto by_lu = [](auto a, auto b) { return ex::linalg::solve(a, b); };
constexpr auto by_cholesky = [](auto a, auto b) { return ex::linalg::cho_solve(ex::lax::cholesky<false>(a), b); };

template <auto const& F>
void by_exprax(float* x, systems const& s) {
  ex::view<float, batch, side> result(x);
  ex::jit(ex::vmap(F)).into(result, ex::view<float const, batch, side, side>(s.a), ex::view<float const, batch, side>(s.b));
}
using matrix = Eigen::Matrix<float, side, side, Eigen::RowMajor>;
using vector = Eigen::Matrix<float, side, 1>;
template <class Solve>
void by_eigen(float* x, systems const& s, Solve solve) {
  for (int m = 0; m < batch; ++m)
    Eigen::Map<vector>(x + m * side) = solve(Eigen::Map<matrix const>(s.a + m * elements), Eigen::Map<vector const>(s.b + m * side));
}
template <class Ours, class Peer>
void compare_solvers(benchmark::State& state, Ours ours, Peer peer) {
  systems const& s = data();
  bench::compare(
      state,
      [&] {
        ours(out[0], s);
        bench::touch(out[0]);
      },
      [&] {
        peer(out[1], s);
        bench::touch(out[1]);
      });
  for (int i = 0; i < batch * side; ++i)
    if (!(std::abs(out[0][i] - out[1][i]) <= 1e-4f * (1 + std::abs(out[1][i])))) return state.SkipWithError("the results differ");
}
void solve_1024_6x6(benchmark::State& state) {
  compare_solvers(state, by_exprax<by_lu>, [](float* x, systems const& s) {
    by_eigen(x, s, [](auto const& a, auto const& b) -> vector { return matrix(a).partialPivLu().solve(b); });
  });
}
void cho_solve_1024_6x6(benchmark::State& state) {
  compare_solvers(state, by_exprax<by_cholesky>, [](float* x, systems const& s) {
    by_eigen(x, s, [](auto const& a, auto const& b) -> vector { return matrix(a).llt().solve(b); });
  });
}
EXPRAX_COMPARE(solve_1024_6x6);
EXPRAX_COMPARE(cho_solve_1024_6x6);

// Both with sizes known to the compiler; the results are lower triangles.
constexpr auto factor = [](auto a) { return ex::lax::cholesky<false>(a); };
void cholesky_32x32(benchmark::State& state) {
  constexpr int n = 32;
  alignas(64) static float a[n * n], l[2][n * n];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) a[i * n + j] = static_cast<float>(std::cos(0.1 * i * j) + (i == j ? n : 0));
  using large = Eigen::Matrix<float, n, n, Eigen::RowMajor>;
  bench::compare(
      state,
      [] {
        bench::touch(a);
        ex::view<float, n, n> result(l[0]);
        ex::jit(factor).into(result, ex::view<float const, n, n>(a));
        bench::touch(l[0]);
      },
      [] {
        bench::touch(a);
        Eigen::Map<large> result(l[1]);
        result = Eigen::LLT<large>(Eigen::Map<large const>(a)).matrixL();
        bench::touch(l[1]);
      });
  for (int i = 0; i < n * n; ++i)
    if (!(std::abs(l[0][i] - l[1][i]) <= 1e-4f * (1 + std::abs(l[1][i])))) return state.SkipWithError("the results differ");
}
EXPRAX_COMPARE(cholesky_32x32);

}  // namespace
