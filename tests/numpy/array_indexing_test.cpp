// SPDX-License-Identifier: BSL-1.0
// The indexing grammar on arrays outside of a trace.
#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

template <int... D>
using ints = ex::array<std::int32_t, D...>;
constexpr ints<3, 3> s{1, 2, 3, 4, 5, 6, 7, 8, 9};

static_assert(s(ints<2>{0, -1}) == ints<2, 3>{1, 2, 3, 7, 8, 9});
static_assert(s(1) == ints<3>{4, 5, 6});
static_assert(s(ex::all, ints<2>{0, -1}, ex::newaxis) == ints<3, 2, 1>{1, 3, 4, 6, 7, 9});
static_assert(s(ex::slice<1, 3>, 7) == ints<2>{6, 9});
static_assert(s(ex::greater(s, 6), ex::size<4>, ex::fill_value(-1)) == ints<4>{7, 8, 9, -1});
static_assert(s.at(ints<2>{0, 0}, 1).add(ints<2>{10, 20}) == ints<3, 3>{1, 32, 3, 4, 5, 6, 7, 8, 9});
static_assert(s.at(ex::greater(s, 6)).set(0) == ints<3, 3>{1, 2, 3, 4, 5, 6, 0, 0, 0});
static_assert(s.at(9, 9).add(1, ex::mode_clip) == ints<3, 3>{1, 2, 3, 4, 5, 6, 7, 8, 10});
static_assert(s.at(ints<1>{9}, 0).get(ex::mode_fill, ex::fill_value(3)) == ints<1>{3});
static_assert(s.at(1).apply([](auto v) { return v * v; }) == ints<3, 3>{1, 2, 3, 16, 25, 36, 7, 8, 9});
static_assert(s(2, 1) == 8);

// Values that depend on no argument have elements outside of a trace.
constexpr ex::array<float, 3> z = ex::zeros<float, 3>().at(1).set(4);
static_assert(z == ex::array<float, 3>{0, 4, 0});
static_assert(ex::evaluate(ex::arange<4>() * 2) == ints<4>{0, 2, 4, 6});

}  // namespace

TEST_CASE("arrays as if they were traced") {
  ints<3, 3> a = s;
  a(0, 0) = 5;
  CHECK(a(0, 0) == 5);
  CHECK(a(ints<2>{0, 5}) == ints<2, 3>{5, 2, 3, 7, 8, 9});
  CHECK(a.at(ints<2>{0, 5}).set(0) == ints<3, 3>{0, 0, 0, 4, 5, 6, 7, 8, 9});
  CHECK(a == ints<3, 3>{5, 2, 3, 4, 5, 6, 7, 8, 9});
}
