// SPDX-License-Identifier: BSL-1.0
// Shifts, counts of bits, rounding and neighbours: the kernels on inputs and results of StableHLO's test data (stablehlo/testdata, made
// by JAX), at width 1 and in packs; and corners.
#include <doctest/doctest.h>

#include <bit>
#include <cstdint>

#include <exprax/emit/simd/pack.hpp>
#include <exprax/primitives/elementwise/arithmetic/nextafter.hpp>
#include <exprax/primitives/elementwise/arithmetic/round_nearest_afz.hpp>
#include <exprax/primitives/elementwise/arithmetic/round_nearest_even.hpp>
#include <exprax/primitives/elementwise/logic/clz.hpp>
#include <exprax/primitives/elementwise/logic/population_count.hpp>
#include <exprax/primitives/elementwise/logic/shift_left.hpp>
#include <exprax/primitives/elementwise/logic/shift_right_arithmetic.hpp>
#include <exprax/primitives/elementwise/logic/shift_right_logical.hpp>

namespace {

using namespace exprax;

template <class T>
using bits_of = simd::detail::bits_of<T>;
template <class T>
constexpr T number(std::uint64_t bits) {
  return std::bit_cast<T>(static_cast<bits_of<T>>(bits));
}

// Operands and result, as bits.
struct unary_row {
  std::uint64_t x, r;
};
struct binary_row {
  std::uint64_t x, y, r;
};

template <prim P, class T, class V>
constexpr V kernel_of(V const* x) {
  if constexpr (primitive<P>::traits.arity == 1) return primitive<P>::kernel(x[0]);
  else return primitive<P>::kernel(x[0], x[1]);
}
constexpr std::uint64_t operand(unary_row const& row, int) { return row.x; }
constexpr std::uint64_t operand(binary_row const& row, int k) { return k == 0 ? row.x : row.y; }

template <prim P, class T, class Row, int N>
constexpr bool agrees(Row const (&rows)[N]) {
  for (Row const& row : rows) {
    lane<T> const x[] = {lane<T>(number<T>(operand(row, 0))), lane<T>(number<T>(operand(row, 1)))};
    if (std::bit_cast<bits_of<T>>(kernel_of<P, T>(x).value) != static_cast<bits_of<T>>(row.r)) return false;
  }
  return true;
}
#if EXPRAX_SIMD
template <prim P, class T, class Row, int N>
void check_packs(Row const (&rows)[N]) {
  using V = simd::pack<T, 16>;
  T in[2][16] = {};
  T out[16];
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < 2; ++k) in[k][i] = number<T>(operand(rows[i], k));
  V const x[] = {simd::load<T, 16>(in[0]), simd::load<T, 16>(in[1])};
  simd::store(kernel_of<P, T>(x), out);
  for (int i = 0; i < N; ++i) CHECK(std::bit_cast<bits_of<T>>(out[i]) == static_cast<bits_of<T>>(rows[i].r));
}
#endif

constexpr binary_row shift_left_int8[] = {{0xfa, 0xfd, 0x0}, {0x2, 0x0, 0x2}, {0x3, 0x0, 0x3}, {0xfd, 0x0, 0xfd}, {0xff, 0x3, 0xf8},
    {0x3, 0x1, 0x6}, {0xfa, 0x1, 0xf4}, {0xfe, 0x1, 0xfc}, {0x1, 0x4, 0x10}, {0x5, 0x0, 0x5}, {0x1, 0x2, 0x4}, {0x1, 0x3, 0x8}};
static_assert(agrees<prim::shift_left, std::int8_t>(shift_left_int8));
constexpr binary_row shift_left_int16[] = {{0xfffd, 0x1, 0xfffa}, {0xfffe, 0x2, 0xfff8}, {0xfffd, 0x3, 0xffe8}, {0x2, 0x1, 0x4},
    {0xffff, 0x2, 0xfffc}, {0xfffb, 0xffff, 0x0}, {0x3, 0x0, 0x3}, {0xffff, 0x0, 0xffff}, {0x1, 0x1, 0x2}, {0x5, 0x0, 0x5}, {0x1, 0x0,
    0x1}, {0x1, 0x3, 0x8}};
static_assert(agrees<prim::shift_left, std::int16_t>(shift_left_int16));
constexpr binary_row shift_left_int32[] = {{0x1, 0xffffffff, 0x0}, {0xffffffff, 0x3, 0xfffffff8}, {0x1, 0x2, 0x4}, {0x3, 0x2, 0xc},
    {0x1, 0x5, 0x20}, {0x1, 0x0, 0x1}, {0xfffffffc, 0x0, 0xfffffffc}, {0xfffffffd, 0x2, 0xfffffff4}, {0xffffffff, 0x1, 0xfffffffe},
    {0xfffffff9, 0x2, 0xffffffe4}, {0x1, 0x1, 0x2}, {0xffffffff, 0x0, 0xffffffff}};
