// SPDX-License-Identifier: BSL-1.0
// rejects: tree_unflatten: the leaves of a struct over Array have its dtypes and shapes
#include <exprax/exprax.hpp>

namespace ex = exprax;

template <template <class, auto...> class Array>
struct dense {
  Array<float, 4> w;
};

int main() { (void)ex::tree_unflatten(ex::tree_structure(dense<ex::array>()), ex::tuple(ex::array<float, 3>())); }
