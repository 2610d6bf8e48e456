// SPDX-License-Identifier: BSL-1.0
// Scratch memory above the stack's limit: one allocation for all calls of a thread, or the user's memory.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <new>
#include <thread>
#include <vector>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

int allocations = 0;

// y is read twice, the second time from its end: it is an array of its own.
constexpr auto f = [](auto x) {
  auto const y = ex::exp(x);
  return ex::flip(y) / ex::sum(y);
};
template <int N>
constexpr std::size_t scratch = ex::jit(f).memory_analysis(ex::f32<N>).temp_size_in_bytes;
static_assert(scratch<100000> > EXPRAX_STACK_SCRATCH && scratch<1000> < EXPRAX_STACK_SCRATCH);

// Calls the kernel; the sum of its result is 1.
template <int N>
int allocations_of_a_call() {
  static std::vector<float> const x(N, 0.5f);
  static std::vector<float> y(N);
  ex::view<float, N> out(y);
  int const before = allocations;
  ex::jit(f).into(out, ex::view<float const, N>(x));
  int const after = allocations;
  for (float v : y) CHECK(v == doctest::Approx(1.0f / N));
  return after - before;
}

}  // namespace

void* operator new(std::size_t bytes, std::align_val_t alignment) {
  ++allocations;
  std::size_t const a = static_cast<std::size_t>(alignment);
  if (void* const p = std::aligned_alloc(a, (bytes + a - 1) / a * a)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

TEST_CASE("a thread allocates when a call needs more than the calls before it") {
  ex::release_workspace();
  CHECK(allocations_of_a_call<1000>() == 0);
  CHECK(allocations_of_a_call<100000>() == 1);
  CHECK(allocations_of_a_call<100000>() == 0);
  CHECK(allocations_of_a_call<50000>() == 0);
  CHECK(allocations_of_a_call<100001>() == 1);
  CHECK(allocations_of_a_call<100001>() == 0);
  ex::release_workspace();
  CHECK(allocations_of_a_call<50000>() == 1);
}
TEST_CASE("a workspace is used where it is large enough") {
  ex::release_workspace();
  std::vector<std::byte> memory(scratch<100000> + 65, std::byte{0x5a});
  {
    ex::workspace const given(memory.data() + 1, scratch<100000> + 64);
    CHECK(allocations_of_a_call<100000>() == 0);
    CHECK(allocations_of_a_call<50000>() == 0);
    CHECK(allocations_of_a_call<200000>() == 1);
    {
      ex::workspace const none(nullptr, 0);
      CHECK(allocations_of_a_call<100000>() == 0);  // what the last one allocated
    }
    CHECK(allocations_of_a_call<100000>() == 0);
  }
  CHECK(memory[0] == std::byte{0x5a});
  CHECK(memory[70000] != std::byte{0x5a});
  ex::release_workspace();
  CHECK(allocations_of_a_call<100000>() == 1);
}
TEST_CASE("threads have an arena each") {
  std::vector<float> const x(100000, 0.5f);
  std::vector<float> a(100000), b(100000);
  auto const run = [&x](std::vector<float>& y) {
    for (int i = 0; i < 20; ++i) {
      ex::view<float, 100000> out(y);
      ex::jit(f).into(out, ex::view<float const, 100000>(x));
    }
  };
  std::thread other(run, std::ref(a));
  run(b);
  other.join();
  CHECK(a == b);
}
TEST_CASE("a call inside of another one has memory of its own") {
  auto& arena = ex::detail::scratch_of_thread();
  std::byte* const outer = arena.take(200000);
  std::byte* const inner = arena.take(200000);
  ex::release_workspace();  // nothing: the outer call runs
  CHECK(inner != outer);
  CHECK(reinterpret_cast<std::uintptr_t>(inner) % 64 == 0);
  arena.give_back(inner, 200000);
  arena.give_back(outer, 200000);
  int const before = allocations;
  CHECK(arena.take(150000) == outer);
  arena.give_back(outer, 150000);
  CHECK(allocations == before);
}
