#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Holds every function that takes options to its list: options.py INCLUDE_FOLDER COMPILER FLAGS...

The functions are found in the headers: what is public and has a list of options without EXPRAX_TAKES is an error, and so is one without a
row in CALLS. From the rows come two sources. In one all calls are right, with an option of each group that the function lists. In the other all
are wrong: a type that is no option, an option of another function, a text, an option given twice, two that contradict each other; each must be
refused by one error that names the function, what it takes, and the option. Functions whose options have places of their own (PLACED) must
refuse foreign ones, in the compiler's words.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

# Options as calls give them: for each word of a list one that is right, and where it has parameters another one, which contradicts it.
WORDS = {
    "axis<k>": ["ex::axis<0>", "ex::axis<1>"],
    "axis<...>": ["ex::axis<0>", "ex::axis<0, 1>"],
    "none": ["ex::none"],
    "keepdims": ["ex::keepdims"],
    "dtype_<T>": ["ex::float32", "ex::dtype_<double>"],
    "where_(mask)": ["ex::where_(x > 0)", "ex::where_(true)"],
    "initial(v)": ["ex::initial(0.0f)", "ex::initial(1)"],
    "weights(w)": ["ex::weights(x)", "ex::weights(row)"],
    "mean_(m)": ["ex::mean_(0.5f)", "ex::mean_(1)"],
    "ddof<n>": ["ex::ddof<1>", "ex::ddof<0>"],
    "returned": ["ex::returned"],
    "method_...": ["ex::method_inverted_cdf", "ex::method_lower"],
    "reverse": ["ex::reverse"],
    "include_initial": ["ex::include_initial"],
    "unroll<k>": ["ex::unroll<2>", "ex::unroll<true>"],
    "length<n>": ["ex::length<3>", "ex::length<4>"],
    "in_axes<...>": ["ex::in_axes<0>", "ex::in_axes<1>"],
    "out_axes<...>": ["ex::out_axes<0>", "ex::out_axes<1>"],
    "axis_name<...>": ['ex::axis_name<"i">', 'ex::axis_name<"j">'],
    "axis_size<n>": ["ex::axis_size<3>", "ex::axis_size<4>"],
    "sum_match": ["ex::sum_match"],
    "tiled": ["ex::tiled"],
    "stable": ["ex::stable"],
    "unstable": ["ex::unstable"],
    "descending": ["ex::descending"],
    "num_keys<n>": ["ex::num_keys<1>", "ex::num_keys<2>"],
    "side_right": ["ex::side_right"],
    "sorter(order)": ["ex::sorter(places)", "ex::sorter(more_places)"],
    "indexing_ij": ["ex::indexing_ij"],
    "sparse": ["ex::sparse"],
    "range(...)": ["ex::range(0, 1)", "ex::range(0.0f, 1.0f)"],
    "density": ["ex::density"],
    "rowvar<b>": ["ex::rowvar<true>", "ex::rowvar<false>"],
    "bias": ["ex::bias"],
    "fweights(w)": ["ex::fweights(counts)", "ex::fweights(row)"],
    "aweights(w)": ["ex::aweights(row)", "ex::aweights(counts)"],
    "prepend(v)": ["ex::prepend(0)", "ex::prepend(1.0f)"],
    "append_(v)": ["ex::append_(0)", "ex::append_(1.0f)"],
    "to_begin(v)": ["ex::to_begin(0)", "ex::to_begin(1.0f)"],
    "to_end(v)": ["ex::to_end(0)", "ex::to_end(1.0f)"],
    "size<n>": ["ex::size<3>", "ex::size<4>"],
    "fill_value(v)": ["ex::fill_value(0)", "ex::fill_value(1.0f)"],
    "mode_...": ["ex::mode_clip", "ex::mode_drop"],
    "indices_are_sorted": ["ex::indices_are_sorted"],
    "unique_indices": ["ex::unique_indices"],
    "wrap_negative_indices<b>": ["ex::wrap_negative_indices<true>", "ex::wrap_negative_indices<false>"],
    "return_index": ["ex::return_index"],
    "return_inverse": ["ex::return_inverse"],
    "return_counts": ["ex::return_counts"],
    "return_indices": ["ex::return_indices"],
    "return_sign": ["ex::return_sign"],
    "is_causal": ["ex::nn::is_causal"],
    "ord<p>": ["ex::linalg::ord<1>", "ex::linalg::ord<2>"],
    "fro": ["ex::linalg::fro"],
    "nuc": ["ex::linalg::nuc"],
    "inf": ["ex::linalg::inf"],
    "minus_inf": ["ex::linalg::minus_inf"],
    "n<points>": ["ex::fft::n<4>", "ex::fft::n<8>"],
    "s<...>": ["ex::fft::s<4, 4>", "ex::fft::s<8, 8>"],
    "backward": ["ex::fft::backward"],
    "ortho": ["ex::fft::ortho"],
    "forward": ["ex::fft::forward"],
    "reflect_odd": ["ex::reflect_odd"],
    "stat_length<...>": ["ex::stat_length<1>", "ex::stat_length<2>"],
    "end_values(...)": ["ex::end_values(0)", "ex::end_values(0, 1)"],
    "non_partitionable": ["ex::random::non_partitionable"],
    "without_replacement": ["ex::random::without_replacement"],
    "independent": ["ex::random::independent"],
    "window_dimensions": ["ex::window_dimensions<2, 2>", "ex::window_dimensions<1, 1>"],
    "window_strides": ["ex::window_strides<1, 1>", "ex::window_strides<2, 2>"],
    "lhs_dilation": ["ex::lhs_dilation<1, 1>", "ex::lhs_dilation<2, 2>"],
    "rhs_dilation": ["ex::rhs_dilation<1, 1>", "ex::rhs_dilation<2, 2>"],
    "base_dilation": ["ex::base_dilation<1, 1>", "ex::base_dilation<2, 2>"],
    "window_dilation": ["ex::window_dilation<1, 1>", "ex::window_dilation<2, 2>"],
    "padding": ["ex::padding_valid", "ex::padding<0, 0, 0, 0>"],
    "conv_dimension_numbers": ['ex::conv_dimension_numbers<"NCHW", "OIHW", "NCHW">', 'ex::conv_dimension_numbers<"NHWC", "HWIO", "NHWC">'],
    "feature_group_count": ["ex::feature_group_count<1>", "ex::feature_group_count<2>"],
    "batch_group_count": ["ex::batch_group_count<1>", "ex::batch_group_count<2>"],
    "argnums<...>": ["ex::argnums<0>", "ex::argnums<1>"],
    "has_aux": ["ex::has_aux"],
    "holomorphic": ["ex::holomorphic"],
    "allow_int": ["ex::allow_int"],
    "policy<p>": ["ex::policy<ex::checkpoint_policies::dots_saveable>", "ex::policy<ex::checkpoint_policies::nothing_saveable>"],
    "symmetric": ["ex::symmetric"],
    "prevent_cse<b>": ["ex::prevent_cse<true>", "ex::prevent_cse<false>"],
    "preferred_element_type": ["ex::preferred_element_type<float>", "ex::preferred_element_type<double>"],
}
# What the calls are made of. x: three rows of four.
VALUES = """
#include <exprax/exprax.hpp>
namespace ex = exprax;
extern ex::expr<float, 3, 4> const x;
extern ex::expr<float, 4> const row;
extern ex::expr<int, 4> const counts;
extern ex::expr<int, 4> const places;
extern ex::expr<short, 4> const more_places;
extern ex::expr<bool, 3, 4> const mask;
extern ex::expr<bool, 3> const rows_mask;
extern ex::expr<int, 2, 1> const vectors;
extern ex::expr<float, 2, 4> const updates;
extern ex::expr<std::uint32_t, 2> const key;
extern ex::expr<float, 1, 1, 4, 4> const image;
extern ex::expr<float, 1, 1, 2, 2> const kernel;
extern ex::expr<float, 1, 4, 3, 3> const local_kernel;
extern ex::expr<float, 1, 2, 1, 4> const heads;
extern ex::expr<float, 2, 3> const windows;
extern ex::expr<float, 4, 4> const square;
extern ex::expr<float, 3> const triple;
extern ex::expr<float, 2, 2, 2> const cube;
extern ex::expr<std::uint8_t, 3, 4> const bytes;
extern ex::array<float, 3, 4> const a;
extern ex::tree_structure_t<std::tuple<float, float>> const structure;
constexpr auto f = [](auto const& v) { return v + 1; };
constexpr auto with_aux = [](auto const& v) { return ex::tuple(v, v); };
constexpr auto sum_of = [](auto const& v, auto const& w) { return v + w; };
constexpr auto solve_with_rest = [](auto const& g, auto const& v) { return ex::tuple(g(v), v); };
constexpr auto second_of = [](auto const&, auto const& v) { return v; };
constexpr auto total = [](auto const& v, auto axes) { return ex::sum(v, axes, ex::keepdims); };
constexpr auto prefers = [](auto const& v, auto const& w) { return v >= w; };
constexpr auto step = [](auto const& carry, auto const& v) { return ex::tuple(carry, v); };
constexpr auto before = [](auto const& v, auto const& w) { return v < w; };
constexpr ex::gather_dimension_numbers rows_of{.offset_dims = {1}, .collapsed_slice_dims = {0}, .start_index_map = {0}};
constexpr ex::scatter_dimension_numbers rows_to{.update_window_dims = {1}, .inserted_window_dims = {0}, .scatter_dims_to_operand_dims = {0}};
"""
# For the name in the error: calls up to where the options begin, the options of a right call where it has not one of each group, and the
# one that every call needs.
CALLS = {}


