// SPDX-License-Identifier: BSL-1.0
// What the checker says of branches and loops that are not well formed.
#include "text/build.hpp"
#include <exprax/passes/check.hpp>

using namespace build;

namespace {

template <class Make>
constexpr fault found(Make make) {
  builder b;
  make(b);
  return check(b.p.ref()).what;
}

// A block that gives its input of this type, or a literal of another.
constexpr int identity(builder& b, aval const& t) {
  b.begin();
  int const x = b.in(t);
  return b.end({x}, {x});
}

// cond: index, operand and branches of these types, and the result.
constexpr fault branches(aval const& index, aval const& operand, aval const& first, aval const& second, aval const& result) {
  return found([&](builder& b) {
    int const i = b.in(index), x = b.in(operand);
    b.begin();
    int const one = identity(b, first), two = identity(b, second);
    b.end({i, x}, {b.cond({one, two}, {i, x}, {result})});
  });
}
static_assert(branches(i32(), f32({2}), f32({2}), f32({2}), f32({2})) == fault::none);
static_assert(branches(b1(), f32(), f32(), f32(), f32()) == fault::ill_typed);
static_assert(branches(i32({1}), f32(), f32(), f32(), f32()) == fault::ill_typed);
static_assert(branches(i32(), f32({2}), f32({2}), f32({3}), f32({2})) == fault::ill_typed);
static_assert(branches(i32(), f32(), f32(), i32(), f32()) == fault::ill_typed);
static_assert(branches(i32(), f32(), f32(), f32(), f32({1})) == fault::wrong_result);

static_assert(found([](builder& b) {  // branches with different numbers of results
                int const i = b.in(i32()), x = b.in(f32()), y = b.in(f32());
                b.begin();
                int const one = identity(b, f32());
                b.begin();
                int const two = b.end({y}, {y, y});
                b.end({i, x}, {b.cond({one, two}, {i, x}, {f32(), f32()})});
              }) == fault::ill_typed);
static_assert(found([](builder& b) {  // an operand too many
                int const i = b.in(i32()), x = b.in(f32());
                b.begin();
                int const one = identity(b, f32());
                b.end({i, x}, {b.cond({one}, {i, x, x}, {f32()})});
              }) == fault::ill_typed);
static_assert(found([](builder& b) {  // a branch that reads a value from outside
                int const i = b.in(i32()), x = b.in(f32()), y = b.in(f32());
                b.begin();
                b.begin();
                int const one = b.end({y}, {x});
                b.end({i, x}, {b.cond({one}, {i, x}, {f32()})});
              }) == fault::undefined_operand);

// while: one carry, a condition of this type, a next carry of that type.
constexpr fault loops(aval const& carry, aval const& condition, aval const& next, int cond_consts = 0, int body_consts = 0) {
  return found([&](builder& b) {
    int const x = b.in(carry);
    b.begin();
    int const c = b.in(carry), d = b.in(carry);
    b.begin();
    int const no = b.p.add_literal(condition.type, 0);
    int const holds = b.p.emit(prim::broadcast_in_dim, {no}, {condition.dims, condition.rank}, {&condition, 1});
    int const cond = b.end({c}, {holds});
    b.begin();
    int const made = b.p.emit(prim::broadcast_in_dim, {b.p.add_literal(next.type, 0)}, {next.dims, next.rank}, {&next, 1});
    int const body = b.end({d}, {made});
    b.end({x}, {b.while_loop(cond, body, {x}, {carry}, cond_consts, body_consts)});
  });
}
static_assert(loops(f32(), b1(), f32()) == fault::none);
static_assert(loops(f32({2, 3}), b1({2}), f32({2, 3})) == fault::none);
static_assert(loops(f32({2, 3}), b1({2, 3}), f32({2, 3})) == fault::none);
static_assert(loops(f32({2, 3}), b1({3}), f32({2, 3})) == fault::ill_typed);
static_assert(loops(f32(), b1({2}), f32()) == fault::ill_typed);
static_assert(loops(f32(), i32(), f32()) == fault::ill_typed);
static_assert(loops(f32(), b1(), f32({1})) == fault::ill_typed);
static_assert(loops(f32(), b1(), i32()) == fault::ill_typed);
static_assert(loops(f32(), b1(), f32(), 1, 0) == fault::ill_typed);
static_assert(loops(f32(), b1(), f32(), 0, 1) == fault::ill_typed);
static_assert(loops(f32(), b1(), f32(), -1, 1) == fault::ill_typed);

// debug_print has no results, and its text is in the table of names.
static_assert(found([](builder& b) {
                int const x = b.in(f32()), text = b.p.add_name("{}");
                b.begin();
                b.p.emit(prim::debug_print, {x}, {text}, {});
                b.end({x}, {x});
              }) == fault::none);
static_assert(found([](builder& b) {
                int const x = b.in(f32());
                b.begin();
                b.p.emit(prim::debug_print, {x}, {0}, {});
                b.end({x}, {x});
              }) == fault::ill_typed);
static_assert(found([](builder& b) {
                int const x = b.in(f32()), text = b.p.add_name("{}");
                b.begin();
                b.end({x}, {b.op(prim::debug_print, {x}, f32(), {text})});
              }) != fault::none);

}  // namespace
