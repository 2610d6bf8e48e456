// SPDX-License-Identifier: BSL-1.0
// execute<P>(inputs, outputs) runs a program: its plan, kernel by kernel, at run time with packs and in constant evaluation
// with single elements. Scratch memory stands on the stack up to 128 KiB, else on the heap.
#pragma once

#include <memory>
#include <new>
#include <tuple>

#include <exprax/emit/control.hpp>

namespace exprax::detail {

inline constexpr std::ptrdiff_t largest_stack_scratch = 128 * 1024;

template <std::ptrdiff_t Bytes>
class scratch_memory {
 public:
  std::byte* data() { return bytes_; }

 private:
  alignas(64) std::byte bytes_[Bytes > 0 ? Bytes : 1];
};
template <std::ptrdiff_t Bytes>
  requires(Bytes > largest_stack_scratch)
class scratch_memory<Bytes> {
 public:
  scratch_memory() : bytes_(static_cast<std::byte*>(::operator new(static_cast<std::size_t>(Bytes), std::align_val_t{64}))) {}
  scratch_memory(scratch_memory const&) = delete;
  scratch_memory& operator=(scratch_memory const&) = delete;
  ~scratch_memory() { ::operator delete(bytes_, std::align_val_t{64}); }
  std::byte* data() { return bytes_; }

 private:
  std::byte* bytes_;
};

// In constant evaluation each buffer is an array of its own type.
template <class T>
struct constant_scratch {
  T* elements = nullptr;
  constexpr constant_scratch() = default;
  constant_scratch(constant_scratch const&) = delete;
  constant_scratch& operator=(constant_scratch const&) = delete;
  constexpr ~constant_scratch() { delete[] elements; }
};

template <class Plan, int B, class Env, class Inputs, class Outputs>
EXPRAX_INLINE constexpr void bind_user_buffer(Env& env, Inputs const& in, Outputs const& out) {
  constexpr storage_class where = Plan::storage.buffers[B].where;
  if constexpr (where == storage_class::input) {
    using T = element_t<Plan::storage.buffers[B].type>;
    env.template bind<B>(const_cast<T*>(std::get<Plan::storage.buffers[B].index>(in)));
  } else if constexpr (where == storage_class::output) {
    env.template bind<B>(std::get<Plan::storage.buffers[B].index>(out));
  } else if constexpr (where == storage_class::constant) {
    using T = element_t<Plan::storage.buffers[B].type>;
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
  if constexpr (Plan::storage.buffers[B].where == storage_class::scratch) env.template bind<B>(new T[Plan::storage.buffers[B].size + 1]{});
}
template <class Plan, int B, class Env>
constexpr void release_scratch(Env& env) {
  if constexpr (Plan::storage.buffers[B].where == storage_class::scratch) delete[] env.template buffer<B>();
}

// Calls f(integral_constant<int, B>) for each buffer, in groups that folds allow.
template <int First, int End, class F>
EXPRAX_INLINE constexpr void for_each_index(F const& f) {
  constexpr int n = End - First < 128 ? End - First : 128;
  if constexpr (n > 0) {
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE { (f(std::integral_constant<int, First + I>{}), ...); }(std::make_integer_sequence<int, n>{});
    for_each_index<First + n, End>(f);
  }
}

template <class Plan, class Inputs, class Outputs>
EXPRAX_INLINE constexpr void execute_plan(Inputs const& in, Outputs const& out) {
  environment<Plan> env;
  for_each_index<0, Plan::sizes.buffers>([&](auto b) EXPRAX_LAMBDA_INLINE { bind_user_buffer<Plan, decltype(b)::value>(env, in, out); });
  if (std::is_constant_evaluated()) {
    for_each_index<0, Plan::sizes.buffers>([&](auto b) { allocate_scratch<Plan, decltype(b)::value>(env); });
    run_kernels<Plan, Plan::sizes.main.first, Plan::sizes.main.count, false>(env);
    for_each_index<0, Plan::sizes.buffers>([&](auto b) { release_scratch<Plan, decltype(b)::value>(env); });
  } else {
    execute_at_run_time<Plan>(env);
  }
}
template <class Plan, class Env>
EXPRAX_INLINE void execute_at_run_time(Env& env) {
  scratch_memory<Plan::sizes.scratch> scratch;
  for_each_index<0, Plan::sizes.buffers>([&](auto b) EXPRAX_LAMBDA_INLINE { bind_scratch<Plan, decltype(b)::value>(env, scratch.data()); });
  run_kernels<Plan, Plan::sizes.main.first, Plan::sizes.main.count, true>(env);
}

// P: a frozen, optimized program.
template <class P, class... In, class... Out>
EXPRAX_INLINE constexpr void execute(std::tuple<In const*...> const& in, std::tuple<Out*...> const& out) {
  execute_plan<planned<P>>(in, out);
}

}  // namespace exprax::detail