def row(names, call, right=None, needs=""):
    for name in names.split():
        CALLS.setdefault(name, []).append((call.replace("NAME", name), right, needs))


row("sum prod mean max min any all amax amin var std ptp count_nonzero nansum nanprod nanmax nanmin nanmean nanvar nanstd median nanmedian", "ex::NAME(x")
row("average", "ex::NAME(x", ["ex::axis<0>", "ex::keepdims", "ex::weights(x)", "ex::returned"])
row("quantile nanquantile percentile nanpercentile", "ex::NAME(x, 0.5f")
row("argmax argmin nanargmax nanargmin sort argsort", "ex::NAME(x")
row("cumsum cumprod cumulative_sum cumulative_prod cummax cummin cumlogsumexp nancumsum nancumprod lax::cumsum lax::cumprod", "ex::NAME(x")
row("diff", "ex::NAME(x")
row("ediff1d", "ex::NAME(x")
row("logsumexp nn::logmeanexp nn::softmax nn::log_softmax nn::standardize", "ex::NAME(x")
row("logsumexp", "ex::NAME(x, row")
row("lax::sort", "ex::NAME(x")
row("lax::sort", "ex::NAME(std::tuple(x, x)")
row("lax::sort", "ex::NAME(std::tuple(row), before")
row("sort_key_val", "ex::NAME(x, x")
row("lexsort", "ex::NAME(std::tuple(x, x)")
row("searchsorted", "ex::NAME(row, x")
row("digitize", "ex::NAME(x, row")
row("associative_scan", "ex::NAME(sum_of, x")
row("scan", "ex::NAME(step, 0.0f, x")
row("scan", "ex::NAME(step, 0.0f, ex::length<3>", ["ex::reverse", "ex::unroll<2>"])
row("vmap", "ex::NAME(f")
for function in ["grad", "value_and_grad", "jacfwd", "jacrev", "jacobian", "hessian"]:
    row(function, "ex::NAME(f")
