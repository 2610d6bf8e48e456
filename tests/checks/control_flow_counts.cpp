// SPDX-License-Identifier: BSL-1.0
// What loops and branches execute, in instructions: a turn of fori_loop is a turn of the loop by hand, a carry that is updated by
// one row is not copied, and cond runs one branch; loops over the elements of an array on the host are those over a C array. A count for
// each turn is the difference between two numbers of turns. Whole arrays: a maximum with a number is one instruction, a cosine beside a
// sine costs little, and pairs of rows cost the same by vmap and by broadcasting, and less by dot.
#include <cstdio>

#include <exprax/exprax.hpp>

#include "count_instructions.hpp"

namespace ex = exprax;

namespace {

int failed = 0;

void expect_at_most(double limit, double found, char const* what) {
  std::printf("%s: %s: %g, at most %g\n", found <= limit ? "ok" : "FAILED", what, found, limit);
  failed += !(found <= limit);
}

// Ten instructions are counted as ten. False where the machine is an emulator without the trap flag.
bool counting() {
  long const none = checks::count_instructions([] {}), ten = checks::count_instructions([] { asm volatile("nop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop"); });
  if (ten == 0) return false;
  expect_at_most(10, static_cast<double>(ten - none), "ten instructions");
  expect_at_most(static_cast<double>(ten - none), 10, "ten instructions");
  return true;
}

// f(n) executes n turns.
template <class F>
double for_each_turn(F f) {
  f(8);  // what happens once, happens here
  return static_cast<double>(checks::count_instructions([&] { f(800); }) - checks::count_instructions([&] { f(400); })) / 400;
}

// --- One number ---

constexpr auto logistic_map = [](auto n, auto x) { return ex::fori_loop(0, n, [](auto, auto v) { return 3.5f * v * (1.0f - v); }, x); };
constexpr auto until = [](auto n, auto x) {
  auto const step = [](auto s) { return ex::tuple(ex::get<0>(s) + 1, 3.5f * ex::get<1>(s) * (1.0f - ex::get<1>(s))); };
  return ex::get<1>(ex::while_loop([n](auto s) { return ex::get<0>(s) < n; }, step, ex::tuple(0, x)));
};
template <auto const& F>
[[gnu::noinline]] float ours(int n, float x) {
  return *ex::jit<F>()(n, ex::array<float>(x)).data();
}
[[gnu::noinline]] float by_hand(int n, float x) {
  for (int i = 0; i < n; ++i) x = 3.5f * x * (1.0f - x);
  return x;
}

void scalar_loops() {
  float out = 0, x = 0.3f;
  auto const count = [&](auto f) { return for_each_turn([&](int n) { out = f(n, x); }); };
  double const hand = count(by_hand), fori = count(ours<logistic_map>), loop = count(ours<until>);
  expect_at_most(hand, fori, "fori_loop of one number, instructions for each turn");
  expect_at_most(hand, loop, "while_loop of one number, instructions for each turn");
}

// --- A carry of Rows x Columns, of which each turn updates one row ---

constexpr auto add_rows = [](auto a, auto rows) {
  auto const step = [](auto s, auto row) {
    auto const i = ex::get<0>(s);
    auto const a = ex::get<1>(s);
    return ex::tuple(ex::tuple(i + 1, a.at(i).set(a(i) * 0.5f + row)), ex::none);
  };
  return ex::get<1>(ex::get<0>(ex::scan(step, ex::tuple(0, a), rows)));
};
template <int Rows, int Columns, int Turns>
[[gnu::noinline]] void scan_rows(float* out, float const* a, float const* rows) {
  ex::view<float, Rows, Columns> result(out);
  ex::jit(add_rows).into(result, ex::view<float const, Rows, Columns>(a), ex::view<float const, Turns, Columns>(rows));
}
template <int Rows, int Columns>
double for_each_row() {
  static float out[Rows * Columns], a[Rows * Columns], rows[64 * Columns];
  auto const count = [&](auto f) { return f(out, a, rows), checks::count_instructions([&] { f(out, a, rows); }); };
  return static_cast<double>(count(scan_rows<Rows, Columns, 64>) - count(scan_rows<Rows, Columns, 32>)) / 32;
}
void updated_carries() {
  double const small = for_each_row<64, 64>(), tall = for_each_row<128, 64>(), large = for_each_row<128, 128>();
  expect_at_most(64, small, "scan that updates a row of a 64 x 64 carry, instructions for each turn");  // a copy: 1,000 at least
  expect_at_most(small + 2, tall, "the same for 128 x 64");
  expect_at_most(2 * small + 4, large, "the same for 128 x 128");
}

// --- Branches ---

constexpr auto little = [](auto x) { return x + 1.0f; };
constexpr auto much = [](auto x) { return ex::fori_loop(0, 100, [](auto, auto v) { return ex::sin(v) * 0.5f; }, x); };
constexpr auto one_of_two = [](auto p, auto x) { return ex::cond(p, much, little, x); };
constexpr auto one_of_three = [](auto k, auto x) { return ex::switch_(k, ex::tuple(little, much, much), x); };

template <auto const& F, class... P>
[[gnu::noinline]] void run_64(float* out, float const* x, P... p) {
  ex::view<float, 64> result(out);
  ex::jit<F>().into(result, p..., ex::view<float const, 64>(x));
}
void branches() {
  static float out[64], x[64];
  auto const count = [](auto f) { return f(), static_cast<double>(checks::count_instructions(f)); };
  double const cheap = count([] { run_64<little>(out, x); }), dear = count([] { run_64<much>(out, x); });
  constexpr double choice = 100;  // the test, the jump, a call, and the registers that it saves
  double const dear_branch = 1.1 * dear + choice;  // compilers allocate the registers of each copy of the loop anew: up to 6 % apart
  expect_at_most(cheap + choice, count([] { run_64<one_of_two>(out, x, false); }), "cond, the cheap branch");
  expect_at_most(dear_branch, count([] { run_64<one_of_two>(out, x, true); }), "cond, the dear branch");
  expect_at_most(cheap + choice, count([] { run_64<one_of_three>(out, x, 0); }), "switch_, the cheap branch");
  expect_at_most(dear_branch, count([] { run_64<one_of_three>(out, x, 2); }), "switch_, a dear branch");
  expect_at_most(dear / 100, cheap, "the cheap branch by itself");
}

// --- Elements of arrays on the host ---

using large = ex::array<float, 64, 64>;
using c_array = float[64][64];
template <class Out, class In>
[[gnu::noinline]] void stencil(Out& out, In const& a, auto at) {
  for (int i = 1; i < 63; ++i)
    for (int j = 1; j < 63; ++j) at(out, i, j) = 0.25f * (at(a, i - 1, j) + at(a, i + 1, j) + at(a, i, j - 1) + at(a, i, j + 1));
}
template <class Out>
[[gnu::noinline]] void fill(Out& out, auto at) {
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 64; ++j) at(out, i, j) = static_cast<float>(i + j);
}
void host_elements() {
  static c_array a, b;
  static large x, y;
  auto const element = [](auto& m, int i, int j) -> auto& { return m(i, j); };
  auto const c_element = [](auto& m, int i, int j) -> auto& { return m[i][j]; };
  auto const count = [](auto f) {
    asm volatile("" : : "r"(a), "r"(b) : "memory");
    f();
    double const n = static_cast<double>(checks::count_instructions(f));
    asm volatile("" : : "r"(a), "r"(b) : "memory");
    return n;
  };
  double const few = 100;  // the address of the elements, the call
  expect_at_most(1.05 * count([&] { fill(a, c_element); }) + few, count([&] { fill(x, element); }), "elements written, a heap array");
  // g++ -O2 vectorizes neither: there the comparisons of indices are left.
  expect_at_most(1.8 * count([&] { stencil(b, a, c_element); }) + few, count([&] { stencil(y, x, element); }), "a stencil, heap arrays");
}

