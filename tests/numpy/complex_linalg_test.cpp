// SPDX-License-Identifier: BSL-1.0
// Linear algebra of complex matrices: NumPy's and SciPy's values of one matrix, residuals of larger ones that take loops, by the
// interpreter; a stack of systems in compiled code.
#include <cmath>
#include <complex>
#include <vector>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>
#include "oracle.hpp"

namespace ex = exprax;

namespace {

using c64 = ex::complex64;
using c128 = ex::complex128;
using numbers = std::vector<double>;  // of complex results real and imaginary parts in turn

template <int... D>
std::vector<std::uint64_t> patterns_of(ex::array<c128, D...> const& a) {
  std::vector<std::uint64_t> v;
  for (int i = 0; i < a.size(); ++i) {
    v.push_back(ex::detail::to_bits(a.data()[i].real()));
    v.push_back(ex::detail::to_bits(a.data()[i].imag()));
  }
  return v;
}
// The results of f.
template <class F, class... A>
std::vector<numbers> results(F const&, A const&... a) {
  using traced = ex::detail::traced_with<F, A...>;
  REQUIRE(oracle::is_well_formed(traced::ref));
  std::vector<std::vector<std::uint64_t>> const in{patterns_of(a)...};
  std::vector<std::uint64_t const*> pointers;
  for (auto const& x : in) pointers.push_back(x.data());
  std::vector<numbers> out;
  for (auto const& r : oracle::interpret(traced::ref, {pointers.data(), static_cast<int>(pointers.size())})) {
    out.emplace_back();
    for (std::uint64_t x : r) out.back().push_back(ex::detail::from_bits<double>(x));
  }
  return out;
}
bool near(numbers const& a, numbers const& b, double tolerance = 1e-13) {
  bool good = a.size() == b.size();
  for (std::size_t i = 0; good && i < a.size(); ++i) good = std::abs(a[i] - b[i]) <= tolerance;
  return good;
}
double worst(std::vector<numbers> const& residuals) {
  double w = 0;
  for (numbers const& r : residuals) w = r.size() == 1 && r[0] >= 0 ? std::max(w, r[0]) : 1;
  return w;
}

ex::array<c128, 3, 3> const a{
    {c128(2, 1), c128(1, -1), c128(0.5)}, {c128(0, 0.5), c128(3), c128(1, 2)}, {c128(1, -2), c128(-1, 0.5), c128(4, -1)}};
ex::array<c128, 3, 2> const b{{c128(1), c128(0, 2)}, {c128(0, 1), c128(0)}, {c128(2, -1), c128(1)}};

constexpr auto adjoint = [](auto m) { return ex::conj(ex::transpose(m)); };
constexpr auto off = [](auto x, auto y) { return ex::max(ex::abs(x - y)); };

// Hermitian and positive definite, and what comes of it.
constexpr auto residuals = [](auto m) {
  constexpr int n = decltype(m)::extent(0);
  auto const one = ex::eye<c128, n>();
  auto const p = ex::matmul(m, adjoint(m)) + one;
  auto const l = ex::linalg::cholesky(p);
  auto const u = ex::linalg::cholesky(p, ex::linalg::upper);
  auto const [order, lower, upper] = ex::linalg::lu(m);
  auto const [q, r] = ex::linalg::qr(m);
  constexpr ex::triangular from_right{.left_side = false, .lower = true, .transpose_a = true, .conjugate_a = true};
  return ex::tuple(off(ex::matmul(l, adjoint(l)), p), off(ex::matmul(adjoint(u), u), p), off(ex::matmul(p, ex::linalg::cho_solve(l, m)), m),
                   off(ex::matmul(p, ex::linalg::cho_solve(u, m, ex::linalg::upper)), m),
                   off(ex::matmul(ex::triangular_solve<from_right>(l, m), adjoint(l)), m),
                   off(ex::matmul(order, ex::matmul(lower, upper)), m), off(ex::matmul(q, r), m), off(ex::matmul(adjoint(q), q), one),
                   ex::max(ex::abs(ex::tril<-1>(r))), off(ex::matmul(m, ex::linalg::solve(m, p)), p));
};
constexpr auto spectra = [](auto m) {
  constexpr int n = decltype(m)::extent(0);
  auto const one = ex::eye<c128, n>();
  auto const h = m + adjoint(m);
  auto const [w, v] = ex::linalg::eigh(h);
  auto const [u, s, vh] = ex::linalg::svd(m);
  return ex::tuple(off(ex::matmul(h, v), v * w), off(ex::matmul(adjoint(v), v), one), off(ex::matmul(u * s, vh), m),
                   off(ex::matmul(adjoint(u), u), one), off(ex::matmul(vh, adjoint(vh)), one),
                   off(ex::matmul(ex::linalg::pinv(m), m), one));
};
template <int N>
ex::array<c128, N, N> some() {
  ex::array<c128, N, N> m;
  for (int k = 0; k < N * N; ++k) m.data()[k] = c128(std::sin(0.7 * k * k + k), std::cos(1.3 * k * k - 2 * k));
  return m;
}

// In constant evaluation.
constexpr ex::array<c64, 2, 2> small{{c64(1, 1), c64(2)}, {c64(0, 1), c64(1, -1)}};
static_assert(ex::linalg::det(small)() == c64(2, -2) && ex::linalg::norm(small)() == 3);
static_assert(ex::linalg::cholesky(ex::array<c64, 2, 2>{{c64(4), c64(2, -2)}, {c64(2, 2), c64(3)}}) ==
              ex::array<c64, 2, 2>{{c64(2), c64(0)}, {c64(1, 1), c64(1)}});

}  // namespace

