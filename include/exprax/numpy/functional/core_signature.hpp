// SPDX-License-Identifier: BSL-1.0
// Signatures of generalised ufuncs (NumPy), "(m,n),(n)->(m)": which axes, by name, a function's arguments and results have; the
// sizes that arguments give the names; and what can be wrong, as types for error texts.
#pragma once

#include <cstdint>
#include <string_view>

#include <exprax/api/vmap/axes.hpp>

namespace exprax::detail {

inline constexpr int max_core_arguments = 12;

// The axes of one argument or result: numbers of names.
struct core_axes {
  int n = 0;
  int of[max_rank] = {};
};
struct core_signature {
  bool valid = false;
  bool takes_any_results = false;  // else those of `out`
  int n_in = 0, n_out = 0;
  core_axes in[max_core_arguments], out[max_core_arguments];
  int n_names = 0;
  int name_at[2 * max_core_arguments] = {}, name_size[2 * max_core_arguments] = {};  // in the text

  constexpr std::string_view name(std::string_view text, int k) const {
    return text.substr(static_cast<std::size_t>(name_at[k]), static_cast<std::size_t>(name_size[k]));
  }
};

class signature_parser {
 public:
  constexpr explicit signature_parser(std::string_view text) : text_(text) {}

  constexpr core_signature parse() {
    s_.valid = list(s_.in, s_.n_in) && skip('-') && skip('>') && list(s_.out, s_.n_out) && at_ == text_.size();
    return s_;
  }

 private:
  static constexpr bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

  constexpr bool skip(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  constexpr bool list(core_axes* to, int& n) {
    do {
      if (n == max_core_arguments || !axes(to[n++])) return false;
    } while (skip(','));
    return true;
  }
  constexpr bool axes(core_axes& to) {
    if (!skip('(')) return false;
    if (skip(')')) return true;
    do {
      if (to.n == max_rank || !name(to.of[to.n++])) return false;
    } while (skip(','));
    return skip(')');
  }
  constexpr bool name(int& index) {
    std::size_t const first = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    if (at_ == first) return false;
    std::string_view const word = text_.substr(first, at_ - first);
    for (index = 0; index < s_.n_names; ++index)
      if (s_.name(text_, index) == word) return true;
    if (s_.n_names == 2 * max_core_arguments) return false;
    s_.name_at[s_.n_names] = static_cast<int>(first);
    s_.name_size[s_.n_names++] = static_cast<int>(word.size());
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  core_signature s_;
};
// Without a text: so many scalars, and any results.
constexpr core_signature signature_for(std::string_view text, int arguments) {
  if (!text.empty()) return signature_parser(text).parse();
  core_signature s;
  s.valid = arguments <= max_core_arguments;
  s.n_in = arguments;
  s.takes_any_results = true;
  return s;
}

enum class core_fault : std::uint8_t { none, another_rank, differs };
struct core_sizes {
  int of[2 * max_core_arguments];  // -1: not known
  core_fault what = core_fault::none;
  int where = 0, name = 0, had = 0, has = 0;

  constexpr core_sizes() : of{} {
    for (int& x : of) x = -1;
  }
  // The last axes of an argument, or all of a result.
  constexpr void add(core_axes const& axes, aval const& type, int argument, bool is_input) {
    if (what != core_fault::none) return;
    where = argument;
    if (is_input ? type.rank < axes.n : type.rank != axes.n) {
      what = core_fault::another_rank;
      has = axes.n;
      return;
    }
    for (int i = 0; i < axes.n && what == core_fault::none; ++i) {
      int& size = of[axes.of[i]];
      int const given = type.dims[type.rank - axes.n + i];
      if (size >= 0 && size != given) {
        what = core_fault::differs;
        name = axes.of[i];
        had = size;
        has = given;
      }
      size = given;
    }
  }
};

// What is wrong, for error texts.
template <int>
struct argument;
template <int>
struct arguments;
template <int>
struct result;
template <int>
struct of_size;
template <int>
struct core_dimensions;
template <fixed_string Name>
struct core_dimension;
template <fixed_string Signature>
struct not_a_signature;
template <class Expected, class Given>
struct another_number_of;
template <class Where, class Type>
struct not_an_array;
template <class Where, class Type, class Core>
struct another_rank;
template <class Name, class Where, class Type, class Size, class Other>
struct core_sizes_differ;
template <class... Argument>
struct loops_differ;

template <class Verdict>
inline constexpr bool is_signature = true;
template <fixed_string Signature>
inline constexpr bool is_signature<not_a_signature<Signature>> = false;
template <class Verdict>
inline constexpr bool has_the_number_of = true;
template <class Expected, class Given>
inline constexpr bool has_the_number_of<another_number_of<Expected, Given>> = false;
template <class Verdict>
inline constexpr bool has_arrays = true;
template <class Where, class Type>
inline constexpr bool has_arrays<not_an_array<Where, Type>> = false;
template <class Verdict>
inline constexpr bool has_its_core_dimensions = true;
template <class Where, class Type, class Core>
inline constexpr bool has_its_core_dimensions<another_rank<Where, Type, Core>> = false;
template <class Verdict>
inline constexpr bool has_one_core_size = true;
template <class Name, class Where, class Type, class Size, class Other>
inline constexpr bool has_one_core_size<core_sizes_differ<Name, Where, Type, Size, Other>> = false;
template <class Verdict>
inline constexpr bool has_loops_that_broadcast = true;
template <class... Argument>
inline constexpr bool has_loops_that_broadcast<loops_differ<Argument...>> = false;

template <int K, class List>
struct type_at;
template <class First, class... Rest>
struct type_at<0, type_list<First, Rest...>> {
  using type = First;
};
template <int K, class First, class... Rest>
  requires(K > 0)
struct type_at<K, type_list<First, Rest...>> : type_at<K - 1, type_list<Rest...>> {};

// Name number K of a signature.
template <fixed_string Signature, int K>
constexpr auto core_name() {
  constexpr core_signature s = signature_for(Signature.view(), 0);
  char text[s.name_size[K] + 1] = {};
  for (int i = 0; i < s.name_size[K]; ++i) text[i] = Signature.text[s.name_at[K] + i];
  return fixed_string<sizeof text>(text);
}
// The fault that Sizes::value found in one of Types.
template <fixed_string Signature, class Sizes, template <int> class Where, class Types>
constexpr auto core_fault_type() {
  constexpr core_sizes s = Sizes::value;
  using type = typename type_at<s.where, Types>::type;
  if constexpr (s.what == core_fault::another_rank) return std::type_identity<another_rank<Where<s.where>, type, core_dimensions<s.has>>>{};
  else
    return std::type_identity<
        core_sizes_differ<core_dimension<core_name<Signature, s.name>()>, Where<s.where>, type, of_size<s.has>, of_size<s.had>>>{};
}

}  // namespace exprax::detail
