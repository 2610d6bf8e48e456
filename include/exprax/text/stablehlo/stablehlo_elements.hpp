// SPDX-License-Identifier: BSL-1.0
// Types and constants as MLIR prints them: tensor<2x3xf32>, dense<[[1, 2], [3, 4]]>, 1.000000e+00, 0x7FC00000.
#pragma once

#include <exprax/base/format.hpp>
#include <exprax/base/span.hpp>
#include <exprax/types/aval.hpp>
#include <exprax/types/bits.hpp>

namespace exprax::detail {

inline constexpr std::string_view mlir_names[dtype_count] = {"i1",   "i8",  "i16",  "i32", "i64", "ui8",          "ui16",         "ui32",
                                                             "ui64", "f16", "bf16", "f32", "f64", "complex<f32>", "complex<f64>", "ui64"};

constexpr void write_tensor_type(text_buffer& o, aval const& a) {
  o.write("tensor<");
  for (int i = 0; i < a.rank; ++i) {
    o.integer(a.dims[i]);
    o.put('x');
  }
  o.write(mlir_names[static_cast<int>(a.type)]);
  o.put('>');
}

constexpr void write_hex(text_buffer& o, std::uint64_t bits, int digits) {
  for (int i = digits - 1; i >= 0; --i) o.put("0123456789ABCDEF"[(bits >> (4 * i)) & 15]);
}

// AsmPrinter's printFloatValue: six digits and an exponent if these read back as the same number; else nine or seventeen digits
// (APFloat::toString); if that has no decimal point, or the number is not finite, its bits.
template <class T>
constexpr void write_mlir_float(text_buffer& o, T x) {
  float_parts const b = parts_of(x);
  if (b.finite()) {
    // Six digits of a 16-bit float always read back exactly.
    decimal const shortest = is_half_type<T> ? shortest_digits(b, {-5, true, true}) : shortest_digits(b);
    if (shortest.size <= 6) {
      if (b.negative) o.put('-');
      o.put(shortest.size > 0 ? shortest.digits[0] : '0');
      o.put('.');
      for (int i = 1; i < 7; ++i) o.put(i < shortest.size ? shortest.digits[i] : '0');
      int const exponent = shortest.size > 0 ? shortest.point - 1 : 0, size = exponent < 0 ? -exponent : exponent;
      o.write(exponent < 0 ? "e-" : "e+");
      if (size < 10) o.put('0');
      return o.integer(size);
    }
    constexpr int precision = sizeof(T) == 4 ? 9 : 17;
    decimal const d = shortest_digits(b, {1 - precision, true, true});
    // The number is 0.digits * 10^point.
    if (d.point < d.size && d.point >= -2) {
      if (b.negative) o.put('-');
      if (d.point <= 0) o.write("0.");
      o.fill('0', -d.point);
      for (int i = 0; i < d.size; ++i) {
        if (i > 0 && i == d.point) o.put('.');
        o.put(d.digits[i]);
      }
      return;
    }
    if (d.point < d.size || d.point - d.size > 3 || d.point > precision) {
      if (b.negative) o.put('-');
      o.put(d.digits[0]);
      o.put('.');
      o.write(d.digits + 1, d.size - 1);
      o.write(d.point < 1 ? "E-" : "E+");
      return o.integer(d.point < 1 ? 1 - d.point : d.point - 1);
    }
  }
  o.write("0x");
  write_hex(o, to_bits(x), 2 * static_cast<int>(sizeof(T)));
}

// In quotes; non-printable characters by their bytes.
constexpr void write_mlir_string(text_buffer& o, std::string_view s) {
  o.put('"');
  for (char c : s) {
    if (c >= ' ' && c <= '~' && c != '"') {
      if (c == '\\') o.put(c);
      o.put(c);
    } else {
      o.put('\\');
      write_hex(o, static_cast<unsigned char>(c), 2);
    }
  }
  o.put('"');
}

constexpr void write_mlir_element(text_buffer& o, dtype t, std::uint64_t const* patterns) {
  std::uint64_t const bits = *patterns;
  if (is_complex(t)) {
    o.put('(');
    write_mlir_element(o, real_dtype(t), patterns);
    o.put(',');
    write_mlir_element(o, real_dtype(t), patterns + 1);
    o.put(')');
    return;
  }
  switch (t) {
    case dtype::b1: return o.write(bits != 0 ? "true" : "false");
    case dtype::f16: return write_mlir_float(o, from_bits<float16>(bits));
    case dtype::bf16: return write_mlir_float(o, from_bits<bfloat16>(bits));
    case dtype::f32: return write_mlir_float(o, from_bits<float>(bits));
    case dtype::f64: return write_mlir_float(o, from_bits<double>(bits));
    default: break;
  }
  if (is_unsigned_integer(t)) o.unsigned_integer(bits);
  else o.integer(static_cast<std::int64_t>(bits));
}

// dense<...>: a single element if all are equal, nested lists, or, beyond 100 elements, their bytes.
constexpr void write_dense(text_buffer& o, aval const& a, span<std::uint64_t> bits, bool equal) {
  int const patterns = is_complex(a.type) ? 2 : 1;  // per element
  o.write("dense<");
  if (equal) {
    write_mlir_element(o, a.type, bits.data());
  } else if (bits.size() / patterns > 100 && !is_bool(a.type)) {
    o.write("\"0x");
    for (std::uint64_t x : bits)
      for (int k = 0; k < size_of(real_dtype(a.type)); ++k) write_hex(o, x >> (8 * k), 2);
    o.put('"');
  } else {
    strides const of(a);
    for (int n = 0; n < bits.size() / patterns; ++n) {
      if (n > 0) o.write(", ");
      for (int i = 0; i < a.rank; ++i)
        if (n % (of[i] * a.dims[i]) == 0) o.put('[');
      write_mlir_element(o, a.type, bits.data() + n * patterns);
      for (int i = 0; i < a.rank; ++i)
        if ((n + 1) % (of[i] * a.dims[i]) == 0) o.put(']');
    }
  }
  o.put('>');
}

}  // namespace exprax::detail
