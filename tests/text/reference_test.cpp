// SPDX-License-Identifier: BSL-1.0
// More texts of JAX 0.10, byte for byte: reductions, movement, products, updates, loops.
#include <doctest/doctest.h>

#include "build.hpp"

using namespace build;

constexpr int f32_number = static_cast<int>(dtype::f32), i32_number = static_cast<int>(dtype::i32);

// lambda x: (x**2, x**0.5, x**-1)
static_assert(prints(
    [](builder& b) {
      b.begin();
      int const x = b.in(f32({3}));
      int const s = b.op(prim::integer_pow, {x}, f32({3}), {2}), r = b.op(prim::pow, {x, b.literal(0.5f)}, f32({3}));
      b.end({x}, {s, r, b.op(prim::integer_pow, {x}, f32({3}), {-1})});
    },
    R"({ lambda ; a:f32[3]. let
    b:f32[3] = integer_pow[y=2] a
    c:f32[3] = pow a 0.5:f32[]
    d:f32[3] = integer_pow[y=-1] a
  in (b, c, d) })"));

// x[::-1], max(x, axis=1), mean
static_assert(prints(
    [](builder& b) {
      b.begin();
      int const x = b.in(f32({5}));
      b.end({x}, {b.op(prim::rev, {x}, f32({5}), {0})});
    },
    "{ lambda ; a:f32[5]. let b:f32[5] = rev[dimensions=(0,)] a in (b,) }"));
static_assert(prints(
    [](builder& b) {
      b.begin();
      int const x = b.in(f32({2, 3}));
      b.end({x}, {b.op(prim::reduce_max, {x}, f32({2}), {1})});
    },
    "{ lambda ; a:f32[2,3]. let b:f32[2] = reduce_max[axes=(1,)] a in (b,) }"));
static_assert(prints(
    [](builder& b) {
      b.begin();
      int const x = b.in(f32({3}));
      int const s = b.op(prim::reduce_sum, {x}, f32(), {0});
      b.end({x}, {b.op(prim::div, {s, b.literal(3.0f)}, f32())});
    },
    R"({ lambda ; a:f32[3]. let
    b:f32[] = reduce_sum[axes=(0,) out_sharding=None] a
    c:f32[] = div b 3.0:f32[]
  in (c,) })"));

// vmap of the seed's convolve
constexpr auto vmap_convolve = [](builder& b) {
  b.begin();
  int const x = b.in(i32({2, 5})), w = b.in(f32({2, 3}));
  int d[3] = {}, c[3] = {};
  for (int i = 0; i < 3; ++i) {
    int const s = b.op(prim::slice, {x}, i32({2, 3}), {0, i, 2, i + 3});
    d[i] = b.op(prim::dot_general, {s, w}, f32({2}), {1, 1, 1, 1, 0, 0, f32_number, 1});
  }
  for (int i = 0; i < 3; ++i) c[i] = b.op(prim::broadcast_in_dim, {d[i]}, f32({2, 1}), {2, 1, 0});
  b.end({x, w}, {b.op(prim::concatenate, {c[0], c[1], c[2]}, f32({2, 3}), {1})});
};
static_assert(prints(vmap_convolve, R"({ lambda ; a:i32[2,5] b:f32[2,3]. let
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
  in (l,) })"));

// vmap of a scan that is a cumulative sum
static_assert(prints(
    [](builder& b) {
      b.begin();
      int const x = b.in(f32({3, 5}));
      int const z = b.op(prim::broadcast_in_dim, {b.literal(0.0f)}, f32({3}), {3}), t = b.op(prim::transpose, {x}, f32({5, 3}), {1, 0});
      b.begin();
      int const c = b.in(f32({3})), e = b.in(f32({3}));
      int const s = b.op(prim::add, {c, e}, f32({3})), u = b.op(prim::add, {c, e}, f32({3}));
      int const body = b.end({c, e}, {s, u});
      int const out = b.scan(body, {z, t}, {f32({3}), f32({5, 3})}, 5, 0, 1);
      b.end({x}, {out, b.op(prim::transpose, {out + 1}, f32({3, 5}), {1, 0})});
    },
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
  in (d, j) })"));

