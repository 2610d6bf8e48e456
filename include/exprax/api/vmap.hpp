// SPDX-License-Identifier: BSL-1.0
// vmap(f, in_axes<...>, out_axes<...>): f on each slice along an axis, all at once (jax.vmap). f: array<T, D...> → array<U, E...>
// becomes array<T, B, D...> → array<U, B, E...>. On traced values a vmap equation is recorded; on arrays it runs as
// jit(vmap(f)). A callable with captures may be mapped inside of a traced function, at once.
#pragma once

#include <exprax/api/axes.hpp>
#include <exprax/api/jit.hpp>
#include <exprax/api/splice.hpp>
#include <exprax/transforms/batch.hpp>

namespace exprax {

namespace detail {

// Words in error texts: which argument has which type, and the axis that is mapped, with its size.
template <int>
struct argument;
template <int>
struct at_axis;
template <int>
struct of_size;
template <class Which, class Type, class Axis, class Size>
struct mapped_leaf;
template <class... Leaf>
inline constexpr bool mapped_axes_have_one_size = false;
template <int Given, class... Leaf>
inline constexpr bool axis_size_is = false;
template <class Entries, class Arguments>
inline constexpr bool one_entry_for_each = false;
template <int>
struct arguments;

// The batched call of f with arguments of these types (trees of exprs).
template <class In, int Size, class... Args>
struct vmap_call;
template <auto... A, int Size, class... Args>
struct vmap_call<in_axes_t<A...>, Size, Args...> {
  static constexpr int leaf_total = (0 + ... + leaf_count<Args>);
  using leaves = typename concat<type_list<>, leaves_t<Args>...>::type;

  static constexpr axis_list<leaf_total> in_dims = [] {
    axis_list<leaf_total> r;
    (leaf_axes<Args, A>::push(r, 0), ...);
    return r;
  }();
  // For each leaf the argument that it is in, and the size of its mapped axis, or -1.
  static constexpr axis_list<leaf_total> owners = [] {
    axis_list<leaf_total> r;
    int k = 0;
    auto const next = [&](int n) {
      while (n-- > 0) r.of[r.n++] = k;
      ++k;
    };
    (next(leaf_count<Args>), ...);
    return r;
  }();
  template <class... Leaf>
  static constexpr axis_list<leaf_total> sizes_of(type_list<Leaf...>) {
    axis_list<leaf_total> r;
    ((r.of[r.n] = in_dims.of[r.n] < 0 ? -1 : Leaf::extent(in_dims.of[r.n]), ++r.n), ...);
    return r;
  }
  static constexpr axis_list<leaf_total> sizes = sizes_of(leaves{});
  static constexpr int size = [] {
    if (Size >= 0) return Size;
    for (int k = 0; k < leaf_total; ++k)
      if (sizes.of[k] >= 0) return sizes.of[k];
    return -1;
  }();
  static constexpr bool differs(int k) { return sizes.of[k] >= 0 && sizes.of[k] != size; }
  static constexpr bool same = [] {
    for (int k = 0; k < leaf_total; ++k)
      if (differs(k)) return false;
    return true;
  }();

  // The mapped leaves, for the error text.
  template <class Leaves, int... K>
  struct listed;
  template <class... Leaf, int... K>
  struct listed<type_list<Leaf...>, K...> {
    using type = typename concat<type_list<>, std::conditional_t<(sizes.of[K] < 0), type_list<>,
                                                                 type_list<mapped_leaf<argument<owners.of[K]>, Leaf, at_axis<in_dims.of[K]>, of_size<sizes.of[K]>>>>...>::type;
  };
  template <class... Leaf>
  static constexpr bool complain(type_list<Leaf...>) {
    if constexpr (Size < 0) {
      static_assert(mapped_axes_have_one_size<Leaf...>,
                    "exprax: vmap got inconsistent sizes for array axes to be mapped: this message lists each argument, its type, the axis, and its size");
    } else {
      static_assert(axis_size_is<Size, Leaf...>,
                    "exprax: vmap got inconsistent sizes for array axes to be mapped: the ex::axis_size that was given differs from those that this message lists");
    }
    return false;
  }
  template <int... K>
  static constexpr bool complain_of_sizes(std::integer_sequence<int, K...>) {
    return complain(typename listed<leaves, K...>::type{});
  }
  static constexpr bool check() {
    static_assert(size >= 0, "exprax: vmap must have at least one non-None value in in_axes, or axis_size must be specified: ex::axis_size<n>");
    if constexpr (!same) return complain_of_sizes(std::make_integer_sequence<int, leaf_total>{});
    return same && size >= 0;
  }
};
template <class Call, class In, class... Args>
struct slices_of;
template <class Call, auto... A, class... Args>
struct slices_of<Call, in_axes_t<A...>, Args...> {
  using type = std::tuple<typename change_axes<Args, A, without_axis>::type...>;
};

// Whether in_axes fits the arguments; true, or a readable error.
template <class... Args, auto... A>
constexpr bool check_in_axes(in_axes_t<A...>) {
  if constexpr (sizeof...(A) != sizeof...(Args)) {
    static_assert(one_entry_for_each<entries<sizeof...(A)>, arguments<sizeof...(Args)>>,
                  "exprax: vmap in_axes must be an int, ex::none, or entries corresponding to the positional arguments passed to the function: one for all, "
                  "or as many as there are arguments");
    return false;
  } else {
    return (check_axes<in_axes_of_vmap, Args, A>() && ...);
  }
}

// out_axes as one spec of the result. Several entries are those of the elements of a tuple.
template <class Out>
struct out_spec;
template <auto A>
struct out_spec<out_axes_t<A>> {
  static constexpr auto value = A;
};
template <auto A, auto B, auto... C>
struct out_spec<out_axes_t<A, B, C...>> {
  static constexpr axes_t<A, B, C...> value{};
};

template <int N>
struct with_axis_of {
  template <int A>
  using at = with_axis<A, N>;
};

// The name of the axis as ints.
template <class Name>
constexpr arena<int> axis_key() {
  arena<int> key;
  if constexpr (!std::is_same_v<Name, axis_name_t<>>) [&]<fixed_string... N>(axis_name_t<N...>) { (push_axis_name(key, N.view()), ...); }(Name{});
  return key;
}

// What a call of vmap is, whatever the types: a closed block, the operands with their axes, and the results with theirs.
struct vmap_record {
  tape* on;
  int block;
  int size;
  arena<int> operands, in_dims, out_dims;  // operands: values of the tape, the captures first
  arena<int> axis;                         // its name, or nothing

