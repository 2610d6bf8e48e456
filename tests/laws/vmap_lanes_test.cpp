// SPDX-License-Identifier: BSL-1.0
// The law of vmap for elementwise functions, at batches around the length of a pack, with every kind of neighbour.
#include <laws/lanes.hpp>

namespace {

using namespace laws;

constexpr auto elementary = [](auto x, auto y) {
  return ex::tuple(ex::exp(x), ex::expm1(x), ex::log(x), ex::log1p(x), ex::sqrt(x), ex::rsqrt(x), ex::sin(x), ex::cos(x), ex::tanh(x),
                   ex::logistic(x), ex::pow(x, y), ex::floor_divide(x, y), x % y);
};
constexpr auto arithmetic = [](auto x, auto y, auto i, auto j, auto p) {
  return ex::tuple(-x, ex::sign(x), ex::floor(x), ex::ceil(x), ex::abs(x), ex::isfinite(x), x + y, x - y, x * y, x / y, x * y - x,
                   ex::maximum(x, y), ex::minimum(x, y), x == y, x < y, ex::where(p, x, y), ex::clip(x, y, 8.0f), ex::integer_pow<3>(x),
                   ex::integer_pow<-2>(y), ex::astype<std::int32_t>(x), ex::astype<float>(i), ex::astype<bool>(x), i + j, i * j,
                   ex::floor_divide(i, j), i % j, i & j, ~i, i ^ j, ex::maximum(i, j), i >= j, ex::integer_pow<5>(i), p & (i != j));
};
constexpr auto bytes = [](auto i, auto j, auto k) {
  return ex::tuple(i + j, i * j, ex::abs(i), ex::floor_divide(i, j), i % j, ex::astype<std::uint8_t>(i) | k, ex::minimum(k, ~k), i < j,
                   ex::astype<float>(k), ex::astype<std::int8_t>(k));
};

}  // namespace

TEST_CASE("elementary functions") {
  lane_law<decltype(elementary), float, float>::check<lanes<float> - 1, 100>("float");
  lane_law<decltype(elementary), double, double>::check<lanes<double> + 1>("double");
}
TEST_CASE("arithmetic") {
  constexpr int w = lanes<float>;
  lane_law<decltype(arithmetic), float, float, std::int32_t, std::int32_t, bool>::check<1, 3, w - 1, w, w + 1, 100>("float and int32");
}
TEST_CASE("bytes") {
  constexpr int w = lanes<std::int8_t>;
  lane_law<decltype(bytes), std::int8_t, std::int8_t, std::uint8_t>::check<w + 1>("int8 and uint8");
}
