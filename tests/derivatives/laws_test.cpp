// SPDX-License-Identifier: BSL-1.0
// Laws of derivatives, for a table of functions in double precision, whose programs are transformed and interpreted at run time:
//   the tangent is the limit of differences      jvp(f)(x, v) = (f(x + h v) - f(x - h v)) / 2h
//   the cotangent is the adjoint of the tangent  <J v, w> = <v, J' w>
//   both again for the program of the tangent, and for the program of the cotangent (second order)
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

using values = std::vector<std::vector<double>>;

bool is_real(ex::aval const& t) { return t.type == ex::dtype::f64; }

values run(ex::program_ref p, values const& in) {
  std::vector<std::vector<std::uint64_t>> bits;
  std::vector<std::uint64_t const*> inputs;
  for (std::size_t k = 0; k < in.size(); ++k) {
    bits.emplace_back();
    for (double x : in[k]) {
      if (is_real(p.type(p.ins(p.main())[static_cast<int>(k)]))) bits.back().push_back(ex::detail::to_bits(x));
      else bits.back().push_back(static_cast<std::uint64_t>(static_cast<std::int64_t>(x)));
    }
    bits.back().push_back(0);
  }
  for (auto const& b : bits) inputs.push_back(b.data());
  auto const out = ex::interpret(p, {inputs.data(), static_cast<int>(inputs.size())});
  values results;
  for (int k = 0; k < out.size(); ++k) {
    results.emplace_back();
    for (std::uint64_t b : out[k])
      results.back().push_back(is_real(p.type(p.outs(p.main())[k])) ? ex::detail::from_bits<double>(b) : static_cast<double>(b));
  }
  return results;
}

// Numbers in [-1, 1] that differ.
struct numbers {
  std::uint64_t state;
  double next() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) / 9007199254740992.0 * 2 - 1;
  }
  std::vector<double> like(ex::aval const& t) {
    std::vector<double> r;
    for (std::ptrdiff_t i = 0; i < t.size(); ++i) r.push_back(next());
    return r;
  }
};

double dot(values const& a, values const& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    for (std::size_t i = 0; i < a[k].size(); ++i) sum += a[k][i] * b[k][i];
  return sum;
}

// Checks the laws of p at x; order: how often.
void check(std::string const& name, ex::program_ref given, values const& x, int order) {
  CAPTURE(name);
  CAPTURE(order);
  ex::program const body = ex::detail::differentiable(given);
  ex::program_ref const p = body.ref();
  std::vector<char> marks;
  for (int v : p.ins(p.main())) marks.push_back(is_real(p.type(v)));
  ex::detail::span<char> const in{marks.data(), static_cast<int>(marks.size())};
  ex::detail::arena<char> out;
  ex::program const pushed = ex::jvp_program(p, in, out, true);
  REQUIRE_MESSAGE(pushed.wrong.what == ex::mistake::none, std::string(ex::primitive_name(static_cast<ex::prim>(pushed.wrong.first))));
  numbers draw{static_cast<std::uint64_t>(7 + order)};
  values v, above = x, below = x, with_tangents = x;
  double const h = 1e-6;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (!marks[k]) continue;
    v.push_back(draw.like(p.type(p.ins(p.main())[static_cast<int>(k)])));
    with_tangents.push_back(v.back());
    for (std::size_t i = 0; i < x[k].size(); ++i) above[k][i] += h * v.back()[i], below[k][i] -= h * v.back()[i];
  }
  values const y = run(pushed.ref(), with_tangents), up = run(p, above), down = run(p, below);
  values jv, w;
  std::size_t at = static_cast<std::size_t>(p.main().n_out);
  for (int k = 0; k < p.main().n_out; ++k) {
    if (!is_real(p.type(p.outs(p.main())[k]))) continue;
    jv.push_back(y[at++]);
    w.push_back(draw.like(p.type(p.outs(p.main())[k])));
    for (std::size_t i = 0; i < jv.back().size(); ++i) {
      double const limit = (up[static_cast<std::size_t>(k)][i] - down[static_cast<std::size_t>(k)][i]) / (2 * h);
      double const size = 1 + std::abs(limit) + std::abs(y[static_cast<std::size_t>(k)][i]);
      CHECK_MESSAGE(std::abs(jv.back()[i] - limit) < 2e-7 * size, name, ": tangent ", jv.back()[i], ", limit of differences ", limit);
    }
  }
  ex::linearized const l = ex::linearize_program(p, in, true);
  REQUIRE(l.primal.wrong.what == ex::mistake::none);
  ex::program const pull = l.transposed(0, l.linear.ref().main().n_out);
  REQUIRE_MESSAGE(pull.wrong.what == ex::mistake::none, std::string(ex::primitive_name(static_cast<ex::prim>(pull.wrong.first))));
  values made = run(l.primal.ref(), x), args = w;
  for (std::size_t k = static_cast<std::size_t>(l.n_outputs); k < made.size(); ++k) args.push_back(made[k]);
  values const back = run(pull.ref(), args);
  double const one = dot(jv, w), other = dot(v, back);
  CHECK_MESSAGE(std::abs(one - other) < 1e-11 * (1 + std::abs(one)), name, ": <J v, w> = ", one, ", <v, J' w> = ", other);
  if (order > 1) {
    check(name + ", tangent", pushed.ref(), with_tangents, order - 1);
    check(name + ", cotangent", pull.ref(), args, order - 1);
  }
}

