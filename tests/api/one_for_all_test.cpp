// SPDX-License-Identifier: BSL-1.0
// What stands for several: one entry of in_axes for all arguments, and none for a cotangent of zeros.
#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

template <int... D>
using floats = ex::array<float, D...>;

constexpr auto combined = [](auto const& x, auto const& y) { return ex::sum(x) - ex::sum(y); };
constexpr floats<2, 3> a{{1, 2, 3}, {4, 5, 6}};
static_assert(ex::vmap(combined, ex::in_axes<1>)(a, floats<1, 3>{{1, 2, 3}}) == floats<3>{4, 5, 6});
static_assert(ex::vmap(combined, ex::in_axes<-1>, ex::out_axes<0>)(a, a) == floats<3>{});
static_assert(ex::vmap(combined, ex::in_axes<ex::none>, ex::axis_size<2>)(a, floats<2>{1, 2}) == floats<2>{18, 18});

// JAX's clip_gradient: the bounds have no cotangents.
constexpr auto clip_gradient = ex::custom_vjp([](auto const&, auto const&, auto const& x) { return x; })
                                   .defvjp([](auto lo, auto hi, auto x) { return ex::tuple(x, ex::tuple(lo, hi)); },
                                           [](auto bounds, auto g) {
                                             auto const [lo, hi] = bounds;
                                             return ex::tuple(ex::none, ex::none, ex::clip(g, lo, hi));
                                           });
constexpr auto loss = [](auto lo, auto x) { return ex::sum(4 * clip_gradient(lo, 0.75f, x)); };
static_assert(ex::grad(loss, ex::argnums<1>)(floats<2>{-1, -1}, floats<2>{1, 2}) == floats<2>{0.75f, 0.75f});
static_assert(ex::grad(loss)(floats<2>{-1, -1}, floats<2>{1, 2}) == floats<2>{0, 0});
static_assert(ex::jit(ex::vmap(ex::grad(loss, ex::argnums<1>), ex::in_axes<0, 0>))(floats<2>{-1, -1}, floats<2>{1, 2}) ==
              floats<2>{0.75f, 0.75f});

}  // namespace

TEST_CASE("one for all") { CHECK(ex::vmap(combined, ex::in_axes<1>)(a, a)(2) == 0); }
