// SPDX-License-Identifier: BSL-1.0
// pack<T, L>: L elements of T in SIMD registers, over the lane concept of math/lane.hpp: part of a register, one, or several ("wide").
// pack<T, 1> is lane<T>. pack<bool, L> is the mask of every pack of L elements. Operations do not mix lanes.
#pragma once

#include <exprax/emit/simd/pack_bits.hpp>
#include <exprax/emit/simd/pack_convert.hpp>
#include <exprax/emit/simd/pack_division.hpp>
#include <exprax/emit/simd/pack_mask.hpp>
#include <exprax/emit/simd/pack_memory.hpp>
#include <exprax/emit/simd/pack_number.hpp>
#include <exprax/emit/simd/pack_permute.hpp>
#include <exprax/emit/simd/pack_table.hpp>
