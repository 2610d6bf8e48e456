// SPDX-License-Identifier: BSL-1.0
// associative_scan(fn, elems, axis<k>, reverse): the running combination of elements by an associative function, in logarithmic
// depth (jax.lax.associative_scan). fn(a, b) is called on many elements at once, so it must be elementwise over the axis. Where
// fn is not commutative, the earlier elements are its first argument; with reverse those at the end are the earlier ones:
// result[k] = fn(fn(x[n - 1], x[n - 2]), ... x[k]). Law: the equations are JAX's, and so is the rounding.
#pragma once

#include <exprax/api/control/scan.hpp>
#include <exprax/numpy/shape/joining.hpp>
#include <exprax/numpy/shape/transpose.hpp>

namespace exprax {

namespace detail {

// Rows start, start + stride, ... below limit of an axis: jax.lax.slice_in_dim.
template <class X, int Axis, int Start, int Limit, int Stride>
struct rows_shape {
  static constexpr aval value = [] {
    aval a = aval_in<X>;
    a.dims[Axis] = Limit > Start ? (Limit - Start + Stride - 1) / Stride : 0;
    return a;
  }();
  static constexpr param_list params = [] {
    param_list l;
    for (int i = 0; i < rank_in<X>; ++i) l.push(i == Axis ? Start : 0);
    for (int i = 0; i < rank_in<X>; ++i) l.push(i == Axis ? Limit : aval_in<X>.dims[i]);
    for (int i = 0; i < rank_in<X>; ++i) l.push(i == Axis ? Stride : 1);
    return l;
  }();
};
template <int Axis, int Start, int Limit, int Stride>
struct take_rows {
  template <tracer X>
  constexpr auto operator()(X const& x) const {
    using shape = rows_shape<X, Axis, Start, Limit, Stride>;
    return detail::bind<expr_from<shape>>(prim::slice, shape::params, x);
  }
};

// Every second row is one of a, the first among them; the others are those of b.
template <class X, int Axis, int Before, int Total>
struct spread_shape {
  static constexpr aval value = [] {
    aval a = aval_in<X>;
    a.dims[Axis] = Total;
    return a;
  }();
  static constexpr param_list params = [] {
    int const n = aval_in<X>.dims[Axis];
    param_list l;
    for (int i = 0; i < rank_in<X>; ++i) l.push(i == Axis ? Before : 0);
    for (int i = 0; i < rank_in<X>; ++i) l.push(i == Axis ? Total - Before - (2 * n - 1) : 0);
    for (int i = 0; i < rank_in<X>; ++i) l.push(i == Axis ? 1 : 0);
    return l;
  }();
};
template <int Axis>
struct interleave {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = type_in<A>;
    constexpr int total = A::extent(Axis) + B::extent(Axis);
    using even = spread_shape<A, Axis, 0, total>;
    using odd = spread_shape<B, Axis, 1, total>;
    using out = expr_from<even>;
    auto const x = detail::bind<out>(prim::pad, even::params, a, lit<type>{strong_t<type>(0)});
    auto const y = detail::bind<out>(prim::pad, odd::params, b, lit<type>{strong_t<type>(0)});
    return detail::bind<out>(is_bool(out::type.type) ? prim::or_ : prim::add, {}, x, y);
  }
};
template <int Axis>
struct put_before {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& a, B const& b) const {
    return joined<Axis>(a, b);
  }
};
template <int Axis>
struct reverse_rows {
  template <tracer X>
  constexpr X operator()(X const& x) const {
    return detail::bind<X>(prim::rev, axis_params<Axis>, x);
  }
};
struct as_dtype_of {
  template <class X, class Y>
  constexpr auto operator()(X const& x, Y const&) const {
    return convert_to<typename Y::dtype_type>(x);
  }
};

template <class List>
struct first_leaf;
template <class First, class... Rest>
struct first_leaf<type_list<First, Rest...>> {
  using type = First;
};
// Their arguments are printed with the static_asserts.
template <int Axis, class... Leaf>
inline constexpr bool have_this_axis = ((Axis >= 0 && Axis < Leaf::rank) && ...);
template <int Axis, class First, class... Leaf>
inline constexpr bool have_one_size = ((Leaf::type.dims[Axis] == First::type.dims[Axis]) && ...);
template <class Given, class Made>
inline constexpr bool keeps_shapes_and_dtypes = false;
template <class... G, class... M>
  requires(sizeof...(G) == sizeof...(M))
inline constexpr bool keeps_shapes_and_dtypes<type_list<G...>, type_list<M...>> = (G::type.matches(M::type) && ...);

