// SPDX-License-Identifier: BSL-1.0
// The same functions and operators on arrays and views: programs of one operation.
#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr ex::array<float, 3> x{1, -2, 4};
constexpr ex::array<std::int32_t, 3> m{3, -3, 2};

static_assert(x + m == ex::array<float, 3>{4, -5, 6});
static_assert(-x * 2 == ex::array<float, 3>{-2, 4, -8});
static_assert((x > 0) == ex::array<bool, 3>{true, false, true});
static_assert(m % 2 == ex::array<std::int32_t, 3>{1, 1, 0});
static_assert(ex::sum(m) == ex::array<std::int32_t>(2));
static_assert(ex::all(x) == ex::array<bool>(true));
static_assert(ex::where(x > 0, x, 0) == ex::array<float, 3>{1, 0, 4});
static_assert(ex::reshape<3, 1>(m) == ex::array<std::int32_t, 3, 1>{3, -3, 2});
static_assert(ex::stack(m, m)(1, 0) == 3);

// An array that a traced function reads is a constant of its program.
constexpr auto shifted = [](auto a) { return a + x; };
static_assert(ex::jit(shifted)(m) == x + m);

}  // namespace

// Beside an array of float64 a C++ double keeps its digits, as it does as a literal in a traced function.
constexpr ex::array<double, 2> wide{1, 3};
static_assert((wide * 0.1)(0) == 0.1 && (0.1 + wide)(0) == 1.1 && ex::maximum(wide, 1.1)(0) == 1.1 && ex::full_like(wide, 0.1)(1) == 0.1 &&
              ex::where(wide > 2, wide, 0.1)(0) == 0.1 && ex::clip(wide, 1.1, ex::none)(0) == 1.1);
static_assert((wide * std::complex<double>(0, 0.1))(0).imag() == 0.1 && (wide * 2).dtype == ex::float64 &&
              (ex::array<float, 1>{1} * 0.1).dtype == ex::float32);

TEST_CASE("functions on arrays and views") {
  float memory[] = {1, 2, 3};
  ex::view<float const, 3> const v(memory);
  CHECK(x + v == ex::array<float, 3>{2, 0, 7});
  CHECK(ex::dot(v, x) == ex::array<float>(9));
  CHECK(ex::maximum(v, 2.5f) == ex::array<float, 3>{2.5f, 2.5f, 3});
  CHECK(ex::concatenate(v, x)(3) == 1);
}
