// SPDX-License-Identifier: BSL-1.0
// scan(f, init, xs, options...): (carry, y) = f(carry, x) for each x along the first axis of xs; the last carry and the stacked
// ys (jax.lax.scan). carry, xs and ys are pytrees. Options: reverse, unroll<k>, length<n>. Without xs: scan(f, init, length<n>);
// f is then called with none. f may capture traced values.
#pragma once

#include <exprax/api/axes.hpp>
#include <exprax/api/carry.hpp>
#include <exprax/api/control.hpp>

namespace exprax {

struct reverse_t {};
// From the last row to the first.
inline constexpr reverse_t reverse{};

template <auto K>
struct unroll_t {
  static_assert(std::is_same_v<decltype(K), bool const> || std::is_same_v<decltype(K), bool> || K >= 0,
                "exprax: unroll<k>: k must be a bool or a non-negative int");
  // In jaxprs: true is the length; 0, which means the same, stays 0.
  static constexpr int turns(int length) {
    if constexpr (std::is_same_v<std::remove_const_t<decltype(K)>, bool>) return K && length > 1 ? length : 1;
    else return static_cast<int>(K);
  }
};
// K turns in one; true or 0: all of them.
template <auto K>
inline constexpr unroll_t<K> unroll{};

template <int N>
struct length_t {};
// The number of turns, where no xs tell it.
template <int N>
inline constexpr length_t<N> length{};

namespace detail {

// The options of scan, in any order.
template <bool Reverse = false, class Unroll = unroll_t<1>, int Length = -1>
struct scan_options {
  static constexpr bool reverse = Reverse;
  using unroll = Unroll;
  static constexpr int length = Length;
};
template <class Now, class... Options>
struct read_scan_options {
  static_assert(sizeof...(Options) == 0, "exprax: scan: the options are ex::reverse, ex::unroll<k> and ex::length<n>");
  using type = Now;
};
template <bool R, class U, int L, class... Rest>
struct read_scan_options<scan_options<R, U, L>, reverse_t, Rest...> : read_scan_options<scan_options<true, U, L>, Rest...> {};
template <bool R, class U, int L, auto K, class... Rest>
struct read_scan_options<scan_options<R, U, L>, unroll_t<K>, Rest...> : read_scan_options<scan_options<R, unroll_t<K>, L>, Rest...> {};
template <bool R, class U, int L, int N, class... Rest>
struct read_scan_options<scan_options<R, U, L>, length_t<N>, Rest...> : read_scan_options<scan_options<R, U, N>, Rest...> {
  static_assert(N >= 0, "exprax: scan: length<n> must not be negative");
};

template <class... Leaf>
constexpr int common_length(type_list<Leaf...>) {
  int n = -1;
  ((n = n < 0 && Leaf::rank > 0 ? Leaf::type.dims[0] : n), ...);
  return n;
}
// Their arguments are printed with the static_asserts.
template <class... Leaf>
inline constexpr bool have_a_leading_axis = ((Leaf::rank > 0) && ...);
template <bool Same, class... Leaf>
inline constexpr bool have_one_length = Same;
template <int Length, int Sizes>
inline constexpr bool length_agrees = Length == Sizes;

// The number of turns. Xs: a tree of exprs.
template <class Xs, class Options>
struct scan_length {
  static constexpr int of_xs = common_length(leaves_t<Xs>{});
  static constexpr int value = of_xs >= 0 ? of_xs : Options::length;

