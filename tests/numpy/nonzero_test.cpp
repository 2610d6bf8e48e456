// SPDX-License-Identifier: BSL-1.0
// Where an array is not zero, with sizes known in advance: JAX's cases by name, the jaxpr, corners, batches.
#include <limits>
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

template <int... D>
using ints = ex::array<std::int32_t, D...>;
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr ints<2, 3> grid{{0, 5, 0}, {6, 0, 7}};
constexpr ints<5> five{1, 2, 3, 4, 5};

template <class F, class Expected, class... X>
constexpr bool gives(F f, Expected const& expected, X const&... x) {
  return ex::jit(f)(x...) == expected;
}

// The names are those of JAX's cases.
constexpr bool nonzero_exact = gives([](auto x) { return std::get<0>(ex::nonzero<3>(x)); }, ints<3>{1, 3, 5}, ints<6>{0, 5, 0, 6, 0, 7});
constexpr bool nonzero_2d =
    gives([](auto x) { return ex::nonzero<4>(x, ex::fill_value(-1)); }, std::tuple(ints<4>{0, 1, 1, -1}, ints<4>{1, 0, 2, -1}), grid);
constexpr bool nonzero_2d_fill_tuple =
    gives([](auto x) { return ex::nonzero<4>(x, ex::fill_value(2, 3)); }, std::tuple(ints<4>{0, 1, 1, 2}, ints<4>{1, 0, 2, 3}), grid);
constexpr bool nonzero_float_nan = gives([](auto x) { return std::get<0>(ex::nonzero<3>(x, ex::fill_value(-1))); }, ints<3>{2, 3, -1},
                                         ex::array<float, 4>{0, -0.0f, nan, 1});
constexpr bool argwhere_size = gives([](auto x) { return ex::argwhere<3>(x); }, ints<3, 2>{{0, 0}, {0, 2}, {1, 1}}, ints<2, 3>{{1, 0, 2}, {0, 3, 0}});
constexpr bool flatnonzero_size =
    gives([](auto x) { return ex::flatnonzero<4>(x, ex::fill_value(10)); }, ints<4>{1, 2, 10, 10}, ints<2, 2>{{0, 5}, {6, 0}});
constexpr bool where3 = gives([](auto x) { return ex::where(x < 0, 0, x); }, ints<4>{0, 0, 0, 1}, ints<4>{-2, -1, 0, 1});
constexpr bool idx_oob_fill_value = gives([](auto x, auto i) { return x.at(i).get(ex::mode_fill, ex::fill_value(7)); },
                                          ints<10>{7, 7, 1, 2, 1, 4, 5, 7, 7, 7}, five, ints<10>{-10, -6, -5, -4, 0, 3, 4, 5, 6, 100});
constexpr bool idx_nowrap_fill =
    gives([](auto x, auto i) { return x.at(i).get(ex::mode_fill, ex::fill_value(99), ex::wrap_negative_indices<false>); },
          ex::array<float, 4>{99, 0, 4, 99}, ex::array<float, 5>{0, 1, 2, 3, 4}, ints<4>{-1, 0, 4, 5});
constexpr bool at_add_clip =
    gives([](auto x) { return x.at(20).add(10, ex::mode_clip); }, ex::array<float, 5>{0, 1, 2, 3, 14}, ex::array<float, 5>{0, 1, 2, 3, 4});
constexpr bool dyn_slice_2d =
    gives([](auto x, auto i, auto j) { return ex::dynamic_slice<2, 3>(x, i, j); }, ints<2, 3>{{5, 6, 7}, {9, 10, 11}},
          ints<3, 4>{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}}, 1, 1);
constexpr bool rev_slice = gives(
    [](auto x) {
      return std::tuple(x(ex::slice<ex::none, ex::none, -1>), x(ex::slice<ex::none, ex::none, 2>), x(ex::slice<-2, ex::none>), x(ex::slice<1, -1>));
    },
    std::tuple(ints<5>{4, 3, 2, 1, 0}, ints<3>{0, 2, 4}, ints<2>{3, 4}, ints<3>{1, 2, 3}), ints<5>{0, 1, 2, 3, 4});
constexpr bool slice_clamp_static = gives([](auto x) { return x(ex::slice<ex::none, 10>); }, five, five);