  // The first result; all of them are consecutive values, of these types. Whatever else is recorded is a mistake's.
  constexpr arena<int> write(arena<int> const& types) {
    program_ref const p = last_block(on);
    if (!axis.empty() && blocks_over_axis(p, axis)[block]) return carry_out(types);
    arena<char> marks;
    for (int d : in_dims) marks.push(d >= 0);
    marks = spread<program_ref>(p).through(block, marks);
    for (int k = 0; k < out_dims.size(); ++k) {
      if (!marks[k] || out_dims[k] >= 0) continue;
      if (out_dims[k] == summed) return carry_out(types);
      return mistaken({mistake::mapped_output_has_no_axis, k, 0, {}}, types);
    }
    arena<int> params, results;
    params.push(1);
    params.push(size);
    for (int d : in_dims) params.push(d);
    for (int d : out_dims) params.push(d < 0 ? not_mapped : d);
    int v = on->record(prim::vmap, operands, params, types, {&block, 1});
    for (int k = 0; k < types.size(); ++k) results.push(v++);
    return results;
  }

 private:
  // The batched equations, at once: whoever needs the name of the axis cannot wait.
  constexpr arena<int> carry_out(arena<int> const& types) {
    program const body = expand_vmap(last_block(on));
    arena<int> found;
    found.resize(out_dims.size());
    program const batched = batch(body.ref(), in_dims, size, out_dims, found.data(), axis);
    if (batched.wrong.what != mistake::none) return mistaken(batched.wrong, types);
    for (int k = 0; k < out_dims.size(); ++k)
      if (out_dims[k] == not_mapped && found[k] >= 0) return mistaken({mistake::mapped_output_has_no_axis, k, found[k], {}}, types);
    on->has_dead_blocks = true;
    return splicer(on, batched.ref()).splice(operands);
  }
  // Some values of the types.
  constexpr arena<int> mistaken(found_mistake const& m, arena<int> const& types) {
    on->blame(m);
    on->has_dead_blocks = true;
    arena<int> results;
    for (int t : types) {
      aval const type = on->avals[t];
      std::uint64_t const zero = 0;
      int const number = on->add_constant(on->find_type(aval(type.type)), {&zero, 1});
      results.push(type.rank == 0 ? number : on->record(prim::broadcast_in_dim, {&number, 1}, {type.dims, type.rank}, {&t, 1}));
    }
    return results;
  }
};

template <class Call, class Slices, class Options, class F, class... Args>
constexpr auto record_vmap(F const& f, Args const&... args) {
  arena<handle> in;
  (push_handles(in, args), ...);
  block_scope scope(join_all(in));
  arena<handle> outs;
  auto const results = run_in_block(scope, outs, f, Slices{});
  using result = typename decltype(results)::type;
  closed_block const b = scope.close(outs);
  tape* const t = b.on.on;

  constexpr auto spec = out_spec<typename Options::out>::value;
  if constexpr (!check_axes<out_axes_of_vmap, result, spec>()) {
    return none;  // after the error: nothing that leads to others
  } else {
    axis_list<leaf_count<result>> axes;
    leaf_axes<result, spec>::push(axes, 1);
    vmap_record call{t, b.id, Call::size, b.captures, {}, {}, axis_key<typename Options::name>()};
    for (int k = 0; k < b.captures.size(); ++k) call.in_dims.push(not_mapped);
    for (int k = 0; k < in.size(); ++k) {
      call.in_dims.push(Call::in_dims.of[k]);
      call.operands.push(resolve(in[k]).id);
    }
    for (int k = 0; k < axes.n; ++k) call.out_dims.push(axes.of[k] < 0 && Options::sums ? summed : axes.of[k]);
    typename change_axes<result, spec, with_axis_of<Call::size>::template at>::type r{};
    arena<int> types;
    assign_leaves(r, [&](aval const& type) {
      types.push(t->find_static_type(type));
      return handle(t, -1);
    });
    arena<int> const numbers = call.write(types);
    int k = 0;
    assign_leaves(r, [&](aval const&) { return handle(t, numbers[k++]); });
    return r;
  }
}

template <class F, class Options>
struct vmap_of;

template <class F, class Options>
struct vmapped {
  [[no_unique_address]] F f;

