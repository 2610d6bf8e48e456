// SPDX-License-Identifier: BSL-1.0
#include <array>
#include <cstdint>
#include <doctest/doctest.h>
#include <exprax/types/array.hpp>
#include <exprax/types/view.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#if defined(__unix__)
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace ex = exprax;

// Exactly the elements, as aligned as their size allows, and trivially copyable while small.
static_assert(sizeof(ex::array<float, 3>) == 12 && alignof(ex::array<float, 3>) == 4);
static_assert(sizeof(ex::array<float, 4, 4>) == 64 && alignof(ex::array<float, 4, 4>) == 64);
static_assert(std::is_trivially_copyable_v<ex::array<float, 32, 32>>);
static_assert(sizeof(ex::array<float, 32, 33>) == sizeof(void*));
static_assert(std::is_nothrow_move_constructible_v<ex::array<float, 1000, 1000>>);
static_assert(ex::array<float, 2, 3>::rank == 2 && ex::array<float, 2, 3>::extent(-1) == 3 && ex::array<float, 2, 3>::size() == 6);

// Nested braces.
constexpr ex::array<float, 2, 3> w{{1, 2, 3}, {4, 5, 6}};
static_assert(w(0, 2) == 3 && w(1, 0) == 4 && w(-1, -1) == 6);
constexpr ex::array<int, 1, 3> one_row{{1, 2, 3}};
static_assert(one_row(0, 1) == 2);
constexpr ex::array<int, 1, 1, 1> nested{{{7}}};
static_assert(nested(0, 0, 0) == 7);
constexpr ex::array<int, 2, 2, 2> cube{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
static_assert(cube(1, 0, 1) == 6);
constexpr ex::array<int, 1, 2, 2, 2> rank4{{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}};
static_assert(rank4(0, 1, 1, 0) == 7);

// A row of the wrong length, or a fraction for an integer, is no constructor.
template <class A>
constexpr bool takes_ragged_rows = requires { A{{1, 2}, {3}}; };
template <class A, class... U>
constexpr bool takes = requires(U... values) { A{values...}; };
static_assert(!takes_ragged_rows<ex::array<float, 2, 2>>);
static_assert(takes<ex::array<float, 3>, int, int, int> && !takes<ex::array<float, 3>, int, int>);
static_assert(takes<ex::array<float, 2>, double, int> && !takes<ex::array<int, 2>, double, int>);

// Flat lists, scalars, ranges, equal elements, empty arrays.
static_assert(ex::array<float, 2, 3>{1, 2, 3, 4, 5, 6} == w);
static_assert(ex::array<double>(2.5) + 1 == 3.5 && ex::array<float>(3) == 3.0f);
static_assert(ex::array<float, 2, 3>(std::array{1, 2, 3, 4, 5, 6}) == w);
static_assert(ex::array<float, 2, 3>(std::array{std::array{1, 2, 3}, std::array{4, 5, 6}}) == w);
static_assert(ex::array<float, 1, 2, 3>(std::array{std::array{1, 2, 3, 4, 5, 6}}) == ex::array<float, 1, 2, 3>{1, 2, 3, 4, 5, 6});
static_assert(std::span<float const>(w).size() == 6 && std::span<float const>(w)[5] == 6);
static_assert(ex::array<float, 2, 3>(std::span<float const>(w)) == w);
static_assert(ex::array<float, 2>(std::array{ex::array<float>(1), ex::array<float>(2)}) == ex::array<float, 2>{1, 2});
static_assert(ex::array<int, 2>::full(4) == ex::array<int, 2>{4, 4});
static_assert(ex::array<int, 2>() == ex::array<int, 2>{0, 0});
static_assert(ex::array<int, 2, 0>() == ex::array<int, 2, 0>());

// An index that is out of range is clamped, as in JAX, or an error in builds without NDEBUG.
template <int I, int J, auto = w(I, J)>
constexpr bool reads(int) {
  return true;
}
template <int I, int J>
constexpr bool reads(...) {
  return false;
}
static_assert(reads<1, 2>(0) && reads<-2, -3>(0));
#ifdef NDEBUG
static_assert(w(5, 0) == 4 && w(0, -9) == 1);
#else
static_assert(!reads<2, 0>(0) && !reads<0, 3>(0) && !reads<0, -4>(0) && !reads<-3, 0>(0));
#endif

// Big arrays work in constant evaluation too.
constexpr bool copies_are_deep() {
  ex::array<float, 40, 40> a;
  a(39, 39) = 1;
  ex::array<float, 40, 40> b = a;
  b(39, 39) = 2;
  ex::array<float, 40, 40> c = std::move(b);
  b = a;
  swap(b, c);
  return a(39, 39) == 1 && b(39, 39) == 2 && c == a;
}
static_assert(copies_are_deep());

// A template parameter for structs whose leaves change from array to another holder.
template <template <class, auto...> class Array>
struct dense {
  Array<float, 64, 32> w;
  Array<float, 32> b;
};
template <class T, int... D>
constexpr int rank_of(ex::array<T, D...> const&) {
  return sizeof...(D);
}
static_assert(std::is_same_v<decltype(dense<ex::array>::b), ex::array<float, 32>>);

TEST_CASE("big arrays are aligned, deep copies, and cheap to move") {
  CHECK(copies_are_deep());
  dense<ex::array> params;
  CHECK(rank_of(params.w) == 2);
  CHECK(reinterpret_cast<std::uintptr_t>(params.w.data()) % 64 == 0);
  float const* at = params.w.data();
  dense<ex::array> moved = std::move(params);
  CHECK(moved.w.data() == at);
  float sum = 0;
  for (float x : moved.w) sum += x;
  CHECK(sum == 0);
  moved.b.fill(2);
  std::vector<float> const copy(moved.b.begin(), moved.b.end());
  CHECK(copy == std::vector<float>(32, 2));
  CHECK(ex::array<float, 32>(copy) == moved.b);
  std::vector<std::vector<int>> const rows{{1, 2, 3}, {4, 5, 6}};
  CHECK(ex::array<float, 2, 3>(rows) == w);
}

#if defined(__unix__)
namespace {

// What f prints on stderr before it ends the program; nothing if it does not.
template <class F>
std::string last_words(F const& f) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  pid_t const child = fork();
  if (child == 0) {
    dup2(ends[1], 2);
    f();
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char part[256];
  for (ssize_t n; (n = read(ends[0], part, sizeof part)) > 0;) text.append(part, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT ? text : "";
}

}  // namespace

TEST_CASE("what is out of range is told") {
  ex::array<float, 3> a;
  int volatile five = 5;
  [[maybe_unused]] auto const writes = last_words([&] {
    std::signal(SIGABRT, SIG_DFL);
    a(five) = 1;
  });
#ifndef NDEBUG
  CHECK(writes == "exprax: index 5 is out of range for axis 0 of an array of shape (3,)\n");
#endif
  std::vector<float> const two(2);
  auto const wraps = last_words([&] {
    std::signal(SIGABRT, SIG_DFL);
    static_cast<void>(ex::view<float const, 3>(two));
  });
  CHECK(wraps == "exprax: array or view: the range has 2 elements, but the shape has 3\n");
  std::vector<std::vector<float>> const ragged{{1, 2, 3}, {4, 5}};
  auto const copies = last_words([&] {
    std::signal(SIGABRT, SIG_DFL);
    static_cast<void>(ex::array<float, 2, 3>(ragged));
  });
  CHECK(copies == "exprax: array or view: the range has 2 elements, but the shape has 3\n");
}
#endif
