// SPDX-License-Identifier: BSL-1.0
// The batching rules of the collectives against what the collectives mean, written as plain loops: batched over the axis that they
// name and over another one, in either order, the axes standing anywhere in the operand or nowhere.
#include <doctest/doctest.h>

#include <transforms/laws.hpp>

#include <exprax/primitives/infer.hpp>

namespace {

using namespace exprax;
using laws::elements;

constexpr int named = 2, other = 3;  // the sizes of the two axes

// One equation on an i32 operand, as a program.
program program_of(prim op, aval const& type, std::vector<int> const& par) {
  program_builder p;
  int const x = p.add_value(type);
  p.open();
  int const y = p.emit(infer<equation_ref>, op, {&x, 1}, {par.data(), static_cast<int>(par.size())});
  p.close({&x, 1}, {&y, 1});
  return p.finish();
}

// Rows: for each index along the named axis the operand, or the result.
using rows = std::vector<elements>;
elements joined(rows const& parts, aval const& part, int axis) {
  std::ptrdiff_t inner = 1, outer = 1;
  for (int i = axis; i < part.rank; ++i) inner *= part.dims[i];
  for (int i = 0; i < axis; ++i) outer *= part.dims[i];
  elements all;
  for (std::ptrdiff_t o = 0; o < outer; ++o)
    for (elements const& p : parts)
      for (std::ptrdiff_t k = 0; k < inner; ++k) all.push_back(p[static_cast<std::size_t>(o * inner + k)]);
  return all;
}
elements piece(elements const& all, aval const& t, int axis, int number, int pieces) {
  rows slices;
  aval one = t;
  one.dims[axis] = 1;
  int const n = t.dims[axis] / pieces;
  for (int i = number * n; i < (number + 1) * n; ++i) slices.push_back(laws::row(all, t, axis, i));
  return joined(slices, one, axis);
}
rows meaning(prim op, std::vector<int> const& par, aval const& t, rows const& x) {
  rows out;
  for (int i = 0; i < named; ++i) {
    auto const n = static_cast<std::size_t>(i);
    if (op == prim::ppermute) {
      out.push_back(x[static_cast<std::size_t>(par[1 + n])]);
    } else if (op == prim::all_gather) {
      aval part = t;
      if (par[2] == 0) part = t.with_axis(par[0], 1);
      out.push_back(joined(x, part, par[0]));
    } else if (op == prim::all_to_all) {
      rows pieces;
      for (elements const& e : x) pieces.push_back(piece(e, t, par[0], i, named));
      aval part = t;
      part.dims[par[0]] /= named;
      out.push_back(joined(pieces, part, par[1]));
    } else {
      elements total = x[0];
      for (std::size_t k = 0; k < total.size(); ++k) {
        auto const a = static_cast<std::int32_t>(x[0][k]), b = static_cast<std::int32_t>(x[1][k]);
        total[k] = detail::to_bits(op == prim::psum ? a + b : op == prim::pmax ? (a > b ? a : b) : (a < b ? a : b));
      }
      out.push_back(total);
    }
  }
  return out;
}

// Where the first axis stands in the operand, and then the second one.
bool holds(prim op, std::vector<int> const& par, aval const& type, bool named_first, batch_axis first, batch_axis second, laws::generator& g) {
  detail::arena<int> name;
  detail::push_axis_name(name, "i");
  program const p = program_of(op, type, par);
  int const sizes[] = {named_first ? named : other, named_first ? other : named};
  wanted_axis const front = 0;
  program const q = batch(p.ref(), {&first, 1}, sizes[0], {&front, 1}, nullptr, named_first ? detail::span<int>(name) : detail::span<int>());
  program const r = batch(q.ref(), {&second, 1}, sizes[1], {&front, 1}, nullptr, named_first ? detail::span<int>() : detail::span<int>(name));
  if (!oracle::is_well_formed(q.ref()) || !oracle::is_well_formed(r.ref())) return false;

  aval const once = first.is_mapped() ? type.with_axis(first.position(), sizes[0]) : type,
             twice = second.is_mapped() ? once.with_axis(second.position(), sizes[1]) : once;
  elements const in = g.fill(twice), out = laws::run(r.ref(), {in})[0];
  aval const result = p.ref().type(p.values.size() - 1);
  aval const all = result.with_axis(0, sizes[0]).with_axis(0, sizes[1]);
  auto const row_of = [&](int a, int b) {
    elements const e = second.is_mapped() ? laws::row(in, twice, second.position(), b) : in;
    return first.is_mapped() ? laws::row(e, once, first.position(), a) : e;
  };
  for (int j = 0; j < other; ++j) {
    rows x;
    for (int i = 0; i < named; ++i) x.push_back(named_first ? row_of(i, j) : row_of(j, i));
    rows const expected = meaning(op, par, type, x);
    for (int i = 0; i < named; ++i) {
      elements const outer = laws::row(out, all, 0, named_first ? j : i);
      if (laws::row(outer, result.with_axis(0, sizes[0]), 0, named_first ? i : j) != expected[static_cast<std::size_t>(i)]) return false;
    }
  }
  return true;
}
void check_everywhere(prim op, std::vector<int> const& par, aval const& type) {
  laws::generator g(7);
  for (bool named_first : {false, true})
    for (int first = -1; first <= type.rank; ++first)
      for (int second = -1; second <= type.rank + (first >= 0); ++second) {
        CAPTURE(named_first);
        CAPTURE(first);
        CAPTURE(second);
        CHECK(holds(op, par, type, named_first, first, second, g));
      }
}

}  // namespace

TEST_CASE("sums") {
  for (prim op : {prim::psum, prim::pmax, prim::pmin}) check_everywhere(op, {-1, 'i'}, aval(dtype::i32, {3, 4}));
}
TEST_CASE("gathers and exchanges") {
  aval const type(dtype::i32, {4, 6});
  for (int axis : {0, 1, 2}) check_everywhere(prim::all_gather, {axis, named, 0, -1, 'i'}, type);
  for (int axis : {0, 1}) check_everywhere(prim::all_gather, {axis, named, 1, -1, 'i'}, type);
  for (int split : {0, 1})
    for (int concat : {0, 1}) check_everywhere(prim::all_to_all, {split, concat, named, 1, -1, 'i'}, type);
  check_everywhere(prim::ppermute, {named, 1, 0, -1, 'i'}, type);
}
