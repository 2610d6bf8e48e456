// SPDX-License-Identifier: BSL-1.0
// Elements that a loop reads and updates at indices in and out of bounds, against loops by hand that follow JAX's rules: a negative index
// counts from the end, a read is clamped, and an update out of bounds is dropped.
#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

template <int N>
struct by_hand {
  std::vector<float> of;
  by_hand() {
    for (int i = 0; i < N; ++i) of.push_back(static_cast<float>(i * 7 % 13 - 5));
  }
  template <class I>
  static bool place(I i, std::size_t& at) {
    auto const from_end = std::is_signed_v<I> && i < I(0) ? static_cast<std::int64_t>(i) + N : static_cast<std::int64_t>(i);
    at = static_cast<std::size_t>(from_end < 0 ? 0 : from_end > N - 1 ? N - 1 : from_end);
    return from_end >= 0 && from_end < N;
  }
  template <class I>
  float read(I i) const {
    std::size_t at = 0;
    place(i, at);
    return of[at];
  }
  template <class I>
  void set(I i, float x) {
    if (std::size_t at = 0; place(i, at)) of[at] = x;
  }
  template <class Array>
  bool equals(Array const& a) const {
    bool same = true;
    for (int i = 0; i < N; ++i) same = same && a.data()[i] == of[static_cast<std::size_t>(i)];
    return same;
  }
};
template <int N>
ex::array<float, N> const& start() {
  static ex::array<float, N> const a = [] {
    ex::array<float, N> r;
    by_hand<N> const b;
    for (int i = 0; i < N; ++i) r.data()[i] = b.of[static_cast<std::size_t>(i)];
    return r;
  }();
  return a;
}

// while_loops in the plan; indices without a check, and those that count from the end.
struct kinds {
  int loops = 0, in_bounds = 0, from_end = 0;
};
template <class... Args, class F>
kinds kinds_of(F) {
  ex::plan const p = ex::make_plan(ex::detail::compiled<ex::detail::traced<F, Args...>>::ref, ex::this_target);
  kinds r;
  for (ex::region_step const& s : p.region_steps) {
    r.loops += s.kind == ex::region_step_kind::while_loop;
    if (s.kind != ex::region_step_kind::load && s.kind != ex::region_step_kind::store) continue;
    ex::region_address const& a = p.region_addresses[s.address];
    for (int i = a.term; i < a.term + a.n_term; ++i) {
      r.in_bounds += p.region_terms[i].in_bounds;
      r.from_end += p.region_terms[i].from_end > 0 && !p.region_terms[i].in_bounds;
    }
  }
  return r;
}

// ---- Indices from an array

constexpr auto in_order = [](auto n, auto a, auto order) {
  return ex::fori_loop(0, n, [order, a](auto i, auto b) { return b.at(order(i)).set(b(order(i)) * 0.5f + a(i)); }, a);
};
constexpr int many = 100, few = 12;
template <class I>
bool orders_agree() {
  using limits = std::numeric_limits<I>;
  I const of[] = {I(3),        I(0),   I(99),  I(100),        I(101),            I(127),        limits::max(), limits::min(), I(-1),
                  I(-99),      I(-100), I(-101), I(limits::max() - 1), I(limits::min() + 1), I(-128), I(3),          I(98),         I(-97), I(200)};
  constexpr int n_order = 19;
  ex::array<I, n_order> order;
  for (int i = 0; i < n_order; ++i) order.data()[i] = of[i];
  bool agree = true;
  for (int n : {-3, 0, 1, 7, 18, 19, 20, 99, 100, 101, 130}) {
    by_hand<many> b;
    by_hand<many> const x;
    for (int i = 0; i < n; ++i) {
      I const at = of[i < n_order ? i : n_order - 1];
      b.set(at, b.read(at) * 0.5f + x.read(i));
    }
    agree = agree && b.equals(ex::jit(in_order)(n, start<many>(), order));
  }
  return agree;
}
TEST_CASE("indices from an array") {
  CHECK(orders_agree<std::int8_t>());
  CHECK(orders_agree<std::uint8_t>());
  CHECK(orders_agree<int>());
  CHECK(orders_agree<std::int64_t>());
  kinds const k = kinds_of<ex::expr<int>, ex::expr<float, many>, ex::expr<int, 19>>(in_order);
  CHECK((k.loops == 2 && k.in_bounds == 2 && k.from_end == 6));
}

// ---- Indices that are a counter plus a constant

