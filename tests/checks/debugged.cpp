// SPDX-License-Identifier: BSL-1.0
// What debuggers.py looks at: arrays in the object, on the heap and of no axes, views, and traced values.
#include <complex>

#include <exprax/core.hpp>

namespace ex = exprax;

template <class... T>
[[gnu::noinline]] void look_at(T&...) {
  asm volatile("" ::: "memory");
}

int main() {
  ex::array<float, 2, 3> matrix{{1, 2, 3}, {4, 5, 6.5f}};
  ex::array<std::int16_t, 2, 1, 2> cube{1, -2, 3, 4};
  ex::array<double> scalar = 2.5;
  ex::array<bool, 2> flags{true, false};
  ex::array<std::complex<float>, 1> complexes(std::complex<float>(1, 2));
  ex::array<ex::float16, 2> halves(ex::array<float, 2>{0.5f, -2});
  ex::array<ex::bfloat16, 1> brains(ex::array<float, 1>(3));
  ex::array<std::uint64_t, 0, 3> nothing;
  ex::array<float, 2, 512> largest_in_the_object;
  ex::array<int, 2, 1000> heap;
  heap(1, 999) = 7;
  ex::array<int, 2, 1000> moved = heap, taker = std::move(moved);
  ex::view<float const, 3, 2> view(matrix.data());
  ex::array<float, 2, 3> const& reference = matrix;

  auto* const tape = new ex::detail::tape;
  tape->add_value(ex::aval(ex::dtype::i32, {}));
  ex::detail::handle handle(tape, tape->add_value(ex::aval(ex::dtype::f32, {2, 3})));
  auto traced = ex::detail::expr_access::make<ex::expr<float, 2, 3>>(handle);
  ex::expr<ex::weak<float>> unassigned;

  look_at(matrix, cube, scalar, flags, complexes, halves, brains, nothing, largest_in_the_object, heap, moved, taker, view, reference, handle, traced,
          unassigned);
}
