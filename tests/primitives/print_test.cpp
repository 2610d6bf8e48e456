// SPDX-License-Identifier: BSL-1.0
// The parameters of each primitive in the words of JAX 0.10.
#include <doctest/doctest.h>

#include "text/build.hpp"

using namespace build;

// One equation with these inputs prints as `text` between "let " and " in".
constexpr bool prints_as(prim op, std::initializer_list<aval> types, std::initializer_list<int> par, aval const& out, std::string_view text) {
  return prints(
      [&](builder& b) {
        detail::arena<int> v;
        for (aval const& t : types) v.push(b.in(t));
        b.begin();
        int const r = b.p.emit(op, v, par, {&out, 1});
        b.p.close(v, {&r, 1});
      },
      text);
}
constexpr int as_f32 = static_cast<int>(dtype::f32), as_i32 = static_cast<int>(dtype::i32);

static_assert(prints_as(prim::integer_pow, {f32()}, {-1}, f32(), "{ lambda ; a:f32[]. let b:f32[] = integer_pow[y=-1] a in (b,) }"));
static_assert(prints_as(prim::convert_element_type, {f32()}, {as_i32, 0}, i32(), R"({ lambda ; a:f32[]. let
    b:i32[] = convert_element_type[new_dtype=int32 weak_type=False] a
  in (b,) })"));
static_assert(prints_as(prim::squeeze, {f32({1, 2})}, {0}, f32({2}), "{ lambda ; a:f32[1,2]. let b:f32[2] = squeeze[dimensions=(0,)] a in (b,) }"));
static_assert(prints_as(prim::slice, {f32({5})}, {0, 5, 2}, f32({3}), R"({ lambda ; a:f32[5]. let
    b:f32[3] = slice[limit_indices=(5,) start_indices=(0,) strides=(2,)] a
  in (b,) })"));
static_assert(prints_as(prim::pad, {f32({3}), f32()}, {1, -1, 0}, f32({3}), R"({ lambda ; a:f32[3] b:f32[]. let
    c:f32[3] = pad[padding_config=((1, -1, 0),)] a b
  in (c,) })"));
static_assert(prints_as(prim::pad, {f32({3, 1}), f32()}, {1, 0, 1, 0, 0, 0}, f32({5, 1}), R"({ lambda ; a:f32[3,1] b:f32[]. let
    c:f32[5,1] = pad[padding_config=((1, 1, 0), (0, 0, 0))] a b
  in (c,) })"));
static_assert(prints_as(prim::dynamic_slice, {f32({5}), i32()}, {3}, f32({3}), R"({ lambda ; a:f32[5] b:i32[]. let
    c:f32[3] = dynamic_slice[slice_sizes=(3,)] a b
  in (c,) })"));
static_assert(prints_as(prim::dynamic_update_slice, {f32({5}), f32({2}), i32()}, {}, f32({5}), R"({ lambda ; a:f32[5] b:f32[2] c:i32[]. let
    d:f32[5] = dynamic_update_slice a b c
  in (d,) })"));
static_assert(prints_as(prim::gather, {f32({5, 3}), i32({2, 1})}, {1, 0x7fc00000, 0, 0, 0, 1, 3, 1, 1, 1, 0, 1, 0, 0, 0}, f32({2, 3}),
                        R"({ lambda ; a:f32[5,3] b:i32[2,1]. let
    c:f32[2,3] = gather[
      dimension_numbers=GatherDimensionNumbers(offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,), operand_batching_dims=(), start_indices_batching_dims=())
      fill_value=nan
      indices_are_sorted=False
      mode=GatherScatterMode.FILL_OR_DROP
      slice_sizes=(1, 3)
      unique_indices=False
    ] a b
  in (c,) })"));
static_assert(prints_as(prim::update_slice, {f32({5}), f32({2})}, {1, 1}, f32({5}), R"({ lambda ; a:f32[5] b:f32[2]. let
    c:f32[5] = scatter[limit_indices=(3,) start_indices=(1,) strides=None] a b
  in (c,) })"));
static_assert(prints_as(prim::update_slice_add, {f32({5}), f32({2})}, {1, 2}, f32({5}), R"({ lambda ; a:f32[5] b:f32[2]. let
    c:f32[5] = scatter-add[limit_indices=(4,) start_indices=(1,) strides=(2,)] a
      b
  in (c,) })"));
static_assert(prints_as(prim::reduce_prod, {f32({2, 3})}, {0, 1}, f32(), "{ lambda ; a:f32[2,3]. let b:f32[] = reduce_prod[axes=(0, 1)] a in (b,) }"));
static_assert(prints_as(prim::dot_general, {f32({2, 3}), f32({2, 3})}, {1, 1, 1, 1, 0, 0, as_f32, 0}, f32({2}), R"({ lambda ; a:f32[2,3] b:f32[2,3]. let
    c:f32[2] = dot_general[
      dimension_numbers=(([1], [1]), ([0], [0]))
      preferred_element_type=float32
    ] a b
  in (c,) })"));
static_assert(prints_as(prim::conv_general_dilated, {f32({1, 1, 4}), f32({1, 1, 3})}, {1, 1, 1, 0, 1, 1, 1, 1, as_f32}, f32({1, 1, 3}),
                        R"({ lambda ; a:f32[1,1,4] b:f32[1,1,3]. let
    c:f32[1,1,3] = conv_general_dilated[
      batch_group_count=1
      dimension_numbers=ConvDimensionNumbers(lhs_spec=(0, 1, 2), rhs_spec=(0, 1, 2), out_spec=(0, 1, 2))
      feature_group_count=1
      lhs_dilation=(1,)
      out_sharding=None
      padding=((1, 0),)
      precision=None
      preferred_element_type=float32
      rhs_dilation=(1,)
      window_strides=(1,)
    ] a b
  in (c,) })"));

// Collectives before their axis is mapped: a name is minus its length and its letters.
static_assert(prints_as(prim::psum, {f32({3})}, {-1, 'i', 0}, f32(), R"({ lambda ; a:f32[3]. let
    b:f32[] = psum[axes=('i', 0) axis_index_groups=None] a
  in (b,) })"));
static_assert(prints_as(prim::axis_index, {}, {-5, 'b' | 'a' << 8 | 't' << 16 | 'c' << 24, 'h'}, i32(),
                        "{ lambda ; . let a:i32[] = axis_index[axis_name=batch]  in (a,) }"));
static_assert(prints_as(prim::all_gather, {f32()}, {0, 3, 0, -1, 'i'}, f32({3}), R"({ lambda ; a:f32[]. let
    b:f32[3] = all_gather[
      all_gather_dimension=0
      axis_index_groups=None
      axis_name=('i',)
      axis_size=3
      tiled=False
    ] a
  in (b,) })"));
static_assert(prints_as(prim::ppermute, {f32()}, {2, 1, 0, -1, 'i'}, f32(), R"({ lambda ; a:f32[]. let
    b:f32[] = ppermute[axis_name=('i',) perm=((1, 0), (0, 1))] a
  in (b,) })"));

TEST_CASE("printing at run time") {
  CHECK(prints_as(prim::rev, {f32({5})}, {0}, f32({5}), "{ lambda ; a:f32[5]. let b:f32[5] = rev[dimensions=(0,)] a in (b,) }"));
}
