// SPDX-License-Identifier: BSL-1.0
// Control flow: inputs and results of JAX, with vmap and without.
#include "cases/given.hpp"

#include <array>

#include <boost/hana/map.hpp>
#include <boost/hana/string.hpp>

namespace hana = boost::hana;

namespace {

using namespace cases;
template <int... D>
using i32 = ex::array<int, D...>;

TEST_CASE("scan") {
  auto const sum = [](auto x) { return ex::scan([](auto c, auto v) { return ex::tuple(c + v, c + v); }, 0, x); };
  auto const from_the_end = [](auto x) { return ex::scan([](auto c, auto v) { return ex::tuple(c + v, c + v); }, 0, x, ex::reverse); };
  given<"scan_cumsum_fwd">(sum);
  given<"scan_cumsum_rev">(from_the_end);

  auto const unroll = [](auto xs) {
    return ex::scan([](auto c, auto x) { return ex::tuple(c * 2 + x, c - x); }, ex::ones<int>(), xs, ex::unroll<2>);
  };
  auto const unroll_from_the_end = [](auto xs) {
    return ex::scan([](auto c, auto x) { return ex::tuple(c * 2 + x, c - x); }, ex::ones<int>(), xs, ex::unroll<3>, ex::reverse);
  };
  given<"scan_unroll_2">(unroll);
  given<"scan_unroll_rev">(unroll_from_the_end);

  // Leaves of a dictionary stand in the order in which it was made: JAX's is that of the keys, p before s.
  auto const pytree = [](auto a, auto b) {
    auto const body = [](auto c, auto x) {
      auto const p = c[BOOST_HANA_STRING("p")];
      auto const s = c[BOOST_HANA_STRING("s")];
      auto const next = hana::make_map(hana::make_pair(BOOST_HANA_STRING("p"), ex::tuple(ex::get<0>(p) * ex::get<1>(x), ex::get<1>(p) + 1)),
                                       hana::make_pair(BOOST_HANA_STRING("s"), s + ex::get<0>(x)));
      return ex::tuple(next, ex::tuple(s, ex::get<0>(x) * ex::get<1>(x)));
    };
    auto const init = hana::make_map(hana::make_pair(BOOST_HANA_STRING("p"), ex::tuple(ex::ones<float>(), ex::zeros<int>())),
                                     hana::make_pair(BOOST_HANA_STRING("s"), ex::zeros<float>()));
    return ex::scan(body, init, ex::tuple(a, b));
  };
  given<"scan_pytree">(pytree);

  auto const init = [](auto c, auto xs) {
    auto const one = [](auto c, auto xs) { return ex::scan([](auto c, auto x) { return ex::tuple(c + x, c * x); }, c, xs); };
    return ex::vmap(one, ex::in_axes<0, ex::none>)(c, xs);
  };
  given<"scan_vmap_init">(init);
}

TEST_CASE("while_loop") {
  auto const nested = [](auto num) {
    auto const inner = [](auto i, auto count) {
      auto const next = [](auto s) { return ex::tuple(ex::get<0>(s), ex::get<1>(s) + 1, ex::get<2>(s) + 1); };
      return ex::get<2>(ex::while_loop([](auto s) { return ex::get<1>(s) <= ex::get<0>(s); }, next, ex::tuple(i, 0, count)));
    };
    auto const next = [&](auto s) { return ex::tuple(ex::get<0>(s), ex::get<1>(s) + 1, inner(ex::get<1>(s), ex::get<2>(s))); };
    auto const r = ex::while_loop([](auto s) { return ex::get<1>(s) < ex::get<0>(s); }, next, ex::tuple(num, 0, 0));
    return ex::tuple(ex::get<1>(r), ex::get<2>(r));
  };
  given<"while_nested3">(nested);
  given<"while_nested4">(nested);

  auto const conjunction = [](auto arr, auto num) {
    constexpr int n = decltype(arr)::extent(0);
    auto const both = [&](auto s) { return (ex::get<0>(s) < num) & (ex::get<0>(s) < n); };
    auto const next = [&](auto s) { return ex::tuple(ex::get<0>(s) + 1, ex::get<1>(s) + arr(ex::get<0>(s))); };
    return ex::get<1>(ex::while_loop(both, next, ex::tuple(0, 0.0f)));
  };
  given<"while_conj">(conjunction);

  auto const lanes = [](auto x) {
    return ex::vmap([](auto x) { return ex::while_loop([](auto x) { return x < 3; }, [](auto x) { return x + 2; }, x); })(x);
  };
  given<"while_vmap_lanes">(lanes);

  auto const captured = [](auto y) {
    auto const one = [](auto x, auto y) { return ex::while_loop([&](auto x) { return x < y; }, [](auto x) { return x + 2; }, x); };
    return ex::vmap(one, ex::in_axes<ex::none, 0>)(0, y);
  };
  given<"while_vmap_condconst">(captured);

  auto const collatz = [](auto n) {
    auto const one = [](auto n) {
      auto const next = [](auto s) {
        auto const [n, count] = s;
        return ex::tuple(ex::where(n % 2 == 0, ex::floor_divide(n, 2), 3 * n + 1), count + 1);
      };
      return ex::get<1>(ex::while_loop([](auto s) { return ex::get<0>(s) != 1; }, next, ex::tuple(n, ex::zeros<int>())));
    };
    return ex::vmap(one)(n);
  };
  given<"while_vmap_collatz">(collatz);

  auto const one_condition = [](auto x) {
    auto const one = [](auto x) {
      auto const next = [](auto c) { return ex::tuple(ex::get<0>(c) + 1, ex::get<1>(c) + 1); };
      return ex::while_loop([](auto c) { return ex::get<0>(c) < 4; }, next, ex::tuple(0, x));
    };
    return ex::vmap(one)(x);
  };
  given<"while_vmap_unbatched_pred">(one_condition);

  auto const two_axes = [](auto x, auto n) {
    auto const one = [](auto x, auto n) { return ex::fori_loop(0, n, [](auto, auto x) { return x + 1; }, x); };
    return ex::vmap(ex::vmap(one, ex::in_axes<ex::none, 0>), ex::in_axes<0, ex::none>)(x, n);
  };
  given<"while_vmap_nested_axes">(two_axes);
}

TEST_CASE("fori_loop") {
  auto const batched = [](auto x) {
    auto const one = [](auto x) { return ex::fori_loop(0, 10, [](auto, auto c) { return ex::tuple(ex::get<0>(c) + 1, ex::get<1>(c) + 2); }, ex::tuple(x, 0)); };
    return ex::vmap(one)(x);
  };
  given<"fori_batched">(batched);
  auto const digits = [] { return ex::fori_loop(3, 7, [](auto i, auto x) { return x * 10 + i; }, 0); };
  given<"fori_upper_gt_lower">(digits);
}

TEST_CASE("cond") {
  auto const docs = [](auto p, auto x) { return ex::cond(p, [](auto x) { return x + 1; }, [](auto x) { return x - 1; }, x); };
  given<"cond_docs_true">(docs);
  given<"cond_docs_false">(docs);

  auto const nested = [](auto x) {
    auto const otherwise = [](auto x) {
      return ex::cond(x < 5, [](auto x, auto) { return 3 * x; }, [&](auto, auto y) { return y * x; }, x, 4);
    };
    return ex::cond(x < 2, [](auto x) { return 2 * x; }, otherwise, x);
  };
  given<"cond_nested_2">(nested);

  auto const nan_branch = [](auto x) {
    return ex::vmap([](auto x) { return ex::cond(x == 0, [](auto x) { return 0.0f * x; }, [](auto x) { return 1.0f / x; }, x); })(x);
  };
  given<"cond_vmap_nan_branch">(nan_branch);
}

TEST_CASE("switch_") {
  auto const clamped = [](auto x) {
    auto const doubled = [](auto x) {
      auto const y = 2 * x;
      return ex::tuple(y, 2 * y);
    };
    auto const same = [](auto x) { return ex::tuple(x, x); };
    auto const negated = [](auto x) { return ex::tuple(x, -x); };
    return ex::switch_(x, ex::branches(same, doubled, negated), x);
  };
  given<"switch_clamp_0">(clamped);
  given<"switch_clamp_1">(clamped);
  given<"switch_clamp_2">(clamped);
  given<"switch_clamp_3">(clamped);
  gives(clamped, outputs(i32<>(-4), i32<>(-4)), i32<>(-4));
  auto const single = [](auto i, auto x) { return ex::switch_(i, ex::branches([](auto x) { return -x; }), x); };
  given<"switch_one_branch">(single);
}

TEST_CASE("associative_scan") {
  given<"assoc_add_n3">([](auto x) { return ex::associative_scan([](auto a, auto b) { return a + b; }, x); });
  given<"assoc_matmul_rev">([](auto m) { return ex::associative_scan([](auto a, auto b) { return ex::matmul(a, b); }, m, ex::reverse); });
}

constexpr auto product = [](auto a, auto b) { return ex::dot(a, b); };
constexpr auto convolve = [](auto x, auto w) {
  constexpr int n = decltype(x)::extent(0);
  std::array<ex::expr<float>, n - 2> out;
  for (int i = 1; i < n - 1; ++i) out[static_cast<std::size_t>(i - 1)] = ex::dot(ex::dynamic_slice<3>(x, i - 1), w);
  return ex::stack(out);
};
constexpr auto i = ex::axis_name<"i">;

TEST_CASE("vmap") {
  given<"vmap_mm">([](auto a, auto b) { return ex::vmap(ex::vmap(product, ex::in_axes<0, ex::none>, ex::out_axes<0>), ex::in_axes<ex::none, 1>, ex::out_axes<1>)(a, b); });
  given<"vmap_neg_in">([](auto x) { return ex::vmap([](auto v) { return ex::sum(v); }, ex::in_axes<-1>)(x); });
  given<"vmap_convolve_seed_v2">([](auto xs, auto ws) { return ex::vmap(convolve, ex::in_axes<1, 1>, ex::out_axes<1>)(xs, ws); });
  given<"vmap_pmean_center">([](auto xs) { return ex::vmap([](auto x) { return x - ex::pmean(x, i); }, i)(xs); });
  given<"vmap_ppermute">([](auto x) { return ex::vmap([](auto v) { return ex::ppermute(v, i, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}); }, i)(x); });
  given<"vmap_sum_match">([](auto x) { return ex::vmap([](auto v) { return 2.0f * v; }, ex::out_axes<ex::none>, ex::sum_match)(x); });
  given<"vmap_nested_in_none">([](auto a, auto b) {
    auto const digits = [](auto x, auto y) { return x * 10 + y; };
    return ex::vmap(ex::vmap(digits, ex::in_axes<ex::none, 0>), ex::in_axes<0, ex::none>)(a, b);
  });
}

}  // namespace
