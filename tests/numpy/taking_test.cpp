// SPDX-License-Identifier: BSL-1.0
// take and its kin, parts along one axis, repeat, segment sums, makers of indices: examples of NumPy's and JAX's documentation, and corners.
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

template <int... D>
using ints = ex::array<std::int32_t, D...>;
constexpr ex::array<float, 2, 3> x{{1, 2, 3}, {4, 5, 6}};
constexpr ints<3, 3> s{1, 2, 3, 4, 5, 6, 7, 8, 9};

static_assert(ex::take(x, ex::array<int, 2>{2, 0}) == ex::array<float,2>{3,1});
static_assert(ex::take(x, ex::array<int, 2>{2, -3}, ex::axis<1>) == ex::array<float,2,2>{{3,1},{6,4}});
static_assert(ex::take(x, ex::array<int, 2>{2, 0}, ex::axis<0>, ex::fill_value(9)) == ex::array<float,2,3>{{9,9,9},{1,2,3}});
static_assert(ex::take(x, ex::array<int, 2>{2, -1}, ex::axis<0>, ex::mode_clip) == ex::array<float,2,3>{{4,5,6},{1,2,3}});
static_assert(ex::take(x, ex::array<int, 2>{2, -1}, ex::axis<0>, ex::mode_wrap) == ex::array<float,2,3>{{1,2,3},{4,5,6}});
static_assert(ex::take(x, 4) == ex::array<float>(5));
static_assert(ex::take_along_axis(x, ex::array<int, 2, 2>{{0, 2},{1,0}}, ex::axis<1>) == ex::array<float,2,2>{{1,3},{5,4}});
static_assert(ex::take_along_axis(x, ex::array<int, 1, 3>{{1, 0, 2}}, ex::axis<0>, ex::fill_value(-1)) == ex::array<float,1,3>{{4,2,-1}});
static_assert(ex::put_along_axis(ex::array<int,2,3>{{10,30,20},{60,40,50}}, ex::array<int, 2, 1>{{1},{0}}, 99, ex::axis<1>) ==
              ex::array<int,2,3>{{10,99,20},{99,40,50}});
static_assert(ex::ops::segment_sum<3>(ex::array<float,5>{1,2,3,4,5}, ex::array<int,5>{0,0,1,5,2}) == ex::array<float,3>{3,3,5});
static_assert(ex::ops::segment_max<3>(ex::array<int,3>{1,2,3}, ex::array<int,3>{0,-1,0}) ==
              ex::array<int,3>{3,-2147483647-1,-2147483647-1});
static_assert(ex::repeat<2>(x, ex::axis<0>) == ex::array<float,4,3>{1,2,3,1,2,3,4,5,6,4,5,6});
static_assert(ex::repeat<5>(ex::array<int,4>{5,6,7,8}, ex::array<int,4>{1,2,0,5}) == ex::array<int,5>{5,6,6,8,8});
static_assert(ex::repeat<5>(x, ex::array<int,3>{1,0,2}, ex::axis<1>) == ex::array<float,2,5>{1,3,3,3,3,4,6,6,6,6});
// Starts that int32 does not hold.
template <class I>
constexpr bool starts_at(I start, int first) {
  return ex::dynamic_slice<2>(ex::array<int, 5>{0, 1, 2, 3, 4}, ex::array<I>(start)) == ex::array<int, 2>{first, first + 1};
}
static_assert(starts_at(std::uint32_t(3000000000u), 3) && starts_at(std::uint32_t(1), 1));
static_assert(starts_at(std::int64_t(4294967297), 3) && starts_at(std::int64_t(-4294967297), 0) && starts_at(std::int64_t(-4), 1));
static_assert(starts_at(std::uint64_t(18446744073709551615u), 3) && starts_at(std::int32_t(-2147483647 - 1), 0));
static_assert(ex::jit([](auto v) { return ex::dynamic_slice<2>(v, 4294967297) - ex::dynamic_slice<2>(v, -4294967297); })(
                  ex::array<int, 5>{0, 1, 2, 3, 4}) == ex::array<int, 2>{3, 3});
