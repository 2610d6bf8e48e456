// SPDX-License-Identifier: BSL-1.0
// Jaxprs of whole programs are those of JAX 0.10, byte for byte: scan, vmap, jit and what they are made of.
#include <array>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr auto activation = [](auto x) { return ex::maximum(0.0f, x); };
constexpr auto number_squared = [](auto num) { return ex::pow(num, 2); };
constexpr auto func11 = [](auto arr, auto extra) {
  auto ones = ex::ones<float, decltype(arr)::extent(0)>();
  auto body = [extra](auto carry, auto elements) { return ex::tuple(carry + ex::get<0>(elements) * ex::get<1>(elements) + extra, carry); };
  return ex::scan(body, 0.0f, ex::tuple(arr, ones));
};
constexpr auto cumsum = [](auto xs) {
  return ex::scan([](auto c, auto x) { return ex::tuple(c + x, c + x); }, ex::zeros<float>(), xs);
};
constexpr auto convolve = [](auto x, auto w) {
  constexpr int n = decltype(x)::extent(0);
  std::array<ex::expr<float>, n - 2> out;
  for (int i = 1; i < n - 1; ++i) out[static_cast<std::size_t>(i - 1)] = ex::dot(ex::dynamic_slice<3>(x, i - 1), w);
  return ex::stack(out);
};
constexpr auto dot = [](auto a, auto b) { return ex::dot(a, b); };

static_assert(ex::make_jaxpr([](auto arg) { return ex::sum(ex::get<0>(arg) + ex::sin(ex::get<1>(arg)) * 3.0); })(ex::tuple(ex::f32<8>, ex::f32<8>)) ==
              R"({ lambda ; a:f32[8] b:f32[8]. let
    c:f32[8] = sin b
    d:f32[8] = mul c 3.0:f32[]
    e:f32[8] = add a d
    f:f32[] = reduce_sum[axes=(0,) out_sharding=None] e
  in (f,) })");

static_assert(ex::make_jaxpr(func11)(ex::f32<16>, 5.0) ==
              R"({ lambda ; a:f32[16] b:f32[]. let
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

static_assert(ex::make_jaxpr(ex::jit<activation>())(ex::f32<3, 4>) ==
              R"({ lambda ; a:f32[3,4]. let
    b:f32[3,4] = jit[
      name=activation
      jaxpr={ lambda ; a:f32[3,4]. let b:f32[3,4] = max 0.0:f32[] a in (b,) }
    ] a
  in (b,) })");

static_assert(ex::make_jaxpr(ex::jit([](auto W, auto X) { return ex::dot(W, X); }))(ex::f32<3, 4>, ex::f32<4, 5>) ==
              R"({ lambda ; a:f32[3,4] b:f32[4,5]. let
    c:f32[3,5] = jit[
      name=<lambda>
      jaxpr={ lambda ; a:f32[3,4] b:f32[4,5]. let
          c:f32[3,5] = dot_general[
            dimension_numbers=(([1], [0]), ([], []))
            preferred_element_type=float32
          ] a b
        in (c,) }
    ] a b
  in (c,) })");

static_assert(ex::make_jaxpr(ex::jit<number_squared>())(2) ==
              R"({ lambda ; a:i32[]. let
    b:i32[] = jit[
      name=number_squared
      jaxpr={ lambda ; a:i32[]. let b:i32[] = integer_pow[y=2] a in (b,) }
    ] a
  in (b,) })");

static_assert(ex::make_jaxpr([](auto xs) {
      auto f = [](auto, auto x) { return ex::tuple(0, x * 2); };
      return ex::scan(f, 0, xs);
    })(ex::i32<4>) ==
              R"({ lambda ; a:i32[4]. let
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

static_assert(ex::make_jaxpr(cumsum)(ex::f32<5>) ==
              R"({ lambda ; a:f32[5]. let
    b:f32[] c:f32[5] = scan[
      jaxpr={ lambda ; d:f32[] e:f32[]. let
          f:f32[] = add d e
          g:f32[] = add d e
        in (f, g) }
      length=5
      num_carry=1
      num_consts=0
      reverse=False
      unroll=1
    ] 0.0:f32[] a
  in (b, c) })");