constexpr auto between = [](auto first, auto end, auto a) {
  return ex::fori_loop(first, end, [](auto i, auto a) { return a.at(i + 2).set(a(i - 1) * 0.5f + a(9 - i)); }, a);
};
constexpr auto below = [](auto n, auto a) { return ex::fori_loop(1, n, [](auto i, auto a) { return a.at(i).set(a(i - 1) * 0.5f + a(i)); }, a); };
constexpr auto fixed = [](auto a) { return ex::fori_loop(-3, 20, [](auto i, auto a) { return a.at(i - 4).set(a(i) - a(19 - i) * 0.5f); }, a); };
constexpr auto inside = [](auto a) { return ex::fori_loop(2, 10, [](auto i, auto a) { return a.at(i + 2).set(a(i) - a(11 - i) * 0.5f); }, a); };
template <int End>
constexpr auto by_threes = [](auto a) {
  auto const next = [](auto s) {
    auto const i = ex::get<0>(s);
    auto const b = ex::get<1>(s);
    return ex::tuple(i + 3, b.at(i + 1).set(b(i) + 1.0f));
  };
  return ex::get<1>(ex::while_loop([](auto s) { return ex::get<0>(s) < End; }, next, ex::tuple(2, a)));
};
// n changes in the loop.
constexpr auto shrinking = [](auto n, auto a) {
  auto const next = [](auto s) {
    auto const i = ex::get<0>(s);
    auto const n = ex::get<1>(s);
    auto const b = ex::get<2>(s);
    return ex::tuple(i + 1, n - 1, b.at(i).set(b(i + 1) + 1.0f));
  };
  return ex::get<2>(ex::while_loop([](auto s) { return ex::get<0>(s) < ex::get<1>(s); }, next, ex::tuple(0, n, a)));
};
template <int End>
bool threes_agree() {
  by_hand<few> b;
  for (int i = 2; i < End; i += 3) b.set(i + 1, b.read(i) + 1.0f);
  return b.equals(ex::jit(by_threes<End>)(start<few>()));
}
TEST_CASE("counters whose first value and end are not known") {
  bool agree = true;
  for (int first = -26; first < 26; ++first) {
    for (int end = first - 1; end < 30; end += 3) {
      by_hand<few> b;
      for (int i = first; i < end; ++i) b.set(i + 2, b.read(i - 1) * 0.5f + b.read(9 - i));
      agree = agree && b.equals(ex::jit(between)(first, end, start<few>()));
    }
  }
  CHECK(agree);
  kinds const k = kinds_of<ex::expr<int>, ex::expr<int>, ex::expr<float, few>>(between);
  CHECK((k.loops == 2 && k.in_bounds == 3 && k.from_end == 3));
}
TEST_CASE("counters whose first value is known") {
  bool agree = true;
  for (int n = -2; n < 30; ++n) {
    by_hand<few> b, s;
    for (int i = 1; i < n; ++i) b.set(i, b.read(i - 1) * 0.5f + b.read(i));
    for (int i = 0; i < n - i; ++i) s.set(i, s.read(i + 1) + 1.0f);
    agree = agree && b.equals(ex::jit(below)(n, start<few>())) && s.equals(ex::jit(shrinking)(n, start<few>()));
  }
  CHECK(agree);
  CHECK((kinds_of<ex::expr<int>, ex::expr<float, few>>(below).in_bounds == 3));
  CHECK((kinds_of<ex::expr<int>, ex::expr<float, few>>(shrinking).in_bounds == 0));
}
TEST_CASE("counters whose values are known") {
  by_hand<few> b, c;
  for (int i = -3; i < 20; ++i) b.set(i - 4, b.read(i) - b.read(19 - i) * 0.5f);
  for (int i = 2; i < 10; ++i) c.set(i + 2, c.read(i) - c.read(11 - i) * 0.5f);
  CHECK(b.equals(ex::jit(fixed)(start<few>())));
  CHECK(c.equals(ex::jit(inside)(start<few>())));
  CHECK((kinds_of<ex::expr<float, few>>(fixed).in_bounds == 0 && kinds_of<ex::expr<float, few>>(inside).in_bounds == 3));
  CHECK((threes_agree<11>() && threes_agree<12>() && threes_agree<40>()));
  kinds const all = kinds_of<ex::expr<float, few>>(by_threes<11>), some = kinds_of<ex::expr<float, few>>(by_threes<40>);
  CHECK((all.loops == 1 && some.loops == 2 && all.in_bounds == 2 && some.in_bounds == 2));
}

}  // namespace