static_assert(agrees<prim::shift_left, std::int32_t>(shift_left_int32));
constexpr binary_row shift_left_int64[] = {{0x0, 0x1, 0x0}, {0x1, 0x2, 0x4}, {0xfffffffffffffffd, 0x2, 0xfffffffffffffff4},
    {0xfffffffffffffffc, 0x1, 0xfffffffffffffff8}, {0x3, 0x4, 0x30}, {0xfffffffffffffffc, 0x2, 0xfffffffffffffff0}, {0x1, 0x7, 0x80},
    {0x1, 0x5, 0x20}, {0x1, 0x0, 0x1}, {0xfffffffffffffffd, 0x0, 0xfffffffffffffffd}, {0x1, 0x6, 0x40}, {0xfffffffffffffffc, 0x0,
    0xfffffffffffffffc}};
static_assert(agrees<prim::shift_left, std::int64_t>(shift_left_int64));
constexpr binary_row shift_left_uint8[] = {{0x4, 0x1, 0x8}, {0x0, 0x1, 0x0}, {0x3, 0x3, 0x18}, {0x5, 0x0, 0x5}, {0x1, 0x1, 0x2}, {0x3,
    0x0, 0x3}, {0x6, 0x1, 0xc}, {0x6, 0x3, 0x30}, {0x9, 0x2, 0x24}, {0x2, 0x6, 0x80}, {0x2, 0x1, 0x4}, {0x4, 0x4, 0x40}};
static_assert(agrees<prim::shift_left, std::uint8_t>(shift_left_uint8));
constexpr binary_row shift_left_uint16[] = {{0x3, 0x1, 0x6}, {0x5, 0x2, 0x14}, {0x0, 0x0, 0x0}, {0x2, 0x2, 0x8}, {0x2, 0x0, 0x2}, {0x2,
    0x4, 0x20}, {0x3, 0x0, 0x3}, {0x1, 0x0, 0x1}, {0x4, 0x2, 0x10}, {0x5, 0x1, 0xa}, {0x3, 0x2, 0xc}, {0x4, 0x0, 0x4}};
static_assert(agrees<prim::shift_left, std::uint16_t>(shift_left_uint16));
constexpr binary_row shift_left_uint32[] = {{0x6, 0x2, 0x18}, {0x0, 0x0, 0x0}, {0x2, 0x0, 0x2}, {0x2, 0x1, 0x4}, {0x3, 0x0, 0x3}, {0x2,
    0x2, 0x8}, {0x1, 0x0, 0x1}, {0x5, 0x1, 0xa}, {0x2, 0x4, 0x20}, {0x4, 0x2, 0x10}, {0x3, 0x4, 0x30}, {0x3, 0x1, 0x6}};
static_assert(agrees<prim::shift_left, std::uint32_t>(shift_left_uint32));
constexpr binary_row shift_left_uint64[] = {{0x1, 0x1, 0x2}, {0x1, 0x0, 0x1}, {0x3, 0x0, 0x3}, {0x0, 0x4, 0x0}, {0x5, 0x6, 0x140}, {0x7,
    0x5, 0xe0}, {0x2, 0x2, 0x8}, {0x2, 0x1, 0x4}, {0x5, 0x0, 0x5}, {0x1, 0x5, 0x20}, {0x5, 0x2, 0x14}, {0x7, 0x1, 0xe}};
static_assert(agrees<prim::shift_left, std::uint64_t>(shift_left_uint64));
constexpr binary_row shift_right_logical_int8[] = {{0x0, 0x0, 0x0}, {0x1, 0x0, 0x1}, {0xfd, 0x0, 0xfd}, {0xff, 0x0, 0xff}, {0x3, 0x0,
    0x3}, {0xfc, 0x2, 0x3f}, {0xfe, 0x0, 0xfe}, {0xfb, 0x5, 0x7}, {0xfd, 0x4, 0xf}, {0xfe, 0x1, 0x7f}, {0x5, 0x0, 0x5}, {0xfe, 0x3,
    0x1f}};
