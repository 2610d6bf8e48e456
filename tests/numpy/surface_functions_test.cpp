// SPDX-License-Identifier: BSL-1.0
// Grids, polynomials, products, choices, interpolation and windows (expected values from NumPy's documentation and by hand).
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

using i32 = std::int32_t;

static_assert(ex::meshgrid(ex::array<i32,2>{1,2}, ex::array<i32,3>{3,4,5}) ==
              std::tuple(ex::array<i32,3,2>{1,2,1,2,1,2}, ex::array<i32,3,2>{3,3,4,4,5,5}));
static_assert(ex::meshgrid(std::tuple(ex::array<i32,2>{1,2}, ex::array<i32,3>{3,4,5}), ex::indexing_ij, ex::sparse) ==
              std::tuple(ex::array<i32,2,1>{1,2}, ex::array<i32,1,3>{3,4,5}));
static_assert(ex::jit([](auto){return std::tuple(ex::indices<2,3>(), ex::indices<2,3>(ex::sparse), ex::fromfunction<i32,2,3>([](auto i,auto j){return i*10+j;}),
  ex::asarray(std::tuple(std::tuple(1,2), std::tuple(3,4))));})(1) ==
  std::tuple(ex::array<i32,2,2,3>{0,0,0,1,1,1,0,1,2,0,1,2}, std::tuple(ex::array<i32,2,1>{0,1}, ex::array<i32,1,3>{0,1,2}), ex::array<i32,2,3>{0,1,2,10,11,12}, ex::array<i32,2,2>{1,2,3,4}));
static_assert(ex::vander<3>(ex::array<i32,3>{1,2,3}) == ex::array<i32,3,3>{1,1,1,4,2,1,9,3,1});
static_assert(ex::vander(ex::array<float,2>{3,2}, ex::increasing) == ex::array<float,2,2>{1,3,1,2});
static_assert(ex::allclose(ex::jit([](auto){return ex::logspace<3>(0,2);})(1), ex::array<float,3>{1,10,100}));
static_assert(ex::allclose(ex::jit([](auto){return ex::geomspace<4>(1,1000);})(1), ex::array<float,4>{1,10,100,1000}));
static_assert(ex::polyval(ex::array<i32,3>{3,0,1}, 5) == ex::array<i32>(76));
static_assert(ex::polyval(ex::array<float,3>{3,0,1}, ex::array<float,2>{5,1}) == ex::array<float,2>{76,4});
static_assert(ex::polyadd(ex::array<i32,2>{1,2}, ex::array<i32,3>{9,5,4}) == ex::array<i32,3>{9,6,6});
static_assert(ex::polysub(ex::array<i32,2>{2,10}, ex::array<i32,3>{10,2,-4}) == ex::array<i32,3>{-10,0,14});
static_assert(ex::polymul(ex::array<float,3>{1,2,3}, ex::array<float,3>{9,5,1}) == ex::array<float,5>{9,23,38,17,3});
static_assert(ex::polyder(ex::array<i32,4>{1,1,1,1}) == ex::array<float,3>{3,2,1});
static_assert(ex::polyder<2>(ex::array<i32,4>{1,1,1,1}) == ex::array<float,2>{6,2});
static_assert(ex::allclose(ex::polyint(ex::array<i32,3>{1,1,1}), ex::array<float,4>{1/3.f,0.5f,1,0}));
static_assert(ex::allclose(ex::polyint<3>(ex::array<i32,3>{1,1,1}, ex::array<i32,3>{6,5,3}), ex::array<float,6>{0.01666667f,0.04166667f,0.16666667f,3,5,3}));
static_assert(ex::cross(ex::array<i32,3>{1,2,3}, ex::array<i32,3>{4,5,6}) == ex::array<i32,3>{-3,6,-3});
static_assert(ex::cross(ex::array<i32,2>{1,2}, ex::array<i32,3>{4,5,6}) == ex::array<i32,3>{12,-6,-3});
static_assert(ex::cross(ex::array<i32,3>{1,2,3}, ex::array<i32,2>{4,5}) == ex::array<i32,3>{-15,12,-3});
static_assert(ex::cross(ex::array<i32,2>{1,2}, ex::array<i32,2>{4,5}) == ex::array<i32>(-3));
static_assert(ex::kron(ex::array<i32,2,2>{1,0,0,1}, ex::array<i32,2,2>{1,2,3,4}) ==
              ex::array<i32,4,4>{{1,2,0,0},{3,4,0,0},{0,0,1,2},{0,0,3,4}});
