// SPDX-License-Identifier: BSL-1.0
// Memory of others: ex::view wraps C arrays, std::vector, std::array, std::span, mdspan and Eigen's matrices, without a copy, as arguments
// of kernels and as places for their results. The shape is part of the view's type; sizes that differ do not pass.
#include <array>
#include <iostream>
#include <span>
#include <vector>
#include <version>

#if __has_include(<Eigen/Core>)
#include <Eigen/Core>
#endif
#ifdef __cpp_lib_mdspan
#include <mdspan>
#endif

#include <exprax/core.hpp>

namespace ex = exprax;

constexpr auto product = ex::jit([](auto a, auto x) { return ex::dot(a, x); });

using matrix = ex::view<float const, 2, 3>;
using vector = ex::view<float const, 3>;
using result = ex::view<float, 2>;

int main() {
  float const rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
  std::array<float, 3> const x{1, 0, -1};
  ex::array<float, 2> const expected{-2, -2};
  std::cout << "C array and std::array: " << product(matrix(rows), vector(x)) << '\n';

  // Results into a vector: 6 - 4 = 2 elements of it, by a span.
  std::vector<float> memory{1, 2, 3, 4, 5, 6, 0, 0};
  std::span<float> const all = memory;
  product.into(result(all.subspan(6)), matrix(all.first(6)), vector(x));
  std::cout << "std::vector by std::span: " << memory[6] << ' ' << memory[7] << '\n';

  // A view is read as an array: by index, in loops, and by the library's functions.
  matrix const view(rows);
  std::cout << "an element: " << view(1, 2) << ", the sum of all: " << ex::sum(view) << ", twice the matrix:\n" << view * 2.0f << '\n';

  // An array is such memory for others: contiguous and row-major.
  ex::array<float, 2> mine = product(view, vector(x));
  for (float& element : std::span<float>(mine.data(), 2)) element *= 10;
  std::cout << "an array by std::span: " << mine << '\n';

  bool right = true;
#if __has_include(<Eigen/Core>)
  // Eigen's matrices are column-major where nothing else is said: such a one does not compile. Map wraps our arrays.
  Eigen::Matrix<float, 2, 3, Eigen::RowMajor> a;
  a << 1, 2, 3, 4, 5, 6;
  Eigen::Vector3f const v(1, 0, -1);
  Eigen::Vector2f w;
  product.into(result(w), matrix(a), vector(v));
  Eigen::Map<Eigen::Vector2f const> const mapped(expected.data());
  right = right && w == mapped && w == a * v;
#endif
#ifdef __cpp_lib_mdspan
  std::mdspan<float const, std::extents<int, 2, 3>> const span(rows[0]);
  right = right && product(matrix(span), vector(x)) == expected;
#endif
  std::cout << "Eigen and mdspan, where there are such: " << (right ? "the same" : "something else") << '\n';
}
