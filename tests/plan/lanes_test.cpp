// SPDX-License-Identifier: BSL-1.0
// Which vmapped functions run in lanes, along which axes, and with how much memory.
#include <array>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;
template <int... D>
using f32 = ex::expr<float, D...>;

namespace {

template <class... Args, class F>
constexpr auto const& plan_of(F) {
  return ex::planned<ex::detail::compiled<ex::detail::traced<F, Args...>>>::storage;
}
template <class... Args, class F>
constexpr ex::plan_sizes sizes_of(F) {
  return ex::planned<ex::detail::compiled<ex::detail::traced<F, Args...>>>::sizes;
}
// One kernel, in lanes, along so many axes.
template <class... Args, class F>
constexpr bool in_lanes(F f, int axes = 1) {
  return sizes_of<Args...>(f).kernels == 1 && sizes_of<Args...>(f).regions == 1 && plan_of<Args...>(f).regions[0].row_axes == axes;
}
template <class... Args, class F>
constexpr bool on_arrays(F f) {
  return sizes_of<Args...>(f).regions == 0;
}

constexpr auto escape = [](auto x, auto y) {
  return ex::get<2>(ex::while_loop(
      [](auto s) { return (ex::get<0>(s) * ex::get<0>(s) + ex::get<1>(s) * ex::get<1>(s) < 4.0f) & (ex::get<2>(s) < 50); },
      [x, y](auto s) {
        auto const u = ex::get<0>(s), v = ex::get<1>(s);
        return ex::tuple(u * u - v * v + x, 2.0f * u * v + y, ex::get<2>(s) + 1);
      },
      ex::tuple(x, y, 0)));
};
static_assert(in_lanes<f32<100>, f32<100>>(ex::vmap(escape)));
static_assert(sizes_of<f32<100>, f32<100>>(ex::vmap(escape)).scratch == 0);
// Two axes that memory runs through as through one are one.
static_assert(in_lanes<f32<20, 30>, f32<20, 30>>(ex::vmap(ex::vmap(escape))));
static_assert(plan_of<f32<20, 30>, f32<20, 30>>(ex::vmap(ex::vmap(escape))).regions[0].rows[0] == 600);
// A grid: x changes along the lanes, y is one number for all of them.
constexpr auto grid = ex::vmap(ex::vmap(escape, ex::in_axes<0, ex::none>), ex::in_axes<ex::none, 0>);
static_assert(in_lanes<f32<30>, f32<20>>(grid, 2));
static_assert(plan_of<f32<30>, f32<20>>(grid).regions[0].rows[0] == 20 && plan_of<f32<30>, f32<20>>(grid).regions[0].rows[1] == 30);
// The counter is the same in all lanes: of ints there is only what each lane left the loop with.
static_assert(plan_of<f32<100>, f32<100>>(ex::vmap(escape)).regions[0].wide[static_cast<int>(ex::dtype::i32)] == 1);

// A branch that no lane takes is jumped over, but a cheap one costs less than the jump: it is computed, and where chooses.
constexpr auto log_or_negative = [](auto x) {
  return ex::cond(x > 0, [](auto v) { return ex::log1p(v); }, [](auto v) { return -v; }, x);
};
constexpr auto gamma_or_power = [](auto x) {
  return ex::cond(x > 0, [](auto v) { return ex::exp(ex::lax::lgamma(v)); }, [](auto v) { return ex::pow(-v, v); }, x);
};
static_assert(on_arrays<f32<1000>>(ex::vmap(log_or_negative)) && in_lanes<f32<1000>>(ex::vmap(gamma_or_power)));
static_assert(sizes_of<f32<1000>>(ex::vmap(log_or_negative)).steps ==
              sizes_of<f32<1000>>([](auto x) { return ex::where(x > 0, ex::log1p(x), -x); }).steps);

// The memory of a vmapped scan does not grow with the batch.
constexpr auto orbit = [](auto x, auto noise) {
  return ex::scan([](auto c, auto n) { auto next = c + n * ex::sin(c); return ex::tuple(next, next * next); }, x, noise);
};
template <int B>
inline constexpr std::ptrdiff_t orbit_scratch = sizes_of<f32<B>, f32<B, 200>>(ex::vmap(orbit)).scratch;
static_assert(in_lanes<f32<64>, f32<64, 200>>(ex::vmap(orbit)));
static_assert(orbit_scratch<64> == 0 && orbit_scratch<4096> == 0);
template <int B>
inline constexpr std::ptrdiff_t short_scratch = sizes_of<f32<B>, f32<B, 40>>(ex::vmap(orbit)).scratch;
static_assert(short_scratch<64> == short_scratch<4096>);

// Small matrices and short sums; with a batch that fills packs. A product alone has packs of its own, if the matrices lie one after the other.
constexpr auto product = [](auto a, auto b) { return ex::matmul(a, b); };
constexpr auto product_and_sum = [](auto a, auto b) { return ex::matmul(a, b) + a; };
static_assert(in_lanes<f32<1024, 6, 6>, f32<1024, 6, 6>>(ex::vmap(product_and_sum)));
static_assert(in_lanes<f32<1024, 6, 6>, f32<1024, 6, 6>>(ex::vmap(product)) == (ex::this_target.register_bytes == 0));
static_assert(in_lanes<f32<1024, 3, 2>, f32<1024, 2, 2>>(ex::vmap(product)));
static_assert(in_lanes<f32<6, 6, 1024>, f32<6, 6, 1024>>(ex::vmap(product, ex::in_axes<-1, -1>, ex::out_axes<-1>)));
static_assert(on_arrays<f32<3, 6, 6>, f32<3, 6, 6>>(ex::vmap(product)));
// A load whose values several steps read is carried out once; each column of the result is stored when it is made.
template <class... Args, class F>
constexpr int count_steps(F f, ex::region_step_kind kind, bool reused) {
  auto const& plan = plan_of<Args...>(f);
  ex::region_block const b = plan.region_blocks[plan.regions[0].block];
  int n = 0;
  for (int i = b.step; i < b.step + b.n_step; ++i) n += plan.region_steps[i].kind == kind && plan.region_steps[i].reused == reused;
  return n;
}
constexpr auto product_last = ex::vmap(product, ex::in_axes<-1, -1>, ex::out_axes<-1>);
static_assert(count_steps<f32<6, 6, 40>, f32<6, 6, 40>>(product_last, ex::region_step_kind::load, false) == 0);
static_assert(count_steps<f32<6, 6, 40>, f32<6, 6, 40>>(product_last, ex::region_step_kind::store, false) == 2 * 6);
constexpr auto scaled_rows = ex::vmap([](auto a, auto s) { return ex::sum(a * s); }, ex::in_axes<-1, 0>);
static_assert(count_steps<f32<3, 40>, f32<40>>(scaled_rows, ex::region_step_kind::load, true) == 1);
static_assert(count_steps<f32<3, 40>, f32<40>>(scaled_rows, ex::region_step_kind::load, false) == 1);
static_assert(on_arrays<f32<32, 64, 64>, f32<32, 64, 64>>(ex::vmap(product)));
// Rows of which single elements are read after they were computed, as an elimination does: few matrices fill no pack, but no array either.
constexpr auto inverse = [](auto a) { return ex::linalg::inv(a); };
static_assert(sizes_of<f32<100, 3, 3>>(inverse).regions == 1 && sizes_of<f32<100, 3, 3>>(inverse).loops <= 1);  // the identity
static_assert(sizes_of<f32<4, 3, 3>>(inverse).regions == 1 && sizes_of<f32<4, 4, 4>>(inverse).regions == 1);
static_assert(on_arrays<f32<3, 3, 3>>(inverse));
// Elements that are only moved are read where they are.
constexpr auto turned = [](auto x, auto t) {
  return ex::stack(ex::tuple(t(0) * x(0) - t(1) * x(1), t(1) * x(0) + t(0) * x(1)));
};
static_assert(on_arrays<f32<1000, 2>, f32<1000, 2>>(ex::vmap(turned)));
constexpr auto norm = [](auto v) { return ex::sqrt(ex::sum(v * v)); };
static_assert(in_lanes<f32<1000, 3>>(ex::vmap(norm)));
static_assert(on_arrays<f32<1000, 300>>(ex::vmap(norm)));
// Elements alone need no lanes of their own.
constexpr auto smooth = [](auto x) { return ex::exp(x) * 2.0f + 1.0f; };
static_assert(on_arrays<f32<1000>>(ex::vmap(smooth)) && sizes_of<f32<1000>>(ex::vmap(smooth)).kernels == 1);
// A carry that is too large for registers.
constexpr auto large = [](auto x) { return ex::fori_loop(0, 10, [](auto, auto v) { return v * v(0) + 1.0f; }, x); };
static_assert(!in_lanes<f32<64, 3000>>(ex::vmap(large)));

// How many packs run at once: the bytes of all values of a turn that are live fill two and a half times the registers at most, of four
// packs twice; in a short turn, which one pack runs after the other, those of one pack and what the others carry. Beside doubles, whose packs have half of the lanes, floats take half of a register.
template <class T, int Roots>
constexpr auto product_of_roots = ex::vmap([](auto x) {
  return ex::fori_loop(0, 10, [](auto, auto v) {
    std::array<ex::expr<float>, Roots> root;
    for (int i = 0; i < Roots; ++i) root[static_cast<std::size_t>(i)] = ex::sqrt(ex::lax::convert_element_type<float>(v) + float(i));
    auto r = root[0];
    for (int i = 1; i < 2 * Roots; ++i) r = r * root[static_cast<std::size_t>(i < Roots ? i : 2 * Roots - 1 - i)];
    return ex::lax::convert_element_type<T>(r);
  }, x);
});
template <class Arg, class F>
constexpr ex::region_kernel first_region(F, int register_bytes, int registers) {
  using program = ex::detail::compiled<ex::detail::traced<F, Arg>>;
  return ex::make_plan(program::ref, {.register_bytes = register_bytes, .registers = registers}).regions[0];
}
template <class T, int Roots>
constexpr int packs_at_once(int register_bytes, int registers) {
  ex::region_kernel const r = first_region<ex::expr<T, 1000>>(product_of_roots<T, Roots>, register_bytes, registers);
  return r.lanes / r.pack;
}
static_assert(packs_at_once<float, 9>(32, 16) == 4 && packs_at_once<float, 10>(32, 16) == 2);
static_assert(packs_at_once<float, 19>(32, 16) == 2 && packs_at_once<float, 20>(32, 16) == 1);
static_assert(packs_at_once<float, 15>(64, 32) == 4 && packs_at_once<float, 16>(64, 32) == 2);
static_assert(packs_at_once<double, 15>(32, 16) == 4 && packs_at_once<double, 16>(32, 16) == 2);

// Eight packs of a few operations in a scan, or sixteen, if the registers hold all; not in a while loop, in which some lanes wait for
// others. Rows that they do not fill are walked in as many passes, by the fewest packs with which that can be done.
template <int N>
constexpr auto running = [](auto x) {
  auto const step = [](auto sum, auto row) { return ex::tuple(sum + row, sum + row); };
  return ex::get<1>(ex::scan(step, ex::zeros<float, N>(), x));
};
constexpr auto halvings = ex::vmap([](auto x) {
  return ex::while_loop([](auto v) { return v > 1.0f; }, [](auto v) { return v * 0.5f; }, x);
});
template <int N>
constexpr int lanes_of_sums(int register_bytes, int registers) {
  return first_region<ex::expr<float, 50, N>>(running<N>, register_bytes, registers).lanes;
}
template <int N>
constexpr int lanes_of_halvings(int register_bytes, int registers) {
  return first_region<ex::expr<float, N>>(halvings, register_bytes, registers).lanes;
}
static_assert(lanes_of_sums<256>(32, 16) == 64 && lanes_of_sums<256>(64, 32) == 256);
static_assert(lanes_of_sums<50>(32, 16) == 56 && lanes_of_sums<100>(32, 16) == 56 && lanes_of_sums<100>(64, 32) == 112);
static_assert(lanes_of_sums<300>(64, 32) == 160);
static_assert(lanes_of_halvings<256>(32, 16) == 32 && lanes_of_halvings<20>(32, 16) == 24 && lanes_of_halvings<20>(64, 32) == 32);
static_assert(lanes_of_halvings<8>(32, 16) == 8 && lanes_of_halvings<5>(32, 16) == 4);
// Lanes with memory of their own: it is reserved for 64.
constexpr auto backwards = ex::vmap([](auto x) {
  return ex::get<1>(ex::scan([](auto c, auto v) { return ex::tuple(c + v, c * v); }, 1.0f, x, ex::reverse));
});
constexpr ex::region_kernel with_memory = first_region<ex::expr<float, 300, 19>>(backwards, 64, 32);
static_assert(with_memory.bytes_of_lane > 0 && with_memory.lanes == 64);

// The printed plan says so. How many lanes run at once depends on the target.
constexpr bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }
static_assert(starts_with(ex::lower<grid>()(ex::f32<30>, ex::f32<20>).as_text("plan").str(),
                          "plan of grid: 1 kernel, 0 bytes of scratch\n  lanes, rows [20,30], "));
