// SPDX-License-Identifier: BSL-1.0
// The indexing grammar on arrays outside of a trace: a(i), a(all, slice<1, 3>), a(mask, size<n>), a.at(i).add(v), each a program of
// one operation. What is known to the type stays in the type; numbers and arrays are arguments of the program.
#pragma once

#include <exprax/numpy/indexing/at.hpp>
#include <exprax/numpy/indexing/nonzero.hpp>

namespace exprax::detail {

// The place of a number, of an array, and of a fill value among indices and options.
struct value_slot {};
struct fill_slot {};
template <class I>
struct slot_of_index {
  using type = I;
};
template <class I>
  requires(array_like<I>)
struct slot_of_index<I> {
  using type = value_slot;
};
template <class V>
struct slot_of_index<fill_value_t<V>> {
  using type = fill_slot;
};
template <class I>
using slot_t = typename slot_of_index<I>::type;
template <class Slot>
inline constexpr bool has_a_value = std::is_same_v<Slot, value_slot> || std::is_same_v<Slot, fill_slot>;

// The values among arguments, as a tuple.
template <class I>
constexpr auto values_of(I const& i) {
  if constexpr (array_like<I>) return std::tuple<I>(i);
  else return std::tuple<>();
}
template <class V>
constexpr std::tuple<V> values_of(fill_value_t<V> const& f) {
  return f.values;
}

// f(argument of each slot), where values stand for slots in order.
template <class... Slots, class F, class Values>
constexpr auto call_with_slots(F const& f, Values const& values) {
  constexpr int n = static_cast<int>(sizeof...(Slots));
  return [&]<int... K>(std::integer_sequence<int, K...>) {
    auto const argument = [&]<class Slot, int At>(std::type_identity<Slot>, std::integral_constant<int, At>) {
      constexpr int before = [] {
        bool const given[] = {has_a_value<Slots>..., false};
        int k = 0;
        for (int i = 0; i < At; ++i) k += given[i];
        return k;
      }();
      if constexpr (std::is_same_v<Slot, value_slot>) return std::get<before>(values);
      else if constexpr (std::is_same_v<Slot, fill_slot>) return fill_value(std::get<before>(values));
      else return Slot{};
    };
    return f(argument(std::type_identity<Slots>{}, std::integral_constant<int, K>{})...);
  }(std::make_integer_sequence<int, n>{});
}

template <class... Slots>
struct array_read_op {
  template <operand X, operand... V>
  constexpr auto operator()(X const& x, V const&... values) const {
    return call_with_slots<Slots...>([&](auto const&... index) { return index_read(as_traced(x), index...); }, std::tuple<V...>(values...));
  }
};
// A deferred value among indices as a traced one.
template <class I>
constexpr decltype(auto) as_index_value(I const& i) {
  if constexpr (tracer<I>) return plain(i);
  else return (i);
}
template <class A, class... I>
constexpr auto read_array(A const& a, I const&... index) {
  if constexpr ((plain_tracer<I> || ...)) return index_read(lift(a), as_index_value(index)...);
  else
    return std::apply([&](auto const&... values) { return apply<array_read_op<slot_t<I>...>>(a, values...); },
                      std::tuple_cat(values_of(index)...));
}
template <class A, class... I>
constexpr auto read_array(A const& a, std::tuple<I...> const& index) {
  return std::apply([&](I const&... i) { return read_array(a, i...); }, index);
}
template <class T, int... D, class... I>
constexpr auto index_array(array<T, D...> const& a, I const&... index) {
  return read_array(a, index...);
}
template <class T, int... D, class... I>
constexpr auto index_array(view<T, D...> const& a, I const&... index) {
  return read_array(a, index...);
}

// The methods of x.at(...).
struct get_word {
  static constexpr auto call(auto const& at, auto const&... options) { return at.get(options...); }
};
struct set_word {
  static constexpr auto call(auto const& at, auto const& v, auto const&... options) { return at.set(v, options...); }
};
struct add_word {
  static constexpr auto call(auto const& at, auto const& v, auto const&... options) { return at.add(v, options...); }
};
struct subtract_word {
  static constexpr auto call(auto const& at, auto const& v, auto const&... options) { return at.subtract(v, options...); }
};
struct multiply_word {
  static constexpr auto call(auto const& at, auto const& v, auto const&... options) { return at.multiply(v, options...); }
};
struct divide_word {
  static constexpr auto call(auto const& at, auto const& v, auto const&... options) { return at.divide(v, options...); }
};
struct power_word {
  static constexpr auto call(auto const& at, auto const& v, auto const&... options) { return at.power(v, options...); }
};
struct min_word {
  static constexpr auto call(auto const& at, auto const& v, auto const&... options) { return at.min(v, options...); }
};
struct max_word {
  static constexpr auto call(auto const& at, auto const& v, auto const&... options) { return at.max(v, options...); }
};
template <class F>
struct apply_word {
  static constexpr auto call(auto const& at, auto const&... options) { return at.apply(F{}, options...); }
};

// Index: the slots of the indices; More: of what the method takes.
template <class Word, class Index, class... More>
struct array_at_op;
template <class Word, class... Index, class... More>
struct array_at_op<Word, type_list<Index...>, More...> {
  template <operand X, operand... V>
  constexpr auto operator()(X const& x, V const&... values) const {
    constexpr int n = static_cast<int>(sizeof...(Index));
    return call_with_slots<Index..., More...>(
        [&](auto const&... all) { return split<n>(as_traced(x), std::tuple<std::remove_cvref_t<decltype(all)>...>(all...)); },
        std::tuple<V...>(values...));
  }

