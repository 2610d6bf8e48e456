// SPDX-License-Identifier: BSL-1.0
// value_table: the hash table of value numbering. Open addressing; one word holds 32 bits of hash and a value, so that a
// probe is one comparison and growing needs nothing else. The caller walks the slots: for (s = first(tag);; s = next(s)).
#pragma once

#include <cstdint>

#include <exprax/base/arena.hpp>

namespace exprax::detail {

class value_table {
 public:
  static constexpr std::uint64_t prime = 0x9e3779b97f4a7c15u;

  constexpr explicit value_table(int entries) {
    while ((1 << log2_) < 2 * entries) ++log2_;
    slots_.resize(1 << log2_, 0);
  }

  constexpr std::uint32_t first(std::uint32_t tag) const { return tag >> (32 - log2_); }
  constexpr std::uint32_t next(std::uint32_t slot) const { return (slot + 1) & ((1u << log2_) - 1); }
  // 0: free. Otherwise the tag in the high half, and a value + 1 in the low half.
  constexpr std::uint64_t const* slots() const { return slots_.data(); }
  static constexpr int value(std::uint64_t word) { return static_cast<int>(word & 0xffffffffu) - 1; }

  // Takes the free slot at which the caller's walk ended.
  constexpr void take(std::uint32_t slot, std::uint32_t tag, int v) {
    slots_.data()[slot] = std::uint64_t{tag} << 32 | static_cast<std::uint32_t>(v + 1);
    if (++used_ > 3 << (log2_ - 2)) grow();
  }

 private:
  constexpr void grow() {
    arena<std::uint64_t> const old = std::move(slots_);
    ++log2_;
    slots_ = arena<std::uint64_t>();
    slots_.resize(1 << log2_, 0);
    for (std::uint64_t word : old) {
      if (word == 0) continue;
      std::uint32_t s = first(static_cast<std::uint32_t>(word >> 32));
      while (slots_[static_cast<int>(s)] != 0) s = next(s);
      slots_[static_cast<int>(s)] = word;
    }
  }

  arena<std::uint64_t> slots_;
  int log2_ = 5;
  int used_ = 0;
};

}  // namespace exprax::detail
