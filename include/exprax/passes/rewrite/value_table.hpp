// SPDX-License-Identifier: BSL-1.0
// value_table: the hash table of value numbering, with open addressing. The caller walks the slots:
// for (s = first(tag); value[s] != 0; s = next(s)), where value holds a value + 1 and tag its hash.
#pragma once

#include <cstdint>
#include <cstddef>

namespace exprax::detail {

class value_table {
 public:
  std::uint32_t* tag = nullptr;
  int* value = nullptr;
  int shift = 27;  // a hash shifted by this is its first slot

  constexpr explicit value_table(int entries) {
    while (shift > 8 && (1 << (32 - shift)) < 2 * entries) --shift;
    allocate();
  }
  value_table(value_table const&) = delete;
  value_table& operator=(value_table const&) = delete;
  constexpr ~value_table() {
    delete[] tag;
    delete[] value;
  }

  // At most three quarters of the slots are taken.
  constexpr void take(std::uint32_t slot, std::uint32_t hash, int v) {
    tag[slot] = hash, value[slot] = v + 1;
    if (++used_ > 3 << (30 - shift)) grow();
  }
  constexpr std::uint32_t next(std::uint32_t slot) const { return (slot + 1) & ((1u << (32 - shift)) - 1); }

 private:
  constexpr void allocate() {
    tag = new std::uint32_t[std::size_t{1} << (32 - shift)]();
    value = new int[std::size_t{1} << (32 - shift)]();
  }
  constexpr void grow() {
    std::uint32_t* const old_tag = tag;
    int* const old_value = value;
    int const n = 1 << (32 - shift);
    --shift;
    allocate();
    for (int i = 0; i < n; ++i) {
      if (old_value[i] == 0) continue;
      std::uint32_t s = old_tag[i] >> shift;
      while (value[s] != 0) s = next(s);
      tag[s] = old_tag[i], value[s] = old_value[i];
    }
    delete[] old_tag;
    delete[] old_value;
  }

  int used_ = 0;
};

}  // namespace exprax::detail