static_assert(ex::make_jaxpr(ex::vmap(cumsum))(ex::f32<3, 5>) ==
              R"({ lambda ; a:f32[3,5]. let
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

static_assert(ex::make_jaxpr(ex::vmap(convolve))(ex::i32<2, 5>, ex::f32<2, 3>) ==
              R"({ lambda ; a:i32[2,5] b:f32[2,3]. let
    c:i32[2,3] = slice[limit_indices=(2, 3) start_indices=(0, 0) strides=None] a
    d:f32[2] = dot_general[
      dimension_numbers=(([1], [1]), ([0], [0]))
      preferred_element_type=float32
    ] c b
    e:i32[2,3] = slice[limit_indices=(2, 4) start_indices=(0, 1) strides=None] a
    f:f32[2] = dot_general[
      dimension_numbers=(([1], [1]), ([0], [0]))
      preferred_element_type=float32
    ] e b
    g:i32[2,3] = slice[limit_indices=(2, 5) start_indices=(0, 2) strides=None] a
    h:f32[2] = dot_general[
      dimension_numbers=(([1], [1]), ([0], [0]))
      preferred_element_type=float32
    ] g b
    i:f32[2,1] = broadcast_in_dim[broadcast_dimensions=(0,)] d
    j:f32[2,1] = broadcast_in_dim[broadcast_dimensions=(0,)] f
    k:f32[2,1] = broadcast_in_dim[broadcast_dimensions=(0,)] h
    l:f32[2,3] = concatenate[dimension=1] i j k
  in (l,) })");

static_assert(ex::make_jaxpr(ex::vmap(dot, ex::in_axes<0, ex::none>))(ex::f32<3, 4>, ex::f32<4>) ==
              R"({ lambda ; a:f32[3,4] b:f32[4]. let
    c:f32[3] = dot_general[
      dimension_numbers=(([1], [0]), ([], []))
      preferred_element_type=float32
    ] a b
  in (c,) })");

static_assert(ex::make_jaxpr(ex::vmap([](auto x) { return x * 2; }, ex::in_axes<1>, ex::out_axes<1>))(ex::f32<3, 4>) ==
              R"({ lambda ; a:f32[3,4]. let b:f32[3,4] = mul a 2.0:f32[] in (b,) })");

static_assert(ex::make_jaxpr(ex::jit([](auto x) { return x * 2; }, ex::inline_))(ex::f32<3>) ==
              R"({ lambda ; a:f32[3]. let b:f32[3] = mul a 2.0:f32[] in (b,) })");

static_assert(ex::make_jaxpr([](auto xs) { return ex::scan([](auto c, auto x) { return ex::tuple(c + x, x); }, ex::zeros<float>(), xs); })(ex::f32<3>) ==
              R"({ lambda ; a:f32[3]. let
    b:f32[] = scan[
      jaxpr={ lambda ; c:f32[] d:f32[]. let e:f32[] = add c d in (e,) }
      length=3
      num_carry=1
      num_consts=0
      reverse=False
      unroll=1
    ] 0.0:f32[] a
  in (b, a) })");

static_assert(ex::make_jaxpr([](auto a, auto xs) {
      auto f = [](auto c, auto x) {
        return ex::tuple(ex::tuple(ex::get<0>(c), ex::get<1>(c) + x * ex::get<0>(c)), ex::none);
      };
      return ex::get<0>(ex::scan(f, ex::tuple(a, ex::zeros<float>()), xs));
    })(ex::f32<>, ex::f32<3>) ==
              R"({ lambda ; a:f32[] b:f32[3]. let
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

}  // namespace