static_assert(agrees<prim::shift_right_logical, std::int8_t>(shift_right_logical_int8));
constexpr binary_row shift_right_logical_int16[] = {{0xfffe, 0x3, 0x1fff}, {0x0, 0x2, 0x0}, {0x1, 0x0, 0x1}, {0x2, 0x0, 0x2}, {0xffff,
    0x0, 0xffff}, {0xffff, 0x2, 0x3fff}, {0xffff, 0x1, 0x7fff}, {0xfffa, 0x1, 0x7ffd}, {0xfffe, 0x0, 0xfffe}, {0xfffc, 0x0, 0xfffc},
    {0x5, 0x0, 0x5}, {0xffff, 0x4, 0xfff}};
static_assert(agrees<prim::shift_right_logical, std::int16_t>(shift_right_logical_int16));
constexpr binary_row shift_right_logical_int32[] = {{0x2, 0x0, 0x2}, {0x0, 0xfffffffe, 0x0}, {0x1, 0x0, 0x1}, {0x6, 0x0, 0x6}, {0x3,
    0x0, 0x3}, {0xfffffffd, 0x0, 0xfffffffd}, {0xfffffffe, 0x0, 0xfffffffe}, {0x4, 0x0, 0x4}, {0xfffffffe, 0x2, 0x3fffffff},
    {0xfffffffe, 0x4, 0xfffffff}, {0xfffffffe, 0x1, 0x7fffffff}, {0xfffffffe, 0x3, 0x1fffffff}};
static_assert(agrees<prim::shift_right_logical, std::int32_t>(shift_right_logical_int32));
constexpr binary_row shift_right_logical_int64[] = {{0x3, 0xfffffffffffffffe, 0x0}, {0x1, 0x0, 0x1}, {0x4, 0x1, 0x2},
    {0xffffffffffffffff, 0x4, 0xfffffffffffffff}, {0xffffffffffffffff, 0x2, 0x3fffffffffffffff}, {0xffffffffffffffff, 0x0,
    0xffffffffffffffff}, {0xffffffffffffffff, 0x1, 0x7fffffffffffffff}, {0xfffffffffffffffb, 0x0, 0xfffffffffffffffb}, {0x8, 0x1, 0x4},
    {0xfffffffffffffffb, 0x1, 0x7ffffffffffffffd}, {0xfffffffffffffffe, 0x0, 0xfffffffffffffffe}, {0xfffffffffffffffd, 0x3,
    0x1fffffffffffffff}};
static_assert(agrees<prim::shift_right_logical, std::int64_t>(shift_right_logical_int64));
constexpr binary_row shift_right_logical_uint8[] = {{0x1, 0x0, 0x1}, {0x0, 0x0, 0x0}, {0x2, 0x0, 0x2}, {0x3, 0x0, 0x3}, {0x5, 0x0, 0x5},
    {0x4, 0x0, 0x4}, {0x6, 0x0, 0x6}, {0x9, 0x0, 0x9}, {0x7, 0x0, 0x7}, {0x1, 0x1, 0x0}, {0x0, 0x1, 0x0}, {0x4, 0x5, 0x0}};
static_assert(agrees<prim::shift_right_logical, std::uint8_t>(shift_right_logical_uint8));
constexpr binary_row shift_right_logical_uint16[] = {{0x3, 0x3, 0x0}, {0x5, 0x2, 0x1}, {0x7, 0x0, 0x7}, {0x3, 0x0, 0x3}, {0x5, 0x1,
    0x2}, {0x5, 0x0, 0x5}, {0x4, 0x0, 0x4}, {0x8, 0x0, 0x8}, {0x6, 0x0, 0x6}, {0x1, 0x4, 0x0}, {0x2, 0x5, 0x0}, {0x1, 0x8, 0x0}};
static_assert(agrees<prim::shift_right_logical, std::uint16_t>(shift_right_logical_uint16));
constexpr binary_row shift_right_logical_uint32[] = {{0x1, 0x2, 0x0}, {0x2, 0x1, 0x1}, {0x2, 0x0, 0x2}, {0x4, 0x0, 0x4}, {0x6, 0x1,
    0x3}, {0x6, 0x0, 0x6}, {0x5, 0x0, 0x5}, {0x9, 0x0, 0x9}, {0x0, 0x4, 0x0}, {0x2, 0x2, 0x0}, {0x0, 0x2, 0x0}, {0x0, 0x2, 0x0}};
static_assert(agrees<prim::shift_right_logical, std::uint32_t>(shift_right_logical_uint32));
constexpr binary_row shift_right_logical_uint64[] = {{0x2, 0x0, 0x2}, {0x3, 0x2, 0x0}, {0x3, 0x0, 0x3}, {0x2, 0x1, 0x1}, {0x4, 0x0,
    0x4}, {0x6, 0x0, 0x6}, {0x5, 0x0, 0x5}, {0x7, 0x0, 0x7}, {0x1, 0x1, 0x0}, {0x3, 0x2, 0x0}, {0x6, 0x4, 0x0}, {0x2, 0x4, 0x0}};
