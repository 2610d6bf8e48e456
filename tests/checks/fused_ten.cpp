// SPDX-License-Identifier: BSL-1.0
// Ten operations with exp among them, fused: object_code.py looks at what becomes of them.
#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr auto fused_ten = [](auto x, auto y) {
  auto a = x * y + 0.5f;
  auto e = ex::exp(-ex::abs(a));
  auto b = e * x - y;
  auto c = ex::maximum(b, e);
  return c * c + e;
};

template <int N>
[[gnu::always_inline]] inline void run(float* out, float const* x, float const* y) {
  ex::view<float, N> result(out);
  ex::jit(fused_ten).into(result, ex::view<float const, N>(x), ex::view<float const, N>(y));
}

}  // namespace

extern "C" void kernel_1000(float* out, float const* x, float const* y) { run<1000>(out, x, y); }
extern "C" void kernel_1003(float* out, float const* x, float const* y) { run<1003>(out, x, y); }
extern "C" void kernel_1000000(float* out, float const* x, float const* y) { run<1000000>(out, x, y); }
