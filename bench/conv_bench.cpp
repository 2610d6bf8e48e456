// SPDX-License-Identifier: BSL-1.0
// Convolutions of 32 x 32 images against oneDNN on one core: with the layout that users have (its fastest kernel for plain
// memory), and with the blocked layout that it prefers, its reorders not counted.
#include <cmath>
#include <unordered_map>

#include <oneapi/dnnl/dnnl.hpp>

#include <exprax/exprax.hpp>

#include "compare.hpp"

namespace ex = exprax;

extern "C" void omp_set_num_threads(int);  // clang cannot read g++'s omp.h

namespace {

template <int C, int O, int K, bool Last>
struct problem {
  static constexpr int n = 32;
  using image = std::conditional_t<Last, ex::array<float, 1, n, n, C>, ex::array<float, 1, C, n, n>>;
  using filters = std::conditional_t<Last, ex::array<float, K, K, C, O>, ex::array<float, O, C, K, K>>;
  using result = std::conditional_t<Last, ex::array<float, 1, n, n, O>, ex::array<float, 1, O, n, n>>;
};

struct channels_first {
  template <class X, class W>
  constexpr auto operator()(X x, W w) const {
    return ex::conv_general_dilated(x, w, ex::padding_same);
  }
};
struct channels_last {
  template <class X, class W>
  constexpr auto operator()(X x, W w) const {
    return ex::conv_general_dilated(x, w, ex::padding_same, ex::conv_dimension_numbers<"NHWC", "HWIO", "NHWC">);
  }
};

class peer {
  using tag = dnnl::memory::format_tag;

 public:
  peer(int c, int o, int k, bool last, bool blocked, float const* x, float const* w, float* out) : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {
    dnnl::memory::dims const xs{1, c, 32, 32}, ws{o, c, k, k}, os{1, o, 32, 32}, one{1, 1}, pad{k / 2, k / 2};
    auto const type = dnnl::memory::data_type::f32;
    auto const plain_x = dnnl::memory::desc(xs, type, last ? tag::nhwc : tag::nchw);
    auto const plain_w = dnnl::memory::desc(ws, type, last ? tag::hwio : tag::oihw);
    auto const plain_out = dnnl::memory::desc(os, type, last ? tag::nhwc : tag::nchw);
    auto const any = [&](dnnl::memory::dims const& d) { return dnnl::memory::desc(d, type, tag::any); };
    // Weights may always be packed beforehand; the images only if blocked.
    dnnl::convolution_forward::desc const d(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, blocked ? any(xs) : plain_x, any(ws),
                                            blocked ? any(os) : plain_out, one, pad, pad);
    dnnl::convolution_forward::primitive_desc const pd(d, engine_);
    conv_ = dnnl::convolution_forward(pd);
    x_ = dnnl::memory(pd.src_desc(), engine_);
    w_ = dnnl::memory(pd.weights_desc(), engine_);
    out_ = dnnl::memory(pd.dst_desc(), engine_);
    user_out_ = dnnl::memory(plain_out, engine_, out);
    dnnl::memory user_x(plain_x, engine_, const_cast<float*>(x)), user_w(plain_w, engine_, const_cast<float*>(w));
    dnnl::reorder(user_x, x_).execute(stream_, user_x, x_);
    dnnl::reorder(user_w, w_).execute(stream_, user_w, w_);
    stream_.wait();
  }
  void run() {
    conv_.execute(stream_, {{DNNL_ARG_SRC, x_}, {DNNL_ARG_WEIGHTS, w_}, {DNNL_ARG_DST, out_}});
    stream_.wait();
  }
  void store() {
    dnnl::reorder(out_, user_out_).execute(stream_, out_, user_out_);
    stream_.wait();
  }

 private:
  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::convolution_forward conv_;
  dnnl::memory x_, w_, out_, user_out_;
};

template <int C, int O, int K, bool Last>
void conv(benchmark::State& state) {
  omp_set_num_threads(1);
  using p = problem<C, O, K, Last>;
  typename p::image x;
  typename p::filters w;
  typename p::result ours, plain, blocked;
  for (std::ptrdiff_t i = 0; i < x.size(); ++i) x.data()[i] = std::sin(static_cast<float>(i) * 1.37f);
  for (std::ptrdiff_t i = 0; i < w.size(); ++i) w.data()[i] = std::cos(static_cast<float>(i) * 0.73f) / (C * K);
  using f = std::conditional_t<Last, channels_last, channels_first>;
  peer a(C, O, K, Last, false, x.data(), w.data(), plain.data()), b(C, O, K, Last, true, x.data(), w.data(), blocked.data());
  auto const times = bench::medians<-1>(
      state,
      [&] {
        bench::touch(x.data());
        ex::jit(f{}).into(ours, x, w);
        bench::touch(ours.data());
      },
      [&] { a.run(); }, [&] { b.run(); });
  a.store();
  b.store();
  state.counters["ours_ns"] = times[0] * 1e9;
  state.counters["GFLOP/s"] = 2e-9 * 32 * 32 * C * O * K * K / times[0];
  state.counters["plain/ours"] = times[1] / times[0];
  state.counters["blocked/ours"] = times[2] / times[0];
  for (std::ptrdiff_t i = 0; i < ours.size(); ++i)
    for (auto const* q : {&plain, &blocked})
      if (!(std::abs(ours.data()[i] - q->data()[i]) <= 1e-4f)) return state.SkipWithError("the results differ");
}
EXPRAX_COMPARE(conv<16, 16, 3, false>);
EXPRAX_COMPARE(conv<16, 16, 3, true>);
EXPRAX_COMPARE(conv<32, 32, 3, false>);
EXPRAX_COMPARE(conv<32, 32, 3, true>);
EXPRAX_COMPARE(conv<64, 64, 3, false>);
EXPRAX_COMPARE(conv<64, 64, 3, true>);
EXPRAX_COMPARE(conv<16, 32, 5, false>);
EXPRAX_COMPARE(conv<16, 32, 5, true>);
EXPRAX_COMPARE(conv<64, 64, 5, false>);
EXPRAX_COMPARE(conv<64, 64, 5, true>);

}  // namespace
