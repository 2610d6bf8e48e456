// SPDX-License-Identifier: BSL-1.0
// A kernel for a microcontroller: fixed sizes, static memory, no heap, compiled with -fno-exceptions -fno-rtti. It tells how often the
// signal of a sensor swings. What memory it needs beside its arguments is a constant, and the compiler holds it below 256 bytes.
#include <cstdio>
#include <cstdlib>
#include <new>

#include <exprax/core.hpp>

namespace ex = exprax;

// Whoever asks for the heap ends the program.
void* operator new(std::size_t) { std::abort(); }

namespace {

constexpr int samples = 32, bands = 4;

// The power of a signal in bands: its correlation with a cosine and a sine of 1, 2, 3 and 4 waves in the window.
constexpr auto powers = [](auto signal, auto cosines, auto sines) {
  return ex::square(ex::dot(cosines, signal)) + ex::square(ex::dot(sines, signal));
};
constexpr auto loudest = [](auto signal, auto cosines, auto sines) { return ex::argmax(powers(signal, cosines, sines)); };

// Tables are made while compiling, and stand in the flash memory.
constexpr auto table = [](auto phase) {
  auto const turns = ex::outer(ex::arange<float, 1, bands + 1>(), ex::arange<float, samples>()) / static_cast<float>(samples);
  return ex::cos(6.2831853f * (turns - phase));
};
constexpr ex::array<float, bands, samples> cosines = ex::jit(table)(0.0f), sines = ex::jit(table)(0.25f);

// The kernel's scratch memory, on the stack.
constexpr auto memory = ex::jit(loudest).memory_analysis(ex::f32<samples>, ex::f32<bands, samples>, ex::f32<bands, samples>);
static_assert(memory.temp_size_in_bytes <= 256);

float signal[samples];  // an interrupt would write here

}  // namespace

// What the firmware calls, as C.
extern "C" int classify(float const* samples_of_sensor) {
  int result;
  ex::jit(loudest).into(ex::view<int>(&result), ex::view<float const, samples>(samples_of_sensor), cosines, sines);
  return result;
}

int main() {
  for (int band = 0; band < bands; ++band) {
    for (int i = 0; i < samples; ++i) signal[i] = sines(band, i) + 0.5f * cosines((band + 1) % bands, i);
    std::printf("waves in the window: %d\n", classify(signal) + 1);
  }
}
