// SPDX-License-Identifier: BSL-1.0
// Indexed reads and updates of small integers, half numbers and complex numbers.
#include <complex>
#include <limits>
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

template <int... D>
using ints = ex::array<std::int32_t, D...>;
constexpr auto indexed = [](auto x, auto i, auto mask) {
  return std::tuple(x(i), x.at(i).add(x(0)), x.at(i).set(x(1)), x.at(mask).set(0), x.at(i).get(ex::mode_fill, ex::fill_value(1)), ex::ops::segment_sum<2>(x, i),
                    ex::bincount<3>(i, x), std::get<0>(ex::nonzero<2>(x)), ex::equal(ex::take(x, i), ex::take(x, i)));
};
// With NaN: whether the value of an element that is not there is unlike itself.
template <class T, bool NaN>
constexpr std::tuple expected(ex::array<T, 3>{T(1), T(3), T(1)}, ex::array<T, 3>{T(3), T(2), T(3)}, ex::array<T, 3>{T(2), T(2), T(3)},
                              ex::array<T, 3>{T(0), T(2), T(0)}, ex::array<T, 3>{T(1), T(1), T(1)}, ex::array<T, 2>{T(4), T(0)},
                              ex::array<T, 3>{T(4), T(0), T(0)}, ints<2>{0, 1}, ex::array<bool, 3>{true, !NaN, true});
template <class T, bool NaN>
constexpr bool agrees() {
  return ex::jit(indexed)(ex::array<T, 3>{T(1), T(2), T(3)}, ints<3>{0, 5, 0}, ex::array<bool, 3>{true, false, true}) == expected<T, NaN>;
}
static_assert(agrees<std::uint8_t, false>() && agrees<ex::float16, true>() && agrees<std::complex<float>, true>());

static_assert(ex::take(ex::array<std::uint16_t, 2>{1, 2}, 2) == ex::array<std::uint16_t>(65535));
static_assert(ex::take(ex::array<std::int8_t, 2>{1, 2}, 2) == ex::array<std::int8_t>(-128));
static_assert(ex::take(ex::array<bool, 2>{false, false}, 2) == ex::array<bool>(true));

}  // namespace

TEST_CASE("indexed elements of all kinds") { CHECK((agrees<std::uint8_t, false>() && agrees<ex::float16, true>() && agrees<std::complex<float>, true>())); }
