// SPDX-License-Identifier: BSL-1.0
// Lowers a program to a StableHLO module, with JAX's operations in JAX's order. A primitive's rule
//   template <class Lowering> static constexpr void lower(Lowering& l, equation_ref const& e)
// reads operands with l.in(e, k), emits operations with the functions below, and sets results with l.set(e, k, value). StableHLO has no
// implicit broadcasting, so scalars and axes of size 1 get a broadcast_in_dim.
// Longer than 300 lines: one class, whose methods are the words of all rules and call each other.
#pragma once

#include <exprax/primitives/all.hpp>
#include <exprax/text/jaxpr/shared_blocks.hpp>
#include <exprax/text/stablehlo/stablehlo_module.hpp>

namespace exprax::detail {

// A template, so that programs that are not lowered do not instantiate it.
template <class Program = program_ref>
class stablehlo_lowering {
 public:
  constexpr stablehlo_lowering(Program p, std::string_view name) : p_(p), shared_(p) {
    m_.name = name;
    values_.resize(p.n.values, -1);
    m_.functions.push({"main", -1, 0});
    m_.functions[0].block = function_body(p.main());
  }
  constexpr stablehlo_module take() { return static_cast<stablehlo_module&&>(m_); }

  // --- The current equation ---
  constexpr int in(equation_ref const&, int k) const { return operands_[first_operand_ + k]; }
  constexpr void set(equation_ref const& e, int k, int v) { values_[e.e.out + k] = v; }
  constexpr aval const& type(int v) const { return m_.types[v]; }

