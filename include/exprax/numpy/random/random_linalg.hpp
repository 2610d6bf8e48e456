// SPDX-License-Identifier: BSL-1.0
// Random vectors and matrices (jax.random): multivariate_normal and orthogonal.
#pragma once

#include <exprax/numpy/linalg/matrix_functions.hpp>
#include <exprax/numpy/linalg/qr.hpp>
#include <exprax/numpy/linalg/triangular.hpp>
#include <exprax/numpy/products/matmul.hpp>
#include <exprax/numpy/random/random_scaled.hpp>

namespace exprax {

namespace detail {

// The axes of x without the last N.
template <class X, int N>
struct leading_shape {
  static constexpr aval value = [] {
    aval a = aval_in<X>;
    a.rank = a.rank < N ? 0 : a.rank - N;
    for (int i = a.rank; i < max_rank; ++i) a.dims[i] = 0;
    return a;
  }();
};
// The shape of the samples: asked for, or that in which means and covariances meet; with the last axis of a mean.
template <class Dims, class Mean, class Cov>
struct vector_shape {
  static constexpr aval means = leading_shape<Mean, 1>::value, covs = leading_shape<Cov, 2>::value;
  static constexpr aval batch = [] {
    if constexpr (Dims::rank > 0) return aval_of_dims<Dims>(dtype::f32);
    else return broadcast(means, covs).shape;
  }();
  static constexpr int n = rank_in<Mean> > 0 ? aval_in<Mean>.dims[rank_in<Mean> - 1] : -1;
  static constexpr bool fits = [] {
    int const r = rank_in<Cov>;
    if (n < 0 || r < 2 || aval_in<Cov>.dims[r - 1] != n || aval_in<Cov>.dims[r - 2] != n || !broadcast(means, covs).fits) return false;
    return broadcast(batch, means).shape.same_shape(batch) && broadcast(batch, covs).shape.same_shape(batch);
  }();
  static constexpr aval value = batch.with_axis(batch.rank, n);
};

template <class T, class Dims>
struct multivariate_normal_body {
  static constexpr std::string_view name = "_multivariate_normal";
  template <tracer Mean, tracer Cov>
  constexpr auto operator()(expr<prng_key> const& key, Mean const& mean, Cov const& cov) const {
    auto const factor = linalg::cholesky(to_dtype<T>(cov));
    auto const z = normal_of_key<T, typename dims_of<vector_shape<Dims, Mean, Cov>>::type>(key);
    return add(to_dtype<T>(mean), squeeze(matmul(factor, expand_dims(z, axis<-1>)), axis<-1>));
  }
};

// Q of a matrix of normal numbers, with the signs of the diagonal of R.
template <class T, class Dims>
struct orthogonal_body {
  static constexpr std::string_view name = "_orthogonal";
  constexpr auto operator()(expr<prng_key> const& key) const {
    auto const [q, r] = linalg::qr(normal_of_key<T, Dims>(key));
    return multiply(q, expand_dims(sign(linalg::diagonal(r)), axis<-2>));
  }
};

}  // namespace detail

namespace random {

// Vectors of these means and covariances, by Cholesky's factor: mean [..., n], cov [..., n, n], positive definite -> [Dims..., n], or with
// the leading axes to which both broadcast; default_float if no dtype is given. Refused: other shapes, a dtype that is not floating
// (jax.random.multivariate_normal).
template <class T, int... Dims, array_like Key, array_like Mean, array_like Cov>
constexpr auto multivariate_normal(Key const& key, Mean const& mean, Cov const& cov) {
  using shape = detail::vector_shape<detail::dims<Dims...>, Mean, Cov>;
  static_assert(
      shape::fits,
      "exprax: random::multivariate_normal: requires a mean [..., n] and a cov [..., n, n] whose leading axes broadcast to the shape");
  if constexpr (detail::check_float_dtype<T>() && shape::fits)
    return detail::with_key<detail::named_random_op<detail::multivariate_normal_body<T, detail::dims<Dims...>>>>(key, mean, cov);
}
template <int... Dims, array_like Key, array_like Mean, array_like Cov>
constexpr auto multivariate_normal(Key const& key, Mean const& mean, Cov const& cov) {
  return multivariate_normal<default_float, Dims...>(key, mean, cov);
}
// Orthogonal matrices, evenly distributed: orthogonal<3>(key), orthogonal<double, 3, shape...>(key): [Dims..., N, N], default_float if no
// dtype is given. Refused: a dtype that is not floating (jax.random.orthogonal).
template <class T, int N, int... Dims, array_like Key>
constexpr auto orthogonal(Key const& key) {
  if constexpr (detail::check_float_dtype<T>())
    return detail::with_key<detail::named_random_op<detail::orthogonal_body<T, detail::dims<Dims..., N, N>>>>(key);
}
template <int N, int... Dims, array_like Key>
constexpr auto orthogonal(Key const& key) {
  return orthogonal<default_float, N, Dims...>(key);
}

}  // namespace random

}  // namespace exprax
