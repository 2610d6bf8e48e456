// SPDX-License-Identifier: BSL-1.0
// Loops in branches in loops, six deep, with values that they capture from all levels around them and constants that belong to
// none; and trees of every kind as operands, carries and results.
#include "api/cases.hpp"

#include <utility>

#include <boost/hana/map.hpp>
#include <boost/hana/string.hpp>
#include <boost/hana/tuple.hpp>

namespace {

using namespace cases;
template <int... D>
using i32 = ex::array<int, D...>;
template <int... D>
using f32 = ex::array<float, D...>;

// A scan with a switch in it, with a while in that, with a cond in that, with two fori_loops, the last of which captures everything.
constexpr auto six_deep = [](auto xs, auto n) {
  auto const outer = [&](auto total, auto x) {
    auto const by_loop = [&](auto t) {
      auto const below = [&](auto s) { return ex::get<0>(s) < x; };
      auto const turn = [&](auto s) {
        auto const odd = [&](auto u) {
          return ex::fori_loop(0, 2, [&](auto j, auto v) {
            return ex::fori_loop(j, n, [&](auto k, auto w) { return w + k * x - total + j; }, v);
          }, u);
        };
        return ex::tuple(ex::get<0>(s) + 1, ex::cond(ex::get<0>(s) % 2, odd, [&](auto u) { return u * 2 - n; }, ex::get<1>(s)));
      };
      return ex::get<1>(ex::while_loop(below, turn, ex::tuple(0, t)));
    };
    auto const result = ex::switch_(x, ex::branches([](auto t) { return t + 1; }, [&](auto t) { return t - x; }, by_loop), total);
    return ex::tuple(result, result * n);
  };
  return ex::scan(outer, n, xs);
};
// The same in plain C++.
constexpr std::pair<int, std::array<int, 5>> plain(std::array<int, 5> const& xs, int n) {
  int total = n;
  std::array<int, 5> ys{};
  for (std::size_t row = 0; row < 5; ++row) {
    int const x = xs[row];
    int t = total;
    if (x <= 0) {
      t += 1;
    } else if (x == 1) {
      t -= x;
    } else {
      for (int i = 0; i < x; ++i) {
        if (i % 2 != 0) {
          for (int j = 0; j < 2; ++j)
            for (int k = j; k < n; ++k) t += k * x - total + j;
        } else {
          t = t * 2 - n;
        }
      }
    }
    total = t;
    ys[row] = t * n;
  }
  return {total, ys};
}

TEST_CASE("six deep") {
  std::array<int, 5> const xs{2, -1, 3, 1, 4};
  for (int n : {3, 1}) {
    auto const [total, ys] = plain(xs, n);
    gives(six_deep, outputs(i32<>(total), i32<5>(ys)), i32<5>(xs), i32<>(n));
  }
}
TEST_CASE("six deep, for each of a batch") {
  std::array<int, 5> const one{2, -1, 3, 1, 4}, two{5, 0, 2, 2, 1};
  auto const batched = [](auto xs, auto n) { return ex::vmap(six_deep)(xs, n); };
  auto const a = plain(one, 2), b = plain(two, 3);
  i32<2, 5> xs, ys;
  for (int i = 0; i < 5; ++i) {
    auto const k = static_cast<std::size_t>(i);
    xs(0, i) = one[k], xs(1, i) = two[k], ys(0, i) = a.second[k], ys(1, i) = b.second[k];
  }
  gives(batched, outputs(i32<2>{a.first, b.first}, ys), xs, i32<2>{2, 3});
}

// Constants that are made inside stay there; those from outside come in; loops over nothing but constants are loops too.
TEST_CASE("constants") {
  auto const inside = [](auto p) {
    return ex::cond(p, [] { return ex::ones<float, 2>() * 3.0f; }, [] { return ex::astype<float>(ex::arange<2>()); });
  };
  gives(inside, outputs(f32<2>{3, 3}), ex::array<bool>(true));
  gives(inside, outputs(f32<2>{0, 1}), ex::array<bool>(false));
  auto const outside = [](auto x) {
    auto const twos = ex::ones<float, 3>() + 1.0f;
    auto const powers = ex::fori_loop(0, 3, [&](auto, auto c) { return c * twos; }, ex::ones<float, 3>());
    auto const sum = ex::fori_loop(0, 2, [&](auto, auto c) { return c + x * twos; }, powers);
    return ex::tuple(powers, sum);
  };
  gives(outside, outputs(f32<3>{8, 8, 8}, f32<3>{12, 16, 20}), f32<3>{1, 2, 3});
}

template <template <class, auto...> class Array>
struct state {
  Array<float, 2> x;
  Array<int> n;
};

TEST_CASE("trees") {
  // A struct as carry and as result of branches.
  auto const structs = [](auto s, auto p) {
    auto const next = [](auto c) { return state<ex::expr>{c.x * 2.0f, c.n + 1}; };
    auto const grown = ex::while_loop([](auto c) { return c.n < 3; }, next, s);
    return ex::cond(p, [](auto c) { return c; }, [](auto c) { return state<ex::expr>{-c.x, c.n}; }, grown);
  };
  gives(structs, outputs(f32<2>{-8, -16}, i32<>(3)), state<ex::array>{{1, 2}, 0}, ex::array<bool>(false));
  gives(structs, outputs(f32<2>{1, 2}, i32<>(7)), state<ex::array>{{1, 2}, 7}, ex::array<bool>(true));

  // Pairs, Hana tuples and maps.
  auto const mixed = [](auto i, auto v) {
    namespace hana = boost::hana;
    auto const key = BOOST_HANA_STRING("k");
    auto const init = hana::make_map(hana::make_pair(key, std::pair(v, ex::tuple(v, v))));
    auto const turn = [&](auto i, auto c) {
      auto const [a, both] = c[key];
      return hana::make_map(hana::make_pair(key, std::pair(a + i, ex::tuple(ex::get<1>(both), ex::get<0>(both) * 2))));
    };
    auto const m = ex::fori_loop(0, 3, turn, init);
    auto const pick = [&](auto t) { return hana::make_tuple(t[key].first, t[key].second); };
    auto const swap = [&](auto t) { return hana::make_tuple(ex::get<0>(t[key].second), ex::tuple(t[key].first, t[key].first)); };
    return ex::switch_(i, std::tuple(pick, swap), m);
  };
  gives(mixed, outputs(i32<>(8), i32<>(10), i32<>(20)), i32<>(0), i32<>(5));
  gives(mixed, outputs(i32<>(10), i32<>(8), i32<>(8)), i32<>(1), i32<>(5));
}

constexpr auto step = [](auto c, auto x) { return ex::tuple(c + x, c * 2); };

// No rows, no turns, nothing to scan, nothing to stack; all turns in one.
TEST_CASE("edges of scan") {
  auto const sums = [](auto xs) { return ex::scan(step, ex::zeros<int>(), xs); };
  auto const at_once = [](auto xs) {
    auto const a = ex::scan(step, 0, xs, ex::unroll<true>), b = ex::scan(step, 0, xs, ex::unroll<0>), c = ex::scan(step, 0, xs, ex::unroll<false>);
    return ex::tuple(ex::get<1>(a), ex::get<1>(b), ex::get<1>(c));
  };
  gives(sums, outputs(i32<>(0), i32<0>()), i32<0>());
  gives(at_once, outputs(i32<3>{0, 2, 6}, i32<3>{0, 2, 6}, i32<3>{0, 2, 6}), i32<3>{1, 2, 3});
  auto const count = [](auto x) {
    auto const [c, ys] = ex::scan([&](auto c, auto) { return ex::tuple(c + x, ex::none); }, x, ex::length<3>);
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(ys)>, ex::none_t>);
    return c;
  };
  gives(count, outputs(i32<>(8)), i32<>(2));
  auto const never = [](auto x) { return ex::fori_loop(5, 5, [](auto, auto v) { return v + 1; }, x); };
  gives(never, outputs(i32<>(2)), i32<>(2));
}

}  // namespace
