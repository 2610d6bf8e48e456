// SPDX-License-Identifier: BSL-1.0
// Addresses of a region, and loads and stores of values that are runs of packs (plan/data/region.hpp).
#pragma once

#include <exprax/emit/regions/registers.hpp>

namespace exprax::detail {

template <class Plan, int Term, class R>
EXPRAX_INLINE constexpr std::int64_t region_scalar(R& r) {
  return static_cast<std::int64_t>(
      r.template scalar<element_t<Plan::storage.region_terms[Term].type>>(Plan::storage.region_terms[Term].slot).value);
}
// Sets `at` to an index, and returns whether it is in bounds. Most indices are: they cost one comparison. It is a branch, which is
// predicted: selections and clamps would be on the path to the load.
template <class Plan, int Term, class R>
EXPRAX_INLINE constexpr bool region_index(R& r, std::int64_t& at) {
  constexpr std::int64_t limit = Plan::storage.region_terms[Term].limit;
  at = region_scalar<Plan, Term>(r);
  if constexpr (Plan::storage.region_terms[Term].in_bounds) {
    return true;
  } else {
    if (static_cast<std::uint64_t>(at) <= static_cast<std::uint64_t>(limit)) [[likely]]
      return true;
    if constexpr (Plan::storage.region_terms[Term].from_end > 0) {
      if (at >= 0) return false;
      at += Plan::storage.region_terms[Term].from_end;
      return at >= 0 && at <= limit;
    } else {
      return false;
    }
  }
}
template <class Plan, int Term, class R>
EXPRAX_INLINE constexpr std::ptrdiff_t region_offset(R& r) {
  constexpr std::ptrdiff_t stride = Plan::storage.region_terms[Term].stride;
  if constexpr (Plan::storage.region_terms[Term].counter != no_counter) {
    return r.iteration[Plan::storage.region_terms[Term].counter] * stride;
  } else {
    std::int64_t at = 0;
    if (!region_index<Plan, Term>(r, at)) at = at < 0 ? 0 : Plan::storage.region_terms[Term].limit;
    return static_cast<std::ptrdiff_t>(at) * stride;
  }
}
// Where in its buffer.
template <class Plan, int A, class R>
EXPRAX_INLINE constexpr std::ptrdiff_t region_place(R& r) {
  std::ptrdiff_t at = Plan::storage.region_addresses[A].base;
  [&]<int... T>(std::integer_sequence<int, T...>) EXPRAX_LAMBDA_INLINE {
    ((at += region_offset<Plan, Plan::storage.region_addresses[A].term + T>(r)), ...);
  }(std::make_integer_sequence<int, Plan::storage.region_addresses[A].n_term>{});
  return at;
}
template <class Plan, int A, class R, class Env>
EXPRAX_INLINE constexpr auto* region_pointer(R& r, Env const& env) {
  return env.template buffer<Plan::storage.region_addresses[A].buffer>() + region_place<Plan, A>(r);
}
// Where in its buffer a step stores. False: nothing is stored, because the address is guarded, and an index is out of bounds.
template <class Plan, int A, class R>
EXPRAX_INLINE constexpr bool region_store_place(R& r, std::ptrdiff_t& at) {
  if constexpr (!Plan::storage.region_addresses[A].guarded) {
    at = region_place<Plan, A>(r);
    return true;
  } else {
    at = Plan::storage.region_addresses[A].base;
    return [&]<int... T>(std::integer_sequence<int, T...>) EXPRAX_LAMBDA_INLINE {
      return (true && ... && [&]() EXPRAX_LAMBDA_INLINE {
        constexpr int term = Plan::storage.region_addresses[A].term + T;
        if constexpr (Plan::storage.region_terms[term].counter != no_counter) {
          at += region_offset<Plan, term>(r);
          return true;
        } else {
          std::int64_t i = 0;
          if (!region_index<Plan, term>(r, i)) return false;
          at += static_cast<std::ptrdiff_t>(i) * Plan::storage.region_terms[term].stride;
          return true;
        }
      }());
    }(std::make_integer_sequence<int, Plan::storage.region_addresses[A].n_term>{});
  }
}

// Loads and stores of an element that the next iteration probably reads (region_step::forwards).
template <class Plan, int S, class R, class Env>
EXPRAX_INLINE constexpr void load_forwarded(R& r, Env const& env) {
  constexpr region_step s = Plan::storage.region_steps[S];
  using T = element_t<s.type>;
  std::ptrdiff_t const at = region_place<Plan, s.address>(r);
  // A branch that is predicted: a selection would wait for the load.
  if (r.template scalar<std::int64_t>(s.c).value == at) [[likely]]
    r.template scalar<T>(s.d) = r.template scalar<T>(s.b);
  else r.template scalar<T>(s.d) = simd::pack<T, 1>(env.template buffer<Plan::storage.region_addresses[s.address].buffer>()[at]);
}
template <class Plan, int S, class R, class Env>
EXPRAX_INLINE constexpr void store_forwarded(R& r, Env const& env) {
  constexpr region_step s = Plan::storage.region_steps[S];
  using T = element_t<s.type>;
  auto const x = r.template scalar<T>(s.a);
  std::ptrdiff_t at = 0;
  if (region_store_place<Plan, s.address>(r, at)) [[likely]]
    env.template buffer<Plan::storage.region_addresses[s.address].buffer>()[at] = x.value;
  else at = -1;
  r.template scalar<T>(s.b) = x;
  r.template scalar<std::int64_t>(s.c) = simd::pack<std::int64_t, 1>(at);
}

template <class T, int N, int L, class R>
EXPRAX_INLINE constexpr void load_wide(R& r, int slot, T const* p) {
  for_packs<(N + L - 1) / L>([&](auto k) EXPRAX_LAMBDA_INLINE {
    constexpr int pack = decltype(k)::value, first = pack * L;
    if constexpr (first + L <= N) r.template wide<T>(slot, pack) = load_lanes<T, L, 1, L>(p + first);
    else r.template wide<T>(slot, pack) = simd::load_partial<T, L>(p + first, N - first, T{});
  });
}
template <class T, int N, int L, bool Wide, class R>
EXPRAX_INLINE constexpr void store_wide(R& r, int slot, T* p) {
  for_packs<(N + L - 1) / L>([&](auto k) EXPRAX_LAMBDA_INLINE {
    constexpr int pack = decltype(k)::value, first = pack * L;
    simd::pack<T, L> const v = r.template read<T, Wide>(slot, pack);
    if constexpr (first + L <= N) store_lanes<T, L, 1>(v, p + first);
    else simd::store_partial(v, p + first, N - first);
  });
}

}  // namespace exprax::detail
