// SPDX-License-Identifier: BSL-1.0
// Derivatives of collectives: the gradients of all rows are those of the sum over the rows, which is written with arrays as well; and the
// laws of derivatives/law.hpp.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "derivatives/law.hpp"

namespace ex = exprax;
using namespace law;

namespace {

constexpr auto i = ex::axis_name<"i">;
constexpr auto j = ex::axis_name<"j">;

std::vector<double> result(ex::program_ref p, values const& x) {
  ex::program const q = ex::expand_vmap(p);
  return run(q.ref(), x)[0];
}

// f: of a row, with collectives over "i"; whole: the sum of its results over all rows, of arrays without collectives. X: all rows.
template <class X, class F, class Whole>
void check_rows(char const* name, F, Whole) {
  CAPTURE(std::string(name));
  constexpr auto of_rows = [](auto x) { return ex::vmap(ex::grad(F{}), i)(x); };
  constexpr auto of_sum = [](auto x) { return ex::grad([](auto y) { return ex::sum(ex::vmap(F{}, i)(y)); })(x); };
  constexpr auto of_arrays = [](auto x) { return ex::grad(Whole{})(x); };
  numbers draw{5};
  values const x{draw.like(X::type)};
  auto const expected = result(of<X>::program(of_arrays), x), rows = result(of<X>::program(of_rows), x), sum = result(of<X>::program(of_sum), x);
  double largest = 0;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    CHECK(std::abs(rows[k] - expected[k]) < 1e-13 * (1 + std::abs(expected[k])));
    CHECK(std::abs(sum[k] - expected[k]) < 1e-13 * (1 + std::abs(expected[k])));
    largest = std::max(largest, std::abs(expected[k]));
  }
  CHECK(largest > 0.1);
  check(name, -1, 1, of<X>::program([](auto y) { return ex::vmap(F{}, i)(y); }));
  check(name, -1, 1, of<X>::program(of_rows), 1);
  check(name, -1, 1, of<X>::program([](auto y) { return ex::vmap([](auto row) { return ex::jvp(F{}, ex::tuple(row), ex::tuple(ex::sin(row))); }, i)(y); }), 1);
}

// Different numbers for the rows.
constexpr auto number = [] { return ex::axis_index(i) + 1.5; };
constexpr ex::array<double, 3> numbers_of_rows{1.5, 2.5, 3.5};

}  // namespace

TEST_CASE("sums") {
  check_rows<f64<3, 2>>("psum", [](auto x) { return ex::sum(ex::sin(x) * ex::psum(x * x, i)); },
                        [](auto x) { return ex::sum(ex::sin(x) * ex::sum(x * x, ex::axis<0>)); });
  check_rows<f64<3, 2>>("pmean", [](auto x) { return ex::sum(ex::square(x - ex::pmean(x, i)) * number()); },
                        [](auto x) { return ex::sum(ex::square(x - ex::mean(x, ex::axis<0>)) * ex::expand_dims(numbers_of_rows, ex::axis<1>)); });
  check_rows<f64<3, 2>>("axis_index", [](auto x) { return ex::sum(x * x) * ex::axis_index(i); },
                        [](auto x) { return ex::dot(ex::sum(x * x, ex::axis<1>), ex::arange<3>()); });
  // pmax has no derivative; here it does not matter.
  check_rows<f64<3, 2>>("pmax",
                        [](auto x) {
                          auto const largest = ex::pmax(ex::stop_gradient(x), i);
                          return ex::sum(ex::exp(x - largest) * ex::exp(largest));
                        },
                        [](auto x) { return ex::sum(ex::exp(x)); });
}

TEST_CASE("all_gather") {
  check_rows<f64<3, 2>>("all_gather", [](auto x) { return ex::sum(ex::sin(ex::all_gather(x, i, ex::axis_size<3>) * number())) * x(0); },
                        [](auto x) {
                          auto const rows = ex::vmap([=](auto n, auto row) { return ex::sum(ex::sin(x * n)) * row(0); })(numbers_of_rows, x);
                          return ex::sum(rows);
                        });
  check_rows<f64<3, 2>>("all_gather along another axis",
                        [](auto x) { return ex::dot(x, ex::sin(ex::all_gather(x, i, ex::axis_size<3>, ex::axis<1>) * number()))(1); },
                        [](auto x) {
                          auto const rows =
                              ex::vmap([=](auto n, auto row) { return ex::dot(row, ex::sin(ex::transpose(x) * n))(1); })(numbers_of_rows, x);
                          return ex::sum(rows);
                        });
  check_rows<f64<3, 2, 2>>("all_gather, tiled",
                           [](auto x) { return ex::sum(ex::cumprod(ex::all_gather(x, i, ex::axis_size<3>, ex::axis<1>, ex::tiled), ex::axis<1>)) * number(); },
                           [](auto x) { return ex::sum(ex::cumprod(ex::reshape<2, 6>(ex::swapaxes<0, 1>(x)), ex::axis<1>)) * 7.5; });
}

