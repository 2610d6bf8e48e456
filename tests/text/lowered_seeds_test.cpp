// SPDX-License-Identifier: BSL-1.0
// The programs of seeds/, lowered: texts letter by letter where JAX's are known, all of them read by the parsers, and their
// meaning.
#include <seeds/control.hpp>
#include <seeds/forward.hpp>
#include <seeds/jit.hpp>
#include <seeds/vmap.hpp>

#include "lowered.hpp"

using namespace seeds;

namespace {

template <class F, class... Args>
void check(F f, Args const&... args) {
  lowered::check_all(ex::make_jaxpr(f)(args...).ref());
}

// What XLA prints of a while_loop.
static_assert(ex::lower<count>()(0).as_text("hlo") == R"(HloModule jit_count, entry_computation_layout={(s32[])->s32[]}

region_0.2 {
  Arg_.3 = s32[] parameter(0)
  constant.4 = s32[] constant(1)
  ROOT add.5 = s32[] add(Arg_.3, constant.4)
}

region_1.6 {
  Arg_.7 = s32[] parameter(0)
  constant.8 = s32[] constant(10)
  ROOT compare.9 = pred[] compare(Arg_.7, constant.8), direction=LT
}

ENTRY main.11 {
  Arg_0.1 = s32[] parameter(0)
  ROOT while.10 = s32[] while(Arg_0.1), condition=region_1.6, body=region_0.2
}
)");
static_assert(ex::lower<branch>()(true, ex::f32<1>).as_text("hlo") == R"(HloModule jit_branch, entry_computation_layout={(pred[],f32[1]{0})->f32[1]{0}}

region_0.4 {
  Arg_.5 = f32[1]{0} parameter(0)
  constant.6 = f32[] constant(1)
  broadcast.7 = f32[1]{0} broadcast(constant.6), dimensions={}
  ROOT subtract.8 = f32[1]{0} subtract(Arg_.5, broadcast.7)
}

region_1.9 {
  Arg_.10 = f32[1]{0} parameter(0)
  constant.11 = f32[] constant(1)
  broadcast.12 = f32[1]{0} broadcast(constant.11), dimensions={}
  ROOT add.13 = f32[1]{0} add(Arg_.10, broadcast.12)
}

ENTRY main.15 {
  Arg_0.1 = pred[] parameter(0)
  convert.3 = s32[] convert(Arg_0.1)
  Arg_1.2 = f32[1]{0} parameter(1)
  ROOT conditional.14 = f32[1]{0} conditional(convert.3, Arg_1.2, Arg_1.2), branch_computations={region_0.4, region_1.9}
}
)");
static_assert(ex::lower<sum>()(0, 10, 0).as_text("hlo") == R"(HloModule jit_sum, entry_computation_layout={(s32[],s32[],s32[])->s32[]}

region_0.5 {
  arg_tuple.6 = (s32[], s32[], s32[]) parameter(0)
  get-tuple-element.7 = s32[] get-tuple-element(arg_tuple.6), index=0
  constant.10 = s32[] constant(1)
  add.11 = s32[] add(get-tuple-element.7, constant.10)
  get-tuple-element.8 = s32[] get-tuple-element(arg_tuple.6), index=1
  get-tuple-element.9 = s32[] get-tuple-element(arg_tuple.6), index=2
  add.12 = s32[] add(get-tuple-element.9, get-tuple-element.7)
  ROOT tuple.13 = (s32[], s32[], s32[]) tuple(add.11, get-tuple-element.8, add.12)
}

region_1.14 {
  arg_tuple.15 = (s32[], s32[], s32[]) parameter(0)
  get-tuple-element.18 = s32[] get-tuple-element(arg_tuple.15), index=2
  get-tuple-element.16 = s32[] get-tuple-element(arg_tuple.15), index=0
  get-tuple-element.17 = s32[] get-tuple-element(arg_tuple.15), index=1
  ROOT compare.19 = pred[] compare(get-tuple-element.16, get-tuple-element.17), direction=LT
}

ENTRY main.24 {
  Arg_0.1 = s32[] parameter(0)
  Arg_1.2 = s32[] parameter(1)
  Arg_2.3 = s32[] parameter(2)
  tuple.4 = (s32[], s32[], s32[]) tuple(Arg_0.1, Arg_1.2, Arg_2.3)
  while.20 = (s32[], s32[], s32[]) while(tuple.4), condition=region_1.14, body=region_0.5
  get-tuple-element.21 = s32[] get-tuple-element(while.20), index=0
  get-tuple-element.22 = s32[] get-tuple-element(while.20), index=1
  ROOT get-tuple-element.23 = s32[] get-tuple-element(while.20), index=2
}
)");

// The loops of while_loop, fori_loop and scan are one stablehlo.while each, cond is a stablehlo.case.
constexpr int occurrences(std::string_view text, std::string_view word) {
  int n = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; ++at) ++n;
  return n;
}
constexpr std::string_view of_scan = ex::lower<doubled>()(ex::i32<4>).as_text(), of_cond = ex::lower<branch>()(true, ex::f32<1>).as_text();
static_assert(occurrences(of_scan, "stablehlo.while(") == 1 && occurrences(of_scan, "stablehlo.dynamic_slice ") == 1);
static_assert(occurrences(of_scan, "stablehlo.dynamic_update_slice ") == 1 && occurrences(of_cond, "\"stablehlo.case\"(") == 1);
static_assert(occurrences(ex::lower<unrolled>()(0).as_text(), "stablehlo.add ") == 5);

}  // namespace

TEST_CASE("lowered: loops over columns") {
  check(forward, ex::f32<5, 3>);
  check(forward2, ex::f32<19, 7>);
  check(forward3, ex::f32<16, 8>);
  check(ex::vmap(forward3), ex::f32<3, 19, 7>);
}
TEST_CASE("lowered: jit") {
  check(forward_pass, ex::f32<2, 3>, ex::f32<3, 2>);
  check(forward_pass_of_jits, ex::f32<2, 3>, ex::f32<3, 2>);
  check(number_squared, 2);
  check(square_or_cube, 2);
  check(multiply_n_times, 2, ex::static_<5>);
}
TEST_CASE("lowered: vmap") {
  check(convolve, ex::i32<5>, ex::f32<3>);
  check(ex::vmap(convolve), ex::i32<2, 5>, ex::f32<2, 3>);
  check(ex::vmap(convolve, ex::in_axes<1, 1>, ex::out_axes<1>), ex::i32<5, 2>, ex::f32<3, 2>);
  check(ex::vmap(convolve, ex::in_axes<0, ex::none>), ex::i32<2, 5>, ex::f32<3>);
  check(ex::vmap(ex::jit(convolve)), ex::i32<2, 5>, ex::f32<2, 3>);
  check(vectorized_by_hand, ex::i32<2, 5>, ex::f32<2, 3>);
}
TEST_CASE("lowered: control flow") {
  check(unrolled, 0);
  check(branch, true, ex::f32<1>);
  check(count, 0);
  check(sum, 0, 10, 0);
  check(doubled, ex::i32<4>);
  check(ex::vmap(branch), ex::b1<3>, ex::f32<3, 1>);
  check(ex::vmap(branch, ex::in_axes<ex::none, 0>), true, ex::f32<3, 1>);
  check(ex::vmap(count), ex::i32<3>);
  check(ex::vmap(sum), ex::i32<3>, ex::i32<3>, ex::i32<3>);
  check(ex::vmap(ex::vmap(sum)), ex::i32<3, 2>, ex::i32<3, 2>, ex::f32<3, 2>);
  check(ex::vmap(doubled), ex::i32<3, 4>);
}
