// SPDX-License-Identifier: BSL-1.0
// What depends on no argument: arrays outside of a trace, traced values inside.
#include <sstream>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

template <class A>
std::string text(A const& a) {
  std::ostringstream out;
  out << a;
  return out.str();
}

constexpr auto sum = [](auto a, auto b) { return a + b; };
constexpr auto sums = [](auto a) { return ex::tuple(ex::sum(a), std::array{a, a * 2}); };

// In constant evaluation.
static_assert(ex::arange<5>()(2) == 2);
static_assert(ex::array_equal(ex::arange<3>() * 2 + 1, ex::array<std::int32_t, 3>{1, 3, 5}));
static_assert(ex::jit(sum)(ex::array<float, 2>{1, 2}, ex::ones<float, 2>())(1) == 3);
static_assert(ex::array_str(ex::eye<2>()) == "[[1. 0.]\n [0. 1.]]");
static_assert(ex::fori_loop(0, 10, [](auto i, auto v) { return v + i; }, 0) == 45);

// Inside of a trace each value is one equation, where it is used first.
static_assert(ex::make_jaxpr([](auto x) {
                auto z = ex::ones<float, 3>();
                auto y = z;
                auto r = x + y;
                z = z * 2;
                return r + z + y;
              })(ex::f32<3>) == R"({ lambda ; a:f32[3]. let
    b:f32[3] = broadcast_in_dim 1.0:f32[]
    c:f32[3] = add a b
    d:f32[3] = mul b 2.0:f32[]
    e:f32[3] = add c d
    f:f32[3] = add e b
  in (f,) })");

}  // namespace

TEST_CASE("a value made of nothing is an array") {
  auto const z = ex::arange<5>();
  CHECK(text(z) == "[0 1 2 3 4]");
  CHECK(text(z(2)) == "2");
  int const third = z(2);
  CHECK(third == 2);
  CHECK(z.data()[4] == 4);
  int total = 0;
  for (int x : z) total += x;
  CHECK(total == 10);
  ex::array<std::int32_t, 5> const copied = ex::arange<5>();
  CHECK(text(copied + z) == "[0 2 4 6 8]");
  CHECK(text(z.at(1).set(7)) == "[0 7 2 3 4]");
  CHECK(text(ex::tri<3>()(1)) == "[1. 1. 0.]");
  CHECK(text(ex::linspace<3>(0.0f, 1.0f)) == "[0.  0.5 1. ]");
  CHECK(text(ex::full<2>(third)) == "[2 2]");
}

TEST_CASE("arrays and values made of nothing meet") {
  ex::array<float, 3> const x{1, 2, 3};
  auto const y = ex::jit(sum)(x, ex::ones<float, 3>());
  static_assert(std::is_same_v<decltype(y), ex::array<float, 3> const>);
  CHECK(text(y) == "[2. 3. 4.]");
  CHECK(text(ex::jit(sum)(ex::ones<float, 2>(), 1)) == "[2. 2.]");
  auto const [all, both] = ex::jit(sums)(ex::ones<float, 3>());
  CHECK(text(all) == "3.0");
  CHECK(text(both[1]) == "[2. 2. 2.]");
  CHECK(text(ex::vmap([](auto v) { return v * 2; })(ex::arange<3>())) == "[0 2 4]");
  auto const [last, ys] = ex::scan([](auto c, auto v) { return ex::tuple(c + v, c); }, 0, ex::arange<4>());
  CHECK(text(last) == "6");
  CHECK(text(ys) == "[0 0 1 3]");
}

TEST_CASE("variables of values made of nothing") {
  auto a = ex::zeros<float, 3>();
  auto const before = a;
  for (int i = 0; i < 2; ++i) a = a.at(i).add(1.0f);
  CHECK(text(a) == "[1. 1. 0.]");
  CHECK(text(before) == "[0. 0. 0.]");
  a = ex::array<float, 3>{5, 6, 7};
  CHECK(text(a) == "[5. 6. 7.]");
  float const element = a(-1);
  CHECK(element == 7);
}
