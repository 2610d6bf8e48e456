#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Holds who may name primitives: primitives.py INCLUDE_FOLDER.

What others ask of a primitive is a fact in its file (prim_traits): nobody compares primitives by their order in the enumeration, and passes/ and
plan/ name single ones only where they rewrite them, or have a kernel or steps for them. NAMES is the list: it gets shorter, and a new primitive
gets into it only with a rewrite or a kernel of its own.
"""
import pathlib
import re
import sys

NAMES = {
    "passes/compactor.hpp": "add checkpoint fma mul neg sub",
    "passes/batched_vectors.hpp": "dot_general vmap",
    "passes/expand.hpp": "add broadcast_in_dim conv_general_dilated convert_element_type dot_general fma ge max min mul pad reshape rev select_n slice transpose",
    "passes/expand_argument.hpp": "and_ eq ge gt le lt max not_ reduce_max reduce_min select_n",
    "passes/expand_cumulative.hpp": "abs add cumlogsumexp exp log1p max ne neg scan select_n sub",
    "passes/independent_rows.hpp": "broadcast_in_dim reshape scan vmap",
    "passes/loops.hpp": "broadcast_in_dim iota scan while_",
    "passes/place_vmaps.hpp": "concatenate cond conv_general_dilated debug_print dot_general scan slice vmap while_",
    "passes/scanned_products.hpp": "dot_general scan",
    "passes/strided_updates.hpp": "and_ broadcast_in_dim eq iota le mul select_n slice update_slice vmap",
    "passes/summed_products.hpp": "add broadcast_in_dim dot_general mul rev transpose",
    "passes/rows/apart_loop.hpp": "scan",
    "passes/rows/scanned_chains.hpp": "broadcast_in_dim concatenate iota reshape scan slice squeeze transpose vmap",
    "passes/rows_in_scans.hpp": "add broadcast_in_dim convert_element_type reshape scan",
    "passes/rows/row_axes.hpp": "broadcast_in_dim scan",
    "passes/rewrite/fold.hpp": "bitcast convert_element_type",
    "passes/rewrite/materialize.hpp": "broadcast_in_dim",
    "passes/rewrite/mirrored.hpp": "abs add broadcast_in_dim convert_element_type cos cosh div dot_general exp exp2 fma iota logistic mul neg reduce_sum reshape select_n sqrt sub transpose",
    "passes/rewrite/repeated_rows.hpp": "broadcast_in_dim",
    "passes/rewrite/repeated_operands.hpp": "broadcast_in_dim",
    "passes/rewrite/request.hpp": "abs broadcast_in_dim ceil convert_element_type floor integer_pow neg not_ sign",
    "passes/rewrite/rewriter.hpp": "broadcast_in_dim checkpoint convert_element_type jit reshape slice",
    "passes/rewrite/rolled_stacks.hpp": "broadcast_in_dim concatenate dot_general reshape slice squeeze",
    "passes/rewrite/scopes.hpp": "broadcast_in_dim iota",
    "passes/rewrite/simplify.hpp": "dot_general scan vmap while_",
    "passes/rewrite/simplify_contraction.hpp": "broadcast_in_dim mul transpose",
    "passes/rewrite/simplify_conversions.hpp": "add at_least at_most convert_element_type or_ population_count shift_left",
    "passes/rewrite/simplify_division.hpp": "add and_ div lt ne rem select_n shift_right_arithmetic sign sub xor_",
    "passes/rewrite/simplify_elementwise.hpp": "abs add and_ at_least at_most broadcast_in_dim ceil clamp convert_element_type div eq floor ge gt integer_pow iota le lt max min mul ne neg nonzero not_ or_ order_rows reshape rev select_n shift_right_logical sign slice squeeze sub transpose xor_",
    "passes/rewrite/simplify_indexed.hpp": "dynamic_slice dynamic_update_slice scatter",
    "passes/rewrite/simplify_movement.hpp": "broadcast_in_dim concatenate dynamic_slice dynamic_update_slice gather iota pad reduce_and reduce_max reduce_min reduce_or reduce_prod reduce_sum reshape rev slice squeeze transpose update_slice",
    "passes/unrolled_scans.hpp": "concatenate scan",
    "passes/uses.hpp": "jit",
    "plan/analysis/analysis.hpp": "broadcast_in_dim concatenate cond conv_general_dilated debug_print dot_general dynamic_slice gather nonzero order_rows pad reshape scan sort_rows squeeze vmap while_",
    "plan/analysis/body_facts.hpp": "add dynamic_slice",
    "plan/analysis/context.hpp": "broadcast_in_dim gather pad",
    "plan/analysis/gathers_in_loops.hpp": "broadcast_in_dim concatenate gather reshape",
    "plan/analysis/work.hpp": "fma",
    "plan/data/plan.hpp": "select_n",
    "plan/kernels/block.hpp": "reshape squeeze",
    "plan/kernels/box_lowering.hpp": "add and_ bitcast concatenate convert_element_type eq iota max min mul pad select_n",
    "plan/kernels/contract_views.hpp": "convert_element_type",
    "plan/kernels/contractions.hpp": "conv_general_dilated",
    "plan/kernels/control.hpp": "scan vmap while_",
    "plan/analysis/half_operand.hpp": "decode_bfloat16 decode_float16 dot_general",
    "plan/analysis/index_source.hpp": "add and_ broadcast_in_dim concatenate convert_element_type lt select_n",
    "plan/kernels/half_matrix.hpp": "decode_float16",
    "plan/kernels/indexed.hpp": "gather",
    "plan/kernels/nonzero.hpp": "nonzero",
    "plan/kernels/ordering.hpp": "sort_rows",
    "plan/kernels/place.hpp": "concatenate convert_element_type dynamic_slice gather iota pad",
    "plan/kernels/scalars.hpp": "slice",
    "plan/kernels/updates.hpp": "dynamic_slice dynamic_update_slice gather pad",
    "plan/planner.hpp": "cond scan vmap while_",
    "plan/regions/forwarded_elements.hpp": "add select_n sub",
    "plan/regions/index_ranges.hpp": "add sub",
    "plan/regions/lane_layout.hpp": "add dot_general dynamic_slice fma mul",
    "plan/regions/lane_planner.hpp": "vmap",
    "plan/regions/region_control.hpp": "cond scan while_",
    "plan/regions/region_equations.hpp": "add concatenate convert_element_type dot_general dynamic_slice dynamic_update_slice fma integer_pow iota mul pad reshape squeeze",
    "plan/regions/run_layout.hpp": "add fma lt min mul select_n",
    "plan/regions/scalar_steps.hpp": "add lt select_n",
    "plan/data/region.hpp": "select_n",
}


def main():
    root = pathlib.Path(sys.argv[1]) / "exprax"
    found = []
    for path in sorted(root.rglob("*.hpp")):
        name, text = path.relative_to(root).as_posix(), path.read_text()
        for number, line in enumerate(text.splitlines(), 1):
            if re.search(r"(?<![\w>])(?:op|p|\w+\.op|\w+\(\))\s*(?:<|>|<=|>=)\s*prim::\w+", line):
                found.append(f"{path}:{number}: primitives are compared by their order: ask traits_of")
        if name.split("/")[0] in ("passes", "plan"):
            used, allowed = set(re.findall(r"prim::(\w+)", text)), set(NAMES.get(name, "").split())
            for extra in sorted(used - allowed):
                found.append(f"{path}: names prim::{extra}: ask traits_of, or write it into NAMES of tests/checks/primitives.py with its rewrite")
            for gone in sorted(allowed - used):
                found.append(f"{path}: does not name prim::{gone} any more: take it out of NAMES of tests/checks/primitives.py")
    for name in NAMES:
        if not (root / name).is_file():
            found.append(f"{name} is gone: take it out of NAMES of tests/checks/primitives.py")
    sys.exit("\n".join(found) or 0)


if __name__ == "__main__":
    main()
