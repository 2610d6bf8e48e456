// SPDX-License-Identifier: BSL-1.0
// rejects: not a dtype: use bool, \(u\)int8 to \(u\)int64, float or double
#include <exprax/types/dtype.hpp>

constexpr auto d = exprax::dtype_of<char const*>;
