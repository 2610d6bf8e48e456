// SPDX-License-Identifier: BSL-1.0
// How kernels use the registers of a target: tiles of loops and contractions, packs of sorts, gathers and places.
// Longer than 300 lines: one decision for each kind of kernel.
#pragma once

#include <exprax/base/target.hpp>
#include <exprax/plan/data/plan.hpp>
#include <exprax/plan/kernels/panels.hpp>
#include <exprax/plan/kernels/small_products.hpp>
#include <exprax/primitives/contractions/contraction.hpp>
#include <exprax/primitives/traits.hpp>

namespace exprax::detail::planning {

class tile_sizes {
 public:
  constexpr tile_sizes(plan& p, target const& machine) : p_(p), machine_(machine) {}

  // The tiles of products, and the buffers of their panels. Before memory is planned.
  constexpr void choose_products() const {
    for (contract_kernel& k : p_.contracts) {
      k.tiles = of_contraction(k);
      if (k.tiles.depth > 0)
        k.panel_buffer = p_.add_buffer(k.type, storage_class::scratch, 0, std::ptrdiff_t{k.tiles.depth} * k.tiles.panel);
    }
  }
  // After the lanes of boxes (pack_lengths.hpp).
  constexpr void choose() const {
    for (loop_kernel const& l : p_.loops)
      for (int b = l.box; b < l.box + l.n_box; ++b) {
        p_.boxes[b].tile = rows_of_tile(p_.boxes[b], l.rank);
        p_.boxes[b].strip = p_.boxes[b].tile > 0 ? 0 : rows_of_strip(p_.boxes[b], l.rank);
      }
    for (reduce_kernel& k : p_.reduces) {
      p_.boxes[k.box].strip = reduces_in_packs(k) ? rows_of_strip(p_.boxes[k.box], k.rank, false) : 0;
      if (k.columns) k.strip = columns_of_strip(k);
    }
    for (indexed_kernel& k : p_.indexed) k.lanes = lanes_of(k.type);
    for (ordering_kernel& k : p_.orderings) choose(k);
    for (nonzero_kernel& k : p_.nonzeros) k.group = positions_of(k);
  }

 private:
  constexpr int lanes_of(dtype t) const { return machine_.lanes_for(size_of(t)); }

  // ---- Loops

  // The rows of the blocks that are transposed: 4 for 8-byte elements, 8 for 4-byte ones (4 in 16-byte registers), and for shorter ones as
  // many as 16 bytes have; 0: not supported.
  constexpr int rows_of_block(dtype t) const {
    if (machine_.register_bytes == 0) return 0;
    switch (size_of(t)) {
      case 1: case 2: return 16 / size_of(t);
      case 4: return machine_.register_bytes == 16 ? 4 : 8;
      case 8: return 4;
      default: return 0;
    }
  }
  // Whether the last axis is strided in memory that is contiguous along the axis before it.
  static constexpr bool is_transposed(access const& a, int rank) {
    std::ptrdiff_t const x = a.stride[rank - 1];
    return x != 0 && x != 1 && x != -1 && a.stride[rank - 2] == 1;
  }
  // kind: load or store.
  constexpr bool has_access(box const& b, step_kind kind, int buffer) const {
    for (int s = b.step; s < b.step + b.n_step; ++s)
      if (p_.steps[s].kind == kind && p_.accesses[p_.steps[s].access].buffer == buffer) return true;
    return false;
  }
  constexpr int rows_of_tile(box const& b, int rank) const {
    if (rank < 2 || b.lanes < 4) return 0;
    int rows = 0, count = 0;
    for (int s = b.step; s < b.step + b.n_step; ++s) {
      step const& x = p_.steps[s];
      if (!is_memory(x.kind)) continue;
      access const& a = p_.accesses[x.access];
      if (is_gathered(p_, a)) return 0;
      if (x.kind == step_kind::store) {
        if (has_access(b, step_kind::load, a.buffer)) return 0;  // tiles overlap
      } else if (int const n = is_transposed(a, rank) ? rows_of_block(p_.buffers[a.buffer].type) : 0; n > 0) {
        rows = n > rows ? n : rows;
        ++count;
      }
    }
    if (count == 0 || count > 4) return 0;
    if (b.extent[rank - 1] < b.lanes || b.extent[rank - 2] < rows || b.lanes % rows != 0) return 0;
    // Short packs take more rows at once, so that the cache lines that they read are used completely.
    while (rows < 16 && machine_.register_bytes == 16 && 2 * rows <= b.extent[rank - 2]) rows *= 2;
    for (int s = b.step; s < b.step + b.n_step; ++s)
      if (step const& x = p_.steps[s]; x.kind == step_kind::load && is_transposed(p_.accesses[x.access], rank))
        p_.accesses[x.access].block = rows_of_block(p_.buffers[p_.accesses[x.access].buffer].type);
    return rows;
  }

