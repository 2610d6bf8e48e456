// SPDX-License-Identifier: BSL-1.0
// Reads the text of a StableHLO module as its tools do and holds it to the specification: regions are balanced, every name is
// defined once and before its use, operands have the types that their definitions gave, and the types of results follow from
// those of operands (stablehlo_rules.hpp). check_stablehlo(text) is "" or the first thing that is wrong, with its line.
#pragma once

#include <cctype>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace stablehlo {

using ints = std::vector<long>;

struct tensor {
  ints dims;
  std::string element;
  bool operator==(tensor const&) const = default;
  long rank() const { return static_cast<long>(dims.size()); }
  long size() const {
    long n = 1;
    for (long d : dims) n *= d;
    return n;
  }
  bool is_complex() const { return element == "complex<f32>" || element == "complex<f64>"; }
  bool is_float() const { return element == "f32" || element == "f64" || element == "f16" || element == "bf16"; }
  // Of the parts of a complex number.
  tensor parts() const { return is_complex() ? with(element == "complex<f32>" ? "f32" : "f64") : *this; }
  long bits() const {
    for (long n : {64, 32, 16, 8}) if (element.find(std::to_string(n)) != std::string::npos) return n;
    return is_bool() ? 1 : 0;
  }
  bool is_bool() const { return element == "i1"; }
  bool is_integer() const { return !is_float() && !is_bool() && !is_complex(); }
  tensor with(std::string e) const { return {dims, e}; }
};
using types = std::vector<tensor>;

struct signature {
  types in, out;
};

// One operation with all that its text says.
struct operation {
  std::string name, label;
  types in, out;                   // the operands' types are those of their definitions
  std::map<std::string, ints> at;  // lists of integers by their keys: dims, sizes, low, ...
};

// What the specification says of an operation without regions; throws std::runtime_error.
void check_operation(operation const& o);
// The types of a function of two scalars and of what a reduction makes of them.
inline void require(bool holds, std::string const& what) {
  if (!holds) throw std::runtime_error(what);
}

class parser {
 public:
  explicit parser(std::string_view text) : text_(text) {}

  std::string check() {
    try {
      collect_functions();
      module();
      return "";
    } catch (std::runtime_error const& e) {
      long line = 1;
      for (std::size_t i = 0; i < at_ && i < text_.size(); ++i) line += text_[i] == '\n';
      return "line " + std::to_string(line) + ": " + e.what();
    }
  }

