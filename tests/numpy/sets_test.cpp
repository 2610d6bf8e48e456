// SPDX-License-Identifier: BSL-1.0
// unique and the operations on sets, with sizes known in advance.
#include <limits>
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

template <int... D>
using ints = ex::array<std::int32_t, D...>;
constexpr ints<2, 3> x{3, 1, 3, 2, 1, 3};
constexpr float not_a = std::numeric_limits<float>::quiet_NaN();

static_assert(ex::unique<3>(x) == ints<3>{1, 2, 3});
static_assert(ex::unique<5>(x) == ints<5>{1, 2, 3, 1, 1});
static_assert(ex::unique<5>(x, ex::fill_value(9)) == ints<5>{1, 2, 3, 9, 9});
static_assert(ex::unique<2>(x) == ints<2>{1, 2});
static_assert(ex::unique<4>(x, ex::return_index, ex::return_inverse, ex::return_counts) ==
              std::tuple(ints<4>{1, 2, 3, 1}, ints<4>{1, 3, 0, 1}, ints<2, 3>{2, 0, 2, 1, 0, 2}, ints<4>{2, 1, 3, 0}));
static_assert(ex::unique_counts<1>(x) == std::tuple(ints<1>{1}, ints<1>{2}));
static_assert(ex::sum(ex::equal(ex::unique<3>(ex::array<float, 4>{not_a, 1, not_a, 1}, ex::fill_value(7)), ex::array<float, 3>{1, 0, 7})) ==
              2);
static_assert(ex::isnan(ex::unique<3>(ex::array<float, 4>{not_a, 1, not_a, 1}, ex::fill_value(7))) ==
              ex::array<bool, 3>{false, true, false});
static_assert(ex::unique<2>(ints<0>(), ex::fill_value(4)) == ints<2>{4, 4});
static_assert(ex::unique<2>(ints<>(4)) == ints<2>{4, 4});
static_assert(ex::isin(x, ints<2>{1, 5}) == ex::array<bool, 2, 3>{false, true, false, false, true, false});
static_assert(ex::union1d<5>(x, ints<2>{7, 2}, ex::fill_value(0)) == ints<5>{1, 2, 3, 7, 0});
static_assert(ex::intersect1d<2>(x, ints<3>{3, 9, 1}) == ints<2>{1, 3});
static_assert(ex::intersect1d<3>(x, ints<3>{3, 9, 1}) == ints<3>{1, 3, 1});
static_assert(ex::setdiff1d<3>(x, ints<3>{3, 9, 4}) == ints<3>{1, 2, 0});
static_assert(ex::setdiff1d<3>(x, ints<0>(), ex::fill_value(-1)) == ints<3>{1, 2, 3});
static_assert(ex::setxor1d<3>(x, ints<3>{3, 9, 1}, ex::fill_value(-1)) == ints<3>{2, 9, -1});

// The rows and columns that differ; jax.numpy.unique's example.
constexpr ints<3, 2> rows{1, 2, 2, 3, 1, 2};
static_assert(ex::unique<2>(rows, ex::axis<0>) == ints<2, 2>{1, 2, 2, 3});
static_assert(ex::unique<3>(rows, ex::axis<0>, ex::return_counts, ex::return_inverse, ex::fill_value(0)) ==
              std::tuple(ints<3, 2>{1, 2, 2, 3, 0, 0}, ints<3>{0, 1, 0}, ints<3>{2, 1, 0}));
static_assert(ex::unique<2>(ints<2, 3>{3, 1, 3, 4, 5, 4}, ex::axis<-1>) == ints<2, 2>{1, 3, 5, 4});

// The examples of jax.numpy.unique.
constexpr ints<6> m{3, 4, 1, 3, 1, 7};
static_assert(ex::unique<3>(m) == ints<3>{1, 3, 4} && ex::unique<6>(m, ex::fill_value(-999)) == ints<6>{1, 3, 4, 7, -999, -999});
constexpr auto sets = [](auto m) { return std::tuple(ex::unique_all<5>(m), ex::vmap([](auto row) { return ex::unique<2>(row); })(ex::reshape<3, 2>(m))); };
constexpr std::tuple sets_expected(std::tuple(ints<5>{1, 3, 4, 7, 1}, ints<5>{2, 0, 1, 5, 2}, ints<6>{1, 2, 0, 1, 0, 3}, ints<5>{2, 2, 1, 1, 0}),
                                   ints<3, 2>{3, 4, 1, 3, 1, 7});

}  // namespace

TEST_CASE("unique") { CHECK(ex::jit(sets)(m) == sets_expected); }