template <class Given, class Made>
constexpr bool check_combination() {
  static_assert(
      keeps_shapes_and_dtypes<leaves_t<Given>, leaves_t<Made>>,
      "exprax: associative_scan: fn must return values of the structure, shapes and dtypes of its arguments (this message names both)");
  return keeps_shapes_and_dtypes<leaves_t<Given>, leaves_t<Made>>;
}

// fn of two trees of rows, as a tree of the same types.
template <class F, class Elems>
constexpr Elems combine(F const& fn, Elems const& a, Elems const& b) {
  return map_values(as_dtype_of{}, lift_tree(fn(a, b)), a);
}

template <int Axis, class F, class Elems>
constexpr Elems scan_pairs(F const& fn, Elems const& elems) {
  constexpr int n = first_leaf<leaves_t<Elems>>::type::extent(Axis);
  if constexpr (n < 2) {
    return elems;
  } else {
    auto const firsts = map_values(take_rows<Axis, 0, n - 1, 2>{}, elems);
    auto const seconds = map_values(take_rows<Axis, 1, n, 2>{}, elems);
    using rows = std::remove_const_t<decltype(firsts)>;
    if constexpr (check_combination<rows, lifted_tree_t<decltype(fn(firsts, seconds))>>()) {
      auto const odd = scan_pairs<Axis>(fn, combine(fn, firsts, seconds));
      auto const later = [&] {
        if constexpr (n % 2 == 0) {
          auto const earlier = map_values(take_rows<Axis, 0, n / 2 - 1, 1>{}, odd);
          return combine(fn, earlier, map_values(take_rows<Axis, 2, n, 2>{}, elems));
        } else {
          return combine(fn, odd, map_values(take_rows<Axis, 2, n, 2>{}, elems));
        }
      }();
      auto const even = map_values(put_before<Axis>{}, map_values(take_rows<Axis, 0, 1, 1>{}, elems), later);
      return map_values(interleave<Axis>{}, even, odd);
    } else {
      return elems;  // after the error: nothing that leads to others
    }
  }
}

template <class Elems, class Tags, class First = typename first_leaf<leaves_t<Elems>>::type>
struct associative_axis {
  static constexpr int value = normal_axis(Tags::axis, First::rank);
  template <class... Leaf>
  static constexpr bool check(type_list<Leaf...>) {
    static_assert(have_this_axis<value, Leaf...>, "exprax: associative_scan: the axis is out of range for an array");
    if constexpr (have_this_axis<value, Leaf...>) {
      static_assert(have_one_size<value, Leaf...>,
                    "exprax: associative_scan: the arrays must have the same size along the axis (this message names them)");
      return have_one_size<value, Leaf...>;
    } else {
      return false;
    }
  }
  static constexpr bool ok = check(leaves_t<Elems>{});
};

template <class Tags, class F, class Elems>
constexpr auto record_associative_scan(F const& fn, Elems const& elems) {
  using found = associative_axis<Elems, Tags>;
  if constexpr (!found::ok) return elems;  // after the error: nothing that leads to others
  else if constexpr (!Tags::reverse) return scan_pairs<found::value>(fn, elems);
  else return map_values(reverse_rows<found::value>{}, scan_pairs<found::value>(fn, map_values(reverse_rows<found::value>{}, elems)));
}

// As a stateless callable, for arrays.
template <class F, class Tags>
struct associative_scan_of {
  template <class Elems>
  constexpr auto operator()(Elems const& elems) const {
    return record_associative_scan<Tags>(F{}, elems);
  }
};

}  // namespace detail

// The running combination fn(... fn(x[0], x[1]) ..., x[k]) along axis<k> (0) of an array, or of a pytree of arrays of one size along the
// axis; shapes and dtypes stay. Fewer than two elements are returned as they are. Refused: an axis out of range, sizes that differ, an fn
// that returns other shapes (jax.lax.associative_scan).
inline constexpr struct associative_scan_function {
  template <class F, class Elems, class... Tags>
  constexpr auto operator()(F const& fn, Elems const& elems, Tags...) const {
    EXPRAX_TAKES("associative_scan", "axis<k>, reverse", Tags...) {
      using tags = detail::running_tags<Tags...>;
      if constexpr (detail::check_arguments<Elems>()) {
        if constexpr (detail::takes_arrays<Elems> && detail::is_stateless<F>)
          return jit(detail::associative_scan_of<F, tags>{})(elems);
        else if constexpr (detail::is_free<Elems> && detail::is_stateless<F>)
          return detail::defer<detail::associative_scan_of<F, tags>>(
              [&] { return detail::record_associative_scan<tags>(fn, detail::lift_tree(elems)); }, elems);
        else return detail::record_associative_scan<tags>(fn, detail::lift_tree(elems));
      }
    } else {
      return elems;
    }
  }
} associative_scan{};

}  // namespace exprax
