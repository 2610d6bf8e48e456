// SPDX-License-Identifier: BSL-1.0
// plan_printer: the kernels of a plan, in order: the shapes of loops, the number of rows in lanes, and the memory that is read and written.
// For readers of the generated assembly; the format may change.
#pragma once

#include <string_view>

#include <exprax/base/text_buffer.hpp>
#include <exprax/plan/analysis/uses.hpp>
#include <exprax/plan/planner.hpp>

namespace exprax::detail {

// Tables: plan_storage. A template, so that programs that do not print do not instantiate it.
template <class Tables>
class plan_printer {
 public:
  constexpr plan_printer(Tables const& p, plan_sizes const& sizes, text_buffer& to) : p_(p), sizes_(sizes), to_(to) {}

  constexpr void print(std::string_view name) {
    to_.write("plan of ");
    to_.write(name);
    to_.write(": ");
    amount(sizes_.main.count, "kernel");
    to_.write(", ");
    number(sizes_.scratch);
    to_.write(" bytes of scratch\n");
    kernels(sizes_.main, 1);
  }

 private:
  constexpr void number(std::ptrdiff_t n) { to_.unsigned_integer(static_cast<std::uint64_t>(n)); }
  constexpr void amount(int n, std::string_view of) {
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

  constexpr void kernels(kernel_range r, int indent) {
    for (int i = r.first; i < r.first + r.count; ++i) {
      kernel const k = p_.kernels[i];
      to_.fill(' ', 2 * indent);
      head(k);
      memory(k);
      to_.put('\n');
      auto nested = [&](kernel_range inner) { kernels(inner, indent + 1); };
      auto nothing = [](int, use_kind) {};
      use_walker<Tables, decltype(nothing)>(p_, nothing).for_nested(k, nested);
    }
  }
  constexpr void head(kernel k) {
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
        return;
      }
      case kernel_kind::region: return region(p_.regions[k.index]);
      case kernel_kind::scan:
        to_.write("scan, ");
        amount(static_cast<int>(p_.scans[k.index].length), "turn");
        return;
      case kernel_kind::ordering: {
        ordering_kernel const& o = p_.orderings[k.index];
        to_.write(o.op == prim::sort_rows ? "sort, " : o.selects ? "selection, " : "order, ");
        amount(o.rows, "row");
        to_.write(" of ");
        return number(o.n);
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

  // What the kernel itself reads and writes.
  constexpr void memory(kernel k) {
    arena<int> read, written;
    auto note = [&](int buffer, use_kind how) {
      if (how != use_kind::write) add(read, buffer);
      if (how != use_kind::read) add(written, buffer);
    };
    use_walker<Tables, decltype(note)>(p_, note).own(k);
    if (read.empty() && written.empty()) return;
    to_.write("; ");
    list(read);
    if (!read.empty() && !written.empty()) to_.put(' ');
    if (!written.empty()) to_.write("-> "), list(written);
  }
  static constexpr void add(arena<int>& list, int buffer) {
    for (int b : list)
      if (b == buffer) return;
    list.push(buffer);
  }
  constexpr void list(arena<int> const& buffers) {
    for (int i = 0; i < buffers.size(); ++i) {
      if (i > 0) to_.put(' ');
      buffer const& b = p_.buffers[buffers[i]];
      switch (b.where) {
        case storage_class::input: to_.write("in"); break;
        case storage_class::output: to_.write("out"); break;
        case storage_class::constant: to_.write("constant"); break;
        case storage_class::scratch: to_.write("scratch"); break;
        case storage_class::bound: to_.write("part"); break;
      }
      number(b.where == storage_class::scratch ? b.offset : b.where == storage_class::bound ? buffers[i] : b.index);
    }
  }

  Tables const& p_;
  plan_sizes sizes_;
  text_buffer& to_;
};

}  // namespace exprax::detail
