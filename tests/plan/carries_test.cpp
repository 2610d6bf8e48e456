// SPDX-License-Identifier: BSL-1.0
// Loops whose carries are too large for registers: which are updated in place, and which change their buffers. Emitted code, the plan
// interpreter and the reference interpreter give the same bits, for any number of iterations.
#include <emit/agree.hpp>

namespace ex = exprax;
template <int... D>
using f32 = ex::expr<float, D...>;
template <int... D>
using f64 = ex::expr<double, D...>;
template <int... D>
using i32 = ex::expr<int, D...>;
using ex::carry_mode;

namespace {

// --- Programs: one step, and loops that repeat it

constexpr auto inner = [](auto u) { return u(ex::slice<1, -1>, ex::slice<1, -1>); };
constexpr auto neighbours = [](auto u) {
  return u(ex::slice<0, -2>, ex::slice<1, -1>) + u(ex::slice<2, ex::none>, ex::slice<1, -1>) + u(ex::slice<1, -1>, ex::slice<0, -2>) +
         u(ex::slice<1, -1>, ex::slice<2, ex::none>);
};
constexpr auto heat_set = [](auto u) { return u.at(ex::slice<1, -1>, ex::slice<1, -1>).set((neighbours(u) + inner(u)) / 4); };
constexpr auto heat_add = [](auto u) { return u.at(ex::slice<1, -1>, ex::slice<1, -1>).add((neighbours(u) - inner(u) * 4) / 8); };
constexpr auto heat_pad = [](auto u) { return u + ex::pad<1>((neighbours(u) - inner(u) * 4) / 8); };
constexpr auto with_borders = [](auto u) {
  auto const v = heat_set(u.at(0).set(1));
  return v.at(-1).set(v(-2)).at(ex::ellipsis, 0).set(2);
};
// Two steps in one: the second reads what the first wrote.
constexpr auto twice = [](auto u) { return heat_set(heat_set(u)); };

template <int N, auto const& Step>
constexpr auto repeat = [](auto u) { return ex::fori_loop(0, N, [](auto, auto v) { return Step(v); }, u); };
template <auto const& Step>
constexpr auto repeat_while = [](auto n, auto u) { return ex::fori_loop(0, n, [](auto, auto v) { return Step(v); }, u); };

// (u, before) -> (new, u); the oldest is read at the index of the write, or elsewhere.
constexpr auto wave = [](auto u, auto before) {
  return u.at(ex::slice<1, -1>, ex::slice<1, -1>).set((neighbours(u) - inner(u)) / 4 - inner(before) / 2);
};
constexpr auto far = [](auto u, auto before) { return ex::roll<1>(before, ex::axis<1>) - u / 2; };
constexpr auto far_of_integers = [](auto u, auto before) { return ex::roll<1>(before, ex::axis<1>) - u; };
template <int N, auto const& Step>
constexpr auto history = [](auto u) {
  return ex::fori_loop(0, N, [](auto, auto s) { return ex::tuple(Step(ex::get<0>(s), ex::get<1>(s)), ex::get<0>(s)); }, ex::tuple(u, u * 2));
};
template <auto const& Step>
constexpr auto history_while = [](auto n, auto u) {
  return ex::fori_loop(0, n, [](auto, auto s) { return ex::tuple(ex::get<1>(s), Step(ex::get<1>(s), ex::get<0>(s))); }, ex::tuple(u * 2, u));
};
template <bool Overwrites>
constexpr auto next_of_three = [](auto s) {
  auto const a = ex::get<0>(s), b = ex::get<1>(s), c = ex::get<2>(s);
  if constexpr (Overwrites) return ex::tuple(ex::roll<1>(a, ex::axis<0>) - b / 2 + c, a, b);
  else return ex::tuple(a / 2 - b + ex::roll<1>(c, ex::axis<0>), a, b);
};
template <int N, bool Overwrites>
constexpr auto three = [](auto u) {
  return ex::fori_loop(0, N, [](auto, auto s) { return next_of_three<Overwrites>(s); }, ex::tuple(u, u * 2, u * 3));
};
template <bool Overwrites>
constexpr auto three_while = [](auto n, auto u) {
  return ex::fori_loop(0, n, [](auto, auto s) { return next_of_three<Overwrites>(s); }, ex::tuple(u, u * 2, u * 3));
};

// --- What the planner makes of them

template <class F, class... Args>
using plan_of = ex::planned<ex::detail::compiled<ex::detail::traced<F, Args...>>>;
template <class... Args, class F>
constexpr ex::plan_sizes sizes_of(F) {
  return plan_of<F, Args...>::sizes;
}
// The modes of all carries, in the order of the table.
template <class... Args, class F, class... Modes>
constexpr bool has_modes(F, Modes... modes) {
  using plan = plan_of<F, Args...>;
  carry_mode const expected[] = {modes...};
  if (plan::sizes.carries != static_cast<int>(sizeof...(Modes))) return false;
  for (int i = 0; i < plan::sizes.carries; ++i)
    if (plan::storage.carries[i].mode != expected[i]) return false;
  return true;
}
constexpr std::ptrdiff_t bytes = 40 * 50 * 4, rounded = (bytes + 63) / 64 * 64;

// One loop with a box for each border, and one spare buffer, however the step is spelled.
template <auto const& Step>
constexpr bool has_two_buffers() {
  constexpr ex::plan_sizes s = sizes_of<f32<40, 50>>(repeat<100, Step>);
  return s.kernels == 2 && s.loops == 1 && s.scans == 1 && s.boxes == 9 && s.scratch == rounded &&
         has_modes<f32<40, 50>>(repeat<100, Step>, carry_mode::swapped);
}
static_assert(has_two_buffers<heat_set>());
static_assert(has_two_buffers<heat_add>());
static_assert(has_two_buffers<heat_pad>());
// Borders that are set before are part of the loop; those that are set later are stored where they are.
static_assert(sizes_of<f32<40, 50>>(repeat<100, with_borders>).scratch <= rounded + 256);
static_assert(has_modes<f32<40, 50>>(repeat<100, with_borders>, carry_mode::swapped));
// Outside of loops too: the second update reads what the first one has made.
static_assert(sizes_of<f32<40, 50>>([](auto x) { return heat_set(heat_set(x)); }).scratch <= rounded);

// What is small, or is not computed from elements of the array, is updated in place.
constexpr auto row = [](auto u) { return u.at(0).set(u(1) * 2); };
constexpr auto elsewhere = [](auto u) { return u.at(ex::slice<1, -1>, ex::slice<1, -1>).set(3); };
static_assert(has_modes<f32<20, 200>>(repeat<100, row>, carry_mode::in_place));
static_assert(has_modes<f32<20, 200>>(repeat<100, elsewhere>, carry_mode::in_place));
static_assert(sizes_of<f32<20, 200>>(repeat<100, row>).scratch < 1024);

// The old value of another carry is not copied. If the oldest one is read where the new one is written, nothing is spare.
static_assert(has_modes<f32<40, 50>>(history<100, wave>, carry_mode::shifted, carry_mode::swapped));
static_assert(sizes_of<f32<40, 50>>(history<100, wave>).scratch == rounded);  // u * 2
static_assert(sizes_of<f32<40, 50>>(history<100, wave>).loops == 2);
static_assert(has_modes<f32<40, 50>>(history<100, far>, carry_mode::shifted, carry_mode::swapped));
static_assert(sizes_of<f32<40, 50>>(three<7, true>).carries == 3 && sizes_of<f32<40, 50>>(three<7, true>).loops == 2);
static_assert(plan_of<decltype(three<7, true>), f32<40, 50>>::storage.carries[2].n_ring == 3);
static_assert(plan_of<decltype(three<7, false>), f32<40, 50>>::storage.carries[2].n_ring == 4);

// Numbers are copied.
static_assert(sizes_of<i32<>, f32<40, 50>>(history_while<wave>).carries == 3);

// A carry that goes to other memory first, and ends in the result, lets the result be the argument.
static_assert(ex::detail::may_share<plan_of<decltype(repeat<100, heat_set>), f32<40, 50>>>(0, 0));
static_assert(!ex::detail::may_share<plan_of<decltype(repeat<99, heat_set>), f32<40, 50>>>(0, 0));
// One that is read where it is written has one buffer, and starts in any.
constexpr auto decay = [](auto u) { return u / 2 + 1; };
static_assert(has_modes<f32<40, 50>>(repeat<99, decay>, carry_mode::swapped) && sizes_of<f32<40, 50>>(repeat<99, decay>).kernels == 2);
static_assert(sizes_of<f32<40, 50>>(repeat<99, decay>).scratch == 0);
static_assert(ex::detail::may_share<plan_of<decltype(repeat<99, decay>), f32<40, 50>>>(0, 0));
static_assert(ex::detail::may_share<plan_of<decltype(repeat_while<decay>), i32<>, f32<40, 50>>>(1, 0));
static_assert(!ex::detail::may_share<plan_of<decltype(repeat_while<heat_set>), i32<>, f32<40, 50>>>(1, 0));
constexpr auto reads_start = [](auto u) { return ex::fori_loop(0, 2, [u](auto, auto v) { return heat_set(v) + u; }, u); };
static_assert(!ex::detail::may_share<plan_of<decltype(reads_start), f32<40, 50>>>(0, 0));

// A carry that is a row of ys, too, is read there: nothing is copied. Also if another carry takes its old value.
template <int N, auto const& Step>
constexpr auto frames = [](auto u) {
  return ex::get<1>(ex::scan([](auto v, auto) { auto const next = Step(v); return ex::tuple(next, next); }, u, ex::tuple(), ex::length<N>));
};
template <int N>
constexpr auto frames_of_waves = [](auto u) {
  return ex::scan([](auto s, auto) {
    auto const next = wave(ex::get<0>(s), ex::get<1>(s));
    return ex::tuple(ex::tuple(next, ex::get<0>(s)), next);
  }, ex::tuple(u, u * 2), ex::tuple(), ex::length<N>);
};
static_assert(has_modes<f32<40, 50>>(frames<10, heat_set>, carry_mode::shifted) && sizes_of<f32<40, 50>>(frames<10, heat_set>).loops == 1);
static_assert(has_modes<f32<40, 50>>(frames_of_waves<10>, carry_mode::shifted, carry_mode::shifted));
static_assert(has_modes<f32<40, 50>>(frames<10, row>, carry_mode::shifted));  // not in place
static_assert(sizes_of<f32<9, 200>>([](auto x) { return ex::cumsum(x, ex::axis<0>); }).loops == 2);  // zeros, and the sums

// --- The bits

// Elements that differ from those of the reference interpreter: of the emitted code, and of the plan for packs of 32 bytes.
template <class... Args, class F>
int differences_of(F f) {
  using program = ex::frozen<emit_test::optimized_source<ex::detail::traced<F, Args...>>>;
  ex::program_ref const p = program::ref;
  ex::detail::arena<std::uint64_t> bits[sizeof...(Args)];
  ex::detail::arena<std::uint64_t const*> in;
  std::uint32_t state = 1;
  for (int k = 0; k < static_cast<int>(sizeof...(Args)); ++k) {
    ex::aval const& t = p.type(p.ins(p.main())[k]);
    for (std::ptrdiff_t i = 0; i < t.size(); ++i)
      ex::detail::with_element(t.type, [&](auto tag) { bits[k].push(ex::detail::to_bits(emit_test::element<typename decltype(tag)::type>(state))); });
    in.push(bits[k].data());
  }
  auto const expected = oracle::interpret(p, in);
  auto const got = oracle::run_plan(oracle::make_plan(p, {.register_bytes = 32}), p, in);
  int bad = got.faults;
  for (int k = 0; k < p.main().n_out; ++k)
    for (int i = 0; i < expected[k].size(); ++i) bad += expected[k][i] != got.results[k][i];
  return bad + emit_test::differences_of<Args...>(f);
}
// For every number of iterations from 0 to 7.
template <class Array, class F>
int differences_of_turns(F) {
  using program = ex::frozen<emit_test::optimized_source<ex::detail::traced<F, i32<>, Array>>>;
  int bad = 0;
  ex::program_ref const p = program::ref;
  ex::plan const made = oracle::make_plan(p, {.register_bytes = 32});
  for (std::uint64_t n = 0; n < 8; ++n) {
    ex::detail::arena<std::uint64_t> bits;
    std::uint32_t state = 3;
    ex::aval const& t = p.type(p.ins(p.main())[1]);
    for (std::ptrdiff_t i = 0; i < t.size(); ++i)
      ex::detail::with_element(t.type, [&](auto tag) { bits.push(ex::detail::to_bits(emit_test::element<typename decltype(tag)::type>(state))); });
    std::uint64_t const* const in[] = {&n, bits.data()};
    auto const expected = oracle::interpret(p, in);
    auto const got = oracle::run_plan(made, p, in);
    bad += got.faults;
    for (int k = 0; k < p.main().n_out; ++k)
      for (int i = 0; i < expected[k].size(); ++i) bad += expected[k][i] != got.results[k][i];
  }
  return bad;
}

template <int R, int C>
using grid = ex::array<float, R, C>;
template <int R, int C>
constexpr grid<R, C> start() {
  grid<R, C> u;
  for (int i = 0; i < R * C; ++i) u.data()[i] = static_cast<float>(i * 7 % 31 - 11);
  return u;
}
template <int R, int C>
constexpr grid<R, C> heat_by_hand(int n) {
  auto u = start<R, C>(), v = u;
  for (int t = 0; t < n; ++t) {
    for (int i = 1; i + 1 < R; ++i)
      for (int j = 1; j + 1 < C; ++j) v(i, j) = (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) + u(i, j)) / 4;
    u = v;
  }
  return u;
}
template <int R, int C>
constexpr std::pair<grid<R, C>, grid<R, C>> wave_by_hand(int n) {
  auto u = start<R, C>(), before = u;
  for (int i = 0; i < R * C; ++i) before.data()[i] *= 2;
  for (int t = 0; t < n; ++t) {
    auto v = u;
    for (int i = 1; i + 1 < R; ++i)
      for (int j = 1; j + 1 < C; ++j)
        v(i, j) = (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - u(i, j)) / 4 - before(i, j) / 2;
    before = u;
    u = v;
  }
  return {u, before};
}
template <int N, int R, int C>
void check_by_hand() {
  CAPTURE(N);
  auto const u = start<R, C>();
  CHECK(ex::array_equal(ex::jit(repeat<N, heat_set>)(u), heat_by_hand<R, C>(N)));
  CHECK(ex::array_equal(ex::jit(repeat_while<heat_set>)(N, u), heat_by_hand<R, C>(N)));
  auto const [last, before] = ex::jit(history<N, wave>)(u);
  auto const expected = wave_by_hand<R, C>(N);
  CHECK(ex::array_equal(last, expected.first));
  CHECK(ex::array_equal(before, expected.second));
  auto const [before_w, last_w] = ex::jit(history_while<wave>)(N, u);
  CHECK(ex::array_equal(last_w, expected.first));
  CHECK(ex::array_equal(before_w, expected.second));
}

