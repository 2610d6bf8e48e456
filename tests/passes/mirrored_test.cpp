// SPDX-License-Identifier: BSL-1.0
// Reductions of a value along two axes are one, if exchanging the axes changes nothing but signs: bit for bit, with NaN, infinities and -0.
#include <doctest/doctest.h>

#include <passes/traced.hpp>

using namespace traced_passes;

namespace {

constexpr auto in_rows = [](auto x) { return x(ex::all, ex::newaxis); };
constexpr auto in_columns = [](auto x) { return x(ex::newaxis, ex::all); };
// x_i - x_j, of numbers and of points.
constexpr auto differences = [](auto x) { return in_rows(x) - in_columns(x); };
constexpr auto distances = [](auto d) { return ex::sum(d * d, ex::axis<0>); };
constexpr auto both_sums = [](auto v) { return ex::tuple(ex::sum(v, ex::axis<0>), ex::sum(v, ex::axis<1>)); };
constexpr auto both_maxima = [](auto v) { return ex::tuple(ex::max(v, ex::axis<0>), ex::max(v, ex::axis<1>)); };

// How many reductions of the larger of two axes are left.
int reductions(program_ref p) {
  int n = 0;
  for (int i = 0; i < p.n.eqns; ++i)
    if (ex::is_reduction(p.eqns[i].op)) {
      ex::aval const& t = p.type(p.in(p.eqns[i], 0));
      n += t.dims[p.param(p.eqns[i], 0)] > 3;
    }
  return n;
}
template <class F, class... Specs>
void check(int expected, F f, Specs... specs) {
  constexpr program_ref p = decltype(ex::make_jaxpr(f)(specs...))::program::ref;
  program const lowered = ex::lower_types(p), simplified = ex::simplify(lowered.ref()), q = ex::dce(simplified.ref());
  CHECK(ex::check(q.ref()));
  CHECK(reductions(q.ref()) == expected);
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    auto const in = random_programs::random_inputs(p, seed);
    ex::detail::arena<std::uint64_t const*> pointers;
    for (auto const& e : in) pointers.push(e.data());
    auto const a = ex::interpret(p, pointers), b = ex::interpret(q.ref(), pointers);
    REQUIRE(a.size() == b.size());
    bool same = true;
    for (int k = 0; k < a.size(); ++k)
      for (int i = 0; i < a[k].size(); ++i)
        same = same && random_programs::same_element(p.type(p.outs(p.main())[k]).type, a[k][i], b[k][i]);
    CHECK(same);
  }
}
#define OF(v) [](auto x) { return both_sums(v); }
#define OF_TWO(v) [](auto x, auto y) { return both_sums(v); }

TEST_CASE("pairs") {
  auto const x = ex::f64<70>;
  check(1, OF(differences(x)), x);
  check(1, OF(ex::exp(-ex::abs(differences(x)))), x);
  check(1, OF(-differences(x) * ex::exp(-differences(x) * differences(x))), x);
  check(1, OF(differences(x) / (1.0 + ex::square(differences(x)))), x);
  check(1, OF(differences(x).template astype<float>()), x);
  check(1, OF(ex::where(in_rows(x) == in_columns(x), 0.0, ex::abs(differences(x)))), x);
  check(1, OF(differences(x) + differences(ex::sin(x))), x);
  check(1, OF(differences(x) * ex::sqrt(differences(x) * differences(ex::sin(x)))), x);
  check(1, OF((in_rows(x) * in_columns(x) + ex::eye<double, 70>())), x);
  check(1, OF((ex::eye<double, 70, 70>() * differences(x))), x);
  check(1, [](auto x) { return both_maxima(in_rows(x) * in_columns(x)); }, x);
  check(1, [](auto x) { return both_maxima(ex::minimum(in_rows(x), in_columns(x))); }, x);
  check(1, OF(in_rows(x) * in_columns(x)), ex::i32<70>);
  check(1, OF(differences(x)), ex::f32<4>);
}
TEST_CASE("points") {
  auto const of_points = [](auto x) {  // [coordinate, point]
    auto const d = x(ex::all, ex::all, ex::newaxis) - x(ex::all, ex::newaxis, ex::all);
    auto const v = d * ex::exp(-distances(d));
    return ex::tuple(ex::sum(v, ex::axis<1>), ex::sum(v, ex::axis<2>));
  };
  check(1, of_points, ex::f64<3, 20>);
  auto const of_rows = [](auto x) {  // [point, coordinate]
    auto const d = x(ex::all, ex::newaxis, ex::all) - x(ex::newaxis, ex::all, ex::all);
    return both_sums(d * ex::sum(d * d, ex::axis<2>, ex::keepdims));
  };
  check(1, of_rows, ex::f32<20, 2>);
  check(1, ex::grad([](auto x) {
          auto const d = x(ex::all, ex::newaxis, ex::all) - x(ex::newaxis, ex::all, ex::all);
          return ex::sum(ex::exp(-ex::sum(d * d, ex::axis<2>)), ex::axis<0, 1>);
        }),
        ex::f64<20, 2>);
}
TEST_CASE("matrices") {
  auto const a = ex::f64<20, 20>;
  check(1, OF(x + x.T()), a);
  check(1, OF(x - x.T()), a);
  check(1, OF(ex::exp(ex::maximum(x, x.T()))), a);
  check(1, OF(ex::dot(x, x.T())), ex::f32<20, 5>);
  check(1, OF(ex::einsum<"ki,kj->ij">(x, x)), ex::f32<5, 20>);
}
TEST_CASE("what is not mirrored") {
  auto const x = ex::f64<20>;
  check(2, OF(x), ex::f64<20, 20>);
  check(2, OF(in_rows(x) - 2.0 * in_columns(x)), x);
  check(2, OF(ex::exp(differences(x))), x);
  check(2, OF(differences(x) + 1.0), x);
  check(2, OF_TWO(in_rows(x) * in_columns(y)), x, x);
  check(2, OF(1.0 / differences(x)), x);  // 1 / 0 and 1 / -0
  check(2, OF(differences(x)), ex::i32<20>);
  check(2, [](auto x) { return both_maxima(differences(x)); }, x);
  check(2, OF(ex::where(in_rows(x) < in_columns(x), differences(x), 0.0)), x);
  // A product that is fused with a sum is not rounded.
  check(2, OF_TWO(in_rows(x) * in_columns(y) - in_rows(y) * in_columns(x)), x, x);
  check(2, OF_TWO(in_rows(x) * in_columns(y) + in_rows(y) * in_columns(x)), x, x);
}

}  // namespace
