// SPDX-License-Identifier: BSL-1.0
// What a StableHLO module means, by the specification and in the simplest way: every element is a long double, which holds
// all numbers of all dtypes. For comparison with the interpreter of programs.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <exprax/exprax.hpp>

#include <accuracy/references.hpp>

namespace lowered {

using exprax::aval;
using exprax::dtype;
using exprax::detail::hlo_block;
using exprax::detail::hlo_form;
using exprax::detail::hlo_op;
using exprax::detail::span;
using exprax::detail::stablehlo_module;

using number = long double;
using index = std::vector<int>;
struct array {
  aval type;
  std::vector<number> at;
};

// The number that an element of the dtype has instead of x: rounded, or wrapped around.
inline number stored(dtype t, number x) {
  if (t == dtype::f16) return static_cast<number>(static_cast<float>(exprax::float16(static_cast<double>(x))));
  if (t == dtype::bf16) return static_cast<number>(static_cast<float>(exprax::bfloat16(static_cast<double>(x))));
  if (t == dtype::f32) return static_cast<float>(x);
  if (t == dtype::f64) return static_cast<double>(x);
  if (t == dtype::b1) return x != 0;
  number const range = std::pow(number(2), 8 * exprax::size_of(t));
  x = x - range * std::floor(x / range);
  return exprax::is_signed_integer(t) && x >= range / 2 ? x - range : x;
}
inline number converted(dtype from, dtype to, number x) {
  if (exprax::is_floating(from) && exprax::is_integer(to)) {
    if (std::isnan(x)) return 0;
    number const range = std::pow(number(2), 8 * exprax::size_of(to));
    bool const is_signed = exprax::is_signed_integer(to);
    return std::clamp(std::trunc(x), is_signed ? -range / 2 : 0, is_signed ? range / 2 - 1 : range - 1);
  }
  return stored(to, x);
}

// f(index) for each index of the shape, in row-major order.
template <class F>
void for_each(aval const& shape, F f) {
  index i(static_cast<std::size_t>(shape.rank));
  for (std::ptrdiff_t n = 0; n < shape.size(); ++n) {
    std::ptrdiff_t rest = n;
    for (int k = shape.rank - 1; k >= 0; --k) {
      i[static_cast<std::size_t>(k)] = static_cast<int>(rest % shape.dims[k]);
      rest /= shape.dims[k];
    }
    f(i);
  }
}
inline bool inside(aval const& shape, index const& i) {
  for (int k = 0; k < shape.rank; ++k)
    if (i[static_cast<std::size_t>(k)] < 0 || i[static_cast<std::size_t>(k)] >= shape.dims[k]) return false;
  return true;
}
inline std::size_t place(aval const& shape, index const& i) {
  std::size_t n = 0;
  for (int k = 0; k < shape.rank; ++k) n = n * static_cast<std::size_t>(shape.dims[k]) + static_cast<std::size_t>(i[static_cast<std::size_t>(k)]);
  return n;
}

class machine {
 public:
  explicit machine(stablehlo_module const& m) : m_(m) { values_.resize(static_cast<std::size_t>(m.types.size())); }

  std::vector<array> run(std::vector<array> const& in) { return call(m_.blocks[m_.functions[0].block], in); }

 private:
  array& value(int v) { return values_[static_cast<std::size_t>(v)]; }
  std::vector<array> call(hlo_block const& b, std::vector<array> const& in) {
    for (int k = 0; k < b.n_arg; ++k) value(b.arg + k) = in[static_cast<std::size_t>(k)];
    std::vector<array> out;
    for (hlo_op const& o : m_.body(b)) {
      if (o.form == hlo_form::results)
        for (int v : m_.ins(o)) out.push_back(value(v));
      else operation(o);
    }
    return out;
  }
  number combine(hlo_op const& o, dtype t, number a, number b) { return call(m_.sub(o, 0), {{aval(t), {a}}, {aval(t), {b}}})[0].at[0]; }

