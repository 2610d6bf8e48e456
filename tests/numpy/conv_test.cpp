// SPDX-License-Identifier: BSL-1.0
// conv_general_dilated against its definition, written as loops over small whole numbers, so that every sum is exact.
#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

#include "../emit/agree.hpp"

namespace ex = exprax;

namespace {

struct axes {
  int batch, feature, y, x;
};
// Of an array [n, c, h, w] whose axes stand at these places.
template <class T, int... D>
constexpr T at(ex::array<T, D...> const& a, axes where, int b, int f, int y, int x) {
  int i[4] = {};
  i[where.batch] = b, i[where.feature] = f, i[where.y] = y, i[where.x] = x;
  return a(i[0], i[1], i[2], i[3]);
}
template <int K, class T, int... D>
constexpr int extent(ex::array<T, D...> const&) {
  constexpr int d[] = {D...};
  return d[K];
}

struct window {
  int stride[2] = {1, 1}, low[2] = {}, lhs_dilation[2] = {1, 1}, rhs_dilation[2] = {1, 1}, feature_groups = 1, batch_groups = 1;
};

template <class A, class B, class Out>
bool is_convolution(A const& a, axes la, B const& b, axes ra, Out const& out, axes oa, window const& w) {
  auto const dims = [](auto const& x, int k) {
    int const d[] = {extent<0>(x), extent<1>(x), extent<2>(x), extent<3>(x)};
    return d[k];
  };
  int const made = dims(b, ra.batch), inputs = dims(b, ra.feature), rows = dims(out, oa.batch);
  for (int n = 0; n < rows; ++n)
    for (int o = 0; o < made; ++o)
      for (int y = 0; y < dims(out, oa.y); ++y)
        for (int x = 0; x < dims(out, oa.x); ++x) {
          long sum = 0;
          for (int c = 0; c < inputs; ++c)
            for (int v = 0; v < dims(b, ra.y); ++v)
              for (int u = 0; u < dims(b, ra.x); ++u) {
                int py = y * w.stride[0] + v * w.rhs_dilation[0] - w.low[0], px = x * w.stride[1] + u * w.rhs_dilation[1] - w.low[1];
                if (py < 0 || px < 0 || py % w.lhs_dilation[0] || px % w.lhs_dilation[1]) continue;
                py /= w.lhs_dilation[0], px /= w.lhs_dilation[1];
                if (py >= dims(a, la.y) || px >= dims(a, la.x)) continue;
                int const row = n + o / (made / w.batch_groups) * rows, feature = c + o / (made / w.feature_groups) * inputs;
                sum += static_cast<long>(at(a, la, row, feature, py, px)) * static_cast<long>(at(b, ra, o, c, v, u));
              }
          if (static_cast<long>(at(out, oa, n, o, y, x)) != sum) return false;
        }
  return true;
}

template <class T, int... D>
ex::array<T, D...> small_numbers(int seed) {
  ex::array<T, D...> a;
  for (std::ptrdiff_t i = 0; i < a.size(); ++i) a.data()[i] = static_cast<T>((i * 7 + seed) % 11 - 5);
  return a;
}

constexpr axes nchw{0, 1, 2, 3}, nhwc{0, 3, 1, 2}, hwio{3, 2, 0, 1};

template <class... Tags>
struct convolve {
  template <class X, class W>
  constexpr auto operator()(X x, W w) const {
    return ex::conv_general_dilated(x, w, Tags{}...);
  }
};
template <class... Tags>
constexpr convolve<Tags...> with(Tags...) {
  return {};
}

}  // namespace

