// SPDX-License-Identifier: BSL-1.0
// Trees as Python shows them.
#include <sstream>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace {

namespace ex = exprax;
template <int... D>
using floats = ex::array<float, D...>;

template <template <class, auto...> class Array>
struct dense {
  Array<float, 2, 2> w;
  Array<float, 2> b;
};

static_assert(ex::tree_repr(std::tuple(floats<>(3), floats<2>{1, 2})) ==
              "(Array(3., dtype=float32), Array([1., 2.], dtype=float32))");
static_assert(ex::tree_repr(std::tuple(ex::array<int>(1))) == "(Array(1, dtype=int32),)");
static_assert(ex::tree_repr(std::pair(ex::array<bool>(true), std::tuple<>())) == "(Array(True, dtype=bool), ())");
static_assert(ex::tree_repr(std::tuple(ex::none, 2, 0.5f, false, ex::static_<7>)) == "(None, 2, 0.5, False, 7)");
static_assert(ex::tree_repr(std::array{ex::array<int>(1), ex::array<int>(2)}) == "[Array(1, dtype=int32), Array(2, dtype=int32)]");
static_assert(ex::tree_repr(dense<ex::array>{{1, 2, 3, 4}, {1, 2}}) ==
              "dense(Array([[1., 2.],\n       [3., 4.]], dtype=float32), Array([1., 2.], dtype=float32))");
static_assert(ex::tree_repr(std::tuple(ex::random::key(42))) == "(Array((), dtype=key<fry>) overlaying:\n[ 0 42],)");

}  // namespace

TEST_CASE("trees in streams") {
  std::ostringstream out;
  out << ex::value_and_grad([](auto x) { return ex::sum(x * x); })(floats<2>{1, 2});
  out << boost::hana::make_map(boost::hana::make_pair(BOOST_HANA_STRING("w"), ex::array<int, 2>{1, 2}),
                               boost::hana::make_pair(BOOST_HANA_STRING("b"), floats<>(0.5f)));
  CHECK(out.str() ==
        "(Array(5., dtype=float32), Array([2., 4.], dtype=float32)){'w': Array([1, 2], dtype=int32), 'b': Array(0.5, dtype=float32)}");
}
