// SPDX-License-Identifier: BSL-1.0
// Collectives over the named axes of vmap: their jaxprs, which are those of the batching rules in jax._src.lax.parallel, and their
// values, alone and inside of loops, branches and calls.
#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr auto i = ex::axis_name<"i">;
constexpr auto j = ex::axis_name<"j">;

// --- Jaxprs ---

constexpr auto sum_of_all = [](auto x) { return ex::psum(x, i); };
static_assert(ex::make_jaxpr(ex::vmap(sum_of_all, i))(ex::f32<3, 4>) == R"({ lambda ; a:f32[3,4]. let
    b:f32[4] = psum[axes=(0,) axis_index_groups=None] a
    c:f32[3,4] = broadcast_in_dim[broadcast_dimensions=(1,)] b
  in (c,) })");
// The axis goes first; a result that is not batched may stay so; the names of an axis and of a callable do not meet.
static_assert(ex::make_jaxpr(ex::vmap(ex::jit(sum_of_all), ex::out_axes<ex::none>, ex::axis_name<"i">, ex::in_axes<1>))(ex::f32<4, 3>) ==
              R"({ lambda ; a:f32[4,3]. let
    b:f32[4] = jit[
      name=<lambda>
      jaxpr={ lambda ; a:f32[4,3]. let
          c:f32[3,4] = transpose[permutation=(1, 0)] a
          b:f32[4] = psum[axes=(0,) axis_index_groups=None] c
        in (b,) }
    ] a
  in (b,) })");

// What does not depend on the axis is multiplied by its size, which psum(1, name) is, too.
constexpr auto sizes = [](auto x, auto y) {
  return ex::tuple(ex::psum(y, i), ex::pmax(y, i), x / ex::psum(1, i), x * ex::axis_size<"i">(), ex::psum(2.5, i));
};
static_assert(ex::make_jaxpr(ex::vmap(sizes, i, ex::in_axes<0, ex::none>, ex::out_axes<ex::none, ex::none, 0, 0, ex::none>))(ex::f32<4>, ex::f32<2>) ==
              R"({ lambda ; a:f32[4] b:f32[2]. let
    c:f32[2] = mul 4.0:f32[] b
    d:f32[4] = div a 4.0:f32[]
    e:f32[4] = mul a 4.0:f32[]
  in (c, b, d, e, 10.0:f32[]) })");

constexpr auto centered = [](auto x) { return x - ex::pmean(x, i); };
static_assert(ex::make_jaxpr(ex::vmap(centered, i))(ex::f32<3>) == R"({ lambda ; a:f32[3]. let
    b:f32[] = psum[axes=(0,) axis_index_groups=None] a
    c:f32[] = div b 3.0:f32[]
    d:f32[3] = sub a c
  in (d,) })");

constexpr auto numbered = [](auto x) { return x + ex::axis_index(i); };
static_assert(ex::make_jaxpr(ex::vmap(numbered, i))(ex::i32<3>) == R"({ lambda ; a:i32[3]. let
    b:i32[3] = iota[dimension=0 dtype=int32 shape=(3,) sharding=None] 
    c:i32[3] = add a b
  in (c,) })");

// Two names: each batching makes one a position. A name that is not the axis' passes, and the inner of two equal names counts.
constexpr auto both = [](auto x) { return ex::psum(x, ex::axis_name<"i", "j">); };
static_assert(ex::make_jaxpr(ex::vmap(ex::vmap(both, j), i))(ex::f32<2, 3>) == R"({ lambda ; a:f32[2,3]. let
    b:f32[] = psum[axes=(0, 1) axis_index_groups=None] a
    c:f32[3] = broadcast_in_dim b
    d:f32[2,3] = broadcast_in_dim[broadcast_dimensions=(1,)] c
  in (d,) })");
static_assert(ex::make_jaxpr(ex::vmap(ex::vmap(sum_of_all, j), i))(ex::f32<2, 3>) == R"({ lambda ; a:f32[2,3]. let
    b:f32[3] = psum[axes=(0,) axis_index_groups=None] a
    c:f32[2,3] = broadcast_in_dim[broadcast_dimensions=(1,)] b
  in (c,) })");
static_assert(ex::make_jaxpr(ex::vmap(ex::vmap(sum_of_all, i), i))(ex::f32<2, 3>) == R"({ lambda ; a:f32[2,3]. let
    b:f32[2] = psum[axes=(1,) axis_index_groups=None] a
    c:f32[2,3] = broadcast_in_dim[broadcast_dimensions=(0,)] b
  in (c,) })");

