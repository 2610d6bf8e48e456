// SPDX-License-Identifier: BSL-1.0
// Reductions with masks and initial values, variances, averages, and reductions that pass NaN over. Values: NumPy's.
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr ex::array<float, 2, 4> x{{1, 2, 3, 6}, {4, 4, 0, 8}};
constexpr ex::array<bool, 2, 4> mask{{true, false, true, false}, {false, false, false, false}};
constexpr ex::array<bool, 4> columns{true, false, true, true};
constexpr ex::array<float, 2, 3> holes{{1, nan, 3}, {nan, nan, nan}};
constexpr bool is_nan(float v) { return v != v; }

// JAX's cases max_empty_axis, bool_reduce, reduce_max_nan, nan_reductions
constexpr ex::array<float, 3> three{1, 2, 3}, with_nan{1, nan, 3};
static_assert(ex::max(three, ex::initial(-1.0f), ex::where_(ex::array<bool, 3>{false, false, false}))() == -1);
static_assert(ex::any(ex::array<bool, 3>{true, false, true})() && !ex::all(ex::array<bool, 3>{true, false, true})() && ex::sum(ex::array<bool, 3>{true, false, true})() == 2);
static_assert(is_nan(ex::max(with_nan)()) && is_nan(ex::min(with_nan)()) && is_nan(ex::sum(with_nan)()));
static_assert(ex::nansum(with_nan)() == 4 && ex::nanmax(with_nan)() == 3 && ex::nanmin(with_nan)() == 1);

static_assert(ex::sum(x, ex::axis<1>, ex::where_(mask)) == ex::array<float, 2>{4, 0});
static_assert(ex::sum(x, ex::where_(columns), ex::axis<0>, ex::keepdims, ex::initial(10)) == ex::array<float, 1, 4>{{15, 10, 13, 24}});
static_assert(ex::prod(x, ex::axis<1>, ex::where_(mask), ex::initial(2.0f)) == ex::array<float, 2>{6, 2});
static_assert(ex::mean(x, ex::where_(columns))() == 22.0f / 6 && is_nan(ex::mean(x, ex::axis<1>, ex::where_(mask))(1)));
static_assert(ex::min(x, ex::axis<0>, ex::initial(2.5f)) == ex::array<float, 4>{1, 2, 0, 2.5f});
static_assert(ex::max(ex::array<std::int32_t, 0>{}, ex::initial(-7))() == -7);
static_assert(ex::any(x > 5, ex::where_(columns), ex::axis<1>) == ex::array<bool, 2>{true, true} && !ex::any(x > 5, ex::where_(mask))());
static_assert(ex::all(x > 0, ex::where_(mask))() && !ex::all(x > 0, ex::axis<1>, ex::where_(columns))(1));

static_assert(ex::var(x, ex::axis<1>) == ex::array<float, 2>{3.5f, 8} && ex::var(x, ex::axis<1>, ex::ddof<1>)(1) == 32.0f / 3);
static_assert(ex::std(ex::array<std::int32_t, 4>{1, 1, 5, 5})() == 2 && ex::std(x, ex::axis<0>, ex::keepdims) == ex::array<float, 1, 4>{{1.5f, 1, 1.5f, 1}});
static_assert(is_nan(ex::var(ex::array<float, 1>{3}, ex::ddof<1>)()) && ex::var(x, ex::where_(mask))() == 1);
static_assert(ex::ptp(x, ex::axis<1>) == ex::array<float, 2>{5, 8} && ex::ptp(x)() == 8);
static_assert(ex::count_nonzero(x)() == 7 && ex::count_nonzero(x, ex::axis<1>) == ex::array<std::int32_t, 2>{4, 3});
static_assert(ex::average(x)() == 3.5f && ex::average(x, ex::axis<0>) == ex::array<float, 4>{2.5f, 3, 1.5f, 7});
static_assert(ex::average(x, ex::axis<1>, ex::weights(ex::array<float, 4>{1, 0, 1, 2})) == ex::array<float, 2>{4, 5});
static_assert(ex::average(three, ex::returned, ex::weights(ex::array<std::int32_t, 3>{3, 1, 0})) == std::tuple(ex::array<float>(1.25f), ex::array<float>(4)));
static_assert(ex::average(x, ex::returned, ex::axis<1>) == std::tuple(ex::array<float, 2>{3, 4}, ex::array<float, 2>{4, 4}));

