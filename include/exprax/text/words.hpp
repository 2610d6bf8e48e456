// SPDX-License-Identifier: BSL-1.0
// Words of jaxprs: types (f32[2,3]) and numbers.
#pragma once

#include <exprax/types/bits.hpp>
#include <exprax/types/print.hpp>

namespace exprax::detail {

constexpr void write_type(text_buffer& to, aval const& a) {
  to.write(short_name(a.type));
  to.put('[');
  for (int i = 0; i < a.rank; ++i) {
    if (i > 0) to.put(',');
    to.integer(a.dims[i]);
  }
  to.put(']');
}
// An element that is no complex number.
constexpr void write_number(text_buffer& to, dtype t, std::uint64_t bits) {
  switch (t) {
    case dtype::b1: return write_bool(to, bits != 0);
    case dtype::f32: return write_float(to, double{from_bits<float>(bits)});
    case dtype::f64: return write_float(to, from_bits<double>(bits));
    case dtype::f16: return write_float(to, double{from_bits<float16>(bits)});
    case dtype::bf16: return write_float(to, double{from_bits<bfloat16>(bits)});
    default: break;
  }
  if (is_unsigned_integer(t)) to.unsigned_integer(bits);
  else to.integer(static_cast<std::int64_t>(bits));
}
// A scalar, given by the patterns of its parts.
constexpr void write_scalar(text_buffer& to, dtype t, std::uint64_t const* bits) {
  if (t == dtype::c64) write_complex(to, complex128(double{from_bits<float>(bits[0])}, double{from_bits<float>(bits[1])}));
  else if (t == dtype::c128) write_complex(to, complex128(from_bits<double>(bits[0]), from_bits<double>(bits[1])));
  else write_number(to, t, *bits);
}

}  // namespace exprax::detail
