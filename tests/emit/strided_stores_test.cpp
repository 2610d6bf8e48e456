// SPDX-License-Identifier: BSL-1.0
// Loads and updates of every second, third, ... element (emit/kernels/strided.hpp): what lies between is kept, and nothing behind the end is written.
#include <cstdint>
#include <utility>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

template <class T, int N, int First, int Stride>
void check() {
  constexpr auto update = [](auto x) {
    auto const y = x(ex::slice<First, ex::none, Stride>);
    return x.at(ex::slice<First, ex::none, Stride>).set(y * y + T(1));
  };
  T in[N], out[N + 1];
  for (int i = 0; i < N; ++i) in[i] = static_cast<T>(i * 29 % 83 - 41);
  out[N] = T(7);
  ex::view<T, N> to(out);
  ex::jit(update).into(to, ex::view<T const, N>(in));
  int wrong = out[N] != T(7);
  for (int i = 0; i < N; ++i) {
    bool const is_set = i >= First && (i - First) % Stride == 0;
    wrong += out[i] != (is_set ? static_cast<T>(in[i] * in[i] + T(1)) : in[i]);
  }
  CHECK(wrong == 0);
}
template <class T>
void check_strides() {
  check<T, 64, 1, 2>();
  check<T, 203, 0, 2>();
  check<T, 200, 3, 3>();
  check<T, 263, 2, 4>();
  check<T, 300, 0, 5>();
}

// Elements with a stride that are loaded together: each column of rows.
template <int... K>
constexpr auto weighted = [](auto x) { return ((x(ex::all, K) * (K + 1)) + ...); };
template <class T, int Columns>
void check_columns() {
  constexpr int rows = 45;
  ex::array<T, rows, Columns> x;
  for (int i = 0; i < rows * Columns; ++i) x.data()[i] = static_cast<T>(i * 29 % 83 - 41);
  auto const made = [&]<int... K>(std::integer_sequence<int, K...>) {
    return ex::jit(weighted<K...>)(x);
  }(std::make_integer_sequence<int, Columns>{});
  int wrong = 0;
  for (int r = 0; r < rows; ++r) {
    T sum = 0;
    for (int k = 0; k < Columns; ++k) sum += x(r, k) * static_cast<T>(k + 1);
    wrong += made(r) != sum;
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("strided loads") {
  check_columns<float, 2>();
  check_columns<float, 4>();
  check_columns<std::int32_t, 8>();
}
TEST_CASE("strided stores") {
  check_strides<float>();
  check_strides<double>();
  check_strides<std::int32_t>();
  check_strides<std::uint64_t>();
  check_strides<std::int16_t>();
}
