// SPDX-License-Identifier: BSL-1.0
// array<T, Dims...>: a dense row-major array that owns its elements. Its size is exactly that of the elements. Up to 4 KiB they are stored
// in the object, which is then trivially copyable; larger arrays use the heap, so that the stack does not overflow and a move copies a
// pointer. array<T> without dims is a scalar and converts from and to T. All of it is constexpr.
#pragma once

#include <initializer_list>

#include <exprax/types/extents.hpp>
#include <exprax/types/methods.hpp>
#include <exprax/types/storage.hpp>

namespace exprax {

// Requests uninitialized elements: array<float, 1000> a(uninitialized).
struct uninitialized_t {};
inline constexpr uninitialized_t uninitialized{};

namespace detail {

// Another C++ type of the same dtype.
template <class U, class T>
concept spelling_of = std::is_integral_v<U> && std::is_integral_v<T> && !std::is_same_v<U, T> && dtype_of<U> == dtype_of<T>;

constexpr bool all_are(int n, std::initializer_list<std::size_t> list) {
  for (std::size_t x : list)
    if (x != static_cast<std::size_t>(n)) return false;
  return true;
}

// Arrays whose elements come from a call that has not run yet (types/storage.hpp), for the library.
struct array_access {
  template <class Array, class Call>
  static constexpr Array make(Call* call) {
    return Array(uninitialized, call);
  }
  template <class Array>
  static constexpr auto pending(Array const& a) {
    return a.storage_.pending();
  }
};

// Compilers print their arguments with the static_asserts.
template <class Assigned>
inline constexpr bool is_a_part_in_place = false;
template <class... U>
inline constexpr bool can_be_elements = false;
template <class Array>
inline constexpr bool has_one_truth_value = Array::size() == 1;

}  // namespace detail

template <class T, int... Dims>
class array : public detail::methods<array<T, Dims...>, detail::extents<T, Dims...>> {
  using base = detail::methods<array, detail::extents<T, Dims...>>;

 public:
  using value_type = T;
  using base::rank, base::extent, base::size;

  // All elements zero.
  constexpr array() { fill(T{}); }
  constexpr explicit array(uninitialized_t) {}

  array(array const&) = default;
  array(array&&) = default;
  array& operator=(array const&) & = default;
  array& operator=(array&&) & = default;
  // An index that selects more than one element gives a copy.
  template <class V>
  constexpr void operator=(V const&) && {
    static_assert(
        detail::is_a_part_in_place<V>,
        "exprax: a(i) = v changes nothing, for what a(i) selects here is a copy: write a = a.at(i).set(v), with the same indices");
  }

  // A scalar.
  template <detail::element_for<T> U>
    requires(sizeof...(Dims) == 0)
  constexpr array(U value) {
    *data() = detail::as_element<T>(value);
  }
  constexpr operator T() const
    requires(sizeof...(Dims) == 0)
  {
    return *data();
  }

  // The same dtype in another C++ type: long long and std::int64_t.
  template <detail::spelling_of<T> U>
  constexpr array(array<U, Dims...> const& other) {
    for (std::ptrdiff_t i = 0; i < size(); ++i) data()[i] = static_cast<T>(other.data()[i]);
  }

  // The truth value of an array with one element; as in NumPy, larger arrays have none.
  template <class B>
    requires(std::is_same_v<B, bool> && sizeof...(Dims) > 0)
  constexpr explicit operator B() const {
      static_assert(detail::has_one_truth_value<array>,
                    "exprax: the truth value of an array with more than one element is ambiguous (`if`, `&&`, `||`, `!`): use "
                    "ex::array_equal(a, b), ex::all(x) or ex::any(x); element by element: &, | and ~");
      if constexpr (detail::has_one_truth_value<array>)
        return *data() != T{};
      else
        return false;
  }

