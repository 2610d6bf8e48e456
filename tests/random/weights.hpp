// SPDX-License-Identifier: BSL-1.0
// What random programs consist of: a generator of random numbers, the same with every compiler, and the weights of what it chooses from.
#pragma once

#include <cstdint>

namespace random_programs {

class rng {
 public:
  constexpr explicit rng(std::uint32_t seed) : state_(seed * 2654435761u + 12345u) {
    for (int i = 0; i < 4; ++i) next();
  }
  constexpr std::uint32_t next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 33);
  }
  constexpr int below(int n) { return n <= 0 ? 0 : static_cast<int>(next() % static_cast<std::uint32_t>(n)); }
  constexpr bool chance(int percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

// The dtypes and shapes of a program's values, and its numbers.
enum class domain : std::uint8_t {
  exact,  // f64: small integers, whose sums and products are never rounded
  few,    // three dtypes, three shapes, small numbers: much fits together
  some,   // six dtypes, small arrays; NaN, infinities and -0 now and then
  all     // every dtype, keys, half and complex numbers too; rows that fill packs
};

struct weights {
  domain values = domain::all;
  // How often each kind of equation is chosen, relative to the others.
  int unary = 3, convert = 2, binary = 4, ternary = 2, movement = 3, dynamic = 3, reduction = 2;
  int order = 2, cumulative = 1, window = 1, contraction = 1, convolution = 1, random = 1, matrix = 1, other = 1;
  int call = 1, scan = 1, loop = 1, branches = 1, vmap = 2;
  bool functions = true;  // all elementary functions, or a few
  bool products = true;   // of floats; without them contraction changes no bit
  int prints = 0;         // in percent of the other equations
  int depth = 2;          // of blocks in blocks, at most
  bool dives = false;     // one chain of blocks is as deep as that
  int connected = 20;     // percent of the results that are made from what the last loop or branch made
  int mapped = 0;         // percent of the programs that have large arrays, and run loops on their rows
};

// Equations on whole arrays, with few blocks.
inline constexpr weights flat{.values = domain::some, .unary = 3, .convert = 1, .binary = 6, .ternary = 2, .movement = 4, .dynamic = 2, .reduction = 1,
                              .order = 0, .cumulative = 0, .window = 0, .contraction = 1, .convolution = 0, .random = 0, .matrix = 0, .other = 0,
                              .call = 1, .scan = 1, .loop = 0, .branches = 0, .vmap = 0, .functions = false, .connected = 0};
// Sums, products and movement without rounding.
inline constexpr weights exact{.values = domain::exact, .unary = 1, .convert = 0, .binary = 13, .ternary = 0, .movement = 4, .dynamic = 0, .reduction = 0,
                               .order = 0, .cumulative = 0, .window = 0, .contraction = 0, .convolution = 0, .random = 0, .matrix = 0, .other = 0,
                               .call = 1, .scan = 1, .loop = 0, .branches = 0, .vmap = 0, .functions = false, .connected = 0};
// Loops in branches in loops, six deep at most, with captured values, and carries that stay, swap or depend on each other.
inline constexpr weights nested{.values = domain::few, .unary = 1, .convert = 1, .binary = 6, .ternary = 1, .movement = 2, .dynamic = 3, .reduction = 1,
                                .order = 0, .cumulative = 0, .window = 0, .contraction = 0, .convolution = 0, .random = 0, .matrix = 0, .other = 0,
                                .call = 1, .scan = 2, .loop = 2, .branches = 2, .vmap = 0, .functions = false, .depth = 6, .dives = true, .connected = 85};
constexpr weights with_prints(weights w) {
  w.prints = 10;
  return w;
}
constexpr weights without_products(weights w) {
  w.products = false;
  return w;
}
// All primitives and all dtypes; half of the programs run in the lanes of a vmap.
inline constexpr weights wide{.mapped = 50};

}  // namespace random_programs
