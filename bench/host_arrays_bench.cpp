// SPDX-License-Identifier: BSL-1.0
// Arrays on the host, 64 and 512 squared, beside C arrays: a copy, all elements written, their maximum, a stencil of five points.
#include <cstring>
#include <memory>

#include <exprax/core.hpp>

#include "compare.hpp"

namespace ex = exprax;

namespace {

template <class Out>
[[gnu::noinline]] void fill(Out& out, auto at, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) at(out, i, j) = static_cast<float>(i ^ j);
}
template <class In>
[[gnu::noinline]] float largest(In const& a, auto at, int n) {
  float m = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) m = at(a, i, j) > m ? at(a, i, j) : m;
  return m;
}
template <class Out, class In>
[[gnu::noinline]] void stencil(Out& out, In const& a, auto at, int n) {
  for (int i = 1; i < n - 1; ++i)
    for (int j = 1; j < n - 1; ++j)
      at(out, i, j) = 0.25f * (at(a, i - 1, j) + at(a, i + 1, j) + at(a, i, j - 1) + at(a, i, j + 1));
}

template <int N>
struct arrays {
  using ours = ex::array<float, N, N>;
  std::unique_ptr<ours> a = std::make_unique<ours>(), b = std::make_unique<ours>();
  std::unique_ptr<float[][N]> x{new float[N][N]()}, y{new float[N][N]()};

  static constexpr auto element = [](auto& m, int i, int j) -> auto& { return m(i, j); };
  static constexpr auto c_element = [](auto& m, int i, int j) -> auto& { return m[i][j]; };
};

template <int N>
void copies(benchmark::State& state) {
  arrays<N> of;
  bench::compare(state, [&] { *of.b = *of.a, bench::touch(of.b->data()); },
                 [&] { std::memcpy(of.y.get(), of.x.get(), sizeof(float) * N * N), bench::touch(of.y.get()); });
}
template <int N>
void fills(benchmark::State& state) {
  arrays<N> of;
  bench::compare(state, [&] { fill(*of.a, of.element, N), bench::touch(of.a->data()); },
                 [&] { fill(of.x, of.c_element, N), bench::touch(of.x.get()); });
}
template <int N>
void maxima(benchmark::State& state) {
  arrays<N> of;
  float m = 0;
  bench::compare(state, [&] { m = largest(*of.a, of.element, N), bench::touch(&m); },
                 [&] { m = largest(of.x, of.c_element, N), bench::touch(&m); });
}
template <int N>
void stencils(benchmark::State& state) {
  arrays<N> of;
  bench::compare(state, [&] { stencil(*of.b, *of.a, of.element, N), bench::touch(of.b->data()); },
                 [&] { stencil(of.y, of.x, of.c_element, N), bench::touch(of.y.get()); });
}

EXPRAX_COMPARE(copies<64>);
EXPRAX_COMPARE(copies<512>);
EXPRAX_COMPARE(fills<64>);
EXPRAX_COMPARE(fills<512>);
EXPRAX_COMPARE(maxima<64>);
EXPRAX_COMPARE(maxima<512>);
EXPRAX_COMPARE(stencils<64>);
EXPRAX_COMPARE(stencils<512>);

}  // namespace