  static number elementwise(std::string_view n, dtype t, number a, number b, number c) {
    if (n == "negate") return -a;
    if (n == "sign") return std::isnan(a) ? a : static_cast<number>((a > 0) - (a < 0));
    if (n == "floor") return std::floor(a);
    if (n == "ceil") return std::ceil(a);
    if (n == "abs") return std::fabs(a);
    if (n == "exponential") return std::exp(a);
    if (n == "exponential_minus_one") return std::expm1(a);
    if (n == "log") return std::log(a);
    if (n == "log_plus_one") return std::log1p(a);
    if (n == "sqrt") return std::sqrt(a);
    if (n == "rsqrt") return 1 / std::sqrt(a);
    if (n == "sine") return std::sin(a);
    if (n == "cosine") return std::cos(a);
    if (n == "tanh") return std::tanh(a);
    if (n == "logistic") return 1 / (1 + std::exp(-a));
    if (n == "not") return t == dtype::b1 ? static_cast<number>(a == 0) : -a - 1;
    if (n == "is_finite") return std::isfinite(a);
    if (n == "add") return a + b;
    if (n == "subtract") return a - b;
    if (n == "multiply") return a * b;
    if (n == "divide") return exprax::is_floating(t) ? a / b : b == 0 ? -1 : std::trunc(a / b);
    if (n == "remainder") return exprax::is_floating(t) || b != 0 ? std::fmod(a, b) : a;
    if (n == "power") return std::pow(a, b);
    if (n == "maximum") return std::isnan(a) || std::isnan(b) ? a + b : std::max(a, b);
    if (n == "minimum") return std::isnan(a) || std::isnan(b) ? a + b : std::min(a, b);
    if (n == "clamp") return std::min(std::max(b, a), c);
    if (n == "round_nearest_afz") return std::round(a);
    if (n == "round_nearest_even") return std::nearbyint(a);
    if (n == "chlo.square") return a * a;
    if (n == "chlo.next_after") return t == dtype::f32 ? static_cast<number>(std::nextafter(static_cast<float>(a), static_cast<float>(b))) : static_cast<number>(std::nextafter(static_cast<double>(a), static_cast<double>(b)));
    if (n == "cbrt") return std::cbrt(a);
    if (n == "tan") return std::tan(a);
    if (n == "atan2") return std::atan2(a, b);
    if (n == "chlo.asin") return std::asin(a);
    if (n == "chlo.acos") return std::acos(a);
    if (n == "chlo.atan") return std::atan(a);
    if (n == "chlo.sinh") return std::sinh(a);
    if (n == "chlo.cosh") return std::cosh(a);
    if (n == "chlo.asinh") return std::asinh(a);
    if (n == "chlo.acosh") return std::acosh(a);
    if (n == "chlo.atanh") return std::atanh(a);
    if (n == "chlo.erf") return std::erf(a);
    if (n == "chlo.erfc") return std::erfc(a);
    if (n == "chlo.lgamma") return std::lgamma(a);
    if (n == "chlo.digamma") return accuracy::digamma(a);
    if (n == "chlo.erf_inv") return accuracy::erf_inv(a);
    // The bits of an integer, which may have wrapped.
    auto const bits = static_cast<unsigned long long>(a < 0 ? a + std::pow(number(2), 64) : a);
    int const width = 8 * exprax::size_of(t), unused = 64 - width;
    unsigned long long const low = bits << unused >> unused;
    if (n == "popcnt") return std::popcount(low);
    if (n == "count_leading_zeros") return std::countl_zero(low) - unused;
    bool const far = b < 0 || b >= width;
    auto const count = far ? 0 : static_cast<int>(b);
    if (n == "shift_left") return far ? 0 : static_cast<number>(low << count);
    if (n == "shift_right_logical") return far ? 0 : static_cast<number>(low >> count);
    if (n == "shift_right_arithmetic") return static_cast<number>(static_cast<long long>(bits << unused) >> unused >> (far ? width - 1 : count));
    auto const x = static_cast<long long>(a), y = static_cast<long long>(b);
    if (n == "and") return static_cast<number>(x & y);
    if (n == "or") return static_cast<number>(x | y);
    if (n == "xor") return static_cast<number>(x ^ y);
    throw std::runtime_error("no operation: " + std::string(n));
  }
  static bool holds(std::string_view direction, number a, number b) {
    return direction == "EQ" ? a == b : direction == "NE" ? a != b : direction == "LT" ? a < b : direction == "LE" ? a <= b : direction == "GT" ? a > b : a >= b;
  }

