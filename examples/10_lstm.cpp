// SPDX-License-Identifier: BSL-1.0
// An LSTM over sequences: the cell is a function of one step, scan carries its memory over the steps, and vmap maps both over a batch. The
// weights are set by hand, with gates that are open or shut, so that one cell counts the ones of a sequence and the other the zeros since
// the last one.
#include <iostream>

#include <exprax/core.hpp>
#include <exprax/nn.hpp>

namespace ex = exprax;

constexpr int units = 2;

template <template <class, auto...> class Array>
struct weights {
  Array<float, 4 * units> x;
  Array<float, units, 4 * units> h;
  Array<float, 4 * units> b;
};
template <template <class, auto...> class Array>
struct memory {
  Array<float, units> h, c;
};

// Gates for what comes in, what is kept and what is shown; and a candidate for what comes in.
constexpr auto cell = [](auto w, auto m, auto x) {
  auto const [in, keep, candidate, out] = ex::split<4>(x * w.x + ex::dot(m.h, w.h) + w.b);
  auto const c = ex::nn::sigmoid(keep) * m.c + ex::nn::sigmoid(in) * ex::tanh(candidate);
  return memory<ex::expr>{ex::nn::sigmoid(out) * ex::tanh(c), c};
};

// xs: [steps] -> [units, steps]: what the cells hold after each step
constexpr auto run = [](auto w, auto xs) {
  auto const body = [=](auto m, auto x) {
    auto const next = cell(w, m, x);
    return ex::tuple(next, next.c);
  };
  return ex::transpose(ex::get<1>(ex::scan(body, memory<ex::array>{}, xs)));
};

int main() {
  constexpr float open = 30, shut = -30;  // sigmoid makes 1 and 0 of them, tanh 1 and -1
  weights<ex::array> w{};
  // For each of both cells:  in        keep        candidate   out
  w.b = {/*     always  */ shut, open, open, open, open, open, open, open};
  w.x = {/* if x is 1 */ 2 * open, 2 * shut, 0, 2 * shut, 0, 0, 0, 0};

  ex::array<float, 2, 8> const sequences{{1, 0, 1, 1, 0, 0, 0, 1}, {0, 0, 1, 0, 0, 0, 0, 0}};
  auto const held = ex::jit(ex::vmap(run, ex::in_axes<ex::none, 0>))(w, sequences);
  std::cout << "sequences:\n" << ex::astype<int>(sequences) << '\n';
  std::cout << "ones so far, zeros since the last one:\n" << ex::astype<int>(ex::round(held)) << '\n';
}