  // The rows of a strip: whole packs, and what is copied for them stays in the nearest cache. All results must lie row after row, and may
  // not be the memory of what is copied.
  constexpr int rows_of_strip(box const& b, int rank, bool stores = true) const {
    constexpr int bytes = 2048, most_copies = 6, fewest_packs = 4;
    if (rank < 2 || b.lanes < 4) return 0;
    int const n = b.extent[rank - 1], rows = b.extent[rank - 2];
    if (n < 2 || n >= b.lanes || n * rows < fewest_packs * b.lanes) return 0;
    int copies = 0;
    for (int s = b.step; s < b.step + b.n_step; ++s) {
      step const& x = p_.steps[s];
      if (is_element(x.kind)) return 0;
      copies += x.kind == step_kind::iota;
      if (!is_memory(x.kind) || (!stores && x.kind == step_kind::store)) continue;
      access const& a = p_.accesses[x.access];
      if (is_gathered(p_, a)) return 0;
      bool const is_direct = a.stride[rank - 1] == 1 && a.stride[rank - 2] == n;
      if (!is_direct && (x.kind == step_kind::store || (stores && has_access(b, step_kind::store, a.buffer)))) return 0;
      copies += !is_direct;
    }
    int const most = bytes / (8 * n) / b.lanes * b.lanes;
    return copies > most_copies ? 0 : most > b.lanes ? most : b.lanes;
  }
  // Rows of a few elements, one of which each lane of a pack takes. Seven columns take as many shuffles as they save additions, but fewer
  // than the extrema of floats, which look for NaN; eight take fewer.
  constexpr bool reduces_in_packs(reduce_kernel const& k) const {
    box const& b = p_.boxes[k.box];
    single_reduction const& r = p_.reductions[k.reduction];
    int const bytes = size_of(r.type);
    bool const looks_for_nan = is_floating(r.type) && !has_fixed_order(r.op, r.type);
    if (k.columns || k.kept == 0 || k.rank != k.kept + 1 || k.dims[k.kept - 1] < b.lanes) return false;
    if (int const columns = k.dims[k.kept]; columns > 8 || (columns == 7 && (bytes != 4 || !looks_for_nan))) return false;
    if ((bytes != 4 && bytes != 8) || is_argument_reduction(r.op) || p_.accesses[r.out].stride[k.kept - 1] != 1) return false;
    int stores = 0;  // one, of what is reduced, is not carried out
    for (int s = b.step; s < b.step + b.n_step; ++s) stores += p_.steps[s].kind == step_kind::store;
    return stores <= 1;
  }

  // ---- Strips of columns

  // Whole packs, and strips of about the same width. Several rows are read for each use of a sum, so sums may fill more than the nearest
  // cache: long runs of memory are worth more. A target without SIMD registers may have a small stack.
  constexpr int columns_of_strip(std::ptrdiff_t columns, int lanes, int bytes_of_sums) const {
    std::ptrdiff_t const near = machine_.register_bytes == 0 ? 512 : 2 * machine_.nearest_cache, packs = near / (bytes_of_sums * lanes);
    std::ptrdiff_t const most = (packs > 1 ? packs : 1) * lanes, strips = (columns + most - 1) / most;
    return static_cast<int>(((columns + strips - 1) / strips + lanes - 1) / lanes * lanes);
  }
  constexpr int columns_of_strip(reduce_kernel const& k) const {
    int bytes = 0, sums = 1;
    for (int r = k.reduction; r < k.reduction + k.n_reduction; ++r) {
      single_reduction const& of = p_.reductions[r];
      bytes += is_argument_reduction(of.op) ? 2 * size_of(of.type) : size_of(of.type);
      if (has_fixed_order(of.op, of.type)) sums = 8;
    }
    return columns_of_strip(k.dims[k.rank - 1], p_.boxes[k.box].lanes, sums * bytes);
  }

