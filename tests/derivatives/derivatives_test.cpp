// SPDX-License-Identifier: BSL-1.0
// Derivatives of functions: values and jaxprs of JAX, in constant evaluation and at run time. Their laws: laws_test.cpp.
#include <limits>
#include <string_view>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

// ---- Loops (JAX's jaxprs)

constexpr auto product = [](auto xs) {
  return ex::get<0>(ex::scan([](auto c, auto x) { return ex::tuple(c * x, ex::none); }, ex::array<float>(1), xs));
};
constexpr ex::array<float, 3> x{2, 3, 4};
static_assert(ex::jit(ex::grad(product))(x) == ex::array<float, 3>{12, 8, 6});
static_assert(ex::make_jaxpr(ex::grad(product))(ex::f32<3>) == R"({ lambda ; a:f32[3]. let
    _:f32[] b:f32[3] = scan[
      jaxpr={ lambda ; c:f32[] d:f32[]. let e:f32[] = mul c d in (e, c) }
      length=3
      num_carry=1
      num_consts=0
      reverse=False
      unroll=1
    ] 1.0:f32[] a
    _:f32[] f:f32[3] = scan[
      jaxpr={ lambda ; g:f32[] h:f32[] i:f32[]. let
          j:f32[] = mul i g
          k:f32[] = mul g h
        in (k, j) }
      length=3
      num_carry=1
      num_consts=0
      reverse=True
      unroll=1
    ] 1.0:f32[] a b
  in (f,) })");

constexpr auto pushed_product = [](auto xs, auto t) { return ex::jvp(product, ex::tuple(xs), ex::tuple(t)); };
static_assert(ex::jit(pushed_product)(x, ex::array<float, 3>{1, 1, 1}) == ex::tuple(ex::array<float>(24), ex::array<float>(26)));
static_assert(ex::make_jaxpr(pushed_product)(ex::f32<3>, ex::f32<3>) == R"({ lambda ; a:f32[3] b:f32[3]. let
    c:f32[] d:f32[] = scan[
      jaxpr={ lambda ; e:f32[] f:f32[] g:f32[] h:f32[]. let
          i:f32[] = mul e g
          j:f32[] = mul f g
          k:f32[] = mul e h
          l:f32[] = add_any j k
        in (i, l) }
      length=3
      num_carry=2
      num_consts=0
      reverse=False
      unroll=1
    ] 1.0:f32[] 0.0:f32[] a b
  in (c, d) })");

constexpr auto doubled = [](auto y) {
  return ex::jvp([](auto z) { return ex::fori_loop(0, 3, [](auto, auto c) { return c * 2.0f; }, z); }, ex::tuple(y), ex::tuple(1.0f));
};
static_assert(ex::jit(doubled)(1.0f) == ex::tuple(8.0f, 8.0f));

// The number of iterations is not known: forward mode alone.
constexpr auto squares = [](auto y, auto n) {
  auto const f = [=](auto z) {
    return ex::get<1>(ex::while_loop([=](auto c) { return ex::get<0>(c) < n; },
                                     [](auto c) { return ex::tuple(ex::get<0>(c) + 1, ex::get<1>(c) * ex::get<1>(c)); }, ex::tuple(0, z)));
  };
  return ex::jvp(f, ex::tuple(y), ex::tuple(1.0f));
};
static_assert(ex::jit(squares)(1.5f, 2) == ex::tuple(5.0625f, 13.5f));  // y^4, 4 y^3

// ---- Gradients

