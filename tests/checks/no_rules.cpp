// The include alone instantiates no table of rules: programs pay for the transforms that they use.
#include <exprax/primitives/primitive.hpp>

namespace exprax::detail {

// More constrained, so that it is taken instead.
template <template <prim> class Rule, class R, class... A>
  requires(sizeof(R*) > 0)
struct rule_table<Rule, R(A...)> {
  static_assert(sizeof(R*) == 0, "the include instantiates a table of rules: what leads to it has to be a template");
  static constexpr R (*functions)(A...) = nullptr;
};

}  // namespace exprax::detail

#include <exprax/exprax.hpp>
