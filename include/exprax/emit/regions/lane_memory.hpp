// SPDX-License-Identifier: BSL-1.0
// Loads and stores of a region in lanes (plan/data/region.hpp): elements of as many rows as a pack has lanes. If the elements of a row
// are contiguous, and those of the lanes are not, pieces of rows are transposed in registers.
#pragma once

#include <exprax/emit/regions/row_transposer.hpp>
#include <exprax/emit/regions/run_memory.hpp>

namespace exprax::detail {

// The permutation between N packs, each with one element of every row, and consecutive rows of N elements in memory.
template <int N, int L, bool ToMemory>
struct dense_rows {
  static constexpr int size = N * L;
  struct lanes {
    int of[size];
    constexpr int operator[](int i) const { return of[i]; }
  };
  static constexpr lanes at = [] {
    lanes r{};
    for (int i = 0; i < size; ++i) r.of[i] = ToMemory ? i % N * L + i / N : i % L * N + i / L;
    return r;
  }();
};

// g++ 12 does not accept a local constant as a template argument inside a lambda.
template <class Plan, int S, int L, int Together>
struct lane_access {
  static constexpr region_step s = Plan::storage.region_steps[S];
  static constexpr region_address a = Plan::storage.region_addresses[s.address];
  using T = element_t<s.type>;
  static constexpr int n = s.n_in;
  static constexpr bool wide = s.n > 1;
  static constexpr int unit = a.of_lanes ? Together : 1;  // distance between elements of one lane
  static constexpr bool has_wide_terms = [] {
    for (int i = 0; i < a.n_term; ++i)
      if (Plan::storage.region_terms[a.term + i].wide) return true;
    return false;
  }();
  static constexpr std::ptrdiff_t offset(int i) { return static_cast<std::ptrdiff_t>(Plan::storage.tables[s.table + 2 * i]) * unit; }
  static constexpr int slot(int i) { return Plan::storage.tables[s.table + 2 * i + 1]; }
  // The stride between lanes.
  template <class R>
  static constexpr std::ptrdiff_t stride = a.of_lanes ? 1 : a.row[R::axes - 1];
  // Whether the elements are contiguous in memory.
  static constexpr bool is_run = [] {
    for (int i = 1; i < n; ++i)
      if (offset(i) != offset(0) + i) return false;
    return true;
  }();
  // is_transposed: strided rows, transposed in registers; is_dense: rows of few elements, without gaps between rows.
  template <class R>
  static constexpr bool is_transposed = [] {
#if EXPRAX_SIMD
    if constexpr (std::is_same_v<T, bool> || L == 1) return false;
    else
      return row_transposer<T, L>::possible && n >= row_transposer<T, L>::side && is_run && !has_wide_terms && stride<R> != 0 &&
             stride<R> != 1;
#else
    return false;
#endif
  }();
  template <class R>
  static constexpr bool is_dense = L > 1 && n > 1 && is_run && stride<R> == n && !has_wide_terms && !is_transposed<R>;
};

// The address for lane 0, without the terms that vary.
template <class Plan, int A, int L, class R, class Env>
EXPRAX_INLINE constexpr auto* lane_pointer(R& r, Env const& env) {
  constexpr region_address a = Plan::storage.region_addresses[A];
  std::ptrdiff_t at = a.base;
  [&]<int... T>(std::integer_sequence<int, T...>) EXPRAX_LAMBDA_INLINE {
    ((at += [&]() EXPRAX_LAMBDA_INLINE -> std::ptrdiff_t {
      if constexpr (Plan::storage.region_terms[Plan::storage.region_addresses[A].term + T].wide) return 0;
      else return region_offset<Plan, Plan::storage.region_addresses[A].term + T>(r);
    }()), ...);
  }(std::make_integer_sequence<int, a.n_term>{});
  if constexpr (a.of_lanes) at = at * R::together + r.place;
  for (int i = 0; i < R::axes; ++i) at += r.row[i] * a.row[i];
  return env.template buffer<Plan::storage.region_addresses[A].buffer>() + at;
}

// Offsets of the lanes, and whether their indices are in bounds.
template <class Plan, int A, int L>
struct lane_offsets {
  std::ptrdiff_t at[L] = {};
  bool fits[L];