row("checkpoint remat", "ex::NAME(f")
row("custom_root", "ex::NAME(f, x, solve_with_rest, second_of")
row("custom_linear_solve", "ex::NAME(f, x, solve_with_rest, solve_with_rest", ["ex::symmetric", "ex::has_aux"])
row("jvp", "ex::NAME(with_aux, ex::tuple(x), ex::tuple(x)")
row("vmap", "ex::NAME<f>(")
row("all_gather", 'ex::NAME(row, ex::axis_name<"i">', needs="ex::axis_size<3>")
row("all_to_all", 'ex::NAME(row, ex::axis_name<"i">, ex::split_axis<0>, ex::concat_axis<0>', ["ex::axis_size<4>", "ex::tiled"])
row("nn::dot_product_attention", "ex::NAME(heads, heads, heads")
row("nn::dot_product_attention", "ex::NAME(heads, heads, heads, 1.0f")
row("nn::dot_product_attention", "ex::NAME(heads, heads, heads, ex::none, true")
row("nn::dot_product_attention", "ex::NAME(heads, heads, heads, 1.0f, true")
row("conv_general_dilated conv", "ex::NAME(image, kernel")
row("conv_transpose", "ex::NAME(image, kernel, ex::window_strides<1, 1>")
row("conv_general_dilated_patches", "ex::NAME<2, 2>(image")
row("conv_general_dilated_local", "ex::NAME<2, 2>(image, local_kernel")
row("reduce_window", "ex::NAME(x, 0.0f, sum_of", needs="ex::window_dimensions<2, 2>")
row("lax::select_and_scatter", "ex::NAME(x, windows, 0.0f, prefers, sum_of", needs="ex::window_dimensions<2, 2>")
row("lax::select_and_scatter_add", "ex::NAME(windows, x, prefers", needs="ex::window_dimensions<2, 2>")
row("lax::select_and_gather_add", "ex::NAME(x, x, prefers", needs="ex::window_dimensions<2, 2>")
row("cov corrcoef", "ex::NAME(x")
row("cov", "ex::NAME(x, x")
row("fft::fft fft::ifft fft::rfft fft::irfft fft::hfft fft::ihfft", "ex::NAME(x")
row("fft::fft2 fft::fftn fft::ifft2 fft::ifftn fft::rfft2 fft::rfftn fft::irfft2 fft::irfftn", "ex::NAME(x", ["ex::axis<0, 1>", "ex::fft::s<4, 4>", "ex::fft::ortho"])
row("gather", "ex::NAME<rows_of>(x, vectors, ex::slice_sizes<1, 4>")
row("scatter scatter_add scatter_mul scatter_min scatter_max lax::scatter_sub", "ex::NAME<rows_to>(x, vectors, updates")
row("lax::scatter_apply", "ex::NAME<rows_to, 2, 4>(x, vectors, f")
row("meshgrid", "ex::NAME(std::tuple(row, row)")
row("histogram", "ex::NAME(row", ["ex::range(0, 1)", "ex::density", "ex::weights(row)"])
row("histogram", "ex::NAME(row, row", ["ex::density", "ex::weights(row)"])
row("histogramdd", "ex::NAME<2>(x", ["ex::density", "ex::weights(ex::expr<float, 3>())"])
row("histogramdd", "ex::NAME(x, std::tuple(row, row, row, row)", ["ex::density", "ex::weights(ex::expr<float, 3>())"])
row("histogram2d", "ex::NAME<2>(row, row", ["ex::range(0, 1)", "ex::none", "ex::density"])
row("histogram2d", "ex::NAME(row, row, std::tuple(row, row)", ["ex::density", "ex::weights(row)"])
row("compress", "ex::NAME(rows_mask, x", needs="ex::size<3>")
row("extract", "ex::NAME(mask, x", needs="ex::size<3>")
row("nonzero where flatnonzero argwhere", "ex::NAME(mask", needs="ex::size<3>")
row("x(mask)", "x(mask", needs="ex::size<3>")
row("unique unique_values unique_counts unique_inverse unique_all", "ex::NAME(x", needs="ex::size<3>")
row("union1d intersect1d setdiff1d setxor1d", "ex::NAME(x, x", needs="ex::size<3>")
row("linalg::norm linalg::vector_norm linalg::matrix_norm", "ex::NAME(x")
row("linalg::cond", "ex::NAME(square")
row("random::bits random::uniform random::normal random::exponential random::gumbel random::split random::bernoulli", "ex::NAME<3>(key")
row("random::bits", "ex::NAME<std::uint8_t, 3>(key")
row("random::uniform random::normal random::exponential random::gumbel", "ex::NAME<double, 3>(key")
row("random::uniform", "ex::NAME<3>(key, 0.0f, 1.0f")
row("random::uniform", "ex::NAME<double, 3>(key, 0.0, 1.0")
row("random::bernoulli", "ex::NAME<3>(key, 0.5f")
row("random::randint", "ex::NAME<3>(key, 0, 5")
row("random::randint", "ex::NAME<int, 3>(key, 0, 5")
row("random::permutation random::shuffle random::categorical", "ex::NAME(key, x")
row("random::choice", "ex::NAME<2>(key, x")
row("random::choice", "ex::NAME(key, x, ex::shape<3>")
row("random::categorical", "ex::NAME(key, x, ex::shape<4>")
row("random::choice", "ex::NAME<2>(key, row, row")
row("repeat", "ex::NAME<2>(x")
row("repeat", "ex::NAME<6>(x, 2")
row("ops::segment_sum ops::segment_prod ops::segment_max ops::segment_min", "ex::NAME<2>(row, places")
row("take", "ex::NAME(x, places")
row("take_along_axis", "ex::NAME(row, places")
row("put_along_axis", "ex::NAME(row, places, row")
row("ufunc.reduce", "ex::frompyfunc(sum_of).reduce(x")
row("pad", "ex::NAME<1>(x, ex::pad_mode<ex::pad_with::reflect>", ["ex::reflect_odd"])
row("pad", "ex::NAME<1>(x, ex::pad_mode<ex::pad_with::maximum>", ["ex::stat_length<1>"])
row("pad", "ex::NAME<1>(x, ex::pad_mode<ex::pad_with::linear_ramp>", ["ex::end_values(0)"])
for at in ("x.at(ex::all, 0)", "x.at(0, 0)", "a.at(ex::all, 0)"):
    CALLS.setdefault("at(...).get", []).append((f"{at}.get(", ["ex::mode_fill", "ex::fill_value(0)", "ex::indices_are_sorted", "ex::unique_indices", "ex::wrap_negative_indices<true>"], ""))
    for method in "set add subtract multiply mul divide power min max".split():
        CALLS.setdefault(f"at(...).{method}", []).append((f"{at}.{method}(1.0f", None, ""))
    CALLS.setdefault("at(...).apply", []).append((f"{at}.apply(f", None, ""))

