// SPDX-License-Identifier: BSL-1.0
// Updates at indices that are values: one index, one for each element of a batch, windows that do not fit.
#include <emit/agree.hpp>

namespace ex = exprax;
using emit_test::differences_of;
template <int... D>
using f32 = ex::expr<float, D...>;
template <int... D>
using i32 = ex::expr<int, D...>;

namespace {
// Indices from -1 to 6: some lie outside of an axis of 5.
constexpr auto some_index = [](auto i) { return ex::abs(i) % 8 - 1; };
constexpr auto set_row = [](auto x, auto i, auto y) { return x.at(some_index(i)).set(y); };
constexpr auto add_row = [](auto x, auto i, auto y) { return x.at(some_index(i)).add(y); };
constexpr auto add_element = [](auto x, auto i, auto j, auto y) { return x.at(some_index(i), some_index(j)).add(y); };
}  // namespace

TEST_CASE("one index") {
  CHECK(differences_of<f32<5>, i32<>, f32<>>(set_row) == 0);
  CHECK(differences_of<f32<5, 3>, i32<>, f32<3>>(set_row) == 0);
  CHECK(differences_of<f32<5, 3>, i32<>, f32<3>>(add_row) == 0);
  CHECK(differences_of<f32<5, 3>, i32<>, i32<>, f32<>>(add_element) == 0);
}

TEST_CASE("one index for each element of a batch") {
  CHECK(differences_of<f32<7, 5>, i32<7>, f32<7>>(ex::vmap(set_row)) == 0);
  CHECK(differences_of<f32<7, 5, 3>, i32<7>, f32<7, 3>>(ex::vmap(set_row)) == 0);
  CHECK(differences_of<f32<7, 5, 33>, i32<7>, f32<7, 33>>(ex::vmap(add_row)) == 0);
  CHECK(differences_of<f32<7, 5, 3>, i32<7>, i32<7>, f32<7>>(ex::vmap(add_element)) == 0);
  CHECK(differences_of<i32<7, 5>, i32<7>, i32<7>>(ex::vmap([](auto x, auto i, auto y) { return x.at(some_index(i)).max(y); })) == 0);
}

TEST_CASE("a batch of one, and other axes") {
  CHECK(differences_of<f32<1, 5>, i32<1>, f32<1>>(ex::vmap(set_row)) == 0);
  CHECK(differences_of<f32<1, 1>, i32<1>, f32<1>>(ex::vmap(set_row)) == 0);
  CHECK(differences_of<f32<5, 7>, i32<7>, f32<7>>(ex::vmap(set_row, ex::in_axes<1, 0, 0>)) == 0);
  CHECK(differences_of<f32<5, 7, 3>, i32<7>, f32<3, 7>>(ex::vmap(add_row, ex::in_axes<1, 0, 1>)) == 0);
  CHECK(differences_of<f32<5, 3>, i32<7>, f32<7, 3>>(ex::vmap(add_row, ex::in_axes<ex::none, 0, 0>)) == 0);
}

TEST_CASE("a batch of batches") {
  CHECK(differences_of<f32<4, 7, 5>, i32<4, 7>, f32<4, 7>>(ex::vmap(ex::vmap(set_row))) == 0);
  CHECK(differences_of<f32<4, 7, 5, 3>, i32<4, 7>, f32<4, 7, 3>>(ex::vmap(ex::vmap(add_row))) == 0);
}

TEST_CASE("operands that other equations make") {
  CHECK(differences_of<f32<7, 5, 3>, i32<7>, f32<7, 3>>(ex::vmap([](auto x, auto i, auto y) {
          auto a = x * 2.0f;
          a = a.at(some_index(i)).add(ex::flip(y) + 1.0f);
          return a.at(0).set(y) - 1.0f;
        })) == 0);
  CHECK(differences_of<i32<7>>(ex::vmap([](auto i) { return ex::zeros<float, 6>().at(some_index(i)).set(1.0f); })) == 0);
}

// A number is read where it stands, for each index.
TEST_CASE("one number for all indices") {
  CHECK(differences_of<f32<9>, i32<7>, f32<>>([](auto x, auto i, auto y) { return x.at(some_index(i)).add(y * y); }) == 0);
  CHECK(differences_of<f32<9>, i32<7>>([](auto x, auto i) { return x.at(some_index(i)).set(x(8)); }) == 0);
  CHECK(differences_of<f32<9>, i32<7>>([](auto x, auto i) {
          auto const a = ex::sin(x);
          return a.at(some_index(i)).multiply(a(2)).at(some_index(i) + 2).max(a(3));
        }) == 0);
  CHECK(differences_of<f32<9>, i32<7>>([](auto x, auto i) {
          auto const ones = ex::broadcast_to<7>(x(0));
          return ex::tuple(x.at(some_index(i)).add(ones), ones, ex::sum(ones * x(ex::slice<0, 7>)));
        }) == 0);
  CHECK(differences_of<f32<9, 3>, i32<7>>([](auto x, auto i) { return x.at(some_index(i)).add(x(0, 0)); }) == 0);
  CHECK(differences_of<f32<5, 3>, i32<7>, i32<7>>([](auto x, auto i, auto j) { return x.at(some_index(i), some_index(j)).add(2.0f); }) == 0);
  CHECK(differences_of<i32<7>>([](auto i) { return ex::bincount<1>(i); }) == 0);
  CHECK(differences_of<i32<1>>([](auto i) { return ex::bincount<4>(i); }) == 0);
}
