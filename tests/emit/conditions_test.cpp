// SPDX-License-Identifier: BSL-1.0
// Conditions that are stored, combined and counted, and sums and extrema of integers, against plain loops: of all lengths of elements,
// so that masks fill registers, parts of them, and several.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include <exprax/exprax.hpp>

namespace {

namespace ex = exprax;

template <class T, int N>
ex::array<T, N> numbers(unsigned seed) {
  ex::array<T, N> a;
  for (T& v : a) {
    seed = seed * 1664525u + 1013904223u;
    v = static_cast<T>(static_cast<int>(seed >> 24) % 23 - (std::is_signed_v<T> ? 11 : 0));
  }
  if constexpr (std::is_floating_point_v<T>) a(0) = std::numeric_limits<T>::quiet_NaN(), a(N / 2) = T(-0.0);
  return a;
}

constexpr auto above = [](auto a, auto b) { return a > b; };
constexpr auto near = [](auto a) { return (a >= -3) & (a < 4) & (a != 0); };
constexpr auto outside = [](auto a, auto b) { return ~(a <= b) | (b == 2); };
constexpr auto both = [](auto a, auto b) { return ex::tuple(a == b, ex::where(a < b, a, b)); };

// Nothing is written beside the result.
template <int N, class F, class... A>
bool stores(F, std::array<bool, N> const& expected, A const&... a) {
  std::array<bool, N + 2> memory;
  memory.fill(true);
  memory[0] = false;
  ex::view<bool, N> inside(memory.data() + 1);
  ex::jit(F()).into(inside, a...);
  bool same = !memory[0] && memory[N + 1];
  for (std::size_t i = 0; i < N; ++i) same = same && memory[i + 1] == expected[i];
  return same;
}
template <class T, int N>
bool conditions() {
  auto const a = numbers<T, N>(1), b = numbers<T, N>(2);
  std::array<bool, N> is_above, is_near, is_outside, is_equal;
  ex::array<T, N> least;
  std::int32_t count = 0;
  for (int i = 0; i < N; ++i) {
    auto const k = static_cast<std::size_t>(i);
    is_above[k] = a(i) > b(i);
    is_near[k] = (std::is_unsigned_v<T> || a(i) >= static_cast<T>(-3)) && a(i) < 4 && a(i) != 0;
    is_outside[k] = !(a(i) <= b(i)) || b(i) == 2;
    is_equal[k] = a(i) == b(i);
    least(i) = a(i) < b(i) ? a(i) : b(i);
    count += is_outside[k];
  }
  bool right = stores<N>(above, is_above, a, b) && stores<N>(outside, is_outside, a, b);
  if constexpr (std::is_signed_v<T>) right = right && stores<N>(near, is_near, a);
  auto const [equal, chosen] = ex::jit(both)(a, b);
  for (int i = 0; i < N; ++i)
    right = right && equal(i) == is_equal[static_cast<std::size_t>(i)] &&
            (chosen(i) == least(i) || (chosen(i) != chosen(i) && least(i) != least(i)));
  return right && ex::jit([](auto a, auto b) { return ex::count_nonzero(outside(a, b)); })(a, b) == count &&
         ex::jit([](auto a, auto b) { return ex::any(a == b); })(a, b) == (std::count(is_equal.begin(), is_equal.end(), true) > 0);
}
template <class... T>
bool all_conditions() {
  return ((conditions<T, 1>() && conditions<T, 7>() && conditions<T, 45>() && conditions<T, 64>()) && ...);
}

// Of every Stride-th element: packs of conditions are longer than registers of what is compared.
template <class T, int N, int Stride>
bool strided() {
  auto const a = numbers<T, N * Stride + Stride>(3);
  std::array<bool, N> is_above;
  for (int i = 0; i < N; ++i) is_above[static_cast<std::size_t>(i)] = a(i * Stride) > a(i * Stride + 1);
  constexpr auto above_next = [](auto a) {
    return a(ex::slice<0, N * Stride, Stride>) > a(ex::slice<1, N * Stride + 1, Stride>);
  };
  return stores<N>(above_next, is_above, a);
}
template <class... T>
bool all_strided() {
  return ((strided<T, 5, 2>() && strided<T, 45, 2>() && strided<T, 64, 3>() && strided<T, 64, 4>() && strided<T, 70, 7>()) && ...);
}

// Sums wrap.
template <class T, int N>
bool reductions() {
  auto a = numbers<T, N>(3);
  a(N - 1) = std::numeric_limits<T>::max();
  a(N / 3) = std::numeric_limits<T>::min();
  std::uint64_t sum = 0, bits = 0;
  T low = a(0), high = a(0);
  for (int i = 0; i < N; ++i) {
    sum += static_cast<std::uint64_t>(a(i));
    bits ^= static_cast<std::uint64_t>(a(i));
    low = a(i) < low ? a(i) : low;
    high = a(i) > high ? a(i) : high;
  }
  auto const [s, l, h, x] = ex::jit([](auto a) {
    return ex::tuple(ex::lax::reduce_sum(a, ex::axis<0>), ex::min(a), ex::max(a), ex::lax::reduce_xor(a, ex::axis<0>));
  })(a);
  return s == static_cast<T>(sum) && l == low && h == high && x == static_cast<T>(bits);
}
template <class... T>
bool all_reductions() {
  return ((reductions<T, 65>() && reductions<T, 128>() && reductions<T, 1003>()) && ...);
}
template <int N>
bool bools() {
  auto a = ex::array<bool, N>::full(false);
  auto const f = [](auto a) { return ex::tuple(ex::any(a), ex::all(a), ex::sum(a), ex::all(~a)); };
  bool right = ex::jit(f)(a) == std::tuple(false, false, 0, true);
  a(N - 1) = true;
  right = right && ex::jit(f)(a) == std::tuple(true, false, 1, false);
  for (bool& x : a) x = true;
  return right && ex::jit(f)(a) == std::tuple(true, true, N, false);
}

}  // namespace

TEST_CASE("conditions") {
  CHECK(all_conditions<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t>());
  CHECK(all_conditions<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>());
  CHECK(all_conditions<float, double>());
}
TEST_CASE("conditions on elements that lie apart") {
  CHECK(all_strided<std::int8_t, std::uint16_t, std::int32_t, std::int64_t, float, double>());
}
TEST_CASE("integers are reduced in packs") {
  CHECK(all_reductions<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t>());
  CHECK(all_reductions<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>());
  CHECK(bools<65>());
  CHECK(bools<130>());
  CHECK(bools<2000>());
}
