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

// Not constexpr: the name is the message.
inline void vmap_has_mapped_output_but_out_axes_is_none() {}

// The sizes stand in the error text.
template <bool Same, int... Sizes>
inline constexpr bool mapped_axes_have_one_size = Same;
template <int Entries, int Arguments>
inline constexpr bool one_entry_for_each_argument = Entries == Arguments;

// The batched call of f with arguments of these types (trees of exprs).
template <class F, class In, int Size, class... Args>
struct vmap_call {
  static_assert(one_entry_for_each_argument<-1, sizeof...(Args)>,
                "exprax: vmap: in_axes must have one entry, or one for each argument of the function");
};
template <class F, auto... A, int Size, class... Args>
  requires(sizeof...(A) == sizeof...(Args))
struct vmap_call<F, in_axes_t<A...>, Size, Args...> {
  static constexpr int leaf_total = (0 + ... + leaf_count<Args>);
  using slices = std::tuple<typename change_axes<Args, A, without_axis>::type...>;

  static constexpr axis_list<leaf_total> in_dims = [] {
    axis_list<leaf_total> r;
    (leaf_axes<Args, A>::push(r, 0), ...);
    return r;
  }();
  template <class... Leaf>
  static constexpr axis_list<leaf_total> sizes_of(type_list<Leaf...>) {
    axis_list<leaf_total> r;
    ((r.of[r.n] = in_dims.of[r.n] < 0 ? -1 : Leaf::extent(in_dims.of[r.n]), ++r.n), ...);
    return r;
  }
  static constexpr axis_list<leaf_total> sizes = sizes_of(typename concat<type_list<>, leaves_t<Args>...>::type{});
  static constexpr int size = [] {
    for (int k = 0; k < leaf_total; ++k)
      if (sizes.of[k] >= 0) return sizes.of[k];
    return Size;
  }();
  static constexpr bool same = [] {
    for (int k = 0; k < leaf_total; ++k)
      if (sizes.of[k] >= 0 && sizes.of[k] != size) return false;
    return Size < 0 || Size == size;
  }();

  template <bool Same, int... Sizes>
  static constexpr bool check() {
    static_assert(mapped_axes_have_one_size<Same, Sizes...>,
                  "exprax: vmap got inconsistent sizes for array axes to be mapped (the numbers in this message; -1 is not mapped): they must be equal");
    static_assert(size >= 0, "exprax: vmap must have at least one non-None value in in_axes, or ex::axis_size<n>");
    return Same && size >= 0;
  }
  template <int... K>
  static constexpr bool check_sizes(std::integer_sequence<int, K...>) {
    return check<same, sizes.of[K]...>();
  }
  static constexpr bool ok = check_sizes(std::make_integer_sequence<int, leaf_total>{});
};

template <class Result, class Out>
struct vmap_result {
  static_assert(one_entry_for_each_argument<-1, static_cast<int>(node<Result>::size)>,
                "exprax: vmap: out_axes must have one entry, or one for each element of the tuple that the function returns");
};
template <class Result, auto A>
struct vmap_result<Result, out_axes_t<A>> {
  static constexpr auto spec = A;
};
template <class Result, auto A, auto B, auto... C>
  requires(node<Result>::size == 2 + sizeof...(C))
struct vmap_result<Result, out_axes_t<A, B, C...>> {
  static constexpr axes_t<A, B, C...> spec{};
};

// A result with out_axes none must not depend on what is mapped.
constexpr void check_results_without_axis(program_ref block, span<int> in_dims, span<int> out_dims) {
  bool any = false;
  for (int d : out_dims) any = any || d < 0;
  if (!any) return;
  arena<char> marks;
  for (int d : in_dims) marks.push(d >= 0);
  marks = spread<program_ref>(block).through(block.main_id(), marks);
  for (int k = 0; k < out_dims.count; ++k)
    if (out_dims[k] < 0 && marks[k]) vmap_has_mapped_output_but_out_axes_is_none();
}

template <int N>
struct with_axis_of {
  template <int A>
  using at = with_axis<A, N>;
};

