// SPDX-License-Identifier: BSL-1.0
// vmap(f, in_axes<...>, out_axes<...>): f on each slice along an axis, all at once (jax.vmap). f: array<T, D...> → array<U, E...> becomes
// array<T, B, D...> → array<U, B, E...>. On traced values a vmap equation is recorded, or, if f refers to the axis by name, its expansion;
// on arrays it runs as jit(vmap(f)). A callable with captures may be mapped inside a traced function; its captures are not mapped.
#pragma once

#include <exprax/api/jit.hpp>
#include <exprax/api/vmap/vmap_call.hpp>
#include <exprax/transforms/expand_vmap.hpp>

namespace exprax {

namespace detail {

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
  if constexpr (!std::is_same_v<Name, axis_name_t<>>) [&]<fixed_string... N>(axis_name_t<N...>) {
      (push_axis_name(key, N.view()), ...);
    }
  (Name{});
  return key;
}

// A call of vmap, independent of types: a closed block, the operands with their axes, and the results with theirs.
struct vmap_record {
  tape* on;
  int block;
  int size;
  arena<int> operands;  // values of the tape, captures first
  arena<batch_axis> in_dims;
  arena<wanted_axis> out_dims;
  arena<int> axis;  // its name, or nothing

  // Records the call; returns its results, values of these types. A template, so that programs without vmap do not instantiate the rules.
  template <class Program>
  constexpr arena<int> write(arena<int> const& types) {
    Program const p = on->ref();
    if (!axis.empty() && blocks_over_axis(p, axis)[block]) return carry_out(p, types);
    if (int const k = result_without_axis(p); k >= 0) {
      if (out_dims[k].is_summed()) return carry_out(p, types);
      return mistaken({mistake::mapped_output_has_no_axis, k, 0}, types);
    }
    arena<int> params, results;
    params.push(1);
    params.push(size);
    for (batch_axis d : in_dims) params.push(d.parameter());
    for (wanted_axis d : out_dims) params.push(d.axis().parameter());
    int v = on->record(prim::vmap, operands, params, types, {&block, 1});
    for (int k = 0; k < types.size(); ++k) results.push(v++);
    return results;
  }

 private:
  // The first result that depends on a mapped axis although its entry in out_axes is none; or -1.
  template <class Program>
  constexpr int result_without_axis(Program p) const {
    bool any = false;
    for (wanted_axis d : out_dims) any = any || d.is_none();
    if (!any) return -1;
    arena<char> marks;
    for (batch_axis d : in_dims) marks.push(d.is_mapped());
    marks = batch_dependence<Program>(p).through(p.blocks[block], marks);
    for (int k = 0; k < out_dims.size(); ++k)
      if (marks[k] && out_dims[k].is_none()) return k;
    return -1;
  }
  // Records the batched equations at once, where the axis name or sum_match requires it.
  template <class Program>
  constexpr arena<int> carry_out(Program p, arena<int> const& types) {
    program const body = expand_vmap(p);
    arena<batch_axis> found;
    found.resize(out_dims.size());
    program const batched = batch<Program>(body.ref(), in_dims, size, out_dims, found.data(), axis);
    if (batched.wrong.what != mistake::none) return mistaken(batched.wrong, types);
    for (int k = 0; k < out_dims.size(); ++k)
      if (out_dims[k].is_none() && found[k].is_mapped())
        return mistaken({mistake::mapped_output_has_no_axis, k, found[k].position()}, types);
    on->has_dead_blocks = true;
    return splice(*on, batched.ref(), operands);
  }
  // Placeholder values of these types, after an error.
  constexpr arena<int> mistaken(found_mistake const& m, arena<int> const& types) {
    on->blame(m);
    on->has_dead_blocks = true;
    arena<int> results;
    for (int t : types) results.push(add_zeros(*on, aval(on->avals[t])));
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
  using verdict = typename axes_verdict<1, result, spec>::type;
  static_assert(has_axes_for_entries<verdict>,
                "exprax: vmap: an entry of out_axes must be an int, ex::none, or ex::axes<...> for the children of a node");
  static_assert(is_a_prefix<verdict>,
                "exprax: vmap out_axes must be a tree prefix of the result: one entry, or one for each element of the tuple that the "
                "function returns");
  static_assert(has_its_axes<verdict>,
                "exprax: vmap: out_axes names an axis that the result does not have (this message shows the result without the mapped "
                "axis, the axis, and the rank with it): it must be in [-rank, rank)");
  if constexpr (!std::is_same_v<verdict, fits>) {
    return none;  // after the error: avoids further ones
  } else {
    axis_list<leaf_count<result>> axes;
    leaf_axes<result, spec>::push(axes, 1);
    vmap_record call{t, b.id, Call::size, b.captures, {}, {}, axis_key<typename Options::name>()};
    for (int k = 0; k < b.captures.size(); ++k) call.in_dims.push(not_mapped);
    for (int k = 0; k < in.size(); ++k) {
      call.in_dims.push(Call::in_dims.of[k]);
      call.operands.push(resolve(in[k]).id);
    }
    for (int k = 0; k < axes.n; ++k)
      call.out_dims.push(!axes.of[k].is_mapped() && Options::sums ? wanted_axis::summed() : wanted_axis(axes.of[k]));
    typename change_axes<result, spec, with_axis_of<Call::size>::template at>::type r{};
    arena<int> types;
    assign_leaves(r, [&](aval const& type) {
      types.push(t->find_static_type(type));
      return handle(t, handle::no_value);
    });
    arena<int> const numbers = call.write<typename Call::program>(types);
    int k = 0;
    assign_leaves(r, [&](aval const&) { return handle(t, numbers[k++]); });
    return r;
  }
}

// in_axes as given, or the default for Args.
template <class In, class... Args>
struct given_axes {
  using type = In;
};
template <class... Args>
struct given_axes<axis_0_of_all, Args...> {
  template <class>
  static constexpr int zero = 0;
  using type = in_axes_t<zero<Args>...>;
};

// One entry serves all.
template <auto A, class First, class Second, class... Rest>
struct given_axes<in_axes_t<A>, First, Second, Rest...> {
  template <class>
  static constexpr auto same = A;
  using type = in_axes_t<A, A, same<Rest>...>;
};

// Records: true while tracing; calls are then always recorded.
template <class F, class Options, bool Records = false>
struct vmapped {
  [[no_unique_address]] F f;

