// SPDX-License-Identifier: BSL-1.0
// Loops and branches, in registers and as kernels: emitted code agrees with the reference interpreter, bit for bit.
#include <emit/agree.hpp>

namespace ex = exprax;
using emit_test::differences_of;
template <int... D>
using f32 = ex::expr<float, D...>;
template <int... D>
using f64 = ex::expr<double, D...>;
template <int... D>
using i32 = ex::expr<int, D...>;

namespace {
constexpr auto turns = [](auto n) { return ex::abs(n) % 7; };
constexpr auto halves = [](auto, auto x) { return x * 0.5f + 1.0f; };
template <auto const& Step>
constexpr auto turned = [](auto n, auto x) { return ex::fori_loop(0, turns(n) + 6, [](auto i, auto a) { return Step(i, a); }, x); };
constexpr auto set_next = [](auto i, auto a) { return a.at(i + 1).set(a(i) * 0.5f + a(i + 1)); };
constexpr auto into_the_array = [](auto i, auto a) { return a.at(i - 12).set(a(i - 13) * 0.5f + 1.0f); };
constexpr auto from_the_end = [](auto i, auto a) { return a.at(2 - i).set(a(3 - i) * 0.5f + 1.0f); };
constexpr auto in_a_column = [](auto i, auto a) { return a.at(i + 1, 4).set(a(i, 4) * 0.5f + a(i, 5)); };
constexpr auto two_updates = [](auto i, auto a) { return a.at(i + 1).set(a(i) * 0.5f).at(i).set(1.0f); };
constexpr auto elsewhere = [](auto i, auto a) { return a.at(i + 2).set(a(i) * 0.5f + a(i + 2)); };
constexpr auto inner_loop = [](auto i, auto a) {
  return ex::fori_loop(0, 3, [=](auto j, auto a) { return a.at(j + 1).set(a(j) * 0.5f + i); }, a.at(0).set(a(3)));
};
template <class... Args, class F>
ex::plan plan_of(F) {
  return ex::make_plan(ex::detail::compiled<ex::detail::traced<F, Args...>>::ref, ex::this_target);
}
// How many loads take what the iteration before wrote.
template <class... Args, class F>
int forwarded_loads(F f) {
  int n = 0;
  for (ex::region_step const& s : plan_of<Args...>(f).region_steps) n += s.kind == ex::region_step_kind::load && s.forwards;
  return n;
}
}  // namespace

TEST_CASE("loops over numbers") {
  CHECK(differences_of<i32<>, f32<>>([](auto n, auto x) { return ex::fori_loop(0, turns(n), [](auto i, auto x) { return x * 0.5f + i; }, x); }) == 0);
  CHECK(differences_of<i32<>>([](auto n) { return ex::while_loop([](auto x) { return x < 10; }, [](auto x) { return x * 2 + 1; }, turns(n)); }) == 0);
  CHECK(differences_of<f32<>>([](auto x) { return ex::fori_loop(0, 9, [](auto i, auto x) { return x * 0.5f + i; }, x); }) == 0);
  CHECK(differences_of<i32<>, f32<>>([](auto n, auto x) {
          return ex::while_loop([=](auto s) { return ex::get<0>(s) < turns(n); }, [=](auto s) { return ex::tuple(ex::get<0>(s) + 1, ex::get<2>(s), ex::get<1>(s) + x); },
                                ex::tuple(0, x, x * 2.0f));
        }) == 0);
}

