// SPDX-License-Identifier: BSL-1.0
// jvp(f, primals, tangents): the value of f, and its directional derivative (jax.jvp), by forward mode.
#pragma once

#include <exprax/api/derivatives/differentiated.hpp>

namespace exprax {

namespace detail {

// Words in error texts.
template <class Primals, class Tangents>
struct primals_and_tangents;
template <bool Same, class Shown>
inline constexpr bool have_one_structure = Same;

// A call of jvp as a function of the tuples of primals and tangents.
template <class F, bool Aux, bool Records = false>
struct pushed_forward {
  [[no_unique_address]] F f;

  template <class... P, class Tangents>
  constexpr auto operator()(std::tuple<P...> const& primals, Tangents const& tangents) const {
    if constexpr (check_arguments<std::tuple<P...>, Tangents>()) {
      using p = to_expr_t<std::tuple<P...>>;
      using t = to_expr_t<Tangents>;
      constexpr bool fits = becomes_like<p, t>;
      static_assert(
          have_one_structure<fits, primals_and_tangents<p, t>>,
          "exprax: jvp: primal and tangent arguments must have the same tree structure, dtypes and shapes: this message names both");
      if constexpr (!fits) {
        return after_an_error<std::tuple<P...>, Tangents>();
      } else if constexpr (!can_be_applied<F, p>) {
        static_assert(can_be_applied<F, p>, EXPRAX_ARGUMENTS("jvp: the function", "the primals"));
        return after_an_error<std::tuple<P...>, Tangents>();
      } else if constexpr (Records || in_a_trace<std::tuple<P...>, Tangents> || !is_stateless<F>) return record(primals, tangents);
      else if constexpr (is_free<std::tuple<P...>, Tangents> && holds_deferred<std::tuple<P...>, Tangents>)
        return defer<pushed_forward>([&] { return record(primals, tangents); }, primals, tangents);
      else return jit(*this)(primals, tangents);
    }
  }
  template <class... P, class Tangents>
  constexpr auto record(std::tuple<P...> const& primals, Tangents const& tangents) const {
    arena<handle> pushed = handles_of(lift_tangents<to_expr_t<std::tuple<P...>>>(tangents));
    auto const call = std::apply([&](auto const&... x) { return close_call(recorder<F>::of(f), x...); }, primals);
    return write<program_ref>(call, pushed);
  }

 private:
  template <class Program, class Call>
  static constexpr auto write(Call const& call, arena<handle>& pushed) {
    using results = typename Call::results;
    handle at = call.on;
    for (handle& h : pushed) join(at, h);
    Call const moved = resolved(call);
    tape* const t = moved.tape_of();
    program const body = program_of<Program>(moved);
    arena<char> marks, out;
    arena<int> operands = moved.operands, tangents;
    for (int k = 0; k < operands.size(); ++k) {
      bool const has_tangent = k >= moved.n_captures && is_inexact(t->type(operands[k]).type);
      marks.push(has_tangent);
      if (has_tangent) tangents.push(resolve(pushed[k - moved.n_captures]).id);
    }
    program const made = jvp_program<Program>(body.ref(), marks, out, true);
    t->has_dead_blocks = true;
    t->blame(made.wrong);
    if (needs_reverse_mode(made.ref())) t->blame({mistake::forward_mode_of_a_custom_vjp});
    operands.append(tangents);
    arena<int> const values = splice(*t, made.ref(), operands);
    results outputs{};
    map_t<results, tangent_leaf> derivatives{};
    int k = 0, at_tangent = out.size();
    assign_leaves(outputs, [&](aval const&) { return handle(t, values[k++]); });
    k = 0;
    assign_leaves(derivatives, [&](aval const& type) { return handle(t, out[k++] ? values[at_tangent++] : add_zeros(*t, type)); });
    if constexpr (Aux) return std::tuple(std::get<0>(outputs), std::get<0>(derivatives), std::get<1>(outputs));
    else return std::tuple(outputs, derivatives);
  }
};
template <class F, bool Aux>
struct recorder<pushed_forward<F, Aux>> {
  using type = pushed_forward<F, Aux, true>;
  static constexpr type of(pushed_forward<F, Aux> const& f) { return {f.f}; }
};
template <class F, bool Aux, bool Records>
inline constexpr std::string_view function_name<pushed_forward<F, Aux, Records>> = function_name<F>;

}  // namespace detail

// (f(primals...), its derivative along the tangents): two trees of the same structure, dtypes and shapes; tangents of integers are bool
// zeros. primals, tangents: tuples with an entry for each argument. has_aux: f returns (value, aux), the result is (value, tangent, aux)
// (jax.jvp). Errors: tangents whose tree, dtypes or shapes differ from those of the primals.
template <class F, class Primals, class Tangents, class... Options>
constexpr auto jvp(F f, Primals const& primals, Tangents const& tangents, Options...) {
  EXPRAX_TAKES("jvp", "has_aux", Options...)
    return detail::pushed_forward<F, (std::is_same_v<Options, has_aux_t> || ...)>{f}(primals, tangents);
}

}  // namespace exprax
