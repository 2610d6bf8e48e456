// SPDX-License-Identifier: BSL-1.0
// Updates that fill the same memory, each between the elements of the others, are one loop; what they fill is not stored before.
#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

#include <plan/plans_agree.hpp>

namespace ex = exprax;
using ex::none;
using ex::slice;
using plan_test::agrees;
template <int... D>
using f32 = ex::expr<float, D...>;
template <int... D>
using i32 = ex::expr<int, D...>;

namespace {

template <class... Args, class F>
constexpr int kernels_of(F) {
  return ex::planned<ex::detail::compiled<ex::detail::traced<F, Args...>>>::sizes.kernels;
}

template <int N>
constexpr auto between = [](auto x) {
  auto const middle = 0.5f * (x(slice<1, none>) + x(slice<0, -1>));
  return ex::zeros<float, 2 * N - 1>().at(slice<0, none, 2>).set(x).at(slice<1, none, 2>).set(middle);
};
constexpr auto odd_first = [](auto x, auto y) { return x.at(slice<1, none, 2>).set(y * 2).at(slice<0, none, 2>).set(y + 1); };
constexpr auto of_three = [](auto x, auto y) {
  return x.at(slice<1, none, 3>).set(y * 2).at(slice<0, none, 3>).set(y + 1).at(slice<2, none, 3>).set(y * y);
};
constexpr auto of_four = [](auto x, auto y) {
  return x.at(slice<0, none, 4>).set(y).at(slice<1, none, 4>).set(y + 1).at(slice<2, none, 4>).set(y + 2).at(slice<3, none, 4>).set(y + 3);
};
// The last update has a row less.
constexpr auto ragged = [](auto x, auto y) {
  return x.at(slice<0, none, 3>).set(y).at(slice<2, none, 3>).set(y(slice<1, none>)).at(slice<1, none, 3>).set(y(slice<1, none>) * 2);
};
constexpr auto two_of_three = [](auto x, auto y) { return x.at(slice<0, none, 3>).set(y * 2).at(slice<2, none, 3>).set(y + 1); };
constexpr auto but_first = [](auto x, auto y) { return x.at(slice<1, none, 2>).set(y * 2).at(slice<2, none, 2>).set(y + 1); };
constexpr auto columns = [](auto x, auto y) {
  return x.at(ex::all, slice<0, none, 2>).set(y * 2).at(ex::all, slice<1, none, 2>).set(y + 1);
};
// The second update reads what the first one stores, or where it stores.
constexpr auto in_turn = [](auto x, auto y) {
  auto const z = x.at(slice<0, none, 2>).set(y * 2);
  return z.at(slice<1, none, 2>).set(z(slice<0, none, 2>) + 1);
};
constexpr auto of_neighbours = [](auto x) {
  return x.at(slice<0, none, 2>).set(x(slice<1, none, 2>)).at(slice<1, none, 2>).set(x(slice<0, none, 2>));
};
constexpr auto added = [](auto x, auto y) { return x.at(slice<0, none, 2>).add(y).at(slice<1, none, 2>).add(y + 1); };
constexpr auto twice = [](auto x, auto y) { return x.at(slice<0, none, 2>).set(y * 2).at(slice<0, none, 2>).set(y + 1); };
constexpr auto in_loop = [](auto x, auto y) {
  return ex::fori_loop(0, 3, [y](auto, auto v) { return odd_first(v, y + v(slice<0, none, 2>)); }, x);
};

static_assert(kernels_of<f32<300>>(between<300>) == 1);
static_assert(kernels_of<f32<600>, f32<300>>(odd_first) == 1);
static_assert(kernels_of<f32<900>, f32<300>>(of_three) == 1);
static_assert(kernels_of<i32<1200>, i32<300>>(of_four) == 1);
static_assert(kernels_of<f32<898>, f32<300>>(ragged) == 1);
static_assert(kernels_of<f32<900>, f32<300>>(two_of_three) == 2);
static_assert(kernels_of<f32<601>, f32<300>>(but_first) == 2);
static_assert(kernels_of<f32<20, 60>, f32<20, 30>>(columns) == 1);

}  // namespace

TEST_CASE("updates between the elements of others") {
  CHECK(agrees<f32<37>>(between<37>));
  CHECK(agrees<f32<3>>(between<3>));
  CHECK(agrees<f32<74>, f32<37>>(odd_first));
  CHECK(agrees<f32<111>, f32<37>>(of_three));
  CHECK(agrees<i32<148>, i32<37>>(of_four));
  CHECK(agrees<f32<109>, f32<37>>(ragged));
  CHECK(agrees<f32<111>, f32<37>>(two_of_three));
  CHECK(agrees<f32<75>, f32<37>>(but_first));
  CHECK(agrees<f32<5, 74>, f32<5, 37>>(columns));
  CHECK(agrees<f32<50, 2>, f32<50, 1>>(columns));
}
TEST_CASE("updates that read what is updated, or store it again") {
  CHECK(agrees<f32<74>, f32<37>>(in_turn));
  CHECK(agrees<f32<74>>(of_neighbours));
  CHECK(agrees<i32<74>, i32<37>>(added));
  CHECK(agrees<f32<74>, f32<37>>(twice));
  CHECK(agrees<f32<74>, f32<37>>(in_loop));
}