constexpr auto gathered = [](auto x) { return ex::tuple(ex::all_gather(x, i, ex::axis_size<3>, ex::axis<1>), ex::all_gather(x, i, ex::axis_size<3>, ex::tiled)); };
static_assert(ex::make_jaxpr(ex::vmap(gathered, i, ex::out_axes<ex::none>))(ex::f32<3, 4>) == R"({ lambda ; a:f32[3,4]. let
    b:f32[4,3] = transpose[permutation=(1, 0)] a
    c:f32[12] = reshape[dimensions=None new_sizes=(12,) sharding=None] a
  in (b, c) })");
constexpr auto swapped = [](auto x) { return ex::pswapaxes(x, i, ex::axis<0>); };
static_assert(ex::make_jaxpr(ex::vmap(swapped, i))(ex::f32<3, 3>) == R"({ lambda ; a:f32[3,3]. let
    b:f32[3,3,1] = reshape[dimensions=None new_sizes=(3, 3, 1) sharding=None] a
    c:f32[3,3,1] = transpose[permutation=(1, 0, 2)] b
    d:f32[3,3] = reshape[dimensions=None new_sizes=(3, 3) sharding=None] c
  in (d,) })");

// A carry that a turn makes depend on the axis is batched; one that a sum ends is not.
constexpr auto counting = [](auto x) {
  auto const turn = [](auto c, auto y) {
    return ex::tuple(ex::tuple(ex::get<0>(c) + ex::axis_index(i), ex::get<1>(c) + ex::psum(y, i)), ex::none);
  };
  return ex::get<0>(ex::scan(turn, ex::tuple(ex::zeros<int>(), ex::zeros<float>()), x));
};
static_assert(ex::make_jaxpr(ex::vmap(counting, i, ex::out_axes<0, ex::none>))(ex::f32<3, 2>) == R"({ lambda ; a:f32[3,2]. let
    b:i32[3] = broadcast_in_dim 0:i32[]
    c:f32[2,3] = transpose[permutation=(1, 0)] a
    d:i32[3] e:f32[] = scan[
      jaxpr={ lambda ; f:i32[3] g:f32[] h:f32[3]. let
          i:i32[3] = iota[dimension=0 dtype=int32 shape=(3,) sharding=None] 
          j:i32[3] = add f i
          k:f32[] = psum[axes=(0,) axis_index_groups=None] h
          l:f32[] = add g k
        in (j, l) }
      length=2
      num_carry=2
      num_consts=0
      reverse=False
      unroll=1
    ] b 0.0:f32[] c
  in (d, e) })");

// --- Values ---

template <int... D>
using ints = ex::array<int, D...>;
template <int... D>
using floats = ex::array<float, D...>;

constexpr auto exchanged = [](auto x, auto y) {
  auto const f = [](auto x, auto y) {
    return ex::tuple(ex::all_to_all(x, i, ex::split_axis<0>, ex::concat_axis<1>), ex::all_to_all(x, i, ex::split_axis<0>, ex::concat_axis<1>, ex::axis_size<2>, ex::tiled),
                     ex::ppermute(y, i, {{0, 1}, {1, 0}}), ex::pshuffle(ex::tuple(y, x), i, {1, 0}), ex::pmax(y, i), ex::pmin(y, i));
  };
  return ex::vmap(f, i)(x, y);
};
constexpr auto ring = [](auto x) { return ex::ppermute(x, i, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}); };
constexpr auto index_of_both = [](auto x) { return x + ex::axis_index(ex::axis_name<"j", "i">) * 10 + ex::psum(true, i) + ex::pmax(x == 0, i); };

// A condition, a branch, a bound and a call that read the index or a sum.
constexpr auto controlled = [](auto x) {
  auto const index = ex::axis_index(i);
  auto const turns = ex::while_loop([&](auto n) { return n < index + 2; }, [](auto n) { return n + 1; }, 0);
  auto const branch = ex::switch_(ex::axis_index(i), ex::branches([](auto v) { return v; }, [](auto v) { return ex::psum(v, i); }, [](auto v) { return -v; }), x);
  auto const sum_or_max = ex::cond(ex::psum(x, i) > 5, [](auto v) { return ex::psum(v, i); }, [](auto v) { return ex::pmax(v, i); }, x);
  auto const sums = ex::fori_loop(0, 3, [&](auto, auto v) { return ex::psum(v, i); }, 1);
  return ex::tuple(turns, branch, sum_or_max, sums, ex::jit([](auto v) { return v * ex::axis_index(i); })(x));
};
// What is captured from outside of the mapped function is not batched, also an index of an outer axis.
constexpr auto captured = [](auto x) {
  auto const outer = [](auto row) {
    auto const index = ex::axis_index(i);
    auto const all = ex::psum(row, i);
    return ex::vmap([&](auto v, auto a) { return ex::tuple(v + 100 * index, ex::psum(a, j)); }, j)(row, all);
  };
  return ex::vmap(outer, i)(x);
};

