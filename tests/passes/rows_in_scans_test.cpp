// SPDX-License-Identifier: BSL-1.0
// Rows that a scan in lanes reads and that follow elementwise from others are computed in its body: in lanes, without arrays, with the bits
// of the function on one row, which computes them before the loop.
#include <cstdint>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>
#include <exprax/passes/check.hpp>

namespace ex = exprax;
namespace rnd = exprax::random;

namespace {

constexpr int rows = 203;  // no pack divides them
template <class T, int... D>
using of = ex::expr<T, D...>;

template <class... Args, class F>
constexpr ex::program_ref running(F) {
  return ex::detail::compiled<ex::detail::traced<F, Args...>>::ref;
}
// One kernel, in lanes, without scratch memory.
template <class... Args, class F>
constexpr bool in_lanes(F) {
  constexpr ex::plan_sizes s = ex::planned<ex::detail::compiled<ex::detail::traced<F, Args...>>>::sizes;
  return s.kernels == 1 && s.regions == 1 && s.scratch == 0;
}
// How many equations in the vmap make n elements or more.
template <class... Args, class F>
constexpr int arrays(F f, int n) {
  ex::program_ref const p = running<Args...>(f);
  int found = 0;
  for (ex::eqn const& e : p.body(p.main()))
    for (int id : p.subs(e))
      for (ex::eqn const& x : p.body(p.blocks[id]))
        for (int k = 0; k < x.n_out; ++k) found += p.type(x.out + k).size() >= n;
  return found;
}
// The result of each row is that of the row alone, bit for bit.
template <class F, class... X>
int differences(F f, X const&... xs) {
  auto const all = ex::jit(ex::vmap(f))(xs...);
  int n = 0;
  for (int i = 0; i < rows; ++i) n += !(ex::jit(f)(xs(i)...) == all(i));
  return n;
}

// --- Keys ---

constexpr auto walk_to = [](auto keys) {
  auto const step = [](auto s, auto key) { return ex::tuple(s + 0.1f * rnd::normal(key), ex::none); };
  return ex::get<0>(ex::scan(step, 0.0f, keys));
};
constexpr auto along = [](auto key) { return walk_to(rnd::split<64>(key)); };
constexpr auto along_many = [](auto key) { return walk_to(rnd::split<300>(key)); };
constexpr auto mixed = [](auto key) {
  auto const step = [](auto s, auto key) { return ex::tuple(s ^ rnd::key_data(key), ex::none); };
  return ex::get<0>(ex::scan(step, ex::zeros<std::uint32_t, 2>(), rnd::split<2>(key)));
};
using keys = of<ex::prng_key, rows>;
static_assert(in_lanes<keys>(ex::vmap(along)) && arrays<keys>(ex::vmap(along), 2) == 0);
static_assert(in_lanes<keys>(ex::vmap(along_many)) && arrays<keys>(ex::vmap(along_many), 2) == 0);
// The body has the words of a key, without a key of 64 bits between them. So a register of a pack has as many lanes as words, though the
// first keys, which are read once, take two; and a loop as long as this runs for some packs at once, though they have not enough registers
// for what it does not change.
template <class Rows, class F>
constexpr ex::region_kernel region_on(F f, int register_bytes, int registers) {
  return ex::make_plan(running<Rows>(f), {.register_bytes = register_bytes, .registers = registers}).regions[0];
}
constexpr bool runs_packs(ex::region_kernel const& r, int pack, int packs) { return r.pack == pack && r.lanes == pack * packs; }
static_assert(runs_packs(region_on<keys>(ex::vmap(along), 32, 16), 8, 2));
static_assert(runs_packs(region_on<keys>(ex::vmap(along), 64, 32), 16, 4));
// Few rows fill no pack.
static_assert(!in_lanes<of<ex::prng_key, 8>>(ex::vmap(along)));

// --- Other rows ---

constexpr auto sum_of = [](auto step, auto... xs) { return ex::get<0>(ex::scan(step, 0.0f, ex::tuple(xs...))); };
// A product that the body adds: it is rounded first, as before the loop.
constexpr auto products = [](auto a, auto b) {
  auto const step = [](auto s, auto x) { return ex::tuple(s * 0.9f + ex::get<0>(x), ex::none); };
  return sum_of(step, a * b);
};
// The same product before the loop, fused, and in the body.
constexpr auto products_in_both = [](auto a, auto b) {
  auto const step = [](auto s, auto x) { return ex::tuple(ex::get<0>(x) - s * 0.5f + ex::get<1>(x) * 3.1f, ex::none); };
  return sum_of(step, a * 3.1f + b, a);
};
// The index of an iteration, forwards and backwards, in another dtype, and in pairs.
constexpr auto sine = [](auto s, auto x) { return ex::tuple(ex::sin(s + ex::sum(x)), ex::none); };
constexpr auto pairs = [](auto a, auto t) { return ex::stack(ex::tuple(a * t, a - t), ex::axis<1>); };
constexpr auto up = [](auto a) { return ex::get<0>(ex::scan(sine, 0.0f, pairs(a, ex::arange<40>()))); };
constexpr auto down = [](auto a) { return ex::get<0>(ex::scan(sine, 0.0f, pairs(a, ex::arange<40>()), ex::reverse)); };
// Rows for two loops are computed once, before them.
constexpr auto up_and_down = [](auto a) {
  auto const xs = pairs(a, ex::arange<40>());
  return ex::get<0>(ex::scan(sine, ex::get<0>(ex::scan(sine, 0.0f, xs)), xs * 0.5f, ex::reverse));
};
// A row that the function returns too is computed once, before the loop.
constexpr auto returned = [](auto a) {
  auto const xs = ex::sin(a);
  auto const step = [](auto s, auto x) { return ex::tuple(s * x + 1.0f, ex::none); };
  return ex::get<0>(ex::scan(step, 0.0f, xs)) + xs[3];
};
// In a loop in a loop; the inner one has a stacked result.
constexpr auto nested = [](auto a) {
  auto const outer = [a](auto i, auto s) {
    auto const inner = [](auto s, auto x) { return ex::tuple(ex::cos(s + x), s); };
    auto const r = ex::scan(inner, s, ex::exp(a * 0.01f) + ex::astype<float>(i));
    return ex::get<0>(r) + ex::get<1>(r)[2];
  };
  return ex::fori_loop(0, 3, outer, 0.5f);
};
using floats = of<float, rows, 40>;
static_assert(arrays<floats, floats>(ex::vmap(products), 40) == 0);
static_assert(arrays<floats, floats>(ex::vmap(products_in_both), 40) == 0);
static_assert(arrays<of<float, rows>>(ex::vmap(up), 40) == 0 && arrays<of<float, rows>>(ex::vmap(down), 40) == 0);
static_assert(arrays<of<float, rows>>(ex::vmap(up_and_down), 40) > 0);
static_assert(arrays<floats>(ex::vmap(returned), 40) == 1);
// Its sines take more time than the loop: packs that run at once would not be faster, and each has code of its own.
static_assert(runs_packs(region_on<floats>(ex::vmap(returned), 64, 32), 16, 1));
static_assert(ex::check(running<floats>(ex::vmap(nested))) && ex::check(running<of<float, rows>>(ex::vmap(down))));

ex::array<float, rows, 40> table(float scale) {
  ex::array<float, rows, 40> x;
  for (int i = 0; i < rows * 40; ++i) x.data()[i] = scale * static_cast<float>((i * 7919) % 1013 - 500);
  return x;
}

}  // namespace

