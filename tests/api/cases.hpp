// SPDX-License-Identifier: BSL-1.0
// gives(f, outputs(...), args...): f on these arguments has these results, leaf by leaf: by the interpreter, before and after the
// passes, and by jit.
#pragma once

#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>
#include "oracle.hpp"

namespace cases {

namespace ex = exprax;
using elements = std::vector<std::uint64_t>;

// What is expected: an array for each leaf.
template <class... Array>
std::tuple<Array...> outputs(Array const&... a) {
  return {a...};
}

template <class Tree>
std::vector<elements> bits_in(Tree const& tree) {
  std::vector<elements> all;
  ex::detail::for_each_leaf(tree, [&](auto const& leaf) {
    auto const from = ex::detail::elements_of(leaf);
    std::ptrdiff_t n = 1;
    if constexpr (!ex::scalar<std::remove_cvref_t<decltype(leaf)>>) n = leaf.size();
    elements e;
    for (std::ptrdiff_t i = 0; i < n; ++i) e.push_back(ex::detail::to_bits(from.data()[i]));
    all.push_back(e);
  });
  return all;
}

inline std::vector<elements> interpreted(ex::program_ref p, std::vector<elements> const& in) {
  std::vector<std::uint64_t const*> pointers;
  for (elements const& e : in) pointers.push_back(e.data());
  std::vector<elements> out;
  for (auto const& r : oracle::interpret(p, {pointers.data(), static_cast<int>(pointers.size())})) out.emplace_back(r.begin(), r.end());
  return out;
}

// The dtypes and shapes are those of the expected arrays.
template <class Result, class Expected>
constexpr bool same_types = ex::detail::same_avals<ex::detail::leaves_t<Result>, ex::detail::leaves_t<Expected>>;

template <class F, class Expected, class... Args>
void gives(F const&, Expected const& expected, Args const&... args) {
  using traced = ex::detail::traced_with<F, Args...>;
  static_assert(same_types<typename traced::result, Expected>);
  auto const in = bits_in(std::tuple<Args...>(args...)), want = bits_in(expected);
  CHECK(oracle::is_well_formed(traced::ref));
  CHECK(interpreted(traced::ref, in) == want);
  ex::program const passed = oracle::optimize(traced::ref);
  CHECK(oracle::is_well_formed(passed.ref()));
  CHECK(interpreted(passed.ref(), in) == want);
  auto const result = ex::jit(F{})(args...);
  CHECK(bits_in(result) == want);
}

}  // namespace cases
