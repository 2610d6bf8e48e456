// SPDX-License-Identifier: BSL-1.0
// Random programs, built directly as data. Everything is constexpr, so that a program is also a source for templates. A seed and weights
// give the same program with every compiler. Inputs and results are numbers that are computed in, since these are compared bit by bit. The
// bits of a NaN are not anyone's: where they would show, there is none.
#pragma once

#include <random/blocks.hpp>

namespace random_programs {

class generator : blocks {
 public:
  constexpr generator(std::uint32_t seed, mixture const& w) : blocks(seed, w) {}

  constexpr program run(int n) {
    p_.open();
    arena<int> in, out;
    bool const few = w_.values == domain::few;
    int const depth = w_.dives ? 1 + rng_.below(w_.depth) : w_.depth;
    if (few)
      for (aval const& t : {aval(dtype::f32), aval(dtype::f32, {3}), aval(dtype::f32, {2, 3}), aval(dtype::i32), aval(dtype::i32, {3}),
                            aval(dtype::b1)})
        in.push(p_.add_value(t));
    else if (w_.values == domain::smooth)
      for (aval const& t : {aval(dtype::f64), aval(dtype::f64, {3}), aval(dtype::f64, {2, 3}), aval(dtype::i32), aval(dtype::i32, {3})})
        in.push(p_.add_value(t));
    else in.push(p_.add_value(shape(main_type())));
    if (w_.values == domain::all) in.push(p_.add_value(shape(dtype::i32)));
    for (int k = few ? 0 : 1 + rng_.below(3); k > 0; --k) in.push(p_.add_value(shape(input_type())));
    int large[2] = {-1, -1};
    if (rng_.chance(w_.mapped)) {
      int const rows[] = {1, 5, 8, 17, 33, 37, 70, 131};
      int const size = rows[rng_.below(8)];
      for (int k = 0; k < 2; ++k) {
        aval t(rng_.chance(50) ? k == 0 ? dtype::f32 : dtype::i32 : input_type());
        for (int i = rng_.below(3); i > 0; --i) t.dims[t.rank++] = 1 + rng_.below(4);
        in.push(large[k] = p_.add_value(t.with_axis(rng_.below(t.rank + 1), size)));
      }
    }
    scope_ = in;
    bool const mapped = large[0] >= 0;
    equations(mapped ? n / 2 : n, depth, w_.dives);
    if (mapped) {
      int const before = scope_.size();
      for (int tries = 0; tries < 5 && scope_.size() == before; ++tries) vmap(2, true, large[0], large[1]);
      equations(n - n / 2 - 1, depth, false);
    }
    int const results = 1 + rng_.below(3);
    for (int k = 0; k < results; ++k) {
      int const last = scope_.size() - 1 - rng_.below(scope_.size() < 3 ? scope_.size() : 3), other = any();
      int v = other;
      if (rng_.chance(w_.connected)) v = mixed(few || w_.values == domain::smooth ? shape(input_type()) : type(scope_[last]));
      else if (k == 0 || rng_.chance(60)) v = scope_[last];
      out.push(visible(v));
    }
    if (w_.values == domain::some && rng_.chance(5)) out.push(literal(dtype::f64));
    p_.close(in, out);
    return p_.finish();
  }
};

constexpr program random_program(std::uint32_t seed, mixture const& w, int equations) { return generator(seed, w).run(equations); }
// As many equations as programs with these weights should have.
constexpr program random_program(std::uint32_t seed, mixture const& w) {
  int const of_flat = 8 + static_cast<int>(seed % 3u) * 10, of_nested = 3 + static_cast<int>(seed % 4u);
  return random_program(seed, w, w.dives ? of_nested : w.values == domain::all ? 7 : of_flat);
}

}  // namespace random_programs
