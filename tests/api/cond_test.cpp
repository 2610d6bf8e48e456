// SPDX-License-Identifier: BSL-1.0
// cond: JAX's jaxprs with their clean-ups, and what is decided while tracing.
#include <boost/hana/bool.hpp>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr auto plus_or_minus = [](auto state, auto operand) {
  return ex::cond(state, [](auto x) { return x + 1; }, [](auto x) { return x - 1; }, operand);
};
static_assert(ex::make_jaxpr(plus_or_minus)(ex::b1<>, ex::f32<1>) == R"({ lambda ; a:bool[] b:f32[1]. let
    c:i32[] = convert_element_type[new_dtype=int32 weak_type=False] a
    d:f32[1] = cond[
      branches=(
        { lambda ; e:f32[1]. let f:f32[1] = sub e 1.0:f32[] in (f,) }
        { lambda ; g:f32[1]. let h:f32[1] = add g 1.0:f32[] in (h,) }
      )
    ] c b
  in (d,) })");

// A constant that one branch closes over is an operand of both.
constexpr auto func8 = [](auto arg1, auto arg2) {
  return ex::cond(
      arg1 >= 0.0f, [](auto xtrue) { return ex::get<0>(xtrue); }, [](auto xfalse) { return ex::array<int, 1>{1} + ex::get<1>(xfalse); }, arg2);
};
static_assert(ex::make_jaxpr(func8)(5.0f, ex::tuple(ex::f32<1>, 2.0f)) == R"({ lambda a:i32[1]; b:f32[] c:f32[1] d:f32[]. let
    e:bool[] = ge b 0.0:f32[]
    f:i32[] = convert_element_type[new_dtype=int32 weak_type=False] e
    g:f32[1] = cond[
      branches=(
        { lambda ; h:i32[1] i:f32[1] j:f32[]. let
            k:f32[1] = convert_element_type[new_dtype=float32 weak_type=True] h
            l:f32[1] = add k j
          in (l,) }
        { lambda ; m:i32[1] n:f32[1] o:f32[]. let  in (n,) }
      )
    ] f a c d
  in (g,) })");

// A number is true where it is not 0; what both branches hand on from one operand is that operand, and what both capture is
// one operand of the equation.
constexpr auto by_number = [](auto n, auto x, auto y) {
  return ex::cond(
      n, [&](auto a) { return ex::tuple(a, y * 2.0f, y); }, [&](auto a) { return ex::tuple(a, y, y); }, x);
};
static_assert(ex::make_jaxpr(by_number)(ex::i32<>, ex::f32<2>, ex::f32<>) == R"({ lambda ; a:i32[] b:f32[2] c:f32[]. let
    d:bool[] = ne a 0:i32[]
    e:i32[] = convert_element_type[new_dtype=int32 weak_type=False] d
    f:f32[] = cond[
      branches=(
        { lambda ; g:f32[] h:f32[2]. let  in (g,) }
        { lambda ; i:f32[] j:f32[2]. let k:f32[] = mul i 2.0:f32[] in (k,) }
      )
    ] e c b
  in (b, f, c) })");

// Captures: first those of true_fun.
constexpr auto captures = [](auto p, auto x, auto y) {
  return ex::cond(p, [&] { return y + 1.0f; }, [&] { return x * y; });
};
static_assert(ex::make_jaxpr(captures)(ex::b1<>, ex::f32<>, ex::f32<>) == R"({ lambda ; a:bool[] b:f32[] c:f32[]. let
    d:i32[] = convert_element_type[new_dtype=int32 weak_type=False] a
    e:f32[] = cond[
      branches=(
        { lambda ; f:f32[] g:f32[]. let h:f32[] = mul g f in (h,) }
        { lambda ; i:f32[] j:f32[]. let k:f32[] = add i 1.0:f32[] in (k,) }
      )
    ] d c b
  in (e,) })");

// Known while tracing: no equation, and with a constant of a type nothing of the other branch.
constexpr auto known = [](auto x) {
  auto const nobody = [](auto) { return ex::none; };
  auto const once = [](auto a) { return a + 1.0f; };
  auto const a = ex::cond(std::true_type{}, once, nobody, x);
  auto const b = ex::cond(ex::static_<0>, nobody, once, a);
  auto const c = ex::cond(boost::hana::true_c, once, nobody, b);
  return ex::cond(2 > 1, once, [](auto y) { return -y; }, c);
};
static_assert(ex::make_jaxpr(known)(ex::f32<>) == R"({ lambda ; a:f32[]. let
    b:f32[] = add a 1.0:f32[]
    c:f32[] = add b 1.0:f32[]
    d:f32[] = add c 1.0:f32[]
    e:f32[] = add d 1.0:f32[]
  in (e,) })");

// A result is weak where it is in both branches.
constexpr auto weakness = [](auto p, auto x) {
  auto const both = ex::cond(p, [] { return 1; }, [] { return 2; });
  auto const one = ex::cond(p, [&] { return x; }, [] { return 2; });
  return ex::tuple(std::bool_constant<decltype(both)::type.weak>{}, std::bool_constant<decltype(one)::type.weak>{}, both, one);
};
using weak_results = decltype(weakness(std::declval<ex::expr<bool>>(), std::declval<ex::expr<int>>()));
static_assert(std::tuple_element_t<0, weak_results>::value && !std::tuple_element_t<1, weak_results>::value);

}  // namespace
