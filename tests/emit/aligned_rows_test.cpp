// SPDX-License-Identifier: BSL-1.0
// Rows whose packs begin at aligned addresses, between two that overlap (emit/kernels/loop.hpp): stencils and updates of slices, in place
// too, beside plain C++ loops.
#include <cstdint>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

using ex::detail::unaligned_elements;

// A loop over `extent` elements from `lo` on that stores at `base` + lo.
constexpr std::ptrdiff_t before(int lo, int extent, int lanes, int row, int base = 0) {
  ex::box b{};
  b.lo[1] = lo, b.extent[1] = extent, b.n_step = 1;
  ex::step s{};
  s.kind = ex::step_kind::store;
  ex::access a{};
  a.base = base, a.stride[0] = row, a.stride[1] = 1;
  return unaligned_elements(b, &s, &a, 2, lanes);
}
static_assert(before(1, 254, 16, 256) == 15 && before(1, 254, 8, 256) == 7);
static_assert(before(0, 254, 16, 256, 17) == 15 && before(0, 240, 16, 256, -1) == 0);
// Aligned, rows that are not, one more pack of few, short rows.
static_assert(before(16, 200, 16, 256) == 0 && before(1, 254, 16, 250) == 0 && before(1, 160, 16, 256) == 0 && before(1, 62, 16, 64) == 15);
static_assert(before(1, 46, 16, 64) == 0);
// One more pack of many.
static_assert(before(1, 1024, 16, 1040) == 15);

// Packs of half a cache line where neighbours are read, and little is computed, on a target that processes registers in halves.
constexpr auto stencil = [](auto x) { return x(ex::slice<0, -2>) + x(ex::slice<2, ex::none>) - 2.0f * x(ex::slice<1, -1>); };
constexpr auto costly = [](auto x) { return ex::exp(x(ex::slice<0, -2>) + x(ex::slice<2, ex::none>) - 2.0f * x(ex::slice<1, -1>)); };
// An extremum of floats takes several instructions, one of integers does not.
constexpr auto median = [](auto x) {
  auto const a = x(ex::slice<0, -2>), b = x(ex::slice<1, -1>);
  return ex::maximum(ex::minimum(a, b), ex::minimum(ex::maximum(a, b), x(ex::slice<2, ex::none>)));
};
constexpr auto smooth = [](auto x) { return x * 2.0f + 1.0f; };
template <class T = float, class F>
constexpr int lanes_of(F, int register_bytes, bool halves_registers = true) {
  using program = ex::detail::compiled<ex::detail::traced<F, ex::expr<T, 1000>>>;
  return ex::make_plan(program::ref, {.register_bytes = register_bytes, .halves_registers = halves_registers}).boxes[0].lanes;
}
static_assert(lanes_of(stencil, 64) == 8 && lanes_of(stencil, 32) == 8 && lanes_of(costly, 64) == 16 && lanes_of(smooth, 64) == 16);
static_assert(lanes_of(stencil, 64, false) == 16);
static_assert(lanes_of(median, 64) == 16 && lanes_of<int>(median, 64) == 8);

template <class T, int... Dims>
ex::array<T, Dims...> numbers(int first) {
  ex::array<T, Dims...> x;
  for (T& e : x) e = static_cast<T>(first++ * 29 % 83 - 41);
  return x;
}

// Columns Lo to Hi of N x M: neighbours read in other memory, the update in place, and added to it.
template <class T, int N, int M, int Lo, int Hi>
void check() {
  constexpr auto neighbours = [](auto u) {
    return u.at(ex::all, ex::slice<Lo, Hi>).set(u(ex::all, ex::slice<Lo - 1, Hi - 1>) + T(2) * u(ex::all, ex::slice<Lo + 1, Hi + 1>));
  };
  constexpr auto in_place = [](auto u) {
    auto const step = [](auto, auto v) {
      return v.at(ex::all, ex::slice<Lo, Hi>).set(v(ex::all, ex::slice<Lo, Hi>) * T(2) - T(1)).at(ex::all, ex::slice<Lo, Hi>).add(T(3));
    };
    return ex::fori_loop(0, 3, step, u);
  };
  auto const u = numbers<T, N, M>(Lo);
  auto const moved = ex::jit(neighbours)(u), changed = ex::jit(in_place)(u);
  bool same = true;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < M; ++j) {
      bool const inside = j >= Lo && j < Hi;
      same = same && moved(i, j) == (inside ? static_cast<T>(u(i, j - 1) + T(2) * u(i, j + 1)) : u(i, j));
      T x = u(i, j);
      for (int k = 0; k < 3 && inside; ++k) x = static_cast<T>(x * T(2) + T(2));
      same = same && changed(i, j) == x;
    }
  INFO(N, " x ", M, ", ", Lo, " to ", Hi);
  CHECK(same);
}

}  // namespace

TEST_CASE("rows with aligned packs") {
  check<float, 3, 256, 1, 255>();
  check<float, 3, 256, 15, 250>();
  check<float, 2, 128, 5, 127>();
  check<float, 1, 1000, 3, 990>();
  check<double, 3, 128, 1, 127>();
  check<std::int32_t, 3, 256, 7, 255>();
  check<std::int16_t, 2, 512, 1, 511>();
  check<float, 3, 250, 1, 249>();
  check<float, 3, 64, 1, 63>();
}
