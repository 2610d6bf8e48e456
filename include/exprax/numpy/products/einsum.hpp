// SPDX-License-Identifier: BSL-1.0
// einsum<"ij,jk->ik">(a, b): sums of products by named axes (jax.numpy.einsum). Each step multiplies two arrays by a dot_general, or
// a mul where nothing is summed; the order of the steps is chosen while compiling (einsum_plan.hpp).
#pragma once

#include <exprax/base/fixed_string.hpp>
#include <exprax/numpy/core/dynamic_shapes.hpp>
#include <exprax/numpy/elementwise/arithmetic.hpp>
#include <exprax/numpy/products/einsum_plan.hpp>

namespace exprax {

namespace detail {

template <fixed_string Text, class... X>
struct einsum_of {
  static constexpr aval operands[sizeof...(X) + 1] = {aval_in<X>..., aval{}};
  static constexpr einsum_subscripts subscripts = read_subscripts(Text.view(), operands, static_cast<int>(sizeof...(X)));
  static constexpr bool ok = subscripts.wrong == einsum_mistake::none;
  static constexpr bool has(einsum_mistake m) { return subscripts.wrong == m; }
  using dtype_type = promote_t<type_in<X>...>;
  static constexpr aval value = [] {
    aval a(dtype_of<dtype_type>, is_weak<dtype_type>);
    for (int k = 0; ok && k < subscripts.out.n; ++k) a.dims[a.rank++] = subscripts.size[subscripts.out.of[k]];
    return a;
  }();
  static constexpr einsum_path path = [] {
    if (!ok) return einsum_path{};
    return einsum_planner(subscripts).run();
  }();
};

// An operand with the indices of its axes.
struct einsum_term {
  handle x;
  index_list of;
};

class einsum_builder {
 public:
  constexpr einsum_builder(einsum_subscripts const& s, dtype type) : s_(s), type_(type) {}
  constexpr void push(handle const& x, index_list const& indices) { list_.push({x, indices}); }

  constexpr handle run(einsum_path const& path) {
    for (int k = 0; k < path.n; ++k) {
      einsum_term const right = list_[path.first[k]], left = list_[path.second[k]];
      arena<einsum_term> rest;
      for (int i = 0; i < list_.size(); ++i)
        if (i != path.first[k] && i != path.second[k]) rest.push(list_[i]);
      einsum_term const product = multiplied(left, right, wanted(left, right, rest, k + 1 == path.n));
      arena<einsum_term> next;
      for (int i = 0; i < list_.size(); ++i) {
        if (i == path.first[k]) next.push(product);
        else if (i != path.second[k]) next.push(list_[i]);
      }
      list_ = next;
    }
    einsum_term last = list_[0];
    if (path.n == 0) last = alone(last, s_.out);
    return untyped::convert(in_order(last, s_.out), type_);
  }

