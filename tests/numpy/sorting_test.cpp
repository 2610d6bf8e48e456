// SPDX-License-Identifier: BSL-1.0
// Order: sort, argsort, lexsort, lax::sort, top_k, argmax and argmin. Values: StableHLO's test data, and JAX's cases.
#include <bit>
#include <complex>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
constexpr float negative_nan = std::bit_cast<float>(0xffc00000u);

template <class A>
constexpr bool same_bits(A const& a, A const& b) {
  for (std::ptrdiff_t i = 0; i < A::size(); ++i)
    if (ex::detail::to_bits(a.data()[i]) != ex::detail::to_bits(b.data()[i])) return false;
  return true;
}

// sort_float32_5_7
constexpr ex::array<float, 5, 7> table{{-1.07987475f, 2.40121102f, 0.609614312f, 2.11366987f, -3.75532937f, -1.70798647f, -1.60148156f},
                                       {1.85626411f, -0.232852742f, 3.18949652f, -2.20193195f, -0.26601395f, -3.44230628f, -1.21295929f},
                                       {-3.16205668f, 0.570658684f, -1.29143703f, -1.20841086f, 4.32051897f, 1.61176097f, -3.21153545f},
                                       {0.805976331f, 6.68937445f, -1.94188154f, -1.46865034f, 0.651393652f, 3.10745668f, 9.86636352f},
                                       {-0.469363391f, 1.07057512f, 4.19001722f, 3.66513085f, 2.18365979f, -0.231317356f, -0.3270244f}};
constexpr ex::array<float, 5, 7> sorted_columns{{-3.16205668f, -0.232852742f, -1.94188154f, -2.20193195f, -3.75532937f, -3.44230628f, -3.21153545f},
                                                {-1.07987475f, 0.570658684f, -1.29143703f, -1.46865034f, -0.26601395f, -1.70798647f, -1.60148156f},
                                                {-0.469363391f, 1.07057512f, 0.609614312f, -1.20841086f, 0.651393652f, -0.231317356f, -1.21295929f},
                                                {0.805976331f, 2.40121102f, 3.18949652f, 2.11366987f, 2.18365979f, 1.61176097f, -0.3270244f},
                                                {1.85626411f, 6.68937445f, 4.19001722f, 3.66513085f, 4.32051897f, 3.10745668f, 9.86636352f}};
static_assert(ex::sort(table, ex::axis<0>) == sorted_columns);
static_assert(ex::sort(ex::astype<double>(table), ex::axis<-2>) == ex::astype<double>(sorted_columns));
// sort_int8_5_7 and sort_uint32_5_7, two of the columns each
static_assert(ex::sort(ex::array<std::int8_t, 2, 5>{{-3, -5, 0, -1, -6}, {-1, 1, -5, 6, -4}}) == ex::array<std::int8_t, 2, 5>{{-6, -5, -3, -1, 0}, {-5, -4, -1, 1, 6}});
static_assert(ex::sort(ex::array<std::uint32_t, 5, 2>{{1, 1}, {4, 2}, {1, 5}, {3, 1}, {0, 0}}, ex::axis<0>) ==
              ex::array<std::uint32_t, 5, 2>{{0, 0}, {1, 1}, {1, 1}, {3, 2}, {4, 5}});
