// SPDX-License-Identifier: BSL-1.0
// Which buffers a kernel reads and writes.
#pragma once

#include <exprax/plan/data/plan.hpp>

namespace exprax::detail {

enum class use_kind : std::uint8_t { read, write, both };

constexpr void push_once(arena<int>& list, int buffer) {
  for (int b : list)
    if (b == buffer) return;
  list.push(buffer);
}

struct memory_use {
  int buffer;
  use_kind how;

  constexpr bool reads() const { return how != use_kind::write; }
  constexpr bool writes() const { return how != use_kind::read; }
};

// g(kernel_range) for each list of kernels that a loop or branch runs.
template <class Tables, class G>
constexpr void for_nested(Tables const& p, kernel const k, G g) {
  switch (k.kind) {
    case kernel_kind::scan: g(p.scans[k.index].body); return;
    case kernel_kind::while_loop: g(p.whiles[k.index].condition), g(p.whiles[k.index].body); return;
    case kernel_kind::branch:
      for (int i = 0; i < p.branches[k.index].count; ++i) g(p.cases[p.branches[k.index].first + i]);
      return;
    default: return;
  }
}

// Lists the uses of kernels. Tables: plan, or plan_storage.
template <class Tables>
class use_list {
 public:
  arena<memory_use> found;

  constexpr explicit use_list(Tables const& p) : p_(p) {}

  // The uses of the kernel itself and of the kernels in it.
  constexpr void all(kernel const k) {
    own(k);
    for_nested(p_, k, [&](kernel_range r) { all(r); });
  }
  constexpr void all(kernel_range r) {
    for (int i = r.first; i < r.first + r.count; ++i) all(p_.kernels[i]);
  }
  constexpr void own(kernel const k) {
    switch (k.kind) {
      case kernel_kind::loop: {
        loop_kernel const& l = p_.loops[k.index];
        for (int b = 0; b < l.n_box; ++b) box_uses(p_.boxes[l.box + b]);
        for (int g = 0; g < l.n_guard; ++g) use(p_.terms[l.guard + g].buffer, use_kind::read);
        return;
      }
      case kernel_kind::reduce: return box_uses(p_.boxes[p_.reduces[k.index].box]);
      case kernel_kind::cumulative: return box_uses(p_.boxes[p_.cumulatives[k.index].box]);
      case kernel_kind::contract: {
        contract_kernel const& c = p_.contracts[k.index];
        use(c.lhs_buffer, use_kind::read);
        use(c.rhs_buffer, use_kind::read);
        if (c.has_epilogue()) box_uses(p_.boxes[p_.loops[c.epilogue].box], c.out_buffer);
        else use(c.out_buffer, use_kind::write);
        if (c.panel_buffer >= 0) use(c.panel_buffer, use_kind::write);
        return;
      }
      case kernel_kind::gather:
      case kernel_kind::scatter: {
        indexed_kernel const& x = p_.indexed[k.index];
        bool const gathers = k.kind == kernel_kind::gather;
        for (int q = 0; q < x.n_index; ++q) access_uses(p_.accesses[x.index + q], use_kind::read);
        use(x.x_buffer, gathers ? use_kind::read : use_kind::both);
        use(x.w_buffer, gathers ? use_kind::write : use_kind::read);
        return;
      }
      case kernel_kind::ordering: {
        ordering_kernel const& x = p_.orderings[k.index];
        use(x.in, use_kind::read);
        use(x.scratch, use_kind::write);
        use(x.out, use_kind::write);
        return;
      }
      case kernel_kind::nonzero: {
        nonzero_kernel const& x = p_.nonzeros[k.index];
        int const axes = x.rank - x.batch;
        box_uses(p_.boxes[x.box]);
        for (int i = 0; i < axes; ++i) {
          use(p_.tables[x.table + i], use_kind::write);
          if (x.fills) use(p_.tables[x.table + axes + i], use_kind::read);
        }
        return;
      }
      case kernel_kind::region: return region_block_uses(p_.regions[k.index].block);
      case kernel_kind::print: {
        print_kernel const& x = p_.prints[k.index];
        for (int i = 0; i < x.n_operand; ++i) use(p_.tables[x.operand + i], use_kind::read);
        return;
      }
      case kernel_kind::scan: {
        scan_kernel const& s = p_.scans[k.index];
        carries(s.carry, s.n_carry);
        for (int i = 0; i < s.n_stream; ++i) use(p_.streams[s.stream + i].whole, use_kind::both);
        return;
      }
      case kernel_kind::while_loop: {
        while_kernel const& w = p_.whiles[k.index];
        carries(w.carry, w.n_carry);
        use(w.predicate, use_kind::both);
        return;
      }
      case kernel_kind::branch: use(p_.branches[k.index].index, use_kind::read); return;
    }
  }

