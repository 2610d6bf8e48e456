// SPDX-License-Identifier: BSL-1.0
// The errors of the elementwise functions of doubles, against the C library's long double.
#include <accuracy/functions.hpp>

TEST_CASE("errors of doubles in ULP") {
  accuracy::check_all<double>();
  accuracy::print_table("double");
}
