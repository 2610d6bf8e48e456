// SPDX-License-Identifier: BSL-1.0
// program -> plan: which equations share a kernel, in which order kernels run, and which buffer each value stands in.
//
// An equation of many elements is inlined into the kernels that consume it, or is a root: it gets a buffer. Roots of the
// same shape share a loop where their order allows it. Equations of one element run in program order, in one straight-line
// kernel as long as nothing else comes between. An update whose operand dies is made in place.
#pragma once

#include <limits>

#include <exprax/plan/lower.hpp>
#include <exprax/plan/memory.hpp>
#include <exprax/plan/register_scan.hpp>
#include <exprax/types/element.hpp>

namespace exprax::detail {

class planner {
 public:
  constexpr explicit planner(program_ref p) : p_(p) {
    int const n = p.n.values;
    at_.resize(n);
    info_.resize(n);
    for (int v = 0; v < n; ++v)
      if (p.is_constant(v)) info_[v].ready = 0;
  }

  // The whole program: inputs and outputs are the caller's memory.
  constexpr plan make() {
    block const& b = p_.main();
    arena<int> outs;
    for (int k = 0; k < b.n_in; ++k) {
      int const v = p_.refs[b.in + k];
      at_[v].buffer = out_.add_buffer(p_.type(v).type, storage_class::input, k, p_.type(v).size());
    }
    for (int k = 0; k < b.n_out; ++k) {
      aval const& t = p_.type(p_.refs[b.out + k]);
      outs.push(out_.add_buffer(t.type, storage_class::output, k, t.size()));
    }
    kernel_range const r = plan_block(b, outs);
    out_.first_kernel = r.first;
    out_.n_kernel = r.count;
    return std::move(out_);
  }

 private:
  struct kernel_range {
    int first = 0, count = 0;
  };
  struct value_info {
    bool root = false;       // wants a buffer
    bool inlined = false;    // an equation that consumers compute for themselves
    bool updates = false;    // an update that is a store into its buffer, not a choice between two operands
    bool mutated = false;    // an update will overwrite its buffer
    bool one_shape = true;   // every use is elementwise in the value's own shape
    int uses = 0;
    int cost = 0;            // of computing it once more
    int depth = 0;           // how many inlined equations stand on one another
    int last_use = -1;       // the equation
    int ready = 0;           // the first node that may read it at the index of the read
    int ready_moved = 0;     // and at any index
    int node = -1;           // one-element values: the node that holds it in a slot
    int reg = -1;
  };
  enum class node_kind : std::uint8_t { loop, scalars, reduce, contract, scan, register_scan, update, copy };
  struct node {
    node_kind kind = node_kind::loop;
    aval shape;
    int eqn = -1;         // reduce, contract, scan, update
    int from = -1, to = -1;  // copy: a value, a buffer
    arena<int> roots;     // loop: values
    arena<step> steps;    // scalars
    kernel_range body;    // scan
    scan_kernel scan;
    int index = -1;       // register_scan
  };

  static constexpr bool is_update(prim op) { return box_lowering::is_update(op) || op == prim::dynamic_update_slice; }

  constexpr int resolve(int v) const {
    while (at_[v].same >= 0) v = at_[v].same;
    return v;
  }
  constexpr equation_ref eq(int i) const { return {p_, p_.eqns[i]}; }
  constexpr int new_scratch(aval const& t) { return out_.add_buffer(t.type, storage_class::scratch, 0, t.size()); }

  // ---- analysis, backwards: what needs a buffer, what is updated in place

  // Marks the value that a read through affine maps ends at.
  constexpr void need_access(int v) {
    v = resolve(v);
    while (at_[v].buffer < 0 && at_[v].def >= 0 && p_.type(v).size() != 1 && is_affine_movement(eq(at_[v].def))) v = resolve(eq(at_[v].def).in(0));
    need(v);
  }
  constexpr void need(int v) {
    v = resolve(v);
    if (!p_.is_constant(v)) info_[v].root = true;
  }

  constexpr bool is_static_update(equation_ref const& e) const { return box_lowering::is_update(e.e.op) && e.param(0) == 0; }
  // A region with steps of 1 can be lowered to boxes.
  constexpr bool is_box_update(equation_ref const& e) const {
    if (!is_static_update(e)) return false;
    int const r = e.out_type(0).rank;
    for (int i = 0; i < r; ++i)
      if (e.param(1 + r + i) != 1 && e.param(1 + 2 * r + i) > 1) return false;
    return true;
  }
  constexpr bool is_interior_pad(equation_ref const& e) const {
    if (e.e.op != prim::pad) return false;
    int const r = e.out_type(0).rank;
    for (int i = 0; i < r; ++i)
      if (e.param(2 * r + i) != 0 && e.type(0).dims[i] > 1) return true;
    return false;
  }

  constexpr void analyse(block const& b, span<int> out_buffers) {
    span<eqn> const body = p_.body(b);
    for (int i = 0; i < b.n_eqn; ++i) {
      eqn const& e = body[i];
      for (int k = 0; k < e.n_out; ++k) at_[e.out + k].def = b.eqn + i;
      for (int k = 0; k < e.n_in; ++k) {
        value_info& u = info_[resolve(p_.refs[e.in + k])];
        ++u.uses;
        u.last_use = b.eqn + i;
      }
    }
    for (int k = 0; k < b.n_out; ++k) {
      int const v = resolve(p_.refs[b.out + k]);
      value_info& u = info_[v];
      ++u.uses;
      u.last_use = b.eqn + b.n_eqn;
      if (at_[v].def >= b.eqn && at_[v].buffer < 0 && !p_.is_constant(v)) {
        at_[v].buffer = out_buffers[k];
        u.root = true;
      }
    }
    for (int i = b.eqn + b.n_eqn - 1; i >= b.eqn; --i) analyse_equation(i, b);
  }

  constexpr void analyse_equation(int i, block const& b) {
    equation_ref const e = eq(i);
    eqn const& q = e.e;
    int const v = q.out;
    bool const many = q.n_out == 1 && e.out_type(0).size() != 1;
    // A value that will be overwritten must be read where the program reads it.
    for (int k = 0; k < q.n_in; ++k) {
      int const u = resolve(e.in(k));
      if (info_[u].mutated && info_[u].last_use != i && many) info_[v].root = true;
      if (!many || !is_plain(q.op) || !p_.type(u).same_shape(e.out_type(0)) || !(info_[v].one_shape || info_[v].root)) info_[u].one_shape = false;
    }
    switch (q.op) {
      case prim::dot_general:
      case prim::conv_general_dilated:
        need_access(e.in(0));
        need_access(e.in(1));
        return;
      case prim::scan:
        for (int k = 0; k < q.n_in; ++k) need(e.in(k));
        return;
      case prim::dynamic_slice:
        need_access(e.in(0));
        for (int k = 1; k < q.n_in; ++k) need(e.in(k));
        if (many) info_[v].root = true;
        return;
      case prim::reshape:
        if (many && !only_unit_axes_differ(e.type(0), e.out_type(0))) {
          info_[v].root = true;
          need(e.in(0));
        }
        return;
      case prim::pad:
        if (is_interior_pad(e)) info_[v].root = true;
        return;
      default: break;
    }
    if (is_update(q.op) && many) return analyse_update(i, b);
    if (!many && q.n_in > 0 && p_.type(e.in(0)).size() != 1 && (is_affine_movement(e) || q.op == prim::pad || q.op == prim::concatenate)) need_access(e.in(0));
  }

