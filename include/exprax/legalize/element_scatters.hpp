// SPDX-License-Identifier: BSL-1.0
// element_scatters: updates of one element at a known place become JAX's scatters. x.at(2, 1).set(v) is recorded as the update that runs,
// in two equations where JAX has four, because loops that are unrolled while tracing write thousands; jaxprs, StableHLO and HLO show
// JAX's: each index as i32[1], their concatenation if there are several, and the scatter of a scalar. Written for few constexpr steps, as
// tracing is.
#pragma once

#include <exprax/primitives/copy.hpp>
#include <exprax/primitives/indexed/scatter_family.hpp>
#include <exprax/primitives/indexed/update_slice_family.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax {

namespace detail {

// An update whose scalar was made an array of one element right before it, as traces do.
constexpr bool is_element_update(program_ref const& p, int i) {
  eqn const &e = p.eqns[i], &made = p.eqns[i - 1];
  return traits_of(e.op).updates_known_slice && made.op == prim::broadcast_in_dim && made.out == p.in(e, 1) &&
         p.type(p.in(made, 0)).rank == 0 && p.type(made.out).size() == 1;
}
constexpr scatter_form element_scatter(span<int> axes) {
  scatter_form s;
  s.dropped = s.to = axes;
  s.sorted = s.unique = true;
  return s;
}

// The values of the old program keep their indices; new ones follow.
class element_scatter_writer {
 public:
  constexpr element_scatter_writer(program_ref p, program_sizes const& room) : p_(p), q_(copied(p)) {
    q_.values.reserve(room.values), q_.eqns.clear(), q_.eqns.reserve(room.eqns), q_.refs.reserve(room.refs);
    q_.params.reserve(room.params), q_.constants.reserve(room.constants);
    for (int& t : types_) t = -1;
    int done = 0;
    for (int i = 1; i < p.n.eqns; ++i)
      if (is_element_update(p, i)) {
        q_.eqns.append(p.eqns + done, i - 1 - done);
        write(p.eqns[i], p.in(p.eqns[i - 1], 0));
        moved_.push({done = i + 1, q_.eqns.n});
      }
    q_.eqns.append(p.eqns + done, p.n.eqns - done);
    for (block& b : q_.blocks) {
      int const end = moved(b.eqn + b.n_eqn);
      b.eqn = moved(b.eqn);
      b.n_eqn = end - b.eqn;
    }
  }
  constexpr program take() { return std::move(q_); }

 private:
  struct position {
    int before, after;
  };
  // The index in the new program of equation i, which an update does not end with.
  constexpr int moved(int i) const {
    int k = moved_.n;
    while (k > 0 && moved_.at[k - 1].before > i) --k;
    return k == 0 ? i : moved_.at[k - 1].after + i - moved_.at[k - 1].before;
  }

  constexpr void write(eqn const& e, int update) {
    int const rank = p_.type(e.out).rank, scalar = type(0), one = type(1), first = q_.values.n, vector = first + (rank == 1 ? 1 : 2 * rank);
    if (params_[rank].empty()) {
      int axes[max_rank] = {};
      for (int k = 0; k < rank; ++k) axes[k] = k;
      params_[rank] = parameters_of(element_scatter({axes, rank}));
    }
    for (int k = 0; k < rank; ++k)
      q_.constants.at[q_.constants.n] = static_cast<std::uint64_t>(p_.params[e.par + k]),
      q_.values.at[q_.values.n++] = {scalar, q_.constants.n++},
          q_.values.at[q_.values.n++] = {one, no_constant},
      q_.eqns.at[q_.eqns.n++] = {prim::broadcast_in_dim, q_.refs.n, 1, first + 2 * k + 1, 1, q_.params.n, 1, 0, 0},
      q_.refs.at[q_.refs.n++] = first + 2 * k, q_.params.at[q_.params.n++] = 1;
    if (rank > 1) {
      q_.values.at[q_.values.n++] = {type(rank), no_constant},
      q_.eqns.at[q_.eqns.n++] = {prim::concatenate, q_.refs.n, rank, vector, 1, q_.params.n, 1, 0, 0}, q_.params.at[q_.params.n++] = 0;
      for (int k = 0; k < rank; ++k) q_.refs.at[q_.refs.n++] = first + 2 * k + 1;
    }
    q_.eqns.at[q_.eqns.n++] = {scatter_of_update(e.op), q_.refs.n, 3, e.out, 1, q_.params.n, params_[rank].n, 0, 0},
    q_.refs.at[q_.refs.n++] = p_.refs[e.in], q_.refs.at[q_.refs.n++] = vector, q_.refs.at[q_.refs.n++] = update;
    q_.params.append(params_[rank]);
  }
  // The index of the type i32[size]; 0: of i32[].
  constexpr int type(int size) {
    if (types_[size] >= 0) return types_[size];
    aval const t = size == 0 ? aval(dtype::i32) : aval(dtype::i32, {size});
    int& at = types_[size];
    at = 0;
    while (at < q_.avals.n && !(q_.avals[at] == t)) ++at;
    if (at == q_.avals.n) q_.avals.push(t);
    return at;
  }

  program_ref p_;
  program q_;
  arena<position> moved_;  // behind each update
  int types_[max_rank + 1] = {};
  arena<int> params_[max_rank + 1];  // of the scatters of each rank
};

}  // namespace detail

// An upper bound of the sizes of element_scatters(p); those of p if nothing changes.
constexpr program_sizes element_scatter_sizes(program_ref p) {
  program_sizes n = p.n;
  for (int i = 1; i < p.n.eqns; ++i)
    if (detail::is_element_update(p, i)) {
      int const rank = p.type(p.eqns[i].out).rank;
      n.values += 2 * rank + 1, n.eqns += rank, n.refs += 2 * rank + 3, n.params += 3 * rank + 9, n.constants += rank;
    }
  if (n.values > p.n.values) n.avals += max_rank + 1;
  return n;
}
constexpr program element_scatters(program_ref p) { return detail::element_scatter_writer(p, element_scatter_sizes(p)).take(); }

}  // namespace exprax
