// SPDX-License-Identifier: BSL-1.0
// given<"id">(f): f has the results of that reference on its inputs, bit for bit, by the interpreter and by jit. given_near<"id">(f):
// by jit, each number within a relative error (transcendental functions, sums in another order).
#pragma once

#include <cmath>
#include <string>

#include "api/cases.hpp"
#include "cases/data.hpp"

namespace cases {

template <ex::detail::fixed_string Id, class F>
void given(F const& f) {
  INFO(std::string(Id.view()));
  std::apply([&](auto const&... x) { gives(f, reference<Id>::out(), x...); }, reference<Id>::in());
}

template <ex::detail::fixed_string Id, class F>
void given_near(F const& f, double tolerance = 2e-6) {
  INFO(std::string(Id.view()));
  auto const results = std::apply([&](auto const&... x) { return ex::jit(f)(x...); }, reference<Id>::in());
  std::vector<double> want, got;
  auto const collect = [](std::vector<double>& to) {
    return [&to](auto const& leaf) {
      for (std::ptrdiff_t i = 0; i < leaf.size(); ++i) to.push_back(static_cast<double>(leaf.data()[i]));
    };
  };
  auto const expected = reference<Id>::out();
  ex::detail::for_each_leaf(expected, collect(want));
  ex::detail::for_each_leaf(results, collect(got));
  REQUIRE(want.size() == got.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    bool const both_nan = want[i] != want[i] && got[i] != got[i];
    CHECK((both_nan || want[i] == got[i] || std::abs(want[i] - got[i]) <= tolerance * (1 + std::abs(want[i]))));
  }
}

}  // namespace cases