  constexpr void analyse_update(int i, block const& b) {
    equation_ref const e = eq(i);
    int const v = e.e.out;
    int const u = resolve(e.in(0));
    bool const fixed = is_static_update(e);
    for (int k = 1; k < e.n_in(); ++k)
      if (!(fixed || is_update_operand(e, k))) need(e.in(k));
    bool const dies = info_[u].last_use == i && at_[u].def >= b.eqn && at_[u].buffer < 0 && !p_.is_constant(u);
    bool const made_whole = dies && !is_plain(p_.eqns[at_[u].def].op);
    std::ptrdiff_t const n_update = p_.type(e.in(update_operand(e))).size();
    bool const small = n_update * 4 < e.out_type(0).size();
    bool const in_place = dies && (made_whole || small || !is_box_update(e));
    info_[v].updates = in_place || !is_box_update(e);
    if (info_[v].updates) {
      info_[v].root = true;
      if (at_[v].buffer < 0) at_[v].buffer = new_scratch(e.out_type(0));
    }
    if (in_place) {
      info_[u].root = true;
      info_[u].mutated = true;
      at_[u].buffer = at_[v].buffer;
    }
  }

  static constexpr int update_operand(equation_ref const& e) {
    return e.e.op == prim::dynamic_update_slice ? 1 : e.param(0) == 0 ? 1 : 2;
  }
  static constexpr bool is_update_operand(equation_ref const& e, int k) { return k == update_operand(e); }

  // Elementwise, movements and iota: what a consumer can compute for itself.
  static constexpr bool is_plain(prim op) {
    return op < prim::dynamic_slice;
  }
  static constexpr int cost_of(prim op) {
    switch (op) {
      case prim::exp: case prim::expm1: case prim::log: case prim::log1p: case prim::sin: case prim::cos: case prim::tanh:
      case prim::logistic: case prim::pow: case prim::rem: return 16;
      case prim::div: case prim::sqrt: case prim::rsqrt: return 4;
      case prim::broadcast_in_dim: case prim::reshape: case prim::transpose: case prim::squeeze: case prim::slice: case prim::rev:
      case prim::pad: case prim::concatenate: return 0;
      default: return 1;
    }
  }

  // ---- nodes, forwards

  constexpr kernel_range plan_block(block const& b, span<int> out_buffers) {
    analyse(b, out_buffers);
    arena<node> nodes;
    for (int i = b.eqn; i < b.eqn + b.n_eqn; ++i) place_equation(i, nodes);
    for (int k = 0; k < b.n_out; ++k) {
      int const v = resolve(p_.refs[b.out + k]);
      if (at_[v].buffer == out_buffers[k]) {
        if (info_[v].node >= 0) store_scalar(v, nodes);
        continue;
      }
      if (info_[v].node >= 0) buffer_of_scalar(v, nodes);
      node n;
      n.kind = node_kind::copy;
      n.shape = p_.type(v);
      n.from = v;
      n.to = out_buffers[k];
      nodes.push(n);
    }
    arena<kernel> kernels;
    for (node& n : nodes) lower(n, kernels);
    kernel_range r{out_.kernels.size(), kernels.size()};
    for (kernel const& k : kernels) out_.kernels.push(k);
    return r;
  }

  constexpr void place_equation(int i, arena<node>& nodes) {
    equation_ref const e = eq(i);
    prim const op = e.e.op;
    if (op == prim::scan) return place_scan(i, nodes);
    int const v = e.e.out;
    aval const& type = e.out_type(0);
    if (type.size() == 0) {
      if (at_[v].buffer < 0) at_[v].buffer = new_scratch(type);
      return;
    }
    if (op >= prim::reduce_sum && op <= prim::conv_general_dilated) return place_whole(i, op >= prim::dot_general ? node_kind::contract : node_kind::reduce, nodes);
    if (type.size() == 1) return place_scalar(i, nodes);
    if (is_update(op) && info_[v].updates) return place_update(i, nodes);
    if (op == prim::reshape && !only_unit_axes_differ(e.type(0), type)) return place_view(i, nodes);
    if (op == prim::dynamic_slice || is_interior_pad(e)) return place_whole(i, node_kind::update, nodes);

    value_info& r = info_[v];
    bool const moves = op >= prim::broadcast_in_dim && op <= prim::rev;
    r.cost = cost_of(op);
    for (int k = 0; k < e.n_in(); ++k) {
      int const u = resolve(e.in(k));
      if (info_[u].node >= 0) buffer_of_scalar(u, nodes);
      bool const same = !moves && p_.type(u).same_shape(type);
      int const ready = same ? info_[u].ready : info_[u].ready_moved;
      if (ready > r.ready) r.ready = ready;
      if (info_[u].ready_moved > r.ready_moved) r.ready_moved = info_[u].ready_moved;
      if (info_[u].inlined && info_[u].depth >= r.depth) r.depth = info_[u].depth + 1;
      if (info_[u].inlined && r.cost < 1000) r.cost += info_[u].cost;  // shared parts count twice: an estimate
    }
    if (!r.one_shape && ((r.uses > 1 && r.cost > 4) || r.depth > 48)) r.root = true;
    if (!r.root) {
      r.inlined = true;
      return;
    }
    if (at_[v].buffer < 0) at_[v].buffer = new_scratch(type);
    int g = -1;
    for (int k = nodes.size() - 1; k >= r.ready && k >= 0 && k >= nodes.size() - 8; --k)
      if (nodes[k].kind == node_kind::loop && nodes[k].shape.same_shape(type)) g = k;
    if (g < 0) {
      node n;
      n.shape = type;
      g = nodes.push(n);
    }
    nodes[g].roots.push(v);
    r.ready = g;
    r.ready_moved = g + 1;
    r.cost = r.depth = 0;
  }

  // One equation that is a kernel of its own.
  constexpr void place_whole(int i, node_kind kind, arena<node>& nodes) {
    equation_ref const e = eq(i);
    for (int k = 0; k < e.n_in(); ++k)
      if (info_[resolve(e.in(k))].node >= 0) buffer_of_scalar(resolve(e.in(k)), nodes);
    int const v = e.e.out;
    if (at_[v].buffer < 0) at_[v].buffer = new_scratch(e.out_type(0));
    node n;
    n.kind = kind;
    n.eqn = i;
    n.shape = e.out_type(0);
    info_[v].ready = info_[v].ready_moved = nodes.push(n) + 1;
  }

  constexpr void place_view(int i, arena<node>& nodes) {
    equation_ref const e = eq(i);
    int const v = e.e.out, u = resolve(e.in(0));
    if (p_.is_constant(u)) at_[u].buffer = constant_buffer(u);
    if (at_[v].buffer < 0) {
      at_[v].buffer = at_[u].buffer;
      info_[v].ready = info_[v].ready_moved = info_[u].ready_moved;
      return;
    }
    // a result of the block: the elements are copied, row-major on both sides
    node n;
    n.kind = node_kind::copy;
    n.shape = e.type(0);
    n.from = u;
    n.to = at_[v].buffer;
    info_[v].ready = info_[v].ready_moved = nodes.push(n) + 1;
  }

  constexpr void place_update(int i, arena<node>& nodes) {
    equation_ref const e = eq(i);
    int const v = e.e.out, u = resolve(e.in(0));
    if (at_[u].buffer != at_[v].buffer) {
      node n;
      n.kind = node_kind::copy;
      n.shape = e.out_type(0);
      n.from = u;
      n.to = at_[v].buffer;
      nodes.push(n);
    }
    if (is_static_update(e) && e.type(1).size() == 1) {
      // one element: a store among the one-element equations
      node& s = scalar_node(nodes);
      int const g = nodes.size() - 1;
      aval const& type = e.out_type(0);
      strides const weight(type);
      access a;
      a.buffer = at_[v].buffer;
      for (int k = 0; k < type.rank; ++k) a.base += weight[k] * e.param(1 + k);
      int reg = scalar_reg(e.in(1), nodes, g);
      if (e.e.op != prim::scatter) {
        int const old = s.steps.push({step_kind::load, {}, type.type, type.type, 0, 0, 0, 0, out_.accesses.push(a)});
        reg = s.steps.push({step_kind::compute, box_lowering::combiner(e.e.op), type.type, type.type, 0, old, reg, old});
      }
      s.steps.push({step_kind::store, {}, type.type, type.type, 0, reg, 0, 0, out_.accesses.push(a)});
      info_[v].ready = info_[v].ready_moved = g + 1;
      return;
    }
    place_whole(i, node_kind::update, nodes);
  }