void check(char const* name, double low, double high, ex::program_ref p, int order = 2) {
  numbers draw{11};
  values x;
  for (int k = 0; k < p.main().n_in; ++k) {
    ex::aval const& t = p.type(p.ins(p.main())[k]);
    x.push_back(draw.like(t));
    for (double& e : x.back()) e = is_real(t) ? low + (high - low) * (e + 1) / 2 : static_cast<double>(static_cast<int>(2 * (e + 1)));
  }
  check(name, p, x, order);
}

template <int... D>
using f64 = ex::expr<double, D...>;
template <class... Args>
struct of {
  template <class F>
  static ex::program_ref program(F) {
    return ex::detail::traced<F, Args...>::recorded;
  }
};

}  // namespace

#define LAW(low, high, f, ...) check(#f, low, high, of<__VA_ARGS__>::program([](auto... x) { return ex::f(x...); }))

TEST_CASE("elementwise functions") {
  LAW(-2, 2, negative, f64<3>);
  LAW(-2, 2, exp, f64<3>);
  LAW(-2, 2, exp2, f64<3>);
  LAW(-1, 1, expm1, f64<3>);
  LAW(0.5, 3, log, f64<3>);
  LAW(-0.5, 3, log1p, f64<3>);
  LAW(-3, 3, sin, f64<3>);
  LAW(-3, 3, cos, f64<3>);
  LAW(-1, 1, tan, f64<3>);
  LAW(-0.9, 0.9, arcsin, f64<3>);
  LAW(-0.9, 0.9, arccos, f64<3>);
  LAW(-3, 3, arctan, f64<3>);
  LAW(-2, 2, sinh, f64<3>);
  LAW(-2, 2, cosh, f64<3>);
  LAW(-2, 2, tanh, f64<3>);
  LAW(-2, 2, arcsinh, f64<3>);
  LAW(1.5, 3, arccosh, f64<3>);
  LAW(-0.8, 0.8, arctanh, f64<3>);
  LAW(0.5, 3, sqrt, f64<3>);
  LAW(0.5, 3, lax::rsqrt, f64<3>);
  LAW(0.5, 3, cbrt, f64<3>);
  LAW(-2, 2, square, f64<3>);
  LAW(-2, 2, lax::logistic, f64<3>);
  LAW(-2, 2, lax::erf, f64<3>);
  LAW(-2, 2, lax::erfc, f64<3>);
  LAW(-0.8, 0.8, lax::erf_inv, f64<3>);
  LAW(-2, 2, abs, f64<3>);
  LAW(-2, 2, floor, f64<3>);
  LAW(-2, 2, sign, f64<3>);
  LAW(-2, 2, rint, f64<3>);
  LAW(-2, 2, add, f64<3>, f64<2, 3>);
  LAW(-2, 2, subtract, f64<3>, f64<>);
  LAW(-2, 2, multiply, f64<2, 1>, f64<3>);
  LAW(0.5, 2, divide, f64<3>, f64<2, 3>);
  LAW(0.5, 2, power, f64<3>, f64<3>);
  LAW(0.5, 2, arctan2, f64<3>, f64<3>);
  LAW(-2, 2, maximum, f64<3>, f64<3>);
  LAW(-2, 2, minimum, f64<3>, f64<>);
  LAW(-2, 2, lax::clamp, f64<>, f64<3>, f64<>);
  LAW(0.5, 2, lax::rem, f64<3>, f64<3>);
  LAW(-2, 2, logaddexp, f64<3>, f64<3>);
}

