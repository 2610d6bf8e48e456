// SPDX-License-Identifier: BSL-1.0
// The law of batch for one program: row i of the results is the program on row i of the inputs, bit for bit, for every choice
// of axes, and the batched program passes the checker.
#pragma once

#include <exprax/transforms/batch.hpp>
#include "oracle.hpp"

#include <vector>

namespace laws {

using namespace exprax;
using elements = std::vector<std::uint64_t>;

class generator {
 public:
  explicit generator(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return state_ >> 33;
  }
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  // Small integers, floats of either sign with fractions.
  elements fill(aval const& t) {
    elements e(static_cast<std::size_t>(t.size()));
    for (auto& x : e) {
      if (is_bool(t.type)) x = next() & 1u;
      else if (t.type == dtype::f32) x = detail::to_bits(static_cast<float>(below(20001) - 10000) / 1237.0f);
      else if (t.type == dtype::f64) x = detail::to_bits(static_cast<double>(below(20001) - 10000) / 1237.0);
      else if (is_signed_integer(t.type)) x = detail::to_bits(below(13) - 4);
      else x = detail::to_bits(static_cast<unsigned>(below(9)));
    }
    return e;
  }

 private:
  std::uint64_t state_;
};

// Row i along an axis.
inline elements row(elements const& all, aval const& t, int axis, int i) {
  strides const of(t);
  elements out;
  for (std::ptrdiff_t k = 0; k < t.size(); ++k)
    if (k / of[axis] % t.dims[axis] == i) out.push_back(all[static_cast<std::size_t>(k)]);
  return out;
}

inline std::vector<elements> run(program_ref p, std::vector<elements> const& in) {
  std::vector<std::uint64_t const*> pointers;
  for (auto const& e : in) pointers.push_back(e.data());
  std::vector<elements> out;
  for (auto const& r : oracle::interpret(p, {pointers.data(), static_cast<int>(pointers.size())})) out.emplace_back(r.begin(), r.end());
  return out;
}

// The batched program against the program on each row; false where they differ.
inline bool batch_law_for(program_ref p, std::vector<batch_axis> const& dims, int size, generator& g) {
  struct block const& b = p.main();
  std::vector<batch_axis> axes(static_cast<std::size_t>(b.n_out));
  std::vector<wanted_axis> const want(axes.size());
  program const q = oracle::batch(p, {dims.data(), b.n_in}, size, {want.data(), b.n_out}, axes.data());
  if (!oracle::is_well_formed(q.ref())) return false;
  std::vector<elements> in;
  for (int k = 0; k < b.n_in; ++k) in.push_back(g.fill(q.ref().type(q.ref().ins(q.ref().main())[k])));
  auto const out = run(q.ref(), in);
  for (int i = 0; i < size; ++i) {
    std::vector<elements> one;
    for (int k = 0; k < b.n_in; ++k) {
      auto const n = static_cast<std::size_t>(k);
      one.push_back(dims[n].is_mapped() ? row(in[n], q.ref().type(q.ref().ins(q.ref().main())[k]), dims[n].position(), i) : in[n]);
    }
    auto const expected = run(p, one);
    for (int k = 0; k < b.n_out; ++k) {
      auto const n = static_cast<std::size_t>(k);
      aval const& t = q.ref().type(q.ref().outs(q.ref().main())[k]);
      if ((axes[n].is_mapped() ? row(out[n], t, axes[n].position(), i) : out[n]) != expected[n]) return false;
    }
  }
  return true;
}

// The choice of axes for the inputs of p after this one: none of them mapped, then the first one at axis 0, ...; false after the last one.
inline bool next_choice(std::vector<batch_axis>& dims, program_ref p) {
  for (int k = 0; k < p.main().n_in; ++k) {
    batch_axis& d = dims[static_cast<std::size_t>(k)];
    int const next = d.is_mapped() ? d.position() + 1 : 0;
    d = next <= p.type(p.ins(p.main())[k]).rank ? batch_axis(next) : not_mapped;
    if (d.is_mapped()) return true;
  }
  return false;
}

// Every choice of axes for all inputs, a batch of 1 and one of 3.
inline bool batch_law(program_ref p, generator& g) {
  std::vector<batch_axis> dims(static_cast<std::size_t>(p.main().n_in));
  while (next_choice(dims, p))
    for (int size : {1, 3})
      if (!batch_law_for(p, dims, size, g)) return false;
  return true;
}

}  // namespace laws