TEST_CASE("conv_general_dilated: strides, padding, dilations") {
  auto const x = small_numbers<float, 2, 3, 7, 9>(1);
  auto const w = small_numbers<float, 4, 3, 3, 2>(2);
  CHECK(is_convolution(x, nchw, w, nchw, ex::jit(with())(x, w), nchw, {}));
  CHECK(is_convolution(x, nchw, w, nchw, ex::jit(with(ex::window_strides<2, 1>, ex::padding<1, 1, 0, 3>))(x, w), nchw, {{2, 1}, {1, 0}}));
  CHECK(is_convolution(x, nchw, w, nchw, ex::jit(with(ex::rhs_dilation<2, 3>, ex::padding<-1, 2, 4, -2>))(x, w), nchw, {{1, 1}, {-1, 4}, {1, 1}, {2, 3}}));
  CHECK(is_convolution(x, nchw, w, nchw, ex::jit(with(ex::lhs_dilation<3, 2>, ex::padding<-2, 1, 1, -3>, ex::window_strides<2, 3>))(x, w), nchw,
                       {{2, 3}, {-2, 1}, {3, 2}}));
  auto const same = ex::jit(with(ex::padding_same, ex::window_strides<2, 2>))(x, w);
  static_assert(std::is_same_v<decltype(same), ex::array<float, 2, 4, 4, 5> const>);
  CHECK(is_convolution(x, nchw, w, nchw, same, nchw, {{2, 2}, {1, 0}}));
}

TEST_CASE("conv_general_dilated: groups, layouts, dtypes") {
  auto const x = small_numbers<float, 4, 6, 5, 8>(3);
  auto const w = small_numbers<float, 6, 2, 3, 3>(4);
  CHECK(is_convolution(x, nchw, w, nchw, ex::jit(with(ex::feature_group_count<3>))(x, w), nchw, {{1, 1}, {}, {1, 1}, {1, 1}, 3}));
  auto const v = small_numbers<float, 6, 6, 2, 3>(5);
  CHECK(is_convolution(x, nchw, v, nchw, ex::jit(with(ex::batch_group_count<2>, ex::padding_same_lower))(x, v), nchw, {{1, 1}, {1, 1}, {1, 1}, {1, 1}, 1, 2}));
  auto const y = small_numbers<float, 2, 6, 9, 3>(6);
  auto const u = small_numbers<float, 3, 2, 3, 20>(7);
  auto const channels_last = with(ex::conv_dimension_numbers<"NHWC", "HWIO", "NHWC">, ex::padding_same);
  CHECK(is_convolution(y, nhwc, u, hwio, ex::jit(channels_last)(y, u), nhwc, {{1, 1}, {1, 0}}));
  // The same convolution, its axes in any order.
  auto const mixed = with(ex::conv_dimension_numbers<"HNCW", "IWOH", "CWHN">);
  auto const z = small_numbers<std::int32_t, 6, 2, 3, 9>(8);
  auto const t = small_numbers<std::int32_t, 3, 3, 4, 2>(9);
  CHECK(is_convolution(z, {1, 2, 0, 3}, t, {2, 0, 3, 1}, ex::jit(mixed)(z, t), {3, 0, 2, 1}, {}));
  auto const bytes = small_numbers<std::int8_t, 1, 1, 4, 4>(1);
  auto const sums = ex::conv_general_dilated(bytes, bytes, ex::padding<3, 3, 3, 3>, ex::preferred_element_type<std::int32_t>);
  static_assert(std::is_same_v<decltype(sums), ex::array<std::int32_t, 1, 1, 7, 7> const>);
  CHECK(is_convolution(bytes, nchw, bytes, nchw, sums, nchw, {{1, 1}, {3, 3}}));
}

TEST_CASE("conv_general_dilated under vmap") {
  auto const x = small_numbers<float, 3, 2, 4, 5, 6>(1);
  auto const w = small_numbers<float, 3, 4, 2, 2, 2>(2);
  auto const f = with(ex::feature_group_count<2>, ex::conv_dimension_numbers<"NCHW", "OIHW", "NHWC">, ex::window_strides<1, 2>);
  auto const all = ex::jit(ex::vmap(f))(x, w);
  auto const one_filter = ex::jit(ex::vmap(f, ex::in_axes<0, ex::none>))(x, ex::jit([](auto a) { return a(1); })(w));
  auto const one_image = ex::jit(ex::vmap(f, ex::in_axes<ex::none, 0>))(ex::jit([](auto a) { return a(2); })(x), w);
  for (int i = 0; i < 3; ++i) {
    auto const row = [i](auto const& a) { return ex::jit([](auto b, auto k) { return b(k); })(a, i); };
    auto const xi = row(x), x2 = ex::jit([](auto a) { return a(2); })(x);
    auto const wi = row(w), w1 = ex::jit([](auto a) { return a(1); })(w);
    CHECK(row(all) == ex::jit(f)(xi, wi));
    CHECK(row(one_filter) == ex::jit(f)(xi, w1));
    CHECK(row(one_image) == ex::jit(f)(x2, wi));
  }
}

