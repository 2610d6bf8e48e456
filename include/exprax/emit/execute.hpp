// SPDX-License-Identifier: BSL-1.0
// execute<P>(inputs, outputs) runs the plan of a program kernel by kernel: with packs at run time, element by element in constant
// evaluation.
#pragma once

#include <tuple>

#include <exprax/emit/control.hpp>
#include <exprax/emit/kernels/scratch.hpp>

namespace exprax::detail {

// In constant evaluation each buffer is an array of its own element type.
template <class T>
struct constant_scratch {
  T* elements = nullptr;
  constexpr constant_scratch() = default;
  constant_scratch(constant_scratch const&) = delete;
  constant_scratch& operator=(constant_scratch const&) = delete;
  constexpr ~constant_scratch() { delete[] elements; }
};

// Buffers of keys have the type of the key's only member; in constant evaluation they are copies. Given: the elements are set.
template <class T, std::ptrdiff_t N, bool Given>
EXPRAX_INLINE constexpr T* elements_at(T const* user) {
  return const_cast<T*>(user);
}
template <class T, std::ptrdiff_t N, bool Given>
EXPRAX_INLINE constexpr std::uint64_t* elements_at(prng_key const* user) {
  if (!__builtin_is_constant_evaluated()) return reinterpret_cast<std::uint64_t*>(const_cast<prng_key*>(user));
  std::uint64_t* const words = new std::uint64_t[N + 1]{};
  for (std::ptrdiff_t i = 0; Given && i < N; ++i) words[i] = user[i].bits;
  return words;
}
template <std::ptrdiff_t N, class T>
constexpr void release_elements(T const*, T const*) {}
template <std::ptrdiff_t N>
constexpr void release_elements(prng_key const*, std::uint64_t const* words) {
  delete[] words;
}
template <std::ptrdiff_t N>
constexpr void release_elements(prng_key* user, std::uint64_t const* words) {
  for (std::ptrdiff_t i = 0; i < N; ++i) user[i].bits = words[i];
  delete[] words;
}

template <class Plan, int B, class Env, class Inputs, class Outputs>
EXPRAX_INLINE constexpr void bind_user_buffer(Env& env, Inputs const& in, Outputs const& out) {
  constexpr storage_class where = Plan::storage.buffers[B].where;
  using T = element_t<Plan::storage.buffers[B].type>;
  constexpr std::ptrdiff_t size = Plan::storage.buffers[B].size;
  if constexpr (where == storage_class::input) {
    env.template bind<B>(elements_at<T, size, true>(std::get<Plan::storage.buffers[B].index>(in)));
  } else if constexpr (where == storage_class::output) {
    env.template bind<B>(elements_at<T, size, false>(std::get<Plan::storage.buffers[B].index>(out)));
  } else if constexpr (where == storage_class::constant) {
    env.template bind<B>(const_cast<T*>(constant_elements<Plan, B>::data.of));
  }
}
template <class Plan, int B, class Env>
EXPRAX_INLINE void bind_scratch(Env& env, std::byte* scratch) {
  if constexpr (Plan::storage.buffers[B].where == storage_class::scratch)
    env.template bind<B>(reinterpret_cast<element_t<Plan::storage.buffers[B].type>*>(scratch + Plan::storage.buffers[B].offset));
}
template <class Plan, int B, class Env>
constexpr void allocate_scratch(Env& env) {
  using T = element_t<Plan::storage.buffers[B].type>;
  if constexpr (Plan::storage.buffers[B].where == storage_class::scratch) {
    T* elements = new T[Plan::storage.buffers[B].size + 1]{};  // not in the call: g++ -Wall evaluates arguments of calls
    env.template bind<B>(elements);
  }
}
template <class Plan, int B, class Env, class Inputs, class Outputs>
constexpr void release(Env& env, Inputs const& in, Outputs const& out) {
  constexpr storage_class where = Plan::storage.buffers[B].where;
  constexpr std::ptrdiff_t size = Plan::storage.buffers[B].size;
  if constexpr (where == storage_class::scratch) delete[] env.template buffer<B>();
  else if constexpr (where == storage_class::input)
    release_elements<size>(std::get<Plan::storage.buffers[B].index>(in), env.template buffer<B>());
  else if constexpr (where == storage_class::output)
    release_elements<size>(std::get<Plan::storage.buffers[B].index>(out), env.template buffer<B>());
}

// Calls f(integral_constant<int, B>) for each buffer, in groups short enough for fold expressions.
template <int First, int End, class F>
EXPRAX_INLINE constexpr void for_each_index(F const& f) {
  constexpr int n = End - First < 128 ? End - First : 128;
  if constexpr (n > 0) {
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE { (f(std::integral_constant<int, First + I>{}), ...); }
    (std::make_integer_sequence<int, n>{});
    for_each_index<First + n, End>(f);
  }
}

// Whether the plan takes about as long as a call: all its buffers together are small, and no loop runs other kernels. It is then worth
// inlining into the user's function, at the user's level of optimization.
template <class Plan>
constexpr bool is_short() {
  if (Plan::sizes.scans > 0 || Plan::sizes.whiles > 0) return false;
  std::ptrdiff_t bytes = 0;
  for (int b = 0; b < Plan::sizes.buffers; ++b) bytes += Plan::storage.buffers[b].size * size_of(Plan::storage.buffers[b].type);
  return bytes <= 1024;
}

// The kernels at run time. The functions take plain pointers, because the caller passes them in registers.
template <class Plan, class Inputs, class Outputs>
struct run_time;
template <class Plan, class... In, class... Out>
struct run_time<Plan, std::tuple<In...>, std::tuple<Out...>> {
  EXPRAX_FLATTEN static void execute(In... in, Out... out) { run(in..., out...); }
  EXPRAX_OPTIMIZED EXPRAX_FLATTEN static void execute_optimized(In... in, Out... out) { run(in..., out...); }

