// SPDX-License-Identifier: BSL-1.0
// Gradients of nested programs, of structures of arrays, by compiled kernels: against the limits of differences, and against the reference
// interpreter. Loops in branches in vmaps in checkpoints, with captured values.
#include <doctest/doctest.h>

#include <array>
#include <tuple>
#include <utility>

#include <boost/hana.hpp>

#include "derivatives/law.hpp"

namespace ex = exprax;
namespace hana = boost::hana;

namespace {

template <class T>
struct expr_of;
template <class T, int... D>
struct expr_of<ex::array<T, D...>> {
  using type = ex::expr<T, D...>;
};

template <class T, int... D>
std::vector<double> elements(ex::array<T, D...> const& x) {
  return std::vector<double>(x.data(), x.data() + x.size());
}

// f: of arrays, to a scalar. of: the numbers of the arguments that have gradients.
template <int... Of, class F, class... Args>
void check_gradient_at(ex::argnums_t<Of...>, F f, Args&... args) {
  auto const gradients = ex::jit(ex::grad(f, ex::argnums<Of...>))(args...);
  auto const value = ex::jit(f);
  auto const step_of = [&](auto& x, std::ptrdiff_t i, double h) {
    double const before = x.data()[i];
    x.data()[i] = before + h;
    double const y = static_cast<double>(value(args...));
    x.data()[i] = before;
    return y;
  };
  auto const all = std::tie(args...);
  auto const check_one = [&](auto& x, auto const& gradient) {
    for (std::ptrdiff_t i = 0; i < x.size(); ++i) {
      double const limit = (step_of(x, i, 1e-6) - step_of(x, i, -1e-6)) / 2e-6;
      CHECK(std::abs(gradient.data()[i] - limit) < 1e-7 * (1 + std::abs(limit)));
    }
  };
  law::values compiled;
  if constexpr (sizeof...(Of) == 1) {
    (check_one(std::get<Of>(all), gradients), ...);
    compiled.push_back(elements(gradients));
  } else {
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      (check_one(std::get<Of>(all), ex::get<K>(gradients)), ...);
      (compiled.push_back(elements(ex::get<K>(gradients))), ...);
    }(std::make_index_sequence<sizeof...(Of)>());
  }
  auto const p = law::of<typename expr_of<Args>::type...>::program(ex::grad(f, ex::argnums<Of...>));
  law::values const interpreted = law::run(p, {elements(args)...});
  REQUIRE(compiled.size() == interpreted.size());
  for (std::size_t k = 0; k < compiled.size(); ++k)
    for (std::size_t i = 0; i < compiled[k].size(); ++i)
      CHECK(std::abs(compiled[k][i] - interpreted[k][i]) < 1e-12 * (1 + std::abs(interpreted[k][i])));
}
template <class Numbers, class F, class... Args>
void check_gradient(Numbers of, F f, Args const&... args) {
  std::tuple<Args...> copies(args...);
  std::apply([&](Args&... x) { check_gradient_at(of, f, x...); }, copies);
}

template <template <class, auto...> class Array>
struct layer {
  Array<double, 2, 2> w;
  Array<double, 2> b;
};

constexpr auto state = BOOST_HANA_STRING("state");
constexpr auto energy = BOOST_HANA_STRING("energy");

constexpr ex::array<double, 2, 2> w{{0.3, -0.7}, {0.9, 0.2}};
constexpr ex::array<double, 2> b{0.1, -0.4};
constexpr ex::array<double, 3, 4, 2> sequences{{{0.5, -1}, {0.25, 0.75}, {-0.3, 1.2}, {0.8, -0.6}},
                                               {{-0.9, 0.4}, {1.1, -0.2}, {0.7, 0.6}, {-1.3, 0.15}},
                                               {{0.35, 0.85}, {-0.55, -0.95}, {1.4, 0.05}, {0.65, -1.15}}};
constexpr ex::array<int, 3> kinds{2, 0, 1};

}  // namespace

TEST_CASE("vmap of a scan with a branch of each row, over a struct of parameters") {
  check_gradient(ex::argnums<0, 1, 2>, [](auto weights, auto bias, auto xs, auto kind) {
    layer<ex::expr> const p{weights, bias};
    auto const of_row = [=](auto rows, auto k) {
      auto const step = [=](auto c, auto x) {
        auto const h = ex::tanh(ex::dot(p.w, ex::get<0>(c)) + p.b + x);
        auto const next = ex::switch_(k, ex::branches([=](auto v) { return v * x; }, [=](auto v) { return ex::sin(v) + p.b; },
                                                      [](auto v) { return ex::flip(v); }), h);
        return ex::tuple(ex::tuple(next, ex::get<1>(c) + ex::sum(h)), next * next);
      };
      auto const end = ex::scan(step, ex::tuple(ex::zeros<double, 2>(), 0.0), rows);
      return ex::get<1>(ex::get<0>(end)) + ex::sum(ex::get<1>(end));
    };
    return ex::sum(ex::vmap(of_row)(xs, kind));
  }, w, b, sequences, kinds);
}

TEST_CASE("checkpointed loops over a dictionary") {
  check_gradient(ex::argnums<0, 1>, [](auto weights, auto x) {
    auto const one = ex::checkpoint([=](auto d) {
      auto const y = ex::fori_loop(0, 3, [=](auto i, auto v) {
        return ex::cond(i > 0, [=](auto u) { return ex::tanh(ex::dot(weights, u)); }, [=](auto u) { return u * x; }, v);
      }, d[state]);
      return hana::make_map(hana::make_pair(state, y), hana::make_pair(energy, d[energy] + ex::sum(y * x)));
    }, ex::policy<ex::checkpoint_policies::dots_saveable>);
    auto const start = hana::make_map(hana::make_pair(state, x), hana::make_pair(energy, ex::sum(x)));
    auto const end = ex::fori_loop(0, 4, [=](auto, auto d) { return one(d); }, start);
    return end[energy] * ex::sum(ex::square(end[state]));
  }, w, b);
}

