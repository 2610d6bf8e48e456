// More than 20,000 equations of an unrolled loop are traced under the compilers' default limits for constant evaluation.
#include <exprax/exprax.hpp>

namespace ex = exprax;

constexpr auto forward = [](auto w) {
  constexpr int height = decltype(w)::extent(0), width = decltype(w)::extent(1);
  auto a = ex::zeros<float, height, width + 1>();
  for (int i = 0; i < height; ++i) a = a.at(i, 0).add(1.0f);
  for (int j = 0; j < width; ++j)
    for (int i = 1; i < height - 1; ++i) {
      auto z = a(i - 1, j) * w(i - 1, j) + a(i, j) * w(i, j) + a(i + 1, j) * w(i + 1, j);
      a = a.at(i, j + 1).set(z);
    }
  return a;
};
static_assert(ex::make_jaxpr(forward)(ex::f32<64, 32>).ref().n.eqns > 20000);
