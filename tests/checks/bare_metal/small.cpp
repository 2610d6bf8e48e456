// SPDX-License-Identifier: BSL-1.0
// What fits into 16 KiB of memory: a layer under vmap, integers, elementary functions and random numbers, against constant evaluation, which
// computes in software: bit for bit.
#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr auto layer = [](auto x, auto w) { return ex::tanh(ex::dot(x, w) + 0.5f); };
constexpr auto elementary = [](auto x) { return ex::stack(ex::tuple(ex::exp(x), ex::sin(x), ex::log(ex::abs(x)), ex::sqrt(ex::abs(x)), ex::floor(x), 1.0f / x)); };
constexpr auto whole = [](auto x) { return x * 3 + ex::floor_divide(x, 2) - x % 5; };
constexpr auto loop = [](auto n, auto x) { return ex::fori_loop(0, n, [](auto i, auto y) { return y * 0.5f + i; }, x); };

constexpr ex::array<float, 2, 4> xs{{1, 2, 3, 4}, {0, 0, 0, 0}};
constexpr ex::array<float, 4, 3> w{{.1f, 0, 0}, {0, .1f, 0}, {0, 0, .1f}, {0, 0, 0}};
constexpr ex::array<float, 5> x{0.3f, -1.7f, 2.5f, 40.0f, -0.01f};
constexpr ex::array<int, 4> n{7, -8, 1000000, -3};

// Not known to the compiler.
template <class T>
T unknown(T a) {
  asm volatile("" : : "r"(&a) : "memory");
  return a;
}

}  // namespace

TEST_CASE("what is computed here has the bits of constant evaluation") {
  constexpr auto batched = ex::jit(ex::vmap(layer, ex::in_axes<0, ex::none>));
  constexpr auto layers = batched(xs, w);
  CHECK(batched(unknown(xs), unknown(w)) == layers);
  constexpr auto values = ex::jit(elementary)(x);
  CHECK(ex::jit(elementary)(unknown(x)) == values);
  constexpr auto numbers = ex::jit(whole)(n);
  CHECK(ex::jit(whole)(unknown(n)) == numbers);
  CHECK(ex::jit(whole)(unknown(n)) == ex::array<int, 4>{22, -30, 3500000, -13});
  constexpr auto looped = ex::jit(loop)(10, x);
  CHECK(ex::jit(loop)(unknown(10), unknown(x)) == looped);
  constexpr auto random = ex::random::uniform<5>(ex::random::key(42));
  CHECK(ex::jit([](auto key) { return ex::random::uniform<5>(key); })(unknown(ex::random::key(42))) == random);
}
