// SPDX-License-Identifier: BSL-1.0
// Half and complex numbers in texts: jaxprs as JAX prints them, StableHLO with MLIR's literals, and both texts read by the parsers.
#include <doctest/doctest.h>
#include <exprax/exprax.hpp>
#include <string>

#include "hlo_parser.hpp"
#include "stablehlo_parser.hpp"
#include "stablehlo_rules.hpp"

namespace ex = exprax;

namespace {

constexpr auto halves = [](auto x, auto y) { return ex::tuple(x * 2 + 0.1, ex::sum(x), ex::astype<float>(y) + x); };
static_assert(ex::make_jaxpr(halves)(ex::f16<3>, ex::bf16<3>) == R"({ lambda ; a:f16[3] b:bf16[3]. let
    c:f16[3] = mul a 2.0:f16[]
    d:f16[3] = add c 0.0999755859375:f16[]
    e:f32[3] = convert_element_type[new_dtype=float32 weak_type=False] a
    f:f32[] = reduce_sum[axes=(0,) out_sharding=None] e
    g:f16[] = convert_element_type[new_dtype=float16 weak_type=False] f
    h:f32[3] = convert_element_type[new_dtype=float32 weak_type=False] b
    i:f32[3] = convert_element_type[new_dtype=float32 weak_type=False] a
    j:f32[3] = add h i
  in (d, g, j) })");

constexpr auto complexes = [](auto z, auto x) {
  return ex::tuple(z * std::complex<double>(1, 2), ex::conj(z), ex::lax::complex(x, ex::imag(z)), ex::abs(z), z + x);
};
static_assert(ex::make_jaxpr(complexes)(ex::c64<3>, ex::f32<3>) == R"({ lambda ; a:c64[3] b:f32[3]. let
    c:c64[3] = mul a (1+2j):c64[]
    d:c64[3] = conj[input_dtype=complex64] a
    e:f32[3] = imag a
    f:c64[3] = complex b e
    g:f32[3] = abs a
    h:c64[3] = convert_element_type[new_dtype=complex64 weak_type=False] b
    i:c64[3] = add a h
  in (c, d, f, g, i) })");

static_assert(ex::lower(halves)(ex::f16<3>, ex::bf16<3>).as_text("stablehlo").str().find("stablehlo.constant dense<9.997560e-02> : tensor<f16>") != std::string_view::npos);
static_assert(ex::lower(complexes)(ex::c64<3>, ex::f32<3>).as_text("stablehlo").str().find("stablehlo.constant dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>") !=
              std::string_view::npos);
static_assert(ex::lower(complexes)(ex::c64<3>, ex::f32<3>).as_text("hlo").str().find("c64[] constant((1, 2))") != std::string_view::npos);

constexpr auto more = [](auto z, auto h) {
  ex::array<std::complex<double>, 2> const pair{std::complex<double>(1, 2), 3};
  auto const w = ex::tuple(ex::cumsum(z), ex::prod(z), z == 0, ex::exp(z), ex::power(z, 3), ex::dot(z, z), ex::cumlogsumexp(h), ex::max(h));
  return ex::tuple(w, z(ex::slice<0, 2>) + pair, ex::real(z), ex::astype<bool>(z), ex::astype<int>(z), ex::isfinite(z));
};

template <class Lowered>
void check(Lowered) {
  constexpr std::string_view stablehlo_text = Lowered::as_text("stablehlo").str(), hlo_text = Lowered::as_text("hlo").str();
  CAPTURE(std::string(stablehlo_text));
  CHECK(stablehlo::check_stablehlo(stablehlo_text) == "");
  CAPTURE(std::string(hlo_text));
  CHECK(hlo::check_hlo(hlo_text) == "");
}

}  // namespace

TEST_CASE("the parsers read half and complex numbers") {
  check(ex::lower(halves)(ex::f16<3>, ex::bf16<3>));
  check(ex::lower(complexes)(ex::c64<3>, ex::f32<3>));
  check(ex::lower(more)(ex::c128<3>, ex::f16<3>));
}