template <class Call, class Out, class F, class... Args>
constexpr auto record_vmap(F const& f, Args const&... args) {
  arena<handle> in;
  (push_handles(in, args), ...);
  block_scope scope(join_all(in));
  arena<handle> outs;
  auto const results = run_in_block(scope, outs, f, typename Call::slices{});
  using result = typename decltype(results)::type;
  closed_block const b = scope.close(outs);
  tape* const t = b.on.on;

  constexpr auto spec = vmap_result<result, Out>::spec;
  using results_type = typename change_axes<result, spec, with_axis_of<Call::size>::template at>::type;
  axis_list<leaf_count<result>> out_dims;
  leaf_axes<result, spec>::push(out_dims, 1);
  arena<int> operands = b.captures, params, types;
  params.push(1);
  params.push(Call::size);
  for (int k = 0; k < b.captures.size(); ++k) params.push(not_mapped);
  for (int k = 0; k < in.size(); ++k) {
    params.push(Call::in_dims.of[k]);
    operands.push(resolve(in[k]).id);
  }
  check_results_without_axis(last_block(t), {params.data() + 2, params.size() - 2}, {out_dims.of, out_dims.n});
  for (int k = 0; k < out_dims.n; ++k) params.push(out_dims.of[k]);
  results_type r{};
  assign_leaves(r, [&](aval const& type) {
    types.push(t->find_static_type(type));
    return handle(t, -1);
  });
  int v = t->record(prim::vmap, operands, params, types, {&b.id, 1});
  assign_leaves(r, [&](aval const&) { return handle(t, v++); });
  return r;
}

template <class F, class In, class Out, int Size>
struct vmapped {
  [[no_unique_address]] F f;

  template <class... Args>
  constexpr auto operator()(Args const&... args) const {
    if constexpr (check_arguments<Args...>()) {
      if constexpr (in_a_trace<Args...>) {
        using call = vmap_call<F, typename spread_entries<static_cast<int>(sizeof...(Args)), In>::type, Size, to_expr_t<Args>...>;
        if constexpr (call::ok) return record_vmap<call, Out>(f, lift_tree(args)...);
        else return none;  // after the error: nothing that leads to others
      } else {
        return jit(*this)(args...);
      }
    }
  }
};
template <class F, class In, class Out, int Size>
inline constexpr std::string_view function_name<vmapped<F, In, Out, Size>> = function_name<F>;

// The options of vmap, in any order.
template <class In = in_axes_t<0>, class Out = out_axes_t<0>, int Size = -1>
struct vmap_options {
  using in = In;
  using out = Out;
  static constexpr int size = Size;
};
template <class Now, class... Options>
struct read_options {
  using type = Now;
};
template <class In, class Out, int Size, auto... A, class... Rest>
struct read_options<vmap_options<In, Out, Size>, in_axes_t<A...>, Rest...> : read_options<vmap_options<in_axes_t<A...>, Out, Size>, Rest...> {};
template <class In, class Out, int Size, auto... A, class... Rest>
struct read_options<vmap_options<In, Out, Size>, out_axes_t<A...>, Rest...> : read_options<vmap_options<In, out_axes_t<A...>, Size>, Rest...> {};
template <class In, class Out, int Size, int N, class... Rest>
struct read_options<vmap_options<In, Out, Size>, axis_size_t<N>, Rest...> : read_options<vmap_options<In, Out, N>, Rest...> {};

template <class F, class Options>
using vmapped_with = vmapped<F, typename Options::in, typename Options::out, Options::size>;

}  // namespace detail

// Options: in_axes<...>, out_axes<...>, axis_size<n>.
template <class F, class... Options>
constexpr auto vmap(F f, Options...) {
  return detail::vmapped_with<F, typename detail::read_options<detail::vmap_options<>, Options...>::type>{f};
}
// Of a static constexpr object, whose name jaxprs show.
template <auto const& Object, class... Options>
constexpr auto vmap(Options...) {
  return detail::vmapped_with<detail::object_ref<Object>, typename detail::read_options<detail::vmap_options<>, Options...>::type>{};
}

}  // namespace exprax