  // ---- values of one element

  constexpr node& scalar_node(arena<node>& nodes) {
    if (nodes.empty() || nodes.back().kind != node_kind::scalars) {
      node n;
      n.kind = node_kind::scalars;
      nodes.push(n);
    }
    return nodes.back();
  }

  constexpr int constant_buffer(int v) {
    if (at_[v].buffer < 0) at_[v].buffer = out_.add_buffer(p_.type(v).type, storage_class::constant, p_.values[v].constant, p_.type(v).size());
    return at_[v].buffer;
  }

  // The register of a one-element value in scalar node g (the last one).
  constexpr int scalar_reg(int v, arena<node>& nodes, int g) {
    v = resolve(v);
    value_info& r = info_[v];
    dtype const t = p_.type(v).type;
    if (r.node == g) return r.reg;
    if (p_.is_constant(v)) {
      return nodes[g].steps.push({step_kind::literal, {}, t, t, 0, 0, 0, 0, 0, p_.bits(v)});
    }
    if (r.node >= 0) buffer_of_scalar(v, nodes);
    access a;
    a.buffer = at_[v].buffer;
    return nodes[g].steps.push({step_kind::load, {}, t, t, 0, 0, 0, 0, out_.accesses.push(a)});
  }

  // A consumer outside its node needs v: store it at the end of the node that made it.
  constexpr int buffer_of_scalar(int v, arena<node>& nodes) {
    if (at_[v].buffer < 0) {
      at_[v].buffer = new_scratch(p_.type(v));
      store_scalar(v, nodes);
    } else if (!info_[v].inlined) {
      store_scalar(v, nodes);
    }
    return at_[v].buffer;
  }
  constexpr void store_scalar(int v, arena<node>& nodes) {
    value_info& r = info_[v];
    if (r.inlined) return;  // stored before
    r.inlined = true;
    dtype const t = p_.type(v).type;
    access a;
    a.buffer = at_[v].buffer;
    nodes[r.node].steps.push({step_kind::store, {}, t, t, 0, r.reg, 0, 0, out_.accesses.push(a)});
  }

  constexpr void place_scalar(int i, arena<node>& nodes) {
    equation_ref const e = eq(i);
    prim const op = e.e.op;
    int const v = e.e.out;
    aval const& type = e.out_type(0);
    node* n = &scalar_node(nodes);
    int const g = nodes.size() - 1;
    value_info& r = info_[v];
    r.node = g;
    r.ready = r.ready_moved = g + 1;
    if (op == prim::iota) {
      r.reg = n->steps.push({step_kind::literal, {}, type.type, type.type});
      return;
    }
    if (op == prim::dynamic_slice) {
      for (int k = 1; k < e.n_in(); ++k) scalar_operand_buffer(e.in(k), nodes);
      r.node = -1;
      return place_whole(i, node_kind::update, nodes);
    }
    if (op >= prim::broadcast_in_dim || op == prim::convert_element_type) {
      // a movement of one element is that element; out of many, a load at a fixed index
      if (op == prim::pad || op == prim::concatenate || is_update(op)) return place_scalar_piece(i, nodes);
      if (e.type(0).size() == 1) {
        int const reg = scalar_reg(e.in(0), nodes, g);
        r.reg = e.type(0).type == type.type ? reg : nodes[g].steps.push({step_kind::convert, {}, e.type(0).type, type.type, 0, reg});
        return;
      }
      index_map m;
      m.rank = type.rank;
      m = pull(e, m);
      int u = resolve(e.in(0));
      while (at_[u].buffer < 0 && !p_.is_constant(u)) {
        equation_ref const d = eq(at_[u].def);
        m = pull(d, m);
        u = resolve(d.in(0));
      }
      if (p_.is_constant(u)) constant_buffer(u);
      r.reg = nodes[g].steps.push({step_kind::load, {}, type.type, type.type, 0, 0, 0, 0, out_.accesses.push(box_lowering::access_of(at_[u].buffer, p_.type(u), m))});
      return;
    }
    int reg[3] = {-1, -1, -1};
    if (op == prim::select_n && (e.n_in() != 3 || e.type(0).type != dtype::b1)) {
      int const which = scalar_reg(e.in(0), nodes, g);
      dtype const w = e.type(0).type;
      int chosen = scalar_reg(e.in(1), nodes, g);
      for (int k = 2; k < e.n_in(); ++k) {
        int const other = scalar_reg(e.in(k), nodes, g);
        int const bound = nodes[g].steps.push({step_kind::literal, {}, w, w, 0, 0, 0, 0, 0, static_cast<std::uint64_t>(k - 1)});
        int const mask = nodes[g].steps.push({step_kind::compute, prim::ge, w, dtype::b1, 0, which, bound, which});
        chosen = nodes[g].steps.push({step_kind::compute, prim::select_n, type.type, type.type, 0, mask, chosen, other});
      }
      r.reg = chosen;
      return;
    }
    for (int k = 0; k < e.n_in(); ++k) reg[k] = scalar_reg(e.in(k), nodes, g);
    dtype const from = op == prim::select_n ? type.type : e.type(0).type;
    r.reg = nodes[g].steps.push({step_kind::compute, op, from, type.type, 0, reg[0], reg[1] < 0 ? reg[0] : reg[1], reg[2] < 0 ? reg[0] : reg[2]});
  }
  constexpr void scalar_operand_buffer(int v, arena<node>& nodes) {
    v = resolve(v);
    if (p_.is_constant(v)) constant_buffer(v);
    else if (info_[v].node >= 0) buffer_of_scalar(v, nodes);
  }
  // A pad, concatenation or update with one element: lowered as a loop of one iteration.
  constexpr void place_scalar_piece(int i, arena<node>& nodes) {
    equation_ref const e = eq(i);
    int const v = e.e.out;
    info_[v].node = -1;
    if (is_update(e.e.op) && !is_box_update(e)) {
      if (at_[v].buffer < 0) at_[v].buffer = new_scratch(e.out_type(0));
      for (int k = 0; k < e.n_in(); ++k) scalar_operand_buffer(e.in(k), nodes);
      return place_update(i, nodes);
    }
    for (int k = 0; k < e.n_in(); ++k)
      if (p_.type(resolve(e.in(k))).size() == 1) scalar_operand_buffer(e.in(k), nodes);
    if (at_[v].buffer < 0) at_[v].buffer = new_scratch(e.out_type(0));
    node n;
    n.shape = e.out_type(0);
    n.roots.push(v);
    info_[v].ready = info_[v].ready_moved = nodes.push(n) + 1;
  }

  // ---- scans

  constexpr int operand_buffer(int v, arena<node>& nodes) {
    v = resolve(v);
    if (p_.is_constant(v)) return constant_buffer(v);
    if (info_[v].node >= 0) buffer_of_scalar(v, nodes);
    return at_[v].buffer;
  }

