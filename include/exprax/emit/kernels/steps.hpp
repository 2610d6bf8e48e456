// SPDX-License-Identifier: BSL-1.0
// Steps on packs. A step's template depends on what it does, not on where: its slots are arguments, constants for the optimizer, so that
// thousands of equations share a few instantiations, where templates keyed by slots would be one each.
// Longer than 300 lines: how a step is emitted is keyed and dispatched in one place.
#pragma once

#include <exprax/emit/kernels/environment.hpp>
#include <exprax/emit/kernels/first_lanes.hpp>
#include <exprax/emit/kernels/gathered.hpp>
#include <exprax/primitives/all.hpp>

namespace exprax::detail {

// The slots of one box for packs of L elements: one array per dtype.
template <class V, int N>
struct slot_file {
  V of[N];
};
template <class V>
struct slot_file<V, 0> {
  static constexpr V* of = nullptr;  // no step reads it
};

template <class Plan, int Box, int L, class Types = std::make_integer_sequence<int, dtype_count>>
struct registers;
template <class Plan, int Box, int L, int... D>
struct registers<Plan, Box, L, std::integer_sequence<int, D...>>
    : slot_file<simd::pack<element_t<static_cast<dtype>(D)>, L>, Plan::storage.boxes[Box].slots[D]>... {
  using plan = Plan;
  template <class T>
  using file_of = slot_file<simd::pack<T, L>, Plan::storage.boxes[Box].slots[static_cast<int>(dtype_of<T>)]>;
  template <class T>
  EXPRAX_INLINE constexpr auto& file() {
    return static_cast<file_of<T>&>(*this).of;
  }
};

// The index along the last axis; x is that of the first lane.
template <class T, int L>
EXPRAX_INLINE constexpr simd::pack<T, L> index_pack(std::int64_t offset, std::int64_t scale, std::ptrdiff_t x, bool along) {
  using I = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  simd::pack<I, L> i(static_cast<I>(offset + scale * x));
  if constexpr (L > 1)
    if (along) i = i + simd::iota<I, L>() * simd::pack<I, L>(static_cast<I>(scale));
  return convert<T>(i);
}

template <class Plan, int Term, class Env>
EXPRAX_INLINE constexpr std::int64_t term_value(Env const& env) {
  return static_cast<std::int64_t>(env.template buffer<Plan::storage.terms[Term].buffer>()[Plan::storage.terms[Term].element]);
}
template <class Plan, int Term, class Env>
EXPRAX_INLINE constexpr std::ptrdiff_t dynamic_offset(Env const& env) {
  std::int64_t const at = term_value<Plan, Term>(env);
  std::int64_t constexpr limit = Plan::storage.terms[Term].limit;
  return static_cast<std::ptrdiff_t>(at < 0 ? 0 : at > limit ? limit : at) * Plan::storage.terms[Term].stride;
}

// Where a row of an access begins, with terms of one element.
template <class Plan, int Access, int Rank, class Env>
EXPRAX_INLINE constexpr std::ptrdiff_t row_offset(Env const& env, std::ptrdiff_t const* index) {
  std::ptrdiff_t at = static_row_offset<Plan, Access, Rank>(index);
  [&]<int... T>(std::integer_sequence<int, T...>) EXPRAX_LAMBDA_INLINE {
    ((at += dynamic_offset<Plan, Plan::storage.accesses[Access].term + T>(env)), ...);
  }(std::make_integer_sequence<int, Plan::storage.accesses[Access].n_term>{});
  return at;
}

// What a step needs when it runs, in several small tables: compilers are slow to read a constant from a large array, and fold expressions
// have a maximum length.
struct emitted_step {
  std::uint64_t key;   // kind, primitive, dtype of the operands, of the result, index of the access
  int d, a, b, c;
  int slot;            // one element: the buffer's index among those of its dtype
  std::uint64_t bits;  // literal: the pattern; iota: the offset; one element: its offset
  std::int64_t scale;
  bool along;          // iota: along the last axis
  int axis;
};
inline constexpr int chunk_size = 128;

// Stores of the columns of rows, as of [n, 3], fill whole packs together: how many do so from step s on, of which there are n; or 1. Their
// packs are the operands a, b, c and d of the first, and the others do nothing.
inline constexpr std::uint64_t stored_with_others = 255;
constexpr int stores_together(step const* s, int n, access const* accesses, int rank) {
  if (rank == 0 || s->kind != step_kind::store) return 1;
  access const& first = accesses[s->access];
  std::ptrdiff_t const columns = first.stride[rank - 1];
  if (columns < 2 || columns > 4 || columns > n) return 1;
  for (int k = 1; k < columns; ++k) {
    access const& a = accesses[s[k].access];
    bool ok = s[k].kind == step_kind::store && s[k].type == s->type && a.buffer == first.buffer && a.base == first.base + k;
    ok = ok && a.n_term == first.n_term && (a.n_term == 0 || a.term == first.term);
    for (int i = 0; i < rank && ok; ++i) ok = a.stride[i] == first.stride[i];
    if (!ok) return 1;
  }
  return static_cast<int>(columns);
}

// Loads whose results are read by several instructions are marked for g++, which would load again for each of them.
inline constexpr std::uint64_t read_again = 1;
constexpr bool is_read_again(step const* load, step const* end) {
#if defined(__GNUC__) && !defined(__clang__)
  int reads = 0;
  for (step const* s = load + 1; s != end && reads < 2; ++s) {
    bool const computes = s->kind == step_kind::compute;
    int const arity = computes ? traits_of(s->op).arity : 1;
    int const instructions = computes && is_floating(load->type) ? traits_of(s->op).float_instructions : 1;
    auto const is_it = [&](dtype t, int slot) { return t == load->type && slot == load->d; };
    for_operands(*s, [&](int k, dtype t, int slot) { reads += k < arity && is_it(t, slot) ? instructions : 0; });
    if (!is_store(s->kind) && is_it(s->type, s->d)) break;
  }
  return reads > 1;
#else
  return load == end;
#endif
}

template <class Plan, int First, int N, int Rank>
struct step_table {
  struct table {
    emitted_step of[N];
  };
  static constexpr table make() {
    table t{};
    step const* const from = Plan::storage.steps + First;
    for (int i = 0, together = 0; i < N; ++i) {
      step const& s = from[i];
      std::uint64_t const key = static_cast<std::uint64_t>(s.kind) | static_cast<std::uint64_t>(s.op) << 8 |
                                static_cast<std::uint64_t>(s.from) << 16 | static_cast<std::uint64_t>(s.type) << 24;
      emitted_step& e = t.of[i];
      e = {key, s.d, s.a, s.b, s.c, 0, s.bits, s.scale, false, no_axis};
      if (is_memory(s.kind)) {
        e.key = key | static_cast<std::uint64_t>(s.access) << 32;
        if (is_load(s.kind)) {
          if (is_read_again(from + i, from + N)) e.key |= read_again << 8;
        } else if (together > 0) {
          e.key |= stored_with_others << 8;
          --together;
        } else if (int const n = stores_together(from + i, N - i, Plan::storage.accesses, Rank); n > 1) {
          e.key |= static_cast<std::uint64_t>(n) << 8;
          int* const to[] = {&e.a, &e.b, &e.c, &e.d};
          for (int k = 0; k < n; ++k) *to[k] = from[i + k].a;
          together = n - 1;
        }
      } else if (is_element(s.kind)) {
        e.slot = Plan::storage.buffers[s.c].slot;
      } else if (s.kind == step_kind::iota) {
        e.axis = iota_axis(s);
        e.along = e.axis == Rank - 1;
      }
    }
    return t;
  }
  static constexpr table steps = make();
};

enum class phase : std::uint8_t { all, compute, store };

// Where groups of as many elements as the stride between lanes fill the whole buffer: which one of its group an access reads; or -1.
constexpr int place_of(access const& a, std::ptrdiff_t size, int rank) {
  std::ptrdiff_t const stride = rank > 0 ? a.stride[rank - 1] : 0;
  if (stride < 2 || a.n_term != 0 || a.base < 0 || size % stride != 0) return -1;
  for (int i = 0; i < rank; ++i)
    if (a.stride[i] % stride != 0) return -1;
  return static_cast<int>(a.base % stride);
}
template <class Plan, int Access, int Rank>
inline constexpr int place_in_group =
    place_of(Plan::storage.accesses[Access], Plan::storage.buffers[Plan::storage.accesses[Access].buffer].size, Rank);
template <class Plan, int Box, int Rank, bool Stores = true>
struct access_list {
  static constexpr bool listed(int s) {
    step_kind const kind = Plan::storage.steps[Plan::storage.boxes[Box].step + s].kind;
    return Stores ? is_memory(kind) : is_load(kind);
  }
  static constexpr int count = [] {
    int n = 0;
    for (int s = 0; s < Plan::storage.boxes[Box].n_step; ++s) n += listed(s);
    return n;
  }();
  struct table {
    int of[count + 1];
  };
  static constexpr table accesses = [] {
    table t{};
    int n = 0;
    for (int s = 0; s < Plan::storage.boxes[Box].n_step; ++s)
      if (listed(s)) t.of[n++] = Plan::storage.steps[Plan::storage.boxes[Box].step + s].access;
    return t;
  }();
};
// Pointers for the loads and stores of a row, one base for each access of the box.
template <class Plan, int Access, int Rank, class Env>
EXPRAX_INLINE constexpr row_pointer<Plan, Access> pointer_to_row(Env const& env, std::ptrdiff_t const* index) {
  if constexpr (gathers_memory<Plan, Access>) return gathered_row<Plan, Access, Rank>(env, index);
  else return {env.template buffer<Plan::storage.accesses[Access].buffer>(), row_offset<Plan, Access, Rank>(env, index)};
}
template <class Plan, int... Access>
struct row_pointers : row_pointer<Plan, Access>... {
  static constexpr bool in_strips = false;  // emit/kernels/short_rows.hpp
  template <int Rank, class Env>
  EXPRAX_INLINE static constexpr row_pointers make([[maybe_unused]] Env const& env, [[maybe_unused]] std::ptrdiff_t const* index) {
    return {pointer_to_row<Plan, Access, Rank>(env, index)...};
  }
  template <int A>
  EXPRAX_INLINE constexpr auto* at() const {
    row_pointer<Plan, A> const& row = *this;
    return row.p + row.first;
  }
  // The address of the first lane at column x, and the stride between lanes.
  template <int A, int Rank>
  static constexpr std::ptrdiff_t stride = Plan::storage.accesses[A].stride[Rank > 0 ? Rank - 1 : 0];
  template <int A, int Rank>
  static constexpr int place = place_in_group<Plan, A, Rank>;
  template <int A, int Rank>
  EXPRAX_INLINE constexpr auto* lane(std::ptrdiff_t x) const {
    row_pointer<Plan, A> const& row = *this;
    if (__builtin_is_constant_evaluated()) return row.p + (row.first + x * stride<A, Rank>);
    return row.p + row.first + x * stride<A, Rank>;
  }
};
template <class Plan, int Box, int Rank, int... I>
constexpr auto row_pointers_for(std::integer_sequence<int, I...>) -> row_pointers<Plan, access_list<Plan, Box, Rank>::accesses.of[I]...>;
template <class Plan, int Box, int Rank>
using box_pointers = decltype(row_pointers_for<Plan, Box, Rank>(std::make_integer_sequence<int, access_list<Plan, Box, Rank>::count>{}));

// Pointers may hold a pack of a buffer that is not in memory, `held` (products/epilogue.hpp).
template <class Pointers, class Plan, int Access>
inline constexpr bool is_in_registers = false;
template <class Pointers, class Plan, int Access>
  requires(Pointers::held_buffer >= 0)
inline constexpr bool is_in_registers<Pointers, Plan, Access> = Plan::storage.accesses[Access].buffer == Pointers::held_buffer;

// Runs steps. One member function serves all steps with the same key; the slots are arguments.
template <class R, class Env, class Pointers, int L, int Rank, int Count, phase Phase>
struct step_runner {
  R& r;
  Env const& env;
  Pointers const& at;
  std::ptrdiff_t const* index;
  std::ptrdiff_t x;

