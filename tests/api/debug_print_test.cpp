// SPDX-License-Identifier: BSL-1.0
// debug_print: the jaxpr, what the line looks like, and the order of lines, by the interpreter, before and after the passes.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <exprax/emit/kernels/print_values.hpp>
#include <exprax/exprax.hpp>
#include "oracle.hpp"

namespace ex = exprax;

namespace {

constexpr auto nothing_but_a_line = [](auto x) { ex::debug_print("x {}", x); };
static_assert(ex::make_jaxpr(nothing_but_a_line)(1.0) ==
              R"({ lambda ; a:f32[]. let
    debug_print[
      fmt=x {}
      has_placeholders=True
      in_tree=PyTreeDef(((*,), {}))
      logging_record=None
      np_printoptions=(('edgeitems', 3), ('threshold', 1000), ('floatmode', 'maxprec'), ('precision', 8), ('suppress', False), ('linewidth', 75), ('nanstr', 'nan'), ('infstr', 'inf'), ('sign', '-'), ('formatter', None), ('legacy', False))
      ordered=False
      partitioned=False
      static_args=()
    ] a
  in () })");

// --- A line ---

template <class... T>
constexpr bool prints(std::string_view expected, std::string_view text, ex::detail::printed<T> const&... values) {
  ex::detail::text_buffer line;
  ex::detail::write_formatted(line, text, values...);
  return line == expected;
}
constexpr float half = 0.5f, three[] = {1, 2.5f, -3};
constexpr int grid[] = {1, 20, 3, 4};
constexpr bool yes = true;
constexpr ex::detail::printed<float> of_half{&half, ex::aval(ex::dtype::f32)}, of_three{three, ex::aval(ex::dtype::f32, {3})};
constexpr ex::detail::printed<int> of_grid{grid, ex::aval(ex::dtype::i32, {2, 2})};
constexpr ex::detail::printed<bool> of_yes{&yes, ex::aval(ex::dtype::b1)};
static_assert(prints("x = 0.5", "x = {}", of_half));
static_assert(prints("[ 1.   2.5 -3. ]: True!", "{}: {}!", of_three, of_yes));
static_assert(prints("[[ 1 20]\n [ 3  4]]", "{}", of_grid));
static_assert(prints("{} is {0.5}", "{{}} is {{{}}}", of_half));

static_assert(ex::detail::count_placeholders("a {} b {{}} {}") == 2 && ex::detail::count_placeholders("{x}") == -1 && ex::detail::count_placeholders("}") == -1);

// --- The order of lines ---

using lines = std::vector<std::string>;

void write_line(void* to, ex::equation_ref const& e, std::uint64_t const* const* operands) {
  std::string line(ex::primitive<ex::prim::debug_print>::text(e));
  for (int k = 0; k < e.n_in(); ++k)
    for (std::ptrdiff_t i = 0; i < e.type(k).size(); ++i) line += " " + std::to_string(static_cast<int>(ex::detail::from_bits<std::int32_t>(operands[k][i])));
  static_cast<lines*>(to)->push_back(line);
}
lines printed_by(ex::program_ref p, std::vector<std::vector<std::uint64_t>> const& in) {
  lines result;
  ex::detail::arena<std::uint64_t const*> inputs;
  for (auto const& x : in) inputs.push(x.data());
  CHECK(oracle::is_well_formed(p));
  oracle::interpret(p, inputs, &write_line, &result);
  return result;
}
template <class... Args, class F>
void check_lines(F, std::vector<std::vector<std::uint64_t>> const& in, lines const& expected) {
  using traced = ex::detail::traced<F, Args...>;
  CHECK(printed_by(traced::ref, in) == expected);
  CHECK(printed_by(oracle::optimize(traced::ref).ref(), in) == expected);
}
using i32 = ex::expr<std::int32_t>;
template <int... D>
using i32s = ex::expr<std::int32_t, D...>;

}  // namespace

TEST_CASE("lines come in the order of the program, and twice where it says so") {
  check_lines<i32>(
      [](auto x) {
        ex::debug_print("a {}", x);
        auto const y = x + 1;
        ex::debug_print("b {} {}", y, 7);
        ex::debug_print("a {}", x);
        return y;
      },
      {{4}}, {"a {} 4", "b {} {} 5 7", "a {} 4"});
  check_lines<i32>(nothing_but_a_line, {{3}}, {"x {} 3"});
}

TEST_CASE("lines of loops and of functions that are called") {
  check_lines<i32s<3>>(
      [](auto xs) {
        auto const body = [](auto sum, auto x) {
          ex::debug_print("before {}", sum);
          ex::jit([](auto v) { ex::debug_print("called {}", v); })(x);
          return ex::tuple(sum + x, ex::none);
        };
        ex::debug_print("start {}", xs);
        auto const last = ex::get<0>(ex::scan(body, 10, xs));
        ex::debug_print("end {}", last);
      },
      {{1, 2, 3}}, {"start {} 1 2 3", "before {} 10", "called {} 1", "before {} 11", "called {} 2", "before {} 13", "called {} 3", "end {} 16"});
  // Nothing else of the loop is needed.
  check_lines<i32s<2>>([](auto xs) { return ex::get<0>(ex::scan([](auto c, auto x) { return ex::debug_print("{}", x), ex::tuple(c, ex::none); }, 0, xs)); }, {{5, 6}},
                       {"{} 5", "{} 6"});
}

TEST_CASE("vmap prints once for each element, in order") {
  constexpr auto row = [](auto x, auto y) {
    ex::debug_print("{} of {} and {}", x, y, 9);
    ex::debug_print("not mapped {}", y);
    return x;
  };
  check_lines<i32s<2, 2>, i32>([](auto xs, auto y) { return ex::vmap(decltype(row){}, ex::in_axes<0, ex::none>)(xs, y); }, {{1, 2, 3, 4}, {8}},
                               {"{} of {} and {} 1 2 8 9", "{} of {} and {} 3 4 8 9", "not mapped {} 8"});
  check_lines<i32s<2, 3>>([](auto xs) { return ex::vmap([](auto x) { return ex::debug_print("{}", x), x; }, ex::in_axes<1>)(xs); }, {{1, 2, 3, 4, 5, 6}},
                          {"{} 1 4", "{} 2 5", "{} 3 6"});
}

TEST_CASE("lines of branches and of loops whose turns are not known") {
  auto const program = [](auto n) {
    auto const turn = [](auto i, auto v) {
      ex::debug_print("turn {}", i);
      auto const odd = [&](auto u) {
        ex::debug_print("odd {}", u);
        return u + i;
      };
      ex::cond(i > 1, [&] { return ex::debug_print("late {}", i), ex::none; }, [] { return ex::none; });
      return ex::cond(i % 2, odd, [](auto u) { return u; }, v);
    };
    auto const below = [](auto v) { return ex::debug_print("is {}", v), v < 6; };
    auto const last = ex::while_loop(below, [](auto v) { return ex::debug_print("was {}", v), v + 3; }, ex::fori_loop(0, n, turn, n));
    ex::switch_(last, ex::branches([] { return ex::none; }, [&] { return ex::debug_print("end {}", last), ex::none; }));
    return last;
  };
  check_lines<i32>(program, {{3}}, {"turn {} 0", "turn {} 1", "odd {} 3", "turn {} 2", "late {} 2", "is {} 4", "was {} 4", "is {} 7", "end {} 7"});
  check_lines<i32>(program, {{0}}, {"is {} 0", "was {} 0", "is {} 3", "was {} 3", "is {} 6", "end {} 6"});
}