  constexpr bool place_register_scan(int i, arena<node>& nodes) {
    equation_ref const e = eq(i);
    if (!register_scan_planner::fits(e)) return false;
    arena<int> operands, results;
    for (int k = 0; k < e.n_in(); ++k) operands.push(p_.is_literal(resolve(e.in(k))) ? -1 : operand_buffer(e.in(k), nodes));
    for (int k = 0; k < e.n_out(); ++k) {
      int const v = e.e.out + k;
      if (at_[v].buffer < 0) at_[v].buffer = new_scratch(p_.type(v));
      results.push(at_[v].buffer);
    }
    for (int k = 0; k < e.param(2); ++k)  // a literal that starts a carry needs a place as well
      if (operands[e.param(1) + k] < 0) operands[e.param(1) + k] = constant_buffer(resolve(e.in(e.param(1) + k)));
    node n;
    n.kind = node_kind::register_scan;
    n.eqn = i;
    n.index = register_scan_planner(e, out_, at_, operands, results).run();
    int const ready = nodes.push(n) + 1;
    for (int k = 0; k < e.n_out(); ++k) info_[e.e.out + k].ready = info_[e.e.out + k].ready_moved = ready;
    return true;
  }

  constexpr void place_scan(int i, arena<node>& nodes) {
    equation_ref const e = eq(i);
    eqn const& q = e.e;
    block const& body = e.sub(0);
    if (place_register_scan(i, nodes)) return;
    int const length = e.param(0), n_const = e.param(1), n_carry = e.param(2), n_xs = q.n_in - n_const - n_carry;
    node n;
    n.kind = node_kind::scan;
    n.eqn = i;
    n.scan.length = length;
    n.scan.reverse = e.param(3) != 0;
    arena<carry_slot> carries;
    arena<stream_slot> streams;
    arena<int> outs;
    for (int k = 0; k < n_const; ++k) {
      int const u = resolve(e.in(k)), inner = p_.refs[body.in + k];
      if (p_.is_constant(u)) at_[inner].same = u;
      else at_[inner].buffer = operand_buffer(u, nodes);
    }
    for (int k = 0; k < n_carry; ++k) {
      int const v = q.out + k, inner = p_.refs[body.in + n_const + k];
      aval const& t = p_.type(v);
      carry_slot c;
      c.init = operand_buffer(e.in(n_const + k), nodes);
      if (at_[v].buffer < 0) at_[v].buffer = new_scratch(t);
      c.result = at_[v].buffer;
      c.spare = new_scratch(t);
      c.in = at_[inner].buffer = out_.add_buffer(t.type, storage_class::bound, 0, t.size());
      c.out = out_.add_buffer(t.type, storage_class::bound, 0, t.size());
      outs.push(c.out);
      carries.push(c);
    }
    for (int k = 0; k < n_xs; ++k) {
      int const inner = p_.refs[body.in + n_const + n_carry + k];
      aval const& t = p_.type(inner);
      stream_slot s{operand_buffer(e.in(n_const + n_carry + k), nodes), out_.add_buffer(t.type, storage_class::bound, 0, t.size())};
      at_[inner].buffer = s.part;
      streams.push(s);
    }
    for (int k = n_carry; k < q.n_out; ++k) {
      int const v = q.out + k;
      aval const t = p_.type(v).without_axis(0);
      if (at_[v].buffer < 0) at_[v].buffer = new_scratch(p_.type(v));
      stream_slot s{at_[v].buffer, out_.add_buffer(t.type, storage_class::bound, 0, t.size())};
      outs.push(s.part);
      streams.push(s);
    }
    n.scan.carry = out_.carries.size();
    n.scan.n_carry = carries.size();
    for (carry_slot const& c : carries) out_.carries.push(c);
    n.scan.stream = out_.streams.size();
    n.scan.n_stream = streams.size();
    for (stream_slot const& s : streams) out_.streams.push(s);
    // One-element values of this block live in slots that the body cannot see: its operands are all in buffers by now.
    n.body = plan_block(body, outs);
    int const ready = nodes.push(n) + 1;
    for (int k = 0; k < q.n_out; ++k) info_[q.out + k].ready = info_[q.out + k].ready_moved = ready;
  }

  // ---- nodes -> kernels

  constexpr void lower(node& n, arena<kernel>& kernels) {
    switch (n.kind) {
      case node_kind::loop: return lower_loop(n, kernels);
      case node_kind::scalars: return lower_scalars(n, kernels);
      case node_kind::copy: return lower_copy(n, kernels);
      case node_kind::update: return lower_update(n, kernels);
      case node_kind::reduce: return lower_reduce(n, kernels);
      case node_kind::contract: return lower_contract(n, kernels);
      case node_kind::register_scan: kernels.push({kernel_kind::register_scan, n.index}); return;
      case node_kind::scan:
        n.scan.kernel = n.body.first;
        n.scan.n_kernel = n.body.count;
        kernels.push({kernel_kind::scan, out_.scans.push(n.scan)});
        return;
    }
  }

  // Forgets axes of 1 and merges neighbours that every access walks as one.
  constexpr void collapse(loop_kernel& k) {
    for (int axis = k.rank - 1; axis >= 0; --axis)
      if (k.dims[axis] == 1 && k.rank > 1) drop_axis(k, axis);
    for (int axis = k.rank - 2; axis >= 0; --axis)
      if (can_merge(k, axis)) merge_axes(k, axis);
  }
  template <class F>
  constexpr void for_steps(loop_kernel const& k, F f) {
    for (int b = 0; b < k.n_box; ++b) {
      box const& x = out_.boxes[k.box + b];
      for (int s = 0; s < x.n_step; ++s) f(out_.steps[x.step + s]);
    }
  }
  constexpr void drop_axis(loop_kernel& k, int axis) {
    if (axis == k.rank - 1)  // what varies along the last axis was found for another one
      for (int b = 0; b < k.n_box; ++b) out_.boxes[k.box + b].n_row = 0;
    for_steps(k, [&](step& s) {
      if (s.kind == step_kind::load || s.kind == step_kind::store) {
        access& a = out_.accesses[s.access];
        for (int i = axis; i + 1 < k.rank; ++i) a.stride[i] = a.stride[i + 1];
        a.stride[k.rank - 1] = 0;
      } else if (s.kind == step_kind::iota) {
        if (s.access == axis) s.access = -1;
        else if (s.access > axis) --s.access;
      }
    });
    for (int b = 0; b < k.n_box; ++b)
      for (int i = axis; i + 1 < k.rank; ++i) {
        out_.boxes[k.box + b].lo[i] = out_.boxes[k.box + b].lo[i + 1];
        out_.boxes[k.box + b].extent[i] = out_.boxes[k.box + b].extent[i + 1];
      }
    for (int i = axis; i + 1 < k.rank; ++i) k.dims[i] = k.dims[i + 1];
    --k.rank;
  }
  constexpr bool can_merge(loop_kernel const& k, int axis) {
    bool ok = true;
    for (int b = 0; b < k.n_box; ++b) {
      box const& x = out_.boxes[k.box + b];
      if (x.lo[axis + 1] != 0 || x.extent[axis + 1] != k.dims[axis + 1]) return false;
    }
    for_steps(k, [&](step& s) {
      if (s.kind == step_kind::iota) ok = ok && s.access != axis && s.access != axis + 1;
      if (s.kind == step_kind::load || s.kind == step_kind::store) {
        access const& a = out_.accesses[s.access];
        ok = ok && a.stride[axis] == a.stride[axis + 1] * k.dims[axis + 1];
      }
    });
    return ok;
  }
  constexpr void merge_axes(loop_kernel& k, int axis) {
    int const n = k.dims[axis + 1];
    for_steps(k, [&](step& s) {
      if (s.kind == step_kind::iota && s.access > axis) --s.access;
      if (s.kind != step_kind::load && s.kind != step_kind::store) return;
      access& a = out_.accesses[s.access];
      for (int i = axis; i + 1 < k.rank; ++i) a.stride[i] = a.stride[i + 1];
      a.stride[k.rank - 1] = 0;
    });
    for (int b = 0; b < k.n_box; ++b) {
      box& x = out_.boxes[k.box + b];
      x.lo[axis] *= n;
      x.extent[axis] *= n;
      for (int i = axis + 1; i + 1 < k.rank; ++i) {
        x.lo[i] = x.lo[i + 1];
        x.extent[i] = x.extent[i + 1];
      }
    }
    k.dims[axis] *= n;
    for (int i = axis + 1; i + 1 < k.rank; ++i) k.dims[i] = k.dims[i + 1];
    --k.rank;
  }

