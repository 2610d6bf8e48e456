// SPDX-License-Identifier: BSL-1.0
// Laws of derivatives, for programs in double precision, of real and of complex numbers, which are transformed and interpreted at run time:
//   the tangent is the limit of differences        jvp(f)(x, v) = (f(x + h v) - f(x - h v)) / 2h
//   the cotangent is the transpose of the tangent  <J v, w> = <v, J' w>
//   both again for the program of the tangent, and for the program of the cotangent (second order)
// <a, b> is the sum of all a b, of complex numbers its real part: JAX transposes without conjugation. Defined once, in law.cpp: code that
// differentiates takes long to compile.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

#include "oracle.hpp"

namespace law {

namespace ex = exprax;

// Of each leaf its elements; of complex ones real and imaginary parts in turn.
using values = std::vector<std::vector<double>>;

// Elements as patterns, and a pointer to those of each input.
struct patterns {
  std::vector<std::vector<std::uint64_t>> bits;
  std::vector<std::uint64_t const*> first;

  patterns(ex::program_ref p, values const& in);
  ex::detail::span<std::uint64_t const*> pointers() const { return {first.data(), static_cast<int>(first.size())}; }
};
values numbers_of(ex::program_ref p, oracle::results const& out);
values run(ex::program_ref p, values const& in);
// Numbers in [-1, 1] that differ.
struct numbers {
  std::uint64_t state;
  double next() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) / 9007199254740992.0 * 2 - 1;
  }
  std::vector<double> like(ex::aval const& t) {
    std::vector<double> r;
    for (std::ptrdiff_t i = 0; i < t.pattern_count(); ++i) r.push_back(next());
    return r;
  }
};
// Numbers in [low, high], of complex ones both parts; integers from 0 to 3.
values arguments(ex::program_ref p, double low, double high, std::uint64_t seed);

// A random program may have loops without a reverse mode, functions without a forward mode, and no derivative at x; only some of its inputs
// have tangents then, and only some of its results cotangents. use: is called with the programs of the tangent and of the cotangent, and
// their arguments.
struct subject {
  std::string name;
  bool is_random = false;
  std::function<void(std::string const&, ex::program_ref, values const&)> use = {};
};
// How often a law was held against a program.
struct tally {
  int forward = 0, reverse = 0, not_smooth = 0;
};

// Checks the laws of a program at x; order: how often.
void check(subject const& s, ex::program_ref given, values const& x, int order, tally* seen = nullptr);
void check(char const* name, double low, double high, ex::program_ref p, int order = 2);

template <int... D>
using f64 = ex::expr<double, D...>;
template <class... Args>
struct of {
  template <class F>
  static ex::program_ref program(F) {
    return ex::detail::traced<F, Args...>::recorded;
  }
};

}  // namespace law
