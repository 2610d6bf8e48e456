// SPDX-License-Identifier: BSL-1.0
// spec<T, Dims...>: an array's dtype and shape without elements (jax.ShapeDtypeStruct), for tracing: make_jaxpr(f)(f32<2, 3>). Also none,
// which stands for an absent axis, bound or element.
#pragma once

#include <exprax/types/extents.hpp>

namespace exprax {

template <class T, int... Dims>
struct spec_t : detail::extents<T, Dims...> {
  using value_type = T;
  // Equal dtypes and shapes.
  template <class U, int... Other>
  friend constexpr bool operator==(spec_t, spec_t<U, Other...>) {
    return spec_t::type == spec_t<U, Other...>::type;
  }
  // As JAX: ShapeDtypeStruct(shape=(2, 3), dtype=float32).
  template <detail::stream Stream>
  friend Stream& operator<<(Stream& out, spec_t) {
    detail::text_buffer text;
    text.write("ShapeDtypeStruct(shape=");
    detail::write_tuple(text, {spec_t::shape.begin(), spec_t::shape.size()});
    text.write(", dtype=");
    text.write(spec_t::dtype.str());
    text.put(')');
    out.write(text.data(), text.size());
    return out;
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
inline constexpr spec_t<float16, Dims...> f16{};
template <int... Dims>
inline constexpr spec_t<bfloat16, Dims...> bf16{};
template <int... Dims>
inline constexpr spec_t<float, Dims...> f32{};
template <int... Dims>
inline constexpr spec_t<double, Dims...> f64{};
template <int... Dims>
inline constexpr spec_t<complex64, Dims...> c64{};
template <int... Dims>
inline constexpr spec_t<complex128, Dims...> c128{};

struct none_t {
  constexpr bool operator==(none_t const&) const = default;
};
inline constexpr none_t none{};

}  // namespace exprax
