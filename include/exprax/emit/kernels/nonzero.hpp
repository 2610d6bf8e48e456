// SPDX-License-Identifier: BSL-1.0
// Kernels of `nonzero`: the mask is computed pack by pack, and the positions of its ones are appended to the results: a whole register is
// stored, and the next store overwrites its unused lanes. With AVX-512 an instruction compresses the lanes, else a table has the positions
// of the ones in 4 or 8 bits. The results of the other axes are filled row by row.
#pragma once

#include <exprax/emit/kernels/loop.hpp>

namespace exprax::detail {

// For each bit pattern, the positions of its ones: the first `count` entries of `of`. For 4 bits they are 32-bit lanes, 16 bytes; for 8
// bits they are bytes, which keeps the table small.
template <int Bits>
struct ones_table {
  using place = std::conditional_t<Bits == 4, std::int32_t, std::uint8_t>;
  struct entry {
    place of[Bits] = {};
  };
  entry at[1 << Bits] = {};
  std::uint8_t count[1 << Bits] = {};
  constexpr ones_table() {
    for (int bits = 0; bits < 1 << Bits; ++bits)
      for (int i = 0; i < Bits; ++i)
        if (bits >> i & 1) at[bits].of[count[bits]++] = static_cast<place>(i);
  }
};
template <int Bits>
inline constexpr ones_table<Bits> ones_of{};

template <class Plan, int K>
struct nonzero_code {
  static constexpr nonzero_kernel k = Plan::storage.nonzeros[K];
  using T = element_t<k.type>;
  static constexpr int axes = k.rank - k.batch;
  static constexpr std::ptrdiff_t size = k.size;
  struct results {
    T* of[axes];
  };

  template <bool Vector, class Env>
  EXPRAX_INLINE static constexpr void go(Env const& env) {
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      results out{{env.template buffer<Plan::storage.tables[k.table + I]>()...}};
      std::ptrdiff_t index[max_rank] = {}, mask = 0;
      for_masks<0>(index, [&]() EXPRAX_LAMBDA_INLINE {
        std::ptrdiff_t n = rows<Vector, k.batch>(env, index, out, 0);
        (fill(out.of[I], n, fill_value<I>(env, mask)), ...);
        for (T*& p : out.of) p += size;
        ++mask;
      });
    }(std::make_integer_sequence<int, axes>{});
  }

 private:
  static constexpr int group = k.group;

  template <int I, class Env>
  EXPRAX_INLINE static constexpr T fill_value([[maybe_unused]] Env const& env, [[maybe_unused]] std::ptrdiff_t mask) {
    if constexpr (k.fills) {
      constexpr int from = Plan::storage.tables[k.table + axes + I];
      return convert_number<T>(env.template buffer<from>()[Plan::storage.buffers[from].size > 1 ? mask : 0]);
    } else {
      return T(0);
    }
  }
  template <int Axis, class F>
  EXPRAX_INLINE static constexpr void for_masks(std::ptrdiff_t* index, F const& f) {
    if constexpr (Axis == k.batch) f();
    else
      for (index[Axis] = 0; index[Axis] < k.dims[Axis]; ++index[Axis]) for_masks<Axis + 1>(index, f);
  }