template <template <class, auto...> class Array>
struct layer {
  Array<float, 2, 2> w;
  Array<float, 2> b;
};
constexpr auto loss = [](auto p, auto y) { return ex::sum(ex::square(ex::dot(y, p.w) + p.b)); };
constexpr layer<ex::array> parameters{{{1, 2}, {3, 4}}, {1, -1}};
constexpr ex::array<float, 2> point{1, 2};
static_assert(ex::jit(ex::grad([](auto y) { return ex::cos(y); }))(0.0f) == 0.0f);
// (1, 2) w + b = (8, 9): twice that, and its products with y.
static_assert(ex::jit(ex::grad([](auto w, auto b) { return ex::sum(ex::square(ex::dot(point, w) + b)); }, ex::argnums<0, 1>))(
                  parameters.w, parameters.b) == ex::tuple(ex::array<float, 2, 2>{{16, 18}, {32, 36}}, ex::array<float, 2>{16, 18}));
static_assert(ex::jit(ex::value_and_grad([](auto y) { return ex::sum(y * y); }))(point) == ex::tuple(5.0f, ex::array<float, 2>{2, 4}));
static_assert(ex::jit(ex::grad([](auto y) { return ex::tuple(ex::sum(y * y), y + 1.0f); }, ex::has_aux))(point) ==
              ex::tuple(ex::array<float, 2>{2, 4}, ex::array<float, 2>{2, 3}));
static_assert(ex::jit(ex::grad([](auto y) { return ex::sum(ex::stop_gradient(y) * y); }))(point) == point);
static_assert(ex::jit(ex::vmap(ex::grad([](auto y) { return ex::prod(y); })))(ex::array<float, 2, 3>{{2, 0, 2}, {1, 2, 3}}) ==
              ex::array<float, 2, 3>{{0, 4, 0}, {6, 3, 2}});
static_assert(ex::jit(ex::grad([](auto y) { return ex::max(y); }))(ex::array<float, 3>{2, 1, 2}) == ex::array<float, 3>{0.5f, 0, 0.5f});
static_assert(ex::jit(ex::grad([](auto y) { return ex::sum(ex::nn::relu(y)); }))(ex::array<float, 3>{-1, 0, 2}) == ex::array<float, 3>{0, 0, 1});
// Of equal elements of a window the first has the gradient, as in jax.lax.
constexpr auto pooled = [](auto y) {
  return ex::sum(ex::reduce_window(y, -std::numeric_limits<float>::infinity(), [](auto a, auto b) { return ex::maximum(a, b); },
                                   ex::window_dimensions<3>, ex::window_strides<1>));
};
static_assert(ex::jit(ex::grad(pooled))(ex::array<float, 6>{1, 3, 3, 2, 5, 4}) == ex::array<float, 6>{0, 2, 0, 0, 2, 0});
// An argument that does not matter costs nothing.
static_assert(ex::make_jaxpr(ex::grad([](auto y, auto) { return y * 2.0f; }, ex::argnums<1>))(ex::f32<>, ex::f32<>) ==
              "{ lambda ; a:f32[] b:f32[]. let _:f32[] = mul a 2.0:f32[] in (0.0:f32[],) }");

// ---- Updates that multiply, and that keep the larger element

constexpr ex::array<int, 3> twice{1, 3, 1};
constexpr auto multiplied = [](auto y, auto u, auto i) { return y.at(i).multiply(u, ex::unique_indices); };
static_assert(ex::jit(ex::grad([](auto y, auto u, auto i) { return ex::sum(multiplied(y, u, i)); }, ex::argnums<0, 1>))(
                  ex::array<float, 4>{1, 2, 3, 4}, ex::array<float, 2>{5, 6}, ex::array<int, 2>{3, 0}) ==
              ex::tuple(ex::array<float, 4>{6, 1, 1, 5}, ex::array<float, 2>{4, 1}));
// Those that are the largest share the gradient: of 2, 2, 2 a third each.
constexpr auto largest = [](auto y, auto u, auto i) { return ex::sum(y.at(i).max(u) * ex::array<float, 4>{1, 3, 5, 7}); };
static_assert(ex::jit(ex::grad(largest, ex::argnums<0, 1>))(ex::array<float, 4>{1, 2, 3, 9}, ex::array<float, 3>{2, 4, 2}, twice) ==
              ex::tuple(ex::array<float, 4>{1, 1, 5, 7}, ex::array<float, 3>{1, 0, 1}));
