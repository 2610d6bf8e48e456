// rejects: a donated argument is given up: move it in, jit\(f, donate_argnums<0>\)\(std::move\(x\)\)
#include <exprax/exprax.hpp>

int main() {
  exprax::array<float, 3> const x{1, 2, 3};
  (void)exprax::jit([](auto a) { return a + 1.0f; }, exprax::donate_argnums<0>)(x);
}
