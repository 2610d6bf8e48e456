// SPDX-License-Identifier: BSL-1.0
// The emitted code of programs on half and on complex numbers gives the bits of the interpreter: of the program that is emitted, and, where
// no product became part of a fused sum, of the one that was traced. Inputs are all kinds of patterns; results are NaN together.
#include <doctest/doctest.h>

#include <laws/subject.hpp>

namespace laws {

namespace {

namespace ex = exprax;

template <class T, int... D>
using of = ex::expr<T, D...>;

constexpr auto functions = [](auto x, auto y) {
  return ex::tuple(-x, ex::sign(x), ex::floor(x), ex::round(x), ex::exp(x), ex::exp2(x), ex::log(x), ex::log1p(x), ex::expm1(x),
                   ex::sqrt(x), ex::lax::rsqrt(x), ex::cbrt(x), ex::sin(x), ex::tanh(x), ex::logistic(x), ex::abs(x), ex::isfinite(x),
                   ex::square(x), ex::power(x, 3), x + y, x - y, x * y, x / y, ex::fmod(x, y), ex::maximum(x, y), ex::minimum(x, y),
                   ex::arctan2(x, y), ex::nextafter(x, y), x < y, x == y, ex::where(x > y, x, y), ex::lax::clamp(y, x, x),
                   ex::astype<int>(x), ex::astype<float>(y), x * y + x, ex::signbit(x));
};
constexpr auto arrays = [](auto x, auto y) {
  return ex::tuple(ex::sum(x, ex::axis<0>), ex::max(x, ex::axis<1>), ex::prod(x), ex::cumsum(y, ex::axis<1>), ex::cummax(x),
                   ex::matmul(x, ex::transpose(y)), ex::sort(x), ex::argsort(y, ex::axis<0>), ex::argmax(x, ex::axis<1>), x.at(1).add(y(0)),
                   x.at(ex::argmin(ex::abs(y), ex::axis<1>)).mul(y), ex::flip(x), ex::mean(y));
};
constexpr auto complex_functions = [](auto x, auto y) {
  return ex::tuple(-x, ex::sign(x), ex::exp(x), ex::log(x), ex::log1p(x), ex::sqrt(x), ex::sin(x), ex::tanh(x), ex::asin(x), ex::acosh(x),
                   ex::atan(x), ex::abs(x), x * y, x / y, ex::power(x, y), ex::power(x, 3), ex::maximum(x, y), x < y, x == y,
                   ex::where(x == y, x, y), ex::round(x), ex::conj(x), ex::isinf(x));
};
constexpr auto complex_arrays = [](auto x, auto y) {
  return ex::tuple(ex::sum(x, ex::axis<0>), ex::max(x, ex::axis<1>), ex::prod(x), ex::cumsum(y, ex::axis<1>), ex::cummin(x),
                   ex::matmul(x, ex::transpose(y)), ex::sort(x), ex::argsort(y, ex::axis<0>), x.at(1).add(y(0)),
                   x.at(ex::argmin(ex::abs(y), ex::axis<1>)).mul(y), ex::flip(x), ex::mean(y));
};

// Words hold half numbers: any pattern, the special ones often.
std::vector<elements> patterns(program_ref p, dtype from, std::uint32_t seed) {
  if (!is_half(from)) return inputs_of(p, seed, seed % 2 == 0);
  std::vector<elements> in;
  std::uint32_t const f16[] = {0x7c00, 0xfc00, 0x7e00, 0x8000, 0x0001, 0x83ff, 0x7bff, 0x3c00};
  std::uint32_t const bf16[] = {0x7f80, 0xff80, 0x7fc0, 0x8000, 0x0001, 0x807f, 0x7f7f, 0x3f80};
  for (int v : p.ins(p.main())) {
    elements e(static_cast<std::size_t>(p.type(v).size()));
    for (bits& x : e) {
      seed = seed * 1664525u + 1013904223u;
      std::uint32_t const any = seed >> 16, near_one = (from == dtype::f16 ? 0x3800u : 0x3f00u) + any % 0x900u + (any & 0x8000u);
      x = seed >> 8 & 3 ? near_one : seed >> 10 & 1 ? any : (from == dtype::f16 ? f16 : bf16)[any % 8];
    }
    in.push_back(e);
  }
  return in;
}
// Equal words, or two that are NaN of the dtype that the word stands for.
bool same_word(dtype t, bits a, bits b) {
  auto const nan = [t](bits x) {
    return t == dtype::f16 ? (x & 0x7fff) > 0x7c00 : t == dtype::bf16 ? (x & 0x7fff) > 0x7f80 : is_nan(t, x);
  };
  return a == b || (nan(a) && nan(b));
}
// declared: the results as they were traced.
bool agree(program_ref declared, std::vector<elements> const& a, std::vector<elements> const& b) {
  bool good = a.size() == b.size();
  for (std::size_t k = 0; good && k < a.size(); ++k) {
    dtype const t = real_dtype(declared.type(declared.outs(declared.main())[static_cast<int>(k)]).type);
    int wrong = a[k].size() != b[k].size();
    for (std::size_t i = 0; !wrong && i < a[k].size(); ++i) wrong += !same_word(t, a[k][i], b[k][i]);
    CAPTURE(k);
    CHECK(wrong == 0);
  }
  return good;
}
template <auto F, class T, int... D>
void check() {
  using traced = ex::detail::traced<std::remove_const_t<decltype(F)>, of<T, D...>, of<T, D...>>;
  subject const s = subject_of<traced>();
  CHECK(oracle::is_well_formed(s.compiled));
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    CAPTURE(seed);
    auto const in = patterns(s.compiled, ex::dtype_of<T>, seed);
    auto const made = s.run(in);
    CHECK(agree(s.traced, made, s.interpreted(in)));
    if (!contains(s.compiled, prim::fma)) CHECK(agree(s.traced, made, run(s.traced, in)));
  }
}

}  // namespace

TEST_CASE("float16") {
  check<functions, ex::float16, 19>();
  check<arrays, ex::float16, 5, 7>();
}
TEST_CASE("bfloat16") {
  check<functions, ex::bfloat16, 19>();
  check<arrays, ex::bfloat16, 5, 7>();
}
TEST_CASE("complex64") {
  check<complex_functions, ex::complex64, 19>();
  check<complex_arrays, ex::complex64, 5, 7>();
}

}  // namespace laws
