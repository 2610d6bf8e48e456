// SPDX-License-Identifier: BSL-1.0
// program_builder: a program that is being written. All equations are recorded here: those of traces (program/tape.hpp), of copied blocks
// (primitives/copy.hpp), of the rules of transforms and lowerings, and of passes (passes/rewrite/writer.hpp).
//
// Recording is written for few constexpr steps. clang counts statements and calls, so the tables are public, several stores share one
// statement, and one counter says for how many equations there is room in all tables. Tracing (expr_access::bind, program/expr.hpp) does in
// one expression what emit_one does in several statements.
#pragma once

#include <utility>

#include <exprax/program/program.hpp>

namespace exprax {

namespace detail {

// Not constexpr, so that the error shows its name.
inline void a_rule_writes_an_ill_typed_equation() {}

}  // namespace detail

// Infers the results of an equation; false: it is ill-typed.
using infer_function = bool (*)(equation_ref const&, aval*);

class program_builder {
 public:
  detail::arena<value> values;
  detail::arena<eqn> pending;  // of open blocks and outside of all blocks, in order
  detail::arena<eqn> eqns;     // of closed blocks
  detail::arena<block> blocks;
  detail::arena<int> refs;
  detail::arena<int> params;
  detail::arena<aval> avals;
  detail::arena<std::uint64_t> constants;
  detail::arena<name> names;
  detail::arena<int> name_params;  // the parameters that are indices of names
  detail::found_mistake wrong;

  // The first mistake is kept.
  constexpr void blame(detail::found_mistake const& m) {
    if (wrong.what == mistake::none) wrong = m;
  }

  // For how many more equations there is room, each with a result, a literal, and at most `few` operands and parameters. Functions that
  // take other room set it to 0.
  int left = 0;
  static constexpr int few = 8;

  // Takes room for so many equations; counts the room that there is, and makes more if it is too little.
  constexpr void refill(int needed) {
    left = count_room();
    if (left < needed) {
      int const more = pending.n + needed + 16;
      values.make_room(more), pending.make_room(more), constants.make_room(more), refs.make_room(few * more), params.make_room(few * more);
      left = more;
    }
    left -= needed;
  }
  constexpr void expect(int equations) {
    left = equations;
    values.reserve(values.n + left), pending.reserve(pending.n + left), constants.reserve(constants.n + left);
    refs.reserve(refs.n + few * left), params.reserve(params.n + few * left);
  }

  // --- Values ---

  constexpr int intern(aval const& a) {
    for (int i = avals.n - 1; i >= 0; --i)
      if (avals.at[i] == a) return i;
    return avals.push(a);
  }
  constexpr aval const& type(int v) const { return avals.at[values.at[v].type]; }
  constexpr bool is_constant(int v) const { return values.at[v].constant >= 0; }
  constexpr bool is_literal(int v) const { return values.at[v].constant >= 0 && type(v).rank == 0; }
  constexpr std::uint64_t bits(int v, std::ptrdiff_t i = 0) const { return constants.at[values.at[v].constant + i]; }

  // A value that is no constant: an input of a block. `type` is an index in the table of avals.
  constexpr int add_value(int type) {
    --left;
    return values.push({type, no_constant});
  }
  constexpr int add_value(aval const& a) { return add_value(intern(a)); }
  constexpr int add_constant(int type, detail::span<std::uint64_t> bits) {
    int const at = constants.n;
    left = bits.count == 1 ? left - 1 : 0;
    constants.make_room(bits.count + 1);
    constants.at[at] = 0;  // an empty constant still needs an offset
    detail::copy_run(constants.at + at, bits.first, bits.count);
    constants.n += bits.empty() ? 1 : bits.count;
    return values.push({type, at});
  }
  constexpr int add_constant(aval const& a, detail::span<std::uint64_t> bits) { return add_constant(intern(a), bits); }
  constexpr int add_literal(dtype t, std::uint64_t bits, bool weak = false) {
    std::uint64_t const patterns[] = {bits, 0};  // complex: imaginary part 0
    return add_constant(aval(t, weak), {patterns, is_complex(t) ? 2 : 1});
  }
  constexpr int add_name(std::string_view s) { return names.push({s.data(), static_cast<int>(s.size())}); }

