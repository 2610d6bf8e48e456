// SPDX-License-Identifier: BSL-1.0
// gather and scatter with all dimension numbers: the examples of StableHLO's interpreter, modes, duplicates, batches, dtypes of indices.
#include <limits>
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

template <int... D>
using longs = ex::array<std::int64_t, D...>;

constexpr auto counted(auto a) {
  for (std::ptrdiff_t k = 0; k < a.size(); ++k) a.data()[k] = k + 1;
  return a;
}
constexpr auto plain = counted(longs<3, 4, 2>());
constexpr auto stacked = counted(longs<2, 3, 4, 2>());
constexpr longs<2, 3, 2> read_at{0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 0, 9}, write_at{0, 2, 1, 0, 2, 1, 0, 1, 1, 0, 0, 9};
constexpr longs<2, 2, 3, 2> batch_at{0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 0, 9, 0, 0, 2, 1, 2, 2, 1, 2, 0, 1, 1, 0};

constexpr ex::gather_dimension_numbers read_numbers{.offset_dims = {2, 3}, .collapsed_slice_dims = {0}, .start_index_map = {1, 0}};
constexpr ex::gather_dimension_numbers read_batches{
    .offset_dims = {3, 4}, .collapsed_slice_dims = {1}, .start_index_map = {2, 1}, .operand_batching_dims = {0}, .start_indices_batching_dims = {1}};
constexpr ex::scatter_dimension_numbers write_numbers{.update_window_dims = {2, 3}, .inserted_window_dims = {0}, .scatter_dims_to_operand_dims = {1, 0}};
constexpr ex::scatter_dimension_numbers write_batches{
    .update_window_dims = {3, 4}, .inserted_window_dims = {1}, .scatter_dims_to_operand_dims = {2, 1}, .operand_batching_dims = {0}, .scatter_indices_batching_dims = {1}};

constexpr auto documented = [](auto x, auto i, auto j, auto y, auto b) {
  auto const ones = ex::ones<std::int64_t, 2, 3, 2, 2>();
  return std::tuple(ex::gather<read_numbers>(x, i, ex::slice_sizes<1, 2, 2>, ex::mode_clip), ex::gather<read_batches>(y, b, ex::slice_sizes<1, 1, 2, 2>, ex::mode_clip),
                    ex::scatter_add<write_numbers>(x, j, ones), ex::scatter_add<write_batches>(y, b, ex::ones<std::int64_t, 2, 2, 3, 2, 2>()));
};
constexpr std::tuple documented_expected(
    longs<2, 3, 2, 2>{1, 2, 3, 4, 3, 4, 5, 6, 13, 14, 15, 16, 9, 10, 11, 12, 11, 12, 13, 14, 17, 18, 19, 20},
    longs<2, 2, 3, 2, 2>{1,  2,  3,  4,  3,  4,  5,  6,  13, 14, 15, 16, 33, 34, 35, 36, 35, 36, 37, 38, 41, 42, 43, 44,
                         1,  2,  3,  4,  13, 14, 15, 16, 21, 22, 23, 24, 43, 44, 45, 46, 33, 34, 35, 36, 27, 28, 29, 30},
    longs<3, 4, 2>{1, 2, 5, 6, 7, 8, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 21, 22, 23, 24},
    longs<2, 3, 4, 2>{3,  4,  6,  7,  6,  7,  7,  8,  9,  10, 11, 12, 15, 16, 17, 18, 17, 18, 19, 20, 22, 23, 24, 25,
                      25, 26, 28, 29, 30, 31, 31, 32, 35, 36, 38, 39, 38, 39, 39, 40, 41, 42, 44, 45, 46, 47, 47, 48});
static_assert(ex::jit(documented)(plain, read_at, write_at, stacked, batch_at) == documented_expected);

