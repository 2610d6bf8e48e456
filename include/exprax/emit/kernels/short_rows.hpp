// SPDX-License-Identifier: BSL-1.0
// Loops whose rows are shorter than a pack, as x * w of [n, 3] and [3]: the rows of a strip, which lie one after the other in the results,
// are walked as one. What is read in another order, w here, or a value for each row, is first copied in that order to memory on the stack.
// The plan says for which boxes (box::strip).
#pragma once

#include <exprax/emit/kernels/steps.hpp>
#include <exprax/emit/kernels/threads.hpp>

namespace exprax::detail {

// The rows and columns of a box, and what they are in a strip.
template <class Plan, int Box, int Rank>
struct strip_shape {
  static constexpr box const& b = Plan::storage.boxes[Box];
  static constexpr std::ptrdiff_t columns = b.extent[Rank - 1], rows = b.extent[Rank - 2], rows_of_strip = b.strip;
  static constexpr std::ptrdiff_t strips = rows < rows_of_strip ? 1 : rows / rows_of_strip;
  // The last strip takes the rest, so that none is shorter than the others.
  static constexpr std::ptrdiff_t most_rows = rows < rows_of_strip ? rows : rows_of_strip + rows % rows_of_strip;
  static constexpr std::ptrdiff_t elements = most_rows * columns;
  static constexpr std::ptrdiff_t first_row(std::ptrdiff_t strip) { return strip * rows_of_strip; }
  static constexpr std::ptrdiff_t rows_in(std::ptrdiff_t strip) { return strip == strips - 1 ? rows - first_row(strip) : rows_of_strip; }
  // Of the packs by which rows are copied: they overlap.
  template <class T>
  static constexpr int lanes = [] {
    int n = sizeof(T) == 4 ? 4 : 2;
    while (n < columns) n *= 2;
    return n;
  }();
  static constexpr bool counts_along(int axis) {
    for (int s = b.step; s < b.step + b.n_step; ++s)
      if (step const& x = Plan::storage.steps[s]; x.kind == step_kind::iota && iota_axis(x) == axis) return true;
    return false;
  }
};

// One access of a box: elements in the order of the results.
template <class Plan, int Box, int Rank, int Access>
struct strip_access {
  using shape = strip_shape<Plan, Box, Rank>;
  using T = element_t<Plan::storage.buffers[Plan::storage.accesses[Access].buffer].type>;
  static constexpr access const& a = Plan::storage.accesses[Access];
  static constexpr std::ptrdiff_t row = a.stride[Rank - 2], column = a.stride[Rank - 1], columns = shape::columns;
  static constexpr bool is_direct = row == columns && column == 1, repeats = row == 0;
  // Packs that copy a row read beyond it, but not beyond the one after it.
  static constexpr bool has_packs = (sizeof(T) == 4 || sizeof(T) == 8) && (column == 0 || (column == 1 && row >= columns));
  static constexpr int lanes = shape::template lanes<T>;
  static constexpr int spread_lanes = this_target.register_bytes / static_cast<int>(sizeof(T));
  static constexpr bool spreads = has_packs && column == 0 && columns <= 8 && (row == 1 || loads_every<T, spread_lanes, row>);

  T* from = nullptr;  // the first element of the box, at an index of the outer axes
  T* at = nullptr;    // the first element of the strip
  T copy[is_direct ? 1 : shape::elements + lanes];

  template <class Env>
  EXPRAX_INLINE constexpr void bind(Env const& env, std::ptrdiff_t const* index) {
    from = env.template buffer<a.buffer>() + (row_offset<Plan, Access, Rank>(env, index) + shape::b.lo[Rank - 1] * column);
    if constexpr (!is_direct && repeats) fill(from, shape::most_rows, false);
  }
  EXPRAX_INLINE constexpr void start(std::ptrdiff_t strip) {
    std::ptrdiff_t const first = shape::first_row(strip);
    if constexpr (is_direct) at = from + first * columns;
    else if constexpr (!repeats) fill(from + first * row, shape::rows_in(strip), strip == shape::strips - 1);
    if constexpr (!is_direct) at = copy;
  }

