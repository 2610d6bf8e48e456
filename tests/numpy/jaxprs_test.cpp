// SPDX-License-Identifier: BSL-1.0
// The jaxprs of functions of this folder are those of JAX 0.10, byte for byte.
#include <array>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

static_assert(ex::make_jaxpr([](auto first, auto second) { return ex::sum(first + ex::sin(second) * 3.0); })(ex::f32<8>, ex::f32<8>) ==
              R"({ lambda ; a:f32[8] b:f32[8]. let
    c:f32[8] = sin b
    d:f32[8] = mul c 3.0:f32[]
    e:f32[8] = add a d
    f:f32[] = reduce_sum[axes=(0,) out_sharding=None] e
  in (f,) })");

static_assert(ex::make_jaxpr([](auto x, auto w) {
      constexpr int n = decltype(x)::extent(0);
      std::array<ex::expr<float>, n - 2> out;
      for (int i = 1; i < n - 1; ++i) out[static_cast<std::size_t>(i - 1)] = ex::dot(ex::dynamic_slice<3>(x, i - 1), w);
      return ex::stack(out);
    })(ex::i32<5>, ex::f32<3>) ==
              R"({ lambda ; a:i32[5] b:f32[3]. let
    c:i32[3] = slice[limit_indices=(3,) start_indices=(0,) strides=None] a
    d:f32[] = dot_general[
      dimension_numbers=(([0], [0]), ([], []))
      preferred_element_type=float32
    ] c b
    e:i32[3] = slice[limit_indices=(4,) start_indices=(1,) strides=None] a
    f:f32[] = dot_general[
      dimension_numbers=(([0], [0]), ([], []))
      preferred_element_type=float32
    ] e b
    g:i32[3] = slice[limit_indices=(5,) start_indices=(2,) strides=None] a
    h:f32[] = dot_general[
      dimension_numbers=(([0], [0]), ([], []))
      preferred_element_type=float32
    ] g b
    i:f32[1] = broadcast_in_dim d
    j:f32[1] = broadcast_in_dim f
    k:f32[1] = broadcast_in_dim h
    l:f32[3] = concatenate[dimension=0] i j k
  in (l,) })");

static_assert(ex::make_jaxpr([](auto x) { return x(ex::slice<ex::none, ex::none, -1>); })(ex::f32<5>) ==
              R"({ lambda ; a:f32[5]. let b:f32[5] = rev[dimensions=(0,)] a in (b,) })");

// A weak index becomes strong where the size is added; several starts before they are wrapped, and those that are known are wrapped too.
static_assert(ex::make_jaxpr([](auto x, auto i) { return x(i); })(ex::f32<5>, 1) ==
              R"({ lambda ; a:f32[5] b:i32[]. let
    c:bool[] = lt b 0:i32[]
    d:i32[] = convert_element_type[new_dtype=int32 weak_type=False] b
    e:i32[] = add d 5:i32[]
    f:i32[] = select_n c b e
    g:f32[1] = dynamic_slice[slice_sizes=(1,)] a f
    h:f32[] = squeeze[dimensions=(0,)] g
  in (h,) })");
static_assert(ex::make_jaxpr([](auto x, auto i) { return x(i); })(ex::f32<5>, ex::i32<>) ==
              R"({ lambda ; a:f32[5] b:i32[]. let
    c:bool[] = lt b 0:i32[]
    d:i32[] = add b 5:i32[]
    e:i32[] = select_n c b d
    f:f32[1] = dynamic_slice[slice_sizes=(1,)] a e
    g:f32[] = squeeze[dimensions=(0,)] f
  in (g,) })");
static_assert(ex::make_jaxpr([](auto x, auto i) { return x(i, -1); })(ex::f32<3, 4>, 1) ==
              R"({ lambda ; a:f32[3,4] b:i32[]. let
    c:i32[] = convert_element_type[new_dtype=int32 weak_type=False] b
    d:bool[] = lt c 0:i32[]
    e:i32[] = add c 3:i32[]
    f:i32[] = select_n d c e
    g:bool[] = lt -1:i32[] 0:i32[]
    h:i32[] = add -1:i32[] 4:i32[]
    i:i32[] = select_n g -1:i32[] h
    j:f32[1,1] = dynamic_slice[slice_sizes=(1, 1)] a f i
    k:f32[] = squeeze[dimensions=(0, 1)] j
  in (k,) })");
static_assert(ex::make_jaxpr([](auto x, auto i) { return ex::dynamic_slice<2, 3>(x, i, 0); })(ex::f32<5, 3>, 1) ==
              R"({ lambda ; a:f32[5,3] b:i32[]. let
    c:bool[] = lt b 0:i32[]
    d:i32[] = convert_element_type[new_dtype=int32 weak_type=False] b
    e:i32[] = add d 5:i32[]
    f:i32[] = select_n c b e
    g:f32[2,3] = dynamic_slice[slice_sizes=(2, 3)] a f 0:i32[]
  in (g,) })");

static_assert(ex::make_jaxpr([](auto x, auto i) { return x.at(i).set(1.0f); })(ex::f32<5>, 1) ==
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
  in (h,) })");

