// SPDX-License-Identifier: BSL-1.0
// Fourier transforms: values by hand, the definition, and there and back again.
#include <cmath>
#include <complex>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

using c64 = std::complex<float>;

constexpr auto four = ex::fft::fft(ex::array<float, 4>{1, 2, 3, 4});
static_assert(four(0) == c64(10, 0) && four(1) == c64(-2, 2) && four(2) == c64(-2, 0) && four(3) == c64(-2, -2));
constexpr auto half = ex::fft::rfft(ex::array<float, 2, 4>{{1, 2, 3, 4}, {0, 1, 0, -1}});
static_assert(half(0, 1) == c64(-2, 2) && half(1, 0) == c64(0, 0) && half(1, 1) == c64(0, -2) && half(1, 2) == c64(0, 0));
static_assert(ex::fft::irfft(ex::fft::rfft(ex::array<float, 4>{1, 2, 3, 4})) == ex::array<float, 4>{1, 2, 3, 4});
static_assert(ex::fft::irfft(ex::fft::rfft(ex::array<float, 2>{3, 5})) == ex::array<float, 2>{3, 5});
static_assert(ex::fft::fft(ex::array<int, 1>{7})(0) == c64(7, 0));

constexpr auto forward = [](auto x) { return ex::fft::fft(x); };
constexpr auto there_and_back = [](auto x) { return ex::fft::ifft(ex::fft::fft(x)); };

template <int N>
void check() {
  ex::array<double, N> x;
  for (int i = 0; i < N; ++i) x.data()[i] = std::sin(0.7 * i * i + i);
  auto const y = ex::jit(forward)(x);
  auto const z = ex::jit(there_and_back)(x);
  for (int k = 0; k < N; ++k) {
    std::complex<double> sum = 0;
    for (int j = 0; j < N; ++j) sum += x(j) * std::polar(1.0, -2 * 3.141592653589793 * j * k / N);
    CHECK(std::abs(sum - std::complex<double>(y(k))) < 1e-13 * N);
    CHECK(std::abs(std::complex<double>(z(k)) - x(k)) < 1e-15 * N);
  }
}

}  // namespace

TEST_CASE("16 and 12 points") {
  check<16>();
  check<12>();
}
