// SPDX-License-Identifier: BSL-1.0
// unstack, divmod, packbits, unpackbits, mgrid and their neighbours; poly, polydiv, polyfit; linspace between arrays; quotients by zero and
// divisors of the least integer; frompyfunc. Values: NumPy's.
#include <cstdint>
#include <limits>
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

template <int... D>
using ints = ex::array<std::int32_t, D...>;
template <int... D>
using floats = ex::array<float, D...>;
template <int... D>
using bytes = ex::array<std::uint8_t, D...>;
constexpr float inf = std::numeric_limits<float>::infinity();

constexpr ints<2, 3> a{{1, 0, 7}, {0, 2, 5}};
static_assert(ex::iscomplexobj(ex::array<std::complex<float>, 2>{}) && ex::isrealobj(a));

template <int... D>
bool near(floats<D...> const& x, floats<D...> const& y) {
  return ex::allclose(x, y, 1e-5f, 1e-5f)();
}

}  // namespace

TEST_CASE("parts, quotients and bits") {
  CHECK(ex::amin(a, ex::axis<1>) == ints<2>{0, 0});
  CHECK(ex::concat(ex::tuple(a, a), ex::axis<-1>).extent(1) == 6);
  CHECK(ex::unstack(a) == std::tuple(ints<3>{1, 0, 7}, ints<3>{0, 2, 5}));
  CHECK(ex::unstack(a, ex::axis<-1>) == std::tuple(ints<2>{1, 0}, ints<2>{0, 2}, ints<2>{7, 5}));
  CHECK(ex::divmod(ints<3>{-7, 7, 6}, 4) == std::tuple(ints<3>{-2, 1, 1}, ints<3>{1, 3, 2}));
  auto const [quotient, rest] = ex::divmod(floats<3>{-2, 1, 0}, 0.0f);
  CHECK(quotient(0) == -inf);
  CHECK(quotient(1) == inf);
  CHECK(ex::isnan(quotient)(2));
  CHECK(ex::all(ex::isnan(rest))());
  CHECK(ex::signbit(ex::floor_divide(floats<1>{0}, -1.5f))(0));
  CHECK(ex::gcd(ints<3>{-2147483647 - 1, 5, 12}, ints<3>{6, -2147483647 - 1, -18}) == ints<3>{2, 1, 6});
  CHECK(ex::packbits(ints<10>{1, 0, 1, 1, 0, 0, 0, 0, 1, 1}) == bytes<2>{176, 192});
  CHECK(ex::packbits(a, ex::axis<1>, ex::bitorder_little) == bytes<2, 1>{{5}, {6}});
  CHECK(ex::unpackbits<4>(bytes<2, 1>{{5}, {129}}, ex::axis<1>, ex::bitorder_little) == bytes<2, 4>{{1, 0, 1, 0}, {1, 0, 0, 0}});
  CHECK(ex::unpackbits<9>(bytes<1>{176}) == bytes<9>{1, 0, 1, 1, 0, 0, 0, 0, 0});
  CHECK(ex::isin(a, ints<2>{0, 5}, ex::inverted) == ex::array<bool, 2, 3>{{true, false, true}, {false, true, false}});
  CHECK(ex::intersect1d<4>(ints<5>{3, 1, 1, 7, 5}, ints<4>{5, 9, 1, 5}, ex::return_indices, ex::fill_value(-1)) ==
        std::tuple(ints<4>{1, 5, -1, -1}, ints<4>{1, 4, 5, 5}, ints<4>{2, 0, 4, 4}));
  constexpr auto grid = [](auto x) { return x + ex::mgrid(ex::slice<0, 2>, ex::slice<1, 6, 2>); };
  CHECK(ex::jit(grid)(a) == ints<2, 2, 3>{{{1, 0, 7}, {1, 3, 6}}, {{2, 3, 12}, {1, 5, 10}}});
}

TEST_CASE("polynomials and samples") {
  CHECK(ex::poly(floats<3>{1, -2, 0.5f}) == floats<4>{1, 0.5f, -2.5f, 1});
  CHECK(ex::polydiv(ints<5>{1, 5, -2, 3, 7}, ints<2>{2, 1}) == std::tuple(floats<4>{0.5f, 2.25f, -2.125f, 2.5625f}, floats<5>{0, 0, 0, 0, 4.4375f}));
  floats<4> const x{0, 1, 2, 3}, y{1, 0, 3, 4};
  CHECK(near(ex::polyfit<1>(x, y), floats<2>{1.2f, 0.2f}));
  CHECK(near(ex::polyfit<1>(x, y, ex::weights(ints<4>{1, 2, 1, 1})), floats<2>{1.4210526f, -0.6842105f}));
  CHECK(ex::linspace<5>(floats<3>{0, 1, -5}, floats<2, 1>{{1}, {3}})(1) == floats<2, 3>{{0.25f, 1, -3.5f}, {0.75f, 1.5f, -3}});
  CHECK(ex::linspace<int, 3>(floats<2>{0, -5}, 3, ex::axis<-1>) == ints<2, 3>{{0, 1, 3}, {-5, -1, 3}});
}

TEST_CASE("functions of scalars") {
  constexpr auto f = ex::frompyfunc([](auto p, auto q) { return p * 2 - q; });
  constexpr auto sum = ex::frompyfunc([](auto p, auto q) { return p + q; });
  ints<2, 3> const x{{1, 5, 2}, {3, 8, 7}};
  CHECK(f.outer(ints<2>{1, 2}, ints<3>{3, 4, 5}) == ints<2, 3>{{-1, -2, -3}, {1, 0, -1}});
  CHECK(f.reduce(x) == ints<3>{-1, 2, -3});
  CHECK(f.reduce(x, ex::axis<-1>, ex::keepdims) == ints<2, 1>{{-8}, {-11}});
  CHECK(f.reduce(x, ex::none)() == -99);
  CHECK(f.reduce(x, ex::axis<1>, ex::initial(3), ex::where_(ex::array<bool, 3>{true, false, true})) == ints<2>{8, -1});
  CHECK(f.accumulate(x, ex::axis<1>) == ints<2, 3>{{1, -3, -8}, {3, -2, -11}});
  CHECK(sum.at(ints<3>{1, 2, 3}, ints<3>{0, 0, 2}, ints<3>{10, 20, 30}) == ints<3>{31, 2, 33});
  CHECK(sum.reduceat(ints<6>{1, 2, 3, 4, 5, 6}, ints<4>{0, 3, 1, 5}) == ints<4>{6, 4, 14, 6});
}
