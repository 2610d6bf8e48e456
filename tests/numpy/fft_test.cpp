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

// NumPy's values of a[i, j, k] = (i + 2 j k - 3) + (j - k) i.
TEST_CASE("several axes, sizes, norms") {
  ex::array<std::complex<double>, 2, 3, 2> a;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 2; ++k) a(i, j, k) = {double(i + 2 * j * k - 3), double(j - k)};
  auto const [all, cut, half, back, turned] = ex::jit([](auto x) {
    namespace f = ex::fft;
    return ex::tuple(f::fftn(x), f::ifft2(x, f::s<2, 3>, ex::axis<2, 1>, f::ortho), f::rfftn(ex::real(x), ex::axis<0, 1>, f::forward),
                     f::irfft(x, f::n<5>, ex::axis<1>), f::hfft(x, ex::axis<0>));
  })(a);
  auto const near = [](auto x, std::complex<double> y) { return std::abs(std::complex<double>(x) - y) < 1e-13; };
  CHECK((near(all(0, 0, 0), {-18.0, 6.0}) && near(all(0, 1, 1), {6.0, -3.4641016151377544}) && near(all(1, 0, 0), {-6.0, 0.0})));
  CHECK((near(cut(0, 0, 0), {-4.898979485566357, 1.2247448713915892}) && near(cut(1, 2, 1), {1.2247448713915892, -0.7071067811865476})));
  CHECK((near(half(0, 0, 0), {-2.5, 0.0}) && near(half(1, 0, 1), {-0.5, 0.0}) && near(half(0, 1, 1), {-1.0, 0.5773502691896257})));
  CHECK((near(back(0, 0, 0), {-3.0, 0.0}) && near(back(1, 3, 1), {-0.5332090110181035, 0.0})));
  CHECK((near(turned(0, 1, 1), {-1.0, 0.0}) && near(turned(1, 2, 1), {-1.0, 0.0})));
  CHECK(ex::jit([] { return ex::fft::fftfreq<5>(0.5f); })() == ex::array<float, 5>{0, 0.4f, 0.8f, -0.8f, -0.4f});
  CHECK(ex::jit([] { return ex::fft::rfftfreq<5>(); })() == ex::array<float, 3>{0, 0.2f, 0.4f});
  CHECK(ex::fft::fftshift(ex::array<float, 5>{1, 2, 3, 4, 5}) == ex::array<float, 5>{4, 5, 1, 2, 3});
  CHECK(ex::fft::ifftshift(ex::array<float, 5>{4, 5, 1, 2, 3}) == ex::array<float, 5>{1, 2, 3, 4, 5});
  // Two axes of real numbers, there and back.
  ex::array<double, 2, 3> const x{{0, 1, 2}, {3, 4, 5}};
  auto const plane = ex::fft::rfft2(x);
  CHECK((near(plane(0, 0), {15.0, 0.0}) && near(plane(0, 1), {-3.0, 1.7320508075688772}) && near(plane(1, 0), {-9.0, 0.0})));
  auto const again = ex::fft::irfftn(plane, ex::fft::s<2, 3>);
  for (int i = 0; i < 6; ++i) CHECK(near(again(i / 3, i % 3), i));
}