#define LAW_OF(low, high, result, ...) check(#result, low, high, of<__VA_ARGS__>::program([](auto x, auto... rest) { static_cast<void>(sizeof...(rest)); return result; }))
#define LAW_OF_TWO(low, high, result, ...) check(#result, low, high, of<__VA_ARGS__>::program([](auto x, auto y) { return result; }))

TEST_CASE("movement and indexing") {
  LAW_OF(-2, 2, (ex::reshape<3, 2>(x)), f64<2, 3>);
  LAW_OF(-2, 2, ex::transpose(x), f64<2, 3>);
  LAW_OF(-2, 2, (ex::broadcast_to<2, 3>(x)), f64<1, 3>);
  LAW_OF(-2, 2, ex::flip(x), f64<2, 3>);
  LAW_OF(-2, 2, x(ex::slice<1, ex::none, 2>), f64<6>);
  LAW_OF(-2, 2, (ex::roll<1>(x)), f64<5>);
  LAW_OF_TWO(-2, 2, (ex::concatenate(ex::tuple(x, y, x), ex::axis<1>)), f64<2, 3>, f64<2, 1>);
  LAW_OF_TWO(-2, 2, (ex::stack(ex::tuple(x, y))), f64<3>, f64<3>);
  LAW_OF_TWO(-2, 2, ex::where(x > 0.0, x * y, y), f64<4>, f64<4>);
  LAW_OF_TWO(-2, 2, x(y), f64<5>, ex::expr<int>);
  LAW_OF_TWO(-2, 2, ex::take(x, y), f64<5>, ex::expr<int, 4>);
  LAW_OF_TWO(-2, 2, (x.at(ex::static_<1>).set(y)), f64<5>, f64<>);
  LAW_OF_TWO(-2, 2, (x.at(ex::slice<1, 4>).add(y * y)), f64<5>, f64<3>);
  check("x.at(i).set(y)", -2, 2, of<f64<5>, f64<3>, ex::expr<int, 3>>::program([](auto x, auto y, auto i) { return x.at(i).set(y) * x; }));
  check("x.at(i).multiply(y)", -2, 2, of<f64<5>, f64<1>, ex::expr<int>>::program([](auto x, auto y, auto i) { return x.at(ex::expand_dims(i, ex::axis<0>)).multiply(y, ex::unique_indices) * x; }));
  check("x.at(i).max(y)", -2, 2, of<f64<5>, f64<3>, ex::expr<int, 3>>::program([](auto x, auto y, auto i) { return x.at(i).max(y) * x; }));
  check("x.at(i).min(y)", -2, 2, of<f64<5, 2>, f64<3, 2>, ex::expr<int, 3>>::program([](auto x, auto y, auto i) { return x.at(i).min(y) * x; }));
  LAW_OF_TWO(-2, 2, (x.at(ex::slice<1, 5, 2>).multiply(y) * x), f64<5>, f64<2>);
  LAW_OF_TWO(-2, 2, (x.at(ex::slice<1, 4>).max(y) * x), f64<5>, f64<3>);
  LAW_OF_TWO(-2, 2, (x.at(ex::static_<1>).min(y)), f64<5>, f64<>);
  check("x.at(i).add(y)", -2, 2, of<f64<5>, f64<3>, ex::expr<int, 3>>::program([](auto x, auto y, auto i) { return x.at(i).add(y) * x; }));
}

