// SPDX-License-Identifier: BSL-1.0
// A reshape that is a result is no copy: what it reshapes is made where the result stands. Its other readers, updates of the
// result, loops and donated storage must not notice.
#include <emit/agree.hpp>

namespace {

namespace ex = exprax;
using emit_test::differences_of;
template <int... D>
using f32 = ex::expr<float, D...>;

}  // namespace

TEST_CASE("reshaped results") {
  CHECK(differences_of<f32<24>>([](auto x) {
          auto const u = x + 1.0f;
          return ex::tuple(ex::reshape<4, 6>(u), ex::sum(u));
        }) == 0);
  CHECK(differences_of<f32<24>>([](auto x) { return ex::reshape<4, 6>(ex::cumsum(x)).at(1, 2).set(5.0f); }) == 0);
  CHECK(differences_of<f32<24>>([](auto x) {
          auto const u = ex::cumsum(x);
          return ex::tuple(ex::reshape<4, 6>(u), u(3), ex::flip(u));
        }) == 0);
  CHECK(differences_of<f32<24>>([](auto x) { return ex::reshape<6, 4>(ex::reshape<4, 6>(ex::reshape<2, 12>(ex::sin(x)))); }) == 0);
  CHECK(differences_of<f32<24>>([](auto x) {
          auto const u = ex::sin(x);
          return ex::tuple(ex::reshape<4, 6>(u), ex::reshape<4, 6>(u), ex::reshape<2, 12>(u));
        }) == 0);
  CHECK(differences_of<f32<24>, ex::expr<std::int32_t>>([](auto x, auto i) {
          auto const u = x * 2.0f;
          auto const v = ex::reshape<4, 6>(u);
          return ex::tuple(v.at(i).add(1.0f), ex::sum(u * x), ex::exp(u));
        }) == 0);
  CHECK(differences_of<f32<4, 6>>([](auto x) { return ex::reshape<24>(ex::transpose(x)); }) == 0);
  CHECK(differences_of<f32<4, 6>, f32<6, 4>>([](auto x, auto y) { return ex::reshape<2, 8>(ex::matmul(x, y)); }) == 0);
}

TEST_CASE("reshapes of values that are updated in place") {
  CHECK(differences_of<f32<4, 6>, ex::expr<std::int32_t>>([](auto x, auto i) {
          auto const u = x * 2.0f;
          auto const v = ex::reshape<24>(u);
          return ex::tuple(u.at(i).set(x(0)), v + 1.0f);
        }) == 0);
  CHECK(differences_of<f32<4, 6>>([](auto x) {
          auto const u = x * 2.0f;
          auto const v = ex::reshape<6, 4>(u);
          return ex::tuple(ex::fori_loop(0, 3, [](auto i, auto c) { return c.at(i).add(1.0f); }, u), v + 1.0f);
        }) == 0);
}

TEST_CASE("reshaped carries and rows") {
  CHECK(differences_of<f32<24>>([](auto x) { return ex::fori_loop(0, 3, [](auto, auto c) { return ex::reshape<24>(ex::transpose(ex::reshape<4, 6>(c))); }, x); }) == 0);
  CHECK(differences_of<f32<600>>([](auto x) {
          auto const turn = [](auto c) { return ex::reshape<600>(ex::transpose(ex::reshape<20, 30>(ex::sin(c)))) + c; };
          return ex::fori_loop(0, 3, [turn](auto, auto c) { return ex::reshape<600>(ex::reshape<30, 20>(turn(c))); }, x);
        }) == 0);
  CHECK(differences_of<f32<5, 24>>([](auto x) {
          return ex::map([](auto row) { return ex::tuple(ex::reshape<4, 6>(ex::cumsum(row)), ex::reshape<2, 12>(row)); }, x);
        }) == 0);
}

TEST_CASE("a reshaped result in donated storage") {
  constexpr auto turned = [](auto x) { return ex::reshape<300, 400>(ex::transpose(ex::reshape<400, 300>(x))); };
  ex::array<float, 300, 400> x(ex::array<float, 300, 400>::full(0));
  for (int i = 0; i < 300 * 400; ++i) x.data()[i] = static_cast<float>(i);
  auto const expected = ex::jit(turned)(x);
  CHECK(ex::jit(turned)(std::move(x)) == expected);
  CHECK(expected(0, 1) == 300.0f);
}