// Zeros and NaNs stay in their order, with their bits.
constexpr ex::array<float, 9> special{0.0f, nan, -0.0f, inf, negative_nan, -inf, 0.0f, 2, -0.0f};
static_assert(same_bits(ex::sort(special), ex::array<float, 9>{-inf, 0.0f, -0.0f, 0.0f, -0.0f, 2, inf, nan, negative_nan}));
static_assert(ex::argsort(special) == ex::array<std::int32_t, 9>{5, 0, 2, 6, 8, 7, 3, 1, 4});
static_assert(ex::argsort(special, ex::descending) == ex::array<std::int32_t, 9>{1, 4, 3, 7, 0, 2, 6, 8, 5});
static_assert(ex::sort(ex::array<std::int32_t, 4>{2, 3, 1, 2}, ex::descending) == ex::array<std::int32_t, 4>{3, 2, 2, 1});
// Empty, one element, bool, the limits of integers.
static_assert(ex::sort(ex::array<float, 0>{}).size() == 0 && ex::sort(ex::array<float, 3, 0>{}).size() == 0);
static_assert(ex::sort(ex::array<float, 1>{nan}).size() == 1 && ex::argsort(ex::array<float, 1>{nan}) == ex::array<std::int32_t, 1>{0});
static_assert(ex::sort(ex::array<bool, 4>{true, false, true, false}) == ex::array<bool, 4>{false, false, true, true});
constexpr std::int64_t low = std::numeric_limits<std::int64_t>::min(), high = std::numeric_limits<std::int64_t>::max();
static_assert(ex::sort(ex::array<std::int64_t, 5>{high, 0, low, -1, high}) == ex::array<std::int64_t, 5>{low, -1, 0, high, high});
static_assert(ex::argsort(ex::array<std::uint64_t, 3>{~std::uint64_t{0}, 0, 1}) == ex::array<std::int32_t, 3>{1, 2, 0});
// JAX's case sort_key_val; keys in order of precedence.
static_assert(ex::sort_key_val(ex::array<std::int32_t, 3>{3, 1, 2}, ex::array<float, 3>{30, 10, 20}) ==
              std::tuple(ex::array<std::int32_t, 3>{1, 2, 3}, ex::array<float, 3>{10, 20, 30}));
constexpr ex::array<std::int32_t, 6> major{1, 0, 0, 1, 0, 1}, minor{5, 2, -1, 2, 2, 5}, value{0, 1, 2, 3, 4, 5};
static_assert(ex::lax::sort(std::tuple(major, minor, value), ex::num_keys<2>) ==
              std::tuple(ex::array<std::int32_t, 6>{0, 0, 0, 1, 1, 1}, ex::array<std::int32_t, 6>{-1, 2, 2, 2, 5, 5}, ex::array<std::int32_t, 6>{2, 1, 4, 3, 0, 5}));
static_assert(ex::lexsort(std::tuple(minor, major)) == ex::array<std::int32_t, 6>{2, 1, 4, 3, 0, 5});
static_assert(ex::lax::sort(std::tuple(major, minor)) == std::tuple(ex::array<std::int32_t, 6>{0, 0, 0, 1, 1, 1}, ex::array<std::int32_t, 6>{2, -1, 2, 5, 2, 5}));

// Complex numbers by their real part, then by the imaginary one (jax.numpy.sort_complex's documentation); half numbers.
using complex = std::complex<float>;
constexpr ex::array<complex, 4> complexes{complex(2, 4), complex(3, -1), complex(1, 2), complex(2, 3)};
static_assert(ex::sort(complexes) == ex::array<complex, 4>{complex(1, 2), complex(2, 3), complex(2, 4), complex(3, -1)});
static_assert(ex::argsort(complexes) == ex::array<std::int32_t, 4>{2, 3, 0, 1});
static_assert(ex::sort(ex::array<ex::float16, 4>{ex::float16(2.5f), ex::float16(-1), ex::float16(0.5f), ex::float16(-8)}) ==
              ex::array<ex::float16, 4>{ex::float16(-8), ex::float16(-1), ex::float16(0.5f), ex::float16(2.5f)});
static_assert(ex::argmax(ex::array<ex::bfloat16, 3>{ex::bfloat16(1), ex::bfloat16(3), ex::bfloat16(2)})() == 1);

// top_k_float32_5, top_k_int32_6, top_k_float32_5_3, top_k_uint32_5_3
static_assert(same_bits(std::get<0>(ex::top_k<5>(ex::array<float, 5>{inf, nan, negative_nan, -inf, 3})), ex::array<float, 5>{nan, inf, 3, -inf, negative_nan}));
static_assert(std::get<1>(ex::top_k<5>(ex::array<float, 5>{inf, nan, negative_nan, -inf, 3})) == ex::array<std::int32_t, 5>{1, 0, 4, 3, 2});
static_assert(ex::top_k<3>(ex::array<std::int32_t, 6>{5, 7, 5, 8, 8, 5}) == std::tuple(ex::array<std::int32_t, 3>{8, 8, 7}, ex::array<std::int32_t, 3>{3, 4, 1}));
static_assert(ex::top_k<2>(ex::array<float, 2, 3>{{1.87676096f, -1.96814215f, 0.339208782f}, {-1.78530681f, 1.6039784f, -1.19955933f}}) ==
              std::tuple(ex::array<float, 2, 2>{{1.87676096f, 0.339208782f}, {1.6039784f, -1.19955933f}}, ex::array<std::int32_t, 2, 2>{{0, 2}, {1, 2}}));