// In constant evaluation.
static_assert(ex::jit(repeat<3, heat_set>)(start<15, 17>()) == heat_by_hand<15, 17>(3));
static_assert(ex::get<0>(ex::jit(history<3, wave>)(start<15, 17>())) == wave_by_hand<15, 17>(3).first);
static_assert(ex::get<1>(ex::jit(history<3, wave>)(start<15, 17>())) == wave_by_hand<15, 17>(3).second);
static_assert(ex::get<0>(ex::jit(history_while<wave>)(2, start<15, 17>())) == wave_by_hand<15, 17>(2).second);

}  // namespace

TEST_CASE("loops over grids give what loops by hand give") {
  check_by_hand<0, 33, 41>();
  check_by_hand<1, 33, 41>();
  check_by_hand<2, 33, 41>();
  check_by_hand<5, 33, 41>();
  check_by_hand<6, 16, 64>();
}

TEST_CASE("updates computed from neighbours") {
  CHECK(differences_of<f32<40, 50>>(repeat<3, heat_set>) == 0);
  CHECK(differences_of<f32<40, 50>>(repeat<4, heat_add>) == 0);
  CHECK(differences_of<f64<20, 31>>(repeat<3, heat_add>) == 0);
  CHECK(differences_of<i32<20, 31>>([](auto x) {
          return ex::fori_loop(0, 4, [](auto, auto u) { return u.at(ex::slice<1, -1>, ex::slice<1, -1>).set(neighbours(u) - inner(u)); }, x);
        }) == 0);
  CHECK(differences_of<f32<40, 50>>(repeat<3, with_borders>) == 0);
  CHECK(differences_of<f32<40, 50>>(repeat<2, with_borders>) == 0);
  CHECK(differences_of<f32<40, 50>>(repeat<3, twice>) == 0);
  CHECK(differences_of<f32<40, 50>>(repeat<3, row>) == 0);
  CHECK(differences_of<f32<40, 50>>(repeat<3, elsewhere>) == 0);
  CHECK(differences_of<f32<40, 50>>(reads_start) == 0);
  CHECK(differences_of_turns<f32<40, 50>>(repeat_while<heat_set>) == 0);
  CHECK(differences_of_turns<f32<40, 50>>(repeat_while<decay>) == 0);
  CHECK(differences_of_turns<f64<20, 31>>(repeat_while<with_borders>) == 0);
  // a chain of updates in one body: the second reads the array as it was before the first
  CHECK(differences_of<f32<600>>([](auto x) {
          return ex::fori_loop(0, 3, [](auto, auto u) {
            auto const left = u(ex::slice<0, 300>), right = u(ex::slice<300, ex::none>);
            return u.at(ex::slice<0, 300>).set(right * 2).at(ex::slice<300, ex::none>).set(left - right);
          }, x);
        }) == 0);
  CHECK(differences_of<f32<600>>([](auto x) {
          return ex::fori_loop(0, 3, [](auto, auto u) { return u.at(ex::slice<1, ex::none>).set(u(ex::slice<0, -1>)).at(0).set(ex::sum(u)); }, x);
        }) == 0);
}