static_assert(ex::dynamic_slice_in_dim<2>(x, 7, ex::axis<1>) == ex::array<float,2,2>{2,3,5,6});
static_assert(ex::dynamic_index_in_dim(x, -1) == ex::array<float,1,3>{4,5,6});
static_assert(ex::dynamic_index_in_dim<false>(x, 1, ex::axis<-1>) == ex::array<float,2>{2,5});
static_assert(ex::dynamic_update_slice_in_dim(x, ex::array<float,2,2>{9,8,7,6}, 1, ex::axis<1>) == ex::array<float,2,3>{1,9,8,4,7,6});
static_assert(ex::dynamic_update_index_in_dim(x, ex::array<float,3>{9,8,7}, 5) == ex::array<float,2,3>{1,2,3,9,8,7});
static_assert(ex::slice_in_dim<1, ex::none>(x, ex::axis<1>) == ex::array<float,2,2>{2,3,5,6});
static_assert(ex::lax::index_in_dim(x, 2, ex::axis<1>) == ex::array<float,2,1>{3,6});
static_assert(ex::index_take(s, std::tuple(ints<2>{0, -1}, ints<2>{1, 5}), ex::axis<0,1>) == ints<2>{2,9});
static_assert(ex::index_take(s, std::tuple(ints<2>{0, -1}), ex::axis<1>) == ints<2,3>{1,4,7,3,6,9});
static_assert(ex::tril_indices<3>() == std::tuple(ints<6>{0,1,1,2,2,2}, ints<6>{0,0,1,0,1,2}));
static_assert(ex::triu_indices<2, 1, 3>() == std::tuple(ints<3>{0,0,1}, ints<3>{1,2,2}));
static_assert(ex::unravel_index<2, 3>(ints<4>{1, 5, 9, -1}) == std::tuple(ints<4>{0,1,1,1}, ints<4>{1,2,2,2}));
static_assert(ex::ravel_multi_index<2, 3>(std::tuple(ints<2>{1, 7}, ints<2>{2, -1}), ex::mode_clip) == ints<2>{5, 3});
static_assert(ex::ravel_multi_index<2, 3>(std::tuple(ints<2>{1, 7}, ints<2>{2, -1}), ex::mode_wrap) == ints<2>{5, 5});
static_assert(ex::fill_diagonal(s, 0) == ints<3,3>{0,2,3,4,0,6,7,8,0});
static_assert(ex::fill_diagonal(x, ex::array<float,1>{9}) == ex::array<float,2,3>{9,2,3,4,9,6});
static_assert(ex::choose(ints<4>{0, 1, 5, -1}, std::tuple(ints<4>{1,2,3,4}, 10)) == ints<4>{1,10,10,4});
static_assert(ex::choose(ints<4>{0, 1, 5, -2}, std::tuple(ints<4>{1,2,3,4}, 10), ex::mode_wrap) == ints<4>{1,10,10,4});
static_assert(ex::compress<2>(ex::array<bool,3>{true,false,true}, x, ex::axis<1>) == ex::array<float,2,2>{1,3,4,6});
static_assert(ex::compress<3>(ex::array<bool,3>{true,false,true}, x, ex::axis<1>, ex::fill_value(-1)) ==
              ex::array<float,2,3>{1,3,-1,4,6,-1});
static_assert(ex::extract<4>(ex::greater(x, 2), x) == ex::array<float,4>{3,4,5,6});
static_assert(ex::put(x, ints<3>{0, 7, -1}, ex::array<float,2>{8,9}) == ex::array<float,2,3>{8,2,3,4,5,8});
static_assert(ex::put(x, ints<3>{0, 7, -1}, 9, ex::mode_wrap) == ex::array<float,2,3>{9,9,3,4,5,9});
static_assert(ex::put(x, ints<2>{7, 1}, 9, ex::mode_clip) == ex::array<float,2,3>{1,9,3,4,5,9});
static_assert(ex::place(x, ex::greater(x, 2), ex::array<float,3>{10,20,30}) == ex::array<float,2,3>{1,2,10,20,30,10});
static_assert(ex::jit([](auto x) { auto [i, j] = ex::ix_(ints<2>{0, 1}, ints<2>{2, 0}); return x(i, j); })(x) ==
              ex::array<float,2,2>{3,1,6,4});
