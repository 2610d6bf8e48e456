// SPDX-License-Identifier: BSL-1.0
// The interpreter against values worked out by hand, at compile time and at run time.
#include <doctest/doctest.h>

#include "text/build.hpp"
#include <exprax/legalize/interpret.hpp>
#include <exprax/passes/check.hpp>

#include <initializer_list>
#include <limits>

using namespace build;

// The elements of an input or a result, as patterns.
struct patterns {
  detail::arena<std::uint64_t> of;
  template <class T>
  constexpr patterns(std::initializer_list<T> list) {
    for (T x : list) of.push(detail::to_bits(x));
  }
};
constexpr bool equal(detail::arena<std::uint64_t> const& a, patterns const& b) {
  if (a.size() != b.of.size()) return false;
  for (int i = 0; i < a.size(); ++i)
    if (a[i] != b.of[i]) return false;
  return true;
}
template <class Make>
constexpr bool gives(Make make, std::initializer_list<patterns> in, std::initializer_list<patterns> out) {
  builder b;
  make(b);
  if (!check(b.p.ref())) return false;
  detail::arena<std::uint64_t const*> inputs;
  for (patterns const& p : in) inputs.push(p.of.data());
  auto const results = interpret(b.p.ref(), inputs);
  if (results.size() != static_cast<int>(out.size())) return false;
  for (int k = 0; k < results.size(); ++k)
    if (!equal(results[k], out.begin()[k])) return false;
  return true;
}
// One equation.
constexpr bool makes(prim op, std::initializer_list<aval> types, std::initializer_list<int> par, aval const& out, std::initializer_list<patterns> in,
                     patterns const& expected) {
  return gives(
      [&](builder& b) {
        detail::arena<int> v;
        for (aval const& t : types) v.push(b.in(t));
        b.begin();
        int const r = b.p.emit(op, v, par, {&out, 1});
        b.p.close(v, {&r, 1});
      },
      in, {expected});
}
constexpr int as_f32 = static_cast<int>(dtype::f32), as_i32 = static_cast<int>(dtype::i32);
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();

// Both at compile time and, in the same words, at run time.
#define EXPRAX_HOLDS(...)    \
  static_assert(__VA_ARGS__); \
  CHECK(__VA_ARGS__)

TEST_CASE("elementwise, with broadcasting") {
  EXPRAX_HOLDS(makes(prim::add, {f32({2, 2}), f32()}, {}, f32({2, 2}), {{1.f, 2.f, 3.f, 4.f}, {0.5f}}, {1.5f, 2.5f, 3.5f, 4.5f}));
  EXPRAX_HOLDS(makes(prim::mul, {i32({2, 1}), i32({1, 3})}, {}, i32({2, 3}), {{1, 2}, {3, 4, 5}}, {3, 4, 5, 6, 8, 10}));
  EXPRAX_HOLDS(makes(prim::add, {i32(), i32()}, {}, i32(), {{2147483647}, {1}}, {-2147483647 - 1}));
  EXPRAX_HOLDS(makes(prim::lt, {f32({3}), f32()}, {}, b1({3}), {{1.f, not_a_number, 3.f}, {2.f}}, {true, false, false}));
  EXPRAX_HOLDS(makes(prim::select_n, {b1({2}), f32({2}), f32()}, {}, f32({2}), {{false, true}, {1.f, 2.f}, {9.f}}, {1.f, 9.f}));
  EXPRAX_HOLDS(makes(prim::select_n, {i32({3}), i32(), i32(), i32()}, {}, i32({3}), {{2, 0, 1}, {5}, {6}, {7}}, {7, 5, 6}));
  EXPRAX_HOLDS(makes(prim::clamp, {i32(), i32({3}), i32()}, {}, i32({3}), {{0}, {-3, 1, 9}, {2}}, {0, 1, 2}));
  EXPRAX_HOLDS(makes(prim::convert_element_type, {f32({3})}, {as_i32, 0}, i32({3}), {{-1.75f, not_a_number, 1e10f}}, {-1, 0, 2147483647}));
  EXPRAX_HOLDS(makes(prim::integer_pow, {i32({3})}, {3}, i32({3}), {{-2, 1, 3}}, {-8, 1, 27}));
  EXPRAX_HOLDS(makes(prim::not_, {b1({2})}, {}, b1({2}), {{true, false}}, {false, true}));
}

