// SPDX-License-Identifier: BSL-1.0
// associative_scan: results that JAX gives, the same recursion in plain C++ bit for bit, and a jaxpr.
#include <vector>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

constexpr auto add = [](auto a, auto b) { return a + b; };
constexpr auto matmul = [](auto a, auto b) { return ex::matmul(a, b); };

static_assert(ex::associative_scan(add, ex::array<int, 3>{7, 8, 9}) == ex::array<int, 3>{7, 15, 24});
static_assert(ex::associative_scan(add, ex::array<int, 4>{0, 1, 2, 3}, ex::reverse) == ex::array<int, 4>{6, 6, 5, 3});
static_assert(ex::associative_scan(add, ex::array<int, 0>{}) == ex::array<int, 0>{});
static_assert(ex::associative_scan(add, ex::array<int, 1>{5}) == ex::array<int, 1>{5});
static_assert(ex::associative_scan(add, ex::array<int, 2>{5, 6}) == ex::array<int, 2>{5, 11});
static_assert(ex::associative_scan(add, ex::array<int, 2, 3>{{1, 2, 3}, {4, 5, 6}}, ex::axis<-1>) == ex::array<int, 2, 3>{{1, 3, 6}, {4, 9, 15}});
static_assert(ex::associative_scan([](auto a, auto b) { return a ^ b; }, ex::array<bool, 5>{true, false, true, true, false}) ==
              ex::array<bool, 5>{true, true, false, true, true});

// fn(b, a) and fn(a, b) differ: with reverse the last element is the first argument.
constexpr ex::array<float, 5, 2, 2> matrices{{{1, 1}, {0, 1}}, {{1, 0}, {1, 1}}, {{2, 1}, {1, 1}}, {{0, 1}, {1, 0}}, {{1, 2}, {3, 4}}};
static_assert(ex::associative_scan(matmul, matrices, ex::reverse) ==
              ex::array<float, 5, 2, 2>{{{8, 11}, {18, 25}}, {{8, 3}, {18, 7}}, {{5, 3}, {11, 7}}, {{2, 1}, {4, 3}}, {{1, 2}, {3, 4}}});
static_assert(ex::associative_scan(matmul, matrices) ==
              ex::array<float, 5, 2, 2>{{{1, 1}, {0, 1}}, {{2, 1}, {1, 1}}, {{5, 3}, {3, 2}}, {{3, 5}, {2, 3}}, {{18, 26}, {11, 16}}});

static_assert(ex::make_jaxpr([](auto x) { return ex::associative_scan(add, x, ex::reverse); })(ex::i32<3>) ==
              R"({ lambda ; a:i32[3]. let
    b:i32[3] = rev[dimensions=(0,)] a
    c:i32[1] = slice[limit_indices=(2,) start_indices=(0,) strides=(2,)] b
    d:i32[1] = slice[limit_indices=(3,) start_indices=(1,) strides=(2,)] b
    e:i32[1] = add c d
    f:i32[1] = slice[limit_indices=(3,) start_indices=(2,) strides=(2,)] b
    g:i32[1] = add e f
    h:i32[1] = slice[limit_indices=(1,) start_indices=(0,) strides=(1,)] b
    i:i32[2] = concatenate[dimension=0] h g
    j:i32[3] = pad[padding_config=((0, 0, 1),)] i 0:i32[]
    k:i32[3] = pad[padding_config=((1, 1, 1),)] e 0:i32[]
    l:i32[3] = add j k
    m:i32[3] = rev[dimensions=(0,)] l
  in (m,) })");

// Maps x -> a x + b, the first argument first: a pytree.
constexpr auto compose = [](auto f, auto g) {
  return ex::tuple(ex::get<0>(g) * ex::get<0>(f), ex::get<0>(g) * ex::get<1>(f) + ex::get<1>(g));
};
constexpr auto recurrence = [](auto a, auto b) { return ex::associative_scan(compose, ex::tuple(a, b)); };

// The recursion, on numbers.
std::vector<float> sums(std::vector<float> const& x) {
  std::size_t const n = x.size();
  if (n < 2) return x;
  std::vector<float> pairs, r(n);
  for (std::size_t i = 0; i + 1 < n; i += 2) pairs.push_back(x[i] + x[i + 1]);
  std::vector<float> const odd = sums(pairs);
  for (std::size_t i = 0; i < n; ++i) r[i] = i == 0 ? x[0] : i % 2 == 1 ? odd[i / 2] : odd[i / 2 - 1] + x[i];
  return r;
}
template <int N>
int wrong_sums() {
  ex::array<float, N> x;
  std::vector<float> elements;
  for (int i = 0; i < N; ++i) elements.push_back(x.data()[i] = 1.0f / static_cast<float>(i + 3));
  auto const found = ex::associative_scan(add, x);
  auto const expected = sums(elements);
  int wrong = 0;
  for (int i = 0; i < N; ++i) wrong += found(i) != expected[static_cast<std::size_t>(i)];
  return wrong;
}

}  // namespace

TEST_CASE("associative_scan rounds as the recursion does") {
  CHECK(wrong_sums<2>() == 0);
  CHECK(wrong_sums<5>() == 0);
  CHECK(wrong_sums<8>() == 0);
  CHECK(wrong_sums<37>() == 0);
  CHECK(wrong_sums<64>() == 0);
}

TEST_CASE("associative_scan of a pytree is the recurrence y = a y + b; vmap of it") {
  ex::array<float, 6> const a{2, 1, 3, 1, 2, 1}, b{1, 2, 3, 4, 5, 6};
  auto const r = ex::jit(recurrence)(a, b);
  float y = 0;
  for (int i = 0; i < 6; ++i) CHECK(std::get<1>(r)(i) == (y = a(i) * y + b(i)));
  ex::array<float, 2, 6> const as{{2, 1, 3, 1, 2, 1}, {1, 1, 1, 1, 1, 1}};
  auto const rs = ex::jit(ex::vmap(recurrence, ex::in_axes<0, ex::none>))(as, b);
  for (int i = 0; i < 6; ++i) {
    CHECK(std::get<1>(rs)(0, i) == std::get<1>(r)(i));
    CHECK(std::get<1>(rs)(1, i) == static_cast<float>((i + 1) * (i + 2) / 2));
  }
}
