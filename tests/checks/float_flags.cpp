// SPDX-License-Identifier: BSL-1.0
// Kernels keep their meaning under flags that take liberties with floating-point numbers and are not refused: they give what they give
// in constant evaluation, where no flag counts.
#include <bit>
#include <cstdio>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr auto f = [](auto x) { return ex::tuple(ex::pow(2.0f, x), (x + 1e8f) - 1e8f, x / 3.0f, ex::log(x + 3.0f), 0.0f - x); };
constexpr ex::array<float, 9> numbers{0.5f, -0.75f, 2.0f, 3.25f, 0.0f, -0.0f, 7.0f, 1.25f, -2.5f};
constexpr auto expected = ex::jit(f)(numbers);

template <std::size_t I>
int differences(auto const& found) {
  int n = 0;
  for (int i = 0; i < 9; ++i) n += std::bit_cast<std::uint32_t>(std::get<I>(found)(i)) != std::bit_cast<std::uint32_t>(std::get<I>(expected)(i));
  if (n > 0) std::printf("result %d: %d elements differ\n", static_cast<int>(I), n);
  return n;
}

}  // namespace

int main() {
  ex::array<float, 9> x;
  for (int i = 0; i < 9; ++i) {
    float volatile const number = numbers.data()[i];
    x.data()[i] = number;
  }
  auto const found = ex::jit(f)(x);
  return differences<0>(found) + differences<1>(found) + differences<2>(found) + differences<3>(found) + differences<4>(found);
}
