// SPDX-License-Identifier: BSL-1.0
// ex::fft: discrete Fourier transforms (jax.numpy.fft): fft, ifft, rfft, irfft, hfft, ihfft along one axis, fft2, ... along two, fftn, ...
// along several.
// Longer than 300 lines: many functions of a few lines each.
#pragma once

#include <exprax/numpy/fft/fft_options.hpp>
#include <exprax/numpy/fft/fft_rows.hpp>
#include <exprax/numpy/indexing/gather_numbers.hpp>

namespace exprax {

namespace detail {

// The floating dtype of the parts of X.
template <class X, class S = strong_t<type_in<X>>>
struct part_type {
  using type = std::conditional_t<std::is_same_v<S, double>, double, float>;
};
template <class X, class F>
struct part_type<X, std::complex<F>> {
  using type = F;
};

// Which axes have how many points. N: 1, 2 or 0 for any number of axes.
template <class X, fft_kind Kind, int N, class Tags>
struct fft_plan {
  static constexpr int rank = rank_in<X>, given = Tags::sizes.n;
  static constexpr int count = Tags::has_axes ? Tags::axes.n : N > 0 ? N : given > 0 ? given : rank;
  static constexpr bool count_fits = (N == 0 || count == N) && (given == 0 || given == count) && count <= rank;
  static constexpr dimension_list axes = [] {
    dimension_list l;
    for (int k = 0; k < count && k < max_rank; ++k) l.push(Tags::has_axes ? normal_axis(Tags::axes.of[k], rank) : rank - count + k);
    return l;
  }();
  static constexpr bool axes_fit = count_fits && [] {
    for (int k = 0; k < count; ++k) {
      if (axes.of[k] < 0 || axes.of[k] >= rank) return false;
      for (int j = 0; j < k; ++j)
        if (axes.of[j] == axes.of[k]) return false;
    }
    return true;
  }();
  static constexpr bool is_last(int k) { return k == count - 1; }
  static constexpr int points(int k) {
    int const have = aval_in<X>.dims[axes.of[k]];
    return given > 0 ? Tags::sizes.of[k] : Kind == fft_kind::from_half && is_last(k) ? 2 * (have - 1) : have;
  }
  // How many elements the transform reads along an axis, and how many it makes.
  static constexpr int taken(int k) { return Kind == fft_kind::from_half && is_last(k) ? points(k) / 2 + 1 : points(k); }
  static constexpr int made(int k) { return Kind == fft_kind::to_half && is_last(k) ? points(k) / 2 + 1 : points(k); }
  static constexpr bool has_points = axes_fit && [] {
    for (int k = 0; k < count; ++k)
      if (points(k) < 0 || (points(k) == 0 && (given > 0 || Kind != fft_kind::whole))) return false;
    return true;
  }();
  using part = typename part_type<X>::type;
  static constexpr aval value = [] {
    aval a(dtype_of<part>);
    a.rank = rank;
    for (int i = 0; i < rank; ++i) a.dims[i] = aval_in<X>.dims[i];
    for (int k = 0; has_points && k < count; ++k) a.dims[axes.of[k]] = made(k);
    return a;
  }();
  // Inverse: whether the transform is divided where the rule is backward.
  static constexpr double scale(bool inverse) {
    double all = 1;
    for (int k = 0; k < count; ++k) all *= points(k);
    if (Tags::norm == fft::norm_rule::ortho) return 1 / square_root(all);
    return (Tags::norm == fft::norm_rule::backward) == inverse ? 1 / all : 1;
  }

 private:
  static constexpr double square_root(double x) {
    lane<double> const root = primitive<prim::sqrt>::kernel(lane<double>(x));
    return root.value;
  }
};

// Back: the roots with the other sign. Mirrored: conjugated before a transform from halves, or after one to halves.
template <fft_kind Kind, bool Back, bool Inverse, int N, class Tags>
struct fft_op {
  static constexpr bool mirrored = Kind != fft_kind::whole && Back != Inverse;

  template <operand X>
  constexpr auto operator()(X const& given) const {
    using plan = fft_plan<X, Kind, N, Tags>;
    using part = typename plan::part;
    using whole = std::complex<part>;
    auto const x = as_expr<whole>(given);
    complex_rows v{untyped::from(exprax::real(x)), untyped::from(exprax::imag(x))};
    if (mirrored && Kind == fft_kind::from_half) v.im = untyped::unary(prim::neg, v.im);
    v = transformed_along<plan, part>(v);
    constexpr double scale = plan::scale(Inverse);
    if (scale != 1 && plan::value.size() > 0) {
      handle const factor = untyped::scalar<part>(v.re, static_cast<part>(scale));
      v = {untyped::binary(prim::mul, v.re, factor), untyped::binary(prim::mul, v.im, factor)};
    }
    if (mirrored && Kind == fft_kind::to_half) v.im = untyped::unary(prim::neg, v.im);
    auto const re = untyped::typed<plan>(v.re);
    if constexpr (Kind == fft_kind::from_half) {
      return re;
    } else {
      auto const im = untyped::typed<plan>(v.im);
      return detail::bind<with_dtype_t<std::remove_const_t<decltype(re)>, whole>>(prim::complex, {}, re, im);
    }
  }

