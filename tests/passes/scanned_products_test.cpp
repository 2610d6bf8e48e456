// SPDX-License-Identifier: BSL-1.0
// Products of scanned rows with one matrix leave the loop, where that pays, and keep their bits.
#include <doctest/doctest.h>

#include <exprax/exprax.hpp>
#include <exprax/passes/check.hpp>
#include <exprax/passes/dce.hpp>
#include <exprax/passes/scanned_products.hpp>

namespace ex = exprax;
using ex::program;
using ex::program_ref;

namespace {

constexpr ex::target packs{.register_bytes = 32}, no_packs{};

constexpr auto cell = [](auto h, auto x, auto w, auto u) { return ex::tanh(ex::dot(x, w) + ex::dot(u, h)); };
constexpr auto rnn = [](auto start, auto xs, auto w, auto u) {
  return ex::get<1>(ex::scan([=](auto h, auto x) { return ex::tuple(cell(h, x, w, u), cell(h, x, w, u)); }, start, xs));
};
// The row is the right operand, and the last row comes first.
constexpr auto cell_backwards = [](auto h, auto x, auto w) { return h * 0.5f + ex::dot(w, x); };
constexpr auto backwards = [](auto start, auto xs, auto w) {
  auto const body = [=](auto h, auto x) { return ex::tuple(cell_backwards(h, x, w), cell_backwards(h, x, w)); };
  return ex::get<1>(ex::scan(body, start, xs, ex::reverse));
};
// Two products of one row, one of the carry with the same matrix, in a loop in a loop.
constexpr auto nested_cell = [](auto h, auto x, auto w, auto v) { return 0.1f * ex::dot(h, w) + ex::dot(x, w) - ex::dot(x, v); };
constexpr auto nested = [](auto start, auto xs, auto w, auto v) {
  auto const inner = [=](auto h, auto x) { return ex::tuple(nested_cell(h, x, w, v), ex::none); };
  auto const outer = [=](auto, auto h) { return ex::get<0>(ex::scan(inner, h, xs)); };
  return ex::fori_loop(0, 2, outer, start);
};

template <class F, class... Specs>
constexpr program simple(F f, Specs... specs) {
  return ex::simplify(decltype(ex::make_jaxpr(f)(specs...))::program::ref);
}
constexpr int products(program_ref p) {
  int n = 0;
  for (ex::eqn const& e : p.body(p.main())) n += e.op == ex::prim::dot_general;
  return n;
}
// How many products stand before the loops after the pass. -1: the result is not well formed, or there is more to hoist.
template <class F, class... Specs>
constexpr int products_before(F f, Specs... specs) {
  program const p = simple(f, specs...);
  if (!ex::detail::scanned_products::is_needed(p.ref(), packs)) return 0;
  program const hoisted = ex::detail::scanned_products(p.ref()).run(), q = ex::dce(hoisted.ref());
  if (!ex::check(q.ref()) || ex::detail::scanned_products::is_needed(q.ref(), packs)) return -1;
  return products(q.ref());
}

static_assert(products_before(rnn, ex::f32<64>, ex::f32<9, 64>, ex::f32<64, 64>, ex::f32<64, 64>) == 1);
static_assert(products_before(rnn, ex::f32<2, 80>, ex::f32<8, 2, 64>, ex::f32<64, 80>, ex::f32<2, 2>) == 1);
static_assert(products_before(backwards, ex::f32<66>, ex::f32<12, 70>, ex::f32<66, 70>) == 1);
static_assert(products_before(nested, ex::f32<64>, ex::f32<8, 64>, ex::f32<64, 64>, ex::f32<64, 64>) >= 0);
// What stays: a matrix that the cache holds, few iterations, many rows in each, a result that would be far larger, the row's axis last.
static_assert(products_before(rnn, ex::f32<32>, ex::f32<9, 32>, ex::f32<32, 32>, ex::f32<32, 32>) == 0);
static_assert(products_before(rnn, ex::f32<64>, ex::f32<7, 64>, ex::f32<64, 64>, ex::f32<64, 64>) == 0);
static_assert(products_before(rnn, ex::f32<8, 64>, ex::f32<9, 8, 64>, ex::f32<64, 64>, ex::f32<8, 8>) == 0);
static_assert(products_before(rnn, ex::f32<64>, ex::f32<5000, 64>, ex::f32<64, 64>, ex::f32<64, 64>) == 0);
static_assert(products_before(backwards, ex::f32<64, 2>, ex::f32<9, 64, 2>, ex::f32<64, 64>) == 0);
constexpr auto makes_more = [](ex::target const& machine) {
  program const p = simple(rnn, ex::f32<64>, ex::f32<9, 64>, ex::f32<64, 64>, ex::f32<64, 64>);
  return ex::detail::scanned_products::is_needed(p.ref(), machine);
};
static_assert(makes_more(packs) && !makes_more(no_packs));

template <int... Dims>
ex::array<float, Dims...> numbers(int first) {
  ex::array<float, Dims...> x;
  for (float& e : x) e = static_cast<float>(first++ * 29 % 83 - 41) * 0.013f;
  return x;
}
// The loop beside calls of its body.
template <bool Reverse, int Length, class Body, class Loop, class H, class Row, class... Rest>
bool has_bits_of_calls(Body body, Loop loop, H h, Row const& xs, Rest const&... rest) {
  auto const all = ex::jit(loop)(h, xs, rest...);
  bool same = true;
  for (int i = 0; i < Length; ++i) {
    int const row = Reverse ? Length - 1 - i : i;
    h = ex::jit(body)(h, xs(row), rest...);
    same = same && ex::array_equal(h, all(row));
  }
  return same;
}

}  // namespace

TEST_CASE("products of scanned rows keep their bits") {
  CHECK(has_bits_of_calls<false, 9>(cell, rnn, numbers<64>(1), numbers<9, 64>(2), numbers<64, 64>(3), numbers<64, 64>(4)));
  CHECK(has_bits_of_calls<false, 8>(cell, rnn, numbers<2, 80>(1), numbers<8, 2, 64>(2), numbers<64, 80>(3), numbers<2, 2>(4)));
  CHECK(has_bits_of_calls<true, 12>(cell_backwards, backwards, numbers<66>(1), numbers<12, 70>(2), numbers<66, 70>(3)));
  auto const xs = numbers<8, 64>(5);
  auto const w = numbers<64, 64>(6), v = numbers<64, 64>(7);
  auto h = numbers<64>(8);
  auto const all = ex::jit(nested)(h, xs, w, v);
  for (int i = 0; i < 16; ++i) h = ex::jit(nested_cell)(h, xs(i % 8), w, v);
  CHECK(h == all);
}