# Which list a row of a name with several has, by its beginning.
LIST_OF = {
    ("lax::sort", 0): "axis<k>, stable, unstable, num_keys", ("lax::sort", 1): "axis<k>, stable, unstable, num_keys", ("lax::sort", 2): "axis<k>, stable, unstable",
    ("histogram", 0): "range", ("histogram", 1): "density",
    ("histogramdd", 0): "range", ("histogramdd", 1): "density",
    ("histogram2d", 0): "range", ("histogram2d", 1): "density",
}

# Calls that JAX's users write by habit or by mistake, with what refuses them.
MISTAKES = [
    ('ex::conv_general_dilated(image, kernel, ex::window_strides<1, 1>, "SAME")', "conv_general_dilated: an option is a tag, such as ex::padding_same, not a text"),
    ('ex::conv(image, kernel, ex::window_strides<1, 1>, "SAME")', "conv: an option is a tag, such as ex::padding_same, not a text"),
    ('ex::reduce_window(x, 0.0f, sum_of, ex::window_dimensions<2, 2>, ex::window_strides<1, 1>, "SAME")', "reduce_window: an option is a tag"),
    ('ex::lax::select_and_scatter_add(windows, x, prefers, ex::window_dimensions<2, 2>, "SAME")', "lax::select_and_scatter_add: an option is a tag"),
    ('ex::conv_general_dilated_patches<2, 2>(image, "SAME")', "conv_general_dilated_patches: an option is a tag"),
    ("ex::conv_general_dilated(image, kernel, 2)", "conv_general_dilated: axes and sizes are template arguments, as in ex::axis<0>, not numbers"),
    ("ex::conv_general_dilated(image, kernel, ex::mode_same)", "conv_general_dilated: unknown option"),
    ("ex::conv_general_dilated(image, kernel, ex::padding_same, ex::padding<1, 1, 1, 1>)", "conv_general_dilated: options that contradict"),
    ("ex::logsumexp(x, bogus{})", "logsumexp: unknown option"),
    ("ex::logsumexp(x, row, bogus{})", "logsumexp: unknown option"),
    ('ex::all_gather(row, ex::axis_name<"i">, ex::axis_size<3>, ex::keepdims)', "all_gather: unknown option"),
    ("ex::argmax(x, ex::axis<0, 1>)", "argmax: unknown option"),
    ("ex::lax::sort(std::tuple(x, x), ex::keepdims)", "lax::sort: unknown option"),
]

