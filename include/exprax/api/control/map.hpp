// SPDX-License-Identifier: BSL-1.0
// map(f, xs, batch_size<b>): f(x) for each x along the first axis of xs, one after the other, and the stacked results (jax.lax.map): a scan
// without a carry. With batch_size<b>, n / b iterations of vmap(f) on b elements each, and one vmap(f) on the remaining elements;
// batch_size<0> is vmap. xs and the result of f are pytrees. f may capture traced values.
#pragma once

#include <exprax/api/control/scan.hpp>
#include <exprax/api/vmap/vmap.hpp>

namespace exprax {

template <int B>
struct batch_size_t {
  static_assert(B >= 0, "exprax: map: batch_size<b> must not be negative");
};
// The number of elements that map processes at once.
template <int B>
inline constexpr batch_size_t<B> batch_size{};

namespace detail {

// Rows First to First + Count - 1 along the first axis.
template <class X, int First, int Count>
struct row_range {
  static constexpr aval value = X::type.without_axis(0).with_axis(0, Count);
  struct limits {
    int of[2 * X::rank];
  };
  static constexpr limits params = [] {
    limits p{};
    for (int i = 0; i < X::rank; ++i) p.of[X::rank + i] = X::type.dims[i];
    p.of[0] = First;
    p.of[X::rank] = First + Count;
    return p;
  }();
};
template <int First, int Count>
struct take_range {
  template <class X>
  constexpr auto operator()(X const& x) const {
    using range = row_range<X, First, Count>;
    if constexpr (Count == X::extent(0)) return x;
    else return detail::bind<expr_from<range>>(prim::slice, range::params.of, x);
  }
};

// Splits the first axis into two, of sizes Turns and Size; and the inverse.
template <class X, int Turns, int Size>
struct in_blocks {
  static constexpr aval value = X::type.without_axis(0).with_axis(0, Size).with_axis(0, Turns);
};
template <class X>
struct without_blocks {
  static constexpr aval value = X::type.without_axis(0).without_axis(0).with_axis(0, X::extent(0) * X::extent(1));
};
template <class Shape, class X>
constexpr auto reshape_as(X const& x) {
  using out = expr_from<Shape>;
  return detail::bind<out>(prim::reshape, span<int>{out::type.dims, out::rank}, x);
}
template <int Turns, int Size>
struct split_rows {
  template <class X>
  constexpr auto operator()(X const& x) const {
    return reshape_as<in_blocks<X, Turns, Size>>(take_range<0, Turns * Size>{}(x));
  }
};
// The same; the remaining elements go to rest.
template <int Turns, int Size, int Left>
struct split_all_rows {
  arena<handle>* rest;
  template <class X>
  constexpr auto operator()(X const& x) const {
    auto const blocks = split_rows<Turns, Size>{}(x);
    rest->push(expr_access::get(take_range<Turns * Size, Left>{}(x)));
    return blocks;
  }
};
struct join_blocks {
  template <class X>
  constexpr auto operator()(X const& x) const {
    return reshape_as<without_blocks<X>>(x);
  }
};
template <class X, int More>
struct with_more_rows {
  static constexpr aval value = X::type.without_axis(0).with_axis(0, X::extent(0) + More);
};
struct append_rows {
  template <class X, class Y>
  constexpr auto operator()(X const& blocks, Y const& rest) const {
    auto const rows = join_blocks{}(blocks);
    int const axis[] = {0};
    return detail::bind<expr_from<with_more_rows<std::remove_const_t<decltype(rows)>, Y::extent(0)>>>(prim::concatenate, axis, rows, rest);
  }
};

template <int N>
struct with_rows {
  template <class Leaf>
  struct leaf {
    using type = expr_from<row_range<Leaf, 0, N>>;
  };
};

template <class F, class Xs>
constexpr auto record_map(F const& f, Xs const& xs) {
  auto const body = [&f](auto, auto x) {
    auto row = std::make_tuple(x);
    return std::tuple(none, lift_result(f, row));
  };
  return std::get<1>(scan(body, none, xs));
}
template <int B, class F, class Xs>
constexpr auto record_batched_map(F const& f, Xs const& xs) {
  constexpr int n = scan_length<Xs, scan_options<>>::value;
  constexpr int turns = B == 0 ? 0 : n / (B == 0 ? 1 : B), left = n - turns * B;
  vmapped<F, vmap_options<>> const all{f};
  if constexpr (turns == 0) {
    return all(xs);
  } else if constexpr (left == 0) {
    return map_values(join_blocks{}, record_map(all, map_values(split_rows<turns, B>{}, xs)));
  } else {
    arena<handle> rest;
    auto const blocks = map_values(split_all_rows<turns, B, left>{&rest}, xs);
    map_t<Xs, with_rows<left>::template leaf> last{};
    int k = 0;
    assign_leaves(last, [&](aval const&) { return rest[k++]; });
    return map_values(append_rows{}, record_map(all, blocks), all(last));
  }
}

// As a stateless callable, for arrays. B: the batch size, or -1.
template <class F, int B>
struct map_of {
  template <class Xs>
  constexpr auto operator()(Xs const& xs) const {
    if constexpr (B < 0) return record_map(F{}, xs);
    else return record_batched_map<B>(F{}, xs);
  }
};

template <int B, class F, class Xs>
constexpr auto map_by(F const& f, Xs const& xs) {
  if constexpr (check_arguments<Xs>()) {
    using rows = scan_length<to_expr_t<Xs>, scan_options<>>;
    static_assert(rows::leading, "exprax: scan got a value with no leading axis to scan over: xs must have rank 1 or more");
    static_assert(scanned_sizes_are_one<typename rows::sizes>,
                  "exprax: scan got values with different leading axis sizes: this message names them");
    static_assert(!rows::leading || rows::value >= 0, "exprax: scan got no values to scan over: give xs with at least one array");
    if constexpr (rows::ok) {
      using row = row_of_t<Xs>;
      if constexpr (!can_be_called<F, row>) {
        static_assert(can_be_called<F, row>,
                      "exprax: map: the function cannot be called with an element of xs, whose type this message names: it takes one "
                      "argument, auto; several are the parts of a tuple");
        return after_an_error<Xs>();
      } else if constexpr (takes_arrays<Xs> && is_stateless<F>) return jit(map_of<F, B>{})(xs);
      else if constexpr (is_free<Xs> && is_stateless<F>) return defer<map_of<F, B>>([&] { return map_of<F, B>{}(lift_tree(xs)); }, xs);
      else if constexpr (B < 0) return record_map(f, lift_tree(xs));
      else return record_batched_map<B>(f, lift_tree(xs));
    } else {
      return after_an_error<Xs>();
    }
  }
}

}  // namespace detail

template <class F, class Xs>
constexpr auto map(F const& f, Xs const& xs) {
  return detail::map_by<-1>(f, xs);
}
template <class F, class Xs, int B>
constexpr auto map(F const& f, Xs const& xs, batch_size_t<B>) {
  return detail::map_by<B>(f, xs);
}

}  // namespace exprax