static_assert(ex::jit(ex::grad([](auto y, auto u) { return ex::sum(y.at(ex::slice<1, 3>).min(u)); }, ex::argnums<0, 1>))(
                  ex::array<float, 4>{1, 2, 3, 4}, ex::array<float, 2>{2, 1}) ==
              ex::tuple(ex::array<float, 4>{1, 0.5f, 0, 1}, ex::array<float, 2>{0.5f, 1}));

// ---- Jacobians (a case of JAX's documentation)

constexpr auto four = [](auto y) {
  return ex::stack(ex::tuple(y(0), 5.0f * y(2), 4.0f * y(1) * y(1) - 2.0f * y(2), y(2) * y(0)));
};
constexpr ex::array<float, 4, 3> jacobian_of_four{{1, 0, 0}, {0, 0, 5}, {0, 16, -2}, {3, 0, 1}};
static_assert(ex::jit(ex::jacfwd(four))(ex::array<float, 3>{1, 2, 3}) == jacobian_of_four);
static_assert(ex::jit(ex::jacrev(four))(ex::array<float, 3>{1, 2, 3}) == jacobian_of_four);
constexpr auto rosenbrock = [](auto y) {
  auto const a = y(ex::slice<ex::none, -1>), b = y(ex::slice<1, ex::none>);
  return ex::sum(100.0f * ex::square(b - a * a) + ex::square(1.0f - a));
};
static_assert(ex::jit(ex::hessian(rosenbrock))(ex::array<float, 3>{1, 2, 3}) ==
              ex::array<float, 3, 3>{{402, -400, 0}, {-400, 3802, -800}, {0, -800, 200}});
// A struct has a struct of structs: h.b.w is d2 f / db dw. With u = y w = (7, 10), d2 f / db_j dw_ij = 2 u_j y_i.
constexpr auto weighted = [](auto p, auto y) { return ex::sum(ex::square(ex::dot(y, p.w)) * p.b); };
constexpr auto second = ex::jit(ex::hessian(weighted))(parameters, point);
static_assert(second.b.w == ex::array<float, 2, 2, 2>{{{14, 0}, {28, 0}}, {{0, 20}, {0, 40}}});
static_assert(second.w.b == ex::transpose(second.b.w, ex::axis<1, 2, 0>) && second.b.b == ex::zeros<float, 2, 2>());

// Of arrays that are made from numbers, outside of a trace and inside of one.
constexpr auto squares_of = [](auto y) { return y * y; };
static_assert(ex::jacfwd(squares_of)(ex::arange<3>() * 1.0f) == ex::array<float, 3, 3>{{0, 0, 0}, {0, 2, 0}, {0, 0, 4}});
constexpr auto tangent_of_ones = [](auto y) {
  return ex::get<1>(ex::jvp(squares_of, ex::tuple(ex::ones<float, 2>()), ex::tuple(ex::ones<float, 2>()))) * y;
};
static_assert(ex::jit(tangent_of_ones)(point) == ex::array<float, 2>{2, 4});

// ---- Derivatives at a point

constexpr auto pair = [](auto y, auto z) { return ex::tuple(y * z, y + z); };
static_assert([] {
  auto const [out, pull] = ex::vjp(pair, ex::array<float, 2>{1, 2}, ex::array<float, 2>{3, 4});
  auto const [dy, dz] = pull(ex::tuple(ex::array<float, 2>{1, 1}, ex::array<float, 2>{2, 2}));
  return ex::array_equal(dy, ex::array<float, 2>{5, 6}) && ex::array_equal(dz, ex::array<float, 2>{3, 4});
}());
static_assert([] {
  auto const [out, push] = ex::linearize(pair, ex::array<float, 2>{1, 2}, ex::array<float, 2>{3, 4});
  auto const [a, b] = push(ex::array<float, 2>{1, 0}, ex::array<float, 2>{0, 1});
  return ex::array_equal(a, ex::array<float, 2>{3, 2}) && ex::array_equal(b, ex::array<float, 2>{1, 1});
}());

