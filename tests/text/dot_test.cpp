// SPDX-License-Identifier: BSL-1.0
// Programs as graphs: every operand of every equation, and every result, is an edge between nodes that exist.
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace {

namespace ex = exprax;

static_assert(ex::to_dot(ex::make_jaxpr([](auto x) { return ex::sin(x) * 2.0f; })(ex::f32<3>)) ==
              R"(digraph {
  node [shape=box fontname=monospace]
  edge [fontname=monospace]
  v0_0 [label="f32[3]" shape=ellipse]
  e0_0 [label="sin"]
  v0_0 -> e0_0 [label="f32[3]"]
  e0_1 [label="mul"]
  e0_0 -> e0_1 [label="f32[3]"]
  c0_2 [label="2.0" shape=plaintext]
  c0_2 -> e0_1 [label="f32[]"]
  r0_0 [label="f32[3]" shape=ellipse peripheries=2]
  e0_1 -> r0_0 [label="f32[3]"]
}
)");

// A loop with branches in it: three clusters, two of them nested.
constexpr auto program = ex::make_jaxpr([](auto x) {
  return ex::fori_loop(0, 3, [](auto, auto c) { return ex::cond(c > 1, ex::cos, ex::sin, c); }, x);
})(ex::f32<>);

}  // namespace

TEST_CASE("blocks are clusters, and edges join nodes") {
  std::ostringstream out;
  out << ex::to_dot(program);
  std::string const text = out.str();
  CHECK(text == ex::to_dot(program).str());
  std::set<std::string> nodes;
  int edges = 0, clusters = 0, depth = 0, deepest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch m;
    if (std::regex_match(line, m, std::regex(R"(\s+(\w+) \[label="[^"]*"( shape=\w+)?( peripheries=2)?\])"))) CHECK(nodes.insert(m[1]).second);
    if (line.find("subgraph") != std::string::npos) ++clusters;
    if (line.back() == '{') deepest = std::max(deepest, ++depth);
    if (line.back() == '}') --depth;
  }
  std::istringstream again(text);
  for (std::string line; std::getline(again, line);) {
    std::smatch m;
    if (!std::regex_search(line, m, std::regex(R"((\w+) -> (\w+) )"))) continue;
    CHECK(nodes.count(m[1]) == 1);
    CHECK(nodes.count(m[2]) == 1);
    ++edges;
  }
  CHECK(clusters == 3);
  CHECK(deepest == 3);
  CHECK(depth == 0);
  // The operands of scan, add, gt, convert_element_type and cond, and of sin and cos; the results of four blocks; three blocks.
  CHECK(edges == (2 + 2 + 2 + 1 + 2) + 2 + (1 + 2 + 1 + 1) + 3);
}
