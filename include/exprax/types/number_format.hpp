// SPDX-License-Identifier: BSL-1.0
// How NumPy writes the elements of one array: with one width, and one number of digits.
#pragma once

#include <exprax/base/format.hpp>
#include <exprax/types/bits.hpp>
#include <exprax/types/printoptions.hpp>

namespace exprax::detail {

// The width of the elements of an array, and how to write one.
template <class T>
class number_format {
  static constexpr bool is_float_format = std::is_floating_point_v<T> || is_half_type<T>;

 public:
  constexpr number_format() = default;
  // plus: positive numbers get a sign too.
  constexpr explicit number_format(printoptions const& o, bool plus = false)
      : precision_(o.precision), suppress_(o.suppress), plus_(plus) {}
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
  // Call add for all elements, then choose, then measure for each.
  constexpr void choose() {
    if constexpr (is_float_format)
      if (largest_ != 0)
        scientific_ =
            double{largest_} >= 1e8 || (!suppress_ && (double{smallest_} < 1e-4 || static_cast<T>(largest_ / smallest_) > T{1000}));
  }
  constexpr void measure(T x) {
    if constexpr (is_float_format) {
      float_parts const b = parts_of(x);
      if (!b.finite()) return;
      decimal const d = scientific_ ? shortest_digits(b, {-precision_, true}) : positional_digits(b);
      int const before = (b.negative || plus_) + (scientific_ || d.point < 1 ? 1 : d.point);
      int const after = d.size == 0 ? 0 : scientific_ ? d.size - 1 : d.size - d.point;
      if (before > left_) left_ = before;
      if (after > digits_) digits_ = after;
      if (scientific_ && (d.point - 1 >= 100 || d.point - 1 <= -100)) exponent_ = 3;
    }
  }
  constexpr void finish() {
    if constexpr (is_float_format) {
      right_ = any_finite_ && scientific_ ? digits_ + exponent_ + 2 : digits_;
      if (!nan_or_inf_) return;
      int const widest = negative_infinity_ || plus_ ? 4 : 3;
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
  // Digits up to the place of the precision; none if the number is rounded to zero there.
  constexpr decimal positional_digits(float_parts const& b) const {
    decimal d = shortest_digits(b, {-precision_});
    int const below = -precision_ - d.point;  // how many places the first digit is behind the last one that is shown, less one
    if (d.size == 0 || below < 0) return d;
    if (below == 0) d = shortest_digits(b, {-precision_ - 20, false, true});
    bool const up = below == 0 && (d.digits[0] > '5' || (d.digits[0] == '5' && d.size > 1));
    d = {};
    if (!up) return d;
    d.digits[d.size++] = '1';
    d.point = 1 - precision_;
    return d;
  }
  constexpr void write_padded(text_buffer& out, T x) const {
    float_parts const b = parts_of(x);
    if (!b.finite()) {
      std::string_view const word = b.nan ? (plus_ ? "+nan" : "nan") : b.negative ? "-inf" : plus_ ? "+inf" : "inf";
      out.fill(' ', left_ + right_ + 1 - static_cast<int>(word.size()));
      return out.write(word);
    }
    decimal d = scientific_ ? shortest_digits(b, {-digits_, true, true}) : positional_digits(b);
    if (d.size == 0) {
      d.digits[d.size++] = '0';
      d.point = 1;
    }
    int const whole = scientific_ ? 1 : d.point;  // digits before the point
    out.fill(' ', left_ - (b.negative || plus_) - (whole < 1 ? 1 : whole));
    if (b.negative || plus_) out.put(b.negative ? '-' : '+');
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

  T largest_{}, smallest_{};
  int precision_ = printoptions{}.precision;
  bool suppress_ = false, plus_ = false;
  bool any_finite_ = false, nan_or_inf_ = false, negative_infinity_ = false, scientific_ = false;
  int left_ = 0, right_ = 0;  // width before and after the point
  int digits_ = 0;            // after the point
  int exponent_ = 2;
};

// Real and imaginary parts are measured separately; the j precedes the padding of the imaginary part.
template <class T>
class number_format<std::complex<T>> {
 public:
  constexpr explicit number_format(printoptions const& o) : real_(o), imag_(o, true) {}
  constexpr void add(std::complex<T> x) { real_.add(x.real()), imag_.add(x.imag()); }
  constexpr void choose() { real_.choose(), imag_.choose(); }
  constexpr void measure(std::complex<T> x) { real_.measure(x.real()), imag_.measure(x.imag()); }
  constexpr void finish() { real_.finish(), imag_.finish(); }
  constexpr void write(text_buffer& out, std::complex<T> x) const {
    real_.write(out, x.real());
    text_buffer imag;
    imag_.write(imag, x.imag());
    int const width = imag.size();
    imag.trim_right();
    out.write(imag.view());
    out.put('j');
    out.fill(' ', width - imag.size());
  }

 private:
  number_format<T> real_, imag_;
};

// str of NumPy's complex64 and complex128: (1+2j), 2j, (-0+2j).
template <class T>
constexpr void write_complex(text_buffer& out, std::complex<T> x) {
  auto const part = [&out](T y, bool plus) {
    text_buffer t;
    write_float(t, y);
    std::string_view s = t.view();
    if (s.size() > 2 && s.substr(s.size() - 2) == ".0") s.remove_suffix(2);
    if (plus && s[0] != '-') out.put('+');
    out.write(s);
  };
  float_parts const real = parts_of(x.real());
  bool const alone = real.mantissa == 0 && !real.negative && real.finite();
  if (!alone) {
    out.put('(');
    part(x.real(), false);
  }
  part(x.imag(), !alone);
  out.write(alone ? "j" : "j)");
}

}  // namespace exprax::detail
