// SPDX-License-Identifier: BSL-1.0
// Families of the elementwise primitives: all rules but the kernel. Laws: each operand has rank 0 or the rank of the
// result with every axis equal or 1 (then it is broadcast); operands share one dtype where a family does not say otherwise.
//
//   family             kernel, a static constexpr member of primitive<P>, V a lane or a pack, M its mask
//   unary_float        V(V)          floats
//   unary_inexact      V(V)          floats; complex numbers
//   unary_predicate    M(V)          floats; complex numbers
//   unary              V(V)          numbers, complex ones too
//   unary_logical      V(V)          bool and integers
//   binary             V(V, V)       numbers, complex ones too
//   binary_real        V(V, V)       numbers, not complex ones
//   binary_ordered     V(V, V)       numbers, complex ones too (by their real, then their imaginary parts), and bool
//   binary_inexact     V(V, V)       floats; complex numbers
//   binary_float       V(V, V)       floats
//   binary_logical     V(V, V)       bool and integers
//   equality           M(V, V)       every dtype
//   comparison         M(V, V)       every dtype but complex numbers
//   select_family      V(M, V, V)    which, the false case, the true case; `which` may be i32 with n cases
//   clamp_family       V(V, V, V)    min, x, max; numbers, complex ones too
//   fma_family         V(V, V, V)    floats
//   convert_family     kernel<U>(V) -> V::rebind<U>
//   integer_pow_family V(V, int)     numbers, complex ones too; the exponent is parameter 0
//
// Kernels exist only for dtypes with arithmetic: half and complex numbers are lowered before (legalize/lower_types.hpp).
// Longer than 300 lines: one table of families, most of which derive from others in it.
#pragma once

#include <utility>

#include <exprax/math/lane.hpp>
#include <exprax/primitives/primitive.hpp>
#include <exprax/types/element.hpp>

namespace exprax::detail {

constexpr bool is_number(dtype d) { return !is_bool(d) && !is_key(d); }
constexpr bool is_real(dtype d) { return is_number(d) && !is_complex(d); }
constexpr bool is_ordered(dtype d) { return !is_complex(d) && !is_key(d); }
constexpr bool is_no_key(dtype d) { return !is_key(d); }
constexpr bool is_logical(dtype d) { return !is_inexact(d) && !is_key(d); }

// The broadcast shape of the operands; out keeps its dtype. Returns false if they do not fit.
constexpr bool join_shapes(equation_ref const& e, aval* out) {
  out->rank = 0;
  for (int k = 0; k < e.n_in(); ++k) {
    aval const& t = e.type(k);
    if (t.rank == 0) continue;
    if (out->rank == 0) {
      out->rank = t.rank;
      for (int i = 0; i < t.rank; ++i) out->dims[i] = t.dims[i];
      continue;
    }
    if (t.rank != out->rank) return false;
    for (int i = 0; i < t.rank; ++i) {
      if (t.dims[i] == out->dims[i] || t.dims[i] == 1) continue;
      if (out->dims[i] != 1) return false;
      out->dims[i] = t.dims[i];
    }
  }
  return true;
}

// The broadcast shape and common dtype of operands first, first + 1, ...; weak if all of them are.
constexpr bool join_operands(equation_ref const& e, aval* out, int first = 0) {
  out->type = e.type(first).type;
  out->weak = true;
  for (int k = first; k < e.n_in(); ++k) {
    if (e.type(k).type != out->type) return false;
    out->weak = out->weak && e.type(k).weak;
  }
  return join_shapes(e, out);
}

// Reads an operand at element i of the result.
class broadcast_reader {
 public:
  constexpr broadcast_reader(std::uint64_t const* data, aval const& operand, aval const& result) : data_(data) {
    if (operand.rank == 0) return;
    dense_ = operand.same_shape(result);
    if (dense_) return;
    rank_ = result.rank;
    strides const of(operand);
    for (int i = 0; i < rank_; ++i) {
      dims_[i] = result.dims[i];
      step_[i] = operand.dims[i] == 1 ? 0 : of[i];
    }
  }
  constexpr std::uint64_t operator[](std::ptrdiff_t i) const {
    if (dense_) return data_[i];
    std::ptrdiff_t at = 0;
    for (int k = rank_ - 1; k >= 0; --k) {
      at += i % dims_[k] * step_[k];
      i /= dims_[k];
    }
    return data_[at];
  }

