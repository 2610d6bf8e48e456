// SPDX-License-Identifier: BSL-1.0
// Instructions on a Cortex-M (microcontroller.py runs it in an emulator that takes a nanosecond for each): a layer of 64 inputs and 32
// outputs, a * b + c, exp and a sum, in floats and doubles, beside the plain C loop.
#include <cmath>
#include <cstdint>
#include <type_traits>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

// Counts down at 25 MHz, a step for each 40 instructions.
std::uint32_t volatile* const systick = reinterpret_cast<std::uint32_t volatile*>(0xE000E010);

void print(std::uint32_t n) {
  char text[12] = {};
  int at = 11;
  do text[--at] = static_cast<char>('0' + n % 10), n /= 10;
  while (n != 0);
  doctest::print(text + at);
}
template <class F>
std::uint32_t instructions(F f) {
  constexpr int calls = 64;
  systick[1] = 0xffffff;
  systick[2] = 0;
  systick[0] = 5;
  std::uint32_t const start = systick[2];
  for (int i = 0; i < calls; ++i) f();
  return ((start - systick[2]) & 0xffffff) * 40 / calls;  // it has 24 bits
}
template <class Ours, class Plain>
void row(char const* name, Ours ours, Plain plain) {
  doctest::print(name);
  doctest::print(" ");
  print(instructions(ours));
  doctest::print(" ");
  print(instructions(plain));
  doctest::print("\n");
}
void touch(void const* p) { asm volatile("" : : "r"(p) : "memory"); }

constexpr int inputs = 64, outputs = 32;
template <class T>
struct numbers {
  T x[inputs], y[inputs], z[inputs], out[inputs], w[inputs * outputs], b[outputs], result[outputs], sum;
};
template <class T>
numbers<T> d;
template <int... Dims, class T>
auto in(T const& x) {
  return ex::view<std::remove_all_extents_t<T> const, Dims...>(x);
}
template <int... Dims, class T>
auto to(T& x) {
  return ex::view<std::remove_all_extents_t<T>, Dims...>(x);
}

template <class T>
void rows(char const* layer, char const* mul_add, char const* exp, char const* sum) {
  numbers<T>& n = d<T>;
  for (int i = 0; i < inputs; ++i) n.x[i] = T(0.01) * static_cast<T>(i), n.y[i] = T(0.5), n.z[i] = T(1);
  for (int i = 0; i < inputs * outputs; ++i) n.w[i] = T(0.001) * static_cast<T>(i % 97);
  static T plain[inputs];
  row(layer,
      [] {
        touch(&d<T>);
        ex::jit([](auto x, auto w, auto b) { return ex::maximum(ex::dot(x, w) + b, 0); }).into(to<outputs>(d<T>.result), in<inputs>(d<T>.x), in<inputs, outputs>(d<T>.w), in<outputs>(d<T>.b));
        touch(&d<T>);
      },
      [] {
        touch(&d<T>);
        for (int j = 0; j < outputs; ++j) plain[j] = d<T>.b[j];
        for (int i = 0; i < inputs; ++i)
          for (int j = 0; j < outputs; ++j) plain[j] += d<T>.x[i] * d<T>.w[i * outputs + j];
        for (int j = 0; j < outputs; ++j) plain[j] = plain[j] > 0 ? plain[j] : 0;
        touch(plain);
      });
  row(mul_add,
      [] {
        touch(&d<T>);
        ex::jit([](auto x, auto y, auto z) { return x * y + z; }).into(to<inputs>(d<T>.out), in<inputs>(d<T>.x), in<inputs>(d<T>.y), in<inputs>(d<T>.z));
        touch(&d<T>);
      },
      [] {
        touch(&d<T>);
        for (int i = 0; i < inputs; ++i) plain[i] = d<T>.x[i] * d<T>.y[i] + d<T>.z[i];
        touch(plain);
      });
  row(exp,
      [] {
        touch(&d<T>);
        ex::jit([](auto x) { return ex::exp(x); }).into(to<inputs>(d<T>.out), in<inputs>(d<T>.x));
        touch(&d<T>);
      },
      [] {
        touch(&d<T>);
        for (int i = 0; i < inputs; ++i) plain[i] = std::exp(d<T>.x[i]);
        touch(plain);
      });
  row(sum,
      [] {
        touch(&d<T>);
        ex::jit([](auto x) { return ex::sum(x); }).into(ex::view<T>(&d<T>.sum), in<inputs>(d<T>.x));
        touch(&d<T>);
      },
      [] {
        touch(&d<T>);
        T s = 0;
        for (int i = 0; i < inputs; ++i) s += d<T>.x[i];
        plain[0] = s;
        touch(plain);
      });
}

}  // namespace

TEST_CASE("instructions") {
  rows<float>("layer_float", "mul_add_float", "exp_float", "sum_float");
  rows<double>("layer_double", "mul_add_double", "exp_double", "sum_double");
}
