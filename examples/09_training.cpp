// SPDX-License-Identifier: BSL-1.0
// Gradients: a small network that learns XOR. The whole training, its gradients included, is one function that is compiled; the loop over
// the steps stays a loop, and no memory is allocated.
#include <iostream>

#include <exprax/exprax.hpp>

namespace ex = exprax;

template <template <class, auto...> class Array>
struct network {
  Array<float, 2, 8> w1;
  Array<float, 8> b1;
  Array<float, 8> w2;
  Array<float> b2;
};

constexpr auto predict = [](auto net, auto x) { return ex::dot(ex::tanh(ex::dot(x, net.w1) + net.b1), net.w2) + net.b2; };

constexpr auto loss = [](auto net, auto xs, auto ys) {
  auto const outputs = ex::vmap(predict, ex::in_axes<ex::none, 0>)(net, xs);
  return ex::mean(ex::square(outputs - ys));
};

constexpr auto train = [](auto net, auto xs, auto ys) {
  auto const step = [=](auto, auto n) {
    auto const g = ex::grad(loss)(n, xs, ys);
    return ex::tree_map([](auto p, auto d) { return p - 0.1f * d; }, n, g);
  };
  return ex::fori_loop(0, 2000, step, net);
};

int main() {
  ex::array<float, 4, 2> const xs{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  ex::array<float, 4> const ys{0, 1, 1, 0};
  auto const [first, second] = ex::jit([](auto key) {
    auto const keys = ex::random::split(key);
    return ex::tuple(ex::random::normal<2, 8>(keys(0)), ex::random::normal<8>(keys(1)));
  })(ex::random::key(0));
  network<ex::array> net{first, {}, second, {}};

  auto const outputs = ex::jit(ex::vmap(predict, ex::in_axes<ex::none, 0>));
  std::cout << "loss before: " << ex::round(ex::jit(loss)(net, xs, ys), ex::decimals<1>) << ", outputs: " << ex::astype<int>(ex::round(outputs(net, xs)))
            << '\n';
  net = ex::jit(train)(net, xs, ys);
  std::cout << "loss after:  " << ex::round(ex::jit(loss)(net, xs, ys), ex::decimals<1>) << ", outputs: " << ex::astype<int>(ex::round(outputs(net, xs)))
            << '\n';
}
