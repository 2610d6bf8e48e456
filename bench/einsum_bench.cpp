// SPDX-License-Identifier: BSL-1.0
// Chains of products by einsum beside the same products in the best order by hand (ex::dot after ex::dot), one of them beside
// Eigen's in that order too. A chain from left to right would take 5 to 30 times the work.
#include <cmath>

#include <Eigen/Dense>

#include <exprax/exprax.hpp>

#include "compare.hpp"

namespace ex = exprax;

namespace {

template <int Rows, int Columns>
struct matrix {
  alignas(64) float of[Rows * Columns];
  explicit matrix(double step) {
    for (int i = 0; i < Rows * Columns; ++i) of[i] = static_cast<float>(std::sin(i * step));
  }
  ex::view<float const, Rows, Columns> view() const { return ex::view<float const, Rows, Columns>(of); }
  auto map() const { return Eigen::Map<Eigen::Matrix<float, Rows, Columns, Columns == 1 ? Eigen::ColMajor : Eigen::RowMajor> const>(of); }
};
template <class F>
auto called(F f, float* out) {
  return [=] {
    f(out);
    bench::touch(out);
  };
}
bool agree(float const* a, float const* b, int n) {
  for (int i = 0; i < n; ++i)
    if (!(std::abs(a[i] - b[i]) <= 1e-3f * (1 + std::abs(b[i])))) return false;
  return true;
}

// (64x64)(64x64)(64x64)(64x4): from right to left no square matrix is made.
constexpr auto by_text = [](auto a, auto b, auto c, auto d) { return ex::einsum<"ij,jk,kl,lm->im">(a, b, c, d); };
constexpr auto by_hand = [](auto a, auto b, auto c, auto d) { return ex::dot(a, ex::dot(b, ex::dot(c, d))); };
void chain_of_four(benchmark::State& state) {
  static matrix<64, 64> const a(0.37), b(0.73), c(1.1);
  static matrix<64, 4> const d(0.9);
  alignas(64) static float out[3][64 * 4];
  bench::compare(state, called([](float* to) {
                   ex::view<float, 64, 4> r(to);
                   ex::jit(by_text).into(r, a.view(), b.view(), c.view(), d.view());
                 }, out[0]),
                 called([](float* to) {
                   ex::view<float, 64, 4> r(to);
                   ex::jit(by_hand).into(r, a.view(), b.view(), c.view(), d.view());
                 }, out[1]),
                 called([](float* to) {
                   Eigen::Map<Eigen::Matrix<float, 64, 4, Eigen::RowMajor>>(to).noalias() = a.map() * (b.map() * (c.map() * d.map()).eval()).eval();
                 }, out[2]));
  if (!agree(out[0], out[1], 64 * 4) || !agree(out[0], out[2], 64 * 4)) state.SkipWithError("the results differ");
}
EXPRAX_COMPARE(chain_of_four);

// x^T A B y: two products of a matrix and a vector, and one of vectors.
constexpr auto form_by_text = [](auto x, auto a, auto b, auto y) { return ex::einsum<"i,ij,jk,k->">(x, a, b, y); };
constexpr auto form_by_hand = [](auto x, auto a, auto b, auto y) { return ex::dot(ex::dot(x, a), ex::dot(b, y)); };
void bilinear_form(benchmark::State& state) {
  static matrix<96, 96> const a(0.37), b(0.73);
  static matrix<96, 1> const x(1.1), y(0.9);
  alignas(64) static float out[2][1];
  using vector = ex::view<float const, 96>;
  bench::compare(state, called([](float* to) {
                   ex::view<float> r(to);
                   ex::jit(form_by_text).into(r, vector(x.of), a.view(), b.view(), vector(y.of));
                 }, out[0]),
                 called([](float* to) {
                   ex::view<float> r(to);
                   ex::jit(form_by_hand).into(r, vector(x.of), a.view(), b.view(), vector(y.of));
                 }, out[1]));
  if (!agree(out[0], out[1], 1)) state.SkipWithError("the results differ");
}
EXPRAX_COMPARE(bilinear_form);

// Attention scores of 4 heads: a batch axis in the middle of both operands.
constexpr auto heads_by_text = [](auto q, auto k) { return ex::einsum<"qhd,khd->hqk">(q, k); };
constexpr auto heads_by_hand = [](auto q, auto k) {
  return ex::matmul(ex::transpose(q, ex::axis<1, 0, 2>), ex::transpose(k, ex::axis<1, 2, 0>));
};
void heads(benchmark::State& state) {
  static matrix<32 * 4, 16> const q(0.37), k(0.73);
  alignas(64) static float out[2][4 * 32 * 32];
  using in = ex::view<float const, 32, 4, 16>;
  bench::compare(state, called([](float* to) {
                   ex::view<float, 4, 32, 32> r(to);
                   ex::jit(heads_by_text).into(r, in(q.of), in(k.of));
                 }, out[0]),
                 called([](float* to) {
                   ex::view<float, 4, 32, 32> r(to);
                   ex::jit(heads_by_hand).into(r, in(q.of), in(k.of));
                 }, out[1]));
  if (!agree(out[0], out[1], 4 * 32 * 32)) state.SkipWithError("the results differ");
}
EXPRAX_COMPARE(heads);

}  // namespace
