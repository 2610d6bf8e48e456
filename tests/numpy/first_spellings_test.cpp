// SPDX-License-Identifier: BSL-1.0
// Spellings that are typed first: the shape behind a random key, views that are changed.
#include <ranges>
#include <vector>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

namespace random = ex::random;
constexpr auto key = random::key(7);
constexpr ex::array<float, 2, 3> x{{1, 2, 3}, {4, 5, 6}};

static_assert(random::normal(key, x.shape) == random::normal<2, 3>(key));
static_assert(random::normal(key, ex::shape<2>, ex::float64) == random::normal<double, 2>(key));
static_assert(random::uniform(key, ex::shape<3>, -1, 1) == random::uniform<3>(key, -1, 1));
static_assert(random::randint(key, ex::shape<3>, 0, 10) == random::randint<3>(key, 0, 10));
static_assert(random::bernoulli(key, 0.25f, ex::shape<5>) == random::bernoulli<5>(key, 0.25f));
static_assert(random::exponential(key, ex::shape<2>) == random::exponential<2>(key));
static_assert(random::gamma(key, 2.0f, ex::shape<3>) == random::gamma<3>(key, 2.0f));
static_assert(random::gamma(key, 2.0f, ex::shape<2, 1>, ex::float64) == random::gamma<double, 2, 1>(key, 2.0f));
static_assert(random::beta(key, 2.0f, 3.0f, ex::shape<2>) == random::beta<2>(key, 2.0f, 3.0f));
static_assert(random::poisson(key, 3.0f, ex::shape<4>) == random::poisson<4>(key, 3.0f));
static_assert(random::triangular(key, 0, 1, 2, ex::shape<2>) == random::triangular<2>(key, 0, 1, 2));
static_assert(random::choice(key, ex::static_<9>, ex::shape<2>, random::without_replacement) ==
              random::choice<2>(key, ex::static_<9>, random::without_replacement));
static_assert(random::categorical(key, ex::array<float, 3>{0, 1, 0}, ex::shape<4>) == random::categorical<4>(key, ex::array<float, 3>{0, 1, 0}));
static_assert(random::rademacher(key, ex::shape<4>) == random::rademacher<4>(key));
static_assert(random::normal(random::split(key, ex::shape<3>)(2)) == random::normal(random::split<3>(key)(2)));

// Created arrays as indices, in a trace.
constexpr ex::array<int, 3> three{1, 2, 3};
constexpr ex::array<int, 2, 3> rows{{1, 2, 3}, {4, 5, 6}};
static_assert(ex::jit([](auto x) { return x(ex::arange<2>()); })(three) == ex::array<int, 2>{1, 2});
static_assert(ex::jit([](auto x) { return x[ex::arange<2>() + 1]; })(three) == ex::array<int, 2>{2, 3});
static_assert(ex::jit([](auto x, auto i) { return x(ex::arange<2>(), i); })(rows, ex::array<int, 2>{2, 0}) == ex::array<int, 2>{3, 4});
static_assert(ex::jit([](auto x) { return x.at(ex::arange<2>()).add(1); })(three) == ex::array<int, 3>{2, 3, 3});
static_assert(ex::jit([](auto x) { return x(ex::argmax(ex::arange<2>())); })(three) == 2);
// Arrays, and what is computed from them, as elements.
constexpr ex::array<float, 2> a{1, 2}, b{3, 4};
static_assert(ex::asarray(ex::tuple(a.sum(), b.sum())) == ex::array<float, 2>{3, 7});
static_assert(ex::asarray(ex::tuple(a, b)) == ex::array<float, 2, 2>{{1, 2}, {3, 4}});
static_assert(ex::asarray(ex::tuple(a[0], ex::sum(a) * 2)) == ex::array<float, 2>{1, 6});
static_assert(ex::jit([](auto x) { return ex::asarray(ex::tuple(x, ex::array<float, 2>{5, 6})); })(a) ==
              ex::array<float, 2, 2>{{1, 2}, {5, 6}});
static_assert(ex::array<float, 2>{a.sum(), b.sum()} == ex::array<float, 2>{3, 7});
static_assert(ex::array<double, 3>{a(0), ex::sum(b), 1} == ex::array<double, 3>{1, 7, 1});
// slice(stop); a dtype behind the size; static arguments as sizes.
static_assert(a(ex::slice<1>) == ex::array<float, 1>{1} && three(ex::slice<-1>) == ex::array<int, 2>{1, 2});
static_assert(ex::array<int, 2, 2>(ex::eye<2>(ex::int32)) == ex::array<int, 2, 2>{{1, 0}, {0, 1}});
static_assert(ex::jit([](auto x, auto n) { return ex::arange(n) + ex::zeros(n) + x; })(1, ex::static_<2>) == ex::array<float, 2>{1, 2});
static_assert(ex::ones(ex::static_<2>, ex::static_<3>).shape == ex::shape<2, 3> && ex::eye(ex::static_<4>).shape == ex::shape<4, 4>);
static_assert(ex::random::split(ex::random::key(0), ex::static_<3>) == ex::random::split<3>(ex::random::key(0)));

// `for` visits the elements of a traced vector, as of an array.
constexpr auto horner = [](auto coefficients, auto x) {
  auto y = ex::float32(0);
  for (auto c : coefficients * 2) y = y * x + c;
  return y;
};
static_assert(ex::jit(horner)(ex::array<float, 3>{1, 2, 3}, 10.0f) == 246);
static_assert(ex::jit(horner)(ex::array<float, 0>(), 10.0f) == 0);
static_assert(!std::ranges::range<ex::expr<float, 3>> && !std::ranges::range<ex::expr<float, 3, 2>>);

}  // namespace

TEST_CASE("the result of a function with captures, called outside of jit, becomes an array") {
  ex::array<float, 2> const data{3, 4};
  auto const g = ex::grad([&](auto w) { return ex::sum(w * data); })(ex::array<float, 2>{1, 1});
  CHECK(ex::array<float, 2>(g) == data);
  CHECK(ex::array<float, 2>{g} == data);
  ex::array<float, 2> const copy = g;
  CHECK(copy == ex::evaluate(g));
}
TEST_CASE("`for` visits the elements of what is computed at once") { CHECK(horner(ex::array<float, 3>{1, 2, 3}, 10.0f) == 246); }
TEST_CASE("a view changes what it shows") {
  std::vector<float> memory{1, 2, 3, 4, 5, 6};
  ex::view<float, 2, 3> v(memory);
  v += 1;
  v *= ex::array<float, 3>{1, 2, 3};
  CHECK(memory == std::vector<float>{2, 6, 12, 5, 12, 21});
  v -= v;  // the same memory on both sides
  CHECK(memory == std::vector<float>(6));
}
TEST_CASE("views are indexed and updated as arrays are") {
  std::vector<float> memory{1, 2, 3, 4, 5, 6};
  ex::view<float const, 2, 3> const v(memory);
  CHECK(v(1) == ex::array<float, 3>{4, 5, 6});
  CHECK(v[1] == ex::array<float, 3>{4, 5, 6});
  CHECK(v(ex::all, ex::slice<1, ex::none>) == ex::array<float, 2, 2>{{2, 3}, {5, 6}});
  CHECK(v.at(0).set(7) == ex::array<float, 2, 3>{{7, 7, 7}, {4, 5, 6}});
  CHECK(memory[0] == 1);  // an update is a new array
}
