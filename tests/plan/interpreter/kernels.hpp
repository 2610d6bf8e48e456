// SPDX-License-Identifier: BSL-1.0
// Kernels that read whole operands: contractions, gathers and scatters, orders, prints.
#pragma once

#include <plan/interpreter/steps.hpp>

namespace plan_interpreter {

// ---- Contractions

constexpr std::ptrdiff_t dot(std::ptrdiff_t const* index, std::ptrdiff_t const* stride, int n) {
  std::ptrdiff_t at = 0;
  for (int i = 0; i < n; ++i) at += index[i] * stride[i];
  return at;
}
constexpr std::uint64_t decoded(contract_kernel const& k, int of, std::uint64_t bits) {
  if (k.halves != of) return bits;
  operand const in[] = {{aval(dtype::u16), &bits}};
  std::uint64_t made = 0;
  evaluate(k.half == dtype::f16 ? prim::decode_float16 : prim::decode_bfloat16, in, {}, aval(dtype::f32), &made);
  return made;
}
// Each element of the result is dot_general of two vectors, whose parameters have the order of the sum.
constexpr void run_contract(machine& m, contract_kernel const& k) {
  contract_walks const& w = k.walks;
  int const axes = w.out_rank, all = axes + w.k_rank;
  bool const reads_all_first = detail::reads_all_before_it_writes(k);
  if (k.has_epilogue()) m.memory.bind(k.out_buffer, {m.memory.add_bytes(w.out_size * size_of(k.type)), 0});
  arena<std::uint64_t> made;
  std::ptrdiff_t index[2 * max_rank] = {};
  for_indices(index, nullptr, w.dims, 0, axes, [&] {
    arena<std::uint64_t> lhs, rhs;
    for_indices(index, nullptr, w.dims, axes, all, [&] {
      lhs.push(decoded(k, 0, m.memory.load(k.lhs_buffer, k.lhs_base + dot(index, w.lhs, all))));
      rhs.push(decoded(k, 1, m.memory.load(k.rhs_buffer, k.rhs_base + dot(index, w.rhs, all))));
    });
    aval const type(k.type, {lhs.size()});
    operand const in[] = {{type, lhs.data()}, {type, rhs.data()}};
    std::uint64_t sum = 0;
    evaluate(prim::dot_general, in, {1, 0, 0, 0, static_cast<int>(k.type), k.blocked}, aval(k.type), &sum);
    if (reads_all_first) made.push(sum);
    else m.memory.store(k.out_buffer, dot(index, w.out, axes), sum);
  });
  int i = 0;
  if (reads_all_first) for_indices(index, nullptr, w.dims, 0, axes, [&] { m.memory.store(k.out_buffer, dot(index, w.out, axes), made[i++]); });
  if (k.has_epilogue()) run_loop(m, m.p.loops[k.epilogue]);
}

// ---- Gathers and scatters

constexpr void run_indexed(machine& m, indexed_kernel const& k) {
  std::ptrdiff_t index[2 * max_rank] = {};
  for_indices(index, nullptr, k.dims, 0, k.batch, [&] {
    std::ptrdiff_t const window = dot(index, k.w, k.batch);
    std::ptrdiff_t at = k.x_base + dot(index, k.x, k.batch);
    bool inside = true;
    for (int q = 0; q < k.n_index; ++q) {
      struct access const& component = m.p.accesses[k.index + q];
      std::ptrdiff_t const place = component.base + dot(index, component.stride, k.batch);
      std::int64_t const i = static_cast<std::int64_t>(m.memory.load(component.buffer, place));
      if (k.drops) inside = inside && i >= 0 && i <= k.limit[q];
      at += clamped(i, k.limit[q]) * k.index_stride[q];
    }
    if (!inside && k.op != prim::gather) return;
    for_indices(index, nullptr, k.dims, k.batch, k.rank, [&] {
      std::ptrdiff_t x = at, w = window;
      for (int i = k.batch; i < k.rank; ++i) x += index[i] * k.x[i], w += index[i] * k.w[i];
      if (k.op == prim::gather) {
        m.memory.store(k.w_buffer, w, inside ? m.memory.load(k.x_buffer, x) : canonical(k.type, k.fill));
        return;
      }
      std::uint64_t update = m.memory.load(k.w_buffer, w);
      if (k.op != prim::scatter) {
        std::uint64_t const old = m.memory.load(k.x_buffer, x);
        compute(traits_of(k.op).combiner, k.type, k.type, 1, &old, &update, &old, &update);
      }
      m.memory.store(k.x_buffer, x, update);
    });
  });
}

// ---- Orders

constexpr void run_ordering(machine& m, ordering_kernel const& k) {
  bool const sorts = k.op == prim::sort_rows;
  for (int row = 0; row < k.rows; ++row) {
    m.memory.forget(k.scratch);
    arena<std::uint64_t> elements, results;
    for (int i = 0; i < k.n; ++i) elements.push(m.memory.load(k.in, std::ptrdiff_t(row) * k.n + i));
    operand const in{aval(k.type, {k.n}), elements.data()};
    int const par[] = {k.count, k.descending, k.total};
    results.resize(k.count);
    evaluate(k.op, {&in, 1}, {par, sorts ? 0 : 3}, aval(sorts ? k.type : dtype::i32, {k.count}), results.data());
    for (int i = 0; i < k.count; ++i) m.memory.store(k.out, std::ptrdiff_t(row) * k.count + i, results[i]);
  }
}

// ---- Prints

constexpr void run_print(machine& m, print_kernel const& k) {
  if (!m.on_print) return;
  arena<arena<std::uint64_t>> operands;
  arena<std::uint64_t const*> pointers;
  for (int i = 0; i < k.n_operand; ++i) {
    int const b = m.p.tables[k.operand + i];
    arena<std::uint64_t> elements;
    for (std::ptrdiff_t j = 0; j < m.p.buffers[b].size; ++j) elements.push(m.memory.load(b, j));
    operands.push(elements);
  }
  for (auto const& o : operands) pointers.push(o.data());
  m.on_print(m.print_to, equation_ref{m.program, m.program.eqns[k.equation]}, pointers.data());
}

}  // namespace plan_interpreter
