// SPDX-License-Identifier: BSL-1.0
// What Python writes as a, b = x and x[i, j] with a tuple of indices; the constants of jax.numpy; shapes of random numbers that are values.
#include <cstdint>
#include <cmath>
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

template <int... D>
using ints = ex::array<std::int32_t, D...>;
template <int... D>
using floats = ex::array<float, D...>;
constexpr ints<2, 3> a{{1, 2, 3}, {4, 5, 6}};

// Along the first axis, of arrays and of traced values.
constexpr auto first_row_and_last_number = [] {
  auto const [upper, lower] = a;
  auto const [x, y, z] = lower;
  return std::tuple(upper, x + y * z);
}();
static_assert(first_row_and_last_number == std::tuple(ints<3>{1, 2, 3}, 34));
constexpr auto rotated = [](auto const& x) {
  auto [p, q] = x;
  return ex::stack(ex::tuple(-q, p));
};
static_assert(ex::jit(rotated)(floats<2>{1, 2}) == floats<2>{-2, 1});
static_assert(ex::jit(rotated)(floats<2, 2>{{1, 2}, {3, 4}}) == floats<2, 2>{{-3, -4}, {1, 2}});
static_assert(ex::make_jaxpr([](auto const& x) {
                auto const [p, q] = x;
                return p - q;
              })(ex::f32<2>) == R"({ lambda ; a:f32[2]. let
    b:f32[1] = slice[limit_indices=(1,) start_indices=(0,) strides=None] a
    c:f32[] = squeeze[dimensions=(0,)] b
    d:f32[1] = slice[limit_indices=(2,) start_indices=(1,) strides=None] a
    e:f32[] = squeeze[dimensions=(0,)] d
    f:f32[] = sub c e
  in (f,) })");

// Shifts that are values, and none as an index: a new axis.
constexpr auto rolled = [](auto const& x, auto i, auto j) { return ex::roll(x, ex::tuple(i, j), ex::axis<0, 1>); };
static_assert(ex::jit(rolled)(a, 1, -1) == ints<2, 3>{{5, 6, 4}, {2, 3, 1}} && rolled(a, 1, -1) == ex::roll<1, -1>(a, ex::axis<0, 1>));
static_assert(a(ex::none, 1) == ints<1, 3>{{4, 5, 6}} && a(ex::all, ex::none, 0) == ints<2, 1>{{1}, {4}});

static_assert(ex::zeros<2>(ex::int32).dtype == ex::int32 && ex::ones<2, 3>(ex::float64).dtype == ex::float64);

// A tuple of indices is the whole index.
constexpr ints<4, 4> s = [] {
  ints<4, 4> x;
  for (int i = 0; i < 16; ++i) x(i / 4, i % 4) = i;
  return x;
}();
static_assert(s(ex::ix_(ints<2>{0, 2}, ints<2>{1, 3})) == ints<2, 2>{{1, 3}, {9, 11}});
static_assert(s(ex::diag_indices<4>()) == ints<4>{0, 5, 10, 15});
static_assert(s(ex::tuple(1, ex::slice<2, ex::none>)) == ints<2>{6, 7});
static_assert(s.at(ex::tuple(1, 2)).set(0)(1, 2) == 0 && s.at(ex::diag_indices<4>()).add(1)(3, 3) == 16);
constexpr auto positive = [](auto const& x) { return x(ex::nonzero<3>(x)); };
static_assert(ex::jit(positive)(ints<2, 3>{{0, 7, 0}, {8, 0, 9}}) == ints<3>{7, 8, 9});
constexpr auto cleared = [](auto const& x) { return x.at(ex::nonzero<2>(x)).set(-1); };
static_assert(ex::jit(cleared)(ints<2, 2>{{0, 7}, {8, 0}}) == ints<2, 2>{{0, -1}, {-1, 0}});

static_assert(ex::unravel_index(7, ex::shape<3, 4>) == std::tuple(1, 3) && ex::unravel_index(ex::argmax(s), s.shape) == std::tuple(3, 3));
static_assert(ex::ravel_multi_index(std::tuple(1, 3), s.shape) == 7);

// Weak, as Python's floats.
static_assert(ex::pi == 3.141592653589793 && ex::e == 2.718281828459045 && ex::euler_gamma == 0.5772156649015329);
static_assert((floats<1>{1} * ex::pi).dtype == ex::float32 && (floats<1>{1} * ex::pi)(0) == 3.14159274f);
static_assert(ex::max(floats<2>{1, 2}, ex::initial(-ex::inf)) == 2 && ex::isnan(ex::full<1>(ex::nan))(0));

constexpr auto noisy = [](auto const& key, auto const& x) {
  auto const [k, l, m, n] = ex::random::split<4>(key);
  return std::tuple(ex::random::normal(k, x.shape), ex::random::uniform(l, x.shape, -1, 1), ex::random::bernoulli(m, 0.25f, x.shape),
                    ex::random::randint(n, x.shape, 0, 10));
};
constexpr auto same = [](auto const& key) {
  auto const keys = ex::random::split<4>(key);
  return std::tuple(ex::random::normal<2, 3>(keys(0)), ex::random::uniform<2, 3>(keys(1), -1, 1),
                    ex::random::bernoulli<2, 3>(keys(2), 0.25f), ex::random::randint<2, 3>(keys(3), 0, 10));
};
static_assert(ex::jit(noisy)(ex::random::key(0), floats<2, 3>()) == ex::jit(same)(ex::random::key(0)));
static_assert(ex::random::normal(ex::random::key(0), ex::shape<2>, ex::float64).dtype == ex::float64);

}  // namespace

TEST_CASE("parts of arrays and keys") {
  floats<2> x{1, 2};
  auto& [p, q] = x;
  q = 5;
  CHECK(p == 1);
  CHECK(x(1) == 5);
  auto const [key, subkey] = ex::random::split(ex::random::key(7));
  CHECK(ex::random::uniform(key) == ex::random::uniform(ex::random::split(ex::random::key(7))(0)));
  CHECK(ex::random::uniform(key) != ex::random::uniform(subkey));
}

TEST_CASE("what is made of no array") {
  auto const r = ex::arange<6>().reshape(ex::shape<2, 3>);
  auto const [upper, lower] = r;
  CHECK(lower == ints<3>{3, 4, 5});
  CHECK(r[1](2) == 5);
  CHECK(r[1][0] == 3);
  CHECK(r(ex::tuple(1, 1)) == 4);
  CHECK(ex::zeros<3>().at(ex::tuple(1)).set(2)(1) == 2);

  // == and != of two of one dtype and shape have a truth value.
  CHECK((ex::eye<2>() == ex::identity<2>() ? true : false));
  CHECK((ex::eye<2>() != 2 * ex::eye<2>() ? true : false));
  CHECK((ex::eye<2>() == ex::ones<2, 2>() ? false : true));
  CHECK((ex::eye<2>() != ex::identity<2>() ? false : true));

  float total = 1;
  total += ex::sum(ex::ones<3>()) * 2;
  total -= ex::ones<3>()(0);
  total *= ex::max(ex::arange<3>());
  CHECK(total == 12);
  int count = 1;
  count += ex::argmax(ex::arange<5>());
  CHECK(count == 5);
}