// One argument that is a tuple; numbers take the dtype of what they are tangents of.
constexpr auto of_a_pair = [](auto p) { return ex::get<0>(p) * ex::get<1>(p); };
static_assert(ex::jit([](auto y, auto z) {
                auto const [out, pull] = ex::vjp(of_a_pair, ex::tuple(y, z));
                auto const [dy, dz] = ex::get<0>(pull(0.1));
                auto const [again, push] = ex::linearize(ex::jit(of_a_pair), ex::tuple(y, z));
                return ex::tuple(dy, dz, push(ex::tuple(0.1, 0)), ex::grad(ex::checkpoint(of_a_pair))(ex::tuple(y, z)));
              })(ex::array<double>(3), ex::array<double>(5)) ==
              ex::tuple(ex::array<double>(0.5), ex::array<double>(3 * 0.1), ex::array<double>(0.5), ex::tuple(ex::array<double>(5), ex::array<double>(3))));

// ---- Rules of the user

constexpr auto tenfold = ex::custom_jvp([](auto y, auto z) { return y * z; })
                             .defjvps([](auto t, auto, auto, auto z) { return 10.0f * t * z; }, [](auto t, auto, auto y, auto) { return t * y; });
static_assert(ex::jit(tenfold)(2.0f, 3.0f) == 6.0f);
static_assert(ex::jit(ex::grad(tenfold, ex::argnums<0, 1>))(2.0f, 3.0f) == ex::tuple(30.0f, 2.0f));
static_assert(ex::jit(ex::vmap(ex::grad(tenfold), ex::in_axes<0, ex::none>))(point, 3.0f) == ex::array<float, 2>{30, 30});

constexpr auto tenfold_pair = ex::custom_jvp(of_a_pair).defjvp([](auto primals, auto tangents) {
  auto const [p] = primals;
  auto const [t] = tangents;
  return ex::tuple(of_a_pair(p), 10.0f * ex::get<0>(t) * ex::get<1>(p));
});
static_assert(ex::jit(ex::grad(tenfold_pair))(ex::tuple(2.0f, 3.0f)) == ex::tuple(30.0f, 0.0f));

constexpr auto clipped = ex::custom_vjp([](auto y) { return y * y; })
                              .defvjp([](auto y) { return ex::tuple(y * y, y); },
                                      [](auto r, auto ct) { return ex::tuple(ex::clip(2.0f * r * ct, -1.0f, 1.0f)); });
static_assert(ex::jit(clipped)(3.0f) == 9.0f);
static_assert(ex::jit(ex::grad(clipped))(3.0f) == 1.0f);
static_assert(ex::jit(ex::grad([](auto y) { return 0.25f * clipped(y); }))(0.5f) == 0.25f);
static_assert(ex::jit(ex::vmap(ex::grad(clipped)))(ex::array<float, 2>{0.25f, -3}) == ex::array<float, 2>{0.5f, -1});
static_assert(ex::jit(ex::grad([](auto y) { return ex::sum(ex::vmap(clipped)(y)); }))(ex::array<float, 2>{0.25f, -3}) == ex::array<float, 2>{0.5f, -1});

// Arguments that are not differentiated: functions, numbers (cases of JAX's documentation).
constexpr auto applied = ex::custom_jvp([](auto f, auto y) { return f(y); }, ex::nondiff_argnums<0>)
                             .defjvp([](auto f, auto primals, auto tangents) {
                               return ex::tuple(f(ex::get<0>(primals)), 2.0f * ex::get<0>(tangents));
                             });
constexpr auto applied_backwards =
    ex::custom_vjp([](auto f, auto y) { return f(y); }, ex::nondiff_argnums<0>)
        .defvjp([](auto f, auto y) { return ex::tuple(f(y), y); }, [](auto, auto y, auto ct) { return ex::tuple(5.0f * ct * y); });
