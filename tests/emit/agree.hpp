// SPDX-License-Identifier: BSL-1.0
// agree<F, Args...>(): the emitted code of a traced function gives the bits that the reference interpreter gives for the same
// optimized program, at run time with packs; checked at compile time as well where asked.
#pragma once

#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include "oracle.hpp"

#include <exprax/exprax.hpp>

namespace emit_test {

using namespace exprax;

template <class Traced>
struct optimized_source {
  static constexpr program make() { return optimize(Traced::ref); }
};

// Numbers that are no multiples of each other; with signs, and some zeros.
template <class T>
constexpr T element(std::uint32_t& state) {
  state = state * 1664525u + 1013904223u;
  int const n = static_cast<int>(state >> 20) - 2048;
  if constexpr (std::is_same_v<T, bool>) return (n & 1) != 0;
  else if constexpr (std::is_floating_point_v<T>) return n % 17 == 0 ? T(-0.0) : static_cast<T>(n) / T(256);
  else return static_cast<T>(n % 100);
}

template <class P, class Types>
struct runner;
template <class P, class... In, class... Out>
struct runner<P, std::tuple<std::tuple<In...>, std::tuple<Out...>>> {
  // Returns the number of elements that differ in their bits.
  static int differences(std::uint32_t seed) {
    program_ref const p = P::ref;
    std::tuple<std::vector<std::uint64_t>, int> none;
    (void)none;
    std::tuple<std::unique_ptr<In[]>...> in;
    std::vector<std::vector<std::uint64_t>> in_bits;
    int k = 0;
    auto fill = [&](auto& elements) {
      using T = std::remove_reference_t<decltype(elements[0])>;
      std::ptrdiff_t const n = p.type(p.ins(p.main())[k++]).size();
      elements.reset(new T[static_cast<std::size_t>(n) + 1]);
      std::vector<std::uint64_t> bits;
      for (std::ptrdiff_t i = 0; i < n; ++i) {
        elements[static_cast<std::size_t>(i)] = element<T>(seed);
        bits.push_back(exprax::detail::to_bits(elements[static_cast<std::size_t>(i)]));
      }
      in_bits.push_back(bits);
    };
    std::apply([&](auto&... e) { (fill(e), ...); }, in);
    exprax::detail::arena<std::uint64_t const*> pointers;
    for (auto const& b : in_bits) pointers.push(b.data());
    auto const expected = oracle::interpret(p, pointers);

    std::tuple<std::unique_ptr<Out[]>...> out;
    k = 0;
    auto allocate = [&](auto& elements) {
      using T = std::remove_reference_t<decltype(elements[0])>;
      elements.reset(new T[static_cast<std::size_t>(p.type(p.outs(p.main())[k++]).size()) + 1]());
    };
    std::apply([&](auto&... e) { (allocate(e), ...); }, out);
    exprax::detail::execute<P>(std::apply([](auto&... e) { return std::tuple<In const*...>(e.get()...); }, in),
                               std::apply([](auto&... e) { return std::tuple<Out*...>(e.get()...); }, out));
    int bad = 0;
    k = 0;
    auto compare = [&](auto& elements) {
      for (int i = 0; i < expected[k].size(); ++i) {
        auto const got = elements[static_cast<std::size_t>(i)];
        bool const both_nan = got != got && is_nan_bits(p.type(p.outs(p.main())[k]).type, expected[k][i]);
        bad += !both_nan && exprax::detail::to_bits(got) != expected[k][i];
      }
      ++k;
    };
    std::apply([&](auto&... e) { (compare(e), ...); }, out);
    return bad;
  }
  static bool is_nan_bits(dtype t, std::uint64_t bits) {
    if (t == dtype::f32) return exprax::detail::from_bits<float>(bits) != exprax::detail::from_bits<float>(bits);
    if (t == dtype::f64) return exprax::detail::from_bits<double>(bits) != exprax::detail::from_bits<double>(bits);
    return false;
  }
};

template <class P, class In, class Out>
struct types_of;
template <class P, int... I, int... O>
struct types_of<P, std::integer_sequence<int, I...>, std::integer_sequence<int, O...>> {
  using type = std::tuple<std::tuple<element_t<P::ref.type(P::ref.ins(P::ref.main())[I]).type>...>, std::tuple<element_t<P::ref.type(P::ref.outs(P::ref.main())[O]).type>...>>;
};

template <class P>
int differences(std::uint32_t seed) {
  using types = typename types_of<P, std::make_integer_sequence<int, P::ref.main().n_in>, std::make_integer_sequence<int, P::ref.main().n_out>>::type;
  return runner<P, types>::differences(seed);
}

template <class... Args, class F>
int differences_of(F, std::uint32_t seed = 1) {
  return differences<frozen<optimized_source<exprax::detail::traced<F, Args...>>>>(seed);
}

}  // namespace emit_test
