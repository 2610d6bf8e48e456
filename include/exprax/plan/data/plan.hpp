// SPDX-License-Identifier: BSL-1.0
// The plan as plain data: buffers, and kernels in the order in which they run.
//
// A kernel walks an iteration space and evaluates a list of steps at each index. A step loads, stores, or computes; its result is held in
// a slot, and every dtype has its own file of slots. An access is an affine function of the index, so slices, broadcasts, transposes,
// reversals, pads and concatenations need no memory of their own: borders cut the iteration space into boxes, and in each box every
// operand is a base and strides.
// Longer than 300 lines: one table of structs for each part of a plan.
#pragma once

#include <cstddef>
#include <cstdint>

#include <exprax/base/arena.hpp>
#include <exprax/base/span.hpp>
#include <exprax/plan/data/region.hpp>
#include <exprax/primitives/list.hpp>
#include <exprax/types/aval.hpp>

namespace exprax {

enum class storage_class : std::uint8_t {
  input,     // argument `index`
  output,    // result `index`
  constant,  // elements at offset `index` of the program's pool
  scratch,   // bytes at `offset` of the scratch memory
  bound      // an enclosing loop sets the pointer at each iteration
};

// No default values in structs that fill large tables: compilers would initialise each element.
struct buffer {
  dtype type;
  storage_class where;
  int index;
  std::ptrdiff_t size;
  std::ptrdiff_t offset;
  int slot;  // its index among the buffers of its dtype
};

// An offset that is known only at run time: clamp(an element of an integer buffer, 0, limit) * stride. Either one element, or one for each
// index of the loop, which an access walks: a component of the index vectors of a gather. Then all terms of an access are of this kind.
// Or it is what a step has computed, complete: the operand of a step of kind gather.
struct dynamic_term {
  static constexpr int none = -1, in_step = -2;