TEST_CASE("movement") {
  EXPRAX_HOLDS(makes(prim::broadcast_in_dim, {i32({2})}, {2, 3, 0}, i32({2, 3}), {{1, 2}}, {1, 1, 1, 2, 2, 2}));
  EXPRAX_HOLDS(makes(prim::reshape, {i32({2, 2})}, {4}, i32({4}), {{1, 2, 3, 4}}, {1, 2, 3, 4}));
  EXPRAX_HOLDS(makes(prim::transpose, {i32({2, 3})}, {1, 0}, i32({3, 2}), {{1, 2, 3, 4, 5, 6}}, {1, 4, 2, 5, 3, 6}));
  EXPRAX_HOLDS(makes(prim::squeeze, {i32({1, 2})}, {0}, i32({2}), {{1, 2}}, {1, 2}));
  EXPRAX_HOLDS(makes(prim::rev, {i32({2, 2})}, {1}, i32({2, 2}), {{1, 2, 3, 4}}, {2, 1, 4, 3}));
  EXPRAX_HOLDS(makes(prim::concatenate, {i32({2, 1}), i32({2, 2})}, {1}, i32({2, 3}), {{1, 2}, {3, 4, 5, 6}}, {1, 3, 4, 2, 5, 6}));
  EXPRAX_HOLDS(makes(prim::slice, {i32({6})}, {1, 6, 2}, i32({3}), {{0, 1, 2, 3, 4, 5}}, {1, 3, 5}));
  EXPRAX_HOLDS(makes(prim::pad, {i32({3}), i32()}, {1, 2, 1}, i32({8}), {{1, 2, 3}, {0}}, {0, 1, 0, 2, 0, 3, 0, 0}));
  EXPRAX_HOLDS(makes(prim::pad, {i32({3}), i32()}, {-1, 1, 0}, i32({3}), {{1, 2, 3}, {9}}, {2, 3, 9}));
  EXPRAX_HOLDS(makes(prim::iota, {}, {as_f32, 1, 2, 3}, f32({2, 3}), {}, {0.f, 1.f, 2.f, 0.f, 1.f, 2.f}));
}

TEST_CASE("indices at run time") {
  EXPRAX_HOLDS(makes(prim::dynamic_slice, {i32({5}), i32()}, {3}, i32({3}), {{0, 1, 2, 3, 4}, {1}}, {1, 2, 3}));
  EXPRAX_HOLDS(makes(prim::dynamic_slice, {i32({5}), i32()}, {3}, i32({3}), {{0, 1, 2, 3, 4}, {9}}, {2, 3, 4}));  // clamped
  EXPRAX_HOLDS(makes(prim::dynamic_update_slice, {i32({4}), i32({2}), i32()}, {}, i32({4}), {{0, 0, 0, 0}, {7, 8}, {-5}}, {7, 8, 0, 0}));
  EXPRAX_HOLDS(makes(prim::update_slice, {i32({2, 3}), i32({1, 2})}, {1, 0, 1, 2}, i32({2, 3}), {{1, 2, 3, 4, 5, 6}, {8, 9}}, {1, 2, 3, 8, 5, 9}));
  EXPRAX_HOLDS(makes(prim::update_slice_add, {i32({4}), i32({2})}, {1, 1}, i32({4}), {{1, 2, 3, 4}, {10, 20}}, {1, 12, 23, 4}));
  EXPRAX_HOLDS(makes(prim::scatter_max, {i32({3}), i32({1}), i32()}, {0, 1, 0, 1, 0, 1, 1, 1, 0, 0}, i32({3}), {{1, 2, 3}, {1}, {7}}, {1, 7, 3}));
  EXPRAX_HOLDS(makes(prim::scatter, {i32({3}), i32({1}), i32()}, {0, 1, 0, 1, 0, 1, 1, 1, 0, 0}, i32({3}), {{1, 2, 3}, {3}, {7}}, {1, 2, 3}));  // dropped
}

TEST_CASE("reductions") {
  EXPRAX_HOLDS(makes(prim::reduce_sum, {i32({2, 3})}, {0}, i32({3}), {{1, 2, 3, 4, 5, 6}}, {5, 7, 9}));
  EXPRAX_HOLDS(makes(prim::reduce_prod, {i32({2, 3})}, {0, 1}, i32(), {{1, 2, 3, 4, 5, 6}}, {720}));
  EXPRAX_HOLDS(makes(prim::reduce_max, {f32({2, 2})}, {1}, f32({2}), {{-0.f, 0.f, -infinity, -1.f}}, {0.f, -1.f}));
  EXPRAX_HOLDS(makes(prim::reduce_max, {f32({3})}, {}, f32({3}), {{1.f, 2.f, 3.f}}, {1.f, 2.f, 3.f}));
  EXPRAX_HOLDS(makes(prim::reduce_min, {f32({0})}, {0}, f32(), {{0.f}}, {infinity}));
  EXPRAX_HOLDS(makes(prim::reduce_and, {b1({3})}, {0}, b1(), {{true, false, true}}, {false}));
  EXPRAX_HOLDS(makes(prim::reduce_or, {i32({2, 2})}, {1}, i32({2}), {{1, 2, 4, 4}}, {3, 4}));
  // 0.5 + 1e8 - 1e8 in another order: elements 0 and 8 join before their sum meets others.
  EXPRAX_HOLDS(makes(prim::reduce_sum, {f32({17})}, {0}, f32(),
                     {{1e8f, 0.f, 0.f, 0.f, 0.f, 0.f, 0.f, 0.f, 0.5f, 0.f, 0.f, 0.f, 0.f, 0.f, 0.f, 0.f, -1e8f}}, {0.5f}));
}

