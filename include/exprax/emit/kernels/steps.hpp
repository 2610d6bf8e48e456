// SPDX-License-Identifier: BSL-1.0
// Steps on packs. A step's template depends on what it does, not on where: its slots are arguments, constants for the optimizer, so that
// thousands of equations share a few instantiations, where templates keyed by slots would be one each.
// Longer than 300 lines: how a step is emitted is keyed and dispatched in one place.
#pragma once

#include <exprax/emit/kernels/environment.hpp>
#include <exprax/emit/kernels/first_lanes.hpp>
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

#if EXPRAX_SIMD
// Vectors of the compiler, for __builtin_shufflevector.
template <class T, int N>
struct raw_vector {
  typedef T type __attribute__((vector_size(N * static_cast<int>(sizeof(T)))));
};
template <class T, int N>
using raw = typename raw_vector<T, N>::type;

template <class T, int N>
EXPRAX_INLINE raw<T, N> load_raw(T const* p) {
  raw<T, N> r;
  __builtin_memcpy(&r, p, sizeof r);
  return r;
}
template <class T, int N>
EXPRAX_INLINE void store_raw(raw<T, N> v, T* p) {
  __builtin_memcpy(p, &v, sizeof v);
}

template <class T, int L>
EXPRAX_INLINE simd::pack<T, L> to_pack(raw<T, L> v) {
  T lanes[L];
  store_raw<T, L>(v, lanes);
  return simd::load<T, L>(lanes);
}
// Every Stride-th element from First on, of as many vectors that lie one after the other; the last one begins at element Last.
template <int Stride, int L, int First, int Last, int From, class V, int... I>
EXPRAX_INLINE V pick_every(V const* vectors, V found, std::integer_sequence<int, I...> lanes) {
  if constexpr (From == Stride) {
    return found;
  } else {
    constexpr int at = From == Stride - 1 ? Last : From * L;
    V const more = __builtin_shufflevector(found, vectors[From], ((I * Stride + First) / L == From ? L + I * Stride + First - at : I)...);
    return pick_every<Stride, L, First, Last, From + 1>(vectors, more, lanes);
  }
}
// Every Stride-th element in memory. Nothing is read behind the last one; or whole groups of Stride elements, of which *p is the one at
// Place: so elements at different places share their loads.
template <class T, int L, int Stride, int Place = -1>
EXPRAX_INLINE raw<T, L> load_every(T const* p) {
  constexpr int first = Place < 0 ? 0 : Place, last = Place < 0 ? (L - 1) * (Stride - 1) : L * (Stride - 1);
  raw<T, L> vectors[Stride];
  for (int i = 0; i < Stride - 1; ++i) vectors[i] = load_raw<T, L>(p - first + i * L);
  vectors[Stride - 1] = load_raw<T, L>(p - first + last);
  return pick_every<Stride, L, first, last, 0>(vectors, vectors[0], std::make_integer_sequence<int, L>{});
}
// Count elements with a stride, and zeros. In registers: a pack that was stored element by element is not at once to be loaded.
template <class T, int Count, int... I>
EXPRAX_INLINE raw<T, sizeof...(I)> gather_raw(T const* p, std::ptrdiff_t stride, std::integer_sequence<int, I...>) {
  return raw<T, sizeof...(I)>{(I < Count ? p[I * stride] : T(0))...};
}
#endif

// Loads L elements with a stride, or Count and zeros.
template <class T, int L>
inline constexpr bool has_words = EXPRAX_SIMD && (sizeof(T) == 4 || sizeof(T) == 8) && L >= 4;
template <class T, int L, std::ptrdiff_t Stride>
inline constexpr bool loads_every = has_words<T, L> && Stride >= 2 && 2 * Stride <= L;
template <class T, int L, int Count = L>
EXPRAX_INLINE constexpr simd::pack<T, L> load_strided(T const* p, std::ptrdiff_t stride) {
  if constexpr (L == 1) return simd::pack<T, 1>(*p);
#if EXPRAX_SIMD
  if constexpr (has_words<T, L>) return to_pack<T, L>(gather_raw<T, Count>(p, stride, std::make_integer_sequence<int, L>{}));
#endif
  T lanes[L] = {};
  for (int i = 0; i < Count; ++i) lanes[i] = p[i * stride];
  return simd::load<T, L>(lanes);
}
template <class T, int L>
EXPRAX_INLINE constexpr void store_strided(simd::pack<T, L> v, T* p, std::ptrdiff_t stride) {
  if constexpr (L == 1) {
    *p = v.value;
  } else {
    T lanes[L];
    simd::store(v, lanes);
    for (int i = 0; i < L; ++i) p[i * stride] = lanes[i];
  }
}

