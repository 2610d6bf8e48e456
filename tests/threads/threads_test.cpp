// SPDX-License-Identifier: BSL-1.0
// Kernels that threads share (-fopenmp, where the compiler has it, or EXPRAX_ONETBB): against plain loops over integers, and the same bits
// for each number of threads. Sizes are no multiples of packs, tiles, or threads.
#include <algorithm>
#include <utility>

#include "by_any_number.hpp"

namespace {

constexpr auto chain = [](auto x) { return (3 * x + 1) * x; };
constexpr auto wave = [](auto x) { return ex::sin(x) * ex::exp(-x); };
constexpr auto doubled = [](auto x) { return ex::where(x > 5, 2 * x, x * x + 3 * x * x * x); };
constexpr auto joined = [](auto x, auto y) { return ex::concatenate(ex::tuple(3 * x + x * x, ex::flip(y) * y)); };

}  // namespace

TEST_CASE("elementwise: one axis, few rows, many rows, boxes") {
  auto const& x = numbers<int, 300'017>();
  auto const y = by_any_number<chain>(x);
  bool right = true;
  for (int i = 0; i < x.size(); ++i) right = right && y(i) == (3 * x(i) + 1) * x(i);
  CHECK(right);
  by_any_number<wave>(numbers<float, 100'003>());
  by_any_number<wave>(numbers<double, 3, 33'337>());
  by_any_number<wave>(numbers<float, 1'013, 101>());
  by_any_number<wave>(numbers<float, 7, 5, 3, 1'001>());
  auto const z = by_any_number<joined>(x, numbers<int, 200'005>());
  CHECK(z(1) == 3 * x(1) + x(1) * x(1));
  CHECK(z(-1) == numbers<int, 200'005>()(0) * numbers<int, 200'005>()(-1));
}
TEST_CASE("an argument that is given up becomes the result") {
  auto const& x = numbers<int, 200'003>();
  auto const expected = by_any_number<doubled>(x);
  for (int n : {1, 2, 7}) {
    ex::num_threads(n);
    auto given = x;
    CHECK(same_bits(ex::jit(doubled)(std::move(given)), expected));
  }
  ex::num_threads(0);
}

namespace {
constexpr auto transposed = [](auto x) { return ex::transpose(x) * 3 + 1; };
constexpr auto swapped = [](auto x) { return ex::transpose(x, ex::axis<0, 2, 1>) * 3 + 1; };
}  // namespace
TEST_CASE("transposes, by tiles") {
  auto const& x = numbers<int, 517, 403>();
  auto const y = by_any_number<transposed>(x);
  bool right = true;
  for (int i = 0; i < 517; ++i)
    for (int j = 0; j < 403; ++j) right = right && y(j, i) == x(i, j) * 3 + 1;
  CHECK(right);
  auto const z = by_any_number<swapped>(numbers<int, 131, 43, 37>());
  CHECK(z(130, 36, 42) == numbers<int, 131, 43, 37>()(130, 42, 36) * 3 + 1);
}

namespace {
constexpr auto of_rows = [](auto x) { return ex::sum(x * x, ex::axis<1>); };
constexpr auto of_columns = [](auto x) { return ex::sum(x * x, ex::axis<0>); };
constexpr auto of_matrices = [](auto x) { return ex::sum(x * x, ex::axis<1, 2>); };
constexpr auto of_middle = [](auto x) { return ex::sum(x * x, ex::axis<1>); };
constexpr auto largest_of_five = [](auto x) { return ex::max(3 * x + x * x, ex::axis<0>); };
constexpr auto normalized = [](auto x) {
  auto const y = x * x + 1;
  return y * ex::sum(y, ex::axis<1>, ex::keepdims) - y * y;
};
constexpr auto softmax = [](auto x) { return ex::nn::softmax(x, ex::axis<1>); };
}  // namespace
TEST_CASE("reductions") {
  auto const& x = numbers<int, 601, 499>();
  auto const rows = by_any_number<of_rows>(x);
  auto const columns = by_any_number<of_columns>(x);
  auto expected_rows = ex::array<int, 601>::full(0);
  auto expected_columns = ex::array<int, 499>::full(0);
  for (int i = 0; i < 601; ++i)
    for (int j = 0; j < 499; ++j) expected_rows(i) += x(i, j) * x(i, j), expected_columns(j) += x(i, j) * x(i, j);
  CHECK(rows == expected_rows);
  CHECK(columns == expected_columns);
  by_any_number<of_rows>(numbers<float, 601, 499>());
  by_any_number<of_columns>(numbers<float, 601, 499>());
  by_any_number<of_columns>(numbers<double, 90'001, 3>());
  by_any_number<of_matrices>(numbers<float, 67, 61, 53>());
  by_any_number<of_middle>(numbers<float, 67, 61, 53>());
  by_any_number<largest_of_five>(numbers<float, 5, 40'003>());
  static_assert(!is_parallel<wave, ex::array<float, 1'000>>);
}

namespace {
constexpr auto by_row_and_column = [](auto x) { return x * ex::arange<3>() * x + x(ex::all, ex::slice<1>); };
constexpr auto largest_of_rows = [](auto x) { return ex::max(3 * x + x * x, ex::axis<1>); };
}  // namespace
TEST_CASE("rows shorter than a pack") {
  auto const& x = numbers<int, 90'001, 3>();
  auto const y = by_any_number<by_row_and_column>(x);
  auto const largest = by_any_number<largest_of_rows>(x);
  bool right = true;
  for (int i = 0; i < 90'001; ++i) {
    int most = 3 * x(i, 0) + x(i, 0) * x(i, 0);
    for (int j = 0; j < 3; ++j) {
      right = right && y(i, j) == x(i, j) * j * x(i, j) + x(i, 0);
      most = std::max(most, 3 * x(i, j) + x(i, j) * x(i, j));
    }
    right = right && largest(i) == most;
  }
  CHECK(right);
}
TEST_CASE("rows with scratch memory of each thread") {
  auto const& x = numbers<int, 601, 499>();
  auto const y = by_any_number<normalized>(x);
  bool right = true;
  for (int i = 0; i < 601; ++i) {
    int sum = 0;
    for (int j = 0; j < 499; ++j) sum += x(i, j) * x(i, j) + 1;
    for (int j = 0; j < 499; ++j) {
      int const v = x(i, j) * x(i, j) + 1;
      right = right && y(i, j) == static_cast<int>(static_cast<unsigned>(v) * static_cast<unsigned>(sum) - static_cast<unsigned>(v * v));
    }
  }
  CHECK(right);
  by_any_number<softmax>(numbers<float, 601, 499>());
}

namespace {
constexpr auto dot = [](auto a, auto b) { return ex::dot(a, b); };
constexpr auto batched = [](auto a, auto b) { return ex::matmul(a, b); };
constexpr auto layer = [](auto a, auto b, auto c) { return ex::nn::relu(ex::dot(a, b) + c); };
constexpr auto against_rows = [](auto a, auto b) { return ex::dot(a, ex::transpose(b)); };
constexpr auto of_bytes = [](auto a, auto b) { return ex::dot_general<int>(a, b, ex::contracting<ex::axis<1>, ex::axis<0>>); };
constexpr auto of_rows_of_bytes = [](auto a, auto b) { return ex::dot_general<int>(a, b, ex::contracting<ex::axis<1>, ex::axis<1>>); };
}  // namespace
TEST_CASE("products") {
  auto const& a = numbers<int, 101, 83>();
  auto const& b = numbers<int, 83, 97>();
  auto const c = by_any_number<dot>(a, b);
  bool right = true;
  for (int i = 0; i < 101; ++i)
    for (int j = 0; j < 97; ++j) {
      int sum = 0;
      for (int k = 0; k < 83; ++k) sum += a(i, k) * b(k, j);
      right = right && c(i, j) == sum;
    }
  CHECK(right);
  by_any_number<dot>(numbers<float, 123, 77>(), numbers<float, 77, 89>());
  by_any_number<layer>(numbers<float, 123, 77>(), numbers<float, 77, 89>(), numbers<float, 89>());
  by_any_number<layer>(numbers<float, 123, 400>(), numbers<float, 400, 403>(), numbers<float, 403>());
  by_any_number<dot>(numbers<double, 901, 803>(), numbers<double, 803>());
  by_any_number<dot>(numbers<float, 803>(), numbers<float, 803, 901>());
  by_any_number<dot>(numbers<float, 65, 1030>(), numbers<float, 1030, 601>());
  by_any_number<against_rows>(numbers<float, 123, 77>(), numbers<float, 89, 77>());
  by_any_number<of_bytes>(numbers<signed char, 123, 77>(), numbers<signed char, 77, 89>());
  by_any_number<of_bytes>(numbers<signed char, 5, 277>(), numbers<signed char, 277, 899>());
  by_any_number<of_rows_of_bytes>(numbers<signed char, 3, 803>(), numbers<signed char, 901, 803>());
  by_any_number<batched>(numbers<float, 71, 23, 19>(), numbers<float, 71, 19, 29>());
  by_any_number<batched>(numbers<float, 3, 67, 61>(), numbers<float, 3, 61, 71>());
}

namespace {
constexpr auto steps_to_one = ex::vmap([](auto n) {
  auto const goes_on = [](auto s) { return ex::get<0>(s) > 1; };
  auto const step = [](auto s) {
    auto const [m, k] = s;
    return ex::tuple(ex::where(m % 2 == 0, m >> 1, 3 * m + 1), k + 1);
  };
  return ex::get<1>(ex::while_loop(goes_on, step, ex::tuple(n, 0)));
});
constexpr auto counts = ex::vmap([](auto x) {
  return ex::fori_loop(0, 24, [&](auto i, auto c) { return c.at((x(i % 3) + i) % 16).add(i); }, ex::zeros<int, 16>());
});
constexpr auto mapped = [](auto x) {
  return ex::map([](auto m) { return ex::dot(ex::dot(m, m), m); }, x);
};
constexpr auto smoothed = [](auto u) {
  return ex::fori_loop(0, 4, [](auto, auto v) {
    return v.at(ex::slice<1, -1>, ex::all).set(v(ex::slice<2, ex::none>, ex::all) - v(ex::slice<0, -2>, ex::all) * 3);
  }, u);
};
}  // namespace
TEST_CASE("rows of a vmap in lanes, with memory of their own; loops of kernels") {
  auto n = ex::array<int, 40'011>::full(0);
  for (int i = 0; i < n.size(); ++i) n(i) = i + 1;
  auto const k = by_any_number<steps_to_one>(n);
  CHECK(k(26) == 111);
  CHECK(k(40'010) == [] {
    int steps = 0;
    for (long m = 40'011; m > 1; ++steps) m = m % 2 == 0 ? m / 2 : 3 * m + 1;
    return steps;
  }());

  auto const& x = numbers<int, 8'003, 3>();
  auto const c = by_any_number<counts>(x);
  bool right = true;
  for (int r = 0; r < 8'003; ++r) {
    int expected[16] = {};
    for (int i = 0; i < 24; ++i) expected[(x(r, i % 3) + i) % 16] += i;
    for (int j = 0; j < 16; ++j) right = right && c(r, j) == expected[j];
  }
  CHECK(right);

  by_any_number<mapped>(numbers<int, 301, 14, 14>());
  by_any_number<smoothed>(numbers<int, 403, 501>());
}
TEST_CASE("a call in a parallel region runs by its thread") {
  auto const& x = numbers<float, 100'003>();
  auto const expected = ex::jit(wave)(x);
  bool right[4] = {};
#ifdef _OPENMP
#pragma omp parallel for num_threads(4)
#endif
  for (int i = 0; i < 4; ++i) right[i] = same_bits(ex::jit(wave)(x), expected);
  for (bool r : right) CHECK(r);
}
