// SPDX-License-Identifier: BSL-1.0
// Products with few rows and columns, against plain loops: in packs that are parts of registers, or element by element.
#include <doctest/doctest.h>

#include <cstdint>

#include <exprax/exprax.hpp>

namespace {

namespace ex = exprax;

// Small integers, so that sums are exact in any order.
template <class T, int... D>
ex::array<T, D...> numbers(int seed) {
  auto a = ex::array<T, D...>::full(T(0));
  for (T& v : a) v = static_cast<T>((seed = (seed * 7 + 3) % 11) - 5);
  return a;
}

constexpr auto product = [](auto a, auto b) { return ex::matmul(a, b); };
constexpr auto with_transposed = [](auto a, auto b) { return ex::dot(ex::transpose(a), b); };
constexpr auto against_rows = [](auto a, auto b) { return ex::dot(a, ex::transpose(b)); };

template <class T, int N, int K, int M>
bool is_right() {
  auto const a = numbers<T, N, K>(1);
  auto const b = numbers<T, K, M>(2);
  auto expected = ex::array<T, N, M>::full(T(0));
  auto a_columns = ex::array<T, K, N>::full(T(0));
  auto b_columns = ex::array<T, M, K>::full(T(0));
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j)
      for (int k = 0; k < K; ++k) {
        expected(i, j) = static_cast<T>(expected(i, j) + a(i, k) * b(k, j));
        a_columns(k, i) = a(i, k);
        b_columns(j, k) = b(k, j);
      }
  return ex::jit(product)(a, b) == expected && ex::jit(with_transposed)(a_columns, b) == expected &&
         ex::jit(against_rows)(a, b_columns) == expected;
}
template <class T, int K>
bool are_right() {
  return is_right<T, 3, K, 1>() && is_right<T, 1, K, 2>() && is_right<T, 3, K, 3>() && is_right<T, 2, K, 5>();
}

}  // namespace

TEST_CASE("one to five columns") {
  CHECK(are_right<double, 2>());
  CHECK(are_right<double, 70>());
  CHECK(are_right<std::int64_t, 3>());
  CHECK(are_right<float, 3>());
  CHECK(are_right<std::int16_t, 3>());
  CHECK(are_right<std::int8_t, 2>());
}
TEST_CASE("batches, and the bits of constant evaluation") {
  constexpr ex::array<double, 2, 3> a{.1, .7, -.3, 1.1, .9, 1e-3};
  constexpr ex::array<double, 3, 2> b{.3, -.2, 1.7, .6, .01, 5};
  constexpr auto expected = ex::jit(product)(a, b);
  static ex::array<double, 2, 3> at_run_time = a;
  CHECK(ex::jit(product)(at_run_time, b) == expected);

  auto const x = numbers<double, 5, 3, 3>(4);
  auto const y = numbers<double, 5, 3, 2>(5);
  auto const z = ex::jit(product)(x, y);
  bool right = true;
  for (int n = 0; n < 5; ++n)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 2; ++j) right = right && z(n, i, j) == x(n, i, 0) * y(n, 0, j) + x(n, i, 1) * y(n, 1, j) + x(n, i, 2) * y(n, 2, j);
  CHECK(right);
}