TEST_CASE("a scan along the keys of random::split") {
  auto const from = rnd::split<rows>(rnd::key(7));
  CHECK(differences(along, from) == 0);
  CHECK(differences(along_many, from) == 0);
  // jax.random.split(jax.random.key(0)) is [[1797259609, 2579123966], [928981903, 3453687069]].
  ex::array<ex::prng_key, rows> zeros;
  for (int i = 0; i < rows; ++i) zeros(i) = rnd::key(0);
  auto const words = ex::jit(ex::vmap(mixed))(zeros);
  for (int i : {0, 100, rows - 1}) {
    CHECK(words(i, 0) == (1797259609u ^ 928981903u));
    CHECK(words(i, 1) == (2579123966u ^ 3453687069u));
  }
}
TEST_CASE("rows of a scan keep their bits") {
  auto const a = table(0.0137f), b = table(0.31f);
  ex::array<float, rows> c;
  for (int i = 0; i < rows; ++i) c(i) = a(i, 3);
  CHECK(differences(products, a, b) == 0);
  CHECK(differences(products_in_both, a, b) == 0);
  CHECK(differences(up, c) == 0);
  CHECK(differences(down, c) == 0);
  CHECK(differences(up_and_down, c) == 0);
  CHECK(differences(returned, a) == 0);
  CHECK(differences(nested, a) == 0);
}
