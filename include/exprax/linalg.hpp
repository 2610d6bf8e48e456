// SPDX-License-Identifier: BSL-1.0
// jax.numpy.linalg and jax.scipy.linalg. With core.hpp. A part of exprax.hpp that compiles faster.
#pragma once

#include <exprax/core.hpp>

#include <exprax/base/begin.hpp>
#ifndef EXPRAX_UNSUPPORTED

#include <exprax/numpy/linalg/triangular.hpp>
#include <exprax/numpy/linalg/elimination.hpp>
#include <exprax/numpy/linalg/lu.hpp>
#include <exprax/numpy/linalg/solve.hpp>
#include <exprax/numpy/linalg/determinant.hpp>
#include <exprax/numpy/linalg/tensor_solve.hpp>
#include <exprax/numpy/linalg/qr.hpp>
#include <exprax/numpy/linalg/eigh.hpp>
#include <exprax/numpy/linalg/svd.hpp>
#include <exprax/numpy/linalg/least_squares.hpp>
#include <exprax/numpy/linalg/norm.hpp>
#include <exprax/numpy/linalg/matrix_functions.hpp>

#include <exprax/base/end.hpp>
#endif
