// SPDX-License-Identifier: BSL-1.0
// The loop of nonzero against loops in C++: lengths around those of packs, masks that are computed, moved and batched, fill values, and
// that it takes one kernel and no memory but its results'.
#include <limits>
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

template <int... D>
using ints = ex::array<std::int32_t, D...>;

template <class F, class... Args>
constexpr ex::plan_sizes sizes_of(F, Args...) {
  return ex::planned<ex::detail::compiled<ex::detail::traced_with<F, Args...>>>::sizes;
}
constexpr bool one_loop(ex::plan_sizes s) { return s.kernels == 1 && s.nonzeros == 1 && s.scratch == 0; }
constexpr auto with_fill = [](auto m) { return ex::nonzero<50>(m, ex::fill_value(-1)); };
constexpr auto flat = [](auto m) { return ex::flatnonzero<50>(m); };

static_assert(one_loop(sizes_of(with_fill, ex::b1<1000>)) && one_loop(sizes_of(with_fill, ex::b1<30, 40>)) && one_loop(sizes_of(with_fill, ex::b1<5, 6, 7>)));
static_assert(one_loop(sizes_of(flat, ex::b1<1000>)) && one_loop(sizes_of(flat, ex::b1<30, 40>)) && one_loop(sizes_of(flat, ex::b1<1>)));
// What makes the mask is computed in the loop.
static_assert(one_loop(sizes_of(with_fill, ex::f32<30, 40>)) && one_loop(sizes_of(flat, ex::c64<1000>)));
static_assert(one_loop(sizes_of([](auto x, auto y) { return ex::nonzero<9>(ex::abs(x(ex::all, ex::newaxis) - y) < 0.5f, ex::fill_value(7, 8)); }, ex::f32<20>, ex::f32<30>)));
static_assert(one_loop(sizes_of(ex::vmap(with_fill), ex::b1<8, 30, 40>)));
static_assert(one_loop(sizes_of([](auto m, auto v) { return ex::flatnonzero<9>(m, ex::fill_value(v)); }, ex::b1<30>, ex::i32<>)));
static_assert(ex::jit(with_fill).memory_analysis(ex::b1<30, 40>).temp_size_in_bytes == 0);
// An array for each axis, before they are joined.
static_assert(sizes_of([](auto m) { return ex::argwhere<10>(m); }, ex::b1<30, 40>).scratch <= 2 * 64);

// What reads elements there: no place counts from the end.
static_assert(sizes_of([](auto x) { return x(x > 0, ex::size<50>, ex::fill_value(-1)); }, ex::f32<1000>).kernels == 2);

// Rows of the result, one after the other, of the first `size` places in a mask.
template <int Size, int... D>
constexpr auto expected(ex::array<bool, D...> const& m, std::int32_t fill) {
  constexpr int rank = sizeof...(D), dims[] = {D...};
  ints<rank, Size> r;
  r.fill(fill);
  int n = 0;
  for (int i = 0; i < m.size() && n < Size; ++i) {
    if (!m.data()[i]) continue;
    for (int k = rank - 1, left = i; k >= 0; left /= dims[k--]) r(k, n) = left % dims[k];
    ++n;
  }
  return r;
}
template <class T, int... D>
constexpr ex::array<bool, D...> mask_of(ex::array<T, D...> const& x) {
  ex::array<bool, D...> m;
  for (int i = 0; i < m.size(); ++i) m.data()[i] = x.data()[i] != T(0);
  return m;
}
// Numbers of which some are zero: none, all, the last alone, and about 1 of 2, of 6, of 30.
template <class T, int... D>
constexpr ex::array<T, D...> numbers(int pattern, unsigned seed = 1) {
  ex::array<T, D...> x;
  unsigned const bounds[] = {0, 256, 0, 128, 43, 9};
  for (int i = 0; i < x.size(); ++i) {
    seed = seed * 1664525u + 1013904223u;
    x.data()[i] = (seed >> 16 & 255u) < bounds[pattern] || (pattern == 2 && i + 1 == x.size()) ? T(1) : T(0);
  }
  return x;
}

