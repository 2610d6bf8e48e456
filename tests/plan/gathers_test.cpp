// SPDX-License-Identifier: BSL-1.0
// Gathers that are part of the kernel that reads their result: along rows of windows, and element by element. Emitted code, the plan
// interpreter and the reference interpreter give the same bits, and so do loops by hand: indices from the end and out of bounds, ragged
// sizes, batches.
#include "plans_agree.hpp"

#include <cmath>
#include <limits>

namespace ex = exprax;
template <int... D>
using f32 = ex::expr<float, D...>;
template <int... D>
using f64 = ex::expr<double, D...>;
template <int... D>
using i32 = ex::expr<int, D...>;
template <int... D>
using i64 = ex::expr<std::int64_t, D...>;
template <int... D>
using u8 = ex::expr<std::uint8_t, D...>;
template <int... D>
using i16 = ex::expr<std::int16_t, D...>;

namespace {

using namespace plan_test;

// --- Programs

constexpr auto bag = [](auto t, auto i) { return ex::sum(ex::take(t, i, ex::axis<0>), ex::axis<1>); };
constexpr auto clipped_bag = [](auto t, auto i) { return ex::sum(ex::take(t, i, ex::axis<0>, ex::mode_clip), ex::axis<1>); };
constexpr auto largest = [](auto t, auto i) { return ex::max(ex::take(t, i, ex::axis<0>), ex::axis<1>); };
constexpr auto weighted_bag = [](auto t, auto i, auto w) {
  return ex::sum(ex::take(t, i, ex::axis<0>) * w(ex::all, ex::all, ex::none), ex::axis<1>);
};
constexpr auto scaled_rows = [](auto t, auto i, auto w) { return t(i) * w(ex::all, ex::none); };
constexpr auto row_lengths = [](auto t, auto i, auto k) {
  auto const d = t(i) - t(k);
  return ex::sum(d * d, ex::axis<-1>);
};
constexpr auto reversed_rows = [](auto t, auto i) { return ex::flip(ex::take(t, i, ex::axis<0>), ex::axis<1>) * 3; };
constexpr auto part_of_rows = [](auto t, auto i) { return ex::take(t, i, ex::axis<0>)(ex::all, ex::slice<3, -2>) * 3; };
constexpr auto window = [](auto t, auto i) { return ex::take(t, i, ex::axis<0>) + t; };
constexpr auto looked_up = [](auto t, auto i) { return ex::take(t, i) * 2 + 1; };
constexpr auto filled = [](auto t, auto i) { return ex::take(t, i, ex::fill_value(-7)) * 2 + 1; };
constexpr auto clipped = [](auto t, auto i) { return ex::take(t, i, ex::mode_clip) * 2 + 1; };
constexpr auto wrapped = [](auto t, auto i) { return ex::take(t, i, ex::mode_wrap) * 2 + 1; };
constexpr auto indexed = [](auto t, auto i) { return t(i) * 2 + 1; };
constexpr auto computed = [](auto t, auto i) { return t(i * 3 - 20) * 2 + 1; };
constexpr auto only_looked_up = [](auto t, auto i) { return ex::take(t, i); };
constexpr auto of_floats = [](auto t, auto x) {
  auto const i = ex::floor(x * 49.0f).template astype<int>();
  return ex::take(t, i) + (ex::take(t, i + 1, ex::mode_clip) - ex::take(t, i)) * (x * 49.0f - ex::floor(x * 49.0f));
};
constexpr auto of_what_is_looked_up = [](auto t, auto p, auto i) { return ex::take(t, ex::take(p, i)) * 2; };
constexpr auto computed_pairs = [](auto t, auto i, auto j) { return ex::flip(t(ex::floor_divide(i, 3), j % 30 - 15)) * 2; };
constexpr auto filled_elsewhere = [](auto t, auto i) { return ex::take(t, i * 3 - 60, ex::fill_value(-7)); };
constexpr auto reversed_columns = [](auto t, auto i) { return ex::flip(ex::take_along_axis(t, i * 2, ex::axis<0>), ex::axis<1>) * 2; };
constexpr auto of_reversed = [](auto t, auto i) { return ex::take(ex::flip(t), ex::floor_divide(i, 2)) + ex::take(ex::flip(t), i); };
constexpr auto index_is_result = [](auto t, auto i) {
  auto const k = ex::floor_divide(i, 2);
  return ex::tuple(ex::take(t, k) * 2, k, ex::take(t, i % 7));
};
constexpr auto summed = [](auto t, auto i) { return ex::sum(ex::take(t, ex::floor_divide(i, 2) * 3), ex::axis<-1>); };
constexpr auto dot_of_sparse = [](auto t, auto i, auto w) { return ex::sum(t(i) * w, ex::axis<-1>); };
constexpr auto running = [](auto t, auto i) { return ex::cumsum(ex::take(t, i, ex::fill_value(0))); };
constexpr auto columns = [](auto t, auto i) { return ex::take(t, i, ex::axis<1>) * 2; };
constexpr auto along = [](auto t, auto i) { return ex::take_along_axis(t, i, ex::axis<1>) * 2; };
constexpr auto pairs = [](auto t, auto a, auto b) { return t(a, b) * 2; };
constexpr auto crossed = [](auto t, auto a, auto b) { return t(a(ex::all, ex::none), b) * 2; };
constexpr auto mapped_bag = [](auto t, auto i) { return ex::vmap(bag, ex::in_axes<ex::none, 0>)(t, i); };
constexpr auto mapped_tables = [](auto t, auto i) { return ex::vmap([](auto x, auto k) { return ex::take(x, k) * 2; })(t, i); };
constexpr auto bilinear = [](auto im) {
  auto const at = ex::clip((ex::arange<20>().template astype<float>() + 0.5f) * 0.5f - 0.5f, 0.0f, 9.0f);
  auto const i = ex::floor(at).template astype<int>();
  auto const k = ex::minimum(i + 1, 9);
  auto const w = at - i.template astype<float>();
  auto const rows = ex::take(im, i, ex::axis<0>) * (1.0f - w)(ex::all, ex::none) + ex::take(im, k, ex::axis<0>) * w(ex::all, ex::none);
  return ex::take(rows, i, ex::axis<1>) * (1.0f - w) + ex::take(rows, k, ex::axis<1>) * w;
};
// An index array that is a result as well, and one that is made in place of an argument.
constexpr auto with_indices = [](auto t, auto i) {
  auto const k = i + 1;
  return ex::tuple(ex::take(t, k) * 2, k);
};
constexpr auto of_itself = [](auto x) { return x(x) + 1; };
constexpr auto repeated = [](auto t, auto i) { return ex::fori_loop(0, 3, [=](auto, auto x) { return x(i) * 2 - x; }, t); };
constexpr auto read_twice = [](auto t, auto i) { return ex::tuple(t(i) * 2, ex::flip(t(i), ex::axis<0>)); };
constexpr auto repeated_for_rows = [](auto t, auto i, auto w) { return t(i) * w(ex::all, ex::none); };

// --- What the planner makes of them

constexpr int array_gathers(ex::plan const& p) {
  int n = 0;
  for (ex::kernel const& k : p.kernels) n += k.kind == ex::kernel_kind::gather;
  return n;
}
constexpr int gathered_loads(ex::plan const& p) {
  int n = 0;
  for (auto const& s : p.steps) n += ex::is_load(s.kind) && ex::is_gathered(p, p.accesses[s.access]);
  return n;
}
// On every target: kernels, and the loads that gather in them, without an array of what is gathered.
template <class... Args, class F>
constexpr bool gathers_in(F f, int kernels, int loads) {
  for (int bytes : {0, 16, 32, 64}) {
    ex::plan const p = plan_for<Args...>(f, {.register_bytes = bytes});
    if (array_gathers(p) != 0 || p.main.count != kernels || gathered_loads(p) != loads) return false;
  }
  return true;
}
static_assert(gathers_in<f32<50, 32>, i32<6, 8>>(bag, 1, 1));
static_assert(gathers_in<f32<50, 32>, i32<6, 40>>(clipped_bag, 1, 1));
static_assert(gathers_in<f32<50, 32>, i32<6, 8>, f32<6, 8>>(weighted_bag, 1, 1));
static_assert(gathers_in<f32<50, 32>, i32<128, 8>, f32<128, 8>>(weighted_bag, 1, 8));
static_assert(gathers_in<f32<50, 32>, i32<40>, f32<40>>(scaled_rows, 1, 1));
static_assert(gathers_in<f32<50>, i32<40>>(looked_up, 1, 1));
static_assert(gathers_in<f32<50>, i32<40>>(indexed, 1, 1));
static_assert(gathers_in<f32<50>, i32<40>>(computed, 1, 1));
static_assert(gathers_in<u8<50>, i32<40>>(indexed, 1, 1));
static_assert(gathers_in<f32<50>, i32<40>>(only_looked_up, 1, 1));
static_assert(gathers_in<f32<50>, f32<40>>(of_floats, 1, 2));
static_assert(gathers_in<f32<50>, i32<60>, i32<40>>(of_what_is_looked_up, 2, 2));
static_assert(gathers_in<f32<20, 30>, i32<40>, i32<40>>(computed_pairs, 1, 1));
static_assert(gathers_in<f32<50>, i32<40>, f32<40>>(dot_of_sparse, 1, 1));
static_assert(gathers_in<f32<30, 30>, i32<40>, i32<40>>(pairs, 1, 1));
static_assert(gathers_in<f32<50, 32>, i32<3, 6, 8>>(mapped_bag, 1, 1));
static_assert(gathers_in<f32<10, 24>>([](auto t) { return ex::take(t, ex::array<int, 2>{3, -1}, ex::axis<0>) * 2.0f; }, 1, 1));
// Short rows are gathered first.
static_assert(array_gathers(plan_for<f32<50, 3>, i32<40>, f32<40>>(scaled_rows, {.register_bytes = 32})) == 1);
// What is read again has a kernel of its own.
static_assert(gathers_in<f32<50>, i32<40>, f32<9>>(repeated_for_rows, 2, 1));
static_assert(gathers_in<f32<50>, i32<40>>(read_twice, 2, 1));
// Searches and lines: one loop over all values, before which a short table of every second element is made.
constexpr auto searched = [](auto a, auto v) { return ex::searchsorted(a, v); };
constexpr auto on_lines = [](auto x, auto xp, auto fp) { return ex::interp(x, xp, fp); };
static_assert(gathers_in<f32<20>, f32<400>>(searched, 1, 5));
static_assert(plan_for<f32<50>, f32<400>>(searched, {.register_bytes = 32}).main.count == 2);
static_assert(plan_for<f32<400>, f32<20>, f32<20>>(on_lines, {.register_bytes = 32}).main.count == 2);

}  // namespace

