// SPDX-License-Identifier: BSL-1.0
// Indexed reads and updates in a batch are those of each row: with x, the indices, or both mapped; equal indices included.
#include <tuple>
#include <utility>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

template <int... D>
using ints = ex::array<std::int32_t, D...>;

constexpr auto indexed = [](auto x, auto i) {
  auto const column = i(ex::all, ex::newaxis);
  return std::tuple(x(i), x.at(i).add(1), x.at(i, 0).get(ex::mode_fill, ex::fill_value(7)), ex::take_along_axis(x, column, ex::axis<0>), x(ex::all, i),
                    x.at(ex::all, i).set(x(0, 0)), x.at(x > 2).multiply(-1), ex::repeat<3>(i, i), ex::bincount<3>(i),
                    x.at(i, ex::slice<ex::none, ex::none, -1>).max(3), ex::put_along_axis(x, column, 9, ex::axis<0>));
};
constexpr ints<3, 2, 2> x{1, 2, 3, 4, 5, 6, 7, 8, -1, -2, -3, -4};
constexpr ints<3, 2> i{0, 1, 1, 5, -1, 2};

// Whether row k of each array of the batch is the array.
template <class All, class One>
constexpr bool is_row(All const& all, One const& one, int k) {
  for (std::ptrdiff_t n = 0; n < one.size(); ++n)
    if (all.data()[k * one.size() + n] != one.data()[n]) return false;
  return true;
}
template <class All, class One>
constexpr bool are_rows(All const& all, One const& one, int k) {
  return [&]<std::size_t... N>(std::index_sequence<N...>) {
    return (is_row(std::get<N>(all), std::get<N>(one), k) && ...);
  }(std::make_index_sequence<std::tuple_size_v<One>>());
}
constexpr bool holds() {
  auto const both = ex::jit(ex::vmap(indexed))(x, i);
  bool good = true;
  for (int k = 0; k < 3; ++k) good = good && are_rows(both, ex::jit(indexed)(x(k), i(k)), k);
  auto const first = ex::jit(ex::vmap(indexed, ex::in_axes<0, ex::none>))(x, i(1));
  auto const second = ex::jit(ex::vmap(indexed, ex::in_axes<ex::none, 0>))(x(2), i);
  auto const one = ex::jit(indexed)(x(2), i(1));
  return good && are_rows(first, one, 2) && are_rows(second, one, 1);
}
static_assert(holds());

}  // namespace

TEST_CASE("batches of indexed reads and updates") { CHECK(holds()); }
