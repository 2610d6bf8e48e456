// SPDX-License-Identifier: BSL-1.0
// float16 and bfloat16 in compiled code: all conversions, in packs and by the interpreter, and operations with the values of
// StableHLO's test data.
#include <doctest/doctest.h>
#include <cmath>
#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

// By reference: g++ 12 loses loads of classes that are passed by value from a place found at run time (its -fipa-modref).
template <class H>
bool same(H const& a, H const& b) {
  return a.bits() == b.bits() || (std::isnan(float{a}) && std::isnan(float{b}));
}

// All patterns to float, double, int and back through kernels, and numbers between neighbours to half; the number of mistakes.
template <class H>
int conversion_mistakes() {
  constexpr int n = 0x10000;
  ex::array<H, n> halves(ex::uninitialized);
  for (int i = 0; i < n; ++i) halves(i) = H::from_bits(static_cast<std::uint16_t>(i));
  auto const floats = ex::astype<float>(halves);
  auto const doubles = ex::astype<double>(halves);
  auto const back = ex::astype<H>(floats);
  auto const integers = ex::astype<std::int32_t>(halves);
  ex::array<double, n> between(ex::uninitialized);
  ex::array<float, n> near(ex::uninitialized);
  int mistakes = 0;
  for (int i = 0; i < n; ++i) {
    float const x = halves(i);
    mistakes += !(floats(i) == x || std::isnan(x)) || std::isnan(x) != std::isnan(floats(i)) || !(doubles(i) == double{x} || std::isnan(x));
    mistakes += !same(back(i), halves(i));
    if (std::fabs(x) < 1e9f) mistakes += integers(i) != static_cast<int>(x);
    double const next = H::from_bits(static_cast<std::uint16_t>(i + 1)), middle = (double{x} + next) / 2;
    between(i) = i % 3 == 0 ? middle : std::nextafter(middle, i % 3 == 1 ? 1e300 : -1e300);
    near(i) = static_cast<float>(between(i));
  }
  auto const rounded = ex::astype<H>(between);
  auto const narrowed = ex::astype<H>(near);
  for (int i = 0; i < n; ++i) mistakes += !same(rounded(i), H(between(i))) + !same(narrowed(i), H(near(i)));
  return mistakes;
}

template <class A, class... E>
constexpr bool is(A const& a, E... expected) {
  using H = typename A::value_type;
  H const list[] = {H(expected)...};
  if (a.size() != sizeof...(E)) return false;
  for (std::size_t i = 0; i < sizeof...(E); ++i)
    if (a.data()[i].bits() != list[i].bits()) return false;
  return true;
}

template <class H>
bool is_row(ex::array<H, 6> const& a, std::uint16_t const (&bits)[6]) {
  for (int i = 0; i < 6; ++i)
    if (!same(a(i), H::from_bits(bits[i]))) return false;
  return true;
}

using f16 = ex::float16;
using bf16 = ex::bfloat16;

// In constant evaluation.
constexpr ex::array<f16, 4> x{1.5, 2.25, -3, 0.1};
static_assert(is(x + x, 3, 4.5, -6, 0.19995));
static_assert(is(ex::sum(x * 2000.0f), 1700));
static_assert(is(ex::sum(ex::array<f16, 3>{60000, 60000, -60000}), 60000));  // 32 bits inside: no overflow on the way
static_assert(is(ex::mean(x), 0.2125) && is(ex::max(x), 2.25));
static_assert(is(ex::dot(x, x), 16.328));
static_assert(is(ex::where(x > 0, x, -x), 1.5, 2.25, 3, 0.1));
static_assert(is(ex::flip(x), 0.1, -3, 2.25, 1.5));
static_assert(is(ex::astype<bf16>(x), 1.5, 2.25, -3, 0.1));
static_assert(is(ex::astype<bf16>(ex::array<int, 2>{16842753, -16842753}), 16908288, -16908288));  // 0x1010001: rounded once

// Carries stay halves: each turn is rounded.
constexpr auto turns = [](auto x) { return ex::fori_loop(0, 100, [](auto, auto s) { return s + ex::float16(0.01); }, x); };
constexpr f16 turned = [] {
  f16 s(1);
  for (int i = 0; i < 100; ++i) s = f16(float{s} + float{f16(0.01)});
  return s;
}();
static_assert(is(ex::jit(turns)(ex::array<f16>(f16(1))), turned));

