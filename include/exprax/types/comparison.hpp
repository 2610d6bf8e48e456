// SPDX-License-Identifier: BSL-1.0
// a == b and a != b of arrays: elementwise, as in NumPy, an array<bool, Dims...>. Where C++ needs a truth value, a == b of arrays of the
// same shape and dtype is true if all elements are equal, and a != b if any differ; NaN is equal to nothing.
#pragma once

#include <exprax/types/array.hpp>

namespace exprax {

namespace detail {

// Equal: the comparison was ==.
template <bool Equal, int... Dims>
class compared_elements : public array<bool, Dims...> {
  using elements = array<bool, Dims...>;

 public:
  constexpr compared_elements() = default;
  // The same dtype: long long and std::int64_t have it.
  template <class A, class B>
  constexpr compared_elements(A const* a, B const* b) : elements(uninitialized) {
    for (std::ptrdiff_t i = 0; i < elements::size(); ++i) elements::data()[i] = (a[i] == b[i]) == Equal;
  }
  constexpr operator bool() const {
    for (bool x : *this)
      if (x != Equal) return !Equal;
    return Equal;
  }
};

}  // namespace detail

template <class T, int... Dims>
constexpr detail::compared_elements<true, Dims...> operator==(array<T, Dims...> const& a, array<T, Dims...> const& b) {
  return {a.data(), b.data()};
}
template <class T, int... Dims>
constexpr detail::compared_elements<false, Dims...> operator!=(array<T, Dims...> const& a, array<T, Dims...> const& b) {
  return {a.data(), b.data()};
}

}  // namespace exprax
