// SPDX-License-Identifier: BSL-1.0
// batch: the jaxprs of JAX 0.10 byte for byte, and the law of laws.hpp for every primitive that is not elementwise.
#include <doctest/doctest.h>

#include "text/build.hpp"
#include "transforms/laws.hpp"
#include <exprax/passes/check.hpp>
#include <exprax/transforms/expand_vmap.hpp>

using namespace build;

template <class Make>
constexpr bool batches_to(Make make, detail::span<batch_axis> in, int size, detail::span<wanted_axis> out, std::string_view text) {
  builder b;
  make(b);
  program const q = batch(b.p.ref(), in, size, out);
  return check(b.p.ref()) && check(q.ref()) && detail::jaxpr_equals(q.ref(), text);
}

constexpr auto cumsum = [](builder& b) {
  int const xs = b.in(f32({5}));
  b.begin();
  int const c = b.in(f32()), x = b.in(f32());
  b.begin();
  int const f = b.op(prim::add, {c, x}, f32()), g = b.op(prim::add, {c, x}, f32());
  int const body = b.end({c, x}, {f, g});
  int const r = b.scan(body, {b.literal(0.0f), xs}, {f32(), f32({5})}, 5, 0, 1);
  b.end({xs}, {r, r + 1});
};
static_assert(batches_to(cumsum, {0}, 3, {0, 0}, R"({ lambda ; a:f32[3,5]. let
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

constexpr auto convolve = [](builder& b) {
  int const x = b.in(i32({5})), w = b.in(f32({3}));
  b.begin();
  int parts[3] = {};
  for (int i = 0; i < 3; ++i) {
    int const s = b.op(prim::slice, {x}, i32({3}), {i, i + 3});
    parts[i] = b.op(prim::dot_general, {s, w}, f32(), {1, 0, 0, 0, static_cast<int>(dtype::f32), 1});
  }
  for (int& p : parts) p = b.op(prim::broadcast_in_dim, {p}, f32({1}), {1});
  b.end({x, w}, {b.op(prim::concatenate, {parts[0], parts[1], parts[2]}, f32({3}), {0})});
};
static_assert(batches_to(convolve, {0, 0}, 2, {0}, R"({ lambda ; a:i32[2,5] b:f32[2,3]. let
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

constexpr auto dot = [](builder& b) {
  int const x = b.in(f32({4})), w = b.in(f32({4}));
  b.begin();
  b.end({x, w}, {b.op(prim::dot_general, {x, w}, f32(), {1, 0, 0, 0, static_cast<int>(dtype::f32), 1})});
};
static_assert(batches_to(dot, {0, not_mapped}, 3, {0}, R"({ lambda ; a:f32[3,4] b:f32[4]. let
    c:f32[3] = dot_general[
      dimension_numbers=(([1], [0]), ([], []))
      preferred_element_type=float32
    ] a b
  in (c,) })"));

constexpr auto twice = [](builder& b) {
  int const x = b.in(f32({3}));
  b.begin();
  b.end({x}, {b.op(prim::mul, {x, b.literal(2.0f)}, f32({3}))});
};
static_assert(batches_to(twice, {1}, 4, {1}, "{ lambda ; a:f32[3,4]. let b:f32[3,4] = mul a 2.0:f32[] in (b,) }"));
// The axis moves where it is asked for; what is not batched is repeated, or stays if that is asked for.
static_assert(batches_to(twice, {1}, 4, {0}, R"({ lambda ; a:f32[3,4]. let
    b:f32[3,4] = mul a 2.0:f32[]
    c:f32[4,3] = transpose[permutation=(1, 0)] b
  in (c,) })"));
static_assert(batches_to(twice, {not_mapped}, 4, {1}, R"({ lambda ; a:f32[3]. let
    b:f32[3] = mul a 2.0:f32[]
    c:f32[3,4] = broadcast_in_dim[broadcast_dimensions=(0,)] b
  in (c,) })"));
static_assert(batches_to(twice, {not_mapped}, 4, {not_mapped}, "{ lambda ; a:f32[3]. let b:f32[3] = mul a 2.0:f32[] in (b,) }"));

// A jit stays a jit of the same name.
constexpr auto relu = [](builder& b) {
  int const x = b.in(f32({3}));
  b.begin();
  int const y = b.in(f32({3}));
  b.begin();
  int const body = b.end({y}, {b.op(prim::max, {b.literal(0.0f), y}, f32({3}))});
  b.end({x}, {b.jit("activation", body, {x}, {f32({3})})});
};
static_assert(batches_to(relu, {1}, 4, {1}, R"({ lambda ; a:f32[3,4]. let
    b:f32[3,4] = jit[
      name=activation
      jaxpr={ lambda ; a:f32[3,4]. let b:f32[3,4] = max 0.0:f32[] a in (b,) }
    ] a
  in (b,) })"));

// broadcast_batcher: operands that disagree meet at the front, what is not batched with an axis of 1.
constexpr auto product = [](builder& b) {
  int const x = b.in(f32({3})), y = b.in(f32({3}));
  b.begin();
  b.end({x, y}, {b.op(prim::mul, {x, y}, f32({3}))});
};
static_assert(batches_to(product, {1, not_mapped}, 4, {0}, R"({ lambda ; a:f32[3,4] b:f32[3]. let
    c:f32[4,3] = transpose[permutation=(1, 0)] a
    d:f32[1,3] = broadcast_in_dim[broadcast_dimensions=(1,)] b
    e:f32[4,3] = mul c d
  in (e,) })"));

// A carry that does not depend on the batch stays as it is, so that a loop computes it once for all rows; so does what is
// computed from it.
static_assert(batches_to(
    [](builder& b) {
      int const v = b.in(f32());
      b.begin();
      int const i = b.in(i32()), x = b.in(f32());
      b.begin();
      int const n = b.op(prim::add, {i, b.literal(1)}, i32()), y = b.op(prim::mul, {x, b.literal(0.5f)}, f32());
      int const body = b.end({i, x}, {n, y});
      int const r = b.scan(body, {b.literal(0), v}, {i32(), f32()}, 10, 0, 2);
      b.end({v}, {r, r + 1});
    },
    {0}, 8, {not_mapped, 0}, R"({ lambda ; a:f32[8]. let
    b:i32[] c:f32[8] = scan[
      jaxpr={ lambda ; d:i32[] e:f32[8]. let
          f:i32[] = add d 1:i32[]
          g:f32[8] = mul e 0.5:f32[]
        in (f, g) }
      length=10
      num_carry=2
      num_consts=0
      reverse=False
      unroll=1
    ] 0:i32[] a
  in (b, c) })"));

// Reads at an index that is batched become a gather, updates a scatter, as in jax._src.lax.slicing.
constexpr auto window = [](builder& b) {
  int const x = b.in(f32({7})), i = b.in(i32());
  b.begin();
  b.end({x, i}, {b.op(prim::dynamic_slice, {x, i}, f32({3}), {3})});
};
static_assert(batches_to(window, {0, 0}, 4, {0}, R"({ lambda ; a:f32[4,7] b:i32[4]. let
    c:i32[4,1] = broadcast_in_dim[broadcast_dimensions=(0,)] b
    d:f32[4,3] = gather[
      dimension_numbers=GatherDimensionNumbers(offset_dims=(1,), collapsed_slice_dims=(), start_index_map=(1,), operand_batching_dims=(0,), start_indices_batching_dims=(0,))
      fill_value=None
      indices_are_sorted=True
      mode=GatherScatterMode.CLIP
      slice_sizes=(1, 3)
      unique_indices=True
    ] a c
  in (d,) })"));
static_assert(batches_to(window, {not_mapped, 0}, 4, {0}, R"({ lambda ; a:f32[7] b:i32[4]. let
    c:i32[4,1] = broadcast_in_dim[broadcast_dimensions=(0,)] b
    d:f32[4,3] = gather[
      dimension_numbers=GatherDimensionNumbers(offset_dims=(1,), collapsed_slice_dims=(), start_index_map=(0,), operand_batching_dims=(), start_indices_batching_dims=())
      fill_value=None
      indices_are_sorted=False
      mode=GatherScatterMode.CLIP
      slice_sizes=(3,)
      unique_indices=False
    ] a c
  in (d,) })"));
constexpr auto block_of = [](builder& b) {
  int const x = b.in(f32({5, 7})), i = b.in(i32());
  b.begin();
  b.end({x, i}, {b.op(prim::dynamic_slice, {x, i, b.literal(0)}, f32({2, 3}), {2, 3})});
};
static_assert(batches_to(block_of, {1, not_mapped}, 4, {0}, R"({ lambda ; a:f32[5,4,7] b:i32[]. let
    c:i32[1] = broadcast_in_dim b
    d:i32[1] = broadcast_in_dim 0:i32[]
    e:i32[2] = concatenate[dimension=0] c d
    f:f32[4,5,7] = transpose[permutation=(1, 0, 2)] a
    g:f32[4,2,3] = gather[
      dimension_numbers=GatherDimensionNumbers(offset_dims=(0, 1, 2), collapsed_slice_dims=(), start_index_map=(1, 2), operand_batching_dims=(), start_indices_batching_dims=())
      fill_value=None
      indices_are_sorted=True
      mode=GatherScatterMode.CLIP
      slice_sizes=(4, 2, 3)
      unique_indices=True
    ] f e
  in (g,) })"));
// vmap of vmap: the batch axes of the outer one stand before those of the inner one.
constexpr auto windows = [](builder& b) {
  int const x = b.in(f32({4, 7})), i = b.in(i32({4, 1}));
  b.begin();
  b.end({x, i}, {b.op(prim::gather, {x, i}, f32({4, 3}), {0, 0, 0, 1, 1, 1, 3, 1, 1, 0, 1, 1, 1, 0, 1, 0})});
};
static_assert(batches_to(windows, {0, 0}, 2, {0}, R"({ lambda ; a:f32[2,4,7] b:i32[2,4,1]. let
    c:f32[2,4,3] = gather[
      dimension_numbers=GatherDimensionNumbers(offset_dims=(2,), collapsed_slice_dims=(), start_index_map=(2,), operand_batching_dims=(0, 1), start_indices_batching_dims=(0, 1))
      fill_value=None
      indices_are_sorted=True
      mode=GatherScatterMode.CLIP
      slice_sizes=(1, 1, 3)
      unique_indices=True
    ] a b
  in (c,) })"));
constexpr auto write_window = [](builder& b) {
  int const x = b.in(f32({7})), u = b.in(f32({3})), i = b.in(i32());
  b.begin();
  b.end({x, u, i}, {b.op(prim::dynamic_update_slice, {x, u, i}, f32({7}))});
};
static_assert(batches_to(write_window, {not_mapped, 1, 0}, 4, {0}, R"({ lambda ; a:f32[7] b:f32[3,4] c:i32[4]. let
    d:i32[4,1] = broadcast_in_dim[broadcast_dimensions=(0,)] c
    e:f32[4,7] = broadcast_in_dim[broadcast_dimensions=(1,)] a
    f:f32[4,3] = transpose[permutation=(1, 0)] b
    g:f32[4,7] = scatter[
      dimension_numbers=ScatterDimensionNumbers(update_window_dims=(1,), inserted_window_dims=(), scatter_dims_to_operand_dims=(1,), operand_batching_dims=(0,), scatter_indices_batching_dims=(0,))
      indices_are_sorted=True
      mode=GatherScatterMode.CLIP
      unique_indices=True
      update_consts=()
      update_jaxpr=None
    ] e d f
  in (g,) })"));
static_assert(batches_to(write_window, {0, not_mapped, not_mapped}, 4, {0}, R"({ lambda ; a:f32[4,7] b:f32[3] c:i32[]. let
    d:i32[1] = broadcast_in_dim c
    e:f32[4,3] = broadcast_in_dim[broadcast_dimensions=(1,)] b
    f:f32[4,7] = scatter[
      dimension_numbers=ScatterDimensionNumbers(update_window_dims=(0, 1), inserted_window_dims=(), scatter_dims_to_operand_dims=(1,), operand_batching_dims=(), scatter_indices_batching_dims=())
      indices_are_sorted=True
      mode=GatherScatterMode.CLIP
      unique_indices=True
      update_consts=()
      update_jaxpr=None
    ] a d e
  in (f,) })"));

// One equation with inputs of these types.
static program one(prim op, std::vector<aval> const& in, std::vector<int> const& par) {
  program_builder p;
  std::vector<int> v;
  for (aval const& t : in) v.push_back(p.add_value(t));
  detail::span<int> const ins{v.data(), static_cast<int>(v.size())}, params{par.data(), static_cast<int>(par.size())};
  aval out;
  REQUIRE(p.infer_results(infer<equation_ref>, op, ins, params, {}, 1, &out));
  p.open();
  int const r = p.emit_one(op, ins, params, out);
  p.close(ins, {&r, 1});
  REQUIRE(oracle::is_well_formed(p.ref()));
  return p.finish();
}

static constexpr int as_f32 = static_cast<int>(dtype::f32), as_f64 = static_cast<int>(dtype::f64), as_i32 = static_cast<int>(dtype::i32);

TEST_CASE("one equation, every choice of axes") {
  laws::generator g(1);
  auto const holds = [&](prim op, std::vector<aval> const& in, std::vector<int> const& par = {}) {
    CAPTURE(static_cast<int>(op));
    program const p = one(op, in, par);
    CHECK(laws::batch_law(p.ref(), g));
    // Twice: the inner axis anywhere, the outer one too.
    std::vector<batch_axis> dims;
    wanted_axis const want;
    for (aval const& t : in) dims.push_back(t.rank);
    program const q = batch(p.ref(), {dims.data(), static_cast<int>(dims.size())}, 2, {&want, 1});
    if (in.size() <= 2) CHECK(laws::batch_law(q.ref(), g));
  };
  SUBCASE("elementwise") {
    holds(prim::neg, {f32({2, 3})});
    holds(prim::add, {f32({2, 3}), f32({2, 3})});
    holds(prim::add, {f32({2, 3}), f32()});
    holds(prim::mul, {f32({2, 1}), f32({1, 3})});
    holds(prim::lt, {i32({4}), i32()});
    holds(prim::select_n, {b1({3}), f32({3}), f32({3})});
    holds(prim::select_n, {b1(), f32({2, 3}), f32({2, 3})});
    holds(prim::select_n, {b1({3}), f32(), f32()});
    holds(prim::select_n, {b1(), f32(), f32({3})});
    holds(prim::select_n, {i32({3}), f32({3}), f32({3}), f32({3})});
    holds(prim::clamp, {f32(), f32({3}), f32()});
    holds(prim::clamp, {f32({3}), f32({3}), f32({3})});
    holds(prim::fma, {f32({3}), f32(), f32({3})});
    holds(prim::convert_element_type, {f32({3})}, {as_i32, 0});
    holds(prim::integer_pow, {f32({3})}, {3});
  }
  SUBCASE("movement") {
    holds(prim::broadcast_in_dim, {f32({3})}, {2, 3, 4, 1});
    holds(prim::broadcast_in_dim, {f32({1, 2})}, {3, 4, 2, 1, 2});
    holds(prim::broadcast_in_dim, {f32()}, {2, 2});
    holds(prim::reshape, {f32({2, 3})}, {6});
    holds(prim::transpose, {f32({2, 3, 4})}, {2, 0, 1});
    holds(prim::squeeze, {f32({1, 3, 1})}, {0, 2});
    holds(prim::rev, {f32({2, 3})}, {1});
    holds(prim::concatenate, {f32({2, 3}), f32({2, 1})}, {1});
    holds(prim::pad, {f32({3}), f32()}, {1, -1, 1});
    holds(prim::pad, {f32({2, 3}), f32()}, {-1, 2, 1, 0, 0, 2});
    holds(prim::slice, {f32({4, 5})}, {1, 0, 3, 5, 1, 2});
    holds(prim::slice, {f32({5})}, {1, 4});
  }
  SUBCASE("dynamic") {
    holds(prim::dynamic_slice, {f32({5}), i32()}, {3});
    holds(prim::dynamic_slice, {f32({3, 4}), i32(), i32()}, {2, 2});
    holds(prim::dynamic_update_slice, {f32({5}), f32({2}), i32()});
    holds(prim::dynamic_update_slice, {f32({3, 4}), f32({2, 1}), i32(), i32()});
    // x[i], x[i, j], rows of a matrix, blocks that the result does not keep in front; with each mode.
    for (int mode : {0, 1, 2}) {
      holds(prim::gather, {f32({5}), i32({4, 1})}, {mode, 7, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0});
      holds(prim::gather, {f32({3, 4}), i32({2, 2})}, {mode, 7, 0, 0, 0, 1, 1, 0, 2, 0, 1, 2, 0, 1, 0, 0});
      holds(prim::gather, {f32({3, 4}), i32({2, 1})}, {mode, 7, 0, 0, 0, 1, 4, 1, 1, 1, 0, 1, 0, 0, 0});
      holds(prim::gather, {f32({4, 3}), i32({2, 2})}, {mode, 7, 0, 0, 0, 2, 2, 2, 0, 2, 0, 2, 1, 0, 0, 0});
      holds(prim::gather, {f32({2, 5}), i32({2, 1})}, {mode, 7, 0, 0, 0, 1, 3, 1, 1, 0, 1, 1, 1, 0, 1, 0});
    }
  }
  SUBCASE("scatter") {
    for (prim op : {prim::scatter, prim::scatter_add, prim::scatter_mul, prim::scatter_min, prim::scatter_max}) {
      holds(op, {f32({5}), i32({1}), f32()}, {0, 1, 0, 1, 0, 1, 1, 1, 0, 0});
      holds(op, {f32({3, 4}), i32({1}), f32({4})}, {1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0});
      holds(op, {f32({3, 4}), i32({2}), f32({2})}, {1, 0, 1, 1, 2, 1, 0, 0, 1, 1, 0, 0});
    }
  }
  SUBCASE("update_slice") {
    for (prim op : {prim::update_slice, prim::update_slice_add, prim::update_slice_mul, prim::update_slice_min, prim::update_slice_max}) {
      holds(op, {f32({5}), f32({2})}, {1, 2});
      holds(op, {f32({3, 4}), f32({1, 2})}, {2, 0, 1, 3});
    }
  }
  SUBCASE("reductions") {
    for (prim op : {prim::reduce_sum, prim::reduce_prod, prim::reduce_max, prim::reduce_min}) {
      holds(op, {f32({2, 3, 4})}, {0, 2});
      holds(op, {i32({5})}, {0});
    }
    holds(prim::reduce_sum, {f32({131})}, {0});
    holds(prim::reduce_and, {b1({2, 3})}, {1});
    holds(prim::reduce_or, {i32({2, 3})}, {0});
  }
  SUBCASE("contractions") {
    holds(prim::dot_general, {f32({3}), f32({3})}, {1, 0, 0, 0, as_f32, 1});
    holds(prim::dot_general, {f32({2, 3}), f32({3, 4})}, {1, 1, 0, 0, as_f32, 0});
    holds(prim::dot_general, {i32({2, 3, 4}), f32({4, 2, 3})}, {1, 1, 2, 1, 0, 1, as_f32, 0});
    holds(prim::dot_general, {f32({2, 3}), f32({3, 2})}, {2, 0, 1, 1, 0, 0, as_f64, 1});
    holds(prim::conv_general_dilated, {f32({1, 1, 6}), f32({1, 1, 3})}, {1, 1, 0, 0, 1, 1, 1, 1, as_f32});
    holds(prim::conv_general_dilated, {f32({2, 2, 5}), f32({3, 2, 2})}, {1, 2, 1, 2, 2, 1, 1, 1, as_f32});
    holds(prim::conv_general_dilated, {f32({1, 4, 5}), f32({4, 2, 2})}, {1, 1, 0, 1, 1, 2, 2, 1, as_f32});
    holds(prim::conv_general_dilated, {f32({4, 1, 5}), f32({2, 1, 2})}, {1, 1, 0, 0, 1, 1, 1, 2, as_f32});
    holds(prim::conv_general_dilated, {f32({1, 1, 3, 4}), f32({1, 1, 2, 2})}, {2, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, as_f32});
  }
}

TEST_CASE("control, every choice of axes") {
  laws::generator g(2);
  auto const holds = [&](auto make) {
    builder b;
    make(b);
    REQUIRE(oracle::is_well_formed(b.p.ref()));
    CHECK(laws::batch_law(b.p.ref(), g));
    batch_axis const dims[4] = {0, 0, 0, 0};
    wanted_axis const want[4] = {};
    struct block const& main = b.p.ref().main();
    program const q = batch(b.p.ref(), {dims, main.n_in}, 2, {want, main.n_out});
    CHECK(laws::batch_law(q.ref(), g));
  };
  holds(cumsum);
  holds(convolve);
  holds(relu);
  // Consts, two carries that change places, xs, ys that hand on an input, reverse.
  holds([](builder& b) {
    int const k = b.in(f32({2})), c0 = b.in(f32({2})), xs = b.in(f32({4, 2}));
    b.begin();
    int const kk = b.in(f32({2})), c = b.in(f32({2})), d = b.in(f32({2})), n = b.in(i32()), x = b.in(f32({2}));
    b.begin();
    int const s = b.op(prim::add, {b.op(prim::mul, {c, kk}, f32({2})), x}, f32({2})), n2 = b.op(prim::add, {n, b.literal(1)}, i32());
    int const body = b.end({kk, c, d, n, x}, {d, s, n2, x, n});
    int const fill = b.op(prim::broadcast_in_dim, {b.literal(1.0f)}, f32({2}), {2});
    int const r = b.scan(body, {k, c0, fill, b.literal(0), xs}, {f32({2}), f32({2}), i32(), f32({4, 2}), i32({4})}, 4, 1, 3, true);
    b.end({k, c0, xs}, {r, r + 1, r + 3, r + 4});
  });
  // A scan in a jit in a scan: only one of the inner carries depends on the batch.
  holds([](builder& b) {
    int const x = b.in(f32());
    b.begin();
    int const c = b.in(f32()), i = b.in(i32());
    b.begin();
    int const jc = b.in(f32()), ji = b.in(i32());
    b.begin();
    int const u = b.in(f32()), n = b.in(i32());
    b.begin();
    int const inner = b.end({u, n}, {b.op(prim::mul, {u, b.literal(0.75f)}, f32()), b.op(prim::add, {n, b.literal(2)}, i32())});
    int const r = b.scan(inner, {jc, ji}, {f32(), i32()}, 3, 0, 2);
    int const called = b.end({jc, ji}, {r, r + 1});
    int const q = b.jit("inner", called, {c, i}, {f32(), i32()});
    int const body = b.end({c, i}, {q, q + 1});
    int const out = b.scan(body, {x, b.literal(1)}, {f32(), i32()}, 2, 0, 2);
    b.end({x}, {out, out + 1});
  });
}

// Operands and results have the axes at different places, in another order, or not at all.
TEST_CASE("a vmap equation over three axes") {
  builder b;
  int const x = b.in(f32({4, 3, 2, 5})), y = b.in(f32({2})), z = b.in(f32({5, 4}));
  b.begin();
  int const row = b.in(f32({3})), u = b.in(f32()), v = b.in(f32());
  b.begin();
  int const r = b.op(prim::add, {b.op(prim::mul, {row, u}, f32({3})), v}, f32({3}));
  int const s = b.op(prim::reduce_max, {r}, f32(), {0});
  int const block = b.end({row, u, v}, {r, s, v});
  // axes of 2, 4 and 5
  int const par[] = {3, 2, 4, 5, 2, 0, 3, 0, -1, -1, -1, 1, 0, 3, 1, 2, 1, 2, 0, -1, 0, 1}, in[] = {x, y, z};
  aval const types[] = {f32({3, 4, 5, 2}), f32({5, 2, 4}), f32({4, 5})};
  int const out = b.p.emit(prim::vmap, in, par, types, {&block, 1});
  b.end({x, y, z}, {out, out + 1, out + 2});
  program const expanded = expand_vmap(b.p.ref());
  CHECK(oracle::is_well_formed(b.p.ref()));
  CHECK(oracle::is_well_formed(expanded.ref()));
  laws::generator g(3);
  std::vector<laws::elements> const inputs = {g.fill(f32({4, 3, 2, 5})), g.fill(f32({2})), g.fill(f32({5, 4}))};
  CHECK(laws::run(expanded.ref(), inputs) == laws::run(b.p.ref(), inputs));
}
