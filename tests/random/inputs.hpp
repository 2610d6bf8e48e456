// SPDX-License-Identifier: BSL-1.0
// Inputs of random programs, and what is equal.
#pragma once

#include <exprax/program/program.hpp>
#include <exprax/types/element.hpp>
#include <random/mixture.hpp>

namespace random_programs {

using namespace exprax;
using detail::arena;
using detail::span;

// Elements for an input, as patterns: small numbers, with NaN, infinities and -0 now and then.
constexpr arena<std::uint64_t> random_elements(aval const& t, std::uint32_t seed, mixture const& w = {}) {
  rng r(seed);
  arena<std::uint64_t> e;
  for (std::ptrdiff_t i = 0; i < t.size(); ++i)
    e.push(detail::with_element(t.type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      int const k = r.below(40);
      if constexpr (std::is_floating_point_v<T>) {
        if (w.values == domain::exact) return detail::to_bits(static_cast<T>(k % 7 - 3));
        bool const single = std::is_same_v<T, float>;
        if (k == 0) return single ? std::uint64_t{0x7fc00000u} : std::uint64_t{0x7ff8000000000000u};
        if (k == 1) return (single ? std::uint64_t{0x7f800000u} : std::uint64_t{0x7ff0000000000000u}) | (r.chance(50) ? single ? 0x80000000u : 0x8000000000000000u : 0u);
        if (k == 2) return single ? std::uint64_t{0x80000000u} : std::uint64_t{0x8000000000000000u};
        if (k < 12) return detail::to_bits(static_cast<T>(k - 7));
        return detail::to_bits(static_cast<T>(r.below(20001) - 10000) / T(2048));
      } else if constexpr (std::is_same_v<T, bool>) {
        return std::uint64_t(k & 1);
      } else {
        return k == 0 ? detail::to_bits(static_cast<T>(-1)) : k == 1 ? detail::to_bits(static_cast<T>(T(1) << (8 * sizeof(T) - 1))) : detail::to_bits(static_cast<T>(k - 8));
      }
    }));
  return e;
}

// Elements for all inputs of a program.
constexpr arena<arena<std::uint64_t>> random_inputs(program_ref p, std::uint32_t seed, mixture const& w = {}) {
  arena<arena<std::uint64_t>> in;
  for (int v : p.ins(p.main())) {
    in.push(random_elements(p.type(v), seed, w));
    seed += 101;
  }
  return in;
}

// Equal bit for bit; all NaN are one.
constexpr bool same_element(dtype t, std::uint64_t a, std::uint64_t b) {
  if (a == b) return true;
  auto const is_nan = [t](std::uint64_t x) { return t == dtype::f32 ? (x & 0x7fffffffu) > 0x7f800000u : t == dtype::f64 && (x & 0x7fffffffffffffffu) > 0x7ff0000000000000u; };
  return is_nan(a) && is_nan(b);
}

}  // namespace random_programs