template <int Size>
constexpr auto places = [](auto x) { return ex::stack(ex::nonzero<Size>(x, ex::fill_value(-7))); };
template <int Size, class T, int... D>
bool finds() {
  bool ok = true;
  for (int pattern = 0; pattern < 6; ++pattern) {
    auto const x = numbers<T, D...>(pattern);
    ok = ok && ex::jit(places<Size>)(x) == expected<Size>(mask_of(x), -7);
  }
  return ok;
}

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
static_assert(ex::flatnonzero<4>(ex::array<float, 5>{-0.0f, nan, 0, -1, 1e-45f}, ex::fill_value(9)) == ints<4>{1, 3, 4, 9});
static_assert(ex::flatnonzero<2>(ex::array<bool>(true)) == ints<2>{0, 0});
static_assert(ex::flatnonzero<2>(ex::array<bool>(false), ex::fill_value(5)) == ints<2>{5, 5});
static_assert(ex::nonzero<3>(ex::array<bool, 2, 2>{{true, true}, {true, true}}) == std::tuple(ints<3>{0, 0, 1}, ints<3>{0, 1, 0}));
static_assert(ex::nonzero<2>(ex::array<bool, 2, 0>(), ex::fill_value(3, 4)) == std::tuple(ints<2>{3, 3}, ints<2>{4, 4}));
static_assert(ex::nonzero<0>(ex::array<bool, 2, 2>()) == std::tuple(ints<0>(), ints<0>()));
static_assert(ex::jit(places<40>)(numbers<float, 3, 19>(4)) == expected<40>(mask_of(numbers<float, 3, 19>(4)), -7));
// Fill values of other types: integers become int32, a float makes the places floats.
static_assert(ex::flatnonzero<2>(ints<2>{0, 1}, ex::fill_value(std::int8_t{-3})) == ints<2>{1, -3});
static_assert(ex::flatnonzero<2>(ints<2>{0, 1}, ex::fill_value(0.5f)) == ex::array<float, 2>{1, 0.5f});

// Batches: of masks, of fill values alone, of both, along other axes, and two at once.
constexpr auto filled = [](auto m, auto v) { return ex::flatnonzero<3>(m, ex::fill_value(v)); };
constexpr ints<2, 4> pair{{0, 1, 1, 0}, {1, 1, 1, 1}};
static_assert(ex::vmap(filled)(pair, ints<2>{-1, -2}) == ints<2, 3>{{1, 2, -1}, {0, 1, 2}});
static_assert(ex::vmap(filled, ex::in_axes<ex::none, 0>)(ints<3>{0, 4, 0}, ints<2>{-1, -2}) == ints<2, 3>{{1, -1, -1}, {1, -2, -2}});
static_assert(ex::vmap(filled, ex::in_axes<1, ex::none>)(pair, 9) == ints<4, 3>{{1, 9, 9}, {0, 1, 9}, {0, 1, 9}, {1, 9, 9}});
static_assert(ex::vmap(ex::vmap(filled))(ex::array<bool, 2, 1, 2>{{{true, false}}, {{false, true}}}, ints<2, 1>{{5}, {6}}) == ints<2, 1, 3>{{{0, 5, 5}}, {{1, 6, 6}}});
constexpr auto each_with_one = ex::vmap(ex::vmap(filled, ex::in_axes<0, ex::none>), ex::in_axes<ex::none, 0>);
static_assert(each_with_one(pair, ints<2>{7, 8})(1) == ints<2, 3>{{1, 2, 8}, {0, 1, 2}});
static_assert(ex::vmap(with_fill)(ex::array<bool, 0, 30>()) == std::tuple(ints<0, 50>()));