  int buffer;
  int limit;
  std::ptrdiff_t stride;
  int element;
  int walk;            // an access to the buffer, none, or in_step
  int from_end;        // a negative component counts from here
  bool drops;          // an index vector out of bounds reads the fill value
  std::uint64_t fill;
};
constexpr dynamic_term element_term(int buffer, int limit, std::ptrdiff_t stride, int element) {
  return {buffer, limit, stride, element, dynamic_term::none, 0, false, 0};
}
// stride: negative if the offset may be.
constexpr dynamic_term computed_term(int buffer, std::ptrdiff_t stride) {
  return {buffer, 0, stride, 0, dynamic_term::in_step, 0, false, 0};
}

struct access {
  int buffer;
  int block;  // in a box with tiles, of a load whose last axis is strided: the rows of the blocks that are transposed; else 0
  std::ptrdiff_t base;
  std::ptrdiff_t stride[max_rank];
  int term, n_term;
};

// Whether an access gathers: its offset depends on index vectors.
template <class Tables>
constexpr bool is_gathered(Tables const& p, access const& a) {
  return a.n_term > 0 && p.terms[a.term].walk != dynamic_term::none;
}
// Whether the index vectors of an access depend on the index along an axis; those that steps compute may.
template <class Tables>
constexpr bool has_indices_along(Tables const& p, access const& a, int axis) {
  for (int t = a.term; t < a.term + a.n_term; ++t) {
    int const walk = p.terms[t].walk;
    if (walk == dynamic_term::in_step || (walk != dynamic_term::none && p.accesses[walk].stride[axis] != 0)) return true;
  }
  return false;
}
// f(access) for an access, and for those to its index vectors.
template <class Tables, class F>
constexpr void for_walks(Tables& p, int number, F const& f) {
  access& a = p.accesses[number];
  f(a);
  for (int t = a.term; t < a.term + a.n_term; ++t)
    if (p.terms[t].walk >= 0) f(p.accesses[p.terms[t].walk]);
}

// Kinds from `store` on have operands; all but the stores have a result. load_element and store_element: one element of a buffer, in a
// straight line of steps on scalars. gather: a load at an offset that a step has computed, an i32.
enum class step_kind : std::uint8_t { literal, iota, load, load_element, store, store_element, gather, convert, compute };
constexpr bool is_load(step_kind k) { return k == step_kind::load || k == step_kind::gather; }
// Memory at an affine function of the index, and what the terms of the access add to it.
constexpr bool is_memory(step_kind k) { return is_load(k) || k == step_kind::store; }
constexpr bool is_element(step_kind k) { return k == step_kind::load_element || k == step_kind::store_element; }
constexpr bool is_store(step_kind k) { return k == step_kind::store || k == step_kind::store_element; }

struct step {
  step_kind kind;
  prim op;
  dtype from;          // of the operands
  dtype type;          // of the result
  int d, a, b, c;      // slots; load_element, store_element: c is the buffer
  int access;          // load, gather, store: in the table of accesses; iota: see iota_axis
  std::uint64_t bits;  // literal: the bit pattern; iota: the offset; load_element, store_element: which element
  std::int64_t scale;  // iota: the factor
};

// f(number, dtype, operand) for the operands of a step: slots, or, before slots are assigned, steps. Those that the primitive of a
// computation does not have repeat the first.
template <class Step, class F>
constexpr void for_operands(Step& s, F const& f) {
  if (s.kind < step_kind::store) return;
  bool const computes = s.kind == step_kind::compute, selects = computes && s.op == prim::select_n;
  dtype const type = selects || s.kind == step_kind::store ? s.type : s.from;
  f(0, selects ? dtype::b1 : type, s.a);
  if (!computes) return;
  f(1, type, s.b);
  f(2, type, s.c);
}

// The axis along which an iota counts, or no_axis: its offset everywhere.
constexpr int iota_axis(step const& s) { return s.access; }
constexpr void set_iota_axis(step& s, int axis) { s.access = axis; }

// A part of the iteration space with its own straight-line code.
struct box {
  int lo[max_rank];
  int extent[max_rank];
  int step, n_row, n_step;  // the first n_row steps do not depend on the last axis
  int slots[dtype_count];
  int lanes;  // of a pack
  bool in_pairs;  // each step runs for one pack, then for the next
  int tile;   // the rows of a tile, for which strided loads are transposed; 0: none, row by row
  int strip;  // the rows of a strip, if rows are shorter than a pack; 0: none
};

struct loop_kernel {
  int rank;
  int dims[max_rank];
  int box, n_box;
  int guard, n_guard;  // terms that must all lie in [0, limit], else the kernel does nothing (FILL_OR_DROP)
};

// out[i] = op over r of value(i, r). The box would store the value, in one of its last stores.
struct single_reduction {
  prim op;
  dtype type;
  int result;  // the slot of the value
  int out;     // the access of the result
};
// Reductions that walk the same axes. The box has a store for each of their values at its end, which is not carried out; its other stores,
// if packs run along the only reduced axis, are. Axes, by rows: the kept ones, then the reduced ones; packs run along the last. By columns:
// kept ones, the reduced ones, then the kept axis along which packs run.
struct reduce_kernel {
  bool columns = false;
  int kept = 0, rank = 0;  // kept: the number of axes before the reduced ones
  int dims[max_rank] = {};
  int box = 0;
  int reduction = 0, n_reduction = 0;
  int strip = 1;  // by columns: how many are walked at once, row by row; their sums stay in a near cache

  // Whether few results are reductions of so much that threads share the blocks of each.
  constexpr bool has_many_blocks() const {
    std::ptrdiff_t results = 1, elements = 1;
    for (int i = 0; i < rank; ++i) (i < kept ? results : elements) *= dims[i];
    return !columns && results < 64 && elements >= 1 << 13;
  }
};

// out[i] = x[0] op ... op x[i] along one axis, in blocks (primitives/reductions/cumulative.hpp). Packs run along the last axis: the same
// one, or another, then they are columns. The box has one store, of the operand, which is not carried out: its access is that of the
// result.
struct cumulative_kernel {
  prim op{};
  dtype type = dtype::f32;
  bool reverse = false;
  int axis = 0, rank = 0;
  int dims[max_rank] = {};
  int box = 0;
  int result = 0;  // the slot of the operand's elements
  int out = 0;     // the access of the result

  constexpr bool has_columns() const { return axis < rank - 1; }
};

// The walks of a contraction: the strides along the axes of the result, then along the contracting ones. Axes of size 1 are dropped, and
// neighbours merged where all three walks allow it.
struct contract_walks {
  int out_rank = 0, k_rank = 0;
  std::ptrdiff_t dims[2 * max_rank] = {}, lhs[2 * max_rank] = {}, rhs[2 * max_rank] = {}, out[2 * max_rank] = {};
  std::ptrdiff_t k_size = 1, out_size = 1;
};
enum class contract_method : std::uint8_t {
  elements,      // one element of the result after the other
  tiles,         // rows and packs of columns of the result stay in registers during the sum
  matrix,        // of few rows: packs hold one row, and what lies behind it, or several; all operands are read before results are written
  dots,          // a few elements at once, in packs along the one contracting axis
  groups,        // tiles, of products of short integers
  group_strips,  // of few rows: strips of columns, whose sums stay in registers
  group_dots     // dots of them
};
struct contract_tiles {
  static constexpr int max_packs = 3;
  static constexpr int leaves = 4;  // accumulators in blocked order that are folded at once, of those of a long sum

