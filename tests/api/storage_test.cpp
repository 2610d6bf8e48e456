// SPDX-License-Identifier: BSL-1.0
// Donated arguments, and results written over arguments.
#include <utility>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {
constexpr auto twice = [](auto x) { return x * 2.0f; };
constexpr auto reversed = [](auto x) { return ex::flip(x) + 1.0f; };
constexpr auto shifted = [](auto x) { return x(ex::slice<1, ex::none>) * 2.0f; };

template <int N>
ex::array<float, N> counting() {
  ex::array<float, N> x;
  for (int i = 0; i < N; ++i) x(i) = static_cast<float>(i);
  return x;
}
}  // namespace

TEST_CASE("an array that is moved in lends its storage when every read is at the index of the write") {
  auto x = counting<5000>();
  float const* const place = x.data();
  auto y = ex::jit(twice)(std::move(x));
  CHECK(y.data() == place);
  for (int i = 0; i < 5000; ++i) CHECK(y(i) == 2.0f * static_cast<float>(i));
  auto z = ex::jit(twice)(y);
  CHECK(z.data() != y.data());
  CHECK(y(7) == 14.0f);
}

TEST_CASE("a loop that updates an array works in the storage that it is lent") {
  auto x = counting<5000>();
  float const* const place = x.data();
  auto y = ex::jit([](auto n, auto a) { return ex::fori_loop(1, n, [](auto i, auto a) { return a.at(i).set(a(i - 1) + a(i)); }, a); })(5000, std::move(x));
  CHECK(y.data() == place);
  for (int i = 0; i < 5000; i += 100) CHECK(y(i) == static_cast<float>(i) * static_cast<float>(i + 1) / 2);
}

TEST_CASE("a reversal reads elsewhere: no storage is lent") {
  auto x = counting<5000>();
  float const* const place = x.data();
  auto y = ex::jit(reversed)(std::move(x));
  CHECK(y.data() != place);
  for (int i = 0; i < 5000; ++i) CHECK(y(i) == 5000.0f - static_cast<float>(i));
}

TEST_CASE("results may overlap arguments") {
  auto x = counting<100>();
  ex::jit(twice).into(x, x);
  for (int i = 0; i < 100; ++i) CHECK(x(i) == 2.0f * static_cast<float>(i));
  x = counting<100>();
  ex::jit(reversed).into(x, x);
  for (int i = 0; i < 100; ++i) CHECK(x(i) == 100.0f - static_cast<float>(i));
  auto y = counting<100>();
  ex::view<float, 99> inside(y.data() + 1);
  ex::jit(shifted).into(inside, y);
  CHECK(y(0) == 0.0f);
  for (int i = 0; i < 99; ++i) CHECK(y(i + 1) == 2.0f * static_cast<float>(i + 1));
  y = counting<100>();
  ex::jit(reversed).into(inside, ex::view<float const, 99>(y.data()));
  for (int i = 0; i < 99; ++i) CHECK(y(i + 1) == 99.0f - static_cast<float>(i));
}

// Integers of C++ are dtypes by their size and sign. This one is not the C++ type that results have.
namespace {
using other = std::conditional_t<std::is_same_v<std::int64_t, long>, long long, long>;
using others = ex::array<other, 3>;
using of_dtype = ex::array<ex::element_t<ex::dtype_of<other>>, 3>;
static_assert(!std::is_same_v<others, of_dtype>);
constexpr auto square = [](auto x) { return x * x; };
constexpr auto backwards = [](auto x) { return ex::flip(x); };

static_assert(std::is_same_v<decltype(ex::jit(square)(others{1, 2, 3})), of_dtype>);
static_assert(ex::jit(square)(others{1, 2, 3}) == of_dtype{1, 4, 9});
static_assert(ex::jit(square)(others{1, 2, 3}) == others{1, 4, 9});
static_assert(others(ex::add(others{1, 2, 3}, of_dtype{1, 1, 1})) == others{2, 3, 4});
static_assert(others(others{1, 2, 3}.at(1).set(7)) == others{1, 7, 3});
static_assert(ex::make_jaxpr(square)(others{}) == ex::make_jaxpr(square)(of_dtype{}));
static_assert([] {
  others x{1, 2, 3};
  ex::jit(backwards).into(x, x);
  return x;
}() == others{3, 2, 1});
constexpr others named = ex::zeros_like(of_dtype{1, 2, 3}, ex::dtype_<other>);
static_assert(named == others{0, 0, 0} && ex::array<other>(ex::lax::argmax<other>(of_dtype{1, 3, 2}, ex::axis<0>)) == 1);
}  // namespace

TEST_CASE("integers in another C++ type than that of their dtype are read and written in place") {
  ex::array<other, 2000> x, y;
  for (int i = 0; i < 2000; ++i) x(i) = i - 1000;
  ex::jit(square).into(y, x);
  for (int i = 0; i < 2000; ++i) CHECK(y(i) == x(i) * x(i));
  for (int i = 0; i < 2000; ++i) x(i) = i;
  ex::jit(backwards).into(x, x);
  for (int i = 0; i < 2000; ++i) CHECK(x(i) == 1999 - i);
  ex::view<other, 3> const seen(x.data());
  CHECK(ex::jit(square)(seen) == others{1999 * 1999, 1998 * 1998, 1997 * 1997});
}
