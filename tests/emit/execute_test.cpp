// SPDX-License-Identifier: BSL-1.0
// Emitted code against the interpreter, function by function.
#include <emit/agree.hpp>

namespace ex = exprax;
using emit_test::differences_of;
template <int... D>
using f32 = ex::expr<float, D...>;
template <int... D>
using f64 = ex::expr<double, D...>;
template <int... D>
using i32 = ex::expr<int, D...>;

TEST_CASE("elementwise chains of every length around the pack's") {
  auto const f = [](auto x, auto y) { return (x * 2.0f + y) / (ex::abs(x) + 1.0f) - ex::maximum(x, y); };
  CHECK(differences_of<f32<1>, f32<1>>(f) == 0);
  CHECK(differences_of<f32<3>, f32<3>>(f) == 0);
  CHECK(differences_of<f32<5>, f32<5>>(f) == 0);
  CHECK(differences_of<f32<15>, f32<15>>(f) == 0);
  CHECK(differences_of<f32<16>, f32<16>>(f) == 0);
  CHECK(differences_of<f32<17>, f32<17>>(f) == 0);
  CHECK(differences_of<f32<100>, f32<100>>(f) == 0);
  CHECK(differences_of<f64<13>, f64<13>>(f) == 0);
  CHECK(differences_of<f32<>, f32<>>(f) == 0);
  CHECK(differences_of<f32<0>, f32<0>>(f) == 0);
  CHECK(differences_of<f32<3, 0, 2>, f32<3, 0, 2>>(f) == 0);
}

TEST_CASE("broadcasts") {
  auto const f = [](auto x, auto y) { return x * y + 1.0f; };
  CHECK(differences_of<f32<7, 19>, f32<19>>(f) == 0);
  CHECK(differences_of<f32<7, 1>, f32<7, 19>>(f) == 0);
  CHECK(differences_of<f32<7, 1>, f32<1, 19>>(f) == 0);
  CHECK(differences_of<f32<2, 3, 5>, f32<>>(f) == 0);
  CHECK(differences_of<f32<4, 1, 5>, f32<3, 1>>(f) == 0);
}

TEST_CASE("several results share a loop") {
  auto const f = [](auto x) {
    auto e = x * x + 1.0f;
    return ex::tuple(e * e + e, e, ex::where(x > 0.0f, e, 0.0f), x > 1.0f);
  };
  CHECK(differences_of<f32<37>>(f) == 0);
  CHECK(differences_of<f32<5, 33>>(f) == 0);
}

TEST_CASE("index maps") {
  CHECK(differences_of<f32<10>>([](auto x) { return x(ex::slice<1, -1>) + x(ex::slice<2, ex::none>) - x(ex::slice<0, -2>); }) == 0);
  CHECK(differences_of<f32<64>>([](auto x) { return x(ex::slice<1, -1>) + x(ex::slice<2, ex::none>) - x(ex::slice<0, -2>); }) == 0);
  CHECK(differences_of<f32<40>>([](auto x) { return ex::flip(x) * x; }) == 0);
  CHECK(differences_of<f32<40, 24>>([](auto x) { return ex::transpose(x) + 1.0f; }) == 0);
  CHECK(differences_of<f32<40, 24>, f32<24, 40>>([](auto x, auto y) { return ex::transpose(x) * y - 1.0f; }) == 0);
  CHECK(differences_of<f64<40, 24>>([](auto x) { return ex::transpose(x) * 2.0; }) == 0);
  CHECK(differences_of<f32<7, 9>>([](auto x) { return ex::transpose(x) + 1.0f; }) == 0);
  CHECK(differences_of<f32<20>, f32<13>>([](auto x, auto y) { return ex::concatenate(std::tuple(x * 2.0f, y, x)); }) == 0);
  CHECK(differences_of<f32<4, 20>, f32<4, 3>>([](auto x, auto y) { return ex::concatenate(std::tuple(x, y, x), ex::axis<1>) * 2.0f; }) == 0);
  CHECK(differences_of<f32<30>>([](auto x) { return x(ex::slice<0, 30, 3>) + x(ex::slice<20, 10, -1>); }) == 0);
  CHECK(differences_of<f32<6, 8>>([](auto x) { return ex::reshape<12, 4>(x) + 1.0f; }) == 0);
  CHECK(differences_of<f32<6, 8>>([](auto x) { return ex::reshape<12, 4>(x * 3.0f) + 1.0f; }) == 0);
  CHECK(differences_of<f32<6, 8>>([](auto x) { return ex::reshape<48>(ex::transpose(x)); }) == 0);
  CHECK(differences_of<f32<5>>([](auto x) { return ex::stack(std::tuple(x, x * 2.0f, x(ex::slice<ex::none, ex::none, -1>))); }) == 0);
}

