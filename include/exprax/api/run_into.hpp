// SPDX-License-Identifier: BSL-1.0
// Results in the caller's memory (into): directly, or aside and copied where that memory overlaps arguments that are read elsewhere.
#pragma once

#include <cstdint>
#include <memory>

#include <exprax/api/run.hpp>

namespace exprax::detail {

// The bytes of an array or view.
struct byte_range {
  std::uintptr_t first, last;
};
struct memory_of {
  template <class Leaf>
  auto operator()(Leaf const& leaf) const {
    if constexpr (scalar<Leaf>) {
      return none;
    } else {
      auto const* const elements = elements_of(leaf).data();
      auto const first = reinterpret_cast<std::uintptr_t>(elements);
      return byte_range{first, first + static_cast<std::uintptr_t>(to_expr_t<Leaf>::size()) * sizeof(*elements)};
    }
  }
};

// Whether results, in memory of the caller, overlap arguments in a way that changes what a kernel reads. Compilers visit the leaves of a
// tree in any order; in a tuple they have numbers.
template <class Traced, class Results, class... Args>
bool overlaps(Results& results, Args const&... args) {
  auto const from = std::tuple_cat(collect(memory_of{}, args)...);
  auto const to = collect(memory_of{}, results);
  bool found = false;
  int j = 0;
  auto against = [&](byte_range out) {
    int k = 0;
    auto one = [&](auto in) {
      if constexpr (std::is_same_v<decltype(in), byte_range>)
        if (in.first < out.last && out.first < in.last && !(in.first == out.first && may_share_memory<Traced>(k, j))) found = true;
      ++k;
    };
    std::apply([&](auto... in) { (one(in), ...); }, from);
    ++j;
  };
  std::apply([&](auto... out) { (against(out), ...); }, to);
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
  EXPRAX_ALWAYS_INLINE constexpr explicit results_aside(bool needed) : needed_(needed), nothing_() {
    if (needed) std::construct_at(&made_, make_results<Results, true>());
  }
  results_aside(results_aside const&) = delete;
  results_aside& operator=(results_aside const&) = delete;
  EXPRAX_ALWAYS_INLINE constexpr ~results_aside() {
    if (needed_) std::destroy_at(&made_);
  }
  EXPRAX_ALWAYS_INLINE constexpr explicit operator bool() const { return needed_; }
  EXPRAX_ALWAYS_INLINE constexpr Results& operator*() { return made_; }

 private:
  bool needed_;
  union {
    char nothing_;
    Results made_;
  };
};

// Whether a kernel could write an element of an argument before it is read, if the two overlap.
template <class Traced>
constexpr bool may_read_elsewhere() {
  if constexpr (Traced::constant) {
    constexpr program_ref p = Traced::recorded;
    for (int i = 0; i < p.main().n_in; ++i)
      for (int k = 0; k < p.main().n_out; ++k)
        if (!may_share_memory<Traced>(i, k)) return true;
  }
  return false;
}

// Results in the caller's memory. It may overlap the arguments; for kernels that read only at the index of the write, which are not
// checked, it may be that of an argument.
template <class Traced, class Results, class... Args>
EXPRAX_ALWAYS_INLINE constexpr void run_into_any(Results& results, Args const&... args) {
  using made_results = to_array_t<typename Traced::result>;
  constexpr bool may_overlap = may_read_elsewhere<Traced>(), canonical = has_canonical_leaves<leaves_t<Results>>;
  auto out = pointers_to(results);
  if constexpr (canonical && !may_overlap) {
    run_to<Traced>(out, args...);
  } else {
    // A single call of the kernel for both destinations: two would double the code.
    bool needed = !canonical;
    if (!__builtin_is_constant_evaluated()) {
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
      if (!__builtin_is_constant_evaluated()) asm volatile("" : : : "memory");
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
