// SPDX-License-Identifier: BSL-1.0
// arena<T>: a growing array for constant evaluation; flat<T>: one of fixed size. std::vector costs three times as many constexpr steps
// for each element, and steps are what compilers limit. Elements are plain values; indices are int.
#pragma once

#include <cstddef>

namespace exprax::detail {

// The runs do not overlap. For clang a copy of memory is one step of constant evaluation, and less to instantiate for each T; g++ 12
// evaluates none, and copies eight elements in each statement. At run time g++ 15 would warn about elements past the end of a short run.
template <class T>
constexpr void copy_run(T* to, T const* from, int n) {
#if defined(__clang__)
  if constexpr (__is_trivially_copyable(T)) {
    if (n > 0) __builtin_memcpy(to, from, static_cast<std::size_t>(n) * sizeof(T));
    return;
  }
#endif
  int i = 0;
  if (__builtin_is_constant_evaluated())
    for (; i + 8 <= n; i += 8)
      to[i] = from[i], to[i + 1] = from[i + 1], to[i + 2] = from[i + 2], to[i + 3] = from[i + 3], to[i + 4] = from[i + 4],
      to[i + 5] = from[i + 5], to[i + 6] = from[i + 6], to[i + 7] = from[i + 7];
  for (; i < n; ++i) to[i] = from[i];
}

template <class T>
struct arena {
  // Public, so that what writes many elements does so without calls.
  T* at = nullptr;
  int n = 0;     // elements
  int room = 0;  // for elements

  constexpr arena() = default;
  constexpr arena(arena const& other)
      : at(new T[static_cast<std::size_t>(other.n ? other.n : 1)]), n(other.n), room(other.n ? other.n : 1) {
    copy_run(at, other.at, n);
  }
  // By hand: each of the exchanges and swaps of the standard library instantiates a dozen templates for each T.
  constexpr arena(arena&& other) noexcept : at(other.at), n(other.n), room(other.room) {
    other.at = nullptr;
    other.n = other.room = 0;
  }
  constexpr arena& operator=(arena other) noexcept {
    T* const before = at;
    at = other.at, n = other.n, room = other.room;
    other.at = before;
    return *this;
  }
  // The null check is needed: clang 19 treats a destructor with a bare delete as trivial and skips it on a const variable.
  constexpr ~arena() {
    if (at) delete[] at;
  }

  constexpr int size() const { return n; }
  constexpr bool empty() const { return n == 0; }
  constexpr T* data() { return at; }
  constexpr T const* data() const { return at; }
  constexpr T& operator[](int i) { return at[i]; }
  constexpr T const& operator[](int i) const { return at[i]; }
  constexpr T& back() { return at[n - 1]; }
  constexpr T const& back() const { return at[n - 1]; }
  constexpr T* begin() { return at; }
  constexpr T* end() { return at + n; }
  constexpr T const* begin() const { return at; }
  constexpr T const* end() const { return at + n; }

  constexpr int push(T const& x) {
    if (n == room) reserve(2 * room + 16);
    at[n] = x;
    return n++;
  }
  constexpr void pop() { --n; }
  // Room for more elements, which the caller writes: one call in place of many pushes.
  constexpr void make_room(int more) {
    if (n + more > room) reserve(2 * room + more);
  }
  constexpr T* grow(int more) {
    make_room(more);
    n += more;
    return at + n - more;
  }
  constexpr void append(T const* from, int count) { copy_run(grow(count), from, count); }
  constexpr void append(arena const& other) { append(other.at, other.n); }
  constexpr void resize(int size, T const& fill = T{}) {
    if (size > room) reserve(size);
    for (int i = n; i < size; ++i) at[i] = fill;
    n = size;
  }
  constexpr void reserve(int total) {
    if (total <= room) return;
    T* const to = new T[static_cast<std::size_t>(total)];
    copy_run(to, at, n);
    delete[] at;
    at = to;
    room = total;
  }
  constexpr void clear() { n = 0; }
  constexpr void shrink(int size) { n = size; }
};

// n equal elements to begin with; a pointer that does not move.
template <class T>
struct flat {
  T* at;
  constexpr explicit flat(int n) : at(new T[static_cast<std::size_t>(n + 1)]()) {}
  constexpr flat(int n, T fill) : at(new T[static_cast<std::size_t>(n + 1)]) {
    int i = 0;
    for (; i + 8 <= n; i += 8)  // one statement
      at[i] = fill, at[i + 1] = fill, at[i + 2] = fill, at[i + 3] = fill, at[i + 4] = fill, at[i + 5] = fill, at[i + 6] = fill,
      at[i + 7] = fill;
    for (; i < n; ++i) at[i] = fill;
  }
  flat(flat const&) = delete;
  flat& operator=(flat const&) = delete;
  constexpr ~flat() { delete[] at; }
};

}  // namespace exprax::detail
