// SPDX-License-Identifier: BSL-1.0
// Inference of small models, as one writes them for one input: networks of two hidden layers, recurrent networks over 64 steps, attention,
// and a Kalman filter over 1,000 steps. Beside Eigen: the same products, activations by its arrays, sizes known to the compiler.
#include <cmath>
#include <memory>

#include <Eigen/Dense>

#include <exprax/exprax.hpp>

#include "results.hpp"

namespace ex = exprax;

namespace {

template <class T, int Rows, int Columns>
using matrix = Eigen::Map<Eigen::Matrix<T, Rows, Columns, Rows == 1 ? Eigen::RowMajor : Columns == 1 ? Eigen::ColMajor : Eigen::RowMajor>>;
template <class T, int Rows, int Columns>
using matrix_in = Eigen::Map<Eigen::Matrix<T, Rows, Columns, Rows == 1 ? Eigen::RowMajor : Columns == 1 ? Eigen::ColMajor : Eigen::RowMajor> const>;

// Arrays of a model, with numbers of size `scale`.
template <class T, int... Sizes>
ex::array<T, Sizes...> filled(float scale, float step) {
  ex::array<T, Sizes...> a;
  for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] = static_cast<T>(scale * std::sin(static_cast<float>(i % 65521) * step));
  return a;
}

// 64-64-64-10.
constexpr auto network = [](auto x, auto w1, auto b1, auto w2, auto b2, auto w3, auto b3) {
  auto const hidden = ex::nn::relu(ex::dot(x, w1) + b1);
  return ex::dot(ex::nn::relu(ex::dot(hidden, w2) + b2), w3) + b3;
};
template <int Batch>
void mlp(benchmark::State& state) {
  auto const x = filled<float, Batch, 64>(1, 1.37f);
  auto const w1 = filled<float, 64, 64>(0.2f, 0.7f), w2 = filled<float, 64, 64>(0.2f, 0.3f);
  auto const w3 = filled<float, 64, 10>(0.2f, 0.9f);
  auto const b1 = filled<float, 64>(0.1f, 0.7f), b2 = filled<float, 64>(0.1f, 0.3f);
  auto const b3 = filled<float, 10>(0.1f, 0.9f);
  ex::array<float, Batch, 10> const out{};
  bench::compare_results(
      state, x, out, out, {1e-5, 1e-4}, [&](auto& ours) { ex::jit(network).into(ours, x, w1, b1, w2, b2, w3, b3); },
      [&](auto& peer) {
        using hidden = Eigen::Matrix<float, Batch, 64, Eigen::RowMajor>;
        hidden first, second;
        first.noalias() = matrix_in<float, Batch, 64>(x.data()) * matrix_in<float, 64, 64>(w1.data());
        first = (first.rowwise() + matrix_in<float, 1, 64>(b1.data())).cwiseMax(0.0f).eval();
        second.noalias() = first * matrix_in<float, 64, 64>(w2.data());
        second = (second.rowwise() + matrix_in<float, 1, 64>(b2.data())).cwiseMax(0.0f).eval();
        matrix<float, Batch, 10> y(peer.data());
        y.noalias() = second * matrix_in<float, 64, 10>(w3.data());
        y.rowwise() += matrix_in<float, 1, 10>(b3.data());
      });
}
EXPRAX_COMPARE(mlp<1>);
EXPRAX_COMPARE(mlp<32>);

constexpr int steps = 64;

template <int Units>
constexpr auto lstm_layer = [](auto xs, auto wx, auto wh, auto b) {
  auto const cell = [=](auto memory, auto x) {
    auto const [h, c] = memory;
    auto const [in, keep, candidate, out] = ex::split<4>(ex::dot(x, wx) + ex::dot(h, wh) + b);
    auto const next = ex::nn::sigmoid(keep) * c + ex::nn::sigmoid(in) * ex::tanh(candidate);
    auto const seen = ex::nn::sigmoid(out) * ex::tanh(next);
    return ex::tuple(ex::tuple(seen, next), seen);
  };
  return ex::get<1>(ex::scan(cell, ex::tuple(ex::zeros<float, Units>(), ex::zeros<float, Units>()), xs));
};
template <int Units>
void lstm(benchmark::State& state) {
  auto const xs = filled<float, steps, Units>(1, 1.37f);
  auto const wx = filled<float, Units, 4 * Units>(0.2f, 0.7f), wh = filled<float, Units, 4 * Units>(0.2f, 0.3f);
  auto const b = filled<float, 4 * Units>(0.1f, 0.7f);
  ex::array<float, steps, Units> const out{};
  bench::compare_results(
      state, xs, out, out, {1e-4, 1e-3}, [&](auto& y) { ex::jit<lstm_layer<Units>>().into(y, xs, wx, wh, b); },
      [&](auto& y) {
        using row = Eigen::Matrix<float, 1, Units>;
        using gates = Eigen::Matrix<float, 1, 4 * Units>;
        static Eigen::Matrix<float, steps, 4 * Units, Eigen::RowMajor> inputs;
        inputs.noalias() = matrix_in<float, steps, Units>(xs.data()) * matrix_in<float, Units, 4 * Units>(wx.data());
        row h = row::Zero(), c = row::Zero();
        auto const sigmoid = [](auto const& v) { return 1 / (1 + (-v.array()).exp()); };
        for (int t = 0; t < steps; ++t) {
          gates g;
          g.noalias() = h * matrix_in<float, Units, 4 * Units>(wh.data());
          g += inputs.row(t) + matrix_in<float, 1, 4 * Units>(b.data());
          c = sigmoid(g.template segment<Units>(Units)) * c.array() +
              sigmoid(g.template segment<Units>(0)) * g.template segment<Units>(2 * Units).array().tanh();
          h = sigmoid(g.template segment<Units>(3 * Units)) * c.array().tanh();
          matrix<float, 1, Units>(y.data() + t * Units) = h;
        }
      });
}
EXPRAX_COMPARE(lstm<16>);
EXPRAX_COMPARE(lstm<32>);
EXPRAX_COMPARE(lstm<128>);

