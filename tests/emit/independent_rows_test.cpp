// SPDX-License-Identifier: BSL-1.0
// Loops over arrays whose rows never meet run in lanes, as the vmap of one row does: the same plan, the same bits. Rows that meet, and what
// lanes do not serve, stay as they are.
#include <emit/agree.hpp>

namespace ex = exprax;
template <int... D>
using f32 = ex::expr<float, D...>;
template <int... D>
using f64 = ex::expr<double, D...>;

namespace {

// --- Programs, and the vmap that they are

constexpr auto step = [](auto v, auto p) {
  return v + 0.01 * ex::stack(ex::tuple(p(0) * (v(1) - v(0)), v(0) * (p(1) - v(2)) - v(1), v(0) * v(1) - p(2) * v(2)));
};
constexpr auto orbit = [](auto v, auto p) {
  auto const last = ex::fori_loop(0, 20, [p](auto, auto w) { return step(w, p); }, v);
  return ex::sum(last * last);
};
constexpr auto orbits = [](auto v, auto p) { return ex::sum(ex::vmap([p](auto row) { return orbit(row, p); })(v)); };
constexpr auto grad_of_vmap = [](auto v, auto p) { return ex::grad(orbits)(v, p); };
constexpr auto vmap_of_grad = [](auto v, auto p) { return ex::vmap([p](auto row) { return ex::grad(orbit)(row, p); })(v); };

constexpr auto logistic = [](auto x, auto r) { return ex::fori_loop(0, 30, [r](auto, auto y) { return r * y * (1 - y); }, x); };
constexpr auto on_elements = [](auto x, auto r) { return logistic(x, r); };
constexpr auto vmap_of_logistic = [](auto x, auto r) { return ex::vmap(logistic, ex::in_axes<0, ex::none>)(x, r); };

// A filter with a matrix that all rows share, outputs of each turn, the turns backwards.
constexpr auto filter = [](auto x, auto w, auto u) {
  auto const turn = [w](auto c, auto row) {
    auto const next = ex::tanh(ex::dot(c, w) + ex::expand_dims(row, ex::axis<-1>));
    return ex::tuple(next, ex::sum(next, ex::axis<-1>) * row);
  };
  return ex::scan(turn, x, u, ex::reverse);
};
constexpr auto vmap_of_filter = [](auto x, auto w, auto u) {
  return ex::vmap(filter, ex::in_axes<0, ex::none, 1>, ex::out_axes<0, 1>)(x, w, u);
};
// Movements in each row, a running sum, a maximum; the rows are columns for a while. A loop in the loop.
constexpr auto moves = [](auto x) {
  auto const turn = [](auto, auto v) {
    auto const rolled = ex::concatenate(ex::tuple(v(ex::all, ex::slice<1, ex::none>), v(ex::all, ex::slice<0, 1>)), ex::axis<1>);
    auto const padded = ex::pad<0, 0, 1, 0>(v(ex::all, ex::slice<0, 2>), ex::constant_values(0.5f));
    auto const sums = ex::cumsum(ex::flip(rolled, ex::axis<1>) + padded, ex::axis<1>);
    auto const largest = ex::max(sums, ex::axis<1>);
    auto const columns = 0.25f * ex::transpose(sums) / (1 + ex::abs(largest));
    return ex::fori_loop(0, 3, [](auto, auto w) { return w * 0.5f + ex::sin(w); }, ex::transpose(columns));
  };
  return ex::fori_loop(0, 5, turn, x);
};

// --- Rows that meet

constexpr auto neighbours = [](auto x) {
  return ex::fori_loop(0, 5, [](auto, auto v) { return 0.5f * (v + ex::flip(v, ex::axis<0>)); }, x);
};
constexpr auto with_mean = [](auto x) { return ex::fori_loop(0, 5, [](auto, auto v) { return v - ex::mean(v, ex::axis<0>); }, x); };
constexpr auto products = [](auto x) { return ex::fori_loop(0, 5, [](auto, auto v) { return 0.1f * ex::dot(v, v); }, x); };

// --- Rows that meet beside rows that do not: a second loop

// The parameter is one for all rows: its cotangent is a sum over them.
constexpr auto gradients = [](auto v, auto p) { return ex::grad(orbits, ex::argnums<0, 1>)(v, p); };
// A sum over all rows, a count, an extremum of each turn; what they read is stacked.
constexpr auto sums = [](auto x, auto u) {
  auto const turn = [](auto c, auto row) {
    auto const [v, total, n] = c;
    auto const next = ex::sin(v) * row;
    return ex::tuple(ex::tuple(next, total + ex::sum(next * v) * n, n + 1), ex::tuple(ex::max(next), next));
  };
  return ex::scan(turn, ex::tuple(x, 0.0f, 1), u);
};
// The sum is read by the rows: they do meet.
constexpr auto coupled = [](auto x, auto u) {
  auto const turn = [](auto c, auto row) {
    auto const [v, total] = c;
    auto const next = ex::sin(v) * row + 0.01f * total;
    return ex::tuple(ex::tuple(next, total + ex::sum(next)), next);
  };
  return ex::scan(turn, ex::tuple(x, 0.0f), u);
};

// What is printed in each turn is printed once.
constexpr auto prints = [](auto x, auto u) {
  auto const turn = [](auto v, auto row) {
    auto const next = ex::sin(v) * row;
    ex::debug_print("sum {}", ex::sum(next));
    return ex::tuple(next, ex::sum(next));
  };
  return ex::scan(turn, x, u);
};

template <class... Args, class F>
constexpr ex::program_ref compiled(F) {
  return ex::detail::compiled<ex::detail::traced<F, Args...>>::ref;
}
constexpr int vmaps_of(ex::program_ref p) { return oracle::count_of(p, ex::prim::vmap); }
static_assert(vmaps_of(compiled<f64<50, 3>, f64<3>>(grad_of_vmap)) == 1);
static_assert(vmaps_of(compiled<f32<1000>, f32<>>(on_elements)) == 1);
static_assert(vmaps_of(compiled<f32<33, 4>, f32<4, 4>, f32<7, 33>>(filter)) == 1);
static_assert(vmaps_of(compiled<f32<33, 3>>(moves)) == 1);
static_assert(vmaps_of(compiled<f32<8, 8>>(neighbours)) == 0 && vmaps_of(compiled<f32<8, 8>>(with_mean)) == 0);
static_assert(vmaps_of(compiled<f32<8, 8>>(products)) == 0 && vmaps_of(compiled<f32<33>, f32<7, 33>>(coupled)) == 0);
static_assert(vmaps_of(compiled<f32<33>, f32<7, 33>>(prints)) == 0);
static_assert(vmaps_of(compiled<f64<50, 3>, f64<3>>(gradients)) == 1 && vmaps_of(compiled<f32<33>, f32<7, 33>>(sums)) == 1);
// Few rows, few elements, and rows that are long are served better by loops over arrays.
static_assert(vmaps_of(compiled<f32<3, 3>>(moves)) == 0 && vmaps_of(compiled<f32<16>, f32<>>(on_elements)) == 0);
static_assert(vmaps_of(compiled<f32<8, 1000>, f32<>>(on_elements)) == 0);

// The same plan, but for the function's name.
constexpr bool are_equal_plans(std::string_view a, std::string_view b) { return a.substr(a.find(':')) == b.substr(b.find(':')); }
static_assert(are_equal_plans(ex::lower<grad_of_vmap>()(ex::f64<50, 3>, ex::f64<3>).as_text("plan").str(),
                              ex::lower<vmap_of_grad>()(ex::f64<50, 3>, ex::f64<3>).as_text("plan").str()));
static_assert(are_equal_plans(ex::lower<on_elements>()(ex::f32<203>, ex::f32<>).as_text("plan").str(),
                              ex::lower<vmap_of_logistic>()(ex::f32<203>, ex::f32<>).as_text("plan").str()));
static_assert(are_equal_plans(ex::lower<filter>()(ex::f32<33, 4>, ex::f32<4, 4>, ex::f32<7, 33>).as_text("plan").str(),
                              ex::lower<vmap_of_filter>()(ex::f32<33, 4>, ex::f32<4, 4>, ex::f32<7, 33>).as_text("plan").str()));

// Emitted code and the reference interpreter, on the program that runs; and that program and the one that stays on arrays.
template <class... Args, class F>
bool agrees(F) {
  using traced = ex::detail::traced<F, Args...>;
  using runs = ex::detail::compiled<traced>;
  using arrays = ex::frozen<emit_test::optimized_source<traced>>;
  if (emit_test::differences<runs>(3) != 0) return false;
  std::vector<std::vector<std::uint64_t>> in;
  std::uint32_t state = 17;
  for (int v : arrays::ref.ins(arrays::ref.main())) {
    in.emplace_back();
    for (std::ptrdiff_t i = 0; i < arrays::ref.type(v).size(); ++i)
      in.back().push_back(arrays::ref.type(v).type == ex::dtype::f32 ? ex::detail::to_bits(emit_test::element<float>(state))
                                                                     : ex::detail::to_bits(emit_test::element<double>(state)));
  }
  ex::detail::arena<std::uint64_t const*> pointers;
  for (auto const& x : in) pointers.push(x.data());
  auto const a = oracle::interpret(runs::ref, pointers), b = oracle::interpret(arrays::ref, pointers);
  for (int k = 0; k < a.size(); ++k)
    for (int i = 0; i < a[k].size(); ++i)
      if (a[k][i] != b[k][i]) return false;
  return true;
}

}  // namespace

TEST_CASE("the gradient of a vmap, and loops that are written on arrays") {
  CHECK(agrees<f64<50, 3>, f64<3>>(grad_of_vmap));
  CHECK(agrees<f32<203>, f32<>>(on_elements));
  CHECK(agrees<f32<33, 4>, f32<4, 4>, f32<7, 33>>(filter));
  CHECK(agrees<f32<33, 3>>(moves));
}
TEST_CASE("rows that meet") {
  CHECK(agrees<f32<8, 8>>(neighbours));
  CHECK(agrees<f32<8, 8>>(with_mean));
  CHECK(agrees<f32<33>, f32<7, 33>>(coupled));
}
TEST_CASE("sums over all rows beside the rows") {
  CHECK(agrees<f64<50, 3>, f64<3>>(gradients));
  CHECK(agrees<f32<33>, f32<7, 33>>(sums));
}
