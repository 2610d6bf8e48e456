// SPDX-License-Identifier: BSL-1.0
// scan(f, init, xs, options...): (carry, y) = f(carry, x) for each x along the first axis of xs; returns the last carry and the stacked ys
// (jax.lax.scan). carry, xs and ys are pytrees. Options: reverse, unroll<k>, length<n>. Without xs: scan(f, init, length<n>); f is then
// called with none. f may capture traced values.
#pragma once

#include <exprax/api/control/carry.hpp>
#include <exprax/api/control/control.hpp>
#include <exprax/api/vmap/axes.hpp>
#include <exprax/base/options.hpp>

namespace exprax {

namespace detail {

// Always false: an option that is a tag is called with a value.
template <class Value>
inline constexpr bool is_no_value = false;

}  // namespace detail

struct reverse_t {
  template <class B>
  constexpr reverse_t operator()(B) const {
    static_assert(detail::is_no_value<B>, "exprax: reverse is a tag: write ex::reverse, and nothing for the other direction");
    return {};
  }
};
// From the last row to the first.
inline constexpr reverse_t reverse{};

template <auto K>
struct unroll_t {
  static_assert(std::is_same_v<decltype(K), bool const> || std::is_same_v<decltype(K), bool> || K >= 0,
                "exprax: unroll<k>: k must be a bool or a non-negative int");
  // The value in jaxprs: true is the length; 0, which means the same, stays 0.
  static constexpr int turns(int length) {
    if constexpr (std::is_same_v<std::remove_const_t<decltype(K)>, bool>) return K && length > 1 ? length : 1;
    else return static_cast<int>(K);
  }
};
// Unrolls K iterations into one; true or 0: all of them. Results are the same. A loop that is unrolled whole, K at least its length, is
// written out if that makes about 256 equations at most, and fuses with what is around it; others stay loops.
template <auto K>
inline constexpr unroll_t<K> unroll{};

template <int N>
struct length_t {};
// The number of iterations, if there are no xs.
template <int N>
inline constexpr length_t<N> length{};

namespace detail {

template <>
inline constexpr option_word word_of<reverse_t>{"reverse"};
template <auto K>
inline constexpr option_word word_of<unroll_t<K>>{"unroll<k>"};
template <int N>
inline constexpr option_word word_of<length_t<N>>{"length<n>"};

// The options of scan, in any order.
template <bool Reverse = false, class Unroll = unroll_t<1>, int Length = -1>
struct scan_options {
  static constexpr bool reverse = Reverse;
  using unroll = Unroll;
  static constexpr int length = Length;
};
template <class Now, class... Options>
struct read_scan_options {
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
// The sizes of the leading axes, as a type. Compilers print this name and the next with the static_asserts.
template <int... Size>
struct leading_sizes {};
template <class Sizes>
inline constexpr bool scanned_sizes_are_one = false;
template <>
inline constexpr bool scanned_sizes_are_one<leading_sizes<>> = true;
template <int First, int... Size>
inline constexpr bool scanned_sizes_are_one<leading_sizes<First, Size...>> = ((First == Size) && ...);
template <class Length, class Sizes>
inline constexpr bool length_agrees = true;
template <int Length, int First, int... Size>
inline constexpr bool length_agrees<length_t<Length>, leading_sizes<First, Size...>> = Length < 0 || Length == First;
template <class... Leaf>
inline constexpr bool have_a_leading_axis = ((Leaf::rank > 0) && ...);
template <class... Leaf>
inline constexpr bool have_a_leading_axis<type_list<Leaf...>> = have_a_leading_axis<Leaf...>;

template <class... Leaf>
constexpr auto sizes_of_leaves(type_list<Leaf...>) {
  if constexpr (have_a_leading_axis<Leaf...>) return leading_sizes<Leaf::type.dims[0]...>{};
  else return leading_sizes<>{};
}
// The number of iterations. Xs: a tree of exprs.
template <class Xs, class Options>
struct scan_length {
  static constexpr int of_xs = common_length(leaves_t<Xs>{});
  static constexpr int value = of_xs >= 0 ? of_xs : Options::length;
  static constexpr bool leading = have_a_leading_axis<leaves_t<Xs>>;
  using sizes = decltype(sizes_of_leaves(leaves_t<Xs>{}));
  using length = length_t<Options::length>;
  static constexpr bool ok = leading && scanned_sizes_are_one<sizes> && value >= 0 && length_agrees<length, sizes>;
};

// The result of the body, as a tuple of two trees of exprs; the carry and none if it does not return a pair.
template <class R>
inline constexpr bool is_a_pair = false;
template <tree_node R>
inline constexpr bool is_a_pair<R> = node<R>::size == 2;
template <class F, class Carry, class X>
struct scan_step {
  using returned = std::remove_cvref_t<decltype(std::declval<F const&>()(std::declval<Carry&>(), std::declval<X&>()))>;
  static constexpr bool ok = is_a_pair<returned>;
  static constexpr auto find() {
    if constexpr (ok) return std::type_identity<lifted_tree_t<returned>>{};
    else return std::type_identity<std::pair<Carry, none_t>>{};
  }
  using pair = typename decltype(find())::type;
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

// Runs the body in the block, and adds its results to outs.
template <class F, class Carry, class X>
constexpr void run_scan_body(block_scope& scope, arena<handle>& outs, F const& f, Carry carry, X x) {
  auto const input = [&](aval const& type) { return scope.input(type); };
  assign_leaves(carry, input);
  assign_leaves(x, input);
  push_handles(outs, lift_tree(f(carry, x)));
  int k = 0;
  if (was_assigned(carry, scope.inputs(), k) || was_assigned(x, scope.inputs(), k)) scope.blame({mistake::assigns_to_a_parameter});
}

struct scan_settings {
  int length = 0;
  bool reverse = false;
  int unroll = 1;
};

// Results: a tuple of the last carry and ys; start: the initial carry, with its final types; X: a row of xs.
//
// JAX's simplifications: a carry that the body returns unchanged becomes a const, an x that it returns as y is not computed.
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
  span<int> const captured(t->refs.at + b.in, body.captures.size());
  span<int> const inputs(t->refs.at + b.in + captured.count, b.n_in - captured.count), outputs(t->refs.at + b.out, b.n_out);
  arena<int> from;  // for each result, the operand that it equals, or -1
  for (int k = 0; k < outputs.count; ++k) {
    int const at = position(inputs, outputs[k]);
    bool const equals = k < n_carry ? at == k : at >= n_carry;
    from.push(equals ? operands[at].id : new_result);
  }
  arena<int> in, inner, out, types;
  auto const take = [&](int begin, int end, bool fixed) {
    for (int k = begin; k < end; ++k)
      if (k >= n_carry || (from[k] != new_result) == fixed) in.push(operands[k].id), inner.push(inputs[k]);
  };
  take(0, n_carry, true);
  for (int k = 0; k < captured.count; ++k) in.push(body.captures[k]), inner.push(captured[k]);
  int const n_consts = in.size();
  take(0, n_carry, false);
  int const n_left = in.size() - n_consts;
  take(n_carry, inputs.count, false);
  for (int k = 0; k < outputs.count; ++k) {
    if (from[k] != new_result) continue;
    out.push(outputs[k]);
    types.push(k < n_carry ? t->values.at[outputs[k]].type : t->intern(aval(t->type(outputs[k])).with_axis(0, settings.length)));
  }
  t->set_inputs(body.id, inner), t->set_outputs(body.id, out);
  int const params[] = {settings.length, n_consts, n_left, settings.reverse, settings.unroll};
  return results_of<Results>(t, from, t->record(prim::scan, in, params, types, {&body.id, 1}));
}

// What a turn reads of xs.
template <class Xs>
using row_of_t = map_t<to_expr_t<Xs>, without_axis<0>::template leaf>;

// scan as a stateless callable, for arrays.
template <class F, class... Options>
struct scan_of {
  template <class Init, class Xs>
  constexpr auto operator()(Init const& init, Xs const& xs) const;
};

}  // namespace detail

template <bool Defers = true, class F, class Init, class Xs, class... Options>
constexpr auto scan(F const& f, Init const& init, Xs const& xs, Options... given) {
  using namespace detail;
  EXPRAX_TAKES("scan", "reverse, unroll<k>, length<n>", Options...) {
    using options = typename read_scan_options<scan_options<>, Options...>::type;
    if constexpr (check_arguments<Init, Xs>()) {
      using rows = scan_length<to_expr_t<Xs>, options>;
      static_assert(have_a_leading_axis<leaves_t<to_expr_t<Xs>>>,
                    "exprax: scan got a value with no leading axis to scan over: xs must have rank 1 or more");
      static_assert(scanned_sizes_are_one<typename rows::sizes>,
                    "exprax: scan got values with different leading axis sizes: this message names them");
      static_assert(!rows::leading || rows::value >= 0,
                    "exprax: scan got no values to scan over and `length` not provided: give xs with at least one array, or ex::length<n>");
      static_assert(length_agrees<typename rows::length, typename rows::sizes>,
                    "exprax: scan got a length<n> that disagrees with the leading axis sizes of xs: this message names both");
      if constexpr (!rows::ok) {
        return tuple(init, none);  // after the error: avoids further ones
      } else if constexpr (!can_be_called<F, to_expr_t<Init>, row_of_t<Xs>>) {
        static_assert(
            can_be_called<F, to_expr_t<Init>, row_of_t<Xs>>,
            "exprax: scan: f cannot be called with (carry, x): it takes two arguments, whose types this message names: write both "
            "as auto");
        return tuple(lift_tree(init), none);
      } else {
        using x = row_of_t<Xs>;
        constexpr bool pair = scan_step<F, to_expr_t<Init>, x>::ok;
        static_assert(pair, "exprax: scan body function must return a pair (carry, y): ex::tuple(carry, y)");
        using carry = fixed_carry<to_expr_t<Init>, scan_body<F, x>::template step>;
        using start = typename carry::type;
        static_assert(carry_keeps_its_structure<start, typename carry::first>,
                      "exprax: scan body function carry input and carry output must have the same pytree structure, but they differ: this "
                      "message names both");
        static_assert(
            carry_keeps_its_type<typename carry::at, typename carry::before, typename carry::after>,
            "exprax: scan body function carry input and carry output must have equal types, but they differ: this message names the "
            "component, its type before and its type after. Revise the body so that dtype and shape stay, or start with the type that it "
            "returns");
        if constexpr (!pair || !carry::ok) {
          return tuple(lift_tree(init), none);
        } else if constexpr (takes_arrays<Init, Xs> && is_stateless<F>) {
          return jit(scan_of<F, Options...>{})(init, xs);
        } else if constexpr (Defers && is_free<Init, Xs> && is_stateless<F>) {
          return defer<scan_of<F, Options...>>([&] { return scan<false>(f, init, xs, given...); }, init, xs);
        } else {
          using results =
              std::tuple<typename carry::last, map_t<typename scan_step<F, start, x>::ys, with_length<rows::value>::template leaf>>;
          return record_scan<results, x>({rows::value, options::reverse, options::unroll::turns(rows::value)}, f,
                                         start_from<start>(lift_tree(init)), lift_tree(xs));
        }
      }
    }
  } else {
    return tuple(init, none);
  }
}
template <class F, class Init, int N, class... Options>
constexpr auto scan(F const& f, Init const& init, length_t<N> n, Options... options) {
  return scan(f, init, none, n, options...);
}

template <class F, class... Options>
template <class Init, class Xs>
constexpr auto detail::scan_of<F, Options...>::operator()(Init const& init, Xs const& xs) const {
  return scan(F{}, init, xs, Options{}...);
}

}  // namespace exprax