TEST_CASE("reductions") {
  auto const sum = [](auto x) { return ex::sum(x); };
  CHECK(differences_of<f32<1>>(sum) == 0);
  CHECK(differences_of<f32<7>>(sum) == 0);
  CHECK(differences_of<f32<64>>(sum) == 0);
  CHECK(differences_of<f32<65>>(sum) == 0);
  CHECK(differences_of<f32<1000>>(sum) == 0);
  CHECK(differences_of<f64<1003>>(sum) == 0);
  CHECK(differences_of<i32<1003>>(sum) == 0);
  CHECK(differences_of<f32<0>>(sum) == 0);
  CHECK(differences_of<f32<3, 5, 7>>(sum) == 0);
  CHECK(differences_of<f32<70, 90>>([](auto x) { return ex::sum(x, ex::axis<0>); }) == 0);
  CHECK(differences_of<f32<70, 90>>([](auto x) { return ex::sum(x, ex::axis<1>); }) == 0);
  CHECK(differences_of<f32<9, 10, 11>>([](auto x) { return ex::sum(x * x, ex::axis<0, 2>); }) == 0);
  CHECK(differences_of<f32<9, 10, 11>>([](auto x) { return ex::prod(x, ex::axis<1>); }) == 0);
  CHECK(differences_of<f32<70, 33>>([](auto x) { return ex::max(x, ex::axis<0>) - ex::min(x, ex::axis<0>); }) == 0);
  CHECK(differences_of<f32<70, 33>>([](auto x) { return ex::mean(x, ex::axis<1>, ex::keepdims) + x; }) == 0);
  CHECK(differences_of<f32<70>>([](auto x) { return ex::tuple(ex::any(x > 7.0f), ex::all(x > 7.0f)); }) == 0);
  CHECK(differences_of<f32<20, 30>>([](auto x) { return ex::sum(ex::transpose(x), ex::axis<0>); }) == 0);
}

// Axes that are not walked as one: blocks begin anywhere in rows of any length.
TEST_CASE("reductions along several axes") {
  auto const outer = [](auto a, auto b) { return ex::sum(a(ex::all, ex::newaxis) * b); };
  CHECK(differences_of<f32<100>, f32<100>>(outer) == 0);
  CHECK(differences_of<f32<3>, f32<17>>(outer) == 0);
  CHECK(differences_of<f32<64>, f32<1>>(outer) == 0);
  CHECK(differences_of<f32<5>, f32<64>>(outer) == 0);
  CHECK(differences_of<f32<7>, f32<65>>(outer) == 0);
  CHECK(differences_of<f64<9>, f64<130>>(outer) == 0);
  CHECK(differences_of<f32<30>, f32<20>>(outer) == 0);
  CHECK(differences_of<f32<50>, f32<3>>(outer) == 0);
  CHECK(differences_of<f32<9>, f32<5>>(outer) == 0);
  CHECK(differences_of<f32<1>, f32<16>>(outer) == 0);
  CHECK(differences_of<f64<11>, f64<27>>(outer) == 0);
  CHECK(differences_of<ex::expr<std::int8_t, 3>, ex::expr<std::int8_t, 70>>(outer) == 0);
  CHECK(differences_of<f32<13>, f32<37>>([](auto a, auto b) { return ex::all(a(ex::all, ex::newaxis) < b + 20.0f); }) == 0);
  CHECK(differences_of<f32<6, 13>, f32<37>>([](auto a, auto b) { return ex::max(a(ex::all, ex::all, ex::newaxis) - b, ex::axis<1, 2>); }) == 0);
  CHECK(differences_of<f32<6, 13>, f32<37>>([](auto a, auto b) { return ex::sum(a(ex::all, ex::all, ex::newaxis) * b, ex::axis<0, 2>); }) == 0);
  CHECK(differences_of<f32<6, 13, 2>, f32<6, 1, 2>>([](auto a, auto b) { return ex::sum(a + b, ex::axis<1, 2>); }) == 0);
}