# Functions whose options have a place of their own, as an axis behind the array: calls up to the end, or to where the first one may stand. A
# foreign type there, or behind, must not compile.
PLACED = """
ex::jit(f
ex::custom_jvp(f, sum_of
ex::custom_vjp(f, f, sum_of
ex::map(f, x
ex::map(f, x, ex::batch_size<1>
ex::pswapaxes(row, ex::axis_name<"i">, ex::axis<0>
ex::apply_along_axis(f, ex::axis<0>, x
ex::apply_over_axes(total, x, ex::axis<0>
ex::reduce(x, 0.0f, sum_of, ex::axis<0>
ex::lax::reduce_sum(x, ex::axis<0>
ex::lax::reduce_prod(x, ex::axis<0>
ex::lax::reduce_max(x, ex::axis<0>
ex::lax::reduce_min(x, ex::axis<0>
ex::lax::reduce_and(mask, ex::axis<0>
ex::lax::reduce_or(mask, ex::axis<0>
ex::lax::reduce_xor(mask, ex::axis<0>
ex::conv_with_general_padding(image, kernel, ex::window_strides<1, 1>, ex::padding<0, 0, 0, 0>
ex::astype(x, ex::float32
ex::reshape(x, ex::shape<12>
ex::broadcast_to(x, ex::shape<2, 3, 4>
ex::random::split(key, ex::shape<4>
ex::random::normal(key, ex::shape<2>, ex::float64
ex::random::uniform(key, ex::shape<2>, 0, 1
ex::random::randint(key, ex::shape<2>, 0, 9
ex::random::bits(key, ex::shape<2>
ex::random::exponential(key, ex::shape<2>
ex::random::gumbel(key, ex::shape<2>
ex::random::laplace(key, ex::shape<2>
ex::random::logistic(key, ex::shape<2>
ex::random::cauchy(key, ex::shape<2>
ex::random::maxwell(key, ex::shape<2>
ex::random::rademacher(key, ex::shape<2>
ex::random::bernoulli(key, 0.5f, ex::shape<2>
ex::random::gamma(key, 2.0f, ex::shape<2>, ex::float64
ex::random::loggamma(key, 2.0f, ex::shape<2>, ex::float64
ex::random::chisquare(key, 2.0f, ex::shape<2>, ex::float64
ex::random::t(key, 2.0f, ex::shape<2>, ex::float64
ex::random::generalized_normal(key, 2.0f, ex::shape<2>, ex::float64
ex::random::lognormal(key, 2.0f, ex::shape<2>, ex::float64
ex::random::rayleigh(key, 2.0f, ex::shape<2>, ex::float64
ex::random::pareto(key, 2.0f, ex::shape<2>, ex::float64
ex::random::wald(key, 2.0f, ex::shape<2>, ex::float64
ex::random::poisson(key, 2.0f, ex::shape<2>, ex::int32
ex::random::geometric(key, 2.0f, ex::shape<2>, ex::int32
ex::random::beta(key, 1.0f, 2.0f, ex::shape<2>, ex::float64
ex::random::f(key, 1.0f, 2.0f, ex::shape<2>, ex::float64
ex::random::truncated_normal(key, 1.0f, 2.0f, ex::shape<2>, ex::float64
ex::random::weibull_min(key, 1.0f, 2.0f, ex::shape<2>, ex::float64
ex::random::double_sided_maxwell(key, 1.0f, 2.0f, ex::shape<2>, ex::float64
ex::random::binomial(key, 9, 0.5f, ex::shape<2>, ex::float64
ex::random::triangular(key, 0, 1, 2, ex::shape<2>, ex::float64
ex::random::dirichlet(key, row, ex::shape<2>, ex::float64
ex::random::multinomial(key, 9, row, ex::shape<2, 4>, ex::float64
ex::random::multivariate_normal(key, row, square, ex::shape<2>, ex::float64
ex::result_type(x
ex::tree_unflatten(structure, std::tuple(x, x)
ex::zeros(ex::shape<2>
ex::eye<2>(ex::float32
ex::identity<2>(ex::float32
ex::ones(ex::shape<2>
ex::full(ex::shape<2>, 1
ex::empty(ex::shape<2>
ex::asarray(x
ex::empty_like(x
ex::zeros_like(x
ex::ones_like(x
ex::full_like(x, 1
ex::transpose(x
ex::round(x
ex::around(x
ex::convolve(row, row
ex::correlate(row, row
ex::gradient(x
ex::gradient(x, ex::axis<0>
ex::trapezoid(x
ex::trapezoid(x, 1.0f
ex::dot_general(x, x, ex::contracting<ex::axis<1>, ex::axis<1>>
ex::dynamic_slice_in_dim<2>(x, 0
ex::dynamic_slice(x, ex::tuple(0, 0), ex::shape<1, 1>
ex::dynamic_index_in_dim(x, 0
ex::dynamic_update_slice_in_dim(x, x, 0
ex::dynamic_update_index_in_dim(x, row, 0
ex::slice_in_dim<0, 2>(x
ex::index_in_dim(x, 0
ex::index_take(x, std::tuple(places), ex::axis<0>
ex::fft::fftshift(x
ex::fft::fftshift(x, ex::axis<0>
ex::fft::ifftshift(x
ex::indices<2, 3>(
ex::vander(row
ex::histogram_bin_edges(row
ex::ravel_multi_index<3, 4>(std::tuple(places, places)
ex::choose(places, std::tuple(counts, counts)
ex::put(x, places, row
ex::nn::initializers::variance_scaling<ex::nn::initializers::fan_mode::fan_in, ex::nn::initializers::distribution::normal, float, 3, 4>(key, 2.0
ex::interp(x, row, row
ex::interp(x, row, row, 0.0f
ex::unwrap(x
ex::concatenate(std::tuple(x, x)
ex::stack(std::tuple(x, x)
ex::append(x, x
ex::append(x, x, ex::axis<0>
ex::lax::broadcast_in_dim<3, 4>(row, ex::axis<1>
ex::lax::reshape<4, 3>(x
ex::lax::slice(x, ex::axis<0, 0>, ex::axis<2, 2>
ex::lax::concatenate(std::tuple(x, x), ex::axis<0>
ex::lax::approx_max_k<2>(x
ex::lax::approx_min_k<2>(x
ex::lax::split<1, 2>(x
ex::lax::argmax<int>(x, ex::axis<0>
ex::lax::argmin<int>(x, ex::axis<0>
ex::tensordot(x, x, ex::axis<1>, ex::axis<1>
ex::nn::gelu(x
ex::nn::glu(x
ex::nn::one_hot<3>(places
ex::nn::one_hot<double, 3>(places
ex::nn::standardize(x, ex::axis<0>, 0.0f, 1.0f
ex::partition<1>(x
ex::argpartition<1>(x
ex::cross(triple, triple
ex::vecdot(x, x
ex::ppermute(row, ex::axis_name<"i">, {{0, 1}, {1, 0}}
ex::pshuffle(row, ex::axis_name<"i">, {1, 0}
ex::psum(x, ex::axis_name<"i">
ex::pmean(x, ex::axis_name<"i">
ex::pmax(x, ex::axis_name<"i">
ex::pmin(x, ex::axis_name<"i">
ex::axis_index(ex::axis_name<"i">
ex::linalg::qr(x
ex::linalg::svd(x
ex::linalg::cholesky(square
ex::linalg::cho_solve(square, square
ex::linalg::solve_triangular(square, square, ex::linalg::lower
ex::linalg::solve_triangular(square, square, ex::linalg::upper
ex::unravel_index(places, ex::shape<2, 3>
ex::linalg::tensorsolve(square, row
ex::roll<1>(x
ex::roll(x, 1, ex::axis<0>
ex::rot90(x
ex::clip(x, ex::none, 1.0f
ex::isin(x, row
ex::expand_dims(x, ex::axis<0>
ex::squeeze(image
ex::squeeze(image, ex::axis<0>
ex::concat(std::tuple(x, x)
ex::unstack(x
ex::packbits(mask
ex::packbits(mask, ex::axis<0>
ex::unpackbits(bytes
ex::unpackbits(bytes, ex::axis<0>
ex::mgrid(ex::slice<0, 3>
ex::ogrid(ex::slice<0, 3>
ex::top_k<1>(x
ex::linspace<5>(row, row
ex::linspace<double, 5>(row, row
ex::logspace<5>(row, row
ex::split<2>(x, ex::axis<1>
ex::split(x, ex::split_at<1>
ex::array_split<2>(x
ex::array_split(x, ex::split_at<1>
ex::hsplit(x, ex::split_at<1>
ex::vsplit(x, ex::split_at<1>
ex::dsplit(cube, ex::split_at<1>
ex::delete_<0>(x
ex::delete_<0>(x, ex::axis<0>
ex::insert<0>(x, 1.0f
ex::insert<0, 1>(x, 1.0f, ex::axis<0>
ex::flip(x
ex::flip(x, ex::axis<0>
ex::rev(x, ex::axis<0>
ex::diagonal(x
ex::trace(x
ex::frompyfunc(sum_of).accumulate(x
ex::frompyfunc(sum_of).reduceat(x, places
ex::vectorize(f
ex::vectorize<"(n)->(n)">(f
""".strip().splitlines()
# Public functions that take any number of values, and no options.
TAKE_VALUES = set(
    "cond switch_ branches eval_shape vjp linearize linear_transpose jit tuple tree_map fill_value debug_print result_type operator() at asarray column_stack vstack hstack dstack block concat concatenate "
    "stack select piecewise mgrid ogrid pad".split())

