// SPDX-License-Identifier: BSL-1.0
// Indices and counts have 64 bits with EXPRAX_ENABLE_X64.
#define EXPRAX_ENABLE_X64 1
#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

template <int... D>
using longs = ex::array<std::int64_t, D...>;
template <int... D>
using ints = ex::array<std::int32_t, D...>;

static_assert(ex::nonzero<4>(longs<2, 3>{0, 5, 0, 6, 0, 7}, ex::fill_value(-1)) == std::tuple(longs<4>{0, 1, 1, -1}, longs<4>{1, 0, 2, -1}));
static_assert(ex::bincount<3>(longs<4>{0, 1, 1, 7}) == longs<3>{1, 2, 0});
static_assert(ex::argwhere<2>(ints<2>{0, 1}, ex::fill_value(-1)) == longs<2, 1>{1, -1});
static_assert(std::get<1>(ex::unique<3>(ints<4>{3, 1, 3, 3}, ex::return_counts)) == longs<3>{1, 3, 0});
static_assert(std::get<1>(ex::unique<3>(ints<4>{3, 1, 3, 3}, ex::return_inverse)) == longs<4>{1, 0, 1, 1});
static_assert(ex::unravel_index<2, 3>(longs<2>{1, 5}) == std::tuple(longs<2>{0, 1}, longs<2>{1, 2}));
static_assert(ex::ravel_multi_index<2, 3>(std::tuple(ints<1>{1}, ints<1>{2})) == longs<1>{5});
static_assert(ex::tril_indices<2>() == std::tuple(longs<3>{0, 1, 1}, longs<3>{0, 0, 1}));
static_assert(ex::take(longs<3>{1, 2, 3}, longs<2>{-1, 0}) == longs<2>{3, 1});
static_assert(ex::take_along_axis(longs<3>{1, 2, 3}, ints<2>{-1, 5}, ex::axis<0>, ex::mode_clip) == longs<2>{3, 3});
static_assert(ex::repeat<4>(ints<2>{1, 2}, longs<2>{1, 2}) == ints<4>{1, 2, 2, 2});
static_assert(longs<3>{1, 2, 3}.at(longs<2>{0, 9}).add(1) == longs<3>{2, 2, 3});
static_assert(ex::put(ints<3>{1, 2, 3}, longs<2>{0, 2}, 9) == ints<3>{9, 2, 9});
static_assert(ex::choose(longs<2>{0, 1}, std::tuple(ints<2>{1, 2}, ints<2>{3, 4})) == ints<2>{1, 4});
static_assert(ex::extract<2>(ex::greater(ints<3>{1, 2, 3}, 1), ints<3>{1, 2, 3}) == ints<2>{2, 3});
static_assert(ex::fill_diagonal(ints<2, 2>{1, 2, 3, 4}, 0) == ints<2, 2>{0, 2, 3, 0});
static_assert(ex::union1d<3>(ints<2>{2, 1}, ints<1>{2}) == ints<3>{1, 2, 1});

}  // namespace