TEST_CASE("products") {
  auto const dot = [](auto a, auto b) { return ex::dot(a, b); };
  CHECK(differences_of<f32<3>, f32<3>>(dot) == 0);
  CHECK(differences_of<f32<1000>, f32<1000>>(dot) == 0);
  CHECK(differences_of<f32<20, 30>, f32<30>>(dot) == 0);
  CHECK(differences_of<f32<30>, f32<30, 20>>(dot) == 0);
  CHECK(differences_of<f32<20, 30>, f32<30, 40>>(dot) == 0);
  CHECK(differences_of<f32<17, 19>, f32<19, 23>>(dot) == 0);
  CHECK(differences_of<f64<17, 19>, f64<19, 23>>(dot) == 0);
  CHECK(differences_of<i32<5, 19>, i32<19, 6>>(dot) == 0);
  CHECK(differences_of<f32<20, 30>, f32<40, 30>>([](auto a, auto b) { return ex::dot(a, ex::transpose(b)); }) == 0);
  CHECK(differences_of<f32<3, 20, 30>, f32<3, 30, 8>>([](auto a, auto b) { return ex::matmul(a, b); }) == 0);
  CHECK(differences_of<f32<50>, f32<5>>([](auto a, auto b) { return ex::convolve(a, b); }) == 0);
  CHECK(differences_of<f32<50>, f32<5>>([](auto a, auto b) { return ex::convolve(a, b, ex::mode_valid); }) == 0);
  CHECK(differences_of<f32<50>, f32<40>>([](auto a, auto b) { return ex::convolve(a, b, ex::mode_same); }) == 0);
}

TEST_CASE("updates") {
  CHECK(differences_of<f32<20>>([](auto x) { return x.at(3).set(1.0f); }) == 0);
  CHECK(differences_of<f32<20>>([](auto x) { return x.at(ex::slice<2, 9>).add(1.0f) * 2.0f; }) == 0);
  CHECK(differences_of<f32<20, 5>, f32<20>>([](auto x, auto y) { return x.at(ex::all, 2).set(y); }) == 0);
  CHECK(differences_of<f32<20, 5>, f32<20>>([](auto x, auto y) {
    auto a = x * 2.0f;
    a = a.at(ex::all, 2).set(y);
    a = a.at(3, 4).add(7.0f);
    return ex::tuple(a, x);
  }) == 0);
  CHECK(differences_of<f32<20>, i32<>>([](auto x, auto i) { return x.at(i).set(1.0f); }) == 0);
  CHECK(differences_of<f32<20>, i32<>>([](auto x, auto i) { return x(i) + 1.0f; }) == 0);
  CHECK(differences_of<f32<20, 6>, i32<>>([](auto x, auto i) { return x(i) * x(ex::slice<0, 1>); }) == 0);
  CHECK(differences_of<f32<20>, i32<>>([](auto x, auto i) { return ex::dynamic_slice<7>(x, i); }) == 0);
  CHECK(differences_of<f32<20>, f32<4>, i32<>>([](auto x, auto y, auto i) { return ex::dynamic_update_slice(x, y, i); }) == 0);
  CHECK(differences_of<f32<20>>([](auto x) {
    auto y = x * 2.0f;
    auto a = y.at(3).set(1.0f);
    return ex::tuple(a, y);
  }) == 0);
  // the old elements are read after a store to their place
  CHECK(differences_of<f32<20>>([](auto x) {
    auto y = ex::zeros<float, 20>().at(0).set(x(1)).at(5).add(2.0f);
    auto z = y.at(ex::slice<1, ex::none>).set(y(ex::slice<0, -1>) * 2.0f);
    return z.at(ex::slice<0, -1>).add(z(ex::slice<1, ex::none>));
  }) == 0);
}

TEST_CASE("one-element programs") {
  CHECK(differences_of<f32<>, i32<>>([](auto x, auto i) { return ex::tuple(x * 2.0f + 1.0f, i * 3 - 1, ex::where(i > 2, x, -x)); }) == 0);
  CHECK(differences_of<f32<3, 3>>([](auto x) {
    auto a = ex::zeros<float, 3, 3>();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) a = a.at(i, j).set(x(j, i) * x(i, i) + 1.0f);
    return a;
  }) == 0);
  CHECK(differences_of<f32<8>>([](auto x) { return ex::mean(x) * x(3) + ex::sum(x(ex::slice<2, 5>)); }) == 0);
}

TEST_CASE("many pieces") {
  CHECK(differences_of<f32<5>>([](auto x) {
    return [&]<int... I>(std::integer_sequence<int, I...>) { return ex::stack(std::array{x(I * 7 % 5)...}); }(std::make_integer_sequence<int, 80>{});
  }) == 0);
}
