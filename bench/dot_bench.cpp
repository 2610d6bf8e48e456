// SPDX-License-Identifier: BSL-1.0
// Square matrix products against Eigen, with sizes known to the compiler and with sizes known at run time.
#include <cmath>

#include <Eigen/Dense>

#include <exprax/exprax.hpp>

#include "compare.hpp"

namespace ex = exprax;

namespace {

constexpr auto product = [](auto a, auto b) { return ex::dot(a, b); };

template <int N>
[[gnu::noinline]] void by_exprax(float* out, float const* a, float const* b) {
  ex::view<float, N, N> result(out);
  ex::jit(product).into(result, ex::view<float const, N, N>(a), ex::view<float const, N, N>(b));
}
template <int N, int Fixed>
[[gnu::noinline]] void by_eigen(float* out, float const* a, float const* b) {
  using matrix = Eigen::Matrix<float, Fixed, Fixed, Eigen::RowMajor>;
  Eigen::Map<matrix>(out, N, N).noalias() = Eigen::Map<matrix const>(a, N, N) * Eigen::Map<matrix const>(b, N, N);
}

template <int N>
void dot(benchmark::State& state) {
  alignas(64) static float a[N * N], b[N * N], ours[N * N], peers[2][N * N];
  for (int i = 0; i < N * N; ++i) {
    a[i] = std::sin(static_cast<float>(i) * 1.37f);
    b[i] = std::cos(static_cast<float>(i) * 0.73f);
  }
  auto candidate = [&](auto f, float* out) {
    return [=] {
      bench::touch(a);
      f(out, a, b);
      bench::touch(out);
    };
  };
  bench::compare(state, candidate(by_exprax<N>, ours), candidate(by_eigen<N, N>, peers[0]), candidate(by_eigen<N, Eigen::Dynamic>, peers[1]));
  for (auto const& p : peers)
    for (int i = 0; i < N * N; ++i)
      if (!(std::abs(ours[i] - p[i]) <= 1e-4f * (1 + std::abs(p[i])))) state.SkipWithError("the results differ");
}
EXPRAX_COMPARE(dot<8>);
EXPRAX_COMPARE(dot<16>);
EXPRAX_COMPARE(dot<32>);
EXPRAX_COMPARE(dot<64>);
EXPRAX_COMPARE(dot<128>);

}  // namespace
