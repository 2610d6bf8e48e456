// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;
namespace hana = boost::hana;
using namespace hana::literals;

namespace {

template <template <class, auto...> class Array>
struct dense {
  Array<float, 2, 3> w;
  Array<float, 3> b;
};

struct affine {
  template <class X>
  constexpr auto operator()(X const& x) const {
    return x * 2.0f + 1.0f;
  }
};
struct scaled {
  float factor;
  template <class X>
  constexpr auto operator()(X const& x) const {
    return x * factor;
  }
};
constexpr scaled three_times{3};

constexpr auto sum_and_difference = [](auto x, auto y) { return ex::tuple(x + y, x - y); };
constexpr auto power = [](auto x, auto n) {
  auto y = x;
  for (int i = 1; i < n(); ++i) y = y * x;
  return y;
};
constexpr auto apply = [](auto params, auto x) { return ex::dot(x, params.w) + params.b; };
constexpr auto step = [](auto params) {
  return ex::tree_map([](auto const& p) { return p - 0.5f; }, params);
};
constexpr auto first_times_second = [](auto t) { return t[0_c] * t[1_c]; };

constexpr auto weight = BOOST_HANA_STRING("w");
constexpr auto bias = BOOST_HANA_STRING("b");

constexpr ex::array<float, 3> x{1, 2, 3}, y{4, 5, 6};
constexpr dense<ex::array> layer{{{1, 0, 1}, {0, 1, 1}}, {1, 2, 3}};

// Texts of JAX's donated_invars; a captured value is not donated, and neither are operands of derivatives.
constexpr auto product = [](auto x, auto y) { return x * y; };
static_assert(ex::make_jaxpr(ex::jit<product>(ex::donate_argnums<0>))(ex::f32<3>, ex::f32<3>) == R"({ lambda ; a:f32[3] b:f32[3]. let
    c:f32[3] = jit[
      name=product
      donated_invars=(True, False)
      jaxpr={ lambda ; a:f32[3] b:f32[3]. let c:f32[3] = mul a b in (c,) }
    ] a b
  in (c,) })");
static_assert(ex::make_jaxpr([](auto x) { return ex::jit([x](auto y) { return x * y; }, ex::donate_argnums<-1>)(x + 1.0f); })(ex::f32<3>) ==
              R"({ lambda ; a:f32[3]. let
    b:f32[3] = add a 1.0:f32[]
    c:f32[3] = jit[
      name=<lambda>
      donated_invars=(False, True)
      jaxpr={ lambda ; a:f32[3] b:f32[3]. let c:f32[3] = mul a b in (c,) }
    ] a b
  in (c,) })");
constexpr auto squared = ex::jit([](auto t) { return ex::get<0>(t) * ex::get<0>(t); }, ex::donate_argnums<0>);
static_assert(ex::make_jaxpr(ex::vmap(squared))(std::tuple(ex::f32<3>)) == R"({ lambda ; a:f32[3]. let
    b:f32[3] = jit[
      name=<lambda>
      donated_invars=(True,)
      jaxpr={ lambda ; a:f32[3]. let b:f32[3] = mul a a in (b,) }
    ] a
  in (b,) })");

}  // namespace

// In constant expressions.
static_assert(std::get<1>(ex::jit(sum_and_difference)(x, y)) == ex::array<float, 3>{-3, -3, -3});
static_assert(ex::jit(affine{})(x) == ex::array<float, 3>{3, 5, 7});
static_assert(ex::jit<three_times>()(x) == ex::array<float, 3>{3, 6, 9});
static_assert(ex::jit(power)(x, ex::static_<3>) == ex::array<float, 3>{1, 8, 27});
static_assert(ex::jit(power)(x, 2_c) == ex::array<float, 3>{1, 4, 9});
static_assert(ex::jit(power)(2, ex::static_<5>) == 32);

// Shapes and dtypes without elements.
static_assert(ex::eval_shape(sum_and_difference, ex::f32<3>, ex::i32<2, 1>) == ex::tuple(ex::f32<2, 3>, ex::f32<2, 3>));
static_assert(ex::eval_shape(power, ex::u8<4>, ex::static_<2>) == ex::u8<4>);

