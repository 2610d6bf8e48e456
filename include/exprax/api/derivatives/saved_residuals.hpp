// SPDX-License-Identifier: BSL-1.0
// saved_residuals(f)(args...): what reverse mode keeps of a call of f (jax.ad_checkpoint.print_saved_residuals), as text and in bytes, in
// constant expressions:
//
//   static_assert(ex::saved_residuals([](auto x) { return ex::sin(x); })(ex::f32<3>) == "f32[3] output of cos\n");
#pragma once

#include <exprax/api/derivatives/differentiated.hpp>
#include <exprax/text/words.hpp>

namespace exprax {

namespace detail {

// The residuals of a program: the values that the primal part of its linearization returns for the linear part, each once.
struct residual_list {
  program primal;
  arena<int> values;

  template <class Program>
  constexpr explicit residual_list(Program p) {
    program const body = differentiable<Program>(p);
    arena<char> marks;
    marks.resize(body.ref().main().n_in, 1);
    linearized at = linearize_program<Program>(body.ref(), marks);
    primal = static_cast<program&&>(at.primal);
    for (int v : at.residuals(ref().outs(ref().main())))
      if (!ref().is_literal(v) && !contains(v)) values.push(v);
  }
  constexpr program_ref ref() const { return primal.ref(); }
  constexpr std::ptrdiff_t size_in_bytes() const {
    std::ptrdiff_t n = 0;
    for (int v : values) n += ref().type(v).size() * size_of(ref().type(v).type);
    return n;
  }
  // In JAX's order: constants, arguments, results of equations.
  constexpr void write(text_buffer& to) const {
    struct block const& b = ref().main();
    for (int v : values) {
      if (!ref().is_constant(v)) continue;
      type_of(to, v);
      to.write("from a constant\n");
    }
    for (int k = 0; k < b.n_in; ++k) {
      if (!contains(ref().ins(b)[k])) continue;
      type_of(to, ref().ins(b)[k]);
      to.write("from the argument at flattened index ");
      to.integer(k);
      to.put('\n');
    }
    for (eqn const& e : ref().body(b)) {
      for (int k = 0; k < e.n_out; ++k) {
        if (!contains(e.out + k)) continue;
        type_of(to, e.out + k);
        origin(to, e);
      }
    }
  }

 private:
  constexpr bool contains(int v) const { return position(values, v) >= 0; }
  constexpr void type_of(text_buffer& to, int v) const {
    write_type(to, ref().type(v));
    to.put(' ');
  }
  constexpr void origin(text_buffer& to, eqn const& e) const {
    if (e.op == prim::name) {
      to.write("named '");
      to.write(ref().names[ref().param(e, 0)].view());
      to.write("'\n");
    } else if (e.op == prim::jit) {
      to.write("output of jitted function '");
      to.write(ref().names[ref().param(e, 0)].view());
      to.write("'\n");
    } else {
      to.write("output of ");
      to.write(primitive_name(e.op));
      to.put('\n');
    }
  }
};

template <class Program>
struct residuals_text : buffered_text<residuals_text<Program>> {
  static constexpr void print(text_buffer& to) { residual_list(Program::ref).write(to); }
};

}  // namespace detail

// A line for each residual, and the bytes of all. The passes may keep less: jit(grad(f)).memory_analysis tells the memory of a call.
template <class Program>
struct saved_residuals_of {
  static constexpr std::string_view str() { return detail::text_of<detail::residuals_text<Program>>::view(); }
  static constexpr std::ptrdiff_t size_in_bytes() { return bytes; }
  friend constexpr bool operator==(saved_residuals_of, std::string_view text) { return str() == text; }
  template <detail::stream Stream>
  friend Stream& operator<<(Stream& stream, saved_residuals_of) {
    stream.write(str().data(), static_cast<std::ptrdiff_t>(str().size()));
    return stream;
  }

 private:
  static constexpr std::ptrdiff_t bytes = detail::residual_list(Program::ref).size_in_bytes();
};

template <class F>
struct saved_residuals_t {
  template <class... Args>
  constexpr auto operator()(Args const&...) const {
    if constexpr (detail::can_trace<F, Args...>()) return saved_residuals_of<detail::traced_with<F, Args...>>{};
  }
};
// f is differentiated with respect to all of its arguments.
template <class F>
constexpr saved_residuals_t<F> saved_residuals(F) {
  return {};
}

}  // namespace exprax
