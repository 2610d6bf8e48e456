// SPDX-License-Identifier: BSL-1.0
// The text of a StableHLO module as XLA's HLO: one computation for each region and function, before its first use, ENTRY last. A region
// reads no outer values: loop carries and the values that a branch reads become its parameter, several as one tuple. Numbers and order are
// XLA's: names are numbered as the module is built, a function's own name after its contents; within a computation an instruction comes
// right before the first one that uses it.
// Longer than 300 lines: one class, whose methods number and print computations by each other.
#pragma once

#include <exprax/text/hlo/hlo_attributes.hpp>

namespace exprax::detail {

// A template, so that programs that print no HLO do not instantiate it.
template <class Module = stablehlo_module>
class hlo_printer {
 public:
  constexpr explicit hlo_printer(Module const& m) : m_(m) {
    names_.resize(m.types.size());
    computations_.resize(m.blocks.size());
  }

  constexpr void print(text_buffer& to) {
    done_ = out_ = &to;
    hlo_block const& main = m_.blocks[m_.functions[0].block];
    text("HloModule jit_");
    identifier(m_.name);
    text(", entry_computation_layout={(");
    for (int k = 0; k < main.n_arg; ++k) {
      if (k > 0) text(",");
      write_hlo_type(*out_, m_.type(main.arg + k));
    }
    text(")->");
    types(m_.ins(m_.results(main)));
    text("}\n");
    computation(m_.functions[0].block, parameters::function, "main", -1);
  }

 private:
  enum class parameters { function, separate, packed, captured };
  // base, then index if there is one, a point, number.
  struct label {
    std::string_view base;
    int index = -1, number = -1;
    int line = -1;  // for an instruction: its index in instructions_
  };

  struct instruction {
    int from = 0, to = 0;             // its line
    int operand = 0, n_operands = 0;  // in operands_
    bool used = false, written = false;
  };
  // The state that is saved while another computation is written.
  struct body {
    text_buffer* out;
    int root;
    arena<instruction> instructions;
    arena<int> operands;
  };