static_assert(ex::kron(ex::array<i32,2>{1,10}, ex::array<i32,3>{5,6,7}) == ex::array<i32,6>{5,6,7,50,60,70});
static_assert(ex::correlate(ex::array<i32,3>{1,2,3}, ex::array<float,3>{0,1,0.5f}) == ex::array<float,1>{3.5f});
static_assert(ex::correlate(ex::array<i32,3>{1,2,3}, ex::array<float,3>{0,1,0.5f}, ex::mode_full) == ex::array<float,5>{0.5f,2,3.5f,3,0});
static_assert(ex::correlate(ex::array<i32,3>{1,2,3}, ex::array<float,3>{0,1,0.5f}, ex::mode_same) == ex::array<float,3>{2,3.5f,3});
static_assert(ex::vecdot(ex::array<i32,2,2>{1,2,3,4}, ex::array<i32,2>{5,6}) == ex::array<i32,2>{17,39});
static_assert(ex::matvec(ex::array<i32,2,2>{1,2,3,4}, ex::array<i32,2>{5,6}) == ex::array<i32,2>{17,39});
static_assert(ex::vecmat(ex::array<i32,2>{5,6}, ex::array<i32,2,2>{1,2,3,4}) == ex::array<i32,2>{23,34});
static_assert(ex::array_equiv(ex::array<i32,2,2>{1,2,1,2}, ex::array<i32,2>{1,2}) == ex::array<bool>(true));
constexpr ex::array<i32,6> w{0,1,2,3,4,5};
static_assert(ex::jit([](auto x){return ex::select(ex::tuple(x < 3, x > 3), ex::tuple(x, x*x), 42);})(w) ==
              ex::array<i32,6>{0,1,2,42,16,25});
static_assert(ex::jit([](auto x){return ex::piecewise(x, ex::tuple(x < 0, x >= 0), ex::tuple([](auto v){return -v;}, [](auto v){return v*2;}));})(ex::array<float,4>{-2,-1,0,3}) ==
              ex::array<float,4>{2,1,0,6});
static_assert(ex::jit([](auto x){return ex::piecewise(x, ex::tuple(x < 1, x < -1), ex::tuple(5, 7, [](auto v){return v+0.5f;}));})(ex::array<float,4>{-2,-1,0,3}) ==
              ex::array<float,4>{7,5,5,3.5f});
constexpr ex::array<i32,2,3> m{1,2,3,4,5,6};
constexpr auto ends=[](auto v){return v(0)+v(-1);};
static_assert(ex::apply_along_axis(ends, ex::axis<0>, m) == ex::array<i32,3>{5,7,9});
static_assert(ex::apply_along_axis(ends, ex::axis<1>, m) == ex::array<i32,2>{4,10});
static_assert(ex::apply_along_axis([](auto v){return ex::flip(v);}, ex::axis<0>, m) == ex::array<i32,2,3>{4,5,6,1,2,3});
static_assert(ex::apply_over_axes([](auto x, auto a){return ex::sum(x,a);}, m, ex::axis<0,1>) == ex::array<i32,1,1>{21});
constexpr ex::array<float,4> x{-1,0.5f,1.5f,9};
constexpr ex::array<float,3> xp{0,1,2}, fp{10,20,40};
static_assert(ex::interp(x,xp,fp) == ex::array<float,4>{10,15,30,40});
static_assert(ex::interp(x,xp,fp,-1,99) == ex::array<float,4>{-1,15,30,99});
static_assert(ex::interp(x,xp,fp,ex::extrapolate,ex::extrapolate) == ex::array<float,4>{0,15,30,180});
static_assert(ex::interp(0.5f,xp,fp) == ex::array<float>(15));
// NumPy's example of a period: points at 190, -190, 350, -350 degrees.
static_assert(ex::interp(ex::array<float, 8>{-180, -170, -185, 185, -10, -5, 0, 365}, ex::array<float, 4>{190, -190, 350, -350},
                         ex::array<float, 4>{5, 10, 3, 4}, ex::none, ex::none, 360) == ex::array<float, 8>{7.5f, 5, 8.75f, 6.25f, 3, 3.25f, 3.5f, 3.75f});
static_assert(ex::allclose(ex::unwrap(ex::array<float,5>{0,0.78539816f,1.57079633f,5.49778714f,6.28318531f}), ex::array<float,5>{0,0.78539816f,1.57079633f,-0.78539816f,0}, 1e-5f, 1e-6f));
static_assert(ex::unwrap(ex::array<i32,6>{1,2,3,4,5,6}, ex::axis<-1>, 4) == ex::array<i32,6>{1,2,3,4,5,6});
static_assert(ex::unwrap(ex::array<i32,6>{2,3,4,1,2,3}, ex::axis<0>, 4) == ex::array<i32,6>{2,3,4,5,6,7});

// At run time.
constexpr auto functions = [](auto x, auto xp, auto fp) {
  return std::tuple(ex::interp(x, xp, fp), ex::polyval(fp, x), ex::kron(x, xp), ex::cross(xp, fp), ex::unwrap(fp));
};
constexpr auto values = ex::jit(functions)(x, xp, fp);

}  // namespace

TEST_CASE("functions at run time") { CHECK(ex::jit(functions)(x, xp, fp) == values); }