  // --- Operations; each returns its (first) result ---
  constexpr int emit(hlo_form form, std::string_view name, span<int> in, span<aval> out, span<int> attributes = {}, span<int> blocks = {},
                     std::string_view label = {}) {
    hlo_op o{form, name, label};
    o.in = push(m_.operands, in);
    o.n_in = in.size();
    o.att = push(m_.attributes, attributes);
    o.n_att = attributes.size();
    o.blk = push(m_.block_refs, blocks);
    o.n_blk = blocks.size();
    o.out = m_.types.size();
    o.n_out = out.size();
    for (aval const& a : out) m_.types.push(a);
    pending_.push(o);
    return o.out;
  }
  constexpr int one(hlo_form form, std::string_view name, span<int> in, aval const& out, span<int> attributes = {}) {
    return emit(form, name, in, {&out, 1}, attributes);
  }
  // An operation without attributes; like: the result has the type of the first operand.
  constexpr int plain(std::string_view name, span<int> in, aval const& out) { return one(hlo_form::plain, name, in, out); }
  constexpr int like(std::string_view name, int a) { return plain(name, {&a, 1}, aval(type(a))); }
  constexpr int like(std::string_view name, int a, int b) {
    int const in[] = {a, b};
    return plain(name, in, aval(type(a)));
  }
  constexpr int constant(aval const& t, span<std::uint64_t> bits) {
    int const patterns = is_complex(t.type) ? 2 : 1;  // per element
    bool equal = true;
    for (int i = patterns; i < bits.size(); ++i) equal = equal && bits[i] == bits[i - patterns];
    int const attributes[] = {m_.constants.size(), bits.size() > 0 && equal ? 1 : bits.size()};
    for (int i = 0; i < bits.size() && (!equal || i < patterns); ++i) m_.constants.push(bits[i]);
    return one(hlo_form::constant, "constant", {}, t, attributes);
  }
  constexpr int scalar(dtype t, std::uint64_t bits) {
    std::uint64_t const patterns[] = {bits, 0};
    return constant(aval(t), {patterns, is_complex(t) ? 2 : 1});
  }
  constexpr int number(dtype t, int n) { return scalar(t, bits_of_int(t, n)); }
  // An array with n in every element.
  constexpr int full(aval const& t, int n) { return broadcast(number(t.type, n), t); }
  // An i32 vector or matrix with the given elements.
  constexpr int table(aval const& t, span<int> elements) {
    arena<std::uint64_t> bits;
    for (int x : elements) bits.push(to_bits(x));
    return constant(t, bits);
  }
  constexpr int broadcast_in_dim(int v, aval const& shape, span<int> axes) {
    return one(hlo_form::broadcast, "broadcast_in_dim", {&v, 1}, shape.with_type(type(v).type), axes);
  }
  // Broadcasts a scalar, or axes of size 1; returns v if the shape is the same already.
  constexpr int broadcast(int v, aval const& shape) {
    if (type(v).same_shape(shape)) return v;
    int axes[max_rank] = {};
    for (int i = 0; i < shape.rank; ++i) axes[i] = i;
    return broadcast_in_dim(v, shape, {axes, type(v).rank});
  }
  // The axes of v are the first ones of the shape.
  constexpr int broadcast_leading(int v, aval const& shape) {
    int const axes[] = {0, 1, 2, 3, 4, 5, 6, 7};
    return type(v).same_shape(shape) ? v : broadcast_in_dim(v, shape, {axes, type(v).rank});
  }
  constexpr int reshape(int v, aval const& shape) { return plain("reshape", {&v, 1}, shape.with_type(type(v).type)); }
  constexpr int convert(int v, dtype t) {
    if (type(v).type == t) return v;
    if (is_bool(t)) return compare("NE", v, full(aval(type(v)), 0));
    if (is_complex(type(v).type) && !is_complex(t)) return convert(plain("real", {&v, 1}, type(v).with_type(real_dtype(type(v).type))), t);
    return plain("convert", {&v, 1}, type(v).with_type(t));
  }
  constexpr int bitcast(int v, aval const& out) { return plain("bitcast_convert", {&v, 1}, out); }
  constexpr int reduce_precision(int v, int exponent_bits, int mantissa_bits) {
    int const bits[] = {exponent_bits, mantissa_bits};
    return one(hlo_form::reduce_precision, "reduce_precision", {&v, 1}, aval(type(v)), bits);
  }
  constexpr int compare(std::string_view direction, int a, int b) {
    int const in[] = {a, b};
    aval const out = type(a).with_type(dtype::b1);
    return emit(hlo_form::compare, "compare", in, {&out, 1}, {}, {}, direction);
  }
  // which: bool with the shape of the others.
  constexpr int select(int which, int if_true, int if_false) {
    int const in[] = {which, if_true, if_false};
    return one(hlo_form::select, "select", in, aval(type(if_true)));
  }
  constexpr int transpose(int v, span<int> permutation, aval const& out) {
    return one(hlo_form::axes, "transpose", {&v, 1}, out, permutation);
  }
  constexpr int reverse(int v, span<int> axes) { return one(hlo_form::axes, "reverse", {&v, 1}, aval(type(v)), axes); }
  constexpr int concatenate(span<int> in, int axis, aval const& out) {
    return one(hlo_form::concatenate, "concatenate", in, out, {&axis, 1});
  }
  // config: low of each axis, then high, then interior.
  constexpr int pad(int v, int value, span<int> config, aval const& out) {
    int const in[] = {v, value};
    return one(hlo_form::pad, "pad", in, out, config);
  }
  constexpr int slice(int v, span<int> start, span<int> limit, span<int> stride, aval const& out) {
    arena<int> attributes;
    push(attributes, start);
    push(attributes, limit);
    push(attributes, stride);
    return one(hlo_form::slice, "slice", {&v, 1}, out, attributes);
  }
  constexpr int iota(int axis, aval const& out) { return one(hlo_form::iota, "iota", {}, out, {&axis, 1}); }
  // in: the array, then its starts.
  constexpr int dynamic_slice(span<int> in, span<int> sizes) {
    aval out = type(in[0]);
    for (int i = 0; i < out.rank; ++i) out.dims[i] = sizes[i];
    return one(hlo_form::dynamic_slice, "dynamic_slice", in, out, sizes);
  }
  // One row of an array; an array with a row replaced.
  constexpr int row(int v, int index) {
    arena<int> in;
    in.push(v);
    push_starts(in, v, index);
    aval sizes = type(v);
    sizes.dims[0] = 1;
    return reshape(dynamic_slice(in, {sizes.dims, sizes.rank}), type(v).without_axis(0));
  }
  constexpr int set_row(int v, int element, int index) {
    int const axes[] = {1, 2, 3, 4, 5, 6, 7};
    arena<int> in;
    in.push(v);
    in.push(broadcast_in_dim(element, aval(type(element)).with_axis(0, 1), {axes, type(element).rank}));
    push_starts(in, v, index);
    return plain("dynamic_update_slice", in, aval(type(v)));
  }
  constexpr int dot_general(int lhs, int rhs, span<int> numbers, aval const& out) {
    int const in[] = {lhs, rhs};
    return one(hlo_form::dot_general, "dot_general", in, out, numbers);
  }
  constexpr int convolution(int lhs, int rhs, span<int> numbers, aval const& out) {
    int const in[] = {lhs, rhs};
    return one(hlo_form::convolution, "convolution", in, out, numbers);
  }
  // A binary operation. Maximum and minimum of complex numbers compare real, then imaginary parts.
  constexpr int combined(std::string_view name, int a, int b) {
    if (!is_extremum_of_complex(name, a)) return like(name, a, b);
    std::string_view const direction = name == "maximum" ? "GT" : "LT";
    aval const part = type(a).with_type(real_dtype(type(a).type));
    int const x = plain("real", {&a, 1}, part), y = plain("real", {&b, 1}, part);
    int const equal = compare("EQ", x, y), by_real = compare(direction, x, y);
    int const u = plain("imag", {&a, 1}, part), v = plain("imag", {&b, 1}, part);
    int const by_imag = compare(direction, u, v), which = select(equal, by_imag, by_real);
    return select(which, a, b);
  }
  constexpr bool is_extremum_of_complex(std::string_view name, int v) const {
    return is_complex(type(v).type) && (name == "maximum" || name == "minimum");
  }
  // A block for a reduction or a scatter with the operation of this name on two scalars; without a name it returns the second.
  constexpr int combiner(std::string_view name, dtype t) {
    aval const types[] = {aval(t), aval(t)};
    int const a = open(types), r = name.empty() ? a + 1 : combined(name, a, a + 1);
    return close({&r, 1});
  }
  // Windows with stride 1. window: sizes, low and high padding of all axes; the block combines two scalars.
  constexpr int reduce_window(int v, int init, span<int> window, int block) {
    int const in[] = {v, init}, rank = window.size() / 3;
    aval const out = type(v);
    arena<int> all;
    all.resize(6 * rank, 1);
    for (int i = 0; i < rank; ++i) {
      all[i] = window[i];
      all[2 * rank + i] = window[rank + i];
      all[3 * rank + i] = window[2 * rank + i];
    }
    return reduce_windows(in, all, {&out, 1}, block);
  }
  // in: operands, then as many initial values; window: sizes, strides, low and high padding, base and window dilations. Returns the first
  // result.
  constexpr int reduce_windows(span<int> in, span<int> window, span<aval> out, int block) {
    return emit(hlo_form::reduce_window, "reduce_window", in, out, window, {&block, 1});
  }
  // A call of an external function, without results.
  constexpr void custom_call(std::string_view target, std::string_view config, span<int> in) {
    emit(hlo_form::custom_call, target, in, {}, {}, {}, config);
  }
  // lists: offset_dims, collapsed_slice_dims, operand_batching_dims, start_indices_batching_dims, start_index_map.
  constexpr int gather(int x, int indices, span<span<int>> lists, span<int> sizes, bool sorted, aval const& out) {
    arena<int> attributes = index_numbers(lists, type(indices).rank - 1, sorted);
    push(attributes, sizes);
    int const in[] = {x, indices};
    return one(hlo_form::gather, "gather", in, out, attributes);
  }
  // lists: update_window_dims, inserted_window_dims, input_batching_dims, scatter_indices_batching_dims, scatter_dims_to_operand_dims.
  constexpr int scatter(int x, int indices, int update, span<span<int>> lists, int index_vector_dim, bool sorted, bool unique, int block) {
    arena<int> attributes = index_numbers(lists, index_vector_dim, sorted);
    attributes.push(unique);
    int const in[] = {x, indices, update};
    aval const out = type(x);
    return emit(hlo_form::scatter, "scatter", in, {&out, 1}, attributes, {&block, 1});
  }
  constexpr int reduce(std::string_view name, int v, int init, span<int> axes) {
    aval out(type(v).type);
    for (int i = 0; i < type(v).rank; ++i)
      if (!contains(axes.data(), axes.size(), i)) out.dims[out.rank++] = type(v).dims[i];
    int const in[] = {v, init}, block = combiner(name, out.type);
    hlo_form const form = is_extremum_of_complex(name, v) ? hlo_form::reduce_by : hlo_form::reduce;
    return emit(form, "reduce", in, {&out, 1}, axes, {&block, 1});
  }

