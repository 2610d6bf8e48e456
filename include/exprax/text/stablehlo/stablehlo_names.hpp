// SPDX-License-Identifier: BSL-1.0
// The names of values that MLIR's AsmPrinter gives: arguments %arg0, ..., constants %c and %cst, loop variables %iterArg, other results %0,
// %1, ..., multiple results %0#1. A name that is taken gets a number, unique in the function: %c_0, %iterArg_1.
#pragma once

#include <exprax/base/text_buffer.hpp>
#include <exprax/text/stablehlo/stablehlo_module.hpp>

namespace exprax::detail {

class stablehlo_names {
 public:
  constexpr explicit stablehlo_names(stablehlo_module const& m) : m_(m) { names_.resize(m.types.size()); }

  // Names all values of a function.
  constexpr void number(hlo_block const& function) { number(function, false, {}); }
  constexpr void write(text_buffer& o, int v) const { write_name(o, names_[v]); }
  // The common name of all results of an operation.
  constexpr void write_all(text_buffer& o, int first) const {
    value_name n = names_[first];
    n.part = -1;
    write_name(o, n);
  }

 private:
  enum class kind : unsigned char { result, argument, integer_constant, constant, iteration };
  struct value_name {
    kind of{};
    int number = -1;  // none for the first one of the name
    int part = -1;    // of several results
  };
  // The state of AsmPrinter's numbering: a region continues that of the enclosing region.
  struct counters {
    int result = 0, argument = 0, conflict = 0;
    bool used[5] = {};
  };

  constexpr void number(hlo_block const& b, bool of_loop, counters now) {
    for (int k = 0; k < b.n_arg; ++k) {
      if (of_loop) unique(b.arg + k, kind::iteration, now);
      else names_[b.arg + k] = {kind::argument, now.argument++, -1};
    }
    for (hlo_op const& o : m_.body(b)) {
      if (o.n_out == 0) continue;
      if (o.form == hlo_form::constant) {
        unique(o.out, is_inexact(m_.type(o.out).type) ? kind::constant : kind::integer_constant, now);
        continue;
      }
      for (int k = 0; k < o.n_out; ++k) names_[o.out + k] = {kind::result, now.result, o.n_out > 1 ? k : -1};
      ++now.result;
    }
    for (hlo_op const& o : m_.body(b))
      for (int k = 0; k < o.n_blk; ++k) number(m_.sub(o, k), o.form == hlo_form::while_loop, now);
  }
  constexpr void unique(int v, kind k, counters& now) {
    bool& used = now.used[static_cast<int>(k)];
    names_[v] = {k, used ? now.conflict++ : -1, -1};
    used = true;
  }
  constexpr void write_name(text_buffer& o, value_name const& n) const {
    constexpr std::string_view words[] = {"%", "%arg", "%c", "%cst", "%iterArg"};
    o.write(words[static_cast<int>(n.of)]);
    if (n.number >= 0) {
      if (n.of > kind::argument) o.put('_');
      o.integer(n.number);
    }
    if (n.part >= 0) {
      o.put('#');
      o.integer(n.part);
    }
  }

  stablehlo_module const& m_;
  arena<value_name> names_;
};

}  // namespace exprax::detail
