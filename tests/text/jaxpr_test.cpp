// SPDX-License-Identifier: BSL-1.0
// Texts of JAX 0.10, byte for byte.
#include <doctest/doctest.h>
#include <string>

#include "build.hpp"

using namespace build;

constexpr auto func1 = [](builder& b) {
  b.begin();
  int const x = b.in(f32({8})), y = b.in(f32({8}));
  int const s = b.op(prim::sin, {y}, f32({8})), t = b.op(prim::mul, {s, b.literal(3.0f)}, f32({8}));
  int const u = b.op(prim::add, {x, t}, f32({8}));
  b.end({x, y}, {b.op(prim::reduce_sum, {u}, f32(), {0})});
};
constexpr std::string_view func1_text = R"({ lambda ; a:f32[8] b:f32[8]. let
    c:f32[8] = sin b
    d:f32[8] = mul c 3.0:f32[]
    e:f32[8] = add a d
    f:f32[] = reduce_sum[axes=(0,) out_sharding=None] e
  in (f,) })";
static_assert(prints(func1, func1_text));

// The body of a scan; an unused carry is _.
static_assert(prints(
    [](builder& b) {
      b.begin();
      int const v = b.in(i32());
      b.begin();
      int const i = b.in(i32()), x = b.in(i32());
      int const n = b.op(prim::add, {i, b.literal(1)}, i32()), y = b.op(prim::add, {x, i}, i32());
      int const body = b.end({i, x}, {n, y});
      int const out = b.scan(body, {b.literal(0), v}, {i32(), i32()}, 10, 0, 2);
      b.end({v}, {out + 1});
    },
    R"({ lambda ; a:i32[]. let
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
  in (b,) })"));
static_assert(prints(
    [](builder& b) {
      b.begin();
      int const xs = b.in(i32({4}));
      b.begin();
      int const c = b.in(i32()), x = b.in(i32());
      int const y = b.op(prim::mul, {x, b.literal(2)}, i32());
      int const body = b.end({c, x}, {b.literal(0), y});
      int const out = b.scan(body, {b.literal(0), xs}, {i32(), i32({4})}, 4, 0, 1);
      b.end({xs}, {out, out + 1});
    },
    R"({ lambda ; a:i32[4]. let
    b:i32[] c:i32[4] = scan[
      jaxpr={ lambda ; d:i32[] e:i32[]. let
          f:i32[] = mul e 2:i32[]
        in (0:i32[], f) }
      length=4
      num_carry=1
      num_consts=0
      reverse=False
      unroll=1
    ] 0:i32[] a
  in (b, c) })"));

// A jit's inner names are those of the outer values.
static_assert(prints(
    [](builder& b) {
      b.begin();
      int const x = b.in(f32({3, 4}));
      b.begin();
      int const y = b.in(f32({3, 4}));
      int const body = b.end({y}, {b.op(prim::max, {b.literal(0.0f), y}, f32({3, 4}))});
      b.end({x}, {b.jit("activation", body, {x}, {f32({3, 4})})});
    },
    R"({ lambda ; a:f32[3,4]. let
    b:f32[3,4] = jit[
      name=activation
      jaxpr={ lambda ; a:f32[3,4]. let b:f32[3,4] = max 0.0:f32[] a in (b,) }
    ] a
  in (b,) })"));

// floor_divide with _where inside.
constexpr auto where_block = [](builder& b) {
  b.begin();
  int const c = b.in(b1()), x = b.in(i32()), y = b.in(i32());
  return b.end({c, x, y}, {b.op(prim::select_n, {c, y, x}, i32())});
};
constexpr auto floor_divide_block = [](builder& b) {
  b.begin();
  int const x = b.in(i32()), y = b.in(i32());
  int const d = b.op(prim::div, {x, y}, i32()), e = b.op(prim::sign, {x}, i32()), f = b.op(prim::sign, {y}, i32());
  int const g = b.op(prim::ne, {e, f}, b1()), h = b.op(prim::rem, {x, y}, i32()), i = b.op(prim::ne, {h, b.literal(0)}, b1());
  int const j = b.op(prim::and_, {g, i}, b1()), k = b.op(prim::sub, {d, b.literal(1)}, i32());
  int const where = where_block(b);
  return b.end({x, y}, {b.jit("_where", where, {j, k, d}, {i32()})});
};
static_assert(prints(
    [](builder& b) {
      b.begin();
      int const x = b.in(i32()), y = b.in(i32());
      int const body = floor_divide_block(b);
      b.end({x, y}, {b.jit("floor_divide", body, {x, y}, {i32()})});
    },
    R"({ lambda ; a:i32[] b:i32[]. let
    c:i32[] = jit[
      name=floor_divide
      jaxpr={ lambda ; a:i32[] b:i32[]. let
          d:i32[] = div a b
          e:i32[] = sign a
          f:i32[] = sign b
          g:bool[] = ne e f
          h:i32[] = rem a b
          i:bool[] = ne h 0:i32[]
          j:bool[] = and g i
          k:i32[] = sub d 1:i32[]
          c:i32[] = jit[
            name=_where
            jaxpr={ lambda ; j:bool[] k:i32[] d:i32[]. let
                c:i32[] = select_n j d k
              in (c,) }
          ] j k d
        in (c,) }
    ] a b
  in (c,) })"));

