// SPDX-License-Identifier: BSL-1.0
// Derivatives through time, each checked against mathematics: an LSTM over a sequence, and an ODE whose parameters are fitted through 1,000
// steps of Runge and Kutta. The loops stay loops.
#include <cmath>
#include <iostream>

#include <exprax/exprax.hpp>

namespace ex = exprax;

// ---- Backpropagation through an LSTM

namespace lstm {

template <template <class, auto...> class Array>
struct weights {
  Array<double, 3, 32> x;
  Array<double, 8, 32> h;
  Array<double, 32> b;
  Array<double, 8> out;
};
template <template <class, auto...> class Array>
struct memory {
  Array<double, 8> h, c;
};

constexpr auto cell = [](auto w, auto m, auto x) {
  auto const [i, f, g, o] = ex::split<4>(ex::dot(x, w.x) + ex::dot(m.h, w.h) + w.b);
  auto const c = ex::nn::sigmoid(f) * m.c + ex::nn::sigmoid(i) * ex::tanh(g);
  return memory<ex::expr>{ex::nn::sigmoid(o) * ex::tanh(c), c};
};

// The last output is compared with y.
constexpr auto loss = [](auto w, auto xs, auto y) {
  auto const body = [=](auto m, auto x) { return ex::tuple(cell(w, m, x), ex::none); };
  auto const [last, nothing] = ex::scan(body, memory<ex::array>{}, xs);
  return ex::square(ex::dot(last.h, w.out) - y);
};

bool run() {
  auto const xs = ex::random::normal<double, 40, 3>(ex::random::key(0));
  weights<ex::array> const w{0.3 * ex::random::normal<double, 3, 32>(ex::random::key(1)),
                             0.3 * ex::random::normal<double, 8, 32>(ex::random::key(2)), ex::zeros<double, 32>(),
                             0.3 * ex::random::normal<double, 8>(ex::random::key(3))};
  auto const g = ex::jit(ex::grad(loss))(w, xs, 1.0);
  // The slope of the loss along its gradient is the square of the gradient's length.
  auto const along = [&](double t) { return ex::jit(loss)(ex::tree_map([=](auto p, auto d) { return p + t * d; }, w, g), xs, 1.0); };
  double const slope = (along(1e-5) - along(-1e-5)) / 2e-5;
  double const square = ex::sum(g.x * g.x) + ex::sum(g.h * g.h) + ex::sum(g.b * g.b) + ex::sum(g.out * g.out);
  std::cout << "LSTM: the slope of the loss is " << square << ", by differences " << slope << '\n';
  return std::abs(slope - square) < 1e-7 * square;
}

}  // namespace lstm

// ---- The parameters of an ODE

namespace ode {

// Prey and predators (Lotka and Volterra): s = (x, y), x' = p0 x - p1 x y, y' = p2 x y - p3 y.
constexpr auto growth = [](auto p, auto s) {
  auto const x = s(0), y = s(1);
  return ex::stack(ex::tuple(p(0) * x - p(1) * x * y, p(2) * x * y - p(3) * y));
};

constexpr auto rk4_step = [](auto p, auto s) {
  constexpr float h = 0.01f;
  auto const k1 = growth(p, s);
  auto const k2 = growth(p, s + h / 2 * k1);
  auto const k3 = growth(p, s + h / 2 * k2);
  auto const k4 = growth(p, s + h * k3);
  return s + h / 6 * (k1 + 2.0f * k2 + 2.0f * k3 + k4);
};

constexpr auto forty_steps = [](auto p, auto s) { return ex::fori_loop(0, 40, [=](auto, auto c) { return rk4_step(p, c); }, s); };

// The states after 40, 80, ..., 1,000 steps from (1, 1). FortySteps: the function, or its checkpoint.
template <auto FortySteps>
constexpr auto solve = [](auto p) {
  auto const body = [=](auto s, auto) {
    auto const next = FortySteps(p, s);
    return ex::tuple(next, next);
  };
  return ex::get<1>(ex::scan(body, ex::array<float, 2>{1, 1}, ex::length<25>));
};
// The parameters are positive: we fit their logarithms.
template <auto FortySteps>
constexpr auto loss = [](auto logs, auto data) { return ex::mean(ex::square(solve<FortySteps>(ex::exp(logs)) - data)); };

// Adam, 500 steps.
constexpr auto fit = [](auto init, auto data) {
  auto const step = [=](auto i, auto state) {
    auto const [x, m0, v0] = state;
    auto const g = ex::grad(loss<forty_steps>)(x, data);
    auto const m = 0.9f * m0 + 0.1f * g;
    auto const v = 0.99f * v0 + 0.01f * g * g;
    auto const t = ex::astype<float>(i + 1);
    auto const mean = m / (1.0f - ex::pow(0.9f, t)), variance = v / (1.0f - ex::pow(0.99f, t));
    return ex::tuple(x - 0.02f * mean / (ex::sqrt(variance) + 1e-8f), m, v);
  };
  auto const zeros = ex::zeros_like(init);
  return ex::get<0>(ex::fori_loop(0, 500, step, ex::tuple(init, zeros, zeros)));
};

bool run() {
  ex::array<float, 4> const truth{1.5f, 1, 1, 3}, guess{1.2f, 1.2f, 0.8f, 2.5f};
  auto const data = ex::jit(solve<forty_steps>)(truth);
  auto const found = ex::exp(ex::jit(fit)(ex::log(guess), data));
  std::cout << "ODE: fitted " << found << ", and the truth: " << truth << '\n';

  auto const gradient = ex::jit(ex::grad(loss<forty_steps>));
  auto const with_checkpoint = ex::jit(ex::grad(loss<ex::checkpoint(forty_steps)>));
  std::cout << "scratch of the gradient through 1,000 steps: " << gradient.memory_analysis(guess, data).temp_size_in_bytes
            << " bytes, with a checkpoint of each 40 steps " << with_checkpoint.memory_analysis(guess, data).temp_size_in_bytes << '\n';
  return ex::allclose(found, truth, 1e-3f) && ex::allclose(gradient(guess, data), with_checkpoint(guess, data));
}

}  // namespace ode

int main() { return lstm::run() && ode::run() ? 0 : 1; }
