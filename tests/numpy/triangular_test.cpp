// SPDX-License-Identifier: BSL-1.0
// cholesky and triangular_solve: values by hand and from StableHLO's test data, residuals, stacks of matrices, texts.
#include <cmath>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

// L = (2, 0, 0), (1, 3, 0), (-1, 1, sqrt 3).
constexpr ex::array<float, 3, 3> a{{4, 2, -2}, {2, 10, 2}, {-2, 2, 5}};
constexpr auto l = ex::linalg::cholesky(a);
static_assert(l(0, 0) == 2 && l(1, 0) == 1 && l(1, 1) == 3 && l(2, 0) == -1 && l(2, 1) == 1 && l(0, 1) == 0 && l(0, 2) == 0 && l(1, 2) == 0);
static_assert(l(2, 2) > 1.7320506f && l(2, 2) < 1.7320511f);
static_assert(ex::linalg::cholesky(a, ex::linalg::upper)(0, 2) == -1);
static_assert(ex::linalg::cholesky(ex::array<float, 0, 0>{}) == ex::array<float, 0, 0>{});
static_assert(ex::linalg::cholesky(ex::array<int, 1, 1>{9}) == ex::array<float, 1, 1>{3});

// Not positive definite: every element is NaN, at the first pivot, between and at the last one.
constexpr auto fails = [](auto x) { return ex::all(ex::isnan(ex::linalg::cholesky(x))); };
static_assert(ex::jit(fails)(ex::array<float, 2, 2>{-1, 0, 0, 1}) == ex::array<bool>(true));
static_assert(ex::jit(fails)(ex::array<float, 3, 3>{{1, 1, 5}, {1, 1, 2}, {5, 2, 100}}) == ex::array<bool>(true));
static_assert(ex::jit(fails)(ex::array<double, 2, 2>{1, 2, 2, 1}) == ex::array<bool>(true));

constexpr ex::array<float, 3, 3> t{{2, 9, 9}, {1, 4, 9}, {3, 5, 8}};
constexpr ex::array<float, 3> x{1, 2, 2};
static_assert(ex::linalg::solve_triangular<true>(t, ex::array<float, 3>{2, 9, 29}) == x);
static_assert(ex::linalg::solve_triangular(t, ex::array<float, 3>{2, 9, 29}, ex::linalg::lower) == x);
static_assert(ex::linalg::solve_triangular<true, true>(t, ex::array<float, 3>{10, 18, 16}) == x);
static_assert(ex::linalg::solve_triangular<true, false, true>(t, ex::array<float, 3>{1, 3, 15}) == x);
static_assert(ex::linalg::solve_triangular(t, ex::array<float, 3>{38, 26, 16}) == x);
static_assert(ex::triangular_solve<ex::triangular{.lower = true}>(t, ex::array<float, 1, 3>{10, 18, 16}) == ex::array<float, 1, 3>{1, 2, 2});
static_assert(ex::triangular_solve<ex::triangular{.transpose_a = true}>(t, ex::array<float, 3>{38, 26, 16}) == x);

// StableHLO's triangular_solve_float16_4_4_float16_4_1, in float: above the diagonal, which is 1.
constexpr ex::array<float, 4, 4> given{{-3.134770f, -1.165040f, -1.280270f, 3.953130f},
                                       {-4.468750f, 2.023440f, -0.2595210f, 2.658200f},
                                       {0.07519530f, -1.421880f, -1.767580f, 4.679690f},
                                       {4.449220f, -1.000980f, -9.109370f, -2.769530f}};
constexpr auto found = ex::triangular_solve<ex::triangular{.left_side = true, .unit_diagonal = true}>(
    given, ex::array<float, 4, 1>{6.445310f, 3.988280f, -0.1346440f, -8.625f});
static_assert(found(0, 0) > 135.4f && found(0, 0) < 135.6f && found(1, 0) > 37.32f && found(1, 0) < 37.36f && found(2, 0) > 40.2f &&
              found(2, 0) < 40.25f && found(3, 0) == -8.625f);

constexpr auto factor = [](auto m) { return ex::linalg::cholesky(m); };
static_assert(ex::make_jaxpr(ex::vmap(factor))(ex::f32<5, 3, 3>) == R"({ lambda ; a:f32[5,3,3]. let
    b:f32[5,3,3] = jit[
      name=cholesky
      jaxpr={ lambda ; a:f32[5,3,3]. let
          c:f32[5,3,3] = transpose[permutation=(0, 2, 1)] a
          d:f32[5,3,3] = add a c
          e:f32[5,3,3] = div d 2.0:f32[]
          b:f32[5,3,3] = cholesky e
        in (b,) }
    ] a
  in (b,) })");
