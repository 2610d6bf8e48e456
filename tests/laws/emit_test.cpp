// SPDX-License-Identifier: BSL-1.0
// For every primitive: its row has it, the emitted code is the interpreter bit for bit, the checker accepts the trace and
// what the passes make of it, and batching it along any choice of axes gives the program on each slice.
#include <sstream>

#include <laws/rows.hpp>

namespace laws {
namespace {

template <prim P, class Entry>
struct emit_law {
  // fma is made by a pass.
  static_assert(contains(Entry::traced::ref, P) || (P == prim::fma && contains(detail::compiled<typename Entry::traced>::ref, P)),
                "the function of this row does not use the primitive");

  static void check() { holds_for(subject_of<typename Entry::traced>(), P); }

 private:
  static void holds_for(subject const& s, prim op) {
    CHECK(exprax::check(s.traced));
    CHECK(exprax::check(s.compiled));
    for (std::uint32_t seed = 1; seed <= 4; ++seed) {
      auto const in = inputs_of(s.compiled, seed, seed % 2 == 0);
      CAPTURE(seed);
      auto const expected = s.interpreted(in);
      CHECK(same(s.compiled, s.run(in), expected));
      // Contraction alone may change bits.
      if (!contains(s.compiled, prim::fma)) CHECK(same(s.compiled, laws::run(s.traced, in), expected));
    }
    static_cast<void>(op);
  }
};

}  // namespace

TEST_CASE("emitted code is the interpreter: elementwise, one operand") { check_rows<emit_law, prim::neg, prim::convert_element_type>(); }
TEST_CASE("emitted code is the interpreter: elementwise, two and three operands") { check_rows<emit_law, prim::add, prim::fma>(); }
TEST_CASE("emitted code is the interpreter: movement") { check_rows<emit_law, prim::broadcast_in_dim, prim::scatter_max>(); }
TEST_CASE("emitted code is the interpreter: reductions and control") { check_rows<emit_law, prim::reduce_sum, prim::jit>(); }

}  // namespace laws