  template <class T>
  using file = typename R::template file_of<T>;

  template <std::uint64_t Key>
  EXPRAX_INLINE constexpr void run(emitted_step const& s) const {
    constexpr step_kind kind = static_cast<step_kind>(Key & 0xff);
    constexpr prim op = static_cast<prim>(Key >> 8 & 0xff);
    constexpr int access = static_cast<int>(Key >> 32);
    [[maybe_unused]] constexpr std::uint64_t columns = Key >> 8 & 0xff;  // of a store, or the mark of a load
    using F = element_t<static_cast<dtype>(Key >> 16 & 0xff)>;
    using T = element_t<static_cast<dtype>(Key >> 24 & 0xff)>;
    [[maybe_unused]] auto& to = static_cast<file<T>&>(r).of;
    [[maybe_unused]] auto& from = static_cast<file<F>&>(r).of;
    if constexpr (is_store(kind)) {
      if constexpr (Phase == phase::compute) return;
      else if constexpr (kind == step_kind::store_element)
        static_cast<typename Env::template file_of<T> const&>(env).of[s.slot][s.bits] = to[s.a].value;
      else if constexpr (columns == stored_with_others) return;
      else if constexpr (columns == 2) store_columns<T, L, Count>(at.template lane<access, Rank>(x), to[s.a], to[s.b]);
      else if constexpr (columns == 3) store_columns<T, L, Count>(at.template lane<access, Rank>(x), to[s.a], to[s.b], to[s.c]);
      else if constexpr (columns == 4) store_columns<T, L, Count>(at.template lane<access, Rank>(x), to[s.a], to[s.b], to[s.c], to[s.d]);
      else store_lanes<T, L, Pointers::template stride<access, Rank>, Count>(to[s.a], at.template lane<access, Rank>(x));
    } else if constexpr (Phase == phase::store) {
      return;
    } else if constexpr (kind == step_kind::load_element) {
      to[s.d] = simd::pack<T, L>(static_cast<typename Env::template file_of<T> const&>(env).of[s.slot][s.bits]);
    } else if constexpr (kind == step_kind::load && is_in_registers<Pointers, typename R::plan, access>) {
      to[s.d] = at.held;
    } else if constexpr (kind == step_kind::load && gathers_elements<typename R::plan, access, Rank>) {
      to[s.d] = gathered_elements<typename R::plan, access, Rank, T, L, Count>(env, index, x);
    } else if constexpr (kind == step_kind::gather) {
      to[s.d] = gathered_elements<typename R::plan, access, Rank, T, L, Count>(env, index, x, from[s.a]);
    } else if constexpr (kind == step_kind::load) {
      auto const v = load_lanes<T, L, Pointers::template stride<access, Rank>, Count, Pointers::template place<access, Rank>>(
          at.template lane<access, Rank>(x));
#if EXPRAX_SIMD
      if constexpr (columns == read_again) to[s.d] = simd::loaded(v);
      else to[s.d] = v;
#else
      to[s.d] = v;
#endif
    } else if constexpr (kind == step_kind::literal) {
      to[s.d] = simd::pack<T, L>(from_bits<T>(s.bits));
    } else if constexpr (kind == step_kind::iota && Pointers::in_strips) {
      using I = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
      to[s.d] = convert<T>(simd::pack<I, L>(static_cast<I>(static_cast<std::int64_t>(s.bits))) +
                           at.template index<I, L>(s.axis, index, x) * simd::pack<I, L>(static_cast<I>(s.scale)));
    } else if constexpr (kind == step_kind::iota) {
      to[s.d] = index_pack<T, L>(static_cast<std::int64_t>(s.bits), s.scale, s.axis == no_axis ? 0 : s.along ? x : index[s.axis], s.along);
    } else if constexpr (kind == step_kind::convert) {
      to[s.d] = convert<T>(from[s.a]);
    } else if constexpr (op == prim::select_n) {
      to[s.d] = primitive<op>::kernel(static_cast<file<bool>&>(r).of[s.a], to[s.b], to[s.c]);
    } else if constexpr (op == prim::bitcast) {
      to[s.d] = primitive<op>::template kernel<T>(from[s.a]);
    } else if constexpr (primitive<op>::traits.arity == 1) {
      to[s.d] = primitive<op>::kernel(from[s.a]);
    } else if constexpr (primitive<op>::traits.arity == 2) {
      to[s.d] = primitive<op>::kernel(from[s.a], from[s.b]);
    } else {
      to[s.d] = primitive<op>::kernel(from[s.a], from[s.b], from[s.c]);
    }
  }
};

// Steps [First, First + N) of a plan, in order.
template <class Plan, int First, int N, int L, int Rank, int Count, phase Phase, class R, class Env, class Pointers>
EXPRAX_INLINE constexpr void run_steps(R& r, Env const& env, Pointers const& at, std::ptrdiff_t const* index, std::ptrdiff_t x) {
  constexpr int n = N < chunk_size ? N : chunk_size;
  if constexpr (n > 0) {
    using table = step_table<Plan, First, n, Rank>;
    step_runner<R, Env, Pointers, L, Rank, Count, Phase> const runner{r, env, at, index, x};
    [&]<int... K>(std::integer_sequence<int, K...>) EXPRAX_LAMBDA_INLINE {
      (runner.template run<table::steps.of[K].key>(table::steps.of[K]), ...);
    }(std::make_integer_sequence<int, n>{});
    if constexpr (N > n) run_steps<Plan, First + n, N - n, L, Rank, Count, Phase>(r, env, at, index, x);
  }
}

// The same for two packs, each step for one after the other.
template <class Plan, int First, int N, int L, int Rank, class R, class Env, class Pointers>
EXPRAX_INLINE constexpr void run_steps_of_pair(R& r, R& next, Env const& env, Pointers const& at, std::ptrdiff_t const* index,
                                               std::ptrdiff_t x) {
  constexpr int n = N < chunk_size ? N : chunk_size;
  if constexpr (n > 0) {
    using table = step_table<Plan, First, n, Rank>;
    step_runner<R, Env, Pointers, L, Rank, L, phase::all> const runner{r, env, at, index, x}, runner_of_next{next, env, at, index, x + L};
    [&]<int... K>(std::integer_sequence<int, K...>) EXPRAX_LAMBDA_INLINE {
      ((runner.template run<table::steps.of[K].key>(table::steps.of[K]),
        runner_of_next.template run<table::steps.of[K].key>(table::steps.of[K])),
       ...);
    }(std::make_integer_sequence<int, n>{});
    if constexpr (N > n) run_steps_of_pair<Plan, First + n, N - n, L, Rank>(r, next, env, at, index, x);
  }
}

// Long lists are split into functions over the slots: the optimizer takes too long on one function of thousands of steps.
inline constexpr int longest_function = 1024;
inline constexpr int steps_in_a_function = 256;

template <class Plan, int First, int N, int L, int Rank, int Count, phase Phase, class R, class Env, class Pointers>
[[gnu::noinline]] EXPRAX_OPTIMIZED EXPRAX_FLATTEN constexpr void run_steps_apart(R& r, Env const& env, Pointers const& at,
                                                                                 std::ptrdiff_t const* index, std::ptrdiff_t x) {
  run_steps<Plan, First, N, L, Rank, Count, Phase>(r, env, at, index, x);
}
template <class Plan, int First, int N, int L, int Rank, int Count, phase Phase, class R, class Env, class Pointers>
EXPRAX_INLINE constexpr void run_all_steps(R& r, Env const& env, Pointers const& at, std::ptrdiff_t const* index, std::ptrdiff_t x) {
  if constexpr (N <= longest_function) {
    run_steps<Plan, First, N, L, Rank, Count, Phase>(r, env, at, index, x);
  } else {
    constexpr int functions = (N + steps_in_a_function - 1) / steps_in_a_function;
    [&]<int... F>(std::integer_sequence<int, F...>) {
      (run_steps_apart<Plan, First + F * steps_in_a_function, (F + 1 < functions ? steps_in_a_function : N - F * steps_in_a_function), L,
                       Rank, Count, Phase>(r, env, at, index, x),
       ...);
    }(std::make_integer_sequence<int, functions>{});
  }
}

}  // namespace exprax::detail
