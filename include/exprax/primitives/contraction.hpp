// SPDX-License-Identifier: BSL-1.0
// The sum of products in the fixed order of dot_general and conv_general_dilated. Operands are converted to the dtype of the
// result first. Order 0: acc = fma(a[k], b[k], acc) for ascending k, from +0. Order 1: eight accumulators, k goes to
// acc[k % 8]; the result is ((acc0 + acc4) + (acc2 + acc6)) + ((acc1 + acc5) + (acc3 + acc7)). Integers wrap.
#pragma once

#include <exprax/primitives/primitive.hpp>
#include <exprax/primitives/walk.hpp>
#include <exprax/types/element.hpp>
#include <exprax/types/lane.hpp>

namespace exprax::detail {

template <class T>
class dot_accumulator {
 public:
  constexpr explicit dot_accumulator(int order) : order_(order) {}
  constexpr void add(lane<T> a, lane<T> b) {
    lane<T>& acc = acc_[order_ == 0 ? 0 : next_++ % 8];
    acc = fma(a, b, acc);
  }
  constexpr T result() const {
    if (order_ == 0) return acc_[0].value;
    return (((acc_[0] + acc_[4]) + (acc_[2] + acc_[6])) + ((acc_[1] + acc_[5]) + (acc_[3] + acc_[7]))).value;
  }

 private:
  int order_;
  int next_ = 0;
  lane<T> acc_[8] = {lane<T>(0), lane<T>(0), lane<T>(0), lane<T>(0), lane<T>(0), lane<T>(0), lane<T>(0), lane<T>(0)};
};

// An element of dtype `from` as T, as convert_element_type does it.
template <class T>
constexpr lane<T> read_as(dtype from, std::uint64_t bits) {
  return with_element(from, [bits](auto tag) {
    using S = typename decltype(tag)::type;
    return convert<T>(lane<S>(from_bits<S>(bits)));
  });
}

// Calls f(tag) for the C++ type of a dtype that sums of products have: any but bool.
template <class F>
constexpr void with_number(dtype t, F&& f) {
  with_element(t, [&](auto tag) {
    if constexpr (!std::is_same_v<typename decltype(tag)::type, bool>) f(tag);
  });
}

}  // namespace exprax::detail
