// SPDX-License-Identifier: BSL-1.0
// Complex numbers in jax.numpy's functions: their order (by the real, then the imaginary parts), functions of each part, updates at
// traced indices, and views of their bits. Values are NumPy's.
#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

using c64 = ex::complex64;
using c128 = ex::complex128;
using vec = ex::array<c64, 4>;
constexpr float inf = __builtin_inff(), unknown = __builtin_nanf("");

constexpr ex::array<c64> one(float re, float im) { return ex::array<c64>(c64(re, im)); }
constexpr bool near(c64 a, c64 b, float tolerance = 1e-6f) {
  auto const close = [&](float x, float y) { return x - y <= tolerance && y - x <= tolerance; };
  return close(a.real(), b.real()) && close(a.imag(), b.imag());
}

// --- Order ---
constexpr vec x{c64(1, 2), c64(1, 3), c64(0, 9), c64(-1, 1)}, y{c64(1, 1), c64(2, -3), c64(0, 10), c64(-1, 0)};
constexpr auto order = [](auto x, auto y) {
  return ex::tuple(ex::maximum(x, y), ex::minimum(x, y), x<y, x <= y, x> y, x >= y, ex::max(x), ex::min(x), ex::cummax(x),
                   ex::cummin(x, ex::reverse), ex::lax::clamp(c64(0, 9), x, c64(1, 2)), ex::ptp(x), ex::fmax(x, y), ex::sort_complex(x));
};
constexpr auto ordered = ex::jit(order)(x, y);
static_assert(ex::get<0>(ordered) == vec{c64(1, 2), c64(2, -3), c64(0, 10), c64(-1, 1)} &&
              ex::get<1>(ordered) == vec{c64(1, 1), c64(1, 3), c64(0, 9), c64(-1, 0)});
static_assert(ex::get<2>(ordered) == ex::array<bool, 4>{false, true, true, false} && ex::get<3>(ordered) == ex::get<2>(ordered));
static_assert(ex::get<4>(ordered) == ex::array<bool, 4>{true, false, false, true} && ex::get<5>(ordered) == ex::get<4>(ordered));
static_assert(ex::get<6>(ordered)() == c64(1, 3) && ex::get<7>(ordered)() == c64(-1, 1) && ex::get<11>(ordered)() == c64(2, 2));
static_assert(ex::get<8>(ordered) == vec{c64(1, 2), c64(1, 3), c64(1, 3), c64(1, 3)} &&
              ex::get<9>(ordered) == vec{c64(-1, 1), c64(-1, 1), c64(-1, 1), c64(-1, 1)});
static_assert(ex::get<10>(ordered) == vec{c64(1, 2), c64(1, 2), c64(0, 9), c64(0, 9)} && ex::get<12>(ordered) == ex::get<0>(ordered));
static_assert(ex::get<13>(ordered) == vec{c64(-1, 1), c64(0, 9), c64(1, 2), c64(1, 3)} &&
              ex::sort_complex(ex::array<int, 2>{3, -1}) == ex::array<c64, 2>{-1, 3});
// Matrices: axes, batches, axes with names; of no rows the identity; beside NaN the second one (as JAX lowers it).
constexpr ex::array<c64, 2, 3> m{{c64(1, 5), c64(2, 0), c64(0, 1)}, {c64(1, 4), c64(2, 1), c64(-1, 7)}};
static_assert(ex::max(m, ex::axis<0>) == ex::array<c64, 3>{c64(1, 5), c64(2, 1), c64(0, 1)} &&
              ex::min(m, ex::axis<1>) == ex::array<c64, 2>{c64(0, 1), c64(-1, 7)});
static_assert(ex::jit([](auto none) { return ex::max(none, ex::initial(c64(1, 2))); })(ex::array<c64, 0>())() == c64(1, 2));
static_assert(ex::jit(ex::vmap([](auto r) { return r - ex::pmax(r, ex::axis_name<"i">); }, ex::axis_name<"i">))(m)(1, 0) == c64(0, -1));
static_assert(ex::lax::max(ex::array<c64>(c64(unknown, 0)), ex::array<c64>(c64(1, 0)))() == c64(1, 0) &&
              ex::jit([](auto r) { return ex::lax::min(r, c64(0)); })(x) == vec{0, 0, 0, c64(-1, 1)});
static_assert(ex::reduce_window(
                  x, c64(-inf), [](auto a, auto b) { return ex::lax::max(a, b); }, ex::window_dimensions<2>, ex::window_strides<1>,
                  ex::padding_valid) == ex::array<c64, 3>{c64(1, 3), c64(1, 3), c64(0, 9)});
// The jaxprs and the text of JAX.
static_assert(ex::make_jaxpr([](auto a, auto b) { return a < b; })(ex::c64<>, ex::c64<>) == R"({ lambda ; a:c64[] b:c64[]. let
    c:f32[] = real a
    d:f32[] = real b
    e:bool[] = eq c d
    f:f32[] = imag a
    g:f32[] = imag b
    h:bool[] = lt f g
    i:f32[] = real a
    j:f32[] = real b
    k:bool[] = lt i j
    l:bool[] = select_n e k h
  in (l,) })");

