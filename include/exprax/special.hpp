// SPDX-License-Identifier: BSL-1.0
// jax.scipy.special and window functions. With core.hpp. A part of exprax.hpp that compiles faster.
#pragma once

#include <exprax/core.hpp>

#include <exprax/base/begin.hpp>
#ifndef EXPRAX_UNSUPPORTED

#include <exprax/numpy/special/window_functions.hpp>
#include <exprax/numpy/reductions/logsumexp.hpp>
#include <exprax/numpy/special/special.hpp>
#include <exprax/numpy/special/bessel.hpp>
#include <exprax/numpy/special/special_series.hpp>

#include <exprax/base/end.hpp>
#endif