// Place: as in load_every.
template <class T, int L, std::ptrdiff_t Stride, int Count, int Place = -1>
EXPRAX_INLINE constexpr simd::pack<T, L> load_lanes(T const* p) {
  if constexpr (L == 1 || Stride == 0) {
    return simd::pack<T, L>(*p);
  } else if constexpr (Count < L) {
    if constexpr (Stride == 1) return simd::load_partial<T, L>(p, Count, T{});
    else return load_strided<T, L, Count>(p, Stride);
  } else if constexpr (Stride == 1) {
    return simd::load<T, L>(p);
  } else if constexpr (Stride == -1) {
    return reverse(simd::load<T, L>(p - (L - 1)));
  } else {
#if EXPRAX_SIMD
    if constexpr (loads_every<T, L, Stride>) return to_pack<T, L>(load_every<T, L, Stride, Place>(p));
#endif
    return load_strided<T, L>(p, Stride);
  }
}
// Count lanes, of which there are fewer than L only where the stride is 1.
template <class T, int L, std::ptrdiff_t Stride, int Count = L>
EXPRAX_INLINE constexpr void store_lanes(simd::pack<T, L> v, T* p) {
  if constexpr (L == 1) *p = v.value;
  else if constexpr (Count < L) simd::store_partial(v, p, Count);
  else if constexpr (Stride == 1) simd::store(v, p);
  else if constexpr (Stride == -1) simd::store(reverse(v), p - (L - 1));
  else store_strided<T, L>(v, p, Stride);
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

// The part of an access that does not change in the loop over the last axis.
template <class Plan, int Access, int Rank, class Env>
EXPRAX_INLINE constexpr std::ptrdiff_t row_offset(Env const& env, std::ptrdiff_t const* index) {
  std::ptrdiff_t at = Plan::storage.accesses[Access].base;
  [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
    ((at += Plan::storage.accesses[Access].stride[I] * index[I]), ...);
  }(std::make_integer_sequence<int, (Rank > 0 ? Rank - 1 : 0)>{});
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

template <class Plan, int First, int N, int Rank>
struct step_table {
  struct table {
    emitted_step of[N];
  };
  static constexpr table make() {
    table t{};
    step const* const from = Plan::storage.steps + First;
    for (int i = 0; i < N; ++i) {
      step const& s = from[i];
      std::uint64_t const key = static_cast<std::uint64_t>(s.kind) | static_cast<std::uint64_t>(s.op) << 8 |
                                static_cast<std::uint64_t>(s.from) << 16 | static_cast<std::uint64_t>(s.type) << 24;
      emitted_step& e = t.of[i];
      e = {key, s.d, s.a, s.b, s.c, 0, s.bits, s.scale, false, no_axis};
      if (is_memory(s.kind)) {
        e.key = key | static_cast<std::uint64_t>(s.access) << 32;
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

// Pointers for the loads and stores of a row, one base for each access of the box. Column 0 may be outside of the buffer, if a box begins
// later in the row.
template <class Plan, int Access>
struct row_pointer {
  element_t<Plan::storage.buffers[Plan::storage.accesses[Access].buffer].type>* p;
  std::ptrdiff_t first;
};
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
    return Stores ? is_memory(kind) : kind == step_kind::load;
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
template <class Plan, int... Access>
struct row_pointers : row_pointer<Plan, Access>... {
  static constexpr bool in_strips = false;  // emit/kernels/short_rows.hpp
  template <int Rank, class Env>
  EXPRAX_INLINE static constexpr row_pointers make([[maybe_unused]] Env const& env, [[maybe_unused]] std::ptrdiff_t const* index) {
    return {row_pointer<Plan, Access>{env.template buffer<Plan::storage.accesses[Access].buffer>(),
                                      row_offset<Plan, Access, Rank>(env, index)}...};
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
    using F = element_t<static_cast<dtype>(Key >> 16 & 0xff)>;
    using T = element_t<static_cast<dtype>(Key >> 24 & 0xff)>;
    [[maybe_unused]] auto& to = static_cast<file<T>&>(r).of;
    [[maybe_unused]] auto& from = static_cast<file<F>&>(r).of;
    if constexpr (is_store(kind)) {
      if constexpr (Phase == phase::compute) return;
      else if constexpr (kind == step_kind::store_element)
        static_cast<typename Env::template file_of<T> const&>(env).of[s.slot][s.bits] = to[s.a].value;
      else store_lanes<T, L, Pointers::template stride<access, Rank>, Count>(to[s.a], at.template lane<access, Rank>(x));
    } else if constexpr (Phase == phase::store) {
      return;
    } else if constexpr (kind == step_kind::load_element) {
      to[s.d] = simd::pack<T, L>(static_cast<typename Env::template file_of<T> const&>(env).of[s.slot][s.bits]);
    } else if constexpr (kind == step_kind::load) {
      to[s.d] = load_lanes<T, L, Pointers::template stride<access, Rank>, Count, Pointers::template place<access, Rank>>(
          at.template lane<access, Rank>(x));
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
