// SPDX-License-Identifier: BSL-1.0
// A convolution of vectors, lifted over a batch in every way.
#include <array>

#include <doctest/doctest.h>

#include <seeds/vmap.hpp>

using namespace seeds;

namespace {

constexpr ex::array<int, 5> x{0, 1, 2, 3, 4};
constexpr ex::array<float, 3> w{2, 3, 4};
constexpr ex::array<int, 2, 5> xs{{0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}};
constexpr ex::array<float, 2, 3> ws{{2, 3, 4}, {2, 3, 4}};
constexpr ex::array<int, 5, 2> xst{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}};
constexpr ex::array<float, 3, 2> wst{{2, 2}, {3, 3}, {4, 4}};

constexpr ex::array<float, 3> one{11, 20, 29};
constexpr ex::array<float, 2, 3> rows{{11, 20, 29}, {11, 20, 29}};
constexpr ex::array<float, 3, 2> columns{{11, 11}, {20, 20}, {29, 29}};

// Everything at compile time ...
static_assert(ex::jit(convolve)(x, w) == one);
static_assert(ex::jit(ex::vmap(convolve))(xs, ws) == rows);
static_assert(ex::jit(ex::vmap(convolve, ex::in_axes<1, 1>, ex::out_axes<1>))(xst, wst) == columns);
static_assert(ex::jit(ex::vmap(convolve, ex::in_axes<0, ex::none>))(xs, w) == rows);

}  // namespace

// ... and at run time.
TEST_CASE("vmap of convolve") {
  CHECK(ex::jit(convolve)(x, w) == one);
  CHECK(ex::vmap(convolve)(xs, ws) == rows);
  CHECK(ex::jit(vectorized_by_hand)(xs, ws) == rows);
  CHECK(ex::vmap(convolve, ex::in_axes<1, 1>, ex::out_axes<1>)(xst, wst) == columns);
  CHECK(ex::vmap(convolve, ex::in_axes<1, 1>)(xst, wst) == rows);
  CHECK(ex::vmap(convolve, ex::in_axes<0, 0>, ex::out_axes<1>)(xs, ws) == columns);
  CHECK(ex::vmap(convolve, ex::in_axes<0, 1>)(xs, wst) == rows);
  CHECK(ex::vmap(convolve, ex::in_axes<-1, -1>, ex::out_axes<-1>)(xst, wst) == columns);
  CHECK(ex::vmap(convolve, ex::in_axes<0, ex::none>)(xs, w) == rows);
  CHECK(ex::vmap(convolve, ex::in_axes<ex::none, 0>)(x, ws) == rows);
  CHECK(ex::vmap(convolve, ex::in_axes<ex::none, 0>, ex::out_axes<1>)(x, ws) == columns);
}

TEST_CASE("jit and vmap compose") {
  CHECK(ex::jit(ex::vmap(convolve))(xs, ws) == rows);
  CHECK(ex::vmap(ex::jit(convolve))(xs, ws) == rows);
}
