// SPDX-License-Identifier: BSL-1.0
// jax.numpy and jax.lax: inputs and results of JAX.
#include "cases/given.hpp"

namespace {

using namespace cases;

TEST_CASE("indexing") {
  given<"idx_oob_fill_value">([](auto x, auto i) { return x.at(i).get(ex::mode_fill, ex::fill_value(7)); });
  given<"idx_nowrap_fill">([](auto x, auto i) { return x.at(i).get(ex::mode_fill, ex::fill_value(99), ex::wrap_negative_indices<false>); });
  given<"at_add_clip">([](auto x) { return x.at(20).add(10, ex::mode_clip); });
  given<"dyn_slice_2d">([](auto x, auto i, auto j) { return ex::dynamic_slice<2, 3>(x, i, j); });
  given<"rev_slice">([](auto x) {
    return ex::tuple(x(ex::slice<ex::none, ex::none, -1>), x(ex::slice<ex::none, ex::none, 2>), x(ex::slice<-2, ex::none>), x(ex::slice<1, -1>));
  });
  given<"slice_clamp_static">([](auto x) { return x(ex::slice<ex::none, 10>); });
  given<"where3">([](auto x) { return ex::where(x < 0, 0, x); });
  given<"segment_sum">([](auto d, auto s) { return ex::ops::segment_sum<3>(d, s); });
}

TEST_CASE("sizes known in advance") {
  given<"nonzero_exact">([](auto x) { return ex::get<0>(ex::nonzero<3>(x)); });
  given<"nonzero_2d">([](auto x) { return ex::nonzero<4>(x, ex::fill_value(-1)); });
  given<"nonzero_2d_fill_tuple">([](auto x) { return ex::nonzero<4>(x, ex::fill_value(2, 3)); });
  given<"nonzero_float_nan">([](auto x) { return ex::get<0>(ex::nonzero<3>(x, ex::fill_value(-1))); });
  given<"argwhere_size">([](auto x) { return ex::argwhere<3>(x); });
  given<"flatnonzero_size">([](auto x) { return ex::flatnonzero<4>(x, ex::fill_value(10)); });
  given_near<"seed_nonzero_energy">([](auto r, auto q) {
    auto const distance = ex::abs(r(ex::all, ex::newaxis) - r(ex::newaxis, ex::all));
    auto const m = ex::nonzero<5000>(ex::where(distance <= 0.2f, 1, 0), ex::fill_value(-1));
    return ex::sum(q(ex::get<0>(m)) * q(ex::get<1>(m)));
  });
}

TEST_CASE("contractions and windows") {
  given<"dot_general_batch_mid">([](auto a, auto b) { return ex::dot_general(a, b, ex::contracting<ex::axis<0>, ex::axis<1>>, ex::batching<ex::axis<2>, ex::axis<2>>); });
  given<"conv_lhs_dil">([](auto x, auto w) { return ex::conv_general_dilated(x, w, ex::window_strides<1>, ex::padding<1, 1>, ex::lhs_dilation<2>); });
  given<"pad_neg_interior">([](auto x) {
    return ex::tuple(ex::lax::pad<1, 2, 0>(x, 9.0f), ex::lax::pad<-1, 1, 0>(x, 0.0f), ex::lax::pad<0, 0, 1>(x, 0.0f));
  });
  given<"seed_nested_loops">([](auto w) {
    auto const body = [](auto c, auto column) {
      auto const sums = ex::convolve(c * column, ex::ones<float, 3>(), ex::mode_valid);
      auto const o = ex::zeros_like(column).at(ex::slice<1, -1>).set(sums);
      return ex::tuple(o, o);
    };
    return ex::get<1>(ex::scan(body, ex::ones<float, decltype(w)::extent(0)>(), ex::transpose(w)));
  });
}

TEST_CASE("running, sorted, reduced") {
  given<"cumsum_axis">([](auto x) { return ex::tuple(ex::cumsum(x, ex::axis<1>), ex::cumsum(x, ex::axis<0>, ex::reverse)); });
  given<"cumprod">([](auto x) { return ex::cumprod(x); });
  given_near<"cummax_nan">([](auto x) { return ex::cummax(x); });
  given<"sort_key_val">([](auto k, auto v) { return ex::sort_key_val(k, v); });
  given_near<"reduce_max_nan">([](auto x) { return ex::tuple(ex::max(x), ex::min(x), ex::sum(x)); });
  given<"searchsorted">([](auto a, auto v) { return ex::tuple(ex::searchsorted(a, v), ex::searchsorted(a, v, ex::side_right)); });
  given<"nan_reductions">([](auto x) { return ex::tuple(ex::nansum(x), ex::nanmax(x), ex::nanmin(x)); });
  given<"max_empty_axis">([](auto x) { return ex::max(x, ex::initial(-1.0f), ex::where_(x > 5)); });
  given<"argmax_ties">([](auto x) { return ex::tuple(ex::argmax(x), ex::argmin(x)); });
  given<"bool_reduce">([](auto x) { return ex::tuple(ex::any(x), ex::all(x), ex::sum(x)); });
  given<"tri">([](auto x) { return ex::tuple(ex::tril(x), ex::triu<1>(x)); });
  given_near<"interp">([](auto x, auto xp, auto fp) { return ex::interp(x, xp, fp); });
  given<"iota">([] { return ex::tuple(ex::iota<std::int32_t, 3>(), ex::broadcasted_iota<std::int32_t, 1, 2, 3>()); });
}

TEST_CASE("numbers") {
  given<"int_pow_overflow">([](auto x) { return ex::pow(x, 21); });
  given<"pow_neg_exp_static">([](auto x) { return ex::pow(x, -2); });
  given<"lax_div_rem">([](auto a, auto b) { return ex::tuple(ex::lax::div(a, b), ex::lax::rem(a, b)); });
  given<"int_overflow">([](auto a) { return ex::tuple(a + 1, a * 2, -a); });
  given<"uint_underflow">([](auto a, auto b) { return ex::tuple(a - ex::ones<std::uint32_t>(), b + ex::ones<std::uint8_t>()); });
  given<"abs_intmin">([](auto a) { return ex::abs(a); });
  given<"shift_ops">([](auto a, auto b) { return ex::tuple(a << 2, a >> 1, b >> 1, ex::lax::shift_right_logical(a, 28)); });
  given<"clip_bounds">([](auto x) { return ex::clip(x, 2, 4); });
  given<"f2i_trunc">([](auto x) { return ex::astype<std::int32_t>(x); });
  given<"i2bool">([](auto x) { return ex::astype<bool>(x); });
  given<"promo_u8_i8">([](auto a, auto b) { return ex::add(a, b); });
  given<"promo_i8_pyfloat">([](auto a) { return ex::add(a, 0.5); });
  given<"promo_bool_bool">([](auto a, auto b) { return ex::add(a, b); });
}

}  // namespace
