// SPDX-License-Identifier: BSL-1.0
// Control flow: inputs and results of JAX, with vmap and without.
#include "api/cases.hpp"

#include <boost/hana/map.hpp>
#include <boost/hana/string.hpp>

namespace hana = boost::hana;

namespace {

using namespace cases;
using ints = ex::array<int, 6>;
template <int... D>
using i32 = ex::array<int, D...>;
template <int... D>
using f32 = ex::array<float, D...>;

TEST_CASE("scan") {
  auto const sum = [](auto x) { return ex::scan([](auto c, auto v) { return ex::tuple(c + v, c + v); }, 0, x); };
  auto const from_the_end = [](auto x) { return ex::scan([](auto c, auto v) { return ex::tuple(c + v, c + v); }, 0, x, ex::reverse); };
  gives(sum, outputs(i32<>(23), ints{3, 4, 8, 9, 14, 23}), ints{3, 1, 4, 1, 5, 9});
  gives(from_the_end, outputs(i32<>(23), ints{23, 20, 19, 15, 14, 9}), ints{3, 1, 4, 1, 5, 9});

  auto const unroll = [](auto xs) {
    return ex::scan([](auto c, auto x) { return ex::tuple(c * 2 + x, c - x); }, ex::ones<int>(), xs, ex::unroll<2>);
  };
  auto const unroll_from_the_end = [](auto xs) {
    return ex::scan([](auto c, auto x) { return ex::tuple(c * 2 + x, c - x); }, ex::ones<int>(), xs, ex::unroll<3>, ex::reverse);
  };
  i32<7> const seven{3, 1, 4, 1, 5, 9, 2};
  gives(unroll, outputs(i32<>(464), i32<7>{-2, 4, 7, 25, 48, 102, 229}), seven);
  gives(unroll_from_the_end, outputs(i32<>(653), i32<7>{322, 161, 75, 38, 12, -5, -1}), seven);

  // Leaves of a dictionary stand in the order in which it was made: JAX's is that of the keys, p before s.
  auto const pytree = [](auto a, auto b) {
    auto const body = [](auto c, auto x) {
      auto const p = c[BOOST_HANA_STRING("p")];
      auto const s = c[BOOST_HANA_STRING("s")];
      auto const next = hana::make_map(hana::make_pair(BOOST_HANA_STRING("p"), ex::tuple(ex::get<0>(p) * ex::get<1>(x), ex::get<1>(p) + 1)),
                                       hana::make_pair(BOOST_HANA_STRING("s"), s + ex::get<0>(x)));
      return ex::tuple(next, ex::tuple(s, ex::get<0>(x) * ex::get<1>(x)));
    };
    auto const init = hana::make_map(hana::make_pair(BOOST_HANA_STRING("p"), ex::tuple(ex::ones<float>(), ex::zeros<int>())),
                                     hana::make_pair(BOOST_HANA_STRING("s"), ex::zeros<float>()));
    return ex::scan(body, init, ex::tuple(a, b));
  };
  gives(pytree, outputs(f32<>(24), i32<>(3), f32<>(6), f32<3>{0, 1, 3}, f32<3>{2, 6, 12}), f32<3>{1, 2, 3}, f32<3>{2, 3, 4});

  auto const init = [](auto c, auto xs) {
    auto const one = [](auto c, auto xs) { return ex::scan([](auto c, auto x) { return ex::tuple(c + x, c * x); }, c, xs); };
    return ex::vmap(one, ex::in_axes<0, ex::none>)(c, xs);
  };
  gives(init, outputs(i32<2>{6, 16}, i32<2, 3>{{0, 2, 9}, {10, 22, 39}}), i32<2>{0, 10}, i32<3>{1, 2, 3});
}

TEST_CASE("while_loop") {
  auto const nested = [](auto num) {
    auto const inner = [](auto i, auto count) {
      auto const next = [](auto s) { return ex::tuple(ex::get<0>(s), ex::get<1>(s) + 1, ex::get<2>(s) + 1); };
      return ex::get<2>(ex::while_loop([](auto s) { return ex::get<1>(s) <= ex::get<0>(s); }, next, ex::tuple(i, 0, count)));
    };
    auto const next = [&](auto s) { return ex::tuple(ex::get<0>(s), ex::get<1>(s) + 1, inner(ex::get<1>(s), ex::get<2>(s))); };
    auto const r = ex::while_loop([](auto s) { return ex::get<1>(s) < ex::get<0>(s); }, next, ex::tuple(num, 0, 0));
    return ex::tuple(ex::get<1>(r), ex::get<2>(r));
  };
  gives(nested, outputs(i32<>(3), i32<>(6)), i32<>(3));
  gives(nested, outputs(i32<>(4), i32<>(10)), i32<>(4));

  auto const conjunction = [](auto arr, auto num) {
    constexpr int n = decltype(arr)::extent(0);
    auto const both = [&](auto s) { return (ex::get<0>(s) < num) & (ex::get<0>(s) < n); };
    auto const next = [&](auto s) { return ex::tuple(ex::get<0>(s) + 1, ex::get<1>(s) + arr(ex::get<0>(s))); };
    return ex::get<1>(ex::while_loop(both, next, ex::tuple(0, 0.0f)));
  };
  gives(conjunction, outputs(f32<>(55)), f32<10>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, i32<>(15));

  auto const lanes = [](auto x) {
    return ex::vmap([](auto x) { return ex::while_loop([](auto x) { return x < 3; }, [](auto x) { return x + 2; }, x); })(x);
  };
  gives(lanes, outputs(i32<4>{4, 3, 4, 3}), i32<4>{0, 1, 2, 3});

  auto const captured = [](auto y) {
    auto const one = [](auto x, auto y) { return ex::while_loop([&](auto x) { return x < y; }, [](auto x) { return x + 2; }, x); };
    return ex::vmap(one, ex::in_axes<ex::none, 0>)(0, y);
  };
  gives(captured, outputs(i32<2>{2, 4}), i32<2>{2, 3});

  auto const collatz = [](auto n) {
    auto const one = [](auto n) {
      auto const next = [](auto s) {
        auto const [n, count] = s;
        return ex::tuple(ex::where(n % 2 == 0, ex::floor_divide(n, 2), 3 * n + 1), count + 1);
      };
      return ex::get<1>(ex::while_loop([](auto s) { return ex::get<0>(s) != 1; }, next, ex::tuple(n, ex::zeros<int>())));
    };
    return ex::vmap(one)(n);
  };
  gives(collatz, outputs(i32<5>{0, 1, 16, 111, 118}), i32<5>{1, 2, 7, 27, 97});

  auto const one_condition = [](auto x) {
    auto const one = [](auto x) {
      auto const next = [](auto c) { return ex::tuple(ex::get<0>(c) + 1, ex::get<1>(c) + 1); };
      return ex::while_loop([](auto c) { return ex::get<0>(c) < 4; }, next, ex::tuple(0, x));
    };
    return ex::vmap(one)(x);
  };
  gives(one_condition, outputs(i32<3>{4, 4, 4}, i32<3>{4, 5, 6}), i32<3>{0, 1, 2});

  auto const two_axes = [](auto x, auto n) {
    auto const one = [](auto x, auto n) { return ex::fori_loop(0, n, [](auto, auto x) { return x + 1; }, x); };
    return ex::vmap(ex::vmap(one, ex::in_axes<ex::none, 0>), ex::in_axes<0, ex::none>)(x, n);
  };
  gives(two_axes, outputs(i32<3, 4>{{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}}), i32<3>{0, 1, 2}, i32<4>{0, 1, 2, 3});
}

TEST_CASE("fori_loop") {
  auto const batched = [](auto x) {
    auto const one = [](auto x) { return ex::fori_loop(0, 10, [](auto, auto c) { return ex::tuple(ex::get<0>(c) + 1, ex::get<1>(c) + 2); }, ex::tuple(x, 0)); };
    return ex::vmap(one)(x);
  };
  gives(batched, outputs(i32<2>{10, 11}, i32<2>{20, 20}), i32<2>{0, 1});
  auto const digits = [] { return ex::fori_loop(3, 7, [](auto i, auto x) { return x * 10 + i; }, 0); };
  gives(digits, outputs(i32<>(3456)));
}

TEST_CASE("cond") {
  auto const docs = [](auto p, auto x) { return ex::cond(p, [](auto x) { return x + 1; }, [](auto x) { return x - 1; }, x); };
  gives(docs, outputs(f32<1>{1}), ex::array<bool>(true), f32<1>{0});
  gives(docs, outputs(f32<1>{-1}), ex::array<bool>(false), f32<1>{0});

  auto const nested = [](auto x) {
    auto const otherwise = [](auto x) {
      return ex::cond(x < 5, [](auto x, auto) { return 3 * x; }, [&](auto, auto y) { return y * x; }, x, 4);
    };
    return ex::cond(x < 2, [](auto x) { return 2 * x; }, otherwise, x);
  };
  gives(nested, outputs(i32<>(9)), i32<>(3));

  auto const nan_branch = [](auto x) {
    return ex::vmap([](auto x) { return ex::cond(x == 0, [](auto x) { return 0.0f * x; }, [](auto x) { return 1.0f / x; }, x); })(x);
  };
  gives(nan_branch, outputs(f32<3>{0, 0.5f, 0.25f}), f32<3>{0, 2, 4});
}

TEST_CASE("switch_") {
  auto const clamped = [](auto x) {
    auto const doubled = [](auto x) {
      auto const y = 2 * x;
      return ex::tuple(y, 2 * y);
    };
    auto const same = [](auto x) { return ex::tuple(x, x); };
    auto const negated = [](auto x) { return ex::tuple(x, -x); };
    return ex::switch_(x, ex::branches(same, doubled, negated), x);
  };
  gives(clamped, outputs(i32<>(0), i32<>(0)), i32<>(0));
  gives(clamped, outputs(i32<>(2), i32<>(4)), i32<>(1));
  gives(clamped, outputs(i32<>(2), i32<>(-2)), i32<>(2));
  gives(clamped, outputs(i32<>(3), i32<>(-3)), i32<>(3));
  gives(clamped, outputs(i32<>(-4), i32<>(-4)), i32<>(-4));
  auto const single = [](auto i, auto x) { return ex::switch_(i, ex::branches([](auto x) { return -x; }), x); };
  gives(single, outputs(f32<>(-7)), i32<>(5), f32<>(7));
}

}  // namespace
