// SPDX-License-Identifier: BSL-1.0
// Derivatives in small programs, each checked against mathematics: linear regression by gradient descent, a network that learns XOR while
// this file is compiled, Newton's method, and the gradient of each example of a batch. Derivatives through time: derivatives_of_scans.cpp.
#include <iostream>

#include <exprax/exprax.hpp>

namespace ex = exprax;

// ---- Linear regression by gradient descent

namespace linear_regression {

constexpr auto loss = [](auto w, auto xs, auto ys) { return ex::mean(ex::square(ex::dot(xs, w) - ys)); };

constexpr auto fit = [](auto xs, auto ys) {
  auto const step = [=](auto, auto w) { return w - 0.1f * ex::grad(loss)(w, xs, ys); };
  return ex::fori_loop(0, 500, step, ex::zeros<float, 3>());
};

// Where the gradient is zero: xs^T xs w = xs^T ys.
constexpr auto solve_normal_equations = [](auto xs, auto ys) {
  auto const t = ex::transpose(xs);
  return ex::linalg::solve(ex::dot(t, xs), ex::dot(t, ys));
};

bool run() {
  ex::array<float, 3> const truth{2, -1, 0.5f};
  auto const xs = ex::random::normal<64, 3>(ex::random::key(0));
  auto const ys = ex::dot(xs, truth) + 0.1f * ex::random::normal<64>(ex::random::key(1));
  auto const w = ex::jit(fit)(xs, ys);
  std::cout << "linear regression: " << w << ", and the truth: " << truth << '\n';
  return ex::allclose(w, ex::jit(solve_normal_equations)(xs, ys)) && ex::allclose(w, truth, 0, 0.1f);
}

}  // namespace linear_regression

// ---- A network that learns XOR, all in constant evaluation

namespace xor_network {

template <template <class, auto...> class Array>
struct network {
  Array<float, 2, 4> w1;
  Array<float, 4> b1;
  Array<float, 4> w2;
  Array<float> b2;
};

constexpr auto predict = [](auto net, auto x) { return ex::dot(ex::tanh(ex::dot(x, net.w1) + net.b1), net.w2) + net.b2; };
constexpr auto predict_all = ex::vmap(predict, ex::in_axes<ex::none, 0>);

constexpr auto loss = [](auto net, auto xs, auto ys) { return ex::mean(ex::square(predict_all(net, xs) - ys)); };

// (the trained network, the loss before the last step)
constexpr auto train = [](auto net, auto xs, auto ys) {
  auto const step = [=](auto, auto state) {
    auto const [before, g] = ex::value_and_grad(loss)(ex::get<0>(state), xs, ys);
    return ex::tuple(ex::tree_map([](auto p, auto d) { return p - 0.5f * d; }, ex::get<0>(state), g), before);
  };
  return ex::fori_loop(0, 200, step, ex::tuple(net, 0.0f));
};

static_assert([] {
  ex::array<float, 4, 2> const xs{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  ex::array<float, 4> const ys{0, 1, 1, 0};
  network<ex::array> const start{ex::random::normal<2, 4>(ex::random::key(0)), {}, ex::random::normal<4>(ex::random::key(1)), {}};
  auto const [net, last] = ex::jit(train)(start, xs, ys);
  return ex::jit(loss)(start, xs, ys) > 0.5f && last < 1e-4f && ex::allclose(ex::jit(predict_all)(net, xs), ys, 0, 0.01f);
}());

}  // namespace xor_network

// ---- Newton's method

namespace newton {

constexpr auto rosenbrock = [](auto x) { return 100.0 * ex::square(x(1) - ex::square(x(0))) + ex::square(1.0 - x(0)); };

constexpr auto minimize = [](auto init) {
  auto const is_far = [](auto x) { return ex::linalg::norm(ex::grad(rosenbrock)(x)) > 1e-9; };
  auto const step = [](auto x) { return x - ex::linalg::solve(ex::hessian(rosenbrock)(x), ex::grad(rosenbrock)(x)); };
  return ex::while_loop(is_far, step, init);
};

// The minimum is at (1, 1). The Hessian is ((1200 x^2 - 400 y + 2, -400 x), (-400 x, 200)).
constexpr auto found = ex::jit(minimize)(ex::array<double, 2>{-1.2, 1});
static_assert(ex::allclose(found, ex::array<double, 2>{1, 1}));
static_assert(ex::jit(ex::hessian(rosenbrock))(ex::array<double, 2>{1, 1}) == ex::array<double, 2, 2>{{802, -400}, {-400, 200}});

}  // namespace newton

// ---- Gradients of the examples of a batch

namespace per_example {

template <template <class, auto...> class Array>
struct classifier {
  Array<float, 4> w;
  Array<float> b;
};

// Of logistic regression; y: 1 or -1.
constexpr auto loss = [](auto p, auto x, auto y) { return ex::nn::softplus(-y * (ex::dot(x, p.w) + p.b)); };
constexpr auto mean_loss = [](auto p, auto xs, auto ys) { return ex::mean(ex::vmap(loss, ex::in_axes<ex::none, 0, 0>)(p, xs, ys)); };

bool run() {
  classifier<ex::array> const p{{0.5f, -1, 2, 0.25f}, 0.125f};
  auto const xs = ex::random::normal<8, 4>(ex::random::key(2));
  ex::array<float, 8> const ys{1, -1, 1, 1, -1, -1, 1, -1};
  auto const each = ex::jit(ex::vmap(ex::grad(loss), ex::in_axes<ex::none, 0, 0>))(p, xs, ys);
  bool same = true;
  for (int i = 0; i < 8; ++i) {
    auto const one = ex::jit(ex::grad(loss))(p, xs(i), ys(i));
    same = same && each.w(i) == one.w && each.b(i) == one.b;
  }
  auto const of_mean = ex::jit(ex::grad(mean_loss))(p, xs, ys);
  std::cout << "gradients of 8 examples, with respect to the bias: " << each.b << ", of their mean: " << of_mean.b << '\n';
  return same && ex::allclose(ex::mean(each.w, ex::axis<0>), of_mean.w) && ex::allclose(ex::mean(each.b), of_mean.b);
}

}  // namespace per_example

int main() {
  std::cout << "the minimum of the Rosenbrock function: " << newton::found << '\n';
  return linear_regression::run() && per_example::run() ? 0 : 1;
}
