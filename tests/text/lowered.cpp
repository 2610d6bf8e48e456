// SPDX-License-Identifier: BSL-1.0
// How lowered programs are checked: see lowered.hpp.
#include <transforms/laws.hpp>

#include "hlo_parser.hpp"
#include "lowered.hpp"
#include "stablehlo_machine.hpp"
#include "stablehlo_parser.hpp"

namespace lowered {

namespace {

std::string stablehlo_text(exprax::program_ref p) {
  exprax::detail::arena<std::string_view> paths;
  for (int k = 0; k < p.main().n_out; ++k) paths.push("result");
  auto const m = exprax::detail::stablehlo_lowering(p, "f").take();
  exprax::detail::text_buffer text;
  exprax::detail::stablehlo_printer(m, paths).print(text);
  return std::string(text.view());
}
std::string hlo_text(exprax::program_ref p) {
  auto const m = exprax::detail::stablehlo_lowering(p, "f").take();
  exprax::detail::text_buffer text;
  exprax::detail::hlo_printer(m).print(text);
  return std::string(text.view());
}

number number_of(exprax::dtype t, std::uint64_t bits) {
  return exprax::detail::with_element(t, [&](auto tag) { return static_cast<number>(exprax::detail::from_bits<typename decltype(tag)::type>(bits)); });
}
// Sums are made in another order, and elementary functions are rounded elsewhere.
bool is_near(exprax::dtype t, number a, number b, number scale) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (a == b) return true;
  return exprax::is_floating(t) && std::fabs(a - b) <= 1e-5L * (1 + scale);
}
}  // namespace

void check_texts(exprax::program_ref p) {
  std::string const stablehlo = stablehlo_text(p), hlo = hlo_text(p);
  std::string const wrong_stablehlo = stablehlo::check_stablehlo(stablehlo), wrong_hlo = hlo::check_hlo(hlo);
  CHECK_MESSAGE(wrong_stablehlo.empty(), wrong_stablehlo << "\n" << stablehlo);
  CHECK_MESSAGE(wrong_hlo.empty(), wrong_hlo << "\n" << hlo);
}

void check_meaning(exprax::program_ref p, std::vector<laws::elements> const& in) {
  std::vector<array> arrays;
  for (int k = 0; k < p.main().n_in; ++k) {
    aval const& t = p.type(p.ins(p.main())[k]);
    array x{t, {}};
    for (std::uint64_t bits : in[static_cast<std::size_t>(k)]) x.at.push_back(number_of(t.type, bits));
    arrays.push_back(x);
  }
  auto const m = exprax::detail::stablehlo_lowering(p, "f").take();
  auto const made = machine(m).run(arrays);
  auto const expected = laws::run(p, in);
  REQUIRE(made.size() == expected.size());
  int wrong = 0;
  std::string first;
  for (std::size_t k = 0; k < made.size(); ++k) {
    exprax::dtype const t = p.type(p.outs(p.main())[static_cast<int>(k)]).type;
    REQUIRE(made[k].at.size() == expected[k].size());
    number scale = 0;
    for (std::uint64_t bits : expected[k])
      if (number const x = std::fabs(number_of(t, bits)); std::isfinite(x)) scale = std::max(scale, x);
    for (std::size_t i = 0; i < expected[k].size(); ++i) {
      number const a = made[k].at[i], b = number_of(t, expected[k][i]);
      if (is_near(t, a, b, scale)) continue;
      if (wrong++ == 0) first = "result " + std::to_string(k) + ", element " + std::to_string(i) + ": " + std::to_string(a) + " for " + std::to_string(b) + "\n";
    }
  }
  CHECK_MESSAGE(wrong == 0, first << stablehlo_text(p));
}
void check_meaning(exprax::program_ref p) {
  laws::generator g(7);
  for (int round = 0; round < 2; ++round) {
    std::vector<laws::elements> in;
    for (int v : p.ins(p.main())) in.push_back(g.fill(p.type(v)));
    check_meaning(p, in);
  }
}

void check_all(exprax::program_ref p) {
  check_texts(p);
  check_meaning(p);
  check_texts(oracle::optimize(p).ref());
}

}  // namespace lowered
