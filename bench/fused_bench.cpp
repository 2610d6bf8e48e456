// SPDX-License-Identifier: BSL-1.0
// A fused kernel of ten operations with exp against the same loop written by hand with xsimd.
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

}  // namespace
