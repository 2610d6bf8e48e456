// SPDX-License-Identifier: BSL-1.0
// plan_words: kernels and buffers of a plan in words: the shapes of loops, the number of rows in lanes, where a buffer is.
#pragma once

#include <cstddef>
#include <string_view>

#include <exprax/plan/analysis/work.hpp>
#include <exprax/text/words.hpp>

namespace exprax::detail {

// The buffers that a kernel itself reads and writes, each once.
struct kernel_memory {
  arena<int> read, written;

  template <class Tables>
  constexpr kernel_memory(Tables const& p, kernel k) {
    for (memory_use const& u : own_uses(p, k)) {
      if (u.reads()) push_once(read, u.buffer);
      if (u.writes()) push_once(written, u.buffer);
    }
  }
};

constexpr std::ptrdiff_t bytes_of(buffer const& b) { return b.size * size_of(b.type); }

// Arguments and results have their shapes; the elements of other buffers are a row. p: the program of the plan.
constexpr aval type_of(program_ref p, buffer const& b) {
  if (b.where == storage_class::input) return p.type(p.ins(p.main())[b.index]);
  if (b.where == storage_class::output) return p.type(p.outs(p.main())[b.index]);
  return aval(b.type, {static_cast<int>(b.size)});
}

// Tables: plan_storage. A template, so that programs that do not print plans do not instantiate it.
template <class Tables>
class plan_words {
 public:
  constexpr plan_words(Tables const& p, text_buffer& to) : p_(p), to_(to) {}

  constexpr void number(std::ptrdiff_t n) { to_.unsigned_integer(static_cast<std::uint64_t>(n)); }
  constexpr void amount(std::ptrdiff_t n, std::string_view of) {
    number(n);
    to_.put(' ');
    to_.write(of);
    if (n != 1) to_.put('s');
  }
  constexpr void shape(int const* dims, int rank) {
    to_.put('[');
    for (int i = 0; i < rank; ++i) {
      if (i > 0) to_.put(',');
      number(dims[i]);
    }
    to_.put(']');
  }
  constexpr void title(std::string_view name, plan_sizes const& sizes) {
    to_.write("plan of ");
    to_.write(name);
    to_.write(": ");
    amount(sizes.main.count, "kernel");
    to_.write(", ");
    number(sizes.scratch);
    to_.write(" bytes of scratch");
  }
  // in0, out0, scratch64 (its offset), part7 (of a loop).
  constexpr void name(int id) {
    buffer const& b = p_.buffers[id];
    switch (b.where) {
      case storage_class::input: to_.write("in"); break;
      case storage_class::output: to_.write("out"); break;
      case storage_class::constant: to_.write("constant"); break;
      case storage_class::scratch: to_.write("scratch"); break;
      case storage_class::bound: to_.write("part"); break;
    }
    number(b.where == storage_class::scratch ? b.offset : b.where == storage_class::bound ? id : b.index);
  }
  constexpr void type(program_ref p, int id) { write_type(to_, type_of(p, p_.buffers[id])); }
  constexpr void bytes(int id) { amount(bytes_of(p_.buffers[id]), "byte"); }
  constexpr void head(kernel k) {
    kind(k);
    if (k.is_parallel()) to_.write(", in parallel");
  }
  // "; 12 operations, 48 bytes: latency", where they are known.
  constexpr void work(kernel k) {
    kernel_work<Tables> const w(p_);
    time_bound const bound = w.bound(k);
    if (bound == time_bound::none) return;
    to_.write("; ");
    amount(static_cast<std::ptrdiff_t>(w.operations(k)), "operation");
    to_.write(", ");
    amount(static_cast<std::ptrdiff_t>(w.bytes(k)), "byte");
    to_.write(bound == time_bound::arithmetic ? ": arithmetic" : bound == time_bound::memory ? ": memory" : ": latency");
  }

