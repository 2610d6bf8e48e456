// SPDX-License-Identifier: BSL-1.0
// Products of a vector and a matrix of float16 or bfloat16, which is read once: its elements are decoded as they are loaded, where other
// operands are decoded into memory.
#pragma once

#include <exprax/plan/kernels/contract_views.hpp>

namespace exprax::detail::planning {

struct half_matrix {
  int operand = -1;  // the matrix; -1: there is none
  dtype type = dtype::bf16;

  // The matrix is contiguous along the sum if that is blocked, else along the columns.
  constexpr half_matrix(context const& c, equation_ref const& e) {
    int const matrix = e.type(0).rank == 2 ? 0 : 1;
    bool const blocked = e.param(e.n_par() - 1) != 0;
    aval const of = e.type(matrix);
    if (!is_matrix_beside_vector(e, matrix) || of.dims[0] < 2 || of.dims[1] < 2 || of.type != dtype::f32) return;
    if (e.out_type(0).type != dtype::f32) return;
    int const sum = e.param(1 + matrix);
    int const decoded = source_of(c, e.in(matrix), widening::none, [](equation_ref const&) {});
    if (!is_computed(c, decoded) || !is_decoding(c.def(decoded).e.op)) return;
    moved_source const source(c, e.in(matrix), widening::of_halves);
    access const a = access_to(0, c.p.type(source.v), source.at);
    if (a.stride[blocked ? sum : 1 - sum] != 1) return;
    operand = matrix;
    type = c.def(decoded).e.op == prim::decode_float16 ? dtype::f16 : dtype::bf16;
  }
};

}  // namespace exprax::detail::planning
