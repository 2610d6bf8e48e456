// SPDX-License-Identifier: BSL-1.0
// kernel_work: how many operations on elements a kernel does, weighted by what they cost (a product with a sum is two), how many bytes it
// reads and writes, and which of them bounds its time. Of loops, reductions, products and regions; other kernels count as none.
#pragma once

#include <exprax/base/target.hpp>
#include <exprax/plan/analysis/uses.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail {

enum class time_bound : std::uint8_t { none, arithmetic, memory, latency };

// Tables: plan, or plan_storage. A template, so that programs that do not ask do not instantiate it.
template <class Tables>
class kernel_work {
 public:
  // counts_memory: loads and stores count as operations too.
  constexpr explicit kernel_work(Tables const& p, bool counts_memory = false) : p_(p), of_memory_(counts_memory) {}

  constexpr std::int64_t operations(kernel const k) const {
    std::int64_t n = 0;
    switch (k.kind) {
      case kernel_kind::loop: {
        loop_kernel const& l = p_.loops[k.index];
        for (int b = l.box; b < l.box + l.n_box; ++b) n += product(p_.boxes[b].extent, l.rank) * of_steps(p_.boxes[b]);
        return n;
      }
      case kernel_kind::reduce: {
        reduce_kernel const& r = p_.reduces[k.index];
        return product(r.dims, r.rank) * (of_steps(p_.boxes[r.box]) + r.n_reduction);
      }
      case kernel_kind::cumulative: {
        cumulative_kernel const& r = p_.cumulatives[k.index];
        return product(r.dims, r.rank) * (of_steps(p_.boxes[r.box]) + 4 * traits_of(r.op).cost);
      }
      case kernel_kind::contract: {
        contract_kernel const& c = p_.contracts[k.index];
        std::int64_t const of_epilogue = c.has_epilogue() ? of_steps(p_.boxes[p_.loops[c.epilogue].box]) : 0;
        return (2 * static_cast<std::int64_t>(c.walks.k_size) + of_epilogue) * c.walks.out_size;
      }
      case kernel_kind::region: {
        region_kernel const& r = p_.regions[k.index];
        return product(r.rows, r.row_axes) * of_block(r.block);
      }
      case kernel_kind::scan: {
        scan_kernel const& s = p_.scans[k.index];
        for (int i = s.body.first; i < s.body.first + s.body.count; ++i) n += operations(p_.kernels[i]);
        return n * s.length;
      }
      default: return 0;
    }
  }

  // Each element of a buffer counts once.
  constexpr std::int64_t bytes(kernel const k) const {
    struct part {
      int buffer;
      std::int64_t elements;
    };
    arena<part> parts;
    auto const add = [&](int buffer, std::int64_t n) {
      for (part& x : parts)
        if (x.buffer == buffer) return void(x.elements += n);
      parts.push({buffer, n});
    };
    auto const of_box = [&](box const& b, int rank) {
      for (int s = b.step; s < b.step + b.n_step; ++s) {
        step const& x = p_.steps[s];
        if (is_element(x.kind)) add(x.c, 1);
        if (!is_memory(x.kind)) continue;
        access const& a = p_.accesses[x.access];
        std::int64_t n = 1;
        for (int i = 0; i < rank; ++i) n *= a.stride[i] != 0 || has_indices_along(p_, a, i) ? b.extent[i] : 1;
        add(a.buffer, n);
        for (int t = a.term; t < a.term + a.n_term; ++t)
          if (p_.terms[t].walk >= 0) add(p_.terms[t].buffer, p_.buffers[p_.terms[t].buffer].size);
      }
    };
    switch (k.kind) {
      case kernel_kind::loop: {
        loop_kernel const& l = p_.loops[k.index];
        for (int b = l.box; b < l.box + l.n_box; ++b) of_box(p_.boxes[b], l.rank);
        break;
      }
      case kernel_kind::reduce: {
        reduce_kernel const& r = p_.reduces[k.index];
        of_box(p_.boxes[r.box], r.rank);
        break;
      }
      case kernel_kind::cumulative: of_box(p_.boxes[p_.cumulatives[k.index].box], p_.cumulatives[k.index].rank); break;
      case kernel_kind::contract:
      case kernel_kind::region:
        for (memory_use const& u : own_uses(p_, k)) add(u.buffer, p_.buffers[u.buffer].size);
        break;
      default: return 0;
    }
    std::int64_t n = 0;
    for (part const& x : parts) {
      buffer const& of = p_.buffers[x.buffer];
      n += (x.elements < of.size ? x.elements : of.size) * size_of(of.type);
    }
    return n;
  }