  constexpr loop_kernel new_loop(aval const& shape) {
    loop_kernel k;
    k.rank = shape.rank;
    for (int i = 0; i < shape.rank; ++i) k.dims[i] = shape.dims[i];
    k.box = out_.boxes.size();
    return k;
  }
  constexpr void push_loop(loop_kernel& k, arena<kernel>& kernels) {
    collapse(k);
    kernels.push({kernel_kind::loop, out_.loops.push(k)});
  }

  constexpr void lower_loop(node& n, arena<kernel>& kernels) {
    lowering_context c{p_, out_, at_, visits_};
    loop_kernel k = new_loop(n.shape);
    box_lowering l(c, k.rank, k.dims);
    index_map const m = index_map::identity(n.shape);
    // While a root is being made it has no buffer: its consumers in this kernel share its register.
    arena<int> buffers;
    for (int v : n.roots) {
      buffers.push(at_[v].buffer);
      at_[v].buffer = -1;
    }
    for (int v : n.roots) l.find_cuts(v, m);
    for (int b = 0; b < l.boxes(); ++b) {
      l.start_box(b);
      for (int r = 0; r < n.roots.size(); ++r) {
        int const v = n.roots[r];
        int const reg = l.value(v, m);
        l.store(reg, p_.type(v).type, box_lowering::access_of(buffers[r], p_.type(v), m));
      }
      box x = l.current();
      finish_box(out_, x, l.steps(), k.rank - 1, k.rank == 0);
      out_.boxes.push(x);
      ++k.n_box;
    }
    for (int r = 0; r < n.roots.size(); ++r) at_[n.roots[r]].buffer = buffers[r];
    push_loop(k, kernels);
  }

  constexpr void lower_scalars(node& n, arena<kernel>& kernels) {
    loop_kernel k;
    k.box = out_.boxes.size();
    k.n_box = 1;
    box x;
    finish_box(out_, x, n.steps, 0, true);
    out_.boxes.push(x);
    kernels.push({kernel_kind::loop, out_.loops.push(k)});
  }

  constexpr void lower_copy(node& n, arena<kernel>& kernels) {
    if (n.shape.size() == 0) return;
    lowering_context c{p_, out_, at_, visits_};
    loop_kernel k = new_loop(n.shape);
    box_lowering l(c, k.rank, k.dims);
    index_map const m = index_map::identity(n.shape);
    l.find_cuts(n.from, m);
    for (int b = 0; b < l.boxes(); ++b) {
      l.start_box(b);
      int const reg = l.value(n.from, m);
      l.store(reg, n.shape.type, box_lowering::access_of(n.to, n.shape, m));
      box x = l.current();
      finish_box(out_, x, l.steps(), k.rank - 1, k.rank == 0);
      out_.boxes.push(x);
      ++k.n_box;
    }
    push_loop(k, kernels);
  }

  // Stores a value into a region of a buffer: updates, interior pads; and dynamic_slice, which loads from one.
  constexpr void lower_update(node& n, arena<kernel>& kernels) {
    equation_ref const e = eq(n.eqn);
    int const v = e.e.out;
    if (e.e.op == prim::pad) return lower_interior_pad(n, kernels);
    if (e.e.op == prim::dynamic_slice) return lower_dynamic_slice(n, kernels);
    aval const& whole = e.out_type(0);
    int const w = e.in(update_operand(e));
    aval const update = p_.type(w);
    if (update.size() == 0) return;
    strides const weight(whole);
    lowering_context c{p_, out_, at_, visits_};
    loop_kernel k = new_loop(update);
    index_map const m = index_map::identity(update);
    access region;
    region.buffer = at_[v].buffer;
    if (e.e.op == prim::dynamic_update_slice) {
      region.term = out_.terms.size();
      for (int i = 0; i < whole.rank; ++i) {
        region.stride[i] = weight[i];
        int const limit = whole.dims[i] - update.dims[i];
        if (limit > 0) add_term(e.in(2 + i), limit, weight[i], region);
      }
    } else if (e.param(0) == 0) {
      for (int i = 0; i < whole.rank; ++i) {
        region.base += weight[i] * e.param(1 + i);
        region.stride[i] = weight[i] * e.param(1 + whole.rank + i);
      }
    } else {
      dynamic_region(e, whole, update, weight, region, k);
    }
    box_lowering l(c, k.rank, k.dims);
    l.find_cuts(w, m);
    for (int b = 0; b < l.boxes(); ++b) {
      l.start_box(b);
      int reg = l.value(w, m);
      if (e.e.op != prim::scatter && e.e.op != prim::dynamic_update_slice)
        reg = l.compute(box_lowering::combiner(e.e.op), whole.type, whole.type, l.load(whole.type, region), reg);
      l.store(reg, whole.type, region);
      box x = l.current();
      finish_box(out_, x, l.steps(), k.rank - 1, k.rank == 0);
      out_.boxes.push(x);
      ++k.n_box;
    }
    push_loop(k, kernels);
  }
  constexpr void add_term(int v, int limit, std::ptrdiff_t stride, access& a) {
    v = resolve(v);
    if (p_.is_constant(v)) {
      std::int64_t at = static_cast<std::int64_t>(p_.bits(v));
      at = at < 0 ? 0 : at > limit ? limit : at;
      a.base += at * stride;
      return;
    }
    out_.terms.push({at_[v].buffer, limit, stride});
    ++a.n_term;
  }
  // JAX's scatter with one index vector: a window of the operand, dropped whole when it does not fit.
  constexpr void dynamic_region(equation_ref const& e, aval const& whole, aval const& update, strides const& weight, access& region, loop_kernel& k) {
    int at = 1;
    int const n_window = e.param(at++);
    int const windows = at;
    at += n_window;
    int const n_inserted = e.param(at++);
    int const inserted = at;
    at += n_inserted;
    int const n_map = e.param(at++);
    int const map = at;
    if (e.type(1).rank != 1) throw "exprax: scatter with several index vectors has no plan yet";
    int window = 0;
    int extent[max_rank] = {};
    for (int i = 0; i < whole.rank; ++i) {
      bool dropped = false;
      for (int q = 0; q < n_inserted; ++q) dropped = dropped || e.param(inserted + q) == i;
      extent[i] = 1;
      if (dropped) continue;
      int const u = e.param(windows + window++);
      extent[i] = update.dims[u];
      region.stride[u] = weight[i];
    }
    // The index vector stands in memory; its components are one-element views of it.
    int const indices = at_[resolve(e.in(1))].buffer;
    region.term = k.guard = out_.terms.size();
    for (int q = 0; q < n_map; ++q) {
      int const i = e.param(map + q);
      dynamic_term t{indices, whole.dims[i] - extent[i], weight[i]};
      t.element = q;
      out_.terms.push(t);
      ++region.n_term;
      ++k.n_guard;
    }
  }