static_assert(agrees<prim::shift_right_logical, std::uint64_t>(shift_right_logical_uint64));
constexpr binary_row shift_right_arithmetic_int8[] = {{0x3, 0xfe, 0x0}, {0xfd, 0x2, 0xff}, {0x3, 0x0, 0x3}, {0x2, 0x1, 0x1}, {0x2, 0x0,
    0x2}, {0x4, 0x0, 0x4}, {0x6, 0x0, 0x6}, {0xfc, 0x0, 0xfc}, {0x7, 0x0, 0x7}, {0xfd, 0x0, 0xfd}, {0xa, 0x0, 0xa}, {0xfb, 0x2, 0xfe}};
static_assert(agrees<prim::shift_right_arithmetic, std::int8_t>(shift_right_arithmetic_int8));
constexpr binary_row shift_right_arithmetic_int16[] = {{0x0, 0x2, 0x0}, {0xffff, 0x0, 0xffff}, {0x1, 0x0, 0x1}, {0x4, 0x0, 0x4},
    {0xfffd, 0x1, 0xfffe}, {0x3, 0x0, 0x3}, {0x6, 0x0, 0x6}, {0xb, 0x2, 0x2}, {0xfffa, 0x1, 0xfffd}, {0xfffc, 0x0, 0xfffc}, {0x5, 0x0,
    0x5}, {0xfff7, 0x0, 0xfff7}};
static_assert(agrees<prim::shift_right_arithmetic, std::int16_t>(shift_right_arithmetic_int16));
constexpr binary_row shift_right_arithmetic_int32[] = {{0x2, 0x0, 0x2}, {0xfffffffc, 0xffffffff, 0xffffffff}, {0x1, 0x0, 0x1},
    {0xfffffffc, 0x1, 0xfffffffe}, {0x3, 0xffffffff, 0x0}, {0x6, 0x1, 0x3}, {0x5, 0x0, 0x5}, {0x4, 0x0, 0x4}, {0xfffffffd, 0x0,
    0xfffffffd}, {0xfffffff7, 0x0, 0xfffffff7}, {0x7, 0x0, 0x7}, {0xfffffffc, 0x0, 0xfffffffc}};
static_assert(agrees<prim::shift_right_arithmetic, std::int32_t>(shift_right_arithmetic_int32));
constexpr binary_row shift_right_arithmetic_int64[] = {{0x4, 0x0, 0x4}, {0x1, 0x0, 0x1}, {0x6, 0xfffffffffffffffd, 0x0},
    {0xfffffffffffffffc, 0xfffffffffffffffc, 0xffffffffffffffff}, {0x5, 0x0, 0x5}, {0xfffffffffffffff9, 0x2, 0xfffffffffffffffe}, {0x2,
    0x0, 0x2}, {0xfffffffffffffffc, 0x0, 0xfffffffffffffffc}, {0xfffffffffffffffa, 0x0, 0xfffffffffffffffa}, {0xfffffffffffffffd, 0x0,
    0xfffffffffffffffd}, {0xfffffffffffffff7, 0x0, 0xfffffffffffffff7}, {0x7, 0x0, 0x7}};
static_assert(agrees<prim::shift_right_arithmetic, std::int64_t>(shift_right_arithmetic_int64));
constexpr binary_row shift_right_arithmetic_uint8[] = {{0x6, 0x2, 0x1}, {0x2, 0x0, 0x2}, {0x1, 0x2, 0x0}, {0x6, 0x1, 0x3}, {0x4, 0x0,
    0x4}, {0x8, 0x0, 0x8}, {0x6, 0x0, 0x6}, {0x5, 0x0, 0x5}, {0x7, 0x0, 0x7}, {0x3, 0x1, 0x1}, {0x1, 0x7, 0x0}, {0x0, 0x4, 0x0}};
static_assert(agrees<prim::shift_right_arithmetic, std::uint8_t>(shift_right_arithmetic_uint8));
constexpr binary_row shift_right_arithmetic_uint16[] = {{0x4, 0x0, 0x4}, {0x3, 0x1, 0x1}, {0x0, 0x1, 0x0}, {0x2, 0x0, 0x2}, {0x5, 0x0,
    0x5}, {0x3, 0x0, 0x3}, {0x7, 0x0, 0x7}, {0x6, 0x0, 0x6}, {0x9, 0x0, 0x9}, {0x1, 0x1, 0x0}, {0x3, 0x1, 0x1}, {0x2, 0x3, 0x0}};