TEST_CASE("carries that are rows of ys") {
  CHECK(differences_of<f32<40, 50>>(frames<1, heat_set>) == 0);
  CHECK(differences_of<f32<40, 50>>(frames<4, heat_set>) == 0);
  CHECK(differences_of<f32<40, 50>>(frames<3, row>) == 0);
  CHECK(differences_of<f32<40, 50>>(frames<3, twice>) == 0);
  CHECK(differences_of<f32<40, 50>>(frames_of_waves<0>) == 0);
  CHECK(differences_of<f32<40, 50>>(frames_of_waves<1>) == 0);
  CHECK(differences_of<f32<40, 50>>(frames_of_waves<4>) == 0);
  CHECK(differences_of<i32<9, 200>>([](auto x) { return ex::cumsum(x, ex::axis<0>); }) == 0);
  CHECK(differences_of<f32<9, 200>>([](auto x) { return ex::lax::cumsum(x, ex::axis<0>, ex::reverse); }) == 0);
  // Also the results of the carries; two carries with one row; rows that are the arguments of the next turn; a carry that stays.
  CHECK(differences_of<f32<200>, f32<5, 200>>([](auto u, auto xs) {
          return ex::scan([](auto s, auto x) {
            auto const [a, b, c] = s;
            auto const next = a * 0.5f + ex::roll<1>(b) - x + c;
            return ex::tuple(ex::tuple(next, next, c), ex::tuple(next, x * 2, next));
          }, ex::tuple(u, u * 2, u - 1), xs);
        }) == 0);
}

