// SPDX-License-Identifier: BSL-1.0
// The text of a StableHLO module as XLA's HLO: one computation for each region and function, before its first use, ENTRY
// last. Numbers behind names are unique in the module. A region reads nothing around it: what a loop carries, or a branch
// reads, is its parameter, several as one tuple.
#pragma once

#include <exprax/text/hlo_elements.hpp>
#include <exprax/text/stablehlo_module.hpp>

namespace exprax::detail {

class hlo_printer {
 public:
  constexpr explicit hlo_printer(stablehlo_module const& m) : m_(m) {
    names_.resize(m.types.size());
    computations_.resize(m.blocks.size());
  }

  constexpr void print(text_buffer& to) {
    out_ = &to;
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
    computation(m_.functions[0].block, parameters::separate, "main", -1);
  }

 private:
  enum class parameters { separate, packed, captured };
  // base, then index where there is one, a point, number.
  struct label {
    std::string_view base;
    int index = -1, number = -1;
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
  constexpr void integers(span<int> s) {
    text("{");
    for (int k = 0; k < s.size(); ++k) {
      if (k > 0) text(",");
      out_->integer(s[k]);
    }
    text("}");
  }
  constexpr void attribute(std::string_view key, span<int> s) {
    text(", ");
    text(key);
    text("=");
    integers(s);
  }
  constexpr void attribute(std::string_view key, label const& l) {
    text(", ");
    text(key);
    text("=");
    name(l);
  }

  // --- Computations ---
  constexpr int block_id(hlo_op const& o, int k) const { return m_.block_refs[o.blk + k]; }
  // What a branch reads around it, each once.
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
  // The computations that those of b need.
  constexpr void needed(hlo_block const& b) {
    for (hlo_op const& o : m_.body(b)) {
      if (o.form == hlo_form::call) {
        hlo_function const& f = m_.functions[m_.att(o, 0)];
        if (computations_[f.block].number < 0) computation(f.block, parameters::separate, f.name, f.suffix);
      }
      parameters const how = o.form == hlo_form::while_loop ? parameters::packed : o.form == hlo_form::case_of ? parameters::captured : parameters::separate;
      for (int k = 0; k < o.n_blk; ++k) {
        // The body of a loop comes first, as in XLA's own text.
        int const id = block_id(o, o.form == hlo_form::while_loop ? 1 - k : k);
        computation(id, how, "region_", regions_++);
      }
    }
  }
  constexpr void computation(int id, parameters how, std::string_view base, int index) {
    hlo_block const& b = m_.blocks[id];
    needed(b);
    computations_[id] = {base, index, next_++};
    arena<int> inputs;
    arena<label> hidden;
    for (int k = 0; k < b.n_arg; ++k) inputs.push(b.arg + k);
    if (how == parameters::captured) captures(b, b.arg, inputs);
    for (int v : inputs) hidden.push(names_[v]);

    text(id == m_.functions[0].block ? "\nENTRY " : "\n");
    name(computations_[id]);
    text(" {\n");
    span<int> const out = m_.ins(m_.results(b));
    int const around = root_;
    root_ = out.size() == 1 ? out[0] : -1;
    if (how == parameters::separate || inputs.size() == 1) {
      for (int k = 0; k < inputs.size(); ++k) {
        begin(inputs[k], "Arg_", how == parameters::separate ? k : -1);
        write_hlo_type(*out_, m_.type(inputs[k]));
        text(" parameter(");
        out_->integer(k);
        text(")\n");
      }
    } else {
      label const packed{"arg_tuple", -1, next_++};
      text("  ");
      name(packed);
      text(" = ");
      types(inputs);
      text(" parameter(0)\n");
      for (int k = 0; k < inputs.size(); ++k) element(inputs[k], packed, k);
    }
    for (hlo_op const& o : m_.body(b)) operation(o);
    text("}\n");
    root_ = around;
    for (int k = 0; k < inputs.size(); ++k) names_[inputs[k]] = hidden[k];
  }