  contract_method method = contract_method::elements;
  int lanes = 1;              // of a pack
  int column = 0;             // the axis of the result along which packs run
  bool from_lhs = false;      // packs are loaded from the lhs, and elements of the rhs are broadcast; else the other way
  bool has_rows = false;
  int row = 0;                // the axis of the result along which the rows of a tile run
  int packs = 1;              // of a tile, at most
  int rows[max_packs] = {1};  // of a tile with 1, 2, ... packs, at most; of dots: how many at once; of a matrix: in a pack
  int strip = 0;              // a vector times a matrix: so many columns at once, row by row, in place of tiles
  int depth = 0, panel = 0;   // a panel, so many terms of the sum and so many columns at once, is copied; 0: none
  bool halves = false;        // the last pack of a row is half of one, if that is enough
  int block = 0;              // so many tiles, one below the other, walk a panel together
  bool in_registers = false;  // the sums of the strip, which has all columns, stay in registers; else in a near cache
};
// out[i] = sum over k of lhs(i, k) * rhs(i, k). Axes: batch, then rows (of lhs), then columns (of rhs), then contracting.
struct contract_kernel {
  dtype type = dtype::f32;
  int batch = 0, rows = 0, columns = 0, contracting = 0;  // how many axes of each
  int dims[2 * max_rank] = {};
  contract_walks walks;
  contract_tiles tiles;
  std::ptrdiff_t lhs_base = 0, rhs_base = 0;
  int lhs_buffer = 0, rhs_buffer = 0, out_buffer = 0, panel_buffer = -1;
  bool blocked = false;
  int group = 0;  // the operands are short integers, of whose products so many are summed at once; 0: they have the dtype of the result
  int halves = -1;           // the operand (0: lhs) that is a matrix of 16-bit floats, decoded as they are loaded; -1: none
  dtype half = dtype::bf16;  // their dtype; the buffer holds their bits
  int epilogue = -1;         // a loop over the results, which it reads from registers: they are not stored; -1: none

  constexpr bool has_epilogue() const { return epilogue >= 0; }
};

// Windows of an array x at index vectors. A gather copies each window to w, a scatter updates each window from w. Axes: the batch axes,
// with one index vector for each of their indices, then the window axes.
struct indexed_kernel {
  prim op{};  // gather, scatter (replaces elements), or a scatter that combines elements
  dtype type = dtype::f32;
  int batch = 0, rank = 0;
  int dims[2 * max_rank] = {};
  std::ptrdiff_t x[2 * max_rank] = {}, w[2 * max_rank] = {};
  std::ptrdiff_t x_base = 0;
  int index = 0, n_index = 0;  // the components of index vectors, in the table of accesses; strides along the batch axes
  int limit[max_rank] = {};    // the largest index in bounds
  std::ptrdiff_t index_stride[max_rank] = {};  // in x
  bool drops = false;          // a window out of bounds is filled or not written; else it is clamped
  std::uint64_t fill = 0;
  int x_buffer = 0, w_buffer = 0;
  int lanes = 1;               // of the packs in which windows are combined
};

// Rows of n contiguous elements: sorted, or the indices of the first `count` in order.
struct ordering_kernel {
  prim op{};
  dtype type = dtype::f32;
  int rows = 0, n = 0, count = 0;
  int padded = 0;                          // the length of a row when it is sorted: a power of two
  bool descending = false, total = false;  // of order_rows
  bool selects = false;                    // selects a few of many
  bool gives_indices = false;              // order_rows
  int lanes = 1;                           // of the packs that are sorted; 1: rows are merged
  int registers = 1;                       // packs that are sorted in registers: the row, or a block of it
  int key_lanes = 1;                       // of the packs in which order_rows makes keys of elements
  int row_lanes = 0;                       // of the packs that hold an element of each of several rows; 0: rows are ordered one by one
  int in = 0, out = 0, scratch = 0;        // buffers
};

// The indices where the value of the box's only store is true, in row-major order. The first axes are batch axes. For each other axis
// `tables` has the buffer of its result, followed, if `fills`, by the buffers of the fill values.
struct nonzero_kernel {
  dtype type = dtype::i32;  // of the results
  int batch = 0, rank = 0;
  int dims[max_rank] = {};
  int box = 0;
  int result = 0;  // the slot of the value
  int size = 0;
  int table = 0;
  bool fills = false;
  int group = 4;  // positions that are stored at once
};

struct kernel_range {
  int first = 0, count = 0;
};

// How a loop passes on a carry: the body reads it from `in` and writes it to `out`, two buffers that the loop binds.
enum class carry_mode : std::uint8_t {
  in_place,  // `out` is `in`, or may be: nothing reads the old value once the new one is written
  copied,    // small: written to `out`, and copied after the body
  swapped,   // written to the buffers of a ring in turn, and read where it was written
  shifted    // `out` is bound elsewhere: it is the `in` of another carry, which comes later in the table, or a row of ys
};
struct carry_slot {
  int init = 0, result = 0, spare = -1;  // buffers; -1: none
  int in = 0, out = 0;
  carry_mode mode = carry_mode::swapped;
  // swapped: the buffers in the order in which they are written, in `tables`. They are the results of the carry and of those that are
  // shifted from it, and the spare. If the number of iterations is known, each value ends in its result.
  int ring = 0, n_ring = 0;
  int older = 0;  // else: how many of the carries before it in the table may stand in its result after the loop

