// SPDX-License-Identifier: BSL-1.0
// Steps of each kind. Operands are indices of steps until slots are assigned.
#pragma once

#include <exprax/plan/data/plan.hpp>

namespace exprax::detail::planning {

constexpr step literal_step(dtype t, std::uint64_t bits) { return {step_kind::literal, {}, t, t, 0, 0, 0, 0, 0, bits, 0}; }
constexpr step iota_step(dtype t, int axis, std::int64_t offset, std::int64_t scale) {
  return {step_kind::iota, {}, t, t, 0, 0, 0, 0, axis, static_cast<std::uint64_t>(offset), scale};
}
constexpr step load_step(dtype t, int access) { return {step_kind::load, {}, t, t, 0, 0, 0, 0, access, 0, 0}; }
// at: the step that makes the offset.
constexpr step gather_step(dtype t, int access, int at) { return {step_kind::gather, {}, dtype::i32, t, 0, at, 0, 0, access, 0, 0}; }
constexpr step store_step(dtype t, int x, int access) { return {step_kind::store, {}, t, t, 0, x, 0, 0, access, 0, 0}; }
constexpr step convert_step(dtype from, dtype to, int x) { return {step_kind::convert, {}, from, to, 0, x, 0, 0, 0, 0, 0}; }
// Operands that the primitive does not have repeat the first.
constexpr step compute_step(prim op, dtype from, dtype to, int x, int y, int z) {
  return {step_kind::compute, op, from, to, 0, x, y, z, 0, 0, 0};
}

// One element of a buffer, in a straight line.
constexpr step load_element(dtype t, int buffer, std::ptrdiff_t at) {
  return {step_kind::load_element, {}, t, t, 0, 0, 0, buffer, 0, static_cast<std::uint64_t>(at), 0};
}
constexpr step store_element(dtype t, int x, int buffer, std::ptrdiff_t at) {
  return {step_kind::store_element, {}, t, t, 0, x, 0, buffer, 0, static_cast<std::uint64_t>(at), 0};
}

}  // namespace exprax::detail::planning
