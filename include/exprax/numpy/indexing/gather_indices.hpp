// SPDX-License-Identifier: BSL-1.0
// The index vectors of a gather or scatter from the indices of an expression x(i, all, j): negative ones wrapped, arrays of indices
// broadcast together, and all lined up along a last axis; and the reads by them.
#pragma once

#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/indexing/gather.hpp>
#include <exprax/numpy/indexing/gather_plan.hpp>

namespace exprax::detail {

// An index as it comes: a traced value, a number, or a word of the grammar. Arrays become constants, and
// deferred values traced ones.
template <class I>
inline constexpr bool becomes_an_index = stored<I> || is_deferred<I>;
template <class I>
constexpr decltype(auto) as_index(I const& i) {
  if constexpr (stored<I>) return lift(i);
  else if constexpr (is_deferred<I>) return plain(i);
  else return (i);
}

// A traced index in the range of an axis of n: a negative one counts from the end, once, or with `modulo` as often as it takes.
constexpr handle index_in_axis(handle const& given, int n, bool wrap, bool modulo) {
  handle i = given;
  aval type = resolve(i).type();
  bool const small = size_of(type.type) == 1 ? n > 127 : size_of(type.type) == 2 && n > 32767;
  if (small) {
    i = untyped::convert(i, dtype::i32);
    type = resolve(i).type();
  }
  aval const scalar(type.type, type.weak);
  if (modulo && n > 0) {
    handle const rest[] = {i, literal_near(i, scalar, bits_of_int(type.type, n))};
    i = equation(prim::rem, rest, {}, type);
  }
  if ((!wrap && !modulo) || is_unsigned_integer(type.type)) return i;
  handle const compared[] = {i, literal_near(i, scalar, 0)};
  handle const negative = equation(prim::lt, compared, {}, type.with_type(dtype::b1));
  handle const added[] = {i, literal_near(i, scalar, bits_of_int(type.type, n))};
  handle const chosen[] = {negative, i, equation(prim::add, added, {}, type)};
  return equation(prim::select_n, chosen, {}, type);
}
constexpr int index_in_axis(int i, int n, bool wrap, bool modulo) {
  if (modulo && n > 0) return (i % n + n) % n;
  return wrap && i < 0 ? i + n : i;
}

// i32[batch..., k]. given: the traced indices by argument, known: the others. Of x the shape and the tape count.
constexpr handle index_vectors(gather_plan const& g, handle const& x, arena<handle> given, int const* known, bool wrap, bool modulo) {
  aval const shape = resolve(x).type();
  int const n = g.numbers.start_index_map.n;
  if (n == 0) {
    handle const h = resolve(x);
    return handle(h.on, h.on->add_constant(h.on->intern(aval(dtype::i32, {0})), {}));
  }
  for (int k = 0; k < n; ++k) {
    index_component const& c = g.components[k];
    if (c.is_argument() && given[c.argument].on) given[c.argument] = index_in_axis(given[c.argument], shape.dims[c.axis], wrap, modulo);
  }
  arena<handle> parts;
  aval const i32(dtype::i32);
  for (int k = 0; k < n; ++k) {
    index_component const& c = g.components[k];
    handle part;
    if (c.is_argument()) {
      // Not with ?:, after which g++ 12 ends a handle twice.
      if (given[c.argument].on) part = given[c.argument];
      else part = literal_near(x, i32, to_bits(index_in_axis(known[c.argument], shape.dims[c.axis], wrap, modulo)));
      if (c.kind == component_kind::array) part = untyped::broadcast_to(part, g.together);
      part = untyped::convert(part, dtype::i32);
    } else if (c.kind == component_kind::start) {
      part = literal_near(x, i32, to_bits(c.start));
    } else {
      aval const row(dtype::i32, {c.count});
      handle const scaled[] = {literal_near(x, i32, to_bits(c.step)), iota_near(x, c.count)};
      handle const moved[] = {literal_near(x, i32, to_bits(c.start)), equation(prim::mul, scaled, {}, row)};
      part = equation(prim::add, moved, {}, row);
    }
    parts.push(part);
  }
  aval one = g.batch;
  one.dims[one.rank++] = 1;
  for (int k = 0; k < n; ++k) {
    int const rank = resolve(parts[k]).type().rank, at = g.components[k].at;
    int places[max_rank] = {};
    for (int i = 0; i < rank; ++i) places[i] = at + i;
    parts[k] = untyped::broadcast_in_dim(parts[k], one, {places, rank});
  }
  if (n == 1) return parts[0];
  int const last = g.batch.rank;
  one.dims[last] = n;
  return equation(prim::concatenate, parts, {&last, 1}, one);
}

// What the types of the indices decide.
template <class E, class... I>
struct gathered {
  static constexpr gather_plan plan = [] {
    index_item const items[] = {item_of<I>::value..., index_item{}};
    return plan_gather(E::type, items, static_cast<int>(sizeof...(I)));
  }();
  struct windows {
    static constexpr aval value = plan.windows;
  };
  struct result {
    static constexpr aval value = plan.result;
  };
};

// Conditions of static_asserts: compilers print the types of the array and of the indices.
template <class E, class... I>
inline constexpr bool has_no_empty_axis = !gathered<E, I...>::plan.broadcasts || gathered<E, I...>::plan.in_range;
template <class E, class... I>
inline constexpr bool has_few_axes = gathered<E, I...>::plan.valid;

// The value of an index that is known while tracing.
template <class I>
constexpr int known_index(I const& i) {
  if constexpr (item_of<I>::value.kind == index_kind::integer) return static_cast<int>(i);
  else return 0;
}
template <class I>
constexpr handle traced_index(I const& i) {
  if constexpr (tracer<I>) return expr_access::get(i);
  else return {};
}
template <class Options, class E, class... I>
constexpr handle index_vectors_for(E const& e, I const&... index) {
  arena<handle> given;
  (given.push(traced_index(index)), ...);
  int const known[] = {known_index(index)..., 0};
  return index_vectors(gathered<E, I...>::plan, expr_access::get(e), given, known, Options::wrap, Options::mode == mode_word::wrap);
}

// x(index...) by a gather. fill: a tuple of one value, or an empty one.
template <class Options, class E, class Fill, class... I>
constexpr auto read_gathered(E const& e, Fill const& fill, I const&... index) {
  static_assert(has_few_axes<E, I...>, "exprax: the result of indexing has more than 8 axes");
  using by = gathered<E, I...>;
  if constexpr (!by::plan.broadcasts || !by::plan.valid) {
    return e;  // after the error: nothing that leads to others
  } else {
    using windows = with_dtype_t<expr_from<typename by::windows>, typename E::dtype_type>;
    using result = with_dtype_t<expr_from<typename by::result>, typename E::dtype_type>;
    constexpr gather_plan const& g = by::plan;
    handle h;
    if constexpr (windows::size() == 0) {
      h = expr_access::get(constant_like<windows>(e, typename windows::value_type{}));
    } else {
      static_assert(has_no_empty_axis<E, I...>, "exprax: index is out of bounds for an axis with size 0");
      h = expr_access::get(record_gather<windows>(expr_access::get(e), index_vectors_for<Options>(e, index...), g.numbers, g.sizes,
                                                  primitive_mode(Options::mode, true), Options::sorted || !g.advanced,
                                                  Options::unique || !g.advanced, fill));
    }
    if (g.reversed.n > 0) h = equation(prim::rev, h, {g.reversed.of, g.reversed.n}, windows::type);
    if (g.newaxis.n > 0) {
      axis_set added;
      for (int k = 0; k < g.newaxis.n; ++k) added.of[added.n++] = g.newaxis[k];
      expansion const x = expand(windows::type, added);
      h = equation(prim::broadcast_in_dim, h, x.params, result::type);
    }
    return expr_access::make<result>(h);
  }
}

}  // namespace exprax::detail
