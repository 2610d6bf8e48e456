// SPDX-License-Identifier: BSL-1.0
// Functions of the library are values: arguments of jit, vmap, cond, switch_, scans and grad. Those with the names of <cmath> are found by
// unqualified calls too.
#include <cmath>
#include <type_traits>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace {

namespace ex = exprax;
template <int... D>
using ints = ex::array<int, D...>;
template <int... D>
using floats = ex::array<float, D...>;

static_assert(std::is_empty_v<decltype(ex::sin)> && std::is_trivially_copyable_v<decltype(ex::dot)>);

static_assert(ex::make_jaxpr(ex::tanh)(ex::f32<3>) == "{ lambda ; a:f32[3]. let b:f32[3] = tanh a in (b,) }");
static_assert(ex::make_jaxpr(ex::jit(ex::tanh))(ex::f32<3>) ==
              "{ lambda ; a:f32[3]. let\n"
              "    b:f32[3] = jit[\n"
              "      name=tanh\n"
              "      jaxpr={ lambda ; a:f32[3]. let b:f32[3] = tanh a in (b,) }\n"
              "    ] a\n"
              "  in (b,) }");
static_assert(ex::make_jaxpr([](auto p, auto x) { return ex::cond(p, ex::sin, ex::cos, x); })(ex::b1<>, ex::f32<>) ==
              ex::make_jaxpr([](auto p, auto x) {
                return ex::cond(p, [](auto y) { return ex::sin(y); }, [](auto y) { return ex::cos(y); }, x);
              })(ex::b1<>, ex::f32<>));

// Only calls of functions of the library and of the user have names of their own.
struct my_function {
  constexpr auto operator()(auto x) const { return x; }
};
static_assert(ex::detail::function_name<my_function> == "my_function");

// Code for numbers, arrays and traced values.
constexpr auto smooth = [](auto x) {
  using std::exp, std::hypot, std::pow, std::sqrt, std::tanh;
  return hypot(tanh(x), sqrt(exp(x))) + pow(x, 2.0f);
};
static_assert(ex::make_jaxpr(smooth)(ex::f32<3>) == ex::make_jaxpr([](auto x) {
                return ex::hypot(ex::tanh(x), ex::sqrt(ex::exp(x))) + ex::pow(x, 2.0f);
              })(ex::f32<3>));

}  // namespace

TEST_CASE("functions are values: transformations") {
  ints<2, 3> const w{{1, 2, 3}, {4, 5, 6}};
  ints<2, 3> const x{{1, 0, 1}, {2, 1, 0}};
  CHECK(ex::vmap(ex::dot, ex::in_axes<ex::none, 0>)(w, x) == ints<2, 2>{{4, 10}, {4, 13}});
  CHECK(ex::vmap(ex::maximum)(w, x) == w);
  CHECK(ex::jit(ex::add)(w, x) == ints<2, 3>{{2, 2, 4}, {6, 6, 6}});
  CHECK(ex::map(ex::abs, ints<2>{-3, 2}) == ints<2>{3, 2});
  CHECK(ex::vectorize(ex::subtract)(w, ints<3>{1, 1, 1}) == ints<2, 3>{{0, 1, 2}, {3, 4, 5}});
  CHECK(ex::grad(ex::square)(3.0f)() == 6);
  CHECK(ex::grad(ex::exp)(0.0f)() == 1);
}
TEST_CASE("functions are values: control flow") {
  floats<> const x(0.5f);
  CHECK(ex::cond(ex::array<bool>(true), ex::negative, ex::square, x)() == -0.5f);
  CHECK(ex::cond(ex::array<bool>(false), ex::negative, ex::square, x)() == 0.25f);
  CHECK(ex::switch_(ints<>(1), ex::branches(ex::lax::add, ex::lax::mul), x, x)() == 0.25f);
  CHECK(ex::associative_scan(ex::add, ints<4>{1, 2, 3, 4}) == ints<4>{1, 3, 6, 10});
  CHECK(ex::associative_scan(ex::lax::max, ints<4>{1, 5, 3, 7}) == ints<4>{1, 5, 5, 7});
  CHECK(ex::while_loop(ex::isfinite, ex::square, floats<>(2))() == INFINITY);
}
TEST_CASE("functions are values: unqualified calls") {
  CHECK(smooth(0.0f) == 1);
  CHECK(ex::jit(smooth)(floats<2>{0, 0}) == floats<2>{1, 1});
  CHECK(smooth(floats<2>{0, 0}) == floats<2>{1, 1});
}