constexpr auto with_clipped_gradient =
    ex::custom_vjp([](auto, auto y, auto) { return y; }, ex::nondiff_argnums<0, 2>)
        .defvjp([](auto, auto y, auto) { return ex::tuple(y, ex::none); },
                [](auto low, auto high, auto, auto ct) { return ex::tuple(ex::clip(ct, low, high)); });
constexpr auto cubed = [](auto y) { return y * y * y; };
static_assert(ex::jit([](auto y) { return applied(cubed, y); })(2.0f) == 8.0f);
static_assert(ex::jit(ex::grad([](auto y) { return applied(cubed, y); }))(1.0f) == 2.0f);
static_assert(ex::jit(ex::grad([](auto y) { return applied_backwards(cubed, y); }))(4.0f) == 20.0f);
static_assert(ex::jit(ex::vmap(ex::grad([](auto y) { return applied_backwards(cubed, y); })))(point) == ex::array<float, 2>{5, 10});
static_assert(ex::jit(ex::grad([](auto y) { return 10.0f * with_clipped_gradient(-1.5f, y, 1.5f); }))(4.0f) == 1.5f);

// ---- checkpoint: what is not stored is computed again

constexpr auto sines = [](auto y) { return ex::sum(ex::sin(ex::sin(y))); };
static_assert(ex::make_jaxpr(ex::grad(ex::checkpoint(sines)))(ex::f32<3>) == R"({ lambda ; a:f32[3]. let
    b:f32[3] = sin a
    c:f32[3] = sin b
    _:f32[] = reduce_sum[axes=(0,) out_sharding=None] c
    d:f32[3] = checkpoint[
      differentiated=True
      jaxpr={ lambda ; e:f32[3] f:f32[]. let
          g:f32[3] = sin e
          h:f32[3] = cos e
          i:f32[3] = cos g
          j:f32[3] = broadcast_in_dim f
          k:f32[3] = mul j i
          l:f32[3] = mul k h
        in (l,) }
      policy=None
      prevent_cse=True
    ] a 1.0:f32[]
  in (d,) })");
template <class F>
constexpr std::ptrdiff_t scratch_of(F f) {
  return ex::jit(ex::grad(f)).memory_analysis(ex::f32<16>).temp_size_in_bytes;
}
constexpr auto sine = [](auto, auto y) { return 1.5f * ex::sin(y); };
constexpr auto steps = [](auto y) { return ex::sum(ex::fori_loop(0, 10000, sine, y)); };
constexpr auto steps_by_roots = [](auto y) {
  auto const hundred = ex::checkpoint([](auto z) { return ex::fori_loop(0, 100, sine, z); });
  return ex::sum(ex::fori_loop(0, 100, [=](auto, auto z) { return hundred(z); }, y));
};
static_assert(scratch_of(steps) >= 10000 * 64 && scratch_of(steps_by_roots) <= 2 * 100 * 64 + 256);
// Four products under tanh: with them stored, all but tanh is there.
template <auto... Options>
constexpr auto four_layers = [](auto y) {
  auto const layer = ex::checkpoint([](auto z) {
    auto const w = ex::eye<16>() * 0.5f;
    return ex::tanh(ex::dot(w, ex::tanh(ex::dot(w, ex::tanh(ex::dot(w, ex::tanh(ex::dot(w, z))))))));
  }, Options...);
  return ex::sum(layer(layer(layer(layer(y)))));
};
static_assert(scratch_of(four_layers<>) < scratch_of(four_layers<ex::policy<ex::checkpoint_policies::everything_saveable>>));
static_assert(scratch_of(four_layers<>) < scratch_of(four_layers<ex::prevent_cse<false>>));  // the second computation is the first

