// SPDX-License-Identifier: BSL-1.0
// diff, ediff1d, gradient, trapezoid, nancumsum, cov, corrcoef. Values: NumPy's and JAX's documentation.
#include <cstdint>
#include <limits>
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
template <int... D>
using ints = ex::array<std::int32_t, D...>;
template <int... D>
using floats = ex::array<float, D...>;

// jax.numpy.diff's documentation
constexpr ints<2, 4> a{{1, 5, 2, 9}, {3, 8, 7, 4}};
static_assert(ex::diff(a) == ints<2, 3>{{4, -3, 7}, {5, -1, -3}} && ex::diff<2>(a) == ints<2, 2>{{-7, 10}, {-6, -2}} && ex::diff<0>(a) == a);
static_assert(ex::diff(a, ex::axis<0>) == ints<1, 4>{{2, 3, 5, -5}} && ex::diff(ints<1>{3}).size() == 0 && ex::diff<3>(ints<2>{1, 2}).size() == 0);
static_assert(ex::diff(ex::array<bool, 3>{true, true, false}) == ex::array<bool, 2>{false, true} && ex::ediff1d(a) == ints<7>{4, -3, 7, -6, 5, -1, -3});
// numpy.gradient's documentation
constexpr floats<6> f{1, 2, 4, 7, 11, 16};
static_assert(ex::gradient(f) == floats<6>{1, 1.5f, 2.5f, 3.5f, 4.5f, 5} && ex::gradient(f, 2) == floats<6>{0.5f, 0.75f, 1.25f, 1.75f, 2.25f, 2.5f});
constexpr auto uneven = ex::gradient(f, floats<6>{0, 1, 1.5f, 3.5f, 4, 6});
constexpr bool near(float x, float y) { return x - y < 1e-5f && y - x < 1e-5f; }
static_assert(near(uneven(0), 1) && near(uneven(1), 3) && near(uneven(2), 3.5f) && near(uneven(3), 6.7f) && near(uneven(4), 6.9f) && near(uneven(5), 2.5f));
static_assert(ex::gradient(floats<2, 3>{{1, 2, 6}, {3, 4, 5}}) == std::tuple(floats<2, 3>{{2, 2, -1}, {2, 2, -1}}, floats<2, 3>{{1, 2.5f, 4}, {1, 1, 1}}));
static_assert(ex::gradient(floats<2, 3>{{1, 2, 6}, {3, 4, 5}}, ex::axis<-1>) == floats<2, 3>{{1, 2.5f, 4}, {1, 1, 1}});
// jax.numpy.trapezoid's documentation
static_assert(ex::trapezoid(ints<7>{1, 2, 3, 2, 3, 2, 1})() == 13 && ex::trapezoid(ints<7>{1, 2, 3, 2, 3, 2, 1}, ints<7>{0, 2, 5, 7, 10, 15, 20})() == 43);
static_assert(ex::trapezoid(floats<2, 3>{{0, 1, 2}, {3, 4, 5}}, 2, ex::axis<0>) == floats<3>{3, 5, 7});
static_assert(ex::nancumsum(floats<4>{1, nan, 2, nan}) == floats<4>{1, 1, 3, 3} && ex::nancumprod(floats<2, 2>{{2, nan}, {nan, 3}}, ex::axis<0>) == floats<2, 2>{{2, 1}, {2, 3}});
// jax.numpy.cov's and corrcoef's documentation
static_assert(ex::cov(ints<2, 3>{{0, 1, 2}, {0, 1, 2}}) == floats<2, 2>{{1, 1}, {1, 1}} && ex::cov(ints<3>{-1, 0, 1}, ints<3>{1, 0, -1}) == floats<2, 2>{{1, -1}, {-1, 1}});
static_assert(ex::cov(floats<4>{1, 2, 3, 6}, ex::ddof<0>)() == 3.5f && ex::corrcoef(ints<2, 3>{{-1, 0, 1}, {1, 0, -1}}) == floats<2, 2>{{1, -1}, {-1, 1}});
static_assert(ex::corrcoef(floats<3>{1, 2, 4})() == 1);

}  // namespace

TEST_CASE("slopes of a traced function's rows") {
  auto const rows = ex::jit(ex::vmap([](auto y, auto h) { return std::tuple(ex::gradient(y, h), ex::trapezoid(y, h), ex::diff(y)); }));
  auto const [slope, area, steps] = rows(floats<2, 4>{{0, 1, 4, 9}, {1, 1, 1, 1}}, floats<2>{1, 0.5f});
  CHECK(slope == floats<2, 4>{{1, 2, 4, 5}, {0, 0, 0, 0}});
  CHECK(area == floats<2>{9.5f, 1.5f});
  CHECK(steps == floats<2, 3>{{1, 3, 5}, {0, 0, 0}});
}