  // ---- Contractions

  // A matrix with few rows is read in tiles, whose columns are stored at once.
  static constexpr int most_rows_of_tile = 16;

  constexpr contract_tiles of_contraction(contract_kernel const& k) const {
    constexpr int smallest_pack = 16;  // bytes
    contract_walks const& w = k.walks;
    contract_tiles t;
    t.lanes = lanes_of(k.type);
    if (t.lanes == 1) return t;
    if (k.group > 0) return of_groups(k);
    for (int i = w.out_rank - 1; i >= 0 && t.method == contract_method::elements; --i) {
      bool const from_rhs = w.rhs[i] == 1 && w.lhs[i] == 0, from_lhs = w.lhs[i] == 1 && w.rhs[i] == 0;
      bool const has_packs = w.dims[i] >= 4 || w.dims[i] * size_of(k.type) >= smallest_pack;
      if (w.out[i] != 1 || (!from_rhs && !from_lhs)) continue;
      if (contract_tiles const m = of_matrix(k, i, from_lhs); m.method == contract_method::matrix) return m;
      if (!has_packs) continue;
      t.method = contract_method::tiles;
      t.column = i;
      t.from_lhs = from_lhs;
    }
    if (t.method == contract_method::tiles) {
      find_rows(w, t);
      if (!k.blocked) {
        t.packs = contract_tiles::max_packs;
        for (int n = 1; n <= t.packs; ++n) t.rows[n - 1] = rows_beside(n, 1, 8);
        t.halves = machine_.register_bytes >= 64;  // in halves, an operation takes half of the time, or the same
        choose_panels(k, machine_, t);
        if (!t.has_rows && w.k_rank == 1) {
          t.in_registers = 2 * w.dims[t.column] <= machine_.registers * t.lanes;
          bool const is_strip = t.in_registers || k.halves >= 0 || w.k_size > most_rows_of_tile;
          if (is_strip) t.strip = columns_of_strip(w.dims[t.column], t.lanes, size_of(k.type));
        }
      } else if (w.k_rank == 1) {
        bool const is_short = w.k_size < dot_accumulators;
        t.packs = 2;
        for (int n = 1; n <= t.packs; ++n) t.rows[n - 1] = is_short ? rows_beside(n, live_in_blocks(w, n), 2) : rows_beside(n, 1, 4);
        if (!is_short) choose_panels(k, machine_, t);
      }
    } else if (k.blocked && w.k_rank == 1 && w.lhs[w.out_rank] == 1 && w.rhs[w.out_rank] == 1 && !is_bool(k.type)) {
      t.method = contract_method::dots;
      if (t.lanes > dot_accumulators) t.lanes = dot_accumulators;
      t.has_rows = w.out_rank > 0;
      t.row = t.has_rows ? row_of_dots(w) : 0;
      t.column = t.has_rows ? column_of_dots(w, t.row) : 0;
      t.rows[0] = t.has_rows ? rows_of_dots(w.dims[t.row], t.lanes) : 1;
    }
    return t;
  }
  // A small product of matrices that are contiguous. A pack has several rows, which fill parts of a register, or one row and what lies
  // behind it.
  constexpr contract_tiles of_matrix(contract_kernel const& k, int column, bool from_lhs) const {
    constexpr int part = 16, widest = 32;  // bytes of such a part and of several
    constexpr int fewest_rows = 4;         // beside each other in a long register
    contract_walks const& w = k.walks;
    contract_tiles t;
    t.column = column;
    t.from_lhs = from_lhs;
    find_rows(w, t);
    int const bytes = size_of(k.type), all = lanes_of(k.type);
    if (k.blocked || w.k_rank != 1 || bytes < 4 || !t.has_rows) return t;
    std::ptrdiff_t const* const panel = from_lhs ? w.lhs : w.rhs;
    std::ptrdiff_t const* const other = from_lhs ? w.rhs : w.lhs;
    std::ptrdiff_t const n = w.dims[column], rows = w.dims[t.row], sum = w.k_size, row = other[t.row], next = other[w.out_rank];
    if (n > all || !stays_in_registers(rows, n, sum, machine_.registers) || panel[w.out_rank] != n || w.out[t.row] != n) return t;
    bool const is_contiguous = (row == sum && next == 1) || (next == rows && row == 1);
    auto const has_whole_rows = [&](int lanes) {
      return is_contiguous && lanes % n == 0 && rows * n % lanes == 0 && rows * sum % lanes == 0;
    };
    t.lanes = part / bytes;
    while (t.lanes < n) t.lanes *= 2;
    // At least two packs, whose sums do not wait for each other.
    int const most_lanes = n * bytes > part ? t.lanes : widest / bytes < all ? widest / bytes : all;
    while (2 * t.lanes <= most_lanes && 4 * t.lanes <= rows * n && has_whole_rows(2 * t.lanes)) t.lanes *= 2;
    t.rows[0] = has_whole_rows(t.lanes) ? static_cast<int>(t.lanes / n) : 1;
    // Rows that fill no part: as many as a long register holds, if it is processed as fast as a shorter one.
    bool const has_long = bytes * all > widest && !machine_.halves_registers;
    std::ptrdiff_t const together = has_long ? all / (n > sum ? n : sum) : 1;
    if (t.rows[0] == 1 && together > 1 && rows >= fewest_rows && row == sum && next == 1 && sum * n >= all && sum * rows >= all) {
      t.lanes = all;
      t.rows[0] = static_cast<int>(together < rows ? together : rows);
    }
    if (t.lanes <= all) t.method = contract_method::matrix;
    return t;
  }
  // The rows of a tile: the longest axis of the result along which the operand with columns stays.
  static constexpr void find_rows(contract_walks const& w, contract_tiles& t) {
    for (int i = 0; i < w.out_rank; ++i) {
      bool const is_broadcast = (t.from_lhs ? w.lhs[i] : w.rhs[i]) == 0;
      if (i == t.column || !is_broadcast || (t.has_rows && w.dims[i] <= w.dims[t.row])) continue;
      t.has_rows = true;
      t.row = i;
    }
  }
  // Panels are copied from the operand that has columns; elements of the other one are broadcast. Of few rows, each result is a dot
  // product, if both operands are contiguous along a long sum: `packs` is the number of columns at once. Of few rows of a matrix that is
  // contiguous along the columns, strips: `packs` is the number of registers at once that a row of the matrix fills.
  constexpr contract_tiles of_groups(contract_kernel const& k) const {
    constexpr int most_rows = 6, few_rows = 16;
    contract_walks const& w = k.walks;
    contract_tiles t;
    t.lanes = lanes_of(k.type);
    int const sum = w.out_rank;
    if (w.k_rank != 1) return t;
    for (int i = w.out_rank - 1; i >= 0 && t.method == contract_method::elements; --i) {
      bool const from_lhs = w.lhs[i] != 0;
      std::ptrdiff_t const* const panel = from_lhs ? w.lhs : w.rhs;
      std::ptrdiff_t const* const other = from_lhs ? w.rhs : w.lhs;
      if (w.out[i] != 1 || other[i] != 0 || other[sum] != 1 || (panel[i] != 1 && panel[sum] != 1)) continue;
      t.method = contract_method::groups;
      t.column = i;
      t.from_lhs = from_lhs;
    }
    if (t.method == contract_method::elements) return t;
    find_rows(w, t);
    std::ptrdiff_t const rows = t.has_rows ? w.dims[t.row] : 1;
    if ((t.from_lhs ? w.lhs : w.rhs)[sum] == 1 && rows <= few_rows && w.k_size >= 2 * k.group * t.lanes) {
      t.method = contract_method::group_dots;
      t.rows[0] = static_cast<int>(rows < machine_.registers / 8 ? rows : machine_.registers / 8);
      t.packs = rows == 1 ? machine_.registers / 4 : 4;
      while (t.packs > w.dims[t.column] || t.packs > t.lanes) t.packs /= 2;
      return t;
    }
    dtype const held = p_.buffers[t.from_lhs ? k.lhs_buffer : k.rhs_buffer].type;
    bool const fills_registers = (t.from_lhs ? w.lhs : w.rhs)[t.column] == 1 && w.dims[t.column] >= lanes_of(held);
    if (fills_registers && rows <= (machine_.registers >= 32 ? 16 : 6)) {
      int const packs = 4 / size_of(held), sums = machine_.registers / 2;
      t.method = contract_method::group_strips;
      t.rows[0] = static_cast<int>(rows * packs < sums ? rows : sums / packs);
      t.packs = sums / (t.rows[0] * packs);
      return t;
    }
    t.packs = machine_.registers >= 32 ? 4 : 2;
    t.rows[0] = rows_beside(t.packs, 1, most_rows);
    return t;
  }
  // The rows of a tile with these packs of columns: the columns and what is alive of each sum must fit into the registers.
  constexpr int rows_beside(int packs, int live, int most) const {
    int const rows = (machine_.registers - packs - 1) / (packs * live);
    return rows > most ? most : rows < 1 ? 1 : rows;
  }
  // What is alive of a short sum in blocked order: one value for each level of the tree. Those of a long sum wait in memory, as do those
  // of the upper levels where a tile has several packs of columns.
  static constexpr int live_in_blocks(contract_walks const& w, int packs) {
    constexpr int waiting = 2;
    int live = packs > 1 ? 1 - waiting : 1;
    for (int n = 1; n < contract_tiles::leaves || n < w.k_size; n *= 2) ++live;
    return live;
  }
  // The longest axis along which one operand stays, if there is one.
  static constexpr int row_of_dots(contract_walks const& w) {
    int row = w.out_rank - 1;
    auto const stays = [&](int axis) { return w.lhs[axis] == 0 || w.rhs[axis] == 0; };
    for (int i = row - 1; i >= 0; --i)
      if (stays(i) && (!stays(row) || w.dims[i] > w.dims[row])) row = i;
    return row;
  }
  // A shorter one, along which the other operand stays: its rows are read again while they are near. The same axis: there is none.
  static constexpr int column_of_dots(contract_walks const& w, int row) {
    auto const& other = w.lhs[row] == 0 ? w.rhs : w.lhs;
    for (int i = w.out_rank - 1; i >= 0; --i)
      if (i != row && other[i] == 0) return i;
    return row;
  }
  // A power of two, or three: their accumulators take half of the registers, or leave two, and their results fit into a pack.
  constexpr int rows_of_dots(std::ptrdiff_t n, int lanes) const {
    int const most = machine_.registers * lanes / (2 * dot_accumulators);
    int rows = 1;
    while (2 * rows <= most && 2 * rows <= lanes && 2 * rows <= n) rows *= 2;
    bool const fits_three = 3 * dot_accumulators <= (machine_.registers - 2) * lanes && lanes >= 4;
    return rows == 2 && n >= 3 && fits_three ? 3 : rows;
  }

