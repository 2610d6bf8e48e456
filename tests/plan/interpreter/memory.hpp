// SPDX-License-Identifier: BSL-1.0
// The memory of a plan while it is interpreted: bytes, because scratch buffers of different dtypes share them. What has not been written is
// full of a pattern that no program expects, and an index out of a buffer's bounds is counted as a fault.
#pragma once

#include <exprax/plan/data/plan.hpp>
#include <exprax/types/element.hpp>

namespace plan_interpreter {

using namespace exprax;
using detail::arena;
using detail::span;

inline constexpr unsigned char unwritten = 0xa5;

// The pattern that represents these bits in dtype t.
constexpr std::uint64_t canonical(dtype t, std::uint64_t bits) {
  return detail::with_element(t, [bits](auto tag) { return detail::to_bits(detail::from_bits<typename decltype(tag)::type>(bits)); });
}
constexpr std::uint64_t unwritten_element(dtype t) { return canonical(t, 0xa5a5a5a5a5a5a5a5u); }

// Where a buffer begins: a byte of one of several memories.
struct location {
  int memory = -1;
  std::ptrdiff_t at = 0;
  constexpr bool operator==(location const&) const = default;
};

class plan_memory {
 public:
  constexpr explicit plan_memory(plan const& p) : p_(p) { where_.resize(p.buffers.size()); }

  constexpr int add_bytes(std::ptrdiff_t n) {
    arena<unsigned char> bytes;
    bytes.resize(static_cast<int>(n), unwritten);
    size_.push(static_cast<int>(n));
    first_.push(bytes_.size());
    detail::copy_run(bytes_.grow(bytes.size()), bytes.data(), bytes.size());
    return size_.size() - 1;
  }
  constexpr void bind(int buffer, location l) { where_[buffer] = l; }
  constexpr location where(int buffer) const { return where_[buffer]; }
  constexpr dtype type(int buffer) const { return p_.buffers[buffer].type; }

  constexpr std::uint64_t load(int buffer, std::ptrdiff_t i) {
    int const at = byte_of(buffer, i);
    if (at < 0) return unwritten_element(type(buffer));
    std::uint64_t bits = 0;
    for (int k = size_of(type(buffer)) - 1; k >= 0; --k) bits = bits << 8 | bytes_[at + k];
    return canonical(type(buffer), bits);
  }
  constexpr void store(int buffer, std::ptrdiff_t i, std::uint64_t bits) {
    int const at = byte_of(buffer, i);
    if (at < 0) return;
    for (int k = 0; k < size_of(type(buffer)); ++k, bits >>= 8) bytes_[at + k] = static_cast<unsigned char>(bits & 0xff);
  }
  // A kernel may write anything to its own scratch memory.
  constexpr void forget(int buffer) {
    for (std::ptrdiff_t i = 0; i < p_.buffers[buffer].size; ++i) store(buffer, i, unwritten_element(type(buffer)));
  }
  constexpr int faults() const { return faults_; }
  constexpr void fault() { ++faults_; }

 private:
  // -1: there is none.
  constexpr int byte_of(int buffer, std::ptrdiff_t i) {
    location const l = where_[buffer];
    int const bytes = size_of(type(buffer));
    std::ptrdiff_t const at = l.at + i * bytes;
    if (l.memory < 0 || i < 0 || i >= p_.buffers[buffer].size || at < 0 || at % bytes != 0 || at + bytes > size_[l.memory]) {
      fault();
      return -1;
    }
    return first_[l.memory] + static_cast<int>(at);
  }

  plan const& p_;
  arena<location> where_;  // of each buffer
  arena<int> first_, size_;  // of each memory, in bytes_
  arena<unsigned char> bytes_;
  int faults_ = 0;
};

}  // namespace plan_interpreter
