// SPDX-License-Identifier: BSL-1.0
// What is produced and consumed row by row: one loop over the rows, and scratch memory for one row. Emitted code, the plan interpreter and
// the reference interpreter give the same bits.
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

constexpr auto softmax = [](auto x) { return ex::nn::softmax(x, ex::axis<-1>); };
constexpr auto log_softmax = [](auto x) { return ex::nn::log_softmax(x, ex::axis<-1>); };
constexpr auto layer_norm = [](auto x) {
  auto const shifted = x - ex::mean(x, ex::axis<-1>, ex::keepdims);
  return shifted * ex::lax::rsqrt(ex::mean(ex::square(shifted), ex::axis<-1>, ex::keepdims) + 1e-5f);
};
// Results that are read again: all elements, and one for each row.
constexpr auto with_parts = [](auto x) {
  auto const m = ex::max(x, ex::axis<-1>, ex::keepdims);
  auto const e = ex::exp(x - m);
  return ex::tuple(e / ex::sum(e, ex::axis<-1>, ex::keepdims), e, m);
};
// Without rounding, so that constant evaluation is cheap.
constexpr auto integers = [](auto x) {
  auto const y = x - ex::max(x, ex::axis<-1>, ex::keepdims);
  return y * ex::sum(y, ex::axis<-1>, ex::keepdims);
};
// Two loops over rows: the second one reads what the first one makes for every row, elements and maxima. Between them is a sum of columns.
constexpr auto two_nests = [](auto x) {
  auto const m = ex::max(x, ex::axis<-1>, ex::keepdims);
  auto const y = ex::exp(x - m);
  auto const z = y / ex::sum(y, ex::axis<-1>, ex::keepdims);
  auto const c = z - ex::sum(z, ex::axis<0>) / 64;
  auto const e = ex::exp(c - m);
  return e / ex::sum(e, ex::axis<-1>, ex::keepdims);
};
constexpr auto repeated = [](auto x) { return ex::fori_loop(0, 3, [](auto, auto v) { return ex::nn::softmax(v, ex::axis<-1>) * 3; }, x); };
// What a row reads of other rows keeps kernels apart.
constexpr auto of_other_rows = [](auto x) {
  auto const e = ex::exp(x - ex::max(x, ex::axis<-1>, ex::keepdims));
  return ex::flip(e, ex::axis<0>) / ex::sum(e, ex::axis<-1>, ex::keepdims);
};

// --- What the planner makes of them

constexpr int nests_of(ex::plan const& p) {
  int n = 0;
  for (ex::scan_kernel const& s : p.scans) n += s.is_nest;
  return n;
}
// On every target: the number of loops over rows, and the scratch memory.
template <class... Args, class F>
constexpr bool has_nests(F f, int nests, std::ptrdiff_t scratch) {
  for (ex::target const& machine : {ex::target{}, ex::target{.register_bytes = 16}, ex::target{.register_bytes = 32},
                                    ex::target{.register_bytes = 64, .registers = 32}}) {
    ex::plan const p = plan_for<Args...>(f, machine);
    if (nests_of(p) != nests || p.scratch != scratch) return false;
  }
  return true;
}
static_assert(has_nests<f32<512, 512>>(softmax, 1, 64));
static_assert(has_nests<f32<512, 512>>(log_softmax, 1, 3 * 64));
static_assert(has_nests<f32<512, 512>>(layer_norm, 1, 3 * 64));
static_assert(has_nests<f32<4, 5, 20, 515>>(softmax, 1, 64));
static_assert(has_nests<f32<100, 515>>(repeated, 1, 33 * 64 + 64));
static_assert(has_nests<f32<64, 515>>(two_nests, 2, 64 * 515 * 4 + 33 * 64 + 2 * 64 * 4 + 64));
static_assert(plan_for<f32<4, 5, 20, 515>>(softmax, {.register_bytes = 32}).scans[0].length == 400);

