// SPDX-License-Identifier: BSL-1.0
// Reads and updates at one index for each row, against plain loops: indices from the end, beyond it, repeated; operands that are
// given up, loop carries, and constant evaluation.
#include <doctest/doctest.h>

#include <utility>

#include <exprax/exprax.hpp>

namespace {

namespace ex = exprax;

constexpr auto element = [](auto x, auto i) { return x(i); };
constexpr auto add_at = [](auto x, auto v, auto i) { return ex::vmap([](auto y, auto u, auto k) { return y.at(k).add(u); })(x, v, i); };
constexpr auto pick = [](auto x, auto i) { return ex::vmap(element, ex::in_axes<ex::none, 0>)(x, i); };
constexpr auto add_picked = [](auto x, auto i) { return pick(x, i) + x; };
constexpr auto pick_thrice = [](auto x, auto i) {
  return ex::fori_loop(0, 3, [&](auto, auto y) { return pick(y, i); }, x);
};

constexpr int rows = 40;
constexpr auto numbers = [] {
  auto x = ex::array<float, rows>::full(0);
  for (int k = 0; k < rows; ++k) x.data()[k] = static_cast<float>(3 * k);
  return x;
};
constexpr int other(int k) { return (k * 13 + 5) % rows; }
constexpr auto order = [] {
  auto i = ex::array<int, rows>::full(0);
  for (int k = 0; k < rows; ++k) i.data()[k] = other(k);
  return i;
};

}  // namespace

TEST_CASE("an element of each row is updated") {
  auto x = ex::array<float, rows, 5>::full(0);
  for (int k = 0; k < rows * 5; ++k) x.data()[k] = static_cast<float>(k);
  auto const before = x;
  auto const v = numbers();
  auto i = ex::array<int, rows>::full(0);
  for (int k = 0; k < rows; ++k) i.data()[k] = (k * 7) % 9 - 2;
  auto const after = ex::jit(add_at)(x, v, i);
  CHECK(ex::jit(add_at)(std::move(x), v, i) == after);
  int wrong = 0;
  for (int r = 0; r < rows; ++r) {
    int const k = i(r) < 0 ? i(r) + 5 : i(r);
    for (int j = 0; j < 5; ++j) wrong += after(r, j) != before(r, j) + (j == k ? v(r) : 0.0f);
  }
  CHECK(wrong == 0);
}
TEST_CASE("elements are picked") {
  auto const x = numbers();
  auto const i = order();
  auto const picked = ex::jit(pick)(x, i), sum = ex::jit(add_picked)(x, i), thrice = ex::jit(pick_thrice)(x, i);
  int wrong = 0;
  for (int k = 0; k < rows; ++k) {
    wrong += picked(k) != x(other(k));
    wrong += sum(k) != x(other(k)) + x(k);
    wrong += thrice(k) != x(other(other(other(k))));
  }
  CHECK(wrong == 0);
  auto a = x, b = x, c = x;
  CHECK(ex::jit(pick)(std::move(a), i) == picked);
  CHECK(ex::jit(add_picked)(std::move(b), i) == sum);
  CHECK(ex::jit(pick_thrice)(std::move(c), i) == thrice);
}
static_assert(ex::jit(pick)(ex::array<int, 3>{5, 6, 7}, ex::array<int, 5>{2, 0, -1, 9, -9}) == ex::array<int, 5>{7, 5, 7, 7, 5});