static_assert(ex::jit([](auto x) { auto [i, j] = ex::diag_indices<2>(); return x(i, j); })(x) == ex::array<float,2>{1,5});

// Nothing to take, and nothing to take from; rank 0; small dtypes of indices; NaN where nothing is.
static_assert(ex::take(x, ints<0>(), ex::axis<0>) == ex::array<float, 0, 3>());
static_assert(ex::take(ex::array<float, 0, 3>(), ints<2>{2, 0}, ex::axis<1>) == ex::array<float, 0, 2>());
static_assert(ex::take(x, ex::array<std::uint8_t, 2>{255, 1}, ex::fill_value(0)) == ex::array<float, 2>{0, 2});
static_assert(ex::take(x, ex::array<std::int64_t, 2>{4294967296, 1}, ex::mode_clip) == ex::array<float, 2>{6, 2});
static_assert(ex::isnan(ex::take(x, ints<2>{6, -7})) == ex::array<bool, 2>{true, true});
static_assert(ex::take(ex::array<std::uint8_t, 2>{1, 2}, 2) == ex::array<std::uint8_t>(255));
static_assert(ex::ops::segment_prod<3>(x, ints<2>{2, 2}) == ex::array<float, 3, 3>{1, 1, 1, 1, 1, 1, 4, 10, 18});
static_assert(ex::ops::segment_min<2>(ex::array<bool, 3>{true, false, true}, ints<3>{0, 1, 1}) == ex::array<bool, 2>{true, false});
static_assert(ex::ops::segment_sum<2>(ints<2>{1, 2}, ints<2>{5, -1}, ex::mode_clip) == ints<2>{2, 1});
static_assert(ex::repeat<0>(x) == ex::array<float, 0>());
static_assert(ex::repeat<4>(7, ints<>(4)) == ints<4>{7, 7, 7, 7});

// The same in a compiled program and for each row of a batch.
constexpr auto all = [](auto x, auto i, auto counts) {
  auto const row = [](auto v, auto k) { return std::tuple(ex::take(v, k), ex::take(v, k, ex::fill_value(v(0))), ex::ops::segment_sum<2>(v, k)); };
  return std::tuple(ex::take(x, i, ex::axis<1>, ex::mode_clip), ex::take_along_axis(x, ex::stack(i, i), ex::axis<1>), ex::vmap(row)(x, ex::stack(i, i + 1)),
                    ex::repeat<5>(x, counts, ex::axis<1>));
};
template <class A>
constexpr bool check(A const& r) {
  auto const& [clipped, along, rows, repeated] = r;
  auto const& [plain, filled, sums] = rows;
  return clipped == ex::array<float, 2, 3>{3, 1, 2, 6, 4, 5} && along == ex::array<float, 2, 3>{3, 1, 2, 6, 4, 5} &&
         ex::isnan(plain) == ex::array<bool, 2, 3>{false, false, false, true, false, false} && filled == ex::array<float, 2, 3>{3, 1, 2, 4, 5, 6} &&
         sums == ex::array<float, 2, 2>{2, 3, 0, 5} && repeated == ex::array<float, 2, 5>{1, 1, 2, 3, 3, 4, 4, 5, 6, 6};
}
static_assert(check(ex::jit(all)(x, ints<3>{2, 0, 1}, ints<3>{2, 1, 1})));

}  // namespace

TEST_CASE("take, segment sums, repeat") { CHECK(check(ex::jit(all)(x, ints<3>{2, 0, 1}, ints<3>{2, 1, 1}))); }
