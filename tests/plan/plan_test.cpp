// SPDX-License-Identifier: BSL-1.0
// What the planner makes of typical programs: how many kernels, and how much scratch memory.
#include <array>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;
template <int... D>
using f32 = ex::expr<float, D...>;
template <int... D>
using i32 = ex::expr<int, D...>;

namespace {

template <class... Args, class F>
constexpr ex::plan_sizes sizes_of(F) {
  return ex::planned<ex::detail::compiled<ex::detail::traced<F, Args...>>>::sizes;
}
constexpr bool fused(ex::plan_sizes s) { return s.kernels == 1 && s.scratch == 0; }

// A value that is a result too is computed once, and its readers do not go through memory.
constexpr auto reuse = [](auto x) {
  auto e = ex::exp(x);
  return ex::tuple(e * e + e, e);
};
static_assert(fused(sizes_of<f32<1000>>(reuse)));
static_assert(fused(sizes_of<f32<20, 50>>(reuse)));

constexpr auto chain = [](auto x) {
  for (int i = 0; i < 10; ++i) x = x * 0.5f + 1.0f;
  return x;
};
static_assert(fused(sizes_of<f32<1000>>(chain)));

// So is a value that one reduction needs more than once.
static_assert(fused(sizes_of<f32<1000>>([](auto x) {
  auto const e = ex::exp(x);
  return ex::sum(e * e - e);
})));

// Movements cost no memory of their own: a stencil is one loop, with a box for each border.
constexpr auto stencil = [](auto x) { return x(ex::slice<0, -2>) + x(ex::slice<1, -1>) * 2.0f + x(ex::slice<2, ex::none>); };
static_assert(fused(sizes_of<f32<1000>>(stencil)));
static_assert(fused(sizes_of<f32<40, 24>>([](auto x) { return ex::transpose(x) + ex::flip(ex::transpose(x)); })));
static_assert(fused(sizes_of<f32<20>, f32<30>>([](auto x, auto y) { return ex::concatenate(std::tuple(x * 2.0f, y)); })));
static_assert(sizes_of<f32<20>, f32<30>>([](auto x, auto y) { return ex::concatenate(std::tuple(x * 2.0f, y)); }).boxes == 2);

// Axes that every operand walks as one are merged.
static_assert(ex::planned<ex::detail::compiled<ex::detail::traced<decltype(chain), f32<20, 50>>>>::storage.loops[0].rank == 1);

// A plan is made for any target, whatever the compiler's is.
constexpr int lanes_on(int register_bytes) {
  using program = ex::detail::compiled<ex::detail::traced<decltype(chain), f32<1000>>>;
  return ex::make_plan(program::ref, {.register_bytes = register_bytes}).boxes[0].lanes;
}
static_assert(lanes_on(0) == 1 && lanes_on(16) == 4 && lanes_on(32) == 8 && lanes_on(64) == 16);

// What several columns of a row need is computed once, in the loop over the rows; but functions in a loop of their own.
constexpr auto rows_of_three = [](auto x) {
  auto const a = x(ex::all, 0), b = x(ex::all, 1), n = (a - b) / (a * a + b * b + 1.0f);
  return ex::stack(ex::tuple(n * a, n * n, b - n), ex::axis<-1>);
};
constexpr auto rows_of_sines = [](auto x) {
  auto const a = x(ex::all, 0), n = ex::sin(a - x(ex::all, 1));
  return ex::stack(ex::tuple(n * a, n * n, a - n), ex::axis<-1>);
};
template <class F>
constexpr int loops_of(F) {
  using program = ex::detail::compiled<ex::detail::traced<F, f32<500, 2>>>;
  return ex::make_plan(program::ref, {.register_bytes = 32}).loops.size();
}
static_assert(loops_of(rows_of_three) == 1 && loops_of(rows_of_sines) == 2);

// Reductions of columns, and vectors times matrices, walk rows: a strip holds whole packs, and strips have about the same width. Their sums
// take at most 64 KiB, and 512 bytes where there are no SIMD registers.
template <class... Args, class F>
constexpr ex::plan plan_for(F, int register_bytes, int registers = 16) {
  return ex::make_plan(ex::detail::compiled<ex::detail::traced<F, Args...>>::ref, {.register_bytes = register_bytes, .registers = registers});
}
template <int Rows, int Columns>
constexpr int sum_strip(int register_bytes) {
  return plan_for<f32<Rows, Columns>>([](auto x) { return ex::sum(x, ex::axis<0>); }, register_bytes).reduces[0].strip;
}
static_assert(sum_strip<512, 512>(64) == 512 && sum_strip<512, 512>(16) == 512 && sum_strip<512, 512>(0) == 16);
static_assert(sum_strip<100, 33>(64) == 48 && sum_strip<100, 33>(32) == 40 && sum_strip<100, 33>(0) == 11);
static_assert(sum_strip<64, 2048>(64) == 2048 && sum_strip<64, 2064>(64) == 1040 && sum_strip<64, 5000>(64) == 1680);
template <int Rows, int Columns>
constexpr ex::contract_tiles dot_tiles(int register_bytes, int registers) {
  return plan_for<f32<Rows>, f32<Rows, Columns>>([](auto v, auto m) { return ex::dot(v, m); }, register_bytes, registers).contracts[0].tiles;
}
static_assert(dot_tiles<300, 512>(64, 32).strip == 512 && !dot_tiles<300, 512>(64, 32).in_registers);
static_assert(dot_tiles<300, 250>(64, 32).strip == 256 && dot_tiles<300, 250>(64, 32).in_registers);
static_assert(dot_tiles<300, 20000>(64, 32).strip == 10000 && dot_tiles<300, 65>(32, 16).strip == 72 && dot_tiles<16, 512>(64, 32).strip == 0);
// The panels of large products, in scratch memory.
template <int Sum, int Columns>
constexpr bool has_panels(int register_bytes, int registers, int depth, int columns) {
  ex::plan const p = plan_for<f32<64, Sum>, f32<Sum, Columns>>([](auto a, auto b) { return ex::dot(a, b); }, register_bytes, registers);
  ex::contract_tiles const& t = p.contracts[0].tiles;
  return t.depth == depth && t.panel == columns && p.scratch == (4 * depth * columns + 63) / 64 * 64;
}
static_assert(has_panels<1100, 901>(64, 32, 367, 480) && has_panels<1100, 901>(32, 16, 367, 456) && has_panels<1100, 901>(16, 16, 367, 456));
static_assert(has_panels<256, 256>(64, 32, 0, 0) && has_panels<500, 500>(64, 32, 500, 288) && has_panels<2048, 2048>(32, 16, 512, 432));
template <int Rows, int Columns>
constexpr int rows_at_once(int register_bytes, int registers) {
  return plan_for<f32<Rows, Columns>, f32<Columns>>([](auto m, auto v) { return ex::dot(m, v); }, register_bytes, registers).contracts[0].tiles.rows[0];
}
static_assert(rows_at_once<100, 64>(64, 32) == 8 && rows_at_once<100, 64>(32, 16) == 3 && rows_at_once<2, 64>(32, 16) == 2 && rows_at_once<100, 64>(16, 16) == 1);
static_assert(rows_at_once<7, 64>(64, 32) == 4);

// A matrix that all rows share times a vector of each row: one product of matrices, also with elementwise operations beside it. A tile of
// short sums in blocked order has two rows of two packs. Of results that do not fill packs, each row takes a lane.
constexpr auto products_of_rows = [](auto w, auto x) {
  return ex::vmap([](auto m, auto v) { return ex::dot(m, v); }, ex::in_axes<ex::none, 0>)(w, x);
};
constexpr auto dense = [](auto w, auto x) {
  return ex::vmap([](auto m, auto v) { return ex::maximum(ex::dot(m, v) + 0.5f, 0.0f); }, ex::in_axes<ex::none, 0>)(w, x);
};
template <int Results, int Terms, class F>
constexpr ex::plan shared_matrix(F f) {
  return plan_for<f32<Results, Terms>, f32<64, Terms>>(f, 32, 16);
}
constexpr bool has_square_tiles(ex::contract_tiles const& t) { return t.packs == 2 && t.rows[0] == 2 && t.rows[1] == 2; }
static_assert(has_square_tiles(shared_matrix<16, 16>(products_of_rows).contracts[0].tiles));
static_assert(has_square_tiles(shared_matrix<16, 8>(products_of_rows).contracts[0].tiles));
static_assert(shared_matrix<16, 8>(dense).regions.size() == 0 && shared_matrix<6, 6>(dense).regions.size() == 1);

// What a reduction reads is computed in it.
static_assert(fused(sizes_of<f32<1000>>([](auto x) { return ex::sum(x * x); })));
static_assert(fused(sizes_of<f32<30, 40>>([](auto x) { return ex::max(ex::abs(x), ex::axis<1>); })));

// Updates of a value that dies are made in place, in the result's memory: a loop, then a line of stores. Only numbers that
// cross from one line to another stand in scratch memory.
constexpr auto updates = [](auto x) {
  auto a = x * 2.0f;
  return a.at(3).set(1.0f).at(5).set(2.0f).at(7).add(x(0));
};
static_assert(sizes_of<f32<100>>(updates).scratch <= 64);
static_assert(sizes_of<f32<100>>(updates).kernels <= 3);

// An updated array that is read again at several places is made once, if what it takes is not cheap.
template <class U>
constexpr auto smoothed(U u) {
  constexpr auto inner = ex::slice<1, -1>;
  auto const sum = u(ex::slice<0, -2>, inner) + u(ex::slice<2, ex::none>, inner) + u(inner, ex::slice<0, -2>);
  return u.at(inner, inner).set(ex::where(u(inner, inner) > 0, 0.25f * sum, u(inner, inner)));
}
constexpr auto smoothed_twice = [](auto u) { return smoothed(smoothed(u)); };
static_assert(sizes_of<f32<64, 64>>(smoothed_twice).kernels == 2 && sizes_of<f32<64, 64>>(smoothed_twice).boxes == 18);
static_assert(sizes_of<f32<100>, i32<>>([](auto x, auto i) { return (x * 2.0f).at(i).set(x(0)).at(ex::slice<2, 9>).add(1.0f); }).scratch <= 128);
// What is read later is kept: there are two results, each in its own memory.
static_assert(sizes_of<f32<100>>([](auto x) {
                auto y = x * 2.0f;
                return ex::tuple(y.at(3).set(x(0)), y);
              }).scratch <= 64);

// Products in a row: two temporaries take turns.
constexpr auto products = [](auto a) {
  auto x = a;
  for (int i = 0; i < 6; ++i) x = ex::dot(x, a);
  return x;
};
static_assert(sizes_of<f32<32, 32>>(products).contracts == 6);
static_assert(sizes_of<f32<32, 32>>(products).scratch <= 2 * 32 * 32 * 4);

// Straight lines of numbers are one kernel, however long.
constexpr auto numbers = [](auto x) {
  auto a = ex::zeros<float, 16>();
  for (int i = 1; i < 16; ++i) a = a.at(i).set(x(i) * x(i - 1) + a(i - 1));
  return a;
};
static_assert(sizes_of<f32<16>>(numbers).kernels <= 3);
static_assert(sizes_of<f32<16>>(numbers).scratch <= 128);

// A carry that fits the registers needs no memory.
static_assert(fused(sizes_of<f32<16>, f32<100, 16>>([](auto c, auto xs) {
  return ex::scan([](auto carry, auto x) { return ex::tuple(carry * 0.5f + x, carry); }, c, xs);
})));

// What is broadcast is computed once, unless it is cheap: 128 exponentials here, not 12,800.
constexpr auto exponentials = [](auto x, auto y) { return ex::exp(x) + y; };
static_assert(sizes_of<f32<128>, f32<100, 128>>(exponentials).kernels == 2);
// What is counted in a few comparisons is part of the loop that uses it.
constexpr auto places = [](auto x, auto edges) { return 2 * ex::searchsorted(edges, x, ex::side_right); };
static_assert(fused(sizes_of<f32<1000>, f32<12>>(places)) && !fused(sizes_of<f32<1000>, f32<13>>(places)));
static_assert(sizes_of<f32<128>, f32<100, 128>>(exponentials).scratch == 128 * 4);
static_assert(sizes_of<f32<100, 1>, f32<100, 128>>(exponentials).scratch <= 100 * 4 + 64);
static_assert(fused(sizes_of<f32<128>, f32<100, 128>>([](auto x, auto y) { return (x * 2 + 1) * y; })));
static_assert(fused(sizes_of<f32<128, 128>>([](auto x) { return ex::pad<1>(ex::exp(x)) + 1; })));

// All pairs of points in space: the sum over the coordinates joins the loop over the pairs. In the gradient the one array of all pairs is
// read by a sum along each axis.
constexpr auto energy = [](auto x) {
  auto const d = x(ex::all, ex::all, ex::newaxis) - x(ex::all, ex::newaxis, ex::all);
  auto const square = ex::sum(d * d, ex::axis<0>) + 1;
  return ex::sum(1 / (square * square * square));
};
static_assert(sizes_of<f32<3, 100>>(energy).scratch <= 64);
static_assert(sizes_of<f32<3, 100>>(ex::grad(energy)).scratch < 48'000);

// An expensive value is made where it is needed if its readers share its elements; if they read some of them twice, it is stored.
template <int From, int To>
constexpr auto two_parts = [](auto x) {
  auto const e = ex::exp(x * 2.0f);
  return e(ex::slice<0, 20>) * e(ex::slice<From, To>);
};
static_assert(fused(sizes_of<f32<40>>(two_parts<20, 40>)) && fused(sizes_of<f32<60>>(two_parts<40, 60>)));
static_assert(!fused(sizes_of<f32<40>>(two_parts<19, 39>)));
static_assert(!fused(sizes_of<f32<40>>([](auto x) {
  auto const e = ex::exp(x * 2.0f);
  return ex::tuple(two_parts<20, 40>(x) * e(ex::slice<0, 20>), e);
})));
static_assert(!fused(sizes_of<f32<20, 40>>([](auto x) {  // part by rows, part by columns
  auto const e = ex::exp(x * 2.0f);
  return ex::tuple(e(ex::slice<0, 10>), e(ex::all, ex::slice<0, 20>));
})));

// A tree of 24 leaves for each row, in one loop. Its steps are too many for the registers: no more than eight of them wait for each other,
// one after the other, and hardly more values are live than there are leaves.
constexpr int leaves = 24;
constexpr auto tree = [](auto ends, auto up, auto down) {
  auto const e = ends * ends * ends * ends * ends * ends;
  std::array<ex::expr<double>, leaves> v;
  for (std::size_t k = 0; k < leaves; ++k) v[k] = e(static_cast<int>(k));
  for (std::size_t j = leaves - 1; j > 0; --j)
    for (std::size_t k = 0; k < j; ++k) v[k] = down * v[k] + up * v[k + 1];
  return v[0];
};
constexpr auto trees = ex::vmap(tree);
using tree_plan = ex::planned<ex::detail::compiled<
    ex::detail::traced<decltype(trees), ex::expr<double, 37, leaves>, ex::expr<double, 37>, ex::expr<double, 37>>>>;
static_assert(fused(tree_plan::sizes) && tree_plan::storage.boxes[0].slots[static_cast<int>(ex::dtype::f64)] <= leaves + 4);
constexpr int longest_wait() {
  int longest = 0, now = 0;
  for (int k = 1; k < tree_plan::sizes.steps; ++k) {
    ex::step const &s = tree_plan::storage.steps[k], &before = tree_plan::storage.steps[k - 1];
    bool const waits = s.kind == ex::step_kind::compute && (s.a == before.d || s.b == before.d || s.c == before.d);
    now = waits ? now + 1 : 0;
    longest = now > longest ? now : longest;
  }
  return longest;
}
static_assert(longest_wait() <= 8 || !ex::simd::fuses<double>);  // else a third of the steps wait for nothing, and lowering's order is kept

}  // namespace

TEST_CASE("a tree in one loop") {
  static double ends[37][leaves], up[37], down[37], values[37];
  for (int i = 0; i < 37; ++i) {
    up[i] = i % 2 == 0 ? 0.5 : 1.0;  // all results are exact
    down[i] = i % 3 == 0 ? 1.0 : 0.5;
    for (int k = 0; k < leaves; ++k) ends[i][k] = (i * 7 + k * 5) % 3;
  }
  ex::view<double, 37> result(values);
  using numbers_of_rows = ex::view<double const, 37>;
  ex::jit(trees).into(result, ex::view<double const, 37, leaves>(ends[0]), numbers_of_rows(up), numbers_of_rows(down));
  for (int i = 0; i < 37; ++i) {
    double v[leaves];
    for (int k = 0; k < leaves; ++k) v[k] = ends[i][k] * ends[i][k] * ends[i][k] * ends[i][k] * ends[i][k] * ends[i][k];
    for (int j = leaves - 1; j > 0; --j)
      for (int k = 0; k < j; ++k) v[k] = down[i] * v[k] + up[i] * v[k + 1];
    CHECK(values[i] == v[0]);
  }
}

TEST_CASE("plans") { CHECK(sizes_of<f32<1000>>(chain).kernels == 1); }
