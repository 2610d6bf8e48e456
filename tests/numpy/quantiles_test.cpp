// SPDX-License-Identifier: BSL-1.0
// median, quantile, percentile, their forms without NaN, partition and argpartition. Values: NumPy's and JAX's documentation.
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr bool is_nan(float v) { return v != v; }
// jax.numpy.median's documentation
constexpr ex::array<std::int32_t, 3, 4> x{{2, 4, 7, 1}, {3, 5, 9, 2}, {6, 1, 8, 3}};
static_assert(ex::median(x)() == 3.5f && ex::median(x, ex::axis<1>) == ex::array<float, 3>{3, 4, 4.5f});
static_assert(ex::median(x, ex::axis<1>, ex::keepdims) == ex::array<float, 3, 1>{{3}, {4}, {4.5f}} && ex::median(x, ex::axis<0>) == ex::array<float, 4>{3, 4, 8, 2});
// jax.numpy.quantile's documentation
constexpr ex::array<float, 5> five{1, 2, 3, 4, 5};
static_assert(ex::quantile(five, ex::array<float, 3>{0.25f, 0.5f, 0.75f}) == ex::array<float, 3>{2, 3, 4});
static_assert(ex::quantile(five, 0.3f, ex::method_lower)() == 2 && ex::quantile(five, 0.3f, ex::method_higher)() == 3);
static_assert(ex::quantile(five, 0.3f, ex::method_midpoint)() == 2.5f && ex::quantile(five, 0.3f, ex::method_nearest)() == 2 && ex::quantile(five, 0.375f)() == 2.5f);
static_assert(ex::percentile(five, 75)() == 4 && ex::percentile(five, ex::array<std::int32_t, 2>{0, 100}) == ex::array<float, 2>{1, 5});
constexpr ex::array<float, 2, 3, 2> cube{{{1, 5}, {2, 4}, {3, 3}}, {{6, 0}, {4, 1}, {9, 2}}};
static_assert(ex::quantile(cube, ex::array<float, 2>{0, 1}, ex::axis<0, 2>) == ex::array<float, 2, 3>{{0, 1, 2}, {6, 4, 9}});
static_assert(ex::quantile(cube, 0.5f, ex::axis<1>, ex::keepdims) == ex::array<float, 2, 1, 2>{{{2, 4}}, {{6, 1}}});
static_assert(ex::quantile(cube, ex::array<float, 1>{0.5f}, ex::axis<1>, ex::keepdims) == ex::array<float, 1, 2, 1, 2>{{{{2, 4}}, {{6, 1}}}});
static_assert(ex::median(ex::array<double, 1>{7})() == 7 && ex::median(ex::array<float>(2))() == 2);
// A NaN makes its row NaN; jax.numpy.nanmedian's documentation
constexpr ex::array<float, 3, 4> holes{{2, nan, 7, nan}, {nan, 5, 9, 2}, {6, 1, nan, 3}};
static_assert(is_nan(ex::median(holes)()) && is_nan(ex::quantile(holes, 0.0f, ex::axis<0>)(0)) && !is_nan(ex::quantile(five, 1.0f)()));
static_assert(ex::nanmedian(holes)() == 4 && ex::nanmedian(holes, ex::axis<1>, ex::keepdims) == ex::array<float, 3, 1>{{4.5f}, {5}, {3}});
static_assert(ex::nanquantile(holes, ex::array<float, 2>{0, 1}, ex::axis<1>) == ex::array<float, 2, 3>{{2, 2, 1}, {7, 9, 6}});
static_assert(ex::nanpercentile(holes, 50, ex::axis<1>) == ex::array<float, 3>{4.5f, 5, 3} && is_nan(ex::nanmedian(ex::array<float, 2>{nan, nan})()));
// jax.numpy.partition's and argpartition's documentation
constexpr ex::array<std::int32_t, 10> ten{6, 8, 4, 3, 1, 9, 7, 5, 2, 3};
static_assert(ex::partition<4>(ten) == ex::array<std::int32_t, 10>{1, 2, 3, 3, 4, 9, 8, 7, 6, 5});
static_assert(ex::argpartition<4>(ten) == ex::array<std::int32_t, 10>{4, 8, 3, 9, 2, 0, 1, 5, 6, 7});
static_assert(ex::partition<0>(ex::array<std::uint8_t, 3, 2>{{3, 1}, {0, 255}, {7, 0}}, ex::axis<0>) == ex::array<std::uint8_t, 3, 2>{{0, 0}, {7, 255}, {3, 1}});
static_assert(ex::argpartition<-1>(ex::array<float, 2, 3>{{3, 1, 2}, {1, 2, 3}}) == ex::array<std::int32_t, 2, 3>{{1, 2, 0}, {0, 1, 2}});

constexpr auto middle = [](auto v, auto q) { return ex::quantile(v, q, ex::axis<0>); };

}  // namespace

TEST_CASE("quantiles that are traced, for rows of a batch") {
  ex::array<float, 2, 9> v{{9, 1, 8, 2, 7, 3, 6, 4, 5}, {0, 0, 0, 0, 4, 4, 4, 4, 8}};
  auto const r = ex::jit(ex::vmap(middle))(v, ex::array<float, 2>{0.25f, 0.4375f});
  CHECK(r == ex::array<float, 2>{3, 2});
}

TEST_CASE("weighted") {
  ex::array<float, 5> shares{1, 1, 1, 1, 4};
  CHECK(ex::quantile(five, ex::array<float, 3>{0.25f, 0.5f, 0.75f}, ex::method_inverted_cdf, ex::weights(shares)) == ex::array<float, 3>{2, 4, 5});
  // one weight for each element of the axis
  CHECK(ex::quantile(cube, 0.5f, ex::axis<1>, ex::method_inverted_cdf, ex::weights(ex::array<std::int32_t, 3>{5, 1, 1})) == ex::array<float, 2, 2>{{1, 5}, {6, 0}});
  float const hole = std::numeric_limits<float>::quiet_NaN();
  ex::array<float, 2, 3> with_holes{{hole, 3, 1}, {hole, hole, hole}};
  auto const some = ex::nanquantile(with_holes, 0.5f, ex::axis<1>, ex::keepdims, ex::method_inverted_cdf);
  CHECK(some(0, 0) == 1);
  CHECK(is_nan(some(1, 0)));
}