  // Above its uses, or clang has no body for it in constant evaluation.
  template <class F>
  constexpr void simple_loop(aval const& shape, arena<kernel>& kernels, F f) {
    lowering_context c{p_, out_, at_, visits_};
    loop_kernel k = new_loop(shape);
    box_lowering l(c, k.rank, k.dims);
    l.start_box(0);
    f(l, index_map::identity(shape));
    box x = l.current();
    finish_box(out_, x, l.steps(), k.rank - 1, k.rank == 0);
    out_.boxes.push(x);
    k.n_box = 1;
    push_loop(k, kernels);
  }

  constexpr void lower_dynamic_slice(node& n, arena<kernel>& kernels) {
    equation_ref const e = eq(n.eqn);
    int u = resolve(e.in(0));
    aval const type = p_.type(u);
    index_map m = index_map::identity(n.shape);
    for (int i = 0; i < n.shape.rank; ++i)
      if (n.shape.dims[i] == 1) m.of[i] = {};
    // the operand may be an affine view of a buffer: find what one step along each of its axes means
    std::ptrdiff_t per[max_rank] = {};
    index_map step_of[max_rank];
    for (int i = 0; i < type.rank; ++i) {
      step_of[i] = m;
      step_of[i].of[i].offset += 1;
    }
    while (at_[u].buffer < 0 && !p_.is_constant(u)) {
      equation_ref const d = eq(at_[u].def);
      m = pull(d, m);
      for (int i = 0; i < type.rank; ++i) step_of[i] = pull(d, step_of[i]);
      u = resolve(d.in(0));
    }
    if (p_.is_constant(u)) constant_buffer(u);
    access a = box_lowering::access_of(at_[u].buffer, p_.type(u), m);
    for (int i = 0; i < type.rank; ++i) per[i] = box_lowering::access_of(at_[u].buffer, p_.type(u), step_of[i]).base - a.base;
    a.term = out_.terms.size();
    for (int i = 0; i < type.rank; ++i)
      if (type.dims[i] > n.shape.dims[i]) add_term(e.in(1 + i), type.dims[i] - n.shape.dims[i], per[i], a);
    simple_loop(n.shape, kernels, [&](box_lowering& l, index_map const& id) {
      l.store(l.load(n.shape.type, a), n.shape.type, box_lowering::access_of(at_[e.e.out].buffer, n.shape, id));
    });
  }

  // Fill with the padding value, then store the operand at its strides.
  constexpr void lower_interior_pad(node& n, arena<kernel>& kernels) {
    equation_ref const e = eq(n.eqn);
    int const buffer = at_[e.e.out].buffer;
    aval const whole = n.shape;
    simple_loop(whole, kernels, [&](box_lowering& l, index_map const& m) {
      l.store(l.value(e.in(1), {}), whole.type, box_lowering::access_of(buffer, whole, m));
    });
    aval region = p_.type(e.in(0));
    strides const weight(whole);
    access to;
    to.buffer = buffer;
    index_map m;
    m.rank = region.rank;
    for (int i = 0; i < whole.rank; ++i) {
      int const low = e.param(i), step = e.param(2 * whole.rank + i) + 1;
      int first = low >= 0 ? 0 : (-low + step - 1) / step;
      int last = region.dims[i] - 1;  // the last that fits
      while (last >= first && low + last * step >= whole.dims[i]) --last;
      to.base += weight[i] * (low + first * step);
      to.stride[i] = weight[i] * step;
      m.of[i] = {i, first, 1};
      region.dims[i] = last - first + 1;
    }
    if (region.size() <= 0) return;
    lowering_context c{p_, out_, at_, visits_};
    loop_kernel k = new_loop(region);
    box_lowering l(c, k.rank, k.dims);
    l.find_cuts(e.in(0), m);
    for (int b = 0; b < l.boxes(); ++b) {
      l.start_box(b);
      l.store(l.value(e.in(0), m), whole.type, to);
      box x = l.current();
      finish_box(out_, x, l.steps(), k.rank - 1, k.rank == 0);
      out_.boxes.push(x);
      ++k.n_box;
    }
    push_loop(k, kernels);
  }

  constexpr void lower_reduce(node& n, arena<kernel>& kernels) {
    equation_ref const e = eq(n.eqn);
    aval const& type = e.type(0);
    bool reduced[max_rank] = {};
    for (int a : e.params()) reduced[a] = true;
    reduce_kernel k;
    k.op = e.e.op;
    k.type = type.type;
    index_map m;
    m.rank = type.rank;
    aval domain(type.type);
    for (int pass = 0; pass < 2; ++pass)
      for (int i = 0; i < type.rank; ++i) {
        if (reduced[i] != (pass == 1)) continue;
        if (type.dims[i] != 1) m.of[i] = {domain.rank, 0, 1};
        domain.dims[domain.rank++] = type.dims[i];
        if (pass == 0) ++k.kept;
      }
    if (domain.rank == k.kept) domain.dims[domain.rank++] = 1;  // nothing is reduced: an axis of one element
    k.rank = domain.rank;
    lowering_context c{p_, out_, at_, visits_};
    if (domain.size() == 0) {
      simple_loop(n.shape, kernels, [&](box_lowering& l, index_map const& id) {
        l.store(l.literal(k.type, reduce_identity(k.op, k.type)), k.type, box_lowering::access_of(at_[e.e.out].buffer, n.shape, id));
      });
      return;
    }
    box_lowering l(c, domain.rank, domain.dims);
    l.find_cuts(e.in(0), m);
    if (l.boxes() > 1) {
      // borders inside a reduction: make the operand first
      int const u = resolve(e.in(0));
      node whole;
      whole.shape = type;
      whole.roots.push(u);
      at_[u].buffer = new_scratch(type);
      lower_loop(whole, kernels);
      box_lowering again(c, domain.rank, domain.dims);
      return finish_reduce(e, k, domain, m, again, kernels);
    }
    finish_reduce(e, k, domain, m, l, kernels);
  }
  static constexpr std::uint64_t reduce_identity(prim op, dtype t) {
    return with_element(t, [op](auto tag) {
      using T = typename decltype(tag)::type;
      using limits = std::numeric_limits<T>;
      switch (op) {
        case prim::reduce_prod: return to_bits(T(1));
        case prim::reduce_max: return to_bits(limits::has_infinity ? static_cast<T>(-limits::infinity()) : limits::lowest());
        case prim::reduce_min: return to_bits(limits::has_infinity ? limits::infinity() : limits::max());
        case prim::reduce_and: return to_bits(limits::is_signed ? static_cast<T>(-1) : limits::max());
        default: return to_bits(T(0));
      }
    });
  }

