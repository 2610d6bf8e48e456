// SPDX-License-Identifier: BSL-1.0
// Products of matrices with a few rows or columns: layers with a few outputs, covariances of points, one query against many keys, and
// batches of small matrices. Against Eigen, with sizes known at run time, and plain loops.
#include <cmath>

#include <Eigen/Dense>

#include <exprax/exprax.hpp>

#include "hand.hpp"

namespace ex = exprax;

namespace {

using eigen_matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using eigen_view = Eigen::Map<eigen_matrix const>;

constexpr auto product = [](auto a, auto b) { return ex::matmul(a, b); };
constexpr auto by_transpose = [](auto a, auto b) { return ex::dot(a, ex::transpose(b)); };
constexpr auto covariance_of = [](auto x) { return ex::dot(ex::transpose(x), x); };
constexpr auto scores_of = [](auto q, auto k) { return ex::einsum<"hqd,hkd->hqk">(q, k); };
constexpr auto by_einsum = [](auto a, auto x) { return ex::einsum<"bij,bj->bi">(a, x); };

// The arguments of every row of this program.
struct data {
  static constexpr int n = 1 << 18;
  alignas(64) float a[n], b[n], ours[n], plain[n], eigen[n];
};
data& arrays() {
  static data d;
  static bool const filled = [] {
    for (int i = 0; i < data::n; ++i) {
      d.a[i] = std::sin(static_cast<float>(i) * 1.37f);
      d.b[i] = std::cos(static_cast<float>(i) * 0.73f);
    }
    return true;
  }();
  bench::touch(&filled);
  return d;
}
template <class Ours, class Plain, class Eigens>
void compare(benchmark::State& state, std::ptrdiff_t results, Ours ours, Plain plain, Eigens eigen) {
  data& d = arrays();
  auto const called = [&d](auto f, float* out) {
    return [&d, f, out] {
      bench::touch(d.a);
      f(out, d.a, d.b);
      bench::touch(out);
    };
  };
  bench::compare(state, called(ours, d.ours), called(plain, d.plain), called(eigen, d.eigen));
  for (float const* other : {d.plain, d.eigen})
    if (bench::differences(d.ours, other, results, 1e-3) != 0) state.SkipWithError("the results differ");
}

// Batch products [Rows, Terms] x [Terms, Columns].
template <int Batch, int Rows, int Terms, int Columns>
void plain_products(float* out, float const* a, float const* b) {
  for (int m = 0; m < Batch; ++m, a += Rows * Terms, b += Terms * Columns, out += Rows * Columns)
    for (int i = 0; i < Rows; ++i) {
      float sums[Columns] = {};
      for (int k = 0; k < Terms; ++k)
        for (int j = 0; j < Columns; ++j) sums[j] += a[i * Terms + k] * b[k * Columns + j];
      for (int j = 0; j < Columns; ++j) out[i * Columns + j] = sums[j];
    }
}
template <int Batch, int Rows, int Terms, int Columns>
void eigen_products(float* out, float const* a, float const* b) {
  for (int m = 0; m < Batch; ++m, a += Rows * Terms, b += Terms * Columns, out += Rows * Columns)
    Eigen::Map<eigen_matrix>(out, Rows, Columns).noalias() = eigen_view(a, Rows, Terms) * eigen_view(b, Terms, Columns);
}

// A layer of a network: rows of inputs, and a few outputs.
template <int Rows, int Terms, int Columns>
void layer(benchmark::State& state) {
  auto const ours = [](float* out, float const* a, float const* b) {
    ex::jit(product).into(ex::view<float, Rows, Columns>(out), ex::view<float const, Rows, Terms>(a),
                          ex::view<float const, Terms, Columns>(b));
  };
  compare(state, std::ptrdiff_t{Rows} * Columns, ours, plain_products<1, Rows, Terms, Columns>, eigen_products<1, Rows, Terms, Columns>);
}
EXPRAX_COMPARE(layer<1000, 64, 1>);
EXPRAX_COMPARE(layer<1000, 64, 3>);
EXPRAX_COMPARE(layer<32, 64, 1>);
EXPRAX_COMPARE(layer<1000, 10, 3>);
EXPRAX_COMPARE(layer<12, 12, 3>);

// The same with a row of weights for each output, which is not copied.
template <int Rows, int Terms, int Columns>
void layer_of_rows(benchmark::State& state) {
  auto const ours = [](float* out, float const* a, float const* b) {
    ex::jit(by_transpose).into(ex::view<float, Rows, Columns>(out), ex::view<float const, Rows, Terms>(a),
                               ex::view<float const, Columns, Terms>(b));
  };
  auto const plain = [](float* out, float const* a, float const* b) {
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < Columns; ++j) {
        float sum = 0;
        for (int k = 0; k < Terms; ++k) sum += a[i * Terms + k] * b[j * Terms + k];
        out[i * Columns + j] = sum;
      }
  };
  auto const eigen = [](float* out, float const* a, float const* b) {
    Eigen::Map<eigen_matrix>(out, Rows, Columns).noalias() = eigen_view(a, Rows, Terms) * eigen_view(b, Columns, Terms).transpose();
  };
  compare(state, std::ptrdiff_t{Rows} * Columns, ours, plain, eigen);
}
EXPRAX_COMPARE(layer_of_rows<1, 64, 128>);
EXPRAX_COMPARE(layer_of_rows<2, 512, 500>);

