// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <boost/hana/map.hpp>
#include <boost/hana/string.hpp>

#include <exprax/exprax.hpp>

namespace ex = exprax;
namespace hana = boost::hana;

namespace {

constexpr auto multiply_add = [](auto x, auto y) { return x * y + 1.0f; };
constexpr ex::array<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}}, b{{4, 5, 6}, {7, 8, 9}};
constexpr ex::array<float, 3> v{1, 2, 3};

constexpr auto doubled = [](auto x) { return x * 2; };
static_assert(ex::make_jaxpr(ex::vmap(doubled, ex::in_axes<1>, ex::out_axes<1>))(ex::f32<3, 4>) ==
              "{ lambda ; a:f32[3,4]. let b:f32[3,4] = mul a 2.0:f32[] in (b,) }");
constexpr auto product = [](auto x, auto y) { return ex::dot(x, y); };
static_assert(ex::make_jaxpr(ex::vmap(product, ex::in_axes<0, ex::none>))(ex::f32<3, 4>, ex::f32<4>) == R"({ lambda ; a:f32[3,4] b:f32[4]. let
    c:f32[3] = dot_general[
      dimension_numbers=(([1], [0]), ([], []))
      preferred_element_type=float32
    ] a b
  in (c,) })");

static_assert(ex::vmap(multiply_add)(a, b) == ex::array<float, 2, 3>{{5, 11, 19}, {29, 41, 55}});
static_assert(ex::vmap(multiply_add, ex::in_axes<0, ex::none>, ex::out_axes<1>)(a, v) == ex::array<float, 3, 2>{{2, 5}, {5, 11}, {10, 19}});

// A lambda that captures traced values is mapped inside of a traced function; a result that is not mapped may stay so.
constexpr auto captures = [](auto x, auto y) {
  return ex::vmap([&](auto row) { return ex::tuple(row + y, y); }, ex::in_axes<-1>, ex::out_axes<-1, ex::none>)(x);
};

// A prefix for the parts of an argument.
constexpr auto scaled = [](auto pair, auto shift) { return ex::get<0>(pair) * ex::get<1>(pair) + shift; };

constexpr auto cumsum = [](auto xs) { return ex::scan([](auto c, auto x) { return ex::tuple(c + x, c + x); }, ex::zeros<float>(), xs); };
static_assert(ex::make_jaxpr(ex::vmap(cumsum))(ex::f32<3, 5>) == R"({ lambda ; a:f32[3,5]. let
    b:f32[3] = broadcast_in_dim 0.0:f32[]
    c:f32[5,3] = transpose[permutation=(1, 0)] a
    d:f32[3] e:f32[5,3] = scan[
      jaxpr={ lambda ; f:f32[3] g:f32[3]. let
          h:f32[3] = add f g
          i:f32[3] = add f g
        in (h, i) }
      length=5
      num_carry=1
      num_consts=0
      reverse=False
      unroll=1
    ] b c
    j:f32[3,5] = transpose[permutation=(1, 0)] e
  in (d, j) })");

// --- Prefixes of every kind of node ---

template <int... D>
using floats = ex::array<float, D...>;
template <int... D>
using ints = ex::array<int, D...>;

constexpr auto difference = [](auto p) { return ex::get<0>(p) - ex::get<1>(p); };
constexpr auto of_map = [](auto m) { return m[BOOST_HANA_STRING("x")] * m[BOOST_HANA_STRING("k")]; };
template <template <class, auto...> class Array>
struct dense {
  Array<float, 2, 3> w;
  Array<float, 2> b;
};
// Four layers of weights, one bias.
template <class T, auto... D>
using layered = std::conditional_t<sizeof...(D) == 2, ex::array<T, 4, D...>, ex::array<T, D...>>;
constexpr auto apply = [](auto params, auto x) { return ex::tuple(ex::dot(params.w, x) + params.b, params); };
using outputs_of_apply = decltype(ex::eval_shape(ex::vmap(apply, ex::in_axes<ex::axes<0, ex::none>, ex::none>, ex::out_axes<0, ex::axes<-1, ex::none>>),
                                                 dense<layered>(), floats<3>()));
static_assert(std::is_same_v<decltype(ex::get<0>(outputs_of_apply())), ex::spec_t<float, 4, 2> const&>);
static_assert(std::is_same_v<decltype(ex::get<1>(outputs_of_apply()).w), ex::spec_t<float, 2, 3, 4>>);
static_assert(std::is_same_v<decltype(ex::get<1>(outputs_of_apply()).b), ex::spec_t<float, 2>>);

// The options stand in any order; a mapped function may take nothing.
constexpr auto numbering = ex::vmap([] { return ex::axis_index(ex::axis_name<"i">); }, ex::axis_name<"i">, ex::axis_size<3>);
static_assert(numbering() == ints<3>{0, 1, 2});
static_assert(ex::make_jaxpr(numbering)() == R"({ lambda ; . let
    a:i32[3] = iota[dimension=0 dtype=int32 shape=(3,) sharding=None] 
  in (a,) })");
constexpr auto outer_index = ex::vmap(numbering, ex::axis_size<2>, ex::axis_name<"j">);
static_assert(outer_index() == ints<2, 3>{{0, 1, 2}, {0, 1, 2}});
constexpr auto both_indices = ex::vmap(ex::vmap([] { return ex::axis_index(ex::axis_name<"i", "j">); }, ex::axis_name<"j">, ex::axis_size<2>),
                                       ex::axis_name<"i">, ex::axis_size<3>);
