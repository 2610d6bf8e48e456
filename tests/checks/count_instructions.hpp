// SPDX-License-Identifier: BSL-1.0
// count_instructions(f): how many instructions f() executes, on x86-64 Linux. The processor's trap flag stops after each of them,
// and a signal handler counts; so the number is exact, is the same in each run, and needs no other tool.
#pragma once

#include <csignal>

namespace checks {

inline volatile long steps = 0;

// The red zone of the function around stays untouched.
[[gnu::always_inline]] inline void set_trap_flag() {
  asm volatile("lea -128(%%rsp), %%rsp\n pushfq\n orq $0x100, (%%rsp)\n popfq\n lea 128(%%rsp), %%rsp" ::: "memory", "cc");
}
[[gnu::always_inline]] inline void clear_trap_flag() {
  asm volatile("lea -128(%%rsp), %%rsp\n pushfq\n andq $-257, (%%rsp)\n popfq\n lea 128(%%rsp), %%rsp" ::: "memory", "cc");
}

template <class F>
[[gnu::noinline]] long count_instructions(F f) {
  struct sigaction counting = {}, before = {};
  counting.sa_handler = [](int) { steps = steps + 1; };
  sigaction(SIGTRAP, &counting, &before);
  steps = 0;
  set_trap_flag();
  f();
  clear_trap_flag();
  sigaction(SIGTRAP, &before, nullptr);
  return steps;
}

}  // namespace checks
