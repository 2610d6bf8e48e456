// SPDX-License-Identifier: BSL-1.0
// Updates of every second, third, ... element (emit/kernels/strided.hpp): what lies between is kept, and nothing behind the end is written.
#include <cstdint>

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

}  // namespace

TEST_CASE("strided stores") {
  check_strides<float>();
  check_strides<double>();
  check_strides<std::int32_t>();
  check_strides<std::uint64_t>();
  check_strides<std::int16_t>();
}