TEST_CASE("reductions and products") {
  LAW_OF(-2, 2, ex::sum(x, ex::axis<0>), f64<2, 3>);
  LAW_OF(-2, 2, ex::mean(x), f64<2, 3>);
  LAW_OF(-2, 2, ex::var(x, ex::axis<1>), f64<2, 3>);
  LAW_OF(-2, 2, ex::prod(x, ex::axis<1>), f64<2, 3>);
  LAW_OF(-2, 2, ex::max(x, ex::axis<0>), f64<2, 3>);
  LAW_OF(-2, 2, ex::min(x), f64<2, 3>);
  LAW_OF(-2, 2, ex::cumsum(x, ex::axis<1>), f64<2, 3>);
  LAW_OF(-2, 2, ex::logsumexp(x), f64<4>);
  LAW_OF(-2, 2, ex::cumprod(x, ex::axis<0>), f64<3, 2>);
  LAW_OF(-2, 2, (ex::cummax(x, ex::axis<1>)), f64<2, 4>);
  LAW_OF(-2, 2, (ex::cummin(x, ex::reverse)), f64<4>);
  LAW_OF(-2, 2, (ex::cumlogsumexp(x)), f64<4>);
  LAW_OF(-2, 2, ex::sort(x, ex::axis<0>), f64<4, 2>);
  LAW_OF(-2, 2, ex::median(x), f64<5>);
  LAW_OF(-2, 2, (ex::get<0>(ex::lax::top_k<2>(x))), f64<5>);
  LAW_OF(-2, 2, ex::nn::softmax(x), f64<4>);
  LAW_OF_TWO(-2, 2, ex::dot(x, y), f64<2, 3>, f64<3, 4>);
  LAW_OF_TWO(-2, 2, ex::matmul(x, y), f64<2, 2, 3>, f64<2, 3, 2>);
  LAW_OF_TWO(-2, 2, (ex::einsum<"ijk,kil->lj">(x, y)), f64<2, 3, 4>, f64<4, 2, 2>);
  LAW_OF_TWO(-2, 2, ex::tensordot(x, y), f64<2, 3, 2>, f64<3, 2, 2>);
}

TEST_CASE("convolutions") {
  LAW_OF_TWO(-2, 2, (ex::conv_general_dilated(x, y, ex::window_strides<2, 1>, ex::padding<1, 0, 0, 2>)), f64<2, 2, 5, 4>, f64<3, 2, 3, 2>);
  LAW_OF_TWO(-2, 2, (ex::conv_general_dilated(x, y, ex::window_strides<2>, ex::padding<2, -1>, ex::lhs_dilation<2>, ex::rhs_dilation<3>)), f64<1, 2, 7>, f64<2, 2, 2>);
  LAW_OF_TWO(-2, 2, (ex::conv_general_dilated(x, y, ex::window_strides<1>, ex::padding_same, ex::feature_group_count<2>)), f64<2, 4, 4>, f64<6, 2, 3>);
  LAW_OF_TWO(-2, 2, (ex::conv_general_dilated(x, y, ex::window_strides<1>, ex::padding_valid, ex::batch_group_count<2>)), f64<4, 2, 4>, f64<6, 2, 3>);
  LAW_OF_TWO(-2, 2, (ex::conv_general_dilated(x, y, ex::window_strides<2, 2>, ex::padding_same, ex::conv_dimension_numbers<"NHWC", "HWIO", "NHWC">)), f64<1, 4, 5, 2>, f64<3, 2, 2, 3>);
  LAW_OF_TWO(-2, 2, (ex::convolve(x, y)), f64<5>, f64<3>);
}

constexpr auto larger = [](auto a, auto b) { return ex::maximum(a, b); };
constexpr auto smaller = [](auto a, auto b) { return ex::minimum(a, b); };
constexpr auto added = [](auto a, auto b) { return a + b; };
constexpr double inf = std::numeric_limits<double>::infinity();

