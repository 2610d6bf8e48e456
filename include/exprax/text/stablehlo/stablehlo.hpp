// SPDX-License-Identifier: BSL-1.0
// The text of a StableHLO module in the pretty form that MLIR prints and StableHLO's tools read.
// Longer than 300 lines: one class, whose methods print operations, regions and types by each other.
#pragma once

#include <exprax/text/stablehlo/stablehlo_attributes.hpp>
#include <exprax/text/stablehlo/stablehlo_elements.hpp>
#include <exprax/text/stablehlo/stablehlo_names.hpp>

namespace exprax::detail {

// A template, so that programs that print no StableHLO do not instantiate it.
template <class Module = stablehlo_module>
class stablehlo_printer {
 public:
  constexpr stablehlo_printer(Module const& m, span<std::string_view> result_info) : m_(m), names_(m), result_info_(result_info) {}

  constexpr void print(text_buffer& to) {
    out_ = &to;
    text("module @jit_");
    for (char c : m_.name) out_->put(is_word(c) || c == '.' || c == '-' ? c : '_');
    text(" attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {\n");
    for (int f = 0; f < m_.functions.size(); ++f) function(m_.functions[f], f == 0);
    text("}\n");
  }

 private:
  static constexpr bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }
  constexpr void text(std::string_view s) { out_->write(s); }
  constexpr void line() {
    out_->put('\n');
    out_->fill(' ', 2 * depth_);
  }

  // --- Pieces ---
  template <class F>
  constexpr void list(int n, F each) {
    for (int k = 0; k < n; ++k) {
      if (k > 0) text(", ");
      each(k);
    }
  }
  constexpr void integers(span<int> s) { write_integers(*out_, s); }
  constexpr void name(int v) { names_.write(*out_, v); }
  constexpr void names(span<int> s) {
    list(s.size(), [&](int k) { name(s[k]); });
  }
  constexpr void type(int v) { write_tensor_type(*out_, m_.type(v)); }
  constexpr void types(span<int> s) {
    list(s.size(), [&](int k) { type(s[k]); });
  }
  // (types of operands) -> type of the result, or types in parentheses
  constexpr void signature(hlo_op const& o) {
    text(" : (");
    types(m_.ins(o));
    text(") -> ");
    if (o.n_out != 1) out_->put('(');
    list(o.n_out, [&](int k) { type(o.out + k); });
    if (o.n_out != 1) out_->put(')');
  }
  // type of the operand -> types
  constexpr void one_to_many(hlo_op const& o) {
    text(" : ");
    types(m_.ins(o));
    text(" -> (");
    list(o.n_out, [&](int k) { type(o.out + k); });
    out_->put(')');
  }
  constexpr void symbol(std::string_view s, int suffix) {
    bool word = !s.empty() && !(s[0] >= '0' && s[0] <= '9');
    for (char c : s) word = word && (is_word(c) || c == '.' || c == '$');
    out_->put('@');
    if (!word) out_->put('"');
    text(s);
    if (suffix >= 0) {
      out_->put('_');
      out_->integer(suffix);
    }
    if (!word) out_->put('"');
  }

  // --- Functions and regions ---
  constexpr void function(hlo_function const& f, bool is_main) {
    hlo_block const& b = m_.blocks[f.block];
    names_.number(b);
    depth_ = 1;
    text(is_main ? "  func.func public " : "  func.func private ");
    symbol(f.name, f.suffix);
    out_->put('(');
    list(b.n_arg, [&](int k) {
      name(b.arg + k);
      text(": ");
      type(b.arg + k);
    });
    out_->put(')');
    span<int> const out = m_.ins(m_.results(b));
    if (out.size() > 0) {
      text(" -> ");
      if (is_main || out.size() > 1) out_->put('(');
      list(out.size(), [&](int k) {
        type(out[k]);
        if (!is_main) return;
        text(" {jax.result_info = ");
        write_mlir_string(*out_, result_info_[k]);
        text("}");
      });
      if (is_main || out.size() > 1) out_->put(')');
    }
    text(" ");
    region(b, true);
    out_->put('\n');
  }
  // { operations }; the inputs are named where the operation is, or here.
  constexpr void region(hlo_block const& b, bool of_function = false, bool with_inputs = false) {
    out_->put('{');
    if (with_inputs) {
      line();
      text("^bb0(");
      list(b.n_arg, [&](int k) {
        name(b.arg + k);
        text(": ");
        type(b.arg + k);
      });
      text("):");
    }
    ++depth_;
    for (hlo_op const& o : m_.body(b)) {
      line();
      operation(o, of_function);
    }
    --depth_;
    line();
    out_->put('}');
  }