 private:
  // What the product of two must keep: the result's axes, or those that others need, in the order that needs no transposition: axes of
  // both, those of the first operand, those of the second.
  constexpr index_list wanted(einsum_term const& second, einsum_term const& first, arena<einsum_term> const& others, bool last) const {
    if (last) return s_.out;
    std::uint64_t needed = s_.out.mask();
    for (einsum_term const& t : others) needed |= t.of.mask();
    index_list l;
    for (bool in_both : {true, false})
      for (einsum_term const* t : {&first, &second})
        for (int k = 0; k < t->of.n; ++k) {
          int const i = t->of.of[k];
          if ((needed >> i & 1) && l.find(i) < 0 && (first.of.find(i) >= 0 && second.of.find(i) >= 0) == in_both) l.push(i);
        }
    return l;
  }
  constexpr handle summed(handle const& x, axis_set const& axes) const {
    if (axes.n == 0) return x;
    return untyped::reduce(prim::reduce_sum, untyped::convert(x, type_), axes);
  }
  // Axes of one index become their diagonal; those that nobody needs are summed.
  constexpr einsum_term alone(einsum_term t, index_list const& keep) const {
    for (int k = 0; k < t.of.n; ++k) {
      while (t.of.count(t.of.of[k]) > 1) {
        int other = k + 1;
        while (t.of.of[other] != t.of.of[k]) ++other;
        t = diagonal(t, k, other);
        k = 0;
      }
    }
    axis_set gone;
    index_list left;
    for (int k = 0; k < t.of.n; ++k) {
      if (keep.find(t.of.of[k]) < 0) gone.of[gone.n++] = k;
      else left.push(t.of.of[k]);
    }
    t.x = summed(t.x, gone);
    t.of = left;
    return t;
  }
  // Axes a and b, of one size, as one at the end. A step of n + 1 in the flattened axes goes along the diagonal.
  static constexpr einsum_term diagonal(einsum_term t, int a, int b) {
    aval const type = untyped::type_of(t.x);
    arena<int> permutation, flat;
    index_list left;
    for (int k = 0; k < type.rank; ++k)
      if (k != a && k != b) permutation.push(k), flat.push(type.dims[k]), left.push(t.of.of[k]);
    permutation.push(a);
    permutation.push(b);
    int const n = type.dims[a];
    flat.push(n * n);
    left.push(t.of.of[a]);
    handle const rows = untyped::reshape(untyped::transpose(t.x, permutation), flat);
    t.x = untyped::slice(rows, flat.size() - 1, 0, n == 0 ? 0 : (n - 1) * (n + 1) + 1, n + 1);
    t.of = left;
    return t;
  }
  // Without axes of 1 that meet larger ones.
  static constexpr einsum_term without_ones(einsum_term t, einsum_term const& other) {
    aval const type = untyped::type_of(t.x), others = untyped::type_of(other.x);
    axis_set gone;
    index_list left;
    for (int k = 0; k < t.of.n; ++k) {
      int const at = other.of.find(t.of.of[k]);
      if (type.dims[k] == 1 && at >= 0 && others.dims[at] != 1) gone.of[gone.n++] = k;
      else left.push(t.of.of[k]);
    }
    t.x = untyped::squeeze(t.x, gone);
    t.of = left;
    return t;
  }
  static constexpr index_list both(index_list a, index_list const& b) {
    for (int k = 0; k < b.n; ++k) a.push(b.of[k]);
    return a;
  }
  constexpr einsum_term multiplied(einsum_term left, einsum_term right, index_list const& keep) const {
    left = without_ones(left, right);
    right = without_ones(right, left);
    left = alone(left, both(keep, right.of));
    right = alone(right, both(keep, left.of));
    index_list batch, contracting, left_free, right_free;
    for (int k = 0; k < keep.n; ++k)
      if (left.of.find(keep.of[k]) >= 0 && right.of.find(keep.of[k]) >= 0) batch.push(keep.of[k]);
    for (int k = 0; k < left.of.n; ++k) {
      int const i = left.of.of[k];
      if (keep.find(i) < 0) contracting.push(i);
      else if (batch.find(i) < 0) left_free.push(i);
    }
    for (int k = 0; k < right.of.n; ++k)
      if (batch.find(right.of.of[k]) < 0 && contracting.find(right.of.of[k]) < 0) right_free.push(right.of.of[k]);
    if (contracting.n == 0) return product(left, right, keep);
    // The first operand comes first where the axes are in order then.
    if (both(both(batch, right_free), left_free) == keep) return {dot(right, left, batch, contracting), keep};
    return in_order_term({dot(left, right, batch, contracting), both(both(batch, left_free), right_free)}, keep);
  }
  constexpr handle dot(einsum_term const& a, einsum_term const& b, index_list const& batch, index_list const& contracting) const {
    param_list par;
    aval const s = untyped::type_of(a.x), t = untyped::type_of(b.x);
    aval out(type_);
    par.push(contracting.n);
    product_form form;
    for (int k = 0; k < contracting.n; ++k) par.push(a.of.find(contracting.of[k])), form.terms *= s.dims[par.at[par.n - 1]];
    for (int k = 0; k < contracting.n; ++k) par.push(b.of.find(contracting.of[k]));
    form.rhs_is_along_sum = par.at[par.n - 1] == t.rank - 1;
    par.push(batch.n);
    for (int k = 0; k < batch.n; ++k) par.push(a.of.find(batch.of[k])), out.dims[out.rank++] = s.dims[par.at[par.n - 1]];
    for (int k = 0; k < batch.n; ++k) par.push(b.of.find(batch.of[k]));
    for (int k = 0; k < a.of.n; ++k)
      if (batch.find(a.of.of[k]) < 0 && contracting.find(a.of.of[k]) < 0) form.rows *= out.dims[out.rank++] = s.dims[k];
    for (int k = 0; k < b.of.n; ++k)
      if (batch.find(b.of.of[k]) < 0 && contracting.find(b.of.of[k]) < 0) form.columns *= out.dims[out.rank++] = t.dims[k];
    par.push(static_cast<int>(type_));
    par.push(form.order());
    return untyped::record(prim::dot_general, a.x, b.x, par, out);
  }
  // Nothing is summed: both with all axes of the product, of size 1 where they have none.
  constexpr einsum_term product(einsum_term const& left, einsum_term const& right, index_list const& keep) const {
    handle const b = spread(left, keep), a = spread(right, keep);
    return {untyped::binary(prim::mul, a, b), keep};
  }
  constexpr handle spread(einsum_term const& t, index_list const& keep) const {
    arena<int> permutation;
    axis_set added;
    for (int k = 0; k < keep.n; ++k) {
      int const at = t.of.find(keep.of[k]);
      if (at >= 0) permutation.push(at);
      else added.of[added.n++] = k;
    }
    handle const typed = untyped::convert(t.x, type_);
    return untyped::expand_dims(untyped::transpose(typed, permutation), added);
  }
  static constexpr handle in_order(einsum_term const& t, index_list const& keep) {
    arena<int> permutation;
    for (int k = 0; k < keep.n; ++k) permutation.push(t.of.find(keep.of[k]));
    return untyped::transpose(t.x, permutation);
  }
  static constexpr einsum_term in_order_term(einsum_term const& t, index_list const& keep) { return {in_order(t, keep), keep}; }