// --- Whole arrays ---

constexpr auto clipped = [](auto x) {
  for (int i = 0; i < 10; ++i) x = ex::maximum(x * 0.9f + 0.1f, -0.5f);
  return x;
};
constexpr auto sine = [](auto x) { return ex::sin(x); };
constexpr auto sine_and_cosine = [](auto x) { return ex::sin(x) + ex::cos(x); };
template <auto const& F, int N>
[[gnu::noinline]] void map(float* out, float const* in) {
  ex::jit<F>().into(ex::view<float, N>(out), ex::view<float const, N>(in));
}
constexpr auto by_broadcasting = [](auto p) {
  auto const d = p(ex::all, ex::newaxis) - p(ex::newaxis);
  return ex::sum(1 / (1 + ex::sum(d * d, ex::axis<-1>)), ex::axis<1>);
};
// one(a, b) of each pair.
constexpr auto of_pairs = [](auto p, auto one) {
  auto const of_one = [=](auto a, auto all) { return ex::sum(ex::vmap(one, ex::in_axes<ex::none, 0>)(a, all)); };
  return ex::vmap(of_one, ex::in_axes<0, ex::none>)(p, p);
};
constexpr auto by_vmap = [](auto p) { return of_pairs(p, [](auto a, auto b) { return 1 / (1 + ex::sum((a - b) * (a - b))); }); };
constexpr auto by_dot = [](auto p) { return of_pairs(p, [](auto a, auto b) { return 1 / (1 + ex::dot(a - b, a - b)); }); };
constexpr int points = 128;
template <auto const& F>
[[gnu::noinline]] void pairs(float* out, float const* in) {
  ex::jit<F>().into(ex::view<float, points>(out), ex::view<float const, points, 3>(in));
}

void whole_arrays() {
  static float in[1600], out[1600];
  for (int i = 0; i < 1600; ++i) in[i] = static_cast<float>(i % 37);
  auto const count = [&](auto f) { return f(out, in), static_cast<double>(checks::count_instructions([&] { f(out, in); })); };
  auto const for_each_pack = [&](auto f, auto half) { return (count(f) - count(half)) / 100; };
  expect_at_most(26, for_each_pack(map<clipped, 1600>, map<clipped, 800>),
                 "ten maxima of a sum and a number, instructions for each pack of 8");
  expect_at_most(1.4 * for_each_pack(map<sine, 1600>, map<sine, 800>),
                 for_each_pack(map<sine_and_cosine, 1600>, map<sine_and_cosine, 800>), "sine and cosine, instructions for each pack of 8");
  double const broadcast = count(pairs<by_broadcasting>), mapped = count(pairs<by_vmap>);
  expect_at_most(1.1 * broadcast, mapped, "pairs of points by vmap, instructions");
  expect_at_most(1.1 * mapped, broadcast, "pairs of points by broadcasting, instructions");
  expect_at_most(broadcast, count(pairs<by_dot>), "the same by dot, whose products are fused, instructions");
}

}  // namespace

int main() {
  if (!counting()) return std::puts("no trap flag: nothing can be counted here"), 77;
  scalar_loops();
  updated_carries();
  branches();
  host_elements();
  whole_arrays();
  return failed != 0;
}
