// SPDX-License-Identifier: BSL-1.0
// Where the elements of an array live: in the object up to 4 KiB, else on the heap, aligned for every pack.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace exprax::detail {

inline constexpr std::size_t inline_bytes = 4096;
inline constexpr std::size_t pack_alignment = 64;

// The largest power of two up to 64 that divides the size: as aligned as can be without padding.
constexpr std::size_t inline_alignment(std::size_t bytes, std::size_t least) {
  std::size_t a = pack_alignment;
  while (a > least && bytes % a != 0) a /= 2;
  return a;
}

template <class T, std::ptrdiff_t N>
class inline_storage {
 public:
  inline_storage() = default;  // elements are not set
  constexpr T* data() { return elements_; }
  constexpr T const* data() const { return elements_; }

 private:
  alignas(inline_alignment(N * sizeof(T), alignof(T))) T elements_[N];
};

template <class T>
class empty_storage {
 public:
  constexpr T* data() { return nullptr; }
  constexpr T const* data() const { return nullptr; }
};

// What is moved from holds nothing, or what it was assigned to: it can be assigned to or destroyed.
template <class T, std::ptrdiff_t N>
class heap_storage {
#if !__STDC_HOSTED__
  static_assert(N < 0, "exprax: more than 4096 bytes need a heap, and a freestanding build has none: use a view of static memory");
#endif

 public:
  constexpr heap_storage() : elements_(allocate()) {}  // elements are not set
  constexpr heap_storage(heap_storage const& other) : elements_(other.elements_ ? allocate() : nullptr) { copy(other); }
  constexpr heap_storage(heap_storage&& other) noexcept : elements_(std::exchange(other.elements_, nullptr)) {}
  constexpr heap_storage& operator=(heap_storage const& other) {
    if (this != &other && other.elements_) {
      if (!elements_) elements_ = allocate();
      copy(other);
    }
    return *this;
  }
  constexpr heap_storage& operator=(heap_storage&& other) noexcept {
    std::swap(elements_, other.elements_);
    return *this;
  }
  // clang 19 takes a destructor that frees without looking for one that does nothing, and never runs it on a const variable.
  constexpr ~heap_storage() {
    if (!elements_) return;
    if (std::is_constant_evaluated()) delete[] elements_;
    else ::operator delete(elements_, std::align_val_t{pack_alignment});
  }
  constexpr T* data() { return elements_; }
  constexpr T const* data() const { return elements_; }

 private:
  static constexpr T* allocate() {
    if (std::is_constant_evaluated()) return new T[N];
    return static_cast<T*>(::operator new(N * sizeof(T), std::align_val_t{pack_alignment}));
  }
  constexpr void copy(heap_storage const& other) {
    if (other.elements_)
      for (std::ptrdiff_t i = 0; i < N; ++i) elements_[i] = other.elements_[i];
  }
  T* elements_;
};

template <class T, std::ptrdiff_t N>
struct choose_storage {
  using type = std::conditional_t<(N * sizeof(T) <= inline_bytes), inline_storage<T, N>, heap_storage<T, N>>;
};
template <class T>
struct choose_storage<T, 0> {
  using type = empty_storage<T>;
};

}  // namespace exprax::detail