static_assert(agrees<prim::shift_right_arithmetic, std::uint16_t>(shift_right_arithmetic_uint16));
constexpr binary_row shift_right_arithmetic_uint32[] = {{0x8, 0x2, 0x2}, {0x1, 0x3, 0x0}, {0x4, 0x0, 0x4}, {0x1, 0x0, 0x1}, {0x3, 0x0,
    0x3}, {0x7, 0x0, 0x7}, {0x6, 0x0, 0x6}, {0x5, 0x0, 0x5}, {0x1, 0x3, 0x0}, {0x0, 0x0, 0x0}, {0x0, 0x0, 0x0}, {0x2, 0x1, 0x1}};
static_assert(agrees<prim::shift_right_arithmetic, std::uint32_t>(shift_right_arithmetic_uint32));
constexpr binary_row shift_right_arithmetic_uint64[] = {{0x1, 0x1, 0x0}, {0x1, 0x0, 0x1}, {0x2, 0x0, 0x2}, {0x6, 0x1, 0x3}, {0x8, 0x0,
    0x8}, {0x5, 0x0, 0x5}, {0x4, 0x0, 0x4}, {0x7, 0x0, 0x7}, {0x6, 0x0, 0x6}, {0x0, 0x3, 0x0}, {0x1, 0x0, 0x1}, {0x2, 0x2, 0x0}};
static_assert(agrees<prim::shift_right_arithmetic, std::uint64_t>(shift_right_arithmetic_uint64));
constexpr unary_row population_count_int8[] = {{0xff, 0x8}, {0xfe, 0x7}, {0x0, 0x0}, {0x1, 0x1}, {0x6b, 0x5}};
static_assert(agrees<prim::population_count, std::int8_t>(population_count_int8));
constexpr unary_row population_count_int16[] = {{0xffff, 0x10}, {0xfffe, 0xf}, {0x0, 0x0}, {0x1, 0x1}, {0xcdef, 0xc}};
static_assert(agrees<prim::population_count, std::int16_t>(population_count_int16));
constexpr unary_row population_count_int32[] = {{0xffffffff, 0x20}, {0xfffffffe, 0x1f}, {0x0, 0x0}, {0x1, 0x1}, {0x89abcdef, 0x14}};
static_assert(agrees<prim::population_count, std::int32_t>(population_count_int32));
constexpr unary_row population_count_int64[] = {{0xffffffffffffffff, 0x40}, {0xfffffffffffffffe, 0x3f}, {0x0, 0x0}, {0x1, 0x1},
    {0x123456789abcdef, 0x20}};
static_assert(agrees<prim::population_count, std::int64_t>(population_count_int64));
constexpr unary_row population_count_uint8[] = {{0x0, 0x0}, {0x1, 0x1}, {0x2, 0x1}};
static_assert(agrees<prim::population_count, std::uint8_t>(population_count_uint8));
constexpr unary_row population_count_uint16[] = {{0x0, 0x0}, {0x1, 0x1}, {0x2, 0x1}};
static_assert(agrees<prim::population_count, std::uint16_t>(population_count_uint16));
constexpr unary_row population_count_uint32[] = {{0x0, 0x0}, {0x1, 0x1}, {0x2, 0x1}};
static_assert(agrees<prim::population_count, std::uint32_t>(population_count_uint32));
constexpr unary_row population_count_uint64[] = {{0x0, 0x0}, {0x1, 0x1}, {0x2, 0x1}};
static_assert(agrees<prim::population_count, std::uint64_t>(population_count_uint64));
constexpr unary_row round_nearest_even_float32[] = {{0x3f000000, 0x0}, {0x3f99999a, 0x3f800000}, {0x3fc00000, 0x40000000}, {0xbf000000,
    0x80000000}, {0xbf99999a, 0xbf800000}, {0xbfc00000, 0xc0000000}, {0x3fd9999a, 0x40000000}, {0x40200000, 0x40000000}, {0xbfd9999a,
    0xc0000000}, {0xc0200000, 0xc0000000}};
static_assert(agrees<prim::round_nearest_even, float>(round_nearest_even_float32));
constexpr unary_row round_nearest_afz_float32[] = {{0xbf270308, 0xbf800000}, {0xc02927b9, 0xc0400000}, {0xc08bb3bf, 0xc0800000},
    {0xbef888a9, 0x80000000}, {0x402655f1, 0x40400000}, {0xbfe13b40, 0xc0000000}, {0x3e9b2ab0, 0x0}, {0x40183f18, 0x40000000},
    {0x3fbf5c77, 0x3f800000}, {0xc0a762dd, 0xc0a00000}, {0xc1054ffb, 0xc1000000}, {0xc0d874e7, 0xc0e00000}};
