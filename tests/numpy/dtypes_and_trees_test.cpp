// SPDX-License-Identifier: BSL-1.0
// Limits and promotion of dtypes against <limits> and NumPy's values; trees taken apart and put together again.
#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

#include <bit>
#include <cfloat>
#include <cstdint>
#include <limits>

namespace ex = exprax;

namespace {

// ---- finfo, iinfo

template <class T>
constexpr bool has_limits(ex::dtype_t<T> d) {
  using limits = std::numeric_limits<T>;
  constexpr auto i = ex::finfo(ex::dtype_<T>);
  return i.eps == limits::epsilon() && i.max == limits::max() && i.min == limits::lowest() && i.tiny == limits::min() &&
         i.smallest_normal == limits::min() && i.smallest_subnormal == limits::denorm_min() && i.epsneg == limits::epsilon() / 2 &&
         i.nmant == limits::digits - 1 && i.maxexp == limits::max_exponent && i.minexp == limits::min_exponent - 1 &&
         i.precision == limits::digits10 && i.bits == 8 * sizeof(T) && i.dtype == d;
}
static_assert(has_limits(ex::float32) && has_limits(ex::float64));
static_assert(ex::finfo(ex::float32).resolution == 1e-6f && ex::finfo(ex::float64).resolution == 1e-15);
static_assert(ex::finfo(ex::float32).machep == -23 && ex::finfo(ex::float32).negep == -24 && ex::finfo(ex::float32).iexp == 8);
static_assert(ex::finfo(ex::dtype_<std::complex<float>>).eps == FLT_EPSILON);

constexpr auto bits_of = [](auto const& x) { return x.view(ex::uint16)(); };
constexpr auto half = ex::finfo(ex::dtype_<ex::float16>);
static_assert(half.bits == 16 && half.nmant == 10 && half.nexp == 5 && half.maxexp == 16 && half.minexp == -14 && half.precision == 3);
static_assert(bits_of(half.max) == 0x7bff && bits_of(half.min) == 0xfbff && bits_of(half.eps) == 0x1400 && bits_of(half.tiny) == 0x0400 &&
              bits_of(half.smallest_subnormal) == 1);
constexpr auto brain = ex::finfo(ex::dtype_<ex::bfloat16>);
static_assert(brain.bits == 16 && brain.nmant == 7 && brain.nexp == 8 && brain.maxexp == 128 && brain.minexp == -126 && brain.precision == 2);
static_assert(bits_of(brain.max) == 0x7f7f && bits_of(brain.eps) == 0x3c00 && bits_of(brain.tiny) == 0x0080 &&
              bits_of(brain.smallest_subnormal) == 1);

template <class T>
constexpr bool has_integer_limits() {
  constexpr auto i = ex::iinfo(ex::dtype_<T>);
  return i.max == std::numeric_limits<T>::max() && i.min == std::numeric_limits<T>::min() && i.bits == 8 * sizeof(T);
}
static_assert(has_integer_limits<std::int8_t>() && has_integer_limits<std::int16_t>() && has_integer_limits<std::int32_t>() &&
              has_integer_limits<std::int64_t>() && has_integer_limits<std::uint8_t>() && has_integer_limits<std::uint16_t>() &&
              has_integer_limits<std::uint32_t>() && has_integer_limits<std::uint64_t>());

// The limits have their dtype: beside a bfloat16 the sum stays one.
static_assert(ex::make_jaxpr([](auto x) { return x + ex::finfo(x.dtype).eps; })(ex::bf16<2>) ==
              "{ lambda ; a:bf16[2]. let b:bf16[2] = add a 0.0078125:bf16[] in (b,) }");

// ---- Promotion

static_assert(ex::promote_types(ex::int8, ex::uint8) == ex::int16 && ex::promote_types(ex::int32, ex::float32) == ex::float32);
static_assert(ex::promote_types(ex::dtype_<ex::float16>, ex::dtype_<ex::bfloat16>) == ex::float32);
static_assert(ex::result_type(ex::array<std::int8_t, 2>(), 2) == ex::int8 && ex::result_type(ex::array<std::int8_t, 2>(), 2.0) == ex::float32);
static_assert(ex::result_type(1, 2.5) == ex::float32 && ex::result_type(ex::int8, ex::uint16) == ex::int32 && ex::result_type(true) == ex::bool_);

// ---- x.view

constexpr ex::array<float, 2> ones{1, -2};
static_assert(ones.view(ex::int32) == ex::array<int, 2>{0x3f800000, std::bit_cast<int>(0xc0000000u)});
static_assert(ones.view(ex::uint16) == ex::array<std::uint16_t, 4>{0, 0x3f80, 0, 0xc000});
static_assert(ones.view(ex::uint8).view(ex::float32) == ones);
static_assert(ex::array<std::uint8_t, 3, 0>().view(ex::float32).shape == ex::shape<3, 0>);

// ---- Trees

template <template <class, auto...> class Array>
struct dense {
  Array<float, 2, 3> w;
  Array<float, 3> b;
};
template <template <class, auto...> class Array>
struct network {
  dense<Array> first;
  Array<float> scale;
};
constexpr network<ex::array> params{{{{1, 2, 3}, {4, 5, 6}}, {7, 8, 9}}, 10};
constexpr auto total = [](auto a, auto x) { return a + ex::sum(x); };

static_assert(ex::tree_structure(ex::tuple(1, ex::none, ex::tuple(ones, 2.0f))).num_leaves == 3);
constexpr auto flat = ex::tree_flatten(params);
static_assert(ex::get<1>(flat).num_leaves == 3 && ex::get<0>(ex::get<0>(flat)) == params.first.w);
constexpr auto again = ex::tree_unflatten(ex::get<1>(flat), ex::get<0>(flat));
static_assert(again.first.w == params.first.w && again.first.b == params.first.b && again.scale == params.scale);
// Leaves of other types, in a tuple with constants.
constexpr auto mixed = ex::tree_unflatten(ex::tree_structure(ex::tuple(1, ex::none, std::array{2, 3})), ex::tuple(ones, 2.5, 3.5));
static_assert(std::get<0>(mixed) == ones && std::get<2>(mixed)[1] == 3.5);

static_assert(ex::tree_reduce(total, params, 0.5f) == 55.5f);
static_assert(ex::tree_reduce([](auto a, auto b) { return 10 * a + b; }, ex::tuple(1, ex::tuple(2, 3))) == 123);
static_assert(ex::tree_reduce([](auto a, auto b) { return a + b; }, ex::tuple(), 7) == 7);
static_assert(ex::jit([](auto p) { return ex::tree_reduce(total, p, 0.0f); })(params) == 55.0f);

// ---- ravel_pytree

constexpr auto raveled = ex::ravel_pytree(params);
static_assert(ex::get<0>(raveled) == ex::array<float, 10>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
constexpr auto back = ex::get<1>(raveled)(ex::array<float, 10>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
static_assert(back.first.w == ex::array<float, 2, 3>{{0, 1, 2}, {3, 4, 5}} && back.first.b == ex::array<float, 3>{6, 7, 8} && back.scale == 9);
// Dtypes promote, and come back.
constexpr auto two = ex::ravel_pytree(ex::tuple(ex::array<int, 2>{1, 2}, ones));
static_assert(ex::get<0>(two) == ex::array<float, 4>{1, 2, 1, -2});
static_assert(ex::get<0>(ex::get<1>(two)(ex::array<float, 4>{3, 4, 5, 6})) == ex::array<int, 2>{3, 4});
static_assert(ex::get<0>(ex::ravel_pytree(ex::tuple())).shape == ex::shape<0>);
// One step of gradient descent on the vector of all parameters.
constexpr auto loss = [](auto p) { return ex::sum(ex::square(p.first.w)) + ex::sum(p.first.b) * p.scale; };
constexpr auto step = [](auto p) {
  auto [vector, unravel] = ex::ravel_pytree(p);
  auto of_vector = [u = unravel](auto v) { return loss(u(v)); };
  return unravel(vector - 0.5f * ex::grad(of_vector)(vector));
};
constexpr auto stepped = ex::jit(step)(params);
static_assert(stepped.first.w == ex::array<float, 2, 3>() && stepped.first.b == ex::array<float, 3>{2, 3, 4} && stepped.scale == -2);

// ---- Spellings

static_assert(ex::jit(loss).lower(params).as_text() == ex::lower(loss)(params).as_text().str());
static_assert(ex::nn::one_hot(ex::array<int, 2>{1, 3}, ex::static_<3>) == ex::array<float, 2, 3>{{0, 1, 0}, {0, 0, 0}});

}  // namespace

TEST_CASE("ravel_pytree at run time") {
  auto p = params;
  p.scale = 20;
  auto const moved = ex::jit(step)(p);
  CHECK(moved.first.b == ex::array<float, 3>{-3, -2, -1});
  CHECK(ex::get<0>(ex::ravel_pytree(p))(9) == 20);
}
