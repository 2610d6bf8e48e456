// SPDX-License-Identifier: BSL-1.0
// jit(f)(x) in constant expressions, against values that NumPy prints or that follow from the definition. That this file
// compiles is the test; run time has to agree.
#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

template <int... D>
using f32 = ex::array<float, D...>;
template <int... D>
using i32 = ex::array<int, D...>;
template <int... D>
using b1 = ex::array<bool, D...>;

// Elements that differ by less than 1 in 1,000,000.
template <class A>
constexpr bool close(A const& a, A const& b) {
  for (std::ptrdiff_t i = 0; i < a.size(); ++i) {
    auto const d = a.data()[i] - b.data()[i], most = (b.data()[i] < 0 ? -b.data()[i] : b.data()[i]) * 1e-6f;
    if (!(d <= most && -d <= most)) return false;
  }
  return true;
}

// --- Products, convolutions ---

constexpr f32<2, 3> left{{1, 2, 3}, {4, 5, 6}};
constexpr f32<3, 2> right{{7, 8}, {9, 10}, {11, 12}};
constexpr auto matmul = [](auto a, auto b) { return ex::matmul(a, b); };
static_assert(ex::jit(matmul)(left, right) == f32<2, 2>{{58, 64}, {139, 154}});

constexpr auto dense_relu = [](auto x, auto w, auto b) { return ex::maximum(0.0f, ex::dot(x, w) + b); };
static_assert(ex::jit(dense_relu)(f32<2>{1, -2}, f32<2, 3>{{1, 2, 3}, {1, 1, 1}}, f32<3>{0.5f, 0.25f, 1}) == f32<3>{0, 0.25f, 2});

constexpr auto convolve = [](auto x, auto w) { return ex::convolve(x, w, ex::mode_valid); };
constexpr auto convolve_full = [](auto x, auto w) { return ex::convolve(x, w); };
static_assert(ex::jit(convolve)(f32<5>{0, 1, 2, 3, 4}, f32<3>{4, 3, 2}) == f32<3>{11, 20, 29});
static_assert(ex::jit(convolve_full)(f32<3>{1, 2, 3}, f32<3>{0, 1, 0.5f}) == f32<5>{0, 1, 2.5f, 4, 1.5f});

// The window as first written: dot products of slices, in every form of in_axes and out_axes.
constexpr auto correlate = [](auto x, auto w) {
  constexpr int n = decltype(x)::extent(0);
  std::array<ex::expr<float>, n - 2> out;
  for (int i = 1; i < n - 1; ++i) out[i - 1] = ex::dot(ex::dynamic_slice<3>(x, i - 1), w);
  return ex::stack(out);
};
constexpr i32<5> x{0, 1, 2, 3, 4};
constexpr f32<3> w{2, 3, 4};
constexpr i32<2, 5> xs{{0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}};
constexpr f32<2, 3> ws{{2, 3, 4}, {2, 3, 4}};
constexpr i32<5, 2> xst{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}};
constexpr f32<3, 2> wst{{2, 2}, {3, 3}, {4, 4}};
constexpr f32<2, 3> rows{{11, 20, 29}, {11, 20, 29}};
constexpr f32<3, 2> columns{{11, 11}, {20, 20}, {29, 29}};
static_assert(ex::jit(correlate)(x, w) == f32<3>{11, 20, 29});
static_assert(ex::jit(ex::vmap(correlate))(xs, ws) == rows);
static_assert(ex::jit(ex::vmap(correlate, ex::in_axes<1, 1>))(xst, wst) == rows);
static_assert(ex::jit(ex::vmap(correlate, ex::in_axes<0, 1>))(xs, wst) == rows);
static_assert(ex::jit(ex::vmap(correlate, ex::in_axes<1, 0>, ex::out_axes<1>))(xst, ws) == columns);
static_assert(ex::jit(ex::vmap(correlate, ex::out_axes<1>))(xs, ws) == columns);
static_assert(ex::jit(ex::vmap(correlate, ex::in_axes<-1, -1>, ex::out_axes<-1>))(xst, wst) == columns);
static_assert(ex::jit(ex::vmap(correlate, ex::in_axes<0, ex::none>))(xs, w) == rows);
static_assert(ex::jit(ex::vmap(correlate, ex::in_axes<ex::none, 0>))(x, ws) == rows);
static_assert(ex::jit(ex::vmap(correlate, ex::in_axes<ex::none, 1>, ex::out_axes<1>))(x, wst) == columns);
static_assert(ex::jit(ex::vmap(convolve, ex::in_axes<1, ex::none>, ex::out_axes<1>))(xst, f32<3>{4, 3, 2}) == columns);

