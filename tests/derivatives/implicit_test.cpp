// SPDX-License-Identifier: BSL-1.0
// custom_root and custom_linear_solve: derivatives by the equation, where the function that solves it is a loop until convergence.
#include <doctest/doctest.h>

#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

// The root of f by Newton's method, from the guess.
constexpr auto newton = [](auto f, auto guess) {
  auto const again = [=](auto c) { return (ex::abs(f(c)) > 1e-12); };
  auto const step = [=](auto c) {
    auto const [value, slope] = ex::jvp(f, ex::tuple(c), ex::tuple(1.0));
    return c - value / slope;
  };
  return ex::while_loop(again, step, guess);
};
constexpr auto divided = [](auto g, auto y) { return y / g(1.0); };
constexpr auto square_root = [](auto a) { return ex::custom_root([=](auto x) { return x * x - a; }, a, newton, divided); };

constexpr ex::array<double> nine(9), eight(8), five(5);
static_assert(ex::isclose(ex::jit(square_root)(nine), 3.0));
static_assert(ex::isclose(ex::jit(ex::grad(square_root))(nine), 1 / 6.0));
static_assert(ex::isclose(ex::jit(ex::jacfwd(ex::grad(square_root)))(nine), -1 / 108.0));
static_assert(ex::isclose(ex::jit(ex::grad(ex::grad(square_root)))(nine), -1 / 108.0));

// x^3 = a and y = x b: a tree, a system that is solved by its Jacobian, and what else the solver knows.
constexpr auto system = [](auto a, auto b) {
  auto const f = [=](auto v) {
    auto const [x, y] = v;
    return ex::tuple(x * x * x - a, y - x * b);
  };
  auto const solve = [=](auto, auto) {
    auto const x = ex::exp(ex::log(ex::stop_gradient(a)) / 3.0);
    return ex::tuple(ex::tuple(x, x * b), ex::array<int>(7));
  };
  auto const tangent_solve = [](auto g, auto v) {
    auto const [u, w] = v;
    auto const [a00, a10] = g(ex::tuple(1.0, 0.0));
    auto const [a01, a11] = g(ex::tuple(0.0, 1.0));
    auto const det = a00 * a11 - a01 * a10;
    return ex::tuple((u * a11 - w * a01) / det, (w * a00 - u * a10) / det);
  };
  return ex::custom_root(f, ex::tuple(a, b), solve, tangent_solve, ex::has_aux);
};
constexpr auto second = [](auto a, auto b) {
  auto const [roots, number] = system(a, b);
  return ex::get<1>(roots) * number;
};
static_assert(ex::isclose(ex::jit(second)(eight, five), 70.0));
// y = b a^(1/3): dy/da = b / (3 a^(2/3)), dy/db = a^(1/3).
static_assert([] {
  auto const [da, db] = ex::jit(ex::grad(second, ex::argnums<0, 1>))(eight, five);
  return ex::isclose(da, 7 * 5 / 12.0) && ex::isclose(db, 14.0);
}());

// ---- Linear equations, by conjugate gradients

constexpr auto conjugate_gradients = [](auto matvec, auto b) {
  auto const step = [=](auto, auto c) {
    auto const [x, r, p, rr] = c;
    auto const q = matvec(p);
    auto const alpha = rr / (ex::dot(p, q) + 1e-300);
    auto const next = r - alpha * q;
    auto const norm = ex::dot(next, next);
    return ex::tuple(x + alpha * p, next, next + norm / (rr + 1e-300) * p, norm);
  };
  return ex::get<0>(ex::fori_loop(0, 4, step, ex::tuple(ex::zeros_like(b), b, b, ex::dot(b, b))));
};
constexpr auto solved = [](auto a, auto b) {
  return ex::custom_linear_solve([=](auto x) { return ex::dot(a, x); }, b, conjugate_gradients, ex::symmetric);
};
constexpr auto by_elimination = [](auto a, auto b) {
  return ex::custom_linear_solve([=](auto x) { return ex::dot(a, x); }, b, [=](auto, auto y) { return ex::linalg::solve(a, y); },
                                 [=](auto, auto y) { return ex::linalg::solve(ex::transpose(a), y); });
};
constexpr ex::array<double, 3, 3> matrix{{4, 1, 0}, {1, 3, 0.5}, {0, 0.5, 2}};
constexpr ex::array<double, 3> side{1, -2, 3};
template <auto const& Solve>
constexpr auto norm = [](auto a, auto b) { return ex::sum(ex::square(Solve(a, b))); };
constexpr auto reference = [](auto a, auto b) { return ex::sum(ex::square(ex::linalg::solve(a, b))); };

static_assert(ex::make_jaxpr([](auto a, auto b) {
                return ex::custom_linear_solve([=](auto x) { return a * x; }, b, [=](auto, auto y) { return y / a; });
              })(ex::f32<2>, ex::f32<2>) == R"({ lambda ; a:f32[2] b:f32[2]. let
    c:f32[2] = custom_linear_solve[
      const_lengths=LinearSolve(matvec=1, solve=1)
      jaxprs=LinearSolve(matvec={ lambda ; d:f32[2] e:f32[2]. let
          f:f32[2] = mul d e
        in (f,) }, solve={ lambda ; g:f32[2] h:f32[2]. let
          i:f32[2] = div h g
        in (i,) })
    ] a a b
  in (c,) })");

}  // namespace

TEST_CASE("custom_root") {
  CHECK(ex::allclose(ex::vmap(ex::grad(square_root))(ex::array<double, 3>{1, 4, 9}), ex::array<double, 3>{0.5, 0.25, 1 / 6.0})());
  ex::array<double> const a(2.0);
  CHECK(ex::isclose(ex::grad(square_root)(a), 0.5 / ex::sqrt(a))());
}

TEST_CASE("custom_linear_solve") {
  ex::array<double, 3, 3> const a = matrix;
  ex::array<double, 3> const b = side;
  auto const [a_bar, b_bar] = ex::grad(norm<solved>, ex::argnums<0, 1>)(a, b);
  auto const [a_ref, b_ref] = ex::grad(reference, ex::argnums<0, 1>)(a, b);
  CHECK(ex::allclose(a_bar, a_ref)());
  CHECK(ex::allclose(b_bar, b_ref)());
  CHECK(ex::allclose(ex::hessian(norm<by_elimination>)(a, b), ex::hessian(reference)(a, b))());
  CHECK(ex::allclose(ex::hessian(norm<solved>, ex::argnums<1>)(a, b), ex::hessian(reference, ex::argnums<1>)(a, b))());
  CHECK(ex::allclose(ex::jacfwd(solved)(a, b), ex::jacrev(solved)(a, b))());
  // In a batch of right-hand sides the matrix is one.
  ex::array<double, 2, 3> const sides{{1, -2, 3}, {0, 1, 0}};
  auto const all = ex::vmap(ex::grad(norm<solved>, ex::argnums<1>), ex::in_axes<ex::none, 0>)(a, sides);
  CHECK(ex::allclose(all(0), b_ref)());
}
