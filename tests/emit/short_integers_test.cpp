// SPDX-License-Identifier: BSL-1.0
// Products of short integers that are summed as 32-bit integers, against plain loops: each pair of dtypes, operands contiguous along the sum or
// along the columns, sums and columns and rows that are no multiple of anything, the extremes, and the same while compiling. Sums of short
// integers and of conditions as longer ones.
#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string_view>

#include <exprax/exprax.hpp>

namespace {

namespace ex = exprax;
using i8 = std::int8_t;
using u8 = std::uint8_t;
using i16 = std::int16_t;

// All values of T, the smallest and the largest often.
template <class T, int... D>
constexpr ex::array<T, D...> filled(unsigned state) {
  auto a = ex::array<T, D...>::full(0);
  for (T& v : a) {
    state = state * 1103515245u + 12345u;
    unsigned const bits = state >> 9;
    v = bits % 4 == 0   ? std::numeric_limits<T>::min()
        : bits % 4 == 1 ? std::numeric_limits<T>::max()
                        : static_cast<T>(bits >> 4);
  }
  return a;
}

constexpr auto product = [](auto a, auto b) { return ex::dot_general<int>(a, b, ex::contracting<ex::axis<1>, ex::axis<0>>); };
constexpr auto of_converted = [](auto a, auto b) { return ex::dot(a.template astype<int>(), b.template astype<int>()); };
constexpr auto against_rows = [](auto a, auto b) { return ex::dot_general<int>(a, b, ex::contracting<ex::axis<1>, ex::axis<1>>); };
constexpr auto of_columns = [](auto a, auto b) { return ex::dot_general<int>(a, b, ex::contracting<ex::axis<0>, ex::axis<0>>); };

// M x N sums of K products, by so many of the functions above.
template <class A, class B, int M, int N, int K, int Forms = 2>
void check() {
  auto const a = filled<A, M, K>(1);
  auto const b = filled<B, K, N>(2);
  auto expected = ex::array<int, M, N>::full(0);
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      unsigned sum = 0;
      for (int k = 0; k < K; ++k) sum += static_cast<unsigned>(int{a(i, k)} * int{b(k, j)});
      expected(i, j) = static_cast<int>(sum);
    }
  CHECK(ex::jit(product)(a, b) == expected);
  if constexpr (Forms > 1) {
    ex::array<B, N, K> const rows = ex::transpose(b);
    CHECK(ex::jit(against_rows)(a, rows) == expected);
  }
  if constexpr (Forms > 2) {
    ex::array<A, K, M> const columns = ex::transpose(a);
    CHECK(ex::jit(of_converted)(a, b) == expected);
    CHECK(ex::jit(of_columns)(columns, b) == expected);
  }
}

// Sums of rows of T as U, of rows without their first element, which begin anywhere, and of all.
template <class T, class U, int N>
void check_sums() {
  auto const x = filled<T, 3, N>(N);
  constexpr auto f = [](auto a) {
    auto const longer = [](auto v) { return v.template astype<U>(); };
    return ex::tuple(ex::sum(longer(a), ex::axis<1>), ex::sum(longer(a(ex::all, ex::slice<1, ex::none>)), ex::axis<1>), ex::sum(longer(a)),
                     ex::sum(a.template astype<float>(), ex::axis<1>), ex::sum(a.template astype<double>(), ex::axis<0>));
  };
  auto const [rows, parts, all, floats, doubles] = ex::jit(f)(x);
  std::uint64_t total = 0;
  bool same = true;
  for (int i = 0; i < 3; ++i) {
    std::uint64_t sum = 0;
    for (int j = 0; j < N; ++j) sum += static_cast<std::uint64_t>(x(i, j));
    same = same && rows(i) == static_cast<U>(sum) && parts(i) == static_cast<U>(sum - static_cast<std::uint64_t>(x(i, 0)));
    total += sum;
    // Exact, where the sum of the largest is less than 1 << 24.
    if (sizeof(T) == 1 || N <= 256) same = same && floats(i) == static_cast<float>(static_cast<std::int64_t>(sum));
  }
  for (int j = 0; j < N; ++j) same = same && doubles(j) == double(x(0, j)) + double(x(1, j)) + double(x(2, j));
  INFO("rows of ", N);
  CHECK(same);
  CHECK(all() == static_cast<U>(total));
}
template <class T, class U>
void check_sums_of_lengths() {
  check_sums<T, U, 16>();
  check_sums<T, U, 33>();
  check_sums<T, U, 64>();
  check_sums<T, U, 100>();
  check_sums<T, U, 1021>();
}
bool same_as_while_compiling() {
  constexpr auto sum = [](auto a) { return ex::sum(a.template astype<int>()); };
  constexpr auto x = filled<i8, 200>(5);
  constexpr int expected = ex::jit(sum)(x)();
  return ex::jit(sum)(x)() == expected;
}

}  // namespace

