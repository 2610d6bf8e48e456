// SPDX-License-Identifier: BSL-1.0
// fori_loop: JAX's jaxprs for bounds that are known and for bounds that are traced.
#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr auto traced_bounds = [](auto a, auto b, auto v) {
  return ex::fori_loop(a, b, [](auto i, auto x) { return x + i; }, v);
};
static_assert(ex::make_jaxpr(traced_bounds)(0, 10, 0) == R"({ lambda ; a:i32[] b:i32[] c:i32[]. let
    _:i32[] _:i32[] d:i32[] = while[
      body_jaxpr={ lambda ; e:i32[] f:i32[] g:i32[]. let
          h:i32[] = add e 1:i32[]
          i:i32[] = add g e
        in (h, f, i) }
      body_nconsts=0
      cond_jaxpr={ lambda ; j:i32[] k:i32[] l:i32[]. let
          m:bool[] = lt j k
        in (m,) }
      cond_nconsts=0
    ] a b c
  in (d,) })");

constexpr std::string_view ten_turns = R"({ lambda ; a:i32[]. let
    _:i32[] b:i32[] = scan[
      jaxpr={ lambda ; c:i32[] d:i32[]. let
          e:i32[] = add c 1:i32[]
          f:i32[] = add d c
        in (e, f) }
      length=10
      num_carry=2
      num_consts=0
      reverse=False
      unroll=1
    ] 0:i32[] a
  in (b,) })";
constexpr auto sum = [](auto i, auto x) { return x + i; };
constexpr auto static_bounds = [](auto v) { return ex::fori_loop(0, 10, sum, v); };
constexpr auto constant_bounds = [](auto v) { return ex::fori_loop(ex::static_<0>, boost::hana::int_c<10>, sum, v); };
static_assert(ex::make_jaxpr(static_bounds)(0) == ten_turns);
static_assert(ex::make_jaxpr(constant_bounds)(0) == ten_turns);
static_assert(ex::make_jaxpr(traced_bounds)(ex::static_<0>, ex::static_<10>, 0) == ten_turns);

// No turns, and all of them in one.
constexpr auto backwards = [](auto v) { return ex::fori_loop(7, 3, sum, ex::fori_loop(3, 7, sum, v, ex::unroll<true>)); };
static_assert(ex::make_jaxpr(backwards)(0) == R"({ lambda ; a:i32[]. let
    _:i32[] b:i32[] = scan[
      jaxpr={ lambda ; c:i32[] d:i32[]. let
          e:i32[] = add c 1:i32[]
          f:i32[] = add d c
        in (e, f) }
      length=4
      num_carry=2
      num_consts=0
      reverse=False
      unroll=4
    ] 3:i32[] a
    _:i32[] g:i32[] = scan[
      jaxpr={ lambda ; h:i32[] i:i32[]. let
          j:i32[] = add h 1:i32[]
          k:i32[] = add i h
        in (j, k) }
      length=0
      num_carry=2
      num_consts=0
      reverse=False
      unroll=1
    ] 7:i32[] b
  in (g,) })");

// A C++ integer takes the dtype of the other bound.
constexpr auto up_to = [](auto n, auto x) { return ex::fori_loop(0, n, [](auto, auto v) { return v * 2.0f; }, x); };
static_assert(ex::make_jaxpr(up_to)(ex::i16<>, ex::f32<>) == R"({ lambda ; a:i16[] b:f32[]. let
    _:i16[] _:i16[] c:f32[] = while[
      body_jaxpr={ lambda ; d:i16[] e:i16[] f:f32[]. let
          g:i16[] = add d 1:i16[]
          h:f32[] = mul f 2.0:f32[]
        in (g, e, h) }
      body_nconsts=0
      cond_jaxpr={ lambda ; i:i16[] j:i16[] k:f32[]. let
          l:bool[] = lt i j
        in (l,) }
      cond_nconsts=0
    ] 0:i16[] a b
  in (c,) })");

}  // namespace