// --- Functions of the parts ---
constexpr auto parts = [](auto z) {
  return ex::tuple(ex::round(z, ex::decimals<1>), ex::rint(z), ex::log2(z), ex::log10(z), ex::sinc(z), ex::exp2(z), ex::nan_to_num(z), ex::isinf(z));
};
constexpr auto rounded = ex::jit(parts)(ex::array<c64, 2>{c64(1.25f, 2.625f), c64(-2.5f, 3.5f)});
static_assert(ex::get<0>(rounded) == ex::array<c64, 2>{c64(1.2f, 2.6f), c64(-2.5f, 3.5f)} &&
              ex::get<1>(rounded) == ex::array<c64, 2>{c64(1, 3), c64(-2, 4)});
constexpr auto scaled = ex::jit(parts)(ex::array<c64, 3>{c64(0, 8), c64(0.5f, 1), c64(3, 1)});
static_assert(near(ex::get<2>(scaled)(0), c64(3, 2.2661801f)) && near(ex::log10(one(0, 100))(), c64(2, 0.68218809f)));
static_assert(near(ex::get<4>(scaled)(1), c64(1.4759334f, -2.951867f)) && ex::sinc(one(0, 0))() == c64(1) &&
              near(ex::get<5>(scaled)(2), c64(6.1539109f, 5.1116900f), 2e-6f));
static_assert(ex::nan_to_num(one(unknown, inf), 7.0f)() == c64(7, 3.40282347e38f) && ex::isinf(one(unknown, -inf))() &&
              !ex::isinf(one(1, unknown))());
static_assert(near(ex::logaddexp(one(1, 3), one(1.5f, 3))(), c64(1.9740769f, 3)) &&
              near(ex::logsumexp(ex::array<c64, 2>{c64(1, 1), c64(2, -2)})(), c64(1.5504546f, -1.9185277f)));

// --- Updates at traced indices: windows that meet follow one another, those outside are dropped ---
constexpr auto updates = [](auto z, auto i, auto v) { return ex::tuple(z.at(i).mul(v), z.at(i).max(v), z.at(i).min(v)); };
constexpr auto updated = ex::jit(updates)(x, ex::array<int, 3>{1, 1, 7}, ex::array<c64, 3>{c64(0, 1), c64(1, 9), c64(3, 3)});
static_assert(ex::get<0>(updated) == vec{c64(1, 2), c64(-12, -26), c64(0, 9), c64(-1, 1)} &&
              ex::get<1>(updated) == vec{c64(1, 2), c64(1, 9), c64(0, 9), c64(-1, 1)});
static_assert(ex::get<2>(updated) == vec{c64(1, 2), c64(0, 1), c64(0, 9), c64(-1, 1)});
constexpr auto rows = ex::jit(ex::vmap(updates))(m, ex::array<int, 2, 1>{{2}, {0}}, ex::array<c64, 2, 1>{{c64(0, 2)}, {c64(9, 1)}});
static_assert(ex::get<0>(rows) == ex::array<c64, 2, 3>{{c64(1, 5), c64(2, 0), c64(-2, 0)}, {c64(5, 37), c64(2, 1), c64(-1, 7)}});
static_assert(ex::jit([](auto z, auto i) {
                return z.at(ex::all, i).mul(ex::array<c64, 2, 1>{{c64(0, 1)}, {c64(2)}});
              })(m, ex::array<int, 1>{1}) == ex::array<c64, 2, 3>{{c64(1, 5), c64(0, 2), c64(0, 1)}, {c64(1, 4), c64(4, 2), c64(-1, 7)}});
static_assert(ex::ops::segment_prod<2>(x, ex::array<int, 4>{0, 1, 0, 1}) == ex::array<c64, 2>{c64(-18, 9), c64(-4, -2)});

// --- Bits ---
static_assert(ex::bitcast_convert_type<float>(ex::array<c64, 2>{c64(1, 2), c64(3, 4)}) == ex::array<float, 2, 2>{{1, 2}, {3, 4}});
static_assert(ex::bitcast_convert_type<c64>(ex::array<float, 2, 2>{{1, 2}, {3, 4}}) == ex::array<c64, 2>{c64(1, 2), c64(3, 4)});
static_assert(ex::bitcast_convert_type<std::uint64_t>(ex::array<c64>(c64(1, 2)))() == 0x400000003f800000u);
static_assert(ex::bitcast_convert_type<c64>(ex::array<double, 1>{1.0})(0) == c64(0, 1.875f));

}  // namespace

TEST_CASE("complex numbers in compiled code") {
  ex::array<c64, 300> z, w;
  for (int i = 0; i < 300; ++i)
    z(i) = c64(static_cast<float>(i * 7 % 13), static_cast<float>(i * 5 % 17)),
    w(i) = c64(static_cast<float>(i * 3 % 13), static_cast<float>(i % 11));
  auto const before = [](c64 a, c64 b) { return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag(); };
  auto const [greater, least, less, all] =
      ex::jit([](auto z, auto w) { return ex::tuple(ex::maximum(z, w), ex::cummin(z), z < w, ex::max(z)); })(z, w);
  c64 low = z(0), high = z(0);
  int wrong = 0;
  for (int i = 0; i < 300; ++i) {
    if (before(z(i), low)) low = z(i);
    if (before(high, z(i))) high = z(i);
    wrong += greater(i) != (before(w(i), z(i)) ? z(i) : w(i)) || least(i) != low || less(i) != before(z(i), w(i));
  }
  CHECK(wrong == 0);
  CHECK(all() == high);
}
