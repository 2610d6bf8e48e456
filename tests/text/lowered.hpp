// SPDX-License-Identifier: BSL-1.0
// Any program, lowered and read again by the parsers of the tests.
#pragma once

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

#include "hlo_parser.hpp"
#include "stablehlo_parser.hpp"

namespace lowered {

inline std::string stablehlo_text(exprax::program_ref p) {
  exprax::detail::arena<std::string_view> paths;
  for (int k = 0; k < p.main().n_out; ++k) paths.push("result");
  auto const m = exprax::detail::stablehlo_lowering(p, "f").take();
  exprax::detail::text_buffer text;
  exprax::detail::stablehlo_printer(m, paths).print(text);
  return std::string(text.view());
}
inline std::string hlo_text(exprax::program_ref p) {
  auto const m = exprax::detail::stablehlo_lowering(p, "f").take();
  exprax::detail::text_buffer text;
  exprax::detail::hlo_printer(m).print(text);
  return std::string(text.view());
}

// Both texts are well formed; what is wrong, with the text, is in the message.
inline void check_texts(exprax::program_ref p) {
  std::string const stablehlo = stablehlo_text(p), hlo = hlo_text(p);
  std::string const wrong_stablehlo = stablehlo::check_stablehlo(stablehlo), wrong_hlo = hlo::check_hlo(hlo);
  CHECK_MESSAGE(wrong_stablehlo.empty(), wrong_stablehlo << "\n" << stablehlo);
  CHECK_MESSAGE(wrong_hlo.empty(), wrong_hlo << "\n" << hlo);
}

}  // namespace lowered