// x.at[i].set(1.)
static_assert(prints(
    [](builder& b) {
      b.begin();
      int const x = b.in(f32({5})), i = b.in(i32());
      int const c = b.op(prim::lt, {i, b.literal(0)}, b1()), d = b.op(prim::add, {i, b.literal(5)}, i32());
      int const e = b.op(prim::select_n, {c, i, d}, i32()), f = b.op(prim::convert_element_type, {e}, i32(), {i32_number, 0});
      int const g = b.op(prim::broadcast_in_dim, {f}, i32({1}), {1});
      b.end({x, i}, {b.op(prim::scatter, {x, g, b.literal(1.0f)}, f32({5}), {0, 1, 0, 1, 0, 1, 1, 1, 0, 0})});
    },
    R"({ lambda ; a:f32[5] b:i32[]. let
    c:bool[] = lt b 0:i32[]
    d:i32[] = add b 5:i32[]
    e:i32[] = select_n c b d
    f:i32[] = convert_element_type[new_dtype=int32 weak_type=False] e
    g:i32[1] = broadcast_in_dim f
    h:f32[5] = scatter[
      dimension_numbers=ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,), operand_batching_dims=(), scatter_indices_batching_dims=())
      indices_are_sorted=True
      mode=GatherScatterMode.FILL_OR_DROP
      unique_indices=True
      update_consts=()
      update_jaxpr=None
    ] a g 1.0:f32[]
  in (h,) })"));

// scatter-add shows the function that it combines with; when it occurs twice, before the program.
constexpr int add_once(builder& b, int x, int i) { return b.op(prim::scatter_add, {x, i, b.literal(1.0f)}, f32({5}), {0, 1, 0, 1, 0, 1, 1, 1, 0, 0}); }
static_assert(prints(
    [](builder& b) {
      b.begin();
      int const x = b.in(f32({5})), i = b.in(i32({1}));
      b.end({x, i}, {add_once(b, x, i)});
    },
    R"({ lambda ; a:f32[5] b:i32[1]. let
    c:f32[5] = scatter-add[
      dimension_numbers=ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,), operand_batching_dims=(), scatter_indices_batching_dims=())
      indices_are_sorted=True
      mode=GatherScatterMode.FILL_OR_DROP
      unique_indices=True
      update_consts=()
      update_jaxpr={ lambda ; d:f32[] e:f32[]. let f:f32[] = add d e in (f,) }
    ] a b 1.0:f32[]
  in (c,) })"));
static_assert(prints(
    [](builder& b) {
      b.begin();
      int const x = b.in(f32({5})), i = b.in(i32({1}));
      b.end({x, i}, {add_once(b, add_once(b, x, i), i)});
    },
    R"(let jaxpr = { lambda ; a:f32[] b:f32[]. let c:f32[] = add a b in (c,) } in
{ lambda ; d:f32[5] e:i32[1]. let
    f:f32[5] = scatter-add[
      dimension_numbers=ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,), operand_batching_dims=(), scatter_indices_batching_dims=())
      indices_are_sorted=True
      mode=GatherScatterMode.FILL_OR_DROP
      unique_indices=True
      update_consts=()
      update_jaxpr=jaxpr
    ] d e 1.0:f32[]
    g:f32[5] = scatter-add[
      dimension_numbers=ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,), operand_batching_dims=(), scatter_indices_batching_dims=())
      indices_are_sorted=True
      mode=GatherScatterMode.FILL_OR_DROP
      unique_indices=True
      update_consts=()
      update_jaxpr=jaxpr
    ] f e 1.0:f32[]
  in (g,) })"));

