// SPDX-License-Identifier: BSL-1.0
// recorder<F>: replaces a callable while it is traced. Callables that run on arrays and record on traced values, such as vmap(f), cannot
// tell which of these a call without arguments means; in a trace it is recording.
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