  // Records the batched equations, if not as_arrays; else runs them.
  template <bool AsArrays, class... Args>
  constexpr auto call(Args const&... args) const {
    if constexpr (check_arguments<Args...>()) {
      using in = typename spread_entries<static_cast<int>(sizeof...(Args)), typename Options::in>::type;
      if constexpr (check_in_axes<to_expr_t<Args>...>(in{})) {
        using its_call = vmap_call<in, Options::size, to_expr_t<Args>...>;
        if constexpr (its_call::check()) {
          using slices = typename slices_of<its_call, in, to_expr_t<Args>...>::type;
          if constexpr (AsArrays) return jit(vmap_of<F, Options>{})(args...);
          else return record_vmap<its_call, slices, Options>(f, lift_tree(args)...);
        } else {
          return none;  // after the error: nothing that leads to others
        }
      } else {
        return none;
      }
    }
  }
  template <class... Args>
  constexpr auto operator()(Args const&... args) const {
    return call<!in_a_trace<Args...> && is_stateless<F>>(args...);
  }
};
// As a stateless callable of traced values.
template <class F, class Options>
struct vmap_of {
  template <class... Args>
  constexpr auto operator()(Args const&... args) const {
    return vmapped<F, Options>{}.template call<false>(args...);
  }
};
template <class F, class Options>
inline constexpr std::string_view function_name<vmapped<F, Options>> = function_name<F>;
template <class F, class Options>
inline constexpr std::string_view function_name<vmap_of<F, Options>> = function_name<F>;

// The options of vmap, in any order: each one names what it sets, over those before it.
struct vmap_defaults {
  using in = in_axes_t<0>;
  using out = out_axes_t<0>;
  using name = axis_name_t<>;
  static constexpr int size = -1;
  static constexpr bool sums = false;
};
template <class Before, class Option>
struct vmap_option {
  static_assert(Option::is_no_option_of_vmap, "exprax: vmap: its options are in_axes<...>, out_axes<...>, axis_size<n>, axis_name<\"i\"> and sum_match");
};
template <class Before, auto... A>
struct vmap_option<Before, in_axes_t<A...>> : Before {
  using in = in_axes_t<A...>;
};
template <class Before, auto... A>
struct vmap_option<Before, out_axes_t<A...>> : Before {
  using out = out_axes_t<A...>;
};
template <class Before, int N>
struct vmap_option<Before, axis_size_t<N>> : Before {
  static_assert(N >= 0, "exprax: vmap: axis_size is negative");
  static constexpr int size = N;
};
template <class Before, fixed_string Name>
struct vmap_option<Before, axis_name_t<Name>> : Before {
  static_assert(Name.view().size() > 0 && Name.view().size() <= max_axis_name, "exprax: vmap: an axis name has 1 to 24 characters");
  using name = axis_name_t<Name>;
};
template <class Before>
struct vmap_option<Before, sum_match_t> : Before {
  static constexpr bool sums = true;
};
template <class Now, class... Options>
struct read_options {
  using type = Now;
};
template <class Now, class Option, class... Rest>
struct read_options<Now, Option, Rest...> : read_options<vmap_option<Now, Option>, Rest...> {};
template <class... Options>
using vmap_options = typename read_options<vmap_defaults, Options...>::type;

}  // namespace detail

// Options: in_axes<...>, out_axes<...>, axis_size<n>, axis_name<"i">, sum_match.
template <class F, class... Options>
constexpr auto vmap(F f, Options...) {
  return detail::vmapped<F, detail::vmap_options<Options...>>{f};
}
// Of a static constexpr object, whose name jaxprs show.
template <auto const& Object, class... Options>
constexpr auto vmap(Options...) {
  return detail::vmapped<detail::object_ref<Object>, detail::vmap_options<Options...>>{};
}

}  // namespace exprax
