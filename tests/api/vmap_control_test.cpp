// SPDX-License-Identifier: BSL-1.0
// vmap of loops and branches: the equations of JAX's batching rules (jax._src.lax.control_flow). A condition that does not depend on
// the batch stays one; one that does makes every carry batched, and branches selections.
#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr auto choose = [](auto p, auto x, auto k) {
  return ex::cond(
      p, [&](auto x) { return ex::tuple(x * k, k); }, [&](auto x) { return ex::tuple(x - 1, k); }, x);
};
static_assert(ex::make_jaxpr(ex::vmap(choose, ex::in_axes<ex::none, 1, ex::none>, ex::out_axes<0, ex::none>))(ex::b1<>, ex::i32<2, 3>, ex::i32<>) ==
              R"({ lambda ; a:bool[] b:i32[2,3] c:i32[]. let
    d:i32[] = convert_element_type[new_dtype=int32 weak_type=False] a
    e:i32[3,2] = transpose[permutation=(1, 0)] b
    f:i32[3,2] = cond[
      branches=(
        { lambda ; g:i32[] h:i32[3,2]. let i:i32[3,2] = sub h 1:i32[] in (i,) }
        { lambda ; j:i32[] k:i32[3,2]. let l:i32[3,2] = mul k j in (l,) }
      )
    ] d c e
  in (f, c) })");
static_assert(ex::make_jaxpr(ex::vmap(choose, ex::in_axes<0, 0, ex::none>, ex::out_axes<0, ex::none>))(ex::b1<3>, ex::i32<3, 2>, ex::i32<>) ==
              R"({ lambda ; a:bool[3] b:i32[3,2] c:i32[]. let
    d:i32[3] = convert_element_type[new_dtype=int32 weak_type=False] a
    e:i32[3] = broadcast_in_dim c
    f:bool[3] = eq d 0:i32[]
    g:i32[3] = stop_gradient e
    _:i32[3] = select_n f g e
    h:i32[3,2] = stop_gradient b
    i:bool[3,2] = broadcast_in_dim[broadcast_dimensions=(0,)] f
    j:i32[3,2] = select_n i h b
    k:i32[3,2] = sub j 1:i32[]
    l:bool[3] = eq d 1:i32[]
    m:i32[3] = stop_gradient e
    n:i32[3] = select_n l m e
    o:i32[3,2] = stop_gradient b
    p:bool[3,2] = broadcast_in_dim[broadcast_dimensions=(0,)] l
    q:i32[3,2] = select_n p o b
    r:i32[3,1] = broadcast_in_dim[broadcast_dimensions=(0,)] n
    s:i32[3,2] = mul q r
    t:i32[3,2] = broadcast_in_dim[broadcast_dimensions=(0,)] d
    u:i32[3,2] = select_n t k s
  in (u, c) })");

// A carry of the batch, one that counts, and a limit.
constexpr auto count = [](auto x, auto limit) {
  auto const below = [&](auto c) { return ex::get<0>(c) < limit; };
  auto const next = [](auto c) { return ex::tuple(ex::get<0>(c) + 1, ex::get<1>(c) * 2); };
  return ex::while_loop(below, next, ex::tuple(x, 1.0f));
};
static_assert(ex::make_jaxpr(ex::vmap(count, ex::in_axes<ex::none, 0>))(ex::i32<>, ex::i32<3>) == R"({ lambda ; a:i32[] b:i32[3]. let
    c:i32[3] = broadcast_in_dim a
    d:f32[3] = broadcast_in_dim 1.0:f32[]
    e:i32[3] f:f32[3] = while[
      body_jaxpr={ lambda ; g:i32[3] h:f32[3]. let
          i:i32[3] = add g 1:i32[]
          j:f32[3] = mul h 2.0:f32[]
        in (i, j) }
      body_nconsts=0
      cond_jaxpr={ lambda ; k:i32[3] l:i32[3] m:f32[3]. let
          n:bool[3] = lt l k
        in (n,) }
      cond_nconsts=1
    ] b c d
  in (e, f) })");
// The axis of an outer vmap comes before that of the inner one, which the condition has.
static_assert(ex::make_jaxpr(ex::vmap(ex::vmap(count, ex::in_axes<ex::none, 0>), ex::in_axes<0, ex::none>))(ex::i32<2>, ex::i32<3>) ==
              R"({ lambda ; a:i32[2] b:i32[3]. let
    c:i32[2,3] = broadcast_in_dim[broadcast_dimensions=(0,)] a
    d:f32[3] = broadcast_in_dim 1.0:f32[]
    e:f32[2,3] = broadcast_in_dim[broadcast_dimensions=(1,)] d
    f:i32[2,3] g:f32[2,3] = while[
      body_jaxpr={ lambda ; h:i32[2,3] i:f32[2,3]. let
          j:i32[2,3] = add h 1:i32[]
          k:f32[2,3] = mul i 2.0:f32[]
        in (j, k) }
      body_nconsts=0
      cond_jaxpr={ lambda ; l:i32[3] m:i32[2,3] n:f32[2,3]. let
          o:i32[1,3] = broadcast_in_dim[broadcast_dimensions=(1,)] l
          p:bool[2,3] = lt m o
        in (p,) }
      cond_nconsts=1
    ] b c e
  in (f, g) })");

constexpr auto up_to = [](auto n, auto x) { return ex::fori_loop(0, n, [](auto, auto c) { return c + 1; }, x); };
static_assert(ex::make_jaxpr(ex::vmap(up_to, ex::in_axes<ex::none, 0>))(ex::i32<>, ex::f32<3>) == R"({ lambda ; a:i32[] b:f32[3]. let
    _:i32[] _:i32[] c:f32[3] = while[
      body_jaxpr={ lambda ; d:i32[] e:i32[] f:f32[3]. let
          g:i32[] = add d 1:i32[]
          h:f32[3] = add f 1.0:f32[]
        in (g, e, h) }
      body_nconsts=0
      cond_jaxpr={ lambda ; i:i32[] j:i32[] k:f32[3]. let
          l:bool[] = lt i j
        in (l,) }
      cond_nconsts=0
    ] 0:i32[] a b
  in (c,) })");

}  // namespace
