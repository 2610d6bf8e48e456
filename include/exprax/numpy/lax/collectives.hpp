// SPDX-License-Identifier: BSL-1.0
// ex::lax: the collectives over named axes, which mean the same in ex.
#pragma once

#include <exprax/numpy/collectives/all_gather.hpp>
#include <exprax/numpy/collectives/ppermute.hpp>
#include <exprax/numpy/collectives/psum.hpp>

namespace exprax {

namespace lax {

using exprax::all_gather;
using exprax::all_to_all;
using exprax::axis_index;
using exprax::pmax;
using exprax::pmean;
using exprax::pmin;
using exprax::ppermute;
using exprax::pshuffle;
using exprax::psum;
using exprax::pswapaxes;

}  // namespace lax

}  // namespace exprax