// Of a = name(sin x), b = name(sin a), c = sin b the derivative reads a and b, or only x.
template <auto... Options>
constexpr auto named = [](auto y) {
  auto const layer = ex::checkpoint([](auto z) {
    auto const a = ex::checkpoint_name(ex::sin(z), "a");
    auto const b = ex::checkpoint_name(ex::sin(a), "b");
    return ex::sin(b);
  }, Options...);
  return ex::sum(layer(y));
};
template <auto Policy>
constexpr bool stores(std::string_view operands) {
  constexpr auto text = ex::make_jaxpr(ex::grad(named<ex::policy<Policy>>))(ex::f32<3>);
  return text.str().ends_with(operands);
}
namespace policies = ex::checkpoint_policies;
static_assert(stores<policies::nothing_saveable>("] a g\n  in (h,) }"));
static_assert(stores<policies::save_only_these_names<"b", "c">>("] a e g\n  in (h,) }"));
static_assert(stores<policies::save_any_names_but_these<"b">>("] a c g\n  in (h,) }"));
static_assert(stores<policies::save_from_both_policies<policies::save_only_these_names<"b">, policies::save_only_these_names<"a">>>(
    "] a c e g\n  in (h,) }"));
static_assert(stores<policies::save_anything_except_these_names<"a", "b">>("] c f i j\n  in (k,) }"));  // the cosines
static_assert(ex::make_jaxpr([](auto y) { return ex::checkpoint_name(y, "y"); })(ex::f32<3>) ==
              "{ lambda ; a:f32[3]. let b:f32[3] = name[name=y] a in (b,) }");

// ---- The list of residuals (jax.ad_checkpoint.print_saved_residuals), as JAX's page on checkpoints prints it

constexpr auto three_layers = [](auto w1, auto w2, auto w3, auto y) {
  return ex::sum(ex::sin(ex::dot(w3, ex::sin(ex::dot(w2, ex::sin(ex::dot(w1, y)))))));
};
constexpr auto residuals = ex::saved_residuals(three_layers)(ex::f32<5, 4>, ex::f32<6, 5>, ex::f32<7, 6>, ex::f32<4>);
static_assert(residuals ==
              "f32[5,4] from the argument at flattened index 0\n"
              "f32[6,5] from the argument at flattened index 1\n"
              "f32[7,6] from the argument at flattened index 2\n"
              "f32[4] from the argument at flattened index 3\n"
              "f32[5] output of sin\n"
              "f32[5] output of cos\n"
              "f32[6] output of sin\n"
              "f32[6] output of cos\n"
              "f32[7] output of cos\n");
static_assert(residuals.size_in_bytes() == 4 * (20 + 30 + 42 + 4 + 5 + 5 + 6 + 6 + 7));
constexpr auto keeping_a = ex::checkpoint(
    [](auto y) { return ex::sin(ex::sin(ex::checkpoint_name(ex::sin(y), "a"))); }, ex::policy<ex::checkpoint_policies::save_only_these_names<"a">>);
static_assert(ex::saved_residuals(keeping_a)(ex::f32<3>) == "f32[3] from the argument at flattened index 0\nf32[3] named 'a'\n");

// ---- Residuals that follow elementwise from others are computed again: only the carry of each step is stored

constexpr auto rational_steps = [](auto w, auto xs) {
  auto const step = [=](auto c, auto x) {
    auto const z = c * w + x;
    return ex::tuple(0.5f * z * z + 1.0f / (1.0f + z * z), ex::none);
  };
  return ex::sum(ex::get<0>(ex::scan(step, ex::zeros<float, 16>(), xs)));
};
static_assert(ex::jit(ex::grad(rational_steps, ex::argnums<0, 1>)).memory_analysis(ex::f32<16>, ex::f32<1000, 16>).temp_size_in_bytes <
              1000 * 64 + 512);

