// SPDX-License-Identifier: BSL-1.0
// Updates of every second, third or fourth element that are computed from elements as far apart are made by whole rows, with the same bits.
#include <doctest/doctest.h>

#include "traced.hpp"

#include <exprax/passes/strided_updates.hpp>

namespace ex = exprax;
using ex::all, ex::none, ex::program, ex::program_ref, ex::slice;

namespace {

constexpr ex::target packs{.register_bytes = 32}, no_packs{};

template <int Step>
constexpr auto mean_of_neighbours = [](auto u) {
  return u.at(slice<1, -1, Step>).set(0.5f * (u(slice<0, -2, Step>) + u(slice<2, none, Step>)));
};
// A row of values for each index of the other axis, and one for all; the last one is read twice.
constexpr auto rows = [](auto u, auto w, auto c) {
  auto const left = u(all, slice<0, -1, 3>);
  auto const scaled = left * w(all, none) + c + left;
  return u.at(slice<1, -1>, slice<1, none, 3>).add(scaled(slice<1, -1>));
};
constexpr auto scaled = [](auto u) { return u.at(slice<0, none, 2>).mul(u(slice<0, none, 2>)); };
constexpr auto both_halves = [](auto u) {
  return ex::fori_loop(0, 3, [](auto, auto u) {
    auto const v = u.at(slice<1, -1, 2>).set(0.5f * (u(slice<0, -2, 2>) + u(slice<2, none, 2>)));
    return v.at(slice<2, -1, 2>).set(v(slice<1, -2, 2>) - v(slice<3, none, 2>));
  }, u);
};
constexpr auto integers = [](auto u) { return u.at(slice<1, none, 2>).set(u(slice<0, none, 2>) / u(slice<1, none, 2>)); };

template <class F, class... Specs>
constexpr program simple(F f, Specs... specs) {
  program const p = ex::known_scatters(decltype(ex::make_jaxpr(f)(specs...))::program::ref), q = ex::simplify(p.ref());
  return ex::dce(q.ref());
}
constexpr int strided(program_ref p) {
  int n = 0;
  for (int i = 0; i < p.n.eqns; ++i) n += ex::detail::strided_update_finder::is_strided(p, p.eqns[i]);
  return n;
}
// How many strided updates the pass leaves. -1: it is not needed; -2: the result is not well formed or means something else.
template <class F, class... Specs>
constexpr int left_of(F f, Specs... specs) {
  program const p = simple(f, specs...);
  if (!ex::detail::strided_updates::is_needed(p.ref(), packs)) return -1;
  program const q = ex::detail::written_by_rows(p.ref());
  return ex::check(q.ref()) && traced_passes::same_meaning(p.ref(), q.ref()) ? strided(q.ref()) : -2;
}

static_assert(left_of(mean_of_neighbours<2>, ex::f32<35>) == 0);
static_assert(left_of(mean_of_neighbours<3>, ex::f32<39>) == 0);
static_assert(left_of(mean_of_neighbours<4>, ex::f64<43>) == 0);
static_assert(left_of(mean_of_neighbours<2>, ex::f32<35, 3>) == -1);
static_assert(left_of(rows, ex::f32<4, 19>, ex::f32<4>, ex::f32<>) == 0);
static_assert(left_of(scaled, ex::f32<16>) == -1);  // rows of 15 are short
static_assert(left_of(scaled, ex::f32<18>) == 0);
static_assert(left_of(both_halves, ex::f32<33>) == 0);
static_assert(left_of(integers, ex::i32<32>) == 0);
// What stays: other steps, elements that are given, or that take much to compute, more than one axis with a step; and in lanes of a vmap.
static_assert(left_of(mean_of_neighbours<5>, ex::f32<51>) == -1);
static_assert(left_of([](auto u, auto w) { return u.at(slice<0, none, 2>).set(w); }, ex::f32<40>, ex::f32<20>) == -1);
static_assert(left_of([](auto u) { return u.at(slice<0, none, 2>).set(u(slice<0, none, 4>)); }, ex::f32<1, 40>) == -1);
static_assert(left_of([](auto u) { return u.at(slice<0, none, 2>).set(ex::exp(u(slice<0, none, 2>))); }, ex::f32<40>) == -1);
static_assert(left_of([](auto u) { return u.at(slice<0, none, 2>, slice<0, none, 2>).mul(2); }, ex::f32<4, 40>) == -1);
static_assert([] {
  program const p = simple(scaled, ex::f32<32>);
  return !ex::detail::strided_updates::is_needed(p.ref(), no_packs);
}());

// A quarter of the inner elements, from their neighbours; all four, each in the memory of the one before.
template <int I, int J, int N, class U>
constexpr auto quarter(U u) {
  constexpr auto rows = slice<I, N - 1, 2>;
  constexpr auto columns = slice<J, N - 1, 2>;
  constexpr auto above = slice<I - 1, N - 2, 2>;
  constexpr auto below = slice<I + 1, N, 2>;
  constexpr auto left = slice<J - 1, N - 2, 2>;
  constexpr auto right = slice<J + 1, N, 2>;
  return u.at(rows, columns).set(u(above, columns) - u(below, columns) + 2 * u(rows, left) - u(rows, right));
}
constexpr auto sweep = [](auto u) {
  constexpr int n = ex::extent_of<decltype(u), 0>;
  return quarter<2, 1, n>(quarter<1, 2, n>(quarter<2, 2, n>(quarter<1, 1, n>(u))));
};
constexpr auto sweeps = [](auto u) { return ex::fori_loop(0, 2, [](auto, auto u) { return sweep(u); }, u); };
// What is read of the old value is not only between the elements that are stored, or is read by others too.
constexpr auto shifted = [](auto u) { return (u * 2).at(slice<0, -2, 2>, slice<0, -2, 2>).set(u(slice<2, none, 2>, slice<2, none, 2>)); };
constexpr auto moved = [](auto, auto u) { return u.at(slice<0, -2, 2>, slice<0, -2, 2>).set(u(slice<2, none, 2>, slice<2, none, 2>)); };
constexpr auto shifted_in_place = [](auto u) { return ex::fori_loop(0, 2, moved, u); };

template <int N>
constexpr auto numbers() {
  ex::array<int, N, N> u;
  for (int i = 0; i < N * N; ++i) u.data()[i] = i * 37 % 101;
  return u;
}
template <class F, int N>
constexpr bool is_swept(F f, int turns, ex::array<int, N, N> u) {
  auto const made = ex::jit(f)(u);
  for (int t = 0; t < turns; ++t)
    for (int colour = 0; colour < 2; ++colour)
      for (int i = 1; i < N - 1; ++i)
        for (int j = 1 + (i - 1 + colour) % 2; j < N - 1; j += 2) u(i, j) = u(i - 1, j) - u(i + 1, j) + 2 * u(i, j - 1) - u(i, j + 1);
  bool same = true;
  for (int i = 0; i < N * N; ++i) same = same && u.data()[i] == made.data()[i];
  return same;
}
template <class F, int N>
constexpr bool is_shifted(F f, int factor, int turns, ex::array<int, N, N> u) {
  auto const made = ex::jit(f)(u);
  auto old = u;
  for (int i = 0; i < N * N; ++i) u.data()[i] *= factor;
  for (int t = 0; t < turns; ++t) {
    for (int i = 0; i < N - 2; i += 2)
      for (int j = 0; j < N - 2; j += 2) u(i, j) = old(i + 2, j + 2);
    old = u;
  }
  bool same = true;
  for (int i = 0; i < N * N; ++i) same = same && u.data()[i] == made.data()[i];
  return same;
}
static_assert(is_swept(sweep, 1, numbers<19>()) && is_swept(sweeps, 2, numbers<19>()));
static_assert(is_shifted(shifted, 2, 1, numbers<19>()) && is_shifted(shifted_in_place, 1, 2, numbers<19>()));

template <class F>
constexpr ex::plan_sizes sizes_of(F) {
  return ex::planned<ex::detail::compiled<ex::detail::traced<F, ex::expr<int, 41, 41>>>>::sizes;
}
static_assert(sizes_of(sweep).scratch == 0 && sizes_of(sweeps).scratch == 0, "nothing is copied before it is overwritten");

}  // namespace

TEST_CASE("updates with a step along both axes, in place") {
  CHECK(is_swept(sweep, 1, numbers<41>()));
  CHECK(is_swept(sweeps, 2, numbers<41>()));
  CHECK(is_swept(sweeps, 2, numbers<99>()));
  CHECK(is_shifted(shifted, 2, 1, numbers<41>()));
  CHECK(is_shifted(shifted_in_place, 1, 2, numbers<77>()));
}
TEST_CASE("updates with a step, in packs") {
  constexpr int n = 201;  // whose first and last elements are not updated
  ex::array<float, n> u;
  for (int i = 0; i < n; ++i) u(i) = static_cast<float>(i * 37 % 101) / 3;
  auto const check = [&](auto made, int step) {
    for (int i = 0; i < n; ++i) {
      bool const updated = i % step == 1 && i < n - 1;
      CHECK(made(i) == (updated ? 0.5f * (u(i - 1) + u(i + 1)) : u(i)));
    }
  };
  check(ex::jit(mean_of_neighbours<2>)(u), 2);
  check(ex::jit(mean_of_neighbours<3>)(u), 3);
}