// Loops over what is mapped, mapped functions over loops, calls in calls.
constexpr auto composed = [](auto x) {
  auto const column = x(ex::all, 0);
  auto const grow = [](auto v) { return ex::while_loop([](auto u) { return ex::psum(u, i) < 100; }, [](auto u) { return u * 2; }, v); };
  auto const sums_of_rows = [](auto rows) {
    auto const one = [](auto row) { return ex::get<1>(ex::scan([](auto c, auto v) { return ex::tuple(c + ex::psum(v, i), c); }, ex::zeros<int>(), row)); };
    return ex::vmap(one)(rows);
  };
  auto const calls = [](auto v) {
    auto const inner = [](auto u) { return ex::jit([](auto y) { return ex::psum(y, i); })(u); };
    return ex::jit(inner)(v) + ex::jit([](auto y) { return y + ex::axis_index(i); })(v);
  };
  auto const branches = [](auto row, auto k) {
    auto const turn = [&](auto c, auto v) {
      return ex::tuple(ex::switch_(k, ex::branches([&](auto c) { return c + ex::psum(v, i); }, [&](auto c) { return c - v; }), c), ex::none);
    };
    return ex::get<0>(ex::scan(turn, ex::zeros<int>(), row));
  };
  auto const step = ex::vmap([](auto a, auto b) { return ex::tuple(a + ex::psum(b, i), a * b); }, i);
  auto const gather = [](auto v) { return ex::all_gather(v, i, ex::axis_size<2>, ex::axis<-1>); };
  return ex::tuple(ex::vmap(grow, i)(column), ex::vmap(sums_of_rows, i)(x(ex::all, ex::newaxis)), ex::vmap(calls, i)(column), ex::vmap(branches, i)(x, ex::arange<2>()),
                   ex::scan(step, ex::zeros<int, 2>(), x), ex::vmap(ex::vmap(gather), i)(x));
};

static_assert(ex::jit(exchanged)(ints<2, 2, 3>{{{0, 1, 2}, {3, 4, 5}}, {{6, 7, 8}, {9, 10, 11}}}, ints<2>{5, 7}) ==
              std::tuple(ints<2, 3, 2>{{{0, 6}, {1, 7}, {2, 8}}, {{3, 9}, {4, 10}, {5, 11}}}, ints<2, 1, 6>{{{0, 1, 2, 6, 7, 8}}, {{3, 4, 5, 9, 10, 11}}},
                         ints<2>{7, 5}, std::tuple(ints<2>{7, 5}, ints<2, 2, 3>{{{6, 7, 8}, {9, 10, 11}}, {{0, 1, 2}, {3, 4, 5}}}), ints<2>{7, 7}, ints<2>{5, 5}));
static_assert(ex::vmap(ring, i)(ints<4>{10, 20, 30, 40}) == ints<4>{40, 10, 20, 30});
static_assert(ex::vmap(ex::vmap(index_of_both, j), i)(ints<2, 3>{}) == ints<2, 3>{{3, 23, 43}, {13, 33, 53}});
static_assert(ex::vmap(centered, i)(floats<3>{1, 2, 6}) == floats<3>{-2, -1, 3});
static_assert(ex::jit(captured)(ints<2, 2>{{1, 2}, {3, 4}}) == std::tuple(ints<2, 2>{{1, 2}, {103, 104}}, ints<2, 2>{{10, 10}, {10, 10}}));

constexpr auto of_controlled = std::tuple(ints<3>{2, 3, 4}, ints<3>{1, 6, -3}, ints<3>{6, 6, 6}, ints<3>{27, 27, 27}, ints<3>{0, 2, 6});
constexpr auto of_composed = std::tuple(ints<2>{32, 96}, ints<2, 1, 2>{{{0, 4}}, {{0, 4}}}, ints<2>{5, 8}, ints<2>{10, -7},
                                        std::tuple(ints<2>{10, 10}, ints<2, 2>{{0, 0}, {9, 12}}), ints<2, 2, 2>{{{1, 3}, {2, 4}}, {{1, 3}, {2, 4}}});
static_assert(ex::vmap(controlled, i)(ints<3>{1, 2, 3}) == of_controlled);
static_assert(ex::jit(composed)(ints<2, 2>{{1, 2}, {3, 4}}) == of_composed);

}  // namespace

TEST_CASE("at run time") {
  CHECK((ex::vmap(controlled, i)(ints<3>{1, 2, 3}) == of_controlled));
  CHECK((ex::jit(composed)(ints<2, 2>{{1, 2}, {3, 4}}) == of_composed));
}