// --- Loops ---

constexpr auto cumsum = [](auto x) {
  auto const step = [](auto total, auto each) { return ex::tuple(total + each, total + each); };
  auto const r = ex::scan(step, ex::zeros<int>(), x);
  return ex::tuple(ex::get<0>(r), ex::get<1>(r));
};
static_assert(std::get<0>(ex::jit(cumsum)(i32<5>{3, 1, 4, 1, 5})) == 14);
static_assert(std::get<1>(ex::jit(cumsum)(i32<5>{3, 1, 4, 1, 5})) == i32<5>{3, 4, 8, 9, 14});

constexpr auto forward3 = [](auto w) {
  constexpr int height = decltype(w)::extent(0);
  auto body = [](auto carry, auto w_col) {
    auto conv = ex::convolve(carry * w_col, ex::ones<float, 3>(), ex::mode_valid);
    auto out = ex::zeros_like(w_col).at(ex::slice<1, -1>).set(conv);
    return ex::tuple(out, out);
  };
  auto init = ex::ones<float, height>();
  auto const r = ex::scan(body, init, ex::transpose(w));
  return ex::transpose(ex::vstack(init, ex::get<1>(r)));
};
static_assert(ex::jit(forward3)(f32<5, 4>{{1, 2, 0, 1}, {2, 1, 1, 0}, {0, 1, 3, 1}, {1, 1, 2, 2}, {3, 0, 1, 1}}) ==
              f32<5, 5>{{1, 0, 0, 0, 0}, {1, 3, 6, 36, 50}, {1, 3, 10, 50, 138}, {1, 4, 7, 44, 138}, {1, 0, 0, 0, 0}});

// --- Elementwise, reductions ---

constexpr auto relu = [](auto x) { return ex::where(x > 0.0f, x, 0.0f); };
static_assert(ex::jit(relu)(f32<4>{-1, 0, 2, -3}) == f32<4>{0, 0, 2, 0});

constexpr auto softmax = [](auto x) {
  auto const e = ex::exp(x - ex::max(x, ex::axis<-1>, ex::keepdims));
  return e / ex::sum(e, ex::axis<-1>, ex::keepdims);
};
static_assert(close(ex::jit(softmax)(f32<2, 3>{{1, 2, 3}, {0, 0, 0}}),
                    f32<2, 3>{{0.09003057f, 0.24472847f, 0.66524096f}, {1 / 3.0f, 1 / 3.0f, 1 / 3.0f}}));

constexpr auto functions = [](auto x) { return ex::tuple(ex::exp(x), ex::log(x), ex::sin(x), ex::tanh(x), ex::sqrt(x)); };
constexpr auto of_one_and_two = ex::jit(functions)(f32<2>{1, 2});
static_assert(close(std::get<0>(of_one_and_two), f32<2>{2.7182817f, 7.3890562f}));
static_assert(close(std::get<1>(of_one_and_two), f32<2>{0, 0.6931472f}));
static_assert(close(std::get<2>(of_one_and_two), f32<2>{0.841471f, 0.9092974f}));
static_assert(close(std::get<3>(of_one_and_two), f32<2>{0.7615942f, 0.9640276f}));
static_assert(std::get<4>(of_one_and_two) == f32<2>{1, 1.4142135f});

constexpr auto mean = [](auto x) { return ex::tuple(ex::mean(x), ex::mean(x, ex::axis<0>)); };
static_assert(std::get<0>(ex::jit(mean)(left)) == 3.5f);
static_assert(std::get<1>(ex::jit(mean)(left)) == f32<3>{2.5f, 3.5f, 4.5f});

constexpr auto extremes = [](auto x) {
  return ex::tuple(ex::max(x, ex::axis<1>), ex::min(x), ex::prod(x, ex::axis<0>), ex::any(x > 5), ex::all(x > 1));
};
constexpr auto of_left = ex::jit(extremes)(left);
static_assert(std::get<0>(of_left) == f32<2>{3, 6} && std::get<1>(of_left) == 1 && std::get<2>(of_left) == f32<3>{4, 10, 18});
static_assert(std::get<3>(of_left) == true && std::get<4>(of_left) == false);

