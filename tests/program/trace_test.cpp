// SPDX-License-Identifier: BSL-1.0
// What tracing records: private tapes, blocks and what they capture, conversions of traced values.
#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

template <class A, class B>
constexpr bool same = std::is_same_v<A, B>;

// A constant is recorded where it is first used.
constexpr auto late_constant = [](auto x) {
  auto k = ex::ones<float, 3>();
  auto y = ex::sin(x);
  return y + k;
};
static_assert(ex::make_jaxpr(late_constant)(ex::f32<3>) == R"({ lambda ; a:f32[3]. let
    b:f32[3] = sin a
    c:f32[3] = broadcast_in_dim 1.0:f32[]
    d:f32[3] = add b c
  in (d,) })");

// Types that differ in a large axis among many, which a tape cannot tell apart in one step.
constexpr auto large_types = [](auto x, auto y) { return ex::tuple(x + x, y + y, x + x); };
static_assert(ex::make_jaxpr(large_types)(ex::f32<1, 1, 1, 1, 1, 1, 100, 2>, ex::f32<1, 1, 1, 1, 1, 1, 101, 2>) ==
              R"({ lambda ; a:f32[1,1,1,1,1,1,100,2] b:f32[1,1,1,1,1,1,101,2]. let
    c:f32[1,1,1,1,1,1,100,2] = add a a
    d:f32[1,1,1,1,1,1,101,2] = add b b
    e:f32[1,1,1,1,1,1,100,2] = add a a
  in (c, d, e) })");

// Reassignment in a C++ loop, and arrays of traced values.
constexpr auto loop = [](auto x) {
  for (int i = 0; i < 5; ++i) x = x + i;
  return x;
};
static_assert(ex::make_jaxpr(loop)(0) == R"({ lambda ; a:i32[]. let
    b:i32[] = add a 0:i32[]
    c:i32[] = add b 1:i32[]
    d:i32[] = add c 2:i32[]
    e:i32[] = add d 3:i32[]
    f:i32[] = add e 4:i32[]
  in (f,) })");

constexpr auto elements = [](auto x) {
  std::array<ex::expr<float>, 3> out;
  for (int i = 0; i < 3; ++i) out[static_cast<std::size_t>(i)] = x(i) * 2.0f;
  return ex::stack(out);
};
static_assert(ex::jit(elements)(ex::array<float, 3>{1, 2, 3}) == ex::array<float, 3>{2, 4, 6});

// A value used in two results is one equation.
constexpr auto twice = [](auto x) {
  auto e = ex::exp(x);
  return ex::tuple(e * e, e + 1.0f);
};
static_assert(ex::make_jaxpr(twice)(ex::f32<2>).ref().main().n_eqn == 3);

// Weak and strong.
constexpr auto weak_argument = [](auto x, auto y) {
  static_assert(same<decltype(x), ex::expr<float, 3>> && same<decltype(y), ex::expr<ex::weak<float>>>);
  ex::expr<float> z = y;
  ex::expr<int> one = 1;
  return ex::tuple(z, one, 2.0);
};
static_assert(ex::make_jaxpr(weak_argument)(ex::f32<3>, 2.0f) == R"({ lambda ; a:f32[3] b:f32[]. let
    c:f32[] = convert_element_type[new_dtype=float32 weak_type=False] b
  in (c, 1:i32[], 2.0:f32[]) })");

// Arrays that a function closes over are constants of the jaxpr.
constexpr ex::array<float, 3> arange{0, 1, 2};
constexpr auto adds_constant = [](auto x) { return x + arange; };
static_assert(ex::make_jaxpr(adds_constant)(ex::f32<3>) == "{ lambda a:f32[3]; b:f32[3]. let c:f32[3] = add b a in (c,) }");
static_assert(ex::jit(adds_constant)(arange) == ex::array<float, 3>{0, 2, 4});
constexpr auto returns_constant = [](auto) { return arange; };
static_assert(ex::jit(returns_constant)(1) == arange);

// Blocks: a constant made outside, used first inside and then outside again, stays outside.
constexpr auto shared_constant = [](auto x) {
  auto k = ex::full<float, 3>(10.0f);
  auto body = [&](auto c, auto row) { return ex::tuple(c + row * x(0) + k, ex::none); };
  return ex::get<0>(ex::scan(body, x, ex::stack(std::array{x, x}))) + k;
};
static_assert(ex::jit(shared_constant)(ex::array<float, 3>{1, 2, 3}) == ex::array<float, 3>{33, 36, 39});

// A loop that starts from constants only, inside of another one, both reading an argument.
constexpr auto nested_loops = [](auto n) {
  auto outer = [&](auto x, auto) {
    auto inner = [&](auto y, auto) { return ex::tuple(y + x + n, ex::none); };
    return ex::tuple(ex::get<0>(ex::scan(inner, 0, ex::length<4>)) + x, ex::none);
  };
  return ex::get<0>(ex::scan(outer, 0, ex::length<3>));
};
constexpr int plain_nested_loops(int n) {
  int x = 0;
  for (int i = 0; i < 3; ++i) {
    int y = 0;
    for (int j = 0; j < 4; ++j) y += x + n;
    x += y;
  }
  return x;
}
static_assert(ex::jit(nested_loops)(1) == plain_nested_loops(1));
static_assert(ex::make_jaxpr(nested_loops)(1).ref().main().n_eqn == 1);

// Without any argument.
constexpr auto constants_only = [] {
  auto body = [](auto x, auto) { return ex::tuple(x + 1, x); };
  return ex::scan(body, 0, ex::length<3>);
};
static_assert(ex::get<1>(ex::jit(constants_only)()) == ex::array<int, 3>{0, 1, 2});

// The tables of a trace pass the checker's simplest law: every operand is defined before it is used.
constexpr bool in_order(ex::program_ref p) {
  struct ex::block const& b = p.main();
  for (int i = 0; i < b.n_eqn; ++i)
    for (int v : p.ins(p.eqns[b.eqn + i]))
      for (int j = i; j < b.n_eqn; ++j)
        if (v >= p.eqns[b.eqn + j].out && v < p.eqns[b.eqn + j].out + p.eqns[b.eqn + j].n_out) return false;
  return true;
}
static_assert(in_order(ex::make_jaxpr(shared_constant)(ex::f32<3>).ref()));

// The unrolled loop of 36,000 equations traces under the default limits of the compilers.
constexpr auto unrolled = [](auto w) {
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

}  // namespace

TEST_CASE("a large trace") {
  auto const p = ex::make_jaxpr(unrolled)(ex::f32<64, 32>).ref();
  CHECK(p.main().n_eqn > 36000);
  CHECK(p.n.avals < 10);
}
