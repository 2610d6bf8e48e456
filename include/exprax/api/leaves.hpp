// SPDX-License-Identifier: BSL-1.0
// The leaves of arguments and results in memory: pointers to the elements of arguments, trees of arrays for results and pointers to those,
// at run time and in constant evaluation.
#pragma once

#include <exprax/program/lift_tree.hpp>
#include <exprax/types/storage.hpp>

namespace exprax::detail {

// The address of an argument's elements. A C++ number is stored here, in the dtype of its literal.
template <class T>
struct elements_of_array {
  T const* at;
  EXPRAX_ALWAYS_INLINE constexpr T const* data() const { return at; }
};
template <class T>
struct element_of_number {
  T value;
  EXPRAX_ALWAYS_INLINE constexpr T const* data() const { return &value; }
};
// Integers whose C++ type is not the canonical one of their dtype: long long if std::int64_t is long, int where that is not std::int32_t.
// They are read and written in place, and copied in constant evaluation.
template <class T>
inline constexpr bool is_canonical = std::is_same_v<T, canonical_t<T>>;
// For the compiler the two types do not alias: this barrier orders stores before and loads after it.
template <class T>
EXPRAX_ALWAYS_INLINE canonical_t<T>* as_canonical(T* p) {
  asm("" : "+r"(p) : : "memory");
  return reinterpret_cast<canonical_t<T>*>(p);
}
template <class T>
class elements_of_other {
 public:
  template <class U>
  EXPRAX_ALWAYS_INLINE constexpr elements_of_other(U const* from, std::ptrdiff_t n) {
    if (__builtin_is_constant_evaluated()) {
      copy_ = new T[static_cast<std::size_t>(n)];
      for (std::ptrdiff_t i = 0; i < n; ++i) copy_[i] = static_cast<T>(from[i]);
      at_ = copy_;
    } else {
      at_ = as_canonical(const_cast<U*>(from));
    }
  }
  EXPRAX_ALWAYS_INLINE constexpr elements_of_other(elements_of_other&& other) noexcept
      : at_(other.at_), copy_(std::exchange(other.copy_, nullptr)) {}
  EXPRAX_ALWAYS_INLINE constexpr ~elements_of_other() {
    if (__builtin_is_constant_evaluated() && copy_) delete[] copy_;
  }
  EXPRAX_ALWAYS_INLINE constexpr T const* data() const { return at_; }

 private:
  T const* at_ = nullptr;
  T* copy_ = nullptr;
};
template <class X>
EXPRAX_ALWAYS_INLINE constexpr auto elements_of(X const& x) {
  if constexpr (scalar<X>) {
    using type = strong_t<literal_t<X>>;
    return element_of_number<type>{convert_number<type>(x)};
  } else if constexpr (std::is_same_v<X, prng_key>) {
    return elements_of_array<prng_key>{&x};
  } else {
    using type = typename X::value_type;
    if constexpr (is_canonical<type>) return elements_of_array<type>{x.data()};
    else return elements_of_other<canonical_t<type>>(x.data(), x.size());
  }
}

// A tuple with f(leaf) for each leaf.
template <class F, class Tree>
EXPRAX_ALWAYS_INLINE constexpr auto collect(F const& f, Tree& t);
template <class F, class Tree, std::size_t... I>
EXPRAX_ALWAYS_INLINE constexpr auto collect_children(F const& f, Tree& t, std::index_sequence<I...>) {
  return std::tuple_cat(collect(f, node<std::remove_const_t<Tree>>::template child<I>(t))...);
}
template <class F, class Tree>
EXPRAX_ALWAYS_INLINE constexpr auto collect(F const& f, Tree& t) {
  using type = std::remove_const_t<Tree>;
  if constexpr (is_leaf<type>) return std::tuple(f(t));
  else if constexpr (is_empty_tree<type>) return std::tuple<>();
  else return collect_children(f, t, std::make_index_sequence<node<type>::size>{});
}

template <class Leaf>
struct to_array;
template <class T, int... D>
struct to_array<expr<T, D...>> {
  using type = array<strong_t<T>, D...>;
};
// The arrays for a tree of traced values.
template <class Tree>
using to_array_t = map_t<Tree, to_array>;

// The memory that the elements of a result are written to.
struct elements_to_write {
  template <class X>
  EXPRAX_ALWAYS_INLINE constexpr auto operator()(X& x) const {
    return x.data();
  }
};
template <class Pointers>
inline constexpr bool point_to_variables = false;
template <class... P>
inline constexpr bool point_to_variables<std::tuple<P...>> = (!std::is_const_v<std::remove_pointer_t<P>> && ...);
// Whether all results can be written to: no array is const, no view is one of constants.
template <class Results>
inline constexpr bool is_writable = point_to_variables<decltype(collect(elements_to_write{}, std::declval<Results&>()))>;

// A tree of arrays whose elements will be written. Small ones inside a node are initialized, because building the node moves them.
template <class Tree, bool Inside = false>
constexpr Tree make_results();
template <class Tree, std::size_t... I>
constexpr Tree make_node(std::index_sequence<I...>) {
  if constexpr (struct_node<Tree>) return Tree{make_results<child_t<Tree, I>, true>()...};
  else return node<Tree>::make(make_results<child_t<Tree, I>, true>()...);
}
template <class Tree, bool Inside>
constexpr Tree make_results() {
  if constexpr (is_leaf<Tree>) {
    if constexpr (Inside && std::is_trivially_copyable_v<Tree>) return Tree();
    else return Tree(uninitialized);
  } else if constexpr (is_empty_tree<Tree>) {
    return Tree();
  } else {
    return make_node<Tree>(std::make_index_sequence<node<Tree>::size>{});
  }
}

// The pointers of a tree of arrays, as the types that kernels write; null for other types in constant evaluation.
template <class Results>
EXPRAX_ALWAYS_INLINE constexpr auto pointers_to(Results& results) {
  return collect([](auto& x) __attribute__((always_inline)) {
    using type = typename std::remove_reference_t<decltype(x)>::value_type;
    if constexpr (is_canonical<type>) return x.data();
    else return __builtin_is_constant_evaluated() ? nullptr : as_canonical(x.data());
  }, results);
}
template <class Leaves>
inline constexpr bool has_canonical_leaves = true;
template <class... Leaf>
inline constexpr bool has_canonical_leaves<type_list<Leaf...>> = (is_canonical<typename Leaf::value_type> && ...);

}  // namespace exprax::detail
