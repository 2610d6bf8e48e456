// SPDX-License-Identifier: BSL-1.0
// Conversions between floats and the bits of 16-bit floats, held in u16: legalize/lower_halves.hpp lowers float16 and bfloat16 to these.
// Over the lane concept, with integer arithmetic, so that no lane depends on a processor mode.
#pragma once

#include <exprax/primitives/elementwise/families.hpp>

namespace exprax::detail {

// V: lane or pack of std::uint16_t.
template <class V>
EXPRAX_INLINE constexpr auto decoded_float16(V x) {
  using I = typename V::template rebind<std::int32_t>;
  using F = typename V::template rebind<float>;
  I const bits = convert<std::int32_t>(x), size = bits & I(0x7fff);
  I const sign = (bits & I(0x8000)) << 16;
  I const large = (size << 13) + select(size < I(0x7c00), I(0x38000000), I(0x70000000));
  I const small = bitcast<std::int32_t>(convert<float>(size) * F(0x1p-24f));
  return bitcast<float>(sign | select(size < I(0x400), small, large));
}
template <class V>
EXPRAX_INLINE constexpr auto decoded_bfloat16(V x) {
  return bitcast<float>(convert<std::int32_t>(x) << 16);
}

// A double as a float that rounds to a 16-bit float as the double does: truncated, with the last bit set if that was inexact.
template <class V>
EXPRAX_INLINE constexpr auto marked_float(V x) {
  using T = typename V::value_type;
  if constexpr (std::is_same_v<T, float>) {
    return x;
  } else {
    using I = typename V::template rebind<std::int32_t>;
    auto const y = convert<float>(x);
    V const back = convert<double>(y);
    I const bits = bitcast<std::int32_t>(y), cut = select(abs(back) > abs(x), bits - I(1), bits);
    return bitcast<float>(select(back != x, cut | I(1), bits));
  }
}

// V: lane or pack of float or double.
template <class V>
EXPRAX_INLINE constexpr auto encoded_float16(V x) {
  auto const f = marked_float(x);
  using I = typename V::template rebind<std::int32_t>;
  using F = typename V::template rebind<float>;
  I const bits = bitcast<std::int32_t>(f), size = bits & I(0x7fffffff), sign = (bits >> 16) & I(0x8000);
  I const normal = (size - I(0x38000000) + I(0xfff) + ((size >> 13) & I(1))) >> 13;
  // In the sum with 0.5, an ulp is that of a subnormal float16.
  I const small = bitcast<std::int32_t>(abs(f) + F(0.5f)) - I(0x3f000000);
  I const finite = select(size < I(0x38800000), small, normal);
  I const large = select(size > I(0x7f800000), I(0x7e00), I(0x7c00));
  return convert<std::uint16_t>(sign | select(size < I(0x47800000), finite, large));
}
template <class V>
EXPRAX_INLINE constexpr auto encoded_bfloat16(V x) {
  auto const f = marked_float(x);
  using I = typename V::template rebind<std::int32_t>;
  I const bits = bitcast<std::int32_t>(f), size = bits & I(0x7fffffff), sign = (bits >> 16) & I(0x8000);
  I const rounded = (size + I(0x7fff) + ((size >> 16) & I(1))) >> 16;
  return convert<std::uint16_t>(sign | select(size > I(0x7f800000), I(0x7fc0), rounded));
}

constexpr bool is_word(dtype d) { return d == dtype::u16; }
constexpr bool is_computed_float(dtype d) { return d == dtype::f32 || d == dtype::f64; }

template <prim P, bool (*Accepts)(dtype), dtype Result>
struct half_conversion : uniform_rules<P, 1, Accepts> {
  static constexpr std::string_view stablehlo = "convert";
  static constexpr bool folds_wide = false;  // in its own dtype (passes/rewrite/fold.hpp)
  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (!uniform_rules<P, 1, Accepts>::infer(e, out)) return false;
    *out = out->with_type(Result);
    return true;
  }
};
template <prim P>
struct half_decoding : half_conversion<P, is_word, dtype::f32> {};
template <prim P>
struct half_encoding : half_conversion<P, is_computed_float, dtype::u16> {};

}  // namespace exprax::detail
