// SPDX-License-Identifier: BSL-1.0
// jax.lax. With core.hpp. A part of exprax.hpp that compiles faster.
#pragma once

#include <exprax/core.hpp>

#include <exprax/base/begin.hpp>
#ifndef EXPRAX_UNSUPPORTED

#include <exprax/numpy/lax/elementwise.hpp>
#include <exprax/numpy/lax/shape.hpp>
#include <exprax/numpy/lax/products.hpp>
#include <exprax/numpy/lax/reductions.hpp>
#include <exprax/numpy/lax/indexing.hpp>
#include <exprax/numpy/lax/collectives.hpp>
#include <exprax/numpy/lax/control.hpp>

#include <exprax/base/end.hpp>
#endif
