// SPDX-License-Identifier: BSL-1.0
// The law of vmap for loops and branches, at batches around the length of a pack: rows whose loops end at different turns, whose
// branches differ, and that read and write at different indices, each with every kind of neighbour.
#include <laws/lanes.hpp>

namespace {

using namespace laws;

// Turns until 1 is reached, forty at most, and the last number.
constexpr auto collatz = [](auto n) {
  auto const goes_on = [](auto s) { return (ex::get<0>(s) != 1) & (ex::get<1>(s) < 40); };
  auto const next = [](auto s) {
    auto const m = ex::get<0>(s);
    return ex::tuple(ex::where((m & 1) == 0, ex::floor_divide(m, 2), m * 3 + 1), ex::get<1>(s) + 1);
  };
  return ex::while_loop(goes_on, next, ex::tuple(n, 0));
};
// A condition of the numbers: where it is NaN the loop ends.
constexpr auto escape = [](auto cx, auto cy) {
  auto const inside = [](auto s) {
    auto const x = ex::get<1>(s);
    auto const y = ex::get<2>(s);
    return (ex::get<0>(s) < 12) & (x * x + y * y <= 4.0f);
  };
  auto const next = [&](auto s) {
    auto const x = ex::get<1>(s);
    auto const y = ex::get<2>(s);
    return ex::tuple(ex::get<0>(s) + 1, x * x - y * y + cx, 2.0f * x * y + cy);
  };
  return ex::while_loop(inside, next, ex::tuple(0, ex::zeros<float>(), ex::zeros<float>()));
};
constexpr auto branches_of = [](auto x, auto n) {
  auto const a = ex::cond(x > 0.0f, [](auto y) { return ex::log(y); }, [](auto y) { return 1.0f / y; }, x);
  auto const root = [](auto y) { return ex::fori_loop(0, 3, [&](auto, auto r) { return 0.5f * (r + y / r); }, y); };
  auto const b = ex::switch_(n, ex::branches([](auto y) { return -y; }, [](auto y) { return ex::sin(y); }, root), x);
  return ex::tuple(a, b);
};
// A loop whose turns are an argument, in it another that ends by its numbers.
constexpr auto nested = [](auto x, auto n) {
  auto const large = [](auto z) { return (ex::abs(z) > 2.0f) & ex::isfinite(z); };
  auto const shrink = [&](auto y) { return ex::while_loop(large, [](auto z) { return z * 0.0625f; }, y); };
  return ex::fori_loop(0, ex::clip(n, -1, 4), [&](auto i, auto y) { return shrink(y) * 3.0f + i; }, x);
};
constexpr auto loops = [](auto x, auto y, auto n) {
  return std::tuple_cat(collatz(n), escape(x, y), branches_of(x, n), ex::tuple(nested(y, n)));
};

// Elements of a row at indices that are its own: in and out of loops, read and written.
constexpr auto indices = [](auto x, auto y, auto n) {
  auto const v = ex::stack(std::array{x, y, x + y, x * y, x - y});
  auto const w = v.at(n).set(7.0f).at(2).add(y);
  auto const walk = [&](auto i, auto s) {
    auto const k = ex::get<1>(s);
    return ex::tuple(ex::get<0>(s).at(k & 3).add(v(i)), (k * 5 + n) & 7);
  };
  auto const walked = ex::fori_loop(0, 4, walk, ex::tuple(w, n & 3));
  auto const running = ex::scan([](auto c, auto e) { return ex::tuple(c * 0.5f + e, ex::maximum(c, e)); }, x, w);
  return ex::tuple(v(n), ex::sum(ex::dynamic_slice<2>(v, n) * 2.0f), ex::dynamic_update_slice(v, w(ex::slice<0, 2>), n)(3),
                   ex::get<0>(walked)(1), ex::get<0>(walked)(2), ex::get<1>(walked), ex::get<0>(running), ex::get<1>(running)(4),
                   ex::cumsum(v)(4), ex::cumprod(w)(3));
};

}  // namespace

TEST_CASE("loops and branches") {
  constexpr int w = lanes<float>;
  lane_law<decltype(loops), float, float, std::int32_t>::check<1, 3, w - 1, w, w + 1, 100>("loops");
  lane_law<decltype(loops), float, float, std::int32_t>::check_whole_arrays<w + 1>("loops");
  lane_law<decltype(loops), float, float, std::int32_t>::check_twice<3, w - 1>("loops");
}
TEST_CASE("indices") {
  constexpr int w = lanes<float>;
  lane_law<decltype(indices), float, float, std::int32_t>::check<1, w - 1, 100>("indices");
  lane_law<decltype(indices), float, float, std::int32_t>::check_whole_arrays<w + 1>("indices");
  lane_law<decltype(indices), float, float, std::int32_t>::check_twice<3, 3>("indices");
}
