// SPDX-License-Identifier: BSL-1.0
// What each primitive infers, what it refuses, and what the checker finds wrong with whole programs.
#include <doctest/doctest.h>

#include "text/build.hpp"
#include <exprax/passes/check.hpp>

using namespace build;

constexpr int as_f32 = static_cast<int>(dtype::f32), as_i32 = static_cast<int>(dtype::i32);

struct inferred {
  bool ok = false;
  aval out;
};
constexpr inferred of(prim op, std::initializer_list<aval> in, std::initializer_list<int> par = {}) {
  program_builder p;
  detail::arena<int> v;
  for (aval const& t : in) v.push(p.add_value(t));
  inferred x;
  x.ok = p.infer_results(infer<equation_ref>, op, v, par, {}, 1, &x.out);
  return x;
}
constexpr bool is(inferred const& x, aval const& expected) { return x.ok && x.out == expected; }
constexpr aval weak_f32(std::initializer_list<int> dims = {}) { return aval(dtype::f32, dims, true); }

// Elementwise: one dtype, shapes that broadcast, weak only if all are.
static_assert(is(of(prim::add, {f32({2, 3}), f32()}), f32({2, 3})));
static_assert(is(of(prim::add, {f32({2, 1}), f32({1, 3})}), f32({2, 3})));
static_assert(is(of(prim::add, {f32(), weak_f32()}), f32()));
static_assert(is(of(prim::add, {weak_f32(), weak_f32()}), weak_f32()));
static_assert(!of(prim::add, {f32({2}), f32({3})}).ok);
static_assert(!of(prim::add, {f32({2}), f32({1, 2})}).ok);
static_assert(!of(prim::add, {f32(), i32()}).ok);
static_assert(!of(prim::add, {b1(), b1()}).ok);
static_assert(!of(prim::add, {f32()}).ok);
static_assert(!of(prim::exp, {i32()}).ok);
static_assert(is(of(prim::eq, {weak_f32({2}), weak_f32()}), b1({2})));
static_assert(is(of(prim::is_finite, {f32({2})}), b1({2})));
static_assert(is(of(prim::and_, {b1(), b1({2})}), b1({2})));
static_assert(!of(prim::and_, {f32(), f32()}).ok);
static_assert(is(of(prim::select_n, {b1({2}), f32(), f32()}), f32({2})));
static_assert(is(of(prim::select_n, {i32(), f32({2}), f32({2}), f32({2})}), f32({2})));
static_assert(!of(prim::select_n, {b1(), f32(), f32(), f32()}).ok);
static_assert(!of(prim::select_n, {f32(), f32(), f32()}).ok);
static_assert(is(of(prim::convert_element_type, {i32({2})}, {as_f32, 1}), weak_f32({2})));
static_assert(is(of(prim::integer_pow, {f32({2})}, {-1}), f32({2})));
static_assert(is(of(prim::fma, {f32({2}), f32(), f32({2})}), f32({2})));

// Collectives: names stand for no axis of the operand.
static_assert(is(of(prim::psum, {f32({2, 3})}, {1, -1, 'i'}), f32({2})));
static_assert(!of(prim::psum, {f32({2, 3})}, {2}).ok);
static_assert(!of(prim::pmax, {b1({2})}, {0}).ok);
static_assert(is(of(prim::all_gather, {f32({2})}, {1, 4, 0, -1, 'i'}), f32({2, 4})));
static_assert(is(of(prim::all_gather, {f32({2})}, {0, 4, 1, -1, 'i'}), f32({8})));
static_assert(!of(prim::all_gather, {f32({2})}, {1, 4, 1, -1, 'i'}).ok);
static_assert(is(of(prim::all_to_all, {f32({4, 3})}, {0, 1, 2, 1, -1, 'i'}), f32({2, 6})));
static_assert(!of(prim::all_to_all, {f32({4, 3})}, {1, 0, 2, 1, -1, 'i'}).ok);
static_assert(is(of(prim::axis_index, {}, {-1, 'i'}), i32()));

