// SPDX-License-Identifier: BSL-1.0
// Where the loads and stores of a row of a box begin, and loads that gather: at offsets that steps compute, or at index vectors in memory,
// along which packs run, or one for the whole row.
#pragma once

#include <exprax/emit/kernels/environment.hpp>
#include <exprax/emit/kernels/strided.hpp>
#include <exprax/primitives/all.hpp>

namespace exprax::detail {

// The part of an access that does not change in the loop over the last axis, without terms.
template <class Plan, int Access, int Rank>
EXPRAX_INLINE constexpr std::ptrdiff_t static_row_offset(std::ptrdiff_t const* index) {
  std::ptrdiff_t at = Plan::storage.accesses[Access].base;
  [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
    ((at += Plan::storage.accesses[Access].stride[I] * index[I]), ...);
  }(std::make_integer_sequence<int, (Rank > 0 ? Rank - 1 : 0)>{});
  return at;
}

template <class Plan, int Access>
using element_of_access = element_t<Plan::storage.buffers[Plan::storage.accesses[Access].buffer].type>;
// Column 0 may be outside of the buffer, if a box begins later in the row.
template <class Plan, int Access>
struct row_pointer {
  element_of_access<Plan, Access>* p;
  std::ptrdiff_t first;
};

template <class Plan, int Access>
inline constexpr bool gathers_memory = is_gathered(Plan::storage, Plan::storage.accesses[Access]);
template <class Plan, int Access, int Rank>
inline constexpr bool gathers_elements =
    Rank > 0 && has_indices_along(Plan::storage, Plan::storage.accesses[Access], Rank > 0 ? Rank - 1 : 0);
// Whether a box gathers: where its rows begin is not known before index vectors are read.
template <class Plan, int Box>
inline constexpr bool gathers_rows = [] {
  box const& b = Plan::storage.boxes[Box];
  for (int s = b.step; s < b.step + b.n_step; ++s)
    if (step const& x = Plan::storage.steps[s]; x.kind == step_kind::load && is_gathered(Plan::storage, Plan::storage.accesses[x.access]))
      return true;
  return false;
}();
// f(term) for each component of the index vectors.
template <class Plan, int Access, class F>
EXPRAX_INLINE constexpr void for_components(F const& f) {
  [&]<int... Q>(std::integer_sequence<int, Q...>) EXPRAX_LAMBDA_INLINE {
    (f(std::integral_constant<int, Plan::storage.accesses[Access].term + Q>{}), ...);
  }(std::make_integer_sequence<int, Plan::storage.accesses[Access].n_term>{});
}

// ---- Rows: those with an index vector out of bounds are read from memory that is full of the fill value

template <class T, std::uint64_t Bits, std::ptrdiff_t N>
struct filled_row {
  struct elements {
    T of[N];
  };
  alignas(64) static constexpr elements data = [] {
    elements r{};
    for (T& x : r.of) x = from_bits<T>(Bits);
    return r;
  }();
};
// The end of the rows in which a box reads an access.
template <class Plan, int Access>
constexpr std::ptrdiff_t end_of_row(int axis) {
  for (int b = 0; b < Plan::sizes.boxes; ++b) {
    box const& x = Plan::storage.boxes[b];
    for (int s = x.step; s < x.step + x.n_step; ++s)
      if (Plan::storage.steps[s].kind == step_kind::load && Plan::storage.steps[s].access == Access) return x.lo[axis] + x.extent[axis];
  }
  return 1;
}
template <class Plan, int Access, int Rank, class Env>
EXPRAX_INLINE constexpr row_pointer<Plan, Access> gathered_row(Env const& env, std::ptrdiff_t const* index) {
  constexpr access const& a = Plan::storage.accesses[Access];
  constexpr dynamic_term const& first = Plan::storage.terms[a.term];
  row_pointer<Plan, Access> r{env.template buffer<a.buffer>(), static_row_offset<Plan, Access, Rank>(index)};
  if constexpr (!gathers_elements<Plan, Access, Rank>) {
    bool inside = true;
    for_components<Plan, Access>([&](auto q) EXPRAX_LAMBDA_INLINE {
      constexpr dynamic_term const& t = Plan::storage.terms[q];
      std::int32_t i = env.template buffer<t.buffer>()[static_row_offset<Plan, t.walk, Rank>(index)];
      if constexpr (t.from_end > 0) i = i < 0 ? i + t.from_end : i;
      if constexpr (t.drops) inside = inside && i >= 0 && i <= t.limit;
      else i = i < 0 ? 0 : i > t.limit ? t.limit : i;
      r.first += static_cast<std::ptrdiff_t>(i) * t.stride;
    });
    if constexpr (first.drops) {
      using T = element_of_access<Plan, Access>;
      constexpr std::ptrdiff_t stride = a.stride[Rank - 1], last = (end_of_row<Plan, Access>(Rank - 1) - 1) * stride;
      using filled = filled_row<T, first.fill, (last < 0 ? -last : last) + 1>;
      if (!inside) r = {const_cast<T*>(filled::data.of), last < 0 ? -last : 0};
    }
  }
  return r;
}

// ---- Elements

#if EXPRAX_SIMD
// Lane I of an offset. Taken from registers, two at once: in memory all would wait for the store of the pack. Signed: it may be negative.
template <int I, int L, bool Signed>
EXPRAX_INLINE std::ptrdiff_t lane_of(simd::pack<std::int32_t, L> const& offset) {
  using of = simd::detail::layout<std::int32_t, L>;
  std::uint64_t pair = ((simd::detail::vec<std::uint64_t, of::bytes>)offset.reg[I / of::used])[I % of::used / 2];
#if defined(__clang__)
  asm("" : "+r"(pair));  // else it makes an instruction that gathers, which takes longer
#endif
  if constexpr (Signed) return static_cast<std::int32_t>(I % 2 == 0 ? pair : pair >> 32);
  else return static_cast<std::ptrdiff_t>(I % 2 == 0 ? static_cast<std::uint32_t>(pair) : pair >> 32);
}
// Elements First to First + N of p[offset], of which there are Count, and zeros. Parts of 16 bytes: g++ makes longer lists in memory.
template <class T, int N, int First, int Count, int L, bool Signed>
EXPRAX_INLINE raw<T, N> raw_at(T const* p, simd::pack<std::int32_t, L> const& offset) {
  if constexpr (N > 2 && N * sizeof(T) > 16) {
    return beside<T, N / 2>(raw_at<T, N / 2, First, Count, L, Signed>(p, offset),
                            raw_at<T, N / 2, First + N / 2, Count, L, Signed>(p, offset));
  } else {
    return [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      return raw<T, N>{(First + I < Count ? p[lane_of<First + I, L, Signed>(offset)] : T(0))...};
    }(std::make_integer_sequence<int, N>{});
  }
}
#endif
// The first Count lanes of p[offset]. Signed: it may be negative.
template <class T, int L, int Count, bool Signed>
EXPRAX_INLINE constexpr simd::pack<T, L> load_at(T const* p, simd::pack<std::int32_t, L> offset) {
  if constexpr (L == 1) {
    return simd::pack<T, 1>(p[offset.value]);
  } else {
#if EXPRAX_SIMD
    if constexpr (has_words<T, L>) {
      constexpr int n = lanes_of_register<T, L>;
      return make_registers<T, L>([&](auto i) EXPRAX_LAMBDA_INLINE { return raw_at<T, n, i * n, Count, L, Signed>(p, offset); });
    }
#endif
    std::int32_t at[L];
    simd::store(offset, at);
    T lanes[L] = {};
    for (int i = 0; i < Count; ++i) lanes[i] = p[at[i]];
    return simd::load<T, L>(lanes);
  }
}
// The elements of the buffer, if an access reads it at what index vectors add, and nothing else; or 0.
template <class Plan, int Access>
inline constexpr std::ptrdiff_t elements_of_table = [] {
  access const& a = Plan::storage.accesses[Access];
  for (std::ptrdiff_t const x : a.stride)
    if (x != 0) return std::ptrdiff_t{0};
  return a.base == 0 ? Plan::storage.buffers[a.buffer].size : 0;
}();
// Whether an index vector can make the offset of an access smaller.
template <class Tables>
constexpr bool has_negative_steps(Tables const& p, access const& a) {
  for (int t = a.term; t < a.term + a.n_term; ++t)
    if (p.terms[t].stride < 0) return true;
  return false;
}
// The lanes of an access from column x on, the first Count of which are in the row, at what index vectors add to it.
template <class Plan, int Access, int Rank, class T, int L, int Count, class Env>
EXPRAX_INLINE constexpr simd::pack<T, L> gathered_elements(Env const& env, std::ptrdiff_t const* index, std::ptrdiff_t x,
                                                           simd::pack<std::int32_t, L> offset) {
  constexpr access const& a = Plan::storage.accesses[Access];
  constexpr std::ptrdiff_t along = Rank > 0 ? a.stride[Rank > 0 ? Rank - 1 : 0] : 0;
#if EXPRAX_SIMD
  constexpr std::ptrdiff_t n = elements_of_table<Plan, Access>;
  if constexpr (n > 0 && n <= simd::longest_table<T, L>)
    return simd::look_up<static_cast<int>(n), T, L>(env.template buffer<a.buffer>(), offset);
#endif
  if constexpr (along != 0 && L > 1)
    offset = offset + simd::iota<std::int32_t, L>() * simd::pack<std::int32_t, L>(static_cast<std::int32_t>(along));
  constexpr bool is_signed = along < 0 || has_negative_steps(Plan::storage, a);
  T const* const p = env.template buffer<a.buffer>() + (static_row_offset<Plan, Access, Rank>(index) + x * along);
  return load_at<T, L, Count, is_signed>(p, offset);
}
// The same at index vectors in memory.
template <class Plan, int Access, int Rank, class T, int L, int Count, class Env>
EXPRAX_INLINE constexpr simd::pack<T, L> gathered_elements(Env const& env, std::ptrdiff_t const* index, std::ptrdiff_t x) {
  constexpr access const& a = Plan::storage.accesses[Access];
  constexpr dynamic_term const& first = Plan::storage.terms[a.term];
  using V = simd::pack<std::int32_t, L>;
  auto const least = [](auto a, auto b) EXPRAX_LAMBDA_INLINE { return primitive<prim::min>::kernel(a, b); };
  V offset(0);
  simd::pack<bool, L> inside(true);
  for_components<Plan, Access>([&](auto q) EXPRAX_LAMBDA_INLINE {
    constexpr dynamic_term const& t = Plan::storage.terms[q];
    constexpr std::ptrdiff_t stride = Plan::storage.accesses[t.walk].stride[Rank - 1];
    V i = load_lanes<std::int32_t, L, stride, Count>(env.template buffer<t.buffer>() +
                                                     (static_row_offset<Plan, t.walk, Rank>(index) + x * stride));
    // The smaller one of i and i + n as integers without a sign is in bounds if one of them is.
    if constexpr (t.from_end > 0) i = bitcast<std::int32_t>(least(bitcast<std::uint32_t>(i), bitcast<std::uint32_t>(i + V(t.from_end))));
    if constexpr (t.drops) {
      auto const given = bitcast<std::uint32_t>(i), at = least(given, simd::pack<std::uint32_t, L>(static_cast<std::uint32_t>(t.limit)));
      inside = inside & (at == given);
      i = bitcast<std::int32_t>(at);
    } else {
      i = least(primitive<prim::max>::kernel(i, V(0)), V(t.limit));
    }
    offset = offset + (t.stride == 1 ? i : i * V(static_cast<std::int32_t>(t.stride)));
  });
  simd::pack<T, L> const v = gathered_elements<Plan, Access, Rank, T, L, Count>(env, index, x, offset);
  if constexpr (first.drops) return select(inside, v, simd::pack<T, L>(from_bits<T>(first.fill)));
  else return v;
}

}  // namespace exprax::detail
