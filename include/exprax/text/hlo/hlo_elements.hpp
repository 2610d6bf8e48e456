// SPDX-License-Identifier: BSL-1.0
// Types, constants and names of operations as XLA writes them: f32[2,3]{1,0}, { { 1, 2 }, { 3, 4 } }, dynamic-slice.
#pragma once

#include <exprax/base/format.hpp>
#include <exprax/types/aval.hpp>
#include <exprax/types/bits.hpp>

namespace exprax::detail {

inline constexpr std::string_view hlo_type_names[dtype_count] = {"pred", "s8",  "s16",  "s32", "s64", "u8",  "u16",  "u32",
                                                                 "u64",  "f16", "bf16", "f32", "f64", "c64", "c128", "u64"};

// With the layout: the axes from the fastest to the slowest.
constexpr void write_hlo_type(text_buffer& o, aval const& a) {
  o.write(hlo_type_names[static_cast<int>(a.type)]);
  o.put('[');
  for (int i = 0; i < a.rank; ++i) {
    if (i > 0) o.put(',');
    o.integer(a.dims[i]);
  }
  o.put(']');
  if (a.rank == 0) return;
  o.put('{');
  for (int i = a.rank - 1; i >= 0; --i) {
    o.integer(i);
    if (i > 0) o.put(',');
  }
  o.put('}');
}

constexpr void write_hlo_element(text_buffer& o, dtype t, std::uint64_t const* patterns) {
  std::uint64_t const bits = *patterns;
  if (is_complex(t)) {
    o.put('(');
    write_hlo_element(o, real_dtype(t), patterns);
    o.write(", ");
    write_hlo_element(o, real_dtype(t), patterns + 1);
    return o.put(')');
  }
  if (is_bool(t)) return o.write(bits != 0 ? "true" : "false");
  if (is_unsigned_integer(t)) return o.unsigned_integer(bits);
  if (!is_floating(t)) return o.integer(static_cast<std::int64_t>(bits));
  text_buffer number;
  if (t == dtype::f64) write_float(number, from_bits<double>(bits));
  else if (t == dtype::f16) write_float(number, from_bits<float16>(bits));
  else if (t == dtype::bf16) write_float(number, from_bits<bfloat16>(bits));
  else write_float(number, from_bits<float>(bits));
  std::string_view s = number.view();
  if (s.size() > 2 && s.substr(s.size() - 2) == ".0") s.remove_suffix(2);
  o.write(s);
}

// equal: all elements are equal, and `bits` has one.
constexpr void write_hlo_literal(text_buffer& o, aval const& a, std::uint64_t const* bits, bool equal) {
  strides const of(a);
  std::ptrdiff_t const n = a.size();
  if (n == 0) return o.write("{}");
  std::string_view const open = a.rank > 1 ? "{ " : "{", close = a.rank > 1 ? " }" : "}";
  for (std::ptrdiff_t k = 0; k < n; ++k) {
    if (k > 0) o.write(", ");
    for (int i = 0; i < a.rank; ++i)
      if (k % (of[i] * a.dims[i]) == 0) o.write(open);
    write_hlo_element(o, a.type, bits + (equal ? 0 : k * (is_complex(a.type) ? 2 : 1)));
    for (int i = 0; i < a.rank; ++i)
      if ((k + 1) % (of[i] * a.dims[i]) == 0) o.write(close);
  }
}

// In quotes, with C escapes.
constexpr void write_quoted(text_buffer& o, std::string_view s) {
  o.put('"');
  for (char c : s) {
    if (c == '"' || c == '\\') o.put('\\');
    if (c == '\n') o.write("\\n");
    else o.put(c);
  }
  o.put('"');
}

// HLO's name for an operation of StableHLO.
constexpr std::string_view hlo_opcode(std::string_view name) {
  constexpr std::string_view differing[][2] = {{"broadcast_in_dim", "broadcast"},
                                               {"dot_general", "dot"},
                                               {"triangular_solve", "triangular-solve"},
                                               {"exponential_minus_one", "exponential-minus-one"},
                                               {"log_plus_one", "log-plus-one"},
                                               {"is_finite", "is-finite"},
                                               {"bitcast_convert", "bitcast-convert"},
                                               {"reduce_precision", "reduce-precision"},
                                               {"shift_left", "shift-left"},
                                               {"shift_right_logical", "shift-right-logical"},
                                               {"shift_right_arithmetic", "shift-right-arithmetic"},
                                               {"count_leading_zeros", "count-leading-zeros"},
                                               {"round_nearest_afz", "round-nearest-afz"},
                                               {"round_nearest_even", "round-nearest-even"},
                                               {"dynamic_slice", "dynamic-slice"},
                                               {"dynamic_update_slice", "dynamic-update-slice"},
                                               {"reduce_window", "reduce-window"},
                                               {"chlo.top_k", "topk"}};
  for (auto const& [stablehlo, hlo] : differing)
    if (name == stablehlo) return hlo;
  return name.substr(0, 5) == "chlo." ? name.substr(5) : name;
}

}  // namespace exprax::detail
