// SPDX-License-Identifier: BSL-1.0
// Methods and properties of arrays, views, traced values and values without a trace (jax.Array), dtypes and shapes as values. Expected
// values: jax.numpy.
#include <sstream>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace {

namespace ex = exprax;
template <int... D>
using ints = ex::array<int, D...>;
template <int... D>
using floats = ex::array<float, D...>;

constexpr floats<2, 3> x{{3, 1, 2}, {4, 6, 5}};

// Properties.
static_assert(x.shape == ex::shape<2, 3> && x.shape != ex::shape<3, 2> && x.shape[0] == 2 && x.shape[-1] == 3 && x.shape.size() == 2);
static_assert(x.ndim == 2 && x.size() == 6 && x.dtype == ex::float32 && x.dtype != ex::int32 && x.dtype.str() == "float32");
static_assert(ex::array<float>::shape == ex::shape<> && ex::array<ex::float16, 2>::dtype == ex::dtype_<ex::float16>);
// The base of an array adds nothing to its size.
static_assert(sizeof(x) == 6 * sizeof(float) && std::is_trivially_copyable_v<floats<2, 3>> && std::is_empty_v<decltype(x.shape)> == false);

// A structured binding of a shape gives template arguments.
constexpr auto ones_around = [](auto const& v) {
  auto const [n, m] = v.shape;
  return ex::ones<n + 2, m + 2>().at(ex::slice<1, 1 + n>, ex::slice<1, 1 + m>).set(v);
};
static_assert(ones_around(floats<1, 1>{7}) == floats<3, 3>{{1, 1, 1}, {1, 7, 1}, {1, 1, 1}});

// Each method is the function of its name, on arrays and while tracing.
constexpr auto reductions = [](auto v) {
  return ex::array_equal(v.sum(), 21) & ex::array_equal(v.sum(ex::axis<0>, ex::int32), ints<3>{7, 7, 7}) & ex::array_equal(v.prod(), 720) &
         ex::array_equal(v.mean(ex::axis<1>, ex::keepdims), floats<2, 1>{{2}, {5}}) & ex::array_equal(v.max(ex::axis<1>), ints<2>{3, 6}) &
         ex::array_equal(v.min(), 1) & ex::array_equal(v.ptp(), 5) & ex::array_equal(v.argmax(), 4) &
         ex::array_equal(v.argmin(ex::axis<1>), ints<2>{1, 0}) & ex::isclose(v.var(ex::axis<0>, ex::ddof<1>)(1), 12.5f) &
         ex::isclose(v.std(), 1.7078251f) & (v > 0).all() & (v > 5).any();
};
constexpr auto in_order = [](auto v) {
  return ex::array_equal(v.cumsum(ex::axis<1>), ints<2, 3>{{3, 4, 6}, {4, 10, 15}}) &
         ex::array_equal(v.cumprod(), ints<6>{3, 3, 6, 24, 144, 720}) &
         ex::array_equal(v.sort(), ints<2, 3>{{1, 2, 3}, {4, 5, 6}}) &
         ex::array_equal(v.argsort(ex::axis<1>), ints<2, 3>{{1, 2, 0}, {0, 2, 1}});
};
constexpr auto forms = [](auto v) {
  return ex::array_equal(v.T(), ints<3, 2>{{3, 4}, {1, 6}, {2, 5}}) & ex::array_equal(v.mT(), v.T()) &
         ex::array_equal(v.transpose(ex::axis<1, 0>), v.T()) & ex::array_equal(v.swapaxes(ex::axis<0, 1>), v.T()) &
         ex::array_equal(v.ravel(), ints<6>{3, 1, 2, 4, 6, 5}) & ex::array_equal(v.flatten(), v.reshape(ex::shape<-1>)) &
         ex::array_equal(v.reshape(ex::shape<3, 2>), ints<3, 2>{{3, 1}, {2, 4}, {6, 5}}) &
         ex::array_equal(v.template reshape<1, 6>().squeeze(), v.ravel()) & ex::array_equal(v.diagonal(), ints<2>{3, 6}) &
         ex::array_equal(v.diagonal(ex::static_<1>), ints<2>{1, 5}) & ex::array_equal(v.trace(ex::static_<-1>), 4) &
         ex::array_equal(v.repeat(ex::static_<2>, ex::axis<1>), ints<2, 6>{{3, 3, 1, 1, 2, 2}, {4, 4, 6, 6, 5, 5}});
};
constexpr auto elements = [](auto v) {
  auto const halves = v + 0.25f;
  return ex::array_equal(halves.round(ex::decimals<1>), halves.round(ex::static_<1>)) & ex::array_equal(halves.round(), v) &
         ex::array_equal(v.clip(2, 4), ints<2, 3>{{3, 2, 2}, {4, 4, 4}}) & (v.astype(ex::int32).dtype == ex::int32) &
         (v.template astype<bool>().dtype == ex::bool_) & (v.astype(v.T().dtype).dtype == v.dtype) & ex::array_equal(v.conj(), v.real()) &
         ex::array_equal(v.imag(), ex::zeros(v.shape)) & ex::array_equal(v.copy(), v.conjugate());
};
constexpr auto with_others = [](auto v) {
  return ex::array_equal(v.dot(v.T()), ints<2, 2>{{14, 28}, {28, 77}}) & ex::array_equal(v.take(ints<2>{5, 0}), ints<2>{5, 3}) &
         ex::array_equal(v.ravel().sort().searchsorted(2.5f), 2) &
         ex::array_equal(ex::get<1>((v > 3).nonzero(ex::size<3>)), ints<3>{0, 1, 2}) &
         ex::array_equal(v.compress(ex::array<bool, 2>{false, true}, ex::size<1>, ex::axis<0>), ints<1, 3>{{4, 6, 5}}) &
         ex::array_equal(v(0).argpartition(ex::static_<0>)(0), 1) &
         ex::array_equal(ex::asarray({1, 0}).choose(ex::tuple(v(0, 0), v(0, 1))), ints<2>{1, 3});
};
static_assert(ex::jit(reductions)(x)() && ex::jit(in_order)(x)() && ex::jit(forms)(x)() && ex::jit(elements)(x)() &&
              ex::jit(with_others)(x)());
