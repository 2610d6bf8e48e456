// SPDX-License-Identifier: BSL-1.0
// span<T>: a read-only run of elements with int sizes. std::span would cost 90 ms per translation unit.
#pragma once

#include <initializer_list>

#include <exprax/base/arena.hpp>

namespace exprax::detail {

template <class T>
struct span {
  // Public, so that the recorder reads them without a call: a call costs constexpr steps.
  T const* first = nullptr;
  int count = 0;

  constexpr span() = default;
  constexpr span(T const* data, int size) : first(data), count(size) {}
  constexpr span(std::initializer_list<T> list) : count(static_cast<int>(list.size())) {
    first = list.begin();  // not a member initializer: g++ warns of its lifetime there
  }
  constexpr span(arena<T> const& a) : first(a.data()), count(a.size()) {}
  template <int N>
  constexpr span(T const (&a)[N]) : first(a), count(N) {}

  constexpr int size() const { return count; }
  constexpr bool empty() const { return count == 0; }
  constexpr T const* data() const { return first; }
  constexpr T const& operator[](int i) const { return first[i]; }
  constexpr T const* begin() const { return first; }
  constexpr T const* end() const { return first + count; }
  constexpr span part(int from, int n) const { return {first + from, n}; }
};

// The index of x in a list, or -1.
constexpr int position(span<int> list, int x) {
  for (int k = 0; k < list.count; ++k)
    if (list.first[k] == x) return k;
  return -1;
}

}  // namespace exprax::detail
