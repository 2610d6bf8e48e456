// SPDX-License-Identifier: BSL-1.0
// Trees of arrays as Python shows them: (Array(3., dtype=float32), Array([1., 2.], dtype=float32)). Tuples and pairs in parentheses, arrays
// of trees in brackets, maps in braces, structs by their names (C++ does not tell those of their members), none as None.
#pragma once

#include <exprax/base/names.hpp>
#include <exprax/pytree/tree.hpp>
#include <exprax/types/print.hpp>

namespace exprax {

namespace detail {

template <class Leaf>
constexpr void show_leaf(text_buffer& out, Leaf const& x) {
  if constexpr (requires { array_repr(x); }) out.write(array_repr(x).view());
  else if constexpr (is_number_type<Leaf>) array_printer<Leaf>(out, &x, aval(dtype_of<Leaf>)).print();
  else out.write(array_repr(array<Leaf>(x)).view());
}

template <class Tree>
inline constexpr bool is_list = false;
template <class T, std::size_t N>
inline constexpr bool is_list<std::array<T, N>> = true;

template <class Tree>
constexpr void show(text_buffer& out, Tree const& t) {
  if constexpr (is_leaf<Tree>) {
    show_leaf(out, t);
  } else if constexpr (static_constant<Tree>) {
    out.integer(Tree::value);
  } else if constexpr (is_empty_tree<Tree>) {
    out.write("None");
  } else {
    constexpr std::size_t n = node<Tree>::size;
    std::string_view const brackets = is_list<Tree> ? "[]" : hana_map<Tree> ? "{}" : "()";
    if constexpr (struct_node<Tree>) out.write(last_name(signature_of_type<Tree>()));
    out.put(brackets[0]);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      [[maybe_unused]] auto const child = [&](auto k) {
        if (k > 0) out.write(", ");
        if constexpr (hana_map<Tree>) {
          out.put('\'');
          out.write(boost::hana::to<char const*>(typename node<Tree>::template key<k>{}));
          out.write("': ");
        }
        show(out, node<Tree>::template child<k>(t));
      };
      (child(std::integral_constant<std::size_t, I>{}), ...);
    }(std::make_index_sequence<n>{});
    if (n == 1 && !is_list<Tree> && !hana_map<Tree> && !struct_node<Tree>) out.put(',');
    out.put(brackets[1]);
  }
}

// Whether a tree has leaves, which are arrays, numbers, or what has elements: nothing that is being traced.
template <class List>
inline constexpr bool have_elements = false;
template <class... Leaf>
inline constexpr bool have_elements<type_list<Leaf...>> =
    !(is_number_type<Leaf> && ...) &&
    ((is_number_type<Leaf> || std::is_same_v<Leaf, prng_key> || requires(Leaf const& x) { array_repr(x); }) && ...);
template <class Tree>
concept shown_tree = !is_leaf<Tree> && !is_empty_tree<Tree> && tree_node<Tree> && have_elements<leaves_t<Tree>>;

}  // namespace detail

// The text that Python shows of a tree of arrays. The result has view() and compares with a string_view.
template <class Tree>
constexpr detail::text_buffer tree_repr(Tree const& tree) {
  detail::text_buffer out;
  detail::show(out, tree);
  return out;
}
template <detail::stream Stream, detail::shown_tree Tree>
Stream& operator<<(Stream& out, Tree const& tree) {
  detail::text_buffer const text = tree_repr(tree);
  out.write(text.data(), text.size());
  return out;
}

}  // namespace exprax