// 1 2 3 with a zero between its elements and one at each end, under (1, 10): the pairs are 0 1, 1 0, 0 2, 2 0, 0 3, 3 0.
static_assert(ex::conv_general_dilated(ex::array<int, 1, 1, 3>{{{1, 2, 3}}}, ex::array<int, 1, 1, 2>{{{1, 10}}}, ex::padding<1, 1>, ex::lhs_dilation<2>) ==
              ex::array<int, 1, 1, 6>{{{10, 1, 20, 2, 30, 3}}});

// jax.lax.conv_transpose of [1, 2] with the window [1, 10, 100], stride 2: each element of the input starts at every second place.
// Without transpose_kernel the window is not reversed: the elements 1 0 2 stand between zeros, 2 of them in front (VALID).
static_assert(ex::conv_transpose(ex::array<int, 1, 2, 1>{{{1}, {2}}}, ex::array<int, 3, 1, 1>{{{1}}, {{10}}, {{100}}}, ex::window_strides<2>, ex::padding_valid) ==
              ex::array<int, 1, 5, 1>{{{100}, {10}, {201}, {20}, {2}}});

static_assert(ex::make_jaxpr(with(ex::window_strides<2, 2>, ex::padding_same, ex::conv_dimension_numbers<"NHWC", "HWIO", "NHWC">))(ex::f32<1, 8, 8, 3>, ex::f32<3, 3, 3, 4>) ==
              R"({ lambda ; a:f32[1,8,8,3] b:f32[3,3,3,4]. let
    c:f32[1,4,4,4] = conv_general_dilated[
      batch_group_count=1
      dimension_numbers=ConvDimensionNumbers(lhs_spec=(0, 3, 1, 2), rhs_spec=(3, 2, 0, 1), out_spec=(0, 3, 1, 2))
      feature_group_count=1
      lhs_dilation=(1, 1)
      out_sharding=None
      padding=((0, 1), (0, 1))
      precision=None
      preferred_element_type=None
      rhs_dilation=(1, 1)
      window_strides=(2, 2)
    ] a b
  in (c,) })");

TEST_CASE("conv_general_dilated: the bits of the definition") {
  using ex::expr;
  CHECK(emit_test::differences_of<expr<float, 2, 5, 21, 3>, expr<float, 3, 2, 3, 5>>(
            with(ex::conv_dimension_numbers<"NHWC", "HWIO", "NHWC">, ex::padding_same, ex::window_strides<1, 2>)) == 0);
  CHECK(emit_test::differences_of<expr<double, 2, 4, 6, 7>, expr<double, 6, 2, 3, 3>>(
            with(ex::conv_dimension_numbers<"NCHW", "OIHW", "NHWC">, ex::feature_group_count<2>, ex::lhs_dilation<2, 1>, ex::padding<1, 0, 2, 1>)) == 0);
}

TEST_CASE("conv_general_dilated for no row") {
  auto const f = [](auto a, auto b) { return ex::conv(a, b, ex::window_strides<1>, ex::padding_same); };
  auto const none = ex::jit(ex::vmap(f, ex::in_axes<0, ex::none>, ex::out_axes<1>))(ex::array<float, 0, 1, 2, 9>{}, ex::array<float, 3, 2, 3>{});
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(none)>, ex::array<float, 1, 0, 3, 9>>);
  CHECK(ex::jit(ex::vmap(f))(ex::array<float, 0, 1, 2, 9>{}, ex::array<float, 0, 3, 2, 3>{}).size() == 0);
}
