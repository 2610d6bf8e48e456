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
}
