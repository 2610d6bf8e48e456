// SPDX-License-Identifier: BSL-1.0
// linalg::eigh, eigvalsh: eigenvalues of symmetric and Hermitian matrices in ascending order, and eigenvectors as columns
// (jax.numpy.linalg), by Jacobi's rotations (Golub and Van Loan, Matrix Computations, 8.5). A step makes n / 2 rotations of rows that do
// not meet: row i of the upper half with row i of the lower one; then the rows move on as in a tournament (Brent and Luk 1985), so that in
// n - 1 steps each meets each.
#pragma once

#include <exprax/api/control/fori_loop.hpp>
#include <exprax/api/control/while_loop.hpp>
#include <exprax/api/derivatives/custom_jvp.hpp>
#include <exprax/numpy/indexing/at.hpp>
#include <exprax/numpy/linalg/triangular.hpp>
#include <exprax/numpy/products/matmul.hpp>
#include <exprax/numpy/sorting/sorting.hpp>

namespace exprax {

namespace detail {

// The first one stays, the others go round: along the upper half to the right, along the lower one to the left.
constexpr handle next_round(handle const& x, int axis) {
  int const n = untyped::type_of(x).dims[axis], half = n / 2;
  if (n <= 2) return x;
  arena<handle> parts;
  parts.push(untyped::slice(x, axis, 0, 1));
  parts.push(untyped::slice(x, axis, half, half + 1));
  parts.push(untyped::slice(x, axis, 1, half - 1));
  parts.push(untyped::slice(x, axis, half + 1, n));
  parts.push(untyped::slice(x, axis, half - 1, half));
  return untyped::concatenate(parts, axis);
}
// Rows i and n / 2 + i rotated by the angles with cosines c and sines s: (c p - s q, s p + c q).
constexpr handle rotated(handle const& x, int axis, handle const& c, handle const& s) {
  int const n = untyped::type_of(x).dims[axis];
  handle const p = untyped::slice(x, axis, 0, n / 2), q = untyped::slice(x, axis, n / 2, n);
  arena<handle> parts;
  parts.push(untyped::binary(prim::sub, untyped::binary(prim::mul, c, p), untyped::binary(prim::mul, s, q)));
  parts.push(untyped::binary(prim::add, untyped::binary(prim::mul, s, p), untyped::binary(prim::mul, c, q)));
  return untyped::concatenate(parts, axis);
}
// Cosine and sine of the rotation that makes the element between p and q zero; the smaller angle of the two.
template <class V>
constexpr std::tuple<V, V> jacobi_angle(V const& pp, V const& pq, V const& qq) {
  auto const is_zero = equal(pq, 0);
  auto const safe = where(is_zero, 1, pq);
  auto const theta = divide(subtract(qq, pp), multiply(2, safe));
  auto const size = abs(theta);
  auto const root = sqrt(add(multiply(theta, theta), 1));
  // theta^2 overflows where the angle is next to 0.
  auto const t_size = where(greater(size, 1e15f), divide(0.5f, size), divide(1, add(size, root)));
  auto const t = where(is_zero, 0, where(less(theta, 0), negative(t_size), t_size));
  auto const c = divide(1, sqrt(add(multiply(t, t), 1)));
  auto const s = multiply(t, c);
  return {V(c), V(s)};
}

// The direction e^(i phi) of complex numbers, 1 of 0 and of those so small that they have none. A rotation of rows p and e^(i phi) q
// makes real what stands between them.
template <class V>
constexpr V direction_of(V const& x) {
  using limits = std::numeric_limits<strong_t<real_part_t<typename V::dtype_type>>>;
  auto const size = abs(x);
  auto const is_zero = less(size, limits::min() / limits::epsilon());
  return where(is_zero, 1, divide(x, where(is_zero, 1, size)));
}
// The lower half of the rows (or columns) by factors.
constexpr handle with_directions(handle const& x, int axis, handle const& factors) {
  int const n = untyped::type_of(x).dims[axis];
  arena<handle> parts;
  parts.push(untyped::slice(x, axis, 0, n / 2));
  parts.push(untyped::binary(prim::mul, factors, untyped::slice(x, axis, n / 2, n)));
  return untyped::concatenate(parts, axis);
}
template <tracer X>
constexpr auto real_parts(X const& x) {
  if constexpr (has_complex_elements<X>) return real(x);
  else return x;
}

struct jacobi_eigen {
  // Eigenvalues and eigenvectors in the rows of the second result, in any order.
  template <class T, int N>
  constexpr auto operator()(expr<T, N, N> const& given) const {
    using matrix = expr<T, N, N>;
    using half = expr<T, N / 2>;
    auto const step = [](auto state, auto) {
      matrix const a = std::get<0>(state);
      matrix const v = std::get<1>(state);
      handle const h = untyped::from(a);
      int const flat = N * N, m = N / 2;
      // The diagonals of the four quarters.
      handle const line = untyped::reshape(h, {&flat, 1});
      half const pp = untyped::as<half>(untyped::slice(line, 0, 0, (m - 1) * (N + 1) + 1, N + 1));
      half const qq = untyped::as<half>(untyped::slice(line, 0, m * (N + 1), N * N, N + 1));
      half const pq = untyped::as<half>(untyped::slice(line, 0, m, m + (m - 1) * (N + 1) + 1, N + 1));
      auto const angle = [&] {
        if constexpr (has_complex_elements<half>) return jacobi_angle(real(pp), abs(pq), real(qq));
        else return jacobi_angle(pp, pq, qq);
      }();
      half const c = as_expr<T>(std::get<0>(angle));
      half const s = as_expr<T>(std::get<1>(angle));
      handle left = h, right, basis = untyped::from(v);
      if constexpr (has_complex_elements<half>) {
        half const e = direction_of(pq);
        auto const e_rows = expanded<1>(e);
        left = with_directions(left, 0, untyped::from(e_rows));
        basis = with_directions(basis, 0, untyped::from(e_rows));
      }
      auto const c_rows = expanded<1>(c);
      auto const s_rows = expanded<1>(s);
      auto const c_columns = expanded<0>(c);
      auto const s_columns = expanded<0>(s);
      right = rotated(left, 0, untyped::from(c_rows), untyped::from(s_rows));
      if constexpr (has_complex_elements<half>) {
        auto const e_columns = expanded<0>(conjugated(direction_of(pq)));
        right = with_directions(right, 1, untyped::from(e_columns));
      }
      handle const both = rotated(right, 1, untyped::from(c_columns), untyped::from(s_columns));
      handle const vectors = rotated(basis, 0, untyped::from(c_rows), untyped::from(s_rows));
      return std::tuple(std::tuple(untyped::as<matrix>(next_round(next_round(both, 0), 1)), untyped::as<matrix>(next_round(vectors, 0))),
                        none);
    };
    auto const sweep = [step](auto state) {
      auto const rotated_once = scan(step, std::tuple(std::get<0>(state), std::get<1>(state)), length<(N > 2 ? N - 1 : 1)>);
      auto const after = std::get<0>(rotated_once);
      return std::tuple(std::get<0>(after), std::get<1>(after), add(std::get<2>(state), 1));
    };
    // Until what is beside the diagonal is nothing to what is on it.
    auto const goes_on = [](auto state) {
      auto const a = std::get<0>(state);
      auto const all_squares = sum(squared_magnitude(a));
      auto const rest = sum(squares_beside(a));
      constexpr auto epsilon = std::numeric_limits<strong_t<real_part_t<T>>>::epsilon();
      auto const limit = multiply(all_squares, epsilon * epsilon / 64);
      return logical_and(greater(rest, limit), less(std::get<2>(state), 30));
    };
    expr<std::int32_t> const none_yet = constant_like<expr<std::int32_t>>(given, 0);
    auto const result = while_loop(goes_on, sweep, std::tuple(given, matrix(exprax::eye<T, N>()), none_yet));
    return std::tuple(real_parts(diagonal_body<0, 0, 1>{}(std::get<0>(result))), std::get<1>(result));
  }