static_assert(nonzero_exact && nonzero_2d && nonzero_2d_fill_tuple && nonzero_float_nan && argwhere_size && flatnonzero_size && where3);
static_assert(idx_oob_fill_value && idx_nowrap_fill && at_add_clip && dyn_slice_2d && rev_slice && slice_clamp_static);

// Without arguments out of a trace, with a size as an option, cut off, of no elements, of booleans; where(mask); the default fill is 0.
static_assert(ex::nonzero(grid, ex::size<4>) == std::tuple(ints<4>{0, 1, 1, 0}, ints<4>{1, 0, 2, 0}));
static_assert(ex::where(grid, ex::size<2>) == std::tuple(ints<2>{0, 1}, ints<2>{1, 0}));
static_assert(ex::flatnonzero<0>(grid) == ints<0>());
static_assert(ex::flatnonzero<2>(ints<0>(), ex::fill_value(7)) == ints<2>{7, 7});
static_assert(ex::flatnonzero<2>(ints<0>()) == ints<2>{0, 0});
static_assert(ex::flatnonzero<3>(ex::array<bool, 3>{true, false, true}) == ints<3>{0, 2, 0});
static_assert(ex::flatnonzero<2>(ints<>(4), ex::fill_value(9)) == ints<2>{0, 9});
static_assert(ex::argwhere<2>(ints<2>{0, 1}, ex::fill_value(-1)) == ints<2, 1>{1, -1});

// x(mask, size): the elements that the mask selects, then the fill value.
constexpr auto selected = [](auto x) {
  return std::tuple(x(x > 5, ex::size<4>, ex::fill_value(-1)), x(x > 0, ex::size<2>), x(x(ex::all, 0) > 5, ex::size<2>), x.at(x > 5).get(ex::size<1>));
};
static_assert(gives(selected, std::tuple(ints<4>{6, 7, -1, -1}, ints<2>{5, 6}, ints<2, 3>{{6, 0, 7}, {0, 0, 0}}, ints<1>{6}), grid));

// Each row of a batch for itself.
static_assert(gives(ex::vmap([](auto x) { return ex::flatnonzero<2>(x, ex::fill_value(-1)); }), ints<2, 2>{{1, -1}, {0, 2}}, grid));