TEST_CASE("values of NumPy") {
  auto const r = results(
      [](auto a, auto b) {
        auto const [sign, logarithm] = ex::linalg::slogdet(a);
        return ex::tuple(ex::linalg::solve(a, b), ex::linalg::det(a), sign, logarithm,
                         ex::linalg::cholesky(ex::matmul(a, ex::conj(ex::transpose(a)))), ex::linalg::qr(a, ex::linalg::r_only),
                         std::get<0>(ex::lax::lu(a)), ex::linalg::eigvalsh(a + ex::conj(ex::transpose(a))), ex::linalg::svdvals(a));
      },
      a, b);
  CHECK(near(
      r[0], {0.36367423453447195, -0.234951051864195, 0.3557592168298271, 0.8698187877525514, -0.1235319564834249, -0.06928043837021125,
             0.15618541009084647, 0.1026388733116498, 0.4610257478409946, 0.10395270216140869, -0.2010478586191979, -0.08370051111146716}));
  CHECK(near(r[1], {30.375, 7.25}));
  CHECK(near(r[2], {0.9726772190988102, 0.23216164077255555}));
  CHECK(near(r[3], {3.4413228913164025}));
  CHECK(near(r[4], {2.692582403567252, 0, 0, 0, 0, 0, 1.4855627054164149, 1.8569533817705186, 2.9316936378494423, 0, 0, 0,
                    0.18569533817705186, -2.2283440581246223, 0.6351512796143225, -1.4820196524334193, 3.956033442958416, 0}));
  CHECK(near(r[5], {-3.2015621187164243, 0, 0.3123475237772121, 1.8740851426632723, -2.498780190217697, -1.8740851426632728, 0, 0,
                    -2.9394291796944225, 0, -1.1201776690437453, -0.477112710889003, 0, 0, 0, 0, -3.3183531894462734, 0}));
  CHECK(near(r[6], {2, 1, 1, -1, 0.5, 0, 0.1, 0.2, 2.7, -0.1, 0.95, 1.9, 0, -1, -0.02054794520547945, 0.5547945205479452, 5.073630136986301,
                    -0.988013698630137}));
  CHECK(near(r[7], {2.4309696847001367, 5.295234748304107, 10.273795566995759}));
  CHECK(near(r[8], {5.5666359252754285, 3.2964215606722607, 1.701813553174388}));

  auto const s = results(
      [](auto a) {
        return ex::tuple(ex::linalg::norm(a, ex::linalg::ord<1>), ex::linalg::norm(a, ex::linalg::inf), ex::linalg::norm(a),
                         ex::linalg::norm(a, ex::linalg::ord<3>, ex::axis<0>), ex::linalg::norm(a, ex::linalg::ord<0>, ex::axis<1>),
                         ex::linalg::expm(a / 4.0));
      },
      a);
  CHECK(near(s[0], {6.85917360311745}));
  CHECK(near(s[1], {7.477207591867345}));
  CHECK(near(s[2], {6.689544080129826}));
  CHECK(near(s[3], {2.822509032971929, 3.1489950472111854, 4.333826149816599}));
  CHECK(near(s[4], {3, 3, 3}));
  CHECK(near(s[5],
             {1.6808536064126376, 0.35502399674338375, 0.4704044206343426, -0.398334031072984, 0.46066369463107276, 0.04967157559326025,
              0.3071741935669433, 0.22234351808832148, 2.0185546086762782, -0.08975656852634653, 0.7699072614066196, 1.1015120892518941,
              0.4593122993976407, -1.1032458557461844, -0.61269905972051, 0.18880677509664212, 2.5135009515535613, -0.8672045147070132}));
}

TEST_CASE("residuals") {
  CHECK(worst(results(residuals, a)) < 1e-13);
  CHECK(worst(results(residuals, some<9>())) < 1e-12);
  CHECK(worst(results(spectra, a)) < 1e-13);
  CHECK(worst(results(spectra, some<4>())) < 1e-13);
}

TEST_CASE("a stack of systems, compiled") {
  ex::array<c64, 5, 2, 2> m;
  ex::array<c64, 5, 2> x;
  for (int k = 0; k < 20; ++k) m.data()[k] = c64(static_cast<float>(k * 7 % 5) - 2, static_cast<float>(k * 3 % 7) - 3);
  for (int k = 0; k < 10; ++k) x.data()[k] = c64(static_cast<float>(k % 3), static_cast<float>(k % 4) - 1);
  auto const y = ex::jit([](auto m, auto x) { return ex::matmul(m, ex::linalg::solve(m, ex::expand_dims(x, ex::axis<-1>))); })(m, x);
  for (int k = 0; k < 10; ++k) CHECK(std::abs(y.data()[k] - x.data()[k]) < 1e-5f);
}
