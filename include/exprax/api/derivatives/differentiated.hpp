// SPDX-License-Identifier: BSL-1.0
// Calls of differentiated functions: with respect to which arguments, and their programs.
#pragma once

#include <exprax/api/jit.hpp>
#include <exprax/base/options.hpp>
#include <exprax/legalize/expand_composites.hpp>
#include <exprax/legalize/known_scatters.hpp>
#include <exprax/transforms/expand_vmap.hpp>
#include <exprax/transforms/linearize.hpp>

namespace exprax {

template <int... K>
struct argnums_t {};
// The arguments that grad, jacfwd, ... differentiate with respect to; the result is a tuple where more than one is named. Negative numbers
// count from the end.
template <int... K>
inline constexpr argnums_t<K...> argnums{};

struct has_aux_t {};
// The function returns a pair (or tuple of two): what is differentiated, and what is returned as it is.
inline constexpr has_aux_t has_aux{};

struct holomorphic_t {};
// The function is holomorphic: its arguments and its result are complex.
inline constexpr holomorphic_t holomorphic{};

struct allow_int_t {};
// Integer arguments are allowed: their gradients have dtype float0 in JAX, and are bool zeros here.
inline constexpr allow_int_t allow_int{};

namespace detail {

template <int... K>
inline constexpr option_word word_of<argnums_t<K...>>{"argnums<...>"};
template <>
inline constexpr option_word word_of<has_aux_t>{"has_aux"};
template <>
inline constexpr option_word word_of<holomorphic_t>{"holomorphic"};
template <>
inline constexpr option_word word_of<allow_int_t>{"allow_int"};

template <class... Options>
struct derivative_options {
  template <class O>
  static constexpr bool given = (std::is_same_v<O, Options> || ...);
  static constexpr bool aux = given<has_aux_t>, holomorphic = given<holomorphic_t>, allow_int = given<allow_int_t>;

  template <class List, class... O>
  struct found {
    using type = List;
  };
  template <class List, int... K, class... O>
  struct found<List, argnums_t<K...>, O...> {
    using type = argnums_t<K...>;
  };
  template <class List, class First, class... O>
  struct found<List, First, O...> : found<List, O...> {};
  using numbers = typename found<argnums_t<0>, Options...>::type;
};

// The arguments with these numbers: one as it is, several as a tuple. Of trees of types.
template <class Numbers, class... Args>
struct chosen_arguments;
template <int... K, class... Args>
struct chosen_arguments<argnums_t<K...>, Args...> {
  static constexpr int total = sizeof...(Args);
  static constexpr bool in_range = ((K >= -total && K < total) && ...);
  static constexpr int position(int k) { return k < 0 ? k + total : k; }
  static constexpr auto find() {
    if constexpr (!in_range) return std::type_identity<std::tuple<>>{};
    else if constexpr (sizeof...(K) == 1) return std::type_identity<std::tuple_element_t<position(K...), std::tuple<Args...>>>{};
    else return std::type_identity<std::tuple<std::tuple_element_t<static_cast<std::size_t>(position(K)), std::tuple<Args...>>...>>{};
  }
  using type = typename decltype(find())::type;

