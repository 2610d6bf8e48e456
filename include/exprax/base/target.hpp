// SPDX-License-Identifier: BSL-1.0
// target: what a plan is chosen for. A value, so that any compiler can plan for any machine; this_target is the one that is compiled for.
#pragma once

#include <exprax/base/config.hpp>

namespace exprax {

struct target {
  int register_bytes = 0;  // of a SIMD register; 0: there are none
  int registers = 16;
  int nearest_cache = 32768;  // bytes
  bool threads = EXPRAX_THREADS;
  bool halves_registers = false;  // operations on a register are carried out on one half after the other
  int short_products = 0;  // that one instruction sums as 32-bit integers: 4 of bytes or 2 of 16-bit integers, 2 of these, or 0

  // Elements of so many bytes in a register.
  constexpr int lanes_for(int bytes) const { return register_bytes > bytes ? register_bytes / bytes : 1; }
  // Whether masks are bits; else they are vectors, as long as what was compared.
  constexpr bool has_mask_registers() const { return register_bytes == 64; }
};

// AVX-512 counts where masks are bits in registers of their own for every dtype; its subsets run with AVX2. Zen 4 halves registers; g++ 12
// calls it Zen 3.
#if !EXPRAX_SIMD
inline constexpr target this_target{};
#elif defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
inline constexpr target this_target = [] {
  target t{.register_bytes = 64, .registers = 32, .short_products = 2};
#if defined(__AVX512VNNI__)
  t.short_products = 4;
#endif
#if (defined(__znver3__) || defined(__znver4__)) && !defined(__AVXVNNI__)
  t.halves_registers = true;
#endif
  return t;
}();
#elif defined(__AVX2__)
#if defined(__AVXVNNI__)
inline constexpr target this_target{.register_bytes = 32, .short_products = 4};
#else
inline constexpr target this_target{.register_bytes = 32, .short_products = 2};
#endif
#elif defined(__AVX__)
inline constexpr target this_target{.register_bytes = 32};
#elif defined(__SSE2__)
inline constexpr target this_target{.register_bytes = 16, .short_products = 2};
#else
inline constexpr target this_target{.register_bytes = 16};
#endif

}  // namespace exprax
