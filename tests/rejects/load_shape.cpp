// SPDX-License-Identifier: BSL-1.0
// rejects: exprax: load: the dtype and the shape are part of the type: write ex::load<float, 2, 3>\(file\)
#include <exprax/npy.hpp>

namespace ex = exprax;

int main() { (void)ex::load("x.npy"); }
