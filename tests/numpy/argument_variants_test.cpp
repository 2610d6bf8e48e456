// SPDX-License-Identifier: BSL-1.0
// Arguments of jax.numpy's functions that change what they compute: bounds that are left out, ends of differences, weights and
// divisors of covariances and histograms, axes in pairs, dtypes of running sums. Values: NumPy's.
#include <complex>
#include <cstdint>
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

using c64 = std::complex<float>;
template <int... D>
using ints = ex::array<std::int32_t, D...>;
template <int... D>
using floats = ex::array<float, D...>;

constexpr ints<2, 4> a{{1, 5, 2, 9}, {3, 8, 7, 4}};
constexpr ints<2, 4> m{{0, 1, 2, 5}, {3, 1, 0, 2}};

template <int... D>
bool near(floats<D...> const& x, floats<D...> const& y) {
  return ex::allclose(x, y, 1e-5f, 1e-6f)();
}

}  // namespace

TEST_CASE("clip, sort and products") {
  CHECK(ex::clip(a, 3) == ints<2, 4>{{3, 5, 3, 9}, {3, 8, 7, 4}});
  CHECK(ex::clip(a, ex::none, 4) == ints<2, 4>{{1, 4, 2, 4}, {3, 4, 4, 4}});
  CHECK(ex::clip(a, ex::none, ex::none) == a);
  CHECK(ex::sort(a, ex::none, ex::descending) == ints<8>{9, 8, 7, 5, 4, 3, 2, 1});
  CHECK(ex::argsort(m, ex::none) == ints<8>{0, 6, 1, 5, 2, 7, 4, 3});
  ex::array<c64, 3> const u{c64(1, 1), c64(2, 0), c64(0, -1)}, v{c64(2, 0), c64(0, 1), c64(1, 1)};
  CHECK(ex::vecdot(u, v)() == c64(1, 1));
  CHECK(ex::vecmat(u, ex::array<c64, 3, 2>{{c64(1, 0), c64(2, 0)}, {c64(0, 1), c64(0, 0)}, {c64(0, 0), c64(1, 0)}}) == ex::array<c64, 2>{c64(1, 1), c64(2, -1)});
  CHECK(ex::vecdot(a, m, ex::axis<0>) == ints<4>{9, 13, 4, 53});
  CHECK(ex::tensordot(ints<1, 2, 3>{{{0, 1, 2}, {3, 4, 5}}}, ints<3, 2, 2>{{{0, 1}, {2, 3}}, {{4, 5}, {6, 7}}, {{8, 9}, {10, 11}}}, ex::axis<1, -1>, ex::axis<2, 0>) ==
        ints<1, 2>{{88, 118}});
}

TEST_CASE("running sums and differences") {
  CHECK(ex::cumsum(ints<3>{-1, 0, 1}, ex::bool_) == ex::array<bool, 3>{true, true, true});
  CHECK(ex::cumprod(a, ex::axis<1>, ex::float32) == floats<2, 4>{{1, 5, 10, 90}, {3, 24, 168, 672}});
  CHECK(ex::cumulative_sum(ex::array<std::uint8_t, 2, 2>{{200, 100}, {1, 2}}, ex::axis<1>, ex::include_initial) == ex::array<std::uint32_t, 2, 3>{{0, 200, 300}, {0, 1, 3}});
  CHECK(ex::cumulative_prod(ints<3>{2, 3, 4}, ex::include_initial) == ints<4>{1, 2, 6, 24});
  CHECK(ex::diff(a, ex::prepend(0)) == ints<2, 4>{{1, 4, -3, 7}, {3, 5, -1, -3}});
  CHECK(ex::diff<2>(a, ex::axis<0>, ex::append_(5), ex::prepend(1.5f)) == floats<2, 4>{{2.5f, -0.5f, 4.5f, -12.5f}, {0, -6, -7, 6}});
  CHECK(ex::ediff1d(a, ex::to_begin(7), ex::to_end(ints<1, 2>{{1, 2}})) == ints<10>{7, 4, -3, 7, -6, 5, -1, -3, 1, 2});
}

TEST_CASE("covariances") {
  ints<4> const often{1, 2, 1, 3};
  CHECK(ex::cov(m, ex::rowvar<false>)(0) == floats<4>{4.5f, 0, -3, -4.5f});
  CHECK(ex::cov(m, ex::bias) == floats<2, 2>{{3.5f, -0.25f}, {-0.25f, 1.25f}});
  CHECK(near(ex::cov(m, ex::fweights(often)), floats<2, 2>{{4.904762f, 0.3571429f}, {0.3571429f, 0.952381f}}));
  CHECK(near(ex::cov(m, ex::aweights(floats<4>{1, 0.5f, 0.5f, 2}), ex::fweights(often), ex::ddof<2>), floats<2, 2>{{6.178771f, 0.1452514f}, {0.1452514f, 0.7374302f}}));
  CHECK(near(ex::corrcoef(m, ints<4>{1, 2, 3, 5})(0), floats<3>{1, -0.1195229f, 0.9938587f}));
  CHECK(near(ex::real(ex::corrcoef(ex::array<c64, 2, 3>{{c64(1, 2), c64(3, -1), c64(0, 0)}, {c64(2, 0), c64(0, 1), c64(1, -1)}})), floats<2, 2>{{1, -0.4909903f}, {-0.4909903f, 1}}));
  CHECK(ex::cov(ex::array<float, 0, 3>{}).size() == 0);
}

