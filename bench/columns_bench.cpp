// SPDX-License-Identifier: BSL-1.0
// Sums along axis 0 beside a plain loop over rows, and products of a matrix with a vector on either side beside Eigen.
#include <algorithm>
#include <vector>

#include <Eigen/Dense>

#include <exprax/exprax.hpp>

#include "results.hpp"

namespace ex = exprax;

namespace {

using floats = std::vector<float>;

constexpr bench::tolerance close{1e-2, 1e-3};

// ---- Sums

constexpr auto column_sums = [](auto x) { return ex::sum(x, ex::axis<0>); };
constexpr auto column_squares = [](auto x) { return ex::sum(x * x, ex::axis<0>); };

template <int Rows, int Columns, auto const& F>
[[gnu::noinline]] void by_exprax(float* out, float const* x) {
  ex::view<float, Columns> result(out);
  ex::jit(F).into(result, ex::view<float const, Rows, Columns>(x));
}
template <bool Square>
[[gnu::noinline]] void by_rows(float* __restrict__ out, float const* __restrict__ x, std::ptrdiff_t rows, std::ptrdiff_t columns) {
  std::fill_n(out, columns, 0.0f);
  for (std::ptrdiff_t r = 0; r < rows; ++r)
    for (std::ptrdiff_t c = 0; c < columns; ++c) out[c] += Square ? x[r * columns + c] * x[r * columns + c] : x[r * columns + c];
}

// Two sums in one walk, as of batch normalization.
constexpr auto column_moments = [](auto x) { return ex::tuple(ex::sum(x, ex::axis<0>), ex::sum(x * x, ex::axis<0>)); };
template <int Rows, int Columns>
[[gnu::noinline]] void moments_by_exprax(float* out, float const* x) {
  ex::view<float, Columns> sums(out), squares(out + Columns);
  ex::jit(column_moments).into(std::tie(sums, squares), ex::view<float const, Rows, Columns>(x));
}
[[gnu::noinline]] void moments_by_rows(float* __restrict__ sums, float* __restrict__ squares, float const* __restrict__ x,
                                       std::ptrdiff_t rows, std::ptrdiff_t columns) {
  std::fill_n(sums, columns, 0.0f);
  std::fill_n(squares, columns, 0.0f);
  for (std::ptrdiff_t r = 0; r < rows; ++r)
    for (std::ptrdiff_t c = 0; c < columns; ++c) {
      float const v = x[r * columns + c];
      sums[c] += v;
      squares[c] += v * v;
    }
}
template <int Rows, int Columns>
void moments_axis_0(benchmark::State& state) {
  auto const x = bench::numbers<floats>(Rows * Columns, 1.37f);
  floats const out(2 * Columns);
  bench::compare_results(
      state, x, out, out, close, [&](floats& ours) { moments_by_exprax<Rows, Columns>(ours.data(), x.data()); },
      [&](floats& peer) { moments_by_rows(peer.data(), peer.data() + Columns, x.data(), Rows, Columns); });
}

template <int Rows, int Columns, auto const& F, bool Square>
void compare_sums(benchmark::State& state) {
  auto const x = bench::numbers<floats>(Rows * Columns, 1.37f);
  floats const out(Columns);
  bench::compare_results(
      state, x, out, out, close, [&](floats& ours) { by_exprax<Rows, Columns, F>(ours.data(), x.data()); },
      [&](floats& peer) { by_rows<Square>(peer.data(), x.data(), Rows, Columns); });
}
template <int Rows, int Columns>
void sum_axis_0(benchmark::State& state) {
  compare_sums<Rows, Columns, column_sums, false>(state);
}
template <int Rows, int Columns>
void sum_of_squares_axis_0(benchmark::State& state) {
  compare_sums<Rows, Columns, column_squares, true>(state);
}
EXPRAX_COMPARE(sum_axis_0<16, 16>);
EXPRAX_COMPARE(sum_axis_0<100, 100>);
EXPRAX_COMPARE(sum_axis_0<33, 1000>);
EXPRAX_COMPARE(sum_axis_0<1000, 33>);
EXPRAX_COMPARE(sum_axis_0<512, 512>);
EXPRAX_COMPARE(sum_axis_0<2048, 2048>);
EXPRAX_COMPARE(moments_axis_0<100, 100>);
EXPRAX_COMPARE(moments_axis_0<512, 512>);
EXPRAX_COMPARE(moments_axis_0<2048, 2048>);
EXPRAX_COMPARE_SLOW(sum_axis_0<64, 100000>);
EXPRAX_COMPARE_SLOW(sum_axis_0<100000, 64>);
EXPRAX_COMPARE(sum_of_squares_axis_0<512, 512>);

// ---- Products

constexpr auto product = [](auto a, auto b) { return ex::dot(a, b); };

using matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <int Rows, int Columns>
[[gnu::noinline]] void vector_matrix_by_exprax(float* out, float const* v, float const* m) {
  ex::view<float, Columns> result(out);
  ex::jit(product).into(result, ex::view<float const, Rows>(v), ex::view<float const, Rows, Columns>(m));
}
template <int Rows, int Columns>
[[gnu::noinline]] void matrix_vector_by_exprax(float* out, float const* v, float const* m) {
  ex::view<float, Rows> result(out);
  ex::jit(product).into(result, ex::view<float const, Rows, Columns>(m), ex::view<float const, Columns>(v));
}
[[gnu::noinline]] void vector_matrix_by_eigen(float* out, float const* v, float const* m, int rows, int columns) {
  Eigen::Map<Eigen::RowVectorXf>(out, columns).noalias() = Eigen::Map<Eigen::RowVectorXf const>(v, rows) * Eigen::Map<matrix const>(m, rows, columns);
}
[[gnu::noinline]] void matrix_vector_by_eigen(float* out, float const* v, float const* m, int rows, int columns) {
  Eigen::Map<Eigen::VectorXf>(out, rows).noalias() = Eigen::Map<matrix const>(m, rows, columns) * Eigen::Map<Eigen::VectorXf const>(v, columns);
}

template <int Rows, int Columns, bool VectorFirst>
void compare_products(benchmark::State& state) {
  auto const m = bench::numbers<floats>(Rows * Columns, 1.37f), v = bench::numbers<floats>(VectorFirst ? Rows : Columns, 0.73f);
  floats const out(VectorFirst ? Columns : Rows);
  bench::compare_results(
      state, m, out, out, close,
      [&](floats& ours) {
        if constexpr (VectorFirst) vector_matrix_by_exprax<Rows, Columns>(ours.data(), v.data(), m.data());
        else matrix_vector_by_exprax<Rows, Columns>(ours.data(), v.data(), m.data());
      },
      [&](floats& peer) {
        if constexpr (VectorFirst) vector_matrix_by_eigen(peer.data(), v.data(), m.data(), Rows, Columns);
        else matrix_vector_by_eigen(peer.data(), v.data(), m.data(), Rows, Columns);
      });
}
template <int Rows, int Columns = Rows>
void vector_matrix(benchmark::State& state) {
  compare_products<Rows, Columns, true>(state);
}
template <int Rows, int Columns = Rows>
void matrix_vector(benchmark::State& state) {
  compare_products<Rows, Columns, false>(state);
}
EXPRAX_COMPARE(vector_matrix<16>);
EXPRAX_COMPARE(vector_matrix<64>);
EXPRAX_COMPARE(vector_matrix<100>);
EXPRAX_COMPARE(vector_matrix<512>);
EXPRAX_COMPARE(vector_matrix<2048>);
EXPRAX_COMPARE(vector_matrix<1000, 33>);
EXPRAX_COMPARE(matrix_vector<16>);
EXPRAX_COMPARE(matrix_vector<64>);
EXPRAX_COMPARE(matrix_vector<100>);
EXPRAX_COMPARE(matrix_vector<512>);
EXPRAX_COMPARE(matrix_vector<2048>);
EXPRAX_COMPARE(matrix_vector<1000, 33>);

}  // namespace
