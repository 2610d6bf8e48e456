// SPDX-License-Identifier: BSL-1.0
// Options: the tags that a function takes after its values, in any order. Each tag type has a word, its name in the lists of functions, and
// a group; a call takes at most one option of a group. EXPRAX_TAKES(function, list, Options...) of base/config.hpp checks a call.
#pragma once

#include <cstddef>
#include <type_traits>

#include <exprax/base/config.hpp>
#include <exprax/base/fixed_string.hpp>

namespace exprax::detail {

// The name of an option in lists, keepdims or axis<...>; its group; an alternative name in some lists, as axis<k> for one axis.
struct option_word {
  std::string_view word;
  std::string_view group = word;
  std::string_view other = word;
};
// The word of a tag, specialised next to the tag. A type without one is not an option.
template <class Option>
inline constexpr option_word word_of{""};
template <class T>
inline constexpr bool is_option = !word_of<T>.word.empty();

template <class T>
inline constexpr bool is_text = false;
template <>
inline constexpr bool is_text<char const*> = true;
template <std::size_t N>
inline constexpr bool is_text<char[N]> = true;

template <class T>
inline constexpr bool is_plain_number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

// Of EXPRAX_REFUSES_NUMBERS and functions like it: what was given as arguments is part of types.
template <class... T>
inline constexpr bool are_template_arguments = sizeof...(T) == 0;
template <class... T>
inline constexpr bool end_in_a_number = [] {
  bool last = false;
  ((last = is_plain_number<T>), ...);
  return last;
}();

// How a list contains a word: not at all, for one use, or repeatable ("range(...)...").
enum class listed { no, once, often };
constexpr listed find_word(std::string_view list, std::string_view word) {
  while (!word.empty() && !list.empty()) {
    std::size_t const comma = list.find(", ");
    std::string_view const entry = list.substr(0, comma);
    if (entry == word) return listed::once;
    if (entry.size() == word.size() + 3 && entry.substr(0, word.size()) == word) return listed::often;
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 2);
  }
  return listed::no;
}

// What is wrong with the options of a call: the index of the first unknown one, or of the first two of the same group.
struct option_mistake {
  int unknown = -1, first = -1, second = -1;
};
constexpr option_mistake find_option_mistake(std::string_view list, option_word const* given, int n) {
  for (int i = 0; i < n; ++i) {
    listed const word = find_word(list, given[i].word), how = word != listed::no ? word : find_word(list, given[i].other);
    if (how == listed::no) return {i, -1, -1};
    for (int k = 0; k < i && how == listed::once; ++k)
      if (given[k].group == given[i].group) return {-1, k, i};
  }
  return {};
}

// The mistake as a type, which the error text shows.
struct options_fit;
template <class Text>
struct text_as_option;
template <class Number>
struct number_as_option;
template <class Option>
struct unknown_option;
template <class Option>
struct option_given_twice;
template <class First, class Second>
struct options_contradict;

template <int N, class First, class... Rest>
struct nth_option : nth_option<N - 1, Rest...> {};
template <class First, class... Rest>
struct nth_option<0, First, Rest...> {
  using type = First;
};
template <class First, class Second>
struct clash {
  using type = options_contradict<First, Second>;
};
template <class Option>
struct clash<Option, Option> {
  using type = option_given_twice<Option>;
};
template <option_mistake M, class... Options>
constexpr auto describe_options() {
  if constexpr (M.unknown >= 0) {
    using wrong = typename nth_option<M.unknown, Options...>::type;
    if constexpr (is_text<wrong>) return std::type_identity<text_as_option<wrong>>{};
    else if constexpr (is_plain_number<wrong>) return std::type_identity<number_as_option<wrong>>{};
    else return std::type_identity<unknown_option<wrong>>{};
  } else {
    return clash<typename nth_option<M.first, Options...>::type, typename nth_option<M.second, Options...>::type>{};
  }
}

template <fixed_string List, class... Options>
struct check_options {
  // Copies: with -fsanitize=null g++ does not follow pointers to template arguments in constant evaluation.
  static constexpr option_mistake find() {
    auto const list = List;
    option_word const given[] = {word_of<Options>...};
    return find_option_mistake(list.view(), given, sizeof...(Options));
  }
  static constexpr option_mistake mistake = find();
  using type = typename decltype([] {
    if constexpr (mistake.unknown < 0 && mistake.first < 0) return std::type_identity<options_fit>{};
    else return describe_options<mistake, Options...>();
  }())::type;
};
template <fixed_string List>
struct check_options<List> {
  using type = options_fit;
};
template <fixed_string List, class... Options>
using verdict_on_options = typename check_options<List, Options...>::type;

// Conditions of static_asserts; compilers print the types.
template <class Verdict>
inline constexpr bool options_are_tags = true;
template <class Text>
inline constexpr bool options_are_tags<text_as_option<Text>> = false;
template <class Verdict>
inline constexpr bool options_are_no_numbers = true;
template <class Number>
inline constexpr bool options_are_no_numbers<number_as_option<Number>> = false;
template <class Verdict>
inline constexpr bool options_are_known = true;
template <class Option>
inline constexpr bool options_are_known<unknown_option<Option>> = false;
template <class Verdict>
inline constexpr bool options_are_given_once = true;
template <class Option>
inline constexpr bool options_are_given_once<option_given_twice<Option>> = false;
template <class Verdict>
inline constexpr bool options_agree = true;
template <class First, class Second>
inline constexpr bool options_agree<options_contradict<First, Second>> = false;

template <class Verdict>
inline constexpr bool are_accepted = false;
template <>
inline constexpr bool are_accepted<options_fit> = true;

}  // namespace exprax::detail
