// SPDX-License-Identifier: BSL-1.0
// How much work the kernels of a plan do, and what bounds their time.
#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;
using ex::detail::time_bound;
template <int... D>
using f32 = ex::expr<float, D...>;
template <int... D>
using f64 = ex::expr<double, D...>;

namespace {

// Of the first kernel, for registers of 32 bytes.
template <class... Args, class F>
constexpr bool does(F, std::int64_t operations, std::int64_t bytes, time_bound bound, ex::target machine = {.register_bytes = 32}) {
  using program = ex::detail::compiled<ex::detail::traced<F, Args...>>;
  ex::plan const p = ex::make_plan(program::ref, machine);
  ex::detail::kernel_work<ex::plan> const work(p);
  ex::kernel const k = p.kernels[p.main.first];
  return work.operations(k) == operations && work.bytes(k) == bytes && work.bound(k, machine) == bound;
}

constexpr auto line = [](auto x) { return x * 3.0f + 1.0f; };
static_assert(does<f32<1000, 1000>>(line, 2'000'000, 8'000'000, time_bound::memory));
static_assert(does<f32<10>>(line, 20, 80, time_bound::latency));
// The same from the nearest cache: eight elements at once, and one after the other.
constexpr auto chain = [](auto x) { return line(line(line(line(x)))); };
static_assert(does<f32<1024>>(chain, 8192, 8192, time_bound::arithmetic));
static_assert(does<f32<64>>(chain, 512, 512, time_bound::latency));
static_assert(does<f32<64>>(chain, 512, 512, time_bound::arithmetic, {}));
static_assert(does<f64<1000>>([](auto x) { return ex::exp(x); }, 16'000, 16'000, time_bound::arithmetic));

// What is read again counts once: a stencil, a row for all rows, one column.
constexpr auto stencil = [](auto x) { return x(ex::slice<0, -2>) + x(ex::slice<1, -1>) + x(ex::slice<2, ex::none>); };
static_assert(does<f32<1002>>(stencil, 2000, 4 * 1002 + 4 * 1000, time_bound::arithmetic));
static_assert(does<f32<100, 50>, f32<50>>([](auto x, auto y) { return x + y; }, 5000, 4 * 10'050, time_bound::memory));
static_assert(does<f32<1000, 20>>([](auto x) { return x(ex::all, 3) + 1; }, 1000, 8000, time_bound::memory));

static_assert(does<f32<100'000>>([](auto x) { return ex::sum(x); }, 100'000, 400'004, time_bound::memory));
static_assert(does<f32<300, 50>>([](auto x) { return ex::sum(x * x, ex::axis<0>); }, 30'000, 60'200, time_bound::memory));
static_assert(does<f32<64, 64>, f32<64, 64>>([](auto x, auto y) { return ex::dot(x, y); }, 2 * 64 * 64 * 64, 3 * 16384, time_bound::arithmetic));
static_assert(does<f32<64, 512>, f32<512>>([](auto x, auto y) { return ex::dot(x, y); }, 2 * 64 * 512, 4 * (32768 + 512 + 64), time_bound::memory));

// In lanes: 20 turns of a product with a sum for each of 4,096 rows. In registers alone, nothing hides latencies.
constexpr auto turns = [](auto x) { return ex::fori_loop(0, 20, [](auto, auto v) { return line(v); }, x); };
static_assert(does<f32<4096>>(ex::vmap(turns), 4096 * 20 * 2, 32'768, time_bound::arithmetic));
static_assert(does<f32<>>(turns, 40, 8, time_bound::latency));

// The printed plan says it; the bound depends on the target.
constexpr auto thrice = [](auto x) { return x * 3.0f; };
static_assert(ex::lower<thrice>()(ex::f32<1000, 1000>).as_text("plan") == R"(plan of thrice: 1 kernel, 0 bytes of scratch
  loop [1000000]: 4 steps; in0 -> out0; 1000000 operations, 8000000 bytes: memory
)");

}  // namespace

TEST_CASE("work of kernels") { CHECK(does<f32<1000, 1000>>(line, 2'000'000, 8'000'000, time_bound::memory)); }
