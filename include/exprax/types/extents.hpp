// SPDX-License-Identifier: BSL-1.0
// extents<T, Dims...>: the static shape of array and view: rank, sizes, aval, and offsets of elements.
#pragma once

#include <concepts>
#include <cstddef>
#include <utility>

#include <exprax/base/by_argument.hpp>
#include <exprax/base/failure.hpp>
#include <exprax/types/aval.hpp>
#include <exprax/types/dtype_object.hpp>
#include <exprax/types/shape_object.hpp>

namespace exprax::detail {

template <class T, int... Dims>
class extents : by_argument::base {
  static_assert(sizeof...(Dims) <= max_rank, "exprax: arrays have at most 8 axes");
  static_assert(((Dims >= 0) && ...), "exprax: the size of an axis is negative");

 public:
  static constexpr int rank = static_cast<int>(sizeof...(Dims)), ndim = rank;
  static constexpr shape_t<Dims...> shape{};
  static constexpr dtype_t<strong_t<T>> dtype{};
  static constexpr aval type{dtype_of<T>, {Dims...}, is_weak<T>};

  static constexpr std::ptrdiff_t size() { return type.size(); }
  // The size of an axis; negative axes count from the end.
  static constexpr int extent(int axis) { return type.dims[axis < 0 ? axis + rank : axis]; }

 protected:
  // The row-major offset. A negative index counts from the end; one that is still out of range is clamped, as reads of jax.Array are.
  template <std::integral... I>
  static constexpr std::ptrdiff_t offset(I... index) {
    return offset_of<false>(index...);
  }
  // The same for an array on the host: builds without NDEBUG report an index out of range.
  template <std::integral... I>
  static constexpr std::ptrdiff_t checked_offset(I... index) {
    return offset_of<(checks_indices || type.size() == 0)>(index...);
  }

 private:
  // One comparison for an index that is neither negative nor out of range, so that compilers vectorize loops over elements.
  template <bool Checks, std::integral... I>
  static constexpr std::ptrdiff_t offset_of(I... index) {
    std::ptrdiff_t at = 0;
    int axis = 0;
    [[maybe_unused]] auto const step = [&](std::ptrdiff_t i) {
      if (static_cast<std::size_t>(i) >= static_cast<std::size_t>(type.dims[axis])) [[unlikely]] i = other_index<Checks>(i, axis);
      at = at * type.dims[axis++] + i;
    };
    (step(static_cast<std::ptrdiff_t>(index)), ...);
    return at;
  }
  template <bool Checks>
  static constexpr std::ptrdiff_t other_index(std::ptrdiff_t i, int axis) {
    std::ptrdiff_t const n = type.dims[axis];
    if constexpr (Checks)
      if (i >= n || i < -n) an_index_is_out_of_range(i, axis, type.dims, rank);
    if (i < 0) i += n;
    if (i >= n) i = n - 1;
    return i < 0 ? 0 : i;
  }
};

template <class T>
inline constexpr int number_kind = is_std_complex<T> ? 3 : std::is_floating_point_v<T> || is_half_type<T> ? 2 : 1;

// Whether U converts to the element type T without losing its fraction or imaginary part; keys convert only from keys.
template <class U, class T>
concept element_for = (is_number_type<U> && !std::is_same_v<T, prng_key> && (number_kind<U> == 1 || number_kind<U> <= number_kind<T>)) ||
                      (std::is_same_v<U, prng_key> && std::is_same_v<T, prng_key>);

template <class T, class U>
constexpr T as_element(U x) {
  if constexpr (is_std_complex<T> && !is_std_complex<U>) return T(static_cast<typename T::value_type>(x));
  else return static_cast<T>(x);
}

// What an element comes from: a number, or an array of no axes. Traced values (program/expr.hpp) are none: they have no elements yet.
template <class U>
inline constexpr bool is_traced_value = false;
template <class U, class T>
concept element_source =
    element_for<U, T> || (requires { requires U::rank == 0 && element_for<typename U::value_type, T>; } && !is_traced_value<U>);
template <class T, class U>
constexpr T element_from(U const& x) {
  if constexpr (is_number_type<U> || std::is_same_v<U, prng_key>) return as_element<T>(x);
  else return as_element<T>(static_cast<typename U::value_type>(x));
}

// std::array, std::span, std::vector, Eigen's matrices and maps, and similar.
template <class R>
concept contiguous = requires(R& r) {
  static_cast<std::ptrdiff_t>(r.size());
  *r.data();
};

// A range whose size differs from the array's: an error in constant evaluation, abort at run time.
constexpr void require_size(std::ptrdiff_t given, std::ptrdiff_t needed) {
  if (given != needed) a_range_has_another_size(given, needed);
}

// How many ranges stand in each other; what converts to T is an element.
template <class T, class R>
constexpr int nesting() {
  using element = std::remove_cvref_t<decltype(*std::declval<R const&>().data())>;
  if constexpr (contiguous<element const> && !std::is_convertible_v<element const&, T>) return 1 + nesting<T, element>();
  else return 1;
}

// The elements of a contiguous range, or of ranges in ranges: a range of axis k holds extents[k] ranges, the last one all that is left.
template <class T, class R>
constexpr T* copy_elements(R const& range, T* to, int const* extents, std::ptrdiff_t needed) {
  auto const* const from = range.data();
  std::ptrdiff_t const given = static_cast<std::ptrdiff_t>(range.size());
  if constexpr (nesting<T, R>() > 1) {
    require_size(given, *extents);
    for (std::ptrdiff_t i = 0; i < given; ++i) to = copy_elements(from[i], to, extents + 1, needed / given);
  } else {
    require_size(given, needed);
    for (std::ptrdiff_t i = 0; i < given; ++i) *to++ = static_cast<T>(from[i]);
  }
  return to;
}

}  // namespace exprax::detail