static_assert(ex::nansum(holes, ex::axis<1>) == ex::array<float, 2>{4, 0} && ex::nanprod(holes, ex::axis<0>) == ex::array<float, 3>{1, 1, 3});
static_assert(ex::nanmax(holes, ex::axis<1>)(0) == 3 && is_nan(ex::nanmax(holes, ex::axis<1>)(1)) && ex::nanmin(holes)() == 1);
static_assert(ex::nanmean(holes)() == 2 && is_nan(ex::nanmean(holes, ex::axis<1>)(1)) && ex::nanmean(ex::array<std::int32_t, 2>{1, 2})() == 1.5f);
static_assert(ex::nanvar(holes)() == 1 && ex::nanvar(holes, ex::ddof<1>)() == 2 && ex::nanstd(holes)() == 1 && is_nan(ex::nanvar(holes, ex::axis<0>, ex::ddof<1>)(0)));
static_assert(ex::nansum(ex::array<std::int32_t, 2>{1, 2})() == 3);
// A start counts where all is NaN; complex numbers with a NaN are passed over as well.
static_assert(ex::nanmax(holes, ex::axis<1>, ex::initial(1)) == ex::array<float, 2>{3, 1} && ex::nanmin(holes, ex::axis<1>, ex::initial(9)) == ex::array<float, 2>{1, 9});
constexpr ex::array<std::complex<float>, 3> points{std::complex<float>(1, 1), std::complex<float>(nan, 5), std::complex<float>(3, -1)};
static_assert(ex::nansum(points)() == std::complex<float>(4, 0) && ex::nanmean(points)() == std::complex<float>(2, 0) && ex::nanvar(points)() == 2);

// A dtype: of the elements that are added, and of the sum.
constexpr ex::array<float, 2, 2> halves{{1.5f, -2.5f}, {0.75f, 0}};
static_assert(ex::sum(halves, ex::int32) == ex::array<std::int32_t>(-1) && ex::prod(halves, ex::axis<0>, ex::float64) == ex::array<double, 2>{1.125, 0});
static_assert(ex::sum(halves, ex::axis<1>, ex::bool_) == ex::array<bool, 2>{true, true} && ex::prod(halves, ex::axis<0>, ex::bool_) == ex::array<bool, 2>{true, false});
static_assert(ex::mean(ex::array<std::int32_t, 3>{1, 2, 5}, ex::keepdims, ex::int32) == ex::array<std::int32_t, 1>{2} && ex::mean(three, ex::where_(ex::array<bool, 3>{true, true, false}), ex::float64)() == 1.5);
static_assert(ex::sum(ex::array<std::int8_t, 2>{100, 100}, ex::dtype_<std::int8_t>)() == -56 && ex::nansum(with_nan, ex::float64) == ex::array<double>(4));
static_assert(ex::var(ex::array<std::int32_t, 2>{1, 2}, ex::float64) == ex::array<double>(0.25) && ex::std(three, ex::ddof<1>, ex::dtype_<std::complex<float>>)() == std::complex<float>(1));
// A mean that is known.
static_assert(ex::var(three, ex::mean_(ex::array<float, 1>{1}))() == 5.0f / 3 && ex::nanvar(with_nan, ex::mean_(1), ex::ddof<1>)() == 4);
// Weights of several axes, in the order in which these are given.
constexpr ex::array<float, 2, 2, 2> cube{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
static_assert(ex::average(cube, ex::axis<2, 0>, ex::weights(ex::array<float, 2, 2>{{1, 0}, {2, 1}})) == ex::array<float, 2>{2.75f, 4.75f});

// A mask and a start that are traced.
constexpr auto total = [](auto v, auto m, auto start) { return std::tuple(ex::sum(v, ex::where_(m), ex::initial(start)), ex::std(v), ex::nanmean(v)); };

}  // namespace

TEST_CASE("rows with masks") {
  ex::array<float, 3, 5> v{{1, 2, 3, 4, 5}, {2, 2, 2, 2, 2}, {0, 0, 0, 0, 10}};
  ex::array<bool, 3, 5> m{{true, true, false, false, true}, {false, false, false, false, false}, {true, true, true, true, true}};
  auto const [sums, deviations, means] = ex::jit(ex::vmap(total))(v, m, ex::array<float, 3>{0.5f, 1, -1});
  CHECK(sums == ex::array<float, 3>{8.5f, 1, 9});
  CHECK(deviations(0) == doctest::Approx(std::sqrt(2.0)));
  CHECK(deviations(1) == 0);
  CHECK(deviations(2) == 4);
  CHECK(means == ex::array<float, 3>{3, 2, 2});
}