// In loops and branches.
constexpr auto in_scan = [](auto rows) {
  return ex::scan([](auto c, auto row) { return ex::tuple(c + 1, ex::nonzero<3>(row >= c, ex::fill_value(-1))); }, 0, rows);
};
static_assert(ex::jit(in_scan)(pair) == std::tuple(2, std::tuple(ints<2, 3>{{0, 1, 2}, {0, 1, 2}})));
constexpr auto in_cond = [](auto which, auto x) {
  return ex::cond(which, [](auto y) { return ex::flatnonzero<2>(y); }, [](auto y) { return ex::flatnonzero<2>(y == 0); }, x);
};
static_assert(ex::vmap(in_cond)(ex::array<bool, 2>{true, false}, ints<2, 3>{{0, 1, 2}, {0, 4, 0}}) == ints<2, 2>{{1, 2}, {0, 2}});
constexpr auto over_axis = [](auto m) { return ex::flatnonzero<2>(m) + ex::axis_index(ex::axis_name<"i">); };

}  // namespace

TEST_CASE("places: lengths around those of packs") {
  CHECK(finds<100, float, 15>());
  CHECK(finds<30, float, 17>());
  CHECK(finds<40, float, 64>());
  CHECK(finds<33, bool, 64>());
  CHECK(finds<200, bool, 129>());
  CHECK(finds<90, bool, 95>());
  CHECK(finds<50, double, 61>());
  CHECK(finds<3, std::int8_t, 200>());
  CHECK(finds<1, std::int16_t, 37>());
}
TEST_CASE("places: several axes") {
  CHECK(finds<300, float, 9, 35>());
  CHECK(finds<60, bool, 4, 5, 3>());
  CHECK(finds<70, bool, 2, 3, 70>());
  CHECK(finds<20, float, 1, 1, 33>());
  CHECK(finds<20, float, 33, 1>());
}
TEST_CASE("places in masks that are moved, joined and batched") {
  constexpr auto turned = [](auto x) { return ex::stack(ex::nonzero<60>(ex::flip(ex::transpose(x)), ex::fill_value(-7))); };
  constexpr auto joined = [](auto x) { return ex::flatnonzero<60>(ex::concatenate(std::tuple(x > 0, x == 0)), ex::fill_value(-7)); };
  constexpr auto each = ex::vmap([](auto x) { return ex::stack(ex::nonzero<60>(x, ex::fill_value(-7))); });
  for (int pattern = 0; pattern < 6; ++pattern) {
    auto const x = numbers<float, 21, 20>(pattern);
    ex::array<bool, 20, 21> t;
    for (int i = 0; i < 20; ++i)
      for (int j = 0; j < 21; ++j) t(i, j) = x(20 - j, 19 - i) != 0;
    CHECK(ex::jit(turned)(x) == expected<60>(t, -7));

    auto const half = numbers<float, 50>(pattern);
    ex::array<bool, 100> both;
    for (int i = 0; i < 50; ++i) both(i) = half(i) > 0, both(50 + i) = !both(i);
    CHECK(ex::jit(joined)(half) == ex::reshape<60>(expected<60>(both, -7)));

    ex::array<float, 3, 5, 18> rows;
    ints<3, 2, 60> places_of_rows;
    for (int r = 0; r < 3; ++r) {
      auto const one = numbers<float, 5, 18>(pattern, 7u + static_cast<unsigned>(r));
      auto const found = expected<60>(mask_of(one), -7);
      for (int i = 0; i < 90; ++i) rows.data()[r * 90 + i] = one.data()[i];
      for (int i = 0; i < 120; ++i) places_of_rows.data()[r * 120 + i] = found.data()[i];
    }
    CHECK(each(rows) == places_of_rows);
  }
  CHECK(ex::vmap(over_axis, ex::axis_name<"i">)(pair) == ints<2, 2>{{1, 2}, {1, 2}});
}
