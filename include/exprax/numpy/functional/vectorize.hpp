// SPDX-License-Identifier: BSL-1.0
// vectorize (jax.numpy.vectorize): a function of arrays with few axes as one of arrays with more, over which it is mapped.
#pragma once

#include <exprax/api/vmap/vmap.hpp>
#include <exprax/numpy/functional/core_signature.hpp>
#include <exprax/numpy/shape/shaping.hpp>

namespace exprax {

template <int... Positions>
struct excluded_t {};
// vectorize: positions of arguments that go to the function as they are.
template <int... Positions>
inline constexpr excluded_t<Positions...> excluded{};

namespace detail {

// The leading axes of the arguments, over which the function is mapped: broadcast against each other from the last one on.
struct loop_shapes {
  int n = 0;                                // arguments
  int rank = 0;                             // of all together
  int ranks[max_core_arguments] = {};       // of each, before broadcasting
  int of[max_core_arguments][max_rank] = {};  // sizes with leading ones, from the front
  bool given[max_core_arguments] = {};      // not excluded
  bool broadcast = true;                    // whether they do

  constexpr int size(int arg, int axis) const { return given[arg] ? of[arg][axis] : 1; }
  // Whether the argument has the axis, with more than one element.
  constexpr bool maps(int arg, int axis) const { return size(arg, axis) != 1; }
  constexpr bool any_maps(int axis) const {
    for (int k = 0; k < n; ++k)
      if (maps(k, axis)) return true;
    return false;
  }
};

struct excluded_argument {};
// The type of an argument while tracing; a scalar for what is no array.
template <class Arg>
struct core_type {
  using type = expr<float>;
};
template <class Arg>
  requires(is_leaf<Arg>)
struct core_type<Arg> {
  using type = to_expr_t<Arg>;
};

// Arg: the types of the arguments, excluded_argument for those.
template <fixed_string Signature, class... Arg>
struct core_call {
  static constexpr int n = static_cast<int>(sizeof...(Arg));
  static constexpr int n_arrays = (0 + ... + !std::is_same_v<Arg, excluded_argument>);
  static constexpr core_signature signature = signature_for(Signature.view(), n_arrays);
  static constexpr bool counts_agree = signature.valid && signature.n_in == n_arrays && n <= max_core_arguments;
  static constexpr aval types[n + 1] = {core_type<Arg>::type::type...};
  static constexpr bool given[n + 1] = {!std::is_same_v<Arg, excluded_argument>...};
  static constexpr int no_array = [] {
    bool const array[] = {(is_leaf<Arg> || std::is_same_v<Arg, excluded_argument>)..., true};
    for (int k = 0; k < n; ++k)
      if (!array[k]) return k;
    return -1;
  }();

  // The sizes of the core dimensions.
  struct sizes {
    static constexpr core_sizes value = [] {
      core_sizes s;
      for (int k = 0, at = 0; k < n && counts_agree; ++k)
        if (given[k]) s.add(signature.in[at++], types[k], k, true);
      return s;
    }();
  };
  static constexpr loop_shapes loops = [] {
    loop_shapes l;
    if (!counts_agree || sizes::value.what != core_fault::none) return l;
    l.n = n;
    for (int k = 0, at = 0; k < n; ++k) {
      l.given[k] = given[k];
      if (!given[k]) continue;
      l.ranks[k] = types[k].rank - signature.in[at++].n;
      if (l.ranks[k] > l.rank) l.rank = l.ranks[k];
    }
    for (int axis = 0; axis < l.rank; ++axis) {
      int common = 1;
      for (int k = 0; k < n; ++k) {
        int const own = axis - (l.rank - l.ranks[k]);
        l.of[k][axis] = given[k] && own >= 0 ? types[k].dims[own] : 1;
        if (l.of[k][axis] == 1) continue;
        if (common != 1 && common != l.of[k][axis]) l.broadcast = false;
        common = l.of[k][axis];
      }
    }
    return l;
  }();

  using traced_types = type_list<typename core_type<Arg>::type...>;
  template <int K>
  static constexpr auto no_array_type() {
    return std::type_identity<not_an_array<argument<K>, typename type_at<K, type_list<Arg...>>::type>>{};
  }
  static constexpr auto find() {
    if constexpr (!signature.valid) return std::type_identity<not_a_signature<Signature>>{};
    else if constexpr (!counts_agree) return std::type_identity<another_number_of<arguments<signature.n_in>, arguments<n_arrays>>>{};
    else if constexpr (no_array >= 0) return no_array_type<no_array>();
    else if constexpr (sizes::value.what != core_fault::none) return core_fault_type<Signature, sizes, argument, traced_types>();
    else if constexpr (!loops.broadcast) return std::type_identity<loops_differ<typename core_type<Arg>::type...>>{};
    else return std::type_identity<fits>{};
  }
  using verdict = typename decltype(find())::type;

