// SPDX-License-Identifier: BSL-1.0
// Sizes that depend on data: the energy of pairs of charges nearer than a cutoff, 100 charges. By nonzero with room for 5,000 pairs, as
// a masked sum, beside C++ loops: one that collects pairs and one over them, and one over all pairs. Then the sum over given pairs,
// bincount of 10,000 numbers, and nonzero of 100,000 bools, of 100,000 floats, and of a table, of which one in four is true; the C++ loops
// write each place and count it if it is one.
#include <cmath>

#include <exprax/exprax.hpp>

#include "compare.hpp"

namespace ex = exprax;

namespace {

constexpr int count = 100, room = 5000;

constexpr auto pairs = [](auto r, auto cutoff) {
  auto dis = ex::abs(r(ex::all, ex::newaxis) - r(ex::newaxis, ex::all));
  return ex::nonzero<room>(ex::where(dis <= cutoff, 1, 0), ex::fill_value(-1));
};
constexpr auto sum_of_pairs = [](auto q, auto i, auto j) { return ex::sum(q(i) * q(j)); };
constexpr auto energy = [](auto r, auto q, auto cutoff) {
  auto [i, j] = pairs(r, cutoff);
  return sum_of_pairs(q, i, j);
};
constexpr auto masked = [](auto r, auto padded, auto cutoff) {
  auto q = padded(ex::slice<0, count>);
  auto dis = ex::abs(r(ex::all, ex::newaxis) - r(ex::newaxis, ex::all));
  return ex::sum(ex::where(dis <= cutoff, q(ex::all, ex::newaxis) * q(ex::newaxis, ex::all), 0));
};
constexpr int many = 100000, few = 30000;
constexpr auto positive = [](auto x) { return ex::flatnonzero<few>(x > 0.5f, ex::fill_value(-1)); };
constexpr auto of_mask = [](auto m) { return ex::flatnonzero<few>(m, ex::fill_value(-1)); };
constexpr auto of_table = [](auto m) { return ex::nonzero<few>(m, ex::fill_value(-1)); };
constexpr auto bins = [](auto x) { return ex::bincount<room>(x); };

struct data {
  ex::array<float, count> r;
  ex::array<float, count + 1> q;
  ex::array<std::int32_t, count * count> numbers;
  ex::array<float, many> x;
  ex::array<bool, many> mask;
  ex::array<bool, 250, 400> table;
  float cutoff = 0.2f;
};
data const& charges() {
  static data const d = [] {
    data made;
    for (int i = 0; i < count; ++i) {
      made.r(i) = std::fmod(static_cast<float>(i) * 0.618034f, 1.0f);
      made.q(i) = std::fmod(static_cast<float>(i) * 0.414214f, 1.0f);
    }
    for (int i = 0; i < count * count; ++i) made.numbers(i) = i * 7919 % (2 * room);
    std::uint32_t state = 1;
    for (int i = 0; i < many; ++i) {
      state = state * 1664525u + 1013904223u;
      made.x(i) = static_cast<float>(state >> 8) / (1 << 24) * (2 / 3.0f);
      made.mask(i) = made.table.data()[i] = made.x(i) > 0.5f;
    }
    return made;
  }();
  bench::touch(&d);
  return d;
}

float hand_pairs(data const& d) {
  static int i_of[room], j_of[room];
  int n = 0;
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j)
      if (std::fabs(d.r(i) - d.r(j)) <= d.cutoff && n < room) i_of[n] = i, j_of[n++] = j;
  float s = 0;
  for (int k = 0; k < n; ++k) s += d.q(i_of[k]) * d.q(j_of[k]);
  return s;
}
float hand_all(data const& d) {
  float s = 0;
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) s += std::fabs(d.r(i) - d.r(j)) <= d.cutoff ? d.q(i) * d.q(j) : 0.0f;
  return s;
}

template <class T>
void keep(T const& x) {
  bench::touch(&x);
}
void energy_nonzero_5000(benchmark::State& state) {
  data const& d = charges();
  bench::compare(state, [&] { keep(ex::jit(energy)(d.r, d.q, d.cutoff)); }, [&] { keep(hand_pairs(d)); });
}
EXPRAX_COMPARE(energy_nonzero_5000);
void energy_masked(benchmark::State& state) {
  data const& d = charges();
  bench::compare(state, [&] { keep(ex::jit(masked)(d.r, d.q, d.cutoff)); }, [&] { keep(hand_all(d)); });
}
EXPRAX_COMPARE(energy_masked);
void sum_of_5000_pairs(benchmark::State& state) {
  data const& d = charges();
  auto const [i, j] = ex::jit(pairs)(d.r, d.cutoff);
  int const *const at = i.data(), *const with = j.data();
  bench::compare(state, [&, &i = i, &j = j] { keep(ex::jit(sum_of_pairs)(d.q, i, j)); },
                 [&] {
                   float s = 0;
                   for (int k = 0; k < room; ++k) s += d.q(at[k]) * d.q(with[k]);
                   keep(s);
                 });
}
EXPRAX_COMPARE(sum_of_5000_pairs);
void bincount_10000(benchmark::State& state) {
  data const& d = charges();
  static int counts[room];
  bench::compare(state, [&] { keep(ex::jit(bins)(d.numbers)); },
                 [&] {
                   for (int& n : counts) n = 0;
                   for (int x : d.numbers)
                     if (x >= 0 && x < room) ++counts[x];
                   keep(counts);
                 });
}
EXPRAX_COMPARE(bincount_10000);

// Room for one more: a place that is none is written over.
template <class F>
void hand_places(F is_one, int* out) {
  int n = 0;
  for (int i = 0; i < many && n < few; ++i) {
    out[n] = i;
    n += is_one(i);
  }
  for (; n < few; ++n) out[n] = -1;
}
void nonzero_floats(benchmark::State& state) {
  data const& d = charges();
  static ex::array<std::int32_t, few> found;
  static int by_hand[few + 1];
  bench::compare(state, [&] { ex::jit(positive).into(found, d.x), keep(found); }, [&] { hand_places([&](int i) { return d.x(i) > 0.5f; }, by_hand), keep(by_hand); });
}
EXPRAX_COMPARE(nonzero_floats);
void nonzero_bools(benchmark::State& state) {
  data const& d = charges();
  static ex::array<std::int32_t, few> found;
  static int by_hand[few + 1];
  bench::compare(state, [&] { ex::jit(of_mask).into(found, d.mask), keep(found); }, [&] { hand_places([&](int i) { return d.mask(i); }, by_hand), keep(by_hand); });
}
EXPRAX_COMPARE(nonzero_bools);
void nonzero_table(benchmark::State& state) {
  data const& d = charges();
  static std::tuple<ex::array<std::int32_t, few>, ex::array<std::int32_t, few>> found;
  static int rows[few + 1], columns[few + 1];
  bench::compare(state, [&] { ex::jit(of_table).into(found, d.table), keep(found); },
                 [&] {
                   int n = 0;
                   for (int i = 0; i < 250; ++i)
                     for (int j = 0; j < 400 && n < few; ++j) {
                       rows[n] = i, columns[n] = j;
                       n += d.table(i, j);
                     }
                   for (; n < few; ++n) rows[n] = columns[n] = -1;
                   keep(rows), keep(columns);
                 });
}
EXPRAX_COMPARE(nonzero_table);

}  // namespace
