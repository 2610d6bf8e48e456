// SPDX-License-Identifier: BSL-1.0
// plan_dot_printer: a plan as a graph in Graphviz's language. Kernels are boxes, numbered in the order in which they run, with dotted edges
// from one to the next. Buffers are ellipses (arguments), double ellipses (results), cylinders (scratch, by offset), plain (constants), or
// dashed (parts, which a loop binds anew at each turn). What a kernel reads and writes are its edges; the kernels of a loop or branch are
// clusters, hung on it by dashed edges.
#pragma once

#include <exprax/base/names.hpp>
#include <exprax/plan/compile.hpp>
#include <exprax/text/plan_words.hpp>

namespace exprax::detail {

// Tables: plan_storage. p: the program of the plan.
template <class Tables>
class plan_dot_printer {
 public:
  constexpr plan_dot_printer(Tables const& tables, plan_sizes const& sizes, program_ref p, text_buffer& to)
      : tables_(tables), sizes_(sizes), p_(p), to_(to), words_(tables, to) {
    used_.resize(sizes.buffers, 0);
    written_.resize(sizes.buffers, 0);
  }

  constexpr void print(std::string_view name) {
    to_.write("digraph {\n  label=\"");
    words_.title(name, sizes_);
    to_.write("\" labelloc=t fontname=monospace\n  node [shape=box fontname=monospace]\n");
    note_uses();
    for (int b = 0; b < sizes_.buffers; ++b) {
      storage_class const where = tables_.buffers[b].where;
      bool const is_callers = where == storage_class::input || where == storage_class::output;
      if (is_callers || (used_[b] && where != storage_class::bound)) buffer_node(b, 1);
    }
    kernels(sizes_.main, 1);
    to_.write(edges_.view());
    to_.write("}\n");
  }

 private:
  constexpr void note_uses() {
    for (memory_use const& u : all_uses(tables_, sizes_.main)) {
      used_[u.buffer] = 1;
      if (u.writes()) written_[u.buffer] = 1;
    }
  }

  constexpr void kernels(kernel_range r, int indent) {
    for (int i = r.first; i < r.first + r.count; ++i) {
      int const id = ++kernels_;
      kernel const k = tables_.kernels[i];
      line(indent);
      node('k', id);
      to_.write(" [label=\"");
      words_.number(id);
      to_.write(". ");
      words_.head(k);
      to_.write("\"]\n");
      kernel_memory const memory(tables_, k);
      for (int b : memory.read)
        if (uses(k, b, false)) edge('b', b, 'k', id);
      for (int b : memory.written)
        if (uses(k, b, true)) edge('k', id, 'b', b);
      nested(k, id, indent);
      if (i + 1 < r.first + r.count) edge('k', id, 'k', kernels_ + 1, " [style=dotted]");
    }
  }
  // Of an array whose rows a scan takes, the body says whether they are read or written.
  constexpr bool uses(kernel k, int b, bool writes) const {
    if (k.kind != kernel_kind::scan) return true;
    bool has_rows = false;
    scan_kernel const& s = tables_.scans[k.index];
    for (int i = s.stream; i < s.stream + s.n_stream; ++i) {
      if (tables_.streams[i].whole != b) continue;
      if ((written_[tables_.streams[i].part] != 0) == writes) return true;
      has_rows = true;
    }
    return !has_rows;
  }
  constexpr void nested(kernel k, int id, int indent) {
    int list = 0;
    auto draw = [&](kernel_range inner) {
      int const of = list++;
      if (inner.count == 0) return;
      int const first = kernels_ + 1;
      line(indent);
      to_.write("subgraph cluster_");
      words_.number(id);
      to_.put('_');
      words_.number(of);
      to_.write(" {\n");
      line(indent + 1);
      to_.write("label=\"");
      if (k.kind == kernel_kind::branch) to_.write("case "), words_.number(of);
      else to_.write(k.kind == kernel_kind::while_loop && of == 0 ? "condition" : "body");
      to_.write("\"\n");
      if (of == list_of_body(k)) parts(k, indent + 1);
      kernels(inner, indent + 1);
      line(indent);
      to_.write("}\n");
      edge('k', id, 'k', first, " [style=dashed arrowhead=none]");
    };
    for_nested(tables_, k, draw);
  }
  static constexpr int list_of_body(kernel k) { return k.kind == kernel_kind::while_loop ? 1 : k.kind == kernel_kind::scan ? 0 : -1; }

  // The buffers that a loop binds.
  constexpr void parts(kernel k, int indent) {
    if (k.kind == kernel_kind::while_loop) return carries(tables_.whiles[k.index].carry, tables_.whiles[k.index].n_carry, indent);
    scan_kernel const& s = tables_.scans[k.index];
    carries(s.carry, s.n_carry, indent);
    for (int i = s.stream; i < s.stream + s.n_stream; ++i) part(tables_.streams[i].part, tables_.streams[i].whole, indent);
  }
  constexpr void carries(int first, int count, int indent) {
    for (int i = first; i < first + count; ++i) {
      carry_slot const& c = tables_.carries[i];
      part(c.in, c.result, indent);
      if (c.out != c.in) part(c.out, c.result, indent);
    }
  }
  constexpr void part(int b, int whole, int indent) {
    if (tables_.buffers[b].where != storage_class::bound || !used_[b]) return;
    buffer_node(b, indent);
    edge('b', whole, 'b', b, " [style=dashed arrowhead=none]");
  }

  constexpr void buffer_node(int b, int indent) {
    line(indent);
    node('b', b);
    to_.write(" [label=\"");
    words_.name(b);
    to_.write("\\n");
    words_.type(p_, b);
    to_.write("\\n");
    words_.bytes(b);
    to_.put('"');
    switch (tables_.buffers[b].where) {
      case storage_class::input: to_.write(" shape=ellipse"); break;
      case storage_class::output: to_.write(" shape=ellipse peripheries=2"); break;
      case storage_class::constant: to_.write(" shape=plaintext"); break;
      case storage_class::scratch: to_.write(" shape=cylinder"); break;
      case storage_class::bound: to_.write(" shape=ellipse style=dashed"); break;
    }
    to_.write("]\n");
  }
  // Written behind the clusters: a node belongs to each cluster in which it is named.
  constexpr void edge(char from_kind, int from, char to_kind, int to, std::string_view how = "") {
    edges_.write("  ");
    edges_.put(from_kind);
    edges_.integer(from);
    edges_.write(" -> ");
    edges_.put(to_kind);
    edges_.integer(to);
    edges_.write(how);
    edges_.put('\n');
  }
  constexpr void node(char kind, int id) {
    to_.put(kind);
    words_.number(id);
  }
  constexpr void line(int indent) { to_.fill(' ', 2 * indent); }

  Tables const& tables_;
  plan_sizes sizes_;
  program_ref p_;
  text_buffer& to_;
  text_buffer edges_;
  plan_words<Tables> words_;
  arena<char> used_, written_;  // by a kernel
  int kernels_ = 0;             // that have been drawn
};

// F is traced into Traced.
template <class F, class Traced>
struct plan_dot_source : buffered_text<plan_dot_source<F, Traced>> {
  static constexpr void print(text_buffer& to) {
    using plan = planned<compiled<Traced>>;
    plan_dot_printer(plan::storage, plan::sizes, plan::program::ref, to).print(function_name<F>);
  }
};

}  // namespace exprax::detail
