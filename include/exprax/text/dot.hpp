// SPDX-License-Identifier: BSL-1.0
// dot_printer: a program as a graph in Graphviz's language. Equations are boxes, inputs and results ellipses, constants plain; an edge is a
// value, with its type; the blocks of an equation (the body of a loop, the branches of a cond) are clusters, hung on it by dashed edges.
#pragma once

#include <exprax/primitives/traits.hpp>
#include <exprax/text/words.hpp>

namespace exprax::detail {

class dot_printer {
 public:
  constexpr dot_printer(program_ref p, text_buffer& to) : p_(p), to_(to), defined_by_(definitions_of(p)) {}
  constexpr void print() {
    to_.write("digraph {\n  node [shape=box fontname=monospace]\n  edge [fontname=monospace]\n");
    block(p_.main(), 1);
    to_.write("}\n");
  }

 private:
  // A block may be that of several equations, so its nodes are numbered anew each time.
  constexpr void block(struct block const& b, int indent) {
    int const scope = scopes_++;
    for (int v : p_.ins(b)) {
      line(indent);
      node('v', scope, v);
      to_.write(" [label=\"");
      type_of(v);
      to_.write("\" shape=ellipse]\n");
    }
    for (int i = b.eqn; i < b.eqn + b.n_eqn; ++i) equation(i, scope, indent);
    span<int> const outs = p_.outs(b);
    for (int k = 0; k < outs.size(); ++k) {
      line(indent);
      node('r', scope, k);
      to_.write(" [label=\"");
      type_of(outs[k]);
      to_.write("\" shape=ellipse peripheries=2]\n");
      edge(outs[k], 'r', scope, k, indent);
    }
  }
  constexpr void equation(int i, int scope, int indent) {
    eqn const& e = p_.eqns[i];
    line(indent);
    node('e', scope, i);
    to_.write(" [label=\"");
    to_.write(primitive_name(e.op));
    to_.write("\"]\n");
    for (int v : p_.ins(e)) edge(v, 'e', scope, i, indent);
    for (int id : p_.subs(e)) {
      int const inner = scopes_;
      line(indent);
      to_.write("subgraph cluster_");
      to_.integer(inner);
      to_.write(" {\n");
      block(p_.blocks[id], indent + 1);
      line(indent);
      to_.write("}\n");
      line(indent);
      node('e', scope, i);
      to_.write(" -> ");
      first_node(p_.blocks[id], inner);
      to_.write(" [style=dashed arrowhead=none]\n");
    }
  }
  constexpr void first_node(struct block const& b, int scope) {
    if (b.n_in > 0) node('v', scope, p_.ins(b)[0]);
    else if (b.n_eqn > 0) node('e', scope, b.eqn);
    else node('r', scope, 0);
  }
  // From what makes v to a node.
  constexpr void edge(int v, char kind, int scope, int id, int indent) {
    if (p_.is_constant(v)) {
      line(indent);
      node('c', constants_, v);
      to_.write(" [label=\"");
      if (p_.is_literal(v)) write_scalar(to_, p_.type(v).type, p_.constants + p_.values[v].constant);
      else to_.write("constant");
      to_.write("\" shape=plaintext]\n");
    }
    line(indent);
    if (p_.is_constant(v)) node('c', constants_++, v);
    else if (defined_by_[v] >= 0) node('e', scope, defined_by_[v]);
    else node('v', scope, v);
    to_.write(" -> ");
    node(kind, scope, id);
    to_.write(" [label=\"");
    type_of(v);
    to_.write("\"]\n");
  }
  constexpr void line(int indent) { to_.fill(' ', 2 * indent); }
  constexpr void node(char kind, int scope, int id) {
    to_.put(kind);
    to_.integer(scope);
    to_.put('_');
    to_.integer(id);
  }
  constexpr void type_of(int v) { write_type(to_, p_.type(v)); }

  program_ref p_;
  text_buffer& to_;
  arena<int> defined_by_;  // for each value its equation, or -1
  int scopes_ = 0, constants_ = 0;
};

template <class Program>
struct dot_source : buffered_text<dot_source<Program>> {
  static constexpr void print(text_buffer& to) { dot_printer(Program::ref, to).print(); }
};

}  // namespace exprax::detail
