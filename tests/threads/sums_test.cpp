// SPDX-License-Identifier: BSL-1.0
// Long sums, whose blocks threads share, against plain loops in the order of one thread.
#include "by_any_number.hpp"

namespace {

constexpr auto total = [](auto x) { return ex::sum(x * x); };
constexpr auto total_of_rows = [](auto x) { return ex::sum(x * x, ex::axis<1>); };
constexpr auto total_inside = [](auto x) {
  auto const y = x(ex::slice<1, -1>, ex::slice<2, -3>);
  return ex::sum(y * y);
};
constexpr auto largest = [](auto x) { return ex::tuple(ex::max(ex::sin(x)), ex::argmax(x * x)); };
constexpr auto at_once = [](auto x) { return ex::tuple(ex::sum(x * x), ex::max(x), ex::sum(x > 0)); };
constexpr auto of_one_row = [](auto x) { return ex::nn::softmax(x); };
constexpr auto product_of_vectors = [](auto x) { return ex::dot(x, x); };

// The sum of the n elements at(i), in the order of primitives/reductions/reduction.hpp.
template <class F>
float in_order(int n, F const& at) {
  float sums[8] = {};
  for (int block = 0; block < n; block += 64)
    for (int j = 0; j < 8; ++j) {
      float m[8] = {};
      for (int i = 0; i < 8; ++i)
        if (block + 8 * i + j < n) m[i] = at(block + 8 * i + j);
      sums[j] += ((m[0] + m[2]) + (m[4] + m[6])) + ((m[1] + m[3]) + (m[5] + m[7]));
    }
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}
float square(float x) { return x * x; }

}  // namespace
TEST_CASE("long sums: blocks are shared, and added in order") {
  auto const& x = numbers<float, 700'037>();
  CHECK(by_any_number<total>(x) == in_order(700'037, [&](int i) { return square(x(i)); }));
  auto const& y = numbers<float, 3, 300'011>();
  auto const rows = by_any_number<total_of_rows>(y);
  for (int r = 0; r < 3; ++r) CHECK(rows(r) == in_order(300'011, [&](int i) { return square(y(r, i)); }));
  auto const& z = numbers<float, 1'003, 907>();
  CHECK(by_any_number<total_inside>(z) == in_order(1'001 * 902, [&](int i) { return square(z(1 + i / 902, 2 + i % 902)); }));
  auto const& w = numbers<float, 131, 8'197>();  // rows are whole blocks
  CHECK(by_any_number<total_inside>(w) == in_order(129 * 8'192, [&](int i) { return square(w(1 + i / 8'192, 2 + i % 8'192)); }));
  auto const& narrow = numbers<float, 300'001, 8>();  // rows are shorter than packs
  CHECK(by_any_number<total_inside>(narrow) == in_order(299'999 * 3, [&](int i) { return square(narrow(1 + i / 3, 2 + i % 3)); }));
  auto const& shorter = numbers<float, 40'001, 26>();  // than blocks
  CHECK(by_any_number<total_inside>(shorter) == in_order(39'999 * 21, [&](int i) { return square(shorter(1 + i / 21, 2 + i % 21)); }));
  by_any_number<total>(numbers<double, 2'200'003>());  // more than the partial results that are kept at once
  by_any_number<of_one_row>(numbers<float, 1'000'003>());
  auto const& v = numbers<int, 600'011>();
  unsigned sum = 0;
  for (int a : v) sum += static_cast<unsigned>(a * a);
  CHECK(by_any_number<total>(v) == static_cast<int>(sum));
  ex::num_threads(1);
  auto const expected = ex::jit(largest)(x);
  auto const of_one_walk = ex::jit(at_once)(x);
  CHECK(std::get<0>(of_one_walk).item() == in_order(700'037, [&](int i) { return square(x(i)); }));
  for (int n : {2, 3, 7}) {
    ex::num_threads(n);
    CHECK(ex::jit(largest)(x) == expected);
    CHECK(ex::jit(at_once)(x) == of_one_walk);
  }
  ex::num_threads(0);
  static_assert(is_parallel<at_once, ex::array<float, 1'000'000>> == (EXPRAX_THREADS != 0));
  static_assert(!is_parallel<product_of_vectors, ex::array<float, 1'000'000>>);  // its order is one chain of fused multiply-adds
  static_assert(!is_parallel<total, ex::array<float, 10'000>>);
}
