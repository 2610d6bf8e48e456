// SPDX-License-Identifier: BSL-1.0
#include <array>
#include <doctest/doctest.h>
#include <exprax/types/view.hpp>
#include <span>
#include <vector>

namespace ex = exprax;

constexpr bool writes_through() {
  ex::array<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
  ex::view<float, 2, 3> v = a;
  v(1, -1) = 9;
  ex::view<float const, 2, 3> c = v;
  return a(1, 2) == 9 && c(1, 2) == 9 && c.end() - c.begin() == 6;
}
static_assert(writes_through());
static_assert(std::is_trivially_copyable_v<ex::view<float, 2>>);
static_assert(std::is_convertible_v<ex::array<float, 2> const&, ex::view<float const, 2>>);
static_assert(!std::is_constructible_v<ex::view<float, 2>, ex::array<float, 2> const&>);
static_assert(!std::is_constructible_v<ex::view<float, 2, 3>, float (&)[3][2]>);

// Stand-ins for the objects of other libraries.
struct row_major_matrix {
  static constexpr int IsRowMajor = 1, IsVectorAtCompileTime = 0;
  double m[4] = {1, 2, 3, 4};
  double* data() { return m; }
  long size() const { return 4; }
};
struct mdspan_2x2 {
  using rank_type = std::size_t;
  static constexpr rank_type rank() { return 2; }
  float* p;
  float* data_handle() const { return p; }
  int extent(rank_type) const { return 2; }
  int stride(rank_type r) const { return r == 0 ? 2 : 1; }
};

TEST_CASE("a view wraps the memory of others") {
  float c_array[2][2] = {{1, 2}, {3, 4}};
  float flat[4] = {1, 2, 3, 4};
  std::vector<float> vec(flat, flat + 4);
  std::array<float, 4> arr{1, 2, 3, 4};
  row_major_matrix eigen;
  CHECK(ex::view<float, 2, 2>(c_array)(1, 0) == 3);
  CHECK(ex::view<float, 2, 2>(flat)(1, 0) == 3);
  CHECK(ex::view<float, 2, 2>(vec)(1, 0) == 3);
  CHECK(ex::view<float const, 2, 2>(std::as_const(vec))(1, 0) == 3);
  CHECK(ex::view<float, 2, 2>(arr)(1, 0) == 3);
  CHECK(ex::view<float, 2, 2>(std::span(arr))(1, 0) == 3);
  CHECK(ex::view<double, 2, 2>(eigen)(1, 0) == 3);
  CHECK(ex::view<float, 2, 2>(mdspan_2x2{flat})(1, 0) == 3);
  CHECK(ex::view<float, 2, 2>(&flat[0]).data() == flat);
  CHECK(float(ex::view<float>(&flat[2])) == 3);
}
