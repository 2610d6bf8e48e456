// SPDX-License-Identifier: BSL-1.0
// An elementwise equation all of whose operands repeat their elements along an axis, as sin(broadcast(x)): it is computed once for each
// element that differs, and the result is broadcast.
#pragma once

#include <exprax/passes/rewrite/fold.hpp>
#include <exprax/passes/rewrite/rewriter.hpp>

namespace exprax::detail {

template <class W>
class repeated_operands {
 public:
  constexpr repeated_operands(W& w, request const& r) : w_(w), r_(r), to_(w.type(r.type)) {}

  // A value, or -1 if the operands together differ along every axis.
  constexpr int make() {
    for (int k = 0; k < r_.n_in; ++k)
      if (!note_axes_of(r_.in[k])) return -1;
    aval less(to_.type);
    int widen[2 * max_rank];
    for (int i = 0; i < to_.rank; ++i) {
      widen[i] = to_.dims[i];
      place_[i] = less.rank;
      if (!differs_[i]) continue;
      widen[to_.rank + less.rank] = i;
      less.dims[less.rank++] = to_.dims[i];
    }
    if (less.rank == 0 || less.size() == to_.size()) return -1;
    int in[max_fold];
    for (int k = 0; k < r_.n_in; ++k) in[k] = w_.aval_of(r_.in[k]).rank == 0 ? r_.in[k] : narrowed(less, r_.in[k]);
    int const v = w_.make({r_.op, w_.intern(less), in, r_.n_in, r_.par, r_.n_par});
    return w_.make({prim::broadcast_in_dim, r_.type, &v, 1, widen, to_.rank + less.rank});
  }

 private:
  W& w_;
  request const& r_;
  aval to_;
  bool differs_[max_rank] = {};  // axes of more than one element along which an operand differs
  int place_[max_rank] = {};     // of such an axis in the smaller shape

  // What an operand repeats, and the axis of the result that each of its axes is.
  struct source {
    int value = -1;
    int const* axes = nullptr;  // null: each axis is its own
    constexpr int axis(int k) const { return axes ? axes[k] : k; }
  };
  constexpr source source_of(int v) const {
    eqn const* const e = w_.made_by(prim::broadcast_in_dim, v);
    return e ? source{w_.in(e, 0), w_.params_of(e) + w_.aval_of(v).rank} : source{v, nullptr};
  }

  // False if an axis of the result would be left that no operand repeats.
  constexpr bool note_axes_of(int v) {
    source const s = source_of(v);
    aval const& a = w_.aval_of(s.value);
    for (int k = 0; k < a.rank; ++k) differs_[s.axis(k)] = differs_[s.axis(k)] || a.dims[k] != 1;
    for (int i = 0; i < to_.rank; ++i)
      if (!differs_[i] && to_.dims[i] != 1) return true;
    return false;
  }

  constexpr int narrowed(aval const& less, int v) {
    source const s = source_of(v);
    aval const a = w_.aval_of(s.value);
    aval part(a.type);
    int par[2 * max_rank];
    for (int i = 0; i < less.rank; ++i) par[i] = less.dims[i];
    for (int k = 0; k < a.rank; ++k) {
      if (a.dims[k] == 1) continue;
      par[less.rank + part.rank] = place_[s.axis(k)];
      part.dims[part.rank++] = a.dims[k];
    }
    int const x = part.rank == a.rank ? s.value : w_.reshape(w_.intern(part), s.value);
    return w_.make({prim::broadcast_in_dim, w_.intern(less.with_type(a.type)), &x, 1, par, less.rank + part.rank});
  }
};

// A value, or -1.
template <class W>
constexpr int compute_once(W& w, request const& r) {
  for (int k = 0; k < r.n_in; ++k)
    if (w.made_by(prim::broadcast_in_dim, r.in[k])) return repeated_operands<W>(w, r).make();
  return -1;
}

}  // namespace exprax::detail