  constexpr void finish_reduce(equation_ref const& e, reduce_kernel& k, aval const& domain, index_map const& m, box_lowering& l, arena<kernel>& kernels) {
    aval const out = e.out_type(0);
    l.start_box(0);
    access to;
    to.buffer = at_[e.e.out].buffer;
    strides const weight(out);
    for (int i = 0; i < out.rank; ++i) to.stride[i] = weight[i];
    l.store(l.value(e.in(0), m), k.type, to);
    box x = l.current();
    finish_box(out_, x, l.steps(), domain.rank - 1, domain.rank == 0);
    loop_kernel shape = new_loop(domain);
    shape.n_box = 1;
    out_.boxes.push(x);
    // kept and reduced axes are collapsed apart; one reduced axis stays
    for (int axis = shape.rank - 1; axis >= 0; --axis)
      if (shape.dims[axis] == 1 && (axis < k.kept || shape.rank - k.kept > 1)) {
        drop_axis(shape, axis);
        if (axis < k.kept) --k.kept;
      }
    for (int axis = shape.rank - 2; axis >= 0; --axis)
      if (axis + 1 != k.kept && can_merge_reduce(shape, axis, axis >= k.kept)) {
        merge_axes(shape, axis);
        if (axis < k.kept) --k.kept;
      }
    k.columns = shape.rank - k.kept > 1 || (k.kept > 0 && shape.dims[k.kept - 1] >= 4 && walks_columns(shape, k.kept));
    if (k.columns) {
      if (k.kept > 0) move_axis_last(shape, --k.kept);
      else shape.dims[shape.rank++] = 1;
      out_.boxes[shape.box].extent[shape.rank - 1] = shape.dims[shape.rank - 1];
      out_.boxes[shape.box].lo[shape.rank - 1] = 0;
      out_.boxes[shape.box].n_row = 0;  // what varied along the last axis was found for another one
    }
    k.rank = shape.rank;
    for (int i = 0; i < k.rank; ++i) k.dims[i] = shape.dims[i];
    k.box = shape.box;
    for_steps(shape, [&](step& s) {
      if (s.kind != step_kind::store) return;
      k.result = s.a;
      k.out = s.access;
    });
    kernels.push({kernel_kind::reduce, out_.reduces.push(k)});
  }
  // True if memory runs along the last kept axis and not along the reduced one.
  constexpr bool walks_columns(loop_kernel const& k, int kept) {
    bool along_kept = false, along_reduced = false;
    for_steps(k, [&](step& s) {
      if (s.kind != step_kind::load) return;
      along_kept = along_kept || out_.accesses[s.access].stride[kept - 1] == 1;
      along_reduced = along_reduced || out_.accesses[s.access].stride[k.rank - 1] == 1;
    });
    return along_kept && !along_reduced;
  }
  constexpr void move_axis_last(loop_kernel& k, int axis) {
    for_steps(k, [&](step& s) {
      if (s.kind == step_kind::iota) s.access = s.access == axis ? k.rank - 1 : s.access > axis ? s.access - 1 : s.access;
      if (s.kind != step_kind::load && s.kind != step_kind::store) return;
      access& a = out_.accesses[s.access];
      std::ptrdiff_t const moved = a.stride[axis];
      for (int i = axis; i + 1 < k.rank; ++i) a.stride[i] = a.stride[i + 1];
      a.stride[k.rank - 1] = moved;
    });
    box& x = out_.boxes[k.box];
    int const n = k.dims[axis];
    for (int i = axis; i + 1 < k.rank; ++i) {
      k.dims[i] = k.dims[i + 1];
      x.extent[i] = k.dims[i];
    }
    k.dims[k.rank - 1] = n;
  }
  constexpr bool can_merge_reduce(loop_kernel const& k, int axis, bool reduced) {
    bool ok = true;
    for_steps(k, [&](step& s) {
      if (s.kind == step_kind::iota) ok = ok && s.access != axis && s.access != axis + 1;
      if (s.kind == step_kind::load || (s.kind == step_kind::store && !reduced)) {
        access const& a = out_.accesses[s.access];
        ok = ok && a.stride[axis] == a.stride[axis + 1] * k.dims[axis + 1];
      }
    });
    return ok;
  }

  // A read of a value that is an affine view of a buffer: the base, and the step along each axis.
  struct view_of {
    int buffer = -1;
    std::ptrdiff_t base = 0;
    std::ptrdiff_t stride[max_rank] = {};
  };
  constexpr view_of view(int v, arena<kernel>& kernels, dtype want) {
    v = resolve(v);
    aval const type = p_.type(v);
    index_map m;
    m.rank = type.rank;
    for (int i = 0; i < type.rank; ++i) m.of[i] = {i, 0, 1};
    int u = v;
    while (at_[u].buffer < 0 && !p_.is_constant(u) && at_[u].def >= 0 && is_affine_movement(eq(at_[u].def))) {
      m = pull(eq(at_[u].def), m);
      u = resolve(eq(at_[u].def).in(0));
    }
    view_of r;
    if (at_[u].buffer < 0 && !p_.is_constant(u)) {
      // not a view: make it
      at_[u].buffer = new_scratch(p_.type(u));
      node whole;
      whole.shape = p_.type(u);
      whole.roots.push(u);
      lower_loop(whole, kernels);
    }
    if (p_.is_constant(u)) constant_buffer(u);
    access const a = box_lowering::access_of(at_[u].buffer, p_.type(u), m);
    r.buffer = a.buffer;
    r.base = a.base;
    for (int i = 0; i < type.rank; ++i) r.stride[i] = a.stride[i];
    if (type.type == want) return r;
    // dtypes are promoted before the products: a converted copy, dense
    int const copy = out_.add_buffer(want, storage_class::scratch, 0, type.size());
    copy_view(type, r, copy, want, kernels);
    return dense(copy, type);
  }
  static constexpr view_of dense(int buffer, aval const& type) {
    view_of r;
    r.buffer = buffer;
    strides const weight(type);
    for (int i = 0; i < type.rank; ++i) r.stride[i] = weight[i];
    return r;
  }
  // Copies a view into a dense buffer, its axes in a new order.
  constexpr void copy_view(aval const& type, view_of const& from, int to, dtype want, arena<kernel>& kernels) {
    if (type.size() == 0) return;
    simple_loop(type, kernels, [&](box_lowering& l, index_map const& m) {
      access a;
      a.buffer = from.buffer;
      a.base = from.base;
      for (int i = 0; i < type.rank; ++i) a.stride[i] = from.stride[i];
      int reg = l.load(type.type, a);
      if (want != type.type) reg = l.steps().push({step_kind::convert, {}, type.type, want, 0, reg});
      l.store(reg, want, box_lowering::access_of(to, type, m));
    });
  }

  constexpr void lower_contract(node& n, arena<kernel>& kernels) {
    equation_ref const e = eq(n.eqn);
    if (e.e.op == prim::conv_general_dilated) return lower_convolution(n, kernels);
    dtype const type = n.shape.type;
    aval const lhs = e.type(0), rhs = e.type(1);
    int const nc = e.param(0), nb = e.param(1 + 2 * nc);
    int const batch = 2 + 2 * nc;
    view_of a = view(e.in(0), kernels, type), b = view(e.in(1), kernels, type);
    if (int const column = last_free_axis(e, nc, nb); column >= 0 && b.stride[column] != 1 && rhs.dims[column] > 1) b = with_axis_last(rhs.with_type(type), b, column, kernels);
    contract_kernel k;
    k.type = type;
    k.batch = nb;
    k.contracted = nc;
    k.blocked = e.param(e.n_par() - 1) != 0;
    bool l_used[max_rank] = {}, r_used[max_rank] = {};
    int axis = 0;
    for (int i = 0; i < nb; ++i) {
      int const l = e.param(batch + i), r = e.param(batch + nb + i);
      l_used[l] = r_used[r] = true;
      set_axis(k, axis++, lhs.dims[l], a.stride[l], b.stride[r]);
    }
    for (int i = 0; i < nc; ++i) l_used[e.param(1 + i)] = r_used[e.param(1 + nc + i)] = true;
    for (int i = 0; i < lhs.rank; ++i)
      if (!l_used[i]) {
        set_axis(k, axis++, lhs.dims[i], a.stride[i], 0);
        ++k.rows;
      }
    for (int i = 0; i < rhs.rank; ++i)
      if (!r_used[i]) {
        set_axis(k, axis++, rhs.dims[i], 0, b.stride[i]);
        ++k.columns;
      }
    strides const weight(n.shape);
    for (int i = 0; i < n.shape.rank; ++i) k.out[i] = weight[i];
    for (int i = 0; i < nc; ++i) {
      int const l = e.param(1 + i), r = e.param(1 + nc + i);
      set_axis(k, axis++, lhs.dims[l], a.stride[l], b.stride[r]);
    }
    k.lhs_buffer = a.buffer;
    k.rhs_buffer = b.buffer;
    k.lhs_base = a.base;
    k.rhs_base = b.base;
    k.out_buffer = at_[e.e.out].buffer;
    kernels.push({kernel_kind::contract, out_.contracts.push(k)});
  }
  // The rhs axis that becomes the last one of the result, or -1.
  static constexpr int last_free_axis(equation_ref const& e, int nc, int nb) {
    for (int i = e.type(1).rank - 1; i >= 0; --i) {
      bool free = true;
      for (int q = 0; q < nc; ++q) free = free && e.param(1 + nc + q) != i;
      for (int q = 0; q < nb; ++q) free = free && e.param(2 + 2 * nc + nb + q) != i;
      if (free) return i;
    }
    return -1;
  }
  // A copy of a view in which memory runs along one axis: packs need it.
  constexpr view_of with_axis_last(aval const& type, view_of const& from, int axis, arena<kernel>& kernels) {
    aval turned(type.type);
    view_of v;
    v.buffer = from.buffer;
    v.base = from.base;
    int order[max_rank] = {};
    for (int i = 0; i < type.rank; ++i)
      if (i != axis) order[turned.rank++] = i;
    order[turned.rank++] = axis;
    for (int i = 0; i < type.rank; ++i) {
      turned.dims[i] = type.dims[order[i]];
      v.stride[i] = from.stride[order[i]];
    }
    int const copy = new_scratch(turned);
    copy_view(turned, v, copy, type.type, kernels);
    view_of const made = dense(copy, turned);
    view_of r;
    r.buffer = copy;
    for (int i = 0; i < type.rank; ++i) r.stride[order[i]] = made.stride[i];
    return r;
  }
  static constexpr void set_axis(contract_kernel& k, int axis, int n, std::ptrdiff_t lhs, std::ptrdiff_t rhs) {
    k.dims[axis] = n;
    k.lhs[axis] = lhs;
    k.rhs[axis] = rhs;
  }