// The beginnings of StableHLO's test data, as bits.
constexpr std::uint16_t bf16_in[8][6] = {  // exp, log, sqrt, tanh, add, mul
    {0x3f83, 0xbf1b, 0x4004, 0xbec0, 0x4001, 0x3ff8},
    {0xc082, 0x4079, 0x4014, 0x3ff2, 0x4092, 0xbfa8},
    {0xbe9b, 0xc005, 0x40d2, 0x3fda, 0x3fdd, 0x402f},
    {0x3f91, 0x4086, 0x3fad, 0x3f92, 0xc024, 0xc056},
    {0x4046, 0x3f23, 0x4088, 0xc089, 0xbf6e, 0xc012},
    {0xbf9a, 0x3e10, 0xc02e, 0xc012, 0x3fec, 0x40cb},
    {0x4091, 0xc017, 0xbf9c, 0x4014, 0xc008, 0xc0f5},
    {0xc01c, 0xc022, 0x4085, 0xc00c, 0xc075, 0x409f}};
constexpr std::uint16_t bf16_out[6][6] = {
    {0x4032, 0x3f0c, 0x40fc, 0x3f30, 0x40f0, 0x40de},
    {0xffff, 0x3fae, 0x3f57, 0x3f23, 0x3fc2, 0xffff},
    {0xffc0, 0xffc0, 0x4024, 0x3fa7, 0x3fa8, 0x3fd4},
    {0x3f50, 0x3f80, 0x3f60, 0x3f51, 0xbf7d, 0xbf7f},
    {0x3ff2, 0x3f47, 0x3fc4, 0xc0d2, 0x3f6a, 0x4082},
    {0xc131, 0x40bf, 0xc0a2, 0xc0a2, 0x4102, 0xc218}};
constexpr std::uint16_t f16_in[8][6] = {  // exp, log, sqrt, tanh, add, mul
    {0x2f7b, 0x4723, 0xc1ad, 0xc56c, 0x3e63, 0x3f6f},
    {0xba33, 0x3d37, 0xc026, 0x456e, 0xab32, 0x461d},
    {0x3c4c, 0x3e2a, 0xc1a7, 0x4226, 0xc1f1, 0xc55f},
    {0x3f58, 0xc0b4, 0xc399, 0xbc04, 0xc180, 0x3ea3},
    {0x4018, 0x41e4, 0x42f3, 0xbfd9, 0x4129, 0xada4},
    {0x41a2, 0xba93, 0x9c95, 0x4115, 0xbe12, 0x4242},
    {0x4091, 0xb99c, 0x3e3f, 0x35cb, 0x46ef, 0x412e},
    {0xc1fd, 0x3692, 0x4322, 0xc62c, 0x39a4, 0x400e}};
constexpr std::uint16_t f16_out[6][6] = {
    {0x3c7f, 0x64e9, 0x2b7f, 0x1c86, 0x44f0, 0x466a},
    {0x7e00, 0x343e, 0x7e00, 0x3ec4, 0x7e00, 0x3f3e},
    {0x3c25, 0x3cf7, 0xfe00, 0x3f03, 0xfe00, 0xfe00},
    {0x3b9a, 0xbbdb, 0xbbfe, 0xba1b, 0xbbef, 0x3b71},
    {0x44dd, 0x403f, 0x42f1, 0x38a2, 0x3c40, 0x4215},
    {0xc6d6, 0xb49b, 0x4592, 0xc078, 0x44e4, 0x4540}};
template <class H>
constexpr ex::array<H, 6> row(std::uint16_t const (&bits)[6]) {
  ex::array<H, 6> r;
  for (int i = 0; i < 6; ++i) r(i) = H::from_bits(bits[i]);
  return r;
}
constexpr auto functions = [](auto a, auto b, auto c, auto d, auto e, auto f, auto g, auto h) {
  return ex::tuple(ex::exp(a), ex::log(b), ex::sqrt(c), ex::tanh(d), e + f, g * h);
};
template <class H>
int differing(std::uint16_t const (&in)[8][6], std::uint16_t const (&out)[6][6]) {
  auto const made = ex::jit(functions)(row<H>(in[0]), row<H>(in[1]), row<H>(in[2]), row<H>(in[3]), row<H>(in[4]), row<H>(in[5]), row<H>(in[6]), row<H>(in[7]));
  int n = 0, k = 0;
  std::apply([&](auto const&... r) { ((n += !is_row(r, out[k++])), ...); }, made);
  return n;
}

// nextafter goes by half steps.
static_assert(is(ex::nextafter(ex::array<f16, 4>{1, -1, 0, 65504}, ex::array<f16, 4>{2, 0, -1, 70000}), 1 + 0x1p-10, -1 + 0x1p-11, -0x1p-24, INFINITY));

