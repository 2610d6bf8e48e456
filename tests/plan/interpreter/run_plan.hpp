// SPDX-License-Identifier: BSL-1.0
// run_plan: what emitted code does with a plan, value for value, at run time and in constant evaluation. Not a template over the plan: any
// number of plans, for any target, are run by one function.
#pragma once

#include <plan/interpreter/kernels.hpp>
#include <plan/interpreter/outcome.hpp>
#include <plan/interpreter/regions.hpp>

namespace plan_interpreter {

constexpr void run_kernels(machine& m, kernel_range r);

// ---- Carries

// Two buffers in the same place: there is nothing to copy.
constexpr void copy_elements(machine& m, int to, int from) {
  if (m.memory.where(to) == m.memory.where(from)) return;
  for (std::ptrdiff_t i = 0; i < m.p.buffers[to].size; ++i) m.memory.store(to, i, m.memory.load(from, i));
}
constexpr void start(machine& m, carry_slot const& c) {
  if (c.in == c.out) return;
  if (c.mode == carry_mode::swapped || c.mode == carry_mode::shifted) {
    m.memory.bind(c.in, m.memory.where(c.init));
    if (c.mode == carry_mode::swapped) m.memory.bind(c.out, m.memory.where(m.p.tables[c.ring]));
  } else {
    copy_elements(m, c.result, c.init);
    m.memory.bind(c.in, m.memory.where(c.result));
    m.memory.bind(c.out, m.memory.where(c.mode == carry_mode::copied ? c.spare : c.result));
  }
}
constexpr void turn(machine& m, carry_slot const& c) {
  if (c.in == c.out) return;
  if (c.mode == carry_mode::copied) {
    copy_elements(m, c.result, c.spare);
  } else if (c.mode == carry_mode::swapped) {
    location const written = m.memory.where(c.out);
    int i = 0;
    while (!(m.memory.where(m.p.tables[c.ring + i]) == written)) ++i;
    m.memory.bind(c.in, written);
    m.memory.bind(c.out, m.memory.where(m.p.tables[c.ring + (i + 1) % c.n_ring]));
  } else if (c.mode == carry_mode::shifted) {
    m.memory.bind(c.in, m.memory.where(c.out));
  }
}
// first: the first carry of the loop; k: which of its carries.
constexpr void finish(machine& m, carry_slot const* first, int k) {
  carry_slot const& c = first[k];
  if (c.in == c.out || (c.mode != carry_mode::swapped && c.mode != carry_mode::shifted)) return;
  location const here = m.memory.where(c.in), result = m.memory.where(c.result);
  for (int j = k - 1; j >= k - c.older; --j) {
    if (here == result || !(m.memory.where(first[j].in) == result)) continue;
    for (std::ptrdiff_t i = 0; i < m.p.buffers[c.in].size; ++i) {
      std::uint64_t const x = m.memory.load(c.in, i);
      m.memory.store(c.in, i, m.memory.load(c.result, i));
      m.memory.store(c.result, i, x);
    }
    m.memory.bind(c.in, result);
    m.memory.bind(first[j].in, here);
    return;
  }
  copy_elements(m, c.result, c.in);
}

// ---- Loops and branches

constexpr void run_scan(machine& m, scan_kernel const& k) {
  span<carry_slot> const carries{m.p.carries.data() + k.carry, k.n_carry};
  for (carry_slot const& c : carries) start(m, c);
  for (int i = 0; i < k.length; ++i) {
    int const t = k.reverse ? k.length - 1 - i : i;
    for (stream_slot const& s : span<stream_slot>{m.p.streams.data() + k.stream, k.n_stream}) {
      location row = m.memory.where(s.whole);
      row.at += t * m.p.buffers[s.part].size * size_of(m.p.buffers[s.part].type);
      m.memory.bind(s.part, row);
    }
    run_kernels(m, k.body);
    for (carry_slot const& c : carries) turn(m, c);
  }
  for (int i = carries.size() - 1; i >= 0; --i) finish(m, carries.begin(), i);
}
constexpr void run_while(machine& m, while_kernel const& k) {
  span<carry_slot> const carries{m.p.carries.data() + k.carry, k.n_carry};
  for (carry_slot const& c : carries) start(m, c);
  while (true) {
    run_kernels(m, k.condition);
    if (m.memory.load(k.predicate, 0) == 0) break;
    run_kernels(m, k.body);
    for (carry_slot const& c : carries) turn(m, c);
  }
  for (int i = carries.size() - 1; i >= 0; --i) finish(m, carries.begin(), i);
}
constexpr void run_branch(machine& m, branch_kernel const& k) {
  run_kernels(m, m.p.cases[k.first + static_cast<int>(clamped(static_cast<std::int64_t>(m.memory.load(k.index, 0)), k.count - 1))]);
}

constexpr void run_kernel(machine& m, kernel k) {
  switch (k.kind) {
    case kernel_kind::loop: return run_loop(m, m.p.loops[k.index]);
    case kernel_kind::reduce: return run_reduce(m, m.p.reduces[k.index]);
    case kernel_kind::cumulative: return run_cumulative(m, m.p.cumulatives[k.index]);
    case kernel_kind::contract: return run_contract(m, m.p.contracts[k.index]);
    case kernel_kind::gather:
    case kernel_kind::scatter: return run_indexed(m, m.p.indexed[k.index]);
    case kernel_kind::ordering: return run_ordering(m, m.p.orderings[k.index]);
    case kernel_kind::nonzero: return run_nonzero(m, m.p.nonzeros[k.index]);
    case kernel_kind::region: return region_runner(m, m.p.regions[k.index]).run();
    case kernel_kind::scan: return run_scan(m, m.p.scans[k.index]);
    case kernel_kind::while_loop: return run_while(m, m.p.whiles[k.index]);
    case kernel_kind::branch: return run_branch(m, m.p.branches[k.index]);
    case kernel_kind::print: return run_print(m, m.p.prints[k.index]);
  }
}
constexpr void run_kernels(machine& m, kernel_range r) {
  for (int i = r.first; i < r.first + r.count; ++i) run_kernel(m, m.p.kernels[i]);
}

// ---- A whole plan

// p: the program that was planned. donated: for each result the argument whose memory it gets, or -1; empty: none.
constexpr outcome run_plan(plan const& made, program_ref p, span<std::uint64_t const*> inputs, span<int> donated = {},
                           interpreter::print_hook on_print = nullptr, void* to = nullptr) {
  machine m{p, made, plan_memory(made), on_print, to};
  int const scratch = m.memory.add_bytes(made.scratch);
  arena<location> arguments;
  for (int v : p.ins(p.main())) arguments.push({m.memory.add_bytes(p.type(v).size() * size_of(p.type(v).type)), 0});
  for (int b = 0; b < made.buffers.size(); ++b) {
    buffer const& x = made.buffers[b];
    auto const fill = [&](location l, std::uint64_t const* elements) {
      m.memory.bind(b, l);
      for (std::ptrdiff_t i = 0; i < x.size; ++i) m.memory.store(b, i, elements[i]);
    };
    if (x.where == storage_class::scratch) m.memory.bind(b, {scratch, x.offset});
    else if (x.where == storage_class::input) fill(arguments[x.index], inputs[x.index]);
    else if (x.where == storage_class::constant) fill({m.memory.add_bytes(x.size * size_of(x.type)), 0}, p.constants + x.index);
    else if (x.where == storage_class::output && !donated.empty() && donated[x.index] >= 0) m.memory.bind(b, arguments[donated[x.index]]);
    else if (x.where == storage_class::output) m.memory.bind(b, {m.memory.add_bytes(x.size * size_of(x.type)), 0});
  }
  run_kernels(m, made.main);
  outcome r;
  r.results.resize(p.main().n_out);
  for (int b = 0; b < made.buffers.size(); ++b) {
    buffer const& x = made.buffers[b];
    if (x.where != storage_class::output) continue;
    for (std::ptrdiff_t i = 0; i < x.size; ++i) r.results[x.index].push(m.memory.load(b, i));
  }
  r.faults = m.memory.faults();
  return r;
}

}  // namespace plan_interpreter
