// SPDX-License-Identifier: BSL-1.0
// The errors of the elementwise functions of floats, against the C library's double.
#include <accuracy/functions.hpp>

TEST_CASE("errors of floats in ULP") {
  accuracy::check_all<float>();
  accuracy::print_table("float");
}
