// SPDX-License-Identifier: BSL-1.0
// arena<T>: a growing array for constant evaluation. std::vector costs three times as many constexpr steps for each
// element, and steps are what compilers limit. Elements are plain values; indices are int.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace exprax::detail {

// Eight elements per statement in constant evaluation, because clang counts statements. At run time g++ 15 would warn about elements past
// the end of a short run.
template <class T>
constexpr void copy_run(T* to, T const* from, int n) {
  int i = 0;
  if (std::is_constant_evaluated())
    for (; i + 8 <= n; i += 8)
      to[i] = from[i], to[i + 1] = from[i + 1], to[i + 2] = from[i + 2], to[i + 3] = from[i + 3], to[i + 4] = from[i + 4],
      to[i + 5] = from[i + 5], to[i + 6] = from[i + 6], to[i + 7] = from[i + 7];
  for (; i < n; ++i) to[i] = from[i];
}

template <class T>
class arena {
 public:
  constexpr arena() = default;
  // Takes ownership of an array made with new T[capacity].
  constexpr arena(T* data, int size, int capacity) : data_(data), size_(size), capacity_(capacity) {}
  constexpr arena(arena const& other) : data_(new T[static_cast<std::size_t>(other.size_ ? other.size_ : 1)]), size_(other.size_), capacity_(other.size_ ? other.size_ : 1) {
    copy_run(data_, other.data_, size_);
  }
  constexpr arena(arena&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)), capacity_(std::exchange(other.capacity_, 0)) {}
  constexpr arena& operator=(arena other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  // The null check is needed: clang 19 treats a destructor with a bare delete as trivial and skips it on a const variable.
  constexpr ~arena() {
    if (data_) delete[] data_;
  }

  constexpr int size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T* data() { return data_; }
  constexpr T const* data() const { return data_; }
  constexpr T& operator[](int i) { return data_[i]; }
  constexpr T const& operator[](int i) const { return data_[i]; }
  constexpr T& back() { return data_[size_ - 1]; }
  constexpr T const& back() const { return data_[size_ - 1]; }
  constexpr T* begin() { return data_; }
  constexpr T* end() { return data_ + size_; }
  constexpr T const* begin() const { return data_; }
  constexpr T const* end() const { return data_ + size_; }

  constexpr int push(T const& x) {
    if (size_ == capacity_) reserve(capacity_ ? 2 * capacity_ : 16);
    data_[size_] = x;
    return size_++;
  }
  constexpr void pop() { --size_; }
  // Room for n more elements, which the caller writes: one call in place of n pushes.
  constexpr T* grow(int n) {
    if (size_ + n > capacity_) reserve(size_ + n > 2 * capacity_ ? size_ + n : 2 * capacity_);
    size_ += n;
    return data_ + size_ - n;
  }
  constexpr void resize(int n, T const& fill = T{}) {
    if (n > capacity_) reserve(n);
    for (int i = size_; i < n; ++i) data_[i] = fill;
    size_ = n;
  }
  constexpr void reserve(int n) {
    if (n <= capacity_) return;
    T* grown = new T[static_cast<std::size_t>(n)];
    copy_run(grown, data_, size_);
    delete[] data_;
    data_ = grown;
    capacity_ = n;
  }
  constexpr void clear() { size_ = 0; }
  constexpr void shrink(int n) { size_ = n; }

 private:
  T* data_ = nullptr;
  int size_ = 0;
  int capacity_ = 0;
};

}  // namespace exprax::detail
