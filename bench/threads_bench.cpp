// SPDX-License-Identifier: BSL-1.0
// Kernels shared by all threads of OpenMP, or of oneTBB with -DEXPRAX_ONETBB=1 -ltbb (of_threads: how many), against the same kernels by one
// thread.
#include <exprax/exprax.hpp>

#include "compare.hpp"

namespace ex = exprax;

namespace {

// Not constexpr: compilers would try to fill the static arrays while they compile.
template <class T, int... D>
ex::array<T, D...> filled() {
  auto a = ex::array<T, D...>::full(0);
  T v = T(0.1);
  for (T& to : a) to = v, v = v > 1 ? v - T(0.99) : v + T(0.17);
  return a;
}
template <class T, int... D>
ex::array<T, D...> const& numbers() {
  static ex::array<T, D...> const x = filled<T, D...>();
  return x;
}

template <auto const& F, class... X>
void by_threads(benchmark::State& state, X const&... x) {
  static auto result = ex::jit(F)(x...);
  auto const run = [&](int threads) {
    ex::num_threads(threads);
    ex::jit(F).into(result, x...);
    bench::touch(result.data());
  };
  bench::compare(state, [&] { run(0); }, [&] { run(1); });
  ex::num_threads(0);
  state.counters["of_threads"] = ex::detail::shared_threads::available();
}

constexpr auto wave = [](auto x) { return ex::sin(x) * ex::exp(-x) + ex::tanh(x); };
constexpr auto sum_of_two = [](auto x, auto y) { return x + y; };
constexpr auto dot = [](auto a, auto b) { return ex::dot(a, b); };
constexpr auto sum_of_rows = [](auto x) { return ex::sum(ex::exp(x), ex::axis<1>); };
constexpr auto sum_of_columns = [](auto x) { return ex::sum(ex::exp(x), ex::axis<0>); };
constexpr auto sum = [](auto x) { return ex::sum(x); };
constexpr auto sum_of_all = [](auto x) { return ex::sum(ex::exp(x)); };
constexpr auto sum_inside = [](auto x) { return ex::sum(ex::exp(x(ex::slice<1, -1>, ex::slice<1, -1>))); };
constexpr auto softmax = [](auto x) { return ex::nn::softmax(x, ex::axis<1>); };
constexpr auto softmax_of_all = [](auto x) { return ex::nn::softmax(x); };
constexpr auto transpose = [](auto x) { return ex::transpose(x) + 1.0f; };
constexpr auto newton = ex::vmap([](auto x) {
  return ex::fori_loop(0, 50, [&](auto, auto y) { return 0.5f * (y + x / y); }, x);
});
constexpr auto heat = [](auto u) {
  constexpr auto inner = ex::slice<1, -1>;
  return ex::fori_loop(0, 20, [&](auto, auto v) {
    auto const around = v(ex::slice<2, ex::none>, inner) + v(ex::slice<0, -2>, inner) + v(inner, ex::slice<2, ex::none>) + v(inner, ex::slice<0, -2>);
    return v.at(inner, inner).set(0.25f * around);
  }, u);
};

#define EXPRAX_BY_THREADS(name, f, ...)                                       \
  void name(benchmark::State& state) { by_threads<f>(state, __VA_ARGS__); } \
  EXPRAX_COMPARE(name)
EXPRAX_BY_THREADS(of_wave_10_000, wave, (numbers<float, 10'000>()));
EXPRAX_BY_THREADS(of_wave_100_000, wave, (numbers<float, 100'000>()));
EXPRAX_BY_THREADS(of_wave_1_000_000, wave, (numbers<float, 1'000'000>()));
EXPRAX_BY_THREADS(of_sum_of_two_1_000_000, sum_of_two, (numbers<float, 1'000'000>()), (numbers<float, 1'000'000>()));
EXPRAX_BY_THREADS(of_product_100, dot, (numbers<float, 100, 100>()), (numbers<float, 100, 100>()));
EXPRAX_BY_THREADS(of_product_256, dot, (numbers<float, 256, 256>()), (numbers<float, 256, 256>()));
EXPRAX_BY_THREADS(of_product_512, dot, (numbers<float, 512, 512>()), (numbers<float, 512, 512>()));
EXPRAX_BY_THREADS(of_product_1024_f64, dot, (numbers<double, 1024, 1024>()), (numbers<double, 1024, 1024>()));
EXPRAX_BY_THREADS(of_matrix_vector_2048, dot, (numbers<float, 2048, 2048>()), (numbers<float, 2048>()));
EXPRAX_BY_THREADS(of_vector_matrix_2048, dot, (numbers<float, 2048>()), (numbers<float, 2048, 2048>()));
EXPRAX_BY_THREADS(of_sum_of_rows, sum_of_rows, (numbers<float, 1'000, 1'001>()));
EXPRAX_BY_THREADS(of_sum_of_columns, sum_of_columns, (numbers<float, 1'000, 1'001>()));
EXPRAX_BY_THREADS(of_sum_10_000_000, sum, (numbers<float, 10'000'000>()));
EXPRAX_BY_THREADS(of_sum_of_all, sum_of_all, (numbers<float, 1'000'000>()));
EXPRAX_BY_THREADS(of_sum_inside, sum_inside, (numbers<float, 1'003, 1'021>()));
EXPRAX_BY_THREADS(of_softmax_of_all, softmax_of_all, (numbers<float, 1'000'000>()));
EXPRAX_BY_THREADS(of_softmax, softmax, (numbers<float, 1'000, 1'001>()));
EXPRAX_BY_THREADS(of_transpose, transpose, (numbers<float, 1'003, 1'021>()));
EXPRAX_BY_THREADS(of_newton_in_lanes, newton, (numbers<float, 100'003>()));
EXPRAX_BY_THREADS(of_heat, heat, (numbers<float, 1'003, 1'021>()));

}  // namespace
