// SPDX-License-Identifier: BSL-1.0
// rejects: not a dtype: use bool, \(u\)int8 to \(u\)int64, float16, bfloat16, float
#include <exprax/types/dtype.hpp>

constexpr auto d = exprax::dtype_of<char const*>;
