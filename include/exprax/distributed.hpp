// SPDX-License-Identifier: BSL-1.0
// Collectives over named axes of vmap: psum, all_gather, ppermute and their like. With core.hpp. A part of exprax.hpp that compiles faster.
#pragma once

#include <exprax/core.hpp>

#include <exprax/base/begin.hpp>
#ifndef EXPRAX_UNSUPPORTED

#include <exprax/numpy/collectives/psum.hpp>
#include <exprax/numpy/collectives/all_gather.hpp>
#include <exprax/numpy/collectives/ppermute.hpp>
#include <exprax/numpy/lax/collectives.hpp>

#include <exprax/base/end.hpp>
#endif
