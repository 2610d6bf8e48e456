// SPDX-License-Identifier: BSL-1.0
// Plans as graphs and their memory as a picture: nodes and edges fit the plan's text, and no bytes belong to two buffers at once.
#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace {

namespace ex = exprax;

constexpr auto row_sums = [](auto a, auto b) { return ex::sum(ex::matmul(a, b), ex::axis<0>); };
constexpr auto sums_of_rows = ex::lower<row_sums>()(ex::f32<100, 60>, ex::f32<60, 6>);
static_assert(ex::to_dot(sums_of_rows) == R"(digraph {
  label="plan of row_sums: 2 kernels, 2432 bytes of scratch" labelloc=t fontname=monospace
  node [shape=box fontname=monospace]
  b0 [label="in0\nf32[100,60]\n24000 bytes" shape=ellipse]
  b1 [label="in1\nf32[60,6]\n1440 bytes" shape=ellipse]
  b2 [label="out0\nf32[6]\n24 bytes" shape=ellipse peripheries=2]
  b3 [label="scratch0\nf32[600]\n2400 bytes" shape=cylinder]
  k1 [label="1. product rows [100] columns [6] sum [60]"]
  k2 [label="2. reduction of columns [100,6]: 2 steps"]
  b0 -> k1
  b1 -> k1
  k1 -> b3
  k1 -> k2 [style=dotted]
  b3 -> k2
  k2 -> b2
}
)");
static_assert(sums_of_rows.as_text("memory") == R"(<svg xmlns="http://www.w3.org/2000/svg" width="774" height="340" font-family="monospace" font-size="12">
<rect width="774" height="340" fill="white"/>
<text x="8" y="16">plan of row_sums: 2 kernels, 2432 bytes of scratch</text>
<text x="82" y="272" text-anchor="end">0</text>
<line x1="84" y1="268" x2="408" y2="268" stroke="#cccccc"/>
<text x="82" y="212" text-anchor="end">608</text>
<line x1="84" y1="208" x2="408" y2="208" stroke="#cccccc"/>
<text x="82" y="152" text-anchor="end">1216</text>
<line x1="84" y1="148" x2="408" y2="148" stroke="#cccccc"/>
<text x="82" y="92" text-anchor="end">1824</text>
<line x1="84" y1="88" x2="408" y2="88" stroke="#cccccc"/>
<text x="82" y="32" text-anchor="end">2432</text>
<line x1="84" y1="28" x2="408" y2="28" stroke="#cccccc"/>
<line x1="88" y1="28" x2="88" y2="268" stroke="black"/>
<line x1="88" y1="268" x2="408" y2="268" stroke="black"/>
<rect x="88" y="32" width="320" height="236" fill="#aec7e8" stroke="black"><title>scratch0: f32[600], 2400 bytes, kernels 1 to 2</title></rect>
<text x="248" y="154" text-anchor="middle">scratch0 2400 bytes</text>
<rect x="88" y="272" width="160" height="16" fill="#eeeeee" stroke="black"><title>product rows [100] columns [6] sum [60]</title></rect>
<text x="168" y="284" text-anchor="middle">1</text>
<rect x="248" y="272" width="160" height="16" fill="#eeeeee" stroke="black"><title>reduction of columns [100,6]: 2 steps</title></rect>
<text x="328" y="284" text-anchor="middle">2</text>
<text x="88" y="312">1. product rows [100] columns [6] sum [60]</text>
<text x="88" y="328">2. reduction of columns [100,6]: 2 steps</text>
<text x="424" y="40">in0: f32[100,60], 24000 bytes</text>
<text x="424" y="56">in1: f32[60,6], 1440 bytes</text>
<text x="424" y="72">out0: f32[6], 24 bytes</text>
<text x="424" y="88">scratch0: f32[600], 2400 bytes, kernels 1 to 2</text>
</svg>
)");
// A name in brackets, and a kernel without scratch memory.
constexpr std::string_view nothing = ex::lower([](auto x) { return ex::sin(x); })(ex::f32<3>).as_text("memory");
static_assert(nothing.find("<text x=\"8\" y=\"16\">plan of &lt;lambda&gt;: 1 kernel, 0 bytes of scratch</text>") != std::string_view::npos);
static_assert(nothing.find("scratch0") == std::string_view::npos);

// A scan over rows, a while_loop with a cond in it, and scratch memory that several buffers use in turn.
constexpr auto everything = [](auto xs) {
  auto const step = [](auto c, auto row) {
    auto const y = ex::matmul(c, row);
    return ex::tuple(y / ex::max(y), y);
  };
  auto const scanned = ex::scan(step, ex::eye<40>(), xs);
  auto const body = [](auto v) {
    return ex::cond(v(0, 0) < 1.0f, [](auto w) { return ex::matmul(w, w); }, [](auto w) { return w + 1.0f; }, v);
  };
  auto const grown = ex::while_loop([](auto v) { return ex::sum(v) < 100.0f; }, body, ex::get<0>(scanned));
  return ex::tuple(ex::matmul(ex::sin(ex::matmul(grown, grown)), grown), ex::get<1>(scanned));
};
constexpr auto lowered = ex::lower<everything>()(ex::f32<5, 40, 40>);

