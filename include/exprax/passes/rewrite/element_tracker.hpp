// SPDX-License-Identifier: BSL-1.0
// element_tracker: the known elements of arrays that are written one element at a time, as a = a.at(i, j).set(z) in an unrolled loop. A
// read of such an element becomes the value that was written, and never waits for memory.
//
// A chain is a sequence of updates, each of the result of the one before; only its latest version is known. Chains are stored sparsely,
// so that one update of a large array costs little.
#pragma once

#include <cstddef>

#include <exprax/base/arena.hpp>
#include <exprax/passes/rewrite/value_table.hpp>

namespace exprax::detail {

class element_tracker {
 public:
  constexpr element_tracker() : slots_(0) {}

  // Element `index` of v, as an array or scalar of one element; -1: unknown.
  constexpr int find(int v, std::ptrdiff_t index) const {
    int const c = chain_of(v);
    if (c < 0) return -1;
    std::uint32_t s = slot(chains_[c].id, index);
    if (slots_.value[s] != 0) return entries_[slots_.value[s] - 1].value;
    return chains_[c].base;
  }

  // Adds the version `to` after `from`, or starts a chain there; base: the scalar that fills `from`, or -1. False: `to` is known already.
  constexpr bool advance(int from, int to, int base) {
    if (chain_of(to) >= 0) return false;
    int c = chain_of(from);
    if (c < 0) {
      c = next_;
      next_ = (next_ + 1) % chains;
      chains_[c] = {from, ++ids_, base};
    }
    chains_[c].version = to;
    return true;
  }
  // Element `index` of v, the latest version of a chain, is `value` (-1: unknown).
  constexpr void write(int v, std::ptrdiff_t index, int value) {
    int const id = chains_[chain_of(v)].id;
    std::uint32_t const s = slot(id, index);
    if (slots_.value[s] != 0) entries_[slots_.value[s] - 1].value = value;
    else slots_.take(s, hash(id, index), entries_.push({id, index, value}));
  }

 private:
  static constexpr int chains = 4;
  struct chain {
    int version = -1;
    int id = 0;
    int base = -1;
  };
  struct entry {
    int id = 0;
    std::ptrdiff_t index = 0;
    int value = -1;
  };

  constexpr int chain_of(int v) const {
    for (int c = 0; c < chains; ++c)
      if (chains_[c].version == v) return c;
    return -1;
  }
  static constexpr std::uint32_t hash(int id, std::ptrdiff_t index) {
    return (static_cast<std::uint32_t>(index) * 0x9e3779b1u + static_cast<std::uint32_t>(id)) * 0x85ebca77u;
  }
  // The slot of the entry, or a free slot for it.
  constexpr std::uint32_t slot(int id, std::ptrdiff_t index) const {
    std::uint32_t const h = hash(id, index);
    std::uint32_t s = h >> slots_.shift;
    for (; slots_.value[s] != 0; s = slots_.next(s)) {
      entry const& e = entries_[slots_.value[s] - 1];
      if (slots_.tag[s] == h && e.id == id && e.index == index) break;
    }
    return s;
  }

  chain chains_[chains];
  int next_ = 0, ids_ = 0;
  arena<entry> entries_;
  value_table slots_;
};

}  // namespace exprax::detail
