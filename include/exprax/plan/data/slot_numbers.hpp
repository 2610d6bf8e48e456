// SPDX-License-Identifier: BSL-1.0
// The slots of all dtypes in one list, for tables that note something of each slot.
#pragma once

#include <exprax/types/dtype.hpp>

namespace exprax::detail::planning {

class slot_numbers {
 public:
  // slots: how many there are of each dtype.
  constexpr explicit slot_numbers(int const (&slots)[dtype_count]) {
    for (int t = 0; t < dtype_count; ++t) {
      first_[t] = size_;
      size_ += slots[t];
    }
  }
  constexpr int size() const { return size_; }
  constexpr int operator()(dtype t, int slot) const { return first_[static_cast<int>(t)] + slot; }

 private:
  int first_[dtype_count] = {}, size_ = 0;
};

}  // namespace exprax::detail::planning