  // All rows from axis Axis on; n positions were found before. Returns the number found so far.
  template <bool Vector, int Axis, class Env>
  EXPRAX_INLINE static constexpr std::ptrdiff_t rows(Env const& env, std::ptrdiff_t* index, results const& out, std::ptrdiff_t n) {
    if constexpr (Axis == k.rank - 1) {
      return row<(Vector ? Plan::storage.boxes[k.box].lanes : 1)>(env, index, out.of[axes - 1], n);
    } else {
      for (index[Axis] = 0; index[Axis] < k.dims[Axis] && n < size; ++index[Axis]) {
        std::ptrdiff_t const before = n;
        n = rows<Vector, Axis + 1>(env, index, out, n);
        repeat<Vector>(out.of[Axis - k.batch], before, n, static_cast<T>(index[Axis]));
      }
      return n;
    }
  }
  template <int L, class Env>
  EXPRAX_INLINE static constexpr std::ptrdiff_t row(Env const& env, std::ptrdiff_t const* index, T* out, std::ptrdiff_t n) {
    constexpr int first = Plan::storage.boxes[k.box].step, n_row = Plan::storage.boxes[k.box].n_row,
                  n_step = Plan::storage.boxes[k.box].n_step;
    constexpr std::ptrdiff_t extent = k.dims[k.rank - 1], whole = extent / L * L;
    if constexpr (L > 1 && (extent < L || extent < 4)) {
      return row<(extent < 4 ? 1 : L / 2)>(env, index, out, n);
    } else {
      auto const at = box_pointers<Plan, k.box, k.rank>::template make<k.rank>(env, index);
      registers<Plan, k.box, L> r;
      run_all_steps<Plan, first, n_row, L, k.rank, L, phase::compute>(r, env, at, index, 0);
      auto const mask = [&](std::ptrdiff_t x) EXPRAX_LAMBDA_INLINE {
        run_all_steps<Plan, first + n_row, n_step - n_row, L, k.rank, L, phase::compute>(r, env, at, index, x);
        return r.template file<bool>()[k.result];
      };
      if constexpr (L == 1) {
        for (std::ptrdiff_t x = 0; x < extent && n < size; ++x) {
          out[n] = static_cast<T>(x);
          n += mask(x).value;
        }
      } else {
        for (std::ptrdiff_t x = 0; x < whole; x += L) n = append<L>(out, n, bits_of(mask(x)), x);
        // The last pack has lanes that were processed before.
        if constexpr (whole < extent)
          n = append<L>(out, n, bits_of(mask(extent - L)) >> (whole + L - extent) << (whole + L - extent), extent - L);
      }
      return n;
    }
  }

  // The positions x + i of the ones among L bits.
  template <int L>
  EXPRAX_INLINE static std::ptrdiff_t append(T* out, std::ptrdiff_t n, std::uint64_t bits, std::ptrdiff_t x) {
    constexpr std::ptrdiff_t most = L > group ? L : group;
    if (n + most > size) {
      for (; bits != 0 && n < size; bits &= bits - 1) out[n++] = static_cast<T>(x + __builtin_ctzll(bits));
    } else {
#if EXPRAX_SIMD
      if constexpr (L >= 32)
        if (bits == 0) return n;
      for (int i = 0; i < L; i += group) {
        auto const base = simd::pack<std::int32_t, group>(static_cast<std::int32_t>(x + i));
        if constexpr (group == 16) {
          unsigned const some = static_cast<unsigned>(bits >> i) & 0xffffu;
          simd::store(convert<T>(compress(simd::iota<std::int32_t, group>() + base, some)), out + n);
          n += __builtin_popcount(some);
        } else {
          std::size_t const some = bits >> i & ((1u << group) - 1u);
          auto const found = simd::load<typename ones_table<group>::place, group>(ones_of<group>.at[some].of);
          simd::store(convert<T>(convert<std::int32_t>(found) + base), out + n);
          n += ones_of<group>.count[some];
        }
      }
#endif
    }
    return n;
  }
  // Writes one value to positions n to end; memory after them may be overwritten.
  template <bool Vector>
  EXPRAX_INLINE static constexpr void repeat(T* out, std::ptrdiff_t n, std::ptrdiff_t end, T value) {
#if EXPRAX_SIMD
    if constexpr (Vector)
      for (; n < end && n + group <= size; n += group) simd::store(simd::pack<T, group>(value), out + n);
#endif
    for (; n < end; ++n) out[n] = value;
  }
  EXPRAX_INLINE static constexpr void fill(T* out, std::ptrdiff_t n, T value) {
#if EXPRAX_SIMD
    if (!__builtin_is_constant_evaluated()) return repeat<true>(out, n, size, value);
#endif
    repeat<false>(out, n, size, value);
  }
};

template <class Plan, int K, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_nonzero(Env const& env) {
  nonzero_code<Plan, K>::template go<Vector>(env);
}

}  // namespace exprax::detail