TEST_CASE("scans with ys, branches and nested loops") {
  CHECK(differences_of<f32<40, 50>, f32<5>>([](auto u, auto xs) {
          return ex::scan([](auto v, auto x) { return ex::tuple(heat_set(v) * x, v(3)); }, u, xs);
        }) == 0);
  CHECK(differences_of<f32<40, 50>, f32<5>>([](auto u, auto xs) {
          return ex::scan([](auto s, auto x) {
            auto const v = ex::get<0>(s), before = ex::get<1>(s);
            return ex::tuple(ex::tuple(wave(v, before) + x, v), before);
          }, ex::tuple(u, u * 2), xs);
        }) == 0);
  CHECK(differences_of<f32<40, 50>>([](auto u) {
          return ex::fori_loop(0, 3, [](auto i, auto v) { return ex::cond(i % 2 == 0, [](auto w) { return heat_set(w); }, [](auto w) { return w; }, v); }, u);
        }) == 0);
  CHECK(differences_of<f32<40, 50>>([](auto u) { return ex::fori_loop(0, 3, [](auto, auto v) { return repeat<2, heat_set>(v) * 0.5f; }, u); }) == 0);
  CHECK(differences_of<f32<40, 50>>([](auto u) { return ex::fori_loop(0, 3, [](auto, auto v) { return repeat<4, heat_set>(v); }, u); }) == 0);
  CHECK(differences_of<f32<40, 50>>([](auto u) { return ex::fori_loop(0, 3, [](auto, auto v) { return repeat<3, heat_set>(v); }, u); }) == 0);
  CHECK(differences_of<f32<40, 50>>([](auto u) {
          return ex::fori_loop(0, 2, [](auto i, auto v) {
            auto const [a, b] = ex::fori_loop(0, i + 2, [](auto, auto s) { return ex::tuple(wave(ex::get<0>(s), ex::get<1>(s)), ex::get<0>(s)); }, ex::tuple(v, v * 2));
            return a - b;
          }, u);
        }) == 0);
  CHECK(differences_of<f32<40, 50>>(
            [](auto u) { return ex::fori_loop(0, 3, [](auto, auto s) { return ex::tuple(heat_set(ex::get<0>(s)) + ex::get<1>(s), ex::get<1>(s)); }, ex::tuple(u, u * 2)); }) == 0);
  CHECK(differences_of<f32<3, 20, 30>>(ex::vmap(repeat<3, heat_set>)) == 0);
  CHECK(differences_of<f32<3, 20, 30>>(ex::vmap(history<3, wave>)) == 0);
}