 private:
  std::uint64_t const* data_;
  bool dense_ = false;
  int rank_ = 0;
  int dims_[max_rank] = {};
  std::ptrdiff_t step_[max_rank] = {};
};

// out[i] = f(lane<T> of each operand), T being the dtype of the operands.
template <class T, class Machine, class F, int... K>
constexpr void evaluate_lanes(Machine& m, equation_ref const& e, F f, std::integer_sequence<int, K...>) {
  aval const& type = e.out_type(0);
  broadcast_reader const in[] = {broadcast_reader(m.in(e, K), e.type(K), type)...};
  std::uint64_t* const out = m.out(e, 0);
  std::ptrdiff_t const n = type.size();
  for (std::ptrdiff_t i = 0; i < n; ++i) out[i] = to_bits(f(lane<T>(from_bits<T>(in[K][i]))...).value);
}

// Evaluation with primitive<P>::kernel, for the dtypes that Accepts allows (others do not pass infer).
template <prim P, int N, bool (*Accepts)(dtype), class Machine>
constexpr void evaluate_kernel(Machine& m, equation_ref const& e) {
  with_element(e.type(0).type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (Accepts(dtype_of<T>))
      evaluate_lanes<T>(m, e, [](auto... x) { return primitive<P>::kernel(x...); }, std::make_integer_sequence<int, N>{});
  });
}

// jax.interpreters.batching.broadcast_batcher. If all operands except scalars agree in shape and batch axis, the equation is applied as it
// is; otherwise batch axes move to the front, and unbatched operands get an axis of size 1 there.
template <class Context>
constexpr void batch_elementwise(Context& c, equation_ref const& e) {
  if (c.operands_agree()) return c.apply(e);
  int v[3] = {};
  for (int k = 0; k < e.n_in(); ++k) v[k] = c.value(e, k);
  int const rank = e.out_type(0).rank + 1;
  for (int k = 0; k < e.n_in(); ++k)
    if (c.type(v[k]).rank > 0) v[k] = c.at_front(v[k], c.dim(e, k), 1);
  for (int k = 0; k < e.n_in(); ++k)
    if (c.dim(e, k).is_mapped()) v[k] = c.with_trailing_ones(v[k], rank);
  c.replace(e, {v, e.n_in()}, e.params(), 0);
}

// The sum of what the operands add to the tangent.
template <prim P, class Context>
constexpr void sum_tangents(Context& c, equation_ref const& e) {
  for (int k = 0; k < e.n_in(); ++k)
    if (c.has_tangent(e, k)) c.add_tangent(e, primitive<P>::tangent(c, e, k, c.tangent(e, k)));
}

// What of the tangent an operand x of max or min gets: all if it is the result, half if both are.
template <class Context>
constexpr int share_of_extremum(Context& c, int x, int extremum, int other) {
  aval const shape = c.type(extremum);
  auto const full = [&](int n) { return c.full(shape, c.number_like(extremum, n)); };
  int const is_x = c.elementwise(prim::eq, x, extremum), is_other = c.elementwise(prim::eq, other, extremum);
  int const share = c.select(is_x, full(0), full(1));
  return c.div(share, c.select(is_other, full(1), full(2)));
}

// Shared by all elementwise families.
struct elementwise_rules {
  static constexpr prim_traits traits{.kind = op_class::elementwise};
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    batch_elementwise(c, e);
  }
  template <class Printer>
  static constexpr void print(Printer&, equation_ref const&) {}
};

// N operands of one dtype, a result of the same dtype (bool for predicates).
template <prim P, int N, bool (*Accepts)(dtype), bool Predicate = false>
struct uniform_rules : elementwise_rules {
  static constexpr prim_traits traits{.kind = op_class::elementwise, .arity = N, .is_predicate = Predicate};
  static constexpr bool accepts(dtype d) { return Accepts(d); }
  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != N || e.n_par() > (P == prim::mul ? 1 : 0) || !join_operands(e, out) || !Accepts(out->type)) return false;
    if (Predicate) *out = out->with_type(dtype::b1);
    return true;
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    evaluate_kernel<P, N, Accepts>(m, e);
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    l.elementwise(e, primitive<P>::stablehlo);
  }
  template <class Context>
    requires requires(Context& c, equation_ref const& e) { primitive<P>::tangent(c, e, 0, 0); }
  static constexpr void jvp(Context& c, equation_ref const& e) {
    sum_tangents<P>(c, e);
  }
};

constexpr bool is_any(dtype) { return true; }

