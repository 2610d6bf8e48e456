// SPDX-License-Identifier: BSL-1.0
// Sums of a few packs and a part of one: object_code.py looks at what becomes of them.
#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr auto sum = [](auto x) { return ex::sum(x); };
constexpr auto squares = [](auto x) { return ex::sum(x * x); };

template <int N, class F>
[[gnu::always_inline]] inline float run(F const& f, float const* x) {
  return ex::jit(f)(ex::view<float const, N>(x));
}

}  // namespace

extern "C" float straight_17(float const* x) { return run<17>(sum, x); }
extern "C" float straight_30(float const* x) { return run<30>(sum, x); }
extern "C" float straight_squares_30(float const* x) { return run<30>(squares, x); }

// Through memory, as what is stored in parts and loaded as a whole.
extern "C" float broken_straight_sum(float const* x, int n) {
  alignas(16) volatile float parts[4] = {};
  for (int i = 0; i < n; ++i) parts[i] = x[i];
  return parts[0] + parts[1] + parts[2] + parts[3];
}