# What macros call the functions that they make: these have rows in PLACED, or refuse each call.
MACRO_PARAMETER = "function"


def strip(text):
    """Without comments, directives, and what stands in quotes."""
    text = re.sub(r"//[^\n]*|^[ \t]*#[^\n]*", "", text, flags=re.M)
    return re.sub(r'"(\\.|[^"\\])*"', '""', text)


def as_functions(text):
    """With function objects (inline constexpr struct f_function { ... } f{};) as the functions that they are called as."""
    def calls(found):
        return re.sub(r"\boperator\(\)\(", found[1] + "(", found[2]).replace(") const {", ") {")
    return re.sub(r"(?ms)^inline constexpr struct (\w+)_function (?:: [\w:]+ )?\{\n(.*?)^\} \1\{\};", calls, text)


def functions(text):
    """(scopes, signature, body) of each function in a header, scopes being the signatures of the namespaces and classes around it."""
    text, scopes, start, at = as_functions(strip(text.replace(" = {}", ""))), [], 0, 0
    while at < len(text):
        if text[at] in ";}":
            scopes = scopes[:-1] if text[at] == "}" else scopes
            start = at + 1
        elif text[at] == "{":
            head = " ".join(text[start:at].split())
            if re.match(r"namespace\b|(template <.*> )?(requires .* )?(struct|class|enum)\b", head) and not re.search(r"\bconstexpr\b", head):
                scopes = scopes + [head]
                start = at + 1
            else:
                depth, end = 1, at + 1
                while depth:
                    depth += {"{": 1, "}": -1}.get(text[end], 0)
                    end += 1
                if "(" in head:
                    yield scopes, head, text[at:end]
                    start = end
                at = end - 1
        at += 1


