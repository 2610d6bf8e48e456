// SPDX-License-Identifier: BSL-1.0
// What object_code.py must accept, and what it must not.
#include <cmath>

#include <xsimd/xsimd.hpp>

using pack = xsimd::batch<float>;

extern "C" void kernel_by_hand(float* out, float const* x, float const* y, int packs) {
  for (int i = 0; i < packs; ++i) {
    pack const a = pack::load_unaligned(x) * pack::load_unaligned(y);
    xsimd::exp(a + 0.5f).store_unaligned(out);
    x += pack::size;
    y += pack::size;
    out += pack::size;
  }
}
extern "C" void broken_by_two_loops(float* out, float const* x, int packs) {
  for (int i = 0; i < packs; ++i) (pack::load_unaligned(x + i) * 2.0f).store_unaligned(out + i);
  asm volatile("" ::: "memory");
  for (int i = 0; i < packs; ++i) (pack::load_unaligned(out + i) * 3.0f).store_unaligned(out + i);
}
extern "C" void broken_by_a_call(float* out, float const* x, int n) {
  for (int i = 0; i < n; ++i) out[i] = std::exp(x[i]);
}
extern "C" void broken_by_a_spill(float* out, float const* x, int packs) {
  pack sum(0.0f);
  for (int i = 0; i < packs; ++i) {
    sum = sum + pack::load_unaligned(x + i);
    asm volatile("" ::: "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
                 "xmm13", "xmm14", "xmm15"
#ifdef __AVX512F__
                 , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", "xmm28",
                 "xmm29", "xmm30", "xmm31"
#endif
    );
  }
  sum.store_unaligned(out);
}