TEST_CASE("windows") {
  LAW_OF(-2, 2, (ex::reduce_window(x, 0.0, added, ex::window_dimensions<2, 3>, ex::window_strides<1, 2>, ex::padding<1, 0, 0, 2>)), f64<4, 5>);
  LAW_OF(-2, 2, (ex::reduce_window(x, 0.0, added, ex::window_dimensions<2>, ex::window_strides<2>, ex::base_dilation<2>, ex::window_dilation<3>)), f64<5>);
  LAW_OF(-2, 2, (ex::reduce_window(x, -inf, larger, ex::window_dimensions<2, 3>, ex::window_strides<2, 1>, ex::padding_same)), f64<4, 5>);
  LAW_OF(-2, 2, (ex::reduce_window(x, inf, smaller, ex::window_dimensions<9>, ex::window_strides<1>)), f64<20>);
  LAW_OF(-2, 2, (ex::reduce_window(x, 1.0, [](auto a, auto b) { return a * b; }, ex::window_dimensions<3>, ex::window_strides<1>)), f64<6>);
}

TEST_CASE("linear algebra") {
  LAW_OF(0.5, 1.5, ex::linalg::cholesky(ex::matmul(x, ex::transpose(x)) + ex::eye<3>()), f64<3, 3>);
  LAW_OF_TWO(0.5, 1.5, (ex::linalg::solve(x + 3.0 * ex::eye<3>(), y)), f64<3, 3>, f64<3>);
  LAW_OF(0.5, 1.5, ex::linalg::det(x + 3.0 * ex::eye<3>()), f64<3, 3>);
  LAW_OF(0.5, 1.5, ex::linalg::inv(x + 3.0 * ex::eye<3>()), f64<3, 3>);
}

// By JAX's rules: the algorithms are loops whose number of iterations is not known. So reverse mode works once.
TEST_CASE("special functions") {
  LAW(0.5, 15, digamma, f64<5>);
  LAW(-3.9, -3.1, digamma, f64<5>);
  check("gammainc", 0.5, 4, of<f64<5>, f64<5>>::program([](auto a, auto x) { return ex::special::gammainc(a, x); }), 1);
  check("gammaincc", 0.5, 4, of<f64<5>, f64<>>::program([](auto a, auto x) { return ex::special::gammaincc(a, x); }), 1);
  check("betainc", 0.2, 0.9, of<f64<5>, f64<5>, f64<5>>::program([](auto a, auto b, auto x) { return ex::special::betainc(a * 4.0, b * 3.0, x); }), 1);
  check("zeta", 1.5, 4, of<f64<5>, f64<5>>::program([](auto x, auto q) { return ex::special::zeta(x, q); }), 2);
  check("polygamma", 0.5, 4, of<f64<5>>::program([](auto x) { return ex::special::polygamma(2, x); }), 2);
}

constexpr ex::array<double, 3, 3> apart{{3, 0, 0}, {0, 0, 0}, {0, 0, -3}};

TEST_CASE("eigenvalues and singular values") {
  check("eigvalsh", -1, 1, of<f64<3, 3>>::program([](auto x) { return ex::linalg::eigvalsh(x + apart); }), 1);
  check("eigh", -1, 1, of<f64<3, 3>>::program([](auto x) { return ex::linalg::eigh(x + apart); }), 1);
  check("svdvals", -1, 1, of<f64<3, 3>>::program([](auto x) { return ex::linalg::svdvals(x + apart * 2.0); }), 1);
  check("svd", -1, 1, of<f64<3, 3>>::program([](auto x) { return ex::linalg::svd(x + apart * 2.0); }), 1);
  check("svd of a tall matrix", -1, 1, of<f64<3, 2>>::program([](auto x) { return ex::linalg::svd(x, ex::linalg::reduced); }), 1);
  check("svd of a wide matrix", -1, 1, of<f64<2, 3>>::program([](auto x) { return ex::linalg::svd(x, ex::linalg::reduced); }), 1);
  check("qr", -1, 1, of<f64<3, 3>>::program([](auto x) { return ex::linalg::qr(x + apart * 2.0); }), 1);
}

