// SPDX-License-Identifier: BSL-1.0
// Functions of every kind that runs in lanes, and some that do not: row i of vmap(f) is f of row i, bit for bit.
#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

// The number of elements in which vmap(f) differs from f row by row. Lanes: whether the plan has a region in lanes.
template <bool Lanes, int B, class T, int... D, class F>
int differences(F f) {
  using plan = ex::planned<ex::detail::compiled<ex::detail::traced<decltype(ex::vmap(f)), ex::expr<T, B, D...>>>>;
  constexpr bool in_lanes = [] {
    for (int k = 0; k < plan::sizes.regions; ++k)
      if (plan::storage.regions[k].row_axes > 0) return true;
    return false;
  }();
  static_assert(in_lanes == Lanes);
  static ex::array<T, B, D...> x;
  std::ptrdiff_t const n = x.size() / B;
  for (std::ptrdiff_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>((i * 37 % 101 - 20) / 3);
  auto const all = ex::jit(ex::vmap(f))(x);
  int bad = 0;
  for (int i = 0; i < B; ++i) {
    auto const one = ex::jit(f)(ex::view<T const, D...>(x.data() + i * n));
    for (std::ptrdiff_t k = 0; k < one.size(); ++k) {
      auto const p = all.data()[i * one.size() + k], q = one.data()[k];
      bad += p != q && (p == p || q == q);
    }
  }
  return bad;
}

constexpr auto backwards = [](auto x) {
  return ex::get<1>(ex::scan([](auto c, auto v) { auto const n = c * 0.5f + v; return ex::tuple(n, n * v); }, 1.0f, x, ex::reverse));
};

// A tree: a step needs one value less than the step before it. Also with the number of the step, elements of another array, and a history.
constexpr auto tree_step = [](auto v, auto x) { return v.at(ex::slice<0, -1>).set(v(ex::slice<0, -1>) * 0.5f + v(ex::slice<1, ex::none>) * x); };
constexpr auto root = [](auto x) { return ex::fori_loop(0, 22, [](auto i, auto v) { return tree_step(v, i * 0.25f); }, x)(0); };
constexpr auto third = [](auto x) { return ex::get<0>(ex::scan([](auto v, auto a) { return ex::tuple(tree_step(v, a), ex::tuple()); }, x, x * 0.125f))(2) + x(1); };
constexpr auto roots = [](auto x) { return ex::get<1>(ex::scan([](auto v, auto a) { return ex::tuple(tree_step(v, a), v(0) + v(1)); }, x, x * 0.125f, ex::reverse)); };
constexpr auto all_values = [](auto x) { return ex::fori_loop(0, 22, [](auto i, auto v) { return tree_step(v, i * 0.25f); }, x); };
template <class F>
constexpr int loops(F) {
  using plan = ex::planned<ex::detail::compiled<ex::detail::traced<decltype(ex::vmap(F{})), ex::expr<float, 37, 23>>>>;
  int n = 0;
  for (int k = 0; k < plan::sizes.region_steps; ++k) n += plan::storage.region_steps[k].kind == ex::region_step_kind::scan;
  return n;
}

// A recurrence in each of N columns, against a plain loop; then where the result takes the place of the argument.
constexpr auto recurrences = [](auto x) {
  return ex::get<1>(ex::scan([](auto c, auto row) { return ex::tuple(c * 3 + row, c * 3 + row); }, x(0), x));
};
template <int N>
int differences_of_recurrences() {
  constexpr int steps = 9;
  static ex::array<int, steps, N> x, y;
  for (int i = 0; i < steps * N; ++i) x.data()[i] = i * 37 % 101;
  ex::jit(recurrences).into(y, x);
  int bad = 0;
  for (int j = 0; j < N; ++j)
    for (int i = 0, c = x(0, j); i < steps; ++i) bad += y(i, j) != (c = c * 3 + x(i, j));
  ex::jit(recurrences).into(x, x);
  for (int i = 0; i < steps * N; ++i) bad += x.data()[i] != y.data()[i];
  return bad;
}

}  // namespace

