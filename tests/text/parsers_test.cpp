// SPDX-License-Identifier: BSL-1.0
// The parsers of the tests refuse what is wrong: a good module of each language, and small changes that each break one rule.
#include <doctest/doctest.h>

#include "hlo_parser.hpp"
#include "stablehlo_parser.hpp"

namespace {

std::string changed(std::string text, std::string const& from, std::string const& to) {
  std::size_t const at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string const stablehlo_good = R"(module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<i32>) -> (tensor<2x3xf32> {jax.result_info = "result[0]"}, tensor<i32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<[[1, 2, 3], [4, 5, -6]]> : tensor<2x3xi32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.convert %c : (tensor<2x3xi32>) -> tensor<2x3xf32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %2 = stablehlo.add %arg0, %1 : tensor<2x3xf32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
    %4 = stablehlo.transpose %2, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %5 = stablehlo.dot_general %0, %4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    %6 = stablehlo.slice %2 [0:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<2x2xf32>
    %7 = stablehlo.compare  LT, %5, %6,  FLOAT : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>
    %8:2 = stablehlo.while(%iterArg = %arg1, %iterArg_0 = %2) : tensor<i32>, tensor<2x3xf32>
    cond {
      %c_1 = stablehlo.constant dense<10> : tensor<i32>
      %9 = stablehlo.compare  LT, %iterArg, %c_1,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %9 = stablehlo.add %iterArg, %iterArg : tensor<i32>
      %10 = func.call @g(%iterArg_0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
      stablehlo.return %9, %10 : tensor<i32>, tensor<2x3xf32>
    }
    %11 = "stablehlo.case"(%8#0) ({
      stablehlo.return %8#1 : tensor<2x3xf32>
    }, {
      %12 = stablehlo.negate %8#1 : tensor<2x3xf32>
      stablehlo.return %12 : tensor<2x3xf32>
    }) : (tensor<i32>) -> tensor<2x3xf32>
    return %11, %8#0 : tensor<2x3xf32>, tensor<i32>
  }
  func.func private @g(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.exponential %arg0 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}
)";

std::string const hlo_good = R"(HloModule jit_f, entry_computation_layout={(s32[])->s32[]}

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
)";

}  // namespace

TEST_CASE("the StableHLO parser") {
  CHECK(stablehlo::check_stablehlo(stablehlo_good) == "");
  std::pair<char const*, char const*> const changes[] = {
      {"%2 = stablehlo.add %arg0, %1", "%1 = stablehlo.add %arg0, %1"},        // defined twice
      {"add %arg0, %1 :", "add %arg0, %2 :"},                                  // used before its definition
      {"add %arg0, %1 : tensor<2x3xf32>", "add %arg0, %1 : tensor<2x3xf64>"},  // another type
      {"add %arg0, %1 :", "and %arg0, %1 :"},                                  // no operation of floats
      {"stablehlo.negate", "stablehlo.negative"},                              // no operation
      {"stablehlo.negate", "mhlo.negate"},                                     // no operation of the dialect
      {"[4, 5, -6]]", "[4, 5]]"},                                              // ragged rows
      {"[4, 5, -6]]", "[4, 5, -6], [7, 8, 9]]"},                               // too many
      {"[4, 5, -6]]", "[4, 5, -6.0]]"},                                        // no integer
      {"dense<1.000000e+00>", "dense<1>"},                                     // no float
      {"dense<1.000000e+00>", "dense<0x3F8>"},                                 // too few digits
      {"dims = [] :", "dims = [0] :"},                                         // more axes than the operand has
      {"dimensions = [0] :", "dimensions = [1] :"},                            // another shape
      {"dims = [1, 0] :", "dims = [0, 1] :"},                                  // another shape
      {"dims = [1, 0] :", "dims = [1, 1] :"},                                  // an axis twice
      {"[1] x [0]", "[0] x [0]"},                                              // sizes differ
      {"[0:2, 0:3:2]", "[0:2, 0:3]"},                                          // another shape
      {"[0:2, 0:3:2]", "[0:2, 0:4:2]"},                                        // beyond the operand
      {"%5, %6,  FLOAT", "%5, %6,  SIGNED"},                                   // floats compared as integers
      {"tensor<2x2xi1>", "tensor<2x2xi32>"},                                   // the result of a comparison
      {"%8:2", "%8:3"},                                                        // the number of results
      {"%c_1 = stablehlo.constant dense<10>", "%c = stablehlo.constant dense<10>"},                                // hides a name around
      {"stablehlo.return %9 : tensor<i1>", "stablehlo.return %iterArg : tensor<i32>"},                             // no predicate
      {"stablehlo.return %9, %10 : tensor<i32>, tensor<2x3xf32>", "stablehlo.return %10, %9 : tensor<2x3xf32>, tensor<i32>"},  // another order
      {"func.call @g", "call @g"},                                             // in a region of another dialect
      {"@g(%iterArg_0)", "@h(%iterArg_0)"},                                    // no function
      {"@g(%iterArg_0)", "@g(%iterArg)"},                                      // an argument of another type
      {"case\"(%8#0)", "case\"(%8#1)"},                                        // the index
      {"%11, %8#0", "%11, %12"},                                               // a name of a region that has ended
      {"return %11, %8#0 : tensor<2x3xf32>, tensor<i32>", "return %11 : tensor<2x3xf32>"},                         // too few results
      {"    } do {", "    do {"},                                              // a region that is not closed
      {"private @g", "private @main"},                                         // a function twice
  };
  for (auto const& [from, to] : changes) {
    CAPTURE(to);
    CHECK(stablehlo::check_stablehlo(changed(stablehlo_good, from, to)) != "");
  }
  CHECK(stablehlo::check_stablehlo(stablehlo_good + "}\n") != "");
  CHECK(stablehlo::check_stablehlo(stablehlo_good.substr(0, stablehlo_good.size() - 2)) != "");
}

TEST_CASE("the HLO parser") {
  CHECK(hlo::check_hlo(hlo_good) == "");
  std::pair<char const*, char const*> const changes[] = {
      {"ROOT add.5", "add.5"},                              // no ROOT
      {"constant.4 = s32[]", "ROOT constant.4 = s32[]"},    // two
      {"add(Arg_.3, constant.4)", "add(Arg_.3, Arg_.7)"},   // of another computation
      {"add.5 = s32[] add", "add.5 = f32[] add"},           // another type
      {"Arg_.7", "Arg_.3"},                                 // a number twice
      {"body=region_0.2", "body=region_1.6"},               // a body that gives no carry
      {"condition=region_1.6", "condition=region_2.6"},     // no computation
      {"ENTRY ", ""},                                       // no entry
      {"pred[] compare", "s32[] compare"},                  // no predicate
      {"}\n\nregion_1", "\n\nregion_1"},                    // not closed
  };
  for (auto const& [from, to] : changes) {
    CAPTURE(to);
    CHECK(hlo::check_hlo(changed(hlo_good, from, to)) != "");
  }
}