  // Several operands and as many initial values; the block combines a scalar of each with one more of each. Returns the first result.
  constexpr int reduce_by(span<int> in, span<int> axes, span<aval> out, int block) {
    return emit(hlo_form::reduce_by, "reduce", in, out, axes, {&block, 1});
  }
  // Sorts the operands by the first num_keys of them, as jax.lax.sort compares them; or by a block of the program.
  constexpr int sort(span<int> in, int axis, bool stable, int num_keys) {
    int const a = open_pairs(in);
    int before = -1;
    auto const by = [&](int u, int v) {
      int const x = sort_key(u), y = sort_key(v), less = compare_total("LT", x, y);
      before = before < 0 ? less : like("or", less, like("and", compare_total("EQ", x, y), before));
    };
    for (int k = num_keys - 1; k >= 0; --k) {
      int const x = a + 2 * k, y = x + 1;
      if (!is_complex(type(x).type)) {
        by(x, y);
        continue;
      }
      aval const part(real_dtype(type(x).type));
      by(plain("imag", {&x, 1}, part), plain("imag", {&y, 1}, part));
      by(plain("real", {&x, 1}, part), plain("real", {&y, 1}, part));
    }
    return sorted(in, axis, stable, close({&before, 1}));
  }
  constexpr int sort_by(span<int> in, int axis, bool stable, exprax::block const& comparator) {
    int const a = open_pairs(in);
    arena<int> scalars;
    for (int k = 0; k < 2 * in.size(); ++k) scalars.push(a + k);
    arena<int> const before = apply(comparator, scalars);
    return sorted(in, axis, stable, close(before));
  }
  // The k largest along the last axis, and their indices.
  constexpr int top_k(int v, int k) {
    aval out = type(v);
    out.dims[out.rank - 1] = k;
    aval const both[] = {out, out.with_type(dtype::i32)};
    return emit(hlo_form::top_k, "chlo.top_k", {&v, 1}, both, {&k, 1});
  }