TEST_CASE("loops that need less and less") {
  static_assert(loops(root) == 5 && loops(third) == 5 && loops(roots) == 5 && loops(all_values) == 1);
  CHECK(differences<true, 37, float, 23>(root) == 0);
  CHECK(differences<true, 37, float, 23>(third) == 0);
  CHECK(differences<true, 37, float, 23>(roots) == 0);
  CHECK(differences<true, 37, float, 23>(all_values) == 0);
}
TEST_CASE("loops over rows of several lengths, by few and many rows") {
  CHECK(differences<true, 37, float, 3>(backwards) == 0);
  CHECK(differences<true, 37, float, 40>(backwards) == 0);
  CHECK(differences<true, 37, float, 300>(backwards) == 0);
  CHECK(differences<true, 5, double, 9>(backwards) == 0);
  CHECK(differences<true, 37, double, 19>(backwards) == 0);
  CHECK(differences<true, 1, float, 40>(backwards) == 0);
  CHECK(differences<true, 3, float, 40>(backwards) == 0);
  CHECK(differences<true, 20, float, 40>(backwards) == 0);
  CHECK(differences<true, 100, float, 40>(backwards) == 0);
  CHECK(differences<true, 300, float, 19>(backwards) == 0);
}
TEST_CASE("loops over columns, of which the last packs overlap") {
  CHECK(differences_of_recurrences<5>() == 0);
  CHECK(differences_of_recurrences<36>() == 0);
  CHECK(differences_of_recurrences<50>() == 0);
  CHECK(differences_of_recurrences<100>() == 0);
  CHECK(differences_of_recurrences<130>() == 0);
  CHECK(differences_of_recurrences<257>() == 0);
}
TEST_CASE("loops on integers of several sizes") {
  auto const halvings = [](auto n) {
    auto const step = [](auto s) { return ex::tuple(ex::floor_divide(ex::get<0>(s), 2), ex::get<1>(s) + 1); };
    return ex::get<1>(ex::while_loop([](auto s) { return ex::get<0>(s) > 1; }, step, ex::tuple(n, 0)));
  };
  auto const divisor = [](auto n) {
    auto const step = [](auto s) { return ex::tuple(ex::get<1>(s), ex::remainder(ex::get<0>(s), ex::get<1>(s))); };
    return ex::get<0>(ex::while_loop([](auto s) { return ex::get<1>(s) != 0; }, step, ex::tuple(n * 3 + 7, n + 60)));
  };
  CHECK(differences<true, 50, std::int8_t>(halvings) == 0);
  CHECK(differences<true, 20, std::int8_t>(halvings) == 0);
  CHECK(differences<true, 100, std::int64_t>(halvings) == 0);
  CHECK(differences<true, 50, std::int64_t>(divisor) == 0);
}
TEST_CASE("small values without loops, and with") {
  CHECK(differences<true, 33, float, 6>([](auto x) { return ex::cumsum(x); }) == 0);
  CHECK(differences<true, 33, float, 4, 4>([](auto x) { return ex::matmul(ex::matmul(x, x), ex::transpose(x)); }) == 0);
  CHECK(differences<true, 33, float, 4, 4>([](auto x) { return ex::fori_loop(0, 3, [x](auto, auto y) { return ex::matmul(y, x) * 0.1f; }, x); }) == 0);
  CHECK(differences<true, 33, float, 8>([](auto x) { return ex::stack(std::array{ex::sum(x * x), ex::max(x), ex::mean(x), ex::prod(x)}); }) == 0);
  CHECK(differences<true, 33, float, 2>([](auto x) { return ex::sum(x * x); }) == 0);
  CHECK(differences<false, 33, float, 70>([](auto x) { return ex::exp(x) * 2.0f; }) == 0);
}
TEST_CASE("branches and tables") {
  auto const three_ways = [](auto x) {
    return ex::switch_(ex::astype<int>(x(0)),
                       ex::branches([](auto v) { return v * 2.0f; }, [](auto v) { return ex::exp(v); }, [](auto v) { return v - v(1); }), x);
  };
  auto const shift = [](auto x) {
    auto const step = [](auto s) {
      auto const t = ex::get<0>(s);
      auto const i = ex::get<1>(s);
      return ex::tuple(t.at(i).set(t(i + 1) + 1.0f), i + 1 + ex::astype<int>(t(i) > 3.0f));
    };
    return ex::get<0>(ex::while_loop([](auto s) { return ex::get<1>(s) < 12; }, step, ex::tuple(x, 0)));
  };
  auto const recurrence = [](auto x) { return ex::fori_loop(0, 150, [](auto i, auto t) { return t.at(i + 1).set(t(i) * 0.5f + 1.0f); }, x); };
  CHECK(differences<true, 33, float, 5>(three_ways) == 0);
  CHECK(differences<true, 40, float, 16>(shift) == 0);
  CHECK(differences<true, 20, float, 16>(shift) == 0);
  CHECK(differences<false, 20, float, 200>(recurrence) == 0);  // too large to keep in registers
}
