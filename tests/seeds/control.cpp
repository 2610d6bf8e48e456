// SPDX-License-Identifier: BSL-1.0
// How loops and branches are handled: a C++ loop is unrolled; cond, while_loop, fori_loop and scan stay what they are.
#include <sstream>

#include <doctest/doctest.h>

#include <seeds/control.hpp>

using namespace seeds;

namespace {

static_assert(ex::make_jaxpr(unrolled)(0) == R"({ lambda ; a:i32[]. let
    b:i32[] = add a 0:i32[]
    c:i32[] = add b 1:i32[]
    d:i32[] = add c 2:i32[]
    e:i32[] = add d 3:i32[]
    f:i32[] = add e 4:i32[]
  in (f,) })");

static_assert(ex::make_jaxpr(branch)(true, ex::array<float, 1>{0}) == R"({ lambda ; a:bool[] b:f32[1]. let
    c:i32[] = convert_element_type[new_dtype=int32 weak_type=False] a
    d:f32[1] = cond[
      branches=(
        { lambda ; e:f32[1]. let f:f32[1] = sub e 1.0:f32[] in (f,) }
        { lambda ; g:f32[1]. let h:f32[1] = add g 1.0:f32[] in (h,) }
      )
    ] c b
  in (d,) })");

static_assert(ex::make_jaxpr(count)(0) == R"({ lambda ; a:i32[]. let
    b:i32[] = while[
      body_jaxpr={ lambda ; c:i32[]. let d:i32[] = add c 1:i32[] in (d,) }
      body_nconsts=0
      cond_jaxpr={ lambda ; e:i32[]. let f:bool[] = lt e 10:i32[] in (f,) }
      cond_nconsts=0
    ] a
  in (b,) })");

static_assert(ex::make_jaxpr(sum)(0, 10, 0) == R"({ lambda ; a:i32[] b:i32[] c:i32[]. let
    _:i32[] _:i32[] d:i32[] = while[
      body_jaxpr={ lambda ; e:i32[] f:i32[] g:i32[]. let
          h:i32[] = add e 1:i32[]
          i:i32[] = add g e
        in (h, f, i) }
      body_nconsts=0
      cond_jaxpr={ lambda ; j:i32[] k:i32[] l:i32[]. let
          m:bool[] = lt j k
        in (m,) }
      cond_nconsts=0
    ] a b c
  in (d,) })");

static_assert(ex::make_jaxpr(doubled)(ex::array<int, 4>{0, 1, 2, 3}) == R"({ lambda ; a:i32[4]. let
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
  in (b, c) })");

template <class T>
std::string printed(T const& x) {
  std::ostringstream out;
  out << x;
  return out.str();
}

}  // namespace

TEST_CASE("results") {
  ex::array<float, 1> const operand{0};
  CHECK(printed(ex::jit(unrolled)(0)) == "10");
  CHECK(printed(ex::jit(branch)(true, operand)) == "[1.]");
  CHECK(printed(ex::jit(branch)(false, operand)) == "[-1.]");
  CHECK(printed(ex::jit(count)(0)) == "10");
  CHECK(printed(ex::jit(sum)(0, 10, 0)) == "45");
  auto const [carry, ys] = ex::jit(doubled)(ex::array<int, 4>{0, 1, 2, 3});
  CHECK(printed(carry) == "0");
  CHECK(printed(ys) == "[0 2 4 6]");
}
TEST_CASE("outside of a trace, on arrays") {
  auto const up = [](auto x) { return x + 1; };
  auto const down = [](auto x) { return x - 1; };
  CHECK(ex::cond(true, up, down, ex::array<float, 1>{0}) == ex::array<float, 1>{1});
  CHECK(ex::while_loop([](auto x) { return x < 10; }, up, ex::array<int>(0)) == 10);
  CHECK(ex::fori_loop(0, 10, [](auto i, auto x) { return x + i; }, ex::array<int>(0)) == 45);
  CHECK(ex::switch_(ex::array<int>(1), ex::branches(up, down), ex::array<int, 2>{5, 6}) == ex::array<int, 2>{4, 5});
}

// The same in constant evaluation.
static_assert(ex::jit(branch)(false, ex::array<float, 1>{0}) == ex::array<float, 1>{-1});
static_assert(ex::jit(count)(0) == 10);
static_assert(ex::jit(sum)(0, 10, 0) == 45);