  constexpr int cholesky(int a) { return one(hlo_form::cholesky, "cholesky", {&a, 1}, aval(type(a))); }
  constexpr int conjugate(int v) {
    aval const whole = type(v), part = whole.with_type(real_dtype(whole.type));
    int const re = plain("real", {&v, 1}, part), im = plain("imag", {&v, 1}, part), parts[] = {re, plain("negate", {&im, 1}, part)};
    return plain("complex", parts, whole);
  }
  // left_side, lower, transpose_a (2: and conjugate), unit_diagonal.
  constexpr int triangular_solve(int a, int b, span<int> flags) {
    int const in[] = {a, b};
    return one(hlo_form::triangular_solve, "triangular_solve", in, aval(type(b)), flags);
  }

  // --- Families ---
  // One operation on operands broadcast to the result's shape.
  constexpr void elementwise(equation_ref const& e, std::string_view name) {
    int v[3] = {};
    joined(e, v);
    set(e, 0, is_extremum_of_complex(name, v[0]) ? combined(name, v[0], v[1]) : plain(name, {v, e.n_in()}, e.out_type(0)));
  }
  constexpr void joined(equation_ref const& e, int* v) {
    for (int k = 0; k < e.n_in(); ++k) v[k] = broadcast(in(e, k), e.out_type(0));
  }

