// SPDX-License-Identifier: BSL-1.0
// The text of a program in the grammar of JAX 0.10 (jax.core.pp_jaxpr):
//   { lambda ; a:f32[8] b:f32[8]. let c:f32[8] = sin b; d:f32[8] = add a c in (d,) }
// with its line breaks, its names (a ... z, ba ..., in the order of printing; an inner value of a jit takes the name of the
// outer one it is bound to; _ is never used), and jaxprs that occur more than once printed first.
// Longer than 300 lines: one class, whose methods name, measure and print jaxprs by each other.
#pragma once

#include <exprax/primitives/all.hpp>
#include <exprax/text/document.hpp>
#include <exprax/text/jaxpr/shared_blocks.hpp>
#include <exprax/text/words.hpp>

namespace exprax::detail {

// The interface for the print rules of primitives: key, then a value, for each parameter. A template, so that programs that print nothing
// do not instantiate it.
template <class Program = program_ref>
class jaxpr_printer {
 public:
  constexpr explicit jaxpr_printer(Program p) : p_(p), shared_(p) {
    names_.resize(p.n.values, unnamed);
    used_.resize(p.n.values, false);
    types_.resize(p.n.avals);
    for (int i = 0; i < p.n.eqns; ++i)
      for (int v : p.ins(p.eqns[i])) used_[v] = true;
    for (int i = 0; i < p.n.blocks; ++i)
      for (int v : p.outs(p.blocks[i])) used_[v] = true;
  }

  constexpr void print() {
    for (shared_blocks::entry const& e : shared_.entries()) {
      doc_.text.write("let ");
      shared_name(e);
      doc_.text.write(" = ");
      if (e.block < p_.n.blocks) lambda(p_.blocks[e.block], 0);
      else combiner_lambda(e.block, 0);
      doc_.text.write(" in");
      doc_.new_line();
      ++printed_;
    }
    if (has_constants()) collect_constants(p_.main());
    lambda(p_.main(), 0);
  }
  template <class Sink>
  constexpr void render(Sink& sink) const {
    doc_.render(sink);
  }

  // Parameters.
  constexpr void key(std::string_view k) {
    if (keys_++ == 0) {
      doc_.open(4);
      doc_.text.put('[');
      doc_.empty_break(2);
    } else {
      doc_.space_break(2);
    }
    doc_.text.write(k);
    doc_.text.put('=');
  }
  constexpr void text(std::string_view s) { doc_.text.write(s); }
  constexpr void integer(std::int64_t n) { doc_.text.integer(n); }
  constexpr void boolean(bool b) { write_bool(doc_.text, b); }
  constexpr void number(exprax::dtype t, std::uint64_t bits) { write_number(doc_.text, t, bits); }
  constexpr void dtype(exprax::dtype d) { doc_.text.write(long_name(d)); }
  constexpr void name(int index) { doc_.text.write(p_.names[index].view()); }
  constexpr void tuple(span<int> list) { write_tuple(doc_.text, list); }
  constexpr void list(span<int> list) {
    doc_.text.put('[');
    integers(list);
    doc_.text.put(']');
  }
  // Nested jaxpr k of the equation; all of them as a tuple; the function by which a scatter combines elements.
  constexpr void block(int k) { nested(p_.block_id(*now_, k), 2); }
  constexpr void blocks() {
    doc_.open(2);
    doc_.text.put('(');
    doc_.empty_break(2);
    eqn const& e = *now_;
    for (int k = 0; k < e.n_blk; ++k) {
      if (k > 0) doc_.space_break(2);
      nested(p_.block_id(e, k), 2);
    }
    doc_.empty_break(0);
    doc_.text.put(')');
    doc_.close();
  }
  constexpr void combiner() {
    int const b = shared_.combiner(*now_);
    if (!print_shared(b)) combiner_lambda(b, 2);
  }

 private:
  static constexpr int unnamed = -1, dropped = -2;
  struct written {
    int from = 0, count = 0;
  };

  template <prim P>
  struct equation_rule {
    static constexpr void call(jaxpr_printer& o, equation_ref const& e) {
      o.doc_.text.write(primitive<P>::name);
      primitive<P>::print(o, e);
    }
  };

  constexpr void integers(span<int> list) {
    for (int i = 0; i < list.size(); ++i) {
      if (i > 0) doc_.text.write(", ");
      doc_.text.integer(list[i]);
    }
  }