static_assert(is(of(prim::broadcast_in_dim, {f32({3})}, {2, 3, 1}), f32({2, 3})));
static_assert(!of(prim::broadcast_in_dim, {f32({3})}, {2, 3, 0}).ok);
static_assert(!of(prim::broadcast_in_dim, {f32({2, 3})}, {3, 2, 1, 0}).ok);
static_assert(is(of(prim::reshape, {f32({2, 3})}, {3, 1, 2}), f32({3, 1, 2})));
static_assert(!of(prim::reshape, {f32({2, 3})}, {5}).ok);
static_assert(is(of(prim::transpose, {f32({2, 3})}, {1, 0}), f32({3, 2})));
static_assert(!of(prim::transpose, {f32({2, 3})}, {1, 1}).ok);
static_assert(is(of(prim::squeeze, {f32({1, 3, 1})}, {2}), f32({1, 3})));
static_assert(!of(prim::squeeze, {f32({1, 3})}, {1}).ok);
static_assert(is(of(prim::rev, {f32({2, 3})}, {0, 1}), f32({2, 3})));
static_assert(is(of(prim::concatenate, {f32({2, 3}), f32({2, 1})}, {1}), f32({2, 4})));
static_assert(!of(prim::concatenate, {f32({2, 3}), f32({2, 1})}, {0}).ok);
static_assert(is(of(prim::pad, {f32({3}), f32()}, {1, -2, 1}), f32({4})));
static_assert(!of(prim::pad, {f32({3}), f32()}, {-2, -2, 0}).ok);
static_assert(is(of(prim::slice, {f32({5})}, {1, 5}), f32({4})));
static_assert(is(of(prim::slice, {f32({5})}, {0, 5, 2}), f32({3})));
static_assert(!of(prim::slice, {f32({5})}, {0, 6}).ok);
static_assert(is(of(prim::iota, {}, {as_i32, 0, 3}), i32({3})));
static_assert(!of(prim::iota, {}, {as_i32, 1, 3}).ok);
static_assert(is(of(prim::dynamic_slice, {f32({4, 5}), i32(), i32()}, {1, 2}), f32({1, 2})));
static_assert(!of(prim::dynamic_slice, {f32({4, 5}), i32()}, {1, 2}).ok);
static_assert(!of(prim::dynamic_slice, {f32({4}), i32()}, {5}).ok);
static_assert(is(of(prim::dynamic_update_slice, {f32({4}), f32({2}), i32()}), f32({4})));
// gather: windows of three of seven, one for each of four rows; rows of a matrix. Then: a window that is too long, axes that go with
// more than one element, an index vector of another length, batching axes that differ, a list that ends early.
static_assert(is(of(prim::gather, {f32({4, 7}), i32({4, 1})}, {0, 0, 0, 1, 1, 1, 3, 1, 1, 0, 1, 1, 1, 0, 1, 0}), f32({4, 3})));
static_assert(is(of(prim::gather, {f32({5, 7}), i32({2, 3, 1})}, {1, 0, 0, 0, 0, 1, 7, 1, 2, 1, 0, 1, 0, 0, 0}), f32({2, 3, 7})));
static_assert(!of(prim::gather, {f32({4, 7}), i32({4, 1})}, {0, 0, 0, 1, 1, 1, 8, 1, 1, 0, 1, 1, 1, 0, 1, 0}).ok);
static_assert(!of(prim::gather, {f32({5, 7}), i32({2, 3, 1})}, {0, 0, 0, 0, 0, 2, 7, 1, 2, 1, 0, 1, 0, 0, 0}).ok);
static_assert(!of(prim::gather, {f32({5, 7}), i32({2, 3, 2})}, {0, 0, 0, 0, 0, 1, 7, 1, 2, 1, 0, 1, 0, 0, 0}).ok);
static_assert(!of(prim::gather, {f32({4, 7}), i32({3, 1})}, {0, 0, 0, 1, 1, 1, 3, 1, 1, 0, 1, 1, 1, 0, 1, 0}).ok);
static_assert(!of(prim::gather, {f32({5, 7}), i32({2, 3, 1})}, {0, 0, 0, 0, 0, 1, 7, 1, 2, 1, 0, 1, 0, 0, 3}).ok);
static_assert(is(of(prim::scatter, {f32({4, 7}), i32({4, 1}), f32({4, 3})}, {1, 1, 0, 1, 1, 1, 1, 0, 1, 0, 1, 0}), f32({4, 7})));
static_assert(!of(prim::scatter, {f32({4, 7}), i32({4, 1}), f32({3, 4})}, {1, 1, 0, 1, 1, 1, 1, 0, 1, 0, 1, 0}).ok);
static_assert(is(of(prim::update_slice, {f32({5}), f32({2})}, {1, 2}), f32({5})));
static_assert(!of(prim::update_slice, {f32({5}), f32({2})}, {3, 2}).ok);
static_assert(is(of(prim::scatter_add, {f32({5}), i32({1}), f32()}, {0, 1, 0, 1, 0, 1, 1, 1, 0, 0}), f32({5})));
static_assert(!of(prim::scatter_add, {f32({5}), i32({2}), f32()}, {0, 1, 0, 1, 0, 1, 1, 1, 0, 0}).ok);