TEST_CASE("rows") {
  CHECK(agrees<f32<50, 32>, i32<6, 8>>(bag));
  CHECK(agrees<f32<50, 33>, i32<6, 8>>(bag));
  CHECK(agrees<f64<50, 17>, i32<5, 3>>(bag));
  CHECK(agrees<i32<50, 24>, i32<3, 70>>(bag));
  CHECK(agrees<i16<50, 40>, i32<3, 9>>(bag));
  CHECK(agrees<f32<50, 37>, i32<3, 75>>(clipped_bag));
  CHECK(agrees<f32<50, 19>, i32<6, 8>>(largest));
  CHECK(agrees<u8<50, 70>, i32<6, 11>>(largest));
  CHECK(agrees<f32<50, 32>, i32<6, 8>, f32<6, 8>>(weighted_bag));
  CHECK(agrees<f32<50, 21>, i32<6, 20>, f32<6, 20>>(weighted_bag));
  CHECK(agrees<f32<50, 32>, i32<40>, f32<40>>(scaled_rows));
  CHECK(agrees<f64<50, 9>, i32<7>, f64<7>>(scaled_rows));
  CHECK(agrees<f32<50, 16>, i32<33>, i32<33>>(row_lengths));
  CHECK(agrees<f32<50, 43>, i32<5>, i32<5>>(row_lengths));
  CHECK(agrees<f32<50, 43>, i32<5>>(reversed_rows));
  CHECK(agrees<f32<50, 43>, i32<5>>(part_of_rows));
  CHECK(agrees<f32<50, 3, 11>, i32<50>>(window));
}
TEST_CASE("elements") {
  CHECK(agrees<f32<60>, i32<100>>(looked_up));
  CHECK(agrees<f64<60>, i32<37>>(looked_up));
  CHECK(agrees<i32<60>, i32<5>>(looked_up));
  CHECK(agrees<f32<60>, i32<3>>(looked_up));
  CHECK(agrees<u8<60>, i32<100>>(looked_up));
  CHECK(agrees<f32<1>, i32<40>>(looked_up));
  CHECK(agrees<f32<60>, i64<40>>(looked_up));
  CHECK(agrees<f32<60>, u8<40>>(looked_up));
  CHECK(agrees<f32<60>, i32<40>>(filled));
  CHECK(agrees<f32<60>, i32<40>>(clipped));
  CHECK(agrees<f32<60>, i32<40>>(wrapped));
  CHECK(agrees<f64<60>, i32<2, 21>>(indexed));
  CHECK(agrees<f32<60>, i32<40>>(computed));
  CHECK(agrees<f32<60>, i32<133>, f32<133>>(dot_of_sparse));
  CHECK(agrees<f32<60>, i32<5, 8>, f32<5, 8>>(dot_of_sparse));
  CHECK(agrees<f32<60>, i32<5, 75>, f32<5, 75>>(dot_of_sparse));
  CHECK(agrees<i32<60>, i32<70>>(running));
  CHECK(agrees<f32<9, 60>, i32<21>>(columns));
  CHECK(agrees<f32<9, 60>, i32<9, 21>>(along));
  CHECK(agrees<f32<60, 50>, i32<37>, i32<37>>(pairs));
  CHECK(agrees<f32<60, 50>, i32<6>, i32<37>>(crossed));
}
TEST_CASE("indices that steps compute") {
  CHECK(agrees<f32<60>, i32<100>>(only_looked_up));
  CHECK(agrees<i16<60>, i32<100>>(only_looked_up));
  CHECK(agrees<f32<50>, f32<75>>(of_floats));
  CHECK(agrees<f32<60>, i32<70>, i32<101>>(of_what_is_looked_up));
  CHECK(agrees<u8<60>, u8<70>, u8<101>>(of_what_is_looked_up));
  CHECK(agrees<f32<20, 30>, i32<47>, i32<47>>(computed_pairs));
  CHECK(agrees<f64<20, 30>, i32<3, 17>, i32<3, 17>>(computed_pairs));
  CHECK(agrees<f32<60>, i32<75>>(filled_elsewhere));
  CHECK(agrees<u8<60>, i64<75>>(filled_elsewhere));
  CHECK(agrees<f32<20, 37>, i32<5, 37>>(reversed_columns));
  CHECK(agrees<f32<90>, i32<75>>(of_reversed));
  CHECK(agrees<f64<90>, i32<75>>(of_reversed));
  CHECK(agrees<f32<60>, i32<75>>(index_is_result));
  CHECK(agrees<f32<60>, i32<9, 75>>(summed));
  CHECK(agrees<f32<60>, i32<75, 9>>(summed));
}
TEST_CASE("batches, loops, and index arrays that are results") {
  CHECK(agrees<f32<50, 32>, i32<3, 6, 8>>(mapped_bag));
  CHECK(agrees<f32<5, 60>, i32<5, 21>>(mapped_tables));
  CHECK(agrees<f32<10, 10>>(bilinear));
  CHECK(agrees<f32<60>, i32<40>>(with_indices));
  CHECK(agrees<i32<80>>(of_itself));
  CHECK(agrees<i32<80>, i32<80>>(repeated));
  CHECK(agrees<f32<60>, i32<40>>(read_twice));
  CHECK(agrees<f32<60>, i32<40>, f32<9>>(repeated_for_rows));
}

