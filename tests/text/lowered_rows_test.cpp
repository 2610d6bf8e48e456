// SPDX-License-Identifier: BSL-1.0
// Every row of the table of primitives, lowered, as it is and batched along every choice of axes: the texts are well formed,
// their types are those of the specification, and the meaning stays.
#include <vector>

#include <laws/table.hpp>
#include <transforms/laws.hpp>

#include "lowered.hpp"

namespace {

namespace ex = exprax;
using ex::prim;

void check_batched(ex::program_ref p) {
  std::vector<ex::batch_axis> axes(static_cast<std::size_t>(p.main().n_in));
  std::vector<ex::wanted_axis> const want(static_cast<std::size_t>(p.main().n_out), 0);
  while (laws::next_choice(axes, p)) {
    ex::program const q = ex::batch(p, {axes.data(), p.main().n_in}, 3, {want.data(), p.main().n_out});
    lowered::check_texts(q.ref());
    lowered::check_meaning(q.ref());
    ex::program const r = ex::batch(q.ref(), {axes.data(), p.main().n_in}, 2, {want.data(), p.main().n_out});
    lowered::check_texts(r.ref());
  }
}
void check_program(ex::program_ref p) {
  lowered::check_all(p);
  check_batched(p);
}
template <prim P, class... On>
void check_row(laws::table::entries<On...>) {
  INFO("primitive: ", std::string(ex::primitive<P>::name));
  (check_program(On::traced::ref), ...);
}
template <prim First, prim Last>
void check_rows() {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (check_row<static_cast<prim>(static_cast<int>(First) + I)>(laws::table::row<static_cast<prim>(static_cast<int>(First) + I)>{}), ...);
  }(std::make_integer_sequence<int, static_cast<int>(Last) - static_cast<int>(First) + 1>{});
}

}  // namespace

TEST_CASE("lowered: elementwise") {
  // But real, imag, conj and complex: complex numbers are not in the numbers that the machine of these tests computes with.
  check_rows<prim::neg, prim::encode_bfloat16>();
  check_rows<prim::add, prim::nextafter>();
  check_rows<prim::max, prim::at_most>();
}
TEST_CASE("lowered: movement and updates") { check_rows<prim::broadcast_in_dim, prim::update_slice_max>(); }
TEST_CASE("lowered: reductions and contractions") { check_rows<prim::reduce_sum, prim::conv_general_dilated>(); }
TEST_CASE("lowered: parts and copies") { check_rows<prim::split, prim::custom_vjp_call>(); }
// Not as the trace shows it, but the equation itself.
TEST_CASE("lowered: places") {
  constexpr auto check_row = []<class... On>(laws::table::entries<On...>) { (check_program(ex::expand_composites(On::traced::recorded).ref()), ...); };
  check_row(laws::table::row<prim::nonzero>{});
}
TEST_CASE("lowered: running reductions") { check_rows<prim::cumsum, prim::cumlogsumexp>(); }
TEST_CASE("lowered: control") { check_rows<prim::cond, prim::scan>(); }
TEST_CASE("lowered: checkpoint, jit") { check_rows<prim::checkpoint, prim::jit>(); }