static_assert(is(of(prim::reduce_sum, {f32({2, 3, 4})}, {0, 2}), f32({3})));
static_assert(!of(prim::reduce_sum, {f32({2})}, {1}).ok);
static_assert(!of(prim::reduce_sum, {b1({2})}, {0}).ok);
static_assert(is(of(prim::reduce_and, {b1({2, 3})}, {1}), b1({2})));
static_assert(is(of(prim::dot_general, {i32({7, 2, 3}), f32({3, 7, 4})}, {1, 2, 0, 1, 0, 1, as_f32, 0}), f32({7, 2, 4})));
static_assert(!of(prim::dot_general, {f32({2, 3}), f32({2, 3})}, {1, 1, 0, 0, as_f32, 0}).ok);
static_assert(is(of(prim::conv_general_dilated, {f32({2, 3, 10}), f32({4, 3, 3})}, {1, 2, 1, 0, 1, 2, 1, 1, as_f32}), f32({2, 4, 4})));
static_assert(!of(prim::conv_general_dilated, {f32({2, 3, 10}), f32({4, 2, 3})}, {1, 1, 0, 0, 1, 1, 1, 1, as_f32}).ok);

// Whole programs.
template <class Make>
constexpr fault found(Make make) {
  builder b;
  make(b);
  return check(b.p.ref()).what;
}
static_assert(check(program().ref()).what == fault::no_block);
static_assert(found([](builder& b) {
                int const x = b.in(f32());
                b.begin();
                b.end({x}, {b.op(prim::add, {x, b.literal(1.0f)}, f32())});
              }) == fault::none);
static_assert(found([](builder& b) {
                int const x = b.in(f32());
                b.begin();
                b.end({x}, {b.op(prim::add, {x, b.literal(1)}, f32())});
              }) == fault::ill_typed);
static_assert(found([](builder& b) {
                int const x = b.in(f32({2}));
                b.begin();
                b.end({x}, {b.op(prim::neg, {x}, f32({3}))});
              }) == fault::wrong_result);
static_assert(found([](builder& b) {
                int const x = b.in(f32()), stray = b.in(f32());
                b.begin();
                b.end({x}, {b.op(prim::add, {x, stray}, f32())});
              }) == fault::undefined_operand);
static_assert(found([](builder& b) {
                int const x = b.in(f32());
                b.begin();
                b.end({x, x}, {x});
              }) == fault::defined_twice);
// A nested block that reads a value of the outer one is not closed.
static_assert(found([](builder& b) {
                int const x = b.in(f32());
                b.begin();
                int const y = b.in(f32());
                b.begin();
                int const body = b.end({y}, {b.op(prim::add, {y, x}, f32())});
                b.end({x}, {b.jit("f", body, {x}, {f32()})});
              }) == fault::undefined_operand);
// A carry that changes its type.
static_assert(found([](builder& b) {
                int const x = b.in(f32());
                b.begin();
                int const c = b.in(f32());
                b.begin();
                int const body = b.end({c}, {b.op(prim::lt, {c, b.literal(1.0f)}, b1())});
                b.end({x}, {b.scan(body, {x}, {f32()}, 3, 0, 1)});
              }) == fault::ill_typed);

TEST_CASE("inference at run time") {
  CHECK(is(of(prim::add, {f32({2, 3}), f32()}), f32({2, 3})));
  CHECK_FALSE(of(prim::add, {f32({2}), f32({3})}).ok);
}