// Indices that are known are constants of index vectors; those out of range too.
static_assert(ex::make_jaxpr([](auto x) { return x.at(7).set(1.0f); })(ex::f32<5>) ==
              R"({ lambda ; a:f32[5]. let
    b:i32[1] = broadcast_in_dim 7:i32[]
    c:f32[5] = scatter[
      dimension_numbers=ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,), operand_batching_dims=(), scatter_indices_batching_dims=())
      indices_are_sorted=True
      mode=GatherScatterMode.FILL_OR_DROP
      unique_indices=True
      update_consts=()
      update_jaxpr=None
    ] a b 1.0:f32[]
  in (c,) })");
static_assert(ex::make_jaxpr([](auto x, auto v) { return x.at(2, -1).add(v); })(ex::f32<5, 3>, ex::f32<>) ==
              R"({ lambda ; a:f32[5,3] b:f32[]. let
    c:i32[1] = broadcast_in_dim 2:i32[]
    d:i32[1] = broadcast_in_dim 2:i32[]
    e:i32[2] = concatenate[dimension=0] c d
    f:f32[5,3] = scatter-add[
      dimension_numbers=ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0, 1), scatter_dims_to_operand_dims=(0, 1), operand_batching_dims=(), scatter_indices_batching_dims=())
      indices_are_sorted=True
      mode=GatherScatterMode.FILL_OR_DROP
      unique_indices=True
      update_consts=()
      update_jaxpr={ lambda ; g:f32[] h:f32[]. let i:f32[] = add g h in (i,) }
    ] a e b
  in (f,) })");
static_assert(ex::make_jaxpr([](auto x) { return x.at(ex::slice<1, 3>).add(1.0f); })(ex::f32<5>) ==
              R"({ lambda ; a:f32[5]. let
    b:i32[1] = broadcast_in_dim 1:i32[]
    c:f32[2] = broadcast_in_dim 1.0:f32[]
    d:f32[5] = scatter-add[
      dimension_numbers=ScatterDimensionNumbers(update_window_dims=(0,), inserted_window_dims=(), scatter_dims_to_operand_dims=(0,), operand_batching_dims=(), scatter_indices_batching_dims=())
      indices_are_sorted=True
      mode=GatherScatterMode.FILL_OR_DROP
      unique_indices=True
      update_consts=()
      update_jaxpr={ lambda ; e:f32[] f:f32[]. let g:f32[] = add e f in (g,) }
    ] a b c
  in (d,) })");

static_assert(ex::make_jaxpr([](auto x) { return x & true; })(ex::b1<2>) ==
              R"({ lambda ; a:bool[2]. let b:bool[2] = and a True:bool[] in (b,) })");

static_assert(ex::make_jaxpr([](auto x) { return ex::mean(x); })(ex::f32<3>) ==
              R"({ lambda ; a:f32[3]. let
    b:f32[] = reduce_sum[axes=(0,) out_sharding=None] a
    c:f32[] = div b 3.0:f32[]
  in (c,) })");

static_assert(ex::make_jaxpr([](auto x) { return ex::max(x, ex::axis<1>); })(ex::f32<2, 3>) ==
              R"({ lambda ; a:f32[2,3]. let b:f32[2] = reduce_max[axes=(1,)] a in (b,) })");

static_assert(ex::make_jaxpr([] { return ex::linspace<5>(0.0, 1.0); })() ==
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
  in (a,) })");

static_assert(ex::make_jaxpr([](auto x) { return std::tuple(ex::pow(x, 2), ex::pow(x, 0.5), ex::pow(x, -1)); })(ex::f32<3>) ==
              R"({ lambda ; a:f32[3]. let
    b:f32[3] = integer_pow[y=2] a
    c:f32[3] = pow a 0.5:f32[]
    d:f32[3] = integer_pow[y=-1] a
  in (b, c, d) })");

static_assert(ex::make_jaxpr([](auto a, auto b) { return ex::floor_divide(a, b); })(ex::i32<>, ex::i32<>) ==
              R"({ lambda ; a:i32[] b:i32[]. let
    c:i32[] = jit[
      name=floor_divide
      jaxpr={ lambda ; a:i32[] b:i32[]. let
          d:i32[] = div a b
          e:i32[] = sign a
          f:i32[] = sign b
          g:bool[] = ne e f
          h:i32[] = rem a b
          i:bool[] = ne h 0:i32[]
          j:bool[] = and g i
          k:i32[] = sub d 1:i32[]
          c:i32[] = jit[
            name=_where
            jaxpr={ lambda ; j:bool[] k:i32[] d:i32[]. let
                c:i32[] = select_n j d k
              in (c,) }
          ] j k d
        in (c,) }
    ] a b
  in (c,) })");

constexpr ex::array<float, 3> numbers{0, 1, 2};
static_assert(ex::make_jaxpr([](auto x) { return x + numbers; })(ex::f32<3>) ==
              R"({ lambda a:f32[3]; b:f32[3]. let c:f32[3] = add b a in (c,) })");

static_assert(ex::make_jaxpr([](auto x) {
      auto y = x + 0;
      for (int i = 1; i < 5; ++i) y = y + i;
      return y;
    })(0) ==
              R"({ lambda ; a:i32[]. let
    b:i32[] = add a 0:i32[]
    c:i32[] = add b 1:i32[]
    d:i32[] = add c 2:i32[]
    e:i32[] = add d 3:i32[]
    f:i32[] = add e 4:i32[]
  in (f,) })");

}  // namespace