static_assert(agrees<prim::round_nearest_afz, float>(round_nearest_afz_float32));
constexpr unary_row round_nearest_afz_float64[] = {{0x3ffc8bb8fe2a7a80, 0x4000000000000000}, {0xbff927678d9c3a1e, 0xc000000000000000},
    {0xc00a1c4eb8292ac2, 0xc008000000000000}, {0xbff4909c8400e08e, 0xbff0000000000000}, {0xc01fcbe332563819, 0xc020000000000000},
    {0x3ff2dd79777eea9b, 0x3ff0000000000000}, {0xbfbc673c83c000be, 0x8000000000000000}, {0xc0237f73e0492bc8, 0xc024000000000000},
    {0x400d93b55cd7bb82, 0x4010000000000000}, {0xc0138fecf90467dc, 0xc014000000000000}, {0xc017c26126df358a, 0xc018000000000000},
    {0x401c0f10afdd231d, 0x401c000000000000}};
static_assert(agrees<prim::round_nearest_afz, double>(round_nearest_afz_float64));
constexpr binary_row nextafter_float32[] = {{0x3fadbcb7, 0x404f66ef, 0x3fadbcb8}, {0xc0c1271a, 0xbe98ee2f, 0xc0c12719}, {0x3f244b37,
    0x40843790, 0x3f244b38}, {0x4015adff, 0xbfa27e60, 0x4015adfe}, {0xc0720a4b, 0x3ed7e69d, 0xc0720a4a}, {0x3f097286, 0x4049c0c4,
    0x3f097287}, {0xbf7ca611, 0x3fcbccbb, 0xbf7ca610}, {0xc01851a4, 0xc07c1485, 0xc01851a5}, {0x4022a592, 0xc08c9b0e, 0x4022a591},
    {0xbfd5594d, 0x409049ea, 0xbfd5594c}, {0xc09f2f68, 0xc0b03156, 0xc09f2f69}, {0xbf43700f, 0xbf67d1f0, 0xbf437010}};
static_assert(agrees<prim::nextafter, float>(nextafter_float32));
constexpr binary_row nextafter_float64[] = {{0x400fd0ddeb6bc5ea, 0xc007e16c17f55866, 0x400fd0ddeb6bc5e9}, {0xbfe8b47d66226b6e,
    0xc0096a90a243183c, 0xbfe8b47d66226b6f}, {0x3fe20a0e6a2c0bee, 0xc0045e5a6ceaee07, 0x3fe20a0e6a2c0bed}, {0xbfe8dbd102f36f6b,
    0xc00ddf9d07995f88, 0xbfe8dbd102f36f6c}, {0xc000ccb8ac2443d2, 0xc00b92ac8d1bf909, 0xc000ccb8ac2443d3}, {0xbfff21b1d7fcf306,
    0x401062b829c04ba4, 0xbfff21b1d7fcf305}, {0x3fb0004490f7660a, 0x3fd6d66906a17320, 0x3fb0004490f7660b}, {0xc001aa0caa1c5da4,
    0x3ffcd1e0a7d5c1cc, 0xc001aa0caa1c5da3}, {0xc007e0cbf46b973a, 0xc00bc41fd84f45c8, 0xc007e0cbf46b973b}, {0xc0041ba2cdd08368,
    0xc0165da9238a1112, 0xc0041ba2cdd08369}, {0x4011acd68f92a1f7, 0x3fe95c802d515c9c, 0x4011acd68f92a1f6}, {0x40205b9dc4c15bc8,
    0x3ff9a90c8069ac74, 0x40205b9dc4c15bc7}};
static_assert(agrees<prim::nextafter, double>(nextafter_float64));

