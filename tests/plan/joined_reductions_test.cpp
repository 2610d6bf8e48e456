// SPDX-License-Identifier: BSL-1.0
// Reductions that walk the same memory are one kernel. Emitted code, the plan interpreter and the reference interpreter give the same bits.
#include "plans_agree.hpp"

namespace ex = exprax;
template <int... D>
using f32 = ex::expr<float, D...>;
template <int... D>
using f64 = ex::expr<double, D...>;
template <int... D>
using i32 = ex::expr<int, D...>;

namespace {

using namespace plan_test;

// --- Programs

constexpr auto whole = [](auto x) { return ex::tuple(ex::sum(x), ex::max(x), ex::min(x)); };
constexpr auto of_rows = [](auto x) { return ex::tuple(ex::sum(x, ex::axis<-1>), ex::max(x, ex::axis<-1>), ex::sum(x * x, ex::axis<-1>)); };
constexpr auto of_columns = [](auto x) { return ex::tuple(ex::mean(x, ex::axis<0>), ex::mean(x * x, ex::axis<0>)); };
constexpr auto of_inner_axes = [](auto x) { return ex::tuple(ex::sum(x, ex::axis<0, 2>), ex::max(x, ex::axis<0, 2>)); };
constexpr auto cosine = [](auto x, auto y) { return ex::sum(x * y) / ex::sqrt(ex::sum(x * x) * ex::sum(y * y)); };
constexpr auto five = [](auto x) {
  return ex::tuple(ex::sum(x), ex::max(x), ex::min(x), ex::sum(x * x), ex::sum(ex::abs(x)));
};
constexpr auto other_dtypes = [](auto x) {
  return ex::tuple(ex::sum(x), ex::sum(x > 0), ex::any(x > 3), ex::sum(x.template astype<double>()), ex::max(x.template astype<ex::float16>()));
};
// What only the reductions read is made in them.
constexpr auto exponentials = [](auto x, auto y) {
  auto const e = ex::exp(x);
  return ex::tuple(ex::sum(e), ex::sum(e * y));
};
constexpr auto columns_of_exponentials = [](auto x, auto y) {
  auto const e = ex::exp(x);
  return ex::tuple(ex::sum(e, ex::axis<0>), ex::sum(e * y, ex::axis<0>));
};
// The same condition and first case.
constexpr auto selected = [](auto x) {
  return ex::tuple(ex::sum(ex::where(x > 0, x, 1)), ex::sum(ex::where(x > 0, x, 2)), ex::max(ex::where(x > 0, 3, x)));
};
constexpr auto read_again = [](auto x) {
  auto const e = ex::exp(x);
  return ex::tuple(ex::sum(e, ex::axis<-1>), e / ex::max(e, ex::axis<-1>, ex::keepdims));
};
// Not of the same elements, or one of them reads what the other one makes.
constexpr auto variance = [](auto x) { return ex::tuple(ex::sum(x), ex::sum(ex::square(x - ex::mean(x)))); };
constexpr auto of_parts = [](auto x) { return ex::tuple(ex::sum(x(ex::slice<1, ex::none>)), ex::max(x(ex::slice<ex::none, -1>))); };
constexpr auto flipped = [](auto x, auto y) { return ex::tuple(ex::sum(x * y), ex::max(ex::flip(x) * y)); };
// The second carry is written in place, and read by the first reduction in another order.
constexpr auto carried = [](auto x, auto c) {
  return ex::fori_loop(
      0, 3,
      [x](auto i, auto both) {
        auto const y = x + i.template astype<float>();
        return ex::tuple(ex::sum(y * ex::flip(std::get<1>(both))(ex::all, ex::newaxis), ex::axis<1>) / 8, ex::max(y, ex::axis<1>));
      },
      ex::tuple(c, c * 2));
};
constexpr auto scanned = [](auto x) {
  return ex::scan([](auto c, auto row) { return ex::tuple(c + ex::sum(row), ex::tuple(ex::max(row + c), ex::min(row + c))); }, 0.5f, x);
};
constexpr auto by_vmap = [](auto x) { return ex::vmap([](auto r) { return ex::tuple(ex::sum(r), ex::max(r)); })(x); };

// 0 plus the element, in the loop that uses it.
constexpr auto of_one = [](auto x) { return ex::tuple(-ex::sum(x, ex::axis<1>), ex::sum(-x * x, ex::axis<1>)); };
// The sums along both axes are one, and minus it.
constexpr auto forces = ex::grad([](auto x) {
  auto const d = x(ex::all, ex::all, ex::newaxis) - x(ex::all, ex::newaxis, ex::all);
  return ex::sum(1.0f / (1.0f + ex::sum(d * d, ex::axis<0>)), ex::axis<0, 1>);
});
constexpr auto of_symmetric = [](auto x) {
  auto const s = ex::exp(x + x.T());
  return ex::tuple(ex::sum(s, ex::axis<0>), ex::sum(s, ex::axis<1>), ex::max(s, ex::axis<0>), ex::max(s, ex::axis<1>));
};

// --- What the planner makes of them

constexpr int reductions_of(ex::plan const& p, ex::kernel_range list) {
  int n = 0;
  for (int i = list.first; i < list.first + list.count; ++i) {
    ex::kernel const k = p.kernels[i];
    if (k.kind == ex::kernel_kind::scan) n += reductions_of(p, p.scans[k.index].body);
    n += k.kind == ex::kernel_kind::reduce;
  }
  return n;
}
template <class... Args, class F>
constexpr int reductions(F f) {
  ex::plan const p = plan_for<Args...>(f, {.register_bytes = 32});
  return reductions_of(p, p.main);
}
// On every target: the number of kernels that reduce, and the scratch memory.
template <class... Args, class F>
constexpr bool has(F f, int reductions, std::ptrdiff_t scratch = 0) {
  for (ex::target const& machine : {ex::target{}, ex::target{.register_bytes = 16}, ex::target{.register_bytes = 32},
                                    ex::target{.register_bytes = 64, .registers = 32}}) {
    ex::plan const p = plan_for<Args...>(f, machine);
    if (reductions_of(p, p.main) != reductions || p.scratch != scratch) return false;
  }
  return true;
}
static_assert(has<f32<100'000>>(whole, 1));
static_assert(has<f32<3>>(whole, 1) && has<f32<>>(whole, 0));
static_assert(has<f32<512, 512>>(of_rows, 1) && has<f32<6, 5, 77>>(of_rows, 1));
static_assert(has<f32<512, 512>>(of_columns, 1) && has<f32<5, 7, 33>>(of_columns, 1));
static_assert(has<f32<100'000>, f32<100'000>>(cosine, 1, 3 * 64));
static_assert(has<f32<512, 512>>(five, 2));
static_assert(has<f32<700, 515>>(by_vmap, 1));
static_assert(reductions<f32<300, 1>>(of_one) == 0 && reductions<f32<3, 100>>(forces) == 1 && reductions<f32<130, 130>>(of_symmetric) == 1);
static_assert(has<f32<512, 512>, f32<512, 512>>(exponentials, 1) && has<f32<8, 9>, f32<8, 9>>(exponentials, 1));
static_assert(has<f32<512, 512>, f32<512, 512>>(columns_of_exponentials, 1) && has<f32<8, 9>, f32<8, 9>>(columns_of_exponentials, 1));
static_assert(has<f32<1'000>>(variance, 2, 64) && has<f32<1'000>>(of_parts, 1) && has<f32<1'000>, f32<1'000>>(flipped, 1));

// --- The bits

// Constant evaluation: 200 elements, of which each reduction is known.
constexpr auto numbers = [] {
  ex::array<int, 200> x;
  for (int i = 0; i < 200; ++i) x(i) = i * 7 % 31 - 11;
  return x;
}();
constexpr auto found = ex::jit(whole)(numbers);
static_assert(int(std::get<0>(found)) == 793 && int(std::get<1>(found)) == 19 && int(std::get<2>(found)) == -11);

}  // namespace

TEST_CASE("several reductions of rows of any length") {
  CHECK(agrees<f32<1000>>(whole));
  CHECK(plans_agree<f32<64>>(whole));
  CHECK(plans_agree<f32<3>>(whole));
  CHECK(plans_agree<f32<>>(whole));
  CHECK(plans_agree<f64<77>>(whole));
  CHECK(agrees<f32<17, 130>>(of_rows));
  CHECK(plans_agree<f32<4, 5, 7>>(of_rows));
  CHECK(agrees<f32<40, 3>>(of_rows));
  CHECK(plans_agree<i32<9, 1>>(of_rows));
  CHECK(plans_agree<f32<12, 31>>(five));
  CHECK(agrees<f32<300>, f32<300>>(cosine));
}
TEST_CASE("of columns, short and long") {
  CHECK(agrees<f32<5, 33>>(of_columns));
  CHECK(agrees<f32<150, 35>>(of_columns));
  CHECK(plans_agree<f64<70, 3>>(of_columns));
  CHECK(plans_agree<f32<1, 20>>(of_columns));
  CHECK(plans_agree<f32<5, 7, 33>>(of_columns));
  CHECK(agrees<f32<3, 20, 9>>(of_inner_axes));
}
TEST_CASE("dtypes of other sizes, in one walk") {
  CHECK(agrees<f32<300>>(other_dtypes));
  CHECK(plans_agree<i32<7>>(other_dtypes));
}
TEST_CASE("what they compute alike is computed once") { CHECK(plans_agree<f32<10, 21>>(selected)); }
TEST_CASE("what only they read is not stored") {
  CHECK(agrees<f32<30, 40>, f32<30, 40>>(exponentials));
  CHECK(agrees<f32<30, 40>, f32<30, 40>>(columns_of_exponentials));
  CHECK(plans_agree<f32<20, 130>>(read_again));
  CHECK(agrees<f32<1, 9000>>(read_again));
}
TEST_CASE("what depends on each other, or walks otherwise") {
  CHECK(plans_agree<f32<500>>(variance));
  CHECK(plans_agree<f32<500>>(of_parts));
  CHECK(agrees<f32<500>, f32<500>>(flipped));
}
TEST_CASE("carries, rows of a scan, lanes") {
  CHECK(agrees<f32<33, 40>, f32<33>>(carried));
  CHECK(agrees<f32<20, 70>>(scanned));
  CHECK(plans_agree<f32<70, 515>>(by_vmap));
}
TEST_CASE("along both axes of what is mirrored") {
  CHECK(agrees<f32<3, 37>>(forces));
  CHECK(plans_agree<f32<3, 1>>(forces));
  CHECK(agrees<f32<2, 70>>(forces));
  CHECK(agrees<f32<70, 70>>(of_symmetric));
  CHECK(plans_agree<f32<1, 1>>(of_symmetric));
}
TEST_CASE("one element") { CHECK(agrees<f32<300, 1>>(of_one)); }
TEST_CASE("nothing to reduce") {
  auto const [total, largest] = ex::jit([](auto x) { return ex::tuple(ex::sum(x, ex::axis<0>), ex::prod(x, ex::axis<0>)); })(ex::array<float, 0, 5>{});
  for (int i = 0; i < 5; ++i) CHECK((total(i) == 0 && largest(i) == 1));
}
