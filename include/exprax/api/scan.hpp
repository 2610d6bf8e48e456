// SPDX-License-Identifier: BSL-1.0
// scan(f, init, xs, options...): (carry, y) = f(carry, x) for each x along the first axis of xs; the last carry and the stacked
// ys (jax.lax.scan). carry, xs and ys are pytrees. Options: reverse, unroll<k>, length<n>. Without xs: scan(f, init, length<n>);
// f is then called with none. f may capture traced values.
#pragma once

#include <exprax/api/axes.hpp>
#include <exprax/api/carry.hpp>
#include <exprax/api/jit.hpp>

namespace exprax {

struct reverse_t {};
// From the last row to the first.
inline constexpr reverse_t reverse{};

template <int K>
struct unroll_t {};
// K turns in one.
template <int K>
inline constexpr unroll_t<K> unroll{};

template <int N>
struct length_t {};
// The number of turns, where no xs tell it.
template <int N>
inline constexpr length_t<N> length{};

namespace detail {

template <class Option>
struct scan_option;
template <>
struct scan_option<reverse_t> {
  static constexpr bool reverse = true;
  static constexpr int unroll = 0, length = -1;
};
template <int K>
struct scan_option<unroll_t<K>> {
  static constexpr bool reverse = false;
  static constexpr int unroll = K, length = -1;
};
template <int N>
struct scan_option<length_t<N>> {
  static_assert(N >= 0, "exprax: scan: length<n> must not be negative");
  static constexpr bool reverse = false;
  static constexpr int unroll = 0, length = N;
};

template <class... Options>
struct scan_options {
  static constexpr bool reverse = (false || ... || scan_option<Options>::reverse);
  static constexpr int unroll = (0 + ... + scan_option<Options>::unroll) > 0 ? (0 + ... + scan_option<Options>::unroll) : 1;
  static constexpr int length = (-1 + ... + (scan_option<Options>::length + 1));
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
    static_assert(value >= 0, "exprax: scan expects xs with at least one array, or ex::length<n>");
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

// The clean-up of JAX: a carry that the body returns as it is becomes a const, an x that it returns as y is not computed.
// from: for each output the number of the operand that it is, or -1.
struct scan_forwards {
  arena<int> from;
  constexpr bool operator[](int k) const { return from[k] >= 0; }
};
constexpr scan_forwards find_forwards(arena<handle> const& inputs, arena<handle> const& outs, int n_carry) {
  scan_forwards r;
  for (int k = 0; k < outs.size(); ++k) {
    int from = -1;
    for (int i = k < n_carry ? k : n_carry; i < (k < n_carry ? k + 1 : inputs.size()); ++i)
      if (outs[k].id == inputs[i].id) from = i;
    r.from.push(from);
  }
  return r;
}

// Reorders the inputs of the block into consts, carry, xs and removes outputs that are forwarded.
constexpr void clean_up(tape* t, int id, int n_captures, int n_carry, scan_forwards const& forwarded) {
  block& b = t->blocks.at[id];
  arena<int> in, out;
  int const* const first = t->links.at + b.in + n_captures;
  for (int k = 0; k < n_carry; ++k)
    if (forwarded[k]) in.push(first[k]);
  for (int k = 0; k < n_captures; ++k) in.push(t->links.at[b.in + k]);
  for (int k = 0; k < n_carry; ++k)
    if (!forwarded[k]) in.push(first[k]);
  for (int k = n_carry; k < b.n_in - n_captures; ++k) in.push(first[k]);
  for (int k = 0; k < b.n_out; ++k)
    if (!forwarded[k]) out.push(t->links.at[b.out + k]);
  copy_run(t->links.at + b.in, in.data(), in.size());
  copy_run(t->links.at + b.out, out.data(), out.size());
  b.n_out = out.size();
}

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

template <class Options, class F, class Init, class Xs>
constexpr auto record_scan(F const& f, Init const& init, Xs const& xs) {
  constexpr int length = scan_length<Xs, Options>::value;
  using x = map_t<Xs, without_axis<0>::template leaf>;
  using carry = fixed_carry<Init, scan_body<F, x>::template step>;
  if constexpr (!carry::ok) {
    return std::tuple(init, none);  // after the error: nothing that leads to others
  } else {
    using start = typename carry::type;
    constexpr int n_carry = leaf_count<start>;
    arena<handle> operands = handles_of(map_values(start_like{}, init, start{}));
    push_handles(operands, xs);
    block_scope scope(join_all(operands));
    arena<handle> outs;
    run_scan_body(scope, outs, f, start{}, x{});
    closed_block const b = scope.close(outs);
    tape* const t = b.on.on;
    for (handle& h : operands) h = resolve(h);

    scan_forwards const forwarded = find_forwards(scope.inputs(), outs, n_carry);
    clean_up(t, b.id, b.captures.size(), n_carry, forwarded);
    arena<int> in, types;
    for (int k = 0; k < n_carry; ++k)
      if (forwarded[k]) in.push(operands[k].id);
    for (int v : b.captures) in.push(v);
    int const n_consts = in.size();
    for (int k = 0; k < n_carry; ++k)
      if (!forwarded[k]) in.push(operands[k].id);
    int const n_left = in.size() - n_consts;
    for (int k = n_carry; k < operands.size(); ++k) in.push(operands[k].id);
    for (int k = 0; k < outs.size(); ++k) {
      if (forwarded[k]) continue;
      aval const type = t->type(outs[k].id);
      types.push(k < n_carry ? t->values.at[outs[k].id].type : t->find_type(type.with_axis(0, length)));
    }
    int const params[] = {length, n_consts, n_left, Options::reverse, Options::unroll};
    int out = t->record(prim::scan, in, params, types, {&b.id, 1});

    std::tuple<typename carry::last, map_t<typename scan_step<F, start, x>::ys, with_length<length>::template leaf>> results{};
    int k = 0;
    assign_leaves(results, [&](aval const&) {
      int const from = forwarded.from[k++];
      if (from >= 0) return operands[from];
      return handle(t, out++);
    });
    return results;
  }
}

// scan as a stateless callable, for arrays.
template <class F, class... Options>
struct scan_of {
  template <class Init, class Xs>
  constexpr auto operator()(Init const& init, Xs const& xs) const {
    return record_scan<scan_options<Options...>>(F{}, init, xs);
  }
};

template <class List>
inline constexpr bool any_stored = false;
template <class... Leaf>
inline constexpr bool any_stored<type_list<Leaf...>> = (false || ... || (!is_expr<Leaf> && !scalar<Leaf>));

}  // namespace detail

template <class F, class Init, class Xs, class... Options>
constexpr auto scan(F const& f, Init const& init, Xs const& xs, Options...) {
  using options = detail::scan_options<Options...>;
  if constexpr (detail::check_arguments<Init, Xs>()) {
    if constexpr (detail::scan_length<detail::to_expr_t<Xs>, options>::ok) {
      constexpr bool arrays = detail::any_stored<detail::leaves_t<Init>> || detail::any_stored<detail::leaves_t<Xs>>;
      if constexpr (arrays && !detail::in_a_trace<Init, Xs> && detail::is_stateless<F>) return jit(detail::scan_of<F, Options...>{})(init, xs);
      else return detail::record_scan<options>(f, detail::lift_tree(init), detail::lift_tree(xs));
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