  // A convolution is a contraction whose lhs walks the output and the window at once; a padded or dilated operand is laid
  // out first.
  constexpr void lower_convolution(node& n, arena<kernel>& kernels) {
    equation_ref const e = eq(n.eqn);
    dtype const type = n.shape.type;
    int const s = e.param(0);
    auto window = [&](int which, int i) { return e.param(1 + which * s + i); };  // strides, low, high, lhs dilation, rhs dilation
    int const feature_groups = e.param(1 + 5 * s), batch_groups = e.param(2 + 5 * s);
    aval lhs = e.type(0);
    aval const rhs = e.type(1);
    view_of a = view(e.in(0), kernels, type), b = view(e.in(1), kernels, type);
    bool plain = true;
    for (int i = 0; i < s; ++i) plain = plain && window(1, i) == 0 && window(2, i) == 0 && window(3, i) == 1;
    if (!plain) {
      aval wide = lhs.with_type(type);
      aval kept = wide;
      access to;
      view_of from = a;
      for (int i = 0; i < s; ++i) {
        int const d = window(3, i), n_in = lhs.dims[2 + i];
        wide.dims[2 + i] = (n_in > 0 ? (n_in - 1) * d + 1 : 0) + window(1, i) + window(2, i);
        if (wide.dims[2 + i] < 0) wide.dims[2 + i] = 0;
      }
      int const buffer = new_scratch(wide);
      strides const weight(wide);
      to.buffer = buffer;
      to.stride[0] = weight[0];
      to.stride[1] = weight[1];
      for (int i = 0; i < s; ++i) {
        int const d = window(3, i), low = window(1, i);
        int const first = low >= 0 ? 0 : (-low + d - 1) / d;
        int last = lhs.dims[2 + i] - 1;
        while (last >= first && low + last * d >= wide.dims[2 + i]) --last;
        kept.dims[2 + i] = last - first + 1 < 0 ? 0 : last - first + 1;
        to.base += weight[2 + i] * (low + first * d);
        to.stride[2 + i] = weight[2 + i] * d;
        from.base += from.stride[2 + i] * first;
      }
      if (wide.size() > 0)
        simple_loop(wide, kernels, [&](box_lowering& l, index_map const& m) { l.store(l.literal(type, 0), type, box_lowering::access_of(buffer, wide, m)); });
      if (kept.size() > 0)
        simple_loop(kept, kernels, [&](box_lowering& l, index_map const&) {
          access f;
          f.buffer = from.buffer;
          f.base = from.base;
          for (int i = 0; i < kept.rank; ++i) f.stride[i] = from.stride[i];
          l.store(l.load(type, f), type, to);
        });
      lhs = wide;
      a = dense(buffer, wide);
    }
    // Axes: batch and group, then spatial rows of the output, then output features, then (feature, window) contracted.
    contract_kernel k;
    k.type = type;
    int axis = 0;
    strides const weight(n.shape);
    int const groups = feature_groups * batch_groups;
    int const batch = lhs.dims[0] / batch_groups, features = lhs.dims[1] / feature_groups, made = rhs.dims[0] / groups;
    auto out_axis = [&](int n_axis, std::ptrdiff_t l, std::ptrdiff_t r, std::ptrdiff_t o) {
      k.out[axis] = o;
      set_axis(k, axis++, n_axis, l, r);
    };
    out_axis(batch, a.stride[0], 0, weight[0]);
    out_axis(groups, batch_groups > 1 ? a.stride[0] * batch : a.stride[1] * features, b.stride[0] * made, weight[1] * made);
    k.batch = 2;
    out_axis(made, 0, b.stride[0], weight[1]);
    k.rows = 1;
    for (int i = 0; i < s; ++i) out_axis(n.shape.dims[2 + i], a.stride[2 + i] * window(0, i), 0, weight[2 + i]);
    k.columns = s;
    set_axis(k, axis++, features, a.stride[1], b.stride[1]);
    for (int i = 0; i < s; ++i) set_axis(k, axis++, rhs.dims[2 + i], a.stride[2 + i] * window(4, i), b.stride[2 + i]);
    k.contracted = 1 + s;
    k.lhs_buffer = a.buffer;
    k.rhs_buffer = b.buffer;
    k.lhs_base = a.base;
    k.rhs_base = b.base;
    k.out_buffer = at_[e.e.out].buffer;
    kernels.push({kernel_kind::contract, out_.contracts.push(k)});
  }

  program_ref p_;
  plan out_;
  arena<realization> at_;
  arena<value_info> info_;
  int visits_ = 0;
};

}  // namespace exprax::detail

namespace exprax {

// The plan of an optimized program (no jit equations; see passes/).
constexpr plan make_plan(program_ref p) {
  plan r = detail::planner(p).make();
  detail::memory_planner(r).run();
  return r;
}

// Count, then fill: P has `static constexpr program_ref ref`.
template <class P>
struct planned {
  using program = P;
  static constexpr plan_sizes sizes = make_plan(P::ref).sizes();
  static constexpr plan_storage<sizes> storage = [] {
    plan p = make_plan(P::ref);
    plan_storage<sizes> s;
    detail::fill(s.buffers, p.buffers);
    detail::fill(s.terms, p.terms);
    detail::fill(s.accesses, p.accesses);
    detail::fill(s.steps, p.steps);
    detail::fill(s.boxes, p.boxes);
    detail::fill(s.loops, p.loops);
    detail::fill(s.reduces, p.reduces);
    detail::fill(s.contracts, p.contracts);
    detail::fill(s.scans, p.scans);
    detail::fill(s.carries, p.carries);
    detail::fill(s.streams, p.streams);
    detail::fill(s.register_scans, p.register_scans);
    detail::fill(s.register_carries, p.register_carries);
    detail::fill(s.register_steps, p.register_steps);
    detail::fill(s.tables, p.tables);
    detail::fill(s.kernels, p.kernels);
    return s;
  }();
};

}  // namespace exprax
