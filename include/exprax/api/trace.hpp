// SPDX-License-Identifier: BSL-1.0
// traced<F, Args...>: the program of a callable on arguments of these types. Args are trees of exprs and constants; the
// function runs once for the sizes and once for the tables, in constant evaluation. traced::ref is the program,
// traced::result the tree of exprs that the function returns.
#pragma once

#include <exprax/api/check_callable.hpp>
#include <exprax/api/mistakes.hpp>
#include <exprax/base/names.hpp>
#include <exprax/api/recorder.hpp>
#include <exprax/legalize/element_scatters.hpp>
#include <exprax/primitives/convert.hpp>
#include <exprax/primitives/copy.hpp>
#include <exprax/program/blocks.hpp>
#include <exprax/program/lift_tree.hpp>
#include <exprax/transforms/expand_vmap.hpp>

namespace exprax::detail {

template <class F, class... Args>
struct trace_of {
  using function = F;
  using returned = decltype(std::declval<recorder_t<F> const&>()(std::declval<Args&>()...));
  using result = lifted_result_t<returned>;

  // g++ 12 copies array members, as in std::array, without the copy constructors of the elements: the reference count of the tape may be
  // too low, so the tape gets extra references.
  static constexpr int many = 1 << 24;

  // size: the number of values to make room for, where it is known.
  static constexpr program make(int size = 0) {
    handle const root(new tape, handle::no_value);
    root.on->bound = true;
    root.on->owners += many;
    root.on->expect(size);
    arena<int> inputs, outputs;
    {
      arena<handle> out;
      std::tuple<Args...> args{};
      assign_leaves(args, [&](aval const& type) {
        inputs.push(root.on->add_value(root.on->find_static_type(type)));
        return handle(root.on, inputs.back());
      });
      // No function call in between: each one adds a line to error texts.
      if constexpr (std::is_void_v<returned>) call_with(recorder_t<F>{}, args);
      else push_handles(out, lift_tree(call_with(recorder_t<F>{}, args)));
      int k = 0;
      for_each_leaf(args, [&](auto const& x) {
        if (expr_access::differs(x, handle(root.on, inputs[k++]))) root.on->blame({mistake::assigns_to_a_parameter});
      });
      for (handle& h : out) {
        handle r = root;
        join(r, h);
        outputs.push(h.id);
      }
    }
    root.on->owners = 1;
    bool const copied = root.on->has_dead_blocks, names_axes = root.on->names_axes;
    root.on->close_from(0, inputs, outputs);
    program p = root.on->finish();
    if (copied) {
      program alive = block_alone(p.ref(), p.ref().main_id());
      alive.wrong = p.wrong;
      p = std::move(alive);
    }
    if (std::is_void_v<returned> && p.wrong.what == mistake::none && !prints(p.ref())) p.wrong.what = mistake::returns_nothing;
    if (names_axes && p.wrong.what == mistake::none && unbound_axis(p.ref()).text[0] != 0) p.wrong.what = mistake::unbound_axis_name;
    return p;
  }
};

template <trace_summary S>
struct sized {
  static constexpr bool constant = true;
  static constexpr program_sizes value = S.sizes;
  using wrong = typename decltype(describe<S.wrong, S.name>())::type;
};
struct not_constant {
  static constexpr bool constant = false;
  static constexpr program_sizes value{};
  using wrong = no_mistake;
};
// A default template argument is evaluated once; a return type would be evaluated twice.
#if defined(__clang__)
// The program is a named variable: clang up to 16 does not free a temporary in a template argument.
template <class Source>
constexpr trace_summary summary_of() {
  program const p = Source::make();
  return summary(p);
}
template <class Source, class Sized = sized<summary_of<Source>()>>
constexpr Sized probe(int);
#else
// g++ would show that function in its errors.
template <class Source, class Sized = sized<summary(Source::make())>>
constexpr Sized probe(int);
#endif
template <class Source>
constexpr not_constant probe(...);

template <class Source, bool Constant>
struct cause {};
template <class Source>
struct cause<Source, false> {
  static constexpr program_sizes what_cannot_run_while_compiling = Source::make().sizes();
};

// The condition of the static_assert names the function and its arguments.
template <bool Constant, class Trace>
inline constexpr bool can_be_traced = Constant;
// clang 19 cannot capture the names of `auto [a, b]` in constant evaluation.
#ifdef __clang__
#define EXPRAX_OR_CAPTURES ", captures a name of `auto [a, b]` (write [a = a])"
#else
#define EXPRAX_OR_CAPTURES
#endif
template <bool Constant, class Trace>
constexpr bool check_traceable() {
  static_assert(
      can_be_traced<Constant, Trace>,
      "exprax: this function cannot run while compiling, as tracing does: if no error above says why, it prints" EXPRAX_OR_CAPTURES
      ", or uses a variable or a "
      "function that is not constexpr (the next error names it: for std::sqrt there is ex::sqrt), or the trace is longer than the "
      "compiler's limit for constant evaluation: write the loop as ex::fori_loop or ex::scan, or raise the limit (clang: "
      "-fconstexpr-steps=<n>, g++: -fconstexpr-ops-limit=<n>)");
  if constexpr (!Constant) static_cast<void>(cause<Trace, false>::what_cannot_run_while_compiling);
  return Constant;
}

#undef EXPRAX_OR_CAPTURES

// The program that texts and the interpreter see.
template <class Traced>
struct with_scatters {
  static constexpr program_sizes sizes = element_scatter_sizes(Traced::recorded);
  static constexpr program make() { return element_scatters(Traced::recorded); }
};
template <class Traced>
constexpr program_ref ref_with_scatters() {
  if constexpr (with_scatters<Traced>::sizes == Traced::sizes) return Traced::recorded;
  else return frozen_within<with_scatters<Traced>, with_scatters<Traced>::sizes>::ref;
}
template <class Traced>
struct expanded_source {
  static constexpr program make() { return expand_vmap(ref_with_scatters<Traced>()); }
};
template <class Traced>
constexpr program_ref expanded_ref() {
  if constexpr (has_deferred(Traced::recorded)) return frozen<expanded_source<Traced>>::ref;
  else return ref_with_scatters<Traced>();
}

template <class F, class... Args>
struct traced : trace_of<F, Args...> {
  using source = trace_of<F, Args...>;
  using found = decltype(probe<source>(0));
  using wrong = typename found::wrong;
  static_assert(binds_all_names<wrong>,
                "exprax: unbound axis name: the one that this message shows. A collective (ex::psum, ...) is called outside of ex::vmap(f, "
                "ex::axis_name<...>) for that name");
  static_assert(results_have_their_axis<wrong>,
                "exprax: vmap has mapped output but out_axes is none (this message shows the number of the result, and the axis on which "
                "it is batched): give that result an axis in out_axes");
  static_assert(has_the_expected_size<wrong>,
                "exprax: a collective expects another size of the mapped axis than it has (the axis, what is expected): all_gather and "
                "tiled all_to_all take it as ex::axis_size<n>; all_to_all requires the size of the mapped axis to equal that of "
                "split_axis");
  static_assert(
      permutes_the_axis<wrong>,
      "exprax: ppermute: the permutation doesn't match the axis size (the axis, the permutation): under vmap every index has one pair");
  static_assert(is_permutation_of_all<wrong>,
                "exprax: ppermute, pshuffle: `perm` does not represent a permutation: an index is missing or occurs twice");
  static_assert(returns_a_value<wrong>,
                "exprax: this function returns nothing: its `return` is missing, or an error above is in it (only what prints may do "
                "without)");
  static_assert(
      leaves_its_parameters<wrong>,
      "exprax: this function assigns to a parameter `auto&`: arguments do not change. Take it by value (`auto x`), and return what is new");
  static_assert(has_derivative_rules<wrong>,
                "exprax: Differentiation rule for the primitive that this message names is not implemented: use ex::stop_gradient on its "
                "operands, if its derivative is not needed");
  static_assert(
      runs_backwards<wrong>,
      "exprax: Reverse-mode differentiation does not work for lax.while_loop or lax.fori_loop with dynamic start/stop values. Try using "
      "lax.scan, using lax.fori_loop with static start/stop, or using ex::jvp or ex::jacfwd");
  static_assert(takes_all_as_arguments<wrong>,
                "exprax: custom_jvp, custom_vjp: the function or a rule captures traced values: give them as arguments");
  static_assert(runs_forwards<wrong>,
                "exprax: can't apply forward-mode differentiation (jvp) to a custom_vjp function: use ex::custom_jvp, or reverse mode");
  static_assert(has_unique_indices<wrong>,
                "exprax: scatter_mul gradients are only implemented if the indices are unique: say so by ex::unique_indices, or use "
                "ex::stop_gradient on the update");
  static_assert(has_a_transpose_solve<wrong>,
                "exprax: transpose_solve required for backwards mode automatic differentiation of custom_linear_solve: give it, or "
                "ex::symmetric");
  static constexpr bool constant = check_traceable<found::constant, source>() && std::is_same_v<wrong, no_mistake>;
  static constexpr program_sizes sizes = found::value;
  // The size is an argument of the function for the reason given at frozen (program/program.hpp).
  static constexpr program_storage<sizes> storage = [](int size) {
    if constexpr (found::constant) return to_storage<sizes>(source::make(size));
    else return static_cast<void>(cause<source, false>::what_cannot_run_while_compiling), program_storage<sizes>{};
  }(sizes.values + 16);
  // As recorded; and with its vmap equations expanded and JAX's scatters, for texts and the interpreter.
  static constexpr program_ref recorded = constant ? storage.ref() : program_ref{};
  static constexpr program_ref ref = expanded_ref<traced>();
};

// After an error in the function itself the call has no type; an empty program prevents further errors.
template <class F, class... Args>
  requires(!callable_with<F, Args...>)
struct traced<F, Args...> {
  using result = std::tuple<>;
  using wrong = no_mistake;
  static constexpr bool constant = false;
  static constexpr program_sizes sizes{.blocks = 1};
  static constexpr program_storage<sizes> storage{};
  static constexpr program_ref recorded = storage.ref();
  static constexpr program_ref ref = recorded;
};

template <class F, class... Args>
constexpr bool can_trace() {
  if constexpr (check_stateless<F>() && (check_tree<Args>() && ...)) return check_callable<F, to_expr_t<Args>...>();
  else return false;
}

// Traced with the types of the arguments: arrays, views, specs and numbers of the same shape share one program.
template <class F, class... Args>
using traced_with = traced<F, to_expr_t<Args>...>;

}  // namespace exprax::detail