  constexpr void text(std::string_view s) { out_->write(s); }
  constexpr void identifier(std::string_view s) {
    for (char c : s) out_->put((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_');
  }
  constexpr void name(label const& l) {
    for (char c : l.base) out_->put(c == '<' || c == '>' ? '_' : c);
    if (l.index >= 0) out_->integer(l.index);
    out_->put('.');
    out_->integer(l.number);
  }
  template <class F>
  constexpr void list(int n, F each) {
    for (int k = 0; k < n; ++k) {
      if (k > 0) text(", ");
      each(k);
    }
  }
  // One type, or a tuple.
  constexpr void types(span<int> s) {
    if (s.size() != 1) text("(");
    list(s.size(), [&](int k) { write_hlo_type(*out_, m_.type(s[k])); });
    if (s.size() != 1) text(")");
  }
  constexpr void attribute(std::string_view key, label const& l) {
    text(", ");
    text(key);
    text("=");
    name(l);
  }

  // --- Computations ---
  constexpr int block_id(hlo_op const& o, int k) const { return m_.block_refs[o.blk + k]; }
  // The outer values that a branch reads, each once.
  constexpr void captures(hlo_block const& b, int first, arena<int>& found) const {
    for (hlo_op const& o : m_.body(b)) {
      for (int v : m_.ins(o)) {
        bool known = v >= first;
        for (int f : found) known = known || f == v;
        if (!known) found.push(v);
      }
      for (int k = 0; k < o.n_blk; ++k) captures(m_.sub(o, k), first, found);
    }
  }
  // Writes a block as a computation, once it is complete; a function that is already written is reused.
  constexpr void computation(int id, parameters how, std::string_view base, int index) {
    bool const is_function = how == parameters::function;
    if (computations_[id].number >= 0) return;
    computations_[id] = {base, index, is_function ? 0 : next_++};
    hlo_block const& b = m_.blocks[id];
    arena<int> inputs;
    arena<label> hidden;
    for (int k = 0; k < b.n_arg; ++k) inputs.push(b.arg + k);
    if (how == parameters::captured) captures(b, b.arg, inputs);
    for (int v : inputs) hidden.push(names_[v]);

    text_buffer lines;
    body around{out_, root_, static_cast<arena<instruction>&&>(instructions_), static_cast<arena<int>&&>(operands_)};
    instructions_ = {};
    operands_ = {};
    out_ = &lines;
    span<int> const out = m_.ins(m_.results(b));
    root_ = out.size() == 1 ? out[0] : -1;
    if (is_function || how == parameters::separate || inputs.size() == 1) {
      for (int k = 0; k < inputs.size(); ++k) {
        begin(inputs[k], "Arg_", is_function || how == parameters::separate ? k : -1);
        write_hlo_type(*out_, m_.type(inputs[k]));
        text(" parameter(");
        out_->integer(k);
        text(")");
        end();
      }
    } else {
      label const all = begin(-1, "arg_tuple");
      types(inputs);
      text(" parameter(0)");
      end();
      for (int k = 0; k < inputs.size(); ++k) element(inputs[k], all, k);
    }
    for (hlo_op const& o : m_.body(b)) operation(o);
    if (is_function) computations_[id].number = next_++;

    out_ = done_;
    text(id == m_.functions[0].block ? "\nENTRY " : "\n");
    name(computations_[id]);
    text(" {\n");
    for (int k = 0; k < instructions_.size(); ++k)
      if (!instructions_[k].used) write_with_operands(lines, k);
    text("}\n");
    out_ = around.out;
    root_ = around.root;
    instructions_ = static_cast<arena<instruction>&&>(around.instructions);
    operands_ = static_cast<arena<int>&&>(around.operands);
    for (int k = 0; k < inputs.size(); ++k) names_[inputs[k]] = hidden[k];
  }
  constexpr void write_with_operands(text_buffer const& lines, int k) {
    instruction& i = instructions_[k];
    if (i.written) return;
    i.written = true;
    for (int n = 0; n < i.n_operands; ++n) write_with_operands(lines, operands_[i.operand + n]);
    out_->write(lines.data() + i.from, i.to - i.from);
  }

  // --- Instructions ---
  // "  ROOT base.7 = " for the instruction that defines v; a negative v is not a value of the module.
  constexpr label begin(int v, std::string_view base, int index = -1) { return begin(v, base, index, v >= 0 && v == root_); }
  constexpr label begin(int v, std::string_view base, int index, bool is_root) {
    label const l{base, index, next_++, instructions_.size()};
    instructions_.push({out_->size(), 0, operands_.size(), 0});
    text(is_root ? "  ROOT " : "  ");
    name(l);
    text(" = ");
    if (v >= 0) names_[v] = l;
    return l;
  }
  constexpr void end() {
    text("\n");
    instructions_.back().to = out_->size();
  }
  constexpr void operand(label const& l) {
    name(l);
    instructions_[l.line].used = true;
    operands_.push(l.line);
    ++instructions_.back().n_operands;
  }
  constexpr void element(int v, label const& all, int k) {
    begin(v, "get-tuple-element");
    write_hlo_type(*out_, m_.type(v));
    text(" get-tuple-element(");
    operand(all);
    text("), index=");
    out_->integer(k);
    end();
  }
  constexpr void operands(span<int> in) {
    text("(");
    list(in.size(), [&](int k) { operand(names_[in[k]]); });
    text(")");
  }
  constexpr label tuple(span<int> in, bool is_root) {
    label const l = begin(-1, "tuple", -1, is_root);
    types(in);
    text(" tuple");
    operands(in);
    end();
    return l;
  }
  // One operand: itself, or a tuple of several.
  constexpr label packed(span<int> in) { return in.size() == 1 ? names_[in[0]] : tuple(in, false); }
  constexpr void operation(hlo_op const& o) {
    span<int> const in = m_.ins(o);
    if (o.form == hlo_form::results) {
      if (in.size() != 1) tuple(in, true);
      return;
    }
    if (o.form == hlo_form::while_loop || o.form == hlo_form::case_of) return control(o);
    for (int k = 0; k < o.n_blk; ++k) computation(block_id(o, k), parameters::separate, "region_", regions_++);
    if (o.form == hlo_form::call) {
      hlo_function const& f = m_.functions[m_.att(o, 0)];
      computation(f.block, parameters::function, f.name, f.suffix);
    }
    label const source = o.form == hlo_form::broadcast ? without_ones(o) : label{};
    std::string_view const code = o.form == hlo_form::custom_call ? "custom-call" : hlo_opcode(o.name);
    arena<int> out;
    for (int k = 0; k < o.n_out; ++k) out.push(o.out + k);
    label const made = begin(o.n_out == 1 ? o.out : -1, code);
    types(out);
    text(" ");
    text(code);
    if (o.form == hlo_form::constant) constant(o);
    else if (o.form == hlo_form::broadcast) {
      text("(");
      operand(source);
      text(")");
    } else operands(in);
    hlo_attributes(m_, *out_).write(o);
    if (o.form == hlo_form::call) attribute("to_apply", computations_[m_.functions[m_.att(o, 0)].block]);
    if (o.n_blk > 0) attribute("to_apply", computations_[block_id(o, 0)]);
    end();
    if (o.n_out > 1)
      for (int k = 0; k < o.n_out; ++k) element(o.out + k, made, k);
  }
  constexpr void constant(hlo_op const& o) {
    text("(");
    write_hlo_literal(*out_, m_.type(o.out), m_.constants.data() + m_.att(o, 0), m_.att(o, 1) == 1);
    text(")");
  }
  // HLO's broadcast does not repeat axes of size 1: they are dropped first.
  constexpr label without_ones(hlo_op const& o) {
    int const v = m_.ins(o)[0];
    aval const& t = m_.type(v);
    aval kept(t.type);
    for (int i = 0; i < t.rank; ++i)
      if (!repeats_axis(m_, o, i)) kept.dims[kept.rank++] = t.dims[i];
    if (kept.rank == t.rank) return names_[v];
    label const from = names_[v], l = begin(-1, "reshape");
    write_hlo_type(*out_, kept);
    text(" reshape(");
    operand(from);
    text(")");
    end();
    return l;
  }

  constexpr void control(hlo_op const& o) {
    span<int> const in = m_.ins(o);
    arena<int> out;
    for (int k = 0; k < o.n_out; ++k) out.push(o.out + k);
    arena<label> arguments;
    if (o.form == hlo_form::while_loop) {
      arguments.push(packed(in));
    } else {
      arguments.push(names_[in[0]]);
      for (int k = 0; k < o.n_blk; ++k) {
        arena<int> read;
        captures(m_.sub(o, k), m_.sub(o, k).arg, read);
        arguments.push(packed(read));
      }
    }
    // The body of a loop is written first.
    for (int k = 0; k < o.n_blk; ++k) {
      if (o.form == hlo_form::while_loop) computation(block_id(o, 1 - k), parameters::packed, "region_", regions_++);
      else computation(block_id(o, k), parameters::captured, "region_", regions_++);
    }
    std::string_view const code = o.form == hlo_form::while_loop ? "while" : "conditional";
    label const made = begin(o.n_out == 1 ? o.out : -1, code);
    types(out);
    text(" ");
    text(code);
    text("(");
    list(arguments.size(), [&](int k) { operand(arguments[k]); });
    text(")");
    if (o.form == hlo_form::while_loop) {
      attribute("condition", computations_[block_id(o, 0)]);
      attribute("body", computations_[block_id(o, 1)]);
    } else {
      text(", branch_computations={");
      list(o.n_blk, [&](int k) { name(computations_[block_id(o, k)]); });
      text("}");
    }
    end();
    if (o.n_out != 1)
      for (int k = 0; k < o.n_out; ++k) element(o.out + k, made, k);
  }

  Module const& m_;
  text_buffer* done_ = nullptr;  // the completed computations
  text_buffer* out_ = nullptr;
  arena<instruction> instructions_;  // of the current computation
  arena<int> operands_;
  arena<label> names_;         // of the values, in the current computation
  arena<label> computations_;  // of the blocks
  int next_ = 1;
  int regions_ = 0;
  int root_ = -1;  // the value that the computation returns, if it is a single one
};

}  // namespace exprax::detail
