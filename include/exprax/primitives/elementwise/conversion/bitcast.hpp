// SPDX-License-Identifier: BSL-1.0
// bitcast: the bits of each element as another dtype of the same size. bitcast_convert_type expands to it.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax {

// Parameter: the new dtype.
template <>
struct primitive<prim::bitcast> : detail::elementwise_rules {
  static constexpr prim_traits traits{.kind = op_class::elementwise, .arity = 1};
  static constexpr std::string_view name = "bitcast";
  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_par() != 1 || e.param(0) < 0 || e.param(0) >= dtype_count) return false;
    *out = e.type(0).with_type(static_cast<dtype>(e.param(0)), false);
    return casts(e.type(0).type, out->type);
  }
  template <class U, class V>
  EXPRAX_INLINE static constexpr typename V::template rebind<U> kernel(V x) {
    if constexpr (std::is_same_v<U, typename V::value_type>) return x;
    else return bitcast<U>(x);
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    detail::with_element(e.type(0).type, [&](auto from) {
      using T = typename decltype(from)::type;
      detail::with_element(static_cast<dtype>(e.param(0)), [&](auto to) {
        using U = typename decltype(to)::type;
        if constexpr (casts(dtype_of<T>, dtype_of<U>))
          detail::evaluate_lanes<T>(m, e, [](auto x) { return kernel<U>(x); }, std::make_integer_sequence<int, 1>{});
      });
    });
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    l.set(e, 0, l.bitcast(l.in(e, 0), e.out_type(0)));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("new_dtype");
    o.dtype(static_cast<dtype>(e.param(0)));
  }
  static constexpr bool casts(dtype from, dtype to) {
    if (is_key(from) || is_key(to)) return false;
    return from == to || (size_of(from) == size_of(to) && !is_bool(from) && !is_bool(to));
  }
};

}  // namespace exprax