TEST_CASE("permutations") {
  check_rows<f64<3, 2>>("ppermute", [](auto x) { return ex::sum(ex::sin(ex::ppermute(x, i, {{0, 1}, {1, 2}, {2, 0}})) * x) * number(); },
                        [](auto x) { return ex::sum(ex::sin(ex::roll<1>(x, ex::axis<0>)) * x * ex::expand_dims(numbers_of_rows, ex::axis<1>)); });
  check_rows<f64<4, 2>>("pshuffle", [](auto x) { return ex::sum(ex::exp(ex::pshuffle(x, i, {2, 0, 3, 1})) * x); }, [](auto x) {
    return ex::sum(ex::exp(ex::take(x, ex::array<int, 4>{2, 0, 3, 1}, ex::axis<0>)) * x);
  });
}

TEST_CASE("all_to_all") {
  check_rows<f64<3, 3, 2>>("pswapaxes", [](auto x) { return ex::sum(ex::sin(ex::pswapaxes(x, i, ex::axis<0>)) * x) * number(); }, [](auto x) {
    auto const y = ex::sin(ex::swapaxes<0, 1>(x)) * x;
    return ex::dot(ex::sum(y, ex::axis<1, 2>), numbers_of_rows);
  });
  check_rows<f64<3, 3, 2>>("all_to_all",
                           [](auto x) {
                             auto const y = ex::all_to_all(x, i, ex::split_axis<0>, ex::concat_axis<1>);
                             return ex::sum(ex::cumprod(y, ex::axis<1>) * ex::sum(x)) * number();
                           },
                           [](auto x) {
                             auto const y = ex::cumprod(ex::transpose(x, ex::axis<1, 2, 0>), ex::axis<2>);
                             return ex::sum(ex::sum(y, ex::axis<1, 2>) * ex::sum(x, ex::axis<1, 2>) * numbers_of_rows);
                           });
  check_rows<f64<3, 6, 2>>("all_to_all, tiled",
                           [](auto x) {
                             auto const y = ex::all_to_all(x, i, ex::split_axis<0>, ex::concat_axis<1>, ex::tiled, ex::axis_size<3>);
                             return ex::sum(ex::cumprod(y, ex::axis<1>)) * number();
                           },
                           [](auto x) {
                             auto const y = ex::reshape<3, 2, 6>(ex::transpose(ex::reshape<3, 3, 2, 2>(x), ex::axis<1, 2, 0, 3>));
                             return ex::dot(ex::sum(ex::cumprod(y, ex::axis<2>), ex::axis<1, 2>), numbers_of_rows);
                           });
}

TEST_CASE("in loops and branches") {
  check_rows<f64<3, 2>>("a ring",
                        [](auto x) {
                          auto const step = [=](auto, auto c) { return ex::sin(ex::ppermute(c, i, {{0, 1}, {1, 2}, {2, 0}})) * x; };
                          return ex::sum(ex::fori_loop(0, 4, step, x)) * number();
                        },
                        [](auto x) {
                          auto const step = [=](auto, auto c) { return ex::sin(ex::roll<1>(c, ex::axis<0>)) * x; };
                          return ex::dot(ex::sum(ex::fori_loop(0, 4, step, x), ex::axis<1>), numbers_of_rows);
                        });
  check_rows<f64<3, 2>>("a gathered mean",
                        [](auto x) {
                          auto const all = [](auto c) { return ex::mean(ex::all_gather(ex::exp(c), i, ex::axis_size<3>), ex::axis<0>); };
                          auto const own = [](auto c) { return c * c; };
                          return ex::sum(ex::cond(ex::psum(x(0), i) < 100.0, all, own, x) * x);
                        },
                        [](auto x) { return ex::sum(ex::mean(ex::exp(x), ex::axis<0>) * x); });
}

TEST_CASE("two axes") {
  // Over both names, and over one of them.
  constexpr auto f = [](auto x) { return ex::sin(x) * ex::psum(x * x, ex::axis_name<"i", "j">) + x * ex::psum(ex::exp(x), j); };
  constexpr auto rows = [](auto x) { return ex::vmap(ex::vmap(ex::grad(decltype(f){}), j), i)(x); };
  constexpr auto inner = [](auto x) {
    return ex::vmap(ex::grad([](auto row) { return ex::sum(ex::vmap(decltype(f){}, j)(row)); }), i)(x);
  };
  constexpr auto whole = [](auto x) {
    return ex::grad([](auto y) { return ex::sum(ex::sin(y) * ex::sum(y * y) + y * ex::sum(ex::exp(y), ex::axis<1>, ex::keepdims)); })(x);
  };
  numbers draw{3};
  values const x{draw.like(f64<3, 2>::type)};
  auto const expected = result(of<f64<3, 2>>::program(whole), x), one = result(of<f64<3, 2>>::program(rows), x), two = result(of<f64<3, 2>>::program(inner), x);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    CHECK(std::abs(one[k] - expected[k]) < 1e-13 * (1 + std::abs(expected[k])));
    CHECK(std::abs(two[k] - expected[k]) < 1e-13 * (1 + std::abs(expected[k])));
  }
}