 private:
  EXPRAX_INLINE static void run(In... in, Out... out) {
    environment<Plan> env;
    scratch_memory<Plan::sizes.scratch> scratch;
    for_each_index<0, Plan::sizes.buffers>([&](auto b) EXPRAX_LAMBDA_INLINE {
      bind_user_buffer<Plan, decltype(b)::value>(env, std::tuple<In...>(in...), std::tuple<Out...>(out...));
      bind_scratch<Plan, decltype(b)::value>(env, scratch.data());
    });
    run_kernels<Plan, Plan::sizes.main.first, Plan::sizes.main.count, true>(env);
  }
};

template <class Plan, class Inputs, class Outputs>
EXPRAX_ALWAYS_INLINE constexpr void execute_plan(Inputs const& in, Outputs const& out) {
  if (__builtin_is_constant_evaluated()) {
    environment<Plan> env;
    for_each_index<0, Plan::sizes.buffers>([&](auto b) {
      bind_user_buffer<Plan, decltype(b)::value>(env, in, out);
      allocate_scratch<Plan, decltype(b)::value>(env);
    });
    run_kernels<Plan, Plan::sizes.main.first, Plan::sizes.main.count, false>(env);
    for_each_index<0, Plan::sizes.buffers>([&](auto b) { release<Plan, decltype(b)::value>(env, in, out); });
  } else if constexpr (is_short<Plan>()) {
    std::apply(run_time<Plan, Inputs, Outputs>::execute, std::tuple_cat(in, out));
  } else {
    std::apply(run_time<Plan, Inputs, Outputs>::execute_optimized, std::tuple_cat(in, out));
  }
}

// The type that stores an element in a program: the bits of a 16-bit float, the two parts of a complex number.
template <class T>
struct held_as {
  using type = T;
  static constexpr int count = 1;
  EXPRAX_INLINE static constexpr T part(T x, int) { return x; }
};
template <class T>
  requires(is_half_type<T>)
struct held_as<T> {
  using type = std::uint16_t;
  static constexpr int count = 1;
  static constexpr type part(T x, int) { return x.bits(); }
  static constexpr T whole(type const* p) { return T::from_bits(*p); }
};
template <class T>
struct held_as<std::complex<T>> {
  using type = T;
  static constexpr int count = 2;
  static constexpr T part(std::complex<T> x, int k) { return k == 0 ? x.real() : x.imag(); }
  static constexpr std::complex<T> whole(T const* p) { return {p[0], p[1]}; }
};
template <class T>
using held_as_t = typename held_as<T>::type;
template <class T>
inline constexpr bool holds_itself = std::is_same_v<held_as_t<T>, T>;

// Elements in their stored form. At run time the same memory; in constant evaluation, which cannot reinterpret memory, a copy that is
// written back.
template <class T>
EXPRAX_ALWAYS_INLINE held_as_t<T>* held(T* p) {
  if constexpr (holds_itself<T>) return p;
  else return reinterpret_cast<held_as_t<T>*>(p);
}
template <class T>
EXPRAX_ALWAYS_INLINE held_as_t<T> const* held(T const* p) {
  return held(const_cast<T*>(p));
}
template <class T>
struct held_operand {
  T const* p;
  std::ptrdiff_t n;
  T* back;
};
template <class T>
class held_copy {
 public:
  constexpr explicit held_copy(held_operand<T> const& o) : parts_(new held_as_t<T>[o.n * held_as<T>::count + 1]{}), back_(o.back), n_(o.n) {
    if (back_) return;
    for (std::ptrdiff_t i = 0; i < n_; ++i)
      for (int k = 0; k < held_as<T>::count; ++k) parts_[i * held_as<T>::count + k] = held_as<T>::part(o.p[i], k);
  }
  held_copy(held_copy const&) = delete;
  held_copy& operator=(held_copy const&) = delete;
  constexpr ~held_copy() { delete[] parts_; }
  constexpr held_as_t<T>* data() const { return parts_; }
  constexpr void write_back() const {
    for (std::ptrdiff_t i = 0; back_ && i < n_; ++i) back_[i] = held_as<T>::whole(parts_ + i * held_as<T>::count);
  }

