// SPDX-License-Identifier: BSL-1.0
// Made from include/ by single_include/generate.py: change it there.
#ifndef EXPRAX_SINGLE_HEADER_HPP
#define EXPRAX_SINGLE_HEADER_HPP

// exprax/exprax.hpp
// exprax: JAX's core as C++20 expression templates. Functions are traced while the C++ compiler runs; jit, vmap, scan and
// the functions of jax.numpy are in namespace exprax.

// In the order in which they build on each other: compilers print through which headers one with an error was included.

// exprax/types/dtype.hpp
// The element types (NumPy dtypes) and weak<T>, the type of a C++ literal that takes the dtype of what it meets.

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace exprax {

enum class dtype : std::uint8_t { b1, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64 };
inline constexpr int dtype_count = 11;

template <class T>
struct weak {};

namespace detail {

template <class T>
inline constexpr bool is_weak = false;
template <class T>
inline constexpr bool is_weak<weak<T>> = true;

template <class T>
struct strong {
  using type = T;
};
template <class T>
struct strong<weak<T>> {
  using type = T;
};

// long and long long have the same width on LP64 targets, so an integer is known by its width and sign.
template <class T>
constexpr dtype dtype_of_strong() {
  if constexpr (std::is_same_v<T, bool>) return dtype::b1;
  else if constexpr (std::is_same_v<T, float>) return dtype::f32;
  else if constexpr (std::is_same_v<T, double>) return dtype::f64;
  else {
    static_assert(std::is_integral_v<T>, "exprax: not a dtype: use bool, (u)int8 to (u)int64, float or double");
    constexpr int log2_bytes = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return static_cast<dtype>(static_cast<int>(std::is_signed_v<T> ? dtype::i8 : dtype::u8) + log2_bytes);
  }
}

template <dtype D>
struct cpp_type;
template <> struct cpp_type<dtype::b1> { using type = bool; };
template <> struct cpp_type<dtype::i8> { using type = std::int8_t; };
template <> struct cpp_type<dtype::i16> { using type = std::int16_t; };
template <> struct cpp_type<dtype::i32> { using type = std::int32_t; };
template <> struct cpp_type<dtype::i64> { using type = std::int64_t; };
template <> struct cpp_type<dtype::u8> { using type = std::uint8_t; };
template <> struct cpp_type<dtype::u16> { using type = std::uint16_t; };
template <> struct cpp_type<dtype::u32> { using type = std::uint32_t; };
template <> struct cpp_type<dtype::u64> { using type = std::uint64_t; };
template <> struct cpp_type<dtype::f32> { using type = float; };
template <> struct cpp_type<dtype::f64> { using type = double; };

}  // namespace detail

template <class T>
using strong_t = typename detail::strong<T>::type;

template <class T>
inline constexpr dtype dtype_of = detail::dtype_of_strong<strong_t<T>>();

// The C++ type of the elements of a dtype.
template <dtype D>
using element_t = typename detail::cpp_type<D>::type;

constexpr bool is_bool(dtype d) { return d == dtype::b1; }
constexpr bool is_signed_integer(dtype d) { return d >= dtype::i8 && d <= dtype::i64; }
constexpr bool is_unsigned_integer(dtype d) { return d >= dtype::u8 && d <= dtype::u64; }
constexpr bool is_integer(dtype d) { return d >= dtype::i8 && d <= dtype::u64; }
constexpr bool is_floating(dtype d) { return d >= dtype::f32; }

namespace detail {

// At namespace scope: a local table is built anew, in hundreds of steps, by each call in constant evaluation.
inline constexpr int element_bytes[dtype_count] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8};
inline constexpr std::string_view short_names[dtype_count] = {"bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64"};
inline constexpr std::string_view long_names[dtype_count] = {"bool",  "int8",   "int16",  "int32",   "int64",  "uint8",
                                                             "uint16", "uint32", "uint64", "float32", "float64"};

}  // namespace detail

constexpr int size_of(dtype d) { return detail::element_bytes[static_cast<int>(d)]; }
// As in jaxprs: f32.
constexpr std::string_view short_name(dtype d) { return detail::short_names[static_cast<int>(d)]; }
// As in NumPy: float32.
constexpr std::string_view long_name(dtype d) { return detail::long_names[static_cast<int>(d)]; }

}  // namespace exprax

// exprax/types/extents.hpp
// extents<T, Dims...>: what array and view know of their shape: rank, sizes, aval, and where an element stands.

#include <concepts>
#include <cstddef>

// exprax/types/aval.hpp
// aval: what is known of a value without its elements (jax.core.ShapedArray): dtype, weakness, shape.

#include <cstddef>
#include <initializer_list>

namespace exprax {

inline constexpr int max_rank = 8;

struct aval {
  dtype type = dtype::f32;
  bool weak = false;
  int rank = 0;
  int dims[max_rank] = {};

  constexpr aval() = default;
  constexpr explicit aval(dtype t, bool w = false) : type(t), weak(w) {}
  constexpr aval(dtype t, std::initializer_list<int> shape, bool w = false) : type(t), weak(w) {
    for (int d : shape) dims[rank++] = d;
  }

  constexpr std::ptrdiff_t size() const {
    std::ptrdiff_t n = 1;
    for (int i = 0; i < rank; ++i) n *= dims[i];
    return n;
  }
  constexpr bool same_shape(aval const& o) const {
    if (rank != o.rank) return false;
    for (int i = 0; i < rank; ++i)
      if (dims[i] != o.dims[i]) return false;
    return true;
  }
  // Equal but for weakness.
  constexpr bool matches(aval const& o) const { return type == o.type && same_shape(o); }
  constexpr bool operator==(aval const& o) const { return weak == o.weak && matches(o); }

  constexpr aval with_type(dtype t, bool w = false) const {
    aval a = *this;
    a.type = t;
    a.weak = w;
    return a;
  }
  // The shape without axis k, and with a new axis of n before axis k.
  constexpr aval without_axis(int k) const {
    aval a(type, weak);
    for (int i = 0; i < rank; ++i)
      if (i != k) a.dims[a.rank++] = dims[i];
    return a;
  }
  constexpr aval with_axis(int k, int n) const {
    aval a(type, weak);
    for (int i = 0; i <= rank; ++i) {
      if (i == k) a.dims[a.rank++] = n;
      if (i < rank) a.dims[a.rank++] = dims[i];
    }
    return a;
  }
};

// The weights of the axes in row-major order.
struct strides {
  std::ptrdiff_t of[max_rank] = {};
  constexpr explicit strides(aval const& a) {
    std::ptrdiff_t n = 1;
    for (int i = a.rank - 1; i >= 0; --i) {
      of[i] = n;
      n *= a.dims[i];
    }
  }
  constexpr std::ptrdiff_t operator[](int i) const { return of[i]; }
};

}  // namespace exprax

namespace exprax::detail {

template <class T, int... Dims>
class extents {
  static_assert(sizeof...(Dims) <= max_rank, "exprax: arrays have at most 8 axes");
  static_assert(((Dims >= 0) && ...), "exprax: the size of an axis is negative");

 public:
  static constexpr int rank = static_cast<int>(sizeof...(Dims));
  static constexpr aval type{dtype_of<T>, {Dims...}, is_weak<T>};

  // The number of elements.
  static constexpr std::ptrdiff_t size() { return type.size(); }
  // The size of an axis; negative axes count from the end.
  static constexpr int extent(int axis) { return type.dims[axis < 0 ? axis + rank : axis]; }

 protected:
  // Row-major. A negative index counts from the end; one that is still out of range is clamped, as reads of jax.Array are.
  template <std::integral... I>
  static constexpr std::ptrdiff_t offset(I... index) {
    std::ptrdiff_t at = 0;
    int axis = 0;
    auto const step = [&](std::ptrdiff_t i) {
      std::ptrdiff_t const n = type.dims[axis++];
      if (i < 0) i += n;
      if (i >= n) i = n - 1;
      at = at * n + (i < 0 ? 0 : i);
    };
    (step(static_cast<std::ptrdiff_t>(index)), ...);
    return at;
  }
};

// A number that stands for an element without losing its fraction.
template <class U, class T>
concept element_for = std::is_arithmetic_v<U> && (std::is_floating_point_v<T> || !std::is_floating_point_v<U>);

// std::array, std::span, std::vector, Eigen's matrices and maps, and the like.
template <class R>
concept contiguous = requires(R& r) {
  static_cast<std::ptrdiff_t>(r.size());
  *r.data();
};

// A range of another size than the array's: an error in constant evaluation, the end of the program at run time.
constexpr void require_size(bool same) {
  if (!same) __builtin_trap();
}

}  // namespace exprax::detail

// exprax/types/storage.hpp
// Where the elements of an array live: in the object up to 4 KiB, else on the heap, aligned for every pack.

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace exprax::detail {

inline constexpr std::size_t inline_bytes = 4096;
inline constexpr std::size_t pack_alignment = 64;

// The largest power of two up to 64 that divides the size: as aligned as can be without padding.
constexpr std::size_t inline_alignment(std::size_t bytes, std::size_t least) {
  std::size_t a = pack_alignment;
  while (a > least && bytes % a != 0) a /= 2;
  return a;
}

template <class T, std::ptrdiff_t N>
class inline_storage {
 public:
  inline_storage() = default;  // elements are not set
  constexpr T* data() { return elements_; }
  constexpr T const* data() const { return elements_; }

 private:
  alignas(inline_alignment(N * sizeof(T), alignof(T))) T elements_[N];
};

template <class T>
class empty_storage {
 public:
  constexpr T* data() { return nullptr; }
  constexpr T const* data() const { return nullptr; }
};

// What is moved from holds nothing, or what it was assigned to: it can be assigned to or destroyed.
template <class T, std::ptrdiff_t N>
class heap_storage {
#if !__STDC_HOSTED__
  static_assert(N < 0, "exprax: more than 4096 bytes need a heap, and a freestanding build has none: use a view of static memory");
#endif

 public:
  constexpr heap_storage() : elements_(allocate()) {}  // elements are not set
  constexpr heap_storage(heap_storage const& other) : elements_(other.elements_ ? allocate() : nullptr) { copy(other); }
  constexpr heap_storage(heap_storage&& other) noexcept : elements_(std::exchange(other.elements_, nullptr)) {}
  constexpr heap_storage& operator=(heap_storage const& other) {
    if (this != &other && other.elements_) {
      if (!elements_) elements_ = allocate();
      copy(other);
    }
    return *this;
  }
  constexpr heap_storage& operator=(heap_storage&& other) noexcept {
    std::swap(elements_, other.elements_);
    return *this;
  }
  constexpr ~heap_storage() {
    if (std::is_constant_evaluated()) delete[] elements_;
    else ::operator delete(elements_, std::align_val_t{pack_alignment});
  }
  constexpr T* data() { return elements_; }
  constexpr T const* data() const { return elements_; }

 private:
  static constexpr T* allocate() {
    if (std::is_constant_evaluated()) return new T[N];
    return static_cast<T*>(::operator new(N * sizeof(T), std::align_val_t{pack_alignment}));
  }
  constexpr void copy(heap_storage const& other) {
    if (other.elements_)
      for (std::ptrdiff_t i = 0; i < N; ++i) elements_[i] = other.elements_[i];
  }
  T* elements_;
};

template <class T, std::ptrdiff_t N>
struct choose_storage {
  using type = std::conditional_t<(N * sizeof(T) <= inline_bytes), inline_storage<T, N>, heap_storage<T, N>>;
};
template <class T>
struct choose_storage<T, 0> {
  using type = empty_storage<T>;
};

}  // namespace exprax::detail

// exprax/types/view.hpp
// view<T, Dims...>: row-major elements that live in the user's memory; T may be const. It wraps a pointer, an array, a C
// array, any contiguous range (std::span, std::array, std::vector, a row-major Eigen object), or an mdspan. A view is as
// cheap to copy as a pointer and never owns.

// exprax/types/array.hpp
// array<T, Dims...>: a dense row-major array that owns its elements. Its size is exactly that of the elements. Up to
// 4 KiB they lie in the object, which is then trivially copyable; above that on the heap, so that no stack overflows and
// a move costs a pointer. array<T> without dims is a scalar and converts from and to T. All of it is constexpr.

#include <initializer_list>

namespace exprax {

// Asks for elements that are not set yet: array<float, 1000> a(uninitialized).
struct uninitialized_t {};
inline constexpr uninitialized_t uninitialized{};

namespace detail {

constexpr bool all_are(int n, std::initializer_list<std::size_t> list) {
  for (std::size_t x : list)
    if (x != static_cast<std::size_t>(n)) return false;
  return true;
}

}  // namespace detail

template <class T, int... Dims>
class array : public detail::extents<T, Dims...> {
  using shape = detail::extents<T, Dims...>;

 public:
  using value_type = T;
  using shape::rank, shape::extent, shape::size;

  // All elements zero.
  constexpr array() { fill(T{}); }
  constexpr explicit array(uninitialized_t) {}

  // A scalar.
  template <detail::element_for<T> U>
    requires(sizeof...(Dims) == 0)
  constexpr array(U value) {
    *data() = static_cast<T>(value);
  }
  constexpr operator T() const
    requires(sizeof...(Dims) == 0)
  {
    return *data();
  }

  // All elements in row-major order: array<float, 2, 2>{1, 2, 3, 4}.
  template <detail::element_for<T>... U>
    requires(sizeof...(Dims) > 0 && sizeof...(U) > 0 && sizeof...(U) == shape::size())
  constexpr explicit(sizeof...(U) == 1) array(U... values) {
    T const list[] = {static_cast<T>(values)...};
    T* to = data();
    for (T x : list) *to++ = x;
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
  // The elements of a contiguous range of the same size.
  template <detail::contiguous R>
  constexpr explicit array(R const& range) {
    detail::require_size(static_cast<std::ptrdiff_t>(range.size()) == size());
    auto const* from = range.data();
    for (std::ptrdiff_t i = 0; i < size(); ++i) data()[i] = static_cast<T>(from[i]);
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

  // One element; a negative index counts from the end.
  template <std::integral... I>
    requires(sizeof...(I) == sizeof...(Dims))
  constexpr T& operator()(I... index) {
    return data()[shape::offset(index...)];
  }
  template <std::integral... I>
    requires(sizeof...(I) == sizeof...(Dims))
  constexpr T const& operator()(I... index) const {
    return data()[shape::offset(index...)];
  }

  constexpr void fill(T value) {
    for (std::ptrdiff_t i = 0; i < size(); ++i) data()[i] = value;
  }
  friend constexpr void swap(array& a, array& b) noexcept {
    array t(static_cast<array&&>(a));
    a = static_cast<array&&>(b);
    b = static_cast<array&&>(t);
  }

 private:
  typename detail::choose_storage<T, shape::size()>::type storage_;
};

// Whether all elements are equal; NaN is equal to nothing.
template <class T, int... Dims>
constexpr bool operator==(array<T, Dims...> const& a, array<T, Dims...> const& b) {
  for (std::ptrdiff_t i = 0; i < a.size(); ++i)
    if (!(a.data()[i] == b.data()[i])) return false;
  return true;
}

}  // namespace exprax

namespace exprax {

namespace detail {

// Eigen says how its matrices lie; a vector lies the same either way.
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
class view : public detail::extents<std::remove_const_t<T>, Dims...> {
  using shape = detail::extents<std::remove_const_t<T>, Dims...>;

 public:
  using element_type = T;
  using value_type = std::remove_const_t<T>;
  using shape::rank, shape::extent, shape::size;

  constexpr explicit view(T* data) : data_(data) {}
  template <detail::points_to<T> U>
    requires(!std::is_same_v<U, T>)
  constexpr view(view<U, Dims...> other) : data_(other.data()) {}
  constexpr view(array<value_type, Dims...>& a) : data_(a.data()) {}
  constexpr view(array<value_type, Dims...> const& a)
    requires(std::is_const_v<T>)
      : data_(a.data()) {}

  // A C array of one or of all axes.
  template <detail::points_to<T> U, std::size_t N>
    requires(N == static_cast<std::size_t>(shape::size()))
  constexpr explicit view(U (&elements)[N]) : data_(elements) {}
  template <detail::points_to<T> U, std::size_t A, std::size_t B>
    requires(rank == 2 && A == extent(0) && B == extent(1))
  constexpr explicit view(U (&rows)[A][B]) : data_(rows[0]) {}

  // A contiguous range of the same size.
  template <detail::contiguous R>
    requires detail::points_to<std::remove_pointer_t<decltype(std::declval<R&>().data())>, T>
  constexpr explicit view(R&& range) : data_(range.data()) {
    static_assert(detail::is_row_major<std::remove_cvref_t<R>>(), "exprax: view: the matrix is column-major: use Eigen::RowMajor, or view its transpose");
    detail::require_size(static_cast<std::ptrdiff_t>(range.size()) == size());
  }
  // An mdspan of the same extents, row-major and without gaps.
  template <detail::mdspan_like M>
  constexpr explicit view(M const& m) : data_(m.data_handle()) {
    static_assert(M::rank() == sizeof...(Dims), "exprax: view: the mdspan has another rank");
    std::ptrdiff_t n = 1;
    for (int i = rank - 1; i >= 0; --i) {
      auto const axis = static_cast<typename M::rank_type>(i);
      detail::require_size(static_cast<std::ptrdiff_t>(m.extent(axis)) == extent(i) &&
                           (extent(i) <= 1 || static_cast<std::ptrdiff_t>(m.stride(axis)) == n));
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

  // One element; a negative index counts from the end.
  template <std::integral... I>
    requires(sizeof...(I) == sizeof...(Dims))
  constexpr T& operator()(I... index) const {
    return data_[shape::offset(index...)];
  }

 private:
  T* data_;
};

}  // namespace exprax

// exprax/types/print.hpp
// Arrays as NumPy prints them (numpy.array_str of 1.24 with its default options: 8 digits, lines of 75, 3 items at each end of
// the axes when there are more than 1,000 elements), in constant evaluation too: array_str(a) == "[1. 2. 3.]".

// exprax/base/format.hpp
// Numbers as Python's repr prints them: 3.0, 1e-05, 0.10000000149011612, inf, nan, True.

// exprax/base/decimal.hpp
// The decimal digits of a float or double: the shortest that read back as the same number and, among those, the nearest to
// it; or fewer, correctly rounded. Exact for all values (Steele and White 1990, "How to print floating-point numbers
// accurately", with the tie rules of David Gay's dtoa, which Python uses, and of NumPy's dragon4).

#include <bit>
#include <cstdint>
#include <type_traits>

namespace exprax::detail {

// 0.d1 d2 ... dn times 10^point. Zero, infinities and NaN have no digits.
struct decimal {
  char digits[20] = {};
  int size = 0;
  int point = 0;
};

// A float as a whole number times a power of two.
struct float_parts {
  std::uint64_t mantissa = 0;
  int exponent = 0;
  bool negative = false, infinite = false, nan = false;
  bool even_gap = true;  // false for a power of two: the gap to the number below is half of that above

  constexpr bool finite() const { return !infinite && !nan; }
};
template <class T>
constexpr float_parts parts_of(T x) {
  using bits_type = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr int fraction_bits = sizeof(T) == 4 ? 23 : 52, exponent_mask = sizeof(T) == 4 ? 0xff : 0x7ff;
  constexpr int bias = exponent_mask / 2 + fraction_bits;
  std::uint64_t const bits = std::bit_cast<bits_type>(x);
  std::uint64_t const fraction = bits & ((std::uint64_t{1} << fraction_bits) - 1);
  int const field = static_cast<int>(bits >> fraction_bits) & exponent_mask;
  float_parts b;
  b.negative = (bits >> (8 * sizeof(T) - 1)) != 0;
  b.infinite = field == exponent_mask && fraction == 0;
  b.nan = field == exponent_mask && fraction != 0;
  b.mantissa = field == 0 ? fraction : fraction | (std::uint64_t{1} << fraction_bits);
  b.exponent = (field == 0 ? 1 : field) - bias;
  b.even_gap = field <= 1 || fraction != 0;
  return b;
}

// A whole number of up to 1,184 bits: what the digits of a double need.
class big_natural {
 public:
  constexpr explicit big_natural(std::uint64_t n = 0) {
    for (; n != 0; n >>= 32) limbs_[size_++] = static_cast<std::uint32_t>(n);
  }
  constexpr void multiply(std::uint32_t factor) {
    std::uint64_t carry = 0;
    for (int i = 0; i < size_; ++i) {
      carry += std::uint64_t{limbs_[i]} * factor;
      limbs_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs_[size_++] = static_cast<std::uint32_t>(carry);
  }
  constexpr void multiply_power_of_ten(int n) {
    for (; n >= 9; n -= 9) multiply(1000000000);
    for (; n > 0; --n) multiply(10);
  }
  constexpr void shift_left(int n) {
    if (size_ == 0) return;
    int const words = n / 32;
    for (int i = size_ - 1; i >= 0 && words > 0; --i) limbs_[i + words] = limbs_[i];
    for (int i = 0; i < words; ++i) limbs_[i] = 0;
    size_ += words;
    if (n % 32 != 0) multiply(std::uint32_t{1} << (n % 32));
  }
  // Leaves the remainder of a division by o; the quotient is one digit.
  constexpr int take_digit(big_natural const& o) {
    int digit = 0;
    for (; compare(o) >= 0; ++digit) subtract(o);
    return digit;
  }
  // Negative, zero or positive as this is less than, equal to or greater than o.
  constexpr int compare(big_natural const& o) const {
    if (size_ != o.size_) return size_ - o.size_;
    for (int i = size_ - 1; i >= 0; --i)
      if (limbs_[i] != o.limbs_[i]) return limbs_[i] < o.limbs_[i] ? -1 : 1;
    return 0;
  }
  // The same for this plus a.
  constexpr int compare_sum(big_natural const& a, big_natural const& o) const {
    int result = 0;
    std::uint64_t carry = 0;
    for (int i = 0; i < size_ || i < a.size_ || i < o.size_; ++i) {
      carry += std::uint64_t{limbs_[i]} + a.limbs_[i];
      if (std::uint32_t const limb = static_cast<std::uint32_t>(carry); limb != o.limbs_[i]) result = limb < o.limbs_[i] ? -1 : 1;
      carry >>= 32;
    }
    return carry != 0 ? 1 : result;
  }

 private:
  constexpr void subtract(big_natural const& o) {
    std::int64_t borrow = 0;
    for (int i = 0; i < size_; ++i) {
      borrow += std::int64_t{limbs_[i]} - (i < o.size_ ? o.limbs_[i] : 0);
      limbs_[i] = static_cast<std::uint32_t>(borrow);
      borrow >>= 32;
    }
    while (size_ > 0 && limbs_[size_ - 1] == 0) --size_;
  }
  std::uint32_t limbs_[38] = {};
  int size_ = 0;
};

#ifdef __SIZEOF_INT128__
// The same for up to 128 bits, at a tenth of the cost in constant evaluation.
class small_natural {
  __extension__ typedef unsigned __int128 wide;

 public:
  constexpr explicit small_natural(std::uint64_t n) : n_(n) {}
  constexpr void multiply(std::uint32_t factor) { n_ *= factor; }
  constexpr void multiply_power_of_ten(int n) {
    for (; n > 0; --n) n_ *= 10;
  }
  constexpr void shift_left(int n) { n_ <<= n; }
  constexpr int take_digit(small_natural const& o) {
    int const digit = static_cast<int>(n_ / o.n_);
    n_ %= o.n_;
    return digit;
  }
  constexpr int compare(small_natural const& o) const { return n_ < o.n_ ? -1 : n_ > o.n_; }
  constexpr int compare_sum(small_natural const& a, small_natural const& o) const { return n_ + a.n_ < o.n_ ? -1 : n_ + a.n_ > o.n_; }

 private:
  wide n_;
};
#endif

// Whole numbers below 2^53, most literals among them: their digits without trailing zeros are the shortest.
constexpr decimal digits_of_integer(std::uint64_t n) {
  decimal d;
  while (n % 10 == 0) {
    n /= 10;
    ++d.point;
  }
  char reversed[20] = {};
  int count = 0;
  for (; n != 0; n /= 10) reversed[count++] = static_cast<char>('0' + n % 10);
  for (d.size = 0; d.size < count; ++d.size) d.digits[d.size] = reversed[count - 1 - d.size];
  d.point += count;
  return d;
}

// Raises the last digit by one; a row of nines becomes a one.
constexpr void round_up(decimal& d) {
  while (d.size > 0 && d.digits[d.size - 1] == '9') --d.size;
  if (d.size == 0) {
    d.digits[d.size++] = '1';
    ++d.point;
  } else {
    ++d.digits[d.size - 1];
  }
}

// The last digit is at most that of 10^last, or stands -last places behind the first one; the first is always there.
// exact: all digits up to there, also those that reading back does not need.
struct digit_limit {
  int last = -1100;
  bool relative = false;
  bool exact = false;
};

template <class Natural>
constexpr decimal generate_digits(float_parts b, digit_limit limit) {
  bool const even = b.mantissa % 2 == 0;
  // The number is rest / scale; half the gaps to its neighbours are low / scale and high / scale.
  int const doubling = b.even_gap ? 1 : 2, raised = b.exponent > 0 ? b.exponent : 0;
  Natural rest(b.mantissa), scale(1), low(1), high(1);
  rest.shift_left(doubling + raised);
  scale.shift_left(doubling + raised - b.exponent);
  low.shift_left(raised);
  high.shift_left(doubling - 1 + raised);

  // The place of the first digit, estimated from the binary exponent: at most one too small.
  int const log2 = b.exponent + static_cast<int>(std::bit_width(b.mantissa)) - 1;
  int place = static_cast<int>((static_cast<std::int64_t>(log2) * 1292913986) >> 32);
  if (place > 0) {
    scale.multiply_power_of_ten(place);
  } else {
    rest.multiply_power_of_ten(-place);
    low.multiply_power_of_ten(-place);
    high.multiply_power_of_ten(-place);
  }
  Natural larger = scale;
  larger.multiply(10);
  if (rest.compare(larger) >= 0) {
    scale = larger;
    ++place;
  }
  decimal d;
  d.point = place + 1;
  for (int const last = limit.relative ? place + limit.last : limit.last;; --place) {
    int const digit = rest.take_digit(scale);
    d.digits[d.size++] = static_cast<char>('0' + digit);
    int const to_low = rest.compare(low), to_high = rest.compare_sum(high, scale);
    bool const is_low = to_low < 0 || (even && to_low == 0), is_high = to_high > 0 || (even && to_high == 0);
    if (((is_low || is_high) && !limit.exact) || place <= last) {
      bool up = is_high;
      if (is_low == is_high) {
        rest.multiply(2);
        int const half = rest.compare(scale);
        up = half > 0 || (half == 0 && digit % 2 != 0);
      }
      if (up) round_up(d);
      break;
    }
    rest.multiply(10);
    low.multiply(10);
    high.multiply(10);
  }
  while (d.size > 1 && d.digits[d.size - 1] == '0') --d.size;
  return d;
}

// The digits of a finite number; trailing zeros are left out.
constexpr decimal shortest_digits(float_parts b, digit_limit limit = {}) {
  if (b.mantissa == 0) return {};
  if (b.exponent > -64 && b.exponent <= 0 && limit.last == digit_limit{}.last) {
    std::uint64_t const fraction = b.mantissa & ((std::uint64_t{1} << -b.exponent) - 1);
    if (fraction == 0) return digits_of_integer(b.mantissa >> -b.exponent);
  }
#ifdef __SIZEOF_INT128__
  if (b.exponent >= -108 && b.exponent <= 60) return generate_digits<small_natural>(b, limit);
#endif
  return generate_digits<big_natural>(b, limit);
}

}  // namespace exprax::detail

// exprax/base/text_buffer.hpp
// text_buffer: characters appended one after another, in constant evaluation too (std::string is not constexpr on clang with
// libstdc++ 12). fixed_text<N>: exactly N characters in static storage.

#include <cstdint>
#include <string_view>

// exprax/base/arena.hpp
// arena<T>: a growing array for constant evaluation. std::vector costs three times as many constexpr steps for each
// element, and steps are what compilers limit. Elements are plain values; indices are int.

#include <cstddef>
#include <utility>

namespace exprax::detail {

// Eight elements a statement: clang counts statements.
template <class T>
constexpr void copy_run(T* to, T const* from, int n) {
  int i = 0;
  for (; i + 8 <= n; i += 8)
    to[i] = from[i], to[i + 1] = from[i + 1], to[i + 2] = from[i + 2], to[i + 3] = from[i + 3], to[i + 4] = from[i + 4],
    to[i + 5] = from[i + 5], to[i + 6] = from[i + 6], to[i + 7] = from[i + 7];
  for (; i < n; ++i) to[i] = from[i];
}

template <class T>
class arena {
 public:
  constexpr arena() = default;
  // Takes over elements that stand in an array made with new T[capacity].
  constexpr arena(T* data, int size, int capacity) : data_(data), size_(size), capacity_(capacity) {}
  constexpr arena(arena const& other) : data_(new T[static_cast<std::size_t>(other.size_ ? other.size_ : 1)]), size_(other.size_), capacity_(other.size_ ? other.size_ : 1) {
    copy_run(data_, other.data_, size_);
  }
  constexpr arena(arena&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)), capacity_(std::exchange(other.capacity_, 0)) {}
  constexpr arena& operator=(arena other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  constexpr ~arena() { delete[] data_; }

  constexpr int size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T* data() { return data_; }
  constexpr T const* data() const { return data_; }
  constexpr T& operator[](int i) { return data_[i]; }
  constexpr T const& operator[](int i) const { return data_[i]; }
  constexpr T& back() { return data_[size_ - 1]; }
  constexpr T const& back() const { return data_[size_ - 1]; }
  constexpr T* begin() { return data_; }
  constexpr T* end() { return data_ + size_; }
  constexpr T const* begin() const { return data_; }
  constexpr T const* end() const { return data_ + size_; }

  constexpr int push(T const& x) {
    if (size_ == capacity_) reserve(capacity_ ? 2 * capacity_ : 16);
    data_[size_] = x;
    return size_++;
  }
  constexpr void pop() { --size_; }
  // Room for n more elements, whose values the caller writes: one call where each push would be one.
  constexpr T* grow(int n) {
    if (size_ + n > capacity_) reserve(size_ + n > 2 * capacity_ ? size_ + n : 2 * capacity_);
    size_ += n;
    return data_ + size_ - n;
  }
  constexpr void resize(int n, T const& fill = T{}) {
    if (n > capacity_) reserve(n);
    for (int i = size_; i < n; ++i) data_[i] = fill;
    size_ = n;
  }
  constexpr void reserve(int n) {
    if (n <= capacity_) return;
    T* grown = new T[static_cast<std::size_t>(n)];
    copy_run(grown, data_, size_);
    delete[] data_;
    data_ = grown;
    capacity_ = n;
  }
  constexpr void clear() { size_ = 0; }
  constexpr void shrink(int n) { size_ = n; }

 private:
  T* data_ = nullptr;
  int size_ = 0;
  int capacity_ = 0;
};

}  // namespace exprax::detail

namespace exprax::detail {

class text_buffer {
 public:
  constexpr text_buffer() = default;
  constexpr text_buffer(text_buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)), capacity_(std::exchange(other.capacity_, 0)) {}
  constexpr text_buffer& operator=(text_buffer&&) = delete;
  constexpr ~text_buffer() { delete[] data_; }

  constexpr int size() const { return size_; }
  constexpr char const* data() const { return data_; }
  constexpr std::string_view view() const { return {data_, static_cast<std::size_t>(size_)}; }
  constexpr void clear() { size_ = 0; }
  friend constexpr bool operator==(text_buffer const& a, std::string_view b) { return a.view() == b; }

  constexpr void put(char c) {
    if (size_ == capacity_) grow(1);
    data_[size_++] = c;
  }
  constexpr void write(char const* text, std::ptrdiff_t n) {
    int const count = static_cast<int>(n);
    if (size_ + count > capacity_) grow(count);
    char* to = data_ + size_;
    for (int i = 0; i < count; ++i) to[i] = text[i];
    size_ += count;
  }
  // Writes again what stands at from.
  constexpr void repeat(int from, int count) {
    if (size_ + count > capacity_) grow(count);
    for (int i = 0; i < count; ++i) data_[size_ + i] = data_[from + i];
    size_ += count;
  }
  constexpr void write(std::string_view text) { write(text.data(), static_cast<std::ptrdiff_t>(text.size())); }
  constexpr void fill(char c, int count) {
    for (int i = 0; i < count; ++i) put(c);
  }
  constexpr void trim_right() {
    while (size_ > 0 && data_[size_ - 1] == ' ') --size_;
  }
  constexpr void unsigned_integer(std::uint64_t n) {
    if (n < 10) return put(static_cast<char>('0' + n));
    char digits[20] = {};
    int at = 20;
    do digits[--at] = static_cast<char>('0' + n % 10);
    while ((n /= 10) != 0);
    write(digits + at, 20 - at);
  }
  constexpr void integer(std::int64_t n) {
    if (n < 0) put('-');
    unsigned_integer(n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n));
  }

 private:
  constexpr void grow(int count) {
    int wanted = capacity_ ? 2 * capacity_ : 64;
    while (wanted < size_ + count) wanted *= 2;
    char* grown = new char[static_cast<std::size_t>(wanted)];
    for (int i = 0; i < size_; ++i) grown[i] = data_[i];
    delete[] data_;
    data_ = grown;
    capacity_ = wanted;
  }
  char* data_ = nullptr;
  int size_ = 0;
  int capacity_ = 0;
};

// Sinks: anything with write(char const*, n). text_counter counts, text_writer fills memory, text_comparer compares.
struct text_counter {
  int size = 0;
  constexpr void write(char const*, std::ptrdiff_t n) { size += static_cast<int>(n); }
};
struct text_writer {
  char* to;
  constexpr void write(char const* text, std::ptrdiff_t n) {
    for (std::ptrdiff_t i = 0; i < n; ++i) to[i] = text[i];
    to += n;
  }
};
struct text_comparer {
  std::string_view rest;
  bool same = true;
  constexpr void write(char const* text, std::ptrdiff_t n) {
    std::string_view const part(text, static_cast<std::size_t>(n));
    if (!same || rest.size() < part.size() || rest.substr(0, part.size()) != part) same = false;
    else rest.remove_prefix(part.size());
  }
};

template <int N>
struct fixed_text {
  char text[N + 1] = {};
  constexpr std::string_view view() const { return {text, static_cast<std::size_t>(N)}; }
};

// Count, then fill: Source::write(sink) writes the text; text_of<Source>::view() has static storage.
template <class Source>
struct text_of {
  static constexpr int size = [] {
    text_counter counter;
    Source::write(counter);
    return counter.size;
  }();
  static constexpr fixed_text<size> storage = [] {
    fixed_text<size> t;
    text_writer writer{t.text};
    Source::write(writer);
    return t;
  }();
  static constexpr std::string_view view() { return storage.view(); }
};

}  // namespace exprax::detail

namespace exprax::detail {

// The exponent of scientific notation: a sign and at least two digits.
constexpr void write_exponent(text_buffer& out, int exponent, int digits = 2) {
  out.put('e');
  out.put(exponent < 0 ? '-' : '+');
  int const magnitude = exponent < 0 ? -exponent : exponent;
  if (magnitude < 100 && digits > 2) out.put('0');
  if (magnitude < 10) out.put('0');
  out.integer(magnitude);
}

// Python's repr of a float, str of NumPy's float32 and float64: exponents below 1e-4 and from 1e16 on.
template <class T>
constexpr void write_float(text_buffer& out, T x) {
  float_parts const b = parts_of(x);
  if (b.nan) return out.write("nan");
  if (b.negative) out.put('-');
  if (b.infinite) return out.write("inf");
  if (b.mantissa == 0) return out.write("0.0");
  decimal const d = shortest_digits(b);
  if (double const size = b.negative ? -double{x} : double{x}; size >= 1e16 || size < 1e-4) {
    out.put(d.digits[0]);
    if (d.size > 1) out.put('.');
    out.write(d.digits + 1, d.size - 1);
    write_exponent(out, d.point - 1);
  } else if (d.point <= 0) {
    out.write("0.");
    out.fill('0', -d.point);
    out.write(d.digits, d.size);
  } else {
    int const whole = d.size < d.point ? d.size : d.point;
    out.write(d.digits, whole);
    out.fill('0', d.point - whole);
    out.put('.');
    if (d.size > whole) out.write(d.digits + whole, d.size - whole);
    else out.put('0');
  }
}

constexpr void write_bool(text_buffer& out, bool x) { out.write(x ? "True" : "False"); }

}  // namespace exprax::detail

namespace exprax {

namespace detail {

// How wide the elements of an array are, and how to write one.
template <class T>
class number_format {
 public:
  constexpr void add(T x) {
    if constexpr (std::is_integral_v<T>) {
      text_buffer t;
      write_integer(t, x);
      if (t.size() > left_) left_ = t.size();
    } else {
      float_parts const b = parts_of(x);
      if (!b.finite()) {
        nan_or_inf_ = true;
        if (b.infinite && b.negative) negative_infinity_ = true;
      } else {
        any_finite_ = true;
        if (x == 0) return;
        T const size = b.negative ? -x : x;
        if (largest_ == 0 || size > largest_) largest_ = size;
        if (smallest_ == 0 || size < smallest_) smallest_ = size;
      }
    }
  }
  // All elements are added; then each is measured.
  constexpr void choose() {
    if constexpr (std::is_floating_point_v<T>)
      if (largest_ != 0)
        scientific_ = double{largest_} >= 1e8 || double{smallest_} < 1e-4 || static_cast<T>(largest_ / smallest_) > T{1000};
  }
  constexpr void measure(T x) {
    if constexpr (std::is_floating_point_v<T>) {
      float_parts const b = parts_of(x);
      if (!b.finite()) return;
      decimal const d = shortest_digits(b, scientific_ ? digit_limit{-8, true} : digit_limit{-8});
      int const before = b.negative + (scientific_ || d.point < 1 ? 1 : d.point);
      int const after = scientific_ ? d.size - 1 : d.size - d.point;
      if (before > left_) left_ = before;
      if (after > digits_) digits_ = after;
      if (scientific_ && (d.point - 1 >= 100 || d.point - 1 <= -100)) exponent_ = 3;
    }
  }
  constexpr void finish() {
    if constexpr (std::is_floating_point_v<T>) {
      right_ = any_finite_ && scientific_ ? digits_ + exponent_ + 2 : digits_;
      if (!nan_or_inf_) return;
      int const widest = negative_infinity_ ? 4 : 3;
      if (left_ < widest - right_ - 1) left_ = widest - right_ - 1;
    }
  }
  constexpr void write(text_buffer& out, T x) const {
    if constexpr (std::is_same_v<T, bool>) {
      out.write(x ? " True" : "False");
    } else if constexpr (std::is_integral_v<T>) {
      text_buffer t;
      write_integer(t, x);
      out.fill(' ', left_ - t.size());
      out.write(t.view());
    } else {
      write_padded(out, x);
    }
  }
  static constexpr void write_integer(text_buffer& out, T x) {
    if constexpr (std::is_unsigned_v<T>) out.unsigned_integer(x);
    else out.integer(x);
  }

 private:
  constexpr void write_padded(text_buffer& out, T x) const {
    float_parts const b = parts_of(x);
    if (!b.finite()) {
      std::string_view const word = b.nan ? "nan" : b.negative ? "-inf" : "inf";
      out.fill(' ', left_ + right_ + 1 - static_cast<int>(word.size()));
      return out.write(word);
    }
    decimal d = shortest_digits(b, scientific_ ? digit_limit{-digits_, true, true} : digit_limit{-8});
    if (d.size == 0) {
      d.digits[d.size++] = '0';
      d.point = 1;
    }
    int const whole = scientific_ ? 1 : d.point;  // digits before the point
    out.fill(' ', left_ - b.negative - (whole < 1 ? 1 : whole));
    if (b.negative) out.put('-');
    if (whole < 1) out.put('0');
    for (int i = 0; i < whole; ++i) out.put(i < d.size ? d.digits[i] : '0');
    out.put('.');
    int const first = whole < 0 ? whole : 0;  // zeros after the point
    out.fill('0', -first);
    int const from = whole < 0 ? 0 : whole;
    if (d.size > from) out.write(d.digits + from, d.size - from);
    int const after = -first + (d.size > from ? d.size - from : 0);
    out.fill(scientific_ ? '0' : ' ', digits_ - after);
    if (scientific_) write_exponent(out, d.point - 1, exponent_);
  }

  T largest_ = 0, smallest_ = 0;
  bool any_finite_ = false, nan_or_inf_ = false, negative_infinity_ = false, scientific_ = false;
  int left_ = 0, right_ = 0;  // width before and behind the point
  int digits_ = 0;            // behind the point
  int exponent_ = 2;
};

template <class T>
class array_printer {
 public:
  constexpr array_printer(text_buffer& out, T const* data, aval const& a) : out_(out), data_(data), a_(a), summarize_(a.size() > 1000) {}

  constexpr void print() {
    if (a_.rank == 0) return scalar();
    if (a_.size() == 0) return out_.write("[]");
    if constexpr (!std::is_same_v<T, bool>) {
      visit(0, 0, [this](T x) { format_.add(x); });
      format_.choose();
      visit(0, 0, [this](T x) { format_.measure(x); });
      format_.finish();
    }
    nested(0, 0);
  }

 private:
  constexpr void scalar() {
    if constexpr (std::is_same_v<T, bool>) write_bool(out_, *data_);
    else if constexpr (std::is_integral_v<T>) number_format<T>::write_integer(out_, *data_);
    else write_float(out_, *data_);
  }
  // Where the items in the middle of an axis are left out.
  constexpr bool is_cut(int axis) const { return summarize_ && a_.dims[axis] > 6; }
  constexpr int after(int i, int axis) const { return i == 2 && is_cut(axis) ? a_.dims[axis] - 3 : i + 1; }

  template <class F>
  constexpr void visit(int axis, std::ptrdiff_t at, F f) const {
    for (int i = 0; i < a_.dims[axis]; i = after(i, axis)) {
      std::ptrdiff_t const item = at * a_.dims[axis] + i;
      if (axis + 1 == a_.rank) f(data_[item]);
      else visit(axis + 1, item, f);
    }
  }
  constexpr void nested(int axis, std::ptrdiff_t at) {
    out_.put('[');
    if (axis + 1 == a_.rank) line_start_ = out_.size() - axis - 1;
    for (int i = 0; i < a_.dims[axis]; i = after(i, axis)) {
      std::ptrdiff_t const item = at * a_.dims[axis] + i;
      if (axis + 1 == a_.rank) {
        text_buffer word;
        format_.write(word, data_[item]);
        row_item(word.view());
        if (i == 2 && is_cut(axis)) row_item("...");
      } else {
        if (i > 0) separate(axis);
        nested(axis + 1, item);
        if (i == 2 && is_cut(axis)) {
          separate(axis);
          out_.write("...");
        }
      }
    }
    if (axis + 1 == a_.rank) first_in_line_ = true;
    out_.put(']');
  }
  constexpr void separate(int axis) {
    out_.fill('\n', a_.rank - axis - 1);
    out_.fill(' ', axis + 1);
  }
  // A line has room for 75 characters and the brackets that close behind it.
  constexpr void row_item(std::string_view word) {
    if (!first_in_line_) out_.put(' ');
    if (!first_in_line_ && out_.size() - line_start_ + static_cast<int>(word.size()) > 75 - a_.rank) {
      out_.trim_right();
      out_.put('\n');
      line_start_ = out_.size();
      out_.fill(' ', a_.rank);
    }
    out_.write(word);
    first_in_line_ = false;
  }

  text_buffer& out_;
  T const* data_;
  aval const& a_;
  bool summarize_;
  number_format<T> format_;
  bool first_in_line_ = true;
  int line_start_ = 0;
};

// std::ostream and its like; so no stream header is needed here.
template <class S>
concept stream = requires(S& s, char const* text) { s.write(text, std::ptrdiff_t{}); };

}  // namespace detail

// The text that NumPy's print shows: numpy.array_str. The result has view() and compares with a string_view.
template <class T, int... Dims>
constexpr detail::text_buffer array_str(view<T, Dims...> a) {
  using value_type = std::remove_const_t<T>;
  detail::text_buffer out;
  detail::array_printer<value_type>(out, a.data(), a.type).print();
  return out;
}
template <class T, int... Dims>
constexpr detail::text_buffer array_str(array<T, Dims...> const& a) {
  return array_str(view<T const, Dims...>(a));
}

template <detail::stream Stream, class T, int... Dims>
Stream& operator<<(Stream& out, array<T, Dims...> const& a) {
  detail::text_buffer const text = array_str(a);
  out.write(text.data(), text.size());
  return out;
}
template <detail::stream Stream, class T, int... Dims>
Stream& operator<<(Stream& out, view<T, Dims...> a) {
  detail::text_buffer const text = array_str(a);
  out.write(text.data(), text.size());
  return out;
}

}  // namespace exprax

// exprax/pytree/node.hpp
// What a pytree is made of: leaves (numbers, arrays, views, specs, traced values), constants such as static_<5>, which
// have no leaf, and nodes: std::tuple, std::pair, std::array, and plain aggregates over a template Array,
//
//   template <template <class, auto...> class Array> struct dense { Array<float, 64, 32> w; Array<float, 32> b; };
//
// node<T> gives the number of children, child<I>(t), and make<R>(children...), a node of the same kind.

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

// exprax/types/spec.hpp
// spec<T, Dims...>: an array's dtype and shape without elements (jax.ShapeDtypeStruct), to trace with: make_jaxpr(f)(f32<2, 3>).
// And none, which stands for an axis, bound or element that is not there.

namespace exprax {

template <class T, int... Dims>
struct spec_t : detail::extents<T, Dims...> {
  using value_type = T;
  // Equal dtypes and shapes.
  template <class U, int... Other>
  friend constexpr bool operator==(spec_t, spec_t<U, Other...>) {
    return spec_t::type == spec_t<U, Other...>::type;
  }
};

template <class T, int... Dims>
inline constexpr spec_t<T, Dims...> spec{};

template <int... Dims>
inline constexpr spec_t<bool, Dims...> b1{};
template <int... Dims>
inline constexpr spec_t<std::int8_t, Dims...> i8{};
template <int... Dims>
inline constexpr spec_t<std::int16_t, Dims...> i16{};
template <int... Dims>
inline constexpr spec_t<std::int32_t, Dims...> i32{};
template <int... Dims>
inline constexpr spec_t<std::int64_t, Dims...> i64{};
template <int... Dims>
inline constexpr spec_t<std::uint8_t, Dims...> u8{};
template <int... Dims>
inline constexpr spec_t<std::uint16_t, Dims...> u16{};
template <int... Dims>
inline constexpr spec_t<std::uint32_t, Dims...> u32{};
template <int... Dims>
inline constexpr spec_t<std::uint64_t, Dims...> u64{};
template <int... Dims>
inline constexpr spec_t<float, Dims...> f32{};
template <int... Dims>
inline constexpr spec_t<double, Dims...> f64{};

struct none_t {
  constexpr bool operator==(none_t const&) const = default;
};
inline constexpr none_t none{};

}  // namespace exprax

// exprax/types/static_int.hpp
// static_<5>: an argument that is known while tracing (jax.jit's static_argnums). The function takes it by value and
// reads it as a constant: size(). Constants of Boost.Hana and std::integral_constant serve as well.

#include <type_traits>

namespace exprax {

template <auto V>
struct static_t {
  using value_type = std::remove_cv_t<decltype(V)>;
  static constexpr value_type value = V;
  constexpr value_type operator()() const { return V; }
  constexpr operator value_type() const { return V; }
};
template <auto V>
inline constexpr static_t<V> static_{};

namespace detail {

template <class T>
concept static_constant = std::is_empty_v<T> && std::is_scalar_v<std::remove_cvref_t<decltype(T::value)>> &&
                          requires { typename std::integral_constant<decltype(T::value), T::value>; } &&
                          std::is_convertible_v<T, std::remove_cvref_t<decltype(T::value)>>;

}  // namespace detail

}  // namespace exprax

namespace exprax {

template <class T, int... Dims>
class expr;

namespace detail {

template <class T>
inline constexpr bool is_leaf = std::is_arithmetic_v<T>;
template <class T, int... D>
inline constexpr bool is_leaf<array<T, D...>> = true;
template <class T, int... D>
inline constexpr bool is_leaf<view<T, D...>> = true;
template <class T, int... D>
inline constexpr bool is_leaf<spec_t<T, D...>> = true;
template <class T, int... D>
inline constexpr bool is_leaf<expr<T, D...>> = true;

// No leaf and no children: static arguments, and none.
template <class T>
inline constexpr bool is_empty_tree = static_constant<T> || std::is_same_v<T, none_t>;

// The number of members of an aggregate: the most initializers that it takes. (Fewer may be too few: a view has no default.)
struct anything {
  template <class T>
  constexpr operator T() const;
};
template <class T, class Indices>
inline constexpr bool takes = false;
template <class T, std::size_t... I>
  requires requires { T{(static_cast<void>(I), std::declval<anything>())...}; }
inline constexpr bool takes<T, std::index_sequence<I...>> = true;
inline constexpr int max_members = 12;
template <class T, int N = max_members + 1>
constexpr int count_members() {
  if constexpr (N == 0 || takes<T, std::make_index_sequence<N>>) return N;
  else return count_members<T, N - 1>();
}

template <class S>
constexpr auto members(S& s) {
  constexpr int n = count_members<std::remove_const_t<S>>();
  static_assert(n <= max_members, "exprax: a struct in a pytree has at most 12 members: group them in structs");
  if constexpr (n == 0) {
    return std::tuple<>();
  } else if constexpr (n == 1) {
    auto& [a] = s;
    return std::tie(a);
  } else if constexpr (n == 2) {
    auto& [a, b] = s;
    return std::tie(a, b);
  } else if constexpr (n == 3) {
    auto& [a, b, c] = s;
    return std::tie(a, b, c);
  } else if constexpr (n == 4) {
    auto& [a, b, c, d] = s;
    return std::tie(a, b, c, d);
  } else if constexpr (n == 5) {
    auto& [a, b, c, d, e] = s;
    return std::tie(a, b, c, d, e);
  } else if constexpr (n == 6) {
    auto& [a, b, c, d, e, f] = s;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (n == 7) {
    auto& [a, b, c, d, e, f, g] = s;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (n == 8) {
    auto& [a, b, c, d, e, f, g, h] = s;
    return std::tie(a, b, c, d, e, f, g, h);
  } else if constexpr (n == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = s;
    return std::tie(a, b, c, d, e, f, g, h, i);
  } else if constexpr (n == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = s;
    return std::tie(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (n == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = s;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (n == 12) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = s;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
  }
}

template <class T>
struct node;

template <class... T>
struct node<std::tuple<T...>> {
  static constexpr std::size_t size = sizeof...(T);
  template <std::size_t I, class Tree>
  static constexpr auto& child(Tree& t) {
    return std::get<I>(t);
  }
  template <class... R>
  static constexpr std::tuple<R...> make(R... r) {
    return std::tuple<R...>(std::move(r)...);
  }
};
template <class A, class B>
struct node<std::pair<A, B>> {
  static constexpr std::size_t size = 2;
  template <std::size_t I, class Tree>
  static constexpr auto& child(Tree& t) {
    return std::get<I>(t);
  }
  template <class X, class Y>
  static constexpr std::pair<X, Y> make(X x, Y y) {
    return {std::move(x), std::move(y)};
  }
};
template <class T, std::size_t N>
struct node<std::array<T, N>> {
  static constexpr std::size_t size = N;
  template <std::size_t I, class Tree>
  static constexpr auto& child(Tree& t) {
    return t[I];
  }
  template <class R, class... Same>
  static constexpr std::array<R, N> make(R r, Same... same) {
    return {{std::move(r), std::move(same)...}};
  }
};

// A struct over Array. How its members change when every leaf does is told by another Array: see pytree/tree.hpp.
template <template <template <class, auto...> class> class S, template <class, auto...> class Array>
struct node<S<Array>> {
  static constexpr bool is_struct = true;
  static constexpr std::size_t size = count_members<S<Array>>();
  template <std::size_t I, class Tree>
  static constexpr auto& child(Tree& t) {
    return std::get<I>(members(t));
  }
};

template <class T>
concept tree_node = requires { node<T>::size; };

template <class T>
concept struct_node = requires { node<T>::is_struct; };

template <class T>
inline constexpr bool is_tree = is_leaf<T> || is_empty_tree<T> || tree_node<T>;

template <class T, class = std::make_index_sequence<node<T>::size>>
inline constexpr bool children_are_trees = false;
template <class T>
constexpr bool check_tree();
template <class T, std::size_t... I>
inline constexpr bool children_are_trees<T, std::index_sequence<I...>> =
    (check_tree<std::remove_cvref_t<decltype(node<T>::template child<I>(std::declval<T&>()))>>() && ...);

// True, or a readable error.
template <class T>
constexpr bool check_tree() {
  static_assert(is_tree<T>,
                "exprax: this type cannot be an argument, a result or a carry: use arrays, numbers, std::tuple, std::pair, std::array, Hana tuples or maps, "
                "or a struct that is a template over Array: template <template <class, auto...> class Array> struct s { Array<float, 3> x; };");
  if constexpr (tree_node<T>) return children_are_trees<T>;
  else return is_tree<T>;
}

}  // namespace detail

}  // namespace exprax

// exprax/pytree/tree.hpp
// Pytrees (jax.tree): tuple, get, tree_map, tree_leaves, and for the library: a loop over leaves, and the tree's type when
// every leaf changes its own.

// exprax/pytree/hana.hpp
// Boost.Hana's tuples and maps as pytrees. A map is the dictionary: its keys are Hana strings, its leaves stand in the
// order in which the map was made.

#include <boost/hana/at.hpp>
#include <boost/hana/at_key.hpp>
#include <boost/hana/first.hpp>
#include <boost/hana/integral_constant.hpp>
#include <boost/hana/keys.hpp>
#include <boost/hana/map.hpp>
#include <boost/hana/pair.hpp>
#include <boost/hana/string.hpp>
#include <boost/hana/tuple.hpp>

namespace exprax::detail {

template <class... T>
struct node<boost::hana::tuple<T...>> {
  static constexpr std::size_t size = sizeof...(T);
  template <std::size_t I, class Tree>
  static constexpr auto& child(Tree& t) {
    return boost::hana::at_c<I>(t);
  }
  template <class... R>
  static constexpr boost::hana::tuple<R...> make(R... r) {
    return boost::hana::tuple<R...>(std::move(r)...);
  }
};

template <class T>
concept hana_map = requires { typename T::hana_tag; } && std::is_same_v<typename T::hana_tag, boost::hana::map_tag>;

template <hana_map T>
struct node<T> {
  using keys = decltype(boost::hana::keys(std::declval<T const&>()));
  template <std::size_t I>
  using key = std::remove_cvref_t<decltype(boost::hana::at_c<I>(std::declval<keys const&>()))>;
  static constexpr std::size_t size = decltype(boost::hana::length(std::declval<T const&>()))::value;

  template <std::size_t I, class Tree>
  static constexpr auto& child(Tree& t) {
    return boost::hana::at_key(t, key<I>{});
  }
  template <class... R>
  static constexpr auto make(R... r) {
    return make_map(std::index_sequence_for<R...>{}, std::move(r)...);
  }
  template <std::size_t... I, class... R>
  static constexpr auto make_map(std::index_sequence<I...>, R... r) {
    return boost::hana::make_map(boost::hana::make_pair(key<I>{}, std::move(r))...);
  }
};

}  // namespace exprax::detail

namespace exprax {

// A tuple of values; results of traced functions are tuples.
template <class... T>
constexpr std::tuple<T...> tuple(T const&... values) {
  return std::tuple<T...>(values...);
}

// Child I of any node: a tuple, pair, array, struct, or map.
template <std::size_t I, class Tree>
constexpr auto& get(Tree const& t) {
  return detail::node<Tree>::template child<I>(t);
}

namespace detail {

template <class Tree, class F>
constexpr void for_each_leaf(Tree& t, F&& f);

template <class Tree, class F, std::size_t... I>
constexpr void for_each_child(Tree& t, F& f, std::index_sequence<I...>) {
  (for_each_leaf(node<std::remove_const_t<Tree>>::template child<I>(t), f), ...);
}
template <class Tree, class F>
constexpr void for_each_leaf(Tree& t, F&& f) {
  using type = std::remove_const_t<Tree>;
  if constexpr (is_leaf<type>) f(t);
  else if constexpr (tree_node<type>) for_each_child(t, f, std::make_index_sequence<node<type>::size>{});
}

template <class... T>
struct type_list {
  static constexpr int size = static_cast<int>(sizeof...(T));
};
template <class... Lists>
struct concat;
template <class List>
struct concat<List> {
  using type = List;
};
template <class... A, class... B, class... Rest>
struct concat<type_list<A...>, type_list<B...>, Rest...> : concat<type_list<A..., B...>, Rest...> {};

template <class Tree, std::size_t I>
using child_t = std::remove_cvref_t<decltype(node<Tree>::template child<I>(std::declval<Tree&>()))>;

// The types of the leaves, in order.
template <class Tree>
struct leaves;
template <class Tree, class = std::make_index_sequence<node<Tree>::size>>
struct leaves_of_children;
template <class Tree, std::size_t... I>
struct leaves_of_children<Tree, std::index_sequence<I...>> : concat<type_list<>, typename leaves<child_t<Tree, I>>::type...> {};
template <class Tree>
  requires(is_leaf<Tree>)
struct leaves<Tree> {
  using type = type_list<Tree>;
};
template <class Tree>
  requires(is_empty_tree<Tree>)
struct leaves<Tree> {
  using type = type_list<>;
};
template <class Tree>
  requires(!is_leaf<Tree> && !is_empty_tree<Tree>)
struct leaves<Tree> : leaves_of_children<Tree> {};

template <class Tree>
using leaves_t = typename leaves<Tree>::type;
template <class Tree>
inline constexpr int leaf_count = leaves_t<Tree>::size;

// map_t<Tree, L>: the tree with each leaf X replaced by L<X>::type.
template <class Tree, template <class> class L>
struct map_types {
  static_assert(is_leaf<Tree> || is_empty_tree<Tree> || tree_node<Tree>);
  using type = Tree;
};
template <class Tree, template <class> class L>
using map_t = typename map_types<Tree, L>::type;

template <class Tree, template <class> class L>
  requires(is_leaf<Tree>)
struct map_types<Tree, L> : L<Tree> {};
template <class... T, template <class> class L>
struct map_types<std::tuple<T...>, L> {
  using type = std::tuple<map_t<T, L>...>;
};
template <class A, class B, template <class> class L>
struct map_types<std::pair<A, B>, L> {
  using type = std::pair<map_t<A, L>, map_t<B, L>>;
};
template <class T, std::size_t N, template <class> class L>
struct map_types<std::array<T, N>, L> {
  using type = std::array<map_t<T, L>, N>;
};
template <class... T, template <class> class L>
struct map_types<boost::hana::tuple<T...>, L> {
  using type = boost::hana::tuple<map_t<T, L>...>;
};
template <class Map, template <class> class L, class = std::make_index_sequence<node<Map>::size>>
struct map_types_of_map;
template <class Map, template <class> class L, std::size_t... I>
struct map_types_of_map<Map, L, std::index_sequence<I...>> {
  using type = decltype(node<Map>::make(std::declval<map_t<child_t<Map, I>, L>>()...));
};
template <hana_map Map, template <class> class L>
struct map_types<Map, L> : map_types_of_map<Map, L> {};

// A struct over Array becomes one over array or expr where these give its members, or else over an Array of our own.
template <template <class, auto...> class Array, template <class> class L>
struct mapped {
  template <class T, auto... D>
  using form = typename L<Array<T, D...>>::type;
};
template <template <template <class, auto...> class> class S, class Mapped>
constexpr auto plainest() {
  if constexpr (std::is_same_v<leaves_t<S<array>>, leaves_t<Mapped>>) return std::type_identity<S<array>>{};
  else if constexpr (std::is_same_v<leaves_t<S<expr>>, leaves_t<Mapped>>) return std::type_identity<S<expr>>{};
  else return std::type_identity<Mapped>{};
}
template <template <template <class, auto...> class> class S, template <class, auto...> class Array, template <class> class L>
struct map_types<S<Array>, L> {
  using type = typename decltype(plainest<S, S<mapped<Array, L>::template form>>())::type;
};

// tree_map on several trees. The result of a leaf is whatever f returns.
template <class F, class... Leaf>
using mapped_leaf_t = std::remove_cvref_t<std::invoke_result_t<F&, Leaf const&...>>;
template <class F, template <class, auto...> class... Arrays>
struct mapped_by {
  template <class T, auto... D>
  using form = mapped_leaf_t<F, Arrays<T, D...>...>;
};

template <class F, class Tree, class... Trees>
constexpr auto map_values(F&& f, Tree const& t, Trees const&... rest);

template <std::size_t I, class F, class Tree, class... Trees>
constexpr auto map_child(F& f, Tree const& t, Trees const&... rest) {
  static_assert(((node<Tree>::size == node<Trees>::size) && ...), "exprax: tree_map: the trees differ in structure");
  return map_values(f, node<Tree>::template child<I>(t), node<Trees>::template child<I>(rest)...);
}
template <class F, std::size_t... I, class Tree, class... Trees>
  requires(!struct_node<Tree>)
constexpr auto map_node(F& f, std::index_sequence<I...>, Tree const& t, Trees const&... rest) {
  return node<Tree>::make(map_child<I>(f, t, rest...)...);
}
template <class F, std::size_t... I, template <template <class, auto...> class> class S, template <class, auto...> class... Arrays>
constexpr auto map_node(F& f, std::index_sequence<I...>, S<Arrays> const&... trees) {
  using result = typename decltype(plainest<S, S<mapped_by<F, Arrays...>::template form>>())::type;
  return result{map_child<I>(f, trees...)...};
}
template <class F, class Tree, class... Trees>
constexpr auto map_values(F&& f, Tree const& t, Trees const&... rest) {
  if constexpr (is_leaf<Tree>) return f(t, rest...);
  else if constexpr (is_empty_tree<Tree>) return t;
  else return map_node(f, std::make_index_sequence<node<Tree>::size>{}, t, rest...);
}

template <class Tree, std::size_t... I>
constexpr auto flatten_children(Tree const& t, std::index_sequence<I...>);
template <class Tree>
constexpr auto flatten(Tree const& t) {
  if constexpr (is_leaf<Tree>) return std::tuple<Tree>(t);
  else if constexpr (is_empty_tree<Tree>) return std::tuple<>();
  else return flatten_children(t, std::make_index_sequence<node<Tree>::size>{});
}
template <class Tree, std::size_t... I>
constexpr auto flatten_children(Tree const& t, std::index_sequence<I...>) {
  return std::tuple_cat(flatten(node<Tree>::template child<I>(t))...);
}

}  // namespace detail

// f on every leaf (jax.tree.map): f(leaf of tree, leaf of rest...). The results stand in a tree of the same structure.
template <class F, class Tree, class... Rest>
constexpr auto tree_map(F&& f, Tree const& tree, Rest const&... rest) {
  static_assert(detail::check_tree<Tree>());
  return detail::map_values(f, tree, rest...);
}
// All leaves in order, as a std::tuple (jax.tree.leaves).
template <class Tree>
constexpr auto tree_leaves(Tree const& tree) {
  static_assert(detail::check_tree<Tree>());
  return detail::flatten(tree);
}

}  // namespace exprax

// exprax/program/expr.hpp
// expr<T, Dims...>: a value that is being traced (a JAX tracer). Its type is its dtype, weakness and shape, nothing else;
// operations on it record equations on its tape and return the expr of the result.

#include <concepts>
#include <type_traits>

// exprax/program/tape.hpp
// tape: what a trace has recorded so far, in the tables of a program, and the handles that point into it.
//
// Constant evaluation has no global state, so there is no current tape: values bring theirs. Creation functions take no
// value and record on a private tape, which joins the tape of the first value it meets; a joined tape forwards to the
// other one. The equations of open blocks stand in one list, in order (program/blocks.hpp).
//
// Recording is written for few constexpr steps. clang counts statements and calls, so the tables are open and several
// stores share one statement.

#include <cstddef>
#include <cstdint>
#include <utility>

// exprax/program/program.hpp
// The jaxpr as plain data: values, equations and nested blocks in flat tables, all addressed by int.
//
// A value is a literal or constant (constant >= 0: the offset of its elements in the pool, one 64-bit pattern for each,
// row-major; an integer is sign- or zero-extended, a float's bits stand in the low half), an input of a block, or a result
// of one equation. The results of one equation have consecutive numbers. A block is closed: it reads its own inputs, the
// results of its own equations, and constants; nothing else. The last block is the program itself.
//
// program owns its tables and lives in one constant evaluation; program_storage is the same in static storage; every
// stage reads a program_ref.

#include <cstdint>
#include <string_view>

// exprax/base/span.hpp
// span<T>: a run of constants, with int sizes. std::span would cost 90 ms for each translation unit.

#include <initializer_list>

namespace exprax::detail {

template <class T>
struct span {
  // Public for the recorder, which reads them without a call: a call costs constexpr steps.
  T const* first = nullptr;
  int count = 0;

  constexpr span() = default;
  constexpr span(T const* data, int size) : first(data), count(size) {}
  constexpr span(std::initializer_list<T> list) : count(static_cast<int>(list.size())) {
    first = list.begin();  // not a member initializer: g++ warns of its lifetime there
  }
  constexpr span(arena<T> const& a) : first(a.data()), count(a.size()) {}
  template <int N>
  constexpr span(T const (&a)[N]) : first(a), count(N) {}

  constexpr int size() const { return count; }
  constexpr bool empty() const { return count == 0; }
  constexpr T const* data() const { return first; }
  constexpr T const& operator[](int i) const { return first[i]; }
  constexpr T const* begin() const { return first; }
  constexpr T const* end() const { return first + count; }
  constexpr span part(int from, int n) const { return {first + from, n}; }
};

}  // namespace exprax::detail

namespace exprax {

// Defined, one enumerator for each primitive, in primitives/list.hpp.
enum class prim : std::uint8_t;

// Without default values: an array of the two is made in constant evaluation at no cost for an element.
struct value {
  int type;      // in the table of avals
  int constant;  // in the pool of constants, or -1
};

struct eqn {
  prim op;
  int in, n_in;    // in the table of references: values
  int out, n_out;  // values out, out + 1, ...
  int par, n_par;  // in the table of parameters; each primitive's header says what they mean
  int blk, n_blk;  // in the table of references: blocks
};

struct block {
  int in = 0, n_in = 0;    // in the table of references: values
  int out = 0, n_out = 0;  // in the table of references: values
  int eqn = 0, n_eqn = 0;  // in the table of equations
};

// The name of a function that was jitted; the text has static storage.
struct name {
  char const* text = nullptr;
  int size = 0;
  constexpr std::string_view view() const { return {text, static_cast<std::size_t>(size)}; }
};

struct program_sizes {
  int values = 0, eqns = 0, blocks = 0, refs = 0, params = 0, avals = 0, constants = 0, names = 0;
  constexpr bool operator==(program_sizes const&) const = default;
};

struct program_ref {
  value const* values = nullptr;
  eqn const* eqns = nullptr;
  block const* blocks = nullptr;
  int const* refs = nullptr;
  int const* params = nullptr;
  aval const* avals = nullptr;
  std::uint64_t const* constants = nullptr;
  name const* names = nullptr;
  program_sizes n;

  constexpr block const& main() const { return blocks[n.blocks - 1]; }
  constexpr int main_id() const { return n.blocks - 1; }
  constexpr aval const& type(int v) const { return avals[values[v].type]; }
  constexpr bool is_constant(int v) const { return values[v].constant >= 0; }
  // A literal is a constant scalar: JAX prints it in place.
  constexpr bool is_literal(int v) const { return values[v].constant >= 0 && type(v).rank == 0; }
  constexpr std::uint64_t bits(int v, std::ptrdiff_t i = 0) const { return constants[values[v].constant + i]; }

  constexpr int in(eqn const& e, int k) const { return refs[e.in + k]; }
  constexpr int param(eqn const& e, int k) const { return params[e.par + k]; }
  constexpr int block_id(eqn const& e, int k) const { return refs[e.blk + k]; }
  constexpr block const& sub(eqn const& e, int k) const { return blocks[refs[e.blk + k]]; }
  constexpr detail::span<int> ins(eqn const& e) const { return {refs + e.in, e.n_in}; }
  constexpr detail::span<int> params_of(eqn const& e) const { return {params + e.par, e.n_par}; }
  constexpr detail::span<int> subs(eqn const& e) const { return {refs + e.blk, e.n_blk}; }
  constexpr detail::span<int> ins(block const& b) const { return {refs + b.in, b.n_in}; }
  constexpr detail::span<int> outs(block const& b) const { return {refs + b.out, b.n_out}; }
  constexpr detail::span<eqn> body(block const& b) const { return {eqns + b.eqn, b.n_eqn}; }
};

// What a rule sees of one equation: operand k's aval, parameter k.
struct equation_ref {
  program_ref const& p;
  eqn const& e;
  constexpr int n_in() const { return e.n_in; }
  constexpr int n_out() const { return e.n_out; }
  constexpr int n_par() const { return e.n_par; }
  constexpr int in(int k) const { return p.in(e, k); }
  constexpr aval const& type(int k) const { return p.type(p.in(e, k)); }
  constexpr aval const& out_type(int k) const { return p.type(e.out + k); }
  constexpr int param(int k) const { return p.param(e, k); }
  constexpr detail::span<int> params() const { return p.params_of(e); }
  constexpr block const& sub(int k) const { return p.sub(e, k); }
};

class program {
 public:
  detail::arena<value> values;
  detail::arena<eqn> eqns;
  detail::arena<block> blocks;
  detail::arena<int> refs;
  detail::arena<int> params;
  detail::arena<aval> avals;
  detail::arena<std::uint64_t> constants;
  detail::arena<name> names;

  constexpr int intern(aval const& a) {
    for (int i = avals.size() - 1; i >= 0; --i)
      if (avals[i] == a) return i;
    return avals.push(a);
  }
  constexpr int add_value(aval const& a) { return values.push({intern(a), -1}); }
  constexpr int add_constant(aval const& a, detail::span<std::uint64_t> bits) {
    int const at = constants.size();
    for (std::uint64_t b : bits) constants.push(b);
    if (bits.empty()) constants.push(0);  // an empty constant still needs a place
    return values.push({intern(a), at});
  }
  constexpr int add_literal(dtype t, std::uint64_t bits, bool weak = false) {
    return add_constant(aval(t, weak), {&bits, 1});
  }
  constexpr int add_name(std::string_view s) { return names.push({s.data(), static_cast<int>(s.size())}); }
  constexpr aval const& type(int v) const { return avals[values[v].type]; }

  // Blocks are built inside out: open, emit equations (with blocks closed before), close. Open the main block first.
  constexpr void open() { open_.push(pending_.size()); }
  constexpr int emit(prim op, detail::span<int> in, detail::span<int> par, detail::span<aval> out, detail::span<int> sub = {}) {
    eqn e{op, add_refs(in), in.size(), values.size(), out.size(), params.size(), par.size(), 0, sub.size()};
    for (int x : par) params.push(x);
    e.blk = add_refs(sub);
    for (aval const& a : out) add_value(a);
    pending_.push(e);
    return e.out;
  }
  // The same with one result whose aval has a number already, no blocks, and few steps.
  constexpr int emit_one(prim op, detail::span<int> in, detail::span<int> par, int type) {
    int const out = values.push({type, -1}), n = in.size(), n_par = par.size(), at = refs.size();
    pending_.push({op, at, n, out, 1, params.size(), n_par, 0, 0});
    detail::copy_run(refs.grow(n), in.data(), n);
    if (n_par > 0) detail::copy_run(params.grow(n_par), par.data(), n_par);
    return out;
  }
  // Closes the innermost open block and returns its number.
  constexpr int close(detail::span<int> in, detail::span<int> out) {
    int const first = open_.back();
    open_.pop();
    block b{add_refs(in), in.size(), 0, out.size(), eqns.size(), pending_.size() - first};
    b.out = add_refs(out);
    detail::copy_run(eqns.grow(b.n_eqn), pending_.data() + first, b.n_eqn);
    pending_.shrink(first);
    return blocks.push(b);
  }

  constexpr program_sizes sizes() const {
    return {values.size(), eqns.size(), blocks.size(), refs.size(), params.size(), avals.size(), constants.size(), names.size()};
  }
  // What is built so far; equations of open blocks are not in it yet.
  constexpr program_ref ref() const {
    return {values.data(), eqns.data(), blocks.data(), refs.data(), params.data(), avals.data(), constants.data(), names.data(), sizes()};
  }

 private:
  constexpr int add_refs(detail::span<int> s) {
    int const at = refs.size();
    for (int x : s) refs.push(x);
    return at;
  }
  detail::arena<eqn> pending_;
  detail::arena<int> open_;
};

template <program_sizes N>
struct program_storage {
  value values[N.values + 1] = {};
  eqn eqns[N.eqns + 1] = {};
  block blocks[N.blocks + 1] = {};
  int refs[N.refs + 1] = {};
  int params[N.params + 1] = {};
  aval avals[N.avals + 1] = {};
  std::uint64_t constants[N.constants + 1] = {};
  name names[N.names + 1] = {};

  constexpr program_ref ref() const { return {values, eqns, blocks, refs, params, avals, constants, names, N}; }
};

namespace detail {

template <class T>
constexpr void fill(T* to, arena<T> const& from) {
  copy_run(to, from.data(), from.size());
}
template <program_sizes N>
constexpr void fill_storage(program_storage<N>& s, program const& p) {
  fill(s.values, p.values);
  fill(s.eqns, p.eqns);
  fill(s.blocks, p.blocks);
  fill(s.refs, p.refs);
  fill(s.params, p.params);
  fill(s.avals, p.avals);
  fill(s.constants, p.constants);
  fill(s.names, p.names);
}

constexpr bool within(program_sizes const& a, program_sizes const& b) {
  return a.values <= b.values && a.eqns <= b.eqns && a.blocks <= b.blocks && a.refs <= b.refs && a.params <= b.params && a.avals <= b.avals &&
         a.constants <= b.constants && a.names <= b.names;
}
constexpr program_sizes enlarged(program_sizes const& a, int more) {
  return {a.values + more, a.eqns + more, a.blocks + more, a.refs + more, a.params + more, a.avals + more, a.constants + more, a.names + more};
}

}  // namespace detail

// Count, then fill: Source::make() is a constexpr function that returns a program. The type frozen<Source> stands for the
// program wherever a template needs one; its symbol is as short as Source's name.
template <class Source>
struct frozen {
  static constexpr program_sizes sizes = Source::make().sizes();
  static constexpr program_storage<sizes> storage = [] {
    program_storage<sizes> s;
    detail::fill_storage(s, Source::make());
    return s;
  }();
  static constexpr program_ref ref = storage.ref();
};

// The same with one evaluation of Source::make(), where the program is not larger than Bound; else by frozen. For passes, whose
// results are seldom larger than what they were given.
template <class Source, program_sizes Bound>
struct frozen_within {
  struct attempt {
    program_sizes sizes;
    bool fits = false;
    program_storage<Bound> storage;
  };
  static constexpr attempt once = [] {
    program const p = Source::make();
    attempt a;
    a.sizes = p.sizes();
    a.fits = detail::within(a.sizes, Bound);
    if (a.fits) detail::fill_storage(a.storage, p);
    return a;
  }();
  static constexpr program_ref ref = [] {
    if constexpr (once.fits) {
      program_ref r = once.storage.ref();
      r.n = once.sizes;
      return r;
    } else {
      return frozen<Source>::ref;
    }
  }();
};

}  // namespace exprax

namespace exprax::detail {

// An arena without privacy. T has no default values, or an array of it would cost steps for each element.
template <class T>
struct table {
  T* at = nullptr;
  int n = 0;
  int room = 0;

  constexpr table() = default;
  table(table const&) = delete;
  table& operator=(table const&) = delete;
  constexpr ~table() { delete[] at; }

  constexpr void make_room(int more) {
    if (n + more > room) reserve(2 * room + more + 14);
  }
  constexpr void reserve(int total) {
    if (total <= room) return;
    T* const to = new T[static_cast<std::size_t>(total)];
    copy_run(to, at, n);
    delete[] at;
    at = to;
    room = total;
  }
  constexpr int push(T const& x) {
    make_room(1);
    at[n] = x;
    return n++;
  }
  constexpr void clear() {
    delete[] at;
    at = nullptr;
    n = room = 0;
  }
  constexpr arena<T> release() { return arena<T>(std::exchange(at, nullptr), std::exchange(n, 0), std::exchange(room, 0)); }
};

struct tape;

// A joined private tape: the interval of the list of equations that it became, how many open blocks were around it, and how
// many it brought: those have the numbers depth, depth + 1, ... in the list of marks.
struct segment {
  tape* from;
  int begin, end;
  int depth, marks;
  constexpr bool brought(int mark) const { return depth <= mark && mark < depth + marks; }
};

constexpr int type_slot(aval const& a) {
  int n = static_cast<int>(a.type) + 3 * a.rank + a.weak;
  for (int i = 0; i < a.rank; ++i) n += (2 * i + 1) * (a.dims[i] & 15);
  return n & 15;
}

struct tape {
  int refs = 0;          // handles, forwards and segments that point here
  tape* into = nullptr;  // the tape that this one joined
  int value_shift = 0;   // added to the numbers of its values there,
  int block_shift = 0;   // and of its blocks
  bool bound = false;    // holds the arguments of a trace, and so never joins another tape
  bool has_dead_blocks = false;

  table<value> values;
  table<eqn> eqns;    // of open blocks, and outside of all blocks: in order
  table<eqn> closed;  // of closed blocks
  table<block> blocks;
  table<int> links;  // the program's table of references
  table<int> params;
  table<std::uint64_t> constants;
  arena<aval> avals;
  arena<name> names;
  table<int> name_params;  // parameters that are numbers of names
  table<int*> marks;       // where the open blocks begin in eqns, outermost first
  table<segment> segments;

  // The static avals that were looked up last, one for each slot, and their numbers.
  aval const* keys[16] = {};
  int key_types[16] = {};

  constexpr int find_type(aval const& a) {
    int k = 0;
    while (k < avals.size() && !(avals[k] == a)) ++k;
    if (k == avals.size()) avals.push(a);
    return k;
  }
  // For an aval with static storage.
  constexpr int find_static_type(aval const& a) {
    int const slot = type_slot(a);
    keys[slot] = &a;
    return key_types[slot] = find_type(a);
  }
  constexpr int add_value(int type) {
    left = 0;
    return values.push({type, -1});
  }
  constexpr int add_constant(int type, span<std::uint64_t> bits) {
    int const at = constants.n;
    left = 0;
    constants.make_room(bits.count + 1);
    copy_run(constants.at + at, bits.first, bits.count);
    constants.n += bits.empty() ? 1 : bits.count;
    if (bits.empty()) constants.at[at] = 0;
    return values.push({type, at});
  }
  constexpr aval const& type(int v) const { return avals[values.at[v].type]; }
  constexpr bool is_literal(int v) const { return values.at[v].constant >= 0 && type(v).rank == 0; }

  // For how many equations there is room, each with a result, a literal, 4 operands and 8 parameters: what recording in
  // expr_access::bind looks at. Everything else that records sets it to 0.
  int left = 0;

  constexpr void refill(int needed) {
    auto const less = [](int a, int b) { return a < b ? a : b; };
    left = less(less(less(eqns.room - eqns.n, values.room - values.n), constants.room - constants.n), less((links.room - links.n) / 4, (params.room - params.n) / 8));
    if (left < needed) expect(eqns.n + 16);
    left -= needed;
  }
  // Room for that many more.
  constexpr void expect(int equations) {
    left = equations;
    eqns.reserve(eqns.n + left);
    values.reserve(values.n + left);
    constants.reserve(constants.n + left);
    links.reserve(links.n + 4 * left);
    params.reserve(params.n + 8 * left);
  }

  // One equation with any number of operands, results and blocks. Returns the number of the first result.
  constexpr int record(prim op, span<int> in, span<int> par, span<int> out_types, span<int> sub = {}) {
    left = 0;
    links.make_room(in.count + sub.count);
    params.make_room(par.count);
    int const out = values.n;
    for (int t : out_types) add_value(t);
    eqns.push({op, links.n, in.count, out, out_types.count, params.n, par.count, links.n + in.count, sub.count});
    copy_run(links.at + links.n, in.first, in.count);
    copy_run(links.at + links.n + in.count, sub.first, sub.count);
    copy_run(params.at + params.n, par.first, par.count);
    links.n += in.count + sub.count;
    params.n += par.count;
    return out;
  }
};

// Ends one reference to t.
constexpr void drop(tape* t) {
  while (t && --t->refs == 0) {
    for (int i = 0; i < t->segments.n; ++i) drop(t->segments.at[i].from);
    tape* const next = t->into;
    delete t;
    t = next;
  }
}

// A value of a trace, whatever its type: the tape and the number there. Counts as a reference.
struct handle {
  tape* on = nullptr;
  int id = -1;

  constexpr handle() = default;
  constexpr handle(tape* t, int i) : on(t), id((++t->refs, i)) {}
  constexpr handle(handle const& o) : on(o.on), id((o.on ? ++o.on->refs : 0, o.id)) {}
  constexpr handle(handle&& o) noexcept : on(std::exchange(o.on, nullptr)), id(o.id) {}
  constexpr handle& operator=(handle o) noexcept {
    std::swap(on, o.on);
    std::swap(id, o.id);
    return *this;
  }
  constexpr ~handle() { drop(on); }

  constexpr aval const& type() const { return on->type(id); }
};

// The same value, on the tape that its tape has joined.
constexpr handle resolve(handle const& h) {
  tape* t = h.on;
  int id = h.id;
  while (t->into) {
    id += t->value_shift;
    t = t->into;
  }
  return {t, id};
}

// The same for the number of a block of h's tape, taken before any resolution of h.
constexpr int resolve_block(handle const& h, int id) {
  for (tape const* t = h.on; t->into; t = t->into) id += t->block_shift;
  return id;
}

// Not constexpr: the name is the message.
inline void values_of_two_different_traces_meet() {}
inline void a_traced_value_is_used_before_it_is_assigned() {}

constexpr void shift_links(tape& t, int first, int n, int by) {
  for (int k = 0; k < n; ++k) t.links.at[first + k] += by;
}

// All that tape f has recorded goes to the end of tape a.
constexpr void merge(tape* a, tape* f) {
  a->left = f->left = 0;
  int const v = a->values.n, l = a->links.n, p = a->params.n, b = a->blocks.n, c = a->constants.n, done = a->closed.n, order = a->eqns.n;

  for (int i = 0; i < f->eqns.n + f->closed.n; ++i) {
    eqn const& e = i < f->eqns.n ? f->eqns.at[i] : f->closed.at[i - f->eqns.n];
    shift_links(*f, e.in, e.n_in, v);
    shift_links(*f, e.blk, e.n_blk, b);
  }
  for (int i = 0; i < f->blocks.n; ++i) {
    shift_links(*f, f->blocks.at[i].in, f->blocks.at[i].n_in, v);
    shift_links(*f, f->blocks.at[i].out, f->blocks.at[i].n_out, v);
  }
  for (int i = 0; i < f->name_params.n; ++i) {
    f->params.at[f->name_params.at[i]] += a->names.size();
    a->name_params.push(f->name_params.at[i] + p);
  }
  for (name const& n : f->names) a->names.push(n);

  int types[64] = {};
  for (int i = 0; i < f->avals.size() && i < 64; ++i)
    types[i] = a->find_type(f->avals[i]);
  a->values.make_room(f->values.n);
  for (int i = 0; i < f->values.n; ++i) {
    value const& x = f->values.at[i];
    int const type = x.type < 64 ? types[x.type] : a->find_type(f->avals[x.type]);
    a->values.push({type, x.constant < 0 ? -1 : x.constant + c});
  }
  auto const moved = [&](eqn e) {
    e.in += l;
    e.out += v;
    e.par += p;
    e.blk += l;
    return e;
  };
  for (int i = 0; i < f->eqns.n; ++i) a->eqns.push(moved(f->eqns.at[i]));
  for (int i = 0; i < f->closed.n; ++i) a->closed.push(moved(f->closed.at[i]));
  for (int i = 0; i < f->blocks.n; ++i) {
    block x = f->blocks.at[i];
    x.in += l;
    x.out += l;
    x.eqn += done;
    a->blocks.push(x);
  }
  a->links.make_room(f->links.n);
  copy_run(a->links.at + l, f->links.at, f->links.n);
  a->links.n += f->links.n;
  a->params.make_room(f->params.n);
  copy_run(a->params.at + p, f->params.at, f->params.n);
  a->params.n += f->params.n;
  a->constants.make_room(f->constants.n);
  copy_run(a->constants.at + c, f->constants.at, f->constants.n);
  a->constants.n += f->constants.n;

  int const depth = a->marks.n;
  for (int i = 0; i < f->marks.n; ++i) {
    *f->marks.at[i] += order;
    a->marks.push(f->marks.at[i]);
  }
  for (int i = 0; i < f->segments.n; ++i) {
    segment s = f->segments.at[i];
    s.begin += order;
    s.end += order;
    s.depth += depth;
    a->segments.push(s);
  }
  f->values.clear();
  f->eqns.clear();
  f->closed.clear();
  f->blocks.clear();
  f->links.clear();
  f->params.clear();
  f->constants.clear();
  f->marks.clear();
  f->segments.clear();

  if (a->marks.n > depth || (depth > 0 && a->eqns.n > order)) {  // only an open block asks where its equations came from
    a->segments.push({f, order, a->eqns.n, depth, a->marks.n - depth});
    ++f->refs;
  }
  a->has_dead_blocks = a->has_dead_blocks || f->has_dead_blocks;
  f->into = a;
  f->value_shift = v;
  f->block_shift = b;
  ++a->refs;
}

// Puts both values on one tape.
constexpr void join(handle& a, handle& b) {
  if (!a.on || !b.on) a_traced_value_is_used_before_it_is_assigned();
  a = resolve(a);
  b = resolve(b);
  if (a.on == b.on) return;
  if (a.on->bound && b.on->bound) values_of_two_different_traces_meet();
  if (b.on->bound) merge(b.on, a.on);
  else merge(a.on, b.on);
  a = resolve(a);
  b = resolve(b);
}

}  // namespace exprax::detail

// exprax/types/bits.hpp
// Single elements: as 64 bits, the form of constants in a program (integers sign- or zero-extended, floats in the low half),
// and as numbers of another dtype.

#include <bit>
#include <cstdint>

namespace exprax::detail {

template <class T>
constexpr std::uint64_t to_bits(T x) {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<std::uint32_t>(x);
  else if constexpr (std::is_same_v<T, double>) return std::bit_cast<std::uint64_t>(x);
  else return static_cast<std::uint64_t>(static_cast<std::int64_t>(x));
}
template <class T>
constexpr T from_bits(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  else if constexpr (std::is_same_v<T, double>) return std::bit_cast<double>(bits);
  else return static_cast<T>(bits);
}

// C++ numbers of one dtype as another, as XLA converts them: to bool by comparison with 0, floats to integers towards 0
// with saturation.
template <class To, class From>
constexpr To convert_number(From x) {
  if constexpr (std::is_same_v<To, bool>) return x != From(0);
  else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    if (x != x) return To(0);
    constexpr int bits = static_cast<int>(sizeof(To)) * 8 - (std::is_signed_v<To> ? 1 : 0);
    From limit = 1;
    for (int i = 0; i < bits; ++i) limit *= 2;
    if (x >= limit) return static_cast<To>(~std::uint64_t{0} >> (64 - bits));
    if (std::is_signed_v<To> ? x < -limit : x <= From(-1)) return static_cast<To>(std::is_signed_v<To> ? ~(~std::uint64_t{0} >> (64 - bits)) : 0);
    return static_cast<To>(x);
  } else if constexpr (std::is_same_v<To, float> && std::is_same_v<From, double>) {
    // The rounding of numbers beyond float's range is no constant expression.
    constexpr double largest = 0x1.ffffffp127;
    if (x >= largest) return __builtin_inff();
    if (x <= -largest) return -__builtin_inff();
    return static_cast<float>(x);
  } else return static_cast<To>(x);
}

}  // namespace exprax::detail

// exprax/types/promote.hpp
// Type promotion (jax.numpy.promote_types): JAX's lattice with weak types. Types of 64 bits come only from values that were
// declared with them; apart from those the lattice is the one of x64 off (u32 and i8 meet in i32).

namespace exprax {

struct promotion {
  dtype type;
  bool weak;
  constexpr bool operator==(promotion const&) const = default;
};

namespace detail {

constexpr bool is_64_bit(dtype d) { return size_of(d) == 8; }
constexpr int width_rank(dtype d) { return size_of(d); }
constexpr dtype wider(dtype a, dtype b) { return size_of(a) < size_of(b) ? b : a; }

// Two integers, neither of them weak.
constexpr promotion promote_integers(dtype a, dtype b) {
  if (is_signed_integer(a) == is_signed_integer(b)) return {wider(a, b), false};
  dtype const s = is_signed_integer(a) ? a : b;
  dtype const u = is_signed_integer(a) ? b : a;
  if (u == dtype::u64) return {dtype::f64, true};  // as NumPy: no integer holds both
  if (size_of(s) > size_of(u)) return {s, false};
  constexpr dtype above[] = {dtype::i16, dtype::i32, dtype::i32};
  return {above[static_cast<int>(u) - static_cast<int>(dtype::u8)], false};
}

constexpr int category(dtype d) { return is_bool(d) ? 0 : is_integer(d) ? 1 : 2; }

}  // namespace detail

constexpr promotion promote(promotion a, promotion b) {
  int const ca = detail::category(a.type), cb = detail::category(b.type);
  if (a.weak != b.weak) {
    promotion const weak = a.weak ? a : b;
    promotion const strong = a.weak ? b : a;
    int const cw = detail::category(weak.type), cs = detail::category(strong.type);
    if (cw <= cs) return strong;
    // A weak value of a higher category stays weak; a 64-bit integer calls for a 64-bit float.
    return {cw == 2 && detail::is_64_bit(strong.type) ? dtype::f64 : weak.type, true};
  }
  if (ca != cb) return ca < cb ? b : a;
  if (ca == 0) return a;
  if (ca == 2 || a.weak) return {detail::wider(a.type, b.type), a.weak};
  return detail::promote_integers(a.type, b.type);
}

namespace detail {

template <class T>
inline constexpr promotion promotion_of = {dtype_of<T>, is_weak<T>};

template <dtype D, bool Weak>
struct type_of_dtype {
  using type = element_t<D>;
};
template <dtype D>
struct type_of_dtype<D, true> {
  using type = weak<element_t<D>>;
};

template <class... T>
struct promoted;
template <class T>
struct promoted<T> {
  using type = T;
};
template <class A, class B, class... Rest>
struct promoted<A, B, Rest...> {
  static constexpr promotion both = promote(promotion_of<A>, promotion_of<B>);
  using type = typename promoted<typename type_of_dtype<both.type, both.weak>::type, Rest...>::type;
};

// The weak type of a C++ scalar; bool is not weak.
template <class S>
struct literal_type {
  using type = weak<std::int32_t>;
};
template <>
struct literal_type<bool> {
  using type = bool;
};
template <>
struct literal_type<float> {
  using type = weak<float>;
};
template <>
struct literal_type<double> {
  using type = weak<float>;
};

// The one C++ type of a dtype: long long becomes std::int64_t where they differ.
template <class T>
struct canonical {
  using type = element_t<dtype_of<T>>;
};
template <class T>
struct canonical<weak<T>> {
  using type = weak<element_t<dtype_of<T>>>;
};

}  // namespace detail

// The dtype, weak or not, in which values of these types meet.
template <class... T>
using promote_t = typename detail::promoted<T...>::type;
// The type of a C++ scalar in an expression: weak<float>, weak<int> or bool.
template <class S>
using literal_t = typename detail::literal_type<S>::type;
template <class T>
using canonical_t = typename detail::canonical<T>::type;

}  // namespace exprax

// exprax/types/shape.hpp
// Shapes as types: dims<2, 3>, and NumPy broadcasting of two or more of them.

#include <utility>

namespace exprax::detail {

template <int... D>
struct dims {
  static constexpr int rank = static_cast<int>(sizeof...(D));
  static constexpr int of[sizeof...(D) + 1] = {D..., 0};
};

template <dtype T, bool Weak, int... D>
constexpr aval make_aval() {
  aval a(T, Weak);
  ((a.dims[a.rank++] = D), ...);
  return a;
}

// The shape in which two shapes meet; fits is false where an axis of both differs and neither is 1.
struct broadcast_result {
  aval shape;
  bool fits = true;
};
constexpr broadcast_result broadcast(aval const& a, aval const& b) {
  broadcast_result r;
  r.shape.rank = a.rank < b.rank ? b.rank : a.rank;
  for (int i = 0; i < r.shape.rank; ++i) {
    int const ia = i - (r.shape.rank - a.rank), ib = i - (r.shape.rank - b.rank);
    int const x = ia < 0 ? 1 : a.dims[ia], y = ib < 0 ? 1 : b.dims[ib];
    if (x != y && x != 1 && y != 1) r.fits = false;
    r.shape.dims[i] = x == 1 ? y : x;
  }
  return r;
}

// Shape::value is an aval: its dims as a type.
template <class Shape, class = std::make_integer_sequence<int, Shape::value.rank>>
struct dims_of;
template <class Shape, int... K>
struct dims_of<Shape, std::integer_sequence<int, K...>> {
  using type = dims<Shape::value.dims[K]...>;
};

}  // namespace exprax::detail

namespace exprax {

template <class T, int... Dims>
class expr;

template <class S>
concept scalar = std::is_arithmetic_v<S>;

namespace detail {

template <class T>
inline constexpr bool is_expr = false;
template <class T, int... Dims>
inline constexpr bool is_expr<expr<T, Dims...>> = true;

// Operand of bind: a C++ number of dtype T, or weak<...>, that becomes a literal.
template <class T>
struct lit {
  strong_t<T> value;
};

// A constant scalar on a private tape.
template <class T>
constexpr expr<T> literal(strong_t<T> value);

// Base of expr, so that argument-dependent lookup finds the functions of exprax::detail that other headers give it.
struct traced_value {};

// Never true: their names and arguments stand in the error text.
template <class Value>
inline constexpr bool has_a_value_while_tracing = false;

// The inside of an expr, for the library.
struct expr_access;

}  // namespace detail

template <class T, int... Dims>
class expr : public detail::traced_value {
  static_assert(sizeof...(Dims) <= max_rank, "exprax: arrays have at most 8 axes");
  static_assert(((Dims >= 0) && ...), "exprax: the size of an axis is negative");
  static_assert(std::is_same_v<T, canonical_t<T>>, "exprax: spell the dtype as bool, std::(u)int8_t to std::(u)int64_t, float or double");

 public:
  using dtype_type = T;
  using value_type = strong_t<T>;
  static constexpr int rank = static_cast<int>(sizeof...(Dims));
  static constexpr aval type = detail::make_aval<dtype_of<T>, detail::is_weak<T>, Dims...>();

  // The size of an axis; negative axes count from the end.
  static constexpr int extent(int axis) { return type.dims[axis < 0 ? axis + rank : axis]; }
  static constexpr std::ptrdiff_t size() { return type.size(); }

  constexpr expr() = default;
  constexpr expr(expr const& o) : tape_((o.tape_ ? ++o.tape_->refs : 0, o.tape_)), id_(o.id_) {}
  constexpr expr(expr&& o) noexcept : tape_(o.tape_), id_((o.tape_ = nullptr, o.id_)) {}
  constexpr expr& operator=(expr const& o) {
    if (o.tape_) ++o.tape_->refs;
    detail::drop(tape_);
    tape_ = o.tape_;
    id_ = o.id_;
    return *this;
  }
  constexpr expr& operator=(expr&& o) noexcept {
    detail::tape* const t = tape_;
    tape_ = o.tape_, id_ = o.id_, o.tape_ = t;  // o lets go of what was here
    return *this;
  }
  constexpr ~expr() {
    if (tape_ && --tape_->refs == 0) ++tape_->refs, detail::drop(tape_);
  }

  // A C++ number is a scalar of any dtype.
  template <scalar S>
    requires(rank == 0)
  constexpr expr(S value) : expr(detail::literal<T>(detail::convert_number<strong_t<T>>(value))) {}
  // A weak value takes the dtype that is asked for (strengthen: primitives/convert.hpp).
  template <class W>
    requires(std::is_same_v<W, weak<T>>)
  constexpr expr(expr<W, Dims...> const& o) : expr(strengthen(o)) {}

  // One element, row, or block: NumPy's indexing (index_read: numpy/indexing.hpp).
  template <class... Index>
  constexpr auto operator()(Index const&... index) const {
    return index_read(*this, index...);
  }
  // The functional update x.at(i, j).set(y) (make_at: numpy/indexing.hpp).
  template <class... Index>
  constexpr auto at(Index const&... index) const {
    return make_at(*this, index...);
  }

  // Traced values have no C++ value.
  template <class B>
    requires(std::is_same_v<B, bool>)
  constexpr explicit operator B() const {
    static_assert(detail::has_a_value_while_tracing<expr>,
                  "exprax: `if`, `while`, `&&`, `||` or `!` on a traced value: it depends on an argument of the traced function and has no value while "
                  "tracing. Use ex::cond, ex::where, or a static argument (ex::static_<n>)");
    return false;
  }
  template <class I>
    requires(std::is_integral_v<I> && !std::is_same_v<I, bool>)
  constexpr operator I() const {
    static_assert(detail::has_a_value_while_tracing<expr>,
                  "exprax: a traced value where a C++ integer is needed (an array's index, a loop's bound, a size): it depends on an argument of the traced "
                  "function and has no value while tracing. Use x(i), ex::fori_loop, or a static argument (ex::static_<n>)");
    return 0;
  }

 private:
  friend struct detail::expr_access;
  constexpr expr(detail::tape* t, int id) : tape_((++t->refs, t)), id_(id) {}

  detail::tape* tape_ = nullptr;
  int id_ = -1;
};

namespace detail {

// S::value is an aval; a template of its expr.
template <class S, class Dims = typename dims_of<S>::type>
struct expr_of_aval;
template <class S, int... D>
struct expr_of_aval<S, dims<D...>> {
  using type = expr<typename type_of_dtype<S::value.type, S::value.weak>::type, D...>;
};
template <class S>
using expr_from = typename expr_of_aval<S>::type;

// expr<U, the dims of E...>
template <class E, class U>
struct with_dtype;
template <class T, int... D, class U>
struct with_dtype<expr<T, D...>, U> {
  using type = expr<U, D...>;
};
template <class E, class U>
using with_dtype_t = typename with_dtype<E, U>::type;

template <class T, class Dims>
struct expr_with;
template <class T, int... D>
struct expr_with<T, dims<D...>> {
  using type = expr<T, D...>;
};
template <class T, class Dims>
using expr_with_t = typename expr_with<T, Dims>::type;

// Where a tape looks for the number of a type first.
template <class E>
inline constexpr int slot_of = type_slot(E::type);

struct expr_access {
  template <class Out>
  static constexpr Out make(tape* t, int id) {
    return Out(t, id);
  }
  template <class Out>
  static constexpr Out make(handle const& h) {
    return Out(h.on, h.id);
  }
  template <class T, int... D>
  static constexpr handle get(expr<T, D...> const& e) {
    if (!e.tape_) a_traced_value_is_used_before_it_is_assigned();
    return handle(e.tape_, e.id_);
  }
  template <class T, int... D>
  static constexpr void set(expr<T, D...>& e, handle const& h) {
    e = expr<T, D...>(h.on, h.id);
  }

  // Parameters: a few of them in one expression.
  static constexpr int put(tape* t, span<int> const& p) {
    int k = 0;
    if (p.count >= 4)
      t->params.at[t->params.n++] = p.first[0], t->params.at[t->params.n++] = p.first[1], t->params.at[t->params.n++] = p.first[2],
      t->params.at[t->params.n++] = p.first[3], k = 4;
    for (; k < p.count; ++k) t->params.at[t->params.n++] = p.first[k];
    return 0;
  }

  // The common case, all operands on one tape that has not joined another, in four statements: the stores are one expression.
  template <class Out, class First, class... Rest>
  static constexpr Out bind(prim op, span<int> const& params, First const& first, Rest const&... rest) {
    tape* const t = first.tape_;
    if (!(t && !t->into && ((rest.tape_ == t) && ...) && params.count <= 8) || --t->left < 0) return bind_slowly<Out>(op, params, first, rest...);
    return Out(t, (t->eqns.at[t->eqns.n++] = {op, t->links.n, 1 + int(sizeof...(Rest)), t->values.n, 1, t->params.n, params.count, 0, 0},
                   t->values.at[t->values.n] = {std::is_same_v<Out, First>             ? t->values.at[first.id_].type
                                                : t->keys[slot_of<Out>] == &Out::type ? t->key_types[slot_of<Out>]
                                                                                      : t->find_static_type(Out::type),
                                                -1},
                   t->links.at[t->links.n++] = first.id_, ((t->links.at[t->links.n++] = rest.id_), ...),
                   params.count == 0   ? 0
                   : params.count == 2 ? (t->params.at[t->params.n++] = params.first[0], t->params.at[t->params.n++] = params.first[1])
                   : params.count == 4 ? (t->params.at[t->params.n++] = params.first[0], t->params.at[t->params.n++] = params.first[1],
                                          t->params.at[t->params.n++] = params.first[2], t->params.at[t->params.n++] = params.first[3])
                                       : put(t, params),
                   t->values.n++));
  }
  // Two equations in a row, the second one on the result of the first.
  template <class Between, class Out, class In>
  static constexpr Out bind_twice(prim op, span<int> const& params, prim next, span<int> const& next_params, In const& in) {
    tape* const t = in.tape_;
    if (!(t && !t->into && params.count <= 8 && next_params.count <= 8) || (t->left -= 2) < 0) return bind<Out>(next, next_params, bind<Between>(op, params, in));
    int const out = t->values.n;
    return Out(t, (t->eqns.at[t->eqns.n++] = {op, t->links.n, 1, out, 1, t->params.n, params.count, 0, 0},
                   t->eqns.at[t->eqns.n++] = {next, t->links.n + 1, 1, out + 1, 1, t->params.n + params.count, next_params.count, 0, 0},
                   t->values.at[out] = {t->keys[slot_of<Between>] == &Between::type ? t->key_types[slot_of<Between>] : t->find_static_type(Between::type), -1},
                   t->values.at[out + 1] = {t->keys[slot_of<Out>] == &Out::type ? t->key_types[slot_of<Out>] : t->find_static_type(Out::type), -1},
                   t->links.at[t->links.n++] = in.id_, t->links.at[t->links.n++] = out,
                   params.count == 4 ? (t->params.at[t->params.n++] = params.first[0], t->params.at[t->params.n++] = params.first[1],
                                        t->params.at[t->params.n++] = params.first[2], t->params.at[t->params.n++] = params.first[3])
                                     : put(t, params),
                   next_params.count == 2 ? (t->params.at[t->params.n++] = next_params.first[0], t->params.at[t->params.n++] = next_params.first[1])
                                          : put(t, next_params),
                   t->values.n = out + 2, out + 1));
  }
  // The same with literals among the operands, and at least one traced value.
  template <class Out, class... In>
  static constexpr Out bind_with_literals(prim op, span<int> const& params, In const&... in) {
    tape* t = nullptr;
    bool same = true;
    (look(t, same, in), ...);
    if (!(t && same && !t->into && params.count <= 8 && sizeof...(In) <= 4)) return bind_joined<Out>(op, params, in...);
    if ((t->left -= int(sizeof...(In))) < 0) t->refill(int(sizeof...(In)));
    int const numbers[] = {quick_number(t, in)...};
    int const out = t->values.n++, link = t->links.n, par = t->params.n;
    for (int k = 0; k < int(sizeof...(In)); ++k) t->links.at[link + k] = numbers[k];
    t->links.n = link + int(sizeof...(In)), t->eqns.at[t->eqns.n++] = {op, link, int(sizeof...(In)), out, 1, par, params.count, 0, 0},
    t->values.at[out] = {t->keys[slot_of<Out>] == &Out::type ? t->key_types[slot_of<Out>] : t->find_static_type(Out::type), -1};
    if (params.count > 0) put(t, params);
    return Out(t, out);
  }
  template <class T, int... D>
  static constexpr void look(tape*& t, bool& same, expr<T, D...> const& e) {
    if (t) same = same && t == e.tape_;
    else t = e.tape_;
  }
  template <class T>
  static constexpr void look(tape*&, bool&, lit<T> const&) {}
  template <class T, int... D>
  static constexpr int quick_number(tape*, expr<T, D...> const& e) {
    return e.id_;
  }
  template <class T>
  static constexpr int quick_number(tape* t, lit<T> const& x) {
    t->constants.at[t->constants.n] = to_bits(x.value),
    t->values.at[t->values.n] = {t->keys[slot_of<expr<T>>] == &expr<T>::type ? t->key_types[slot_of<expr<T>>] : t->find_static_type(expr<T>::type), t->constants.n++};
    return t->values.n++;
  }

  template <class Out, class... In>
  static constexpr Out bind_slowly(prim op, span<int> const& params, In const&... in) {
    tape* const tapes[] = {in.tape_...};
    tape* const t = tapes[0];
    bool const ready = t && !t->into && ((in.tape_ == t) && ...) && params.count <= 8 && sizeof...(In) <= 4;
    if (!ready) return bind_joined<Out>(op, params, in...);
    t->refill(1);
    ++t->left;
    return bind<Out>(op, params, in...);
  }

  template <class T, int... D>
  static constexpr void join_operand(handle& all, expr<T, D...> const& e) {
    handle h = get(e);
    if (all.on) join(all, h);
    else all = resolve(h);
  }
  template <class T>
  static constexpr void join_operand(handle&, lit<T> const&) {}

  template <class T, int... D>
  static constexpr int number(tape*, expr<T, D...> const& e) {
    return resolve(handle(e.tape_, e.id_)).id;
  }
  template <class T>
  static constexpr int number(tape* t, lit<T> const& x) {
    std::uint64_t const bits = to_bits(x.value);
    return t->add_constant(t->find_static_type(expr<T>::type), {&bits, 1});
  }

  // The general case: tapes to join, literals.
  template <class Out, class... In>
  static constexpr Out bind_joined(prim op, span<int> params, In const&... in) {
    handle all;
    (join_operand(all, in), ...);
    if (!all.on) all = handle(new tape, -1);
    tape* const t = all.on;
    int const numbers[sizeof...(In) + 1] = {number(t, in)...};
    int const type = t->find_static_type(Out::type);
    return Out(t, t->record(op, {numbers, int(sizeof...(In))}, params, {&type, 1}));
  }
};

// Records one equation with one result of type Out. An operand is an expr or a lit<T>. The cheapest span of parameters is
// an array: int const p[] = {...}; braces cost three statements more.
template <class Out, class... In>
constexpr Out bind(prim op, span<int> const& params, In const&... in) {
  return expr_access::bind_joined<Out>(op, params, in...);
}
template <class Out, class... In>
  requires(is_expr<In> || ...)
constexpr Out bind(prim op, span<int> const& params, In const&... in) {
  return expr_access::bind_with_literals<Out>(op, params, in...);
}
template <class Out, class First, class... In>
  requires(is_expr<First> && (is_expr<In> && ...))
constexpr Out bind(prim op, span<int> const& params, First const& first, In const&... in) {
  return expr_access::bind<Out>(op, params, first, in...);
}

// The same with a number of operands known while tracing: anything that has begin, end and handles.
template <class Out, class Handles>
constexpr Out bind_list(prim op, span<int> params, Handles const& operands) {
  handle all;
  for (handle h : operands) {
    if (all.on) join(all, h);
    else all = resolve(h);
  }
  if (!all.on) all = handle(new tape, -1);
  arena<int> numbers;
  for (handle const& h : operands) numbers.push(resolve(h).id);
  int const type = all.on->find_static_type(Out::type);
  return expr_access::make<Out>(all.on, all.on->record(op, numbers, params, {&type, 1}));
}

// A private tape, for functions that take no traced value.
constexpr handle new_tape() { return handle(new tape, -1); }

// A constant, with a literal of rank 0, on a private tape, or on that of another value.
template <class Out>
constexpr Out constant(handle const& on, span<std::uint64_t> bits) {
  handle const h = resolve(on);
  return expr_access::make<Out>(h.on, h.on->add_constant(h.on->find_static_type(Out::type), bits));
}
template <class T>
constexpr expr<T> literal(strong_t<T> value) {
  std::uint64_t const bits = to_bits(value);
  return constant<expr<T>>(new_tape(), {&bits, 1});
}

// A literal that a scalar expr stands for.
template <class T>
constexpr bool is_literal(expr<T> const& e) {
  handle const h = resolve(expr_access::get(e));
  return h.on->is_literal(h.id);
}
template <class T>
constexpr strong_t<T> literal_value(expr<T> const& e) {
  handle const h = resolve(expr_access::get(e));
  return from_bits<strong_t<T>>(h.on->constants.at[h.on->values.at[h.id].constant]);
}

}  // namespace detail

// The size of an axis of the type of a traced value or array, references allowed: extent_of<decltype(w), 0>.
template <class E, int Axis>
inline constexpr int extent_of = std::remove_cvref_t<E>::extent(Axis);

}  // namespace exprax

// exprax/api/axes.hpp
// in_axes and out_axes of vmap: ints (negative ones count from the end), none, and axes<...> for the children of a node. An
// entry holds for all leaves below it, as a pytree prefix does in JAX.

// exprax/program/lift_tree.hpp
// Pytrees of traced values: what the leaves of arguments become while tracing, and the way from a tree to handles and back.

// exprax/program/lift.hpp
// lift: what stands for a value in a traced function, as an expr. A C++ number is a weak literal, an array that the
// function closes over a constant.

namespace exprax::detail {

template <class T, int... D>
constexpr expr<canonical_t<T>, D...> constant_of(T const* elements) {
  using out = expr<canonical_t<T>, D...>;
  arena<std::uint64_t> bits;
  for (std::ptrdiff_t i = 0; i < out::size(); ++i) bits.push(to_bits(elements[i]));
  return constant<out>(new_tape(), bits);
}

template <class T, int... D>
constexpr expr<T, D...> const& lift(expr<T, D...> const& x) {
  return x;
}
template <scalar S>
constexpr expr<literal_t<S>> lift(S x) {
  return literal<literal_t<S>>(convert_number<strong_t<literal_t<S>>>(x));
}
template <class T, int... D>
constexpr expr<canonical_t<T>, D...> lift(array<T, D...> const& x) {
  return constant_of<T, D...>(x.data());
}
template <class T, int... D>
constexpr expr<canonical_t<std::remove_const_t<T>>, D...> lift(view<T, D...> const& x) {
  return constant_of<std::remove_const_t<T>, D...>(x.data());
}

// Where a traced function takes a value: expr, C++ number, array, view.
template <class X>
concept liftable = requires(X const& x) { detail::lift(x); };
template <class X>
using lifted_t = std::remove_cvref_t<decltype(detail::lift(std::declval<X const&>()))>;

}  // namespace exprax::detail

namespace exprax::detail {

// array, view and spec become an expr, a C++ number a weak scalar.
template <class Leaf>
struct to_expr;
template <class T, int... D>
struct to_expr<expr<T, D...>> {
  using type = expr<T, D...>;
};
template <class T, int... D>
struct to_expr<array<T, D...>> {
  using type = expr<canonical_t<T>, D...>;
};
template <class T, int... D>
struct to_expr<view<T, D...>> {
  using type = expr<canonical_t<std::remove_const_t<T>>, D...>;
};
template <class T, int... D>
struct to_expr<spec_t<T, D...>> {
  using type = expr<canonical_t<T>, D...>;
};
template <scalar S>
struct to_expr<S> {
  using type = expr<literal_t<S>>;
};

template <class Tree>
using to_expr_t = map_t<std::remove_cvref_t<Tree>, to_expr>;

struct lift_leaf {
  template <class X>
  constexpr lifted_t<X> operator()(X const& x) const {
    return lift(x);
  }
};
// The same tree with an expr at each leaf.
template <class Tree>
constexpr auto lift_tree(Tree const& t) {
  static_assert(check_tree<Tree>());
  return map_values(lift_leaf{}, t);
}
template <class Tree>
using lifted_tree_t = decltype(lift_tree(std::declval<Tree const&>()));

// Appends the handles of all leaves.
template <class Tree>
constexpr void push_handles(arena<handle>& to, Tree const& t) {
  for_each_leaf(t, [&](auto const& x) { to.push(expr_access::get(x)); });
}
template <class Tree>
constexpr arena<handle> handles_of(Tree const& t) {
  arena<handle> r;
  push_handles(r, t);
  return r;
}
// Gives each leaf the handle that next(leaf's aval) returns.
template <class Tree, class Next>
constexpr void assign_leaves(Tree& t, Next const& next) {
  for_each_leaf(t, [&](auto& x) { expr_access::set(x, next(std::remove_cvref_t<decltype(x)>::type)); });
}

// f(the elements of the tuple...): std::apply without its depth in error texts.
template <class F, class... T, std::size_t... I>
constexpr decltype(auto) call_with(F const& f, std::tuple<T...>& args, std::index_sequence<I...>) {
  return f(std::get<I>(args)...);
}
template <class F, class... T>
constexpr decltype(auto) call_with(F const& f, std::tuple<T...>& args) {
  return call_with(f, args, std::index_sequence_for<T...>{});
}

}  // namespace exprax::detail

namespace exprax {

template <auto... A>
struct axes_t {
  constexpr bool operator==(axes_t const&) const = default;
};
template <auto... A>
inline constexpr axes_t<A...> axes{};

template <auto... A>
struct in_axes_t {};
// The axis of each argument that is mapped over; one entry serves all arguments.
template <auto... A>
inline constexpr in_axes_t<A...> in_axes{};

template <auto... A>
struct out_axes_t {};
// Where the mapped axis stands in each result; one entry serves all.
template <auto... A>
inline constexpr out_axes_t<A...> out_axes{};

template <int N>
struct axis_size_t {};
// The size of the mapped axis, where no argument tells it.
template <int N>
inline constexpr axis_size_t<N> axis_size{};

namespace detail {

// The names in the error text are the leaf's type, the axis, and the leaf's rank.
template <class Leaf, int Axis, int Rank>
inline constexpr bool axis_is_in_range = Axis >= -Rank && Axis < Rank;

constexpr int from_end(int axis, int rank) { return axis < 0 ? axis + rank : axis; }

// The type of a leaf without axis A.
template <int A>
struct without_axis {
  template <class Leaf>
  struct leaf {
    static_assert(axis_is_in_range<Leaf, A, Leaf::rank>,
                  "exprax: vmap: in_axes names an axis that an argument does not have: its rank is at most the axis (use a smaller axis, or ex::none)");
    struct shape {
      static constexpr aval value = Leaf::type.without_axis(from_end(A, Leaf::rank));
    };
    using type = expr_from<shape>;
  };
};
// The type of a leaf with a new axis of N at A, counted in the result.
template <int A, int N>
struct with_axis {
  template <class Leaf>
  struct leaf {
    static_assert(axis_is_in_range<Leaf, A, Leaf::rank + 1>, "exprax: vmap: out_axes names an axis that a result does not have");
    struct shape {
      static constexpr aval value = Leaf::type.with_axis(from_end(A, Leaf::rank + 1), N);
    };
    using type = expr_from<shape>;
  };
};

template <class Tree, class Children>
struct node_with;
template <class Tree, class... Child>
struct node_with<Tree, type_list<Child...>> {
  using type = decltype(node<Tree>::make(std::declval<Child>()...));
};

// The tree after a change of axes. Change<int>::leaf changes a leaf; Spec says which axis.
template <class Tree, auto Spec, template <int> class Change>
struct change_axes {
  static_assert(std::is_same_v<decltype(Spec), int const> || std::is_same_v<decltype(Spec), int>,
                "exprax: vmap: an entry of in_axes or out_axes is an int, ex::none, or ex::axes<...> for the children of a node");
  using type = map_t<Tree, Change<static_cast<int>(Spec)>::template leaf>;
};
template <class Tree, none_t Spec, template <int> class Change>
struct change_axes<Tree, Spec, Change> {
  using type = Tree;
};
template <class Tree, class Indices, template <int> class Change, auto... A>
struct change_children;
template <class Tree, std::size_t... I, template <int> class Change, auto... A>
struct change_children<Tree, std::index_sequence<I...>, Change, A...> {
  using type = typename node_with<Tree, type_list<typename change_axes<child_t<Tree, I>, A, Change>::type...>>::type;
};
template <class Tree, auto... A, axes_t<A...> Spec, template <int> class Change>
struct change_axes<Tree, Spec, Change> {
  static_assert(node<Tree>::size == sizeof...(A), "exprax: vmap: ex::axes<...> needs one entry for each child of the argument or result that it describes");
  using type = typename change_children<Tree, std::make_index_sequence<sizeof...(A)>, Change, A...>::type;
};

// For each leaf its axis, counted from the front, or -1.
template <int N>
struct axis_list {
  int of[N + 1] = {};
  int n = 0;
};
template <class Tree, auto Spec>
struct leaf_axes {
  template <int N>
  static constexpr void push(axis_list<N>& to, int extra) {
    push_leaves(to, extra, leaves_t<Tree>{});
  }
  template <int N, class... Leaf>
  static constexpr void push_leaves(axis_list<N>& to, int extra, type_list<Leaf...>) {
    ((to.of[to.n++] = from_end(static_cast<int>(Spec), Leaf::rank + extra)), ...);
  }
};
template <class Tree, none_t Spec>
struct leaf_axes<Tree, Spec> {
  template <int N>
  static constexpr void push(axis_list<N>& to, int) {
    for (int k = 0; k < leaf_count<Tree>; ++k) to.of[to.n++] = -1;
  }
};
template <class Tree, auto... A, axes_t<A...> Spec>
struct leaf_axes<Tree, Spec> {
  template <int N>
  static constexpr void push(axis_list<N>& to, int extra) {
    push_children(to, extra, std::make_index_sequence<sizeof...(A)>{});
  }
  template <int N, std::size_t... I>
  static constexpr void push_children(axis_list<N>& to, int extra, std::index_sequence<I...>) {
    (leaf_axes<child_t<Tree, I>, A>::push(to, extra), ...);
  }
};

// One entry serves all of N; more must be N.
template <int N, class List>
struct spread_entries {
  using type = List;
};
template <int N, template <auto...> class List, auto A>
  requires(N != 1)
struct spread_entries<N, List<A>> {
  template <class>
  struct repeat;
  template <int... I>
  struct repeat<std::integer_sequence<int, I...>> {
    using type = List<(static_cast<void>(I), A)...>;
  };
  using type = typename repeat<std::make_integer_sequence<int, N>>::type;
};

}  // namespace detail

}  // namespace exprax

// exprax/api/carry.hpp
// The types of a loop's carry: a component keeps its dtype and shape. A weak one that comes back with another dtype starts
// with the dtype in which both meet, and the body is traced again (jax._src.lax.control_flow.common, _promote_weak_typed_inputs).

// exprax/primitives/convert.hpp
// Conversions of traced values between dtypes: convert_element_type, but for literals, which are converted in place.

// exprax/primitives/list.hpp
// The list of all primitives. A new one has a line here, a file of its own in this folder, and a row in the table of laws.

namespace exprax {

enum class prim : std::uint8_t {
  // elementwise, one operand
  neg, sign, floor, ceil, abs, exp, expm1, log, log1p, sqrt, rsqrt, sin, cos, tanh, logistic, integer_pow, not_,
  is_finite, convert_element_type,
  // elementwise, two and three operands
  add, sub, mul, div, rem, pow, max, min, and_, or_, xor_, eq, ne, lt, le, gt, ge, select_n, clamp, fma,
  // movement
  broadcast_in_dim, reshape, transpose, squeeze, concatenate, pad, slice, rev, iota,
  dynamic_slice, dynamic_update_slice, scatter, scatter_add, scatter_mul, scatter_min, scatter_max,
  // reductions and contractions
  reduce_sum, reduce_prod, reduce_max, reduce_min, reduce_and, reduce_or, dot_general, conv_general_dilated,
  // control
  scan, jit,
};
inline constexpr int prim_count = static_cast<int>(prim::jit) + 1;

}  // namespace exprax

namespace exprax::detail {

// e with dtype U, which may be weak. The same dtype and weakness: nothing is recorded.
template <class U, class T, int... D>
constexpr expr<U, D...> convert_to(expr<T, D...> const& e) {
  if constexpr (std::is_same_v<T, U>) {
    return e;
  } else {
    if constexpr (sizeof...(D) == 0) {
      if (is_literal(e)) {
        std::uint64_t const bits = to_bits(convert_number<strong_t<U>>(literal_value(e)));
        return constant<expr<U>>(expr_access::get(e), {&bits, 1});
      }
    }
    int const p[] = {static_cast<int>(dtype_of<U>), is_weak<U> ? 1 : 0};
    return bind<expr<U, D...>>(prim::convert_element_type, p, e);
  }
}

// The conversion from a weak value to its dtype, found by expr's constructor.
template <class T, int... D>
constexpr expr<T, D...> strengthen(expr<weak<T>, D...> const& e) {
  return convert_to<T>(e);
}

}  // namespace exprax::detail

namespace exprax::detail {

template <class Leaf>
struct any_leaf {
  using type = char;
};
// Their arguments are printed with the static_asserts.
template <class Before, class After>
inline constexpr bool carry_keeps_its_structure = std::is_same_v<map_t<Before, any_leaf>, map_t<After, any_leaf>>;
template <int Component, class Before, class After>
inline constexpr bool carry_keeps_its_type = Before::type.matches(After::type);

// What a component starts with when the body returns `after`.
struct promote_component {
  template <class B, class A, int... D, int... E>
  constexpr auto operator()(expr<B, D...> const& before, expr<A, E...> const&) const {
    if constexpr (is_weak<B> && dtype_of<B> != dtype_of<A>) return convert_to<strong_t<promote_t<B, A>>>(before);
    else return before;
  }
};

template <class Before, class After, class = std::make_integer_sequence<int, Before::size>>
struct check_components;
template <class... B, class... A, int... I>
struct check_components<type_list<B...>, type_list<A...>, std::integer_sequence<int, I...>> {
  template <int Component, class Before, class After>
  static constexpr bool one() {
    static_assert(carry_keeps_its_type<Component, Before, After>,
                  "exprax: scan body function carry input and carry output must have equal types, but they differ: this message names the component, its type "
                  "before and its type after. Revise the body so that dtype and shape stay, or start with the type that it returns");
    return carry_keeps_its_type<Component, Before, After>;
  }
  static constexpr bool ok = (one<I, B, A>() & ... & true);
};

// Carry: the tree that a loop starts with; Step<Carry>::type: the tree that the body returns for it.
template <class Carry, template <class> class Step>
struct fixed_carry {
  using first = typename Step<Carry>::type;
  static constexpr bool check() {
    static_assert(carry_keeps_its_structure<Carry, first>,
                  "exprax: scan body function carry input and carry output must have the same pytree structure, but they differ: this message names both");
    return carry_keeps_its_structure<Carry, first>;
  }
  template <bool Same>
  static constexpr auto promoted() {
    if constexpr (Same) return std::type_identity<decltype(map_values(promote_component{}, std::declval<Carry const&>(), std::declval<first const&>()))>{};
    else return std::type_identity<Carry>{};
  }
  static constexpr bool same = check();
  using type = typename decltype(promoted<same>())::type;  // what the loop starts with
  using last = typename Step<type>::type;                  // what it ends with
  template <bool Same>
  static constexpr bool check_types() {
    if constexpr (Same) return check_components<leaves_t<type>, leaves_t<last>>::ok;
    else return false;
  }
  static constexpr bool ok = check_types<same>();
};

// The value that a component starts with, as one of the type of `like`.
struct start_like {
  template <class T, class U, int... D>
  constexpr expr<U, D...> operator()(expr<T, D...> const& init, expr<U, D...> const&) const {
    return convert_to<U>(init);
  }
};

}  // namespace exprax::detail

// exprax/api/trace.hpp
// traced<F, Args...>: the program of a callable on arguments of these types. Args are trees of exprs and constants; the
// function runs once for the sizes and once for the tables, in constant evaluation. traced::ref is the program,
// traced::result the tree of exprs that the function returns.

// exprax/api/names.hpp
// The name of a callable in jaxprs (name=...): the variable's for jit<f>, the type's for a function object, <lambda> for a
// lambda. Read from __PRETTY_FUNCTION__, so it is a text with static storage.

#include <string_view>

namespace exprax::detail {

template <auto const& Object>
constexpr std::string_view signature_of_object() {
  return __PRETTY_FUNCTION__;
}
template <class T>
constexpr std::string_view signature_of_type() {
  return __PRETTY_FUNCTION__;
}

// What stands after "= " in the list of template arguments, without scopes and template arguments of its own.
constexpr std::string_view last_name(std::string_view signature) {
  std::size_t const from = signature.find(" = ") + 3;
  std::string_view s = signature.substr(from);
  std::size_t end = 0;
  std::size_t begin = 0;
  int depth = 0;
  for (; end < s.size(); ++end) {
    char const c = s[end];
    if (depth == 0 && (c == ']' || c == ';')) break;
    if (c == '<' || c == '(' || c == '{' || c == '[') ++depth;
    if (c == '>' || c == ')' || c == '}' || c == ']') --depth;
    if (depth == 0 && c == ':' && end + 1 < s.size() && s[end + 1] == ':') begin = end + 2;
  }
  s = s.substr(begin, end - begin);
  if (s.find("lambda") != std::string_view::npos && (s[0] == '<' || s[0] == '(')) return "<lambda>";
  std::size_t const arguments = s.find('<');
  return arguments == std::string_view::npos || arguments == 0 ? s : s.substr(0, arguments);
}

// Specialised for callables that wrap another one.
template <class F>
inline constexpr std::string_view function_name = last_name(signature_of_type<F>());

// A static constexpr object as a stateless callable.
template <auto const& Object>
struct object_ref {
  template <class... Args>
  constexpr auto operator()(Args const&... args) const {
    return Object(args...);
  }
};
template <auto const& Object>
inline constexpr std::string_view function_name<object_ref<Object>> = last_name(signature_of_object<Object>());

}  // namespace exprax::detail

// exprax/primitives/copy.hpp
// Copying equations and blocks from one program into another, with some values replaced on the way.

namespace exprax {

// Knows for each value of `from` which value of `to` stands for it. The two programs must be different objects.
class block_copier {
 public:
  constexpr block_copier(program& to, program_ref from) : to_(to), from_(from) {
    map_.resize(from.n.values, -1);
    types_.resize(from.n.avals, -1);
  }

  constexpr void set(int v, int mapped) { map_[v] = mapped; }
  constexpr bool knows(int v) const { return map_[v] >= 0; }
  // The value that stands for v; a constant is copied at its first use.
  constexpr int operator[](int v) {
    if (map_[v] < 0 && from_.is_constant(v)) {
      aval const& type = from_.type(v);
      map_[v] = to_.add_constant(type, {from_.constants + from_.values[v].constant, static_cast<int>(type.size())});
    }
    return map_[v];
  }

  // Emits a copy of e, and of its nested blocks, into the open block.
  constexpr void copy(eqn const& e) {
    if (e.n_out == 1 && e.n_blk == 0 && e.n_in <= 4) {
      int in[4] = {};
      for (int k = 0; k < e.n_in; ++k) in[k] = (*this)[from_.in(e, k)];
      map_[e.out] = to_.emit_one(e.op, {in, e.n_in}, from_.params_of(e), type(from_.values[e.out].type));
      return;
    }
    detail::arena<int> in, sub;
    in.reserve(e.n_in);
    for (int v : from_.ins(e)) in.push((*this)[v]);
    for (int b : from_.subs(e)) sub.push(copy_block(b));
    detail::arena<aval> out;
    for (int k = 0; k < e.n_out; ++k) out.push(from_.type(e.out + k));
    int const first = to_.emit(e.op, in, from_.params_of(e), out, sub);
    if (e.op == prim::jit) to_.params[to_.params.size() - e.n_par] = copy_name(from_.param(e, 0));
    for (int k = 0; k < e.n_out; ++k) map_[e.out + k] = first + k;
  }
  constexpr void copy_body(block const& b) {
    for (eqn const& e : from_.body(b)) copy(e);
  }
  // Copies a whole block, closed; its number in `to`.
  constexpr int copy_block(int id) {
    block const& b = from_.blocks[id];
    detail::arena<int> in, out;
    for (int v : from_.ins(b)) {
      map_[v] = to_.add_value(from_.type(v));
      in.push(map_[v]);
    }
    to_.open();
    copy_body(b);
    for (int v : from_.outs(b)) out.push((*this)[v]);
    return to_.close(in, out);
  }
  constexpr int copy_name(int n) { return to_.add_name(from_.names[n].view()); }

  constexpr program& to() const { return to_; }
  constexpr program_ref const& from() const { return from_; }

 private:
  constexpr int type(int old) {
    if (types_[old] < 0) types_[old] = to_.intern(from_.avals[old]);
    return types_[old];
  }

  program& to_;
  program_ref from_;
  detail::arena<int> map_;
  detail::arena<int> types_;  // of each aval of `from`: its number in `to`
};

// Emits the equations of b into the open block of `to`, the inputs of b being args; results: the values of its outputs.
constexpr void splice(program& to, program_ref from, block const& b, detail::span<int> args, int* results) {
  block_copier copy(to, from);
  for (int k = 0; k < b.n_in; ++k) copy.set(from.ins(b)[k], args[k]);
  copy.copy_body(b);
  for (int k = 0; k < b.n_out; ++k) results[k] = copy[from.outs(b)[k]];
}

constexpr int copy_nested(program& to, program_ref from, int block_id) { return block_copier(to, from).copy_block(block_id); }

}  // namespace exprax

// exprax/program/blocks.hpp
// Nested blocks while tracing: the bodies of scan, cond, while and jit.
//
// A block is an interval of its tape's list of equations. Opening it sets a mark, closing it lifts the interval out and
// turns what the body captured into inputs: first the captured values, then the inputs that were asked for. What a value
// on a private tape belongs to is known late: constants made outside join the tape inside, and a block that was opened on
// a private tape may come to stand above one that is inside it. Both are repaired at close, by moving an interval in
// front of the mark. A wrong guess costs a place, never a value.

namespace exprax::detail {

// Moves the equations [begin, end) of a joined tape, and the marks that it brought, in front of an open block.
constexpr void move_out(tape* t, int mark_index, int begin, int end, segment const& moving) {
  int const first = *t->marks.at[mark_index];
  int const length = end - begin, shift = begin - first;
  arena<eqn> moved, passed;
  for (int i = begin; i < end; ++i) moved.push(t->eqns.at[i]);
  for (int i = first; i < begin; ++i) passed.push(t->eqns.at[i]);
  copy_run(t->eqns.at + first, moved.data(), length);
  copy_run(t->eqns.at + first + length, passed.data(), shift);
  for (int i = mark_index; i < t->marks.n; ++i) {
    int& m = *t->marks.at[i];
    if (moving.brought(i)) m -= shift;
    else if (m <= begin) m += length;
  }
  for (int i = 0; i < t->segments.n; ++i) {
    segment& s = t->segments.at[i];
    int const by = s.begin >= begin && s.end <= end ? -shift : s.begin >= first && s.end <= begin ? length : 0;
    s.begin += by;
    s.end += by;
  }
}

constexpr void erase_segment(tape* t, int k) {
  tape* const from = t->segments.at[k].from;
  for (int i = k + 1; i < t->segments.n; ++i) t->segments.at[i - 1] = t->segments.at[i];
  --t->segments.n;
  drop(from);
}

// Not constexpr: the name is the message.
inline void blocks_are_closed_out_of_order() {}

struct closed_block {
  handle on;            // any value of the tape on which the block is
  int id = 0;           // of the block
  arena<int> captures;  // values of that tape, in the order of their inputs
};

class block_scope {
 public:
  // anchor: a value of the enclosing trace.
  constexpr explicit block_scope(handle const& anchor) : keep_(resolve(anchor)), mark_(keep_.on->eqns.n) { keep_.on->marks.push(&mark_); }
  block_scope(block_scope const&) = delete;

  // A new input, of a type with static storage.
  constexpr handle input(aval const& type) {
    keep_ = resolve(keep_);
    inputs_.push(handle(keep_.on, keep_.on->add_value(keep_.on->find_static_type(type))));
    return inputs_.back();
  }

  // The body has run, and nothing but outs holds its results. outs are resolved; an output that is an input stays one.
  constexpr closed_block close(arena<handle>& outs) {
    for (handle& h : outs) join(keep_, h);
    keep_ = resolve(keep_);
    for (handle& h : outs) h = resolve(h);
    for (handle& h : inputs_) h = resolve(h);
    tape* const t = keep_.on;
    bring_outer_blocks_out(t);
    bring_constants_out(t);

    closed_block r{keep_, 0, {}};
    find_captures(t, outs, r.captures);
    block b{t->links.n, r.captures.size() + inputs_.size(), 0, outs.size(), t->closed.n, t->eqns.n - mark_};
    for (int v : new_inputs_) t->links.push(v);
    for (handle const& h : inputs_) t->links.push(h.id);
    b.out = t->links.n;
    for (handle const& h : outs) t->links.push(h.id);
    for (int i = mark_; i < t->eqns.n; ++i) t->closed.push(t->eqns.at[i]);
    t->eqns.n = mark_;
    --t->marks.n;
    forget_segments(t);
    r.id = t->blocks.push(b);
    return r;
  }

  constexpr arena<handle> const& inputs() const { return inputs_; }

 private:
  constexpr int index_in(tape* t) const {
    int k = 0;
    while (t->marks.at[k] != &mark_) ++k;
    return k;
  }
  // Blocks whose marks a join has put above ours are around us: what came with them goes in front.
  constexpr void bring_outer_blocks_out(tape* t) {
    int me = index_in(t);
    while (me + 1 < t->marks.n) {
      segment best{nullptr, 0, 0, t->marks.n, 0};
      for (int i = 0; i < t->segments.n; ++i) {
        segment const& s = t->segments.at[i];
        if (s.brought(t->marks.n - 1) && s.depth > me && (s.depth < best.depth || (s.depth == best.depth && s.end - s.begin > best.end - best.begin))) best = s;
      }
      if (!best.from) blocks_are_closed_out_of_order();
      arena<int*> around, inside;
      for (int i = me; i < t->marks.n; ++i) (best.brought(i) ? around : inside).push(t->marks.at[i]);
      for (int i = 0; i < t->segments.n; ++i) {
        segment& s = t->segments.at[i];
        if (s.begin >= best.begin && s.end <= best.end && s.depth >= best.depth) s.depth += me - best.depth;
        else if (s.depth > me) s.depth += around.size();
      }
      move_out(t, me, best.begin, best.end, best);
      for (int* m : around) t->marks.at[me++] = m;
      for (int i = 0; i < inside.size(); ++i) t->marks.at[me + i] = inside[i];
    }
  }
  // Constants whose tapes are still held by somebody were made outside.
  constexpr void bring_constants_out(tape* t) {
    int const me = index_in(t);
    for (int k = 0; k < t->segments.n; ++k) {
      segment const s = t->segments.at[k];
      if (s.depth <= me || s.from->refs == 1) continue;
      move_out(t, me, s.begin, s.end, s);
      t->segments.at[k].depth = me;
    }
  }
  constexpr void forget_segments(tape* t) {
    for (int k = 0; k < t->segments.n;) {
      segment& s = t->segments.at[k];
      if (s.end > mark_) s.end = mark_;
      if (s.brought(t->marks.n)) --s.marks;
      if (s.depth > t->marks.n) s.depth = t->marks.n;
      if (s.marks > 0 || (s.depth > 0 && s.begin < s.end)) ++k;
      else erase_segment(t, k);
    }
  }
  // Values from outside become inputs of the block; literals are read in place.
  constexpr void find_captures(tape* t, arena<handle>& outs, arena<int>& captures) {
    int low = t->values.n;
    for (handle const& h : inputs_) low = h.id < low ? h.id : low;
    for (int i = mark_; i < t->eqns.n; ++i) low = t->eqns.at[i].out < low ? t->eqns.at[i].out : low;
    arena<char> defined;
    defined.resize(t->values.n - low, 0);
    for (handle const& h : inputs_) defined[h.id - low] = 1;
    for (int i = mark_; i < t->eqns.n; ++i)
      for (int k = 0; k < t->eqns.at[i].n_out; ++k) defined[t->eqns.at[i].out + k - low] = 1;
    auto const inner = [&](int v) {
      if ((v >= low && defined[v - low]) || t->is_literal(v)) return v;
      for (int k = 0; k < captures.size(); ++k)
        if (captures[k] == v) return new_inputs_[k];
      captures.push(v);
      new_inputs_.push(t->add_value(t->values.at[v].type));
      return new_inputs_.back();
    };
    for (int i = mark_; i < t->eqns.n; ++i)
      for (int k = 0; k < t->eqns.at[i].n_in; ++k) t->links.at[t->eqns.at[i].in + k] = inner(t->links.at[t->eqns.at[i].in + k]);
    for (handle& h : outs) h = handle(t, inner(h.id));
  }

  handle keep_;
  int mark_;
  arena<handle> inputs_;
  arena<int> new_inputs_;
};

// All on one tape. Without any: a private one.
constexpr handle join_all(arena<handle>& values) {
  if (values.empty()) return handle(new tape, -1);
  for (handle& h : values) join(values[0], h);
  for (handle& h : values) h = resolve(h);
  return values[0];
}

// The finished trace: its inputs and outputs as the main block of a program. Nothing is left on the tape.
constexpr program finish(tape* t, span<int> inputs, span<int> outputs) {
  program p;
  int const first = t->closed.n;
  block b{t->links.n, inputs.count, t->links.n + inputs.count, outputs.count, first, t->eqns.n};
  for (int v : inputs) t->links.push(v);
  for (int v : outputs) t->links.push(v);
  t->blocks.push(b);
  if (first == 0) {
    p.eqns = t->eqns.release();
  } else {
    t->closed.make_room(t->eqns.n);
    copy_run(t->closed.at + first, t->eqns.at, t->eqns.n);
    t->closed.n += t->eqns.n;
    p.eqns = t->closed.release();
  }
  p.values = t->values.release();
  p.blocks = t->blocks.release();
  p.refs = t->links.release();
  p.params = t->params.release();
  p.constants = t->constants.release();
  p.avals = std::move(t->avals);
  p.names = std::move(t->names);
  return p;
}

}  // namespace exprax::detail

namespace exprax::detail {

// Only its type is kept, so that a program is a constant of a type.
template <class F>
inline constexpr bool is_stateless = std::is_empty_v<F>;

template <class F>
constexpr bool check_stateless() {
  static_assert(is_stateless<F>,
                "exprax: this callable has state: a lambda captures values, or a function object has members. Pass them as arguments, or give the callable as a "
                "static constexpr object: ex::jit<f>()");
  return is_stateless<F>;
}

template <class F, class... Args>
struct trace_of {
  using result = std::remove_cvref_t<decltype(lift_tree(std::declval<F const&>()(std::declval<Args&>()...)))>;

  // size: the number of values to make room for, where it is known.
  static constexpr program make(int size = 0) {
    handle const root(new tape, -1);
    root.on->bound = true;
    root.on->expect(size);
    arena<handle> out;
    arena<int> inputs;
    {
      std::tuple<Args...> args{};
      assign_leaves(args, [&](aval const& type) {
        inputs.push(root.on->add_value(root.on->find_static_type(type)));
        return handle(root.on, inputs.back());
      });
      push_handles(out, lift_tree(call_with(F{}, args)));
    }
    arena<int> outputs;
    for (handle& h : out) {
      handle r = root;
      join(r, h);
      outputs.push(h.id);
    }
    bool const copied = root.on->has_dead_blocks;
    program p = finish(root.on, inputs, outputs);
    if (!copied) return p;
    program alive;
    copy_nested(alive, p.ref(), p.ref().main_id());
    return alive;
  }
};

template <program_sizes N>
struct sized {
  static constexpr bool constant = true;
  static constexpr program_sizes value = N;
};
struct not_constant {
  static constexpr bool constant = false;
  static constexpr program_sizes value{};
};
// A default template argument is evaluated once; a return type would be twice.
template <class Source, class Sized = sized<Source::make().sizes()>>
constexpr Sized probe(int);
template <class Source>
constexpr not_constant probe(...);

// The condition of the static_assert names the function and its arguments.
template <bool Constant, class Trace>
inline constexpr bool can_be_traced = Constant;
template <bool Constant, class Trace>
constexpr bool check_traceable() {
  static_assert(can_be_traced<Constant, Trace>,
                "exprax: this function cannot run while compiling, as tracing does: it prints, writes to a global, or calls a function that is not constexpr (the "
                "next error names it), or the trace is longer than the compiler's limit for constant evaluation");
  return Constant;
}

template <class Source, bool Constant>
struct cause {};
template <class Source>
struct cause<Source, false> {
  static constexpr program_sizes what_cannot_run_while_compiling = Source::make().sizes();
};

template <class F, class... Args>
struct traced : trace_of<F, Args...> {
  using source = trace_of<F, Args...>;
  using found = decltype(probe<source>(0));
  static constexpr bool constant = check_traceable<found::constant, source>();
  static constexpr program_sizes sizes = found::value;
  static constexpr program_storage<sizes> storage = [] {
    program_storage<sizes> s;
    if constexpr (found::constant) fill_storage(s, source::make(sizes.values + 16));
    else static_cast<void>(cause<source, false>::what_cannot_run_while_compiling);
    return s;
  }();
  static constexpr program_ref ref = constant ? storage.ref() : program_ref{};
};

// With the types that the arguments have while tracing: arrays, views, specs and numbers of the same shape are one program.
template <class F, class... Args>
using traced_with = traced<F, to_expr_t<Args>...>;

}  // namespace exprax::detail

// exprax/api/eval_shape.hpp
// eval_shape(f, args...): dtypes and shapes of what f returns, as a tree of specs, without elements (jax.eval_shape).

namespace exprax {

namespace detail {

template <class Leaf>
struct to_spec;
template <class T, int... D>
struct to_spec<expr<T, D...>> {
  using type = spec_t<strong_t<T>, D...>;
};

}  // namespace detail

template <class F, class... Args>
constexpr auto eval_shape(F, Args const&...) {
  if constexpr (detail::check_stateless<F>() && (detail::check_tree<Args>() && ...))
    return detail::map_t<typename detail::trace_of<F, detail::to_expr_t<Args>...>::result, detail::to_spec>{};
}

}  // namespace exprax

// exprax/api/run.hpp
// From arrays to arrays: the leaves of the arguments as pointers, memory for the results, and the call of the emitted code.
// Works at run time and in constant evaluation.

#include <cstdint>

// exprax/emit/execute.hpp
// execute<P>(inputs, outputs) runs a program: its plan, kernel by kernel, at run time with packs and in constant evaluation
// with single elements. Scratch memory stands on the stack up to 128 KiB, else on the heap.

#include <memory>
#include <new>
#include <tuple>

// exprax/emit/contract.hpp
// dot_general and convolutions: out[i] = sum over k of lhs(i, k) * rhs(i, k). Packs walk along the last axis of the result;
// a tile of rows and packs of columns stays in registers while k runs.
//
// The order is fixed for each element. Sequential: the first product, then fused multiply-adds, k ascending. Blocked (vectors,
// and whatever they become under vmap): 32 accumulators, k to accumulator k mod 32, folded in halves.

// exprax/emit/loop.hpp
// Loops over packs. A row that is no multiple of the pack's length ends with a pack that overlaps the one before: it is
// computed first, kept in registers and stored last, so results in place are right. Rows shorter than a pack use the next
// narrower one, below four elements single ones.

// exprax/emit/steps.hpp
// Steps on packs. A step's template is keyed by what it does, not by where: its slots are arguments, constants for the
// optimizer, so thousands of equations share a few instantiations (DESIGN 12).

// exprax/emit/environment.hpp
// environment<Plan>: the address of every buffer of a plan while it runs, one array of pointers for each dtype.

#include <tuple>

// exprax/base/config.hpp
// The only macros of exprax. EXPRAX_SIMD (0 or 1) chooses between xsimd packs and width-1 code; all other macros
// are undefined again at the end of the umbrella header.

#ifndef EXPRAX_SIMD
#if defined(__SSE2__) || defined(__ARM_NEON)
#define EXPRAX_SIMD 1
#else
#define EXPRAX_SIMD 0
#endif
#endif

// What must vanish into its caller: steps of kernels, pack operations.
#define EXPRAX_INLINE [[gnu::always_inline]] inline
// The same for a lambda: stands between its parameters and its body.
#define EXPRAX_LAMBDA_INLINE __attribute__((always_inline))

// exprax/plan/planner.hpp
// program -> plan: which equations share a kernel, in which order kernels run, and which buffer each value stands in.

// exprax/plan/block.hpp
// One block of equations becomes kernels: it is analysed, its equations are placed in nodes, and the nodes are lowered.
//
// An equation of many elements is inlined into the kernels that consume it, or is a root: it gets a buffer. Roots of the
// same shape share a loop where their order allows it. Equations of one element run in program order, in one straight-line
// kernel as long as nothing else comes between. An update whose operand dies is made in place.

// exprax/plan/analysis.hpp
// The first look at a block, backwards: which values need a buffer, and which updates are made in place: those whose operand
// dies there.

// exprax/plan/context.hpp
// What the parts of the planner share: the program, the plan as far as it is made, and what is known of each value. A block
// becomes a list of nodes, in the order in which they run; each node is then lowered to kernels.

// exprax/plan/index_map.hpp
// index_map: where the element of a value comes from, as an affine function of the index of the loop that needs it. The
// movement primitives pull a map on their result down to a map on their operand.

namespace exprax::detail {

// index = offset + scale * i[axis]; axis -1: the constant offset.
struct axis_map {
  int axis = -1;
  int offset = 0;
  int scale = 0;
  constexpr bool operator==(axis_map const&) const = default;
};

struct index_map {
  int rank = 0;
  axis_map of[max_rank] = {};

  static constexpr index_map identity(aval const& a) {
    index_map m;
    m.rank = a.rank;
    for (int i = 0; i < a.rank; ++i) m.of[i] = a.dims[i] == 1 ? axis_map{} : axis_map{i, 0, 1};
    return m;
  }
  constexpr bool operator==(index_map const& o) const {
    if (rank != o.rank) return false;
    for (int i = 0; i < rank; ++i)
      if (!(of[i] == o.of[i])) return false;
    return true;
  }
};

// A reshape that only adds or drops axes of 1.
constexpr bool only_unit_axes_differ(aval const& a, aval const& b) {
  int i = 0, j = 0;
  while (true) {
    while (i < a.rank && a.dims[i] == 1) ++i;
    while (j < b.rank && b.dims[j] == 1) ++j;
    if (i == a.rank || j == b.rank) return i == a.rank && j == b.rank;
    if (a.dims[i++] != b.dims[j++]) return false;
  }
}

constexpr index_map pull_unit_axes(aval const& from, aval const& to, index_map const& m) {
  index_map r;
  r.rank = to.rank;
  int i = 0;
  for (int j = 0; j < to.rank; ++j) {
    if (to.dims[j] == 1) continue;
    while (from.dims[i] == 1) ++i;
    r.of[j] = m.of[i++];
  }
  return r;
}

// An operand of an elementwise equation: rank 0, or axes of 1 where the result has more.
constexpr index_map pull_broadcast(aval const& operand, aval const& result, index_map const& m) {
  index_map r;
  r.rank = operand.rank;
  for (int i = 0; i < operand.rank; ++i)
    if (operand.dims[i] != 1 || result.dims[i] == 1) r.of[i] = m.of[i];
  return r;
}

// True for movements that are one affine map, without borders, from their first operand.
constexpr bool is_affine_movement(equation_ref const& e) {
  switch (e.e.op) {
    case prim::broadcast_in_dim:
    case prim::transpose:
    case prim::squeeze:
    case prim::slice:
    case prim::rev: return true;
    case prim::reshape: return only_unit_axes_differ(e.type(0), e.out_type(0));
    default: return false;
  }
}

constexpr index_map pull(equation_ref const& e, index_map const& m) {
  aval const& operand = e.type(0);
  aval const& result = e.out_type(0);
  index_map r;
  r.rank = operand.rank;
  switch (e.e.op) {
    case prim::broadcast_in_dim:
      for (int i = 0; i < operand.rank; ++i) {
        int const to = e.param(result.rank + i);
        if (operand.dims[i] == result.dims[to]) r.of[i] = m.of[to];
      }
      return r;
    case prim::transpose:
      for (int i = 0; i < operand.rank; ++i) r.of[e.param(i)] = m.of[i];
      return r;
    case prim::slice:
      for (int i = 0; i < operand.rank; ++i) {
        int const step = e.n_par() > 2 * operand.rank ? e.param(2 * operand.rank + i) : 1;
        r.of[i] = {m.of[i].axis, e.param(i) + step * m.of[i].offset, step * m.of[i].scale};
      }
      return r;
    case prim::rev:
      for (int i = 0; i < operand.rank; ++i) r.of[i] = m.of[i];
      for (int d : e.params()) r.of[d] = {m.of[d].axis, operand.dims[d] - 1 - m.of[d].offset, -m.of[d].scale};
      return r;
    default: return pull_unit_axes(result, operand, m);  // squeeze, reshape
  }
}

}  // namespace exprax::detail

// exprax/plan/make_step.hpp
// Steps of each kind. Operands are numbers of steps until slots are given out.

// exprax/plan/plan.hpp
// The plan as plain data: buffers, and kernels in the order in which they run.
//
// A kernel walks an iteration space and evaluates a list of steps at each index. A step loads, stores, or computes; its
// result stands in a slot, of which every dtype has its own file. An access is an affine function of the index, so slices,
// broadcasts, transposes, reversals, pads and concatenations cost no memory of their own: borders cut the iteration space
// into boxes, and in each box every operand is a base and strides.

#include <cstddef>
#include <cstdint>

namespace exprax {

enum class storage_class : std::uint8_t {
  input,     // argument number `index`
  output,    // result number `index`
  constant,  // elements at offset `index` of the program's pool
  scratch,   // bytes at `offset` of the scratch memory
  bound      // a scan sets the pointer, at each iteration
};

// No default values in the structs of which there are many: compilers would build each element of a table.
struct buffer {
  dtype type;
  storage_class where;
  int index;
  std::ptrdiff_t size;
  std::ptrdiff_t offset;
  int slot;  // its number among the buffers of its dtype
};

// An offset known at run time only: clamp(an element of an integer buffer, 0, limit) * stride.
struct dynamic_term {
  int buffer;
  int limit;
  std::ptrdiff_t stride;
  int element;
};

struct access {
  int buffer;
  std::ptrdiff_t base;
  std::ptrdiff_t stride[max_rank];
  int term, n_term;
};

// Kinds from `store` on have operands; all but a store have a result.
enum class step_kind : std::uint8_t { literal, iota, load, store, convert, compute };
constexpr bool is_memory(step_kind k) { return k == step_kind::load || k == step_kind::store; }

struct step {
  step_kind kind;
  prim op;
  dtype from;          // of the operands
  dtype type;          // of the result
  int d, a, b, c;      // slots
  int access;          // load, store: in the table of accesses, or -1: one element of buffer c, at `bits`; iota: the axis
  std::uint64_t bits;  // literal: the pattern; iota: the offset
  std::int64_t scale;  // iota: the factor
};

// A part of the iteration space with straight-line code of its own.
struct box {
  int lo[max_rank];
  int extent[max_rank];
  int step, n_row, n_step;  // the first n_row steps do not depend on the last axis
  int slots[dtype_count];
};

struct loop_kernel {
  int rank;
  int dims[max_rank];
  int box, n_box;
  int guard, n_guard;  // terms that must all lie in [0, limit], else the kernel does nothing (FILL_OR_DROP)
};

// out[i] = op over r of value(i, r), where value is what the box's only store would store. Axes, by rows: the kept ones,
// then one reduced axis, along which packs walk. By columns: kept ones, the reduced ones, then the kept axis of the packs.
struct reduce_kernel {
  prim op{};
  dtype type = dtype::f32;
  bool columns = false;
  int kept = 0, rank = 0;  // kept: how many axes stand before the reduced ones
  int dims[max_rank] = {};
  int box = 0;
  int result = 0;  // the slot of the value
  int out = 0;     // the access of the result
};

// out[i] = sum over k of lhs(i, k) * rhs(i, k). Axes: batch, then rows (of lhs), then columns (of rhs), then contracted.
struct contract_kernel {
  dtype type = dtype::f32;
  int batch = 0, rows = 0, columns = 0, contracted = 0;  // how many axes of each
  int dims[2 * max_rank] = {};
  std::ptrdiff_t lhs[2 * max_rank] = {}, rhs[2 * max_rank] = {}, out[2 * max_rank] = {};
  std::ptrdiff_t lhs_base = 0, rhs_base = 0;
  int lhs_buffer = 0, rhs_buffer = 0, out_buffer = 0;
  bool blocked = false;
};

// One window of `out` for each index vector; a window that does not lie inside is dropped whole. Axes: those of the batch,
// along which index vectors follow one another, then those of the window.
struct scatter_kernel {
  prim op{};  // scatter: the new element replaces the old one
  dtype type = dtype::f32;
  int batch = 0, rank = 0;
  int dims[2 * max_rank] = {};
  std::ptrdiff_t out[2 * max_rank] = {}, update[2 * max_rank] = {};
  int n_index = 0;                         // components of an index vector
  int limit[max_rank] = {};                // the largest that fits
  std::ptrdiff_t index_stride[max_rank] = {};  // in out
  int out_buffer = 0, indices_buffer = 0, update_buffer = 0;
};

// How one carry of a scan moves: read from `in`, written to `out` by the body; the two are buffers that the scan binds.
struct carry_slot {
  int init = 0, result = 0, spare = 0;  // buffers; -1: none needed
  int in = 0, out = 0;
  bool in_place = false;  // the body writes where it reads
};
// A slice of xs or a part of ys: element t of `whole` is bound to `part`.
struct stream_slot {
  int whole = 0, part = 0;
};
struct scan_kernel {
  int length = 0;
  bool reverse = false;
  int carry = 0, n_carry = 0;
  int stream = 0, n_stream = 0;
  int kernel = 0, n_kernel = 0;  // the body
};

// A scan whose values are all small: each stands whole in registers, as a run of packs, and the carry never touches memory.
// A value that is one number at every place is `uniform`: one pack serves for any shape.
enum class register_step_kind : std::uint8_t { load, store, literal, numbers, compute, convert, permute };
struct register_step {
  register_step_kind kind;
  prim op;
  dtype from, type;
  int n;                    // elements of the result; 1: uniform
  int d, a, b, c;           // slots
  bool wide_a, wide_b, wide_c;
  int buffer;               // load, store; else -1
  bool element;             // load, store: at element t of the buffer
  int table, n_in;          // permute: for each lane its source, or -1: the lane of b; numbers: the values
  std::uint64_t bits;
};
struct register_carry {
  dtype type{};
  int init = 0, result = 0;  // buffers
  int n = 1;
  int in = 0, out = 0;       // slots
  bool wide_out = false;
};
struct register_scan_kernel {
  int length = 0;
  bool reverse = false;
  int carry = 0, n_carry = 0;
  int step = 0, n_before = 0, n_step = 0;  // the first n_before steps run once
  int widest = 1;                          // elements of the largest value
  int slots[dtype_count] = {};
};

enum class kernel_kind : std::uint8_t { loop, reduce, contract, scatter, scan, register_scan };
struct kernel {
  kernel_kind kind;
  int index;
};

struct plan_sizes {
  int buffers = 0, terms = 0, accesses = 0, steps = 0, boxes = 0, loops = 0, reduces = 0, contracts = 0, scatters = 0, scans = 0, carries = 0,
      streams = 0, register_scans = 0, register_carries = 0, register_steps = 0, tables = 0, kernels = 0;
  int first_kernel = 0, n_kernel = 0;  // the main block
  int of_type[dtype_count] = {};       // buffers of each dtype
  std::ptrdiff_t scratch = 0;
  constexpr bool operator==(plan_sizes const&) const = default;
  // True if tables of this size have room for those of `o`.
  constexpr bool hold(plan_sizes const& o) const {
    return o.buffers <= buffers && o.terms <= terms && o.accesses <= accesses && o.steps <= steps && o.boxes <= boxes && o.loops <= loops &&
           o.reduces <= reduces && o.contracts <= contracts && o.scatters <= scatters && o.scans <= scans && o.carries <= carries && o.streams <= streams &&
           o.register_scans <= register_scans && o.register_carries <= register_carries && o.register_steps <= register_steps &&
           o.tables <= tables && o.kernels <= kernels;
  }
};

class plan {
 public:
  detail::arena<buffer> buffers;
  detail::arena<dynamic_term> terms;
  detail::arena<access> accesses;
  detail::arena<step> steps;
  detail::arena<box> boxes;
  detail::arena<loop_kernel> loops;
  detail::arena<reduce_kernel> reduces;
  detail::arena<contract_kernel> contracts;
  detail::arena<scatter_kernel> scatters;
  detail::arena<scan_kernel> scans;
  detail::arena<carry_slot> carries;
  detail::arena<stream_slot> streams;
  detail::arena<register_scan_kernel> register_scans;
  detail::arena<register_carry> register_carries;
  detail::arena<register_step> register_steps;
  detail::arena<int> tables;
  detail::arena<kernel> kernels;
  int first_kernel = 0, n_kernel = 0;
  std::ptrdiff_t scratch = 0;

  constexpr int add_buffer(dtype t, storage_class w, int index, std::ptrdiff_t size) { return buffers.push({t, w, index, size, 0, 0}); }
  constexpr plan_sizes sizes() const {
    plan_sizes s{buffers.size(), terms.size(), accesses.size(), steps.size(), boxes.size(), loops.size(), reduces.size(),
                 contracts.size(), scatters.size(), scans.size(), carries.size(), streams.size(),
                 register_scans.size(), register_carries.size(), register_steps.size(), tables.size(), kernels.size(), first_kernel, n_kernel, {}, scratch};
    for (buffer const& b : buffers) ++s.of_type[static_cast<int>(b.type)];
    return s;
  }
};

template <plan_sizes N>
struct plan_storage {
  buffer buffers[N.buffers + 1] = {};
  dynamic_term terms[N.terms + 1] = {};
  access accesses[N.accesses + 1] = {};
  step steps[N.steps + 1] = {};
  box boxes[N.boxes + 1] = {};
  loop_kernel loops[N.loops + 1] = {};
  reduce_kernel reduces[N.reduces + 1] = {};
  contract_kernel contracts[N.contracts + 1] = {};
  scatter_kernel scatters[N.scatters + 1] = {};
  scan_kernel scans[N.scans + 1] = {};
  carry_slot carries[N.carries + 1] = {};
  stream_slot streams[N.streams + 1] = {};
  register_scan_kernel register_scans[N.register_scans + 1] = {};
  register_carry register_carries[N.register_carries + 1] = {};
  register_step register_steps[N.register_steps + 1] = {};
  int tables[N.tables + 1] = {};
  kernel kernels[N.kernels + 1] = {};
};

}  // namespace exprax

namespace exprax::detail::planning {

constexpr step literal_step(dtype t, std::uint64_t bits) { return {step_kind::literal, {}, t, t, 0, 0, 0, 0, 0, bits, 0}; }
constexpr step iota_step(dtype t, int axis, std::int64_t offset, std::int64_t scale) {
  return {step_kind::iota, {}, t, t, 0, 0, 0, 0, axis, static_cast<std::uint64_t>(offset), scale};
}
constexpr step load_step(dtype t, int access) { return {step_kind::load, {}, t, t, 0, 0, 0, 0, access, 0, 0}; }
constexpr step store_step(dtype t, int x, int access) { return {step_kind::store, {}, t, t, 0, x, 0, 0, access, 0, 0}; }
constexpr step convert_step(dtype from, dtype to, int x) { return {step_kind::convert, {}, from, to, 0, x, 0, 0, 0, 0, 0}; }
// An operand that the primitive does not have repeats the first.
constexpr step compute_step(prim op, dtype from, dtype to, int x, int y, int z) { return {step_kind::compute, op, from, to, 0, x, y, z, 0, 0, 0}; }

// One element of a buffer, in a straight line.
constexpr step load_element(dtype t, int buffer, std::ptrdiff_t at) {
  return {step_kind::load, {}, t, t, 0, 0, 0, buffer, -1, static_cast<std::uint64_t>(at), 0};
}
constexpr step store_element(dtype t, int x, int buffer, std::ptrdiff_t at) {
  return {step_kind::store, {}, t, t, 0, x, 0, buffer, -1, static_cast<std::uint64_t>(at), 0};
}

}  // namespace exprax::detail::planning

namespace exprax::detail::planning {

// No default values in the two structs of which there is one for each value: compilers would build each element.
struct realization {
  int buffer;  // where its elements stand, row-major; -1: nowhere
  int def;     // the equation that makes it
  int same;    // another value with the same elements (an input of a block, bound to a constant)
  int visit;   // the number of the walk that saw it last, at the index of the loop
  int reg;     // its register in the box with the number `visit`
};

struct value_info {
  bool root;         // wants a buffer
  bool inlined;      // an equation that consumers compute for themselves; a one-element value: stored to its buffer
  bool updates;      // an update that is a store into its buffer, not a choice between two operands
  bool mutated;      // an update will overwrite its buffer
  bool other_shape;  // a use is not elementwise in the value's own shape
  int uses;
  int cost;          // of computing it once more
  int depth;         // how many inlined equations stand on one another
  int last_use;      // the equation
  int ready;         // the first node that may read it at the index of the read
  int ready_moved;   // and at any index
  int node;          // one-element values: the node that holds it in a slot; -1: none
  int reg;
};

struct kernel_range {
  int first = 0, count = 0;
};

enum class node_kind : std::uint8_t { loop, numbers, reduce, contract, scan, register_scan, update, copy };
// The elements of a value, copied into a buffer.
struct copy_of {
  int value = 0, buffer = 0;
};
struct node {
  node_kind kind = node_kind::loop;
  aval shape;
  int eqn = -1;            // reduce, contract, scan, update
  arena<copy_of> copies;   // copy; numbers: those that come before the line
  arena<int> roots;        // loop: values
  arena<step> steps;       // numbers
  kernel_range body;       // scan
  scan_kernel scan;
  int index = -1;          // register_scan
};

struct context {
  program_ref p;
  plan out;
  arena<realization> at;
  arena<value_info> info;
  arena<std::ptrdiff_t> sizes;  // of each type in the program's table
  int visits = 0;

  constexpr explicit context(program_ref program) : p(program) {
    at.resize(p.n.values, {-1, -1, -1, 0, -1});
    value_info unused{};
    unused.node = -1;
    info.resize(p.n.values, unused);
    for (int i = 0; i < p.n.avals; ++i) sizes.push(p.avals[i].size());
  }

  constexpr int resolve(int v) const {
    while (at[v].same >= 0) v = at[v].same;
    return v;
  }
  constexpr equation_ref eq(int i) const { return {p, p.eqns[i]}; }
  constexpr equation_ref def(int v) const { return {p, p.eqns[at[v].def]}; }
  constexpr std::ptrdiff_t size(int v) const { return sizes[p.values[v].type]; }
  // A value of one element.
  constexpr bool is_number(int v) const { return sizes[p.values[v].type] == 1; }

  constexpr int new_scratch(aval const& t) { return out.add_buffer(t.type, storage_class::scratch, 0, t.size()); }
  // A value that a kernel reads from memory: by now it has a buffer, or is a constant.
  constexpr int operand_buffer(int v) {
    v = resolve(v);
    return p.is_constant(v) ? constant_buffer(v) : at[v].buffer;
  }
  constexpr int constant_buffer(int v) {
    if (at[v].buffer < 0) at[v].buffer = out.add_buffer(p.type(v).type, storage_class::constant, p.values[v].constant, p.type(v).size());
    return at[v].buffer;
  }
};

constexpr void place_copy(arena<node>& nodes, int value, int buffer) {
  node n;
  n.kind = node_kind::copy;
  n.copies.push({value, buffer});
  nodes.push(n);
}

// Elementwise, movements and iota: what a consumer can compute for itself.
constexpr bool is_plain(prim op) { return op < prim::dynamic_slice; }
constexpr bool is_scatter(prim op) { return op >= prim::scatter && op <= prim::scatter_max; }
constexpr bool is_update(prim op) { return is_scatter(op) || op == prim::dynamic_update_slice; }
constexpr bool is_static_update(equation_ref const& e) { return is_scatter(e.e.op) && e.param(0) == 0; }
// A region with steps of 1 can be lowered to boxes.
constexpr bool is_box_update(equation_ref const& e) {
  if (!is_static_update(e)) return false;
  int const r = e.out_type(0).rank;
  for (int i = 0; i < r; ++i)
    if (e.param(1 + r + i) != 1 && e.param(1 + 2 * r + i) > 1) return false;
  return true;
}
constexpr bool is_interior_pad(equation_ref const& e) {
  if (e.e.op != prim::pad) return false;
  int const r = e.out_type(0).rank;
  for (int i = 0; i < r; ++i)
    if (e.param(2 * r + i) != 0 && e.type(0).dims[i] > 1) return true;
  return false;
}
constexpr int update_operand(equation_ref const& e) { return e.e.op == prim::dynamic_update_slice ? 1 : e.param(0) == 0 ? 1 : 2; }

// One index vector for each element of a batch.
constexpr bool is_batched_scatter(equation_ref const& e) { return is_scatter(e.e.op) && e.param(0) == 1 && e.type(1).rank > 1; }

// How a scatter combines an element with what stands there.
constexpr prim combiner(prim scatter) {
  switch (scatter) {
    case prim::scatter_add: return prim::add;
    case prim::scatter_mul: return prim::mul;
    case prim::scatter_min: return prim::min;
    default: return prim::max;
  }
}

}  // namespace exprax::detail::planning

namespace exprax::detail::planning {

constexpr void need(context& c, int v) {
  v = c.resolve(v);
  if (!c.p.is_constant(v)) c.info[v].root = true;
}
// Marks the value that a read through affine maps ends at.
constexpr void need_access(context& c, int v) {
  v = c.resolve(v);
  while (c.at[v].buffer < 0 && c.at[v].def >= 0 && !c.is_number(v) && is_affine_movement(c.def(v))) v = c.resolve(c.def(v).in(0));
  need(c, v);
}

constexpr void analyse_update(context& c, int i, block const& b) {
  equation_ref const e = c.eq(i);
  int const v = e.e.out;
  int const u = c.resolve(e.in(0));
  if (!is_static_update(e))
    for (int k = 1; k < e.n_in(); ++k)
      if (k != update_operand(e) || is_batched_scatter(e)) need(c, e.in(k));
  bool const dies = c.info[u].last_use == i && c.at[u].def >= b.eqn && c.at[u].buffer < 0 && !c.p.is_constant(u);
  bool const made_whole = dies && !is_plain(c.p.eqns[c.at[u].def].op);
  bool const boxes = !made_whole && is_box_update(e);
  bool const in_place = dies && (!boxes || c.size(e.in(update_operand(e))) * 4 < c.size(v));
  c.info[v].updates = in_place || !boxes;
  if (c.info[v].updates) {
    c.info[v].root = true;
    if (c.at[v].buffer < 0) c.at[v].buffer = c.new_scratch(e.out_type(0));
  }
  if (in_place) {
    c.info[u].root = true;
    c.info[u].mutated = true;
    c.at[u].buffer = c.at[v].buffer;
  }
}

constexpr void analyse_equation(context& c, int i, block const& b) {
  eqn const& q = c.p.eqns[i];
  equation_ref const e{c.p, q};
  int const v = q.out;
  bool const many = q.n_out == 1 && !c.is_number(v);
  for (int k = 0; k < q.n_in; ++k) {
    int const u = c.resolve(c.p.refs[q.in + k]);
    value_info& x = c.info[u];
    // A value that will be overwritten must be read where the program reads it.
    if (many && x.mutated && x.last_use != i) c.info[v].root = true;
    if (!x.other_shape && (!many || !is_plain(q.op) || (c.info[v].other_shape && !c.info[v].root) || !c.p.type(u).same_shape(e.out_type(0))))
      x.other_shape = true;
  }
  switch (q.op) {
    case prim::dot_general:
    case prim::conv_general_dilated:
      need_access(c, e.in(0));
      need_access(c, e.in(1));
      return;
    case prim::scan:
      for (int k = 0; k < q.n_in; ++k) need(c, e.in(k));
      return;
    case prim::dynamic_slice:
      need_access(c, e.in(0));
      for (int k = 1; k < q.n_in; ++k) need(c, e.in(k));
      if (many) c.info[v].root = true;
      return;
    case prim::reshape:
      if (many && !only_unit_axes_differ(e.type(0), e.out_type(0))) {
        c.info[v].root = true;
        need(c, e.in(0));
      }
      return;
    case prim::pad:
      if (is_interior_pad(e)) c.info[v].root = true;
      return;
    default: break;
  }
  if (many && is_update(q.op)) return analyse_update(c, i, b);
  if (!many && q.n_in > 0 && !c.is_number(e.in(0)) && (is_affine_movement(e) || q.op == prim::concatenate)) need_access(c, e.in(0));
}

constexpr void analyse(context& c, block const& b, span<int> out_buffers) {
  int const end = b.eqn + b.n_eqn;
  realization* const at = c.at.data();
  value_info* const info = c.info.data();
  std::ptrdiff_t const* const sizes = c.sizes.data();
  for (int i = b.eqn; i < end; ++i) {
    eqn const& e = c.p.eqns[i];
    for (int v = e.out; v < e.out + e.n_out; ++v) at[v].def = i;
    if (e.op < prim::broadcast_in_dim && sizes[c.p.values[e.out].type] == 1) continue;  // reads numbers only
    int const* const refs = c.p.refs + e.in;
    for (int k = 0; k < e.n_in; ++k) {
      int u = refs[k];
      while (at[u].same >= 0) u = at[u].same;
      ++info[u].uses;
      info[u].last_use = i;
    }
  }
  for (int k = 0; k < b.n_out; ++k) {
    int const v = c.resolve(c.p.refs[b.out + k]);
    ++info[v].uses;
    info[v].last_use = end;
    if (at[v].def >= b.eqn && at[v].buffer < 0 && !c.p.is_constant(v)) {
      at[v].buffer = out_buffers[k];
      info[v].root = true;
    }
  }
  for (int i = end - 1; i >= b.eqn; --i) {
    eqn const& e = c.p.eqns[i];
    if (e.op >= prim::broadcast_in_dim || sizes[c.p.values[e.out].type] != 1) analyse_equation(c, i, b);
  }
}

}  // namespace exprax::detail::planning

// exprax/plan/contractions.hpp
// dot_general and conv_general_dilated: one kernel with a stride along each axis for each operand.

// exprax/plan/loops.hpp
// Loops: a list of values of one shape becomes a kernel. Axes that every access walks as one are merged.

// exprax/plan/lower.hpp
// From the values that a kernel must make to its boxes and steps. Values without a buffer are computed where they are
// needed; pads, concatenations and static scatters cut the iteration space into boxes (DESIGN 9).

// exprax/plan/slots.hpp
// Slots: every result of a list of steps gets a place in the file of its dtype; results whose lives do not meet share one.

namespace exprax::detail::planning {

// The operands of the steps are numbers of steps; they become slots. From the end: the first use seen is the last one.
class slot_allocator {
 public:
  constexpr slot_allocator(step* run, int n, int* count) : run_(run), count_(count) {
    slot_.resize(n, -1);
    next_.resize(n, -1);
    for (int& h : free_) h = -1;
  }

  // The first n_row steps run once for each row: what the others read of them keeps its slot.
  constexpr void run(int n, int n_row) {
    int* const slot = slot_.data();
    if (n_row > 0)
      for (int k = n_row; k < n; ++k) {
        step const& s = run_[k];
        if (s.kind < step_kind::store) continue;
        if (s.a < n_row) slot_of(s.a);
        if (s.kind == step_kind::compute) {
          if (s.b < n_row) slot_of(s.b);
          if (s.c < n_row) slot_of(s.c);
        }
      }
    for (int k = n - 1; k >= 0; --k) {
      step& s = run_[k];
      if (s.kind != step_kind::store) {
        s.d = slot[k] < 0 ? slot_of(k) : slot[k];
        int& first = free_[static_cast<int>(s.type)];
        next_[k] = first;
        first = k;
        if (s.kind < step_kind::store) continue;
      }
      int const a = s.a;
      s.a = slot[a] < 0 ? slot_of(a) : slot[a];
      if (s.kind != step_kind::compute) continue;
      s.b = s.b == a ? s.a : slot_of(s.b);
      s.c = s.c == a ? s.a : slot_of(s.c);
    }
  }

 private:
  constexpr int slot_of(int k) {
    int& slot = slot_[k];
    if (slot >= 0) return slot;
    int const t = static_cast<int>(run_[k].type), f = free_[t];
    if (f < 0) return slot = count_[t]++;
    free_[t] = next_[f];
    return slot = slot_[f];
  }

  step* run_;
  int* count_;
  arena<int> slot_, next_;
  int free_[dtype_count];  // the last step whose slot is free, for each dtype; next_ leads to the others
};

// Appends the steps of a box to the plan. Those that do not vary along the last axis come first: they run once for each row.
// Stores come last: the emitter delays those of the ragged end until the rest of the row is done.
constexpr void finish_box(plan& out, box& b, arena<step> const& steps, int last_axis) {
  int const n = steps.size();
  arena<int> order, where;
  arena<char> varies;
  order.reserve(n);
  where.resize(n);
  varies.resize(n, 1);
  for (int i = 0; i < n; ++i) {
    step const& s = steps[i];
    if (s.kind == step_kind::compute) varies[i] = varies[s.a] || varies[s.b] || varies[s.c];
    else if (s.kind == step_kind::convert) varies[i] = varies[s.a];
    else if (s.kind == step_kind::load) varies[i] = out.accesses[s.access].stride[last_axis] != 0;
    else if (s.kind == step_kind::iota) varies[i] = s.access == last_axis;
    else if (s.kind == step_kind::literal) varies[i] = 0;
    if (!varies[i]) order.push(i);
  }
  b.n_row = order.size();
  for (int i = 0; i < n; ++i)
    if (varies[i] && steps[i].kind != step_kind::store) order.push(i);
  for (int i = 0; i < n; ++i)
    if (steps[i].kind == step_kind::store) order.push(i);
  for (int k = 0; k < n; ++k) where[order[k]] = k;
  b.n_step = n;
  b.step = out.steps.size();
  step* const run = out.steps.grow(n);
  for (int k = 0; k < n; ++k) {
    step& s = run[k] = steps[order[k]];
    if (s.kind < step_kind::store) continue;
    s.a = where[s.a];
    if (s.kind != step_kind::compute) continue;
    s.b = where[s.b];
    s.c = where[s.c];
  }
  slot_allocator(run, n, b.slots).run(n, b.n_row);
}

// The same for steps that run once, in the order in which they stand.
constexpr void finish_straight_line(plan& out, box& b, arena<step> const& steps) {
  b.n_step = steps.size();
  b.step = out.steps.size();
  step* const run = out.steps.grow(b.n_step);
  copy_run(run, steps.data(), b.n_step);
  slot_allocator(run, b.n_step, b.slots).run(b.n_step, 0);
}

}  // namespace exprax::detail::planning

namespace exprax::detail::planning {

class box_lowering {
 public:
  constexpr box_lowering(context& c, int rank, int const* dims) : c_(c), rank_(rank), walk_(++c.visits) {
    for (int i = 0; i < rank; ++i) {
      dims_[i] = dims[i];
      add_cut(i, 0);
      add_cut(i, dims[i]);
    }
  }

  // First every value that the kernel needs, to find the borders. Long chains of elementwise equations are walked with a stack
  // of our own: compilers limit the depth of calls.
  constexpr void find_cuts(int v, index_map const& m) {
    v = c_.resolve(v);
    if (is_done(v)) return;
    if (!is_identity(v, m)) {
      for (remembered const& r : memo_)
        if (r.v == v && r.m == m) return;
      memo_.push({v, m, -1});
      return find_cuts_of(v, m);
    }
    arena<int> todo;
    todo.push(v);
    while (!todo.empty()) {
      int const u = todo.back();
      todo.pop();
      if (is_done(u) || c_.at[u].visit == walk_) continue;
      c_.at[u].visit = walk_;
      if (!is_elementwise(u)) {
        find_cuts_of(u, m);
        continue;
      }
      equation_ref const e = c_.def(u);
      for (int k = 0; k < e.n_in(); ++k) {
        int const w = c_.resolve(e.in(k));
        if (is_done(w)) continue;
        if (reads_same_index(w, u)) todo.push(w);
        else find_cuts(w, pull_broadcast(c_.p.type(w), e.out_type(0), m));
      }
    }
  }

  // Then box by box.
  constexpr int boxes() const {
    int n = 1;
    for (int i = 0; i < rank_; ++i) n *= n_cut_[i] - 1;
    return n;
  }
  constexpr void start_box(int number) {
    for (int i = rank_ - 1; i >= 0; --i) {
      int const k = number % (n_cut_[i] - 1);
      number /= n_cut_[i] - 1;
      box_.lo[i] = cuts_[i][k];
      box_.extent[i] = cuts_[i][k + 1] - cuts_[i][k];
    }
    box_.n_row = box_.n_step = 0;
    for (int& n : box_.slots) n = 0;
    steps_.clear();
    memo_.clear();
    walk_ = ++c_.visits;
  }
  constexpr void store(int reg, dtype t, access const& a) {
    steps_.push(store_step(t, reg, c_.out.accesses.push(a)));
  }

  constexpr int value(int v, index_map const& m) {
    v = c_.resolve(v);
    if (!is_identity(v, m)) {
      for (remembered const& r : memo_)
        if (r.v == v && r.m == m) return r.reg;
      int const reg = make(v, m);
      memo_.push({v, m, reg});
      return reg;
    }
    arena<int> todo;
    todo.push(v);
    while (!todo.empty()) {
      int const u = todo.back();
      bool ready = true;
      if (c_.at[u].visit != walk_ && !is_done(u) && is_elementwise(u)) {
        equation_ref const e = c_.def(u);
        for (int k = e.n_in() - 1; k >= 0; --k) {
          int const w = c_.resolve(e.in(k));
          if (c_.at[w].visit == walk_ || is_done(w) || !reads_same_index(w, u)) continue;
          todo.push(w);
          ready = false;
        }
      }
      if (!ready) continue;
      todo.pop();
      if (c_.at[u].visit == walk_) continue;
      int const reg = !is_done(u) && is_elementwise(u) ? elementwise(c_.def(u), m, true) : make(u, m);
      c_.at[u].visit = walk_;
      c_.at[u].reg = reg;
    }
    return c_.at[v].reg;
  }

  // An operand that the primitive does not have repeats the first.
  constexpr int compute(prim op, dtype from, dtype to, int a, int b = -1, int c = -1) {
    return steps_.push(compute_step(op, from, to, a, b < 0 ? a : b, c < 0 ? a : c));
  }
  constexpr int literal(dtype t, std::uint64_t bits) { return steps_.push(literal_step(t, bits)); }
  constexpr int load(dtype t, access const& a) { return steps_.push(load_step(t, c_.out.accesses.push(a))); }

  // The access of a value that stands in a buffer.
  constexpr access access_of(int v, index_map const& m) const { return access_of(c_.at[v].buffer, c_.p.type(v), m); }
  static constexpr access access_of(int buffer, aval const& type, index_map const& m) {
    strides const weight(type);
    access a{};
    a.buffer = buffer;
    for (int i = 0; i < m.rank; ++i) {
      a.base += weight[i] * m.of[i].offset;
      if (m.of[i].axis >= 0) a.stride[m.of[i].axis] += weight[i] * m.of[i].scale;
    }
    return a;
  }

  // Appends the box to the plan.
  constexpr void finish() {
    if (rank_ == 0) finish_straight_line(c_.out, box_, steps_);
    else finish_box(c_.out, box_, steps_, rank_ - 1);
    c_.out.boxes.push(box_);
  }
  constexpr int convert(dtype from, dtype to, int reg) { return steps_.push(convert_step(from, to, reg)); }

 private:
  struct remembered {
    int v = 0;
    index_map m;
    int reg = 0;
  };

  constexpr bool is_done(int v) const { return c_.p.is_constant(v) || c_.at[v].buffer >= 0; }
  // An operand of an elementwise equation at the index of the loop. By the numbers of the types: most operands have the same.
  constexpr bool reads_same_index(int operand, int result) const {
    return c_.p.values[operand].type == c_.p.values[result].type || c_.p.type(operand).rank == 0 || c_.p.type(operand).same_shape(c_.p.type(result));
  }
  constexpr bool is_elementwise(int v) const { return c_.p.eqns[c_.at[v].def].op < prim::broadcast_in_dim; }
  // True if the value is read at the index of the loop itself, or has only one element to read.
  constexpr bool is_identity(int v, index_map const& m) const {
    aval const& t = c_.p.type(v);
    if (t.rank == 0) return true;
    if (t.rank != rank_) return false;
    for (int i = 0; i < rank_; ++i)
      if (t.dims[i] != dims_[i] || !(m.of[i] == (t.dims[i] == 1 ? axis_map{} : axis_map{i, 0, 1}))) return false;
    return true;
  }
  constexpr void find_cuts_of(int v, index_map const& m) {
    equation_ref const e = c_.def(v);
    switch (e.e.op) {
      case prim::iota: return;
      case prim::concatenate: {
        int const axis = e.param(0);
        index_map part = m;
        for (int k = 0; k < e.n_in(); ++k) {
          int const n = e.type(k).dims[axis];
          cut(part.of[axis], n);
          find_cuts(e.in(k), with_unit_axes(part, e.type(k)));
          part.of[axis].offset -= n;
        }
        return;
      }
      case prim::pad: {
        index_map inner = m;
        for (int i = 0; i < m.rank; ++i) {
          inner.of[i].offset -= e.param(i);
          cut(inner.of[i], 0);
          cut(inner.of[i], e.type(0).dims[i]);
        }
        find_cuts(e.in(0), with_unit_axes(inner, e.type(0)));
        return find_cuts(e.in(1), {});
      }
      default: break;
    }
    if (is_scatter(e.e.op)) {
      index_map const inner = into_update(e, m);
      for (int i = 0; i < m.rank; ++i) {
        cut(inner.of[i], 0);
        cut(inner.of[i], e.param(1 + 2 * m.rank + i));
      }
      find_cuts(e.in(0), m);
      return find_cuts(e.in(1), with_unit_axes(inner, e.type(1)));
    }
    if (is_affine_movement(e)) return find_cuts(e.in(0), pull(e, m));
    for (int k = 0; k < e.n_in(); ++k) find_cuts(e.in(k), pull_broadcast(e.type(k), e.out_type(0), m));
  }

  // An axis of 1 is read at its only index, whatever the map says.
  static constexpr index_map with_unit_axes(index_map m, aval const& a) {
    for (int i = 0; i < m.rank; ++i)
      if (a.dims[i] == 1 && m.of[i].axis < 0) m.of[i] = {};
    return m;
  }
  // Static scatter: the index within the update (steps of 1 only; others are not lowered to boxes).
  static constexpr index_map into_update(equation_ref const& e, index_map m) {
    for (int i = 0; i < m.rank; ++i) m.of[i].offset -= e.param(1 + i);
    return m;
  }

  constexpr void add_cut(int axis, int at) {
    for (int i = 0; i < n_cut_[axis]; ++i)
      if (cuts_[axis][i] == at) return;
    if (n_cut_[axis] == max_cuts) throw "exprax: too many pieces in one concatenation";
    int i = n_cut_[axis]++;
    while (i > 0 && cuts_[axis][i - 1] > at) {
      cuts_[axis][i] = cuts_[axis][i - 1];
      --i;
    }
    cuts_[axis][i] = at;
  }
  // The iteration where the index reaches `border` (or falls below it).
  constexpr void cut(axis_map const& m, int border) {
    if (m.axis < 0 || m.scale == 0) return;
    int const d = border - m.offset;
    int at = 0;
    if (m.scale > 0) at = d >= 0 ? (d + m.scale - 1) / m.scale : 0;
    else at = d <= 0 ? (-d) / -m.scale + 1 : 0;
    if (at > 0 && at < dims_[m.axis]) add_cut(m.axis, at);
  }
  constexpr int index_at(axis_map const& m) const { return m.axis < 0 ? m.offset : m.offset + m.scale * box_.lo[m.axis]; }

  constexpr int make(int v, index_map const& m) {
    aval const& type = c_.p.type(v);
    if (c_.p.is_literal(v)) return literal(type.type, c_.p.bits(v));
    if (c_.at[v].buffer >= 0) return load(type.type, access_of(v, m));
    if (c_.p.is_constant(v)) {
      c_.at[v].buffer = c_.out.add_buffer(type.type, storage_class::constant, c_.p.values[v].constant, type.size());
      return load(type.type, access_of(v, m));
    }
    equation_ref const e = c_.def(v);
    switch (e.e.op) {
      case prim::iota: {
        axis_map const& i = m.of[e.param(1)];
        return steps_.push(iota_step(type.type, i.axis, i.offset, i.scale));
      }
      case prim::concatenate: {
        int const axis = e.param(0);
        index_map part = m;
        for (int k = 0;; ++k) {
          int const n = e.type(k).dims[axis];
          if (index_at(part.of[axis]) < n) return value(e.in(k), with_unit_axes(part, e.type(k)));
          part.of[axis].offset -= n;
        }
      }
      case prim::pad: {
        index_map inner = m;
        for (int i = 0; i < m.rank; ++i) {
          inner.of[i].offset -= e.param(i);
          int const at = index_at(inner.of[i]);
          if (at < 0 || at >= e.type(0).dims[i]) return value(e.in(1), {});
        }
        return value(e.in(0), with_unit_axes(inner, e.type(0)));
      }
      default: break;
    }
    if (is_scatter(e.e.op)) {
      index_map const inner = into_update(e, m);
      for (int i = 0; i < m.rank; ++i) {
        int const at = index_at(inner.of[i]);
        if (at < 0 || at >= e.param(1 + 2 * m.rank + i)) return value(e.in(0), m);
      }
      int const update = value(e.in(1), with_unit_axes(inner, e.type(1)));
      if (e.e.op == prim::scatter) return update;
      return compute(combiner(e.e.op), type.type, type.type, value(e.in(0), m), update);
    }
    if (is_affine_movement(e)) return value(e.in(0), pull(e, m));
    return elementwise(e, m);
  }

  // identity: m is the index of the loop.
  constexpr int elementwise(equation_ref const& e, index_map const& m, bool identity = false) {
    aval const& type = e.out_type(0);
    int reg[3] = {-1, -1, -1};
    if (e.e.op == prim::select_n) return select(e, m);
    for (int k = 0; k < e.n_in(); ++k) {
      int const w = c_.resolve(e.in(k));
      if (identity && c_.at[w].visit == walk_ && reads_same_index(w, e.e.out)) reg[k] = c_.at[w].reg;
      else reg[k] = value(w, pull_broadcast(e.type(k), type, m));
    }
    if (e.e.op == prim::convert_element_type) {
      if (e.type(0).type == type.type) return reg[0];
      return convert(e.type(0).type, type.type, reg[0]);
    }
    return compute(e.e.op, e.type(0).type, type.type, reg[0], reg[1], reg[2]);
  }
  // select_n with n cases: a chain of two-way selections.
  constexpr int select(equation_ref const& e, index_map const& m) {
    aval const& type = e.out_type(0);
    int const which = value(e.in(0), pull_broadcast(e.type(0), type, m));
    int reg = value(e.in(1), pull_broadcast(e.type(1), type, m));
    for (int k = 2; k < e.n_in(); ++k) {
      int const other = value(e.in(k), pull_broadcast(e.type(k), type, m));
      int mask = which;
      if (e.type(0).type != dtype::b1)
        mask = compute(prim::ge, e.type(0).type, dtype::b1, which, literal(e.type(0).type, static_cast<std::uint64_t>(k - 1)));
      reg = compute(prim::select_n, type.type, type.type, mask, reg, other);
    }
    return reg;
  }

  static constexpr int max_cuts = 66;
  context& c_;
  int rank_ = 0;
  int walk_ = 0;
  int dims_[max_rank] = {};
  int cuts_[max_rank][max_cuts] = {};
  int n_cut_[max_rank] = {};
  box box_{};
  arena<step> steps_;
  arena<remembered> memo_;
};

}  // namespace exprax::detail::planning

namespace exprax::detail::planning {

template <class F>
constexpr void for_steps(context& c, loop_kernel const& k, F f) {
  for (int b = 0; b < k.n_box; ++b) {
    box const& x = c.out.boxes[k.box + b];
    for (int s = 0; s < x.n_step; ++s) f(c.out.steps[x.step + s]);
  }
}

constexpr void drop_axis(context& c, loop_kernel& k, int axis) {
  if (axis == k.rank - 1)  // what varies along the last axis was found for another one
    for (int b = 0; b < k.n_box; ++b) c.out.boxes[k.box + b].n_row = 0;
  for_steps(c, k, [&](step& s) {
    if (is_memory(s.kind)) {
      access& a = c.out.accesses[s.access];
      for (int i = axis; i + 1 < k.rank; ++i) a.stride[i] = a.stride[i + 1];
      a.stride[k.rank - 1] = 0;
    } else if (s.kind == step_kind::iota) {
      if (s.access == axis) s.access = -1;
      else if (s.access > axis) --s.access;
    }
  });
  for (int b = 0; b < k.n_box; ++b)
    for (int i = axis; i + 1 < k.rank; ++i) {
      c.out.boxes[k.box + b].lo[i] = c.out.boxes[k.box + b].lo[i + 1];
      c.out.boxes[k.box + b].extent[i] = c.out.boxes[k.box + b].extent[i + 1];
    }
  for (int i = axis; i + 1 < k.rank; ++i) k.dims[i] = k.dims[i + 1];
  --k.rank;
}

constexpr bool can_merge(context& c, loop_kernel const& k, int axis) {
  bool ok = true;
  for (int b = 0; b < k.n_box; ++b) {
    box const& x = c.out.boxes[k.box + b];
    if (x.lo[axis + 1] != 0 || x.extent[axis + 1] != k.dims[axis + 1]) return false;
  }
  for_steps(c, k, [&](step& s) {
    if (s.kind == step_kind::iota) ok = ok && s.access != axis && s.access != axis + 1;
    if (is_memory(s.kind)) {
      access const& a = c.out.accesses[s.access];
      ok = ok && a.stride[axis] == a.stride[axis + 1] * k.dims[axis + 1];
    }
  });
  return ok;
}

constexpr void merge_axes(context& c, loop_kernel& k, int axis) {
  int const n = k.dims[axis + 1];
  for_steps(c, k, [&](step& s) {
    if (s.kind == step_kind::iota && s.access > axis) --s.access;
    if (!is_memory(s.kind)) return;
    access& a = c.out.accesses[s.access];
    for (int i = axis; i + 1 < k.rank; ++i) a.stride[i] = a.stride[i + 1];
    a.stride[k.rank - 1] = 0;
  });
  for (int b = 0; b < k.n_box; ++b) {
    box& x = c.out.boxes[k.box + b];
    x.lo[axis] *= n;
    x.extent[axis] *= n;
    for (int i = axis + 1; i + 1 < k.rank; ++i) {
      x.lo[i] = x.lo[i + 1];
      x.extent[i] = x.extent[i + 1];
    }
  }
  k.dims[axis] *= n;
  for (int i = axis + 1; i + 1 < k.rank; ++i) k.dims[i] = k.dims[i + 1];
  --k.rank;
}

// Forgets axes of 1 and merges neighbours that every access walks as one.
constexpr void collapse(context& c, loop_kernel& k) {
  for (int axis = k.rank - 1; axis >= 0; --axis)
    if (k.dims[axis] == 1 && k.rank > 1) drop_axis(c, k, axis);
  for (int axis = k.rank - 2; axis >= 0; --axis)
    if (can_merge(c, k, axis)) merge_axes(c, k, axis);
}

constexpr loop_kernel new_loop(context& c, aval const& shape) {
  loop_kernel k{};
  k.rank = shape.rank;
  for (int i = 0; i < shape.rank; ++i) k.dims[i] = shape.dims[i];
  k.box = c.out.boxes.size();
  return k;
}

constexpr void push_loop(context& c, loop_kernel& k, arena<kernel>& kernels) {
  collapse(c, k);
  kernels.push({kernel_kind::loop, c.out.loops.push(k)});
}

template <class F>
constexpr void simple_loop(context& c, aval const& shape, arena<kernel>& kernels, F f) {
  loop_kernel k = new_loop(c, shape);
  box_lowering l(c, k.rank, k.dims);
  l.start_box(0);
  f(l, index_map::identity(shape));
  l.finish();
  k.n_box = 1;
  push_loop(c, k, kernels);
}

constexpr void lower_loop(context& c, node& n, arena<kernel>& kernels) {
  loop_kernel k = new_loop(c, n.shape);
  box_lowering l(c, k.rank, k.dims);
  index_map const m = index_map::identity(n.shape);
  // While a root is being made it has no buffer: its consumers in this kernel share its register.
  arena<int> buffers;
  for (int v : n.roots) {
    buffers.push(c.at[v].buffer);
    c.at[v].buffer = -1;
  }
  for (int v : n.roots) l.find_cuts(v, m);
  for (int b = 0; b < l.boxes(); ++b) {
    l.start_box(b);
    for (int r = 0; r < n.roots.size(); ++r) {
      int const v = n.roots[r];
      int const reg = l.value(v, m);
      l.store(reg, c.p.type(v).type, box_lowering::access_of(buffers[r], c.p.type(v), m));
    }
    l.finish();
    ++k.n_box;
  }
  for (int r = 0; r < n.roots.size(); ++r) c.at[n.roots[r]].buffer = buffers[r];
  push_loop(c, k, kernels);
}

constexpr void lower_copy(context& c, copy_of const& copy, arena<kernel>& kernels) {
  aval const& shape = c.p.type(copy.value);
  if (shape.size() == 0) return;
  loop_kernel k = new_loop(c, shape);
  box_lowering l(c, k.rank, k.dims);
  index_map const m = index_map::identity(shape);
  l.find_cuts(copy.value, m);
  for (int b = 0; b < l.boxes(); ++b) {
    l.start_box(b);
    int const reg = l.value(copy.value, m);
    l.store(reg, shape.type, box_lowering::access_of(copy.buffer, shape, m));
    l.finish();
    ++k.n_box;
  }
  push_loop(c, k, kernels);
}

constexpr void lower_numbers(context& c, node& n, arena<kernel>& kernels) {
  for (copy_of const& copy : n.copies) lower_copy(c, copy, kernels);
  loop_kernel k{};
  k.box = c.out.boxes.size();
  k.n_box = 1;
  box b{};
  finish_straight_line(c.out, b, n.steps);
  c.out.boxes.push(b);
  kernels.push({kernel_kind::loop, c.out.loops.push(k)});
}

}  // namespace exprax::detail::planning

namespace exprax::detail::planning {

// A read of a value that is an affine view of a buffer: the base, and the step along each axis.
struct view_of {
  int buffer = -1;
  std::ptrdiff_t base = 0;
  std::ptrdiff_t stride[max_rank] = {};
};

constexpr view_of dense(int buffer, aval const& type) {
  view_of r;
  r.buffer = buffer;
  strides const weight(type);
  for (int i = 0; i < type.rank; ++i) r.stride[i] = weight[i];
  return r;
}

// Copies a view into a dense buffer, its axes in a new order.
constexpr void copy_view(context& c, aval const& type, view_of const& from, int to, dtype want, arena<kernel>& kernels) {
  if (type.size() == 0) return;
  simple_loop(c, type, kernels, [&](box_lowering& l, index_map const& m) {
    access a{};
    a.buffer = from.buffer;
    a.base = from.base;
    for (int i = 0; i < type.rank; ++i) a.stride[i] = from.stride[i];
    int reg = l.load(type.type, a);
    if (want != type.type) reg = l.convert(type.type, want, reg);
    l.store(reg, want, box_lowering::access_of(to, type, m));
  });
}

constexpr view_of view(context& c, int v, arena<kernel>& kernels, dtype want) {
  v = c.resolve(v);
  aval const type = c.p.type(v);
  index_map m;
  m.rank = type.rank;
  for (int i = 0; i < type.rank; ++i) m.of[i] = {i, 0, 1};
  int u = v;
  while (c.at[u].buffer < 0 && !c.p.is_constant(u) && c.at[u].def >= 0 && is_affine_movement(c.eq(c.at[u].def))) {
    m = pull(c.eq(c.at[u].def), m);
    u = c.resolve(c.eq(c.at[u].def).in(0));
  }
  view_of r;
  if (c.at[u].buffer < 0 && !c.p.is_constant(u)) {
    // not a view: make it
    c.at[u].buffer = c.new_scratch(c.p.type(u));
    node whole;
    whole.shape = c.p.type(u);
    whole.roots.push(u);
    lower_loop(c, whole, kernels);
  }
  if (c.p.is_constant(u)) c.constant_buffer(u);
  access const a = box_lowering::access_of(c.at[u].buffer, c.p.type(u), m);
  r.buffer = a.buffer;
  r.base = a.base;
  for (int i = 0; i < type.rank; ++i) r.stride[i] = a.stride[i];
  if (type.type == want) return r;
  // dtypes are promoted before the products: a converted copy, dense
  int const copy = c.out.add_buffer(want, storage_class::scratch, 0, type.size());
  copy_view(c, type, r, copy, want, kernels);
  return dense(copy, type);
}

// A copy of a view in which memory runs along one axis: packs need it.
constexpr view_of with_axis_last(context& c, aval const& type, view_of const& from, int axis, arena<kernel>& kernels) {
  aval turned(type.type);
  view_of v;
  v.buffer = from.buffer;
  v.base = from.base;
  int order[max_rank] = {};
  for (int i = 0; i < type.rank; ++i)
    if (i != axis) order[turned.rank++] = i;
  order[turned.rank++] = axis;
  for (int i = 0; i < type.rank; ++i) {
    turned.dims[i] = type.dims[order[i]];
    v.stride[i] = from.stride[order[i]];
  }
  int const copy = c.new_scratch(turned);
  copy_view(c, turned, v, copy, type.type, kernels);
  view_of const made = dense(copy, turned);
  view_of r;
  r.buffer = copy;
  for (int i = 0; i < type.rank; ++i) r.stride[order[i]] = made.stride[i];
  return r;
}

// The rhs axis that becomes the last one of the result, or -1.
constexpr int last_free_axis(equation_ref const& e, int nc, int nb) {
  for (int i = e.type(1).rank - 1; i >= 0; --i) {
    bool free = true;
    for (int q = 0; q < nc; ++q) free = free && e.param(1 + nc + q) != i;
    for (int q = 0; q < nb; ++q) free = free && e.param(2 + 2 * nc + nb + q) != i;
    if (free) return i;
  }
  return -1;
}

constexpr void set_axis(contract_kernel& k, int axis, int n, std::ptrdiff_t lhs, std::ptrdiff_t rhs) {
  k.dims[axis] = n;
  k.lhs[axis] = lhs;
  k.rhs[axis] = rhs;
}

// A convolution is a contraction whose lhs walks the output and the window at once; a padded or dilated operand is laid
// out first.
constexpr void lower_convolution(context& c, node& n, arena<kernel>& kernels) {
  equation_ref const e = c.eq(n.eqn);
  dtype const type = n.shape.type;
  int const s = e.param(0);
  auto window = [&](int which, int i) { return e.param(1 + which * s + i); };  // strides, low, high, lhs dilation, rhs dilation
  int const feature_groups = e.param(1 + 5 * s), batch_groups = e.param(2 + 5 * s);
  aval lhs = e.type(0);
  aval const rhs = e.type(1);
  view_of a = view(c, e.in(0), kernels, type), b = view(c, e.in(1), kernels, type);
  bool plain = true;
  for (int i = 0; i < s; ++i) plain = plain && window(1, i) == 0 && window(2, i) == 0 && window(3, i) == 1;
  if (!plain) {
    aval wide = lhs.with_type(type);
    aval kept = wide;
    access to{};
    view_of from = a;
    for (int i = 0; i < s; ++i) {
      int const d = window(3, i), n_in = lhs.dims[2 + i];
      wide.dims[2 + i] = (n_in > 0 ? (n_in - 1) * d + 1 : 0) + window(1, i) + window(2, i);
      if (wide.dims[2 + i] < 0) wide.dims[2 + i] = 0;
    }
    int const buffer = c.new_scratch(wide);
    strides const weight(wide);
    to.buffer = buffer;
    to.stride[0] = weight[0];
    to.stride[1] = weight[1];
    for (int i = 0; i < s; ++i) {
      int const d = window(3, i), low = window(1, i);
      int const first = low >= 0 ? 0 : (-low + d - 1) / d;
      int last = lhs.dims[2 + i] - 1;
      while (last >= first && low + last * d >= wide.dims[2 + i]) --last;
      kept.dims[2 + i] = last - first + 1 < 0 ? 0 : last - first + 1;
      to.base += weight[2 + i] * (low + first * d);
      to.stride[2 + i] = weight[2 + i] * d;
      from.base += from.stride[2 + i] * first;
    }
    if (wide.size() > 0)
      simple_loop(c, wide, kernels, [&](box_lowering& l, index_map const& m) { l.store(l.literal(type, 0), type, box_lowering::access_of(buffer, wide, m)); });
    if (kept.size() > 0)
      simple_loop(c, kept, kernels, [&](box_lowering& l, index_map const&) {
        access f{};
        f.buffer = from.buffer;
        f.base = from.base;
        for (int i = 0; i < kept.rank; ++i) f.stride[i] = from.stride[i];
        l.store(l.load(type, f), type, to);
      });
    lhs = wide;
    a = dense(buffer, wide);
  }
  // Axes: batch and group, then spatial rows of the output, then output features, then (feature, window) contracted.
  contract_kernel k;
  k.type = type;
  int axis = 0;
  strides const weight(n.shape);
  int const groups = feature_groups * batch_groups;
  int const batch = lhs.dims[0] / batch_groups, features = lhs.dims[1] / feature_groups, made = rhs.dims[0] / groups;
  auto out_axis = [&](int n_axis, std::ptrdiff_t l, std::ptrdiff_t r, std::ptrdiff_t o) {
    k.out[axis] = o;
    set_axis(k, axis++, n_axis, l, r);
  };
  out_axis(batch, a.stride[0], 0, weight[0]);
  out_axis(groups, batch_groups > 1 ? a.stride[0] * batch : a.stride[1] * features, b.stride[0] * made, weight[1] * made);
  k.batch = 2;
  out_axis(made, 0, b.stride[0], weight[1]);
  k.rows = 1;
  for (int i = 0; i < s; ++i) out_axis(n.shape.dims[2 + i], a.stride[2 + i] * window(0, i), 0, weight[2 + i]);
  k.columns = s;
  set_axis(k, axis++, features, a.stride[1], b.stride[1]);
  for (int i = 0; i < s; ++i) set_axis(k, axis++, rhs.dims[2 + i], a.stride[2 + i] * window(4, i), b.stride[2 + i]);
  k.contracted = 1 + s;
  k.lhs_buffer = a.buffer;
  k.rhs_buffer = b.buffer;
  k.lhs_base = a.base;
  k.rhs_base = b.base;
  k.out_buffer = c.at[e.e.out].buffer;
  kernels.push({kernel_kind::contract, c.out.contracts.push(k)});
}

constexpr void lower_contract(context& c, node& n, arena<kernel>& kernels) {
  equation_ref const e = c.eq(n.eqn);
  if (e.e.op == prim::conv_general_dilated) return lower_convolution(c, n, kernels);
  dtype const type = n.shape.type;
  aval const lhs = e.type(0), rhs = e.type(1);
  int const nc = e.param(0), nb = e.param(1 + 2 * nc);
  int const batch = 2 + 2 * nc;
  view_of a = view(c, e.in(0), kernels, type), b = view(c, e.in(1), kernels, type);
  if (int const column = last_free_axis(e, nc, nb); column >= 0 && b.stride[column] != 1 && rhs.dims[column] > 1) b = with_axis_last(c, rhs.with_type(type), b, column, kernels);
  contract_kernel k;
  k.type = type;
  k.batch = nb;
  k.contracted = nc;
  k.blocked = e.param(e.n_par() - 1) != 0;
  bool l_used[max_rank] = {}, r_used[max_rank] = {};
  int axis = 0;
  for (int i = 0; i < nb; ++i) {
    int const l = e.param(batch + i), r = e.param(batch + nb + i);
    l_used[l] = r_used[r] = true;
    set_axis(k, axis++, lhs.dims[l], a.stride[l], b.stride[r]);
  }
  for (int i = 0; i < nc; ++i) l_used[e.param(1 + i)] = r_used[e.param(1 + nc + i)] = true;
  for (int i = 0; i < lhs.rank; ++i)
    if (!l_used[i]) {
      set_axis(k, axis++, lhs.dims[i], a.stride[i], 0);
      ++k.rows;
    }
  for (int i = 0; i < rhs.rank; ++i)
    if (!r_used[i]) {
      set_axis(k, axis++, rhs.dims[i], 0, b.stride[i]);
      ++k.columns;
    }
  strides const weight(n.shape);
  for (int i = 0; i < n.shape.rank; ++i) k.out[i] = weight[i];
  for (int i = 0; i < nc; ++i) {
    int const l = e.param(1 + i), r = e.param(1 + nc + i);
    set_axis(k, axis++, lhs.dims[l], a.stride[l], b.stride[r]);
  }
  k.lhs_buffer = a.buffer;
  k.rhs_buffer = b.buffer;
  k.lhs_base = a.base;
  k.rhs_base = b.base;
  k.out_buffer = c.at[e.e.out].buffer;
  kernels.push({kernel_kind::contract, c.out.contracts.push(k)});
}

}  // namespace exprax::detail::planning

// exprax/plan/place.hpp
// Equations that become nodes whatever stands around them: kernels of their own, views, updates, and values of one element.

// exprax/plan/numbers.hpp
// Values of one element run in the order of the program, in one straight line as long as nothing else comes between. Each
// stands in a slot; it gets a buffer where something outside of its line reads it. Unrolled programs are thousands of such
// equations: what each of them passes through is written with few calls, which constant evaluation makes dear.

namespace exprax::detail::planning {

// The straight line that is open at the end of the list.
constexpr int number_node(arena<node>& nodes) {
  if (nodes.empty() || nodes.back().kind != node_kind::numbers) {
    node n;
    n.kind = node_kind::numbers;
    nodes.push(n);
  }
  return nodes.size() - 1;
}

constexpr void store_number(context& c, int v, arena<node>& nodes) {
  value_info& r = c.info[v];
  if (r.inlined) return;  // stored before
  r.inlined = true;
  nodes[r.node].steps.push(store_element(c.p.type(v).type, r.reg, c.at[v].buffer, 0));
}
// A consumer outside its line needs v: it is stored at the end of the line that made it.
constexpr int buffer_of_number(context& c, int v, arena<node>& nodes) {
  if (c.at[v].buffer < 0) c.at[v].buffer = c.new_scratch(c.p.type(v));
  store_number(c, v, nodes);
  return c.at[v].buffer;
}
// A value that a kernel will read from memory.
constexpr int operand_buffer(context& c, int v, arena<node>& nodes) {
  v = c.resolve(v);
  if (c.p.is_constant(v)) return c.constant_buffer(v);
  if (c.info[v].node >= 0) buffer_of_number(c, v, nodes);
  return c.at[v].buffer;
}

// The register of v in the line g, the last node.
constexpr int number_reg(context& c, int v, arena<node>& nodes, int g) {
  v = c.resolve(v);
  value_info const& r = c.info[v];
  if (r.node == g) return r.reg;
  dtype const t = c.p.type(v).type;
  if (c.p.is_constant(v)) return nodes[g].steps.push(literal_step(t, c.p.bits(v)));
  if (r.node >= 0) buffer_of_number(c, v, nodes);
  return nodes[g].steps.push(load_element(t, c.at[v].buffer, 0));
}

// A movement from many elements to one: a load.
constexpr int load_moved(context& c, equation_ref const& e, arena<step>& steps) {
  aval const& type = e.out_type(0);
  int u = c.resolve(e.in(0));
  std::ptrdiff_t at = 0;
  if (e.e.op == prim::slice && c.at[u].buffer >= 0) {
    aval const& from = e.type(0);
    int const* const start = c.p.params + e.e.par;
    for (int k = 0; k < from.rank; ++k) at = at * from.dims[k] + start[k];
  } else {
    index_map m;
    m.rank = type.rank;
    m = pull(e, m);
    while (c.at[u].buffer < 0 && !c.p.is_constant(u)) {
      equation_ref const d = c.def(u);
      m = pull(d, m);
      u = c.resolve(d.in(0));
    }
    if (c.p.is_constant(u)) c.constant_buffer(u);
    at = box_lowering::access_of(c.at[u].buffer, c.p.type(u), m).base;
  }
  return steps.push(load_element(type.type, c.at[u].buffer, at));
}

// select_n with n cases: a chain of two-way selections.
constexpr int select_number(context& c, equation_ref const& e, arena<node>& nodes, int g) {
  dtype const w = e.type(0).type, t = e.out_type(0).type;
  arena<step>& steps = nodes[g].steps;
  int const which = number_reg(c, e.in(0), nodes, g);
  int chosen = number_reg(c, e.in(1), nodes, g);
  for (int k = 2; k < e.n_in(); ++k) {
    int const other = number_reg(c, e.in(k), nodes, g);
    int const bound = steps.push(literal_step(w, static_cast<std::uint64_t>(k - 1)));
    int const mask = steps.push(compute_step(prim::ge, w, dtype::b1, which, bound, which));
    chosen = steps.push(compute_step(prim::select_n, t, t, mask, chosen, other));
  }
  return chosen;
}

// One element of a larger array: a store among the numbers.
constexpr void place_element_update(context& c, equation_ref const& e, arena<node>& nodes) {
  int const g = number_node(nodes), v = e.e.out;
  aval const& type = e.out_type(0);
  int const* const start = c.p.params + e.e.par + 1;
  std::ptrdiff_t at = 0;
  for (int k = 0; k < type.rank; ++k) at = at * type.dims[k] + start[k];
  int reg = number_reg(c, e.in(1), nodes, g);
  arena<step>& steps = nodes[g].steps;
  if (e.e.op != prim::scatter) {
    int const old = steps.push(load_element(type.type, c.at[v].buffer, at));
    reg = steps.push(compute_step(combiner(e.e.op), type.type, type.type, old, reg, old));
  }
  steps.push(store_element(type.type, reg, c.at[v].buffer, at));
  c.info[v].ready = c.info[v].ready_moved = g + 1;
}

}  // namespace exprax::detail::planning

namespace exprax::detail::planning {

// One equation that is a kernel of its own.
constexpr void place_whole(context& c, int i, node_kind kind, arena<node>& nodes) {
  equation_ref const e = c.eq(i);
  for (int k = 0; k < e.n_in(); ++k)
    if (int const u = c.resolve(e.in(k)); c.info[u].node >= 0) buffer_of_number(c, u, nodes);
  int const v = e.e.out;
  if (c.at[v].buffer < 0) c.at[v].buffer = c.new_scratch(e.out_type(0));
  node n;
  n.kind = kind;
  n.eqn = i;
  n.shape = e.out_type(0);
  c.info[v].ready = c.info[v].ready_moved = nodes.push(n) + 1;
}

constexpr void place_view(context& c, int i, arena<node>& nodes) {
  equation_ref const e = c.eq(i);
  int const v = e.e.out, u = c.resolve(e.in(0));
  if (c.p.is_constant(u)) c.at[u].buffer = c.constant_buffer(u);
  if (c.at[v].buffer < 0) {
    c.at[v].buffer = c.at[u].buffer;
    c.info[v].ready = c.info[v].ready_moved = c.info[u].ready_moved;
    return;
  }
  // a result of the block: the elements are copied, row-major on both sides
  place_copy(nodes, u, c.at[v].buffer);
  c.info[v].ready = c.info[v].ready_moved = nodes.size();
}

constexpr void place_update(context& c, int i, arena<node>& nodes) {
  equation_ref const e = c.eq(i);
  int const v = e.e.out, u = c.resolve(e.in(0));
  if (c.at[u].buffer != c.at[v].buffer) {
    // before an open line of numbers where it may be: the update is often one of them, and stays in its slot
    int const last = nodes.size() - 1;
    if (last >= 0 && nodes[last].kind == node_kind::numbers && c.info[u].ready_moved <= last) nodes[last].copies.push({u, c.at[v].buffer});
    else place_copy(nodes, u, c.at[v].buffer);
  }
  if (is_static_update(e) && c.is_number(e.in(1))) return place_element_update(c, e, nodes);
  place_whole(c, i, node_kind::update, nodes);
}

// A pad, concatenation or update with one element: a loop of one iteration.
constexpr void place_number_piece(context& c, int i, arena<node>& nodes) {
  equation_ref const e = c.eq(i);
  int const v = e.e.out;
  if (c.at[v].buffer < 0) c.at[v].buffer = c.new_scratch(e.out_type(0));
  if (is_update(e.e.op) && !is_box_update(e)) {
    for (int k = 0; k < e.n_in(); ++k) operand_buffer(c, e.in(k), nodes);
    return place_update(c, i, nodes);
  }
  for (int k = 0; k < e.n_in(); ++k)
    if (c.is_number(c.resolve(e.in(k)))) operand_buffer(c, e.in(k), nodes);
  node n;
  n.shape = e.out_type(0);
  n.roots.push(v);
  c.info[v].ready = c.info[v].ready_moved = nodes.push(n) + 1;
}

constexpr void place_number(context& c, int i, arena<node>& nodes) {
  eqn const& q = c.p.eqns[i];
  prim const op = q.op;
  equation_ref const e{c.p, q};
  if (op >= prim::concatenate) {
    if (op == prim::dynamic_slice) {
      for (int k = 1; k < q.n_in; ++k) operand_buffer(c, e.in(k), nodes);
      return place_whole(c, i, node_kind::update, nodes);
    }
    if (op == prim::concatenate || op == prim::pad || is_update(op)) return place_number_piece(c, i, nodes);
  }
  int const g = number_node(nodes);
  arena<step>& steps = nodes[g].steps;
  value_info& r = c.info[q.out];
  r.node = g;
  r.ready = r.ready_moved = g + 1;
  dtype const type = c.p.type(q.out).type;
  int const* const in = c.p.refs + q.in;
  if (op >= prim::broadcast_in_dim) {
    if (op == prim::iota) r.reg = steps.push(literal_step(type, 0));
    else if (c.is_number(in[0])) r.reg = number_reg(c, in[0], nodes, g);
    else r.reg = load_moved(c, e, steps);
    return;
  }
  dtype const from = c.p.type(in[0]).type;
  if (op == prim::select_n && (q.n_in != 3 || from != dtype::b1)) {
    r.reg = select_number(c, e, nodes, g);
    return;
  }
  int reg[3] = {};
  for (int k = 0; k < q.n_in; ++k) {
    value_info const& u = c.info[in[k]];
    reg[k] = u.node == g ? u.reg : number_reg(c, in[k], nodes, g);
  }
  if (op == prim::convert_element_type) r.reg = from == type ? reg[0] : steps.push(convert_step(from, type, reg[0]));
  else r.reg = steps.push(compute_step(op, op == prim::select_n ? type : from, type, reg[0], q.n_in > 1 ? reg[1] : reg[0], q.n_in > 2 ? reg[2] : reg[0]));
}

}  // namespace exprax::detail::planning

// exprax/plan/reductions.hpp
// Reductions: the kept axes, then the reduced ones; or columns, where memory runs along a kept axis.

#include <limits>

// exprax/types/element.hpp
// with_element turns a dtype that is known as a value into its C++ type.

namespace exprax::detail {

template <class T>
struct element_tag {
  using type = T;
};

// f(element_tag<T>{}) for the C++ type T of the elements of d.
template <class F>
constexpr decltype(auto) with_element(dtype d, F&& f) {
  switch (d) {
    case dtype::b1: return f(element_tag<bool>{});
    case dtype::i8: return f(element_tag<std::int8_t>{});
    case dtype::i16: return f(element_tag<std::int16_t>{});
    case dtype::i32: return f(element_tag<std::int32_t>{});
    case dtype::i64: return f(element_tag<std::int64_t>{});
    case dtype::u8: return f(element_tag<std::uint8_t>{});
    case dtype::u16: return f(element_tag<std::uint16_t>{});
    case dtype::u32: return f(element_tag<std::uint32_t>{});
    case dtype::u64: return f(element_tag<std::uint64_t>{});
    case dtype::f32: return f(element_tag<float>{});
    default: return f(element_tag<double>{});
  }
}

// The pattern of a small whole number in dtype d, for identities and fillings.
constexpr std::uint64_t bits_of_int(dtype d, int n) {
  return with_element(d, [n](auto tag) { return to_bits(static_cast<typename decltype(tag)::type>(n)); });
}

}  // namespace exprax::detail

namespace exprax::detail::planning {

constexpr std::uint64_t reduce_identity(prim op, dtype t) {
  return with_element(t, [op](auto tag) {
    using T = typename decltype(tag)::type;
    using limits = std::numeric_limits<T>;
    switch (op) {
      case prim::reduce_prod: return to_bits(T(1));
      case prim::reduce_max: return to_bits(limits::has_infinity ? static_cast<T>(-limits::infinity()) : limits::lowest());
      case prim::reduce_min: return to_bits(limits::has_infinity ? limits::infinity() : limits::max());
      case prim::reduce_and: return to_bits(limits::is_signed ? static_cast<T>(-1) : limits::max());
      default: return to_bits(T(0));
    }
  });
}

// True if memory runs along the last kept axis and not along the reduced one.
constexpr bool walks_columns(context& c, loop_kernel const& k, int kept) {
  bool along_kept = false, along_reduced = false;
  for_steps(c, k, [&](step& s) {
    if (s.kind != step_kind::load) return;
    along_kept = along_kept || c.out.accesses[s.access].stride[kept - 1] == 1;
    along_reduced = along_reduced || c.out.accesses[s.access].stride[k.rank - 1] == 1;
  });
  return along_kept && !along_reduced;
}

constexpr void move_axis_last(context& c, loop_kernel& k, int axis) {
  for_steps(c, k, [&](step& s) {
    if (s.kind == step_kind::iota) s.access = s.access == axis ? k.rank - 1 : s.access > axis ? s.access - 1 : s.access;
    if (!is_memory(s.kind)) return;
    access& a = c.out.accesses[s.access];
    std::ptrdiff_t const moved = a.stride[axis];
    for (int i = axis; i + 1 < k.rank; ++i) a.stride[i] = a.stride[i + 1];
    a.stride[k.rank - 1] = moved;
  });
  box& x = c.out.boxes[k.box];
  int const n = k.dims[axis];
  for (int i = axis; i + 1 < k.rank; ++i) {
    k.dims[i] = k.dims[i + 1];
    x.extent[i] = k.dims[i];
  }
  k.dims[k.rank - 1] = n;
}

constexpr bool can_merge_reduce(context& c, loop_kernel const& k, int axis, bool reduced) {
  bool ok = true;
  for_steps(c, k, [&](step& s) {
    if (s.kind == step_kind::iota) ok = ok && s.access != axis && s.access != axis + 1;
    if (s.kind == step_kind::load || (s.kind == step_kind::store && !reduced)) {
      access const& a = c.out.accesses[s.access];
      ok = ok && a.stride[axis] == a.stride[axis + 1] * k.dims[axis + 1];
    }
  });
  return ok;
}

constexpr void finish_reduce(context& c, equation_ref const& e, reduce_kernel& k, aval const& domain, index_map const& m, box_lowering& l, arena<kernel>& kernels) {
  aval const out = e.out_type(0);
  l.start_box(0);
  access to{};
  to.buffer = c.at[e.e.out].buffer;
  strides const weight(out);
  for (int i = 0; i < out.rank; ++i) to.stride[i] = weight[i];
  l.store(l.value(e.in(0), m), k.type, to);
  loop_kernel shape = new_loop(c, domain);
  l.finish();
  shape.n_box = 1;
  // kept and reduced axes are collapsed apart; one reduced axis stays
  for (int axis = shape.rank - 1; axis >= 0; --axis)
    if (shape.dims[axis] == 1 && (axis < k.kept || shape.rank - k.kept > 1)) {
      drop_axis(c, shape, axis);
      if (axis < k.kept) --k.kept;
    }
  for (int axis = shape.rank - 2; axis >= 0; --axis)
    if (axis + 1 != k.kept && can_merge_reduce(c, shape, axis, axis >= k.kept)) {
      merge_axes(c, shape, axis);
      if (axis < k.kept) --k.kept;
    }
  k.columns = shape.rank - k.kept > 1 || (k.kept > 0 && shape.dims[k.kept - 1] >= 4 && walks_columns(c, shape, k.kept));
  if (k.columns) {
    if (k.kept > 0) move_axis_last(c, shape, --k.kept);
    else shape.dims[shape.rank++] = 1;
    c.out.boxes[shape.box].extent[shape.rank - 1] = shape.dims[shape.rank - 1];
    c.out.boxes[shape.box].lo[shape.rank - 1] = 0;
    c.out.boxes[shape.box].n_row = 0;  // what varied along the last axis was found for another one
  }
  k.rank = shape.rank;
  for (int i = 0; i < k.rank; ++i) k.dims[i] = shape.dims[i];
  k.box = shape.box;
  for_steps(c, shape, [&](step& s) {
    if (s.kind != step_kind::store) return;
    k.result = s.a;
    k.out = s.access;
  });
  kernels.push({kernel_kind::reduce, c.out.reduces.push(k)});
}

constexpr void lower_reduce(context& c, node& n, arena<kernel>& kernels) {
  equation_ref const e = c.eq(n.eqn);
  aval const& type = e.type(0);
  bool reduced[max_rank] = {};
  for (int a : e.params()) reduced[a] = true;
  reduce_kernel k;
  k.op = e.e.op;
  k.type = type.type;
  index_map m;
  m.rank = type.rank;
  aval domain(type.type);
  for (int pass = 0; pass < 2; ++pass)
    for (int i = 0; i < type.rank; ++i) {
      if (reduced[i] != (pass == 1)) continue;
      if (type.dims[i] != 1) m.of[i] = {domain.rank, 0, 1};
      domain.dims[domain.rank++] = type.dims[i];
      if (pass == 0) ++k.kept;
    }
  if (domain.rank == k.kept) domain.dims[domain.rank++] = 1;  // nothing is reduced: an axis of one element
  k.rank = domain.rank;
  if (domain.size() == 0) {
    simple_loop(c, n.shape, kernels, [&](box_lowering& l, index_map const& id) {
      l.store(l.literal(k.type, reduce_identity(k.op, k.type)), k.type, box_lowering::access_of(c.at[e.e.out].buffer, n.shape, id));
    });
    return;
  }
  box_lowering l(c, domain.rank, domain.dims);
  l.find_cuts(e.in(0), m);
  if (l.boxes() > 1) {
    // borders inside a reduction: make the operand first
    int const u = c.resolve(e.in(0));
    node whole;
    whole.shape = type;
    whole.roots.push(u);
    c.at[u].buffer = c.new_scratch(type);
    lower_loop(c, whole, kernels);
    box_lowering again(c, domain.rank, domain.dims);
    return finish_reduce(c, e, k, domain, m, again, kernels);
  }
  finish_reduce(c, e, k, domain, m, l, kernels);
}

}  // namespace exprax::detail::planning

// exprax/plan/scans.hpp
// scan: its body is planned as a block of its own, or whole in registers where its values are small.

// exprax/plan/register_scan.hpp
// Plans a scan that stays in registers: the body's values are small, its equations elementwise or movements.

namespace exprax::detail::planning {

class register_scan_planner {
 public:
  static constexpr std::ptrdiff_t largest_value = 512, largest_carry = 1024;  // bytes
  static constexpr int most_steps = 256;

  static constexpr bool fits(equation_ref const& e) {
    program_ref const& p = e.p;
    block const& b = e.sub(0);
    int const n_const = e.param(1), n_carry = e.param(2);
    if (b.n_eqn > most_steps || e.param(0) == 0) return false;
    std::ptrdiff_t carried = 0;
    for (int k = 0; k < b.n_in; ++k) {
      if (!is_small(p.type(p.ins(b)[k]))) return false;
      if (k >= n_const && k < n_const + n_carry) carried += bytes(p.type(p.ins(b)[k]));
    }
    if (carried > largest_carry) return false;
    for (int v : p.outs(b))
      if (!is_small(p.type(v))) return false;
    for (eqn const& q : p.body(b)) {
      equation_ref const x{p, q};
      if (q.n_out != 1 || !is_small(x.out_type(0)) || !is_done_here(x)) return false;
      for (int v : p.ins(q))
        if (!is_small(p.type(v)) || (p.is_constant(v) && p.type(v).rank > 0)) return false;
    }
    return true;
  }

  // operands, results: the buffers of the scan's operands (-1: a literal) and results.
  constexpr register_scan_planner(equation_ref const& e, plan& out, arena<realization>& at, span<int> operands, span<int> results)
      : e_(e), p_(e.p), out_(out), at_(at), operands_(operands), results_(results) {
    where_.resize(p_.n.values);
  }

  constexpr int run() {
    block const& b = e_.sub(0);
    int const n_const = e_.param(1), n_carry = e_.param(2);
    k_.length = e_.param(0);
    k_.reverse = e_.param(3) != 0;
    span<int> const in = p_.ins(b);
    for (int k = 0; k < n_const; ++k)
      where_[in[k]] = operands_[k] >= 0 ? load(p_.type(in[k]), operands_[k], false) : literal(resolve(e_.in(k)));
    k_.n_before = steps_.size();
    arena<register_carry> carries;
    for (int k = 0; k < n_carry; ++k) {
      aval const& t = p_.type(in[n_const + k]);
      where_[in[n_const + k]] = new_location(t.type, t.size());
      carries.push({t.type, operands_[n_const + k], results_[k], static_cast<int>(t.size()), where_[in[n_const + k]].slot, 0, false});
    }
    for (int k = n_const + n_carry; k < b.n_in; ++k) where_[in[k]] = load(p_.type(in[k]), operands_[k], true);
    for (eqn const& q : p_.body(b)) where_[q.out] = equation({p_, q});
    for (int k = 0; k < b.n_out; ++k) {
      int const v = p_.outs(b)[k];
      location const l = value(v);
      if (k < n_carry) {
        carries[k].out = l.slot;
        carries[k].wide_out = l.wide;
        continue;
      }
      register_step s = step_of(register_step_kind::store, p_.type(v));
      s.a = l.slot;
      s.wide_a = l.wide;
      s.buffer = results_[k];
      s.element = true;
      steps_.push(s);
    }
    k_.n_carry = n_carry;
    k_.carry = out_.register_carries.size();
    for (register_carry const& c : carries) out_.register_carries.push(c);
    k_.step = out_.register_steps.size();
    k_.n_step = steps_.size();
    for (register_step const& s : steps_) out_.register_steps.push(s);
    return out_.register_scans.push(k_);
  }

 private:
  struct location {
    int slot = -1;
    bool wide = false;  // more than one pack; else uniform
  };

  static constexpr std::ptrdiff_t bytes(aval const& t) { return t.size() * size_of(t.type); }
  static constexpr bool is_small(aval const& t) { return t.size() > 0 && bytes(t) <= largest_value; }
  static constexpr bool is_done_here(equation_ref const& e) {
    prim const op = e.e.op;
    if (op < prim::broadcast_in_dim) return op != prim::integer_pow && (op != prim::select_n || (e.n_in() == 3 && e.type(0).type == dtype::b1));
    if (op == prim::pad) {
      int const r = e.out_type(0).rank;
      for (int i = 0; i < r; ++i)
        if (e.param(2 * r + i) != 0) return false;
      return true;
    }
    if (op <= prim::iota) return true;
    return op == prim::scatter && e.param(0) == 0;
  }

  constexpr int resolve(int v) const {
    while (at_[v].same >= 0) v = at_[v].same;
    return v;
  }
  constexpr location new_location(dtype t, std::ptrdiff_t n) {
    if (n > k_.widest) k_.widest = static_cast<int>(n);
    return {k_.slots[static_cast<int>(t)]++, n > 1};
  }
  static constexpr register_step step_of(register_step_kind kind, aval const& t) {
    register_step s{};
    s.buffer = -1;
    s.kind = kind;
    s.from = s.type = t.type;
    s.n = static_cast<int>(t.size());
    return s;
  }
  constexpr location load(aval const& t, int buffer, bool element) {
    register_step s = step_of(register_step_kind::load, t);
    location const l = new_location(t.type, t.size());
    s.d = l.slot;
    s.buffer = buffer;
    s.element = element;
    steps_.push(s);
    return l;
  }
  constexpr location literal(int v) {
    register_step s = step_of(register_step_kind::literal, aval(p_.type(v).type));
    location const l = new_location(s.type, 1);
    s.d = l.slot;
    s.bits = p_.bits(v);
    steps_.push(s);
    return l;
  }
  constexpr location value(int v) {
    v = resolve(v);
    return p_.is_constant(v) ? literal(v) : where_[v];
  }

  constexpr location equation(equation_ref const& e) {
    prim const op = e.e.op;
    aval const& t = e.out_type(0);
    if (op == prim::iota) return numbers(e);
    if (op >= prim::broadcast_in_dim) return movement(e);
    register_step s = step_of(op == prim::convert_element_type ? register_step_kind::convert : register_step_kind::compute, t);
    s.op = op;
    s.from = op == prim::select_n ? t.type : e.type(0).type;
    location in[3];
    bool wide = false;
    for (int k = 0; k < e.n_in(); ++k) {
      in[k] = broadcast(value(e.in(k)), p_.type(e.in(k)), t);
      wide = wide || in[k].wide;
    }
    for (int k = e.n_in(); k < 3; ++k) in[k] = in[0];
    if (op == prim::convert_element_type && s.from == s.type) return in[0];
    s.a = in[0].slot;
    s.b = in[1].slot;
    s.c = in[2].slot;
    s.wide_a = in[0].wide;
    s.wide_b = in[1].wide;
    s.wide_c = in[2].wide;
    if (!wide) s.n = 1;
    location const l = new_location(t.type, s.n);
    s.d = l.slot;
    steps_.push(s);
    return l;
  }
  // An operand with axes of 1 where the result has more.
  constexpr location broadcast(location l, aval const& from, aval const& to) {
    if (!l.wide || from.same_shape(to)) return l;
    index_map const m = pull_broadcast(from, to, index_map::identity(to));
    return permute(l, {}, from, to, [&](int lane) { return flat_index(from, m, to, lane); });
  }

  static constexpr int flat_index(aval const& from, index_map const& m, aval const& to, int lane) {
    int index[max_rank] = {};
    for (int i = to.rank - 1; i >= 0; --i) {
      index[i] = lane % to.dims[i];
      lane /= to.dims[i];
    }
    strides const weight(from);
    std::ptrdiff_t at = 0;
    for (int i = 0; i < from.rank; ++i) at += weight[i] * (m.of[i].offset + (m.of[i].axis >= 0 ? m.of[i].scale * index[m.of[i].axis] : 0));
    return static_cast<int>(at);
  }
  // result[lane] = source[at(lane)], or fill[lane] where that is negative.
  template <class F>
  constexpr location permute(location source, location fill, aval const& from, aval const& to, F at) {
    register_step s = step_of(register_step_kind::permute, to);
    s.table = out_.tables.size();
    s.n_in = static_cast<int>(from.size());
    bool same = s.n == s.n_in;
    for (int lane = 0; lane < s.n; ++lane) {
      int const i = at(lane);
      same = same && i == lane;
      out_.tables.push(i);
    }
    if (same && fill.slot < 0) {
      while (out_.tables.size() > s.table) out_.tables.pop();
      return source;
    }
    location const l = new_location(to.type, s.n);
    s.d = l.slot;
    s.a = source.slot;
    s.wide_a = source.wide;
    s.b = fill.slot < 0 ? source.slot : fill.slot;
    s.wide_b = fill.slot >= 0 && fill.wide;
    steps_.push(s);
    return l;
  }
  constexpr location numbers(equation_ref const& e) {
    aval const& t = e.out_type(0);
    register_step s = step_of(register_step_kind::numbers, t);
    s.table = out_.tables.size();
    strides const weight(t);
    int const axis = e.param(1);
    for (int lane = 0; lane < s.n; ++lane) out_.tables.push(static_cast<int>(lane / weight[axis]) % t.dims[axis]);
    location const l = new_location(t.type, s.n);
    s.d = l.slot;
    steps_.push(s);
    return l;
  }

  constexpr location movement(equation_ref const& e) {
    prim const op = e.e.op;
    aval const& t = e.out_type(0);
    aval const& from = e.type(0);
    location const x = value(e.in(0));
    if (op == prim::concatenate) return concatenation(e);
    if (op == prim::pad || op == prim::scatter) {
      bool const is_pad = op == prim::pad;
      aval const& piece = is_pad ? from : e.type(1);
      auto lane_of = [&](int lane) {
        int at = 0;
        strides const weight(piece), whole(t);
        for (int i = 0; i < t.rank; ++i) {
          int k = static_cast<int>(lane / whole[i]) % t.dims[i] - e.param(is_pad ? i : 1 + i);
          int const step = is_pad ? 1 : e.param(1 + t.rank + i);
          if (k % step != 0) return -1;
          k /= step;
          if (k < 0 || k >= piece.dims[i]) return -1;
          at += static_cast<int>(weight[i]) * k;
        }
        return at;
      };
      return is_pad ? permute(x, value(e.in(1)), piece, t, lane_of) : permute(value(e.in(1)), x, piece, t, lane_of);
    }
    if (!x.wide) return x;
    if (op == prim::reshape) return x;
    index_map m = index_map::identity(t);
    m = pull(e, m);
    return permute(x, {}, from, t, [&](int lane) { return flat_index(from, m, t, lane); });
  }
  constexpr location concatenation(equation_ref const& e) {
    aval const& t = e.out_type(0);
    int const axis = e.param(0);
    strides const whole(t);
    location made = value(e.in(0));
    int first = 0;
    for (int k = 0; k < e.n_in(); ++k) {
      aval const& piece = e.type(k);
      location const part = value(e.in(k));
      strides const weight(piece);
      if (piece.size() > 0)
        made = permute(part, k == 0 ? location{} : made, piece, t, [&](int lane) {
          int at = 0;
          for (int i = 0; i < t.rank; ++i) {
            int const at_axis = static_cast<int>(lane / whole[i]) % t.dims[i] - (i == axis ? first : 0);
            if (at_axis < 0 || at_axis >= piece.dims[i]) return k == 0 ? 0 : -1;  // the first piece fills what comes later
            at += static_cast<int>(weight[i]) * at_axis;
          }
          return at;
        });
      first += piece.dims[axis];
    }
    return made;
  }

  equation_ref e_;
  program_ref p_;
  plan& out_;
  arena<realization>& at_;
  span<int> operands_, results_;
  register_scan_kernel k_;
  arena<location> where_;
  arena<register_step> steps_;
};

}  // namespace exprax::detail::planning

namespace exprax::detail::planning {

constexpr bool place_register_scan(context& c, int i, arena<node>& nodes) {
  equation_ref const e = c.eq(i);
  if (!register_scan_planner::fits(e)) return false;
  arena<int> operands, results;
  for (int k = 0; k < e.n_in(); ++k) operands.push(c.p.is_literal(c.resolve(e.in(k))) ? -1 : operand_buffer(c, e.in(k), nodes));
  for (int k = 0; k < e.n_out(); ++k) {
    int const v = e.e.out + k;
    if (c.at[v].buffer < 0) c.at[v].buffer = c.new_scratch(c.p.type(v));
    results.push(c.at[v].buffer);
  }
  for (int k = 0; k < e.param(2); ++k)  // a literal that starts a carry needs a place as well
    if (operands[e.param(1) + k] < 0) operands[e.param(1) + k] = c.constant_buffer(c.resolve(e.in(e.param(1) + k)));
  node n;
  n.kind = node_kind::register_scan;
  n.eqn = i;
  n.index = register_scan_planner(e, c.out, c.at, operands, results).run();
  int const ready = nodes.push(n) + 1;
  for (int k = 0; k < e.n_out(); ++k) c.info[e.e.out + k].ready = c.info[e.e.out + k].ready_moved = ready;
  return true;
}

// plan_body: block, result buffers -> the kernels.
template <class PlanBody>
constexpr void place_scan(context& c, int i, arena<node>& nodes, PlanBody const& plan_body) {
  equation_ref const e = c.eq(i);
  eqn const& q = e.e;
  block const& body = e.sub(0);
  if (place_register_scan(c, i, nodes)) return;
  int const length = e.param(0), n_const = e.param(1), n_carry = e.param(2), n_xs = q.n_in - n_const - n_carry;
  node n;
  n.kind = node_kind::scan;
  n.eqn = i;
  n.scan.length = length;
  n.scan.reverse = e.param(3) != 0;
  arena<carry_slot> carries;
  arena<stream_slot> streams;
  arena<int> outs;
  for (int k = 0; k < n_const; ++k) {
    int const u = c.resolve(e.in(k)), inner = c.p.refs[body.in + k];
    if (c.p.is_constant(u)) c.at[inner].same = u;
    else c.at[inner].buffer = operand_buffer(c, u, nodes);
  }
  for (int k = 0; k < n_carry; ++k) {
    int const v = q.out + k, inner = c.p.refs[body.in + n_const + k];
    aval const& t = c.p.type(v);
    carry_slot x;
    x.init = operand_buffer(c, e.in(n_const + k), nodes);
    if (c.at[v].buffer < 0) c.at[v].buffer = c.new_scratch(t);
    x.result = c.at[v].buffer;
    x.spare = c.new_scratch(t);
    x.in = c.at[inner].buffer = c.out.add_buffer(t.type, storage_class::bound, 0, t.size());
    x.out = c.out.add_buffer(t.type, storage_class::bound, 0, t.size());
    outs.push(x.out);
    carries.push(x);
  }
  for (int k = 0; k < n_xs; ++k) {
    int const inner = c.p.refs[body.in + n_const + n_carry + k];
    aval const& t = c.p.type(inner);
    stream_slot s{operand_buffer(c, e.in(n_const + n_carry + k), nodes), c.out.add_buffer(t.type, storage_class::bound, 0, t.size())};
    c.at[inner].buffer = s.part;
    streams.push(s);
  }
  for (int k = n_carry; k < q.n_out; ++k) {
    int const v = q.out + k;
    aval const t = c.p.type(v).without_axis(0);
    if (c.at[v].buffer < 0) c.at[v].buffer = c.new_scratch(c.p.type(v));
    stream_slot s{c.at[v].buffer, c.out.add_buffer(t.type, storage_class::bound, 0, t.size())};
    outs.push(s.part);
    streams.push(s);
  }
  n.scan.carry = c.out.carries.size();
  n.scan.n_carry = carries.size();
  for (carry_slot const& x : carries) c.out.carries.push(x);
  n.scan.stream = c.out.streams.size();
  n.scan.n_stream = streams.size();
  for (stream_slot const& s : streams) c.out.streams.push(s);
  // One-element values of this block live in slots that the body cannot see: its operands are all in buffers by now.
  n.body = plan_body(body, outs);
  int const ready = nodes.push(n) + 1;
  for (int k = 0; k < q.n_out; ++k) c.info[q.out + k].ready = c.info[q.out + k].ready_moved = ready;
}

}  // namespace exprax::detail::planning

// exprax/plan/updates.hpp
// Updates: a value is stored into a region of a buffer; and dynamic_slice, which loads from one.

// exprax/primitives/scatter_family.hpp
// Family of the scatters (jax.lax.scatter, scatter_add, ...): the operand, with some elements replaced by those of an update
// or combined with them. Two forms, told apart by parameter 0:
//
//   static (0): operands x, update. Parameters: 0, start of each axis, step of each axis, size of each axis: the update has
//     these sizes and goes to the elements start + k * step, which lie inside. jax.lax has indices that are constants; here
//     they are parameters and are printed in the words of slice.
//   dynamic (1): operands x, i32 indices [batch..., k], update. Parameters: 1, then three lists, each after its length:
//     update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims; then indices_are_sorted, unique_indices.
//     One index vector for each element of the batch axes, which lead in x, indices and update alike (operand_batching_dims,
//     scatter_indices_batching_dims). A window that does not lie inside is dropped (FILL_OR_DROP).

// exprax/primitives/primitive.hpp
// primitive<P>: one primitive with all its rules, specialised in a file of its own.
//
//   name        JAX's name, as jaxprs print it
//   kind        what the planner may do with it
//   infer       abstract evaluation: the avals of the results from operands and parameters; false: ill-typed
//   kernel      elementwise primitives: the function of one lane, over the lane concept (types/lane.hpp)
//   batch       the equation on operands of which some carry a batch axis (jax.interpreters.batching)
//   evaluate    its meaning, element by element: the reference interpreter
//   print       its parameters, in the order and spelling of JAX
//
// A rule gets what it needs of its transform as a context and never includes the transform.

#include <string_view>

namespace exprax {

enum class op_class : std::uint8_t {
  elementwise,  // out[i] = kernel(in[i]...); an operand's axis of 1, or an operand of rank 0, is broadcast
  movement,     // out[i] = in[affine map of i], with borders (pad, concatenate)
  generator,    // out[i] from i alone (iota)
  dynamic,      // reads at an index that is known at run time only
  update,       // the operand, with some elements replaced or combined
  reduction,
  contraction,
  control       // has blocks
};

template <prim P>
struct primitive;

namespace detail {

// Rule<P>::call for a primitive known as a value: one table of function pointers for each rule.
template <template <prim> class Rule, class Signature>
struct rule_table;
template <template <prim> class Rule, class R, class... A>
struct rule_table<Rule, R(A...)> {
  using function = R (*)(A...);
  struct table {
    function of[prim_count];
  };
  template <int... I>
  static constexpr table make(std::integer_sequence<int, I...>) {
    return {{&Rule<static_cast<prim>(I)>::call...}};
  }
  static constexpr table functions = make(std::make_integer_sequence<int, prim_count>{});
};

}  // namespace detail

// Calls Rule<p>::call(arguments...), with the primitive p known only as a value.
template <template <prim> class Rule, class Signature, class... A>
constexpr decltype(auto) dispatch(prim p, A&&... a) {
  return detail::rule_table<Rule, Signature>::functions.of[static_cast<int>(p)](static_cast<A&&>(a)...);
}

}  // namespace exprax

// exprax/primitives/walk.hpp
// walk: two affine places in step over the indices of a box, in row-major order. Evaluation rules of what moves elements.

#include <cstdint>

namespace exprax::detail {

// base + the sum of index[k] * step[k]
struct place {
  std::ptrdiff_t base = 0;
  std::ptrdiff_t step[max_rank] = {};
  constexpr place() = default;
  constexpr explicit place(aval const& dense) {
    strides const of(dense);
    for (int i = 0; i < dense.rank; ++i) step[i] = of[i];
  }
};

// f(place a, place b) for each index of the box `shape`.
template <class F>
constexpr void walk(aval const& shape, place const& a, place const& b, F&& f) {
  if (shape.size() == 0) return;
  int index[max_rank] = {};
  std::ptrdiff_t at_a = a.base, at_b = b.base;
  while (true) {
    f(at_a, at_b);
    int k = shape.rank - 1;
    for (; k >= 0; --k) {
      at_a += a.step[k];
      at_b += b.step[k];
      if (++index[k] < shape.dims[k]) break;
      at_a -= a.step[k] * shape.dims[k];
      at_b -= b.step[k] * shape.dims[k];
      index[k] = 0;
    }
    if (k < 0) return;
  }
}

constexpr void copy_box(aval const& shape, std::uint64_t* to, place const& to_place, std::uint64_t const* from, place const& from_place) {
  walk(shape, to_place, from_place, [&](std::ptrdiff_t a, std::ptrdiff_t b) { to[a] = from[b]; });
}

// Whether `axes` are different axes of an array of this rank.
constexpr bool are_axes(int const* axes, int n, int rank) {
  for (int i = 0; i < n; ++i) {
    if (axes[i] < 0 || axes[i] >= rank) return false;
    for (int j = 0; j < i; ++j)
      if (axes[i] == axes[j]) return false;
  }
  return true;
}
constexpr bool contains(int const* axes, int n, int axis) {
  for (int i = 0; i < n; ++i)
    if (axes[i] == axis) return true;
  return false;
}

// A list of ints under construction, for parameters.
struct int_list {
  int of[4 * max_rank + 8] = {};
  int n = 0;
  constexpr void push(int x) { of[n++] = x; }
};

}  // namespace exprax::detail

// exprax/types/lane.hpp
// lane<T>: the pack of one element, and with it the lane concept over which kernels are written once. It serves targets
// without SIMD, what is left over by packs, and constant evaluation. emit/pack.hpp has the same functions for more elements.
//
// Integers wrap; x/0 = -1 (all ones), min/-1 = min, x rem 0 = x, min rem -1 = 0; shifts by the width or more give 0 (signed >>:
// the sign). Floats are IEEE 754, each operation rounded once. NaNs are equal up to sign and payload, which differ by compiler.

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

// exprax/types/binade.hpp
// Powers of two over the lane concept: a float taken apart into significand and exponent, and put together. Kernels call
// scale, split and bounded on their lanes or packs; these are the forms for which no instruction exists.

#include <cstdint>
#include <limits>
#include <type_traits>

namespace exprax::simd {

// x = significand * 2^exponent, significand in [0.75, 1.5), exponent a whole number.
template <class V>
struct binade {
  V significand;
  V exponent;
};

namespace detail {

template <class T>
struct float_format {
  using integer = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  static constexpr int fraction_bits = std::numeric_limits<T>::digits - 1;
  static constexpr integer bias = std::numeric_limits<T>::max_exponent - 1;
  // Added to a small number, leaves its nearest whole number in the low bits of the sum.
  static constexpr T round_magic = sizeof(T) == 4 ? T(0x1.8p23) : T(0x1.8p52);
  static constexpr integer round_magic_bits = sizeof(T) == 4 ? static_cast<integer>(0x4b400000) : static_cast<integer>(0x4338000000000000);
};

// x * 2^n, rounded once, for whole n with |n| below twice the bias.
template <class V>
EXPRAX_INLINE constexpr V scale_by_integers(V x, V n) {
  using T = typename V::value_type;
  using F = float_format<T>;
  using I = typename F::integer;
  using W = typename V::template rebind<I>;
  W const whole = bitcast<I>(n + V(F::round_magic)) - W(F::round_magic_bits);
  W const half = whole >> 1;
  V const first = bitcast<T>((half + W(F::bias)) << F::fraction_bits);
  V const second = bitcast<T>((whole - half + W(F::bias)) << F::fraction_bits);
  return x * first * second;
}

// For x > 0 that is finite; others give anything.
template <class V>
EXPRAX_INLINE constexpr binade<V> split_by_integers(V x) {
  using T = typename V::value_type;
  using F = float_format<T>;
  using I = typename F::integer;
  using W = typename V::template rebind<I>;
  constexpr int lift = F::fraction_bits + 1;
  constexpr T up = T(std::int64_t{1} << lift);
  constexpr I three_quarters = sizeof(T) == 4 ? static_cast<I>(0x3f400000) : static_cast<I>(0x3fe8000000000000);
  auto const tiny = x < V(std::numeric_limits<T>::min());
  W const bits = bitcast<I>(select(tiny, x * V(up), x));
  W const exponent = (bits - W(three_quarters)) >> F::fraction_bits;
  V const number = bitcast<T>(exponent + W(F::round_magic_bits)) - V(F::round_magic);
  return {bitcast<T>(bits - (exponent << F::fraction_bits)), number - select(tiny, V(T(lift)), V(T(0)))};
}

}  // namespace detail
}  // namespace exprax::simd

// exprax/types/exact_fma.hpp
// a*b + c rounded once, without hardware: for float by double arithmetic rounded to odd (Boldo and Melquiond, "Emulation of FMA
// and correctly rounded sums", 2008), for double by integers of 128 bits. Usable in constant evaluation on every compiler.

#include <bit>
#include <cstdint>

// exprax/types/ieee.hpp
// IEEE 754 arithmetic in constant evaluation. g++ refuses constant expressions that overflow or divide by zero, clang those
// that make a NaN, and clang folds no sqrt: here each of them has its IEEE result (a NaN is the positive quiet NaN).

#include <bit>
#include <cstdint>
#include <limits>

namespace exprax::detail::ieee {

template <class T>
inline constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
inline constexpr T quiet_nan = std::numeric_limits<T>::quiet_NaN();

template <class T>
constexpr bool is_nan(T x) {
  return x != x;
}
template <class T>
constexpr T magnitude(T x) {
  return x < 0 ? -x : x;
}
template <class T>
constexpr bool is_finite(T x) {
  return magnitude(x) <= std::numeric_limits<T>::max();
}
constexpr bool sign_bit(float x) { return std::bit_cast<std::uint32_t>(x) >> 31 != 0; }
constexpr bool sign_bit(double x) { return std::bit_cast<std::uint64_t>(x) >> 63 != 0; }

// Double to float; an overflow is an infinity.
constexpr float narrow(double x) {
  if (is_nan(x)) return quiet_nan<float>;
  if (magnitude(x) >= 0x1.ffffffp127) return x < 0 ? -infinity<float> : infinity<float>;
  return static_cast<float>(x);
}

constexpr double add(double a, double b) {
  if (magnitude(a) < 0x1p1022 && magnitude(b) < 0x1p1022) return a + b;
  if (is_nan(a) || is_nan(b)) return quiet_nan<double>;
  if (!is_finite(a)) return is_finite(b) || a == b ? a : quiet_nan<double>;
  if (!is_finite(b)) return b;
  double const half = a * 0.5 + b * 0.5;
  if (magnitude(half) >= 0x1p1023) return half < 0 ? -infinity<double> : infinity<double>;
  return half * 2;
}

constexpr double mul(double a, double b) {
  if (magnitude(a) < 0x1p511 && magnitude(b) < 0x1p511) return a * b;
  if (is_nan(a) || is_nan(b)) return quiet_nan<double>;
  double const big = magnitude(a) < magnitude(b) ? magnitude(b) : magnitude(a);
  double const small = magnitude(a) < magnitude(b) ? magnitude(a) : magnitude(b);
  double const inf = sign_bit(a) != sign_bit(b) ? -infinity<double> : infinity<double>;
  if (!is_finite(big)) return small == 0 ? quiet_nan<double> : inf;
  if (small >= 0x1p512) return inf;
  return big * 0x1p-512 * small >= 0x1p512 ? inf : a * b;
}

constexpr double div(double a, double b) {
  if (is_nan(a) || is_nan(b)) return quiet_nan<double>;
  bool const negative = sign_bit(a) != sign_bit(b);
  double const inf = negative ? -infinity<double> : infinity<double>;
  if (!is_finite(a)) return is_finite(b) ? inf : quiet_nan<double>;
  if (!is_finite(b)) return negative ? -0.0 : 0.0;
  if (b == 0) return a == 0 ? quiet_nan<double> : inf;
  if (magnitude(b) >= 1 || magnitude(a) < 0x1p-50) return a / b;
  double const scaled = magnitude(a) * 0x1p-960 / (magnitude(b) * 0x1p500);  // the quotient times 2^-1460
  return scaled >= 0x1p-436 ? inf : a / b;
}

// Digit by digit: 54 bits of the root of m * 2^54, of which the last one rounds. A root is never half way between two numbers.
constexpr double sqrt(double x) {
  if (x == 0 || is_nan(x) || x == infinity<double>) return x;
  if (x < 0) return quiet_nan<double>;
  double const y = x < 0x1p-900 ? x * 0x1p100 : x;
  std::uint64_t const bits = std::bit_cast<std::uint64_t>(y);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  std::uint64_t m = (bits & 0xfffffffffffffu) | 0x10000000000000u;
  if (exponent & 1) {
    m <<= 1;
    exponent -= 1;
  }
  std::uint64_t root = 0;
  std::uint64_t rest = 0;
  for (int i = 0; i < 54; ++i) {
    std::uint64_t const digits = i < 27 ? m >> (52 - 2 * i) & 3u : 0u;
    rest = rest << 2 | digits;
    std::uint64_t const trial = root << 2 | 1u;
    root <<= 1;
    if (rest >= trial) {
      rest -= trial;
      root |= 1u;
    }
  }
  std::uint64_t const rounded = (root + 1) >> 1;
  double const r = std::bit_cast<double>(((rounded >> 53 ? rounded >> 1 : rounded) & 0xfffffffffffffu) |
                                         static_cast<std::uint64_t>(exponent / 2 + 1023 + static_cast<int>(rounded >> 53)) << 52);
  return x < 0x1p-900 ? r * 0x1p-50 : r;
}

// 53 bits are enough for a second rounding to 24 bits to do no harm.
constexpr float add(float a, float b) { return narrow(add(static_cast<double>(a), static_cast<double>(b))); }
constexpr float mul(float a, float b) { return narrow(mul(static_cast<double>(a), static_cast<double>(b))); }
constexpr float div(float a, float b) { return narrow(div(static_cast<double>(a), static_cast<double>(b))); }
constexpr float sqrt(float x) { return narrow(sqrt(static_cast<double>(x))); }

// To an integer, towards an infinity or the nearest even one. Numbers from 2^(digits - 1) on are integers already.
enum class rounding { down, up, to_zero, to_even };

template <class T>
constexpr T round(T x, rounding way) {
  constexpr T limit = sizeof(T) == 4 ? T(0x1p23) : T(0x1p52);
  if (!(magnitude(x) < limit)) return x;
  std::int64_t const whole = static_cast<std::int64_t>(x);  // towards zero
  T const rest = x - static_cast<T>(whole);
  std::int64_t step = 0;
  if (way == rounding::down) step = rest < 0 ? -1 : 0;
  if (way == rounding::up) step = rest > 0 ? 1 : 0;
  if (way == rounding::to_even) {
    T const distance = magnitude(rest);
    if (distance > T(0.5) || (distance == T(0.5) && (whole & 1) != 0)) step = rest < 0 ? -1 : 1;
  }
  T const result = static_cast<T>(whole + step);
  return result == 0 && sign_bit(x) ? -T(0) : result;
}

// x - n*y with n = x/y towards zero: exact, with the sign of x. One bit of the quotient at a time.
template <class T>
constexpr T fmod(T x, T y) {
  T const b = magnitude(y);
  if (is_nan(x) || is_nan(y) || !is_finite(x) || y == 0) return quiet_nan<T>;
  T rest = magnitude(x);
  if (!is_finite(y) || rest < b) return x;
  T shifted = b;
  while (shifted <= rest * T(0.5)) shifted = shifted + shifted;
  for (;; shifted = shifted * T(0.5)) {
    if (rest >= shifted) rest = rest - shifted;
    if (shifted == b) break;
  }
  return sign_bit(x) ? -rest : rest;
}

}  // namespace exprax::detail::ieee

namespace exprax::detail::ieee {

struct wide {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
};

constexpr wide product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t const a0 = a & 0xffffffffu, a1 = a >> 32;
  std::uint64_t const b0 = b & 0xffffffffu, b1 = b >> 32;
  std::uint64_t const p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0;
  std::uint64_t const middle = (p00 >> 32) + (p01 & 0xffffffffu) + (p10 & 0xffffffffu);
  return {a1 * b1 + (p01 >> 32) + (p10 >> 32) + (middle >> 32), middle << 32 | (p00 & 0xffffffffu)};
}
constexpr wide shift_left(wide x, int n) {
  if (n == 0) return x;
  if (n >= 64) return {x.low << (n - 64), 0};
  return {x.high << n | x.low >> (64 - n), x.low << n};
}
// What falls out is kept as a one in the last place.
constexpr wide shift_right_sticky(wide x, int n) {
  if (n == 0) return x;
  if (n >= 128) return {0, (x.high | x.low) != 0 ? 1u : 0u};
  if (n >= 64) {
    std::uint64_t const lost = n == 64 ? x.low : x.low | x.high << (128 - n);
    return {0, (n == 64 ? x.high : x.high >> (n - 64)) | (lost != 0 ? 1u : 0u)};
  }
  std::uint64_t const lost = x.low << (64 - n);
  return {x.high >> n, x.low >> n | x.high << (64 - n) | (lost != 0 ? 1u : 0u)};
}
constexpr int leading_zeros(wide x) { return x.high != 0 ? std::countl_zero(x.high) : 64 + std::countl_zero(x.low); }
constexpr bool less(wide a, wide b) { return a.high != b.high ? a.high < b.high : a.low < b.low; }
constexpr wide sum(wide a, wide b) {
  std::uint64_t const low = a.low + b.low;
  return {a.high + b.high + (low < a.low ? 1u : 0u), low};
}
constexpr wide difference(wide a, wide b) { return {a.high - b.high - (a.low < b.low ? 1u : 0u), a.low - b.low}; }

// A number as sign, integer and exponent: significand * 2^exponent.
struct parts {
  std::uint64_t significand;
  int exponent;
};
constexpr parts decompose(double x) {
  std::uint64_t const bits = std::bit_cast<std::uint64_t>(x);
  int const biased = static_cast<int>(bits >> 52 & 0x7ffu);
  std::uint64_t const fraction = bits & 0xfffffffffffffu;
  if (biased == 0) return {fraction, -1074};
  return {fraction | 0x10000000000000u, biased - 1075};
}

// m * 2^(exponent - 125) to the nearest double, where m has its leading one in bit 125.
constexpr double compose(bool negative, wide m, int exponent) {
  double const sign = negative ? -1.0 : 1.0;
  if (exponent > 1023) return sign * infinity<double>;
  bool const subnormal = exponent < -1022;
  // Keep 53 bits, fewer below the normal numbers: drop the rest from bit 125 down.
  int const drop = 73 + (subnormal ? -1022 - exponent : 0);
  wide const kept = shift_right_sticky(m, drop - 2);  // two more bits: one that rounds, one sticky
  std::uint64_t significand = kept.low >> 2;
  bool const up = (kept.low & 2u) != 0 && ((kept.low & 1u) != 0 || (significand & 1u) != 0);
  significand += up ? 1u : 0u;
  std::uint64_t bits = significand;
  // A carry into the exponent is just right, also from the largest number to infinity.
  if (!subnormal) bits = (static_cast<std::uint64_t>(exponent + 1022) << 52) + significand;
  return std::bit_cast<double>(bits | (negative ? std::uint64_t{1} << 63 : 0u));
}

constexpr double fma(double a, double b, double c) {
  if (is_nan(a) || is_nan(b) || is_nan(c)) return quiet_nan<double>;
  if (!is_finite(a) || !is_finite(b) || a == 0 || b == 0) return add(mul(a, b), c);
  if (!is_finite(c)) return c;
  parts const pa = decompose(a);
  parts const pb = decompose(b);
  bool sign_p = sign_bit(a) != sign_bit(b);
  wide p = product(pa.significand, pb.significand);
  int const shift_p = leading_zeros(p) - 2;
  p = shift_left(p, shift_p);
  int exponent = pa.exponent + pb.exponent - shift_p + 125;
  if (c == 0) return compose(sign_p, p, exponent);

  parts const pc = decompose(c);
  bool sign_q = sign_bit(c);
  wide q{0, pc.significand};
  int const shift_q = leading_zeros(q) - 2;
  q = shift_left(q, shift_q);
  int const exponent_q = pc.exponent - shift_q + 125;
  if (exponent < exponent_q || (exponent == exponent_q && less(p, q))) {  // p is the larger one from here on
    wide const w = p;
    p = q;
    q = shift_right_sticky(w, exponent_q - exponent);
    exponent = exponent_q;
    sign_p = sign_q;
    sign_q = sign_bit(a) != sign_bit(b);
  } else {
    q = shift_right_sticky(q, exponent - exponent_q);
  }
  wide r = sign_p == sign_q ? sum(p, q) : difference(p, q);
  if (r.high == 0 && r.low == 0) return 0.0;
  int const shift = leading_zeros(r) - 2;
  r = shift < 0 ? shift_right_sticky(r, -shift) : shift_left(r, shift);
  return compose(sign_p, r, exponent - shift);
}

// The product is exact in double; the sum is rounded to odd there, so that rounding it to float is the only rounding.
constexpr float fma(float a, float b, float c) {
  if (!is_finite(a) || !is_finite(b) || !is_finite(c)) {
    if (is_finite(a) && is_finite(b) && !is_nan(c)) return c;
    return add(mul(a, b), c);
  }
  double const p = static_cast<double>(a) * static_cast<double>(b);
  double const z = static_cast<double>(c);
  double const s = p + z;
  double const virtual_z = s - p;
  double const error = (p - (s - virtual_z)) + (z - virtual_z);
  std::uint64_t bits = std::bit_cast<std::uint64_t>(s);
  if (error != 0 && (bits & 1u) == 0) bits += (error > 0) == (s > 0) ? 1u : ~std::uint64_t{0};
  return narrow(std::bit_cast<double>(bits));
}

}  // namespace exprax::detail::ieee

namespace exprax::simd {

namespace detail {

// Unsigned integers that arithmetic on T happens in: not narrower than int, so that nothing is promoted to a signed type.
template <class T>
using unsigned_for = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
inline constexpr bool is_float = std::is_floating_point_v<T>;
template <class T>
inline constexpr int width_of = 8 * static_cast<int>(sizeof(T));

template <int Bytes, bool Signed>
struct integer_of_size;
template <> struct integer_of_size<1, true> { using type = std::int8_t; };
template <> struct integer_of_size<2, true> { using type = std::int16_t; };
template <> struct integer_of_size<4, true> { using type = std::int32_t; };
template <> struct integer_of_size<8, true> { using type = std::int64_t; };
template <> struct integer_of_size<1, false> { using type = std::uint8_t; };
template <> struct integer_of_size<2, false> { using type = std::uint16_t; };
template <> struct integer_of_size<4, false> { using type = std::uint32_t; };
template <> struct integer_of_size<8, false> { using type = std::uint64_t; };

template <class T>
using bits_of = typename integer_of_size<static_cast<int>(sizeof(T)), false>::type;

template <class T>
EXPRAX_INLINE constexpr T integer_div(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if constexpr (std::is_signed_v<T>)
    if (b == T(-1)) return static_cast<T>(unsigned_for<T>{0} - static_cast<unsigned_for<T>>(a));
  return static_cast<T>(a / b);
}
template <class T>
EXPRAX_INLINE constexpr T integer_rem(T a, T b) {
  if (b == 0) return a;
  if constexpr (std::is_signed_v<T>)
    if (b == T(-1)) return T(0);
  return static_cast<T>(a % b);
}

// Keeps g++ from fusing a product with a later sum: what is fused is decided by the program, not by the compiler.
template <class T>
EXPRAX_INLINE constexpr T unfused(T x) {
#if defined(__GNUC__) && !defined(__clang__)
  if (!std::is_constant_evaluated()) {
#if defined(__AVX512F__)
    asm("" : "+v"(x));
#elif defined(__FMA__)
    asm("" : "+x"(x));
#elif defined(__aarch64__)
    asm("" : "+w"(x));
#elif defined(__ARM_FEATURE_FMA)
    asm("" : "+t"(x));
#elif defined(__riscv_flen)
    asm("" : "+f"(x));
#endif
  }
#endif
  return x;
}

template <class T>
EXPRAX_INLINE constexpr T exact_fma(T a, T b, T c) {
  if (std::is_constant_evaluated()) return exprax::detail::ieee::fma(a, b, c);
#if defined(__FMA__) || defined(__aarch64__) || defined(__riscv_flen)
  if constexpr (sizeof(T) == 4) return __builtin_fmaf(a, b, c);
  else return __builtin_fma(a, b, c);
#elif defined(__linux__)
  if constexpr (sizeof(T) == 4) return exprax::detail::ieee::fma(a, b, c);
  else return __builtin_fma(a, b, c);  // exact in glibc and musl
#else
  return exprax::detail::ieee::fma(a, b, c);
#endif
}

// As C, but total: what lies beyond the integers saturates, NaN is 0.
template <class U, class T>
EXPRAX_INLINE constexpr U convert_element(T x) {
  if constexpr (std::is_same_v<U, bool>) {
    return x != T(0);
  } else if constexpr (is_float<T> && !is_float<U>) {
    constexpr T low = static_cast<T>(std::numeric_limits<U>::min());
    constexpr T high = static_cast<T>(std::numeric_limits<U>::max() / 2 + 1) * T(2);  // one more than the greatest
    if (x != x) return U(0);
    if (x >= high) return std::numeric_limits<U>::max();
    if (x <= low) return std::numeric_limits<U>::min();
    return static_cast<U>(x);
  } else if constexpr (std::is_same_v<U, float> && std::is_same_v<T, double>) {
    if (std::is_constant_evaluated()) return exprax::detail::ieee::narrow(x);
    return static_cast<float>(x);
  } else {
    return static_cast<U>(x);
  }
}

}  // namespace detail

template <class T>
struct lane {
  using value_type = T;
  using mask = lane<bool>;
  template <class U>
  using rebind = lane<U>;
  static constexpr int size = 1;

  T value;

  lane() = default;
  constexpr explicit lane(T x) : value(x) {}

  EXPRAX_INLINE friend constexpr lane operator+(lane a, lane b) {
    if constexpr (detail::is_float<T>) {
      if (std::is_constant_evaluated()) return lane(exprax::detail::ieee::add(a.value, b.value));
      return lane(a.value + b.value);
    } else {
      return lane(static_cast<T>(word(a) + word(b)));
    }
  }
  EXPRAX_INLINE friend constexpr lane operator-(lane a, lane b) {
    if constexpr (detail::is_float<T>) {
      if (std::is_constant_evaluated()) return lane(exprax::detail::ieee::add(a.value, -b.value));
      return lane(a.value - b.value);
    } else {
      return lane(static_cast<T>(word(a) - word(b)));
    }
  }
  EXPRAX_INLINE friend constexpr lane operator*(lane a, lane b) {
    if constexpr (detail::is_float<T>) {
      if (std::is_constant_evaluated()) return lane(exprax::detail::ieee::mul(a.value, b.value));
      return lane(detail::unfused(a.value * b.value));
    } else {
      return lane(static_cast<T>(word(a) * word(b)));
    }
  }
  EXPRAX_INLINE friend constexpr lane operator/(lane a, lane b) {
    if constexpr (detail::is_float<T>) {
      if (std::is_constant_evaluated()) return lane(exprax::detail::ieee::div(a.value, b.value));
      return lane(a.value / b.value);
    } else {
      return lane(detail::integer_div(a.value, b.value));
    }
  }
  // Integers only; the kernel of rem has the float one.
  EXPRAX_INLINE friend constexpr lane operator%(lane a, lane b) { return lane(detail::integer_rem(a.value, b.value)); }
  EXPRAX_INLINE friend constexpr lane operator-(lane a) {
    if constexpr (detail::is_float<T>) return lane(-a.value);
    else return lane(static_cast<T>(detail::unsigned_for<T>{0} - word(a)));
  }

  EXPRAX_INLINE friend constexpr lane operator&(lane a, lane b) {
    if constexpr (detail::is_float<T>) return bitcast<T>(bitcast<bits>(a) & bitcast<bits>(b));
    else return lane(static_cast<T>(a.value & b.value));
  }
  EXPRAX_INLINE friend constexpr lane operator|(lane a, lane b) {
    if constexpr (detail::is_float<T>) return bitcast<T>(bitcast<bits>(a) | bitcast<bits>(b));
    else return lane(static_cast<T>(a.value | b.value));
  }
  EXPRAX_INLINE friend constexpr lane operator^(lane a, lane b) {
    if constexpr (detail::is_float<T>) return bitcast<T>(bitcast<bits>(a) ^ bitcast<bits>(b));
    else return lane(static_cast<T>(a.value ^ b.value));
  }
  EXPRAX_INLINE friend constexpr lane operator~(lane a) {
    if constexpr (std::is_same_v<T, bool>) return lane(!a.value);
    else return lane(static_cast<T>(~a.value));
  }
  EXPRAX_INLINE friend constexpr lane operator<<(lane a, int n) {
    return lane(n < detail::width_of<T> ? static_cast<T>(word(a) << n) : T(0));
  }
  EXPRAX_INLINE friend constexpr lane operator>>(lane a, int n) {
    if constexpr (std::is_signed_v<T>) return lane(static_cast<T>(a.value >> (n < detail::width_of<T> ? n : detail::width_of<T> - 1)));
    else return lane(n < detail::width_of<T> ? static_cast<T>(a.value >> n) : T(0));
  }
  // A negative count is a large one.
  EXPRAX_INLINE friend constexpr lane operator<<(lane a, lane n) { return a << count(n); }
  EXPRAX_INLINE friend constexpr lane operator>>(lane a, lane n) { return a >> count(n); }

  EXPRAX_INLINE friend constexpr mask operator==(lane a, lane b) { return mask(a.value == b.value); }
  EXPRAX_INLINE friend constexpr mask operator!=(lane a, lane b) { return mask(a.value != b.value); }
  EXPRAX_INLINE friend constexpr mask operator<(lane a, lane b) { return mask(a.value < b.value); }
  EXPRAX_INLINE friend constexpr mask operator<=(lane a, lane b) { return mask(a.value <= b.value); }
  EXPRAX_INLINE friend constexpr mask operator>(lane a, lane b) { return mask(a.value > b.value); }
  EXPRAX_INLINE friend constexpr mask operator>=(lane a, lane b) { return mask(a.value >= b.value); }

  EXPRAX_INLINE friend constexpr lane fma(lane a, lane b, lane c) {
    if constexpr (detail::is_float<T>) return lane(detail::exact_fma(a.value, b.value, c.value));
    else return a * b + c;
  }
  EXPRAX_INLINE friend constexpr lane sqrt(lane x) {
    if (std::is_constant_evaluated()) return lane(exprax::detail::ieee::sqrt(x.value));
    if constexpr (sizeof(T) == 4) return lane(__builtin_sqrtf(x.value));
    else return lane(__builtin_sqrt(x.value));
  }
  EXPRAX_INLINE friend constexpr lane floor(lane x) { return rounded(x, exprax::detail::ieee::rounding::down); }
  EXPRAX_INLINE friend constexpr lane ceil(lane x) { return rounded(x, exprax::detail::ieee::rounding::up); }
  EXPRAX_INLINE friend constexpr lane trunc(lane x) { return rounded(x, exprax::detail::ieee::rounding::to_zero); }
  EXPRAX_INLINE friend constexpr lane round_even(lane x) { return rounded(x, exprax::detail::ieee::rounding::to_even); }
  // Floats: clears the sign, also that of a NaN. Integers: min stays min.
  EXPRAX_INLINE friend constexpr lane abs(lane x) {
    if constexpr (detail::is_float<T>) return bitcast<T>(bitcast<bits>(x) & lane<bits>(static_cast<bits>(bits(~bits{0}) >> 1)));
    else if constexpr (std::is_signed_v<T>) return x.value < 0 ? -x : x;
    else return x;
  }
  EXPRAX_INLINE friend constexpr lane copysign(lane x, lane sign) {
    constexpr bits top = bits(bits{1} << (detail::width_of<T> - 1));
    return bitcast<T>((bitcast<bits>(x) & lane<bits>(bits(~top))) | (bitcast<bits>(sign) & lane<bits>(top)));
  }
  // The larger one; NaN if one is NaN, and -0 < +0.
  EXPRAX_INLINE friend constexpr lane maximum(lane a, lane b) {
    if constexpr (detail::is_float<T>) return a.value > b.value || a.value != a.value ? a : a.value == b.value ? a & b : b;
    else return a.value > b.value ? a : b;
  }
  EXPRAX_INLINE friend constexpr lane minimum(lane a, lane b) {
    if constexpr (detail::is_float<T>) return a.value < b.value || a.value != a.value ? a : a.value == b.value ? a | b : b;
    else return a.value < b.value ? a : b;
  }
  // x between low and high; NaN stays.
  EXPRAX_INLINE friend constexpr lane bounded(lane x, T low, T high) { return lane(x.value < low ? low : x.value > high ? high : x.value); }
  // x * 2^n for whole n, rounded once; |n| below twice the bias of the exponent.
  EXPRAX_INLINE friend constexpr lane scale(lane x, lane n) { return detail::scale_by_integers(x, n); }
  // Significand and exponent of x > 0, finite.
  EXPRAX_INLINE friend constexpr binade<lane> split(lane x) { return detail::split_by_integers(x); }
  EXPRAX_INLINE friend constexpr mask isnan(lane x) { return mask(x.value != x.value); }
  EXPRAX_INLINE friend constexpr lane select(mask m, lane a, lane b) { return m.value ? a : b; }

 private:
  using bits = detail::bits_of<T>;

  EXPRAX_INLINE static constexpr auto word(lane x) { return static_cast<detail::unsigned_for<T>>(x.value); }
  EXPRAX_INLINE static constexpr int count(lane n) {
    return static_cast<bits>(n.value) < detail::width_of<T> ? static_cast<int>(n.value) : detail::width_of<T>;
  }
  EXPRAX_INLINE static constexpr lane rounded(lane x, exprax::detail::ieee::rounding way) {
    using exprax::detail::ieee::rounding;
    if (std::is_constant_evaluated()) return lane(exprax::detail::ieee::round(x.value, way));
#if defined(__SSE4_1__) || defined(__aarch64__)
    if constexpr (sizeof(T) == 4) {
      if (way == rounding::down) return lane(__builtin_floorf(x.value));
      if (way == rounding::up) return lane(__builtin_ceilf(x.value));
      if (way == rounding::to_zero) return lane(__builtin_truncf(x.value));
      return lane(__builtin_rintf(x.value));
    } else {
      if (way == rounding::down) return lane(__builtin_floor(x.value));
      if (way == rounding::up) return lane(__builtin_ceil(x.value));
      if (way == rounding::to_zero) return lane(__builtin_trunc(x.value));
      return lane(__builtin_rint(x.value));
    }
#else
    return lane(exprax::detail::ieee::round(x.value, way));
#endif
  }
};

// The same bits as another type of the same size.
template <class U, class T>
EXPRAX_INLINE constexpr lane<U> bitcast(lane<T> x) {
  return lane<U>(std::bit_cast<U>(x.value));
}
template <class U, class T>
EXPRAX_INLINE constexpr lane<U> convert(lane<T> x) {
  return lane<U>(detail::convert_element<U>(x.value));
}
// f of each element, for what has no form over whole packs.
template <class F, class T>
EXPRAX_INLINE constexpr lane<T> each_lane(F f, lane<T> a) {
  return lane<T>(f(a.value));
}
template <class F, class T>
EXPRAX_INLINE constexpr lane<T> each_lane(F f, lane<T> a, lane<T> b) {
  return lane<T>(f(a.value, b.value));
}
EXPRAX_INLINE constexpr bool any(lane<bool> m) { return m.value; }
EXPRAX_INLINE constexpr bool all(lane<bool> m) { return m.value; }

}  // namespace exprax::simd

namespace exprax {
using simd::lane;
}

namespace exprax::detail {

constexpr bool is_static_scatter(equation_ref const& e) { return e.param(0) == 0; }

// The parameters of the static form.
struct scatter_region {
  span<int> start, step, size;
  constexpr explicit scatter_region(equation_ref const& e) {
    int const rank = e.type(0).rank;
    start = e.params().part(1, rank);
    step = e.params().part(1 + rank, rank);
    size = e.params().part(1 + 2 * rank, rank);
  }
};

// The parameters of the dynamic form.
struct scatter_numbers {
  span<int> update_window_dims, inserted_window_dims, operand_dims;
  int n_batch;  // how many axes of x, of indices and of the update run together, in front
  bool sorted, unique;
  constexpr explicit scatter_numbers(equation_ref const& e) {
    span<int> const p = e.params();
    int at = 1;
    update_window_dims = p.part(at + 1, p[at]);
    at += 1 + p[at];
    inserted_window_dims = p.part(at + 1, p[at]);
    at += 1 + p[at];
    operand_dims = p.part(at + 1, p[at]);
    at += 1 + p[at];
    sorted = p[at] != 0;
    unique = p[at + 1] != 0;
    n_batch = e.type(1).rank - 1;
  }
  constexpr bool is_window(int update_axis) const { return contains(update_window_dims.data(), update_window_dims.size(), update_axis); }
  // Axes of x that no axis of a window runs along.
  constexpr bool is_inserted(int axis) const { return axis < n_batch || contains(inserted_window_dims.data(), inserted_window_dims.size(), axis); }
};

// Combine: the primitive that joins old and new, or prim::scatter where the new element replaces the old one.
template <prim P, prim Combine>
struct scatter_family {
  static constexpr op_class kind = op_class::update;
  static constexpr prim combine = Combine;

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() < 2 || e.n_par() < 1) return false;
    *out = e.type(0);
    aval const& x = e.type(0);
    aval const& update = e.type(e.n_in() - 1);
    if (update.type != x.type || (Combine != P && is_bool(x.type))) return false;
    if (is_static_scatter(e)) {
      if (e.n_in() != 2 || e.n_par() != 1 + 3 * x.rank || update.rank != x.rank) return false;
      scatter_region const r(e);
      for (int i = 0; i < x.rank; ++i) {
        if (update.dims[i] != r.size[i] || r.start[i] < 0 || r.step[i] < 1) return false;
        if (r.size[i] > 0 && r.start[i] + (r.size[i] - 1) * r.step[i] >= x.dims[i]) return false;
      }
      return true;
    }
    if (e.n_in() != 3 || e.n_par() < 6 || e.type(1).type != dtype::i32 || e.type(1).rank < 1) return false;
    scatter_numbers const s(e);
    aval const& indices = e.type(1);
    if (indices.dims[s.n_batch] != s.operand_dims.size() || !are_axes(s.operand_dims.data(), s.operand_dims.size(), x.rank)) return false;
    if (!are_axes(s.update_window_dims.data(), s.update_window_dims.size(), update.rank)) return false;
    if (update.rank != s.n_batch + s.update_window_dims.size()) return false;
    for (int i = 0; i < s.n_batch; ++i)
      if (s.is_window(i) || update.dims[i] != x.dims[i] || indices.dims[i] != x.dims[i]) return false;
    int windows = 0;
    for (int i = 0; i < x.rank; ++i) {
      if (s.is_inserted(i)) continue;
      if (windows == s.update_window_dims.size() || update.dims[s.update_window_dims[windows++]] > x.dims[i]) return false;
    }
    return windows == s.update_window_dims.size();
  }

  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    place const dense(e.type(0));
    copy_box(e.type(0), m.out(e, 0), dense, m.in(e, 0), dense);
    if (!is_static_scatter(e)) return evaluate_dynamic(m, e);
    scatter_region const r(e);
    place to(e.type(0));
    for (int i = 0; i < e.type(0).rank; ++i) {
      to.base += to.step[i] * r.start[i];
      to.step[i] *= r.step[i];
    }
    join_box(e.type(0).type, e.type(1), m.out(e, 0), to, m.in(e, 1), place(e.type(1)));
  }

  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    if (!is_static_scatter(e)) return batch_dynamic(c, e);
    int const rank = e.type(0).rank, d = c.dim(e, 0) >= 0 ? c.dim(e, 0) : c.dim(e, 1);
    int const in[] = {c.placed(c.value(e, 0), c.dim(e, 0), d), c.placed(c.value(e, 1), c.dim(e, 1), d)};
    int const whole[] = {0, 1, c.size()};
    int_list par;
    par.push(0);
    for (int part = 0; part < 3; ++part) {
      for (int i = 0; i <= rank; ++i) {
        if (i == d) par.push(whole[part]);
        if (i < rank) par.push(e.param(1 + part * rank + i));
      }
    }
    c.replace(e, in, {par.of, par.n}, d);
  }

  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    if (is_static_scatter(e)) {
      scatter_region const r(e);
      int_list limit;
      bool strided = false;
      for (int i = 0; i < r.start.size(); ++i) {
        limit.push(r.size[i] == 0 ? r.start[i] : r.start[i] + (r.size[i] - 1) * r.step[i] + 1);
        strided = strided || r.step[i] != 1;
      }
      o.key("limit_indices");
      o.tuple({limit.of, limit.n});
      o.key("start_indices");
      o.tuple(r.start);
      o.key("strides");
      if (strided) o.tuple(r.step);
      else o.text("None");
      return;
    }
    scatter_numbers const s(e);
    int_list batch_dims;
    for (int i = 0; i < s.n_batch; ++i) batch_dims.push(i);
    o.key("dimension_numbers");
    o.text("ScatterDimensionNumbers(update_window_dims=");
    o.tuple(s.update_window_dims);
    o.text(", inserted_window_dims=");
    o.tuple(s.inserted_window_dims);
    o.text(", scatter_dims_to_operand_dims=");
    o.tuple(s.operand_dims);
    o.text(", operand_batching_dims=");
    o.tuple({batch_dims.of, batch_dims.n});
    o.text(", scatter_indices_batching_dims=");
    o.tuple({batch_dims.of, batch_dims.n});
    o.text(")");
    o.key("indices_are_sorted");
    o.boolean(s.sorted);
    o.key("mode");
    o.text("GatherScatterMode.FILL_OR_DROP");
    o.key("unique_indices");
    o.boolean(s.unique);
    o.key("update_consts");
    o.text("()");
    o.key("update_jaxpr");
    if constexpr (Combine == P) o.text("None");
    else o.combiner();
  }

 private:
  // The box of `from` goes to its places in `to`.
  static constexpr void join_box(dtype t, aval const& box, std::uint64_t* to, place const& at, std::uint64_t const* from, place const& from_at) {
    if constexpr (Combine == P) {
      copy_box(box, to, at, from, from_at);
    } else {
      with_element(t, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (!std::is_same_v<T, bool>)
          walk(box, at, from_at, [&](std::ptrdiff_t a, std::ptrdiff_t b) {
            to[a] = to_bits(primitive<Combine>::kernel(lane<T>(from_bits<T>(to[a])), lane<T>(from_bits<T>(from[b]))).value);
          });
      });
    }
  }
  template <class Machine>
  static constexpr void evaluate_dynamic(Machine& m, equation_ref const& e) {
    scatter_numbers const s(e);
    aval const &x = e.type(0), &update = e.type(2);
    strides const x_of(x), update_of(update);
    aval window, batches;
    place to, from, x_batch, update_batch;
    int extent[max_rank] = {};  // of the window along each axis of x
    for (int i = 0; i < x.rank; ++i) {
      extent[i] = 1;
      if (s.is_inserted(i)) continue;
      int const axis = s.update_window_dims[window.rank];
      to.step[window.rank] = x_of[i];
      from.step[window.rank] = update_of[axis];
      extent[i] = window.dims[window.rank++] = update.dims[axis];
    }
    for (int i = 0, at = 0; i < update.rank; ++i)
      if (!s.is_window(i)) {
        x_batch.step[at] = x_of[at];
        update_batch.step[at++] = update_of[i];
        batches.dims[batches.rank++] = update.dims[i];
      }
    int number = 0;  // of the index vector: they follow one another in row-major order
    walk(batches, x_batch, update_batch, [&](std::ptrdiff_t x_at, std::ptrdiff_t update_at) {
      place start = to, source = from;
      start.base = x_at;
      source.base = update_at;
      bool inside = true;
      for (int k = 0; k < s.operand_dims.size(); ++k) {
        int const axis = s.operand_dims[k];
        int const index = from_bits<int>(m.in(e, 1)[number * s.operand_dims.size() + k]);
        inside = inside && index >= 0 && index <= x.dims[axis] - extent[axis];
        start.base += x_of[axis] * index;
      }
      ++number;
      if (inside) join_box(x.type, window, m.out(e, 0), start, m.in(e, 2), source);
    });
  }
  // jax.lax's _scatter_batching_rule: with one index for all rows the batch axis is one more axis of the window.
  template <class Context>
  static constexpr void batch_dynamic(Context& c, equation_ref const& e) {
    scatter_numbers const s(e);
    bool const batched_indices = c.dim(e, 1) >= 0 || s.n_batch > 0;
    int const x = c.at_front(c.value(e, 0), c.dim(e, 0), c.size());
    int const update = c.at_front(c.value(e, 2), c.dim(e, 2), c.size());
    int const indices = batched_indices ? c.at_front(c.value(e, 1), c.dim(e, 1), c.size()) : c.value(e, 1);
    int_list par;
    par.push(1);
    par.push(s.update_window_dims.size() + !batched_indices);
    if (!batched_indices) par.push(0);
    for (int axis : s.update_window_dims) par.push(axis + 1);
    par.push(s.inserted_window_dims.size());
    for (int axis : s.inserted_window_dims) par.push(axis + 1);
    par.push(s.operand_dims.size());
    for (int axis : s.operand_dims) par.push(axis + 1);
    par.push(s.sorted);
    par.push(s.unique);
    int const in[] = {x, indices, update};
    c.replace(e, in, {par.of, par.n}, 0);
  }
};

}  // namespace exprax::detail

namespace exprax::detail::planning {

constexpr void add_term(context& c, int v, int limit, std::ptrdiff_t stride, access& a) {
  v = c.resolve(v);
  if (c.p.is_constant(v)) {
    std::int64_t at = static_cast<std::int64_t>(c.p.bits(v));
    at = at < 0 ? 0 : at > limit ? limit : at;
    a.base += at * stride;
    return;
  }
  c.out.terms.push({c.at[v].buffer, limit, stride, 0});
  ++a.n_term;
}

// JAX's scatter with one index vector: a window of the operand, dropped whole when it does not fit.
constexpr void dynamic_region(context& c, equation_ref const& e, aval const& whole, aval const& update, strides const& weight, access& region, loop_kernel& k) {
  scatter_numbers const s(e);
  int window = 0;
  int extent[max_rank] = {};
  for (int i = 0; i < whole.rank; ++i) {
    extent[i] = 1;
    if (s.is_inserted(i)) continue;
    int const u = s.update_window_dims[window++];
    extent[i] = update.dims[u];
    region.stride[u] = weight[i];
  }
  // The index vector stands in memory; its components are one-element views of it.
  int const indices = c.operand_buffer(e.in(1));
  region.term = k.guard = c.out.terms.size();
  for (int q = 0; q < s.operand_dims.size(); ++q) {
    int const i = s.operand_dims[q];
    c.out.terms.push({indices, whole.dims[i] - extent[i], weight[i], q});
    ++region.n_term;
    ++k.n_guard;
  }
}

// With an index vector for each element of the leading axes.
constexpr void lower_batched_scatter(context& c, equation_ref const& e, arena<kernel>& kernels) {
  scatter_numbers const s(e);
  aval const &whole = e.out_type(0), &update = e.type(2);
  strides const weight(whole), update_weight(update);
  scatter_kernel k;
  k.op = e.e.op;
  k.type = whole.type;
  auto add_axis = [&](int n, int axis, int update_axis) {
    k.dims[k.rank] = n;
    k.out[k.rank] = weight[axis];
    k.update[k.rank++] = update_weight[update_axis];
  };
  for (int u = 0; u < update.rank; ++u)
    if (!s.is_window(u)) add_axis(update.dims[u], k.batch, u), ++k.batch;
  int extent[max_rank] = {};
  for (int i = 0; i < whole.rank; ++i) {
    extent[i] = 1;
    if (s.is_inserted(i)) continue;
    int const u = s.update_window_dims[k.rank - k.batch];
    extent[i] = update.dims[u];
    add_axis(update.dims[u], i, u);
  }
  k.n_index = s.operand_dims.size();
  for (int q = 0; q < k.n_index; ++q) {
    int const i = s.operand_dims[q];
    k.limit[q] = whole.dims[i] - extent[i];
    k.index_stride[q] = weight[i];
  }
  k.out_buffer = c.at[e.e.out].buffer;
  k.indices_buffer = c.operand_buffer(e.in(1));
  k.update_buffer = c.operand_buffer(e.in(2));
  kernels.push({kernel_kind::scatter, c.out.scatters.push(k)});
}

constexpr void lower_dynamic_slice(context& c, node& n, arena<kernel>& kernels) {
  equation_ref const e = c.eq(n.eqn);
  int u = c.resolve(e.in(0));
  aval const type = c.p.type(u);
  index_map m = index_map::identity(n.shape);
  for (int i = 0; i < n.shape.rank; ++i)
    if (n.shape.dims[i] == 1) m.of[i] = {};
  // the operand may be an affine view of a buffer: find what one step along each of its axes means
  std::ptrdiff_t per[max_rank] = {};
  index_map step_of[max_rank];
  for (int i = 0; i < type.rank; ++i) {
    step_of[i] = m;
    step_of[i].of[i].offset += 1;
  }
  while (c.at[u].buffer < 0 && !c.p.is_constant(u)) {
    equation_ref const d = c.eq(c.at[u].def);
    m = pull(d, m);
    for (int i = 0; i < type.rank; ++i) step_of[i] = pull(d, step_of[i]);
    u = c.resolve(d.in(0));
  }
  if (c.p.is_constant(u)) c.constant_buffer(u);
  access a = box_lowering::access_of(c.at[u].buffer, c.p.type(u), m);
  for (int i = 0; i < type.rank; ++i) per[i] = box_lowering::access_of(c.at[u].buffer, c.p.type(u), step_of[i]).base - a.base;
  a.term = c.out.terms.size();
  for (int i = 0; i < type.rank; ++i)
    if (type.dims[i] > n.shape.dims[i]) add_term(c, e.in(1 + i), type.dims[i] - n.shape.dims[i], per[i], a);
  simple_loop(c, n.shape, kernels, [&](box_lowering& l, index_map const& id) {
    l.store(l.load(n.shape.type, a), n.shape.type, box_lowering::access_of(c.at[e.e.out].buffer, n.shape, id));
  });
}

// Fill with the padding value, then store the operand at its strides.
constexpr void lower_interior_pad(context& c, node& n, arena<kernel>& kernels) {
  equation_ref const e = c.eq(n.eqn);
  int const buffer = c.at[e.e.out].buffer;
  aval const whole = n.shape;
  simple_loop(c, whole, kernels, [&](box_lowering& l, index_map const& m) {
    l.store(l.value(e.in(1), {}), whole.type, box_lowering::access_of(buffer, whole, m));
  });
  aval region = c.p.type(e.in(0));
  strides const weight(whole);
  access to{};
  to.buffer = buffer;
  index_map m;
  m.rank = region.rank;
  for (int i = 0; i < whole.rank; ++i) {
    int const low = e.param(i), step = e.param(2 * whole.rank + i) + 1;
    int first = low >= 0 ? 0 : (-low + step - 1) / step;
    int last = region.dims[i] - 1;  // the last that fits
    while (last >= first && low + last * step >= whole.dims[i]) --last;
    to.base += weight[i] * (low + first * step);
    to.stride[i] = weight[i] * step;
    m.of[i] = {i, first, 1};
    region.dims[i] = last - first + 1;
  }
  if (region.size() <= 0) return;
  loop_kernel k = new_loop(c, region);
  box_lowering l(c, k.rank, k.dims);
  l.find_cuts(e.in(0), m);
  for (int b = 0; b < l.boxes(); ++b) {
    l.start_box(b);
    l.store(l.value(e.in(0), m), whole.type, to);
    l.finish();
    ++k.n_box;
  }
  push_loop(c, k, kernels);
}

// Stores a value into a region of a buffer: updates, interior pads; and dynamic_slice, which loads from one.
constexpr void lower_update(context& c, node& n, arena<kernel>& kernels) {
  equation_ref const e = c.eq(n.eqn);
  int const v = e.e.out;
  if (e.e.op == prim::pad) return lower_interior_pad(c, n, kernels);
  if (e.e.op == prim::dynamic_slice) return lower_dynamic_slice(c, n, kernels);
  aval const& whole = e.out_type(0);
  int const w = e.in(update_operand(e));
  aval const update = c.p.type(w);
  if (update.size() == 0) return;
  if (is_batched_scatter(e)) return lower_batched_scatter(c, e, kernels);
  strides const weight(whole);
  loop_kernel k = new_loop(c, update);
  index_map const m = index_map::identity(update);
  access region{};
  region.buffer = c.at[v].buffer;
  if (e.e.op == prim::dynamic_update_slice) {
    region.term = c.out.terms.size();
    for (int i = 0; i < whole.rank; ++i) {
      region.stride[i] = weight[i];
      int const limit = whole.dims[i] - update.dims[i];
      if (limit > 0) add_term(c, e.in(2 + i), limit, weight[i], region);
    }
  } else if (e.param(0) == 0) {
    for (int i = 0; i < whole.rank; ++i) {
      region.base += weight[i] * e.param(1 + i);
      region.stride[i] = weight[i] * e.param(1 + whole.rank + i);
    }
  } else {
    dynamic_region(c, e, whole, update, weight, region, k);
  }
  box_lowering l(c, k.rank, k.dims);
  l.find_cuts(w, m);
  for (int b = 0; b < l.boxes(); ++b) {
    l.start_box(b);
    int reg = l.value(w, m);
    if (e.e.op != prim::scatter && e.e.op != prim::dynamic_update_slice)
      reg = l.compute(combiner(e.e.op), whole.type, whole.type, l.load(whole.type, region), reg);
    l.store(reg, whole.type, region);
    l.finish();
    ++k.n_box;
  }
  push_loop(c, k, kernels);
}

}  // namespace exprax::detail::planning

namespace exprax::detail::planning {

constexpr kernel_range plan_block(context& c, block const& b, span<int> out_buffers);

constexpr int cost_of(prim op) {
  switch (op) {
    case prim::exp: case prim::expm1: case prim::log: case prim::log1p: case prim::sin: case prim::cos: case prim::tanh:
    case prim::logistic: case prim::pow: case prim::rem: return 16;
    case prim::div: case prim::sqrt: case prim::rsqrt: return 4;
    case prim::broadcast_in_dim: case prim::reshape: case prim::transpose: case prim::squeeze: case prim::slice: case prim::rev:
    case prim::pad: case prim::concatenate: return 0;
    default: return 1;
  }
}

constexpr void place_equation(context& c, int i, arena<node>& nodes) {
  eqn const& q = c.p.eqns[i];
  prim const op = q.op;
  int const v = q.out;
  if (op < prim::dynamic_slice && c.is_number(v)) return place_number(c, i, nodes);
  if (op == prim::scan) return place_scan(c, i, nodes, [&](block const& body, span<int> outs) { return plan_block(c, body, outs); });
  equation_ref const e{c.p, q};
  aval const& type = e.out_type(0);
  if (c.size(v) == 0) {
    if (c.at[v].buffer < 0) c.at[v].buffer = c.new_scratch(type);
    return;
  }
  if (op >= prim::reduce_sum && op <= prim::conv_general_dilated) return place_whole(c, i, op >= prim::dot_general ? node_kind::contract : node_kind::reduce, nodes);
  if (c.is_number(v)) return place_number(c, i, nodes);
  if (is_update(op) && c.info[v].updates) return place_update(c, i, nodes);
  if (op == prim::reshape && !only_unit_axes_differ(e.type(0), type)) return place_view(c, i, nodes);
  if (op == prim::dynamic_slice || is_interior_pad(e)) return place_whole(c, i, node_kind::update, nodes);

  value_info& r = c.info[v];
  bool const moves = op >= prim::broadcast_in_dim && op <= prim::rev;
  r.cost = cost_of(op);
  for (int k = 0; k < e.n_in(); ++k) {
    int const u = c.resolve(e.in(k));
    if (c.info[u].node >= 0) buffer_of_number(c, u, nodes);
    bool const same = !moves && c.p.type(u).same_shape(type);
    int const ready = same ? c.info[u].ready : c.info[u].ready_moved;
    if (ready > r.ready) r.ready = ready;
    if (c.info[u].ready_moved > r.ready_moved) r.ready_moved = c.info[u].ready_moved;
    if (c.info[u].inlined && c.info[u].depth >= r.depth) r.depth = c.info[u].depth + 1;
    if (c.info[u].inlined && r.cost < 1000) r.cost += c.info[u].cost;  // shared parts count twice: an estimate
  }
  if (r.other_shape && ((r.uses > 1 && r.cost > 4) || r.depth > 48)) r.root = true;
  if (!r.root) {
    r.inlined = true;
    return;
  }
  if (c.at[v].buffer < 0) c.at[v].buffer = c.new_scratch(type);
  int g = -1;
  for (int k = nodes.size() - 1; k >= r.ready && k >= 0 && k >= nodes.size() - 8; --k)
    if (nodes[k].kind == node_kind::loop && nodes[k].shape.same_shape(type)) g = k;
  if (g < 0) {
    node n;
    n.shape = type;
    g = nodes.push(n);
  }
  nodes[g].roots.push(v);
  r.ready = g;
  r.ready_moved = g + 1;
  r.cost = r.depth = 0;
}

constexpr void lower(context& c, node& n, arena<kernel>& kernels) {
  switch (n.kind) {
    case node_kind::loop: return lower_loop(c, n, kernels);
    case node_kind::numbers: return lower_numbers(c, n, kernels);
    case node_kind::copy: return lower_copy(c, n.copies[0], kernels);
    case node_kind::update: return lower_update(c, n, kernels);
    case node_kind::reduce: return lower_reduce(c, n, kernels);
    case node_kind::contract: return lower_contract(c, n, kernels);
    case node_kind::register_scan: kernels.push({kernel_kind::register_scan, n.index}); return;
    case node_kind::scan:
      n.scan.kernel = n.body.first;
      n.scan.n_kernel = n.body.count;
      kernels.push({kernel_kind::scan, c.out.scans.push(n.scan)});
      return;
  }
}

// The results of the block are to stand in out_buffers.
constexpr kernel_range plan_block(context& c, block const& b, span<int> out_buffers) {
  analyse(c, b, out_buffers);
  arena<node> nodes;
  for (int i = b.eqn; i < b.eqn + b.n_eqn; ++i) place_equation(c, i, nodes);
  for (int k = 0; k < b.n_out; ++k) {
    int const v = c.resolve(c.p.refs[b.out + k]);
    if (c.at[v].buffer == out_buffers[k]) {
      if (c.info[v].node >= 0) store_number(c, v, nodes);
      continue;
    }
    if (c.info[v].node >= 0) buffer_of_number(c, v, nodes);
    place_copy(nodes, v, out_buffers[k]);
  }
  arena<kernel> kernels;
  for (node& n : nodes) lower(c, n, kernels);
  kernel_range r{c.out.kernels.size(), kernels.size()};
  for (kernel const& k : kernels) c.out.kernels.push(k);
  return r;
}

}  // namespace exprax::detail::planning

// exprax/plan/memory.hpp
// The static memory plan: each scratch buffer lives from the first kernel that writes it to the last that reads it, and
// buffers whose lives do not meet share bytes. Offsets are multiples of 64.

namespace exprax::detail {

class memory_planner {
 public:
  constexpr explicit memory_planner(plan& p) : p_(p) {
    first_.resize(p.buffers.size(), -1);
    last_.resize(p.buffers.size(), -1);
  }

  constexpr void run() {
    walk(p_.first_kernel, p_.n_kernel);
    assign();
    int of_type[dtype_count] = {};
    for (buffer& b : p_.buffers) b.slot = of_type[static_cast<int>(b.type)]++;
  }

 private:
  constexpr void touch(int buffer) {
    if (first_[buffer] < 0) first_[buffer] = time_;
    last_[buffer] = time_;
  }
  constexpr void touch_access(access const& a) {
    touch(a.buffer);
    for (int t = 0; t < a.n_term; ++t) touch(p_.terms[a.term + t].buffer);
  }
  constexpr void touch_box(box const& b) {
    step const* const steps = p_.steps.data() + b.step;
    int *const first = first_.data(), *const last = last_.data();
    for (int s = 0; s < b.n_step; ++s) {
      step const& x = steps[s];
      if (x.kind != step_kind::load && x.kind != step_kind::store) continue;
      if (x.access >= 0) {
        touch_access(p_.accesses[x.access]);
      } else {
        if (first[x.c] < 0) first[x.c] = time_;
        last[x.c] = time_;
      }
    }
  }

  constexpr void walk(int first, int count) {
    for (int i = first; i < first + count; ++i, ++time_) {
      kernel const k = p_.kernels[i];
      switch (k.kind) {
        case kernel_kind::loop: {
          loop_kernel const& l = p_.loops[k.index];
          for (int b = 0; b < l.n_box; ++b) touch_box(p_.boxes[l.box + b]);
          for (int g = 0; g < l.n_guard; ++g) touch(p_.terms[l.guard + g].buffer);
          break;
        }
        case kernel_kind::reduce:
          touch_box(p_.boxes[p_.reduces[k.index].box]);
          touch_access(p_.accesses[p_.reduces[k.index].out]);
          break;
        case kernel_kind::contract: {
          contract_kernel const& c = p_.contracts[k.index];
          touch(c.lhs_buffer);
          touch(c.rhs_buffer);
          touch(c.out_buffer);
          break;
        }
        case kernel_kind::scatter: {
          scatter_kernel const& s = p_.scatters[k.index];
          touch(s.out_buffer);
          touch(s.indices_buffer);
          touch(s.update_buffer);
          break;
        }
        case kernel_kind::register_scan: {
          register_scan_kernel const& s = p_.register_scans[k.index];
          for (int c = 0; c < s.n_carry; ++c) {
            touch(p_.register_carries[s.carry + c].init);
            touch(p_.register_carries[s.carry + c].result);
          }
          for (int q = 0; q < s.n_step; ++q)
            if (p_.register_steps[s.step + q].buffer >= 0) touch(p_.register_steps[s.step + q].buffer);
          break;
        }
        case kernel_kind::scan: walk_scan(p_.scans[k.index]); break;
      }
    }
  }

  // What exists before the loop and is used in it lives until the loop ends.
  constexpr void walk_scan(scan_kernel const& s) {
    int const start = time_;
    auto ends = [&] {
      for (int i = 0; i < s.n_carry; ++i) {
        carry_slot const& c = p_.carries[s.carry + i];
        touch(c.init);
        touch(c.result);
        if (c.spare >= 0) touch(c.spare);
      }
      for (int i = 0; i < s.n_stream; ++i) touch(p_.streams[s.stream + i].whole);
    };
    ends();
    ++time_;
    walk(s.kernel, s.n_kernel);
    ends();
    for (int b = 0; b < first_.size(); ++b)
      if (first_[b] >= 0 && first_[b] <= start && last_[b] > start) last_[b] = time_;
  }

  constexpr void assign() {
    arena<int> order;
    for (int b = 0; b < p_.buffers.size(); ++b)
      if (p_.buffers[b].where == storage_class::scratch && first_[b] >= 0 && p_.buffers[b].size > 0) order.push(b);
    // larger ones first: they leave the fewest gaps
    for (int i = 1; i < order.size(); ++i)
      for (int j = i; j > 0 && bytes(order[j - 1]) < bytes(order[j]); --j) {
        int const t = order[j];
        order[j] = order[j - 1];
        order[j - 1] = t;
      }
    for (int i = 0; i < order.size(); ++i) {
      int const b = order[i];
      std::ptrdiff_t at = 0;
      for (bool moved = true; moved;) {
        moved = false;
        for (int j = 0; j < i; ++j) {
          int const o = order[j];
          if (last_[o] < first_[b] || last_[b] < first_[o]) continue;
          std::ptrdiff_t const begin = p_.buffers[o].offset, end = begin + bytes(o);
          if (at < end && begin < at + bytes(b)) {
            at = end;
            moved = true;
          }
        }
      }
      p_.buffers[b].offset = at;
      if (at + bytes(b) > p_.scratch) p_.scratch = at + bytes(b);
    }
  }
  constexpr std::ptrdiff_t bytes(int b) const { return (p_.buffers[b].size * size_of(p_.buffers[b].type) + 63) / 64 * 64; }

  plan& p_;
  arena<int> first_, last_;
  int time_ = 0;
};

}  // namespace exprax::detail

namespace exprax::detail::planning {

// ---- nodes -> kernels

// The whole program: inputs and outputs are the caller's memory.
constexpr plan make(program_ref p) {
  context c(p);
  block const& b = p.main();
  arena<int> outs;
  for (int k = 0; k < b.n_in; ++k) {
    int const v = p.refs[b.in + k];
    c.at[v].buffer = c.out.add_buffer(p.type(v).type, storage_class::input, k, p.type(v).size());
  }
  for (int k = 0; k < b.n_out; ++k) {
    aval const& t = p.type(p.refs[b.out + k]);
    outs.push(c.out.add_buffer(t.type, storage_class::output, k, t.size()));
  }
  kernel_range const r = plan_block(c, b, outs);
  c.out.first_kernel = r.first;
  c.out.n_kernel = r.count;
  memory_planner(c.out).run();
  return std::move(c.out);
}

}  // namespace exprax::detail::planning

namespace exprax {

// The plan of an optimized program (no jit equations; see passes/).
constexpr plan make_plan(program_ref p) {
  return detail::planning::make(p);
}

namespace detail {

template <plan_sizes N>
constexpr void fill_storage(plan_storage<N>& s, plan const& p) {
  fill(s.buffers, p.buffers);
  fill(s.terms, p.terms);
  fill(s.accesses, p.accesses);
  fill(s.steps, p.steps);
  fill(s.boxes, p.boxes);
  fill(s.loops, p.loops);
  fill(s.reduces, p.reduces);
  fill(s.contracts, p.contracts);
  fill(s.scatters, p.scatters);
  fill(s.scans, p.scans);
  fill(s.carries, p.carries);
  fill(s.streams, p.streams);
  fill(s.register_scans, p.register_scans);
  fill(s.register_carries, p.register_carries);
  fill(s.register_steps, p.register_steps);
  fill(s.tables, p.tables);
  fill(s.kernels, p.kernels);
}

// Tables that are large enough for the plans of nearly all programs: room that stays empty costs nothing.
constexpr plan_sizes roomy_sizes(program_ref p) {
  int const n = p.n.eqns, room = 64;
  plan_sizes s;
  s.buffers = p.n.values + room;
  s.terms = s.accesses = 2 * p.n.refs + room;
  s.steps = 4 * (p.n.refs + n + room);
  s.boxes = s.loops = s.kernels = 2 * n + room;
  s.register_steps = s.tables = n;
  for (int i = 0; i < n; ++i) {
    prim const op = p.eqns[i].op;
    s.reduces += op >= prim::reduce_sum && op <= prim::reduce_or;
    s.contracts += op == prim::dot_general || op == prim::conv_general_dilated;
    s.scatters += op >= prim::scatter && op <= prim::scatter_max;
    if (op != prim::scan) continue;
    s.scans += 1;
    s.register_scans += 1;
    s.carries += p.eqns[i].n_out;
    s.register_carries += p.eqns[i].n_out;
    s.streams += p.eqns[i].n_in + p.eqns[i].n_out;
    s.register_steps += room;
    s.tables += 1024;
  }
  return s;
}

template <plan_sizes Room>
struct plan_attempt {
  plan_sizes sizes;
  bool fits = false;
  plan_storage<Room> storage;
};
// The program is an argument: g++ evaluates calls with constant arguments once more where they stand in a function's body.
template <plan_sizes Room>
constexpr plan_attempt<Room> attempt_plan(program_ref p) {
  plan const made = make_plan(p);
  plan_attempt<Room> a;
  a.sizes = made.sizes();
  a.fits = Room.hold(a.sizes);
  if (a.fits) fill_storage(a.storage, made);
  return a;
}

template <class P, plan_sizes Room>
struct roomy_plan {
  static constexpr plan_attempt<Room> attempt = attempt_plan<Room>(P::ref);
};
template <class Roomy, bool Fits>
struct plan_tables {
  static constexpr auto const& storage = Roomy::attempt.storage;
};
template <class P, plan_sizes Room>
struct plan_tables<roomy_plan<P, Room>, false> {
  static constexpr plan_sizes sizes = roomy_plan<P, Room>::attempt.sizes;
  static constexpr plan_attempt<sizes> attempt = attempt_plan<sizes>(P::ref);
  static constexpr auto const& storage = attempt.storage;
};

}  // namespace detail

// P has `static constexpr program_ref ref`. The plan is made once, and a second time where the tables were too small.
template <class P>
struct planned {
  using program = P;
  using roomy = detail::roomy_plan<P, detail::roomy_sizes(P::ref)>;
  static constexpr plan_sizes sizes = roomy::attempt.sizes;
  static constexpr auto const& storage = detail::plan_tables<roomy, roomy::attempt.fits>::storage;
};

}  // namespace exprax

namespace exprax::detail {

template <class T, int N>
struct pointer_file {
  T* of[N] = {};
};
template <class T>
struct pointer_file<T, 0> {};

template <class Plan, class Types = std::make_integer_sequence<int, dtype_count>>
struct environment;

template <class Plan, int... D>
struct environment<Plan, std::integer_sequence<int, D...>>
    : pointer_file<element_t<static_cast<dtype>(D)>, Plan::sizes.of_type[D]>... {
  template <class T>
  using file_of = pointer_file<T, Plan::sizes.of_type[static_cast<int>(dtype_of<T>)]>;
  template <class T>
  EXPRAX_INLINE constexpr T*& at(int slot) {
    return static_cast<file_of<T>&>(*this).of[slot];
  }
  template <class T>
  EXPRAX_INLINE constexpr T* at(int slot) const {
    return static_cast<file_of<T> const&>(*this).of[slot];
  }
  // The buffer number B.
  template <int B>
  EXPRAX_INLINE constexpr auto buffer() const {
    return at<element_t<Plan::storage.buffers[B].type>>(Plan::storage.buffers[B].slot);
  }
  template <int B, class T>
  EXPRAX_INLINE constexpr void bind(T* p) {
    at<T>(Plan::storage.buffers[B].slot) = p;
  }
};

// The elements of a constant, in static storage.
template <class Plan, int B>
struct constant_elements {
  static constexpr auto const& buffer = Plan::storage.buffers[B];
  using type = element_t<buffer.type>;
  struct elements {
    type of[buffer.size + 1];
  };
  alignas(64) static constexpr elements data = [] {
    elements r{};
    for (std::ptrdiff_t i = 0; i < Plan::storage.buffers[B].size; ++i)
      r.of[i] = from_bits<type>(Plan::program::ref.constants[Plan::storage.buffers[B].index + i]);
    return r;
  }();
};

}  // namespace exprax::detail

// exprax/emit/lanes.hpp
// The first n lanes as a mask.

// exprax/emit/pack.hpp
// pack<T, L>: L elements of T in SIMD registers, over the lane concept of types/lane.hpp: part of a register, one, or several
// ("wide"). pack<T, 1> is lane<T>. pack<bool, L> is the mask of every pack of L elements. No lane looks at its neighbours.

// exprax/emit/pack_convert.hpp
// bitcast and convert of packs. Element types of different sizes lie in different numbers of registers, so a conversion goes
// by chunks that are part of one register on either side, and by steps of twice or half the size, which compilers do well.

#include <limits>

// exprax/emit/pack_number.hpp
// pack<T, L> for numbers: L elements of T in SIMD registers, with the functions of lane<T>.

// exprax/emit/pack_register.hpp
// One SIMD register of xsimd, as the vector type of the compiler that it holds. Operators are the compiler's, functions are
// xsimd's where every version from 8.1 to 14 has them right. This file alone includes xsimd (and, through it, intrinsics).

#if EXPRAX_SIMD

#include <utility>

#include <xsimd/xsimd.hpp>

namespace exprax::simd {

// With AVX-512, masks are bits in mask registers; elsewhere they are vectors of integers, all ones or all zeros.
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
inline constexpr int register_bytes = 64;
inline constexpr bool masks_are_bits = true;
#elif defined(__AVX__)
inline constexpr int register_bytes = 32;
inline constexpr bool masks_are_bits = false;
#else
inline constexpr int register_bytes = 16;
inline constexpr bool masks_are_bits = false;
#endif

namespace detail {

enum class relation { eq, ne, lt, le, gt, ge };
enum class direction { to_even = 8, down, up, to_zero };  // as x86 encodes them

template <class T, int Bytes>
struct vector_of {
  typedef T type __attribute__((vector_size(Bytes)));
};
// A vector of T in so many bytes.
template <class T, int Bytes>
using vec = typename vector_of<T, Bytes>::type;

template <class T, int Bytes>
using batch_of = xsimd::make_sized_batch_t<T, static_cast<std::size_t>(Bytes) / sizeof(T)>;
template <class T, int Bytes>
EXPRAX_INLINE batch_of<T, Bytes> to_batch(vec<T, Bytes> x) {
  using batch = batch_of<T, Bytes>;
  return batch((typename batch::register_type)x);
}
template <class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> from_batch(batch_of<T, Bytes> x) {
  return (vec<T, Bytes>)x.data;
}

template <class T>
using signed_of = typename integer_of_size<static_cast<int>(sizeof(T)), true>::type;

template <class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> broadcast(T x) {
  return from_batch<T, Bytes>(batch_of<T, Bytes>(x));
}

// Count elements from memory into the first lanes; the others are zero. Count may be less than a register holds.
template <class T, int Bytes, int Count>
EXPRAX_INLINE vec<T, Bytes> load_register(T const* p) {
  vec<T, Bytes> x{};
  __builtin_memcpy(&x, p, Count * sizeof(T));
  return x;
}
template <class T, int Bytes, int Count>
EXPRAX_INLINE void store_register(vec<T, Bytes> x, T* p) {
  __builtin_memcpy(p, &x, Count * sizeof(T));
}

template <class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> unfused_register(vec<T, Bytes> x) {
#if defined(__GNUC__) && !defined(__clang__)
#if defined(__AVX512F__)
  asm("" : "+v"(x));
#elif defined(__FMA__)
  asm("" : "+x"(x));
#elif defined(__aarch64__) || defined(__ARM_FEATURE_FMA)
  asm("" : "+w"(x));
#endif
#endif
  return x;
}

#if defined(__FMA__) || defined(__aarch64__)
inline constexpr bool has_fma = true;
// Not xsimd::fma, which is a product and a sum on AVX-512 in 8.1.
template <class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> fma_register(vec<T, Bytes> a, vec<T, Bytes> b, vec<T, Bytes> c) {
#if defined(__aarch64__)
  if constexpr (sizeof(T) == 4) return vfmaq_f32(c, a, b);
  else return vfmaq_f64(c, a, b);
#else
  if constexpr (sizeof(T) == 4) {
#if defined(__AVX512F__)
    if constexpr (Bytes == 64) return _mm512_fmadd_ps(a, b, c);
    else
#endif
    if constexpr (Bytes == 32) return _mm256_fmadd_ps(a, b, c);
    else return _mm_fmadd_ps(a, b, c);
  } else {
#if defined(__AVX512F__)
    if constexpr (Bytes == 64) return _mm512_fmadd_pd(a, b, c);
    else
#endif
    if constexpr (Bytes == 32) return _mm256_fmadd_pd(a, b, c);
    else return _mm_fmadd_pd(a, b, c);
  }
#endif
}
#else
inline constexpr bool has_fma = false;
template <class T, int Bytes>
vec<T, Bytes> fma_register(vec<T, Bytes> a, vec<T, Bytes> b, vec<T, Bytes> c);  // not there
#endif

#if !(defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__))
// The greater or the smaller one of floats. x86 returns the second operand for two zeros and for NaN: both orders together
// give the sign of zero, and the mask of unordered lanes, all ones, is a NaN. NEON has just these semantics.
template <class T, int Bytes, bool Greater>
EXPRAX_INLINE vec<T, Bytes> extreme_register(vec<T, Bytes> a, vec<T, Bytes> b) {
#if defined(__aarch64__)
  if constexpr (sizeof(T) == 4) return Greater ? vmaxq_f32(a, b) : vminq_f32(a, b);
  else return Greater ? vmaxq_f64(a, b) : vminq_f64(a, b);
#else
  using bits = vec<signed_of<T>, Bytes>;
  auto const x = to_batch<T, Bytes>(a);
  auto const y = to_batch<T, Bytes>(b);
  bits const unordered = (bits)(a != a) | (bits)(b != b);
  if constexpr (Greater) {
    bits const r = (bits)from_batch<T, Bytes>(xsimd::max(x, y)) & (bits)from_batch<T, Bytes>(xsimd::max(y, x));
    return (vec<T, Bytes>)(r | unordered);
  } else {
    bits const r = (bits)from_batch<T, Bytes>(xsimd::min(x, y)) | (bits)from_batch<T, Bytes>(xsimd::min(y, x));
    return (vec<T, Bytes>)(r | unordered);
  }
#endif
}
#endif

// For whole AVX-512 registers not by xsimd: the intrinsics without a mask make g++ 12 warn of an uninitialized operand.
template <class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> sqrt_register(vec<T, Bytes> x) {
#if defined(__AVX512F__)
  if constexpr (Bytes == 64 && sizeof(T) == 4) return _mm512_maskz_sqrt_ps(0xffff, x);
  else if constexpr (Bytes == 64) return _mm512_maskz_sqrt_pd(0xff, x);
  else
#endif
  return from_batch<T, Bytes>(xsimd::sqrt(to_batch<T, Bytes>(x)));
}
template <direction D, class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> round_register(vec<T, Bytes> x) {
#if defined(__AVX512F__)
  if constexpr (Bytes == 64 && sizeof(T) == 4) return _mm512_maskz_roundscale_ps(0xffff, x, static_cast<int>(D));
  else if constexpr (Bytes == 64) return _mm512_maskz_roundscale_pd(0xff, x, static_cast<int>(D));
  else
#endif
  if constexpr (D == direction::down) return from_batch<T, Bytes>(xsimd::floor(to_batch<T, Bytes>(x)));
  else if constexpr (D == direction::up) return from_batch<T, Bytes>(xsimd::ceil(to_batch<T, Bytes>(x)));
  else if constexpr (D == direction::to_zero) return from_batch<T, Bytes>(xsimd::trunc(to_batch<T, Bytes>(x)));
  else return from_batch<T, Bytes>(xsimd::nearbyint(to_batch<T, Bytes>(x)));
}

// x between low and high; NaN stays.
template <class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> bounded_register(vec<T, Bytes> x, vec<T, Bytes> low, vec<T, Bytes> high) {
#if defined(__AVX512F__)
  if constexpr (Bytes == 64 && sizeof(T) == 4) return _mm512_maskz_min_ps(0xffff, high, _mm512_maskz_max_ps(0xffff, low, x));
  else if constexpr (Bytes == 64) return _mm512_maskz_min_pd(0xff, high, _mm512_maskz_max_pd(0xff, low, x));
  else
#endif
  // x86 gives the second operand where one is NaN; NEON gives the NaN.
  return from_batch<T, Bytes>(xsimd::min(to_batch<T, Bytes>(high), xsimd::max(to_batch<T, Bytes>(low), to_batch<T, Bytes>(x))));
}

#if !(defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__))
template <class T, int Bytes>
vec<T, Bytes> scale_register(vec<T, Bytes> x, vec<T, Bytes> n);  // not there
template <class T, int Bytes>
vec<T, Bytes> significand_register(vec<T, Bytes> x);  // not there
template <class T, int Bytes>
vec<T, Bytes> exponent_register(vec<T, Bytes> x);  // not there
#endif

// Lanes I... of a and b laid end to end; -1 is any value. The result has as many lanes as there are indices.
template <int... I, class A>
EXPRAX_INLINE auto shuffle(A a, A b) {
  return __builtin_shufflevector(a, b, I...);
}
// Count lanes of x from First on, as a shorter vector.
template <int First, class A, int... I>
EXPRAX_INLINE auto part_of(A x, std::integer_sequence<int, I...>) {
  return shuffle<(First + I)...>(x, x);
}
// x with lanes of any value behind it.
template <int Lanes, class A, int... I>
EXPRAX_INLINE auto lengthened(A x, std::integer_sequence<int, I...>) {
  return shuffle<(I < Lanes ? I : -1)...>(x, x);
}
template <class A, int... I>
EXPRAX_INLINE auto joined(A low, A high, std::integer_sequence<int, I...>) {
  return shuffle<I...>(low, high);
}

}  // namespace detail
}  // namespace exprax::simd

#endif

namespace exprax::simd {

#if EXPRAX_SIMD
// Elements of T in the widest register.
template <class T>
inline constexpr int native_lanes = register_bytes / static_cast<int>(sizeof(T));
#else
inline constexpr int register_bytes = 0;
template <class T>
inline constexpr int native_lanes = 1;
#endif

template <class T, int L>
struct basic_pack;
template <class T, int L>
using pack = std::conditional_t<L == 1, lane<T>, basic_pack<T, L>>;

}  // namespace exprax::simd

#if EXPRAX_SIMD

// exprax/emit/pack_avx512.hpp
// What AVX-512 does with mask registers: comparisons, selection, masked memory. xsimd 8.1 has it for whole registers only, and
// older versions inverted the xor of masks; here a mask is an integer with one bit for each lane.

#if EXPRAX_SIMD && defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)

namespace exprax::simd::detail {

constexpr int float_predicate(relation r) {
  constexpr int of[] = {_CMP_EQ_OQ, _CMP_NEQ_UQ, _CMP_LT_OQ, _CMP_LE_OQ, _CMP_GT_OQ, _CMP_GE_OQ};
  return of[static_cast<int>(r)];
}
constexpr int integer_predicate(relation r) {
  constexpr int of[] = {_MM_CMPINT_EQ, _MM_CMPINT_NE, _MM_CMPINT_LT, _MM_CMPINT_LE, _MM_CMPINT_NLE, _MM_CMPINT_NLT};
  return of[static_cast<int>(r)];
}

// An integer register as the type of the intrinsics.
template <int Bytes>
using raw = vec<long long, Bytes>;

// As many bits as the register has lanes, at least 8.
template <class T, int Bytes>
using bits_for = typename integer_of_size<(Bytes / sizeof(T) <= 8 ? 1 : Bytes / static_cast<int>(sizeof(T)) / 8), false>::type;

template <relation R, class T, int Bytes>
EXPRAX_INLINE auto compare_register(vec<T, Bytes> a, vec<T, Bytes> b) {
  constexpr int f = float_predicate(R);
  constexpr int i = integer_predicate(R);
  using I [[maybe_unused]] = raw<Bytes>;
  if constexpr (Bytes == 64) {
    if constexpr (std::is_same_v<T, float>) return _mm512_cmp_ps_mask(a, b, f);
    else if constexpr (std::is_same_v<T, double>) return _mm512_cmp_pd_mask(a, b, f);
    else if constexpr (sizeof(T) == 1 && std::is_signed_v<T>) return _mm512_cmp_epi8_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 2 && std::is_signed_v<T>) return _mm512_cmp_epi16_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 4 && std::is_signed_v<T>) return _mm512_cmp_epi32_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 8 && std::is_signed_v<T>) return _mm512_cmp_epi64_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 1 && !std::is_signed_v<T>) return _mm512_cmp_epu8_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 2 && !std::is_signed_v<T>) return _mm512_cmp_epu16_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 4 && !std::is_signed_v<T>) return _mm512_cmp_epu32_mask((I)a, (I)b, i);
    else return _mm512_cmp_epu64_mask((I)a, (I)b, i);
  } else if constexpr (Bytes == 32) {
    if constexpr (std::is_same_v<T, float>) return _mm256_cmp_ps_mask(a, b, f);
    else if constexpr (std::is_same_v<T, double>) return _mm256_cmp_pd_mask(a, b, f);
    else if constexpr (sizeof(T) == 1 && std::is_signed_v<T>) return _mm256_cmp_epi8_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 2 && std::is_signed_v<T>) return _mm256_cmp_epi16_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 4 && std::is_signed_v<T>) return _mm256_cmp_epi32_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 8 && std::is_signed_v<T>) return _mm256_cmp_epi64_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 1 && !std::is_signed_v<T>) return _mm256_cmp_epu8_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 2 && !std::is_signed_v<T>) return _mm256_cmp_epu16_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 4 && !std::is_signed_v<T>) return _mm256_cmp_epu32_mask((I)a, (I)b, i);
    else return _mm256_cmp_epu64_mask((I)a, (I)b, i);
  } else {
    if constexpr (std::is_same_v<T, float>) return _mm_cmp_ps_mask(a, b, f);
    else if constexpr (std::is_same_v<T, double>) return _mm_cmp_pd_mask(a, b, f);
    else if constexpr (sizeof(T) == 1 && std::is_signed_v<T>) return _mm_cmp_epi8_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 2 && std::is_signed_v<T>) return _mm_cmp_epi16_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 4 && std::is_signed_v<T>) return _mm_cmp_epi32_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 8 && std::is_signed_v<T>) return _mm_cmp_epi64_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 1 && !std::is_signed_v<T>) return _mm_cmp_epu8_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 2 && !std::is_signed_v<T>) return _mm_cmp_epu16_mask((I)a, (I)b, i);
    else if constexpr (sizeof(T) == 4 && !std::is_signed_v<T>) return _mm_cmp_epu32_mask((I)a, (I)b, i);
    else return _mm_cmp_epu64_mask((I)a, (I)b, i);
  }
}

// Lanes of a where the mask is one, else of b.
template <class T, int Bytes, class Mask>
EXPRAX_INLINE vec<T, Bytes> select_register(Mask m, vec<T, Bytes> a, vec<T, Bytes> b) {
  using I [[maybe_unused]] = raw<Bytes>;
  if constexpr (Bytes == 64) {
    if constexpr (std::is_same_v<T, float>) return _mm512_mask_blend_ps(m, b, a);
    else if constexpr (std::is_same_v<T, double>) return _mm512_mask_blend_pd(m, b, a);
    else if constexpr (sizeof(T) == 1) return (vec<T, Bytes>)_mm512_mask_blend_epi8(m, (I)b, (I)a);
    else if constexpr (sizeof(T) == 2) return (vec<T, Bytes>)_mm512_mask_blend_epi16(m, (I)b, (I)a);
    else if constexpr (sizeof(T) == 4) return (vec<T, Bytes>)_mm512_mask_blend_epi32(m, (I)b, (I)a);
    else return (vec<T, Bytes>)_mm512_mask_blend_epi64(m, (I)b, (I)a);
  } else if constexpr (Bytes == 32) {
    if constexpr (std::is_same_v<T, float>) return _mm256_mask_blend_ps(m, b, a);
    else if constexpr (std::is_same_v<T, double>) return _mm256_mask_blend_pd(m, b, a);
    else if constexpr (sizeof(T) == 1) return (vec<T, Bytes>)_mm256_mask_blend_epi8(m, (I)b, (I)a);
    else if constexpr (sizeof(T) == 2) return (vec<T, Bytes>)_mm256_mask_blend_epi16(m, (I)b, (I)a);
    else if constexpr (sizeof(T) == 4) return (vec<T, Bytes>)_mm256_mask_blend_epi32(m, (I)b, (I)a);
    else return (vec<T, Bytes>)_mm256_mask_blend_epi64(m, (I)b, (I)a);
  } else {
    if constexpr (std::is_same_v<T, float>) return _mm_mask_blend_ps(m, b, a);
    else if constexpr (std::is_same_v<T, double>) return _mm_mask_blend_pd(m, b, a);
    else if constexpr (sizeof(T) == 1) return (vec<T, Bytes>)_mm_mask_blend_epi8(m, (I)b, (I)a);
    else if constexpr (sizeof(T) == 2) return (vec<T, Bytes>)_mm_mask_blend_epi16(m, (I)b, (I)a);
    else if constexpr (sizeof(T) == 4) return (vec<T, Bytes>)_mm_mask_blend_epi32(m, (I)b, (I)a);
    else return (vec<T, Bytes>)_mm_mask_blend_epi64(m, (I)b, (I)a);
  }
}

// Lanes whose mask is zero are neither read nor written.
template <class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> masked_load(std::uint64_t m, T const* p, vec<T, Bytes> fill) {
  using I [[maybe_unused]] = raw<Bytes>;
  using bits = bits_for<T, Bytes>;
  if constexpr (Bytes == 64) {
    if constexpr (std::is_same_v<T, float>) return _mm512_mask_loadu_ps(fill, static_cast<bits>(m), p);
    else if constexpr (std::is_same_v<T, double>) return _mm512_mask_loadu_pd(fill, static_cast<bits>(m), p);
    else if constexpr (sizeof(T) == 1) return (vec<T, Bytes>)_mm512_mask_loadu_epi8((I)fill, static_cast<bits>(m), p);
    else if constexpr (sizeof(T) == 2) return (vec<T, Bytes>)_mm512_mask_loadu_epi16((I)fill, static_cast<bits>(m), p);
    else if constexpr (sizeof(T) == 4) return (vec<T, Bytes>)_mm512_mask_loadu_epi32((I)fill, static_cast<bits>(m), p);
    else return (vec<T, Bytes>)_mm512_mask_loadu_epi64((I)fill, static_cast<bits>(m), p);
  } else if constexpr (Bytes == 32) {
    if constexpr (std::is_same_v<T, float>) return _mm256_mask_loadu_ps(fill, static_cast<bits>(m), p);
    else if constexpr (std::is_same_v<T, double>) return _mm256_mask_loadu_pd(fill, static_cast<bits>(m), p);
    else if constexpr (sizeof(T) == 1) return (vec<T, Bytes>)_mm256_mask_loadu_epi8((I)fill, static_cast<bits>(m), p);
    else if constexpr (sizeof(T) == 2) return (vec<T, Bytes>)_mm256_mask_loadu_epi16((I)fill, static_cast<bits>(m), p);
    else if constexpr (sizeof(T) == 4) return (vec<T, Bytes>)_mm256_mask_loadu_epi32((I)fill, static_cast<bits>(m), p);
    else return (vec<T, Bytes>)_mm256_mask_loadu_epi64((I)fill, static_cast<bits>(m), p);
  } else {
    if constexpr (std::is_same_v<T, float>) return _mm_mask_loadu_ps(fill, static_cast<bits>(m), p);
    else if constexpr (std::is_same_v<T, double>) return _mm_mask_loadu_pd(fill, static_cast<bits>(m), p);
    else if constexpr (sizeof(T) == 1) return (vec<T, Bytes>)_mm_mask_loadu_epi8((I)fill, static_cast<bits>(m), p);
    else if constexpr (sizeof(T) == 2) return (vec<T, Bytes>)_mm_mask_loadu_epi16((I)fill, static_cast<bits>(m), p);
    else if constexpr (sizeof(T) == 4) return (vec<T, Bytes>)_mm_mask_loadu_epi32((I)fill, static_cast<bits>(m), p);
    else return (vec<T, Bytes>)_mm_mask_loadu_epi64((I)fill, static_cast<bits>(m), p);
  }
}

template <class T, int Bytes>
EXPRAX_INLINE void masked_store(std::uint64_t m, vec<T, Bytes> x, T* p) {
  using I [[maybe_unused]] = raw<Bytes>;
  using bits = bits_for<T, Bytes>;
  if constexpr (Bytes == 64) {
    if constexpr (std::is_same_v<T, float>) _mm512_mask_storeu_ps(p, static_cast<bits>(m), x);
    else if constexpr (std::is_same_v<T, double>) _mm512_mask_storeu_pd(p, static_cast<bits>(m), x);
    else if constexpr (sizeof(T) == 1) _mm512_mask_storeu_epi8(p, static_cast<bits>(m), (I)x);
    else if constexpr (sizeof(T) == 2) _mm512_mask_storeu_epi16(p, static_cast<bits>(m), (I)x);
    else if constexpr (sizeof(T) == 4) _mm512_mask_storeu_epi32(p, static_cast<bits>(m), (I)x);
    else _mm512_mask_storeu_epi64(p, static_cast<bits>(m), (I)x);
  } else if constexpr (Bytes == 32) {
    if constexpr (std::is_same_v<T, float>) _mm256_mask_storeu_ps(p, static_cast<bits>(m), x);
    else if constexpr (std::is_same_v<T, double>) _mm256_mask_storeu_pd(p, static_cast<bits>(m), x);
    else if constexpr (sizeof(T) == 1) _mm256_mask_storeu_epi8(p, static_cast<bits>(m), (I)x);
    else if constexpr (sizeof(T) == 2) _mm256_mask_storeu_epi16(p, static_cast<bits>(m), (I)x);
    else if constexpr (sizeof(T) == 4) _mm256_mask_storeu_epi32(p, static_cast<bits>(m), (I)x);
    else _mm256_mask_storeu_epi64(p, static_cast<bits>(m), (I)x);
  } else {
    if constexpr (std::is_same_v<T, float>) _mm_mask_storeu_ps(p, static_cast<bits>(m), x);
    else if constexpr (std::is_same_v<T, double>) _mm_mask_storeu_pd(p, static_cast<bits>(m), x);
    else if constexpr (sizeof(T) == 1) _mm_mask_storeu_epi8(p, static_cast<bits>(m), (I)x);
    else if constexpr (sizeof(T) == 2) _mm_mask_storeu_epi16(p, static_cast<bits>(m), (I)x);
    else if constexpr (sizeof(T) == 4) _mm_mask_storeu_epi32(p, static_cast<bits>(m), (I)x);
    else _mm_mask_storeu_epi64(p, static_cast<bits>(m), (I)x);
  }
}

// The greater or the smaller one of floats; vrange knows signed zeros, the sum makes the NaN.
template <class T, int Bytes, bool Greater>
EXPRAX_INLINE vec<T, Bytes> extreme_register(vec<T, Bytes> a, vec<T, Bytes> b) {
  if constexpr (Bytes == 64) {
    if constexpr (sizeof(T) == 4) {
      vec<T, Bytes> const r = _mm512_range_ps(a, b, Greater ? 5 : 4);
      return _mm512_mask_add_ps(r, _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q), a, b);
    } else {
      vec<T, Bytes> const r = _mm512_range_pd(a, b, Greater ? 5 : 4);
      return _mm512_mask_add_pd(r, _mm512_cmp_pd_mask(a, b, _CMP_UNORD_Q), a, b);
    }
  } else if constexpr (Bytes == 32) {
    if constexpr (sizeof(T) == 4) {
      vec<T, Bytes> const r = _mm256_range_ps(a, b, Greater ? 5 : 4);
      return _mm256_mask_add_ps(r, _mm256_cmp_ps_mask(a, b, _CMP_UNORD_Q), a, b);
    } else {
      vec<T, Bytes> const r = _mm256_range_pd(a, b, Greater ? 5 : 4);
      return _mm256_mask_add_pd(r, _mm256_cmp_pd_mask(a, b, _CMP_UNORD_Q), a, b);
    }
  } else {
    if constexpr (sizeof(T) == 4) {
      vec<T, Bytes> const r = _mm_range_ps(a, b, Greater ? 5 : 4);
      return _mm_mask_add_ps(r, _mm_cmp_ps_mask(a, b, _CMP_UNORD_Q), a, b);
    } else {
      vec<T, Bytes> const r = _mm_range_pd(a, b, Greater ? 5 : 4);
      return _mm_mask_add_pd(r, _mm_cmp_pd_mask(a, b, _CMP_UNORD_Q), a, b);
    }
  }
}

// x * 2^n. The forms with a mask, since g++ 12 warns of an uninitialized operand in those without.
template <class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> scale_register(vec<T, Bytes> x, vec<T, Bytes> n) {
  if constexpr (Bytes == 64) {
    if constexpr (sizeof(T) == 4) return _mm512_maskz_scalef_ps(0xffff, x, n);
    else return _mm512_maskz_scalef_pd(0xff, x, n);
  } else if constexpr (Bytes == 32) {
    if constexpr (sizeof(T) == 4) return _mm256_maskz_scalef_ps(0xff, x, n);
    else return _mm256_maskz_scalef_pd(0xff, x, n);
  } else {
    if constexpr (sizeof(T) == 4) return _mm_maskz_scalef_ps(0xff, x, n);
    else return _mm_maskz_scalef_pd(0xff, x, n);
  }
}
// The significand in [0.75, 1.5), and the exponent of the significand in [1, 2).
template <class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> significand_register(vec<T, Bytes> x) {
  if constexpr (Bytes == 64) {
    if constexpr (sizeof(T) == 4) return _mm512_maskz_getmant_ps(0xffff, x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_zero);
    else return _mm512_maskz_getmant_pd(0xff, x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_zero);
  } else if constexpr (Bytes == 32) {
    if constexpr (sizeof(T) == 4) return _mm256_maskz_getmant_ps(0xff, x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_zero);
    else return _mm256_maskz_getmant_pd(0xff, x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_zero);
  } else {
    if constexpr (sizeof(T) == 4) return _mm_maskz_getmant_ps(0xff, x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_zero);
    else return _mm_maskz_getmant_pd(0xff, x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_zero);
  }
}
template <class T, int Bytes>
EXPRAX_INLINE vec<T, Bytes> exponent_register(vec<T, Bytes> x) {
  if constexpr (Bytes == 64) {
    if constexpr (sizeof(T) == 4) return _mm512_maskz_getexp_ps(0xffff, x);
    else return _mm512_maskz_getexp_pd(0xff, x);
  } else if constexpr (Bytes == 32) {
    if constexpr (sizeof(T) == 4) return _mm256_maskz_getexp_ps(0xff, x);
    else return _mm256_maskz_getexp_pd(0xff, x);
  } else {
    if constexpr (sizeof(T) == 4) return _mm_maskz_getexp_ps(0xff, x);
    else return _mm_maskz_getexp_pd(0xff, x);
  }
}

}  // namespace exprax::simd::detail

#endif

namespace exprax::simd {

namespace detail {

// How L elements of T lie in registers. The upper lanes of a part of a register hold anything.
template <class T, int L>
struct layout {
  static constexpr int total = L * static_cast<int>(sizeof(T));
  static constexpr int bytes = total < 16 ? 16 : total > register_bytes ? register_bytes : total;
  static constexpr int registers = total <= bytes ? 1 : total / bytes;
  static constexpr int used = L / registers;                            // lanes used in each register
  static constexpr int held = bytes / static_cast<int>(sizeof(T));  // lanes that a register has
  using reg = vec<T, bytes>;
  using indices = std::make_integer_sequence<int, registers>;
};

// f on each register of the operands. Folds, since g++ -O2 keeps arrays that loops fill in memory.
template <class P, class F, class... A>
EXPRAX_INLINE P each_register(F f, A const&... a) {
  P r;
  [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
    [[maybe_unused]] auto const one = [&]<int J>(std::integral_constant<int, J>) EXPRAX_LAMBDA_INLINE { r.reg[J] = f(a.reg[J]...); };
    (one(std::integral_constant<int, I>{}), ...);
  }(typename P::layout::indices{});
  return r;
}

// The registers of x as those of another element type of the same size.
template <class P, class A>
EXPRAX_INLINE P reinterpret(A const& x) {
  return each_register<P>([](auto v) EXPRAX_LAMBDA_INLINE { return (typename P::layout::reg)v; }, x);
}

}  // namespace detail

template <class T, int L>
struct basic_pack {
  static_assert(L > 1 && (L & (L - 1)) == 0, "exprax: a pack has a power of two of elements");
  using value_type = T;
  using mask = basic_pack<bool, L>;
  template <class U>
  using rebind = basic_pack<U, L>;
  static constexpr int size = L;

  using layout = detail::layout<T, L>;
  typename layout::reg reg[layout::registers];

  basic_pack() = default;
  EXPRAX_INLINE explicit basic_pack(T x) {
    auto const all = detail::broadcast<T, layout::bytes>(x);
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE { ((reg[I] = all), ...); }(typename layout::indices{});
  }

  EXPRAX_INLINE friend basic_pack operator+(basic_pack a, basic_pack b) {
    if constexpr (detail::is_float<T>) return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return x + y; }, a, b);
    else return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return word(unsign(x) + unsign(y)); }, a, b);
  }
  EXPRAX_INLINE friend basic_pack operator-(basic_pack a, basic_pack b) {
    if constexpr (detail::is_float<T>) return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return x - y; }, a, b);
    else return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return word(unsign(x) - unsign(y)); }, a, b);
  }
  EXPRAX_INLINE friend basic_pack operator*(basic_pack a, basic_pack b) {
    if constexpr (detail::is_float<T>)
      return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return detail::unfused_register<T, layout::bytes>(x * y); }, a, b);
    else return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return word(unsign(x) * unsign(y)); }, a, b);
  }
  EXPRAX_INLINE friend basic_pack operator/(basic_pack a, basic_pack b) {
    if constexpr (detail::is_float<T>) return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return x / y; }, a, b);
    else return each_lane([](T x, T y) { return detail::integer_div(x, y); }, a, b);
  }
  EXPRAX_INLINE friend basic_pack operator%(basic_pack a, basic_pack b) {
    return each_lane([](T x, T y) { return detail::integer_rem(x, y); }, a, b);
  }
  EXPRAX_INLINE friend basic_pack operator-(basic_pack a) {
    if constexpr (detail::is_float<T>) return each([](auto x) EXPRAX_LAMBDA_INLINE { return -x; }, a);
    else return each([](auto x) EXPRAX_LAMBDA_INLINE { return word(-unsign(x)); }, a);
  }

  EXPRAX_INLINE friend basic_pack operator&(basic_pack a, basic_pack b) {
    return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return word(unsign(x) & unsign(y)); }, a, b);
  }
  EXPRAX_INLINE friend basic_pack operator|(basic_pack a, basic_pack b) {
    return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return word(unsign(x) | unsign(y)); }, a, b);
  }
  EXPRAX_INLINE friend basic_pack operator^(basic_pack a, basic_pack b) {
    return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return word(unsign(x) ^ unsign(y)); }, a, b);
  }
  EXPRAX_INLINE friend basic_pack operator~(basic_pack a) {
    return each([](auto x) EXPRAX_LAMBDA_INLINE { return word(~unsign(x)); }, a);
  }
  EXPRAX_INLINE friend basic_pack operator<<(basic_pack a, int n) {
    if (n >= detail::width_of<T>) return basic_pack(T(0));
    return each([n](auto x) EXPRAX_LAMBDA_INLINE { return word(unsign(x) << static_cast<bits>(n)); }, a);
  }
  EXPRAX_INLINE friend basic_pack operator>>(basic_pack a, int n) {
    if (n >= detail::width_of<T>) {
      if constexpr (std::is_signed_v<T>) n = detail::width_of<T> - 1;
      else return basic_pack(T(0));
    }
    return each([n](auto x) EXPRAX_LAMBDA_INLINE { return x >> static_cast<T>(n); }, a);
  }
  // A negative count is a large one.
  EXPRAX_INLINE friend basic_pack operator<<(basic_pack a, basic_pack n) {
    using unsigned_pack = basic_pack<bits, L>;
    auto const fits = bitcast<bits>(n) < unsigned_pack(static_cast<bits>(detail::width_of<T>));
    basic_pack const r = each([](auto x, auto k) EXPRAX_LAMBDA_INLINE { return word(unsign(x) << unsign(k)); }, a, n & basic_pack(T(detail::width_of<T> - 1)));
    return select(fits, r, basic_pack(T(0)));
  }
  EXPRAX_INLINE friend basic_pack operator>>(basic_pack a, basic_pack n) {
    using unsigned_pack = basic_pack<bits, L>;
    constexpr T last = T(detail::width_of<T> - 1);
    auto const fits = bitcast<bits>(n) < unsigned_pack(static_cast<bits>(detail::width_of<T>));
    auto const shifted = [](basic_pack x, basic_pack k) EXPRAX_LAMBDA_INLINE { return each([](auto v, auto m) EXPRAX_LAMBDA_INLINE { return v >> m; }, x, k); };
    if constexpr (std::is_signed_v<T>) return shifted(a, select(fits, n, basic_pack(last)));
    else return select(fits, shifted(a, n & basic_pack(last)), basic_pack(T(0)));
  }

  EXPRAX_INLINE friend mask operator==(basic_pack a, basic_pack b) { return mask::template compare<detail::relation::eq>(a, b); }
  EXPRAX_INLINE friend mask operator!=(basic_pack a, basic_pack b) { return mask::template compare<detail::relation::ne>(a, b); }
  EXPRAX_INLINE friend mask operator<(basic_pack a, basic_pack b) { return mask::template compare<detail::relation::lt>(a, b); }
  EXPRAX_INLINE friend mask operator<=(basic_pack a, basic_pack b) { return mask::template compare<detail::relation::le>(a, b); }
  EXPRAX_INLINE friend mask operator>(basic_pack a, basic_pack b) { return mask::template compare<detail::relation::gt>(a, b); }
  EXPRAX_INLINE friend mask operator>=(basic_pack a, basic_pack b) { return mask::template compare<detail::relation::ge>(a, b); }
  EXPRAX_INLINE friend basic_pack select(mask m, basic_pack a, basic_pack b) { return mask::choose(m, a, b); }
  EXPRAX_INLINE friend mask isnan(basic_pack x) { return x != x; }

  EXPRAX_INLINE friend basic_pack fma(basic_pack a, basic_pack b, basic_pack c) {
    if constexpr (!detail::is_float<T>) return a * b + c;
    else if constexpr (detail::has_fma)
      return each([](auto x, auto y, auto z) EXPRAX_LAMBDA_INLINE { return detail::fma_register<T, layout::bytes>(x, y, z); }, a, b, c);
    else if constexpr (sizeof(T) == 4) return fma_by_double(a, b, c);
    else return each_lane([](T x, T y, T z) { return detail::exact_fma(x, y, z); }, a, b, c);
  }
  EXPRAX_INLINE friend basic_pack sqrt(basic_pack x) {
    return each([](auto v) EXPRAX_LAMBDA_INLINE { return detail::sqrt_register<T, layout::bytes>(v); }, x);
  }
  EXPRAX_INLINE friend basic_pack floor(basic_pack x) { return rounded<detail::direction::down>(x); }
  EXPRAX_INLINE friend basic_pack ceil(basic_pack x) { return rounded<detail::direction::up>(x); }
  EXPRAX_INLINE friend basic_pack trunc(basic_pack x) { return rounded<detail::direction::to_zero>(x); }
  EXPRAX_INLINE friend basic_pack round_even(basic_pack x) { return rounded<detail::direction::to_even>(x); }
  EXPRAX_INLINE friend basic_pack abs(basic_pack x) {
    if constexpr (detail::is_float<T>) return x & bitcast<T>(basic_pack<bits, L>(static_cast<bits>(bits(~bits{0}) >> 1)));
    else if constexpr (std::is_signed_v<T>) return select(x < basic_pack(T(0)), -x, x);
    else return x;
  }
  EXPRAX_INLINE friend basic_pack copysign(basic_pack x, basic_pack sign) {
    auto const top = bitcast<T>(basic_pack<bits, L>(bits(bits{1} << (detail::width_of<T> - 1))));
    return (x & ~top) | (sign & top);
  }
  // x between low and high; NaN stays.
  EXPRAX_INLINE friend basic_pack bounded(basic_pack x, T low, T high) {
    auto const l = detail::broadcast<T, layout::bytes>(low);
    auto const h = detail::broadcast<T, layout::bytes>(high);
    return each([l, h](auto v) EXPRAX_LAMBDA_INLINE { return detail::bounded_register<T, layout::bytes>(v, l, h); }, x);
  }
  // x * 2^n for whole n, rounded once; |n| below twice the bias of the exponent.
  EXPRAX_INLINE friend basic_pack scale(basic_pack x, basic_pack n) {
    if constexpr (masks_are_bits)
      return each([](auto v, auto m) EXPRAX_LAMBDA_INLINE { return detail::scale_register<T, layout::bytes>(v, m); }, x, n);
    else return detail::scale_by_integers(x, n);
  }
  // Significand and exponent of x > 0, finite.
  EXPRAX_INLINE friend binade<basic_pack> split(basic_pack x) {
    if constexpr (masks_are_bits) {
      basic_pack const m = each([](auto v) EXPRAX_LAMBDA_INLINE { return detail::significand_register<T, layout::bytes>(v); }, x);
      auto const exponent = [](auto v) EXPRAX_LAMBDA_INLINE { return detail::exponent_register<T, layout::bytes>(v); };
      return {m, each(exponent, x) - each(exponent, m)};
    } else {
      return detail::split_by_integers(x);
    }
  }
  EXPRAX_INLINE friend basic_pack maximum(basic_pack a, basic_pack b) { return extreme<true>(a, b); }
  EXPRAX_INLINE friend basic_pack minimum(basic_pack a, basic_pack b) { return extreme<false>(a, b); }

 private:
  using bits = detail::bits_of<T>;

  EXPRAX_INLINE static auto unsign(typename layout::reg x) { return (detail::vec<bits, layout::bytes>)x; }
  EXPRAX_INLINE static typename layout::reg word(detail::vec<bits, layout::bytes> x) { return (typename layout::reg)x; }
  template <class F, class... A>
  EXPRAX_INLINE static basic_pack each(F f, A const&... a) {
    return detail::each_register<basic_pack>(f, a...);
  }
  template <detail::direction D>
  EXPRAX_INLINE static basic_pack rounded(basic_pack x) {
#if defined(__SSE2__) && !defined(__SSE4_1__)
    // No instruction: to integers and back where there is a fraction at all, with the sign of x.
    constexpr T limit = sizeof(T) == 4 ? T(0x1p23) : T(0x1p52);
    basic_pack const size = abs(x);
    basic_pack const even = (size + basic_pack(limit)) - basic_pack(limit);
    basic_pack const zero(T(0));
    basic_pack const one(T(1));
    basic_pack const signed_even = copysign(even, x);
    basic_pack r = signed_even;
    if constexpr (D == detail::direction::down) r = signed_even - select(signed_even > x, one, zero);
    if constexpr (D == detail::direction::up) r = signed_even + select(signed_even < x, one, zero);
    if constexpr (D == detail::direction::to_zero) r = even - select(even > size, one, zero);
    return select(size < basic_pack(limit), copysign(r, x), x);
#else
    return each([](auto v) EXPRAX_LAMBDA_INLINE { return detail::round_register<D, T, layout::bytes>(v); }, x);
#endif
  }
  template <bool Greater>
  EXPRAX_INLINE static basic_pack extreme(basic_pack a, basic_pack b) {
    if constexpr (!detail::is_float<T>) return Greater ? select(a > b, a, b) : select(a < b, a, b);
    else return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return detail::extreme_register<T, layout::bytes, Greater>(x, y); }, a, b);
  }
  // As types/exact_fma.hpp does it: the sum of the exact product and c rounded to odd, then to float.
  EXPRAX_INLINE static basic_pack fma_by_double(basic_pack a, basic_pack b, basic_pack c) {
    using real = basic_pack<double, L>;
    using word64 = basic_pack<std::uint64_t, L>;
    real const p = convert<double>(a) * convert<double>(b);
    real const z = convert<double>(c);
    real const s = p + z;
    real const virtual_z = s - p;
    real const error = (p - (s - virtual_z)) + (z - virtual_z);
    word64 const sum = bitcast<std::uint64_t>(s);
    word64 const one(1);
    mask const inexact = (error > real(0)) | (error < real(0));  // false where s is not finite
    mask const away = ~((error > real(0)) ^ (s > real(0)));
    word64 const step = select(away, one, word64(~std::uint64_t{0}));
    word64 const odd = select(inexact & ((sum & one) == word64(0)), sum + step, sum);
    return convert<float>(bitcast<double>(odd));
  }
};

}  // namespace exprax::simd

#endif

#if EXPRAX_SIMD

namespace exprax::simd {

namespace detail {

template <class T, int Lanes>
using chunk = vec<T, Lanes * static_cast<int>(sizeof(T))>;

template <class U, class T, int Lanes>
EXPRAX_INLINE chunk<U, Lanes> convert_chunk(chunk<T, Lanes> x) {
  if constexpr (std::is_same_v<T, U>) {
    return x;
  } else if constexpr (!is_float<T> && !is_float<U> && sizeof(T) == sizeof(U)) {
    return (chunk<U, Lanes>)x;
  } else if constexpr (!is_float<T> && ((is_float<U> && sizeof(T) < 4) || (!is_float<U> && 2 * sizeof(T) < sizeof(U)))) {
    using step = typename integer_of_size<2 * static_cast<int>(sizeof(T)), std::is_signed_v<T>>::type;
    return convert_chunk<U, step, Lanes>(__builtin_convertvector(x, chunk<step, Lanes>));
  } else if constexpr (!is_float<T> && !is_float<U> && sizeof(T) > 2 * sizeof(U)) {
    using step = typename integer_of_size<static_cast<int>(sizeof(T)) / 2, std::is_signed_v<T>>::type;
    return convert_chunk<U, step, Lanes>(__builtin_convertvector(x, chunk<step, Lanes>));
  } else if constexpr (!is_float<T> && !is_float<U> && sizeof(T) < sizeof(U)) {
    using step = typename integer_of_size<static_cast<int>(sizeof(U)), std::is_signed_v<T>>::type;  // extended by T's sign
    return (chunk<U, Lanes>)__builtin_convertvector(x, chunk<step, Lanes>);
  } else {
    return __builtin_convertvector(x, chunk<U, Lanes>);
  }
}

// Lanes from First on, Lanes of them, of register x that holds Held.
template <class T, int First, int Lanes, int Held, class A>
EXPRAX_INLINE chunk<T, Lanes> take(A x) {
  if constexpr (Lanes == Held) return x;
  else return part_of<First>(x, std::make_integer_sequence<int, Lanes>{});
}

// The chunks first .. first + count - 1 of a pack, converted and laid end to end.
template <class U, class T, int L, int Lanes, int First, int Count>
EXPRAX_INLINE chunk<U, Lanes * Count> convert_chunks(basic_pack<T, L> const& x) {
  if constexpr (Count == 1) {
    using from = layout<T, L>;
    constexpr int at = First * Lanes;
    return convert_chunk<U, T, Lanes>(take<T, at % from::used, Lanes, from::held>(x.reg[at / from::used]));
  } else {
    auto const low = convert_chunks<U, T, L, Lanes, First, Count / 2>(x);
    auto const high = convert_chunks<U, T, L, Lanes, First + Count / 2, Count / 2>(x);
    return joined(low, high, std::make_integer_sequence<int, Lanes * Count>{});
  }
}

// Between any two number types, without a look at what does not fit.
template <class U, class T, int L>
EXPRAX_INLINE basic_pack<U, L> convert_plain(basic_pack<T, L> const& x) {
  using from = layout<T, L>;
  using to = layout<U, L>;
  constexpr int lanes = from::used < to::used ? from::used : to::used;
  constexpr int chunks = to::used / lanes;
  basic_pack<U, L> r;
  [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
    [[maybe_unused]] auto const one = [&]<int J>(std::integral_constant<int, J>) EXPRAX_LAMBDA_INLINE {
      auto const y = convert_chunks<U, T, L, lanes, J * chunks, chunks>(x);
      if constexpr (to::used == to::held) r.reg[J] = y;
      else r.reg[J] = lengthened<to::used>(y, std::make_integer_sequence<int, to::held>{});
    };
    (one(std::integral_constant<int, I>{}), ...);
  }(typename to::indices{});
  return r;
}

}  // namespace detail

// The same bits as another type of the same size.
template <class U, class T, int L>
EXPRAX_INLINE basic_pack<U, L> bitcast(basic_pack<T, L> x) {
  return detail::reinterpret<basic_pack<U, L>>(x);
}

// As C, but total: what lies beyond the integers saturates, NaN is 0. bool: not zero; 1 and 0.
template <class U, class T, int L>
EXPRAX_INLINE basic_pack<U, L> convert(basic_pack<T, L> x) {
  using P = basic_pack<T, L>;
  using R = basic_pack<U, L>;
  if constexpr (std::is_same_v<T, U>) {
    return x;
  } else if constexpr (std::is_same_v<T, bool>) {
    return select(x, R(U(1)), R(U(0)));
  } else if constexpr (std::is_same_v<U, bool>) {
    return x != P(T(0));
  } else if constexpr (detail::is_float<T> && !detail::is_float<U>) {
    using I = std::conditional_t<(sizeof(U) < 4), std::int32_t, U>;
    constexpr T low = static_cast<T>(std::numeric_limits<U>::min());
    constexpr T high = static_cast<T>(std::numeric_limits<U>::max() / 2 + 1) * T(2);  // one more than the greatest
    auto const above = x >= P(high);
    P const known = select(above | isnan(x), P(T(0)), x);
    P const inside = select(known < P(low), P(low), known);
    return select(above, R(std::numeric_limits<U>::max()), detail::convert_plain<U>(detail::convert_plain<I>(inside)));
  } else {
    return detail::convert_plain<U>(x);
  }
}

}  // namespace exprax::simd

#endif

// exprax/emit/pack_mask.hpp
// pack<bool, L>, the mask of every pack of L elements. AVX-512: a bit for each lane, in words of up to 16 lanes (the lanes of a
// float register). Elsewhere: integers of 32 bits, or of 64 where 32 do not fill a register.

#if EXPRAX_SIMD

namespace exprax::simd {

namespace detail {

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)

template <int L>
struct mask_layout {
  static constexpr int used = L < 16 ? L : 16;
  static constexpr int registers = L / used;
  using reg = std::conditional_t<(L < 16), std::uint8_t, std::uint16_t>;
  using indices = std::make_integer_sequence<int, registers>;
  static constexpr reg ones = static_cast<reg>((1u << used) - 1u);
};

template <int L>
struct mask_storage {
  using layout = mask_layout<L>;
  typename layout::reg reg[layout::registers];

  EXPRAX_INLINE static mask_storage filled(bool x) {
    mask_storage r;
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      ((r.reg[I] = x ? layout::ones : typename layout::reg(0)), ...);
    }(typename layout::indices{});
    return r;
  }
  template <relation R, class T>
  EXPRAX_INLINE static mask_storage compare(basic_pack<T, L> const& a, basic_pack<T, L> const& b) {
    using of = detail::layout<T, L>;
    return gather<T>([&]<int I>(std::integral_constant<int, I>) EXPRAX_LAMBDA_INLINE {
      return compare_register<R, T, of::bytes>(a.reg[I], b.reg[I]);
    });
  }
  template <class T>
  EXPRAX_INLINE static basic_pack<T, L> choose(mask_storage const& m, basic_pack<T, L> const& a, basic_pack<T, L> const& b) {
    using of = detail::layout<T, L>;
    basic_pack<T, L> r;
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      ((r.reg[I] = select_register<T, of::bytes>(m.template lanes_of<T, I>(), a.reg[I], b.reg[I])), ...);
    }(typename of::indices{});
    return r;
  }
  // The bits of register I of a pack of T.
  template <class T, int I>
  EXPRAX_INLINE auto lanes_of() const {
    constexpr int n = detail::layout<T, L>::used;
    if constexpr (n == layout::used) {
      return reg[I];
    } else if constexpr (n < layout::used) {
      auto const word = reg[I * n / layout::used];
      constexpr unsigned at = I * n % layout::used;
      if constexpr (at == 0) return static_cast<__mmask8>(word);
      else return static_cast<__mmask8>(_kshiftri_mask16(word, at));
    } else if constexpr (n == 32) {
      return static_cast<__mmask32>(_mm512_kunpackw(reg[2 * I + 1], reg[2 * I]));
    } else {
      return static_cast<__mmask64>(_mm512_kunpackd(_mm512_kunpackw(reg[4 * I + 3], reg[4 * I + 2]), _mm512_kunpackw(reg[4 * I + 1], reg[4 * I])));
    }
  }
  // From the bits of each register of a pack of T.
  template <class T, class F>
  EXPRAX_INLINE static mask_storage gather(F bits_of_register) {
    constexpr int n = detail::layout<T, L>::used;
    mask_storage r;
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      ((r.reg[I] = word_of<n, I>(bits_of_register)), ...);
    }(typename layout::indices{});
    return r;
  }
  template <class F>
  EXPRAX_INLINE static mask_storage each(F f, mask_storage const& a, mask_storage const& b) {
    mask_storage r;
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      ((r.reg[I] = static_cast<typename layout::reg>(f(a.reg[I], b.reg[I]))), ...);
    }(typename layout::indices{});
    return r;
  }
  EXPRAX_INLINE bool any() const {
    return [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      return ((reg[I] | ...) & layout::ones) != 0;
    }(typename layout::indices{});
  }

 private:
  template <int N, int I, class F>
  EXPRAX_INLINE static typename layout::reg word_of(F bits) {
    constexpr int w = layout::used;
    if constexpr (N == w) {
      return static_cast<typename layout::reg>(bits(std::integral_constant<int, I>{}));
    } else if constexpr (N > w) {
      return static_cast<typename layout::reg>(bits(std::integral_constant<int, I * w / N>{}) >> (I * w % N));
    } else if constexpr (2 * N == w && N == 8) {
      return _mm512_kunpackb(bits(std::integral_constant<int, 2 * I + 1>{}), bits(std::integral_constant<int, 2 * I>{}));
    } else {
      unsigned word = 0;
      [&]<int... J>(std::integer_sequence<int, J...>) EXPRAX_LAMBDA_INLINE {
        ((word |= static_cast<unsigned>(bits(std::integral_constant<int, I * w / N + J>{}) & ((1u << N) - 1u)) << (J * N)), ...);
      }(std::make_integer_sequence<int, w / N>{});
      return static_cast<typename layout::reg>(word);
    }
  }
};

#else

template <int L>
using mask_integer = std::conditional_t<(L * 4 < register_bytes && L * 8 <= register_bytes), std::int64_t, std::int32_t>;

template <int L>
struct mask_storage {
  using integer = mask_integer<L>;
  using lanes = basic_pack<integer, L>;
  using layout = typename lanes::layout;
  lanes value;

  EXPRAX_INLINE static mask_storage filled(bool x) { return {lanes(x ? integer(-1) : integer(0))}; }
  template <relation R, class T>
  EXPRAX_INLINE static mask_storage compare(basic_pack<T, L> const& a, basic_pack<T, L> const& b) {
    using all = basic_pack<signed_of<T>, L>;
    return {convert<integer>(each_register<all>([](auto x, auto y) EXPRAX_LAMBDA_INLINE {
      using reg = typename all::layout::reg;
      if constexpr (R == relation::eq) return (reg)(x == y);
      else if constexpr (R == relation::ne) return (reg)(x != y);
      else if constexpr (R == relation::lt) return (reg)(x < y);
      else if constexpr (R == relation::le) return (reg)(x <= y);
      else if constexpr (R == relation::gt) return (reg)(x > y);
      else return (reg)(x >= y);
    }, a, b))};
  }
  template <class T>
  EXPRAX_INLINE static basic_pack<T, L> choose(mask_storage const& m, basic_pack<T, L> const& a, basic_pack<T, L> const& b) {
    constexpr int bytes = detail::layout<T, L>::bytes;
    return each_register<basic_pack<T, L>>([](auto c, auto x, auto y) EXPRAX_LAMBDA_INLINE {
      using condition = typename batch_of<T, bytes>::batch_bool_type;
      return from_batch<T, bytes>(xsimd::select(condition((typename condition::register_type)c), to_batch<T, bytes>(x), to_batch<T, bytes>(y)));
    }, convert<signed_of<T>>(m.value), a, b);
  }
  template <class F>
  EXPRAX_INLINE static mask_storage each(F f, mask_storage const& a, mask_storage const& b) {
    return {each_register<lanes>(f, a.value, b.value)};
  }
  EXPRAX_INLINE bool any() const {
    auto const all = [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      return (value.reg[I] | ...);
    }(typename layout::indices{});
    using condition = typename batch_of<integer, layout::bytes>::batch_bool_type;
    return xsimd::any(condition((typename condition::register_type)all));
  }
};

#endif

}  // namespace detail

template <int L>
struct basic_pack<bool, L> {
  using value_type = bool;
  using mask = basic_pack;
  template <class U>
  using rebind = basic_pack<U, L>;
  static constexpr int size = L;

  detail::mask_storage<L> bits;

  basic_pack() = default;
  EXPRAX_INLINE explicit basic_pack(bool x) : bits(detail::mask_storage<L>::filled(x)) {}
  EXPRAX_INLINE explicit basic_pack(detail::mask_storage<L> const& b) : bits(b) {}

  template <detail::relation R, class T>
  EXPRAX_INLINE static basic_pack compare(basic_pack<T, L> const& a, basic_pack<T, L> const& b) {
    return basic_pack(detail::mask_storage<L>::template compare<R, T>(a, b));
  }
  template <class T>
  EXPRAX_INLINE static basic_pack<T, L> choose(basic_pack const& m, basic_pack<T, L> const& a, basic_pack<T, L> const& b) {
    return detail::mask_storage<L>::template choose<T>(m.bits, a, b);
  }

  EXPRAX_INLINE friend basic_pack operator&(basic_pack a, basic_pack b) {
    return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return x & y; }, a, b);
  }
  EXPRAX_INLINE friend basic_pack operator|(basic_pack a, basic_pack b) {
    return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return x | y; }, a, b);
  }
  EXPRAX_INLINE friend basic_pack operator^(basic_pack a, basic_pack b) {
    return each([](auto x, auto y) EXPRAX_LAMBDA_INLINE { return x ^ y; }, a, b);
  }
  EXPRAX_INLINE friend basic_pack operator~(basic_pack a) {
    return each([](auto x, auto) EXPRAX_LAMBDA_INLINE { return ~x; }, a, a);
  }
  // false < true
  EXPRAX_INLINE friend basic_pack operator==(basic_pack a, basic_pack b) { return ~(a ^ b); }
  EXPRAX_INLINE friend basic_pack operator!=(basic_pack a, basic_pack b) { return a ^ b; }
  EXPRAX_INLINE friend basic_pack operator<(basic_pack a, basic_pack b) { return ~a & b; }
  EXPRAX_INLINE friend basic_pack operator<=(basic_pack a, basic_pack b) { return ~a | b; }
  EXPRAX_INLINE friend basic_pack operator>(basic_pack a, basic_pack b) { return a & ~b; }
  EXPRAX_INLINE friend basic_pack operator>=(basic_pack a, basic_pack b) { return a | ~b; }
  EXPRAX_INLINE friend basic_pack select(basic_pack m, basic_pack a, basic_pack b) { return (m & a) | (~m & b); }
  EXPRAX_INLINE friend basic_pack maximum(basic_pack a, basic_pack b) { return a | b; }
  EXPRAX_INLINE friend basic_pack minimum(basic_pack a, basic_pack b) { return a & b; }
  EXPRAX_INLINE friend bool any(basic_pack m) { return m.bits.any(); }
  EXPRAX_INLINE friend bool all(basic_pack m) { return !any(~m); }

 private:
  template <class F>
  EXPRAX_INLINE static basic_pack each(F f, basic_pack a, basic_pack b) {
    return basic_pack(detail::mask_storage<L>::each(f, a.bits, b.bits));
  }
};

}  // namespace exprax::simd

#endif

// exprax/emit/pack_memory.hpp
// Packs to and from memory, whole or in part. Arrays of bool are bytes of 0 and 1.

namespace exprax::simd {

#if EXPRAX_SIMD
namespace detail {

template <class T, int L>
EXPRAX_INLINE basic_pack<T, L> load_all(T const* p) {
  using of = layout<T, L>;
  basic_pack<T, L> r;
  [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
    ((r.reg[I] = load_register<T, of::bytes, of::used>(p + I * of::used)), ...);
  }(typename of::indices{});
  return r;
}
template <class T, int L>
EXPRAX_INLINE void store_all(basic_pack<T, L> const& x, T* p) {
  using of = layout<T, L>;
  [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
    (store_register<T, of::bytes, of::used>(x.reg[I], p + I * of::used), ...);
  }(typename of::indices{});
}

// A bool as the byte that it is in memory.
template <class T>
using stored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;
EXPRAX_INLINE std::uint8_t const* bytes_of(bool const* p) { return reinterpret_cast<std::uint8_t const*>(p); }
EXPRAX_INLINE std::uint8_t* bytes_of(bool* p) { return reinterpret_cast<std::uint8_t*>(p); }

// With mask registers: a bit for each of the first n lanes.
template <int Lanes>
EXPRAX_INLINE std::uint64_t first_bits(int n) {
  int const count = n < 0 ? 0 : n > Lanes ? Lanes : n;
  if constexpr (Lanes == 64) return count == 0 ? 0 : ~std::uint64_t{0} >> (64 - count);
  else return (std::uint64_t{1} << count) - 1;
}

template <class T, int L>
EXPRAX_INLINE basic_pack<T, L> load_some(T const* p, int n, T fill) {
  if constexpr (masks_are_bits) {
    using of = layout<T, L>;
    basic_pack<T, L> r(fill);
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      ((r.reg[I] = masked_load<T, of::bytes>(first_bits<of::used>(n - I * of::used), p + I * of::used, r.reg[I])), ...);
    }(typename of::indices{});
    return r;
  } else {
    T lanes[L];
    for (int i = 0; i < L; ++i) lanes[i] = i < n ? p[i] : fill;
    return load_all<T, L>(lanes);
  }
}
template <class T, int L>
EXPRAX_INLINE void store_some(basic_pack<T, L> const& x, T* p, int n) {
  if constexpr (masks_are_bits) {
    using of = layout<T, L>;
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      (masked_store<T, of::bytes>(first_bits<of::used>(n - I * of::used), x.reg[I], p + I * of::used), ...);
    }(typename of::indices{});
  } else {
    T lanes[L];
    store_all<T, L>(x, lanes);
    for (int i = 0; i < L && i < n; ++i) p[i] = lanes[i];
  }
}

template <int L>
EXPRAX_INLINE basic_pack<bool, L> from_bytes(basic_pack<std::uint8_t, L> const& x) {
  return x != basic_pack<std::uint8_t, L>(std::uint8_t{0});
}

}  // namespace detail
#endif

template <class T, int L>
EXPRAX_INLINE constexpr pack<T, L> load(T const* p) {
  if constexpr (L == 1) {
    return lane<T>(*p);
  } else {
#if EXPRAX_SIMD
    if constexpr (std::is_same_v<T, bool>) return detail::from_bytes<L>(detail::load_all<std::uint8_t, L>(detail::bytes_of(p)));
    else return detail::load_all<T, L>(p);
#endif
  }
}
// The first n elements, n from 0 to L; the other lanes are `fill`, their memory is not read.
template <class T, int L>
EXPRAX_INLINE constexpr pack<T, L> load_partial(T const* p, int n, T fill = T{}) {
  if constexpr (L == 1) {
    return lane<T>(n > 0 ? *p : fill);
  } else {
#if EXPRAX_SIMD
    if constexpr (std::is_same_v<T, bool>)
      return detail::from_bytes<L>(detail::load_some<std::uint8_t, L>(detail::bytes_of(p), n, static_cast<std::uint8_t>(fill)));
    else return detail::load_some<T, L>(p, n, fill);
#endif
  }
}

template <class T>
EXPRAX_INLINE constexpr void store(lane<T> x, T* p) {
  *p = x.value;
}
// The first n elements.
template <class T>
EXPRAX_INLINE constexpr void store_partial(lane<T> x, T* p, int n) {
  if (n > 0) *p = x.value;
}

#if EXPRAX_SIMD
template <class T, int L>
EXPRAX_INLINE void store(basic_pack<T, L> x, T* p) {
  if constexpr (std::is_same_v<T, bool>) detail::store_all<std::uint8_t, L>(convert<std::uint8_t>(x), detail::bytes_of(p));
  else detail::store_all<T, L>(x, p);
}
template <class T, int L>
EXPRAX_INLINE void store_partial(basic_pack<T, L> x, T* p, int n) {
  if constexpr (std::is_same_v<T, bool>) detail::store_some<std::uint8_t, L>(convert<std::uint8_t>(x), detail::bytes_of(p), n);
  else detail::store_some<T, L>(x, p, n);
}

// f of each element, for what has no form over whole packs.
template <class F, class T, int L, class... Others>
EXPRAX_INLINE basic_pack<T, L> each_lane(F f, basic_pack<T, L> const& a, Others const&... others) {
  auto const at = [](basic_pack<T, L> const& x, int i) EXPRAX_LAMBDA_INLINE {
    using of = typename basic_pack<T, L>::layout;
    return x.reg[i / of::used][i % of::used];
  };
  T lanes[L];
  for (int i = 0; i < L; ++i) lanes[i] = f(at(a, i), at(others, i)...);
  return detail::load_all<T, L>(lanes);
}
#endif

namespace detail {

template <class T, int L>
struct numbers {
  T of[L] = {};
  constexpr numbers() {
    for (int i = 0; i < L; ++i) of[i] = static_cast<T>(i);
  }
};
template <class T, int L>
inline constexpr numbers<T, L> numbers_from_zero{};

}  // namespace detail

// 0, 1, 2, ...
template <class T, int L>
EXPRAX_INLINE constexpr pack<T, L> iota() {
  return load<T, L>(detail::numbers_from_zero<T, L>.of);
}

}  // namespace exprax::simd

// exprax/emit/pack_permute.hpp
// Constant permutations of lanes, within one pack, from two, and between arrays of packs (slices, pads and transposes of small
// arrays that stay in registers). One shuffle for each source register after the first that a result register draws from.

#if EXPRAX_SIMD

namespace exprax::simd {

namespace detail {

// Where the lanes of one result register come from: source registers in the order of first use, and lanes in them.
template <int Held>
struct register_route {
  int sources = 0;
  int source[Held] = {};
  int from[Held] = {};  // the source, as an index of `source`; -1: any value
  int at[Held] = {};
};

// Table::at[i] is the lane of all inputs laid end to end that lane i of all results takes, -1 for any value.
template <class Table, int Result, int Used, int Held>
constexpr register_route<Held> make_route() {
  register_route<Held> r;
  for (int i = 0; i < Held; ++i) {
    int const lane = i < Used ? Table::at[Result * Used + i] : -1;
    r.from[i] = -1;
    if (lane < 0) continue;
    int k = 0;
    while (k < r.sources && r.source[k] != lane / Used) ++k;
    if (k == r.sources) r.source[r.sources++] = lane / Used;
    r.from[i] = k;
    r.at[i] = lane % Used;
  }
  return r;
}
template <class Table, int Result, int Used, int Held>
inline constexpr register_route<Held> route = make_route<Table, Result, Used, Held>();

// Lane i when sources K and K + 1 are the operands (K = 0), or what is gathered so far and source K.
template <class Table, int Result, int Used, int Held, int K>
constexpr int shuffle_index(int i) {
  auto const& r = route<Table, Result, Used, Held>;
  if (r.from[i] < 0 || r.from[i] > (K == 0 ? 1 : K)) return -1;
  if (K == 0) return r.from[i] * Held + r.at[i];
  return r.from[i] == K ? Held + r.at[i] : i;
}

template <class Table, int Result, int Used, int Held, int K, class Reg, int... I>
EXPRAX_INLINE Reg shuffle_step(Reg a, Reg b, std::integer_sequence<int, I...>) {
  return shuffle<shuffle_index<Table, Result, Used, Held, K>(I)...>(a, b);
}

template <class Table, int Result, int Used, int Held, int K, class Reg>
EXPRAX_INLINE Reg gather_rest(Reg so_far, Reg const* in) {
  constexpr auto const& r = route<Table, Result, Used, Held>;
  if constexpr (K >= r.sources) return so_far;
  else return gather_rest<Table, Result, Used, Held, K + 1>(
      shuffle_step<Table, Result, Used, Held, K>(so_far, in[r.source[K]], std::make_integer_sequence<int, Held>{}), in);
}

template <class Table, int Result, int Used, int Held>
constexpr bool is_copy() {
  auto const& r = route<Table, Result, Used, Held>;
  for (int i = 0; i < Held; ++i)
    if (r.from[i] >= 0 && r.at[i] != i) return false;
  return r.sources == 1;
}

template <class Table, int Result, int Used, int Held, class Reg>
EXPRAX_INLINE Reg gather_register(Reg const* in) {
  constexpr auto const& r = route<Table, Result, Used, Held>;
  if constexpr (r.sources == 0) {
    return Reg{};
  } else if constexpr (is_copy<Table, Result, Used, Held>()) {
    return in[r.source[0]];
  } else {
    Reg const a = in[r.source[0]];
    Reg const b = in[r.source[r.sources > 1 ? 1 : 0]];
    return gather_rest<Table, Result, Used, Held, 2>(shuffle_step<Table, Result, Used, Held, 0>(a, b, std::make_integer_sequence<int, Held>{}), in);
  }
}

// All registers of out, by a table in lanes.
template <class Table, class P, class Reg>
EXPRAX_INLINE void permute_registers(Reg const* in, P* out) {
  using of = typename P::layout;
  [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
    ((out[I / of::registers].reg[I % of::registers] = gather_register<Table, I, of::used, of::held>(in)), ...);
  }(std::make_integer_sequence<int, of::registers * Table::size / P::size>{});
}

template <int... I>
struct index_list {
  static constexpr int size = sizeof...(I);
  static constexpr int at[sizeof...(I)] = {I...};
};

// Table with lane i of one more input, the one from lane `Fill` on, in place of -1.
template <class Table, int Size, int L, int Fill>
struct filled_table {
  static constexpr int size = Size;
  struct indices {
    int of[Size];
    constexpr int operator[](int i) const { return of[i]; }
  };
  static constexpr indices make() {
    indices r{};
    for (int i = 0; i < Size; ++i) r.of[i] = Table::at[i] < 0 ? Fill + i % L : Table::at[i];
    return r;
  }
  static constexpr indices at = make();
};

}  // namespace detail

// Lane k of the result is lane I[k] of v, or of a and b laid end to end; -1 is any value.
template <int... I, class T, int L>
EXPRAX_INLINE basic_pack<T, L> permute(basic_pack<T, L> v) {
  static_assert(sizeof...(I) == L, "exprax: permute takes an index for each lane");
  if constexpr (std::is_same_v<T, bool>) {
    return detail::from_bytes<L>(permute<I...>(convert<std::uint8_t>(v)));
  } else {
    basic_pack<T, L> r;
    detail::permute_registers<detail::index_list<I...>>(v.reg, &r);
    return r;
  }
}
template <int... I, class T, int L>
EXPRAX_INLINE basic_pack<T, L> permute(basic_pack<T, L> a, basic_pack<T, L> b) {
  static_assert(sizeof...(I) == L, "exprax: permute takes an index for each lane");
  if constexpr (std::is_same_v<T, bool>) {
    return detail::from_bytes<L>(permute<I...>(convert<std::uint8_t>(a), convert<std::uint8_t>(b)));
  } else {
    using of = detail::layout<T, L>;
    typename of::reg in[2 * of::registers];
    [&]<int... R>(std::integer_sequence<int, R...>) EXPRAX_LAMBDA_INLINE {
      ((in[R] = a.reg[R], in[of::registers + R] = b.reg[R]), ...);
    }(typename of::indices{});
    basic_pack<T, L> r;
    detail::permute_registers<detail::index_list<I...>>(in, &r);
    return r;
  }
}

// Lane i of out[k] is lane Table::at[k * L + i] of all inputs laid end to end; where that is -1, lane i of fill.
template <class Table, int NO, int NI, class T, int L>
EXPRAX_INLINE void permute_wide(basic_pack<T, L> const (&in)[NI], basic_pack<T, L> (&out)[NO], basic_pack<T, L> fill) {
  if constexpr (std::is_same_v<T, bool>) {
    using bytes = basic_pack<std::uint8_t, L>;
    bytes from[NI];
    bytes to[NO];
    for (int i = 0; i < NI; ++i) from[i] = convert<std::uint8_t>(in[i]);
    permute_wide<Table>(from, to, convert<std::uint8_t>(fill));
    for (int i = 0; i < NO; ++i) out[i] = detail::from_bytes<L>(to[i]);
  } else {
    using of = detail::layout<T, L>;
    typename of::reg all[(NI + 1) * of::registers];
    [&]<int... R>(std::integer_sequence<int, R...>) EXPRAX_LAMBDA_INLINE {
      ((all[R] = in[R / of::registers].reg[R % of::registers]), ...);
    }(std::make_integer_sequence<int, NI * of::registers>{});
    [&]<int... R>(std::integer_sequence<int, R...>) EXPRAX_LAMBDA_INLINE {
      ((all[NI * of::registers + R] = fill.reg[R]), ...);
    }(typename of::indices{});
    detail::permute_registers<detail::filled_table<Table, NO * L, L, NI * L>>(all, out);
  }
}

namespace detail {
template <class P, int... I>
EXPRAX_INLINE P reversed(P v, std::integer_sequence<int, I...>) {
  return permute<(P::size - 1 - I)...>(v);
}
}  // namespace detail

// The lanes in reverse order.
template <class T, int L>
EXPRAX_INLINE basic_pack<T, L> reverse(basic_pack<T, L> v) {
  return detail::reversed(v, std::make_integer_sequence<int, L>{});
}

}  // namespace exprax::simd

#endif

namespace exprax::simd {

// True in lanes 0 to n - 1.
template <class T, int L>
EXPRAX_INLINE constexpr pack<bool, L> first_lanes(int n) {
  using I = std::conditional_t<sizeof(T) == 8, std::int64_t, std::conditional_t<sizeof(T) == 4, std::int32_t, std::conditional_t<sizeof(T) == 2, std::int16_t, std::int8_t>>>;
  return iota<I, L>() < pack<I, L>(static_cast<I>(n));
}

}  // namespace exprax::simd

// exprax/primitives/all.hpp
// All primitives.

// exprax/primitives/abs.hpp
// abs (jax.lax.abs): the magnitude; the smallest signed integer stays as it is.

// exprax/primitives/elementwise.hpp
// Families of the elementwise primitives: all rules but the kernel. Laws: each operand has rank 0 or the rank of the
// result with every axis equal or 1 (then it is broadcast); operands share one dtype where a family does not say otherwise.
//
//   family             kernel, a static constexpr member of primitive<P>, V a lane or a pack, M its mask
//   unary_float        V(V)          floats
//   unary_predicate    M(V)          floats
//   unary              V(V)          numbers
//   unary_logical      V(V)          bool and integers
//   binary             V(V, V)       numbers
//   binary_float       V(V, V)       floats
//   binary_logical     V(V, V)       bool and integers
//   comparison         M(V, V)       every dtype
//   select_family      V(M, V, V)    which, the case of false, the case of true; `which` may be i32 with n cases
//   clamp_family       V(V, V, V)    min, x, max; numbers
//   fma_family         V(V, V, V)    floats
//   convert_family     kernel<U>(V) -> V::rebind<U>
//   integer_pow_family V(V, int)     numbers; the exponent is parameter 0

#include <utility>

namespace exprax::detail {

constexpr bool is_number(dtype d) { return !is_bool(d); }
constexpr bool is_logical(dtype d) { return !is_floating(d); }

// The shape that the operands have together; out keeps its dtype. False: they do not fit.
constexpr bool join_shapes(equation_ref const& e, aval* out) {
  out->rank = 0;
  for (int k = 0; k < e.n_in(); ++k) {
    aval const& t = e.type(k);
    if (t.rank == 0) continue;
    if (out->rank == 0) {
      out->rank = t.rank;
      for (int i = 0; i < t.rank; ++i) out->dims[i] = t.dims[i];
      continue;
    }
    if (t.rank != out->rank) return false;
    for (int i = 0; i < t.rank; ++i) {
      if (t.dims[i] == out->dims[i] || t.dims[i] == 1) continue;
      if (out->dims[i] != 1) return false;
      out->dims[i] = t.dims[i];
    }
  }
  return true;
}

// The joined shape and the common dtype of operands first, first + 1, ...; weak if all of those are weak.
constexpr bool join_operands(equation_ref const& e, aval* out, int first = 0) {
  out->type = e.type(first).type;
  out->weak = true;
  for (int k = first; k < e.n_in(); ++k) {
    if (e.type(k).type != out->type) return false;
    out->weak = out->weak && e.type(k).weak;
  }
  return join_shapes(e, out);
}

// Reads an operand at the place of element i of the result.
class broadcast_reader {
 public:
  constexpr broadcast_reader(std::uint64_t const* data, aval const& operand, aval const& result) : data_(data) {
    if (operand.rank == 0) return;
    dense_ = operand.same_shape(result);
    if (dense_) return;
    rank_ = result.rank;
    strides const of(operand);
    for (int i = 0; i < rank_; ++i) {
      dims_[i] = result.dims[i];
      step_[i] = operand.dims[i] == 1 ? 0 : of[i];
    }
  }
  constexpr std::uint64_t operator[](std::ptrdiff_t i) const {
    if (dense_) return data_[i];
    std::ptrdiff_t at = 0;
    for (int k = rank_ - 1; k >= 0; --k) {
      at += i % dims_[k] * step_[k];
      i /= dims_[k];
    }
    return data_[at];
  }

 private:
  std::uint64_t const* data_;
  bool dense_ = false;
  int rank_ = 0;
  int dims_[max_rank] = {};
  std::ptrdiff_t step_[max_rank] = {};
};

// out[i] = f(lane<T> of each operand), T being the dtype of the operands.
template <class T, class Machine, class F, int... K>
constexpr void evaluate_lanes(Machine& m, equation_ref const& e, F f, std::integer_sequence<int, K...>) {
  aval const& type = e.out_type(0);
  broadcast_reader const in[] = {broadcast_reader(m.in(e, K), e.type(K), type)...};
  std::uint64_t* const out = m.out(e, 0);
  std::ptrdiff_t const n = type.size();
  for (std::ptrdiff_t i = 0; i < n; ++i) out[i] = to_bits(f(lane<T>(from_bits<T>(in[K][i]))...).value);
}

// Evaluation with primitive<P>::kernel, for the dtypes that Accepts allows (others do not pass infer).
template <prim P, int N, bool (*Accepts)(dtype), class Machine>
constexpr void evaluate_kernel(Machine& m, equation_ref const& e) {
  with_element(e.type(0).type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (Accepts(dtype_of<T>))
      evaluate_lanes<T>(m, e, [](auto... x) { return primitive<P>::kernel(x...); }, std::make_integer_sequence<int, N>{});
  });
}

// jax.interpreters.batching.broadcast_batcher. Where all operands but scalars agree in shape and batch axis, the equation
// is applied as it is; otherwise batch axes move to the front, and what is not batched gets an axis of 1 there.
template <class Context>
constexpr void batch_elementwise(Context& c, equation_ref const& e) {
  if (c.operands_agree()) return c.apply(e);
  int v[3] = {};
  for (int k = 0; k < e.n_in(); ++k) v[k] = c.value(e, k);
  int const rank = e.out_type(0).rank + 1;
  for (int k = 0; k < e.n_in(); ++k)
    if (c.type(v[k]).rank > 0) v[k] = c.at_front(v[k], c.dim(e, k), 1);
  for (int k = 0; k < e.n_in(); ++k)
    if (c.dim(e, k) >= 0) v[k] = c.with_trailing_ones(v[k], rank);
  c.replace(e, {v, e.n_in()}, e.params(), 0);
}

// What all elementwise families share.
struct elementwise_rules {
  static constexpr op_class kind = op_class::elementwise;
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    batch_elementwise(c, e);
  }
  template <class Printer>
  static constexpr void print(Printer&, equation_ref const&) {}
};

// N operands of one dtype, a result of the same dtype (or of bool, for predicates).
template <prim P, int N, bool (*Accepts)(dtype), bool Predicate = false>
struct uniform_rules : elementwise_rules {
  static constexpr int arity = N;
  static constexpr bool accepts(dtype d) { return Accepts(d); }
  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != N || e.n_par() != 0 || !join_operands(e, out) || !Accepts(out->type)) return false;
    if (Predicate) *out = out->with_type(dtype::b1);
    return true;
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    evaluate_kernel<P, N, Accepts>(m, e);
  }
};

constexpr bool is_any(dtype) { return true; }

template <prim P> struct unary_float : uniform_rules<P, 1, is_floating> {};
template <prim P> struct unary_predicate : uniform_rules<P, 1, is_floating, true> {};
template <prim P> struct unary : uniform_rules<P, 1, is_number> {};
template <prim P> struct unary_logical : uniform_rules<P, 1, is_logical> {};
template <prim P> struct binary : uniform_rules<P, 2, is_number> {};
template <prim P> struct binary_float : uniform_rules<P, 2, is_floating> {};
template <prim P> struct binary_logical : uniform_rules<P, 2, is_logical> {};
template <prim P> struct comparison : uniform_rules<P, 2, is_any, true> {};
template <prim P> struct clamp_family : uniform_rules<P, 3, is_number> {};
template <prim P> struct fma_family : uniform_rules<P, 3, is_floating> {};

template <prim P>
struct integer_pow_family : elementwise_rules {
  static constexpr bool infer(equation_ref const& e, aval* out) {
    return e.n_in() == 1 && e.n_par() == 1 && join_operands(e, out) && is_number(out->type);
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    int const y = e.param(0);
    with_element(e.type(0).type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      if constexpr (is_number(dtype_of<T>))
        evaluate_lanes<T>(m, e, [y](auto x) { return primitive<P>::kernel(x, y); }, std::make_integer_sequence<int, 1>{});
    });
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("y");
    o.integer(e.param(0));
  }
};

// Parameters: new dtype, weak (0 or 1).
template <prim P>
struct convert_family : elementwise_rules {
  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_par() != 2 || e.param(0) < 0 || e.param(0) >= dtype_count) return false;
    *out = e.type(0).with_type(static_cast<dtype>(e.param(0)), e.param(1) != 0);
    return true;
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    with_element(e.type(0).type, [&](auto from) {
      using T = typename decltype(from)::type;
      with_element(static_cast<dtype>(e.param(0)), [&](auto to) {
        using U = typename decltype(to)::type;
        evaluate_lanes<T>(m, e, [](auto x) { return primitive<P>::template kernel<U>(x); }, std::make_integer_sequence<int, 1>{});
      });
    });
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("new_dtype");
    o.dtype(static_cast<dtype>(e.param(0)));
    o.key("weak_type");
    o.boolean(e.param(1) != 0);
  }
};

// which (bool with two cases, or i32 with any number), case 0, case 1, ...
template <prim P>
struct select_family : elementwise_rules {
  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() < 2 || e.n_par() != 0) return false;
    dtype const which = e.type(0).type;
    if (which != dtype::i32 && !(which == dtype::b1 && e.n_in() <= 3)) return false;
    return join_operands(e, out, 1);
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    aval const& type = e.out_type(0);
    int const cases = e.n_in() - 1;
    broadcast_reader const which(m.in(e, 0), e.type(0), type);
    std::uint64_t* const out = m.out(e, 0);
    std::ptrdiff_t const n = type.size();
    for (int k = 0; k < cases; ++k) {
      broadcast_reader const in(m.in(e, 1 + k), e.type(1 + k), type);
      for (std::ptrdiff_t i = 0; i < n; ++i) {
        int const w = from_bits<int>(which[i]);
        if ((w < 0 ? 0 : w >= cases ? cases - 1 : w) == k) out[i] = in[i];  // an index out of range takes the nearest case
      }
    }
  }
  // jax.lax's _select_batch_rule: a scalar `which` that is not batched stays one; one that is takes the shape of the cases.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const n = e.n_in(), d = c.dim(e, 1);
    arena<int> v;
    for (int k = 0; k < n; ++k) v.push(c.value(e, k));
    bool batched = d >= 0, same_shape = true, same_dim = true, scalars = c.type(v[1]).rank == 0;
    for (int k = 2; k < n; ++k) {
      batched = batched && c.dim(e, k) >= 0;
      same_shape = same_shape && c.type(v[k]).same_shape(c.type(v[1]));
      same_dim = same_dim && c.dim(e, k) == d;
      scalars = scalars && c.type(v[k]).rank == 0;
    }
    int const which_rank = c.type(v[0]).rank;
    bool const which_fits = c.type(v[0]).same_shape(c.type(v[1]));
    if (batched && same_shape && same_dim && c.dim(e, 0) == d && (which_fits || which_rank == 1)) {
      if (!which_fits) v[0] = c.broadcast(v[0], c.type(v[1]), {&d, 1});
      return c.replace(e, v, {}, d);
    }
    if (batched && same_shape && which_rank == 0) {
      for (int k = 2; k < n; ++k) v[k] = c.move(v[k], c.dim(e, k), d);
      return c.replace(e, v, {}, d);
    }
    aval const full = e.out_type(0).with_axis(0, c.size());
    if (which_rank > 0) v[0] = c.at_front(v[0], c.dim(e, 0), c.size());
    if (c.type(v[0]).rank == 1 && full.rank > 1) {
      int const front = 0;
      v[0] = c.broadcast(v[0], full, {&front, 1});
    }
    for (int k = 1; k < n; ++k) {
      if (scalars) v[k] = c.broadcast(v[k], full, {});
      else if (c.dim(e, k) >= 0 || e.type(k).rank == e.out_type(0).rank) v[k] = c.with_trailing_ones(c.at_front(v[k], c.dim(e, k), c.size()), full.rank);
    }
    c.replace(e, v, {}, 0);
  }
};

}  // namespace exprax::detail

namespace exprax {

template <>
struct primitive<prim::abs> : detail::unary<prim::abs> {
  static constexpr std::string_view name = "abs";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return abs(x);
  }
};

}  // namespace exprax

// exprax/primitives/add.hpp
// add (jax.lax.add): a + b; integers wrap.

namespace exprax {

template <>
struct primitive<prim::add> : detail::binary<prim::add> {
  static constexpr std::string_view name = "add";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V a, V b) {
    return a + b;
  }
};

}  // namespace exprax

// exprax/primitives/and_.hpp
// and (jax.lax.bitwise_and).

namespace exprax {

template <>
struct primitive<prim::and_> : detail::binary_logical<prim::and_> {
  static constexpr std::string_view name = "and";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V a, V b) {
    return a & b;
  }
};

}  // namespace exprax

// exprax/primitives/broadcast_in_dim.hpp
// broadcast_in_dim (jax.lax.broadcast_in_dim): axis i of the operand becomes axis broadcast_dimensions[i] of the result, and
// is repeated if it has one element; other axes of the result repeat the operand.
// Parameters: the shape of the result, broadcast_dimensions (strictly increasing).

// exprax/primitives/movement.hpp
// Family of the primitives of one operand whose result reads it at an affine map of its index: primitive<P>::source gives
// the map. Places that lie outside of the operand do not occur.

namespace exprax::detail {

template <prim P>
struct affine_read {
  static constexpr op_class kind = op_class::movement;
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    aval const& out = e.out_type(0);
    copy_box(out, m.out(e, 0), place(out), m.in(e, 0), primitive<P>::source(e));
  }
};

}  // namespace exprax::detail

namespace exprax {

template <>
struct primitive<prim::broadcast_in_dim> : detail::affine_read<prim::broadcast_in_dim> {
  static constexpr std::string_view name = "broadcast_in_dim";

  static constexpr int out_rank(equation_ref const& e) { return e.n_par() - e.type(0).rank; }
  static constexpr int dimension(equation_ref const& e, int axis) { return e.param(out_rank(e) + axis); }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1) return false;
    aval const& in = e.type(0);
    int const rank = out_rank(e);
    if (rank < 0 || rank > max_rank) return false;
    *out = aval(in.type, in.weak);
    out->rank = rank;
    for (int i = 0; i < rank; ++i) {
      if (e.param(i) < 0) return false;
      out->dims[i] = e.param(i);
    }
    for (int i = 0; i < in.rank; ++i) {
      int const d = dimension(e, i);
      if (d < 0 || d >= rank || (i > 0 && d <= dimension(e, i - 1))) return false;
      if (in.dims[i] != 1 && in.dims[i] != out->dims[d]) return false;
    }
    return true;
  }
  static constexpr detail::place source(equation_ref const& e) {
    strides const of(e.type(0));
    detail::place p;
    for (int i = 0; i < e.type(0).rank; ++i) p.step[dimension(e, i)] = e.type(0).dims[i] == 1 ? 0 : of[i];
    return p;
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const v = c.move(c.value(e, 0), c.dim(e, 0), 0);
    detail::int_list par;
    par.push(c.size());
    for (int i = 0; i < out_rank(e); ++i) par.push(e.param(i));
    par.push(0);
    for (int i = 0; i < e.type(0).rank; ++i) par.push(dimension(e, i) + 1);
    c.replace(e, {&v, 1}, {par.of, par.n}, 0);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    if (e.type(0).rank == 0) return;
    o.key("broadcast_dimensions");
    o.tuple(e.params().part(out_rank(e), e.type(0).rank));
  }
};

}  // namespace exprax

// exprax/primitives/ceil.hpp
// ceil (jax.lax.ceil): towards infinity.

namespace exprax {

template <>
struct primitive<prim::ceil> : detail::unary_float<prim::ceil> {
  static constexpr std::string_view name = "ceil";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return ceil(x);
  }
};

}  // namespace exprax

// exprax/primitives/clamp.hpp
// clamp (jax.lax.clamp): min(max(x, low), high).

namespace exprax {

template <>
struct primitive<prim::clamp> : detail::clamp_family<prim::clamp> {
  static constexpr std::string_view name = "clamp";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V low, V x, V high) {
    return minimum(maximum(x, low), high);
  }
};

}  // namespace exprax

// exprax/primitives/concatenate.hpp
// concatenate (jax.lax.concatenate): arrays one after the other along an axis. Parameter: the axis.

namespace exprax {

template <>
struct primitive<prim::concatenate> {
  static constexpr std::string_view name = "concatenate";
  static constexpr op_class kind = op_class::movement;

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() < 1 || e.n_par() != 1) return false;
    *out = e.type(0);
    int const axis = e.param(0);
    if (axis < 0 || axis >= out->rank) return false;
    for (int k = 1; k < e.n_in(); ++k) {
      aval other = e.type(k);
      if (other.rank != out->rank) return false;
      int const n = other.dims[axis];
      other.dims[axis] = out->dims[axis];
      if (!other.matches(*out)) return false;
      out->dims[axis] += n;
      out->weak = out->weak && other.weak;
    }
    return true;
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    detail::place to(e.out_type(0));
    for (int k = 0; k < e.n_in(); ++k) {
      detail::copy_box(e.type(k), m.out(e, 0), to, m.in(e, k), detail::place(e.type(k)));
      to.base += to.step[e.param(0)] * e.type(k).dims[e.param(0)];
    }
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    detail::arena<int> v;
    for (int k = 0; k < e.n_in(); ++k) v.push(c.at_front(c.value(e, k), c.dim(e, k), c.size()));
    int const axis = e.param(0) + 1;
    c.replace(e, v, {&axis, 1}, 0);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("dimension");
    o.integer(e.param(0));
  }
};

}  // namespace exprax

// exprax/primitives/conv_general_dilated.hpp
// conv_general_dilated (jax.lax.conv_general_dilated): a window of rhs moves over lhs. lhs [N, C, spatial...], rhs [O, I,
// spatial...], result [N, O, spatial...]. With feature groups, C and O fall into as many groups; with batch groups, N and O.
// Each element is a sum of products in order 0 of contraction.hpp over (I, spatial...); places outside of lhs or between its
// dilated elements are left out of the sum.
// Parameters: s = number of spatial axes; s window strides, s low and s high paddings, s lhs dilations, s rhs dilations;
// feature_group_count, batch_group_count, preferred dtype (the result's).

// exprax/primitives/contraction.hpp
// The sum of products in the fixed order of dot_general and conv_general_dilated. Operands are converted to the dtype of the
// result first. Order 0: the first product, then acc = fma(a[k], b[k], acc) for ascending k. Order 1: 32 accumulators, k goes
// to acc[k % 32]; the upper half is added to the lower until one is left. Integers wrap.

namespace exprax::detail {

inline constexpr int dot_accumulators = 32;

template <class T>
class dot_accumulator {
 public:
  constexpr explicit dot_accumulator(int order) : order_(order) {
    for (lane<T>& acc : acc_) acc = lane<T>(T(0));
  }
  constexpr void add(lane<T> a, lane<T> b) {
    if (order_ == 0) acc_[0] = count_++ == 0 ? a * b : fma(a, b, acc_[0]);
    else {
      lane<T>& acc = acc_[count_++ % dot_accumulators];
      acc = fma(a, b, acc);
    }
  }
  constexpr T result() const {
    if (order_ == 0) return acc_[0].value;
    lane<T> sums[dot_accumulators];
    for (int i = 0; i < dot_accumulators; ++i) sums[i] = acc_[i];
    for (int n = dot_accumulators / 2; n > 0; n /= 2)
      for (int i = 0; i < n; ++i) sums[i] = sums[i] + sums[i + n];
    return sums[0].value;
  }

 private:
  int order_;
  int count_ = 0;
  lane<T> acc_[dot_accumulators];
};

// An element of dtype `from` as T, as convert_element_type does it.
template <class T>
constexpr lane<T> read_as(dtype from, std::uint64_t bits) {
  return with_element(from, [bits](auto tag) {
    using S = typename decltype(tag)::type;
    return convert<T>(lane<S>(from_bits<S>(bits)));
  });
}

// Calls f(tag) for the C++ type of a dtype that sums of products have: any but bool.
template <class F>
constexpr void with_number(dtype t, F&& f) {
  with_element(t, [&](auto tag) {
    if constexpr (!std::is_same_v<typename decltype(tag)::type, bool>) f(tag);
  });
}

}  // namespace exprax::detail

namespace exprax {

struct conv_numbers {
  int spatial;
  detail::span<int> stride, low, high, lhs_dilation, rhs_dilation;
  int feature_groups, batch_groups;
  dtype preferred;

  constexpr explicit conv_numbers(detail::span<int> p) : spatial(p[0]) {
    stride = p.part(1, spatial);
    low = p.part(1 + spatial, spatial);
    high = p.part(1 + 2 * spatial, spatial);
    lhs_dilation = p.part(1 + 3 * spatial, spatial);
    rhs_dilation = p.part(1 + 4 * spatial, spatial);
    feature_groups = p[1 + 5 * spatial];
    batch_groups = p[2 + 5 * spatial];
    preferred = static_cast<dtype>(p[3 + 5 * spatial]);
  }
};

template <>
struct primitive<prim::conv_general_dilated> {
  static constexpr std::string_view name = "conv_general_dilated";
  static constexpr op_class kind = op_class::contraction;

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 2 || e.n_par() < 4 || e.param(0) < 0 || e.n_par() != 4 + 5 * e.param(0)) return false;
    conv_numbers const c(e.params());
    aval const &a = e.type(0), &b = e.type(1);
    if (a.rank != c.spatial + 2 || b.rank != a.rank || is_bool(c.preferred)) return false;
    if (c.feature_groups < 1 || c.batch_groups < 1 || (c.feature_groups > 1 && c.batch_groups > 1)) return false;
    if (a.dims[0] % c.batch_groups || b.dims[0] % c.batch_groups || b.dims[0] % c.feature_groups) return false;
    if (a.dims[1] != b.dims[1] * c.feature_groups) return false;
    *out = aval(c.preferred, a.weak && b.weak);
    out->rank = a.rank;
    out->dims[0] = a.dims[0] / c.batch_groups;
    out->dims[1] = b.dims[0];
    for (int i = 0; i < c.spatial; ++i) {
      if (c.stride[i] < 1 || c.lhs_dilation[i] < 1 || c.rhs_dilation[i] < 1) return false;
      int const n = a.dims[2 + i], window = b.dims[2 + i];
      int const padded = c.low[i] + c.high[i] + (n > 0 ? (n - 1) * c.lhs_dilation[i] + 1 : 0);
      int const room = padded - (window > 0 ? (window - 1) * c.rhs_dilation[i] + 1 : 0);
      out->dims[2 + i] = room < 0 ? 0 : room / c.stride[i] + 1;
    }
    return true;
  }

  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    conv_numbers const c(e.params());
    aval const &a = e.type(0), &b = e.type(1), &out = e.out_type(0);
    strides const a_of(a), b_of(b);
    std::uint64_t const *lhs = m.in(e, 0), *rhs = m.in(e, 1);
    std::uint64_t* const to = m.out(e, 0);
    int const n_features = b.dims[1];
    aval window = b;  // of one output feature: all input features, all places
    window.dims[0] = 1;
    std::ptrdiff_t const taps = window.size(), n_out = out.size();
    detail::with_number(out.type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      for (std::ptrdiff_t o = 0; o < n_out; ++o) {
        int at[max_rank] = {};
        unravel(o, out, at);
        int const row = at[0] + at[1] / (b.dims[0] / c.batch_groups) * out.dims[0];
        int const first = at[1] / (b.dims[0] / c.feature_groups) * n_features;
        detail::dot_accumulator<T> sum(0);
        for (std::ptrdiff_t t = 0; t < taps; ++t) {
          int tap[max_rank] = {};
          unravel(t, window, tap);
          std::ptrdiff_t i = row * a_of[0] + (first + tap[1]) * a_of[1];
          bool inside = true;
          for (int k = 0; k < c.spatial && inside; ++k) {
            int const place = at[2 + k] * c.stride[k] + tap[2 + k] * c.rhs_dilation[k] - c.low[k];
            inside = place >= 0 && place % c.lhs_dilation[k] == 0 && place / c.lhs_dilation[k] < a.dims[2 + k];
            i += place / c.lhs_dilation[k] * a_of[2 + k];
          }
          if (inside) sum.add(detail::read_as<T>(a.type, lhs[i]), detail::read_as<T>(b.type, rhs[at[1] * b_of[0] + t]));
        }
        to[o] = detail::to_bits(sum.result());
      }
    });
  }

  // jax.lax's _conv_general_dilated_batch_rule: the batch axis joins the axis of rows, of output features, or of groups.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    conv_numbers const n(e.params());
    int const l = c.dim(e, 0), r = c.dim(e, 1);
    int lhs = c.value(e, 0), rhs = c.value(e, 1), out_axis = 1;
    int feature_groups = n.feature_groups, batch_groups = n.batch_groups;
    if (l >= 0 && r >= 0) {
      lhs = axis_into(c, lhs, l, batch_groups > 1 ? 0 : 1);
      (batch_groups > 1 ? batch_groups : feature_groups) *= c.size();
      rhs = axis_into(c, rhs, r, 0);
    } else if (l >= 0) {
      out_axis = 0;
      lhs = batch_groups > 1 ? axis_into_groups(c, lhs, l, batch_groups) : axis_into(c, lhs, l, 0);
    } else {
      int const groups = feature_groups > 1 ? feature_groups : batch_groups;
      rhs = groups > 1 ? axis_into_groups(c, rhs, r, groups) : axis_into(c, rhs, r, 0);
    }
    detail::int_list par;
    for (int x : e.params()) par.push(x);
    par.of[1 + 5 * n.spatial] = feature_groups;
    par.of[2 + 5 * n.spatial] = batch_groups;
    aval out = e.out_type(0);
    out.dims[out_axis] *= c.size();
    int const in[] = {lhs, rhs};
    int v = c.emit(prim::conv_general_dilated, in, {par.of, par.n}, out);
    int const groups = l >= 0 ? 1 : feature_groups > 1 ? feature_groups : batch_groups;
    if (groups > 1) {
      // The features are [group, row of the batch, feature of the group].
      v = axis_out_of(c, v, 1, groups);
      v = axis_out_of(c, v, 2, c.size());
      v = axis_into(c, v, 1, 2);
    } else {
      v = axis_out_of(c, v, out_axis, c.size());
    }
    c.set(e, 0, v, out_axis);
  }

  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    conv_numbers const c(e.params());
    detail::int_list spec;
    for (int i = 0; i < c.spatial + 2; ++i) spec.push(i);
    o.key("batch_group_count");
    o.integer(c.batch_groups);
    o.key("dimension_numbers");
    o.text("ConvDimensionNumbers(lhs_spec=");
    o.tuple({spec.of, spec.n});
    o.text(", rhs_spec=");
    o.tuple({spec.of, spec.n});
    o.text(", out_spec=");
    o.tuple({spec.of, spec.n});
    o.text(")");
    o.key("feature_group_count");
    o.integer(c.feature_groups);
    o.key("lhs_dilation");
    o.tuple(c.lhs_dilation);
    o.key("padding");
    o.text("(");
    for (int i = 0; i < c.spatial; ++i) {
      int const pair[] = {c.low[i], c.high[i]};
      if (i > 0) o.text(", ");
      o.tuple(pair);
    }
    o.text(c.spatial == 1 ? ",)" : ")");
    o.key("precision");
    o.text("None");
    o.key("preferred_element_type");
    o.dtype(c.preferred);
    o.key("rhs_dilation");
    o.tuple(c.rhs_dilation);
    o.key("window_strides");
    o.tuple(c.stride);
  }

 private:
  static constexpr void unravel(std::ptrdiff_t i, aval const& shape, int* at) {
    for (int k = shape.rank - 1; k >= 0; --k) {
      at[k] = static_cast<int>(i % shape.dims[k]);
      i /= shape.dims[k];
    }
  }
  // The axis `from` becomes the slower part of what is then axis `to` (counted without it).
  template <class Context>
  static constexpr int axis_into(Context& c, int v, int from, int to) {
    v = c.move(v, from, to);
    aval const t = c.type(v);
    aval shape = t.without_axis(to);
    shape.dims[to] *= t.dims[to];
    return c.reshape(v, shape);
  }
  // Splits an axis; n is the length of its slower part.
  template <class Context>
  static constexpr int axis_out_of(Context& c, int v, int axis, int n) {
    aval shape = c.type(v);
    shape.dims[axis] /= n;
    return c.reshape(v, shape.with_axis(axis, n));
  }
  // The axis `from` goes into axis 0, below its groups: [group, from, rest].
  template <class Context>
  static constexpr int axis_into_groups(Context& c, int v, int from, int groups) {
    v = axis_out_of(c, v, from <= 0 ? 1 : 0, groups);
    v = axis_into(c, v, from + (from > 0), 1);
    return axis_into(c, v, 0, 0);
  }
};

}  // namespace exprax

// exprax/primitives/convert_element_type.hpp
// convert_element_type (jax.lax.convert_element_type): as C++ does, but floats beyond the integers saturate and NaN is 0.

namespace exprax {

template <>
struct primitive<prim::convert_element_type> : detail::convert_family<prim::convert_element_type> {
  static constexpr std::string_view name = "convert_element_type";
  template <class U, class V>
  EXPRAX_INLINE static constexpr typename V::template rebind<U> kernel(V x) {
    return convert<U>(x);
  }
};

}  // namespace exprax

// exprax/primitives/cos.hpp
// cos (jax.lax.cos): the cosine of x radians, error below 1.6 ULP for every x; NaN for infinite x.

// exprax/primitives/trigonometric.hpp
// What sin and cos share. Arguments are reduced to |r| <= pi/4 by three parts of pi/2 (Cody and Waite), with fma; beyond the range
// of that by Payne and Hanek's method ("Radian reduction for trigonometric functions", 1983) with 192 bits of 2/pi, lane by lane. A lane
// takes the way that its own value asks for: whether others need the long way changes the time, never the result.

// exprax/primitives/elementary.hpp
// What the kernels of exp, expm1, tanh, logistic, log, log1p and pow share, over the lane concept. Arguments are reduced as by
// Cody and Waite ("Software Manual for the Elementary Functions", 1980), with fma; polynomials are minimax (Remez), coefficients from
// the highest power down. All steps are single operations or explicit fma, so every target and compiler gets the same bits.

#include <limits>

namespace exprax::detail {

template <class V, class... C>
EXPRAX_INLINE constexpr V polynomial(V x, typename V::value_type highest, C... rest) {
  V r(highest);
  ((r = fma(r, x, V(rest))), ...);
  return r;
}

template <class V>
inline constexpr bool is_single = sizeof(typename V::value_type) == 4;

template <class T>
struct exp_constants;
template <>
struct exp_constants<float> {
  static constexpr float log2_e = 0x1.715476p+0f, ln2_high = 0x1.62e43p-1f, ln2_low = -0x1.05c61p-29f;
};
template <>
struct exp_constants<double> {
  static constexpr double log2_e = 0x1.71547652b82fep+0, ln2_high = 0x1.62e42fefa39efp-1, ln2_low = 0x1.abc9e3b39803fp-56;
};

// x = exponent * ln 2 + rest, |rest| <= ln(2)/2. |x| must be small enough for the magic sum.
template <class V>
struct reduced_exp {
  V exponent;
  V rest;
};
template <class V>
EXPRAX_INLINE constexpr reduced_exp<V> reduce_exp(V x) {
  using T = typename V::value_type;
  using C = exp_constants<T>;
  V const magic(simd::detail::float_format<T>::round_magic);
  V const n = fma(x, V(C::log2_e), magic) - magic;
  return {n, fma(n, V(-C::ln2_low), fma(n, V(-C::ln2_high), x))};
}

// exp(r) - 1 for |r| <= ln(2)/2.
template <class V>
EXPRAX_INLINE constexpr V expm1_of_rest(V r) {
  V q;
  if constexpr (is_single<V>) {
    q = polynomial(r, 0x1.6bebd2p-10f, 0x1.122786p-7f, 0x1.555674p-5f, 0x1.5554bp-3f, 0x1.fffffep-2f);
  } else {
    q = polynomial(r, 0x1.1ee88901007f1p-29, 0x1.af5e823e85f65p-26, 0x1.27e5363052c0fp-22, 0x1.71ddf877c0485p-19, 0x1.a01a017bc28f2p-16,
                   0x1.a01a01afd663p-13, 0x1.6c16c16c1f089p-10, 0x1.111111110f6d4p-7, 0x1.555555555553fp-5, 0x1.5555555555559p-3, 0.5);
  }
  return fma(r * r, q, r);
}

// exp(x), for x where the magic sum holds.
template <class V>
EXPRAX_INLINE constexpr V exp_of(V x) {
  using T = typename V::value_type;
  auto const [n, r] = reduce_exp(x);
  return scale(V(T(1)) + expm1_of_rest(r), n);
}

// exp(x) - 1 = 2 (2^(n-1) p + (2^(n-1) - 1/2)), p = exp(rest) - 1: no overflow before the result.
template <class V>
EXPRAX_INLINE constexpr V expm1_of(V x) {
  using T = typename V::value_type;
  auto const [n, r] = reduce_exp(x);
  V const half_power = scale(V(T(1)), n - V(T(1)));
  V const half = fma(half_power, expm1_of_rest(r), half_power - V(T(0.5)));
  return half + half;
}

// log(1 + f) + e ln 2 for f in [-0.25, 0.5).
template <class V>
EXPRAX_INLINE constexpr V log_of_parts(V f, V e) {
  using T = typename V::value_type;
  using C = exp_constants<T>;
  if constexpr (is_single<V>) {
    V const p = polynomial(f, 0x1.349d0cp-5f, -0x1.7565aep-4f, 0x1.df4234p-4f, -0x1.04aa4p-3f, 0x1.2460ap-3f, -0x1.5519b8p-3f, 0x1.999788p-3f,
                           -0x1.00006ep-2f, 0x1.55555ap-2f);
    V const f2 = f * f;
    V const low = fma(f2 * f, p, e * V(C::ln2_low));
    return fma(e, V(C::ln2_high), f + fma(f2, V(-0.5f), low));
  } else {
    // s = f / (2 + f), log(1 + f) = 2 atanh(s) = f - s (f - R(s^2)), as in fdlibm.
    V const s = f / (V(2.0) + f);
    V const z = s * s;
    V const r = z * polynomial(z, 0x1.02e34c150a292p-3, 0x1.da4c031c6ecd7p-4, 0x1.113f399d4f0a9p-3, 0x1.3b12612bd4cddp-3, 0x1.745d1d23721a3p-3,
                               0x1.c71c71b751927p-3, 0x1.249249249e4a4p-2, 0x1.999999999990bp-2, 0x1.5555555555555p-1);
    return fma(e, V(C::ln2_high), f + fma(-s, f - r, e * V(C::ln2_low)));
  }
}

// The special values of log at x: r where x is positive and finite.
template <class V>
EXPRAX_INLINE constexpr V log_special(V x, V r) {
  using limits = std::numeric_limits<typename V::value_type>;
  V const zero(0);
  V const infinite(limits::infinity());
  V const rest = select(x == zero, -infinite, V(limits::quiet_NaN()));
  return select(x == infinite, x, select(x > zero, r, rest));
}

}  // namespace exprax::detail

namespace exprax::detail {

template <class T>
struct trig_constants;
template <>
struct trig_constants<float> {
  static constexpr float two_over_pi = 0x1.45f306p-1f, pi1 = 0x1.921fb6p+0f, pi2 = -0x1.777a5cp-25f, pi3 = -0x1.ee59dap-50f;
  static constexpr float limit = 0x1p16f;
  static constexpr float tiny = 0x1p-13f;  // below, sin(x) = x
};
template <>
struct trig_constants<double> {
  static constexpr double two_over_pi = 0x1.45f306dc9c883p-1, pi1 = 0x1.921fb54442d18p+0, pi2 = 0x1.1a62633145c07p-54, pi3 = -0x1.f1976b7ed8fbcp-110;
  static constexpr double limit = 0x1p30;
  static constexpr double tiny = 0x1p-27;
};

// The bits of 2/pi after the binary point.
inline constexpr std::uint64_t two_over_pi_bits[] = {
    0xa2f9836e4e441529u, 0xfc2757d1f534ddc0u, 0xdb6295993c439041u, 0xfe5163abdebbc561u, 0xb7246e3a424dd2e0u, 0x06492eea09d1921cu, 0xfe1deb1cb129a73eu,
    0xe88235f52ebb4484u, 0xe99c7026b45f7e41u, 0x3991d639835339f4u, 0x9c845f8bbdf9283bu, 0x1ff897ffde05980fu, 0xef2f118b5a0a6d1fu, 0x6d367ecf27cb09b7u,
    0x4f463f669e5fea2du, 0x7527bac7ebe5f17bu, 0x3d0739f78a5292eau, 0x6bfb5fb11f8d5d08u, 0x56033046fc7b6babu, 0x0000000000000000u, 0x0000000000000000u};

// 64 bits of 2/pi from bit `first` on; what lies before the point is zero.
constexpr std::uint64_t two_over_pi_window(int first) {
  if (first <= -64) return 0;
  if (first < 0) return two_over_pi_bits[0] >> -first;
  int const word = first / 64;
  int const shift = first % 64;
  return shift == 0 ? two_over_pi_bits[word] : two_over_pi_bits[word] << shift | two_over_pi_bits[word + 1] >> (64 - shift);
}

struct reduced_angle {
  double rest;
  int quadrant;
};

// x = quadrant * pi/2 + rest modulo 2 pi, for finite x from 2^16 on.
constexpr reduced_angle payne_hanek(double x) {
  ieee::parts const p = ieee::decompose(x);
  // x * 2/pi mod 4 = (significand * window mod 2^192) * 2^-190, the window being 192 bits of 2/pi from here on.
  int const first = p.exponent - 2;
  ieee::wide const high = ieee::product(p.significand, two_over_pi_window(first));
  ieee::wide const middle = ieee::product(p.significand, two_over_pi_window(first + 64));
  ieee::wide const low = ieee::product(p.significand, two_over_pi_window(first + 128));
  ieee::wide turns{high.low + middle.high, middle.low + low.high};
  if (turns.low < low.high) turns.high += 1;
  int quadrant = static_cast<int>(turns.high >> 62);
  ieee::wide fraction = ieee::shift_left(turns, 2);  // of a quadrant, times 2^128
  bool const upper = fraction.high >> 63 != 0;
  if (upper) {  // nearer to the next quadrant: the rest is negative
    quadrant += 1;
    fraction = ieee::difference({0, 0}, fraction);
  }
  double rest = 0;
  if (fraction.high != 0 || fraction.low != 0) {
    int const zeros = ieee::leading_zeros(fraction);
    ieee::wide const f = ieee::shift_left(fraction, zeros);
    // 53 bits and 53 more, times pi/2.
    double const f1 = static_cast<double>(f.high >> 11) * 0x1p-53;
    double const f2 = static_cast<double>((f.high & 0x7ffu) << 42 | f.low >> 22) * 0x1p-106;
    using C = trig_constants<double>;
    double const product = simd::detail::exact_fma(f1, C::pi1, simd::detail::exact_fma(f1, C::pi2, f2 * C::pi1));
    rest = product * std::bit_cast<double>(static_cast<std::uint64_t>(1023 - zeros) << 52);
  }
  bool const negative = upper != ieee::sign_bit(x);
  return {negative ? -rest : rest, (ieee::sign_bit(x) ? -quadrant : quadrant) & 3};
}

// The sine of r + quadrant * pi/2 for |r| <= pi/4; quadrant holds whole numbers, of which the last two bits count.
template <class V, class W>
EXPRAX_INLINE constexpr V sin_of_quadrant(V r, W quadrant) {
  using T = typename V::value_type;
  using I = typename W::value_type;
  V const z = r * r;
  V sine;
  V cosine;
  if constexpr (is_single<V>) {
    sine = polynomial(z, -0x1.994ccap-13f, 0x1.11075cp-7f, -0x1.555546p-3f);
    cosine = polynomial(z, 0x1.99ec2cp-16f, -0x1.6c0c38p-10f, 0x1.55554ap-5f);
  } else {
    sine = polynomial(z, -0x1.aaa4bb3506c75p-41, 0x1.612091f55ef66p-33, -0x1.ae645297c7cc5p-26, 0x1.71de3a5339bfcp-19, -0x1.a01a01a018af3p-13,
                      0x1.111111111110bp-7, -0x1.5555555555555p-3);
    cosine = polynomial(z, -0x1.8fae3f726064bp-37, 0x1.1ee9ecb9cf19fp-29, -0x1.27e4f80e2540ep-22, 0x1.a01a019cbd62ap-16, -0x1.6c16c16c1524dp-10,
                        0x1.555555555554cp-5);
  }
  sine = fma(r * z, sine, r);
  cosine = fma(z, fma(z, cosine, V(T(-0.5))), V(T(1)));
  auto const even = (quadrant & W(I(1))) == W(I(0));
  W const sign = (quadrant & W(I(2))) << (8 * static_cast<int>(sizeof(I)) - 2);
  return bitcast<T>(bitcast<I>(select(even, sine, cosine)) ^ sign);
}

// The sine of x + shift * pi/2.
template <int Shift, class T>
struct sin_far {
  constexpr T operator()(T x) const {
    if (!(ieee::magnitude(x) > trig_constants<T>::limit)) return T(0);  // not asked for
    if (!ieee::is_finite(x)) return ieee::quiet_nan<T>;
    using I = typename simd::detail::float_format<T>::integer;
    reduced_angle const angle = payne_hanek(static_cast<double>(x));
    return sin_of_quadrant(lane<T>(static_cast<T>(angle.rest)), lane<I>(static_cast<I>(angle.quadrant + Shift))).value;
  }
};

template <int Shift, class V>
EXPRAX_INLINE constexpr V sin_shifted(V x) {
  using T = typename V::value_type;
  using C = trig_constants<T>;
  using F = simd::detail::float_format<T>;
  using W = typename V::template rebind<typename F::integer>;
  V const magic = fma(x, V(C::two_over_pi), V(F::round_magic));
  V const n = magic - V(F::round_magic);
  V const r = fma(n, V(-C::pi3), fma(n, V(-C::pi2), fma(n, V(-C::pi1), x)));
  W const quadrant = bitcast<typename F::integer>(magic) + W(typename F::integer(Shift));
  V y = sin_of_quadrant(r, quadrant);
  auto const near = abs(x) <= V(C::limit);
  if (!all(near)) y = select(near, y, select(isnan(x), x, each_lane(sin_far<Shift, T>{}, x)));
  return y;
}

}  // namespace exprax::detail

namespace exprax {

template <>
struct primitive<prim::cos> : detail::unary_float<prim::cos> {
  static constexpr std::string_view name = "cos";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return detail::sin_shifted<1>(x);
  }
};

}  // namespace exprax

// exprax/primitives/div.hpp
// div (jax.lax.div): a / b; integers truncate, x / 0 = -1 (all ones), min / -1 = min.

namespace exprax {

template <>
struct primitive<prim::div> : detail::binary<prim::div> {
  static constexpr std::string_view name = "div";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V a, V b) {
    return a / b;
  }
};

}  // namespace exprax

// exprax/primitives/dot_general.hpp
// dot_general (jax.lax.dot_general): products summed over contracted axes, for each index of the batch axes. The axes of the
// result are the batch axes, then the other axes of lhs, then those of rhs.
// Parameters: n, n contracted axes of lhs, of rhs; m, m batch axes of lhs, of rhs; preferred dtype (the result's); order of
// summation (contraction.hpp; batching keeps it).

namespace exprax {

struct dot_numbers {
  detail::span<int> lhs_contract, rhs_contract, lhs_batch, rhs_batch;
  dtype preferred;
  int order;

  constexpr explicit dot_numbers(detail::span<int> p) {
    int const n = p[0], m = p[1 + 2 * n];
    lhs_contract = p.part(1, n);
    rhs_contract = p.part(1 + n, n);
    lhs_batch = p.part(2 + 2 * n, m);
    rhs_batch = p.part(2 + 2 * n + m, m);
    preferred = static_cast<dtype>(p[2 + 2 * n + 2 * m]);
    order = p[3 + 2 * n + 2 * m];
  }
  constexpr bool lhs_is_free(int axis) const { return is_free(lhs_contract, lhs_batch, axis); }
  constexpr bool rhs_is_free(int axis) const { return is_free(rhs_contract, rhs_batch, axis); }
  static constexpr bool is_free(detail::span<int> contract, detail::span<int> batch, int axis) {
    return !detail::contains(contract.data(), contract.size(), axis) && !detail::contains(batch.data(), batch.size(), axis);
  }
};

template <>
struct primitive<prim::dot_general> {
  static constexpr std::string_view name = "dot_general";
  static constexpr op_class kind = op_class::contraction;

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 2 || e.n_par() < 4) return false;
    dot_numbers const d(e.params());
    if (e.n_par() != 4 + 2 * d.lhs_contract.size() + 2 * d.lhs_batch.size()) return false;
    aval const &a = e.type(0), &b = e.type(1);
    if (!fits(a, b, d.lhs_contract, d.rhs_contract) || !fits(a, b, d.lhs_batch, d.rhs_batch)) return false;
    if (is_bool(d.preferred) || d.order < 0 || d.order > 1) return false;
    *out = aval(d.preferred, a.weak && b.weak);
    for (int axis : d.lhs_batch) out->dims[out->rank++] = a.dims[axis];
    for (int i = 0; i < a.rank; ++i)
      if (d.lhs_is_free(i)) out->dims[out->rank++] = a.dims[i];
    for (int i = 0; i < b.rank; ++i)
      if (d.rhs_is_free(i)) out->dims[out->rank++] = b.dims[i];
    return true;
  }

  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    dot_numbers const d(e.params());
    aval const &a = e.type(0), &b = e.type(1), &out = e.out_type(0);
    strides const a_of(a), b_of(b);
    detail::place a_out, b_out, a_sum, b_sum;  // where the index of the result, and that of the sum, lead
    aval summed;
    int axis = 0;
    for (int k = 0; k < d.lhs_batch.size(); ++k, ++axis) {
      a_out.step[axis] = a_of[d.lhs_batch[k]];
      b_out.step[axis] = b_of[d.rhs_batch[k]];
    }
    for (int i = 0; i < a.rank; ++i)
      if (d.lhs_is_free(i)) a_out.step[axis++] = a_of[i];
    for (int i = 0; i < b.rank; ++i)
      if (d.rhs_is_free(i)) b_out.step[axis++] = b_of[i];
    for (int k = 0; k < d.lhs_contract.size(); ++k) {
      a_sum.step[k] = a_of[d.lhs_contract[k]];
      b_sum.step[k] = b_of[d.rhs_contract[k]];
      summed.dims[summed.rank++] = a.dims[d.lhs_contract[k]];
    }
    std::uint64_t const *lhs = m.in(e, 0), *rhs = m.in(e, 1);
    std::uint64_t* to = m.out(e, 0);
    detail::with_number(out.type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      detail::walk(out, a_out, b_out, [&](std::ptrdiff_t a_at, std::ptrdiff_t b_at) {
        detail::dot_accumulator<T> sum(d.order);
        detail::walk(summed, a_sum, b_sum, [&](std::ptrdiff_t i, std::ptrdiff_t j) {
          sum.add(detail::read_as<T>(a.type, lhs[a_at + i]), detail::read_as<T>(b.type, rhs[b_at + j]));
        });
        *to++ = detail::to_bits(sum.result());
      });
    });
  }

  // jax.lax's _dot_general_batch_dim_nums: two batched operands have one more batch axis, which goes first; the axis of
  // a single one becomes a free axis where it stands.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    dot_numbers const d(e.params());
    int const l = c.dim(e, 0), r = c.dim(e, 1);
    bool const both = l >= 0 && r >= 0;
    int out_dim = 0;
    if (!both && l >= 0) {
      out_dim = d.lhs_batch.size();
      for (int i = 0; i < l; ++i) out_dim += d.lhs_is_free(i);
    } else if (!both) {
      out_dim = e.type(0).rank - d.lhs_contract.size();
      for (int i = 0; i < r; ++i) out_dim += d.rhs_is_free(i);
    }
    detail::int_list par;
    auto const push = [&](detail::span<int> axes, int dim) {
      for (int axis : axes) par.push(axis + (dim >= 0 && axis >= dim));
    };
    par.push(d.lhs_contract.size());
    push(d.lhs_contract, l);
    push(d.rhs_contract, r);
    par.push(d.lhs_batch.size() + both);
    if (both) par.push(l);
    push(d.lhs_batch, l);
    if (both) par.push(r);
    push(d.rhs_batch, r);
    par.push(static_cast<int>(d.preferred));
    par.push(d.order);
    int const in[] = {c.value(e, 0), c.value(e, 1)};
    c.replace(e, in, {par.of, par.n}, out_dim);
  }

  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    dot_numbers const d(e.params());
    o.key("dimension_numbers");
    o.text("((");
    o.list(d.lhs_contract);
    o.text(", ");
    o.list(d.rhs_contract);
    o.text("), (");
    o.list(d.lhs_batch);
    o.text(", ");
    o.list(d.rhs_batch);
    o.text("))");
    o.key("preferred_element_type");
    o.dtype(d.preferred);
  }

 private:
  static constexpr bool fits(aval const& a, aval const& b, detail::span<int> lhs, detail::span<int> rhs) {
    if (!detail::are_axes(lhs.data(), lhs.size(), a.rank) || !detail::are_axes(rhs.data(), rhs.size(), b.rank)) return false;
    for (int k = 0; k < lhs.size(); ++k)
      if (a.dims[lhs[k]] != b.dims[rhs[k]]) return false;
    return true;
  }
};

}  // namespace exprax

// exprax/primitives/dynamic_slice.hpp
// dynamic_slice (jax.lax.dynamic_slice): a box whose start is known at run time; the start is clamped so that the box lies
// inside. Operands: the array, one i32 scalar for each axis. Parameters: the sizes of the box.

namespace exprax {

namespace detail {

// Operands first, first + 1, ... are i32 scalars, one for each axis of operand 0.
constexpr bool are_starts(equation_ref const& e, int first) {
  if (e.n_in() != first + e.type(0).rank) return false;
  for (int k = first; k < e.n_in(); ++k)
    if (e.type(k).rank != 0 || e.type(k).type != dtype::i32) return false;
  return true;
}
// Moves the place p in the array of operand 0 to the clamped start of a box of these sizes.
template <class Machine>
constexpr void move_to_start(Machine& m, equation_ref const& e, int first, int const* sizes, place& p) {
  for (int i = 0; i < e.type(0).rank; ++i) {
    int const last = e.type(0).dims[i] - sizes[i];
    int const start = from_bits<int>(m.in(e, first + i)[0]);
    p.base += p.step[i] * (start < 0 ? 0 : start > last ? last : start);
  }
}
// No operand from k on has a batch axis.
template <class Context>
constexpr bool unbatched_from(Context const& c, equation_ref const& e, int k) {
  for (; k < e.n_in(); ++k)
    if (c.dim(e, k) >= 0) return false;
  return true;
}

}  // namespace detail

template <>
struct primitive<prim::dynamic_slice> {
  static constexpr std::string_view name = "dynamic_slice";
  static constexpr op_class kind = op_class::dynamic;

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() < 1 || !detail::are_starts(e, 1) || e.n_par() != e.type(0).rank) return false;
    *out = e.type(0);
    for (int i = 0; i < out->rank; ++i) {
      if (e.param(i) < 0 || e.param(i) > out->dims[i]) return false;
      out->dims[i] = e.param(i);
    }
    return true;
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    detail::place from(e.type(0));
    detail::move_to_start(m, e, 1, e.params().data(), from);
    detail::copy_box(e.out_type(0), m.out(e, 0), detail::place(e.out_type(0)), m.in(e, 0), from);
  }
  // With one start for all rows the box spans the batch axis; otherwise it is taken row by row.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    if (!detail::unbatched_from(c, e, 1)) return c.map(e);
    int const d = c.dim(e, 0);
    detail::int_list in, sizes;
    in.push(c.value(e, 0));
    for (int i = 0; i <= e.type(0).rank; ++i) {
      if (i == d) {
        in.push(c.literal(dtype::i32, 0));
        sizes.push(c.size());
      }
      if (i < e.type(0).rank) {
        in.push(c.value(e, 1 + i));
        sizes.push(e.param(i));
      }
    }
    c.replace(e, {in.of, in.n}, {sizes.of, sizes.n}, d);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("slice_sizes");
    o.tuple(e.params());
  }
};

}  // namespace exprax

// exprax/primitives/dynamic_update_slice.hpp
// dynamic_update_slice (jax.lax.dynamic_update_slice): the array with a box replaced, whose start is known at run time and
// clamped so that the box lies inside. Operands: the array, the update, one i32 scalar for each axis.

namespace exprax {

template <>
struct primitive<prim::dynamic_update_slice> {
  static constexpr std::string_view name = "dynamic_update_slice";
  static constexpr op_class kind = op_class::update;

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() < 2 || !detail::are_starts(e, 2) || e.n_par() != 0) return false;
    *out = e.type(0);
    aval const& update = e.type(1);
    if (update.rank != out->rank || update.type != out->type) return false;
    for (int i = 0; i < out->rank; ++i)
      if (update.dims[i] > out->dims[i]) return false;
    return true;
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    detail::place const dense(e.type(0));
    detail::copy_box(e.type(0), m.out(e, 0), dense, m.in(e, 0), dense);
    detail::place to(e.type(0));
    detail::move_to_start(m, e, 2, e.type(1).dims, to);
    detail::copy_box(e.type(1), m.out(e, 0), to, m.in(e, 1), detail::place(e.type(1)));
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    if (!detail::unbatched_from(c, e, 2)) return c.map(e);
    int const d = c.dim(e, 0) >= 0 ? c.dim(e, 0) : c.dim(e, 1);
    detail::int_list in;
    for (int k = 0; k < 2; ++k) in.push(c.placed(c.value(e, k), c.dim(e, k), d));
    for (int i = 0; i <= e.type(0).rank; ++i) {
      if (i == d) in.push(c.literal(dtype::i32, 0));
      if (i < e.type(0).rank) in.push(c.value(e, 2 + i));
    }
    c.replace(e, {in.of, in.n}, {}, d);
  }
  template <class Printer>
  static constexpr void print(Printer&, equation_ref const&) {}
};

}  // namespace exprax

// exprax/primitives/eq.hpp
// eq (jax.lax.eq): a == b; NaN equals nothing.

namespace exprax {

template <>
struct primitive<prim::eq> : detail::comparison<prim::eq> {
  static constexpr std::string_view name = "eq";
  template <class V>
  EXPRAX_INLINE static constexpr typename V::mask kernel(V a, V b) {
    return a == b;
  }
};

}  // namespace exprax

// exprax/primitives/exp.hpp
// exp (jax.lax.exp): e to the x. Error below 1.1 ULP, subnormal results included.

namespace exprax {

template <>
struct primitive<prim::exp> : detail::unary_float<prim::exp> {
  static constexpr std::string_view name = "exp";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    // Beyond these bounds the result is 0 or infinite.
    if constexpr (detail::is_single<V>) return detail::exp_of(bounded(x, -104.0f, 89.0f));
    else return detail::exp_of(bounded(x, -746.0, 710.0));
  }
};

}  // namespace exprax

// exprax/primitives/expm1.hpp
// expm1 (jax.lax.expm1): exp(x) - 1, also for small x; expm1(-0) = -0. Error below 1.9 ULP.

namespace exprax {

template <>
struct primitive<prim::expm1> : detail::unary_float<prim::expm1> {
  static constexpr std::string_view name = "expm1";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    if constexpr (detail::is_single<V>) return copysign(detail::expm1_of(bounded(x, -20.0f, 89.0f)), x);
    else return copysign(detail::expm1_of(bounded(x, -40.0, 710.0)), x);
  }
};

}  // namespace exprax

// exprax/primitives/floor.hpp
// floor (jax.lax.floor): towards minus infinity.

namespace exprax {

template <>
struct primitive<prim::floor> : detail::unary_float<prim::floor> {
  static constexpr std::string_view name = "floor";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return floor(x);
  }
};

}  // namespace exprax

// exprax/primitives/fma.hpp
// fma: a * b + c rounded once. JAX has no such primitive: the contraction pass makes it from mul and add.

namespace exprax {

template <>
struct primitive<prim::fma> : detail::fma_family<prim::fma> {
  static constexpr std::string_view name = "fma";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V a, V b, V c) {
    return fma(a, b, c);
  }
};

}  // namespace exprax

// exprax/primitives/ge.hpp
// ge (jax.lax.ge): a >= b; false < true.

namespace exprax {

template <>
struct primitive<prim::ge> : detail::comparison<prim::ge> {
  static constexpr std::string_view name = "ge";
  template <class V>
  EXPRAX_INLINE static constexpr typename V::mask kernel(V a, V b) {
    return a >= b;
  }
};

}  // namespace exprax

// exprax/primitives/gt.hpp
// gt (jax.lax.gt): a > b; false < true.

namespace exprax {

template <>
struct primitive<prim::gt> : detail::comparison<prim::gt> {
  static constexpr std::string_view name = "gt";
  template <class V>
  EXPRAX_INLINE static constexpr typename V::mask kernel(V a, V b) {
    return a > b;
  }
};

}  // namespace exprax

// exprax/primitives/integer_pow.hpp
// integer_pow (jax.lax.integer_pow): x to a constant integer power, by squaring, in the order of jax.lax; negative: 1 / x^-y.

namespace exprax {

template <>
struct primitive<prim::integer_pow> : detail::integer_pow_family<prim::integer_pow> {
  static constexpr std::string_view name = "integer_pow";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x, int y) {
    V power(1);
    bool first = true;
    for (unsigned rest = y < 0 ? 0u - static_cast<unsigned>(y) : static_cast<unsigned>(y); rest != 0; rest >>= 1) {
      if (rest & 1u) {
        power = first ? x : power * x;
        first = false;
      }
      if (rest > 1) x = x * x;
    }
    return y < 0 ? V(1) / power : power;
  }
};

}  // namespace exprax

// exprax/primitives/iota.hpp
// iota (jax.lax.broadcasted_iota): the index along one axis. No operands. Parameters: dtype, dimension, the shape.

namespace exprax {

template <>
struct primitive<prim::iota> {
  static constexpr std::string_view name = "iota";
  static constexpr op_class kind = op_class::generator;

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 0 || e.n_par() < 3 || e.n_par() > 2 + max_rank || e.param(0) <= 0 || e.param(0) >= dtype_count) return false;
    *out = aval(static_cast<dtype>(e.param(0)));
    for (int i = 2; i < e.n_par(); ++i) {
      if (e.param(i) < 0) return false;
      out->dims[out->rank++] = e.param(i);
    }
    return e.param(1) >= 0 && e.param(1) < out->rank;
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    aval const& out = e.out_type(0);
    int const axis = e.param(1);
    std::ptrdiff_t const n = out.size(), inner = strides(out)[axis];
    std::uint64_t* const to = m.out(e, 0);
    for (std::ptrdiff_t i = 0; i < n; ++i) to[i] = detail::bits_of_int(out.type, static_cast<int>(i / inner % out.dims[axis]));
  }
  // Never asked: an equation without operands is not batched.
  template <class Context>
  static constexpr void batch(Context&, equation_ref const&) {}
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("dimension");
    o.integer(e.param(1));
    o.key("dtype");
    o.dtype(static_cast<dtype>(e.param(0)));
    o.key("shape");
    o.tuple(e.params().part(2, e.n_par() - 2));
    o.key("sharding");
    o.text("None");
  }
};

}  // namespace exprax

// exprax/primitives/is_finite.hpp
// is_finite (jax.lax.is_finite): neither infinite nor NaN.

#include <limits>

namespace exprax {

template <>
struct primitive<prim::is_finite> : detail::unary_predicate<prim::is_finite> {
  static constexpr std::string_view name = "is_finite";
  template <class V>
  EXPRAX_INLINE static constexpr typename V::mask kernel(V x) {
    return abs(x) < V(std::numeric_limits<typename V::value_type>::infinity());
  }
};

}  // namespace exprax

// exprax/primitives/jit.hpp
// jit (jax.jit inside a traced function): a call of a block. What the function captured comes first among the operands.
// Parameter: the number of its name. One block.

namespace exprax {

template <>
struct primitive<prim::jit> {
  static constexpr std::string_view name = "jit";
  static constexpr op_class kind = op_class::control;

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.e.n_blk != 1 || e.n_par() != 1 || e.param(0) < 0 || e.param(0) >= e.p.n.names) return false;
    block const& b = e.sub(0);
    if (b.n_in != e.n_in()) return false;
    for (int k = 0; k < b.n_in; ++k)
      if (!e.p.type(e.p.ins(b)[k]).matches(e.type(k))) return false;
    for (int k = 0; k < b.n_out; ++k) out[k] = e.p.type(e.p.outs(b)[k]);
    return true;
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    block const& b = e.sub(0);
    for (int k = 0; k < b.n_in; ++k) m.bind(b, k, m.in(e, k));
    m.run(b);
    for (int k = 0; k < b.n_out; ++k) {
      std::ptrdiff_t const n = e.out_type(k).size();
      for (std::ptrdiff_t i = 0; i < n; ++i) m.out(e, k)[i] = m.result(b, k)[i];
    }
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    detail::arena<int> in, dims, out_dims;
    detail::arena<aval> out;
    for (int k = 0; k < e.n_in(); ++k) {
      in.push(c.value(e, k));
      dims.push(c.dim(e, k));
    }
    out_dims.resize(e.n_out());
    int const body = c.batch_block(e.p.block_id(e.e, 0), dims, {}, out_dims.data());
    for (int k = 0; k < e.n_out(); ++k) out.push(out_dims[k] < 0 ? e.out_type(k) : e.out_type(k).with_axis(out_dims[k], c.size()));
    int const label = c.copy_name(e.param(0));
    int const first = c.emit(prim::jit, in, {&label, 1}, out, {&body, 1});
    for (int k = 0; k < e.n_out(); ++k) c.set(e, k, first + k, out_dims[k]);
  }
  template <class Spread>
  static constexpr void spread(Spread& s, equation_ref const& e) {
    detail::arena<char> marks;
    for (int k = 0; k < e.n_in(); ++k) marks.push(s.marked(e, k));
    marks = s.through(e.p.block_id(e.e, 0), marks);
    for (int k = 0; k < e.n_out(); ++k) s.mark(e, k, marks[k]);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("name");
    o.name(e.param(0));
    o.key("jaxpr");
    o.block(0);
  }
};

}  // namespace exprax

// exprax/primitives/le.hpp
// le (jax.lax.le): a <= b; false < true.

namespace exprax {

template <>
struct primitive<prim::le> : detail::comparison<prim::le> {
  static constexpr std::string_view name = "le";
  template <class V>
  EXPRAX_INLINE static constexpr typename V::mask kernel(V a, V b) {
    return a <= b;
  }
};

}  // namespace exprax

// exprax/primitives/log.hpp
// log (jax.lax.log): the natural logarithm; -infinity at 0, NaN below. Error below 1 ULP.

namespace exprax {

template <>
struct primitive<prim::log> : detail::unary_float<prim::log> {
  static constexpr std::string_view name = "log";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    auto const [m, e] = split(x);
    return detail::log_special(x, detail::log_of_parts(m - V(1), e));
  }
};

}  // namespace exprax

// exprax/primitives/log1p.hpp
// log1p (jax.lax.log1p): log(1 + x), also for small x; log1p(-0) = -0. Error below 1 ULP.

namespace exprax {

template <>
struct primitive<prim::log1p> : detail::unary_float<prim::log1p> {
  static constexpr std::string_view name = "log1p";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    V const one(T(1));
    V const sum = one + x;
    // What the sum lost, by Knuth.
    V const part = sum - one;
    V const lost = (one - (sum - part)) + (x - part);
    auto const [m, e] = split(sum);
    V const r = detail::log_of_parts((m - one) + scale(lost, -e), e);
    return copysign(detail::log_special(sum, r), x);
  }
};

}  // namespace exprax

// exprax/primitives/logistic.hpp
// logistic (jax.lax.logistic): 1 / (1 + exp(-x)), for x < 0 as exp(x) / (1 + exp(x)), so that small results keep
// their digits. Error below 2.4 ULP.

namespace exprax {

template <>
struct primitive<prim::logistic> : detail::unary_float<prim::logistic> {
  static constexpr std::string_view name = "logistic";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    V const e = detail::exp_of(bounded(-abs(x), detail::is_single<V> ? T(-104) : T(-746), T(0)));
    return select(x < V(T(0)), e, V(T(1))) / (V(T(1)) + e);
  }
};

}  // namespace exprax

// exprax/primitives/lt.hpp
// lt (jax.lax.lt): a < b; false < true.

namespace exprax {

template <>
struct primitive<prim::lt> : detail::comparison<prim::lt> {
  static constexpr std::string_view name = "lt";
  template <class V>
  EXPRAX_INLINE static constexpr typename V::mask kernel(V a, V b) {
    return a < b;
  }
};

}  // namespace exprax

// exprax/primitives/max.hpp
// max (jax.lax.max): the larger one; NaN if either is NaN, and -0 < +0.

namespace exprax {

template <>
struct primitive<prim::max> : detail::binary<prim::max> {
  static constexpr std::string_view name = "max";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V a, V b) {
    return maximum(a, b);
  }
};

}  // namespace exprax

// exprax/primitives/min.hpp
// min (jax.lax.min): the smaller one; NaN if either is NaN, and -0 < +0.

namespace exprax {

template <>
struct primitive<prim::min> : detail::binary<prim::min> {
  static constexpr std::string_view name = "min";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V a, V b) {
    return minimum(a, b);
  }
};

}  // namespace exprax

// exprax/primitives/mul.hpp
// mul (jax.lax.mul): a * b; integers wrap. Never fused with a sum but by the contraction pass.

namespace exprax {

template <>
struct primitive<prim::mul> : detail::binary<prim::mul> {
  static constexpr std::string_view name = "mul";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V a, V b) {
    return a * b;
  }
};

}  // namespace exprax

// exprax/primitives/ne.hpp
// ne (jax.lax.ne): a != b; NaN differs from everything.

namespace exprax {

template <>
struct primitive<prim::ne> : detail::comparison<prim::ne> {
  static constexpr std::string_view name = "ne";
  template <class V>
  EXPRAX_INLINE static constexpr typename V::mask kernel(V a, V b) {
    return a != b;
  }
};

}  // namespace exprax

// exprax/primitives/neg.hpp
// neg (jax.lax.neg): -x; integers wrap.

namespace exprax {

template <>
struct primitive<prim::neg> : detail::unary<prim::neg> {
  static constexpr std::string_view name = "neg";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return -x;
  }
};

}  // namespace exprax

// exprax/primitives/not_.hpp
// not (jax.lax.bitwise_not): all bits inverted; bool: negated.

namespace exprax {

template <>
struct primitive<prim::not_> : detail::unary_logical<prim::not_> {
  static constexpr std::string_view name = "not";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return ~x;
  }
};

}  // namespace exprax

// exprax/primitives/or_.hpp
// or (jax.lax.bitwise_or).

namespace exprax {

template <>
struct primitive<prim::or_> : detail::binary_logical<prim::or_> {
  static constexpr std::string_view name = "or";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V a, V b) {
    return a | b;
  }
};

}  // namespace exprax

// exprax/primitives/pad.hpp
// pad (jax.lax.pad): the operand with a padding value before, after and between its elements; negative low and high cut
// elements off. Operands: the array, a scalar. Parameters: low, high, interior of each axis, one after the other.

namespace exprax {

template <>
struct primitive<prim::pad> {
  static constexpr std::string_view name = "pad";
  static constexpr op_class kind = op_class::movement;

  static constexpr int low(equation_ref const& e, int axis) { return e.param(axis); }
  static constexpr int high(equation_ref const& e, int axis) { return e.param(e.type(0).rank + axis); }
  static constexpr int interior(equation_ref const& e, int axis) { return e.param(2 * e.type(0).rank + axis); }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 2 || e.type(1).rank != 0 || e.type(0).type != e.type(1).type || e.n_par() != 3 * e.type(0).rank) return false;
    *out = e.type(0);
    out->weak = e.type(0).weak && e.type(1).weak;
    for (int i = 0; i < out->rank; ++i) {
      int const n = out->dims[i];
      if (interior(e, i) < 0) return false;
      out->dims[i] = low(e, i) + high(e, i) + n + (n > 0 ? (n - 1) * interior(e, i) : 0);
      if (out->dims[i] < 0) return false;
    }
    return true;
  }
  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    aval const &in = e.type(0), &out = e.out_type(0);
    std::uint64_t* const to = m.out(e, 0);
    std::ptrdiff_t const n = out.size();
    for (std::ptrdiff_t i = 0; i < n; ++i) to[i] = m.in(e, 1)[0];
    // The box of the operand that stays: elements first, first + 1, ... of each axis.
    aval kept = in;
    detail::place at(out), from(in);
    for (int i = 0; i < in.rank; ++i) {
      int const step = interior(e, i) + 1;
      int first = 0, count = 0;
      while (first < in.dims[i] && low(e, i) + first * step < 0) ++first;
      while (first + count < in.dims[i] && low(e, i) + (first + count) * step < out.dims[i]) ++count;
      kept.dims[i] = count;
      from.base += from.step[i] * first;
      at.base += at.step[i] * (low(e, i) + first * step);
      at.step[i] *= step;
    }
    detail::copy_box(kept, to, at, m.in(e, 0), from);
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const rank = e.type(0).rank;
    int d = c.dim(e, 0), v = c.value(e, 0);
    if (d < 0) v = c.insert(v, d = 0, c.size());
    detail::int_list par;
    for (int part = 0; part < 3; ++part) {
      for (int i = 0; i <= rank; ++i) {
        if (i == d) par.push(0);
        if (i < rank) par.push(e.param(part * rank + i));
      }
    }
    if (c.dim(e, 1) < 0) {
      int const in[] = {v, c.value(e, 1)};
      return c.replace(e, in, {par.of, par.n}, d);
    }
    // A padding value for each row: pad with zero, and choose by a padded mask.
    aval const out = e.out_type(0).with_axis(d, c.size());
    dtype const t = out.type;
    int const array[] = {v, c.literal(t, 0)};
    int const padded = c.emit(prim::pad, array, {par.of, par.n}, out);
    int const ones = c.broadcast(c.literal(dtype::b1, 1), c.type(v), {});
    int const mask[] = {ones, c.literal(dtype::b1, 0)};
    int const inside = c.emit(prim::pad, mask, {par.of, par.n}, out.with_type(dtype::b1));
    int const fill = c.broadcast(c.value(e, 1), out, {&d, 1});
    int const choice[] = {inside, fill, padded};
    c.set(e, 0, c.emit(prim::select_n, choice, {}, out), d);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    int const rank = e.type(0).rank;
    o.key("padding_config");
    o.text("(");
    for (int i = 0; i < rank; ++i) {
      if (i > 0) o.text(", ");
      int const axis[] = {low(e, i), high(e, i), interior(e, i)};
      o.tuple(axis);
    }
    o.text(rank == 1 ? ",)" : ")");
  }
};

}  // namespace exprax

// exprax/primitives/pow.hpp
// pow (jax.lax.pow): x to the power y, as exp2(y log2 |x|) with the sign and the special values of C99 Annex F. The logarithm has
// enough more bits than the result: double arithmetic for float, pairs of doubles (Dekker, 1971) for double. Error below 0.6 ULP
// for float and 1.3 for double.

namespace exprax {

template <>
struct primitive<prim::pow> : detail::binary_float<prim::pow> {
  static constexpr std::string_view name = "pow";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x, V y) {
    using T = typename V::value_type;
    using limits = std::numeric_limits<T>;
    V const zero(T(0));
    V const one(T(1));
    V const infinite(limits::infinity());
    V const size = abs(x);
    V r = magnitude(size, y);
    // |x| of 0 and infinity.
    auto const vanishing = size == zero;
    r = select(vanishing | (size == infinite), select(vanishing ^ (y > zero), infinite, zero), r);
    // The sign: odd y keeps it. Beyond 2^digits all numbers are even, and y/2 is whole.
    V const half = y * V(T(0.5));
    auto const whole = trunc(y) == y;
    auto const odd = whole & (trunc(half) != half);
    r = select(odd, copysign(r, x), r);
    auto const unknown = isnan(x) | isnan(y) | ((x < zero) & (size < infinite) & ~whole);
    r = select(unknown, V(limits::quiet_NaN()), r);
    return select((y == zero) | (x == one), one, r);
  }

 private:
  // x^y for finite x > 0.
  template <class V>
  EXPRAX_INLINE static constexpr V magnitude(V x, V y) {
    if constexpr (detail::is_single<V>) return in_double(x, y);
    else return in_pairs(x, y);
  }

  template <class V>
  EXPRAX_INLINE static constexpr V in_double(V x, V y) {
    using D = typename V::template rebind<double>;
    using C = detail::exp_constants<double>;
    auto const [m, e] = split(convert<double>(x));
    D const f = m - D(1.0);
    D const s = f / (D(2.0) + f);
    D const z = s * s;
    D const p = detail::polynomial(z, 0x1.9c2fc47155ffap-3, 0x1.c5520b9dfa2f4p-3, 0x1.2496e9cab0ec4p-2, 0x1.99998f353b9b3p-2, 0x1.555555591ce8p-1);
    D const log_m = fma(s * z, p, s + s);
    D const log2_x = fma(log_m, D(C::log2_e), e);
    D const w = bounded(convert<double>(bounded(y, -0x1p60f, 0x1p60f)) * log2_x, -400.0, 400.0);
    D const magic(simd::detail::float_format<double>::round_magic);
    D const n = (w + magic) - magic;
    D const r = (w - n) * D(C::ln2_high);
    D const q = detail::polynomial(r, 0x1.a1b71e2b49551p-13, 0x1.6d94d273d5a82p-10, 0x1.11107db2422d5p-7, 0x1.555482cb76218p-5, 0x1.555555976002bp-3,
                                   0x1.00000041442afp-1);
    return convert<float>(scale(D(1.0) + fma(r * r, q, r), n));
  }

  // A sum of two numbers, the second below the rounding error of the first.
  template <class V>
  struct pair {
    V high;
    V low;
  };
  // For |a| >= |b|, or a = 0.
  template <class V>
  EXPRAX_INLINE static constexpr pair<V> ordered_sum(V a, V b) {
    V const s = a + b;
    return {s, b - (s - a)};
  }
  template <class V>
  EXPRAX_INLINE static constexpr pair<V> product(pair<V> a, pair<V> b) {
    V const p = a.high * b.high;
    return {p, fma(a.high, b.high, -p) + fma(a.high, b.low, a.low * b.high)};
  }

  template <class V>
  EXPRAX_INLINE static constexpr V in_pairs(V x, V y) {
    using C = detail::exp_constants<double>;
    auto const [m, e] = split(x);
    // s = (m - 1) / (m + 1), log(m) = 2 atanh(s) = 2 s + s^3 (2/3 + z p(z)), z = s^2.
    V const one(1.0);
    V const f = m - one;
    pair<V> const d = ordered_sum(one, m);  // exact: m is in [0.75, 1.5)
    V const q = f / d.high;
    pair<V> const s{q, fma(-q, d.low, fma(-q, d.high, f)) / d.high};
    pair<V> const z = product(s, s);
    V const p = detail::polynomial(z.high, 0x1.da1a3628dce71p-4, 0x1.a751d1c4087adp-4, 0x1.e248557c0eafbp-4, 0x1.110f7c3b9d539p-3, 0x1.3b13b9016dba6p-3,
                                   0x1.745d172e637f9p-3, 0x1.c71c71c7452d1p-3, 0x1.2492492492376p-2, 0x1.999999999999ap-2);
    pair<V> c = ordered_sum(V(0x1.5555555555555p-1), z.high * p);
    c.low = c.low + fma(z.low, p, V(0x1.5555555555555p-55));
    pair<V> const cubic = product(product(s, z), c);
    pair<V> log_m = ordered_sum(s.high + s.high, cubic.high);
    log_m.low = log_m.low + (s.low + s.low + cubic.low);
    pair<V> const log2_m = product(log_m, {V(C::log2_e), V(0x1.777d0ffda0d24p-56)});
    pair<V> log2_x = ordered_sum(e, log2_m.high);
    log2_x.low = log2_x.low + log2_m.low;
    // Exponents beyond 2^70 do not differ in what they give.
    V const exponent = bounded(y, -0x1p70, 0x1p70);
    pair<V> const w = product(log2_x, {exponent, V(0.0)});
    V const inside = bounded(w.high, -1100.0, 1100.0);
    V const rest = select(inside == w.high, w.low, V(0.0));
    V const magic(simd::detail::float_format<double>::round_magic);
    V const n = (inside + magic) - magic;
    V const r = ((inside - n) + rest) * V(C::ln2_high);
    return scale(one + detail::expm1_of_rest(r), n);
  }
};

}  // namespace exprax

// exprax/primitives/reduce_and.hpp
// reduce_and (jax.lax.reduce_and): whether all are true along some axes; integers: bit by bit.

// exprax/primitives/reduction.hpp
// Family of the reductions (jax.lax.reduce_sum, ...): the elements along some axes become one. Parameters: the axes, ascending.
//
// The order is part of the meaning, so that bits depend neither on pack width nor on layout nor on batching. The elements
// x[0..n) of one result are numbered in row-major order; Combine is the primitive that joins two. Sums and products: of each
// block of 64 elements, lane j takes m[k] = x[8k + j] as ((m0 m2)(m4 m6))((m1 m3)(m5 m7)), absent elements being the identity,
// and joins it to acc[j]; the result is ((acc0 acc4)(acc2 acc6))((acc1 acc5)(acc3 acc7)). The others have one result in
// any order.

#include <limits>

namespace exprax::detail {

enum class reduction_kind { arithmetic, extremum, logical };

// What a reduction of nothing is.
template <class T, prim Combine>
constexpr T reduction_identity() {
  using limits = std::numeric_limits<T>;
  if constexpr (Combine == prim::mul) return T(1);
  else if constexpr (Combine == prim::max && limits::has_infinity) return -limits::infinity();
  else if constexpr (Combine == prim::min && limits::has_infinity) return limits::infinity();
  else if constexpr (Combine == prim::max) return limits::lowest();
  else if constexpr (Combine == prim::min) return limits::max();
  else if constexpr (Combine == prim::and_) return static_cast<T>(~std::uint64_t{0});
  else return T(0);
}

// The tree over eight lanes that are eight steps apart, of one block or of the accumulators.
template <class V, class Join>
constexpr V join_strided(V const* m, Join join) {
  return join(join(join(m[0], m[2]), join(m[4], m[6])), join(join(m[1], m[3]), join(m[5], m[7])));
}
template <class V, class Join>
constexpr V join_accumulators(V const* acc, Join join) {
  return join(join(join(acc[0], acc[4]), join(acc[2], acc[6])), join(join(acc[1], acc[5]), join(acc[3], acc[7])));
}

template <prim P, prim Combine, reduction_kind Kind>
struct reduction {
  static constexpr op_class kind = op_class::reduction;
  static constexpr prim combine = Combine;
  static constexpr bool in_fixed_order = Kind == reduction_kind::arithmetic;

  static constexpr bool accepts(dtype d) { return Kind == reduction_kind::logical ? !is_floating(d) : !is_bool(d); }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1) return false;
    aval const& in = e.type(0);
    if (!accepts(in.type) || !are_axes(e.params().data(), e.n_par(), in.rank)) return false;
    *out = aval(in.type, in.weak);
    for (int i = 0; i < in.rank; ++i)
      if (!contains(e.params().data(), e.n_par(), i)) out->dims[out->rank++] = in.dims[i];
    return true;
  }

  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    with_element(e.type(0).type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      if constexpr (accepts(dtype_of<T>)) evaluate_as<T>(m, e);
    });
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const d = c.dim(e, 0), v = c.value(e, 0);
    int out_dim = d;
    int_list axes;
    for (int axis : e.params()) {
      axes.push(axis < d ? axis : axis + 1);
      out_dim -= axis < d;
    }
    c.replace(e, {&v, 1}, {axes.of, axes.n}, out_dim);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("axes");
    o.tuple(e.params());
    if constexpr (P == prim::reduce_sum) {
      o.key("out_sharding");
      o.text("None");
    }
  }

 private:
  template <class T, class Machine>
  static constexpr void evaluate_as(Machine& m, equation_ref const& e) {
    auto const join = [](lane<T> a, lane<T> b) { return primitive<Combine>::kernel(a, b); };
    lane<T> const identity(reduction_identity<T, Combine>());
    aval const& in = e.type(0);
    strides const of(in);
    aval kept, reduced;
    place kept_place, reduced_place;
    for (int i = 0; i < in.rank; ++i) {
      bool const gone = contains(e.params().data(), e.n_par(), i);
      aval& box = gone ? reduced : kept;
      (gone ? reduced_place : kept_place).step[box.rank] = of[i];
      box.dims[box.rank++] = in.dims[i];
    }
    std::uint64_t const* const from = m.in(e, 0);
    std::uint64_t* const to = m.out(e, 0);
    walk(kept, place(kept), kept_place, [&](std::ptrdiff_t out_at, std::ptrdiff_t in_at) {
      lane<T> block[64] = {}, acc[8] = {};
      for (auto& a : acc) a = identity;
      int filled = 0;
      auto const flush = [&] {
        for (int i = filled; i < 64; ++i) block[i] = identity;
        for (int j = 0; j < 8; ++j) {
          lane<T> const column[] = {block[j],      block[8 + j],  block[16 + j], block[24 + j],
                                    block[32 + j], block[40 + j], block[48 + j], block[56 + j]};
          acc[j] = join(acc[j], join_strided(column, join));
        }
        filled = 0;
      };
      walk(reduced, place(), reduced_place, [&](std::ptrdiff_t, std::ptrdiff_t at) {
        lane<T> const x(from_bits<T>(from[in_at + at]));
        if constexpr (in_fixed_order) {
          block[filled++] = x;
          if (filled == 64) flush();
        } else {
          acc[0] = join(acc[0], x);
        }
      });
      if (filled > 0) flush();
      to[out_at] = to_bits((in_fixed_order ? join_accumulators(acc, join) : acc[0]).value);
    });
  }
};

}  // namespace exprax::detail

namespace exprax {

template <>
struct primitive<prim::reduce_and> : detail::reduction<prim::reduce_and, prim::and_, detail::reduction_kind::logical> {
  static constexpr std::string_view name = "reduce_and";
};

}  // namespace exprax

// exprax/primitives/reduce_max.hpp
// reduce_max (jax.lax.reduce_max): the largest element along some axes; NaN if there is one, and -0 < +0.

namespace exprax {

template <>
struct primitive<prim::reduce_max> : detail::reduction<prim::reduce_max, prim::max, detail::reduction_kind::extremum> {
  static constexpr std::string_view name = "reduce_max";
};

}  // namespace exprax

// exprax/primitives/reduce_min.hpp
// reduce_min (jax.lax.reduce_min): the smallest element along some axes; NaN if there is one, and -0 < +0.

namespace exprax {

template <>
struct primitive<prim::reduce_min> : detail::reduction<prim::reduce_min, prim::min, detail::reduction_kind::extremum> {
  static constexpr std::string_view name = "reduce_min";
};

}  // namespace exprax

// exprax/primitives/reduce_or.hpp
// reduce_or (jax.lax.reduce_or): whether any is true along some axes; integers: bit by bit.

namespace exprax {

template <>
struct primitive<prim::reduce_or> : detail::reduction<prim::reduce_or, prim::or_, detail::reduction_kind::logical> {
  static constexpr std::string_view name = "reduce_or";
};

}  // namespace exprax

// exprax/primitives/reduce_prod.hpp
// reduce_prod (jax.lax.reduce_prod): the product along some axes. Integers wrap.

namespace exprax {

template <>
struct primitive<prim::reduce_prod> : detail::reduction<prim::reduce_prod, prim::mul, detail::reduction_kind::arithmetic> {
  static constexpr std::string_view name = "reduce_prod";
};

}  // namespace exprax

// exprax/primitives/reduce_sum.hpp
// reduce_sum (jax.lax.reduce_sum): the sum along some axes. Integers wrap.

namespace exprax {

template <>
struct primitive<prim::reduce_sum> : detail::reduction<prim::reduce_sum, prim::add, detail::reduction_kind::arithmetic> {
  static constexpr std::string_view name = "reduce_sum";
};

}  // namespace exprax

// exprax/primitives/rem.hpp
// rem (jax.lax.rem): x - y * trunc(x / y), exact, with the sign of x (C's fmod and %). Integers: x rem 0 = x, min rem -1 = 0.

namespace exprax {

template <>
struct primitive<prim::rem> : detail::binary<prim::rem> {
  static constexpr std::string_view name = "rem";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x, V y) {
    if constexpr (std::is_floating_point_v<typename V::value_type>) return each_lane(fmod{}, x, y);
    else return x % y;
  }

 private:
  struct fmod {
    template <class T>
    constexpr T operator()(T x, T y) const {
      if (std::is_constant_evaluated()) return detail::ieee::fmod(x, y);
      if constexpr (sizeof(T) == 4) return __builtin_fmodf(x, y);
      else return __builtin_fmod(x, y);
    }
  };
};

}  // namespace exprax

// exprax/primitives/reshape.hpp
// reshape (jax.lax.reshape): the same elements in row-major order under another shape. Parameters: the new sizes.

namespace exprax {

template <>
struct primitive<prim::reshape> : detail::affine_read<prim::reshape> {
  static constexpr std::string_view name = "reshape";

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_par() > max_rank) return false;
    *out = aval(e.type(0).type, e.type(0).weak);
    for (int n : e.params()) {
      if (n < 0) return false;
      out->dims[out->rank++] = n;
    }
    return out->size() == e.type(0).size();
  }
  static constexpr detail::place source(equation_ref const& e) { return detail::place(e.out_type(0)); }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const v = c.move(c.value(e, 0), c.dim(e, 0), 0);
    c.set(e, 0, c.reshape(v, e.out_type(0).with_axis(0, c.size())), 0);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("dimensions");
    o.text("None");
    o.key("new_sizes");
    o.tuple(e.params());
    o.key("sharding");
    o.text("None");
  }
};

}  // namespace exprax

// exprax/primitives/rev.hpp
// rev (jax.lax.rev): reverses the order along some axes. Parameters: the axes.

namespace exprax {

template <>
struct primitive<prim::rev> : detail::affine_read<prim::rev> {
  static constexpr std::string_view name = "rev";

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || !detail::are_axes(e.params().data(), e.n_par(), e.type(0).rank)) return false;
    *out = e.type(0);
    return true;
  }
  static constexpr detail::place source(equation_ref const& e) {
    detail::place p(e.type(0));
    for (int axis : e.params()) {
      p.base += p.step[axis] * (e.type(0).dims[axis] - 1);
      p.step[axis] = -p.step[axis];
    }
    return p;
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const d = c.dim(e, 0), v = c.value(e, 0);
    detail::int_list axes;
    for (int axis : e.params()) axes.push(axis < d ? axis : axis + 1);
    c.replace(e, {&v, 1}, {axes.of, axes.n}, d);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("dimensions");
    o.tuple(e.params());
  }
};

}  // namespace exprax

// exprax/primitives/rsqrt.hpp
// rsqrt (jax.lax.rsqrt): 1 / sqrt(x), each step correctly rounded: 1 ULP. Infinite at 0, with its sign.

namespace exprax {

template <>
struct primitive<prim::rsqrt> : detail::unary_float<prim::rsqrt> {
  static constexpr std::string_view name = "rsqrt";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return V(1) / sqrt(x);
  }
};

}  // namespace exprax

// exprax/primitives/scan.hpp
// scan (jax.lax.scan): a loop whose number of turns is known. Operands: consts, the carry, xs; results: the last carry, ys.
// Turn i calls the block on the consts, the carry and row i of each of xs; it gives the next carry and row i of each of ys.
// Parameters: length, num_consts, num_carry, reverse (turns run from the last row to the first), unroll. One block.

namespace exprax {

template <>
struct primitive<prim::scan> {
  static constexpr std::string_view name = "scan";
  static constexpr op_class kind = op_class::control;

  static constexpr int length(equation_ref const& e) { return e.param(0); }
  static constexpr int num_consts(equation_ref const& e) { return e.param(1); }
  static constexpr int num_carry(equation_ref const& e) { return e.param(2); }
  static constexpr bool reverse(equation_ref const& e) { return e.param(3) != 0; }
  static constexpr int unroll(equation_ref const& e) { return e.param(4); }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.e.n_blk != 1 || e.n_par() != 5 || length(e) < 0) return false;
    block const& b = e.sub(0);
    int const first_carry = num_consts(e), first_x = first_carry + num_carry(e);
    if (first_carry < 0 || num_carry(e) < 0 || b.n_in != e.n_in() || b.n_in < first_x || b.n_out < num_carry(e)) return false;
    for (int k = 0; k < b.n_in; ++k) {
      aval const& given = e.type(k);
      aval const& taken = e.p.type(e.p.ins(b)[k]);
      if (k < first_x ? !taken.matches(given) : given.rank == 0 || given.dims[0] != length(e) || !taken.matches(given.without_axis(0))) return false;
    }
    for (int k = 0; k < b.n_out; ++k) {
      aval const& made = e.p.type(e.p.outs(b)[k]);
      if (k < num_carry(e) && !made.matches(e.type(first_carry + k))) return false;
      out[k] = k < num_carry(e) ? e.type(first_carry + k) : made.with_axis(0, length(e));
    }
    return true;
  }

  template <class Machine>
  static constexpr void evaluate(Machine& m, equation_ref const& e) {
    block const& b = e.sub(0);
    int const first_carry = num_consts(e), n_carry = num_carry(e), first_x = first_carry + n_carry;
    // The carry lives in the results; the next one is made aside, since a block may hand on its inputs.
    detail::arena<std::uint64_t> next;
    std::ptrdiff_t carry_size = 0;
    for (int k = 0; k < n_carry; ++k) carry_size += e.out_type(k).size();
    next.resize(static_cast<int>(carry_size));
    for (int k = 0; k < n_carry; ++k) copy(m.out(e, k), m.in(e, first_carry + k), e.out_type(k).size());
    for (int k = 0; k < first_carry; ++k) m.bind(b, k, m.in(e, k));
    for (int turn = 0; turn < length(e); ++turn) {
      int const row = reverse(e) ? length(e) - 1 - turn : turn;
      for (int k = 0; k < n_carry; ++k) m.bind(b, first_carry + k, m.out(e, k));
      for (int k = first_x; k < e.n_in(); ++k) m.bind(b, k, m.in(e, k) + row * (e.type(k).size() / length(e)));
      m.run(b);
      for (int k = n_carry; k < e.n_out(); ++k) {
        std::ptrdiff_t const n = e.out_type(k).size() / length(e);
        copy(m.out(e, k) + row * n, m.result(b, k), n);
      }
      std::uint64_t* at = next.data();
      for (int k = 0; k < n_carry; ++k) at = copy(at, m.result(b, k), e.out_type(k).size());
      at = next.data();
      for (int k = 0; k < n_carry; ++k) {
        copy(m.out(e, k), at, e.out_type(k).size());
        at += e.out_type(k).size();
      }
    }
  }

  // The carry is batched where its start or its update is: consts and carry have the axis first, xs and ys second.
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const id = e.p.block_id(e.e, 0), n_carry = num_carry(e), first_x = num_consts(e) + n_carry;
    detail::arena<char> marks, out_marks;
    for (int k = 0; k < e.n_in(); ++k) marks.push(c.dim(e, k) >= 0);
    out_marks = fixed_point(e, marks, [&](detail::span<char> in) { return c.depends(id, in); });
    detail::arena<int> in, dims, want;
    detail::arena<aval> out;
    for (int k = 0; k < e.n_in(); ++k) {
      in.push(marks[k] ? c.placed(c.value(e, k), c.dim(e, k), k < first_x ? 0 : 1) : c.value(e, k));
      dims.push(marks[k] ? 0 : -1);
    }
    for (int k = 0; k < e.n_out(); ++k) {
      want.push(out_marks[k] ? 0 : -1);
      out.push(out_marks[k] ? e.out_type(k).with_axis(k < n_carry ? 0 : 1, c.size()) : e.out_type(k));
    }
    int const body = c.batch_block(id, dims, want);
    int const first = c.emit(prim::scan, in, e.params(), out, {&body, 1});
    for (int k = 0; k < e.n_out(); ++k) c.set(e, k, first + k, out_marks[k] ? (k < n_carry ? 0 : 1) : -1);
  }
  template <class Spread>
  static constexpr void spread(Spread& s, equation_ref const& e) {
    detail::arena<char> marks;
    for (int k = 0; k < e.n_in(); ++k) marks.push(s.marked(e, k));
    detail::arena<char> const out = fixed_point(e, marks, [&](detail::span<char> in) { return s.through(e.p.block_id(e.e, 0), in); });
    for (int k = 0; k < e.n_out(); ++k) s.mark(e, k, out[k]);
  }

  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("jaxpr");
    o.block(0);
    o.key("length");
    o.integer(length(e));
    o.key("num_carry");
    o.integer(num_carry(e));
    o.key("num_consts");
    o.integer(num_consts(e));
    o.key("reverse");
    o.boolean(reverse(e));
    o.key("unroll");
    o.integer(unroll(e));
  }

 private:
  static constexpr std::uint64_t* copy(std::uint64_t* to, std::uint64_t const* from, std::ptrdiff_t n) {
    for (std::ptrdiff_t i = 0; i < n; ++i) to[i] = from[i];
    return to + n;
  }
  // Marks carries until what a turn makes of them is marked no more than they are; the marks of the results.
  template <class Turn>
  static constexpr detail::arena<char> fixed_point(equation_ref const& e, detail::arena<char>& marks, Turn turn) {
    while (true) {
      detail::arena<char> out = turn(marks);
      bool stable = true;
      for (int k = 0; k < num_carry(e); ++k) {
        char& carry = marks[num_consts(e) + k];
        if (out[k] && !carry) {
          carry = 1;
          stable = false;
        }
        out[k] = carry;
      }
      if (stable) return out;
    }
  }
};

}  // namespace exprax

// exprax/primitives/scatter.hpp
// scatter (jax.lax.scatter): the operand with some elements replaced.

namespace exprax {

template <>
struct primitive<prim::scatter> : detail::scatter_family<prim::scatter, prim::scatter> {
  static constexpr std::string_view name = "scatter";
};

}  // namespace exprax

// exprax/primitives/scatter_add.hpp
// scatter-add (jax.lax.scatter_add): the operand with an update added to some elements.

namespace exprax {

template <>
struct primitive<prim::scatter_add> : detail::scatter_family<prim::scatter_add, prim::add> {
  static constexpr std::string_view name = "scatter-add";
};

}  // namespace exprax

// exprax/primitives/scatter_max.hpp
// scatter-max (jax.lax.scatter_max): the operand, some elements being the greater of themselves and an update.

namespace exprax {

template <>
struct primitive<prim::scatter_max> : detail::scatter_family<prim::scatter_max, prim::max> {
  static constexpr std::string_view name = "scatter-max";
};

}  // namespace exprax

// exprax/primitives/scatter_min.hpp
// scatter-min (jax.lax.scatter_min): the operand, some elements being the lesser of themselves and an update.

namespace exprax {

template <>
struct primitive<prim::scatter_min> : detail::scatter_family<prim::scatter_min, prim::min> {
  static constexpr std::string_view name = "scatter-min";
};

}  // namespace exprax

// exprax/primitives/scatter_mul.hpp
// scatter-mul (jax.lax.scatter_mul): the operand with some elements multiplied by an update.

namespace exprax {

template <>
struct primitive<prim::scatter_mul> : detail::scatter_family<prim::scatter_mul, prim::mul> {
  static constexpr std::string_view name = "scatter-mul";
};

}  // namespace exprax

// exprax/primitives/select_n.hpp
// select_n (jax.lax.select_n): the case that the first operand names. The kernel is the one of two cases: if_true where which.

namespace exprax {

template <>
struct primitive<prim::select_n> : detail::select_family<prim::select_n> {
  static constexpr std::string_view name = "select_n";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(typename V::mask which, V if_false, V if_true) {
    return select(which, if_true, if_false);
  }
};

}  // namespace exprax

// exprax/primitives/sign.hpp
// sign (jax.lax.sign): -1, 0 or 1; floats keep NaN and the sign of zero.

namespace exprax {

template <>
struct primitive<prim::sign> : detail::unary<prim::sign> {
  static constexpr std::string_view name = "sign";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    if constexpr (std::is_floating_point_v<T>) return select(abs(x) > V(0), copysign(V(1), x), x);
    else if constexpr (std::is_signed_v<T>) return select(x > V(0), V(1), select(x < V(0), V(T(-1)), V(0)));
    else return select(x != V(0), V(1), V(0));
  }
};

}  // namespace exprax

// exprax/primitives/sin.hpp
// sin (jax.lax.sin): the sine of x radians, error below 1.6 ULP for every x; NaN for infinite x, sin(-0) = -0.

namespace exprax {

template <>
struct primitive<prim::sin> : detail::unary_float<prim::sin> {
  static constexpr std::string_view name = "sin";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    // Also keeps the sign of zero.
    return select(abs(x) < V(detail::trig_constants<typename V::value_type>::tiny), x, detail::sin_shifted<0>(x));
  }
};

}  // namespace exprax

// exprax/primitives/slice.hpp
// slice (jax.lax.slice): a box of the operand, with a step for each axis. Parameters: start of each axis, limit of each
// axis, and, if one is not 1, the stride of each axis.

namespace exprax {

template <>
struct primitive<prim::slice> : detail::affine_read<prim::slice> {
  static constexpr std::string_view name = "slice";

  static constexpr int start(equation_ref const& e, int axis) { return e.param(axis); }
  static constexpr int limit(equation_ref const& e, int axis) { return e.param(e.type(0).rank + axis); }
  static constexpr bool has_strides(equation_ref const& e) { return e.n_par() > 2 * e.type(0).rank; }
  static constexpr int stride(equation_ref const& e, int axis) { return has_strides(e) ? e.param(2 * e.type(0).rank + axis) : 1; }

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1) return false;
    int const rank = e.type(0).rank;
    if (e.n_par() != 2 * rank && e.n_par() != 3 * rank) return false;
    *out = e.type(0);
    for (int i = 0; i < rank; ++i) {
      int const first = start(e, i), last = limit(e, i), step = stride(e, i);
      if (first < 0 || last < first || last > out->dims[i] || step < 1) return false;
      out->dims[i] = (last - first + step - 1) / step;
    }
    return true;
  }
  static constexpr detail::place source(equation_ref const& e) {
    detail::place p(e.type(0));
    for (int i = 0; i < e.type(0).rank; ++i) {
      p.base += p.step[i] * start(e, i);
      p.step[i] *= stride(e, i);
    }
    return p;
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const d = c.dim(e, 0), v = c.value(e, 0), rank = e.type(0).rank;
    detail::int_list par;
    for (int part = 0; part * rank < e.n_par(); ++part) {
      int const whole[] = {0, c.size(), 1};
      for (int i = 0; i <= rank; ++i) {
        if (i == d) par.push(whole[part]);
        if (i < rank) par.push(e.param(part * rank + i));
      }
    }
    c.replace(e, {&v, 1}, {par.of, par.n}, d);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    int const rank = e.type(0).rank;
    o.key("limit_indices");
    o.tuple(e.params().part(rank, rank));
    o.key("start_indices");
    o.tuple(e.params().part(0, rank));
    o.key("strides");
    if (has_strides(e)) o.tuple(e.params().part(2 * rank, rank));
    else o.text("None");
  }
};

}  // namespace exprax

// exprax/primitives/sqrt.hpp
// sqrt (jax.lax.sqrt), correctly rounded; NaN below 0, sqrt(-0) = -0.

namespace exprax {

template <>
struct primitive<prim::sqrt> : detail::unary_float<prim::sqrt> {
  static constexpr std::string_view name = "sqrt";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    return sqrt(x);
  }
};

}  // namespace exprax

// exprax/primitives/squeeze.hpp
// squeeze (jax.lax.squeeze): drops axes of one element. Parameters: the axes.

namespace exprax {

template <>
struct primitive<prim::squeeze> : detail::affine_read<prim::squeeze> {
  static constexpr std::string_view name = "squeeze";

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1) return false;
    aval const& in = e.type(0);
    if (!detail::are_axes(e.params().data(), e.n_par(), in.rank)) return false;
    *out = aval(in.type, in.weak);
    for (int i = 0; i < in.rank; ++i) {
      if (!detail::contains(e.params().data(), e.n_par(), i)) out->dims[out->rank++] = in.dims[i];
      else if (in.dims[i] != 1) return false;
    }
    return true;
  }
  static constexpr detail::place source(equation_ref const& e) { return detail::place(e.out_type(0)); }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const v = c.move(c.value(e, 0), c.dim(e, 0), 0);
    detail::int_list axes;
    for (int axis : e.params()) axes.push(axis + 1);
    c.replace(e, {&v, 1}, {axes.of, axes.n}, 0);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("dimensions");
    o.tuple(e.params());
  }
};

}  // namespace exprax

// exprax/primitives/sub.hpp
// sub (jax.lax.sub): a - b; integers wrap.

namespace exprax {

template <>
struct primitive<prim::sub> : detail::binary<prim::sub> {
  static constexpr std::string_view name = "sub";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V a, V b) {
    return a - b;
  }
};

}  // namespace exprax

// exprax/primitives/tanh.hpp
// tanh (jax.lax.tanh): the hyperbolic tangent, by t / (t + 2) with t = expm1(2 |x|); tanh(-0) = -0. Error below 2.6 ULP.

namespace exprax {

template <>
struct primitive<prim::tanh> : detail::unary_float<prim::tanh> {
  static constexpr std::string_view name = "tanh";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V x) {
    using T = typename V::value_type;
    V const t = detail::expm1_of(bounded(abs(x) + abs(x), T(0), detail::is_single<V> ? T(20) : T(40)));
    return copysign(t / (t + V(T(2))), x);
  }
};

}  // namespace exprax

// exprax/primitives/transpose.hpp
// transpose (jax.lax.transpose): axis i of the result is axis permutation[i] of the operand. Parameters: the permutation.

namespace exprax {

template <>
struct primitive<prim::transpose> : detail::affine_read<prim::transpose> {
  static constexpr std::string_view name = "transpose";

  static constexpr bool infer(equation_ref const& e, aval* out) {
    if (e.n_in() != 1 || e.n_par() != e.type(0).rank || !detail::are_axes(e.params().data(), e.n_par(), e.n_par())) return false;
    *out = aval(e.type(0).type, e.type(0).weak);
    for (int axis : e.params()) out->dims[out->rank++] = e.type(0).dims[axis];
    return true;
  }
  static constexpr detail::place source(equation_ref const& e) {
    strides const of(e.type(0));
    detail::place p;
    for (int i = 0; i < e.n_par(); ++i) p.step[i] = of[e.param(i)];
    return p;
  }
  template <class Context>
  static constexpr void batch(Context& c, equation_ref const& e) {
    int const d = c.dim(e, 0);
    detail::int_list permutation;
    permutation.push(d);
    for (int axis : e.params()) permutation.push(axis < d ? axis : axis + 1);
    c.set(e, 0, c.transpose(c.value(e, 0), {permutation.of, permutation.n}), 0);
  }
  template <class Printer>
  static constexpr void print(Printer& o, equation_ref const& e) {
    o.key("permutation");
    o.tuple(e.params());
  }
};

}  // namespace exprax

// exprax/primitives/xor_.hpp
// xor (jax.lax.bitwise_xor).

namespace exprax {

template <>
struct primitive<prim::xor_> : detail::binary_logical<prim::xor_> {
  static constexpr std::string_view name = "xor";
  template <class V>
  EXPRAX_INLINE static constexpr V kernel(V a, V b) {
    return a ^ b;
  }
};

}  // namespace exprax

namespace exprax::detail {

// The slots of one box for packs of L elements: an array for each dtype.
template <class V, int N>
struct slot_file {
  V of[N];
};
template <class V>
struct slot_file<V, 0> {
  static constexpr V* of = nullptr;  // no step reads it
};

template <class Plan, int Box, int L, class Types = std::make_integer_sequence<int, dtype_count>>
struct registers;
template <class Plan, int Box, int L, int... D>
struct registers<Plan, Box, L, std::integer_sequence<int, D...>>
    : slot_file<simd::pack<element_t<static_cast<dtype>(D)>, L>, Plan::storage.boxes[Box].slots[D]>... {
  template <class T>
  using file_of = slot_file<simd::pack<T, L>, Plan::storage.boxes[Box].slots[static_cast<int>(dtype_of<T>)]>;
  template <class T>
  EXPRAX_INLINE constexpr auto& file() {
    return static_cast<file_of<T>&>(*this).of;
  }
};

constexpr int arity(prim op) { return op < prim::add ? 1 : op == prim::select_n || op == prim::clamp || op == prim::fma ? 3 : 2; }
constexpr bool is_comparison(prim op) { return op >= prim::eq && op <= prim::ge; }

// The last axis: x is the index of the first lane.
template <class T, int L>
EXPRAX_INLINE constexpr simd::pack<T, L> index_pack(std::int64_t offset, std::int64_t scale, std::ptrdiff_t x, bool along) {
  using I = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  simd::pack<I, L> i(static_cast<I>(offset + scale * x));
  if constexpr (L > 1)
    if (along) i = i + simd::iota<I, L>() * simd::pack<I, L>(static_cast<I>(scale));
  return convert<T>(i);
}

// Loads L elements that lie `stride` apart.
template <class T, int L>
EXPRAX_INLINE constexpr simd::pack<T, L> load_strided(T const* p, std::ptrdiff_t stride) {
  if constexpr (L == 1) {
    return simd::pack<T, 1>(*p);
  } else {
    T lanes[L];
    for (int i = 0; i < L; ++i) lanes[i] = p[i * stride];
    return simd::load<T, L>(lanes);
  }
}
template <class T, int L>
EXPRAX_INLINE constexpr void store_strided(simd::pack<T, L> v, T* p, std::ptrdiff_t stride) {
  if constexpr (L == 1) {
    *p = v.value;
  } else {
    T lanes[L];
    simd::store(v, lanes);
    for (int i = 0; i < L; ++i) p[i * stride] = lanes[i];
  }
}

template <class T, int L, std::ptrdiff_t Stride, int Count>
EXPRAX_INLINE constexpr simd::pack<T, L> load_lanes(T const* p) {
  if constexpr (L == 1 || Stride == 0) {
    return simd::pack<T, L>(*p);
  } else if constexpr (Count < L) {
    if constexpr (Stride == 1) {
      return simd::load_partial<T, L>(p, Count, T{});
    } else {
      T lanes[L] = {};
      for (int i = 0; i < Count; ++i) lanes[i] = p[i * Stride];
      return simd::load<T, L>(lanes);
    }
  } else if constexpr (Stride == 1) {
    return simd::load<T, L>(p);
  } else if constexpr (Stride == -1) {
    return reverse(simd::load<T, L>(p - (L - 1)));
  } else {
    return load_strided<T, L>(p, Stride);
  }
}
template <class T, int L, std::ptrdiff_t Stride>
EXPRAX_INLINE constexpr void store_lanes(simd::pack<T, L> v, T* p) {
  if constexpr (L == 1) *p = v.value;
  else if constexpr (Stride == 1) simd::store(v, p);
  else if constexpr (Stride == -1) simd::store(reverse(v), p - (L - 1));
  else store_strided<T, L>(v, p, Stride);
}

template <class Plan, int Term, class Env>
EXPRAX_INLINE constexpr std::int64_t term_value(Env const& env) {
  return static_cast<std::int64_t>(env.template buffer<Plan::storage.terms[Term].buffer>()[Plan::storage.terms[Term].element]);
}
template <class Plan, int Term, class Env>
EXPRAX_INLINE constexpr std::ptrdiff_t dynamic_offset(Env const& env) {
  std::int64_t const at = term_value<Plan, Term>(env);
  std::int64_t constexpr limit = Plan::storage.terms[Term].limit;
  return (at < 0 ? 0 : at > limit ? limit : at) * Plan::storage.terms[Term].stride;
}

// The part of an access that the loop over the last axis leaves alone.
template <class Plan, int Access, int Rank, class Env>
EXPRAX_INLINE constexpr std::ptrdiff_t row_offset(Env const& env, std::ptrdiff_t const* index) {
  std::ptrdiff_t at = Plan::storage.accesses[Access].base;
  [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
    ((at += Plan::storage.accesses[Access].stride[I] * index[I]), ...);
  }(std::make_integer_sequence<int, (Rank > 0 ? Rank - 1 : 0)>{});
  [&]<int... T>(std::integer_sequence<int, T...>) EXPRAX_LAMBDA_INLINE {
    ((at += dynamic_offset<Plan, Plan::storage.accesses[Access].term + T>(env)), ...);
  }(std::make_integer_sequence<int, Plan::storage.accesses[Access].n_term>{});
  return at;
}

// What a step needs when it runs, cut into small tables: reading a constant out of a large array is slow for compilers, and
// folds have a greatest length.
struct emitted_step {
  std::uint64_t key;   // kind, primitive, dtype of the operands, of the result, number of the access plus 1 (0: one element)
  int d, a, b, c;
  int slot;            // one element: the buffer's number among those of its dtype
  std::uint64_t bits;  // literal: the pattern; iota: the offset; one element: its offset
  std::int64_t scale;
  bool along;          // iota: along the last axis
  int axis;
};
inline constexpr int chunk_size = 128;

template <class Plan, int First, int N, int Rank>
struct step_table {
  struct table {
    emitted_step of[N];
  };
  static constexpr table make() {
    table t{};
    step const* const from = Plan::storage.steps + First;
    for (int i = 0; i < N; ++i) {
      step const& s = from[i];
      std::uint64_t const key = static_cast<std::uint64_t>(s.kind) | static_cast<std::uint64_t>(s.op) << 8 |
                                static_cast<std::uint64_t>(s.from) << 16 | static_cast<std::uint64_t>(s.type) << 24;
      emitted_step& e = t.of[i];
      e = {key, s.d, s.a, s.b, s.c, 0, s.bits, s.scale, false, -1};
      if (is_memory(s.kind)) {
        if (s.access < 0) e.slot = Plan::storage.buffers[s.c].slot;
        else e.key = key | (static_cast<std::uint64_t>(s.access) + 1) << 32;
      } else if (s.kind == step_kind::iota) {
        e.axis = s.access;
        e.along = s.access == Rank - 1;
      }
    }
    return t;
  }
  static constexpr table steps = make();
};

enum class phase : std::uint8_t { all, compute, store };

// Where a row's loads and stores point. One base for each access of the box.
// Column 0 may stand outside of the buffer, where a box begins later in the row.
template <class Plan, int Access>
struct row_pointer {
  element_t<Plan::storage.buffers[Plan::storage.accesses[Access].buffer].type>* p;
  std::ptrdiff_t first;
};
template <class Plan, int Box, int Rank>
struct access_list {
  static constexpr bool listed(int s) {
    step const& x = Plan::storage.steps[Plan::storage.boxes[Box].step + s];
    return is_memory(x.kind) && x.access >= 0;
  }
  static constexpr int count = [] {
    int n = 0;
    for (int s = 0; s < Plan::storage.boxes[Box].n_step; ++s) n += listed(s);
    return n;
  }();
  struct table {
    int of[count + 1];
  };
  static constexpr table accesses = [] {
    table t{};
    int n = 0;
    for (int s = 0; s < Plan::storage.boxes[Box].n_step; ++s)
      if (listed(s)) t.of[n++] = Plan::storage.steps[Plan::storage.boxes[Box].step + s].access;
    return t;
  }();
};
template <class Plan, int... Access>
struct row_pointers : row_pointer<Plan, Access>... {
  template <int Rank, class Env>
  EXPRAX_INLINE static constexpr row_pointers make([[maybe_unused]] Env const& env, [[maybe_unused]] std::ptrdiff_t const* index) {
    return {row_pointer<Plan, Access>{env.template buffer<Plan::storage.accesses[Access].buffer>(), row_offset<Plan, Access, Rank>(env, index)}...};
  }
  template <int A>
  EXPRAX_INLINE constexpr auto* at() const {
    row_pointer<Plan, A> const& row = *this;
    return row.p + row.first;
  }
  // The first lane at column x, and how far apart lanes lie.
  template <int A, int Rank>
  static constexpr std::ptrdiff_t stride = Plan::storage.accesses[A].stride[Rank > 0 ? Rank - 1 : 0];
  template <int A, int Rank>
  EXPRAX_INLINE constexpr auto* lane(std::ptrdiff_t x) const {
    row_pointer<Plan, A> const& row = *this;
    if (std::is_constant_evaluated()) return row.p + (row.first + x * stride<A, Rank>);
    return row.p + row.first + x * stride<A, Rank>;
  }
};
template <class Plan, int Box, int Rank, int... I>
constexpr auto row_pointers_for(std::integer_sequence<int, I...>) -> row_pointers<Plan, access_list<Plan, Box, Rank>::accesses.of[I]...>;
template <class Plan, int Box, int Rank>
using box_pointers = decltype(row_pointers_for<Plan, Box, Rank>(std::make_integer_sequence<int, access_list<Plan, Box, Rank>::count>{}));

// Runs steps. One member function serves all steps with the same key; the slots are arguments.
template <class R, class Env, class Pointers, int L, int Rank, int Count, phase Phase>
struct step_runner {
  R& r;
  Env const& env;
  Pointers const& at;
  std::ptrdiff_t const* index;
  std::ptrdiff_t x;

  template <class T>
  using file = typename R::template file_of<T>;

  template <std::uint64_t Key>
  EXPRAX_INLINE constexpr void run(emitted_step const& s) const {
    constexpr step_kind kind = static_cast<step_kind>(Key & 0xff);
    constexpr prim op = static_cast<prim>(Key >> 8 & 0xff);
    constexpr int access = static_cast<int>(Key >> 32) - 1;
    using F = element_t<static_cast<dtype>(Key >> 16 & 0xff)>;
    using T = element_t<static_cast<dtype>(Key >> 24 & 0xff)>;
    [[maybe_unused]] auto& to = static_cast<file<T>&>(r).of;
    [[maybe_unused]] auto& from = static_cast<file<F>&>(r).of;
    if constexpr (kind == step_kind::store) {
      if constexpr (Phase == phase::compute) return;
      else if constexpr (access < 0) static_cast<typename Env::template file_of<T> const&>(env).of[s.slot][s.bits] = to[s.a].value;
      else store_lanes<T, L, Pointers::template stride<access, Rank>>(to[s.a], at.template lane<access, Rank>(x));
    } else if constexpr (Phase == phase::store) {
      return;
    } else if constexpr (kind == step_kind::load) {
      if constexpr (access < 0) to[s.d] = simd::pack<T, L>(static_cast<typename Env::template file_of<T> const&>(env).of[s.slot][s.bits]);
      else to[s.d] = load_lanes<T, L, Pointers::template stride<access, Rank>, Count>(at.template lane<access, Rank>(x));
    } else if constexpr (kind == step_kind::literal) {
      to[s.d] = simd::pack<T, L>(from_bits<T>(s.bits));
    } else if constexpr (kind == step_kind::iota) {
      to[s.d] = index_pack<T, L>(static_cast<std::int64_t>(s.bits), s.scale, s.axis < 0 ? 0 : s.along ? x : index[s.axis], s.along);
    } else if constexpr (kind == step_kind::convert) {
      to[s.d] = convert<T>(from[s.a]);
    } else if constexpr (op == prim::select_n) {
      to[s.d] = primitive<op>::kernel(static_cast<file<bool>&>(r).of[s.a], to[s.b], to[s.c]);
    } else if constexpr (arity(op) == 1) {
      to[s.d] = primitive<op>::kernel(from[s.a]);
    } else if constexpr (arity(op) == 2) {
      to[s.d] = primitive<op>::kernel(from[s.a], from[s.b]);
    } else {
      to[s.d] = primitive<op>::kernel(from[s.a], from[s.b], from[s.c]);
    }
  }
};

// Steps [First, First + N) of a plan, in order.
template <class Plan, int First, int N, int L, int Rank, int Count, phase Phase, class R, class Env, class Pointers>
EXPRAX_INLINE constexpr void run_steps(R& r, Env const& env, Pointers const& at, std::ptrdiff_t const* index, std::ptrdiff_t x) {
  constexpr int n = N < chunk_size ? N : chunk_size;
  if constexpr (n > 0) {
    using table = step_table<Plan, First, n, Rank>;
    step_runner<R, Env, Pointers, L, Rank, Count, Phase> const runner{r, env, at, index, x};
    [&]<int... K>(std::integer_sequence<int, K...>) EXPRAX_LAMBDA_INLINE {
      (runner.template run<table::steps.of[K].key>(table::steps.of[K]), ...);
    }(std::make_integer_sequence<int, n>{});
    if constexpr (N > n) run_steps<Plan, First + n, N - n, L, Rank, Count, Phase>(r, env, at, index, x);
  }
}

// Long lists are cut into functions over the slots: one function of thousands of steps costs the optimizer too much.
inline constexpr int longest_function = 1024;
inline constexpr int steps_in_a_function = 256;

template <class Plan, int First, int N, int L, int Rank, int Count, phase Phase, class R, class Env, class Pointers>
[[gnu::noinline]] constexpr void run_steps_apart(R& r, Env const& env, Pointers const& at, std::ptrdiff_t const* index, std::ptrdiff_t x) {
  run_steps<Plan, First, N, L, Rank, Count, Phase>(r, env, at, index, x);
}
template <class Plan, int First, int N, int L, int Rank, int Count, phase Phase, class R, class Env, class Pointers>
EXPRAX_INLINE constexpr void run_all_steps(R& r, Env const& env, Pointers const& at, std::ptrdiff_t const* index, std::ptrdiff_t x) {
  if constexpr (N <= longest_function) {
    run_steps<Plan, First, N, L, Rank, Count, Phase>(r, env, at, index, x);
  } else {
    constexpr int functions = (N + steps_in_a_function - 1) / steps_in_a_function;
    [&]<int... F>(std::integer_sequence<int, F...>) {
      (run_steps_apart<Plan, First + F * steps_in_a_function, (F + 1 < functions ? steps_in_a_function : N - F * steps_in_a_function), L, Rank, Count, Phase>(
           r, env, at, index, x),
       ...);
    }(std::make_integer_sequence<int, functions>{});
  }
}

}  // namespace exprax::detail

// exprax/emit/tile.hpp
// Loops in which memory runs across the rows: a transposed operand is read in square blocks, turned in registers, and kept in
// a small tile on the stack that the rows then read. A gather costs four to five times as much.

namespace exprax::detail {

// Turns blocks of this many rows: 8 of 4-byte elements, 4 of 8-byte ones; 0: not done.
template <class T>
inline constexpr int block_rows = !EXPRAX_SIMD ? 0 : sizeof(T) == 4 ? 8 : sizeof(T) == 8 ? 4 : 0;

#if EXPRAX_SIMD
template <class T, int N>
struct raw_vector {
  typedef T type __attribute__((vector_size(N * static_cast<int>(sizeof(T)))));
};
template <class T, int N>
using raw = typename raw_vector<T, N>::type;

template <class T, int N>
EXPRAX_INLINE raw<T, N> load_raw(T const* p) {
  raw<T, N> r;
  __builtin_memcpy(&r, p, sizeof r);
  return r;
}
template <class T, int N>
EXPRAX_INLINE void store_raw(raw<T, N> v, T* p) {
  __builtin_memcpy(p, &v, sizeof v);
}

// to[y * pitch + x] = from[y + x * stride], for x and y in [0, block_rows).
template <class T>
EXPRAX_INLINE void turn_block(T const* from, std::ptrdiff_t stride, T* to, std::ptrdiff_t pitch) {
  if constexpr (sizeof(T) == 4) {
    for (int h = 0; h < 2; ++h) {
      auto pair = [&](int x) EXPRAX_LAMBDA_INLINE {
        return __builtin_shufflevector(load_raw<T, 4>(from + 4 * h + x * stride), load_raw<T, 4>(from + 4 * h + (x + 4) * stride), 0, 1, 2, 3, 4, 5, 6, 7);
      };
      raw<T, 8> const a0 = pair(0), a1 = pair(1), a2 = pair(2), a3 = pair(3);
      raw<T, 8> const b0 = __builtin_shufflevector(a0, a1, 0, 8, 1, 9, 4, 12, 5, 13), b1 = __builtin_shufflevector(a0, a1, 2, 10, 3, 11, 6, 14, 7, 15);
      raw<T, 8> const b2 = __builtin_shufflevector(a2, a3, 0, 8, 1, 9, 4, 12, 5, 13), b3 = __builtin_shufflevector(a2, a3, 2, 10, 3, 11, 6, 14, 7, 15);
      T* const row = to + 4 * h * pitch;
      store_raw<T, 8>(__builtin_shufflevector(b0, b2, 0, 1, 8, 9, 4, 5, 12, 13), row);
      store_raw<T, 8>(__builtin_shufflevector(b0, b2, 2, 3, 10, 11, 6, 7, 14, 15), row + pitch);
      store_raw<T, 8>(__builtin_shufflevector(b1, b3, 0, 1, 8, 9, 4, 5, 12, 13), row + 2 * pitch);
      store_raw<T, 8>(__builtin_shufflevector(b1, b3, 2, 3, 10, 11, 6, 7, 14, 15), row + 3 * pitch);
    }
  } else {
    for (int h = 0; h < 2; ++h) {
      auto pair = [&](int x) EXPRAX_LAMBDA_INLINE {
        return __builtin_shufflevector(load_raw<T, 2>(from + 2 * h + x * stride), load_raw<T, 2>(from + 2 * h + (x + 2) * stride), 0, 1, 2, 3);
      };
      raw<T, 4> const a0 = pair(0), a1 = pair(1);
      store_raw<T, 4>(__builtin_shufflevector(a0, a1, 0, 4, 2, 6), to + 2 * h * pitch);
      store_raw<T, 4>(__builtin_shufflevector(a0, a1, 1, 5, 3, 7), to + (2 * h + 1) * pitch);
    }
  }
}
#endif

constexpr int block_rows_of(dtype t) { return t == dtype::b1 ? 0 : size_of(t) == 4 ? 8 : size_of(t) == 8 ? 4 : 0; }

// True if the loop's last axis strides through memory along which the axis before it is contiguous.
template <class Plan>
constexpr bool is_turned(access const& a, int rank) {
  std::ptrdiff_t const x = a.stride[rank - 1];
  return x != 0 && x != 1 && x != -1 && a.stride[rank - 2] == 1 && block_rows_of(Plan::storage.buffers[a.buffer].type) > 0;
}

// The rows of a box's tiles; 0 where the plain loop serves.
template <class Plan, int Box, int Rank, int L>
struct tiling_of_box {
  static constexpr int make() {
    if (Rank < 2 || L < 4 || !EXPRAX_SIMD) return 0;
    constexpr int last = Rank < 2 ? 0 : Rank - 1, before = Rank < 2 ? 0 : Rank - 2;
    box const& b = Plan::storage.boxes[Box];
    int rows = 0, count = 0;
    for (int s = 0; s < b.n_step; ++s) {
      step const& x = Plan::storage.steps[b.step + s];
      if (!is_memory(x.kind)) continue;
      access const& a = Plan::storage.accesses[x.access];
      if (x.kind == step_kind::store) {
        for (int q = 0; q < b.n_step; ++q) {
          step const& o = Plan::storage.steps[b.step + q];
          if (o.kind == step_kind::load && Plan::storage.accesses[o.access].buffer == a.buffer) return 0;  // tiles overlap
        }
      } else if (is_turned<Plan>(a, Rank)) {
        int const n = block_rows_of(Plan::storage.buffers[a.buffer].type);
        rows = n > rows ? n : rows;
        ++count;
      }
    }
    if (count == 0 || count > 4) return 0;
    if (b.extent[last] < L || b.extent[before] < rows || L % rows != 0) return 0;
    return rows;
  }
  static constexpr int rows = make();
};

#if EXPRAX_SIMD
template <class T, int Rows, int L>
struct tile {
  alignas(64) T of[Rows * L];
};

// The tiles of a box's transposed loads, and pointers of which theirs are replaced.
template <class Plan, int Access, int Rank, int Rows, int L>
struct turned_operand {
  using type = element_t<Plan::storage.buffers[Plan::storage.accesses[Access].buffer].type>;
  static constexpr bool turned = is_turned<Plan>(Plan::storage.accesses[Access], Rank);
  tile<type, turned ? Rows : 1, turned ? L : 1> t;

  EXPRAX_INLINE void fill(type const* p, std::ptrdiff_t x) {
    if constexpr (turned) {
      constexpr std::ptrdiff_t stride = Plan::storage.accesses[Access].stride[Rank - 1];
      constexpr int n = block_rows<type>;
      for (int i = 0; i < L; i += n)
        for (int j = 0; j < Rows; j += n) turn_block<type>(p + (x + i) * stride + j, stride, t.of + j * L + i, L);
    }
  }
};

template <class Plan, int Rank, int Rows, int L, int... Access>
struct turned_operands : turned_operand<Plan, Access, Rank, Rows, L>... {
  template <class Pointers>
  EXPRAX_INLINE void fill(Pointers const& at, std::ptrdiff_t x) {
    (static_cast<turned_operand<Plan, Access, Rank, Rows, L>&>(*this).fill(at.template at<Access>(), x), ...);
  }
};

// Pointers for row j of a tile at column x: transposed loads read the tile.
template <class Plan, int Rows, int L, class Pointers, class Operands>
struct tile_pointers {
  Pointers const& base;
  Operands const& operands;
  std::ptrdiff_t j;

  template <int A, int Rank>
  static constexpr bool turned = is_turned<Plan>(Plan::storage.accesses[A], Rank);
  template <int A, int Rank>
  static constexpr std::ptrdiff_t stride = turned<A, Rank> ? 1 : Plan::storage.accesses[A].stride[Rank - 1];
  template <int A, int Rank>
  EXPRAX_INLINE auto* lane(std::ptrdiff_t x) const {
    if constexpr (turned<A, Rank>) {
      using operand = turned_operand<Plan, A, Rank, Rows, L>;
      return const_cast<typename operand::type*>(static_cast<operand const&>(operands).t.of + j * L);
    } else {
      return base.template at<A>() + j * Plan::storage.accesses[A].stride[Rank - 2] + x * stride<A, Rank>;
    }
  }
};

template <class Plan, int Rank, int Rows, int L, int... Access>
constexpr auto operands_for(row_pointers<Plan, Access...> const&) -> turned_operands<Plan, Rank, Rows, L, Access...>;

// All tiles of the last two axes. The last ones overlap those before.
template <class Plan, int Box, int Rank, int L, class Env>
EXPRAX_INLINE void run_tiles(Env const& env, std::ptrdiff_t* index) {
  constexpr int rows = tiling_of_box<Plan, Box, Rank, L>::rows;
  constexpr box const& b = Plan::storage.boxes[Box];
  constexpr std::ptrdiff_t y_end = b.lo[Rank - 2] + b.extent[Rank - 2], x_end = b.lo[Rank - 1] + b.extent[Rank - 1];
  using pointers = box_pointers<Plan, Box, Rank>;
  for (std::ptrdiff_t y = b.lo[Rank - 2]; y < y_end; y += rows) {
    index[Rank - 2] = y + rows <= y_end ? y : y_end - rows;
    std::ptrdiff_t const top = index[Rank - 2];
    auto const at = pointers::template make<Rank>(env, index);
    for (std::ptrdiff_t x = b.lo[Rank - 1]; x < x_end; x += L) {
      std::ptrdiff_t const left = x + L <= x_end ? x : x_end - L;
      decltype(operands_for<Plan, Rank, rows, L>(at)) operands;
      operands.fill(at, left);
      for (std::ptrdiff_t j = 0; j < rows; ++j) {
        index[Rank - 2] = top + j;
        tile_pointers<Plan, rows, L, pointers, decltype(operands)> const row{at, operands, j};
        registers<Plan, Box, L> r;
        run_all_steps<Plan, b.step, b.n_step, L, Rank, L, phase::all>(r, env, row, index, left);
      }
    }
  }
}
#endif

}  // namespace exprax::detail

namespace exprax::detail {

// The length of packs for a box: as many elements of its widest dtype as a register holds.
template <class Plan, int Box>
constexpr int lanes_of_box() {
  int widest = 1;
  box const& b = Plan::storage.boxes[Box];
  for (int s = 0; s < b.n_step; ++s) {
    step const& x = Plan::storage.steps[b.step + s];
    if (size_of(x.type) > widest) widest = size_of(x.type);
    if (size_of(x.from) > widest) widest = size_of(x.from);
  }
  return simd::register_bytes > widest ? simd::register_bytes / widest : 1;
}

template <class Plan, int Box, int Rank, int L, class Env>
EXPRAX_INLINE constexpr void run_row(Env const& env, std::ptrdiff_t const* index) {
  constexpr int first = Plan::storage.boxes[Box].step, n_row = Plan::storage.boxes[Box].n_row, n = Plan::storage.boxes[Box].n_step;
  constexpr std::ptrdiff_t lo = Rank == 0 ? 0 : Plan::storage.boxes[Box].lo[Rank == 0 ? 0 : Rank - 1];
  constexpr std::ptrdiff_t extent = Rank == 0 ? 1 : Plan::storage.boxes[Box].extent[Rank == 0 ? 0 : Rank - 1];
  if constexpr (L > 1 && (extent < L || extent < 4)) {
    run_row<Plan, Box, Rank, (extent < 4 ? 1 : L / 2)>(env, index);
  } else {
    auto const at = box_pointers<Plan, Box, Rank>::template make<Rank>(env, index);
    registers<Plan, Box, L> r;
    run_all_steps<Plan, first, n_row, L, Rank, L, phase::all>(r, env, at, index, lo);
    constexpr std::ptrdiff_t whole = extent / L * L;
    if constexpr (whole == extent) {
      for (std::ptrdiff_t x = lo; x < lo + extent; x += L) run_all_steps<Plan, first + n_row, n - n_row, L, Rank, L, phase::all>(r, env, at, index, x);
    } else {
      registers<Plan, Box, L> last = r;
      run_all_steps<Plan, first + n_row, n - n_row, L, Rank, L, phase::compute>(last, env, at, index, lo + extent - L);
      for (std::ptrdiff_t x = lo; x < lo + whole; x += L) run_all_steps<Plan, first + n_row, n - n_row, L, Rank, L, phase::all>(r, env, at, index, x);
      run_all_steps<Plan, first + n_row, n - n_row, L, Rank, L, phase::store>(last, env, at, index, lo + extent - L);
    }
  }
}

// The outer axes of a box.
template <class Plan, int Box, int Rank, int Axis, class F>
EXPRAX_INLINE constexpr void for_rows(std::ptrdiff_t* index, F const& f) {
  if constexpr (Axis >= Rank - 1) {
    f();
  } else {
    for (std::ptrdiff_t i = 0; i < Plan::storage.boxes[Box].extent[Axis]; ++i) {
      index[Axis] = Plan::storage.boxes[Box].lo[Axis] + i;
      for_rows<Plan, Box, Rank, Axis + 1>(index, f);
    }
  }
}

template <class Plan, int Box, int Rank, int L, class Env>
EXPRAX_INLINE constexpr void run_box(Env const& env) {
  std::ptrdiff_t index[max_rank] = {};
  if constexpr (tiling_of_box<Plan, Box, Rank, L>::rows > 0) for_rows<Plan, Box, Rank - 1, 0>(index, [&]() EXPRAX_LAMBDA_INLINE { run_tiles<Plan, Box, Rank, L>(env, index); });
  else for_rows<Plan, Box, Rank, 0>(index, [&]() EXPRAX_LAMBDA_INLINE { run_row<Plan, Box, Rank, L>(env, index); });
}

template <class Plan, int K, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_loop(Env const& env) {
  constexpr int rank = Plan::storage.loops[K].rank;
  [&]<int... G>(std::integer_sequence<int, G...>) EXPRAX_LAMBDA_INLINE {
    bool const fits = (true && ... &&
                       (term_value<Plan, Plan::storage.loops[K].guard + G>(env) >= 0 &&
                        term_value<Plan, Plan::storage.loops[K].guard + G>(env) <= Plan::storage.terms[Plan::storage.loops[K].guard + G].limit));
    if (!fits) return;
    [&]<int... B>(std::integer_sequence<int, B...>) EXPRAX_LAMBDA_INLINE {
      (run_box<Plan, Plan::storage.loops[K].box + B, rank, (Vector && rank > 0 ? lanes_of_box<Plan, Plan::storage.loops[K].box + B>() : 1)>(env), ...);
    }(std::make_integer_sequence<int, Plan::storage.loops[K].n_box>{});
  }(std::make_integer_sequence<int, Plan::storage.loops[K].n_guard>{});
}

}  // namespace exprax::detail

namespace exprax::detail {

// The axes of a contraction, those of 1 dropped and neighbours merged where all three walks agree.
struct contract_shape {
  int out_rank = 0, k_rank = 0;
  std::ptrdiff_t dims[2 * max_rank] = {}, lhs[2 * max_rank] = {}, rhs[2 * max_rank] = {}, out[2 * max_rank] = {};
  std::ptrdiff_t k_size = 1, out_size = 1;
};

constexpr contract_shape shape_of(contract_kernel const& k) {
  contract_shape s;
  int const n_out = k.batch + k.rows + k.columns;
  for (int part = 0; part < 2; ++part) {
    int const first = part ? s.out_rank : 0;
    int rank = first;
    for (int i = part ? n_out : 0; i < (part ? n_out + k.contracted : n_out); ++i) {
      if (k.dims[i] == 1) continue;
      std::ptrdiff_t const o = part ? 0 : k.out[i];
      if (rank > first && s.lhs[rank - 1] == k.lhs[i] * k.dims[i] && s.rhs[rank - 1] == k.rhs[i] * k.dims[i] && s.out[rank - 1] == o * k.dims[i]) {
        s.dims[rank - 1] *= k.dims[i];
        s.lhs[rank - 1] = k.lhs[i];
        s.rhs[rank - 1] = k.rhs[i];
        s.out[rank - 1] = o;
        continue;
      }
      s.dims[rank] = k.dims[i];
      s.lhs[rank] = k.lhs[i];
      s.rhs[rank] = k.rhs[i];
      s.out[rank++] = o;
    }
    (part ? s.k_rank : s.out_rank) = rank - first;
  }
  for (int i = 0; i < s.out_rank; ++i) s.out_size *= s.dims[i];
  for (int i = 0; i < s.k_rank; ++i) s.k_size *= s.dims[s.out_rank + i];
  return s;
}

// How the tiles lie: packs along axis `lane`, rows of a tile along axis `row` (-1: none).
struct contract_tiling {
  int lane = -1, row = -1;
  bool swapped = false;  // the packs come from the lhs
};

constexpr contract_tiling tiling_of(contract_shape const& s) {
  contract_tiling t;
  for (int i = s.out_rank - 1; i >= 0 && t.lane < 0; --i) {
    bool const from_rhs = s.rhs[i] == 1 && s.lhs[i] == 0, from_lhs = s.lhs[i] == 1 && s.rhs[i] == 0;
    if (s.out[i] == 1 && s.dims[i] >= 4 && (from_rhs || from_lhs)) {
      t.lane = i;
      t.swapped = from_lhs;
    }
  }
  if (t.lane < 0) return t;
  for (int i = 0; i < s.out_rank; ++i) {
    std::ptrdiff_t const vector = t.swapped ? s.lhs[i] : s.rhs[i];
    if (i != t.lane && vector == 0 && (t.row < 0 || s.dims[i] > s.dims[t.row])) t.row = i;
  }
  return t;
}

template <class Plan, int K>
struct contraction {
  static constexpr contract_shape shape = shape_of(Plan::storage.contracts[K]);
  static constexpr contract_tiling tiling = tiling_of(shape);
  static constexpr bool blocked = Plan::storage.contracts[K].blocked;
  using type = element_t<Plan::storage.contracts[K].type>;
};

template <class T, int L>
EXPRAX_INLINE constexpr simd::pack<T, L> multiply_add(simd::pack<T, L> a, simd::pack<T, L> b, simd::pack<T, L> c) {
  if constexpr (std::is_same_v<T, bool>) return c | (a & b);
  else return fma(a, b, c);
}
template <class T, int L>
EXPRAX_INLINE constexpr simd::pack<T, L> multiply(simd::pack<T, L> a, simd::pack<T, L> b) {
  if constexpr (std::is_same_v<T, bool>) return a & b;
  else return a * b;
}
template <class T, int L>
EXPRAX_INLINE constexpr simd::pack<T, L> plus(simd::pack<T, L> a, simd::pack<T, L> b) {
  if constexpr (std::is_same_v<T, bool>) return a | b;
  else return a + b;
}

// Calls f(lhs offset, rhs offset) for each k, row-major.
template <class C, int Axis, class F>
EXPRAX_INLINE constexpr void for_contracted(std::ptrdiff_t l, std::ptrdiff_t r, F const& f) {
  constexpr int axis = C::shape.out_rank + Axis;
  if constexpr (Axis >= C::shape.k_rank) {
    f(l, r);
  } else {
    for (std::ptrdiff_t k = 0; k < C::shape.dims[axis]; ++k) for_contracted<C, Axis + 1>(l + k * C::shape.lhs[axis], r + k * C::shape.rhs[axis], f);
  }
}

// The same without the first k.
template <class C, int Axis, class F>
EXPRAX_INLINE constexpr void for_contracted_but_first(std::ptrdiff_t l, std::ptrdiff_t r, F const& f) {
  constexpr int axis = C::shape.out_rank + Axis;
  if constexpr (Axis < C::shape.k_rank) {
    for_contracted_but_first<C, Axis + 1>(l, r, f);
    for (std::ptrdiff_t k = 1; k < C::shape.dims[axis]; ++k) for_contracted<C, Axis + 1>(l + k * C::shape.lhs[axis], r + k * C::shape.rhs[axis], f);
  }
}

template <class V, int N>
EXPRAX_INLINE constexpr void fold_accumulators(V* sums) {
  if constexpr (N > 1) {
    for (int i = 0; i < N / 2; ++i) sums[i] = plus<typename V::value_type, V::size>(sums[i], sums[i + N / 2]);
    fold_accumulators<V, N / 2>(sums);
  }
}

// One element of the result, by width-1 operations.
template <class C>
EXPRAX_INLINE constexpr typename C::type contract_element(typename C::type const* l, typename C::type const* r) {
  using T = typename C::type;
  using V = simd::lane<T>;
  if constexpr (C::blocked) {
    V sums[dot_accumulators];
    for (V& s : sums) s = V(T(0));
    int k = 0;
    for_contracted<C, 0>(0, 0, [&](std::ptrdiff_t i, std::ptrdiff_t j) EXPRAX_LAMBDA_INLINE {
      sums[k] = multiply_add<T, 1>(V(l[i]), V(r[j]), sums[k]);
      k = (k + 1) % dot_accumulators;
    });
    fold_accumulators<V, dot_accumulators>(sums);
    return sums[0].value;
  } else {
    V sum = multiply<T, 1>(V(l[0]), V(r[0]));
    for_contracted_but_first<C, 0>(0, 0, [&](std::ptrdiff_t i, std::ptrdiff_t j) EXPRAX_LAMBDA_INLINE { sum = multiply_add<T, 1>(V(l[i]), V(r[j]), sum); });
    return sum.value;
  }
}

// The same, blocked, where both operands are contiguous along k.
template <class C, int L>
EXPRAX_INLINE constexpr typename C::type dot_contiguous(typename C::type const* l, typename C::type const* r) {
  using T = typename C::type;
  using V = simd::pack<T, L>;
  constexpr int packs = dot_accumulators / L;
  constexpr std::ptrdiff_t n = C::shape.k_size, whole = n / dot_accumulators * dot_accumulators;
  V sums[packs];
  [&]<int... P>(std::integer_sequence<int, P...>) EXPRAX_LAMBDA_INLINE {
    ((sums[P] = V(T(0))), ...);
    for (std::ptrdiff_t k = 0; k < whole; k += dot_accumulators) ((sums[P] = multiply_add<T, L>(simd::load<T, L>(l + k + P * L), simd::load<T, L>(r + k + P * L), sums[P])), ...);
    auto last = [&](auto p) EXPRAX_LAMBDA_INLINE {
      constexpr int at = decltype(p)::value, count = static_cast<int>(n - whole) - at * L;
      if constexpr (count >= L) {
        sums[at] = multiply_add<T, L>(simd::load<T, L>(l + whole + at * L), simd::load<T, L>(r + whole + at * L), sums[at]);
      } else if constexpr (count > 0) {
        V const more = multiply_add<T, L>(simd::load_partial<T, L>(l + whole + at * L, count, T(0)), simd::load_partial<T, L>(r + whole + at * L, count, T(0)), sums[at]);
        sums[at] = select(simd::first_lanes<T, L>(count), more, sums[at]);
      }
    };
    (last(std::integral_constant<int, P>{}), ...);
  }(std::make_integer_sequence<int, packs>{});
  T lanes[dot_accumulators];
  for (int p = 0; p < packs; ++p) store_lanes<T, L, 1>(sums[p], lanes + p * L);
  simd::lane<T> each[dot_accumulators];
  for (int i = 0; i < dot_accumulators; ++i) each[i] = simd::lane<T>(lanes[i]);
  fold_accumulators<simd::lane<T>, dot_accumulators>(each);
  return each[0].value;
}

// Rows x Packs of the result. v: the operand that packs come from; s: the one that is broadcast.
template <class C, int L, int Rows, int Packs>
EXPRAX_INLINE constexpr void contract_tile(typename C::type const* v, typename C::type const* s, typename C::type* out) {
  using T = typename C::type;
  using V = simd::pack<T, L>;
  constexpr bool swapped = C::tiling.swapped;
  constexpr int row = C::tiling.row;
  constexpr std::ptrdiff_t s_row = row < 0 ? 0 : swapped ? C::shape.rhs[row < 0 ? 0 : row] : C::shape.lhs[row < 0 ? 0 : row];
  constexpr std::ptrdiff_t out_row = row < 0 ? 0 : C::shape.out[row < 0 ? 0 : row];
  if constexpr (C::blocked) {
    for (int r = 0; r < Rows; ++r)
      for (int p = 0; p < Packs; ++p) {
        V sums[dot_accumulators];
        for (int i = 0; i < dot_accumulators; ++i) sums[i] = V(T(0));
        int k = 0;
        for_contracted<C, 0>(0, 0, [&](std::ptrdiff_t l, std::ptrdiff_t q) EXPRAX_LAMBDA_INLINE {
          std::ptrdiff_t const dv = swapped ? l : q, ds = swapped ? q : l;
          sums[k] = multiply_add<T, L>(V(s[ds + r * s_row]), load_lanes<T, L, 1, L>(v + dv + p * L), sums[k]);
          k = (k + 1) % dot_accumulators;
        });
        fold_accumulators<V, dot_accumulators>(sums);
        store_lanes<T, L, 1>(sums[0], out + r * out_row + p * L);
      }
  } else {
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE {
      V sums[Rows * Packs];
      V column[Packs];
      auto load_columns = [&](T const* from) EXPRAX_LAMBDA_INLINE {
        [&]<int... P>(std::integer_sequence<int, P...>) EXPRAX_LAMBDA_INLINE {
          ((column[P] = load_lanes<T, L, 1, L>(from + P * L)), ...);
        }(std::make_integer_sequence<int, Packs>{});
      };
      load_columns(v);
      ((sums[I] = multiply<T, L>(V(s[(I / Packs) * s_row]), column[I % Packs])), ...);
      for_contracted_but_first<C, 0>(0, 0, [&](std::ptrdiff_t l, std::ptrdiff_t q) EXPRAX_LAMBDA_INLINE {
        load_columns(v + (swapped ? l : q));
        T const* const from = s + (swapped ? q : l);
        ((sums[I] = multiply_add<T, L>(V(from[(I / Packs) * s_row]), column[I % Packs], sums[I])), ...);
      });
      (store_lanes<T, L, 1>(sums[I], out + (I / Packs) * out_row + (I % Packs) * L), ...);
    }(std::make_integer_sequence<int, Rows * Packs>{});
  }
}

// How many rows a tile has, beside `packs` packs of columns: the accumulators and the columns must fit the registers.
constexpr int rows_of_tile(int packs) {
  int const registers = simd::register_bytes == 64 ? 32 : 16;
  int const rows = (registers - packs - 1) / packs;
  return rows > 8 ? 8 : rows;
}

template <class C, int L, int Packs>
EXPRAX_INLINE constexpr void contract_column_block(typename C::type const* v, typename C::type const* s, typename C::type* out) {
  constexpr int row = C::tiling.row;
  constexpr std::ptrdiff_t n = row < 0 ? 1 : C::shape.dims[row < 0 ? 0 : row];
  constexpr std::ptrdiff_t s_row = row < 0 ? 0 : C::tiling.swapped ? C::shape.rhs[row < 0 ? 0 : row] : C::shape.lhs[row < 0 ? 0 : row];
  constexpr std::ptrdiff_t out_row = row < 0 ? 0 : C::shape.out[row < 0 ? 0 : row];
  constexpr int rows = C::blocked ? 1 : n < rows_of_tile(Packs) ? static_cast<int>(n) : rows_of_tile(Packs);
  std::ptrdiff_t i = 0;
  for (; i + rows <= n; i += rows) contract_tile<C, L, rows, Packs>(v, s + i * s_row, out + i * out_row);
  if constexpr (n % rows != 0) contract_tile<C, L, static_cast<int>(n % rows), Packs>(v, s + i * s_row, out + i * out_row);
}

// All columns: blocks of three packs, then what is left; the last packs may overlap those before.
template <class C, int L>
EXPRAX_INLINE constexpr void contract_columns(typename C::type const* v, typename C::type const* s, typename C::type* out) {
  constexpr std::ptrdiff_t n = C::shape.dims[C::tiling.lane];
  if constexpr (n < L) {
    contract_columns<C, L / 2>(v, s, out);
  } else {
    constexpr int most = C::blocked ? 1 : 3;
    constexpr int all = static_cast<int>(n / L);
    constexpr int packs = all < most ? all : most;
    std::ptrdiff_t j = 0;
    for (; j + packs * L <= n; j += packs * L) contract_column_block<C, L, packs>(v + j, s, out + j);
    constexpr std::ptrdiff_t rest = n % (packs * L);
    if constexpr (rest > 0) {
      constexpr int last = static_cast<int>((rest + L - 1) / L);
      contract_column_block<C, L, last>(v + (n - last * L), s, out + (n - last * L));
    }
  }
}

// The axes of the result that are neither packs nor rows of a tile.
template <class C, int Axis, class F>
EXPRAX_INLINE constexpr void for_tiles(std::ptrdiff_t l, std::ptrdiff_t r, std::ptrdiff_t o, F const& f, bool inner) {
  if constexpr (Axis >= C::shape.out_rank) {
    f(l, r, o);
  } else {
    if (inner && (Axis == C::tiling.lane || Axis == C::tiling.row)) return for_tiles<C, Axis + 1>(l, r, o, f, inner);
    for (std::ptrdiff_t i = 0; i < C::shape.dims[Axis]; ++i)
      for_tiles<C, Axis + 1>(l + i * C::shape.lhs[Axis], r + i * C::shape.rhs[Axis], o + i * C::shape.out[Axis], f, inner);
  }
}

template <class Plan, int K, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_contract(Env const& env) {
  using C = contraction<Plan, K>;
  using T = typename C::type;
  constexpr contract_shape const& s = C::shape;
  if constexpr (s.out_size == 0) return;
  T const* const lhs = env.template buffer<Plan::storage.contracts[K].lhs_buffer>() + Plan::storage.contracts[K].lhs_base;
  T const* const rhs = env.template buffer<Plan::storage.contracts[K].rhs_buffer>() + Plan::storage.contracts[K].rhs_base;
  T* const out = env.template buffer<Plan::storage.contracts[K].out_buffer>();
  constexpr int widest = Vector ? simd::native_lanes<T> : 1;
  if constexpr (s.k_size == 0) {
    for_tiles<C, 0>(0, 0, 0, [&](std::ptrdiff_t, std::ptrdiff_t, std::ptrdiff_t o) EXPRAX_LAMBDA_INLINE { out[o] = T(0); }, false);
  } else if constexpr (widest > 1 && C::tiling.lane >= 0) {
    for_tiles<C, 0>(0, 0, 0, [&](std::ptrdiff_t l, std::ptrdiff_t r, std::ptrdiff_t o) EXPRAX_LAMBDA_INLINE {
      if constexpr (C::tiling.swapped) contract_columns<C, widest>(lhs + l, rhs + r, out + o);
      else contract_columns<C, widest>(rhs + r, lhs + l, out + o);
    }, true);
  } else if constexpr (widest > 1 && C::blocked && s.k_rank == 1 && s.lhs[s.out_rank] == 1 && s.rhs[s.out_rank] == 1 && !std::is_same_v<T, bool>) {
    constexpr int lanes = widest < dot_accumulators ? widest : dot_accumulators;
    for_tiles<C, 0>(0, 0, 0, [&](std::ptrdiff_t l, std::ptrdiff_t r, std::ptrdiff_t o) EXPRAX_LAMBDA_INLINE { out[o] = dot_contiguous<C, lanes>(lhs + l, rhs + r); }, false);
  } else {
    for_tiles<C, 0>(0, 0, 0, [&](std::ptrdiff_t l, std::ptrdiff_t r, std::ptrdiff_t o) EXPRAX_LAMBDA_INLINE { out[o] = contract_element<C>(lhs + l, rhs + r); }, false);
  }
}

}  // namespace exprax::detail

// exprax/emit/reduce.hpp
// Reductions. The order of a sum or product depends on the number of elements only, not on the layout or the pack, so bits
// are the same everywhere: blocks of 64 elements, in each block eight sums of eight, ((0 2)(4 6))((1 3)(5 7)), added to
// eight accumulators, which are joined at the end as ((0 4)(2 6))((1 5)(3 7)).

#include <limits>

namespace exprax::detail {

template <prim Op>
constexpr prim combine_op() {
  switch (Op) {
    case prim::reduce_sum: return prim::add;
    case prim::reduce_prod: return prim::mul;
    case prim::reduce_max: return prim::max;
    case prim::reduce_min: return prim::min;
    case prim::reduce_and: return prim::and_;
    default: return prim::or_;
  }
}
template <prim Op, class V>
EXPRAX_INLINE constexpr V combine(V a, V b) {
  return primitive<combine_op<Op>()>::kernel(a, b);
}
template <prim Op, class T>
constexpr T identity_of() {
  using limits = std::numeric_limits<T>;
  switch (Op) {
    case prim::reduce_sum: return T(0);
    case prim::reduce_prod: return T(1);
    case prim::reduce_max: return limits::has_infinity ? -limits::infinity() : limits::lowest();
    case prim::reduce_min: return limits::has_infinity ? limits::infinity() : limits::max();
    case prim::reduce_and: return limits::is_signed ? static_cast<T>(-1) : limits::max();
    default: return T(0);
  }
}

// ((0 2)(4 6))((1 3)(5 7))
template <prim Op, class V>
EXPRAX_INLINE constexpr V join_eight(V const* m, int stride) {
  V const even = combine<Op>(combine<Op>(m[0], m[2 * stride]), combine<Op>(m[4 * stride], m[6 * stride]));
  V const odd = combine<Op>(combine<Op>(m[stride], m[3 * stride]), combine<Op>(m[5 * stride], m[7 * stride]));
  return combine<Op>(even, odd);
}

// A block held in 64 / L packs, brought to eight partial results in max(8 / L, 1) packs of min(L, 8) elements.
template <prim Op, class T, int L>
struct block_sums {
  static constexpr int width = L < 8 ? L : 8, count = 8 / width, packs = 64 / L;
  using V = simd::pack<T, L>;
  using A = simd::pack<T, width>;

  EXPRAX_INLINE static constexpr A narrow(V v) {
    if constexpr (L <= 8) return v;
    else {
      T lanes[L];
      simd::store(v, lanes);
      return block_sums<Op, T, L / 2>::narrow(combine<Op>(simd::load<T, L / 2>(lanes), simd::load<T, L / 2>(lanes + L / 2)));
    }
  }
  EXPRAX_INLINE static constexpr void add(A* sums, V const* block) {
    if constexpr (L <= 8) {
      for (int g = 0; g < count; ++g) sums[g] = combine<Op>(sums[g], join_eight<Op>(block + g, count));
    } else {
      sums[0] = combine<Op>(sums[0], narrow(join_packs(block)));
    }
  }
  EXPRAX_INLINE static constexpr V join_packs(V const* block) {
    if constexpr (packs == 4) return combine<Op>(combine<Op>(block[0], block[1]), combine<Op>(block[2], block[3]));
    else if constexpr (packs == 2) return combine<Op>(block[0], block[1]);
    else return block[0];
  }
  // ((0 4)(2 6))((1 5)(3 7))
  EXPRAX_INLINE static constexpr T finish(A const* sums) {
    T lanes[8];
    for (int g = 0; g < count; ++g) {
      if constexpr (width == 1) lanes[g] = sums[g].value;
      else simd::store(sums[g], lanes + g * width);
    }
    auto at = [&](int i) { return simd::lane<T>(lanes[i]); };
    auto const even = combine<Op>(combine<Op>(at(0), at(4)), combine<Op>(at(2), at(6)));
    auto const odd = combine<Op>(combine<Op>(at(1), at(5)), combine<Op>(at(3), at(7)));
    return combine<Op>(even, odd).value;
  }
};

// The last reduced axis is the last axis of the box, and the only one: packs walk along it.
template <class Plan, int K, int L, class Env>
EXPRAX_INLINE constexpr auto reduce_row(Env const& env, std::ptrdiff_t const* index) {
  constexpr int b = Plan::storage.reduces[K].box, rank = Plan::storage.reduces[K].rank;
  constexpr prim op = Plan::storage.reduces[K].op;
  constexpr int first = Plan::storage.boxes[b].step, n_row = Plan::storage.boxes[b].n_row, n_steps = Plan::storage.boxes[b].n_step;
  constexpr int result = Plan::storage.reduces[K].result;
  constexpr std::ptrdiff_t n = Plan::storage.reduces[K].dims[rank - 1];
  using T = element_t<Plan::storage.reduces[K].type>;
  using S = block_sums<op, T, L>;
  auto const at = box_pointers<Plan, b, rank>::template make<rank>(env, index);
  registers<Plan, b, L> r;
  run_all_steps<Plan, first, n_row, L, rank, L, phase::compute>(r, env, at, index, 0);
  typename S::A sums[S::count];
  for (int g = 0; g < S::count; ++g) sums[g] = typename S::A(identity_of<op, T>());
  auto value = [&](std::ptrdiff_t x) EXPRAX_LAMBDA_INLINE {
    run_all_steps<Plan, first + n_row, n_steps - n_row, L, rank, L, phase::compute>(r, env, at, index, x);
    return r.template file<T>()[result];
  };
  typename S::V block[S::packs];
  for (std::ptrdiff_t x = 0; x + 64 <= n; x += 64) {
    if constexpr (S::packs <= 16)
      [&]<int... P>(std::integer_sequence<int, P...>) EXPRAX_LAMBDA_INLINE { ((block[P] = value(x + P * L)), ...); }(std::make_integer_sequence<int, S::packs>{});
    else
      for (int p = 0; p < S::packs; ++p) block[p] = value(x + p * L);
    S::add(sums, block);
  }
  constexpr std::ptrdiff_t rest = n % 64, start = n - rest;
  if constexpr (rest > 0) {
    for (int p = 0; p < S::packs; ++p) block[p] = typename S::V(identity_of<op, T>());
    for (int p = 0; p < rest / L; ++p) block[p] = value(start + p * L);
    if constexpr (rest % L > 0) {
      constexpr int count = rest % L;
      run_all_steps<Plan, first + n_row, n_steps - n_row, L, rank, count, phase::compute>(r, env, at, index, start + rest / L * L);
      block[rest / L] = select(simd::first_lanes<T, L>(count), r.template file<T>()[result], typename S::V(identity_of<op, T>()));
    }
    S::add(sums, block);
  }
  return S::finish(sums);
}

// The value at element r of the reduction, in packs along the last axis.
template <class Plan, int K, int L, class Env>
EXPRAX_INLINE constexpr auto column_value(Env const& env, std::ptrdiff_t* index, std::ptrdiff_t element, std::ptrdiff_t x) {
  constexpr int b = Plan::storage.reduces[K].box, rank = Plan::storage.reduces[K].rank, kept = Plan::storage.reduces[K].kept;
  for (int axis = rank - 2; axis > kept; --axis) {
    index[axis] = element % Plan::storage.reduces[K].dims[axis];
    element /= Plan::storage.reduces[K].dims[axis];
  }
  index[kept] = element;
  auto const at = box_pointers<Plan, b, rank>::template make<rank>(env, index);
  registers<Plan, b, L> r;
  run_all_steps<Plan, Plan::storage.boxes[b].step, Plan::storage.boxes[b].n_step, L, rank, L, phase::compute>(r, env, at, index, x);
  return r.template file<element_t<Plan::storage.reduces[K].type>>()[Plan::storage.reduces[K].result];
}

template <class Plan, int K, int L, class Env>
EXPRAX_INLINE constexpr auto reduce_columns(Env const& env, std::ptrdiff_t* index, std::ptrdiff_t x) {
  constexpr prim op = Plan::storage.reduces[K].op;
  constexpr std::ptrdiff_t n = [] {
    std::ptrdiff_t m = 1;
    for (int i = Plan::storage.reduces[K].kept; i + 1 < Plan::storage.reduces[K].rank; ++i) m *= Plan::storage.reduces[K].dims[i];
    return m;
  }();
  using T = element_t<Plan::storage.reduces[K].type>;
  using V = simd::pack<T, L>;
  V sums[8];
  for (int j = 0; j < 8; ++j) sums[j] = V(identity_of<op, T>());
  for (std::ptrdiff_t block = 0; block < n; block += 64)
    for (int j = 0; j < 8 && block + j < n; ++j) {
      V m[8];
      for (int k = 0; k < 8; ++k) {
        std::ptrdiff_t const element = block + 8 * k + j;
        m[k] = element < n ? column_value<Plan, K, L>(env, index, element, x) : V(identity_of<op, T>());
      }
      sums[j] = combine<op>(sums[j], join_eight<op>(m, 1));
    }
  V const even = combine<op>(combine<op>(sums[0], sums[4]), combine<op>(sums[2], sums[6]));
  V const odd = combine<op>(combine<op>(sums[1], sums[5]), combine<op>(sums[3], sums[7]));
  return combine<op>(even, odd);
}

template <class Plan, int K, int L, class Env>
EXPRAX_INLINE constexpr void run_columns(Env const& env, std::ptrdiff_t* index) {
  constexpr int rank = Plan::storage.reduces[K].rank, out = Plan::storage.reduces[K].out;
  constexpr std::ptrdiff_t n = Plan::storage.reduces[K].dims[rank - 1];
  if constexpr (L > 1 && n < L) {
    run_columns<Plan, K, (n < 4 ? 1 : L / 2)>(env, index);
  } else {
    using T = element_t<Plan::storage.reduces[K].type>;
    constexpr std::ptrdiff_t stride = Plan::storage.accesses[out].stride[rank - 1];
    auto* to = env.template buffer<Plan::storage.accesses[out].buffer>() + row_offset<Plan, out, rank>(env, index);
    for (std::ptrdiff_t x = 0; x < n; x += L) {
      std::ptrdiff_t const at = x + L <= n ? x : n - L;
      store_lanes<T, L, stride>(reduce_columns<Plan, K, L>(env, index, at), to + at * stride);
    }
  }
}

// The kept axes before the reduced ones.
template <class Plan, int K, int Axis, int End, class F>
EXPRAX_INLINE constexpr void for_kept(std::ptrdiff_t* index, F const& f) {
  if constexpr (Axis == End) {
    f();
  } else {
    for (index[Axis] = 0; index[Axis] < Plan::storage.reduces[K].dims[Axis]; ++index[Axis]) for_kept<Plan, K, Axis + 1, End>(index, f);
  }
}

template <class Plan, int K, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_reduce(Env const& env) {
  constexpr int kept = Plan::storage.reduces[K].kept, rank = Plan::storage.reduces[K].rank, out = Plan::storage.reduces[K].out;
  constexpr int widest = Vector ? lanes_of_box<Plan, Plan::storage.reduces[K].box>() : 1;
  std::ptrdiff_t index[max_rank] = {};
  if constexpr (Plan::storage.reduces[K].columns) {
    for_kept<Plan, K, 0, kept>(index, [&]() EXPRAX_LAMBDA_INLINE {
      std::ptrdiff_t of_row[max_rank] = {};
      for (int i = 0; i < kept; ++i) of_row[i] = index[i];
      run_columns<Plan, K, widest>(env, of_row);
    });
  } else {
    for_kept<Plan, K, 0, kept>(index, [&]() EXPRAX_LAMBDA_INLINE {
      auto* to = env.template buffer<Plan::storage.accesses[out].buffer>() + row_offset<Plan, out, rank>(env, index);
      *to = reduce_row<Plan, K, widest>(env, index);
    });
  }
}

}  // namespace exprax::detail

// exprax/emit/scan.hpp
// Kernels in their order, and scan: a loop over its body's kernels. Elements of xs are read and ys written in place. A carry
// alternates between two buffers so that the last step writes the result; carries of one element, in a body that is one
// straight line, stay in registers.

// exprax/emit/register_scan.hpp
// A scan in registers: a value of n elements is a run of packs; slices, pads and the like are permutations of lanes.

namespace exprax::detail {

template <class V, int N, int Packs>
struct wide_file {
  V of[N][Packs];
};
template <class V, int Packs>
struct wide_file<V, 0, Packs> {};

template <class Plan, int K, int L, class Types = std::make_integer_sequence<int, dtype_count>>
struct wide_registers;
template <class Plan, int K, int L, int... D>
struct wide_registers<Plan, K, L, std::integer_sequence<int, D...>>
    : wide_file<simd::pack<element_t<static_cast<dtype>(D)>, L>, Plan::storage.register_scans[K].slots[D], (Plan::storage.register_scans[K].widest + L - 1) / L>... {
  static constexpr int packs = (Plan::storage.register_scans[K].widest + L - 1) / L;
  template <class T>
  EXPRAX_INLINE constexpr auto& file() {
    return static_cast<wide_file<simd::pack<T, L>, Plan::storage.register_scans[K].slots[static_cast<int>(dtype_of<T>)], packs>&>(*this).of;
  }
};

template <int N, class F>
EXPRAX_INLINE constexpr void for_packs(F const& f) {
  [&]<int... P>(std::integer_sequence<int, P...>) EXPRAX_LAMBDA_INLINE { (f(std::integral_constant<int, P>{}), ...); }(std::make_integer_sequence<int, N>{});
}

// The lanes of a permutation: first the source's packs, then the fill's.
template <class Plan, int Table, int N, int L, int NIn, bool WideFill>
struct lane_table {
  static constexpr int out_packs = (N + L - 1) / L, in_packs = (NIn + L - 1) / L;
  static constexpr int size = out_packs * L;
  struct lanes {
    int of[out_packs * L];
    constexpr int operator[](int i) const { return of[i]; }
  };
  static constexpr lanes at = [] {
    lanes r{};
    for (int i = 0; i < out_packs * L; ++i) {
      int const from = i < N ? Plan::storage.tables[Table + i] : -2;
      r.of[i] = from >= 0 ? from : from == -2 ? -1 : in_packs * L + (WideFill ? i : i % L);
    }
    return r;
  }();
};

// Step S of scan K.
template <class Plan, int K, int L, int S, class R, class Env>
EXPRAX_INLINE constexpr void run_register_step(R& r, Env const& env, [[maybe_unused]] std::ptrdiff_t t) {
  constexpr register_step s = Plan::storage.register_steps[S];
  using T = element_t<s.type>;
  using V = simd::pack<T, L>;
  constexpr int packs = (s.n + L - 1) / L;
  auto& file = r.template file<T>();
  if constexpr (s.kind == register_step_kind::load) {
    T const* const p = env.template buffer<s.buffer>() + (s.element ? t * s.n : 0);
    for_packs<packs>([&](auto k) EXPRAX_LAMBDA_INLINE {
      constexpr int first = decltype(k)::value * L;
      if constexpr (s.n == 1) file[s.d][0] = V(*p);
      else if constexpr (first + L <= s.n) file[s.d][decltype(k)::value] = load_lanes<T, L, 1, L>(p + first);
      else file[s.d][decltype(k)::value] = simd::load_partial<T, L>(p + first, s.n - first, T{});
    });
  } else if constexpr (s.kind == register_step_kind::store) {
    T* const p = env.template buffer<s.buffer>() + (s.element ? t * s.n : 0);
    for_packs<packs>([&](auto k) EXPRAX_LAMBDA_INLINE {
      constexpr int first = decltype(k)::value * L;
      V const& v = file[s.a][s.wide_a ? decltype(k)::value : 0];
      if constexpr (first + L <= s.n) store_lanes<T, L, 1>(v, p + first);
      else simd::store_partial(v, p + first, s.n - first);
    });
  } else if constexpr (s.kind == register_step_kind::literal) {
    file[s.d][0] = V(from_bits<T>(s.bits));
  } else if constexpr (s.kind == register_step_kind::numbers) {
    for_packs<packs>([&](auto k) EXPRAX_LAMBDA_INLINE {
      T lanes[L];
      for (int i = 0; i < L; ++i) lanes[i] = decltype(k)::value * L + i < s.n ? static_cast<T>(Plan::storage.tables[s.table + decltype(k)::value * L + i]) : T{};
      file[s.d][decltype(k)::value] = load_lanes<T, L, 1, L>(lanes);
    });
  } else if constexpr (s.kind == register_step_kind::convert) {
    using F = element_t<s.from>;
    for_packs<packs>([&](auto k) EXPRAX_LAMBDA_INLINE {
      file[s.d][decltype(k)::value] = convert<T>(r.template file<F>()[s.a][s.wide_a ? decltype(k)::value : 0]);
    });
  } else if constexpr (s.kind == register_step_kind::compute) {
    using F = element_t<s.from>;
    using P = primitive<s.op>;
    for_packs<packs>([&](auto k) EXPRAX_LAMBDA_INLINE {
      constexpr int i = decltype(k)::value, a = s.wide_a ? i : 0, b = s.wide_b ? i : 0, c = s.wide_c ? i : 0;
      V& out = file[s.d][i];
      if constexpr (s.op == prim::select_n) out = P::kernel(r.template file<bool>()[s.a][a], file[s.b][b], file[s.c][c]);
      else if constexpr (arity(s.op) == 1) out = P::kernel(r.template file<F>()[s.a][a]);
      else if constexpr (arity(s.op) == 2) out = P::kernel(r.template file<F>()[s.a][a], r.template file<F>()[s.b][b]);
      else out = P::kernel(r.template file<F>()[s.a][a], r.template file<F>()[s.b][b], r.template file<F>()[s.c][c]);
    });
  } else {
    using table [[maybe_unused]] = lane_table<Plan, s.table, s.n, L, s.n_in, s.wide_b>;
    [[maybe_unused]] constexpr int from = s.wide_a ? table::in_packs : 1;
    if constexpr (L == 1) {
      for (int i = 0; i < s.n; ++i) {
        int const at = Plan::storage.tables[s.table + i];
        file[s.d][i] = at >= 0 ? file[s.a][s.wide_a ? at : 0] : file[s.b][s.wide_b ? i : 0];
      }
    } else {
#if EXPRAX_SIMD
      V in[table::in_packs + (s.wide_b ? packs : 1)], out[packs];
      for_packs<table::in_packs>([&](auto k) EXPRAX_LAMBDA_INLINE { in[decltype(k)::value] = file[s.a][decltype(k)::value < from ? decltype(k)::value : 0]; });
      for_packs<(s.wide_b ? packs : 1)>([&](auto k) EXPRAX_LAMBDA_INLINE { in[table::in_packs + decltype(k)::value] = file[s.b][s.wide_b ? decltype(k)::value : 0]; });
      simd::permute_wide<table>(in, out, V(T{}));
      for_packs<packs>([&](auto k) EXPRAX_LAMBDA_INLINE { file[s.d][decltype(k)::value] = out[decltype(k)::value]; });
#endif
    }
  }
}

template <class Plan, int K, int L, int First, int N, class R, class Env>
EXPRAX_INLINE constexpr void run_register_steps(R& r, Env const& env, std::ptrdiff_t t) {
  constexpr int n = N < chunk_size ? N : chunk_size;
  [&]<int... S>(std::integer_sequence<int, S...>) EXPRAX_LAMBDA_INLINE { (run_register_step<Plan, K, L, First + S>(r, env, t), ...); }(std::make_integer_sequence<int, n>{});
  if constexpr (N > n) run_register_steps<Plan, K, L, First + n, N - n>(r, env, t);
}

template <class Plan, int C, int L, class R, class Env>
EXPRAX_INLINE constexpr void load_carry(R& r, Env const& env) {
  constexpr register_carry c = Plan::storage.register_carries[C];
  using T = element_t<c.type>;
  T const* const p = env.template buffer<c.init>();
  auto& file = r.template file<T>();
  for_packs<(c.n + L - 1) / L>([&](auto k) EXPRAX_LAMBDA_INLINE {
    constexpr int first = decltype(k)::value * L;
    if constexpr (c.n == 1) file[c.in][0] = simd::pack<T, L>(*p);
    else if constexpr (first + L <= c.n) file[c.in][decltype(k)::value] = load_lanes<T, L, 1, L>(p + first);
    else file[c.in][decltype(k)::value] = simd::load_partial<T, L>(p + first, c.n - first, T{});
  });
}
template <class Plan, int C, int L, class R, class Env>
EXPRAX_INLINE constexpr void store_carry(R& r, Env const& env) {
  constexpr register_carry c = Plan::storage.register_carries[C];
  using T = element_t<c.type>;
  T* const p = env.template buffer<c.result>();
  auto& file = r.template file<T>();
  for_packs<(c.n + L - 1) / L>([&](auto k) EXPRAX_LAMBDA_INLINE {
    constexpr int first = decltype(k)::value * L;
    if constexpr (first + L <= c.n) store_lanes<T, L, 1>(file[c.in][decltype(k)::value], p + first);
    else simd::store_partial(file[c.in][decltype(k)::value], p + first, c.n - first);
  });
}
// All carries at once: one may be the other's next value.
template <class Plan, int First, int N, int L, class R>
EXPRAX_INLINE constexpr void move_carries(R& r) {
  if constexpr (N > 0) {
    constexpr register_carry c = Plan::storage.register_carries[First];
    using V = simd::pack<element_t<c.type>, L>;
    constexpr int packs = (c.n + L - 1) / L;
    auto& file = r.template file<element_t<c.type>>();
    V next[packs];
    for_packs<packs>([&](auto k) EXPRAX_LAMBDA_INLINE { next[decltype(k)::value] = file[c.out][c.wide_out ? decltype(k)::value : 0]; });
    move_carries<Plan, First + 1, N - 1, L>(r);
    for_packs<packs>([&](auto k) EXPRAX_LAMBDA_INLINE { file[c.in][decltype(k)::value] = next[decltype(k)::value]; });
  }
}

template <class Plan, int K>
constexpr int lanes_of_scan() {
  register_scan_kernel const& s = Plan::storage.register_scans[K];
  int widest = 1;
  for (int d = 0; d < dtype_count; ++d)
    if (s.slots[d] > 0 && size_of(static_cast<dtype>(d)) > widest) widest = size_of(static_cast<dtype>(d));
  int lanes = simd::register_bytes > widest ? simd::register_bytes / widest : 1;
  while (lanes > 1 && lanes / 2 >= s.widest) lanes /= 2;
  return s.widest < 4 ? 1 : lanes;
}

template <class Plan, int K, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_register_scan(Env& env) {
  constexpr register_scan_kernel s = Plan::storage.register_scans[K];
  constexpr int L = Vector ? lanes_of_scan<Plan, K>() : 1;
  wide_registers<Plan, K, L> r;
  [&]<int... C>(std::integer_sequence<int, C...>) EXPRAX_LAMBDA_INLINE {
    run_register_steps<Plan, K, L, s.step, s.n_before>(r, env, 0);
    (load_carry<Plan, s.carry + C, L>(r, env), ...);
    for (std::ptrdiff_t i = 0; i < s.length; ++i) {
      run_register_steps<Plan, K, L, s.step + s.n_before, s.n_step - s.n_before>(r, env, s.reverse ? s.length - 1 - i : i);
      move_carries<Plan, s.carry, s.n_carry, L>(r);
    }
    (store_carry<Plan, s.carry + C, L>(r, env), ...);
  }(std::make_integer_sequence<int, s.n_carry>{});
}

}  // namespace exprax::detail

// exprax/emit/scatter.hpp
// Scatters with one index vector for each element of a batch: a loop over the vectors, each of which is checked, and in it a
// loop over the elements of its window.

namespace exprax::detail {

// f(offset in out, offset in update) for each index of the axes [Axis, End).
template <class Plan, int K, int Axis, int End, class F>
EXPRAX_INLINE constexpr void walk_scatter(std::ptrdiff_t to, std::ptrdiff_t from, F const& f) {
  if constexpr (Axis == End) {
    f(to, from);
  } else {
    constexpr std::ptrdiff_t out = Plan::storage.scatters[K].out[Axis], update = Plan::storage.scatters[K].update[Axis];
    for (std::ptrdiff_t i = 0; i < Plan::storage.scatters[K].dims[Axis]; ++i) walk_scatter<Plan, K, Axis + 1, End>(to + i * out, from + i * update, f);
  }
}

template <class Plan, int K, class Env>
EXPRAX_INLINE constexpr void run_scatter(Env const& env) {
  constexpr scatter_kernel s = Plan::storage.scatters[K];
  using T = element_t<s.type>;
  T* const out = env.template buffer<s.out_buffer>();
  T const* const update = env.template buffer<s.update_buffer>();
  auto const* indices = env.template buffer<s.indices_buffer>();
  walk_scatter<Plan, K, 0, s.batch>(0, 0, [&](std::ptrdiff_t start, std::ptrdiff_t source) EXPRAX_LAMBDA_INLINE {
    bool inside = true;
    for (int q = 0; q < Plan::storage.scatters[K].n_index; ++q) {
      std::ptrdiff_t const at = indices[q];
      inside = inside && at >= 0 && at <= Plan::storage.scatters[K].limit[q];
      start += Plan::storage.scatters[K].index_stride[q] * at;
    }
    indices += Plan::storage.scatters[K].n_index;
    if (!inside) return;
    walk_scatter<Plan, K, Plan::storage.scatters[K].batch, Plan::storage.scatters[K].rank>(start, source, [&](std::ptrdiff_t to, std::ptrdiff_t from) EXPRAX_LAMBDA_INLINE {
      constexpr prim op = Plan::storage.scatters[K].op;
      if constexpr (op == prim::scatter) out[to] = update[from];
      else out[to] = primitive<planning::combiner(op)>::kernel(simd::lane<T>(out[to]), simd::lane<T>(update[from])).value;
    });
  });
}

}  // namespace exprax::detail

namespace exprax::detail {

template <class Plan, int K, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_scan(Env& env);

template <class Plan, int I, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_kernel(Env& env) {
  constexpr kernel k = Plan::storage.kernels[I];
  if constexpr (k.kind == kernel_kind::loop) run_loop<Plan, k.index, Vector>(env);
  else if constexpr (k.kind == kernel_kind::reduce) run_reduce<Plan, k.index, Vector>(env);
  else if constexpr (k.kind == kernel_kind::contract) run_contract<Plan, k.index, Vector>(env);
  else if constexpr (k.kind == kernel_kind::scatter) run_scatter<Plan, k.index>(env);
  else if constexpr (k.kind == kernel_kind::register_scan) run_register_scan<Plan, k.index, Vector>(env);
  else run_scan<Plan, k.index, Vector>(env);
}
template <class Plan, int I, bool Vector, class Env>
[[gnu::noinline]] constexpr void run_kernel_apart(Env& env) {
  run_kernel<Plan, I, Vector>(env);
}

// A few kernels are one function; many are one each.
template <class Plan, int First, int N, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_kernels(Env& env) {
  if constexpr (N <= 4) {
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE { (run_kernel<Plan, First + I, Vector>(env), ...); }(std::make_integer_sequence<int, N>{});
  } else {
    constexpr int n = N < 128 ? N : 128;
    [&]<int... I>(std::integer_sequence<int, I...>) { (run_kernel_apart<Plan, First + I, Vector>(env), ...); }(std::make_integer_sequence<int, n>{});
    if constexpr (N > n) run_kernels<Plan, First + n, N - n, Vector>(env);
  }
}

template <class Plan, int S>
struct scan_parts {
  static constexpr scan_kernel const& scan = Plan::storage.scans[S];
  template <int I>
  static constexpr carry_slot carry = Plan::storage.carries[Plan::storage.scans[S].carry + I];
  template <int I>
  static constexpr stream_slot stream = Plan::storage.streams[Plan::storage.scans[S].stream + I];
};

// Element t of each xs and ys.
template <class Plan, int S, int... I, class Env>
EXPRAX_INLINE constexpr void bind_streams(Env& env, [[maybe_unused]] std::ptrdiff_t t, std::integer_sequence<int, I...>) {
  using P = scan_parts<Plan, S>;
  (env.template bind<P::template stream<I>.part>(env.template buffer<P::template stream<I>.whole>() + t * Plan::storage.buffers[P::template stream<I>.part].size), ...);
}

template <class T>
EXPRAX_INLINE constexpr void copy_elements(T* to, T const* from, std::ptrdiff_t n) {
  if (to == from) return;
  for (std::ptrdiff_t i = 0; i < n; ++i) to[i] = from[i];
}

template <class Plan, int S, bool Vector, class Env, int... I>
EXPRAX_INLINE constexpr void run_buffered_scan(Env& env, std::integer_sequence<int, I...>) {
  using P = scan_parts<Plan, S>;
  constexpr std::ptrdiff_t n = Plan::storage.scans[S].length;
  constexpr auto streams = std::make_integer_sequence<int, Plan::storage.scans[S].n_stream>{};
  if constexpr (n == 0) {
    (copy_elements(env.template buffer<P::template carry<I>.result>(), env.template buffer<P::template carry<I>.init>(),
                   Plan::storage.buffers[P::template carry<I>.result].size),
     ...);
  } else {
    // The writes go to spare, result, spare, ... so that the last one is to the result; the first read is of the start.
    (env.template bind<P::template carry<I>.in>(env.template buffer<P::template carry<I>.init>()), ...);
    (env.template bind<P::template carry<I>.out>(n % 2 ? env.template buffer<P::template carry<I>.result>() : env.template buffer<P::template carry<I>.spare>()), ...);
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      bind_streams<Plan, S>(env, Plan::storage.scans[S].reverse ? n - 1 - i : i, streams);
      run_kernels<Plan, Plan::storage.scans[S].kernel, Plan::storage.scans[S].n_kernel, Vector>(env);
      bool const to_spare = (n - 1 - i) % 2 == 1;  // what was just written
      (env.template bind<P::template carry<I>.in>(to_spare ? env.template buffer<P::template carry<I>.spare>() : env.template buffer<P::template carry<I>.result>()), ...);
      (env.template bind<P::template carry<I>.out>(to_spare ? env.template buffer<P::template carry<I>.result>() : env.template buffer<P::template carry<I>.spare>()), ...);
    }
  }
}

template <class Plan, int K, bool Vector, class Env>
EXPRAX_INLINE constexpr void run_scan(Env& env) {
  run_buffered_scan<Plan, K, Vector>(env, std::make_integer_sequence<int, Plan::storage.scans[K].n_carry>{});
}

}  // namespace exprax::detail

namespace exprax::detail {

inline constexpr std::ptrdiff_t largest_stack_scratch = 128 * 1024;

template <std::ptrdiff_t Bytes>
class scratch_memory {
 public:
  std::byte* data() { return bytes_; }

 private:
  alignas(64) std::byte bytes_[Bytes > 0 ? Bytes : 1];
};
template <std::ptrdiff_t Bytes>
  requires(Bytes > largest_stack_scratch)
class scratch_memory<Bytes> {
 public:
  scratch_memory() : bytes_(static_cast<std::byte*>(::operator new(static_cast<std::size_t>(Bytes), std::align_val_t{64}))) {}
  scratch_memory(scratch_memory const&) = delete;
  scratch_memory& operator=(scratch_memory const&) = delete;
  ~scratch_memory() { ::operator delete(bytes_, std::align_val_t{64}); }
  std::byte* data() { return bytes_; }

 private:
  std::byte* bytes_;
};

// In constant evaluation each buffer is an array of its own type.
template <class T>
struct constant_scratch {
  T* elements = nullptr;
  constexpr constant_scratch() = default;
  constant_scratch(constant_scratch const&) = delete;
  constant_scratch& operator=(constant_scratch const&) = delete;
  constexpr ~constant_scratch() { delete[] elements; }
};

template <class Plan, int B, class Env, class Inputs, class Outputs>
EXPRAX_INLINE constexpr void bind_user_buffer(Env& env, Inputs const& in, Outputs const& out) {
  constexpr storage_class where = Plan::storage.buffers[B].where;
  if constexpr (where == storage_class::input) {
    using T = element_t<Plan::storage.buffers[B].type>;
    env.template bind<B>(const_cast<T*>(std::get<Plan::storage.buffers[B].index>(in)));
  } else if constexpr (where == storage_class::output) {
    env.template bind<B>(std::get<Plan::storage.buffers[B].index>(out));
  } else if constexpr (where == storage_class::constant) {
    using T = element_t<Plan::storage.buffers[B].type>;
    env.template bind<B>(const_cast<T*>(constant_elements<Plan, B>::data.of));
  }
}
template <class Plan, int B, class Env>
EXPRAX_INLINE void bind_scratch(Env& env, std::byte* scratch) {
  if constexpr (Plan::storage.buffers[B].where == storage_class::scratch)
    env.template bind<B>(reinterpret_cast<element_t<Plan::storage.buffers[B].type>*>(scratch + Plan::storage.buffers[B].offset));
}
template <class Plan, int B, class Env>
constexpr void allocate_scratch(Env& env) {
  using T = element_t<Plan::storage.buffers[B].type>;
  if constexpr (Plan::storage.buffers[B].where == storage_class::scratch) env.template bind<B>(new T[Plan::storage.buffers[B].size + 1]{});
}
template <class Plan, int B, class Env>
constexpr void release_scratch(Env& env) {
  if constexpr (Plan::storage.buffers[B].where == storage_class::scratch) delete[] env.template buffer<B>();
}

// Calls f(integral_constant<int, B>) for each buffer, in groups that folds allow.
template <int First, int End, class F>
EXPRAX_INLINE constexpr void for_each_index(F const& f) {
  constexpr int n = End - First < 128 ? End - First : 128;
  if constexpr (n > 0) {
    [&]<int... I>(std::integer_sequence<int, I...>) EXPRAX_LAMBDA_INLINE { (f(std::integral_constant<int, First + I>{}), ...); }(std::make_integer_sequence<int, n>{});
    for_each_index<First + n, End>(f);
  }
}

template <class Plan, class Inputs, class Outputs>
EXPRAX_INLINE constexpr void execute_plan(Inputs const& in, Outputs const& out) {
  environment<Plan> env;
  for_each_index<0, Plan::sizes.buffers>([&](auto b) EXPRAX_LAMBDA_INLINE { bind_user_buffer<Plan, decltype(b)::value>(env, in, out); });
  if (std::is_constant_evaluated()) {
    for_each_index<0, Plan::sizes.buffers>([&](auto b) { allocate_scratch<Plan, decltype(b)::value>(env); });
    run_kernels<Plan, Plan::sizes.first_kernel, Plan::sizes.n_kernel, false>(env);
    for_each_index<0, Plan::sizes.buffers>([&](auto b) { release_scratch<Plan, decltype(b)::value>(env); });
  } else {
    execute_at_run_time<Plan>(env);
  }
}
template <class Plan, class Env>
EXPRAX_INLINE void execute_at_run_time(Env& env) {
  scratch_memory<Plan::sizes.scratch> scratch;
  for_each_index<0, Plan::sizes.buffers>([&](auto b) EXPRAX_LAMBDA_INLINE { bind_scratch<Plan, decltype(b)::value>(env, scratch.data()); });
  run_kernels<Plan, Plan::sizes.first_kernel, Plan::sizes.n_kernel, true>(env);
}

// P: a frozen, optimized program.
template <class P, class... In, class... Out>
EXPRAX_INLINE constexpr void execute(std::tuple<In const*...> const& in, std::tuple<Out*...> const& out) {
  execute_plan<planned<P>>(in, out);
}

}  // namespace exprax::detail

// exprax/passes/pipeline.hpp
// optimize: what a program goes through before it is planned. Two walks: the first inlines, simplifies, folds and numbers,
// the second removes what is dead and contracts. Short convolutions are expanded last.

// exprax/passes/contract.hpp
// contract: a float product that is used once, by a sum or a difference, becomes an fma with it; of two such products of
// one sum, the left one. What is dead goes as well. The only pass that changes the bits of results: so that they are the
// same on every compiler, nothing else is fused.

// exprax/passes/compactor.hpp
// compactor: one backward walk that counts the uses of every value, and one forward walk that writes what is used. On its
// way it contracts: a product that is used once, by a sum or difference, waits, and becomes an fma with it.

// exprax/passes/literals.hpp
// Patterns of the elements that algebra knows: 0, 1, -1, the infinities, and what has an exact reciprocal.

#include <cstdint>

namespace exprax::detail {

constexpr std::uint64_t sign_bit(dtype d) { return d == dtype::f32 ? 0x80000000u : 0x8000000000000000u; }

constexpr std::uint64_t one_bits(dtype d) { return d == dtype::f32 ? 0x3f800000u : d == dtype::f64 ? 0x3ff0000000000000u : 1u; }

// -1: of a float, or of a signed integer.
constexpr bool is_minus_one(dtype d, std::uint64_t bits) {
  if (is_floating(d)) return bits == (one_bits(d) | sign_bit(d));
  return is_signed_integer(d) && bits == ~std::uint64_t{0};
}

// All bits of the element are set (true, for bool).
constexpr bool is_all_ones(dtype d, std::uint64_t bits) {
  if (is_bool(d)) return bits == 1;
  if (is_signed_integer(d)) return bits == ~std::uint64_t{0};
  return is_unsigned_integer(d) && bits == ~std::uint64_t{0} >> (64 - 8 * size_of(d));
}

// What x is added to without a trace: -0 for floats, since 0 + -0 is 0.
constexpr bool is_neutral_of_sum(dtype d, std::uint64_t bits) { return bits == (is_floating(d) ? sign_bit(d) : 0u); }

constexpr std::uint64_t infinity_bits(dtype d) { return d == dtype::f32 ? 0x7f800000u : 0x7ff0000000000000u; }

// What max (or min) leaves every operand as it is: -inf (or +inf), the smallest (or largest) integer.
constexpr bool is_neutral_of_extremum(dtype d, std::uint64_t bits, bool is_max) {
  if (is_floating(d)) return bits == (is_max ? infinity_bits(d) | sign_bit(d) : infinity_bits(d));
  if (!is_signed_integer(d)) return is_max ? bits == 0 : is_all_ones(d, bits);
  std::uint64_t const lowest = ~std::uint64_t{0} << (8 * size_of(d) - 1);
  return bits == (is_max ? lowest : ~lowest);
}

// The pattern of 1/c when c is a power of two and both are normal numbers: then x/c and x*(1/c) are the same. 0: none.
constexpr std::uint64_t exact_reciprocal(dtype d, std::uint64_t c) {
  int const mantissa = d == dtype::f32 ? 23 : 52;
  std::uint64_t const exponent_mask = d == dtype::f32 ? 0xffu : 0x7ffu;
  std::uint64_t const exponent = c >> mantissa & exponent_mask;
  std::uint64_t const bias = exponent_mask >> 1;
  if ((c & ((std::uint64_t{1} << mantissa) - 1)) != 0 || exponent == 0 || exponent >= 2 * bias) return 0;
  return (c & sign_bit(d)) | (2 * bias - exponent) << mantissa;
}

// Every value of `from` is a value of `to`, and converting it changes nothing but its form.
constexpr bool converts_exactly(dtype from, dtype to) {
  if (from == to || is_bool(from)) return true;
  if (is_bool(to)) return false;
  if (is_floating(from)) return is_floating(to) && size_of(from) <= size_of(to);
  if (is_floating(to)) return size_of(from) < size_of(to);
  if (is_signed_integer(from)) return is_signed_integer(to) && size_of(from) <= size_of(to);
  return size_of(from) < size_of(to) || (is_unsigned_integer(to) && size_of(from) == size_of(to));
}

}  // namespace exprax::detail

// exprax/passes/writer.hpp
// writer: what every pass does while it reads one program and writes another: values, equations of open blocks, constants.
// Its tables are open, and the walks of the passes write into them directly: a call for each equation and each operand would
// cost most of the constexpr steps.

#include <utility>

namespace exprax::detail {

// A yes or no for each primitive.
struct prim_set {
  bool has[prim_count] = {};
  constexpr prim_set(std::initializer_list<prim> list) {
    for (prim p : list) has[static_cast<int>(p)] = true;
  }
};

// n elements that are all the same.
template <class T>
struct flat {
  T* at;
  constexpr explicit flat(int n) : at(new T[static_cast<std::size_t>(n + 1)]()) {}
  constexpr flat(int n, T fill) : at(new T[static_cast<std::size_t>(n + 1)]) {
    int i = 0;
    for (; i + 8 <= n; i += 8)  // one statement
      at[i] = fill, at[i + 1] = fill, at[i + 2] = fill, at[i + 3] = fill, at[i + 4] = fill, at[i + 5] = fill, at[i + 6] = fill, at[i + 7] = fill;
    for (; i < n; ++i) at[i] = fill;
  }
  flat(flat const&) = delete;
  flat& operator=(flat const&) = delete;
  constexpr ~flat() { delete[] at; }
};

class writer {
 public:
  program_ref p;  // what is read
  int* map;       // for each value of p the value that stands for it, or less than 0
  int const* type;  // for each aval of p its number in what is written

  table<value> values;
  table<eqn> pending;  // equations of open blocks
  table<eqn> eqns;
  table<block> blocks;
  table<int> refs, params;
  table<std::uint64_t> constants;
  arena<aval> avals;

  // For how many equations there is room, each with one result and few operands.
  int left = 0;
  static constexpr int few = 8;

  constexpr explicit writer(program_ref from) : p(from), map_(from.n.values, -1), type_(from.n.avals) {
    map = map_.at;
    type = type_.at;
    values.reserve(p.n.values + 16);
    pending.reserve(p.n.eqns + 16);
    refs.reserve(p.n.refs + 16 * few);
    copy_types();
  }

  constexpr void refill() {
    left = 64;
    values.make_room(left + 8);
    pending.make_room(left + 8);
    refs.make_room((left + 8) * few);
  }
  constexpr int add_value(int t) {
    --left;
    return values.push({t, -1});
  }
  constexpr int add_constant(int t, std::uint64_t const* bits, std::ptrdiff_t n) {
    --left;
    int const at = constants.n;
    constants.make_room(static_cast<int>(n) + 1);
    constants.at[at] = 0;
    copy_run(constants.at + at, bits, static_cast<int>(n));
    constants.n += n > 0 ? static_cast<int>(n) : 1;
    return values.push({t, at});
  }
  constexpr int add_refs(span<int> s) {
    left = 0;
    refs.make_room(s.count);
    copy_run(refs.at + refs.n, s.first, s.count);
    refs.n += s.count;
    return refs.n - s.count;
  }
  constexpr int add_params(int const* s, int n) {
    params.make_room(n);
    copy_run(params.at + params.n, s, n);
    params.n += n;
    return params.n - n;
  }
  constexpr void add_equation(eqn const& e) {
    left = 0;
    pending.push(e);
  }

  constexpr void open() { open_.push(pending.n); }
  // The first equation of the innermost open block.
  constexpr int first() const { return open_.back(); }
  constexpr int close(span<int> in, span<int> out) {
    int const begin = open_.back();
    int const n = pending.n - begin;
    int const first_eqn = eqns.n;
    if (begin == 0 && first_eqn == 0) {  // the only block: what is pending is its table
      std::swap(pending.at, eqns.at), std::swap(pending.n, eqns.n), std::swap(pending.room, eqns.room);
    } else {
      eqns.make_room(n);
      copy_run(eqns.at + first_eqn, pending.at + begin, n);
      eqns.n += n;
    }
    pending.n = begin;
    open_.pop();
    int const first_in = add_refs(in), first_out = add_refs(out);
    blocks.push({first_in, in.count, first_out, out.count, first_eqn, n});
    return blocks.n - 1;
  }

  constexpr program finish() {
    program q;
    q.values = values.release();
    q.eqns = eqns.release();
    q.blocks = blocks.release();
    q.refs = refs.release();
    q.params = params.release();
    q.constants = constants.release();
    q.avals = static_cast<arena<aval>&&>(avals);
    name* to = q.names.grow(p.n.names);
    for (int i = 0; i < p.n.names; ++i) to[i] = p.names[i];
    return q;
  }

  constexpr int intern(aval const& a) {
    for (int i = avals.size() - 1; i >= 0; --i)
      if (avals[i].matches(a)) return i;
    return avals.push(a);
  }

 private:
  // Avals keep their numbers; a weak one that has a strong twin takes its number. Weakness is a matter of the front end:
  // what passes write has none.
  constexpr void copy_types() {
    int const n = p.n.avals;
    aval* to = avals.grow(n);
    for (int i = 0; i < n; ++i) {
      to[i] = p.avals[i];
      to[i].weak = false;
      type_.at[i] = i;
      if (p.avals[i].weak)
        for (int k = 0; k < n; ++k)
          if (!p.avals[k].weak && p.avals[k].matches(p.avals[i])) type_.at[i] = k;
    }
  }

  flat<int> map_;
  flat<int> type_;
  arena<int> open_;
};

}  // namespace exprax::detail

namespace exprax::detail {

// Options: static constexpr bool contract.
template <class Options>
class compactor {
 public:
  constexpr explicit compactor(program_ref p) : w_(p), map_(w_.map), uses_(p.n.values), callers_(p.n.blocks), marked_(p.n.blocks), u_(uses_.at) {
    for (int i = 0; i < p.n.eqns && p.n.blocks > 1; ++i)
      if (p.eqns[i].n_blk != 0) ++callers_.at[p.refs[p.eqns[i].blk]];
  }

  constexpr program run() {
    block const& b = w_.p.main();
    for (int v : w_.p.outs(b)) u_[v] += 2;
    mark(b);
    arena<int> in, out;
    w_.open();
    for (int v : w_.p.ins(b)) in.push(bind(v));
    write(b);
    for (int v : w_.p.outs(b)) out.push(operand(v));
    w_.close(in, out);
    return w_.finish();
  }

 private:
  // --- Backward: uses. A result of a block counts as two, since a product that leaves its block cannot be contracted. ---

  constexpr bool is_live(eqn const& e) const {
    for (int k = 0; k < e.n_out; ++k)
      if (u_[e.out + k] != 0) return true;
    return false;
  }
  constexpr void mark(block const& b) {
    eqn const* const eqns = w_.p.eqns;
    int* const uses = u_;
    for (int i = b.eqn + b.n_eqn - 1; i >= b.eqn; --i) {
      eqn const e = eqns[i];
      if (e.n_out == 1 ? uses[e.out] == 0 : !is_live(e)) continue;
      int const* const in = w_.p.refs + e.in;
      if (e.n_blk != 0) mark_control(e);
      else if (e.n_in == 2) ++uses[in[0]], ++uses[in[1]];
      else
        for (int k = 0; k < e.n_in; ++k) ++uses[in[k]];
    }
  }

  // Loops lose what nobody needs; the block of a jit, or one that two equations share, stays whole.
  constexpr bool stays_whole(eqn const& e) const { return e.op != prim::scan || callers_.at[w_.p.refs[e.blk]] > 1; }

  constexpr void mark_control(eqn const& e) {
    block const& b = w_.p.sub(e, 0);
    if (!stays_whole(e)) return mark_loop(e, b);
    for (int v : w_.p.ins(e)) ++u_[v];
    char& marked = marked_.at[w_.p.refs[e.blk]];
    if (marked) return;
    marked = 1;
    for (int v : w_.p.outs(b)) u_[v] += 2;
    mark(b);
  }

  // A carry is needed if its last value is, or if the body reads it: found by repetition, mostly in one round.
  constexpr void mark_loop(eqn const& e, block const& b) {
    int const n_const = w_.p.param(e, 1), n_carry = w_.p.param(e, 2);
    int const* const in = w_.p.refs + b.in;
    int const* const out = w_.p.refs + b.out;
    arena<char> needed;
    for (int k = 0; k < e.n_out; ++k) needed.push(u_[e.out + k] != 0);
    for (bool again = true; again;) {
      for (int k = 0; k < b.n_in; ++k) u_[in[k]] = 0;
      for (eqn const& x : w_.p.body(b))
        for (int k = 0; k < x.n_out; ++k) u_[x.out + k] = 0;
      for (int k = 0; k < e.n_out; ++k)
        if (needed[k]) u_[out[k]] += 2;
      // A carry is read by nothing but itself? Then its input counts only once its result is marked.
      mark(b);
      again = false;
      for (int k = 0; k < n_carry; ++k)
        if (!needed[k] && u_[in[n_const + k]] != 0) needed[k] = again = true;
    }
    for (int k = 0; k < b.n_in; ++k)
      if (keeps_input(e, b, k)) ++u_[w_.p.in(e, k)];
  }
  constexpr bool keeps_result(eqn const& e, block const& b, int k) const {
    if (u_[e.out + k] != 0) return true;
    return k < w_.p.param(e, 2) && u_[w_.p.refs[b.in + w_.p.param(e, 1) + k]] != 0;
  }
  constexpr bool keeps_input(eqn const& e, block const& b, int k) const {
    int const carry = k - w_.p.param(e, 1);
    if (carry >= 0 && carry < w_.p.param(e, 2)) return keeps_result(e, b, carry);
    return u_[w_.p.refs[b.in + k]] != 0;
  }

  // --- Forward ---

  constexpr int type_in(int v) const { return w_.type[w_.p.values[v].type]; }
  constexpr int bind(int v) { return map_[v] = w_.add_value(type_in(v)); }
  constexpr int operand(int v) { return map_[v] >= 0 ? map_[v] : late(v); }
  // A constant at its first use, or a product that waited for a sum in vain.
  constexpr int late(int v) {
    if (map_[v] < -1) {
      eqn const& e = w_.p.eqns[-2 - map_[v]];
      return map_[v] = emit(e.op, type_in(v), {map_[w_.p.refs[e.in]], map_[w_.p.refs[e.in + 1]]});
    }
    int const t = type_in(v);
    return map_[v] = w_.add_constant(t, w_.p.constants + w_.p.values[v].constant, w_.avals.data()[t].size());
  }

  constexpr void write(block const& b) {
    writer& w = w_;
    table<int>& refs = w.refs;
    table<value>& values = w.values;
    table<eqn>& pending = w.pending;
    int* const map = map_;
    int const* const uses = u_;
    eqn const* const eqns = w.p.eqns;
    int const end = b.eqn + b.n_eqn;
    for (int i = b.eqn; i < end; ++i) {
      eqn const e = eqns[i];
      if (e.n_out == 1 ? uses[e.out] == 0 : !is_live(e)) continue;
      int const* const in = w.p.refs + e.in;
      if (e.n_blk != 0) write_control(e);
      else if (e.n_in > w.few) write_wide(e);
      else if (Options::contract && sums.has[static_cast<int>(e.op)] &&
               (e.op == prim::mul ? uses[e.out] == 1 && waits(i) : (map[in[0]] < -1 || map[in[1]] < -1) && contract(e)))
        continue;
      else {
        if (w.left-- <= 1 + w.few) w.refill();  // so that no operand that comes late does it in between
        int const at = refs.n;
        refs.n += e.n_in;  // what comes late stands behind
        for (int k = 0; k < e.n_in; ++k) {
          int const m = map[in[k]];
          refs.at[at + k] = m >= 0 ? m : late(in[k]);
        }
        int const v = values.n++;
        map[e.out] = v, values.at[v] = {w.type[w.p.values[e.out].type], -1};
        pending.at[pending.n++] = {e.op, at, e.n_in, v, 1, e.n_par == 0 ? 0 : w.add_params(w.p.params + e.par, e.n_par), e.n_par, 0, 0};
      }
    }
  }
  constexpr void write_wide(eqn const& e) {
    arena<int> in;
    for (int v : w_.p.ins(e)) in.push(operand(v));
    int const at = w_.add_refs(in), par = w_.add_params(w_.p.params + e.par, e.n_par), v = bind(e.out);
    w_.add_equation({e.op, at, e.n_in, v, 1, par, e.n_par, 0, 0});
  }
  // An elementwise equation on values that are written.
  constexpr int emit(prim op, int type, span<int> in) {
    if (w_.left-- <= 1) w_.refill();
    int const at = w_.refs.n, v = w_.values.n++;
    for (int k = 0; k < in.count; ++k) w_.refs.at[at + k] = in.first[k];
    w_.refs.n += in.count;
    w_.values.at[v] = {type, -1}, w_.pending.at[w_.pending.n++] = {op, at, in.count, v, 1, 0, 0, 0, 0};
    return v;
  }

  // A float product that is used once waits for its sum; its own operands do not wait.
  constexpr bool waits(int i) {
    eqn const& e = w_.p.eqns[i];
    if (!is_floating(w_.p.avals[w_.p.values[e.out].type].type)) return false;
    operand(w_.p.refs[e.in]);
    operand(w_.p.refs[e.in + 1]);
    map_[e.out] = -2 - i;
    return true;
  }
  // A sum with a product that waits is a * b + c. In a difference what is negated is exact: a - b * c is fma(-b, c, a),
  // a * b - c is fma(a, b, -c).
  constexpr bool contract(eqn const& e) {
    int const left = w_.p.refs[e.in], right = w_.p.refs[e.in + 1];
    bool const by_left = map_[left] < -1;
    eqn const& product = w_.p.eqns[-2 - map_[by_left ? left : right]];
    int a = map_[w_.p.refs[product.in]], b = map_[w_.p.refs[product.in + 1]], c = operand(by_left ? right : left);
    if (e.op == prim::sub) {
      if (by_left) c = negated(c);
      else if (w_.avals[w_.values.at[b].type].rank == 0) b = negated(b);
      else a = negated(a);
    }
    map_[e.out] = emit(prim::fma, type_in(e.out), {a, b, c});
    return true;
  }
  constexpr int negated(int v) {
    value const x = w_.values.at[v];
    aval const& t = w_.avals[x.type];
    if (x.constant < 0 || t.rank != 0) return emit(prim::neg, x.type, {v});
    std::uint64_t const bits = w_.constants.at[x.constant] ^ sign_bit(t.type);
    return w_.add_constant(x.type, &bits, 1);
  }

  constexpr void write_control(eqn const& e) {
    block const& b = w_.p.sub(e, 0);
    bool const whole = stays_whole(e);
    arena<int> in, inner, out, par;
    for (int x : w_.p.params_of(e)) par.push(x);
    int const n_const = whole ? 0 : par[1], n_carry = whole ? 0 : par[2];
    for (int k = 0; k < e.n_in; ++k) {
      if (!whole && !keeps_input(e, b, k)) {
        if (k < n_const) --par[1];
        else if (k < n_const + n_carry) --par[2];
        continue;
      }
      in.push(operand(w_.p.in(e, k)));
    }
    w_.open();
    for (int k = 0; k < e.n_in; ++k)
      if (whole || keeps_input(e, b, k)) inner.push(bind(w_.p.refs[b.in + k]));
    write(b);
    for (int k = 0; k < e.n_out; ++k)
      if (whole || keeps_result(e, b, k)) out.push(operand(w_.p.refs[b.out + k]));
    int const blk = w_.close(inner, out);
    int const first = w_.values.n;
    for (int k = 0; k < e.n_out; ++k)
      if (whole || keeps_result(e, b, k)) bind(e.out + k);
    int const first_in = w_.add_refs(in), first_block = w_.add_refs({&blk, 1});
    w_.add_equation({e.op, first_in, in.size(), first, out.size(), w_.add_params(par.data(), par.size()), par.size(), first_block, 1});
  }

  static constexpr prim_set sums = {prim::mul, prim::add, prim::sub};
  writer w_;
  int* map_;
  flat<int> uses_;
  flat<int> callers_;  // for each block, the equations that name it
  flat<char> marked_;  // for each block, 1 if it stays whole and is marked
  int* u_;
};

}  // namespace exprax::detail

namespace exprax {
namespace detail {

struct contract_options {
  static constexpr bool contract = true;
};

}  // namespace detail

constexpr program contract(program_ref p) { return detail::compactor<detail::contract_options>(p).run(); }

}  // namespace exprax

// exprax/passes/expand.hpp
// expand: equations that are planned as several simpler ones. Runs after contraction: its products and sums stay as they are.
//
//   A convolution of one signal with one short window becomes shifted products, in the order that its sum is defined in
//   (primitives/contraction.hpp), so that it fuses with what surrounds it. A window whose elements are all 1 becomes sums.

namespace exprax {
namespace detail {

class expander {
 public:
  static constexpr int longest_window = 16;

  // Operands [1, 1, n] and [1, 1, k], no dilation of the signal.
  static constexpr bool is_short_convolution(program_ref p, eqn const& e) {
    if (e.op != prim::conv_general_dilated || p.param(e, 0) != 1 || p.param(e, 4) != 1) return false;
    aval const& x = p.type(p.in(e, 0));
    aval const& w = p.type(p.in(e, 1));
    return x.dims[0] == 1 && x.dims[1] == 1 && w.dims[0] == 1 && w.dims[1] == 1 && w.dims[2] > 0 && w.dims[2] <= longest_window && p.type(e.out).size() > 0;
  }
  static constexpr bool is_needed(program_ref p) {
    for (int i = 0; i < p.n.eqns; ++i)
      if (is_short_convolution(p, p.eqns[i])) return true;
    return false;
  }

  constexpr explicit expander(program_ref p) : p_(p) {
    map_.resize(p.n.values, -1);
    def_.resize(p.n.values, -1);
    for (int i = 0; i < p.n.eqns; ++i)
      for (int k = 0; k < p.eqns[i].n_out; ++k) def_[p.eqns[i].out + k] = i;
    for (int i = 0; i < p.n.names; ++i) q_.names.push(p.names[i]);
  }
  constexpr program run() {
    copy(p_.main_id());
    return std::move(q_);
  }

 private:
  constexpr int map(int v) {
    if (map_[v] < 0) map_[v] = q_.add_constant(p_.type(v), {p_.constants + p_.values[v].constant, static_cast<int>(p_.type(v).size())});
    return map_[v];
  }
  constexpr arena<int> map(span<int> values) {
    arena<int> r;
    for (int v : values) r.push(map(v));
    return r;
  }
  constexpr int copy(int block_id) {
    block const& b = p_.blocks[block_id];
    q_.open();
    for (int v : p_.ins(b)) map_[v] = q_.add_value(p_.type(v));
    for (eqn const& e : p_.body(b)) {
      if (is_short_convolution(p_, e)) {
        map_[e.out] = convolution(e);
        continue;
      }
      arena<int> subs;
      for (int s : p_.subs(e)) subs.push(copy(s));
      arena<aval> out;
      for (int k = 0; k < e.n_out; ++k) out.push(p_.type(e.out + k));
      int const first = q_.emit(e.op, map(p_.ins(e)), p_.params_of(e), out, subs);
      for (int k = 0; k < e.n_out; ++k) map_[e.out + k] = first + k;
    }
    return q_.close(map(p_.ins(b)), map(p_.outs(b)));
  }

  constexpr int emit(prim op, aval const& t, std::initializer_list<int> in, std::initializer_list<int> par = {}) { return q_.emit(op, in, par, {&t, 1}); }
  constexpr int converted(int v, aval const& from, dtype to) {
    return from.type == to ? v : emit(prim::convert_element_type, from.with_type(to), {v}, {static_cast<int>(to), 0});
  }

  // True if every element of v is the number 1.
  constexpr bool is_ones(int v) const {
    while (true) {
      if (p_.is_constant(v)) break;
      if (def_[v] < 0) return false;
      eqn const& e = p_.eqns[def_[v]];
      if (e.op != prim::broadcast_in_dim && e.op != prim::reshape && e.op != prim::rev && e.op != prim::transpose && e.op != prim::convert_element_type) return false;
      v = p_.in(e, 0);
    }
    for (std::ptrdiff_t i = 0; i < p_.type(v).size(); ++i)
      if (p_.bits(v, i) != bits_of_int(p_.type(v).type, 1)) return false;
    return true;
  }

  constexpr int convolution(eqn const& e) {
    aval const out = p_.type(e.out);
    dtype const t = out.type;
    aval x_type = p_.type(p_.in(e, 0)).with_type(t);
    aval const w_type = p_.type(p_.in(e, 1)).with_type(t);
    int x = converted(map(p_.in(e, 0)), p_.type(p_.in(e, 0)), t);
    int const w = converted(map(p_.in(e, 1)), p_.type(p_.in(e, 1)), t);
    int const stride = p_.param(e, 1), low = p_.param(e, 2), high = p_.param(e, 3), dilation = p_.param(e, 5);
    if (low != 0 || high != 0) {
      x_type.dims[2] += low + high;
      x = emit(prim::pad, x_type, {x, q_.add_literal(t, 0)}, {0, 0, low, 0, 0, high, 0, 0, 0});
    }
    bool const ones = is_ones(p_.in(e, 1));
    int sum = -1;
    for (int k = 0; k < w_type.dims[2]; ++k) {
      int const first = k * dilation, last = first + (out.dims[2] - 1) * stride + 1;
      int const part = stride == 1 ? emit(prim::slice, out, {x}, {0, 0, first, 1, 1, last}) : emit(prim::slice, out, {x}, {0, 0, first, 1, 1, last, 1, 1, stride});
      if (ones) {
        sum = k == 0 ? part : emit(prim::add, out, {part, sum});
        continue;
      }
      int const tap = emit(prim::reshape, aval(t), {emit(prim::slice, aval(t, {1, 1, 1}), {w}, {0, 0, k, 1, 1, k + 1})});
      if (k == 0) sum = emit(prim::mul, out, {part, tap});
      else if (is_floating(t)) sum = emit(prim::fma, out, {part, tap, sum});
      else sum = emit(prim::add, out, {emit(prim::mul, out, {part, tap}), sum});
    }
    return sum;
  }

  program_ref p_;
  program q_;
  arena<int> map_, def_;
};

}  // namespace detail

constexpr program expand(program_ref p) { return detail::expander(p).run(); }

}  // namespace exprax

// exprax/passes/simplify.hpp
// simplify: constant folding, algebra that is exact, and common subexpressions, in one forward walk. inline_calls: the walk
// alone, which puts the block of every jit equation in its place. simplify inlines as well.

// exprax/passes/simplify_elementwise.hpp
// Algebra of the elementwise primitives. Only what holds bit for bit, for NaN (but for its sign), -0, infinities and
// wrapping integers: x + 0 is not x when x is -0, x - 0 is. A rule returns the value that an equation equals, or -1.

// exprax/passes/rewriter.hpp
// rewriter: one forward walk that does inlining, simplification, constant folding and value numbering together. Each
// equation is made anew by make(), on operands that are already simplified: a rule sees the whole past of its operands,
// and what a rule makes is simplified and numbered in turn.

// exprax/passes/element_tracker.hpp
// element_tracker: which values the elements of arrays have that are written one element at a time, a = a.at(i, j).set(z) in
// an unrolled loop. A read of such an element is then the value that was written, and never waits for memory.
//
// A chain is a row of updates, each of the result of the one before; only its latest version can be asked for. Chains are
// remembered sparsely, so that one update of a large array costs little.

#include <cstddef>

// exprax/passes/value_table.hpp
// value_table: the hash table of value numbering, open addressing. The caller walks the slots:
// for (s = first(tag); value[s] != 0; s = next(s)), where value holds a value + 1 and tag its hash.

#include <cstdint>
#include <cstddef>

namespace exprax::detail {

class value_table {
 public:
  std::uint32_t* tag = nullptr;
  int* value = nullptr;
  int shift = 27;  // a hash shifted by this is its first slot

  constexpr explicit value_table(int entries) {
    while (shift > 8 && (1 << (32 - shift)) < 2 * entries) --shift;
    allocate();
  }
  value_table(value_table const&) = delete;
  value_table& operator=(value_table const&) = delete;
  constexpr ~value_table() {
    delete[] tag;
    delete[] value;
  }

  // At most three quarters of the slots are taken.
  constexpr void take(std::uint32_t slot, std::uint32_t hash, int v) {
    tag[slot] = hash, value[slot] = v + 1;
    if (++used_ > 3 << (30 - shift)) grow();
  }
  constexpr std::uint32_t next(std::uint32_t slot) const { return (slot + 1) & ((1u << (32 - shift)) - 1); }

 private:
  constexpr void allocate() {
    tag = new std::uint32_t[std::size_t{1} << (32 - shift)]();
    value = new int[std::size_t{1} << (32 - shift)]();
  }
  constexpr void grow() {
    std::uint32_t* const old_tag = tag;
    int* const old_value = value;
    int const n = 1 << (32 - shift);
    --shift;
    allocate();
    for (int i = 0; i < n; ++i) {
      if (old_value[i] == 0) continue;
      std::uint32_t s = old_tag[i] >> shift;
      while (value[s] != 0) s = next(s);
      tag[s] = old_tag[i], value[s] = old_value[i];
    }
    delete[] old_tag;
    delete[] old_value;
  }

  int used_ = 0;
};

}  // namespace exprax::detail

namespace exprax::detail {

class element_tracker {
 public:
  constexpr element_tracker() : slots_(0) {}

  // Element `index` of v, an array or scalar of this one element, or -1.
  constexpr int find(int v, std::ptrdiff_t index) const {
    int const c = chain_of(v);
    if (c < 0) return -1;
    std::uint32_t s = slot(chains_[c].id, index);
    if (slots_.value[s] != 0) return entries_[slots_.value[s] - 1].value;
    return chains_[c].base;
  }

  // `to` is `from`, from here on written one element at a time; base: the scalar that all of `from` is, or -1. False: known.
  constexpr bool advance(int from, int to, int base) {
    if (chain_of(to) >= 0) return false;
    int c = chain_of(from);
    if (c < 0) {
      c = next_;
      next_ = (next_ + 1) % chains;
      chains_[c] = {from, ++ids_, base};
    }
    chains_[c].version = to;
    return true;
  }
  // Element `index` of v, the latest version of a chain, is `value` (-1: nobody knows).
  constexpr void write(int v, std::ptrdiff_t index, int value) {
    int const id = chains_[chain_of(v)].id;
    std::uint32_t const s = slot(id, index);
    if (slots_.value[s] != 0) entries_[slots_.value[s] - 1].value = value;
    else slots_.take(s, hash(id, index), entries_.push({id, index, value}));
  }

 private:
  static constexpr int chains = 4;
  struct chain {
    int version = -1;
    int id = 0;
    int base = -1;
  };
  struct entry {
    int id = 0;
    std::ptrdiff_t index = 0;
    int value = -1;
  };

  constexpr int chain_of(int v) const {
    for (int c = 0; c < chains; ++c)
      if (chains_[c].version == v) return c;
    return -1;
  }
  static constexpr std::uint32_t hash(int id, std::ptrdiff_t index) {
    return (static_cast<std::uint32_t>(index) * 0x9e3779b1u + static_cast<std::uint32_t>(id)) * 0x85ebca77u;
  }
  // Where the entry stands, or the free slot for it.
  constexpr std::uint32_t slot(int id, std::ptrdiff_t index) const {
    std::uint32_t const h = hash(id, index);
    std::uint32_t s = h >> slots_.shift;
    for (; slots_.value[s] != 0; s = slots_.next(s)) {
      entry const& e = entries_[slots_.value[s] - 1];
      if (slots_.tag[s] == h && e.id == id && e.index == index) break;
    }
    return s;
  }

  chain chains_[chains];
  int next_ = 0, ids_ = 0;
  arena<entry> entries_;
  value_table slots_;
};

}  // namespace exprax::detail

// exprax/passes/fold.hpp
// Constant folding: an elementwise equation on literals is computed with the primitive's own kernel, so that the literal has
// the bits that the emitted code would compute. Integers are computed in 64 bits and wrapped, which gives the same for all
// that is folded and needs a quarter of the kernels.

namespace exprax::detail {

inline constexpr int max_fold = 8;  // operands

struct fold_request {
  dtype const* type = nullptr;  // of each operand
  std::uint64_t const* x = nullptr;
  int n = 0;
  dtype result{};
  std::uint64_t out = 0;
};

// f(element_tag<T>{}) for the type in which elements of dtype d are folded.
template <class F>
constexpr bool with_wide_element(dtype d, F&& f) {
  if (is_bool(d)) return f(element_tag<bool>{});
  if (is_signed_integer(d)) return f(element_tag<std::int64_t>{});
  if (is_unsigned_integer(d)) return f(element_tag<std::uint64_t>{});
  return d == dtype::f32 ? f(element_tag<float>{}) : f(element_tag<double>{});
}

// The low bits of an integer, extended as its dtype is.
constexpr std::uint64_t wrapped(dtype d, std::uint64_t bits) {
  if (!is_integer(d)) return bits;
  int const unused = 64 - 8 * size_of(d);
  if (is_signed_integer(d)) return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << unused) >> unused);
  return bits << unused >> unused;
}

// A float that was converted to 64 bits, saturated in an integer dtype.
constexpr std::uint64_t saturated(dtype d, std::uint64_t bits) {
  int const unused = 64 - 8 * size_of(d);
  if (is_unsigned_integer(d)) {
    std::uint64_t const most = ~std::uint64_t{0} >> unused;
    return bits < most ? bits : most;
  }
  std::int64_t const most = static_cast<std::int64_t>(~std::uint64_t{0} >> (unused + 1)), x = static_cast<std::int64_t>(bits);
  return static_cast<std::uint64_t>(x > most ? most : x < -most - 1 ? -most - 1 : x);
}

// Templates of the options, so that only programs that are optimised pay for the kernels.
template <class Options>
struct fold_rules {
  template <prim P, class T>
  static constexpr std::uint64_t compute(fold_request const& r) {
    using V = lane<T>;
    if constexpr (primitive<P>::arity == 1) return to_bits(primitive<P>::kernel(V(from_bits<T>(r.x[0]))).value);
    else if constexpr (primitive<P>::arity == 2) return to_bits(primitive<P>::kernel(V(from_bits<T>(r.x[0])), V(from_bits<T>(r.x[1]))).value);
    else return to_bits(primitive<P>::kernel(V(from_bits<T>(r.x[0])), V(from_bits<T>(r.x[1])), V(from_bits<T>(r.x[2]))).value);
  }
  template <class T>
  static constexpr bool convert_from(fold_request& r) {
    return with_wide_element(r.result, [&](auto to) {
      using U = typename decltype(to)::type;
      r.out = to_bits(primitive<prim::convert_element_type>::kernel<U>(lane<T>(from_bits<T>(r.x[0]))).value);
      if (is_integer(r.result)) r.out = std::is_floating_point_v<T> ? saturated(r.result, r.out) : wrapped(r.result, r.out);
      return true;
    });
  }

  template <prim P>
  struct rule {
    static constexpr bool call(fold_request& r) {
      if constexpr (P == prim::convert_element_type) {
        return with_wide_element(r.type[0], [&](auto from) { return convert_from<typename decltype(from)::type>(r); });
      } else if constexpr (requires { primitive<P>::arity; }) {
        return with_wide_element(r.type[0], [&](auto tag) {
          using T = typename decltype(tag)::type;
          if constexpr (primitive<P>::accepts(dtype_of<T>)) {
            r.out = wrapped(r.result, compute<P, T>(r));
            return true;
          } else {
            return false;
          }
        });
      } else {
        return false;  // select_n and integer_pow have rules of their own
      }
    }
  };
};

template <class Options>
constexpr bool fold_elementwise(prim op, fold_request& r) {
  return dispatch<fold_rules<Options>::template rule, bool(fold_request&)>(op, r);
}

}  // namespace exprax::detail

namespace exprax::detail {

// An equation with one result that is wanted: types and operands are numbers in the program that is written.
struct request {
  prim op{};
  int type = 0;
  int const* in = nullptr;
  int n_in = 0;
  int const* par = nullptr;
  int n_par = 0;
};

template <class W>
constexpr int simplify_equation(W& w, request const& r);

// What value numbering and rules ask of a primitive, for each of them.
struct prim_facts {
  // x op y is y op x, bit for bit.
  prim_set commutes = {prim::add, prim::mul, prim::max, prim::min, prim::and_, prim::or_, prim::xor_, prim::eq, prim::ne};
  // Rules look at how operands are made: at these.
  prim_set seen = {prim::neg, prim::sign, prim::floor, prim::ceil, prim::abs, prim::not_, prim::convert_element_type, prim::broadcast_in_dim};
  // Elementwise, and no rule knows more unless an operand is a constant, seen, or the same as another.
  prim_set plain = {prim::neg, prim::sign, prim::floor, prim::ceil, prim::abs, prim::exp, prim::expm1, prim::log, prim::log1p, prim::sqrt,
                    prim::rsqrt, prim::sin, prim::cos, prim::tanh, prim::logistic, prim::not_, prim::is_finite, prim::add, prim::sub, prim::mul,
                    prim::div, prim::rem, prim::pow, prim::max, prim::min, prim::and_, prim::or_, prim::xor_, prim::eq, prim::ne, prim::lt,
                    prim::le, prim::gt, prim::ge};
};
inline constexpr prim_facts facts;

// Options: static constexpr bools inline_calls, simplify.
template <class Options>
class rewriter {
 public:
  constexpr explicit rewriter(program_ref p) : w_(p), slots_(p.n.eqns), map_(w_.map) { def_.reserve(p.n.values + 16); }

  constexpr program run() {
    block const& b = w_.p.main();
    arena<int> in, out;
    enter();
    for (int k = 0; k < b.n_in; ++k) {
      int const v = w_.p.refs[b.in + k];
      map_[v] = input(type_in(v));
      in.push(map_[v]);
    }
    walk(b);
    for (int k = 0; k < b.n_out; ++k) out.push(operand(w_.p.refs[b.out + k]));
    leave(in, out);
    return w_.finish();
  }

  // --- What rules see of the program that is written ---

  constexpr aval const& aval_of(int v) const { return w_.avals.data()[w_.values.at[v].type]; }
  constexpr aval const& type(int t) const { return w_.avals.data()[t]; }
  constexpr int type_of(int v) const { return w_.values.at[v].type; }
  constexpr int intern(aval const& a) { return w_.intern(a); }
  constexpr bool is_constant(int v) const { return w_.values.at[v].constant >= 0; }
  constexpr bool is_literal(int v) const { return w_.values.at[v].constant >= 0 && w_.avals.data()[w_.values.at[v].type].rank == 0; }
  constexpr std::uint64_t bits(int v, std::ptrdiff_t i = 0) const { return w_.constants.at[w_.values.at[v].constant + i]; }
  // The equation of this block that makes v, if its primitive is op.
  constexpr eqn const* made_by(prim op, int v) const {
    int const d = def_.at[v];
    return d >= 0 && w_.pending.at[d >> 1].op == op ? w_.pending.at + (d >> 1) : nullptr;
  }
  constexpr int in(eqn const* e, int k) const { return w_.refs.at[e->in + k]; }
  constexpr int param(eqn const* e, int k) const { return w_.params.at[e->par + k]; }

  // The scalar that v is everywhere, or -1.
  constexpr int uniform(int v) const {
    if (aval_of(v).rank == 0) return v;
    eqn const* const e = made_by(prim::broadcast_in_dim, v);
    if (e && aval_of(in(e, 0)).rank == 0) return in(e, 0);
    return -1;
  }

  element_tracker elements;

  // --- What rules make ---

  constexpr int make(request const& r) {
    if (r.op == prim::convert_element_type && r.par[1] != 0) return make(r.op, r.type, {r.in, 1}, {r.par[0], 0});  // not weak
    if constexpr (Options::simplify) {
      int const v = simplify_equation(*this, r);
      if (v >= 0) return v;
    }
    return number(r);
  }
  constexpr int make(prim op, int type, span<int> in, span<int> par = {}) {
    return make({op, type, in.data(), in.size(), par.data(), par.size()});
  }

  constexpr int literal(int type, std::uint64_t bits) {
    std::uint32_t const tag = (static_cast<std::uint32_t>(bits ^ bits >> 32) * first_prime + static_cast<std::uint32_t>(type)) * second_prime;
    std::uint32_t s = tag >> slots_.shift;
    for (; slots_.value[s] != 0; s = slots_.next(s)) {
      if (slots_.tag[s] != tag) continue;
      value const& v = w_.values.at[slots_.value[s] - 1];
      if (v.constant >= 0 && v.type == type && w_.constants.at[v.constant] == bits) return slots_.value[s] - 1;
    }
    int const v = constant(type, &bits, 1);
    slots_.take(s, tag, v);
    return v;
  }
  constexpr int scalar_type(dtype d) {
    int& t = scalar_types_[static_cast<int>(d)];
    if (t < 0) t = intern(aval(d));
    return t;
  }
  constexpr int literal(dtype d, std::uint64_t bits) { return literal(scalar_type(d), bits); }

  // A constant in another shape.
  constexpr int recast(int t, int v) {
    if (type(t).rank == 0) return literal(t, bits(v));
    int const c = w_.add_value(t);
    w_.values.at[c].constant = w_.values.at[v].constant;
    def_.push(constant_def);
    return c;
  }
  // A part of a constant, element i from start[i], step[i]; -1 if the part is large.
  template <class Axis>
  constexpr int pick(int t, int v, Axis const* axes) {
    aval const to = type(t);
    std::ptrdiff_t const n = to.size();
    if (n > max_picked) return -1;
    strides const from(aval_of(v));
    std::uint64_t part[max_picked];
    bool all_same = true;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      std::ptrdiff_t at = 0, rest = i;
      for (int k = to.rank - 1; k >= 0; --k) {
        at += (axes[k].start + rest % to.dims[k] * axes[k].step) * from[k];
        rest /= to.dims[k];
      }
      part[i] = bits(v, at);
      all_same = all_same && part[i] == part[0];
    }
    if (all_same) return filled(t, literal(to.type, part[0]));
    return constant(t, part, n);
  }

  // Scalar s, broadcast to a type.
  constexpr int filled(int t, int s) {
    aval const& a = type(t);
    if (a.rank == 0) return s;
    int dims[max_rank];
    for (int i = 0; i < a.rank; ++i) dims[i] = a.dims[i];
    return number({prim::broadcast_in_dim, t, &s, 1, dims, a.rank});
  }
  // v, which has one element, in another shape.
  constexpr int single(int t, int v) {
    if (aval_of(v).rank == 0) return filled(t, v);
    aval const to = type(t);
    return make({prim::reshape, t, &v, 1, to.dims, to.rank});
  }
  constexpr int filled_with(int t, std::uint64_t bits) { return filled(t, literal(type(t).type, bits)); }
  // v, whose axes may be 1 or which may be a scalar, broadcast to a type.
  constexpr int shaped(int t, int v) {
    if (type_of(v) == t) return v;
    aval const a = type(t);
    if (aval_of(v).rank == 0) return filled(t, v);
    int par[2 * max_rank];
    for (int i = 0; i < a.rank; ++i) {
      par[i] = a.dims[i];
      par[a.rank + i] = i;
    }
    return make({prim::broadcast_in_dim, t, &v, 1, par, 2 * a.rank});
  }

  // The result of an elementwise equation on literals.
  constexpr int fold(request const& r) {
    std::uint64_t x[max_fold];
    dtype d[max_fold];
    for (int k = 0; k < r.n_in; ++k) {
      x[k] = bits(r.in[k]);
      d[k] = aval_of(r.in[k]).type;
    }
    fold_request f{d, x, r.n_in, type(r.type).type};
    return fold_elementwise<Options>(r.op, f) ? literal(r.type, f.out) : -1;
  }

  // The value that an equal equation of this block has made, or a new equation.
  constexpr int number(request const& r) {
    int const op = static_cast<int>(r.op), n = r.n_in;
    int const* const in = r.in;
    std::uint32_t h = static_cast<std::uint32_t>(op);
    if (n == 2) {
      bool const swap = facts.commutes.has[op] && in[0] > in[1];
      h = ((static_cast<std::uint32_t>(in[swap]) * first_prime + static_cast<std::uint32_t>(in[!swap])) * second_prime + h) * first_prime;
    } else {
      for (int k = 0; k < n; ++k) h = (h * first_prime + static_cast<std::uint32_t>(in[k])) * second_prime;
    }
    for (int k = 0; k < r.n_par; ++k) h = (h * first_prime + static_cast<std::uint32_t>(r.par[k])) * second_prime;
    std::uint32_t s = h >> slots_.shift;
    for (; slots_.value[s] != 0; s = slots_.next(s))
      if (slots_.tag[s] == h && same(r, slots_.value[s] - 1)) return slots_.value[s] - 1;

    writer& w = w_;
    if (w.left-- <= 0) w.refill(), def_.make_room(w.left + 8);
    int const v = w.values.n++, at = w.pending.n++, first = w.refs.n;
    if (n > w.few) w.add_refs({in, n});
    else {
      int* const refs = w.refs.at + first;
      for (int k = 0; k < n; ++k) refs[k] = in[k];
      w.refs.n = first + n;
    }
    w.values.at[v] = {r.type, -1}, w.pending.at[at] = {r.op, first, n, v, 1, r.n_par == 0 ? 0 : w.add_params(r.par, r.n_par), r.n_par, 0, 0};
    def_.at[v] = at << 1 | static_cast<int>(facts.seen.has[op]), def_.n = v + 1;
    slots_.take(s, h, v);
    return v;
  }

 private:
  static constexpr std::uint32_t first_prime = 0x9e3779b1u, second_prime = 0x85ebca77u;

  constexpr bool same(request const& r, int v) const {
    int const at = def_.at[v] >> 1;
    if (at < w_.first()) return false;
    eqn const& e = w_.pending.at[at];
    if (e.op != r.op || e.n_in != r.n_in || e.n_par != r.n_par || type_of(v) != r.type) return false;
    for (int k = 0; k < r.n_par; ++k)
      if (param(&e, k) != r.par[k]) return false;
    bool equal = true;
    for (int k = 0; k < r.n_in; ++k) equal = equal && in(&e, k) == r.in[k];
    if (equal || r.n_in != 2 || !facts.commutes.has[static_cast<int>(r.op)]) return equal;
    return in(&e, 0) == r.in[1] && in(&e, 1) == r.in[0];
  }

  constexpr int type_in(int v) const { return w_.type[w_.p.values[v].type]; }
  constexpr int input(int type) {
    def_.push(input_def);
    return w_.add_value(type);
  }
  constexpr int constant(int type, std::uint64_t const* bits, std::ptrdiff_t n) {
    def_.push(constant_def);
    return w_.add_constant(type, bits, n);
  }

  // Opens a block. Values of outer blocks are out of reach until leave(): a block is closed.
  constexpr void enter() {
    w_.open();
    born_.push(w_.values.n);
  }
  constexpr int leave(span<int> in, span<int> out) {
    for (int v = born_.back(); v < def_.n; ++v)
      if (def_.at[v] >= 0) def_.at[v] = constant_def;
    born_.pop();
    return w_.close(in, out);
  }

  // The value in q of a value of p.
  constexpr int operand(int v) {
    int const m = map_[v];
    return m >= 0 ? m : first_use(v);
  }
  // A constant of p. One whose elements are all the same is a broadcast literal, made where it is used; -2 - literal
  // remembers it.
  constexpr int first_use(int v) {
    int const t = type_in(v);
    if (map_[v] < -1) return filled(t, -2 - map_[v]);
    std::uint64_t const* const from = w_.p.constants + w_.p.values[v].constant;
    aval const a = type(t);
    if (a.rank == 0) return map_[v] = literal(t, from[0]);
    std::ptrdiff_t const n = a.size();
    std::ptrdiff_t same = 1;
    while (same < n && from[same] == from[0]) ++same;
    if (!Options::simplify || same < n) {
      return map_[v] = constant(t, from, n);
    }
    map_[v] = -2 - literal(a.type, n > 0 ? from[0] : 0);
    return filled(t, -2 - map_[v]);
  }

  constexpr void walk(block const& b) {
    eqn const* const eqns = w_.p.eqns;
    int* const map = map_;
    int const end = b.eqn + b.n_eqn;
    for (int i = b.eqn; i < end; ++i) {
      eqn const e = eqns[i];
      if (e.n_blk != 0) control(e);
      else if (e.n_in > w_.few) many(e);
      else {
        int in[writer::few], special = 0;
        int const* const refs = w_.p.refs + e.in;
        for (int k = 0; k < e.n_in; ++k) {
          int const m = map[refs[k]];
          in[k] = m >= 0 ? m : first_use(refs[k]), special |= def_.at[in[k]];
        }
        request const r{e.op, w_.type[w_.p.values[e.out].type], in, e.n_in, w_.p.params + e.par, e.n_par};
        bool const plain = (special & 1) == 0 && facts.plain.has[static_cast<int>(e.op)] && (e.n_in == 1 || in[0] != in[1]);
        map[e.out] = plain ? number(r) : make(r);
      }
    }
  }
  constexpr arena<int> operands(span<int> refs) {
    arena<int> to;
    for (int v : refs) to.push(operand(v));
    return to;
  }
  constexpr void many(eqn const& e) {
    arena<int> const in = operands(w_.p.ins(e));
    map_[e.out] = make({e.op, type_in(e.out), in.data(), e.n_in, w_.p.params + e.par, e.n_par});
  }

  constexpr void control(eqn const& e) {
    if (e.op == prim::jit && Options::inline_calls) splice(e);
    else if (e.op == prim::scan && Options::simplify) loop(e);
    else {
      arena<int> const in = operands(w_.p.ins(e));
      arena<int> inner;
      for (int x : w_.p.ins(w_.p.sub(e, 0))) inner.push(type_in(x));
      enter();
      for (int& x : inner) x = input(x);
      int const blk = body(w_.p.sub(e, 0), inner, inner);
      emit(e, in, w_.p.params_of(e), blk, e.n_out);
    }
  }

  // Walks the block of an equation where it stands: the block is closed, so its values need nothing but their operands.
  constexpr void splice(eqn const& e) {
    block const& b = w_.p.sub(e, 0);
    arena<int> const in = operands(w_.p.ins(e));
    for (int k = 0; k < b.n_in; ++k) map_[w_.p.refs[b.in + k]] = in[k];
    walk(b);
    for (int k = 0; k < b.n_out; ++k) map_[e.out + k] = operand(w_.p.refs[b.out + k]);
  }

  // Walks the block that is open: its inputs are bound to `bound`, `in` are the inputs that it has in q.
  constexpr int body(block const& b, span<int> bound, span<int> in) {
    for (int k = 0; k < b.n_in; ++k) map_[w_.p.refs[b.in + k]] = bound[k];
    walk(b);
    arena<int> const out = operands(w_.p.outs(b));
    return leave(in, out);
  }
  constexpr void emit(eqn const& e, span<int> in, span<int> par, int blk, int n_out) {
    int const first = w_.values.n;
    for (int k = 0; k < n_out; ++k) map_[e.out + k] = input(type_in(e.out + k));
    add(e.op, in, first, n_out, par, blk);
  }

  // A scan. A carry that its body never changes becomes a constant of the loop; operands that are the same everywhere are
  // known inside the body.
  constexpr void loop(eqn const& e) {
    block const& b = w_.p.sub(e, 0);
    int const n_const = w_.p.param(e, 1), n_carry = w_.p.param(e, 2);
    arena<int> const in = operands(w_.p.ins(e));
    arena<int> fixed;  // for each carry: 1 if the body hands it on as it is
    for (int k = 0; k < n_carry; ++k) fixed.push(keeps(b, n_const + k, k, in[n_const + k]) ? 1 : 0);

    arena<int> types, scalar;  // of the block's inputs; their literal, where they are one everywhere
    for (int k = 0; k < b.n_in; ++k) {
      types.push(type_in(w_.p.refs[b.in + k]));
      bool const varies = k >= n_const && k < n_const + n_carry && !fixed[k - n_const];
      int const u = varies ? -1 : uniform(in[k]);
      scalar.push(u >= 0 && is_literal(u) ? u : -1);
    }
    enter();
    arena<int> bound, inputs, outer;
    bound.resize(b.n_in, -1);
    // Constants first, then fixed carries, carries, and what is scanned over.
    int par[5] = {w_.p.param(e, 0), 0, 0, w_.p.param(e, 3), w_.p.param(e, 4)};
    for (int part = 0; part < 3; ++part)
      for (int k = 0; k < b.n_in; ++k) {
        bool const is_carry = k >= n_const && k < n_const + n_carry;
        int const its = k < n_const || (is_carry && fixed[k - n_const]) ? 0 : is_carry ? 1 : 2;
        if (its != part) continue;
        if (scalar[k] >= 0) bound[k] = filled(types[k], scalar[k]);
        else {
          for (int i = 0; i < outer.size() && part == 0; ++i)
            if (outer[i] == in[k]) bound[k] = inputs[i];
          if (bound[k] >= 0) continue;
          outer.push(in[k]);
          inputs.push(bound[k] = input(types[k]));
          if (part < 2) ++par[1 + part];
        }
      }
    for (int k = 0; k < b.n_in; ++k) map_[w_.p.refs[b.in + k]] = bound[k];
    walk(b);
    arena<int> out;
    for (int k = 0; k < b.n_out; ++k)
      if (k >= n_carry || !fixed[k]) out.push(operand(w_.p.refs[b.out + k]));
    int const blk = leave(inputs, out);

    int next = w_.values.n;
    for (int k = 0; k < e.n_out; ++k) {
      bool const kept = k >= n_carry || !fixed[k];
      map_[e.out + k] = kept ? next++ : in[n_const + k];
      if (kept) input(type_in(e.out + k));
    }
    add(prim::scan, outer, next - out.size(), out.size(), {par, 5}, blk);
  }
  constexpr void add(prim op, span<int> in, int out, int n_out, span<int> par, int blk) {
    int const first = w_.add_refs(in), first_block = w_.add_refs({&blk, 1});
    w_.add_equation({op, first, in.count, out, n_out, w_.add_params(par.first, par.count), par.count, first_block, 1});
  }

  // The block's result k is its input `at`, or the literal that this input is from the start.
  constexpr bool keeps(block const& b, int at, int k, int start) const {
    int const result = w_.p.refs[b.out + k];
    if (result == w_.p.refs[b.in + at]) return true;
    return w_.p.is_literal(result) && is_literal(start) && type_of(start) == type_in(result) && bits(start) == w_.p.bits(result);
  }

  static constexpr int input_def = -2, constant_def = -1;
  static constexpr int max_picked = 16;
  writer w_;
  value_table slots_;
  int* map_;
  // For each value that is written, twice the number of the pending equation that makes it, plus 1 if its primitive is seen;
  // input_def or constant_def. The lowest bit says whether rules look at it. What a closed block has made is out of reach.
  table<int> def_;
  arena<int> born_;  // for each open block its first value
  int scalar_types_[dtype_count] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
};

}  // namespace exprax::detail

namespace exprax::detail {

// Every operand is the same everywhere: computes one scalar. Otherwise scalars take the places of such operands in `in`, if
// the others alone have the shape of the result. Returns a value, or -1.
template <class W>
constexpr int simplify_uniform(W& w, request const& r, int* in) {
  aval const out = w.type(r.type);
  bool has[max_rank] = {};  // axes of the result that a varying operand spans
  bool varies = false, any = false;
  int scalar[max_fold];
  for (int k = 0; k < r.n_in; ++k) {
    scalar[k] = w.uniform(r.in[k]);
    if (scalar[k] >= 0) {
      any = any || scalar[k] != r.in[k];
      continue;
    }
    varies = true;
    aval const& a = w.aval_of(r.in[k]);
    for (int i = 0; i < out.rank; ++i) has[i] = has[i] || a.dims[i] == out.dims[i];
  }
  if (!varies) return w.filled(r.type, w.make({r.op, w.scalar_type(out.type), scalar, r.n_in, r.par, r.n_par}));
  for (int i = 0; i < out.rank; ++i) any = any && has[i];
  for (int k = 0; k < r.n_in; ++k) in[k] = any && scalar[k] >= 0 ? scalar[k] : r.in[k];
  return -1;
}

// x^y by repeated squaring, as jax.lax does it; every product is an equation, so that powers share their squares.
template <class W>
constexpr int expand_integer_pow(W& w, int type, int x, int y) {
  if (y == 0) return w.filled_with(type, one_bits(w.type(type).type));
  int power = -1;
  for (unsigned n = y < 0 ? 0u - static_cast<unsigned>(y) : static_cast<unsigned>(y); n != 0;) {
    if (n & 1u) power = power < 0 ? x : w.make(prim::mul, type, {power, x});
    n >>= 1;
    if (n != 0) x = w.make(prim::mul, type, {x, x});
  }
  if (y > 0) return power;
  return w.make(prim::div, type, {w.literal(w.type(type).type, one_bits(w.type(type).type)), power});
}

// convert(convert(x)), where the first changes nothing but the form.
template <class W>
constexpr int simplify_convert(W& w, request const& r, int x) {
  if (w.type_of(x) == r.type) return x;
  eqn const* const inner = w.made_by(prim::convert_element_type, x);
  if (!inner) return -1;
  int const y = w.in(inner, 0);
  dtype const from = w.aval_of(y).type, middle = w.aval_of(x).type, to = w.type(r.type).type;
  if (!converts_exactly(from, middle)) return -1;
  // An integer converted to a narrower one wraps; by way of a float it would saturate.
  if (is_integer(from) && is_floating(middle) && is_integer(to) && !converts_exactly(from, to)) return -1;
  return w.make({prim::convert_element_type, r.type, &y, 1, r.par, r.n_par});
}

template <class W>
constexpr int simplify_sum(W& w, request const& r, int x, int y) {
  dtype const d = w.type(r.type).type;
  if (w.is_literal(y) && is_neutral_of_sum(d, w.bits(y))) return w.shaped(r.type, x);
  if (w.is_literal(x) && is_neutral_of_sum(d, w.bits(x))) return w.shaped(r.type, y);
  if (eqn const* n = w.made_by(prim::neg, y)) return w.make(prim::sub, r.type, {x, w.in(n, 0)});
  if (eqn const* n = w.made_by(prim::neg, x)) return w.make(prim::sub, r.type, {y, w.in(n, 0)});
  return -1;
}

template <class W>
constexpr int simplify_difference(W& w, request const& r, int x, int y) {
  dtype const d = w.type(r.type).type;
  if (w.is_literal(y) && w.bits(y) == 0) return w.shaped(r.type, x);
  if (x == y && !is_floating(d)) return w.filled_with(r.type, 0);
  if (eqn const* n = w.made_by(prim::neg, y)) return w.make(prim::add, r.type, {x, w.in(n, 0)});
  return -1;
}

template <class W>
constexpr int simplify_product(W& w, request const& r, int x, int y) {
  if (w.is_literal(x)) {
    int const t = x;
    x = y;
    y = t;
  }
  if (!w.is_literal(y)) return -1;
  dtype const d = w.type(r.type).type;
  std::uint64_t const c = w.bits(y);
  if (c == one_bits(d)) return w.shaped(r.type, x);
  if (c == 0 && !is_floating(d)) return w.filled_with(r.type, 0);
  if (is_minus_one(d, c)) return w.make(prim::neg, r.type, {w.shaped(r.type, x)});
  return -1;
}

template <class W>
constexpr int simplify_quotient(W& w, request const& r, int x, int y) {
  if (!w.is_literal(y)) return -1;
  dtype const d = w.type(r.type).type;
  std::uint64_t const c = w.bits(y);
  if (c == one_bits(d)) return w.shaped(r.type, x);
  if (!is_floating(d)) return -1;
  if (is_minus_one(d, c)) return w.make(prim::neg, r.type, {w.shaped(r.type, x)});
  if (std::uint64_t const inverse = exact_reciprocal(d, c)) return w.make(prim::mul, r.type, {x, w.literal(d, inverse)});
  return -1;
}

template <class W>
constexpr int simplify_extremum(W& w, request const& r, int x, int y) {
  if (x == y) return w.shaped(r.type, x);
  dtype const d = w.type(r.type).type;
  if (w.is_literal(y) && is_neutral_of_extremum(d, w.bits(y), r.op == prim::max)) return w.shaped(r.type, x);
  if (w.is_literal(x) && is_neutral_of_extremum(d, w.bits(x), r.op == prim::max)) return w.shaped(r.type, y);
  return -1;
}

// and, or, xor: of bools and integers.
template <class W>
constexpr int simplify_logic(W& w, request const& r, int x, int y) {
  if (x == y) return r.op == prim::xor_ ? w.filled_with(r.type, 0) : w.shaped(r.type, x);
  if (w.is_literal(x)) {
    int const t = x;
    x = y;
    y = t;
  }
  if (!w.is_literal(y)) return -1;
  std::uint64_t const c = w.bits(y);
  bool const ones = is_all_ones(w.type(r.type).type, c);
  if (c == 0) return r.op == prim::and_ ? w.filled_with(r.type, 0) : w.shaped(r.type, x);
  if (ones && r.op == prim::and_) return w.shaped(r.type, x);
  if (ones && r.op == prim::or_) return w.filled_with(r.type, c);
  if (ones) return w.make(prim::not_, r.type, {w.shaped(r.type, x)});
  return -1;
}

// Of bools and integers: x == x. Floats may be NaN.
template <class W>
constexpr int simplify_comparison(W& w, request const& r, int x, int y) {
  if (x != y || is_floating(w.aval_of(x).type)) return -1;
  return w.filled_with(r.type, r.op == prim::eq || r.op == prim::le || r.op == prim::ge ? 1 : 0);
}

template <class W>
constexpr int simplify_select(W& w, request const& r) {
  int const cases = r.n_in - 1;
  bool all_same = true;
  for (int k = 2; k <= cases; ++k) all_same = all_same && r.in[k] == r.in[1];
  if (all_same) return w.shaped(r.type, r.in[1]);
  if (!w.is_literal(r.in[0])) return -1;
  int const which = static_cast<int>(w.bits(r.in[0]));
  return w.shaped(r.type, r.in[1 + (which < 0 ? 0 : which >= cases ? cases - 1 : which)]);
}

// f(f(x)) is f(x), f(-x) is f(x) for abs, f(f(x)) is x for neg and not.
template <class W>
constexpr int simplify_unary(W& w, request const& r, int x) {
  eqn const* const inner = w.made_by(r.op, x);
  switch (r.op) {
    case prim::neg:
    case prim::not_: return inner ? w.in(inner, 0) : -1;
    case prim::sign:
    case prim::floor:
    case prim::ceil: return inner ? x : -1;
    case prim::abs:
      if (inner) return x;
      if (eqn const* n = w.made_by(prim::neg, x); n && !is_unsigned_integer(w.type(r.type).type)) return w.make(prim::abs, r.type, {w.in(n, 0)});
      return -1;
    default: return -1;
  }
}

// Makes the equation on operands that are scalars where they can be, if no rule knows better.
template <class W>
constexpr int simplify_elementwise(W& w, request r) {
  int in[max_fold], v = -1;
  if (r.n_in > max_fold) return -1;
  bool literals = true;
  for (int k = 0; k < r.n_in; ++k) literals = literals && w.is_literal(r.in[k]);
  if (literals && (v = w.fold(r)) >= 0) return v;
  if (w.type(r.type).rank > 0) {
    if (w.type(r.type).size() == 0) return w.filled_with(r.type, 0);
    v = simplify_uniform(w, r, in);
    if (v >= 0) return v;
    r.in = in;
  }
  switch (r.op) {
    case prim::add: v = simplify_sum(w, r, r.in[0], r.in[1]); break;
    case prim::sub: v = simplify_difference(w, r, r.in[0], r.in[1]); break;
    case prim::mul: v = simplify_product(w, r, r.in[0], r.in[1]); break;
    case prim::div: v = simplify_quotient(w, r, r.in[0], r.in[1]); break;
    case prim::max:
    case prim::min: v = simplify_extremum(w, r, r.in[0], r.in[1]); break;
    case prim::and_:
    case prim::or_:
    case prim::xor_: v = simplify_logic(w, r, r.in[0], r.in[1]); break;
    case prim::eq:
    case prim::ne:
    case prim::lt:
    case prim::le:
    case prim::gt:
    case prim::ge: v = simplify_comparison(w, r, r.in[0], r.in[1]); break;
    case prim::select_n: v = simplify_select(w, r); break;
    case prim::integer_pow: v = expand_integer_pow(w, r.type, r.in[0], r.par[0]); break;
    case prim::convert_element_type: v = simplify_convert(w, r, r.in[0]); break;
    default: v = r.n_in == 1 ? simplify_unary(w, r, r.in[0]) : -1; break;
  }
  return v >= 0 ? v : w.number(r);
}

}  // namespace exprax::detail

// exprax/passes/simplify_movement.hpp
// Algebra of the primitives that move elements, and of reductions over one element: identities vanish, two in a row become
// one, and what is the same everywhere stays the same everywhere. A rule returns the value that an equation equals, or -1.

namespace exprax::detail {

template <class W>
constexpr int simplify_broadcast(W& w, request const& r, int x) {
  if (w.type_of(x) == r.type) return x;
  eqn const* const inner = w.made_by(prim::broadcast_in_dim, x);
  if (!inner) return -1;
  // Axis i of y is axis inner[i] of x, and that is axis r.par[out_rank + inner[i]] of the result.
  int const y = w.in(inner, 0);
  int const rank = w.type(r.type).rank, middle = w.aval_of(x).rank, from = w.aval_of(y).rank;
  int par[2 * max_rank];
  for (int i = 0; i < rank; ++i) par[i] = r.par[i];
  for (int i = 0; i < from; ++i) par[rank + i] = r.par[rank + w.param(inner, middle + i)];
  return w.make({prim::broadcast_in_dim, r.type, &y, 1, par, rank + from});
}

// reshape; squeeze has this form too. Its parameters are the sizes of the result.
template <class W>
constexpr int simplify_reshape(W& w, request const& r, int x) {
  if (w.type_of(x) == r.type) return x;
  int const u = w.uniform(x);
  if (u >= 0) return w.filled(r.type, u);
  aval const to = w.type(r.type);
  if (w.is_constant(x)) return w.recast(r.type, x);
  if (eqn const* inner = w.made_by(prim::reshape, x)) x = w.in(inner, 0);
  else if (r.op == prim::reshape) return -1;
  return w.make({prim::reshape, r.type, &x, 1, to.dims, to.rank});
}

template <class W>
constexpr int simplify_transpose(W& w, request const& r, int x) {
  int const u = w.uniform(x);
  if (u >= 0) return w.filled(r.type, u);
  aval const to = w.type(r.type);
  int par[max_rank];
  for (int i = 0; i < r.n_par; ++i) par[i] = r.par[i];
  if (eqn const* inner = w.made_by(prim::transpose, x)) {
    for (int i = 0; i < r.n_par; ++i) par[i] = w.param(inner, r.par[i]);
    x = w.in(inner, 0);
    return w.make({prim::transpose, r.type, &x, 1, par, r.n_par});
  }
  // Where axes of more than one element keep their order, it is a reshape.
  int last = -1;
  for (int i = 0; i < r.n_par; ++i) {
    if (to.dims[i] == 1) continue;
    if (r.par[i] < last) return -1;
    last = r.par[i];
  }
  return w.make({prim::reshape, r.type, &x, 1, to.dims, to.rank});
}

template <class W>
constexpr int simplify_rev(W& w, request const& r, int x) {
  int const u = w.uniform(x);
  if (u >= 0) return x;
  aval const to = w.type(r.type);
  bool still = true;
  for (int i = 0; i < r.n_par; ++i) still = still && to.dims[r.par[i]] == 1;
  if (still) return x;
  eqn const* const inner = w.made_by(prim::rev, x);
  if (!inner) return -1;
  int par[max_rank], n = 0;
  for (int i = 0; i < to.rank; ++i) {
    bool reversed = false;
    for (int k = 0; k < r.n_par; ++k) reversed = reversed != (r.par[k] == i);
    for (int k = 0; k < inner->n_par; ++k) reversed = reversed != (w.param(inner, k) == i);
    if (reversed) par[n++] = i;
  }
  int const y = w.in(inner, 0);
  return n == 0 ? y : w.make({prim::rev, r.type, &y, 1, par, n});
}

// One axis of a slice: element k is element start + k * step of the operand.
struct slice_axis {
  int start = 0, step = 1;
};
// The parameters of a slice of size `to`, strides only where one is needed.
constexpr int write_slice(slice_axis const* axes, aval const& to, int* par) {
  int const rank = to.rank;
  bool strided = false;
  for (int i = 0; i < rank; ++i) {
    par[i] = axes[i].start;
    par[rank + i] = axes[i].start + (to.dims[i] - 1) * axes[i].step + 1;
    par[2 * rank + i] = axes[i].step;
    strided = strided || axes[i].step != 1;
  }
  return strided ? 3 * rank : 2 * rank;
}

template <class W>
constexpr int simplify_slice(W& w, request const& r, int x) {
  if (w.type_of(x) == r.type) return x;
  int const u = w.uniform(x);
  if (u >= 0) return w.filled(r.type, u);
  aval const to = w.type(r.type);
  slice_axis axes[max_rank];
  for (int i = 0; i < to.rank; ++i) axes[i] = {r.par[i], r.n_par > 2 * to.rank ? r.par[2 * to.rank + i] : 1};
  int par[3 * max_rank];
  if (w.is_constant(x)) return w.pick(r.type, x, axes);
  if (to.size() == 1) {
    strides const weight(w.aval_of(x));
    std::ptrdiff_t at = 0;
    for (int i = 0; i < to.rank; ++i) at += weight[i] * axes[i].start;
    int const known = w.elements.find(x, at);
    if (known >= 0) return w.single(r.type, known);
  }
  if (eqn const* inner = w.made_by(prim::slice, x)) {
    for (int i = 0; i < to.rank; ++i) {
      int const step = inner->n_par > 2 * to.rank ? w.param(inner, 2 * to.rank + i) : 1;
      axes[i] = {w.param(inner, i) + axes[i].start * step, axes[i].step * step};
    }
    x = w.in(inner, 0);
    return w.make({prim::slice, r.type, &x, 1, par, write_slice(axes, to, par)});
  }
  if (eqn const* inner = w.made_by(prim::concatenate, x)) {
    // Of one piece alone?
    int const axis = w.param(inner, 0);
    int const first = axes[axis].start, last = first + (to.dims[axis] - 1) * axes[axis].step;
    for (int k = 0, begin = 0; k < inner->n_in; ++k) {
      int const piece = w.in(inner, k), size = w.aval_of(piece).dims[axis];
      if (first >= begin && last < begin + size) {
        axes[axis].start -= begin;
        return w.make({prim::slice, r.type, &piece, 1, par, write_slice(axes, to, par)});
      }
      if (first < begin + size) return -1;
      begin += size;
    }
  }
  return -1;
}

template <class W>
constexpr int simplify_concatenate(W& w, request const& r) {
  int const axis = r.par[0];
  int const u = w.uniform(r.in[0]);
  int kept = 0;
  bool all_same = u >= 0;
  for (int k = 0; k < r.n_in; ++k) {
    all_same = all_same && w.uniform(r.in[k]) == u;
    if (w.aval_of(r.in[k]).dims[axis] != 0) ++kept;
  }
  if (all_same) return w.filled(r.type, u);
  if (kept == r.n_in) return r.n_in == 1 ? r.in[0] : -1;
  arena<int> in;
  for (int k = 0; k < r.n_in; ++k)
    if (w.aval_of(r.in[k]).dims[axis] != 0) in.push(r.in[k]);
  return w.make({r.op, r.type, in.data(), in.size(), r.par, r.n_par});
}

template <class W>
constexpr int simplify_pad(W& w, request const& r) {
  if (w.type_of(r.in[0]) == r.type) {
    bool still = true;
    for (int i = 0; i < r.n_par; ++i) still = still && r.par[i] == 0;
    if (still) return r.in[0];
  }
  int const u = w.uniform(r.in[0]);
  return u >= 0 && u == r.in[1] ? w.filled(r.type, u) : -1;
}

// Clamped starts, where all of them are literals: operands first, first + 1, ...
template <class W>
constexpr bool literal_starts(W& w, request const& r, int first, aval const& from, aval const& size, int* start) {
  for (int i = 0; i < from.rank; ++i) {
    int const v = r.in[first + i];
    if (!w.is_literal(v)) return false;
    std::int64_t const at = static_cast<std::int64_t>(w.bits(v)), limit = from.dims[i] - size.dims[i];
    start[i] = static_cast<int>(at < 0 ? 0 : at > limit ? limit : at);
  }
  return true;
}

template <class W>
constexpr int simplify_dynamic_slice(W& w, request const& r) {
  int const x = r.in[0];
  if (w.type_of(x) == r.type) return x;
  int const u = w.uniform(x);
  if (u >= 0) return w.filled(r.type, u);
  aval const from = w.aval_of(x), to = w.type(r.type);
  int start[max_rank], par[3 * max_rank];
  if (!literal_starts(w, r, 1, from, to, start)) return -1;
  slice_axis axes[max_rank];
  for (int i = 0; i < to.rank; ++i) axes[i].start = start[i];
  return w.make({prim::slice, r.type, &x, 1, par, write_slice(axes, to, par)});
}

// Starts that are literals make it a static scatter.
template <class W>
constexpr int simplify_dynamic_update_slice(W& w, request const& r) {
  aval const from = w.type(r.type), size = w.aval_of(r.in[1]);
  if (w.type_of(r.in[1]) == r.type) return r.in[1];
  int start[max_rank], par[1 + 3 * max_rank];
  if (!literal_starts(w, r, 2, from, size, start)) return -1;
  par[0] = 0;
  for (int i = 0; i < from.rank; ++i) {
    par[1 + i] = start[i];
    par[1 + from.rank + i] = 1;
    par[1 + 2 * from.rank + i] = size.dims[i];
  }
  return w.make({prim::scatter, r.type, r.in, 2, par, 1 + 3 * from.rank});
}

inline constexpr std::ptrdiff_t max_written = 64;  // elements of one update that are remembered

constexpr prim combiner_of(prim scatter) {
  switch (scatter) {
    case prim::scatter_add: return prim::add;
    case prim::scatter_mul: return prim::mul;
    case prim::scatter_min: return prim::min;
    default: return prim::max;
  }
}

// The static form: no element is replaced, or all are. Where elements are known, reads of them need not wait, and what is
// combined with one of them is computed by itself.
template <class W>
constexpr int simplify_scatter(W& w, request const& r) {
  if (r.par[0] != 0) return -1;
  int const x = r.in[0], update = r.in[1];
  aval const to = w.type(r.type);
  std::ptrdiff_t const n = w.aval_of(update).size();
  if (n == 0) return x;
  int const* const start = r.par + 1;
  int const* const step = start + to.rank;
  int const* const size = step + to.rank;
  if (r.op == prim::scatter && w.type_of(update) == r.type) {
    bool all = true;
    for (int i = 0; i < to.rank; ++i) all = all && (size[i] == 1 || step[i] == 1);
    if (all) return update;
  }
  int const u = n == 1 ? update : r.op == prim::scatter && n <= max_written ? w.uniform(update) : -1;
  if (u < 0) return -1;
  strides const weight(to);
  std::ptrdiff_t first = 0;
  for (int i = 0; i < to.rank; ++i) first += weight[i] * start[i];
  if (r.op != prim::scatter && !is_bool(to.type)) {
    int const everywhere = w.uniform(x);
    int const known = everywhere >= 0 ? everywhere : w.elements.find(x, first);
    if (known >= 0) {
      int const scalar = w.scalar_type(to.type);
      int const sum = w.make(combiner_of(r.op), scalar, {w.single(scalar, known), w.single(scalar, update)});
      return w.make(prim::scatter, r.type, {x, w.filled(w.type_of(update), sum)}, {r.par, r.n_par});
    }
  }
  int const v = w.number(r);
  if (!w.elements.advance(x, v, w.uniform(x))) return v;
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    std::ptrdiff_t at = first, rest = i;
    for (int k = to.rank - 1; k >= 0; --k) {
      at += rest % size[k] * step[k] * weight[k];
      rest /= size[k];
    }
    w.elements.write(v, at, r.op == prim::scatter ? u : -1);
  }
  return v;
}

// Over axes of one element, or none. A float sum is left alone: 0 + -0 is 0.
template <class W>
constexpr int simplify_reduce(W& w, request const& r, int x) {
  aval const from = w.aval_of(x), to = w.type(r.type);
  if (r.op == prim::reduce_sum && is_floating(to.type)) return -1;
  std::ptrdiff_t n = 1;
  for (int i = 0; i < r.n_par; ++i) n *= from.dims[r.par[i]];
  if (n == 1) return w.make({prim::reshape, r.type, &x, 1, to.dims, to.rank});
  int const u = w.uniform(x);
  if (u >= 0 && n > 0 && r.op != prim::reduce_sum && r.op != prim::reduce_prod) return w.filled(r.type, u);
  return -1;
}

template <class W>
constexpr int simplify_movement(W& w, request const& r) {
  switch (r.op) {
    case prim::broadcast_in_dim: return simplify_broadcast(w, r, r.in[0]);
    case prim::reshape:
    case prim::squeeze: return simplify_reshape(w, r, r.in[0]);
    case prim::transpose: return simplify_transpose(w, r, r.in[0]);
    case prim::rev: return simplify_rev(w, r, r.in[0]);
    case prim::slice: return simplify_slice(w, r, r.in[0]);
    case prim::concatenate: return simplify_concatenate(w, r);
    case prim::pad: return simplify_pad(w, r);
    case prim::iota: return w.type(r.type).dims[r.par[1]] == 1 ? w.filled_with(r.type, 0) : -1;
    case prim::dynamic_slice: return simplify_dynamic_slice(w, r);
    case prim::dynamic_update_slice: return simplify_dynamic_update_slice(w, r);
    case prim::scatter:
    case prim::scatter_add:
    case prim::scatter_mul:
    case prim::scatter_min:
    case prim::scatter_max: return simplify_scatter(w, r);
    case prim::reduce_sum:
    case prim::reduce_prod:
    case prim::reduce_max:
    case prim::reduce_min:
    case prim::reduce_and:
    case prim::reduce_or: return simplify_reduce(w, r, r.in[0]);
    default: return -1;
  }
}

}  // namespace exprax::detail

namespace exprax {
namespace detail {

// primitive<P>::kind of each primitive.
struct kind_table {
  op_class of[prim_count];
};
template <int... I>
constexpr kind_table make_kinds(std::integer_sequence<int, I...>) {
  return {{primitive<static_cast<prim>(I)>::kind...}};
}
inline constexpr kind_table kinds = make_kinds(std::make_integer_sequence<int, prim_count>{});

template <class W>
constexpr int simplify_equation(W& w, request const& r) {
  if (kinds.of[static_cast<int>(r.op)] == op_class::elementwise) return simplify_elementwise(w, r);
  if (w.type(r.type).size() == 0) return w.filled_with(r.type, 0);
  return simplify_movement(w, r);
}

struct simplify_options {
  static constexpr bool inline_calls = true, simplify = true;
};
struct inline_options {
  static constexpr bool inline_calls = true, simplify = false;
};

}  // namespace detail

template <class Options = detail::simplify_options>
constexpr program simplify(program_ref p) {
  return detail::rewriter<Options>(p).run();
}

template <class Options = detail::inline_options>
constexpr program inline_calls(program_ref p) {
  return detail::rewriter<Options>(p).run();
}

}  // namespace exprax

namespace exprax {

template <class Options = detail::simplify_options>
constexpr program optimize(program_ref p) {
  program const simplified = simplify<Options>(p);
  program contracted = contract(simplified.ref());
  if (detail::expander::is_needed(contracted.ref())) return expand(contracted.ref());
  return contracted;
}

}  // namespace exprax

// exprax/plan/sharing.hpp
// Whether an argument's memory may serve for a result: every read of the argument is at the index of the write, in one loop.
// Then jit can take the storage of an argument that is moved in (donation), and results may be written over arguments.

namespace exprax::detail {

// Both walk the same elements of their buffers.
template <class Plan>
constexpr bool same_walk(step const& x, step const& y, int rank) {
  if (x.access < 0 || y.access < 0) return x.access == y.access && x.bits == y.bits;
  access const& a = Plan::storage.accesses[x.access];
  access const& b = Plan::storage.accesses[y.access];
  if (a.base != b.base || a.n_term != 0 || b.n_term != 0) return false;
  for (int i = 0; i < rank; ++i)
    if (a.stride[i] != b.stride[i]) return false;
  return true;
}

template <class Plan>
constexpr bool is_place(step const& s, storage_class where, int index) {
  buffer const& b = Plan::storage.buffers[s.access < 0 ? s.c : Plan::storage.accesses[s.access].buffer];
  return b.where == where && b.index == index;
}

// Plan: a planned<P>.
template <class Plan>
constexpr bool may_share(int input, int output) {
  if (Plan::sizes.kernels != 1 || Plan::sizes.loops != 1) return false;
  loop_kernel const& k = Plan::storage.loops[0];
  for (int b = 0; b < k.n_box; ++b) {
    box const& x = Plan::storage.boxes[k.box + b];
    for (int s = x.step; s < x.step + x.n_step; ++s) {
      step const& store = Plan::storage.steps[s];
      if (store.kind != step_kind::store || !is_place<Plan>(store, storage_class::output, output)) continue;
      for (int l = x.step; l < x.step + x.n_step; ++l) {
        step const& load = Plan::storage.steps[l];
        if (load.kind != step_kind::load || !is_place<Plan>(load, storage_class::input, input)) continue;
        if (!same_walk<Plan>(load, store, k.rank)) return false;
      }
    }
  }
  return true;
}

}  // namespace exprax::detail

namespace exprax::detail {

template <class Traced>
struct optimized {
  static constexpr program make() { return optimize(Traced::ref); }
};
// What is run: the traced program after the passes.
template <class Traced>
using compiled = frozen_within<optimized<Traced>, enlarged(Traced::sizes, 64)>;

// Where the elements of an argument stand. A C++ number is stored here, in the dtype of its literal.
template <class T>
struct elements_of_array {
  T const* at;
  EXPRAX_INLINE constexpr T const* data() const { return at; }
};
template <class T>
struct element_of_number {
  T value;
  EXPRAX_INLINE constexpr T const* data() const { return &value; }
};
template <class X>
EXPRAX_INLINE constexpr auto elements_of(X const& x) {
  if constexpr (scalar<X>) {
    using type = strong_t<literal_t<X>>;
    return element_of_number<type>{convert_number<type>(x)};
  } else {
    using type = typename X::value_type;
    static_assert(std::is_same_v<type, canonical_t<type>>, "exprax: spell the dtype of an argument as std::int64_t or std::uint64_t");
    return elements_of_array<type>{x.data()};
  }
}

// A tuple with f(leaf) for each leaf.
template <class F, class Tree>
EXPRAX_INLINE constexpr auto collect(F const& f, Tree& t);
template <class F, class Tree, std::size_t... I>
EXPRAX_INLINE constexpr auto collect_children(F const& f, Tree& t, std::index_sequence<I...>) {
  return std::tuple_cat(collect(f, node<std::remove_const_t<Tree>>::template child<I>(t))...);
}
template <class F, class Tree>
EXPRAX_INLINE constexpr auto collect(F const& f, Tree& t) {
  using type = std::remove_const_t<Tree>;
  if constexpr (is_leaf<type>) return std::tuple(f(t));
  else if constexpr (is_empty_tree<type>) return std::tuple<>();
  else return collect_children(f, t, std::make_index_sequence<node<type>::size>{});
}

template <class Leaf>
struct to_array;
template <class T, int... D>
struct to_array<expr<T, D...>> {
  using type = array<strong_t<T>, D...>;
};
// The arrays that stand for a tree of traced values.
template <class Tree>
using to_array_t = map_t<Tree, to_array>;

// A tree of arrays whose elements are to be written. Small ones inside of a node are filled, for a node moves them.
template <class Tree, bool Inside = false>
constexpr Tree make_results();
template <class Tree, std::size_t... I>
constexpr Tree make_node(std::index_sequence<I...>) {
  if constexpr (struct_node<Tree>) return Tree{make_results<child_t<Tree, I>, true>()...};
  else return node<Tree>::make(make_results<child_t<Tree, I>, true>()...);
}
template <class Tree, bool Inside>
constexpr Tree make_results() {
  if constexpr (is_leaf<Tree>) {
    if constexpr (Inside && std::is_trivially_copyable_v<Tree>) return Tree();
    else return Tree(uninitialized);
  } else if constexpr (is_empty_tree<Tree>) {
    return Tree();
  } else {
    return make_node<Tree>(std::make_index_sequence<node<Tree>::size>{});
  }
}

template <class Traced, class Results, class... Args>
EXPRAX_INLINE constexpr void run_into(Results& results, Args const&... args) {
  if constexpr (Traced::constant) {
    auto const in = std::tuple_cat(collect([](auto const& x) EXPRAX_LAMBDA_INLINE { return elements_of(x); }, args)...);
    auto const out = collect([](auto& x) EXPRAX_LAMBDA_INLINE { return x.data(); }, results);
    auto const pointers = std::apply([](auto const&... x) EXPRAX_LAMBDA_INLINE { return std::tuple(x.data()...); }, in);
    execute<compiled<Traced>>(pointers, out);
  } else {
    static_cast<void>(Traced::storage);  // tells what cannot run while compiling; no error follows from that one
  }
}

// Donation: the number of the argument, moved in, whose storage serves for the only result; -1: none. It must be an array on
// the heap with the type of the result, read only at the index of the write.
template <class Traced, class Result, class... Args>
constexpr int donor() {
  if constexpr (is_leaf<Result> && (is_leaf<std::remove_cvref_t<Args>> && ...)) {
    if constexpr (!std::is_trivially_copyable_v<Result>) {
      int k = 0, found = -1;
      ((found = found < 0 && std::is_same_v<Args, Result> && may_share<planned<compiled<Traced>>>(k, 0) ? k : found, ++k), ...);
      return found;
    }
  }
  return -1;
}

// Args: the types of forwarding references, so that an array that is moved in has no reference here.
template <class Traced, class... Args>
constexpr to_array_t<typename Traced::result> run(std::remove_reference_t<Args>&... args) {
  using result = to_array_t<typename Traced::result>;
  if constexpr (Traced::constant && (!std::is_reference_v<Args> || ...)) {
    if constexpr (constexpr int k = donor<Traced, result, Args...>(); k >= 0) {
      // The storage does not move: what the arguments' pointers say stays true.
      auto const pointers = std::apply([](auto const&... x) { return std::tuple(x.data()...); }, std::tuple(elements_of(args)...));
      result donated(std::move(std::get<k>(std::tie(args...))));
      execute<compiled<Traced>>(pointers, std::tuple(donated.data()));
      return donated;
    }
  }
  auto results = make_results<result>();
  run_into<Traced>(results, args...);
  return results;
}

// True if results, in memory of the caller, overlap arguments in a way that a kernel would see.
template <class Traced, class Results, class... Args>
bool overlaps(Results& results, Args const&... args) {
  using plan = planned<compiled<Traced>>;
  bool found = false;
  int j = 0;
  auto against = [&](auto const* out, std::ptrdiff_t out_bytes) {
    int k = 0;
    auto one = [&](auto const& leaf) {
      if constexpr (!scalar<std::remove_cvref_t<decltype(leaf)>>) {
        auto const a = reinterpret_cast<std::uintptr_t>(leaf.data()), b = reinterpret_cast<std::uintptr_t>(out);
        auto const a_end = a + static_cast<std::uintptr_t>(leaf.size()) * sizeof(*leaf.data()), b_end = b + static_cast<std::uintptr_t>(out_bytes);
        if (a < b_end && b < a_end && !(a == b && may_share<plan>(k, j))) found = true;
      }
      ++k;
      return 0;
    };
    (static_cast<void>(collect(one, args)), ...);
    ++j;
  };
  static_cast<void>(collect([&](auto& x) { return against(x.data(), x.size() * static_cast<std::ptrdiff_t>(sizeof(*x.data()))), 0; }, results));
  return found;
}

template <class From, class To, std::size_t... I>
void copy_leaves(From const& from, To const& to, std::index_sequence<I...>) {
  auto copy = [](auto const& source, auto* target) {
    for (std::ptrdiff_t i = 0; i < source->size(); ++i) target[i] = source->data()[i];
  };
  (copy(std::get<I>(from), std::get<I>(to)), ...);
}

// Whether a kernel could write an element of an argument before it is read, when the two overlap.
template <class Plan, int... K, int... J>
constexpr bool reads_elsewhere(std::integer_sequence<int, K...>, std::integer_sequence<int, J...>) {
  auto for_output = [](int j) { return !(may_share<Plan>(K, j) && ...); };
  return (for_output(J) || ...);
}

template <class Traced>
constexpr bool may_read_elsewhere() {
  if constexpr (Traced::constant) {
    using program = compiled<Traced>;
    return reads_elsewhere<planned<program>>(std::make_integer_sequence<int, program::ref.main().n_in>{},
                                             std::make_integer_sequence<int, program::ref.main().n_out>{});
  }
  return false;
}

// Results in the caller's memory. It may overlap the arguments; for kernels that read only at the index of the write, which are
// not checked, it may be that of an argument.
template <class Traced, class Results, class... Args>
EXPRAX_INLINE constexpr void run_into_any(Results& results, Args const&... args) {
  if constexpr (may_read_elsewhere<Traced>()) {
    if (!std::is_constant_evaluated() && overlaps<Traced>(results, args...)) {
      auto const made = run<Traced, Args const&...>(args...);
      auto const from = collect([](auto const& x) { return &x; }, made);
      auto const to = collect([](auto& x) { return x.data(); }, results);
      copy_leaves(from, to, std::make_index_sequence<std::tuple_size_v<decltype(from)>>{});
      return;
    }
  }
  run_into<Traced>(results, args...);
}

// The result trees of into: the same dtypes and shapes, in memory that the caller owns.
template <class Leaf>
struct aval_of_leaf {
  static constexpr aval value = Leaf::type;
};
template <class A, class B>
inline constexpr bool same_avals = false;
template <class... A, class... B>
  requires(sizeof...(A) == sizeof...(B))
inline constexpr bool same_avals<type_list<A...>, type_list<B...>> = (aval_of_leaf<A>::value.matches(aval_of_leaf<B>::value) && ...);

}  // namespace exprax::detail

// exprax/api/jit.hpp
// jit(f): f on arrays, traced and compiled when the call is instantiated (jax.jit); on traced values a jit equation.
//
//   jit(f)            an object for a stateless callable
//   jit<f>()          for a static constexpr object f, whose name the jaxpr shows; it may have captures. jit<f>(x) calls it
//   jit(f, inline_)   no jit equation: the equations of f stand in their place
//   static_<5>        an argument that f reads as a constant

// exprax/api/call.hpp
// Records the call of a jitted function inside of a trace: a jit equation with the function's equations as its block. The
// values that the function captures are its first operands.

#include <string_view>

namespace exprax::detail {

// Runs f on new inputs of an open block that are like args, and gives its results to outs; returns a tree of their types.
template <class F, class... Args>
constexpr auto run_in_block(block_scope& scope, arena<handle>& outs, F const& f, std::tuple<Args...> args) {
  assign_leaves(args, [&](aval const& type) { return scope.input(type); });
  auto result = lift_tree(call_with(f, args));
  push_handles(outs, result);
  return std::type_identity<decltype(result)>{};
}

// name: a text with static storage.
template <class F, class... Args>
constexpr auto record_jit(std::string_view text, F const& f, Args const&... args) {
  auto lifted = std::tuple(lift_tree(args)...);
  arena<handle> in = handles_of(lifted);
  block_scope scope(join_all(in));
  arena<handle> outs;
  auto const results = run_in_block(scope, outs, f, lifted);
  closed_block const b = scope.close(outs);

  tape* const t = b.on.on;
  arena<int> operands = b.captures, types;
  for (handle const& h : in) operands.push(resolve(h).id);
  for (handle const& h : outs) types.push(t->values.at[h.id].type);
  int const number = t->names.push({text.data(), static_cast<int>(text.size())});
  t->name_params.push(t->params.n);
  int out = t->record(prim::jit, operands, {&number, 1}, types, {&b.id, 1});
  typename decltype(results)::type r{};
  assign_leaves(r, [&](aval const&) { return handle(t, out++); });
  return r;
}

}  // namespace exprax::detail

namespace exprax {

struct inline_t {};
inline constexpr inline_t inline_{};

// Bytes of arguments, results, and of the memory that a call uses besides (jax.stages.Compiled.memory_analysis).
struct memory_analysis_t {
  std::ptrdiff_t argument_size_in_bytes = 0;
  std::ptrdiff_t output_size_in_bytes = 0;
  std::ptrdiff_t temp_size_in_bytes = 0;
};

namespace detail {

template <class List>
inline constexpr bool any_traced = false;
template <class... Leaf>
inline constexpr bool any_traced<type_list<Leaf...>> = (is_expr<Leaf> || ...);

// Whether the arguments hold a traced value.
template <class... Args>
inline constexpr bool in_a_trace = (any_traced<leaves_t<std::remove_cvref_t<Args>>> || ...);

template <class... Args>
constexpr bool check_arguments() {
  return (check_tree<Args>() && ...);
}

// What F returns on traced values of these types. jit asks for this first, and then whether F can be traced at all: the
// fewer templates lie between an error and the user's call, the shorter its text.
template <class F, class... Args>
using result_while_tracing = decltype(std::declval<F const&>()(std::declval<to_expr_t<Args>&>()...));

constexpr std::ptrdiff_t bytes_of(program_ref p, span<int> values) {
  std::ptrdiff_t n = 0;
  for (int v : values) n += p.type(v).size() * size_of(p.type(v).type);
  return n;
}

// F: a stateless callable.
template <class F, bool Inline = false>
struct jitted {
  // Arrays, views and numbers give arrays; traced values give traced values. An array that is moved in may lend its storage to
  // the result.
  template <class... Args>
  constexpr auto operator()(Args&&... args) const {
    if constexpr (check_stateless<F>() && check_arguments<std::remove_cvref_t<Args>...>()) {
      if constexpr (!in_a_trace<Args...>) {
        using result [[maybe_unused]] = result_while_tracing<F, std::remove_cvref_t<Args>...>;
        using program = traced_with<F, std::remove_cvref_t<Args>...>;
        constexpr bool constant [[maybe_unused]] = program::constant;
        return run<program, Args...>(args...);
      } else if constexpr (Inline) return lift_tree(F{}(lift_tree(args)...));
      else return record_jit(function_name<F>, F{}, args...);
    }
  }

  // Results go to memory that the caller owns: an array, a view, or a tuple of them (std::tie).
  template <class Out, class... Args>
  EXPRAX_INLINE constexpr void into(Out&& out, Args const&... args) const {
    if constexpr (check_stateless<F>() && check_arguments<Args...>()) {
      using result [[maybe_unused]] = result_while_tracing<F, Args...>;
      constexpr bool constant [[maybe_unused]] = traced_with<F, Args...>::constant;
      using program = traced_with<F, Args...>;
      static_assert(same_avals<leaves_t<std::remove_cvref_t<Out>>, leaves_t<typename program::result>>,
                    "exprax: into: the number, dtypes and shapes of the outputs must be those of the function's results (ex::eval_shape tells them)");
      run_into_any<program>(out, args...);
    }
  }

  template <class... Args>
  constexpr memory_analysis_t memory_analysis(Args const&...) const {
    using program = compiled<traced_with<F, Args...>>;
    constexpr program_ref p = program::ref;
    return {bytes_of(p, p.ins(p.main())), bytes_of(p, p.outs(p.main())), planned<program>::sizes.scratch};
  }
};

template <class F, bool Inline>
inline constexpr std::string_view function_name<jitted<F, Inline>> = function_name<F>;

}  // namespace detail

template <class F>
constexpr auto jit(F) {
  static_cast<void>(detail::check_stateless<F>());
  return detail::jitted<F>{};
}
template <class F>
constexpr auto jit(F, inline_t) {
  static_cast<void>(detail::check_stateless<F>());
  return detail::jitted<F, true>{};
}
template <auto const& Object>
constexpr detail::jitted<detail::object_ref<Object>> jit() {
  return {};
}
template <auto const& Object>
constexpr detail::jitted<detail::object_ref<Object>, true> jit(inline_t) {
  return {};
}
// jit<f>(x...) is jit<f>()(x...).
template <auto const& Object, class First, class... Args>
constexpr auto jit(First const& first, Args const&... args) {
  return detail::jitted<detail::object_ref<Object>>{}(first, args...);
}

}  // namespace exprax

// exprax/api/make_jaxpr.hpp
// make_jaxpr(f)(args...): the jaxpr of f on arguments of these types (jax.make_jaxpr), as text in constant expressions:
//
//   static_assert(ex::make_jaxpr(f)(ex::f32<3>) == "{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }");
//
// The text is made when it is asked for; until then the result costs what tracing costs.

// exprax/text/jaxpr.hpp
// The text of a program in the grammar of JAX 0.10 (jax.core.pp_jaxpr):
//   { lambda ; a:f32[8] b:f32[8]. let c:f32[8] = sin b; d:f32[8] = add a c in (d,) }
// with its line breaks, its names (a ... z, ba ..., in the order of printing; an inner value of a jit takes the name of the
// outer one it is bound to; _ is never used), and jaxprs that occur more than once printed first.

// exprax/text/document.hpp
// document: text with groups and breaks, laid out as jax._src.pretty_printer does it (Wadler 1998, Lindig 2000): a group
// whose flat text fits into what is left of 80 columns stays on its line; otherwise each of its own breaks is a new line.
// What follows the group is not looked at.

namespace exprax::detail {

class document {
 public:
  text_buffer text;

  // Groups nest; shift is the indentation relative to that of the group around.
  constexpr void open(int shift) {
    opened_.push(tokens_.size());
    add(token_kind::open, shift, text.size() + breaks_);
  }
  constexpr void close() {
    token& t = tokens_[opened_.back()];
    t.width = text.size() + breaks_ - t.width;
    opened_.pop();
    add(token_kind::close, 0, 0);
  }
  // A break of the group: nothing, a space or "; " when flat. shift is relative to the group's indentation.
  constexpr void empty_break(int shift) { add(token_kind::line, shift, 0); }
  constexpr void space_break(int shift) {
    ++breaks_;
    add(token_kind::line, shift, 1);
  }
  constexpr void semicolon_break(int shift) {
    breaks_ += 2;
    add(token_kind::line, shift, 2);
  }
  // A break that is a group of its own: a space, or a new line where not even the space fits.
  constexpr void fill_break(int shift) {
    ++breaks_;
    add(token_kind::fill, shift, 1);
  }
  // Always a new line.
  constexpr void new_line() { add(token_kind::line, 0, 0); }

  // Writes it all: sink.write(char const*, n).
  template <class Sink>
  constexpr void render(Sink& sink) const {
    arena<frame> frames;
    frame now{0, false};
    int column = 0, from = 0;
    for (token const& t : tokens_) {
      if (t.text_end != from) sink.write(text.data() + from, t.text_end - from);
      column += t.text_end - from;
      from = t.text_end;
      if (t.kind == token_kind::open) {
        frames.push(now);
        now = {now.indent + t.shift, column + t.width <= page_width};
      } else if (t.kind == token_kind::close) {
        now = frames.back();
        frames.pop();
      } else if (t.kind == token_kind::line ? now.flat : column + 1 <= page_width) {
        if (t.width != 0) sink.write(&flat_breaks[2 - t.width], t.width);
        column += t.width;
      } else {
        column = now.indent + t.shift;
        sink.write("\n", 1);
        for (int left = column; left > 0; left -= blank_count) sink.write(blanks, left < blank_count ? left : blank_count);
      }
    }
    if (text.size() != from) sink.write(text.data() + from, text.size() - from);
  }

 private:
  enum class token_kind : signed char { open, close, line, fill };
  struct token {
    int text_end = 0;  // the text before it, from the end of that before the last token
    token_kind kind{};
    short shift = 0;
    int width = 0;
  };
  struct frame {
    int indent = 0;
    bool flat = false;
  };
  static constexpr int page_width = 80;
  static constexpr char flat_breaks[] = "; ";
  static constexpr int blank_count = 32;
  static constexpr char blanks[] = "                                ";

  constexpr void add(token_kind kind, int shift, int width) { tokens_.push({text.size(), kind, static_cast<short>(shift), width}); }
  arena<token> tokens_;
  arena<int> opened_;
  int breaks_ = 0;  // the flat width of all breaks so far
};

}  // namespace exprax::detail

// exprax/text/shared_blocks.hpp
// shared_blocks: which blocks JAX prints once, before the program, because the same jaxpr object occurs more than once. jit
// caches what it traced, so blocks of jit equations with one name and equal contents count as one object; so do the update
// functions of scatter-add and its kin, which have no block here but are numbered after the blocks.

namespace exprax::detail {

// A scatter at run-time indices (parameter 0 is 1) that combines prints the function that it combines elements with.
constexpr bool has_combiner(program_ref p, eqn const& e) { return e.op >= prim::scatter_add && e.op <= prim::scatter_max && p.param(e, 0) == 1; }

class shared_blocks {
 public:
  struct entry {
    int block = 0;
    std::string_view base;
    int suffix = 0;  // printed behind the name when it is not the first of that name
  };

  constexpr explicit shared_blocks(program_ref p) : p_(p) {
    int nested = 0;
    for (int i = 0; i < p.n.eqns; ++i) nested += p.eqns[i].n_blk + has_combiner(p, p.eqns[i]);
    if (nested < 2) return;
    unify();
    count();
  }

  constexpr arena<entry> const& entries() const { return entries_; }
  // The block that stands for all that are equal to b.
  constexpr int representative(int b) const { return same_as_.empty() ? b : same_as_[b]; }
  constexpr int combiner(eqn const& e) const {
    int const op = static_cast<int>(e.op) - static_cast<int>(prim::scatter_add);
    return p_.n.blocks + op * dtype_count + static_cast<int>(p_.type(p_.in(e, 0)).type);
  }

 private:
  // Finds for each block of a jit the first that is equal. Inner blocks come before the outer ones that use them.
  constexpr void unify() {
    for (int b = 0; b < p_.n.blocks; ++b) same_as_.push(b);
    arena<eqn> seen;  // one jit equation for each distinct block
    for (int i = 0; i < p_.n.eqns; ++i) {
      eqn const& e = p_.eqns[i];
      if (e.op != prim::jit) continue;
      int const b = p_.block_id(e, 0);
      bool found = false;
      for (eqn const& s : seen)
        if (same_name(e, s) && equal(b, p_.block_id(s, 0))) {
          same_as_[b] = p_.block_id(s, 0);
          found = true;
          break;
        }
      if (!found) seen.push(e);
    }
  }
  constexpr std::string_view name_of(eqn const& e) const { return p_.names[p_.param(e, 0)].view(); }
  constexpr bool same_name(eqn const& a, eqn const& b) const { return name_of(a) == name_of(b); }

  constexpr bool equal(int a, int b) {
    if (a == b) return true;
    block const &x = p_.blocks[a], &y = p_.blocks[b];
    if (x.n_in != y.n_in || x.n_out != y.n_out || x.n_eqn != y.n_eqn) return false;
    if (twin_.empty()) twin_.resize(p_.n.values, -1);
    for (int i = 0; i < x.n_in; ++i)
      if (!pair(p_.refs[x.in + i], p_.refs[y.in + i])) return false;
    for (int i = 0; i < x.n_eqn; ++i)
      if (!equal(p_.eqns[x.eqn + i], p_.eqns[y.eqn + i])) return false;
    return equal_values(p_.outs(x), p_.outs(y));
  }
  constexpr bool equal(eqn const& a, eqn const& b) {
    if (a.op != b.op || a.n_out != b.n_out || a.n_par != b.n_par || a.n_blk != b.n_blk) return false;
    if (!equal_values(p_.ins(a), p_.ins(b))) return false;
    if (a.op == prim::jit) {
      if (!same_name(a, b)) return false;
    } else {
      for (int k = 0; k < a.n_par; ++k)
        if (p_.param(a, k) != p_.param(b, k)) return false;
    }
    for (int k = 0; k < a.n_blk; ++k)
      if (same_as_[p_.block_id(a, k)] != same_as_[p_.block_id(b, k)] && !equal(p_.block_id(a, k), p_.block_id(b, k))) return false;
    for (int k = 0; k < a.n_out; ++k)
      if (!pair(a.out + k, b.out + k)) return false;
    return true;
  }
  constexpr bool pair(int v, int w) {
    twin_[v] = w;
    return p_.type(v) == p_.type(w);
  }
  constexpr bool equal_values(span<int> a, span<int> b) const {
    if (a.size() != b.size()) return false;
    for (int k = 0; k < a.size(); ++k) {
      int const v = a[k], w = b[k];
      if (p_.is_constant(v) != p_.is_constant(w)) return false;
      if (!p_.is_constant(v)) {
        if (twin_[v] != w) return false;
      } else if (v != w) {
        if (!p_.is_literal(v) || !p_.is_literal(w) || !(p_.type(v) == p_.type(w)) || p_.bits(v) != p_.bits(w)) return false;
      }
    }
    return true;
  }

  // Breadth first from the main block, each use of a block counted, as JAX does; the order of the entries is that of the visits.
  constexpr void count() {
    struct visit {
      int block;
      std::string_view name;
    };
    arena<int> counts;
    counts.resize(p_.n.blocks + 4 * dtype_count, 0);
    arena<visit> queue;
    arena<entry> order;
    queue.push({p_.main_id(), {}});
    for (int at = 0; at < queue.size(); ++at) {
      visit const now = queue[at];
      if (counts[now.block]++ == 0) order.push({now.block, now.name, 0});
      if (now.block >= p_.n.blocks) continue;
      for (eqn const& e : p_.body(p_.blocks[now.block])) {
        std::string_view const name = e.op == prim::jit ? stripped(name_of(e)) : std::string_view("jaxpr");
        for (int b : p_.subs(e)) queue.push({same_as_[b], name});
        if (has_combiner(p_, e)) queue.push({combiner(e), name});
      }
    }
    for (entry e : order) {
      if (counts[e.block] == 1) continue;
      for (entry const& earlier : entries_) e.suffix += earlier.base == e.base;
      entries_.push(e);
    }
  }
  static constexpr std::string_view stripped(std::string_view s) {
    while (!s.empty() && (s.front() == '<' || s.front() == '>')) s.remove_prefix(1);
    while (!s.empty() && (s.back() == '<' || s.back() == '>')) s.remove_suffix(1);
    return s;
  }

  program_ref p_;
  arena<int> same_as_;
  arena<int> twin_;
  arena<entry> entries_;
};

}  // namespace exprax::detail

namespace exprax::detail {

// What the print rules of the primitives write to: key, then a value, for each parameter.
class jaxpr_printer {
 public:
  constexpr explicit jaxpr_printer(program_ref p) : p_(p), shared_(p) {
    names_.resize(p.n.values, unnamed);
    used_.resize(p.n.values, false);
    types_.resize(p.n.avals);
    for (int i = 0; i < p.n.eqns; ++i)
      for (int v : p.ins(p.eqns[i])) used_[v] = true;
    for (int i = 0; i < p.n.blocks; ++i)
      for (int v : p.outs(p.blocks[i])) used_[v] = true;
  }

  constexpr void print() {
    for (shared_blocks::entry const& e : shared_.entries()) {
      doc_.text.write("let ");
      shared_name(e);
      doc_.text.write(" = ");
      if (e.block < p_.n.blocks) lambda(p_.blocks[e.block], 0);
      else combiner_lambda(e.block - p_.n.blocks, 0);
      doc_.text.write(" in");
      doc_.new_line();
      ++printed_;
    }
    if (has_constants()) collect_constants(p_.main());
    lambda(p_.main(), 0);
  }
  template <class Sink>
  constexpr void render(Sink& sink) const {
    doc_.render(sink);
  }

  // Parameters.
  constexpr void key(std::string_view k) {
    if (keys_++ == 0) {
      doc_.open(4);
      doc_.text.put('[');
      doc_.empty_break(2);
    } else {
      doc_.space_break(2);
    }
    doc_.text.write(k);
    doc_.text.put('=');
  }
  constexpr void text(std::string_view s) { doc_.text.write(s); }
  constexpr void integer(std::int64_t n) { doc_.text.integer(n); }
  constexpr void boolean(bool b) { write_bool(doc_.text, b); }
  constexpr void dtype(exprax::dtype d) { doc_.text.write(long_name(d)); }
  constexpr void name(int index) { doc_.text.write(p_.names[index].view()); }
  constexpr void tuple(span<int> list) {
    doc_.text.put('(');
    integers(list);
    doc_.text.write(list.size() == 1 ? ",)" : ")");
  }
  constexpr void list(span<int> list) {
    doc_.text.put('[');
    integers(list);
    doc_.text.put(']');
  }
  // Nested jaxpr k of the equation; all of them as a tuple; the function that a scatter combines with.
  constexpr void block(int k) { nested(p_.block_id(*now_, k), 2); }
  constexpr void blocks() {
    doc_.open(2);
    doc_.text.put('(');
    doc_.empty_break(2);
    eqn const& e = *now_;
    for (int k = 0; k < e.n_blk; ++k) {
      if (k > 0) doc_.space_break(2);
      nested(p_.block_id(e, k), 2);
    }
    doc_.empty_break(0);
    doc_.text.put(')');
    doc_.close();
  }
  constexpr void combiner() {
    int const b = shared_.combiner(*now_);
    if (!print_shared(b)) combiner_lambda(b - p_.n.blocks, 2);
  }

 private:
  static constexpr int unnamed = -1, dropped = -2;
  struct written {
    int from = 0, count = 0;
  };

  template <prim P>
  struct equation_rule {
    static constexpr void call(jaxpr_printer& o, equation_ref const& e) {
      o.doc_.text.write(primitive<P>::name);
      primitive<P>::print(o, e);
    }
  };

  constexpr void integers(span<int> list) {
    for (int i = 0; i < list.size(); ++i) {
      if (i > 0) doc_.text.write(", ");
      doc_.text.integer(list[i]);
    }
  }

  // Names: a number in the order a, b, ..., z, ba, bb, ...
  constexpr int name_of(int v) {
    if (names_[v] == unnamed) names_[v] = fresh();
    return names_[v];
  }
  constexpr int fresh() {
    if (printed_ == 0) return next_++;
    for (;; ++next_) {
      char letters[8] = {};
      std::string_view const candidate = spell(next_, letters);
      bool taken = false;
      for (int i = 0; i < printed_ && !taken; ++i) taken = shared_.entries()[i].suffix == 0 && shared_.entries()[i].base == candidate;
      if (!taken) return next_++;
    }
  }
  static constexpr std::string_view spell(int n, char (&letters)[8]) {
    int at = 8;
    do letters[--at] = static_cast<char>('a' + n % 26);
    while ((n /= 26) != 0);
    return {letters + at, static_cast<std::size_t>(8 - at)};
  }
  constexpr void write_name(int n) {
    if (n == dropped) return doc_.text.put('_');
    if (n < 26) return doc_.text.put(static_cast<char>('a' + n));
    char letters[8] = {};
    doc_.text.write(spell(n, letters));
  }
  constexpr void shared_name(shared_blocks::entry const& e) {
    doc_.text.write(e.base);
    if (e.suffix > 0) doc_.text.integer(e.suffix);
  }

  // JAX: context.suggest_same_var_names, for the inputs and for the results of a jit.
  constexpr int result_name(int v) { return used_[v] || names_[v] != unnamed ? name_of(v) : dropped; }
  constexpr void suggest(span<int> inner, span<int> outer) {
    for (int k = 0; k < inner.size(); ++k) {
      if (p_.is_literal(outer[k]) || p_.is_constant(inner[k]) || names_[inner[k]] != unnamed) continue;
      int const name = result_name(outer[k]);
      bool taken = false;
      for (int j = 0; j < k && !taken; ++j) taken = outer[j] == outer[k] && names_[inner[j]] == name;
      if (!taken) names_[inner[k]] = name;
    }
  }

  // A type that was written before is copied: most types occur often.
  constexpr void type_of(int v) {
    int const id = p_.values[v].type;
    written& w = types_[id];
    if (w.count > 0) return doc_.text.repeat(w.from, w.count);
    w.from = doc_.text.size();
    type(p_.avals[id]);
    w.count = doc_.text.size() - w.from;
  }
  constexpr void type(aval const& a) {
    doc_.text.write(short_name(a.type));
    doc_.text.put('[');
    for (int i = 0; i < a.rank; ++i) {
      if (i > 0) doc_.text.put(',');
      doc_.text.integer(a.dims[i]);
    }
    doc_.text.put(']');
  }
  constexpr void binder(int name, int v) {
    write_name(name);
    doc_.text.put(':');
    type_of(v);
  }
  constexpr void atom(int v) {
    if (!p_.is_literal(v)) return write_name(name_of(v));
    aval const& a = p_.type(v);
    std::uint64_t const bits = p_.bits(v);
    if (is_bool(a.type)) write_bool(doc_.text, bits != 0);
    else if (a.type == exprax::dtype::f32) write_float(doc_.text, double{from_bits<float>(bits)});
    else if (a.type == exprax::dtype::f64) write_float(doc_.text, from_bits<double>(bits));
    else if (is_unsigned_integer(a.type)) doc_.text.unsigned_integer(bits);
    else doc_.text.integer(static_cast<std::int64_t>(bits));
    doc_.text.put(':');
    type_of(v);
  }

  // { lambda consts; inputs. let equations in (results) }
  constexpr void lambda(exprax::block const& b, int shift) {
    doc_.open(shift);
    doc_.text.write("{ lambda ");
    if (&b == &p_.main())
      for (int k = 0; k < constants_.size(); ++k) {
        if (k > 0) doc_.fill_break(4);
        binder(name_of(constants_[k]), constants_[k]);
      }
    doc_.text.write("; ");
    span<int> const in = p_.ins(b), out = p_.outs(b);
    for (int k = 0; k < in.size(); ++k) {
      if (k > 0) doc_.fill_break(4);
      binder(name_of(in[k]), in[k]);
    }
    doc_.text.write(". let");
    doc_.space_break(4);
    for (int i = 0; i < b.n_eqn; ++i) {
      if (i > 0) doc_.semicolon_break(4);
      equation(p_.eqns[b.eqn + i]);
    }
    doc_.space_break(2);
    doc_.text.write("in (");
    for (int k = 0; k < out.size(); ++k) {
      if (k > 0) {
        doc_.text.put(',');
        doc_.fill_break(4);
      }
      atom(out[k]);
    }
    doc_.text.write(out.size() == 1 ? ",) }" : ") }");
    doc_.close();
  }
  constexpr void equation(eqn const& e) {
    if (e.op == prim::jit && !is_printed(shared_.representative(p_.block_id(e, 0)))) {
      exprax::block const& b = p_.blocks[shared_.representative(p_.block_id(e, 0))];
      suggest(p_.ins(b), p_.ins(e));
      arena<int> results;
      for (int k = 0; k < e.n_out; ++k) results.push(e.out + k);
      suggest(p_.outs(b), results);
    }
    for (int k = 0; k < e.n_out; ++k) {
      if (k > 0) doc_.fill_break(6);
      binder(result_name(e.out + k), e.out + k);
    }
    if (e.n_out > 0) doc_.text.write(" = ");

    int const keys_around = keys_;
    eqn const* const around = now_;
    keys_ = 0;
    now_ = &e;
    dispatch<equation_rule, void(jaxpr_printer&, equation_ref const&)>(e.op, *this, equation_ref{p_, e});
    if (keys_ > 0) {
      doc_.empty_break(0);
      doc_.text.put(']');
      doc_.close();
    }
    keys_ = keys_around;
    now_ = around;

    doc_.text.put(' ');
    span<int> const in = p_.ins(e);
    for (int k = 0; k < in.size(); ++k) {
      if (k > 0) doc_.fill_break(6);
      atom(in[k]);
    }
  }
  constexpr bool is_printed(int b) const {
    for (int i = 0; i < printed_; ++i)
      if (shared_.entries()[i].block == b) return true;
    return false;
  }
  constexpr bool print_shared(int b) {
    for (int i = 0; i < printed_; ++i)
      if (shared_.entries()[i].block == b) {
        shared_name(shared_.entries()[i]);
        return true;
      }
    return false;
  }
  constexpr void nested(int b, int shift) {
    int const r = shared_.representative(b);
    if (!print_shared(r)) lambda(p_.blocks[r], shift);
  }
  // { lambda ; a:f32[] b:f32[]. let c:f32[] = add a b in (c,) }: the update function of scatter-add and its kin.
  constexpr void combiner_lambda(int id, int shift) {
    constexpr std::string_view operations[] = {"add", "mul", "min", "max"};
    aval const scalar(static_cast<exprax::dtype>(id % dtype_count));
    // JAX's object keeps the names of its first printing.
    if (combiner_names_.empty()) combiner_names_.resize(3 * 4 * dtype_count, unnamed);
    int* const names = combiner_names_.data() + 3 * id;
    for (int k = 0; k < 3; ++k)
      if (names[k] == unnamed) names[k] = fresh();
    doc_.open(shift);
    doc_.text.write("{ lambda ; ");
    write_name(names[0]);
    doc_.text.put(':');
    type(scalar);
    doc_.fill_break(4);
    write_name(names[1]);
    doc_.text.put(':');
    type(scalar);
    doc_.text.write(". let");
    doc_.space_break(4);
    write_name(names[2]);
    doc_.text.put(':');
    type(scalar);
    doc_.text.write(" = ");
    doc_.text.write(operations[id / dtype_count]);
    doc_.text.put(' ');
    write_name(names[0]);
    doc_.fill_break(6);
    write_name(names[1]);
    doc_.space_break(2);
    doc_.text.write("in (");
    write_name(names[2]);
    doc_.text.write(",) }");
    doc_.close();
  }

  // Constants that are no literals are inputs of the whole program, in the order of their first use.
  constexpr bool has_constants() const {
    for (int v = 0; v < p_.n.values; ++v)
      if (p_.values[v].constant >= 0 && p_.type(v).rank > 0) return true;
    return false;
  }
  constexpr void collect_constants(exprax::block const& b) {
    for (eqn const& e : p_.body(b)) {
      for (int k = 0; k < e.n_blk; ++k) collect_constants(p_.sub(e, k));
      for (int v : p_.ins(e)) collect_constant(v);
    }
    for (int v : p_.outs(b)) collect_constant(v);
  }
  constexpr void collect_constant(int v) {
    if (!p_.is_constant(v) || p_.is_literal(v)) return;
    for (int c : constants_)
      if (c == v) return;
    constants_.push(v);
  }

  program_ref p_;
  shared_blocks shared_;
  document doc_;
  arena<int> names_;  // for each value
  arena<bool> used_;
  arena<written> types_;  // for each aval
  arena<int> constants_;
  arena<int> combiner_names_;
  int next_ = 0;             // the next name
  int printed_ = 0;          // shared blocks printed so far
  int keys_ = 0;             // parameters of the equation printed so far
  eqn const* now_ = nullptr;
};

// At run time: sink.write(char const*, n) for each piece of the text. std::ostream is such a sink.
template <class Sink>
constexpr void print_jaxpr(Sink& sink, program_ref p) {
  jaxpr_printer printer(p);
  printer.print();
  printer.render(sink);
}

constexpr bool jaxpr_equals(program_ref p, std::string_view expected) {
  text_comparer sink{expected};
  print_jaxpr(sink, p);
  return sink.same && sink.rest.empty();
}

// The text in static storage; Program::ref is a constant program_ref.
template <class Program>
struct jaxpr_text {
  template <class Sink>
  static constexpr void write(Sink& sink) {
    print_jaxpr(sink, Program::ref);
  }
  static constexpr std::string_view view() { return text_of<jaxpr_text>::view(); }
};

}  // namespace exprax::detail

namespace exprax {

// A jaxpr: the program as a type.
template <class Program>
struct jaxpr {
  using program = Program;

  static constexpr program_ref ref() { return Program::ref; }
  static constexpr std::string_view str() { return detail::jaxpr_text<Program>::view(); }
  constexpr operator std::string_view() const { return str(); }

  friend constexpr bool operator==(jaxpr, std::string_view text) { return detail::jaxpr_equals(Program::ref, text); }
  template <class Other>
  friend constexpr bool operator==(jaxpr, jaxpr<Other>) {
    return detail::jaxpr_equals(Program::ref, jaxpr<Other>::str());
  }
  template <class Stream>
    requires requires(Stream& s, std::string_view t) { s.write(t.data(), 1); }
  friend Stream& operator<<(Stream& stream, jaxpr) {
    detail::print_jaxpr(stream, Program::ref);
    return stream;
  }
};

template <class F>
struct make_jaxpr_t {
  template <class... Args>
  constexpr auto operator()(Args const&...) const {
    if constexpr (detail::check_stateless<F>() && (detail::check_tree<Args>() && ...)) return jaxpr<detail::traced_with<F, Args...>>{};
  }
};
template <class F>
constexpr make_jaxpr_t<F> make_jaxpr(F) {
  return {};
}
// Of a static constexpr object, which may have state.
template <auto const& Object>
constexpr make_jaxpr_t<detail::object_ref<Object>> make_jaxpr() {
  return {};
}

}  // namespace exprax

// exprax/api/scan.hpp
// scan(f, init, xs, options...): (carry, y) = f(carry, x) for each x along the first axis of xs; the last carry and the stacked
// ys (jax.lax.scan). carry, xs and ys are pytrees. Options: reverse, unroll<k>, length<n>. Without xs: scan(f, init, length<n>);
// f is then called with none. f may capture traced values.

namespace exprax {

struct reverse_t {};
// From the last row to the first.
inline constexpr reverse_t reverse{};

template <int K>
struct unroll_t {};
// K turns in one.
template <int K>
inline constexpr unroll_t<K> unroll{};

template <int N>
struct length_t {};
// The number of turns, where no xs tell it.
template <int N>
inline constexpr length_t<N> length{};

namespace detail {

template <class Option>
struct scan_option;
template <>
struct scan_option<reverse_t> {
  static constexpr bool reverse = true;
  static constexpr int unroll = 0, length = -1;
};
template <int K>
struct scan_option<unroll_t<K>> {
  static constexpr bool reverse = false;
  static constexpr int unroll = K, length = -1;
};
template <int N>
struct scan_option<length_t<N>> {
  static_assert(N >= 0, "exprax: scan: length<n> must not be negative");
  static constexpr bool reverse = false;
  static constexpr int unroll = 0, length = N;
};

template <class... Options>
struct scan_options {
  static constexpr bool reverse = (false || ... || scan_option<Options>::reverse);
  static constexpr int unroll = (0 + ... + scan_option<Options>::unroll) > 0 ? (0 + ... + scan_option<Options>::unroll) : 1;
  static constexpr int length = (-1 + ... + (scan_option<Options>::length + 1));
};

template <class... Leaf>
constexpr int common_length(type_list<Leaf...>) {
  int n = -1;
  ((n = n < 0 && Leaf::rank > 0 ? Leaf::type.dims[0] : n), ...);
  return n;
}
// Their arguments are printed with the static_asserts.
template <class... Leaf>
inline constexpr bool have_a_leading_axis = ((Leaf::rank > 0) && ...);
template <bool Same, class... Leaf>
inline constexpr bool have_one_length = Same;
template <int Length, int Sizes>
inline constexpr bool length_agrees = Length == Sizes;

// The number of turns. Xs: a tree of exprs.
template <class Xs, class Options>
struct scan_length {
  static constexpr int of_xs = common_length(leaves_t<Xs>{});
  static constexpr int value = of_xs >= 0 ? of_xs : Options::length;

  template <class... Leaf>
  static constexpr bool check(type_list<Leaf...>) {
    constexpr bool leading = have_a_leading_axis<Leaf...>;
    static_assert(have_a_leading_axis<Leaf...>, "exprax: scan got a value with no leading axis to scan over: xs must have rank 1 or more");
    constexpr bool same = ((Leaf::rank == 0 || Leaf::type.dims[0] == of_xs) && ...);
    static_assert(have_one_length<same, Leaf...>, "exprax: scan got values with different leading axis sizes");
    static_assert(value >= 0, "exprax: scan expects xs with at least one array, or ex::length<n>");
    static_assert(Options::length < 0 || of_xs < 0 || length_agrees<Options::length, of_xs>,
                  "exprax: scan got a length<n> that disagrees with the leading axis sizes of xs");
    return leading && same && value >= 0 && (Options::length < 0 || value == Options::length);
  }
  static constexpr bool ok = check(leaves_t<Xs>{});
};

// What the body returns, as a tuple of two trees of exprs.
template <class F, class Carry, class X>
struct scan_step {
  using returned = std::remove_cvref_t<decltype(std::declval<F const&>()(std::declval<Carry&>(), std::declval<X&>()))>;
  template <class R>
  static constexpr bool check() {
    static_assert(tree_node<R>, "exprax: scan body function must return a pair (carry, y): ex::tuple(carry, y)");
    if constexpr (tree_node<R>) {
      static_assert(node<R>::size == 2, "exprax: scan body function must return a pair (carry, y): ex::tuple(carry, y)");
      return node<R>::size == 2;
    } else {
      return false;
    }
  }
  template <bool Pair>
  static constexpr auto find() {
    if constexpr (Pair) return std::type_identity<lifted_tree_t<returned>>{};
    else return std::type_identity<std::pair<Carry, none_t>>{};
  }
  static constexpr bool ok = check<returned>();
  using pair = typename decltype(find<ok>())::type;
  using type = child_t<pair, 0>;
  using ys = child_t<pair, 1>;
};
template <class F, class X>
struct scan_body {
  template <class Carry>
  using step = scan_step<F, Carry, X>;
};

// The clean-up of JAX: a carry that the body returns as it is becomes a const, an x that it returns as y is not computed.
// from: for each output the number of the operand that it is, or -1.
struct scan_forwards {
  arena<int> from;
  constexpr bool operator[](int k) const { return from[k] >= 0; }
};
constexpr scan_forwards find_forwards(arena<handle> const& inputs, arena<handle> const& outs, int n_carry) {
  scan_forwards r;
  for (int k = 0; k < outs.size(); ++k) {
    int from = -1;
    for (int i = k < n_carry ? k : n_carry; i < (k < n_carry ? k + 1 : inputs.size()); ++i)
      if (outs[k].id == inputs[i].id) from = i;
    r.from.push(from);
  }
  return r;
}

// Reorders the inputs of the block into consts, carry, xs and removes outputs that are forwarded.
constexpr void clean_up(tape* t, int id, int n_captures, int n_carry, scan_forwards const& forwarded) {
  block& b = t->blocks.at[id];
  arena<int> in, out;
  int const* const first = t->links.at + b.in + n_captures;
  for (int k = 0; k < n_carry; ++k)
    if (forwarded[k]) in.push(first[k]);
  for (int k = 0; k < n_captures; ++k) in.push(t->links.at[b.in + k]);
  for (int k = 0; k < n_carry; ++k)
    if (!forwarded[k]) in.push(first[k]);
  for (int k = n_carry; k < b.n_in - n_captures; ++k) in.push(first[k]);
  for (int k = 0; k < b.n_out; ++k)
    if (!forwarded[k]) out.push(t->links.at[b.out + k]);
  copy_run(t->links.at + b.in, in.data(), in.size());
  copy_run(t->links.at + b.out, out.data(), out.size());
  b.n_out = out.size();
}

template <int Length>
struct with_length {
  template <class Leaf>
  using leaf = typename with_axis<0, Length>::template leaf<Leaf>;
};

// Runs the body in the block, and gives its results to outs.
template <class F, class Carry, class X>
constexpr void run_scan_body(block_scope& scope, arena<handle>& outs, F const& f, Carry carry, X x) {
  auto const input = [&](aval const& type) { return scope.input(type); };
  assign_leaves(carry, input);
  assign_leaves(x, input);
  push_handles(outs, lift_tree(f(carry, x)));
}

template <class Options, class F, class Init, class Xs>
constexpr auto record_scan(F const& f, Init const& init, Xs const& xs) {
  constexpr int length = scan_length<Xs, Options>::value;
  using x = map_t<Xs, without_axis<0>::template leaf>;
  using carry = fixed_carry<Init, scan_body<F, x>::template step>;
  if constexpr (!carry::ok) {
    return std::tuple(init, none);  // after the error: nothing that leads to others
  } else {
    using start = typename carry::type;
    constexpr int n_carry = leaf_count<start>;
    arena<handle> operands = handles_of(map_values(start_like{}, init, start{}));
    push_handles(operands, xs);
    block_scope scope(join_all(operands));
    arena<handle> outs;
    run_scan_body(scope, outs, f, start{}, x{});
    closed_block const b = scope.close(outs);
    tape* const t = b.on.on;
    for (handle& h : operands) h = resolve(h);

    scan_forwards const forwarded = find_forwards(scope.inputs(), outs, n_carry);
    clean_up(t, b.id, b.captures.size(), n_carry, forwarded);
    arena<int> in, types;
    for (int k = 0; k < n_carry; ++k)
      if (forwarded[k]) in.push(operands[k].id);
    for (int v : b.captures) in.push(v);
    int const n_consts = in.size();
    for (int k = 0; k < n_carry; ++k)
      if (!forwarded[k]) in.push(operands[k].id);
    int const n_left = in.size() - n_consts;
    for (int k = n_carry; k < operands.size(); ++k) in.push(operands[k].id);
    for (int k = 0; k < outs.size(); ++k) {
      if (forwarded[k]) continue;
      aval const type = t->type(outs[k].id);
      types.push(k < n_carry ? t->values.at[outs[k].id].type : t->find_type(type.with_axis(0, length)));
    }
    int const params[] = {length, n_consts, n_left, Options::reverse, Options::unroll};
    int out = t->record(prim::scan, in, params, types, {&b.id, 1});

    std::tuple<typename carry::last, map_t<typename scan_step<F, start, x>::ys, with_length<length>::template leaf>> results{};
    int k = 0;
    assign_leaves(results, [&](aval const&) {
      int const from = forwarded.from[k++];
      if (from >= 0) return operands[from];
      return handle(t, out++);
    });
    return results;
  }
}

// scan as a stateless callable, for arrays.
template <class F, class... Options>
struct scan_of {
  template <class Init, class Xs>
  constexpr auto operator()(Init const& init, Xs const& xs) const {
    return record_scan<scan_options<Options...>>(F{}, init, xs);
  }
};

template <class List>
inline constexpr bool any_stored = false;
template <class... Leaf>
inline constexpr bool any_stored<type_list<Leaf...>> = (false || ... || (!is_expr<Leaf> && !scalar<Leaf>));

}  // namespace detail

template <class F, class Init, class Xs, class... Options>
constexpr auto scan(F const& f, Init const& init, Xs const& xs, Options...) {
  using options = detail::scan_options<Options...>;
  if constexpr (detail::check_arguments<Init, Xs>()) {
    if constexpr (detail::scan_length<detail::to_expr_t<Xs>, options>::ok) {
      constexpr bool arrays = detail::any_stored<detail::leaves_t<Init>> || detail::any_stored<detail::leaves_t<Xs>>;
      if constexpr (arrays && !detail::in_a_trace<Init, Xs> && detail::is_stateless<F>) return jit(detail::scan_of<F, Options...>{})(init, xs);
      else return detail::record_scan<options>(f, detail::lift_tree(init), detail::lift_tree(xs));
    } else {
      return std::tuple(init, none);
    }
  }
}
template <class F, class Init, int N, class... Options>
constexpr auto scan(F const& f, Init const& init, length_t<N> n, Options... options) {
  return scan(f, init, none, n, options...);
}

}  // namespace exprax

// exprax/api/vmap.hpp
// vmap(f, in_axes<...>, out_axes<...>): f on each slice along an axis, all at once (jax.vmap). f: array<T, D...> → array<U, E...>
// becomes array<T, B, D...> → array<U, B, E...>. On traced values the batched equations are recorded; on arrays it runs as
// jit(vmap(f)). A callable with captures may be mapped inside of a traced function, at once.

// exprax/api/splice.hpp
// Programs and the tape: a closed block of the tape as a program, and a program's equations recorded on the tape.

namespace exprax::detail {

// The program whose main block is the last block of the tape. It reads the tape's tables: no recording while it is used.
constexpr program_ref last_block(tape const* t) {
  return {t->values.at,    t->closed.at,       t->blocks.at,    t->links.at,
          t->params.at,    t->avals.data(),    t->constants.at, t->names.data(),
          {t->values.n, t->closed.n, t->blocks.n, t->links.n, t->params.n, t->avals.size(), t->constants.n, t->names.size()}};
}

class splicer {
 public:
  constexpr splicer(tape* t, program_ref from) : t_(t), from_(from) { map_.resize(from.n.values, -1); }

  // Records the equations of the main block, its inputs being args. Returns the values of its outputs.
  constexpr arena<int> splice(span<int> args) {
    block const& b = from_.main();
    for (int k = 0; k < b.n_in; ++k) map_[from_.ins(b)[k]] = args[k];
    for (eqn const& e : from_.body(b)) t_->eqns.push(copy(e));
    arena<int> out;
    for (int v : from_.outs(b)) out.push((*this)[v]);
    return out;
  }

 private:
  constexpr int operator[](int v) {
    if (map_[v] < 0 && from_.is_constant(v)) {
      aval const& type = from_.type(v);
      map_[v] = t_->add_constant(t_->find_type(type), {from_.constants + from_.values[v].constant, static_cast<int>(type.size())});
    }
    return map_[v];
  }
  constexpr int new_value(int v) { return map_[v] = t_->add_value(t_->find_type(from_.type(v))); }

  constexpr int copy_block(int id) {
    block const& b = from_.blocks[id];
    for (int v : from_.ins(b)) new_value(v);
    arena<eqn> body;
    for (eqn const& e : from_.body(b)) body.push(copy(e));
    block const copied{t_->links.n, b.n_in, t_->links.n + b.n_in, b.n_out, t_->closed.n, b.n_eqn};
    for (int v : from_.ins(b)) t_->links.push(map_[v]);
    for (int v : from_.outs(b)) t_->links.push((*this)[v]);
    for (eqn const& e : body) t_->closed.push(e);
    return t_->blocks.push(copied);
  }
  constexpr eqn copy(eqn const& e) {
    arena<int> in, sub;
    for (int v : from_.ins(e)) in.push((*this)[v]);
    for (int b : from_.subs(e)) sub.push(copy_block(b));
    t_->left = 0;
    eqn const copied{e.op, t_->links.n, e.n_in, t_->values.n, e.n_out, t_->params.n, e.n_par, t_->links.n + e.n_in, e.n_blk};
    for (int k = 0; k < e.n_out; ++k) new_value(e.out + k);
    for (int v : in) t_->links.push(v);
    for (int b : sub) t_->links.push(b);
    for (int x : from_.params_of(e)) t_->params.push(x);
    if (e.op == prim::jit) {
      t_->name_params.push(copied.par);
      t_->params.at[copied.par] = t_->names.push(from_.names[from_.param(e, 0)]);
    }
    return copied;
  }

  tape* t_;
  program_ref from_;
  arena<int> map_;
};

}  // namespace exprax::detail

// exprax/transforms/batch.hpp
// batch (jax.vmap): a program on values with one more axis. Law: row i of the results is the program on row i of the inputs.
// Where the axis stands in a value is the choice of each primitive's rule, as in jax.interpreters.batching, so that the
// jaxprs are JAX's. What does not depend on a batched input stays as it is.

// exprax/transforms/spread.hpp
// spread: which results of a block depend on marked inputs. A carry of a loop is marked when what it starts with or what
// it becomes is; the loop's own rule finds the fixed point. Batching asks it which values carry the batch axis.

namespace exprax {

class spread {
 public:
  constexpr explicit spread(program_ref p) : p_(p) { marked_.resize(p.n.values, 0); }

  // in: a mark for each input of the block; result: one for each output.
  constexpr detail::arena<char> through(int block_id, detail::span<char> in) {
    block const& b = p_.blocks[block_id];
    for (int k = 0; k < b.n_in; ++k) marked_[p_.ins(b)[k]] = in[k];
    for (eqn const& e : p_.body(b)) step(e);
    detail::arena<char> out;
    out.reserve(b.n_out);
    for (int v : p_.outs(b)) out.push(marked_[v]);
    return out;
  }
  constexpr char marked(equation_ref const& e, int k) const { return marked_[e.in(k)]; }
  constexpr void mark(equation_ref const& e, int k, char m) { marked_[e.e.out + k] = m; }

 private:
  template <prim P>
  struct rule {
    static constexpr void call(spread& s, equation_ref const& e) {
      if constexpr (primitive<P>::kind == op_class::control) primitive<P>::spread(s, e);
    }
  };
  constexpr void step(eqn const& e) {
    if (e.n_blk > 0) return dispatch<rule, void(spread&, equation_ref const&)>(e.op, *this, equation_ref{p_, e});
    char m = 0;
    for (int v : p_.ins(e)) m = m || marked_[v];
    for (int k = 0; k < e.n_out; ++k) marked_[e.out + k] = m;
  }

  program_ref p_;
  detail::arena<char> marked_;
};

}  // namespace exprax

namespace exprax {

inline constexpr int not_mapped = -1;
// For an output: the axis stays where the rules left it.
inline constexpr int any_axis = -2;

// What the batching rules see. Values named by equations are the old program's, values as plain ints the new one's.
class batch_context {
 public:
  constexpr batch_context(program& to, program_ref from, int size) : copy_(to, from), size_(size) {
    dims_.resize(from.n.values, not_mapped);
    batched_types_.resize(from.n.avals * (max_rank + 1), -1);
  }

  constexpr int size() const { return size_; }
  constexpr int value(equation_ref const& e, int k) { return copy_[e.in(k)]; }
  constexpr int dim(equation_ref const& e, int k) const { return dims_[e.in(k)]; }
  constexpr aval type(int v) const { return to().type(v); }
  constexpr void set(equation_ref const& e, int k, int v, int dim) { bind(e.e.out + k, v, dim); }

  // One equation with one result.
  constexpr int emit(prim op, detail::span<int> in, detail::span<int> par, aval const& out) { return to().emit(op, in, par, {&out, 1}); }
  constexpr int emit(prim op, detail::span<int> in, detail::span<int> par, detail::span<aval> out, detail::span<int> sub) {
    return to().emit(op, in, par, out, sub);
  }
  // Whether all operands of the present equation but scalars that are not batched have one shape and one batch axis; and the
  // equation as it is on such operands. Most equations of a large program go this way, so it takes few steps.
  constexpr bool operands_agree() const { return agreed_ >= 0; }
  constexpr void apply(equation_ref const& e) {
    int const *old = from().refs + e.e.in, out = e.e.out, n = e.e.n_in;
    int in[8] = {};
    for (int k = 0; k < n; ++k) in[k] = copy_[old[k]];
    bind(out, to().emit_one(e.e.op, {in, n}, e.params(), batched_type(out, agreed_)), agreed_);
  }
  // The equation with other operands and parameters; its one result has the batch axis at dim.
  constexpr void replace(equation_ref const& e, detail::span<int> in, detail::span<int> par, int dim) {
    bind(e.e.out, to().emit_one(e.e.op, in, par, batched_type(e.e.out, dim)), dim);
  }
  constexpr int literal(dtype t, std::uint64_t bits) { return to().add_literal(t, bits); }
  constexpr int copy_name(int name) { return copy_.copy_name(name); }

  // shape: with the dtype of v or not; dims: which axis of the result each axis of v becomes.
  constexpr int broadcast(int v, aval const& shape, detail::span<int> dims) {
    int par[2 * max_rank];
    int n = 0;
    for (int i = 0; i < shape.rank; ++i) par[n++] = shape.dims[i];
    for (int d : dims) par[n++] = d;
    aval const t = type(v);
    return emit(prim::broadcast_in_dim, {&v, 1}, {par, n}, shape.with_type(t.type, t.weak));
  }
  constexpr int transpose(int v, detail::span<int> permutation) {
    aval const t = type(v);
    aval out(t.type, t.weak);
    bool same = true;
    for (int axis : permutation) {
      same = same && axis == out.rank;
      out.dims[out.rank++] = t.dims[axis];
    }
    return same ? v : emit(prim::transpose, {&v, 1}, permutation, out);
  }
  constexpr int reshape(int v, aval const& shape) {
    aval const t = type(v);
    return t.same_shape(shape) ? v : emit(prim::reshape, {&v, 1}, {shape.dims, shape.rank}, shape.with_type(t.type, t.weak));
  }
  constexpr int move(int v, int from, int to) {
    if (from == to) return v;
    int const rank = type(v).rank;
    int permutation[max_rank];
    for (int i = 0, at = 0; i < rank; ++i) {
      if (i == to) {
        permutation[i] = from;
      } else {
        if (at == from) ++at;
        permutation[i] = at++;
      }
    }
    return transpose(v, {permutation, rank});
  }
  // v with a new axis of n elements, all the same.
  constexpr int insert(int v, int axis, int n) {
    aval const t = type(v);
    int dims[max_rank];
    for (int i = 0; i < t.rank; ++i) dims[i] = i < axis ? i : i + 1;
    return broadcast(v, t.with_axis(axis, n), {dims, t.rank});
  }
  // The batch axis goes first; what has none gets one of n.
  constexpr int at_front(int v, int dim, int n) { return dim == not_mapped ? insert(v, 0, n) : move(v, dim, 0); }
  constexpr int with_trailing_ones(int v, int rank) {
    aval t = type(v);
    int const old = t.rank;
    if (old == 0 || old == rank) return v;
    int dims[max_rank];
    for (int i = 0; i < old; ++i) dims[i] = i;
    while (t.rank < rank) t.dims[t.rank++] = 1;
    return broadcast(v, t, {dims, old});
  }
  // The value with its axis at `want` (or any_axis, or not_mapped: then it must have none).
  constexpr int placed(int v, int dim, int want) {
    if (want < 0 || dim == want) return v;
    return dim == not_mapped ? insert(v, want, size_) : move(v, dim, want);
  }

  // The equation element by element of the batch, as a scan: for what no primitive does on a whole batch.
  constexpr void map(equation_ref const& e);

  // A nested block on batched inputs. in: the axis of each input; want: where each output shall have it; out, if not null:
  // where it has.
  constexpr int batch_block(int id, detail::span<int> in, detail::span<int> want, int* out = nullptr) {
    block const& b = from().blocks[id];
    detail::arena<int> ins, outs;
    for (int k = 0; k < b.n_in; ++k) {
      int const v = from().ins(b)[k];
      ins.push(to().add_value(in[k] < 0 ? from().type(v) : from().type(v).with_axis(in[k], size_)));
      bind(v, ins.back(), in[k]);
    }
    to().open();
    run(b);
    for (int k = 0; k < b.n_out; ++k) outs.push(output(b, k, want.empty() ? any_axis : want[k], out));
    return to().close(ins, outs);
  }
  // Which outputs of a block depend on the inputs that are marked.
  constexpr detail::arena<char> depends(int block_id, detail::span<char> in) {
    if (!analysed_) spread_ = spread(from());
    analysed_ = true;
    return spread_.through(block_id, in);
  }

  constexpr void bind(int old, int v, int dim) {
    copy_.set(old, v);
    dims_[old] = dim;
  }
  constexpr void run(block const& b) {
    for (eqn const& e : from().body(b)) step(e);
  }
  constexpr int output(block const& b, int k, int want, int* dim) {
    int const v = from().outs(b)[k];
    int const d = dims_[v];
    if (dim) dim[k] = want >= 0 ? want : d;
    return placed(copy_[v], d, want);
  }

 private:
  template <prim P>
  struct rule {
    static constexpr void call(batch_context& c, equation_ref const& e) { primitive<P>::batch(c, e); }
  };
  constexpr void step(eqn const& e) {
    int const *in = from().refs + e.in, *dims = dims_.data();
    aval const* first = nullptr;
    bool batched = false;
    agreed_ = not_mapped;
    for (int k = 0; k < e.n_in; ++k) {
      int const v = in[k], d = dims[v];
      aval const& type = from().avals[from().values[v].type];
      batched = batched || d >= 0;
      if (d < 0 && type.rank == 0) continue;
      if (!first) {
        first = &type;
        agreed_ = d;
      } else if (d != agreed_ || (&type != first && !type.same_shape(*first))) {
        agreed_ = not_mapped;
      }
    }
    if (batched) return dispatch<rule, void(batch_context&, equation_ref const&)>(e.op, *this, equation_ref{from(), e});
    copy_.copy(e);
    for (int k = 0; k < e.n_out; ++k) dims_[e.out + k] = not_mapped;
  }
  constexpr int batched_type(int old, int dim) {
    int& type = batched_types_[from().values[old].type * (max_rank + 1) + dim];
    if (type < 0) type = to().intern(from().type(old).with_axis(dim, size_));
    return type;
  }
  constexpr program& to() const { return copy_.to(); }
  constexpr program_ref const& from() const { return copy_.from(); }

  block_copier copy_;
  int size_;
  int agreed_ = not_mapped;  // the batch axis of all operands of the present equation
  detail::arena<int> dims_;
  detail::arena<int> batched_types_;  // of each aval of the old program and each axis: the number in the new one
  spread spread_{program_ref{}};
  bool analysed_ = false;
};

constexpr void batch_context::map(equation_ref const& e) {
  detail::arena<int> in, inner_in, inner;
  int n_consts = 0;
  // Literals are read inside; other operands without the axis are the consts of the loop.
  for (int pass = 0; pass < 2; ++pass) {
    for (int k = 0; k < e.n_in(); ++k) {
      if ((dim(e, k) >= 0) != (pass == 1) || e.p.is_constant(e.in(k))) continue;
      in.push(pass == 1 ? move(value(e, k), dim(e, k), 0) : value(e, k));
      n_consts += pass == 0;
    }
  }
  int const_at = 0, mapped_at = n_consts;
  for (int k = 0; k < in.size(); ++k) inner_in.push(0);
  for (int k = 0; k < e.n_in(); ++k) {
    if (e.p.is_constant(e.in(k))) {
      inner.push(value(e, k));
      continue;
    }
    int const v = to().add_value(e.type(k));
    inner_in[dim(e, k) >= 0 ? mapped_at++ : const_at++] = v;
    inner.push(v);
  }
  to().open();
  int const result = emit(e.e.op, inner, e.params(), e.out_type(0));
  int const body = to().close(inner_in, {&result, 1});
  aval const out = e.out_type(0).with_axis(0, size_);
  int const par[] = {size_, n_consts, 0, 0, 1};
  set(e, 0, emit(prim::scan, in, par, {&out, 1}, {&body, 1}), 0);
}

// in_dims: for each input of the main block its axis, or not_mapped. out_dims: for each output where the axis shall be,
// any_axis, or not_mapped (an output without it; `axes`, if not null, tells where it is). Results without the axis
// are repeated along it.
constexpr program batch(program_ref in, detail::span<int> in_dims, int axis_size, detail::span<int> out_dims, int* axes = nullptr) {
  program to;
  batch_context c(to, in, axis_size);
  c.batch_block(in.main_id(), in_dims, out_dims, axes);
  return to;
}

}  // namespace exprax

namespace exprax {

namespace detail {

// Not constexpr: the name is the message.
inline void vmap_has_mapped_output_but_out_axes_is_none() {}

// The sizes stand in the error text.
template <bool Same, int... Sizes>
inline constexpr bool mapped_axes_have_one_size = Same;
template <int Entries, int Arguments>
inline constexpr bool one_entry_for_each_argument = Entries == Arguments;

// The batched call of f with arguments of these types (trees of exprs).
template <class F, class In, int Size, class... Args>
struct vmap_call {
  static_assert(one_entry_for_each_argument<-1, sizeof...(Args)>,
                "exprax: vmap: in_axes must have one entry, or one for each argument of the function");
};
template <class F, auto... A, int Size, class... Args>
  requires(sizeof...(A) == sizeof...(Args))
struct vmap_call<F, in_axes_t<A...>, Size, Args...> {
  static constexpr int leaf_total = (0 + ... + leaf_count<Args>);
  using slices = std::tuple<typename change_axes<Args, A, without_axis>::type...>;

  static constexpr axis_list<leaf_total> in_dims = [] {
    axis_list<leaf_total> r;
    (leaf_axes<Args, A>::push(r, 0), ...);
    return r;
  }();
  template <class... Leaf>
  static constexpr axis_list<leaf_total> sizes_of(type_list<Leaf...>) {
    axis_list<leaf_total> r;
    ((r.of[r.n] = in_dims.of[r.n] < 0 ? -1 : Leaf::extent(in_dims.of[r.n]), ++r.n), ...);
    return r;
  }
  static constexpr axis_list<leaf_total> sizes = sizes_of(typename concat<type_list<>, leaves_t<Args>...>::type{});
  static constexpr int size = [] {
    for (int k = 0; k < leaf_total; ++k)
      if (sizes.of[k] >= 0) return sizes.of[k];
    return Size;
  }();
  static constexpr bool same = [] {
    for (int k = 0; k < leaf_total; ++k)
      if (sizes.of[k] >= 0 && sizes.of[k] != size) return false;
    return Size < 0 || Size == size;
  }();

  template <bool Same, int... Sizes>
  static constexpr bool check() {
    static_assert(mapped_axes_have_one_size<Same, Sizes...>,
                  "exprax: vmap got inconsistent sizes for array axes to be mapped (the numbers in this message; -1 is not mapped): they must be equal");
    static_assert(size >= 0, "exprax: vmap must have at least one non-None value in in_axes, or ex::axis_size<n>");
    return Same && size >= 0;
  }
  template <int... K>
  static constexpr bool check_sizes(std::integer_sequence<int, K...>) {
    return check<same, sizes.of[K]...>();
  }
  static constexpr bool ok = check_sizes(std::make_integer_sequence<int, leaf_total>{});
};

template <class Result, class Out>
struct vmap_result {
  static_assert(one_entry_for_each_argument<-1, static_cast<int>(node<Result>::size)>,
                "exprax: vmap: out_axes must have one entry, or one for each element of the tuple that the function returns");
};
template <class Result, auto A>
struct vmap_result<Result, out_axes_t<A>> {
  static constexpr auto spec = A;
};
template <class Result, auto A, auto B, auto... C>
  requires(node<Result>::size == 2 + sizeof...(C))
struct vmap_result<Result, out_axes_t<A, B, C...>> {
  static constexpr axes_t<A, B, C...> spec{};
};

template <int N>
struct with_axis_of {
  template <int A>
  using at = with_axis<A, N>;
};

template <class Call, class Out, class F, class... Args>
constexpr auto record_vmap(F const& f, Args const&... args) {
  arena<handle> in;
  (push_handles(in, args), ...);
  block_scope scope(join_all(in));
  arena<handle> outs;
  auto const results = run_in_block(scope, outs, f, typename Call::slices{});
  using result = typename decltype(results)::type;
  closed_block const b = scope.close(outs);
  tape* const t = b.on.on;

  constexpr auto spec = vmap_result<result, Out>::spec;
  axis_list<leaf_count<result>> out_dims;
  leaf_axes<result, spec>::push(out_dims, 1);
  arena<int> in_dims, operands = b.captures;
  for (int k = 0; k < b.captures.size(); ++k) in_dims.push(not_mapped);
  for (int k = 0; k < in.size(); ++k) {
    in_dims.push(Call::in_dims.of[k]);
    operands.push(resolve(in[k]).id);
  }
  axis_list<leaf_count<result>> found;
  program const batched = batch(last_block(t), in_dims, Call::size, {out_dims.of, out_dims.n}, found.of);
  for (int k = 0; k < out_dims.n; ++k)
    if (out_dims.of[k] < 0 && found.of[k] >= 0) vmap_has_mapped_output_but_out_axes_is_none();
  t->has_dead_blocks = true;
  arena<int> const numbers = splicer(t, batched.ref()).splice(operands);

  typename change_axes<result, spec, with_axis_of<Call::size>::template at>::type r{};
  int k = 0;
  assign_leaves(r, [&](aval const&) { return handle(t, numbers[k++]); });
  return r;
}

template <class F, class In, class Out, int Size>
struct vmapped {
  [[no_unique_address]] F f;

  template <class... Args>
  constexpr auto operator()(Args const&... args) const {
    if constexpr (check_arguments<Args...>()) {
      if constexpr (in_a_trace<Args...>) {
        using call = vmap_call<F, typename spread_entries<static_cast<int>(sizeof...(Args)), In>::type, Size, to_expr_t<Args>...>;
        if constexpr (call::ok) return record_vmap<call, Out>(f, lift_tree(args)...);
        else return none;  // after the error: nothing that leads to others
      } else {
        return jit(*this)(args...);
      }
    }
  }
};
template <class F, class In, class Out, int Size>
inline constexpr std::string_view function_name<vmapped<F, In, Out, Size>> = function_name<F>;

// The options of vmap, in any order.
template <class In = in_axes_t<0>, class Out = out_axes_t<0>, int Size = -1>
struct vmap_options {
  using in = In;
  using out = Out;
  static constexpr int size = Size;
};
template <class Now, class... Options>
struct read_options {
  using type = Now;
};
template <class In, class Out, int Size, auto... A, class... Rest>
struct read_options<vmap_options<In, Out, Size>, in_axes_t<A...>, Rest...> : read_options<vmap_options<in_axes_t<A...>, Out, Size>, Rest...> {};
template <class In, class Out, int Size, auto... A, class... Rest>
struct read_options<vmap_options<In, Out, Size>, out_axes_t<A...>, Rest...> : read_options<vmap_options<In, out_axes_t<A...>, Size>, Rest...> {};
template <class In, class Out, int Size, int N, class... Rest>
struct read_options<vmap_options<In, Out, Size>, axis_size_t<N>, Rest...> : read_options<vmap_options<In, Out, N>, Rest...> {};

template <class F, class Options>
using vmapped_with = vmapped<F, typename Options::in, typename Options::out, Options::size>;

}  // namespace detail

// Options: in_axes<...>, out_axes<...>, axis_size<n>.
template <class F, class... Options>
constexpr auto vmap(F f, Options...) {
  return detail::vmapped_with<F, typename detail::read_options<detail::vmap_options<>, Options...>::type>{f};
}
// Of a static constexpr object, whose name jaxprs show.
template <auto const& Object, class... Options>
constexpr auto vmap(Options...) {
  return detail::vmapped_with<detail::object_ref<Object>, typename detail::read_options<detail::vmap_options<>, Options...>::type>{};
}

}  // namespace exprax

// exprax/numpy/tags.hpp
// What the functions of this folder take besides values: axis<0, -1>, keepdims, and the words of the indexing grammar:
// all (Python's :), slice<start, stop, step>, newaxis (None) and ellipsis (...).

#include <type_traits>

// Kernels call all(mask) without a namespace: they must be read before that name means the object below.

namespace exprax {

template <int... Axes>
struct axis_t {};
// The axes of a reduction, or where an axis goes; negative ones count from the end.
template <int... Axes>
inline constexpr axis_t<Axes...> axis{};

struct keepdims_t {};
// A reduction keeps its axes, with size 1.
inline constexpr keepdims_t keepdims{};

namespace detail {

struct no_bound {};
template <class>
inline constexpr bool is_axis = false;
template <int... Axes>
inline constexpr bool is_axis<axis_t<Axes...>> = true;

}  // namespace detail

// Python's slice(start, stop, step). A bound that is not an integer, ex::none, is absent; so slice<none, none, -1> is [::-1].
template <auto Start, auto Stop, int Step = 1>
struct slice_t {
  static_assert(Step != 0, "exprax: slice step cannot be zero");
};
template <auto Start, auto Stop, int Step = 1>
inline constexpr slice_t<Start, Stop, Step> slice{};

struct newaxis_t {};
inline constexpr newaxis_t newaxis{};
struct ellipsis_t {};
inline constexpr ellipsis_t ellipsis{};

// An index, x(all, 0), and a reduction as well: all(x) is jax.numpy.all.
struct all_t {
  template <class X, class... Tags>
  constexpr auto operator()(X const& x, Tags... tags) const;
};
inline constexpr all_t all{};

}  // namespace exprax

// exprax/numpy/operand.hpp
// What the functions of this folder accept: traced values, C++ numbers, constants such as static_<5>, arrays and views.
// A number becomes a literal of the dtype that it meets, in place; a value of another dtype or weakness gets a
// convert_element_type equation (jax._src.numpy.util.promote_dtypes).

namespace exprax {

namespace detail {

template <class>
inline constexpr bool is_array = false;
template <class T, int... D>
inline constexpr bool is_array<array<T, D...>> = true;
template <class T, int... D>
inline constexpr bool is_array<view<T, D...>> = true;

template <class X>
concept tracer = is_expr<std::remove_cvref_t<X>>;
template <class X>
concept number = scalar<std::remove_cvref_t<X>> || static_constant<std::remove_cvref_t<X>>;
template <class X>
concept stored = is_array<std::remove_cvref_t<X>>;
// What a rule sees: arrays have become traced values before.
template <class X>
concept operand = tracer<X> || number<X>;

template <class X>
struct number_type {
  using type = X;
};
template <static_constant X>
struct number_type<X> {
  using type = std::remove_cvref_t<decltype(X::value)>;
};

template <class X>
struct operand_traits;
template <tracer X>
struct operand_traits<X> {
  using dtype_type = typename X::dtype_type;
  static constexpr aval value = X::type;
};
template <number X>
struct operand_traits<X> {
  using dtype_type = literal_t<typename number_type<X>::type>;
  static constexpr aval value{dtype_of<dtype_type>, is_weak<dtype_type>};
};

template <stored X>
struct operand_traits<X> {
  using dtype_type = canonical_t<typename X::value_type>;
  static constexpr aval value = X::type;
};

// The dtype of an operand, weak<...> where it is, and its shape.
template <class X>
using type_in = typename operand_traits<std::remove_cvref_t<X>>::dtype_type;
template <class X>
inline constexpr aval aval_in = operand_traits<std::remove_cvref_t<X>>::value;
template <class X>
inline constexpr int rank_in = aval_in<X>.rank;

// x with dtype T, for an equation: itself, a conversion of it, or a literal.
template <class T, tracer X>
constexpr decltype(auto) cast(X const& x) {
  if constexpr (std::is_same_v<T, typename X::dtype_type>)
    return (x);
  else
    return convert_to<T>(x);
}
template <class T, number X>
constexpr lit<T> cast(X const& x) {
  return lit<T>{convert_number<strong_t<T>>(static_cast<typename number_type<X>::type>(x))};
}

// x with dtype T as a traced value; a number becomes a literal on a private tape.
template <class T, tracer X>
constexpr decltype(auto) as_expr(X const& x) {
  return cast<T>(x);
}
template <class T, number X>
constexpr expr<T> as_expr(X const& x) {
  return literal<T>(cast<T>(x).value);
}
template <operand X>
constexpr decltype(auto) as_traced(X const& x) {
  return as_expr<type_in<X>>(x);
}
// The type of that, and the same shape with another dtype.
template <class X>
using expr_type = std::remove_cvref_t<decltype(as_traced(std::declval<X const&>()))>;
template <class X, class T>
using expr_like = with_dtype_t<expr_type<X>, T>;

// The floating dtype of a computation on T, and a numeric one for bool.
template <class T, bool Wide = size_of(dtype_of<T>) == 8, class F = std::conditional_t<Wide, double, float>>
using inexact_t = std::conditional_t<is_floating(dtype_of<T>), T, std::conditional_t<is_weak<T>, weak<F>, F>>;
template <class T>
using numeric_t = std::conditional_t<is_bool(dtype_of<T>), std::int32_t, T>;

// An array among traced values is a constant.
template <stored X>
constexpr auto as_operand(X const& x) {
  return lift(x);
}
template <operand X>
constexpr X const& as_operand(X const& x) {
  return x;
}

// Runs Op on traced values and numbers; on arrays as a program of one operation.
template <class Op, class... X>
constexpr auto apply(X const&... x) {
  if constexpr ((stored<X> || ...) && (tracer<X> || ...))
    return Op{}(as_operand(x)...);
  else if constexpr ((stored<X> || ...))
    return exprax::jit(Op{})(x...);
  else
    return Op{}(x...);
}

}  // namespace detail

// Anything that stands for an array: a traced value, an array, a view, a number.
template <class X>
concept array_like = detail::operand<X> || detail::stored<X>;

}  // namespace exprax

// exprax/numpy/broadcasting.hpp
// Broadcasting (jax.numpy.broadcast_to, jax.lax.broadcast_in_dim). Elementwise equations broadcast axes of 1 and scalars
// by themselves; only an operand of lower rank gets leading axes of 1 first.

namespace exprax {

namespace detail {

// "[out shape..., broadcast dimensions...]"; the rest of n is 0.
struct param_list {
  int at[3 * max_rank + 4] = {};
  int n = 0;
  constexpr void push(int i) { at[n++] = i; }
  constexpr operator span<int>() const { return {at, n}; }
};

// The axes of x become the last ones.
constexpr param_list broadcast_params(aval const& out, aval const& x) {
  param_list p;
  for (int i = 0; i < out.rank; ++i) p.push(out.dims[i]);
  for (int i = 0; i < x.rank; ++i) p.push(out.rank - x.rank + i);
  return p;
}

// Shape::value gives the shape of Out; the dtype is x's.
template <class Shape, class X>
struct shaped_as {
  static constexpr aval value = [] {
    aval a = Shape::value;
    return a.with_type(aval_in<X>.type, aval_in<X>.weak);
  }();
};

template <class Shape, class X>
inline constexpr param_list broadcast_params_of = broadcast_params(Shape::value, aval_in<X>);

// jax.lax.broadcast_to. A lit<T> may come as well.
template <class Shape, tracer X>
constexpr decltype(auto) broadcast_shape(X const& x) {
  if constexpr (Shape::value.same_shape(X::type))
    return (x);
  else
    return bind<expr_from<shaped_as<Shape, X>>>(prim::broadcast_in_dim, broadcast_params_of<Shape, X>, x);
}
template <class Shape, class T>
struct literal_shape {
  static constexpr aval value = aval(Shape::value).with_type(dtype_of<T>, is_weak<T>);
};
template <class Shape, class T>
constexpr auto broadcast_shape(lit<T> const& x) {
  return bind<expr_from<literal_shape<Shape, T>>>(prim::broadcast_in_dim, broadcast_params_of<Shape, expr<T>>, x);
}

// Leading axes of 1 up to rank R (jax.lax.broadcast_to_rank).
template <int R, class X>
struct at_rank {
  static constexpr aval value = [] {
    aval a = aval_in<X>;
    while (a.rank < R) a = a.with_axis(0, 1);
    return a;
  }();
};
template <int R, class X>
constexpr decltype(auto) to_rank(X const& x) {
  if constexpr (!tracer<X>)
    return (x);
  else if constexpr (X::rank == R)
    return (x);
  else
    return broadcast_shape<at_rank<R, X>>(x);
}

// The shape in which operands meet.
template <class... X>
struct common_shape;
template <class X>
struct common_shape<X> {
  static constexpr bool fits = true;
  static constexpr aval value = aval_in<X>;
};
template <class A, class B, class... Rest>
struct common_shape<A, B, Rest...> {
  struct first {
    static constexpr aval value = aval_in<A>;
  };
  static constexpr broadcast_result both = broadcast(aval_in<A>, common_shape<B, Rest...>::value);
  static constexpr bool fits = both.fits && common_shape<B, Rest...>::fits;
  static constexpr aval value = both.shape;
};

// Conditions of static_asserts: compilers print the operands' types, and so their shapes.
template <class... X>
inline constexpr bool broadcasts = common_shape<X...>::fits;
template <class X, class Shape>
inline constexpr bool broadcasts_to =
    broadcast(aval_in<X>, Shape::value).fits && broadcast(aval_in<X>, Shape::value).shape.same_shape(Shape::value);

// Two operands of different ranks, neither of them a scalar, or three of which two are so.
constexpr bool needs_ranks(std::initializer_list<int> ranks) {
  int least = max_rank + 1, most = 0;
  for (int r : ranks) {
    if (r == 0) continue;
    least = r < least ? r : least;
    most = r > most ? r : most;
  }
  return least < most;
}

template <int... Dims>
struct shape_value {
  static constexpr aval value{dtype::b1, {Dims...}};
};
template <class X>
struct shape_in {
  static constexpr aval value = aval_in<X>;
};

template <int... Dims>
struct broadcast_to_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return expr<type_in<X>, Dims...>(broadcast_shape<shape_value<Dims...>>(as_traced(x)));
  }
};

}  // namespace detail

// jax.numpy.broadcast_to(x, (Dims...)).
template <int... Dims, array_like X>
constexpr auto broadcast_to(X const& x) {
  static_assert(detail::broadcasts_to<X, detail::shape_value<Dims...>>,
                "exprax: broadcast_to: the shape does not broadcast to the one asked for: each axis must equal it or be 1");
  return detail::apply<detail::broadcast_to_op<Dims...>>(x);
}

}  // namespace exprax

// exprax/numpy/elementwise.hpp
// Functions of each element by itself (jax.numpy, jax.lax): exp, log, sin, tanh, floor, abs, isnan and their like. Those
// with a floating result convert integers to float first; floor and ceil return integers as they are.

namespace exprax {

namespace detail {

template <prim P, class X>
constexpr X record_unary(X const& x) {
  return bind<X>(P, {}, x);
}

template <prim P>
struct inexact_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return record_unary<P>(as_expr<inexact_t<type_in<X>>>(x));
  }
};
struct negative_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return record_unary<prim::neg>(as_traced(x));
  }
};
struct sign_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return record_unary<prim::sign>(as_traced(x));
  }
};
template <prim P>
struct rounding_op {
  template <operand X>
  constexpr expr_type<X> operator()(X const& x) const {
    if constexpr (is_floating(aval_in<X>.type))
      return record_unary<P>(as_traced(x));
    else
      return as_traced(x);
  }
};
struct abs_op {
  template <operand X>
  constexpr expr_type<X> operator()(X const& x) const {
    if constexpr (is_bool(aval_in<X>.type) || is_unsigned_integer(aval_in<X>.type))
      return as_traced(x);
    else
      return record_unary<prim::abs>(as_traced(x));
  }
};

template <int Y>
inline constexpr int exponent_params[] = {Y};
// x to a power that is known while tracing (jax.lax.integer_pow).
template <int Y>
struct integer_pow_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using type = numeric_t<type_in<X>>;
    return bind<expr_like<X, type>>(prim::integer_pow, exponent_params<Y>, as_expr<type>(x));
  }
};
struct reciprocal_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return integer_pow_op<-1>{}(as_expr<inexact_t<type_in<X>>>(x));
  }
};

struct isnan_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    expr_type<X> const a = as_traced(x);
    return bind<expr_like<X, bool>>(prim::ne, {}, a, a);
  }
};
struct isfinite_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using out = expr_like<X, bool>;
    if constexpr (is_floating(aval_in<X>.type))
      return bind<out>(prim::is_finite, {}, as_traced(x));
    else
      return out(broadcast_shape<shape_in<X>>(literal<bool>(true)));
  }
};

// x as a truth value: bool, or x != 0.
template <operand X>
constexpr expr_like<X, bool> to_bool(X const& x) {
  if constexpr (is_bool(aval_in<X>.type))
    return as_traced(x);
  else
    return bind<expr_like<X, bool>>(prim::ne, {}, as_traced(x), lit<type_in<X>>{});
}
struct logical_not_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return record_unary<prim::not_>(to_bool(x));
  }
};
struct invert_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return record_unary<prim::not_>(as_traced(x));
  }
};
// Conditions of static_asserts: compilers print the operand's type.
template <class X>
inline constexpr bool is_a_number = !is_bool(aval_in<X>.type);
template <class X>
inline constexpr bool has_no_bits = is_floating(aval_in<X>.type);

template <class T>
struct astype_op {
  template <operand X>
  constexpr expr_like<X, T> operator()(X const& x) const {
    return as_expr<T>(x);
  }
};

}  // namespace detail

template <array_like X>
constexpr auto exp(X const& x) {
  return detail::apply<detail::inexact_op<prim::exp>>(x);
}
template <array_like X>
constexpr auto expm1(X const& x) {
  return detail::apply<detail::inexact_op<prim::expm1>>(x);
}
template <array_like X>
constexpr auto log(X const& x) {
  return detail::apply<detail::inexact_op<prim::log>>(x);
}
template <array_like X>
constexpr auto log1p(X const& x) {
  return detail::apply<detail::inexact_op<prim::log1p>>(x);
}
template <array_like X>
constexpr auto sin(X const& x) {
  return detail::apply<detail::inexact_op<prim::sin>>(x);
}
template <array_like X>
constexpr auto cos(X const& x) {
  return detail::apply<detail::inexact_op<prim::cos>>(x);
}
template <array_like X>
constexpr auto tanh(X const& x) {
  return detail::apply<detail::inexact_op<prim::tanh>>(x);
}
template <array_like X>
constexpr auto sqrt(X const& x) {
  return detail::apply<detail::inexact_op<prim::sqrt>>(x);
}
// 1 / sqrt(x) (jax.lax.rsqrt).
template <array_like X>
constexpr auto rsqrt(X const& x) {
  return detail::apply<detail::inexact_op<prim::rsqrt>>(x);
}
// 1 / (1 + exp(-x)) (jax.lax.logistic, jax.nn.sigmoid, jax.scipy.special.expit).
template <array_like X>
constexpr auto logistic(X const& x) {
  return detail::apply<detail::inexact_op<prim::logistic>>(x);
}
template <array_like X>
constexpr auto expit(X const& x) {
  return logistic(x);
}
template <array_like X>
constexpr auto sigmoid(X const& x) {
  return logistic(x);
}

template <array_like X>
constexpr auto floor(X const& x) {
  return detail::apply<detail::rounding_op<prim::floor>>(x);
}
template <array_like X>
constexpr auto ceil(X const& x) {
  return detail::apply<detail::rounding_op<prim::ceil>>(x);
}
template <array_like X>
constexpr auto negative(X const& x) {
  static_assert(detail::is_a_number<X>, "exprax: negative: does not accept bool: use logical_not, or convert with astype<int>");
  return detail::apply<detail::negative_op>(x);
}
// -1, 0 or 1; NaN and signed zeros stay what they are.
template <array_like X>
constexpr auto sign(X const& x) {
  static_assert(detail::is_a_number<X>, "exprax: sign: does not accept bool: convert with astype<int>");
  return detail::apply<detail::sign_op>(x);
}
template <array_like X>
constexpr auto abs(X const& x) {
  return detail::apply<detail::abs_op>(x);
}
template <array_like X>
constexpr auto absolute(X const& x) {
  return abs(x);
}
template <array_like X>
constexpr auto square(X const& x) {
  return detail::apply<detail::integer_pow_op<2>>(x);
}
template <array_like X>
constexpr auto reciprocal(X const& x) {
  return detail::apply<detail::reciprocal_op>(x);
}
// x^Y for a whole number Y, by repeated squaring.
template <int Y, array_like X>
constexpr auto integer_pow(X const& x) {
  return detail::apply<detail::integer_pow_op<Y>>(x);
}

template <array_like X>
constexpr auto isnan(X const& x) {
  return detail::apply<detail::isnan_op>(x);
}
template <array_like X>
constexpr auto isfinite(X const& x) {
  return detail::apply<detail::isfinite_op>(x);
}
template <array_like X>
constexpr auto logical_not(X const& x) {
  return detail::apply<detail::logical_not_op>(x);
}
template <array_like X>
constexpr auto bitwise_not(X const& x) {
  static_assert(!detail::has_no_bits<X>, "exprax: bitwise_not (~): does not accept floats: use logical_not, or convert with astype<int>");
  return detail::apply<detail::invert_op>(x);
}
template <array_like X>
constexpr auto invert(X const& x) {
  return bitwise_not(x);
}
// x with dtype T (jax.Array.astype).
template <class T, array_like X>
constexpr auto astype(X const& x) {
  return detail::apply<detail::astype_op<canonical_t<T>>>(x);
}

}  // namespace exprax

// exprax/numpy/arithmetic.hpp
// Functions of two elements: arithmetic, comparison, logic, maximum and minimum (jax.numpy.add and so on). Dtypes are
// promoted, shapes broadcast.

namespace exprax {

namespace detail {

// The result of an elementwise equation on A and B, with dtype T.
template <class T, class A, class B>
struct binary_shape {
  static constexpr aval value = broadcast(aval_in<A>, aval_in<B>).shape.with_type(dtype_of<T>, is_weak<T>);
};
template <class T, class A, class B>
struct binary_result {
  using type = expr_from<binary_shape<T, A, B>>;
};
template <class T, class A, class B>
  requires(aval_in<A>.same_shape(aval_in<B>))
struct binary_result<T, A, B> {
  using type = expr_like<A, T>;
};

// Operands of dtype T, result of dtype R.
template <prim P, class T, class R, class A, class B>
constexpr auto record_binary(A const& a, B const& b) {
  using out = typename binary_result<R, A, B>::type;
  if constexpr (tracer<A> && tracer<B> && std::is_same_v<type_in<A>, T> && std::is_same_v<type_in<B>, T> && rank_in<A> == rank_in<B>) {
    return bind<out>(P, {}, a, b);
  } else if constexpr (needs_ranks({rank_in<A>, rank_in<B>})) {
    auto&& x = cast<T>(a);
    auto&& y = cast<T>(b);
    auto&& u = to_rank<out::rank>(x);
    auto&& v = to_rank<out::rank>(y);
    return bind<out>(P, {}, u, v);
  } else {
    auto&& x = cast<T>(a);
    auto&& y = cast<T>(b);
    return bind<out>(P, {}, x, y);
  }
}

// P on promoted operands; PBool on two bools.
template <prim P, prim PBool = P>
struct arithmetic_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = promote_t<type_in<A>, type_in<B>>;
    return record_binary<is_bool(dtype_of<type>) ? PBool : P, type, type>(a, b);
  }
};
struct subtract_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = promote_t<type_in<A>, type_in<B>>;
    return record_binary<prim::sub, type, type>(a, b);
  }
};
// True division: the result is floating.
struct divide_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = inexact_t<promote_t<type_in<A>, type_in<B>>>;
    return record_binary<prim::div, type, type>(a, b);
  }
};
template <prim P>
struct comparison_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return record_binary<P, promote_t<type_in<A>, type_in<B>>, bool>(a, b);
  }
};
template <prim P>
struct bitwise_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = promote_t<type_in<A>, type_in<B>>;
    return record_binary<P, type, type>(a, b);
  }
};
template <prim P>
struct logical_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = promote_t<type_in<A>, type_in<B>>;
    auto&& x = as_expr<type>(a);
    auto&& y = as_expr<type>(b);
    auto&& u = to_rank<needs_ranks({rank_in<A>, rank_in<B>}) ? (rank_in<A> > rank_in<B> ? rank_in<A> : rank_in<B>) : rank_in<A>>(x);
    auto&& v = to_rank<needs_ranks({rank_in<A>, rank_in<B>}) ? (rank_in<A> > rank_in<B> ? rank_in<A> : rank_in<B>) : rank_in<B>>(y);
    auto&& p = to_bool(u);
    auto&& q = to_bool(v);
    return record_binary<P, bool, bool>(p, q);
  }
};

using add_op = arithmetic_op<prim::add, prim::or_>;
using multiply_op = arithmetic_op<prim::mul, prim::and_>;

template <class A, class B>
inline constexpr bool subtracts = !is_bool(aval_in<A>.type) || !is_bool(aval_in<B>.type);
template <class... X>
inline constexpr bool has_bits = (!is_floating(aval_in<X>.type) && ...);

}  // namespace detail

template <array_like A, array_like B>
constexpr auto add(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, "exprax: add: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::add_op>(a, b);
}
template <array_like A, array_like B>
constexpr auto subtract(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>,
                "exprax: subtract: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  static_assert(detail::subtracts<A, B>, "exprax: subtract: does not accept two bools: use ^ or logical_xor, or convert with astype<int>");
  return detail::apply<detail::subtract_op>(a, b);
}
template <array_like A, array_like B>
constexpr auto multiply(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>,
                "exprax: multiply: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::multiply_op>(a, b);
}
template <array_like A, array_like B>
constexpr auto divide(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, "exprax: divide: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::divide_op>(a, b);
}
template <array_like A, array_like B>
constexpr auto true_divide(A const& a, B const& b) {
  return divide(a, b);
}
// NaN if either is NaN; maximum(-0, +0) is +0.
template <array_like A, array_like B>
constexpr auto maximum(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, "exprax: maximum: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::arithmetic_op<prim::max>>(a, b);
}
template <array_like A, array_like B>
constexpr auto minimum(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, "exprax: minimum: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::arithmetic_op<prim::min>>(a, b);
}

template <array_like A, array_like B>
constexpr auto equal(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, "exprax: equal: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::comparison_op<prim::eq>>(a, b);
}
template <array_like A, array_like B>
constexpr auto not_equal(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>,
                "exprax: not_equal: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::comparison_op<prim::ne>>(a, b);
}
template <array_like A, array_like B>
constexpr auto less(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, "exprax: less: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::comparison_op<prim::lt>>(a, b);
}
template <array_like A, array_like B>
constexpr auto less_equal(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>,
                "exprax: less_equal: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::comparison_op<prim::le>>(a, b);
}
template <array_like A, array_like B>
constexpr auto greater(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, "exprax: greater: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::comparison_op<prim::gt>>(a, b);
}
template <array_like A, array_like B>
constexpr auto greater_equal(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>,
                "exprax: greater_equal: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::comparison_op<prim::ge>>(a, b);
}

template <array_like A, array_like B>
constexpr auto bitwise_and(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>,
                "exprax: bitwise_and: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  static_assert(detail::has_bits<A, B>, "exprax: bitwise_and (&): does not accept floats: use logical_and, or convert with astype<int>");
  return detail::apply<detail::bitwise_op<prim::and_>>(a, b);
}
template <array_like A, array_like B>
constexpr auto bitwise_or(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>,
                "exprax: bitwise_or: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  static_assert(detail::has_bits<A, B>, "exprax: bitwise_or (|): does not accept floats: use logical_or, or convert with astype<int>");
  return detail::apply<detail::bitwise_op<prim::or_>>(a, b);
}
template <array_like A, array_like B>
constexpr auto bitwise_xor(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>,
                "exprax: bitwise_xor: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  static_assert(detail::has_bits<A, B>, "exprax: bitwise_xor (^): does not accept floats: use logical_xor, or convert with astype<int>");
  return detail::apply<detail::bitwise_op<prim::xor_>>(a, b);
}
template <array_like A, array_like B>
constexpr auto logical_and(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>,
                "exprax: logical_and: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::logical_op<prim::and_>>(a, b);
}
template <array_like A, array_like B>
constexpr auto logical_or(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>,
                "exprax: logical_or: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::logical_op<prim::or_>>(a, b);
}
template <array_like A, array_like B>
constexpr auto logical_xor(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>,
                "exprax: logical_xor: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::logical_op<prim::xor_>>(a, b);
}

}  // namespace exprax

// exprax/numpy/select.hpp
// Choices of each element: where, clip (jax.numpy), select and select_n (jax.lax).

// exprax/numpy/named_call.hpp
// named_call: a function of the library as a jit equation, which is how JAX records jnp.where, jnp.clip and others:
// jit[name=_where jaxpr={ ... }]. Numbers are operands of the equation, and inputs inside.

#include <string_view>

namespace exprax::detail {

template <class Op, operand... X>
constexpr auto named_call(std::string_view text, X const&... x) {
  return record_jit(text, Op{}, as_traced(x)...);
}

}  // namespace exprax::detail

namespace exprax {

namespace detail {

template <class T, class... X>
struct common_as {
  static constexpr aval value = aval(common_shape<X...>::value).with_type(dtype_of<T>, is_weak<T>);
};

// Inside of jit[name=_where].
struct where_body {
  template <tracer C, tracer X, tracer Y>
  constexpr auto operator()(C const& condition, X const& x, Y const& y) const {
    using type = promote_t<type_in<X>, type_in<Y>>;
    auto&& which = to_bool(condition);
    auto&& a = cast<type>(x);
    auto&& b = cast<type>(y);
    // A scalar condition needs no broadcasting.
    using out = std::conditional_t<C::rank == 0, common_as<type, X, Y>, common_as<type, C, X, Y>>;
    auto&& c = broadcast_condition<out>(which);
    auto&& p = broadcast_shape<out>(a);
    auto&& q = broadcast_shape<out>(b);
    return bind<expr_from<out>>(prim::select_n, {}, c, q, p);
  }

 private:
  template <class Out, class C>
  static constexpr decltype(auto) broadcast_condition(C const& c) {
    if constexpr (C::rank == 0)
      return (c);
    else
      return broadcast_shape<Out>(c);
  }
};
struct where_op {
  template <operand C, operand X, operand Y>
  constexpr auto operator()(C const& condition, X const& x, Y const& y) const {
    return named_call<where_body>("_where", condition, x, y);
  }
};

struct clip_body {
  template <tracer X, tracer Low, tracer High>
  constexpr auto operator()(X const& x, Low const& low, High const& high) const {
    return minimum(high, maximum(low, x));
  }
};
struct clip_op {
  template <operand X, operand Low, operand High>
  constexpr auto operator()(X const& x, Low const& low, High const& high) const {
    return named_call<clip_body>("clip", x, low, high);
  }
};

// The cases as they are: lax does not promote.
struct select_n_op {
  template <tracer Which, tracer X, tracer... More>
  constexpr X operator()(Which const& which, X const& x, More const&... more) const {
    static_assert((std::is_same_v<X, More> && ...), "exprax: select_n: the cases must have equal shapes and dtypes");
    static_assert(is_bool(Which::type.type) || Which::type.type == dtype::i32, "exprax: select_n: `which` must be bool or int32");
    static_assert(!is_bool(Which::type.type) || sizeof...(More) == 1, "exprax: select_n: a bool `which` chooses between two cases");
    static_assert(Which::rank == 0 || Which::type.same_shape(X::type),
                  "exprax: select_n: `which` must be a scalar or have the shape of the cases");
    return bind<X>(prim::select_n, {}, which, x, more...);
  }
};
struct select_op {
  template <operand Which, operand X, operand Y>
  constexpr auto operator()(Which const& which, X const& on_true, Y const& on_false) const {
    using type = promote_t<type_in<X>, type_in<Y>>;
    auto&& x = as_expr<type>(on_true);
    auto&& y = as_expr<type>(on_false);
    return select_n_op{}(as_traced(which), y, x);
  }
};

}  // namespace detail

// x where the condition holds, y elsewhere; the operands broadcast and promote (jax.numpy.where).
template <array_like C, array_like X, array_like Y>
constexpr auto where(C const& condition, X const& x, Y const& y) {
  static_assert(detail::broadcasts<C, X, Y>,
                "exprax: where: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::where_op>(condition, x, y);
}
// x limited to [low, high] (jax.numpy.clip).
template <array_like X, array_like Low, array_like High>
constexpr auto clip(X const& x, Low const& low, High const& high) {
  static_assert(detail::broadcasts<X, Low, High>,
                "exprax: clip: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::clip_op>(x, low, high);
}
// One of two values of the same shape (jax.lax.select): no broadcasting.
template <array_like Which, array_like X, array_like Y>
constexpr auto select(Which const& which, X const& on_true, Y const& on_false) {
  return detail::apply<detail::select_op>(which, on_true, on_false);
}
// Case number `which`; false is case 0 (jax.lax.select_n).
template <array_like Which, array_like... X>
constexpr auto select_n(Which const& which, X const&... cases) {
  return detail::apply<detail::select_n_op>(which, cases...);
}

}  // namespace exprax

// exprax/numpy/division.hpp
// floor_divide (Python's //), remainder (%), fmod and power (**). An integer divided by zero has the value of StableHLO.

namespace exprax {

namespace detail {

template <class A, class B>
using numeric_pair = numeric_t<promote_t<type_in<A>, type_in<B>>>;

// The rank that two operands of an elementwise equation get, or -1 where they can stay as they are.
template <class A, class B>
inline constexpr int pair_rank = needs_ranks({rank_in<A>, rank_in<B>}) ? (rank_in<A> > rank_in<B> ? rank_in<A> : rank_in<B>) : -1;
template <int R, tracer X>
constexpr auto with_rank(X const& x) {
  if constexpr (R < 0 || R == X::rank)
    return x;
  else
    return broadcast_shape<at_rank<R, X>>(x);
}

// Rounds the quotient down: the inside of jit[name=floor_divide].
struct floor_divide_body {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = numeric_pair<A, B>;
    auto&& u = cast<type>(a);
    auto&& v = cast<type>(b);
    auto const x = with_rank<pair_rank<A, B>>(u);
    auto const y = with_rank<pair_rank<A, B>>(v);
    if constexpr (is_unsigned_integer(dtype_of<type>)) {
      return record_binary<prim::div, type, type>(x, y);
    } else if constexpr (is_integer(dtype_of<type>)) {
      auto const quotient = record_binary<prim::div, type, type>(x, y);
      auto const sign_x = record_unary<prim::sign>(x);
      auto const sign_y = record_unary<prim::sign>(y);
      auto const differ = not_equal(sign_x, sign_y);
      auto const rest = record_binary<prim::rem, type, type>(x, y);
      auto const inexact = not_equal(rest, 0);
      auto const down = logical_and(differ, inexact);
      auto const less_one = subtract(quotient, 1);
      return where(down, less_one, quotient);
    } else {
      // As float_divmod of CPython.
      auto const rest = record_binary<prim::rem, type, type>(x, y);
      auto const difference = record_binary<prim::sub, type, type>(x, rest);
      auto const quotient = record_binary<prim::div, type, type>(difference, y);
      auto const inexact = not_equal(rest, 0);
      auto const sign_y = record_unary<prim::sign>(y);
      auto const sign_rest = record_unary<prim::sign>(rest);
      auto const differ = not_equal(sign_y, sign_rest);
      auto const down = bitwise_and(inexact, differ);
      auto const less_one = subtract(quotient, 1);
      auto const near = select_n(down, quotient, less_one);
      // The nearest whole number.
      auto const whole = floor(near);
      return select_n(greater(subtract(near, whole), 0.5f), whole, add(whole, 1));
    }
  }
};
struct floor_divide_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return named_call<floor_divide_body>("floor_divide", a, b);
  }
};

// With the sign of the divisor: the inside of jit[name=remainder].
struct remainder_body {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = numeric_pair<A, B>;
    auto&& u = cast<type>(a);
    auto&& v = cast<type>(b);
    auto const x = with_rank<pair_rank<A, B>>(u);
    auto const y = safe_divisor(with_rank<pair_rank<A, B>>(v));
    auto const rest = record_binary<prim::rem, type, type>(x, y);
    auto const inexact = not_equal(rest, 0);
    auto const rest_negative = less(rest, 0);
    auto const y_negative = less(y, 0);
    auto const differ = not_equal(rest_negative, y_negative);
    auto const shift = bitwise_and(differ, inexact);
    auto const shifted = record_binary<prim::add, type, type>(rest, y);
    return select_n(shift, rest, shifted);
  }

 private:
  // An integer 0 becomes 1.
  template <class Y>
  static constexpr Y safe_divisor(Y const& y) {
    if constexpr (is_integer(Y::type.type)) {
      using type = typename Y::dtype_type;
      auto const is_zero = equal(y, 0);
      auto const one = expr_like<Y, type>(broadcast_shape<shape_in<Y>>(literal<type>(1)));
      return where(is_zero, one, y);
    } else {
      return y;
    }
  }
};
struct remainder_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return named_call<remainder_body>("remainder", a, b);
  }
};

struct power_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = promote_t<type_in<A>, type_in<B>>;
    if constexpr (number<B> && is_integer(aval_in<B>.type)) {
      int const exponent[] = {static_cast<int>(b)};
      using base = numeric_t<type_in<A>>;
      return bind<expr_like<A, base>>(prim::integer_pow, exponent, as_expr<base>(a));
    } else {
      static_assert(is_floating(dtype_of<type>),
                    "exprax: power: an integer to a traced integer power: convert the base to float, or use a C++ int as the exponent");
      return record_binary<prim::pow, type, type>(a, b);
    }
  }
};

}  // namespace detail

// The largest whole number not above a / b (jax.numpy.floor_divide, Python's a // b).
template <array_like A, array_like B>
constexpr auto floor_divide(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>,
                "exprax: floor_divide: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::floor_divide_op>(a, b);
}
// What floor_divide leaves, with the sign of b (jax.numpy.remainder, a % b).
template <array_like A, array_like B>
constexpr auto remainder(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>,
                "exprax: remainder: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::remainder_op>(a, b);
}
template <array_like A, array_like B>
constexpr auto mod(A const& a, B const& b) {
  return remainder(a, b);
}
// a^b (jax.numpy.power). A C++ int as the exponent gives integer_pow.
template <array_like A, array_like B>
constexpr auto power(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, "exprax: power: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::power_op>(a, b);
}
template <array_like A, array_like B>
constexpr auto pow(A const& a, B const& b) {
  return power(a, b);
}

}  // namespace exprax

// exprax/numpy/operators.hpp
// The operators + - * / % & | ^ ~ and == != < <= > >= of traced values and arrays. C++ has no // and **: floor_divide and
// power. && || ! stay undefined: a traced value has no truth while tracing.

namespace exprax {

namespace detail {

// At least one operand is ours.
template <class A, class B>
concept operator_pair = array_like<A> && array_like<B> && (!number<A> || !number<B>);

}  // namespace detail

template <array_like X>
  requires(!detail::number<X>)
constexpr auto operator-(X const& x) {
  static_assert(detail::is_a_number<X>, "exprax: negative: does not accept bool: use logical_not, or convert with astype<int>");
  return detail::apply<detail::negative_op>(x);
}
template <array_like X>
  requires(!detail::number<X>)
constexpr auto operator+(X const& x) {
  return x;
}
template <array_like X>
  requires(!detail::number<X>)
constexpr auto operator~(X const& x) {
  static_assert(!detail::has_no_bits<X>, "exprax: bitwise_not (~): does not accept floats: use logical_not, or convert with astype<int>");
  return detail::apply<detail::invert_op>(x);
}

template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator+(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, "exprax: add: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::add_op>(a, b);
}
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator-(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>,
                "exprax: subtract: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  static_assert(detail::subtracts<A, B>, "exprax: subtract: does not accept two bools: use ^ or logical_xor, or convert with astype<int>");
  return detail::apply<detail::subtract_op>(a, b);
}
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator*(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>,
                "exprax: multiply: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::multiply_op>(a, b);
}
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator/(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, "exprax: divide: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::divide_op>(a, b);
}
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator&(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>,
                "exprax: bitwise_and: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  static_assert(detail::has_bits<A, B>, "exprax: bitwise_and (&): does not accept floats: use logical_and, or convert with astype<int>");
  return detail::apply<detail::bitwise_op<prim::and_>>(a, b);
}
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator|(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>,
                "exprax: bitwise_or: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  static_assert(detail::has_bits<A, B>, "exprax: bitwise_or (|): does not accept floats: use logical_or, or convert with astype<int>");
  return detail::apply<detail::bitwise_op<prim::or_>>(a, b);
}
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator^(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>,
                "exprax: bitwise_xor: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  static_assert(detail::has_bits<A, B>, "exprax: bitwise_xor (^): does not accept floats: use logical_xor, or convert with astype<int>");
  return detail::apply<detail::bitwise_op<prim::xor_>>(a, b);
}
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator%(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>,
                "exprax: remainder: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::remainder_op>(a, b);
}

// The commonest case, in few constexpr steps: equal types.
template <class T, int... D>
  requires(!is_bool(dtype_of<T>))
constexpr expr<T, D...> operator+(expr<T, D...> const& a, expr<T, D...> const& b) {
  return detail::expr_access::bind<expr<T, D...>>(prim::add, {}, a, b);
}
template <class T, int... D>
  requires(!is_bool(dtype_of<T>))
constexpr expr<T, D...> operator-(expr<T, D...> const& a, expr<T, D...> const& b) {
  return detail::expr_access::bind<expr<T, D...>>(prim::sub, {}, a, b);
}
template <class T, int... D>
  requires(!is_bool(dtype_of<T>))
constexpr expr<T, D...> operator*(expr<T, D...> const& a, expr<T, D...> const& b) {
  return detail::expr_access::bind<expr<T, D...>>(prim::mul, {}, a, b);
}
template <class T, int... D>
  requires(is_floating(dtype_of<T>))
constexpr expr<T, D...> operator/(expr<T, D...> const& a, expr<T, D...> const& b) {
  return detail::expr_access::bind<expr<T, D...>>(prim::div, {}, a, b);
}

// Arrays are equal or not as wholes; == and != of each element are for traced values, and are called equal and not_equal otherwise.
template <class A, class B>
  requires(detail::operator_pair<A, B> && (detail::tracer<A> || detail::tracer<B>))
constexpr auto operator==(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, "exprax: equal: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::comparison_op<prim::eq>>(a, b);
}
template <class A, class B>
  requires(detail::operator_pair<A, B> && (detail::tracer<A> || detail::tracer<B>))
constexpr auto operator!=(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>,
                "exprax: not_equal: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::comparison_op<prim::ne>>(a, b);
}
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator<(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, "exprax: less: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::comparison_op<prim::lt>>(a, b);
}
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator<=(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>,
                "exprax: less_equal: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::comparison_op<prim::le>>(a, b);
}
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator>(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>, "exprax: greater: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::comparison_op<prim::gt>>(a, b);
}
template <class A, class B>
  requires detail::operator_pair<A, B>
constexpr auto operator>=(A const& a, B const& b) {
  static_assert(detail::broadcasts<A, B>,
                "exprax: greater_equal: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::comparison_op<prim::ge>>(a, b);
}

}  // namespace exprax

// exprax/numpy/shaping.hpp
// The same elements in another shape (jax.numpy): reshape, ravel, expand_dims, squeeze. Axes are template arguments or
// axis<...>; negative ones count from the end.

namespace exprax {

namespace detail {

constexpr int normal_axis(int axis, int rank) { return axis < 0 ? axis + rank : axis; }

// Axes counted from the front, each in range and none twice.
struct axis_set {
  int of[max_rank] = {};
  int n = 0;
  bool valid = true;
  constexpr bool has(int axis) const {
    for (int i = 0; i < n; ++i)
      if (of[i] == axis) return true;
    return false;
  }
};
template <int... Axes>
constexpr axis_set normal_axes(int rank) {
  axis_set s;
  int const given[] = {Axes..., 0};
  for (int i = 0; i < static_cast<int>(sizeof...(Axes)); ++i) {
    int const a = normal_axis(given[i], rank);
    if (a < 0 || a >= rank || s.n == max_rank || s.has(a))
      s.valid = false;
    else
      s.of[s.n++] = a;
  }
  return s;
}
constexpr axis_set sorted(axis_set s) {
  for (int i = 1; i < s.n; ++i)
    for (int k = i; k > 0 && s.of[k] < s.of[k - 1]; --k) {
      int const t = s.of[k];
      s.of[k] = s.of[k - 1];
      s.of[k - 1] = t;
    }
  return s;
}
constexpr param_list list_of(axis_set const& s) {
  param_list l;
  for (int i = 0; i < s.n; ++i) l.push(s.of[i]);
  return l;
}

// Axes of 1 at places of the result (jax.lax.expand_dims).
struct expansion {
  aval result;
  param_list params;
};
constexpr expansion expand(aval const& x, axis_set const& places) {
  expansion e{aval(x.type, x.weak), {}};
  param_list kept;
  int from = 0;
  for (int i = 0; i < x.rank + places.n; ++i) {
    bool const added = places.has(i);
    if (!added) kept.push(i);
    e.result.dims[e.result.rank++] = added ? 1 : x.dims[from++];
  }
  for (int i = 0; i < e.result.rank; ++i) e.params.push(e.result.dims[i]);
  for (int i = 0; i < kept.n; ++i) e.params.push(kept.at[i]);
  return e;
}
template <class X, int... Axes>
struct expanded_shape {
  static constexpr expansion of = expand(aval_in<X>, normal_axes<Axes...>(rank_in<X> + static_cast<int>(sizeof...(Axes))));
  static constexpr aval value = of.result;
};
template <int... Axes, tracer X>
constexpr auto expanded(X const& x) {
  if constexpr (sizeof...(Axes) == 0)
    return x;
  else
    return bind<expr_from<expanded_shape<X, Axes...>>>(prim::broadcast_in_dim, expanded_shape<X, Axes...>::of.params, x);
}
template <int... Axes>
struct expand_dims_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return expanded<Axes...>(as_traced(x));
  }
};

// Without some axes of 1 (jax.lax.squeeze).
template <class X, class Axes>
struct squeezed_shape {
  static constexpr param_list params = list_of(Axes::value);
  static constexpr aval value = [] {
    aval a(aval_in<X>.type, aval_in<X>.weak);
    for (int i = 0; i < rank_in<X>; ++i)
      if (!Axes::value.has(i)) a.dims[a.rank++] = aval_in<X>.dims[i];
    return a;
  }();
};
template <class Axes, tracer X>
constexpr auto squeezed(X const& x) {
  if constexpr (Axes::value.n == 0)
    return x;
  else
    return bind<expr_from<squeezed_shape<X, Axes>>>(prim::squeeze, squeezed_shape<X, Axes>::params, x);
}
template <class X, int... Axes>
struct squeezed_axes {
  static constexpr axis_set value = [] {
    if (sizeof...(Axes)) return sorted(normal_axes<Axes...>(rank_in<X>));
    axis_set s;
    for (int i = 0; i < rank_in<X>; ++i)
      if (aval_in<X>.dims[i] == 1) s.of[s.n++] = i;
    return s;
  }();
  static constexpr bool ones = [] {
    for (int i = 0; i < value.n; ++i)
      if (aval_in<X>.dims[value.of[i]] != 1) return false;
    return true;
  }();
};
template <int... Axes>
struct squeeze_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using axes = squeezed_axes<X, Axes...>;
    return squeezed<axes>(as_traced(x));
  }
};

// One size may be -1: what is left.
template <class X, int... Sizes>
struct reshaped_shape {
  static constexpr aval value = [] {
    aval a(aval_in<X>.type, {Sizes...}, aval_in<X>.weak);
    std::ptrdiff_t known = 1;
    int open = -1;
    for (int i = 0; i < a.rank; ++i) {
      if (a.dims[i] == -1 && open < 0)
        open = i;
      else
        known *= a.dims[i];
    }
    if (open >= 0) a.dims[open] = known ? static_cast<int>(aval_in<X>.size() / known) : 0;
    return a;
  }();
  static constexpr bool fits = value.size() == aval_in<X>.size() && ((Sizes >= -1) && ...) && (0 + ... + (Sizes == -1)) <= 1;
  static constexpr param_list params = [] {
    param_list l;
    for (int i = 0; i < value.rank; ++i) l.push(value.dims[i]);
    return l;
  }();
};
template <int... Sizes, tracer X>
constexpr auto reshaped(X const& x) {
  using to = reshaped_shape<X, Sizes...>;
  if constexpr (X::rank > 0 && to::value.same_shape(X::type))
    return x;
  else
    return bind<expr_from<to>>(prim::reshape, to::params, x);
}
template <int... Sizes>
struct reshape_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return reshaped<Sizes...>(as_traced(x));
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X, int... Sizes>
inline constexpr bool reshapes_to = reshaped_shape<X, Sizes...>::fits;
template <class X, int... Axes>
inline constexpr bool can_add_axes = normal_axes<Axes...>(rank_in<X> + static_cast<int>(sizeof...(Axes))).valid;
template <class X, int... Axes>
inline constexpr bool can_squeeze = squeezed_axes<X, Axes...>::value.valid && squeezed_axes<X, Axes...>::ones;

}  // namespace detail

// reshape<6, -1>(x): the elements in row-major order; one size may be -1.
template <int... Sizes, array_like X>
constexpr auto reshape(X const& x) {
  static_assert(detail::reshapes_to<X, Sizes...>, "exprax: reshape: the number of elements must stay the same");
  return detail::apply<detail::reshape_op<Sizes...>>(x);
}
template <array_like X>
constexpr auto ravel(X const& x) {
  return reshape<-1>(x);
}
// expand_dims(x, axis<0>): new axes of 1, counted in the result.
template <array_like X, int... Axes>
constexpr auto expand_dims(X const& x, axis_t<Axes...>) {
  static_assert(detail::can_add_axes<X, Axes...>, "exprax: expand_dims: an axis is repeated, or out of range for the result");
  return detail::apply<detail::expand_dims_op<Axes...>>(x);
}
// squeeze(x): without all axes of 1; squeeze(x, axis<0>): without this one.
template <array_like X>
constexpr auto squeeze(X const& x) {
  return detail::apply<detail::squeeze_op<>>(x);
}
template <array_like X, int... Axes>
constexpr auto squeeze(X const& x, axis_t<Axes...>) {
  static_assert(detail::can_squeeze<X, Axes...>, "exprax: squeeze: an axis is repeated or out of range, or its size is not 1");
  return detail::apply<detail::squeeze_op<Axes...>>(x);
}

}  // namespace exprax

// exprax/numpy/transpose.hpp
// The same elements in another order (jax.numpy): transpose, moveaxis, swapaxes, flip, and rev of jax.lax.

namespace exprax {

namespace detail {

template <class X, int... Axes>
struct transposed_shape {
  static constexpr axis_set permutation = [] {
    if (sizeof...(Axes) || rank_in<X> == 0) return normal_axes<Axes...>(rank_in<X>);
    axis_set s;
    for (int i = rank_in<X> - 1; i >= 0; --i) s.of[s.n++] = i;
    return s;
  }();
  static constexpr bool fits = permutation.valid && permutation.n == rank_in<X>;
  static constexpr bool trivial = [] {
    for (int i = 0; i < permutation.n; ++i)
      if (permutation.of[i] != i) return false;
    return true;
  }();
  static constexpr param_list params = list_of(permutation);
  static constexpr aval value = [] {
    aval a = aval_in<X>;
    for (int i = 0; i < permutation.n; ++i) a.dims[i] = aval_in<X>.dims[permutation.of[i]];
    return a;
  }();
};
template <int... Axes>
struct transpose_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using to = transposed_shape<X, Axes...>;
    if constexpr (to::trivial)
      return expr_type<X>(as_traced(x));
    else
      return bind<expr_from<to>>(prim::transpose, to::params, as_traced(x));
  }
};

// The permutation that moves axis From to place To.
template <class Indices, int Rank, int From, int To>
struct moved;
template <int... I, int Rank, int From, int To>
struct moved<std::integer_sequence<int, I...>, Rank, From, To> {
  static constexpr int from_at(int place) {
    if (place == To) return From;
    int const rank_among_others = place < To ? place : place - 1;
    return rank_among_others < From ? rank_among_others : rank_among_others + 1;
  }
  using type = transpose_op<from_at(I)...>;
};
template <int From, int To>
struct moveaxis_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    constexpr int from = normal_axis(From, rank_in<X>), to = normal_axis(To, rank_in<X>);
    return typename moved<std::make_integer_sequence<int, rank_in<X>>, rank_in<X>, from, to>::type{}(x);
  }
};
template <class Indices, int A, int B>
struct swapped;
template <int... I, int A, int B>
struct swapped<std::integer_sequence<int, I...>, A, B> {
  using type = transpose_op<(I == A ? B : I == B ? A : I)...>;
};
template <int A, int B>
struct swapaxes_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    constexpr int a = normal_axis(A, rank_in<X>), b = normal_axis(B, rank_in<X>);
    return typename swapped<std::make_integer_sequence<int, rank_in<X>>, a, b>::type{}(x);
  }
};

// The order of elements reversed along some axes (jax.lax.rev).
template <class X, int... Axes>
inline constexpr param_list rev_params = list_of([] {
  if (sizeof...(Axes)) return normal_axes<Axes...>(rank_in<X>);
  axis_set s;
  for (int i = 0; i < rank_in<X>; ++i) s.of[s.n++] = i;
  return s;
}());
template <int... Axes>
struct rev_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return bind<expr_type<X>>(prim::rev, rev_params<X, Axes...>, as_traced(x));
  }
};
template <int... Axes>
struct flip_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return named_call<rev_op<Axes...>>("_flip", x);
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X, int... Axes>
inline constexpr bool permutes = transposed_shape<X, Axes...>::fits;
template <class X, int... Axes>
inline constexpr bool has_axes = normal_axes<Axes...>(rank_in<X>).valid;

}  // namespace detail

// transpose(x) reverses all axes; transpose<2, 0, 1>(x) permutes them.
template <int... Axes, array_like X>
constexpr auto transpose(X const& x) {
  static_assert(detail::permutes<X, Axes...>, "exprax: transpose: the axes must be a permutation of all axes");
  return detail::apply<detail::transpose_op<Axes...>>(x);
}
template <int From, int To, array_like X>
constexpr auto moveaxis(X const& x) {
  static_assert(detail::has_axes<X, From> && detail::has_axes<X, To>, "exprax: moveaxis: an axis is out of range");
  return detail::apply<detail::moveaxis_op<From, To>>(x);
}
template <int A, int B, array_like X>
constexpr auto swapaxes(X const& x) {
  static_assert(detail::has_axes<X, A> && detail::has_axes<X, B>, "exprax: swapaxes: an axis is out of range");
  return detail::apply<detail::swapaxes_op<A, B>>(x);
}
// flip(x), flip(x, axis<1>): reversed along all or some axes.
template <array_like X>
constexpr auto flip(X const& x) {
  return detail::apply<detail::flip_op<>>(x);
}
template <array_like X, int... Axes>
constexpr auto flip(X const& x, axis_t<Axes...>) {
  static_assert(detail::has_axes<X, Axes...>, "exprax: flip: an axis is repeated or out of range");
  return detail::apply<detail::flip_op<Axes...>>(x);
}
// The same as one equation (jax.lax.rev).
template <array_like X, int... Axes>
constexpr auto rev(X const& x, axis_t<Axes...>) {
  static_assert(detail::has_axes<X, Axes...>, "exprax: rev: an axis is repeated or out of range");
  return detail::apply<detail::rev_op<Axes...>>(x);
}

}  // namespace exprax

// exprax/numpy/joining.hpp
// Several arrays as one (jax.numpy): concatenate, stack, vstack, hstack, append, and pad. What they join are arguments, or
// the elements of a tuple, or of a std::array of traced values.

#include <array>
#include <tuple>

namespace exprax {

namespace detail {

// The shape of x, with another size along one axis.
template <class X, int Axis, int Size>
struct resized_shape {
  static constexpr aval value = [] {
    aval a = aval_in<X>;
    a.dims[Axis] = Size;
    return a;
  }();
};
template <int Axis>
inline constexpr int axis_params[] = {Axis};

template <class A, class B>
constexpr bool same_but_for(int axis) {
  if (rank_in<A> != rank_in<B>) return false;
  for (int i = 0; i < rank_in<A>; ++i)
    if (i != axis && aval_in<A>.dims[i] != aval_in<B>.dims[i]) return false;
  return true;
}

// Conditions of static_asserts: compilers print the types.
template <int Axis, class First, class... Rest>
inline constexpr bool joins = normal_axis(Axis, rank_in<First>) >= 0 && normal_axis(Axis, rank_in<First>) < rank_in<First> &&
                              (same_but_for<First, Rest>(normal_axis(Axis, rank_in<First>)) && ...);
template <int Axis, class First, class... Rest>
inline constexpr bool stacks = normal_axis(Axis, rank_in<First> + 1) >= 0 && normal_axis(Axis, rank_in<First> + 1) <= rank_in<First> &&
                               (same_but_for<First, Rest>(-1) && ...);

// concatenate along an axis that is counted from the front.
template <int Axis, tracer First, tracer... Rest>
constexpr auto joined(First const& first, Rest const&... rest) {
  using type = promote_t<type_in<First>, type_in<Rest>...>;
  if constexpr (sizeof...(Rest) == 0) {
    return first;
  } else if constexpr (std::is_same_v<type_in<First>, type> && (std::is_same_v<type_in<Rest>, type> && ...)) {
    using out = expr_from<resized_shape<First, Axis, (aval_in<First>.dims[Axis] + ... + aval_in<Rest>.dims[Axis])>>;
    return bind<out>(prim::concatenate, axis_params<Axis>, first, rest...);
  } else {
    std::tuple<expr_like<First, type>, expr_like<Rest, type>...> const cast_all{as_expr<type>(first), as_expr<type>(rest)...};
    return std::apply([](auto const&... x) { return joined<Axis>(x...); }, cast_all);
  }
}

template <int Axis>
struct concatenate_op {
  template <operand First, operand... Rest>
  constexpr auto operator()(First const& first, Rest const&... rest) const {
    return joined<normal_axis(Axis, rank_in<First>)>(as_traced(first), as_traced(rest)...);
  }
};
template <int Axis>
struct stack_op {
  template <operand First, operand... Rest>
  constexpr auto operator()(First const& first, Rest const&... rest) const {
    constexpr int axis = normal_axis(Axis, rank_in<First> + 1);
    auto const parts = std::tuple{expanded<axis>(as_traced(first)), expanded<axis>(as_traced(rest))...};
    return std::apply([](auto const&... x) { return joined<axis>(x...); }, parts);
  }
};

// At least one axis, at least two.
template <operand X>
constexpr auto at_least_1d(X const& x) {
  if constexpr (rank_in<X> == 0)
    return expanded<0>(as_traced(x));
  else
    return expr_type<X>(as_traced(x));
}
template <operand X>
constexpr auto at_least_2d(X const& x) {
  if constexpr (rank_in<X> == 0)
    return expanded<0, 1>(as_traced(x));
  else if constexpr (rank_in<X> == 1)
    return expanded<0>(as_traced(x));
  else
    return expr_type<X>(as_traced(x));
}
struct vstack_op {
  template <operand... X>
  constexpr auto operator()(X const&... x) const {
    auto const parts = std::tuple{at_least_2d(x)...};
    return std::apply([](auto const&... p) { return joined<0>(p...); }, parts);
  }
};
struct hstack_op {
  template <operand First, operand... X>
  constexpr auto operator()(First const& first, X const&... x) const {
    auto const parts = std::tuple{at_least_1d(first), at_least_1d(x)...};
    return std::apply([](auto const&... p) { return joined<(rank_in<First> > 1)>(p...); }, parts);
  }
};

template <class Axis>
struct append_body {
  template <tracer X, tracer V>
  constexpr auto operator()(X const& x, V const& values) const {
    return joined<normal_axis(Axis::value, rank_in<X>)>(x, values);
  }
};
template <>
struct append_body<void> {
  template <tracer X, tracer V>
  constexpr auto operator()(X const& x, V const& values) const {
    auto const a = reshaped<-1>(x);
    auto const b = reshaped<-1>(values);
    return joined<0>(a, b);
  }
};
template <class Axis>
struct append_op {
  template <operand X, operand V>
  constexpr auto operator()(X const& x, V const& values) const {
    return named_call<append_body<Axis>>("append", x, values);
  }
};

// A std::array of traced values: one type, and a number of them that may be large.
template <class E, std::size_t N, int... D>
struct stacked_shape {
  static constexpr aval value = [] {
    aval a = E::type;
    return a;
  }();
};
template <int Axis, class E>
struct stack_element {
  using type = decltype(expanded<Axis>(std::declval<E const&>()));
};
template <int Axis, class E, std::size_t N>
constexpr auto stacked(std::array<E, N> const& x) {
  static_assert(N > 0, "exprax: stack: need at least one array to stack");
  using part = typename stack_element<Axis, E>::type;
  arena<handle> parts;
  for (E const& e : x) parts.push(expr_access::get(expanded<Axis>(e)));
  return bind_list<expr_from<resized_shape<part, Axis, static_cast<int>(N)>>>(prim::concatenate, axis_params<Axis>, parts);
}
template <int Axis, class E, std::size_t N>
constexpr auto concatenated(std::array<E, N> const& x) {
  static_assert(N > 0, "exprax: concatenate: need at least one array");
  arena<handle> parts;
  for (E const& e : x) parts.push(expr_access::get(e));
  return bind_list<expr_from<resized_shape<E, Axis, static_cast<int>(N) * E::extent(Axis)>>>(prim::concatenate, axis_params<Axis>, parts);
}

template <class X, int... Widths>
struct padded_shape {
  static constexpr int given[sizeof...(Widths)] = {Widths...};
  static constexpr bool fits = sizeof...(Widths) == 1 || sizeof...(Widths) == 2 || sizeof...(Widths) == 2 * rank_in<X>;
  static constexpr int low(int axis) { return sizeof...(Widths) <= 2 ? given[0] : given[2 * axis]; }
  static constexpr int high(int axis) { return sizeof...(Widths) <= 2 ? given[sizeof...(Widths) - 1] : given[2 * axis + 1]; }
  static constexpr aval value = [] {
    aval a = aval_in<X>;
    for (int i = 0; i < a.rank; ++i) a.dims[i] += low(i) + high(i);
    return a;
  }();
  static constexpr param_list params = [] {
    param_list l;
    for (int i = 0; i < rank_in<X>; ++i) l.push(low(i));
    for (int i = 0; i < rank_in<X>; ++i) l.push(high(i));
    for (int i = 0; i < rank_in<X>; ++i) l.push(0);
    return l;
  }();
};
template <int... Widths>
struct pad_body {
  template <tracer X, tracer V>
  constexpr auto operator()(X const& x, V const& value) const {
    using to = padded_shape<X, Widths...>;
    auto&& v = cast<type_in<X>>(value);
    return bind<expr_from<to>>(prim::pad, to::params, x, v);
  }
};
template <int... Widths>
struct pad_op {
  template <operand X, operand V>
  constexpr auto operator()(X const& x, V const& value) const {
    static_assert(padded_shape<X, Widths...>::fits, "exprax: pad: give one width, (before, after), or two widths for each axis");
    static_assert(((Widths >= 0) && ...), "exprax: pad: index can't contain negative values");
    static_assert(rank_in<V> == 0, "exprax: pad: the padding value must be a scalar");
    return named_call<pad_body<Widths...>>("_pad", x, value);
  }
};

}  // namespace detail

// Joined along axis 0, or axis<k>: concatenate(x, y), concatenate(tuple(x, y), axis<1>).
template <array_like... X>
constexpr auto concatenate(X const&... x) {
  static_assert(detail::joins<0, X...>,
                "exprax: concatenate: the shapes must be equal but for the axis along which they are joined, and scalars need stack");
  return detail::apply<detail::concatenate_op<0>>(x...);
}
template <array_like... X, int Axis = 0>
constexpr auto concatenate(std::tuple<X...> const& x, axis_t<Axis> = {}) {
  static_assert(detail::joins<Axis, X...>,
                "exprax: concatenate: the shapes must be equal but for the axis along which they are joined, and scalars need stack");
  return std::apply([](auto const&... p) { return detail::apply<detail::concatenate_op<Axis>>(p...); }, x);
}
template <detail::tracer E, std::size_t N, int Axis = 0>
constexpr auto concatenate(std::array<E, N> const& x, axis_t<Axis> = {}) {
  static_assert(detail::joins<Axis, E>,
                "exprax: concatenate: the shapes must be equal but for the axis along which they are joined, and scalars need stack");
  return detail::concatenated<detail::normal_axis(Axis, E::rank)>(x);
}
// Joined along a new axis: stack(x, y), stack(tuple(x, y), axis<1>), stack(std::array of traced values).
template <array_like... X>
constexpr auto stack(X const&... x) {
  static_assert(detail::stacks<0, X...>, "exprax: stack: the shapes must be equal, and the axis one of the result");
  return detail::apply<detail::stack_op<0>>(x...);
}
template <array_like... X, int Axis = 0>
constexpr auto stack(std::tuple<X...> const& x, axis_t<Axis> = {}) {
  static_assert(detail::stacks<Axis, X...>, "exprax: stack: the shapes must be equal, and the axis one of the result");
  return std::apply([](auto const&... p) { return detail::apply<detail::stack_op<Axis>>(p...); }, x);
}
template <detail::tracer E, std::size_t N, int Axis = 0>
constexpr auto stack(std::array<E, N> const& x, axis_t<Axis> = {}) {
  return detail::stacked<detail::normal_axis(Axis, E::rank + 1)>(x);
}
// As rows; as columns.
template <array_like... X>
constexpr auto vstack(X const&... x) {
  return detail::apply<detail::vstack_op>(x...);
}
template <array_like... X>
constexpr auto vstack(std::tuple<X...> const& x) {
  return std::apply([](auto const&... p) { return vstack(p...); }, x);
}
template <array_like... X>
constexpr auto hstack(X const&... x) {
  return detail::apply<detail::hstack_op>(x...);
}
template <array_like... X>
constexpr auto hstack(std::tuple<X...> const& x) {
  return std::apply([](auto const&... p) { return hstack(p...); }, x);
}
// append(x, values): both flat, one after the other; append(x, values, axis<k>): along an axis.
template <array_like X, array_like V>
constexpr auto append(X const& x, V const& values) {
  return detail::apply<detail::append_op<void>>(x, values);
}
template <array_like X, array_like V, int Axis>
constexpr auto append(X const& x, V const& values, axis_t<Axis>) {
  return detail::apply<detail::append_op<std::integral_constant<int, Axis>>>(x, values);
}
// pad<1>(x), pad<before, after>(x), pad<b0, a0, b1, a1>(x): zeros, or the value given, around x.
template <int... Widths, array_like X, array_like V = int>
constexpr auto pad(X const& x, V const& value = 0) {
  return detail::apply<detail::pad_op<Widths...>>(x, value);
}

}  // namespace exprax

// exprax/numpy/creation.hpp
// Arrays from nothing (jax.numpy): zeros, ones, full, their _like forms, arange, eye, linspace. The dtype is the first
// template argument, float if it is left out, and sizes follow: zeros<float, 64, 32>(), zeros<64, 32>(), arange<5>().

namespace exprax {

namespace detail {

template <class T, int... Dims, class V>
constexpr expr<T, Dims...> filled(V const& value) {
  if constexpr (tracer<V>) {
    static_assert(rank_in<V> == 0, "exprax: full: the fill value must be a scalar: use broadcast_to for an array");
    return broadcast_shape<shape_value<Dims...>>(cast<T>(value));
  } else if constexpr (sizeof...(Dims) == 0) {
    return as_expr<T>(value);
  } else {
    return broadcast_shape<shape_value<Dims...>>(cast<T>(value));
  }
}

// A constant of the shape of x, recorded where x is.
template <class Out, class X>
constexpr Out full_like(X const& x, typename Out::value_type value) {
  std::uint64_t const bits = to_bits(value);
  return broadcast_shape<shape_in<Out>>(constant<expr<typename Out::dtype_type>>(expr_access::get(x), {&bits, 1}));
}
template <int Value, class T>
struct constant_like_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using type = std::conditional_t<std::is_void_v<T>, type_in<X>, T>;
    return full_like<expr_like<X, type>>(as_traced(x), static_cast<strong_t<type>>(Value));
  }
};
template <class T>
struct full_like_op {
  template <operand X, operand V>
  constexpr auto operator()(X const&, V const& value) const {
    using type = std::conditional_t<std::is_void_v<T>, type_in<X>, T>;
    static_assert(rank_in<V> == 0, "exprax: full_like: the fill value must be a scalar");
    return broadcast_shape<shape_in<X>>(as_expr<type>(value));
  }
};

// 0, 1, 2, ... along an axis (jax.lax.broadcasted_iota).
template <class T, int Axis, int... Dims>
inline constexpr int iota_params[] = {static_cast<int>(dtype_of<T>), Axis, Dims...};
template <class T, int Axis, int... Dims>
constexpr expr<T, Dims...> broadcasted_iota() {
  return bind<expr<T, Dims...>>(prim::iota, iota_params<T, Axis, Dims...>);
}

// The same, recorded where x is.
template <class T, int Axis, int... Dims, tracer X>
constexpr expr<T, Dims...> broadcasted_iota_near(X const& x) {
  handle const h = resolve(expr_access::get(x));
  int const type = h.on->find_static_type(expr<T, Dims...>::type);
  return expr_access::make<expr<T, Dims...>>(h.on, h.on->record(prim::iota, {}, iota_params<T, Axis, Dims...>, {&type, 1}));
}

// The number of steps of size `step` from start up to, and without, stop.
template <class N>
constexpr int steps(N start, N stop, N step) {
  auto const exact = (static_cast<double>(stop) - static_cast<double>(start)) / static_cast<double>(step);
  if (exact <= 0) return 0;
  int const n = static_cast<int>(exact);
  return n < exact ? n + 1 : n;
}
template <class T, auto Start, auto Stop>
constexpr auto arange_from() {
  constexpr int n = steps<double>(Start, Stop, 1);
  if constexpr (Start == 0)
    return broadcasted_iota<T, 0, n>();
  else
    return bind<expr<T, n>>(prim::add, {}, lit<T>{static_cast<T>(Start)}, broadcasted_iota<T, 0, n>());
}
template <class T, auto Start, auto Stop, auto Step>
constexpr auto arange_by() {
  static_assert(Step != 0, "exprax: arange: the step must not be 0");
  constexpr int n = steps<double>(Start, Stop, Step);
  auto const scaled = bind<expr<T, n>>(prim::mul, {}, lit<T>{static_cast<T>(Step)}, broadcasted_iota<T, 0, n>());
  return bind<expr<T, n>>(prim::add, {}, lit<T>{static_cast<T>(Start)}, scaled);
}
template <class T, auto... Range>
constexpr auto arange() {
  static_assert(sizeof...(Range) >= 1 && sizeof...(Range) <= 3, "exprax: arange<stop>, arange<start, stop> or arange<start, stop, step>");
  if constexpr (sizeof...(Range) == 1)
    return arange_from<T, 0, Range...>();
  else if constexpr (sizeof...(Range) == 2)
    return arange_from<T, Range...>();
  else
    return arange_by<T, Range...>();
}

template <class T, int N, int M, int K>
constexpr auto eye() {
  auto const row = broadcasted_iota<std::int32_t, 0, N, M>();
  auto const column = broadcasted_iota<std::int32_t, 1, N, M>();
  return cast<T>(expr<bool, N, M>(equal(add(row, K), column)));
}

// Inside of jit[name=_linspace]; both ends come out exactly.
template <class T, int N, bool Endpoint>
struct linspace_body {
  template <tracer A, tracer B>
  constexpr auto operator()(A const& start, B const& stop) const {
    static_assert(rank_in<A> == 0 && rank_in<B> == 0, "exprax: linspace: start and stop must be scalars");
    using type = inexact_t<T>;
    expr<type> const a = cast<type>(start);
    expr<type> const b = cast<type>(stop);
    return cast<T>(samples<type>(a, b));
  }

 private:
  template <class F>
  static constexpr expr<F, N> samples(expr<F> const& a, expr<F> const& b) {
    if constexpr (N == 0) {
      return filled<F, 0>(0);
    } else if constexpr (N == 1) {
      return reshaped<1>(a);
    } else {
      constexpr int div = Endpoint ? N - 1 : N;
      auto const difference = subtract(b, a);
      divide(difference, F(div));  // JAX computes the step, and drops it
      auto const count = broadcasted_iota_near<F, 0, div>(a);
      auto const step = divide(count, F(div));
      auto const first = reshaped<1>(a);
      auto const rest = subtract(1, step);
      auto const from_first = multiply(first, rest);
      auto const last = reshaped<1>(b);
      auto const from_last = multiply(last, step);
      auto const inner = add(from_first, from_last);
      if constexpr (Endpoint)
        return joined<0>(inner, expanded<0>(b));
      else
        return inner;
    }
  }
};
template <class T, int N, bool Endpoint>
struct linspace_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& start, B const& stop) const {
    using type = std::conditional_t<std::is_void_v<T>, strong_t<inexact_t<promote_t<type_in<A>, type_in<B>>>>, T>;
    return named_call<linspace_body<type, N, Endpoint>>("_linspace", start, stop);
  }
};

}  // namespace detail

template <class T, int... Dims>
constexpr auto zeros() {
  return detail::filled<canonical_t<T>, Dims...>(0);
}
template <int... Dims>
constexpr auto zeros() {
  return zeros<float, Dims...>();
}
template <class T, int... Dims>
constexpr auto ones() {
  return detail::filled<canonical_t<T>, Dims...>(1);
}
template <int... Dims>
constexpr auto ones() {
  return ones<float, Dims...>();
}
// full<float, 2, 3>(v): v, a number or a traced scalar, 2 * 3 times.
template <class T, int... Dims, detail::operand V>
constexpr auto full(V const& value) {
  return detail::filled<canonical_t<T>, Dims...>(value);
}
// The dtype of v: int32 for a C++ integer, float for a floating number.
template <int... Dims, detail::operand V>
constexpr auto full(V const& value) {
  return detail::filled<detail::type_in<V>, Dims...>(value);
}

// Of the shape of x, and of its dtype if none is given: zeros_like(x), zeros_like<int>(x).
template <class T = void, array_like X>
constexpr auto zeros_like(X const& x) {
  return detail::apply<detail::constant_like_op<0, T>>(x);
}
template <class T = void, array_like X>
constexpr auto ones_like(X const& x) {
  return detail::apply<detail::constant_like_op<1, T>>(x);
}
template <class T = void, array_like X, array_like V>
constexpr auto full_like(X const& x, V const& value) {
  return detail::apply<detail::full_like_op<T>>(x, value);
}

// start, start + step, ... below stop: arange<stop>(), arange<start, stop>(), arange<start, stop, step>(). Whole numbers
// give int32, others float; a dtype may stand first.
template <class T, auto... Range>
constexpr auto arange() {
  return detail::arange<canonical_t<T>, Range...>();
}
template <auto... Range>
  requires(sizeof...(Range) > 0)
constexpr auto arange() {
  return detail::arange<std::conditional_t<(std::is_integral_v<decltype(Range)> && ...), std::int32_t, float>, Range...>();
}
// 0, 1, 2, ... along an axis of an array (jax.lax.broadcasted_iota), and iota<T, n>().
template <class T, int Axis, int... Dims>
constexpr auto broadcasted_iota() {
  return detail::broadcasted_iota<canonical_t<T>, Axis, Dims...>();
}
template <class T, int N>
constexpr auto iota() {
  return detail::broadcasted_iota<canonical_t<T>, 0, N>();
}

// Ones on the diagonal K of N rows and M columns.
template <class T, int N, int M = N, int K = 0>
constexpr auto eye() {
  return detail::eye<canonical_t<T>, N, M, K>();
}
template <int N, int M = N, int K = 0>
constexpr auto eye() {
  return detail::eye<float, N, M, K>();
}
template <class T, int N>
constexpr auto identity() {
  return eye<T, N>();
}
template <int N>
constexpr auto identity() {
  return eye<N>();
}

// N points from start to stop, both included if Endpoint is true.
template <int N, bool Endpoint = true, detail::operand A, detail::operand B>
constexpr auto linspace(A const& start, B const& stop) {
  static_assert(N >= 0, "exprax: linspace: the number of samples must not be negative");
  return detail::linspace_op<void, N, Endpoint>{}(start, stop);
}
template <class T, int N, bool Endpoint = true, detail::operand A, detail::operand B>
constexpr auto linspace(A const& start, B const& stop) {
  static_assert(N >= 0, "exprax: linspace: the number of samples must not be negative");
  return detail::linspace_op<canonical_t<T>, N, Endpoint>{}(start, stop);
}

}  // namespace exprax

// exprax/numpy/indexing.hpp
// x(i, j), x(all, slice<1, -1>), x(newaxis, ellipsis): reads by NumPy's basic indexing. Integers known while tracing give
// slice + squeeze, traced ones dynamic_slice + squeeze. Negative integers count from the end; one that is still out of range
// is clamped.

// exprax/numpy/index_plan.hpp
// The indexing grammar, decided from types alone: which part of each axis an index expression selects, which axes vanish
// and where new ones appear (jax._src.numpy.indexing). The values of integers come later and change no shape.

#include <concepts>

namespace exprax::detail {

enum class index_kind { integer, traced, slice, newaxis, ellipsis, invalid };

struct index_item {
  index_kind kind = index_kind::invalid;
  bool has_start = false, has_stop = false;
  int start = 0, stop = 0, step = 1;
};

template <class I>
struct item_of {
  static constexpr index_item value{std::integral<I> && !std::same_as<I, bool> ? index_kind::integer : index_kind::invalid};
};
template <>
struct item_of<all_t> {
  static constexpr index_item value{index_kind::slice};
};
template <>
struct item_of<newaxis_t> {
  static constexpr index_item value{index_kind::newaxis};
};
template <>
struct item_of<ellipsis_t> {
  static constexpr index_item value{index_kind::ellipsis};
};
template <auto V>
constexpr int bound_of() {
  if constexpr (std::integral<decltype(V)>)
    return static_cast<int>(V);
  else
    return 0;
}
template <auto Start, auto Stop, int Step>
struct item_of<slice_t<Start, Stop, Step>> {
  static constexpr index_item value{
      index_kind::slice, std::integral<decltype(Start)>, std::integral<decltype(Stop)>, bound_of<Start>(), bound_of<Stop>(), Step};
};

// The elements start, start + stride, ... below limit; reversed afterwards when the step was negative.
struct axis_range {
  int start = 0, limit = 0, stride = 1;
  bool reversed = false;
  constexpr int size() const { return limit > start ? (limit - start - 1) / stride + 1 : 0; }
  constexpr bool whole(int n) const { return start == 0 && limit == n && stride == 1; }
};

constexpr int clamp_bound(int i, int n, int low, int high) {
  if (i < 0) i += n;
  return i < low ? low : i > high ? high : i;
}

// slice.indices(n) of Python, turned into a range that runs upwards.
constexpr axis_range range_of(index_item const& s, int n) {
  if (s.step > 0) {
    int const start = s.has_start ? clamp_bound(s.start, n, 0, n) : 0;
    int const stop = s.has_stop ? clamp_bound(s.stop, n, 0, n) : n;
    return {start, stop < start ? start : stop, s.step, false};
  }
  int const start = s.has_start ? clamp_bound(s.start, n, -1, n - 1) : n - 1;
  int const stop = s.has_stop ? clamp_bound(s.stop, n, -1, n - 1) : -1;
  int const count = start > stop ? (start - stop - 1) / -s.step + 1 : 0;
  if (count == 0) return {0, 0, -s.step, true};
  return {start + s.step * (count - 1), start + 1, -s.step, true};
}

struct index_plan {
  int rank = 0;                     // of what is indexed
  axis_range range[max_rank] = {};  // of each axis; an index selects one element, and gives its start when it is known
  int source[max_rank] = {};        // the argument that gives the start of the axis, or -1
  bool traced[max_rank] = {};       // whether that argument is traced
  int n_rev = 0, rev[max_rank] = {};
  int n_squeeze = 0, squeeze[max_rank] = {};
  int n_new = 0, newaxis[max_rank] = {};  // in the result
  bool dynamic = false, strided = false;
  bool too_many = false, two_ellipses = false, valid = true;
  aval sliced, squeezed, result;
};

constexpr index_plan plan_index(aval const& x, index_item const* items, int n) {
  index_plan p;
  p.rank = x.rank;
  int consumed = 0, dots = 0;
  for (int i = 0; i < n; ++i) {
    if (items[i].kind == index_kind::invalid) p.valid = false;
    if (items[i].kind == index_kind::ellipsis)
      ++dots;
    else if (items[i].kind != index_kind::newaxis)
      ++consumed;
  }
  p.two_ellipses = dots > 1;
  p.too_many = consumed > x.rank;
  if (!p.valid || p.two_ellipses || p.too_many) return p;

  p.sliced = aval(x.type, x.weak);
  p.squeezed = p.sliced;
  p.result = p.sliced;
  int axis = 0;
  auto const select = [&](index_item const& item, int argument) {
    int const size = x.dims[axis];
    if (item.kind == index_kind::slice) {
      p.range[axis] = range_of(item, size);
      p.source[axis] = -1;
      p.strided = p.strided || p.range[axis].stride != 1;
      if (p.range[axis].reversed) p.rev[p.n_rev++] = axis;
      int const count = p.range[axis].size();
      p.sliced.dims[p.sliced.rank++] = count;
      p.squeezed.dims[p.squeezed.rank++] = count;
      p.result.dims[p.result.rank++] = count;
    } else {
      p.range[axis] = {0, 1, 1, false};
      p.source[axis] = argument;
      p.traced[axis] = item.kind == index_kind::traced;
      p.dynamic = p.dynamic || p.traced[axis];
      p.squeeze[p.n_squeeze++] = axis;
      p.sliced.dims[p.sliced.rank++] = 1;
    }
    ++axis;
  };
  for (int i = 0; i < n; ++i) {
    if (items[i].kind == index_kind::newaxis) {
      p.newaxis[p.n_new++] = p.result.rank;
      p.result.dims[p.result.rank++] = 1;
    } else if (items[i].kind == index_kind::ellipsis) {
      for (int k = consumed; k < x.rank; ++k) select(index_item{index_kind::slice}, -1);
    } else {
      select(items[i], i);
    }
  }
  while (axis < x.rank) select(index_item{index_kind::slice}, -1);
  return p;
}

}  // namespace exprax::detail

namespace exprax::detail {

template <class T>
  requires(is_integer(dtype_of<T>))
struct item_of<expr<T>> {
  static constexpr index_item value{index_kind::traced};
};
template <class I>
  requires(static_constant<I> && std::integral<typename number_type<I>::type>)
struct item_of<I> {
  static constexpr index_item value{index_kind::integer};
};

// What the types of the indices decide, as an aval and lists of parameters.
template <class E, class... I>
struct indexed {
  static constexpr index_plan plan = [] {
    index_item const items[] = {item_of<I>::value..., index_item{}};
    return plan_index(E::type, items, static_cast<int>(sizeof...(I)));
  }();
  static constexpr int rank = E::rank;
  static constexpr bool whole = [] {
    for (int a = 0; a < rank; ++a)
      if (plan.source[a] >= 0 || !plan.range[a].whole(E::type.dims[a])) return false;
    return true;
  }();

  struct sliced {
    static constexpr aval value = plan.sliced;
  };
  struct squeezed {
    static constexpr aval value = plan.squeezed;
  };
  struct result {
    static constexpr aval value = plan.result;
  };
  static constexpr param_list slice_params = [] {
    param_list l;
    for (int a = 0; a < rank; ++a) l.push(plan.range[a].start);
    for (int a = 0; a < rank; ++a) l.push(plan.range[a].limit);
    for (int a = 0; a < rank && plan.strided; ++a) l.push(plan.range[a].stride);
    return l;
  }();
  static constexpr param_list sizes = [] {
    param_list l;
    for (int a = 0; a < rank; ++a) l.push(plan.sliced.dims[a]);
    return l;
  }();
  static constexpr param_list rev_params = [] {
    param_list l;
    for (int k = 0; k < plan.n_rev; ++k) l.push(plan.rev[k]);
    return l;
  }();
  static constexpr param_list squeeze_params = [] {
    param_list l;
    for (int k = 0; k < plan.n_squeeze; ++k) l.push(plan.squeeze[k]);
    return l;
  }();
  static constexpr param_list expand_params = [] {
    axis_set s;
    for (int k = 0; k < plan.n_new; ++k) s.of[s.n++] = plan.newaxis[k];
    return expand(plan.squeezed, s).params;
  }();

  // The size of the axis that an argument selects from.
  static constexpr int size_for(int argument) {
    for (int a = 0; a < rank; ++a)
      if (plan.source[a] == argument) return E::type.dims[a];
    return 0;
  }
};

// Conditions of static_asserts: compilers print the types of the array and of the indices.
template <class E, class... I>
inline constexpr bool are_indices = indexed<E, I...>::plan.valid && !indexed<E, I...>::plan.two_ellipses;
template <class E, class... I>
inline constexpr bool has_axes_for = !indexed<E, I...>::plan.too_many;
template <class E, class... I>
inline constexpr bool selects_a_block = !(indexed<E, I...>::plan.dynamic && indexed<E, I...>::plan.strided);

// A static index as 0 <= i < n.
constexpr int clamp_index(int i, int n) {
  int const k = i < 0 ? i + n : i;
  return k < 0 ? 0 : k >= n ? n - 1 : k;
}

// A traced index, wrapped once if it is negative.
template <class T>
constexpr expr<T> wrapped(expr<T> const& i, int n) {
  if constexpr (is_unsigned_integer(dtype_of<T>)) {
    return i;
  } else {
    auto const negative = bind<expr<bool>>(prim::lt, {}, i, lit<T>{});
    auto const from_end = bind<expr<T>>(prim::add, {}, i, lit<T>{static_cast<strong_t<T>>(n)});
    return bind<expr<T>>(prim::select_n, {}, negative, i, from_end);
  }
}
template <class T>
constexpr handle scalar_handle(handle const& on, T value) {
  std::uint64_t const bits = to_bits(value);
  return expr_access::get(constant<expr<T>>(on, {&bits, 1}));
}

// The dtype of a traced index.
template <class I>
inline constexpr dtype index_dtype = dtype::i32;
template <class T>
inline constexpr dtype index_dtype<expr<T>> = dtype_of<T>;

// What a start index is made of: several must have one dtype, so JAX converts all of them before it wraps them.
template <class I>
constexpr auto start_source(bool, I const&) {
  return 0;
}
template <class T>
constexpr auto start_source(std::bool_constant<true>, expr<T> const& i) {
  return convert_to<std::int32_t>(i);
}
template <class T>
constexpr auto start_source(std::bool_constant<false>, expr<T> const& i) {
  return i;
}
constexpr handle start_handle(int, int) { return {}; }
template <class T>
constexpr handle start_handle(expr<T> const& i, int n) {
  return expr_access::get(wrapped(i, n));
}

// The values of the indices that are known while tracing, by argument.
template <class I>
constexpr int static_value(I const& i) {
  if constexpr (item_of<I>::value.kind == index_kind::integer)
    return static_cast<int>(i);
  else
    return 0;
}

template <class Plan, class E, class... I>
constexpr auto read_dynamic(E const& e, I const&... index) {
  constexpr index_plan const& p = Plan::plan;
  constexpr bool all_int32 = ((item_of<I>::value.kind != index_kind::traced || index_dtype<I> == dtype::i32) && ...);
  constexpr std::bool_constant<(Plan::rank > 1 || !all_int32)> convert;
  std::tuple const sources{start_source(convert, index)...};
  int const values[] = {static_value(index)..., 0};
  arena<handle> starts;
  [&]<int... K>(std::integer_sequence<int, K...>) {
    (starts.push(start_handle(std::get<K>(sources), Plan::size_for(K))), ...);
  }(std::make_integer_sequence<int, sizeof...(I)>{});

  arena<handle> operands;
  operands.push(expr_access::get(e));
  for (int a = 0; a < Plan::rank; ++a) {
    if (p.traced[a])
      operands.push(starts[p.source[a]]);
    else
      operands.push(
          scalar_handle<std::int32_t>(operands[0], p.source[a] < 0 ? p.range[a].start : clamp_index(values[p.source[a]], E::type.dims[a])));
  }
  return bind_list<expr_from<typename Plan::sliced>>(prim::dynamic_slice, Plan::sizes, operands);
}

template <class Plan, class E, class... I>
constexpr auto read_static(E const& e, I const&... index) {
  param_list params = Plan::slice_params;
  int const values[] = {static_value(index)..., 0};
  for (int a = 0; a < Plan::rank; ++a)
    if (Plan::plan.source[a] >= 0) {
      int const i = clamp_index(values[Plan::plan.source[a]], E::type.dims[a]);
      params.at[a] = i;
      params.at[Plan::rank + a] = i + 1;
    }
  return bind<expr_from<typename Plan::sliced>>(prim::slice, params, e);
}

// The part of each axis that the indices select, before axes vanish and appear.
template <class Plan, class E, class... I>
constexpr auto selected(E const& e, I const&... index) {
  if constexpr (Plan::plan.dynamic)
    return read_dynamic<Plan>(e, index...);
  else if constexpr (Plan::whole)
    return e;
  else
    return read_static<Plan>(e, index...);
}
template <class Plan, class E>
constexpr auto reversed(E const& e) {
  if constexpr (Plan::plan.n_rev > 0)
    return bind<E>(prim::rev, Plan::rev_params, e);
  else
    return e;
}
template <class Plan, class E>
constexpr auto without_indexed_axes(E const& e) {
  if constexpr (Plan::plan.n_squeeze > 0)
    return bind<expr_from<typename Plan::squeezed>>(prim::squeeze, Plan::squeeze_params, e);
  else
    return e;
}
template <class Plan, class E>
constexpr auto with_new_axes(E const& e) {
  if constexpr (Plan::plan.n_new > 0)
    return bind<expr_from<typename Plan::result>>(prim::broadcast_in_dim, Plan::expand_params, e);
  else
    return e;
}

template <class T, int... D, class... I>
constexpr auto index_read(expr<T, D...> const& e, I const&... index) {
  static_assert(are_indices<expr<T, D...>, I...>,
                "exprax: an index must be a C++ int, a traced integer scalar, ex::all, ex::slice<...>, ex::newaxis or one ex::ellipsis "
                "(for masks and "
                "arrays of integers use ex::where, or vmap over the index)");
  static_assert(has_axes_for<expr<T, D...>, I...>, "exprax: too many indices for the array");
  static_assert(selects_a_block<expr<T, D...>, I...>,
                "exprax: a traced index beside a slice with a step: slice first, x(ex::slice<...>)(i)");
  using plan = indexed<expr<T, D...>, I...>;
  return with_new_axes<plan>(without_indexed_axes<plan>(reversed<plan>(selected<plan>(e, index...))));
}

// One element by C++ ints: the same two equations, in few constexpr steps, as loops that are unrolled while tracing read thousands.
inline constexpr int first_axes[max_rank] = {0, 1, 2, 3, 4, 5, 6, 7};
template <class T, int... D>
using unit_expr = expr<T, (D * 0 + 1)...>;
template <class T, int... D, std::integral... I>
  requires(sizeof...(I) == sizeof...(D) && sizeof...(D) > 0 && !(std::same_as<I, bool> || ...))
constexpr expr<T> index_read(expr<T, D...> const& e, I const&... index) {
  if (((static_cast<int>(index) < 0 || static_cast<int>(index) >= D) || ...))
    return index_read(e, clamp_index(static_cast<int>(index), D)...);
  int const params[] = {static_cast<int>(index)..., static_cast<int>(index) + 1 ...};
  return expr_access::bind_twice<unit_expr<T, D...>, expr<T>>(prim::slice, params, prim::squeeze, {first_axes, static_cast<int>(sizeof...(D))}, e);
}

}  // namespace exprax::detail

// exprax/numpy/update.hpp
// What an update of x.at(index...) records (numpy/at.hpp): the value in the shape of the region, the region or the index
// vector, and a scatter.

namespace exprax::detail {

// How a value of the shape of V covers the region that Plan selects in E.
template <class Plan, class V>
struct update_plan {
  static constexpr index_plan const& p = Plan::plan;
  static constexpr bool fits = [] {
    broadcast_result const r = broadcast(aval_in<V>, p.result);
    return r.fits && r.shape.same_shape(p.result);
  }();
  // Axes of the value that meet a newaxis: they have size 1, and go.
  static constexpr axis_set dropped = [] {
    axis_set s;
    for (int k = 0; k < p.n_new; ++k) {
      int const axis = p.newaxis[k] - (p.result.rank - rank_in<V>);
      if (axis >= 0) s.of[s.n++] = axis;
    }
    return s;
  }();
  struct axes {
    static constexpr axis_set value = dropped;
  };
  // The region's axes, without or with those that an integer selects, of the axes that are left, counted from the last.
  template <bool WithIndexed>
  static constexpr param_list params_for(aval const& region, int left) {
    param_list l;
    for (int i = 0; i < region.rank; ++i) l.push(region.dims[i]);
    param_list kept;
    for (int a = 0; a < Plan::rank; ++a)
      if (p.source[a] < 0) kept.push(WithIndexed ? a : kept.n);
    for (int i = 0; i < left; ++i) l.push(kept.at[kept.n - left + i]);
    return l;
  }
  template <bool WithIndexed>
  struct region {
    static constexpr aval value = WithIndexed ? p.sliced : p.squeezed;
  };
  template <bool WithIndexed>
  static constexpr param_list params = params_for<WithIndexed>(region<WithIndexed>::value, rank_in<V> - dropped.n);
  template <bool WithIndexed>
  static constexpr param_list reversed = [] {
    param_list l;
    for (int k = 0; k < p.n_rev; ++k) {
      int axis = p.rev[k];
      for (int j = 0; j < p.rev[k] && !WithIndexed; ++j) axis -= p.source[j] >= 0;
      l.push(axis);
    }
    return l;
  }();
};

// v with exactly the shape of the region.
template <class T, bool WithIndexed, class Plan, class V>
constexpr auto to_region(V const& v) {
  using plan = update_plan<Plan, V>;
  using region = typename plan::template region<WithIndexed>;
  auto const s = squeezed<typename plan::axes>(v);
  using from = std::remove_const_t<decltype(s)>;
  using out = with_dtype_t<expr_from<region>, T>;
  if constexpr (region::value.same_shape(from::type) && Plan::plan.n_rev == 0) {
    return s;
  } else {
    auto const b = [&] {
      if constexpr (region::value.same_shape(from::type))
        return s;
      else
        return bind<out>(prim::broadcast_in_dim, plan::template params<WithIndexed>, s);
    }();
    if constexpr (rank_in<V> > 0 && Plan::plan.n_rev > 0)
      return bind<out>(prim::rev, plan::template reversed<WithIndexed>, b);
    else
      return b;
  }
}

// v with dtype T, on the tape of x if it is a number.
template <class T, class E, class V>
constexpr auto update_value(E const& x, V const& v) {
  if constexpr (number<V>) {
    std::uint64_t const bits = to_bits(cast<T>(v).value);
    return constant<expr<T>>(expr_access::get(x), {&bits, 1});
  } else {
    return expr_like<V, T>(cast<T>(v));
  }
}

// x with dtype T again as E has it.
template <class E, class X>
constexpr E restored(X const& x) {
  return cast<typename E::dtype_type>(x);
}

template <prim P, class Plan, class E, class V, class... I>
constexpr E update_static(E const& x, V const& value, I const&... index) {
  using type = promote_t<type_in<E>, type_in<V>>;
  constexpr index_plan const& p = Plan::plan;
  int const values[] = {static_value(index)..., 0};
  param_list params;
  params.push(0);
  for (int a = 0; a < Plan::rank; ++a) {
    int const n = E::type.dims[a];
    int i = p.source[a] < 0 ? p.range[a].start : values[p.source[a]];
    if (p.source[a] >= 0) {
      if (i < 0) i += n;
      if (i < 0 || i >= n) return x;
    }
    params.push(i);
  }
  for (int a = 0; a < Plan::rank; ++a) params.push(p.range[a].stride);
  for (int a = 0; a < Plan::rank; ++a) params.push(p.sliced.dims[a]);
  auto&& target = cast<type>(x);
  auto const v = to_region<type, true, Plan>(update_value<type>(x, value));
  return restored<E>(bind<expr_like<E, type>>(P, params, target, v));
}

// The index vector of a scatter: one number for each axis that an index or a part selects from.
template <class Plan, class E>
struct scatter_plan {
  static constexpr index_plan const& p = Plan::plan;
  static constexpr param_list axes = [] {
    param_list l;
    for (int a = 0; a < Plan::rank; ++a)
      if (p.source[a] >= 0 || !p.range[a].whole(E::type.dims[a])) l.push(a);
    return l;
  }();
  static constexpr param_list params = [] {
    param_list l;
    l.push(1);
    l.push(p.squeezed.rank);
    for (int i = 0; i < p.squeezed.rank; ++i) l.push(i);
    l.push(p.n_squeeze);
    for (int k = 0; k < p.n_squeeze; ++k) l.push(p.squeeze[k]);
    l.push(axes.n);
    for (int k = 0; k < axes.n; ++k) l.push(axes.at[k]);
    l.push(1);  // the indices are sorted
    l.push(1);  // and unique
    return l;
  }();
  static constexpr int count = axes.n;
};

// Of the indices of a scatter the traced ones: wrapped, then as int32.
template <class I>
constexpr int wrapped_source(I const&, int) {
  return 0;
}
template <class T>
constexpr expr<T> wrapped_source(expr<T> const& i, int n) {
  return wrapped(i, n);
}
constexpr handle strong_handle(int) { return {}; }
template <class T>
constexpr handle strong_handle(expr<T> const& i) {
  return expr_access::get(convert_to<std::int32_t>(i));
}

template <prim P, class Plan, class E, class V, class... I>
constexpr E update_dynamic(E const& x, V const& value, I const&... index) {
  using type = promote_t<type_in<E>, type_in<V>>;
  using plan = scatter_plan<Plan, E>;
  constexpr index_plan const& p = Plan::plan;
  int const values[] = {static_value(index)..., 0};
  arena<handle> traced;
  [&]<int... K>(std::integer_sequence<int, K...>) {
    std::tuple const all{wrapped_source(index, Plan::size_for(K))...};
    (traced.push(strong_handle(std::get<K>(all))), ...);
  }(std::make_integer_sequence<int, sizeof...(I)>{});

  arena<handle> parts;
  handle const on = expr_access::get(x);
  int const one[] = {1};
  for (int k = 0; k < plan::count; ++k) {
    int const a = plan::axes.at[k];
    int const known = p.source[a] < 0 ? p.range[a].start : values[p.source[a]];
    handle h;
    if (p.traced[a])
      h = traced[p.source[a]];
    else
      h = scalar_handle<std::int32_t>(on, known < 0 ? known + E::type.dims[a] : known);
    parts.push(expr_access::get(bind<expr<std::int32_t, 1>>(prim::broadcast_in_dim, one, expr_access::make<expr<std::int32_t>>(h))));
  }
  expr<std::int32_t, plan::count> const indices = [&] {
    if constexpr (plan::count == 1)
      return expr_access::make<expr<std::int32_t, 1>>(parts[0]);
    else
      return bind_list<expr<std::int32_t, plan::count>>(prim::concatenate, axis_params<0>, parts);
  }();
  auto&& target = cast<type>(x);
  auto const v = to_region<type, false, Plan>(update_value<type>(x, value));
  return restored<E>(bind<expr_like<E, type>>(P, plan::params, target, indices, v));
}

}  // namespace exprax::detail

// exprax/numpy/at.hpp
// x.at(index...).set(v), add, multiply, min, max, get: functional updates (jax.numpy.ndarray.at). The value broadcasts to
// what the index selects. Indices known while tracing name a region of x; with a traced one the update is a scatter.
// Updates out of range are dropped.

namespace exprax::detail {

template <class V, class Region>
inline constexpr bool covers = broadcasts_to<V, Region>;

template <class E, class... I>
class at_ref {
  using plan = indexed<E, I...>;

 public:
  constexpr explicit at_ref(E const& x, I const&... index) : x_(x), index_(index...) {
    static_assert(are_indices<E, I...>,
                  "exprax: an index must be a C++ int, a traced integer scalar, ex::all, ex::slice<...>, ex::newaxis or one ex::ellipsis "
                  "(for masks and "
                  "arrays of integers use ex::where, or vmap over the index)");
    static_assert(has_axes_for<E, I...>, "exprax: too many indices for the array");
    static_assert(selects_a_block<E, I...>, "exprax: a traced index beside a slice with a step: slice first, x(ex::slice<...>)(i)");
  }

  constexpr auto get() const {
    return std::apply([&](I const&... i) { return index_read(x_, i...); }, index_);
  }
  template <array_like V>
  constexpr E set(V const& v) const {
    return update<prim::scatter>(as_operand(v));
  }
  template <array_like V>
  constexpr E add(V const& v) const {
    return update<prim::scatter_add>(as_operand(v));
  }
  template <array_like V>
  constexpr E multiply(V const& v) const {
    return update<prim::scatter_mul>(as_operand(v));
  }
  template <array_like V>
  constexpr E mul(V const& v) const {
    return multiply(v);
  }
  template <array_like V>
  constexpr E min(V const& v) const {
    return update<prim::scatter_min>(as_operand(v));
  }
  template <array_like V>
  constexpr E max(V const& v) const {
    return update<prim::scatter_max>(as_operand(v));
  }

  template <prim P, class V>
  constexpr E update(V const& v) const {
    static_assert(covers<V, typename plan::result>,
                  "exprax: at(...).set, add, ...: the value does not broadcast to the shape that the index selects");
    if constexpr (!covers<V, typename plan::result> || plan::plan.result.size() == 0)
      return x_;
    else if constexpr (plan::plan.dynamic)
      return std::apply([&](I const&... i) { return update_dynamic<P, plan>(x_, v, i...); }, index_);
    else
      return std::apply([&](I const&... i) { return update_static<P, plan>(x_, v, i...); }, index_);
  }

 private:
  E x_;
  std::tuple<I...> index_;
};

template <class T, int... D, class... I>
constexpr at_ref<expr<T, D...>, I...> make_at(expr<T, D...> const& x, I const&... index) {
  return at_ref<expr<T, D...>, I...>(x, index...);
}

// One element by C++ ints, in few constexpr steps: index_read of the same says why. Values of other dtypes take the way of at_ref.
template <int... D>
inline constexpr int unit_broadcast_params[] = {(D * 0 + 1)...};

template <class T, int... D>
class element_ref {
  using E = expr<T, D...>;
  static constexpr int rank = static_cast<int>(sizeof...(D));

 public:
  template <class... I>
  constexpr explicit element_ref(E const& x, I const&... index)
      : x_(x),
        inside_(((static_cast<int>(index) < D && static_cast<int>(index) >= -D) && ...)),
        at_{(static_cast<int>(index) < 0 ? static_cast<int>(index) + D : static_cast<int>(index))...} {}

  constexpr expr<T> get() const { return read(std::make_integer_sequence<int, rank>{}); }
  template <array_like V>
  constexpr E set(V const& v) const {
    return update<prim::scatter>(as_operand(v));
  }
  template <array_like V>
  constexpr E add(V const& v) const {
    return update<prim::scatter_add>(as_operand(v));
  }
  template <array_like V>
  constexpr E multiply(V const& v) const {
    return update<prim::scatter_mul>(as_operand(v));
  }
  template <array_like V>
  constexpr E mul(V const& v) const {
    return multiply(v);
  }
  template <array_like V>
  constexpr E min(V const& v) const {
    return update<prim::scatter_min>(as_operand(v));
  }
  template <array_like V>
  constexpr E max(V const& v) const {
    return update<prim::scatter_max>(as_operand(v));
  }

 private:
  template <int... K>
  constexpr expr<T> read(std::integer_sequence<int, K...>) const {
    return index_read(x_, at_[K]...);
  }
  template <prim P, class V>
  constexpr E update(V const& v) const {
    // Not with ?:, after which g++ 12 destroys a handle twice in constant evaluation.
    if (!inside_) return x_;
    if constexpr (std::is_same_v<V, expr<T>>)
      return record<P>(v, std::make_integer_sequence<int, rank>{});
    else
      return other<P>(v, std::make_integer_sequence<int, rank>{});
  }
  template <prim P, int... K>
  constexpr E record(expr<T> const& v, std::integer_sequence<int, K...>) const {
    int const params[] = {0, at_[K]..., (D * 0 + 1)..., (D * 0 + 1)...};
    return bind<E>(P, params, x_, bind<unit_expr<T, D...>>(prim::broadcast_in_dim, unit_broadcast_params<D...>, v));
  }
  template <prim P, class V, int... K>
  constexpr E other(V const& v, std::integer_sequence<int, K...> axes) const {
    if constexpr (number<V> && std::is_same_v<promote_t<T, type_in<V>>, T>)
      return record<P>(update_value<T>(x_, v), axes);
    else
      return at_ref<E, decltype(K)...>(x_, at_[K]...).template update<P>(v);
  }

  E x_;
  bool inside_;
  int at_[sizeof...(D)];
};

template <class T, int... D, std::integral... I>
  requires(sizeof...(I) == sizeof...(D) && sizeof...(D) > 0 && !(std::same_as<I, bool> || ...))
constexpr element_ref<T, D...> make_at(expr<T, D...> const& x, I const&... index) {
  return element_ref<T, D...>(x, index...);
}

}  // namespace exprax::detail

// exprax/numpy/dynamic.hpp
// Blocks at positions that are known at run time only (jax.lax): dynamic_slice<sizes...>(x, i, ...), dynamic_update_slice,
// dynamic_index_in_dim, dynamic_slice_in_dim. A start is clamped so that the block fits; a negative one counts from the end.

namespace exprax {

namespace detail {

constexpr int clamp_start(int i, int n, int size) {
  int const k = i < 0 ? i + n : i;
  return k < 0 ? 0 : k > n - size ? n - size : k;
}

template <class X, int... Sizes>
struct window_shape {
  static constexpr aval value{aval_in<X>.type, {Sizes...}, aval_in<X>.weak};
  static constexpr int params[sizeof...(Sizes)] = {Sizes...};
  static constexpr bool fits = [] {
    if (static_cast<int>(sizeof...(Sizes)) != rank_in<X>) return false;
    for (int i = 0; i < rank_in<X>; ++i)
      if (value.dims[i] < 0 || value.dims[i] > aval_in<X>.dims[i]) return false;
    return true;
  }();
};

template <class T>
using start_type = std::conditional_t<std::is_same_v<strong_t<T>, std::int32_t>, T, std::int32_t>;

// The handles of start indices: traced ones wrapped, known ones clamped.
template <class X, class Window, class... I>
constexpr void push_starts(arena<handle>& to, I const&... start) {
  int axis = 0;
  auto const each = [&](auto const& i) {
    int const n = aval_in<X>.dims[axis];
    if constexpr (tracer<decltype(i)>) {
      to.push(expr_access::get(wrapped(convert_to<start_type<type_in<decltype(i)>>>(i), n)));
    } else {
      to.push(scalar_handle<std::int32_t>(to[0], clamp_start(static_cast<int>(i), n, Window::value.dims[axis])));
    }
    ++axis;
  };
  (each(start), ...);
}

template <int... Sizes>
struct dynamic_slice_op {
  template <tracer X, operand... I>
  constexpr auto operator()(X const& x, I const&... start) const {
    using window = window_shape<X, Sizes...>;
    if constexpr ((number<I> && ...)) {
      // Nothing is dynamic.
      int const starts[] = {static_cast<int>(start)...};
      param_list params;
      for (int a = 0; a < X::rank; ++a) params.push(clamp_start(starts[a], X::type.dims[a], window::value.dims[a]));
      for (int a = 0; a < X::rank; ++a) params.push(params.at[a] + window::value.dims[a]);
      return bind<expr_from<window>>(prim::slice, params, x);
    } else {
      arena<handle> operands;
      operands.push(expr_access::get(x));
      push_starts<X, window>(operands, start...);
      return bind_list<expr_from<window>>(prim::dynamic_slice, window::params, operands);
    }
  }
};
struct dynamic_update_slice_op {
  template <tracer X, operand U, operand... I>
  constexpr X operator()(X const& x, U const& update, I const&... start) const {
    auto const u = as_expr<type_in<X>>(update);
    arena<handle> operands;
    operands.push(expr_access::get(x));
    push_starts<X, shape_in<U>>(operands, start...);
    arena<handle> all;
    all.push(operands[0]);
    all.push(expr_access::get(u));
    for (int k = 1; k < operands.size(); ++k) all.push(operands[k]);
    return bind_list<X>(prim::dynamic_update_slice, {}, all);
  }
};

// Conditions of static_asserts: compilers print the types.
template <class X, class Window>
inline constexpr bool window_fits = Window::fits;
template <class X, class U>
inline constexpr bool update_fits = [] {
  if (rank_in<U> != rank_in<X>) return false;
  for (int i = 0; i < rank_in<U>; ++i)
    if (aval_in<U>.dims[i] > aval_in<X>.dims[i]) return false;
  return true;
}();
template <class X, class... I>
inline constexpr bool can_start = sizeof...(I) == rank_in<X> && ((rank_in<I> == 0 && is_integer(aval_in<I>.type)) && ...);

}  // namespace detail

template <int... Sizes, array_like X, array_like... I>
constexpr auto dynamic_slice(X const& x, I const&... start) {
  static_assert(detail::window_fits<X, detail::window_shape<X, Sizes...>>,
                "exprax: dynamic_slice: give a size for each axis, none larger than the operand's");
  static_assert(detail::can_start<X, I...>, "exprax: dynamic_slice: give an integer scalar for each axis as its start index");
  return detail::apply<detail::dynamic_slice_op<Sizes...>>(x, start...);
}
template <array_like X, array_like U, array_like... I>
constexpr auto dynamic_update_slice(X const& x, U const& update, I const&... start) {
  static_assert(detail::update_fits<X, U>,
                "exprax: dynamic_update_slice: the update must have the rank of the operand, and no larger axis");
  static_assert(detail::can_start<X, I...>, "exprax: dynamic_update_slice: give an integer scalar for each axis as its start index");
  return detail::apply<detail::dynamic_update_slice_op>(x, update, start...);
}

}  // namespace exprax

// exprax/numpy/linalg.hpp
// Products (jax.numpy): dot, vdot, inner, outer, tensordot; matmul is in matmul.hpp. Operands of two dtypes go in
// as they are; the result has the dtype that they promote to.

namespace exprax {

namespace detail {

// Which axes are summed, and which are paired.
struct dot_axes {
  int n = 0, lhs[max_rank] = {}, rhs[max_rank] = {};
  int n_batch = 0, lhs_batch[max_rank] = {}, rhs_batch[max_rank] = {};

  constexpr void contract(int a, int b) {
    lhs[n] = a;
    rhs[n++] = b;
  }
  constexpr void batch(int a, int b) {
    lhs_batch[n_batch] = a;
    rhs_batch[n_batch++] = b;
  }
  constexpr bool lhs_free(int axis) const { return is_free(lhs, lhs_batch, axis); }
  constexpr bool rhs_free(int axis) const { return is_free(rhs, rhs_batch, axis); }

 private:
  constexpr bool is_free(int const* summed, int const* paired, int axis) const {
    for (int i = 0; i < n; ++i)
      if (summed[i] == axis) return false;
    for (int i = 0; i < n_batch; ++i)
      if (paired[i] == axis) return false;
    return true;
  }
};

// Axes::value says how A and B are multiplied; T is the dtype of the result.
template <class A, class B, class Axes, class T>
struct dot_shape {
  static constexpr dot_axes const& axes = Axes::value;
  static constexpr bool fits = [] {
    for (int i = 0; i < axes.n; ++i)
      if (aval_in<A>.dims[axes.lhs[i]] != aval_in<B>.dims[axes.rhs[i]]) return false;
    for (int i = 0; i < axes.n_batch; ++i)
      if (aval_in<A>.dims[axes.lhs_batch[i]] != aval_in<B>.dims[axes.rhs_batch[i]]) return false;
    return true;
  }();
  static constexpr int free_of_rhs = [] {
    int n = 0;
    for (int i = 0; i < rank_in<B>; ++i) n += axes.rhs_free(i);
    return n;
  }();
  static constexpr aval value = [] {
    aval a(dtype_of<T>);
    for (int i = 0; i < axes.n_batch; ++i) a.dims[a.rank++] = aval_in<A>.dims[axes.lhs_batch[i]];
    for (int i = 0; i < rank_in<A>; ++i)
      if (axes.lhs_free(i)) a.dims[a.rank++] = aval_in<A>.dims[i];
    for (int i = 0; i < rank_in<B>; ++i)
      if (axes.rhs_free(i)) a.dims[a.rank++] = aval_in<B>.dims[i];
    return a;
  }();
  // Without a free axis on the right the sum is blocked: primitives/dot_general.hpp.
  static constexpr param_list params = [] {
    param_list l;
    l.push(axes.n);
    for (int i = 0; i < axes.n; ++i) l.push(axes.lhs[i]);
    for (int i = 0; i < axes.n; ++i) l.push(axes.rhs[i]);
    l.push(axes.n_batch);
    for (int i = 0; i < axes.n_batch; ++i) l.push(axes.lhs_batch[i]);
    for (int i = 0; i < axes.n_batch; ++i) l.push(axes.rhs_batch[i]);
    l.push(static_cast<int>(dtype_of<T>));
    l.push(free_of_rhs == 0);
    return l;
  }();
};

template <class T>
struct strong_type {
  using type = strong_t<T>;
};

template <class Axes, tracer A, tracer B>
constexpr auto record_dot(A const& a, B const& b) {
  using type = promote_t<type_in<A>, type_in<B>>;
  using shape = dot_shape<A, B, Axes, type>;
  auto const product = bind<expr_from<shape>>(prim::dot_general, shape::params, a, b);
  return expr_like<decltype(product), type>(as_expr<type>(product));
}

// The last axis of a with the last but one of b, or its only one.
template <int RankA, int RankB>
struct matrix_axes {
  static constexpr dot_axes value = [] {
    dot_axes d;
    if (RankA > 0 && RankB > 0) d.contract(RankA - 1, RankB > 1 ? RankB - 2 : 0);
    return d;
  }();
};
struct dot_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return record_dot<matrix_axes<rank_in<A>, rank_in<B>>>(as_traced(a), as_traced(b));
  }
};
struct vdot_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    auto const x = reshaped<-1>(as_traced(a));
    auto const y = reshaped<-1>(as_traced(b));
    return dot_op{}(x, y);
  }
};
struct outer_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using type = promote_t<type_in<A>, type_in<B>>;
    expr_like<A, type> const x = as_expr<type>(a);
    expr_like<B, type> const y = as_expr<type>(b);
    auto const column = expanded<1>(reshaped<-1>(x));
    auto const row = expanded<0>(reshaped<-1>(y));
    return multiply(column, row);
  }
};

// The last N axes of a with the first N of b.
template <int N, int RankA>
struct tensor_axes {
  static constexpr dot_axes value = [] {
    dot_axes d;
    for (int i = 0; i < N; ++i) d.contract(RankA - N + i, i);
    return d;
  }();
};
template <int N>
struct tensordot_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    return record_dot<tensor_axes<N, rank_in<A>>>(as_traced(a), as_traced(b));
  }
};
template <int RankA, int RankB>
struct inner_axes {
  static constexpr dot_axes value = [] {
    dot_axes d;
    d.contract(RankA - 1, RankB - 1);
    return d;
  }();
};
struct inner_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    if constexpr (rank_in<A> == 0 || rank_in<B> == 0)
      return multiply(a, b);
    else
      return record_dot<inner_axes<rank_in<A>, rank_in<B>>>(as_traced(a), as_traced(b));
  }
};

// Conditions of static_asserts: compilers print the types.
template <class A, class B, class Axes>
inline constexpr bool contracts = dot_shape<A, B, Axes, float>::fits;
template <class A, class B>
inline constexpr bool dots = contracts<A, B, matrix_axes<rank_in<A>, rank_in<B>>>;
template <class A, class B>
inline constexpr bool same_size = aval_in<A>.size() == aval_in<B>.size();
template <int N, class A, class B>
inline constexpr bool tensor_contracts = [] {
  if constexpr (N < 0 || N > rank_in<A> || N > rank_in<B>)
    return false;
  else
    return contracts<A, B, tensor_axes<N, rank_in<A>>>;
}();
template <class A, class B>
inline constexpr bool inner_contracts =
    rank_in<A> == 0 || rank_in<B> == 0 ||
    aval_in<A>.dims[rank_in<A> ? rank_in<A> - 1 : 0] == aval_in<B>.dims[rank_in<B> ? rank_in<B> - 1 : 0];

}  // namespace detail

// Sums over the last axis of a and the last but one of b (its only one); scalars multiply.
template <array_like A, array_like B>
constexpr auto dot(A const& a, B const& b) {
  static_assert(
      detail::dots<A, B>,
      "exprax: dot: contracting dimensions differ: the last axis of a and the last but one of b (its only one) must have one size");
  return detail::apply<detail::dot_op>(a, b);
}
template <array_like A, array_like B>
constexpr auto vdot(A const& a, B const& b) {
  static_assert(detail::same_size<A, B>, "exprax: vdot: the arrays must have the same number of elements");
  return detail::apply<detail::vdot_op>(a, b);
}
template <array_like A, array_like B>
constexpr auto inner(A const& a, B const& b) {
  static_assert(detail::inner_contracts<A, B>, "exprax: inner: contracting dimensions differ: the last axes must have one size");
  return detail::apply<detail::inner_op>(a, b);
}
template <array_like A, array_like B>
constexpr auto outer(A const& a, B const& b) {
  return detail::apply<detail::outer_op>(a, b);
}
template <int N = 2, array_like A, array_like B>
constexpr auto tensordot(A const& a, B const& b) {
  static_assert(detail::tensor_contracts<N, A, B>,
                "exprax: tensordot: contracting dimensions differ: the last N axes of a and the first N of b must have the same sizes");
  return detail::apply<detail::tensordot_op<N>>(a, b);
}

}  // namespace exprax

// exprax/numpy/matmul.hpp
// Products of matrices, and of stacks of them that broadcast (jax.numpy.matmul).

namespace exprax {

namespace detail {

// Matrices in the last two axes; the axes before them broadcast. Those that both have are batch axes of one dot_general.
template <class A, class B>
struct matmul_plan {
  static constexpr bool a_matrix = rank_in<A> > 1, b_matrix = rank_in<B> > 1;
  static constexpr int n_batch = (rank_in<A> > rank_in<B> ? rank_in<A> : rank_in<B>) > 2
                                     ? (rank_in<A> > rank_in<B> ? rank_in<A> : rank_in<B>)-2
                                     : 0;
  struct layout {
    axis_set squeeze_a, squeeze_b;
    dot_axes axes;
    axis_set order;  // the axes of the result, as dot_general gives them
    bool fits = true;
  };
  static constexpr layout of = [] {
    layout l;
    axis_set batch, a_other, b_other;
    int const lead_a = n_batch - (a_matrix ? rank_in<A> - 2 : 0), lead_b = n_batch - (b_matrix ? rank_in<B> - 2 : 0);
    auto const put = [](axis_set& s, int i) { s.of[s.n++] = i; };
    for (int i = 0; i < n_batch; ++i) {
      int const da = i < lead_a ? 0 : aval_in<A>.dims[i - lead_a], db = i < lead_b ? 0 : aval_in<B>.dims[i - lead_b];
      if (i < lead_a) {
        put(b_other, i);
      } else if (i < lead_b) {
        put(a_other, i);
      } else if (da == 1) {
        put(b_other, i);
        put(l.squeeze_a, batch.n + a_other.n + l.squeeze_a.n);
      } else if (db == 1) {
        put(a_other, i);
        put(l.squeeze_b, batch.n + b_other.n + l.squeeze_b.n);
      } else {
        if (da != db) l.fits = false;
        l.axes.batch(batch.n + a_other.n, batch.n + b_other.n);
        put(batch, i);
      }
    }
    if (a_matrix) put(a_other, n_batch);
    if (b_matrix) put(b_other, n_batch + a_matrix);
    l.axes.contract(rank_in<A> - l.squeeze_a.n - 1, rank_in<B> - l.squeeze_b.n - 1 - b_matrix);
    for (int i = 0; i < batch.n; ++i) put(l.order, batch.of[i]);
    for (int i = 0; i < a_other.n; ++i) put(l.order, a_other.of[i]);
    for (int i = 0; i < b_other.n; ++i) put(l.order, b_other.of[i]);
    return l;
  }();
  static constexpr bool in_order = [] {
    for (int i = 0; i < of.order.n; ++i)
      if (of.order.of[i] != i) return false;
    return true;
  }();
  static constexpr int place(int axis) {
    for (int i = 0; i < of.order.n; ++i)
      if (of.order.of[i] == axis) return i;
    return -1;
  }
  struct axes {
    static constexpr dot_axes value = of.axes;
  };
  struct squeeze_a {
    static constexpr axis_set value = of.squeeze_a;
  };
  struct squeeze_b {
    static constexpr axis_set value = of.squeeze_b;
  };
  template <int... I>
  static constexpr transpose_op<place(I)...> to_result(std::integer_sequence<int, I...>) {
    return {};
  }
};
struct matmul_op {
  template <operand A, operand B>
  constexpr auto operator()(A const& a, B const& b) const {
    using plan = matmul_plan<A, B>;
    auto const x = squeezed<typename plan::squeeze_a>(as_traced(a));
    auto const y = squeezed<typename plan::squeeze_b>(as_traced(b));
    auto const product = record_dot<typename plan::axes>(x, y);
    if constexpr (plan::in_order)
      return product;
    else
      return plan::to_result(std::make_integer_sequence<int, plan::of.order.n>{})(product);
  }
};

template <class A, class B>
inline constexpr bool multiplies = [] {
  if constexpr (rank_in<A> == 0 || rank_in<B> == 0)
    return false;
  else
    return matmul_plan<A, B>::of.fits && dots<A, B>;
}();

}  // namespace detail

template <array_like A, array_like B>
constexpr auto matmul(A const& a, B const& b) {
  static_assert(detail::multiplies<A, B>,
                "exprax: matmul: contracting dimensions differ, or axes before the last two do not broadcast, or an operand is a scalar "
                "(use multiply)");
  return detail::apply<detail::matmul_op>(a, b);
}

}  // namespace exprax

// exprax/numpy/convolve.hpp
// Convolution of two vectors (jax.numpy.convolve), by conv_general_dilated with the shorter one reversed.

namespace exprax {

namespace detail {

enum class convolve_mode { full, same, valid };

template <convolve_mode Mode>
struct mode_t {};

template <class T, int N, int K, convolve_mode Mode>
struct convolution {
  static constexpr int low = Mode == convolve_mode::valid ? 0 : Mode == convolve_mode::same ? K / 2 : K - 1;
  static constexpr int high = Mode == convolve_mode::valid ? 0 : Mode == convolve_mode::same ? K - K / 2 - 1 : K - 1;
  static constexpr int size = N + low + high - K + 1;
  // One spatial axis, window stride 1, padding, dilations 1, one group.
  static constexpr int params[] = {1, 1, low, high, 1, 1, 1, 1, static_cast<int>(dtype_of<T>)};
};

template <convolve_mode Mode>
struct conv_body {
  template <tracer X, tracer K>
  constexpr auto operator()(X const& x, K const& kernel) const {
    using type = strong_t<inexact_t<promote_t<type_in<X>, type_in<K>>>>;
    expr_like<X, type> const a = cast<type>(x);
    expr_like<K, type> const b = cast<type>(kernel);
    if constexpr (X::extent(0) < K::extent(0))
      return slide<type>(b, a);
    else
      return slide<type>(a, b);
  }

 private:
  template <class T, class X, class K>
  static constexpr auto slide(X const& x, K const& kernel) {
    using conv = convolution<T, X::extent(0), K::extent(0), Mode>;
    auto const reversed_kernel = flip(kernel, axis<>);
    auto const lhs = expanded<0, 1>(x);
    auto const rhs = expanded<0, 1>(reversed_kernel);
    auto const result = bind<expr<T, 1, 1, conv::size>>(prim::conv_general_dilated, conv::params, lhs, rhs);
    return index_read(result, 0, 0, all);
  }
};
template <convolve_mode Mode>
struct convolve_body {
  template <tracer X, tracer K>
  constexpr auto operator()(X const& x, K const& kernel) const {
    return named_call<conv_body<Mode>>("_conv", x, kernel);
  }
};
template <convolve_mode Mode>
struct convolve_op {
  template <operand X, operand K>
  constexpr auto operator()(X const& x, K const& kernel) const {
    return named_call<convolve_body<Mode>>("convolve", x, kernel);
  }
};

template <class... X>
inline constexpr bool are_vectors = ((rank_in<X> == 1) && ...);
template <class... X>
inline constexpr bool are_not_empty = ((aval_in<X>.size() > 0) && ...);

}  // namespace detail

inline constexpr detail::mode_t<detail::convolve_mode::full> mode_full{};
inline constexpr detail::mode_t<detail::convolve_mode::same> mode_same{};
inline constexpr detail::mode_t<detail::convolve_mode::valid> mode_valid{};

// The shorter vector slides over the longer one, with zeros around it (mode_full, mode_same) or not (mode_valid).
template <array_like X, array_like K, detail::convolve_mode Mode = detail::convolve_mode::full>
constexpr auto convolve(X const& x, K const& kernel, detail::mode_t<Mode> = {}) {
  static_assert(detail::are_vectors<X, K>, "exprax: convolve: only supports 1-dimensional inputs");
  static_assert(detail::are_not_empty<X, K>, "exprax: convolve: inputs cannot be empty");
  return detail::apply<detail::convolve_op<Mode>>(x, kernel);
}

}  // namespace exprax

// exprax/numpy/reductions.hpp
// Reductions (jax.numpy): sum, prod, mean, max, min, any, all over all axes or axis<...>, with keepdims if the reduced
// axes shall stay with size 1. sum and prod of bool and small integers are 32 bits wide.

namespace exprax {

namespace detail {

template <class... Tags>
struct reduction_tags;
template <>
struct reduction_tags<> {
  static constexpr bool keep = false;
  template <class X>
  static constexpr axis_set axes = [] {
    axis_set s;
    for (int i = 0; i < rank_in<X>; ++i) s.of[s.n++] = i;
    return s;
  }();
};
template <class... Rest>
struct reduction_tags<keepdims_t, Rest...> : reduction_tags<Rest...> {
  static constexpr bool keep = true;
};
template <int... Axes, class... Rest>
struct reduction_tags<axis_t<Axes...>, Rest...> : reduction_tags<Rest...> {
  template <class X>
  static constexpr axis_set axes = sorted(normal_axes<Axes...>(rank_in<X>));
};

// The shape after a reduction, without and with keepdims.
template <class X, class Tags>
struct reduced_shape {
  static constexpr axis_set axes = Tags::template axes<X>;
  static constexpr param_list params = list_of(axes);
  static constexpr aval value = [] {
    aval a(aval_in<X>.type, aval_in<X>.weak);
    for (int i = 0; i < rank_in<X>; ++i)
      if (!axes.has(i)) a.dims[a.rank++] = aval_in<X>.dims[i];
    return a;
  }();
  static constexpr std::ptrdiff_t count = [] {
    std::ptrdiff_t n = 1;
    for (int i = 0; i < axes.n; ++i) n *= aval_in<X>.dims[axes.of[i]];
    return n;
  }();
};
template <class X, class Reduced>
struct kept_shape {
  static constexpr expansion of = expand(Reduced::value, Reduced::axes);
  static constexpr aval value = of.result;
};

template <prim P, class Tags, tracer X>
constexpr auto reduced(X const& x) {
  using shape = reduced_shape<X, Tags>;
  if constexpr (shape::axes.n == 0) {
    return x;
  } else {
    auto const r = bind<expr_from<shape>>(P, shape::params, x);
    if constexpr (Tags::keep)
      return bind<expr_from<kept_shape<X, shape>>>(prim::broadcast_in_dim, kept_shape<X, shape>::of.params, r);
    else
      return r;
  }
}

template <class T, bool Small = (size_of(dtype_of<T>) < 4)>
using accumulator_t =
    std::conditional_t<is_bool(dtype_of<T>), std::int32_t,
                       std::conditional_t<Small && is_signed_integer(dtype_of<T>), std::int32_t,
                                          std::conditional_t<Small && is_unsigned_integer(dtype_of<T>), std::uint32_t, strong_t<T>>>>;

template <prim P, class... Tags>
struct sum_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return reduced<P, reduction_tags<Tags...>>(as_expr<accumulator_t<type_in<X>>>(x));
  }
};
template <prim P, prim PBool, class... Tags>
struct extremum_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return reduced<is_bool(aval_in<X>.type) ? PBool : P, reduction_tags<Tags...>>(as_expr<strong_t<type_in<X>>>(x));
  }
};
template <prim P, class... Tags>
struct truth_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    return reduced<P, reduction_tags<Tags...>>(as_expr<bool>(x));
  }
};
template <class... Tags>
struct mean_op {
  template <operand X>
  constexpr auto operator()(X const& x) const {
    using type = strong_t<inexact_t<type_in<X>>>;
    constexpr auto count = static_cast<type>(reduced_shape<X, reduction_tags<Tags...>>::count);
    auto const total = reduced<prim::reduce_sum, reduction_tags<Tags...>>(as_expr<type>(x));
    return bind<std::remove_const_t<decltype(total)>>(prim::div, {}, total, lit<type>{count});
  }
};

template <class Tag>
concept reduction_tag = std::is_same_v<Tag, keepdims_t> || is_axis<Tag>;

// Conditions of static_asserts: compilers print the types.
template <class X, class... Tags>
inline constexpr bool reduces = reduced_shape<X, reduction_tags<Tags...>>::axes.valid;
template <class X, class... Tags>
inline constexpr bool reduces_something = reduced_shape<X, reduction_tags<Tags...>>::count > 0;

}  // namespace detail

template <array_like X, detail::reduction_tag... Tags>
constexpr auto sum(X const& x, Tags...) {
  static_assert(detail::reduces<X, Tags...>, "exprax: sum: an axis is repeated, or out of range for the array");
  return detail::apply<detail::sum_op<prim::reduce_sum, Tags...>>(x);
}
template <array_like X, detail::reduction_tag... Tags>
constexpr auto prod(X const& x, Tags...) {
  static_assert(detail::reduces<X, Tags...>, "exprax: prod: an axis is repeated, or out of range for the array");
  return detail::apply<detail::sum_op<prim::reduce_prod, Tags...>>(x);
}
template <array_like X, detail::reduction_tag... Tags>
constexpr auto mean(X const& x, Tags...) {
  static_assert(detail::reduces<X, Tags...>, "exprax: mean: an axis is repeated, or out of range for the array");
  return detail::apply<detail::mean_op<Tags...>>(x);
}
// NaN if any element is NaN.
template <array_like X, detail::reduction_tag... Tags>
constexpr auto max(X const& x, Tags...) {
  static_assert(detail::reduces<X, Tags...>, "exprax: max: an axis is repeated, or out of range for the array");
  static_assert(detail::reduces_something<X, Tags...>,
                "exprax: max: of zero elements there is none (zero-size array to a reduction that has no identity)");
  return detail::apply<detail::extremum_op<prim::reduce_max, prim::reduce_or, Tags...>>(x);
}
template <array_like X, detail::reduction_tag... Tags>
constexpr auto min(X const& x, Tags...) {
  static_assert(detail::reduces<X, Tags...>, "exprax: min: an axis is repeated, or out of range for the array");
  static_assert(detail::reduces_something<X, Tags...>,
                "exprax: min: of zero elements there is none (zero-size array to a reduction that has no identity)");
  return detail::apply<detail::extremum_op<prim::reduce_min, prim::reduce_and, Tags...>>(x);
}
// Whether any element, or every element, is not zero.
template <array_like X, detail::reduction_tag... Tags>
constexpr auto any(X const& x, Tags...) {
  static_assert(detail::reduces<X, Tags...>, "exprax: any: an axis is repeated, or out of range for the array");
  return detail::apply<detail::truth_op<prim::reduce_or, Tags...>>(x);
}
template <class X, class... Tags>
constexpr auto all_t::operator()(X const& x, Tags...) const {
  static_assert(detail::reduces<X, Tags...>, "exprax: all: an axis is repeated, or out of range for the array");
  return detail::apply<detail::truth_op<prim::reduce_and, Tags...>>(x);
}

}  // namespace exprax

// exprax/numpy/closeness.hpp
// Whether arrays are the same, exactly or nearly (jax.numpy): array_equal, isclose, allclose.

namespace exprax {

namespace detail {

struct isclose_body {
  template <tracer A, tracer B, tracer R, tracer S>
  constexpr auto operator()(A const& x, B const& y, R const& relative, S const& absolute) const {
    using type = inexact_t<promote_t<type_in<A>, type_in<B>>>;
    auto&& u = cast<type>(x);
    auto&& v = cast<type>(y);
    auto const a = with_rank<pair_rank<A, B>>(u);
    auto const b = with_rank<pair_rank<A, B>>(v);
    using strong = strong_t<type>;
    expr<strong> const rtol = cast<strong>(relative);
    expr<strong> const atol = cast<strong>(absolute);
    auto const a_nan = isnan(a);
    auto const b_nan = isnan(b);
    logical_and(a_nan, b_nan);  // JAX asks whether both are NaN, and drops the answer
    auto const finite = isfinite(b);
    auto const difference = subtract(a, b);
    auto const distance = abs(difference);
    auto const size = abs(b);
    auto const scaled = multiply(rtol, size);
    auto const limit = add(atol, scaled);
    auto const in_range = less_equal(distance, limit);
    auto const same = equal(a, b);
    auto const near = logical_and(finite, in_range);
    return logical_or(same, near);
  }
};
struct isclose_op {
  template <operand A, operand B, operand R, operand S>
  constexpr auto operator()(A const& a, B const& b, R const& relative, S const& absolute) const {
    return named_call<isclose_body>("isclose", a, b, relative, absolute);
  }
};
struct allclose_body {
  template <tracer A, tracer B, tracer R, tracer S>
  constexpr auto operator()(A const& a, B const& b, R const& relative, S const& absolute) const {
    auto const close = isclose_op{}(a, b, relative, absolute);
    return all(close);
  }
};
struct allclose_op {
  template <operand A, operand B, operand R, operand S>
  constexpr auto operator()(A const& a, B const& b, R const& relative, S const& absolute) const {
    return named_call<allclose_body>("allclose", a, b, relative, absolute);
  }
};
struct array_equal_op {
  template <operand A, operand B>
  constexpr expr<bool> operator()(A const& a, B const& b) const {
    if constexpr (!aval_in<A>.same_shape(aval_in<B>)) {
      return literal<bool>(false);
    } else {
      auto const same = equal(a, b);
      return all(same);
    }
  }
};

}  // namespace detail

// |a - b| <= atol + rtol * |b|, or a == b; NaN is close to nothing.
template <array_like A, array_like B, array_like R = float, array_like S = float>
constexpr auto isclose(A const& a, B const& b, R const& rtol = 1e-5f, S const& atol = 1e-8f) {
  static_assert(detail::broadcasts<A, B>, "exprax: isclose: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::isclose_op>(a, b, rtol, atol);
}
template <array_like A, array_like B, array_like R = float, array_like S = float>
constexpr auto allclose(A const& a, B const& b, R const& rtol = 1e-5f, S const& atol = 1e-8f) {
  static_assert(detail::broadcasts<A, B>,
                "exprax: allclose: shapes do not broadcast: counted from the last axis, sizes must be equal or 1");
  return detail::apply<detail::allclose_op>(a, b, rtol, atol);
}
// Equal shapes and elements.
template <array_like A, array_like B>
constexpr auto array_equal(A const& a, B const& b) {
  return detail::apply<detail::array_equal_op>(a, b);
}

}  // namespace exprax

#undef EXPRAX_INLINE
#undef EXPRAX_LAMBDA_INLINE

#endif  // EXPRAX_SINGLE_HEADER_HPP
