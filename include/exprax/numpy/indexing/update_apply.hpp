// SPDX-License-Identifier: BSL-1.0
// x.at(index...).apply(f) (jax.lax.scatter_apply): f of what an index vector selects, written back. An element that several index
// vectors select goes through f once for each of them, so arrays of indices are a loop.
#pragma once

#include <exprax/api/control/scan.hpp>
#include <exprax/numpy/indexing/update.hpp>

namespace exprax::detail {

// One step of that loop: x and one index vector.
template <class E, class Plan, class Options, class F>
struct apply_step {
  F f;
  template <class X, class I>
  constexpr auto operator()(X const& x, I const& vector) const {
    constexpr gather_plan const& g = Plan::plan;
    using window = with_dtype_t<expr_from<typename Plan::window>, typename E::dtype_type>;
    gather_dimension_numbers n = g.numbers;
    for (int i = 0; i < n.offset_dims.n; ++i) n.offset_dims.of[i] = i;
    handle const h = expr_access::get(x), at = expr_access::get(vector);
    window const old = record_gather<window>(h, at, n, g.sizes, index_mode::clip, true, true, std::tuple<>{});
    window const fresh = cast<typename E::dtype_type>(f(old));
    handle const in[] = {h, at, expr_access::get(fresh)};
    index_mode const mode = primitive_mode(Options::mode, false);
    return std::tuple(expr_access::make<E>(equation(prim::scatter, in, scatter_params(transposed(n), mode, true, true), E::type)),
                      std::tuple<>{});
  }
};

template <class E, class... I>
struct apply_plan : gathered<E, I...> {
  using gathered<E, I...>::plan;
  // One window.
  struct window {
    static constexpr aval value = [] {
      aval a(E::type.type, E::type.weak);
      for (int i = 0; i < plan.numbers.offset_dims.n; ++i) a.dims[a.rank++] = plan.windows.dims[plan.numbers.offset_dims[i]];
      return a;
    }();
  };
  struct vectors {
    static constexpr aval value{dtype::i32, {static_cast<int>(plan.batch.size()), plan.numbers.start_index_map.n}};
  };
};

template <class Options, class E, class F, class... I>
constexpr E apply_at(E const& x, F const& f, I const&... index) {
  using by = apply_plan<E, I...>;
  if constexpr (by::plan.windows.size() == 0 || E::size() == 0) {
    return x;
  } else {
    using vectors = expr_from<typename by::vectors>;
    int const to[] = {vectors::extent(0), vectors::extent(1)};
    auto const all = expr_access::make<vectors>(equation(prim::reshape, index_vectors_for<Options>(x, index...), to, vectors::type));
    return std::get<0>(scan(apply_step<E, by, Options, F>{f}, x, all));
  }
}

}  // namespace exprax::detail
