// SPDX-License-Identifier: BSL-1.0
// Gradients of models, in double: a network, a recurrent network, forces of particles, and a differential equation fitted to data. By hand:
// the adjoint loops, with Eigen's products and exponentials.
#include <cmath>

#include <Eigen/Dense>

#include <exprax/exprax.hpp>

#include "gradients.hpp"

namespace ex = exprax;

namespace {

using bench::compare_gradients, bench::numbers;

template <int R, int C>
using matrix = Eigen::Matrix<double, R, C, Eigen::RowMajor>;
template <int R, int C>
using in = Eigen::Map<matrix<R, C> const>;
template <int R, int C>
using out = Eigen::Map<matrix<R, C>>;

// sin(0.7 i), i = 0, 1, ...
template <int... D>
ex::array<double, D...> const& waves() {
  static ex::array<double, D...> const made = [] {
    ex::array<double, D...> r;
    for (int i = 0; i < (D * ...); ++i) r.data()[i] = std::sin(0.7 * i);
    return r;
  }();
  return made;
}

// --- mlp: 64-64-10, a batch of 32, cross entropy ---

constexpr int batch = 32, width = 64, classes = 10;
constexpr int mlp_size = width * width + width + width * classes + classes;

template <class T>
auto mlp_parameters(T* p) {
  T *const b1 = p + width * width, *const w2 = b1 + width, *const b2 = w2 + width * classes;
  return ex::tuple(ex::view<T, width, width>(p), ex::view<T, width>(b1), ex::view<T, width, classes>(w2), ex::view<T, classes>(b2));
}
ex::array<double, batch, classes> const& labels() {
  static ex::array<double, batch, classes> const made = [] {
    ex::array<double, batch, classes> r{};
    for (int i = 0; i < batch; ++i) r(i, 7 * i % classes) = 1;
    return r;
  }();
  return made;
}
constexpr auto mlp = [](auto p, auto x, auto expected) {
  auto const [w1, b1, w2, b2] = p;
  auto const logits = ex::dot(ex::nn::relu(ex::dot(x, w1) + b1), w2) + b2;
  return ex::sum(expected * ex::nn::log_softmax(logits)) / -double{batch};
};
[[gnu::noinline]] void mlp_by_hand(double const* p, double* to) {
  static matrix<batch, width> h, of_h;
  static matrix<batch, classes> d;
  constexpr int b1 = width * width, w2 = b1 + width, b2 = w2 + width * classes;
  in<batch, width> const x(waves<batch, width>().data());
  h.noalias() = x * in<width, width>(p);
  h = (h.rowwise() + in<1, width>(p + b1)).cwiseMax(0);
  d.noalias() = h * in<width, classes>(p + w2);
  d.rowwise() += in<1, classes>(p + b2);
  for (int i = 0; i < batch; ++i) {
    d.row(i) = (d.row(i).array() - d.row(i).maxCoeff()).exp();
    d.row(i) /= d.row(i).sum() * batch;
  }
  d -= in<batch, classes>(labels().data()) / batch;
  out<width, classes>(to + w2).noalias() = h.transpose() * d;
  out<1, classes>(to + b2) = d.colwise().sum();
  of_h.noalias() = d * in<width, classes>(p + w2).transpose();
  of_h = (h.array() > 0).select(of_h, 0);
  out<width, width>(to).noalias() = x.transpose() * of_h;
  out<1, width>(to + b1) = of_h.colwise().sum();
}
void of_mlp(benchmark::State& state) {
  compare_gradients<mlp_size>(
      state, numbers<mlp_size>(-0.2, 0.2),
      [](double const* p, double* to) {
        auto result = mlp_parameters(to);
        ex::jit(ex::grad(mlp)).into(result, mlp_parameters(p), waves<batch, width>(), labels());
      },
      mlp_by_hand, [](double const* p) { return *ex::jit(mlp)(mlp_parameters(p), waves<batch, width>(), labels()).data(); });
}

// --- lstm: 32 units, 64 steps; parameters: the weights of inputs and state, the offsets, the inputs ---

constexpr int units = 32, moments = 64, gates = 4 * units;
constexpr int lstm_size = 2 * units * gates + gates + moments * units;

template <class T>
auto lstm_parameters(T* p) {
  T *const wh = p + units * gates, *const b = wh + units * gates, *const x = b + gates;
  return ex::tuple(ex::view<T, units, gates>(p), ex::view<T, units, gates>(wh), ex::view<T, gates>(b), ex::view<T, moments, units>(x));
}
constexpr auto lstm = [](auto p, auto expected) {
  auto const [wx, wh, b, x] = p;
  auto const step = [wh = wh](auto s, auto from_x) {
    auto const [h, c] = s;
    auto const [i, f, o, g] = ex::split<4>(from_x + ex::dot(h, wh));
    auto const next = ex::nn::sigmoid(f) * c + ex::nn::sigmoid(i) * ex::tanh(g);
    auto const result = ex::nn::sigmoid(o) * ex::tanh(next);
    return ex::tuple(ex::tuple(result, next), result);
  };
  auto const zeros = ex::zeros<double, units>();
  return 0.5 * ex::sum(ex::square(ex::get<1>(ex::scan(step, ex::tuple(zeros, zeros), ex::dot(x, wx) + b)) - expected));
};
[[gnu::noinline]] void lstm_by_hand(double const* p, double* to) {
  using row = Eigen::Array<double, 1, units>;
  static matrix<moments, gates> a, of_a;
  static matrix<moments + 1, units> h, c, bent;  // row 0: before the first step; bent: tanh(c)
  constexpr int at_wh = units * gates, at_b = 2 * at_wh, at_x = at_b + gates;
  in<units, gates> const wx(p), wh(p + at_wh);
  in<moments, units> const x(p + at_x), y(waves<moments, units>().data());
  a.noalias() = x * wx;
  a.rowwise() += in<1, gates>(p + at_b);
  h.row(0).setZero(), c.row(0).setZero();
  for (int t = 0; t < moments; ++t) {
    a.row(t).noalias() += h.row(t) * wh;
    a.row(t).tail<units>() *= 2;  // tanh(z) = 2 sigmoid(2 z) - 1
    a.row(t) = 1 / (1 + (-a.row(t).array()).exp());
    auto u = a.row(t).array();
    u.tail<units>() = 2 * u.tail<units>() - 1;
    c.row(t + 1) = u.segment<units>(units) * c.row(t).array() + u.head<units>() * u.tail<units>();
    bent.row(t + 1) = 2 / (1 + (-2 * c.row(t + 1).array()).exp()) - 1;
    h.row(t + 1) = u.segment<units>(2 * units) * bent.row(t + 1).array();
  }
  row of_h = row::Zero(), of_c = row::Zero();
  for (int t = moments - 1; t >= 0; --t) {
    auto const u = a.row(t).array();
    row const i = u.head<units>(), f = u.segment<units>(units), o = u.segment<units>(2 * units), g = u.tail<units>(), b = bent.row(t + 1);
    of_h += h.row(t + 1).array() - y.row(t).array();
    of_c += of_h * o * (1 - b * b);
    of_a.row(t).head<units>() = of_c * g * i * (1 - i);
    of_a.row(t).segment<units>(units) = of_c * c.row(t).array() * f * (1 - f);
    of_a.row(t).segment<units>(2 * units) = of_h * b * o * (1 - o);
    of_a.row(t).tail<units>() = of_c * i * (1 - g * g);
    of_c *= f;
    of_h.matrix().noalias() = of_a.row(t) * wh.transpose();
  }
  out<units, gates>(to).noalias() = x.transpose() * of_a;
  out<units, gates>(to + at_wh).noalias() = h.topRows<moments>().transpose() * of_a;
  out<1, gates>(to + at_b) = of_a.colwise().sum();
  out<moments, units>(to + at_x).noalias() = of_a * wx.transpose();
}
void of_lstm(benchmark::State& state) {
  compare_gradients<lstm_size>(
      state, numbers<lstm_size>(-0.3, 0.3),
      [](double const* p, double* to) {
        auto result = lstm_parameters(to);
        ex::jit(ex::grad(lstm)).into(result, lstm_parameters(p), waves<moments, units>());
      },
      lstm_by_hand, [](double const* p) { return *ex::jit(lstm)(lstm_parameters(p), waves<moments, units>()).data(); });
}

// --- lennard_jones: the energy of all pairs of 100 particles, x: [coordinate, particle] ---

constexpr int particles = 100;

constexpr auto lennard_jones = [](auto x) {
  auto const d = x(ex::all, ex::all, ex::newaxis) - x(ex::all, ex::newaxis, ex::all);
  auto const squares = ex::sum(d * d, ex::axis<0>) + ex::eye<double, particles>();  // a particle and itself: no energy at distance 1
  auto const s = 1.0 / (squares * squares * squares);
  return 2.0 * ex::sum(s * s - s);
};
// All pairs: the loop over the particles that are acted on sums nothing, so compilers make packs of it.
[[gnu::noinline]] void lennard_jones_by_hand(double const* __restrict x, double* __restrict to) {
  double const *const y = x + particles, *const z = y + particles;
  double *const to_y = to + particles, *const to_z = to_y + particles;
  for (int i = 0; i < 3 * particles; ++i) to[i] = 0;
  for (int j = 0; j < particles; ++j)
    for (int i = 0; i < particles; ++i) {
      double const a = x[i] - x[j], b = y[i] - y[j], c = z[i] - z[j];
      double const square = a * a + b * b + c * c;
      double const r = 1 / (i == j ? 1 : square), s = r * r * r, slope = 24 * r * (s - 2 * s * s);
      to[i] += slope * a, to_y[i] += slope * b, to_z[i] += slope * c;
    }
}
void of_lennard_jones(benchmark::State& state) {
  constexpr int size = 3 * particles;
  double* const x = numbers<size>(-0.1, 0.1);  // about a lattice of 5 x 5 x 4
  for (int i = 0; i < particles; ++i) x[i] += 1.2 * (i % 5), x[particles + i] += 1.2 * (i / 5 % 5), x[2 * particles + i] += 1.2 * (i / 25);
  compare_gradients<size>(
      state, x,
      [](double const* x, double* to) {
        ex::jit(ex::grad(lennard_jones)).into(ex::view<double, 3, particles>(to), ex::view<double const, 3, particles>(x));
      },
      lennard_jones_by_hand, [](double const* x) { return *ex::jit(lennard_jones)(ex::view<double const, 3, particles>(x)).data(); });
}

// --- lorenz_fit: 1,000 steps by Runge and Kutta against data, [coordinate, step]; p: sigma, rho, beta, and the start ---

constexpr int steps = 1000;
constexpr double dt = 0.005;

constexpr auto lorenz_fit = [](auto p, auto expected) {
  auto const step = [s = p(0), r = p(1), b = p(2)](auto at, auto) {
    auto const [x, y, z] = at;
    auto const flow = [&](auto x, auto y, auto z) { return ex::tuple(s * (y - x), x * (r - z) - y, x * y - b * z); };
    auto const [x1, y1, z1] = flow(x, y, z);
    auto const [x2, y2, z2] = flow(x + dt / 2 * x1, y + dt / 2 * y1, z + dt / 2 * z1);
    auto const [x3, y3, z3] = flow(x + dt / 2 * x2, y + dt / 2 * y2, z + dt / 2 * z2);
    auto const [x4, y4, z4] = flow(x + dt * x3, y + dt * y3, z + dt * z3);
    auto const next = ex::tuple(x + dt / 6 * (x1 + 2.0 * (x2 + x3) + x4), y + dt / 6 * (y1 + 2.0 * (y2 + y3) + y4),
                                z + dt / 6 * (z1 + 2.0 * (z2 + z3) + z4));
    return ex::tuple(next, next);
  };
  auto const [x, y, z] = ex::get<1>(ex::scan(step, ex::tuple(p(3), p(4), p(5)), ex::length<steps>));
  return ex::sum(ex::square(x - expected(0)) + ex::square(y - expected(1)) + ex::square(z - expected(2))) / double{steps};
};
struct point {
  double x, y, z;
  friend point operator+(point a, point b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend point operator*(double s, point a) { return {s * a.x, s * a.y, s * a.z}; }
};
struct lorenz {
  double s, r, b, of_s = 0, of_r = 0, of_b = 0;
  point flow(point p) const { return {s * (p.y - p.x), p.x * (r - p.z) - p.y, p.x * p.y - b * p.z}; }
  // The cotangent of p, from that of flow(p).
  point back(point p, point c) {
    of_s += (p.y - p.x) * c.x, of_r += p.x * c.y, of_b -= p.z * c.z;
    return {(r - p.z) * c.y + p.y * c.z - s * c.x, s * c.x - c.y + p.x * c.z, -p.x * c.y - b * c.z};
  }
};
[[gnu::noinline]] void lorenz_fit_by_hand(double const* p, double* to) {
  static point at[steps + 1];
  lorenz f{p[0], p[1], p[2]};
  at[0] = {p[3], p[4], p[5]};
  for (int t = 0; t < steps; ++t) {
    point const a = at[t], a1 = f.flow(a), a2 = f.flow(a + dt / 2 * a1), a3 = f.flow(a + dt / 2 * a2), a4 = f.flow(a + dt * a3);
    at[t + 1] = a + dt / 6 * (a1 + 2 * (a2 + a3) + a4);
  }
  double const* const data = waves<3, steps>().data();
  point c{};
  for (int t = steps - 1; t >= 0; --t) {
    c = c + 2.0 / steps * (at[t + 1] + -1.0 * point{data[t], data[steps + t], data[2 * steps + t]});
    // The stages are computed again.
    point const p1 = at[t], p2 = p1 + dt / 2 * f.flow(p1), p3 = p1 + dt / 2 * f.flow(p2), p4 = p1 + dt * f.flow(p3);
    point const c4 = f.back(p4, dt / 6 * c), c3 = f.back(p3, dt / 3 * c + dt * c4), c2 = f.back(p2, dt / 3 * c + dt / 2 * c3);
    c = c + c4 + c3 + c2 + f.back(p1, dt / 6 * c + dt / 2 * c2);
  }
  to[0] = f.of_s, to[1] = f.of_r, to[2] = f.of_b, to[3] = c.x, to[4] = c.y, to[5] = c.z;
}
void of_lorenz_fit(benchmark::State& state) {
  double p[] = {10, 28, 8.0 / 3, 1, 1, 20};
  compare_gradients<6>(
      state, p,
      [](double const* p, double* to) {
        ex::jit(ex::grad(lorenz_fit)).into(ex::view<double, 6>(to), ex::view<double const, 6>(p), waves<3, steps>());
      },
      lorenz_fit_by_hand, [](double const* p) { return *ex::jit(lorenz_fit)(ex::view<double const, 6>(p), waves<3, steps>()).data(); });
}

EXPRAX_COMPARE(of_mlp)->Name("mlp");
EXPRAX_COMPARE(of_lstm)->Name("lstm");
EXPRAX_COMPARE(of_lennard_jones)->Name("lennard_jones");
EXPRAX_COMPARE(of_lorenz_fit)->Name("lorenz_fit");

}  // namespace