  template <class... Leaf>
  static constexpr bool check(type_list<Leaf...>) {
    constexpr bool leading = have_a_leading_axis<Leaf...>;
    static_assert(have_a_leading_axis<Leaf...>, "exprax: scan got a value with no leading axis to scan over: xs must have rank 1 or more");
    constexpr bool same = ((Leaf::rank == 0 || Leaf::type.dims[0] == of_xs) && ...);
    static_assert(have_one_length<same, Leaf...>, "exprax: scan got values with different leading axis sizes");
    static_assert(value >= 0, "exprax: scan got no values to scan over and `length` not provided: give xs with at least one array, or ex::length<n>");
    static_assert(Options::length < 0 || of_xs < 0 || length_agrees<Options::length, of_xs>,
                  "exprax: scan got a length<n> that disagrees with the leading axis sizes of xs");
    return leading && same && value >= 0 && (Options::length < 0 || value == Options::length);
  }
  static constexpr bool ok = check(leaves_t<Xs>{});
};

// What the body returns, as a tuple of two trees of exprs.
template <class F, class Carry, class X>
struct scan_step {
  using returned = std::remove_cvref_t<decltype(std::declval<F const&>()(std::declval<Carry&>(), std::declval<X&>()))>;
  template <class R>
  static constexpr bool check() {
    static_assert(tree_node<R>, "exprax: scan body function must return a pair (carry, y): ex::tuple(carry, y)");
    if constexpr (tree_node<R>) {
      static_assert(node<R>::size == 2, "exprax: scan body function must return a pair (carry, y): ex::tuple(carry, y)");
      return node<R>::size == 2;
    } else {
      return false;
    }
  }
  template <bool Pair>
  static constexpr auto find() {
    if constexpr (Pair) return std::type_identity<lifted_tree_t<returned>>{};
    else return std::type_identity<std::pair<Carry, none_t>>{};
  }
  static constexpr bool ok = check<returned>();
  using pair = typename decltype(find<ok>())::type;
  using type = child_t<pair, 0>;
  using ys = child_t<pair, 1>;
};
template <class F, class X>
struct scan_body {
  template <class Carry>
  using step = scan_step<F, Carry, X>;
};

template <int Length>
struct with_length {
  template <class Leaf>
  using leaf = typename with_axis<0, Length>::template leaf<Leaf>;
};

// Runs the body in the block, and gives its results to outs.
template <class F, class Carry, class X>
constexpr void run_scan_body(block_scope& scope, arena<handle>& outs, F const& f, Carry carry, X x) {
  auto const input = [&](aval const& type) { return scope.input(type); };
  assign_leaves(carry, input);
  assign_leaves(x, input);
  push_handles(outs, lift_tree(f(carry, x)));
}

struct scan_settings {
  int length = 0;
  bool reverse = false;
  int unroll = 1;
};

// Results: a tuple of the last carry and ys; start: the first carry, of the types that it keeps; X: a row of xs.
//
// The clean-up of JAX: a carry that the body returns as it is becomes a const, an x that it returns as y is not computed.
template <class Results, class X, class F, class Start, class Xs>
constexpr Results record_scan(scan_settings const& settings, F const& f, Start const& start, Xs const& xs) {
  constexpr int n_carry = leaf_count<Start>;
  arena<handle> operands = handles_of(start);
  push_handles(operands, xs);
  closed_block body;
  {
    block_scope scope(join_all(operands));
    arena<handle> outs;
    run_scan_body(scope, outs, f, Start{}, X{});
    body = scope.close(outs);
  }
  tape* const t = body.on.on;
  for (handle& h : operands) h = resolve(h);

  block const b = t->blocks.at[body.id];
  span<int> const captured(t->links.at + b.in, body.captures.size());
  span<int> const inputs(t->links.at + b.in + captured.count, b.n_in - captured.count), outputs(t->links.at + b.out, b.n_out);
  arena<int> from;  // for each result the operand that it is, or -1
  for (int k = 0; k < outputs.count; ++k) {
    int at = position(inputs, outputs[k]);
    if (k < n_carry ? at != k : at < n_carry) at = -1;
    from.push(at >= 0 ? operands[at].id : -1);
  }
  arena<int> in, inner, out, types;
  auto const take = [&](int begin, int end, bool fixed) {
    for (int k = begin; k < end; ++k)
      if (k >= n_carry || (from[k] >= 0) == fixed) in.push(operands[k].id), inner.push(inputs[k]);
  };
  take(0, n_carry, true);
  for (int k = 0; k < captured.count; ++k) in.push(body.captures[k]), inner.push(captured[k]);
  int const n_consts = in.size();
  take(0, n_carry, false);
  int const n_left = in.size() - n_consts;
  take(n_carry, inputs.count, false);
  for (int k = 0; k < outputs.count; ++k) {
    if (from[k] >= 0) continue;
    out.push(outputs[k]);
    types.push(k < n_carry ? t->values.at[outputs[k]].type : t->find_type(aval(t->type(outputs[k])).with_axis(0, settings.length)));
  }
  set_links(t, body.id, inner, out);
  int const params[] = {settings.length, n_consts, n_left, settings.reverse, settings.unroll};
  return results_of<Results>(t, from, t->record(prim::scan, in, params, types, {&body.id, 1}));
}

template <class Options, class F, class Init, class Xs>
constexpr auto trace_scan(F const& f, Init const& init, Xs const& xs) {
  constexpr int length = scan_length<Xs, Options>::value;
  using x = map_t<Xs, without_axis<0>::template leaf>;
  using carry = fixed_carry<loop::scan, Init, scan_body<F, x>::template step>;
  if constexpr (!carry::ok) {
    return std::tuple(init, none);  // after the error: nothing that leads to others
  } else {
    using start = typename carry::type;
    using results = std::tuple<typename carry::last, map_t<typename scan_step<F, start, x>::ys, with_length<length>::template leaf>>;
    return record_scan<results, x>({length, Options::reverse, Options::unroll::turns(length)}, f, start_from<start>(init), xs);
  }
}

// scan as a stateless callable, for arrays.
template <class F, class Options>
struct scan_of {
  template <class Init, class Xs>
  constexpr auto operator()(Init const& init, Xs const& xs) const {
    return trace_scan<Options>(F{}, init, xs);
  }
};

}  // namespace detail

template <class F, class Init, class Xs, class... Options>
constexpr auto scan(F const& f, Init const& init, Xs const& xs, Options...) {
  using options = typename detail::read_scan_options<detail::scan_options<>, Options...>::type;
  if constexpr (detail::check_arguments<Init, Xs>()) {
    if constexpr (detail::scan_length<detail::to_expr_t<Xs>, options>::ok) {
      if constexpr (detail::takes_arrays<Init, Xs> && detail::is_stateless<F>) return jit(detail::scan_of<F, options>{})(init, xs);
      else return detail::trace_scan<options>(f, detail::lift_tree(init), detail::lift_tree(xs));
    } else {
      return std::tuple(init, none);
    }
  }
}
template <class F, class Init, int N, class... Options>
constexpr auto scan(F const& f, Init const& init, length_t<N> n, Options... options) {
  return scan(f, init, none, n, options...);
}

}  // namespace exprax
