// SPDX-License-Identifier: BSL-1.0
// float16 and bfloat16 in compiled code: all conversions, in packs and by the interpreter, and operations with the values of
// StableHLO's test data.
#include <doctest/doctest.h>
#include <cmath>
#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

template <class H>
bool same(H a, H b) {
  return a.bits() == b.bits() || (std::isnan(float{a}) && std::isnan(float{b}));
}

// All patterns to float, double, int and back through kernels, and numbers between neighbours to half; the number of mistakes.
template <class H>
int conversion_mistakes() {
  constexpr int n = 0x10000;
  ex::array<H, n> halves(ex::uninitialized);
  for (int i = 0; i < n; ++i) halves(i) = H::from_bits(static_cast<std::uint16_t>(i));
  auto const floats = ex::astype<float>(halves);
  auto const doubles = ex::astype<double>(halves);
  auto const back = ex::astype<H>(floats);
  auto const integers = ex::astype<std::int32_t>(halves);
  ex::array<double, n> between(ex::uninitialized);
  ex::array<float, n> near(ex::uninitialized);
  int mistakes = 0;
  for (int i = 0; i < n; ++i) {
    float const x = halves(i);
    mistakes += !(floats(i) == x || std::isnan(x)) || std::isnan(x) != std::isnan(floats(i)) || !(doubles(i) == double{x} || std::isnan(x));
    mistakes += !same(back(i), halves(i));
    if (std::fabs(x) < 1e9f) mistakes += integers(i) != static_cast<int>(x);
    double const next = H::from_bits(static_cast<std::uint16_t>(i + 1)), middle = (double{x} + next) / 2;
    between(i) = i % 3 == 0 ? middle : std::nextafter(middle, i % 3 == 1 ? 1e300 : -1e300);
    near(i) = static_cast<float>(between(i));
  }
  auto const rounded = ex::astype<H>(between);
  auto const narrowed = ex::astype<H>(near);
  for (int i = 0; i < n; ++i) mistakes += !same(rounded(i), H(between(i))) + !same(narrowed(i), H(near(i)));
  return mistakes;
}

template <class A, class... E>
constexpr bool is(A const& a, E... expected) {
  using H = typename A::value_type;
  H const list[] = {H(expected)...};
  if (a.size() != sizeof...(E)) return false;
  for (std::size_t i = 0; i < sizeof...(E); ++i)
    if (a.data()[i].bits() != list[i].bits()) return false;
  return true;
}

using f16 = ex::float16;
using bf16 = ex::bfloat16;

// In constant evaluation.
constexpr ex::array<f16, 4> x{1.5, 2.25, -3, 0.1};
static_assert(is(x + x, 3, 4.5, -6, 0.19995));
static_assert(is(ex::sum(x * 2000.0f), 1700));
static_assert(is(ex::sum(ex::array<f16, 3>{60000, 60000, -60000}), 60000));  // 32 bits inside: no overflow on the way
static_assert(is(ex::mean(x), 0.2125) && is(ex::max(x), 2.25));
static_assert(is(ex::dot(x, x), 16.328));
static_assert(is(ex::where(x > 0, x, -x), 1.5, 2.25, 3, 0.1));
static_assert(is(ex::flip(x), 0.1, -3, 2.25, 1.5));
static_assert(is(ex::astype<bf16>(x), 1.5, 2.25, -3, 0.1));
static_assert(is(ex::astype<bf16>(ex::array<int, 2>{16842753, -16842753}), 16908288, -16908288));  // 0x1010001: rounded once

// Carries stay halves: each turn is rounded.
constexpr auto turns = [](auto x) { return ex::fori_loop(0, 100, [](auto, auto s) { return s + ex::float16(0.01); }, x); };
constexpr f16 turned = [] {
  f16 s(1);
  for (int i = 0; i < 100; ++i) s = f16(float{s} + float{f16(0.01)});
  return s;
}();
static_assert(is(ex::jit(turns)(ex::array<f16>(f16(1))), turned));

// nextafter goes by half steps.
static_assert(is(ex::nextafter(ex::array<f16, 4>{1, -1, 0, 65504}, ex::array<f16, 4>{2, 0, -1, 70000}), 1 + 0x1p-10, -1 + 0x1p-11, -0x1p-24, INFINITY));

}  // namespace

TEST_CASE("conversions of all half numbers") {
  CHECK(conversion_mistakes<f16>() == 0);
  CHECK(conversion_mistakes<bf16>() == 0);
}
