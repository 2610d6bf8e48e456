// SPDX-License-Identifier: BSL-1.0
// std::format of arrays and views: the text of the stream operator. Where the library has no <format>, the header is empty.
#include <exprax/format.hpp>

#ifdef __cpp_lib_format
#include <iterator>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace {

namespace ex = exprax;

template <class T>
constexpr bool has_format = std::is_default_constructible_v<std::formatter<T, char>>;
static_assert(has_format<ex::array<float, 2, 3>> && has_format<ex::array<int>> && has_format<ex::view<double const, 4>>);

std::string streamed(auto const& x) {
  std::ostringstream out;
  out << x;
  return out.str();
}

}  // namespace

TEST_CASE("std::format writes what the stream operator writes") {
  ex::array<float, 2, 3> const x{1, 2, 3, 4, 5, 1.0f / 3};
  CHECK(std::format("{}", x) == streamed(x));
  CHECK(std::format("{}", ex::view<float const, 6>(x.data())) == "[1.         2.         3.         4.         5.         0.33333334]");
  CHECK(std::format("{:.3} and {}", ex::view<float const, 3>(x.data() + 3), ex::array<int>(3)) == "[4.    5.    0.333] and 3");
  CHECK(std::format("{}", ex::array<bool, 2>{true, false}) == "[ True False]");
  CHECK(std::format("{}", ex::array<float, 2000>()) == streamed(ex::array<float, 2000>()));
  CHECK(std::format("{:.2}", ex::array<std::complex<float>, 1>(std::complex<float>(1, 0.125f))) == "[1.+0.12j]");
  std::string text;
  std::format_to(std::back_inserter(text), "{}", ex::array<ex::float16, 2>(ex::array<float, 2>{1, 2}));
  CHECK(text == "[1. 2.]");
}

TEST_CASE("other formats are errors") {
  ex::array<int, 2> const x{1, 2};
  for (char const* wrong : {"{:d}", "{:.}", "{:.2f}", "{:>8}"}) CHECK_THROWS_AS((void)std::vformat(wrong, std::make_format_args(x)), std::format_error);
}
#endif