// A jaxpr that is used twice is printed once.
static_assert(prints(
    [](builder& b) {
      b.begin();
      int const c = b.in(b1()), x = b.in(i32()), y = b.in(i32());
      int const first = where_block(b);
      int const z = b.jit("_where", first, {c, x, y}, {i32()});
      int const second = where_block(b);
      b.end({c, x, y}, {b.jit("_where", second, {c, z, x}, {i32()})});
    },
    R"(let _where = { lambda ; a:bool[] b:i32[] c:i32[]. let
    d:i32[] = select_n a c b
  in (d,) } in
{ lambda ; e:bool[] f:i32[] g:i32[]. let
    h:i32[] = jit[name=_where jaxpr=_where] e f g
    i:i32[] = jit[name=_where jaxpr=_where] e h f
  in (i,) })"));

// Constants are inputs of the whole; no equation; no input; one line.
static_assert(prints(
    [](builder& b) {
      std::uint64_t const list[] = {0, 0x3f800000, 0x40000000};
      int const c = b.p.add_constant(f32({3}), list);
      b.begin();
      int const x = b.in(f32({3}));
      b.end({x}, {b.op(prim::add, {x, c}, f32({3}))});
    },
    "{ lambda a:f32[3]; b:f32[3]. let c:f32[3] = add b a in (c,) }"));
static_assert(prints(
    [](builder& b) {
      b.begin();
      int const x = b.in(i32({1})), y = b.in(f32());
      b.end({x, y}, {y});
    },
    "{ lambda ; a:i32[1] b:f32[]. let  in (b,) }"));
static_assert(prints(
    [](builder& b) {
      b.begin();
      b.end({}, {b.op(prim::iota, {}, f32({4}), {static_cast<int>(dtype::f32), 0, 4})});
    },
    R"({ lambda ; . let
    a:f32[4] = iota[dimension=0 dtype=float32 shape=(4,) sharding=None] 
  in (a,) })"));
static_assert(prints(
    [](builder& b) {
      b.begin();
      int const x = b.in(b1({2}));
      b.end({x}, {b.op(prim::and_, {x, b.literal(true)}, b1({2})), b.literal(0.1f), b.literal(-1)});
    },
    "{ lambda ; a:bool[2]. let\n    b:bool[2] = and a True:bool[]\n  in (b, 0.10000000149011612:f32[], -1:i32[]) }"));

TEST_CASE("a program prints into any sink at run time") {
  struct string_sink {
    std::string text;
    void write(char const* s, std::ptrdiff_t n) { text.append(s, static_cast<std::size_t>(n)); }
  } sink;
  builder b;
  func1(b);
  exprax::detail::print_jaxpr(sink, b.p.ref());
  CHECK(sink.text == func1_text);
  CHECK_FALSE(exprax::detail::jaxpr_equals(b.p.ref(), func1_text.substr(0, 20)));
}

TEST_CASE("names after z, and lists that go on in the next line") {
  struct string_sink {
    std::string text;
    void write(char const* s, std::ptrdiff_t n) { text.append(s, static_cast<std::size_t>(n)); }
  } sink;
  builder b;
  b.begin();
  int x = b.in(f32());
  int const in = x;
  exprax::detail::arena<int> list;
  for (int i = 0; i < 40; ++i) list.push(x = b.op(prim::neg, {x}, f32()));
  int const all = b.p.emit(prim::concatenate, list, {0}, {f32({40})});
  b.end({in}, {all});
  exprax::detail::print_jaxpr(sink, b.p.ref());
  // JAX breaks where the space before a name no longer fits, not the name.
  CHECK(sink.text.find("\n    ba:f32[] = neg z\n    bb:f32[] = neg ba\n") != std::string::npos);
  CHECK(sink.text.find("\n    bp:f32[40] = concatenate[dimension=0] b c d e f g h i j k l m n o p q r s t u\n"
                       "      v w x y z ba bb bc bd be bf bg bh bi bj bk bl bm bn bo\n  in (bp,) }") != std::string::npos);
}

namespace {
struct func1_program {
  static constexpr program make() {
    builder b;
    func1(b);
    return b.p.finish();
  }
};
}  // namespace
static_assert(exprax::detail::jaxpr_text<exprax::frozen<func1_program>>::view() == func1_text);
