// SPDX-License-Identifier: BSL-1.0
// Which step of a block made a scalar, in the run layout, in which a step sets each slot at most once: literals, and indices that count
// from the end if they are negative.
#pragma once

#include <cstdint>

#include <exprax/base/arena.hpp>
#include <exprax/plan/data/region.hpp>

namespace exprax::detail::planning {

class scalar_steps {
 public:
  constexpr explicit scalar_steps(arena<region_step> const& steps) : steps_(steps) {}

  // nullptr: the scalar was made elsewhere.
  constexpr region_step const* maker(dtype t, int slot) const {
    for (region_step const& s : steps_)
      if (s.kind != region_step_kind::store && s.kind < region_step_kind::scan && s.n == 1 && s.type == t && s.d == slot) return &s;
    return nullptr;
  }
  constexpr bool is_literal(dtype t, int slot, std::int64_t& value) const {
    region_step const* const s = maker(t, slot);
    if (s == nullptr || s->kind != region_step_kind::literal) return false;
    value = static_cast<std::int64_t>(s->bits);
    return true;
  }
  // If the scalar is i < 0 ? i + n : i, sets `slot` to that of i. Returns n; 0: it is another scalar.
  constexpr int count_from_end(dtype t, int& slot) const {
    region_step const* const s = maker(t, slot);
    if (!is_computed(s, prim::select_n) || s->wide_a || s->wide_b || s->wide_c || !is_signed_integer(t)) return 0;
    region_step const *const below = maker(dtype::b1, s->a), *const sum = maker(t, s->c);
    std::int64_t zero = 0, n = 0;
    if (!is_computed(below, prim::lt) || below->from != t || below->a != s->b || !is_literal(t, below->b, zero) || zero != 0) return 0;
    if (!is_computed(sum, prim::add) || sum->a != s->b || !is_literal(t, sum->b, n)) return 0;
    if (n <= 0 || n > (std::int64_t{1} << (8 * size_of(t) - 1)) - 1 || n > 0x7fffffff) return 0;
    slot = s->b;
    return static_cast<int>(n);
  }
  // If the condition is i < n, the slot of n; else -1.
  constexpr int compared_with(dtype t, int i, int condition) const {
    region_step const* const s = maker(dtype::b1, condition);
    return is_computed(s, prim::lt) && s->from == t && s->a == i && !s->wide_b ? s->b : -1;
  }

 private:
  static constexpr bool is_computed(region_step const* s, prim op) {
    return s != nullptr && s->kind == region_step_kind::compute && s->op == op;
  }

  arena<region_step> const& steps_;
};

}  // namespace exprax::detail::planning
