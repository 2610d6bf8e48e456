// SPDX-License-Identifier: BSL-1.0
// What random programs consist of: a generator of random numbers, the same with every compiler, and the weights of what it chooses from.
#pragma once

#include <cstdint>

namespace random_programs {

// Compilers evaluate the arguments of a call in different orders: at most one of them may use it, or all in one braced list.
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
  smooth, // f64 and i32, few shapes: functions with derivatives, and numbers that stay small
  some,   // six dtypes, small arrays; NaN, infinities and -0 now and then
  all     // every dtype, keys, half and complex numbers too; rows that fill packs
};

struct mixture {
  domain values = domain::all;
  // How often each kind of equation is chosen, relative to the others.
  int unary = 0, convert = 0, binary = 0, ternary = 0, movement = 0, dynamic = 0, reduction = 0, contraction = 0;
  int order = 0, cumulative = 0, window = 0, convolution = 0, random = 0, matrix = 0, positions = 0, other = 0;
  int call = 0, scan = 0, loop = 0, branches = 0, vmap = 0;
  int checkpoint = 0, custom_jvp = 0, custom_vjp = 0;  // in the smooth domain
  bool functions = false;  // all elementary functions and reductions, or a few
  bool products = true;    // of floats; without them contraction changes no bit
  int prints = 0;          // in percent of the other equations
  int depth = 2;           // of blocks in blocks, at most
  bool dives = false;      // one chain of blocks is as deep as that
  int connected = 0;       // percent of the results that are made from what the last loop or branch made
  int mapped = 0;          // percent of the programs that have large arrays, and run loops on their rows
};

// Equations on whole arrays, with few blocks.
inline constexpr mixture flat{.values = domain::some, .unary = 3, .convert = 1, .binary = 6, .ternary = 2, .movement = 4, .dynamic = 2, .reduction = 1,
                              .contraction = 1, .call = 1, .scan = 1};
// Sums, products and movement without rounding.
inline constexpr mixture exact{.values = domain::exact, .unary = 1, .binary = 13, .movement = 4, .call = 1, .scan = 1};
// Loops in branches in loops, six deep at most, with captured values, and carries that stay, swap or depend on each other.
inline constexpr mixture nested{.values = domain::few, .unary = 1, .convert = 1, .binary = 6, .ternary = 1, .movement = 2, .dynamic = 3, .reduction = 1,
                                .call = 1, .scan = 2, .loop = 2, .branches = 2, .depth = 6, .dives = true, .connected = 85};
// All primitives and all dtypes; half of the programs have loops on the rows of large arrays.
inline constexpr mixture wide{.unary = 3, .convert = 2, .binary = 4, .ternary = 2, .movement = 3, .dynamic = 3, .reduction = 2, .contraction = 1, .order = 2,
                              .cumulative = 1, .window = 1, .convolution = 1, .random = 1, .matrix = 1, .positions = 1, .other = 1, .call = 1, .scan = 1,
                              .loop = 1, .branches = 1, .vmap = 2, .functions = true, .connected = 20, .mapped = 50};
// What has derivatives, in loops in branches in vmaps; without while_loops, which have no reverse mode, and rules for reverse mode alone.
inline constexpr mixture smooth{.values = domain::smooth, .unary = 5, .convert = 1, .binary = 6, .ternary = 2, .movement = 4, .dynamic = 3, .reduction = 2,
                                .contraction = 2, .order = 1, .cumulative = 1, .window = 1, .convolution = 1, .call = 2, .scan = 4, .branches = 4,
                                .vmap = 4, .checkpoint = 3, .custom_jvp = 2, .depth = 4, .dives = true, .connected = 85};
constexpr mixture with_loops(mixture w) {
  w.loop = 6;
  return w;
}
constexpr mixture with_custom_vjp(mixture w) {
  w.custom_vjp = 6;
  return w;
}
constexpr mixture with_prints(mixture w) {
  w.prints = 10;
  return w;
}
constexpr mixture without_products(mixture w) {
  w.products = false;
  return w;
}
}  // namespace random_programs