// Only b is mapped: its columns stand side by side.
constexpr auto forward = [](auto m, auto b) { return ex::triangular_solve<ex::triangular{.left_side = true, .lower = true}>(m, b); };
static_assert(ex::make_jaxpr(ex::vmap(forward, ex::in_axes<ex::none, 0>))(ex::f32<3, 3>, ex::f32<5, 3, 2>) ==
              R"({ lambda ; a:f32[3,3] b:f32[5,3,2]. let
    c:f32[3,2,5] = transpose[permutation=(1, 2, 0)] b
    d:f32[3,10] = reshape[dimensions=None new_sizes=(3, 10) sharding=None] c
    e:f32[3,10] = triangular_solve[
      conjugate_a=False
      left_side=True
      lower=True
      transpose_a=False
      unit_diagonal=False
    ] a d
    f:f32[3,2,5] = reshape[dimensions=None new_sizes=(3, 2, 5) sharding=None] e
    g:f32[5,3,2] = transpose[permutation=(2, 0, 1)] f
  in (g,) })");
constexpr std::string_view stablehlo = ex::lower(forward)(ex::f32<3, 3>, ex::f32<3, 2>).as_text();
static_assert(stablehlo.find("\"stablehlo.triangular_solve\"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose "
                             "NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>") != stablehlo.npos);

template <class T, int N>
ex::array<T, N, N> definite(int seed) {
  ex::array<T, N, N> m;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) m.data()[i * N + j] = T(std::cos((i + 1) * (j + 1) + seed) + std::cos((j + 1) * (i + 1) + seed)) / 2 + T(i == j ? N : 0);
  return m;
}
constexpr auto residuals = [](auto m) {
  auto c = ex::linalg::cholesky(m);
  auto b = m(ex::all, ex::slice<0, 3>);
  auto v = m(ex::all, 1);
  auto solved = ex::linalg::cho_solve(c, b);
  auto one = ex::linalg::cho_solve(c, v);
  auto right = ex::triangular_solve<ex::triangular{.lower = true}>(c, ex::transpose(b));
  return ex::tuple(ex::max(ex::abs(ex::matmul(c, ex::transpose(c)) - m)), ex::max(ex::abs(ex::matmul(m, solved) - b)), ex::max(ex::abs(ex::dot(m, one) - v)),
                   ex::max(ex::abs(ex::matmul(right, c) - ex::transpose(b))));
};
template <class T, int N>
void check_residuals(double bound) {
  auto const r = ex::jit(residuals)(definite<T, N>(1));
  CHECK(std::get<0>(r)() < bound);
  CHECK(std::get<1>(r)() < bound);
  CHECK(std::get<2>(r)() < bound);
  CHECK(std::get<3>(r)() < bound);
}

}  // namespace

TEST_CASE("residuals of cholesky") {
  check_residuals<float, 5>(1e-5);
  check_residuals<double, 12>(1e-13);
}
TEST_CASE("64 matrices in lanes have the bits of single ones") {
  static ex::array<float, 64, 6, 6> many;
  for (int k = 0; k < 64; ++k) {
    auto const m = definite<float, 6>(k);
    for (int i = 0; i < 36; ++i) many.data()[36 * k + i] = m.data()[i];
  }
  constexpr auto solve = [](auto m) {
    auto c = ex::linalg::cholesky(m);
    return ex::linalg::cho_solve(c, m(0));
  };
  auto const all = ex::jit(ex::vmap(solve))(many);
  for (int k = 0; k < 64; ++k) {
    auto const one = ex::jit(solve)(definite<float, 6>(k));
    for (int i = 0; i < 6; ++i) CHECK(all(k, i) == one(i));
  }
}
TEST_CASE("a stack of matrices") {
  auto const m = definite<float, 3>(2);
  ex::array<float, 2, 1, 3, 3> two;
  for (int i = 0; i < 18; ++i) two.data()[i] = m.data()[i % 9];
  auto const c = ex::linalg::cholesky(two);
  auto const one = ex::linalg::cholesky(m);
  for (int i = 0; i < 18; ++i) CHECK(c.data()[i] == one.data()[i % 9]);
}