  // --- Blocks ---
  // open starts a block with inputs of these types and returns the first; close ends it with its results and returns its index.
  constexpr int open(span<aval> types) {
    open_.push({m_.types.size(), types.size(), pending_.size(), 0});
    for (aval const& a : types) m_.types.push(a);
    return open_.back().arg;
  }
  constexpr int close(span<int> results) {
    emit(hlo_form::results, "return", results, {});
    hlo_block b = open_.back();
    open_.pop();
    int const first = b.op;
    b.op = m_.ops.size();
    b.n_op = pending_.size() - first;
    copy_run(m_.ops.grow(b.n_op), pending_.data() + first, b.n_op);
    pending_.shrink(first);
    return m_.blocks.push(b);
  }
  // Emits the equations of a block of the program here; returns its results.
  constexpr arena<int> apply(exprax::block const& b, span<int> arguments) {
    for (int k = 0; k < b.n_in; ++k) values_[p_.ins(b)[k]] = arguments[k];
    for (eqn const& e : p_.body(b)) equation(e);
    arena<int> out;
    for (int v : p_.outs(b)) out.push(read(v));
    return out;
  }
  // A block of the program that reads no outer values, as a block of an operation.
  constexpr int block_of(exprax::block const& b) {
    arena<aval> types;
    arena<int> arguments;
    for (int v : p_.ins(b)) types.push(p_.type(v));
    int const first = open(types);
    for (int k = 0; k < b.n_in; ++k) arguments.push(first + k);
    arena<int> const results = apply(b, arguments);
    return close(results);
  }
  // A loop: condition(first carry) returns a scalar bool, body(first carry) the next carry; each emits into a block of its own.
  template <class Condition, class Body>
  constexpr int loop(span<int> carry, Condition condition, Body body) {
    arena<aval> types;
    for (int v : carry) types.push(type(v));
    int blocks[2] = {};
    int first = open(types);
    int const go_on = condition(first);
    blocks[0] = close({&go_on, 1});
    first = open(types);
    arena<int> const next = body(first);
    blocks[1] = close(next);
    return emit(hlo_form::while_loop, "while", carry, types, {}, blocks);
  }
  // Whether an index is the result of a clamp or of a bool, as those of cond and switch_ are.
  constexpr bool is_clamped(int v) const {
    int k = pending_.size() - 1;
    while (k >= 0 && pending_[k].out != v) --k;
    if (k < 0) return false;
    hlo_op const& o = pending_[k];
    return o.name == "clamp" || (o.name == "convert" && is_bool(type(m_.ins(o)[0]).type));
  }
  // branch(k) emits branch k and returns its results.
  template <class Branch>
  constexpr int case_of(int index, int n, span<aval> out, Branch branch) {
    arena<int> blocks;
    for (int k = 0; k < n; ++k) {
      open({});
      blocks.push(close(branch(k)));
    }
    return emit(hlo_form::case_of, "case", {&index, 1}, out, {}, blocks);
  }
  // A call whose equations are written in its place.
  constexpr void inlined(equation_ref const& e) {
    arena<int> in_values;
    for (int k = 0; k < e.n_in(); ++k) in_values.push(in(e, k));
    arena<int> const made = apply(e.sub(0), in_values);
    for (int k = 0; k < e.n_out(); ++k) set(e, k, made[k]);
  }
  // A jit: a function of its own, emitted once for all calls that JAX treats as the same.
  constexpr void call(equation_ref const& e) {
    int const id = shared_.representative(e.p.block_id(e.e, 0));
    arena<int> in_values;
    for (int k = 0; k < e.n_in(); ++k) in_values.push(in(e, k));
    int f = 0;
    for (; f < function_of_.size() && function_of_[f] != id; ++f) {}
    if (f == function_of_.size()) {
      function_of_.push(id);
      std::string_view const label = p_.names[e.param(0)].view();
      int suffix = -1;
      for (hlo_function const& other : m_.functions)
        if (other.name == label) suffix = 0;
      if (suffix == 0) suffix = next_suffix_++;
      m_.functions.push({label, suffix, 0});
      m_.functions[f + 1].block = function_body(p_.blocks[id]);
    }
    int const callee = f + 1;
    arena<aval> types;
    for (int k = 0; k < e.n_out(); ++k) types.push(e.out_type(k));
    int const first = emit(hlo_form::call, "call", in_values, types, {&callee, 1});
    for (int k = 0; k < e.n_out(); ++k) set(e, k, first + k);
  }

