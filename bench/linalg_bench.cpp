// SPDX-License-Identifier: BSL-1.0
// 1,024 systems of 2 x 2 to 6 x 6 floats, by LU with exchanges of rows and by Cholesky, inverses of as many small matrices, and one Cholesky
// factor of 32 x 32, beside Eigen.
#include <cmath>

#include <Eigen/Dense>

#include <exprax/exprax.hpp>

#include "compare.hpp"

namespace ex = exprax;

namespace {

constexpr int batch = 1024;

template <int Side>
struct systems {
  alignas(64) float a[batch * Side * Side], b[batch * Side];
};
// Symmetric and positive definite.
template <int Side>
systems<Side> const& data() {
  static systems<Side> s;
  static bool const filled = [] {
    for (int m = 0; m < batch; ++m)
      for (int i = 0; i < Side; ++i) {
        for (int j = 0; j < Side; ++j)
          s.a[(m * Side + i) * Side + j] = static_cast<float>(std::cos(0.37 * m + i * j) + (i == j ? Side + 1 : 0));
        s.b[m * Side + i] = static_cast<float>(std::sin(0.73 * (m * Side + i)));
      }
    return true;
  }();
  bench::touch(&filled);
  return s;
}
template <int Side>
using matrix = Eigen::Matrix<float, Side, Side, Eigen::RowMajor>;
template <int Side>
using vector = Eigen::Matrix<float, Side, 1>;

// ours(out, systems) of all; peer(a, b) of one, a vector or a matrix of N columns.
template <int Side, int N, class Ours, class Peer>
void compare_solvers(benchmark::State& state, Ours ours, Peer peer) {
  alignas(64) static float out[2][batch * Side * N];
  using result = Eigen::Matrix<float, Side, N, N == 1 ? Eigen::ColMajor : Eigen::RowMajor>;
  systems<Side> const& s = data<Side>();
  bench::compare(
      state,
      [&] {
        ours(out[0], s);
        bench::touch(out[0]);
      },
      [&] {
        for (int m = 0; m < batch; ++m)
          Eigen::Map<result>(out[1] + m * Side * N) =
              peer(Eigen::Map<matrix<Side> const>(s.a + m * Side * Side), Eigen::Map<vector<Side> const>(s.b + m * Side));
        bench::touch(out[1]);
      });
  for (int i = 0; i < batch * Side * N; ++i)
    if (!(std::abs(out[0][i] - out[1][i]) <= 1e-4f * (1 + std::abs(out[1][i])))) return state.SkipWithError("the results differ");
}

constexpr auto by_lu = [](auto a, auto b) { return ex::linalg::solve(a, b); };
constexpr auto by_cholesky = [](auto a, auto b) { return ex::linalg::cho_solve(ex::lax::cholesky<false>(a), b); };
template <auto const& F, int Side>
void solved(float* x, systems<Side> const& s) {
  ex::view<float, batch, Side> result(x);
  ex::jit(ex::vmap(F)).into(result, ex::view<float const, batch, Side, Side>(s.a), ex::view<float const, batch, Side>(s.b));
}
template <int Side>
void solve_1024(benchmark::State& state) {
  compare_solvers<Side, 1>(state, solved<by_lu, Side>,
                           [](auto const& a, auto const& b) -> vector<Side> { return matrix<Side>(a).partialPivLu().solve(b); });
}
template <int Side>
void cho_solve_1024(benchmark::State& state) {
  compare_solvers<Side, 1>(state, solved<by_cholesky, Side>,
                           [](auto const& a, auto const& b) -> vector<Side> { return matrix<Side>(a).llt().solve(b); });
}
EXPRAX_COMPARE(solve_1024<2>);
EXPRAX_COMPARE(solve_1024<3>);
EXPRAX_COMPARE(solve_1024<6>);
EXPRAX_COMPARE(cho_solve_1024<6>);

// Eigen's inverses of matrices up to 4 x 4 are quotients of determinants; ours exchange rows, as of larger ones.
constexpr auto inverse = [](auto a) { return ex::linalg::inv(a); };
template <int Side>
void inverse_1024(benchmark::State& state) {
  auto const ours = [](float* x, systems<Side> const& s) {
    ex::view<float, batch, Side, Side> result(x);
    ex::jit(inverse).into(result, ex::view<float const, batch, Side, Side>(s.a));
  };
  compare_solvers<Side, Side>(state, ours, [](auto const& a, auto const&) -> matrix<Side> { return matrix<Side>(a).inverse(); });
}
EXPRAX_COMPARE(inverse_1024<2>);
EXPRAX_COMPARE(inverse_1024<3>);
EXPRAX_COMPARE(inverse_1024<4>);

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
