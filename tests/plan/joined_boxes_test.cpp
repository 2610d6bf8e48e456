// SPDX-License-Identifier: BSL-1.0
// Parts of one result that read the same elements are made in one walk. Emitted code, the plan interpreter and the reference interpreter
// give the same bits.
#include "plans_agree.hpp"

namespace ex = exprax;
template <int... D>
using f32 = ex::expr<float, D...>;
template <int... D>
using i32 = ex::expr<int, D...>;

namespace {

using namespace plan_test;
using ex::all, ex::slice;

// --- Programs

constexpr auto haar = [](auto x) {
  auto const even = x(slice<0, ex::none, 2>), odd = x(slice<1, ex::none, 2>);
  return ex::concatenate(ex::tuple(even + odd, even - odd));
};
// The walks of a and b are not the same; those of the last two parts have both.
constexpr auto butterfly = [](auto x, auto y, auto w) {
  constexpr int n = ex::extent_of<decltype(w), 0>;
  auto const a = ex::reshape<2, n>(x), b = ex::reshape<2, n>(y);
  auto const u = a(0) - a(1), v = b(0) - b(1);
  return ex::stack(ex::tuple(a(0) + a(1), b(0) + b(1), u * w - v, u + v * w));
};
// The left half is read where it is written, but not by both parts.
constexpr auto rotated = [](auto x, auto c, auto s) {
  constexpr int n = ex::extent_of<decltype(c), 0>;
  auto const left = x(all, slice<0, n>), right = x(all, slice<n, ex::none>);
  return ex::concatenate(ex::tuple(left * c - right * s, left * s + right * c), ex::axis<1>);
};
// Counts along the whole result.
constexpr auto counted = [](auto x) {
  constexpr int n = ex::extent_of<decltype(x), 0>;
  return ex::concatenate(ex::tuple(x, 3 * x, x + 1)) - ex::arange<3 * n>();
};
constexpr auto repeated = [](auto x) { return ex::fori_loop(0, 5, [](auto, auto v) { return haar(v) / 2; }, x); };
// Of other lengths; of other elements.
constexpr auto longer = [](auto x) { return ex::concatenate(ex::tuple(x, 2 * x(slice<0, -1>))); };
constexpr auto others = [](auto x) { return ex::concatenate(ex::tuple(2 * x(slice<1, ex::none>), 3 * x(slice<0, -1>))); };
// The result may stand in the memory of x.
constexpr auto in_place = [](auto x, auto y) {
  constexpr int n = ex::extent_of<decltype(y), 0>;
  return ex::concatenate(ex::tuple(x(slice<0, n>) * y, y));
};
// More values than there are registers.
constexpr auto many = [](auto x) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return ex::concatenate(ex::tuple((x(I) + x(I + 1))..., (x(I) - x(I + 1))...));
  }(std::make_integer_sequence<int, 7>());
};

// --- What the planner makes of them

constexpr ex::target packs{.register_bytes = 32};
template <class... Args, class F>
constexpr int boxes(F f, ex::target const& machine = packs) {
  return plan_for<Args...>(f, machine).loops[0].n_box;
}
static_assert(boxes<f32<200>>(haar) == 1 && boxes<f32<200>>(haar, {.register_bytes = 64, .registers = 32}) == 1);
static_assert(boxes<f32<200>>(haar, {}) == 2);
static_assert(boxes<f32<14>>(haar) == 2, "shorter than a pack");
static_assert(boxes<f32<128>, f32<128>, f32<64>>(butterfly) == 1);
static_assert(boxes<f32<7, 64>, f32<32>, f32<32>>(rotated) == 1);
static_assert(boxes<i32<50>>(counted) == 1);
static_assert(boxes<f32<50>>(longer) == 2 && boxes<f32<50>>(others) == 2);
static_assert(boxes<f32<64>, f32<32>>(in_place) == 2);
static_assert(boxes<f32<8, 64>>(many) > 1 && boxes<f32<8, 64>>(many) < 14);

// --- Values

template <int N>
constexpr auto start() {
  ex::array<int, N> x;
  for (int i = 0; i < N; ++i) x.data()[i] = i * 37 % 101;
  return x;
}
template <class A>
constexpr bool is_haar(A const& y) {
  int const n = static_cast<int>(y.size() / 2);
  bool ok = true;
  for (int i = 0; i < n; ++i) {
    int const a = 2 * i * 37 % 101, b = (2 * i + 1) * 37 % 101;
    ok = ok && y(i) == a + b && y(n + i) == a - b;
  }
  return ok;
}
template <class A>
constexpr bool is_counted(A const& y) {
  int const n = static_cast<int>(y.size() / 3);
  bool ok = true;
  for (int i = 0; i < n; ++i) {
    int const x = i * 37 % 101;
    ok = ok && y(i) == x - i && y(n + i) == 3 * x - n - i && y(2 * n + i) == x + 1 - 2 * n - i;
  }
  return ok;
}
static_assert(is_haar(ex::jit(haar)(start<70>())) && is_counted(ex::jit(counted)(start<37>())));

TEST_CASE("parts of a result in one walk") {
  CHECK(is_haar(ex::jit(haar)(start<70>())));
  CHECK(is_haar(ex::jit(haar)(start<1024>())));
  CHECK(is_counted(ex::jit(counted)(start<37>())));
  CHECK(agrees<f32<202>>(haar));
  CHECK(agrees<f32<134>, f32<134>, f32<67>>(butterfly));
  CHECK(agrees<f32<7, 66>, f32<33>, f32<33>>(rotated));
  CHECK(agrees<i32<51>>(counted));
  CHECK(agrees<f32<8, 41>>(many));
}
TEST_CASE("parts apart") {
  CHECK(agrees<f32<50>>(longer));
  CHECK(agrees<f32<50>>(others));
}
TEST_CASE("parts of a carry, and over an argument") {
  CHECK(agrees<f32<70>>(repeated));
  CHECK(agrees<f32<64>, f32<32>>(in_place));
  auto x = start<4096>();
  int const* const memory = x.data();
  auto const y = ex::jit(in_place, ex::donate_argnums<0>)(std::move(x), ex::array<int, 2048>::full(3));
  bool ok = y.data() == memory;
  for (int i = 0; i < 2048; ++i) ok = ok && y(i) == 3 * (i * 37 % 101) && y(2048 + i) == 3;
  CHECK(ok);
}

}  // namespace