TEST_CASE("control flow") {
  check("jit", -2, 2, of<f64<3>>::program([](auto x) { return ex::jit([=](auto y) { return ex::sin(y) * x; })(x * 2.0); }));
  check("cond", -2, 2, of<f64<3>, ex::expr<int>>::program([](auto x, auto n) {
          return ex::cond(n > 1, [](auto y) { return ex::sin(y) * y; }, [](auto y) { return ex::exp(y) + ex::sum(y); }, x);
        }));
  check("switch_", -2, 2, of<f64<3>, ex::expr<int>>::program([](auto x, auto n) {
          return ex::switch_(n, ex::branches([](auto y) { return y; }, [](auto y) { return y * y; }, [](auto y) { return ex::tanh(y); }), x);
        }));
  check("scan", -1, 1, of<f64<2, 2>, f64<4, 2>, f64<2>>::program([](auto w, auto xs, auto h) {
          return ex::scan([=](auto c, auto x) { auto next = ex::tanh(ex::dot(w, c) + x); return ex::tuple(next, next * c); }, h, xs);
        }));
  check("reverse scan", -1, 1, of<f64<4>>::program([](auto xs) {
          return ex::scan([](auto c, auto x) { return ex::tuple(c * x, ex::sin(c)); }, 1.0, xs, ex::reverse);
        }));
  check("fori_loop", -1, 1, of<f64<3>>::program([](auto x) { return ex::fori_loop(0, 4, [=](auto i, auto c) { return c * x + i; }, x); }));
  check("nested loops", -1, 1, of<f64<3>, f64<>>::program([](auto x, auto s) {
          return ex::fori_loop(0, 3, [=](auto, auto c) { return ex::get<0>(ex::scan([=](auto d, auto e) { return ex::tuple(d * s + e, ex::none); }, s, c)) * c; }, x);
        }));
  check("cond in scan", -1, 1, of<f64<4>>::program([](auto xs) {
          return ex::scan([](auto c, auto x) {
            return ex::tuple(ex::cond(x > 0.0, [](auto a, auto b) { return a * b; }, [](auto a, auto b) { return ex::sin(a) + b * b; }, c, x), c * c);
          }, 0.5, xs);
        }));
  check("checkpoint", -1, 1, of<f64<3>, f64<3>>::program([](auto x, auto y) {
          auto const f = ex::checkpoint([=](auto z) { return ex::sin(z * ex::exp(z)) * y; });
          return ex::sum(f(f(x)));
        }));
  check("checkpoint of loops and branches", -1, 1, of<f64<3>, f64<>>::program([](auto x, auto s) {
          auto const inner = ex::checkpoint([=](auto c) {
            return ex::fori_loop(0, 3, [=](auto i, auto d) { return ex::cond(i > 0, [=](auto e) { return e * s; }, [](auto e) { return ex::sin(e); }, d); }, c);
          });
          return ex::sum(ex::fori_loop(0, 2, [=](auto, auto c) { return inner(c) * x; }, x));
        }));
  check("checkpoints in a checkpoint, some products stored", -1, 1, of<f64<2>, f64<2, 2>>::program([](auto x, auto w) {
          auto const step = ex::checkpoint([=](auto c) { return ex::tanh(ex::dot(w, ex::sin(c))); }, ex::policy<ex::checkpoint_policies::dots_saveable>);
          return ex::sum(ex::checkpoint([=](auto c) { return step(step(c)); })(x));
        }));
  check("vmap of checkpoint, all stored", -1, 1, of<f64<2, 3>>::program([](auto x) {
          return ex::vmap(ex::checkpoint([](auto r) { return ex::sin(r) * ex::cos(r); }, ex::policy<ex::checkpoint_policies::everything_saveable>))(x);
        }));
  check("vmap", -1, 1, of<f64<3, 2>, f64<2>>::program([](auto x, auto y) { return ex::vmap([=](auto r) { return ex::dot(r, y) * r; })(x); }));
  check("vmap of scan", -1, 1, of<f64<3, 4>>::program([](auto x) {
          return ex::vmap([](auto r) { return ex::get<1>(ex::scan([](auto c, auto e) { return ex::tuple(c * e + 0.5, c * c); }, 1.0, r)); })(x);
        }));
}