  // ---- Sorts and places

  constexpr void choose(ordering_kernel& k) const {
    constexpr int most_registers = 8;
    int const lanes = lanes_of(p_.buffers[k.scratch].type);
    k.key_lanes = k.selects ? machine_.lanes_for(size_of(k.type) > 4 ? 8 : 4) : lanes;
    while (k.selects && k.key_lanes > 1 && k.n < 2 * k.key_lanes) k.key_lanes = k.key_lanes > 4 ? k.key_lanes / 2 : 1;
    if (k.selects && k.count > most_registers * k.key_lanes) k.key_lanes = 1;
    k.row_lanes = lanes_of_rows(k);
    k.lanes = k.padded < 4 ? 1 : lanes < k.padded ? lanes : k.padded;
    k.registers = k.padded / k.lanes < most_registers ? k.padded / k.lanes : most_registers;
  }
  // Of packs that hold an element of each of several rows, if that takes less than ordering them one by one. The last pack of rows may be
  // as long as the others though it has fewer new ones.
  constexpr int lanes_of_rows(ordering_kernel const& k) const {
    constexpr int most_held = 20, most_elements = 8;
    int const bytes = size_of(k.type) > 4 ? 8 : 4;
    int lanes = machine_.lanes_for(bytes);
    while (lanes > k.rows) lanes /= 2;
    if (!k.gives_indices || k.count == 0 || k.count > most_held || lanes < 4) return 0;
    return std::ptrdiff_t{k.n} * ((k.rows + lanes - 1) / lanes) <= std::ptrdiff_t{k.rows} * most_elements ? lanes : 0;
  }
  // As many as a register of 16, 32 or 64 bytes has lanes.
  constexpr int positions_of(nonzero_kernel const& k) const {
    if (machine_.register_bytes <= 16) return 4;
    return k.type == dtype::i64 || machine_.register_bytes < 64 ? 8 : 16;
  }

  plan& p_;
  target machine_;
};

}  // namespace exprax::detail::planning