  template <class... Args>
  using in_axes_for = typename given_axes<typename Options::in, Args...>::type;

  template <class... Args>
  constexpr auto operator()(Args const&... args) const {
    if constexpr (check_arguments<Args...>()) {
      using verdict = typename call_verdict<in_axes_for<Args...>, Options::size, to_expr_t<Args>...>::type;
      static_assert(has_an_entry_for_each<verdict>,
                    "exprax: vmap in_axes must be entries corresponding to the positional arguments passed to the function: as many as "
                    "there are arguments, ex::in_axes<0, 0> for two, or one entry for all");
      static_assert(has_axes_for_entries<verdict>,
                    "exprax: vmap: an entry of in_axes must be an int, ex::none, or ex::axes<...> for the children of a node");
      static_assert(is_a_prefix<verdict>,
                    "exprax: vmap in_axes must be a tree prefix of the arguments: ex::axes<...> has one entry for each child of a tuple, "
                    "pair, array, map or struct");
      static_assert(has_its_axes<verdict>,
                    "exprax: vmap was requested to map its argument along an axis that it does not have (this message shows the argument, "
                    "the axis, and the argument's rank): in_axes must be in [-rank, rank), or ex::none");
      static_assert(has_a_size<verdict>,
                    "exprax: vmap must have at least one non-None value in in_axes, or axis_size must be specified: ex::axis_size<n>");
      static_assert(has_one_size<verdict>,
                    "exprax: vmap got inconsistent sizes for array axes to be mapped: this message lists each argument, its type, the "
                    "axis, and its size");
      static_assert(
          has_the_given_size<verdict>,
          "exprax: vmap got inconsistent sizes for array axes to be mapped: the ex::axis_size that was given differs from those that this "
          "message lists");
      if constexpr (!std::is_same_v<verdict, fits>) {
        return after_an_error<Args...>();
      } else {
        using slices = typename slices_of<in_axes_for<Args...>, to_expr_t<Args>...>::type;
        static_assert(can_be_applied<F, slices>, EXPRAX_ARGUMENTS("vmap: the function", "slices of these arguments"));
        if constexpr (!can_be_applied<F, slices>) return after_an_error<Args...>();
        else if constexpr (Records || in_a_trace<Args...> || !is_stateless<F>) return record(args...);
        else if constexpr (is_free<Args...> && holds_deferred<Args...>) return defer<vmapped>([&] { return record(args...); }, args...);
        else return jit(*this)(args...);
      }
    }
  }
  template <class... Args>
  constexpr auto record(Args const&... args) const {
    using in = in_axes_for<Args...>;
    using call = vmap_call<in, Options::size, to_expr_t<Args>...>;
    return record_vmap<call, typename slices_of<in, to_expr_t<Args>...>::type, Options>(recorder<F>::of(f), lift_tree(args)...);
  }
};
template <class F, class Options>
struct recorder<vmapped<F, Options>> {
  using type = vmapped<F, Options, true>;
  static constexpr type of(vmapped<F, Options> const& f) { return {f.f}; }
};
template <class F, class Options, bool Records>
inline constexpr std::string_view function_name<vmapped<F, Options, Records>> = function_name<F>;

}  // namespace detail

// f over an axis of its arguments. Options, in any order:
//
//   in_axes<0, none>     the axis of each argument; axes<...> for the parts of one; none: not mapped. Default: 0 for each
//   out_axes<0, 1>       the position of the axis in each result; one entry for all; none: a result that does not depend on the axis
//   axis_size<4>         the size of the axis, if no argument gives it
//   axis_name<"i">       the name of the axis, for ex::psum and others (numpy/collectives/psum.hpp)
//   sum_match            a result with out_axes none that depends on the axis is summed over it
//
// Errors: sizes that differ, axes that are out of range, prefixes that do not fit, nothing mapped, a result with out_axes none that
// depends on the axis.
template <class F, class... Options>
constexpr auto vmap(F f, Options...) {
  EXPRAX_TAKES("vmap", "in_axes<...>, out_axes<...>, axis_name<...>, axis_size<n>, sum_match", Options...)
    return detail::vmapped<F, detail::vmap_options<Options...>>{f};
  else return detail::vmapped<F, detail::vmap_options<>>{f};
}
// For a static constexpr object, whose name jaxprs show.
template <auto const& Object, class... Options>
constexpr auto vmap(Options...) {
  EXPRAX_TAKES("vmap", "in_axes<...>, out_axes<...>, axis_name<...>, axis_size<n>, sum_match", Options...)
    return detail::vmapped<detail::object_ref<Object>, detail::vmap_options<Options...>>{};
  else return detail::vmapped<detail::object_ref<Object>, detail::vmap_options<>>{};
}

}  // namespace exprax