template <class Text>
std::string printed(Text text) {
  std::ostringstream out;
  out << text;
  return out.str();
}
std::vector<std::smatch> all_matches(std::string const& text, std::regex const& of) {
  return {std::sregex_iterator(text.begin(), text.end(), of), std::sregex_iterator()};
}
int number(std::smatch const& m, int group) { return std::stoi(m[static_cast<std::size_t>(group)]); }

// Tags that are closed in their order.
bool is_well_formed(std::string const& text) {
  std::vector<std::string> open;
  std::regex const markup(R"(<(/?)(\w+)((?: [\w:-]+="[^"<&]*")*)(/?)>|&(?:lt|gt|amp);|[^<&])");
  auto at = text.cbegin();
  for (std::smatch m; at != text.cend(); at = m[0].second) {
    if (!std::regex_search(at, text.cend(), m, markup, std::regex_constants::match_continuous)) return false;
    if (!m[2].matched || m[4].length() > 0) continue;
    if (m[1].length() == 0) open.push_back(m[2]);
    else if (open.empty() || open.back() != m[2]) return false;
    else open.pop_back();
  }
  return open.empty();
}

}  // namespace

TEST_CASE("kernels and buffers are nodes, loops and branches clusters") {
  std::string const text = printed(ex::to_dot(lowered));
  CHECK(text == ex::to_dot(lowered).str());
  std::map<std::string, std::string> labels;
  for (std::smatch const& m : all_matches(text, std::regex(R"((\w+) \[label="([^"]*)\")"))) CHECK(labels.emplace(m[1], m[2]).second);
  std::set<std::string> edges;
  for (std::smatch const& m : all_matches(text, std::regex(R"((\w+) -> (\w+)( \[.*\])?)"))) {
    CHECK(edges.insert(m[0]).second);
    CHECK(labels.count(m[1]) == 1);
    CHECK(labels.count(m[2]) == 1);
  }
  // The body of the scan, the condition and the body of the while_loop, two branches; all edges stand behind them.
  CHECK(all_matches(text, std::regex("subgraph cluster_")).size() == 5);
  CHECK(all_matches(text, std::regex("label=\"(body|condition|case [01])\"")).size() == 5);
  CHECK(text.find("->") > text.rfind("  }\n"));
  // The kernels are the indented lines of the text, and the scratch buffers the others, but for the head.
  std::string const plan = printed(lowered.as_text("plan"));
  std::ptrdiff_t kernels = 0;
  for (auto const& [node, label] : labels) kernels += node[0] == 'k';
  auto const indented = static_cast<std::ptrdiff_t>(all_matches(plan, std::regex("\n  ")).size());
  CHECK(kernels == indented);
  CHECK(static_cast<std::ptrdiff_t>(all_matches(plan, std::regex("\nscratch")).size()) == std::count(plan.begin(), plan.end(), '\n') - 1 - indented);
  // Nothing is written to the argument, and nothing read from the rows that the scan writes.
  std::set<std::string> arguments;
  for (auto const& [node, label] : labels) {
    if (label.rfind("in", 0) == 0) {
      arguments.insert(node);
      CHECK(label == "in0\\nf32[5,40,40]\\n32000 bytes");
    }
    if (label.rfind("out1", 0) == 0)
      for (std::string const& e : edges) CHECK((e.rfind(node + " -> k", 0) != 0));
  }
  CHECK(arguments.size() == 1);
  for (std::string const& e : edges) CHECK(e.find("-> " + *arguments.begin()) == std::string::npos);
}

TEST_CASE("the picture of the memory is XML, and its rectangles do not meet") {
  std::string const text = printed(lowered.as_text("memory"));
  CHECK(text == lowered.as_text("memory").str());
  CHECK(is_well_formed(text));
  CHECK(is_well_formed(std::string(nothing)));
  CHECK(!is_well_formed(text.substr(0, text.size() - 2)));

  struct rectangle {
    int left, top, right, bottom;
  };
  std::vector<rectangle> found;
  std::regex const scratch(R"x(<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)" fill="#\w+" stroke="black"><title>scratch(\d+): \w+\[(\d+)\], (\d+) bytes?, kernels?)x");
  for (std::smatch const& m : all_matches(text, scratch)) {
    rectangle const r{number(m, 1), number(m, 2), number(m, 1) + number(m, 3), number(m, 2) + number(m, 4)};
    CHECK(r.left >= 88);
    CHECK(r.top >= 28);
    CHECK(r.bottom <= 268);
    if (number(m, 7) < 1000) continue;  // less than a pixel
    for (rectangle const& o : found) CHECK((o.right <= r.left || r.right <= o.left || o.bottom <= r.top || r.bottom <= o.top));
    found.push_back(r);
  }
  // Buffers that lie on one another at different times.
  CHECK(found.size() >= 4);
  CHECK(ex::jit(everything).memory_analysis(ex::f32<5, 40, 40>).temp_size_in_bytes < static_cast<int>(found.size()) * 6400);
}
