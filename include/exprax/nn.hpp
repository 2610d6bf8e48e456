// SPDX-License-Identifier: BSL-1.0
// jax.nn. With core.hpp. A part of exprax.hpp that compiles faster.
#pragma once

#include <exprax/core.hpp>

#include <exprax/base/begin.hpp>
#ifndef EXPRAX_UNSUPPORTED

#include <exprax/numpy/core/identities.hpp>
#include <exprax/numpy/reductions/logsumexp.hpp>
#include <exprax/numpy/nn/activations.hpp>
#include <exprax/numpy/nn/softmax.hpp>
#include <exprax/numpy/nn/nn_where.hpp>
#include <exprax/numpy/nn/attention.hpp>
#include <exprax/numpy/nn/initializers.hpp>

#include <exprax/base/end.hpp>
#endif
