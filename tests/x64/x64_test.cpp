// SPDX-License-Identifier: BSL-1.0
// EXPRAX_ENABLE_X64 (jax_enable_x64): C++ numbers are weak values of 64 bits, and what is made of no array has 64 bits. A program of its
// own, since the whole of it must be compiled with the macro.
#define EXPRAX_ENABLE_X64 1
#include <doctest/doctest.h>
#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

template <class T, class A>
constexpr bool has(A const&) {
  return std::is_same_v<typename A::value_type, T>;
}

constexpr ex::array<std::int32_t, 3> i{1, 2, 4};
constexpr ex::array<float, 3> f{0.5, 1, 2};
constexpr ex::array<std::uint32_t, 3> u{1, 2, 4000000000u};

static_assert(has<std::int32_t>(i + 1) && has<float>(f * 2.5) && has<double>(i * 0.5) && has<double>(i / 2) && has<double>(ex::sqrt(i)));
static_assert(has<std::int64_t>(u + i) && u + i == ex::array<std::int64_t, 3>{2, 4, 4000000004});
static_assert(has<std::int64_t>(ex::sum(i)) && has<std::int64_t>(ex::sum(i > 1)) && has<double>(ex::mean(i)) && has<float>(ex::mean(f)) && has<std::uint64_t>(ex::sum(u)));
static_assert(ex::sum(u) == ex::array<std::uint64_t>(std::uint64_t{4000000003}));
static_assert(has<ex::complex64>(f * std::complex<double>(0, 1)) && has<ex::complex128>(i * std::complex<double>(0, 1)));

constexpr auto made = ex::jit([](auto x) {
  auto const counted = ex::fori_loop(0, 5, [](auto k, auto s) { return s + k; }, 0);
  auto const chosen = ex::where(x > 1.5f, 1, 0);
  return ex::tuple(ex::arange<4>(), ex::arange<0.0, 1.0, 0.5>(), counted, chosen, x(ex::slice<0, 2>), x(1));
})(f);
static_assert(has<std::int64_t>(ex::get<0>(made)) && has<double>(ex::get<1>(made)) && has<std::int64_t>(ex::get<2>(made)) && ex::get<2>(made)() == 10);
static_assert(has<std::int64_t>(ex::get<3>(made)) && ex::get<3>(made) == ex::array<std::int64_t, 3>{0, 0, 1} && ex::get<5>(made)() == 1);
static_assert(ex::make_jaxpr([](auto x) { return x + 1; })(ex::i64<2>) == "{ lambda ; a:i64[2]. let b:i64[2] = add a 1:i64[] in (b,) }");

}  // namespace

TEST_CASE("numbers of 64 bits") {
  double const half = 0.1;
  auto const r = ex::jit([](auto x, auto y) { return ex::tuple(y * 3, x * y); })(f, half);
  CHECK(has<double>(ex::get<0>(r)));
  CHECK(has<float>(ex::get<1>(r)));
  CHECK(ex::get<0>(r)() == half * 3);
}
