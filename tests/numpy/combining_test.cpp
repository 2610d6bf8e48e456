// SPDX-License-Identifier: BSL-1.0
// reduce, reduce_window and sort by functions of the user. Values: StableHLO's test data and interpreter tests, and loops.
#include <cstdint>
#include <limits>
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr auto add = [](auto a, auto b) { return a + b; };
constexpr auto larger = [](auto a, auto b) { return ex::maximum(a, b); };
constexpr auto smaller = [](auto a, auto b) { return ex::minimum(a, b); };
constexpr auto two_by_two = ex::window_dimensions<2, 2>;
constexpr float inf = std::numeric_limits<float>::infinity();

// reduce_int32_4_6_int32_4_6: the start counts once
constexpr ex::array<std::int32_t, 4, 6> table{{2, 3, 7, 2, -1, -7}, {5, 0, 2, -4, -3, 1}, {-1, 7, 0, -1, 3, -3}, {-4, 2, -3, -7, 0, -1}};
static_assert(ex::reduce(table, 3, add, ex::axis<1>) == ex::array<std::int32_t, 4>{9, 4, 8, -10});
static_assert(ex::reduce(table, 0, add, ex::axis<-1>) == ex::array<std::int32_t, 4>{6, 1, 5, -13});
// argmin_float32_4 as pairs of a value and an index: the order of neighbours stays
constexpr auto first_of_less = [](auto a, auto b) {
  auto const [x, i] = std::tuple(ex::get<0>(a), ex::get<1>(a));
  auto const [y, j] = std::tuple(ex::get<0>(b), ex::get<1>(b));
  auto const stays = (x < y) | ((x == y) & (i < j));
  return ex::tuple(ex::where(stays, x, y), ex::where(stays, i, j));
};
static_assert(ex::reduce(ex::tuple(ex::array<float, 5>{4, 2, 3, 2, 7}, ex::array<std::int32_t, 5>{0, 1, 2, 3, 4}), ex::tuple(inf, 5), first_of_less, ex::axis<0>) ==
              std::tuple(ex::array<float>(2), ex::array<std::int32_t>(1)));
// Affine maps a x + b, composed from left to right: associative, and not commutative.
constexpr auto composed = [](auto f, auto g) { return ex::tuple(ex::get<0>(f) * ex::get<0>(g), ex::get<1>(f) * ex::get<0>(g) + ex::get<1>(g)); };
constexpr auto after_all = ex::reduce(ex::tuple(ex::array<std::int32_t, 7>{2, 3, -1, 1, 2, 5, -2}, ex::array<std::int32_t, 7>{1, 0, 4, -3, 2, 1, 7}),
                                      ex::tuple(1, 0), composed, ex::axis<0>);
static_assert([] {
  int const a[] = {2, 3, -1, 1, 2, 5, -2}, b[] = {1, 0, 4, -3, 2, 1, 7};
  int x0 = 0, x1 = 1;
  for (int i = 0; i < 7; ++i) x0 = a[i] * x0 + b[i], x1 = a[i] * x1 + b[i];
  return std::get<1>(after_all)() == x0 && std::get<0>(after_all)() == x1 - x0;
}());
static_assert(ex::reduce(ex::array<float, 0, 2>{}, 5.0f, add, ex::axis<0>) == ex::array<float, 2>{5, 5});
static_assert(ex::reduce(ex::array<bool, 3>{true, false, true}, false, [](auto a, auto b) { return a ^ b; }, ex::axis<0>)() == false);

static_assert(ex::lax::reduce_xor(ex::array<std::int32_t, 2, 3>{{1, 2, 4}, {7, 7, 9}}, ex::axis<1>) == ex::array<std::int32_t, 2>{7, 9});

// reduce_window_max_int32_4_6, _min_float32_4_6, _max_float32_2_4; interpret/reduce_window.mlir
constexpr ex::array<std::int32_t, 4, 6> whole{{-3, 1, -2, -1, 3, -1}, {-4, -3, -1, 1, 0, -2}, {-1, 0, -3, -5, 0, 3}, {6, 1, 0, 0, 2, -5}};
static_assert(ex::reduce_window(whole, 1, larger, two_by_two) == ex::array<std::int32_t, 3, 5>{{1, 1, 1, 3, 3}, {1, 1, 1, 1, 3}, {6, 1, 1, 2, 3}});
constexpr ex::array<float, 4, 6> real{{-0.587396801f, 1.41679704f, 1.57286632f, 2.75978231f, -1.49650061f, -2.30756736f},
                                      {3.0710969f, 4.19341516f, 2.3716979f, -3.34889412f, 2.2374773f, -1.73396564f},
                                      {1.05131531f, -0.597165704f, 5.87361765f, -0.149147883f, -1.62176561f, 0.108428128f},
                                      {-2.76762557f, 2.69764709f, -1.18576527f, -1.25375938f, -2.87609529f, 2.79383397f}};
static_assert(ex::reduce_window(real, inf, smaller, two_by_two) == ex::array<float, 3, 5>{{-0.587396801f, 1.41679704f, -3.34889412f, -3.34889412f, -2.30756736f},
                                                                                            {-0.597165704f, -0.597165704f, -3.34889412f, -3.34889412f, -1.73396564f},
                                                                                            {-2.76762557f, -1.18576527f, -1.25375938f, -2.87609529f, -2.87609529f}});
