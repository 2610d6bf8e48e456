// SPDX-License-Identifier: BSL-1.0
// switch_: JAX's jaxprs, and what is decided while tracing.
#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr auto one_of_three = [](auto index, auto arg) {
  return ex::switch_(index, ex::branches([](auto x) { return x + 1.0f; }, [](auto x) { return x - 2.0f; }, [](auto x) { return x + 3.0f; }), arg);
};
static_assert(ex::make_jaxpr(one_of_three)(1, 5.0f) == R"({ lambda ; a:i32[] b:f32[]. let
    c:i32[] = convert_element_type[new_dtype=int32 weak_type=False] a
    d:i32[] = clamp 0:i32[] c 2:i32[]
    e:f32[] = cond[
      branches=(
        { lambda ; f:f32[]. let g:f32[] = add f 1.0:f32[] in (g,) }
        { lambda ; h:f32[]. let i:f32[] = sub h 2.0:f32[] in (i,) }
        { lambda ; j:f32[]. let k:f32[] = add j 3.0:f32[] in (k,) }
      )
    ] d b
  in (e,) })");

// A tuple of callables, an index that is i32 already, a result that all branches hand on.
constexpr auto scaled = [](auto index, auto x, auto k) {
  auto const f = [&](auto a) { return ex::tuple(a * k, k); };
  auto const g = [&](auto a) { return ex::tuple(a, k); };
  return ex::switch_(index, std::tuple(f, g), x);
};
static_assert(ex::make_jaxpr(scaled)(ex::i32<>, ex::f32<2>, ex::f32<>) == R"({ lambda ; a:i32[] b:f32[2] c:f32[]. let
    d:i32[] = clamp 0:i32[] a 1:i32[]
    e:f32[2] = cond[
      branches=(
        { lambda ; f:f32[] g:f32[2]. let h:f32[2] = mul g f in (h,) }
        { lambda ; i:f32[] j:f32[2]. let  in (j,) }
      )
    ] d c b
  in (e, c) })");

constexpr auto single = [](auto i, auto x) { return ex::switch_(i, ex::branches([](auto a) { return -a; }), x); };
static_assert(ex::make_jaxpr(single)(1, ex::f32<>) == "{ lambda ; a:i32[] b:f32[]. let c:f32[] = neg b in (c,) }");

// Known indices are clamped too.
constexpr auto known = [](auto x) {
  auto const f = [](auto a) { return a + 1.0f; };
  auto const g = [](auto a) { return -a; };
  auto const h = [](auto a) { return ex::sin(a); };
  auto const a = ex::switch_(ex::static_<1>, ex::branches(f, g, h), x);
  auto const b = ex::switch_(boost::hana::int_c<7>, ex::branches(f, g, h), a);
  return ex::switch_(-3, std::array{f, f}, b);
};
static_assert(ex::make_jaxpr(known)(ex::f32<>) == R"({ lambda ; a:f32[]. let
    b:f32[] = neg a
    c:f32[] = sin b
    d:f32[] = add c 1.0:f32[]
  in (d,) })");

// Another integer dtype is converted.
static_assert(ex::make_jaxpr(single)(ex::u8<>, ex::f32<>) == "{ lambda ; a:u8[] b:f32[]. let c:f32[] = neg b in (c,) }");
constexpr auto pick = [](auto i) { return ex::switch_(i, ex::branches([] { return 1; }, [] { return 2; })); };
static_assert(ex::make_jaxpr(pick)(ex::u8<>) == R"({ lambda ; a:u8[]. let
    b:i32[] = convert_element_type[new_dtype=int32 weak_type=False] a
    c:i32[] = clamp 0:i32[] b 1:i32[]
    d:i32[] = cond[
      branches=(
        { lambda ; . let  in (1:i32[],) }
        { lambda ; . let  in (2:i32[],) }
      )
    ] c
  in (d,) })");

}  // namespace
