// SPDX-License-Identifier: BSL-1.0
// The law of vmap for functions of scalars: row i of jit(vmap(f))(xs, ...) is jit(f)(xs[i], ...), bit for bit, whatever stands in the
// rows beside it. Rows are drawn from small numbers, zeros of both signs, subnormals, the largest numbers, arguments for which
// trigonometric functions need many digits of pi, infinities and NaN; in each round every one of them is in another lane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace laws {

namespace ex = exprax;

// The elements of T in one register: batches around this size end in another way.
template <class T>
inline constexpr int in_register = ex::simd::register_bytes / static_cast<int>(sizeof(T));
template <class T>
inline constexpr int lanes = in_register<T> > 1 ? in_register<T> : 2;

inline constexpr int n_values = 29;  // a prime: every stride visits all of them
template <class T>
constexpr T value_of(int k) {
  using limits = std::numeric_limits<T>;
  if constexpr (std::is_same_v<T, bool>) {
    return k % 3 != 0;
  } else if constexpr (std::is_floating_point_v<T>) {
    constexpr bool wide = sizeof(T) == 8;
    T const of[n_values] = {T(0),
                            T(1),
                            limits::quiet_NaN(),
                            T(-2.5),
                            T(1e5),
                            limits::infinity(),
                            T(0.25),
                            wide ? T(1e300) : T(1e30f),
                            T(-0.0),
                            limits::denorm_min(),
                            T(3),
                            -limits::infinity(),
                            T(-1e22f),
                            T(-1),
                            T(0.75),
                            limits::max(),
                            T(-limits::min() / 4),
                            T(52707178.53),  // 2^24 pi
                            T(88.75),
                            T(-103.9),
                            T(7),
                            T(-0.001),
                            limits::lowest(),
                            limits::min(),
                            T(0.99999994f),
                            wide ? T(-8.2e15) : T(-1e10f),
                            T(3.14159265358979),
                            wide ? T(1e-310) : T(1e-41f),
                            T(-7.5)};
    return of[k];
  } else {
    T const of[n_values] = {T(0),  T(1),  limits::max(), T(2),  static_cast<T>(-1), T(7),  limits::min(), T(31), static_cast<T>(-5), T(3),
                            T(32), T(27), T(10),         T(97), static_cast<T>(-7), T(12), T(64),         T(5),  static_cast<T>(-2), T(6),
                            T(9),  T(54), T(13),         T(19), static_cast<T>(-9), T(33), T(4),          T(11), static_cast<T>(-128)};
    return of[k];
  }
}

template <class T>
bool same_bits(T a, T b) {
  return (a != a && b != b) || ex::detail::to_bits(a) == ex::detail::to_bits(b);
}
// How many results differ in row i.
template <class... A, class... B>
int differing(std::tuple<A...> const& one, std::tuple<B...> const& all, std::ptrdiff_t i) {
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    return (0 + ... + !same_bits(std::get<K>(one).data()[0], std::get<K>(all).data()[i]));
  }(std::index_sequence_for<A...>{});
}

// How the rows are run. On whole arrays: where jit runs them in lanes, batched before it is planned.
enum class batching { once, on_whole_arrays, twice };

// F: a function of scalars T... that gives a tuple of scalars. Each size is a program of its own.
template <class F, class... T>
struct lane_law {
  template <int... Sizes>
  static void check(std::string const& what) {
    (check_rows<batching::once, Sizes>(what), ...);
  }
  template <int... Sizes>
  static void check_whole_arrays(std::string const& what) {
    (check_rows<batching::on_whole_arrays, Sizes>(what + ", on whole arrays"), ...);
  }
  // The outer vmap has the last axis, the inner one the first.
  template <int Inner, int Outer>
  static void check_twice(std::string const& what) {
    check_rows<batching::twice, Inner, Outer>(what + ", twice");
  }

 private:
  template <batching How, int... D>
  static void check_rows(std::string const& what) {
    INFO(what);
    std::tuple<ex::array<T, D...>...> x{ex::array<T, D...>::full(T(0))...};
    constexpr int n = (1 * ... * D);
    INFO("rows: ", n);
    int wrong = 0;
    for (int round = 0; round < n_values; ++round) {
      fill(x, round, std::index_sequence_for<T...>{});
      auto const all = std::apply([](ex::array<T, D...> const&... a) { return results<How>(a...); }, x);
      for (std::ptrdiff_t i = 0; i < n; ++i)
        wrong += differing(std::apply([&](auto const&... a) { return ex::jit(F{})(ex::array<T>::full(a.data()[i])...); }, x), all, i);
    }
    CHECK(wrong == 0);
  }
  template <class>
  static constexpr int last = -1;
  template <batching How, int... D>
  static auto results(ex::array<T, D...> const&... a) {
    if constexpr (How == batching::twice) {
      return ex::jit(ex::vmap(ex::vmap(F{}), ex::in_axes<last<T>...>, ex::out_axes<-1>))(a...);
    } else {
      auto out = ex::jit(ex::vmap(F{}))(a...);
      if constexpr (How == batching::on_whole_arrays) {
        using traced = ex::detail::traced<ex::detail::vmapped<F, ex::detail::vmap_options<>>, ex::expr<T, D...>...>;
        using program = ex::detail::optimized_within<traced, false>;
        std::apply([&](auto&... r) { ((r = std::remove_reference_t<decltype(r)>::full(0)), ...); }, out);
        std::apply([&](auto&... r) { ex::detail::execute<program>(std::tuple(a.data()...), std::tuple(r.data()...)); }, out);
      }
      return out;
    }
  }
  template <class X, std::size_t... K>
  static void fill(X& x, int round, std::index_sequence<K...>) {
    auto const one = [&](auto& a, int k) {
      using E = typename std::remove_reference_t<decltype(a)>::value_type;
      for (int i = 0; i < static_cast<int>(a.size()); ++i)
        a.data()[i] = value_of<E>((i * (7 + 4 * k) + round * (1 + 4 * k) + 3 * k) % n_values);
    };
    (one(std::get<K>(x), static_cast<int>(K)), ...);
  }
};

}  // namespace laws