 private:
  held_as_t<T>* parts_;
  T* back_;
  std::ptrdiff_t n_;
};
template <class T>
  requires(holds_itself<T>)
class held_copy<T> {
 public:
  constexpr explicit held_copy(held_operand<T> const& o) : p_(o.back ? o.back : const_cast<T*>(o.p)) {}
  constexpr T* data() const { return p_; }
  constexpr void write_back() const {}

 private:
  T* p_;
};
template <class Plan, class... In, class... Out, std::size_t... I, std::size_t... J>
constexpr void execute_on_copies(std::tuple<In const*...> const& in, std::tuple<Out*...> const& out, std::index_sequence<I...>,
                                 std::index_sequence<J...>) {
  constexpr program_ref p = Plan::program::ref;
  std::tuple<held_copy<In>...> const from(
      held_operand<In>{std::get<I>(in), p.type(p.ins(p.main())[I]).size() / held_as<In>::count, nullptr}...);
  std::tuple<held_copy<Out>...> const to(
      held_operand<Out>{std::get<J>(out), p.type(p.outs(p.main())[J]).size() / held_as<Out>::count, std::get<J>(out)}...);
  execute_plan<Plan>(std::tuple<held_as_t<In> const*...>(std::get<I>(from).data()...),
                     std::tuple<held_as_t<Out>*...>(std::get<J>(to).data()...));
  (std::get<J>(to).write_back(), ...);
}

// P: a frozen, optimized program.
template <class P, class... In, class... Out>
EXPRAX_ALWAYS_INLINE constexpr void execute(std::tuple<In const*...> const& in, std::tuple<Out*...> const& out) {
  if constexpr ((holds_itself<In> && ...) && (holds_itself<Out> && ...)) {
    execute_plan<planned<P>>(in, out);
  } else if (__builtin_is_constant_evaluated()) {
    execute_on_copies<planned<P>>(in, out, std::index_sequence_for<In...>{}, std::index_sequence_for<Out...>{});
  } else {
    execute_plan<planned<P>>(std::apply([](auto const*... p) __attribute__((always_inline)) { return std::tuple(held(p)...); }, in),
                             std::apply([](auto*... p) __attribute__((always_inline)) { return std::tuple(held(p)...); }, out));
  }
}

}  // namespace exprax::detail
