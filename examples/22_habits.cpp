// SPDX-License-Identifier: BSL-1.0
// The habits that differ from JAX's, numbered as in the README. Each is computed while this is compiled.
#include <iostream>
#include <vector>

#include <exprax/exprax.hpp>

namespace ex = exprax;

// 1. A function has no state. 2. Results are tuples.
constexpr auto both = [](auto x) { return ex::tuple(x + 1, x.sum()); };
constexpr auto pair = ex::jit(both)(ex::array<float, 3>{1, 2, 3});
static_assert(ex::get<0>(pair)(2) == 4 && ex::get<1>(pair) == 6);

// 3. Indices and slices.
constexpr ex::array<float, 4> x{1, 2, 3, 4};
static_assert(x(-1) == 4 && x(ex::slice<ex::none, ex::none, -1>) == ex::array<float, 4>{4, 3, 2, 1});

// 4. Shapes and axes are constants.
constexpr auto sum_of_pairs = [](auto v) {
  auto const [n, m] = v.shape;
  return v.reshape(ex::shape<n * m / 2, 2>).sum(ex::axis<1>, ex::float64);
};
static_assert(ex::jit(sum_of_pairs)(ex::array<float, 1, 4>{1, 2, 3, 4}) == ex::array<double, 2>{3, 7});

// 5. A struct of parameters is a template over Array. Here it is one of arrays; behind ex::grad, one of gradients.
template <template <class, auto...> class Array>
struct dense {
  Array<float, 4, 3> w;
  Array<float, 3> b;
};
constexpr auto loss = [](auto p, auto v) { return ex::sum(ex::tanh(ex::dot(v, p.w) + p.b)); };
constexpr dense<ex::array> gradient = ex::grad(loss)(dense<ex::array>{}, ex::ones<4>());
static_assert(gradient.b == ex::array<float, 3>{1, 1, 1});

// 6. Dictionaries are Hana maps.
constexpr auto rows = BOOST_HANA_STRING("rows");
constexpr auto scale = BOOST_HANA_STRING("scale");
constexpr auto scaled = [](auto d) { return d[rows] * d[scale]; };
constexpr auto arguments = boost::hana::make_map(boost::hana::make_pair(rows, x), boost::hana::make_pair(scale, ex::array<float>(2)));
static_assert(ex::vmap(scaled, ex::in_axes<ex::axes<0, ex::none>>)(arguments) == 2 * x);

// 7. Static arguments are C++ constants.
constexpr auto power = [](auto v, auto n) {
  auto y = v;
  for (int i = 1; i < n(); ++i) y *= v;
  return y;
};
static_assert(ex::jit(power)(x, ex::static_<3>)(1) == 8);

// 8. Random keys are JAX's.
constexpr auto noisy = [](auto key, auto v) { return v + ex::random::uniform(key, v.shape, -1, 1); };
static_assert(ex::jit(noisy)(ex::random::key(0), x) != ex::jit(noisy)(ex::random::key(1), x));

// 9. C++ numbers are weak, and x64 is off: beside an array of doubles 0.1 is a double, but ex::sqrt(2.0) is a float32.
constexpr ex::array<double, 1> one{1};
static_assert((one * 0.1)(0) == 0.1 && (one * ex::sqrt(2.0))(0) != 1.4142135623730951);

// 10. Arrays own their elements; views read and write memory of yours.
void doubled(std::vector<float> const& in, float* out) {
  ex::jit([](auto v) { return 2 * v; }).into(ex::view<float, 100>(out), ex::view<float const, 100>(in));
}

int main() {
  std::cout << "both: " << pair << '\n' << "the gradient of b: " << gradient.b << '\n';
  std::vector<float> const in(100, 1.5f);
  std::vector<float> out(100);
  doubled(in, out.data());
  std::cout << "doubled: " << out[99] << '\n';
}