  // The bytes of all elements, lowest first, as elements of another dtype.
  static array bitcast(array const& x, aval const& to) {
    std::vector<std::uint64_t> bytes;
    for (number n : x.at) {
      std::uint64_t const bits = exprax::detail::with_element(x.type.type, [n](auto tag) { return exprax::detail::to_bits(static_cast<typename decltype(tag)::type>(n)); });
      for (int k = 0; k < exprax::size_of(x.type.type); ++k) bytes.push_back(bits >> (8 * k) & 255);
    }
    array r{to, {}};
    auto const size = static_cast<std::size_t>(exprax::size_of(to.type));
    for (std::size_t i = 0; i < bytes.size(); i += size) {
      std::uint64_t bits = 0;
      for (std::size_t k = 0; k < size; ++k) bits |= bytes[i + k] << (8 * k);
      r.at.push_back(exprax::detail::with_element(to.type, [bits](auto tag) { return static_cast<number>(exprax::detail::from_bits<typename decltype(tag)::type>(bits)); }));
    }
    return r;
  }
  static number reduced(dtype t, number x, int exponent, int mantissa) {
    if (std::isnan(x) && mantissa == 0) return std::copysign(std::numeric_limits<number>::infinity(), x);
    if (!std::isfinite(x) || x == 0) return x;
    int const own = t == dtype::f32 ? 127 : 1023, largest = (1 << (exponent - 1)) - 1;
    number const place = std::ldexp(number(1), std::max(std::ilogb(x), 1 - own) - mantissa), r = std::nearbyint(x / place) * place;
    if (r == 0) return std::copysign(r, x);
    if (largest >= own) return r;
    if (std::ilogb(r) > largest) return std::copysign(std::numeric_limits<number>::infinity(), x);
    return std::ilogb(r) < 1 - largest ? std::copysign(number(0), x) : r;
  }

  // The result whose element i is f(i).
  template <class F>
  void fill(hlo_op const& o, F f) {
    array r{m_.type(o.out), {}};
    for_each(r.type, [&](index const& i) { r.at.push_back(stored(r.type.type, f(i))); });
    value(o.out) = r;
  }
  static number read(array const& a, index const& i) { return a.at[place(a.type, i)]; }
  static int& at(index& i, int k) { return i[static_cast<std::size_t>(k)]; }
  static int at(index const& i, int k) { return i[static_cast<std::size_t>(k)]; }
  // Where a box of this shape starts: scalars from operand `first` on, clamped.
  index start(hlo_op const& o, int first, aval const& box) {
    aval const& x = m_.type(m_.ins(o)[0]);
    index s;
    for (int k = 0; k < x.rank; ++k) s.push_back(std::clamp(static_cast<int>(value(m_.ins(o)[first + k]).at[0]), 0, x.dims[k] - box.dims[k]));
    return s;
  }

