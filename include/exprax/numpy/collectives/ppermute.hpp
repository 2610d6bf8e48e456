// SPDX-License-Identifier: BSL-1.0
// ppermute, pshuffle (jax.lax): the values along a named axis of vmap in another order, which is known while tracing.
#pragma once

#include <exprax/numpy/collectives/psum.hpp>

namespace exprax {

namespace detail {

template <class E>
constexpr void blame_unless(bool right, E const& x) {
  if (!right) resolve(expr_access::get(x)).on->blame({mistake::not_a_permutation, 0, 0});
}

template <fixed_string Name>
struct permute_over {
  span<int> sources;
  bool right;
  template <class X>
  constexpr auto operator()(X const& value) const {
    auto const x = lift(value);
    arena<int> own;
    own.push(sources.size());
    for (int s : sources) own.push(s);
    arena<int> const params = with_axis_names<Name>(own);
    auto const r = over_axes(detail::bind<std::remove_const_t<decltype(x)>>(prim::ppermute, params, x));
    blame_unless(right, r);
    return r;
  }
};
// Each of 0, ..., n - 1 once.
constexpr bool is_permutation(span<int> p) {
  for (int i = 0; i < p.size(); ++i)
    if (!contains(p.data(), p.size(), i)) return false;
  return true;
}

}  // namespace detail

// Index `to` gets the value of index `from`, for each pair (from, to): ppermute(x, name, {{0, 1}, {1, 2}, {2, 0}}). Shape and dtype of x.
// Refused: pairs that are not a permutation of all indices 0 to N - 1 (jax.lax.ppermute).
inline constexpr struct ppermute_function : detail::takes_no_text {
  using takes_no_text::operator();
  template <class X, detail::fixed_string Name, int N>
  constexpr auto operator()(X const& x, axis_name_t<Name>, int const (&pairs)[N][2]) const {
    int sources[N], targets[N];
    for (int i = 0; i < N; ++i) {
      targets[i] = pairs[i][1];
      sources[i] = 0;
    }
    bool right = detail::is_permutation(targets);
    for (int i = 0; i < N && right; ++i) sources[pairs[i][1]] = pairs[i][0];
    right = right && detail::is_permutation(sources);
    return detail::map_values(detail::permute_over<Name>{sources, right}, x);
  }
} ppermute{};
// Index i gets the value of index perm[i]. Shape and dtype of x. Refused: a perm that is not a permutation (jax.lax.pshuffle).
inline constexpr struct pshuffle_function : detail::takes_no_text {
  using takes_no_text::operator();
  template <class X, detail::fixed_string Name, int N>
  constexpr auto operator()(X const& x, axis_name_t<Name>, int const (&perm)[N]) const {
    return detail::map_values(detail::permute_over<Name>{perm, detail::is_permutation(perm)}, x);
  }
} pshuffle{};

}  // namespace exprax
