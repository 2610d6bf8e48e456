// SPDX-License-Identifier: BSL-1.0
// The same mathematics in two spellings: gradients of a vmap, and loops over arrays whose rows are independent (ours), beside the vmap of
// the gradient of one row (peer). 1: they cost the same.
#include <exprax/exprax.hpp>

#include "results.hpp"

namespace ex = exprax;

namespace {

// Lorenz' equations, 100 steps of Runge and Kutta's method.
constexpr auto rate = [](auto v, auto p) {
  return ex::stack(ex::tuple(p(0) * (v(1) - v(0)), v(0) * (p(1) - v(2)) - v(1), v(0) * v(1) - p(2) * v(2)));
};
constexpr auto step = [](auto v, auto p) {
  auto const a = rate(v, p), b = rate(v + 0.005 * a, p), c = rate(v + 0.005 * b, p), d = rate(v + 0.01 * c, p);
  return v + (0.01 / 6) * (a + 2.0 * b + 2.0 * c + d);
};
constexpr auto orbit = [](auto v, auto p) {
  auto const last = ex::fori_loop(0, 100, [p](auto, auto w) { return step(w, p); }, v);
  return ex::sum(last * last);
};
constexpr auto orbits = [](auto v, auto p) { return ex::sum(ex::vmap([p](auto row) { return orbit(row, p); })(v)); };

struct by_row {
  static constexpr auto ours = [](auto v, auto p) { return ex::grad(orbits)(v, p); };
  static constexpr auto peer = [](auto v, auto p) { return ex::vmap([p](auto row) { return ex::grad(orbit)(row, p); })(v); };
};
// By the parameters, which all rows share.
struct by_parameter {
  static constexpr auto ours = [](auto v, auto p) { return ex::grad(orbits, ex::argnums<1>)(v, p); };
  static constexpr auto peer = [](auto v, auto p) {
    return ex::sum(ex::vmap([p](auto row) { return ex::grad(orbit, ex::argnums<1>)(row, p); })(v), ex::axis<0>);
  };
};
struct values {
  static constexpr auto ours = [](auto v, auto p) {
    auto const turn = [p](auto, auto w) { return w + 0.01 * ex::sin(w) * p - 0.001 * ex::cumsum(w, ex::axis<1>); };
    return ex::fori_loop(0, 100, turn, v);
  };
  static constexpr auto peer = [](auto v, auto p) {
    return ex::vmap([p](auto row) {
      return ex::fori_loop(0, 100, [p](auto, auto w) { return w + 0.01 * ex::sin(w) * p - 0.001 * ex::cumsum(w); }, row);
    })(v);
  };
};

template <class F, int Rows>
void compare_spellings(benchmark::State& state) {
  ex::array<double, Rows, 3> v;
  ex::array<double, 3> const p{10.0, 28.0, 2.667};
  for (int i = 0; i < 3 * Rows; ++i) v.data()[i] = 0.1 + 0.001 * (i % 997);
  bench::compare_results(
      state, v, ex::jit(F::ours)(v, p), ex::jit(F::peer)(v, p), {0, 1e-9}, [&](auto& ours) { ex::jit(F::ours).into(ours, v, p); },
      [&](auto& peer) { ex::jit(F::peer).into(peer, v, p); });
}
template <int Rows>
void gradient_by_row(benchmark::State& state) {
  compare_spellings<by_row, Rows>(state);
}
template <int Rows>
void gradient_by_parameter(benchmark::State& state) {
  compare_spellings<by_parameter, Rows>(state);
}
template <int Rows>
void loop_on_arrays(benchmark::State& state) {
  compare_spellings<values, Rows>(state);
}
EXPRAX_COMPARE(gradient_by_row<8>);
EXPRAX_COMPARE(gradient_by_row<64>);
EXPRAX_COMPARE(gradient_by_row<1000>);
EXPRAX_COMPARE(gradient_by_parameter<8>);
EXPRAX_COMPARE(gradient_by_parameter<64>);
EXPRAX_COMPARE(gradient_by_parameter<1000>);
EXPRAX_COMPARE(loop_on_arrays<8>);
EXPRAX_COMPARE(loop_on_arrays<64>);
EXPRAX_COMPARE(loop_on_arrays<1000>);

}  // namespace
