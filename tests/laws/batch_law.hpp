// SPDX-License-Identifier: BSL-1.0
// The law of vmap for every entry of the table: jit(vmap(f))(xs)[i] is jit(f)(xs[i]), bit for bit, with infinities, NaN and
// subnormals among the neighbours. Every choice of axes by the interpreter, before and after the passes; some of them, and
// vmap of vmap, by emitted code.
#pragma once

#include <laws/rows.hpp>

namespace laws {

// Slice i of what has a batch axis, and the rest as it is.
inline std::vector<elements> slices(program_ref batched, detail::span<int> values, std::vector<elements> const& all,
                                    std::vector<batch_axis> const& axes, int i) {
  std::vector<elements> out;
  for (int k = 0; k < values.size(); ++k) {
    auto const n = static_cast<std::size_t>(k);
    out.push_back(axes[n].is_mapped() ? row(all[n], batched.type(values[k]), axes[n].position(), i) : all[n]);
  }
  return out;
}

// q: p with batch axes of this size, of its inputs and of its outputs; run: how q is run.
template <class Run>
void check_slices(program_ref p, program_ref q, int size, std::vector<batch_axis> const& in_axes, std::vector<batch_axis> const& out_axes,
                  Run run_batched, std::uint32_t rounds = 2) {
  for (std::uint32_t round = 0; round < rounds; ++round) {
    auto const in = inputs_of(q, 11u + round, round % 2 == 0);
    auto const out = run_batched(in);
    int wrong = 0;
    for (int i = 0; i < size; ++i)
      wrong += !same(p, slices(q, q.outs(q.main()), out, out_axes, i), run(p, slices(q, q.ins(q.main()), in, in_axes, i)));
    CHECK(wrong == 0);
  }
}

// One choice of axes, by the interpreter: batch itself, and what the passes make of its program.
inline void check_batch(program_ref p, int size, std::vector<batch_axis> const& in_axes) {
  std::vector<wanted_axis> const want(static_cast<std::size_t>(p.main().n_out));
  std::vector<batch_axis> out_axes(want.size());
  program const q = oracle::batch(p, {in_axes.data(), p.main().n_in}, size, {want.data(), p.main().n_out}, out_axes.data());
  program const o = oracle::optimize(q.ref());
  CHECK(oracle::is_well_formed(q.ref()));
  CHECK(oracle::is_well_formed(o.ref()));
  auto const by = [](program_ref r) { return [r](std::vector<elements> const& in) { return run(r, in); }; };
  check_slices(p, q.ref(), size, in_axes, out_axes, by(q.ref()));
  check_slices(p, o.ref(), size, in_axes, out_axes, by(o.ref()));
}
// Every choice of axes.
inline void check_all_axes(program_ref p) {
  std::vector<batch_axis> axes(static_cast<std::size_t>(p.main().n_in));
  while (next_choice(axes, p)) {
    for (int size : {1, 3}) {
      CAPTURE(size);
      check_batch(p, size, axes);
    }
  }
}

// Twice: the inner axis is the last of each input, the outer one the last, the first, or that of the first input alone.
inline void check_twice(program_ref p) {
  std::vector<batch_axis> inner, last;
  std::vector<wanted_axis> const want(static_cast<std::size_t>(p.main().n_out));
  for (int v : p.ins(p.main())) inner.push_back(p.type(v).rank);
  program const q = oracle::batch(p, {inner.data(), p.main().n_in}, 2, {want.data(), p.main().n_out});
  for (batch_axis r : inner) last.push_back(r.position() + 1);
  check_batch(q.ref(), 3, last);
  check_batch(q.ref(), 3, std::vector<batch_axis>(inner.size(), 0));
  std::vector<batch_axis> first(inner.size());
  first[0] = 0;
  check_batch(q.ref(), 3, first);
}

// --- Some of them, by emitted code ---

template <class E, int N>
struct with_first_axis;
template <class T, int... D, int N>
struct with_first_axis<expr<T, D...>, N> {
  using type = expr<T, N, D...>;
};
template <class E, int N>
struct with_last_axis;
template <class T, int... D, int N>
struct with_last_axis<expr<T, D...>, N> {
  using type = expr<T, D..., N>;
};

using by_first = detail::vmap_options<>;
template <class>
inline constexpr int last_axis = -1;
template <class... Args>
using by_last = detail::vmap_options<in_axes_t<last_axis<Args>...>, out_axes_t<-1>>;

template <class Entry>
struct batched;
template <auto F, class... Args>
struct batched<table::on<F, Args...>> {
  using function = typename table::on<F, Args...>::function;
  template <int N>
  using first = detail::traced<detail::vmapped<function, by_first>, typename with_first_axis<Args, N>::type...>;
  template <int N>
  using last = detail::traced<detail::vmapped<function, by_last<Args...>>, typename with_last_axis<Args, N>::type...>;
  // The outer axis is the first, the inner one the last.
  template <int N, int M>
  using nested = detail::traced<detail::vmapped<detail::vmapped<function, by_last<Args...>>, by_first>,
                                typename with_first_axis<typename with_last_axis<Args, M>::type, N>::type...>;
};

inline std::vector<batch_axis> last_axes(program_ref p, detail::span<int> values) {
  std::vector<batch_axis> axes;
  for (int v : values) axes.push_back(p.type(v).rank);
  return axes;
}
inline void check_emitted(program_ref p, subject const& s, int size, std::vector<batch_axis> const& in_axes, std::vector<batch_axis> const& out_axes) {
  CHECK(oracle::is_well_formed(s.traced));
  CHECK(oracle::is_well_formed(s.compiled));
  check_slices(p, s.compiled, size, in_axes, out_axes, [&](std::vector<elements> const& in) { return s.run(in); }, 6);
}
inline void check_first(program_ref p, subject const& s, int size) {
  check_emitted(p, s, size, std::vector<batch_axis>(static_cast<std::size_t>(p.main().n_in), 0),
                std::vector<batch_axis>(static_cast<std::size_t>(p.main().n_out), 0));
}
inline void check_last(program_ref p, subject const& s, int size) {
  check_emitted(p, s, size, last_axes(p, p.ins(p.main())), last_axes(p, p.outs(p.main())));
}
// Slices of slices.
inline void check_nested(program_ref p, subject const& s, int outer, int inner) {
  CHECK(oracle::is_well_formed(s.traced));
  CHECK(oracle::is_well_formed(s.compiled));
  std::vector<batch_axis> const in_axes = last_axes(p, p.ins(p.main())), out_axes = last_axes(p, p.outs(p.main()));
  program_ref const q = s.compiled;
  auto const in = inputs_of(q, 13, true);
  auto const out = s.run(in);
  auto const slice_of = [&](std::vector<elements> const& all, detail::span<int> values, std::vector<batch_axis> const& axes, int i, int j) {
    std::vector<elements> r;
    for (int k = 0; k < values.size(); ++k) {
      auto const n = static_cast<std::size_t>(k);
      aval t = q.type(values[k]);
      elements const first = row(all[n], t, 0, i);
      for (int a = 1; a < t.rank; ++a) t.dims[a - 1] = t.dims[a];
      --t.rank;
      r.push_back(row(first, t, axes[n].position(), j));
    }
    return r;
  };
  int wrong = 0;
  for (int i = 0; i < outer; ++i)
    for (int j = 0; j < inner; ++j)
      wrong += !same(p, slice_of(out, q.outs(q.main()), out_axes, i, j), run(p, slice_of(in, q.ins(q.main()), in_axes, i, j)));
  CHECK(wrong == 0);
}

template <class Entry>
inline constexpr program_ref alone = detail::compiled<typename Entry::traced>::ref;

template <class Row>
struct first_of;
template <class First, class... More>
struct first_of<table::entries<First, More...>> {
  using type = First;
};
template <prim P>
using first_entry =
    typename decltype([]<class... On>(table::entries<On...>) { return first_of<table::entries<On...>>{}; }(table::row<P>{}))::type;

// Elementwise: one program with both axes, one above a pack; for the first entry of a row, as all are batched alike.
template <prim P, class Entry>
struct elementwise_batch_law {
  static void check() {
    check_all_axes(alone<Entry>);
    check_twice(alone<Entry>);
    if constexpr (std::is_same_v<Entry, first_entry<P>>)
      check_nested(alone<Entry>, subject_of<typename batched<Entry>::template nested<3, 17>>(), 3, 17);
  }
};
// The others.
template <prim P, class Entry>
struct batch_law_of_arrays {
  static void check() {
    check_all_axes(alone<Entry>);
    check_twice(alone<Entry>);
    check_first(alone<Entry>, subject_of<typename batched<Entry>::template first<3>>(), 3);
    check_last(alone<Entry>, subject_of<typename batched<Entry>::template last<17>>(), 17);
  }
};

}  // namespace laws