// A scalar beside an array.
static_assert(is(ex::nextafter(f16(1), ex::array<f16, 4>{2, 0, 1, -1}), 1 + 0x1p-10, 1 - 0x1p-11, 1, 1 - 0x1p-11));
static_assert(is(ex::nextafter(ex::array<f16, 4>{2, 0, 1, -1}, f16(0)), 2 - 0x1p-10, 0, 1 - 0x1p-11, -1 + 0x1p-11));

}  // namespace

TEST_CASE("conversions of all half numbers") {
  CHECK(conversion_mistakes<f16>() == 0);
  CHECK(conversion_mistakes<bf16>() == 0);
}
TEST_CASE("functions of half numbers") {
  CHECK(differing<f16>(f16_in, f16_out) == 0);
  CHECK(differing<bf16>(bf16_in, bf16_out) == 0);
}

// ---- A matrix of halves beside a vector: decoded as it is loaded, with the bits of a product of floats.

namespace {
constexpr auto vector_first = [](auto v, auto m) { return ex::dot(v, m); };
constexpr auto matrix_first = [](auto m, auto v) { return ex::dot(m, v); };
constexpr auto of_columns = [](auto v, auto m) { return ex::dot(ex::transpose(m), v); };
constexpr auto of_part = [](auto v, auto m) { return ex::dot(v, m(ex::slice<0, ex::none>, ex::slice<1, ex::none>)); };
constexpr auto used_twice = [](auto v, auto m) {
  auto const x = m.template astype<float>();
  return ex::dot(v, x) + ex::sum(ex::sin(x), ex::axis<0>);
};

template <class T, int... D>
constexpr ex::array<T, D...> some_halves(int seed) {
  auto a = ex::array<T, D...>::full(T(0.0f));
  for (T& v : a) v = T(static_cast<float>((seed = (seed * 37 + 11) % 1009) - 500) * 0.01f);
  return a;
}
template <class T, int... D>
constexpr ex::array<float, D...> as_floats(ex::array<T, D...> const& a) {
  auto r = ex::array<float, D...>::full(0);
  for (int i = 0; i < a.size(); ++i) r.data()[i] = static_cast<float>(a.data()[i]);
  return r;
}
// A product with a vector of T or of floats has the bits of one of floats, rounded if the vector is of T.
template <class F, class A, class B>
constexpr bool agrees(F const& f, A const& a, B const& b) {
  auto const made = ex::jit(f)(a, b);
  auto const expected = ex::jit(f)(as_floats(a), as_floats(b));
  bool same = true;
  for (int i = 0; i < made.size(); ++i) {
    using result = std::remove_cvref_t<decltype(made.data()[0])>;
    same = same && made.data()[i] == result(expected.data()[i]);
  }
  return same;
}
template <class T, class V, int K, int N>
constexpr bool decodes() {
  auto const v = some_halves<V, K>(1);
  auto const m = some_halves<T, K, N>(2);
  auto const rows = some_halves<T, N, K>(3);
  return agrees(vector_first, v, m) && agrees(matrix_first, rows, v) && agrees(of_columns, v, m);
}
static_assert(decodes<ex::bfloat16, ex::bfloat16, 3, 5>() && decodes<ex::float16, float, 9, 2>());

template <class F, class V, class M>
constexpr bool has_decoding(F, V const& v, M const& m) {
  return ex::lower(F())(v, m).as_text("plan").str().find("decodes") != std::string_view::npos;
}
static_assert(has_decoding(vector_first, ex::spec<ex::bfloat16, 64>, ex::spec<ex::bfloat16, 64, 64>));
static_assert(has_decoding(matrix_first, ex::spec<ex::float16, 64, 64>, ex::spec<float, 64>));
static_assert(!has_decoding(vector_first, ex::spec<float, 2, 64>, ex::spec<ex::float16, 64, 64>));
}  // namespace

TEST_CASE("a matrix beside a vector") {
  CHECK(decodes<ex::bfloat16, ex::bfloat16, 33, 70>());
  CHECK(decodes<ex::bfloat16, float, 64, 16>());
  CHECK(decodes<ex::float16, ex::float16, 5, 41>());
  CHECK(decodes<ex::float16, ex::float16, 131, 600>());
  CHECK(agrees(of_part, some_halves<ex::bfloat16, 40>(1), some_halves<ex::bfloat16, 40, 37>(2)));
  CHECK(agrees(used_twice, some_halves<float, 40>(1), some_halves<ex::bfloat16, 40, 37>(2)));
}