TEST_CASE("histories") {
  CHECK(differences_of<f32<40, 50>>(history<0, wave>) == 0);
  CHECK(differences_of<f32<40, 50>>(history<1, wave>) == 0);
  CHECK(differences_of<f32<40, 50>>(history<2, far>) == 0);
  CHECK(differences_of<f32<40, 50>>(history<3, far>) == 0);
  CHECK(differences_of<f64<20, 31>>(history<4, wave>) == 0);
  CHECK(differences_of<i32<20, 31>>(history<5, far_of_integers>) == 0);
  CHECK(differences_of<f32<40, 50>>(three<1, true>) == 0);
  CHECK(differences_of<f32<40, 50>>(three<2, false>) == 0);
  CHECK(differences_of<f32<40, 50>>(three<6, true>) == 0);
  CHECK(differences_of<f32<40, 50>>(three<7, false>) == 0);
  CHECK(differences_of_turns<f32<20, 31>>(history_while<wave>) == 0);
  CHECK(differences_of_turns<f32<20, 31>>(history_while<far>) == 0);
  CHECK(differences_of_turns<f32<20, 31>>(three_while<true>) == 0);
  CHECK(differences_of_turns<f32<20, 31>>(three_while<false>) == 0);
  // two carries that change places, three in a circle, and one that two others take
  auto const swap = [](auto n, auto u) {
    return ex::fori_loop(0, n, [](auto, auto s) { return ex::tuple(ex::get<1>(s), ex::get<0>(s)); }, ex::tuple(u, u * 2));
  };
  auto const circle = [](auto n, auto u) {
    return ex::fori_loop(0, n, [](auto, auto s) { return ex::tuple(ex::get<1>(s), ex::get<2>(s), ex::get<0>(s)); }, ex::tuple(u, u * 2, u * 3));
  };
  auto const both = [](auto n, auto u) {
    return ex::fori_loop(0, n, [](auto, auto s) { return ex::tuple(heat_set(ex::get<0>(s)), ex::get<0>(s), ex::get<0>(s)); }, ex::tuple(u, u * 2, u * 3));
  };
  CHECK(differences_of_turns<f32<20, 31>>(swap) == 0);
  CHECK(differences_of_turns<f32<20, 31>>(circle) == 0);
  CHECK(differences_of_turns<f32<20, 31>>(both) == 0);
  // emitted, with 0 to 4 iterations
  auto const u = start<20, 31>();
  for (int n = 0; n < 5; ++n) {
    CAPTURE(n);
    auto const [a, b, c] = ex::jit(three_while<false>)(n, u);
    auto x = u, y = u * 2.0f, z = u * 3.0f;
    for (int t = 0; t < n; ++t) {
      auto const next = x / 2 - y + ex::roll<1>(z, ex::axis<0>);
      z = y;
      y = x;
      x = next;
    }
    CHECK(ex::array_equal(a, x));
    CHECK(ex::array_equal(b, y));
    CHECK(ex::array_equal(c, z));
  }
}

