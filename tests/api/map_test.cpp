// SPDX-License-Identifier: BSL-1.0
// map(f, xs): results, with batch sizes that divide the length and that do not, and jaxprs.
#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr auto square = [](auto x) { return x * x; };
constexpr ex::array<int, 7> seven{1, 2, 3, 4, 5, 6, 7}, squares{1, 4, 9, 16, 25, 36, 49};

// --- Results, in constant evaluation ---

static_assert(ex::map(square, seven) == squares);
static_assert(ex::map(square, seven, ex::batch_size<3>) == squares);
static_assert(ex::map(square, seven, ex::batch_size<7>) == squares);
static_assert(ex::map(square, seven, ex::batch_size<8>) == squares);
static_assert(ex::map(square, seven, ex::batch_size<0>) == squares);
static_assert(ex::map(square, ex::array<int, 6>{1, 2, 3, 4, 5, 6}, ex::batch_size<2>) == ex::array<int, 6>{1, 4, 9, 16, 25, 36});
static_assert(ex::map(square, ex::array<int, 0>{}) == ex::array<int, 0>{});

// Pytrees in and out, and a captured traced value.
constexpr auto weighted = [](auto pairs, auto weight) {
  auto const one = [weight](auto pair) {
    auto const total = ex::sum(ex::get<0>(pair)) * weight;
    return ex::tuple(total + ex::get<1>(pair), std::pair(total, ex::get<1>(pair)));
  };
  return ex::tuple(ex::map(one, pairs), ex::map(one, pairs, ex::batch_size<2>));
};
constexpr auto both = ex::jit(weighted)(std::tuple(ex::array<float, 3, 2>{{1, 2}, {3, 4}, {5, 6}}, ex::array<float, 3>{10, 20, 30}), 2.0f);
static_assert(std::get<0>(std::get<0>(both)) == ex::array<float, 3>{16, 34, 52} && std::get<0>(std::get<1>(both)) == std::get<0>(std::get<0>(both)));
static_assert(std::get<1>(std::get<0>(both)).first == ex::array<float, 3>{6, 14, 22} && std::get<1>(std::get<1>(both)).first == ex::array<float, 3>{6, 14, 22});
static_assert(std::get<1>(std::get<1>(both)).second == ex::array<float, 3>{10, 20, 30});

// vmap of map.
constexpr auto rows = [](auto xs) { return ex::map([](auto x) { return x + 1; }, xs, ex::batch_size<2>); };
static_assert(ex::jit(ex::vmap(rows))(ex::array<int, 2, 3>{{1, 2, 3}, {4, 5, 6}}) == ex::array<int, 2, 3>{{2, 3, 4}, {5, 6, 7}});

// --- Jaxprs ---

static_assert(ex::make_jaxpr([](auto xs) { return ex::map([](auto x) { return x * 2; }, xs); })(ex::f32<4, 2>) ==
              R"({ lambda ; a:f32[4,2]. let
    b:f32[4,2] = scan[
      jaxpr={ lambda ; c:f32[2]. let d:f32[2] = mul c 2.0:f32[] in (d,) }
      length=4
      num_carry=0
      num_consts=0
      reverse=False
      unroll=1
    ] a
  in (b,) })");
static_assert(ex::make_jaxpr([](auto xs) { return ex::map([](auto x) { return x * 2; }, xs, ex::batch_size<3>); })(ex::f32<7, 2>) ==
              R"({ lambda ; a:f32[7,2]. let
    b:f32[6,2] = slice[limit_indices=(6, 2) start_indices=(0, 0) strides=None] a
    c:f32[2,3,2] = reshape[dimensions=None new_sizes=(2, 3, 2) sharding=None] b
    d:f32[1,2] = slice[limit_indices=(7, 2) start_indices=(6, 0) strides=None] a
    e:f32[2,3,2] = scan[
      jaxpr={ lambda ; f:f32[3,2]. let g:f32[3,2] = mul f 2.0:f32[] in (g,) }
      length=2
      num_carry=0
      num_consts=0
      reverse=False
      unroll=1
    ] c
    h:f32[1,2] = mul d 2.0:f32[]
    i:f32[6,2] = reshape[dimensions=None new_sizes=(6, 2) sharding=None] e
    j:f32[7,2] = concatenate[dimension=0] i h
  in (j,) })");
static_assert(ex::make_jaxpr([](auto xs) { return ex::map([](auto x) { return x * 2; }, xs, ex::batch_size<0>); })(ex::f32<7>) ==
              R"({ lambda ; a:f32[7]. let b:f32[7] = mul a 2.0:f32[] in (b,) })");

}  // namespace

TEST_CASE("map at run time") {
  CHECK(ex::map(square, seven, ex::batch_size<3>) == squares);
  ex::array<float, 100> x;
  for (int i = 0; i < 100; ++i) x.data()[i] = static_cast<float>(i);
  auto const halves = ex::map([](auto v) { return v / 2; }, x, ex::batch_size<32>);
  for (int i = 0; i < 100; ++i) CHECK(halves(i) == static_cast<float>(i) / 2);
}