static_assert(ex::reduce_window(ex::array<float, 2, 4>{{0.180554599f, 4.83959723f, -3.06038165f, 6.29835796f}, {-0.574667037f, -3.2395606f, -7.343575f, -0.321981102f}}, -inf,
                                larger, two_by_two) == ex::array<float, 1, 3>{{4.83959723f, 4.83959723f, 6.29835796f}});
constexpr ex::array<std::int64_t, 3, 2> three{{1, 2}, {3, 4}, {5, 6}};
static_assert(ex::reduce_window(three, 0, add, ex::window_dimensions<2, 1>, ex::window_strides<4, 1>, ex::padding<2, 1, 0, 0>, ex::base_dilation<2, 1>,
                                ex::window_dilation<3, 1>) == ex::array<std::int64_t, 2, 2>{{0, 0}, {3, 4}});
static_assert(ex::reduce_window(three, 0, add, ex::window_dimensions<3, 1>, ex::window_strides<4, 1>, ex::padding<2, 1, 0, 0>, ex::base_dilation<2, 1>,
                                ex::window_dilation<3, 1>) == ex::array<std::int64_t, 1, 2>{{5, 6}});
// Cut off at the ends, no window fits, NaN.
static_assert(ex::reduce_window(ex::array<std::int32_t, 5>{1, 2, 3, 4, 5}, 0, add, ex::window_dimensions<2>, ex::padding<-1, -1>) == ex::array<std::int32_t, 2>{5, 7});
static_assert(ex::reduce_window(ex::array<std::int32_t, 2>{1, 2}, 0, add, ex::window_dimensions<3>).size() == 0);
constexpr auto with_nan = ex::reduce_window(ex::array<float, 4>{1, std::numeric_limits<float>::quiet_NaN(), 2, 3}, -inf, larger, ex::window_dimensions<2>);
static_assert(with_nan(0) != with_nan(0) && with_nan(1) != with_nan(1) && with_nan(2) == 3);

// Wide windows are put together from narrow ones: against the definition, with and without strides and dilation.
template <int Size, int Stride, int Dilation, class F>
constexpr bool is_window_sum(F const& f, ex::array<std::int32_t, 40> const& x) {
  auto const y = ex::reduce_window(x, 0, f, ex::window_dimensions<Size>, ex::window_strides<Stride>, ex::window_dilation<Dilation>, ex::padding<3, 2>);
  for (int i = 0; i < y.extent(0); ++i) {
    int sum = 0;
    for (int k = 0; k < Size; ++k)
      if (int const at = i * Stride + k * Dilation - 3; at >= 0 && at < 40) sum += x(at);
    if (y(i) != sum) return false;
  }
  return y.extent(0) == (45 - (Size - 1) * Dilation - 1) / Stride + 1;
}
constexpr auto numbers = [] {
  ex::array<std::int32_t, 40> x{};
  for (int i = 0; i < 40; ++i) x(i) = i * i % 23 - 7;
  return x;
}();
constexpr auto added = [](auto a, auto b) { return b - (0 - a); };  // a sum that nothing recognizes
static_assert(is_window_sum<11, 1, 1>(add, numbers) && is_window_sum<16, 1, 2>(add, numbers) && is_window_sum<5, 3, 2>(add, numbers));
static_assert(is_window_sum<11, 1, 1>(added, numbers) && is_window_sum<40, 2, 1>(added, numbers));

// In the order of a comparator: the largest absolute value first, those that are equal in their order.
constexpr auto by_size = [](auto a, auto b, auto, auto) { return ex::abs(a) > ex::abs(b); };
static_assert(ex::lax::sort(std::tuple(ex::array<std::int32_t, 6>{1, -3, 3, 0, -1, 2}, ex::array<std::int32_t, 6>{0, 1, 2, 3, 4, 5}), by_size) ==
              std::tuple(ex::array<std::int32_t, 6>{-3, 3, 2, 1, -1, 0}, ex::array<std::int32_t, 6>{1, 2, 5, 0, 4, 3}));
static_assert(std::get<0>(ex::lax::sort(std::tuple(ex::array<float, 2, 2>{{1, 4}, {2, 3}}), [](auto a, auto b) { return a > b; }, ex::axis<0>)) ==
              ex::array<float, 2, 2>{{2, 4}, {1, 3}});

// With packs, and under vmap: a start for each row too.
constexpr auto pooled = [](auto x, auto start) {
  return std::tuple(ex::reduce_window(x, start, add, ex::window_dimensions<3>, ex::window_strides<2>, ex::padding_same), ex::reduce(x, start, added, ex::axis<0>));
};

}  // namespace

TEST_CASE("rows of windows, each with a start of its own") {
  ex::array<std::int32_t, 3, 40> x;
  ex::array<std::int32_t, 3> const start{0, 5, -2};
  for (int i = 0; i < 120; ++i) x.data()[i] = i * i % 31 - 11;
  auto const [windows, sums] = ex::jit(ex::vmap(pooled))(x, start);
  for (int row = 0; row < 3; ++row) {
    int all = start(row);
    for (int i = 0; i < 40; ++i) all += x(row, i);
    CHECK(sums(row) == all);
    for (int i = 0; i < 20; ++i) {
      int sum = start(row);  // nothing in front, and one element behind, which is the start
      for (int k = 0; k < 3; ++k) sum += 2 * i + k < 40 ? x(row, 2 * i + k) : start(row);
      CHECK(windows(row, i) == sum);
    }
  }
}