 private:
  EXPRAX_INLINE constexpr void fill(T const* p, std::ptrdiff_t rows, [[maybe_unused]] bool is_last) {
    std::ptrdiff_t r = 0;
#if EXPRAX_SIMD
    if constexpr (spreads) {
      for (; r + spread_lanes <= rows; r += spread_lanes)
        spread(p + r * row, copy + r * columns, std::make_integer_sequence<int, static_cast<int>(columns)>{});
    } else if constexpr (has_packs && !repeats) {
      for (std::ptrdiff_t const end = column == 1 && is_last ? rows - 1 : rows; r < end; ++r) {
        if constexpr (column == 0) simd::store(simd::pack<T, lanes>(p[r * row]), copy + r * columns);
        else simd::store(simd::load<T, lanes>(p + r * row), copy + r * columns);
      }
    }
#endif
    for (; r < rows; ++r)
      for (std::ptrdiff_t c = 0; c < columns; ++c) copy[r * columns + c] = p[r * row + c * column];
  }
#if EXPRAX_SIMD
  // Each lane `columns` times.
  template <int... K>
  EXPRAX_INLINE static constexpr void spread(T const* p, T* to, std::integer_sequence<int, K...>) {
    auto const v = load_every<T, spread_lanes, row>(p);
    (store_raw<T, spread_lanes>(spread_part<K>(v, std::make_integer_sequence<int, spread_lanes>{}), to + K * spread_lanes), ...);
  }
  template <int K, class V, int... I>
  EXPRAX_INLINE static constexpr V spread_part(V v, std::integer_sequence<int, I...>) {
    return __builtin_shufflevector(v, v, ((K * spread_lanes + I) / static_cast<int>(columns))...);
  }
#endif
};

// The row, counted from the first of the strip, or the column of each element, for iota.
template <class Plan, int Box, int Rank, int Axis>
struct strip_index {
  using shape = strip_shape<Plan, Box, Rank>;
  static constexpr bool is_read = shape::counts_along(Axis);
  std::int32_t at[is_read ? shape::elements : 1];

  EXPRAX_INLINE constexpr strip_index() {
    if constexpr (is_read)
      for (std::ptrdiff_t r = 0; r < shape::most_rows; ++r)
        for (std::ptrdiff_t c = 0; c < shape::columns; ++c)
          at[r * shape::columns + c] = static_cast<std::int32_t>(Axis == Rank - 2 ? r : c);
  }
  template <class I, int L>
  EXPRAX_INLINE constexpr simd::pack<I, L> from(std::ptrdiff_t first, std::ptrdiff_t x) const {
    return simd::pack<I, L>(static_cast<I>(shape::b.lo[Axis] + first)) + convert<I>(simd::load<std::int32_t, L>(at + x));
  }
};

template <class Plan, int Box, int Rank, int... Access>
struct strip_pointers : strip_access<Plan, Box, Rank, Access>... {
  using shape = strip_shape<Plan, Box, Rank>;
  static constexpr bool in_strips = true;
  strip_index<Plan, Box, Rank, Rank - 2> row_of;
  strip_index<Plan, Box, Rank, Rank - 1> column_of;
  std::ptrdiff_t first_row = 0;

