// SPDX-License-Identifier: BSL-1.0
// view<T, Dims...>: row-major elements in the user's memory; T may be const. It wraps a pointer, an array, a C array, any contiguous range
// (std::span, std::array, std::vector, a row-major Eigen object), or an mdspan. A view is as cheap to copy as a pointer and never owns.
#pragma once

#include <exprax/types/array.hpp>

namespace exprax {

namespace detail {

// Eigen matrices state their storage order; for vectors it makes no difference.
template <class R>
constexpr bool is_row_major() {
  if constexpr (requires { R::IsRowMajor; R::IsVectorAtCompileTime; }) return R::IsRowMajor || R::IsVectorAtCompileTime;
  else return true;
}

template <class M>
concept mdspan_like = requires(M const& m) {
  m.data_handle();
  m.extent(0);
  m.stride(0);
};

template <class From, class T>
concept points_to = std::is_convertible_v<From*, T*> && std::is_same_v<std::remove_const_t<From>, std::remove_const_t<T>>;

}  // namespace detail

template <class T, int... Dims>
class view : public detail::methods<view<T, Dims...>, detail::extents<std::remove_const_t<T>, Dims...>> {
  using base = detail::methods<view, detail::extents<std::remove_const_t<T>, Dims...>>;

 public:
  using element_type = T;
  using value_type = std::remove_const_t<T>;
  using base::rank, base::extent, base::size;

  constexpr explicit view(T* data) : data_(data) {}
  template <detail::points_to<T> U>
    requires(!std::is_same_v<U, T>)
  constexpr view(view<U, Dims...> other) : data_(other.data()) {}
  constexpr view(array<value_type, Dims...>& a) : data_(a.data()) {}
  constexpr view(array<value_type, Dims...> const& a)
    requires(std::is_const_v<T>)
      : data_(a.data()) {}

  // A C array of one axis or of all axes.
  template <detail::points_to<T> U, std::size_t N>
    requires(N == static_cast<std::size_t>(base::size()))
  constexpr explicit view(U (&elements)[N]) : data_(elements) {}
  template <detail::points_to<T> U, std::size_t A, std::size_t B>
    requires(rank == 2 && A == extent(0) && B == extent(1))
  constexpr explicit view(U (&rows)[A][B]) : data_(rows[0]) {}

  // A contiguous range of the same size.
  template <detail::contiguous R>
    requires detail::points_to<std::remove_pointer_t<decltype(std::declval<R&>().data())>, T>
  constexpr explicit view(R&& range) : data_(range.data()) {
    static_assert(detail::is_row_major<std::remove_cvref_t<R>>(),
                  "exprax: view: the matrix is column-major: use Eigen::RowMajor, or view its transpose");
    detail::require_size(static_cast<std::ptrdiff_t>(range.size()), size());
  }
  // An mdspan of the same extents, row-major and contiguous.
  template <detail::mdspan_like M>
  constexpr explicit view(M const& m) : data_(m.data_handle()) {
    static_assert(M::rank() == sizeof...(Dims), "exprax: view: the mdspan has another rank");
    std::ptrdiff_t n = 1;
    for (int i = rank - 1; i >= 0; --i) {
      auto const axis = static_cast<typename M::rank_type>(i);
      if (static_cast<std::ptrdiff_t>(m.extent(axis)) != extent(i) || (extent(i) > 1 && static_cast<std::ptrdiff_t>(m.stride(axis)) != n))
        detail::an_mdspan_has_other_extents_or_gaps(i);
      n *= extent(i);
    }
  }

  constexpr operator value_type() const
    requires(sizeof...(Dims) == 0)
  {
    return *data_;
  }

  constexpr T* data() const { return data_; }
  constexpr T* begin() const { return data_; }
  constexpr T* end() const { return data_ + size(); }

  // One element; a negative index counts from the end. An index out of range is an error in builds without NDEBUG; in others it is clamped,
  // as reads of jax.Array are.
  template <std::integral... I>
    requires(sizeof...(I) == sizeof...(Dims))
  constexpr T& operator()(I... index) const {
    return data_[base::checked_offset(index...)];
  }
  // NumPy's other kinds of index, and functional updates: arrays, as those of arrays.
  template <class... I>
    requires(!((std::integral<I> && ...) && sizeof...(I) == sizeof...(Dims)))
  constexpr auto operator()(I const&... index) const {
    return index_array(*this, index...);
  }
  template <class... I>
  constexpr auto at(I const&... index) const {
    return array_at(*this, index...);
  }
  // x[i] is x(i); with C++23 x[i, j] is x(i, j).
#ifdef __cpp_multidimensional_subscript
  template <class... I>
  constexpr decltype(auto) operator[](I const&... index) const {
    return (*this)(index...);
  }
#else
  template <class I>
  constexpr decltype(auto) operator[](I const& index) const {
    return (*this)(index);
  }
#endif

 private:
  T* data_;
};

}  // namespace exprax
