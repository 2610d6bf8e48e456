// SPDX-License-Identifier: BSL-1.0
// Kernels that threads share must give the same bits for each number of threads.
#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <string_view>

#include <exprax/exprax.hpp>

namespace {

namespace ex = exprax;

// Not constexpr: compilers would try to fill the static arrays while they compile.
template <class T, int... D>
ex::array<T, D...> filled() {
  auto a = ex::array<T, D...>::full(0);
  unsigned state = 1;
  for (T& v : a) v = static_cast<T>((state = state * 1103515245u + 12345u) >> 16 & 1023) / static_cast<T>(8);
  return a;
}
template <class T, int... D>
ex::array<T, D...> const& numbers() {
  static ex::array<T, D...> const x = filled<T, D...>();
  return x;
}

template <class A>
bool same_bits(A const& a, A const& b) {
  return std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(*a.data())) == 0;
}
template <class A>
struct spec_of;
template <class T, int... D>
struct spec_of<ex::array<T, D...>> {
  static constexpr auto value = ex::spec<T, D...>;
};
template <auto const& F, class... X>
constexpr bool is_parallel = std::string_view(ex::lower(F)(spec_of<X>::value...).as_text("plan")).find("in parallel") != std::string_view::npos;

// The result by one thread, after the results by others have been compared with it.
template <auto const& F, class... X>
auto by_any_number(X const&... x) {
  static_assert(is_parallel<F, X...> == (EXPRAX_THREADS != 0));
  ex::num_threads(1);
  auto const r = ex::jit(F)(x...);
  for (int n : {2, 3, 7}) {
    ex::num_threads(n);
    CHECK(same_bits(ex::jit(F)(x...), r));
  }
  ex::num_threads(0);
  CHECK(same_bits(ex::jit(F)(x...), r));
  return r;
}

}  // namespace
