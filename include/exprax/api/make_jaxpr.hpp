// SPDX-License-Identifier: BSL-1.0
// make_jaxpr(f)(args...): the jaxpr of f on arguments of these types (jax.make_jaxpr), as text in constant expressions:
//
//   static_assert(ex::make_jaxpr(f)(ex::f32<3>) == "{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }");
//
// The text is generated on demand; without it, the cost is that of tracing.
#pragma once

#include <exprax/api/trace.hpp>
#include <exprax/text/jaxpr/jaxpr.hpp>

namespace exprax {

namespace detail {

// In equations. Shorter jaxprs are printed as constants, which takes compilers one or two milliseconds an equation; longer ones are made at
// run time by code that takes some seconds to compile.
inline constexpr int longest_constant_jaxpr = 500;

}  // namespace detail

// A jaxpr: the program as a type.
template <class Program>
struct jaxpr {
  using program = Program;

  static constexpr program_ref ref() { return Program::ref; }
  static constexpr std::string_view str() { return detail::jaxpr_text<Program>::view(); }
  constexpr operator std::string_view() const { return str(); }

  friend constexpr bool operator==(jaxpr, std::string_view text) { return detail::jaxpr_equals(Program::ref, text); }
  template <class Other>
  friend constexpr bool operator==(jaxpr, jaxpr<Other>) {
    return detail::jaxpr_equals(Program::ref, jaxpr<Other>::str());
  }
  template <detail::stream Stream>
  friend Stream& operator<<(Stream& stream, jaxpr) {
    if constexpr (Program::ref.n.eqns <= detail::longest_constant_jaxpr)
      stream.write(str().data(), static_cast<std::ptrdiff_t>(str().size()));
    else detail::print_jaxpr(stream, Program::ref);
    return stream;
  }
};

template <class F>
struct make_jaxpr_t {
  template <class... Args>
  constexpr auto operator()(Args const&...) const {
    if constexpr (detail::can_trace<F, Args...>()) return jaxpr<detail::traced_with<F, Args...>>{};
  }
};
template <class F>
constexpr make_jaxpr_t<F> make_jaxpr(F) {
  return {};
}
// For a static constexpr object, which may have state.
template <auto const& Object>
constexpr make_jaxpr_t<detail::object_ref<Object>> make_jaxpr() {
  return {};
}

}  // namespace exprax