 private:
  constexpr void use(int buffer, use_kind how) { found.push({buffer, how}); }
  constexpr void access_uses(access const& a, use_kind how) {
    use(a.buffer, how);
    for (int t = 0; t < a.n_term; ++t) use(p_.terms[a.term + t].buffer, use_kind::read);
  }
  constexpr void box_uses(box const& b, int in_registers = -1) {  // such a buffer is not used
    for (int s = b.step; s < b.step + b.n_step; ++s) {
      step const& x = p_.steps[s];
      use_kind const how = is_store(x.kind) ? use_kind::write : use_kind::read;
      if (is_memory(x.kind) && p_.accesses[x.access].buffer != in_registers) access_uses(p_.accesses[x.access], how);
      else if (is_element(x.kind)) use(x.c, how);
    }
  }
  constexpr void carries(int first, int count) {
    for (int i = first; i < first + count; ++i) {
      carry_slot const& c = p_.carries[i];
      use(c.init, use_kind::read);
      use(c.result, use_kind::both);
      if (c.has_spare()) use(c.spare, use_kind::both);
    }
  }
  constexpr void region_block_uses(int id) {
    region_block const& b = p_.region_blocks[id];
    for (int i = b.step; i < b.step + b.n_step; ++i) {
      region_step const& s = p_.region_steps[i];
      if (s.address >= 0) use(p_.region_addresses[s.address].buffer, s.kind == region_step_kind::load ? use_kind::read : use_kind::write);
      for (int j = 0; j < s.n_block; ++j) region_block_uses(p_.tables[s.block + j]);
    }
  }