  // --- Instructions ---
  // "  ROOT base.7 = " for the instruction that makes v; a negative v is no value.
  constexpr label begin(int v, std::string_view base, int index = -1) {
    label const l{base, index, next_++};
    text(v >= 0 && v == root_ ? "  ROOT " : "  ");
    name(l);
    text(" = ");
    if (v >= 0) names_[v] = l;
    return l;
  }
  constexpr void element(int v, label const& packed, int k) {
    begin(v, "get-tuple-element");
    write_hlo_type(*out_, m_.type(v));
    text(" get-tuple-element(");
    name(packed);
    text("), index=");
    out_->integer(k);
    text("\n");
  }
  constexpr void operands(span<int> in) {
    text("(");
    list(in.size(), [&](int k) { name(names_[in[k]]); });
    text(")");
  }
  // One operand: itself, or a tuple of several.
  constexpr label packed(span<int> in) {
    if (in.size() == 1) return names_[in[0]];
    label const l = begin(-1, "tuple");
    types(in);
    text(" tuple");
    operands(in);
    text("\n");
    return l;
  }
  constexpr void operation(hlo_op const& o) {
    span<int> const in = m_.ins(o);
    if (o.form == hlo_form::results) {
      if (in.size() == 1) return;
      text("  ROOT ");
      name({"tuple", -1, next_++});
      text(" = ");
      types(in);
      text(" tuple");
      operands(in);
      return text("\n");
    }
    if (o.form == hlo_form::while_loop || o.form == hlo_form::case_of) return control(o);
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
      name(source);
      text(")");
    } else operands(in);
    attributes(o);
    text("\n");
    if (o.n_out > 1)
      for (int k = 0; k < o.n_out; ++k) element(o.out + k, made, k);
  }
  constexpr void constant(hlo_op const& o) {
    text("(");
    write_hlo_literal(*out_, m_.type(o.out), m_.constants.data() + m_.att(o, 0), m_.att(o, 1) == 1);
    text(")");
  }
  // HLO's broadcast repeats no axis of 1: such axes are dropped before.
  constexpr bool repeats(hlo_op const& o, int axis) const { return m_.type(m_.ins(o)[0]).dims[axis] != m_.type(o.out).dims[m_.att(o, axis)]; }
  constexpr label without_ones(hlo_op const& o) {
    int const v = m_.ins(o)[0];
    aval const& t = m_.type(v);
    aval kept(t.type);
    for (int i = 0; i < t.rank; ++i)
      if (!repeats(o, i)) kept.dims[kept.rank++] = t.dims[i];
    if (kept.rank == t.rank) return names_[v];
    label const from = names_[v], l = begin(-1, "reshape");
    write_hlo_type(*out_, kept);
    text(" reshape(");
    name(from);
    text(")\n");
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
    std::string_view const code = o.form == hlo_form::while_loop ? "while" : "conditional";
    label const made = begin(o.n_out == 1 ? o.out : -1, code);
    types(out);
    text(" ");
    text(code);
    text("(");
    list(arguments.size(), [&](int k) { name(arguments[k]); });
    text(")");
    if (o.form == hlo_form::while_loop) {
      attribute("condition", computations_[block_id(o, 0)]);
      attribute("body", computations_[block_id(o, 1)]);
    } else {
      text(", branch_computations={");
      list(o.n_blk, [&](int k) { name(computations_[block_id(o, k)]); });
      text("}");
    }
    text("\n");
    if (o.n_out != 1)
      for (int k = 0; k < o.n_out; ++k) element(o.out + k, made, k);
  }

