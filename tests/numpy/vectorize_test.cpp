// SPDX-License-Identifier: BSL-1.0
// vectorize: shapes, the jaxprs of jax.numpy.vectorize, and values. The shapes are those of its documentation.
#include <exprax/exprax.hpp>

namespace ex = exprax;

namespace {

template <auto const& F, class... X>
constexpr bool gives_shape(std::initializer_list<int> dims, X... x) {
  using result = decltype(ex::eval_shape(F, x...));
  return result::type.same_shape(ex::aval(ex::dtype::f32, dims));
}

constexpr auto dot = ex::vectorize<"(n),(n)->()">([](auto x, auto y) { return ex::dot(x, y); });
static_assert(gives_shape<dot>({}, ex::f32<3>, ex::f32<3>));
static_assert(gives_shape<dot>({2}, ex::f32<2, 3>, ex::f32<3>));
static_assert(gives_shape<dot>({2, 2}, ex::f32<1, 2, 3>, ex::f32<2, 1, 3>));
static_assert(gives_shape<dot>({5, 1, 2}, ex::f32<5, 1, 1, 3>, ex::f32<2, 3>));
static_assert(gives_shape<dot>({1}, ex::f32<1, 3>, ex::f32<3>));
static_assert(gives_shape<dot>({0}, ex::f32<0, 3>, ex::f32<3>));

constexpr auto cross = ex::vectorize<"(k),(k)->(k)">([](auto a, auto b) {
  return ex::stack(std::array<ex::expr<float>, 3>{a(1) * b(2) - a(2) * b(1), a(2) * b(0) - a(0) * b(2), a(0) * b(1) - a(1) * b(0)});
});
static_assert(gives_shape<cross>({3}, ex::f32<3>, ex::f32<3>));
static_assert(gives_shape<cross>({2, 3}, ex::f32<2, 3>, ex::f32<3>));
static_assert(gives_shape<cross>({2, 2, 3}, ex::f32<1, 2, 3>, ex::f32<2, 1, 3>));

constexpr auto product = ex::vectorize<"(n,m),(m)->(n)">([](auto matrix, auto vector) { return ex::matmul(matrix, vector); });
static_assert(gives_shape<product>({2}, ex::f32<2, 3>, ex::f32<3>));
static_assert(gives_shape<product>({4, 2}, ex::f32<2, 3>, ex::f32<4, 3>));

// The axes that one argument has are mapped for it alone; those of one element are dropped, and come back in the result.
static_assert(ex::make_jaxpr(dot)(ex::f32<2, 1, 3>, ex::f32<1, 3>) == R"({ lambda ; a:f32[2,1,3] b:f32[1,3]. let
    c:f32[2,3] = squeeze[dimensions=(1,)] a
    d:f32[3] = squeeze[dimensions=(0,)] b
    e:f32[2] = dot_general[
      dimension_numbers=(([1], [0]), ([], []))
      preferred_element_type=float32
    ] c d
    f:f32[2,1] = broadcast_in_dim[broadcast_dimensions=(0,)] e
  in (f,) })");

// Without a signature, all is scalars; excluded arguments are as they are given; several results.
constexpr auto scaled = ex::vectorize([](auto x, auto pair, auto y) { return ex::tuple(x * ex::get<0>(pair), y + ex::get<1>(pair)); }, ex::excluded<1>);
constexpr auto split = ex::vectorize<"(n)->(),(m)">([](auto x) { return ex::tuple(ex::sum(x), ex::concatenate(ex::tuple(x, x))); });
// A callable with captures, inside of a traced function.
constexpr auto capturing = [](auto x, auto k) { return ex::vectorize([&](auto v) { return v * k; })(x); };

template <int... D>
using floats = ex::array<float, D...>;

constexpr floats<2, 3> x{{1, 2, 3}, {4, 5, 6}};
static_assert(dot(floats<2, 1, 3>{{{0, 1, 2}}, {{3, 4, 5}}}, floats<2, 3>{{0, 1, 2}, {3, 4, 5}}) == floats<2, 2>{{5, 14}, {14, 50}});
static_assert(dot(x, floats<3>{1, 1, 2}) == floats<2>{9, 21});
static_assert(cross(floats<2, 3>{{1, 0, 0}, {0, 1, 0}}, floats<3>{0, 0, 1}) == floats<2, 3>{{0, -1, 0}, {1, 0, 0}});
static_assert(scaled(floats<3>{1, 2, 3}, ex::tuple(10.0f, 5.0f), floats<2, 1>{{1}, {2}}) ==
              std::tuple(floats<2, 3>{{10, 20, 30}, {10, 20, 30}}, floats<2, 3>{{6, 6, 6}, {7, 7, 7}}));
static_assert(split(x) == std::tuple(floats<2>{6, 15}, floats<2, 6>{{1, 2, 3, 1, 2, 3}, {4, 5, 6, 4, 5, 6}}));
static_assert(ex::jit(capturing)(x, 2.0f) == floats<2, 3>{{2, 4, 6}, {8, 10, 12}});

}  // namespace
