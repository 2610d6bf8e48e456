// SPDX-License-Identifier: BSL-1.0
// Triangles, rolled, split, stacked and padded arrays (expected values from NumPy's documentation and by hand).
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

using i32 = std::int32_t;

constexpr ex::array<std::int32_t,3,3> x{{1,2,3},{4,5,6},{7,8,9}};
static_assert(ex::tril(x) == ex::array<std::int32_t,3,3>{{1,0,0},{4,5,0},{7,8,9}});
static_assert(ex::triu<1>(x) == ex::array<std::int32_t,3,3>{{0,2,3},{0,0,6},{0,0,0}});
static_assert(ex::diagonal<-1>(x) == ex::array<std::int32_t,2>{4,8});
static_assert(ex::trace(x) == ex::array<std::int32_t>(15));
static_assert(ex::diag<1>(ex::array<float,2>{1,2}) == ex::array<float,3,3>{{0,1,0},{0,0,2},{0,0,0}});
static_assert(ex::roll<1>(x) == ex::array<std::int32_t,3,3>{{9,1,2},{3,4,5},{6,7,8}});
static_assert(ex::roll<1,-1>(x,ex::axis<0,1>) == ex::array<std::int32_t,3,3>{{8,9,7},{2,3,1},{5,6,4}});
static_assert(ex::roll(x,-1,ex::axis<1>) == ex::array<std::int32_t,3,3>{{2,3,1},{5,6,4},{8,9,7}});
static_assert(ex::rot90(x) == ex::array<std::int32_t,3,3>{{3,6,9},{2,5,8},{1,4,7}});
static_assert(ex::tile<2,1>(ex::array<std::int32_t,2>{1,2}) == ex::array<std::int32_t,2,2>{{1,2},{1,2}});
static_assert(ex::resize<2,2>(ex::array<std::int32_t,3>{1,2,3}) == ex::array<std::int32_t,2,2>{{1,2},{3,1}});
constexpr ex::array<i32,5> v{1,2,3,4,5};
static_assert(ex::split<3>(x,ex::axis<1>) == std::tuple(ex::array<i32,3,1>{1,4,7},ex::array<i32,3,1>{2,5,8},ex::array<i32,3,1>{3,6,9}));
static_assert(ex::array_split<3>(v) == std::tuple(ex::array<i32,2>{1,2},ex::array<i32,2>{3,4},ex::array<i32,1>{5}));
static_assert(ex::split(v, ex::split_at<1,-2>) == std::tuple(ex::array<i32,1>{1},ex::array<i32,2>{2,3},ex::array<i32,2>{4,5}));
static_assert(ex::column_stack(v, v) == ex::array<i32,5,2>{1,1,2,2,3,3,4,4,5,5});
static_assert(ex::dstack(ex::array<i32,2>{1,2}, ex::array<i32,2>{3,4}) == ex::array<i32,1,2,2>{1,3,2,4});
static_assert(ex::block(ex::tuple(ex::tuple(ex::array<i32,1,1>{1}, ex::array<i32,1,2>{2,3}), ex::tuple(ex::array<i32,1,2>{4,5}, ex::array<i32,1,1>{6}))) ==
              ex::array<i32,2,3>{1,2,3,4,5,6});
static_assert(ex::delete_<0,-1>(v) == ex::array<i32,3>{2,3,4});
static_assert(ex::delete_<1>(x, ex::axis<1>) == ex::array<i32,3,2>{1,3,4,6,7,9});
static_assert(ex::insert<1>(v, 9) == ex::array<i32,6>{1,9,2,3,4,5});
static_assert(ex::insert<1>(ex::array<i32,2,2>{1,2,3,4}, ex::array<i32,2,2>{5,6,7,8}, ex::axis<1>) == ex::array<i32,2,4>{1,5,7,2,3,6,8,4});
static_assert(ex::pad<2,3>(ex::array<i32,3>{1,2,3}, ex::pad_mode<ex::pad_with::reflect>) == ex::array<i32,8>{3,2,1,2,3,2,1,2});
static_assert(ex::pad<4>(ex::array<i32,2>{1,2}, ex::pad_mode<ex::pad_with::symmetric>) == ex::array<i32,10>{1,2,2,1,1,2,2,1,1,2});
static_assert(ex::pad<4>(ex::array<i32,3>{1,2,3}, ex::pad_mode<ex::pad_with::wrap>) == ex::array<i32,11>{3,1,2,3,1,2,3,1,2,3,1});
static_assert(ex::pad<2>(ex::array<float,2>{2,4}, ex::pad_mode<ex::pad_with::linear_ramp>) == ex::array<float,6>{0,1,2,4,2,0});
static_assert(ex::pad<1>(ex::array<i32,3>{1,2,6}, ex::pad_mode<ex::pad_with::mean>) == ex::array<i32,5>{3,1,2,6,3});
static_assert(ex::pad<1,0,0,1>(ex::array<i32,2,2>{1,2,3,4}, ex::pad_mode<ex::pad_with::maximum>) == ex::array<i32,3,3>{3,4,4,1,2,2,3,4,4});
static_assert(ex::pad<1>(ex::array<i32,2>{1,2}, ex::pad_mode<ex::pad_with::edge>) == ex::array<i32,4>{1,1,2,2});
static_assert(ex::broadcast_arrays(ex::array<i32,2>{1,2}, 3) == std::tuple(ex::array<i32,2>{1,2}, ex::array<i32,2>{3,3}));
static_assert(ex::atleast_3d(ex::array<i32,2>{1,2}) == ex::array<i32,1,2,1>{1,2});

// The same at run time: slices, concatenations and reversals in kernels.
constexpr auto moved = [](auto x) {
  return std::tuple(ex::tril(x), ex::roll<1, -1>(x, ex::axis<0, 1>), ex::rot90(x), ex::tile<2, 1>(x), ex::pad<1>(x, ex::pad_mode<ex::pad_with::reflect>),
                    ex::diagonal<-1>(x), ex::trace(x), ex::delete_<1>(x, ex::axis<1>));
};
constexpr auto moved_values = ex::jit(moved)(x);

}  // namespace

static_assert(ex::make_jaxpr([](auto x) { return ex::split(x, ex::split_at<2>, ex::axis<1>); })(ex::f32<3, 5>) == R"({ lambda ; a:f32[3,5]. let
    b:f32[3,2] c:f32[3,3] = split[axis=1 sizes=(2, 3)] a
  in (b, c) })");
static_assert(ex::make_jaxpr([](auto x) { return ex::copy(ex::stop_gradient(x)); })(ex::f32<3>) ==
              "{ lambda ; a:f32[3]. let b:f32[3] = stop_gradient a; c:f32[3] = copy b in (c,) }");

TEST_CASE("shapes at run time") { CHECK(ex::jit(moved)(x) == moved_values); }
TEST_CASE("rolled by a traced number") {
  for (int shift : {-7, -1, 0, 2, 4}) CHECK(ex::roll(v, shift) == ex::jit([](auto a, auto s) { return ex::roll(a, s); })(v, shift));
  CHECK(ex::roll(v, 2) == ex::array<i32, 5>{4, 5, 1, 2, 3});
  CHECK(ex::roll(v, -6) == ex::array<i32, 5>{2, 3, 4, 5, 1});
}
