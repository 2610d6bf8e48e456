// SPDX-License-Identifier: BSL-1.0
// jax.random. With core.hpp. A part of exprax.hpp that compiles faster.
#pragma once

#include <exprax/core.hpp>

#include <exprax/base/begin.hpp>
#ifndef EXPRAX_UNSUPPORTED

#include <exprax/numpy/random/random_keys.hpp>
#include <exprax/numpy/random/random_bits.hpp>
#include <exprax/numpy/random/random_integers.hpp>
#include <exprax/numpy/random/random_continuous.hpp>
#include <exprax/numpy/random/random_shapes.hpp>
#include <exprax/numpy/random/random_scaled.hpp>
#include <exprax/numpy/random/random_permutation.hpp>
#include <exprax/numpy/random/random_choice.hpp>
#include <exprax/numpy/random/random_gamma.hpp>
#include <exprax/numpy/random/random_discrete.hpp>
#include <exprax/numpy/random/random_compound.hpp>
#include <exprax/numpy/random/random_linalg.hpp>
#include <exprax/numpy/random/random_parameter_shapes.hpp>

#include <exprax/base/end.hpp>
#endif