  // Names: a number in the order a, b, ..., z, ba, bb, ...
  constexpr int name_of(int v) {
    if (names_[v] == unnamed) names_[v] = fresh();
    return names_[v];
  }
  constexpr int fresh() {
    if (printed_ == 0) return next_++;
    for (;; ++next_) {
      char letters[8] = {};
      std::string_view const candidate = spell(next_, letters);
      bool taken = false;
      for (int i = 0; i < printed_ && !taken; ++i) taken = shared_.entries()[i].suffix == 0 && shared_.entries()[i].base == candidate;
      if (!taken) return next_++;
    }
  }
  static constexpr std::string_view spell(int n, char (&letters)[8]) {
    int at = 8;
    do letters[--at] = static_cast<char>('a' + n % 26);
    while ((n /= 26) != 0);
    return {letters + at, static_cast<std::size_t>(8 - at)};
  }
  constexpr void write_name(int n) {
    if (n == dropped) return doc_.text.put('_');
    if (n < 26) return doc_.text.put(static_cast<char>('a' + n));
    char letters[8] = {};
    doc_.text.write(spell(n, letters));
  }
  constexpr void shared_name(shared_blocks::entry const& e) {
    doc_.text.write(e.base);
    if (e.suffix > 0) doc_.text.integer(e.suffix);
  }

  // JAX: context.suggest_same_var_names, for the inputs and for the results of a jit.
  constexpr int result_name(int v) { return used_[v] || names_[v] != unnamed ? name_of(v) : dropped; }
  constexpr void suggest(span<int> inner, span<int> outer) {
    for (int k = 0; k < inner.size(); ++k) {
      if (p_.is_literal(outer[k]) || p_.is_constant(inner[k]) || names_[inner[k]] != unnamed) continue;
      int const name = result_name(outer[k]);
      bool taken = false;
      for (int j = 0; j < k && !taken; ++j) taken = outer[j] == outer[k] && names_[inner[j]] == name;
      if (!taken) names_[inner[k]] = name;
    }
  }

  // Most types occur often, so the text of a type is copied after its first use.
  constexpr void type_of(int v) {
    int const id = p_.values[v].type;
    written& w = types_[id];
    if (w.count > 0) return doc_.text.repeat(w.from, w.count);
    w.from = doc_.text.size();
    type(p_.avals[id]);
    w.count = doc_.text.size() - w.from;
  }
  constexpr void type(aval const& a) { write_type(doc_.text, a); }
  constexpr void binder(int name, int v) {
    write_name(name);
    doc_.text.put(':');
    type_of(v);
  }
  constexpr void atom(int v) {
    if (!p_.is_literal(v)) return write_name(name_of(v));
    write_scalar(doc_.text, p_.type(v).type, p_.constants + p_.values[v].constant);
    doc_.text.put(':');
    type_of(v);
  }