template <int Units>
constexpr auto gru_layer = [](auto xs, auto wx, auto wh, auto b) {
  auto const cell = [=](auto h, auto x) {
    auto const [reset, update, candidate] = ex::split<3>(ex::dot(x, wx) + b);
    auto const [reset_h, update_h, candidate_h] = ex::split<3>(ex::dot(h, wh));
    auto const z = ex::nn::sigmoid(update + update_h);
    auto const n = ex::tanh(candidate + ex::nn::sigmoid(reset + reset_h) * candidate_h);
    auto const next = (1 - z) * n + z * h;
    return ex::tuple(next, next);
  };
  return ex::get<1>(ex::scan(cell, ex::zeros<float, Units>(), xs));
};
template <int Units>
void gru(benchmark::State& state) {
  auto const xs = filled<float, steps, Units>(1, 1.37f);
  auto const wx = filled<float, Units, 3 * Units>(0.2f, 0.7f), wh = filled<float, Units, 3 * Units>(0.2f, 0.3f);
  auto const b = filled<float, 3 * Units>(0.1f, 0.7f);
  ex::array<float, steps, Units> const out{};
  bench::compare_results(
      state, xs, out, out, {1e-4, 1e-3}, [&](auto& y) { ex::jit<gru_layer<Units>>().into(y, xs, wx, wh, b); },
      [&](auto& y) {
        using row = Eigen::Matrix<float, 1, Units>;
        using gates = Eigen::Matrix<float, 1, 3 * Units>;
        static Eigen::Matrix<float, steps, 3 * Units, Eigen::RowMajor> inputs;
        inputs.noalias() = matrix_in<float, steps, Units>(xs.data()) * matrix_in<float, Units, 3 * Units>(wx.data());
        inputs.rowwise() += matrix_in<float, 1, 3 * Units>(b.data());
        row h = row::Zero();
        auto const sigmoid = [](auto const& v) { return 1 / (1 + (-v.array()).exp()); };
        for (int t = 0; t < steps; ++t) {
          gates g;
          g.noalias() = h * matrix_in<float, Units, 3 * Units>(wh.data());
          gates const x = inputs.row(t);
          row const z = sigmoid(x.template segment<Units>(Units) + g.template segment<Units>(Units));
          row const n = (x.template segment<Units>(2 * Units).array() +
                         sigmoid(x.template segment<Units>(0) + g.template segment<Units>(0)) * g.template segment<Units>(2 * Units).array())
                            .tanh();
          h = (1 - z.array()) * n.array() + z.array() * h.array();
          matrix<float, 1, Units>(y.data() + t * Units) = h;
        }
      });
}
EXPRAX_COMPARE(gru<16>);
EXPRAX_COMPARE(gru<32>);
EXPRAX_COMPARE(gru<128>);