TEST_CASE("scan over vmaps, reversed, with captured values of each level") {
  check_gradient(ex::argnums<0, 1, 2>, [](auto weights, auto bias, auto xs) {
    auto const step = [=](auto c, auto x) {  // x: 3 rows
      auto const scale = ex::exp(-ex::sum(c * c));
      auto const rows = ex::vmap([=](auto r) { return ex::vmap([=](auto e) { return ex::sin(e * scale) + ex::sum(r * bias); })(r); })(x);
      return ex::tuple(ex::tanh(ex::dot(weights, c) + ex::mean(rows, ex::axis<0>)), ex::sum(rows));
    };
    auto const end = ex::scan(step, bias, ex::swapaxes<0, 1>(xs), ex::reverse);
    return ex::sum(ex::get<0>(end)) + ex::sum(ex::square(ex::get<1>(end)));
  }, w, b, sequences);
}

TEST_CASE("gradients in vmaps: second derivatives") {
  check_gradient(ex::argnums<0, 1>, [](auto weights, auto xs) {
    auto const inner = [=](auto r) { return ex::sum(ex::tanh(ex::dot(weights, ex::sin(r))) * r); };
    auto const of_row = [=](auto r) {
      auto const step = [=](auto c, auto x) { return ex::tuple(c + ex::grad(inner)(x * c), ex::none); };
      return ex::sum(ex::get<0>(ex::scan(step, ex::ones<double, 2>(), r)));
    };
    return ex::sum(ex::vmap(of_row)(xs));
  }, w, sequences);
}

namespace {

constexpr auto product =
    ex::custom_jvp([](auto y, auto z) { return ex::sin(y) * z; })
        .defjvps([](auto t, auto, auto y, auto z) { return t * ex::cos(y) * z; },
                 [](auto t, auto, auto y, auto) { return t * ex::sin(y); });
constexpr auto cube = ex::custom_vjp([](auto y) { return y * y * y; })
                          .defvjp([](auto y) { return ex::tuple(y * y * y, y); },
                                  [](auto r, auto ct) { return ex::tuple(3.0 * r * r * ct); });

}  // namespace

TEST_CASE("functions with rules in a branch in a scan in a vmap") {
  check_gradient(ex::argnums<0, 1>, [](auto bias, auto xs) {
    auto const of_row = [=](auto rows) {
      return ex::scan([=](auto c, auto x) {
        auto const next = ex::cond(ex::sum(x) > 0.12, [=](auto v) { return product(v, bias); }, [=](auto v) { return cube(v) + x; }, c + x);
        return ex::tuple(0.5 * next, product(next, x));
      }, bias, rows);
    };
    auto const end = ex::vmap(of_row)(xs);
    return ex::sum(ex::get<0>(end) * ex::get<0>(end)) + ex::sum(ex::get<1>(end));
  }, b, sequences);
}

TEST_CASE("reads and updates at places of each row, in a loop") {
  check_gradient(ex::argnums<0, 1>, [](auto bias, auto xs, auto kind) {
    auto const of_row = [=](auto rows, auto k) {
      auto const column = rows(ex::all, 0);
      return ex::fori_loop(0, 3, [=](auto i, auto v) {
        auto const at = (i + k) % 4;
        return v.at(at).set(ex::sin(v(i)) * bias(0) + rows(at, 1)).at(i).add(bias(1) * v(k));
      }, column);
    };
    return ex::sum(ex::square(ex::vmap(of_row)(xs, kind)));
  }, b, sequences, kinds);
}

namespace {

constexpr auto loops = [](auto bias, auto xs, auto kind) {
  auto const of_row = [=](auto rows, auto k) {
    return ex::get<0>(ex::scan([=](auto c, auto x) {
      auto const next = [=](auto s) { return ex::tuple(ex::get<0>(s) + 1, ex::sin(ex::get<1>(s) * bias) + x); };
      auto const end = ex::while_loop([=](auto s) { return ex::get<0>(s) < k + 1; }, next, ex::tuple(0, c));
      return ex::tuple(ex::get<1>(end), ex::none);
    }, bias, rows));
  };
  return ex::sum(ex::vmap(of_row)(xs, kind));
};
constexpr auto tangent_of_loops = [](auto bias, auto tangent, auto xs, auto kind) {
  return ex::get<1>(ex::jvp([=](auto y) { return loops(y, xs, kind); }, ex::tuple(bias), ex::tuple(tangent)));
};

}  // namespace

// The number of iterations differs between the rows: forward mode alone.
TEST_CASE("tangents of a vmap of a while_loop in a scan") {
  ex::array<double, 2> const v{0.8, -0.6}, above = b + 1e-6 * v, below = b - 1e-6 * v;
  ex::array<double, 3, 4, 2> const xs = sequences;
  ex::array<int, 3> const of = kinds;
  auto const value = ex::jit(loops);
  double const limit = (static_cast<double>(value(above, xs, of)) - static_cast<double>(value(below, xs, of))) / 2e-6;
  double const tangent = static_cast<double>(ex::jit(tangent_of_loops)(b, v, xs, of));
  CHECK(std::abs(tangent - limit) < 1e-7 * (1 + std::abs(limit)));
}