  einsum_subscripts const& s_;
  dtype type_;
  arena<einsum_term> list_;
};

template <fixed_string Text>
struct einsum_op {
  template <operand... X>
  constexpr auto operator()(X const&... x) const {
    using plan = einsum_of<Text, X...>;
    // Truth values are counted, and the count compared with 0.
    using type = std::conditional_t<is_bool(plan::value.type), std::int32_t, strong_t<typename plan::dtype_type>>;
    einsum_builder b(plan::subscripts, dtype_of<type>);
    int k = 0;
    (b.push(untyped::from(expr_type<X>(as_traced(x))), plan::subscripts.in[k++]), ...);
    handle const r = b.run(plan::path);
    if constexpr (is_bool(plan::value.type)) return untyped::typed<plan>(untyped::binary(prim::ne, r, untyped::scalar<std::int32_t>(r, 0)));
    else return untyped::typed<plan>(untyped::convert(r, plan::value.type, plan::value.weak));
  }
};

// Conditions of static_asserts: compilers print the text and the operands' types.
template <class Plan>
inline constexpr bool has_letters = !Plan::has(einsum_mistake::character) && !Plan::has(einsum_mistake::ellipsis);
template <class Plan>
inline constexpr bool has_a_term_for_each_operand = !Plan::has(einsum_mistake::operands);
template <class Plan>
inline constexpr bool has_an_index_for_each_axis = !Plan::has(einsum_mistake::rank);
template <class Plan>
inline constexpr bool has_one_size_for_each_index = !Plan::has(einsum_mistake::sizes);
template <class Plan>
inline constexpr bool has_output_indices = !Plan::has(einsum_mistake::unknown_output) && !Plan::has(einsum_mistake::repeated_output);

template <class...>
inline constexpr bool takes_text_as_argument = false;

}  // namespace detail

// Terms of letters, one for each operand, one letter for each axis; equal letters are one index. Behind "->" the axes of the result:
// indices that are not there are summed. Without "->" those that appear once, in alphabetical order. "..." stands for any axes, which
// broadcast. A letter twice in a term is the diagonal. The promoted dtype. Refused: a text that is not of this form or does not fit the
// operands, sizes of an index that differ (jax.numpy.einsum).
template <detail::fixed_string Text, array_like... X>
constexpr auto einsum(X const&... x) {
  using plan = detail::einsum_of<Text, X...>;
  static_assert(detail::has_letters<plan>, "exprax: einsum: subscripts are letters, ',', '->', and at most one '...' in a term");
  static_assert(detail::has_a_term_for_each_operand<plan>,
                "exprax: einsum: the number of terms must be the number of operands (at most 16)");
  static_assert(detail::has_an_index_for_each_axis<plan>, "exprax: einsum: a term must have a letter for each axis of its operand");
  static_assert(detail::has_one_size_for_each_index<plan>,
                "exprax: einsum: the sizes of an index differ: axes with one letter must have one size, or 1");
  static_assert(detail::has_output_indices<plan>, "exprax: einsum: the result has an index that no operand has, or one twice");
  if constexpr (plan::ok) return detail::apply<detail::einsum_op<Text>>(x...);
  else return 0;  // after the error: nothing that leads to others
}
template <std::size_t N, array_like... X>
constexpr auto einsum(char const (&)[N], X const&...) {
  static_assert(detail::takes_text_as_argument<X...>,
                "exprax: einsum: the subscripts are a template argument: ex::einsum<\"ij,jk->ik\">(a, b)");
  return detail::after_an_error<X...>();
}

}  // namespace exprax