  template <class Env>
  EXPRAX_INLINE constexpr void bind([[maybe_unused]] Env const& env, [[maybe_unused]] std::ptrdiff_t const* index) {
    (strip_access<Plan, Box, Rank, Access>::bind(env, index), ...);
  }
  EXPRAX_INLINE constexpr void start(std::ptrdiff_t strip) {
    (strip_access<Plan, Box, Rank, Access>::start(strip), ...);
    first_row = shape::first_row(strip);
  }
  // As of row_pointers: x is the element of the strip.
  template <int A, int>
  static constexpr std::ptrdiff_t stride = 1;
  template <int A, int>
  static constexpr int place = -1;
  template <int A, int>
  EXPRAX_INLINE constexpr auto* lane(std::ptrdiff_t x) const {
    return strip_access<Plan, Box, Rank, A>::at + x;
  }
  template <class I, int L>
  EXPRAX_INLINE constexpr simd::pack<I, L> index(int axis, std::ptrdiff_t const* outer, std::ptrdiff_t x) const {
    if (axis == Rank - 1) return column_of.template from<I, L>(0, x);
    if (axis == Rank - 2) return row_of.template from<I, L>(first_row, x);
    return simd::pack<I, L>(axis == no_axis ? I{} : static_cast<I>(outer[axis]));
  }
};
template <class Plan, int Box, int Rank, class List, int... I>
constexpr auto strip_pointers_for(std::integer_sequence<int, I...>) -> strip_pointers<Plan, Box, Rank, List::accesses.of[I]...>;

// A strip has at least one pack. The last one may overlap the one before: it is computed first, and stored last.
template <class Plan, int Box, int Rank, int L, class Env, class Pointers>
EXPRAX_INLINE constexpr void run_strip(Env const& env, Pointers const& at, std::ptrdiff_t const* index, std::ptrdiff_t elements) {
  constexpr int first = Plan::storage.boxes[Box].step, n = Plan::storage.boxes[Box].n_step;
  auto const packs = [&]() EXPRAX_LAMBDA_INLINE {
    registers<Plan, Box, L> r;
    for (std::ptrdiff_t x = 0; x + L <= elements; x += L) run_all_steps<Plan, first, n, L, Rank, L, phase::all>(r, env, at, index, x);
  };
  if constexpr (strip_shape<Plan, Box, Rank>::elements % L == 0) {
    packs();
  } else {
    if (elements % L == 0) return packs();
    registers<Plan, Box, L> last;
    run_all_steps<Plan, first, n, L, Rank, L, phase::compute>(last, env, at, index, elements - L);
    packs();
    run_all_steps<Plan, first, n, L, Rank, L, phase::store>(last, env, at, index, elements - L);
  }
}
// Calls f(pointers, index, strip) for all strips, which threads share. Stores: the box stores its results.
template <class Plan, int Box, int Rank, bool Stores, bool Parallel, class Env, class F>
EXPRAX_INLINE constexpr void for_strips(Env const& env, F const& f) {
  using shape = strip_shape<Plan, Box, Rank>;
  constexpr int outer = Rank - 2;
  int extents[outer + 1] = {};
  for (int i = 0; i < outer; ++i) extents[i] = shape::b.extent[i];
  extents[outer] = static_cast<int>(shape::strips);
  for_parts<Parallel>(count_of(extents, outer + 1), [&](std::ptrdiff_t first, std::ptrdiff_t end) EXPRAX_LAMBDA_INLINE {
    using list = access_list<Plan, Box, Rank, Stores>;
    decltype(strip_pointers_for<Plan, Box, Rank, list>(std::make_integer_sequence<int, list::count>{})) at;
    bool is_bound = false;
    for_indices<outer + 1>(extents, first, end, [&](std::ptrdiff_t const* from) EXPRAX_LAMBDA_INLINE {
      std::ptrdiff_t index[Rank];
      for (int i = 0; i < outer; ++i) index[i] = shape::b.lo[i] + from[i];
      index[outer] = shape::b.lo[outer];
      std::ptrdiff_t const strip = from[outer];
      if (!is_bound || strip == 0) at.bind(env, index);
      is_bound = true;
      at.start(strip);
      f(at, index, strip);
    });
  });
}
template <class Plan, int Box, int Rank, int L, bool Parallel, class Env>
EXPRAX_INLINE constexpr void run_strips(Env const& env) {
  using shape = strip_shape<Plan, Box, Rank>;
  for_strips<Plan, Box, Rank, true, Parallel>(
      env, [&](auto const& at, std::ptrdiff_t const* index, std::ptrdiff_t strip) EXPRAX_LAMBDA_INLINE {
        run_strip<Plan, Box, Rank, L>(env, at, index, shape::rows_in(strip) * shape::columns);
      });
}

}  // namespace exprax::detail
