// SPDX-License-Identifier: BSL-1.0
// Unqualified calls: code for C++ numbers and arrays alike says `using std::sin; sin(x)`. Functions such as ex::sin are objects, which
// argument-dependent lookup does not find; those with the names of <cmath> are functions in exprax::by_argument as well
// (numpy/elementwise/by_argument.hpp), the namespace of a base of arrays and traced values.
#pragma once

namespace exprax::by_argument {

struct base {};

}  // namespace exprax::by_argument