// What a backward pass reads is a line of the plan.
constexpr auto recurrence = [](auto x, auto w) {
  auto step = [w](auto c, auto v) { return ex::tuple(ex::tanh(c * w + v), ex::none); };
  return ex::sum(ex::get<0>(ex::scan(step, ex::zeros_like(w), x)));
};
static_assert(ex::lower(ex::grad(recurrence))(ex::f32<100, 3>, ex::f32<3>).as_text("plan").str().find(
                  "\nscratch0: f32[300], 1200 bytes, kernels 2 to 3\n") != std::string_view::npos);

// ---- Fusion: the gradient of an elementwise chain with a sum is one loop

constexpr auto chain = [](auto y) { return ex::sum(ex::square(y) * ex::exp(y * 0.5f) + y); };
static_assert(ex::lower(ex::grad(chain))(ex::f32<10000>).as_text("plan").str().starts_with("plan of <lambda>: 1 kernel, 0 bytes of scratch"));

// ---- Products: JAX's tree of halves, which has no quotient

constexpr auto prod = [](auto y) { return ex::prod(y); };
static_assert(ex::jit(ex::grad(prod))(ex::array<float, 5>{2, 3, 4, 5, 6}) == ex::array<float, 5>{360, 240, 180, 144, 120});
static_assert(ex::jit(ex::grad(prod))(ex::array<float, 3>{2, 0, 4}) == ex::array<float, 3>{0, 8, 0});
static_assert(ex::jit(ex::grad(prod))(ex::array<float, 3>{0, 0, 4}) == ex::array<float, 3>{0, 0, 0});
static_assert(ex::jit(ex::grad(prod))(ex::array<float, 1>{2}) == ex::array<float, 1>{1});
static_assert(ex::jit(ex::grad([](auto y) { return ex::sum(ex::prod(y, ex::axis<1>)); }))(ex::array<float, 2, 3>{{1, 2, 3}, {4, 5, 6}}) ==
              ex::array<float, 2, 3>{{6, 3, 2}, {30, 24, 20}});
static_assert(ex::jit(ex::grad(prod))(ex::array<float, 2, 2>{{1, 2}, {3, 4}}) == ex::array<float, 2, 2>{{24, 12}, {8, 6}});
static_assert(ex::jit(ex::grad(prod))(ex::array<float, 0>{}) == ex::array<float, 0>{});
static_assert(ex::make_jaxpr([](auto y, auto t) { return ex::jvp(prod, ex::tuple(y), ex::tuple(t)); })(ex::f32<3>, ex::f32<3>) ==
              R"({ lambda ; a:f32[3] b:f32[3]. let
    c:f32[2] = slice[limit_indices=(2,) start_indices=(0,) strides=None] a
    d:f32[1] = slice[limit_indices=(3,) start_indices=(2,) strides=None] a
    e:f32[2] = pad[padding_config=((0, 1, 0),)] d 1.0:f32[]
    f:f32[2] = slice[limit_indices=(2,) start_indices=(0,) strides=None] b
    g:f32[1] = slice[limit_indices=(3,) start_indices=(2,) strides=None] b
    h:f32[2] = pad[padding_config=((0, 1, 0),)] g 0.0:f32[]
    i:f32[2] = mul f e
    j:f32[2] = mul c h
    k:f32[2] = add_any i j
    l:f32[2] = mul c e
    m:f32[1] = slice[limit_indices=(1,) start_indices=(0,) strides=None] l
    n:f32[1] = slice[limit_indices=(2,) start_indices=(1,) strides=None] l
    o:f32[1] = slice[limit_indices=(1,) start_indices=(0,) strides=None] k
    p:f32[1] = slice[limit_indices=(2,) start_indices=(1,) strides=None] k
    q:f32[1] = mul o n
    r:f32[1] = mul m p
    s:f32[1] = add_any q r
    t:f32[1] = mul m n
    u:f32[] = squeeze[dimensions=(0,)] t
    v:f32[] = squeeze[dimensions=(0,)] s
  in (u, v) })");

// ---- The cotangent of a vector in a product with a matrix, in either order: the matrix is read where it is

