// SPDX-License-Identifier: BSL-1.0
// Reductions and orders by a function of the user (jax.lax): reduce(operands, inits, f, axis<...>) and reduce_window(operands,
// inits, f, window_dimensions<...>, ...). operands and inits are arrays and numbers, or tuples of them; f(a, b) joins two such
// values of scalars. f is associative, and the inits are its identity: neither order nor number of their uses is defined.
#pragma once

#include <exprax/api/vmap/axes.hpp>
#include <exprax/numpy/reductions/reductions.hpp>
#include <exprax/numpy/reductions/window_tags.hpp>
#include <exprax/numpy/sorting/sorting.hpp>
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
  block const& b = t->blocks.at[id];
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
  return op == prim::add ? prim::reduce_window_sum : op == prim::max ? prim::reduce_window_max : op == prim::min ? prim::reduce_window_min : prim::reduce_window;
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
  arena<int> numbers, types;
  for (int k = 0; k < (op == General ? 2 * n : n); ++k) numbers.push(in[k].id);
  Results results{};
  for_each_leaf(results, [&](auto const& x) { types.push(t->find_static_type(std::remove_cvref_t<decltype(x)>::type)); });
  if (op != General) t->has_dead_blocks = true;
  int out = t->record(op, numbers, params, types, op == General ? span<int>(&body.id, 1) : span<int>{});
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

