// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

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
