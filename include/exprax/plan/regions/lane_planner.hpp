// SPDX-License-Identifier: BSL-1.0
// Plans a vmap equation as a region in lanes (plan/data/region.hpp): its block runs once for each pack of rows. What is the same for
// all rows is computed once per pack, as scalars. Axes that all memory walks as one are merged.
#pragma once

#include <exprax/plan/regions/lane_layout.hpp>
#include <exprax/plan/regions/region_control.hpp>
#include <exprax/plan/regions/shrinking_loops.hpp>
#include <exprax/primitives/control/vmap.hpp>

namespace exprax::detail::planning {

class lane_planner : public region_control<lane_layout> {
 public:
  // operands, results: the buffers of e's operands (-1: a constant) and results. Returns the index of the region; -1: the block has
  // something that does not run in lanes, and nothing has changed.
  static constexpr int plan_lanes(context& c, equation_ref const& e, span<int> operands, span<int> results) {
    plan_sizes const before = c.out.sizes();
    lane_planner r(c);
    r.run(e, operands, results);
    return r.finished(before);
  }

 private:
  using rules = primitive<prim::vmap>;

  constexpr explicit lane_planner(context& c) : region_control(c) {}

  constexpr void run(equation_ref const& e, span<int> operands, span<int> results) {
    block const& b = e.sub(0);
    if (rules::axes(e) > max_row_axes) return static_cast<void>(fail());
    order_axes(e);
    arena<char> varying;
    for (int k = 0; k < e.n_in(); ++k) varying.push(rules::in_dim(e, k, order_[k_.row_axes - 1]).is_mapped());
    uniformity_.run(b, varying);
    for (int k = 0; k < e.n_in() && !failed_; ++k) {
      int const inner = p_.ins(b)[k], v = c_.resolve(e.in(k));
      aval const& t = p_.type(inner);
      if (p_.is_constant(v) && !varying[k] && p_.type(v).same_shape(t)) {
        same_[inner] = v;
        continue;
      }
      if (p_.is_constant(v) && c_.at[v].buffer < 0) constants_.push(v);
      where_[inner] = rows_in(p_.is_constant(v) ? c_.constant_buffer(v) : operands[k], e, k, e.type(k), t);
      if (is_loaded_first(where_[inner], b, inner, t)) where_[inner] = load(t, where_[inner]);
    }
    arena<location> places;
    for (int k = 0; k < e.n_out() && !failed_; ++k) {
      int const v = p_.outs(b)[k];
      places.push(rows_in(results[k], e, e.n_in() + k, e.out_type(k), p_.type(v)));
      if (!wanted_[v].in_memory()) wanted_[v] = places[k];  // a loop that makes it writes it there
    }
    equations(b);
    for (int k = 0; k < e.n_out() && !failed_; ++k) {
      int const v = resolve(p_.outs(b)[k]);
      aval const& t = p_.type(v);
      if (!p_.is_constant(v) && where_[v].in_memory() && address(where_[v].address).buffer == results[k]) continue;
      if (t.size() == 0) continue;
      location const l = in_slots(v);
      if (!failed_) store(l, t, places[k]);
    }
    if (!failed_) {
      find_reused();
      merge_axes();
    }
    if (!failed_) shrinking_loops(out_, k_).divide(steps_, {moves_.data(), 0});
    k_.block = close_block(0, -1);
  }

  // ---- Rows

  // Lanes run along the last axis, or along the longest one if the last is too short to fill a pack.
  constexpr void order_axes(equation_ref const& e) {
    int const n = k_.row_axes = rules::axes(e);
    int last = n - 1;
    for (int a = 0; a < n - 1; ++a)
      if (rules::size(e, last) < 16 && rules::size(e, a) > rules::size(e, last)) last = a;
    for (int a = 0, at = 0; a < n; ++a)
      if (a != last) order_[at++] = a;
    order_[n - 1] = last;
    for (int i = 0; i < n; ++i) k_.rows[i] = rules::size(e, order_[i]);
  }
  // Operand k, or result k - n_in, of the equation, row by row. row: its type in the block.
  constexpr location rows_in(int buffer, equation_ref const& e, int k, aval const& whole, aval const& row) {
    strides const of(whole);
    int const a = new_address(buffer);
    bool mapped[max_rank] = {};
    for (int i = 0; i < k_.row_axes; ++i) {
      if (!rules::in_dim(e, k, order_[i]).is_mapped()) continue;
      int const d = rules::in_dim(e, k, order_[i]).position();
      mapped[d] = true;
      address(a).row[i] = of[d];
    }
    strides w;
    for (int d = 0, n = 0; d < whole.rank; ++d)
      if (!mapped[d]) w.of[n++] = of[d];
    return viewed(a, w, row);
  }
  // Merges neighbouring axes that all memory walks as one.
  constexpr void merge_axes() {
    for (int i = k_.row_axes - 2; i >= 0; --i) {
      bool one = true;
      for (int a = first_address_; a < out_.region_addresses.size(); ++a) {
        region_address const& r = address(a);
        one = one && (r.of_lanes || r.row[i] == r.row[i + 1] * k_.rows[i + 1]);
      }
      if (!one) continue;
      for (int a = first_address_; a < out_.region_addresses.size(); ++a)
        for (int j = i; j + 1 < max_row_axes; ++j) address(a).row[j] = address(a).row[j + 1];
      k_.rows[i] *= k_.rows[i + 1];
      for (int j = i + 1; j + 1 < max_row_axes; ++j) k_.rows[j] = k_.rows[j + 1];
      --k_.row_axes;
    }
  }

  int order_[max_row_axes] = {};
  int first_address_ = out_.region_addresses.size();
};

}  // namespace exprax::detail::planning
