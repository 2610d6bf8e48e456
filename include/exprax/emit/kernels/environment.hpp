// SPDX-License-Identifier: BSL-1.0
// environment<Plan>: the address of every buffer of a plan while it runs, one array of pointers for each dtype.
#pragma once

#include <tuple>

#include <exprax/base/config.hpp>
#include <exprax/plan/planner.hpp>
#include <exprax/types/bits.hpp>

namespace exprax::detail {

template <class T, int N>
struct pointer_file {
  T* of[N] = {};
};
template <class T>
struct pointer_file<T, 0> {};

template <class Plan, class Types = std::make_integer_sequence<int, dtype_count>>
struct environment;

template <class Plan, int... D>
struct environment<Plan, std::integer_sequence<int, D...>>
    : pointer_file<element_t<static_cast<dtype>(D)>, Plan::sizes.of_type[D]>... {
  template <class T>
  using file_of = pointer_file<T, Plan::sizes.of_type[static_cast<int>(dtype_of<T>)]>;
  template <class T>
  EXPRAX_INLINE constexpr T*& at(int slot) {
    return static_cast<file_of<T>&>(*this).of[slot];
  }
  template <class T>
  EXPRAX_INLINE constexpr T* at(int slot) const {
    return static_cast<file_of<T> const&>(*this).of[slot];
  }
  // Buffer B.
  template <int B>
  EXPRAX_INLINE constexpr auto buffer() const {
    return at<element_t<Plan::storage.buffers[B].type>>(Plan::storage.buffers[B].slot);
  }
  template <int B, class T>
  EXPRAX_INLINE constexpr void bind(T* p) {
    at<T>(Plan::storage.buffers[B].slot) = p;
  }
};

// The elements of a constant, in static storage.
template <class Plan, int B>
struct constant_elements {
  static constexpr auto const& buffer = Plan::storage.buffers[B];
  using type = element_t<buffer.type>;
  struct elements {
    type of[buffer.size + 1];
  };
  alignas(64) static constexpr elements data = [] {
    elements r{};
    for (std::ptrdiff_t i = 0; i < Plan::storage.buffers[B].size; ++i)
      r.of[i] = from_bits<type>(Plan::program::ref.constants[Plan::storage.buffers[B].index + i]);
    return r;
  }();
};

}  // namespace exprax::detail
