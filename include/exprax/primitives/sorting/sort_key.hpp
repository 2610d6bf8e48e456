// SPDX-License-Identifier: BSL-1.0
// sort_key: the integer that orders an element, and the order of a row. Floats: as in jax.lax.sort, -0 equal to 0 and NaN last, whatever
// its bits; or in the total order of IEEE 754, where -NaN comes first, -0 before 0, and NaN last.
#pragma once

#include <bit>

#include <exprax/base/arena.hpp>
#include <exprax/types/aval.hpp>
#include <exprax/types/element.hpp>

namespace exprax::detail {

template <class T>
using sort_key_t = std::conditional_t<(sizeof(T) > 4), std::int64_t, std::int32_t>;

template <class T>
constexpr sort_key_t<T> sort_key(T x, bool total) {
  using K = sort_key_t<T>;
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    constexpr K largest = static_cast<K>(~std::make_unsigned_t<K>{0} >> 1);
    if (!total && x != x) return largest;
    if (!total && x == T(0)) return 0;
    K const bits = std::bit_cast<K>(x);
    return bits < 0 ? bits ^ largest : bits;
  } else if constexpr (std::is_unsigned_v<T> && sizeof(T) == sizeof(K)) {
    return static_cast<K>(x ^ (T(1) << (8 * sizeof(T) - 1)));
  } else {
    return static_cast<K>(x);
  }
}

// The positions of n keys in ascending order, stable. Merges runs of doubling length.
template <class K>
constexpr arena<int> stable_order(K const* keys, int n) {
  arena<int> now, next;
  for (int i = 0; i < n; ++i) now.push(i);
  next.resize(n, 0);
  for (int run = 1; run < n; run *= 2) {
    for (int first = 0; first < n; first += 2 * run) {
      int const middle = first + run < n ? first + run : n, end = first + 2 * run < n ? first + 2 * run : n;
      for (int a = first, b = middle, to = first; to < end; ++to) {
        bool const from_b = b < end && (a == middle || keys[now[b]] < keys[now[a]]);
        next[to] = from_b ? now[b++] : now[a++];
      }
    }
    for (int i = 0; i < n; ++i) now[i] = next[i];
  }
  return now;
}

// f(offset of the first element of a row, its order) for each row along the last axis. Elements: patterns of dtype t.
template <class F>
constexpr void for_ordered_rows(aval const& t, std::uint64_t const* elements, bool descending, bool total, F f) {
  int const n = t.dims[t.rank - 1];
  std::ptrdiff_t const size = t.size();
  with_element(t.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    arena<sort_key_t<T>> keys;
    keys.resize(n, 0);
    for (std::ptrdiff_t row = 0; row < size; row += n) {
      for (int i = 0; i < n; ++i) {
        sort_key_t<T> const key = sort_key(from_bits<T>(elements[row + i]), total);
        keys[i] = descending ? static_cast<sort_key_t<T>>(~key) : key;
      }
      f(row, stable_order(keys.data(), n));
    }
  });
}

}  // namespace exprax::detail