def takes_any_types(signature):
    """Whether a pack of types that are not said to be arrays is a parameter of the call."""
    packs = set(re.findall(r"(?<!array_like)(?:class|[\w:]+)\.\.\. (\w+)", signature)) - set(re.findall(r"(?:array_like|int|integral|static_constant|auto|size_t|fixed_string|prim)\.\.\. (\w+)", signature))
    parameters = signature[signature.index("("):]
    return "auto..." in parameters or any(re.search(rf"[(, ]{pack}(?: const)?&{{0,2}}\.\.\.", parameters) for pack in packs)


def forgotten(include):
    for room in ("api", "numpy", "pytree"):
        for path in sorted((include / "exprax" / room).rglob("*.hpp")):
            for scopes, signature, body in functions(path.read_text()):
                hidden = any("detail" in s for s in scopes) and not any(re.search(r"\bclass \w*at_ref\b", s) for s in scopes)
                named = re.findall(r"constexpr \w+ (?:[\w<>, ]+::)*(operator\(\)|\w+)\(", signature)
                name = named[-1] if named else ""
                if hidden or not named or "private:" in signature or not takes_any_types(signature) or "EXPRAX_TAKES" in body or name in TAKE_VALUES or name == MACRO_PARAMETER:
                    continue
                if not re.search(rf"\b{name}(<[^;]*>)?\([^;]*(options|tags)\.\.\.\)", body):
                    yield f"{path}: {name} takes any types, but has no list of options (EXPRAX_TAKES): {signature}"


def unplaced(include):
    """The functions with options in fixed places that have no row in PLACED."""
    rows = {re.search(r"(\w+)(<.*>)?\([^()]*(\([^()]*\)[^()]*)*$", call)[1] for call in PLACED}
    for room in ("api", "numpy", "pytree"):
        for path in sorted((include / "exprax" / room).rglob("*.hpp")):
            for scopes, signature, body in functions(path.read_text()):
                call = re.search(r"constexpr \w+ (\w+)\((.*)\)", signature)
                if any("detail" in s for s in scopes) or "EXPRAX_TAKES" in body or not call or call[1] in rows or call[1] in CALLS:
                    continue
                if call[1] == MACRO_PARAMETER:
                    continue
                if call[1] not in {name.split("::")[-1] for name in CALLS} and re.search(r"\b\w+_t(<[^()]*?>)?(?: const&)?(?: \w+)?(,|$)", call[2]):
                    yield f"{path}: {call[1]} has an option, but no row in PLACED: {call[2]}"


def lists(include):
    """Name and list of each EXPRAX_TAKES, and the group of each word."""
    found, groups = [], {}
    for path in sorted((include / "exprax").rglob("*.hpp")):
        text = re.sub(r"^ *//.*", "", path.read_text(), flags=re.M)
        for name, words in re.findall(r'EXPRAX_TAKES\("([^"]+)",\s*((?:"[^"]*"\s*)+),', text):
            found.append((name, "".join(re.findall(r'"([^"]*)"', words))))
        for spec in re.findall(r"word_of<.*>\{(.*)\};", text):
            words = re.findall(r'"([^"]+)"', spec)
            for word in words[:1] + words[2:]:
                groups[word] = words[1] if len(words) > 1 else words[0]
    return sorted(set(found)), groups


def right_options(entries, groups, needs):
    chosen, used = ([needs] if needs else []), {group_of(needs, groups)}
    for entry in entries:
        word = word_in(entry)
        if groups[word] not in used:
            used.add(groups[word])
            chosen.append(WORDS[word][0])
    return chosen


def wrong_options(call, entries, groups, needs):
    """(options, what the error says, how it names the option)"""
    first = [needs] if needs else []
    once = [entry for entry in entries if entry in WORDS]
    foreign = "keepdims" if "keepdims" not in entries else "tiled"
    yield first + ["bogus{}"], "unknown option", "unknown_option<bogus>"
    yield first + [f"ex::{foreign}"], "unknown option", f"unknown_option<exprax::{foreign}_t>"
    yield first + ['"SAME"'], "an option is a tag", "text_as_option<"
    again = WORDS[once[0]][0]
    yield (first if again == needs else first + [again]) + [again], "repeated option", "option_given_twice<"
    pairs = [WORDS[entry][:2] for entry in once if len(WORDS[entry]) > 1]
    pairs += [[WORDS[one][0], WORDS[other][0]] for one in once for other in once if one < other and groups[one] == groups[other]]
    for pair in pairs:
        yield pair[1:] if pair[0] in call else pair, "options that contradict", "options_contradict<"