  template <int Term, class R>
  EXPRAX_INLINE constexpr void add(R& r) {
    constexpr region_term t = Plan::storage.region_terms[Term];
    if constexpr (t.wide) {
      using T = element_t<t.type>;
      T indices[L];
      simd::store(r.template wide<T>(t.slot), indices);
      for (int l = 0; l < L; ++l) {
        std::int64_t const i = static_cast<std::int64_t>(indices[l]);
        at[l] += static_cast<std::ptrdiff_t>(i < 0         ? 0
                                             : i > t.limit ? t.limit
                                                           : i) *
                 t.stride * (Plan::storage.region_addresses[A].of_lanes ? R::together : 1);
        if (i < 0 || i > t.limit) fits[l] = false;
      }
    } else if constexpr (t.counter == no_counter) {
      std::int64_t const i = region_scalar<Plan, Term>(r);
      if (i < 0 || i > t.limit)
        for (int l = 0; l < L; ++l) fits[l] = false;
    }
  }
  template <class R>
  EXPRAX_INLINE constexpr explicit lane_offsets(R& r) {
    for (bool& f : fits) f = true;
    [&]<int... T>(std::integer_sequence<int, T...>) EXPRAX_LAMBDA_INLINE {
      (add<Plan::storage.region_addresses[A].term + T>(r), ...);
    }(std::make_integer_sequence<int, Plan::storage.region_addresses[A].n_term>{});
  }
};

template <class Plan, int L, int S, class R, class Env>
EXPRAX_INLINE constexpr void run_lane_load(R& r, Env const& env) {
  using of = lane_access<Plan, S, L, R::together>;
  using T = typename of::T;
  using V = simd::pack<T, L>;
  constexpr std::ptrdiff_t stride = of::template stride<R>;
  auto const* const p = lane_pointer<Plan, of::s.address, L>(r, env);
  if constexpr (!of::wide) {
    for_packs<of::n>([&](auto i) EXPRAX_LAMBDA_INLINE {
      r.template scalar<T>(of::slot(decltype(i)::value)) = simd::pack<T, 1>(p[of::offset(decltype(i)::value)]);
    });
  } else if constexpr (of::has_wide_terms) {
    lane_offsets<Plan, of::s.address, L> const lanes(r);
    for_packs<of::n>([&](auto i) EXPRAX_LAMBDA_INLINE {
      T x[L];
      for (int l = 0; l < L; ++l) x[l] = p[of::offset(decltype(i)::value) + lanes.at[l] + l * stride];
      r.template wide<T>(of::slot(decltype(i)::value)) = load_lanes<T, L, 1, L>(x);
    });
  } else if constexpr (of::template is_transposed<R> && L > 1) {
#if EXPRAX_SIMD
    using rows = row_transposer<T, L>;
    for_transposed_parts<rows, of::n>([&](auto part) EXPRAX_LAMBDA_INLINE {
      constexpr int first = decltype(part)::first;
      auto const set = [&](auto element, auto u, typename rows::V x) EXPRAX_LAMBDA_INLINE {
        r.template wide<T>(of::slot(decltype(element)::value)).reg[decltype(u)::value] = x;
      };
      for_packs<rows::registers>([&](auto u) EXPRAX_LAMBDA_INLINE {
        if constexpr (decltype(part)::is_square) {
          typename rows::V v[rows::pieces][rows::side];
          rows::load_square(p + of::offset(first), stride, decltype(u)::value, v);
          for_packs<rows::lanes>([&](auto e) EXPRAX_LAMBDA_INLINE {
            constexpr int i = decltype(e)::value;
            set(number_of<first + i>{}, u, v[i / rows::side][i % rows::side]);
          });
        } else {
          typename rows::V v[rows::side];
          rows::load(p + of::offset(first), stride, decltype(u)::value, v);
          for_packs<rows::side>([&](auto e)
                                    EXPRAX_LAMBDA_INLINE { set(number_of<first + decltype(e)::value>{}, u, v[decltype(e)::value]); });
        }
      });
    });
#endif
  } else if constexpr (of::template is_dense<R>) {
#if EXPRAX_SIMD
    V in[of::n], out[of::n];
    for_packs<of::n>(
        [&](auto i) EXPRAX_LAMBDA_INLINE { in[decltype(i)::value] = load_lanes<T, L, 1, L>(p + of::offset(0) + decltype(i)::value * L); });
    simd::permute_wide<dense_rows<of::n, L, false>>(in, out, V(T{}));
    for_packs<of::n>([&](auto i) EXPRAX_LAMBDA_INLINE { r.template wide<T>(of::slot(decltype(i)::value)) = out[decltype(i)::value]; });
#endif
  } else {
    for_packs<of::n>([&](auto i) EXPRAX_LAMBDA_INLINE {
      constexpr std::ptrdiff_t at = of::offset(decltype(i)::value);
      auto& to = r.template wide<T>(of::slot(decltype(i)::value));
      if constexpr (L == 1 || stride == 0) {
        to = V(p[at]);
      } else if constexpr (stride == 1) {
        to = load_lanes<T, L, 1, L>(p + at);
        if constexpr (of::s.reused) to = simd::held(to);
      } else {
        T x[L];
        for (int l = 0; l < L; ++l) x[l] = p[at + l * stride];
        to = load_lanes<T, L, 1, L>(x);
      }
    });
  }
}

template <class Plan, int L, int S, class R, class Env>
EXPRAX_INLINE constexpr void run_lane_store(R& r, Env const& env) {
  using of = lane_access<Plan, S, L, R::together>;
  using T = typename of::T;
  constexpr std::ptrdiff_t stride = of::template stride<R>;
  auto* const p = lane_pointer<Plan, of::s.address, L>(r, env);
  if constexpr (!of::wide) {
    if constexpr (of::a.guarded) {
      std::ptrdiff_t at = 0;
      if (!region_store_place<Plan, of::s.address>(r, at)) return;
    }
    for_packs<of::n>(
        [&](auto i) EXPRAX_LAMBDA_INLINE { p[of::offset(decltype(i)::value)] = r.template scalar<T>(of::slot(decltype(i)::value)).value; });
  } else if constexpr (of::has_wide_terms || of::a.guarded) {
    lane_offsets<Plan, of::s.address, L> const lanes(r);
    bool here[L];
    simd::store(r.active, here);
    for_packs<of::n>([&](auto i) EXPRAX_LAMBDA_INLINE {
      T x[L];
      simd::store(r.template wide<T>(of::slot(decltype(i)::value)), x);
      for (int l = 0; l < L; ++l)
        if ((!of::s.divergent || here[l]) && (!of::a.guarded || lanes.fits[l]))
          p[of::offset(decltype(i)::value) + lanes.at[l] + l * stride] = x[l];
    });
  } else if constexpr (of::template is_transposed<R> && L > 1 && !of::s.divergent) {
#if EXPRAX_SIMD
    using rows = row_transposer<T, L>;
    for_transposed_parts<rows, of::n>([&](auto part) EXPRAX_LAMBDA_INLINE {
      constexpr int first = decltype(part)::first;
      auto const get = [&](auto element, auto u)
                           EXPRAX_LAMBDA_INLINE { return r.template wide<T>(of::slot(decltype(element)::value)).reg[decltype(u)::value]; };
      for_packs<rows::registers>([&](auto u) EXPRAX_LAMBDA_INLINE {
        if constexpr (decltype(part)::is_square) {
          typename rows::V v[rows::pieces][rows::side];
          for_packs<rows::lanes>([&](auto e) EXPRAX_LAMBDA_INLINE {
            constexpr int i = decltype(e)::value;
            v[i / rows::side][i % rows::side] = get(number_of<first + i>{}, u);
          });
          rows::store_square(v, p + of::offset(first), stride, decltype(u)::value);
        } else {
          typename rows::V v[rows::side];
          for_packs<rows::side>([&](auto e)
                                    EXPRAX_LAMBDA_INLINE { v[decltype(e)::value] = get(number_of<first + decltype(e)::value>{}, u); });
          rows::store(v, p + of::offset(first), stride, decltype(u)::value);
        }
      });
    });
#endif
  } else if constexpr (of::template is_dense<R> && !of::s.divergent) {
#if EXPRAX_SIMD
    using V = simd::pack<T, L>;
    V in[of::n], out[of::n];
    for_packs<of::n>([&](auto i) EXPRAX_LAMBDA_INLINE { in[decltype(i)::value] = r.template wide<T>(of::slot(decltype(i)::value)); });
    simd::permute_wide<dense_rows<of::n, L, true>>(in, out, V(T{}));
    for_packs<of::n>(
        [&](auto i) EXPRAX_LAMBDA_INLINE { store_lanes<T, L, 1>(out[decltype(i)::value], p + of::offset(0) + decltype(i)::value * L); });
#endif
  } else {
    for_packs<of::n>([&](auto i) EXPRAX_LAMBDA_INLINE {
      constexpr std::ptrdiff_t at = of::offset(decltype(i)::value);
      auto const& x = r.template wide<T>(of::slot(decltype(i)::value));
      if constexpr (stride == 1 || L == 1) {
        if constexpr (of::s.divergent) store_lanes<T, L, 1>(select(r.active, x, load_lanes<T, L, 1, L>(p + at)), p + at);
        else store_lanes<T, L, 1>(x, p + at);
      } else {
        bool here[L];
        T of_lane[L];
        simd::store(r.active, here);
        simd::store(x, of_lane);
        for (int l = 0; l < L; ++l)
          if (!of::s.divergent || here[l]) p[at + l * stride] = of_lane[l];
      }
    });
  }
}

}  // namespace exprax::detail