// Without what bounds each kernel, which depends on the target.
constexpr bool is_plan(std::string_view text, std::string_view expected) {
  for (; !text.empty(); text.remove_prefix(text.find('\n') + 1)) {
    std::string_view line = text.substr(0, text.find('\n'));
    if (std::size_t const at = line.find(" operations, "); at != line.npos) line = line.substr(0, line.rfind(';', at));
    if (!expected.starts_with(line) || expected.substr(line.size(), 1) != "\n") return false;
    expected.remove_prefix(line.size() + 1);
  }
  return expected.empty();
}
static_assert(is_plan(ex::lower<softmax>()(ex::f32<512, 512>).as_text("plan").str(), R"(plan of softmax: 1 kernel, 64 bytes of scratch
  rows, 512 turns; in0 out0 -> in0 out0
    reduction of rows [512]: 2 steps; part5 -> scratch0
    loop [512]: 5 steps; scratch0 part5 -> part6
    reduction of rows [512]: 2 steps; part6 -> scratch0
    loop [512]: 4 steps; scratch0 part6 -> part6
scratch0: f32[1], 4 bytes, kernels 2 to 3
scratch0: f32[1], 4 bytes, kernels 4 to 5
)"));

// What is in a near cache anyway stays as it is, and so do short rows and those that read others. Without SIMD registers a loop over
// rows costs nothing.
constexpr ex::target packs{.register_bytes = 32};
static_assert(nests_of(plan_for<f32<16, 64>>(softmax, packs)) == 0 && nests_of(plan_for<f32<16, 64>>(softmax, {})) == 1);
static_assert(nests_of(plan_for<f32<10000, 16>>(softmax, packs)) == 0);
static_assert(nests_of(plan_for<f32<1000, 100>>(softmax, packs)) == 0 && nests_of(plan_for<f32<1000, 128>>(softmax, packs)) == 1);
static_assert(nests_of(plan_for<f32<9000, 1>>(softmax, packs)) == 0 && nests_of(plan_for<f32<1, 9000>>(softmax, packs)) == 0);
static_assert(plan_for<f32<100, 515>>(of_other_rows, packs).scratch > 100 * 515 * 4);

// Rows that are longer than the cache: the sum stores what it adds.
constexpr bool stores_operand(ex::plan const& p) {
  int stores = 0;
  ex::box const& b = p.boxes[p.reduces[1].box];
  for (int s = b.step; s < b.step + b.n_step; ++s) stores += p.steps[s].kind == ex::step_kind::store;
  return stores == 2;
}
static_assert(stores_operand(plan_for<f32<2, 9000>>(softmax, packs)) && stores_operand(plan_for<f32<1, 9000>>(softmax, packs)));
static_assert(!stores_operand(plan_for<f32<2, 8000>>(softmax, packs)));

// Columns of short rows that are not made alike: one loop over the rows, in which each function is computed once, where there are packs.
constexpr auto columns = [](auto x) { return 2 * ex::stack(ex::tuple(ex::sin(x), x, ex::exp(x)), ex::axis<-1>); };
constexpr bool is_loop_over_rows(ex::plan const& p) {
  return p.kernels.size() == 1 && p.scratch == 0 && p.loops.size() == 1 && p.loops[0].rank == 1 && p.loops[0].n_box == 1;
}
static_assert(is_loop_over_rows(plan_for<f32<100>>(columns, packs)) && is_loop_over_rows(plan_for<f32<10, 10>>(columns, packs)));
static_assert(!is_loop_over_rows(plan_for<f32<100>>(columns, {})));

// Coordinates that all pairs of points read are copied once, in the order of packs, where there are packs, and enough pairs.
constexpr auto pairs = [](auto p) {
  auto const d = p(ex::all, ex::newaxis) - p(ex::newaxis);
  auto const square = ex::sum(d * d, ex::axis<-1>);
  return ex::tuple(ex::sum(1 / (1 + square)), ex::sqrt(square));
};
constexpr auto nearest = [](auto p) {
  auto const d = p(ex::all, ex::newaxis) - p(ex::newaxis);
  return ex::min(ex::sum(d * d, ex::axis<-1>) + ex::eye<float, 50>(), ex::axis<1>);
};
// Beside what rows are divided by, and in a loop.
constexpr auto attention = [](auto p) {
  return ex::fori_loop(0, 3, [](auto, auto v) {
    auto const d = v(ex::all, ex::newaxis) - v(ex::newaxis);
    auto const weights = ex::nn::softmax(-ex::sum(ex::abs(d), ex::axis<-1>), ex::axis<-1>);
    return ex::stack(ex::tuple(ex::dot(weights, v(ex::all, 2)), ex::dot(weights, v(ex::all, 0)), v(ex::all, 1)), ex::axis<1>);
  }, p);
};
template <class... Args, class F>
constexpr bool has_copies(F f, int copies, ex::target const& machine) {
  int n = 0;
  for (ex::buffer const& b : plan_for<Args...>(f, machine).buffers) n += b.where == ex::storage_class::scratch && b.size == 50;
  return n == copies;
}
static_assert(has_copies<f32<50, 3>>(pairs, 3, packs) && has_copies<f32<50, 3>>(pairs, 0, {}));
static_assert(has_copies<f32<50, 3>>(nearest, 3, packs) && has_copies<f32<50, 3>>(nearest, 3, {.register_bytes = 16}));
static_assert(plan_for<f32<15, 3>>(pairs, packs).scratch == 0);

// Elements and windows of an array that a C++ loop appends one by one are one kernel, also under vmap.
constexpr auto convolve = [](auto x, auto w) {
  constexpr int n = decltype(x)::extent(0) - 2;
  std::array<ex::expr<float>, n> of;
  for (int i = 0; i < n; ++i) of[static_cast<std::size_t>(i)] = ex::dot(ex::dynamic_slice<3>(x, i), w);
  return ex::stack(of);
};
constexpr auto every_other = [](auto x) {
  constexpr int n = decltype(x)::extent(0) / 2;
  std::array<ex::expr<float>, n> of;
  for (int i = 0; i < n; ++i) of[static_cast<std::size_t>(i)] = ex::where(x(2 * i) > 0, ex::abs(x(2 * i + 1)) * float(i + 2), x(0));
  return 2 * ex::stack(of);
};
// Not alike: the last one; what each needs of the one before; from the end.
constexpr auto last_apart = [](auto x) {
  std::array<ex::expr<float>, 9> of;
  for (int i = 0; i < 9; ++i) of[static_cast<std::size_t>(i)] = i < 8 ? x(i) + x(i + 1) : x(0) - x(1);
  return ex::stack(of);
};
constexpr auto in_turn = [](auto x) {
  std::array<ex::expr<float>, 9> of{};
  for (int i = 0; i < 9; ++i) of[static_cast<std::size_t>(i)] = i == 0 ? x(0) * 2 : of[static_cast<std::size_t>(i - 1)] * x(i);
  return ex::stack(of);
};
constexpr auto from_the_end = [](auto x) {
  std::array<ex::expr<float>, 9> of{};
  for (int i = 0; i < 9; ++i) of[static_cast<std::size_t>(i)] = x(8 - i) * 3;
  return ex::stack(of);
};
constexpr auto rows_of = [](auto x) {
  std::array<ex::expr<float>, 20> of;
  for (int i = 0; i < 20; ++i) of[static_cast<std::size_t>(i)] = x(i, 2) - x(3, 1);
  return ex::stack(of);
};
constexpr bool is_one_loop(ex::plan const& p, int scalars = 0) {
  return p.kernels.size() == 1 + scalars && p.loops.size() == 1 + scalars && p.loops[scalars].n_box == 1;
}
static_assert(is_one_loop(plan_for<f32<64>, f32<3>>(convolve, packs)));
static_assert(is_one_loop(plan_for<f32<100, 64>, f32<100, 3>>(ex::vmap(convolve), packs)));
static_assert(is_one_loop(plan_for<f32<40>>(every_other, packs), 1) && is_one_loop(plan_for<f32<20, 4>>(rows_of, packs), 1));
static_assert(!is_one_loop(plan_for<f32<9>>(in_turn, packs)));

// Each row of the argument is read before the same row of the result is written; another result is not in its place.
template <class F, class... Args>
using plan_of = ex::planned<ex::detail::compiled<ex::detail::traced<F, Args...>>>;
static_assert(ex::detail::may_share<plan_of<decltype(softmax), f32<512, 512>>>(0, 0));
static_assert(ex::detail::may_share<plan_of<decltype(layer_norm), f32<512, 512>>>(0, 0));

// --- The bits

template <int R, int C>
constexpr ex::array<int, R, C> start() {
  ex::array<int, R, C> x;
  for (int i = 0; i < R * C; ++i) x.data()[i] = i * 7 % 31 - 11;
  return x;
}
template <int R, int C>
constexpr ex::array<int, R, C> integers_by_hand(ex::array<int, R, C> x) {
  for (int* row = x.data(); row != x.data() + R * C; row += C) {
    int largest = row[0], sum = 0;
    for (int j = 1; j < C; ++j) largest = row[j] > largest ? row[j] : largest;
    for (int j = 0; j < C; ++j) sum += row[j] - largest;
    for (int j = 0; j < C; ++j) row[j] = (row[j] - largest) * sum;
  }
  return x;
}
template <class Array>
constexpr bool same(Array const& a, Array const& b) {
  for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(a.size()); ++i)
    if (a.data()[i] != b.data()[i]) return false;
  return true;
}
static_assert(nests_of(plan_for<i32<12, 515>>(integers, packs)) == 1);
static_assert(same(ex::jit(integers)(start<12, 515>()), integers_by_hand(start<12, 515>())));

}  // namespace

