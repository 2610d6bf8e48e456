// SPDX-License-Identifier: BSL-1.0
// debug_print in emitted code: what stands on standard output, in the order of the program.
#include <cstdio>
#include <string>

#include <unistd.h>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

// What f writes to standard output.
template <class F>
std::string written(F const& f) {
  std::FILE* const file = std::tmpfile();
  std::fflush(stdout);
  int const before = dup(1);
  dup2(fileno(file), 1);
  f();
  std::fflush(stdout);
  dup2(before, 1);
  close(before);
  std::string text(static_cast<std::size_t>(std::ftell(file) < 0 ? 0 : lseek(fileno(file), 0, SEEK_END)), ' ');
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

}  // namespace

TEST_CASE("numbers and arrays") {
  CHECK(written([] { ex::jit([](auto x) { ex::debug_print("x = {}", x); })(1.5f); }) == "x = 1.5\n");
  CHECK(written([] {
          ex::array<float, 2, 2> const a{{1, 2.5}, {-3, 4}};
          ex::jit([](auto a) {
            ex::debug_print("{} and {}", ex::transpose(a), a(0) * 2.0f);
            return a;
          })(a);
        }) == "[[ 1.  -3. ]\n [ 2.5  4. ]] and [2. 5.]\n");
}

TEST_CASE("loops print at each turn, branches where they run") {
  CHECK(written([] {
          ex::jit([](auto n) {
            ex::debug_print("start {}", n);
            auto r = ex::fori_loop(0, n, [](auto i, auto x) {
              ex::debug_print("i {} x {}", i, x);
              return ex::cond(i % 2 == 0,
                              [](auto x) {
                                ex::debug_print("even {}", x);
                                return x + 1;
                              },
                              [](auto x) { return x * 3; }, x);
            }, 1);
            ex::debug_print("end {}", r);
            return r;
          })(3);
        }) == "start 3\ni 0 x 1\neven 1\ni 1 x 2\ni 2 x 6\neven 6\nend 7\n");
  CHECK(written([] {
          ex::array<int, 3> const xs{4, 5, 6};
          ex::jit([](auto xs) {
            return ex::scan([](auto c, auto x) {
              ex::debug_print("{}", x + c);
              return ex::tuple(c + 1, ex::none);
            }, 0, xs, ex::reverse);
          })(xs);
        }) == "6\n6\n6\n");
  CHECK(written([] {
          ex::jit([](auto n) {
            return ex::while_loop([](auto x) { return x < 40; }, [](auto x) {
              ex::debug_print("{}", x);
              return x * 3;
            }, n);
          })(2);
        }) == "2\n6\n18\n");
}

TEST_CASE("one line for each element of a batch") {
  CHECK(written([] {
          ex::array<int, 3> const xs{4, 5, 6};
          ex::jit(ex::vmap([](auto x) {
            ex::debug_print("{}", x);
            return x;
          }))(xs);
        }) == "4\n5\n6\n");
}
