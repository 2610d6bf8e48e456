// SPDX-License-Identifier: BSL-1.0
// Updates by a mask, x.at(mask).set(v): a selection, which needs no size that depends on data.
#pragma once

#include <exprax/numpy/indexing/update.hpp>

namespace exprax::detail {

// A mask alone, with the shape of the first axes of E.
template <class E, class... I>
inline constexpr bool masks_alone = [] {
  index_item const items[] = {item_of<I>::value..., index_item{}};
  if (sizeof...(I) != 1 || items[0].kind != index_kind::mask || items[0].array.rank > E::rank) return false;
  for (int i = 0; i < items[0].array.rank; ++i)
    if (items[0].array.dims[i] != E::type.dims[i]) return false;
  return true;
}();

// The shape of the axes of E that the mask does not have.
template <class E, class... Mask>
struct row_shape {
  static constexpr aval value = [] {
    aval a(E::type.type);
    int const lead = (0 + ... + rank_in<Mask>);
    for (int i = lead; i < E::rank; ++i) a.dims[a.rank++] = E::type.dims[i];
    return a;
  }();
};
// Conditions of static_asserts: compilers print the types.
template <class E, class V, class... Mask>
inline constexpr bool covers_a_row = broadcasts_to<V, row_shape<E, Mask...>>;

// The new elements where the mask is true. A value broadcasts to the last axes of x.
template <prim P, class E, class Mask, class V>
constexpr E select_by_mask(E const& x, Mask const& mask, V const& value) {
  using type = promote_t<type_in<E>, type_in<V>>;
  auto&& target = cast<type>(x);
  using out = std::remove_cvref_t<decltype(target)>;
  handle const old = expr_access::get(target);
  handle const v = untyped::broadcast_to(expr_access::get(update_value<type>(x, value)), out::type);
  handle const both[] = {old, v};
  // Not with ?:, after which g++ 12 ends a handle twice.
  handle fresh = v, which = expr_access::get(mask);
  if constexpr (P != prim::scatter) fresh = equation(primitive<P>::traits.combiner, both, {}, out::type);
  int places[max_rank] = {};
  for (int i = 0; i < Mask::rank; ++i) places[i] = i;
  if constexpr (Mask::rank != 0 && Mask::rank != E::rank) which = untyped::broadcast_in_dim(which, E::type, {places, Mask::rank});
  handle const in[] = {which, old, fresh};
  return restored<E>(expr_access::make<out>(equation(prim::select_n, in, {}, out::type)));
}

}  // namespace exprax::detail
