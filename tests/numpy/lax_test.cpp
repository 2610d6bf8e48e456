// SPDX-License-Identifier: BSL-1.0
// jax.lax's functions that differ from jax.numpy's; windows.
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

using i32 = std::int32_t;

constexpr auto near=[](auto const& a, auto const& b){ return static_cast<bool>(ex::allclose(a,b,2e-6f,1e-7f)() ); };
constexpr auto windows=ex::jit([](auto b){return ex::tuple(ex::hanning<5>(), ex::hamming<4>(), ex::blackman<5>(), ex::bartlett<5>(), ex::kaiser<5>(b), ex::hanning<1>());})(3.0f);
static_assert(near(ex::get<0>(windows), ex::array<float,5>{0,0.5f,1,0.5f,0}));
static_assert(near(ex::get<1>(windows), ex::array<float,4>{0.08f,0.77f,0.77f,0.08f}));
static_assert(near(ex::get<2>(windows), ex::array<float,5>{0,0.34f,1,0.34f,0}));
static_assert(near(ex::get<3>(windows), ex::array<float,5>{0,0.5f,1,0.5f,0}));
// I0(3) = 4.880792585865024, I0(3 sqrt(3)/2) = 3.3078...
static_assert(near(ex::i0(ex::array<double,4>{0,1,3,50}), ex::array<double,4>{1,1.2660658777520084,4.880792585865024,2.93255378384933e20}));
constexpr ex::array<i32,4> a{7,-7,7,-7}, b{2,2,-2,-2};
static_assert(ex::lax::div(a,b)==ex::array<i32,4>{3,-3,-3,3});
static_assert(ex::lax::rem(a,b)==ex::array<i32,4>{1,-1,1,-1});
static_assert(ex::lax::pad<1,2,0>(ex::array<float,2>{1,2}, 9.0f)==ex::array<float,5>{9,1,2,9,9});
static_assert(ex::lax::pad<-1,1,0>(ex::array<float,2>{1,2}, 0.0f)==ex::array<float,2>{2,0});
static_assert(ex::lax::pad<0,0,1>(ex::array<float,2>{1,2}, 0.0f)==ex::array<float,3>{1,0,2});
static_assert(ex::lax::clamp(0,a,5)==ex::array<i32,4>{5,0,5,0});
static_assert(ex::lax::broadcast<2>(ex::array<i32,2>{1,2})==ex::array<i32,2,2>{1,2,1,2});
static_assert(ex::lax::broadcast_in_dim<2,2>(ex::array<i32,2>{1,2},ex::axis<0>)==ex::array<i32,2,2>{1,1,2,2});
constexpr ex::array<i32,2,3> m{1,2,3,4,5,6};
static_assert(ex::lax::reshape<6>(m,ex::axis<1,0>)==ex::array<i32,6>{1,4,2,5,3,6});
static_assert(ex::lax::collapse<0,2>(m)==ex::array<i32,6>{1,2,3,4,5,6});
static_assert(ex::lax::slice(m,ex::axis<0,0>,ex::axis<2,3>,ex::axis<1,2>)==ex::array<i32,2,2>{1,3,4,6});
static_assert(ex::dot_general<double>(m,m,ex::contracting<ex::axis<1>,ex::axis<1>>)==ex::array<double,2,2>{14,32,32,77});
static_assert(ex::lax::dot_general(m,m,ex::contracting<ex::axis<1>,ex::axis<1>>,ex::batching<ex::axis<0>,ex::axis<0>>)==ex::array<i32,2>{14,77});
constexpr auto together = [](auto a, auto b, auto m) {
  return std::tuple(ex::lax::div(a, b), ex::lax::rem(a, b), ex::lax::clamp(0, a, 5), ex::lax::reshape<6>(m, ex::axis<1, 0>));
};

}  // namespace

TEST_CASE("lax at run time") { CHECK(ex::jit(together)(a, b, m) == ex::tuple(ex::lax::div(a, b), ex::lax::rem(a, b), ex::lax::clamp(0, a, 5), ex::lax::reshape<6>(m, ex::axis<1, 0>))); }