// Rows of a matrix: what becomes of indices out of range, and of several that are equal.
constexpr ex::gather_dimension_numbers rows{.offset_dims = {1}, .collapsed_slice_dims = {0}, .start_index_map = {0}};
constexpr ex::scatter_dimension_numbers to_rows{.update_window_dims = {1}, .inserted_window_dims = {0}, .scatter_dims_to_operand_dims = {0}};
constexpr ex::array<float, 2, 3> x{1, 2, 3, 4, 5, 6};
constexpr ex::array<std::int32_t, 3, 1> at{1, 2, 1};
constexpr ex::array<float, 3, 3> u{1, 1, 1, 2, 2, 2, 8, 0, 8};
constexpr auto modes = [](auto x, auto i, auto u, auto v) {
  return std::tuple(ex::gather<rows>(x, i, ex::slice_sizes<1, 3>, ex::mode_fill, ex::fill_value(-1)),
                    ex::gather<rows>(x, i, ex::slice_sizes<1, 2>, ex::mode_fill, ex::fill_value(v)),
                    ex::gather<rows>(x, ex::astype<std::uint32_t>(i - 2), ex::slice_sizes<1, 1>, ex::mode_promise_in_bounds), ex::scatter<to_rows>(x, i, u),
                    ex::scatter<to_rows>(x, i, u, ex::mode_clip), ex::scatter_mul<to_rows>(x, i, u, ex::mode_promise_in_bounds),
                    ex::scatter_min<to_rows>(x, i, u), ex::scatter_max<to_rows>(x, i, u, ex::mode_drop));
};
constexpr std::tuple modes_expected(ex::array<float, 3, 3>{4, 5, 6, -1, -1, -1, 4, 5, 6}, ex::array<float, 3, 2>{4, 5, 9, 9, 4, 5},
                                    ex::array<float, 3, 1>{4, 1, 4}, ex::array<float, 2, 3>{1, 2, 3, 8, 0, 8}, ex::array<float, 2, 3>{1, 2, 3, 8, 0, 8},
                                    ex::array<float, 2, 3>{1, 2, 3, 64, 0, 96}, ex::array<float, 2, 3>{1, 2, 3, 1, 0, 1},
                                    ex::array<float, 2, 3>{1, 2, 3, 8, 5, 8});
static_assert(ex::jit(modes)(x, at, u, 9) == modes_expected);
// As lax's, an index out of range reads NaN, or the least integer, if no mode is given.
static_assert(ex::array_equal(ex::gather<rows>(ex::array<std::int32_t, 2, 1>{3, 4}, at, ex::slice_sizes<1, 1>),
                              ex::array<std::int32_t, 3, 1>{4, std::numeric_limits<std::int32_t>::min(), 4}));

// A batch of calls is a call for each; and what is not in a trace runs at once.
constexpr auto both = [](auto x, auto i, auto u) {
  return std::tuple(ex::gather<rows>(x, i, ex::slice_sizes<1, 3>, ex::mode_fill), ex::scatter_add<to_rows>(x, i, u));
};
constexpr ex::array<std::int32_t, 2, 2, 1> two{0, 1, 1, 1};
constexpr std::tuple both_expected(ex::array<float, 2, 2, 3>{1, 2, 3, 4, 5, 6, 4, 5, 6, 4, 5, 6},
                                   ex::array<float, 2, 2, 3>{2, 3, 4, 5, 6, 7, 1, 2, 3, 6, 7, 8});
static_assert(ex::jit(ex::vmap(both, ex::in_axes<ex::none, 0, ex::none>))(x, two, ex::array<float, 2, 3>::full(1)) == both_expected);
static_assert(ex::lax::scatter_add<to_rows>(x, at, u) == ex::array<float, 2, 3>{1, 2, 3, 13, 6, 15});

}  // namespace

TEST_CASE("gather and scatter") {
  CHECK(ex::jit(documented)(plain, read_at, write_at, stacked, batch_at) == documented_expected);
  CHECK(ex::jit(modes)(x, at, u, 9) == modes_expected);
  CHECK(ex::jit(ex::vmap(both, ex::in_axes<ex::none, 0, ex::none>))(x, two, ex::array<float, 2, 3>::full(1)) == both_expected);
}