  // { lambda consts; inputs. let equations in (results) }
  constexpr void lambda(exprax::block const& b, int shift) {
    doc_.open(shift);
    doc_.text.write("{ lambda ");
    if (&b == &p_.main())
      for (int k = 0; k < constants_.size(); ++k) {
        if (k > 0) doc_.fill_break(4);
        binder(name_of(constants_[k]), constants_[k]);
      }
    doc_.text.write("; ");
    span<int> const in = p_.ins(b), out = p_.outs(b);
    for (int k = 0; k < in.size(); ++k) {
      if (k > 0) doc_.fill_break(4);
      binder(name_of(in[k]), in[k]);
    }
    doc_.text.write(". let");
    doc_.space_break(4);
    for (int i = 0; i < b.n_eqn; ++i) {
      if (i > 0) doc_.semicolon_break(4);
      equation(p_.eqns[b.eqn + i]);
    }
    doc_.space_break(2);
    doc_.text.write("in (");
    for (int k = 0; k < out.size(); ++k) {
      if (k > 0) {
        doc_.text.put(',');
        doc_.fill_break(4);
      }
      atom(out[k]);
    }
    doc_.text.write(out.size() == 1 ? ",) }" : ") }");
    doc_.close();
  }
  constexpr void equation(eqn const& e) {
    if (e.op == prim::jit && !is_printed(shared_.representative(p_.block_id(e, 0)))) {
      exprax::block const& b = p_.blocks[shared_.representative(p_.block_id(e, 0))];
      suggest(p_.ins(b), p_.ins(e));
      arena<int> results;
      for (int k = 0; k < e.n_out; ++k) results.push(e.out + k);
      suggest(p_.outs(b), results);
    }
    for (int k = 0; k < e.n_out; ++k) {
      if (k > 0) doc_.fill_break(6);
      binder(result_name(e.out + k), e.out + k);
    }
    if (e.n_out > 0) doc_.text.write(" = ");

    int const keys_around = keys_;
    eqn const* const around = now_;
    keys_ = 0;
    now_ = &e;
    dispatch<equation_rule, void(jaxpr_printer&, equation_ref const&)>(e.op, *this, equation_ref{p_, e});
    if (keys_ > 0) {
      doc_.empty_break(0);
      doc_.text.put(']');
      doc_.close();
    }
    keys_ = keys_around;
    now_ = around;

    doc_.text.put(' ');
    span<int> const in = p_.ins(e);
    for (int k = 0; k < in.size(); ++k) {
      if (k > 0) doc_.fill_break(6);
      atom(in[k]);
    }
  }
  constexpr bool is_printed(int b) const {
    for (int i = 0; i < printed_; ++i)
      if (shared_.entries()[i].block == b) return true;
    return false;
  }
  constexpr bool print_shared(int b) {
    for (int i = 0; i < printed_; ++i)
      if (shared_.entries()[i].block == b) {
        shared_name(shared_.entries()[i]);
        return true;
      }
    return false;
  }
  constexpr void nested(int b, int shift) {
    int const r = shared_.representative(b);
    if (!print_shared(r)) lambda(p_.blocks[r], shift);
  }
  // { lambda ; a:f32[] b:f32[]. let c:f32[] = add a b in (c,) }: the update function of scatter-add and similar primitives.
  constexpr void combiner_lambda(int number, int shift) {
    auto const [operation, type_of_elements] = shared_.function(number);
    aval const scalar(type_of_elements);
    // JAX's object keeps the names of its first printing.
    if (combiner_names_.empty()) combiner_names_.resize(3 * shared_.functions(), unnamed);
    int* const names = combiner_names_.data() + 3 * (number - p_.n.blocks);
    for (int k = 0; k < 3; ++k)
      if (names[k] == unnamed) names[k] = fresh();
    doc_.open(shift);
    doc_.text.write("{ lambda ; ");
    write_name(names[0]);
    doc_.text.put(':');
    type(scalar);
    doc_.fill_break(4);
    write_name(names[1]);
    doc_.text.put(':');
    type(scalar);
    doc_.text.write(". let");
    doc_.space_break(4);
    write_name(names[2]);
    doc_.text.put(':');
    type(scalar);
    doc_.text.write(" = ");
    doc_.text.write(primitive_name(operation));
    doc_.text.put(' ');
    write_name(names[0]);
    doc_.fill_break(6);
    write_name(names[1]);
    doc_.space_break(2);
    doc_.text.write("in (");
    write_name(names[2]);
    doc_.text.write(",) }");
    doc_.close();
  }

  // Constants that are not literals are inputs of the whole program, in the order of their first use.
  constexpr bool has_constants() const {
    for (int v = 0; v < p_.n.values; ++v)
      if (p_.values[v].constant >= 0 && p_.type(v).rank > 0) return true;
    return false;
  }
  constexpr void collect_constants(exprax::block const& b) {
    for (eqn const& e : p_.body(b)) {
      for (int k = 0; k < e.n_blk; ++k) collect_constants(p_.sub(e, k));
      for (int v : p_.ins(e)) collect_constant(v);
    }
    for (int v : p_.outs(b)) collect_constant(v);
  }
  constexpr void collect_constant(int v) {
    if (!p_.is_constant(v) || p_.is_literal(v)) return;
    for (int c : constants_)
      if (c == v) return;
    constants_.push(v);
  }

  Program p_;
  shared_blocks shared_;
  document doc_;
  arena<int> names_;  // for each value
  arena<bool> used_;
  arena<written> types_;  // for each aval
  arena<int> constants_;
  arena<int> combiner_names_;
  int next_ = 0;             // the next name
  int printed_ = 0;          // shared blocks printed so far
  int keys_ = 0;             // parameters of the current equation printed so far
  eqn const* now_ = nullptr;
};

// At run time: sink.write(char const*, n) for each piece of the text. std::ostream is such a sink.
template <class Sink, class Program>
constexpr void print_jaxpr(Sink& sink, Program p) {
  jaxpr_printer<Program> printer(p);
  printer.print();
  printer.render(sink);
}

template <class Program>
constexpr bool jaxpr_equals(Program p, std::string_view expected) {
  text_comparer sink{expected};
  print_jaxpr(sink, p);
  return sink.same && sink.rest.empty();
}

// The text in static storage; Program::ref is a constant program_ref.
template <class Program>
struct jaxpr_text {
  template <class Sink>
  static constexpr void write(Sink& sink) {
    print_jaxpr(sink, Program::ref);
  }
  static constexpr std::string_view view() { return text_of<jaxpr_text>::view(); }
};

}  // namespace exprax::detail
