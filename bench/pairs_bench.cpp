// SPDX-License-Identifier: BSL-1.0
// Pairs of spellings of one computation, as NumPy and JAX users write them: the first (ours) beside the second (peer). 1: they cost
// the same.
#include <exprax/exprax.hpp>

#include "results.hpp"

namespace ex = exprax;

namespace {

template <int... Dims>
ex::array<float, Dims...> some(float low = -1, float high = 1) {
  ex::array<float, Dims...> x;
  unsigned bits = 12345;
  for (float& e : x) bits = bits * 1664525u + 1013904223u, e = low + (high - low) * float(bits >> 8) / float(1 << 24);
  return x;
}

// Pair::first and Pair::second of the same arguments.
template <class Pair, class... X>
void compare_pair(benchmark::State& state, X const&... x) {
  auto first = ex::jit(Pair::first)(x...);
  auto second = ex::jit(Pair::second)(x...);
  bench::compare_results(
      state, std::get<0>(std::tie(x...)), first, second, {1e-4, 1e-4}, [&](auto& out) { ex::jit(Pair::first).into(out, x...); },
      [&](auto& out) { ex::jit(Pair::second).into(out, x...); });
}
#define EXPRAX_PAIR(name, arguments, ...)                                      \
  struct name##_pair {                                                         \
    __VA_ARGS__                                                                \
  };                                                                           \
  void name(benchmark::State& state) { compare_pair<name##_pair> arguments; } \
  EXPRAX_COMPARE(name);
#define EXPRAX_FIRST static constexpr auto first = []
#define EXPRAX_SECOND static constexpr auto second = []

constexpr auto product = [](auto w, auto x) { return ex::dot(w, x); };
EXPRAX_PAIR(vmap_of_dot_or_dot_16, (state, some<16, 16>(), some<64, 16>()),
            EXPRAX_FIRST(auto w, auto x) { return ex::vmap(product, ex::in_axes<ex::none, 0>)(w, x); };
            EXPRAX_SECOND(auto w, auto x) { return ex::dot(x, w.T()); };)
EXPRAX_PAIR(vmap_of_dot_or_dot_128, (state, some<128, 128>(), some<64, 128>()),
            EXPRAX_FIRST(auto w, auto x) { return ex::vmap(product, ex::in_axes<ex::none, 0>)(w, x); };
            EXPRAX_SECOND(auto w, auto x) { return ex::dot(x, w.T()); };)
EXPRAX_PAIR(vmap_of_matmul_or_matmul, (state, some<64, 16, 16>(), some<64, 16, 16>()),
            EXPRAX_FIRST(auto a, auto b) { return ex::vmap(product)(a, b); };
            EXPRAX_SECOND(auto a, auto b) { return ex::matmul(a, b); };)
EXPRAX_PAIR(einsum_or_dot, (state, some<96, 64>(), some<96, 80>()),
            EXPRAX_FIRST(auto a, auto b) { return ex::einsum<"ki,kj->ij">(a, b); };
            EXPRAX_SECOND(auto a, auto b) { return ex::dot(a.T(), b); };)
EXPRAX_PAIR(sum_of_products_or_dot, (state, some<1000>(), some<1000>()), EXPRAX_FIRST(auto a, auto b) { return ex::sum(a * b); };
            EXPRAX_SECOND(auto a, auto b) { return ex::dot(a, b); };)
EXPRAX_PAIR(sum_of_products_or_matvec, (state, some<300, 200>(), some<200>()),
            EXPRAX_FIRST(auto a, auto b) { return ex::sum(a * b, ex::axis<1>); };
            EXPRAX_SECOND(auto a, auto b) { return ex::dot(a, b); };)
// Other numbers: only the time is compared.
EXPRAX_PAIR(keys, (state, ex::array<unsigned, 2>{0, 7}),
            EXPRAX_FIRST(auto key) {
              return 0 * ex::sum(ex::vmap([](auto k) { return ex::sum(ex::random::normal<64>(k)); })(ex::random::split<1024>(key)));
            };
            EXPRAX_SECOND(auto key) { return 0 * ex::sum(ex::sum(ex::random::normal<1024, 64>(key), ex::axis<1>)); };)
constexpr auto distance = [](auto a, auto b) { return ex::sqrt(ex::sum(ex::square(a - b))); };
EXPRAX_PAIR(broadcasting_or_vmap, (state, some<256, 3>(), some<256, 3>()),
            EXPRAX_FIRST(auto a, auto b) {
              return ex::sqrt(ex::sum(ex::square(a(ex::all, ex::newaxis) - b(ex::newaxis)), ex::axis<-1>));
            };
            EXPRAX_SECOND(auto a, auto b) {
              return ex::vmap([b](auto p) { return ex::vmap([p](auto q) { return distance(p, q); })(b); })(a);
            };)
EXPRAX_PAIR(meshgrid_or_broadcasting, (state, some<128>(), some<128>()),
            EXPRAX_FIRST(auto x, auto y) {
              auto const [columns, rows] = ex::meshgrid(x, y);
              return ex::sin(columns) * ex::cos(rows);
            };
            EXPRAX_SECOND(auto x, auto y) { return ex::sin(x) * ex::cos(y)(ex::all, ex::newaxis); };)
EXPRAX_PAIR(roll_or_slices, (state, some<256, 256>()),
            EXPRAX_FIRST(auto u) {
              return ex::roll<1>(u, ex::axis<0>) + ex::roll<-1>(u, ex::axis<0>) + ex::roll<1>(u, ex::axis<1>) +
                     ex::roll<-1>(u, ex::axis<1>) - 4 * u;
            };
            EXPRAX_SECOND(auto u) {
              auto const p = ex::pad<1>(u, ex::pad_mode<ex::pad_with::wrap>);
              using ex::slice;
              return p(slice<0, 256>, slice<1, 257>) + p(slice<2, 258>, slice<1, 257>) + p(slice<1, 257>, slice<0, 256>) +
                     p(slice<1, 257>, slice<2, 258>) - 4 * p(slice<1, 257>, slice<1, 257>);
            };)
EXPRAX_PAIR(set_or_pad, (state, some<256, 256>()),
            EXPRAX_FIRST(auto u) {
              return ex::zeros_like(u).at(ex::slice<1, -1>, ex::slice<1, -1>).set(ex::sqrt(ex::abs(u(ex::slice<1, -1>, ex::slice<1, -1>))));
            };
            EXPRAX_SECOND(auto u) { return ex::pad<1>(ex::sqrt(ex::abs(u(ex::slice<1, -1>, ex::slice<1, -1>)))); };)
EXPRAX_PAIR(set_or_concatenate, (state, some<4096>()),
            EXPRAX_FIRST(auto x) { return (x * 2).at(ex::slice<0, 1024>).set(x(ex::slice<0, 1024>) + 1); };
            EXPRAX_SECOND(auto x) {
              return ex::concatenate(x(ex::slice<0, 1024>) + 1, x(ex::slice<1024, ex::none>) * 2);
            };)
EXPRAX_PAIR(fori_loop_or_scan, (state, some<256>()),
            EXPRAX_FIRST(auto x) { return ex::fori_loop(0, 100, [](auto, auto c) { return c + 0.01f * ex::sin(c); }, x); };
            EXPRAX_SECOND(auto x) {
              constexpr auto step = [](auto c, auto) { return ex::tuple(c + 0.01f * ex::sin(c), ex::none); };
              return ex::get<0>(ex::scan(step, x, ex::none, ex::length<100>));
            };)
EXPRAX_PAIR(scan_of_rows_or_vmap, (state, some<64, 64>()),
            EXPRAX_FIRST(auto x) {
              return ex::get<1>(ex::scan([](auto c, auto row) { return ex::tuple(c, ex::exp(row) * 2); }, ex::float32(0), x));
            };
            EXPRAX_SECOND(auto x) { return ex::vmap([](auto row) { return ex::exp(row) * 2; })(x); };)
// Fewer than 512 rows: cumsum adds them in turn, too.
EXPRAX_PAIR(scan_of_sums_or_cumsum, (state, some<256, 64>()),
            EXPRAX_FIRST(auto x) {
              auto const turn = [](auto sum, auto row) { return ex::tuple(sum + row, sum + row); };
              return ex::get<1>(ex::scan(turn, ex::zeros<float, 64>(), x));
            };
            EXPRAX_SECOND(auto x) { return ex::cumsum(x, ex::axis<0>); };)
EXPRAX_PAIR(softmax_by_formula, (state, some<64, 100>()),
            EXPRAX_FIRST(auto x) {
              auto const e = ex::exp(x - ex::max(x, ex::axis<1>, ex::keepdims));
              return e / ex::sum(e, ex::axis<1>, ex::keepdims);
            };
            EXPRAX_SECOND(auto x) { return ex::nn::softmax(x); };)
EXPRAX_PAIR(softmax_by_vmap, (state, some<64, 100>()),
            EXPRAX_FIRST(auto x) { return ex::vmap([](auto row) { return ex::nn::softmax(row); })(x); };
            EXPRAX_SECOND(auto x) { return ex::nn::softmax(x); };)
EXPRAX_PAIR(variance_by_formula, (state, some<64, 100>()),
            EXPRAX_FIRST(auto x) { return ex::mean(ex::square(x - ex::mean(x, ex::axis<1>, ex::keepdims)), ex::axis<1>); };
            EXPRAX_SECOND(auto x) { return ex::var(x, ex::axis<1>); };)
EXPRAX_PAIR(sums_by_vmap, (state, some<200, 200>()),
            EXPRAX_FIRST(auto x) { return ex::vmap([](auto column) { return ex::sum(column); }, ex::in_axes<1>)(x); };
            EXPRAX_SECOND(auto x) { return ex::sum(x, ex::axis<0>); };)
EXPRAX_PAIR(cond_by_vmap_or_where, (state, some<4096>()),
            EXPRAX_FIRST(auto x) {
              return ex::vmap([](auto e) {
                return ex::cond(e > 0, [](auto v) { return ex::log1p(v); }, [](auto v) { return -v; }, e);
              })(x);
            };
            EXPRAX_SECOND(auto x) { return ex::where(x > 0, ex::log1p(x), -x); };)
EXPRAX_PAIR(flip_or_slice, (state, some<4096>()), EXPRAX_FIRST(auto x) { return ex::flip(x) * x; };
            EXPRAX_SECOND(auto x) { return x(ex::slice<ex::none, ex::none, -1>) * x; };)
EXPRAX_PAIR(stack_or_concatenate, (state, some<4096>()), EXPRAX_FIRST(auto x) { return ex::stack(x + 1, x * 2); };
            EXPRAX_SECOND(auto x) { return ex::concatenate(ex::expand_dims(x + 1, ex::axis<0>), ex::expand_dims(x * 2, ex::axis<0>)); };)
EXPRAX_PAIR(last_axis_stack_or_where, (state, some<4096>()),
            EXPRAX_FIRST(auto x) { return ex::stack(ex::tuple(x + 1, x * 2), ex::axis<1>); };
            EXPRAX_SECOND(auto x) {
              return ex::where(ex::arange<2>() == 0, (x + 1)(ex::all, ex::newaxis), (x * 2)(ex::all, ex::newaxis));
            };)
EXPRAX_PAIR(index_or_take, (state, some<16, 64>(), ex::array<int, 32>()),
            EXPRAX_FIRST(auto x, auto i) { return x(i); };
            EXPRAX_SECOND(auto x, auto i) { return ex::take(x, i, ex::axis<0>); };)
EXPRAX_PAIR(horner_or_polyval, (state, some<1024>()),
            EXPRAX_FIRST(auto x) { return ((2.0f * x + 3.0f) * x + 4.0f) * x + 5.0f; };
            EXPRAX_SECOND(auto x) { return ex::polyval(ex::array<float, 4>{2, 3, 4, 5}, x); };)

}  // namespace