TEST_CASE("results over arguments") {
  auto const expected = heat_by_hand<33, 41>(4);
  auto x = start<33, 41>();
  ex::jit(repeat<4, heat_set>).into(x, x);
  CHECK(ex::array_equal(x, expected));
  x = start<33, 41>();
  ex::jit(repeat<5, heat_set>).into(x, x);
  CHECK(ex::array_equal(x, heat_by_hand<33, 41>(5)));
  x = start<33, 41>();
  float const* const place = x.data();
  auto const y = ex::jit(repeat<4, heat_set>)(std::move(x));
  CHECK(y.data() == place);
  CHECK(ex::array_equal(y, expected));
  x = start<33, 41>();
  float const* const other = x.data();
  auto const z = ex::jit(repeat_while<decay>)(2, std::move(x));
  CHECK(z.data() == other);
  CHECK(ex::array_equal(z, start<33, 41>() / 4 + 1.5f));
  auto a = start<33, 41>(), b = a;
  ex::jit(history<5, wave>).into(std::tie(a, b), a);
  CHECK(ex::array_equal(a, wave_by_hand<33, 41>(5).first));
  CHECK(ex::array_equal(b, wave_by_hand<33, 41>(5).second));
  a = start<33, 41>();
  ex::jit(history<4, wave>).into(std::tie(b, a), a);
  CHECK(ex::array_equal(b, wave_by_hand<33, 41>(4).first));
  CHECK(ex::array_equal(a, wave_by_hand<33, 41>(4).second));
}
