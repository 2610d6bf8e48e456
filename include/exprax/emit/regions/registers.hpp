// SPDX-License-Identifier: BSL-1.0
// The registers of a region (plan/data/region.hpp): for each dtype a file of scalars and one of wide values. A wide value is a run of
// packs, or, in lanes, one pack. Several register files may run at once in lanes, each with whole iterations of its own, so that
// short-lived values live in only one of them.
#pragma once

#include <exprax/emit/kernels/steps.hpp>

namespace exprax::detail {

template <class T, int Scalars, int Wide, int L, int Packs>
struct region_file {
  simd::pack<T, 1> scalars[Scalars > 0 ? Scalars : 1];
  simd::pack<T, L> wide[Wide > 0 ? Wide : 1][Packs];
};
template <class T, int L, int Packs>
struct region_file<T, 0, 0, L, Packs> {};

// The slots of region K, and the iteration counts of the enclosing loops.
template <class Plan, int K, int L, class Types = std::make_integer_sequence<int, dtype_count>>
struct region_registers;
template <class Plan, int K, int L, int... D>
struct region_registers<Plan, K, L, std::integer_sequence<int, D...>>
    : region_file<element_t<static_cast<dtype>(D)>, Plan::storage.regions[K].scalars[D], Plan::storage.regions[K].wide[D], L,
                  (Plan::storage.regions[K].widest + L - 1) / L>... {
  static constexpr bool lanes = false;
  static constexpr int files = 1;
  static constexpr bool whole_iterations = false;
  static constexpr int packs_of(int n) { return (n + L - 1) / L; }
  static constexpr int packs = packs_of(Plan::storage.regions[K].widest);
  template <class T>
  using file_of = region_file<T, Plan::storage.regions[K].scalars[static_cast<int>(dtype_of<T>)],
                              Plan::storage.regions[K].wide[static_cast<int>(dtype_of<T>)], L, packs>;
  std::ptrdiff_t iteration[Plan::storage.regions[K].counters + 1];

  template <class T>
  EXPRAX_INLINE constexpr auto& scalar(int slot) {
    return static_cast<file_of<T>&>(*this).scalars[slot];
  }
  template <class T>
  EXPRAX_INLINE constexpr auto& wide(int slot, int pack) {
    return static_cast<file_of<T>&>(*this).wide[slot][pack];
  }
  // Pack `pack` of a value; a scalar is the same in all lanes.
  template <class T, bool Wide>
  EXPRAX_INLINE constexpr simd::pack<T, L> read(int slot, int pack) {
    if constexpr (Wide) return wide<T>(slot, pack);
    else return simd::pack<T, L>(scalar<T>(slot).value);
  }
};

template <int N, class F>
EXPRAX_INLINE constexpr void for_packs(F const& f) {
  [&]<int... P>(std::integer_sequence<int, P...>) EXPRAX_LAMBDA_INLINE { (f(std::integral_constant<int, P>{}), ...); }
  (std::make_integer_sequence<int, N>{});
}

// Registers for the lanes of one pack; Together: the number of lanes that run at once, in all register files.
template <class Plan, int K, int L, int Together = L, class Types = std::make_integer_sequence<int, dtype_count>>
struct lane_registers;
template <class Plan, int K, int L, int Together, int... D>
struct lane_registers<Plan, K, L, Together, std::integer_sequence<int, D...>>
    : region_file<element_t<static_cast<dtype>(D)>, Plan::storage.regions[K].scalars[D], Plan::storage.regions[K].wide[D], L, 1>... {
  static constexpr bool lanes = true;
  static constexpr int files = 1;
  static constexpr bool whole_iterations = false;
  static constexpr int together = Together;  // lanes that run at once, in all register files
  std::ptrdiff_t place = 0;                  // index of lane 0 among them
  static constexpr int axes = Plan::storage.regions[K].row_axes;
  static constexpr int packs_of(int) { return 1; }
  template <class T>
  using file_of = region_file<T, Plan::storage.regions[K].scalars[static_cast<int>(dtype_of<T>)],
                              Plan::storage.regions[K].wide[static_cast<int>(dtype_of<T>)], L, 1>;
  std::ptrdiff_t iteration[Plan::storage.regions[K].counters + 1];
  std::ptrdiff_t row[max_row_axes];  // of lane 0
  simd::pack<bool, L> active = simd::pack<bool, L>(true);

  template <class T>
  EXPRAX_INLINE constexpr auto& scalar(int slot) {
    return static_cast<file_of<T>&>(*this).scalars[slot];
  }
  template <class T>
  EXPRAX_INLINE constexpr auto& wide(int slot, int = 0) {
    return static_cast<file_of<T>&>(*this).wide[slot][0];
  }
  template <class T, bool Wide>
  EXPRAX_INLINE constexpr simd::pack<T, L> read(int slot, int) {
    if constexpr (Wide) return wide<T>(slot);
    else return simd::pack<T, L>(scalar<T>(slot).value);
  }
};

// Whole: one file executes a whole iteration after the other; else each step runs in all of them.
template <class Plan, int K, int L, int N, bool Whole>
struct lane_files {
  static constexpr bool lanes = true;
  static constexpr int files = N;
  static constexpr bool whole_iterations = Whole;
  static constexpr int axes = Plan::storage.regions[K].row_axes;
  static constexpr int packs_of(int) { return 1; }
  lane_registers<Plan, K, L, L * N> of[N];
  template <class T>
  EXPRAX_INLINE constexpr auto& scalar(int slot) {
    return of[0].template scalar<T>(slot);
  }
};

// Calls f for each register file; a file of its own is its only one.
template <class R, class F>
EXPRAX_INLINE constexpr void for_files(R& r, F const& f) {
  if constexpr (R::files == 1) f(r, std::integral_constant<int, 0>{});
  else for_packs<R::files>([&](auto k) EXPRAX_LAMBDA_INLINE { f(r.of[decltype(k)::value], k); });
}

}  // namespace exprax::detail
