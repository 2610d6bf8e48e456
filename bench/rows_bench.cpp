// SPDX-License-Identifier: BSL-1.0
// What is produced and consumed row by row: softmax, log_softmax and layer normalization, beside Eigen row by row.
#include <cmath>
#include <new>
#include <vector>

#include <Eigen/Dense>

#include <exprax/exprax.hpp>

#include "results.hpp"

namespace ex = exprax;

namespace {

// Memory as ex::array has it: what a call takes depends on how arrays lie in cache lines.
template <class T>
struct cache_lines {
  static constexpr std::align_val_t line{64};
  using value_type = T;
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), line)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, line); }
  friend bool operator==(cache_lines, cache_lines) { return true; }
};
using floats = std::vector<float, cache_lines<float>>;

using row = Eigen::Array<float, 1, Eigen::Dynamic>;
using row_in = Eigen::Map<row const>;
using row_out = Eigen::Map<row>;

struct softmax_of_rows {
  static constexpr auto ours = [](auto x) { return ex::nn::softmax(x, ex::axis<-1>); };
  static void peer(row_out out, row_in const& x) {
    out = (x - x.maxCoeff()).exp();
    out /= out.sum();
  }
};
struct log_softmax_of_rows {
  static constexpr auto ours = [](auto x) { return ex::nn::log_softmax(x, ex::axis<-1>); };
  static void peer(row_out out, row_in const& x) {
    out = x - x.maxCoeff();
    out -= std::log(out.exp().sum());
  }
};
struct layer_norm_of_rows {
  static constexpr auto ours = [](auto x) {
    auto const shifted = x - ex::mean(x, ex::axis<-1>, ex::keepdims);
    return shifted * ex::lax::rsqrt(ex::mean(ex::square(shifted), ex::axis<-1>, ex::keepdims) + 1e-5f);
  };
  static void peer(row_out out, row_in const& x) {
    out = x - x.mean();
    out *= 1 / std::sqrt(out.square().mean() + 1e-5f);
  }
};

template <class F, int Rows, int Columns>
[[gnu::noinline]] void by_exprax(float* out, float const* x) {
  ex::view<float, Rows, Columns> result(out);
  ex::jit(F::ours).into(result, ex::view<float const, Rows, Columns>(x));
}
template <class F>
[[gnu::noinline]] void by_eigen(float* out, float const* x, std::ptrdiff_t rows, std::ptrdiff_t columns) {
  for (std::ptrdiff_t r = 0; r < rows; ++r) F::peer(row_out(out + r * columns, columns), row_in(x + r * columns, columns));
}

template <class F, int Rows, int Columns>
void compare_rows(benchmark::State& state) {
  auto const x = bench::numbers<floats>(Rows * Columns, 1.37f);
  floats const out(x.size());
  bench::compare_results(
      state, x, out, out, {1e-5, 1e-3}, [&](floats& ours) { by_exprax<F, Rows, Columns>(ours.data(), x.data()); },
      [&](floats& peer) { by_eigen<F>(peer.data(), x.data(), Rows, Columns); });
}
template <int Rows, int Columns>
void softmax(benchmark::State& state) {
  compare_rows<softmax_of_rows, Rows, Columns>(state);
}
template <int Rows, int Columns>
void log_softmax(benchmark::State& state) {
  compare_rows<log_softmax_of_rows, Rows, Columns>(state);
}
template <int Rows, int Columns>
void layer_norm(benchmark::State& state) {
  compare_rows<layer_norm_of_rows, Rows, Columns>(state);
}
EXPRAX_COMPARE(softmax<1, 1000>);
EXPRAX_COMPARE(softmax<16, 16>);
EXPRAX_COMPARE(softmax<64, 64>);
EXPRAX_COMPARE(softmax<100, 1000>);
EXPRAX_COMPARE(softmax<10000, 16>);
EXPRAX_COMPARE(softmax<2000, 100>);
EXPRAX_COMPARE(softmax<512, 512>);
EXPRAX_COMPARE_SLOW(softmax<2048, 2048>);
EXPRAX_COMPARE(softmax<1, 100000>);
EXPRAX_COMPARE_SLOW(softmax<1, 4000000>);
EXPRAX_COMPARE(log_softmax<512, 512>);
EXPRAX_COMPARE_SLOW(log_softmax<2048, 2048>);
EXPRAX_COMPARE(layer_norm<16, 16>);
EXPRAX_COMPARE(layer_norm<64, 64>);
EXPRAX_COMPARE(layer_norm<10000, 16>);
EXPRAX_COMPARE(layer_norm<2000, 100>);
EXPRAX_COMPARE(layer_norm<512, 512>);
EXPRAX_COMPARE_SLOW(layer_norm<2048, 2048>);

}  // namespace
