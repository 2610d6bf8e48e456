// SPDX-License-Identifier: BSL-1.0
// Functions of jax.lax that are put together from others: patches, ragged products, upper halves of products, functions of named elements.
// Expected: JAX's tests (lax_test.py), NumPy.
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

using i32 = std::int32_t;

constexpr ex::array<float, 1, 5, 1> line{1, 2, 3, 4, 5};
constexpr auto patches = [](auto x) {
  constexpr auto numbers = ex::conv_dimension_numbers<"NHC", "OIH", "NHC">;
  return ex::tuple(ex::lax::conv_general_dilated_patches<2>(x, ex::window_strides<2>, ex::padding_valid, numbers),
                   ex::lax::conv_general_dilated_patches<3>(x, ex::window_strides<1>, ex::padding_same, ex::rhs_dilation<2>, numbers));
};

// A filter that is the same everywhere, and the numbers of its axes turned.
constexpr auto local = [](auto x, auto filters) {
  auto const everywhere = ex::broadcast_to<2, 4, 3>(ex::reshape<2, 4, 1>(filters));
  auto const turned = ex::lax::conv_general_dilated_local<2>(ex::transpose(x, ex::axis<2, 0, 1>), ex::transpose(everywhere, ex::axis<1, 2, 0>),
                                                             ex::window_strides<1>, ex::padding_valid, ex::rhs_dilation<2>,
                                                             ex::conv_dimension_numbers<"HNC", "IHO", "CHN">);
  return ex::tuple(ex::conv_general_dilated(x, filters, ex::window_strides<1>, ex::padding_valid, ex::rhs_dilation<2>),
                   ex::lax::conv_general_dilated_local<2>(x, everywhere, ex::window_strides<1>, ex::padding_valid, ex::rhs_dilation<2>),
                   ex::transpose(turned, ex::axis<2, 0, 1>));
};

constexpr ex::scatter_dimension_numbers rows{.inserted_window_dims = {0}, .scatter_dims_to_operand_dims = {0}};
constexpr auto named = [](auto x, auto i, auto u) {
  return ex::tuple(ex::lax::scatter_apply<rows, 3>(x, i, [](auto v) { return v * 2 + 1; }), ex::lax::scatter_sub<rows>(x, i, u));
};
constexpr auto products = [](auto a, auto b, auto w, auto sizes) { return ex::tuple(ex::lax::batch_matmul(a, b), ex::lax::ragged_dot(ex::reshape<4, 2>(a), w, sizes)); };
constexpr auto orders = [](auto x) {
  return ex::tuple(ex::lax::approx_min_k<2>(x), ex::lax::split<1, 0, 4>(x), ex::lax::argmax<std::int64_t>(x, ex::axis<0>), ex::lax::cumsum(ex::astype<std::int8_t>(x * 100)));
};
// The exponent's last six bits count; 0 to another power than 0 is 0.
constexpr auto powers = [](auto x, auto y) { return ex::power(x, y); };

}  // namespace

TEST_CASE("patches of a line") {
  auto const [pairs, dilated] = ex::jit(patches)(line);
  CHECK(pairs == ex::array<float, 1, 2, 2>{1, 2, 3, 4});
  CHECK(dilated == ex::array<float, 1, 5, 3>{0, 1, 3, 0, 2, 4, 1, 3, 5, 2, 4, 0, 3, 5, 0});
}
TEST_CASE("a local convolution with one filter is a convolution") {
  ex::array<float, 1, 2, 5> x{1, -2, 3, 0, 2, 4, 1, -1, 2, 5};
  ex::array<float, 2, 2, 2> w{1, 2, -1, 3, 0, 1, 2, -2};
  auto const [whole, local_one, turned] = ex::jit(local)(x, w);
  CHECK(whole == ex::array<float, 1, 2, 3>{0, 3, 23, 13, -2, -10});
  CHECK(local_one == whole);
  CHECK(turned == whole);
}
TEST_CASE("functions of elements that indices name, once for each") {
  auto const [applied, less] = ex::jit(named)(ex::array<float, 5>{0, 1, 2, 3, 4}, ex::array<i32, 3, 1>{1, 3, 1}, ex::array<float, 3>{1, 2, 3});
  CHECK(applied == ex::array<float, 5>{0, 7, 2, 7, 4});
  CHECK(less == ex::array<float, 5>{0, -3, 2, 1, 4});
}
TEST_CASE("batches and groups of matrices") {
  auto const [batched, ragged] = ex::jit(products)(ex::array<float, 2, 2, 2>{1, 2, 3, 4, 5, 6, 7, 8}, ex::array<float, 2, 2, 1>{1, 1, 2, -1},
                                                   ex::array<float, 3, 2, 1>{1, 1, 9, 9, 1, -1}, ex::array<i32, 3>{2, 0, 1});
  CHECK(batched == ex::array<float, 2, 2, 1>{3, 7, 4, 6});
  CHECK(ragged == ex::array<float, 4, 1>{3, 7, -1, 0});
}
TEST_CASE("orders, parts, running sums in lax's dtypes") {
  auto const [least, parts, at, sums] = ex::jit(orders)(ex::array<float, 5>{1, 0, -1, 1, 1});
  CHECK(ex::get<0>(least) == ex::array<float, 2>{-1, 0});
  CHECK(ex::get<1>(least) == ex::array<i32, 2>{2, 1});
  CHECK(ex::get<2>(parts) == ex::array<float, 4>{0, -1, 1, 1});
  CHECK(at() == 0);
  CHECK(sums == ex::array<std::int8_t, 5>{100, 100, 0, 100, -56});
}
TEST_CASE("powers and upper halves of integers") {
  CHECK(ex::jit(powers)(ex::array<i32, 6>{7, 0, 1, 100, 0, -3}, ex::array<i32, 6>{2, 0, 128, 5, 2, 31}) == ex::array<i32, 6>{49, 1, 1, 1410065408, 0, -1264544299});
  CHECK(ex::lax::mulhi(ex::array<i32, 3>{2147483647, -2147483647 - 1, 7}, ex::array<i32, 3>{-2147483647 - 1, -2147483647 - 1, -9}) == ex::array<i32, 3>{-1073741824, 1073741824, -1});
  CHECK(ex::lax::mulhi(ex::array<std::int64_t, 2>{-1, std::int64_t(1) << 62}, ex::array<std::int64_t, 2>{1, -6}) == ex::array<std::int64_t, 2>{-1, -2});
}
// StableHLO's interpreter test of select_and_scatter; and the other way.
TEST_CASE("values go to the element that a window picks") {
  ex::array<std::int64_t, 4, 2> const x{{1, 5}, {2, 5}, {3, 6}, {4, 4}}, places{{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  auto const [scattered, gathered] = ex::jit([](auto a, auto source, auto v) {
    constexpr auto first = [](auto p, auto q) { return p >= q; };
    return ex::tuple(ex::lax::select_and_scatter_add(source, a, first, ex::window_dimensions<3, 1>, ex::window_strides<2, 1>, ex::padding<0, 1, 0, 0>),
                     ex::lax::select_and_gather_add(v, a, first, ex::window_dimensions<3, 1>, ex::window_strides<2, 1>, ex::padding<0, 1, 0, 0>));
  })(x, ex::array<std::int64_t, 2, 2>{{5, 6}, {7, 8}}, places);
  CHECK(scattered == ex::array<std::int64_t, 4, 2>{{0, 0}, {0, 0}, {5, 14}, {7, 0}});
  CHECK(gathered == ex::array<std::int64_t, 2, 2>{{5, 6}, {7, 6}});
}