TEST_CASE("sums of rows as longer integers") {
  check_sums_of_lengths<bool, int>();
  check_sums_of_lengths<u8, int>();
  check_sums_of_lengths<u8, std::int64_t>();
  check_sums_of_lengths<i8, int>();
  check_sums_of_lengths<i8, std::uint64_t>();
  check_sums_of_lengths<i16, int>();
  check_sums_of_lengths<i16, std::int64_t>();
  check_sums_of_lengths<std::uint16_t, unsigned>();
  CHECK(same_as_while_compiling());
}
TEST_CASE("int8 times int8") {
  check<i8, i8, 1, 1, 8, 4>();
  check<i8, i8, 5, 1, 197, 4>();
  check<i8, i8, 1, 70, 33, 4>();
  check<i8, i8, 19, 131, 70, 4>();
  check<i8, i8, 3, 5, 2'051>();
}
TEST_CASE("other pairs of dtypes") {
  check<i8, u8, 19, 37, 71>();
  check<i8, u8, 3, 21, 131>();
  check<u8, i8, 19, 37, 71>();
  check<u8, i8, 3, 21, 131>();
  check<u8, u8, 19, 37, 71>();
  check<u8, u8, 3, 21, 131>();
  check<i16, i16, 19, 37, 71>();
  check<i16, i16, 3, 21, 131>();
  check<i16, i8, 7, 37, 70>();
  check<u8, i16, 7, 37, 71>();
}
// Strips with and without a rest, rows that fill a tile and more; the last registers of rows overlap others, or do not.
TEST_CASE("few rows times a matrix") {
  check<i8, i8, 1, 300, 13, 1>();
  check<i8, i8, 3, 256, 12, 1>();
  check<i8, i8, 7, 70, 22, 1>();
  check<u8, u8, 2, 200, 9, 1>();
  check<u8, i8, 1, 64, 11, 1>();
  check<i16, i16, 1, 300, 17, 1>();
  check<i16, i16, 5, 67, 10, 1>();
  check<i16, i8, 2, 300, 9, 1>();
  check<i8, i16, 4, 64, 13, 1>();
  check<i16, u8, 1, 130, 12, 1>();
}

namespace {
constexpr auto batched = [](auto a, auto b) {
  return ex::dot_general<unsigned>(a, b, ex::contracting<ex::axis<2>, ex::axis<2>>, ex::batching<ex::axis<0>, ex::axis<1>>);
};
constexpr auto quantized = [](auto x, auto w) {
  auto const q = ex::clip(ex::round(x * 20.0f), -128, 127).template astype<i8>();
  return ex::dot_general<int>(q, w, ex::contracting<ex::axis<1>, ex::axis<0>>).template astype<float>() * 0.05f;
};
constexpr auto of_vectors = [](auto a, auto b) { return ex::dot_general<int>(a, b, ex::contracting<ex::axis<0>, ex::axis<0>>); };
constexpr auto of_part = [](auto a, auto b) {
  return product(a(ex::slice<1, -1>, ex::slice<2, ex::none>), b(ex::slice<ex::none, -2>, ex::slice<0, ex::none, 2>));
};
}  // namespace
TEST_CASE("batches, parts, vectors, fused neighbours") {
  auto const a = filled<i8, 3, 7, 19>(3);
  auto const b = filled<i8, 18, 3, 19>(4);
  auto const c = ex::jit(batched)(a, b);
  bool right = true;
  for (int n = 0; n < 3; ++n)
    for (int i = 0; i < 7; ++i)
      for (int j = 0; j < 18; ++j) {
        int sum = 0;
        for (int k = 0; k < 19; ++k) sum += a(n, i, k) * b(j, n, k);
        right = right && c(n, i, j) == static_cast<unsigned>(sum);
      }
  CHECK(right);

  auto const p = filled<i8, 9, 30>(5);
  auto const q = filled<u8, 30, 41>(6);
  auto const part = ex::jit(of_part)(p, q);
  right = part.shape == ex::shape<7, 21>;
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 21; ++j) {
      int sum = 0;
      for (int k = 0; k < 28; ++k) sum += p(i + 1, k + 2) * q(k, 2 * j);
      right = right && part(i, j) == sum;
    }
  CHECK(right);

  auto const x = filled<i8, 100>(7);
  auto const y = filled<i8, 100>(8);
  int sum = 0;
  for (int k = 0; k < 100; ++k) sum += x(k) * y(k);
  CHECK(ex::jit(of_vectors)(x, y) == sum);

  auto z = ex::array<float, 5, 24>::full(0);
  for (int i = 0; i < z.size(); ++i) z.data()[i] = 0.1f * static_cast<float>(i - 60);
  auto const w = filled<i8, 24, 9>(9);
  auto const r = ex::jit(quantized)(z, w);
  right = true;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 9; ++j) {
      int of = 0;
      for (int k = 0; k < 24; ++k) {
        float const v = __builtin_nearbyintf(z(i, k) * 20.0f);
        of += static_cast<int>(v < -128 ? -128 : v > 127 ? 127 : v) * w(k, j);
      }
      right = right && r(i, j) == static_cast<float>(of) * 0.05f;
    }
  CHECK(right);
}

namespace {
constexpr auto small = ex::jit(product)(ex::array<i8, 2, 8>{{-128, -128, 3, 4, 5, 6, 7, -128}, {127, 1, 1, 1, 1, 1, 1, 127}},
                                        ex::array<i8, 8, 2>{{-128, 1}, {-128, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {127, -1}});
static_assert(small(0, 0) == 16'384 + 16'384 + 25 - 16'256 && small(0, 1) == -256 + 25 + 128);
static_assert(small(1, 0) == -127 * 128 - 128 + 5 + 127 * 127 && small(1, 1) == 127 + 6 - 127);
constexpr std::string_view plan = ex::lower(product)(ex::spec<i8, 64, 64>, ex::spec<i8, 64, 64>).as_text("plan");
static_assert((plan.find(" at once") != std::string_view::npos) == (ex::this_target.short_products > 0));
static_assert(ex::this_target.short_products == 0 || plan.find("0 bytes of scratch") != std::string_view::npos ||
              ex::this_target.short_products == 2);
}  // namespace
