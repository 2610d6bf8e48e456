// SPDX-License-Identifier: BSL-1.0
// The bits of loops whose turns are not known, of branches, and of their batches: Mandelbrot, Lorenz, Newton.
#include <cmath>

#include <laws/bits.hpp>

namespace {

namespace ex = exprax;
using laws::bits, laws::hash, laws::input;

// How often z = z * z + c can be taken before |z| > 2, and the last z.
constexpr auto escape = [](auto cx, auto cy) {
  auto const inside = [](auto s) {
    auto const [n, x, y] = s;
    return (n < 40) & (x * x + y * y <= 4.0f);
  };
  auto const next = [&](auto s) {
    auto const x = ex::get<1>(s);
    auto const y = ex::get<2>(s);
    return ex::tuple(ex::get<0>(s) + 1, x * x - y * y + cx, 2.0f * x * y + cy);
  };
  return ex::while_loop(inside, next, ex::tuple(0, ex::zeros<float>(), ex::zeros<float>()));
};
constexpr auto mandelbrot = [](auto cx, auto cy) {
  return ex::vmap(ex::vmap(escape, ex::in_axes<0, ex::none>), ex::in_axes<ex::none, 0>)(cx * 0.25f, cy * 0.25f);
};

constexpr auto lorenz = [](auto start, auto turns) {
  auto const step = [](auto, auto p) {
    auto const [x, y, z] = p;
    return ex::tuple(x + 0.01f * (10.0f * (y - x)), y + 0.01f * (x * (28.0f - z) - y), z + 0.01f * (x * y - 8.0f / 3.0f * z));
  };
  return ex::fori_loop(0, turns, step, ex::tuple(start, start + 1.0f, start * 0.5f));
};

// Square roots by Newton's iteration, where that is needed.
constexpr auto root = [](auto x) {
  auto const newton = [](auto v) { return ex::fori_loop(0, 6, [&](auto, auto r) { return 0.5f * (r + v / r); }, v); };
  return ex::switch_(ex::astype<int>(ex::sign(x)) + 1, ex::branches([](auto v) { return -v; }, [](auto v) { return v; }, newton), x);
};

constexpr auto control_bits() {
  return hash(std::tuple_cat(ex::jit(mandelbrot)(input<float, 19>(), input<float, 3>(5)), ex::jit(lorenz)(1.0f, 100),
                             ex::jit(ex::vmap(lorenz, ex::in_axes<0, 0>))(input<float, 5>(3), ex::array<int, 5>{3, 0, 40, 17, 1}),
                             std::tuple(ex::jit(root)(2.0f), ex::jit(ex::vmap(root))(input<float, 35>(2)))));
}

}  // namespace

TEST_CASE("the roots are roots") {
  for (float x : {0.25f, 2.0f, 9.0f}) CHECK(ex::jit(root)(x) == doctest::Approx(std::sqrt(x)));
  CHECK(ex::jit(root)(-3.0f) == 3.0f);
}
TEST_CASE("loops and branches") {
  EXPRAX_BITS(control_bits(), 0x7d10a369u, bits(0xcd70b8a6u, 0x63389fc8u), bits(0xb1eda711u, 0x114f0a4du), bits(0x23016ce2u, 0xa92b8ddbu),
              bits(0x419e9564u, 0x55c14722u), bits(0xd4d331b2u, 0x9cf0ee9eu), bits(0x7b3abecau, 0xa5ee0639u),
              bits(0x356aae7bu, 0xc57a40a2u), bits(0x28ea3ae7u, 0x2adbe38eu), 0x3cff9326u, 0x192a65c0u);
}
