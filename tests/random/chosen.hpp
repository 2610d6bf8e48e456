// SPDX-License-Identifier: BSL-1.0
// The random programs that are emitted: together they have every kind of kernel and step that the planner makes (random/kinds.hpp), and
// many primitives in each. kinds_test.cpp holds this, and finds seeds for a kind that is missing; after changes of the generator seeds are
// chosen again, small programs first.
#pragma once

#include <random/random_program.hpp>
#include <random/variants.hpp>

namespace random_programs {

struct chosen_program {
  mixture from;
  variant what;
  std::uint32_t seed;

  constexpr program source() const { return random_program(seed, from); }
};
inline constexpr chosen_program chosen[] = {
    {wide, variant::optimized, 2286},
    {flat, variant::inlined, 720},
    {nested, variant::in_lanes, 2000},
    {flat, variant::optimized, 717},
    {wide, variant::optimized, 677},
    {with_prints(nested), variant::inlined, 2033},
    {flat, variant::optimized, 1837},
    {flat, variant::optimized, 1338},
    {wide, variant::optimized, 362},
    {with_prints(nested), variant::inlined, 1385},
    {nested, variant::in_lanes, 105},
    {wide, variant::optimized, 803},
    {nested, variant::in_lanes, 1773},
    {wide, variant::optimized, 827},
    {flat, variant::optimized, 1377},
    {with_prints(nested), variant::inlined, 2104},
    {nested, variant::in_lanes, 1845},
    {wide, variant::optimized, 703},
    {wide, variant::optimized, 1196},
    {nested, variant::in_lanes, 1055},
    {wide, variant::optimized, 1105},
    {nested, variant::inlined, 1413},
    {wide, variant::optimized, 1444},
    {flat, variant::inlined, 1},
    {flat, variant::inlined, 1048},
    {wide, variant::optimized, 2063},
    {wide, variant::optimized, 272},
    {wide, variant::optimized, 1340},
    {flat, variant::optimized, 1994},
    {nested, variant::inlined, 111},
    {flat, variant::optimized, 278},
    {wide, variant::optimized, 19},
};
inline constexpr int chosen_count = static_cast<int>(sizeof chosen / sizeof chosen[0]);

}  // namespace random_programs