  // All elements in row-major order: array<float, 2, 2>{1, 2, 3, 4}.
  template <detail::element_source<T>... U>
    requires(sizeof...(Dims) > 0 && sizeof...(U) > 0 && sizeof...(U) == base::size())
  constexpr explicit(sizeof...(U) == 1) array(U const&... values) {
    T const list[] = {detail::element_from<T>(values)...};
    T* to = data();
    for (T x : list) *to++ = x;
  }
  template <class... U>
    requires(sizeof...(U) > 1 && (false || ... || detail::is_traced_value<U>))
  constexpr array(U const&...) : array() {
    static_assert(detail::can_be_elements<U...>, "exprax: an array of traced values is one traced value: write ex::stack(ex::tuple(x, y))");
  }
  // Nested braces, up to rank 4: array<float, 2, 3>{{1, 2, 3}, {4, 5, 6}}. A row that is too long or too short does not compile.
  template <std::size_t... B>
    requires(rank == 2 && sizeof...(B) == extent(0) && detail::all_are(extent(1), {B...}))
  constexpr array(T const (&... rows)[B]) {
    T const* const list[] = {rows...};
    T* to = data();
    for (T const* row : list)
      for (int i = 0; i < extent(1); ++i) *to++ = row[i];
  }
  template <std::size_t... B, std::size_t C>
    requires(rank == 3 && sizeof...(B) == extent(0) && detail::all_are(extent(1), {B...}) && C == extent(2))
  constexpr array(T const (&... blocks)[B][C]) {
    T const(*const list[])[C] = {blocks...};
    T* to = data();
    for (T const(*block)[C] : list)
      for (int i = 0; i < extent(1); ++i)
        for (T x : block[i]) *to++ = x;
  }
  template <std::size_t... B, std::size_t C, std::size_t D>
    requires(rank == 4 && sizeof...(B) == extent(0) && detail::all_are(extent(1), {B...}) && C == extent(2) && D == extent(3))
  constexpr array(T const (&... blocks)[B][C][D]) {
    T const(*const list[])[C][D] = {blocks...};
    T* to = data();
    for (T const(*block)[C][D] : list)
      for (int i = 0; i < extent(1); ++i)
        for (auto const& row : block[i])
          for (T x : row) *to++ = x;
  }
  // The elements of a contiguous range of the same size, in row-major order, or of ranges in ranges, as std::vector<std::vector<float>>. An
  // array is such a range too: std::vector<float>(a.begin(), a.end()), std::span<float const>(a).
  template <detail::contiguous R>
  constexpr explicit array(R const& range) {
    static_assert(detail::nesting<T, R>() == 1 || detail::nesting<T, R>() <= rank, "exprax: array: more ranges in each other than axes");
    detail::copy_elements(range, data(), base::type.dims, size());
  }
  // Every element the same.
  static constexpr array full(T value) {
    array a(uninitialized);
    a.fill(value);
    return a;
  }

  constexpr T* data() { return storage_.data(); }
  constexpr T const* data() const { return storage_.data(); }
  constexpr T* begin() { return data(); }
  constexpr T const* begin() const { return data(); }
  constexpr T* end() { return data() + size(); }
  constexpr T const* end() const { return data() + size(); }

  // One element; a negative index counts from the end. An index out of range is an error in builds without NDEBUG; in others it is clamped,
  // as reads of jax.Array are. Of a temporary, such as x(0), which is a copy of row 0, it is a value: x(0)(1) = 3 does not compile.
  template <std::integral... I>
    requires(sizeof...(I) == sizeof...(Dims))
  constexpr T& operator()(I... index) & {
    return data()[base::checked_offset(index...)];
  }
  template <std::integral... I>
    requires(sizeof...(I) == sizeof...(Dims))
  constexpr T const& operator()(I... index) const& {
    return data()[base::checked_offset(index...)];
  }
  template <std::integral... I>
    requires(sizeof...(I) == sizeof...(Dims))
  constexpr T operator()(I... index) && {
    return data()[base::checked_offset(index...)];
  }

  // NumPy's other kinds of index, and functional updates (numpy/indexing/index_arrays.hpp).
  template <class... I>
    requires(!((std::integral<I> && ...) && sizeof...(I) == sizeof...(Dims)))
  constexpr auto operator()(I const&... index) const {
    return index_array(*this, index...);
  }
  // x[i] is x(i); with C++23 x[i, j] is x(i, j).
#ifdef __cpp_multidimensional_subscript
  template <class... I>
  constexpr decltype(auto) operator[](I const&... index) & {
    return (*this)(index...);
  }
  template <class... I>
  constexpr decltype(auto) operator[](I const&... index) const& {
    return (*this)(index...);
  }
  template <class... I>
  constexpr decltype(auto) operator[](I const&... index) && {
    return static_cast<array&&>(*this)(index...);
  }
#else
  template <class I>
  constexpr decltype(auto) operator[](I const& index) & {
    return (*this)(index);
  }
  template <class I>
  constexpr decltype(auto) operator[](I const& index) const& {
    return (*this)(index);
  }
  template <class I>
  constexpr decltype(auto) operator[](I const& index) && {
    return static_cast<array&&>(*this)(index);
  }
#endif
  template <class... I>
  constexpr auto at(I const&... index) const {
    return array_at(*this, index...);
  }

  constexpr void fill(T value) {
    T* const to = data();
    for (std::ptrdiff_t i = 0; i < size(); ++i) to[i] = value;
  }
  friend constexpr void swap(array& a, array& b) noexcept {
    array t(static_cast<array&&>(a));
    a = static_cast<array&&>(b);
    b = static_cast<array&&>(t);
  }

 private:
  friend struct detail::array_access;
  using storage = typename detail::choose_storage<T, base::size()>::type;
  constexpr array(uninitialized_t, detail::pending_elements<T>* call) : storage_(call) {}

  storage storage_;
};

}  // namespace exprax

#include <exprax/types/comparison.hpp>
