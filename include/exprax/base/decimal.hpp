// SPDX-License-Identifier: BSL-1.0
// The decimal digits of a float or double: the shortest that read back as the same number and, among those, the nearest to
// it; or fewer, correctly rounded. Exact for all values (Steele and White 1990, "How to print floating-point numbers
// accurately", with the tie rules of David Gay's dtoa, which Python uses, and of NumPy's dragon4).
#pragma once

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

// A float as an integer times a power of two.
struct float_parts {
  std::uint64_t mantissa = 0;
  int exponent = 0;
  bool negative = false, infinite = false, nan = false;
  bool even_gap = true;  // false for a power of two: the gap below is half of the gap above

  constexpr bool finite() const { return !infinite && !nan; }
};
constexpr float_parts parts_of(std::uint64_t bits, int fraction_bits, int exponent_bits) {
  int const exponent_mask = (1 << exponent_bits) - 1, bias = exponent_mask / 2 + fraction_bits;
  std::uint64_t const fraction = bits & ((std::uint64_t{1} << fraction_bits) - 1);
  int const field = static_cast<int>(bits >> fraction_bits) & exponent_mask;
  float_parts b;
  b.negative = bits >> (fraction_bits + exponent_bits) != 0;
  b.infinite = field == exponent_mask && fraction == 0;
  b.nan = field == exponent_mask && fraction != 0;
  b.mantissa = field == 0 ? fraction : fraction | (std::uint64_t{1} << fraction_bits);
  b.exponent = (field == 0 ? 1 : field) - bias;
  b.even_gap = field <= 1 || fraction != 0;
  return b;
}
constexpr float_parts parts_of(float x) { return parts_of(std::bit_cast<std::uint32_t>(x), 23, 8); }
constexpr float_parts parts_of(double x) { return parts_of(std::bit_cast<std::uint64_t>(x), 52, 11); }
// Formats without a C++ type give their widths.
template <class T>
  requires(T::fraction_bits > 0)
constexpr float_parts parts_of(T x) {
  return parts_of(x.bits(), T::fraction_bits, T::exponent_bits);
}

// An unsigned integer of up to 1,184 bits, enough for the digits of a double.
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
  // Leaves the remainder of the division by o; the quotient is one digit.
  constexpr int take_digit(big_natural const& o) {
    int digit = 0;
    for (; compare(o) >= 0; ++digit) subtract(o);
    return digit;
  }
  // Negative, zero or positive if this is less than, equal to or greater than o.
  constexpr int compare(big_natural const& o) const {
    if (size_ != o.size_) return size_ - o.size_;
    for (int i = size_ - 1; i >= 0; --i)
      if (limbs_[i] != o.limbs_[i]) return limbs_[i] < o.limbs_[i] ? -1 : 1;
    return 0;
  }
  // Compares this + a with o.
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

// Integers below 2^53, which most literals are: their digits without trailing zeros are the shortest.
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

// Increments the last digit; a row of nines becomes a one.
constexpr void round_up(decimal& d) {
  while (d.size > 0 && d.digits[d.size - 1] == '9') --d.size;
  if (d.size <= 0) {
    d.digits[d.size++] = '1';
    ++d.point;
  } else {
    ++d.digits[d.size - 1];
  }
}

// The last digit is at most that of 10^last, or the one -last places after the first digit; the first digit is always kept.
// exact: all digits up to there, also those that are not needed to read the number back.
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
