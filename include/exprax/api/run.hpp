// SPDX-License-Identifier: BSL-1.0
// From arrays to arrays: the call of the emitted code of a traced program, with its arguments and new results.
// Works at run time and in constant evaluation.
#pragma once

#include <exprax/api/leaves.hpp>
#include <exprax/api/trace.hpp>
#include <exprax/emit/execute.hpp>
#include <exprax/plan/analysis/sharing.hpp>
#include <exprax/plan/compile.hpp>
#if EXPRAX_DISABLE_JIT
#include <exprax/api/interpreted.hpp>
#endif

namespace exprax::detail {

template <class Traced, class... In, class... Out>
EXPRAX_ALWAYS_INLINE constexpr void run_elements(std::tuple<In const*...> const& in, std::tuple<Out*...> const& out) {
#if EXPRAX_DISABLE_JIT
  execute_interpreted<Traced>(in, out);
#else
  execute<compiled<Traced>>(in, out);
#endif
}
// Whether output k may be written to the memory of input i while that is read.
template <class Traced>
constexpr bool may_share_memory([[maybe_unused]] int i, [[maybe_unused]] int k) {
#if EXPRAX_DISABLE_JIT
  return true;
#else
  return may_share<planned<compiled<Traced>>>(i, k);
#endif
}

template <class Traced, class Out, class... Args>
EXPRAX_ALWAYS_INLINE constexpr void run_to(Out const& out, Args const&... args) {
  if constexpr (Traced::constant) {
    auto const in = std::tuple_cat(collect([](auto const& x) __attribute__((always_inline)) { return elements_of(x); }, args)...);
    auto const pointers = std::apply([](auto const&... x) __attribute__((always_inline)) { return std::tuple(x.data()...); }, in);
    run_elements<Traced>(pointers, out);
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
    run_elements<Traced>(pointers, std::tuple(to));
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
      ((found = found < 0 && std::is_same_v<Args, Result> && may_share_memory<Traced>(k, 0) ? k : found, ++k), ...);
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
    if (__builtin_is_constant_evaluated()) return array_access::make<result>(new call(args...));
  }
  if constexpr (Traced::constant && (!std::is_reference_v<Args> || ...)) {
    if constexpr (constexpr int k = donor<Traced, result, Args...>(); k >= 0) {
      // The storage does not move, so the pointers to the arguments stay valid.
      auto const in = std::tuple(elements_of(args)...);
      auto const pointers = std::apply([](auto const&... x) { return std::tuple(x.data()...); }, in);
      result donated(std::move(std::get<k>(std::tie(args...))));
      run_elements<Traced>(pointers, std::tuple(donated.data()));
      return donated;
    }
  }
  auto results = make_results<result>();
  run_to<Traced>(pointers_to(results), args...);
  return results;
}

}  // namespace exprax::detail