constexpr auto attend = [](auto q, auto k, auto v) {
  return ex::matmul(ex::nn::softmax(ex::matmul(q, ex::linalg::matrix_transpose(k)) / 8.0f, ex::axis<-1>), v);
};
void attention(benchmark::State& state) {
  constexpr int heads = 4, positions = 128, size = 64;
  auto const q = filled<float, heads, positions, size>(1, 1.37f), k = filled<float, heads, positions, size>(1, 0.7f);
  auto const v = filled<float, heads, positions, size>(1, 0.3f);
  ex::array<float, heads, positions, size> const out{};
  bench::compare_results(
      state, q, out, out, {1e-4, 1e-3}, [&](auto& y) { ex::jit<attend>().into(y, q, k, v); },
      [&](auto& y) {
        using one = matrix_in<float, positions, size>;
        static Eigen::Matrix<float, positions, positions, Eigen::RowMajor> scores;
        for (int h = 0; h < heads; ++h) {
          int const at = h * positions * size;
          scores.noalias() = one(q.data() + at) * one(k.data() + at).transpose();
          for (int i = 0; i < positions; ++i) {
            auto const row = scores.row(i).array();
            scores.row(i) = ((row - row.maxCoeff()) * 0.125f).exp();
            scores.row(i) /= scores.row(i).sum();
          }
          matrix<float, positions, size>(y.data() + at).noalias() = scores * one(v.data() + at);
        }
      });
}
EXPRAX_COMPARE(attention);

// 6 states, 3 measurements; the filter is written for one track.
constexpr int times = 1000, tracks = 64;
template <bool Covariances>
constexpr auto kalman_filter = [](auto ys, auto f, auto h, auto q, auto r) {
  auto const step = [=](auto last, auto y) {
    auto const [x, p] = last;
    auto const mean = ex::dot(f, x);
    auto const covariance = ex::dot(ex::dot(f, p), ex::transpose(f)) + q;
    auto const seen = ex::dot(h, covariance);
    auto const gain = ex::transpose(ex::linalg::solve(ex::dot(seen, ex::transpose(h)) + r, seen));
    auto const next = mean + ex::dot(gain, y - ex::dot(h, mean));
    auto const left = covariance - ex::dot(gain, seen);
    if constexpr (Covariances) return ex::tuple(ex::tuple(next, left), ex::tuple(next, left));
    else return ex::tuple(ex::tuple(next, left), next);
  };
  auto const rows = ex::get<1>(ex::scan(step, ex::tuple(ex::zeros<float, 6>(), 10 * ex::eye<float, 6>()), ys));
  if constexpr (Covariances) return ex::concatenate(ex::tuple(ex::get<0>(rows), ex::reshape<times, 36>(ex::get<1>(rows))), ex::axis<1>);
  else return rows;
};
template <bool Covariances>
void kalman(benchmark::State& state) {
  constexpr int width = Covariances ? 42 : 6;
  auto const ys = filled<float, tracks, times, 3>(1, 1.37f);
  ex::array<float, 6, 6> f = ex::eye<float, 6>();
  for (int i = 0; i < 3; ++i) f(i, i + 3) = 0.1f;
  ex::array<float, 3, 6> h = ex::eye<float, 3, 6>();
  ex::array<float, 6, 6> const q = 0.01f * ex::eye<float, 6>();
  ex::array<float, 3, 3> const r = 0.5f * ex::eye<float, 3>();
  auto const a = std::make_unique<ex::array<float, tracks, times, width>>(), b = std::make_unique<ex::array<float, tracks, times, width>>();
  using out = ex::view<float, tracks, times, width>;
  bench::compare_results(
      state, ys, out(*a), out(*b), {1e-3, 1e-2},
      [&](out& y) { ex::jit(ex::vmap(kalman_filter<Covariances>, ex::in_axes<0, ex::none, ex::none, ex::none, ex::none>)).into(y, ys, f, h, q, r); },
      [&](out& y) {
        using square = Eigen::Matrix<float, 6, 6>;
        square const fe = matrix_in<float, 6, 6>(f.data()), qe = matrix_in<float, 6, 6>(q.data());
        Eigen::Matrix<float, 3, 6> const he = matrix_in<float, 3, 6>(h.data());
        Eigen::Matrix<float, 3, 3> const re = matrix_in<float, 3, 3>(r.data());
        for (int k = 0; k < tracks; ++k) {
          Eigen::Matrix<float, 6, 1> x = Eigen::Matrix<float, 6, 1>::Zero();
          square p = 10 * square::Identity();
          for (int t = 0; t < times; ++t) {
            x = (fe * x).eval();
            p = (fe * p * fe.transpose() + qe).eval();
            Eigen::Matrix<float, 3, 6> const seen = he * p;
            Eigen::Matrix<float, 3, 3> const s = seen * he.transpose() + re;
            Eigen::Matrix<float, 6, 3> const gain = (s.inverse() * seen).transpose();
            x += gain * (matrix_in<float, 3, 1>(ys.data() + (k * times + t) * 3) - he * x);
            p -= gain * seen;
            float* const at = y.data() + (k * times + t) * width;
            matrix<float, 6, 1>{at} = x;
            if constexpr (Covariances) matrix<float, 6, 6>{at + 6} = p;
          }
        }
      });
}
EXPRAX_COMPARE_SLOW(kalman<false>);
EXPRAX_COMPARE_SLOW(kalman<true>);

}  // namespace
