// SPDX-License-Identifier: BSL-1.0
// dtype_<T>: a dtype as a value (jax.numpy.float32): float32, int8, ... for the types that have a name. It is an option of functions,
// sum(x, float32), an argument of x.astype(float32), what x.dtype is, and a function: float32(x) is asarray with that dtype.
// float16, bfloat16, complex64 and complex128 are C++ types: there it is dtype_<float16>.
#pragma once

#include <exprax/base/options.hpp>
#include <exprax/base/text_buffer.hpp>
#include <exprax/types/promote.hpp>

namespace exprax {

template <class T>
struct dtype_t {
  using type = canonical_t<T>;

  // The value or the nest of values x as an array with this dtype (numpy/core/asarray.hpp).
  template <class X>
  constexpr auto operator()(X const& x) const;

  // NumPy's name, as float32.
  static constexpr std::string_view str() { return long_name(dtype_of<T>); }
  template <class U>
  friend constexpr bool operator==(dtype_t, dtype_t<U>) {
    return dtype_of<T> == dtype_of<U>;
  }
  template <detail::stream Stream>
  friend Stream& operator<<(Stream& out, dtype_t) {
    out.write(str().data(), static_cast<std::ptrdiff_t>(str().size()));
    return out;
  }
};
// No dtype is named.
template <>
struct dtype_t<void> {
  using type = void;
};
template <class T>
inline constexpr dtype_t<canonical_t<T>> dtype_{};

inline constexpr dtype_t<bool> bool_{};
inline constexpr dtype_t<std::int8_t> int8{};
inline constexpr dtype_t<std::int16_t> int16{};
inline constexpr dtype_t<std::int32_t> int32{};
inline constexpr dtype_t<std::int64_t> int64{};
inline constexpr dtype_t<std::uint8_t> uint8{};
inline constexpr dtype_t<std::uint16_t> uint16{};
inline constexpr dtype_t<std::uint32_t> uint32{};
inline constexpr dtype_t<std::uint64_t> uint64{};
inline constexpr dtype_t<float> float32{};
inline constexpr dtype_t<double> float64{};

namespace detail {

template <class T>
inline constexpr option_word word_of<dtype_t<T>>{"dtype_<T>"};
template <class T>
inline constexpr bool is_dtype_object = false;
template <class T>
inline constexpr bool is_dtype_object<dtype_t<T>> = true;

// The dtype among options; void: none.
template <class... Options>
struct named_dtype {
  static constexpr bool given = false;
  using type = void;
  template <class Otherwise>
  using or_else = Otherwise;
};
template <class First, class... Rest>
struct named_dtype<First, Rest...> : named_dtype<Rest...> {};
template <class T, class... Rest>
  requires(!std::is_void_v<T>)
struct named_dtype<dtype_t<T>, Rest...> {
  static constexpr bool given = true;
  using type = canonical_t<T>;
  template <class>
  using or_else = type;
};
template <class... Options>
using named_dtype_t = typename named_dtype<Options...>::type;

}  // namespace detail

}  // namespace exprax
