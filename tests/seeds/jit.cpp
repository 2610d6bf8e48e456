// SPDX-License-Identifier: BSL-1.0
// What jit does: a product with relu, functions of functions, static arguments, and their jaxprs.
#include <doctest/doctest.h>

#include <seeds/jit.hpp>

using namespace seeds;

namespace {

constexpr ex::array<float, 2, 3> W{{1, -2, 3}, {4, 5, -6}};
constexpr ex::array<float, 3, 2> X{{1, 0}, {0, 1}, {1, 1}};
constexpr ex::array<float, 2, 2> Z{{4, 1}, {-2, -1}};
constexpr ex::array<float, 2, 2> A{{4, 1}, {0, 0}};

static_assert(std::get<0>(ex::jit(forward_pass)(W, X)) == Z);
static_assert(std::get<1>(ex::jit(forward_pass)(W, X)) == A);

static_assert(ex::make_jaxpr(ex::jit<apply_activation>())(ex::f32<3, 4>) == R"({ lambda ; a:f32[3,4]. let
    b:f32[3,4] = jit[
      name=apply_activation
      jaxpr={ lambda ; a:f32[3,4]. let b:f32[3,4] = max 0.0:f32[] a in (b,) }
    ] a
  in (b,) })");

static_assert(ex::make_jaxpr(ex::jit<number_squared>())(2) == R"({ lambda ; a:i32[]. let
    b:i32[] = jit[
      name=number_squared
      jaxpr={ lambda ; a:i32[]. let b:i32[] = integer_pow[y=2] a in (b,) }
    ] a
  in (b,) })");

}  // namespace

TEST_CASE("a product and its relu") {
  auto const [z, a] = ex::jit(forward_pass)(W, X);
  CHECK(z == Z);
  CHECK(a == A);
  auto const [z2, a2] = ex::jit(forward_pass_of_jits)(W, X);
  CHECK(z2 == Z);
  CHECK(a2 == A);
}

TEST_CASE("number_squared") {
  CHECK(ex::jit<number_squared>(2) == 4);
  CHECK(ex::jit<number_squared>(4) == 16);
  CHECK(ex::jit<number_squared>(8) == 64);
}

TEST_CASE("a branch, and a static argument") {
  CHECK(ex::jit(square_or_cube)(2) == 4);
  CHECK(ex::jit(square_or_cube)(3) == 27);
  CHECK(ex::jit(multiply_n_times)(2, ex::static_<5>) == 32);
}