template <class Leaf, class... Tags>
struct windowed_shape {
  static constexpr int rank = Leaf::rank;
  template <template <int...> class Tag>
  using ints = ints_of_tag<Tag, Tags...>;
  template <template <int...> class Tag>
  static constexpr bool fits = !ints<Tag>::given || ints<Tag>::count == rank;
  static constexpr bool ok = ints<window_dimensions_t>::given && fits<window_dimensions_t> && fits<window_strides_t> && fits<base_dilation_t> && fits<window_dilation_t> &&
                             (!ints<padding_t>::given || ints<padding_t>::count == 2 * rank);
  struct numbers {
    int of[6 * rank + 1] = {};
  };
  static constexpr numbers params = [] {
    numbers p;
    if (!ok) return p;
    for (int i = 0; i < rank; ++i) {
      int const size = ints<window_dimensions_t>::at(i, 1), stride = ints<window_strides_t>::at(i, 1), base = ints<base_dilation_t>::at(i, 1),
                dilation = ints<window_dilation_t>::at(i, 1);
      auto const by_rule = padding_by_rule(padding_rule_of<Tags...>::value, dilated_size(Leaf::type.dims[i], base), dilated_size(size, dilation), stride);
      int const all[] = {size, stride, ints<padding_t>::at(2 * i, by_rule.low), ints<padding_t>::at(2 * i + 1, by_rule.high), base, dilation};
      for (int k = 0; k < 6; ++k) p.of[k * rank + i] = all[k];
    }
    return p;
  }();
  static constexpr aval value = [] {
    aval out = Leaf::type;
    if (ok) window_numbers{{params.of, 6 * rank}}.infer(Leaf::type.with_type(Leaf::type.type), &out);
    return out.with_type(Leaf::type.type);
  }();
  static constexpr bool has_windows = [] {
    aval out;
    return ok && window_numbers{{params.of, 6 * rank}}.infer(Leaf::type, &out);
  }();
};
template <class... Tags>
struct windowed {
  template <class Leaf>
  struct leaf {
    using type = expr_from<windowed_shape<Leaf, Tags...>>;
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
template <class F, class... Tags>
struct reduce_window_of {
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
// f joined over each window (jax.lax.reduce_window). Tags, one number for each axis: window_dimensions<...>; window_strides<...>,
// padding<low, high, ...> or padding_valid (nothing is added), padding_same, padding_same_lower; base_dilation<...>, window_dilation<...>.
// Padding counts as the inits. Refused: what reduce refuses, and other counts of numbers than axes.
template <bool Defers = true, class Operands, class Inits, class F, class... Tags>
constexpr auto reduce_window(Operands const& operands, Inits const& inits, F const& f, Tags... tags) {
  EXPRAX_TAKES("reduce_window", "window_dimensions, window_strides, base_dilation, window_dilation, padding", Tags...) {
    using namespace detail;
    if constexpr (takes_arrays<Operands, Inits> && is_stateless<F>) {
      return jit(reduce_window_of<F, Tags...>{})(operands, inits);
    } else if constexpr (Defers && is_free<Operands, Inits> && is_stateless<F>) {
      return defer<reduce_window_of<F, Tags...>>([&] { return reduce_window<false>(operands, inits, f, tags...); }, operands, inits);
    } else {
      using tree = to_expr_t<Operands>;
      using first = first_leaf_t<tree>;
      using shape = windowed_shape<first, Tags...>;
      static_assert(are_arrays_of_one_shape<tree>, "exprax: reduce_window: the operands must have one shape");
      static_assert(leaf_count<tree> == leaf_count<to_expr_t<Inits>>, "exprax: reduce_window: there must be one init for each operand");
      static_assert(shape::ok, "exprax: reduce_window: window_dimensions, strides and dilations take one number for each axis, padding two");
      static_assert(!shape::ok || shape::has_windows, "exprax: reduce_window: sizes, strides and dilations must be positive, and padding cut off no more than there is");
      if constexpr (are_arrays_of_one_shape<tree> && leaf_count<tree> == leaf_count<to_expr_t<Inits>> && shape::has_windows) {
        using results = map_t<tree, windowed<Tags...>::template leaf>;
        return record_combination<results, prim::reduce_window>({shape::params.of, 6 * first::rank}, f, lift_tree(operands), lift_tree(inits));
      } else {
        return operands;
      }
    }
  } else {
    return operands;
  }
}

template <class F, class Axes>
template <class X, class Init>
constexpr auto detail::reduce_of<F, Axes>::operator()(X const& x, Init const& init) const {
  return reduce(x, init, F{}, Axes{});
}
template <class F, class... Tags>
template <class X, class Init>
constexpr auto detail::reduce_window_of<F, Tags...>::operator()(X const& x, Init const& init) const {
  return reduce_window(x, init, F{}, Tags{}...);
}

namespace detail {

template <prim P, int... Axes>
struct lax_reduction_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    static_assert(normal_axes<Axes...>(rank_in<X>).valid, "exprax: lax::reduce: an axis is repeated, or out of range for the array");
    return reduced<P, reduction_tags<axis_t<Axes...>>>(as_expr<strong_t<type_in<X>>>(x));
  }
};
// The comparator as a block of two scalars of each operand.
template <class Tags, class F, tracer First, tracer... More>
constexpr auto sorted_by(F const& f, First const& x, More const&... more) {
  using scalar = expr<strong_t<typename First::dtype_type>>;
  std::tuple<First, More...> const operands(x, more...);
  arena<handle> in = handles_of(operands);
  closed_block body;
  {
    block_scope scope(join_all(in));
    arena<handle> outs;
    {
      std::tuple<scalar, scalar, std::array<expr<strong_t<typename More::dtype_type>>, 2>...> pairs{};
      assign_leaves(pairs, [&](aval const& type) { return scope.input(type); });
      auto const rest = [&]<std::size_t... I>(std::index_sequence<I...>) { return std::tuple_cat(std::make_tuple(std::get<I + 2>(pairs)[0], std::get<I + 2>(pairs)[1])...); };
      auto const others = rest(std::index_sequence_for<More...>{});
      auto const before = std::apply([&](auto const&... each) { return f(std::get<0>(pairs), std::get<1>(pairs), each...); }, others);
      static_assert(std::is_same_v<std::remove_const_t<decltype(before)>, expr<bool>>,
                    "exprax: sort: the comparator must return one scalar of bool: whether its first elements come first");
      outs.push(expr_access::get(before));
    }
    body = scope.close(outs);
  }
  if (body.captures.size() > 0) the_function_of_a_reduction_reads_a_traced_value_around_it();
  tape* const t = body.on.on;
  arena<int> numbers, types;
  for (handle const& h : in) numbers.push(resolve(h).id);
  (types.push(t->find_static_type(First::type)), ..., types.push(t->find_static_type(More::type)));
  int const params[] = {normal_axis(Tags::axis, First::rank), Tags::stable, 1};
  int out = t->record(prim::sort, numbers, params, types, {&body.id, 1});
  std::tuple<First, More...> results{};
  assign_leaves(results, [&](aval const&) { return handle(t, out++); });
  return results;
}
template <class F, class Tags>
struct sort_by_op {
  template <tracer... X>
  constexpr auto operator()(X const&... x) const {
    return sorted_by<Tags>(F{}, x...);
  }
};
// A function, or an object with operator(): that name is in two bases then.
struct with_call {
  void operator()();
};
template <class F>
struct with_call_and : F, with_call {};
template <class F>
concept comparator = std::is_function_v<std::remove_pointer_t<F>> || std::is_final_v<F> || (std::is_class_v<F> && !requires { &with_call_and<F>::operator(); });

}  // namespace detail

namespace lax {

// Rows of several arrays in the order of a comparator, as StableHLO's sort: comes_first(x0, y0, x1, y1, ...) of two scalars of each operand
// is true where the x come before the y. Where neither comes first, they stay in their order. A tuple. Refused: operands of different
// shapes, an axis out of range.
template <array_like... X, detail::comparator F, class... Tags>
constexpr auto sort(std::tuple<X...> const& operands, F const& comes_first, Tags...) {
  EXPRAX_TAKES("lax::sort", "axis<k>, stable, unstable", Tags...) {
    using namespace detail;
    using order = order_tags<Tags...>;
    static_assert(are_of_one_shape<X...>, "exprax: sort: all operands must have one shape");
    static_assert((has_axis_of_rows<X, order::axis> && ...), "exprax: sort: the axis is out of range for the operands");
    if constexpr (!are_of_one_shape<X...> || !(has_axis_of_rows<X, order::axis> && ...)) return operands;
    else if constexpr ((stored<X> || ...) && is_stateless<F>)
      return std::apply([](auto const&... x) { return exprax::jit(sort_by_op<F, order>{})(x...); }, operands);
    else if constexpr (is_free<X...> && is_stateless<F>)
      return std::apply([](auto const&... x) { return created(sort_by_op<F, order>{}, x...); }, operands);
    else return std::apply([&](auto const&... x) { return sorted_by<order>(comes_first, as_traced(as_operand(x))...); }, operands);
  } else {
    return operands;
  }
}

// reduce_sum(x, axis<...>), reduce_prod, reduce_max, reduce_min, reduce_and, reduce_or, reduce_xor: the reductions of jax.lax. The axes go
// away, the dtype stays that of x. Axes that are repeated or out of range are refused.
template <array_like X, int... Axes>
constexpr auto reduce_sum(X const& x, axis_t<Axes...>) {
  return detail::apply<detail::lax_reduction_op<prim::reduce_sum, Axes...>>(x);
}
template <array_like X, int... Axes>
constexpr auto reduce_prod(X const& x, axis_t<Axes...>) {
  return detail::apply<detail::lax_reduction_op<prim::reduce_prod, Axes...>>(x);
}
template <array_like X, int... Axes>
constexpr auto reduce_max(X const& x, axis_t<Axes...>) {
  return detail::apply<detail::lax_reduction_op<prim::reduce_max, Axes...>>(x);
}
template <array_like X, int... Axes>
constexpr auto reduce_min(X const& x, axis_t<Axes...>) {
  return detail::apply<detail::lax_reduction_op<prim::reduce_min, Axes...>>(x);
}
template <array_like X, int... Axes>
constexpr auto reduce_and(X const& x, axis_t<Axes...>) {
  return detail::apply<detail::lax_reduction_op<prim::reduce_and, Axes...>>(x);
}
template <array_like X, int... Axes>
constexpr auto reduce_or(X const& x, axis_t<Axes...>) {
  return detail::apply<detail::lax_reduction_op<prim::reduce_or, Axes...>>(x);
}
template <array_like X, int... Axes>
constexpr auto reduce_xor(X const& x, axis_t<Axes...>) {
  return detail::apply<detail::lax_reduction_op<prim::reduce_xor, Axes...>>(x);
}
using exprax::reduce;
using exprax::reduce_window;
using exprax::sort_key_val;
using exprax::top_k;

}  // namespace lax

}  // namespace exprax
