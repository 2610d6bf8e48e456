// SPDX-License-Identifier: BSL-1.0
// auto [a, b] = x: the parts of x along its first axis, as Python unpacks arrays: auto [key, subkey] = random::split(k). By auto& the
// names are the elements of a vector themselves; rows are copies. And x(tuple), which is x of its elements: x(ix_(i, j)), x(nonzero<3>(x)).
#pragma once

#include <exprax/numpy/indexing/index_arrays.hpp>

namespace exprax {

template <std::size_t I, class T, int N, int... D>
constexpr auto get(array<T, N, D...> const& x) {
  return x(static_cast<int>(I));
}
template <std::size_t I, class T, int N>
constexpr T& get(array<T, N>& x) {
  return x(static_cast<int>(I));
}
template <std::size_t I, class T, int N, int... D>
constexpr auto get(expr<T, N, D...> const& x) {
  return x(static_cast<int>(I));
}
template <std::size_t I, class S, class T, int N, int... D>
constexpr auto get(deferred<S, T, N, D...> const& x) {
  return x(static_cast<int>(I));
}

namespace detail {

template <class T, int... D, class... I>
constexpr auto index_read(expr<T, D...> const& e, std::tuple<I...> const& index) {
  return std::apply([&](I const&... i) { return index_read(e, i...); }, index);
}
template <class T, int... D, class... I>
constexpr auto make_at(expr<T, D...> const& x, std::tuple<I...> const& index) {
  return std::apply([&](I const&... i) { return make_at(x, i...); }, index);
}

template <int N>
using parts_count = std::integral_constant<std::size_t, static_cast<std::size_t>(N)>;
template <std::size_t I, class X>
struct part {
  using type = decltype(exprax::get<I>(std::declval<X const&>()));
};

}  // namespace detail

}  // namespace exprax

template <class T, int N, int... D>
struct std::tuple_size<exprax::array<T, N, D...>> : exprax::detail::parts_count<N> {};
template <class T, int N, int... D>
struct std::tuple_size<exprax::expr<T, N, D...>> : exprax::detail::parts_count<N> {};
template <class S, class T, int N, int... D>
struct std::tuple_size<exprax::deferred<S, T, N, D...>> : exprax::detail::parts_count<N> {};
template <std::size_t I, class T, int N, int... D>
struct std::tuple_element<I, exprax::array<T, N, D...>> : exprax::detail::part<I, exprax::array<T, N, D...>> {};
template <std::size_t I, class T, int N, int... D>
struct std::tuple_element<I, exprax::expr<T, N, D...>> : exprax::detail::part<I, exprax::expr<T, N, D...>> {};
template <std::size_t I, class S, class T, int N, int... D>
struct std::tuple_element<I, exprax::deferred<S, T, N, D...>> : exprax::detail::part<I, exprax::deferred<S, T, N, D...>> {};
