// SPDX-License-Identifier: BSL-1.0
// checkpoint(f), remat(f): f, whose intermediate values a derivative computes again instead of storing them (jax.checkpoint).
#pragma once

#include <exprax/api/jit.hpp>
#include <exprax/base/options.hpp>
#include <exprax/primitives/control/checkpoint.hpp>

namespace exprax {

// What checkpoint stores nevertheless (jax.checkpoint_policies).
namespace checkpoint_policies {

inline constexpr checkpoint_policy nothing_saveable = checkpoint_policy::nothing_saveable,
                                   everything_saveable = checkpoint_policy::everything_saveable,
                                   dots_saveable = checkpoint_policy::dots_saveable, checkpoint_dots = dots_saveable,
                                   dots_with_no_batch_dims_saveable = checkpoint_policy::dots_with_no_batch_dims_saveable,
                                   checkpoint_dots_with_no_batch_dims = dots_with_no_batch_dims_saveable;

}  // namespace checkpoint_policies

template <checkpoint_policy P>
struct policy_t {};
// What a checkpoint stores: a member of ex::checkpoint_policies.
template <checkpoint_policy P>
inline constexpr policy_t<P> policy{};

template <bool B>
struct prevent_cse_t {};
// false: equal equations of the first and the second computation may be joined. In the body of a loop they are apart anyway.
template <bool B>
inline constexpr prevent_cse_t<B> prevent_cse{};

namespace detail {

template <checkpoint_policy P>
inline constexpr option_word word_of<policy_t<P>>{"policy<p>"};
template <bool B>
inline constexpr option_word word_of<prevent_cse_t<B>>{"prevent_cse<b>"};

template <class... Options>
struct checkpoint_options {
  static constexpr checkpoint_policy policy = checkpoint_policy::none;
  static constexpr bool prevent_cse = true;
};
template <checkpoint_policy P, class... Rest>
struct checkpoint_options<policy_t<P>, Rest...> : checkpoint_options<Rest...> {
  static constexpr checkpoint_policy policy = P;
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
      if constexpr (Records || in_a_trace<Args...> || !is_stateless<F>) return record(args...);
      else if constexpr (is_free<Args...> && holds_deferred<Args...>) return defer<checkpointed>([&] { return record(args...); }, args...);
      else return jit(*this)(args...);
    }
  }
  template <class... Args>
  constexpr auto record(Args const&... args) const {
    auto const write = [](tape* t, arena<int> const& operands, arena<int> const& types, int block) {
      int const parameters[] = {0, static_cast<int>(Options::policy), Options::prevent_cse};
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

}  // namespace exprax
