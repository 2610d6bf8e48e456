// SPDX-License-Identifier: BSL-1.0
// jax.numpy.fft. With core.hpp. A part of exprax.hpp that compiles faster.
#pragma once

#include <exprax/core.hpp>

#include <exprax/base/begin.hpp>
#ifndef EXPRAX_UNSUPPORTED

#include <exprax/numpy/fft/fft_options.hpp>
#include <exprax/numpy/fft/fft.hpp>
#include <exprax/numpy/fft/fft_frequencies.hpp>

#include <exprax/base/end.hpp>
#endif
