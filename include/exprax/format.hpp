// SPDX-License-Identifier: BSL-1.0
// std::format("{}", x): the text of an array or a view, as the stream operator writes it (numpy.array_str). "{:.3}" is the option precision
// of numpy.printoptions. Not a part of exprax.hpp: <format> is slow to compile. Where the library has none (g++ 12), this head is empty.
#pragma once

#if __has_include(<format>)
  #include <format>
#endif

#include <exprax/base/begin.hpp>
#ifndef EXPRAX_UNSUPPORTED
#ifdef __cpp_lib_format

#include <exprax/types/print.hpp>

namespace exprax::detail {

// Reached in constant evaluation: compilers print its name.
[[noreturn]] inline void the_format_of_an_array_is_empty_or_a_precision() {
#ifdef __cpp_exceptions
  throw std::format_error("exprax: the format of an array is {}, or its precision: {:.3}");
#else
  stop();
#endif
}

// Base of the formatters: {} or {:.3}.
struct array_formatter {
  template <class Context>
  constexpr auto parse(Context& context) {
    auto at = context.begin();
    auto const is_digit = [&] { return at != context.end() && *at >= '0' && *at <= '9'; };
    if (at != context.end() && *at == '.') {
      ++at;
      if (!is_digit()) the_format_of_an_array_is_empty_or_a_precision();
      for (options.precision = 0; is_digit() && options.precision < 1000; ++at) options.precision = 10 * options.precision + (*at - '0');
    }
    if (at != context.end() && *at != '}') the_format_of_an_array_is_empty_or_a_precision();
    return at;
  }
  template <class View, class Context>
  auto write(View x, Context& context) const {
    text_buffer const text = array_str(x, options);
    auto to = context.out();
    for (char c : text.view()) *to++ = c;
    return to;
  }

  printoptions options;
};

}  // namespace exprax::detail

template <class T, int... Dims>
struct std::formatter<exprax::array<T, Dims...>, char> : exprax::detail::array_formatter {
  template <class Context>
  auto format(exprax::array<T, Dims...> const& x, Context& context) const {
    return this->write(exprax::view<T const, Dims...>(x), context);
  }
};
template <class T, int... Dims>
struct std::formatter<exprax::view<T, Dims...>, char> : exprax::detail::array_formatter {
  template <class Context>
  auto format(exprax::view<T, Dims...> x, Context& context) const {
    return this->write(x, context);
  }
};

#endif
#include <exprax/base/end.hpp>
#endif