 private:
  constexpr void kind(kernel k) {
    switch (k.kind) {
      case kernel_kind::loop: {
        loop_kernel const& l = p_.loops[k.index];
        int steps = 0;
        for (int b = 0; b < l.n_box; ++b) steps += p_.boxes[l.box + b].n_step;
        to_.write("loop ");
        shape(l.dims, l.rank);
        to_.write(": ");
        amount(steps, "step");
        if (l.n_box > 1) to_.write(" in "), number(l.n_box), to_.write(" boxes");
        return;
      }
      case kernel_kind::reduce: {
        reduce_kernel const& r = p_.reduces[k.index];
        to_.write(r.columns ? "reduction of columns " : "reduction of rows ");
        shape(r.dims, r.rank);
        to_.write(": ");
        return amount(p_.boxes[r.box].n_step, "step");
      }
      case kernel_kind::cumulative: {
        cumulative_kernel const& r = p_.cumulatives[k.index];
        to_.write(r.has_columns() ? "running reduction of columns " : "running reduction of rows ");
        shape(r.dims, r.rank);
        to_.write(": ");
        return amount(p_.boxes[r.box].n_step, "step");
      }
      case kernel_kind::contract: {
        contract_kernel const& c = p_.contracts[k.index];
        int at = 0;
        to_.write("product");
        int const counts[] = {c.batch, c.rows, c.columns, c.contracting};
        std::string_view const names[] = {" batch ", " rows ", " columns ", " sum "};
        for (int i = 0; i < 4; ++i) {
          if (counts[i] > 0) to_.write(names[i]), shape(c.dims + at, counts[i]);
          at += counts[i];
        }
        if (c.tiles.depth > 0) to_.write(", panels of "), number(c.tiles.depth), to_.write("x"), number(c.tiles.panel);
        if (c.group > 0) to_.write(", sums of "), number(c.group), to_.write(" at once");
        if (c.halves >= 0) to_.write(c.half == dtype::f16 ? ", decodes f16" : ", decodes bf16");
        if (c.has_epilogue()) to_.write(", then "), amount(p_.boxes[p_.loops[c.epilogue].box].n_step, "step");
        return;
      }
      case kernel_kind::region: return region(p_.regions[k.index]);
      case kernel_kind::scan:
        to_.write(p_.scans[k.index].is_nest ? "rows, " : "scan, ");
        amount(p_.scans[k.index].length, "turn");
        return;
      case kernel_kind::ordering: {
        ordering_kernel const& o = p_.orderings[k.index];
        to_.write(o.op == prim::sort_rows ? "sort, " : o.selects ? "selection, " : "order, ");
        amount(o.rows, "row");
        to_.write(" of ");
        number(o.n);
        if (o.row_lanes == 0) return;
        to_.write(", ");
        number(o.row_lanes);
        return to_.write(" at once");
      }
      case kernel_kind::nonzero: {
        nonzero_kernel const& x = p_.nonzeros[k.index];
        to_.write("places in ");
        shape(x.dims, x.rank);
        to_.write(": ");
        return amount(p_.boxes[x.box].n_step, "step");
      }
      case kernel_kind::gather: to_.write("gather"); return;
      case kernel_kind::scatter: to_.write("scatter"); return;
      case kernel_kind::while_loop: to_.write("while"); return;
      case kernel_kind::branch: to_.write("branch"); return;
      case kernel_kind::print: to_.write("print"); return;
    }
  }

  constexpr void region(region_kernel const& r) {
    if (r.row_axes == 0) {
      to_.write("registers: ");
    } else {
      to_.write("lanes, rows ");
      shape(r.rows, r.row_axes);
      to_.write(", ");
      number(r.lanes);
      to_.write(" at once: ");
    }
    amount(steps_of(r.block), "step");
  }
  constexpr int steps_of(int block) const {
    region_block const& b = p_.region_blocks[block];
    int n = 0;
    for (int i = b.step; i < b.step + b.n_step; ++i) {
      region_step const& s = p_.region_steps[i];
      ++n;
      for (int j = 0; j < s.n_block; ++j) n += steps_of(p_.tables[s.block + j]);
    }
    return n;
  }

  Tables const& p_;
  text_buffer& to_;
};

}  // namespace exprax::detail
