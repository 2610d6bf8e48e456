// SPDX-License-Identifier: BSL-1.0
// Reports accesses out of range and ranges of the wrong size: a message on stderr, where there is one, then abort. In constant evaluation a
// call of these functions is an error that shows their names and arguments.
#pragma once

#if __STDC_HOSTED__
#include <cstdio>
#include <cstdlib>
#endif

namespace exprax::detail {

// Indices of single elements are checked in builds without NDEBUG, as by assert.
#ifdef NDEBUG
inline constexpr bool checks_indices = false;
#else
inline constexpr bool checks_indices = true;
#endif

[[noreturn]] inline void stop() {
#if __STDC_HOSTED__
  std::abort();
#else
  __builtin_trap();
#endif
}

[[noreturn]] inline void an_index_is_out_of_range([[maybe_unused]] long long index, [[maybe_unused]] int axis,
                                                  [[maybe_unused]] int const* shape, [[maybe_unused]] int rank) {
#if __STDC_HOSTED__
  std::fprintf(stderr, "exprax: index %lld is out of range for axis %d of an array of shape (", index, axis);
  for (int i = 0; i < rank; ++i) std::fprintf(stderr, i == 0 ? "%d" : ", %d", shape[i]);
  std::fprintf(stderr, rank == 1 ? ",)\n" : ")\n");
#endif
  stop();
}

[[noreturn]] inline void a_range_has_another_size([[maybe_unused]] long long given, [[maybe_unused]] long long needed) {
#if __STDC_HOSTED__
  std::fprintf(stderr, "exprax: array or view: the range has %lld elements, but the shape has %lld\n", given, needed);
#endif
  stop();
}
[[noreturn]] inline void an_mdspan_has_other_extents_or_gaps([[maybe_unused]] int axis) {
#if __STDC_HOSTED__
  std::fprintf(stderr, "exprax: view: the mdspan has another extent, or gaps between its elements, along axis %d\n", axis);
#endif
  stop();
}

}  // namespace exprax::detail