constexpr auto places = [](auto x) { return ex::nonzero<3>(x, ex::fill_value(-1)); };
constexpr std::string_view places_jaxpr = R"({ lambda ; a:i32[5]. let
    b:bool[5] = ne a 0:i32[]
    c:i32[5] = jit[
      name=cumsum
      jaxpr={ lambda ; b:bool[5]. let
          d:i32[5] = convert_element_type[new_dtype=int32 weak_type=False] b
          c:i32[5] = cumsum[axis=0 reverse=False] d
        in (c,) }
    ] b
    e:i32[3] = broadcast_in_dim 0:i32[]
    f:i32[5] = jit[
      name=clip
      jaxpr={ lambda ; c:i32[5] g:i32[]. let
          h:i32[] = convert_element_type[new_dtype=int32 weak_type=False] g
          f:i32[5] = max h c
        in (f,) }
    ] c 0:i32[]
    i:bool[5] = lt f 0:i32[]
    j:i32[5] = add f 3:i32[]
    k:i32[5] = select_n i f j
    l:i32[5,1] = broadcast_in_dim[broadcast_dimensions=(0,)] k
    m:i32[5] = broadcast_in_dim 1:i32[]
    n:i32[3] = scatter-add[
      dimension_numbers=ScatterDimensionNumbers(update_window_dims=(), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,), operand_batching_dims=(), scatter_indices_batching_dims=())
      indices_are_sorted=False
      mode=GatherScatterMode.FILL_OR_DROP
      unique_indices=False
      update_consts=()
      update_jaxpr={ lambda ; o:i32[] p:i32[]. let q:i32[] = add o p in (q,) }
    ] e l m
    r:i32[3] = jit[
      name=cumsum
      jaxpr={ lambda ; n:i32[3]. let
          r:i32[3] = cumsum[axis=0 reverse=False] n
        in (r,) }
    ] n
    s:i32[3] = jit[
      name=floor_divide
      jaxpr={ lambda ; r:i32[3] t:i32[]. let
          u:i32[3] = div r t
          v:i32[3] = sign r
          w:i32[] = sign t
          x:bool[3] = ne v w
          y:i32[3] = rem r t
          z:bool[3] = ne y 0:i32[]
          ba:bool[3] = and x z
          bb:i32[3] = sub u 1:i32[]
          s:i32[3] = jit[
            name=_where
            jaxpr={ lambda ; ba:bool[3] bb:i32[3] u:i32[3]. let
                s:i32[3] = select_n ba u bb
              in (s,) }
          ] ba bb u
        in (s,) }
    ] r 1:i32[]
    bc:i32[3] = jit[
      name=remainder
      jaxpr={ lambda ; s:i32[3] bd:i32[]. let
          be:i32[] = convert_element_type[new_dtype=int32 weak_type=False] bd
          bf:bool[] = eq be 0:i32[]
          bg:i32[] = jit[
            name=_where
            jaxpr={ lambda ; bf:bool[] bh:i32[] be:i32[]. let
                bg:i32[] = select_n bf be bh
              in (bg,) }
          ] bf 1:i32[] be
          bi:i32[3] = rem s bg
          bj:bool[3] = ne bi 0:i32[]
          bk:bool[3] = lt bi 0:i32[]
          bl:bool[] = lt bg 0:i32[]
          bm:bool[3] = ne bk bl
          bn:bool[3] = and bm bj
          bo:i32[3] = add bi bg
          bc:i32[3] = select_n bn bi bo
        in (bc,) }
    ] s 5:i32[]
    bp:i32[3] = iota[dimension=0 dtype=int32 shape=(3,) sharding=None] 
    bq:i32[5] = convert_element_type[new_dtype=int32 weak_type=False] b
    br:i32[] = reduce_sum[axes=(0,) out_sharding=None] bq
    bs:bool[3] = ge bp br
    bt:i32[3] = jit[
      name=_where
      jaxpr={ lambda ; bs:bool[3] bu:i32[] bc:i32[3]. let
          bv:i32[] = convert_element_type[new_dtype=int32 weak_type=False] bu
          bw:i32[3] = broadcast_in_dim bv
          bt:i32[3] = select_n bs bc bw
        in (bt,) }
    ] bs -1:i32[] bc
  in (bt,) })";
static_assert(ex::make_jaxpr(places)(ints<5>()) == places_jaxpr);
static_assert(ex::make_jaxpr([](auto x, auto i) { return x(i); })(ex::f32<5>, ex::i32<3>) == R"({ lambda ; a:f32[5] b:i32[3]. let
    c:bool[3] = lt b 0:i32[]
    d:i32[3] = add b 5:i32[]
    e:i32[3] = select_n c b d
    f:i32[3,1] = broadcast_in_dim[broadcast_dimensions=(0,)] e
    g:f32[3] = gather[
      dimension_numbers=GatherDimensionNumbers(offset_dims=(), collapsed_slice_dims=(0,), start_index_map=(0,), operand_batching_dims=(), start_indices_batching_dims=())
      fill_value=None
      indices_are_sorted=False
      mode=GatherScatterMode.PROMISE_IN_BOUNDS
      slice_sizes=(1,)
      unique_indices=False
    ] a f
  in (g,) })");

}  // namespace

TEST_CASE("nonzero") {
  CHECK(ex::jit(places)(ints<5>{0, 3, 0, 0, 1}) == std::tuple(ints<3>{1, 4, -1}));
  CHECK(ex::jit(selected)(grid) == std::tuple(ints<4>{6, 7, -1, -1}, ints<2>{5, 6}, ints<2, 3>{{6, 0, 7}, {0, 0, 0}}, ints<1>{6}));
  // Large enough for packs, with a ragged end.
  ex::array<float, 7, 143> x;
  ints<40> rows, columns;
  rows.fill(-1);
  columns.fill(-1);
  int n = 0;
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 143; ++j)
      if ((i * 143 + j) % 37 == 11) x(i, j) = 1, rows(n) = i, columns(n++) = j;
  CHECK(ex::nonzero<40>(x, ex::fill_value(-1)) == std::tuple(rows, columns));
}