// Python's // and %: rounded down, with the divisor's sign.
constexpr auto divmod = [](auto a, auto b) { return ex::tuple(ex::floor_divide(a, b), a % b); };
static_assert(std::get<0>(ex::jit(divmod)(i32<4>{7, -7, 7, -7}, i32<4>{2, 2, -2, -2})) == i32<4>{3, -4, -4, 3});
static_assert(std::get<1>(ex::jit(divmod)(i32<4>{7, -7, 7, -7}, i32<4>{2, 2, -2, -2})) == i32<4>{1, 1, -1, -1});

// --- Indices, updates, joining ---

constexpr auto updates = [](auto x) {
  auto a = x.at(0).set(7);
  a = a.at(ex::slice<1, 3>).add(10);
  a = a.at(-1).multiply(2);
  return a.at(ex::slice<ex::none, ex::none, 2>).min(12);
};
static_assert(ex::jit(updates)(i32<5>{1, 2, 3, 4, 5}) == i32<5>{7, 12, 12, 4, 10});

constexpr auto join = [](auto a, auto b) {
  return ex::tuple(ex::stack(std::tuple(a, b), ex::axis<1>), ex::concatenate(std::tuple(b, a)), ex::flip(a));
};
constexpr auto joined = ex::jit(join)(i32<3>{1, 2, 3}, i32<3>{4, 5, 6});
static_assert(std::get<0>(joined) == i32<3, 2>{{1, 4}, {2, 5}, {3, 6}});
static_assert(std::get<1>(joined) == i32<6>{4, 5, 6, 1, 2, 3} && std::get<2>(joined) == i32<3>{3, 2, 1});

constexpr auto indices = [](auto x, auto i) { return ex::tuple(x(ex::all, i), x(ex::newaxis, 1, ex::slice<ex::none, ex::none, -1>)); };
static_assert(std::get<0>(ex::jit(indices)(left, 2)) == f32<2>{3, 6});
static_assert(std::get<1>(ex::jit(indices)(left, 2)) == f32<1, 3>{{6, 5, 4}});

constexpr auto identity_and_range = [](auto x) { return ex::eye<3>() * x + ex::reshape<3, 3>(ex::arange<9>()); };
static_assert(ex::jit(identity_and_range)(0.5f) == f32<3, 3>{{0.5f, 1, 2}, {3, 4.5f, 5}, {6, 7, 8.5f}});

// exp is evaluated once, for both results.
constexpr auto once = [](auto x) {
  auto const e = ex::exp(x);
  return ex::tuple(e * e + e, e);
};
template <class F, class... Args>
constexpr int count(ex::prim op) {
  constexpr ex::program_ref p = ex::detail::compiled<ex::detail::traced<F, Args...>>::ref;
  int n = 0;
  for (int i = 0; i < p.n.eqns; ++i) n += p.eqns[i].op == op;
  return n;
}
constexpr auto again = [](auto x) { return ex::exp(x) * ex::exp(x) + ex::exp(x); };
static_assert(count<decltype(once), ex::expr<float, 4>>(ex::prim::exp) == 1);
static_assert(count<decltype(again), ex::expr<float, 4>>(ex::prim::exp) == 1);
static_assert(std::get<0>(ex::jit(once)(f32<2>{0, 0})) == f32<2>{2, 2});

}  // namespace

TEST_CASE("run time agrees with constant expressions") {
  auto const runtime = ex::jit(functions)(f32<2>{1, 2});
  CHECK(runtime == of_one_and_two);
  CHECK(ex::jit(softmax)(left) == [] {
    constexpr auto c = ex::jit(softmax)(left);
    return c;
  }());
  CHECK(ex::jit(convolve)(f32<5>{0, 1, 2, 3, 4}, f32<3>{4, 3, 2}) == f32<3>{11, 20, 29});
  CHECK(std::get<1>(ex::jit(cumsum)(i32<5>{3, 1, 4, 1, 5})) == i32<5>{3, 4, 8, 9, 14});
  CHECK(ex::jit(updates)(i32<5>{1, 2, 3, 4, 5}) == i32<5>{7, 12, 12, 4, 10});
}
