// rejects: donate_argnums names an argument that the call does not have
#include <exprax/exprax.hpp>

int main() { (void)exprax::jit([](auto a) { return a + 1.0f; }, exprax::donate_argnums<1>)(exprax::array<float, 3>{1, 2, 3}); }