static_assert(ex::top_k<2>(ex::array<std::uint32_t, 3, 2>{{2, 0}, {0, 0}, {3, 0}}, ex::axis<0>) ==
              std::tuple(ex::array<std::uint32_t, 2, 2>{{3, 0}, {2, 0}}, ex::array<std::int32_t, 2, 2>{{2, 0}, {0, 1}}));
static_assert(std::get<1>(ex::top_k<0>(ex::array<float, 5>{})).size() == 0);

// argmax_float32_15, _4, _6, argmin_float32_4, argmin_uint8_15, argmax_bool_15; JAX's case argmax_ties
constexpr ex::array<float, 15> fifteen{-3.43464923f, 7.15940142f,  2.93741393f, -0.346413374f, 1.37187719f, -1.83673358f, 5.99954605f, 2.46723032f,
                                       -2.66364694f, 0.517188668f, -5.9878273f, 6.03587484f,   2.35249352f, 1.32477033f,  2.85481739f};
static_assert(ex::argmax(fifteen)() == 1 && ex::argmin(fifteen)() == 10);
static_assert(ex::argmax(ex::array<float, 4>{2, nan, -inf, -2})() == 1 && ex::argmax(ex::array<float, 6>{nan, nan, 2, -2, nan, nan})() == 0);
static_assert(ex::argmin(ex::array<float, 4>{nan, nan, 2, -2})() == 0 && ex::argmin(ex::array<float, 3>{0.0f, -0.0f, 1})() == 0);
static_assert(ex::argmin(ex::array<std::uint8_t, 15>{1, 6, 0, 0, 6, 2, 2, 3, 4, 2, 1, 2, 0, 0, 0})() == 2);
static_assert(ex::argmax(ex::array<bool, 3>{false, true, true})() == 1 && ex::argmin(ex::array<bool, 3>{true, true, true})() == 0);
static_assert(ex::argmax(ex::array<std::int32_t, 5>{2, 7, 7, 1, 1})() == 1 && ex::argmin(ex::array<std::int32_t, 5>{2, 7, 7, 1, 1})() == 3);
constexpr ex::array<float, 2, 3> holes{{1, 3, nan}, {5, 4, nan}};
static_assert(ex::argmax(holes, ex::axis<1>) == ex::array<std::int32_t, 2>{2, 2} && ex::argmax(holes)() == 2);
static_assert(ex::argmin(holes, ex::axis<0>, ex::keepdims) == ex::array<std::int32_t, 1, 3>{{0, 0, 0}} && ex::argmax(holes, ex::keepdims) == ex::array<std::int32_t, 1, 1>{{2}});
// jax.numpy.nanargmax's documentation; where all is NaN, -1
static_assert(ex::nanargmax(holes, ex::axis<1>, ex::keepdims) == ex::array<std::int32_t, 2, 1>{{1}, {0}} && ex::nanargmax(holes)() == 3);
static_assert(ex::nanargmin(holes, ex::axis<0>) == ex::array<std::int32_t, 3>{0, 0, -1} && ex::nanargmin(ex::array<std::int32_t, 3>{2, 1, 1})() == 1);

}  // namespace

TEST_CASE("rows of arrays without elements") {
  ex::array<float, 0, 3> const x{};
  CHECK(std::get<1>(ex::lax::sort(ex::tuple(x, x), ex::axis<1>, ex::num_keys<2>)).size() == 0);
  CHECK(ex::argsort(x).size() == 0);
  CHECK(std::get<1>(ex::top_k<2>(x)).size() == 0);
  CHECK(std::get<0>(ex::top_k<0>(ex::array<float, 2, 0>{})).size() == 0);
}