  // --- Equations; the result is their first result ---

  // One result, whose type is an index in the table of avals; no blocks.
  constexpr int emit_one(prim op, detail::span<int> in, detail::span<int> par, int type) {
    int const first = refs.n;
    if (--left < 0 || in.count > few || par.count > few) reserve_one(in.count, par.count);
    for (int k = 0; k < in.count; ++k) refs.at[first + k] = in.first[k];
    refs.n = first + in.count;
    return append(op, first, in.count, par.first, par.count, type);
  }
  constexpr int emit_one(prim op, detail::span<int> in, detail::span<int> par, aval const& out) {
    return emit_one(op, in, par, intern(out));
  }
  // The same, its operands being in the table of references already. There is room for it.
  constexpr int append(prim op, int in, int n_in, int const* par, int n_par, int type) {
    return values.at[values.n] = {type, no_constant},
           pending.at[pending.n++] = {op, in, n_in, values.n, 1, n_par == 0 ? 0 : put(par, n_par), n_par, 0, 0}, values.n++;
  }

  constexpr int emit(prim op, detail::span<int> in, detail::span<int> par, detail::span<aval> out, detail::span<int> sub = {}) {
    if (out.count == 1 && sub.count == 0) return emit_one(op, in, par, intern(*out.first));
    int const first = values.n;
    for (aval const& a : out) add_value(intern(a));
    add_equation(op, in, par, first, out.count, sub);
    return first;
  }
  // The types of the results are indices in the table of avals.
  constexpr int record(prim op, detail::span<int> in, detail::span<int> par, detail::span<int> types, detail::span<int> sub = {}) {
    if (types.count == 1 && sub.count == 0) return emit_one(op, in, par, *types.first);
    int const first = values.n;
    values.make_room(types.count);
    for (int t : types) values.at[values.n++] = {t, no_constant};
    add_equation(op, in, par, first, types.count, sub);
    return first;
  }
  // One result: the one that the primitive infers. how: infer (primitives/infer.hpp).
  constexpr int emit(infer_function how, prim op, detail::span<int> in, detail::span<int> par) {
    aval out;
    if (!infer_results(how, op, in, par, {}, 1, &out)) detail::a_rule_writes_an_ill_typed_equation();
    return emit_one(op, in, par, intern(out));
  }
  // What the primitive infers for n results. Returns false if the equation is ill-typed. Records nothing.
  constexpr bool infer_results(infer_function how, prim op, detail::span<int> in, detail::span<int> par, detail::span<int> sub, int n,
                               aval* out) {
    int const before = left;
    eqn const e{op, add_refs(in), in.count, 0, n, add_params(par), par.count, add_refs(sub), sub.count};
    bool const good = how({ref(), e}, out);
    refs.n = e.in, params.n = e.par, left = before;
    return good;
  }
  // An equation whose n results, `first` and those after it, are values already.
  constexpr void add_equation(prim op, detail::span<int> in, detail::span<int> par, int first, int n, detail::span<int> sub) {
    left = 0, refs.make_room(in.count + sub.count), params.make_room(par.count);
    pending.push({op, refs.n, in.count, first, n, params.n, par.count, refs.n + in.count, sub.count});
    detail::copy_run(refs.at + refs.n, in.first, in.count), detail::copy_run(refs.at + refs.n + in.count, sub.first, sub.count);
    refs.n += in.count + sub.count, put(par.first, par.count);
  }
  // Parameter 0 of the last equation becomes a name.
  constexpr void rename_last(std::string_view text) {
    int const at = pending.back().par;
    name_params.push(at);
    params.at[at] = add_name(text);
  }