 private:
  template <int N, class X, class All>
  static constexpr auto split(X const& x, All const& all) {
    constexpr int more = static_cast<int>(std::tuple_size_v<All>) - N;
    return [&]<int... K, int... M>(std::integer_sequence<int, K...>, std::integer_sequence<int, M...>) {
      auto const at = make_at(x, std::get<K>(all)...);
      return Word::call(at, std::get<N + M>(all)...);
    }(std::make_integer_sequence<int, N>{}, std::make_integer_sequence<int, more>{});
  }
};

template <class A, class... I>
class array_at_ref {
 public:
  constexpr array_at_ref(A const& a, I const&... index) : a_(a), index_(index...) {}

  template <class... O>
  constexpr auto get(O const&... o) const {
    EXPRAX_TAKES("at(...).get", "mode_..., fill_value(v), indices_are_sorted, unique_indices, wrap_negative_indices<b>, size<n>", O...)
    return call<get_word>(o...);
    else return a_;
  }
  template <array_like V, class... O>
  [[nodiscard]] constexpr auto set(V const& v, O const&... o) const {
    EXPRAX_TAKES("at(...).set", "mode_..., indices_are_sorted, unique_indices, wrap_negative_indices<b>", O...)
    return call<set_word>(v, o...);
    else return a_;
  }
  template <scalar S, std::size_t N, class... O>
  [[nodiscard]] constexpr auto set(S const (&list)[N], O const&... o) const {
    EXPRAX_TAKES("at(...).set", "mode_..., indices_are_sorted, unique_indices, wrap_negative_indices<b>", O...)
    return set(asarray(list), o...);
    else return a_;
  }
  template <array_like V, class... O>
  [[nodiscard]] constexpr auto add(V const& v, O const&... o) const {
    EXPRAX_TAKES("at(...).add", "mode_..., indices_are_sorted, unique_indices, wrap_negative_indices<b>", O...)
    return call<add_word>(v, o...);
    else return a_;
  }
  template <array_like V, class... O>
  [[nodiscard]] constexpr auto subtract(V const& v, O const&... o) const {
    EXPRAX_TAKES("at(...).subtract", "mode_..., indices_are_sorted, unique_indices, wrap_negative_indices<b>", O...)
    return call<subtract_word>(v, o...);
    else return a_;
  }
  template <array_like V, class... O>
  [[nodiscard]] constexpr auto multiply(V const& v, O const&... o) const {
    EXPRAX_TAKES("at(...).multiply", "mode_..., indices_are_sorted, unique_indices, wrap_negative_indices<b>", O...)
    return call<multiply_word>(v, o...);
    else return a_;
  }
  template <array_like V, class... O>
  [[nodiscard]] constexpr auto mul(V const& v, O const&... o) const {
    EXPRAX_TAKES("at(...).mul", "mode_..., indices_are_sorted, unique_indices, wrap_negative_indices<b>", O...)
    return call<multiply_word>(v, o...);
    else return a_;
  }
  template <array_like V, class... O>
  [[nodiscard]] constexpr auto divide(V const& v, O const&... o) const {
    EXPRAX_TAKES("at(...).divide", "mode_..., indices_are_sorted, unique_indices, wrap_negative_indices<b>", O...)
    return call<divide_word>(v, o...);
    else return a_;
  }
  template <array_like V, class... O>
  [[nodiscard]] constexpr auto power(V const& v, O const&... o) const {
    EXPRAX_TAKES("at(...).power", "mode_..., indices_are_sorted, unique_indices, wrap_negative_indices<b>", O...)
    return call<power_word>(v, o...);
    else return a_;
  }
  template <array_like V, class... O>
  [[nodiscard]] constexpr auto min(V const& v, O const&... o) const {
    EXPRAX_TAKES("at(...).min", "mode_..., indices_are_sorted, unique_indices, wrap_negative_indices<b>", O...)
    return call<min_word>(v, o...);
    else return a_;
  }
  template <array_like V, class... O>
  [[nodiscard]] constexpr auto max(V const& v, O const&... o) const {
    EXPRAX_TAKES("at(...).max", "mode_..., indices_are_sorted, unique_indices, wrap_negative_indices<b>", O...)
    return call<max_word>(v, o...);
    else return a_;
  }
  template <class F, class... O>
  [[nodiscard]] constexpr auto apply(F const&, O const&... o) const {
    EXPRAX_TAKES("at(...).apply", "mode_..., indices_are_sorted, unique_indices, wrap_negative_indices<b>", O...)
    return call<apply_word<F>>(o...);
    else return a_;
  }

