// SPDX-License-Identifier: BSL-1.0
// `import exprax;`: the header as a C++20 module, for clang 19, g++ 16 and later. Sources that import it are compiled with the flags of the
// module, also -march. Macros that configure exprax are given to the module.
module;

// Templates that call functions of internal linkage cannot be used outside the module (clang 19), so the intrinsics get external linkage.
#if defined(__clang__) && (defined(__x86_64__) || defined(__i386__))
#define static
#include <immintrin.h>
#undef static
#endif

// All that exprax includes.
#include <xsimd/xsimd.hpp>

#include <array>
#include <bit>
#include <boost/hana/at.hpp>
#include <boost/hana/at_key.hpp>
#include <boost/hana/first.hpp>
#include <boost/hana/integral_constant.hpp>
#include <boost/hana/keys.hpp>
#include <boost/hana/map.hpp>
#include <boost/hana/pair.hpp>
#include <boost/hana/string.hpp>
#include <boost/hana/tuple.hpp>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#if defined(EXPRAX_ONETBB) && EXPRAX_ONETBB
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#elif defined(_OPENMP)
#include <omp.h>
#endif

export module exprax;

// Structured bindings look for these. What a source includes of <tuple> itself is not enough on clang.
export namespace std {
using std::get;
using std::tuple;
using std::tuple_element;
using std::tuple_size;
}  // namespace std

#ifdef __clang__
#pragma clang diagnostic ignored "-Winclude-angled-in-module-purview"
#endif
export extern "C++" {
#include <exprax/exprax.hpp>
}