// Inside of a traced function a callable may capture: what is traced of that becomes the first operands of the equation.
constexpr auto closures = [](auto x, auto w) {
  auto const k = ex::ones<float, 3>();
  auto const scaled = ex::jit([w, k](auto a) { return a * w + k; });
  return ex::tuple(scaled(scaled(x)), ex::jit([&](auto a) { return a * w; }, ex::inline_)(x), ex::jit(ex::vmap([w](auto a) { return a - w; }))(x),
                   ex::jit([&](auto a) { return -a; })(x));
};
static_assert(ex::make_jaxpr(closures)(ex::f32<3>, ex::f32<>) == R"(let lambda = { lambda ; a:f32[] b:f32[3] c:f32[3]. let
    d:f32[3] = mul c a
    e:f32[3] = add d b
  in (e,) } in
{ lambda ; f:f32[3] g:f32[]. let
    h:f32[3] = broadcast_in_dim 1.0:f32[]
    i:f32[3] = jit[name=<lambda> jaxpr=lambda] g h f
    j:f32[3] = jit[name=<lambda> jaxpr=lambda] g h i
    k:f32[3] = mul f g
    l:f32[3] = jit[
      name=<lambda>
      jaxpr={ lambda ; g:f32[] f:f32[3]. let l:f32[3] = sub f g in (l,) }
    ] g f
    m:f32[3] = jit[
      name=<lambda>
      jaxpr={ lambda ; f:f32[3]. let m:f32[3] = neg f in (m,) }
    ] f
  in (j, k, l, m) })");
static_assert(ex::jit(closures)(ex::array<float, 3>{1, 2, 3}, 2.0f) ==
              ex::tuple(ex::array<float, 3>{7, 11, 15}, ex::array<float, 3>{2, 4, 6}, ex::array<float, 3>{-1, 0, 1}, ex::array<float, 3>{-1, -2, -3}));

// Names in jaxprs.
constexpr auto calls = [](auto x) { return ex::jit<sum_and_difference>()(ex::jit(affine{})(x), ex::jit([](auto v) { return -v; })(x)); };
static_assert(ex::make_jaxpr(calls)(ex::f32<3>) == R"({ lambda ; a:f32[3]. let
    b:f32[3] = jit[
      name=affine
      jaxpr={ lambda ; a:f32[3]. let
          c:f32[3] = mul a 2.0:f32[]
          b:f32[3] = add c 1.0:f32[]
        in (b,) }
    ] a
    d:f32[3] = jit[
      name=<lambda>
      jaxpr={ lambda ; a:f32[3]. let d:f32[3] = neg a in (d,) }
    ] a
    e:f32[3] f:f32[3] = jit[
      name=sum_and_difference
      jaxpr={ lambda ; b:f32[3] d:f32[3]. let
          e:f32[3] = add b d
          f:f32[3] = sub b d
        in (e, f) }
    ] b d
  in (e, f) })");
constexpr auto doubled = [](auto v) { return v * 2; };
static_assert(ex::make_jaxpr(ex::jit(doubled, ex::inline_))(ex::f32<3>) == "{ lambda ; a:f32[3]. let b:f32[3] = mul a 2.0:f32[] in (b,) }");

TEST_CASE("results by value and in memory of the caller") {
  auto const [s, d] = ex::jit(sum_and_difference)(x, 1);
  CHECK(s == ex::array<float, 3>{2, 3, 4});
  CHECK(d == ex::array<float, 3>{0, 1, 2});

  ex::array<float, 3> a, b;
  ex::jit(sum_and_difference).into(std::tie(a, b), x, y);
  CHECK(a == ex::array<float, 3>{5, 7, 9});
  CHECK(b == ex::array<float, 3>{-3, -3, -3});

  float memory[3] = {};
  ex::jit(affine{}).into(ex::view<float, 3>(memory), ex::view<float const, 3>(x.data()));
  CHECK(memory[2] == 7);
  CHECK(ex::jit(sum_and_difference).memory_analysis(x, y).output_size_in_bytes == 24);
}

TEST_CASE("pytrees as arguments and results") {
  CHECK(ex::jit(apply)(layer, ex::array<float, 2>{1, 2}) == ex::array<float, 3>{2, 4, 6});
  dense<ex::array> const next = ex::jit(step)(layer);
  CHECK(next.b == ex::array<float, 3>{0.5f, 1.5f, 2.5f});
  CHECK(ex::jit(first_times_second)(hana::make_tuple(x, y)) == ex::array<float, 3>{4, 10, 18});
  auto const weights = hana::make_map(hana::make_pair(weight, x), hana::make_pair(bias, y));
  auto const of_map = [](auto m) { return m[weight] + m[bias]; };
  CHECK(ex::jit(of_map)(weights) == ex::array<float, 3>{5, 7, 9});
}

TEST_CASE("a donated array lends its memory to the result") {
  ex::array<float, 5000> x;
  for (float& e : x) e = 2;
  float const* const memory = x.data();
  auto const y = ex::jit([](auto a) { return a * 3.0f; }, ex::donate_argnums<0>)(std::move(x));
  CHECK(y.data() == memory);
  CHECK(y(4999) == 6);
  CHECK(ex::jit([](auto a, auto b) { return a + b; }, ex::donate_argnums<1>)(y, 1)(0) == 7);
}