TEST_CASE("histograms") {
  ints<8> const v{3, 1, 4, 1, 5, 9, 2, 6}, w{1, 2, 3, 4, 5, 6, 7, 8};
  CHECK(ex::histogram<4>(v, ex::weights(w)) == std::tuple(floats<4>{13, 4, 13, 6}, floats<5>{1, 3, 5, 7, 9}));
  CHECK(near(std::get<0>(ex::histogram(v, ints<4>{0, 2, 4, 9}, ex::density, ex::weights(w))), floats<3>{0.08333333f, 0.1111111f, 0.1222222f}));
  ints<5, 2> const points{{0, 0}, {1, 2}, {2, 1}, {4, 4}, {1, 0}};
  CHECK(ex::histogramdd<2, 4>(points) == std::tuple(ints<2, 4>{{2, 0, 1, 0}, {0, 1, 0, 1}}, std::tuple(floats<3>{0, 2, 4}, floats<5>{0, 1, 2, 3, 4})));
  CHECK(std::get<0>(ex::histogramdd<2>(points, ex::range(0, 2), ex::none, ex::weights(ints<5>{1, 2, 3, 4, 5}))) == floats<2, 2>{{1, 0}, {8, 2}});
  CHECK(near(std::get<0>(ex::histogram2d<2>(points(ex::all, 0), points(ex::all, 1), ex::density)), floats<2, 2>{{0.1f, 0.05f}, {0.05f, 0.05f}}));
  CHECK(std::get<0>(ex::histogram2d(points(ex::all, 0), points(ex::all, 1), ex::tuple(floats<3>{0, 1, 4}, floats<3>{0, 3, 4}))) == ints<2, 2>{{1, 0}, {3, 1}});
}

TEST_CASE("padding") {
  ints<3> const v{3, 1, 5};
  CHECK(ex::pad<1, 2>(v, ex::constant_values(4, 6)) == ints<6>{4, 3, 1, 5, 6, 6});
  CHECK(ex::pad<1, 0, 0, 1>(ints<1, 2>{{7, 8}}, ex::constant_values(1, 2, 3, 4)) == ints<2, 3>{{1, 1, 4}, {7, 8, 4}});
  CHECK(ex::pad<4, 3>(v, ex::pad_mode<ex::pad_with::reflect>, ex::reflect_odd) == ints<10>{-1, -3, 1, 5, 3, 1, 5, 9, 7, 5});
  CHECK(ex::pad<2, 1>(v, ex::pad_mode<ex::pad_with::symmetric>, ex::reflect_odd) == ints<6>{5, 3, 3, 1, 5, 5});
  CHECK(ex::pad<1>(v, ex::pad_mode<ex::pad_with::median>) == ints<5>{3, 3, 1, 5, 3});
  CHECK(ex::pad<1>(v, ex::pad_mode<ex::pad_with::maximum>, ex::stat_length<2>) == ints<5>{3, 3, 1, 5, 5});
  CHECK(ex::pad<2>(floats<2>{1, 3}, ex::pad_mode<ex::pad_with::linear_ramp>, ex::end_values(5, -1)) == floats<6>{5, 3, 1, 3, 1, -1});
  CHECK(ex::pad<1>(v, ex::pad_mode<ex::pad_with::empty>) == ints<5>{0, 3, 1, 5, 0});
  // numpy.insert's documentation
  CHECK(ex::insert<2, 2>(ints<6>{1, 1, 2, 2, 3, 3}, ints<2>{5, 6}) == ints<8>{1, 1, 5, 6, 2, 2, 3, 3});
  CHECK(ex::insert<3, 1>(ints<2, 4>{{0, 1, 2, 3}, {4, 5, 6, 7}}, ints<2>{7, 9}, ex::axis<1>) == ints<2, 6>{{0, 9, 1, 2, 7, 3}, {4, 9, 5, 6, 7, 7}});
}

TEST_CASE("complex windows and pieces") {
  ex::array<c64, 2> const u{c64(1, 1), c64(0, 2)}, w{c64(2, 0), c64(0, 1)};
  CHECK(ex::correlate(u, w) == ex::array<c64, 1>(c64(4, 2)));
  floats<3> const x{-2, 0.5f, 3};
  CHECK(ex::piecewise(x, ex::tuple(x < 0, x > 1), std::tuple([](auto z) { return -z; }, 5, [](auto z) { return z * z; })) == floats<3>{2, 0.25f, 5});
}
