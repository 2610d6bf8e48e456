// SPDX-License-Identifier: BSL-1.0
// A StableHLO module as plain data: functions, blocks, operations and the types of values, in flat tables. The names of operations and the
// meaning of operands are those of the StableHLO specification (openxla/stablehlo, docs/spec.md). Created by
// text/stablehlo/stablehlo_lowering.hpp, printed by text/stablehlo/stablehlo.hpp and text/hlo/hlo.hpp.
#pragma once

#include <cstdint>
#include <string_view>

#include <exprax/base/arena.hpp>
#include <exprax/base/span.hpp>
#include <exprax/types/aval.hpp>

namespace exprax::detail {

// The form in which an operation is printed, and its attributes:
enum class hlo_form : unsigned char {
  plain,           // none: elementwise operations, convert, reshape, dynamic_update_slice
  reduce_precision,  // exponent_bits, mantissa_bits
  select,          // none
  constant,        // the offset of its elements in the module's constants, their number (1: all elements are equal)
  iota,            // the axis
  broadcast,       // for each axis of the operand the axis of the result
  axes,            // transpose, reverse: axes
  concatenate,     // the axis
  pad,             // low, high, interior of each axis
  slice,           // start, limit, stride of each axis
  dynamic_slice,   // the sizes
  compare,         // 1 for the total order of floats; the label is the direction
  reduce,          // the axes; the block combines two scalars
  reduce_window,   // sizes, strides, low and high padding, base and window dilations of each axis; the rest as reduce_by
  reduce_by,       // the axes; operands, then as many initial values; the block combines a scalar of each with one more of each
  sort,            // the axis, whether it is stable; the block compares two scalars of each operand
  top_k,           // k
  cholesky,        // none; reads the lower triangle
  triangular_solve,  // left_side, lower, transpose_a, unit_diagonal
  dot_general,     // n, n contracting axes of lhs, of rhs; m, m batch axes of lhs, of rhs
  convolution,     // those of conv_general_dilated
  gather,          // five lists after their lengths, in the order of the specification; index_vector_dim, sorted, then the slice sizes
  scatter,         // five lists after their lengths, in the order of the specification; index_vector_dim, sorted, unique; a block
  while_loop,      // none; blocks: the condition and the body, both on the carry
  case_of,         // none; a block without inputs for each branch; it reads outer values
  call,            // the function
  custom_call,     // none; the name is the target, the label its config
  results          // ends a block
};

struct hlo_op {
  hlo_form form;
  std::string_view name, label;
  int in = 0, n_in = 0;    // in the table of operands
  int out = 0, n_out = 0;  // values out, out + 1, ...
  int att = 0, n_att = 0;  // in the table of attributes
  int blk = 0, n_blk = 0;  // in the table of references to blocks
};

struct hlo_block {
  int arg = 0, n_arg = 0;  // values arg, arg + 1, ...; the values defined in the block and in inner blocks follow
  int op = 0, n_op = 0;
};

struct hlo_function {
  std::string_view name;
  int suffix = -1;  // appended to a name that others have too
  int block = 0;
};

class stablehlo_module {
 public:
  std::string_view name;            // of the lowered function
  arena<aval> types;                // of the values
  arena<hlo_op> ops;
  arena<hlo_block> blocks;
  arena<hlo_function> functions;    // the first one is main
  arena<int> operands, attributes, block_refs;
  arena<std::uint64_t> constants;

  constexpr span<int> ins(hlo_op const& o) const { return {operands.data() + o.in, o.n_in}; }
  constexpr span<int> atts(hlo_op const& o) const { return {attributes.data() + o.att, o.n_att}; }
  constexpr int att(hlo_op const& o, int k) const { return attributes[o.att + k]; }
  constexpr hlo_block const& sub(hlo_op const& o, int k) const { return blocks[block_refs[o.blk + k]]; }
  constexpr span<hlo_op> body(hlo_block const& b) const { return {ops.data() + b.op, b.n_op}; }
  constexpr hlo_op const& results(hlo_block const& b) const { return ops[b.op + b.n_op - 1]; }
  constexpr aval const& type(int v) const { return types[v]; }
  constexpr bool uniform(hlo_op const& o) const {
    for (int v : ins(o))
      if (!type(v).matches(type(o.out))) return false;
    return true;
  }
};

// The five lists of a gather or scatter. rest: for a gather the slice sizes, for a scatter whether indices are unique.
struct hlo_index_numbers {
  span<int> list[5], rest;
  int index_vector_dim, sorted;
  constexpr explicit hlo_index_numbers(span<int> a) {
    int at = 0;
    for (span<int>& s : list) {
      s = a.part(at + 1, a[at]);
      at += 1 + a[at];
    }
    index_vector_dim = a[at];
    sorted = a[at + 1];
    rest = a.part(at + 2, a.size() - at - 2);
  }
};

}  // namespace exprax::detail