 private:
  constexpr int open_pairs(span<int> in) {
    arena<aval> types;
    for (int v : in)
      for (int k = 0; k < 2; ++k) types.push(aval(type(v).type));
    return open(types);
  }
  constexpr int sorted(span<int> in, int axis, bool stable, int block) {
    arena<aval> out;
    for (int v : in) out.push(type(v));
    int const attributes[] = {axis, stable};
    return emit(hlo_form::sort, "sort", in, out, attributes, {&block, 1});
  }
  // jax.lax's _canonicalize_float_for_sort: a single zero, a single NaN.
  constexpr int sort_key(int v) {
    dtype const t = type(v).type;
    if (!is_floating(t)) return v;
    int const zero = number(t, 0), x = select(compare("EQ", v, zero), zero, v);
    std::uint64_t const nan = bits_in(t, [](auto tag) { return std::numeric_limits<typename decltype(tag)::type>::quiet_NaN(); });
    return select(compare("NE", v, v), scalar(t, nan), x);
  }
  constexpr int compare_total(std::string_view direction, int a, int b) {
    int const in[] = {a, b}, total = 1;
    if (!is_floating(type(a).type)) return compare(direction, a, b);
    aval const out = type(a).with_type(dtype::b1);
    return emit(hlo_form::compare, "compare", in, {&out, 1}, {&total, 1}, {}, direction);
  }
  static constexpr arena<int> index_numbers(span<span<int>> lists, int index_vector_dim, bool sorted) {
    arena<int> attributes;
    for (span<int> const& list : lists) {
      attributes.push(list.size());
      push(attributes, list);
    }
    attributes.push(index_vector_dim);
    attributes.push(sorted);
    return attributes;
  }
  template <prim P>
  struct equation_rule {
    static constexpr void call(stablehlo_lowering& l, equation_ref const& e) { primitive<P>::lower(l, e); }
  };
  static constexpr int push(arena<int>& to, span<int> list) {
    int const at = to.size();
    for (int x : list) to.push(x);
    return at;
  }
  constexpr void push_starts(arena<int>& in, int v, int first) {
    in.push(first);
    for (int k = 1; k < type(v).rank; ++k) in.push(number(dtype::i32, 0));
  }
  // A constant is written where it is used.
  constexpr int read(int v) {
    if (!p_.is_constant(v)) return values_[v];
    aval const& t = p_.type(v);
    return constant(t, {p_.constants + p_.values[v].constant, static_cast<int>(t.pattern_count())});
  }
  constexpr void equation(eqn const& e) {
    int const around = first_operand_;
    first_operand_ = operands_.size();
    for (int v : p_.ins(e)) operands_.push(read(v));
    dispatch<equation_rule, void(stablehlo_lowering&, equation_ref const&)>(e.op, *this, equation_ref{p_, e});
    operands_.shrink(first_operand_);
    first_operand_ = around;
  }
  constexpr int function_body(exprax::block const& b) {
    arena<aval> types;
    for (int v : p_.ins(b)) types.push(p_.type(v));
    arena<int> arguments;
    int const first = open(types);
    for (int k = 0; k < b.n_in; ++k) arguments.push(first + k);
    return close(apply(b, arguments));
  }

  Program p_;
  shared_blocks shared_;
  stablehlo_module m_;
  arena<int> values_;  // for each value of the program, its value in the module
  arena<hlo_op> pending_;
  arena<hlo_block> open_;
  arena<int> operands_;  // of the current equations
  int first_operand_ = 0;
  arena<int> function_of_;  // the block of each function but main
  int next_suffix_ = 0;
};

}  // namespace exprax::detail