  // Of the usual machine: two operations on registers in a cycle, and so many bytes in a cycle as the nearest memory that holds them gives.
  // What takes fewer cycles than the operations of one element after another is bound by their latency.
  constexpr time_bound bound(kernel const k, target const& machine = this_target) const {
    constexpr std::int64_t next_cache = 1 << 20, fewest_cycles = 64;
    std::int64_t const n = operations(k), memory = bytes(k);
    if (memory == 0) return time_bound::none;
    int const size = element_size(k), lanes = machine.register_bytes > size ? machine.register_bytes / size : 1;
    std::int64_t const arithmetic_cycles = n / (2 * lanes);
    std::int64_t const memory_cycles = memory / (memory <= machine.nearest_cache ? 64 : memory <= next_cache ? 32 : 8);
    bool const in_turn = k.kind == kernel_kind::region && p_.regions[k.index].row_axes == 0;
    if (in_turn || (arithmetic_cycles < fewest_cycles && memory_cycles < fewest_cycles)) return time_bound::latency;
    return memory_cycles > arithmetic_cycles ? time_bound::memory : time_bound::arithmetic;
  }

 private:
  static constexpr std::int64_t product(int const* dims, int rank) {
    std::int64_t n = 1;
    for (int i = 0; i < rank; ++i) n *= dims[i];
    return n;
  }
  static constexpr int cost_of(prim op) { return op == prim::fma ? 2 * cost_of_instruction : traits_of(op).cost; }
  constexpr std::int64_t of_steps(box const& b) const {
    std::int64_t n = 0;
    for (int s = b.step; s < b.step + b.n_step; ++s) {
      switch (p_.steps[s].kind) {
        case step_kind::compute: n += cost_of(p_.steps[s].op); break;
        case step_kind::convert: ++n; break;
        case step_kind::load: case step_kind::gather: case step_kind::store: case step_kind::load_element: case step_kind::store_element:
          n += of_memory_;
          break;
        default: break;
      }
    }
    return n;
  }
  constexpr std::int64_t of_block(int block) const {
    constexpr int turns_of_while = 8;  // a guess
    region_block const& b = p_.region_blocks[block];
    std::int64_t n = 0;
    for (int i = b.step; i < b.step + b.n_step; ++i) {
      region_step const& s = p_.region_steps[i];
      std::int64_t nested = 0;
      for (int j = 0; j < s.n_block; ++j) nested += of_block(p_.tables[s.block + j]);
      switch (s.kind) {
        case region_step_kind::compute: n += cost_of(s.op); break;
        case region_step_kind::scan: n += nested * s.length; break;
        case region_step_kind::while_loop: n += nested * turns_of_while; break;
        default: n += of_memory_ + nested; break;
      }
    }
    return n;
  }
  // Of the largest dtype that the kernel writes.
  constexpr int element_size(kernel const k) const {
    int size = 1;
    for (memory_use const& u : own_uses(p_, k))
      if (int const n = size_of(p_.buffers[u.buffer].type); u.writes() && n > size) size = n;
    return size;
  }

  Tables const& p_;
  bool of_memory_;
};

}  // namespace exprax::detail
