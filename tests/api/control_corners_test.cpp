// SPDX-License-Identifier: BSL-1.0
// Corners of loops and branches: predicates and branches that no argument is tied to, bodies that return what they capture, carries
// that change places, loops in conditions.
#include "api/cases.hpp"

namespace {

using namespace cases;
template <int... D>
using f32 = ex::array<float, D...>;
template <int... D>
using i32 = ex::array<int, D...>;

TEST_CASE("branches on constants") {
  auto const late = [](auto x) {
    auto const p = ex::ones<int>() > 0;
    auto const a = ex::cond(p, [] { return ex::ones<float>() * 2.0f; }, [&] { return x; });
    auto const b = ex::cond(p, [&] { return x + 1.0f; }, [] { return ex::zeros<float>(); });
    auto const f = [] { return ex::full<2>(1.0f); };
    auto const g = [&] { return ex::full<2>(3.0f) * x; };
    auto const h = [&] { return ex::full<2>(2.0f) + a; };
    return ex::tuple(a, b, ex::switch_(ex::ones<int>(), ex::branches(f, g, h)));
  };
  gives(late, outputs(f32<>(2), f32<>(6), f32<2>{15, 15}), f32<>(5));
}

TEST_CASE("loops over constants") {
  auto const constants = [](auto x) {
    auto const c = ex::cond(ex::ones<int>() > 0, [] { return ex::ones<float>(); }, [] { return ex::zeros<float>(); });
    auto const w = ex::while_loop([&](auto v) { return v < c + 5.0f; }, [&](auto v) { return v + c; }, ex::zeros<float>());
    return ex::tuple(c, w, ex::scan([&](auto v, auto) { return ex::tuple(w + v, x); }, c, ex::length<2>));
  };
  gives(constants, outputs(f32<>(1), f32<>(6), f32<>(13), f32<2>{9, 9}), f32<>(9));
}

TEST_CASE("what a body returns") {
  auto const odd = [](auto x, auto y) {
    auto const captured = ex::get<0>(ex::scan([&](auto, auto) { return ex::tuple(x, y); }, y, ex::length<3>));
    auto const below = [](auto c) { return ex::get<0>(c) < ex::get<1>(c); };
    auto const swapped = ex::while_loop(below, [](auto c) { return ex::tuple(ex::get<1>(c), ex::get<0>(c)); }, ex::tuple(x, y));
    auto const counter = ex::fori_loop(0, 3, [&](auto i, auto) { return i; }, ex::zeros<int>());
    auto const once = ex::while_loop([&](auto c) { return c < x; }, [&](auto) { return y; }, x - 1);
    return ex::tuple(captured, swapped, counter, once);
  };
  gives(odd, outputs(i32<>(3), i32<>(7), i32<>(3), i32<>(2), i32<>(7)), i32<>(3), i32<>(7));
}

// The least n whose predecessors add up to 50; and a carry that is its own condition.
constexpr auto conditions = [](auto x) {
  auto const total = [](auto n) { return ex::fori_loop(0, n, [](auto i, auto s) { return s + i; }, ex::zeros<int>()); };
  auto const least = ex::while_loop([&](auto n) { return total(n) < 50; }, [](auto n) { return n + 1; }, x);
  auto const down = [](auto s) { return ex::tuple(ex::get<1>(s) > 3, ex::get<1>(s) - 1); };
  return ex::tuple(least, ex::while_loop([](auto s) { return ex::get<0>(s); }, down, ex::tuple(x > 0, x)));
};
TEST_CASE("loops in conditions") {
  auto const batched = [](auto xs) { return ex::vmap(conditions)(xs); };
  gives(conditions, outputs(i32<>(11), ex::array<bool>(false), i32<>(2)), i32<>(4));
  gives(batched, outputs(i32<3>{11, 11, 20}, ex::array<bool, 3>{false, false, false}, i32<3>{2, -1, 2}), i32<3>{4, -1, 20});
}

}  // namespace
