// SPDX-License-Identifier: BSL-1.0
// debug_print in functions that run: the lines on standard output, as Python's print of NumPy arrays writes them, in the order of
// the program. In constant expressions nothing is printed.
#include <cstdio>
#include <string>

#include <unistd.h>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

// What f writes to standard output.
template <class F>
std::string output_of(F f) {
  std::fflush(stdout);
  int const before = dup(1);
  std::FILE* const file = std::tmpfile();
  dup2(fileno(file), 1);
  f();
  std::fflush(stdout);
  dup2(before, 1);
  close(before);
  std::string text;
  std::rewind(file);
  for (int c; (c = std::fgetc(file)) != EOF;) text.push_back(static_cast<char>(c));
  std::fclose(file);
  return text;
}

constexpr auto only_a_line = [](auto x) { ex::debug_print("x = {}", x); };
constexpr auto collatz = [](auto n) {
  auto const step = [](auto v) {
    ex::debug_print("{}", v);
    return ex::where(v % 2 == 0, ex::floor_divide(v, 2), 3 * v + 1);
  };
  return ex::while_loop([](auto v) { return v != 1; }, step, n);
};
constexpr auto nested = [](auto rows, auto limit) {
  auto const turn = [limit](auto total, auto row) {
    auto const next = total + ex::sum(row);
    auto const over = [](auto t) { return ex::debug_print("over: {}", t), t; };
    auto const under = [row](auto t) { return ex::debug_print("{} makes {}", row, t), t; };
    return ex::tuple(ex::cond(next > limit, over, under, next), ex::none);
  };
  ex::debug_print("limit {}", limit);
  auto const total = ex::get<0>(ex::scan(turn, 0, rows));
  ex::debug_print("{{{}}}", total);
  return total;
};
constexpr auto sum_of_row = [](auto row, auto weight) {
  ex::debug_print("{} * {}", row, weight);
  return ex::sum(row) * weight;
};

static_assert(ex::jit(collatz)(6) == 1);

}  // namespace

TEST_CASE("a function with nothing but a line; scalars, arrays, literals") {
  CHECK(output_of([] { ex::jit(only_a_line)(ex::array<float, 3>{1, 2.5f, -3}); }) == "x = [ 1.   2.5 -3. ]\n");
  CHECK(output_of([] { ex::jit(only_a_line)(true); }) == "x = True\n");
  CHECK(output_of([] { ex::jit([](auto x) { return ex::debug_print("{} {} {}", x, 2, 0.5f), x; })(1.0f); }) == "1.0 2 0.5\n");
  CHECK(output_of([] { ex::jit([](auto x) { ex::debug_print("same {}", x), ex::debug_print("same {}", x); })(1); }) == "same 1\nsame 1\n");
}

TEST_CASE("in loops and branches") {
  CHECK(output_of([] { ex::jit(collatz)(6); }) == "6\n3\n10\n5\n16\n8\n4\n2\n");
  CHECK(output_of([] { ex::jit(nested)(ex::array<int, 3, 2>{{1, 2}, {3, 4}, {0, 1}}, 9); }) == "limit 9\n[1 2] makes 3\nover: 10\nover: 11\n{11}\n");
  CHECK(output_of([] { ex::jit([](auto x) { return ex::fori_loop(0, 3, [](auto i, auto v) { return ex::debug_print("{}: {}", i, v), v * 2; }, x); })(ex::array<int, 2>{1, 2}); }) ==
        "0: [1 2]\n1: [2 4]\n2: [4 8]\n");
}

TEST_CASE("vmap and map print for each element") {
  ex::array<int, 2, 2> const rows{{1, 2}, {3, 4}};
  CHECK(output_of([&] { ex::jit(ex::vmap(sum_of_row, ex::in_axes<0, ex::none>))(rows, 5); }) == "[1 2] * 5\n[3 4] * 5\n");
  CHECK(output_of([&] { ex::jit(ex::vmap(sum_of_row, ex::in_axes<1, 0>))(rows, ex::array<int, 2>{5, 6}); }) == "[1 3] * 5\n[2 4] * 6\n");
  CHECK(output_of([&] { ex::map([](auto row) { return ex::debug_print("{}", row), ex::sum(row); }, rows); }) == "[1 2]\n[3 4]\n");
}