TEST_CASE("loops over arrays") {
  CHECK(differences_of<i32<>, f32<5>>([](auto n, auto x) { return ex::fori_loop(0, turns(n), halves, x); }) == 0);
  CHECK(differences_of<i32<>, f32<64>>([](auto n, auto x) { return ex::fori_loop(0, turns(n), halves, x); }) == 0);
  CHECK(differences_of<i32<>, f32<1000>>([](auto n, auto x) { return ex::fori_loop(0, turns(n), halves, x); }) == 0);
  CHECK(differences_of<i32<>, f32<40, 30>>([](auto n, auto x) {
          return ex::fori_loop(0, turns(n), [](auto i, auto s) { return ex::tuple(ex::flip(ex::get<1>(s)), ex::get<0>(s) + i); }, ex::tuple(x, x * 2.0f));
        }) == 0);
  // an operand with an axis of 1, of another dtype than the result: a batch of few rows is a loop over arrays
  CHECK(differences_of<f32<3, 4>, f32<3>>(ex::vmap([](auto x, auto limit) {
          return ex::fori_loop(0, 2, [limit](auto, auto c) { return ex::where(c < limit, c + 1.0f, c * limit); }, x);
        })) == 0);
  // what is read elsewhere than it is written
  CHECK(differences_of<i32<>, f32<1000>>([](auto n, auto x) { return ex::fori_loop(0, turns(n), [](auto, auto x) { return ex::flip(x) * 0.5f; }, x); }) == 0);
  CHECK(differences_of<i32<>, f32<1000>>([](auto n, auto x) {
          return ex::fori_loop(0, turns(n), [](auto, auto x) { return ex::concatenate(std::tuple(x(ex::slice<1, ex::none>), x(ex::slice<0, 1>))) + x; }, x);
        }) == 0);
  CHECK(differences_of<f32<30, 30>, i32<7>>([](auto x, auto is) { return ex::scan([](auto c, auto i) { return ex::tuple(ex::transpose(c) + i, c(3)); }, x, is); }) == 0);
  CHECK(differences_of<i32<>, f64<3, 3>>([](auto n, auto x) { return ex::fori_loop(0, turns(n), [=](auto, auto m) { return ex::matmul(m, x); }, x); }) == 0);
  CHECK(differences_of<f32<6>, f32<4, 6>>([](auto x, auto a) {
          return ex::scan([](auto c, auto row) { return ex::tuple(c * 0.5f + row, ex::sum(c) + ex::max(row) + ex::dot(c, row)); }, x, a);
        }) == 0);
}

TEST_CASE("elements read and updated at an index") {
  CHECK(differences_of<i32<>, f32<10>>([](auto n, auto x) { return ex::fori_loop(0, turns(n), [](auto i, auto a) { return a.at(i + 1).set(a(i) * 0.5f + a(i + 1)); }, x); }) == 0);
  CHECK(differences_of<i32<>, f32<300>>([](auto n, auto x) { return ex::fori_loop(0, turns(n), [](auto i, auto a) { return a.at(i + 1).add(a(i) * 0.5f); }, x); }) == 0);
  CHECK(differences_of<i32<>, f32<64, 64>>([](auto n, auto x) { return ex::fori_loop(0, turns(n), [](auto i, auto a) { return a.at(i).set(a(i + 1) + 1.0f); }, x); }) == 0);
  CHECK(differences_of<i32<>, f32<9, 200>>([](auto n, auto x) { return ex::fori_loop(0, turns(n), [](auto i, auto a) { return a.at(i).set(a(i + 1) + 1.0f); }, x); }) == 0);
  CHECK(differences_of<i32<>, f32<9, 200>>([](auto n, auto x) {
          return ex::fori_loop(0, turns(n), [](auto i, auto a) { return a.at(i).set(a(i + 1) + 1.0f).at(ex::slice<0, 2>).set(a(ex::slice<1, 3>)); }, x);
        }) == 0);
  CHECK(differences_of<i32<>, f32<300>>([](auto n, auto x) { return ex::fori_loop(0, turns(n), [](auto i, auto a) { return a.at(i + 298).set(a(i)); }, x); }) == 0);
  // the array that the loop starts with is read in it, too
  CHECK(differences_of<i32<>, f32<300>>([](auto n, auto x) { return ex::fori_loop(0, turns(n), [=](auto i, auto a) { return a.at(i + 1).set(a(i) + x(i + 1)); }, x); }) == 0);
  CHECK(differences_of<i32<>, f32<9, 200>>([](auto n, auto x) {
          return ex::fori_loop(0, turns(n), [=](auto i, auto a) { return a.at(i + 1).set(a(i) + x(i + 1)); }, x);
        }) == 0);
  CHECK(differences_of<f32<20>, i32<7>>([](auto x, auto is) { return ex::scan([](auto c, auto i) { return ex::tuple(c.at(i % 25).mul(2.0f), c(i)); }, x, is); }) == 0);
}

