// SPDX-License-Identifier: BSL-1.0
// einsum: implicit and explicit results, diagonals, sums, ellipses, axes of 1, and the order of products.
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

using i32 = std::int32_t;

constexpr ex::array<i32,2,3> a{1,2,3,4,5,6};
constexpr ex::array<i32,3,2> b{1,0,0,1,1,1};
constexpr ex::array<i32,3,3> s{{1,2,3},{4,5,6},{7,8,9}};
constexpr ex::array<i32,3> v{1,10,100};
static_assert(ex::einsum<"ij,jk->ik">(a,b) == ex::array<i32,2,2>{4,5,10,11});
static_assert(ex::einsum<"ij,jk">(a,b) == ex::array<i32,2,2>{4,5,10,11});
static_assert(ex::einsum<"ij,jk->ki">(a,b) == ex::array<i32,2,2>{4,10,5,11});
static_assert(ex::einsum<"ii">(s) == ex::array<i32>(15));
static_assert(ex::einsum<"ii->i">(s) == ex::array<i32,3>{1,5,9});
static_assert(ex::einsum<"ij->ji">(a) == ex::array<i32,3,2>{1,4,2,5,3,6});
static_assert(ex::einsum<"ji">(a) == ex::array<i32,3,2>{1,4,2,5,3,6});
static_assert(ex::einsum<"ij->">(a) == ex::array<i32>(21));
static_assert(ex::einsum<"ij -> j">(a) == ex::array<i32,3>{5,7,9});
static_assert(ex::einsum<"i,j->ij">(v,v) == ex::array<i32,3,3>{{1,10,100},{10,100,1000},{100,1000,10000}});
static_assert(ex::einsum<"i,i">(v,v) == ex::array<i32>(10101));
static_assert(ex::einsum<"ij,ij->i">(a,a) == ex::array<i32,2>{14,77});
static_assert(ex::einsum<"...j,j">(a,v) == ex::array<i32,2>{321,654});
static_assert(ex::einsum<"...ij,...jk->...ik">(ex::reshape<1,2,3>(a), ex::stack(b,b)) == ex::array<i32,2,2,2>{4,5,10,11,4,5,10,11});
static_assert(ex::einsum<"ij,jk,k->i">(a,s,v) ==
              ex::array<i32,2>{3*1+2*0+ (1*1+2*4+3*7)*1+(1*2+2*5+3*8)*10+(1*3+2*6+3*9)*100-3,(4*1+5*4+6*7)*1+(4*2+5*5+6*8)*10+(4*3+5*6+6*9)*100});
static_assert(ex::einsum<"ii,i->i">(s,v) == ex::array<i32,3>{1,50,900});
static_assert(ex::einsum<"ij,kj->ik">(a, ex::array<i32,2,1>{1,2}) == ex::array<i32,2,2>{6,12,15,30});
static_assert(ex::einsum<"iij->j">(ex::reshape<3,3,1>(s)) == ex::array<i32,1>{15});
static_assert(ex::einsum<",ij->ij">(2,a) == ex::array<i32,2,3>{2,4,6,8,10,12});
static_assert(ex::einsum<"i,i->">(ex::array<bool,2>{true,false}, ex::array<bool,2>{true,true}) == ex::array<bool>(true));
static_assert(ex::einsum<"ij,j->i">(ex::array<float,0,3>{}, v) == ex::array<float,0>{});
static_assert(ex::einsum<"ij,j->i">(ex::array<float,2,0>{}, ex::array<float,0>{}) == ex::array<float,2>{0,0});
static_assert(ex::make_jaxpr([](auto a, auto b){return ex::einsum<"ij,jk->ik">(a,b);})(ex::f32<2,3>, ex::f32<3,4>) ==
R"({ lambda ; a:f32[2,3] b:f32[3,4]. let
    c:f32[2,4] = dot_general[
      dimension_numbers=(([1], [0]), ([], []))
      preferred_element_type=float32
    ] a b
  in (c,) })");

// The order in which three and five matrices are multiplied: the cheapest one.
using chain = ex::detail::einsum_of<"ij,jk,kl->il", ex::array<float, 100, 2>, ex::array<float, 2, 100>, ex::array<float, 100, 2>>;
static_assert(chain::path.n == 2 && chain::path.first[0] == 1 && chain::path.second[0] == 2);
using other_chain = ex::detail::einsum_of<"ij,jk,kl->il", ex::array<float, 2, 100>, ex::array<float, 100, 2>, ex::array<float, 2, 100>>;
static_assert(other_chain::path.first[0] == 0 && other_chain::path.second[0] == 1);
// A vector at the end is multiplied from right to left: no matrix is made.
constexpr auto to_vector = [](auto a, auto b, auto c, auto v) { return ex::einsum<"ij,jk,kl,l->i">(a, b, c, v); };
constexpr std::string_view order = ex::make_jaxpr(to_vector)(ex::f32<8, 8>, ex::f32<8, 8>, ex::f32<8, 8>, ex::f32<8>);
static_assert(order.find("f32[8,8] = ") == std::string_view::npos);
// More operands than all orders are compared for.
constexpr ex::array<i32, 2> w{1, 2};
static_assert(ex::einsum<"a,a,b,b,c,c,d,d,e->e">(w, w, w, w, w, w, w, w, w) == ex::array<i32, 2>{625, 1250});

constexpr ex::array<float, 4, 5> x = ex::jit([](auto) { return ex::astype<float>(ex::reshape<4, 5>(ex::arange<20>())); })(0);
constexpr auto contractions = [](auto x, auto s) {
  auto t = ex::astype<float>(s);
  return std::tuple(ex::einsum<"ij,kj->ik">(x, x), ex::einsum<"ij,ij->j">(x, x), ex::einsum<"ij,k->kji">(x, t(0)), ex::einsum<"ii,jk->kj">(t, x),
                    ex::einsum<"ab,cb,ad->dc">(x, x, x));
};
constexpr auto contracted = ex::jit(contractions)(x, s);
// By hand: sums over plain loops.
static_assert(std::get<0>(contracted)(1, 2) == 5 * 10 + 6 * 11 + 7 * 12 + 8 * 13 + 9 * 14);
static_assert(std::get<2>(contracted)(2, 4, 3) == 19 * 3);
static_assert(std::get<3>(contracted)(4, 1) == 15 * 9);

}  // namespace

TEST_CASE("einsum at run time") {
  CHECK(ex::jit(contractions)(x, s) == contracted);
  auto const r = std::get<4>(contracted);
  for (int d = 0; d < 5; ++d)
    for (int c = 0; c < 4; ++c) {
      float sum = 0;
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 5; ++b) sum += x(a, b) * x(c, b) * x(a, d);
      CHECK(r(d, c) == sum);
    }
}