static_assert(both_indices() == ints<3, 2>{{0, 1}, {2, 3}, {4, 5}});
constexpr auto constant = ex::vmap([](auto x) { return x * 2; }, ex::out_axes<-1>, ex::axis_size<3>, ex::in_axes<ex::none>);
static_assert(ex::make_jaxpr(constant)(ex::f32<2>) == R"({ lambda ; a:f32[2]. let
    b:f32[2] = mul a 2.0:f32[]
    c:f32[2,3] = broadcast_in_dim[broadcast_dimensions=(0,)] b
  in (c,) })");
constexpr auto summed = ex::vmap([](auto x) { return 2.0f * x; }, ex::out_axes<ex::none>, ex::sum_match);
static_assert(ex::make_jaxpr(summed)(ex::f32<3>) == R"({ lambda ; a:f32[3]. let
    b:f32[3] = mul 2.0:f32[] a
    c:f32[] = reduce_sum[axes=(0,) out_sharding=None] b
  in (c,) })");

// As bodies: of a branch, of a loop, of another vmap in a loop.
constexpr auto rows = [](auto p, auto x) {
  auto const scaled = ex::vmap([](auto r) { return r * ex::sum(r); });
  auto const shifted = ex::vmap([](auto r) { return r + 1; }, ex::in_axes<1>, ex::out_axes<1>);
  auto const chosen = ex::cond(p, scaled, shifted, x);
  return ex::fori_loop(0, 2, [&](auto, auto y) { return ex::vmap(shifted, ex::in_axes<0>)(y(ex::newaxis))(0); }, chosen);
};

static_assert(ex::vmap(rows, ex::in_axes<0, ex::none>)(ex::array<bool, 2>{false, true}, floats<2, 2>{{1, 2}, {3, 4}}) ==
              ex::array<float, 2, 2, 2>{{{4, 5}, {6, 7}}, {{5, 8}, {23, 30}}});

static_assert(ex::vmap(difference, ex::in_axes<ex::axes<0, ex::none>>)(std::pair(v, floats<>(10))) == floats<3>{-9, -8, -7});
static_assert(ex::vmap(difference, ex::in_axes<ex::axes<0, 1>>, ex::out_axes<1>)(std::tuple(a, floats<3, 2>{{4, 7}, {5, 8}, {6, 9}})) ==
              floats<3, 2>{{-3, -3}, {-3, -3}, {-3, -3}});
static_assert(ex::vmap(difference, ex::in_axes<ex::axes<0, 0>>)(std::array<floats<3>, 2>{v, v}) == floats<3>{});
static_assert(ex::vmap(of_map, ex::in_axes<ex::axes<0, ex::none>>)(hana::make_map(hana::make_pair(BOOST_HANA_STRING("x"), v),
                                                                                  hana::make_pair(BOOST_HANA_STRING("k"), floats<>(2)))) == floats<3>{2, 4, 6});

// vmap_mm, vmap_neg_in, vmap_nested_in_none, vmap_sum_match of JAX's cases.
static_assert(ex::vmap(ex::vmap(product, ex::in_axes<0, ex::none>), ex::in_axes<ex::none, 1>, ex::out_axes<1>)(
                  floats<2, 3>{{0, 1, 2}, {3, 4, 5}}, floats<3, 2>{{0, 1}, {2, 3}, {4, 5}}) == floats<2, 2>{{10, 13}, {28, 40}});
constexpr auto numbers = [] {
  floats<3, 4, 5> x;
  for (int k = 0; k < 60; ++k) x.data()[k] = static_cast<float>(k);
  return x;
}();
static_assert(ex::vmap([](auto x) { return ex::sum(x); }, ex::in_axes<-1>)(numbers) == floats<5>{330, 342, 354, 366, 378});
constexpr auto tens = [](auto x, auto y) { return x * 10 + y; };
static_assert(ex::vmap(ex::vmap(tens, ex::in_axes<ex::none, 0>), ex::in_axes<0, ex::none>)(ints<3>{1, 2, 3}, ints<2>{4, 5}) ==
              ints<3, 2>{{14, 15}, {24, 25}, {34, 35}});
static_assert(summed(floats<3>{0, 1, 2}) == floats<>(6));

}  // namespace

TEST_CASE("captures, prefixes, and nesting") {
  auto const [sums, y] = ex::jit(captures)(a, 2.0f);
  CHECK(sums == ex::array<float, 2, 3>{{3, 4, 5}, {6, 7, 8}});
  CHECK(y == 2.0f);

  auto const shifted = ex::vmap(scaled, ex::in_axes<ex::axes<0, ex::none>, ex::none>)(ex::tuple(a, v), 1);
  CHECK(shifted == ex::array<float, 2, 3>{{2, 5, 10}, {5, 11, 19}});

  auto const outer = ex::vmap(ex::vmap(multiply_add, ex::in_axes<ex::none, 0>), ex::in_axes<0, ex::none>)(v, v);
  CHECK(outer == ex::array<float, 3, 3>{{2, 3, 4}, {3, 5, 7}, {4, 7, 10}});
  CHECK(ex::vmap(ex::jit(multiply_add))(a, b) == ex::jit(ex::vmap(multiply_add))(a, b));
  CHECK(ex::vmap<multiply_add>(ex::in_axes<0, 0>)(a, b) == ex::vmap(multiply_add)(a, b));
}
