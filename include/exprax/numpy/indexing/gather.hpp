// SPDX-License-Identifier: BSL-1.0
// gather, and scatter, scatter_add, scatter_mul, scatter_min, scatter_max of jax.lax with all dimension numbers, as StableHLO's.
// Index vectors that name the same elements are carried out in row-major order of the index vectors.
//
//   gather<gather_dimension_numbers{.offset_dims = {1}, .collapsed_slice_dims = {0}, .start_index_map = {0}}>(x, i, slice_sizes<1, 4>)
//   scatter_add<scatter_dimension_numbers{...}>(x, i, update, mode_clip)
#pragma once

#include <exprax/numpy/core/record.hpp>
#include <exprax/numpy/elementwise/select.hpp>
#include <exprax/numpy/indexing/gather_numbers.hpp>
#include <exprax/numpy/indexing/index_options.hpp>
#include <exprax/numpy/reductions/reductions.hpp>
#include <exprax/primitives/indexed/gather.hpp>
#include <exprax/primitives/indexed/scatter_family.hpp>

namespace exprax {

namespace detail {

template <int... Sizes>
struct slice_sizes_t {};

constexpr void push_list(long_param_list& to, dimension_list const& axes) {
  to.push(axes.n);
  for (int i = 0; i < axes.n; ++i) to.push(axes[i]);
}
constexpr long_param_list gather_params(gather_dimension_numbers const& n, dimension_list const& sizes, index_mode mode, bool sorted,
                                        bool unique, std::uint64_t fill) {
  long_param_list p;
  p.push(static_cast<int>(mode));
  p.push(static_cast<int>(static_cast<std::uint32_t>(fill)));
  p.push(static_cast<int>(static_cast<std::uint32_t>(fill >> 32)));
  p.push(sorted);
  p.push(unique);
  for (int i = 0; i < sizes.n; ++i) p.push(sizes[i]);
  for (dimension_list const& list :
       {n.offset_dims, n.collapsed_slice_dims, n.start_index_map, n.operand_batching_dims, n.start_indices_batching_dims})
    push_list(p, list);
  return p;
}
constexpr long_param_list scatter_params(scatter_dimension_numbers const& n, index_mode mode, bool sorted, bool unique) {
  long_param_list p;
  for (dimension_list const& list : {n.update_window_dims, n.inserted_window_dims, n.scatter_dims_to_operand_dims}) push_list(p, list);
  p.push(sorted);
  p.push(unique);
  p.push(static_cast<int>(mode));
  for (dimension_list const& list : {n.operand_batching_dims, n.scatter_indices_batching_dims}) push_list(p, list);
  return p;
}

// The result of an equation, by the primitive's own rule.
struct inferred {
  aval type;
  bool valid = false;
};
template <prim P, int N>
constexpr inferred infer_one(aval const (&in)[N], span<int> params) {
  value values[N + 1] = {};
  int refs[N] = {};
  for (int k = 0; k < N; ++k) {
    values[k] = {k, no_constant};
    refs[k] = k;
  }
  program_ref p;
  p.values = values;
  p.refs = refs;
  p.params = params.data();
  p.avals = in;
  eqn const e{P, 0, N, N, 1, 0, params.size(), 0, 0};
  inferred r;
  r.valid = primitive<P>::infer(equation_ref{p, e}, &r.type);
  return r;
}

template <class I>
struct index_vectors_of {
  static constexpr aval value = aval(aval_in<I>).with_type(dtype::i32);
};
// N: gather_dimension_numbers.
template <auto N, class X, class I, class Options, int... Sizes>
struct gather_call {
  static constexpr index_mode mode = primitive_mode(Options::mode, true);
  static constexpr dimension_list sizes = [] {
    dimension_list l;
    (l.push(Sizes), ...);
    return l;
  }();
  static constexpr inferred result = [] {
    if (sizeof...(Sizes) != rank_in<X> || rank_in<I> == 0) return inferred{};
    aval const in[] = {aval_in<X>, index_vectors_of<I>::value};
    return infer_one<prim::gather>(in, gather_params(N, sizes, mode, false, false, 0));
  }();
  static constexpr aval value = result.type;
};
template <auto N, prim P, class X, class I, class U>
struct scatter_call {
  static constexpr bool valid = [] {
    if (rank_in<I> == 0) return false;
    aval const in[] = {aval_in<X>, index_vectors_of<I>::value, aval(aval_in<U>).with_type(aval_in<X>.type)};
    return infer_one<P>(in, scatter_params(N, index_mode::clip, false, false)).valid;
  }();
};

// Indices as int32; what does not fit there is out of range, and stays so.
template <tracer I>
constexpr auto as_int32_indices(I const& i) {
  using type = type_in<I>;
  if constexpr (std::is_same_v<strong_t<type>, std::uint32_t> || size_of(dtype_of<type>) == 8) {
    using from = strong_t<type>;
    auto const below = detail::bind<expr_like<I, from>>(prim::min, {}, cast<from>(i),
                                                        lit<from>{static_cast<from>(std::numeric_limits<std::int32_t>::max())});
    if constexpr (is_unsigned_integer(dtype_of<type>)) return convert_to<std::int32_t>(below);
    else
      return convert_to<std::int32_t>(
          detail::bind<expr_like<I, from>>(prim::max, {}, below, lit<from>{static_cast<from>(std::numeric_limits<std::int32_t>::min())}));
  } else {
    return convert_to<std::int32_t>(i);
  }
}

// For each window of a gather whether it lies inside, in the shape of the result.
template <class Out>
constexpr handle windows_inside(handle const& indices, gather_dimension_numbers const& n, dimension_list const& sizes, aval const& x) {
  aval const vectors = resolve(indices).type();
  int const last = vectors.rank - 1;
  arena<std::uint64_t> limits;
  for (int k = 0; k < n.start_index_map.n; ++k)
    limits.push(to_bits(static_cast<std::int32_t>(x.dims[n.start_index_map[k]] - sizes[n.start_index_map[k]])));
  handle const on = resolve(indices);
  aval const row(dtype::i32, {limits.size()});
  handle const bounds(on.on, on.on->add_constant(on.on->intern(row), limits));
  handle const zero = literal_near(on, aval(dtype::i32), 0), limit = untyped::broadcast_in_dim(bounds, vectors, {&last, 1});
  aval const flags = vectors.with_type(dtype::b1);
  handle const lower[] = {indices, zero}, upper[] = {indices, limit};
  handle const both[] = {equation(prim::ge, lower, {}, flags), equation(prim::le, upper, {}, flags)};
  handle const inside = equation(prim::reduce_and, equation(prim::and_, both, {}, flags), {&last, 1}, flags.without_axis(last));
  dimension_list batch;
  for (int i = 0; i < Out::rank; ++i) {
    bool window = false;
    for (int k = 0; k < n.offset_dims.n; ++k) window = window || n.offset_dims[k] == i;
    if (!window) batch.push(i);
  }
  return untyped::broadcast_in_dim(inside, Out::type.with_type(dtype::b1), {batch.of, batch.n});
}

// A gather. fill: a tuple of one number, or of one traced scalar, which costs a selection; or empty.
template <class Out, class... Fill>
constexpr Out record_gather(handle const& x, handle const& indices, gather_dimension_numbers const& n, dimension_list const& sizes,
                            index_mode mode, bool sorted, bool unique, std::tuple<Fill...> const& fill) {
  using type = typename Out::value_type;
  handle const in[] = {x, indices};
  auto const read = [&](index_mode m, std::uint64_t pattern) {
    return expr_access::make<Out>(equation(prim::gather, in, gather_params(n, sizes, m, sorted, unique, pattern), Out::type));
  };
  // A real fill value is a parameter: of complex numbers the real part.
  if constexpr ((number<Fill> && ...) && !(is_std_complex<std::remove_cvref_t<Fill>> || ...)) {
    if (mode != index_mode::fill_or_drop) return read(mode, 0);
    if constexpr (sizeof...(Fill) == 0) return read(mode, element_patterns(default_fill<type>()).of[0]);
    else
      return read(mode, element_patterns(
                            convert_number<type>(static_cast<typename number_type<std::remove_cvref_t<Fill>>::type>(std::get<0>(fill)))...)
                            .of[0]);
  } else {
    if (mode != index_mode::fill_or_drop) return read(mode, 0);
    auto const which = expr_access::make<with_dtype_t<Out, bool>>(windows_inside<Out>(indices, n, sizes, resolve(x).type()));
    Out const otherwise = broadcast_shape<shape_in<Out>>(as_expr<typename Out::dtype_type>(as_operand(std::get<0>(fill))));
    return detail::bind<Out>(prim::select_n, {}, which, otherwise, read(index_mode::clip, 0));
  }
}

template <auto N, class Options, int... Sizes>
struct gather_op {
  template <operand X, operand I, operand... Fill>
  constexpr auto operator()(X const& x, I const& indices, Fill const&... fill) const {
    using call = gather_call<N, X, I, Options, Sizes...>;
    using out = with_dtype_t<expr_from<call>, type_in<X>>;
    return record_gather<out>(expr_access::get(as_traced(x)), expr_access::get(as_int32_indices(as_traced(indices))), N, call::sizes,
                              call::mode, Options::sorted, Options::unique, std::tuple(fill...));
  }
};
template <prim P, auto N, class Options>
struct scatter_op {
  template <operand X, operand I, operand U>
  constexpr auto operator()(X const& x, I const& indices, U const& update) const {
    auto const target = as_traced(x);
    using out = std::remove_const_t<decltype(target)>;
    handle const in[] = {expr_access::get(target), expr_access::get(as_int32_indices(as_traced(indices))),
                         expr_access::get(as_expr<typename out::dtype_type>(update))};
    return expr_access::make<out>(
        equation(P, in, scatter_params(N, primitive_mode(Options::mode, false), Options::sorted, Options::unique), out::type));
  }
};

// Conditions of static_asserts: compilers print the types, and so the dimension numbers.
template <auto N, class X, class I, int... Sizes>
inline constexpr bool gathers = gather_call<N, X, I, index_options<>, Sizes...>::result.valid;
template <auto N, prim P, class X, class I, class U>
inline constexpr bool scatters = scatter_call<N, P, X, I, U>::valid;
template <class... I>
inline constexpr bool are_of_integers = (is_integer(aval_in<I>.type) && ...);

template <prim P, auto N, class X, class I, class U, class... Options>
constexpr auto scattered(X const& x, I const& indices, U const& update, Options const&...) {
  static_assert(are_of_integers<I>, "exprax: scatter: the indices must be integers, an index vector along the last axis");
  static_assert(scatters<N, P, X, I, U>, "exprax: scatter: the dimension numbers do not fit the shapes of operand, indices and update");
  if constexpr (scatters<N, P, X, I, U> && are_of_integers<I>)
    return apply<scatter_op<P, N, index_options<Options...>>>(x, indices, update);
  else return x;  // after the error: nothing that leads to others
}

}  // namespace detail

// The sizes of a gather's windows along each axis of the operand.
template <int... Sizes>
inline constexpr detail::slice_sizes_t<Sizes...> slice_sizes{};

// Windows of x at index vectors, which stand along the last axis of the indices. Shape: as the dimension numbers say; dtype of x. Options:
// mode_clip, mode_fill with fill_value(v) (the default), mode_promise_in_bounds, indices_are_sorted, unique_indices. Refused: indices that
// are not integers, dimension numbers or slice sizes that do not fit the shapes (jax.lax.gather, StableHLO gather).
template <gather_dimension_numbers N, array_like X, array_like I, int... Sizes, class... Options>
constexpr auto gather(X const& x, I const& indices, detail::slice_sizes_t<Sizes...>, Options const&... options) {
  EXPRAX_TAKES("gather", "mode_..., fill_value(v), indices_are_sorted, unique_indices", Options...) {
    // jax.lax's default, where indexing promises.
    constexpr bool has_mode = detail::index_options<Options...>::mode != detail::mode_word::automatic;
    using tags = std::conditional_t<has_mode, detail::index_options<Options...>,
                                    detail::index_options<detail::mode_word_t<detail::mode_word::fill>, Options...>>;
    static_assert(detail::are_of_integers<I>, "exprax: gather: the indices must be integers, an index vector along the last axis");
    static_assert(detail::gathers<N, X, I, Sizes...>,
                  "exprax: gather: the dimension numbers or slice sizes do not fit the shapes of operand and indices");
    if constexpr (detail::gathers<N, X, I, Sizes...> && detail::are_of_integers<I>)
      return std::apply([&](auto const&... fill) { return detail::apply<detail::gather_op<N, tags, Sizes...>>(x, indices, fill...); },
                        detail::fill_values(options...));
    else return x;  // after the error: nothing that leads to others
  } else {
    return x;
  }
}

// x with the windows at index vectors updated: scatter replaces them by `update`; scatter_add, scatter_mul, scatter_min and scatter_max
// combine both. Shape and dtype are those of x; the update is converted to this dtype, and has the shape of a gather's result. Options:
// mode_clip, mode_drop (the default), mode_promise_in_bounds, indices_are_sorted, unique_indices. Refused: indices that are not integers,
// dimension numbers that do not fit the shapes (jax.lax.scatter, scatter_add, ...; StableHLO scatter).
template <scatter_dimension_numbers N, array_like X, array_like I, array_like U, class... Options>
constexpr auto scatter(X const& x, I const& indices, U const& update, Options const&... options) {
  EXPRAX_TAKES("scatter", "mode_..., indices_are_sorted, unique_indices", Options...)
  return detail::scattered<prim::scatter, N>(x, indices, update, options...);
  else return x;
}
template <scatter_dimension_numbers N, array_like X, array_like I, array_like U, class... Options>
constexpr auto scatter_add(X const& x, I const& indices, U const& update, Options const&... options) {
  EXPRAX_TAKES("scatter_add", "mode_..., indices_are_sorted, unique_indices", Options...)
  return detail::scattered<prim::scatter_add, N>(x, indices, update, options...);
  else return x;
}
template <scatter_dimension_numbers N, array_like X, array_like I, array_like U, class... Options>
constexpr auto scatter_mul(X const& x, I const& indices, U const& update, Options const&... options) {
  EXPRAX_TAKES("scatter_mul", "mode_..., indices_are_sorted, unique_indices", Options...)
  return detail::scattered<prim::scatter_mul, N>(x, indices, update, options...);
  else return x;
}
template <scatter_dimension_numbers N, array_like X, array_like I, array_like U, class... Options>
constexpr auto scatter_min(X const& x, I const& indices, U const& update, Options const&... options) {
  EXPRAX_TAKES("scatter_min", "mode_..., indices_are_sorted, unique_indices", Options...)
  return detail::scattered<prim::scatter_min, N>(x, indices, update, options...);
  else return x;
}
template <scatter_dimension_numbers N, array_like X, array_like I, array_like U, class... Options>
constexpr auto scatter_max(X const& x, I const& indices, U const& update, Options const&... options) {
  EXPRAX_TAKES("scatter_max", "mode_..., indices_are_sorted, unique_indices", Options...)
  return detail::scattered<prim::scatter_max, N>(x, indices, update, options...);
  else return x;
}

namespace lax {

using exprax::gather, exprax::scatter, exprax::scatter_add, exprax::scatter_mul, exprax::scatter_min, exprax::scatter_max;

}  // namespace lax

}  // namespace exprax