constexpr auto by_columns = [](auto v, auto m) { return ex::sum(ex::sin(ex::dot(v, m))); };
constexpr auto by_rows = [](auto v, auto m) { return ex::sum(ex::sin(ex::dot(m, v))); };
static_assert(ex::jit(ex::grad(by_columns)).memory_analysis(ex::f64<60>, ex::f64<60, 1000>).temp_size_in_bytes < 60 * 1000);
static_assert(ex::jit(ex::grad(by_rows)).memory_analysis(ex::f64<60>, ex::f64<1000, 60>).temp_size_in_bytes < 60 * 1000);
static_assert(ex::grad([](auto v, auto m) { return ex::sum(ex::dot(v, m)); })(ex::ones<2>(), ex::array<float, 2, 3>{{1, 2, 3}, {4, 5, 6}}) ==
              ex::array<float, 2>{6, 15});

}  // namespace

TEST_CASE("derivatives of checkpoints are those of the function") {
  ex::array<float, 16> const y = ex::arange<16>() * 0.125f - 1.0f;
  CHECK(ex::grad(steps_by_roots)(y) == ex::grad(steps)(y));
  auto const expected = ex::grad(four_layers<ex::prevent_cse<false>>)(y);
  CHECK(ex::allclose(ex::grad(four_layers<>)(y), expected)());
  CHECK(ex::allclose(ex::grad(four_layers<ex::policy<ex::checkpoint_policies::dots_saveable>>)(y), expected)());
  CHECK(ex::allclose(ex::grad(four_layers<ex::policy<ex::checkpoint_policies::everything_saveable>>)(y), expected)());
  CHECK(ex::hessian(ex::remat(sines))(y) == ex::hessian(sines)(y));
  CHECK(ex::vmap(ex::grad(ex::checkpoint(sines)))(ex::reshape<4, 4>(y)) == ex::vmap(ex::grad(sines))(ex::reshape<4, 4>(y)));
  CHECK(ex::jvp(ex::checkpoint(sines), ex::tuple(y), ex::tuple(y)) == ex::jvp(sines, ex::tuple(y), ex::tuple(y)));
}

TEST_CASE("residuals that are computed again") {
  ex::array<float, 16> const w = ex::arange<16>() * 0.03f - 0.2f;
  ex::array<float, 20, 16> const xs = ex::reshape<20, 16>(ex::cos(ex::arange<320>() * 1.0f));
  auto const [dw, dxs] = ex::grad(rational_steps, ex::argnums<0, 1>)(w, xs);
  auto const [forward_dw, forward_dxs] = ex::jacfwd(rational_steps, ex::argnums<0, 1>)(w, xs);
  CHECK(ex::allclose(dw, forward_dw, 1e-4)());
  CHECK(ex::allclose(dxs, forward_dxs, 1e-4)());
}

TEST_CASE("derivatives at run time") {
  ex::array<float, 3> y = x;
  CHECK(ex::jit(ex::grad(product))(y) == ex::array<float, 3>{12, 8, 6});
  CHECK(ex::grad(product)(y) == ex::array<float, 3>{12, 8, 6});
  layer<ex::array> p = parameters;
  layer<ex::array> const g = ex::jit(ex::grad(loss))(p, point);
  CHECK(g.w == ex::array<float, 2, 2>{{16, 18}, {32, 36}});
  CHECK(g.b == ex::array<float, 2>{16, 18});
  CHECK(ex::hessian(rosenbrock)(y)(0, 0) == 1200 * 4 - 400 * 3 + 2);
}

TEST_CASE("derivatives of matrix functions") {
  // The gradient of the trace of exp(a) is the transpose of exp(a), here with squarings.
  ex::array<double, 2, 2> const a{{1, 6}, {-2, 4}};
  auto const g = ex::grad([](auto m) { return ex::trace(ex::linalg::expm(m)); })(a);
  CHECK(ex::allclose(g, ex::transpose(ex::linalg::expm(a)), 1e-12)());
}
