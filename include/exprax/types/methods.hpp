// SPDX-License-Identifier: BSL-1.0
// methods<Self, Base>: the methods of jax.Array, x.sum(axis<0>), x.astype(float32), x.T(), a base of arrays, views and traced values. Each
// is the function of the same name, with its options and errors; headers behind this one give the functions (numpy/methods.hpp). Base: the
// other base of Self.
//
// In a template, x.reshape<2, 3>() of a value whose type depends on a parameter needs the keyword: x.template reshape<2, 3>(). So sizes and
// dtypes are arguments as well: x.reshape(shape<2, 3>), x.astype(float32).
#pragma once

#include <exprax/base/by_argument.hpp>
#include <exprax/base/fixed_string.hpp>
#include <exprax/types/dtype_object.hpp>
#include <exprax/types/shape_object.hpp>

namespace exprax::detail {

// The function behind the method Name; Self delays the look-up until the method is called.
template <fixed_string Name>
inline constexpr bool has_its_header = false;
template <fixed_string Name>
struct unknown_method {
  template <class Self, class... Args>
  constexpr Self operator()(Self const& x, Args const&...) const {
    static_assert(has_its_header<Name>, "exprax: this method is one of <exprax/numpy.hpp>: include it, or <exprax/exprax.hpp>");
    return x;
  }
};
template <fixed_string Name, class Self>
inline constexpr unknown_method<Name> method{};

template <class Self, class Base = by_argument::base>
struct methods : Base {
  // Over all axes, or axis<...>; the options are those of the functions.
  template <class... A>
  constexpr auto sum(A const&... args) const {
    return method<"sum", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto prod(A const&... args) const {
    return method<"prod", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto mean(A const&... args) const {
    return method<"mean", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto var(A const&... args) const {
    return method<"var", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto std(A const&... args) const {
    return method<"std", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto max(A const&... args) const {
    return method<"max", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto min(A const&... args) const {
    return method<"min", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto ptp(A const&... args) const {
    return method<"ptp", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto any(A const&... args) const {
    return method<"any", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto all(A const&... args) const {
    return method<"all", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto argmax(A const&... args) const {
    return method<"argmax", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto argmin(A const&... args) const {
    return method<"argmin", Self>(self(), args...);
  }
  // Running sums and products; the elements in order.
  template <class... A>
  constexpr auto cumsum(A const&... args) const {
    return method<"cumsum", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto cumprod(A const&... args) const {
    return method<"cumprod", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto sort(A const&... args) const {
    return method<"sort", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto argsort(A const&... args) const {
    return method<"argsort", Self>(self(), args...);
  }
  // The same elements in another form. T() reverses all axes, mT() the last two.
  template <class... A>
  constexpr auto ravel(A const&... args) const {
    return method<"ravel", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto flatten(A const&... args) const {
    return method<"flatten", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto squeeze(A const&... args) const {
    return method<"squeeze", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto transpose(A const&... args) const {
    return method<"transpose", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto T(A const&... args) const {
    return method<"T", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto mT(A const&... args) const {
    return method<"mT", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto swapaxes(A const&... args) const {
    return method<"swapaxes", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto diagonal(A const&... args) const {
    return method<"diagonal", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto trace(A const&... args) const {
    return method<"trace", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto repeat(A const&... args) const {
    return method<"repeat", Self>(self(), args...);
  }
  // Element by element.
  template <class... A>
  constexpr auto astype(A const&... args) const {
    return method<"astype", Self>(self(), args...);
  }
  // The same bits as another dtype, x.view(int32); another size of elements changes the last axis.
  template <class... A>
  constexpr auto view(A const&... args) const {
    return method<"view", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto clip(A const&... args) const {
    return method<"clip", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto round(A const&... args) const {
    return method<"round", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto conj(A const&... args) const {
    return method<"conj", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto conjugate(A const&... args) const {
    return method<"conjugate", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto real(A const&... args) const {
    return method<"real", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto imag(A const&... args) const {
    return method<"imag", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto copy(A const&... args) const {
    return method<"copy", Self>(self(), args...);
  }
  // With other arrays and with indices.
  template <class... A>
  constexpr auto dot(A const&... args) const {
    return method<"dot", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto take(A const&... args) const {
    return method<"take", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto choose(A const&... args) const {
    return method<"choose", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto compress(A const&... args) const {
    return method<"compress", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto nonzero(A const&... args) const {
    return method<"nonzero", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto searchsorted(A const&... args) const {
    return method<"searchsorted", Self>(self(), args...);
  }
  template <class... A>
  constexpr auto argpartition(A const&... args) const {
    return method<"argpartition", Self>(self(), args...);
  }
  // The one element, as a C++ number; an error while tracing.
  template <class... A>
  constexpr auto item(A const&... args) const {
    return method<"item", Self>(self(), args...);
  }
  // reshape(shape<6, -1>), reshape<6, -1>(): one size may be -1.
  template <int... Sizes, class... A>
  constexpr auto reshape(A const&... args) const {
    return method<"reshape", Self>(self(), shape_t<Sizes...>{}, args...);
  }
  template <class T>
  constexpr auto astype() const {
    return method<"astype", Self>(self(), dtype_<T>);
  }

 private:
  constexpr Self const& self() const { return static_cast<Self const&>(*this); }
};

}  // namespace exprax::detail
