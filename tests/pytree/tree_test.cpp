// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <exprax/program/expr.hpp>
#include <exprax/pytree/tree.hpp>

namespace ex = exprax;
namespace hana = boost::hana;
using namespace hana::literals;

namespace {

template <template <class, auto...> class Array>
struct dense {
  Array<float, 4, 2> w;
  Array<float, 2> b;
};
template <template <class, auto...> class Array>
struct network {
  dense<Array> first, second;
  Array<float> scale;
};

template <class Leaf>
struct to_expr {
  using type = Leaf;
};
template <class T, int... D>
struct to_expr<ex::array<T, D...>> {
  using type = ex::expr<T, D...>;
};
template <class Leaf>
struct with_batch {
  using type = Leaf;
};
template <class T, int... D>
struct with_batch<ex::array<T, D...>> {
  using type = ex::array<T, 7, D...>;
};
template <class Leaf>
struct without_batch {
  using type = Leaf;
};
template <class T, int N, int... D>
struct without_batch<ex::array<T, N, D...>> {
  using type = ex::array<T, D...>;
};

template <class Leaf>
struct in_a_dense {
  using type = dense<ex::array>;
};
template <template <class, auto...> class Array>
struct scalar {
  Array<float> x;
};
template <class Leaf>
struct in_a_scalar {
  using type = scalar<ex::array>;
};

template <class A, class B>
constexpr bool same = std::is_same_v<A, B>;

using x3 = ex::array<float, 3>;

constexpr auto weight = BOOST_HANA_STRING("w");
constexpr auto bias = BOOST_HANA_STRING("b");

}  // namespace

static_assert(ex::detail::node<dense<ex::array>>::size == 2 && ex::detail::node<network<ex::expr>>::size == 3);
static_assert(ex::detail::node<dense<ex::view>>::size == 2);
static_assert(ex::detail::leaf_count<network<ex::array>> == 5);
static_assert(ex::detail::leaf_count<std::tuple<x3, std::pair<int, std::array<x3, 4>>, ex::static_t<5>, ex::none_t>> == 6);

static_assert(same<ex::detail::map_t<std::tuple<x3, std::pair<int, x3>>, to_expr>, std::tuple<ex::expr<float, 3>, std::pair<int, ex::expr<float, 3>>>>);
static_assert(same<ex::detail::map_t<std::array<x3, 2>, to_expr>, std::array<ex::expr<float, 3>, 2>>);
static_assert(same<ex::detail::map_t<network<ex::array>, to_expr>, network<ex::expr>>);
static_assert(same<decltype(ex::detail::map_t<dense<ex::array>, with_batch>::w), ex::array<float, 7, 4, 2>>);
static_assert(same<ex::detail::map_t<ex::detail::map_t<dense<ex::array>, with_batch>, without_batch>, dense<ex::array>>);
// Members may become trees.
static_assert(same<decltype(ex::detail::map_t<ex::detail::map_t<dense<ex::array>, in_a_dense>, to_expr>::b), dense<ex::expr>>);
static_assert(same<decltype(ex::detail::map_t<scalar<ex::array>, in_a_scalar>::x), scalar<ex::array>>);
static_assert(ex::tree_map([](auto const& x) { return scalar<ex::array>{x}; }, scalar<ex::array>{2}).x.x == 2.0f);

TEST_CASE("tree_map keeps the structure") {
  constexpr auto twice = [](auto const& x) { return x + x; };
  constexpr auto plus = [](auto const& x, auto const& y) { return x + y; };
  constexpr auto t = ex::tuple(1, std::pair(2, std::array{3, 4}), ex::static_<5>);
  static_assert(ex::tree_map(twice, t) == ex::tuple(2, std::pair(4, std::array{6, 8}), ex::static_<5>));
  static_assert(ex::tree_map(plus, std::array{1, 2}, std::array{3, 4}) == std::array{4, 6});
  static_assert(ex::tree_leaves(t) == ex::tuple(1, 2, 3, 4));
  static_assert(ex::get<1>(ex::get<1>(t))[1] == 4);
}

TEST_CASE("structs over Array") {
  constexpr auto negative = [](auto const& x) {
    auto y = x;
    for (auto& e : y) e = -e;
    return y;
  };
  network<ex::array> n{};
  n.second.b(1) = 3;
  network<ex::array> const m = ex::tree_map(negative, n);
  CHECK(m.second.b(1) == -3);
  auto const leaves = ex::tree_leaves(m);
  CHECK(std::get<3>(leaves)(1) == -3);
}

TEST_CASE("Hana tuples and maps") {
  constexpr auto twice = [](auto const& x) { return x * 2; };
  constexpr auto t = hana::make_tuple(1, 2.5);
  static_assert(ex::tree_map(twice, t)[1_c] == 5.0);
  constexpr auto m = hana::make_map(hana::make_pair(weight, 1), hana::make_pair(bias, 2));
  static_assert(ex::tree_map(twice, m)[bias] == 4);
  static_assert(ex::detail::leaf_count<std::remove_const_t<decltype(m)>> == 2);
  static_assert(same<ex::detail::map_t<decltype(hana::make_map(hana::make_pair(weight, x3{}))), to_expr>,
                     decltype(hana::make_map(hana::make_pair(weight, ex::expr<float, 3>{})))>);
}