def word_in(entry):
    return entry if entry in WORDS else entry.removesuffix("...")


def group_of(option, groups):
    return next((groups[word] for word, given in WORDS.items() if option in given), None)


def written(call, options):
    return f"{call}{'' if call.endswith('(') or not options else ', '}{', '.join(options)})"


def compiled(compiler, source, folder, name):
    path = pathlib.Path(folder) / name
    path.write_text(source)
    result = subprocess.run([*compiler, "-fsyntax-only", "-ftemplate-backtrace-limit=0", str(path)], capture_output=True, text=True)
    return result.returncode, result.stderr


def errors_by_line(output, name):
    """The errors that belong to each line of the source: g++ says from where before an error, clang after it."""
    found, where = {}, None
    for chunk in re.split(r"(?m)^(?=\S*?:\d+:\d+: (?:fatal )?error:)|^(?=\S+: In (?:instantiation|substitution|function|member))", output):
        own = re.match(rf"\S*{re.escape(name)}:(\d+):\d+: (?:fatal )?error:", chunk)
        lines = re.findall(rf"(?m)^\S*{re.escape(name)}:(\d+):", chunk)
        if re.match(r"\S*?:\d+:\d+: (?:fatal )?error:", chunk):
            line = int(own[1]) if own else where or (int(lines[-1]) if lines else 0)
            found.setdefault(line, []).append(chunk)
            where = None
        elif lines:
            where = int(lines[-1])
    return found


def calls_of(found, groups):
    """(name, list, call up to the options, those of a right one, what every call needs) for each row."""
    for name in sorted(CALLS):
        of_name = [words for n, words in found if n == name]
        for number, (call, right, needs) in enumerate(CALLS[name]):
            words = next(w for w in of_name if len(of_name) == 1 or w.startswith(LIST_OF[name, number]))
            yield name, words, call, right_options(words.split(", "), groups, needs) if right is None else right, needs


def main():
    include, compiler = pathlib.Path(sys.argv[1]), sys.argv[2:]
    found, groups = lists(include)
    names = {name for name, _ in found}
    wrongs = list(forgotten(include)) + list(unplaced(include))
    wrongs += [f"{name} has no row in CALLS" for name in sorted(names - set(CALLS))]
    wrongs += [f"CALLS has a row for {name}, which takes no options" for name in sorted(set(CALLS) - names)]
    wrongs += [f"{name}: the word {w} is not in WORDS" for name, words in found for w in words.split(", ") if word_in(w) not in WORDS or word_in(w) not in groups]
    if wrongs:
        sys.exit("\n".join(wrongs))

    right, wrong, expected, placed = VALUES.splitlines(), VALUES.splitlines() + ["struct bogus {};"], {}, set()
    line_of = {}
    def expect(call, *texts):
        if call not in line_of:
            wrong.append(f"void wrong_{len(wrong)}() {{ (void)({call}); }}")
            line_of[call] = len(wrong)
        expected.setdefault(line_of[call], []).extend(texts)
    for name, words, call, given, needs in calls_of(found, groups):
        right.append(f"using right_{len(right)} = decltype({written(call, given)});")
        for options, says, names_it in wrong_options(call, words.split(", "), groups, needs):
            expect(written(call, options), f"exprax: {name}: {says}", f"it takes {words}", names_it)
    for call, says in MISTAKES:
        expect(call, f"exprax: {says}")
    for call in PLACED:
        right.append(f"using right_{len(right)} = decltype({call}));")
        for foreign in ("bogus{}", "ex::tiled", '"SAME"'):
            wrong.append(f"void wrong_{len(wrong)}() {{ (void)({written(call, [foreign])}); }}")
            placed.add(len(wrong))

    with tempfile.TemporaryDirectory() as folder:
        failed, output = compiled(compiler, "\n".join(right) + "\n", folder, "right.cpp")
        if failed:
            sys.exit(f"right calls are refused:\n{output}")
        all_errors = "-ferror-limit=0" if "clang" in subprocess.run([compiler[0], "--version"], capture_output=True, text=True).stdout else "-fmax-errors=0"
        _, output = compiled([*compiler, all_errors], "\n".join(wrong) + "\n", folder, "wrong.cpp")
    errors = errors_by_line(output, "wrong.cpp")
    for line, texts in expected.items():
        of_line = errors.pop(line, [])
        if len(of_line) != 1 or any(text not in of_line[0] for text in texts):
            wrongs.append(f"{wrong[line - 1]}\n  expected one error with {texts}, got:\n" + "".join(of_line))
    wrongs += [f"{wrong[line - 1]}\n  compiles, but must not" for line in sorted(placed) if not errors.pop(line, None)]
    wrongs += [f"an error that no call expects: {text}" for of_line in errors.values() for text in of_line]
    print(f"{len(names)} functions with lists, {len(PLACED)} calls with options in their places, {len(expected) + len(placed)} wrong calls")
    sys.exit("\n".join(wrongs) or 0)


if __name__ == "__main__":
    main()