 private:
  template <class T, int N>
  static constexpr auto squares_beside(expr<T, N, N> const& a) {
    if constexpr (is_complex(dtype_of<T>)) return squared_magnitude(expr<T, N, N>(where(exprax::eye<bool, N>(), 0, a)));
    else return multiply(where(exprax::eye<bool, N>(), 0, a), where(exprax::eye<bool, N>(), 0, a));
  }
};
// With an even number of rows: one of zeros more.
struct eigen_pairs {
  template <class T, int N>
  constexpr std::tuple<expr<real_part_t<T>, N>, expr<T, N, N>> operator()(expr<T, N, N> const& a) const {
    if constexpr (N <= 1) {
      auto const values = real_parts(reshaped<N>(a));
      return {expr<real_part_t<T>, N>(values), constant_like<expr<T, N, N>>(a, strong_t<T>(1))};
    } else if constexpr (N % 2 == 0) {
      return jacobi_eigen{}(a);
    } else {
      auto const wide = pad_body<0, 1>{}(a, expr<T>(as_expr<T>(0)));
      auto const pairs = jacobi_eigen{}(wide);
      auto const vectors = std::get<1>(pairs);
      return {index_read(std::get<0>(pairs), exprax::slice<0, N>), index_read(vectors, exprax::slice<0, N>, exprax::slice<0, N>)};
    }
  }
};
// Of a matrix that is its own adjoint: the eigenvalues in ascending order, and with Vectors the eigenvectors as columns.
template <bool Vectors>
struct sorted_eigen_pairs {
  template <class T, int N>
  constexpr auto operator()(expr<T, N, N> const& a) const {
    auto const pairs = eigen_pairs{}(a);
    auto const values = std::get<0>(pairs);
    if constexpr (!Vectors) {
      return exprax::sort(values);
    } else {
      auto const order = exprax::argsort(values);
      auto const vectors = std::get<1>(pairs);
      auto const sorted_values = vmap([values](auto i) { return values(i); })(order);
      auto const rows = vmap([vectors](auto i) { return vectors(i); })(order);
      return std::tuple(sorted_values, conjugated(transpose_op<1, 0>{}(rows)));
    }
  }
};
// jax.lax.linalg's eigh_jvp_rule: with D = v^H da v, dw is the diagonal of D, and dv is v times D / (w_j - w_i) beside it.
template <class T, int N>
constexpr expr<T, N, N> turned_by(expr<T, N, N> const& v, expr<T, N, N> const& da) {
  return matmul(conjugated(transpose_op<1, 0>{}(v)), matmul(da, v));
}
struct eigen_pairs_rule {
  template <class T, int N, class W>
  constexpr auto operator()(std::tuple<expr<T, N, N>> const&, std::tuple<W, expr<T, N, N>> const& pairs,
                            std::tuple<expr<T, N, N>> const& by) const {
    auto const& [w, v] = pairs;
    auto const turned = turned_by(v, std::get<0>(by));
    auto const dw = real_parts(diagonal_body<0, 0, 1>{}(turned));
    auto const unit = exprax::eye<strong_t<real_part_t<T>>, N>();
    auto const gaps = add(unit, subtract(expanded<0>(w), expanded<1>(w)));
    return std::tuple(dw, matmul(v, multiply(subtract(divide(1, gaps), unit), turned)));
  }
};
inline constexpr auto differentiable_eigen_pairs = custom_jvp_of_results(sorted_eigen_pairs<true>{}, eigen_pairs_rule{});
struct eigenvalues_rule {
  template <class T, int N>
  constexpr auto operator()(std::tuple<expr<T, N, N>> const& at, std::tuple<expr<T, N, N>> const& by) const {
    auto const pairs = differentiable_eigen_pairs(std::get<0>(at));
    auto const turned = turned_by(std::get<1>(pairs), std::get<0>(by));
    return std::tuple(std::get<0>(pairs), real_parts(diagonal_body<0, 0, 1>{}(turned)));
  }
};
template <bool Symmetrize, bool Vectors, bool Upper>
struct eigh_of {
  template <class T, int N>
  constexpr auto operator()(expr<T, N, N> const& given) const {
    expr<T, N, N> a = given;
    if constexpr (Symmetrize) {
      auto const adjoint = conjugated(transpose_op<1, 0>{}(a));
      a = divide(add(a, adjoint), 2);
    } else {
      auto const from = triangle_op<0, !Upper>{}(a);
      auto const strict = triangle_op<Upper ? 1 : -1, !Upper>{}(a);
      a = add(from, conjugated(transpose_op<1, 0>{}(strict)));
    }
    if constexpr (Vectors) return differentiable_eigen_pairs(a);
    else return custom_jvp(sorted_eigen_pairs<false>{}, eigenvalues_rule{})(a);
  }
};
template <bool Symmetrize, bool Vectors, bool Upper>
struct eigh_op {
  template <operand A>
  constexpr auto operator()(A const& a) const {
    return named_call<each_matrix_op<eigh_of<Symmetrize, Vectors, Upper>>>(Vectors ? "eigh" : "eigvalsh", a);
  }
};

}  // namespace detail

namespace linalg {

// (w, v) of (a + a^H) / 2: a v[:, i] = w[i] v[:, i], w ascending, the columns of v orthonormal. [..., n, n] -> [..., n] and [..., n, n]; w
// is real, of complex matrices too; integers become float32 (x64: float64). Refused: matrices that are not square (jax.numpy.linalg.eigh).
inline constexpr struct eigh_function {
  template <array_like A>
  constexpr auto operator()(A const& a) const {
    static_assert(detail::is_square<A>, "exprax: linalg.eigh: the argument must be square matrices");
    if constexpr (detail::is_square<A>) return detail::apply<detail::eigh_op<true, true, false>>(a);
    else return a;  // after the error: nothing that leads to others
  }
} eigh{};
// w alone: [..., n, n] -> [..., n] (jax.numpy.linalg.eigvalsh).
inline constexpr struct eigvalsh_function {
  template <array_like A>
  constexpr auto operator()(A const& a) const {
    static_assert(detail::is_square<A>, "exprax: linalg.eigvalsh: the argument must be square matrices");
    if constexpr (detail::is_square<A>) return detail::apply<detail::eigh_op<true, false, false>>(a);
    else return a;  // after the error: nothing that leads to others
  }
} eigvalsh{};

}  // namespace linalg

}  // namespace exprax