TEST_CASE("an element that the iteration before wrote") {
  // in the iterations in bounds, and in those that are left
  CHECK((forwarded_loads<i32<>, f32<10>>(turned<set_next>) == 2 && forwarded_loads<i32<>, f32<300>>(turned<set_next>) == 2));
  CHECK((differences_of<i32<>, f32<10>>(turned<set_next>) == 0 && differences_of<i32<>, f32<300>>(turned<set_next>) == 0));
  CHECK((forwarded_loads<i32<>, f32<10>>(turned<into_the_array>) == 1 && differences_of<i32<>, f32<10>>(turned<into_the_array>) == 0));
  CHECK((forwarded_loads<i32<>, f32<10>>(turned<from_the_end>) == 2 && differences_of<i32<>, f32<10>>(turned<from_the_end>) == 0));
  CHECK(differences_of<i32<>, f32<9, 9>>(turned<in_a_column>) == 0);
  CHECK((forwarded_loads<i32<>, f32<10>>(turned<two_updates>) == 0 && differences_of<i32<>, f32<10>>(turned<two_updates>) == 0));
  CHECK((forwarded_loads<i32<>, f32<10>>(turned<elsewhere>) == 0 && differences_of<i32<>, f32<10>>(turned<elsewhere>) == 0));
  // an inner loop begins anew
  CHECK((forwarded_loads<i32<>, f32<10>>(turned<inner_loop>) == 1 && differences_of<i32<>, f32<10>>(turned<inner_loop>) == 0));
  constexpr auto known_length = [](auto x) { return ex::fori_loop(1, 9, [](auto i, auto a) { return a.at(i).add(a(i - 1)); }, x); };
  CHECK((forwarded_loads<i32<10>>(known_length) == 1 && differences_of<i32<10>>(known_length) == 0));
}

TEST_CASE("branches") {
  constexpr auto pick = [](auto n, auto x) { return ex::switch_(n, ex::tuple([](auto x) { return x + 1.0f; }, [](auto x) { return x * x; }, [](auto x) { return -x; }), x); };
  CHECK(differences_of<i32<>, f32<>>(pick) == 0);
  CHECK(differences_of<i32<>, f32<33>>(pick) == 0);
  CHECK(differences_of<i32<>, f32<1000>>(pick) == 0);
  CHECK(differences_of<i32<>, f32<1000>>([](auto n, auto x) {
          return ex::cond(n > 0, [](auto x) { return ex::tuple(x.at(3).set(1.0f), ex::sum(x)); }, [](auto x) { return ex::tuple(x, x(2)); }, x);
        }) == 0);
  CHECK(differences_of<i32<>, f32<1000>>([](auto n, auto x) {
          auto y = x * 2.0f;
          auto z = ex::cond(n > 0, [=](auto v) { return v.at(3).set(x(1)); }, [](auto v) { return v; }, y);
          return ex::tuple(z, y);
        }) == 0);
}

TEST_CASE("an update of many elements that are one number") {
  CHECK(differences_of<i32<>, f32<5, 2, 3>>([](auto n, auto x) {
          return ex::cond(n > 0, [](auto x) { return x.at(ex::all, 0).set(-0.5f); }, [](auto x) { return -x; }, x);
        }) == 0);
}

TEST_CASE("one in another") {
  CHECK(differences_of<i32<>, f32<>>([](auto n, auto x) {
          return ex::fori_loop(0, turns(n), [=](auto i, auto x) {
            return ex::cond(i % 2 == 0, [=](auto x) { return ex::fori_loop(0, i, [](auto j, auto x) { return x * 0.5f + j; }, x); }, [](auto x) { return -x; }, x);
          }, x);
        }) == 0);
  CHECK(differences_of<i32<>, f32<4, 6>>([](auto n, auto a) {
          return ex::scan([=](auto c, auto row) {
            auto s = ex::scan([](auto c, auto x) { return ex::tuple(c + x, c * x); }, c, row);
            return ex::tuple(ex::get<0>(s), ex::tuple(ex::get<1>(s), ex::cond(c > 0, [](auto r) { return r * 2.0f; }, [](auto r) { return r; }, row)));
          }, 1.0f * turns(n), a);
        }) == 0);
  CHECK(differences_of<i32<>, f32<50, 50>>([](auto n, auto a) {
          return ex::fori_loop(0, turns(n), [](auto i, auto a) {
            return ex::fori_loop(0, 5, [=](auto j, auto a) { return ex::cond(j < i, [=](auto a) { return a.at(i, j).set(a(j, i) + 1.0f); }, [](auto a) { return a; }, a); }, a);
          }, a);
        }) == 0);
  CHECK(differences_of<i32<>, f32<50, 50>>([](auto n, auto a) {
          return ex::fori_loop(0, turns(n), [](auto i, auto a) {
            return ex::cond(i < 3, [=](auto a) { return a.at(i).set(ex::sum(a, ex::axis<0>)); }, [](auto a) { return a * 2.0f; }, a);
          }, a);
        }) == 0);
}
