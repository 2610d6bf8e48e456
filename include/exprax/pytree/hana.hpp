// SPDX-License-Identifier: BSL-1.0
// Boost.Hana's tuples and maps as pytrees. A map acts as a dictionary: its keys are Hana strings, its leaves keep the order in which the
// map was made.
#pragma once

#include <boost/hana/at.hpp>
#include <boost/hana/at_key.hpp>
#include <boost/hana/first.hpp>
#include <boost/hana/integral_constant.hpp>
#include <boost/hana/keys.hpp>
#include <boost/hana/map.hpp>
#include <boost/hana/pair.hpp>
#include <boost/hana/string.hpp>
#include <boost/hana/tuple.hpp>

#include <exprax/pytree/node.hpp>

namespace exprax::detail {

template <class... T>
struct node<boost::hana::tuple<T...>> {
  static constexpr std::size_t size = sizeof...(T);
  template <std::size_t I, class Tree>
  static constexpr auto& child(Tree& t) {
    return boost::hana::at_c<I>(t);
  }
  template <class... R>
  static constexpr boost::hana::tuple<std::remove_cvref_t<R>...> make(R&&... r) {
    return boost::hana::tuple<std::remove_cvref_t<R>...>(std::forward<R>(r)...);
  }
};

template <class T>
concept hana_map = requires { typename T::hana_tag; } && std::is_same_v<typename T::hana_tag, boost::hana::map_tag>;

template <hana_map T>
struct node<T> {
  using keys = decltype(boost::hana::keys(std::declval<T const&>()));
  template <std::size_t I>
  using key = std::remove_cvref_t<decltype(boost::hana::at_c<I>(std::declval<keys const&>()))>;
  static constexpr std::size_t size = decltype(boost::hana::length(std::declval<T const&>()))::value;

  template <std::size_t I, class Tree>
  static constexpr auto& child(Tree& t) {
    return boost::hana::at_key(t, key<I>{});
  }
  template <class... R>
  static constexpr auto make(R&&... r) {
    return make_map(std::index_sequence_for<R...>{}, std::forward<R>(r)...);
  }
  template <std::size_t... I, class... R>
  static constexpr auto make_map(std::index_sequence<I...>, R&&... r) {
    return boost::hana::make_map(boost::hana::make_pair(key<I>{}, std::forward<R>(r))...);
  }
};

}  // namespace exprax::detail