  constexpr int add_refs(detail::span<int> s) {
    left = 0, refs.make_room(s.count);
    detail::copy_run(refs.at + refs.n, s.first, s.count);
    return (refs.n += s.count) - s.count;
  }
  constexpr int add_params(detail::span<int> s) {
    left = 0, params.make_room(s.count);
    return put(s.first, s.count);
  }

  // --- Blocks ---

  // Blocks are built from the inside out: open, record equations (after closing their blocks), close. Open the main block first.
  constexpr void open() { open_.push(pending.n); }
  // The first equation of the innermost open block.
  constexpr int first() const { return open_.back(); }
  // Closes the innermost open block and returns its index.
  constexpr int close(detail::span<int> in, detail::span<int> out) {
    int const begin = open_.back();
    open_.pop();
    return close_from(begin, in, out);
  }
  // The pending equations from `begin` on as a block.
  constexpr int close_from(int begin, detail::span<int> in, detail::span<int> out) {
    int const n = pending.n - begin, at = eqns.n;
    if (begin == 0 && at == 0) {  // the pending equations become the table
      eqn* const room_for_more = eqns.at;
      int const room = eqns.room;
      eqns.at = pending.at, eqns.n = pending.n, eqns.room = pending.room;
      pending.at = room_for_more, pending.n = 0, pending.room = room;
    } else {
      eqns.make_room(n);
      detail::copy_run(eqns.at + at, pending.at + begin, n);
      eqns.n += n, pending.n = begin;
    }
    return add_block(in, out, at);
  }
  // The same where the equations are in their table already, from `begin` on.
  constexpr int close_written(int begin, detail::span<int> out) {
    open_.pop();
    return add_block({}, out, begin);
  }
  // Gives a closed block other inputs or outputs.
  constexpr void set_inputs(int id, detail::span<int> in) { blocks.at[id].in = add_refs(in), blocks.at[id].n_in = in.count; }
  constexpr void set_outputs(int id, detail::span<int> out) { blocks.at[id].out = add_refs(out), blocks.at[id].n_out = out.count; }

  // --- The program ---

  // So far, without the equations of open blocks.
  constexpr program_ref ref() const {
    return {values.at,    eqns.at,  blocks.at, refs.at,  params.at, avals.at,    constants.at, names.at,
            {values.n, eqns.n, blocks.n, refs.n, params.n, avals.n, constants.n, names.n}};
  }
  constexpr program finish() {
    program p;
    p.values = std::move(values), p.eqns = std::move(eqns), p.blocks = std::move(blocks), p.refs = std::move(refs);
    p.params = std::move(params), p.avals = std::move(avals), p.constants = std::move(constants), p.names = std::move(names);
    p.wrong = wrong;
    return p;
  }

 private:
  constexpr int count_room() const {
    int room = values.room - values.n;
    if (int const n = pending.room - pending.n; n < room) room = n;
    if (int const n = constants.room - constants.n; n < room) room = n;
    if (int const n = (refs.room - refs.n) / few; n < room) room = n;
    if (int const n = (params.room - params.n) / few; n < room) room = n;
    return room;
  }
  // There is room for them.
  constexpr int put(int const* par, int n) {
    detail::copy_run(params.at + params.n, par, n);
    return (params.n += n) - n;
  }
  constexpr void reserve_one(int n_in, int n_par) {
    if (left < 0) refill(1);
    if (n_in > few) refs.make_room(n_in), left = 0;
    if (n_par > few) params.make_room(n_par), left = 0;
  }
  constexpr int add_block(detail::span<int> in, detail::span<int> out, int begin) {
    int const first_in = add_refs(in), first_out = add_refs(out);
    return blocks.push({first_in, in.count, first_out, out.count, begin, eqns.n - begin});
  }

  detail::arena<int> open_;
};

}  // namespace exprax