// Corners: counts of the width and more, negative ones; zeros, subnormals, infinities, NaN.
template <prim P, class T>
constexpr T at(T x, T y) {
  return primitive<P>::kernel(lane<T>(x), lane<T>(y)).value;
}
template <prim P, class T>
constexpr T at(T x) {
  return primitive<P>::kernel(lane<T>(x)).value;
}
template <class T>
constexpr bool shifts_out() {
  constexpr T far[] = {T(8 * sizeof(T)), T(8 * sizeof(T) + 1), std::numeric_limits<T>::max(), static_cast<T>(-1)};
  for (T n : far) {
    if (at<prim::shift_left>(T(5), n) != 0 || at<prim::shift_right_logical>(static_cast<T>(-5), n) != 0) return false;
    if (at<prim::shift_right_arithmetic>(static_cast<T>(-5), n) != static_cast<T>(-1) || at<prim::shift_right_arithmetic>(T(5), n) != 0) return false;
  }
  return true;
}
static_assert(shifts_out<std::int8_t>() && shifts_out<std::int16_t>() && shifts_out<std::int32_t>() && shifts_out<std::int64_t>());
static_assert(shifts_out<std::uint8_t>() && shifts_out<std::uint16_t>() && shifts_out<std::uint32_t>() && shifts_out<std::uint64_t>());

template <class T>
constexpr bool counts_zeros() {
  constexpr int width = 8 * static_cast<int>(sizeof(T));
  if (at<prim::clz>(T(0)) != static_cast<T>(width) || at<prim::clz>(static_cast<T>(-1)) != 0 || at<prim::population_count>(static_cast<T>(-1)) != static_cast<T>(width)) return false;
  for (int i = 0; i < width; ++i) {
    T const one = static_cast<T>(bits_of<T>(bits_of<T>(1) << i)), ones = static_cast<T>(static_cast<bits_of<T>>((bits_of<T>(1) << i) | 1));
    T const zeros = static_cast<T>(width - 1 - i), two = static_cast<T>(i > 0 ? 2 : 1);
    if (at<prim::clz>(one) != zeros || at<prim::clz>(ones) != zeros || at<prim::population_count>(ones) != two) return false;
  }
  return true;
}
static_assert(counts_zeros<std::int8_t>() && counts_zeros<std::int16_t>() && counts_zeros<std::int32_t>() && counts_zeros<std::int64_t>());
static_assert(counts_zeros<std::uint8_t>() && counts_zeros<std::uint16_t>() && counts_zeros<std::uint32_t>() && counts_zeros<std::uint64_t>());

template <class T>
constexpr bool has_neighbours() {
  using limits = std::numeric_limits<T>;
  constexpr T inf = limits::infinity(), tiny = limits::denorm_min(), nan = limits::quiet_NaN();
  constexpr T rows[][3] = {{0, 1, tiny},           {T(-0.0), 1, tiny},          {0, -1, -tiny},      {tiny, -1, 0},  {limits::max(), inf, inf},
                           {inf, 0, limits::max()}, {-inf, 0, limits::lowest()}, {inf, inf, inf},     {-inf, -inf, -inf},
                           {1, 0, 1 - limits::epsilon() / 2}, {-1, -2, -1 - limits::epsilon()}, {0, T(-0.0), T(-0.0)}};
  for (auto const& row : rows)
    if (std::bit_cast<bits_of<T>>(at<prim::nextafter>(row[0], row[1])) != std::bit_cast<bits_of<T>>(row[2])) return false;
  T const unknown = at<prim::nextafter>(nan, T(1)), other = at<prim::nextafter>(T(1), nan), back = at<prim::nextafter>(-tiny, T(1));
  return unknown != unknown && other != other && std::bit_cast<bits_of<T>>(back) == std::bit_cast<bits_of<T>>(T(-0.0));
}
static_assert(has_neighbours<float>() && has_neighbours<double>());

template <class T>
constexpr bool rounds() {
  using limits = std::numeric_limits<T>;
  constexpr T below_half = T(0.5) - limits::epsilon() / 4, large = limits::max(), inf = limits::infinity();
  constexpr T rows[][3] = {{T(0.5), 1, 0},   {T(1.5), 2, 2},   {T(2.5), 3, 2},     {T(-0.5), -1, T(-0.0)}, {T(-2.5), -3, -2}, {below_half, 0, 0},
                           {T(-0.2), T(-0.0), T(-0.0)}, {T(-0.0), T(-0.0), T(-0.0)}, {large, large, large}, {-inf, -inf, -inf}};
  for (auto const& row : rows) {
    if (std::bit_cast<bits_of<T>>(at<prim::round_nearest_afz>(row[0])) != std::bit_cast<bits_of<T>>(row[1])) return false;
    if (std::bit_cast<bits_of<T>>(at<prim::round_nearest_even>(row[0])) != std::bit_cast<bits_of<T>>(row[2])) return false;
  }
  T const unknown = at<prim::round_nearest_afz>(limits::quiet_NaN());
  return unknown != unknown;
}
static_assert(rounds<float>() && rounds<double>());

}  // namespace