  constexpr bool has_spare() const { return spare >= 0; }
};
// A row of xs or ys: row t of `whole` is bound to `part`.
struct stream_slot {
  int whole = 0, part = 0;
};
struct scan_kernel {
  int length = 0;
  bool reverse = false;
  bool is_nest = false;  // made of kernels that walk the same rows
  int carry = 0, n_carry = 0;
  int stream = 0, n_stream = 0;
  kernel_range body;
};
// The condition writes its result to `predicate`.
struct while_kernel {
  int carry = 0, n_carry = 0;
  int predicate = 0;
  kernel_range condition, body;
};
// Case min(max(index, 0), n - 1) runs.
struct branch_kernel {
  int index = 0;  // a buffer
  int first = 0, count = 0;  // in the table of cases
};

enum class kernel_kind : std::uint8_t {
  loop,
  reduce,
  cumulative,
  contract,
  gather,
  scatter,
  ordering,
  nonzero,
  region,
  scan,
  while_loop,
  branch,
  print
};
// Prints the operands of an equation; its text is a name of the program.
struct print_kernel {
  int equation = 0;
  int operand = 0, n_operand = 0;  // buffers, in `tables`
};
struct kernel {
  kernel_kind kind;
  int index;
  int parallel;  // not one_thread: threads share it

  static constexpr int one_thread = 0;
  constexpr bool is_parallel() const { return parallel != one_thread; }
  // Where in `tables` stand the number of buffers that each thread has its own of, and these buffers.
  constexpr int own_buffers() const { return parallel - 1; }
  constexpr void set_own_buffers(int table) { parallel = table + 1; }
};

struct plan_sizes {
  int buffers = 0, terms = 0, accesses = 0, steps = 0, boxes = 0, loops = 0, reduces = 0, reductions = 0, cumulatives = 0, contracts = 0,
      indexed = 0, orderings = 0, nonzeros = 0, scans = 0, whiles = 0, branches = 0, cases = 0, carries = 0, streams = 0, regions = 0,
      region_blocks = 0, region_steps = 0, region_moves = 0, region_terms = 0, region_addresses = 0, tables = 0, prints = 0, kernels = 0;
  kernel_range main;
  int of_type[dtype_count] = {};  // buffers of each dtype
  std::ptrdiff_t scratch = 0;
  bool is_possible = true;