  Tables const& p_;
};
template <class Tables>
constexpr arena<memory_use> own_uses(Tables const& p, kernel const k) {
  use_list<Tables> uses(p);
  uses.own(k);
  return static_cast<arena<memory_use>&&>(uses.found);
}
// Of kernels, or of a list of them, with the kernels in them.
template <class Tables, class Kernels>
constexpr arena<memory_use> all_uses(Tables const& p, Kernels const k) {
  use_list<Tables> uses(p);
  uses.all(k);
  return static_cast<arena<memory_use>&&>(uses.found);
}

// Whether both accesses walk the same elements of their buffers.
constexpr bool same_walk(access const& a, access const& b, int rank) {
  if (a.base != b.base || a.n_term != 0 || b.n_term != 0) return false;
  for (int i = 0; i < rank; ++i)
    if (a.stride[i] != b.stride[i]) return false;
  return true;
}

// For one box that reads `in` and writes `out`: whether each element is read at the index where it is written, or before the first write.
template <class Tables>
constexpr bool reads_where_it_writes(Tables const& p, box const& x, int rank, int in, int out) {
  int walk = -1;  // an access, as an index: with -fsanitize=null g++ compares no pointers in constant evaluation
  bool stored = false;
  for (int s = x.step; s < x.step + x.n_step; ++s) {
    step const& y = p.steps[s];
    if (!is_memory(y.kind) && !is_element(y.kind)) continue;
    int const buffer = is_element(y.kind) ? y.c : p.accesses[y.access].buffer;
    if (!is_element(y.kind) && is_gathered(p, p.accesses[y.access]))
      for (int t = 0; t < p.accesses[y.access].n_term; ++t)
        if (p.terms[p.accesses[y.access].term + t].buffer == in) return false;
    if (buffer != in && buffer != out) continue;
    if (is_store(y.kind)) stored = stored || buffer == out;
    else if (stored && buffer == in) return false;
    if (is_element(y.kind)) continue;
    if (walk >= 0 && !same_walk(p.accesses[walk], p.accesses[y.access], rank)) return false;
    walk = y.access;
    if (p.accesses[walk].n_term != 0) return false;
  }
  return true;
}
template <class Tables>
constexpr bool reads_where_it_writes(Tables const& p, loop_kernel const& l, int in, int out) {
  for (int b = l.box; b < l.box + l.n_box; ++b)
    if (!reads_where_it_writes(p, p.boxes[b], l.rank, in, out)) return false;
  return true;
}
// Whether a buffer is a result of a reduction, and not stored beside the results.
template <class Tables>
constexpr bool is_result(Tables const& p, reduce_kernel const& k, int buffer) {
  for (int r = k.reduction; r < k.reduction + k.n_reduction; ++r)
    if (p.accesses[p.reductions[r].out].buffer == buffer) return true;
  return false;
}
// Of a reduction: what it stores beside its results.
template <class Tables>
constexpr bool reads_where_it_writes(Tables const& p, reduce_kernel const& k, int in, int out) {
  return !is_result(p, k, out) && reads_where_it_writes(p, p.boxes[k.box], k.rank, in, out);
}

// For one loop of kernels that reads `in` and writes `out`: whether `in` is the start of a carry that ends in `out`, and which is first
// written to other memory, or always where it is read.
template <class Tables>
constexpr bool reads_before_it_writes(Tables const& p, kernel const k, int in, int out) {
  if (k.kind != kernel_kind::scan && k.kind != kernel_kind::while_loop) return false;
  int uses = 0;
  for (memory_use const& u : all_uses(p, k)) uses += u.buffer == in || u.buffer == out;
  bool const is_scan = k.kind == kernel_kind::scan;
  int const first = is_scan ? p.scans[k.index].carry : p.whiles[k.index].carry;
  int const count = is_scan ? p.scans[k.index].n_carry : p.whiles[k.index].n_carry;
  for (int i = first; i < first + count; ++i) {
    carry_slot const& c = p.carries[i];
    if (c.mode != carry_mode::swapped || c.init != in || c.result != out) continue;
    return uses == 2 && (c.n_ring == 1 || (c.n_ring == 2 && p.tables[c.ring] != out));
  }
  return false;
}

// One small product.
constexpr bool reads_all_before_it_writes(contract_kernel const& k) {
  return k.tiles.method == contract_method::matrix && k.walks.out_rank == 2;
}
// Or what an epilogue reads at the index where it writes, if no pack of results overlaps another.
template <class Tables>
constexpr bool reads_before_it_writes(Tables const& p, contract_kernel const& k, int in, int out) {
  if (!k.has_epilogue()) return reads_all_before_it_writes(k);
  bool const overlap = k.tiles.method == contract_method::tiles && k.walks.dims[k.tiles.column] % k.tiles.lanes != 0;
  return in != k.lhs_buffer && in != k.rhs_buffer && !overlap && reads_where_it_writes(p, p.loops[k.epilogue], in, out);
}

template <class Tables>
constexpr bool is_read_before_written(Tables const& p, kernel_range body, int in, int out);

// For one loop of kernels without carries that reads `in` and writes `out`: whether it does so row by row, and reads each row before it
// writes it.
template <class Tables>
constexpr bool reads_rows_before_it_writes(Tables const& p, kernel const k, int in, int out) {
  if (k.kind != kernel_kind::scan || p.scans[k.index].n_carry > 0) return false;
  scan_kernel const& s = p.scans[k.index];
  int part_in = -1, part_out = -1, uses = 0;
  for (int i = s.stream; i < s.stream + s.n_stream; ++i) {
    stream_slot const& x = p.streams[i];
    if (x.whole != in && x.whole != out) continue;
    ++uses;
    (x.whole == in ? part_in : part_out) = x.part;
  }
  bool whole = false;
  for (memory_use const& u : all_uses(p, s.body)) whole = whole || u.buffer == in || u.buffer == out;
  if (uses != 2 || part_in < 0 || part_out < 0 || whole || p.buffers[part_in].size != p.buffers[part_out].size) return false;
  return is_read_before_written(p, s.body, part_in, part_out);
}

// Whether every read of `in` in a list of kernels comes before the first write of `out`: then they may be the same memory.
template <class Tables>
constexpr bool is_read_before_written(Tables const& p, kernel_range body, int in, int out) {
  bool written = false;
  for (int i = body.first; i < body.first + body.count; ++i) {
    kernel const k = p.kernels[i];
    bool reads = false, writes = false;
    for (memory_use const& u : all_uses(p, k)) {
      reads = reads || (u.buffer == in && u.reads());
      writes = writes || (u.buffer == out && u.writes());
    }
    if (reads && written) return false;
    written = written || writes;
    if (!reads || !writes) continue;
    bool const ok = k.kind == kernel_kind::loop       ? reads_where_it_writes(p, p.loops[k.index], in, out)
                    : k.kind == kernel_kind::reduce   ? reads_where_it_writes(p, p.reduces[k.index], in, out)
                    : k.kind == kernel_kind::cumulative
                        ? reads_where_it_writes(p, p.boxes[p.cumulatives[k.index].box], p.cumulatives[k.index].rank, in, out)
                    : k.kind == kernel_kind::contract ? reads_before_it_writes(p, p.contracts[k.index], in, out)
                                                      : reads_before_it_writes(p, k, in, out) || reads_rows_before_it_writes(p, k, in, out);
    if (!ok) return false;
  }
  return true;
}

}  // namespace exprax::detail
