// SPDX-License-Identifier: BSL-1.0
// x.at(index...).set(v), add, multiply, min, max, get: functional updates (jax.numpy.ndarray.at). The value broadcasts to
// what the index selects. Indices known while tracing name a region of x; with a traced one the update is a scatter.
// Updates out of range are dropped.
#pragma once

#include <exprax/numpy/update.hpp>

namespace exprax::detail {

template <class V, class Region>
inline constexpr bool covers = broadcasts_to<V, Region>;

template <class E, class... I>
class at_ref {
  using plan = indexed<E, I...>;

 public:
  constexpr explicit at_ref(E const& x, I const&... index) : x_(x), index_(index...) {
    static_assert(are_indices<E, I...>,
                  "exprax: an index must be a C++ int, a traced integer scalar, ex::all, ex::slice<...>, ex::newaxis or one ex::ellipsis "
                  "(for masks and "
                  "arrays of integers use ex::where, or vmap over the index)");
    static_assert(has_axes_for<E, I...>, "exprax: too many indices for the array");
    static_assert(selects_a_block<E, I...>, "exprax: a traced index beside a slice with a step: slice first, x(ex::slice<...>)(i)");
  }

  constexpr auto get() const {
    return std::apply([&](I const&... i) { return index_read(x_, i...); }, index_);
  }
  template <array_like V>
  constexpr E set(V const& v) const {
    return update<prim::scatter>(as_operand(v));
  }
  template <array_like V>
  constexpr E add(V const& v) const {
    return update<prim::scatter_add>(as_operand(v));
  }
  template <array_like V>
  constexpr E multiply(V const& v) const {
    return update<prim::scatter_mul>(as_operand(v));
  }
  template <array_like V>
  constexpr E mul(V const& v) const {
    return multiply(v);
  }
  template <array_like V>
  constexpr E min(V const& v) const {
    return update<prim::scatter_min>(as_operand(v));
  }
  template <array_like V>
  constexpr E max(V const& v) const {
    return update<prim::scatter_max>(as_operand(v));
  }

  template <prim P, class V>
  constexpr E update(V const& v) const {
    static_assert(covers<V, typename plan::result>,
                  "exprax: at(...).set, add, ...: the value does not broadcast to the shape that the index selects");
    if constexpr (!covers<V, typename plan::result> || plan::plan.result.size() == 0)
      return x_;
    else if constexpr (plan::plan.dynamic)
      return std::apply([&](I const&... i) { return update_dynamic<P, plan>(x_, v, i...); }, index_);
    else
      return std::apply([&](I const&... i) { return update_static<P, plan>(x_, v, i...); }, index_);
  }

 private:
  E x_;
  std::tuple<I...> index_;
};

template <class T, int... D, class... I>
constexpr at_ref<expr<T, D...>, I...> make_at(expr<T, D...> const& x, I const&... index) {
  return at_ref<expr<T, D...>, I...>(x, index...);
}

// One element by C++ ints, in few constexpr steps: index_read of the same says why. Values of other dtypes take the way of at_ref.
template <int... D>
inline constexpr int unit_broadcast_params[] = {(D * 0 + 1)...};

template <class T, int... D>
class element_ref {
  using E = expr<T, D...>;
  static constexpr int rank = static_cast<int>(sizeof...(D));

 public:
  template <class... I>
  constexpr explicit element_ref(E const& x, I const&... index)
      : x_(x),
        inside_(((static_cast<int>(index) < D && static_cast<int>(index) >= -D) && ...)),
        at_{(static_cast<int>(index) < 0 ? static_cast<int>(index) + D : static_cast<int>(index))...} {}

  constexpr expr<T> get() const { return read(std::make_integer_sequence<int, rank>{}); }
  template <array_like V>
  constexpr E set(V const& v) const {
    return update<prim::scatter>(as_operand(v));
  }
  template <array_like V>
  constexpr E add(V const& v) const {
    return update<prim::scatter_add>(as_operand(v));
  }
  template <array_like V>
  constexpr E multiply(V const& v) const {
    return update<prim::scatter_mul>(as_operand(v));
  }
  template <array_like V>
  constexpr E mul(V const& v) const {
    return multiply(v);
  }
  template <array_like V>
  constexpr E min(V const& v) const {
    return update<prim::scatter_min>(as_operand(v));
  }
  template <array_like V>
  constexpr E max(V const& v) const {
    return update<prim::scatter_max>(as_operand(v));
  }

 private:
  template <int... K>
  constexpr expr<T> read(std::integer_sequence<int, K...>) const {
    return index_read(x_, at_[K]...);
  }
  template <prim P, class V>
  constexpr E update(V const& v) const {
    // Not with ?:, after which g++ 12 destroys a handle twice in constant evaluation.
    if (!inside_) return x_;
    if constexpr (std::is_same_v<V, expr<T>>)
      return record<P>(v, std::make_integer_sequence<int, rank>{});
    else
      return other<P>(v, std::make_integer_sequence<int, rank>{});
  }
  template <prim P, int... K>
  constexpr E record(expr<T> const& v, std::integer_sequence<int, K...>) const {
    int const params[] = {0, at_[K]..., (D * 0 + 1)..., (D * 0 + 1)...};
    return bind<E>(P, params, x_, bind<unit_expr<T, D...>>(prim::broadcast_in_dim, unit_broadcast_params<D...>, v));
  }
  template <prim P, class V, int... K>
  constexpr E other(V const& v, std::integer_sequence<int, K...> axes) const {
    if constexpr (number<V> && std::is_same_v<promote_t<T, type_in<V>>, T>)
      return record<P>(update_value<T>(x_, v), axes);
    else
      return at_ref<E, decltype(K)...>(x_, at_[K]...).template update<P>(v);
  }

  E x_;
  bool inside_;
  int at_[sizeof...(D)];
};

template <class T, int... D, std::integral... I>
  requires(sizeof...(I) == sizeof...(D) && sizeof...(D) > 0 && !(std::same_as<I, bool> || ...))
constexpr element_ref<T, D...> make_at(expr<T, D...> const& x, I const&... index) {
  return element_ref<T, D...>(x, index...);
}

}  // namespace exprax::detail