TEST_CASE("contractions") {
  EXPRAX_HOLDS(makes(prim::dot_general, {f32({2, 3}), f32({3, 2})}, {1, 1, 0, 0, as_f32, 0}, f32({2, 2}),
                     {{1.f, 2.f, 3.f, 4.f, 5.f, 6.f}, {1.f, 0.f, 0.f, 1.f, 1.f, 1.f}}, {4.f, 5.f, 10.f, 11.f}));
  EXPRAX_HOLDS(makes(prim::dot_general, {i32({3}), f32({3})}, {1, 0, 0, 0, as_f32, 1}, f32(), {{0, 1, 2}, {2.f, 3.f, 4.f}}, {11.f}));
  EXPRAX_HOLDS(makes(prim::dot_general, {i32({2, 2}), i32({2, 2})}, {1, 1, 1, 1, 0, 0, as_i32, 0}, i32({2}), {{1, 2, 3, 4}, {5, 6, 7, 8}}, {17, 53}));
  EXPRAX_HOLDS(makes(prim::conv_general_dilated, {f32({1, 1, 4}), f32({1, 1, 3})}, {1, 1, 1, 1, 1, 1, 1, 1, as_f32}, f32({1, 1, 4}),
                     {{1.f, 2.f, 3.f, 4.f}, {1.f, 10.f, 100.f}}, {210.f, 321.f, 432.f, 43.f}));
  EXPRAX_HOLDS(makes(prim::conv_general_dilated, {f32({1, 2, 2}), f32({2, 1, 1})}, {1, 1, 0, 0, 1, 1, 2, 1, as_f32}, f32({1, 2, 2}),
                     {{1.f, 2.f, 3.f, 4.f}, {10.f, 100.f}}, {10.f, 20.f, 300.f, 400.f}));
  EXPRAX_HOLDS(makes(prim::conv_general_dilated, {f32({1, 1, 3}), f32({1, 1, 2})}, {1, 2, 0, 0, 2, 3, 1, 1, as_f32}, f32({1, 1, 1}),
                     {{1.f, 2.f, 3.f}, {1.f, 1.f}}, {1.f}));
}

constexpr auto fibonacci = [](builder& b) {
  b.begin();
  int const x = b.in(i32()), y = b.in(i32());
  b.begin();
  int const body = b.end({x, y}, {y, b.op(prim::add, {x, y}, i32()), x});
  int const r = b.scan(body, {b.literal(0), b.literal(1)}, {i32(), i32(), i32({8})}, 8, 0, 2);
  b.end({}, {r, r + 1, r + 2});
};
// The rows of ys stay where the x that made them stood.
constexpr auto sum_from_the_end = [](builder& b) {
  int const xs = b.in(i32({2, 2}));
  b.begin();
  int const c = b.in(i32({2})), x = b.in(i32({2}));
  b.begin();
  int const s = b.op(prim::add, {c, x}, i32({2}));
  int const body = b.end({c, x}, {s, s});
  int const zeros = b.op(prim::broadcast_in_dim, {b.literal(0)}, i32({2}), {2});
  int const r = b.scan(body, {zeros, xs}, {i32({2}), i32({2, 2})}, 2, 0, 1, true);
  b.end({xs}, {r, r + 1});
};
constexpr auto never = [](builder& b) {
  int const v = b.in(i32()), xs = b.in(i32({0}));
  b.begin();
  int const c = b.in(i32()), x = b.in(i32());
  b.begin();
  int const body = b.end({c, x}, {b.op(prim::add, {c, x}, i32()), x});
  int const r = b.scan(body, {v, xs}, {i32(), i32({0})}, 0, 0, 1);
  b.end({v, xs}, {r, r + 1});
};
// One block, called twice; it hands on an input.
constexpr auto called_twice = [](builder& b) {
  int const v = b.in(i32());
  b.begin();
  int const a = b.in(i32()), c = b.in(i32());
  b.begin();
  int const body = b.end({a, c}, {c, b.op(prim::sub, {a, c}, i32())});
  int const p = b.jit("f", body, {v, b.literal(3)}, {i32(), i32()});
  int const q = b.jit("f", body, {p, p + 1}, {i32(), i32()});
  b.end({v}, {q, q + 1});
};

TEST_CASE("control") {
  EXPRAX_HOLDS(gives(fibonacci, {}, {{21}, {34}, {0, 1, 1, 2, 3, 5, 8, 13}}));
  EXPRAX_HOLDS(gives(sum_from_the_end, {{1, 2, 3, 4}}, {{4, 6}, {4, 6, 3, 4}}));
  EXPRAX_HOLDS(gives(never, {{5}, {0}}, {{5}, patterns(std::initializer_list<int>{})}));
  EXPRAX_HOLDS(gives(called_twice, {{10}}, {{7}, {-4}}));
}
