// SPDX-License-Identifier: BSL-1.0
// scan: JAX's jaxprs with their clean-ups, and results.
#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr auto func11 = [](auto arr, auto extra) {
  auto ones = ex::ones<float, 16>();
  auto body = [&](auto carry, auto elements) {
    return ex::tuple(carry + ex::get<0>(elements) * ex::get<1>(elements) + extra, carry);
  };
  return ex::scan(body, 0.0f, ex::tuple(arr, ones));
};
static_assert(ex::make_jaxpr(func11)(ex::f32<16>, 5.0f) == R"({ lambda ; a:f32[16] b:f32[]. let
    c:f32[16] = broadcast_in_dim 1.0:f32[]
    d:f32[] e:f32[16] = scan[
      jaxpr={ lambda ; f:f32[] g:f32[] h:f32[] i:f32[]. let
          j:f32[] = mul h i
          k:f32[] = convert_element_type[new_dtype=float32 weak_type=False] g
          l:f32[] = add k j
          m:f32[] = convert_element_type[new_dtype=float32 weak_type=False] f
          n:f32[] = add l m
        in (n, g) }
      length=16
      num_carry=1
      num_consts=1
      reverse=False
      unroll=1
    ] b 0.0:f32[] a c
  in (d, e) })");

constexpr auto literal_carry = [](auto xs) {
  return ex::scan([](auto, auto x) { return ex::tuple(0, x * 2); }, 0, xs);
};
static_assert(ex::make_jaxpr(literal_carry)(ex::i32<4>) == R"({ lambda ; a:i32[4]. let
    b:i32[] c:i32[4] = scan[
      jaxpr={ lambda ; d:i32[] e:i32[]. let
          f:i32[] = mul e 2:i32[]
        in (0:i32[], f) }
      length=4
      num_carry=1
      num_consts=0
      reverse=False
      unroll=1
    ] 0:i32[] a
  in (b, c) })");

// An x that is returned is not computed.
constexpr auto forwards_x = [](auto xs) {
  return ex::scan([](auto c, auto x) { return ex::tuple(c + x, x); }, ex::zeros<float>(), xs);
};
static_assert(ex::make_jaxpr(forwards_x)(ex::f32<3>) == R"({ lambda ; a:f32[3]. let
    b:f32[] = scan[
      jaxpr={ lambda ; c:f32[] d:f32[]. let e:f32[] = add c d in (e,) }
      length=3
      num_carry=1
      num_consts=0
      reverse=False
      unroll=1
    ] 0.0:f32[] a
  in (b, a) })");

// A carry that is never written is a const.
constexpr auto readonly_carry = [](auto a, auto xs) {
  auto body = [](auto c, auto x) { return ex::tuple(ex::tuple(ex::get<0>(c), ex::get<1>(c) + x * ex::get<0>(c)), ex::none); };
  return ex::get<0>(ex::scan(body, ex::tuple(a, ex::zeros<float>()), xs));
};
static_assert(ex::make_jaxpr(readonly_carry)(ex::f32<>, ex::f32<3>) == R"({ lambda ; a:f32[] b:f32[3]. let
    c:f32[] = scan[
      jaxpr={ lambda ; d:f32[] e:f32[] f:f32[]. let
          g:f32[] = mul f d
          h:f32[] = add e g
        in (h,) }
      length=3
      num_carry=1
      num_consts=1
      reverse=False
      unroll=1
    ] a 0.0:f32[] b
  in (a, c) })");

// A weak carry takes the dtype that the body gives it.
constexpr auto promoted = [](auto xs) {
  return ex::scan([](auto c, auto x) { return ex::tuple(c + x, c); }, 0, xs, ex::reverse, ex::unroll<4>);
};
static_assert(ex::make_jaxpr(promoted)(ex::f32<3>) == R"({ lambda ; a:f32[3]. let
    b:f32[] c:f32[3] = scan[
      jaxpr={ lambda ; d:f32[] e:f32[]. let f:f32[] = add d e in (f, d) }
      length=3
      num_carry=1
      num_consts=0
      reverse=True
      unroll=4
    ] 0.0:f32[] a
  in (b, c) })");

constexpr auto powers = [](auto x) {
  return ex::scan([&](auto c, auto) { return ex::tuple(c * x, c); }, ex::ones<float>(), ex::length<4>);
};
static_assert(std::get<1>(ex::jit(powers)(3)) == ex::array<float, 4>{1, 3, 9, 27});
static_assert(std::get<0>(ex::jit(literal_carry)(ex::array<int, 4>{0, 1, 2, 3})) == 0);
static_assert(std::get<1>(ex::jit(literal_carry)(ex::array<int, 4>{0, 1, 2, 3})) == ex::array<int, 4>{0, 2, 4, 6});

// A std::array of traced values as a carry, in ys, and as a result.
constexpr auto pair_of_sums = [](auto x) {
  auto const step = [](auto sums, auto each) {
    std::array<ex::expr<int>, 2> next = sums;
    next[0] = sums[0] + each;
    return ex::tuple(next, std::array{each, sums[0]});
  };
  auto const start = std::array{ex::sum(x), ex::max(x)};
  auto const r = ex::scan(step, start, x);
  auto const last = ex::get<0>(r);
  return ex::tuple(last, ex::get<1>(r), start);
};
constexpr auto sums = ex::jit(pair_of_sums)(ex::array<int, 3>{1, 2, 3});
static_assert(std::get<0>(sums)[0] == 12 && std::get<0>(sums)[1] == 3 && std::get<2>(sums)[0] == 6);
static_assert(std::get<1>(sums)[0] == ex::array<int, 3>{1, 2, 3} && std::get<1>(sums)[1] == ex::array<int, 3>{6, 7, 9});

}  // namespace

TEST_CASE("scans of arrays") {
  auto const [last, ys] = ex::jit(promoted)(ex::array<float, 3>{1, 2, 3});
  CHECK(last == 6.0f);
  CHECK(ys == ex::array<float, 3>{5, 3, 0});

  auto const [sum, doubled] = ex::scan([](auto c, auto x) { return ex::tuple(c + x, c * 2); }, 1, ex::array<int, 4>{1, 2, 3, 4});
  CHECK(sum == 11);
  CHECK(doubled == ex::array<int, 4>{2, 4, 8, 14});

  auto const [none_left, no_rows] = ex::jit(promoted)(ex::array<float, 0>{});
  CHECK(none_left == 0.0f);
  CHECK(no_rows.size() == 0);
}
