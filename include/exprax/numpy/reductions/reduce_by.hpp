// SPDX-License-Identifier: BSL-1.0
// Reductions by a function of the user (jax.lax): reduce(operands, inits, f, axis<...>). operands and inits are arrays and ids, or
// tuples of them; f(a, b) joins two such values of scalars. f is associative, and the inits are its identity: neither order nor number of
// their uses is defined.
#pragma once

#include <exprax/api/vmap/axes.hpp>
#include <exprax/numpy/reductions/reductions.hpp>
#include <exprax/primitives/infer.hpp>

namespace exprax {

namespace detail {

template <class First, class... More>
constexpr std::type_identity<First> first_of(type_list<First, More...>) {
  return {};
}
template <class Tree>
using first_leaf_t = typename decltype(first_of(leaves_t<Tree>{}))::type;

// Not constexpr: the name is the message.
inline void the_function_of_a_reduction_reads_a_traced_value_around_it() {}

// A leaf as a scalar, and with another shape.
template <class Leaf>
struct scalar_leaf;
template <class T, int... D>
struct scalar_leaf<expr<T, D...>> {
  using type = expr<strong_t<T>>;
};
struct cast_to_scalar_of {
  template <class X, class Like>
  constexpr auto operator()(X const& x, Like const&) const {
    return as_expr<strong_t<typename Like::dtype_type>>(x);
  }
};

// f as a block of scalars, twice those of the tree.
template <class Scalars, class F>
constexpr closed_block combining_block(handle const& anchor, F const& f) {
  block_scope scope(anchor);
  arena<handle> outs;
  {
    Scalars a{}, b{};
    auto const input = [&](aval const& type) { return scope.input(type); };
    assign_leaves(a, input);
    assign_leaves(b, input);
    push_handles(outs, map_values(cast_to_scalar_of{}, lift_tree(f(a, b)), Scalars{}));
  }
  closed_block r = scope.close(outs);
  if (r.captures.size() > 0) the_function_of_a_reduction_reads_a_traced_value_around_it();
  return r;
}

// The operation of two scalars that a block is, in any order of its inputs; fma, which no block is, where it is none.
constexpr prim operation_of(tape const* t, int id) {
  auto const& b = t->blocks.at[id];
  if (b.n_in != 2 || b.n_out != 1 || b.n_eqn != 1) return prim::fma;
  eqn const& e = t->eqns.at[b.eqn];
  if (e.n_in != 2 || t->refs.at[b.out] != e.out) return prim::fma;
  int const x = t->refs.at[b.in], y = t->refs.at[b.in + 1], i = t->refs.at[e.in], j = t->refs.at[e.in + 1];
  return (i == x && j == y) || (i == y && j == x) ? e.op : prim::fma;
}
// Whether a start is the literal that changes nothing.
template <class T>
constexpr bool is_identity(prim op, std::uint64_t bits) {
  if constexpr (is_complex(dtype_of<T>) || is_half(dtype_of<T>)) {
    return op == prim::add && bits == 0;
  } else {
    switch (op) {
      case prim::add: case prim::or_: case prim::xor_: case prim::mul: case prim::and_: case prim::max: case prim::min:
        return from_bits<T>(bits) == reduction_identity<T>(op);
      default: return false;
    }
  }
}
constexpr prim reduction_by(prim op, dtype t) {
  bool const words = is_bool(t) || is_integer(t);
  switch (op) {
    case prim::add: return is_bool(t) ? prim::reduce : prim::reduce_sum;
    case prim::mul: return is_bool(t) || is_complex(t) ? prim::reduce : prim::reduce_prod;
    case prim::max: return is_bool(t) ? prim::reduce : prim::reduce_max;
    case prim::min: return is_bool(t) ? prim::reduce : prim::reduce_min;
    case prim::and_: return words ? prim::reduce_and : prim::reduce;
    case prim::or_: return words ? prim::reduce_or : prim::reduce;
    case prim::xor_: return words ? prim::reduce_xor : prim::reduce;
    default: return prim::reduce;
  }
}
constexpr prim window_reduction_by(prim op, dtype t) {
  if (is_bool(t)) return prim::reduce_window;
  return op == prim::add   ? prim::reduce_window_sum
         : op == prim::max ? prim::reduce_window_max
         : op == prim::min ? prim::reduce_window_min
                           : prim::reduce_window;
}

// Records a reduction of a tree of operands; a known operation on one operand with its identity is the reduction by that.
template <class Results, prim General, class F, class Operands, class Inits>
constexpr Results record_combination(span<int> params, F const& f, Operands const& operands, Inits const& inits) {
  using scalars = map_t<Operands, scalar_leaf>;
  constexpr int n = leaf_count<Operands>;
  auto const starts = map_values(cast_to_scalar_of{}, inits, operands);
  arena<handle> in = handles_of(operands);
  push_handles(in, starts);
  closed_block body = combining_block<scalars>(join_all(in), f);
  for (handle& h : in) h = resolve(h);
  tape* const t = body.on.on;
  prim op = General;
  if constexpr (n == 1) {
    using T = strong_t<typename first_leaf_t<Operands>::dtype_type>;
    prim const joined = operation_of(t, body.id);
    bool const literal = t->is_literal(in[1].id);
    if (literal && is_identity<T>(joined, t->constants.at[t->values.at[in[1].id].constant]))
      op = General == prim::reduce ? reduction_by(joined, dtype_of<T>) : window_reduction_by(joined, dtype_of<T>);
  }
  arena<int> ids, types;
  for (int k = 0; k < (op == General ? 2 * n : n); ++k) ids.push(in[k].id);
  Results results{};
  for_each_leaf(results, [&](auto const& x) { types.push(t->find_static_type(std::remove_cvref_t<decltype(x)>::type)); });
  if (op != General) t->has_dead_blocks = true;
  int out = t->record(op, ids, params, types, op == General ? span<int>(&body.id, 1) : span<int>{});
  assign_leaves(results, [&](aval const&) { return handle(t, out++); });
  return results;
}

template <class... Tags>
struct reduce_tags;
template <int... Axes>
struct reduce_tags<axis_t<Axes...>> {
  template <class Leaf>
  struct shape {
    static constexpr axis_set axes = sorted(normal_axes<Axes...>(Leaf::rank));
    static constexpr param_list params = list_of(axes);
    static constexpr aval value = [] {
      aval a(Leaf::type.type);
      for (int i = 0; i < Leaf::rank; ++i)
        if (!axes.has(i)) a.dims[a.rank++] = Leaf::type.dims[i];
      return a;
    }();
  };
  template <class Leaf>
  struct leaf {
    using type = expr_from<shape<Leaf>>;
  };
};

// The leaves have one shape.
template <class First, class... More>
constexpr bool leaves_agree(type_list<First, More...>) {
  return (First::type.same_shape(More::type) && ...);
}
template <class Tree>
inline constexpr bool are_arrays_of_one_shape = leaves_agree(leaves_t<Tree>{});
// The same as stateless callables, for arrays.
template <class F, class Axes>
struct reduce_of {
  template <class X, class Init>
  constexpr auto operator()(X const& x, Init const& init) const;
};

}  // namespace detail

// reduce(operands, inits, f, axis<...>): f joined over the elements along these axes (jax.lax.reduce), which go away; the dtypes of the
// operands. A single operand with the identity of +, *, maximum, minimum, & or | is reduce_sum, ... Refused: operands of different shapes,
// another number of inits, an axis that is repeated or out of range.
template <bool Defers = true, class Operands, class Inits, class F, int... Axes>
constexpr auto reduce(Operands const& operands, Inits const& inits, F const& f, axis_t<Axes...> axes) {
  using namespace detail;
  if constexpr (takes_arrays<Operands, Inits> && is_stateless<F>) {
    return jit(reduce_of<F, axis_t<Axes...>>{})(operands, inits);
  } else if constexpr (Defers && is_free<Operands, Inits> && is_stateless<F>) {
    return defer<reduce_of<F, axis_t<Axes...>>>([&] { return reduce<false>(operands, inits, f, axes); }, operands, inits);
  } else {
    using tree = to_expr_t<Operands>;
    using tags = reduce_tags<axis_t<Axes...>>;
    using first = first_leaf_t<tree>;
    constexpr bool axes_ok = normal_axes<Axes...>(first::rank).valid;
    static_assert(are_arrays_of_one_shape<tree>, "exprax: reduce: the operands must have one shape");
    static_assert(leaf_count<tree> == leaf_count<to_expr_t<Inits>>, "exprax: reduce: there must be one init for each operand");
    static_assert(axes_ok, "exprax: reduce: an axis is repeated, or out of range for the operands");
    if constexpr (are_arrays_of_one_shape<tree> && leaf_count<tree> == leaf_count<to_expr_t<Inits>> && axes_ok) {
      using results = map_t<tree, tags::template leaf>;
      return record_combination<results, prim::reduce>(tags::template shape<first>::params, f, lift_tree(operands), lift_tree(inits));
    } else {
      return operands;  // after the error: nothing that leads to others
    }
  }
}

template <class F, class Axes>
template <class X, class Init>
constexpr auto detail::reduce_of<F, Axes>::operator()(X const& x, Init const& init) const {
  return reduce(x, init, F{}, Axes{});
}

}  // namespace exprax
