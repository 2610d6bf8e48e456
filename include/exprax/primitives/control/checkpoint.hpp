// SPDX-License-Identifier: BSL-1.0
// checkpoint (jax.checkpoint, jax.remat): a call of a block whose intermediate values are computed again where the derivative reads them,
// instead of being stored. Parameters: whether it is that second computation; whether that is kept apart from the first (prevent_cse); then
// the policies, which say what is stored nevertheless: for each its number, how many names it has, and two words of the hash of each. One
// block.
#pragma once

#include <exprax/primitives/contractions/dot_general.hpp>
#include <exprax/primitives/control/call.hpp>

namespace exprax {

enum class checkpoint_policy : std::uint8_t {
  nothing_saveable,
  everything_saveable,
  dots_saveable,
  dots_with_no_batch_dims_saveable,
  save_anything_except_these_names,
  save_any_names_but_these,
  save_only_these_names,
};

// The two words by which a policy knows a name (FNV-1a).
struct name_hash {
  int words[2];
  constexpr explicit name_hash(std::string_view text) : words{} {
    std::uint64_t h = 14695981039346656037u;
    for (char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
    words[0] = static_cast<int>(static_cast<std::uint32_t>(h)), words[1] = static_cast<int>(static_cast<std::uint32_t>(h >> 32));
  }
};

template <>
struct primitive<prim::checkpoint> : detail::call_family<prim::checkpoint> {
  static constexpr std::string_view name = "checkpoint";

  static constexpr bool differentiated(equation_ref const& e) { return e.param(0) != 0; }
  static constexpr bool prevents_cse(equation_ref const& e) { return e.param(1) != 0; }
  static constexpr int first_policy = 2;
  static constexpr checkpoint_policy policy(equation_ref const& e, int at) { return static_cast<checkpoint_policy>(e.param(at)); }
  static constexpr int next_policy(equation_ref const& e, int at) { return at + 2 + 2 * e.param(at + 1); }
  // Whether passes must not join its equations with those around it.
  static constexpr bool stays_apart(equation_ref const& e) { return differentiated(e) && prevents_cse(e); }
  // Whether the results of an equation in the block are stored.
  static constexpr bool saves(equation_ref const& e, equation_ref const& inner) {
    for (int at = first_policy; at < e.n_par(); at = next_policy(e, at))
      if (saves(e, at, inner)) return true;
    return false;
  }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_par() < first_policy || e.e.n_blk != 1) return false;
    int at = first_policy;
    while (at + 1 < e.n_par()) at = next_policy(e, at);
    return at == e.n_par() && detail::infer_call(e, out);
  }
  template <class Context>
  static constexpr void partial_eval(Context& c, equation_ref const& e) {
    detail::arena<int> par = detail::parameters_of(e);
    par[0] = 1;
    c.recompute(e, par, [&](equation_ref const& inner) { return saves(e, inner); });
  }
  template <class Lowering>
  static constexpr void lower(Lowering& l, equation_ref const& e) {
    l.inlined(e);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    constexpr std::string_view names[] = {"nothing_saveable",
                                          "everything_saveable",
                                          "dots_saveable",
                                          "dots_with_no_batch_dims_saveable",
                                          "save_anything_except_these_names",
                                          "save_any_names_but_these",
                                          "save_only_these_names"};
    o.key("differentiated");
    o.boolean(differentiated(e));
    o.key("jaxpr");
    o.block(0);
    o.key("policy");
    if (e.n_par() == first_policy) o.text("None");
    else if (next_policy(e, first_policy) < e.n_par()) o.text("save_from_both_policies");
    else o.text(names[e.param(first_policy)]);
    o.key("prevent_cse");
    o.boolean(prevents_cse(e));
  }

 private:
  static constexpr bool saves(equation_ref const& e, int at, equation_ref const& inner) {
    bool const is_name = inner.e.op == prim::name;
    switch (policy(e, at)) {
      case checkpoint_policy::nothing_saveable: return false;
      case checkpoint_policy::everything_saveable: return true;
      case checkpoint_policy::dots_saveable: return inner.e.op == prim::dot_general || inner.e.op == prim::conv_general_dilated;
      case checkpoint_policy::dots_with_no_batch_dims_saveable:
        return inner.e.op == prim::dot_general && dot_numbers(inner.params()).lhs_batch.size() == 0;
      case checkpoint_policy::save_anything_except_these_names: return !is_name || !names_it(e, at, inner);
      case checkpoint_policy::save_any_names_but_these: return is_name && !names_it(e, at, inner);
      case checkpoint_policy::save_only_these_names: return is_name && names_it(e, at, inner);
    }
    return false;
  }
  static constexpr bool names_it(equation_ref const& e, int at, equation_ref const& of_name) {
    name_hash const hash(of_name.p.names[of_name.param(0)].view());
    for (int i = at + 2; i < next_policy(e, at); i += 2)
      if (e.param(i) == hash.words[0] && e.param(i + 1) == hash.words[1]) return true;
    return false;
  }
};

}  // namespace exprax