  // The same for what the function returns.
  template <class... Leaf>
  struct results {
    static constexpr core_sizes value = [] {
      core_sizes s = sizes::value;
      aval const shapes[] = {Leaf::type..., aval()};
      for (int k = 0; k < signature.n_out && k < static_cast<int>(sizeof...(Leaf)); ++k) s.add(signature.out[k], shapes[k], k, false);
      return s;
    }();
  };
  template <class... Leaf>
  static constexpr auto find_in_results(type_list<Leaf...>) {
    if constexpr (signature.takes_any_results) return std::type_identity<fits>{};
    else if constexpr (signature.n_out != sizeof...(Leaf))
      return std::type_identity<another_number_of<arguments<signature.n_out>, arguments<sizeof...(Leaf)>>>{};
    else if constexpr (results<Leaf...>::value.what != core_fault::none)
      return core_fault_type<Signature, results<Leaf...>, result, type_list<Leaf...>>();
    else return std::type_identity<fits>{};
  }
};

// The function on core arrays, with a look at the shapes of what it returns.
template <class Call, class F>
struct core_function {
  [[no_unique_address]] F f;

  template <class... X>
  constexpr auto operator()(X const&... x) const {
    auto const returned = lift_tree(f(x...));
    using verdict = typename decltype(Call::find_in_results(leaves_t<std::remove_const_t<decltype(returned)>>{}))::type;
    static_assert(has_the_number_of<verdict>,
                  "exprax: vectorize: wrong number of output arguments: the signature expects another number of results");
    static_assert(has_its_core_dimensions<verdict>,
                  "exprax: vectorize: output shape does not match core dimensions (this message shows the result, its type, and the number "
                  "of its core dimensions)");
    static_assert(
        has_one_core_size<verdict>,
        "exprax: vectorize: inconsistent size for core dimension (this message shows its name, the result, its type, and both sizes)");
    return returned;
  }
};

// in_axes of the map over one axis.
template <class Call, int Axis, class Indices>
struct loop_in_axes;
template <class Call, int Axis, int... K>
struct loop_in_axes<Call, Axis, std::integer_sequence<int, K...>> {
  template <int Arg>
  static constexpr auto entry() {
    if constexpr (Call::loops.maps(Arg, Axis)) return 0;
    else return none;
  }
  using type = in_axes_t<entry<K>()...>;
};
// f mapped over the axes from the last one to this one. Axes that no argument has are left to the end.
template <class Call, int Axis, class F>
constexpr auto map_from(F const& f) {
  if constexpr (Axis < 0) {
    return f;
  } else if constexpr (Call::loops.any_maps(Axis)) {
    using options = vmap_options<typename loop_in_axes<Call, Axis, std::make_integer_sequence<int, Call::n>>::type>;
    return map_from<Call, Axis - 1>(vmapped<F, options>{f});
  } else {
    return map_from<Call, Axis - 1>(f);
  }
}

// The axes of 1 among the leading ones of argument K, and those that no argument has.
template <class Call, int K>
struct ones_before_core {
  static constexpr axis_set value = [] {
    axis_set s;
    for (int i = 0; i < Call::loops.ranks[K]; ++i)
      if (Call::types[K].dims[i] == 1) s.of[s.n++] = i;
    return s;
  }();
};
template <class Call, int... Axis>
constexpr auto axes_of_one(std::integer_sequence<int, Axis...>) {
  return type_list<std::conditional_t<Call::loops.any_maps(Axis), excluded_t<>, excluded_t<Axis>>...>{};
}
template <int... Axes>
struct expand_leaf {
  template <class X>
  constexpr auto operator()(X const& x) const {
    return expanded<Axes...>(x);
  }
};
template <class... Lists>
struct join_axes;
template <int... A>
struct join_axes<excluded_t<A...>> {
  using leaf = expand_leaf<A...>;
};
template <int... A, int... B, class... Rest>
struct join_axes<excluded_t<A...>, excluded_t<B...>, Rest...> : join_axes<excluded_t<A..., B...>, Rest...> {};

template <class Call, int K, class X>
constexpr auto core_argument(X const& x) {
  if constexpr (!Call::given[K]) return lift_tree(x);
  else return squeezed<ones_before_core<Call, K>>(lift(x));
}
template <class Call, class F, class... X, int... K>
constexpr auto record_vectorized(F const& f, std::integer_sequence<int, K...>, X const&... x) {
  auto const mapped = map_from<Call, Call::loops.rank - 1>(core_function<Call, F>{f});
  auto const results = mapped(core_argument<Call, K>(x)...);
  using added = decltype(axes_of_one<Call>(std::make_integer_sequence<int, Call::loops.rank>{}));
  return [&]<class... A>(type_list<A...>) { return map_values(typename join_axes<excluded_t<>, A...>::leaf{}, results); }(added{});
}

template <class F, fixed_string Signature, int... Excluded>
struct vectorized {
  static_assert(((Excluded >= 0) && ...), "exprax: vectorize: excluded contains negative numbers");
  [[no_unique_address]] F f;