  constexpr void attributes(hlo_op const& o) {
    span<int> const a = m_.atts(o);
    int const third = a.size() / 3;
    if (o.n_blk > 0 && o.form == hlo_form::reduce) attribute("dimensions", a);
    switch (o.form) {
      case hlo_form::iota:
        text(", iota_dimension=");
        out_->integer(a[0]);
        break;
      case hlo_form::broadcast: {
        arena<int> kept;
        for (int i = 0; i < a.size(); ++i)
          if (!repeats(o, i)) kept.push(a[i]);
        attribute("dimensions", kept);
        break;
      }
      case hlo_form::axes:
      case hlo_form::concatenate: attribute("dimensions", a); break;
      case hlo_form::pad:
        text(", padding=");
        for (int i = 0; i < third; ++i) {
          if (i > 0) text("x");
          pair(a[i], a[third + i]);
          if (a[2 * third + i] == 0) continue;
          text("_");
          out_->integer(a[2 * third + i]);
        }
        break;
      case hlo_form::slice:
        text(", slice={");
        list(third, [&](int i) {
          text("[");
          out_->integer(a[i]);
          text(":");
          out_->integer(a[third + i]);
          if (a[2 * third + i] != 1) {
            text(":");
            out_->integer(a[2 * third + i]);
          }
          text("]");
        });
        text("}");
        break;
      case hlo_form::dynamic_slice: attribute("dynamic_slice_sizes", a); break;
      case hlo_form::compare:
        text(", direction=");
        text(o.label);
        break;
      case hlo_form::reduce_window:
        text(", window={size=");
        by_axis(third, [&](int i) { out_->integer(a[i]); });
        text(" pad=");
        by_axis(third, [&](int i) { pair(a[third + i], a[2 * third + i]); });
        text("}");
        break;
      case hlo_form::dot_general: {
        int const n = a[0], m = a[1 + 2 * n];
        if (m > 0) attribute("lhs_batch_dims", a.part(2 + 2 * n, m));
        attribute("lhs_contracting_dims", a.part(1, n));
        if (m > 0) attribute("rhs_batch_dims", a.part(2 + 2 * n + m, m));
        attribute("rhs_contracting_dims", a.part(1 + n, n));
        break;
      }
      case hlo_form::convolution: convolution(o, a); break;
      case hlo_form::scatter: {
        hlo_scatter_numbers const s(a);
        attribute("update_window_dims", s.list[0]);
        attribute("inserted_window_dims", s.list[1]);
        attribute("scatter_dims_to_operand_dims", s.list[4]);
        if (!s.list[2].empty()) attribute("input_batching_dims", s.list[2]);
        if (!s.list[3].empty()) attribute("scatter_indices_batching_dims", s.list[3]);
        text(", index_vector_dim=");
        out_->integer(s.index_vector_dim);
        if (s.sorted) text(", indices_are_sorted=true");
        if (s.unique) text(", unique_indices=true");
        break;
      }
      case hlo_form::call: attribute("to_apply", computations_[m_.functions[a[0]].block]); break;
      case hlo_form::custom_call:
        text(", custom_call_target=\"");
        text(o.name);
        text("\", custom_call_has_side_effect=true, backend_config=");
        write_quoted(*out_, o.label);
        break;
      default: break;
    }
    if (o.n_blk > 0) attribute("to_apply", computations_[block_id(o, 0)]);
  }
  constexpr void pair(int low, int high) {
    out_->integer(low);
    text("_");
    out_->integer(high);
  }
  template <class F>
  constexpr void by_axis(int n, F each) {
    for (int i = 0; i < n; ++i) {
      if (i > 0) text("x");
      each(i);
    }
  }
  constexpr void convolution(hlo_op const& o, span<int> a) {
    int const s = a[0];
    aval const& rhs = m_.type(m_.ins(o)[1]);
    bool padded = false;
    for (int i = 0; i < 2 * s; ++i) padded = padded || a[1 + s + i] != 0;
    auto const part = [&](std::string_view key, int at) {
      bool plain = true;
      for (int i = 0; i < s; ++i) plain = plain && a[at + i] == 1;
      if (plain) return;
      text(key);
      by_axis(s, [&](int i) { out_->integer(a[at + i]); });
    };
    auto const spatial = [&] {
      for (int i = 0; i < s; ++i) out_->integer(i);
    };
    text(", window={size=");
    by_axis(s, [&](int i) { out_->integer(rhs.dims[2 + i]); });
    part(" stride=", 1);
    if (padded) {
      text(" pad=");
      by_axis(s, [&](int i) { pair(a[1 + s + i], a[1 + 2 * s + i]); });
    }
    part(" lhs_dilate=", 1 + 3 * s);
    part(" rhs_dilate=", 1 + 4 * s);
    text("}, dim_labels=bf");
    spatial();
    text("_oi");
    spatial();
    text("->bf");
    spatial();
    if (a[1 + 5 * s] > 1) {
      text(", feature_group_count=");
      out_->integer(a[1 + 5 * s]);
    }
    if (a[2 + 5 * s] > 1) {
      text(", batch_group_count=");
      out_->integer(a[2 + 5 * s]);
    }
  }

  stablehlo_module const& m_;
  text_buffer* out_ = nullptr;
  arena<label> names_;         // of the values, in the computation that is written
  arena<label> computations_;  // of the blocks
  int next_ = 1;
  int regions_ = 0;
  int root_ = -1;  // the value that the computation gives, where it is one
};

}  // namespace exprax::detail
