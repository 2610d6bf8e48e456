// SPDX-License-Identifier: BSL-1.0
// Arrays as NumPy prints them (numpy.array_str of 1.24 with its default options: 8 digits, lines of 75, 3 items at each end of
// the axes when there are more than 1,000 elements), in constant evaluation too: array_str(a) == "[1. 2. 3.]"; and as JAX shows them:
// array_repr(a) == "Array([1., 2., 3.], dtype=float32)".
#pragma once

#include <exprax/types/number_format.hpp>
#include <exprax/types/view.hpp>

namespace exprax {

namespace detail {

// The shown form has commas, and begins behind "Array(".
enum class array_form { printed, shown };

template <class T>
class array_printer {
 public:
  constexpr array_printer(text_buffer& out, T const* data, aval const& a, array_form form = array_form::printed, printoptions const& o = {})
      : out_(out),
        data_(data),
        a_(a),
        summarize_(a.size() > o.threshold),
        shown_(form == array_form::shown),
        edge_(o.edgeitems > 1 ? o.edgeitems : 1),
        indent_(shown_ ? 6 : 0),
        width_(o.linewidth - shown_),
        format_(o) {}

  constexpr void print() {
    if (a_.rank == 0 && (!shown_ || std::is_same_v<T, bool>)) return scalar();
    if (a_.size() == 0) return out_.write("[]");
    if constexpr (!std::is_same_v<T, bool>) {
      visit(0, 0, [this](T x) { format_.add(x); });
      format_.choose();
      visit(0, 0, [this](T x) { format_.measure(x); });
      format_.finish();
    }
    if (a_.rank == 0) format_.write(out_, *data_);
    else nested(0, 0);
  }

 private:
  constexpr void scalar() {
    if constexpr (std::is_same_v<T, bool>) write_bool(out_, *data_);
    else if constexpr (std::is_integral_v<T>) number_format<T>::write_integer(out_, *data_);
    else if constexpr (is_std_complex<T>) write_complex(out_, *data_);
    else write_float(out_, *data_);
  }
  // Where the middle items of an axis are left out.
  constexpr bool is_cut(int axis) const { return summarize_ && a_.dims[axis] > 2 * edge_; }
  constexpr int after(int i, int axis) const { return i == edge_ - 1 && is_cut(axis) ? a_.dims[axis] - edge_ : i + 1; }

  // g++ 15 unrolls the recursion and would warn about reads past max_rank.
  constexpr bool is_last(int axis) const { return axis + 1 == a_.rank || axis + 1 == max_rank; }

  template <class F>
  constexpr void visit(int axis, std::ptrdiff_t at, F f) const {
    if (a_.rank == 0) return f(*data_);
    for (int i = 0; i < a_.dims[axis]; i = after(i, axis)) {
      std::ptrdiff_t const item = at * a_.dims[axis] + i;
      if (is_last(axis)) f(data_[item]);
      else visit(axis + 1, item, f);
    }
  }
  constexpr void nested(int axis, std::ptrdiff_t at) {
    out_.put('[');
    if (is_last(axis)) line_start_ = out_.size() - axis - 1 - indent_;
    for (int i = 0; i < a_.dims[axis]; i = after(i, axis)) {
      std::ptrdiff_t const item = at * a_.dims[axis] + i;
      if (is_last(axis)) {
        text_buffer word;
        format_.write(word, data_[item]);
        row_item(word.view());
        if (i == edge_ - 1 && is_cut(axis)) row_item("...");
      } else {
        if (i > 0) separate(axis);
        nested(axis + 1, item);
        if (i == edge_ - 1 && is_cut(axis)) {
          separate(axis);
          out_.write("...");
        }
      }
    }
    if (is_last(axis)) first_in_line_ = true;
    out_.put(']');
  }
  constexpr void separate(int axis) {
    if (shown_) out_.put(',');
    out_.fill('\n', a_.rank - axis - 1);
    out_.fill(' ', axis + 1 + indent_);
  }
  // A line holds linewidth characters, including the closing brackets after the item, and in the shown form a comma.
  constexpr void row_item(std::string_view word) {
    if (!first_in_line_ && shown_) out_.put(',');
    if (!first_in_line_) out_.put(' ');
    if (!first_in_line_ && out_.size() - line_start_ + static_cast<int>(word.size()) > width_ - a_.rank) {
      out_.trim_right();
      out_.put('\n');
      line_start_ = out_.size();
      out_.fill(' ', a_.rank + indent_);
    }
    out_.write(word);
    first_in_line_ = false;
  }

