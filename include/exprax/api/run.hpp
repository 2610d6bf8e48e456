// SPDX-License-Identifier: BSL-1.0
// From arrays to arrays: the leaves of the arguments as pointers, memory for the results, and the call of the emitted code.
// Works at run time and in constant evaluation.
#pragma once

#include <cstdint>
#include <memory>

#include <exprax/api/trace.hpp>
#include <exprax/emit/execute.hpp>
#include <exprax/plan/analysis/sharing.hpp>
#include <exprax/plan/compile.hpp>

namespace exprax::detail {

// The address of an argument's elements. A C++ number is stored here, in the dtype of its literal.
template <class T>
struct elements_of_array {
  T const* at;
  EXPRAX_INLINE constexpr T const* data() const { return at; }
};
template <class T>
struct element_of_number {
  T value;
  EXPRAX_INLINE constexpr T const* data() const { return &value; }
};
// Integers whose C++ type is not the canonical one of their dtype: long long if std::int64_t is long, int where that is not std::int32_t.
// They are read and written in place, and copied in constant evaluation.
template <class T>
inline constexpr bool is_canonical = std::is_same_v<T, canonical_t<T>>;
// For the compiler the two types do not alias: this barrier orders stores before and loads after it.
template <class T>
EXPRAX_INLINE canonical_t<T>* as_canonical(T* p) {
  asm("" : "+r"(p) : : "memory");
  return reinterpret_cast<canonical_t<T>*>(p);
}
template <class T>
class elements_of_other {
 public:
  template <class U>
  EXPRAX_INLINE constexpr elements_of_other(U const* from, std::ptrdiff_t n) {
    if (std::is_constant_evaluated()) {
      copy_ = new T[static_cast<std::size_t>(n)];
      for (std::ptrdiff_t i = 0; i < n; ++i) copy_[i] = static_cast<T>(from[i]);
      at_ = copy_;
    } else {
      at_ = as_canonical(const_cast<U*>(from));
    }
  }
  EXPRAX_INLINE constexpr elements_of_other(elements_of_other&& other) noexcept : at_(other.at_), copy_(std::exchange(other.copy_, nullptr)) {}
  EXPRAX_INLINE constexpr ~elements_of_other() {
    if (std::is_constant_evaluated() && copy_) delete[] copy_;
  }
  EXPRAX_INLINE constexpr T const* data() const { return at_; }

