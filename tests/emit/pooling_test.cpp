// SPDX-License-Identifier: BSL-1.0
// Reductions of small windows of an array, as of pictures, run along the rows of the result, and have the bits of the reduction of each
// window.
#include <cmath>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr auto sum = [](auto x, auto... axes) { return ex::sum(x, axes...); };
constexpr auto prod = [](auto x, auto... axes) { return ex::prod(x, axes...); };
constexpr auto max = [](auto x, auto... axes) { return ex::max(x, axes...); };
constexpr auto mean = [](auto x, auto... axes) { return ex::mean(x, axes...); };

template <auto const& Reduce, int Rows, int A, int Columns, int B>
constexpr auto pooled = [](auto x) { return Reduce(ex::reshape<Rows, A, Columns, B>(x), ex::axis<1, 3>); };

template <auto const& Reduce, class T, int Rows, int A, int Columns, int B>
bool has_bits_of_windows() {
  ex::array<T, Rows * A, Columns * B> x;
  for (int i = 0; i < static_cast<int>(x.size()); ++i) x.data()[i] = static_cast<T>((i * 37 % 101 - 50) * 0.37);
  for (int i = 0; i < A; ++i)
    for (int j = 0; j < B; ++j) x(i, j) = -x(i, j) * 0;  // a sum of zeros of either sign
  if constexpr (!std::is_integral_v<T>) x(A, 1) = std::numeric_limits<T>::quiet_NaN();
  auto const all = ex::jit(pooled<Reduce, Rows, A, Columns, B>)(x);
  bool same = true;
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Columns; ++j) {
      ex::array<T, A, B> window;
      for (int a = 0; a < A; ++a)
        for (int b = 0; b < B; ++b) window(a, b) = x(i * A + a, j * B + b);
      T const one = ex::jit(Reduce)(window).item();
      T const other = all(i, j);
      same = same && (one == other ? std::signbit(double(one)) == std::signbit(double(other)) : one != one && other != other);
    }
  return same;
}

template <auto const& Reduce, int A, int B>
constexpr int kernels() {
  auto const f = pooled<Reduce, 32, A, 24, B>;
  using plan = ex::planned<ex::detail::compiled<ex::detail::traced<decltype(f), ex::expr<float, 32 * A, 24 * B>>>>;
  return plan::sizes.kernels + 100 * plan::sizes.reduces;
}
constexpr bool has_packs = ex::this_target.register_bytes > 0, has_wide_packs = ex::this_target.register_bytes >= 64;
static_assert(!has_packs || (kernels<sum, 2, 2>() == 1 && kernels<mean, 2, 4>() == 1));
static_assert(!has_wide_packs || kernels<max, 3, 3>() == 1);
static_assert(kernels<max, 4, 3>() > 100 && kernels<sum, 2, 1>() > 100);

}  // namespace

TEST_CASE("pooling") {
  CHECK(has_bits_of_windows<sum, float, 20, 2, 17, 2>());
  CHECK(has_bits_of_windows<sum, double, 20, 2, 17, 3>());
  CHECK(has_bits_of_windows<mean, float, 9, 3, 40, 3>());
  CHECK(has_bits_of_windows<prod, float, 20, 4, 17, 2>());
  CHECK(has_bits_of_windows<max, float, 20, 2, 17, 2>());
  CHECK(has_bits_of_windows<max, int, 20, 3, 33, 2>());
  CHECK(has_bits_of_windows<sum, int, 30, 2, 9, 2>());
}