 private:
  template <class Word, class... More>
  constexpr auto call(More const&... more) const {
    return std::apply(
        [&](I const&... index) {
          if constexpr ((plain_tracer<I> || ...) || (plain_tracer<More> || ...))
            return Word::call(make_at(lift(a_), as_index_value(index)...), as_index_value(more)...);
          else
            return std::apply(
                [&](auto const&... values) {
                  return detail::apply<array_at_op<Word, type_list<slot_t<I>...>, slot_t<More>...>>(a_, values...);
                },
                std::tuple_cat(values_of(index)..., values_of(more)...));
        },
        index_);
  }
  A const& a_;
  std::tuple<I...> index_;
};
template <class A, class... I>
constexpr array_at_ref<A, I...> array_at(A const& a, I const&... index) {
  return {a, index...};
}
template <class A, class... I>
constexpr array_at_ref<A, I...> array_at(A const& a, std::tuple<I...> const& index) {
  return std::apply([&](I const&... i) { return array_at(a, i...); }, index);
}

template <class D>
struct row_major;
template <class S, class T, int... Dims>
struct row_major<deferred<S, T, Dims...>> : extents<strong_t<T>, Dims...> {
  static constexpr std::ptrdiff_t place(auto... index) { return extents<strong_t<T>, Dims...>::offset(index...); }
  static int index(int axis, std::ptrdiff_t place) {
    for (int k = extents<strong_t<T>, Dims...>::rank - 1; k > axis; --k) place /= extents<strong_t<T>, Dims...>::extent(k);
    return static_cast<int>(place % extents<strong_t<T>, Dims...>::extent(axis));
  }
};
template <class D>
auto element_at(D const& a, std::ptrdiff_t place) {
  return [&]<int... K>(std::integer_sequence<int, K...>) { return index_read(plain(a), row_major<D>::index(K, place)...); }
  (std::make_integer_sequence<int, D::rank>{});
}
// One element of a deferred value by C++ ints is among its elements.
template <class D, class... I>
constexpr auto index_deferred(D const& a, I const&... index) {
  if constexpr ((std::is_integral_v<I> && ...) && sizeof...(I) == D::rank && D::rank > 0) {
    using element = one_element<D>;
    using result = deferred<element, typename D::dtype_type>;
    if (__builtin_is_constant_evaluated()) {  // no conditional expression: g++ 12 would destroy its result twice
      typename D::traced const& x = a;
      if (a.is_only_traced()) return result(index_read(x, index...));
      return result(index_read(x, index...), element{a, row_major<D>::place(index...)});
    }
    return result({}, element{a, row_major<D>::place(index...)});
  } else {
    return read_array(a, index...);
  }
}
template <class D, class... I>
constexpr auto deferred_at(D const& a, I const&... index) {
  return array_at(a, index...);
}

}  // namespace exprax::detail