  text_buffer& out_;
  T const* data_;
  aval const& a_;
  bool summarize_, shown_;
  int edge_, indent_, width_;
  number_format<T> format_;
  bool first_in_line_ = true;
  int line_start_ = 0;
};

constexpr void write_shape(text_buffer& out, aval const& a) { write_tuple(out, {a.dims, a.rank}); }

}  // namespace detail

// The text that NumPy's print shows: numpy.array_str; with options, array_str(x, {.precision = 3}), that of numpy.printoptions. An array of
// no axes is shown as a number, with all digits. The result has view() and compares with a string_view.
template <class T, int... Dims>
constexpr detail::text_buffer array_str(array<T, Dims...> const& a, printoptions const& options = {});
template <class T, int... Dims>
constexpr detail::text_buffer array_str(view<T, Dims...> a, printoptions const& options = {}) {
  using value_type = std::remove_const_t<T>;
  if constexpr (std::is_same_v<value_type, prng_key>) {
    array<std::uint32_t, Dims..., 2> words;  // as ex::random::key_data gives them
    for (std::ptrdiff_t i = 0; i < words.size(); ++i) words.data()[i] = a.data()[i / 2].word(i % 2 != 0);
    return array_str(words, options);
  } else {
    detail::text_buffer out;
    detail::array_printer<value_type>(out, a.data(), a.type, detail::array_form::printed, options).print();
    return out;
  }
}
template <class T, int... Dims>
constexpr detail::text_buffer array_str(array<T, Dims...> const& a, printoptions const& options) {
  return array_str(view<T const, Dims...>(a), options);
}

// The text that JAX shows: repr of a jax.Array, "Array([1., 2.], dtype=float32)"; with the same options.
template <class T, int... Dims>
constexpr detail::text_buffer array_repr(array<T, Dims...> const& a, printoptions const& options = {});
template <class T, int... Dims>
constexpr detail::text_buffer array_repr(view<T, Dims...> a, printoptions const& options = {}) {
  using value_type = std::remove_const_t<T>;
  if constexpr (std::is_same_v<value_type, prng_key>) {
    detail::text_buffer out;
    out.write("Array(");
    detail::write_shape(out, a.type);
    out.write(", dtype=key<fry>) overlaying:\n");
    out.write(array_str(a, options).view());
    return out;
  } else {
    std::string_view const type = long_name(a.type.type);
    detail::text_buffer out;
    out.write("Array(");
    detail::array_printer<value_type>(out, a.data(), a.type, detail::array_form::shown, options).print();
    if (a.size() == 0) {
      out.write(", shape=");
      detail::write_shape(out, a.type);
    }
    // JAX's rule; its line includes the indentation of all lines but the first.
    std::size_t const newline = out.view().rfind('\n');
    int const last_line = out.size() - (newline == std::string_view::npos ? 4 : static_cast<int>(newline) - 1);
    out.put(',');
    out.fill(' ', last_line + static_cast<int>(type.size()) + 8 > options.linewidth ? 6 : 1);
    out.write("dtype=");
    out.write(type);
    out.put(')');
    return out;
  }
}
template <class T, int... Dims>
constexpr detail::text_buffer array_repr(array<T, Dims...> const& a, printoptions const& options) {
  return array_repr(view<T const, Dims...>(a), options);
}

namespace detail {

template <stream Stream>
Stream& operator<<(Stream& out, text_buffer const& text) {
  out.write(text.data(), text.size());
  return out;
}

}  // namespace detail

template <detail::stream Stream, class T, int... Dims>
Stream& operator<<(Stream& out, array<T, Dims...> const& a) {
  return out << array_str(a);
}
template <detail::stream Stream, class T, int... Dims>
Stream& operator<<(Stream& out, view<T, Dims...> a) {
  return out << array_str(a);
}

}  // namespace exprax