 private:
  T const* at_ = nullptr;
  T* copy_ = nullptr;
};
template <class X>
EXPRAX_INLINE constexpr auto elements_of(X const& x) {
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
EXPRAX_INLINE constexpr auto collect(F const& f, Tree& t);
template <class F, class Tree, std::size_t... I>
EXPRAX_INLINE constexpr auto collect_children(F const& f, Tree& t, std::index_sequence<I...>) {
  return std::tuple_cat(collect(f, node<std::remove_const_t<Tree>>::template child<I>(t))...);
}
template <class F, class Tree>
EXPRAX_INLINE constexpr auto collect(F const& f, Tree& t) {
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
  EXPRAX_INLINE constexpr auto operator()(X& x) const {
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
EXPRAX_INLINE constexpr auto pointers_to(Results& results) {
  return collect([](auto& x) EXPRAX_LAMBDA_INLINE {
    using type = typename std::remove_reference_t<decltype(x)>::value_type;
    if constexpr (is_canonical<type>) return x.data();
    else return std::is_constant_evaluated() ? nullptr : as_canonical(x.data());
  }, results);
}
template <class Leaves>
inline constexpr bool has_canonical_leaves = true;
template <class... Leaf>
inline constexpr bool has_canonical_leaves<type_list<Leaf...>> = (is_canonical<typename Leaf::value_type> && ...);
template <class Traced, class Out, class... Args>
EXPRAX_INLINE constexpr void run_to(Out const& out, Args const&... args) {
  if constexpr (Traced::constant) {
    auto const in = std::tuple_cat(collect([](auto const& x) EXPRAX_LAMBDA_INLINE { return elements_of(x); }, args)...);
    auto const pointers = std::apply([](auto const&... x) EXPRAX_LAMBDA_INLINE { return std::tuple(x.data()...); }, in);
    execute<compiled<Traced>>(pointers, out);
  } else {
    static_cast<void>(Traced::storage);  // reports what cannot run at compile time, and prevents further errors
  }
}

// A function call in constant evaluation whose elements have not been read yet.
template <class Traced, class T, class... Args>
struct pending_call final : pending_elements<T> {
  std::tuple<Args...> args;
  handle recorded;

  constexpr explicit pending_call(Args const&... a) : args(a...) {}
  constexpr void compute(T* to) override {
    auto const in = collect([](auto const& x) { return elements_of(x); }, args);
    auto const pointers = std::apply([](auto const&... x) { return std::tuple(x.data()...); }, in);
    execute<compiled<Traced>>(pointers, std::tuple(to));
  }
  constexpr handle record() override {
    if (!recorded.on) {
      auto traced = lift_tree(args);
      recorded = expr_access::get(lift_tree(call_with(recorder_t<typename Traced::function>{}, traced)));
    }
    return recorded;
  }
  constexpr void destroy() override { delete this; }
};
template <class List>
inline constexpr bool own_their_elements = false;
template <class... Leaf>
inline constexpr bool own_their_elements<type_list<Leaf...>> = true;
template <class T, int... D, class... Leaf>
inline constexpr bool own_their_elements<type_list<view<T, D...>, Leaf...>> = false;
template <class First, class... Leaf>
inline constexpr bool own_their_elements<type_list<First, Leaf...>> = own_their_elements<type_list<Leaf...>>;

// Whether a call in constant evaluation is delayed until its result is read: the result is one big array, and the arguments can be kept.
template <class Result, class... Args>
inline constexpr bool may_wait = is_leaf<Result> && !std::is_trivially_copyable_v<Result> && (own_their_elements<leaves_t<Args>> && ...);

// Donation: the index of the moved-in argument whose storage is reused for the only result; -1: none. It must be an array on the heap with
// the type of the result, read only at the index of the write.
template <class Traced, class Result, class... Args>
constexpr int donor() {
  if constexpr (is_leaf<Result> && (is_leaf<std::remove_cvref_t<Args>> && ...)) {
    if constexpr (!std::is_trivially_copyable_v<Result>) {
      int k = 0, found = -1;
      ((found = found < 0 && std::is_same_v<Args, Result> && may_share<planned<compiled<Traced>>>(k, 0) ? k : found, ++k), ...);
      return found;
    }
  }
  return -1;
}

// Args: the types of forwarding references, so a moved-in array has a non-reference type here.
template <class Traced, class... Args>
constexpr to_array_t<typename Traced::result> run(std::remove_reference_t<Args>&... args) {
  using result = to_array_t<typename Traced::result>;
  if constexpr (Traced::constant && may_wait<result, std::remove_cvref_t<Args>...>) {
    using call = pending_call<Traced, typename result::value_type, std::remove_cvref_t<Args>...>;
    if (std::is_constant_evaluated()) return array_access::make<result>(new call(args...));
  }
  if constexpr (Traced::constant && (!std::is_reference_v<Args> || ...)) {
    if constexpr (constexpr int k = donor<Traced, result, Args...>(); k >= 0) {
      // The storage does not move, so the pointers to the arguments stay valid.
      auto const in = std::tuple(elements_of(args)...);
      auto const pointers = std::apply([](auto const&... x) { return std::tuple(x.data()...); }, in);
      result donated(std::move(std::get<k>(std::tie(args...))));
      execute<compiled<Traced>>(pointers, std::tuple(donated.data()));
      return donated;
    }
  }
  auto results = make_results<result>();
  run_to<Traced>(pointers_to(results), args...);
  return results;
}

// Whether results, in memory of the caller, overlap arguments in a way that changes what a kernel reads.
template <class Traced, class Results, class... Args>
bool overlaps(Results& results, Args const&... args) {
  using plan = planned<compiled<Traced>>;
  bool found = false;
  int j = 0;
  auto against = [&](auto const* out, std::ptrdiff_t out_bytes) {
    int k = 0;
    auto one = [&](auto const& leaf) {
      if constexpr (!scalar<std::remove_cvref_t<decltype(leaf)>>) {
        auto const* const first = elements_of(leaf).data();
        auto const a = reinterpret_cast<std::uintptr_t>(first), b = reinterpret_cast<std::uintptr_t>(out);
        auto const size = static_cast<std::uintptr_t>(to_expr_t<std::remove_cvref_t<decltype(leaf)>>::size());
        auto const a_end = a + size * sizeof(*first), b_end = b + static_cast<std::uintptr_t>(out_bytes);
        if (a < b_end && b < a_end && !(a == b && may_share<plan>(k, j))) found = true;
      }
      ++k;
      return 0;
    };
    (static_cast<void>(collect(one, args)), ...);
    ++j;
  };
  static_cast<void>(collect([&](auto& x) { return against(x.data(), x.size() * static_cast<std::ptrdiff_t>(sizeof(*x.data()))), 0; }, results));
  return found;
}

template <class From, class To, std::size_t... I>
constexpr void copy_leaves(From const& from, To const& to, std::index_sequence<I...>) {
  auto copy = [](auto const& source, auto* target) {
    for (std::ptrdiff_t i = 0; i < source->size(); ++i) target[i] = static_cast<std::remove_pointer_t<decltype(target)>>(source->data()[i]);
  };
  (copy(std::get<I>(from), std::get<I>(to)), ...);
}

// Results that are allocated only if needed.
template <class Results>
class results_aside {
 public:
  EXPRAX_INLINE constexpr explicit results_aside(bool needed) : needed_(needed), nothing_() {
    if (needed) std::construct_at(&made_, make_results<Results, true>());
  }
  results_aside(results_aside const&) = delete;
  results_aside& operator=(results_aside const&) = delete;
  EXPRAX_INLINE constexpr ~results_aside() {
    if (needed_) std::destroy_at(&made_);
  }
  EXPRAX_INLINE constexpr explicit operator bool() const { return needed_; }
  EXPRAX_INLINE constexpr Results& operator*() { return made_; }

 private:
  bool needed_;
  union {
    char nothing_;
    Results made_;
  };
};

// Whether a kernel could write an element of an argument before it is read, if the two overlap.
template <class Plan, int... K, int... J>
constexpr bool reads_elsewhere(std::integer_sequence<int, K...>, std::integer_sequence<int, J...>) {
  auto for_output = [](int j) { return !(may_share<Plan>(K, j) && ...); };
  return (for_output(J) || ...);
}

template <class Traced>
constexpr bool may_read_elsewhere() {
  if constexpr (Traced::constant) {
    using program = compiled<Traced>;
    return reads_elsewhere<planned<program>>(std::make_integer_sequence<int, program::ref.main().n_in>{},
                                             std::make_integer_sequence<int, program::ref.main().n_out>{});
  }
  return false;
}

// Results in the caller's memory. It may overlap the arguments; for kernels that read only at the index of the write, which are not
// checked, it may be that of an argument.
template <class Traced, class Results, class... Args>
EXPRAX_INLINE constexpr void run_into_any(Results& results, Args const&... args) {
  using made_results = to_array_t<typename Traced::result>;
  constexpr bool may_overlap = may_read_elsewhere<Traced>(), canonical = has_canonical_leaves<leaves_t<Results>>;
  auto out = pointers_to(results);
  if constexpr (canonical && !may_overlap) {
    run_to<Traced>(out, args...);
  } else {
    // A single call of the kernel for both destinations: two would double the code.
    bool needed = !canonical;
    if (!std::is_constant_evaluated()) {
      needed = false;
      if constexpr (may_overlap) needed = overlaps<Traced>(results, args...);
    }
    results_aside<made_results> aside(needed);
    if (aside) out = pointers_to(*aside);
    run_to<Traced>(out, args...);
    if (aside) {
      auto const from = collect([](auto const& x) { return &x; }, *aside);
      auto const to = collect(elements_to_write{}, results);
      copy_leaves(from, to, std::make_index_sequence<std::tuple_size_v<decltype(from)>>{});
    }
    if constexpr (!canonical)
      if (!std::is_constant_evaluated()) asm volatile("" : : : "memory");
  }
}

// The result trees of into: the same dtypes and shapes, in memory that the caller owns.
template <class Leaf>
struct aval_of_leaf {
  static constexpr aval value = Leaf::type;
};
template <class A, class B>
inline constexpr bool same_avals = false;
template <class... A, class... B>
  requires(sizeof...(A) == sizeof...(B))
inline constexpr bool same_avals<type_list<A...>, type_list<B...>> = (aval_of_leaf<A>::value.matches(aval_of_leaf<B>::value) && ...);

}  // namespace exprax::detail
