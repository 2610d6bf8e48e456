// SPDX-License-Identifier: BSL-1.0
// Conditions on short integers: object_code.py looks at what becomes of them. Masks are as long as what is compared.
#include <cstdint>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr int n = 4096;
template <class T>
using in = ex::view<T const, n>;

constexpr auto outside = [](auto a, auto b) { return (a > 128) & (b < 60); };
constexpr auto chosen = [](auto a, auto b) { return ex::where(((a > 128) & ~(b < 60)) | (a == 3), a, b); };
constexpr auto without = [](auto a, auto b) { return a & ~b; };
constexpr auto longer = [](auto a, auto b) { return a.template astype<int>() + b.template astype<int>(); };

template <class R, class F, class T>
[[gnu::always_inline]] inline void run(F const& f, R* to, T const* a, T const* b) {
  ex::view<R, n> result(to);
  ex::jit(f).into(result, in<T>(a), in<T>(b));
}

}  // namespace

extern "C" void even_bytes(bool* to, std::uint8_t const* a, std::uint8_t const* b) { run(outside, to, a, b); }
extern "C" void even_chosen_bytes(std::uint8_t* to, std::uint8_t const* a, std::uint8_t const* b) { run(chosen, to, a, b); }
extern "C" void even_chosen_words(std::int16_t* to, std::int16_t const* a, std::int16_t const* b) { run(chosen, to, a, b); }
extern "C" void even_bools(bool* to, bool const* a, bool const* b) { run(without, to, a, b); }

extern "C" void broken_even_sums(int* to, std::uint8_t const* a, std::uint8_t const* b) { run(longer, to, a, b); }