#if EXPRAX_SIMD
TEST_CASE("packs agree with StableHLO's test data") {
  check_packs<prim::shift_left, std::int8_t>(shift_left_int8);
  check_packs<prim::shift_left, std::int16_t>(shift_left_int16);
  check_packs<prim::shift_left, std::int32_t>(shift_left_int32);
  check_packs<prim::shift_left, std::int64_t>(shift_left_int64);
  check_packs<prim::shift_left, std::uint8_t>(shift_left_uint8);
  check_packs<prim::shift_left, std::uint16_t>(shift_left_uint16);
  check_packs<prim::shift_left, std::uint32_t>(shift_left_uint32);
  check_packs<prim::shift_left, std::uint64_t>(shift_left_uint64);
  check_packs<prim::shift_right_logical, std::int8_t>(shift_right_logical_int8);
  check_packs<prim::shift_right_logical, std::int16_t>(shift_right_logical_int16);
  check_packs<prim::shift_right_logical, std::int32_t>(shift_right_logical_int32);
  check_packs<prim::shift_right_logical, std::int64_t>(shift_right_logical_int64);
  check_packs<prim::shift_right_logical, std::uint8_t>(shift_right_logical_uint8);
  check_packs<prim::shift_right_logical, std::uint16_t>(shift_right_logical_uint16);
  check_packs<prim::shift_right_logical, std::uint32_t>(shift_right_logical_uint32);
  check_packs<prim::shift_right_logical, std::uint64_t>(shift_right_logical_uint64);
  check_packs<prim::shift_right_arithmetic, std::int8_t>(shift_right_arithmetic_int8);
  check_packs<prim::shift_right_arithmetic, std::int16_t>(shift_right_arithmetic_int16);
  check_packs<prim::shift_right_arithmetic, std::int32_t>(shift_right_arithmetic_int32);
  check_packs<prim::shift_right_arithmetic, std::int64_t>(shift_right_arithmetic_int64);
  check_packs<prim::shift_right_arithmetic, std::uint8_t>(shift_right_arithmetic_uint8);
  check_packs<prim::shift_right_arithmetic, std::uint16_t>(shift_right_arithmetic_uint16);
  check_packs<prim::shift_right_arithmetic, std::uint32_t>(shift_right_arithmetic_uint32);
  check_packs<prim::shift_right_arithmetic, std::uint64_t>(shift_right_arithmetic_uint64);
  check_packs<prim::population_count, std::int8_t>(population_count_int8);
  check_packs<prim::population_count, std::int16_t>(population_count_int16);
  check_packs<prim::population_count, std::int32_t>(population_count_int32);
  check_packs<prim::population_count, std::int64_t>(population_count_int64);
  check_packs<prim::population_count, std::uint8_t>(population_count_uint8);
  check_packs<prim::population_count, std::uint16_t>(population_count_uint16);
  check_packs<prim::population_count, std::uint32_t>(population_count_uint32);
  check_packs<prim::population_count, std::uint64_t>(population_count_uint64);
  check_packs<prim::round_nearest_even, float>(round_nearest_even_float32);
  check_packs<prim::round_nearest_afz, float>(round_nearest_afz_float32);
  check_packs<prim::round_nearest_afz, double>(round_nearest_afz_float64);
  check_packs<prim::nextafter, float>(nextafter_float32);
  check_packs<prim::nextafter, double>(nextafter_float64);
}

// All bytes, in packs that fill registers and in parts of them.
template <class T, int L>
void check_counts() {
  constexpr int n = 256 / static_cast<int>(sizeof(T));
  T x[n], counts[L];
  for (int i = 0; i < 256; ++i) reinterpret_cast<unsigned char*>(x)[i] = static_cast<unsigned char>(i);
  for (int at = 0; at < n; at += L) {
    simd::store(primitive<prim::population_count>::kernel(simd::load<T, L>(x + at)), counts);
    for (int i = 0; i < L; ++i) CHECK(counts[i] == std::popcount(x[at + i]));
  }
}
TEST_CASE("bits of lanes of all sizes are counted") {
  check_counts<std::uint8_t, 2>();
  check_counts<std::uint8_t, 16>();
  check_counts<std::uint8_t, 64>();
  check_counts<std::uint16_t, 4>();
  check_counts<std::uint16_t, 16>();
  check_counts<std::uint16_t, 64>();
  check_counts<std::uint32_t, 4>();
  check_counts<std::uint32_t, 8>();
  check_counts<std::uint32_t, 32>();
  check_counts<std::uint64_t, 2>();
  check_counts<std::uint64_t, 4>();
  check_counts<std::uint64_t, 16>();
}
#endif
