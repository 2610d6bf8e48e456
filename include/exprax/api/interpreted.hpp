// SPDX-License-Identifier: BSL-1.0
// EXPRAX_DISABLE_JIT (jax_disable_jit): a call on arrays runs its traced program by the reference interpreter, equation by equation, in
// place of passes, plan and emitted code.
#pragma once

#include <iterator>
#include <memory>
#include <tuple>

#include <exprax/emit/kernels/print_values.hpp>
#include <exprax/legalize/interpret.hpp>

namespace exprax::detail {

// debug_print of an interpreted program.
inline void print_interpreted(void*, equation_ref const& e, std::uint64_t const* const* operands) {
  text_buffer line;
  std::string_view text = primitive<prim::debug_print>::text(e);
  for (int k = 0; k < e.n_in(); ++k) {
    if (!write_until_placeholder(line, text)) break;
    with_element(e.type(k).type, [&]<class T>(element_tag<T>) {
      std::ptrdiff_t const n = e.type(k).size();
      std::unique_ptr<T[]> const elements(new T[static_cast<std::size_t>(n)]);
      for (std::ptrdiff_t i = 0; i < n; ++i) elements[static_cast<std::size_t>(i)] = from_bits<T>(operands[k][i]);
      write_printed(line, printed<T>{elements.get(), e.type(k)});
    });
  }
  write_until_placeholder(line, text);
  line.put('\n');
  std::fwrite(line.data(), 1, static_cast<std::size_t>(line.size()), stdout);
}

// Neither inline nor constexpr, so that an explicit instantiation declaration spares a source the interpreter's code.
template <class Program>
arena<arena<std::uint64_t>> interpret_at_run_time(Program p, span<std::uint64_t const*> inputs) {
  return interpret(p, inputs, &print_interpreted);
}

// The elements of an argument as the interpreter takes them.
template <class T>
constexpr arena<std::uint64_t> patterns_of(T const* from, std::ptrdiff_t n) {
  arena<std::uint64_t> r;
  for (std::ptrdiff_t i = 0; i < n; ++i)
    for (std::uint64_t p : element_patterns<T>(from[i]).of) r.push(p);
  return r;
}

// Runs a traced program. Results are written after all arguments are read, so their memory may overlap.
template <class Traced, class... In, class... Out>
constexpr void execute_interpreted(std::tuple<In const*...> const& in, std::tuple<Out*...> const& out) {
  constexpr program_ref p = Traced::ref;
  arena<arena<std::uint64_t>> arguments;
  arena<std::uint64_t const*> pointers;
  int k = 0;
  std::apply([&](auto const*... from) { (arguments.push(patterns_of(from, p.type(p.ins(p.main())[k++]).size())), ...); }, in);
  for (auto const& a : arguments) pointers.push(a.data());
  arena<arena<std::uint64_t>> results;
  if (__builtin_is_constant_evaluated()) results = interpret(p, pointers);
  else results = interpret_at_run_time(p, pointers);
  k = 0;
  std::apply(
      [&](auto*... to) {
        ([&] {
          using T = std::remove_pointer_t<decltype(to)>;
          constexpr int n = static_cast<int>(std::size(element_patterns<T>(T{}).of));
          arena<std::uint64_t> const& r = results[k++];
          for (int i = 0; i < r.size() / n; ++i) to[i] = element_patterns<T>::read(r.data() + i * n);
        }(), ...);
      },
      out);
}

}  // namespace exprax::detail
