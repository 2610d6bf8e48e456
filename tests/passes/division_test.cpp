// SPDX-License-Identifier: BSL-1.0
// Quotients and remainders by literals: what simplify makes of those that are rounded down, and the numbers of each dtype of integers
// beside those of C++.
#include <array>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

#include "passes/traced.hpp"

#include <exprax/exprax.hpp>

namespace {

using traced_passes::becomes;
namespace ex = exprax;

TEST_CASE("a quotient rounded down is a shift, or one truncated quotient") {
  CHECK(becomes([](auto x) { return ex::floor_divide(x, 8); }, "{ lambda ; a:i32[5]. let b:i32[5] = shift_right_arithmetic a 3:i32[] in (b,) }", ex::i32<5>));
  CHECK(becomes([](auto x) { return ex::floor_divide(x, 7); }, R"({ lambda ; a:i32[5]. let
    b:i32[5] = shift_right_arithmetic a 31:i32[]
    c:i32[5] = xor a b
    d:i32[5] = div c 7:i32[]
    e:i32[5] = xor d b
  in (e,) })", ex::i32<5>));
  CHECK(becomes([](auto x) { return ex::floor_divide(x, std::int8_t(100)); }, R"({ lambda ; a:i8[]. let
    b:i8[] = shift_right_arithmetic a 7:i8[]
    c:i8[] = xor a b
    d:i8[] = div c 100:i8[]
    e:i8[] = xor d b
  in (e,) })", ex::i8<>));
}
TEST_CASE("a remainder with the sign of a power of two is a mask; of another number it is compared once") {
  CHECK(becomes([](auto x) { return ex::remainder(x, 8); }, "{ lambda ; a:i32[5]. let b:i32[5] = and a 7:i32[] in (b,) }", ex::i32<5>));
  CHECK(becomes([](auto x) { return x % 10; }, R"({ lambda ; a:i64[5]. let
    b:i64[5] = rem a 10:i64[]
    c:bool[5] = lt b 0:i64[]
    d:i64[5] = add b 10:i64[]
    e:i64[5] = select_n c b d
  in (e,) })", ex::i64<5>));
}

// The smallest and the largest numbers, and some of every size.
template <class T, int N>
ex::array<T, N> numbers() {
  ex::array<T, N> x;
  std::uint64_t state = 1;
  for (int i = 0; i < N; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    x(i) = static_cast<T>(static_cast<std::int64_t>(state) >> (i * 5 % 64));
    if (i < 20) x(i) = static_cast<T>(std::numeric_limits<T>::min() + static_cast<T>(i));
    else if (i < 40) x(i) = static_cast<T>(std::numeric_limits<T>::max() - static_cast<T>(i - 20));
  }
  return x;
}
template <class T, int... Divisor>
struct by_literals {
  constexpr auto operator()(auto x) const {
    return ex::tuple(ex::stack(std::array{ex::floor_divide(x, T(Divisor))...}), ex::stack(std::array{ex::remainder(x, T(Divisor))...}));
  }
};
template <class T, int... Divisor>
int differences_from_cpp() {
  constexpr int n = 531;
  auto const x = numbers<T, n>();
  auto const [quotients, remainders] = ex::jit(by_literals<T, Divisor...>{})(x);
  int wrong = 0, k = 0;
  for (int divisor : {Divisor...}) {
    T const c = static_cast<T>(divisor);
    for (int i = 0; i < n; ++i) {
      T quotient = static_cast<T>(x(i) / c), remainder = static_cast<T>(x(i) % c);
      if (remainder != 0 && (remainder < 0) != (c < 0)) --quotient, remainder = static_cast<T>(remainder + c);
      wrong += quotients(k, i) != quotient || remainders(k, i) != remainder;
    }
    ++k;
  }
  return wrong;
}
TEST_CASE_TEMPLATE("numbers of each dtype divided by literals", T, std::int8_t, std::int16_t, std::int32_t, std::int64_t) {
  CHECK(differences_from_cpp<T, 7, 8, -7>() == 0);
}
TEST_CASE_TEMPLATE("natural numbers divided by literals", T, std::uint8_t, std::uint32_t) {
  CHECK(differences_from_cpp<T, 7, 255>() == 0);
}

}  // namespace