template <prim P> struct unary_float : uniform_rules<P, 1, is_floating> {};
template <prim P> struct unary_inexact : uniform_rules<P, 1, is_inexact> {};
template <prim P> struct unary_predicate : uniform_rules<P, 1, is_inexact, true> {};
template <prim P> struct unary : uniform_rules<P, 1, is_number> {};
template <prim P> struct unary_logical : uniform_rules<P, 1, is_logical> {};
template <prim P> struct binary : uniform_rules<P, 2, is_number> {};
template <prim P> struct binary_real : uniform_rules<P, 2, is_real> {};
template <prim P> struct binary_ordered : uniform_rules<P, 2, is_no_key> {};
template <prim P> struct binary_inexact : uniform_rules<P, 2, is_inexact> {};
template <prim P> struct binary_float : uniform_rules<P, 2, is_floating> {};
template <prim P> struct binary_logical : uniform_rules<P, 2, is_logical> {};
template <prim P, bool (*Accepts)(dtype) = is_ordered>
struct comparison : uniform_rules<P, 2, Accepts, true> {
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    int v[3] = {};
    l.joined(e, v);
    l.set(e, 0, l.compare(primitive<P>::direction, v[0], v[1]));
  }
};
template <prim P>
struct equality : comparison<P, is_any> {
  static constexpr prim_traits traits = comparison<P, is_any>::traits.commuting();
};
template <prim P> struct clamp_family : uniform_rules<P, 3, is_number> {};
// StableHLO has no fused multiply-add.
template <prim P>
struct fma_family : uniform_rules<P, 3, is_floating> {
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    int v[3] = {};
    l.joined(e, v);
    l.set(e, 0, l.like("add", l.like("multiply", v[0], v[1]), v[2]));
  }
};

template <prim P>
struct integer_pow_family : elementwise_rules {
  static constexpr prim_traits traits{.kind = op_class::elementwise, .arity = 1};
  static constexpr bool infer(equation_ref const& e, aval* out) {
    return e.n_in() == 1 && e.n_par() == 1 && join_operands(e, out) && is_number(out->type);
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    int const y = e.param(0);
    with_element(e.type(0).type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      if constexpr (is_number(dtype_of<T>))
        evaluate_lanes<T>(m, e, [y](auto x) { return primitive<P>::kernel(x, y); }, std::make_integer_sequence<int, 1>{});
    });
  }
  template <class Context>
  static constexpr void jvp(Context& c, equation_ref const& e) {
    sum_tangents<P>(c, e);
  }
  // Multiplications, in the order of jax.lax.
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    int const y = e.param(0);
    int x = l.in(e, 0), power = -1;
    unsigned rest = y < 0 ? 0u - static_cast<unsigned>(y) : static_cast<unsigned>(y);
    if (y == 3) {
      power = l.like("multiply", l.like("multiply", x, x), x);
      rest = 0;
    }
    for (; rest != 0; rest >>= 1) {
      if (rest & 1u) power = power < 0 ? x : l.like("multiply", power, x);
      if (rest > 1) x = l.like("multiply", x, x);
    }
    if (y <= 0) {
      int const one = l.full(e.out_type(0), 1);
      power = y == 0 ? one : l.like("divide", one, power);
    }
    l.set(e, 0, power);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("y");
    o.integer(e.param(0));
  }
};

// Parameters: new dtype, weak (0 or 1).
template <prim P>
struct convert_family : elementwise_rules {
  static constexpr prim_traits traits{.kind = op_class::elementwise, .arity = 1, .linear_in = first_operand};
  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_par() != 2 || e.param(0) < 0 || e.param(0) >= dtype_count) return false;
    if (is_key(e.type(0).type) || is_key(static_cast<dtype>(e.param(0)))) return false;
    *out = e.type(0).with_type(static_cast<dtype>(e.param(0)), e.param(1) != 0);
    return true;
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    with_element(e.type(0).type, [&](auto from) {
      using T = typename decltype(from)::type;
      with_element(static_cast<dtype>(e.param(0)), [&](auto to) {
        using U = typename decltype(to)::type;
        evaluate_lanes<T>(m, e, [](auto x) { return primitive<P>::template kernel<U>(x); }, std::make_integer_sequence<int, 1>{});
      });
    });
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    l.set(e, 0, l.convert(l.in(e, 0), e.out_type(0).type));
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("new_dtype");
    o.dtype(static_cast<dtype>(e.param(0)));
    o.key("weak_type");
    o.boolean(e.param(1) != 0);
  }
};

