// SPDX-License-Identifier: BSL-1.0
// while_loop: JAX's jaxprs with their clean-ups.
#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr auto to_ten = [](auto v) {
  return ex::while_loop([](auto x) { return x < 10; }, [](auto x) { return x + 1; }, v);
};
static_assert(ex::make_jaxpr(to_ten)(0) == R"({ lambda ; a:i32[]. let
    b:i32[] = while[
      body_jaxpr={ lambda ; c:i32[]. let d:i32[] = add c 1:i32[] in (d,) }
      body_nconsts=0
      cond_jaxpr={ lambda ; e:i32[]. let f:bool[] = lt e 10:i32[] in (f,) }
      cond_nconsts=0
    ] a
  in (b,) })");

// Both functions capture; a carry that the body hands on and the condition does not read is a const of the body.
constexpr auto captures = [](auto limit, auto step, auto x, auto scale) {
  auto const below = [&](auto c) { return ex::get<0>(c) < limit; };
  auto const next = [&](auto c) { return ex::tuple(ex::get<0>(c) * ex::get<1>(c) + step, ex::get<1>(c)); };
  return ex::while_loop(below, next, ex::tuple(x, scale));
};
static_assert(ex::make_jaxpr(captures)(ex::f32<>, ex::f32<>, ex::f32<>, ex::f32<>) == R"({ lambda ; a:f32[] b:f32[] c:f32[] d:f32[]. let
    e:f32[] = while[
      body_jaxpr={ lambda ; f:f32[] g:f32[] h:f32[]. let
          i:f32[] = mul h f
          j:f32[] = add i g
        in (j,) }
      body_nconsts=2
      cond_jaxpr={ lambda ; k:f32[] l:f32[]. let m:bool[] = lt l k in (m,) }
      cond_nconsts=1
    ] a d b c
  in (e, d) })");

// A carry that the condition reads stays one, though the body hands it on.
constexpr auto limit_in_carry = [](auto limit, auto x) {
  auto const below = [](auto c) { return ex::get<1>(c) < ex::get<0>(c); };
  auto const next = [](auto c) { return ex::tuple(ex::get<0>(c), ex::get<1>(c) + 1); };
  return ex::while_loop(below, next, ex::tuple(limit, x));
};
static_assert(ex::make_jaxpr(limit_in_carry)(ex::i32<>, ex::i32<>) == R"({ lambda ; a:i32[] b:i32[]. let
    c:i32[] d:i32[] = while[
      body_jaxpr={ lambda ; e:i32[] f:i32[]. let
          g:i32[] = add f 1:i32[]
        in (e, g) }
      body_nconsts=0
      cond_jaxpr={ lambda ; h:i32[] i:i32[]. let j:bool[] = lt i h in (j,) }
      cond_nconsts=0
    ] a b
  in (c, d) })");

// A weak carry takes the dtype that the body gives it.
constexpr auto promoted = [](auto x) {
  return ex::while_loop([](auto c) { return c < 10.0f; }, [&](auto c) { return c + x; }, 0);
};
static_assert(ex::make_jaxpr(promoted)(ex::f32<>) == R"({ lambda ; a:f32[]. let
    b:f32[] = while[
      body_jaxpr={ lambda ; c:f32[] d:f32[]. let e:f32[] = add d c in (e,) }
      body_nconsts=1
      cond_jaxpr={ lambda ; f:f32[]. let g:bool[] = lt f 10.0:f32[] in (g,) }
      cond_nconsts=0
    ] a 0.0:f32[]
  in (b,) })");

// A condition that is false while tracing.
constexpr auto never = [](auto x) { return ex::while_loop([](auto) { return std::false_type{}; }, [](auto c) { return c + 1.5f; }, x); };
static_assert(ex::make_jaxpr(never)(ex::f32<>) == "{ lambda ; a:f32[]. let  in (a,) }");

}  // namespace
