// SPDX-License-Identifier: BSL-1.0
// Reads the text of an HLO module and checks its structure: braces are balanced, computations and instructions are defined once
// and before their use, each computation has one ROOT, parameters are numbered from 0, operands have the types that ROOT and
// get-tuple-element take. check_hlo(text) is "" or the first thing that is wrong, with its line.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace hlo {

class checker {
 public:
  explicit checker(std::string_view text) : text_(text) {}

  std::string check() {
    try {
      require(next().starts_with("HloModule jit_"), "no HloModule");
      while (at_ < text_.size()) {
        require(next().empty(), "no empty line before a computation");
        computation();
      }
      require(entries_ == 1, "not one ENTRY");
      return "";
    } catch (std::runtime_error const& e) {
      return "line " + std::to_string(line_) + ": " + e.what();
    }
  }

 private:
  struct computation_type {
    std::vector<std::string> parameters;
    std::string result;
  };
  static void require(bool holds, std::string const& what) {
    if (!holds) throw std::runtime_error(what);
  }
  std::string_view next() {
    require(at_ < text_.size(), "the text ends");
    std::size_t const end = text_.find('\n', at_);
    require(end != std::string_view::npos, "no end of the last line");
    std::string_view const l = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++line_;
    return l;
  }
  static bool accept(std::string_view& s, std::string_view word) {
    if (!s.starts_with(word)) return false;
    s.remove_prefix(word.size());
    return true;
  }
  static std::string_view until(std::string_view& s, std::string_view end) {
    std::size_t const n = s.find(end);
    require(n != std::string_view::npos, "no " + std::string(end) + " in " + std::string(s));
    std::string_view const r = s.substr(0, n);
    s.remove_prefix(n + end.size());
    return r;
  }
  // A type: s32[4]{0}, or a tuple of types.
  static std::string_view type(std::string_view& s) {
    std::string_view const all = s;
    if (accept(s, "(")) {
      while (!accept(s, ")")) {
        type(s);
        accept(s, ", ");
      }
    } else {
      std::string_view const element = until(s, "[");
      bool known = false;
      for (std::string_view k : {"pred", "s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64", "c64", "c128"}) known = known || k == element;
      require(known, "no type: " + std::string(element));
      std::string_view const dims = until(s, "]");
      if (!dims.empty()) {
        require(accept(s, "{"), "a type without a layout");
        std::string_view const layout = until(s, "}");
        std::size_t commas = 0, axes = 0;
        for (char c : dims) commas += c == ',';
        for (char c : layout) axes += c == ',';
        require(commas == axes, "a layout of another rank");
      }
    }
    return all.substr(0, all.size() - s.size());
  }
  // What stands between the brace or parenthesis that s begins with and its partner.
  static std::string_view enclosed(std::string_view& s) {
    int depth = 0;
    for (std::size_t i = 0; i < s.size(); ++i) {
      depth += s[i] == '(' || s[i] == '{' ? 1 : s[i] == ')' || s[i] == '}' ? -1 : 0;
      if (depth > 0) continue;
      std::string_view const r = s.substr(1, i - 1);
      s.remove_prefix(i + 1);
      return r;
    }
    throw std::runtime_error("not closed: " + std::string(s));
  }
  static std::vector<std::string> names(std::string_view s) {
    std::vector<std::string> r;
    while (!s.empty()) {
      std::size_t const n = s.find(", ");
      r.emplace_back(s.substr(0, n));
      s.remove_prefix(n == std::string_view::npos ? s.size() : n + 2);
    }
    return r;
  }
  void unique(std::string const& name) {
    require(name.find('.') != std::string::npos, "a name without a number: " + name);
    require(numbers_.emplace(name.substr(name.find('.') + 1), 0).second, "a number occurs twice: " + name);
  }
  void computation() {
    std::string_view head = next();
    entries_ += accept(head, "ENTRY ");
    std::string const name(until(head, " {"));
    unique(name);
    computation_type made;
    std::map<std::string, std::string> types;
    std::map<int, std::string> parameters;
    int roots = 0;
    while (true) {
      std::string_view s = next();
      if (s == "}") break;
      require(accept(s, "  "), "no instruction: " + std::string(s));
      bool const is_root = accept(s, "ROOT ");
      std::string const result(until(s, " = "));
      unique(result);
      std::string const t(type(s));
      require(accept(s, " "), "no operation: " + result);
      std::size_t const paren = s.find('(');
      require(paren != std::string_view::npos, "no operands: " + result);
      std::string const operation(s.substr(0, paren));
      s.remove_prefix(paren);
      std::string_view const inside = enclosed(s);
      if (operation == "parameter") {
        require(parameters.emplace(std::stoi(std::string(inside)), t).second, "a parameter occurs twice");
      } else if (operation != "constant") {
        std::vector<std::string> in;
        for (std::string const& operand : names(inside)) {
          require(types.contains(operand), operand + " is used before its definition");
          in.push_back(types[operand]);
        }
        uses(operation, t, in, s);
      }
      types[result] = t;
      roots += is_root;
      if (is_root) made.result = t;
    }
    require(roots == 1, name + " has not one ROOT");
    for (auto const& [number, t] : parameters) {
      require(number == static_cast<int>(made.parameters.size()), "parameters are not numbered from 0");
      made.parameters.push_back(t);
    }
    computations_[name] = made;
  }
  static std::string tuple_of(std::vector<std::string> const& in) {
    std::string s;
    for (std::string const& t : in) s += (s.empty() ? "" : ", ") + t;
    return "(" + s + ")";
  }
  computation_type const& called(std::string const& name) const {
    auto const found = computations_.find(name);
    require(found != computations_.end(), "computation " + name + " is used before its definition");
    return found->second;
  }
  static std::string attribute(std::string_view s, std::string_view key) {
    std::size_t const n = s.find(std::string(key) + "=");
    require(n != std::string_view::npos, "no " + std::string(key));
    s.remove_prefix(n + key.size() + 1);
    return std::string(s.substr(0, s.find_first_of(", ")));
  }
  void uses(std::string const& operation, std::string const& t, std::vector<std::string> const& in, std::string_view s) const {
    if (operation == "tuple") require(t == tuple_of(in), "tuple: the type");
    else if (operation == "get-tuple-element") {
      std::string_view parts = in.at(0);
      require(accept(parts, "("), "get-tuple-element: of no tuple");
      std::string found;
      for (int k = std::stoi(attribute(s, "index")); k >= 0; --k) {
        found = type(parts);
        accept(parts, ", ");
      }
      require(found == t, "get-tuple-element: the type");
    } else if (operation == "while") {
      computation_type const &condition = called(attribute(s, "condition")), &body = called(attribute(s, "body"));
      require(in == body.parameters && in == condition.parameters && in.at(0) == body.result && t == body.result, "while: types");
      require(condition.result == "pred[]", "while: the condition");
    } else if (operation == "conditional") {
      std::size_t const n = s.find("branch_computations=");
      require(n != std::string_view::npos, "conditional: no branches");
      s.remove_prefix(n + 20);
      std::vector<std::string> const branches = names(enclosed(s));
      require(in.size() == branches.size() + 1 && in[0] == "s32[]", "conditional: operands");
      for (std::size_t k = 0; k < branches.size(); ++k) {
        computation_type const& b = called(branches[k]);
        require(b.parameters == std::vector<std::string>{in[k + 1]} && b.result == t, "conditional: the types of a branch");
      }
    } else if (operation == "call") {
      computation_type const& f = called(attribute(s, "to_apply"));
      require(f.parameters == in && f.result == t, "call: types");
    } else if (s.find("to_apply=") != std::string_view::npos) {
      computation_type const& f = called(attribute(s, "to_apply"));
      require(f.parameters.size() == 2 && f.parameters[0] == f.result && f.parameters[1] == f.result, operation + ": the combining function");
      require(f.result == t.substr(0, t.find('[')) + "[]", operation + ": combines another type");
    } else {
      static constexpr std::string_view uniform[] = {"add", "subtract", "multiply", "divide", "maximum", "minimum", "negate", "and", "or", "exponential"};
      for (std::string_view u : uniform)
        if (operation == u)
          for (std::string const& i : in) require(i == t, operation + ": types");
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 0, entries_ = 0;
  std::map<std::string, int> numbers_;
  std::map<std::string, computation_type> computations_;
};

inline std::string check_hlo(std::string_view text) { return checker(text).check(); }

}  // namespace hlo