constexpr auto row_sums = [](auto a, auto b) { return ex::sum(ex::matmul(a, b), ex::axis<0>); };
static_assert(starts_with(ex::lower<row_sums>()(ex::f32<100, 60>, ex::f32<60, 6>).as_text("plan").str(),
                          R"(plan of row_sums: 2 kernels, 2432 bytes of scratch
  product rows [100] columns [6] sum [60]; in0 in1 -> scratch0; 72000 operations, 27840 bytes: arithmetic
  reduction of columns [100,6]: 2 steps; scratch0 -> out0; 600 operations, 2424 bytes: )"));
static_assert(ex::lower<row_sums>()(ex::f32<100, 60>, ex::f32<60, 6>).as_text("plan").str().ends_with(R"(
scratch0: f32[600], 2400 bytes, kernels 1 to 2
)"));
constexpr auto turns = [](auto x) { return ex::fori_loop(0, 3, [](auto, auto v) { return ex::matmul(v, v); }, x); };
static_assert(starts_with(ex::lower<turns>()(ex::f32<40, 40>).as_text("plan").str(), "plan of turns: 1 kernel, 6400 bytes of scratch\n  scan, 3 turns; "));

}  // namespace

TEST_CASE("plans of vmapped functions") { CHECK(in_lanes<f32<100>, f32<100>>(ex::vmap(escape))); }