// which (bool with two cases, or i32 with any number), case 0, case 1, ...
template <prim P>
struct select_family : elementwise_rules {
  static constexpr prim_traits traits{.kind = op_class::elementwise, .moves_bits = true, .linear_in = all_but_first_operand};
  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() < 2 || e.n_par() != 0) return false;
    dtype const which = e.type(0).type;
    if (which != dtype::i32 && !(which == dtype::b1 && e.n_in() <= 3)) return false;
    return join_operands(e, out, 1);
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    aval const& type = e.out_type(0);
    int const cases = e.n_in() - 1;
    broadcast_reader const which(m.in(e, 0), e.type(0), type);
    std::uint64_t* const out = m.out(e, 0);
    std::ptrdiff_t const n = type.size();
    for (int k = 0; k < cases; ++k) {
      broadcast_reader const in(m.in(e, 1 + k), e.type(1 + k), type);
      for (std::ptrdiff_t i = 0; i < n; ++i) {
        int const w = from_bits<int>(which[i]);
        if ((w < 0 ? 0 : w >= cases ? cases - 1 : w) == k) out[i] = in[i];  // an index out of range is clamped
      }
    }
  }
  // More than two cases: binary search by comparisons of `which`.
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    arena<int> cases;
    int which = l.in(e, 0);
    if (is_bool(e.type(0).type)) which = l.broadcast(which, e.out_type(0));
    for (int k = 1; k < e.n_in(); ++k) cases.push(l.broadcast(l.in(e, k), e.out_type(0)));
    l.set(e, 0, lower_cases(l, e, which, cases, 0));
  }
  template <class Lowering>
  static constexpr int lower_cases(Lowering& l, equation_ref const& e, int which, span<int> cases, int first) {
    if (cases.size() == 1) return cases[0];
    if (is_bool(e.type(0).type)) return l.select(which, cases[1], cases[0]);
    int const half = cases.size() / 2;
    int const lower_half = l.broadcast(l.compare("LT", which, l.full(e.type(0), first + half)), e.out_type(0));
    int const if_lower = lower_cases(l, e, which, cases.part(0, half), first);
    return l.select(lower_half, if_lower, lower_cases(l, e, which, cases.part(half, cases.size() - half), first + half));
  }
  // jax.lax's _select_batch_rule: an unbatched scalar `which` stays one; a batched one takes the shape of the cases.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const n = e.n_in();
    batch_axis const d = c.dim(e, 1);
    arena<int> v;
    for (int k = 0; k < n; ++k) v.push(c.value(e, k));
    bool batched = d.is_mapped(), same_shape = true, same_dim = true, scalars = c.type(v[1]).rank == 0;
    for (int k = 2; k < n; ++k) {
      batched = batched && c.dim(e, k).is_mapped();
      same_shape = same_shape && c.type(v[k]).same_shape(c.type(v[1]));
      same_dim = same_dim && c.dim(e, k) == d;
      scalars = scalars && c.type(v[k]).rank == 0;
    }
    int const which_rank = c.type(v[0]).rank;
    bool const which_fits = c.type(v[0]).same_shape(c.type(v[1]));
    if (batched && same_shape && same_dim && c.dim(e, 0) == d && (which_fits || which_rank == 1)) {
      int const along[] = {d.position()};
      if (!which_fits) v[0] = c.broadcast(v[0], c.type(v[1]), along);
      return c.replace(e, v, {}, d.position());
    }
    if (batched && same_shape && which_rank == 0) {
      for (int k = 2; k < n; ++k) v[k] = c.move(v[k], c.dim(e, k).position(), d.position());
      return c.replace(e, v, {}, d.position());
    }
    aval const full = e.out_type(0).with_axis(0, c.size());
    if (which_rank > 0) v[0] = c.at_front(v[0], c.dim(e, 0), c.size());
    if (c.type(v[0]).rank == 1 && full.rank > 1) {
      int const front = 0;
      v[0] = c.broadcast(v[0], full, {&front, 1});
    }
    for (int k = 1; k < n; ++k) {
      if (scalars) v[k] = c.broadcast(v[k], full, {});
      else if (c.dim(e, k).is_mapped() || e.type(k).rank == e.out_type(0).rank)
        v[k] = c.with_trailing_ones(c.at_front(v[k], c.dim(e, k), c.size()), full.rank);
    }
    c.replace(e, v, {}, 0);
  }
};

}  // namespace exprax::detail
