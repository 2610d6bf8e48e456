// SPDX-License-Identifier: BSL-1.0
// pack<T, L> does to each lane what lane<T> does, for every element type and number of lanes; and memory, permutations, masks.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include <exprax/emit/simd/pack.hpp>

#if EXPRAX_SIMD

namespace {

using namespace exprax;

// NaNs may differ in sign and payload.
template <class T>
bool same(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    if (a != a && b != b) return true;
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

// Random bit patterns, and often a number that is special.
template <class T>
struct generator {
  std::mt19937_64 engine{42};
  T operator()() {
    std::uint64_t const r = engine();
    if constexpr (std::is_same_v<T, bool>) {
      return (r & 1) != 0;
    } else if constexpr (std::is_floating_point_v<T>) {
      using limits = std::numeric_limits<T>;
      T const special[] = {T(0), -T(0), T(1), T(-1), T(2.5), T(-2.5), T(3.5), T(0.5), limits::infinity(), -limits::infinity(), limits::quiet_NaN(), limits::max(),
                           limits::min(), limits::denorm_min(), T(2147483648.0), T(-2147483648.0), T(4294967296.0), T(9223372036854775808.0), T(255), T(-129), T(127.5)};
      if (r % 4 == 0) return special[(r >> 8) % (sizeof(special) / sizeof(T))];
      if (r % 4 == 1) return static_cast<T>(static_cast<std::int64_t>(r >> 8 & 0xffff) - 0x8000) / T(16);
      return std::bit_cast<T>(static_cast<simd::detail::bits_of<T>>(engine()));
    } else {
      if (r % 4 == 0) return static_cast<T>(static_cast<int>(r >> 8 & 15) - 7);
      if (r % 16 == 1) return std::numeric_limits<T>::min();
      if (r % 16 == 5) return std::numeric_limits<T>::max();
      return static_cast<T>(engine());
    }
  }
};

// Three operands of a round: random ones, and often two that are equal.
template <class T>
[[gnu::noinline]] void choose(generator<T>& next, int round, int lanes, T* a, T* b, T* c) {
  for (int i = 0; i < lanes; ++i) {
    a[i] = next();
    b[i] = round % 8 == 0 ? a[i] : next();
    c[i] = next();
  }
}
// The number of lanes that differ; the first is shown.
template <class T, class R>
[[gnu::noinline]] long differing(char const* what, int lanes, T const* a, T const* b, R const* found, R const* expected, long before) {
  long wrong = before;
  for (int i = 0; i < lanes; ++i) {
    if (same(found[i], expected[i]) || wrong++ > 0) continue;
    INFO(what, " L = ", lanes, " a = ", +a[i], " b = ", +b[i], " expected ", +expected[i], " got ", +found[i]);
    CHECK(same(found[i], expected[i]));
  }
  return wrong;
}

// f over packs against f over lanes, on three random operands.
template <class T, int L, class F>
void check(char const* what, F f) {
  generator<T> next;
  long wrong = 0;
  for (int round = 0; round < 200; ++round) {
    T a[L], b[L], c[L];
    choose(next, round, L, a, b, c);
    auto const r = f(simd::load<T, L>(a), simd::load<T, L>(b), simd::load<T, L>(c));
    using R = typename std::remove_const_t<decltype(r)>::value_type;
    static_assert(std::is_same_v<std::remove_const_t<decltype(r)>, simd::pack<R, L>>);
    R found[L], expected[L];
    simd::store(r, found);
    for (int i = 0; i < L; ++i) expected[i] = f(lane<T>(a[i]), lane<T>(b[i]), lane<T>(c[i])).value;
    wrong = differing(what, L, a, b, found, expected, wrong);
  }
  CHECK(wrong == 0);
}

// The elements of two arrays are the same.
template <class T>
[[gnu::noinline]] void check_same(char const* what, T const* found, T const* expected, int n) {
  for (int i = 0; i < n; ++i) {
    INFO(what, " at ", i);
    CHECK(same(found[i], expected[i]));
  }
}

template <class T, int L>
void check_memory() {
  generator<T> next;
  T a[2 * L];
  for (T& x : a) x = next();
  T const fill = next();
  for (int n = 0; n <= L; ++n) {
    T out[L], back[L], expected[L];
    for (int i = 0; i < L; ++i) expected[i] = i < n ? a[i] : fill;
    simd::store(simd::load_partial<T, L>(a, n, fill), out);
    check_same("load_partial", out, expected, L);
    for (T& x : back) x = fill;
    simd::store_partial(simd::load<T, L>(a), back, n);
    check_same("store_partial", back, expected, L);
  }
  T out[L], expected[L];
  for (int i = 0; i < L; ++i) expected[i] = a[L - 1 - i];
  simd::store(simd::reverse(simd::load<T, L>(a)), out);
  check_same("reverse", out, expected, L);
  for (int i = 0; i < L; ++i) expected[i] = fill;
  simd::store(simd::pack<T, L>(fill), out);
  check_same("a number in all lanes", out, expected, L);
}

// Rows of 3 packs: shifted by one lane, transposed as 3 x L, and with gaps.
template <int L, int Kind>
struct table {
  struct list {
    int of[3 * L];
    constexpr int operator[](int i) const { return of[i]; }
  };
  static constexpr list make() {
    list r{};
    for (int i = 0; i < 3 * L; ++i) r.of[i] = Kind == 0 ? i - 1 : Kind == 1 ? i % 3 * L + i / 3 : i * 7 % (3 * L);
    if (Kind == 2)
      for (int i = 0; i < 3 * L; i += 5) r.of[i] = -1;
    return r;
  }
  static constexpr list at = make();
};
template <class T, int L, int Kind>
void check_permute_wide() {
  generator<T> next;
  T a[3 * L], f[L], out[3 * L], expected[3 * L];
  for (T& x : a) x = next();
  for (T& x : f) x = next();
  simd::pack<T, L> in[3], to[3];
  for (int k = 0; k < 3; ++k) in[k] = simd::load<T, L>(a + k * L);
  simd::permute_wide<table<L, Kind>>(in, to, simd::load<T, L>(f));
  for (int k = 0; k < 3; ++k) simd::store(to[k], out + k * L);
  for (int i = 0; i < 3 * L; ++i) {
    int const at = table<L, Kind>::at[i];
    expected[i] = at < 0 ? f[i % L] : a[at];
  }
  check_same("permute_wide", out, expected, 3 * L);
}

template <class T, int L>
void check_number() {
  check<T, L>("+", [](auto a, auto b, auto) { return a + b; });
  check<T, L>("-", [](auto a, auto b, auto) { return a - b; });
  check<T, L>("*", [](auto a, auto b, auto) { return a * b; });
  check<T, L>("* +", [](auto a, auto b, auto c) { return a * b + c; });
  check<T, L>("/", [](auto a, auto b, auto) { return a / b; });
  check<T, L>("unary -", [](auto a, auto, auto) { return -a; });
  check<T, L>("fma", [](auto a, auto b, auto c) { return fma(a, b, c); });
  check<T, L>("==", [](auto a, auto b, auto) { return a == b; });
  check<T, L>("!=", [](auto a, auto b, auto) { return a != b; });
  check<T, L>("<", [](auto a, auto b, auto) { return a < b; });
  check<T, L>("<=", [](auto a, auto b, auto) { return a <= b; });
  check<T, L>(">", [](auto a, auto b, auto) { return a > b; });
  check<T, L>(">=", [](auto a, auto b, auto) { return a >= b; });
  check<T, L>("select", [](auto a, auto b, auto c) { return select(a < b, b, c); });
  check<T, L>("masks", [](auto a, auto b, auto c) { return select(((a < b) ^ (b < c)) | (~(a < c) & (b != c)), b, c); });
  check<T, L>("abs", [](auto a, auto, auto) { return abs(a); });
  check<T, L>("maximum", [](auto a, auto b, auto) { return maximum(a, b); });
  check<T, L>("minimum", [](auto a, auto b, auto) { return minimum(a, b); });
  check<T, L>("to bool", [](auto a, auto, auto) { return convert<bool>(a); });
  check<T, L>("to i8", [](auto a, auto, auto) { return convert<std::int8_t>(a); });
  check<T, L>("to u8", [](auto a, auto, auto) { return convert<std::uint8_t>(a); });
  check<T, L>("to i16", [](auto a, auto, auto) { return convert<std::int16_t>(a); });
  check<T, L>("to u16", [](auto a, auto, auto) { return convert<std::uint16_t>(a); });
  check<T, L>("to i32", [](auto a, auto, auto) { return convert<std::int32_t>(a); });
  check<T, L>("to u32", [](auto a, auto, auto) { return convert<std::uint32_t>(a); });
  check<T, L>("to i64", [](auto a, auto, auto) { return convert<std::int64_t>(a); });
  check<T, L>("to u64", [](auto a, auto, auto) { return convert<std::uint64_t>(a); });
  check<T, L>("to f32", [](auto a, auto, auto) { return convert<float>(a); });
  check<T, L>("to f64", [](auto a, auto, auto) { return convert<double>(a); });
  check<T, L>("a mask as bool", [](auto a, auto b, auto) { return convert<std::uint8_t>(a < b); });
  if constexpr (std::is_floating_point_v<T>) {
    check<T, L>("sqrt", [](auto a, auto, auto) { return sqrt(a); });
    check<T, L>("floor", [](auto a, auto, auto) { return floor(a); });
    check<T, L>("ceil", [](auto a, auto, auto) { return ceil(a); });
    check<T, L>("trunc", [](auto a, auto, auto) { return trunc(a); });
    check<T, L>("round_even", [](auto a, auto, auto) { return round_even(a); });
    check<T, L>("copysign", [](auto a, auto b, auto) { return copysign(a, b); });
    check<T, L>("isnan", [](auto a, auto, auto) { return isnan(a); });
  } else {
    check<T, L>("%", [](auto a, auto b, auto) { return a % b; });
    check<T, L>("&|^~", [](auto a, auto b, auto c) { return ((a & b) | ~c) ^ b; });
    check<T, L>("<< 3", [](auto a, auto, auto) { return a << 3; });
    check<T, L>(">> 3", [](auto a, auto, auto) { return a >> 3; });
    check<T, L>("<< 64", [](auto a, auto, auto) { return a << 64; });
    check<T, L>(">> 64", [](auto a, auto, auto) { return a >> 64; });
    check<T, L>("<<", [](auto a, auto b, auto) { return a << b; });
    check<T, L>(">>", [](auto a, auto b, auto) { return a >> b; });
  }
  check_memory<T, L>();
  check_permute_wide<T, L, 0>();
  check_permute_wide<T, L, 1>();
  check_permute_wide<T, L, 2>();
}

template <int L>
void check_bool() {
  check<bool, L>("&", [](auto a, auto b, auto) { return a & b; });
  check<bool, L>("|", [](auto a, auto b, auto) { return a | b; });
  check<bool, L>("^", [](auto a, auto b, auto) { return a ^ b; });
  check<bool, L>("~", [](auto a, auto, auto) { return ~a; });
  check<bool, L>("==", [](auto a, auto b, auto) { return a == b; });
  check<bool, L>("<", [](auto a, auto b, auto) { return a < b; });
  check<bool, L>(">=", [](auto a, auto b, auto) { return a >= b; });
  check<bool, L>("select", [](auto a, auto b, auto c) { return select(a, b, c); });
  check<bool, L>("to i8", [](auto a, auto, auto) { return convert<std::int8_t>(a); });
  check<bool, L>("to u16", [](auto a, auto, auto) { return convert<std::uint16_t>(a); });
  check<bool, L>("to i64", [](auto a, auto, auto) { return convert<std::int64_t>(a); });
  check<bool, L>("to i32", [](auto a, auto, auto) { return convert<std::int32_t>(a); });
  check<bool, L>("to f64", [](auto a, auto, auto) { return convert<double>(a); });
  check_memory<bool, L>();
  check_permute_wide<bool, L, 2>();
  for (int i = 0; i <= L; ++i) {
    bool lanes[L] = {};
    if (i < L) lanes[i] = true;
    CHECK(any(simd::load<bool, L>(lanes)) == (i < L));
    CHECK(!all(~simd::load<bool, L>(lanes)) == (i < L));
  }
}

TEST_CASE_TEMPLATE("packs agree with lanes", T, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double) {
  check_number<T, 2>();
  check_number<T, simd::native_lanes<T>>();
  check_number<T, 32>();
}

// Of N packs: zeros of both signs, NaNs of both signs, and lanes that are all negative.
template <class T, int L, int N>
int differing_extrema() {
  using limits = std::numeric_limits<T>;
  T const numbers[] = {T(0),    -T(0),  T(1),   T(-1), T(-2), T(2), limits::quiet_NaN(), -limits::quiet_NaN(), limits::infinity(), -limits::infinity(),
                       -limits::denorm_min(), limits::denorm_min()};
  std::mt19937 next(7);
  int differing = 0;
  for (unsigned round = 0; round < 3000; ++round) {
    T in[N][L], largest[L], smallest[L];
    simd::pack<T, L> packs[N];
    for (int i = 0; i < N; ++i) {
      for (T& x : in[i]) x = numbers[(next() % (round % 12 + 1) + round / 12) % 12];
      packs[i] = simd::load<T, L>(in[i]);
    }
    simd::store(simd::pack<T, L>::template maximum_of<N>(packs), largest);
    simd::store(simd::pack<T, L>::template minimum_of<N>(packs), smallest);
    for (int l = 0; l < L; ++l) {
      simd::lane<T> lanes[N];
      for (int i = 0; i < N; ++i) lanes[i] = simd::lane<T>(in[i][l]);
      differing += !same(simd::lane<T>::template maximum_of<N>(lanes).value, largest[l]);
      differing += !same(simd::lane<T>::template minimum_of<N>(lanes).value, smallest[l]);
    }
  }
  return differing;
}
// Next to multiples, where a quotient by a rounded reciprocal could be wrong by one.
TEST_CASE_TEMPLATE("quotients next to multiples", T, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t) {
  constexpr int lanes = 16;
  using U = std::make_unsigned_t<T>;
  T x[lanes], quotients[lanes], rests[lanes];
  int differing = 0;
  for (unsigned n = 0; n < 65'536; n += sizeof(T) == 1 ? 257 : 7) {
    U const divisor = static_cast<U>(sizeof(T) == 4 ? n * 40'503u >> n % 29 : sizeof(T) == 2 ? n : n >> 8);
    U const most = static_cast<U>(divisor == 0 ? 200u : static_cast<U>(-1) / divisor);
    for (unsigned i = 0; i < lanes; ++i) x[i] = static_cast<T>(divisor * (most >> i / 2) - i % 2);
    auto const a = simd::load<T, lanes>(x);
    simd::pack<T, lanes> const b(static_cast<T>(divisor));
    simd::store(a / b, quotients);
    simd::store(a % b, rests);
    for (int i = 0; i < lanes; ++i) {
      simd::lane<T> const numerator(x[i]), denominator(static_cast<T>(divisor));
      differing += quotients[i] != (numerator / denominator).value || rests[i] != (numerator % denominator).value;
    }
  }
  CHECK(differing == 0);
}
// Elements of tables of N, the last of which ends where memory ends, by packs of L indices.
template <int N, class T, int L>
int wrong_lookups() {
  int wrong = 0;
  if constexpr (N <= simd::longest_table<T, L>) {
    std::vector<T> table(N);
    for (int i = 0; i < N; ++i) table[static_cast<std::size_t>(i)] = static_cast<T>(3 * i + 1);
    for (int first = 0; first < N; first += 5) {
      std::int32_t at[L];
      T found[L];
      for (int i = 0; i < L; ++i) at[i] = (first + 7 * i) % N;
      simd::store(simd::look_up<N, T, L>(table.data(), simd::load<std::int32_t, L>(at)), found);
      for (int i = 0; i < L; ++i) wrong += found[i] != table[static_cast<std::size_t>(at[i])];
    }
  }
  return wrong;
}
template <class T, int L>
int wrong_in_any_table() {
  return []<int... N>(std::integer_sequence<int, N...>) {
    return (wrong_lookups<N, T, L>() + ...);
  }(std::integer_sequence<int, 1, 2, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 32, 33, 47, 64, 65, 96, 127, 128, 129, 192, 255, 256>{});
}
TEST_CASE("short tables") {
  CHECK(wrong_in_any_table<float, 8>() + wrong_in_any_table<float, 16>() + wrong_in_any_table<std::int32_t, 32>() == 0);
  CHECK(wrong_in_any_table<double, 4>() + wrong_in_any_table<double, 8>() + wrong_in_any_table<std::uint64_t, 16>() == 0);
  CHECK(wrong_in_any_table<std::uint8_t, 16>() + wrong_in_any_table<std::int8_t, 32>() + wrong_in_any_table<std::int16_t, 16>() == 0);
}

TEST_CASE("extrema of several packs") {
  CHECK(differing_extrema<float, 4, 5>() + differing_extrema<float, 8, 2>() + differing_extrema<float, 8, 8>() == 0);
  CHECK(differing_extrema<float, 16, 3>() + differing_extrema<float, 16, 4>() + differing_extrema<double, 2, 3>() == 0);
  CHECK(differing_extrema<double, 4, 8>() + differing_extrema<double, 8, 5>() == 0);
}

TEST_CASE("masks") {
  check_bool<2>();
  check_bool<4>();
  check_bool<8>();
  check_bool<16>();
  check_bool<64>();
}

TEST_CASE("permute") {
  float const a[] = {0, 1, 2, 3}, b[] = {4, 5, 6, 7};
  float out[4];
  simd::store(simd::permute<1, 2, 3, 4>(simd::load<float, 4>(a), simd::load<float, 4>(b)), out);
  for (int i = 0; i < 4; ++i) CHECK(out[i] == static_cast<float>(i + 1));
  simd::store(simd::permute<3, 3, 0, 1>(simd::load<float, 4>(a)), out);
  CHECK(out[0] == 3);
  CHECK(out[2] == 0);
  simd::store(simd::iota<float, 4>(), out);
  for (int i = 0; i < 4; ++i) CHECK(out[i] == static_cast<float>(i));
}

}  // namespace

#endif
