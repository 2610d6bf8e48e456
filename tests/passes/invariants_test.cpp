// SPDX-License-Identifier: BSL-1.0
// What is the same in every turn of a loop leaves it, unless it would only cost memory outside.
#include <passes/traced.hpp>

using namespace traced_passes;

namespace {

// Arithmetic on captured values leaves; a product with the carry stays.
constexpr auto scaled = [](auto xs, auto s, auto v) {
  auto const body = [&](auto c, auto x) { return ex::tuple(c * ex::exp(s) + x * ex::sum(v), ex::sin(c)); };
  return ex::scan(body, s, xs);
};
static_assert(becomes(scaled, R"({ lambda ; a:f32[4] b:f32[] c:f32[3]. let
    d:f32[] = exp b
    e:f32[] = reduce_sum[axes=(0,) out_sharding=None] c
    f:f32[] g:f32[4] = scan[
      jaxpr={ lambda ; h:f32[] i:f32[] j:f32[] k:f32[]. let
          l:f32[] = mul j h
          m:f32[] = mul k i
          n:f32[] = add l m
          o:f32[] = sin j
        in (n, o) }
      length=4
      num_carry=1
      num_consts=2
      reverse=False
      unroll=1
    ] d e b a
  in (f, g) })", ex::f32<4>, ex::f32<>, ex::f32<3>));

// Out of both blocks of a while, and out of two loops at once.
constexpr auto twice = [](auto x, auto n) {
  auto const outer = [&](auto, auto a) {
    return ex::while_loop([&](auto y) { return y < ex::exp(x); }, [&](auto y) { return y + ex::exp(x) + ex::exp(a); }, a);
  };
  return ex::fori_loop(0, n, outer, x);
};
static_assert(becomes(twice, R"({ lambda ; a:f32[] b:i32[]. let
    c:f32[] = exp a
    _:i32[] d:f32[] = while[
      body_jaxpr={ lambda ; e:f32[] f:i32[] g:f32[]. let
          h:i32[] = add f 1:i32[]
          i:f32[] = exp g
          j:f32[] = while[
            body_jaxpr={ lambda ; k:f32[] l:f32[] m:f32[]. let
                n:f32[] = add m k
                o:f32[] = add n l
              in (o,) }
            body_nconsts=2
            cond_jaxpr={ lambda ; p:f32[] q:f32[]. let
                r:bool[] = lt q p
              in (r,) }
            cond_nconsts=1
          ] e e i g
        in (h, j) }
      body_nconsts=1
      cond_jaxpr={ lambda ; s:i32[] t:i32[] u:f32[]. let
          v:bool[] = lt t s
        in (v,) }
      cond_nconsts=1
    ] b c 0:i32[] a
  in (d,) })", ex::f32<>, ex::i32<>));

// A large broadcast and an iota stay, and so do constants; what is computed from them leaves.
constexpr auto masks = [](auto c, auto row) {
  auto const body = [&](auto a) {
    auto const index = ex::arange<6>();
    return a * ex::broadcast_to<4, 6>(row) + ex::where(index == 3, a, ex::zeros_like(a));
  };
  return ex::fori_loop(0, 5, [&](auto, auto a) { return body(a); }, c);
};
static_assert(becomes(masks, R"({ lambda ; a:f32[4,6] b:f32[6]. let
    c:i32[6] = iota[dimension=0 dtype=int32 shape=(6,) sharding=None] 
    d:bool[6] = eq c 3:i32[]
    e:f32[4,6] = scan[
      jaxpr={ lambda ; f:f32[6] g:bool[6] h:f32[4,6]. let
          i:f32[4,6] = broadcast_in_dim[broadcast_dimensions=(1,)] f
          j:f32[4,6] = mul h i
          k:bool[4,6] = broadcast_in_dim[broadcast_dimensions=(1,)] g
          l:f32[4,6] = select_n k 0.0:f32[] h
          m:f32[4,6] = add j l
        in (m,) }
      length=5
      num_carry=1
      num_consts=2
      reverse=False
      unroll=1
    ] b d a
  in (e,) })", ex::f32<4, 6>, ex::f32<6>));

// Nothing leaves a branch, which may not run; a loop inside of one is left as far as the branch goes.
constexpr auto in_branch = [](auto p, auto x, auto xs) {
  auto const loop = [&](auto c) {
    auto const body = [&](auto a, auto b) { return ex::tuple(a * ex::exp(x) + b, b); };
    auto const branch = [&](auto y) { return ex::get<0>(ex::scan(body, y, xs)); };
    return ex::cond(p, branch, [&](auto y) { return y + ex::cos(x); }, c);
  };
  return ex::fori_loop(0, 3, [&](auto, auto c) { return loop(c); }, x);
};
static_assert(becomes(in_branch, R"({ lambda ; a:bool[] b:f32[] c:f32[4]. let
    d:i32[] = convert_element_type[new_dtype=int32 weak_type=False] a
    e:f32[] = scan[
      jaxpr={ lambda ; f:i32[] g:f32[] h:f32[4] i:f32[]. let
          j:f32[] = cond[
            branches=(
              { lambda ; k:f32[] l:f32[] m:f32[4]. let
                  n:f32[] = cos k
                  o:f32[] = add l n
                in (o,) }
              { lambda ; p:f32[] q:f32[] r:f32[4]. let
                  s:f32[] = exp p
                  t:f32[] = scan[
                    jaxpr={ lambda ; u:f32[] v:f32[] w:f32[]. let
                        x:f32[] = mul v u
                        y:f32[] = add x w
                      in (y,) }
                    length=4
                    num_carry=1
                    num_consts=1
                    reverse=False
                    unroll=1
                  ] s q r
                in (t,) }
            )
          ] f g i h
        in (j,) }
      length=3
      num_carry=1
      num_consts=3
      reverse=False
      unroll=1
    ] d b c b
  in (e,) })", ex::b1<>, ex::f32<>, ex::f32<4>));

// A whole loop leaves another one.
constexpr auto loop_in_loop = [](auto x, auto xs) {
  auto const sum = [](auto c, auto a) { return ex::tuple(c + a, c); };
  return ex::fori_loop(0, 3, [&](auto, auto c) { return ex::sin(c) + ex::get<0>(ex::scan(sum, 0.0f, xs)); }, x);
};
static_assert(becomes(loop_in_loop, R"({ lambda ; a:f32[] b:f32[4]. let
    c:f32[] = scan[
      jaxpr={ lambda ; d:f32[] e:f32[]. let f:f32[] = add d e in (f,) }
      length=4
      num_carry=1
      num_consts=0
      reverse=False
      unroll=1
    ] 0.0:f32[] b
    g:f32[] = scan[
      jaxpr={ lambda ; h:f32[] i:f32[]. let
          j:f32[] = sin i
          k:f32[] = add j h
        in (k,) }
      length=3
      num_carry=1
      num_consts=1
      reverse=False
      unroll=1
    ] c a
  in (g,) })", ex::f32<>, ex::f32<4>));

// A matrix that the product in a loop wants transposed is transposed before the loop.
constexpr auto powers = [](auto w, auto x) {
  return ex::fori_loop(0, 3, [&](auto, auto a) { return ex::dot_general(a, w, ex::contracting<ex::axis<0>, ex::axis<1>>); }, x);
};
static_assert(becomes(powers, R"({ lambda ; a:f32[4,4] b:f32[4]. let
    c:f32[4,4] = transpose[permutation=(1, 0)] a
    d:f32[4] = scan[
      jaxpr={ lambda ; e:f32[4,4] f:f32[4]. let
          g:f32[4] = dot_general[
            dimension_numbers=(([0], [0]), ([], []))
            preferred_element_type=float32
          ] f e
        in (g,) }
      length=3
      num_carry=1
      num_consts=1
      reverse=False
      unroll=1
    ] c b
  in (d,) })", ex::f32<4, 4>, ex::f32<4>));

// What prints stays where it is.
constexpr auto prints = [](auto x) {
  return ex::fori_loop(0, 2, [&](auto, auto c) {
    ex::debug_print("{}", ex::sin(x));
    return c;
  }, x);
};
constexpr bool keeps_printing() {
  constexpr program_ref p = decltype(ex::make_jaxpr(prints)(ex::f32<>))::program::ref;
  program const simplified = ex::simplify(p), q = ex::dce(simplified.ref());
  program_ref const r = q.ref();
  return ex::check(r) && r.main().n_eqn == 2 && r.body(r.main())[0].op == ex::prim::sin && r.body(r.main())[1].op == ex::prim::scan &&
         r.sub(r.body(r.main())[1], 0).n_eqn == 1 && r.body(r.sub(r.body(r.main())[1], 0))[0].op == ex::prim::debug_print;
}
static_assert(keeps_printing());

}  // namespace
