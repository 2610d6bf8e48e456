// SPDX-License-Identifier: BSL-1.0
// Loops that sum outer products: one product after the loop, with the bits of the sum in the loop. A start that is not known keeps it there.
#include <emit/agree.hpp>

namespace ex = exprax;

namespace {

template <class T, int... D>
ex::array<T, D...> numbers(std::uint32_t seed) {
  ex::array<T, D...> a;
  for (T& e : a) e = emit_test::element<T>(seed);
  return a;
}
template <class T>
bool same_bits(T const& a, T const& b) {
  for (int i = 0; i < a.size(); ++i)
    if (ex::detail::to_bits(a.data()[i]) != ex::detail::to_bits(b.data()[i])) return false;
  return true;
}

constexpr auto outer = [](auto x, auto y) { return ex::expand_dims(x, ex::axis<1>) * y; };
constexpr auto sums = [](auto start, auto xs, auto ys) {
  return ex::get<0>(ex::scan([](auto sum, auto row) { return ex::tuple(sum + outer(ex::get<0>(row), ex::get<1>(row)), ex::none); }, start,
                             ex::tuple(xs, ys)));
};
constexpr auto sums_from_last = [](auto start, auto xs, auto ys) {
  return ex::get<0>(ex::scan([](auto sum, auto row) { return ex::tuple(sum + outer(ex::get<0>(row), ex::get<1>(row)), ex::none); }, start,
                             ex::tuple(xs, ys), ex::reverse));
};
// The factors are computed in the loop, one from a carry; the matrix that is added is transposed.
constexpr auto of_states = [](auto start, auto xs, auto ys) {
  auto const step = [](auto s, auto row) {
    auto const [sum, state] = s;
    auto const [x, y] = row;
    auto const next = state * 0.5f + x;
    return ex::tuple(ex::tuple(sum + ex::transpose(outer(y - 1, next)), next), next);
  };
  auto const [s, states] = ex::scan(step, ex::tuple(start, xs(0)), ex::tuple(xs, ys));
  return ex::tuple(ex::get<0>(s), states);
};
// Reads the sum in the loop.
constexpr auto read_again = [](auto start, auto xs, auto ys) {
  auto const step = [](auto sum, auto row) {
    auto const [x, y] = row;
    return ex::tuple(sum + outer(x, y), ex::sum(sum));
  };
  return ex::scan(step, start, ex::tuple(xs, ys));
};

template <class T, int Rows, int Columns, auto const& F>
constexpr auto from_zero = [](auto xs, auto ys) { return F(ex::zeros<T, Rows, Columns>(), xs, ys); };

constexpr bool has_product(ex::program_ref p) {
  for (int i = 0; i < p.n.eqns; ++i)
    if (p.eqns[i].op == ex::prim::dot_general) return true;
  return false;
}
template <class F, class... A>
constexpr bool sums_after_the_loop(F, A...) {
  return has_product(emit_test::optimized_source<ex::detail::traced<F, A...>>::make().ref());
}

template <class T, int Steps, int Rows, int Columns, auto const& F>
void check_bits() {
  auto const xs = numbers<T, Steps, Rows>(1);
  auto const ys = numbers<T, Steps, Columns>(2);
  auto const zeros = ex::zeros<T, Rows, Columns>();
  CHECK(same_bits(ex::jit(from_zero<T, Rows, Columns, F>)(xs, ys), ex::jit(F)(zeros, xs, ys)));
}

template <class T, int... D>
using in = ex::expr<T, D...>;

}  // namespace

TEST_CASE("sums of outer products are one product after the loop") {
  static_assert(sums_after_the_loop(from_zero<float, 17, 19, sums>, in<float, 5, 17>{}, in<float, 5, 19>{}));
  static_assert(!sums_after_the_loop(sums, in<float, 17, 19>{}, in<float, 5, 17>{}, in<float, 5, 19>{}));               // another start
  static_assert(!sums_after_the_loop(from_zero<float, 17, 19, read_again>, in<float, 5, 17>{}, in<float, 5, 19>{}));
  static_assert(!sums_after_the_loop(from_zero<float, 3, 5, sums>, in<float, 5, 3>{}, in<float, 5, 5>{}));              // in registers
  check_bits<float, 5, 17, 19, sums>();
  check_bits<double, 9, 32, 33, sums_from_last>();
  check_bits<int, 40, 16, 16, sums>();
  check_bits<float, 2, 300, 2, sums_from_last>();
}
TEST_CASE("factors that the loop computes are stacked") {
  static_assert(sums_after_the_loop(from_zero<float, 17, 19, of_states>, in<float, 6, 17>{}, in<float, 6, 19>{}));
  auto const xs = numbers<float, 6, 17>(3);
  auto const ys = numbers<float, 6, 19>(4);
  auto const [sum, states] = ex::jit(from_zero<float, 17, 19, of_states>)(xs, ys);
  auto const [expected, its_states] = ex::jit(of_states)(ex::zeros<float, 17, 19>(), xs, ys);
  CHECK(same_bits(sum, expected));
  CHECK(same_bits(states, its_states));
}
TEST_CASE("under vmap, batch axes stay batch axes") {
  constexpr auto rows = ex::vmap(from_zero<float, 16, 17, sums_from_last>);
  static_assert(sums_after_the_loop(rows, in<float, 3, 5, 16>{}, in<float, 3, 5, 17>{}));
  auto const xs = numbers<float, 3, 5, 16>(5);
  auto const ys = numbers<float, 3, 5, 17>(6);
  auto const sum = ex::jit(rows)(xs, ys);
  for (int i = 0; i < 3; ++i) {
    ex::array<float, 16, 17> const row = sum(i);
    CHECK(same_bits(row, ex::jit(from_zero<float, 16, 17, sums_from_last>)(xs(i), ys(i))));
  }
}
