// SPDX-License-Identifier: BSL-1.0
// QR and eigenvalues: values by hand, residuals in float and double.
#include <algorithm>
#include <cmath>
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

template <class T, int M, int N>
ex::array<T, M, N> some(double seed) {
  ex::array<T, M, N> m;
  for (int k = 0; k < M * N; ++k) m.data()[k] = static_cast<T>(std::sin(0.7 * k * k + k * seed));
  return m;
}
template <class Tuple>
double worst(Tuple const& residuals) {
  return std::apply([](auto const&... x) { return std::max({static_cast<double>(x())...}); }, residuals);
}
// The signs of LAPACK: the first column becomes -|column| times the sign of its first element.
constexpr auto r = ex::linalg::qr(ex::array<float, 2, 2>{3, 1, 4, 2}, ex::linalg::r_only);
static_assert(r(0, 0) == -5 && r(1, 0) == 0 && r(0, 1) > -2.20001f && r(0, 1) < -2.19999f && r(1, 1) > 0.39999f && r(1, 1) < 0.40001f);

constexpr auto qr = [](auto a) {
  auto [q, r] = ex::linalg::qr(a);
  auto [whole, tall] = ex::linalg::qr(a, ex::linalg::complete);
  constexpr int k = decltype(q)::extent(1), m = decltype(whole)::extent(1);
  using type = typename decltype(q)::value_type;
  return ex::tuple(ex::max(ex::abs(ex::matmul(q, r) - a)), ex::max(ex::abs(ex::matmul(ex::transpose(q), q) - ex::eye<type, k>())),
                   ex::max(ex::abs(ex::matmul(whole, tall) - a)), ex::max(ex::abs(ex::matmul(ex::transpose(whole), whole) - ex::eye<type, m>())),
                   ex::max(ex::abs(ex::tril<-1>(r))));
};
constexpr auto eigen = [](auto b) {
  auto a = b + ex::transpose(b);
  auto [w, v] = ex::linalg::eigh(a);
  constexpr int n = decltype(w)::extent(0);
  using type = typename decltype(w)::value_type;
  return ex::tuple(ex::max(ex::abs(ex::matmul(a, v) - v * w)), ex::max(ex::abs(ex::matmul(ex::transpose(v), v) - ex::eye<type, n>())), w);
};

}  // namespace

TEST_CASE("QR") {
  auto const tall = ex::jit(qr)(some<double, 5, 3>(1.1));
  CHECK(worst(tall) < 1e-14);
  auto const wide = ex::jit(qr)(some<float, 2, 4>(1.3));
  CHECK(worst(wide) < 1e-6);
}
TEST_CASE("eigenvalues") {
  // Of (2, 1, 0), (1, 2, 1), (0, 1, 2): 2 - sqrt 2, 2, 2 + sqrt 2.
  auto const three = ex::jit(eigen)(ex::array<double, 3, 3>{{1, 1, 0}, {0, 1, 1}, {0, 0, 1}});
  CHECK(std::get<0>(three)() < 1e-14);
  CHECK(std::get<1>(three)() < 1e-14);
  double const expected[] = {2 - std::sqrt(2.0), 2, 2 + std::sqrt(2.0)};
  for (int i = 0; i < 3; ++i) CHECK(std::abs(std::get<2>(three)(i) - expected[i]) < 1e-14);
  auto const six = ex::jit(eigen)(some<float, 6, 6>(0.9));
  CHECK(std::get<0>(six)() < 2e-6f);
  CHECK(std::get<1>(six)() < 2e-6f);
  for (int i = 1; i < 6; ++i) CHECK(std::get<2>(six)(i - 1) <= std::get<2>(six)(i));
}
TEST_CASE("a stack of matrices has the eigenvalues of each") {
  constexpr auto values = [](auto a) { return ex::linalg::eigvalsh(a); };
  static ex::array<float, 8, 2, 2> many;
  for (int k = 0; k < 32; ++k) many.data()[k] = static_cast<float>(std::cos(0.3 * k * k));
  auto const all = ex::jit(values)(many);
  for (int k = 0; k < 8; ++k) {
    double const p = many(k, 0, 0), q = (many(k, 0, 1) + many(k, 1, 0)) / 2, s = many(k, 1, 1), d = std::hypot((p - s) / 2, q);
    CHECK(std::abs(all(k, 0) - ((p + s) / 2 - d)) < 1e-6);
    CHECK(std::abs(all(k, 1) - ((p + s) / 2 + d)) < 1e-6);
  }
}