  constexpr void operation(hlo_op const& o, bool in_function) {
    if (o.n_out > 0) {
      names_.write_all(*out_, o.out);
      if (o.n_out > 1) {
        out_->put(':');
        out_->integer(o.n_out);
      }
      text(" = ");
    }
    bool const quoted = has_generic_form(o.form);
    bool const of_function = o.form == hlo_form::call || (o.form == hlo_form::results && in_function);
    if (quoted) out_->put('"');
    if (!of_function && !is_of_chlo(o)) text("stablehlo.");
    else if (!in_function) text("func.");
    text(o.form == hlo_form::custom_call ? "custom_call" : o.name);
    if (quoted) out_->put('"');
    arguments(o);
  }

  // Whether MLIR prints the operation in its generic form, with the name in quotes.
  static constexpr bool has_generic_form(hlo_form f) {
    switch (f) {
      case hlo_form::case_of: case hlo_form::gather: case hlo_form::scatter: case hlo_form::reduce_window: case hlo_form::reduce_by:
      case hlo_form::sort: case hlo_form::triangular_solve:
        return true;
      default: return false;
    }
  }
  // Whether it is a function of the dialect CHLO, which StableHLO lacks.
  static constexpr bool is_of_chlo(hlo_op const& o) { return o.name.substr(0, 5) == "chlo."; }
  // The text after the name.
  constexpr void arguments(hlo_op const& o) {
    span<int> const in = m_.ins(o), a = m_.atts(o);
    switch (o.form) {
      case hlo_form::plain:
        text(" ");
        names(in);
        if (is_of_chlo(o)) {
          text(" : ");
          types(in);
          text(" -> ");
          return type(o.out);
        }
        if (!m_.uniform(o) || o.name == "reshape" || o.name == "convert" || o.name == "bitcast_convert") return signature(o);
        text(" : ");
        return type(o.out);
      case hlo_form::reduce_precision:
        text(" ");
        names(in);
        text(", format = e");
        out_->integer(a[0]);
        text("m");
        out_->integer(a[1]);
        text(" : ");
        return type(o.out);
      case hlo_form::select:
        text(" ");
        names(in);
        text(" : ");
        return types(in.part(0, 2));
      case hlo_form::constant:
        text(" ");
        write_dense(*out_, m_.type(o.out), {m_.constants.data() + a[0], a[1]}, a[1] == 1);
        text(" : ");
        return type(o.out);
      case hlo_form::iota:
        text(" dim = ");
        out_->integer(a[0]);
        text(" : ");
        return type(o.out);
      case hlo_form::broadcast:
      case hlo_form::axes:
        text(" ");
        names(in);
        text(", dims = ");
        integers(a);
        if (o.form == hlo_form::broadcast || o.name == "transpose") return signature(o);
        text(" : ");
        return type(o.out);
      case hlo_form::concatenate:
        text(" ");
        names(in);
        text(", dim = ");
        out_->integer(a[0]);
        return signature(o);
      case hlo_form::pad: {
        int const rank = a.size() / 3;
        text(" ");
        names(in);
        text(", low = ");
        integers(a.part(0, rank));
        text(", high = ");
        integers(a.part(rank, rank));
        text(", interior = ");
        integers(a.part(2 * rank, rank));
        return signature(o);
      }
      case hlo_form::slice: {
        int const rank = a.size() / 3;
        text(" ");
        names(in);
        text(" [");
        list(rank, [&](int i) {
          out_->integer(a[i]);
          out_->put(':');
          out_->integer(a[rank + i]);
          if (a[2 * rank + i] == 1) return;
          out_->put(':');
          out_->integer(a[2 * rank + i]);
        });
        text("]");
        return signature(o);
      }
      case hlo_form::dynamic_slice:
        text(" ");
        names(in);
        text(", sizes = ");
        integers(a);
        return signature(o);
      case hlo_form::compare: {
        dtype const t = m_.type(in[0]).type;
        text("  ");
        text(o.label);
        text(", ");
        names(in);
        text(a.size() > 0 ? ",  TOTALORDER" : is_inexact(t) ? ",  FLOAT" : is_signed_integer(t) ? ",  SIGNED" : ",  UNSIGNED");
        return signature(o);
      }
      case hlo_form::top_k:
        text("(");
        names(in);
        text(", k = ");
        out_->integer(a[0]);
        text(")");
        return one_to_many(o);
      case hlo_form::cholesky:
        text(" ");
        names(in);
        text(", lower = true : ");
        return type(o.out);
      case hlo_form::triangular_solve:
        text("(");
        names(in);
        text(") <{");
        write_triangular_numbers(*out_, a);
        text("}>");
        return signature(o);
      case hlo_form::dot_general:
        text(" ");
        names(in);
        write_dot_numbers(*out_, a);
        return signature(o);
      case hlo_form::convolution:
        text("(");
        names(in);
        text(")");
        write_convolution_numbers(*out_, a);
        return signature(o);
      case hlo_form::gather:
        text("(");
        names(in);
        text(") <{");
        write_gather_numbers(*out_, a);
        text("}>");
        return signature(o);
      case hlo_form::call:
        text(" ");
        symbol(m_.functions[a[0]].name, m_.functions[a[0]].suffix);
        out_->put('(');
        names(in);
        out_->put(')');
        return signature(o);
      case hlo_form::results:
        if (in.size() == 0) return;
        text(" ");
        names(in);
        text(" : ");
        return types(in);
      default: return with_regions(o);
    }
  }
  constexpr void with_regions(hlo_op const& o) {
    span<int> const in = m_.ins(o), a = m_.atts(o);
    switch (o.form) {
      case hlo_form::reduce:
        text("(");
        name(in[0]);
        text(" init: ");
        name(in[1]);
        text(") applies stablehlo.");
        text(m_.body(m_.sub(o, 0))[0].name);
        text(" across dimensions = ");
        integers(a);
        return signature(o);
      case hlo_form::while_loop: {
        hlo_block const& body = m_.sub(o, 1);
        text("(");
        list(in.size(), [&](int k) {
          name(body.arg + k);
          text(" = ");
          name(in[k]);
        });
        text(")");
        if (in.size() > 0) text(" : ");
        types(in);
        line();
        text("cond ");
        region(m_.sub(o, 0));
        text(" do ");
        return region(body);
      }
      case hlo_form::case_of:
        text("(");
        names(in);
        text(") (");
        list(o.n_blk, [&](int k) { region(m_.sub(o, k)); });
        text(")");
        return signature(o);
      case hlo_form::scatter:
      case hlo_form::reduce_window:
      case hlo_form::reduce_by:
      case hlo_form::sort:
        text("(");
        names(in);
        text(") <{");
        if (o.form == hlo_form::scatter) write_scatter_numbers(*out_, a);
        else if (o.form == hlo_form::reduce_by) write_dimensions(*out_, a);
        else if (o.form == hlo_form::sort) write_sort_numbers(*out_, a);
        else write_window(*out_, a);
        text("}> (");
        region(m_.sub(o, 0), false, true);
        text(")");
        return signature(o);
      default:  // custom_call
        text(" ");
        symbol(o.name, -1);
        text("(");
        names(in);
        text(") {backend_config = ");
        write_mlir_string(*out_, o.label);
        text(", has_side_effect = true}");
        return signature(o);
    }
  }

  Module const& m_;
  stablehlo_names names_;
  span<std::string_view> result_info_;
  text_buffer* out_ = nullptr;
  int depth_ = 0;
};

}  // namespace exprax::detail