 private:
  template <class Plan, class T>
  static constexpr complex_rows transformed_along(complex_rows v) {
    if (Plan::value.size() == 0) {
      handle const zero = untyped::broadcast_to(untyped::scalar<T>(v.re, T(0)), Plan::value);
      return {zero, zero};
    }
    for (int k = 0; k < Plan::count; ++k)
      v = {with_size<T>(v.re, Plan::axes.of[k], Plan::taken(k)), with_size<T>(v.im, Plan::axes.of[k], Plan::taken(k))};
    int const last = Plan::count - 1;
    if (Kind == fft_kind::to_half && last >= 0) v = along_axis<T>(v, Plan::axes.of[last], Plan::points(last), true);
    for (int k = Kind == fft_kind::whole ? last : last - 1; k >= 0; --k) v = along_axis<T>(v, Plan::axes.of[k], Plan::points(k), false);
    if (Kind == fft_kind::from_half && last >= 0) v = along_axis<T>(v, Plan::axes.of[last], Plan::points(last), true);
    return v;
  }
  // Cut, or with zeros behind.
  template <class T>
  static constexpr handle with_size(handle const& x, int axis, int size) {
    aval rest = untyped::type_of(x);
    int const have = rest.dims[axis];
    if (have >= size) return untyped::slice(x, axis, 0, size);
    rest.dims[axis] = size - have;
    arena<handle> parts;
    parts.push(x);
    parts.push(untyped::broadcast_to(untyped::scalar<T>(x, T(0)), rest));
    return untyped::concatenate(parts, axis);
  }
  // Halved: this axis is the one of which there is only half, before or after.
  template <class T>
  static constexpr complex_rows along_axis(complex_rows const& v, int axis, int n, bool halved) {
    aval const shape = untyped::type_of(v.re);
    int axis_last[max_rank] = {}, back[max_rank] = {}, rows = 1, r = 0;
    for (int i = 0; i < shape.rank; ++i)
      if (i != axis) axis_last[r++] = i, rows *= shape.dims[i];
    axis_last[r] = axis;
    for (int i = 0; i < shape.rank; ++i) back[axis_last[i]] = i;
    span<int> const to(axis_last, shape.rank), from(back, shape.rank);
    int const flat[] = {rows, shape.dims[axis]};
    complex_rows y{untyped::reshape(untyped::transpose(v.re, to), flat), untyped::reshape(untyped::transpose(v.im, to), flat)};
    if (halved && Kind == fft_kind::from_half) y = completed<T>(y, n);
    y = transformed<T>(y, rows, n, Back ? 1 : -1);
    int const kept = halved && Kind == fft_kind::to_half ? n / 2 + 1 : n;
    int sizes[max_rank] = {};
    for (int i = 0; i < shape.rank; ++i) sizes[i] = shape.dims[axis_last[i]];
    sizes[shape.rank - 1] = kept;
    auto const restored = [&](handle const& h) {
      return untyped::transpose(untyped::reshape(untyped::slice(h, 1, 0, kept), {sizes, shape.rank}), from);
    };
    return {restored(y.re), restored(y.im)};
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X, fft_kind Kind, int N, class... Tags>
inline constexpr bool has_such_points =
    !fft_plan<X, Kind, N, fft_tags<Tags...>>::axes_fit || fft_plan<X, Kind, N, fft_tags<Tags...>>::has_points;
template <class X, int N, class... Tags>
inline constexpr bool transforms_axes = fft_plan<X, fft_kind::whole, N, fft_tags<Tags...>>::axes_fit;

template <fft_kind Kind, bool Back, bool Inverse, int N, class X, class... Tags>
constexpr auto fft_call(X const& x) {
  static_assert(
      transforms_axes<X, N, Tags...>,
      "exprax: fft: the axes must be in range, different from each other, as many as this function takes, and as many as sizes are given");
  static_assert(has_such_points<X, Kind, N, Tags...>, "exprax: fft: the numbers of points must be positive");
  static_assert(Kind != fft_kind::to_half || !is_complex(aval_in<X>.type), "exprax: fft: rfft and ihfft take real numbers");
  if constexpr (transforms_axes<X, N, Tags...> && has_such_points<X, Kind, N, Tags...>)
    return apply<fft_op<Kind, Back, Inverse, N, fft_tags<Tags...>>>(x);
  else return x;  // after the error: nothing that leads to others
}

}  // namespace detail

namespace fft {

// Sums of x[j] e^(-2 pi i j k / n) for k = 0 to n - 1: fft along axis<k> (the last one), fft2 along two axes (the last ones), fftn along
// several (all of them). Options: axis<...>, n<points> (fft) or s<points...>, backward, ortho, forward. Shape of x, or the points that are
// given; complex64, of double complex128. Refused: axes out of range or named twice, another number of sizes than axes, no points
// (jax.numpy.fft.fft, fft2, fftn).
inline constexpr struct fft_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("fft::fft", "axis<k>, n<points>, backward, ortho, forward", Tags...)
    return detail::fft_call<detail::fft_kind::whole, false, false, 1, X, Tags...>(x);
    else return x;
  }
} fft{};
inline constexpr struct fft2_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("fft::fft2", "axis<...>, s<...>, backward, ortho, forward", Tags...)
    return detail::fft_call<detail::fft_kind::whole, false, false, 2, X, Tags...>(x);
    else return x;
  }
} fft2{};
inline constexpr struct fftn_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("fft::fftn", "axis<...>, s<...>, backward, ortho, forward", Tags...)
    return detail::fft_call<detail::fft_kind::whole, false, false, 0, X, Tags...>(x);
    else return x;
  }
} fftn{};
// The inverses: with e^(+2 pi i j k / n), divided by n. Shapes, dtypes and errors as of fft, fft2, fftn (jax.numpy.fft.ifft, ifft2,
// ifftn).
inline constexpr struct ifft_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("fft::ifft", "axis<k>, n<points>, backward, ortho, forward", Tags...)
    return detail::fft_call<detail::fft_kind::whole, true, true, 1, X, Tags...>(x);
    else return x;
  }
} ifft{};
inline constexpr struct ifft2_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("fft::ifft2", "axis<...>, s<...>, backward, ortho, forward", Tags...)
    return detail::fft_call<detail::fft_kind::whole, true, true, 2, X, Tags...>(x);
    else return x;
  }
} ifft2{};
inline constexpr struct ifftn_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("fft::ifftn", "axis<...>, s<...>, backward, ortho, forward", Tags...)
    return detail::fft_call<detail::fft_kind::whole, true, true, 0, X, Tags...>(x);
    else return x;
  }
} ifftn{};
// fft, fft2, fftn of real numbers: along the last of the axes the first n / 2 + 1 alone, as the others are conjugates of these. [..., n]
// -> [..., n / 2 + 1], complex64, of double complex128. Refused as well: complex numbers (jax.numpy.fft.rfft, rfft2, rfftn).
inline constexpr struct rfft_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("fft::rfft", "axis<k>, n<points>, backward, ortho, forward", Tags...)
    return detail::fft_call<detail::fft_kind::to_half, false, false, 1, X, Tags...>(x);
    else return x;
  }
} rfft{};
inline constexpr struct rfft2_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("fft::rfft2", "axis<...>, s<...>, backward, ortho, forward", Tags...)
    return detail::fft_call<detail::fft_kind::to_half, false, false, 2, X, Tags...>(x);
    else return x;
  }
} rfft2{};
inline constexpr struct rfftn_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("fft::rfftn", "axis<...>, s<...>, backward, ortho, forward", Tags...)
    return detail::fft_call<detail::fft_kind::to_half, false, false, 0, X, Tags...>(x);
    else return x;
  }
} rfftn{};
// The inverses of rfft, rfft2, rfftn: [..., m] -> [..., 2 (m - 1)], or n<points> along the last axis; float32, of double float64
// (jax.numpy.fft.irfft, irfft2, irfftn).
inline constexpr struct irfft_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("fft::irfft", "axis<k>, n<points>, backward, ortho, forward", Tags...)
    return detail::fft_call<detail::fft_kind::from_half, true, true, 1, X, Tags...>(x);
    else return x;
  }
} irfft{};
inline constexpr struct irfft2_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("fft::irfft2", "axis<...>, s<...>, backward, ortho, forward", Tags...)
    return detail::fft_call<detail::fft_kind::from_half, true, true, 2, X, Tags...>(x);
    else return x;
  }
} irfft2{};
inline constexpr struct irfftn_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("fft::irfftn", "axis<...>, s<...>, backward, ortho, forward", Tags...)
    return detail::fft_call<detail::fft_kind::from_half, true, true, 0, X, Tags...>(x);
    else return x;
  }
} irfftn{};
// hfft: fft of n numbers of which x are the first n / 2 + 1 and the others their conjugates, [..., m] -> [..., 2 (m - 1)] or n<points>,
// real. ihfft: its inverse, [..., n] -> [..., n / 2 + 1], complex; complex x is refused (jax.numpy.fft.hfft, ihfft).
inline constexpr struct hfft_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("fft::hfft", "axis<k>, n<points>, backward, ortho, forward", Tags...)
    return detail::fft_call<detail::fft_kind::from_half, true, false, 1, X, Tags...>(x);
    else return x;
  }
} hfft{};
inline constexpr struct ihfft_function {
  template <array_like X, class... Tags>
  constexpr auto operator()(X const& x, Tags...) const {
    EXPRAX_TAKES("fft::ihfft", "axis<k>, n<points>, backward, ortho, forward", Tags...)
    return detail::fft_call<detail::fft_kind::to_half, false, true, 1, X, Tags...>(x);
    else return x;
  }
} ihfft{};

}  // namespace fft

}  // namespace exprax
