// SPDX-License-Identifier: BSL-1.0
// recorder<F>: what stands for a callable while it is traced. Callables that run on arrays and record on traced values, such as
// vmap(f), cannot tell which of them a call without any arguments asks for; a trace asks for the second.
#pragma once

namespace exprax::detail {

template <class F>
struct recorder {
  using type = F;
  static constexpr F const& of(F const& f) { return f; }
};
template <class F>
using recorder_t = typename recorder<F>::type;

}  // namespace exprax::detail