// Of points in rows, without their means.
template <int Points, int Axes>
void covariance(benchmark::State& state) {
  auto const ours = [](float* out, float const* a, float const*) {
    ex::jit(covariance_of).into(ex::view<float, Axes, Axes>(out), ex::view<float const, Points, Axes>(a));
  };
  auto const plain = [](float* out, float const* a, float const*) {
    for (int i = 0; i < Axes * Axes; ++i) out[i] = 0;
    for (int n = 0; n < Points; ++n)
      for (int i = 0; i < Axes; ++i)
        for (int j = 0; j < Axes; ++j) out[i * Axes + j] += a[n * Axes + i] * a[n * Axes + j];
  };
  auto const eigen = [](float* out, float const* a, float const*) {
    eigen_view const x(a, Points, Axes);
    Eigen::Map<eigen_matrix>(out, Axes, Axes).noalias() = x.transpose() * x;
  };
  compare(state, std::ptrdiff_t{Axes} * Axes, ours, plain, eigen);
}
EXPRAX_COMPARE(covariance<100, 3>);
EXPRAX_COMPARE(covariance<4096, 3>);

// Attention of one query for each of some heads.
template <int Heads, int Keys, int Terms>
void scores(benchmark::State& state) {
  auto const ours = [](float* out, float const* q, float const* k) {
    ex::jit(scores_of).into(ex::view<float, Heads, 1, Keys>(out), ex::view<float const, Heads, 1, Terms>(q),
                            ex::view<float const, Heads, Keys, Terms>(k));
  };
  auto const plain = [](float* out, float const* q, float const* k) {
    for (int h = 0; h < Heads; ++h)
      for (int i = 0; i < Keys; ++i) {
        float sum = 0;
        for (int t = 0; t < Terms; ++t) sum += q[h * Terms + t] * k[(h * Keys + i) * Terms + t];
        out[h * Keys + i] = sum;
      }
  };
  auto const eigen = [](float* out, float const* q, float const* k) {
    for (int h = 0; h < Heads; ++h, out += Keys, q += Terms, k += Keys * Terms)
      Eigen::Map<eigen_matrix>(out, 1, Keys).noalias() = eigen_view(q, 1, Terms) * eigen_view(k, Keys, Terms).transpose();
  };
  compare(state, std::ptrdiff_t{Heads} * Keys, ours, plain, eigen);
}
EXPRAX_COMPARE(scores<8, 256, 64>);

// Small matrices, each with one of its own.
template <int Batch, int Rows, int Terms, int Columns>
void batch(benchmark::State& state) {
  auto const ours = [](float* out, float const* a, float const* b) {
    ex::jit(product).into(ex::view<float, Batch, Rows, Columns>(out), ex::view<float const, Batch, Rows, Terms>(a),
                          ex::view<float const, Batch, Terms, Columns>(b));
  };
  compare(state, std::ptrdiff_t{Batch} * Rows * Columns, ours, plain_products<Batch, Rows, Terms, Columns>,
          eigen_products<Batch, Rows, Terms, Columns>);
}
EXPRAX_COMPARE(batch<400, 3, 3, 3>);
EXPRAX_COMPARE(batch<400, 4, 4, 3>);
EXPRAX_COMPARE(batch<400, 6, 6, 3>);
EXPRAX_COMPARE(batch<400, 6, 6, 1>);
EXPRAX_COMPARE(batch<400, 2, 2, 2>);
template <int Batch, int Rows>
void rotations(benchmark::State& state) {
  auto const ours = [](float* out, float const* a, float const* b) {
    ex::jit(by_einsum).into(ex::view<float, Batch, Rows>(out), ex::view<float const, Batch, Rows, Rows>(a),
                            ex::view<float const, Batch, Rows>(b));
  };
  compare(state, std::ptrdiff_t{Batch} * Rows, ours, plain_products<Batch, Rows, Rows, 1>, eigen_products<Batch, Rows, Rows, 1>);
}
EXPRAX_COMPARE(rotations<400, 3>);

}  // namespace