  void operation(hlo_op const& o) {
    span<int> const in = m_.ins(o), a = m_.atts(o);
    auto const operand = [&](int k) -> array& { return value(in[k]); };
    int const rank = o.n_out > 0 ? m_.type(o.out).rank : 0;
    switch (o.form) {
      case hlo_form::plain:
        if (o.name == "reshape") value(o.out) = {m_.type(o.out), operand(0).at};
        else if (o.name == "bitcast_convert") value(o.out) = bitcast(operand(0), m_.type(o.out));
        else if (o.name == "convert") fill(o, [&](index const& i) { return converted(operand(0).type.type, m_.type(o.out).type, read(operand(0), i)); });
        else if (o.name == "dynamic_update_slice") {
          array r = operand(0);
          index const s = start(o, 2, operand(1).type);
          for_each(operand(1).type, [&](index const& i) {
            index to = i;
            for (int k = 0; k < rank; ++k) at(to, k) += at(s, k);
            r.at[place(r.type, to)] = read(operand(1), i);
          });
          value(o.out) = r;
        } else {
          fill(o, [&](index const& i) {
            return elementwise(o.name, operand(0).type.type, read(operand(0), i), in.size() > 1 ? read(operand(1), i) : 0, in.size() > 2 ? read(operand(2), i) : 0);
          });
        }
        return;
      case hlo_form::reduce_precision:
        return fill(o, [&](index const& i) { return reduced(m_.type(o.out).type, read(operand(0), i), a[0], a[1]); });
      case hlo_form::select: return fill(o, [&](index const& i) { return read(operand(0), i) != 0 ? read(operand(1), i) : read(operand(2), i); });
      case hlo_form::compare: return fill(o, [&](index const& i) { return static_cast<number>(holds(o.label, read(operand(0), i), read(operand(1), i))); });
      case hlo_form::constant:
        return fill(o, [&](index const& i) {
          std::uint64_t const bits = m_.constants[a[0] + (a[1] == 1 ? 0 : static_cast<int>(place(m_.type(o.out), i)))];
          return exprax::detail::with_element(m_.type(o.out).type, [&](auto tag) { return static_cast<number>(exprax::detail::from_bits<typename decltype(tag)::type>(bits)); });
        });
      case hlo_form::iota: return fill(o, [&](index const& i) { return static_cast<number>(at(i, a[0])); });
      case hlo_form::broadcast:
        return fill(o, [&](index const& i) {
          index from;
          for (int k = 0; k < a.size(); ++k) from.push_back(operand(0).type.dims[k] == 1 ? 0 : at(i, a[k]));
          return read(operand(0), from);
        });
      case hlo_form::axes:
        return fill(o, [&](index const& i) {
          index from = i;
          for (int k = 0; k < a.size(); ++k) {
            if (o.name == "transpose") at(from, a[k]) = at(i, k);
            else at(from, a[k]) = m_.type(o.out).dims[a[k]] - 1 - at(i, a[k]);
          }
          return read(operand(0), from);
        });
      case hlo_form::concatenate:
        return fill(o, [&](index i) {
          for (int k = 0;; ++k) {
            int const n = operand(k).type.dims[a[0]];
            if (at(i, a[0]) < n) return read(operand(k), i);
            at(i, a[0]) -= n;
          }
        });
      case hlo_form::pad:
        return fill(o, [&](index i) {
          for (int k = 0; k < rank; ++k) {
            int const step = a[2 * rank + k] + 1, from = at(i, k) - a[k];
            if (from < 0 || from % step != 0 || from / step >= operand(0).type.dims[k]) return operand(1).at[0];
            at(i, k) = from / step;
          }
          return read(operand(0), i);
        });
      case hlo_form::slice:
        return fill(o, [&](index i) {
          for (int k = 0; k < rank; ++k) at(i, k) = a[k] + at(i, k) * a[2 * rank + k];
          return read(operand(0), i);
        });
      case hlo_form::dynamic_slice: {
        index const s = start(o, 1, m_.type(o.out));
        return fill(o, [&](index i) {
          for (int k = 0; k < rank; ++k) at(i, k) += at(s, k);
          return read(operand(0), i);
        });
      }
      case hlo_form::reduce: {
        array r{m_.type(o.out), std::vector<number>(static_cast<std::size_t>(m_.type(o.out).size()), operand(1).at[0])};
        for_each(operand(0).type, [&](index const& i) {
          index to;
          for (int k = 0; k < operand(0).type.rank; ++k)
            if (!exprax::detail::contains(a.data(), a.size(), k)) to.push_back(at(i, k));
          number& x = r.at[place(r.type, to)];
          x = combine(o, r.type.type, x, read(operand(0), i));
        });
        value(o.out) = r;
        return;
      }
      case hlo_form::reduce_window: {
        // Sizes, strides, low and high padding, base and window dilations.
        auto const part = [&](int list, int k) { return a[list * (a.size() / 6) + k]; };
        return fill(o, [&](index const& i) {
          number x = operand(1).at[0];
          aval window = operand(0).type;
          for (int k = 0; k < window.rank; ++k) window.dims[k] = part(0, k);
          for_each(window, [&](index from) {
            for (int k = 0; k < window.rank; ++k) {
              int const place = at(i, k) * part(1, k) + at(from, k) * part(5, k) - part(2, k);
              if (place % part(4, k) != 0) return;
              at(from, k) = place / part(4, k);
            }
            if (inside(operand(0).type, from)) x = combine(o, window.type, x, read(operand(0), from));
          });
          return x;
        });
      }
      case hlo_form::dot_general: return fill(o, [&](index const& i) { return dot(o, i); });
      case hlo_form::convolution: return fill(o, [&](index const& i) { return convolution(o, i); });
      case hlo_form::gather: return gather(o);
      case hlo_form::scatter: return scatter(o);
      case hlo_form::while_loop: {
        std::vector<array> carry;
        for (int v : in) carry.push_back(value(v));
        while (call(m_.sub(o, 0), carry)[0].at[0] != 0) carry = call(m_.sub(o, 1), carry);
        return give(o, carry);
      }
      case hlo_form::case_of: {
        int const k = static_cast<int>(operand(0).at[0]);
        return give(o, call(m_.sub(o, k < 0 || k >= o.n_blk ? o.n_blk - 1 : k), {}));
      }
      case hlo_form::call: {
        std::vector<array> arguments;
        for (int v : in) arguments.push_back(value(v));
        return give(o, call(m_.blocks[m_.functions[a[0]].block], arguments));
      }
      default: return;
    }
  }
  void give(hlo_op const& o, std::vector<array> const& results) {
    for (int k = 0; k < o.n_out; ++k) value(o.out + k) = results[static_cast<std::size_t>(k)];
  }
  number dot(hlo_op const& o, index const& i) {
    span<int> const a = m_.atts(o);
    array const &x = value(m_.ins(o)[0]), &y = value(m_.ins(o)[1]);
    int const n = a[0], m = a[1 + 2 * n];
    index xi(static_cast<std::size_t>(x.type.rank), -1), yi(static_cast<std::size_t>(y.type.rank), -1);
    aval summed;
    for (int k = 0; k < n; ++k) {
      at(xi, a[1 + k]) = at(yi, a[1 + n + k]) = -2;
      summed.dims[summed.rank++] = x.type.dims[a[1 + k]];
    }
    int next = 0;
    for (int k = 0; k < m; ++k) at(xi, a[2 + 2 * n + k]) = at(yi, a[2 + 2 * n + m + k]) = at(i, next++);
    for (int& k : xi)
      if (k == -1) k = at(i, next++);
    for (int& k : yi)
      if (k == -1) k = at(i, next++);
    number sum = 0;
    for_each(summed, [&](index const& s) {
      for (int k = 0; k < n; ++k) at(xi, a[1 + k]) = at(yi, a[1 + n + k]) = at(s, k);
      sum += read(x, xi) * read(y, yi);
    });
    return sum;
  }
  number convolution(hlo_op const& o, index const& i) {
    exprax::detail::arena<int> numbers;
    for (int x : m_.atts(o)) numbers.push(x);
    numbers.push(0);
    exprax::conv_numbers const c(numbers);
    array const &x = value(m_.ins(o)[0]), &w = value(m_.ins(o)[1]);
    int const out_features = w.type.dims[0], rows = m_.type(o.out).dims[0];
    number sum = 0;
    aval taps = w.type;
    taps.dims[0] = 1;
    for_each(taps, [&](index t) {
      at(t, 0) = at(i, 1);
      index from{at(i, 0) + at(i, 1) / (out_features / c.batch_groups) * rows, at(t, 1) + at(i, 1) / (out_features / c.feature_groups) * w.type.dims[1]};
      for (int k = 0; k < c.spatial; ++k) {
        int const p = at(i, 2 + k) * c.stride[k] + at(t, 2 + k) * c.rhs_dilation[k] - c.low[k];
        from.push_back(p % c.lhs_dilation[k] == 0 ? p / c.lhs_dilation[k] : -1);
      }
      if (inside(x.type, from)) sum += read(x, from) * read(w, t);
    });
    return sum;
  }
  // The specification's pseudocode of gather.
  void gather(hlo_op const& o) {
    exprax::detail::hlo_index_numbers const s(m_.atts(o));
    array const &x = value(m_.ins(o)[0]), &indices = value(m_.ins(o)[1]);
    auto const has = [](span<int> list, int k) { return exprax::detail::contains(list.data(), list.size(), k); };
    fill(o, [&](index const& r) {
      index batch_index, offset_index;
      for (int k = 0; k < m_.type(o.out).rank; ++k) (has(s.list[0], k) ? offset_index : batch_index).push_back(at(r, k));
      index from(static_cast<std::size_t>(x.type.rank), 0);
      for (int k = 0; k < s.list[4].size(); ++k) {
        index vector = batch_index;
        if (s.index_vector_dim < indices.type.rank) vector.insert(vector.begin() + s.index_vector_dim, k);
        int const axis = s.list[4][k], last = x.type.dims[axis] - s.rest[axis], start = static_cast<int>(read(indices, vector));
        at(from, axis) = start < 0 ? 0 : start > last ? last : start;
      }
      for (int k = 0; k < s.list[2].size(); ++k) {
        int const d = s.list[3][k];
        at(from, s.list[2][k]) += at(batch_index, d < s.index_vector_dim ? d : d - 1);
      }
      for (int k = 0, next = 0; k < x.type.rank; ++k)
        if (!has(s.list[1], k) && !has(s.list[2], k)) at(from, k) += at(offset_index, next++);
      return read(x, from);
    });
  }
  // The specification's pseudocode of scatter.
  void scatter(hlo_op const& o) {
    exprax::detail::hlo_index_numbers const s(m_.atts(o));
    array r = value(m_.ins(o)[0]);
    array const &indices = value(m_.ins(o)[1]), &updates = value(m_.ins(o)[2]);
    auto const has = [](span<int> list, int k) { return exprax::detail::contains(list.data(), list.size(), k); };
    for_each(updates.type, [&](index const& u) {
      index scatter_index, window_index;
      for (int k = 0; k < updates.type.rank; ++k) (has(s.list[0], k) ? window_index : scatter_index).push_back(at(u, k));
      index to(static_cast<std::size_t>(r.type.rank), 0);
      for (int k = 0; k < s.list[4].size(); ++k) {
        index vector = scatter_index;
        if (s.index_vector_dim < indices.type.rank) vector.insert(vector.begin() + s.index_vector_dim, k);
        at(to, s.list[4][k]) += static_cast<int>(read(indices, vector));
      }
      for (int k = 0; k < s.list[2].size(); ++k) {
        int const d = s.list[3][k];
        at(to, s.list[2][k]) += at(scatter_index, d < s.index_vector_dim ? d : d - 1);
      }
      for (int k = 0, next = 0; k < r.type.rank; ++k)
        if (!has(s.list[1], k) && !has(s.list[2], k)) at(to, k) += at(window_index, next++);
      if (!inside(r.type, to)) return;
      number& x = r.at[place(r.type, to)];
      x = combine(o, r.type.type, x, read(updates, u));
    });
    value(o.out) = r;
  }

  stablehlo_module const& m_;
  std::vector<array> values_;
};

}  // namespace lowered
