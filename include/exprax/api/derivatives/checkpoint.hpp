// SPDX-License-Identifier: BSL-1.0
// checkpoint(f), remat(f): f, whose intermediate values a derivative computes again instead of storing them (jax.checkpoint).
// checkpoint_name(x, name): x, which a policy of a checkpoint can name.
#pragma once

#include <exprax/api/jit.hpp>
#include <exprax/base/fixed_string.hpp>
#include <exprax/base/options.hpp>
#include <exprax/primitives/control/checkpoint.hpp>

namespace exprax {

namespace detail {

// Policies append their parameters (primitives/control/checkpoint.hpp).
template <checkpoint_policy P, fixed_string... Names>
struct one_policy {
  static constexpr void append_to(arena<int>& par) {
    par.push(static_cast<int>(P)), par.push(static_cast<int>(sizeof...(Names)));
    [[maybe_unused]] auto const push = [&](name_hash h) { par.push(h.words[0]), par.push(h.words[1]); };
    (push(name_hash(Names.view())), ...);
  }
};
template <auto... P>
struct any_of_policies {
  static constexpr void append_to(arena<int>& par) { (P.append_to(par), ...); }
};

}  // namespace detail

// What checkpoint stores nevertheless (jax.checkpoint_policies).
namespace checkpoint_policies {

inline constexpr detail::one_policy<checkpoint_policy::nothing_saveable> nothing_saveable{};
inline constexpr detail::one_policy<checkpoint_policy::everything_saveable> everything_saveable{};
inline constexpr detail::one_policy<checkpoint_policy::dots_saveable> dots_saveable{}, checkpoint_dots{};
inline constexpr detail::one_policy<checkpoint_policy::dots_with_no_batch_dims_saveable> dots_with_no_batch_dims_saveable{},
    checkpoint_dots_with_no_batch_dims{};
// Of what checkpoint_name has named: these; all but these.
template <detail::fixed_string... Names>
inline constexpr detail::one_policy<checkpoint_policy::save_only_these_names, Names...> save_only_these_names{};
template <detail::fixed_string... Names>
inline constexpr detail::one_policy<checkpoint_policy::save_any_names_but_these, Names...> save_any_names_but_these{};
// Everything, named or not, but these.
template <detail::fixed_string... Names>
inline constexpr detail::one_policy<checkpoint_policy::save_anything_except_these_names, Names...> save_anything_except_these_names{};
// What one of these policies stores.
template <auto... Policies>
inline constexpr detail::any_of_policies<Policies...> save_from_both_policies{};

}  // namespace checkpoint_policies

template <auto P>
struct policy_t {};
// What a checkpoint stores: a member of ex::checkpoint_policies.
template <auto P>
inline constexpr policy_t<P> policy{};

template <bool B>
struct prevent_cse_t {};
// false: equal equations of the first and the second computation may be joined. In the body of a loop they are apart anyway.
template <bool B>
inline constexpr prevent_cse_t<B> prevent_cse{};

namespace detail {

template <auto P>
inline constexpr option_word word_of<policy_t<P>>{"policy<p>"};
template <bool B>
inline constexpr option_word word_of<prevent_cse_t<B>>{"prevent_cse<b>"};

template <class... Options>
struct checkpoint_options {
  static constexpr any_of_policies<> policy{};
  static constexpr bool prevent_cse = true;
};
template <auto P, class... Rest>
struct checkpoint_options<policy_t<P>, Rest...> : checkpoint_options<Rest...> {
  static constexpr auto policy = P;
};
template <bool B, class... Rest>
struct checkpoint_options<prevent_cse_t<B>, Rest...> : checkpoint_options<Rest...> {
  static constexpr bool prevent_cse = B;
};

template <class F, class Options, bool Records = false>
struct checkpointed {
  [[no_unique_address]] F f;

  template <class... Args>
  constexpr auto operator()(Args const&... args) const {
    if constexpr (check_arguments<Args...>()) {
      if constexpr (!can_be_called<F, to_expr_t<Args>...>) {
        static_assert(can_be_called<F, to_expr_t<Args>...>, EXPRAX_ARGUMENTS("checkpoint: the function", "these arguments"));
        return after_an_error<Args...>();
      } else if constexpr (Records || in_a_trace<Args...> || !is_stateless<F>) return record(args...);
      else if constexpr (is_free<Args...> && holds_deferred<Args...>) return defer<checkpointed>([&] { return record(args...); }, args...);
      else return jit(*this)(args...);
    }
  }
  template <class... Args>
  constexpr auto record(Args const&... args) const {
    auto const write = [](tape* t, arena<int> const& operands, arena<int> const& types, int block) {
      arena<int> parameters;
      parameters.push(0), parameters.push(Options::prevent_cse);
      Options::policy.append_to(parameters);
      return t->record(prim::checkpoint, operands, parameters, types, {&block, 1});
    };
    return record_with_block(write, recorder<F>::of(f), args...);
  }
};
template <class F, class Options>
struct recorder<checkpointed<F, Options>> {
  using type = checkpointed<F, Options, true>;
  static constexpr type of(checkpointed<F, Options> const& f) { return {f.f}; }
};
template <class F, class Options, bool Records>
inline constexpr std::string_view function_name<checkpointed<F, Options, Records>> = function_name<F>;
template <class F, class Options, bool Records, class... Args>
inline constexpr bool can_be_called<checkpointed<F, Options, Records>, Args...> = can_be_called<F, Args...>;

// A traced value, recorded under a name; other leaves as they are.
struct named_leaf {
  char const* name;

  template <class Leaf>
  constexpr Leaf operator()(Leaf const& x) const {
    if constexpr (!is_plain_expr<Leaf>) {
      return x;
    } else {
      handle const h = resolve(expr_access::get(x));
      tape* const t = h.on;
      int const type = t->values.at[h.id].type, v = t->record(prim::name, {&h.id, 1}, {0}, {&type, 1});
      t->rename_last(name);
      Leaf r{};
      assign_leaves(r, [&](aval const&) { return handle(t, v); });
      return r;
    }
  }
};

}  // namespace detail

// f. Its derivative keeps the arguments of a call, and computes what else it reads of the call again: less memory for more time. Options:
// policy<p>, what is kept nevertheless; prevent_cse<false>, the second computation may be joined with the first (jax.checkpoint).
template <class F, class... Options>
constexpr auto checkpoint(F f, Options...) {
  EXPRAX_TAKES("checkpoint", "policy<p>, prevent_cse<b>", Options...)
    return detail::checkpointed<F, detail::checkpoint_options<Options...>>{f};
  else return detail::checkpointed<F, detail::checkpoint_options<>>{f};
}
// checkpoint, by its other name (jax.remat).
template <class F, class... Options>
constexpr auto remat(F f, Options...) {
  EXPRAX_TAKES("remat", "policy<p>, prevent_cse<b>", Options...)
    return detail::checkpointed<F, detail::checkpoint_options<Options...>>{f};
  else return detail::checkpointed<F, detail::checkpoint_options<>>{f};
}

// x, a traced value or a tree of them, under a name that policies of a checkpoint around it refer to; what is not traced is x itself. name:
// a string literal (jax.ad_checkpoint.checkpoint_name).
template <class X>
constexpr auto checkpoint_name(X const& x, char const* name) {
  return detail::map_values(detail::named_leaf{name}, x);
}

}  // namespace exprax
