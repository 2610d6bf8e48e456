// SPDX-License-Identifier: BSL-1.0
// x.at(index...): functional updates (numpy/indexing/at_ref.hpp), and those of one element by C++ ints, in few constexpr steps.
#pragma once

#include <exprax/numpy/core/creation.hpp>
#include <exprax/numpy/indexing/at_ref.hpp>
#include <exprax/numpy/indexing/update.hpp>

namespace exprax::detail {

// One element by C++ ints, in few constexpr steps, because loops that are unrolled while tracing write thousands: the equation that runs.
// Texts have JAX's scatter in its place (legalize/element_scatters.hpp). What is rarer takes the way of at_ref.
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
        at_{static_cast<int>(index)...} {}

  constexpr expr<T> get() const { return read(std::make_integer_sequence<int, rank>{}); }
  template <class... Options>
    requires(sizeof...(Options) > 0)
  constexpr auto get(Options const&... options) const {
    return general().get(options...);
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
  template <array_like V, class First, class... Options>
  constexpr E set(V const& v, First first, Options... options) const {
    return general().set(v, first, options...);
  }
  template <array_like V, class First, class... Options>
  constexpr E add(V const& v, First first, Options... options) const {
    return general().add(v, first, options...);
  }
  template <array_like V, class First, class... Options>
  constexpr E multiply(V const& v, First first, Options... options) const {
    return general().multiply(v, first, options...);
  }
  template <array_like V, class First, class... Options>
  constexpr E mul(V const& v, First first, Options... options) const {
    return general().mul(v, first, options...);
  }
  template <array_like V, class First, class... Options>
  constexpr E min(V const& v, First first, Options... options) const {
    return general().min(v, first, options...);
  }
  template <array_like V, class First, class... Options>
  constexpr E max(V const& v, First first, Options... options) const {
    return general().max(v, first, options...);
  }
  template <array_like V, class... Options>
  constexpr E subtract(V const& v, Options... options) const {
    return general().subtract(v, options...);
  }
  template <array_like V, class... Options>
  constexpr auto divide(V const& v, Options... options) const {
    return general().divide(v, options...);
  }
  template <array_like V, class... Options>
  constexpr auto power(V const& v, Options... options) const {
    return general().power(v, options...);
  }
  template <class F, class... Options>
  constexpr E apply(F const& f, Options... options) const {
    return general().apply(f, options...);
  }

 private:
  template <int... K>
  constexpr auto general_of(std::integer_sequence<int, K...>) const {
    return at_ref<E, decltype(K)...>(x_, at_[K]...);
  }
  constexpr auto general() const { return general_of(std::make_integer_sequence<int, rank>{}); }
  template <int... K>
  constexpr expr<T> read(std::integer_sequence<int, K...>) const {
    return index_read(x_, at_[K]...);
  }
  template <prim P, class V>
  constexpr E update(V const& v) const {
    // Not with ?:, after which g++ 12 destroys a handle twice in constant evaluation.
    if (!inside_) return general().template update<P, index_options<>>(v);
    if constexpr (std::is_same_v<V, expr<T>>)
      return record<P>(v, std::make_integer_sequence<int, rank>{});
    else if constexpr (number<V> && std::is_same_v<promote_t<T, type_in<V>>, T>)
      return record<P>(update_value<T>(x_, v), std::make_integer_sequence<int, rank>{});
    else
      return general().template update<P, index_options<>>(v);
  }
  template <prim P, int... K>
  constexpr E record(expr<T> const& v, std::integer_sequence<int, K...>) const {
    int const params[] = {(at_[K] < 0 ? at_[K] + D : at_[K])..., (D * 0 + 1)...};
    return detail::bind<E>(update_of_slice(P), params, x_,
                           detail::bind<unit_expr<T, D...>>(prim::broadcast_in_dim, unit_broadcast_params<D...>, v));
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
