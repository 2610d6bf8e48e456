// SPDX-License-Identifier: BSL-1.0
// lower(f)(args...): what jit(f) computes on arguments of these types, in the languages of XLA (jax.jit(f).lower(args)):
//
//   std::cout << ex::lower(f)(ex::f32<3>).as_text();        // StableHLO
//   static_assert(ex::lower(f)(ex::f32<3>).as_text("hlo") == "HloModule jit_f, ...");
//   std::cout << ex::lower(f)(ex::f32<3>).as_text("plan");  // the kernels that run here, and their scratch buffers
//   file << ex::lower(f)(ex::f32<3>).as_text("memory");     // their scratch memory over time, an SVG picture
//
// The text is generated on demand. lower<f>() names the module after the object f.
#pragma once

#include <exprax/api/jit.hpp>
#include <exprax/text/hlo/hlo.hpp>
#include <exprax/text/memory_map.hpp>
#include <exprax/text/plan.hpp>
#include <exprax/text/stablehlo/stablehlo.hpp>
#include <exprax/text/stablehlo/stablehlo_lowering.hpp>

namespace exprax {

namespace detail {

// The path of each leaf in the result, as in JAX: result, result[0], result[1][0]; members of a struct by index.
class result_paths {
 public:
  template <class Tree>
  constexpr void add() {
    if constexpr (is_leaf<Tree>) {
      text_.write("result");
      for (char c : path_) text_.put(c);
      ends_.push(text_.size());
    } else if constexpr (!is_empty_tree<Tree>) {
      add_children<Tree>(std::make_index_sequence<node<Tree>::size>{});
    }
  }
  constexpr arena<std::string_view> views() const {
    arena<std::string_view> v;
    int from = 0;
    for (int end : ends_) {
      v.push(text_.view().substr(static_cast<std::size_t>(from), static_cast<std::size_t>(end - from)));
      from = end;
    }
    return v;
  }

 private:
  template <class Tree, std::size_t... I>
  constexpr void add_children(std::index_sequence<I...>) {
    (add_child<Tree, I>(), ...);
  }
  template <class Tree, std::size_t I>
  constexpr void add_child() {
    int const before = path_.size();
    text_buffer step;
    if constexpr (hana_map<Tree>) {
      step.write("['");
      step.write(std::string_view(node<Tree>::template key<I>::c_str()));
      step.write("']");
    } else {
      step.put('[');
      step.integer(static_cast<int>(I));
      step.put(']');
    }
    for (char c : step.view()) path_.push(c);
    add<child_t<Tree, I>>();
    path_.shrink(before);
  }
  text_buffer text_;
  arena<int> ends_;
  arena<char> path_;
};

enum class dialect { stablehlo, hlo, plan, memory };
constexpr std::string_view dialect_name(dialect d) {
  return d == dialect::stablehlo ? "stablehlo" : d == dialect::hlo ? "hlo" : d == dialect::plan ? "plan" : "memory";
}

// The dialect whose name has this length. The type of a text says which dialect it is, so that no other text is generated, and a type
// cannot depend on more of a name that is an argument. as_text compares the names.
constexpr dialect dialect_with_length(std::size_t length) {
  for (dialect d : {dialect::hlo, dialect::plan, dialect::memory})
    if (dialect_name(d).size() == length) return d;
  return dialect::stablehlo;
}

// F is traced into Program.
template <class F, class Program, dialect Dialect>
constexpr void write_lowered(text_buffer& to) {
  if constexpr (Dialect == dialect::plan) {
    using plan = planned<compiled<Program>>;
    plan_printer(plan::storage, plan::sizes, plan::program::ref, to).print(function_name<F>);
  } else if constexpr (Dialect == dialect::memory) {
    using plan = planned<compiled<Program>>;
    memory_map_printer(plan::storage, plan::sizes, plan::program::ref, to).print(function_name<F>);
  } else {
    program random;
    if constexpr (has_keys(Program::ref)) random = expand_random(Program::ref);
    auto const m = stablehlo_lowering(has_keys(Program::ref) ? random.ref() : Program::ref, function_name<F>).take();
    if constexpr (Dialect == dialect::hlo) {
      hlo_printer(m).print(to);
    } else {
      result_paths paths;
      paths.add<typename Program::result>();
      stablehlo_printer(m, paths.views()).print(to);
    }
  }
}

template <class F, class Program, dialect Dialect>
struct lowered_source : buffered_text<lowered_source<F, Program, Dialect>> {
  static constexpr void print(text_buffer& to) { write_lowered<F, Program, Dialect>(to); }
};

// Reached by as_text of another dialect: not a constant expression.
inline void the_dialects_are_stablehlo_hlo_plan_and_memory() {}

}  // namespace detail

// The text of a lowered function; it converts to std::string_view, and prints.
template <class F, class Program, detail::dialect Dialect>
struct lowered_text {
  // In static storage.
  static constexpr std::string_view str() { return detail::text_of<detail::lowered_source<F, Program, Dialect>>::view(); }
  constexpr operator std::string_view() const { return str(); }

  friend constexpr bool operator==(lowered_text, std::string_view text) {
    detail::text_buffer made;
    detail::write_lowered<F, Program, Dialect>(made);
    return made == text;
  }
  template <class G, class Other>
  friend constexpr bool operator==(lowered_text a, lowered_text<G, Other, Dialect> b) {
    return a == b.str();
  }
  template <detail::stream Stream>
  friend Stream& operator<<(Stream& stream, lowered_text) {
    detail::text_buffer made;
    detail::write_lowered<F, Program, Dialect>(made);
    stream.write(made.data(), made.size());
    return stream;
  }
};

// A function that is traced but not compiled (jax.stages.Lowered).
template <class F, class Program>
struct lowered {
  using program = Program;

  static constexpr lowered_text<F, Program, detail::dialect::stablehlo> as_text() { return {}; }
  // "stablehlo", "hlo", "plan": the kernels that jit(f) runs on this target, or "memory": a picture of their scratch memory, as SVG. There
  // kernels are from left to right and bytes from the bottom up; a rectangle is a buffer, from its first write to its last read.
  template <std::size_t N>
  static consteval lowered_text<F, Program, detail::dialect_with_length(N - 1)> as_text(char const (&name)[N]) {
    if (std::string_view(name, N - 1) != detail::dialect_name(detail::dialect_with_length(N - 1)))
      detail::the_dialects_are_stablehlo_hlo_plan_and_memory();
    return {};
  }
};

template <class F>
struct lower_t {
  template <class... Args>
  constexpr auto operator()(Args const&...) const {
    if constexpr (detail::can_trace<F, Args...>()) return lowered<F, detail::traced_with<F, Args...>>{};
  }
};
template <class F>
constexpr lower_t<F> lower(F) {
  return {};
}
// For a jit: lowers the function that it calls.
template <class F, bool Inline>
constexpr lower_t<F> lower(detail::jitted<F, Inline>) {
  return {};
}
// For a static constexpr object, which may have state, and which names the module.
template <auto const& Object>
constexpr lower_t<detail::object_ref<Object>> lower() {
  return {};
}

}  // namespace exprax