 private:
  // --- Words ---
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool is_next(std::string_view s) {
    skip();
    return text_.substr(at_, s.size()) == s;
  }
  bool accept(std::string_view s) {
    if (!is_next(s)) return false;
    at_ += s.size();
    return true;
  }
  void expect(std::string_view s) { require(accept(s), "expected " + std::string(s) + " before " + std::string(text_.substr(at_, 30))); }
  std::string word() {
    skip();
    std::size_t const from = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_' || text_[at_] == '.')) ++at_;
    require(at_ > from, "expected a word before " + std::string(text_.substr(at_, 30)));
    return std::string(text_.substr(from, at_ - from));
  }
  std::string quoted() {
    expect("\"");
    std::size_t const from = at_;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    expect("\"");
    return std::string(text_.substr(from, at_ - 1 - from));
  }
  long integer() {
    skip();
    std::size_t const from = at_;
    if (at_ < text_.size() && text_[at_] == '-') ++at_;
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) ++at_;
    require(at_ > from, "expected an integer");
    return std::stol(std::string(text_.substr(from, at_ - from)));
  }
  template <class F>
  void list(std::string_view open, std::string_view close, F each) {
    expect(open);
    if (accept(close)) return;
    do each();
    while (accept(","));
    expect(close);
  }
  ints integers() {
    ints r;
    list("[", "]", [&] { r.push_back(integer()); });
    return r;
  }
  // The lists in a list, one after the other.
  ints nested() {
    ints r;
    list("[", "]", [&] {
      for (long x : integers()) r.push_back(x);
    });
    return r;
  }
  std::string symbol() {
    expect("@");
    return is_next("\"") ? quoted() : word();
  }
  std::string value() {
    expect("%");
    std::string n = word();
    if (at_ < text_.size() && text_[at_] == '#') {
      ++at_;
      n += "#" + std::to_string(integer());
    }
    return n;
  }
  tensor type() {
    expect("tensor<");
    tensor t;
    while (std::isdigit(static_cast<unsigned char>(text_[at_]))) {
      t.dims.push_back(integer());
      expect("x");
    }
    t.element = word();
    if (t.element == "complex") {
      expect("<");
      t.element += "<" + word() + ">";
      expect(">");
    }
    static constexpr std::string_view known[] = {"i1",   "i8",   "i16",  "i32", "i64", "ui8", "ui16",         "ui32",
                                                 "ui64", "bf16", "f16",  "f32", "f64", "complex<f32>", "complex<f64>"};
    bool found = false;
    for (std::string_view k : known) found = found || t.element == k;
    require(found, "no element type: " + t.element);
    expect(">");
    return t;
  }
  types type_list() {
    types r;
    do r.push_back(type());
    while (accept(","));
    return r;
  }
  // type, or (types)
  types result_types() {
    if (!is_next("(")) return {type()};
    types r;
    list("(", ")", [&] {
      r.push_back(type());
      if (accept("{")) {
        expect("jax.result_info");
        expect("=");
        quoted();
        expect("}");
      }
    });
    return r;
  }
  types operand_types() {
    types r;
    list("(", ")", [&] { r.push_back(type()); });
    return r;
  }

  // --- Scopes ---
  void define(std::string const& name, tensor const& t) {
    for (auto const& scope : scopes_) require(!scope.contains(name), "%" + name + " is defined twice");
    scopes_.back()[name] = t;
  }
  tensor use() {
    std::string const name = value();
    for (auto const& scope : scopes_)
      if (auto const found = scope.find(name); found != scope.end()) return found->second;
    throw std::runtime_error("%" + name + " is used before its definition");
  }
  types uses() {
    types r;
    do r.push_back(use());
    while (is_next(", %") && accept(","));
    return r;
  }

  // --- Modules and functions ---
  void collect_functions() {
    std::size_t const start = at_;
    for (std::size_t at = 0; (at = text_.find("func.func ", at)) != std::string_view::npos; ++at) {
      at_ = at;
      std::vector<std::string> names;
      auto const [name, s] = header(names);
      require(functions_.emplace(name, s).second, "@" + name + " is defined twice");
    }
    at_ = start;
  }
  std::pair<std::string, signature> header(std::vector<std::string>& names) {
    expect("func.func ");
    if (!accept("public ")) expect("private ");
    std::string const name = symbol();
    signature s;
    list("(", ")", [&] {
      names.push_back(value());
      expect(":");
      s.in.push_back(type());
    });
    if (accept("->")) s.out = result_types();
    return {name, s};
  }
  void module() {
    expect("module ");
    symbol();
    expect("attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {");
    require(functions_.contains("main"), "no @main");
    while (!accept("}")) {
      std::vector<std::string> names;
      auto const [name, s] = header(names);
      scopes_.clear();
      std::map<std::string, tensor> arguments;
      scopes_.emplace_back();
      for (std::size_t k = 0; k < names.size(); ++k) define(names[k], s.in[k]);
      region(s.out, "return");
    }
    skip();
    require(at_ == text_.size(), "text behind the module");
  }
  // { operations; terminator results }
  void region(types const& expected, std::string const& terminator) {
    expect("{");
    region_body(expected, terminator);
  }
  void region_body(types const& expected, std::string const& terminator) {
    scopes_.emplace_back();
    bool const of_function = terminator == "return";
    while (!is_next(terminator)) statement(of_function);
    expect(terminator);
    types given;
    if (is_next("%")) {
      given = uses();
      expect(":");
      require(type_list() == given, "the types of results are not those of their definitions");
    }
    require(given == expected, "a region gives other types than what it stands in");
    expect("}");
    scopes_.pop_back();
  }
  // A region of the generic form: inputs, then operations.
  void reducer(tensor const& element) {
    expect("({");
    expect("^bb0(");
    scopes_.emplace_back();
    for (int k = 0; k < 2; ++k) {
      if (k > 0) expect(",");
      std::string const name = value();
      expect(":");
      require(type() == element, "a reducer takes other types than the elements");
      define(name, element);
    }
    expect("):");
    region_body({element}, "stablehlo.return");
    scopes_.pop_back();
    expect(")");
  }

  // --- Operations ---
  void statement(bool in_function) {
    std::string name;
    long count = 0;
    if (is_next("%")) {
      name = value();
      count = 1;
      if (accept(":")) count = integer();
      expect("=");
    }
    operation o;
    bool const generic = is_next("\"");
    o.name = generic ? quoted() : word();
    if (o.name == "call" || o.name == "func.call") {
      require((o.name == "call") == in_function, "call: the dialect is the function's only in the function's own block");
      call(o);
    } else {
      bool const of_chlo = o.name.starts_with("chlo.");
      require(of_chlo || o.name.starts_with("stablehlo."), "no operation: " + o.name);
      o.name.erase(0, of_chlo ? 0 : 10);
      static constexpr std::string_view generics[] = {"case", "gather", "scatter", "reduce_window"};
      bool is_generic = false;
      for (std::string_view g : generics) is_generic = is_generic || o.name == g;
      require(generic == is_generic, o.name + ": wrong form");
      arguments(o);
    }
    require(static_cast<long>(o.out.size()) == count, o.name + ": the number of results");
    for (long k = 0; k < count; ++k) define(count == 1 ? name : name + "#" + std::to_string(k), o.out[static_cast<std::size_t>(k)]);
  }
  // : (types of operands) -> types of results
  void types_of(operation& o) {
    expect(":");
    require(operand_types() == o.in, o.name + ": the types of operands are not those of their definitions");
    expect("->");
    o.out = result_types();
  }
  void call(operation& o) {
    std::string const callee = symbol();
    list("(", ")", [&] { o.in.push_back(use()); });
    types_of(o);
    auto const f = functions_.find(callee);
    require(f != functions_.end(), "no function @" + callee);
    require(f->second.in == o.in && f->second.out == o.out, "@" + callee + " has another type");
  }
  void keyed(operation& o, std::string_view key, ints const& values) { o.at[std::string(key)] = values; }
  void key(operation& o, std::string_view k) {
    expect(",");
    expect(k);
    expect("=");
    keyed(o, k, is_next("[") ? integers() : ints{integer()});
  }
  // a x b
  void pair_of_lists(operation& o, std::string_view k) {
    expect(k);
    expect("=");
    keyed(o, "lhs_" + std::string(k), integers());
    expect("x");
    keyed(o, "rhs_" + std::string(k), integers());
  }
  void arguments(operation& o) {
    std::string const& n = o.name;
    if (n == "constant") constant(o);
    else if (n == "iota") {
      expect("dim =");
      keyed(o, "dim", {integer()});
      expect(":");
      o.out = {type()};
    } else if (n == "select") {
      o.in = uses();
      expect(":");
      types const given = type_list();
      require(o.in.size() == 3 && given.size() == 2 && o.in[0] == given[0] && o.in[1] == given[1] && o.in[2] == given[1], "select: types");
      o.out = {given[1]};
    } else if (n == "while") loop(o);
    else if (n == "case") branches(o);
    else if (n == "reduce") reduce(o);
    else if (n == "gather") gather(o);
    else if (n == "scatter" || n == "reduce_window") with_reducer(o);
    else if (n == "convolution") convolution(o);
    else if (n == "custom_call") {
      symbol();
      list("(", ")", [&] { o.in.push_back(use()); });
      expect("{backend_config =");
      quoted();
      expect(", has_side_effect = true}");
      types_of(o);
    } else {
      if (n == "compare") {
        o.label = word();
        expect(",");
      }
      o.in = uses();
      if (n == "compare") {
        expect(",");
        o.label += " " + word();
      } else if (n == "broadcast_in_dim" || n == "transpose" || n == "reverse") key(o, "dims");
      else if (n == "concatenate") key(o, "dim");
      else if (n == "dynamic_slice") key(o, "sizes");
      else if (n == "pad") {
        key(o, "low");
        key(o, "high");
        key(o, "interior");
      } else if (n == "slice") {
        list("[", "]", [&] {
          o.at["start"].push_back(integer());
          expect(":");
          o.at["limit"].push_back(integer());
          o.at["stride"].push_back(accept(":") ? integer() : 1);
        });
      } else if (n == "dot_general") {
        expect(",");
        if (is_next("batching_dims")) {
          pair_of_lists(o, "batching_dims");
          expect(",");
        }
        pair_of_lists(o, "contracting_dims");
        expect(", precision = [DEFAULT, DEFAULT]");
      } else if (n == "reduce_precision") {
        expect(", format = ");
        word();
      } else if (n.starts_with("chlo.")) {
        // Types in a list without parentheses.
        expect(":");
        require(type_list() == o.in, n + ": the types of operands are not those of their definitions");
        expect("->");
        o.out = {type()};
        return check_operation(o);
      }
      if (is_next(": (")) types_of(o);
      else {
        // One type for all.
        expect(":");
        o.out = {type()};
        for (tensor const& t : o.in) require(t == o.out[0], n + ": one type stands for different ones");
      }
    }
    check_operation(o);
  }
  void constant(operation& o) {
    expect("dense<");
    ints shape;
    long leaves = 0;
    bool splat = false;
    std::string sample;
    if (is_next("\"0x")) {
      leaves = -static_cast<long>(quoted().size() - 2) / 2;
    } else if (!is_next(">")) {
      elements(0, shape, leaves, sample);
      splat = shape.empty();
    }
    expect(">");
    expect(":");
    o.out = {type()};
    tensor const& t = o.out[0];
    if (leaves < 0) {
      long const bytes = t.element.find('8') != std::string::npos ? 1 : t.element.find("16") != std::string::npos ? 2 : t.element.find("32") != std::string::npos ? 4 : 8;
      return require(-leaves == t.size() * bytes * (t.is_complex() ? 2 : 1), "constant: the number of bytes");
    }
    require(splat || leaves == t.size(), "constant: the number of elements");
    require(splat || leaves == 0 || shape == t.dims, "constant: the shape of the lists");
    if (leaves == 0) return;
    bool const is_word = sample == "true" || sample == "false", is_hex = sample.starts_with("0x");
    bool const has_point = sample.find('.') != std::string::npos;
    require(t.is_bool() ? is_word : t.is_float() || t.is_complex() ? is_hex || has_point : !is_word && !is_hex && !has_point, "constant: " + sample + " as " + t.element);
    if (is_hex) require(static_cast<long>(sample.size()) == 2 + t.parts().bits() / 4, "constant: the number of hexadecimal digits");
  }
  void elements(std::size_t depth, ints& shape, long& leaves, std::string& sample) {
    if (accept("(")) {  // the parts of a complex number
      long parts = 0;
      elements(depth, shape, parts, sample);
      expect(",");
      elements(depth, shape, parts, sample);
      expect(")");
      ++leaves;
      return;
    }
    if (!is_next("[")) {
      bool const negative = accept("-");
      sample = word();
      if (sample != "true" && sample != "false" && !sample.starts_with("0x") && (sample.back() == 'e' || sample.back() == 'E')) {
        if (!accept("+")) expect("-");
        integer();
      }
      require(!negative || sample != "true", "constant: a negative bool");
      ++leaves;
      return;
    }
    long n = 0;
    if (shape.size() == depth) shape.push_back(-1);
    list("[", "]", [&] {
      elements(depth + 1, shape, leaves, sample);
      ++n;
    });
    require(shape[depth] == -1 || shape[depth] == n, "constant: rows of different lengths");
    shape[depth] = n;
  }
  void loop(operation& o) {
    std::vector<std::string> names;
    list("(", ")", [&] {
      names.push_back(value());
      expect("=");
      o.in.push_back(use());
    });
    if (!names.empty()) {
      expect(":");
      o.out = type_list();
    }
    require(o.out == o.in, "while: the types are not those of the operands");
    auto const part = [&](std::string_view word, types const& out) {
      expect(word);
      scopes_.emplace_back();
      for (std::size_t k = 0; k < names.size(); ++k) define(names[k], o.in[k]);
      region(out, "stablehlo.return");
      scopes_.pop_back();
    };
    part("cond", {tensor{{}, "i1"}});
    part("do", o.in);
  }
  void branches(operation& o) {
    list("(", ")", [&] { o.in.push_back(use()); });
    // The types of results stand behind the regions.
    std::size_t const before = at_;
    expect("(");
    int depth = 1;
    for (; depth > 0; ++at_) {
      require(at_ < text_.size(), "case: not closed");
      if (text_[at_] == '"') quoted(), --at_;
      else depth += text_[at_] == '(' ? 1 : text_[at_] == ')' ? -1 : 0;
    }
    types_of(o);
    std::size_t const after = at_;
    at_ = before;
    list("(", ")", [&] { region(o.out, "stablehlo.return"); });
    at_ = after;
    require(o.in == types{tensor{{}, "i32"}}, "case: the index is a scalar i32");
  }
  void reduce(operation& o) {
    expect("(");
    o.in.push_back(use());
    expect("init:");
    o.in.push_back(use());
    expect(") applies stablehlo.");
    o.label = word();
    expect("across dimensions =");
    keyed(o, "dims", integers());
    types_of(o);
  }
  bool flag(std::string_view k) {
    expect(k);
    expect("=");
    if (accept("true")) return true;
    expect("false");
    return false;
  }
  // The numbers of a gather or scatter, up to their >.
  void index_numbers(operation& o) {
    while (!accept(">")) {
      std::string const k = word();
      expect("=");
      keyed(o, k, is_next("[") ? integers() : ints{integer()});
      accept(",");
    }
    expect(",");
  }
  void gather(operation& o) {
    list("(", ")", [&] { o.in.push_back(use()); });
    expect("<{dimension_numbers = #stablehlo.gather<");
    index_numbers(o);
    flag("indices_are_sorted");
    expect(", slice_sizes = array<i64");
    ints& sizes = o.at["slice_sizes"];
    if (accept(":")) do sizes.push_back(integer());
      while (accept(","));
    expect(">}>");
    types_of(o);
  }
  void with_reducer(operation& o) {
    list("(", ")", [&] { o.in.push_back(use()); });
    expect("<{");
    if (o.name == "scatter") {
      flag("indices_are_sorted");
      expect(", scatter_dimension_numbers = #stablehlo.scatter<");
      index_numbers(o);
      flag("unique_indices");
    } else {
      expect("padding = dense<");
      keyed(o, "padding", nested());
      expect("> :");
      std::string const rank = std::to_string(o.at["padding"].size() / 2);
      expect("tensor<" + rank + "x2xi64>");
      for (std::string_view k : {"window_dimensions", "window_strides"}) {
        expect(",");
        expect(k);
        expect("= array<i64:");
        do o.at[std::string(k)].push_back(integer());
        while (accept(","));
        expect(">");
      }
    }
    expect("}>");
    require(!o.in.empty(), o.name + ": no operands");
    reducer({{}, o.in[0].element});
    types_of(o);
  }
  void convolution(operation& o) {
    list("(", ")", [&] { o.in.push_back(use()); });
    expect("dim_numbers = ");
    auto const numbers = [&](char first, char second) {
      long next = 0;
      expect("[" + std::string(1, first) + ", " + second);
      while (accept(",")) require(integer() == next++, "convolution: the order of the axes");
      expect("]");
    };
    numbers('b', 'f');
    expect("x");
    numbers('o', 'i');
    expect("->");
    numbers('b', 'f');
    expect(", window = {stride =");
    keyed(o, "stride", integers());
    expect(", pad =");
    keyed(o, "pad", nested());
    key(o, "lhs_dilate");
    key(o, "rhs_dilate");
    expect(", reverse =");
    list("[", "]", [&] { expect("false"); });
    expect("} {batch_group_count =");
    keyed(o, "batch_group_count", {integer()});
    expect(": i64, feature_group_count =");
    keyed(o, "feature_group_count", {integer()});
    expect(": i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}");
    types_of(o);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::map<std::string, signature> functions_;
  std::vector<std::map<std::string, tensor>> scopes_;
};

inline std::string check_stablehlo(std::string_view text) { return parser(text).check(); }

}  // namespace stablehlo

#include "stablehlo_rules.hpp"
