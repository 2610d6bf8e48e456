// SPDX-License-Identifier: BSL-1.0
// Storage of array elements: in the object up to 4 KiB, else on the heap, aligned for every pack.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>

namespace exprax::detail {

inline constexpr std::size_t inline_bytes = 4096;
inline constexpr std::size_t pack_alignment = 64;

// The largest power of two up to 64 that divides the size: the strongest alignment without padding.
constexpr std::size_t inline_alignment(std::size_t bytes, std::size_t least) {
  std::size_t a = pack_alignment;
  while (a > least && bytes % a != 0) a /= 2;
  return a;
}

template <class T, std::ptrdiff_t N>
class inline_storage {
 public:
  inline_storage() = default;  // elements are uninitialized
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

struct handle;

// Elements that a call yields, in constant evaluation: computed when they are first read. In a traced function they are not read, because
// the call becomes part of the trace (program/lift.hpp): one equation in place of seconds of compile time.
template <class T>
struct pending_elements {
  int refs = 0;
  virtual constexpr void compute(T* to) = 0;
  virtual constexpr handle record() = 0;
  virtual constexpr void destroy() = 0;
};

// What a big array holds in constant evaluation: its elements, or the call that yields them.
template <class T>
struct late_elements {
  T* at = nullptr;
  pending_elements<T>* pending = nullptr;

  constexpr explicit late_elements(T* p) : at(p) {}
  constexpr explicit late_elements(pending_elements<T>* p) : pending(p) { ++p->refs; }
  late_elements(late_elements const&) = delete;
  late_elements& operator=(late_elements const&) = delete;
  constexpr ~late_elements() {
    delete[] at;
    if (pending && --pending->refs == 0) pending->destroy();
  }
  constexpr T* elements(std::ptrdiff_t n) {
    if (!at) pending->compute(at = new T[static_cast<std::size_t>(n)]);
    return at;
  }
};

// A moved-from object holds nothing, or what the target held before: it can be assigned to or destroyed.
template <class T, std::ptrdiff_t N>
class heap_storage {
#if !__STDC_HOSTED__
  static_assert(N < 0, "exprax: more than 4096 bytes need a heap, and a freestanding build has none: use a view of static memory");
#endif

 public:
  constexpr heap_storage() {  // elements are uninitialized
    if (__builtin_is_constant_evaluated()) held_ = new late_elements<T>(new T[N]);
    else allocate();
  }
  constexpr explicit heap_storage(pending_elements<T>* call) : held_(new late_elements<T>(call)) {}
  constexpr heap_storage(heap_storage const& other) : held_(nullptr) { *this = other; }
  constexpr heap_storage(heap_storage&& other) noexcept : held_(other.held_) { other.held_ = nullptr; }
  constexpr heap_storage& operator=(heap_storage const& other) {
    if (this == &other || !other.held_) return *this;
    if (!__builtin_is_constant_evaluated()) {
      if (!held_) allocate();
      __builtin_memcpy(data(), other.data(), N * sizeof(T));
      return *this;
    }
    auto const* const before = held_;
    if (pending_elements<T>* const call = other.pending()) {
      held_ = new late_elements<T>(call);
      delete before;
      return *this;
    }
    held_ = new late_elements<T>(new T[N]);
    delete before;
    T* const to = data();
    T const* const from = other.data();
    for (std::ptrdiff_t i = 0; i < N; ++i) to[i] = from[i];
    return *this;
  }
  constexpr heap_storage& operator=(heap_storage&& other) noexcept {
    auto* const before = held_;
    held_ = other.held_;
    other.held_ = before;
    return *this;
  }
  // The null check is needed: clang 19 treats a destructor with a bare delete as trivial and skips it on a const variable.
  constexpr ~heap_storage() {
    if (!held_) return;
    if (__builtin_is_constant_evaluated()) delete held_;
    else ::operator delete(read(), std::align_val_t{pack_alignment});
  }
  constexpr T* data() { return read(); }
  constexpr T const* data() const { return read(); }
  // The call whose elements have not been read yet, or null.
  constexpr pending_elements<T>* pending() const {
    return __builtin_is_constant_evaluated() && held_ && !held_->at ? held_->pending : nullptr;
  }

 private:
  constexpr T* read() const {
    if (!__builtin_is_constant_evaluated()) return reinterpret_cast<T*>(held_);
    return held_ ? held_->elements(N) : nullptr;
  }
  void allocate() { held_ = static_cast<late_elements<T>*>(::operator new(N * sizeof(T), std::align_val_t{pack_alignment})); }

  // At run time the address of the elements themselves. It is no union of two pointers: compilers would assume that any store to an element
  // changes it, and read it again for each.
  late_elements<T>* held_;
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
