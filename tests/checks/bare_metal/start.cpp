// SPDX-License-Identifier: BSL-1.0
// Start, memory and output of a Cortex-M without an operating system; what it prints and returns goes to the emulator, by semihosting.
#include <cstddef>
#include <cstdint>

#include <doctest/doctest.h>

// From the linker script.
extern "C" {
extern std::uint32_t stack_top, data_start, data_end, data_from, bss_start, bss_end;
extern void (*init_array_start[])();
extern void (*init_array_end[])();
extern char heap_start;
}

namespace {

int call_host(int operation, void const* argument) {
  register int r0 asm("r0") = operation;
  register void const* r1 asm("r1") = argument;
  asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}
[[noreturn]] void leave(std::uint32_t code) {
  std::uint32_t const block[] = {0x20026, code};  // the application exits
  call_host(0x20, block);
  for (;;) {}
}

char* heap = &heap_start;

}  // namespace

void doctest::print(char const* text) { call_host(0x04, text); }

extern "C" {

void* __dso_handle = nullptr;  // for objects of the standard library that would be destroyed at the end

void* _sbrk(std::ptrdiff_t n) {
  char* const here = heap;
  if (here + n > reinterpret_cast<char*>(__builtin_frame_address(0))) {
    doctest::print("no memory left\n");
    leave(99);
  }
  heap += n;
  return here;
}

[[noreturn]] void reset() {
#if defined(__ARM_FP)
  *reinterpret_cast<std::uint32_t volatile*>(0xE000ED88) |= 0xFu << 20;  // switches the FPU on
  asm volatile("dsb\n isb");
#endif
  std::uint32_t const* from = &data_from;
  for (std::uint32_t* to = &data_start; to < &data_end; ++to) *to = *from++;
  for (std::uint32_t* to = &bss_start; to < &bss_end; ++to) *to = 0;
  for (auto f = init_array_start; f < init_array_end; ++f) (*f)();
  for (doctest::test_case* t = doctest::test_case::first; t; t = t->next) t->run();
  leave(doctest::failures > 0 || doctest::checks == 0);
}
[[noreturn]] void fault() {
  doctest::print("a fault\n");
  leave(98);
}

[[gnu::section(".vectors"), gnu::used]] void (*const vectors[16])() = {
    reinterpret_cast<void (*)()>(&stack_top), reset, fault, fault, fault, fault, fault};

}  // extern "C"