  template <class Indices, class... Arg>
  struct call_with;
  template <int... K, class... Arg>
  struct call_with<std::integer_sequence<int, K...>, Arg...> {
    template <int I, class A>
    using kept = std::conditional_t<((Excluded == I) || ...), excluded_argument, A>;
    using type = core_call<Signature, kept<K, Arg>...>;
  };
  template <class... Arg>
  using call_for = typename call_with<std::make_integer_sequence<int, static_cast<int>(sizeof...(Arg))>, Arg...>::type;

  template <class... Arg>
  constexpr auto operator()(Arg const&... args) const {
    if constexpr (check_arguments<Arg...>()) {
      using verdict = typename call_for<Arg...>::verdict;
      static_assert(is_signature<verdict>,
                    "exprax: vectorize: not a valid gufunc signature: write it as \"(m,n),(n)->(m)\", without spaces");
      static_assert(has_the_number_of<verdict>,
                    "exprax: vectorize: wrong number of positional arguments: the signature expects another number of arrays");
      static_assert(has_arrays<verdict>,
                    "exprax: vectorize: an argument is no array: exclude it, ex::excluded<k>, or map over it with ex::vmap");
      static_assert(has_its_core_dimensions<verdict>,
                    "exprax: vectorize: input does not have enough dimensions for all core dimensions (this message shows the argument, "
                    "its type, and their number)");
      static_assert(
          has_one_core_size<verdict>,
          "exprax: vectorize: inconsistent size for core dimension (this message shows its name, the argument, its type, and both sizes)");
      static_assert(has_loops_that_broadcast<verdict>,
                    "exprax: vectorize: the dimensions before the core dimensions do not broadcast: this message shows the arguments");
      if constexpr (!std::is_same_v<verdict, fits>) return none;  // after the error: nothing that leads to others
      else if constexpr (in_a_trace<Arg...> || !is_stateless<F>) return record(args...);
      else if constexpr (is_free<Arg...> && holds_deferred<Arg...>) return defer<vectorized>([&] { return record(args...); }, args...);
      else return jit(*this)(args...);
    }
  }
  template <class... Arg>
  constexpr auto record(Arg const&... args) const {
    return record_vectorized<call_for<Arg...>>(f, std::make_integer_sequence<int, static_cast<int>(sizeof...(Arg))>{}, args...);
  }
};
template <class F, fixed_string Signature, int... Excluded>
inline constexpr std::string_view function_name<vectorized<F, Signature, Excluded...>> = function_name<F>;

}  // namespace detail

// vectorize<"(m,n),(n)->(m)">(f): f takes arrays whose axes the signature names (NumPy's generalised ufuncs), the result takes arrays with
// more axes before these, broadcasts them against each other, and calls f for each element of them, all at once (vmap). [L..., m, n],
// [L'..., n] -> [broadcast(L, L')..., m]; the dtype of f. excluded<k...>: arguments that go to f as they are, any pytrees. Refused: a text
// that is no signature, arguments or results that do not fit it (jax.numpy.vectorize).
template <detail::fixed_string Signature, class F, int... Excluded>
constexpr auto vectorize(F f, excluded_t<Excluded...> = {}) {
  return detail::vectorized<F, Signature, Excluded...>{f};
}
// Without a signature f takes scalars, and returns anything.
template <class F, int... Excluded>
constexpr auto vectorize(F f, excluded_t<Excluded...> = {}) {
  return detail::vectorized<F, "", Excluded...>{f};
}

}  // namespace exprax
