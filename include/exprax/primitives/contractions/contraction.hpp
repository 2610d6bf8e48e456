// SPDX-License-Identifier: BSL-1.0
// The sum of products of dot_general and conv_general_dilated, in a fixed order. Operands are first converted to the dtype of the result.
// Order 0: the first product, then acc = mul_add(a[k], b[k], acc) for ascending k. Order 1: 32 accumulators, k goes to acc[k % 32]; the
// upper half is added to the lower one until one is left. Integers wrap.
#pragma once

#include <exprax/math/lane.hpp>
#include <exprax/primitives/primitive.hpp>
#include <exprax/primitives/walk.hpp>
#include <exprax/types/element.hpp>

namespace exprax::detail {

// The tangent of a product, which is linear in each operand.
template <prim P, class Context>
constexpr void product_jvp(Context& c, equation_ref const& e) {
  for (int k = 0; k < 2; ++k) {
    if (!c.has_tangent(e, k)) continue;
    int const t = c.tangent(e, k), in[] = {k == 0 ? t : c.in(e, 0), k == 0 ? c.in(e, 1) : t};
    c.add_tangent(e, c.emit(P, in, e.params(), e.out_type(0)));
  }
}

inline constexpr int dot_accumulators = 32;

// The order for a product. With one vector, or of two, packs may run along the sum: order 1, but of a few terms, which fill no pack. So it
// is with a matrix of a few columns, as a layer with one output has, and of a few rows where the other operand is contiguous along the sum.
struct product_form {
  std::ptrdiff_t terms = 1, rows = 1, columns = 1;  // those of the rhs are columns
  bool rhs_is_along_sum = false;

  constexpr int order() const {
    std::ptrdiff_t const n = rhs_is_along_sum && rows < columns ? rows : columns;
    return n <= few && terms > (n == 1 ? few_terms : few_terms_of_matrix);
  }
  // Whether it is worth while to ask how the rhs lies in memory.
  constexpr bool has_few_rows() const { return rows <= few && columns > few && terms > few_terms_of_matrix; }

 private:
  static constexpr std::ptrdiff_t few = 3, few_terms = 4, few_terms_of_matrix = 15;
};

template <class T>
class dot_accumulator {
 public:
  constexpr explicit dot_accumulator(int order) : order_(order) {
    for (lane<T>& acc : acc_) acc = lane<T>(T(0));
  }
  constexpr void add(lane<T> a, lane<T> b) {
    if (order_ == 0) acc_[0] = count_++ == 0 ? a * b : mul_add(a, b, acc_[0]);
    else {
      lane<T>& acc = acc_[count_++ % dot_accumulators];
      acc = mul_add(a, b, acc);
    }
  }
  constexpr T result() const {
    if (order_ == 0) return acc_[0].value;
    lane<T> sums[dot_accumulators];
    for (int i = 0; i < dot_accumulators; ++i) sums[i] = acc_[i];
    for (int n = dot_accumulators / 2; n > 0; n /= 2)
      for (int i = 0; i < n; ++i) sums[i] = sums[i] + sums[i + n];
    return sums[0].value;
  }

 private:
  int order_;
  int count_ = 0;
  lane<T> acc_[dot_accumulators];
};

// An element of dtype `from` as T, as convert_element_type does it.
template <class T>
constexpr lane<T> read_as(dtype from, std::uint64_t bits) {
  return with_element(from, [bits](auto tag) {
    using S = typename decltype(tag)::type;
    return convert<T>(lane<S>(from_bits<S>(bits)));
  });
}

// Calls f(tag) for the C++ type of a dtype with sums of products: any but bool.
template <class F>
constexpr void with_number(dtype t, F&& f) {
  with_element(t, [&](auto tag) {
    if constexpr (!std::is_same_v<typename decltype(tag)::type, bool>) f(tag);
  });
}

}  // namespace exprax::detail
