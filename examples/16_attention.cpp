// SPDX-License-Identifier: BSL-1.0
// An attention block as of a transformer: heads by vmap, a causal mask, a residual. With queries of zeros all weights of a row are equal,
// so each position becomes the mean of those before it; with large ones attention looks up a key.
#include <iostream>

#include <exprax/core.hpp>
#include <exprax/nn.hpp>

namespace ex = exprax;

constexpr int positions = 4, features = 4, heads = 2, head_size = 2;

template <template <class, auto...> class Array>
struct block {
  Array<float, heads, features, head_size> query, key, value;
  Array<float, heads, head_size, features> out;
};

// One head. q, k, v: [positions, head_size]
constexpr auto attend = [](auto q, auto k, auto v) {
  auto const scores = ex::matmul(q, ex::transpose(k)) / ex::sqrt(static_cast<float>(head_size));
  auto const past = ex::tri<bool, positions, positions>();  // position i sees 0, ..., i
  return ex::matmul(ex::nn::softmax(ex::where(past, scores, -1e9f)), v);
};

// x: [positions, features] -> the same
constexpr auto forward = [](auto const& w, auto x) {
  auto const head = [](auto h, auto y) {
    return ex::matmul(attend(ex::matmul(y, h.query), ex::matmul(y, h.key), ex::matmul(y, h.value)), h.out);
  };
  return x + ex::sum(ex::vmap(head, ex::in_axes<0, ex::none>)(w, x), ex::axis<0>);
};

// A matrix for the first or the last two features, in the places of two heads.
constexpr ex::array<float, heads, features, head_size> take{{{1, 0}, {0, 1}, {0, 0}, {0, 0}}, {{0, 0}, {0, 0}, {1, 0}, {0, 1}}};
constexpr ex::array<float, heads, head_size, features> put{{{1, 0, 0, 0}, {0, 1, 0, 0}}, {{0, 0, 1, 0}, {0, 0, 0, 1}}};

int main() {
  // The heads pass the features on; the queries are zeros.
  block<ex::array> const w{{}, {}, take, put};
  ex::array<float, positions, features> const x{{1, 0, 0, 2}, {2, 0, 0, 4}, {3, 0, 0, 6}, {4, 4, 0, 8}};
  std::cout << "running means:\n" << ex::jit(forward)(w, x) - x << '\n';

  // Each position asks for the key of another: 0 for its own, 1 for that of 0, 2 for that of 1, 3 for that of 2.
  ex::array<float, positions, head_size> const keys{{100, 0}, {0, 100}, {-100, 0}, {0, -100}};
  ex::array<float, positions, head_size> const queries{{1, 0}, {1, 0}, {0, 1}, {-1, 0}};
  ex::array<float, positions, 1> const values{{10}, {20}, {30}, {40}};
  std::cout << "looked up: " << ex::ravel(ex::jit(attend)(queries, keys, values)) << '\n';

  // The library's attention takes [positions, heads, features].
  auto const library = ex::jit([](auto q, auto k, auto v) {
    auto const one_head = [](auto a) { return ex::expand_dims(a, ex::axis<1>); };
    return ex::nn::dot_product_attention(one_head(q), one_head(k), one_head(v), ex::nn::is_causal);
  })(queries, keys, keys);
  std::cout << "as the library's: " << ex::allclose(ex::ravel(library), ex::ravel(ex::jit(attend)(queries, keys, keys))) << '\n';
}
