// SPDX-License-Identifier: BSL-1.0
// Vmapped loops whose packs run side by side, against one row at a time, bit for bit: 203 rows, which no pack divides.
#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr int rows = 203;

// Four slopes of a system of three: more values at once than four packs have registers.
constexpr auto flow = [](auto x, auto y, auto z) { return ex::tuple(10.0f * (y - x), x * (28.0f - z) - y, x * y - 8.0f / 3.0f * z); };
constexpr auto orbit = [](auto x, auto y, auto z) {
  auto const step = [](auto s, auto) {
    auto const [x, y, z] = s;
    auto const [a1, b1, c1] = flow(x, y, z);
    auto const [a2, b2, c2] = flow(x + 0.005f * a1, y + 0.005f * b1, z + 0.005f * c1);
    auto const [a3, b3, c3] = flow(x + 0.005f * a2, y + 0.005f * b2, z + 0.005f * c2);
    auto const [a4, b4, c4] = flow(x + 0.01f * a3, y + 0.01f * b3, z + 0.01f * c3);
    auto const next = [](auto v, auto p, auto q, auto r, auto s) { return v + 0.01f / 6 * (p + 2.0f * (q + r) + s); };
    return ex::tuple(ex::tuple(next(x, a1, a2, a3, a4), next(y, b1, b2, b3, b4), next(z, c1, c2, c3, c4)), ex::tuple());
  };
  return ex::get<0>(ex::scan(step, ex::tuple(x, y, z), ex::length<40>));
};

// A loop that each row leaves at a turn of its own, with a table that it changes at indices of its own.
constexpr auto sieve = [](auto start, auto step) {
  auto const table = ex::zeros<int, 24>();
  auto const going = [](auto s) { return ex::get<0>(s) < 24; };
  auto const turn = [step](auto s) {
    auto const at = ex::get<0>(s);
    auto const seen = ex::get<1>(s);
    auto const before = ex::dynamic_slice<1>(seen, ex::floor_divide(at, 2));
    return ex::tuple(at + step, seen.at(at).add(before(0) + at));
  };
  auto const s = ex::while_loop(going, turn, ex::tuple(start, table));
  return ex::tuple(ex::get<0>(s), ex::sum(ex::get<1>(s)));
};

}  // namespace

TEST_CASE("a scan with many values, in several packs") {
  ex::array<float, rows> x, y, z;
  for (int i = 0; i < rows; ++i) {
    x(i) = 1 + static_cast<float>(i) / 64;
    y(i) = static_cast<float>(i % 7);
    z(i) = 20 - static_cast<float>(i) / 32;
  }
  auto const [a, b, c] = ex::jit(ex::vmap(orbit))(x, y, z);
  int bad = 0;
  for (int i = 0; i < rows; ++i) {
    auto const [p, q, r] = ex::jit(orbit)(x(i), y(i), z(i));
    bad += p() != a(i) || q() != b(i) || r() != c(i);
  }
  CHECK(bad == 0);
}
TEST_CASE("a while that changes a table of each row") {
  ex::array<int, rows> start, step;
  for (int i = 0; i < rows; ++i) {
    start(i) = i % 29 - 2;
    step(i) = 1 + i % 5;
  }
  auto const [end, sums] = ex::jit(ex::vmap(sieve))(start, step);
  int bad = 0;
  for (int i = 0; i < rows; ++i) {
    auto const [e, s] = ex::jit(sieve)(start(i), step(i));
    bad += e() != end(i) || s() != sums(i);
  }
  CHECK(bad == 0);
}