static_assert(reductions(x).item() && in_order(x).item() && forms(x).item());

// Equations are those of the function.
static_assert(ex::make_jaxpr([](auto v) { return v.sum(ex::axis<0>).astype(ex::int32); })(ex::f32<2, 3>) ==
              ex::make_jaxpr([](auto v) { return ex::astype<int>(ex::sum(v, ex::axis<0>)); })(ex::f32<2, 3>));

// Values without a trace, and the one element of an array.
static_assert(ex::arange<4>().reshape(ex::shape<2, 2>).T() == ints<2, 2>{{0, 2}, {1, 3}} && x.sum().item() == 21.0f);

// Shapes as values.
static_assert(ex::zeros(x.shape) == floats<2, 3>{} && ex::ones(ex::shape<2>, ex::int32) == ints<2>{1, 1} &&
              ex::full(x.shape, 2, ex::float32) == floats<2, 3>::full(2) && ex::full(ex::shape<1>, 2).dtype == ex::int32 &&
              ex::empty(ex::shape<0>).shape == ex::shape<0> && ex::reshape(x, ex::shape<3, -1>).shape == ex::shape<3, 2> &&
              ex::broadcast_to(1, ex::shape<2, 2>) == ints<2, 2>::full(1));

// Starts as a tuple, numbers in braces as an update.
constexpr auto block = [](auto v, auto i) { return ex::dynamic_slice(v, ex::tuple(i, 1), ex::shape<1, 2>); };
static_assert(ex::jit(block)(x, 1) == floats<1, 2>{{6, 5}} && ex::dynamic_slice<2, 1>(x, ex::tuple(0, 9)) == floats<2, 1>{{2}, {5}} &&
              ex::dynamic_update_slice(x, floats<1, 1>{0}, ex::tuple(1, 2)) == floats<2, 3>{{3, 1, 2}, {4, 6, 0}});
static_assert(x.at(1).set({7, 8, 9}) == floats<2, 3>{{3, 1, 2}, {7, 8, 9}} &&
              ex::jit([](auto v) { return v.at(ex::all, 0).set({0.5f, 1.5f}); })(x) == floats<2, 3>{{0.5f, 1, 2}, {1.5f, 6, 5}});

// A dtype converts as jax.numpy.float32(x) does: to a value that is not weak.
static_assert(ex::make_jaxpr([](auto v) { return v + ex::float32(1); })(ex::i32<2>) ==
              "{ lambda ; a:i32[2]. let\n"
              "    b:f32[2] = convert_element_type[new_dtype=float32 weak_type=False] a\n"
              "    c:f32[2] = add b 1.0:f32[]\n"
              "  in (c,) }");
static_assert(ex::uint8(300).item() == 44 && ex::int32(x).dtype == ex::int32 && ex::float64(ex::tuple(1, 2)).dtype == ex::float64);

// Numbers in braces.
static_assert(ex::asarray({1, 2, 3}) == ints<3>{1, 2, 3} && ex::asarray({{1.5, 2.0}, {0.0, 1.0}}) == floats<2, 2>{{1.5f, 2}, {0, 1}} &&
              ex::asarray({{{1}, {2}}}, ex::float32).shape == ex::shape<1, 2, 1> && ex::asarray({true, false}).dtype == ex::bool_);

TEST_CASE("methods at run time, on arrays and views") {
  floats<2, 3> const a = x;
  ex::view<float const, 2, 3> const v(a);
  CHECK(ex::jit(reductions)(a)());
  CHECK(ex::jit(in_order)(v)());
  CHECK(forms(a).item());
  CHECK(v.sum(ex::axis<1>) == floats<2>{6, 15});
  CHECK(v.T() == a.T());
  std::ostringstream text;
  text << a.shape << ' ' << ex::array<float, 4>::shape << ' ' << ex::array<float>::shape << ' ' << a.dtype << ' ' << ex::float32(2);
  CHECK(text.str() == "(2, 3) (4,) () float32 2.0");
  std::ostringstream spec;
  spec << ex::eval_shape(block, ex::f32<2, 3>, ex::i32<>);
  CHECK(spec.str() == "ShapeDtypeStruct(shape=(1, 2), dtype=float32)");
}

}  // namespace
