// SPDX-License-Identifier: BSL-1.0
// A network of two layers, whose parameters are a struct of arrays: written for one input, mapped over a batch. Its weights are the
// classical solution of XOR by two rectified units, and the compiler checks it.
#include <iostream>

#include <exprax/core.hpp>
#include <exprax/nn.hpp>

namespace ex = exprax;

// The members are arrays outside of a function to compile, and traced values inside, so the struct is a template.
template <template <class, auto...> class Array>
struct network {
  Array<float, 2, 2> w1;
  Array<float, 2> b1;
  Array<float, 2> w2;
  Array<float> b2;
};

constexpr auto predict = [](auto net, auto x) {
  auto const hidden = ex::nn::relu(ex::dot(x, net.w1) + net.b1);
  return ex::dot(hidden, net.w2) + net.b2;
};
// One network, many inputs.
constexpr auto predict_all = ex::vmap(predict, ex::in_axes<ex::none, 0>);

constexpr network<ex::array> net{{{1, 1}, {1, 1}}, {0, -1}, {1, -2}, 0.0f};
constexpr ex::array<float, 4, 2> inputs{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
static_assert(ex::jit(predict_all)(net, inputs) == ex::array<float, 4>{0, 1, 1, 0});

int main() {
  auto const outputs = ex::jit(predict_all)(net, inputs);
  for (int i = 0; i < 4; ++i) std::cout << inputs(i, 0) << " xor " << inputs(i, 1) << " = " << outputs(i) << '\n';

  // A function of each parameter: a network with half of all of them.
  auto const halved = ex::tree_map([](auto const& p) { return p * 0.5f; }, net);
  std::cout << "w2 halved: " << halved.w2 << '\n';
}