TEST_CASE("rows of any length") {
  CHECK(agrees<f32<100, 515>>(softmax));
  CHECK(agrees<f32<700, 17>>(softmax));
  CHECK(agrees<f64<60, 77>>(softmax));
  CHECK(agrees<f32<100, 515>>(log_softmax));
  CHECK(agrees<f32<90, 95>>(layer_norm));
  CHECK(agrees<f32<2, 9000>>(softmax));
  CHECK(agrees<i32<12, 515>>(integers));
  CHECK(same(ex::jit(integers)(start<12, 515>()), integers_by_hand(start<12, 515>())));
}
TEST_CASE("rows of one element, and one row") {
  CHECK(agrees<f32<9000, 1>>(softmax));
  CHECK(agrees<f32<1, 9000>>(softmax));
  CHECK(agrees<f32<1, 9000>>(layer_norm));
}
TEST_CASE("several leading axes") {
  CHECK(agrees<f32<4, 5, 7, 515>>(softmax));
  CHECK(agrees<f32<3, 30, 515>>(layer_norm));
}
TEST_CASE("results that are read again") { CHECK(agrees<f32<100, 515>>(with_parts)); }
TEST_CASE("what two loops over rows use is kept whole") {
  CHECK(agrees<f32<64, 515>>(two_nests));
  CHECK(plans_agree<f32<6, 5>>(two_nests));
}
TEST_CASE("rows in a loop, and rows that read others") {
  CHECK(agrees<f32<100, 515>>(repeated));
  CHECK(agrees<f32<100, 515>>(of_other_rows));
}
TEST_CASE("small rows, planned for small caches") {
  CHECK(plans_agree<f32<3, 1>>(softmax));
  CHECK(plans_agree<f32<2, 5, 3>>(softmax));
  CHECK(plans_agree<f32<4, 16>>(layer_norm));
  CHECK(plans_agree<f32<7, 19>>(with_parts));
}
TEST_CASE("a small product overwrites an operand, of which it reads all first") {
  CHECK(plans_agree<f32<3, 3>, f32<3, 3>>([](auto a, auto b) { return ex::dot(a, b); }));
  CHECK(plans_agree<f64<2, 2>, f64<2, 2>>([](auto a, auto b) { return ex::dot(a, b); }));
}
TEST_CASE("elements that are appended one by one") {
  CHECK(agrees<f32<40>, f32<3>>(convolve));
  CHECK(agrees<f32<10>, f32<3>>(convolve));
  CHECK(agrees<f32<37, 20>, f32<37, 3>>(ex::vmap(convolve)));
  CHECK(agrees<f32<40>>(every_other));
  CHECK(agrees<f32<33, 20>>(ex::vmap(every_other)));
  CHECK(agrees<f32<20, 4>>(rows_of));
  CHECK(agrees<f32<9>>(last_apart));
  CHECK(agrees<f32<9>>(in_turn));
  CHECK(agrees<f32<9>>(from_the_end));
  // By hand; the numbers are exact.
  ex::array<float, 3, 40> x;
  for (int i = 0; i < 120; ++i) x.data()[i] = static_cast<float>(i * 7 % 11 - 5);
  ex::array<float, 3> const w{1, 2, 4};
  auto const sums = ex::jit(ex::vmap(convolve, ex::in_axes<0, ex::none>))(x, w);
  auto const chosen = ex::jit(ex::vmap(every_other))(x);
  auto const column = ex::jit(rows_of)(ex::array<float, 20, 4>::full(2).at(ex::all, 2).set(ex::arange<20>()));
  bool same = true;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 38; ++j) same = same && sums(i, j) == x(i, j) + 2 * x(i, j + 1) + 4 * x(i, j + 2);
    for (int j = 0; j < 20; ++j)
      same = same && chosen(i, j) == 2 * (x(i, 2 * j) > 0 ? std::abs(x(i, 2 * j + 1)) * static_cast<float>(j + 2) : x(i, 0));
  }
  for (int j = 0; j < 20; ++j) same = same && column(j) == static_cast<float>(j - 2);
  CHECK(same);
}
TEST_CASE("columns of short rows") {
  CHECK(agrees<f32<4, 67>>(columns));
  CHECK(agrees<f64<100>>(columns));
}
TEST_CASE("a donated argument is overwritten row by row") {
  auto x = start<12, 515>();
  int const* const memory = x.data();
  auto const y = ex::jit(integers, ex::donate_argnums<0>)(std::move(x));
  CHECK(y.data() == memory);
  CHECK(same(y, integers_by_hand(start<12, 515>())));
}
TEST_CASE("operands that are copied in the order of packs") {
  CHECK(agrees<f32<50, 3>>(pairs));
  CHECK(agrees<f64<37, 3>>(pairs));
  CHECK(agrees<f32<50, 3>>(nearest));
  CHECK(agrees<f32<200, 3>>(attention));
}
