// SPDX-License-Identifier: BSL-1.0
// Constant folding: an elementwise equation on literals is computed with the primitive's own kernel, so that the literal has the bits
// that the emitted code would compute. Integers are computed in 64 bits and wrapped: the results are the same, with a quarter of the
// kernels. Primitives that depend on the width are computed in their own dtype (primitives/elementwise/bits_of_integers.hpp).
#pragma once

#include <exprax/primitives/elementwise/conversion/convert_element_type.hpp>

namespace exprax::detail {

inline constexpr int max_fold = 8;  // operands

struct fold_request {
  dtype const* type = nullptr;  // of each operand
  std::uint64_t const* x = nullptr;
  int n = 0;
  dtype result{};
  std::uint64_t out = 0;
};

// f(element_tag<T>{}), where T is the type in which elements of dtype d are folded.
template <class F>
constexpr bool with_wide_element(dtype d, F&& f) {
  if (is_bool(d)) return f(element_tag<bool>{});
  if (is_signed_integer(d)) return f(element_tag<std::int64_t>{});
  if (is_unsigned_integer(d)) return f(element_tag<std::uint64_t>{});
  return d == dtype::f32 ? f(element_tag<float>{}) : f(element_tag<double>{});
}

// A float that was converted to a 64-bit integer, saturated to an integer dtype.
constexpr std::uint64_t saturated(dtype d, std::uint64_t bits) {
  int const unused = 64 - 8 * size_of(d);
  if (is_unsigned_integer(d)) {
    std::uint64_t const most = ~std::uint64_t{0} >> unused;
    return bits < most ? bits : most;
  }
  std::int64_t const most = static_cast<std::int64_t>(~std::uint64_t{0} >> (unused + 1)), x = static_cast<std::int64_t>(bits);
  return static_cast<std::uint64_t>(x > most ? most : x < -most - 1 ? -most - 1 : x);
}

// A template of the options, so that only programs that are optimised instantiate the kernels.
template <class Options>
struct fold_rules {
  template <class T>
  static constexpr bool convert_from(fold_request& r) {
    return with_wide_element(r.result, [&](auto to) {
      using U = typename decltype(to)::type;
      r.out = to_bits(primitive<prim::convert_element_type>::kernel<U>(lane<T>(from_bits<T>(r.x[0]))).value);
      if (is_integer(r.result)) r.out = std::is_floating_point_v<T> ? saturated(r.result, r.out) : wrapped(r.result, r.out);
      return true;
    });
  }

  template <prim P>
  struct rule {
    static constexpr bool call(fold_request& r) {
      if constexpr (P == prim::convert_element_type) {
        return with_wide_element(r.type[0], [&](auto from) { return convert_from<typename decltype(from)::type>(r); });
      } else if constexpr (P == prim::bitcast) {
        int const unused = 64 - 8 * size_of(r.result);
        r.out = is_integer(r.result) ? wrapped(r.result, r.x[0]) : r.x[0] << unused >> unused;
        return true;
      } else if constexpr (primitive<P>::traits.kind == op_class::elementwise && requires { primitive<P>::accepts; }) {
        // One function for each dtype: there are many.
        auto const compute = [&](auto tag) {
          using T = typename decltype(tag)::type;
          using V = lane<T>;
          if constexpr (!primitive<P>::accepts(dtype_of<T>)) {
            return false;
          } else {
            std::uint64_t const* x = r.x;
            if constexpr (primitive<P>::traits.arity == 1) r.out = to_bits(primitive<P>::kernel(V(from_bits<T>(x[0]))).value);
            else if constexpr (primitive<P>::traits.arity == 2)
              r.out = to_bits(primitive<P>::kernel(V(from_bits<T>(x[0])), V(from_bits<T>(x[1]))).value);
            else r.out = to_bits(primitive<P>::kernel(V(from_bits<T>(x[0])), V(from_bits<T>(x[1])), V(from_bits<T>(x[2]))).value);
            r.out = wrapped(r.result, r.out);
            return true;
          }
        };
        if constexpr (requires { primitive<P>::folds_wide; }) return with_element(r.type[0], compute);
        else return with_wide_element(r.type[0], compute);
      } else {
        return false;  // select_n and integer_pow have rules of their own
      }
    }
  };
};

template <class Options>
constexpr bool fold_elementwise(prim op, fold_request& r) {
  return dispatch<fold_rules<Options>::template rule, bool(fold_request&)>(op, r);
}

}  // namespace exprax::detail