TEST_CASE("indices from the end and out of bounds, by hand") {
  constexpr int n = 20, width = 19, bags = 7, size = 9;
  static auto t = ex::array<float, n, width>::full(0);
  auto i = ex::array<int, bags, size>::full(0);
  for (int k = 0; k < n * width; ++k) t.data()[k] = static_cast<float>(k);
  for (int k = 0; k < bags * size; ++k) i.data()[k] = (k * 7) % (2 * n) - n;
  i.data()[3] = n;                                        // bag 0
  i.data()[size] = -n - 1;                                // bag 1
  i.data()[2 * size] = std::numeric_limits<int>::max();   // bag 2
  i.data()[3 * size] = std::numeric_limits<int>::min();   // bag 3
  auto const sums = ex::jit(bag)(t, i), bounded = ex::jit(clipped_bag)(t, i);
  int wrong = 0;
  for (int b = 0; b < bags; ++b)
    for (int c = 0; c < width; ++c) {
      float sum = 0, inside = 0;
      for (int k = 0; k < size; ++k) {
        int const given = i(b, k), at = given < 0 ? given + n : given, moved = given < 0 ? 0 : given >= n ? n - 1 : given;
        sum += at < 0 || at >= n ? std::numeric_limits<float>::quiet_NaN() : t(at, c);
        inside += t(moved, c);
      }
      wrong += b < 4 ? !std::isnan(sums(b, c)) : sums(b, c) != sum;
      wrong += bounded(b, c) != inside;
    }
  CHECK(wrong == 0);
  auto const found = ex::jit(filled)(t(0), i);
  for (int b = 0; b < bags; ++b)
    for (int k = 0; k < size; ++k) {
      int const given = i(b, k), at = given < 0 ? given + width : given;
      wrong += found(b, k) != (at < 0 || at >= width ? -7.0f : t(0, at)) * 2 + 1;
    }
  CHECK(wrong == 0);
}
TEST_CASE("an index array whose memory becomes the result's") {
  auto x = ex::array<int, 80>::full(0);
  for (int k = 0; k < 80; ++k) x.data()[k] = (k * 37) % 80;
  auto const made = ex::jit(of_itself)(x);
  int wrong = 0;
  for (int k = 0; k < 80; ++k) wrong += made(k) != x(x(k)) + 1;
  CHECK(wrong == 0);
  auto given = x, indices = x;
  CHECK(ex::jit(of_itself)(std::move(given)) == made);
  auto const twice = ex::jit(indexed)(x, x);
  CHECK(ex::jit(indexed)(x, std::move(indices)) == twice);
}
static_assert(ex::jit(indexed)(ex::array<int, 3>{5, 6, 7}, ex::array<int, 6>{2, 0, -1, 9, -9, 1}) ==
              ex::array<int, 6>{15, 11, 15, 15, 11, 13});
static_assert(ex::jit(filled)(ex::array<int, 3>{5, 6, 7}, ex::array<int, 5>{2, 3, -3, -4, 0}) == ex::array<int, 5>{15, -13, 11, -13, 11});
static_assert(ex::jit(bag)(ex::array<int, 2, 8>{1, 2, 3, 4, 5, 6, 7, 8, 10, 20, 30, 40, 50, 60, 70, 80}, ex::array<int, 1, 2>{-1, 0}) ==
              ex::array<int, 1, 8>{11, 22, 33, 44, 55, 66, 77, 88});