  // True if tables of these sizes have room for `o`.
  constexpr bool hold(plan_sizes const& o) const {
    return o.buffers <= buffers && o.terms <= terms && o.accesses <= accesses && o.steps <= steps && o.boxes <= boxes &&
           o.loops <= loops && o.reduces <= reduces && o.reductions <= reductions && o.cumulatives <= cumulatives &&
           o.contracts <= contracts && o.indexed <= indexed && o.orderings <= orderings && o.nonzeros <= nonzeros && o.scans <= scans &&
           o.whiles <= whiles && o.branches <= branches && o.cases <= cases && o.carries <= carries && o.streams <= streams &&
           o.regions <= regions && o.region_blocks <= region_blocks && o.region_steps <= region_steps && o.region_moves <= region_moves &&
           o.region_terms <= region_terms && o.region_addresses <= region_addresses && o.tables <= tables && o.prints <= prints &&
           o.kernels <= kernels;
  }
};

class plan {
 public:
  detail::arena<buffer> buffers;
  detail::arena<dynamic_term> terms;
  detail::arena<access> accesses;
  detail::arena<step> steps;
  detail::arena<box> boxes;
  detail::arena<loop_kernel> loops;
  detail::arena<reduce_kernel> reduces;
  detail::arena<single_reduction> reductions;
  detail::arena<cumulative_kernel> cumulatives;
  detail::arena<contract_kernel> contracts;
  detail::arena<indexed_kernel> indexed;
  detail::arena<ordering_kernel> orderings;
  detail::arena<nonzero_kernel> nonzeros;
  detail::arena<scan_kernel> scans;
  detail::arena<while_kernel> whiles;
  detail::arena<branch_kernel> branches;
  detail::arena<kernel_range> cases;
  detail::arena<carry_slot> carries;
  detail::arena<stream_slot> streams;
  detail::arena<region_kernel> regions;
  detail::arena<region_block> region_blocks;
  detail::arena<region_step> region_steps;
  detail::arena<region_move> region_moves;
  detail::arena<region_term> region_terms;
  detail::arena<region_address> region_addresses;
  detail::arena<int> tables;
  detail::arena<print_kernel> prints;
  detail::arena<kernel> kernels;
  kernel_range main;
  std::ptrdiff_t scratch = 0;
  bool is_possible = true;  // else a vmap equation has to be expanded to whole arrays

  constexpr int add_buffer(dtype t, storage_class w, int index, std::ptrdiff_t size) { return buffers.push({t, w, index, size, 0, 0}); }
  constexpr plan_sizes sizes() const {
    plan_sizes s{buffers.size(),
                 terms.size(),
                 accesses.size(),
                 steps.size(),
                 boxes.size(),
                 loops.size(),
                 reduces.size(),
                 reductions.size(),
                 cumulatives.size(),
                 contracts.size(),
                 indexed.size(),
                 orderings.size(),
                 nonzeros.size(),
                 scans.size(),
                 whiles.size(),
                 branches.size(),
                 cases.size(),
                 carries.size(),
                 streams.size(),
                 regions.size(),
                 region_blocks.size(),
                 region_steps.size(),
                 region_moves.size(),
                 region_terms.size(),
                 region_addresses.size(),
                 tables.size(),
                 prints.size(),
                 kernels.size(),
                 main,
                 {},
                 scratch,
                 is_possible};
    for (buffer const& b : buffers) ++s.of_type[static_cast<int>(b.type)];
    return s;
  }
};

template <plan_sizes N>
struct plan_storage {
  buffer buffers[N.buffers + 1] = {};
  dynamic_term terms[N.terms + 1] = {};
  access accesses[N.accesses + 1] = {};
  step steps[N.steps + 1] = {};
  box boxes[N.boxes + 1] = {};
  loop_kernel loops[N.loops + 1] = {};
  reduce_kernel reduces[N.reduces + 1] = {};
  single_reduction reductions[N.reductions + 1] = {};
  cumulative_kernel cumulatives[N.cumulatives + 1] = {};
  contract_kernel contracts[N.contracts + 1] = {};
  indexed_kernel indexed[N.indexed + 1] = {};
  ordering_kernel orderings[N.orderings + 1] = {};
  nonzero_kernel nonzeros[N.nonzeros + 1] = {};
  scan_kernel scans[N.scans + 1] = {};
  while_kernel whiles[N.whiles + 1] = {};
  branch_kernel branches[N.branches + 1] = {};
  kernel_range cases[N.cases + 1] = {};
  carry_slot carries[N.carries + 1] = {};
  stream_slot streams[N.streams + 1] = {};
  region_kernel regions[N.regions + 1] = {};
  region_block region_blocks[N.region_blocks + 1] = {};
  region_step region_steps[N.region_steps + 1] = {};
  region_move region_moves[N.region_moves + 1] = {};
  region_term region_terms[N.region_terms + 1] = {};
  region_address region_addresses[N.region_addresses + 1] = {};
  int tables[N.tables + 1] = {};
  print_kernel prints[N.prints + 1] = {};
  kernel kernels[N.kernels + 1] = {};
};

}  // namespace exprax
