// SPDX-License-Identifier: BSL-1.0
// jit(f, donate_argnums<0>): f, whose named arguments are given up for the results (jax.jit's donate_argnums). Arrays are moved in, as they
// may be for any jit(f); of traced values the jit equation says which operands are donated.
#pragma once

#include <exprax/api/jit.hpp>

namespace exprax {

template <int... K>
struct donate_argnums_t {};
// The arguments of a call that are donated. Negative numbers count from the end.
template <int... K>
inline constexpr donate_argnums_t<K...> donate_argnums{};

namespace detail {

// Conditions of static_asserts: compilers print the types.
template <int N, int... K>
inline constexpr bool are_numbers_of_arguments = ((K >= -N && K < N) && ...);
template <bool Donated, class Arg>
inline constexpr bool is_given_up = !Donated || scalar<std::remove_cvref_t<Arg>> || !std::is_lvalue_reference_v<Arg>;

template <class F, int... K>
struct donating {
  [[no_unique_address]] F f;

  template <class... Args>
  constexpr auto operator()(Args&&... args) const {
    constexpr int n = static_cast<int>(sizeof...(Args));
    static_assert(are_numbers_of_arguments<n, K...>, "exprax: jit: donate_argnums names an argument that the call does not have");
    if constexpr (!are_numbers_of_arguments<n, K...>) return after_a_mistake{};
    else if constexpr (in_a_trace<Args...>) return record(args...);
    else return run_on(std::make_integer_sequence<int, n>{}, static_cast<Args&&>(args)...);
  }

 private:
  static constexpr bool donates(int k, int n) { return ((k == K || k == K + n) || ...); }

  template <class... Args>
  constexpr auto record(Args const&... args) const {
    if constexpr (check_arguments<Args...>()) {
      auto const write = [&](tape* t, arena<int> const& operands, arena<int> const& types, int block) {
        constexpr int n = static_cast<int>(sizeof...(Args)), counts[] = {leaf_count<Args>..., 0};
        arena<int> params;
        params.push(0);
        int leaf = operands.size();
        for (int k = 0; k < n; ++k) leaf -= counts[k];
        for (int k = 0; k < n; leaf += counts[k++])
          for (int i = 0; i < counts[k] && donates(k, n); ++i) params.push(leaf + i);
        int const first = t->record(prim::jit, operands, params, types, {&block, 1});
        t->rename_last(function_name<F>);
        return first;
      };
      return record_with_block(write, f, args...);
    }
  }
  template <int... I, class... Args>
  constexpr auto run_on(std::integer_sequence<int, I...>, Args&&... args) const {
    static_assert((is_given_up<donates(I, static_cast<int>(sizeof...(Args))), Args> && ...),
                  "exprax: jit: a donated argument is given up: move it in, jit(f, donate_argnums<0>)(std::move(x))");
    return jit_of<false>(f)(static_cast<Args&&>(args)...);
  }
};
template <class F, int... K>
inline constexpr std::string_view function_name<donating<F, K...>> = function_name<F>;

}  // namespace detail

template <class F, int... K>
constexpr auto jit(F f, donate_argnums_t<K...>) {
  return detail::donating<F, K...>{f};
}
template <auto const& Object, int... K>
constexpr auto jit(donate_argnums_t<K...>) {
  return detail::donating<detail::object_ref<Object>, K...>{};
}

}  // namespace exprax