  // The first leaf of argument k among all leaves.
  static constexpr int first_leaf(int k) {
    int at = 0, argument = 0;
    ((at += argument++ < k ? leaf_count<Args> : 0), ...);
    return at;
  }
  // Operands in the order of the leaves of `type`.
  static constexpr arena<int> operands(int n_captures) {
    arena<int> r;
    constexpr int counts[] = {leaf_count<Args>..., 0};
    auto const push = [&](int k) {
      for (int i = 0; i < counts[k]; ++i) r.push(n_captures + first_leaf(k) + i);
    };
    (push(position(K)), ...);
    return r;
  }
};

// v, or zeros if it is no_cotangent.
constexpr int value_or_zeros(tape* t, int v, aval const& type) { return v >= 0 ? v : add_zeros(*t, type); }

// With has_aux: what is differentiated, and the rest.
template <class Result, bool Aux>
struct result_parts {
  using value = Result;
  static constexpr bool is_pair = true;
};
template <class Result>
struct result_parts<Result, true> {
  using value = Result;
  static constexpr bool is_pair = false;
};
template <class A, class B>
struct result_parts<std::tuple<A, B>, true> {
  using value = A;
  static constexpr bool is_pair = true;
};
template <class A, class B>
struct result_parts<std::pair<A, B>, true> : result_parts<std::tuple<A, B>, true> {};

// Words in error texts.
template <class Leaf>
struct gradient_of;
template <bool Ok, class Shown>
inline constexpr bool is_differentiable = Ok;
template <class Tree, bool AllowInt, bool Holomorphic>
struct check_leaves;
template <class... Leaf, bool AllowInt, bool Holomorphic>
struct check_leaves<type_list<Leaf...>, AllowInt, Holomorphic> {
  static constexpr bool fits(dtype d) {
    if (Holomorphic) return is_complex(d);
    return AllowInt || is_inexact(d);
  }
  static constexpr bool ok = (fits(Leaf::type.type) && ...);
};

// The tree of gradients: those of integers are bools.
template <class Leaf>
struct gradient_leaf;
template <class T, int... D>
struct gradient_leaf<expr<T, D...>> {
  using type = std::conditional_t<is_inexact(dtype_of<strong_t<T>>), expr<T, D...>, expr<bool, D...>>;
};

template <class Primal>
struct tangent_leaf;
template <class T, int... D>
struct tangent_leaf<expr<T, D...>> {
  using type = std::conditional_t<is_inexact(dtype_of<strong_t<T>>), expr<strong_t<T>, D...>, expr<bool, D...>>;
};
// Whether t is the type of a tangent of p; that of an integer is anything of its shape. converts: a weak t may take the dtype of p.
constexpr bool is_tangent(aval const& p, aval const& t, bool converts) {
  if (!p.same_shape(t)) return false;
  if (p.type == t.type || !is_inexact(p.type)) return true;
  return converts && t.weak && promote(promotion{p.type, false}, promotion{t.type, true}).type == p.type;
}
// Whether tangents have the tree, dtypes and shapes of the primals.
template <class Primals, class Tangents, bool Converts>
inline constexpr bool are_tangents = false;
template <class... P, class... T, bool Converts>
inline constexpr bool are_tangents<type_list<P...>, type_list<T...>, Converts> = [] {
  if constexpr (sizeof...(P) != sizeof...(T)) return false;
  else return (is_tangent(P::type, T::type, Converts) && ...);
}();

// The structure of a tree, without the types of its leaves.
template <class Leaf>
struct structure_leaf {
  using type = none_t;
};

// Words in error texts.
template <class Expected, class Given>
struct expected_and_given;
template <class Expected, class Given, bool Converts = false>
inline constexpr bool is_like =
    std::is_same_v<map_t<Expected, structure_leaf>, map_t<Given, structure_leaf>> &&
    are_tangents<leaves_t<Expected>, leaves_t<Given>, Converts>;
// The same for what a caller gives: weak values and numbers take the dtype of the primal (lift_tangents).
template <class Expected, class Given>
inline constexpr bool becomes_like = is_like<Expected, Given, true>;

struct lift_tangent {
  template <class T, int... D, class X>
  constexpr auto operator()(expr<T, D...> const&, X const& x) const {
    using tangent = strong_t<T>;
    if constexpr (is_inexact(dtype_of<tangent>) && scalar<X>) return literal<tangent>(convert_number<tangent>(x));
    else if constexpr (is_inexact(dtype_of<tangent>) && lifted_t<X>::type.type != dtype_of<tangent>) return convert_to<tangent>(lift(x));
    else return lift(x);
  }
};
// Traced values for tangents of Primals.
template <class Primals, class Tangents>
constexpr auto lift_tangents(Tangents const& tangents) {
  return map_values(lift_tangent{}, Primals{}, tangents);
}

// A call on the tape that its own has joined.
template <class Call>
constexpr Call resolved(Call call) {
  call.block = resolve_block(call.on, call.block);
  for (int& v : call.operands) v = resolve(handle(call.on.on, v)).id;
  call.on = resolve(call.on);
  return call;
}

// Whether tangents go through a function that has a rule for reverse mode alone.
constexpr bool needs_reverse_mode(program_ref p) {
  for (int i = 0; i < p.n.eqns; ++i)
    if (p.eqns[i].op == prim::custom_lin) return true;
  return false;
}

// Which operands have tangents.
constexpr arena<char> marks_of(span<int> operands, int n) {
  arena<char> marks;
  marks.resize(n, 0);
  for (int k : operands) marks[k] = 1;
  return marks;
}

// The program of a call, of equations that have derivatives.
template <class Program>
constexpr program differentiable(Program p) {
  if (has_known_scatters(p)) {
    program const updated = known_scatters(p);
    return differentiable<Program>(updated.ref());
  }
  if (has_deferred(p)) {
    program const expanded = expand_vmap(p);
    return differentiable<Program>(expanded.ref());
  }
  if (has_underivable(p)) {
    program const expanded = expand_underivable<Program>(p);
    return differentiable<Program>(expanded.ref());
  }
  return copied(p);
}
template <class Program, class Call>
constexpr program program_of(Call const& call) {
  program const body = block_alone(call.tape_of()->ref(), call.block);
  return differentiable<Program>(body.ref());
}

}  // namespace detail

}  // namespace exprax