// linspace: a jit of literals, an unused result, an equation without operands.
static_assert(prints(
    [](builder& b) {
      b.begin();
      b.begin();
      int const x = b.in(f32()), y = b.in(f32());
      int const d = b.op(prim::convert_element_type, {x}, f32(), {f32_number, 0}), e = b.op(prim::convert_element_type, {y}, f32(), {f32_number, 0});
      int const f = b.op(prim::sub, {e, d}, f32());
      b.op(prim::div, {f, b.literal(4.0f)}, f32());
      int const g = b.op(prim::iota, {}, f32({4}), {f32_number, 0, 4}), h = b.op(prim::div, {g, b.literal(4.0f)}, f32({4}));
      int const i = b.op(prim::reshape, {d}, f32({1}), {1}), j = b.op(prim::sub, {b.literal(1.0f), h}, f32({4}));
      int const k = b.op(prim::mul, {i, j}, f32({4})), l = b.op(prim::reshape, {e}, f32({1}), {1});
      int const m = b.op(prim::mul, {l, h}, f32({4})), n = b.op(prim::add, {k, m}, f32({4}));
      int const o = b.op(prim::broadcast_in_dim, {e}, f32({1}), {1});
      int const body = b.end({x, y}, {b.op(prim::concatenate, {n, o}, f32({5}), {0})});
      b.end({}, {b.jit("_linspace", body, {b.literal(0.0f), b.literal(1.0f)}, {f32({5})})});
    },
    R"({ lambda ; . let
    a:f32[5] = jit[
      name=_linspace
      jaxpr={ lambda ; b:f32[] c:f32[]. let
          d:f32[] = convert_element_type[new_dtype=float32 weak_type=False] b
          e:f32[] = convert_element_type[new_dtype=float32 weak_type=False] c
          f:f32[] = sub e d
          _:f32[] = div f 4.0:f32[]
          g:f32[4] = iota[dimension=0 dtype=float32 shape=(4,) sharding=None] 
          h:f32[4] = div g 4.0:f32[]
          i:f32[1] = reshape[dimensions=None new_sizes=(1,) sharding=None] d
          j:f32[4] = sub 1.0:f32[] h
          k:f32[4] = mul i j
          l:f32[1] = reshape[dimensions=None new_sizes=(1,) sharding=None] e
          m:f32[4] = mul l h
          n:f32[4] = add k m
          o:f32[1] = broadcast_in_dim e
          a:f32[5] = concatenate[dimension=0] n o
        in (a,) }
    ] 0.0:f32[] 1.0:f32[]
  in (a,) })"));

// Captured values are consts of a scan.
static_assert(prints(
    [](builder& b) {
      b.begin();
      int const x = b.in(f32({16})), extra = b.in(f32());
      int const ones = b.op(prim::broadcast_in_dim, {b.literal(1.0f)}, f32({16}), {16});
      b.begin();
      int const f = b.in(f32()), g = b.in(f32()), h = b.in(f32()), i = b.in(f32());
      int const j = b.op(prim::mul, {h, i}, f32()), k = b.op(prim::convert_element_type, {g}, f32(), {f32_number, 0});
      int const l = b.op(prim::add, {k, j}, f32()), m = b.op(prim::convert_element_type, {f}, f32(), {f32_number, 0});
      int const body = b.end({f, g, h, i}, {b.op(prim::add, {l, m}, f32()), g});
      int const out = b.scan(body, {extra, b.literal(0.0f), x, ones}, {f32(), f32({16})}, 16, 1, 1);
      b.end({x, extra}, {out, out + 1});
    },
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
  in (d, e) })"));

// dot_general of one matrix product inside a jit of a lambda.
static_assert(prints(
    [](builder& b) {
      b.begin();
      int const w = b.in(f32({3, 4})), x = b.in(f32({4, 5}));
      b.begin();
      int const u = b.in(f32({3, 4})), v = b.in(f32({4, 5}));
      int const body = b.end({u, v}, {b.op(prim::dot_general, {u, v}, f32({3, 5}), {1, 1, 0, 0, f32_number, 0})});
      b.end({w, x}, {b.jit("<lambda>", body, {w, x}, {f32({3, 5})})});
    },
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
  in (c,) })"));
