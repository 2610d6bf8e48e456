// SPDX-License-Identifier: BSL-1.0
// Numbers formatted as by Python's repr: 3.0, 1e-05, 0.10000000149011612, inf, nan, True; tuples of integers: (2, 3), (2,).
#pragma once

#include <exprax/base/decimal.hpp>
#include <exprax/base/span.hpp>
#include <exprax/base/text_buffer.hpp>

namespace exprax::detail {

// The exponent of scientific notation: a sign and at least two digits.
constexpr void write_exponent(text_buffer& out, int exponent, int digits = 2) {
  out.put('e');
  out.put(exponent < 0 ? '-' : '+');
  int const magnitude = exponent < 0 ? -exponent : exponent;
  if (magnitude < 100 && digits > 2) out.put('0');
  if (magnitude < 10) out.put('0');
  out.integer(magnitude);
}

// Python's repr of a float, str of NumPy's float32 and float64: scientific notation below 1e-4 and from 1e16 on.
template <class T>
constexpr void write_float(text_buffer& out, T x) {
  float_parts const b = parts_of(x);
  if (b.nan) return out.write("nan");
  if (b.negative) out.put('-');
  if (b.infinite) return out.write("inf");
  if (b.mantissa == 0) return out.write("0.0");
  decimal const d = shortest_digits(b);
  if (double const size = b.negative ? -double{x} : double{x}; size >= 1e16 || size < 1e-4) {
    out.put(d.digits[0]);
    if (d.size > 1) out.put('.');
    out.write(d.digits + 1, d.size - 1);
    write_exponent(out, d.point - 1);
  } else if (d.point <= 0) {
    out.write("0.");
    out.fill('0', -d.point);
    out.write(d.digits, d.size);
  } else {
    int const whole = d.size < d.point ? d.size : d.point;
    out.write(d.digits, whole);
    out.fill('0', d.point - whole);
    out.put('.');
    if (d.size > whole) out.write(d.digits + whole, d.size - whole);
    else out.put('0');
  }
}

constexpr void write_bool(text_buffer& out, bool x) { out.write(x ? "True" : "False"); }

constexpr void write_tuple(text_buffer& out, span<int> list) {
  out.put('(');
  for (int k = 0; k < list.size(); ++k) {
    if (k > 0) out.write(", ");
    out.integer(list[k]);
  }
  out.write(list.size() == 1 ? ",)" : ")");
}

}  // namespace exprax::detail
