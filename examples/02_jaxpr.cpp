// SPDX-License-Identifier: BSL-1.0
// What a function does, as text: its jaxpr, its StableHLO, the shape of its result, and the memory that its kernel takes. All of it are
// constants: the compiler made them, and static_assert can hold them.
#include <iostream>

#include <exprax/core.hpp>

namespace ex = exprax;

constexpr auto f = [](auto first, auto second) {
  auto temp = first + ex::sin(second) * 3.0f;
  return ex::sum(temp);
};

// The example of JAX's documentation, and its text.
static_assert(ex::make_jaxpr(f)(ex::f32<8>, ex::f32<8>) == R"({ lambda ; a:f32[8] b:f32[8]. let
    c:f32[8] = sin b
    d:f32[8] = mul c 3.0:f32[]
    e:f32[8] = add a d
    f:f32[] = reduce_sum[axes=(0,) out_sharding=None] e
  in (f,) })");
static_assert(ex::eval_shape(f, ex::f32<8>, ex::f32<8>) == ex::f32<>);

// A Python loop is unrolled while tracing, and so is a C++ loop. fori_loop stays a loop.
constexpr auto unrolled = [](auto x) {
  for (int i = 0; i < 3; ++i) x = x * 2.0f;
  return x;
};
constexpr auto looped = [](auto x) { return ex::fori_loop(0, 3, [](auto, auto c) { return c * 2.0f; }, x); };

int main() {
  std::cout << "unrolled = " << ex::make_jaxpr(unrolled)(ex::f32<>) << "\n\n";
  std::cout << "looped = " << ex::make_jaxpr(looped)(ex::f32<>) << "\n\n";
  std::cout << ex::lower(unrolled)(ex::f32<>).as_text() << "\n\n";
  std::cout << "bytes of scratch in f's kernel: " << ex::jit(f).memory_analysis(ex::f32<8>, ex::f32<8>).temp_size_in_bytes << '\n';
}
